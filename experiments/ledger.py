"""What has been played: results/<run>/ledger.sqlite, one checksummed tally a chunk of games.

The ledger is the truth of a run; everything else in its folder is made from it. Tables: `manifest` (key, JSON value;
with a checksum over all of them and over the cells), `cells`, `ends` (where each role of a run that stops by itself
came through), `written` (checksums of the files made from it), `chunks` (a compressed `Tally.to_bytes` for games
first..stop-1 of a cell, followed by `Pairs.to_bytes` where its games are compared with others, with a checksum over all
of its row), `sums` (chunks of a part of a cell added up, to be read in their place), `shards` (the files of games that
are kept) and `sittings` (how long the run has been played). Nothing is read unchecked.
"""

from __future__ import annotations

import hashlib
import json
import math
import platform
import shlex
import sqlite3
import zlib
from bisect import bisect_left, insort
from collections.abc import Callable, Container, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from glob import escape
from importlib import metadata
from itertools import chain, groupby
from operator import itemgetter
from os import O_RDONLY, close
from os import open as open_file
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from experiments.config import Config, Games, Given, Setup, Source, restore, shown_path
from experiments.differing import configs_differ, setups_differ
from experiments.foreign import bounded, connect, inflated, kinds, odd_rows, other_schema, read_json, typed, writable
from experiments.lineups import Dealt
from experiments.pairs import Pairs
from experiments.plan import Cell, Plan, asked_of, code_of, decides, gaps, make_plan, replan
from experiments.shards import FOLDER, Shard, Span, clear, is_sound, is_whole, name_of
from experiments.stopping import End, Ends, Who, goals
from experiments.sweeps import Points
from simcore.game import Game, Tables, Tally
from simcore.packs import Mistake, Mistakes, Pack, is_there, validate

FORMAT = 3
FILE = "ledger.sqlite"
COMMIT_SECONDS = 0.5
LEAST = 16
"""Chunks from which on a part of a cell is added up, beside its chunks."""

CHECKED = 10_000
"""Of more tallies than so many a sample is looked at, where they are added up already."""

LAST = 2**62
UNDONE = (sqlite3.SQLITE_READONLY_ROLLBACK, sqlite3.SQLITE_READONLY_RECOVERY, sqlite3.SQLITE_READONLY_CANTINIT)
"""What SQLite says where it would have to undo something first, and may not write."""

Place = tuple[str, int]
"""A part of a cell: the cell's id, and where the part begins."""

Mark = tuple[int, int]
TOLD = 10
"""Values that a refusal names one by one."""

_TABLES = """
CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE cells (id TEXT PRIMARY KEY, name TEXT NOT NULL, lineup TEXT NOT NULL, games INTEGER NOT NULL,
    dice_group TEXT NOT NULL, place INTEGER NOT NULL, point INTEGER NOT NULL, variant TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE chunks (cell TEXT NOT NULL, first INTEGER NOT NULL, stop INTEGER NOT NULL, tally BLOB NOT NULL,
    sha256 TEXT NOT NULL, PRIMARY KEY (cell, first)) WITHOUT ROWID;
CREATE TABLE ends (point INTEGER NOT NULL, variant TEXT NOT NULL, side TEXT NOT NULL, role TEXT NOT NULL,
    games INTEGER NOT NULL, rule TEXT NOT NULL, word TEXT NOT NULL, sha256 TEXT NOT NULL,
    PRIMARY KEY (point, variant, side, role)) WITHOUT ROWID;
CREATE TABLE sums (cell TEXT NOT NULL, part INTEGER NOT NULL, chunks INTEGER NOT NULL, mark TEXT NOT NULL,
    tally BLOB NOT NULL, sha256 TEXT NOT NULL, PRIMARY KEY (cell, part)) WITHOUT ROWID;
CREATE TABLE shards (name TEXT PRIMARY KEY, spans TEXT NOT NULL, size INTEGER NOT NULL, file TEXT NOT NULL,
    sha256 TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE written (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sittings (number INTEGER PRIMARY KEY, seconds REAL NOT NULL, games INTEGER NOT NULL,
    sha256 TEXT NOT NULL);
"""

TYPED = ("manifest", "cells", "ends", "shards", "written", "sittings")
"""The tables whose every value must have the type of its column."""


class Trouble(Exception):
    """Something that stops a run, told in one line for its user."""


class Damaged(Trouble):
    """A ledger that doesn't hold what was written into it."""


class InUse(Trouble):
    """A run that another process is at work on: nothing is wrong with it, and the same command may succeed later."""


class Chunk(NamedTuple):
    """The tally of games first..stop-1 of a cell, as it lies in the ledger; `sound` is False if its sum is
    wrong.
    """

    first: int
    stop: int
    packed: bytes
    sound: bool


class Extent(NamedTuple):
    """Which games a chunk has, and whether its sum is right."""

    first: int
    stop: int
    sound: bool


