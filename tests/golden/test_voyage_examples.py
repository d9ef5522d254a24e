"""The two sea cards that the rulebook of Beyond the Horizon prints, with its numbers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.voyage_table import table

TO_TRASH = "Sydney - Trash City"


@pytest.mark.rule("V1L-15", "V5-18", "V5-20")
@pytest.mark.parametrize("hazards", ["0", "1", "2"])
def test_naval_mines(rules: Any, hazards: str) -> None:
    """Tech (2); failed: 2 Breach, and for each Hazard 1 Breach and 1 Damage more."""
    many = int(hazards)
    b = table(rules, "Pirate").ship("Ferry", hull=9).route(TO_TRASH, hazard=many).sea("Naval Mines")
    b.sail("Pirate", TO_TRASH, rolls=[4, 3])
    assert (b.of("Pirate").breach, b.of("Pirate").damage, b.of("Pirate").experience) == (2 + many, many, 0)
    b.sail("Pirate", TO_TRASH, rolls=[4, 5])
    assert (b.of("Pirate").breach, b.of("Pirate").experience) == (0, 1), "passed: the printed Z, read as experience"


@pytest.mark.rule("V1L-15", "V1M-17")
def test_naval_mines_are_aquatic(rules: Any) -> None:
    b = (
        table(rules, "Pirate")
        .gear("Toolbox", tech=2)
        .gear("Net", "gadget", aquatic=1, tech=1)
        .gives("Pirate", "Toolbox")
    )
    b.ship("Ferry", tokens=1).sea("Naval Mines").sail("Pirate", TO_TRASH, "keep", rolls=[4, 3])
    assert b.of("Pirate").breach == 2
    b.sail("Pirate", TO_TRASH, "Toolbox", rolls=[4, 3, 4, 3])
    assert b.of("Pirate").breach == 0


@pytest.mark.rule("V1L-15", "V5-17")
def test_nautilus(rules: Any) -> None:
    """Threat 1, Aquatic; its special icon is 2 Breach of the ship."""
    b = table(rules, "Pirate").ship("Ferry", hull=9).gear("Knife", "weapon", aquatic=1, dice=2).gives("Pirate", "Knife")
    b.bag("Calm").token("Calm", ("red", "cargo", 1)).sea("Nautilus", health=9, dice=2, armor=0)
    b.sail("Pirate", TO_TRASH, "fight", rolls=[4, 1, 6, 6, 4, 1, 5, 1])
    pirate = b.of("Pirate")
    assert (pirate.tokens, pirate.cargo, pirate.breach, pirate.won) == (1, 1, 2, 0), "once an attack"
    b.sea("Nautilus", health=1, dice=2).sail("Pirate", TO_TRASH, "fight", "normal", rolls=[4, 4])
    assert pirate.won == 1 and pirate.breach == 0


@pytest.mark.rule("V1L-15")
def test_the_nautilus_draws_no_token_by_the_other_reading(rules: Any) -> None:
    b = table(rules, "Pirate").ruling(enemy_threat="none").bag("Calm").sea("Nautilus", health=9, dice=0)
    b.sail("Pirate", TO_TRASH, "fight")
    assert b.of("Pirate").tokens == 0


@pytest.mark.rule("V1L-19", "V1L-20", "V1L-16")
def test_a_cruise_that_goes_wrong(rules: Any) -> None:
    """Sunk off Trash City, a round in the Stranded Area, ashore without a ship, and home on a Cutter."""
    b = table(rules, "Pirate").quay("Raft").ship("Raft", hull=3).route(TO_TRASH, dice=2, water=1, hazard=1)
    b.sea("Naval Mines").only("Trash City", "Tower").looks("Tower", ("look", "cargo", 2))
    b.turn("Pirate", "Raft to Trash City", "fuel", "fuel", rolls=["blank", "hazard", 1, 2]).end_round()
    b.turn("Pirate").end_round().sea("Calm Sea")
    b.turn("Pirate", "Cutter to Sydney", "fuel", "ammo", rolls=["water", "blank"]).end_round()
    assert b.told() == [
        "Pirate, Sydney.",
        "Pirate sails along Sydney - Trash City to Trash City.",
        "Raft is chartered for 2, with 0 of 3 Breach.",
        "Paid with Fuel; to pay: 1.",
        "Paid with Fuel; to pay: 0.",
        "On the route: 0 threat tokens, 1 Hazard, 2 sea dice.",
        "Sea die: blank (6).",
        "Sea die: hazard (5).",
        "Water icons: 1; to spend: 1.",
        "Pirate spends 1 Water, and has 1.",
        "Card of the sea deck: Naval Mines, read by Pirate; Hazards: 2.",
        "Pirate rolls 2 dice: 0 successes.",
        "Tech (2): failed with 0.",
        "The ship of Pirate suffers 2 Breach (2 of 3).",
        "The ship of Pirate suffers 1 Breach (3 of 3).",
        "The ship of Pirate sinks: Raft is out of the game.",
        "The vehicle of Pirate suffers 3 Damage (3).",
        "The vehicle of Pirate is wrecked.",
        "Pirate is Stranded off Trash City.",
        "Pirate, in the Stranded Area.",
        "Pirate spends 1 Water, and has 0.",
        "Pirate leaves the Stranded Area.",
        "Pirate reaches Trash City.",
        "Tower is revealed at Trash City: a First Look for Pirate.",
        "Pirate takes on 2 cargo (2).",
        "Pirate, Trash City.",
        "Pirate sails along Sydney - Trash City to Sydney.",
        "Cutter is chartered for 2, with 0 of 4 Breach.",
        "Paid with Fuel; to pay: 1.",
        "Paid with Ammo; to pay: 0.",
        "On the route: 0 threat tokens, 1 Hazard, 2 sea dice.",
        "Sea die: water (4).",
        "Sea die: blank (6).",
        "Water icons: 2; to spend: 2.",
        "Pirate lacks 2 Water.",
        "Pirate is dehydrated: Compulsion.",
        "Pirate is severely dehydrated: Compulsion.",
        "Card of the sea deck: Calm Sea, read by Pirate; Hazards: 1.",
        "Pirate reaches Sydney.",
        "Pirate returns Cutter with 0 Breach on top of the deck; Cutters left: 9.",
    ]
