"""The mech: its rooms, their three conditions, guns, the Cockpit, decks, and the Hull."""

from __future__ import annotations

from typing import Any

import pytest

from tests.mech_board import FUNCTIONAL, HIT, INOPERABLE, MISS, ON_FIRE, board, effect

BARRELS = {
    "upgrade.twin_barrels.effects": effect("standing", "dice", 2),
    "upgrade.med_bay.effects": effect("round_end", "health", 1, "crew"),
    "upgrade.turbine.effects": effect("standing", "speed", 1),
    "upgrade.turbine.noise": "1",
    "upgrade.big_winch.effects": effect("standing", "crane", 1),
    "upgrade.full_control.effects": effect("standing", "remote", 5),
}


@pytest.mark.rule("M16-01", "M16-02", "M16-03", "M16-04", "M16-05", "M16-06", "M16-07", "M16-08", "M16-09", "M16-10")
def test_twelve_rooms_and_the_wastes(rules: Any) -> None:
    b = board(rules)
    named = {name: code for name, code in rules["mech.tables"].FUNCTION.items()}
    functions = ["none"] + [next(n for n, code in named.items() if code == r.function) for r in b.t.room[1:13]]
    assert functions[1:5] == ["deck", "none", "none", "deck"]
    assert functions[5:9] == ["crane", "none", "none", "cockpit"]
    assert functions[9:13] == ["gun", "engine", "engine", "gun"]
    titles = b.tables.titles["room"]
    assert len(titles) == 14 and titles[1] == "Aft Deck" and titles[8] == "Cockpit" and titles[13] == "The Wastes"
    assert (b.t.mech.crane_cards, b.t.mech.gun_dice, b.t.mech.engine_speed) == (2, 3, 1)


@pytest.mark.rule("M16-11")
def test_rooms_beside_each_other_or_joined_by_a_ladder_are_adjacent(rules: Any) -> None:
    """On each level 1-2-3-4, 5-6-7-8 and 9-10-11-12; the pack says where the ladders are."""
    b = board(rules, {"Scout": 1}, sets={"room.aft_deck.beside": "[2, 5]"})
    doors = {n: set(b.t.room[n].door[: b.t.room[n].doors]) for n in range(1, 13)}
    assert all({n, n + 1} & {4, 8} == {n} or n + 1 in doors[n] for n in range(1, 12)), "neighbours on a level"
    assert all(n in doors[other] for n in doors for other in doors[n]), "both ways"
    assert 5 in doors[1] and 5 not in doors[4]
    assert {"move 2", "move 5"} <= b.options("Scout") and "move 6" not in b.options("Scout")


@pytest.mark.rule("M16-12", "M16-01", "M16-03", "M5-19")
def test_damage_goes_step_by_step(rules: Any) -> None:
    """Functional, Inoperable, On Fire, and no further; decks and The Wastes not at all."""
    b = board(rules)
    found = []
    for _ in range(3):
        b.do("rooms.worsen", 6, 1)
        found.append((b.condition(6), int(b.s.fires)))
    assert found == [(INOPERABLE, 0), (ON_FIRE, 1), (ON_FIRE, 1)]
    for room in (1, 4, 13):
        b.do("rooms.worsen", room, 2)
        assert b.condition(room) == FUNCTIONAL


@pytest.mark.rule("M16-12", "M17-19", "M5-27")
def test_a_fire_takes_upgrade_and_floor_but_hurts_nobody(rules: Any) -> None:
    """They leave the game; the Noise of the upgrade goes with it; one may walk in and stand there."""
    b = board(rules, {"Scout": 9}, sets=BARRELS)
    b.build("Turbine", 10)
    b.do("crew.lay_down", 10, b.item("Machete"), 0)
    noise, boxed = int(b.s.noise), int(b.s.boxed)
    b.do("rooms.worsen", 10, 2)
    assert (b.s.room[10].upgrade, b.floor(10), b.s.boxed - boxed, b.s.noise - noise) == (-1, [], 2, -1)
    assert b.s.scraps == 2, "discarded is not scrapped"
    b.act("Scout", "move 10")
    b.do("rooms.fire_damage")
    assert b.health("Scout") == 5


@pytest.mark.rule("M5-09")
def test_an_inoperable_room_does_nothing_and_keeps_its_upgrade(rules: Any) -> None:
    b = board(rules, {"Scout": 9, "Doctor": 2}, {"Toxic Gull": 13}, BARRELS)
    b.build("Twin Barrels", 9)
    b.build("Med Bay", 2)
    assert b.do("crew.gun_dice", 0, 0) == 5
    b.do("rooms.worsen", 9, 1)
    b.do("rooms.worsen", 2, 1)
    b.do("effects.hurt", 1, 2)
    b.do("play.room_effects")
    assert "gun 9 Toxic Gull" not in b.options("Scout") and b.health("Doctor") == 3
    b.act("Scout", "repair")
    b.act("Scout", "gun 9 Toxic Gull", faces=[HIT] * 2 + [MISS] * 3)
    b.do("rooms.repair", 2)
    b.do("play.room_effects")
    assert b.health("Doctor") == 4


