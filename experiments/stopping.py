"""Runs that decide by themselves how many games they need.

All cells of a point and variant are looked at together, at fixed numbers of games. At each look a role is *through*
when its rule holds: its share over the field is known to the precision asked for or, where none is asked for, its
verdict is clear. A cell goes on as long as one of its roles does; where shares are judged against the mean of the
field, every cell does, as the mean is of all. So at the look at which a role comes through, all of its cells have the
same number of games, and its numbers are those of that look, however far some of its cells went on for others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from experiments import sequences
from experiments.pairs import DRAWN, VALUES, drawn_endings
from experiments.plan import Cell, Plan
from simcore.game import SHARE, Game, Side, Tally

if TYPE_CHECKING:
    from experiments.ledger import Run
    from experiments.stats import Band

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

AT_MOST = 10**12
RULES = {
    "precision": "known to the precision that was asked for",
    "verdict": "its verdict was clear",
    "at_most": "it had the games that were allowed at most",
    "budget": "the time was spent",
}


class Who(NamedTuple):
    """A role at a point and in a variant."""

    point: int
    variant: str
    side: str
    role: str


class End(NamedTuple):
    """Where a role came through: games in each of its cells, by which of RULES, and its verdict."""

    games: int
    rule: str
    word: str


Ends = dict[Who, End]


def whose(game: Game, cell: Cell) -> list[Who]:
    """The roles of a cell, member by member of `Cell.seated`."""
    return [Who(cell.point, cell.variant, game.side_of(i).key, slug) for i, slug in cell.seated]


def looks_of(plan: Plan) -> list[int]:
    """The numbers of games at which the cells of a plan are looked at."""
    asked = plan.setup.config.games
    most = asked.at_most or AT_MOST
    return sequences.looks(
        plan.seatings, most, min(asked.at_least or asked.first_look, most), asked.first_look, asked.look_ratio
    )


def goals(plan: Plan, ends: Ends) -> dict[str, int | None]:
    """Cell id -> how many games it needs: None where one of its roles is not through yet."""
    game, found = plan.setup.game, dict[str, int | None]()
    whole = plan.setup.config.verdict.against == "field" and plan.setup.config.games.precision is None
    last: dict[tuple[int, str], int | None] = {}
    for cell in plan.cells:
        own = [ends.get(who) for who in whose(game, cell)]
        need = max(end.games for end in own if end) if all(own) else None
        found[cell.id] = need
        key = cell.point, cell.variant
        before = last.get(key, 0)
        last[key] = None if need is None or before is None else max(before, need)
    return {cell.id: last[cell.point, cell.variant] for cell in plan.cells} if whole else found


def verdicts_printed(plan: Plan) -> int:
    """How many verdicts a report prints: one for each role at each point and in each variant."""
    return len({who for cell in plan.cells for who in whose(plan.setup.game, cell)})


@dataclass(frozen=True)
class Look:
    """What is seen at a look: the tallies of some cells of one point and variant, all after as many games."""

    run: Run
    cells: Sequence[Cell]
    tallies: Sequence[Tally]
    games: int

    @classmethod
    def at(cls, run: Run, cells: Sequence[Cell], games: int) -> Look:
        """The cells of a run as they were after so many games each."""
        cells = [cell for cell in cells if not run.plan.mirrored(cell)]
        return cls(run, cells, [run.counts(cell, games)[0] for cell in cells], games)

    def through(self, open_roles: Sequence[Who], last: bool) -> Ends:
        """The roles that come through here; all of them if no further look is allowed."""
        alpha = sequences.ALPHA / verdicts_printed(self.run.plan)
        words, precise = self.words(open_roles, alpha), self._precise(open_roles, alpha)
        found = {}
        for who in open_roles:
            rule = "precision" if precise[who] else "at_most" if last else ""
            if self.run.config.games.precision is None and words[who] != "undecided":
                rule = "verdict"
            if rule:
                found[who] = End(self.games, rule, words[who])
        return found

    def words(self, roles: Sequence[Who], alpha: float) -> dict[Who, str]:
        """The verdict on each role's share over its cells."""
        found: dict[Who, str] = {}
        for side in self.run.game.sides:
            own = [who for who in roles if who.side == side.key]
            if not own:
                continue
            if self.run.config.verdict.against == "field":
                counts, edge = np.array([self.counts[who] for who in own]), self.run.config.verdict.tolerance
                low, high = sequences.gaps(counts, worth_of(self.run, side), self.field(side), alpha)
                found |= dict(zip(own, map(str, sequences.verdict(low, high, -edge, edge)), strict=True))
            else:
                inside, counts = self._band(side), np.array([self.counts[who] for who in own])
                seen = sequences.judge(counts, inside.least, inside.most, worth_of(self.run, side), alpha)
                found |= dict(zip(own, map(str, seen), strict=True))
        return found

    def to_go(self, roles: Sequence[Who]) -> dict[Who, float]:
        """About how many more games of each role, over all of its cells, would make its verdict clear: 0 where it is,
        NaN where no number would.
        """
        alpha = sequences.ALPHA / verdicts_printed(self.run.plan)
        verdict, found = self.run.config.verdict, dict[Who, float]()
        for side in self.run.game.sides:
            own = [who for who in roles if who.side == side.key]
            if own and verdict.against == "field":
                counts, worth = np.array([self.counts[who] for who in own]), worth_of(self.run, side)
                more = sequences.gap_games_to_go(counts, worth, self.field(side), verdict.tolerance, alpha)
                found |= dict(zip(own, more.tolist(), strict=True))
            elif own:
                inside, counts = self._band(side), np.array([self.counts[who] for who in own])
                many = sequences.games_to_go(counts, inside.least, inside.most, worth_of(self.run, side), alpha)
                found |= dict(zip(own, many.tolist(), strict=True))
        return found

    def _band(self, side: Side) -> Band:
        """What counts as balanced, where that is no matter of the field."""
        from experiments.stats import band

        return band(self.run, side, 0.5)

    def _precise(self, roles: Sequence[Who], alpha: float) -> Mapping[Who, bool]:
        """Whether each role's share is known to the precision asked for."""
        asked = self.run.config.games.precision
        found = dict.fromkeys(roles, False)
        if asked is None:
            return found
        for side in self.run.game.sides:
            own = [who for who in roles if who.side == side.key]
            if own:
                counts = np.array([self.counts[who] for who in own])
                low, high = sequences.interval(counts, worth_of(self.run, side), alpha)
                found |= dict(zip(own, ((high - low) / 2 <= asked).tolist(), strict=True))
        return found

    @cached_property
    def values(self) -> list[Ints]:
        """`values_of` of each cell."""
        return [values_of(self.run, *pair) for pair in zip(self.cells, self.tallies, strict=True)]

    @cached_property
    def counts(self) -> dict[Who, Ints]:
        """How many games gave each role each value of `pairs`, over all of its cells."""
        found: dict[Who, Ints] = {}
        for cell, values in zip(self.cells, self.values, strict=True):
            for who, (member, _) in zip(whose(self.run.game, cell), cell.seated, strict=True):
                found[who] = found.get(who, 0) + values[:, member].sum(axis=0)
        return found

    def roles(self, side: Side) -> list[str]:
        """The roles of a side that sit in the cells."""
        slugs = [slug for cell in self.cells for slug in _of_side(self.run.game, cell, side)]
        return list(dict.fromkeys(slugs))

    def field(self, side: Side) -> sequences.Field:
        """The mean of all of `roles`."""
        names = {"": -1} | {slug: place for place, slug in enumerate(self.roles(side))}
        seats = [i for i in range(self.run.game.players) if self.run.game.side_of(i) == side]
        members = np.array([[names[cell.lineup[i]] for i in seats] for cell in self.cells])
        total = np.array([values[:, seats].sum(axis=0) for values in self.values]) @ worth_of(self.run, side)
        return sequences.field_of(members, total, self.games, together=not self.run.game.rivals)


