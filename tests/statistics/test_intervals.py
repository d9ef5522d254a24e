"""Intervals of pooled numbers cover the truth as often as they say: 24 cells pooled, 1,000 seeds.

The toys' true rates are exact: sums of dice, convolved. An interval of 95 % may miss more often than in 5 %
of the seeds only by chance: the threshold is the binomial's at alpha 1e-6. Pooled intervals are made for sums
of unlike rates, so they may cover more often. Intervals that rest on the spread seen are judged where there was some.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from experiments import intervals
from experiments.config import load_setup
from experiments.intervals import means_interval, paired_interval, shares_interval, wilson
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


# ---------------------------------------------------------------- means and differences


DRAWS = 20_000
LEAST_OF_DRAWS = int(binom.ppf(ALPHA, DRAWS, 0.95))


def means_covered(games: int, seed: int = 3) -> int:
    """In how many of DRAWS experiments the interval of so many sums of three dice holds their mean."""
    sums = np.random.default_rng(seed).integers(1, 7, size=(DRAWS, games, 3)).sum(axis=2)
    many = np.full(DRAWS, games)
    low, high = means_interval(sums.sum(axis=1).astype(float), (sums**2).sum(axis=1).astype(float), many)
    return int(((low <= 10.5) & (high >= 10.5)).sum())


def test_means_of_few_games_are_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    """FN3: by Student's t. Planted: 1.96 standard errors, which cover 5 games in 88 %."""
    assert min(means_covered(games) for games in (5, 10, 30, 100)) >= LEAST_OF_DRAWS - DRAWS // 400
    monkeypatch.setattr(intervals, "stdtrit", lambda _, __: intervals.Z)
    assert means_covered(5) < 0.9 * DRAWS


def test_a_rare_large_number_is_missed_less_often_where_there_is_an_interval() -> None:
    """FN3: a score of 50 in 1 of 50 games. Most samples of 30 games hold none, and so no interval that misses it."""
    scores = 50 * (np.random.default_rng(4).random((DRAWS, 30)) < 0.02)
    sums = scores.sum(axis=1).astype(float), (scores**2).sum(axis=1).astype(float)
    low, high = means_interval(*sums, np.full(DRAWS, 30))
    shown = ~np.isnan(low)
    assert (shown == scores.any(axis=1)).all() and 0.4 < shown.mean() < 0.5
    assert ((low <= 1) & (high >= 1))[shown].mean() > 0.95


def paired(size: float, gains: float, changes: float, games: int, taken: float | None = None) -> tuple[float, float]:
    """Games of which some change by a size, a part of them gains: how often the interval of the mean holds the truth,
    where there is one, and how wide it is on average, in that of 1.96 true standard errors. taken: the size that the
    changes seen are taken for."""
    rate, most = changes / games, size if taken is None else taken
    chances = [rate * gains, rate * (1 - gains), 1 - rate]
    up, down, _ = np.random.default_rng(5).multinomial(games, chances, size=DRAWS).T
    true, error = size * rate * (2 * gains - 1), size * np.sqrt((rate - (rate * (2 * gains - 1)) ** 2) / games)
    sums = size * (up - down), size**2 * (up + down)
    low, high = paired_interval(*sums, (-most * (down > 0), most * (up > 0)), np.full(DRAWS, games))
    shown = ~np.isnan(low)
    assert (shown == (up + down > 0)).all()
    return float(((low <= true) & (true <= high))[shown].mean()), float((high - low)[shown].mean() / (3.92 * error))


RARE, COMMON = [(many, 10_000) for many in (0.6, 2, 5, 12, 40)], [(10, 20), (30, 100), (300, 1_000)]


@pytest.mark.parametrize("size", [1.0, 0.25])
@pytest.mark.parametrize("gains", [0.5, 0.8, 1.0])
def test_paired_intervals_of_rare_and_common_changes_cover_and_are_no_wider_than_need_be(
    size: float, gains: float
) -> None:
    """FN6: counts of few games are lumpy, so that one in a hundred more may be missed, and one change is wider."""
    for changes, games in RARE + COMMON:
        covers, width = paired(size, gains, changes, games)
        assert covers >= 0.94 - (gains == 1) * 0.01 and width < np.sqrt((changes + 2) / changes) * 1.3, (changes, games)
        assert width < 1.2 or changes < 5


def test_pseudo_games_of_another_size_would_be_found_out() -> None:
    """FN6: planted: two games more that change by 1 where those seen change by a quarter, or by nothing."""
    assert paired(0.25, 0.5, 5, 10_000, taken=1.0)[1] > 2.5 and paired(0.25, 0.5, 40, 10_000, taken=1.0)[1] > 1.3
    assert paired(0.25, 1.0, 3, 10_000, taken=1e-6)[0] < 0.9
