"""The report of a finished run: one HTML file with its pictures inside, readable without a network.

It works from the run alone (its game, config, pack, tallies and tidy summary), and knows no rule of any game.
Text that comes from a config or a pack is escaped by the template, and can't become part of the page. The page
allows itself no network: its style and its script, which sorts tables and copies blocks, are named by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import math
import os
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
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

from experiments import contrasts, plots, stats, stopping
from experiments.config import load_setup, shipped_configs
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
    words,
)
from experiments.parts import toml_value
from experiments.plan import make_plan
from simcore.game import KINDS, Role, Side
from simcore.packs import Mistakes

WIDE = 7
"""Columns of a table that fit on a page."""

LINES_SHOWN = 2_000
"""The table of cells stops after so many lines; summary.csv has them all."""

RATES = ("share", "win_rate", "draw_rate", "capped_rate")

SEATED = {
    "all": "Every order of a lineup is played equally often, so that a difference here is the seat's own.",
    "cyclic": "Every turn of a lineup is played equally often, so that a difference here is the seat's own.",
    "none": "Each lineup was played in one order only, so that seats also differ in who sits there.",
}

CALLED = {"normal": "1.96 standard errors"}
"""Kind of interval -> what a reader can make of it, where its name is not enough."""

INTERVALS = (
    "At 95%: for rates and shares Wilson's score interval, which is right near 0 and 1, too; for means the mean with "
    "1.96 standard errors on either side."
)

NOT_IN_SWEEPS: dict[str, Any] = {
    "seats": {"about": [], "pictures": []},
    "length": None,
    "ends": None,
    "strength_terms": [],
    "heat": None,
    "bars": [],
    "costs": None,
}
"""Sections that differ from point to point: a sweep's report leaves them out."""

GOES_TO = dict(zip(KINDS, ("one winner", "several winners", "nobody", "nobody", "nobody", "nobody"), strict=True))
"""Kind of ending -> who wins a game that ends so."""


def write(run: Run, folder: Path, summary: pd.DataFrame | None = None) -> Path:
    """Write `report.html` into a folder and return its path; a report that is there is replaced in one step.

    run: a finished run; folder: an existing folder; summary: as `stats.summary(run)` makes it, where it is at hand.
    Raises OSError where it can't be written.
    """
    path, unfinished = folder / "report.html", folder / "report.html.part"
    text = page(run, stats.summary(run) if summary is None else summary)
    unfinished.write_text(text, encoding="utf-8", newline="\n")
    os.replace(unfinished, path)
    return path


def page(run: Run, summary: pd.DataFrame) -> str:
    """The report as HTML text; `summary` as `stats.summary(run)` makes it."""
    summary, templates = titled(summary, run.tables.roles), files("experiments") / "templates"
    seen = Seen(run, summary if run.config.sweep else contrasts.front(run, summary))
    sections = _of_sweep(seen) if run.config.sweep else _front(seen) | _tables(seen)
    style, script = ((templates / f"report.{kind}").read_text("utf-8") for kind in ("css", "js"))
    world = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    template = world.from_string((templates / "report.html").read_text("utf-8"))
    text = template.render(
        style=Markup(style),
        script=Markup(script),
        policy=_policy(style, script),
        title=run.config.title,
        question=run.config.question,
        game=run.game.title,
        warnings=list(_warnings(seen)),
        version=_versions(run).get("wastelab", ""),
        config=config_text(run),
        again=_again(run),
        variants=contrasts.variants(run, summary),
        **sections,
    )
    return text.lstrip()


def _of_sweep(seen: Seen) -> dict[str, Any]:
    """What a sweep's report has in place of the front page and the tables of a run with one point."""
    kept = {"answer_terms": list(_answer_terms(seen)), "honest": _honest(seen)}
    below = {"cells": _cells(seen), "made": list(_made(seen))}
    return NOT_IN_SWEEPS | kept | contrasts.sweep_front(seen.run, seen.summary) | below


