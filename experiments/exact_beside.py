"""Exact chances beside what a run played: rows of its summary, and a section of its report.

Of each cell, win, draw and loss are solved for the bots that play it; an exact number over the field is the mean over a
role's cells, as the played one is. What lies between the two is told in standard errors, which are exact as well: they
come from the solved chances, not from the games.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from experiments.exact import modes_of
from experiments.intervals import Z
from experiments.ledger import Run
from experiments.pages import Grid, Row, Value, term, upper
from experiments.parts import words
from experiments.plan import Cell
from experiments.plots import percent
from experiments.seen import Seen
from experiments.stats import FIELD
from simcore.game import Side

RATES = ("share", "win_rate", "draw_rate")
EXACT, APART = "exact:", "apart:"
ALPHA = 1e-6
"""The chance with which differences are called more than chance, where they are not."""

LINES_SHOWN = 2_000
"""The table of cells stops after so many lines."""

KEYS = ["cell", "point", "variant", "side", "role", "measure"]

DIGITS, NOTHING, MOST = 9, 1e-15, 1e6
"""Digits of an exact chance; what is no variance but rounding; most standard errors that are told."""

Chances = tuple[float, float]


def exact_rows(run: Run, table: pd.DataFrame) -> pd.DataFrame:
    """Rows of exact rates and of what lies between, for the RATES of a run's tidy table; the columns are the table's.

    A cell that can't be solved has no numbers (NaN), nor has what is pooled over it.
    """
    exact = pd.DataFrame(list(_of_cells(run)), columns=[*KEYS, "mirror", "mean", "var"])
    met = exact[~exact.mirror | (exact.role == "")].assign(cell=FIELD)
    pooled = met.groupby(KEYS, sort=False)[["mean", "var"]].agg(_mean).reset_index()
    solved = pd.concat([exact[[*KEYS, "mean", "var"]], pooled], ignore_index=True)
    both = table[table.measure.isin(RATES)].merge(solved, on=KEYS, how="inner")
    mean = both["mean"].round(DIGITS)
    means = both.assign(measure=EXACT + both.measure, value=mean, low=mean, high=mean, interval="exact")
    apart = both.assign(measure=APART + both.measure, value=_apart(both), low=np.nan, high=np.nan, interval="")
    return pd.concat([means, apart], ignore_index=True)[table.columns]


def _mean(part: pd.Series) -> float:
    """The mean, NaN where a part of it is."""
    return float(part.mean(skipna=False))


def _apart(both: pd.DataFrame) -> pd.Series:
    """Played less exact in standard errors, MOST where what can't happen did."""
    gap = both.value - both["mean"]
    gap = gap.where(gap.abs() > 10.0**-DIGITS, 0.0)
    error = np.sqrt(both["var"].where(both["var"] > NOTHING, NOTHING / MOST**2) / both.games)
    return (gap / error).clip(-MOST, MOST).where(both.value.notna() & both["mean"].notna())


def _of_cells(run: Run) -> Iterator[tuple[Any, ...]]:
    """For each cell and role, and each cell as a whole, the mean and variance of one game's number of RATES."""
    for cell in run.plan.cells:
        ends, mirror = _solved(run, cell), run.plan.mirrored(cell)
        for member, slug in enumerate(dict.fromkeys(slug for _, slug in cell.seated)):
            where = cell.id, cell.point, cell.variant, run.game.side_of(member).key, slug
            worth = _draw_worth(run, member)
            for name, values in (("win_rate", (1.0, 0.0)), ("draw_rate", (0.0, 1.0)), ("share", (1.0, worth))):
                yield *where, name, mirror, *_moments([one[member] for one in ends], values)
        yield cell.id, cell.point, cell.variant, "", "", "draw_rate", mirror, *_moments([e[0] for e in ends], (0, 1))


def _moments(chances: Sequence[Chances], values: tuple[float, float]) -> Chances:
    """The mean of what one game gives, and its variance within a seating, over seatings that are played equally often;
    chances: of winning and of a draw; values: what these give, else 0.
    """
    odds, worth = np.array(chances), np.array(values)
    means = odds @ worth
    return float(means.mean()), float((odds @ worth**2 - means**2).mean())


def _draw_worth(run: Run, member: int) -> float:
    """What a draw gives a member: between two unlike sides what [verdict] says, else half."""
    if len(run.game.sides) == 1:
        return 0.5
    return run.config.verdict.draw_counts if member == 0 else 1 - run.config.verdict.draw_counts


