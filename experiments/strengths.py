"""One strength for each role, from the orders in which lineups finished.

The model is Plackett and Luce's with Davidson's ties, as Firth, Kosmidis and Turner join them ("Davidson-Luce
model for multi-item choice with ties", 2019, arXiv:1909.07123); for two members it is Bradley and Terry's with the
ties of Davidson (1970). An order is a row of choices: who is first of all, who of the rest is next, and so on. Of those
still to be placed, a group S is next with a chance in proportion to d * (geometric mean of the strengths in S);
d is 1 for a single role, and for a tie its own number for each pair (how many tie, among how many still to be
placed). The paper has one number for how many tie; here a tie for the first place and one for the last are told
apart, since many games name a winner and let all others lose alike. A kind of tie that never happened has d = 0.

In the logarithms of strengths and ties the likelihood is concave: one summit, found by Newton's steps. The
prior, `WEAK`: each log-strength and log-tie is normal around 0 with a standard deviation of 3, so that a role
that nobody beat stays finite. It weighs less than one game, and centres the strengths: their mean log is 0.

`counts` everywhere: for each lineup (a tuple of 2 to 6 roles; a role may sit twice) how often its members finished
in which places: {("a", "b", "c"): {(1, 2, 2): 17, ...}}, 1 is first and equal numbers tie. Only who is before whom
counts: (1, 3, 3) is (1, 2, 2). Roles of different sides must differ by name.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate, combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import linalg
from scipy.optimize import minimize
from scipy.sparse.csgraph import connected_components
from scipy.special import log_softmax, ndtri, rel_entr
from scipy.stats import gamma

from experiments.intervals import shares_interval

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Counts = Mapping[tuple[str, ...], Mapping[tuple[int, ...], int]]
Kind = tuple[int, int]
Members = tuple[int, ...]

MOST_MEMBERS = 6
DRAWN, FEWEST = 4_000_000, 20
"""Counts of orders drawn anew at most, in all; how many draws there are in any case."""

BOUND, CLOSE, NEWTON_STEPS = 30.0, 1e-14, 60


class NoFit(ValueError):
    """No finite strengths explain the orders, or they were not found."""


@dataclass(frozen=True)
class Prior:
    """How far log-strengths and log-ties are thought to lie from 0: standard deviations, above 0."""

    strength: float = 3.0
    tie: float = 3.0


WEAK = Prior()


@dataclass(frozen=True)
class Fit:
    """The strengths that explain some counts best.

    strengths: each role's log-strength (their mean is 0; NaN for a role without games); ties: for each kind of
    tie that happened, (how many tie, among how many still to be placed), its d of the module's text, above 0;
    seats: the members of the largest lineup; prior: what it was fitted with.
    """

    strengths: dict[str, float]
    ties: dict[Kind, float]
    seats: int
    prior: Prior | None

    def shares(self) -> dict[str, float]:
        """What part of the first place each role gets at a table of `seats` whose other members are of average
        strength: 0..1, shared first places in equal parts; for two members the share against an average role.
        """
        values = self.share(np.array(list(self.strengths.values())))
        return dict(zip(self.strengths, values.tolist(), strict=True))

    def share(self, strength: npt.ArrayLike) -> Floats:
        """The same for any log-strengths, elementwise."""
        mine, others = np.asarray(strength, np.float64), self.seats - 1
        own, total = np.zeros_like(mine), np.zeros_like(mine)
        for many in range(1, self.seats + 1):
            tie = 1.0 if many == 1 else self.ties.get((many, self.seats), 0.0)
            with_me = math.comb(others, many - 1) * tie * np.exp(mine / many)
            own += with_me / many
            total += with_me + math.comb(others, many) * tie
        found: Floats = own / total
        return found


def fit(counts: Counts, prior: Prior | None = WEAK) -> Fit:
    """The strengths and ties that explain the counts best.

    `prior`: None for the likelihood alone. Raises ValueError for counts that are none, and NoFit where no finite
    strengths are best: without a prior, where a role (or a group of them) won or lost all games against the rest.
    """
    data = _read(counts)
    if prior is None and _parts(data) > 1:
        raise NoFit("some roles never met, even through others: without a prior their strengths can't be compared")
    x = _Problem.of(data, prior).solve(np.zeros(data.size)) if data.roles else np.zeros(0)
    found, ties = x[: len(data.roles)], np.exp(x[len(data.roles) :])
    strengths = dict.fromkeys((role for lineup in counts for role in lineup), math.nan)
    strengths |= dict(zip(data.roles, (found - found.sum() / max(len(found), 1)).tolist(), strict=True))
    seats = max((len(lineup) for lineup in counts), default=2)
    return Fit(strengths, dict(zip(data.kinds, ties.tolist(), strict=True)), seats, prior)


def intervals(counts: Counts, fit: Fit, level: float = 0.95, seed: int = 1, draws: int | None = None) -> pd.DataFrame:
    """Each role's strength with its interval: role, strength, low, high, share, share_low, share_high, games.

    The counts of every lineup are drawn anew, `draws` times (at least 2; by default 200, or fewer where there are many
    lineups and orders), from a multinomial, and fitted each time; so is the prior's centre, which is a piece of
    evidence like a game. An interval is the strength and as many standard deviations of the redrawn ones as `level`
    (0..1) asks for; shares are those of `Fit.shares`. A lineup is drawn from what was seen, or, where a possible order
    was never seen, from the fitted chances: an unbeaten role would stay unbeaten in all draws, and its interval have no
    width. The same seed gives the same intervals. Raises NoFit where drawn counts have no fit (not with a prior),
    ValueError for a level or draws out of range.
    """
    if not 0 < level < 1 or (draws is not None and draws < 2):
        raise ValueError("a level lies between 0 and 1, and there are 2 or more draws")
    data, words = _read(counts), np.random.default_rng(seed)
    start, problem, drawn = _at(data, fit), _Problem.of(data, fit.prior), []
    chances, curved = data.likely(start), linalg.cho_factor(problem.curvature(start)) if data.roles else None
    for _ in range((draws or data.draws(200)) if data.roles else 0):
        taken, centre = data.redrawn(chances, words).taken(), words.normal(size=data.size) * problem.spread
        x = replace(problem, taken=taken, centre=centre).near(start, curved)[: len(data.roles)]
        drawn.append(x - x.mean())
    error = dict(zip(data.roles, np.std(drawn, axis=0, ddof=1), strict=True)) if drawn else {}
    half = float(ndtri((1 + level) / 2)) * np.array([error.get(role, math.nan) for role in fit.strengths])
    return _table_of_roles(counts, fit, half)


def _table_of_roles(counts: Counts, fit: Fit, half: Floats) -> pd.DataFrame:
    """The table of `intervals`, from half the width of each role's."""
    value = np.array(list(fit.strengths.values()))
    played = dict.fromkeys(fit.strengths, 0)
    for lineup, orders in counts.items():
        for role in set(lineup):
            played[role] += sum(orders.values())
    columns = {"role": list(fit.strengths), "strength": value, "low": value - half, "high": value + half}
    ends = {"share_low": fit.share(value - half), "share_high": fit.share(value + half)}
    return pd.DataFrame(columns | {"share": fit.share(value)} | ends | {"games": list(played.values())})


