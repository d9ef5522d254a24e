"""Pools drawn by compiled code against the exact law, and planted dice that are caught."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from simcore.dice import compile_laws, draw, joint
from simcore.streams import word
from tests.statistics.judge import fits

FACES = tuple((success, top) for success in (5, 7, 9) for top in (9, 10) if top >= success)
LAWS = compile_laws(10, FACES)
DRAWS = 2_000_000


@numba.njit
def count_pools(laws, law, dice, draws, key, counts):
    for i in range(draws):
        result = draw(laws, law, dice, word(key, i))
        counts[result >> 6, result & 63] += 1


def counted(law: int, dice: int) -> Any:
    """How often each (successes, tops) comes out of DRAWS pools."""
    counts = np.zeros((dice + 1, dice + 1), np.int64)
    count_pools(LAWS, law, dice, DRAWS, np.uint64(1000 * law + dice), counts)
    return counts


@pytest.mark.parametrize("dice", [1, 2, 3, 5, 8, 13, 30])
@pytest.mark.parametrize("law", range(len(FACES)), ids=lambda law: str(FACES[law]))
def test_pools_follow_the_exact_law(law: int, dice: int) -> None:
    assert fits(counted(law, dice), joint(dice, 10, *FACES[law]))


@pytest.mark.parametrize("dice", [1, 2, 5, 12])
@pytest.mark.parametrize("law", range(len(FACES)), ids=lambda law: str(FACES[law]))
def test_a_planted_die_is_caught(law: int, dice: int) -> None:
    success, top = FACES[law]
    counts = counted(law, dice)
    wider = np.pad(counts, (0, 1))
    assert not fits(wider, joint(dice + 1, 10, success, top)), "one die more"
    assert not fits(counts, joint(dice, 10, success - 1, top)), "success from one face lower"
    assert not fits(counts, joint(dice, 10, success, top + 1)), "tops from one face higher"
    assert not fits(counts, joint(dice, 11, success, top)), "one side more"
