"""Which roles meet: all choices of them, a balanced few, or those that a config lists.

A balanced set of lineups is a block design, or as near to one as the numbers allow: every two roles of a side meet
equally often, or as good as that, with a difference of one. It is searched for by annealing, first among the sets
that stay the same when the roles move up in circles (where the finest ones are found), then among all; what comes
out is counted, and the count is what the notes say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product
from math import comb, exp, gcd, isqrt, lcm, prod
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import BeforeValidator, Field, Strict, WithJsonSchema

from experiments.parts import Part, about
from simcore.kernels import entry, inlined, plain
from simcore.packs import Mistake, Mistakes, nearest, shown
from simcore.streams import bounded, shuffle, upper_bits, word

Lineup = tuple[str, ...]
Lineups = list[tuple[int, ...]]
Ints = npt.NDArray[np.int64]

MOST = 100_000
"""Lineups of a run, at most."""


MOST_SEATS = 16
_SIZE = {"type": "integer", "minimum": 1, "maximum": MOST_SEATS}
SIZES: dict[str, Any] = {"anyOf": [_SIZE, {"type": "array", "items": _SIZE, "minItems": 1, "uniqueItems": True}]}
"""The JSON Schema of a size of lineups, or of several."""

Size = Annotated[int, Field(ge=1, le=MOST_SEATS)]
Sizes = Annotated[
    tuple[Size, ...],
    Strict(False),
    Field(min_length=1),
    BeforeValidator(lambda value: [value] if type(value) is int else value),
    WithJsonSchema(SIZES),
]


class Meetings(Part):
    """How lineups are made of the roles that [lineup] names."""

    how: Annotated[
        Literal["all", "pairs", "random", "fixed"],
        about(
            "Which lineups meet: all of them; pairs, as few as let every two roles of a side meet, each two equally "
            "often or once more; random, as evenly, and as many as you say; fixed, those that you list."
        ),
    ] = "all"
    many: Annotated[
        int | None,
        Field(ge=1, le=MOST),
        about("For random: how many lineups of each side that has two seats or more; without it, as for pairs.", 26),
    ] = None
    fixed: Annotated[
        tuple[Annotated[tuple[str, ...], Strict(False)], ...],
        Strict(False),
        about(
            "For fixed: the lineups, each a list with a role for every seat of the table, one side after another; or "
            "for as many seats as are taken, where some may stay empty. Where seats turn in a circle (rotate), rivals "
            "keep their order round the table."
        ),
    ] = ()
    size: Annotated[
        Sizes | None,
        about(
            "Where seats may stay empty: how many sit down, or several such numbers, each with lineups of its own. "
            "Without it every seat is taken.",
            [3, 4],
        ),
    ] = None
    mirror: Annotated[
        bool,
        about(
            "Whether a role may sit at several seats: each role also meets itself, at all seats of its side, and a "
            "fixed lineup may name a role twice. Rivals must come out even there."
        ),
    ] = False


class Bench(NamedTuple):
    """The roles that may sit on a side: the side's key, their slugs in order, how many sit at a table at most, the
    fewest that may (0: always as many), and for each slug the name that the versions of a role share, of which one
    sits at a table at most (without them each slug is a role of its own).
    """

    side: str
    slugs: tuple[str, ...]
    seats: int
    least: int = 0
    names: tuple[str, ...] = ()

    @property
    def versions(self) -> list[tuple[str, ...]]:
        """The slugs of each role's versions."""
        found: dict[str, list[str]] = {}
        for name, slug in zip(self.names or self.slugs, self.slugs, strict=True):
            found.setdefault(name, []).append(slug)
        return [tuple(slugs) for slugs in found.values()]

    def known(self, wrong: str) -> tuple[str, str]:
        """What may stand in place of a name that is none of them, and the nearest: of a role that is there in other
        versions, these.
        """
        of = wrong.rpartition("/")[0]
        fits = [slug for name, slug in zip(self.names, self.slugs, strict=False) if of and name == of]
        return ", ".join(fits or self.slugs), nearest(wrong, fits or dict.fromkeys([*self.slugs, *self.names]))


@dataclass(frozen=True)
class Dealt:
    """Lineups in order, a slug for each seat ("" for an empty one, after the others), no two alike; and notes for
    people on how even they are.
    """

    lineups: tuple[Lineup, ...]
    notes: tuple[str, ...]


