"""A variant beside its baseline, game by game on the same dice: what is counted of the two outcomes together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from simcore.game import SHARE, Game, Tables, Tally, play_blocks

Ints = npt.NDArray[np.int64]

FIRST = 10
"""How many of the changed games are remembered."""

DRAWN = SHARE + 1
"""What stands for the share of a game that nobody wins: what that is worth is the config's to say."""

VALUES = SHARE + 2
NOBODY_WINS = "draw"


@dataclass
class Pairs:
    """Counts over the games of a variant's cell; merged by adding, exact in any order.

    `counts[i]` games had what `keys[i]` says, in the order of the keys: a key is (member * VALUES + value in the
    baseline) * VALUES + value in the variant, where a member is a place of the lineup and a value a share in 60ths or
    DRAWN. `changed` games gave somebody another share; `first` are the first of these by number.
    """

    members: int
    keys: Ints
    counts: Ints
    changed: int = 0
    first: tuple[int, ...] = ()

    @classmethod
    def empty(cls, members: int) -> Self:
        """The counts of no games, for lineups of so many members."""
        return cls(members, np.zeros(0, np.int64), np.zeros(0, np.int64))

    def add(self, other: Pairs) -> None:
        """Add other counts of the same cell to these."""
        keys, place = np.unique(np.concatenate([self.keys, other.keys]), return_inverse=True)
        counts = np.zeros(len(keys), np.int64)
        np.add.at(counts, place, np.concatenate([self.counts, other.counts]))
        self.keys, self.counts = keys, counts
        self.changed += other.changed
        self.first = tuple(sorted({*self.first, *other.first})[:FIRST])

    def joint(self, member: int) -> Ints:
        """How many games gave a member one value in the baseline (down) and one in the variant (across): int64[VALUES,
        VALUES].
        """
        whose, values = np.divmod(self.keys, VALUES * VALUES)
        table = np.zeros(VALUES * VALUES, np.int64)
        table[values[whose == member]] = self.counts[whose == member]
        return table.reshape(VALUES, VALUES)

    def to_bytes(self) -> bytes:
        """The counts as little-endian int64."""
        head = [self.members, self.changed, len(self.first), *self.first]
        return np.concatenate([np.array(head, np.int64), self.keys, self.counts]).astype("<i8").tobytes()

    @staticmethod
    def most_bytes(members: int) -> int:
        """The most bytes that `to_bytes` writes for lineups of so many members: each pair of values once."""
        return 8 * (3 + FIRST + 2 * members * VALUES * VALUES)

    @classmethod
    def from_bytes(cls, blob: bytes) -> Self:
        """The counts that `to_bytes` wrote; ValueError for other bytes."""
        numbers = np.frombuffer(blob, "<i8").astype(np.int64)
        if len(numbers) < 3 or not 0 <= numbers[2] <= FIRST or len(numbers) < 3 + numbers[2]:
            raise ValueError("these are no counts of pairs")
        head = 3 + int(numbers[2])
        keys, counts = np.split(numbers[head:], 2)
        return cls(int(numbers[0]), keys, counts, int(numbers[1]), tuple(int(one) for one in numbers[3:head]))

    def wrong(self, played: int) -> str:
        """What is impossible in counts of so many games, "" if nothing."""
        games = np.zeros(self.members, np.int64)
        whose = self.keys // (VALUES * VALUES)
        if (self.keys < 0).any() or (self.counts < 1).any() or (whose >= self.members).any():
            return "a pair of games is counted that can't be"
        np.add.at(games, whose, self.counts)
        if (games != played).any() or len(np.unique(self.keys)) < len(self.keys):
            return "the pairs are not as many as the games"
        fits = len(self.first) == min(self.changed, FIRST) and list(self.first) == sorted(set(self.first))
        return "" if fits and 0 <= self.changed <= played else "the changed games contradict the others"


def play_pairs(
    game: Game,
    tables: tuple[Tables, Tables],
    seats: tuple[Any, Any],
    root: int,
    first: int,
    stop: int,
    kept: list[Any] | None = None,
) -> tuple[Tally, Pairs]:
    """Play games first..stop-1 of a lineup in two worlds, the baseline and a variant, each with its tables and its
    seatings: the tally of the variant, and both counted together. `kept` gets the variant's outcomes, if it is there.
    """
    places, found = members_seats(seats[0]), Pairs.empty(game.players)
    tally = Tally.empty(game, len(seats[1]))
    blocks = (play_blocks(game, own, sits, root, first, stop) for own, sits in zip(tables, seats, strict=True))
    for (start, base), (_, variant) in zip(*blocks, strict=True):
        rows = places[np.arange(start, start + len(base)) % len(places)]
        found.add(_counted(_values(game, base, rows), _values(game, variant, rows), start))
        tally.note(game, seats[1], start, variant)
        if kept is not None:
            kept.append(variant.copy())
    return tally, found


def members_seats(seats: Any) -> Ints:
    """Where each member of a lineup sits in each seating: int64[seating, member]."""
    found: Ints = np.argsort(np.asarray(seats["member"]), axis=1).astype(np.int64)
    return found


def drawn_endings(game: Game) -> npt.NDArray[np.bool_]:
    """For each ending, whether its games count as DRAWN. None do where seats may stay empty: what a draw gives there
    goes by how many sit down, and no config has a say in it.
    """
    fixed = not any(side.least for side in game.sides)
    return np.array([fixed and ending.kind == NOBODY_WINS for ending in game.endings])


def _values(game: Game, outcomes: Any, places: Ints) -> Ints:
    """The value of each member in each game: int64[game, member]."""
    shares = np.take_along_axis(np.asarray(outcomes["seat"]["share"]), places, axis=1)
    drawn = drawn_endings(game)
    found: Ints = np.where(drawn[np.asarray(outcomes["ending"])][:, None], DRAWN, shares)
    return found


def _counted(base: Ints, variant: Ints, start: int) -> Pairs:
    """The counts of a block of games from `start` on."""
    members = base.shape[1]
    keys, counts = np.unique((np.arange(members) * VALUES + base) * VALUES + variant, return_counts=True)
    changed = np.flatnonzero((base != variant).any(axis=1))
    first = tuple(int(one) for one in start + changed[:FIRST])
    return Pairs(members, keys, counts.astype(np.int64), len(changed), first)
