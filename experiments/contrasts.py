"""What a report says of a sweep, and of variants beside their baseline."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from experiments import crews, plots, stats
from experiments.ledger import Run
from experiments.pages import (
    Grid,
    Picture,
    Row,
    Value,
    count_of,
    embedded,
    in_points,
    listed,
    mean_of,
    rate_of,
    term,
    upper,
)
from experiments.parts import changes_named, heads, values_named, words
from experiments.seen import NOTHING, Estimate, intervals
from experiments.sweeps import swept
from simcore.game import Side

BINS = 12
"""Values of a path that a curve shows one by one; more are drawn together in so many groups."""

WIDE, MOST_TABLED = 7, 21
"""Points that a table has columns for, and that tables are made for."""


def front(run: Run, summary: pd.DataFrame) -> pd.DataFrame:
    """The rows of a summary that ordinary sections look at: the baseline at the first point."""
    return at(run, summary, *run.plan.slices[0])


def at(run: Run, summary: pd.DataFrame, point: int, variant: str) -> pd.DataFrame:
    """The rows of a point and a variant."""
    named = changes_named(run.plan.setup.points[point])
    return summary[(summary.settings == named) & (summary.variant == variant)]


# ---------------------------------------------------------------- sweeps


@dataclass(frozen=True)
class Swept:
    """A sweep seen as a whole: `shares` has point, side, role, value, low, high, word, a row for each role at each
    point; `gaps` the differences from the first point, where its points have common dice. Of a crew that wins together
    what stands as a role is a lineup, or all of a size (`crews.shares`).
    """

    run: Run
    shares: pd.DataFrame
    gaps: pd.DataFrame

    @classmethod
    def of(cls, run: Run, summary: pd.DataFrame) -> Swept:
        """A run's sweep from its summary with titles."""
        if run.game.crew:
            return cls(run, crews.shares(run), pd.DataFrame())
        place = {changes_named(changes): point for point, changes in enumerate(run.plan.setup.points)}
        field = summary[(summary.cell == stats.FIELD) & (summary.variant == "")]
        shares, gaps = stats.verdicts(run, field), field[field.measure == "difference"]
        gaps = gaps[["side", "role", "value", "low", "high", "settings"]]
        first = gaps.drop_duplicates(["side", "role"])  # the first point differs from itself by nothing
        gaps = pd.concat([first.assign(value=0.0, low=0.0, high=0.0, settings=next(iter(place))), gaps])
        return cls(run, *(rows.assign(point=rows.settings.map(place)) for rows in (shares, gaps)))

    def point(self, place: int) -> str:
        """A point in words."""
        points = self.run.plan.setup.points
        named = values_named if len(swept(points)) == 1 else changes_named
        return named(points[place]) or "the config as it is"

    @property
    def shared(self) -> str:
        """What share is called: to a crew it is how often it wins."""
        return "win rate" if self.run.game.crew else "share"

    def many(self, side: Side) -> str:
        """What is compared: the roles of a side, or crews."""
        return "crews" if self.run.game.crew else side.key

    def side(self, side: Side) -> pd.DataFrame:
        """The shares of a side's roles, the strongest over all points first; crews as they are listed."""
        rows = self.shares[self.shares.side == side.key]
        if self.run.game.crew:
            return rows
        mean = rows.groupby("role").value.transform("mean")
        return rows.assign(mean=mean).sort_values(["mean", "role", "point"], ascending=[False, True, True])


def sweep_front(run: Run, summary: pd.DataFrame, size: int = 0) -> dict[str, list[Any]]:
    """The answer and the curves of a sweep, at tables of a size (`stats.Part`)."""
    sweep = Swept.of(run, summary)
    sides = [side for side in run.game.sides if len(sweep.side(side))]
    paths = swept(run.plan.setup.points)
    pictures = [_curves(sweep, side, path, values) for path, values in paths.items() for side in sides]
    called, tables = stats.tables_of(size), [table for side in sides for table in _tables(sweep, side)]
    games = _games(sweep, summary)
    return {
        "answers": [_answer(sweep, side) | ({"side": called} if size else {}) for side in sides],
        "forests": [(called, [picture for picture in pictures if picture])],
        "strength": [(called, tables)] if tables else [],
        "costs": [(called, games)] if games else [],
    }


