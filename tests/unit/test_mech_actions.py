"""What a crew member can do in a turn: costs, conditions and limits."""

from __future__ import annotations

from typing import Any

import pytest

from tests.mech_board import FUNCTIONAL, HIT, INOPERABLE, MISS, ON_FIRE, board, effect


def left(b: Any, name: str) -> int:
    """Actions left."""
    return int(b.member(name).actions)


@pytest.mark.rule("M13-15", "M12-01")
@pytest.mark.parametrize("name", ["Brute", "Scout", "Doctor", "Gambler"])
def test_everyone_begins_with_three_actions(rules: Any, name: str) -> None:
    """And may do the same one again; without any left only rest remains."""
    b = board(rules, {name: 1}, sets={"crew.scout.ability": '"adrenaline_rush"'})
    for room in (2, 3, 4):
        b.act(name, f"move {room}")
    assert left(b, name) == 0
    assert b.options(name) == {"rest"}


@pytest.mark.rule("M13-01")
def test_move_to_an_adjacent_room_past_enemies_but_never_outside(rules: Any) -> None:
    b = board(rules, {"Brute": 1}, {"Scrap Rat": [1, 2], "Toxic Gull": 13})
    assert {word for word in b.options("Brute") if word.startswith("move")} == {"move 2"}
    b.act("Brute", "move 2")
    assert (b.member("Brute").room, left(b, "Brute"), b.s.room[2].crew, b.s.room[1].crew) == (2, 2, 1, 0)


@pytest.mark.rule("M13-03", "M13-04", "M5-08")
def test_from_on_fire_to_functional_takes_two_actions_and_no_enemy_about(rules: Any) -> None:
    b = board(rules, {"Brute": 6, "Scout": 5}, {"Scrap Rat": 5}).damage(r6=ON_FIRE, r5=INOPERABLE)
    assert not {"repair", "extinguish"} & b.options("Scout")
    b.damage(r5=ON_FIRE)
    assert not {"repair", "extinguish"} & b.options("Scout")
    assert "repair" not in b.options("Brute")
    b.act("Brute", "extinguish")
    assert b.condition(6) == INOPERABLE and "extinguish" not in b.options("Brute")
    b.act("Brute", "repair")
    assert b.condition(6) == FUNCTIONAL and left(b, "Brute") == 1
    assert not {"repair", "extinguish"} & b.options("Brute")


@pytest.mark.rule("M13-05", "M5-28")
def test_mend_another_in_the_room(rules: Any) -> None:
    """One Health, not oneself, not beyond the start, not the Downed."""
    b = board(rules, {"Brute": 6, "Scout": 6, "Doctor": 7, "Gambler": 6})
    for c in (0, 1, 2):
        b.do("effects.hurt", c, 1)
    b.down("Gambler")
    assert {word for word in b.options("Brute") if word.startswith("mend")} == {"mend Scout"}
    b.act("Brute", "mend Scout")
    assert (b.health("Scout"), left(b, "Brute"), b.member("Brute").mended) == (5, 2, 1)
    assert "mend Scout" not in b.options("Brute")


@pytest.mark.rule("M13-06", "M17-17", "M11-07", "M5-04")
def test_fuel_an_engine_once_a_round(rules: Any) -> None:
    """An action and a Scrap, in an Engine Room: one more speed and one more card."""
    b = board(rules, {"Brute": 10, "Scout": 9})
    assert "fuel" not in b.options("Scout")
    boxed = int(b.s.boxed)
    b.act("Brute", "fuel")
    assert (left(b, "Brute"), b.s.scraps, b.s.boxed - boxed) == (2, 1, 1)
    assert (b.do("escalation.speed_of"), b.do("escalation.draws_now")) == (3, 1)
    assert "fuel" not in b.options("Brute")
    b.act("Brute", "move 11")
    b.act("Brute", "fuel")
    assert (b.do("escalation.speed_of"), b.do("escalation.draws_now"), b.s.scraps) == (4, 2, 0)
    b.s.fuelled[0] = 2
    assert (b.do("escalation.speed_of"), b.do("escalation.draws_now")) == (5, 3), "once for each time fuelled"


@pytest.mark.rule("M13-06")
def test_no_fuel_without_scrap(rules: Any) -> None:
    b = board(rules, {"Brute": 10})
    b.scrap(0)
    assert "fuel" not in b.options("Brute")


@pytest.mark.rule("M4-22")
@pytest.mark.parametrize("reading", ["forbidden", "allowed"])
def test_an_engine_that_is_not_functional_is_not_fuelled(rules: Any, reading: str) -> None:
    """By the other reading it is."""
    b = board(rules, {"Brute": 10}, sets={"ruling.fuel_broken_engine": f'"{reading}"'}).damage(r10=INOPERABLE)
    assert ("fuel" in b.options("Brute")) == (reading == "allowed")


