"""The crane, what becomes of salvage cards, upgrades, and Scrap."""

from __future__ import annotations

from typing import Any

import pytest

from tests.mech_board import INOPERABLE, ON_FIRE, board, effect

JUNK = ["Junk"] * 9


@pytest.mark.rule("M17-05", "M17-06", "M16-04", "M113-03", "M4-16", "M4-17", "M4-18", "M5-23")
def test_who_stands_at_the_crane_draws_two_and_from_the_cockpit_one(rules: Any) -> None:
    """No action is needed, but someone who stands, and a Functional room (both from afar); Scrap goes to the pile."""
    for crew, fires, cards in (
        ({"Brute": 5, "Scout": 1}, {}, 2),
        ({"Brute": 8, "Scout": 1}, {}, 1),
        ({"Brute": 6, "Scout": 1}, {}, 0),
        ({"Brute": 5, "Scout": 1}, {"r5": INOPERABLE}, 0),
        ({"Brute": 8, "Scout": 1}, {"r5": INOPERABLE}, 0),
        ({"Brute": 8, "Scout": 1}, {"r8": INOPERABLE}, 0),
    ):
        b = board(rules, crew).damage(**fires)
        b.stack_salvage(*JUNK)
        b.scrap(0)
        b.member("Brute").actions = 0
        b.do("salvage.salvage")
        assert (b.s.salvaged, b.s.scraps) == (cards, cards)
    b = board(rules, {"Brute": 8, "Scout": 1}, sets={"mech.crane_cards": "3"})
    assert b.do("salvage.crane_cards", 1) == 2, "half of three is rounded up"
    b = board(rules, {"Brute": 5, "Scout": 1})
    b.stack_salvage(*JUNK)
    b.down("Brute")
    b.do("salvage.salvage")
    assert b.s.salvaged == 0, "the Downed work no crane"


@pytest.mark.rule("M17-07", "M4-15")
def test_after_two_uses_the_crane_is_closed_until_the_mech_advances(rules: Any) -> None:
    b = board(rules, {"Brute": 5})
    b.stack_salvage(*JUNK)
    for drawn in (2, 4, 4):
        b.do("salvage.salvage")
        assert b.s.salvaged == drawn
    b.damage(r8=INOPERABLE)
    b.do("escalation.advance")
    b.do("salvage.salvage")
    assert b.s.salvaged == 4
    b.damage(r8=0)
    b.do("escalation.advance")
    for drawn in (6, 8, 8):
        b.do("salvage.salvage")
        assert b.s.salvaged == drawn, "both uses are back (FT1)"


@pytest.mark.rule("M5-29", "M5-30", "M11-03")
@pytest.mark.parametrize("phase", [1, 3, 4])
def test_in_the_last_phases_two_uses_are_left_counting_that_of_the_last_advance(rules: Any, phase: int) -> None:
    """After Sanctuary, while getting ready for a boss, and against it: nothing opens the crane again."""
    b = board(rules, {"Brute": 5, "Scout": 6}, {"Coil Snake": 10}, sets={"enemy.coil_snake.attack": "0"}, boss=1)
    b.stack_salvage(*JUNK)
    b.s.crane_uses, b.s.phase, b.s.quarry = 1, phase, -1
    found = []
    for _ in range(3):
        b.scrap(0)
        b.do("salvage.salvage")
        found.append(int(b.s.salvaged))
    assert found == [2, 2, 2]
    before = int(b.s.crane_uses)
    b.scrap(0)
    b.end_round()
    assert b.s.crane_uses == before and b.s.distance == 0


@pytest.mark.rule("M4-14")
@pytest.mark.parametrize("reading", ["one_use", "both"])
def test_crane_and_cockpit_are_one_use_the_better(rules: Any, reading: str) -> None:
    b = board(rules, {"Brute": 5, "Scout": 8}, sets={"ruling.crane_and_remote": f'"{reading}"'})
    b.stack_salvage(*JUNK)
    b.do("salvage.salvage")
    assert (b.s.salvaged, b.s.crane_uses) == ((2, 1) if reading == "one_use" else (3, 2))


@pytest.mark.rule("M17-08")
@pytest.mark.parametrize("found", ["salvage", "recycle"])
def test_a_new_crane_upgrade_counts_from_the_next_round_on(rules: Any, found: str) -> None:
    """Others at once."""
    sets = {"upgrade.big_winch.effects": effect("standing", "crane", 1)}
    b = board(rules, {"Brute": 5}, sets=sets)
    if found == "salvage":
        b.stack_salvage("Big Winch", "Junk", "Junk", "Junk", "Junk", "Junk")
        b.scrap(0)
        b.end_round(picks=[5])
        assert b.do("salvage.crane_cards", 0) == 2
    else:
        b.stack_salvage("Junk", "Junk", "Big Winch", "Junk", "Junk", "Junk")
        b.scrap(1)
        b.end_round(picks=["recycle upgrade", 5])
    salvaged = int(b.s.salvaged)
    b.do("play.begin_round")
    b.scrap(0)
    b.do("salvage.salvage")
    assert b.s.salvaged - salvaged == 3