class Ledger:
    """An open ledger.sqlite. Its methods raise Trouble for a full disk and the like, Damaged for a broken
    file.
    """

    add_up: Callable[[Iterable[bytes]], bytes] | None = None
    """Adds packed tallies up; a run sets it to that of its game."""

    state = 0
    """Another number whenever chunks are added, dropped or read anew."""

    _extents: dict[str, list[Extent]] | None
    _marks: dict[Place, Mark]
    _sums: dict[Place, bytes]
    _by_cell: dict[str, dict[int, bytes]]
    _odd: list[Place]
    _fresh: dict[Place, list[bytes]]

    def __init__(self, folder: Path) -> None:
        """Open the ledger in `folder`; Trouble if there is none."""
        self._clear()
        self._connect(folder)
        with self._told():
            odd = other_schema(self._connection, _TABLES)
        if odd:
            self.close()
            raise Damaged(f"{self.path} is no ledger, or is damaged: {odd}")

    def _connect(self, folder: Path) -> None:
        """Open the file in `folder`, whatever is in it."""
        self.path = folder / FILE
        if not is_there(self.path) and not self.path.is_symlink():
            raise Trouble(f"{folder} holds no run: there is no {FILE} in it")
        with self._told():
            try:
                self._connection = connect(self.path)
            except ValueError as error:
                raise Trouble(str(error)) from None
            self._connection.execute("PRAGMA synchronous = FULL")
        self._committed = monotonic()

    @classmethod
    def create(cls, folder: Path, manifest: Mapping[str, Any], cells: Sequence[Cell]) -> Self:
        """A new ledger with its manifest and cells, all in one transaction; an unborn one is made anew."""
        try:
            (folder / FILE).touch()
        except OSError as error:
            raise Trouble(f"cannot write to {folder}: {error.strerror or error}") from None
        ledger = cls.__new__(cls)
        ledger._clear()
        ledger._connect(folder)
        return ledger._begun(manifest, cells)

    @classmethod
    def in_memory(cls, folder: Path, manifest: Mapping[str, Any], cells: Sequence[Cell]) -> Self:
        """A new ledger that nothing is kept of: for games that are only looked at. `folder` is what messages name."""
        ledger = cls.__new__(cls)
        ledger._clear()
        ledger.path, ledger._committed = folder / FILE, monotonic()
        ledger._connection = sqlite3.connect(":memory:")
        return ledger._begun(manifest, cells)

    def _begun(self, manifest: Mapping[str, Any], cells: Sequence[Cell]) -> Self:
        """The same ledger with tables, a manifest and cells."""
        with self._writing():
            self._connection.executescript(f"BEGIN IMMEDIATE; {_TABLES}")
            self._describe(manifest, cells)
        return self

    def change(self, manifest: Mapping[str, Any], cells: Sequence[Cell]) -> None:
        """Put another manifest and other cells in the place of those that are there, all in one transaction."""
        with self._writing():
            self._connection.commit()
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute("DELETE FROM manifest")
            self._connection.execute("DELETE FROM cells")
            self._connection.execute("DELETE FROM written")
            self._describe(manifest, cells)

    def _describe(self, manifest: Mapping[str, Any], cells: Sequence[Cell]) -> None:
        """Write a manifest and cells into empty tables, and commit."""
        rows = [_cell_row(place, cell) for place, cell in enumerate(cells)]
        texts = {key: _json(value) for key, value in manifest.items()}
        self._connection.executemany("INSERT INTO manifest VALUES (?, ?)", texts.items())
        self._connection.execute("INSERT INTO manifest VALUES ('checksum', ?)", (_sum(texts),))
        self._connection.executemany("INSERT INTO cells VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        self._connection.commit()

    @staticmethod
    def born(folder: Path) -> bool:
        """Whether a folder has a ledger with anything in it: a run killed in its first moment leaves an empty
        one.
        """
        path = folder / FILE
        if not path.is_symlink() and not path.exists():
            return False
        with suppress(sqlite3.DatabaseError, ValueError), closing(connect(path)) as connection:
            return bool(connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0])
        return True

    def manifest(self) -> dict[str, Any]:
        """The manifest, its checksum checked."""
        with self._told():
            texts: dict[str, str] = dict(self._rows("manifest"))
        found = texts.pop("checksum", None)
        if found != _sum(texts):
            raise Damaged(f"the manifest of {self.path} is damaged: its checksum is wrong")
        return {key: self._json(text, "the manifest") for key, text in texts.items()}

    def cells(self, checksum: str) -> list[Cell]:
        """The cells in order; Damaged where they are not those that the manifest has the checksum of."""
        with self._told():
            rows = sorted(self._rows("cells"), key=itemgetter(5))
        if not rows or _rows_sum(rows) != checksum:
            raise Damaged(f"the cells in {self.path} are not those of its config: the table was changed")
        return [
            Cell(key, name, tuple(self._json(lineup, "the table of cells")), games, int(group), point, variant)
            for key, name, lineup, games, group, _, point, variant in rows
        ]

    def chunks(self, cell: str, first: int = 0, stop: int = LAST) -> Generator[Chunk]:
        """The chunks of a cell that begin at first..stop-1, by their first game, each marked as sound or not."""
        query = (
            "SELECT first, stop, tally, sha256 FROM chunks WHERE cell = ? AND first >= ? AND first < ? ORDER BY first"
        )
        with self._told():
            rows = self._connection.execute(query, (cell, first, stop))
            for at, end, packed, found in bounded(self._connection, rows):
                yield Chunk(at, end, packed, _is_sound(cell, at, end, packed, found))

    def extents(self) -> dict[str, list[Extent]]:
        """What every cell has, in order: all chunks are read once, and none is unpacked."""
        if self._extents is None:
            found: dict[str, list[Extent]] = {}
            marks: dict[Place, Mark] = {}
            query = "SELECT cell, first, stop, tally, sha256 FROM chunks ORDER BY cell, first"
            with self._told():
                every = bounded(self._connection, self._connection.execute(query))
                for cell, chunks in groupby(every, itemgetter(0)):
                    if type(cell) is not str:
                        raise Damaged(f"{self.path} is damaged: the table chunks has a cell that is no text")
                    found[cell] = _extents(cell, chunks, marks)
                rows = list(bounded(self._connection, self._connection.execute("SELECT * FROM sums")))
            self._extents, self._marks = found, marks
            self._sums = {(row[0], row[1]): row[4] for row in rows if _sum_fits(marks, row)}
            self._odd = [(row[0], row[1]) for row in rows if (row[0], row[1]) not in self._sums]
        return self._extents

    def sums(self, cell: str) -> Mapping[int, bytes]:
        """The packed tallies of parts of a cell that are added up already, by where the parts begin (`part_of`)."""
        self.extents()
        found = self._by_cell.get(cell)
        if found is None:
            found = self._by_cell[cell] = {part: packed for (own, part), packed in self._sums.items() if own == cell}
        return found

    def summed(self) -> dict[Place, int]:
        """The parts of cells that are added up, and how many chunks each has."""
        self.extents()
        return {place: self._marks[place][0] for place in self._sums}

    def odd(self) -> list[Place]:
        """The parts of cells whose sum is not that of the chunks that are there."""
        self.extents()
        return self._odd

    def chunk_count(self) -> int:
        """How many chunks there are, of any cell."""
        return sum(map(len, self.extents().values()))

    def save(self, chunks: Sequence[tuple[Span, bytes]], shard: Shard | None = None) -> None:
        """Add packed tallies, and the file that their games are kept in; while they come in, they are on disk half a
        second later at most, all of these together.
        """
        rows = [(*span, packed, _chunk_sum(*span, packed)) for span, packed in chunks]
        extents = self.extents()
        self.state += 1
        with self._undone():
            self._connection.executemany("INSERT INTO chunks VALUES (?, ?, ?, ?, ?)", rows)
            if shard:
                texts = shard.name, _json(shard.spans), shard.size, shard.sha256
                self._connection.execute("INSERT INTO shards VALUES (?, ?, ?, ?, ?)", (*texts, _row_sum(texts)))
        for cell, first, stop, packed, found in rows:
            insort(extents.setdefault(cell, []), Extent(first, stop, True))
            _mark(self._marks, cell, first, found)
            self._fresh.setdefault((cell, part_of(first)), []).append(packed)
        if monotonic() - self._committed >= COMMIT_SECONDS:
            self.commit()

    def shards(self) -> list[Shard]:
        """The files of kept games by their names, each marked as sound or not."""
        with self._told():
            rows = list(self._rows("shards", "ORDER BY name"))
        return [_shard(row) for row in rows]

    def forget(self, shards: Iterable[Shard]) -> None:
        """Forget files of kept games, and all tallies of what they hold."""
        for shard in shards:
            with self._writing():
                self._connection.execute("DELETE FROM shards WHERE name = ?", (shard.name,))
            for span in shard.spans:
                self.drop(span.cell, span.first)

    def drop(self, cell: str, first: int) -> None:
        """Forget a chunk, so that it is played again."""
        with self._undone():
            self._fold()
            self._connection.execute("DELETE FROM chunks WHERE cell = ? AND first = ?", (cell, first))
            self._connection.execute("DELETE FROM sums WHERE cell = ? AND part = ?", (cell, part_of(first)))
        self._clear()

    def drop_strangers(self) -> None:
        """Forget the chunks of cells that the run doesn't have, and sums that aren't those of their chunks."""
        with self._writing():
            for table in ("chunks", "sums"):
                self._connection.execute(f"DELETE FROM {table} WHERE {odd_rows(_TABLES, table)}")
                self._connection.execute(f"DELETE FROM {table} WHERE cell NOT IN (SELECT id FROM cells)")
            self._connection.execute("DELETE FROM chunks WHERE first < 0")
        self._clear()
        self.extents()
        with self._writing():
            self._connection.executemany("DELETE FROM sums WHERE cell = ? AND part = ?", self._odd)
        self._clear()

    def commit(self) -> None:
        """Bring everything saved so far onto the disk."""
        with self._undone():
            self._fold()
            self._connection.commit()
        self._committed = monotonic()

    def cut(self, cell: str, games: int) -> None:
        """Forget the chunks of a cell from that game on."""
        with self._undone():
            self._fold()
            self._connection.execute("DELETE FROM chunks WHERE cell = ? AND first >= ?", (cell, games))
            self._connection.execute("DELETE FROM sums WHERE cell = ? AND part >= ?", (cell, part_of(games)))
        self._clear()

    def _clear(self) -> None:
        """Forget what is known of the chunks: it is read again when asked for."""
        self._extents, self.state = None, self.state + 1
        self._marks, self._sums, self._by_cell, self._odd, self._fresh = {}, {}, {}, [], {}

    def _fold(self) -> None:
        """Add the chunks that are new since the last time to the sums of their parts, where these are worth it."""
        fresh, self._fresh = self._fresh, {}
        for place, packed in fresh.items():
            chunks, mark = self._marks[place]
            if chunks < LEAST or self.add_up is None:
                continue
            before = self._sums.get(place)
            every = (
                packed if before else (chunk.packed for chunk in self.chunks(place[0], place[1], part_end(place[1])))
            )
            whole = self.add_up(chain([before] if before else [], every))
            row = *place, chunks, f"{mark:064x}", whole
            self._connection.execute("INSERT OR REPLACE INTO sums VALUES (?, ?, ?, ?, ?, ?)", (*row, _sum_sum(row)))
            self._sums[place] = whole
            self._by_cell.pop(place[0], None)

    def end(self, ends: Ends) -> None:
        """Note which roles came through where, and commit."""
        rows = [(*who, *end, _sum({"end": _json([*who, *end])})) for who, end in ends.items()]
        with self._writing():
            self._connection.executemany("INSERT INTO ends VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        self.commit()

    def ends(self) -> Ends:
        """Which roles came through where; Damaged if a checksum is wrong."""
        with self._told():
            rows = list(self._rows("ends"))
        if any(row[-1] != _sum({"end": _json(row[:-1])}) for row in rows):
            raise Damaged(f"the table of ends of {self.path} is damaged: a checksum is wrong")
        return {Who(*row[:4]): End(*row[4:7]) for row in rows}

    def wrote(self, path: Path) -> None:
        """Note what has been written into a file that is made from the ledger, and commit."""
        row = path.name, hashlib.sha256(path.read_bytes()).hexdigest()
        with self._writing():
            self._connection.execute("INSERT OR REPLACE INTO written VALUES (?, ?)", row)
        self.commit()

    def noted(self) -> dict[str, str]:
        """The checksum of each file that was noted as it was written, by name."""
        with self._told():
            return dict(self._rows("written"))

    def still_has(self, path: Path) -> bool:
        """Whether a file is there and holds what was noted."""
        return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == self.noted().get(path.name)

    def unsound(self) -> list[str]:
        """The cells with a chunk whose checksum is wrong, by id: all chunks are read, and none is unpacked."""
        return sorted(str(cell) for cell, parts in self.extents().items() if not all(one.sound for one in parts))

    def sit(self, seconds: float, games: int) -> None:
        """Note that the run was played for so many seconds and games, and commit."""
        row = (seconds, games, _sum({"seconds": repr(seconds), "games": str(games)}))
        with self._writing():
            self._connection.execute("INSERT INTO sittings (seconds, games, sha256) VALUES (?, ?, ?)", row)
        self.commit()

    def sittings(self) -> list[tuple[float, int]]:
        """(seconds, games) of each sitting; Damaged if a checksum is wrong."""
        with self._told():
            rows = [row[1:] for row in self._rows("sittings", "ORDER BY number")]
        if any(found != _sum({"seconds": repr(s), "games": str(g)}) for s, g, found in rows):
            raise Damaged(f"the table of sittings of {self.path} is damaged: a checksum is wrong")
        return [(seconds, games) for seconds, games, _ in rows]

    def integrity(self) -> list[str]:
        """What SQLite itself finds wrong with the file; nothing if all is well. Damaged where a value isn't of its
        column's type; those of tallies are looked at with their checksums.
        """
        self.extents()  # no table is read by SQLite alone that hasn't been found to end
        with self._told():
            for table in TYPED:
                for _ in self._rows(table):
                    pass
            found = [row[0] for row in self._connection.execute("PRAGMA integrity_check(20)")]
        return [] if found == ["ok"] else [str(line) for text in found for line in str(text).splitlines()]

    def close(self) -> None:
        """Close the file; what was not committed is gone."""
        with suppress(sqlite3.Error):
            self._connection.close()

    @contextmanager
    def _undone(self) -> Iterator[None]:
        """What fails inside leaves the ledger as it was committed last: tallies and their sums go together."""
        try:
            with self._writing():
                yield
        except Trouble:
            with suppress(sqlite3.Error):
                self._connection.rollback()
            self._clear()
            raise

    def _rows(self, table: str, order: str = "") -> Iterator[tuple[Any, ...]]:
        """The rows of a table; Damaged where a value isn't of its column's type."""
        types = kinds(_TABLES, table)
        for row in bounded(self._connection, self._connection.execute(f"SELECT * FROM {table} {order}")):
            if not typed(row, types):
                raise Damaged(f"{self.path} is damaged: the table {table} has a value that is no {_words(types, row)}")
            yield row

    def _json(self, text: str, where: str) -> Any:
        """What a JSON text in the ledger says."""
        try:
            return read_json(text)
        except ValueError as error:
            raise Damaged(f"{where} of {self.path} is damaged: {error}") from None

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """The same as `_told`, for what writes."""
        with self._told():
            writable(self._connection)
            yield

    @contextmanager
    def _told(self) -> Iterator[None]:
        """SQLite's errors as Trouble, Damaged or InUse."""
        try:
            yield
        except sqlite3.OperationalError as error:
            # text that is no UTF-8 is found by Python, which gives no code
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
            if code in UNDONE or (code & 0xFF == sqlite3.SQLITE_CANTOPEN and _left_half_written(self.path)):
                undo = "what was left half written when a run was stopped must be undone first"
                raise Trouble(
                    f"{self.path} can't be read where nothing may be written: {undo}; copy its folder"
                ) from None
            code &= 0xFF
            if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
                raise Trouble(f"cannot write {self.path}: {error} (what was committed stays)") from None
            if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
                raise Trouble(f"cannot write {self.path}: {error}") from None
            if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise InUse(f"{self.path} is in use by another program: try again when that is done") from None
            raise Damaged(f"{self.path} is damaged: {error}") from None
        except (sqlite3.Error, UnicodeError, OverflowError) as error:
            raise Damaged(f"{self.path} is damaged: {error}") from None


class _Stored(BaseModel):
    """A part of a manifest, as it was JSON."""

    model_config = ConfigDict(strict=True)


class _Noted(_Stored):
    """What a manifest has of where a config was read from."""

    config: str
    sets: list[str]
    games: int | None
    layers: list[str]


class _Given(_Stored):
    """What a manifest has of what was dealt to a run."""

    points: list[list[list[Any]]]
    lineup_notes: list[str]
    point_notes: list[str]


class _Manifest(_Stored):
    """What every manifest has, and what newer ones have."""

    name: str
    plan: str
    asked: str
    cells: str
    config: dict[str, Any]
    seed: str
    pack: str
    code: str
    versions: dict[str, str]
    dealt: _Given | None = None
    source: _Noted | None = None


def _left_half_written(path: Path) -> bool:
    """Whether a journal lies beside a ledger, as a run that was killed leaves it."""
    return is_there(path.with_name(f"{path.name}-journal"))


Part = TypeVar("Part", Chunk, Extent)


def part_of(first: int) -> int:
    """Where the part of a cell begins in which a chunk lies: there are eight parts to each doubling of its games."""
    shift = max(0, first.bit_length() - 4)
    return first >> shift << shift


def part_end(part: int) -> int:
    """Where the next part begins."""
    return part + (1 << max(0, part.bit_length() - 4))


@dataclass
class Run:
    """A run folder, opened: its plan (with config, game, pack and tables), and the tallies of its cells."""

    folder: Path
    plan: Plan
    manifest: dict[str, Any]
    ledger: Ledger
    _sound_at: int = field(init=False, repr=False, compare=False, default=-1)
    _looked_at: dict[str, tuple[int, int]] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.ledger.add_up = partial(add_up, self.game, self.plan.seatings)

    def of_size(self, size: int) -> Run:
        """The run with the cells alone in which so many sit down."""
        return replace(self, plan=self.plan.of_size(size))

    @property
    def name(self) -> str:
        """The folder's own name, as in "knight_fights-1a2b3c4d"."""
        return self.folder.resolve().name

    @property
    def config(self) -> Config:
        """The config, everything written out."""
        return self.plan.setup.config

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.plan.setup.game

    @property
    def pack(self) -> Pack:
        """The pack, as it was when the run began."""
        return self.plan.setup.pack

    @property
    def tables(self) -> Tables:
        """The tables made from the pack."""
        return self.plan.setup.tables

    @property
    def seconds(self) -> float:
        """How long the run has been played, all sittings together, in seconds."""
        return sum(seconds for seconds, _ in self.ledger.sittings())

    @property
    def games(self) -> int:
        """How many games the ledger holds."""
        return sum(stop - first for cell in self.plan.cells for first, stop in self.done(cell))

    @property
    def finished(self) -> bool:
        """Whether every game has been played that is needed."""
        needs = self.goals
        if any(need is None for need in needs.values()):
            return False
        return not any(True for cell in self.plan.cells for _ in self.missing(cell, needs[cell.id]))

    @property
    def stops(self) -> bool:
        """Whether the run stops by itself."""
        return self.config.games.stops

    @property
    def goals(self) -> Mapping[str, int | None]:
        """Cell id -> how many games it needs; None as long as a run that stops by itself doesn't know."""
        if self.stops:
            return goals(self.plan, self.ledger.ends())
        return {cell.id: cell.games for cell in self.plan.cells}

    @property
    def same_code(self) -> bool:
        """Whether the rules installed here are those that the run was played with."""
        return bool(self.manifest["code"] == code_of(self.game))

    def must_have_code(self) -> None:
        """Trouble where the rules installed here are not those that the run was played with."""
        if not self.same_code:
            codes = f"the rules' code was {self.manifest['code']} and is {code_of(self.game)}"
            told = f"{self.folder} was played with other rules than those installed ({codes})"
            raise Trouble(f"{told}: no game can be added to it; run its config anew")

    def done(self, cell: Cell) -> list[tuple[int, int]]:
        """The ranges of games that the ledger has of a cell. Raises Damaged for a chunk that is not sound."""
        return [(one.first, one.stop) for one in self._own(cell)]

    def missing(self, cell: Cell, games: int | None = None) -> list[tuple[int, int]]:
        """The ranges of games that a cell still needs, of the first `games`; by default of all."""
        games = cell.games if games is None else games
        return [(first, min(stop, games)) for first, stop in gaps(self.done(cell), games) if first < games]

    def tally(self, cell: Cell | str) -> Tally:
        """The tally of a cell (or of a cell's id or name): all of its chunks, each checked. Damaged if one is
        not.
        """
        return self.counts(cell)[0]

    def pairs(self, cell: Cell | str) -> Pairs:
        """What was counted of a cell beside another on the same dice; of no games where there is no other."""
        return self.counts(cell)[1]

    def counts(self, cell: Cell | str, games: int | None = None) -> tuple[Tally, Pairs]:
        """Both of them; of the first `games` alone if asked for, where a chunk must end."""
        cell = self.plan.find(cell) if isinstance(cell, str) else cell
        whole, pairs = Tally.empty(self.game, self.plan.seatings), Pairs.empty(self.game.players)
        sums = self.ledger.sums(cell.id)
        for part, extents in self._parts(cell):
            if games is not None and extents[0].stop > games:
                break
            short = games is not None and extents[-1].stop > games
            added = self._added(cell, extents, games) if short or part not in sums else self._summed(cell, sums[part])
            whole.add(added[0])
            pairs.add(added[1])
        return whole, pairs

    def _parts(self, cell: Cell) -> Iterator[tuple[int, list[Extent]]]:
        """The chunks of a cell part by part, in order. Damaged where one is broken, or doesn't fit."""
        extents, start = self._own(cell), 0
        while start < len(extents):
            part = part_of(extents[start].first)
            stop = bisect_left(extents, part_end(part), start, key=_first)
            yield part, extents[start:stop]
            start = stop

    def _own(self, cell: Cell) -> list[Extent]:
        """The extents of a cell. Damaged where a chunk is broken, or doesn't fit."""
        extents = self.ledger.extents().get(cell.id, [])
        seen = self.ledger.state, cell.games
        if self._looked_at.get(cell.id) != seen:
            for _ in self._fitting(cell, extents):
                pass
            self._looked_at[cell.id] = seen
        return extents

    def _added(self, cell: Cell, extents: Sequence[Extent], games: int | None = None) -> tuple[Tally, Pairs]:
        """Chunks that follow one another added up, each read and checked; those of the first `games` alone."""
        whole, pairs = Tally.empty(self.game, self.plan.seatings), Pairs.empty(self.game.players)
        first, stop = extents[0].first, extents[-1].first + 1
        with closing(self.ledger.chunks(cell.id, first, stop)) as chunks:
            for chunk in self._fitting(cell, chunks):
                if games is not None and chunk.stop > games:
                    break
                tally, beside = unpack(self.game, self.plan.seatings, chunk, self.plan.paired(cell))
                whole.add(tally)
                pairs.add(beside)
        return whole, pairs

    def _summed(self, cell: Cell, packed: bytes) -> tuple[Tally, Pairs]:
        """The tally of a part of a cell that is added up already."""
        return unpacked(self.game, self.plan.seatings, packed, self.plan.paired(cell))

    def check(self, quick: bool = False) -> list[str]:
        """Everything that is wrong with the tallies, in words; nothing if all is well. Missing games are not
        wrong.

        Reads the whole ledger: SQLite's own structure, every checksum, the bounds of chunks, the counts in
        each tally (of more than CHECKED tallies those of a sample, and of the parts that they add up to), chunks of no
        cell, and games that a finished sitting had and that are gone. `quick` looks at checksums and at how many games
        there are alone, as is done where all was well and nothing was written since.
        """
        if quick or self.ledger.state == self._sound_at:
            gone = sum(games for _, games in self.ledger.sittings()) - self.games
            told = [f"{gone:,} games are gone that had been played"] if gone > 0 else []
            return self.ledger.unsound() + told + self._rows_wrong()
        found, opened = self.ledger.integrity(), self._opened()
        for cell in self.plan.cells:
            try:
                found += self._cell_wrong(cell, opened)
            except Damaged as damage:
                found.append(str(damage))
        extents = self.ledger.extents()
        games = sum(one.stop - one.first for cell in self.plan.cells for one in extents.get(cell.id, ()) if one.sound)
        if extents.keys() - {cell.id for cell in self.plan.cells}:
            found.append("there are chunks that belong to no cell of the run")
        found += [
            f"the sum of the tallies of {cell} from game {part} on is damaged" for cell, part in self.ledger.odd()
        ]
        noted = sum(games for _, games in self.ledger.sittings())
        if games < noted:
            found.append(f"{noted - games:,} games are gone that had been played")
        found += self._rows_wrong()
        self._sound_at = -1 if found else self.ledger.state
        return found

    def _opened(self) -> Container[Place]:
        """The parts of cells whose tallies are looked at one by one, though they are added up: all of them, or a sample
        if they are very many, which depends on the run's name alone.
        """
        sizes, left = self.ledger.summed(), CHECKED
        if sum(sizes.values()) <= left:
            return sizes
        chosen, places = set(), list(sizes)
        for at in np.random.default_rng(int.from_bytes(self.name.encode()[-8:], "big")).permutation(len(places)):
            if sizes[places[at]] <= left:
                chosen.add(places[at])
                left -= sizes[places[at]]
        return chosen

    def _cell_wrong(self, cell: Cell, opened: Container[Place]) -> Iterator[str]:
        """What is wrong with the tallies of a cell; those of parts that are added up are looked at if they are among
        `opened`. Damaged where one can't be read.
        """
        sums = self.ledger.sums(cell.id)
        for part, extents in self._parts(cell):
            added = self._added(cell, extents) if part not in sums or (cell.id, part) in opened else None
            if part not in sums:
                continue
            summed = self._summed(cell, sums[part])
            many = sum(one.stop - one.first for one in extents)
            same = added is None or [one.to_bytes() for one in added] == [one.to_bytes() for one in summed]
            if not same or summed[0].games.sum() != many:
                yield f"games {extents[0].first} to {extents[-1].stop} of {cell.name} ({cell.id}) add up to another sum"

    def repair(self) -> int:
        """Forget what is not sound, so that it is played again; gives how many games are missing then."""
        for cell in self.plan.cells:
            for first in [chunk.first for chunk in self.ledger.chunks(cell.id) if not chunk.sound]:
                self.ledger.drop(cell.id, first)
        self.ledger.drop_strangers()
        self._drop_torn(lambda shard: shard.sound and is_sound(self.folder, shard))
        games, noted = self.games, sum(games for _, games in self.ledger.sittings())
        self.ledger.sit(0.0, min(0, games - noted))
        return sum(need or 0 for need in self.goals.values()) - games

    @property
    def keeps(self) -> bool:
        """Whether every game is kept as a row."""
        return self.config.runner.keep_games

    def cut(self, needs: Mapping[str, int]) -> None:
        """Forget the games of each cell, by its id, from that one on."""
        for cell, games in needs.items():
            self.ledger.cut(cell, games)
        self._drop_torn(lambda shard: True)

    def settle(self) -> None:
        """Delete files of kept games that the ledger doesn't note, as a run that was killed leaves them."""
        if self.keeps:
            try:
                clear(self.folder, self.ledger.shards())
            except OSError as error:
                raise Trouble(f"cannot write to {self.folder / FOLDER}: {error.strerror or error}") from None

    def _drop_torn(self, whole: Callable[[Shard], bool]) -> None:
        """Forget each file of kept games that isn't sound or that lacks the tally of some game, with all that it holds;
        and the tallies of games that no file holds.
        """
        if not self.keeps:
            return
        there, shards = self._spans(), self.ledger.shards()
        kept = [shard for shard in shards if whole(shard) and there.issuperset(shard.spans)]
        self.ledger.forget(shard for shard in shards if shard not in kept)
        for span in there - {span for shard in kept for span in shard.spans}:
            self.ledger.drop(span.cell, span.first)
        self.ledger.commit()
        self.settle()

    def _spans(self) -> set[Span]:
        """All games that the ledger has tallies of, as they were saved."""
        return {Span(cell, one.first, one.stop) for cell, parts in self.ledger.extents().items() for one in parts}

    def _rows_wrong(self) -> list[str]:
        """What is wrong with the files of kept games, as far as their names and sizes tell."""
        shards = self.ledger.shards() if self.keeps else []
        found = [f"the note of {FOLDER}/{shard.name} is damaged" for shard in shards if not shard.sound]
        lost = [shard for shard in shards if shard.sound and not is_whole(self.folder, shard)]
        found += [f"{FOLDER}/{shard.name} is gone, or has another size than it had" for shard in lost]
        spans = [span for shard in shards for span in shard.spans]
        if self.keeps and (len(spans) != len(set(spans)) or set(spans) != self._spans()):
            found.append(f"the files in {FOLDER} don't hold exactly the games that there are tallies of")
        return found

    def close(self) -> None:
        """Close the ledger."""
        self.ledger.close()

    @staticmethod
    def _fitting(cell: Cell, chunks: Iterable[Part]) -> Iterator[Part]:
        """The same of chunks that have been read, or of their extents."""
        at = 0
        for chunk in chunks:
            if not chunk.sound:
                raise Damaged(f"the tally of games {chunk.first} to {chunk.stop} of {cell.name} ({cell.id}) is damaged")
            if chunk.first < at or chunk.stop > cell.games:
                raise Damaged(f"games {chunk.first} to {chunk.stop} of {cell.name} ({cell.id}) don't fit in their cell")
            at = chunk.stop
            yield chunk


def open_run(folder: Path | str) -> Run:
    """Open a run folder. Raises Trouble if it holds none, Damaged if its manifest or cells are not sound."""
    folder = Path(folder)
    if not is_there(folder):
        raise Trouble(f"{shown_path(folder)} holds no run: there is no such folder")
    if is_there(folder / FILE) and not Ledger.born(folder):
        raise Trouble(f"{folder} holds no run yet: nothing was committed before it stopped; run its config again")
    ledger = Ledger(folder)
    manifest = ledger.manifest()
    if manifest.get("format") != FORMAT:
        raise Trouble(f"{folder} was written by another version of Wastelab (format {manifest.get('format')})")
    try:
        _must_be_whole(manifest)
        cells = ledger.cells(manifest["cells"])
        config = manifest["config"] | {"seed": int(manifest["config"]["seed"])}
        setup = replace(restore(config, manifest["pack"]), given=_given(manifest, cells))
        _must_be_of(setup, cells)
        plan = replan(setup, manifest["plan"], cells)
    except (Trouble, MemoryError):  # short memory says nothing of a run
        raise
    except Exception as error:
        raise Trouble(f"{folder} doesn't fit this version of Wastelab: {_first_line(error)}") from error
    return Run(folder, plan, manifest, ledger)


def _must_be_whole(manifest: Mapping[str, Any]) -> None:
    """ValueError, naming the first, where a manifest lacks something or has it otherwise than `make_manifest` does."""
    try:
        _Manifest.model_validate(manifest)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ValueError(f"{where} in its manifest: {first['msg']}") from None
    if manifest["seed"] != manifest["config"].get("seed"):
        raise ValueError("its manifest has another seed than its config")


def _must_be_of(setup: Setup, cells: Sequence[Cell]) -> None:
    """ValueError, naming the first, where a cell isn't of a point, a variant and roles that a set-up has."""
    game, points = setup.game, max(1, len(setup.points))
    roles = [{role.slug for role in setup.tables.roles[game.side_of(seat).key]} | {""} for seat in range(game.players)]
    variants = {"", *(one.name for one in setup.config.variant)}
    for cell in cells:
        lineup = cell.lineup
        seated = len(lineup) == len(roles) and all(map(_is_in, lineup, roles))
        numbered = 0 <= cell.group < 2**64 and 0 <= cell.point < points and 0 <= cell.games < LAST
        if not (seated and numbered and cell.variant in variants):
            raise ValueError(f"its cell {cell.name} is not one of its config")


def _is_in(slug: object, roles: Container[str]) -> bool:
    return isinstance(slug, str) and slug in roles


def _given(manifest: Mapping[str, Any], cells: Sequence[Cell]) -> Given | None:
    """What was dealt to a run; None for one of an earlier version, which didn't write it down."""
    dealt = manifest.get("dealt")
    if dealt is None:
        return None
    first = cells[0].point, cells[0].variant
    lineups = tuple(cell.lineup for cell in cells if (cell.point, cell.variant) == first)
    points = tuple(tuple((path, value) for path, value in point) for point in dealt["points"])
    of_lineups, of_points = (tuple(dealt[notes]) for notes in ("lineup_notes", "point_notes"))
    return Given(Dealt(lineups, of_lineups), Points(points, of_points))


def dealt_otherwise(run: Run) -> bool:
    """Whether this version would deal other lineups or points to the config of a run than it was dealt."""
    setup = run.plan.setup
    fresh = replace(setup, given=None)
    return (fresh.dealt.lineups, fresh.points) != (setup.dealt.lineups, setup.points)


def find_run(setup: Setup, name: str, out: Path) -> Path | None:
    """The folder below `out` of a run of that name that was asked the same as a set-up; None where there is none."""
    asked = _json(asked_of(setup))
    for folder in sorted(out.glob(f"{escape(name)}-*")):
        query = "SELECT count(*) FROM manifest WHERE key = 'asked' AND value = ?"
        try:
            with closing(Ledger(folder)) as ledger, ledger._told():
                if ledger._connection.execute(query, (asked,)).fetchone()[0]:
                    return folder
        except InUse:  # it may be the one: its games are not to be played twice
            raise
        except Trouble:
            continue
    return None


def make_folder(plan: Plan, name: str, out: Path) -> Path:
    """The folder `out`/<name>-<plan's id>, made if need be. Raises Trouble if it can't be made."""
    folder = out / f"{name}-{plan.id}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Trouble(f"cannot make the folder {folder}: {error.strerror or error}") from None
    return folder


def start_run(plan: Plan, name: str, folder: Path) -> Run:
    """The run in a folder of `make_folder`: a new one, or the one that is there, with what it has."""
    if Ledger.born(folder):
        return open_run(folder)
    source = plan.setup.source and {"source": asdict(plan.setup.source.seen_from(folder))}
    manifest = json.loads(_json(make_manifest(plan, name) | (source or {})))  # as it is read back
    return Run(folder, plan, manifest, Ledger.create(folder, manifest, plan.cells))


def revise(run: Run, setup: Setup) -> tuple[Run, list[str]]:
    """The same run by a set-up that asks for the same games, or for fewer as some were added since, and what differs
    from before, in words: verdicts, titles, origins and the like. It is written down in the ledger; no tally is
    touched.
    """
    games = setup.config.games.model_copy(update={"per_cell": run.config.games.per_cell})
    setup = replace(setup, config=setup.config.model_copy(update={"games": games}), given=run.plan.setup.given)
    told = [str(one) for one in configs_differ(run.config, setup.config)]
    if run.manifest["pack"] != setup.pack.to_json() and not told:
        told = ["the pack says other things of its values, as where they come from"]
    if not told:
        return run, []
    revised = replan(setup, run.plan.id, run.plan.cells)
    manifest = run.manifest | {"config": _stored(revised), "pack": setup.pack.to_json()}
    run.ledger.change(manifest, revised.cells)
    return Run(run.folder, revised, manifest, run.ledger), told


def follow(run: Run) -> tuple[Run, list[str]]:
    """The same run by its config and pack as their files are now, and what differs in words alone, as `revise` has it.

    Files that are there no more are not followed. Raises Trouble, naming the values, where they ask for other games.
    """
    noted = run.manifest.get("source")
    source = noted and Source(noted["config"], tuple(noted["sets"]), noted["games"], tuple(noted["layers"]))
    try:
        setup = source.load(run.folder) if source else None
        if setup is None:
            return run, []
        if asked_of(setup) == run.manifest["asked"] or make_plan(setup).id == run.plan.id:
            return revise(run, setup)
    except Mistakes as wrong:
        told = "; ".join(str(mistake) for mistake in wrong.mistakes[:TOLD])
        raise Trouble(f"the config that {run.folder} began with can't be read any more: {told}{_either(run)}") from None
    found = [one for one in setups_differ(run.plan.setup, setup) if decides(run.config, one.path)]
    more = f"; and {len(found) - TOLD:,} more" if len(found) > TOLD else ""
    told = "; ".join(str(one) for one in found[:TOLD])
    raise Trouble(f"what {run.folder} is made from was changed since it began: {told}{more}{_either(run)}")


def _either(run: Run) -> str:
    """What one can do with a run whose config was changed."""
    again = shlex.join(["wastelab", "resume", "--as-begun", str(run.folder)])
    return f". `{again}` goes on as it began; `wastelab run` with its config plays it as it is now"


def extend(run: Run, per_cell: int) -> Run:
    """The same run with another number of games a cell, written down in its ledger; nothing is played yet.

    The new games are those that a run with so many from the start has, so that both come to the same tallies.
    The folder keeps its name. Raises Mistakes where the number is out of range, or below what was played in some
    cell; Trouble where the rules installed here are not those of the run; Damaged if the ledger is not sound.
    """
    run.must_have_code()
    if run.stops:
        raise Mistakes([Mistake("--games", f"is {per_cell}", "nothing: this run decides by itself how many it needs")])
    games, wrong = validate(Games, run.config.games.model_dump() | {"per_cell": per_cell}, "")
    if games is None:
        raise Mistakes(replace(mistake, where="--games") for mistake in wrong)
    plan = make_plan(replace(run.plan.setup, config=run.config.model_copy(update={"games": games})))
    played = max(stop for cell in run.plan.cells for _, stop in [(0, 0), *run.done(cell)])
    if plan.cells[0].games < played:
        fits = f"{played} or more, as so many were played in some cell"
        raise Mistakes([Mistake("--games", f"is {per_cell}", fits)])
    manifest = run.manifest | {"config": _stored(plan), **_outline(plan)}
    if "source" in manifest:
        manifest["source"] = manifest["source"] | {"games": per_cell}
    run.ledger.change(manifest, plan.cells)
    return Run(run.folder, plan, manifest, run.ledger)


def make_manifest(plan: Plan, name: str) -> dict[str, Any]:
    """What is written down of a run before its first game; seeds as text, so that no reader rounds them."""
    return {
        "format": FORMAT,
        "name": name,
        **_outline(plan),
        "config": _stored(plan),
        "seed": str(plan.setup.config.seed),
        "dealt": _dealt(plan.setup),
        "pack": plan.setup.pack.to_json(),
        "code": code_of(plan.setup.game),
        "versions": versions(),
    }


def versions() -> dict[str, str]:
    """The versions of Wastelab, of Python and of what compiles and counts, as they are installed here."""
    ours = {name: _version(name) for name in ("wastelab", "numba", "numpy")}
    return {"python": platform.python_version(), **ours}


def _outline(plan: Plan) -> dict[str, str]:
    """The id of a plan, the digest of what it was asked, and the checksum of its cells."""
    rows = [_cell_row(place, cell) for place, cell in enumerate(plan.cells)]
    return {"plan": plan.id, "asked": asked_of(plan.setup), "cells": _rows_sum(rows)}


def _dealt(setup: Setup) -> dict[str, Any]:
    """The points of a sweep, and the notes on them and on the lineups; these stand in the table of cells."""
    notes = {"lineup_notes": setup.dealt.notes, "point_notes": setup.swept.notes}
    return {"points": setup.points, **notes}


def _stored(plan: Plan) -> dict[str, Any]:
    """A plan's config as a manifest holds it."""
    config = plan.setup.config.model_dump(mode="json")
    return config | {"seed": str(config["seed"])}


@contextmanager
def locked(folder: Path, shared: bool = False) -> Iterator[None]:
    """Keep other runs out of a folder for a while; InUse if one is at work in it. Those who only read it are `shared`:
    they keep out who writes, and not one another. A killed run leaves no lock.
    """
    try:
        import fcntl
    except ImportError:  # no such locks on this system: SQLite's own must do
        yield
        return
    if not (is_there(folder) and folder.is_dir()):  # what opens the run says so
        yield
        return
    handle = open_file(folder, O_RDONLY)
    try:
        fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        close(handle)
        at_work = "another run or command is at work in it"
        raise InUse(f"{folder} is in use: {at_work}; wait for it, or stop it, and try again") from None
    except OSError:  # a file system without such locks
        pass
    try:
        yield
    finally:
        close(handle)


def pack_tally(tally: Tally, pairs: Pairs | None = None) -> bytes:
    """A tally as a ledger keeps it, with that of the pairs of a variant's cell."""
    return zlib.compress(tally.to_bytes() + (pairs.to_bytes() if pairs else b""), 6)


def unpacked(game: Game, seatings: int, packed: bytes, paired: bool = False) -> tuple[Tally, Pairs]:
    """A packed tally and, of a variant's cell, the pairs. Raises Damaged for other bytes."""
    try:
        blob, size = _inflated(game, seatings, packed), tally_bytes(game, seatings)
        tally = Tally.from_bytes(game, seatings, blob[:size] if paired else blob)
        return tally, _pairs(game, blob[size:]) if paired else Pairs.empty(game.players)
    except ValueError as error:
        raise Damaged(f"a tally cannot be read: {error}") from None


def tally_bytes(game: Game, seatings: int) -> int:
    """How many bytes `Tally.to_bytes` writes."""
    return 8 * sum(math.prod(shape) for shape in Tally.shapes(game, seatings))


def _inflated(game: Game, seatings: int, packed: bytes) -> bytes:
    """The bytes of a packed tally with its pairs. Raises ValueError where they are too many."""
    return inflated(packed, tally_bytes(game, seatings) + Pairs.most_bytes(game.players))


def _pairs(game: Game, blob: bytes) -> Pairs:
    """The counts of pairs of a game's lineups. Raises ValueError for other bytes."""
    pairs = Pairs.from_bytes(blob)
    if pairs.members != game.players:
        raise ValueError(f"pairs of {pairs.members} members are counted, where the game has {game.players}")
    return pairs


def add_up(game: Game, seatings: int, packed: Iterable[bytes]) -> bytes:
    """Packed tallies of a cell added up, and packed. Raises Damaged for other bytes."""
    size = tally_bytes(game, seatings)
    whole, pairs, paired = np.zeros(size // 8, np.int64), Pairs.empty(game.players), False
    try:
        for blob in (_inflated(game, seatings, one) for one in packed):
            whole += np.frombuffer(blob, "<i8", size // 8)
            if len(blob) > size:
                pairs.add(_pairs(game, blob[size:]))
                paired = True
    except ValueError as error:
        raise Damaged(f"a tally cannot be read: {error}") from None
    return zlib.compress(whole.astype("<i8").tobytes() + (pairs.to_bytes() if paired else b""), 6)


def unpack(game: Game, seatings: int, chunk: Chunk, paired: bool = False) -> tuple[Tally, Pairs]:
    """The tally of a chunk and, of a variant's cell, the pairs; all counts checked against one another. Raises Damaged
    if they don't fit.
    """
    try:
        tally, pairs = unpacked(game, seatings, chunk.packed, paired)
    except Damaged as damage:
        raise Damaged(f"games {chunk.first} to {chunk.stop}: {damage}") from None
    wrong = counts_wrong(tally, chunk.first, chunk.stop) or (paired and pairs.wrong(chunk.stop - chunk.first))
    if wrong:
        raise Damaged(f"the tally of games {chunk.first} to {chunk.stop} contradicts itself: {wrong}")
    return tally, pairs


def counts_wrong(tally: Tally, first: int, stop: int) -> str:
    """What is impossible in a tally of games first..stop-1, "" if nothing."""
    rows = len(tally.games)
    played = [len(range(first + (row - first) % rows, stop, rows)) for row in range(rows)]
    if tally.games.tolist() != played:
        return "a seating has another number of games than it must"
    if tally.endings.sum(axis=1).tolist() != played or (tally.endings < 0).any():
        return "the endings are not as many as the games"
    if (tally.shares.sum(axis=2) != tally.games[:, None]).any() or (tally.shares < 0).any():
        return "the shares are not as many as the games"
    return ""


def _cell_row(place: int, cell: Cell) -> tuple[Any, ...]:
    """A cell as its row in the table of cells."""
    return cell.id, cell.name, _json(cell.lineup), cell.games, str(cell.group), place, cell.point, cell.variant


def _rows_sum(rows: Sequence[tuple[Any, ...]]) -> str:
    return hashlib.sha256(_json(rows).encode()).hexdigest()


def _is_sound(cell: str, first: Any, stop: Any, packed: Any, found: Any) -> bool:
    typed = type(first) is int and type(stop) is int and type(packed) is bytes
    return typed and 0 <= first < stop and _chunk_sum(cell, first, stop, packed) == found


def _chunk_sum(cell: str, first: int, stop: int, packed: bytes) -> str:
    return hashlib.sha256(f"{cell} {first} {stop}\n".encode() + packed).hexdigest()


def _row_sum(row: tuple[Any, ...]) -> str:
    return _sum({"row": _json(row)})


def _shard(row: tuple[Any, ...]) -> Shard:
    """A row of the table of shards."""
    name, spans, size, file, found = row
    try:
        listed = tuple(Span(*span) for span in read_json(spans)) if found == _row_sum((name, spans, size, file)) else ()
    except (ValueError, TypeError):
        listed = ()
    sound = bool(listed) and all(typed(span, (str, int, int)) for span in listed) and name == name_of(listed)
    return Shard(name, listed if sound else (), size, file, sound)


def _words(types: Sequence[type], row: Sequence[Any]) -> str:
    """What the first value that isn't of its type should be."""
    words = {str: "text", int: "whole number", bytes: "bytes", float: "number"}
    return next((words[one] for one, value in zip(types, row, strict=True) if type(value) is not one), "number")


def _first(extent: Extent) -> int:
    return extent.first


def _extents(cell: str, chunks: Iterable[tuple[Any, ...]], marks: dict[Place, Mark]) -> list[Extent]:
    """The extents of a cell's rows in the table of chunks, which come in order; `marks` gets those of its parts."""
    found, part, end, many, mark = list[Extent](), 0, 0, 0, 0
    for _, first, stop, packed, seen in chunks:
        sound = _is_sound(cell, first, stop, packed, seen)
        found.append(Extent(first, stop, sound))
        if not sound:
            continue
        if first >= end:
            marks[cell, part] = many, mark
            part, many, mark = part_of(first), 0, 0
            end = part_end(part)
        many += 1
        mark ^= int(seen, 16)
    marks[cell, part] = many, mark
    return found


def _mark(marks: dict[Place, Mark], cell: str, first: int, seen: str) -> None:
    """Count a chunk into the mark of its part: how many there are, and the exclusive or of their checksums."""
    place = cell, part_of(first)
    chunks, mark = marks.get(place, (0, 0))
    marks[place] = chunks + 1, mark ^ int(seen, 16)


def _sum_fits(marks: Mapping[Place, Mark], row: tuple[Any, ...]) -> bool:
    """Whether a row of the table of sums is whole, and is of just the chunks that are there."""
    cell, part, chunks, mark, packed, found = row
    if type(packed) is not bytes or _sum_sum(row[:5]) != found:
        return False
    return bool((chunks, mark) == (marks.get((cell, part), (0, 0))[0], f"{marks.get((cell, part), (0, 0))[1]:064x}"))


def _sum_sum(row: tuple[Any, ...]) -> str:
    cell, part, chunks, mark, packed = row
    return hashlib.sha256(f"{cell} {part} {chunks} {mark}\n".encode() + packed).hexdigest()


def _sum(texts: Mapping[str, str]) -> str:
    return hashlib.sha256(_json(sorted(texts.items())).encode()).hexdigest()


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
