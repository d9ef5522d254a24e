"""How a game ends: Sanctuary, the last phase, and both losses."""

from __future__ import annotations

from typing import Any

import pytest

from tests.mech_board import HIT, MISS, ON_FIRE, Board, board

CLEANING, SANCTUARY, HULL_LOST, CREW_DOWN = 1, 6, 7, 8


def near(rules: Any, crew: dict[str, int], enemies: dict[str, int], distance: int = 34, **more: Any) -> Board:
    """A game close to Sanctuary."""
    b = board(rules, crew, enemies, **more)
    b.s.distance, b.s.level, b.s.milestones = distance, 3, 2
    return b


def arrived(rules: Any, crew: dict[str, int], enemies: dict[str, int], **more: Any) -> Board:
    """A game in the last phase."""
    b = near(rules, crew, enemies, 36, **more)
    b.s.phase = CLEANING
    return b


@pytest.mark.rule("M11-01", "M11-02", "M5-05", "M4-25")
def test_sanctuary_lies_at_35_and_its_round_is_finished(rules: Any) -> None:
    """That round still salvages, uses Scrap and spawns; what it spawned must be destroyed first."""
    b = near(rules, {"Brute": 5}, {}, 33, sets={"ruling.hull_cap": '"none"'})
    b.stack("Scrap Rat", "Coil Snake")
    b.stack_salvage("Junk", "Junk", "Junk")
    b.s.noise = 1
    b.end_round(picks=["stop"])
    assert (b.s.distance, b.s.phase, b.s.over, b.where()) == (35, CLEANING, 0, [("Scrap Rat", 5)])
    assert (b.s.salvaged, b.s.drawn) == (2, 1)
    b.act("Brute", "attack Scrap Rat", faces=[HIT, HIT, MISS, MISS])
    assert (b.s.over, b.s.ending) == (1, SANCTUARY)


def test_34_is_not_enough(rules: Any) -> None:
    b = near(rules, {"Brute": 6}, {}, 32)
    b.end_round()
    assert (b.s.distance, b.s.phase, b.s.over) == (34, 0, 0)
    b.end_round()
    assert (b.s.distance, b.s.over, b.s.ending) == (36, 1, SANCTUARY)


@pytest.mark.rule("M11-02", "M11-03", "M4-25")
def test_the_last_phase_has_no_advance_no_spawn_and_no_escalation(rules: Any) -> None:
    b = arrived(rules, {"Brute": 5, "Scout": 6}, {"Coil Snake": 6})
    b.stack("Scrap Rat", "Scrap Rat")
    b.stack_salvage("Junk", "Junk")
    b.s.noise, b.s.milestones, b.s.level, b.s.fuelled[0] = 2, 0, 1, 1
    b.member("Brute").actions = 0
    b.end_round(faces=[HIT], picks=["stop"])
    assert (b.s.distance, b.s.drawn, b.s.level, b.s.fuelled[0]) == (36, 0, 1, 0)
    assert b.member("Brute").actions == 3, "actions are refreshed"
    assert b.health("Scout") == 4, "enemies act"
    assert (b.s.salvaged, b.s.scraps, b.s.over) == (2, 4, 0), "the crane is worked"


@pytest.mark.rule("M4-26", "M5-41", "M11-04")
def test_fires_burn_on_and_may_lose_the_last_phase(rules: Any) -> None:
    b = arrived(rules, {"Brute": 6}, {"Coil Snake": 2}).damage(r6=ON_FIRE, r3=ON_FIRE, r2=ON_FIRE)
    b.s.hull = 4
    b.scrap(0)
    b.end_round()
    assert (b.s.hull, b.s.over) == (1, 0)
    b.end_round(faces=[MISS])
    assert (b.s.hull, b.s.over, b.s.ending) == (0, 1, HULL_LOST)


@pytest.mark.rule("M5-06")
@pytest.mark.parametrize("reading", ["yes", "no"])
def test_enemies_in_the_wastes_count_for_the_win(rules: Any, reading: str) -> None:
    """Not by the other reading, which asks for those aboard alone."""
    sets = {"ruling.wastes_count_for_win": f'"{reading}"'}
    b = arrived(rules, {"Brute": 5}, {"Scrap Rat": 5, "Toxic Gull": 13}, sets=sets)
    b.act("Brute", "attack Scrap Rat", faces=[HIT] * 4)
    assert b.s.over == (0 if reading == "yes" else 1)


@pytest.mark.rule("M4-25")
def test_the_win_is_looked_at_as_the_round_ends_too(rules: Any) -> None:
    """The last enemy falls to a counterblow."""
    b = arrived(rules, {"Brute": 5}, {"Scrap Rat": 5}, sets={"crew.brute.ability": '"counterblow"'})
    b.end_round(faces=[HIT, MISS, HIT, HIT, HIT, HIT], picks=["Scrap Rat"])
    assert (b.s.over, b.s.ending) == (1, SANCTUARY)


@pytest.mark.rule("M11-04")
def test_at_hull_0_the_game_is_lost_at_once(rules: Any) -> None:
    """The second gull, the Coil Snake and the next cards are not waited for."""
    b = board(rules, {"Brute": 11}, [("Toxic Gull", 13), ("Toxic Gull", 13), ("Coil Snake", 11)])
    b.stack("Scrap Rat")
    b.s.hull, b.s.noise = 2, 1
    b.end_round(faces=[HIT, HIT])
    assert (b.s.hull, b.s.over, b.s.ending, b.s.drawn, b.health("Brute")) == (0, 1, HULL_LOST, 0, 6)


@pytest.mark.rule("M11-05", "M5-41")
@pytest.mark.parametrize("phase", [0, CLEANING])
def test_with_the_whole_crew_down_the_game_is_lost(rules: Any, phase: int) -> None:
    b = board(rules, {"Brute": 5, "Scout": 6})
    b.s.phase = phase
    b.down("Brute")
    assert b.s.over == 0
    b.down("Scout")
    assert (b.s.over, b.s.ending) == (1, CREW_DOWN)


@pytest.mark.rule("M11-05")
def test_one_who_is_revived_in_time_saves_the_crew(rules: Any) -> None:
    b = board(rules, {"Brute": 5, "Scout": 5})
    b.down("Brute")
    b.act("Scout", "revive Brute")
    b.down("Scout")
    assert b.s.over == 0
