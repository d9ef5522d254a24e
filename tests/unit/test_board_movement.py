"""The Move Step: routes, Movement Points and Fuel, on foot, and what ends a move.

Hexes: 0 Gangraen; 1 to 6 around it; 22, 9, 2, 0 lie in a row, as do 24, 11, 3; PLAIN costs 2 Movement Points."""

from __future__ import annotations

from typing import Any

import pytest

from tests.board_table import Table, table

DESERT, STRANGER, WRECK = "Red Desert", "Wounded Stranger", "Car Wreck"
CALM = "Wandering Merchant"
CALM_SETS = {"event.wandering_merchant.skill": '"talk"', "knight.mel_gearson.skills.talk": "1"}


def driving(rules: Any, vehicle: str = "Strider", **sets: str) -> Table:
    """Mel on 22 in a vehicle, with one card of the wasteland after another that he can escape; Naomi far away."""
    b = table(rules, "Mel", "Naomi", sets={**CALM_SETS, **sets}).at("Mel", 22).at("Naomi", 33)
    return b.drives("Mel", vehicle).stack(*[CALM] * 6)


@pytest.mark.rule("K1E-08", "K1J-06")
def test_a_roundabout_ride(rules: Any) -> None:
    """Any length, but no hex twice and not the first one: offered where a ride is asked for and Fuel allows it."""
    b = driving(rules).open("Speed Record")
    b.move("Mel", "ride", "wait", *["go on", "wait"] * 6, "go on", "escape", "take", faces=[5])
    mel = b.of("Mel")
    assert (mel.crossed, mel.ridden, mel.fuel, mel.reputation) == (8, 16, 0, 2)
    assert len({int(h) for h in b.s.path[:8]} | {22}) == 9
    b = driving(rules).open("Speed Record").dials("Mel", fuel=2)
    b.move("Mel", "stay")
    assert "ride" not in b.asked[0]


@pytest.mark.rule("K1E-08", "K1E-09", "K5-28", "K4-06")
def test_where_a_vehicle_gets(rules: Any) -> None:
    """All that Fuel reaches by the cheapest way, and the neighbours on foot; each hex at most once."""
    b = driving(rules, **{"knight.mel_gearson.errands": "[]"}).dials("Mel", fuel=1)
    b.move("Mel", "stay")
    near = [h for h in range(37) if b.t.map.far[22, h] == 1]
    two = [h for h in range(37) if b.t.map.far[22, h] == 2]
    assert set(b.asked[0]) == {"stay"} | {f"walk {h}" for h in near} | {f"drive {h}" for h in (*near, *two)}
    b.dials("Mel", fuel=2).move("Mel", "drive 2", "wait", "go on", "escape", faces=[5])
    assert (b.of("Mel").fuel, b.of("Mel").fuel_spent) == (1, 1), "Fuel goes one at a time, and only as needed"
    assert b.of("Mel").points == 0, "what is left over is lost"


@pytest.mark.rule("K1E-10", "K5-27", "K1J-01", "K5-25")
def test_a_vehicle_move_takes_a_fuel(rules: Any) -> None:
    """Even if cards played before it give all the Movement Points; they hold for this move."""
    b = driving(rules).hand("Mel", "All Night on the Road", "Tail Wind").dials("Mel", fuel=3)
    b.move("Mel", "All Night on the Road", "Tail Wind", "drive 9", "escape", faces=[5])
    assert b.asked[0] == ["no", "All Night on the Road", "Tail Wind"]
    assert (b.of("Mel").fuel, b.luck("Mel"), b.of("Mel").luck_played) == (3, [], 2)
    b.move("Mel", "drive 22", "escape", faces=[5])
    assert b.of("Mel").fuel == 2


@pytest.mark.rule("K1E-11", "K4-05")
def test_the_first_hex_is_sure(rules: Any) -> None:
    """With a Fuel, however dear it is, and whatever happens to the Fuel; but not without."""
    b = driving(rules, "Heavy-duty").dials("Mel", fuel=1)
    b.s.hex[9].obstruct = 5
    b.move("Mel", "drive 9", "escape", faces=[5])
    assert (b.of("Mel").hex, b.of("Mel").fuel) == (9, 0)
    b.move("Mel", "stay")
    assert not any(words.startswith("drive") for words in b.asked[0])


