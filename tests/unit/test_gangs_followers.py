"""Followers and fodder: their states, whose they are, and what may be done to them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.gang_table import does, effect, table

RIVALS = ("Patrol", "Hyenas")


@pytest.mark.rule("G5-37", "G14-10")
def test_a_follower_is_in_the_lair_or_on_one_territory(rules: Any) -> None:
    """Upright or wounded in the lair; on a territory neither, and it cannot be wounded there."""
    b = table(rules, *RIVALS).on("Iron", "Hyenas", "Howler").in_hand("Patrol", "Sniper")
    b.summon("Patrol")
    assert b.asked == [], "nobody to wound: the Howler stands on a territory"
    b.ambush("Patrol")
    b.in_lair("Patrol", "Scout").ambush("Patrol", "Iron", "Sniper")
    assert b.lair("Patrol") == [] and b.standing("Iron") == ["Scout", "Sniper"]
    assert b.lair("Hyenas") == ["wounded Howler"] and b.holder("Iron") == "Patrol"


@pytest.mark.rule("G14-04", "G5-14")
@pytest.mark.parametrize("kind", ["slave", "fanatic"])
def test_fodder_that_would_be_wounded_goes_to_the_pool(rules: Any, kind: str) -> None:
    b = table(rules, *RIVALS).in_lair("Hyenas", kind, kind).in_hand("Patrol", "Sniper")
    b.summon("Patrol", f"Hyenas: {kind}")
    assert b.lair("Hyenas") == [kind] and b.pool() == 22 and b.discards("Hyenas") == []
    assert (b.of("Hyenas").spent, b.of("Hyenas").wounded) == (1, 0)


@pytest.mark.rule("G14-04")
def test_fodder_of_a_taken_territory_goes_to_the_pool(rules: Any) -> None:
    b = table(rules, *RIVALS).on("Iron", "Patrol", "Scout", "slave", "slave", loot=1)
    pool = b.pool()
    b.collect("Patrol")
    assert b.pool() == pool + 2 and b.discards("Patrol") == ["Scout"] and b.of("Patrol").spent == 2


@pytest.mark.rule("G14-12")
def test_wounding_takes_the_unwounded_and_discarding_anyone(rules: Any) -> None:
    sets = does("raider.medic", effect("summon", "discard", "rival_lair"))
    b = table(rules, *RIVALS, sets=sets).in_lair("Hyenas", "wounded Howler", "Biter", "slave", "fanatic")
    b.in_hand("Patrol", "Sniper").summon("Patrol", "Hyenas: Biter")
    assert b.asked == [["no", "Hyenas: Biter", "Hyenas: slave", "Hyenas: fanatic"]]
    b.in_hand("Patrol", "Medic").summon("Patrol", "Hyenas: wounded Howler")
    assert b.asked[0][1:] == [f"Hyenas: {x}" for x in ("wounded Howler", "wounded Biter", "slave", "fanatic")]
    assert b.discards("Hyenas") == ["Howler"] and b.lair("Hyenas") == ["wounded Biter", "slave", "fanatic"]
    b.in_hand("Patrol", "Medic").summon("Patrol", "Hyenas: slave")
    assert b.discards("Hyenas") == ["Howler"] and b.lair("Hyenas") == ["wounded Biter", "fanatic"] and b.pool() == 22


@pytest.mark.rule("G14-12", "G5-09")
def test_where_nobody_is_unwounded_nobody_is_wounded(rules: Any) -> None:
    """And never a follower of one's own."""
    b = table(rules, *RIVALS).in_lair("Hyenas", "wounded Howler").in_lair("Patrol", "Scout").in_hand("Patrol", "Sniper")
    b.summon("Patrol")
    assert b.asked == []


# ---------------------------------------------------------------- another's choice, and the colour rule


@pytest.mark.rule("G14-13", "G16-25")
def test_you_name_the_territory_and_its_owner_the_follower(rules: Any) -> None:
    b = (
        table(rules, *RIVALS)
        .on("Iron", "Hyenas", "Howler", "Foreman", "Herder")
        .on("Water")
        .on("Benzak", "Patrol", "Scout")
    )
    b.in_hand("Patrol", "Barman").weigh("Hyenas").summon("Patrol", "Iron", "Herder")
    assert b.asked == [["no", "Iron"], ["Foreman", "Herder"]]
    assert max(b.values[1]) < 0, "the owner weighs what he loses"
    assert b.standing("Iron") == ["Foreman", "Howler"] and b.lair("Hyenas") == ["wounded Herder"]


@pytest.mark.rule("G14-13", "G14-12")
def test_a_rival_picks_whom_he_loses_in_his_lair(rules: Any) -> None:
    sets = does("raider.medic", effect("summon", "wound", "rival_lair", who="owner"))
    b = table(rules, "Patrol", "Hyenas", "Valkyries", sets=sets).in_lair("Hyenas", "Howler", "Biter", "slave")
    b.in_lair("Valkyries", "wounded Rider").in_hand("Patrol", "Medic").summon("Patrol", "Hyenas", "Biter")
    assert b.asked == [["no", "Hyenas"], ["Howler", "Biter", "slave"]], "the Valkyries have nobody to wound"
    assert b.lair("Hyenas") == ["Howler", "wounded Biter", "slave"]
    sets = does("raider.medic", effect("summon", "discard", "rival_lair", who="owner"))
    b = table(rules, *RIVALS, sets=sets).in_lair("Hyenas", "wounded Howler", "Biter").in_hand("Patrol", "Medic")
    b.summon("Patrol", "Hyenas", "wounded Howler")
    assert b.asked[1] == ["wounded Howler", "Biter"] and b.lair("Hyenas") == ["Biter"]


