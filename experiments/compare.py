"""Two runs of one game beside each other: what they were asked otherwise, and what that changed.

Cells that have a lineup, its seatings, the seed and so the dice in common are played again in pairs, as a variant is
beside its baseline: with the cards, bots and table that each run's ledger holds. Where there is no such cell, or a run
was played by other code, the numbers of the two ledgers are compared as those of independent runs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from experiments import stats
from experiments.both import Both, Slice
from experiments.config import Games, RunnerOptions
from experiments.contrasts import at, told
from experiments.differing import setups_differ
from experiments.ledger import Ledger, Run, Trouble
from experiments.pages import listed
from experiments.pairs import FIRST
from experiments.parts import changes_named
from experiments.plan import Cell, Plan
from experiments.ready import Scheduler
from experiments.runner import Progress, execute
from experiments.stopping import values_of
from experiments.terminal import command
from simcore.packs import Mistake, Mistakes

FIELD = stats.FIELD
SAME_LINEUPS, ALL_LINEUPS = "the lineups that both have", "all lineups of each"


class Match(NamedTuple):
    """Two cells with the same dice and the same seatings."""

    ours: Cell
    theirs: Cell


class Changed(NamedTuple):
    """A game that gave somebody another share: its number and its cells."""

    game: int
    match: Match


@dataclass(frozen=True)
class Part:
    """What came of a point and variant that both runs have, at tables of a size where they have several (else 0).

    matches: the cells that were played in pairs; rows: those of a summary, pooled over the field, with the measures
    difference, saved and changed_rate of paired games; apart: of roles that no paired game has, side, role, ours,
    theirs, value, low, high, games_ours, games_theirs, over (which lineups).
    """

    key: Slice
    size: int
    name: str
    matches: Sequence[Match]
    rows: pd.DataFrame
    apart: pd.DataFrame
    changed: Sequence[Changed]


@dataclass(frozen=True)
class Comparison:
    """Two runs of one game, `ours` and `theirs`. Raises Mistakes for runs of two games, or with nothing in common."""

    ours: Run
    theirs: Run

    def __post_init__(self) -> None:
        if self.ours.game.name != self.theirs.game.name:
            wrong = f"is a run of {self.theirs.game.name}"
            raise Mistakes([Mistake(str(self.theirs.folder), wrong, f"one of {self.ours.game.name}, as the first is")])
        if not self.slices:
            wrong = "has no point of a sweep in common with the first run"
            raise Mistakes([Mistake(str(self.theirs.folder), wrong, "a run with the same points, or both without")])

    @cached_property
    def slices(self) -> dict[Slice, Slice]:
        """The points and variants that both have, by what the point sets and what the variant is called."""
        known = {_named(self.theirs.plan, *key): key for key in self.theirs.plan.slices}
        pairs = ((key, known.get(_named(self.ours.plan, *key))) for key in self.ours.plan.slices)
        return {ours: theirs for ours, theirs in pairs if theirs is not None}

    @cached_property
    def apart(self) -> list[str]:
        """Why no game of the two runs can be played in pairs, in words; nothing where games may be."""
        ours, theirs = self.ours, self.theirs
        other = dict.fromkeys(str(run.folder) for run in (ours, theirs) if not run.same_code)
        told = [f"{folder} was played by other code: its games can't be played again as they were" for folder in other]
        if ours.config.seed != theirs.config.seed:
            told.append(f"their seeds differ, {ours.config.seed} and {theirs.config.seed}, and with them all dice")
        ways = [run.config.run.rotate for run in (ours, theirs)]
        if ways[0] != ways[1] and max(ours.plan.seatings, theirs.plan.seatings) > 1:
            told.append(f"they seat a lineup otherwise: run.rotate is {ways[0]} and {ways[1]}")
        if not told and not self.matches:
            told.append("they have no lineup in common that has the same dice in both")
        return told

    @cached_property
    def matches(self) -> list[Match]:
        """All cells that have the same lineup and the same dice."""
        theirs = {(cell.point, cell.variant, *self._dice(self.theirs, cell)): cell for cell in self.theirs.plan.cells}
        found = []
        for cell in self.ours.plan.cells:
            other = self.slices.get((cell.point, cell.variant))
            twin = theirs.get((*other, *self._dice(self.ours, cell))) if other else None
            found += [Match(cell, twin)] if twin else []
        return found

    @staticmethod
    def _dice(run: Run, cell: Cell) -> tuple[int, tuple[str, ...]]:
        return run.plan.root(cell), cell.lineup

    def parts(
        self, games: int | None, jobs: int, progress: Progress, scheduler: Scheduler | None = None
    ) -> list[Part] | None:
        """What came of each point and variant; None where it was stopped.

        games: of each lineup, at most; as many as both have played by default. scheduler: that of a cluster that plays.
        """
        matches = [] if self.apart else self.matches
        run = self._paired_run(matches, games) if matches else None
        if run and not execute(run, jobs, progress, scheduler):
            return None
        tables = dict[int, pd.DataFrame]()
        if run:
            self._must_agree(run, matches)
            found = stats.parts(run, stats.summary(run))
            tables = {part.size or (self.sizes[0] and run.plan.sizes[0]): part.table for part in found}
        return [self._part(key, size, run, tables, matches) for key in self.slices for size in self.sizes]

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of tables that both have, each compared by itself; 0 alone where all are compared together."""
        ours, theirs = (set(run.plan.sizes) for run in (self.ours, self.theirs))
        return tuple(sorted(ours & theirs)) if self.ours.game.rivals and len(ours | theirs) > 1 else (0,)

    def _paired_run(self, matches: Sequence[Match], games: int | None) -> Run:
        """A run of which nothing is kept: the partner's games, compared with ours."""
        most = self._limits(games)
        cells = tuple(replace(match.ours, games=most[match.ours.id]) for match in matches)
        setup = self.ours.plan.setup
        played = {"games": Games(per_cell=max(most.values())), "runner": RunnerOptions()}
        config = setup.config.model_copy(update=played)
        both = Both.of_two(setup, self.theirs.plan.setup, self.slices, config=config)
        plan = Plan(self.ours.plan.id, both, cells, self.ours.plan.seatings, ())
        return Run(self.ours.folder, plan, self.ours.manifest, Ledger.in_memory(self.ours.folder, {}, cells))

    def _limits(self, games: int | None) -> dict[str, int]:
        """How many games of each of our cells are played in pairs: in whole blocks, and as many in all cells of a point
        and variant, so that all count alike.
        """
        ours, theirs = self.ours.goals, self.theirs.goals
        most: dict[Slice, int] = {}
        for cell, twin in self.matches:
            key, both = (cell.point, cell.variant), min(ours[cell.id] or 0, theirs[twin.id] or 0)
            most[key] = min(most.get(key, both), both)
        block = self.ours.plan.seatings
        limit = math.inf if games is None else -(-games // block) * block
        return {cell.id: int(min(limit, most[cell.point, cell.variant])) for cell, _ in self.matches}

    def _must_agree(self, run: Run, matches: Sequence[Match]) -> None:
        """Trouble where games came out otherwise than a ledger has them."""
        for cell, match in zip(run.plan.cells, matches, strict=True):
            tally, pairs = run.counts(cell)
            wrong = list[Run]()
            if (0, cell.games) == _whole(self.theirs, match.theirs):
                same = tally.whole() == self.theirs.tally(match.theirs).whole()
                wrong += [] if same else [self.theirs]
            if (0, cell.games) == _whole(self.ours, match.ours):
                kept = values_of(self.ours, match.ours, self.ours.tally(match.ours)).sum(axis=0)
                same = all((pairs.joint(i).sum(axis=1) == counts).all() for i, counts in enumerate(kept))
                wrong += [] if same else [self.ours]
            for one in wrong:
                raise Trouble(f"games of {cell.name} come out otherwise than in {one.folder}: `wastelab verify` it")

    def _part(
        self, key: Slice, size: int, run: Run | None, tables: Mapping[int, pd.DataFrame], matches: Sequence[Match]
    ) -> Part:
        name = ", ".join(filter(None, [*_named(self.ours.plan, *key), stats.tables_of(size)]))
        own = [match for match in matches if (match.ours.point, match.ours.variant) == key]
        own = [match for match in own if size in (0, len(match.ours.seated))]
        if run is None or not own:
            return Part(key, size, name, [], pd.DataFrame(), self._unpaired(key, size, set()), [])
        rows = at(run, tables[size], *key)
        rows = rows[(rows.cell == FIELD) & rows.measure.isin(list(stats.OF_VARIANTS))]
        met = {(self.ours.game.side_of(i).key, slug) for match in own for i, slug in match.ours.seated}
        cells = {cell.id: cell for cell in run.plan.cells}
        changed = [Changed(game, match) for match in own for game in run.pairs(cells[match.ours.id]).first]
        changed.sort(key=lambda one: one.game)
        return Part(key, size, name, own, rows, self._unpaired(key, size, met), changed[:FIRST])

    # ------------------------------------------------------------ in words

    def games(self, games: int | None) -> int:
        """How many games are played in pairs."""
        return 0 if self.apart else sum(self._limits(games).values())

    def asked(self) -> Iterator[str]:
        """What differs between the runs, and whether their games are played in pairs, line by line."""
        for word, run in (("first ", self.ours), ("second", self.theirs)):
            yield f"{word}  {run.folder}: {run.config.title}, {run.games:,} games"
        found = list(setups_differ(self.ours.plan.setup, self.theirs.plan.setup))
        yield f"what differs: {len(found) or 'nothing'}"
        yield from (f"  {one.path}: {one.old} -> {one.new}" for one in found)
        for name in self.alone:
            yield f"only in one of them: {name}"
        yield from (f"unpaired: {why}" for why in self.apart)
        if not self.apart:
            most = sorted(set(self._limits(None).values()))
            many = " to ".join(f"{games:,}" for games in dict.fromkeys((most[0], most[-1])))
            cells = listed([f"{len(run.plan.cells):,}" for run in (self.ours, self.theirs)])
            yield f"paired: {len(self.matches):,} cells (of {cells}) have the same dice in both; {many} games of each"

    @cached_property
    def alone(self) -> list[str]:
        """Points, variants and sizes of tables that only one of the runs has, in words."""
        ours, theirs = (list(self._has(run)) for run in (self.ours, self.theirs))
        return [name for name in ours + theirs if (name in ours) != (name in theirs)]

    def _has(self, run: Run) -> Iterator[str]:
        """The points and variants of a run in words, and the sizes of its tables where these are compared apart."""
        for key in run.plan.slices:
            yield ", ".join(filter(None, _named(run.plan, *key))) or "the config as it is"
        yield from (stats.tables_of(size).lower() for size in run.plan.sizes if self.sizes != (0,))

    def told(self, part: Part) -> Iterator[str]:
        """A part in sentences."""
        if part.name:
            yield f"\n{part.name}"
        yield from told(part.rows) if len(part.rows) else ()

    def again(self, part: Part) -> Iterator[str]:
        """The commands that tell the first changed games, in both runs."""
        if part.changed:
            yield "The first games that gave somebody another share:"
        for one in part.changed:
            yield f"{one.match.ours.name}, game {one.game:,}:"
            yield from (f"  {line}" for line in self._commands(one))

    def _commands(self, one: Changed) -> list[str]:
        """The commands that tell a game in both runs."""
        pairs = (self.ours, one.match.ours), (self.theirs, one.match.theirs)
        return [command("replay", run.folder, "--cell", cell.id, "--game", one.game) for run, cell in pairs]

    def plain(self, parts: Sequence[Part], seconds: float) -> dict[str, Any]:
        """Everything as plain values for JSON."""
        differing = setups_differ(self.ours.plan.setup, self.theirs.plan.setup)
        return {
            "runs": [str(self.ours.folder), str(self.theirs.folder)],
            "paired": not self.apart,
            "unpaired": self.apart,
            "alone": self.alone,
            "seconds": seconds,
            "differs": [one._asdict() for one in differing],
            "rows": [row for part in parts for row in self._rows(part)],
            "changed": [
                {"cells": [cell.id for cell in one.match], "game": one.game, "replay": self._commands(one)}
                for part in parts
                for one in part.changed
            ],
        }

    def _rows(self, part: Part) -> Iterator[dict[str, Any]]:
        """The rows of a part as `stats.json_rows` has them: of paired games, and of roles without any."""
        key, field = part.key, stats.field_of(part.size) if part.size else FIELD
        whose = {"cell": field, "settings": dict(self.ours.plan.setup.points[key[0]]), "variant": key[1] or None}
        for row in stats.json_rows(self.ours, part.rows) if len(part.rows) else ():
            yield row | {"name": field} | whose
        for one in part.apart.to_dict("records"):
            numbers = {name: one[name] for name in ("side", "role", "value", "low", "high")}
            yield {
                "name": one["over"],
                **numbers,
                "measure": "difference",
                "interval": "newcombe",
                "games": [int(one["games_ours"]), int(one["games_theirs"])],
                **whose,
            }

    # ------------------------------------------------------------ unpaired

    def _unpaired(self, key: Slice, size: int, met: set[tuple[str, str]]) -> pd.DataFrame:
        """The shares of roles that both have and that are not in `met`: over the lineups that both have as far as there
        are any, else over all.
        """
        ours, theirs = (
            [cell for cell in cells if size in (0, len(cell.seated))]
            for cells in (self.ours.plan.slice(*key), self.theirs.plan.slice(*self.slices[key]))
        )
        shared = {cell.lineup for cell in ours} & {cell.lineup for cell in theirs}
        found = list[pd.DataFrame]()
        for over, lineups in ((SAME_LINEUPS, shared), (ALL_LINEUPS, None)):
            chosen = [[c for c in cells if lineups is None or c.lineup in lineups] for cells in (ours, theirs)]
            open_roles = _roles(self.ours, chosen[0]) & _roles(self.theirs, chosen[1]) - met
            if open_roles:
                gaps = _gaps(_shares(self.ours, chosen[0]), _shares(self.theirs, chosen[1]))
                keep = [who in open_roles for who in zip(gaps.side, gaps.role, strict=True)]
                found.append(gaps[keep].assign(over=over))
                met = met | open_roles
        return pd.concat(found, ignore_index=True) if found else pd.DataFrame()


def newcombe(first: Sequence[Any], second: Sequence[Any]) -> tuple[Any, Any]:
    """The interval of a difference of two independent numbers, second less first, each (value, low, high): (low, high).

    From their own intervals, of whatever kind (Newcombe 1998, method 10; Zou and Donner 2008); elementwise.
    """
    (p, p_low, p_high), (q, q_low, q_high) = (np.asarray(one, np.float64) for one in (first, second))
    low = q - p - np.sqrt((q - q_low) ** 2 + (p_high - p) ** 2)
    return low, q - p + np.sqrt((q_high - q) ** 2 + (p - p_low) ** 2)


def _named(plan: Plan, point: int, variant: str) -> tuple[str, str]:
    """A point and a variant in words that mean the same in any run."""
    return changes_named(tuple(sorted(plan.setup.points[point]))), variant


def _whole(run: Run, cell: Cell) -> tuple[int, int]:
    """The range of games that a ledger has of a cell."""
    parts = run.done(cell)
    return (parts[0][0], parts[-1][1]) if parts else (0, 0)


def _roles(run: Run, cells: Sequence[Cell]) -> set[tuple[str, str]]:
    """The roles of some cells that their verdicts are about, each with its side."""
    return {(run.game.side_of(i).key, slug) for cell in cells if not run.plan.mirrored(cell) for i, slug in cell.seated}


def _shares(run: Run, cells: Sequence[Cell]) -> pd.DataFrame:
    """The share of each role over some cells, by side and role."""
    table = stats.summary(replace(run, plan=replace(run.plan, cells=tuple(cells))))
    rows = table[(table.cell == FIELD) & (table.measure == "share")].dropna(subset="value")
    return rows.set_index(["side", "role"])[["value", "low", "high", "games"]]


def _gaps(ours: pd.DataFrame, theirs: pd.DataFrame) -> pd.DataFrame:
    """The differences of shares that both have."""
    both = ours.merge(theirs, left_index=True, right_index=True, suffixes=("_ours", "_theirs"))
    ends = [[both[f"{name}_{whose}"] for name in ("value", "low", "high")] for whose in ("ours", "theirs")]
    low, high = newcombe(*ends)
    found = both.reset_index()[["side", "role", "games_ours", "games_theirs"]]
    numbers = {"ours": both.value_ours, "theirs": both.value_theirs, "value": both.value_theirs - both.value_ours}
    return found.assign(**{name: list(column) for name, column in numbers.items()}, low=list(low), high=list(high))
