"""The Harrow and The Scourge."""

from __future__ import annotations

from typing import Any

import pytest

from tests.mech_board import HIT, INOPERABLE, MISS, ON_FIRE, Board, board, effect

CLEANING, CLEARED, PREPARING, BOSS = 1, 2, 3, 4
SANCTUARY, HULL_LOST, CREW_DOWN, BOSS_BEATEN = 6, 7, 8, 9
HARROW, SCOURGE = 1, 2
BOSSES = {"none": 0, "harrow": HARROW, "scourge": SCOURGE}
ARMS = ("gripping_arm", "lashing_arm", "crushing_arm", "probing_arm")
SETS = {
    **{f"enemy.{slug}.room": "2" for slug in ARMS},
    **{f"enemy.{slug}.health": "1" for slug in ARMS},
    **{f"enemy.{slug}.attack": "0" for slug in ARMS},
    **{f"enemy.{slug}.standees": "5" for slug in ARMS},
    **{f"enemy.{slug}.health": "3" for slug in ("the_harrow", "the_scourge", "wastelander")},
    **{f"enemy.{slug}.attack": "3" for slug in ("the_harrow", "the_scourge")},
    **{f"enemy.{slug}.effects": "[]" for slug in ("the_harrow", "the_scourge")},
    **{f"enemy.the_husher.{name}": "1" for name in ("health", "attack")},
    "order.ram.effects": effect("drawn", "hull", -2, "mech"),
    "order.more_arms.effects": effect("drawn", "spawn", 2, "mech"),
    "order.broadside.effects": effect("drawn", "hull", -3, "mech"),
    "order.boarding_drones.effects": effect("drawn", "spawn", 1, "mech"),
    "order.harpoon_bomb.effects": effect("drawn", "worsen", 1),
}


def facing(rules: Any, boss: int, crew: dict[str, int], enemies: Any = (), **more: Any) -> Board:
    """The first round against a boss, after its set-up."""
    b = board(rules, crew, enemies, {**SETS, **more}, boss=boss)
    b.s.phase = PREPARING
    b.scrap(0)
    b.do("bosses.next_phase")
    return b


def order(b: Board, title: str) -> None:
    """The next order of the boss."""
    b.s.orders.left, b.s.orders.discarded, b.s.orders.deck[0] = 1, 0, b.card("order", title)


# ---------------------------------------------------------------- from Sanctuary to a boss


@pytest.mark.rule("M110-01", "M5-31", "M5-29")
@pytest.mark.parametrize("boss", ["none", "harrow", "scourge"])
def test_a_boss_comes_after_the_win_and_a_round_to_get_ready(rules: Any, boss: str) -> None:
    """The round is finished, then one full round with Reinforce at 1 Scrap, then the boss; without one all is won."""
    b = board(rules, {"Brute": 5, "Scout": 1}, {"Scrap Rat": 5}, SETS, boss=BOSSES[boss])
    b.s.phase, b.s.hull = CLEANING, 10
    b.scrap(2)
    b.act("Brute", "attack Scrap Rat", faces=[HIT] * 4)
    if boss == "none":
        assert (b.s.over, b.s.ending) == (1, SANCTUARY)
        return
    assert (b.s.over, b.s.phase) == (0, CLEARED)
    b.end_round(picks=["reinforce"])
    assert (b.s.hull, b.s.scraps, b.s.phase) == (11, 0, CLEARED), "Reinforce at its usual price"
    b.scrap(2)
    b.do("play.play_round", picks=["rest", "rest", "reinforce", "reinforce"])
    assert (b.s.hull, b.s.scraps, b.s.phase) == (13, 0, PREPARING)
    b.do("bosses.next_phase")
    assert b.s.phase == BOSS and b.s.rounds == 1


# ---------------------------------------------------------------- The Harrow


@pytest.mark.rule("M110-02", "M110-03", "M110-04", "M110-06")
def test_the_harrow_is_set_up_below_with_its_arms_above(rules: Any) -> None:
    """Seven orders, twenty tentacle cards in place of the enemy deck, as many of them on board as crew members."""
    b = facing(rules, HARROW, {"Brute": 5, "Scout": 6, "Doctor": 9})
    assert (b.s.orders.left, b.s.deck.left, len(b.where())) == (7, 17, 3)
    assert {b.t.enemy[card].role for card in b.s.deck.deck[:17]} == {rules["mech.tables"].ROLE["tentacle"]}
    assert b.s.quarry == -1 and not [word for word in b.options("Doctor") if "Harrow" in word]
    b.do("bosses.boss_acts")
    assert b.s.orders.left == 7, "submerged it draws no order"