def deal(meetings: Meetings, benches: Sequence[Bench], seed: int, ordered: bool = False, ring: bool = False) -> Dealt:
    """All lineups that a config asks for: those of each side with all those of the others.

    benches: one for each side, in the order of the seats. seed (0..2^63-1) picks one of the balanced sets, and is not
    looked at otherwise. ordered: whether the order of a fixed lineup means something, as where nobody changes seats;
    ring: whether it does as far as who sits after whom, as where all move on together: each side then begins with the
    first of its bench. Otherwise each side is put into the order of its bench. Raises Mistakes with all that is wrong
    in the numbers, or in the fixed lineups.
    """
    mistakes = list(_misplaced(meetings))
    mistakes += (_fixed_wrong if meetings.how == "fixed" else _numbers_wrong)(meetings, benches)
    lineups = [_seated(one, benches, ordered, ring) for one in meetings.fixed] if not mistakes else []
    mistakes += _repeated(lineups)
    if mistakes:
        raise Mistakes(mistakes)
    if meetings.how == "fixed":
        return Dealt(tuple(lineups), ())
    sides, notes = list[list[Lineup]](), list[str]()
    for bench in benches:
        parts = [(one, *_of_side(meetings, one, seed)) for one in _by_size(meetings, bench)]
        sides.append([_padded(lineup, bench) for one, part, _ in parts for lineup in [*part, *_itself(meetings, one)]])
        notes += [note for *_, note in parts if note]
    # every lineup of a side with every one of the other sides
    tables = (tuple(slug for one in several for slug in one) for several in product(*sides))
    return Dealt(tuple(tables), tuple(notes))


def sizes_of(meetings: Meetings, seats: int, least: int) -> tuple[int, ...]:
    """How many of a side with so many seats sit down in one lineup or another; `least` as of a bench."""
    if not least:
        return (seats,)
    if meetings.how == "fixed":
        return tuple(dict.fromkeys(len(lineup) for lineup in meetings.fixed))
    return meetings.size or (seats,)


def _by_size(meetings: Meetings, bench: Bench) -> list[Bench]:
    """A bench for each number of its roles that sit down."""
    return [bench._replace(seats=size) for size in sizes_of(meetings, bench.seats, bench.least)]


def _itself(meetings: Meetings, bench: Bench) -> list[Lineup]:
    """The lineups of a role with itself, where there are any."""
    return [(slug,) * bench.seats for slug in bench.slugs] if meetings.mirror and bench.seats > 1 else []


def _padded(lineup: Lineup, bench: Bench) -> Lineup:
    """A lineup of a side with its empty seats."""
    return lineup + ("",) * (bench.seats - len(lineup))


def _of_side(meetings: Meetings, bench: Bench, seed: int) -> tuple[Sequence[Lineup], str]:
    """The lineups of a side, and a note on how even they are."""
    versions = bench.versions
    roles = len(versions)
    if meetings.how == "all" or not 1 < bench.seats <= roles:
        return [lineup for meet in combinations(versions, bench.seats) for lineup in product(*meet)], ""
    if any(len(slugs) > 1 for slugs in versions):
        return _with_versions(bench, versions, meetings.many, seed)
    found = balanced(roles, bench.seats, meetings.many, seed)
    return [tuple(bench.slugs[role] for role in lineup) for lineup in found.lineups], f"{bench.side}: {found}"


def _seated(lineup: Lineup, benches: Sequence[Bench], ordered: bool, ring: bool) -> Lineup:
    """A fixed lineup with its empty seats, the roles of each side in the order that `deal` says."""
    found = Lineup()
    for bench, part in _by_side(lineup, benches):
        places = [bench.slugs.index(slug) for slug in part]
        if ring:
            places = min(places[i:] + places[:i] for i in range(len(places)))
        elif not ordered:
            places.sort()
        found += _padded(tuple(bench.slugs[place] for place in places), bench)
    return found


def _by_side(lineup: Lineup, benches: Sequence[Bench]) -> Iterator[tuple[Bench, Lineup]]:
    start = 0
    for bench in benches:
        yield bench, lineup[start : start + bench.seats]
        start += bench.seats


# ---------------------------------------------------------------- roles in versions


def choices(versions: Sequence[Sequence[str]], seats: int) -> int:
    """How many lineups of so many roles there are, each in one of its versions."""
    ways = [1] + [0] * seats
    for slugs in versions:
        for many in range(seats, 0, -1):
            ways[many] += len(slugs) * ways[many - 1]
    return ways[seats]


def _with_versions(
    bench: Bench, versions: list[tuple[str, ...]], many: int | None, seed: int
) -> tuple[Sequence[Lineup], str]:
    """Balanced lineups of roles, each in one of its versions so that these sit and meet as evenly as is found by taking
    the best of a few choices, table after table; and a note. Without `many` as many as let all versions meet that may.
    """
    evenly = _Evenly(versions, many or choices(versions, bench.seats), seed)
    meet = _tables_of_roles(len(versions), bench.seats, many, seed)
    while not (evenly.full if many else evenly.all_met):
        for roles in meet:
            evenly.seat(roles)
        # where roles have several versions and others one, some of their tables have no further choice
        meet = list(combinations(range(len(versions)), bench.seats)) if many else meet
    if many:
        evenly.again()
    slugs = [slug for one in versions for slug in one]
    return [tuple(slugs[place] for place in lineup) for lineup in sorted(evenly.lineups)], f"{bench.side}: {evenly}"