def _front(seen: Seen) -> dict[str, Any]:
    """The front page, in order."""
    sides = seen.played
    return {
        "answers": [_answer(seen, side) for side in seen.run.game.sides],
        "answer_terms": list(_answer_terms(seen)),
        "honest": _honest(seen),
        "forests": [_forest(seen, side) for side in sides],
        "seats": _seats(seen),
        "length": _length(seen),
        "ends": _ends(seen),
    }


def _tables(seen: Seen) -> dict[str, Any]:
    """What stands below the front page, in order."""
    return {
        "strength": [_strength(seen, side) for side in seen.played],
        "strength_terms": [term(name, _meaning(seen, name)) for name in seen.rates],
        "heat": _heat(seen),
        "bars": [bars for side in seen.played if (bars := _bars(seen, side))],
        "costs": _costs(seen),
        "cells": _cells(seen),
        "made": list(_made(seen)),
    }


def _policy(style: str, script: str) -> str:
    """A Content-Security-Policy that forbids everything but this style, this script and embedded pictures."""
    own = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script)]
    parts = "default-src 'none'", "img-src data:", f"style-src 'sha256-{own[0]}'", f"script-src 'sha256-{own[1]}'"
    return "; ".join((*parts, "base-uri 'none'", "form-action 'none'"))


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
    def rates(self) -> list[str]:
        """The rates that tables show; the capped rate only where a game was stopped."""
        capped = self.summary[self.summary.measure == "capped_rate"].value.max() > 0
        return [name for name in RATES if name in self.measures and (capped or name != "capped_rate")]

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

    @cached_property
    def verdicts(self) -> pd.DataFrame:
        """The verdict on each role with games, the strongest first."""
        found = stats.verdicts(self.run, self.summary)
        return found.sort_values(["value", "role"], ascending=[False, True], kind="stable")

    @cached_property
    def played(self) -> list[Side]:
        """The sides whose roles have games."""
        return [side for side in self.run.game.sides if len(self.field(side, "share"))]

    @property
    def rivals(self) -> bool:
        """Whether all seats are of one side, whose roles play against one another."""
        return len(self.run.game.sides) == 1

    def field(self, side: Side, measure: str) -> pd.DataFrame:
        """The roles of a side by a measure over the field, highest first; roles without games are out."""
        return plots.field(self.summary, side.key, measure).dropna(subset="value").reset_index(drop=True)

    def judged(self, side: Side) -> pd.DataFrame:
        """The verdicts on the roles of a side, the strongest first."""
        return self.verdicts[self.verdicts.side == side.key].reset_index(drop=True)

    def band(self, side: Side) -> stats.Band:
        """The shares of a side that are called balanced."""
        return stats.band(self.run, side, float(self.field(side, "share").value.mean()))

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
        return _intervals(chosen)

    def bots(self) -> str:
        """Who played, such as "regular as knight, regular as enemy"."""
        return ", ".join(f"{self.run.config.bots[side.bot]} as {side.bot}" for side in self.run.game.sides)


def _intervals(kinds: Iterable[str]) -> str:
    """As in "95% intervals (Wilson)"."""
    return f"95% intervals ({listed([CALLED.get(kind, upper(kind)) for kind in kinds if kind])})"


# --- the answer ---------------------------------------------------------------------------------------------


def _warnings(seen: Seen) -> Iterator[str]:
    run, worst = seen.run, seen.summary.groupby("measure").value.max()
    if run.games < run.plan.games:
        yield f"This run is not finished: {run.games:,} of {run.plan.games:,} games have been played."
    if worst.get("overflow_rate", 0.0) > 0:
        yield "Some games outgrew a table of the program: trust no number here before that is mended."
    if worst.get("capped_rate", 0.0) > 0.01:
        stopped = plots.percent(worst["capped_rate"])
        yield f"In the worst cell, {stopped}% of the games were stopped at the limit of steps."


