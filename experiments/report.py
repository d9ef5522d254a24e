"""The report of a finished run: one HTML file with its pictures inside, readable without a network.

It works from the run alone (its game, config, pack, tallies and tidy summary), and knows no rule of any game.
Text that comes from a config or a pack is escaped by the template, and can't become part of the page. The page
allows itself no network: its style and its script, which sorts tables and copies blocks, are named by their hashes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from experiments import contrasts, crews, exact_beside, outcomes, plots, provenance, rivals, stats, stopping
from experiments.ledger import Run, versions
from experiments.pages import (
    Grid,
    Picture,
    Row,
    Value,
    count_of,
    embedded,
    in_points,
    listed,
    look,
    mean_of,
    rate_of,
    rendered,
    term,
    upper,
)
from experiments.parts import words, write_whole
from experiments.seen import Seen, titled
from simcore.game import Side

WIDE = 7
"""Columns of a table that fit on a page."""

LINES_SHOWN = 2_000
"""The table of cells stops after so many lines; summary.csv has them all."""

HEADS = {
    "strong": "Who is strong",
    "heat": "Who beats whom",
    "bars": "How each role\u2019s games end, and who wins",
    "every": "Every role",
}
CREW_HEADS = {
    "strong": "Whom to have along",
    "heat": "Who goes well with whom",
    "bars": "How the crew\u2019s games end with each member",
    "every": "Every member",
}
CREWS_HEADS = CREW_HEADS | {"strong": "How the crews do", "every": "Every crew"}
"""What sections are called, of rivals, of a crew that wins together, and of crews over a sweep."""

NAME = "report.html"
CHANGING = re.compile(r"data:image/svg\+xml;base64,[A-Za-z0-9+/=]*|<dt>run</dt><dd>[^<]*</dd>")

VERDICT = (
    "Too strong: the whole interval lies above the balanced shares. Too weak: wholly below. Balanced: wholly inside. "
    "Undecided: it reaches over an edge; the more games are this role's own, by the share seen so far."
)

NOT_IN_SWEEPS: dict[str, Any] = {
    "solved": None,
    "strength_terms": [],
    "crew": None,
} | dict.fromkeys(("seats", "length", "ends", "heat", "strongest", "places", "bars", "costs"), ())
"""Sections that differ from point to point: a sweep's report leaves them out."""


def write(run: Run, folder: Path, summary: pd.DataFrame | None = None) -> Path:
    """Write `report.html` into a folder and return its path; a report that is there is replaced in one step.

    run: a finished run; folder: an existing folder; summary: as `stats.summary(run)` makes it, where it is at hand.
    Raises OSError where it can't be written.
    """
    path = folder / NAME
    write_whole(path, page(run, stats.summary(run) if summary is None else summary))
    return path


def unlike(run: Run, summary: pd.DataFrame, noted: bool) -> tuple[str, str]:
    """What is wrong with the report of a run, and what else a reader should know of it; "" for nothing.

    The page is made again. Its pictures depend on the version of matplotlib, one line on the name of the folder, and
    all else on that of Wastelab: where those that are here did not write it, it must still be as it was noted.

    summary: as `stats.summary(run)` makes it; noted: whether the file holds what the ledger noted as it was written.
    """
    found, made = (run.folder / NAME).read_text("utf-8", errors="replace"), page(run, summary)
    if found == made:
        return "", ""
    if not noted:
        return "is not as it was written", ""
    if CHANGING.sub("", found) == CHANGING.sub("", made):
        return "", "as it was written; its pictures, or the name of the folder, are others now"
    if run.same_code and run.manifest["versions"] == versions():
        return "does not say what the ledger gives", ""
    return "", "as it was written; this version of Wastelab makes another page"


def page(run: Run, summary: pd.DataFrame) -> str:
    """The report as HTML text; `summary` as `stats.summary(run)` makes it."""
    summary = titled(summary, run.tables.roles)
    shown = summary if run.config.sweep else contrasts.front(run, summary)
    seen, parts = Seen(run, shown), [Seen(*part) for part in stats.parts(run, shown)]
    sections = _of_sweep(parts) if run.config.sweep else _front(parts) | _tables(parts)
    return rendered(
        "report.html",
        **look(),
        title=run.config.title,
        question=run.config.question,
        game=run.game.title,
        warnings=list(_warnings(seen)),
        against=run.pack.against_the_book(),
        version=provenance.versions(run).get("wastelab", ""),
        config=provenance.config_text(run),
        again=provenance.again(run),
        heads=(CREWS_HEADS if run.config.sweep else CREW_HEADS) if seen.crew else HEADS,
        overview=contrasts.overview(run, summary),
        variants=[one for part in stats.parts(run, summary) for one in contrasts.variants(*part)],
        cells=_cells(seen),
        made=list(provenance.facts(seen)),
        **sections,
    )