@pytest.mark.rule("M13-07", "M13-08", "M13-09", "M4-30")
def test_equipment_changes_hands_for_an_action(rules: Any) -> None:
    """Drop or give; pick up or take; trade with the floor or with someone here."""
    b = board(rules, {"Brute": 6, "Scout": 6, "Doctor": 7})
    b.hold("Brute", "Machete", "Pipe Wrench")
    b.exchange("Brute", "Machete drop")
    assert (b.floor(6), b.held("Brute"), left(b, "Brute")) == (["Machete"], ["Pipe Wrench"], 2)
    b.exchange("Brute", "Pipe Wrench give (Scout)")
    assert (b.held("Brute"), b.held("Scout"), left(b, "Brute")) == ([], ["Pipe Wrench"], 1)
    b.exchange("Brute", "pick up Machete")
    assert (b.held("Brute"), b.floor(6), left(b, "Brute")) == (["Machete"], [], 0)
    b.exchange("Scout", "Pipe Wrench trade for Machete (Brute)")
    assert (b.held("Brute"), b.held("Scout")) == (["Pipe Wrench"], ["Machete"])
    assert left(b, "Scout") == 2
    b.do("play.refresh")
    b.exchange("Scout", "take Pipe Wrench (Brute)")
    b.exchange("Scout", "Machete drop")
    b.exchange("Scout", "Pipe Wrench lay down for Machete")
    assert (b.held("Scout"), b.floor(6), left(b, "Scout")) == (["Machete"], ["Pipe Wrench"], 0)
    assert not [word for word in b.exchanges("Doctor") if "Machete" in word], "not from next door"


@pytest.mark.rule("M13-08", "M17-10")
def test_nothing_to_exchange_is_no_choice(rules: Any) -> None:
    """Without any slot nothing can be taken or given up for it; the Downed are not willing."""
    b = board(rules, {"Brute": 6, "Scout": 6}, sets={"crew.brute.slots": "1"})
    b.hold("Scout", "Machete")
    assert "swap" in b.options("Brute")
    b.down("Scout")
    assert "swap" not in b.options("Brute")
    b.do("crew.lay_down", 6, b.item("Bandages"), 0)
    assert "swap" in b.options("Brute") and set(b.exchanges("Brute")) == {"pick up Bandages"}
    b = board(rules, {"Brute": 6, "Scout": 6}, sets={"crew.brute.slots": "0"})
    b.do("crew.lay_down", 6, b.item("Bandages"), 0)
    b.hold("Scout", "Machete")
    assert "swap" not in b.options("Brute") and "swap" in b.options("Scout")
    assert not [word for word in b.exchanges("Scout") if "Brute" in word]


@pytest.mark.rule("M5-11", "M13-07", "M13-08", "M17-10")
def test_at_the_limit_a_card_is_taken_for_an_old_one(rules: Any) -> None:
    """FM3. Who picks up, takes or is given a card with full slots scraps or drops an old one of his own."""
    for words, brute, scout, floor, scrapped in (
        ("pick up Scope scrapping Sledge", ["Machete", "Scope"], ["Harpoon", "Flare"], [], "Sledge"),
        ("Sledge lay down for Scope", ["Machete", "Scope"], ["Harpoon", "Flare"], ["Sledge"], ""),
        ("take Flare scrapping Machete (Scout)", ["Sledge", "Flare"], ["Harpoon"], ["Scope"], "Machete"),
        ("take Flare dropping Machete (Scout)", ["Sledge", "Flare"], ["Harpoon"], ["Scope", "Machete"], ""),
        ("Sledge give for scrapped Harpoon (Scout)", ["Machete"], ["Flare", "Sledge"], ["Scope"], "Harpoon"),
        ("Sledge give for dropped Harpoon (Scout)", ["Machete"], ["Flare", "Sledge"], ["Scope", "Harpoon"], ""),
    ):
        b = board(rules, {"Brute": 6, "Scout": 6})
        b.hold("Brute", "Machete", "Sledge")
        b.hold("Scout", "Harpoon", "Flare")
        b.do("crew.lay_down", 6, b.item("Scope"), 0)
        offered = b.exchanges("Brute")
        assert not {"pick up Scope", "take Flare (Scout)", "Sledge give (Scout)"} & set(offered), "not beyond the limit"
        b.exchange("Brute", words)
        assert (b.held("Brute"), b.held("Scout"), b.floor(6)) == (brute, scout, floor)
        assert b.s.scraps == 2 + bool(scrapped) and b.title(b.s.scrap[b.s.scraps - 1]) == (scrapped or "Scrap Metal")
        assert (left(b, "Brute"), left(b, "Scout"), b.s.boxed) == (2, 3, 0)
    b = board(rules, {"Brute": 6, "Scout": 6}, sets={"crew.brute.slots": "3", "crew.scout.slots": "3"})
    b.hold("Brute", "Machete", "Sledge")
    b.hold("Scout", "Harpoon", "Flare")
    b.do("crew.lay_down", 6, b.item("Scope"), 0)
    assert not [words for words in b.exchanges("Brute") if "scrap" in words or "dropp" in words], "none is given up"


