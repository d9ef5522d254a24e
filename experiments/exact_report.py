"""A whole table of solved lineups as one page, readable without a network, and as data beside it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from experiments import plots
from experiments.csv_files import rows_text
from experiments.exact import Answer, Lineup, Shift, Solving, seated, worded
from experiments.pages import Grid, Picture, Row, Value, count_of, embedded, listed, look, rendered, term, upper
from experiments.parts import words
from experiments.stats import titles

EVEN = 0.05
"""How far from one half the value of an even lineup lies at most."""

EVEN = 0.05
"""How far from one half the value of an even lineup lies at most."""

NUMBERS_SHOWN = 60
"""Printed numbers that the page shows; numbers.csv has all."""


def write(solving: Solving, rows: Sequence[Answer], numbers: Sequence[Shift], folder: Path, asked: str) -> list[Path]:
    """Write report.html, values.csv and numbers.csv into a folder, each in one step, and give their paths.

    rows, numbers: as `exact.outlines` and `exact.shifts` have them; asked: the command that made them. Raises OSError.
    """
    seen = Solved(solving, rows, numbers)
    texts = {
        "report.html": page(seen, asked),
        "values.csv": rows_text(_values(seen)),
        "numbers.csv": rows_text(_numbers(numbers)),
    }
    for name, text in texts.items():
        (folder / f"{name}.part").write_text(text, encoding="utf-8", newline="")
        os.replace(folder / f"{name}.part", folder / name)
    return [folder / name for name in texts]


@dataclass(frozen=True)
class Solved:
    """All lineups of a pack, solved, and what several sections ask of them."""

    solving: Solving
    rows: Sequence[Answer]
    numbers: Sequence[Shift]

    @cached_property
    def names(self) -> list[dict[str, str]]:
        """For each seat: slug -> title."""
        return [titles(self.solving.tables.roles[side.key]) for side in seated(self.solving.game)]

    @cached_property
    def seats(self) -> list[str]:
        """What each seat is called: its side, or, for rivals of one side, which of them is first."""
        sides = seated(self.solving.game)
        if sides[0] is not sides[1]:
            return [side.bot for side in sides]
        return [f"first {sides[0].bot}", f"second {sides[0].bot}"]

    @cached_property
    def table(self) -> pd.DataFrame:
        """Values by the titles of the first seat (down) and of the second (across), the strongest of each first."""
        flat = pd.DataFrame(
            [(*self.titled(row.lineup), row.value) for row in self.rows], columns=["first", "second", "value"]
        )
        wide = flat.pivot_table("value", "first", "second", sort=False)
        down = wide.mean(axis=1).sort_values(ascending=False, kind="stable").index
        across = wide.mean(axis=0).sort_values(ascending=False, kind="stable").index
        return wide.loc[down, across]

    def titled(self, lineup: Lineup) -> list[str]:
        """The titles of a lineup."""
        return [names[slug] for names, slug in zip(self.names, lineup, strict=True)]

    def versus(self, lineup: Lineup) -> str:
        """As in "Kate against Scrap Hound"."""
        return " against ".join(self.titled(lineup))


def page(seen: Solved, asked: str) -> str:
    """The page as HTML text."""
    solving = seen.solving
    return rendered(
        "exact.html",
        **look(),
        title=_title(seen),
        game=solving.game.title,
        lead=_lead(seen),
        terms=list(_terms(seen)),
        honest=_honest(seen),
        heat=_heat(seen),
        roles=[_roles(seen, seat) for seat in range(len(seen.seats))],
        moves=_moves(seen) if seen.rows[0].worth else None,
        moves_title=_moves_title(seen) if seen.rows[0].worth else "",
        numbers=_numbers_grid(seen) if seen.numbers else None,
        numbers_note=_numbers_note(seen),
        cells=_cells(seen),
        made=list(_made(seen, asked)),
        version=version("wastelab"),
    )


# ---------------------------------------------------------------- sections


def _points(value: float) -> Value:
    """A difference of values in hundredths, with its sign."""
    return Value(f"{100 * value:+z.2f}".replace("-", "\u2212"), key=value)


def _hundredths(value: float) -> Value:
    """A value or a chance in hundredths."""
    return Value(f"{100 * value:z.2f}", key=value)


def _title(seen: Solved) -> str:
    """As in "13 knights against 32 enemies, solved"."""
    sides = zip(seated(seen.solving.game), seen.table.shape, strict=True)
    return " against ".join(f"{many} {side.key}" for side, many in sides) + ", solved"


def _lead(seen: Solved) -> list[str]:
    """Who is strongest and weakest at best play, and how even the table is."""
    table = seen.table
    down, across, (first, second) = table.mean(axis=1), table.mean(axis=0), seen.seats
    best, worst, hard, easy = (f"{name} ({100 * value:.1f})" for name, value in _ends(down, across))
    lines = [
        f"At best play of both, {best} does best as the {first}, by the mean value of its lineups, and {worst} worst. "
        f"As the {second}, {hard} is the hardest to meet and {easy} the easiest."
    ]
    middle = f"The mean over {len(seen.rows):,} lineups is {100 * table.to_numpy().mean():.1f}"
    if seen.solving.prices.keys() == {"win", "draw", "loss"}:
        even = int((abs(table - 0.5) <= EVEN).to_numpy().sum())
        middle += f"; {even:,} of them lie between {100 * (0.5 - EVEN):g} and {100 * (0.5 + EVEN):g}"
    return [*lines, f"{middle}."]


def _ends(down: pd.Series, across: pd.Series) -> Iterator[tuple[str, float]]:
    """The strongest and the weakest of each seat."""
    for means, at in ((down, 0), (down, -1), (across, -1), (across, 0)):
        yield str(means.index[at]), float(means.iloc[at])


def _terms(seen: Solved) -> Iterator[dict[str, str]]:
    """What the words of the page mean."""
    first, second = seen.seats
    yield term(
        "value",
        f"What a lineup is worth to the {first}, in hundredths, where both sides play as well as can be: "
        f"{worded(seen.solving.prices)}. The {second} plays to keep it low.",
    )
    yield term(
        "solved",
        "Worked out backwards over everything that can happen, with the exact odds of all dice; no game was played. "
        f"What the two sides can each make sure of differs by {max(row.gap for row in seen.rows):.0e} at most.",
    )
    yield term("best play", "Nobody plays so well at a table: bots and people lose some of what is possible.")


def _honest(seen: Solved) -> str:
    assumed, every = seen.solving.pack.assumed_share()
    part = f" ({100 * assumed / every:.0f}%)" if every else ""
    return (
        f"In the whole pack, {assumed:,} of {every:,} numbers{part} are assumed: no rulebook and no other public "
        "source gives them. The results speak of the pack, not of the published box."
    )


def _heat(seen: Solved) -> Picture:
    """All values as a heat map."""
    table = seen.table
    centre = float(table.to_numpy().mean())
    first, second = seen.seats

    def draw(_narrow: bool) -> Figure:
        return plots.heat_map(table, centre, first, second)

    rows = sorted(seen.rows, key=lambda row: row.value)
    low, high = (f"{seen.versus(rows[at].lineup)} ({100 * rows[at].value:.1f})" for at in (0, -1))
    caption = (
        f"The value of each lineup to the {first}, in hundredths. Both are ordered by strength, and the means stand at "
        f"the edges. Near white is the mean, {100 * centre:.1f}; teal is above, brown below."
    )
    return embedded(draw, f"From {low} to {high}", "Values of all lineups", caption, phones=False)


def _roles(seen: Solved, seat: int) -> Grid:
    """A line for each role of a seat: its mean, and its best and worst lineup."""
    names, sign = seen.names[seat], 1 if seat == 0 else -1
    rows = []
    for slug in dict.fromkeys(row.lineup[seat] for row in seen.rows):
        own = sorted((row for row in seen.rows if row.lineup[seat] == slug), key=lambda row: sign * row.value)
        parts = [float(np.mean([getattr(row, end) for row in own])) for end in ("value", "win", "draw", "loss")]
        ends = [Value(f"{seen.titled(row.lineup)[1 - seat]} ({100 * row.value:.1f})") for row in (own[-1], own[0])]
        rows.append(Row(names[slug], [*map(_hundredths, parts), *ends]))
    rows.sort(key=lambda row: -sign * float(row.cells[0].key or 0))
    first = seen.seats[0]
    about = f"Means over all lineups, in hundredths, the strongest first; win and loss are those of the {first}."
    return Grid(about, [upper(seen.seats[seat]), "value", "win", "draw", "loss", "best against", "worst against"], rows)


def _worth(seen: Solved, seat: int, move: str) -> float:
    return float(np.mean([row.worth[move][seat] for row in seen.rows]))


def _moves_title(seen: Solved) -> str:
    """Which card matters most to each side."""
    best = [max(seen.rows[0].worth, key=partial(_worth, seen, seat)) for seat in range(2)]
    parts = [f"{words(move)} to the {name}" for move, name in zip(best, seen.seats, strict=True)]
    return f"The card that is worth most is {listed(parts)}"


def _moves(seen: Solved) -> Grid:
    """What each card is worth to each side, over all lineups."""
    rows = []
    for move in seen.rows[0].worth:
        cells = []
        for seat in range(2):
            parts = [row.worth[move][seat] for row in seen.rows]
            many, best = sum(part > 0 for part in parts), int(np.argmax(parts))
            where = Value(f"{100 * parts[best]:.1f}: {seen.versus(seen.rows[best].lineup)}" if many else "-")
            cells += [_hundredths(_worth(seen, seat, move)), count_of(many), where]
        rows.append(Row(words(move), cells))
    heads = [head for seat in seen.seats for head in (f"worth to the {seat}", f"lineups ({seat})", f"most ({seat})")]
    about = (
        "The value with a card less the value without it, in hundredths, on average over all lineups; in how many "
        "lineups it is worth anything; and where most."
    )
    return Grid(about, ["Card", *heads], rows)


def _numbers_grid(seen: Solved) -> Grid:
    """The strongest printed numbers."""
    rows = [
        Row(
            one.path,
            [
                Value(f"{one.was} to {one.was + 1}", key=one.was),
                _points(one.adds),
                count_of(one.lineups),
                Value(f"{100 * one.most:+.1f}: {seen.versus(one.where)}".replace("-", "\u2212")),
            ],
        )
        for one in seen.numbers[:NUMBERS_SHOWN]
        if abs(one.adds) > 0
    ]
    about = (
        f"What one more of a printed number adds to the value for the {seen.seats[0]}, in hundredths, on average over "
        "the lineups with its card; how many these are; and where it adds or takes away most."
    )
    return Grid(about, ["Number", "change", "adds", "lineups", "most"], rows)


def _numbers_note(seen: Solved) -> str:
    idle = sum(one.adds == 0 and one.most == 0 for one in seen.numbers)
    return (
        f"Of {len(seen.numbers):,} printed numbers on the cards that meet, {idle:,} change no value when they are one "
        f"higher. The strongest are here, {NUMBERS_SHOWN} at most; numbers.csv has all."
    )


def _cells(seen: Solved) -> Grid:
    """Every lineup."""
    rows = [
        Row(
            seen.versus(row.lineup),
            [*(_hundredths(getattr(row, end)) for end in ("value", "win", "draw", "loss")), count_of(row.states)],
        )
        for row in seen.rows
    ]
    about = f"Value, and chances of the {seen.seats[0]}, in hundredths, at best play of both; states that were solved."
    return Grid(about, ["Lineup", "value", "win", "draw", "loss", "states"], rows)


def _made(seen: Solved, asked: str) -> Iterator[dict[str, str]]:
    """What the numbers rest on."""
    solving = seen.solving
    yield term("command", asked)
    yield term("game", f"{solving.game.title} ({solving.game.name})")
    yield term("pack", f"{solving.pack.title} ({solving.pack.name}), digest {solving.pack.digest[:12]}")
    for setting in solving.game.settings:
        yield term(setting.name, f"{solving.settings[setting.name]}: {setting.about}")
    yield term("value", worded(solving.prices))
    states, mixed = (sum(getattr(row, name) for row in seen.rows) for name in ("states", "mixed"))
    yield term("states", f"{states:,} solved; in {mixed:,} of them the best play is by chance")


# ---------------------------------------------------------------- data


def _values(seen: Solved) -> Iterator[Mapping[str, Any]]:
    """A row a lineup: who sits where, its numbers, and what each card is worth to each side."""
    seats = [name.replace(" ", "_") for name in seen.seats]
    for row in seen.rows:
        own = {name: getattr(row, name) for name in ("value", "win", "draw", "loss", "states", "mixed", "gap")}
        worth = {
            f"{move}_{seat}": part for move, pair in row.worth.items() for seat, part in zip(seats, pair, strict=True)
        }
        yield dict(zip(seats, row.lineup, strict=True)) | own | worth


def _numbers(numbers: Iterable[Shift]) -> Iterator[Mapping[str, Any]]:
    """A row a printed number."""
    for one in numbers:
        yield asdict(one) | {"where": " vs ".join(one.where)}