def _of_sweep(parts: list[Seen]) -> dict[str, Any]:
    """What a sweep's report has in place of the front page and the tables of a run with one point."""
    seen, terms = parts[0], list(_answer_terms(parts[0]))
    if seen.crew:  # crews are judged there, no members
        won = term(seen.shared, "Games that the crew wins, of all that it plays.")
        terms = [won, *(one for one in terms if one["name"] not in (words(seen.shared), "assumed"))]
    kept = {"answer_terms": terms, "honest": _honest(seen), "by_size": []}
    fronts = [contrasts.sweep_front(seen.run, seen.summary, seen.size) for seen in parts]
    return NOT_IN_SWEEPS | kept | {name: [one for front in fronts for one in front[name]] for name in fronts[0]}


def _front(parts: list[Seen]) -> dict[str, Any]:
    """The front page, in order."""
    return {
        "by_size": [_by_size(parts, side) for side in parts[0].played] if len(parts) > 1 else [],
        "answers": [_answer(seen, side) for seen in parts for side in seen.run.game.sides],
        "answer_terms": list(_answer_terms(parts[0])),
        "honest": _honest(parts[0]),
        "forests": _of_sides(parts, _forest),
        "crew": crews.section(parts[0]),
        "solved": exact_beside.section(parts[0]),
        "seats": _of_each(parts, rivals.seats),
        "length": _of_each(parts, outcomes.length),
        "ends": _of_each(parts, outcomes.ends),
    }


def _tables(parts: list[Seen]) -> dict[str, Any]:
    """What stands below the front page, in order."""
    first = parts[0]
    return {
        "strength": _of_sides(parts, _strength),
        "strength_terms": [term(first.head(name), first.meaning(name)) for name in first.rates],
        "heat": _of_each(parts, _heat),
        "strongest": _of_sides(parts, rivals.strongest),
        "places": _of_sides(parts, rivals.places),
        "bars": _of_sides(parts, outcomes.bars),
        "costs": _of_each(parts, _costs),
    }


def _of_each(parts: list[Seen], make: Callable[[Seen], Any]) -> list[tuple[str, Any]]:
    """What a section has for each part, with its tables in words; without the parts that it has nothing for."""
    found = [(stats.tables_of(seen.size), make(seen)) for seen in parts]
    return [(where, one) for where, one in found if one]


def _of_sides(parts: list[Seen], make: Callable[[Seen, Side], Any]) -> list[tuple[str, list[Any]]]:
    """The same for sections that have something for each side whose roles have games."""
    return _of_each(parts, lambda seen: [one for side in seen.played if (one := make(seen, side))])


# --- the answer ---------------------------------------------------------------------------------------------


def _warnings(seen: Seen) -> Iterator[str]:
    run, worst = seen.run, seen.summary.groupby("measure").value.max()
    if run.games < run.plan.games and not (run.stops and run.finished):
        of_all = "" if run.stops else f" of {run.plan.games:,}"
        yield f"This run is not finished: {run.games:,}{of_all} games have been played."
    if worst.get("overflow_rate", 0.0) > 0:
        yield "Some games outgrew a table of the program: trust no number here before that is mended."
    if names := rivals.uneven(seen):
        yield (
            f"Mirror matches don't come out even ({listed(names)}): something is wrong in the rules, the bots or the "
            "seatings. Trust no share here before that is found."
        )
    if worst.get("capped_rate", 0.0) > 0.01:
        stopped = plots.percent(worst["capped_rate"])
        yield f"In the worst cell, {stopped}% of the games were stopped at the limit of steps."


def _answer(seen: Seen, side: Side) -> dict[str, Any]:
    """The answer for a side: what stands out, and a line for each role."""
    rows, assumed = seen.judged(side), _assumed(seen, side)
    name = stats.tables_of(seen.size) or upper(side.key)
    if rows.empty:
        alone = f"None of the {side.key} met another, so that there is nothing to judge."
        nothing = alone if seen.run.games else f"No games of the {side.key} have been played."
        return {"side": name, "lead": nothing, "judged": "", "lines": []}
    judged: Iterator[Any] = rows.itertuples()
    lines = [_line(row, assumed.get(row.role), seen.shared) for row in judged]
    alone = f"{rows.role[0]} {'played alone' if seen.crew else f'met {seen.opponents(side)}'}."
    lead = _ends_of_field(seen, side, rows) if len(rows) > 1 else alone
    return {"side": name, "lead": lead, "judged": _judged(seen, side), "lines": lines}