def _games(sweep: Swept, summary: pd.DataFrame) -> dict[str, Any] | None:
    """What games are like at each point, where points are few."""
    points, game = sweep.run.plan.setup.points, sweep.run.game
    if len(points) > MOST_TABLED:
        return None
    columns = [(sweep.point(place), changes_named(changes), "") for place, changes in enumerate(points)]
    parts = list(_means(sweep.run, summary, columns))
    meanings = stats.measures(game)
    used = dict.fromkeys(name for names, _ in parts for name in names)
    terms = terms_of(sweep.run, used, lambda name: upper(meanings[name]) + ".")
    return {"tables": [table for _, table in parts], "terms": terms, "note": ""} if parts else None


def terms_of(run: Run, names: Iterable[str], meaning: Callable[[str], str]) -> list[dict[str, str]]:
    """What measures are called and what each is; columns of many cards of a kind are told once."""
    columns = (*run.game.game_columns, *run.game.seat_columns)
    kinds = {
        column.name: f"{column.name.rpartition('_')[0]} (each {column.card[0]})" for column in columns if column.card
    }
    told = {kinds.get(name, name): meaning(name) for name in names}
    return [term(name, about) for name, about in told.items()]


def _means(
    run: Run, summary: pd.DataFrame, columns: Sequence[tuple[str, str, str]], moved: bool = False
) -> Iterator[tuple[list[str], Grid]]:
    """Tables of means, of a seat among rivals and of a game, with the measures that each shows. `columns`: what stands
    above each, and the settings and the variant of which it is; `moved`: as in `_beside`."""
    game, side = run.game, run.game.sides[0]
    field = summary[summary.cell == stats.FIELD]
    if game.rivals:
        names = ["score", *(column.name for column in game.seat_columns)]
        seats = field[(field.side == side.key) & field.measure.isin(names)]
        # seats of one game may all err alike: the mean of their intervals is never too narrow
        groups = seats.groupby(["measure", "settings", "variant"], sort=False)
        means = groups.agg({"value": "mean", "low": _whole_mean, "high": _whole_mean, "interval": "max"}).reset_index()
        yield from _beside(run, means, names, columns, f"Means of one of the {side.key}, over all of them", moved)
    names = ["rounds", *(column.name for column in game.game_columns)]
    yield from _beside(run, field[field.side == ""], names, columns, "Means of a game, over all lineups", moved)


def _whole_mean(numbers: pd.Series) -> float:
    """The mean, NaN where one of them is."""
    return float(numbers.mean(skipna=False))


def _beside(
    run: Run, rows: pd.DataFrame, names: Sequence[str], columns: Sequence[tuple[str, str, str]], about: str, moved: bool
) -> Iterator[tuple[list[str], Grid]]:
    """Tables with a line for each measure that is ever more than 0, a page wide at most; with those measures. `moved`:
    only the first measure and those with intervals that are apart."""
    each: Iterator[Any] = rows[rows.measure.isin(names)].itertuples()
    found = {(str(row.measure), str(row.settings), str(row.variant)): (row.value, row.low, row.high) for row in each}
    lines = {name: [found.get((name, at, who), NOTHING) for _, at, who in columns] for name in names}
    used = [name for name in names if any(value > 0 for value, _, _ in lines[name])]
    if moved:
        used = [name for name in used if name == names[0] or _apart(lines[name])]
    called, kinds = heads(run.game, run.tables), intervals(rows.interval.dropna().unique())
    about = f"{about}, with {kinds}{'; further measures only where these are apart' if moved else ''}."
    for start in range(0, len(columns) if used else 0, WIDE):
        part = slice(start, start + WIDE)
        shown = [Row(called.get(name, words(name)), [mean_of(*one) for one in lines[name][part]]) for name in used]
        yield used, Grid(about, ["", *(head for head, *_ in columns[part])], shown)