def surprises(counts: Counts, fit: Fit, level: float = 0.95) -> pd.DataFrame:
    """Every two roles that met, the least explained first, and whether the strengths explain what happened.

    Columns: first, second; games that both sat in (twice, where a role sat twice); observed: the part of them in which
    the first role was before the second, a tie counting half, and low and high, its 95 % interval (Wilson's);
    expected by the strengths; difference of the two; residual: how many standard errors it is; surprising: whether
    that is too many at a family-wise `level` (0..1) over all pairs, so that strengths that explain all have no
    surprising pair with this chance. Of each two roles the one that did better than expected is `first`.

    The residual is the signed root of the deviance of a rate, which is right near 0 and 1 too, in the scale of
    the variance that the strengths leave: of orders by the model, less what fitting took away. NaN where two roles
    alone tell how strong they are, so that nothing is left to be judged.
    """
    if not 0 < level < 1:
        raise ValueError("a level lies between 0 and 1")
    data = _read(counts)
    x = _at(data, fit)
    pairs = _Pairs.of(data, x)
    residual = pairs.residual(_Problem.of(data.as_expected(x), fit.prior), x)
    limit = -float(ndtri((1 - level) / 2 / max(int(np.isfinite(residual).sum()), 1)))
    low, high = shares_interval(pairs.seen, pairs.square, pairs.games.astype(np.int64))
    names = np.array(data.roles, dtype=object)[pairs.roles]
    observed, expected = pairs.seen / pairs.games, pairs.expected / pairs.games
    of_pair = {"first": names[:, 0], "second": names[:, 1], "games": pairs.games.astype(np.int64)}
    rates = {"observed": observed, "low": low, "high": high, "expected": expected, "difference": observed - expected}
    table = pd.DataFrame(of_pair | rates | {"residual": residual, "surprising": residual > limit})
    return table.sort_values("residual", ascending=False, kind="stable", ignore_index=True)