def _by_size(parts: list[Seen], side: Side) -> dict[str, Any]:
    """The verdicts at tables of every size side by side, the role with most of an even share first."""
    judged = [seen.judged(side).set_index("role") for seen in parts]
    evens = [seen.size * rows.value for seen, rows in zip(parts, judged, strict=True)]
    roles = pd.concat(evens, axis=1).mean(axis=1).sort_values(ascending=False, kind="stable").index
    shown = [{row.Index: _verdict_of(row) for row in rows.itertuples()} for rows in judged]
    rows = [Row(role, [one.get(role, Value("-", key=math.nan)) for one in shown]) for role in roles]
    about = (
        f"Share and verdict of each of the {side.key} at tables of each size, in percent, with "
        f"{parts[0].intervals(['share'], field=True)}; the one with most of an even share on average first."
    )
    heads = [upper(side.bot), *(stats.tables_of(seen.size) for seen in parts)]
    return {"told": list(_changing(parts, side, judged)), "table": Grid(about, heads, rows)}


def _verdict_of(row: Any) -> Value:
    """A role's share and verdict."""
    return Value(plots.percent(row.value), f"{plots.span(row.low, row.high)}; {row.word}", row.value)


def _changing(parts: list[Seen], side: Side, judged: list[pd.DataFrame]) -> Iterator[str]:
    """How many verdicts there are of each kind, and for which roles they change with the size of the table."""
    whole = pd.concat(judged)
    yield (
        f"Each of the {side.key} is judged at tables of each size by itself. Of {len(whole)} verdicts, "
        f"{_tally_of(whole)}."
    )
    words_of = whole[whole.word != "undecided"].groupby(level=0, sort=False).word.nunique()
    moved = list(words_of[words_of > 1].index)
    yield (
        f"The verdict changes with the size of the table for {listed(moved)}."
        if moved
        else "No decided verdict changes with the size of the table."
    )


def _line(row: Any, assumed: tuple[int, int] | None, shared: str) -> dict[str, str]:
    """A role's answer in one line, in parts."""
    return {
        "role": row.role,
        "word": row.word,
        "kind": row.word.split()[-1],
        "share": f"{shared} {_in_words(row)}{_more(row)}{_rule(row)}",
        "assumed": f"in this pack, {assumed[0]} of {assumed[1]} numbers assumed" if assumed else "",
    }


