"""What a cell is played in: the base of a config, or that with some values changed by a point of a sweep or a variant.

A sweep may have thousands of points. Tables of a changed pack differ from the base's in few numbers, so that no more
than these are kept of each.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from experiments.parts import Changes, changes_named, toml_value
from simcore.game import Game, Setting, Tables, seatings
from simcore.packs import Mistake, Mistakes, Pack, nearest, shown

BOTS, TABLE = "bots", "table"
OPEN = 32
"""Tables that are held ready."""

TOLD = 20
"""Mistakes of points that are told; more of them are counted."""

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class World:
    """A bot for each side's bot key, the settings of the table, the pack's digest and the tables made from it."""

    bots: dict[str, str]
    settings: dict[str, int]
    digest: str
    tables: Tables

    def seats(self, game: Game, lineup: Sequence[str], rotate: str) -> Any:
        """The seatings of a lineup with the bots of this world, each once."""
        return seatings(game, self.tables, lineup, self.bots, rotate)


@dataclass(frozen=True)
class _Kept:
    """A world without its tables' numbers: they are the base's, but for `values` at the places `at`."""

    world: World
    at: Numbers
    values: Numbers


class Worlds:
    """All worlds of a run, made when asked for. Threads may share one."""

    def __init__(self, game: Game, pack: Pack, tables: Tables, bots: Mapping[str, str], settings: Mapping[str, int]):
        """The base: `tables` are those of `pack` and `settings`."""
        self.game, self.pack = game, pack
        self.base = World(dict(bots), dict(settings), pack.digest, tables)
        self._kept: dict[str, _Kept] = {}
        self._ready: OrderedDict[str, World] = OrderedDict()
        self._lock = threading.RLock()

    def of(self, changes: Changes = ()) -> World:
        """The world with some changes. Raises Mistakes with all that is wrong in them."""
        if not changes:
            return self.base
        key = repr(changes)
        with self._lock:
            world = self._ready.pop(key, None) or self._open(key, changes)
            self._ready[key] = world
            if len(self._ready) > OPEN:
                self._ready.popitem(last=False)
            return world

    @cached_property
    def _numbers(self) -> Numbers:
        return _numbers(self.base.tables)

    def bots(self, changes: Changes) -> dict[str, str]:
        """The bots of a world, which take no tables to know."""
        return self.base.bots | _named(changes, BOTS)

    def pack_of(self, changes: Changes) -> Pack:
        """The pack of a world, its origins with it. Raises Mistakes."""
        sets = {path: toml_value(value) for path, value in changes if _head(path) not in (BOTS, TABLE)}
        return self.pack.changed(sets) if sets else self.pack

    def _open(self, key: str, changes: Changes) -> World:
        if key not in self._kept:
            self._kept[key] = self._keep(changes)
        kept, whole = self._kept[key], self._numbers.copy()
        whole[kept.at] = kept.values
        data = whole.view(self.base.tables.data.dtype)[0]
        return replace(kept.world, tables=replace(kept.world.tables, data=data))

    def _keep(self, changes: Changes) -> _Kept:
        """Make a world for the first time, and note how its tables differ from the base's."""
        wrong = [mistake for path, value in changes for mistake in self._named_wrong(path, value)]
        settings = self.base.settings | (_named(changes, TABLE) if not wrong else {})
        try:
            pack = self.pack_of(changes)
            tables = self.game.load(pack, settings)
        except Mistakes as found:
            raise Mistakes([*wrong, *found.mistakes]) from None
        wrong += self._others_wrong(tables, changes)
        if wrong:
            raise Mistakes(wrong)
        numbers, base = _numbers(tables), self._numbers
        at = np.flatnonzero(numbers != base)
        names = Tables(None, *_shared(tables, self.base.tables))
        return _Kept(World(self.bots(changes), settings, pack.digest, names), at, numbers[at])

    def _others_wrong(self, tables: Tables, changes: Changes) -> Iterable[Mistake]:
        """Changes by which others can sit down, or a role's name alone means another version: lineups are made once."""
        for side in self.game.sides:
            ours, theirs = (
                [(role.slug, role.usual) for role in one.roles[side.key]] for one in (self.base.tables, tables)
            )
            if ours != theirs:
                wrong = f"changes which {side.key} there are, or which version of a role its name alone means"
                allowed = "the same for all lineups; [lineup] can name each version, as in role/version"
                yield Mistake(", ".join(path for path, _ in changes), wrong, allowed)

    def _named_wrong(self, path: str, value: Any) -> Iterable[Mistake]:
        """What is wrong with a change of a bot or of a setting."""
        head, _, name = path.partition(".")
        known: dict[str, Setting | None] = {}
        if head == BOTS:
            known = {side.bot: None for side in self.game.sides}
            bots = self.base.tables.bots
            if name in known and value not in bots:
                wrong = f"is {shown(value)}, which is no bot of {self.game.name}"
                yield Mistake(path, wrong, ", ".join(bots), nearest(str(value), bots))
        elif head == TABLE:
            known = {setting.name: setting for setting in self.game.settings}
            setting = known.get(name)
            if setting and not (type(value) is int and setting.low <= value <= setting.high):
                yield Mistake(path, f"is {shown(value)}", f"a whole number from {setting.low} to {setting.high}")
        if head in (BOTS, TABLE) and name not in known:
            yield Mistake(path, "is unknown", ", ".join(known), nearest(name, known))


def points_wrong(worlds: Worlds, points: Iterable[Changes]) -> list[Mistake]:
    """All that is wrong in the worlds of some points, each mistake once, with the points that it is in."""
    found: dict[Mistake, list[Changes]] = {}
    for changes in points:
        try:
            worlds.of(changes)
        except Mistakes as wrong:
            for mistake in wrong.mistakes:
                found.setdefault(mistake, []).append(changes)
    told = [_told(mistake, where) for mistake, where in list(found.items())[:TOLD]]
    more = len(found) - len(told)
    return told + ([Mistake("", f"{more:,} more mistakes are in other points")] if more else [])


def _told(mistake: Mistake, points: list[Changes]) -> Mistake:
    """A mistake with the points that it is in, where that isn't clear."""
    if len(points) == 1 and len(points[0]) == 1:
        return mistake
    others = f" and {len(points) - 1:,} more" if len(points) > 1 else ""
    wrong = f"{mistake.wrong} (at the point {changes_named(points[0])}{others})"
    return Mistake(mistake.where, wrong, mistake.allowed, mistake.nearest)


def _named(changes: Changes, head: str) -> dict[str, Any]:
    """The changes of bots or of settings, by name."""
    return {path.partition(".")[2]: value for path, value in changes if _head(path) == head}


def _head(path: str) -> str:
    return path.partition(".")[0]


def _numbers(tables: Tables) -> Numbers:
    """All numbers of a table's record, a copy."""
    return np.frombuffer(tables.data.tobytes(), np.int64).copy()


def _shared(tables: Tables, base: Tables) -> tuple[Any, Any, Any]:
    """The names of tables: the base's own objects where they are equal, so that many worlds need little memory."""
    pairs = (tables.roles, base.roles), (tables.bots, base.bots), (tables.titles, base.titles)
    roles, bots, titles = (old if new == old else new for new, old in pairs)
    return roles, bots, titles
