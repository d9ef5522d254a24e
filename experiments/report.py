"""The report of a finished run: one HTML file with its pictures inside, readable without a network.

It works from the run alone (its game, config, pack, tallies and tidy summary), and knows no rule of any game.
Text that comes from a config or a pack is escaped by the template, and can't become part of the page.
"""

from __future__ import annotations

import base64
import math
import os
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup
from matplotlib.figure import Figure

from experiments import plots, stats
from experiments.ledger import Run
from simcore.game import Role, Side

SVG_LIMIT = 400_000
"""Pictures with more bytes than this as SVG are embedded as PNG, so that a report stays small."""

ALIKE = 0.005
"""Where shares and win rates differ by less than this in every pairing, one heat map shows both."""

WIDE = 7
"""Columns of a table that fit on a page."""

CELLS_SHOWN = 1_000
"""The table of cells stops after so many cells; summary.csv has them all."""

INTERVALS = {
    "wilson": "Wilson's score interval, which is right near 0 and 1, too.",
    "normal": "The mean, with 1.96 standard errors on either side.",
}

SEATED = {
    "all": "Every order of a lineup is played equally often, so that a difference here is the seat's own.",
    "cyclic": "Every turn of a lineup is played equally often, so that a difference here is the seat's own.",
    "none": "Each lineup was played in one order only, so that seats also differ in who sits there.",
}


def write(run: Run, folder: Path) -> Path:
    """Write `report.html` into a folder and return its path; a report that is there is replaced in one step.

    run: a finished run; folder: an existing folder. Raises OSError where it can't be written.
    """
    path, unfinished = folder / "report.html", folder / "report.html.part"
    unfinished.write_text(page(run, stats.summary(run)), encoding="utf-8", newline="\n")
    os.replace(unfinished, path)
    return path


def page(run: Run, summary: pd.DataFrame) -> str:
    """The report as HTML text; `summary` as `stats.summary(run)` makes it."""
    seen, templates = Seen(run, titled(summary, run.tables.roles)), files("experiments") / "templates"
    world = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    template = world.from_string((templates / "report.html").read_text("utf-8"))
    text = template.render(
        style=Markup((templates / "report.css").read_text("utf-8")),
        title=run.config.title,
        question=run.config.question,
        game=run.game.title,
        warnings=list(_warnings(seen)),
        answer=list(_answer(seen)),
        honest=_honest(seen),
        strength=[_strength(seen, side) for side in run.game.sides if len(seen.field(side, "share"))],
        heat=_heat(seen),
        seats=_seats(seen),
        ends=_ends(seen),
        costs=_costs(seen),
        cells=_cells(seen),
        terms=_terms(seen),
        made=list(_made(seen)),
        again=_again(run),
        config=config_text(run),
        version=_versions(run).get("wastelab", ""),
    )
    return text.lstrip()


def titled(summary: pd.DataFrame, roles: Mapping[str, Sequence[Role]]) -> pd.DataFrame:
    """The summary with titles in place of slugs; roles that share a title keep their slug beside it."""
    names = {(side, slug): title for side, every in roles.items() for slug, title in titles(every).items()}
    out = summary.copy()
    out["role"] = [names.get(key, key[1]) for key in zip(out.side, out.role, strict=True)]
    return out


def titles(roles: Sequence[Role]) -> dict[str, str]:
    """Slug -> the role's name for people, which no other of these roles has."""
    times = Counter(role.title for role in roles)
    return {role.slug: role.title if times[role.title] == 1 else f"{role.title} ({role.slug})" for role in roles}


# --- what the sections look at ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Value:
    """A number with its interval, as text; `span` is empty where there is none."""

    value: str
    span: str = ""


@dataclass(frozen=True)
class Row:
    """A line of a table."""

    name: str
    cells: list[Value]


@dataclass(frozen=True)
class Grid:
    """A table: `about` says what it shows, with which interval; `heads` begins with that of the names."""

    about: str
    heads: list[str]
    rows: list[Row]