def _apart(numbers: Sequence[Estimate]) -> bool:
    """Whether some intervals have nothing in common."""
    return max(low for _, low, _ in numbers) > min(high for _, _, high in numbers)


def _answer(sweep: Swept, side: Side) -> dict[str, Any]:
    """Who moves most, and a line for each role with its verdicts over the points."""
    rows, many = sweep.side(side), len(sweep.run.plan.setup.points)
    lines = [_line(sweep, role, own, many) for role, own in rows.groupby("role", sort=False)]
    moves = rows.groupby("role", sort=False).value.agg(lambda value: value.max() - value.min())
    paths = listed(list(swept(sweep.run.plan.setup.points)))
    lead = (
        f"Over {many:,} points of {paths}, the {sweep.shared} of {moves.idxmax()} moves most among the "
        f"{sweep.many(side)}, by {in_points(moves.max()).lstrip('+')}, and that of {moves.idxmin()} least, by "
        f"{in_points(moves.min()).lstrip('+')}."
    )
    if len(moves) == 1:
        lead = (
            f"Over {many:,} points of {paths}, the {sweep.shared} of {moves.idxmax()} moves by "
            f"{in_points(moves.max()).lstrip('+')}."
        )
    judged = f"Pack: {sweep.run.pack.title or sweep.run.pack.name}. {_judged(sweep, side)}"
    return {"side": upper(sweep.many(side)), "lead": lead, "judged": judged, "lines": lines}


def _judged(sweep: Swept, side: Side) -> str:
    """Against what verdicts are."""
    crew = sweep.run.game.crew
    if not crew and sweep.run.config.verdict.against == "field":
        return "Each role is judged at each point against the others."
    inside = stats.band(sweep.run, side, float(sweep.shares.value.mean()))
    ends = f"{plots.percent(inside.least)} to {plots.percent(inside.most)}%"
    if not crew:
        return f"Each role is judged at each point: balanced is a share from {ends}."
    return f"Each crew is judged at each point: balanced is a win rate from {ends}. Who is in it is not judged here."


def _line(sweep: Swept, role: Any, own: pd.DataFrame, many: int) -> dict[str, str]:
    counts = own.word.value_counts()
    least, most = (own.iloc[int(place)] for place in (own.value.argmin(), own.value.argmax()))
    word = str(counts.idxmax())
    others = "".join(f", {other} at {counts[other]}" for other in stats.WORDS if other in counts and other != word)
    share = (
        f"at {counts[word]} of {many} points{others}; {sweep.shared} from {plots.percent(least.value)}% "
        f"(at {sweep.point(int(least.point))}) to {plots.percent(most.value)}% (at {sweep.point(int(most.point))})"
    )
    return {"role": str(role), "word": word, "kind": word.split()[-1], "share": share, "assumed": ""}


def _curves(sweep: Swept, side: Side, path: str, values: tuple[Any, ...]) -> Picture | None:
    """How the shares of a side go with one path, averaged over the values of other paths."""
    rows, same = sweep.side(side), sweep.run.config.run.common_dice
    common = same and not sweep.run.game.crew
    if common:
        order = list(dict.fromkeys(rows.role))
        gaps = sweep.gaps[sweep.gaps.side == side.key]
        rows = gaps.sort_values("role", key=lambda roles: roles.map(order.index), kind="stable")
    grouped = _by_value(sweep, rows, path, values, common)
    if len(values) < 2 or grouped.empty:
        return None
    name, others = path, len(swept(sweep.run.plan.setup.points)) > 1
    caption = (
        f"For each of the {sweep.many(side)}, its {sweep.shared}{'' if sweep.run.game.crew else ' over the field'}"
        + (", less that at the first point" if common else "")
        + f", by {name}"
        + (", the mean over all points that have the value" if others else "")
        + (f"; values are drawn together in {BINS} groups" if len(values) > BINS else "")
        + f". Upright lines: {_kind(sweep, common)}; "
        "faint: the mean of all."
        + (" As the points have the same dice, differences are surer than the lines look." if same > common else "")
    )

    def draw(narrow: bool) -> Figure:
        return plots.curves(grouped, name, "difference of share, points" if common else f"{sweep.shared}, %", narrow)

    many = sweep.many(side)
    return embedded(draw, f"The {many} by {name}", f"{upper(sweep.shared)} of each of the {many} by {name}", caption)