def _answer(seen: Seen, side: Side) -> dict[str, Any]:
    """The answer for a side: what stands out, and a line for each role."""
    rows, assumed = seen.judged(side), _assumed(seen, side)
    if rows.empty:
        nothing = f"No games of the {side.key} have been played."
        return {"side": upper(side.key), "lead": nothing, "judged": "", "lines": []}
    judged: Iterator[Any] = rows.itertuples()
    lines = [_line(row, assumed.get(row.role)) for row in judged]
    lead = _ends_of_field(seen, side, rows) if len(rows) > 1 else f"{rows.role[0]} met {seen.opponents(side)}."
    return {"side": upper(side.key), "lead": lead, "judged": _judged(seen, side), "lines": lines}


def _line(row: Any, assumed: tuple[int, int] | None) -> dict[str, str]:
    """A role's answer in one line, in parts."""
    return {
        "role": row.role,
        "word": row.word,
        "kind": row.word.split()[-1],
        "share": f"share {_in_words(row)}{_more(row)}{_rule(row)}",
        "assumed": f"in this pack, {assumed[0]} of {assumed[1]} numbers assumed" if assumed else "",
    }


def _judged(seen: Seen, side: Side) -> str:
    """Who was judged against what, by whom they were played, and with which pack."""
    inside, run = seen.band(side), seen.run
    return (
        f"Judged against {inside.about}: balanced is a share from {plots.percent(inside.least)} to "
        f"{plots.percent(inside.most)}%. Bots: {seen.bots()}. Pack: {run.pack.title or run.pack.name}."
    )


def _tally_of(rows: pd.DataFrame) -> str:
    """How many roles have each verdict, such as "2 are too strong, 1 is balanced and 3 are undecided"."""
    counts = rows.word.value_counts()
    return listed([f"{counts[w]} {'is' if counts[w] == 1 else 'are'} {w}" for w in stats.WORDS if w in counts])


def _ends_of_field(seen: Seen, side: Side, rows: pd.DataFrame) -> str:
    """How many are balanced, who is strongest and weakest, and who can't be told apart from them."""
    mean, first, last = rows.value.mean(), rows.iloc[0], rows.iloc[-1]
    near_first = rows[1:][rows.high[1:] >= first.low]
    near_last = rows[:-1][rows.low[:-1] <= last.high][::-1]
    return (
        f"Of {len(rows)} {side.key}, {_tally_of(rows)}. {first.role} is the strongest over {seen.opponents(side)}, "
        f"{in_points(first.value - mean)} from the mean of {plots.percent(mean)}%; {last.role} is the weakest, "
        f"{in_points(last.value - mean)}." + _too_close(near_first, "strongest") + _too_close(near_last, "weakest")
    )


def _too_close(rows: pd.DataFrame, end: str) -> str:
    if rows.empty:
        return ""
    names = [*rows.role[:4], f"{len(rows) - 4} more"] if len(rows) > 4 else list(rows.role)
    return f" The {end} can't be told from {listed(names)} by these games: the intervals overlap."


def _in_words(row: Any) -> str:
    between = plots.span(row.low, row.high)
    return f"{plots.percent(row.value)}%" + (f" ({between})" if between else "")


def _more(row: Any) -> str:
    """How many games an undecided verdict still needs, in two digits."""
    if row.word != "undecided":
        return ""
    if not row.more < 1e12:
        return "; at the very edge, more games may never tell"
    step = 10 ** max(0, math.floor(math.log10(row.more)) - 1)
    return f"; about {math.ceil(row.more / step) * step:,} more games"


def _rule(row: Any) -> str:
    """Why a run that stops by itself was through with a role."""
    return f"; after {row.games:,} games {stopping.RULES[row.rule]}" if row.rule else ""


def _answer_terms(seen: Seen) -> Iterator[dict[str, str]]:
    """What stands in the lines of the answer."""
    yield term("share", _meaning(seen, "share"))
    yield term(
        "in brackets",
        f"{seen.intervals(['share'], field=True)} over a fixed number of games. Each holds on its own: among many "
        "roles, one that is close to an edge may be judged wrongly by chance.",
    )
    yield term(
        "verdict",
        "Too strong: the whole interval lies above the balanced shares. Too weak: wholly below. Balanced: wholly "
        "inside. Undecided: it reaches over an edge; the more games are this role's own, by the share seen so far.",
    )
    yield term("assumed", "Numbers on the role's own card that no rulebook and no other public source gives.")


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
        f"In the whole pack, {assumed:,} of {every:,} numbers{part} are assumed: no rulebook and no other public "
        "source gives them. The results speak of the pack, not of the published box."
    )


