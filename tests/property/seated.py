"""A table to play at, whichever the game: what is laid over its reference pack, its settings, and who sits there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from simcore import packs
from simcore.game import Game, Tables, play, role_place, seats_dtype
from simcore.kernels import blank
from tests.reference import reference


@dataclass(frozen=True)
class Seated:
    """`sets` are laid over the reference pack; `lineup`, `bots` by seat, "" for an empty chair. Of one side."""

    game: ClassVar[Game]
    sets: dict[str, str]
    settings: dict[str, int]
    lineup: tuple[str, ...]
    bots: tuple[str, ...]
    first: int
    root: int

    def pack(self) -> packs.Pack:
        """The reference pack with the sets over it."""
        return reference(self.game.name, self.sets)

    def tables(self) -> Tables:
        """The tables."""
        usual = {setting.name: setting.default for setting in self.game.settings}
        return self.game.load(self.pack(), {**usual, **self.settings})

    def seats(self, tables: Tables) -> Any:
        """The one seating."""
        players, side = self.game.players, self.game.sides[0].key
        roles, seats = tables.roles[side], blank(seats_dtype(players), 1)
        for seat, (slug, bot) in enumerate(zip(self.lineup, self.bots, strict=True)):
            seats[0].role[seat] = role_place(roles, slug) if slug else -1
            seats[0].bot[seat] = tables.bots.index(bot)
        seats[0].member[:], seats[0].first = range(players), self.first
        return seats

    def ready(self) -> Callable[[int, int], Any]:
        """Plays games first..stop-1 compiled: their outcomes."""
        tables = self.tables()
        seats = self.seats(tables)
        return lambda first, stop: play(self.game, tables, seats, self.root, first, stop)

    def play(self, first: int, stop: int) -> Any:
        """Outcomes of some games, compiled."""
        return self.ready()(first, stop)
