"""Squads: who may go where, how strong they are, and what follows."""

from __future__ import annotations

from typing import Any

import pytest

from tests.gang_table import does, effect, table

RIVALS = ("Patrol", "Hyenas")


# ---------------------------------------------------------------- where a squad may go


@pytest.mark.rule("G14-01", "G5-11")
@pytest.mark.parametrize("defenders", ["one", "two", "five"])
def test_against_a_rival_a_squad_is_stronger_than_the_defence(rules: Any, defenders: str) -> None:
    """One defender: two; two: three; five: six. Otherwise it isn't sent at all."""
    many = {"one": 1, "two": 2, "five": 5}[defenders]
    b = table(rules, *RIVALS).on("Iron", "Hyenas", *["Howler"] * many).in_lair("Patrol", *["Scout"] * many)
    b.ambush("Patrol")
    assert b.asked == [] and b.holder("Iron") == "Hyenas", "as strong is too weak"
    b.in_lair("Patrol", "Scout").ambush("Patrol", "Iron")
    assert b.standing("Iron") == ["Scout"] * (many + 1) and b.holder("Iron") == "Patrol"
    assert b.asked == [["no", "Iron"]], "all must go"


@pytest.mark.rule("G14-01", "G13-06")
def test_a_squad_that_is_strong_enough_may_go_or_grow(rules: Any) -> None:
    b = table(rules, *RIVALS).on("Iron", "Hyenas", "Howler").in_lair("Patrol", *["Scout"] * 3, "Sniper")
    b.ambush("Patrol", "Iron", "Scout", "Sniper", "Scout", "no")
    assert b.asked[1:] == [["Scout", "Sniper"], ["Scout", "Sniper"], ["no", "Scout"], ["no", "Scout"]]
    assert b.standing("Iron") == ["Scout", "Scout", "Sniper"] and b.lair("Patrol") == ["Scout"]


@pytest.mark.rule("G5-12", "G14-05", "G13-06")
def test_neutral_ground_needs_a_raider_and_own_ground_nobody_in_particular(rules: Any) -> None:
    b = table(rules, *RIVALS).on("Iron").on("Water", "Patrol", "Scout", loot=1).in_lair("Patrol", "Foreman", "slave")
    b.ambush("Patrol", "no")
    assert b.asked == [["no", "Water"]]
    b.ambush("Patrol", "Water", "slave", "no")
    assert b.standing("Water") == ["Scout", "slave"], "a squad of grey cards alone"
    b.in_lair("Patrol", "Sniper").ambush("Patrol", "Iron", "Foreman")
    assert b.asked[1:] == [["Foreman", "Sniper"]], "not without the Sniper"
    assert b.standing("Iron") == ["Foreman", "Sniper"]


@pytest.mark.rule("G14-05")
def test_a_rivals_ground_needs_a_raider_however_strong_the_squad(rules: Any) -> None:
    b = table(rules, *RIVALS).on("Iron", "Hyenas", "Howler").in_lair("Patrol", "Foreman", "Barman", "fanatic")
    b.in_lair("Patrol", "wounded Scout").ambush("Patrol")
    assert b.asked == []


@pytest.mark.rule("G4-18", "G16-24")
@pytest.mark.parametrize("colour", ["grey", "coloured"])
def test_the_widow_is_a_mercenary_by_the_grey_reading(rules: Any, colour: str) -> None:
    b = table(rules, *RIVALS, sets={"ruling.widow_colour": f'"{colour}"'}).on("Iron").in_lair("Patrol", "Widow")
    b.always(choose_site="no").ambush("Patrol")
    assert b.asked == ([["no", "Iron"]] if colour == "coloured" else [])


@pytest.mark.rule("G4-09", "G14-02")
def test_a_raider_with_slaves_takes_neutral_ground_and_they_defend_it(rules: Any) -> None:
    b = table(rules, *RIVALS).on("Iron").in_lair("Patrol", "Scout", "slave", "slave")
    b.ambush("Patrol", "Iron", "slave", "slave")
    assert b.standing("Iron") == ["Scout", "slave", "slave"] and b.at("Iron").guard == 3
    assert (b.of("Patrol").seized, b.of("Patrol").conquered, sum(int(gang.lost) for gang in b.s.gang)) == (1, 0, 0)
    b.in_lair("Hyenas", *["Howler"] * 3).ambush("Hyenas")
    assert b.asked == []


