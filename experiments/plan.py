"""From a config to cells, and from cells to chunks of games.

A cell is one lineup at one point of the sweep, if there is a sweep, and in one variant. Its id is made from
everything that decides its numbers, so that two runs with a cell in common have it under the same id, and its games
are the same to the byte.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from experiments.config import MOST_GAMES, Config, Setup
from experiments.pairs import members_seats
from experiments.parts import Changes, changes_named, leaves
from experiments.worlds import World
from simcore import loaded
from simcore.game import Game, Tables
from simcore.kernels import sources
from simcore.packs import covers
from simcore.streams import root


@dataclass(frozen=True)
class Cell:
    """One lineup: `lineup` holds a role's slug for each seat ("" for an empty one), `games` how many it gets (whole
    blocks of seatings).

    `group` (0..2^64-1) parts the dice of this lineup from those of others; bots and card values of the config are not
    in it, and those of a sweep's point only where its points don't have common dice. A variant's cell shares its dice
    with its baseline. point: the place of the sweep's point, 0 where there is no sweep; variant: its name, "" for the
    baseline.
    """

    id: str
    name: str
    lineup: tuple[str, ...]
    games: int
    group: int
    point: int = 0
    variant: str = ""

    @property
    def seated(self) -> list[tuple[int, str]]:
        """(place in the lineup, slug) of each member; an empty seat is nobody."""
        return [(member, slug) for member, slug in enumerate(self.lineup) if slug]


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

    def world(self, cell: Cell) -> World:
        """What a cell is played in."""
        return self.setup.world(cell.point, cell.variant)

    def mirrored(self, cell: Cell) -> bool:
        """Whether a role sits at several seats of a side, so that a cell says nothing of who is stronger."""
        return any(len(set(slugs)) < len(slugs) for slugs in _by_side(self.setup.game, cell.lineup))

    def paired(self, cell: Cell) -> bool:
        """Whether a cell's games are compared with others on the same dice."""
        return self.setup.paired(cell.point, cell.variant)

    def tables(self, cell: Cell) -> Tables:
        """The tables that a cell is played with."""
        return self.world(cell).tables

    def seats(self, cell: Cell) -> Any:
        """The seatings of a cell, as `simcore.game.play` takes them."""
        return self.setup.seats(self.world(cell), cell.lineup)

    @cached_property
    def slices(self) -> tuple[tuple[int, str], ...]:
        """The points and variants that there are cells of, in order."""
        return tuple(dict.fromkeys((cell.point, cell.variant) for cell in self.cells))

    def slice(self, point: int, variant: str) -> list[Cell]:
        """The cells of a point and a variant."""
        return [cell for cell in self.cells if (cell.point, cell.variant) == (point, variant)]

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many sit down in one cell or another, the fewest first."""
        return tuple(sorted({len(cell.seated) for cell in self.cells}))

    def of_size(self, size: int) -> Plan:
        """The plan with the cells alone in which so many sit down."""
        return replace(self, cells=tuple(cell for cell in self.cells if len(cell.seated) == size))

    @cached_property
    def front(self) -> tuple[Cell, ...]:
        """The cells whose games are independent of one another: no variants and, with common dice, one point alone; and
        no mirror matches.
        """
        points = {0} if self.setup.config.run.common_dice else {point for point, _ in self.slices}
        own = (cell for cell in self.cells if not cell.variant and cell.point in points)
        return tuple(cell for cell in own if not self.mirrored(cell))

    def places(self, cell: Cell) -> Any:
        """Where each member of a cell's lineup sits in each seating: int64[seating, member]."""
        size = len(cell.seated)
        if size not in self._places:
            self._places[size] = members_seats(self.setup.seats(self.setup.worlds.base, cell.lineup))
        return self._places[size]

    @cached_property
    def _places(self) -> dict[int, Any]:
        """`places` by how many sit down: all lineups of one size turn alike."""
        return {}

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
    """The cells of a checked config: at every point and in every variant, every choice of roles of a side with every
    one of the other sides.
    """
    lineups, block = setup.dealt.lineups, setup.block
    games, notes = _games(setup, block)
    notes += setup.swept.notes + setup.dealt.notes
    cells = tuple(_cells(setup, lineups, games))
    slices = list(dict.fromkeys((cell.point, cell.variant) for cell in cells))
    # a sweep with common dice and variants that set the same have the same cells, but not the same pairs
    content = [code_of(setup.game), games, [cell.id for cell in cells], *_stops(setup), *slices[1:]]
    content += ["keep_games"] * setup.config.runner.keep_games  # so that a run has the rows of all of its games
    return Plan(_digest(content)[:8], setup, cells, block, notes)


def _stops(setup: Setup) -> list[Any]:
    """What decides when a run stops, where it does so by itself."""
    games, verdict = setup.config.games, setup.config.verdict
    judged = verdict.model_dump(mode="json", exclude={"exact"})
    return [games.model_dump(mode="json", exclude={"chunk"}), judged] if games.stops else []