def _assumed(seen: Seen, side: Side) -> dict[str, tuple[int, int]]:
    """Title -> (n, m): n of the m numbers of its card are assumed; cards are of the kind with all slugs."""
    pack, names = seen.run.pack, seen.names[side.key]
    kinds = [kind for kind, cards in pack.cards.items() if names and names.keys() <= cards.keys()]
    return {title: pack.assumed_share(kinds[0], slug) for slug, title in names.items()} if kinds else {}


# --- the front page's pictures ------------------------------------------------------------------------------


def _forest(seen: Seen, side: Side) -> Picture:
    """The shares of a side's roles against what is balanced."""
    shares, wins, inside = seen.field(side, "share"), seen.field(side, "win_rate"), seen.band(side)
    mean, band = float(shares.value.mean()), (inside.least, inside.most)

    def draw(narrow: bool) -> Figure:
        about = "share, %" if narrow else "share and win rate, %"
        return plots.forest(shares, mean, about, wins if len(wins) else None, band=band, narrow=narrow)

    caption = (
        f"The {side.key} over {seen.opponents(side)}. Filled dots: share, with its number; the grey band: balanced "
        f"shares; teal: too strong; brown: too weak; dashed: the mean share. On a wide page, hollow dots: win rate, "
        f"that is {seen.meanings['win_rate']}. Lines between caps: {seen.intervals(['share', 'win_rate'], field=True)}."
    )
    ends = [f"{plots.percent(row.value)}% ({row.role})" for _, row in shares.iloc[[0, -1]].iterrows()]
    title = f"Shares of the {side.key}: " + (f"from {ends[0]} to {ends[1]}" if len(shares) > 1 else ends[0])
    return embedded(draw, title, f"Share and win rate of the {side.key}, with intervals", caption)


def _seats(seen: Seen) -> dict[str, Any]:
    """The mean share of each seat, and of whoever sits after a role, where rivals share a side."""
    rows = stats.seat_effects(seen.run)
    rows = rows[rows.measure == "share"].dropna(subset="value")
    if rows.empty:
        alone = "Each side has one seat, so that there is no seat and no neighbour to compare."
        return {"about": [alone] if all(side.seats == 1 for side in seen.run.game.sides) else [], "pictures": []}
    many = rows.side.nunique() > 1
    rows["seat"] = [
        f"{side}, seat {seat}" if many else f"seat {seat}" for side, seat in zip(rows.side, rows.seat, strict=True)
    ]
    about = [f"Seats are numbered in turn order. {SEATED[seen.run.config.run.rotate]}", _neighbours_told(seen)]
    pictures = [_seat_picture(rows), *(_neighbours(seen, side) for side in seen.run.game.sides)]
    return {"about": [line for line in about if line], "pictures": [picture for picture in pictures if picture]}


def _seat_picture(rows: pd.DataFrame) -> Picture:
    mean, best = float(rows.value.mean()), rows.sort_values("value", ascending=False).iloc[0]
    apart = bool((rows.low > mean).any() or (rows.high < mean).any())
    title = (
        f"{upper(best.seat)} is the best: {in_points(best.value - mean)} of share from the mean of the seats"
        if apart
        else "No seat can be told from the others by these games"
    )
    caption = (
        f"The mean share of each seat over all games, with {_intervals(rows.interval.unique())}. "
        "The dashed line is the mean of the seats."
    )

    def draw(narrow: bool) -> Figure:
        return plots.seat_effect(rows, mean, "share of the seat, %", narrow)

    return embedded(draw, title, "Mean share of each seat, with intervals", caption)


def _neighbours_told(seen: Seen) -> str:
    """What can be said of neighbours, where no picture shows them."""
    most = max(side.seats for side in seen.run.game.sides)
    if most == 2:
        return "With two seats the neighbour is the other seat: what a seat is worth is what a neighbour is worth."
    if seen.run.config.run.rotate != "all":
        return "What a neighbour is worth can be told only where all orders of a lineup are played (rotate: all)."
    return ""