@pytest.mark.rule("K1E-14")
def test_who_stays_meets_no_card(rules: Any) -> None:
    b = driving(rules)
    b.move("Mel", "stay")
    assert len(b.asked) == 1 and b.left(b.s.cards) == 6 and b.now("Mel") == (4, 4, 4, 0)


@pytest.mark.rule("K1E-15", "K4-10", "K5B-10", "K5-28")
def test_on_foot(rules: Any) -> None:
    """One hex, no Fuel, one card whatever the icons; the vehicle comes along."""
    b = driving(rules).lay(9, DESERT)
    b.s.hex[9].threaten, b.s.hex[9].obstruct = 2, 9
    b.move("Mel", "walk 9", "escape", faces=[5])
    assert (b.of("Mel").hex, b.of("Mel").fuel, b.left(b.s.cards), b.vehicle("Mel")) == (9, 4, 5, "Strider")
    b.drives("Mel", "").move("Mel", "stay")
    assert set(b.asked[0]) == {"stay"} | {f"walk {h}" for h in range(37) if b.t.map.far[9, h] == 1}


@pytest.mark.rule("K1E-16", "K5-34", "K4-09")
def test_out_of_fuel_on_the_way(rules: Any) -> None:
    """A card that drains the Fuel ends the move before the next hex; the Waster has his card by then."""
    fuel = '[{ when = "always", what = "fuel", whom = "self", many = -6 }]'
    b = driving(rules, "Heavy-duty", **{"event.mirage.errands": fuel}).stack("Mirage")
    b.move("Mel", "drive 0", "Mirage", "face", "go on")
    assert (b.of("Mel").hex, b.of("Mel").fuel) == (9, 0)


@pytest.mark.rule("K5-33", "K4-09", "K5-34", "K1E-13")
def test_stopping_early(rules: Any) -> None:
    """On any hex; then the Waster plays what he has seen."""
    b = driving(rules)
    b.move("Mel", "drive 0", "wait", "halt", "escape", faces=[5])
    assert b.of("Mel").hex == 9 and b.asked[1] == ["wait", CALM] and b.discards() == [CALM], "now he must"


@pytest.mark.rule("K5-29", "K5-30", "K1E-12")
def test_only_threat_counts_on_the_way(rules: Any) -> None:
    """Icons and tokens of Threat bring cards; Radiation and Contamination do nothing to who passes."""
    icons = {"tile.glass_desert.radiation": "1", "tile.glass_desert.threat": "1", "tile.salt_swamp.contamination": "1"}
    b = driving(rules, **icons).lay(9, "Glass Desert").lay(2, "Salt Swamp")
    b.s.hex[2].threaten, b.s.hex[2].irradiate, b.s.hex[10].obstruct = 1, 1, 9
    b.move("Mel", "drive 0", "wait", "go on", CALM, "escape", "go on", faces=[5])
    assert [len(words) for words in (b.asked[1], b.asked[3])] == [2, 2] and b.now("Mel")[3] == 0
    assert len(b.discards()) == 3, "one and the desert's on 9, one more for the token on 2"


@pytest.mark.rule("K4-13", "K5-95", "K1H-05", "K5B-10")
def test_a_wreck_on_the_way(rules: Any) -> None:
    """The second Damage: back to the pool, all Fuel gone, and the move ends there."""
    damage = '[{ when = "always", what = "damage", whom = "self", many = 2 }]'
    b = driving(rules, **{"event.mirage.errands": damage}).stack("Mirage")
    pool = int(b.s.pool[0])
    b.move("Mel", "drive 0", "Mirage", "face")
    assert (b.of("Mel").hex, b.of("Mel").fuel, b.vehicle("Mel"), int(b.s.pool[0])) == (9, 0, "", pool + 1)


@pytest.mark.rule("K1H-10", "K5B-05", "K5B-16")
def test_gear_on_a_move(rules: Any) -> None:
    """Points of what is at hand; gear that is marked is used before a move, and not twice a round."""
    b = driving(rules).give("Mel", "Road Map", "Night Goggles")
    b.move("Mel", "Night Goggles", "stay")
    assert b.asked[0] == ["no", "Night Goggles"]
    b.move("Mel", "stay")
    assert len(b.asked) == 1, "marked"
    map_ = list(b.of("Mel").thing[:2]).index(b.item("Road Map"))
    assert b.do("belongings.standing", 0, b.rules["knights.movement"].POINTS, 0) == 1
    b.of("Mel").spot[map_] = b.rules["knights.board_state"].STORED
    assert b.do("belongings.standing", 0, b.rules["knights.movement"].POINTS, 0) == 0


