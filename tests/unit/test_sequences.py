"""Sequences: capitals against bets played out one by one, roots, verdicts, looks, and what pairing saves."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from experiments.sequences import (
    BETS,
    DIFFERENCES,
    SHARES,
    WEIGHTS,
    Field,
    asymptotic,
    differences,
    field_of,
    games_to_go,
    gap_games_to_go,
    gaps,
    interval,
    judge,
    log_capital,
    looks,
    means_sequence,
    saved,
    verdict,
)

BOTH = np.array([0.0, 1.0])
counts_of_shares = st.lists(st.sampled_from([0, 15, 20, 30, 60]), min_size=1, max_size=300).map(
    lambda seen: np.bincount(seen, minlength=61)
)


# ---------------------------------------------------------------- looks


def test_looks_are_fixed_numbers_in_whole_blocks() -> None:
    assert looks(1, 4_000) == [1_200, 1_500, 1_875, 2_344, 2_930, 3_663, 4_000]
    assert looks(24, 3_000) == [1_200, 1_512, 1_896, 2_352, 2_952, 3_000]
    assert looks(7, 10_000)[:3] == [1_204, 1_505, 1_876]


def test_limits_cut_looks_and_move_none() -> None:
    free = looks(6, 1_000_000)
    assert set(looks(6, 50_000)) - {50_004} <= set(free)
    late = looks(6, 1_000_000, at_least=5_000)
    assert late == [5_004, *(look for look in free if look > 5_004)]
    assert looks(6, 1_000_000, at_least=600) == free
    assert looks(24, 100) == [120] and looks(24, 1_200, at_least=1_200) == [1_200]


@given(st.integers(1, 720), st.integers(1, 10**7), st.floats(1.01, 3))
def test_looks_rise_to_the_limit(block: int, at_most: int, ratio: float) -> None:
    found = looks(block, at_most, ratio=ratio)
    assert all(a < b for a, b in pairwise(found))
    assert not any(look % block for look in found)
    assert at_most <= found[-1] < at_most + block


@pytest.mark.parametrize(
    "wrong", [{"block": 0}, {"first": 0}, {"ratio": 1.0}, {"at_least": 0}, {"at_least": 2_001}, {"at_most": 0}]
)
def test_looks_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="no looks: block"):
        looks(**({"block": 6, "at_most": 2_000} | wrong))  # type: ignore[arg-type]


# ---------------------------------------------------------------- the capital and its interval


def slow_capital(games: list[float], mean: float) -> float:
    """The capital of the same bets, game by game, in exact fractions."""
    whole, parts = Fraction(0), Fraction(float(WEIGHTS.sum()))
    for bet, weight in zip(BETS, WEIGHTS, strict=True):
        capital, bet = Fraction(float(weight)) / parts, Fraction(float(bet))
        for value in games:
            capital *= 1 - bet + bet * Fraction(value) / Fraction(mean)
        whole += capital
    return float(whole)


def test_a_capital_is_what_bets_played_out_have_become() -> None:
    games = [1.0] * 30 + [0.25] * 10 + [0.0] * 20
    counts = np.array([20.0, 10.0, 30.0])
    for mean in (0.1, 0.3, 0.54, 0.9):
        fast = math.exp(log_capital(counts, np.array([0, 0.25, 1]), mean))
        assert fast == pytest.approx(slow_capital(games, mean), rel=1e-10)


def expected(chances: tuple[float, ...], games: tuple[int, ...], mean: float) -> float:
    """The exact expectation of the capital when each seat plays so many games, of wins and losses."""
    laws = [binom.pmf(np.arange(many + 1), many, chance) for many, chance in zip(games, chances, strict=True)]
    whole = laws[0]
    for law in laws[1:]:
        whole = np.convolve(whole, law)
    wins = np.arange(len(whole))
    counts = np.stack([sum(games) - wins, wins], axis=-1).astype(float)
    return float(whole @ np.exp(log_capital(counts, BOTH, mean)))


def test_at_the_true_mean_the_capital_is_expected_to_stay_one() -> None:
    for chance in (0.1, 0.5, 0.8):
        assert expected((chance,), (40,), chance) == pytest.approx(1, rel=1e-9)
        assert expected((chance,), (40,), chance - 0.05) > 1.01


def test_unlike_seats_in_whole_blocks_can_only_lose_capital() -> None:
    assert expected((0.65, 0.35), (20, 20), 0.5) < 1
    assert expected((0.4, 0.1, 0.35, 0.15), (10, 10, 10, 10), 0.25) < 1
    assert expected((0.65, 0.35), (21, 20), 0.5) > 1  # in the middle of a block it is no fair bet


@given(counts_of_shares)
def test_an_interval_holds_the_mean_seen_and_its_ends_are_roots(counts: np.ndarray) -> None:
    low, high = interval(counts)
    mean = counts @ SHARES / counts.sum()
    assert 0 <= low <= mean + 1e-9 and mean - 1e-9 <= high <= 1
    for end, seen in ((low, SHARES), (1 - high, 1 - SHARES)):
        capital = float(log_capital(counts.astype(float), seen, max(end, 1e-12)))
        assert capital == pytest.approx(math.log(40), abs=1e-5) or (end < 1e-12 and capital < math.log(40))


@given(counts_of_shares)
def test_an_interval_turns_around_with_its_values(counts: np.ndarray) -> None:
    low, high = interval(counts)
    turned = interval(counts[::-1])
    assert (turned[0], turned[1]) == pytest.approx((1 - high, 1 - low), abs=1e-9)
    wide = interval(counts, 2 * SHARES - 1)
    assert (wide[0], wide[1]) == pytest.approx((2 * low - 1, 2 * high - 1), abs=1e-9)


def test_intervals_shrink_with_games_and_widen_with_fewer_doubts() -> None:
    counts = np.array([500, 500]) * np.array([1, 4, 16, 1_000, 10_000])[:, None]
    low, high = interval(counts, BOTH)
    ordinary = 1.96 * 0.5 / np.sqrt(counts.sum(axis=-1))
    assert (np.diff(high - low) < 0).all()
    assert ((high - low) / 2 / ordinary < 2.05).all() and ((high - low) / 2 / ordinary > 1.5).all()
    lower, higher = interval(counts, BOTH, alpha=0.001)
    assert (lower < low).all() and (higher > high).all()


def test_one_sided_and_empty_counts_have_their_limits() -> None:
    never, always, none = np.array([400, 0]), np.array([0, 400]), np.array([0, 0])
    low, high = interval(np.array([never, always, none]), BOTH)
    assert low[0] == 0 and 0 < high[0] < 0.05 and high[1] == 1 and 0.95 < low[1] < 1
    assert np.isnan(low[2]) and np.isnan(high[2])
    low, high = interval(np.zeros((0, 61), np.int64))
    assert low.shape == high.shape == (0,)


def test_intervals_of_many_cells_are_those_of_each() -> None:
    counts = np.random.default_rng(1).multinomial(2_000, np.full(61, 1 / 61), size=(3, 4))
    low, high = interval(counts)
    assert low.shape == (3, 4)
    one = interval(counts[1, 2])
    assert (low[1, 2], high[1, 2]) == pytest.approx((float(one[0]), float(one[1])), abs=1e-11)


# ---------------------------------------------------------------- verdicts


def test_a_verdict_is_where_the_interval_lies() -> None:
    low, high = np.array([0.53, 0.44, 0.485, 0.5, np.nan]), np.array([0.6, 0.47, 0.515, 0.54, np.nan])
    said = verdict(low, high, 0.48, 0.52).tolist()
    assert said == ["too strong", "too weak", "balanced", "undecided", "undecided"]
    assert str(verdict(0.48, 0.52, 0.48, 0.52)) == "balanced"
    assert str(verdict(0.4, 0.6, 0.5, 0.5)) == "undecided"


@given(counts_of_shares, st.floats(-0.1, 1), st.floats(0, 0.4))
def test_judging_is_the_verdict_on_the_interval(counts: np.ndarray, least: float, width: float) -> None:
    ends = np.array(interval(counts))
    if abs(ends[:, None] - [least, least + width]).min() > 1e-9:
        assert judge(counts, least, least + width) == verdict(*ends, least, least + width)


def test_edges_at_and_beyond_the_range_are_no_hurdle() -> None:
    never, always = np.array([1_000, 0]), np.array([0, 1_000])
    assert judge(never, 0, 0.1, BOTH) == judge(never, -0.05, 0.1, BOTH) == "balanced"
    assert judge(always, 0.9, 1, BOTH) == judge(always, 0.9, 1.05, BOTH) == "balanced"
    assert games_to_go(np.array([10, 0]), 0, 0.1, BOTH) > 0 == games_to_go(never, 0, 0.1, BOTH)


def test_each_cell_is_judged_by_its_own_edges() -> None:
    counts, values = np.array([[900, 1_100]] * 3 + [[0, 0]]), BOTH
    said = judge(counts, np.array([0.3, 0.6, 0.4, 0.4]), np.array([0.4, 0.7, 0.7, 0.7]), values).tolist()
    assert said == ["too strong", "too weak", "balanced", "undecided"]
    low, high = interval(counts, values)
    assert said == verdict(low, high, [0.3, 0.6, 0.4, 0.4], [0.4, 0.7, 0.7, 0.7]).tolist()


@pytest.mark.parametrize(
    ("wins", "least", "most"),
    [(520, 0.5, 0.5), (520, 0.49, 0.51), (480, 0.49, 0.51), (504, 0.49, 0.51), (510, 0, 0.53)],
)
def test_so_many_more_games_of_the_same_kind_decide(wins: int, least: float, most: float) -> None:
    counts = np.array([1_000 - wins, wins])
    more = float(games_to_go(counts, least, most, BOTH))
    assert judge(counts, least, most, BOTH) == "undecided" and more > 0
    later = counts * (1_000 + more) / 1_000
    assert judge(later * 1.001, least, most, BOTH) != "undecided"
    assert judge(later * 0.98, least, most, BOTH) == "undecided"


def test_there_is_no_number_of_games_at_an_edge() -> None:
    counts = np.array([[500, 500], [490, 510], [0, 0], [200, 800]])
    more = games_to_go(counts, np.array([0.5, 0.49, 0.4, 0.5]), np.array([0.5, 0.51, 0.6, 0.6]), BOTH)
    assert np.isnan(more[:3]).all() and more[3] == 0


# ---------------------------------------------------------------- variants on the same dice


def test_differences_count_what_each_game_changed() -> None:
    joint = np.zeros((2, 61, 61), np.int64)
    joint[0, 0, 60], joint[0, 60, 60], joint[1, 30, 0], joint[1, 15, 45] = 5, 90, 2, 3
    counts, values = differences(joint)
    assert values == pytest.approx(DIFFERENCES) and counts.sum(axis=-1).tolist() == [95, 5]
    assert counts[0, 120] == 5 and counts[0, 60] == 90 and counts[1, 30] == 2 and counts[1, 90] == 3


def test_differences_use_what_a_draw_is_worth() -> None:
    worth = SHARES.copy()
    worth[30] = 0.2
    joint = np.zeros((61, 61), np.int64)
    joint[0, 30], joint[30, 60], joint[60, 60] = 40, 10, 50
    counts, values = differences(joint, worth)
    assert counts @ values / 100 == pytest.approx((40 * 0.2 + 10 * 0.8) / 100)
    assert values.min() == -1 and values.max() == 1 and (np.diff(values) > 1e-9).all()


def test_what_pairing_saves_is_a_ratio_of_variances() -> None:
    rng = np.random.default_rng(3)
    base = rng.choice([0, 30, 60], size=4_000, p=[0.5, 0.2, 0.3])
    variant = np.where(rng.random(4_000) < 0.05, rng.choice([0, 60], size=4_000), base)
    joint = np.zeros((61, 61), np.int64)
    np.add.at(joint, (base, variant), 1)
    found = saved(joint)
    assert found is not None
    assert found.value == pytest.approx((base.var() + variant.var()) / (variant - base).var())
    assert 1 < found.low < found.value < found.high
    alone = saved(np.outer(np.bincount(base, minlength=61), np.bincount(variant, minlength=61)))
    assert alone is not None and alone.value == pytest.approx(1)


def test_unlike_cells_count_on_neither_side_of_what_is_saved() -> None:
    joint = np.zeros((2, 61, 61), np.int64)
    joint[0, 0, 0], joint[0, 0, 60], joint[0, 60, 60] = 900, 20, 80
    joint[1] = joint[0, ::-1, ::-1].T
    apart, alone, together = saved(joint), saved(joint[0]), saved(joint.sum(axis=0))
    assert apart is not None and alone is not None and together is not None
    assert apart.value == pytest.approx(alone.value) and together.value > 2 * apart.value
    assert apart.high / apart.value < alone.high / alone.value


def test_nothing_changed_saves_nothing_that_could_be_told() -> None:
    assert saved(np.diag(np.arange(61))) is None
    shifted = np.zeros((61, 61), np.int64)
    shifted[20, 30], shifted[40, 50] = 7, 9
    assert saved(shifted) is None


# ---------------------------------------------------------------- the asymptotic sequence


def test_an_asymptotic_interval_is_the_paper_s() -> None:
    alpha, blocks, spread = 0.05, 2_500, 1.7
    rho2 = (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / 1_000
    age = blocks * rho2 + 1
    half = spread * math.sqrt(2 * age / (blocks**2 * rho2) * math.log(math.sqrt(age) / alpha))
    low, high = asymptotic(10.0, spread**2, blocks, alpha)
    assert (low, high) == pytest.approx((10 - half, 10 + half))


def test_few_blocks_and_no_spread_have_no_asymptotic_interval() -> None:
    low, high = asymptotic([1.0, 1.0, 1.0], [2.0, 2.0, 0.0], [99, 100, 500])
    assert np.isnan(low).tolist() == np.isnan(high).tolist() == [True, False, True]


def test_the_sequence_of_means_is_that_of_their_blocks() -> None:
    """FN4: and there is none while hardly any game differs from the others."""
    numbers = np.random.default_rng(4).integers(0, 9, size=1_200)
    low, high = means_sequence(numbers.sum(), (numbers**2).sum(), 1_200, block=4)
    whole = asymptotic(numbers.mean(), numbers.var(ddof=1) / 4, 300)
    assert (float(low), float(high)) == pytest.approx((float(whole[0]), float(whole[1])))
    low, high = means_sequence([7, 28, 33], [7, 28, 33], [1_200, 1_200, 1_200])
    assert np.isnan(low).tolist() == np.isnan(high).tolist() == [True, True, False]


# ---------------------------------------------------------------- how far a role lies from its field


def test_a_field_is_the_mean_of_the_roles() -> None:
    """FN4: a role's number is the mean over its cells, each role counts alike, and a game's part of it lies in 0..1."""
    roles, wins = np.array([[0], [0], [1], [2]]), np.array([[20.0], [40.0], [60.0], [90.0]])
    field = field_of(roles, wins, 100, together=True)
    mean = (0.3 + 0.6 + 0.9) / 3
    assert field.scale * field.total / field.games == pytest.approx(mean) and field.total <= field.games == 400
    low, high = gaps(np.array([[140, 60], [40, 60], [10, 90]]), BOTH, field)
    assert (low < np.array([0.3, 0.6, 0.9]) - mean).all() and (high > np.array([0.3, 0.6, 0.9]) - mean).all()


def test_a_field_of_rivals_or_of_a_crew_counts_each_game_once() -> None:
    """FN4: the shares of rivals sum to 1, so that their field is as good as known; members of a crew win together."""
    roles, wins = np.array([[0, 1], [1, 2], [2, 0]]), np.array([[30.0, 70.0], [50.0, 50.0], [20.0, 80.0]])
    rivals = field_of(roles, wins, 100, together=False)
    assert rivals.total == pytest.approx(rivals.games) and rivals.scale == pytest.approx(0.5)
    crew = field_of(roles, np.array([[30.0, 30.0], [50.0, 50.0], [80.0, 80.0]]), 100, together=True)
    assert crew.scale == pytest.approx(1) and crew.total / crew.games == pytest.approx((30 + 50 + 80) / 300)
    empty = field_of(np.array([[0, 1], [0, -1]]), np.array([[9.0, 1.0], [5.0, 0.0]]), 10, together=True)
    assert empty.scale * empty.total / empty.games == pytest.approx(((0.9 + 0.5) / 2 + 0.1) / 2)
    assert empty.total <= empty.games


def test_so_many_more_games_tell_a_role_from_its_field() -> None:
    counts, alpha = np.array([[500, 700], [590, 610], [700, 500], [576, 624]]), 0.01
    field = Field(np.array(counts[:, 1].sum()), np.array(counts.sum()), 1.0)
    more = gap_games_to_go(counts, BOTH, field, 0.02, alpha)

    def said(row: int, factor: float) -> str:
        further = Field(field.total * factor, field.games * factor, field.scale)
        low, high = gaps(counts[row] * factor, BOTH, further, alpha)
        return str(verdict(low, high, -0.02, 0.02))

    found = [said(row, 1 + float(more[row]) / 1200) for row in range(4)]
    assert found == ["too strong", "balanced", "too weak", "balanced"]
    assert [said(row, 1 + 0.9 * float(more[row]) / 1200) for row in range(4)] == ["undecided"] * 4
    assert np.isnan(
        gap_games_to_go(np.array([[600, 600], [600, 600]]), BOTH, Field(np.array(1200.0), np.array(2400.0), 1.0), 0.0)
    ).all()