def _neighbours(seen: Seen, side: Side) -> Picture | None:
    """The mean share of whoever sits right after a role, against that of all others at the same tables."""
    rows = stats.neighbour_effects(seen.run)
    rows = rows[rows.side == side.key].assign(gain=rows.value - rows.whole)
    if rows.empty:
        return None
    rows = rows.assign(role=rows.role.map(seen.names[side.key])).sort_values("gain", ascending=False, kind="stable")
    whole = rows.assign(value=rows.whole, low=math.nan, high=math.nan)
    names = "share right after it", "others at its tables"
    best, worst = (f"{rows.role.iloc[at]} ({in_points(rows.gain.iloc[at])})" for at in (0, -1))
    title = f"The best seat is right after {best}, the worst right after {worst}"
    caption = (
        f"For each of the {side.key}, the mean share of whoever sits right after it, that is with it to the left, "
        "with 95% intervals (Wilson); hollow dots: the mean share of all who sit at the same tables with it. "
        "The points are the difference of the two."
    )

    def draw(narrow: bool) -> Figure:
        return plots.forest(rows, None, "share, %", whole, names, narrow=narrow)

    return embedded(draw, title, f"Share of the seat after each of the {side.key}, with intervals", caption)


# --- length and endings -------------------------------------------------------------------------------------


def _length(seen: Seen) -> dict[str, Any] | None:
    """How long games are: the mean and the spread, and the shortest and longest cells."""
    whole = seen.summary[(seen.summary.measure == "rounds") & seen.summary.value.notna()]
    over = whole[(whole.cell == stats.FIELD) & (whole.side == "")]
    if over.empty:
        return None
    row, called = over.iloc[0], seen.run.game.rounds_called
    mean, apart = mean_of(row.value, row.low, row.high), stats.spread(row.value, row.high, row.games)
    cells = whole[whole.cell != stats.FIELD].drop_duplicates("cell").set_index("cell").value
    lines = [f"{_meaning(seen, 'rounds')} In brackets: {seen.intervals(['rounds'], field=True)}."]
    if len(cells) > 1:
        short, long = (_cell_named(seen, str(cell)) for cell in (cells.idxmin(), cells.idxmax()))
        quarter, half, three = (f"{number:.2f}" for number in cells.quantile([0.25, 0.5, 0.75]))
        lines.append(
            f"Of the {len(cells):,} cells, the shortest on average is {short} ({cells.min():.2f}), the longest {long} "
            f"({cells.max():.2f}); half of the cells lie between {quarter} and {three}, the middle one at {half}."
        )
    between = f" ({mean.span})" if mean.span else ""
    spread = f", with a standard deviation of {apart:.2f} from game to game" if math.isfinite(apart) else ""
    return {"title": f"A game lasts {mean.value}{between} {called} on average{spread}.", "lines": lines}


def _ends(seen: Seen) -> dict[str, Any] | None:
    """How games end over all cells, and who wins then."""
    rates = {ending: seen.found[stats.FIELD, "", "", f"ending:{ending.name}"] for ending in seen.run.game.endings}
    ordered = sorted((ending for ending, rate in rates.items() if rate[0] > 0), key=lambda ending: -rates[ending][0])
    if not ordered:
        return None
    rows = [Row(words(e.name), [rate_of(*rates[e]), Value(GOES_TO[e.kind]), Value(upper(e.about))]) for e in ordered]
    about = "All games of all cells, in percent, with 95% intervals (Wilson). What never happened is left out."
    grid = Grid(about, ["Ending", "games", "won by", "what it means"], rows, falls="games")
    top = ordered[0]
    title = f"{plots.percent(rates[top][0])}% of the games end by \u201c{words(top.name)}\u201d: {top.about}."
    return {"title": title, "table": grid, "winners": _winners(seen)}


