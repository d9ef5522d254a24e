"""What followers do: every deed of the vocabulary, prices, free will, and Summons that are repeated."""

from __future__ import annotations

from typing import Any

import pytest

from tests.gang_table import does, effect, table

RIVALS = ("Patrol", "Hyenas")


def summoned(rules: Any, *effects: str, pay: str = "nothing", times: int = 1) -> Any:
    """A table where a Scout with this Summon is in the Patrol's hand."""
    b = table(rules, *RIVALS, sets=does("raider.scout", *effects, pay=pay, times=times))
    return b.in_hand("Patrol", "Scout")


# ---------------------------------------------------------------- deeds for oneself


def test_slaves_and_fanatics_come_from_the_pool_as_far_as_it_goes(rules: Any) -> None:
    b = summoned(rules, effect("summon", "slaves", "own_lair", 2), effect("summon", "fanatics", "own_lair", 2))
    b.summon("Patrol", "Scout")
    assert b.lair("Patrol") == ["Scout", "slave", "slave", "fanatic", "fanatic"]
    assert b.pool() == 19 and b.of("Patrol").made == 4
    b.in_lair("Hyenas", *["slave"] * 18).in_hand("Patrol", "Scout").summon("Patrol", "Scout")
    assert (b.of("Patrol").slaves, b.of("Patrol").fanatics, b.pool()) == (3, 2, 0)


@pytest.mark.rule("G16-05")
def test_slaves_can_come_straight_to_a_territory(rules: Any) -> None:
    sets = does("raider.hunter", effect("ambush", "slaves", "here", 2))
    b = table(rules, "Slave-traders", "Patrol", sets=sets).on("Iron").in_lair("Slave-traders", "Hunter")
    b.ambush("Slave-traders", "Iron", "Hunter")
    assert b.standing("Iron") == ["Hunter", "slave", "slave"] and b.at("Iron").guard == 3 and b.pool() == 21
    assert b.of("Slave-traders").made == 2


@pytest.mark.rule("G16-05", "G14-07")
def test_what_is_done_when_knocked_out_must_happen(rules: Any) -> None:
    """Three ways: beaten, pushed off, and with the territory destroyed. Discarded with a taken one it is not."""
    sets = does("raider.hunter", effect("knocked_out", "slaves", "own_lair"), effect("knocked_out", "draw", "hand"))
    gangs = ("Slave-traders", "Hyenas")

    def hunters() -> Any:
        b = table(rules, *gangs, sets=sets).on("Iron", "Slave-traders", "Hunter", loot=1)
        return b.in_deck("Slave-traders", "Overseer").in_lair("Hyenas", "Biter", "Biter")

    for b in (
        hunters().ambush("Hyenas", "Iron", "no"),
        hunters().in_hand("Hyenas", "Howler").summon("Hyenas", "Iron"),
        hunters().in_hand("Hyenas", "Arsonist").summon("Hyenas", "Iron"),
    ):
        assert b.lair("Slave-traders") == ["wounded Hunter", "slave"] and b.hand("Slave-traders") == ["Overseer"]
    b = hunters().collect("Slave-traders")
    assert b.lair("Slave-traders") == [] and b.discards("Slave-traders") == ["Hunter"]


def test_cards_are_drawn_and_retrieved(rules: Any) -> None:
    b = summoned(rules, effect("summon", "draw", "hand", 2), effect("summon", "retrieve", "hand", 2))
    b.in_deck("Patrol", "Sniper", "Medic", "Sentry").discarded("Patrol", "Sapper", "Sapper", "Foreman")
    b.summon("Patrol", "Scout", "Foreman", "Sapper")
    assert b.asked == [["no", "Scout"], ["no", "Sapper", "Foreman"], ["no", "Sapper"]]
    assert b.hand("Patrol") == ["Foreman", "Medic", "Sapper", "Sniper"] and b.discards("Patrol") == ["Sapper"]


@pytest.mark.rule("G16-21", "G5-32")
def test_the_seductress_hires_beside_phase_1(rules: Any) -> None:
    b = table(rules, *RIVALS).for_hire("Foreman", "Barman", deck=["Herder"]).in_hand("Patrol", "Seductress")
    b.hour("Patrol", "Foreman", "Seductress", "Herder", "no")
    assert b.hand("Patrol") == ["Foreman", "Herder"] and b.market() == ["Barman"] and b.of("Patrol").hired == 2


def test_recruits_come_straight_into_the_lair_without_their_summon(rules: Any) -> None:
    b = summoned(rules, effect("summon", "recruit", "market")).for_hire("Drummer", deck=["Herder"])
    b.in_deck("Patrol", "Sniper").summon("Patrol", "Drummer")
    assert b.lair("Patrol") == ["Drummer", "Scout"] and b.hand("Patrol") == [] and b.market() == ["Herder"]


