"""What every game promises, as checks on a game that is laid out: each raises AssertionError where it is broken."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from simcore.game import Game, Tables, play
from simcore.kernels import blank, plain


@dataclass(frozen=True)
class Laid:
    """A game ready to play: its tables, seatings and the key of all its games."""

    game: Game
    tables: Tables
    seats: Any
    root: int

    @classmethod
    def of(cls, table: Any, game: Game | None = None) -> Laid:
        """Lay out a table of the property tests."""
        tables = table.tables()
        return cls(game or table.game, tables, table.seats(tables), table.root)

    def play(self, first: int, stop: int, seats: Any = None) -> Any:
        """Outcomes of games first..stop-1, compiled."""
        return play(self.game, self.tables, self.seats if seats is None else seats, self.root, first, stop)

    def plain(self, first: int, stop: int, instead: dict[str, Any] | None = None) -> Any:
        """Outcomes of the same games uncompiled, with other names in the place of some."""
        out = blank(self.game.outcome, stop - first)
        plain(self.game.play_range, instead)(self.tables.data, self.seats, self.root, first, stop, out)
        return out


def chunks(laid: Laid, games: int, cut: int) -> None:
    """A game gives the same result alone as among others and for any chunks, and a chunk leaves nothing to the next
    one: memory is used again game after game."""
    whole = laid.play(0, games).tobytes()
    assert laid.play(0, cut).tobytes() + laid.play(cut, games).tobytes() == whole, "chunks decide"
    assert b"".join(laid.play(i, i + 1).tobytes() for i in range(games)) == whole, "a game differs among others"
    assert laid.play(0, games).tobytes() == whole, "a game leaves something to the next"


def flags(laid: Laid, games: int) -> None:
    """A column that is declared a flag is 0 or 1 in every game, and a rate in every summary."""
    out = laid.play(0, games)
    for owner, columns in ((out, laid.game.game_columns), (out["seat"], laid.game.seat_columns)):
        for column in columns:
            assert not column.flag or np.isin(owner[column.name], (0, 1)).all(), f"{column.name} is no flag"


def names_of_seats(laid: Laid, games: int, chairs: Collection[int], turn: int) -> None:
    """Renaming seats changes nothing else. Of rivals all sit down on other chairs, in the same order round the table
    and with the same first player; who sits where in the lineup (`member`) decides nothing in any game."""
    assert len(laid.seats) == 1
    one = laid.play(0, games)
    other = laid.seats.copy()
    other["member"] = other["member"][:, ::-1]
    assert laid.play(0, games, other).tobytes() == one.tobytes(), "places in the lineup decide"
    if len(laid.game.sides) > 1:
        return
    row = laid.seats[0]
    sitting = np.flatnonzero(row.role >= 0).tolist()
    taken = sorted(list(chairs)[: len(sitting)])
    taken = taken[turn % len(taken) :] + taken[: turn % len(taken)]
    renamed = laid.seats.copy()
    renamed["role"], renamed["first"] = -1, taken[sitting.index(int(row.first))]
    for name in ("role", "bot", "member"):
        renamed[name][:, taken] = laid.seats[name][:, sitting]
    two = laid.play(0, games, renamed)
    assert np.array_equal(one["seat"][:, sitting], two["seat"][:, taken]), "seats decide"
    for name in ("ending", "rounds", *(column.name for column in laid.game.game_columns)):
        assert np.array_equal(one[name], two[name]), f"seats decide {name}"


class DirtyNumpy:
    """NumPy, but its fresh memory is full of garbage, even where zeros are asked for."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    @staticmethod
    def garbage(shape: Any, dtype: Any = np.float64) -> Any:
        """Memory of random bytes."""
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        return np.random.default_rng(size).integers(0, 256, size, np.uint8).view(dtype).reshape(shape)

    zeros = empty = garbage


def dirty_blank(dtype: Any, shape: Any = ()) -> Any:
    """Memory of a record dtype, full of garbage."""
    memory = DirtyNumpy.garbage(shape or 1, dtype)
    return memory if shape else memory[0]


def clean_memory(laid: Laid, games: int) -> None:
    """State and scratch that are full of garbage before a game begins decide nothing."""
    dirty = laid.plain(0, games, {"np": DirtyNumpy(), "blank": dirty_blank})
    assert dirty.tobytes() == laid.plain(0, games).tobytes(), "what lay in memory decides"


def plain_and_compiled(laid: Laid, first: int, stop: int) -> None:
    """Compiled and uncompiled play agree to the byte."""
    assert laid.plain(first, stop).tobytes() == laid.play(first, stop).tobytes(), "compiling decides"


def counted(laid: Laid, games: int, name: str, small: int) -> int:
    """Where a smaller capacity (a constant, or a function of the state) changes a game, that game ends as an overflow.
    How many games it cut something off."""
    instead = small if name.isupper() else lambda s: small
    cut, whole = laid.plain(0, games, {name: instead}), laid.plain(0, games)
    over = [ending.kind for ending in laid.game.endings].index("overflow")
    for i in range(games):
        same = cut[i : i + 1].tobytes() == whole[i : i + 1].tobytes()
        assert same or cut[i]["ending"] == over, f"{name} = {small} cuts off something in game {i}, which isn't counted"
    return int((cut["ending"] == over).sum())


def words_in(sets: Iterable[str]) -> set[str]:
    """All words in values that are laid over a pack."""
    return {word for value in sets for word in re.findall(r"[a-z_]+", value)}


def page_matches(
    page: str, kinds: Collection[str], words: Collection[str], asides: Collection[str], effect: Any, validate: Any
) -> None:
    """A pack's README has a row for each kind of card, names each word of the vocabulary, has each other word in a
    table, and every example is right and shows the word that it stands by."""
    lines = [line for line in page.splitlines() if line.startswith("|")]
    tables = "\n".join(lines)
    named = set(re.findall(r"`(\w+)`", page))
    assert set(kinds) <= set(re.findall(r"^\| `?(\w+)`? \|", tables, re.MULTILINE)), "a kind of card has no row"
    assert set(words) <= named, f"not named: {set(words) - named}"
    told = set(re.findall(r"\w+", tables))
    assert set(asides) <= told, f"not named: {set(asides) - told}"
    for line in lines:
        for text in re.findall(r"`(\{ when = [^`]*\})`", line):
            row = tomllib.loads(f"row = {text}")["row"]
            mistakes = [wrong for one in effect if (wrong := validate(one, row, "row")[1])]
            assert len(mistakes) < len(effect), f"{text}: {mistakes}"
            shown = {str(value) for value in row.values()}
            heads = [word for word in re.findall(r"`(\w+)`", line.split("|")[1]) if word in words]
            assert not heads or shown & set(heads), f"{line} shows something else"