def _winners(seen: Seen) -> str:
    """Which part of all games each side of one seat won outright, and which had no one winner."""
    sides = seen.run.game.sides
    if len(sides) < 2 or any(side.seats > 1 for side in sides):
        return ""
    parts = []
    for side in sides:
        rows = seen.field(side, "win_rate")
        parts.append(float((rows.value * rows.games).sum()) / seen.run.games)
    won = [f"the {side.key} won {plots.percent(part)}%" for side, part in zip(sides, parts, strict=True)]
    rest = plots.percent(max(0.0, 1 - sum(parts)))
    return f"Of all games, {listed([*won, f'{rest}% had no one winner'])}."


# --- tables -------------------------------------------------------------------------------------------------


def _strength(seen: Seen, side: Side) -> Grid:
    """A line for each role of a side: its verdict, its rates, and how much of its card is assumed."""
    assumed, rows = _assumed(seen, side), []
    judged: Iterator[Any] = seen.judged(side).itertuples()
    for row in judged:
        rates = [rate_of(*seen.value(stats.FIELD, side, row.role, name)) for name in seen.rates]
        part, whole = assumed.get(row.role, (0, 0))
        own = Value(f"{part} of {whole}", key=part / whole) if whole else Value("-", key=math.nan)
        rows.append(Row(row.role, [*rates, count_of(row.games), own, Value(row.word)]))
    about = (
        f"The {side.key} over {seen.opponents(side)}, in percent, with {seen.intervals(seen.rates, field=True)}. "
        f"Assumed: how many numbers of the {side.bot}'s own card."
    )
    heads = [upper(side.bot), *map(words, seen.rates), "games", "assumed", "verdict"]
    return Grid(about, heads, rows, falls="share")


def _heat(seen: Seen) -> Picture | None:
    """The first side's shares against the last side's roles, or a side of rivals against itself."""
    side, against = seen.run.game.sides[0], seen.run.game.sides[-1]
    if seen.rivals and side.seats == 1:
        return None
    table = plots.matrix(seen.summary, side.key, against.key, "share")
    if not table.size:
        return None
    other, even = "rival" if seen.rivals else against.bot, seen.rivals and seen.run.game.players == 2
    centre = 0.5 if even else float(np.nanmean(table.to_numpy(dtype=float)))
    pairs: Any = table.stack()
    pairs = pairs.dropna().sort_values(kind="stable")
    title = f"From {_pair(pairs.index[0], pairs.iloc[0])} to {_pair(pairs.index[-1], pairs.iloc[-1])}"
    caption = (
        f"Each number is the share of one {side.bot} against one {other}, in percent. {_meaning(seen, 'share')} Both "
        "are ordered by strength, and the means stand at the edges. Near white is "
        f"{'one half' if even else f'the mean, {plots.percent(centre)}%'}; teal is above, brown below. "
        "The table of all cells has each number with its interval."
    )

    def draw(_narrow: bool) -> Figure:
        return plots.heat_map(table, centre, side.bot, other)

    return embedded(draw, title, f"Share of each {side.bot} against each {other}", caption, phones=False)


def _pair(pair: Any, value: Any) -> str:
    """As in "Kate against Scrap Hound (12.3%)"."""
    return f"{pair[0]} against {pair[1]} ({plots.percent(value)}%)"


def _bars(seen: Seen, side: Side) -> Picture | None:
    """How the games of each role of a side end."""
    table = plots.endings(seen.summary, side.key)
    roles = [role for role in seen.field(side, "share").role if role in table.index]
    names = [ending.name for ending in seen.run.game.endings if ending.name in table.columns]
    if not roles or not names:
        return None
    table = table.loc[roles, names]
    apart = table.max() - table.min()
    most = str(apart.idxmax())
    title = (
        f"The {side.key} differ most in \u201c{words(most)}\u201d: from {plots.percent(table[most].min())}% "
        f"({table[most].idxmin()}) to {plots.percent(table[most].max())}% ({table[most].idxmax()})"
        if len(roles) > 1
        else f"How the games of {roles[0]} ended"
    )
    caption = (
        f"How the games of the {side.key} ended, the strongest {side.bot} first, in percent of its games. "
        "An ending says how, not who won. Small parts have no number; summary.csv has all, with intervals."
    )

    def draw(narrow: bool) -> Figure:
        return plots.endings_bars(table, narrow)

    return embedded(draw, title, f"Endings of the games of the {side.key}", caption)