def step_round(b: Table, first: int, last: int) -> int:
    """A hex besides 9 that is adjacent to both of two hexes, or else to the first and to a neighbor of the last."""
    far = b.t.map.far
    return next(h for h in range(37) if far[first, h] == 1 and far[h, 9] == 1 and far[h, last] == 2)


@pytest.mark.rule("K1E-08", "K1E-12", "K5-33")
def test_a_way_around_threat(rules: Any) -> None:
    """FK11: beside the cheapest way to a hex, the one that meets fewest Threat icons, where Fuel reaches."""
    b = driving(rules, **{"knight.mel_gearson.errands": "[]"})
    b.move("Mel", "stay")
    assert not any("safest" in option for option in b.asked[0]), "there is no Threat anywhere"
    b.s.hex[9].threaten = 2
    b.move("Mel", "drive 2", "wait", "go on", CALM, "escape", faces=[5])
    assert list(b.s.path[:2]) == [2, 9]
    b.at("Mel", 22).dials("Mel", fuel=4).stack(*[CALM] * 6)
    b.move("Mel", "drive 2 safest", "wait", "go on", "wait", "go on", "escape", faces=[5])
    crossed = [int(h) for h in b.s.path[:3]]
    assert b.of("Mel").hex == 2 and b.of("Mel").crossed == 3 and 9 not in crossed
    b.at("Mel", 22).dials("Mel", fuel=1).stack(*[CALM] * 6)
    b.move("Mel", "stay")
    assert "drive 2 safest" not in b.asked[0], "six Movement Points are out of reach"


@pytest.mark.rule("K1E-08", "K5-87")
def test_a_way_past_a_rival_or_over_him(rules: Any) -> None:
    """FK11: a rival on the cheapest way can be gone around, one beside it can be visited on the way."""
    b = driving(rules).at("Naomi", 9)
    b.move("Mel", "drive 2 around", "wait", "go on", "wait", "go on", "escape", faces=[5])
    assert not any("duel" in asked for asked in b.asked) and b.of("Mel").hex == 2
    assert "drive 2 by Naomi" not in b.asked[0] and "drive 2" in b.asked[0]
    beside = step_round(b, 22, 2)
    b.at("Mel", 22).at("Naomi", beside).dials("Mel", fuel=4).stack(*[CALM] * 6)
    b.move("Mel", "drive 2 by Naomi", "pass", "wait", "go on", "wait", "go on", "escape", faces=[5])
    assert b.of("Mel").hex == 2 and beside in list(b.s.path[1:3]) and 22 not in list(b.s.path[:3])
    assert "drive 2 around" not in b.asked[0] and any("duel" in asked for asked in b.asked)


@pytest.mark.rule("K1E-08")
def test_ways_are_bounded_and_never_cross_themselves(rules: Any) -> None:
    """FK11: at most one way of each kind to each hex, each over different hexes, none of them the start."""
    b = table(rules, "Mel", "Naomi", "Chris", "Kate").drives("Mel", "Strider").at("Mel", 22)
    for name, h in (("Naomi", 9), ("Chris", 9), ("Kate", 3)):
        b.at(name, h)
    for h in (2, 10, 23):
        b.s.hex[h].threaten = 1
    b.move("Mel", "stay")
    assert len(b.asked[0]) == len(set(b.asked[0])) <= 1 + 6 + 36 * 7
    assert not any(option.endswith("by Chris") for option in b.asked[0]), "Naomi stands for both"
    kinds = set()
    for option in [int(o) for o in b.s.option[: b.s.options] if o >= 128]:
        kind, h = b.do("movement.way_of", option)
        b.do("movement.trace", 0, kind, h)
        path = [int(h) for h in b.s.path[: b.s.length]]
        assert path[0] == h and len(set(path)) == len(path) and 22 not in path
        assert all(b.t.map.far[one, other] == 1 for one, other in zip(path, [*path[1:], 22], strict=True))
        assert sum(b.do("movement.price_of_hex", h) for h in path) == b.do("movement.points_on", kind, h) <= 16
        assert sum(b.do("movement.threats", h) for h in path) == b.do("movement.threats_on", kind, h)
        kinds.add(int(kind))
    assert kinds == {0, 1, 2, 3 + 1, 3 + 3}