@pytest.mark.rule("M110-04", "M110-07", "M5-32")
def test_the_steps_of_a_round_against_the_harrow(rules: Any) -> None:
    """No advance, no Noise, no escalation; fires, salvage, Scrap; then as many tentacles as crew members again."""
    b = facing(rules, HARROW, {"Brute": 5, "Scout": 6, "Doctor": 9}).damage(r12=ON_FIRE)
    b.stack_salvage("Junk", "Junk", "Junk")
    b.s.noise, b.s.fuelled[0], b.s.distance, b.s.milestones, b.s.level = 4, 1, 36, 0, 1
    b.s.phase = BOSS
    b.end_round(picks=["stop"])
    assert (b.s.distance, b.s.hull, b.s.salvaged, b.s.level) == (36, 18, 2, 1)
    assert len(b.where()) == 6 and b.condition(2) == ON_FIRE, "three arms struck room 2"


@pytest.mark.rule("M110-05", "M5-34", "M5-35", "M110-06")
@pytest.mark.parametrize("crew", ["two", "four", "five"])
def test_the_harrow_surfaces_when_few_arms_are_left(rules: Any, crew: str) -> None:
    """At two, or three against five crew members. It is looked at after its action; once up it stays."""
    many, arms = {"two": (2, 2), "four": (4, 2), "five": (5, 3)}[crew]
    names = ("Brute", "Scout", "Doctor", "Gambler", "Prepper")
    b = facing(rules, HARROW, dict.fromkeys(names[:many], 9))
    while len(b.where()) <= arms:
        b.do("bosses.spawn_tentacles")
    b.do("enemies.tidy")
    b.do("bosses.surface")
    assert b.s.quarry == -1
    for e in range(len(b.where()) - arms):
        b.do("combat.wound", e, 9)
    b.do("enemies.tidy")
    order(b, "Ram")
    b.do("bosses.boss_acts")
    b.do("bosses.surface")
    assert b.s.quarry == b.card("enemy", "The Harrow") and b.where()[-1] == ("The Harrow", 13) and b.s.hull == 20
    b.do("bosses.spawn_tentacles")
    b.do("bosses.surface")
    b.do("bosses.boss_acts")
    assert b.s.hull == 18 and [name for name, _ in b.where()].count("The Harrow") == 1


@pytest.mark.rule("M110-05")
def test_only_tentacles_count_for_surfacing(rules: Any) -> None:
    b = facing(rules, HARROW, {"Brute": 1, "Scout": 3}, {"Toxic Gull": [13, 13, 13]})
    b.do("bosses.surface")
    assert b.s.quarry != -1


@pytest.mark.rule("M110-07", "M5-34")
def test_the_harrow_acts_by_orders_alone(rules: Any) -> None:
    """After the tentacles and before fires; it neither shells the Hull nor moves."""
    b = facing(rules, HARROW, {"Brute": 1, "Scout": 4})
    b.do("bosses.surface")
    order(b, "More Arms")
    b.end_round()
    assert b.s.hull == 19, "one fire: two arms in room 2"
    assert len(b.where()) == 2 + 1 + 2 + 2 and ("The Harrow", 13) in b.where()


@pytest.mark.rule("M5-33")
def test_who_destroys_the_harrow_wins(rules: Any) -> None:
    b = facing(rules, HARROW, {"Brute": 9, "Scout": 4})
    b.do("bosses.surface")
    b.act("Brute", "gun 9 The Harrow", faces=[HIT, HIT, MISS])
    assert b.s.over == 0
    b.act("Brute", "gun 9 The Harrow", faces=[HIT, MISS, MISS])
    assert (b.s.over, b.s.ending) == (1, BOSS_BEATEN)


@pytest.mark.rule("M5-41")
@pytest.mark.parametrize("loss", ["hull", "crew"])
def test_both_losses_hold_against_a_boss(rules: Any, loss: str) -> None:
    b = facing(rules, SCOURGE, {"Brute": 9, "Scout": 4})
    order(b, "Broadside")
    if loss == "hull":
        b.s.hull = 3
        b.end_round()
    else:
        b.down("Brute", "Scout")
    assert (b.s.over, b.s.ending) == (1, HULL_LOST if loss == "hull" else CREW_DOWN)


# ---------------------------------------------------------------- The Scourge


@pytest.mark.rule("M110-08", "M110-09", "M110-10", "M5-37")
def test_the_scourge_is_set_up(rules: Any) -> None:
    """Six orders; beacon, two bombs and two blanks under a blank for each crew member; two Hushers for a deck."""
    b = facing(rules, SCOURGE, {"Brute": 5, "Scout": 6, "Doctor": 9})
    assert b.s.orders.left == 6 and b.deck() == ["The Husher", "The Husher"]
    assert list(b.s.search[:3]) == [0, 0, 0] and sorted(b.s.search[3:8]) == [0, 0, 1, 2, 2]
    assert b.where() == [("The Scourge", 13)] and b.s.hidden == 1
    places = set()
    for key in range(60):
        b.s.orders.key = key
        b.do("bosses.open_search_deck")
        places.add(list(b.s.search[3:8]).index(1))
    assert places == {0, 1, 2, 3, 4}