@dataclass(frozen=True)
class Picture:
    """An embedded picture: a data address, its width in pixels, and what it shows in words."""

    source: str
    width: int
    alt: str
    caption: str


Estimate = tuple[float, float, float]
NOTHING: Estimate = (math.nan, math.nan, math.nan)


@dataclass(frozen=True)
class Seen:
    """A run and its summary with titles, and what several sections ask of them."""

    run: Run
    summary: pd.DataFrame

    @cached_property
    def found(self) -> dict[tuple[str, str, str, str], Estimate]:
        """(cell, side, role, measure) -> (value, low, high)."""
        table = self.summary
        keys = zip(table.cell, table.side, table.role, table.measure, strict=True)
        return dict(zip(keys, zip(table.value, table.low, table.high, strict=True), strict=True))

    @cached_property
    def measures(self) -> list[str]:
        """The measures of the summary that are not endings, in its order."""
        return [name for name in self.summary.measure.unique() if not name.startswith("ending:")]

    @cached_property
    def meanings(self) -> dict[str, str]:
        """Measure -> what it is."""
        return stats.measures(self.run.game)

    @cached_property
    def columns(self) -> list[str]:
        """The names of the game's own columns."""
        return [column.name for column in (*self.run.game.game_columns, *self.run.game.seat_columns)]

    @cached_property
    def names(self) -> dict[str, dict[str, str]]:
        """Side -> slug -> title."""
        return {side: titles(roles) for side, roles in self.run.tables.roles.items()}

    @property
    def rivals(self) -> bool:
        """Whether all seats are of one side, whose roles play against one another."""
        return len(self.run.game.sides) == 1

    def field(self, side: Side, measure: str) -> pd.DataFrame:
        """The roles of a side by a measure over the field, highest first; roles without games are out."""
        return plots.field(self.summary, side.key, measure).dropna(subset="value").reset_index(drop=True)

    def value(self, cell: str, side: Side, role: str, measure: str) -> Estimate:
        """A number of a role in a cell or over the field; one of the whole game is every role's."""
        whole = self.found.get((cell, "", "", measure), NOTHING)
        return self.found.get((cell, side.key, role, measure), whole)

    def opponents(self, side: Side) -> str:
        """Whom the roles of a side meet, such as "28 enemies"."""
        if self.rivals:
            return "all others"
        others = [other for other in self.run.game.sides if other != side]
        return " and ".join(f"{self._count(other)} {other.key}" for other in others)

    def _count(self, side: Side) -> int:
        return int(self.summary[self.summary.side == side.key].role.nunique())

    def intervals(self, measures: Sequence[str], field: bool) -> str:
        """Which intervals some measures have over the field or in cells, such as "95% intervals (Wilson)"."""
        among = (self.summary.cell == stats.FIELD) == field
        chosen = self.summary[among & self.summary.measure.isin(measures)].interval.dropna().unique()
        return f"95% intervals ({' and '.join(_upper(name) for name in chosen if name)})"

    def bots(self) -> str:
        """Who played, such as "regular as knight, regular as enemy"."""
        return ", ".join(f"{self.run.config.bots[side.bot]} as {side.bot}" for side in self.run.game.sides)


def _embedded(figure: Figure, alt: str, caption: str) -> Picture:
    """A figure as SVG, or as PNG where it is too large for that."""
    width, height = (float(inches) for inches in figure.get_size_inches())
    svg = plots.to_svg(figure).encode()
    if len(svg) <= SVG_LIMIT:
        return Picture(_address("svg+xml", svg), round(width * 96), alt, caption)
    png = plots.to_png(figure, dpi=min(140.0, 6000 / max(width, height)))
    return Picture(_address("png", png), round(width * 96), alt, caption)


def _address(kind: str, content: bytes) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"


def _rate(value: float, low: float = math.nan, high: float = math.nan) -> Value:
    return Value(plots.percent(value), plots.span(low, high))


