"""Sweeps: from the tables of a config to points, each a tuple of changes by path.

Nothing here knows what a path means: whether it names a card, a ruling, a bot or a setting of the table is checked
where points are played. Several tables in one sweep multiply.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, Strict, WithJsonSchema

from experiments.parts import Changes, Part, about, changes_named, leaves, toml_value
from simcore.packs import Mistake, Mistakes, shown

MOST = 100_000
"""Points of a sweep, at most."""

TOLD = 20
"""Repetitions of one table that are named one by one."""

MORE, BLOCK = 2**17, 2**10
"""Sobol draws beyond the first ones, at most, in the search for points that differ; and how many at once."""

HUGE = 10**12
DIMENSIONS = 100


def _by_path(raw: Any) -> Any:
    """Nested tables as one table by dotted paths. Raises ValueError for a path that is written twice."""
    if not isinstance(raw, dict):
        return raw
    pairs = list(leaves(raw))
    twice = [path for path, times in Counter(path for path, _ in pairs).items() if times > 1]
    if twice:
        raise ValueError(f"gives {', '.join(twice)} twice")
    return dict(pairs)


def _tables_by_path(raw: Any) -> Any:
    return [_by_path(table) for table in raw] if isinstance(raw, list | tuple) else raw


def _plain(value: Any) -> Any:
    """A value that a config can hold and that reads back the same. Raises ValueError for any other."""
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if not isinstance(value, str | int | float):
        raise ValueError(f"has {shown(value)}, which is neither text, a number, true or false, nor a list of these")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"has {value}, which is no finite number")
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError("has a number of more than 64 bits")
    return value


def _plain_values(values: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(_plain(value) for value in values)


_TABLE = {"type": "object"}
_TABLES = {"type": "array", "items": _TABLE, "minItems": 1}
_SPAN = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}

Values = Annotated[tuple[Any, ...], Strict(False), Field(min_length=1), AfterValidator(_plain_values)]
Lists = Annotated[dict[str, Values], BeforeValidator(_by_path), WithJsonSchema(_TABLE)]
Table = dict[str, Annotated[Any, AfterValidator(_plain)]]
ListOfTables = Annotated[tuple[Table, ...], Strict(False), BeforeValidator(_tables_by_path), WithJsonSchema(_TABLES)]
Bound = Annotated[int | float, Field(ge=-HUGE, le=HUGE, allow_inf_nan=False)]
Range = Annotated[tuple[Bound, Bound], Strict(False), WithJsonSchema(_SPAN)]
Ranges = Annotated[dict[str, Range], Field(max_length=DIMENSIONS), BeforeValidator(_by_path), WithJsonSchema(_TABLE)]


class Sobol(Part):
    """Points strewn evenly over ranges: Sobol's sequence, scrambled by the config's seed."""

    n: Annotated[int, Field(ge=1, le=MOST), about("How many points; a power of two covers the ranges most evenly.")]
    ranges: Annotated[
        Ranges,
        about("[low, high] by path, both of them included; whole numbers where both are written as whole numbers."),
    ]


class Sweep(Part):
    """Points at which all lineups are played. Paths are those of --set: kind.card.field, bots.side, table.setting."""

    grid: Annotated[Lists | None, about("Lists of values by path: each value with every one of other paths.")] = None
    zip: Annotated[Lists | None, about("Lists of values by path, as long as one another: side by side.")] = None
    list: Annotated[ListOfTables | None, about("Points one by one, each a [[sweep.list]] with values by path.")] = None
    sobol: Annotated[Sobol | None, about("Points strewn evenly over ranges.")] = None


@dataclass(frozen=True)
class Points:
    """A sweep written out: `points` in order, no two of them alike, and `notes` for people."""

    points: tuple[Changes, ...]
    notes: tuple[str, ...]


def points_of(sweep: Sweep, seed: int) -> Points:
    """All points of a sweep; seed (0..2^63-1) scrambles the Sobol sequence.

    The points of [sweep.grid] change their last path fastest; of several tables, the last one. Raises Mistakes with
    all that is wrong: nothing to sweep, lists of unlike lengths, ranges that hold one value or none, points that are
    alike, a path in two tables, more than MOST points.
    """
    mistakes = [*_empty(sweep), *_unlike_lengths(sweep), *_clashes(sweep), *_odd_ranges(sweep)]
    mistakes += [*_values_twice(sweep), *_too_many(sweep)]
    if mistakes:
        raise Mistakes(mistakes)
    parts = dict(_written_out(sweep))
    mistakes = [mistake for name, part in parts.items() if name != "grid" for mistake in _repeated(name, part)]
    if mistakes:
        raise Mistakes(mistakes)
    notes: list[str] = []
    if sweep.sobol:
        parts["sobol"], notes = _strewn(sweep.sobol, seed)
    return Points(tuple(_joined(parts.values())), tuple(notes))


def _joined(parts: Iterable[Sequence[Changes]]) -> Iterator[Changes]:
    """Every point of each part with every one of the others."""
    for several in product(*parts):
        yield tuple(change for one in several for change in one)


def _written_out(sweep: Sweep) -> Iterator[tuple[str, list[Changes]]]:
    """The points of the tables that list them, by the table's name."""
    if sweep.grid:
        paths = list(sweep.grid)
        yield "grid", [tuple(zip(paths, values, strict=True)) for values in product(*sweep.grid.values())]
    if sweep.zip:
        paths = list(sweep.zip)
        yield "zip", [tuple(zip(paths, values, strict=True)) for values in zip(*sweep.zip.values(), strict=True)]
    if sweep.list:
        yield "list", [tuple(table.items()) for table in sweep.list]