def _solved(run: Run, cell: Cell) -> list[dict[int, Chances]]:
    """For each seating of a cell: member -> chances of winning and of a draw; NaN where it can't be solved."""
    tables, found = run.plan.tables(cell), []
    for row in run.plan.seats(cell):
        try:
            opened = run.game.open_solver(tables, row)
            modes = modes_of(opened, tables.bots)
            solution = opened.solve([modes[tables.bots[bot]] for bot in row.bot])
            ends = (solution.win, solution.draw), (solution.loss, solution.draw)
        except (ValueError, KeyError):
            ends = ((np.nan, np.nan),) * 2
        found.append({int(member): ends[seat] for seat, member in enumerate(row.member)})
    return found


# ---------------------------------------------------------------- the report


def section(seen: Seen) -> dict[str, Any] | None:
    """What a report says of exact and played numbers; None where a run asks for no exact ones."""
    if not seen.run.config.verdict.exact:
        return None
    gaps = _gaps(seen.summary)
    return {
        "title": _finding(seen, gaps),
        "lines": list(_lines(seen, gaps)),
        "terms": [
            term("exact", "What the rate would be over endless games with these bots: solved, without a die rolled."),
            term("apart", "Played less exact, in standard errors of that many games; these are exact, too."),
        ],
        "tables": [_table(seen, side) for side in seen.played],
        "cells": _cells(seen),
    }


def _gaps(summary: pd.DataFrame) -> pd.DataFrame:
    """The differences of all cells, the largest first."""
    rows = summary[(summary.cell != FIELD) & summary.measure.str.startswith(APART)].dropna(subset="value")
    return rows.loc[rows.value.abs().sort_values(ascending=False, kind="stable").index]


def _beyond(alpha: float, many: int) -> float:
    """How many standard errors the largest of many differences exceeds by chance with probability alpha at most."""
    from scipy.stats import norm

    return float(norm.isf(alpha / max(many, 1) / 2))


def _finding(seen: Seen, gaps: pd.DataFrame) -> str:
    """How far played and exact numbers are apart at most, and whether chance explains that."""
    if gaps.empty:
        return "No cell of this run can be solved"
    top = gaps.iloc[0]
    fits = "as chance has it" if abs(top.value) <= _beyond(ALPHA, len(gaps)) else "more than chance explains"
    return (
        f"Played and exact numbers are {abs(top.value):.1f} standard errors apart at most "
        f"({seen.cell_named(str(top.cell))}, {words(top.measure.removeprefix(APART))}): {fits}"
    )


def _lines(seen: Seen, gaps: pd.DataFrame) -> Iterator[str]:
    """How differences are spread, and what can't be solved."""
    if len(gaps):
        beyond = float((gaps.value.abs() > Z).mean())
        yield (
            f"Of {len(gaps):,} rates of single cells, {100 * beyond:.1f}% are more than 1.96 standard errors apart; by "
            f"chance it is 5%. Among so many, the largest difference is as often above as below about "
            f"{_beyond(0.69, len(gaps)):.1f}; one beyond {_beyond(ALPHA, len(gaps)):.1f} comes up once in a million."
        )
    summary = seen.summary
    lost = summary[(summary.cell != FIELD) & summary.measure.str.startswith(EXACT) & summary.value.isna()]
    if len(lost):
        yield f"{lost.cell.nunique():,} cells can't be solved: they hold cards, or bots, that the solver doesn't know."


def _table(seen: Seen, side: Side) -> Grid:
    """A side's roles over the field, the strongest first."""
    rows = [Row(role, _fields(seen, FIELD, side, role)) for role in seen.field(side, "share").role]
    about = f"The {side.key} over the field: as played and exact, in percent, and how far apart, in standard errors."
    return Grid(about, [upper(side.bot), *_heads()], rows, falls="share")


def _cells(seen: Seen) -> Grid:
    """Every cell, for its role named first."""
    side, rows = seen.run.game.sides[0], []
    for cell in seen.run.plan.slice(*seen.run.plan.slices[0])[:LINES_SHOWN]:
        role = seen.names[side.key][cell.lineup[0]]
        rows.append(Row(seen.lineup(cell.lineup, role), _fields(seen, cell.id, side, role)))
    about = f"Rates of the {side.bot} named first: as played, exact, and how far apart, in standard errors."
    return Grid(about, ["Cell", *_heads()], rows)


def _heads() -> list[str]:
    return [head for name in RATES for head in (words(name), f"exact {words(name)}", f"{words(name)} apart")]


def _fields(seen: Seen, cell: str, side: Side, role: str) -> list[Value]:
    """Each rate as played, exact, and the difference."""
    fields = []
    for name in RATES:
        played, exact, apart = (seen.value(cell, side, role, f"{kind}{name}")[0] for kind in ("", EXACT, APART))
        between = f"{apart:+.2f}".replace("-", "\u2212") if np.isfinite(apart) else "-"
        fields += [*(Value(percent(rate, 2), key=rate) for rate in (played, exact)), Value(between, key=apart)]
    return fields