@pytest.mark.rule("G14-02")
def test_slaves_add_nothing_to_an_attack(rules: Any) -> None:
    b = table(rules, *RIVALS).on("Iron", "Hyenas", "Howler").in_lair("Patrol", "Scout", *["slave"] * 5).ambush("Patrol")
    assert b.asked == []


@pytest.mark.rule("G14-03")
def test_fanatics_attack_with_two_and_never_stay(rules: Any) -> None:
    b = table(rules, *RIVALS).on("Iron", "Hyenas", "Howler", "Biter").in_lair("Patrol", "Scout", "fanatic", "fanatic")
    pool = b.pool()
    b.ambush("Patrol", "Iron", "fanatic", "Scout", "no")
    assert b.asked[-1] == ["no", "fanatic"], "three against two"
    assert b.standing("Iron") == ["Scout"] and b.lair("Patrol") == ["fanatic"] and b.pool() == pool + 1


@pytest.mark.rule("G4-08", "G4-10", "G14-03")
@pytest.mark.parametrize("reading", ["yes", "rivals_only"])
def test_fanatics_on_own_and_neutral_ground_are_lost_as_well(rules: Any, reading: str) -> None:
    """So that they never defend. By the other reading they go against rivals alone."""
    b = table(rules, *RIVALS, sets={"ruling.fanatics_anywhere": f'"{reading}"'})
    b.on("Iron").on("Water", "Patrol", "Scout").in_lair("Patrol", "fanatic", "fanatic")
    if reading == "rivals_only":
        b.ambush("Patrol")
        assert b.asked == []
        b.in_lair("Patrol", "Sniper").ambush("Patrol", "Iron")
        assert b.asked[0] == ["no", "Iron", "Water"] and b.lair("Patrol") == ["fanatic", "fanatic"]
        return
    b.ambush("Patrol", "Water", "no")
    assert b.asked == [["no", "Water"], ["no", "fanatic"]], "not to neutral ground without a raider"
    assert b.standing("Water") == ["Scout"] and b.at("Water").guard == 1 and b.lair("Patrol") == ["fanatic"]
    b.in_lair("Patrol", "Sniper").ambush("Patrol", "Iron", "Sniper", "fanatic")
    assert b.standing("Iron") == ["Sniper"] and b.lair("Patrol") == [] and b.pool() == 23


@pytest.mark.rule("G14-09", "G5-10", "G4-07", "G14-10")
def test_a_squad_comes_from_the_unwounded_of_the_own_lair(rules: Any) -> None:
    """Neither the wounded nor those on a territory can be sent: nobody leaves one by choice."""
    b = table(rules, *RIVALS).on("Iron").on("Water", "Patrol", "Sniper", "Medic", "slave")
    b.in_lair("Patrol", "wounded Sentry", "Scout", "Scout").in_lair("Hyenas", "Howler")
    b.ambush("Patrol", "Iron", "no")
    assert b.asked[1:] == [["no", "Scout"]], "after the first one"
    assert b.standing("Water") == ["Medic", "Sniper", "slave"] and b.lair("Patrol") == ["Scout", "wounded Sentry"]


# ---------------------------------------------------------------- the consequences


@pytest.mark.rule("G14-07", "G4-23", "G14-04", "G5-14")
def test_all_defenders_go_home_wounded_and_their_slaves_to_the_pool(rules: Any) -> None:
    b = table(rules, *RIVALS).on("Iron", "Hyenas", "Howler", "Foreman", "slave").in_lair("Patrol", *["Scout"] * 4)
    pool = b.pool()
    b.ambush("Patrol", "Iron")
    assert b.lair("Hyenas") == ["wounded Foreman", "wounded Howler"] and b.discards("Hyenas") == []
    assert b.pool() == pool + 1 and b.at("Iron").guard == 4
    assert (b.of("Hyenas").lost, b.of("Patrol").conquered, b.of("Patrol").seized) == (1, 1, 1)
    assert (b.of("Hyenas").wounded, b.of("Hyenas").spent) == (2, 1)