@pytest.mark.rule("G14-06", "G5-17")
def test_grey_ones_are_removed_first_and_raiders_when_there_are_none(rules: Any) -> None:
    b = table(rules, *RIVALS).on("Iron", "Hyenas", "Howler", "Foreman", "slave")
    pool = b.pool()
    b.in_hand("Patrol", "Barman", "Barman", "Barman", "Barman").summon("Patrol", "Iron", "slave")
    assert b.asked[-1] == ["Foreman", "slave"] and b.pool() == pool + 1 and b.lair("Hyenas") == []
    b.summon("Patrol", "Iron")
    assert b.asked == [["no", "Iron"]] and b.lair("Hyenas") == ["wounded Foreman"], "the only grey one"
    b.summon("Patrol", "Iron")
    assert b.lair("Hyenas") == ["wounded Foreman", "wounded Howler"] and b.holder("Iron") == ""
    b.summon("Patrol")
    assert b.asked == [], "neutral"


@pytest.mark.rule("G4-27", "G14-06")
@pytest.mark.parametrize("reading", ["grey_first", "grey_only"])
def test_where_raiders_stand_alone(rules: Any, reading: str) -> None:
    """They can be pushed off down to none; by the letter only grey cards can."""
    b = table(rules, *RIVALS, sets={"ruling.forced_removal": f'"{reading}"'}).on("Iron", "Hyenas", "Howler", "Biter")
    b.in_hand("Patrol", "Barman", "Barman")
    if reading == "grey_only":
        assert b.summon("Patrol").asked == []
        b.do("followers.stand_on", 0, b.card("Foreman"))
        b.summon("Patrol", "Iron")
        assert b.standing("Iron") == ["Biter", "Howler"]
        return
    b.summon("Patrol", "Iron", "Biter").summon("Patrol", "Iron")
    assert b.lair("Hyenas") == ["wounded Biter", "wounded Howler"] and b.holder("Iron") == ""


@pytest.mark.rule("G14-06", "G14-12")
def test_discarding_from_a_territory_goes_by_the_colour_rule_too(rules: Any) -> None:
    sets = does("mercenary.barman", effect("summon", "discard", "rival_territory", 2, who="owner"))
    b = table(rules, *RIVALS, sets=sets).on("Iron", "Hyenas", "Howler", "Biter", "Foreman").in_hand("Patrol", "Barman")
    b.summon("Patrol", "Iron", "Iron", "Biter")
    assert b.discards("Hyenas") == ["Biter", "Foreman"] and b.standing("Iron") == ["Howler"]
    assert b.asked == [["no", "Iron"], ["no", "Iron"], ["Howler", "Biter"]]


@pytest.mark.rule("G14-12", "G14-13")
@pytest.mark.parametrize("what", ["wound", "discard"])
def test_which_rivals_have_someone_to_lose(rules: Any, what: str) -> None:
    """Where the rival picks, he must have somebody: fodder will do, and the wounded where one is discarded."""
    sets = does("raider.medic", effect("summon", what, "rival_lair", who="owner"))
    gangs = ("Patrol", "Hyenas", "Valkyries", "Gentlemen")
    b = table(rules, *gangs, sets=sets).in_lair("Hyenas", "fanatic").in_lair("Valkyries", "wounded Rider")
    b.in_hand("Patrol", "Medic").summon("Patrol", "no")
    assert b.asked == [["no", "Hyenas"] + (["Valkyries"] if what == "discard" else [])]


# ---------------------------------------------------------------- cards that come and go


@pytest.mark.rule("G5-16", "G4-22", "G11-11")
def test_a_leader_destroys_cards_of_the_hand(rules: Any) -> None:
    """They leave the game, mercenaries as well; not more than he may, and nobody must."""
    b = table(rules, "Unshakeable", "Hyenas").in_hand("Unshakeable", "Professor", "Foreman", "Zealot", "Trickster")
    b.summon("Unshakeable", "Professor", "Foreman", "Zealot")
    assert b.lair("Unshakeable") == ["Professor", "fanatic", "fanatic"] and b.hand("Unshakeable") == ["Trickster"]
    assert b.of("Unshakeable").destroyed == 2 and b.discards("Unshakeable") == b.deck("Unshakeable") == []
    b = table(rules, "Unshakeable", "Hyenas").in_hand("Unshakeable", "Professor", "Foreman")
    b.summon("Unshakeable", "Professor", "no")
    assert b.lair("Unshakeable") == ["Professor"] and b.hand("Unshakeable") == ["Foreman"]


@pytest.mark.rule("G5-08")
def test_a_card_can_say_otherwise_than_the_rules(rules: Any) -> None:
    """An ability that lets its own player pick a follower on a rival's territory: effects are rows of the pack."""
    sets = does("mercenary.barman", effect("summon", "knock", "rival_territory", who="me"))
    b = table(rules, *RIVALS, sets=sets).on("Iron", "Hyenas", "Howler", "Biter").in_hand("Patrol", "Barman")
    b.weigh("Hyenas").summon("Patrol", "Iron", "Howler")
    assert b.asked == [["no", "Iron"], ["Howler", "Biter"]] and b.values[1] == [0, 0], "the Hyenas aren't asked"
    assert b.lair("Hyenas") == ["wounded Howler"]