def _judged(seen: Seen, side: Side) -> str:
    """Who was judged against what, by whom they were played, and with which pack."""
    inside, run = seen.band(side), seen.run
    return (
        f"Judged against {inside.about}: balanced is a {seen.shared} from {plots.percent(inside.least)} to "
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
    close = _too_close(near_first, "strongest") + _too_close(near_last, "weakest")
    start, apart = (
        f"Of {len(rows)} {seen.many(side)}, {_tally_of(rows)}.",
        [in_points(one.value - mean) for one in (first, last)],
    )
    if seen.crew:
        return (
            f"{crews.won(seen, crews.crews(seen))} {start} It wins most often with {first.role}, {apart[0]} from the "
            f"mean of {plots.percent(mean)}%, and least often with {last.role}, {apart[1]}.{close}"
        )
    return (
        f"{start} {first.role} is the strongest over {seen.opponents(side)}, {apart[0]} from the mean of "
        f"{plots.percent(mean)}%; {last.role} is the weakest, {apart[1]}.{close}"
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
    """How many games an undecided verdict still needs."""
    missing = stats.games_missing(row)
    if missing == "?":
        return "; at the very edge, more games may never tell"
    return f"; about {missing} more games" if missing else ""


def _rule(row: Any) -> str:
    """Why a run that stops by itself was through with a role."""
    return f"; after {row.games:,} games {stopping.RULES[row.rule]}" if row.rule else ""


def _answer_terms(seen: Seen) -> Iterator[dict[str, str]]:
    """What stands in the lines of the answer."""
    yield term(seen.shared, seen.meaning("share"))
    fixed = (
        " over a fixed number of games. Each holds on its own: among many roles, one that is close to an edge may be "
        "judged wrongly by chance."
    )
    stopped = (
        ", which hold however often they were looked at, and all together: the run decided by itself when it had "
        "seen enough."
    )
    about = stopped if seen.run.stops else fixed
    yield term("in brackets", seen.intervals(["share"], field=True) + about)
    yield term("verdict", VERDICT + (_stopped_at(seen) if seen.run.stops else ""))
    yield term("assumed", "Numbers on the role's own cards that no rulebook and no other public source gives.")


def _stopped_at(seen: Seen) -> str:
    """What verdicts rest on in a run that stopped itself."""
    told = " Each is the verdict at which the role was through"
    if seen.run.config.verdict.against == "field":
        return f"{told}, by a betting sequence of how far its share lies from the mean of the field."
    return f"{told}."


def _honest(seen: Seen) -> str:
    assumed, every = seen.run.pack.assumed_share()
    part = f" ({100 * assumed / every:.0f}%)" if every else ""
    return (
        f"In the whole pack, {assumed:,} of {every:,} numbers{part} are assumed: no rulebook and no other public "
        "source gives them. The results speak of the pack, not of the published box."
    )


def _assumed(seen: Seen, side: Side) -> dict[str, tuple[int, int]]:
    """Title -> (n, m): n of the m numbers of its own cards are assumed: its card, of the kind with all slugs, that of
    its version, and those of kinds whose cards each name one of that kind, as whose they are.
    """
    pack, names, roles = seen.run.pack, seen.names[side.key], seen.run.tables.roles[side.key]
    whole = {role.name for role in roles}
    kinds = [kind for kind, cards in pack.cards.items() if names and whole <= cards.keys()]
    if not kinds:
        return {}
    found = {role.slug: [pack.assumed_share(kinds[0], role.name)] for role in roles}
    refs = [(kind, name, of) for kind, spec in seen.run.game.schema.kinds.items() for name, of in spec.refs.items()]
    for kind in [kind for own, _, of in refs if own == kinds[0] for kind in of]:
        for role in roles:
            version = role.slug.removeprefix(f"{role.of}/")
            if role.of and version in pack.cards[kind]:
                found[role.slug].append(pack.assumed_share(kind, version))
    for kind, name in ((kind, name) for kind, name, of in refs if kinds[0] in of):
        for slug, card in pack.cards[kind].items():
            if isinstance(whose := getattr(card, name), str) and whose in found:
                found[whose].append(pack.assumed_share(kind, slug))
    return {names[slug]: (sum(n for n, _ in own), sum(m for _, m in own)) for slug, own in found.items()}


# --- the front page's pictures ------------------------------------------------------------------------------


def _forest(seen: Seen, side: Side) -> Picture:
    """The shares of a side's roles against what is balanced."""
    shares, wins, inside = seen.field(side, "share"), seen.field(side, "win_rate"), seen.band(side)
    mean, band, shared = float(shares.value.mean()), (inside.least, inside.most), seen.shared

    def draw(narrow: bool) -> Figure:
        about = f"{shared}, %" if narrow or seen.crew else "share and win rate, %"
        beside = wins if len(wins) and not seen.crew else None
        return plots.forest(shares, mean, about, beside, band=band, narrow=narrow)

    hollow = f" On a wide page, hollow dots: win rate, that is {seen.meanings['win_rate']}." if not seen.crew else ""
    kinds = seen.intervals(["share"] if seen.crew else ["share", "win_rate"], field=True)
    caption = (
        f"The {seen.many(side)} {seen.against(side)}. Filled dots: {shared}, with its number; the grey band: balanced "
        f"{shared}s; teal: too strong; brown: too weak; dashed: the mean {shared}.{hollow} Lines between caps: {kinds}."
    )
    ends = [f"{plots.percent(row.value)}% ({row.role})" for _, row in shares.iloc[[0, -1]].iterrows()]
    title = f"{upper(shared)}s of the {seen.many(side)}: " + (
        f"from {ends[0]} to {ends[1]}" if len(shares) > 1 else ends[0]
    )
    alt = f"{'Win rate' if seen.crew else 'Share and win rate'} of the {seen.many(side)}, with intervals"
    return embedded(draw, title, alt, caption)


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
        f"The {seen.many(side)} {seen.against(side)}, in percent, with {seen.intervals(seen.rates, field=True)}. "
        f"Assumed: how many numbers of the {seen.one(side)}'s own cards."
    )
    heads = [upper(seen.one(side)), *map(seen.head, seen.rates), "games", "assumed", "verdict"]
    return Grid(about, heads, rows, falls=seen.shared)


def _heat(seen: Seen) -> Picture | None:
    """The first side's shares against the last side's roles, or a side of rivals against itself."""
    side, against = seen.run.game.sides[0], seen.run.game.sides[-1]
    if side == against and max(seen.run.plan.sizes) == 1:
        return None
    table = plots.matrix(seen.summary, side.key, against.key, "share")
    if not table.size:
        return None
    other, duel = "rival" if seen.rivals else seen.one(against), seen.rivals and max(seen.run.plan.sizes) == 2
    centre = 0.5 if duel else float(np.nanmean(table.to_numpy(dtype=float)))
    pairs: Any = table.stack()
    pairs = pairs.dropna().sort_values(kind="stable")
    met = "with" if seen.crew or (seen.rivals and not duel) else "against"
    title = f"From {_pair(pairs.index[0], pairs.iloc[0], met)} to {_pair(pairs.index[-1], pairs.iloc[-1], met)}"

    def draw(_narrow: bool) -> Figure:
        return plots.heat_map(table, centre, seen.one(side), other)

    alt = f"{upper(seen.shared)} of each {seen.one(side)} {met} each {other}"
    return embedded(draw, title, alt, _heat_told(seen, side, other, centre), phones=False)


def _heat_told(seen: Seen, side: Side, other: str, centre: float) -> str:
    """What the heat map shows."""
    mean = f"the mean, {plots.percent(centre)}%"
    if seen.crew:
        return (
            f"Each number is how often the crew wins with both, in percent. Both are ordered by {seen.shared}, and the "
            f"means stand at the edges. Near white is {mean}; teal is above, brown below."
        )
    most = max(seen.run.plan.sizes)
    of = f"against one {other}" if not seen.rivals or most == 2 else f"over the tables where one {other} sits, too"
    white = "one half" if seen.rivals and most == 2 else mean
    return (
        f"Each number is the share of one {side.bot} {of}, in percent. {seen.meaning('share')} Both are ordered by "
        f"strength, and the means stand at the edges. Near white is {white}; teal is above, brown below. The table of "
        "all cells has each number with its interval."
    )


def _pair(pair: Any, value: Any, met: str) -> str:
    """As in "Kate against Scrap Hound (12.3%)"."""
    return f"{pair[0]} {met} {pair[1]} ({plots.percent(value)}%)"


def _costs(seen: Seen) -> dict[str, Any] | None:
    """The means of rounds, score and the game's own columns, for each role."""
    names = [name for name in ("rounds", "score", *seen.columns) if name in seen.measures]
    tables = [table for side in seen.played for table in _cost_tables(seen, side, names)]
    shown = {head for table in tables for head in table.heads}
    terms = contrasts.terms_of(seen.run, [name for name in names if seen.head(name) in shown], seen.meaning)
    left = [seen.head(name) for name in names if seen.head(name) not in shown]
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
        yield Grid(about, [upper(seen.one(side)), *map(seen.head, part)], rows)


def _cells(seen: Seen) -> dict[str, Any]:
    """A line for each cell and each of its roles of the first side; of a crew, which has one number, a line in all."""
    side, rows = seen.run.game.sides[0], []
    fits = LINES_SHOWN // side.seats
    for cell in seen.run.plan.cells[:fits]:
        for slug in list(filter(None, cell.lineup[: side.seats]))[: 1 if seen.crew else None]:
            role = seen.names[side.key][slug]
            rates = [rate_of(*seen.value(cell.id, side, role, name)) for name in seen.rates]
            told = cell.name.partition(" [")[2].removesuffix("]")
            named = seen.lineup(cell.lineup, role) + (f" ({told})" if told else "")
            rows.append(Row(named, [*rates, count_of(cell.games), Value(cell.id)]))
    note = "All of this can be had as data: summary.csv, beside the report, has every number of every cell."
    if len(seen.run.plan.cells) > fits:
        note += f" The first {fits:,} of {len(seen.run.plan.cells):,} cells are here; the others are left out."
    whose = "the crew" if seen.crew else f"the {side.bot} named first"
    order = " The others stand in the order in which they sit after it." if seen.run.plan.setup.rings else ""
    about = f"Rates of {whose}, in percent, with {seen.intervals(seen.rates, field=False)}.{order}"
    return {"note": note, "table": Grid(about, ["Cell", *map(seen.head, seen.rates), "games", "id"], rows)}