def _of_side(game: Game, cell: Cell, side: Side) -> Iterator[str]:
    return (slug for i, slug in cell.seated if game.side_of(i) == side)


def values_of(run: Run, cell: Cell, tally: Tally) -> Ints:
    """How many games of each seating gave each member of a cell's lineup each value of `pairs`: int64[seating, member,
    VALUES].
    """
    shares = np.take_along_axis(tally.shares, run.plan.places(cell)[..., None], axis=1)
    return with_draws(run.game, shares, tally.endings[:, None])


def with_draws(game: Game, shares: Ints, endings: Ints) -> Ints:
    """Counts of shares [..., 0..60] as counts of the values of `pairs`; endings [..., ending]: how the games ended."""
    draws = endings[..., drawn_endings(game)].sum(axis=-1)
    found = np.zeros((*shares.shape[:-1], VALUES), np.int64)
    found[..., : SHARE + 1] = shares
    found[..., SHARE // game.players] -= draws
    found[..., DRAWN] += draws
    return found


def worth_of(run: Run, side: Side) -> Floats:
    """What each value of `pairs` is worth to a side, 0..1: shares as they are, draws as [verdict] says."""
    draw = (SHARE // run.game.players) / SHARE
    if len(run.game.sides) == 2:
        first = run.config.verdict.draw_counts
        draw = first if side == run.game.sides[0] else 1 - first
    return np.append(np.arange(SHARE + 1) / SHARE, draw)


def look_at(run: Run, games: int, ends: Ends, last: bool) -> Ends:
    """The roles that come through at a look of so many games; all cells that go on must have them."""
    found: Ends = {}
    for point, variant in run.plan.slices:
        cells = run.plan.slice(point, variant)
        roles = dict.fromkeys(who for cell in cells for who in whose(run.game, cell))
        still = [who for who in roles if who not in ends]
        if still:
            chosen = [
                cell
                for cell in cells
                if run.config.verdict.against == "field" or set(whose(run.game, cell)) & set(still)
            ]
            found |= Look.at(run, chosen, games).through(still, last)
    return found


def to_go(run: Run) -> dict[Who, float]:
    """About how many more games each undecided role of a run that stopped itself needs: `Look.to_go` at its end."""
    groups: dict[tuple[int, str, int], list[Who]] = {}
    for who, end in run.ledger.ends().items():
        if end.word == "undecided":
            groups.setdefault((who.point, who.variant, end.games), []).append(who)
    found: dict[Who, float] = {}
    for (point, variant, games), roles in groups.items():
        whole = run.config.verdict.against == "field"
        cells = [c for c in run.plan.slice(point, variant) if whole or set(whose(run.game, c)) & set(roles)]
        found |= Look.at(run, cells, games).to_go(roles)
    return found