def rings(pairs: pd.DataFrame) -> list[tuple[str, str, str]]:
    """Every three roles that beat each other in a ring, the first the second, the second the third and the third the
    first, each in clearly more than half of the games (the interval of `surprises` says so); those whose least clear
    result is the clearest come first.

    pairs: as `surprises` gives them.
    """
    roles = list(dict.fromkeys([*pairs["first"], *pairs["second"]]))
    number, by = {role: i for i, role in enumerate(roles)}, np.zeros((len(roles), len(roles)))
    for first, second, low, high in zip(pairs["first"], pairs["second"], pairs.low, pairs.high, strict=True):
        by[number[first], number[second]], by[number[second], number[first]] = low - 0.5, 0.5 - high
    found: list[tuple[float, tuple[str, str, str]]] = []
    for i, role in enumerate(roles):
        clear = np.minimum(np.minimum(by[i, i + 1 :, None], by[i + 1 :, i + 1 :]), by[i + 1 :, i])
        for j, k in np.argwhere(clear > 0).tolist():
            found.append((clear[j, k], (role, roles[i + 1 + j], roles[i + 1 + k])))
    return [ring for _, ring in sorted(found, key=lambda pair: -pair[0])]


@dataclass(frozen=True)
class Unexplained:
    """What strengths and ties leave unexplained of all lineups' results.

    deviance: twice the log-likelihood that chances free for each lineup and order are above the fit's; by_luck: about
    what it would be if the strengths explained all; chance: about that of so great a deviance then (NaN where
    there is nothing to judge, as with two roles). explained: how much of what lineups' results differ by
    beyond luck the strengths explain, 0..1; NaN where they don't differ.
    """

    deviance: float
    by_luck: float
    chance: float
    explained: float


def unexplained(counts: Counts, fit: Fit, seed: int = 1, draws: int | None = None) -> Unexplained:
    """How much of the results the strengths of `fit` leave unexplained.

    A deviance is by luck a chi-square only where every order is frequent. So results are drawn `draws` times (at least
    2; by default 400, or fewer as in `intervals`) from the fitted chances, and the chi-square is stretched to the mean
    and variance of their deviance.
    """
    data = _read(counts)
    x, words = _at(data, fit), np.random.default_rng(seed)
    free = sum(part.counts.size - len(part.counts) for part in data.lineups)
    degrees = free - len(data.kinds) - len(data.roles) + _parts(data)
    if degrees <= 0:
        return Unexplained(_deviance(data, x) if data.roles else 0.0, 0.0, math.nan, math.nan)
    chances = data.orders(x)
    lucky = [_deviance(data.redrawn(chances, words), x) for _ in range(draws or data.draws(400))]
    mean, variance = float(np.mean(lucky)) / free, float(np.var(lucky, ddof=1)) / free
    deviance, by_luck = _deviance(data, x), degrees * mean
    alike = data.alike()
    rest = _deviance(alike, _Problem.of(alike, fit.prior).solve(np.zeros(alike.size))) - (free - len(data.kinds)) * mean
    chance = float(gamma.sf(deviance, by_luck * mean / variance, scale=variance / mean))
    explained = min(1.0, max(0.0, 1 - max(deviance - by_luck, 0.0) / rest)) if rest > 0 else math.nan
    return Unexplained(deviance, by_luck, chance, explained)


