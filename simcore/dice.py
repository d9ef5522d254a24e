"""A pool of dice: the exact law of (dice at or above one face, dice at or above a higher one), and one draw from it.

Successes and tens in Waste Knights, dice that are not ones and hits in The Waste of Parts. The outcomes of a pool
are ordered by what they do (miss, hit, more tens, more successes), and one word picks one through the inverse law.
As one die more can only move a result up that order, the same word never gives a worse result with more dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from math import comb
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from simcore.kernels import blank, index, kernel, record
from simcore.streams import Script, bounded, upper_bits

POOL_MAX = 30
"""Most dice that a compiled pool can hold; the exact law has no limit."""

_BITS, _CUT_BITS, _PACK = 53, 6, 64
_CUTS = 1 << _CUT_BITS
_OUTCOMES = sum((n + 1) * (n + 2) // 2 for n in range(1, POOL_MAX + 1))

Outcome = tuple[int, int, int]


@cache
def ladder(dice: int, sides: int, success_from: int, top_from: int) -> tuple[Outcome, ...]:
    """Every (successes, tops, ways of `sides ** dice`) of a pool, worst first.

    dice 1 or more, sides 2 or more, 1 <= success_from <= top_from <= sides + 1. Ways are exact integers. A top is
    a die that shows `top_from` or more. Raises ValueError out of these ranges.
    """
    if dice < 1 or sides < 2 or not 1 <= success_from <= top_from <= sides + 1:
        raise ValueError(f"no such pool: {dice}d{sides}, success from {success_from}, top from {top_from}")
    tops, mids, fails = sides + 1 - top_from, top_from - success_from, success_from - 1
    found = [
        (s, t, comb(dice, s) * comb(s, t) * tops**t * mids ** (s - t) * fails ** (dice - s))
        for s in range(dice + 1)
        for t in range(s + 1)
    ]
    return tuple(sorted((row for row in found if row[2]), key=lambda row: (row[0] > 0, row[1], row[0])))


def joint(dice: int, sides: int, success_from: int, top_from: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The chance of each (successes, tops) as float64[dice + 1, dice + 1]; ranges as in `ladder`."""
    law = np.zeros((dice + 1, dice + 1))
    for successes, tops, ways in ladder(dice, sides, success_from, top_from):
        law[successes, tops] = ways / sides**dice
    return law


def at_least(dice: int, sides: int, success_from: int, top_from: int) -> tuple[list[float], list[float]]:
    """The chances of at least 0, 1, ... `dice` successes, and of at least so many tops; ranges as in `ladder`.

    Each is a whole number of ways divided once, so that it is the float nearest to the truth, and 1 where it is
    certain.
    """
    ways = [[0] * (dice + 1), [0] * (dice + 1)]
    for successes, tops, many in ladder(dice, sides, success_from, top_from):
        ways[0][successes] += many
        ways[1][tops] += many
    first, second = ([whole / sides**dice for whole in list(accumulate(own[::-1]))[::-1]] for own in ways)
    return first, second


def laws_dtype(many: int) -> np.dtype[Any]:
    """The record of `many` compiled laws, each for pools of 1..POOL_MAX dice."""
    return record(
        ("success_from", np.int64, many),
        ("top_from", np.int64, many),
        ("upper", np.int64, many * _OUTCOMES),
        ("result", np.int64, many * _OUTCOMES),
        ("cut", np.int64, (many, POOL_MAX + 1, _CUTS)),
    )


@cache
def compile_laws(sides: int, faces: tuple[tuple[int, int], ...]) -> Any:
    """The compiled laws of (success_from, top_from) pairs, for `roll`.

    Each pool's cumulative law is kept as 53-bit thresholds, rounded down from exact integers (so that the order
    between pool sizes is kept), and a table of 64 cut points says where the search for a word begins.
    """
    laws = blank(laws_dtype(len(faces)))
    place = 0
    for law, (success_from, top_from) in enumerate(faces):
        laws.success_from[law], laws.top_from[law] = success_from, top_from
        for dice in range(1, POOL_MAX + 1):
            place = _compile_pool(laws, (law, dice), place, ladder(dice, sides, success_from, top_from), sides)
    return laws


def _compile_pool(laws: Any, pool: tuple[int, int], place: int, rungs: Sequence[Outcome], sides: int) -> int:
    """Write one pool's thresholds, results and cut points from `place` on; returns the place after it."""
    law, dice = pool
    total, below, first = sides**dice, 0, place
    for successes, tops, ways in rungs:
        start, below = (below << _BITS) // total, below + ways
        end = (below << _BITS) // total
        if end > start:
            laws.upper[place], laws.result[place] = end, successes * _PACK + tops
            place += 1
    starts = np.arange(_CUTS, dtype=np.int64) << (_BITS - _CUT_BITS)
    laws.cut[law, dice] = first + np.searchsorted(laws.upper[first:place], starts, side="right")
    return place


@kernel
def draw(laws, law, dice, random_word):  # type: ignore[no-untyped-def]
    """One pool from one word: successes * 64 + tops. `law` is an index into `laws`, dice 1..POOL_MAX."""
    bits = upper_bits(random_word, _BITS)
    place = index(laws.cut[index(law), index(dice), index(bits >> (_BITS - _CUT_BITS))])
    while bits >= laws.upper[place]:
        place = index(place + 1)
    return laws.result[place]


@kernel
def successes(result):  # type: ignore[no-untyped-def]
    """The successes in a result of `roll`, tops included."""
    return result >> 6


@kernel
def tops(result):  # type: ignore[no-untyped-def]
    """The dice at or above the higher face in a result of `roll`."""
    return result & 63


def roll(stream: Any, laws: Any, law: Any, dice: Any, random_word: Any) -> Any:
    """Roll a pool: from the word by its law, or, with a `Script`, from the next faces of the script.

    Returns successes * 64 + tops. Ranges as in `draw`.
    """
    if isinstance(stream, Script):
        faces = stream.take_faces(int(dice))
        hits = sum(face >= laws.success_from[law] for face in faces)
        return int(hits) * _PACK + int(sum(face >= laws.top_from[law] for face in faces))
    return draw(laws, law, dice, random_word)


@overload(roll)
def _roll(stream, laws, law, dice, random_word):  # type: ignore[no-untyped-def]
    if isinstance(stream, types.Record):
        return lambda stream, laws, law, dice, random_word: draw(laws, law, dice, random_word)
    return None


def roll_die(stream: Any, sides: Any, random_word: Any) -> Any:
    """One die of so many sides: its face 1..sides from the word, or, with a `Script`, the next face of the script."""
    if isinstance(stream, Script):
        return int(stream.take_faces(1)[0])
    return 1 + bounded(random_word, sides)


@overload(roll_die)
def _roll_die(stream, sides, random_word):  # type: ignore[no-untyped-def]
    if isinstance(stream, types.Record):
        return lambda stream, sides, random_word: 1 + bounded(random_word, sides)
    return None