@pytest.mark.rule("M5-11", "M5-10")
def test_an_old_card_dropped_in_a_fire_is_lost(rules: Any) -> None:
    """FM3. And a weapon that is to be reloaded stays so, whoever takes it."""
    b = board(rules, {"Brute": 6, "Scout": 6}, sets={"crew.brute.slots": "1", "crew.scout.slots": "1"})
    b.damage(r6=ON_FIRE)
    b.hold("Brute", "Machete")
    b.hold("Scout", "Long Rifle")
    b.member("Scout").turned[0] = 1
    b.exchange("Brute", "take Long Rifle dropping Machete (Scout)")
    assert (b.held("Brute"), b.held("Scout"), b.floor(6), b.s.boxed) == (["Long Rifle"], [], [], 1)
    assert b.member("Brute").turned[0] == 1


def test_the_tenth_card_on_a_floor_can_be_picked_up(rules: Any) -> None:
    b = board(rules, {"Brute": 6})
    for title in ["Bandages"] * 9 + ["Machete"]:
        b.do("crew.lay_down", 6, b.item(title), 0)
    b.exchange("Brute", "pick up Machete")
    assert b.held("Brute") == ["Machete"] and b.floor(6) == ["Bandages"] * 9


@pytest.mark.rule("M13-10", "M4-24", "M5-43", "M14-11")
def test_revive_takes_two_actions_and_the_round(rules: Any) -> None:
    """Another one, in the same room, to 1 Health; he acts from the next round on."""
    b = board(rules, {"Brute": 6, "Scout": 6, "Doctor": 7})
    b.down("Scout")
    assert "revive Scout" not in b.options("Doctor") and "revive Brute" not in b.options("Brute")
    b.act("Brute", "revive Scout")
    assert (left(b, "Brute"), b.health("Scout"), b.member("Scout").downed, b.s.room[6].crew) == (1, 1, 0, 2)
    b.down("Scout")
    assert "revive Scout" not in b.options("Brute"), "one action is not enough"


@pytest.mark.rule("M4-24", "M14-11", "M12-01")
def test_the_downed_and_the_revived_have_no_turn(rules: Any) -> None:
    b = board(rules, {"Brute": 6, "Scout": 6, "Doctor": 7})
    b.down("Scout", "Doctor")
    b.do("play.play_round", picks=["revive Scout", "rest"])
    assert b.deciders == ["Brute", "Brute"]
    turn = b.rules["mech.tell"].TURN_OF
    assert [b.crew[note.a] for note in b.journal if note.what == turn] == ["Brute"]
    b.journal.clear()
    b.do("play.play_round", picks=["rest", "rest"])
    assert [b.crew[note.a] for note in b.journal if note.what == turn] == b.deciders == ["Scout", "Brute"]


@pytest.mark.rule("M13-13", "M14-05")
def test_a_reload_weapon_rests_until_it_is_reloaded(rules: Any) -> None:
    """Also in other hands, and on the floor."""
    b = board(rules, {"Brute": 11, "Scout": 11}, {"Coil Snake": 11})
    b.hold("Brute", "Long Rifle")
    assert "reload Long Rifle" not in b.options("Brute")
    b.act("Brute", "attack Coil Snake with Long Rifle", faces=[HIT, MISS, MISS, MISS])
    assert "attack Coil Snake with Long Rifle" not in b.options("Brute")
    b.exchange("Brute", "Long Rifle give (Scout)")
    b.exchange("Scout", "Long Rifle drop")
    b.exchange("Scout", "pick up Long Rifle")
    assert "attack Coil Snake with Long Rifle" not in b.options("Scout")
    b.act("Scout", "reload Long Rifle")
    assert left(b, "Scout") == 0
    b.do("play.refresh")
    assert "attack Coil Snake with Long Rifle" in b.options("Scout")


@pytest.mark.rule("M13-14", "M5-44", "M17-19")
def test_gear_costs_an_action_where_it_has_the_icon(rules: Any) -> None:
    """What is used up leaves the game; free gear that stays works once a round."""
    sets = {
        "gear.stimulant.effects": effect("use", "actions", 2),
        "gear.hull_foam.effects": effect("use", "hull", 1, "mech"),
        "gear.field_kit.effects": effect("use", "health", 1),
        "gear.field_kit.action": "false",
        "gear.extinguisher.one_use": "false",
    }
    b = board(rules, {"Brute": 6}, sets={**sets, "crew.brute.slots": "4"}).damage(r6=ON_FIRE)
    b.hold("Brute", "Stimulant", "Hull Foam", "Field Kit", "Extinguisher")
    b.s.hull = 10
    boxed = int(b.s.boxed)
    b.act("Brute", "use Stimulant")
    assert (left(b, "Brute"), b.s.boxed - boxed) == (5, 1) and "Stimulant" not in b.held("Brute")
    b.act("Brute", "use Hull Foam")
    assert (left(b, "Brute"), b.s.hull) == (4, 11)
    b.act("Brute", "use Field Kit")
    assert left(b, "Brute") == 4 and "use Field Kit" not in b.options("Brute")
    b.act("Brute", "use Extinguisher")
    assert (left(b, "Brute"), b.condition(6)) == (3, FUNCTIONAL) and "use Extinguisher" in b.options("Brute")
    b.do("play.refresh")
    assert "use Field Kit" in b.options("Brute")
