"""Choosing: the best at temperature 0, by identity and never by place, and scripted picks."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcore.bots import GUMBEL, choose, choose_evenly, softmax
from simcore.kernels import blank, plain
from simcore.streams import MASK, STREAM, Script, word

SILENT = blank(STREAM)


@numba.njit
def compiled_choose(stream, options, values, many, temperature, key):
    return choose(stream, options, values, many, temperature, key)


@numba.njit
def compiled_evenly(stream, options, many, key):
    return choose_evenly(stream, options, many, key)


def ints(*values: int) -> Any:
    return np.array(values, np.int64)


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=9), st.integers(0, 20), st.integers(0, MASK))
def test_compiled_choices_are_the_plain_ones(values: list[int], temperature: int, key: int) -> None:
    options, worth = np.arange(len(values), dtype=np.int64) * 3, ints(*values)
    chosen = compiled_choose(SILENT, options, worth, len(values), temperature, np.uint64(key))
    assert chosen == plain(softmax)(options, worth, len(values), temperature, key)
    assert chosen == choose(SILENT, options, worth, len(values), temperature, np.uint64(key))


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=9), st.integers(0, MASK))
def test_temperature_zero_takes_the_best(values: list[int], key: int) -> None:
    options = np.arange(len(values), dtype=np.int64) + 4
    chosen = softmax(options, ints(*values), len(values), 0, np.uint64(key))
    assert values[chosen - 4] == max(values)


@given(st.integers(0, 5), st.integers(0, MASK))
def test_a_choice_hangs_on_identities_not_on_places(temperature: int, key: int) -> None:
    pairs = [(2, 1), (5, 1), (7, 0), (11, 2)]
    chosen = {
        int(softmax(ints(*(o for o, _ in order)), ints(*(v for _, v in order)), 4, temperature, np.uint64(key)))
        for order in permutations(pairs)
    }
    assert len(chosen) == 1


@given(st.integers(0, MASK))
def test_a_further_option_leaves_the_noise_of_the_others_alone(key: int) -> None:
    few = softmax(ints(2, 5, 7), ints(0, 0, 0), 3, 4, np.uint64(key))
    more = softmax(ints(2, 5, 7, 9), ints(0, 0, 0, 0), 4, 4, np.uint64(key))
    assert more in (few, 9)


def test_only_the_first_options_count() -> None:
    for key in range(50):
        assert softmax(ints(2, 5, 7), ints(0, 0, 99), 2, 1, np.uint64(key)) in (2, 5)
        assert compiled_evenly(SILENT, ints(2, 5, 7), 2, np.uint64(word(1, key))) in (2, 5)


@given(st.integers(1, 8), st.integers(0, MASK))
def test_even_choices_are_the_same_compiled(many: int, key: int) -> None:
    options = np.arange(8, dtype=np.int64) + 10
    chosen = compiled_evenly(SILENT, options, many, np.uint64(key))
    assert chosen == choose_evenly(SILENT, options, many, key) == 10 + key * many // 2**64


def test_noise_is_a_rising_table_that_nobody_writes() -> None:
    assert (np.diff(GUMBEL) >= 0).all()
    with pytest.raises(ValueError, match="read-only"):
        GUMBEL[0] = 0


def test_a_script_picks_and_is_refused_what_is_no_option() -> None:
    script = Script(picks=[5, 7, 2, 7])
    assert choose(script, ints(2, 5, 7), ints(9, 0, 0), 3, 0, 0) == 5
    assert choose_evenly(script, ints(2, 5, 7), 3, 0) == 7
    assert choose_evenly(script, ints(2, 5, 7), 2, 0) == 2
    with pytest.raises(ValueError, match=r"picks 7, and the options are \[2, 5\]"):
        choose(script, ints(2, 5, 7), ints(0, 0, 0), 2, 0, 0)