def _mean(value: float, low: float = math.nan, high: float = math.nan) -> Value:
    if not np.isfinite(value):
        return Value("-")
    digits = 0 if abs(value) >= 1000 else 1 if abs(value) >= 100 else 2
    both = np.isfinite(low) and np.isfinite(high)
    return Value(f"{value:z.{digits}f}", f"{low:z.{digits}f} to {high:z.{digits}f}" if both else "")


def _term(name: str, about: str) -> dict[str, str]:
    return {"name": _words(name), "about": about}


def _words(name: str) -> str:
    return name.replace("_", " ")


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


# --- the short answer ---------------------------------------------------------------------------------------


def _warnings(seen: Seen) -> Iterator[str]:
    run, worst = seen.run, seen.summary.groupby("measure").value.max()
    if run.games < run.plan.games:
        yield f"This run is not finished: {run.games:,} of {run.plan.games:,} games have been played."
    if worst.get("overflow_rate", 0.0) > 0:
        yield "Some games outgrew a table of the program: trust no number here before that is mended."
    if worst.get("capped_rate", 0.0) > 0.01:
        stopped = plots.percent(worst["capped_rate"])
        yield f"In the worst cell, {stopped}% of the games were stopped at the limit of steps."


def _answer(seen: Seen) -> Iterator[str]:
    for side in seen.run.game.sides:
        rows = seen.field(side, "share")
        if len(rows) == 1:
            yield f"{rows.role[0]} has a share of {_in_words(rows.iloc[0])} over {seen.opponents(side)}."
        elif len(rows) > 1:
            yield _ends_of_field(seen, side, rows)
        else:
            yield f"No games of the {side.key} have been played."
    pack = seen.run.pack
    yield (
        f"Share is what a game was worth: {_worth(seen)} "
        f"In brackets: {seen.intervals(['share'], field=True)}. "
        f"The bots that played: {seen.bots()}. The pack: {pack.title or pack.name}."
    )


def _ends_of_field(seen: Seen, side: Side, rows: pd.DataFrame) -> str:
    """Who is strongest and weakest, by how much, and who can't be told apart from them."""
    mean, first, last = rows.value.mean(), rows.iloc[0], rows.iloc[-1]
    above, below = 100 * (first.value - mean), 100 * (mean - last.value)
    near_first = rows[1:][rows.high[1:] >= first.low]
    near_last = rows[:-1][rows.low[:-1] <= last.high][::-1]
    return (
        f"Of {len(rows)} {side.key}, {first.role} is the strongest over {seen.opponents(side)}: a share of "
        f"{_in_words(first)}, {above:.1f} points above the mean of {plots.percent(mean)}%. "
        f"{last.role} is the weakest: {_in_words(last)}, {below:.1f} points below the mean."
        + _too_close(near_first, "strongest")
        + _too_close(near_last, "weakest")
    )


def _too_close(rows: pd.DataFrame, end: str) -> str:
    if rows.empty:
        return ""
    names = ", ".join(rows.role[:4]) + (f" and {len(rows) - 4} more" if len(rows) > 4 else "")
    return f" The {end} can't be told from {names} by these games: the intervals overlap."


def _in_words(row: Any) -> str:
    between = plots.span(row.low, row.high)
    return f"{plots.percent(row.value)}%" + (f" ({between})" if between else "")


def _worth(seen: Seen) -> str:
    """What share means in this game, as the second half of a sentence."""
    game, draw = seen.run.game, 100 * seen.run.config.verdict.draw_counts
    if len(game.sides) == 2:
        one, other = game.sides
        draws = f"{draw:g}% for the {one.bot} and {100 - draw:g}% for the {other.bot}"
        return f"a game won alone counts 100%, a lost one 0%, and a draw {draws}."
    return "a game won alone counts 100%, a lost one 0%, and a shared win or a draw is split evenly."