def _kind(sweep: Swept, common: bool = False) -> str:
    """Which intervals the shares at the points of a sweep have, or their differences on common dice."""
    return "95% intervals (paired differences on common dice)" if common else intervals([stats.rates_kind(sweep.run)])


def _by_value(sweep: Swept, rows: pd.DataFrame, path: str, values: tuple[Any, ...], common: bool) -> pd.DataFrame:
    """The mean of each role at each value of a path: role, x, value, low, high."""
    at: dict[int, Any] = {point: dict(changes).get(path) for point, changes in enumerate(sweep.run.plan.setup.points)}
    rows = rows.assign(x=rows.point.map(at))
    rows = rows[rows.x.notna()]  # points that leave the path alone
    if len(values) > BINS and all(isinstance(value, int | float) for value in values):
        ends = np.quantile(sorted(values), np.linspace(0, 1, BINS + 1))
        middle = (ends[1:] + ends[:-1]) / 2
        rows["x"] = middle[np.clip(np.searchsorted(ends, rows.x.astype(float), "right") - 1, 0, BINS - 1)]
    elif not all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        rows["x"] = rows.x.map(str)
    grouped = rows.groupby(["role", "x"], sort=False)
    # independent points: variances add up; on common dice they may all err alike
    join = (lambda half: half.mean()) if common else (lambda half: math.sqrt((half**2).sum()) / len(half))
    parts = {"value": grouped.value.mean()}
    parts["below"] = (rows.value - rows.low).groupby([rows.role, rows.x], sort=False).agg(join)
    parts["above"] = (rows.high - rows.value).groupby([rows.role, rows.x], sort=False).agg(join)
    found = pd.DataFrame(parts).reset_index()
    return found.assign(low=found.value - found.below, high=found.value + found.above)


def _tables(sweep: Swept, side: Side) -> Iterator[Grid]:
    """A line for each role and a column for each point, where there are few; summary.csv has them all."""
    rows, many = sweep.side(side), len(sweep.run.plan.setup.points)
    if many > WIDE:
        return
    lines = [
        Row(str(role), [rate_of(*row) for row in own[["value", "low", "high"]].to_numpy(dtype=float)])
        for role, own in rows.groupby("role", sort=False)
    ]
    paths = listed(list(swept(sweep.run.plan.setup.points)))
    about = f"The {sweep.shared} of the {sweep.many(side)} at each point of {paths}, in percent, with {_kind(sweep)}."
    yield Grid(about, [upper(side.bot), *(sweep.point(place) for place in range(many))], lines)


# ---------------------------------------------------------------- variants


def overview(run: Run, summary: pd.DataFrame) -> Grid | None:
    """Several variants side by side: whom each one moves most, and by how much; None for one or none."""
    rows = []
    for point, variant in run.plan.slices:
        field = at(run, summary, point, variant)
        gaps = field[(field.cell == stats.FIELD) & (field.measure == "difference")].dropna(subset="value")
        if variant and len(gaps):
            most: Any = gaps.iloc[int(gaps.value.abs().argmax())]
            where = f" at {changes_named(run.plan.setup.points[point])}" if run.plan.setup.points[point] else ""
            rows.append(Row(f"{variant}{where}", [Value(str(most.role)), _gap(most), Value(_moved(most))]))
    if len(rows) < 2:
        return None
    shared = "win rate of the crews with that member" if run.game.crew else "share"
    about = (
        f"For each variant, whose {shared} it moves most, in percentage points less the baseline on the same dice, "
        "with 95% intervals (paired). As the largest of several, it looks a little larger than it is."
    )
    return Grid(about, ["Variant", "moved most", "difference", "verdict"], sorted(rows, key=_by_gap), falls="")


def _by_gap(row: Row) -> float:
    """What rows of the overview are sorted by: the largest loss first."""
    return row.cells[1].key or 0.0