@pytest.mark.rule("M110-11", "M5-38", "M4-18")
def test_until_the_beacon_is_found_all_rooms_are_dark(rules: Any) -> None:
    """No crane, no guns, no Cockpit, no upgrades, neither Repair nor Extinguish."""
    sets = {
        "upgrade.bunk.effects": effect("standing", "shelter", 2),
        "upgrade.hull_welder.effects": effect("round_end", "hull", 1, "mech"),
    }
    b = board(rules, {"Brute": 9, "Scout": 5, "Doctor": 7}, (), {**SETS, **sets}, boss=SCOURGE)
    b.build("Bunk", 7)
    b.build("Hull Welder", 6)
    b.damage(r7=0, r9=0)
    b.s.phase, b.s.hull = PREPARING, 10
    b.do("bosses.next_phase")
    shelter = rules["mech.tables"].WHAT["shelter"]
    assert "gun 9 The Scourge" not in b.options("Brute") and b.do("salvage.crane_cards", 0) == 0
    b.do("play.room_effects")
    assert (b.s.hull, int(b.s.room[7].term[shelter])) == (10, 0)
    b.s.room[9].condition, b.s.room[5].condition = INOPERABLE, ON_FIRE
    assert "repair" not in b.options("Brute") and "extinguish" not in b.options("Scout")
    b.do("rooms.mend_room", 5, 0)
    assert b.condition(5) == ON_FIRE
    b.s.search[0] = 1
    b.act("Doctor", "search")
    assert b.s.hidden == 0 and "repair" in b.options("Brute") and int(b.s.room[7].term[shelter]) == 2
    b.do("play.room_effects")
    assert b.s.hull == 11


@pytest.mark.rule("M110-11", "M5-36", "M5-37", "M110-09")
def test_search_each_room_once_for_an_action(rules: Any) -> None:
    """A bomb does what its card says in that room; nobody searches once the beacon is found."""
    b = facing(rules, SCOURGE, {"Brute": 6, "Scout": 6})
    b.s.search[:4] = [0, 0, 2, 1]
    b.act("Brute", "search")
    assert b.member("Brute").actions == 2 and "search" not in b.options("Scout"), "the room is marked"
    b.act("Brute", "move 7")
    b.act("Brute", "search")
    b.act("Scout", "move 5")
    b.act("Scout", "search")
    assert (b.condition(5), b.s.hidden) == (INOPERABLE, 1)
    b.act("Scout", "move 9")
    b.member("Scout").actions = 1
    b.act("Scout", "search")
    b.do("play.refresh")
    b.act("Scout", "move 10")
    assert b.s.hidden == 0 and "search" not in b.options("Scout")


@pytest.mark.rule("M110-12", "M5-39", "M5-40", "M5-32")
def test_the_steps_of_a_round_against_the_scourge(rules: Any) -> None:
    """One order a round unless it is stunned; no spawn step: Hushers come by orders alone."""
    b = facing(rules, SCOURGE, {"Brute": 1, "Scout": 4})
    b.s.noise, b.s.distance = 5, 36
    order(b, "Broadside")
    b.end_round()
    assert (b.s.hull, b.s.distance, b.s.drawn, len(b.where())) == (17, 36, 0, 1)
    order(b, "Boarding Drones")
    b.end_round()
    assert [name for name, _ in b.where()] == ["The Scourge", "The Husher"]
    order(b, "Broadside")
    b.s.search[0] = 1
    b.act("Brute", "search")
    b.end_round()
    assert b.s.hull == 17, "stunned by the beacon"
    b.end_round()
    assert b.s.hull == 13, "an order, and the fire that a Husher has laid"


@pytest.mark.rule("M110-13", "M110-12")
def test_the_captain_emerges_and_is_to_be_destroyed(rules: Any) -> None:
    """On the Fore or the Aft Deck, as the crew likes."""
    for room in (1, 4):
        b = facing(rules, SCOURGE, {"Brute": 9, "Scout": 4, "Doctor": 1})
        b.do("rooms.go_dark", 0)
        b.act("Brute", "gun 9 The Scourge", faces=[HIT] * 3, picks=[room])
        assert b.asked == [["1", "4"]] and b.where() == [("Wastelander", room)] and b.s.over == 0
    order(b, "Broadside")
    b.do("bosses.boss_acts")
    assert b.s.hull == 20, "the ship is gone"
    b.act("Scout" if room == 4 else "Doctor", "attack Wastelander", faces=[HIT] * 3)
    assert (b.s.over, b.s.ending) == (1, BOSS_BEATEN)
