"""Intervals for a fixed number of games: the first floats of the project.

Two kinds of 95 % interval. `wilson` (Wilson 1927) is for rates and shares, right near 0 and 1. A share has
more than two values (a draw is worth half), so its variance is that of a rate times the dispersion seen,
drawn towards 1 with the weight of z^2 games; for a share of only 0 and 1 this is Wilson's interval exactly.
`normal` is for means: the mean and 1.96 standard errors. `paired` is for what a variant changes. 0 of 0 has neither
value nor interval (NaN).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

Z = float(ndtri(0.975))


def wilson(hits: npt.ArrayLike, games: npt.ArrayLike, dispersion: npt.ArrayLike = 1.0) -> tuple[Floats, Floats]:
    """Wilson's 95 % interval of a rate, elementwise: (low, high), NaN where there are no games.

    hits: 0..games, whole or not (a sum of shares); games: how many; dispersion: the variance of one game's
    value as a part of that of a game that gives 0 or 1 with the same mean, above 0 and up to 1.
    """
    x, n = np.asarray(hits, np.float64), np.asarray(games, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        p, many = x / n, n / np.asarray(dispersion, np.float64)
        scale = 1 / (1 + Z**2 / many)
        centre = scale * (p + Z**2 / (2 * many))
        half = scale * Z * np.sqrt(p * (1 - p) / many + Z**2 / (4 * many**2))
        low, high = np.where(x == 0, 0.0, centre - half), np.where(x == n, 1.0, centre + half)
    empty = n == 0
    return np.where(empty, np.nan, np.maximum(low, 0.0)), np.where(empty, np.nan, np.minimum(high, 1.0))


def shares_interval(total: Floats, square: Floats, games: Ints) -> tuple[Floats, Floats]:
    """The interval of mean shares from sums and sums of squares of shares of 0..1: (low, high)."""
    n = games.astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = total / n
        plain = mean * (1 - mean)
        seen = np.where(plain > 0, np.clip((square / n - mean**2) / plain, 0, 1), 1.0)
    return wilson(total, games, (n * seen + Z**2) / (n + Z**2))


def means_interval(total: Floats, square: Floats, games: Ints) -> tuple[Floats, Floats]:
    """The interval of means from sums and sums of squares: (low, high), NaN for under two games."""
    n = games.astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = total / n
        spread = np.sqrt(np.maximum(square - total * mean, 0) / (n - 1))
        half = np.where(n > 1, Z * spread / np.sqrt(n), np.nan)
    return mean - half, mean + half


def combined(weights: npt.ArrayLike, value: npt.ArrayLike, low: npt.ArrayLike, high: npt.ArrayLike) -> list[float]:
    """A sum of independent numbers, each by its weight, with its interval made of theirs: [value, low, high].

    The distances of their ends are added as standard errors are (Zou and Donner 2008), whatever kind they are.
    """
    w, v, least, most = (np.asarray(one, np.float64) for one in (weights, value, low, high))
    middle, below, above = w * v, np.minimum(w * least, w * most), np.maximum(w * least, w * most)
    half = [np.sqrt(((end - middle) ** 2).sum()) for end in (below, above)]
    whole = middle.sum()
    return [float(whole), float(whole - half[0]), float(whole + half[1])]


def paired_interval(total: Floats, square: Floats, games: Ints) -> tuple[Floats, Floats]:
    """The interval of mean differences of -1..1 from sums and sums of squares: (low, high), NaN for no games.

    Two games more are counted, one that gained 1 and one that lost 1 (Bonett and Price 2012, for differences of any
    size): so it is never of no width, even where no game changed.
    """
    n = games.astype(np.float64) + 2
    mean = total / n
    half = Z * np.sqrt(np.maximum((square + 2) / n - mean**2, 0) / n)
    empty = games == 0
    return np.where(empty, np.nan, np.maximum(mean - half, -1)), np.where(empty, np.nan, np.minimum(mean + half, 1))