# ---------------------------------------------------------------- what can be wrong


def _empty(sweep: Sweep) -> Iterator[Mistake]:
    """Tables that are there and hold nothing, or no table at all."""
    tables = {"grid": sweep.grid, "zip": sweep.zip, "sobol.ranges": sweep.sobol and sweep.sobol.ranges}
    for table, paths in tables.items():
        if paths is not None and not paths:
            yield Mistake(f"sweep.{table}", "is empty", "values by path, as in kind.card.field = [2, 3]")
    if sweep.list is not None and not sweep.list:
        yield Mistake("sweep.list", "is empty", "at least one [[sweep.list]]")
    if all(table is None for table in (*tables.values(), sweep.list)):
        yield Mistake("sweep", "is empty", "at least one of [sweep.grid], [sweep.zip], [[sweep.list]], [sweep.sobol]")


def _unlike_lengths(sweep: Sweep) -> Iterator[Mistake]:
    lengths = {path: len(values) for path, values in (sweep.zip or {}).items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{path} {length}" for path, length in lengths.items())
        yield Mistake("sweep.zip", f"has lists of unlike lengths: {told}", "lists as long as one another")


def _paths(sweep: Sweep) -> dict[str, list[str]]:
    """The paths of each table; a path of several [[sweep.list]] counts once."""
    return {
        "grid": list(sweep.grid or ()),
        "zip": list(sweep.zip or ()),
        "list": list(dict.fromkeys(path for table in sweep.list or () for path in table)),
        "sobol": list(sweep.sobol.ranges if sweep.sobol else ()),
    }


def _clashes(sweep: Sweep) -> Iterator[Mistake]:
    """Paths of which one point would have two values: named in two tables, or one above the other."""
    named: dict[str, str] = {}
    for table, paths in _paths(sweep).items():
        for path in paths:
            first = named.setdefault(path, table)
            if first != table:
                yield Mistake(f"sweep.{table}.{path}", f"is swept in sweep.{first}, too", "each path in one table")
    for path, table in named.items():
        above = [path[:at] for at, sign in enumerate(path) if sign == "." and path[:at] in named]
        for outer in above:
            wrong = f"is swept together with {outer}, in which it lies"
            yield Mistake(f"sweep.{table}.{path}", wrong, "paths apart from one another")


def _odd_ranges(sweep: Sweep) -> Iterator[Mistake]:
    """Ranges that hold no two numbers, and more points than the ranges hold."""
    ranges = sweep.sobol.ranges if sweep.sobol else {}
    odd = [(path, low, high) for path, (low, high) in ranges.items() if low >= high]
    for path, low, high in odd:
        yield Mistake(f"sweep.sobol.ranges.{path}", f"runs from {low} to {high}", "[low, high] with low below high")
    if sweep.sobol and ranges and not odd and sweep.sobol.n > _different(sweep.sobol):
        allowed = f"at most {_different(sweep.sobol):,}: the ranges hold no more"
        yield Mistake("sweep.sobol.n", f"is {sweep.sobol.n:,}", allowed)


def _values_twice(sweep: Sweep) -> Iterator[Mistake]:
    """Values that stand twice in a list of the grid: each would make all of its points twice."""
    for path, values in (sweep.grid or {}).items():
        counts = Counter(toml_value(value) for value in values)
        twice = [f"{value} {many} times" for value, many in counts.items() if many > 1]
        if twice:
            told = ", ".join(twice[:TOLD]) + (" ..." if len(twice) > TOLD else "")
            yield Mistake(f"sweep.grid.{path}", f"names {told}", "each value once")


def _too_many(sweep: Sweep) -> Iterator[Mistake]:
    many = {
        "grid": math.prod(len(values) for values in (sweep.grid or {}).values()),
        "zip": max((len(values) for values in (sweep.zip or {}).values()), default=1),
        "list": len(sweep.list or "-"),
        "sobol": sweep.sobol.n if sweep.sobol else 1,
    }
    total = math.prod(many.values())
    if total > MOST:
        factors = " x ".join(f"{count:,} in {table}" for table, count in many.items() if count > 1)
        yield Mistake("sweep", f"has {total:,} points ({factors})", f"at most {MOST:,}")


def _repeated(table: str, points: Sequence[Changes]) -> Iterator[Mistake]:
    """Points of one table that are alike, each with the places at which it stands."""
    places: dict[tuple[str, ...], list[int]] = {}
    for place, point in enumerate(points):
        places.setdefault(_key(point), []).append(place)
    alike = [where for where in places.values() if len(where) > 1]
    for where in alike[:TOLD]:
        numbers = ", ".join(str(place + 1) for place in where[:TOLD]) + (" ..." if len(where) > TOLD else "")
        name = changes_named(points[where[0]]) or "the config as it is"
        yield Mistake(f"sweep.{table}", f"has one point {len(where)} times (points {numbers}): {name}", "each once")
    if len(alike) > TOLD:
        yield Mistake(f"sweep.{table}", f"has {len(alike) - TOLD:,} more points several times", "each once")


def _key(point: Changes) -> tuple[str, ...]:
    """What two points share if they are alike, whatever the order of their paths."""
    return tuple(sorted(f"{path}={toml_value(value)}" for path, value in point))


# ---------------------------------------------------------------- Sobol


def _whole(low: float, high: float) -> bool:
    return isinstance(low, int) and isinstance(high, int)


def _different(sobol: Sobol) -> int:
    """How many points the ranges hold, where they are of whole numbers; more than any n otherwise."""
    spans = sobol.ranges.values()
    return math.prod(int(high - low) + 1 if _whole(low, high) else HUGE for low, high in spans)


def _strewn(sobol: Sobol, seed: int) -> tuple[list[Changes], list[str]]:
    """n different points of the scrambled sequence in its order, and notes for people."""
    found: dict[Changes, None] = {}
    drawn = 0
    for drawn, chances in enumerate(_draws(len(sobol.ranges), sobol.n, seed), start=1):
        spans = zip(sobol.ranges.items(), chances, strict=True)
        found[tuple((path, _within(u, low, high)) for (path, (low, high)), u in spans)] = None
        if len(found) == sobol.n:
            return list(found), [*_uneven(sobol.n), *_skipped(drawn - sobol.n)]
    allowed = f"at most {len(found):,}, or a [sweep.grid]"
    raise Mistakes([Mistake("sweep.sobol.n", f"is {sobol.n:,}: too near to all that the ranges hold", allowed)])


def _draws(dimensions: int, n: int, seed: int) -> Iterator[Sequence[float]]:
    """The scrambled Sobol sequence: its balance needs a power of two to begin with, and so many are made at once."""
    import numpy as np
    from scipy.stats import qmc

    sequence = qmc.Sobol(dimensions, scramble=True, seed=np.random.default_rng(seed))
    yield from sequence.random_base2((n - 1).bit_length()).tolist()
    for _ in range(MORE // BLOCK):
        yield from sequence.random(BLOCK).tolist()


def _within(u: float, low: float, high: float) -> int | float:
    """A number of the range for u in [0, 1): whole numbers have equal parts of it, others six digits of its width."""
    if _whole(low, high):
        return int(min(low + math.floor(u * (high - low + 1)), high))
    digits = 5 - math.floor(math.log10(high - low))
    return min(max(round(low + u * (high - low), digits), low), high)


def _uneven(n: int) -> list[str]:
    nearby = f"{2 ** (n.bit_length() - 1):,} or {2 ** n.bit_length():,}"
    return [] if n & (n - 1) == 0 else [f"{n:,} Sobol points: {nearby}, a power of two, would lie more evenly"]


def _skipped(many: int) -> list[str]:
    return [f"{many:,} Sobol points skipped, as they repeat earlier ones in whole numbers"] if many else []


def swept(points: Sequence[Changes]) -> Mapping[str, tuple[Any, ...]]:
    """The paths that points change, in their order, each with its different values in theirs."""
    found: dict[str, dict[str, Any]] = {}
    for point in points:
        for path, value in point:
            found.setdefault(path, {}).setdefault(toml_value(value), value)
    return {path: tuple(values.values()) for path, values in found.items()}