def decides(config: Config, path: str) -> bool:
    """Whether a value of a config decides what is played or kept, not only what it is called and how it is judged."""
    words = ["title", "question", "pack", "runner.backend", "games.chunk"]
    words += [] if config.games.stops else ["verdict"]
    return not any(covers(word, path) for word in words)


def asked_of(setup: Setup) -> str:
    """A digest of all that decides the plan of a set-up: two with the same have the same numbers, whatever they are
    called and however they are judged and played.
    """
    config = setup.config
    values = leaves(config.model_dump(mode="json", exclude={"changes"}))
    asked = {path: value for path, value in values if decides(config, path)}
    order = {kind: list(cards) for kind, cards in setup.pack.cards.items()}
    return _digest([code_of(setup.game), asked, setup.pack.digest, order])


def replan(setup: Setup, plan_id: str, cells: Iterable[Cell]) -> Plan:
    """The plan of a run whose cells are known."""
    block = setup.block
    return Plan(plan_id, setup, tuple(cells), block, _games(setup, block)[1] + setup.swept.notes + setup.dealt.notes)


def _games(setup: Setup, block: int) -> tuple[int, tuple[str, ...]]:
    """How many games a cell gets, and what is to be said of it."""
    asked = setup.config.games.per_cell
    if asked is None:
        most = setup.config.games.at_most or MOST_GAMES
        return -(-most // block) * block, ()
    games = -(-asked // block) * block
    if games == asked:
        return games, ()
    return games, (f"{games:,} games a cell: {asked:,} rounded up to whole blocks of {block} seatings",)


def code_of(game: Game) -> str:
    """The fingerprint of the code that decides a game's numbers: of its meaning, not of comments, docstrings and
    layout.
    """
    return _code(tuple(sources(game.package)))


@cache
def _code(paths: tuple[Path, ...]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.name.encode() + b"\0" + bare_code(loaded.text(path).decode("utf-8")).encode() + b"\0")
    return digest.hexdigest()[:16]


def bare_code(text: str) -> str:
    """Python source without comments, docstrings and layout."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [one for one in node.body if not _is_text(one)] or [ast.Pass()]
    return ast.unparse(tree)


def _is_text(node: ast.stmt) -> bool:
    """Whether a statement is a text and nothing else, as a docstring is."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def group_of(game: Game, lineup: Sequence[str], point: Changes = (), ring: bool = False) -> int:
    """The group of a lineup's dice: the first 8 bytes of a hash of the game, of who sits on each side (and in which
    order, of a ring that isn't in the order of the slugs), and of the point of a sweep whose points have dice of their
    own.
    """
    content: list[Any] = [game.name, _by_side(game, lineup)]
    order = [slug for slug in lineup if slug]
    turned = [order[i:] + order[:i] for i in range(len(order))] if ring else []
    content += [min(turned)] if turned and content[1] != [min(turned)] else []
    return int(_digest(content + ([sorted(point)] if point else []))[:16], 16)


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


def _cells(setup: Setup, lineups: Sequence[tuple[str, ...]], games: int) -> Iterator[Cell]:
    """All cells, point by point and variant by variant, so that those which share a world are together."""
    config, names = setup.config, [_name(setup.game, lineup) for lineup in lineups]
    for place, point in enumerate(setup.points):
        apart = () if config.run.common_dice else point
        groups = [group_of(setup.game, lineup, apart, setup.rings) for lineup in lineups]
        for variant in ("", *(one.name for one in config.variant)):
            decides = _decides(setup, place, variant)
            told = ", ".join(filter(None, [changes_named(point), variant]))
            for lineup, name, group in zip(lineups, names, groups, strict=True):
                cell = _digest({**decides, "lineup": lineup} | ({"group": group} if apart else {}))[:12]
                yield Cell(cell, f"{name} [{told}]" if told else name, lineup, games, group, place, variant)


def _decides(setup: Setup, point: int, variant: str) -> Mapping[str, Any]:
    """What decides the numbers of the cells of a point and variant, but for who sits there."""
    config, world, base = setup.config, setup.world(point, variant), setup.base(point, variant)
    return {
        "game": config.game,
        "bots": world.bots,
        "settings": world.settings,
        "rotate": config.run.rotate,
        "pack": world.digest,
        "seed": config.seed,
        **({"beside": [base.bots, base.settings, base.digest]} if base else {}),
    }


def _by_side(game: Game, lineup: Sequence[str]) -> list[list[str]]:
    """The slugs of each side, sorted within it; an empty seat is nobody."""
    sides, start = [], 0
    for side in game.sides:
        sides.append(sorted(slug for slug in lineup[start : start + side.seats] if slug))
        start += side.seats
    return sides


def _name(game: Game, lineup: Sequence[str]) -> str:
    """As in "mel_gearson vs scrap_hound"; allies are joined by "+", rivals of one side by "vs"."""
    parts, start = [], 0
    for side in game.sides:
        seated = [slug for slug in lineup[start : start + side.seats] if slug]
        parts += seated if game.rivals else [" + ".join(seated)]
        start += side.seats
    return " vs ".join(parts)


def _digest(content: Any) -> str:
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
