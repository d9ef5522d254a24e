"""Events: when they come, which is kept, and how long it lasts."""

from __future__ import annotations

from typing import Any

import pytest

from tests.mech_board import HIT, board, effect

SETS = {
    "event.tail_wind.effects": effect("standing", "speed", 1),
    "event.dust_storm.effects": effect("standing", "noise", 2),
    "event.clear_night.effects": effect("round_end", "health", 1, "everyone"),
    "event.old_depot.effects": effect("drawn", "scrap", 2, "mech"),
    "event.acid_rain.effects": effect("round_end", "worsen", 1, "mech"),
    "event.dry_tanks.effects": effect("drawn", "spawn", 2, "mech"),
}


def stack(b: Any, *titles: str) -> None:
    """The event deck: these, the first on top."""
    b.s.occasions.left = len(titles)
    b.s.occasions.deck[: len(titles)] = [b.card("event", title) for title in reversed(titles)]


@pytest.mark.rule("M19-01", "M19-02", "M4-27")
@pytest.mark.parametrize("mark", [10, 20])
def test_at_each_milestone_two_are_revealed_and_one_is_kept(rules: Any, mark: int) -> None:
    """In the step in which the next level is shuffled in; the other one leaves the game."""
    b = board(rules, {"Scout": 1}, sets=SETS, events=1)
    stack(b, "Tail Wind", "Dust Storm", "Old Depot")
    b.s.level, b.s.milestones, b.s.distance = mark // 10, mark // 10 - 1, mark - 4
    b.end_round()
    assert (b.s.event, b.s.occasions.left) == (-1, 3)
    b.end_round(picks=["Dust Storm"])
    assert (b.s.event, b.s.occasions.left, b.s.occasions.discarded) == (b.card("event", "Dust Storm"), 1, 0)
    assert b.do("escalation.draws_now") == 2 and b.s.level == mark // 10 + 1


@pytest.mark.rule("M5-42", "M19-01")
def test_without_the_option_there_are_no_events(rules: Any) -> None:
    b = board(rules, {"Scout": 1}, sets=SETS)
    b.s.distance = 8
    b.end_round()
    assert (b.s.distance, b.s.milestones, b.s.event) == (10, 1, -1)


@pytest.mark.rule("M19-01", "M19-03")
def test_two_milestones_at_once_bring_two_events(rules: Any) -> None:
    """The second replaces the first, whose speed is gone."""
    b = board(rules, {"Scout": 1}, sets={**SETS, "mech.milestones": "[9, 10]"}, events=1)
    stack(b, "Tail Wind", "Dust Storm", "Old Depot", "Clear Night")
    b.s.distance = 8
    b.end_round(picks=["Tail Wind", "Old Depot"])
    assert (b.s.event, b.s.occasions.left) == (b.card("event", "Old Depot"), 0)
    assert b.do("escalation.speed_of") == 2


@pytest.mark.rule("M19-03", "M4-27")
def test_an_event_lasts_until_the_next_or_until_the_win(rules: Any) -> None:
    """Here the win with a boss to come."""
    b = board(rules, {"Scout": 1, "Brute": 5}, {"Scrap Rat": 5}, SETS, events=1, boss=1)
    stack(b, "Tail Wind")
    b.do("events.hold_event")
    assert b.do("escalation.speed_of") == 3
    b.s.phase = 1
    b.act("Brute", "attack Scrap Rat", faces=[HIT] * 4)
    assert (b.s.event, b.do("escalation.speed_of"), b.s.over) == (-1, 2, 0)


def test_what_events_do(rules: Any) -> None:
    """At the end of each round, or once as they are drawn; damage to the mech strikes a room by chance."""
    b = board(rules, {"Scout": 1, "Brute": 2}, sets=SETS, events=1)
    b.do("effects.hurt", 0, 2)
    b.down("Brute")
    b.stack_salvage("Machete", "Junk", "Scope")
    for title in ("Old Depot", "Clear Night"):
        stack(b, title)
        b.do("events.hold_event")
    b.do("play.room_effects")
    assert (b.s.scraps, b.s.salvage.left, b.health("Scout"), b.health("Brute")) == (4, 1, 4, 0)
    stack(b, "Acid Rain")
    b.do("events.hold_event")
    b.do("play.room_effects")
    assert sum(int(room.condition) for room in b.s.room) == 1
    stack(b, "Dry Tanks")
    b.stack("Scrap Rat", "Coil Snake", "Just the Wind")
    b.do("events.hold_event")
    assert [name for name, _ in b.where()] == ["Scrap Rat", "Coil Snake"]