def _deviance(data: _Data, x: Floats) -> float:
    """Twice the log-likelihood that observed frequencies are above the model at x."""
    pairs = zip(data.lineups, data.orders(x), strict=True)
    return 2 * sum(float(rel_entr(part.counts, part.games[:, None] * chance).sum()) for part, chance in pairs)


# ---------------------------------------------------------------- orders as rows of choices


@dataclass(frozen=True)
class _Shape:
    """All orders of k members, and the choices that they are made of.

    places[order, k]; sets: the sets of members that are chosen from; first[set]: the number of the first choice from
    it, others follow as in `_groups`; passes[order, choice]: 1 where the order makes the choice; design[choice,
    k + kinds]: as `_design`, for the members of the lineup.
    """

    places: Ints
    sets: list[Members]
    first: dict[Members, int]
    passes: Floats
    design: Floats

    def sums(self, choices: Floats) -> Floats:
        """For each choice the sum of what stands at all choices from the same set, [lineup, choice]."""
        first = np.array(list(self.first.values()))
        many = np.diff(np.append(first, choices.shape[1]))
        found: Floats = np.repeat(np.add.reduceat(choices, first, axis=1), many, axis=1)
        return found


def _groups(left: Members, kinds: tuple[Kind, ...]) -> Iterator[Members]:
    """The groups that may be placed next, of the members left."""
    for many in range(1, len(left) + 1):
        if many == 1 or (many, len(left)) in kinds:
            yield from combinations(left, many)


def _paths(left: Members, kinds: tuple[Kind, ...]) -> Iterator[tuple[tuple[Members, int], ...]]:
    """All rows of choices (from which set, the number of the group) that place the members left. A last single member
    is no choice.
    """
    if len(left) < 2:
        yield ()
        return
    for number, group in enumerate(_groups(left, kinds)):
        rest = tuple(member for member in left if member not in group)
        for path in _paths(rest, kinds):
            yield ((left, number), *path)


@cache
def _shape(members: int, kinds: tuple[Kind, ...]) -> _Shape:
    """The shape of lineups of so many members in which such ties may happen."""
    paths = list(_paths(tuple(range(members)), kinds))
    sets = sorted({left for path in paths for left, _ in path})
    sizes = [len(list(_groups(left, kinds))) for left in sets]
    first = dict(zip(sets, [0, *accumulate(sizes)], strict=False))
    passes, places = np.zeros((len(paths), sum(sizes))), np.zeros((len(paths), members), np.int64)
    for row, path in enumerate(paths):
        places[row] = len(path) + 1
        for rank, (left, number) in enumerate(path):
            passes[row, first[left] + number] = 1
            places[row, list(_groups(left, kinds))[number]] = rank + 1
    design = np.zeros((sum(sizes), members + len(kinds)))
    for left in sets:
        of_set = _design(len(left), kinds)
        rows = slice(first[left], first[left] + len(of_set))
        design[rows, left], design[rows, members:] = of_set[:, : len(left)], of_set[:, len(left) :]
    return _Shape(_ranked(places), sets, first, passes, design)


def _ranked(places: Ints) -> Ints:
    """Places as 1, 2, ... without gaps, row by row."""
    return np.array([np.unique(row, return_inverse=True)[1] + 1 for row in places], np.int64)


@cache
def _design(size: int, kinds: tuple[Kind, ...]) -> Floats:
    """For choices from so many members, a row a group: the log of its weight is this row times (the members'
    log-strengths, the log-ties of all kinds).
    """
    groups = list(_groups(tuple(range(size)), kinds))
    design = np.zeros((len(groups), size + len(kinds)))
    for row, group in enumerate(groups):
        design[row, group] = 1 / len(group)
        if len(group) > 1:
            design[row, size + kinds.index((len(group), size))] = 1
    return design


@dataclass(frozen=True)
class _Lineups:
    """Lineups of one length: members[lineup, k] by number, rising; counts[lineup, order]; at[lineup, choice]: where
    the choice stands among the choices of all sets of roles.
    """

    shape: _Shape
    members: Ints
    counts: Floats
    at: Ints

    @property
    def games(self) -> Floats:
        """The games of each lineup."""
        found: Floats = self.counts.sum(axis=1)
        return found

    def redrawn(self, chances: Floats, words: np.random.Generator) -> _Lineups:
        """As many games of every lineup, drawn anew from the chances of its orders."""
        return replace(self, counts=words.multinomial(self.games.astype(np.int64), chances).astype(np.float64))