@pytest.mark.rule("G5-31")
def test_musters_place_more_followers_each_with_its_summon(rules: Any) -> None:
    """As many as they let in; further ones are a choice."""
    b = table(rules, "Valkyries", "Hyenas").in_hand("Valkyries", "Shieldmaiden", "Shieldmaiden", "Rider", "Nomad")
    b.summon("Valkyries", "Shieldmaiden", "Shieldmaiden", "Shieldmaiden", "Shieldmaiden", "Nomad")
    assert b.lair("Valkyries") == ["Nomad", "Shieldmaiden", "Shieldmaiden"] and b.hand("Valkyries") == ["Rider"]
    assert b.asked[-1] == ["no", "Rider", "Nomad"]
    b = table(rules, "Valkyries", "Hyenas").in_hand("Valkyries", "Shieldmaiden", "Rider")
    b.summon("Valkyries", "Shieldmaiden", "Shieldmaiden", "no")
    assert b.lair("Valkyries") == ["Shieldmaiden"] and b.hand("Valkyries") == ["Rider"]


def test_followers_are_patched_up(rules: Any) -> None:
    b = summoned(rules, effect("summon", "patch", "own_lair", 2))
    b.in_lair("Patrol", "wounded Sniper", "wounded Sniper", "wounded Medic").in_lair("Hyenas", "wounded Biter")
    b.summon("Patrol", "Sniper", "Medic")
    assert b.lair("Patrol") == ["Medic", "Scout", "Sniper", "wounded Sniper"]
    assert b.asked == [["no", "Sniper", "Medic"], ["no", "Sniper", "Medic"]], "neither the Scout nor the Biter"


@pytest.mark.rule("G16-22", "G5-30", "G5-35", "G14-02")
def test_the_herder_makes_slaves_attack_in_this_hour(rules: Any) -> None:
    b = table(rules, "Slave-traders", "Hyenas").on("Iron", "Hyenas", "Biter", "Howler")
    b.in_lair("Slave-traders", "Hunter", "slave", "slave").in_hand("Slave-traders", "Overseer")
    assert b.hour("Slave-traders", "no").asked == [["no", "Overseer"]], "two raiders against two: too weak"
    b.in_hand("Slave-traders", "Herder").hour("Slave-traders", "Herder", "Iron", "slave", "Hunter", "slave", "no", "no")
    assert b.standing("Iron") == ["Hunter", "slave", "slave"]
    b.on("Water", "Hyenas", "Biter", "Howler").hour("Slave-traders", "no")
    assert all("Water" not in asked for asked in b.asked), "over with the hour"


# ---------------------------------------------------------------- deeds to rivals and on territories


@pytest.mark.rule("G16-09", "G5-33")
def test_the_sniper_names_a_follower_in_a_rivals_lair(rules: Any) -> None:
    b = table(rules, "Patrol", "Hyenas", "Valkyries").in_lair("Hyenas", "Howler", "Biter").in_lair("Valkyries", "Rider")
    b.in_hand("Patrol", "Sniper").in_lair("Patrol", "Scout").summon("Patrol", "Hyenas: Biter")
    assert b.asked == [["no", "Hyenas: Howler", "Hyenas: Biter", "Valkyries: Rider"]]
    assert b.lair("Hyenas") == ["Howler", "wounded Biter"] and b.of("Hyenas").wounded == 1


@pytest.mark.rule("G16-08", "G5-33")
def test_two_saboteurs_take_a_fresh_territory_in_one_attack(rules: Any) -> None:
    b = table(rules, *RIVALS).on("Iron").in_lair("Patrol", "Saboteur", "Saboteur")
    b.ambush("Patrol", "Iron", "Saboteur", "Saboteur", "Saboteur").collect("Patrol")
    assert b.at("Iron") is None and b.of("Patrol").kinds[b.t.site[b.site("Iron")].kind] == 1
    assert (b.of("Patrol").loot, b.s.destroyed) == (1, 4) and b.discards("Patrol") == ["Saboteur", "Saboteur"]


@pytest.mark.rule("G16-11", "G5-34")
def test_two_marauders_plunder_a_fresh_territory(rules: Any) -> None:
    b = table(rules, *RIVALS).on("Iron").in_lair("Hyenas", "Marauder", "Marauder")
    b.hour("Hyenas", "Iron", "Marauder", "Marauder", "Marauder")
    assert b.at("Iron") is None and (b.of("Hyenas").loot, b.of("Hyenas").points, b.s.destroyed) == (5, 10, 0)


