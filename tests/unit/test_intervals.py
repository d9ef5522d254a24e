"""Intervals for a fixed number of games, compared with SciPy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from experiments.compare import newcombe
from experiments.intervals import (
    combined,
    means_interval,
    means_kinds,
    paired_interval,
    shares_interval,
    wilson,
)


@pytest.mark.parametrize("games", [1, 2, 7, 40, 1000, 123_456])
def test_wilsons_interval_is_scipys(games: int) -> None:
    hits = np.unique(np.linspace(0, games, 41).astype(int))
    low, high = wilson(hits, np.full(len(hits), games))
    for i, k in enumerate(hits):
        exact = scipy_stats.binomtest(int(k), games).proportion_ci(0.95, method="wilson")
        assert (low[i], high[i]) == pytest.approx((exact.low, exact.high), abs=1e-12)
    assert low[0] == 0 and high[-1] == 1


def test_0_of_0_has_no_interval() -> None:
    assert np.isnan(wilson([0], [0])).all()
    none = np.zeros(1)
    assert np.isnan(shares_interval(none, none, np.zeros(1, np.int64))).all()
    assert np.isnan(means_interval(none, none, np.zeros(1, np.int64))).all()
    assert np.isnan(means_interval(np.ones(1), np.ones(1), np.ones(1, np.int64))).all()


def test_the_interval_of_a_mean_is_students_and_rests_on_the_spread_seen() -> None:
    """FN3: as SciPy has it; none for a single game, nor where all games gave the same, however many they are."""
    for games in ([3, 5], [0, 0, 0, 1, 9], list(range(40))):
        numbers, many = np.array(games), np.array([len(games)])
        ends = scipy_stats.ttest_1samp(numbers, 0).confidence_interval(0.95)
        total, square = np.array([numbers.sum()], float), np.array([(numbers**2).sum()], float)
        low, high = means_interval(total, square, many)
        assert (low[0], high[0]) == pytest.approx((ends.low, ends.high))
        assert means_kinds(low, many).tolist() == ["student" if len(games) >= 30 else "student_few"]
    many = np.array([1, 2, 10**9])
    low, high = means_interval(7.0 * many, 49.0 * many, many)
    assert np.isnan(low).all() and np.isnan(high).all() and means_kinds(low, many).tolist() == ["", "", ""]
    one_other = means_interval(np.array([7e9 + 1]), np.array([49e9 + 15]), np.array([10**9]))
    assert np.isfinite(one_other).all()


def test_a_paired_difference_without_spread_has_no_interval() -> None:
    """FN3: where no game changed, where all changed by the same, and for one game; FN6: its width goes by the changes
    that are seen, whatever their size."""
    games = np.array([10_000, 3, 1, 0])
    total, square = np.array([0.0, 1.5, 1.0, 0.0]), np.array([0.0, 0.75, 1.0, 0.0])
    ends = np.array([0.0, 0.5, 1.0, np.inf]), np.array([0.0, 0.5, 1.0, -np.inf])
    assert np.isnan(paired_interval(total, square, ends, games)).all()
    for size in (1.0, 0.5, 0.25):
        ends = np.array([-size]), np.array([size])
        low, high = paired_interval(np.zeros(1), np.array([2 * size**2]), ends, np.array([10_000]))
        assert -low[0] == pytest.approx(high[0]) and high[0] == pytest.approx(1.96 * size * 2 / 10_002, rel=1e-3)


def test_the_interval_of_shares_without_draws_is_wilsons() -> None:
    wins, games = np.array([0.0, 3.0, 50.0, 100.0]), np.full(4, 100)
    assert np.array(shares_interval(wins, wins, games)) == pytest.approx(np.array(wilson(wins, games)))


def test_the_interval_of_shares_is_narrower_with_draws_and_never_empty() -> None:
    games = np.array([1000])
    wins_only = np.ptp(shares_interval(np.array([500.0]), np.array([500.0]), games))
    half_draws = np.ptp(shares_interval(np.array([500.0]), np.array([375.0]), games))
    draws_only = np.ptp(shares_interval(np.array([500.0]), np.array([250.0]), games))
    assert half_draws == pytest.approx(wins_only / np.sqrt(2), rel=0.01)
    assert 0 < draws_only < half_draws


def test_a_sum_of_one_number_has_its_interval_and_a_difference_is_newcombes() -> None:
    assert combined([1.0], [0.3], [0.2], [0.45]) == pytest.approx([0.3, 0.2, 0.45])
    value, low, high = combined([1.0, -1.0], [0.6, 0.5], [0.55, 0.48], [0.64, 0.53])
    ends = newcombe((0.5, 0.48, 0.53), (0.6, 0.55, 0.64))
    assert value == pytest.approx(0.1) and (low, high) == pytest.approx(tuple(map(float, ends)))
