"""Choices by softmax against exact softmax, even choices, and planted bots that are caught."""

from __future__ import annotations

from statistics import NormalDist
from typing import Any

import numba
import numpy as np
import pytest

from simcore.bots import GUMBEL, UNIT, choose_evenly, softmax
from simcore.kernels import blank
from simcore.streams import STREAM, word
from tests.statistics.judge import ALPHA, fits

TABLE_ERROR = 1e-4
"""What the noise table may be off by."""

DRAWS = 2_000_000
CASES = {
    "level": ((3, 3, 3, 3), 2),
    "one step": ((0, 1), 1),
    "spread": ((0, 1, 2, 4), 1),
    "warm": ((0, 5, 10, 20, -30), 10),
    "rare": ((0, 8), 1),
    "many": (tuple(range(12)), 4),
}


@numba.njit
def count_choices(options, values, temperature, draws, counts):
    for i in range(draws):
        counts[softmax(options, values, values.shape[0], temperature, word(np.uint64(21), i))] += 1


@numba.njit
def count_even(stream, options, many, draws, counts):
    for i in range(draws):
        counts[choose_evenly(stream, options, many, word(np.uint64(22), i))] += 1


def counted(values: tuple[int, ...], temperature: int, draws: int = DRAWS) -> Any:
    """How often each option is chosen."""
    counts = np.zeros(len(values), np.int64)
    options = np.arange(len(values), dtype=np.int64)
    count_choices(options, np.array(values, np.int64), temperature, draws, counts)
    return counts


def exact(values: tuple[int, ...], temperature: float) -> Any:
    """Softmax in floats."""
    weights = np.exp(np.array(values) / temperature)
    return weights / weights.sum()


def within(counts: Any, chances: Any) -> bool:
    """Whether each rate is at its chance within the table's error and sampling noise, at ALPHA in all."""
    draws = counts.sum()
    width = NormalDist().inv_cdf(1 - ALPHA / len(counts) / 2) * np.sqrt(chances * (1 - chances) / draws)
    return bool((np.abs(counts / draws - chances) <= TABLE_ERROR + width).all())


@pytest.mark.parametrize("case", CASES)
def test_choices_follow_softmax(case: str) -> None:
    assert within(counted(*CASES[case]), exact(*CASES[case]))


@pytest.mark.parametrize("case", ["one step", "spread", "warm", "many"])
def test_a_planted_temperature_or_weight_is_caught(case: str) -> None:
    values, temperature = CASES[case]
    counts = counted(values, temperature)
    assert not within(counts, exact(values, temperature * 1.05))
    assert not within(counts, exact((values[0] - 1, *values[1:]), temperature))
    assert not within(np.roll(counts, 1), exact(values, temperature))


@pytest.mark.parametrize("lead", range(10))
def test_the_table_itself_is_within_its_error(lead: int) -> None:
    """Two options, one `lead` temperatures behind: its chance over all pairs of quantiles, no sampling."""
    levels, own = len(GUMBEL), GUMBEL - lead * UNIT
    less, upto = np.searchsorted(GUMBEL, own, "left"), np.searchsorted(GUMBEL, own, "right")
    place = np.arange(levels)
    wins = np.clip(place, less, upto) + np.where((place >= less) & (place < upto), 0.5, 0)
    chance = 1 / (1 + np.exp(lead))
    assert abs(wins.sum() / levels**2 - chance) < TABLE_ERROR


def test_equals_are_chosen_evenly_at_temperature_zero() -> None:
    counts = counted((1, 7, 7, 7, 2), 0, 300_000)
    assert counts[0] == counts[4] == 0
    assert fits(counts[1:4], np.full(3, 1 / 3))


@pytest.mark.parametrize("many", [1, 2, 3, 7])
def test_even_choices_are_even(many: int) -> None:
    counts = np.zeros(8, np.int64)
    count_even(blank(STREAM), np.arange(8, dtype=np.int64), many, 300_000, counts)
    assert counts[many:].sum() == 0
    assert many == 1 or fits(counts[:many], np.full(many, 1 / many))