def test_loot_goes_only_as_far_as_it_lies_there(rules: Any) -> None:
    for what, left in (("plunder", 3), ("spoil", 0)):
        b = summoned(rules, effect("summon", what, "territory", 4)).on("Iron", loot=3).on("Water", loot=0)
        b.summon("Patrol", "Iron")
        assert b.asked == [["no", "Iron"]] and b.at("Iron").loot == 0
        assert (b.of("Patrol").loot, b.of("Patrol").points, b.s.destroyed) == (left, left, 3 - left)


@pytest.mark.parametrize("whose", ["territory", "own_territory", "rival_territory"])
def test_whose_territories_a_deed_reaches(rules: Any, whose: str) -> None:
    b = summoned(rules, effect("summon", "plunder", whose)).on("Iron").on("Water", "Patrol", "Medic")
    b.on("Benzak", "Hyenas", "Biter").summon("Patrol", "no")
    reached = {"territory": ["Iron", "Water", "Benzak"], "own_territory": ["Water"], "rival_territory": ["Benzak"]}
    assert b.asked == [["no", *reached[whose]]]


@pytest.mark.rule("G16-12", "G5-34")
def test_the_arsonist_destroys_what_has_little_loot_and_isnt_his_own(rules: Any) -> None:
    b = table(rules, *RIVALS).on("Iron", "Patrol", "Scout", "slave", loot=2).on("Water", loot=3)
    b.on("Benzak", "Hyenas", "Biter", loot=1).on("Kutezh", loot=2).in_hand("Hyenas", "Arsonist")
    pool = b.pool()
    b.summon("Hyenas", "Iron")
    assert b.asked == [["no", "Iron", "Kutezh"]]
    assert b.at("Iron") is None and b.lair("Patrol") == ["wounded Scout"] and b.pool() == pool + 1
    assert (b.s.destroyed, b.s.razed, b.s.places) == (2, 1, 3) and b.of("Patrol").trophies == 0


@pytest.mark.rule("G16-13", "G5-34")
def test_a_rival_is_pushed_off_before_the_attack(rules: Any) -> None:
    b = table(rules, *RIVALS).on("Iron", "Patrol", "Scout").in_lair("Hyenas", "Marauder").in_hand("Hyenas", "Howler")
    b.hour("Hyenas", "Iron", "Iron", "Marauder", "no", "Marauder")
    assert b.holder("Iron") == "Hyenas" and b.standing("Iron") == ["Marauder"] and b.lair("Patrol") == ["wounded Scout"]


@pytest.mark.rule("G16-20", "G16-17")
def test_might_counts_in_attack_and_guard_in_defence(rules: Any) -> None:
    b = table(rules, *RIVALS).on("Iron", "Hyenas", "Biter", "Howler").in_lair("Patrol", "Sentry", "Daredevils")
    b.ambush("Patrol", "Iron", "Sentry")
    assert b.standing("Iron") == ["Daredevils", "Sentry"] and b.at("Iron").guard == 3
    b.in_lair("Hyenas", "Marauder")
    assert b.do("ambush.most_strength", 1) == 1
    b.in_hand("Hyenas", "Howler").summon("Hyenas", "Iron")
    assert b.standing("Iron") == ["Sentry"] and b.at("Iron").guard == 2, "the grey one had to go"


# ---------------------------------------------------------------- prices and free will


@pytest.mark.parametrize("pay", ["discard", "destroy"])
def test_cards_of_the_hand_are_the_price(rules: Any, pay: str) -> None:
    card = "raider.commander" if pay == "destroy" else "raider.scout"
    sets = does(card, effect("summon", "slaves", "own_lair"), pay=pay, times=3)
    title = "Commander" if pay == "destroy" else "Scout"
    b = table(rules, *RIVALS, sets=sets).in_hand("Patrol", title, "Medic", "Sniper")
    b.summon("Patrol", title, "Sniper", "Medic")
    assert b.of("Patrol").slaves == 2 and b.hand("Patrol") == [], "as often as it can be paid"
    assert b.discards("Patrol") == ([] if pay == "destroy" else ["Medic", "Sniper"])
    assert b.of("Patrol").destroyed == (2 if pay == "destroy" else 0)


def test_wounds_are_the_price(rules: Any) -> None:
    b = summoned(rules, effect("summon", "slaves", "own_lair"), pay="wound", times=2)
    b.in_lair("Patrol", "Sniper", "wounded Medic").summon("Patrol", "Sniper", "Scout")
    assert b.asked == [["no", "Sniper", "Scout"], ["no", "Scout"]]
    assert b.lair("Patrol") == ["wounded Medic", "wounded Scout", "wounded Sniper", "slave", "slave"]