def _honest(seen: Seen) -> str:
    assumed, every = seen.run.pack.assumed_share()
    part = f" ({100 * assumed / every:.0f}%)" if every else ""
    return (
        f"In this pack, {assumed:,} of {every:,} numbers{part} are assumed: no rulebook and no other public "
        "source gives them. The results speak of the pack, not of the published box."
    )


# --- who is strong ------------------------------------------------------------------------------------------


def _strength(seen: Seen, side: Side) -> dict[str, Any]:
    shares, wins = seen.field(side, "share"), seen.field(side, "win_rate")
    figure = plots.forest(shares, shares.value.mean(), "share and win rate, %", wins if len(wins) else None)
    caption = (
        f"The {side.key} over {seen.opponents(side)}. Filled dots: share; hollow dots: win rate; dashed "
        f"line: the mean share. At the right, the share and its interval. All with "
        f"{seen.intervals(['share', 'win_rate'], field=True)}."
    )
    return {
        "title": f"How strong are the {side.key}?",
        "terms": [_term(name, _meaning(seen, name)) for name in ("share", "win_rate")],
        "picture": _embedded(figure, f"Share and win rate of the {side.key}, with intervals", caption),
        "table": _strength_table(seen, side, shares),
    }


def _strength_table(seen: Seen, side: Side, shares: pd.DataFrame) -> Grid:
    names = [name for name in ("share", "win_rate", "draw_rate", "capped_rate") if name in seen.measures]
    assumed, rows = _assumed(seen, side), []
    for role, games in zip(shares.role, shares.games, strict=True):
        rates = [_rate(*seen.value(stats.FIELD, side, role, name)) for name in names]
        rows.append(Row(role, [*rates, Value(f"{games:,}"), Value(assumed.get(role, "-"))]))
    about = (
        f"Over the field, in percent, with {seen.intervals(names, field=True)}. "
        f"Assumed: how many numbers on the {side.bot}'s own card are assumed in this pack."
    )
    return Grid(about, [_upper(side.bot), *map(_words, names), "games", "assumed"], rows)


def _assumed(seen: Seen, side: Side) -> dict[str, str]:
    """Title -> "n of m" numbers of its card that are assumed; cards are of the kind with all slugs."""
    pack, names = seen.run.pack, seen.names[side.key]
    kinds = [kind for kind, cards in pack.cards.items() if names and names.keys() <= cards.keys()]
    if not kinds:
        return {}
    counts = {title: pack.assumed_share(kinds[0], slug) for slug, title in names.items()}
    return {title: f"{assumed} of {every}" for title, (assumed, every) in counts.items()}


def _heat(seen: Seen) -> dict[str, Any] | None:
    """The first side's roles against the last side's, or a side of rivals against itself."""
    side, against = seen.run.game.sides[0], seen.run.game.sides[-1]
    if seen.rivals and side.seats == 1:
        return None
    other = "rival" if seen.rivals else against.bot
    tables = {name: plots.matrix(seen.summary, side.key, against.key, name) for name in ("win_rate", "share")}
    if (tables["win_rate"] - tables["share"]).abs().max().max() < ALIKE:
        del tables["share"]
    return {
        "about": (
            f"Each number is the rate of one {side.bot} against one {other}, in percent. Both sides are "
            "ordered by strength, and the means stand at the edges."
        ),
        "pictures": [_heat_picture(seen, table, name, side.bot, other) for name, table in tables.items() if table.size],
    }


def _heat_picture(seen: Seen, table: pd.DataFrame, measure: str, down: str, across: str) -> Picture:
    even = seen.rivals and seen.run.game.players == 2 and measure == "share"
    centre = 0.5 if even else float(np.nanmean(table.to_numpy(dtype=float)))
    caption = (
        f"{_upper(_words(measure))} of the {down}. {_meaning(seen, measure)} Near white is "
        f"{'one half' if even else f'the mean, {plots.percent(centre)}%'}; teal is above, brown below. The "
        f"table of all cells has each number with its interval."
    )
    figure = plots.heat_map(table, centre, down, across)
    return _embedded(figure, f"{_words(measure)} of each {down} against each {across}", caption)


