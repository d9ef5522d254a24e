"""Confidence sequences: intervals that hold at every look at once, and the verdicts that rest on them.

An ordinary 95 % interval is right for one look at a number of games fixed before. A run that looks again and again,
and stops when it likes what it sees, needs a *sequence*: with a chance of 1 - alpha it holds the truth at all looks
together. So a verdict may be taken at the first look that gives one, and the interval of that look, or of any later
one, is honest. Intervals are those of one look: meeting them with earlier ones would tighten a few, but then the
interval could not be made again from the counts alone.

**The betting sequence** (`interval`, `judge`; Waudby-Smith and Ramdas 2024, "Estimating means of bounded random
variables by betting") is for a mean of values in a known range, here taken to 0..1. Someone who doubts that the mean
is at most m bets the fraction c of the capital on every game and has, after a game that gave v,
1 - c + c v / m times as much. BETS are shared out between fixed fractions by WEIGHTS, so that the whole capital is a
mixture of products, one factor a game, and depends on nothing but how many games gave each value. The lower end is
the m at which it is worth 2 / alpha: it falls as m rises, so that this is one root. The upper end is the lower end of
1 - v, turned around.

*Why it is valid, seats and all.* Games come in blocks, one game of each of k seatings, all independent, with means
m_1 .. m_k that may be as unlike as they please; the truth m is their mean. A bet's factors over one block have the
expectation prod(1 - c + c m_s / m) <= (sum(1 - c + c m_s / m) / k)^k = 1, as a geometric mean is never above the
arithmetic one. So at the true mean the capital after whole blocks is a nonnegative supermartingale that starts at 1,
and so is the mixture; by Ville's inequality it ever reaches 2 / alpha with a chance of at most alpha / 2, and two
sides make alpha. Nothing must be known of the seats, and nothing be counted for each of them. The price: the spread
between seats counts as if it were luck, and seats of +-15 points around one half make an interval 5 % wider than it
need be. The same holds for games pooled over cells that have all played equally many blocks; it does NOT hold in the
middle of a block, nor where one cell has played more than another.

**The gap of a role to the mean of its field** (`field_of`, `gaps`) has no fixed reference: it lies between the ends of
two betting sequences, that of the role's own mean and that of the field's, which share the level. Nothing is assumed
of how the two depend on each other, so that it is as valid as they are, at any level and for the rarest shares. The
field's mean counts each game once, as what all members of it bring together, taken for wins and losses: as the
logarithm is concave, no capital grows faster by that, however a game's value lies between 0 and 1.

**The asymptotic sequence** (`asymptotic`; Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2024, "Time-uniform central
limit theory and asymptotic confidence sequences", a normal mixture) is for what has no known range, such as scores.
It works on the means of blocks, and is right for many of them only: at least LEAST_BLOCKS, and reports mark it. No
verdict rests on it, as small levels need far more: a rare share, 2 games in 1,000, was missed in 3 % of experiments
at a level of 0.11 %. At 5 % it begins late for rare events (LEAST_SPREAD), which would else be missed in 8 %. A hard
case, a score that is 20 times its mean in 1 or 2 games of 100, was missed at one of 100 looks in 5.1 % of 2,000
experiments.

Measured over 2,000 experiments that look at 1,200 games and then at 1.25 times as many each: a share of 52 % is told
from 50 % after 7,800 games at tolerance 0 and 27,900 at 1 point (means), and 50 % is called balanced at 1 point after
41,700. With equal WEIGHTS it takes 8,800, 35,200 and 51,200 games, and twice as many fractions between the same ends
gain nothing. The interval of one look is 1.6 to 2 times as wide as an ordinary one from 1,200 to 10 million games.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize.elementwise import find_root
from scipy.special import ndtri

from simcore.game import SHARE

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.str_]

ALPHA = 0.05
FIRST_LOOK, RATIO = 1_200, 1.25

SHARES: Floats = np.arange(SHARE + 1) / SHARE
"""The values behind counts of shares: 0 to 60 of 60."""
DIFFERENCES: Floats = np.arange(-SHARE, SHARE + 1) / SHARE
"""The values behind counts of differences of two shares: -60 to 60 of 60."""

_DOUBLINGS = np.arange(-12.0, 0.0)
BETS: Floats = 2.0**_DOUBLINGS
"""The fractions that are bet: small ones tell close means apart in many games, large ones unlike means in few."""
WEIGHTS: Floats = 2.0 ** -abs(_DOUBLINGS + 6)
"""What part of the capital each fraction has, scaled to 1: most 1 / 64, best for runs of about 30,000 games, and half
as much with each doubling or halving from there."""
_LOG_WEIGHTS = np.log(WEIGHTS / WEIGHTS.sum())

OF_FIELD = 0.1
"""What part of the level the mean of the field has, whose games are so many that it is narrow all the same."""

LEAST_BLOCKS = 100
LEAST_SPREAD = 30
"""How far games must lie from their mean, in sum of squares, before a mean of whole numbers has a sequence: as many as
these at most differ from the rest before."""
TIGHTEST = 1_000
"""At how many blocks an asymptotic sequence is tightest, compared with an ordinary interval."""

_NEARLY_NONE = 1e-12  # no mean is looked for below this part of the range
_FAR = 1e4  # times the games played: what would need more than that is said never to be decided


def looks(block: int, at_most: int, at_least: int = 1, first: int = FIRST_LOOK, ratio: float = RATIO) -> list[int]:
    """The numbers of games at which a cell is looked at, rising, each in whole blocks of `block` games.

    They are `first` and then `ratio` times more each, whatever the limits: of these the ones from `at_least` to
    `at_most`, then `at_most` itself; and `at_least`, where it is above `first`. All are rounded up to blocks.
    ValueError unless block, first >= 1, ratio > 1 and 1 <= at_least <= at_most.
    """
    if block < 1 or first < 1 or ratio <= 1 or not 1 <= at_least <= at_most:
        raise ValueError(f"no looks: block {block}, first {first}, ratio {ratio}, from {at_least} to {at_most} games")
    last, size, found = _whole(at_most, block), float(first), set[int]()
    start = min(_whole(max(at_least, first), block), last)
    while last not in found:
        found.add(min(max(_whole(size, block), start), last))
        size *= ratio
    return sorted(found)


def _whole(games: float, block: int) -> int:
    """So many games, rounded up to whole blocks."""
    return math.ceil(games / block) * block


# ---------------------------------------------------------------- the betting sequence


def interval(counts: npt.ArrayLike, values: Floats = SHARES, alpha: float = ALPHA) -> tuple[Floats, Floats]:
    """The interval of the mean at one look, by the betting sequence at level alpha: (low, high).

    counts: int [..., V], how many games gave each of `values` [V] (any order; the least and the greatest must be
    the ends of the possible range), in whole blocks; alpha: 0 < alpha < 1, divided by the number of verdicts that
    stand together. low, high: float [...], NaN where there are no games.
    """
    seen, unit, least, width = _unit(counts, values)
    many = seen.sum(axis=-1)
    rows = seen.reshape(-1, len(unit))
    low, mirrored = (_lower(rows, side, alpha).reshape(many.shape) for side in (unit, 1 - unit))
    ends = least + width * low, least + width * (1 - mirrored)
    return np.where(many > 0, ends[0], np.nan), np.where(many > 0, ends[1], np.nan)


def log_capital(counts: Floats, values: Floats, mean: npt.ArrayLike) -> Floats:
    """The logarithm of what 1 has become for those who bet that the true mean is above `mean`.

    counts: [..., V], how many games gave each of `values` [V], which lie in 0..1; mean: [...] or one number, above
    0 and up to 1. It falls as `mean` rises, from infinity (if any value was above 0) to at most 0 at the mean seen.
    """
    return _together(_log_capitals(counts, values, mean))


def _log_capitals(counts: Floats, values: Floats, mean: npt.ArrayLike) -> Floats:
    """The log capital of each bet on its own: [bets, ...]."""
    odds = values / np.asarray(mean, np.float64)[..., None] - 1
    return np.stack([np.vecdot(counts, np.log1p(bet * odds)) for bet in BETS])


def _together(logs: Floats) -> Floats:
    """The log of the whole capital, from those of the bets [bets, ...]: their weighted sum."""
    weights = _LOG_WEIGHTS.reshape(-1, *[1] * (logs.ndim - 1))
    return np.asarray(np.logaddexp.reduce(logs + weights, axis=0))


def _unit(counts: npt.ArrayLike, values: Floats) -> tuple[Floats, Floats, float, float]:
    """Counts of the values that occur, those values taken to 0..1, and the range: its least value and width."""
    counts = np.asarray(counts)
    least, width = float(values.min()), float(np.ptp(values))
    used = counts.any(axis=tuple(range(counts.ndim - 1))) | (values == values.min())
    return counts[..., used].astype(np.float64), (values[used] - least) / width, least, width


def _wanted(alpha: float) -> float:
    """The log capital that refutes a mean: each side has half of alpha."""
    return math.log(2 / alpha)


def _lower(counts: Floats, values: Floats, alpha: float) -> Floats:
    """The lower end for each row of counts; 0 where there are no games, or hardly any value above 0."""

    def excess(mean: Floats, row: Ints) -> Floats:
        return log_capital(counts[row], values, mean) - _wanted(alpha)

    low, many = np.zeros(len(counts)), counts.sum(axis=-1)
    means = (counts @ values) / np.where(many > 0, many, 1)
    rows = np.flatnonzero(means > _NEARLY_NONE)
    rows = rows[excess(np.full(len(rows), _NEARLY_NONE), rows) > 0]
    if len(rows):
        # at the mean seen no bet has won anything, so that the root lies below it
        low[rows] = find_root(excess, (_NEARLY_NONE, means[rows]), args=(rows,), tolerances={"xatol": 1e-12}).x
    return low


# ---------------------------------------------------------------- verdicts


def verdict(low: npt.ArrayLike, high: npt.ArrayLike, least: npt.ArrayLike, most: npt.ArrayLike) -> Words:
    """The verdicts on numbers whose intervals are low to high, elementwise: "too strong" where the interval lies
    above `most`, "too weak" below `least`, "balanced" within both, else (and for NaN) "undecided".
    """
    low, high = np.asarray(low, np.float64), np.asarray(high, np.float64)
    return _words(low > most, high < least, (low >= least) & (high <= most))


def judge(
    counts: npt.ArrayLike,
    least: npt.ArrayLike,
    most: npt.ArrayLike,
    values: Floats = SHARES,
    alpha: float = ALPHA,
) -> Words:
    """The verdicts that `interval` leads to, without its roots: ten times faster, for looks at many cells.

    counts, values, alpha as for `interval`; least, most: the ends of what is balanced, one number or [...].
    """
    seen, unit, floor, width = _unit(counts, values)
    low, high = ((np.asarray(edge, np.float64) - floor) / width for edge in (least, most))
    strong, weak = _refuted(seen, unit, high, alpha), _refuted(seen, 1 - unit, 1 - low, alpha)
    from_low, to_high = _refuted(seen, unit, low, alpha), _refuted(seen, 1 - unit, 1 - high, alpha)
    inside = (from_low | (low <= 0)) & (to_high | (high >= 1)) & (seen.sum(axis=-1) > 0)
    return _words(strong, weak, inside)


def _words(strong: Any, weak: Any, inside: Any) -> Words:
    return np.select([strong, weak, inside], ["too strong", "too weak", "balanced"], "undecided")


def _refuted(counts: Floats, values: Floats, edge: Floats, alpha: float) -> npt.NDArray[np.bool_]:
    """Whether it is refuted that the mean of values in 0..1 is at most `edge`."""
    refuted = log_capital(counts, values, np.maximum(edge, _NEARLY_NONE)) > _wanted(alpha)
    return np.asarray(refuted | ((edge < 0) & (counts.sum(axis=-1) > 0)))


def games_to_go(
    counts: npt.ArrayLike,
    least: npt.ArrayLike,
    most: npt.ArrayLike,
    values: Floats = SHARES,
    alpha: float = ALPHA,
) -> Floats:
    """About how many more games would decide, if they go as the ones so far; arguments as for `judge`.

    float [...], whole numbers: 0 where it is decided; NaN where no number would (the mean seen is an edge, or so near
    that 10,000 times as many games would not), and where there are no games.
    """
    seen, unit, floor, width = _unit(counts, values)
    many = seen.sum(axis=-1)
    low, high = (np.broadcast_to((np.asarray(edge) - floor) / width, many.shape) for edge in (least, most))
    mean = (seen @ unit) / np.where(many > 0, many, 1)
    rise, fall = np.where(mean > high, high, low), np.where(mean < low, low, high)
    times = np.maximum(
        np.where((mean < low) | (rise <= 0), 1.0, _times(seen, unit, rise, alpha)),
        np.where((mean > high) | (fall >= 1), 1.0, _times(seen, 1 - unit, 1 - fall, alpha)),
    )
    times = np.where((many > 0) & (times <= _FAR), times, np.nan)
    return np.asarray(np.ceil(many * (times - 1)))


def _times(counts: Floats, values: Floats, edge: Floats, alpha: float) -> Floats:
    """How many times the games seen would refute that the mean is at most `edge`: 1 and up, infinite above _FAR."""
    won = _log_capitals(counts, values, np.clip(edge, _NEARLY_NONE, 1)).reshape(len(BETS), -1)

    def excess(times: Floats, row: Ints) -> Floats:
        return _together(times * won[:, row]) - _wanted(alpha)

    return _growth(excess, won.shape[1]).reshape(counts.shape[:-1])


def _growth(excess: Callable[[Floats, Ints], Floats], many: int) -> Floats:
    """How many times as many games each of `many` rows needs until `excess(times, row)` is above 0: 1 and up,
    infinite (or NaN as `excess` is) where _FAR times as many are not enough.
    """
    rows = np.arange(many)
    now, late = (excess(np.full(many, times), rows) for times in (1.0, _FAR))
    found = np.where(now > 0, 1.0, np.where(np.isnan(now), np.nan, np.inf))
    rows = np.flatnonzero((now <= 0) & (late > 0))
    if len(rows):
        ends, tolerances = (0.0, math.log(_FAR)), {"xatol": 1e-9}
        root = find_root(lambda size, row: excess(np.exp(size), row), ends, args=(rows,), tolerances=tolerances)
        found[rows] = np.exp(root.x)
    return found


# ---------------------------------------------------------------- how far a role lies from its field


@dataclass(frozen=True)
class Field:
    """The mean of the roles of a side, as games saw it: that of a number in 0..1, summed up over some games, times
    `scale`.
    """

    total: Floats
    games: Floats
    scale: float


def field_of(roles: Ints, total: Floats, games: int, together: bool) -> Field:
    """The mean of all roles of a side, where a role's number is the mean over its cells.

    roles: int [cells, members], who sits in each cell, 0..roles-1, each somewhere, -1 for nobody; total: [cells,
    members], sums of each member's value, 0..1 a game (axes before these are runs of their own); games: of each cell;
    together: whether several members of one game may have 1 each, else their values sum to at most 1.
    """
    count = np.bincount(roles[roles >= 0])
    weights = (roles >= 0) / (count[roles] * len(count))
    most = float((weights.sum(axis=1) if together else weights.max(axis=1)).max())
    whole = np.asarray((weights * total).sum(axis=(-2, -1)) / most)
    return Field(whole, np.array(float(games * len(roles))), most * len(roles))


def gaps(counts: npt.ArrayLike, values: Floats, field: Field, alpha: float = ALPHA) -> tuple[Floats, Floats]:
    """The intervals of how far roles lie from the mean of their field, at one look: (low, high), float [...].

    counts, values: of each role's own games, as for `interval`; field: of all roles, or one for each row of counts;
    alpha: OF_FIELD of it is the field's.
    """
    low, high = interval(counts, values, alpha * (1 - OF_FIELD))
    seen = np.stack([np.maximum(field.games - field.total, 0), field.total], axis=-1)
    least, most = interval(seen, np.array([0.0, 1.0]), alpha * OF_FIELD)
    return low - field.scale * most, high - field.scale * least


def gap_games_to_go(counts: Ints, values: Floats, field: Field, edge: float, alpha: float = ALPHA) -> Floats:
    """About how many more games of each role would tell on which side of -edge and edge its gap lies, or that it lies
    between them, if all go on as they went: float [roles], whole numbers, as `games_to_go`.
    """
    many = counts.sum(axis=-1)

    def excess(times: Floats, row: Ints) -> Floats:
        further = Field(field.total * times, field.games * times, field.scale)
        low, high = gaps(counts[row] * times[:, None], values, further, alpha)
        return np.asarray(np.maximum(np.maximum(low - edge, -edge - high), np.minimum(low + edge, edge - high)))

    times = _growth(excess, len(many))
    return np.asarray(np.where(np.isfinite(times), np.ceil(many * (times - 1)), np.nan))


# ---------------------------------------------------------------- variants on the same dice


def differences(joint: npt.ArrayLike, worth: Floats = SHARES) -> tuple[Ints, Floats]:
    """What a change did to a share, game by game: (counts, values) for `interval`, `judge` and `games_to_go`.

    joint: int [..., 61, 61], how many games gave each share of the baseline (first) together with each share of the
    variant; worth: what each share counts as, 0..1. A game's value is the variant's worth less the baseline's.
    counts: int64 [..., V]; values: float [V], rising, from -1 to 1.
    """
    gaps = (worth - worth[:, None]).round(12).ravel()
    order = np.argsort(gaps, kind="stable")
    values, starts = np.unique(gaps[order], return_index=True)
    joint = np.asarray(joint, np.int64)
    flat = joint.reshape(*joint.shape[:-2], len(gaps))
    return np.add.reduceat(flat[..., order], starts, axis=-1), values


@dataclass(frozen=True)
class Saved:
    """How many times fewer games a pairing needed, and the ends of its 95 % interval."""

    value: float
    low: float
    high: float


def saved(joint: npt.ArrayLike, worth: Floats = SHARES) -> Saved | None:
    """How many times fewer games a change needs when played on the same dice than in runs of their own, for the same
    precision: the variance of an independent difference over that of the paired one.

    joint, worth: as for `differences`, at least one game; leading axes are strata (seatings, cells) whose means may
    be unlike: their spread counts on neither side. None where no two games differ in what the change did, above all
    where it changed none. The interval is the delta method's on the logarithm.
    """
    strata = np.asarray(joint, np.float64).reshape(-1, len(worth), len(worth))
    strata = strata[strata.any(axis=(1, 2))]
    many = strata.sum(axis=(1, 2))
    base = worth[:, None] - ((strata.sum(axis=2) @ worth) / many)[:, None, None]
    variant = worth - ((strata.sum(axis=1) @ worth) / many)[:, None, None]
    alone, paired = base**2 + variant**2, (variant - base) ** 2
    whole, rest = (strata * alone).sum(), (strata * paired).sum()
    if rest <= 1e-12 * many.sum():
        return None
    each = alone / whole - paired / rest
    half = float(ndtri(1 - ALPHA / 2) * np.sqrt((strata * each**2).sum()))
    ratio = float(whole / rest)
    return Saved(ratio, ratio * math.exp(-half), ratio * math.exp(half))


# ---------------------------------------------------------------- the asymptotic sequence


def asymptotic(
    value: npt.ArrayLike, variance: npt.ArrayLike, blocks: npt.ArrayLike, alpha: float = ALPHA
) -> tuple[Floats, Floats]:
    """The interval of the mean at one look, by the asymptotic sequence at level alpha, elementwise: (low, high).

    value: the mean seen; variance: that of one block; blocks: how many. NaN below LEAST_BLOCKS, and where no spread
    was seen, as the normal law then says nothing. The mixture's rho is set to be tightest at TIGHTEST blocks.
    """
    half = np.where(np.asarray(blocks) >= LEAST_BLOCKS, _half_width(variance, blocks, alpha), np.nan)
    mean = np.asarray(value, np.float64)
    return mean - half, mean + half


def means_sequence(
    total: npt.ArrayLike, square: npt.ArrayLike, games: npt.ArrayLike, block: int = 1, alpha: float = ALPHA
) -> tuple[Floats, Floats]:
    """The asymptotic sequence of means of whole numbers, from sums and sums of squares over games in blocks: (low,
    high), NaN where games are few, or hardly any differs from the others (LEAST_BLOCKS, LEAST_SPREAD).

    Each game counts as one of a block, so that what seats differ makes the interval wider, not wrong.
    """
    sums, squares, n = (np.asarray(part, np.float64) for part in (total, square, games))
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = sums / n
        apart = np.maximum(squares - sums * mean, 0)
        low, high = asymptotic(mean, apart / (n - 1) / block, n // block, alpha)
    seen = apart >= LEAST_SPREAD
    return np.where(seen, low, np.nan), np.where(seen, high, np.nan)


def _half_width(variance: npt.ArrayLike, blocks: npt.ArrayLike, alpha: float) -> Floats:
    spread, many = np.asarray(variance, np.float64), np.asarray(blocks, np.float64)
    strength = -2 * math.log(alpha)
    age = many * (strength + math.log(strength + 1)) / TIGHTEST
    with np.errstate(divide="ignore", invalid="ignore"):
        half = np.sqrt(spread / many * (age + 1) / age * (strength + np.log(age + 1)))
    return np.where(spread > 0, half, np.nan)