@dataclass(frozen=True)
class _Sets:
    """Sets of equally many roles that are chosen from: index[set, size + kinds] says which of all numbers belong to
    the columns of `_design`.
    """

    index: Ints
    design: Floats

    def log_chances(self, x: Floats) -> Floats:
        """The log of each choice's chance, [set, group]."""
        found: Floats = log_softmax(x[self.index] @ self.design.T, axis=1)
        return found


@dataclass(frozen=True)
class _Data:
    """Counts over the numbers to be found: the roles' log-strengths, then the log-ties of the kinds."""

    roles: tuple[str, ...]
    kinds: tuple[Kind, ...]
    lineups: list[_Lineups]
    sets: list[_Sets]

    @property
    def size(self) -> int:
        """How many numbers there are to be found."""
        return len(self.roles) + len(self.kinds)

    @property
    def games(self) -> float:
        """How many games there are."""
        return sum(float(part.games.sum()) for part in self.lineups)

    def draws(self, most: int) -> int:
        """How often to draw these counts anew: `most`, or fewer where they are many."""
        return min(most, max(FEWEST, DRAWN // sum(part.counts.size for part in self.lineups)))

    def taken(self) -> list[Floats]:
        """How often each choice was made, [set, group] for each of `sets`."""
        sizes = [len(part.index) * len(part.design) for part in self.sets]
        flat = np.zeros(sum(sizes))
        for part in self.lineups:
            flat += np.bincount(part.at.ravel(), (part.counts @ part.shape.passes).ravel(), len(flat))
        parts = np.split(flat, np.cumsum(sizes)[:-1])
        return [part.reshape(-1, len(of.design)) for part, of in zip(parts, self.sets, strict=False)]

    def log_chances(self, x: Floats) -> Floats:
        """The log of every choice's chance, as `_Lineups.at` counts them."""
        return np.concatenate([np.zeros(0), *(part.log_chances(x).ravel() for part in self.sets)])

    def orders(self, x: Floats) -> list[Floats]:
        """Each order's chance, [lineup, order] for each of `lineups`."""
        chances = self.log_chances(x)
        found = [np.exp(chances[part.at] @ part.shape.passes.T) for part in self.lineups]
        return [part / part.sum(axis=1, keepdims=True) for part in found]

    def likely(self, x: Floats) -> list[Floats]:
        """The same, but what was seen of a lineup, where it finished in every possible order."""
        parts = zip(self.lineups, self.orders(x), strict=True)
        return [
            np.where((part.counts > 0).all(axis=1, keepdims=True), part.counts / part.games[:, None], chances)
            for part, chances in parts
        ]

    def as_expected(self, x: Floats) -> _Data:
        """As many games of every lineup, which finish as the model expects on the mean."""
        parts = zip(self.lineups, self.orders(x), strict=True)
        return replace(self, lineups=[replace(part, counts=part.games[:, None] * chance) for part, chance in parts])

    def redrawn(self, chances: list[Floats], words: np.random.Generator) -> _Data:
        """As many games of every lineup, drawn anew from the chances of its orders."""
        drawn = [part.redrawn(chance, words) for part, chance in zip(self.lineups, chances, strict=True)]
        return replace(self, lineups=drawn)

    def alike(self) -> _Data:
        """The same counts, as if all roles were one."""
        less = len(self.roles) - 1
        sets = [replace(part, index=np.maximum(part.index - less, 0)) for part in self.sets]
        return _Data(self.roles[:1], self.kinds, self.lineups, sets)


def _read(counts: Counts) -> _Data:
    """The lineups that were played; ValueError for counts that are none."""
    for lineup, orders in counts.items():
        _check(lineup, orders)
    played = {lineup: orders for lineup, orders in counts.items() if any(orders.values())}
    roles = tuple(dict.fromkeys(role for lineup in played for role in lineup))
    number = {role: i for i, role in enumerate(roles)}
    sums: dict[Members, Counter[Members]] = {}
    for lineup, orders in played.items():
        seats = sorted(range(len(lineup)), key=lambda seat: number[lineup[seat]])
        ranked = sums.setdefault(tuple(number[lineup[seat]] for seat in seats), Counter())
        for places, many in orders.items():
            rank = {place: i + 1 for i, place in enumerate(sorted(set(places)))}
            ranked[tuple(rank[places[seat]] for seat in seats)] += int(many)
    seen = {order for ranked in sums.values() for order, many in ranked.items() if many}
    kinds = tuple(sorted({kind for order in seen for kind in _ties_of(order)}))
    lengths = sorted({len(members) for members in sums})
    parts = [_counted({m: ranked for m, ranked in sums.items() if len(m) == k}, kinds) for k in lengths]
    return _Data(roles, kinds, *_joined(parts, len(roles), kinds))


def _check(lineup: tuple[str, ...], orders: Mapping[tuple[int, ...], int]) -> None:
    if not 2 <= len(lineup) <= MOST_MEMBERS:
        raise ValueError(f"a lineup has 2 to {MOST_MEMBERS} members, not {len(lineup)}")
    for places, many in orders.items():
        if len(places) != len(lineup):
            raise ValueError(f"{len(places)} places for the {len(lineup)} members of {' + '.join(lineup)}")
        if many < 0 or many != int(many):
            raise ValueError(f"{' + '.join(lineup)} can't have finished {many} times in places {places}")


def _ties_of(order: Members) -> Iterator[Kind]:
    """The kinds of ties in an order."""
    for place in set(order):
        if order.count(place) > 1:
            yield order.count(place), sum(other >= place for other in order)


def _counted(sums: dict[Members, Counter[Members]], kinds: tuple[Kind, ...]) -> _Lineups:
    """Lineups of one length; where their choices stand is not known yet."""
    members = np.array(list(sums), np.int64)
    shape = _shape(members.shape[1], kinds)
    column = {tuple(row): i for i, row in enumerate(shape.places.tolist())}
    counts = np.zeros((len(sums), len(column)))
    for row, ranked in enumerate(sums.values()):
        for order, many in ranked.items():
            if many:
                counts[row, column[order]] = many
    return _Lineups(shape, members, counts, np.zeros((len(sums), shape.passes.shape[1]), np.int64))


def _joined(lineups: list[_Lineups], roles: int, kinds: tuple[Kind, ...]) -> tuple[list[_Lineups], list[_Sets]]:
    """The lineups with the places of their choices, and the sets of roles that are chosen from: each set of roles is
    there once, from whatever lineups it remains.
    """
    sets: list[_Sets] = []
    at = [part.at.copy() for part in lineups]
    start, ties = 0, np.arange(roles, roles + len(kinds))
    for size in range(2, max((part.members.shape[1] for part in lineups), default=0) + 1):
        left = [(i, one) for i, part in enumerate(lineups) for one in part.shape.sets if len(one) == size]
        rows = [lineups[i].members[:, one] for i, one in left]
        distinct, number = np.unique(np.concatenate(rows), axis=0, return_inverse=True)
        design = _design(size, kinds)
        groups, ends = np.arange(len(design)), np.cumsum([len(part) for part in rows])
        for (i, one), mine in zip(left, np.split(number, ends[:-1]), strict=True):
            at[i][:, lineups[i].shape.first[one] + groups] = start + mine[:, None] * len(design) + groups
        sets.append(_Sets(np.hstack([distinct, np.tile(ties, (len(distinct), 1))]), design))
        start += len(distinct) * len(design)
    return [replace(part, at=one) for part, one in zip(lineups, at, strict=True)], sets


def _parts(data: _Data) -> int:
    """Into how many parts the roles fall that never met, even through others."""
    met = np.zeros((len(data.roles), len(data.roles)))
    for part in data.lineups:
        for i, j in combinations(range(part.members.shape[1]), 2):
            met[part.members[:, i], part.members[:, j]] = 1
    return int(connected_components(met, directed=False, return_labels=False)) if len(met) else 0


# ---------------------------------------------------------------- the likelihood and its summit


def _at(data: _Data, fit: Fit) -> Floats:
    """The numbers of a fit in the data's order; ValueError if it was made from other roles or ties."""
    if missing := [role for role in data.roles if not np.isfinite(fit.strengths.get(role, math.nan))]:
        raise ValueError(f"the fit has no strength of {', '.join(missing)}")
    if any(kind not in fit.ties for kind in data.kinds):
        raise ValueError("the fit has none of such ties")
    return np.array([fit.strengths[role] for role in data.roles] + [math.log(fit.ties[kind]) for kind in data.kinds])


@dataclass(frozen=True)
class _Problem:
    """What is made least: minus the log-likelihood and log-prior, for a game.

    taken[set, group] for each of `sets`: how often a choice was made; spread: the prior's standard deviation of each
    number, 0 without one; pull: its precision, [size, size], around `centre`; without a prior it only holds the
    mean log-strength.
    """

    sets: list[_Sets]
    taken: list[Floats]
    games: float
    spread: Floats
    pull: Floats
    centre: Floats

    @classmethod
    def of(cls, data: _Data, prior: Prior | None) -> _Problem:
        """The problem of some data; ValueError for a prior without width."""
        roles, ties, nothing = len(data.roles), len(data.kinds), np.zeros(data.size)
        if prior is None:
            mean = np.repeat([1.0, 0.0], [roles, ties])
            return cls(data.sets, data.taken(), data.games, nothing, np.outer(mean, mean), nothing)
        if not (prior.strength > 0 and prior.tie > 0):
            raise ValueError("the standard deviations of a prior are above 0")
        spread = np.repeat([prior.strength, prior.tie], [roles, ties])
        return cls(data.sets, data.taken(), data.games, spread, np.diag(spread**-2.0), nothing)

    def value(self, x: Floats) -> tuple[float, Floats]:
        """What is made least, and its slope."""
        slope = self.pull @ (x - self.centre)
        value = (x - self.centre) @ slope / 2
        for part, taken in zip(self.sets, self.taken, strict=True):
            chance = part.log_chances(x)
            value -= (taken * chance).sum()
            rest = (taken.sum(axis=1, keepdims=True) * np.exp(chance) - taken) @ part.design
            slope = slope + np.bincount(part.index.ravel(), rest.ravel(), len(x))
        return float(value) / self.games, slope / self.games

    def curvature(self, x: Floats) -> Floats:
        """The second derivatives of minus the log-likelihood and log-prior (of all games)."""
        found = self.pull.copy()
        for part, taken in zip(self.sets, self.taken, strict=True):
            chance, games = np.exp(part.log_chances(x)), taken.sum(axis=1)[:, None, None]
            away = part.design - (chance @ part.design)[:, None, :]
            local = games * (np.swapaxes(chance[:, :, None] * away, 1, 2) @ away)
            np.add.at(found, (part.index[:, :, None], part.index[:, None, :]), local)
        return found

    def solve(self, start: Floats) -> Floats:
        """The summit. NoFit where it is not found, or so far out that there is none."""
        rough = minimize(
            self.value,
            start,
            jac=True,
            hess=lambda x: self.curvature(x) / self.games,
            method="trust-exact",
            options={"gtol": 1e-7, "max_trust_radius": 10.0},
        )
        x = self._climb(rough.x)
        if x is None or (not self.spread.any() and np.ptp(np.append(x, 0)) > BOUND):
            raise NoFit("no finite strengths are best: some role always won, lost or tied. A prior keeps them finite")
        return x

    def near(self, start: Floats, curved: Any) -> Floats:
        """The summit, as `solve` finds it, sooner if it is near the start; `curved`: the curvature there, factored."""
        x = self._climb(start, curved) if self.spread.any() else None
        return self.solve(start) if x is None else x

    def _climb(self, x: Floats, curved: Any = None) -> Floats | None:
        """The summit by Newton's steps alone, which near it square what is missing; None if they don't get there. There
        is one summit only, so that wherever they end is the right place. With a curvature that is about right
        everywhere, `curved`, the steps are shorter, but cost next to nothing.
        """
        for _ in range(NEWTON_STEPS):
            slope = self.value(x)[1] * self.games
            try:
                step = linalg.cho_solve(curved or linalg.cho_factor(self.curvature(x)), slope)
            except (linalg.LinAlgError, ValueError):  # flat, or no longer finite
                return None
            if slope @ step < CLOSE:  # the square of what is missing, in standard errors
                return x
            x = x - step
        return None


# ---------------------------------------------------------------- pairs


@dataclass(frozen=True)
class _Pairs:
    """For every two roles that met: games; seen and expected: in how many the first was before the second, ties
    half; square: the sum of the squares of seen games; variance of `seen` by the model; slopes[pair, number]:
    what `expected` gains with each number. The first role did as well as expected, or better.
    """

    roles: Ints
    games: Floats
    seen: Floats
    square: Floats
    expected: Floats
    variance: Floats
    slopes: Floats

    @classmethod
    def of(cls, data: _Data, x: Floats) -> _Pairs:
        """Counted over all lineups that hold both; two members of the same role are no pair."""
        many = len(data.roles)
        sums, slopes = np.zeros((many, many, 5)), np.zeros((many, many, len(x)))
        choices, ties = np.exp(data.log_chances(x)), np.arange(many, len(x))
        for part, chances in zip(data.lineups, data.orders(x), strict=True):
            index = np.hstack([part.members, np.tile(ties, (len(part.members), 1))])
            for i, j in combinations(range(part.members.shape[1]), 2):
                own, slope = _of_members(part, chances, choices[part.at], (i, j))
                first, second = part.members[:, i], part.members[:, j]
                np.add.at(sums, (first, second), own)
                np.add.at(slopes, (first[:, None], second[:, None], index), slope)
        roles = np.argwhere(np.triu(sums[:, :, 0], 1))
        own = sums[roles[:, 0], roles[:, 1]]
        worse = (own[:, 1] < own[:, 3])[:, None]
        games, seen, square, expected, variance = np.where(worse, _other_side(own), own).T
        gains = slopes[roles[:, 0], roles[:, 1]]
        return cls(np.where(worse, roles[:, ::-1], roles), games, seen, square, expected, variance, gains)

    def residual(self, problem: _Problem, x: Floats) -> Floats:
        """How many standard errors more was seen than expected, as `surprises` says; NaN where the fit leaves none."""
        seen, expected = self.seen / self.games, self.expected / self.games
        # a deviance is never below 0, but rounding can leave it there where all was as expected
        deviance = np.maximum(2 * (rel_entr(seen, expected) + rel_entr(1 - seen, 1 - expected)), 0)
        error = self._left(problem, x) / self.games**2
        found: Floats = np.sqrt(deviance * expected * (1 - expected) / error)
        return found

    def _left(self, problem: _Problem, x: Floats) -> Floats:
        """The variance of seen less expected, once the numbers were fitted to the same games; NaN where the fit,
        left alone by the prior, would follow what was seen to the letter.
        """
        if not len(self.games):
            return self.games
        curvature = problem.curvature(x)
        loose = linalg.pinvh(curvature - problem.pull, rtol=1e-12)
        followed = np.einsum("pi,ij,pj->p", self.slopes, loose, self.slopes)
        taken = linalg.cho_solve(linalg.cho_factor(curvature), self.slopes.T)
        left = self.variance - np.einsum("pi,ip->p", self.slopes, taken)
        found: Floats = np.where(followed < (1 - 1e-6) * self.variance, left, np.nan)
        return found


def _of_members(part: _Lineups, chances: Floats, choices: Floats, pair: tuple[int, int]) -> tuple[Floats, Floats]:
    """Of two members, a row a lineup: games, seen, square, expected, variance; and the slopes of expected.

    chances[lineup, order] and choices[lineup, choice] are the model's.
    """
    shape, games = part.shape, part.games
    before = (np.sign(shape.places[:, pair[1]] - shape.places[:, pair[0]]) + 1) / 2
    mean, seen, square = np.minimum(chances @ before, 1), part.counts @ before, part.counts @ before**2
    variance = games * (chances * (before - mean[:, None]) ** 2).sum(axis=1)
    gain = (chances * before) @ shape.passes
    slopes = (gain - shape.sums(gain) * choices) @ shape.design
    return np.column_stack([games, seen, square, games * mean, variance]), slopes * games[:, None]


def _other_side(own: Floats) -> Floats:
    """The rows of `_of_members` as the second member sees them."""
    games, seen, square, expected, variance = own.T
    return np.column_stack([games, games - seen, games - 2 * seen + square, games - expected, variance])
