"""How fast the rules play: ratios, each taken within one run, with margins for a busy machine.

`wastelab bench` prints the exact figures. The floors here are well under what a quiet machine shows, so that a lost
optimisation fails and a neighbour's work does not.
"""

from __future__ import annotations

import os
import resource
import sys
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any

import numpy as np
import pytest

from experiments import bench
from experiments.config import settings_of
from simcore import packs
from simcore.game import Game, Tables, find_game, play_tally, seatings
from simcore.streams import root

FIGHT = ("chris_hammersworn", "hell_raiders")


def fight_tables() -> tuple[Game, Tables]:
    """The fights of the reference pack."""
    game = find_game("knights.fight")
    return game, game.load(packs.load(game.schema), settings_of(game, {}))


def test_a_pool_is_drawn_many_times_faster_than_numpy_draws_it() -> None:
    """One word through the inverse law against two binomials a pool, in batches of 100,000."""
    row = bench.pool_row()
    print(row)
    assert row["floor_ratio"] >= 15


@pytest.mark.parametrize(("bot", "least"), [("random", 1_000_000), ("regular", 400_000)])
def test_a_combat_is_near_the_cost_of_its_random_words(bot: str, least: int) -> None:
    """The ratio to the words alone, the floor; and a rate that no interpreter reaches."""
    row = bench.game_row(*fight_tables(), bot)
    print(row)
    assert row["per_second"] > least
    assert row["floor_ratio"] < 400


def timed(workers: int, many: int) -> float:
    """Seconds that so many chunks take by so many threads."""
    game, tables = fight_tables()
    seats = seatings(game, tables, FIGHT, {"knight": "regular", "enemy": "regular"})

    def chunk(i: int) -> Any:
        return play_tally(game, tables, seats, root(1, 1), i * 100_000, (i + 1) * 100_000)

    chunk(0)
    started = perf_counter()
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(chunk, range(many)))
    return perf_counter() - started


def words_timed(workers: int) -> float:
    """Seconds that eight lots of bare random words take by so many threads: what the machine gives just now."""
    started = perf_counter()
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(lambda i: bench.draw_words(np.uint64(i), 1_000_000, 60), range(8)))
    return perf_counter() - started


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one core")
def test_two_workers_gain_what_the_machine_gives() -> None:
    """1.8 times one worker on a quiet machine: here at least 0.85 of what bare words gain, the best of five."""
    words_timed(1)
    gains = [(timed(1, 8) / timed(2, 8), words_timed(1) / words_timed(2)) for _ in range(5)]
    print(gains)
    assert max(ours / given for ours, given in gains) >= 0.85


@pytest.mark.skipif(sys.platform == "win32", reason="no resource module")
def test_memory_does_not_grow_with_the_number_of_games() -> None:
    """Ten times the games in the same memory, but for a few megabytes."""
    timed(2, 2)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    timed(2, 20)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert after - before < 40_000
