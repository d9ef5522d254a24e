"""Pools of dice: the exact law against icepool's fractions, and its inverse against the exact law."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any

import icepool
import numba
import numpy as np
import pytest

from simcore.dice import (
    _BITS,
    POOL_MAX,
    at_least,
    compile_laws,
    draw,
    joint,
    ladder,
    roll,
    successes,
    tops,
)
from simcore.kernels import blank, plain
from simcore.streams import STREAM, Script, word

FACES = tuple((success, max(top, success)) for success in range(2, 11) for top in (9, 10, 11))
LAWS = compile_laws(10, FACES)


@numba.njit
def draws(laws, law, dice, words, results):
    for i in range(words.shape[0]):
        results[i] = draw(laws, law, dice, words[i])


def results_of(law: int, dice: int, bits: Any) -> Any:
    """The compiled results for 53-bit words: rows of (is a hit, tops, successes), the order of the ladder."""
    results = np.empty(len(bits), np.int64)
    draws(LAWS, law, dice, bits.astype(np.uint64) << np.uint64(64 - _BITS), results)
    hits, top = results >> 6, results & 63
    return np.stack([(hits > 0).astype(np.int64), top, hits], axis=1)


def thresholds(dice: int, faces: tuple[int, int]) -> list[int]:
    """The 53-bit words at which the result of a pool changes, from exact integers."""
    below, found = 0, [0]
    for _, _, ways in ladder(dice, 10, *faces):
        below += ways
        found.append((below << _BITS) // 10**dice)
    return found


def icepools(success: int, top: int) -> Iterator[dict[tuple[int, int], Fraction]]:
    """The exact laws of 1, 2, ... POOL_MAX ten-sided dice as icepool has them."""
    die = icepool.d(10).map(lambda face: icepool.Vector((int(face >= success), int(face >= top))))
    for pool in accumulate([die] * POOL_MAX):
        yield {tuple(outcome): Fraction(ways, pool.denominator()) for outcome, ways in pool.items()}


@pytest.mark.parametrize("success", range(2, 11))
def test_the_law_is_icepools_law(success: int) -> None:
    for top in {max(success, 8), 9, 10, 11} - set(range(success)):
        for dice, exact in enumerate(icepools(success, top), start=1):
            ours = {(hit, many): Fraction(ways, 10**dice) for hit, many, ways in ladder(dice, 10, success, top)}
            assert ours == exact
            law = np.zeros((dice + 1, dice + 1))
            for place, chance in exact.items():
                law[place] = chance
            assert np.abs(joint(dice, 10, success, top) - law).max() <= 1e-12


@pytest.mark.parametrize("dice", range(1, POOL_MAX + 1))
def test_the_ways_sum_to_all_rolls(dice: int) -> None:
    for success, top in FACES:
        assert sum(ways for _, _, ways in ladder(dice, 10, success, top)) == 10**dice
        assert joint(dice, 10, success, top).sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("dice", range(1, POOL_MAX + 1))
def test_at_least_so_many_are_the_nearest_floats(dice: int) -> None:
    """FN6: summed as whole ways, so that a certain event has the chance 1; sums of floats miss it."""
    missed = 0
    for success, top in ((1, 1), (1, 10), *FACES, (11, 11)):
        law = {(hit, many): Fraction(ways, 10**dice) for hit, many, ways in ladder(dice, 10, success, top)}
        for place, chances in enumerate(at_least(dice, 10, success, top)):
            exact = [sum(p for outcome, p in law.items() if outcome[place] >= k) for k in range(dice + 1)]
            assert chances == [float(one) for one in exact] and chances[0] == 1
        missed += joint(dice, 10, success, top).sum() != 1
    assert missed or dice < 2


def test_six_sides_count_not_ones_and_hits() -> None:
    assert dict(((s, t), ways) for s, t, ways in ladder(2, 6, 2, 3)) == {
        (0, 0): 1,
        (1, 0): 2,
        (1, 1): 8,
        (2, 0): 1,
        (2, 1): 8,
        (2, 2): 16,
    }


def test_rungs_run_from_a_miss_upwards() -> None:
    rungs = [(hits, top) for hits, top, _ in ladder(2, 10, 7, 10)]
    assert rungs == [(0, 0), (1, 0), (2, 0), (1, 1), (2, 1), (2, 2)]


@pytest.mark.parametrize("pool", [(0, 10, 7, 9), (1, 1, 1, 1), (1, 10, 0, 9), (1, 10, 9, 8), (1, 10, 7, 12)])
def test_no_such_pool(pool: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="no such pool"):
        ladder(*pool)


@pytest.mark.parametrize("law", range(len(FACES)), ids=str)
def test_every_threshold_gives_the_exact_rung(law: int) -> None:
    for dice in range(1, POOL_MAX + 1):
        marks = thresholds(dice, FACES[law])
        rungs = [(int(s > 0), t, s) for s, t, _ in ladder(dice, 10, *FACES[law])]
        held = [(start, end, rung) for (start, end), rung in zip(pairwise(marks), rungs, strict=True) if end > start]
        first = results_of(law, dice, np.array([start for start, _, _ in held]))
        last = results_of(law, dice, np.array([end - 1 for _, end, _ in held]))
        expected = np.array([rung for _, _, rung in held])
        assert (first == expected).all() and (last == expected).all()
        assert marks[-1] == 1 << _BITS


@pytest.mark.parametrize("law", range(len(FACES)), ids=str)
def test_one_die_more_never_gives_a_worse_result(law: int) -> None:
    for dice in range(1, POOL_MAX):
        marks = np.array(thresholds(dice, FACES[law]) + thresholds(dice + 1, FACES[law]))
        bits = np.unique(np.concatenate([marks[marks < 1 << _BITS], marks[marks > 0] - 1]))
        fewer, more = results_of(law, dice, bits), results_of(law, dice + 1, bits)
        rank = np.array([1 << 20, 1 << 10, 1])
        assert (more @ rank >= fewer @ rank).all()


def test_compiled_draws_are_the_plain_ones() -> None:
    words = np.array([word(3, i) for i in range(200)], np.uint64)
    for law, dice in ((0, 1), (4, 5), (26, POOL_MAX)):
        results = np.empty(len(words), np.int64)
        draws(LAWS, law, dice, words, results)
        assert results.tolist() == [int(plain(draw)(LAWS, law, dice, int(one))) for one in words]


def test_a_roll_with_a_stream_is_a_draw() -> None:
    @numba.njit
    def compiled(stream, laws, law, dice, random_word):
        return roll(stream, laws, law, dice, random_word)

    stream, one = blank(STREAM), np.uint64(word(3, 1))
    assert compiled(stream, LAWS, 4, 5, one) == roll(stream, LAWS, 4, 5, one) == draw(LAWS, 4, 5, one)


def test_a_script_gives_the_printed_faces() -> None:
    script = Script(faces=[1, 3, 4, 7, 9, 5])
    both = roll(script, LAWS, FACES.index((9, 9)), 5, 0)
    assert (successes(both), tops(both)) == (1, 1)
    miss = roll(script, LAWS, FACES.index((9, 9)), 1, 0)
    assert (successes(miss), tops(miss)) == (0, 0)
    again = roll(Script(faces=[1, 3, 4, 7, 9]), LAWS, FACES.index((7, 10)), 5, 0)
    assert (successes(again), tops(again)) == (2, 0)
    with pytest.raises(IndexError):
        roll(script, LAWS, 0, 1, 0)