# --- seats, endings, what a game is like --------------------------------------------------------------------


def _seats(seen: Seen) -> dict[str, Any] | None:
    """The mean share of each seat where rivals share a side; None in games without such a side."""
    rows = stats.seat_effects(seen.run)
    rows = rows[rows.measure == "share"].dropna(subset="value")
    if rows.empty:
        return None
    many = rows.side.nunique() > 1
    rows["seat"] = [
        f"{side}, seat {seat}" if many else f"seat {seat}" for side, seat in zip(rows.side, rows.seat, strict=True)
    ]
    caption = (
        "The mean share of each seat over all games, with "
        f"95% intervals ({' and '.join(map(_upper, rows.interval.unique()))}). "
        "The dashed line is the mean of the seats."
    )
    figure = plots.seat_effect(rows, float(rows.value.mean()), "share of the seat, %")
    return {
        "about": f"Seats are numbered in turn order. {SEATED[seen.run.config.run.rotate]}",
        "picture": _embedded(figure, "Mean share of each seat, with intervals", caption),
    }


def _ends(seen: Seen) -> dict[str, Any]:
    pictures, happened = [], set()
    for side in seen.run.game.sides:
        table = plots.endings(seen.summary, side.key)
        roles = [role for role in seen.field(side, "share").role if role in table.index]
        names = [ending.name for ending in seen.run.game.endings if ending.name in table.columns]
        if roles and names:
            happened.update(names)
            pictures.append(_ends_picture(table.loc[roles, names], side))
    terms = [_term(ending.name, ending.about) for ending in seen.run.game.endings if ending.name in happened]
    return {"pictures": pictures, "terms": terms}


def _ends_picture(table: pd.DataFrame, side: Side) -> Picture:
    caption = (
        f"How the games of the {side.key} ended, the strongest {side.bot} first, in percent of its games. "
        "An ending says how, not who won. Parts under 5% have no number; summary.csv has all, with intervals."
    )
    return _embedded(plots.endings_bars(table), f"Endings of the games of the {side.key}", caption)


def _costs(seen: Seen) -> dict[str, Any] | None:
    """The means of rounds, score and the game's own columns, for each role."""
    names = [name for name in ("rounds", "score", *seen.columns) if name in seen.measures]
    tables = [table for side in seen.run.game.sides for table in _cost_tables(seen, side, names)]
    shown = {head for table in tables for head in table.heads}
    terms = [_term(name, _meaning(seen, name)) for name in names if _words(name) in shown]
    return {"tables": tables, "terms": terms} if tables else None


def _cost_tables(seen: Seen, side: Side, names: Sequence[str]) -> Iterator[Grid]:
    """The measures that are not 0 for every role of a side, strongest role first, a page wide at most."""
    roles = list(seen.field(side, "share").role)
    found = {name: [seen.value(stats.FIELD, side, role, name) for role in roles] for name in names}
    used = [name for name in names if any(value for value, _, _ in found[name] if np.isfinite(value))]
    for start in range(0, len(used), WIDE):
        part = used[start : start + WIDE]
        rows = [Row(role, [_mean(*found[name][place]) for name in part]) for place, role in enumerate(roles)]
        about = f"Means of a game over the field, with {seen.intervals(part, field=True)}; the strongest first."
        yield Grid(about, [_upper(side.bot), *map(_words, part)], rows)


def _meaning(seen: Seen, measure: str) -> str:
    """What a measure is, in a sentence or two."""
    about = _upper(seen.meanings.get(measure, ""))
    if measure == "share":
        return f"{about}. Here, {_worth(seen)}"
    if measure == "rounds" and seen.run.game.rounds_called != "rounds":
        return f"{about}; this game's rounds are called {seen.run.game.rounds_called}."
    return f"{about}."