@pytest.mark.rule("M13-11", "M5-18", "M16-06", "M16-08", "M13-12", "M113-03", "M16-05", "M4-18")
def test_guns_are_fired_from_their_rooms_and_at_half_from_the_cockpit(rules: Any) -> None:
    """Three dice there, two of three (50 %, rounded up) from afar; never without a Functional Cockpit and gun."""
    b = board(rules, {"Scout": 9, "Doctor": 8, "Brute": 12, "Gambler": 6}, {"Toxic Gull": 13, "Scrap Rat": [9, 12]})
    assert [b.do("crew.gun_dice", c, gun) for c in range(4) for gun in (0, 1)] == [3, 0, 2, 2, 0, 3, 0, 0]
    assert {word for word in b.options("Scout") if word.startswith("gun")} == {"gun 9 Toxic Gull"}
    assert {word for word in b.options("Doctor") if "gun" in word} == {"gun 9 Toxic Gull", "gun 12 Toxic Gull"}
    b.damage(r9=INOPERABLE)
    assert [b.do("crew.gun_dice", c, 0) for c in range(2)] == [0, 0]
    b.damage(r8=INOPERABLE)
    assert b.do("crew.gun_dice", 1, 1) == 0
    b.damage(r8=FUNCTIONAL, r9=FUNCTIONAL)
    for _ in range(2):
        b.act("Doctor", "gun 9 Toxic Gull", faces=[HIT, MISS])
    b.act("Scout", "gun 9 Toxic Gull", faces=[HIT, HIT, MISS])
    assert [name for name, _ in b.where()] == ["Scrap Rat", "Scrap Rat"]
    assert not [word for word in b.options("Scout") if "gun" in word], "nothing in The Wastes"
    assert (b.member("Doctor").actions, b.member("Scout").actions) == (1, 2)


@pytest.mark.rule("M5-25")
@pytest.mark.parametrize("reading", ["both", "upgrade_only"])
def test_an_upgrade_over_a_room_of_its_own_function(rules: Any, reading: str) -> None:
    """The suggested reading adds the card to what the room does; by the other one the room's own numbers are off."""
    sets = {**BARRELS, "ruling.upgrade_over_function": f'"{reading}"'}
    b = board(rules, {"Scout": 9, "Doctor": 5, "Brute": 8}, {"Toxic Gull": 13}, sets)
    for title, room in (("Twin Barrels", 9), ("Turbine", 10), ("Big Winch", 5)):
        b.build(title, room)
    own = reading == "both"
    assert b.do("crew.gun_dice", 0, 0) == (5 if own else 2)
    assert b.do("escalation.speed_of") == (3 if own else 2)
    assert b.do("salvage.crane_cards", 0) == (3 if own else 1)
    b.build("Full Control", 8)
    assert b.do("crew.remote_percent") == (100 if own else 50)


@pytest.mark.rule("M4-23", "M17-15")
def test_the_hull_is_never_above_its_start_but_by_the_other_ruling(rules: Any) -> None:
    for reading, hull in (("start_value", 20), ("none", 22)):
        b = board(rules, sets={"ruling.hull_cap": f'"{reading}"'})
        b.do("rooms.change_hull", -1)
        b.do("rooms.change_hull", 3)
        assert b.s.hull == hull


@pytest.mark.rule("M5-27", "M17-01")
@pytest.mark.parametrize("reading", ["yes", "no"])
def test_noise_of_a_card_ends_with_it(rules: Any, reading: str) -> None:
    """Or stays, by the other reading."""
    b = board(rules, {"Brute": 6}, {"Moaner": 6}, {**BARRELS, "ruling.noise_leaves_with_card": f'"{reading}"'})
    b.build("Turbine", 10)
    assert b.s.noise == 2
    b.act("Brute", "attack Moaner", faces=[HIT] * 4)
    b.do("rooms.worsen", 10, 2)
    assert b.s.noise == (0 if reading == "yes" else 2)


def test_what_is_proof_takes_the_first_damage_of_a_round(rules: Any) -> None:
    b = board(rules, sets={"upgrade.blast_door.effects": effect("standing", "proof", 1)})
    b.build("Blast Door", 6)
    b.do("rooms.worsen", 6, 1)
    assert b.condition(6) == FUNCTIONAL
    assert b.told()[-1] == "  The Middle Aft Room holds, by the Blast Door.", "FM5"
    b.do("rooms.worsen", 6, 1)
    assert b.condition(6) == INOPERABLE
    b.do("rooms.repair", 6)
    b.do("rooms.wake_rooms")
    b.do("rooms.worsen", 6, 2)
    assert b.condition(6) == INOPERABLE