def _tables_of_roles(roles: int, seats: int, many: int | None, seed: int) -> Lineups:
    """Lineups of roles whatever their versions: balanced, and all of them as often as they go into `many`."""
    if many is None:
        return list(balanced(roles, seats, None, seed).lineups)
    whole = list(combinations(range(roles), seats))
    more = many % len(whole)
    return whole * (many // len(whole)) + (list(balanced(roles, seats, more, seed).lineups) if more else [])


class _Evenly:
    """Lineups of roles in versions, which are numbered through, and how often each sits and meets each other one."""

    TRIED = 32
    """Choices of versions that are looked at for a table, and times that all tables are looked at again."""

    ROUNDS = 3

    def __init__(self, versions: Sequence[Sequence[str]], most: int, seed: int) -> None:
        starts = np.cumsum([0, *map(len, versions)])
        self.places = [range(start, start + len(one)) for start, one in zip(starts, versions, strict=False)]
        self.met, self.seed, self.most = np.zeros((starts[-1], starts[-1]), np.int64), seed, most
        self.lineups: Lineups = []
        self.taken: set[tuple[int, ...]] = set()

    def seat(self, roles: Sequence[int]) -> None:
        """Add a table of roles in the versions that sit and meet least, unless all of its choices are there."""
        tried = self._choices(roles, len(self.lineups)) if not self.full else []
        if tried:
            self._put(min(tried, key=self._cost))

    def again(self) -> None:
        """Choose the versions of each table anew, beside those of all others."""
        for _ in range(self.ROUNDS):
            for place, lineup in enumerate(list(self.lineups)):
                self._take(lineup)
                roles = [next(i for i, own in enumerate(self.places) if one in own) for one in lineup]
                self._put(min([lineup, *self._choices(roles, place)], key=self._cost))

    @property
    def full(self) -> bool:
        """Whether there are as many tables as there may be."""
        return len(self.lineups) == self.most

    @property
    def all_met(self) -> bool:
        """Whether all versions have met that may, or no further table is there."""
        return self.full or not (self.met[self._may_meet()] == 0).any()

    def __str__(self) -> str:
        """In words, for the notes of a run."""
        many, roles, sits = len(self.lineups), len(self.places), self.met.diagonal()
        meets = self.met[self._may_meet()]
        return (
            f"{many:,} lineup{'s' * (many > 1)} of {len(self.lineups[0])} among {roles} roles in {len(sits)} versions: "
            f"any two of different roles meet {_times((int(meets.min()), int(meets.max())))}, each version sits at "
            f"{_times((int(sits.min()), int(sits.max())), 'table', 'tables')}"
        )

    def _may_meet(self) -> Any:
        """Pairs of versions of different roles: bool[version, version]."""
        role = np.repeat(np.arange(len(self.places)), [len(own) for own in self.places])
        return role[:, None] < role[None, :]

    def _choices(self, roles: Sequence[int], table: int) -> list[tuple[int, ...]]:
        """The first choices of a version for each of some roles that no table has, from one by chance on."""
        own = [self.places[role] for role in roles]
        many = prod(map(len, own))
        start = bounded(word(self.seed, table), many)
        every = (self._numbered(own, (start + step) % many) for step in range(many))
        return list(islice((one for one in every if one not in self.taken), self.TRIED))

    @staticmethod
    def _numbered(own: Sequence[range], number: int) -> tuple[int, ...]:
        """One of the choices of a version from each of some ranges, by its number."""
        found = []
        for places in own:
            number, place = divmod(number, len(places))
            found.append(places[place])
        return tuple(found)

    def _cost(self, lineup: tuple[int, ...]) -> tuple[int, int]:
        """How often the versions of a lineup sit already, and meet; more where one of them does so often."""
        own = self.met[np.ix_(lineup, lineup)]
        sits = own.diagonal()
        return int((sits**2).sum()), int((own**2).sum() - (sits**2).sum())

    def _put(self, lineup: tuple[int, ...]) -> None:
        self.lineups.append(lineup)
        self.taken.add(lineup)
        self.met[np.ix_(lineup, lineup)] += 1

    def _take(self, lineup: tuple[int, ...]) -> None:
        self.lineups.remove(lineup)
        self.taken.discard(lineup)
        self.met[np.ix_(lineup, lineup)] -= 1


# ---------------------------------------------------------------- what can be wrong


def _misplaced(meetings: Meetings) -> Iterator[Mistake]:
    """Keys that belong to another way of making lineups, and those that are missing."""
    if meetings.many is not None and meetings.how != "random":
        yield Mistake("lineup.many", f'goes with how = "random", not {shown(meetings.how)}')
    if meetings.fixed and meetings.how != "fixed":
        yield Mistake("lineup.fixed", f'goes with how = "fixed", not {shown(meetings.how)}')
    if meetings.how == "fixed" and not meetings.fixed:
        yield Mistake("lineup.fixed", "is empty", "a list of lineups, each a role for every seat")
    if meetings.size is not None and meetings.how == "fixed":
        yield Mistake("lineup.size", 'stands beside how = "fixed", where each lineup has its own', "one of the two")


def _sizes_wrong(meetings: Meetings, benches: Sequence[Bench]) -> Iterator[Mistake]:
    """Numbers of roles that may not sit down, and those that stand twice."""
    sizes, bench = meetings.size or (), benches[0]
    if sizes and not bench.least:
        yield Mistake("lineup.size", "is given, but no seat of this game may stay empty", f"nothing: {_seats(benches)}")
        return
    for size in dict.fromkeys(sizes):
        if not bench.least <= size <= bench.seats:
            yield Mistake("lineup.size", f"has {size}", f"{bench.least} to {bench.seats} of the {bench.side}")
        elif sizes.count(size) > 1:
            yield Mistake("lineup.size", f"has {size} {sizes.count(size)} times", "each number once")


def _numbers_wrong(meetings: Meetings, benches: Sequence[Bench]) -> Iterator[Mistake]:
    """Too few roles, more lineups than there are or than can be played, and sides where nobody can meet."""
    odd = list(_sizes_wrong(meetings, benches))
    if odd:
        yield from odd
        return
    parts = [_by_size(meetings, bench) for bench in benches]
    benches = [one for several in parts for one in several]
    wide = [bench for bench in benches if bench.seats > 1]
    if not wide and (meetings.mirror or meetings.how != "all"):
        key = "mirror" if meetings.mirror else "how"
        yield Mistake(f"lineup.{key}", "needs a side of two seats or more; here each side has one")
    for bench in benches:
        if len(bench.versions) < (1 if meetings.mirror else bench.seats):
            wrong = f"has {len(bench.versions)} role(s)"
            yield Mistake(f"lineup.{bench.side}", wrong, f"at least {bench.seats}, one for each seat")
    for bench in wide:
        there = choices(bench.versions, bench.seats)
        if meetings.many and there < meetings.many:
            wrong = f"is {meetings.many:,}, but {len(bench.slugs)} {bench.side} make {there:,} lineups of {bench.seats}"
            yield Mistake("lineup.many", wrong, f"at most {there:,}")
    many = prod(sum(_how_many(meetings, bench) for bench in several) for several in parts)
    if many > MOST:
        yield Mistake("lineup", f"makes {many:,} lineups", f'at most {MOST:,}; how = "random" takes some of them')


def _how_many(meetings: Meetings, bench: Bench) -> int:
    """How many lineups of a side there will be, or about so many."""
    versions = bench.versions
    roles, most = len(versions), max(map(len, versions), default=1)
    if meetings.how == "all" or not 1 < bench.seats <= roles:
        dealt = choices(versions, bench.seats)
    else:
        dealt = meetings.many or next(_sizes(roles, bench.seats)) * most**2
    return dealt + (len(bench.slugs) if meetings.mirror and bench.seats > 1 else 0)


def _fixed_wrong(meetings: Meetings, benches: Sequence[Bench]) -> Iterator[Mistake]:
    """Fixed lineups of another length, and with roles that aren't there or sit twice."""
    seats, least = sum(bench.seats for bench in benches), benches[0].least
    for number, lineup in enumerate(meetings.fixed):
        where = f"lineup.fixed.{number}"
        if not (least or seats) <= len(lineup) <= seats:
            fits = _seats(benches) if least else f"{seats}, one for each seat ({_seats(benches)})"
            yield Mistake(where, f"names {len(lineup)} role(s)", fits)
            continue
        for bench, part in _by_side(lineup, benches):
            yield from _seated_wrong(where, part, bench, meetings.mirror)


def _seated_wrong(where: str, part: Lineup, bench: Bench, mirror: bool) -> Iterator[Mistake]:
    for versions in bench.versions if not mirror else ():
        if len(twice := [slug for slug in versions if slug in part]) > 1:
            yield Mistake(where, f"has one role as {' and as '.join(twice)}", "each role in one version")
    for slug in dict.fromkeys(part):
        if slug not in bench.slugs:
            wrong = f"{shown(slug)} is none of the {bench.side} that may sit there"
            yield Mistake(where, wrong, *bench.known(slug))
        elif part.count(slug) > 1 and not mirror:
            yield Mistake(where, f"names {shown(slug)} {part.count(slug)} times", "each role once, or mirror = true")


def _repeated(lineups: Sequence[Lineup]) -> Iterator[Mistake]:
    """Fixed lineups that stand twice."""
    first: dict[Lineup, int] = {}
    for number, lineup in enumerate(lineups):
        if first.setdefault(lineup, number) != number:
            wrong = f"is the same as fixed.{first[lineup]}: {', '.join(lineup)}"
            yield Mistake(f"lineup.fixed.{number}", wrong, "each lineup once")


def _seats(benches: Iterable[Bench]) -> str:
    return ", ".join(f"{span_of(bench.seats, bench.least)} of {bench.side}" for bench in benches)


def span_of(seats: int, least: int) -> str:
    """How many may sit on a side, as in "3" or "1 to 5"; `least` as of a bench."""
    return f"{least} to {seats}" if 0 < least < seats else str(seats)


# ---------------------------------------------------------------- balanced lineups


@dataclass(frozen=True)
class Balanced:
    """Balanced lineups of roles 0..roles-1, each ascending, in order; what was counted of them.

    meetings: how often the two roles meet that meet least and most often; appearances: the same for how often a role
    sits at a table; proven: whether it is known that no other set of as many lineups is more even.
    """

    roles: int
    seats: int
    lineups: tuple[tuple[int, ...], ...]
    meetings: tuple[int, int]
    appearances: tuple[int, int]
    proven: bool

    @property
    def unevenness(self) -> tuple[int, int]:
        """By how much meetings differ, and by how much appearances do: the smaller, the better."""
        return self.meetings[1] - self.meetings[0], self.appearances[1] - self.appearances[0]

    @property
    def even(self) -> bool:
        """Whether meetings of any two roles differ by one at most."""
        return self.unevenness[0] <= 1

    def __str__(self) -> str:
        """In words, for the notes of a run."""
        many = f"{len(self.lineups):,} lineup{'s' * (len(self.lineups) > 1)}"
        told = f"{many} of {self.seats} among {self.roles}: any two meet {_times(self.meetings)}"
        told += f", each sits at {_times(self.appearances, 'table', 'tables')}"
        if self.even:
            return told
        why = "no set of as many lineups is more even" if self.proven else "a more even set was not found"
        return f"{told} ({why})"


def _times(span: tuple[int, int], one: str = "time", more: str = "times") -> str:
    """A span in words: "3 times", "1 or 2 times", "0 to 2 times"."""
    low, high = span
    joined = f"{low:,}" if low == high else f"{low:,} {'or' if high == low + 1 else 'to'} {high:,}"
    return f"{joined} {one if high == 1 else more}"


def balanced(roles: int, seats: int, many: int | None, seed: int) -> Balanced:
    """Lineups in which any two roles meet equally often, or differ by one meeting, as far as such a set is found.

    roles: 1 or more; seats: 1..roles; many: 1..comb(roles, seats), or None for as few as give every role the same
    number of tables and every two roles a meeting at least; seed: 0..2^63-1, the same gives the same set. No two
    lineups are alike. Raises ValueError where the numbers are out of range.
    """
    if not 1 <= seats <= roles or (many is not None and not 1 <= many <= comb(roles, seats)):
        raise ValueError(f"no {many} lineups of {seats} among {roles}")
    if many is not None:
        return _best(roles, seats, many, seed, ATTEMPTS)
    for many in _sizes(roles, seats):
        found = _best(roles, seats, many, seed, QUICK)
        if found.even and found.meetings[0] > 0:
            break
    return found


def _sizes(roles: int, seats: int) -> Iterator[int]:
    """How many lineups may give every two roles a meeting and all roles as many tables, the fewest first."""
    whole = comb(roles, seats)
    tables = -(-(roles - 1) // (seats - 1)) if seats > 1 else 1
    while (many := -(-roles * tables // seats)) < whole:
        if roles * tables % seats == 0 and _possible(roles, seats, many):
            yield many
        tables += 1
    yield whole


def _possible(roles: int, seats: int, many: int) -> bool:
    """Whether meetings of any two roles can differ by one at most, as far as counting tells.

    First, the pairs of roles that meet once more than others are the edges of a graph, in which a role's degree
    follows from how often it sits; some graph must have such degrees (Erdos and Gallai 1960). Second, two lineups that
    share two roles account for a pair that meets twice, and the sittings say how many roles lineups must share. In
    both, roles that sit as equally often as can be are the last to fail.
    """
    many = min(many, comb(roles, seats) - many)
    low, more = divmod(many * comb(seats, 2), comb(roles, 2)) if roles > 1 else (0, 0)
    tables, rest = divmod(many * seats, roles)
    degrees = [(seats - 1) * (tables + (role < rest)) - low * (roles - 1) for role in range(roles)]
    graph = min(degrees) >= 0 and all(
        sum(degrees[:k]) <= k * (k - 1) + sum(min(degree, k) for degree in degrees[k:]) for k in range(1, roles + 1)
    )
    shared = comb(tables + 1, 2) * rest + comb(tables, 2) * (roles - rest)
    repeated = comb(low + 1, 2) * more + comb(low, 2) * (comb(roles, 2) - more)
    return graph and _pairs_shared(shared, comb(many, 2)) <= repeated


def _pairs_shared(shared: int, couples: int) -> int:
    """How many pairs of roles are shared at least, where so many couples of lineups share so many roles in all."""
    each, more = divmod(shared, couples) if couples else (0, 0)
    return comb(each + 1, 2) * more + comb(each, 2) * (couples - more)


def _best(roles: int, seats: int, many: int, seed: int, attempts: Sequence[Attempt]) -> Balanced:
    """The most even set that the attempts find, one after another until it can't be more even."""
    whole = comb(roles, seats)
    if many == whole:
        return _counted(roles, seats, list(combinations(range(roles), seats)))
    if many > whole // 2:
        # what is left of all lineups is as even as what is taken, as all together are even
        left = set(_best(roles, seats, whole - many, seed, attempts).lineups)
        return _counted(roles, seats, [one for one in combinations(range(roles), seats) if one not in left])
    best: Balanced | None = None
    for attempt in attempts:
        for lineups in _tried(roles, seats, many, seed, attempt):
            if len(lineups) != many:
                continue
            found = _counted(roles, seats, lineups)
            best = found if best is None or found.unevenness < best.unevenness else best
            if best.even and best.unevenness[1] <= 1:
                return best
        if attempt.number and best and best.proven:
            break
    assert best is not None
    return best


def _tried(roles: int, seats: int, many: int, seed: int, attempt: Attempt) -> Iterator[Lineups]:
    """Sets of lineups, to be counted."""
    ways = list(_circles(roles, seats, many))
    # where little is left to chance a short search is enough, and where much is, a long one goes furthest
    for circles in ways if attempt.moves <= FEW else dict.fromkeys([*ways[:3], ways[-1]]):
        yield _annealed(roles, seats, many, circles, attempt, seed)
    if not attempt.number and _possible(roles, seats, many):
        yield from _nearly_uniform(roles, seats, many, seed)


def _nearly_uniform(roles: int, seats: int, many: int, seed: int) -> Iterator[Lineups]:
    """Sets that are hard to find and easily made: those in which all roles meet equally often, with some lineups more
    or less, of which no two share two roles.
    """
    step = _uniform_step(roles, seats)
    below, above = many - many % step, many - many % step + step
    have = _uniform(roles, seats, below, seed) if 0 < below < many else []
    one = _uniform(roles, seats, step, seed) if len(have) == below else []
    for again in range(RENAMED if one else 0):
        others = sorted(set(_renamed(one, roles, word(seed, again))).difference(have))
        yield [*have, *_apart(others, roles, many - below)]
    if below < many:
        whole = _uniform(roles, seats, above, seed)
        yield sorted(set(whole).difference(_apart(whole, roles, above - many)))


def _uniform(roles: int, seats: int, many: int, seed: int) -> Lineups:
    """Lineups in which all roles meet equally often; none if they aren't found soon."""
    if many > comb(roles, seats):
        return []
    found = _best(roles, seats, many, seed, QUICK)
    return [] if found.unevenness[0] else list(found.lineups)


def _uniform_step(roles: int, seats: int) -> int:
    """The number whose multiples of lineups let all roles sit and meet equally often, as far as division tells."""
    pairs, inside = comb(roles, 2), comb(seats, 2)
    return lcm(pairs // gcd(pairs, inside), roles // gcd(roles, seats))


def _apart(lineups: Lineups, roles: int, many: int) -> Lineups:
    """So many of the lineups, or as many as are found, of which no two share two roles; roles sit evenly in them."""
    there = _sits(lineups, roles)
    free, sat, taken = np.ones(len(lineups), np.bool_), np.zeros(roles, np.int64), Lineups()
    while len(taken) < many and free.any():
        one = int(np.argmin(np.where(free, there @ sat, np.iinfo(np.int64).max)))
        taken.append(lineups[one])
        sat += there[one]
        free &= there @ there[one] < 2
    return taken


def _sits(lineups: Sequence[tuple[int, ...]], roles: int) -> Ints:
    """int64[lineups, roles]: 1 where a role sits in a lineup, else 0."""
    there = np.zeros((len(lineups), roles), np.int64)
    if lineups:
        np.put_along_axis(there, np.array(lineups, np.int64), 1, axis=1)
    return there


def _counted(roles: int, seats: int, lineups: Iterable[tuple[int, ...]]) -> Balanced:
    """Lineups with what is counted of them: nothing is taken on trust from the search."""
    ordered = tuple(sorted(lineups))
    there = _sits(ordered, roles)
    together = there.T @ there
    meet = together[np.triu_indices(roles, 1)] if roles > 1 else np.zeros(1, np.int64)
    spans = [(int(counts.min()), int(counts.max())) for counts in (meet, together.diagonal())]
    narrow = spans[0][1] - spans[0][0]
    proven = narrow <= 1 or (narrow == 2 and not _possible(roles, seats, len(ordered)))
    return Balanced(roles, seats, ordered, spans[0], spans[1], proven)


# ---------------------------------------------------------------- annealing


class Attempt(NamedTuple):
    """A number that parts its dice from those of others, how many moves are made, and whether roles are to sit equally
    often as well: that can stand in the way.
    """

    number: int
    moves: int
    sitting: bool


FEW = 2**17
MOVES = (FEW, FEW, FEW, 2**20, 2**20, 2**22)
QUICK = tuple(Attempt(number, moves, True) for number, moves in enumerate(MOVES))
ATTEMPTS = (*QUICK, Attempt(6, 2**20, False), Attempt(7, 2**23, False))
"""What is tried for balanced lineups, one after another."""

SLOTS = 20
"""Lineups that are taken are marked under so many bits of a hash; two under one mark are taken for the same."""

TRIES = 1_000
RENAMED = 10
HOT, COLD, LEVELS, STEEP = 0.6, 0.12, 64, 24
"""Temperatures of the first and the last of the levels, in meetings too many; a move that adds STEEP is refused."""

_NONE = -1


def _circles(roles: int, seats: int, many: int) -> Iterator[tuple[int, int]]:
    """(circles, roles of each) in which roles may move up together, many at once first: all roles sit in them but for
    one at most, and the lineups fall into rounds of as many as there are moves, and one of spokes. The last is (1, 1):
    nobody moves.
    """
    for turns in range(many, 0, -1):
        if roles % turns <= 1 and many % turns in (0, len(_spokes(roles, seats, turns))):
            if turns > 1 and isqrt(turns) ** 2 == turns and many % turns == 0:
                yield isqrt(turns), isqrt(turns)
            yield 1, turns


def _spokes(roles: int, seats: int, turns: int) -> Lineups:
    """The lineups of roles that lie evenly around a circle of nearly all: they turn into one another and themselves."""
    inner = seats - roles % turns
    if roles // turns != 1 or inner < 2 or turns % inner:
        return []
    step = turns // inner
    return [(*range(first, turns, step), *range(turns, roles)) for first in range(step)]


def _annealed(roles: int, seats: int, many: int, circles: tuple[int, int], attempt: Attempt, seed: int) -> Lineups:
    """The lineups of one attempt: those of its first round are searched, the others are theirs moved up."""
    turned = _turned(roles, *circles)
    pairs, gain = _pairs(turned)
    spokes = _spokes(roles, seats, len(turned)) if many % len(turned) else []
    low = np.full((roles, roles), many * comb(seats, 2) // max(comb(roles, 2), 1))
    np.fill_diagonal(low, many * seats // roles)
    met = np.zeros(len(gain), np.int64)
    met[pairs] = _sits(spokes, roles).T @ _sits(spokes, roles) - low
    met[pairs.diagonal()] *= attempt.sitting
    gain[pairs.diagonal()] *= attempt.sitting
    blocks = np.zeros((many // len(turned), seats), np.int64)
    key = np.uint64(word(word(word(seed, roles), len(turned)), attempt.number))
    anneal(blocks, turned, pairs, gain, met, _hurdles(), min(attempt.moves, FEW * len(blocks) ** 2), key)
    rounds = [tuple(row) for turn in turned for row in turn[blocks].tolist()]
    return _renamed(rounds + spokes, roles, int(key))


def _renamed(lineups: Lineups, roles: int, key: int) -> Lineups:
    """The same lineups with the roles dealt anew."""
    order = np.arange(roles)
    plain(shuffle)(order, roles, word(key, 0))
    return [tuple(sorted(order[list(lineup)].tolist())) for lineup in lineups]


def _turned(roles: int, rows: int, columns: int) -> Ints:
    """int64[rows * columns, roles]: who sits where a role sat, after each move up in a ring of rings. Roles that are
    left over by rings of rows * columns roles stay.
    """
    turns = rows * columns
    role, move = np.arange(roles), np.arange(turns)[:, None]
    place = role % turns
    row, column = (place // columns + move // columns) % rows, (place + move) % columns
    whole = role < roles - roles % turns
    return np.where(whole, role - place + row * columns + column, role).astype(np.int64)


def _pairs(turned: Ints) -> tuple[Ints, Ints]:
    """Pairs of roles that turn into one another have one number: int64[roles, roles], a role with itself as well.
    And for each number, how many meetings a pair gains where a round has one more of them in its first lineup.
    """
    turns, roles = turned.shape
    code = np.full((roles, roles), roles**2)
    for turn in turned:
        one, other = np.minimum(turn[:, None], turn), np.maximum(turn[:, None], turn)
        code = np.minimum(code, one * roles + other)
    codes, pairs, ordered = np.unique(code, return_inverse=True, return_counts=True)
    alone = codes // roles == codes % roles
    return pairs.reshape(roles, roles).astype(np.int64), turns // np.where(alone, ordered, ordered // 2)


def _hurdles() -> Ints:
    """int64[LEVELS, STEEP]: out of 2^20 moves that add so much to the energy, how many are made at each level."""
    level = [HOT * (COLD / HOT) ** (step / (LEVELS - 1)) for step in range(LEVELS)]
    return np.array([[round(2**20 * exp(-more / heat)) for more in range(STEEP)] for heat in level], np.int64)


@entry
def anneal(blocks, turned, pairs, gain, met, hurdles, moves, key):  # type: ignore[no-untyped-def]
    """Fill `blocks`, int64[rows, seats], with lineups and improve them move by move; gives the energy that is left.

    `turned`, `pairs` and `gain` as of `_turned` and `_pairs`; `met[number]` is how often such pairs meet, less how
    often they should at least; the energy of a pair that meets so often or once more is 0, and grows by 1, 2, 3, ...
    with each meeting beyond. A move puts another role in the place of one.
    """
    taken = np.zeros(1 << SLOTS, np.bool_)
    if not fill(blocks, turned, pairs, gain, met, taken, word(key, 0)):
        return np.int64(1) << np.int64(62)
    energy = np.int64(0)
    for number in range(met.shape[0]):
        energy += met[number] * (met[number] - 1) // 2
    for move in range(moves):
        if energy == 0:
            break
        draw = word(key, move + 1)
        row, seat = bounded(draw, blocks.shape[0]), bounded(word(draw, 0), blocks.shape[1])
        role, before = bounded(word(draw, 1), turned.shape[1]), blocks[row, seat]
        if sits(blocks[row], role):
            continue
        change = replace(blocks[row], seat, role, pairs, gain, met)
        hurdle = hurdles[move * hurdles.shape[0] // moves, min(max(change, 0), hurdles.shape[1] - 1)]
        made = change < hurdles.shape[1] and upper_bits(word(draw, 2), 20) < hurdle
        if made:
            slot = slot_of(blocks[row], turned)
            made = slot != _NONE and not taken[slot]
        if made:
            taken[slot] = True
            energy += change
            blocks[row, seat] = before
            taken[slot_of(blocks[row], turned)] = False
            blocks[row, seat] = role
        else:
            replace(blocks[row], seat, before, pairs, gain, met)
    return energy


@inlined
def fill(blocks, turned, pairs, gain, met, taken, key):  # type: ignore[no-untyped-def]
    """Seat roles at random, no lineup like another; False where too many tries fail."""
    order = np.arange(turned.shape[1])
    for row in range(blocks.shape[0]):
        slot = np.int64(_NONE)
        for attempt in range(TRIES):
            shuffle(order, turned.shape[1], word(word(key, row), attempt))
            for seat in range(blocks.shape[1]):
                blocks[row, seat] = order[seat]
            slot = slot_of(blocks[row], turned)
            if slot != _NONE and not taken[slot]:
                break
            slot = np.int64(_NONE)
        if slot == _NONE:
            return False
        taken[slot] = True
        for i in range(blocks.shape[1]):
            for j in range(i + 1):
                met[pairs[blocks[row, i], blocks[row, j]]] += gain[pairs[blocks[row, i], blocks[row, j]]]
    return True


@inlined
def sits(row, role):  # type: ignore[no-untyped-def]
    """Whether a role sits in a lineup."""
    found = False
    for i in range(row.shape[0]):
        found = found or row[i] == role
    return found


@inlined
def replace(row, seat, role, pairs, gain, met):  # type: ignore[no-untyped-def]
    """Put a role on a seat, and give what that adds to the energy."""
    change, before = np.int64(0), row[seat]
    row[seat] = role
    for i in range(row.shape[0]):
        gone = pairs[before, before if i == seat else row[i]]
        met[gone] -= gain[gone]
        change -= gain[gone] * (2 * met[gone] + gain[gone] - 1) // 2
        come = pairs[role, row[i]]
        change += gain[come] * (2 * met[come] + gain[come] - 1) // 2
        met[come] += gain[come]
    return change


@inlined
def slot_of(row, turned):  # type: ignore[no-untyped-def]
    """The mark of a lineup and of those that it turns into; _NONE where two of these are the same."""
    whole, first = np.uint64(0), np.uint64(0)
    for turn in range(turned.shape[0]):
        one = np.uint64(0)
        for i in range(row.shape[0]):
            one ^= word(turned[turn, row[i]], 0)
        if turn == 0:
            first = one
        elif one == first:
            return np.int64(_NONE)
        whole ^= word(one, 0)
    return upper_bits(whole, SLOTS)