def variants(run: Run, summary: pd.DataFrame, size: int = 0) -> list[dict[str, Any]]:
    """A section for each variant at each point: what it changed, at tables of a size (`stats.Part`)."""
    found = [_variant(run, summary, point, variant) for point, variant in run.plan.slices if variant]
    return [one | {"name": f"{one['name']}, {stats.tables_of(size).lower()}"} for one in found] if size else found


def _variant(run: Run, summary: pd.DataFrame, point: int, variant: str) -> dict[str, Any]:
    here, setup = at(run, summary, point, variant), run.plan.setup
    field = here[here.cell == stats.FIELD]
    where = f" at {changes_named(setup.points[point])}" if setup.points[point] else ""
    named = changes_named(setup.points[point])
    beside = [("as it is", named, ""), (variant, named, variant)]
    sets = next(one.changes for one in run.config.variant if one.name == variant)
    return {
        "name": f"{variant}{where}",
        "lines": [f"It sets {changes_named(sets)}.", *told(field)],
        "tables": [*_differences(run, field), *(table for _, table in _means(run, summary, beside, moved=True))],
        "replays": list(_replays(run, run.plan.slice(point, variant), variant)),
    }


def told(field: pd.DataFrame) -> Iterator[str]:
    """In sentences: how many games a variant changed, and what the common dice saved. `field`: its pooled rows."""
    changed = field[(field.measure == "changed_rate") & (field.role == "")]
    rate, games = float(changed.value.iloc[0]), int(changed.games.iloc[0])
    if not games or not rate:
        yield f"No difference in {games:,} games: nobody's share changed in any of them."
        return
    yield f"{round(rate * games):,} of {games:,} games ({plots.percent(rate, 2)}%) gave somebody another share."
    saved = field[field.measure == "saved"].dropna(subset="value")
    if len(saved):
        times = saved.value.median()
        yield (
            f"For the middle role, the same dice made {times:.1f} times fewer games do for the same precision."
            if times >= 1.5
            else f"The change is too large for the same dice to help: they saved {times:.1f} times the games."
        )


def _differences(run: Run, field: pd.DataFrame) -> Iterator[Grid]:
    """A table for each side: what the variant did to each role's share, the largest gain first."""
    for side in run.game.sides:
        own = field[field.side == side.key]
        gaps = own[own.measure == "difference"].dropna(subset="value")
        saved = own[own.measure == "saved"].set_index("role")
        gaps = gaps.sort_values(["value", "role"], ascending=[False, True], kind="stable")
        each: Iterator[Any] = gaps.itertuples()
        rows = [
            Row(row.role, [_gap(row), _times(saved.loc[row.role]), count_of(int(row.games)), Value(_moved(row))])
            for row in each
        ]
        about = (
            f"Share of the {side.key} in the variant less that in the baseline, in percentage points over the field, "
            "with 95% intervals (paired, game by game); saved: how many times fewer games the same dice needed than "
            "two runs of their own."
        )
        if rows:
            yield Grid(about, [upper(side.bot), "difference", "saved", "games", "verdict"], rows, falls="difference")


def _gap(row: Any) -> Value:
    low, high = (in_points(end).removesuffix(" points") for end in (row.low, row.high))
    span = "" if math.isnan(row.low) else f"{low} to {high}"
    return Value(in_points(row.value).removesuffix(" points"), span, row.value)


def _times(row: Any) -> Value:
    if math.isnan(row.value):
        return Value("-", key=math.nan)
    return Value(f"{row.value:.1f}", f"{row.low:.1f} to {row.high:.1f}", row.value)


def _moved(row: Any) -> str:
    return "stronger" if row.low > 0 else "weaker" if row.high < 0 else "no difference seen"


def _replays(run: Run, cells: list[Any], variant: str) -> Iterator[str]:
    """Commands that tell the first changed games of the first cell that has any."""
    for cell in cells:
        first = run.pairs(cell).first
        if first:
            yield from (f"wastelab replay results/{run.name} --cell {cell.id} --game {game}" for game in first)
            return