@pytest.mark.rule("G16-06", "G14-04")
def test_a_slave_on_the_territory_serves_the_brander_too(rules: Any) -> None:
    b = table(rules, "Slave-traders", "Hyenas").on("Iron").in_lair("Slave-traders", "Brander", "slave")
    b.ambush("Slave-traders", "Iron", "slave", "Brander", "slave")
    assert b.standing("Iron") == ["Brander"] and b.at("Iron").loot == 3 and b.at("Iron").guard == 1 and b.pool() == 23
    b.on("Water").in_lair("Slave-traders", "Brander").ambush("Slave-traders", "Water", "Brander")
    assert b.at("Water").loot == 5, "without fodder he can do nothing"


@pytest.mark.rule("G14-14")
def test_every_ability_is_a_choice(rules: Any) -> None:
    """For each deed there is a no: asked before it happens, as a price, or as a target."""
    deeds = (
        ("slaves", "own_lair"), ("fanatics", "own_lair"), ("draw", "hand"), ("retrieve", "hand"), ("hire", "market"),
        ("recruit", "market"), ("muster", "own_lair"), ("patch", "own_lair"), ("wound", "rival_lair"),
        ("knock", "rival_territory"), ("discard", "rival_lair"), ("spoil", "territory"), ("plunder", "territory"),
        ("raze", "territory"), ("repeat", "own_lair"), ("herd", "own_lair"),
    )  # fmt: skip
    for what, whom in deeds:
        b = summoned(rules, effect("summon", what, whom)).always(use_summons="no", aim="no")
        b.for_hire("Foreman").discarded("Patrol", "Sapper")
        b.in_lair("Patrol", "wounded Medic", "Sniper").in_lair("Hyenas", "Biter").on("Iron", "Hyenas", "Biter", loot=1)
        b.in_deck("Patrol", "Sentry").in_hand("Patrol", "Barman").summon("Patrol", "Scout")
        assert b.asked[1][0] == "no" and b.lair("Patrol") == ["Scout", "Sniper", "wounded Medic"], what
        assert b.hand("Patrol") == ["Barman"] and b.lair("Hyenas") == ["Biter"] and b.standing("Iron") == ["Biter"], (
            what
        )
        assert b.at("Iron").loot == 1 and b.market() == ["Foreman"], what


# ---------------------------------------------------------------- repeated Summons


@pytest.mark.rule("G14-15", "G16-15", "G16-18", "G4-20")
@pytest.mark.parametrize("repeater", ["Healer", "Clever-one"])
def test_a_summon_of_the_own_lair_is_repeated(rules: Any, repeater: str) -> None:
    """Of an upright or wounded follower, but not of one that repeats, or it would never end."""
    gang = "Valkyries" if repeater == "Healer" else "Gentlemen"
    b = table(rules, gang, "Patrol").in_lair(gang, "wounded Drummer", "Foreman", repeater, "Baron", "Daredevils")
    b.in_lair("Patrol", "Scout").in_hand(gang, repeater).in_deck(gang, "Rider", "Rider", "Rider")
    b.summon(gang, "Drummer", "Drummer")
    assert b.asked == [["no", "Drummer", "Foreman"], ["no", "Drummer"]]
    assert len(b.hand(gang)) == 2


@pytest.mark.rule("G4-20")
def test_by_the_other_reading_a_summon_of_any_lair_can_be_repeated(rules: Any) -> None:
    b = table(rules, "Valkyries", "Patrol", sets={"ruling.repeats": '"any_lair"'}).in_lair("Patrol", "Scout")
    b.in_lair("Valkyries", "Drummer").in_hand("Valkyries", "Healer").in_deck("Valkyries", "Rider", "Nomad")
    b.summon("Valkyries", "Patrol: Scout", "Scout")
    assert b.asked[0] == ["no", "Drummer", "Patrol: Scout"] and b.hand("Valkyries") == ["Rider"]


@pytest.mark.rule("G16-19", "G14-15")
def test_the_baron_repeats_for_cards_of_the_hand(rules: Any) -> None:
    b = table(rules, "Gentlemen", "Patrol").in_lair("Gentlemen", "Drummer").in_deck("Gentlemen", *["Duellist"] * 5)
    b.in_hand("Gentlemen", "Baron", "Madam", "Foreman")
    b.summon("Gentlemen", "Baron", "Madam", "Drummer", "Foreman", "Drummer", "Drummer", "Drummer")
    assert b.hand("Gentlemen") == ["Duellist"] * 4 and b.of("Gentlemen").destroyed == 2


@pytest.mark.rule("G4-20")
def test_what_is_repeated_is_paid_again(rules: Any) -> None:
    b = table(rules, "Valkyries", "Patrol").in_lair("Valkyries", "Widow").in_deck("Valkyries", "Rider", "Nomad")
    b.in_hand("Valkyries", "Healer", "Foreman").summon("Valkyries", "Healer", "Widow", "Foreman", "no")
    assert b.hand("Valkyries") == ["Rider"] and b.of("Valkyries").destroyed == 1