@pytest.mark.rule("M17-09", "M17-14", "M5-23", "M17-12")
def test_each_kind_of_salvage_goes_where_it_belongs(rules: Any) -> None:
    """Weapon, armor and gear to a crew member, an upgrade to a room with its Noise, Scrap to the pile."""
    b = board(rules, {"Brute": 5, "Scout": 1, "Doctor": 2}, sets={"upgrade.turbine.noise": "1"})
    assert rules["mech.cards"].SALVAGE == ("weapon", "armor", "gear", "upgrade", "scrap")
    for title, picks in (
        ("Machete", ["Brute"]),
        ("Plate Vest", ["Scout"]),
        ("Scope", ["Doctor"]),
        ("Turbine", [10]),
        ("Junk", []),
    ):
        b.stack_salvage(title)
        b.do("salvage.draw_salvage", picks=picks)
    assert [b.held(name) for name in b.crew] == [["Machete"], ["Plate Vest"], ["Scope"]], "to anyone, anywhere"
    assert (b.title(b.s.room[10].upgrade), b.s.noise, b.s.scraps) == ("Turbine", 1, 3)
    fields = set(rules["mech.cards"].Upgrade.model_fields)
    assert {"title", "effects", "rooms", "noise"} <= fields


@pytest.mark.rule("M17-12", "M17-19")
def test_what_nobody_wants_becomes_scrap(rules: Any) -> None:
    b = board(rules, {"Brute": 5})
    b.stack_salvage("Machete", "Turret")
    b.do("salvage.draw_salvage", picks=["nobody"])
    b.do("salvage.draw_salvage", picks=["nowhere"])
    assert b.s.scraps == 4 and b.held("Brute") == [] and b.s.boxed == 0


@pytest.mark.rule("M17-13", "M5-26", "M17-19")
def test_where_an_upgrade_may_go(rules: Any) -> None:
    """In rooms that its card names, Functional ones; enemies don't matter; the old one is scrapped, its Noise ends."""
    sets = {"upgrade.turret.rooms": "[2, 3, 6, 7]", "upgrade.bunk.rooms": "[3, 9]"}
    b = board(rules, {"Brute": 1}, {"Moaner": 3}, sets)
    b.damage(r6=INOPERABLE, r7=ON_FIRE)
    b.do("bots.choose_upgrade_room", b.item("Turret"), picks=[3])
    assert set(b.asked[0]) == {"nowhere", "2", "3"}
    b.stack_salvage("Turret", "Bunk")
    b.do("salvage.draw_salvage", picks=[3])
    b.do("salvage.draw_salvage", picks=[3])
    assert b.title(b.s.room[3].upgrade) == "Bunk" and b.title(b.s.scrap[2]) == "Turret" and b.s.boxed == 0


@pytest.mark.rule("M17-13", "M16-01", "M16-03")
def test_no_upgrade_is_for_a_deck(rules: Any) -> None:
    for deck in (1, 4):
        with pytest.raises(rules["packs"].Mistakes, match="a deck"):
            rules.pack("mech", {"upgrade.turret.rooms": f"[2, {deck}]"})


@pytest.mark.rule("M17-15", "M12-09", "M17-19")
def test_reinforce(rules: Any) -> None:
    """Two Scrap out of the game for a Hull, as often as one likes."""
    b = board(rules, {"Brute": 1})
    b.s.hull = 10
    b.scrap(5)
    b.do("salvage.use_scrap", b.t.mech.reinforce_scrap, picks=["reinforce", "reinforce"])
    assert (b.s.hull, b.s.scraps, b.s.boxed, b.s.reinforced) == (12, 1, 4, 2)


@pytest.mark.rule("M17-16", "M4-20", "M17-04", "M5-22")
@pytest.mark.parametrize("kind", ["equipment", "upgrade"])
def test_recycle(rules: Any, kind: str) -> None:
    """Three Scrap, of whatever cards, for the first card of the kind that was named; the others go below."""
    b = board(rules, {"Brute": 1})
    b.stack_salvage("Junk", "Turret" if kind == "equipment" else "Scope", "Junk", "Machete", "Bunk", "Harpoon")
    b.scrap(3)
    b.s.scrap[:3] = [b.item("Junk"), b.item("Machete"), b.item("Turret")]
    pick = ["recycle equipment", "Brute"] if kind == "equipment" else ["recycle upgrade", 2]
    b.do("salvage.use_scrap", 2, picks=pick)
    assert (b.s.scraps, b.s.boxed, b.s.recycled) == (0, 3, 1)
    if kind == "equipment":
        assert b.held("Brute") == ["Machete"] and b.s.salvage.left == 5
        assert [b.title(card) for card in reversed(b.s.salvage.deck[:5])][:2] == ["Bunk", "Harpoon"]
    else:
        assert b.title(b.s.room[2].upgrade) == "Bunk" and b.title(b.s.salvage.deck[4]) == "Harpoon"


@pytest.mark.rule("M4-19")
def test_an_empty_salvage_deck_gives_nothing(rules: Any) -> None:
    """No draw, and Recycle costs its Scrap; the Scrap Pile is never shuffled in."""
    b = board(rules, {"Brute": 5})
    b.scrap(4)
    b.do("salvage.salvage")
    b.do("salvage.use_scrap", 2, picks=["recycle equipment"])
    assert (b.s.salvaged, b.s.crane_uses, b.s.scraps, b.s.salvage.left, b.held("Brute")) == (0, 0, 1, 0, [])


@pytest.mark.rule("M17-18", "M112-02", "M17-17", "M5-22")
def test_two_scrap_metal_lie_in_the_pile_and_fuel_takes_them_out_of_the_game(rules: Any) -> None:
    b = board(rules, {"Brute": 10})
    assert [b.title(card) for card in b.s.scrap[: b.s.scraps]] == ["Scrap Metal"] * 2
    b.act("Brute", "fuel")
    assert (b.s.scraps, b.s.boxed, b.s.scrapped) == (1, 1, 1)


@pytest.mark.rule("M5-24")
def test_scrap_of_this_rounds_salvage_can_be_used(rules: Any) -> None:
    b = board(rules, {"Brute": 5})
    b.stack_salvage("Junk", "Junk")
    b.s.hull = 10
    b.scrap(0)
    b.end_round(picks=["reinforce"])
    assert b.s.hull == 11