@pytest.mark.rule("G5-13")
def test_slaves_are_lost_first_then_the_beaten_go_home_then_come_the_ambushes(rules: Any) -> None:
    """A knocked-out card that brings slaves finds those that were lost; the attacker's Ambush finds it wounded."""
    sets = does("raider.howler", effect("knocked_out", "slaves", "own_lair", 3)) | {"rules.fodder": "3"}
    sets |= does("raider.biter", effect("ambush", "discard", "rival_lair", who="me")) | {"rules.slaves": "3"}
    b = table(rules, "Hyenas", "Patrol", sets=sets)
    b.on("Iron", "Hyenas", "Howler", "slave", "slave", "slave").in_lair("Patrol", *["Scout"] * 5)
    b.ambush("Patrol", "Iron")
    assert b.lair("Hyenas") == ["wounded Howler", "slave", "slave", "slave"] and b.pool() == 0
    b.on("Water", "Patrol", "Medic").in_lair("Hyenas", "Biter", "Alpha")
    b.ambush("Hyenas", "Water", "Alpha", "Biter", "no", "Biter", "Patrol: wounded Medic")
    assert b.discards("Patrol") == ["Medic"]


@pytest.mark.rule("G4-12", "G5-13", "G16-06")
@pytest.mark.parametrize("reading", ["after_abilities", "before_abilities"])
def test_a_fanatic_of_the_squad_serves_the_brander(rules: Any, reading: str) -> None:
    """Fanatics leave at the time of the Ambushes, which can still use them; by the other reading they have left."""
    b = table(rules, "Slave-traders", "Hyenas", sets={"ruling.fanatics_leave": f'"{reading}"'})
    b.on("Iron", "Hyenas", "Howler").in_lair("Slave-traders", "Brander", "fanatic")
    pays = reading == "after_abilities"
    b.ambush("Slave-traders", "Iron", "fanatic", "Brander", *(["fanatic"] if pays else []))
    assert ["no", "fanatic"] in b.asked or not pays
    assert b.asked[-1] == (["no", "fanatic"] if pays else ["no", "Brander"])
    assert b.at("Iron").loot == (3 if pays else 5) and b.pool() == 23
    assert b.of("Slave-traders").spent == 1, "once, for whatever"
    b.in_lair("Slave-traders", "Brander", "slave").ambush(
        "Slave-traders", "Iron", "Brander", "slave", "Brander", "slave"
    )
    assert b.asked[-1] == ["no", "slave"] and b.pool() == 23 and b.at("Iron").loot == (1 if pays else 3)


@pytest.mark.rule("G4-11", "G14-16")
@pytest.mark.parametrize("reading", ["yes", "no"])
def test_ambushes_on_own_ground_are_for_those_who_have_just_moved(rules: Any, reading: str) -> None:
    b = table(rules, "Hyenas", "Patrol", sets={"ruling.reinforcing_triggers": f'"{reading}"'})
    b.on("Iron", "Hyenas", "Marauder").in_lair("Hyenas", "Marauder")
    b.ambush("Hyenas", "Iron", *(["Marauder"] if reading == "yes" else []))
    assert b.at("Iron").loot == (3 if reading == "yes" else 5) and b.of("Hyenas").loot == (2 if reading == "yes" else 0)
    assert b.standing("Iron") == ["Marauder", "Marauder"]
    b.on("Water").in_lair("Hyenas", "Marauder").ambush("Hyenas", "Water", "Marauder")
    assert b.at("Water").loot == 3, "on other ground by both readings"


@pytest.mark.rule("G14-16")
def test_an_ambush_works_each_time_its_card_moves_to_a_territory(rules: Any) -> None:
    b = table(rules, *RIVALS).on("Iron", loot=9).in_lair("Hyenas", "Marauder").ambush("Hyenas", "Iron", "Marauder")
    b.in_lair("Patrol", "Scout", "Medic").ambush("Patrol", "Iron", "Scout").hour("Hyenas", "wounded Marauder")
    assert b.lair("Hyenas") == ["Marauder"] and b.at("Iron").loot == 7, "not as he is patched up"
    b.in_lair("Hyenas", "Howler", "Biter").ambush("Hyenas", "Iron", "Marauder", "Howler", "Marauder", "no")
    assert b.at("Iron").loot == 5 and b.of("Hyenas").loot == 4