# --- cells, and how it was made -----------------------------------------------------------------------------


def _cells(seen: Seen) -> dict[str, Any]:
    """A line for each cell and each of its roles of the first side."""
    side, rows = seen.run.game.sides[0], []
    names = [name for name in ("share", "win_rate", "draw_rate", "capped_rate") if name in seen.measures]
    for cell in seen.run.plan.cells[:CELLS_SHOWN]:
        for slug in cell.lineup[: side.seats]:
            role = seen.names[side.key][slug]
            rates = [_rate(*seen.value(cell.id, side, role, name)) for name in names]
            rows.append(Row(_lineup(seen, cell.lineup, role), [*rates, Value(f"{cell.games:,}"), Value(cell.id)]))
    note = "All of this can be had as data: summary.csv, beside the report, has every number of every cell."
    if len(seen.run.plan.cells) > CELLS_SHOWN:
        note += f" The first {CELLS_SHOWN:,} of {len(seen.run.plan.cells):,} cells are here."
    about = f"Rates of the {side.bot} named first, in percent, with {seen.intervals(names, field=False)}."
    return {"note": note, "table": Grid(about, ["Cell", *map(_words, names), "games", "id"], rows)}


def _lineup(seen: Seen, lineup: Sequence[str], first: str) -> str:
    """A lineup in titles, a role of the first side named first, as in "Kate against Scrap Hound"."""
    others, seat = [], 0
    for side in seen.run.game.sides:
        others += [seen.names[side.key][slug] for slug in lineup[seat : seat + side.seats]]
        seat += side.seats
    others.remove(first)
    return f"{first} against {', '.join(others)}" if others else first


def _terms(seen: Seen) -> list[dict[str, str]]:
    """What measures and intervals mean."""
    kinds = [name for name in seen.summary.interval.dropna().unique() if name in INTERVALS]
    intervals = [_term(f"interval: {name}", INTERVALS[name]) for name in kinds]
    return [_term(name, _meaning(seen, name)) for name in seen.measures] + intervals


def _made(seen: Seen) -> Iterator[dict[str, str]]:
    run, config = seen.run, seen.run.config
    yield _term("run", run.name)
    yield _term("game", f"{run.game.title} ({run.game.name})")
    yield _term("pack", f"{run.pack.title} ({run.pack.name}), digest {run.pack.digest[:12]}")
    yield _term("bots", seen.bots())
    yield _term("seed", str(config.seed))
    yield _term("games", f"{run.games:,} in {len(run.plan.cells):,} cells")
    yield _term("chunks", f"up to {config.games.chunk:,} games each (their size changes no number)")
    yield _term("seatings", f"{run.plan.seatings} for a lineup (rotate: {config.run.rotate})")
    for setting in run.game.settings:
        yield _term(setting.name, f"{config.table.get(setting.name, setting.default)}: {setting.about}")
    yield from (_term("note", note) for note in run.plan.notes)
    if run.seconds > 0:
        yield _term("time", f"{run.seconds:,.1f} s, {run.games / run.seconds:,.0f} games a second")
    yield _term("versions", ", ".join(f"{name} {version}" for name, version in _versions(run).items()))
    yield _term("code", str(run.manifest["code"]))


def config_text(run: Run) -> str:
    """The config as TOML, its keys in the game's order, however the run was opened."""
    config = run.config.filled(run.game, run.tables)
    return config.model_copy(update={"changes": dict(sorted(config.changes.items()))}).to_toml()


def _versions(run: Run) -> dict[str, str]:
    return dict(sorted(run.manifest["versions"].items(), reverse=True))


def _again(run: Run) -> dict[str, str]:
    name = f"{run.manifest['name']}.toml"
    return {
        "about": (
            f"Save the config below as {name}, beside any packs that it names, and run this line. The same "
            "versions and the same seed give the same numbers on any machine, with any number of workers."
        ),
        "command": f"wastelab run {shlex.quote(name)}",
    }
