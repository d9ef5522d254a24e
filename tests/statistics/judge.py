"""How the statistical tests judge: a false alarm has a chance of at most ALPHA, and seeds are fixed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import comb, prod
from typing import Any

import numpy as np
from scipy import stats

ALPHA = 1e-6


def fits(counts: Any, chances: Any, least: float = 5) -> bool:
    """Whether counts agree with chances by a chi-square test at ALPHA.

    Cells that expect fewer than `least` are taken together. A count where nothing is possible never fits; a single
    cell always does.
    """
    counts, expected = np.ravel(counts).astype(float), np.ravel(chances) * np.sum(counts)
    if (counts[expected == 0] > 0).any():
        return False
    rare = expected < least
    counts = np.append(counts[~rare], counts[rare].sum())
    expected = np.append(expected[~rare], expected[rare].sum())
    if expected[-1] < least:
        counts[-2], expected[-2] = counts[-2:].sum(), expected[-2:].sum()
        counts, expected = counts[:-1], expected[:-1]
    if len(counts) == 1:
        return True
    return bool(stats.chi2.sf(((counts - expected) ** 2 / expected).sum(), len(counts) - 1) > ALPHA)


def hypergeometric(stock: Sequence[int], drawn: int) -> dict[tuple[int, ...], float]:
    """Every way to draw so many cards from some of each kind, and its chance."""
    ways = {
        take: prod(map(comb, stock, take))
        for take in product(*(range(min(many, drawn) + 1) for many in stock))
        if sum(take) == drawn
    }
    return {take: many / comb(sum(stock), drawn) for take, many in ways.items()}


def agree(rows: Any, law: Mapping[tuple[int, ...], float]) -> bool:
    """Whether rows of counts come as often as a law says."""
    places = {take: place for place, take in enumerate(law)}
    found, many = np.unique(rows, axis=0, return_counts=True)
    counts = np.zeros(len(law), np.int64)
    for take, times in zip(found.tolist(), many, strict=True):
        if tuple(take) not in places:
            return False
        counts[places[tuple(take)]] = times
    return fits(counts, np.array(list(law.values())))