def _costs(seen: Seen) -> dict[str, Any] | None:
    """The means of rounds, score and the game's own columns, for each role."""
    names = [name for name in ("rounds", "score", *seen.columns) if name in seen.measures]
    tables = [table for side in seen.played for table in _cost_tables(seen, side, names)]
    shown = {head for table in tables for head in table.heads}
    terms = [term(name, _meaning(seen, name)) for name in names if words(name) in shown]
    left = [words(name) for name in names if words(name) not in shown]
    note = f"Left out, as it is 0 in every game: {listed(left)}." if left else ""
    return {"tables": tables, "terms": terms, "note": note} if tables else None


def _cost_tables(seen: Seen, side: Side, names: Sequence[str]) -> Iterator[Grid]:
    """The measures that are not 0 for every role of a side, strongest role first, a page wide at most."""
    roles = list(seen.field(side, "share").role)
    found = {name: [seen.value(stats.FIELD, side, role, name) for role in roles] for name in names}
    used = [name for name in names if any(value for value, _, _ in found[name] if np.isfinite(value))]
    for start in range(0, len(used), WIDE):
        part = used[start : start + WIDE]
        rows = [Row(role, [mean_of(*found[name][place]) for name in part]) for place, role in enumerate(roles)]
        about = f"Means of a game over the field, with {seen.intervals(part, field=True)}; the strongest first."
        yield Grid(about, [upper(side.bot), *map(words, part)], rows)


def _meaning(seen: Seen, measure: str) -> str:
    """What a measure is, in a sentence or two."""
    about = upper(seen.meanings.get(measure, ""))
    if measure == "share":
        return f"{about}. Here, {_worth(seen)}"
    if measure == "rounds" and seen.run.game.rounds_called != "rounds":
        return f"{about}; this game's rounds are called {seen.run.game.rounds_called}."
    return f"{about}."


def _cells(seen: Seen) -> dict[str, Any]:
    """A line for each cell and each of its roles of the first side."""
    side, rows = seen.run.game.sides[0], []
    fits = LINES_SHOWN // side.seats
    for cell in seen.run.plan.cells[:fits]:
        for slug in cell.lineup[: side.seats]:
            role = seen.names[side.key][slug]
            rates = [rate_of(*seen.value(cell.id, side, role, name)) for name in seen.rates]
            told = cell.name.partition(" [")[2].removesuffix("]")
            named = _lineup(seen, cell.lineup, role) + (f" ({told})" if told else "")
            rows.append(Row(named, [*rates, count_of(cell.games), Value(cell.id)]))
    note = "All of this can be had as data: summary.csv, beside the report, has every number of every cell."
    if len(seen.run.plan.cells) > fits:
        note += f" The first {fits:,} of {len(seen.run.plan.cells):,} cells are here; the others are left out."
    about = f"Rates of the {side.bot} named first, in percent, with {seen.intervals(seen.rates, field=False)}."
    return {"note": note, "table": Grid(about, ["Cell", *map(words, seen.rates), "games", "id"], rows)}


def _lineup(seen: Seen, lineup: Sequence[str], first: str) -> str:
    """A lineup in titles, a role of the first side named first, as in "Kate against Scrap Hound"."""
    others, seat = [], 0
    for side in seen.run.game.sides:
        others += [seen.names[side.key][slug] for slug in lineup[seat : seat + side.seats]]
        seat += side.seats
    others.remove(first)
    return f"{first} against {', '.join(others)}" if others else first


def _cell_named(seen: Seen, name: str) -> str:
    """A cell's lineup in titles, from its id."""
    cell = seen.run.plan.find(name)
    return _lineup(seen, cell.lineup, seen.names[seen.run.game.sides[0].key][cell.lineup[0]])


# --- how it was made ----------------------------------------------------------------------------------------