@pytest.mark.rule("G13-06", "G14-14")
def test_ambushes_come_in_any_order_or_not_at_all(rules: Any) -> None:
    sets = does("raider.sentry", effect("ambush", "plunder", "here", 2))
    for words, loot, got in ((["Sentry", "Saboteur"], 0, 2), (["Saboteur", "Sentry"], 0, 1), (["no"], 3, 0)):
        b = table(rules, *RIVALS, sets=sets).on("Iron", loot=3).in_lair("Patrol", "Sentry", "Saboteur")
        b.ambush("Patrol", "Iron", "Sentry", "Saboteur", *words)
        assert (b.at("Iron").loot, b.of("Patrol").loot) == (loot, got)


@pytest.mark.rule("G14-17", "G16-14", "G5-29", "G13-07")
def test_three_nomads_take_four_territories_and_loot_comes_last(rules: Any) -> None:
    """Her Ambush is resolved after all others of her squad, and begins a new ambush from the lair."""
    b = table(rules, "Valkyries", "Patrol", sets=does("raider.rider", effect("ambush", "plunder", "here")))
    for site in ("Iron", "Water", "Benzak", "Chemistry"):
        b.on(site)
    b.on("Kutezh", "Patrol", "Scout", "Scout").in_lair("Valkyries", "Nomad", "Nomad", "Nomad", "Rider", "Rider")
    words = [word for site in ("Iron", "Water", "Benzak") for word in (site, "Nomad", "no", "Nomad")]
    words[2:4] = ["Rider", "no", "Rider", "Nomad"]
    b.hour("Valkyries", *words, "Chemistry", "no")
    assert b.lair("Valkyries") == [] and b.standing("Iron") == ["Nomad", "Rider"]
    assert [int(b.at(site).loot) for site in ("Iron", "Water", "Benzak", "Chemistry")] == [3, 4, 4, 4]
    tell = rules["gangs.tell"]
    told = [note.what for note in b.journal if note.what in (tell.GOES, tell.COLLECTS)]
    assert told == [tell.GOES] * 4 + [tell.COLLECTS] * 4


@pytest.mark.rule("G14-17")
def test_the_nomad_waits_for_the_others_of_her_squad(rules: Any) -> None:
    b = table(rules, "Valkyries", "Patrol", sets=does("raider.rider", effect("ambush", "plunder", "here")))
    b.on("Iron").in_lair("Valkyries", "Nomad", "Rider", "Healer")
    b.ambush("Valkyries", "Iron", "Nomad", "Rider", "no", "no", "Nomad", "no")
    assert b.asked[-4:] == [["no", "Healer"], ["no", "Rider"], ["no", "Nomad"], ["no", "Iron"]]
    assert b.at("Iron").loot == 5, "who didn't use it before cannot use it after"


@pytest.mark.rule("G4-14", "G14-06")
def test_no_loot_from_where_the_last_follower_has_left_by_his_own_ambush(rules: Any) -> None:
    sets = does("raider.scout", effect("ambush", "home", "self"))
    b = table(rules, *RIVALS, sets=sets).on("Iron").in_lair("Patrol", "Scout").hour("Patrol", "Iron", "Scout")
    assert b.holder("Iron") == "" and b.at("Iron").loot == 5 and b.lair("Patrol") == ["Scout"]


@pytest.mark.rule("G14-06")
def test_the_last_raider_does_not_go_home_while_grey_cards_would_stay(rules: Any) -> None:
    sets = does("raider.scout", effect("ambush", "home", "self"))
    for grey in (["Foreman"], ["slave"], ["Foreman", "slave"]):
        b = table(rules, *RIVALS, sets=sets).on("Iron").in_lair("Patrol", "Scout", *grey)
        b.ambush("Patrol", "Iron", *grey, "Scout")
        assert set(b.standing("Iron")) == {"Scout", *grey}
        b.in_lair("Patrol", "Scout").ambush("Patrol", "Iron", "Scout")
        assert "Scout" in b.standing("Iron") and b.lair("Patrol") == ["Scout"], "with another raider one may"


# ---------------------------------------------------------------- the frenzy


