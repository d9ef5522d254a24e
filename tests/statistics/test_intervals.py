"""Intervals of pooled numbers cover the truth as often as they say: 24 cells pooled, 1,000 seeds.

The toys' true rates are exact: sums of dice, convolved. An interval of 95 % may miss more often than in 5 %
of the seeds only by chance: the threshold is the binomial's at alpha 1e-6. Pooled intervals are made for sums
of unlike rates, so they may cover more often.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from experiments.config import load_setup
from experiments.intervals import shares_interval, wilson
from experiments.plan import Plan, make_plan
from simcore.game import Tally, play_tally
from simcore.streams import root
from tests.conftest import Write

SEEDS, GAMES, ALPHA = 1_000, 60, 1e-6
LEAST = int(binom.ppf(ALPHA, SEEDS, 0.95))
RUNNERS = {"a": (1, 6), "b": (2, 6), "c": (3, 4), "d": (2, 8)}
HOUNDS = {"p": (1, 4), "q": (1, 8), "r": (2, 6), "s": (3, 6), "t": (4, 4), "u": (2, 12)}


@pytest.fixture
def plan(config: Write, tmp_path: Path) -> Plan:
    """A plan of 24 cells of very unlike rates."""
    cards = {"runner": RUNNERS, "hound": HOUNDS}
    text = "[pack]\ntitle = 'x'\nabout = 'x'\n[rules]\nrout = 5\nfrom = { assumed = 'x' }\n"
    for kind, roles in cards.items():
        for slug, (dice, sides) in roles.items():
            text += f"[{kind}.{slug}]\ntitle = '{slug}'\ndice = {dice}\nsides = {sides}\n"
            text += "from = { assumed = 'x' }\n"
    (tmp_path / "field").mkdir()
    (tmp_path / "field" / "toy.toml").write_text(text)
    found = make_plan(load_setup(config(games=GAMES), ("pack=field",)))
    assert len(found.cells) == 24
    return found


@cache
def law(dice: int, sides: int) -> np.ndarray:
    """The exact law of a sum of dice, from 0 on."""
    one, whole = np.r_[0.0, np.full(sides, 1 / sides)], np.ones(1)
    for _ in range(dice):
        whole = np.convolve(whole, one)
    return whole


def truth(runner: tuple[int, int], hound: tuple[int, int]) -> tuple[float, float]:
    """The exact chances that the runner wins, and of a draw."""
    both = np.outer(law(*runner), law(*hound))
    return float(np.tril(both, -1).sum()), float(np.trace(both))


def pooled(plan: Plan, seed: int, group: int | None = None) -> Tally:
    """All cells' tallies of one seed, added; `group` gives all cells the same dice."""
    whole = Tally.empty(plan.setup.game, 1)
    for cell in plan.cells:
        key = root(seed, cell.group if group is None else group)
        whole.add(play_tally(plan.setup.game, plan.setup.tables, plan.seats(cell), key, 0, GAMES))
    return whole


def covered(plan: Plan, group: int | None = None) -> tuple[int, int, int]:
    """In how many seeds the pooled win rate, draw rate and share lie in their intervals."""
    chances = np.mean([truth(RUNNERS[cell.lineup[0]], HOUNDS[cell.lineup[1]]) for cell in plan.cells], axis=0)
    win, draw = float(chances[0]), float(chances[1])
    tallies = [pooled(plan, seed, group) for seed in range(SEEDS)]
    games = np.array([tally.games.sum() for tally in tallies])
    wins = np.array([tally.shares[0, 0, 60] for tally in tallies])
    draws = np.array([tally.endings[0, 2] for tally in tallies])
    parts = np.arange(61) / 60
    shares = np.array([tally.shares[0, 0] @ parts for tally in tallies])
    squares = np.array([tally.shares[0, 0] @ parts**2 for tally in tallies])
    intervals = wilson(wins, games), wilson(draws, games), shares_interval(shares, squares, games)
    true = win, draw, win + draw / 2
    return tuple(int(((low <= t) & (t <= high)).sum()) for (low, high), t in zip(intervals, true, strict=True))


def test_intervals_of_pooled_rates_cover(plan: Plan) -> None:
    win, draw, share = covered(plan)
    assert win >= LEAST and draw >= LEAST and share >= LEAST


def test_cells_that_share_their_dice_would_be_found_out(plan: Plan) -> None:
    win, _, share = covered(plan, group=0)
    assert win < LEAST and share < LEAST


def test_intervals_of_one_cell_cover(plan: Plan) -> None:
    one = replace(plan, cells=plan.cells[2:3])
    win, draw, share = covered(one)
    assert win >= LEAST and draw >= LEAST and share >= LEAST
