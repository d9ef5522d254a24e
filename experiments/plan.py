"""From a config to cells, and from cells to chunks of games.

A cell is one lineup with its bots. Its id is made from everything that decides its numbers, so that two runs
with a cell in common have it under the same id, and its games are the same to the byte.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Any

from experiments.config import ALL, Setup
from simcore.game import Game, Tables, seatings
from simcore.kernels import fingerprint, sources
from simcore.streams import root


@dataclass(frozen=True)
class Cell:
    """One lineup: `lineup` holds a role's slug for each seat, `games` how many it gets (whole blocks of
    seatings).

    `group` (0..2^64-1) parts the dice of this lineup from those of others; bots and card values are not in
    it, so that variants of a cell share their dice.
    """

    id: str
    name: str
    lineup: tuple[str, ...]
    games: int
    group: int


@dataclass(frozen=True)
class Plan:
    """What a run plays: cells in order, `seatings` (how many a lineup has), and `notes` for people."""

    id: str
    setup: Setup = field(repr=False)
    cells: tuple[Cell, ...] = field(repr=False)
    seatings: int
    notes: tuple[str, ...]

    @property
    def games(self) -> int:
        """All games of the plan."""
        return sum(cell.games for cell in self.cells)

    def seats(self, cell: Cell) -> Any:
        """The seatings of a cell, as `simcore.game.play` takes them."""
        setup = self.setup
        rotate = setup.config.run.rotate
        return seatings(setup.game, setup.tables, cell.lineup, setup.config.bots, rotate)

    def root(self, cell: Cell) -> int:
        """The key of a cell's games."""
        return root(self.setup.config.seed, cell.group)

    def find(self, cell: str) -> Cell:
        """A cell by its id, the start of its id, or its name. Raises KeyError if none or several fit."""
        fits = [one for one in self.cells if cell in (one.id, one.name)]
        fits = fits or [one for one in self.cells if cell and one.id.startswith(cell)]
        if len(fits) != 1:
            raise KeyError(cell)
        return fits[0]


def make_plan(setup: Setup) -> Plan:
    """The cells of a checked config: every choice of roles of a side with every one of the other sides."""
    config, game, tables = setup.config, setup.game, setup.tables
    lineups = list(_lineups(setup))
    block = len(seatings(game, tables, lineups[0], config.bots, config.run.rotate))
    games = -(-config.games.per_cell // block) * block
    notes = []
    if games != config.games.per_cell:
        asked = f"{config.games.per_cell:,} rounded up to whole blocks of {block} seatings"
        notes.append(f"{games:,} games a cell: {asked}")
    cells = tuple(_cell(setup, lineup, games) for lineup in lineups)
    content = [code_of(game), games, [cell.id for cell in cells]]
    return Plan(_digest(content)[:8], setup, cells, block, tuple(notes))


def code_of(game: Game) -> str:
    """The fingerprint of the code that decides a game's numbers."""
    return fingerprint(sources(game.package))


def group_of(game: Game, lineup: Sequence[str]) -> int:
    """The group of a lineup's dice: the first 8 bytes of a hash of the game and of who sits on each side."""
    return int(_digest([game.name, _by_side(game, lineup)])[:16], 16)


def cuts(first: int, stop: int, size: int) -> Iterator[tuple[int, int]]:
    """[first, stop) in ranges that end at multiples of `size` (1 or more)."""
    while first < stop:
        end = min(stop, (first // size + 1) * size)
        yield first, end
        first = end


def gaps(done: Iterable[tuple[int, int]], games: int) -> Iterator[tuple[int, int]]:
    """The ranges of [0, games) that the sorted, disjoint ranges in `done` leave open."""
    at = 0
    for first, stop in done:
        if first > at:
            yield at, first
        at = stop
    if at < games:
        yield at, games


def _lineups(setup: Setup) -> Iterator[tuple[str, ...]]:
    """Roles in the order of the pack, so that a list written in another order means the same cells.

    Without rotation the order of a list is the order of the seats, and stays.
    """
    config, sides = setup.config, []
    for side in setup.game.sides:
        chosen, known = config.lineup[side.key], roles_of(setup.tables, side.key)
        if ALL in chosen:
            chosen = known
        elif config.run.rotate != "none":
            chosen = tuple(slug for slug in known if slug in chosen)
        sides.append(combinations(chosen, side.seats))
    for parts in product(*sides):
        yield tuple(slug for part in parts for slug in part)


def roles_of(tables: Tables, side: str) -> tuple[str, ...]:
    """The slugs of a side's roles, in the order of the pack."""
    return tuple(role.slug for role in tables.roles[side])


def _cell(setup: Setup, lineup: tuple[str, ...], games: int) -> Cell:
    config = setup.config
    decides: Mapping[str, Any] = {
        "game": config.game,
        "lineup": lineup,
        "bots": config.bots,
        "settings": config.table,
        "rotate": config.run.rotate,
        "pack": setup.pack.digest,
        "seed": config.seed,
    }
    group = group_of(setup.game, lineup)
    return Cell(_digest(decides)[:12], _name(setup.game, lineup), lineup, games, group)


def _by_side(game: Game, lineup: Sequence[str]) -> list[list[str]]:
    """The slugs of each side, sorted within it."""
    sides, start = [], 0
    for side in game.sides:
        sides.append(sorted(lineup[start : start + side.seats]))
        start += side.seats
    return sides


def _name(game: Game, lineup: Sequence[str]) -> str:
    """As in "mel_gearson vs scrap_hound"; allies are joined by "+", rivals of one side by "vs"."""
    if len(game.sides) == 1:
        return " vs ".join(lineup)
    parts, start = [], 0
    for side in game.sides:
        parts.append(" + ".join(lineup[start : start + side.seats]))
        start += side.seats
    return " vs ".join(parts)


def _digest(content: Any) -> str:
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
