"""Intervals for a fixed number of games: the first floats of the project.

Three kinds of 95 % interval. `wilson` (Wilson 1927) is for rates and shares, right near 0 and 1. A share has
more than two values (a draw is worth half), so its variance is that of a rate times the dispersion seen,
drawn towards 1 with the weight of z^2 games; for a share of only 0 and 1 this is Wilson's interval exactly.
`student` (Student 1908) is for means of numbers without a known range, `paired` for what a variant changes. These two
rest on the spread that was seen: where all games gave the same, and for a single game, there is none (NaN), however
many games there are. Under FEW games Student's is named `student_few`, as it is too narrow where rare games give
much. 0 of 0 has neither value nor interval (NaN).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtrit

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

Z = float(ndtri(0.975))

FEW = 30
"""Under so many games the interval of a mean is shown with a warning: the mean is not near to normal where single games
count much (of 10 in 1 game of 20, else 0 or 1, the interval covers in 79 % over 30 games, 91 % over 100)."""


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
    """Student's interval of means from sums and sums of squares of whole numbers: (low, high), NaN for under two games
    and where all games gave the same.
    """
    n = games.astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = total / n
        spread = square - total * mean
        half = stdtrit(n - 1, 0.975) * np.sqrt(spread / (n - 1) / n)
        half = np.where((n > 1) & (spread > 0), half, np.nan)
    return mean - half, mean + half


def means_kinds(low: Floats, games: Ints) -> npt.NDArray[np.str_]:
    """What the intervals of `means_interval` are called: "student", "student_few" under FEW games, "" where there is
    none.
    """
    return np.select([np.isnan(low), games < FEW], ["", "student_few"], "student")


def combined(weights: npt.ArrayLike, value: npt.ArrayLike, low: npt.ArrayLike, high: npt.ArrayLike) -> list[float]:
    """A sum of independent numbers, each by its weight, with its interval made of theirs: [value, low, high].

    The distances of their ends are added as standard errors are (Zou and Donner 2008), whatever kind they are.
    """
    w, v, least, most = (np.asarray(one, np.float64) for one in (weights, value, low, high))
    middle, below, above = w * v, np.minimum(w * least, w * most), np.maximum(w * least, w * most)
    half = [np.sqrt(((end - middle) ** 2).sum()) for end in (below, above)]
    whole = middle.sum()
    return [float(whole), float(whole - half[0]), float(whole + half[1])]


def paired_interval(total: Floats, square: Floats, ends: tuple[Floats, Floats], games: Ints) -> tuple[Floats, Floats]:
    """The interval of mean differences of -1..1 from sums and sums of squares: (low, high), NaN where all games differ
    by the same, as where none changed.

    ends: the least and the greatest difference seen. Two games more are counted, one that gained and one that lost as
    much as any game seen (Bonett and Price 2012, who have differences of 1 alone): with few changes seen, the spread
    seen is as often too small as too large.
    """
    n, (least, most) = games.astype(np.float64) + 2, ends
    size, mean = np.maximum(-least, most), total / n
    half = Z * np.sqrt(np.maximum((square + 2 * size**2) / n - mean**2, 0) / n)
    same = (games < 2) | (most - least < 1e-9)
    return np.where(same, np.nan, np.maximum(mean - half, -1)), np.where(same, np.nan, np.minimum(mean + half, 1))
