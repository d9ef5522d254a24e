"""The worked examples that the rulebook of The Waste of Parts prints, with its numbers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.mech_board import FUNCTIONAL, HIT, MISS, ON_FIRE, board


@pytest.mark.rule("M13-12", "M113-03")
def test_the_fore_gun_is_fired_from_the_cockpit_with_two_dice(rules: Any) -> None:
    """An Attack of 3 at 50 %, rounded up."""
    b = board(rules, {"Scout": 8}, {"Toxic Gull": 13})
    assert b.t.mech.gun_dice == 3
    b.act("Scout", "gun 12 Toxic Gull", faces=[HIT, MISS])
    assert b.enemy("Toxic Gull").health == 2 and b.member("Scout").actions == 2


@pytest.mark.rule("M11-11", "M4-03")
def test_an_enemy_deck_that_runs_out_at_distance_9_brings_level_2(rules: Any) -> None:
    b = board(rules)
    b.stack("Just the Wind")
    b.s.distance = 9
    b.do("escalation.draw_enemy")
    found = {int(b.t.enemy[card].level) for card in b.s.deck.deck[: b.s.deck.left]}
    assert (found, b.s.level) == ({2}, 2)


@pytest.mark.rule("M15-06", "M4-11")
def test_four_enemies_set_an_empty_functional_room_on_fire(rules: Any) -> None:
    b = board(rules, {"Scout": 1}, [("Scrap Rat", 7), ("Scrap Rat", 7), ("Moaner", 7), ("Moaner", 7)])
    assert b.condition(7) == FUNCTIONAL
    b.enemies_act()
    assert (b.condition(7), b.s.fires, len(b.where())) == (ON_FIRE, 1, 4)


@pytest.mark.rule("M11-06", "M11-07")
@pytest.mark.parametrize(("fuelled", "far"), [((0, 0), 2), ((1, 0), 3), ((1, 1), 4)])
def test_the_mech_advances_by_both_speeds_and_the_fuel(rules: Any, fuelled: tuple[int, int], far: int) -> None:
    """1 for each engine by default, and 1 for each time one was fuelled."""
    b = board(rules)
    b.s.fuelled[:] = fuelled
    b.do("escalation.advance")
    assert b.s.distance == far