def _made(seen: Seen) -> Iterator[dict[str, str]]:
    run, config = seen.run, seen.run.config
    yield term("run", run.name)
    yield term("game", f"{run.game.title} ({run.game.name})")
    yield term("pack", f"{run.pack.title} ({run.pack.name}), digest {run.pack.digest[:12]}")
    yield term("bots", seen.bots())
    yield term("seed", str(config.seed))
    yield term("games", f"{run.games:,} in {len(run.plan.cells):,} cells")
    yield term("chunks", f"up to {config.games.chunk:,} games each (their size changes no number)")
    yield term("seatings", f"{run.plan.seatings} for a lineup (rotate: {config.run.rotate})")
    for setting in run.game.settings:
        yield term(setting.name, f"{config.table.get(setting.name, setting.default)}: {setting.about}")
    yield from (term("note", note) for note in run.plan.notes)
    for name in ("capped_rate", "overflow_rate"):
        worst = seen.summary[seen.summary.measure == name].value.max()
        yield term(name, f"{_meaning(seen, name)} In the worst cell: {plots.percent(worst)}%.")
    yield term("intervals", INTERVALS)
    if run.seconds > 0:
        yield term("time", f"{run.seconds:,.1f} s, {run.games / run.seconds:,.0f} games a second")
    yield term("versions", ", ".join(f"{name} {version}" for name, version in _versions(run).items()))
    yield term("code", str(run.manifest["code"]))


def config_text(run: Run) -> str:
    """The config as TOML, its keys in the game's order, however the run was opened."""
    config = run.config.filled(run.game, run.tables)
    return config.model_copy(update={"changes": dict(sorted(config.changes.items()))}).to_toml()


def _versions(run: Run) -> dict[str, str]:
    return dict(sorted(run.manifest["versions"].items(), reverse=True))


def _again(run: Run) -> dict[str, str]:
    """The one command that plays the run again, and what it needs beside it."""
    name, config = str(run.manifest["name"]), config_text(run)
    same = "The same versions and the same seed give the same numbers on any machine, with any number of workers."
    address = f"data:text/plain;charset=utf-8;base64,{base64.b64encode(config.encode()).decode()}"
    file = {"file": f"{name}.toml", "address": address}
    shipped = _of_shipped(run, name)
    if shipped is not None:
        return {"about": f"It comes with Wastelab, so that this line is all. {same}", "command": shipped, **file}
    about = f"It needs the config below, saved as {name}.toml beside any packs that it names. {same}"
    return {"about": about, "command": f"wastelab run {shlex.quote(f'{name}.toml')}", **file}


def _of_shipped(run: Run, name: str) -> str | None:
    """The command that plays a run from the config that ships under its name, or None if there is no such command.

    Changes of that config become options; what the command would play must be the run itself.
    """
    if name not in shipped_configs():
        return None
    try:
        base = load_setup(name).config
        sets = [f"{key}={toml_value(value)}" for key, value in _changed(base.model_dump(mode="json"), _dumped(run))]
        if make_plan(load_setup(name, sets)).id != run.plan.id:
            return None
    except Mistakes:
        return None
    games, changes = "games.per_cell=", [text for text in sets if not text.startswith("games.per_cell=")]
    many = [f"--games {text.removeprefix(games)}" for text in sets if text.startswith(games)]
    return " ".join(["wastelab run", shlex.quote(name), *many, *(f"--set {shlex.quote(text)}" for text in changes)])


_NONE = object()


def _dumped(run: Run) -> dict[str, Any]:
    """The run's config as plain values."""
    return run.config.filled(run.game, run.tables).model_dump(mode="json")


def _changed(base: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """(path, value) of what another config has in place of what the base has; changes of the pack have their own
    paths.
    """
    for key, value in other.items():
        if isinstance(value, dict):
            below = {} if key == "changes" else base.get(key, {})
            inside: Iterable[tuple[str, Any]] = value.items()
            yield from ((k if key == "changes" else f"{key}.{k}", v) for k, v in inside if below.get(k, _NONE) != v)
        elif base.get(key) != value:
            yield key, value