@pytest.mark.rule("G16-03", "G14-04")
def test_the_madman_attacks_with_the_wounds_of_his_lair(rules: Any) -> None:
    """Two strength for each; fodder that is wounded is destroyed; who is wounded doesn't go along."""
    b = table(rules, "Unshakeable", "Hyenas").on("Iron", "Hyenas", *["Howler"] * 4)
    b.in_lair("Unshakeable", "Madman", "Trickster", "Zealot", "slave", "fanatic", "wounded Professor")
    pool = b.pool()
    b.ambush("Unshakeable", "Iron", "Madman", "wounded Trickster", "wounded fanatic", "wounded slave", "no")
    assert set(b.asked[2]) == {"Trickster", "Zealot", "slave", "fanatic"} | {
        "wounded Trickster", "wounded Zealot", "wounded slave", "wounded fanatic"
    }  # fmt: skip
    assert b.asked[-1] == ["no", "Zealot"], "three wounds at most"
    assert b.standing("Iron") == ["Madman"] and b.pool() == pool + 2
    assert b.lair("Unshakeable") == ["Zealot", "wounded Professor", "wounded Trickster"]
    assert len(b.lair("Hyenas")) == 4 and b.of("Unshakeable").wounded == 1


@pytest.mark.rule("G16-03", "G5-11")
def test_a_squad_that_needs_wounds_gets_them(rules: Any) -> None:
    """Against two, the Madman and one more are enough only if that one is wounded; slaves are no help otherwise."""
    b = table(rules, "Unshakeable", "Hyenas").on("Iron", "Hyenas", "Howler", "Biter")
    b.in_lair("Unshakeable", "Madman", "Trickster").ambush("Unshakeable", "Iron")
    assert b.asked == [["no", "Iron"]] and b.standing("Iron") == ["Madman"]
    assert b.lair("Unshakeable") == ["wounded Trickster"]
    b = table(rules, "Unshakeable", "Hyenas").on("Iron", "Hyenas", "Howler", "Biter")
    b.in_lair("Unshakeable", "Madman", "slave", "slave").ambush("Unshakeable", "Iron", "no")
    assert b.standing("Iron") == ["Madman"] and b.lair("Unshakeable") == ["slave"]


@pytest.mark.rule("G5-11")
@pytest.mark.parametrize("reading", ["yes", "no"])
def test_a_squad_that_turns_out_too_weak_stays_at_home(rules: Any, reading: str) -> None:
    """Nothing has happened, but for the hour; who must stay at home in this hour still must."""
    sets = {"ruling.summoned_may_join": f'"{reading}"'}
    b = table(rules, "Unshakeable", "Hyenas", sets=sets).on("Iron", "Hyenas", "Howler", "Biter", "Alpha").on("Water")
    b.in_lair("Unshakeable", "Madman", "Daredevils").in_hand("Unshakeable", "Zealot").summon("Unshakeable")
    if reading == "yes":
        b.do("followers.wound", 0, b.card("Zealot"))
    b.ambush("Unshakeable", "Iron")
    assert b.holder("Iron") == "Hyenas" and b.of("Unshakeable").ready == (2 if reading == "yes" else 3)
    assert b.told()[-1] == "  The squad is too weak, and stays."
    b.always(gather="no").ambush("Unshakeable", "Water", "Madman", "Daredevils")
    assert b.standing("Water") == ["Daredevils", "Madman"]


@pytest.mark.rule("G16-03", "G5-11")
def test_the_frenzy_reaches_as_far_as_there_are_wounds(rules: Any) -> None:
    """The Madman, and two for each of three at most; best are slaves, and fanatics are as good in the squad."""
    for others, fodder, most in (
        (0, [], 1),
        (1, [], 3),
        (3, [], 7),
        (4, [], 8),
        (2, ["slave"], 7),
        (1, ["fanatic"], 5),
    ):
        for guard in (most - 1, most):
            b = table(rules, "Unshakeable", "Hyenas").on("Iron", "Hyenas" if guard else "", *["Howler"] * guard)
            b.in_lair("Unshakeable", "Madman", *["Trickster"] * others, *fodder)
            reach = b.do("ambush.most_strength", 0)
            assert reach == most and b.do("ambush.can_be_reached", 0, 0, reach) == (guard < most)
