"""Files of a run as a stranger may have made them: nothing in one runs, and nothing takes more memory than it should.

Ledgers are opened as SQLite advises for untrusted files (https://www.sqlite.org/security.html, "Untrusted SQLite
Database Files"). What is wrong with a file raises ValueError, in words.
"""

from __future__ import annotations

import json
import math
import sqlite3
import stat
import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

TIMEOUT = 5.0
"""Seconds to wait for another program that has a ledger locked."""

LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 16_000_000,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 20,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 3,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 25_000,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 8,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 50,
    sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 20,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
}
"""The most that SQLite takes of a ledger: the longest value, text of SQL, and so on."""

GUARDS = ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0", "query_only = ON")
SWITCHES = {"SQLITE_DBCONFIG_DEFENSIVE": True, "SQLITE_DBCONFIG_ENABLE_TRIGGER": False} | {
    f"SQLITE_DBCONFIG_{name}": False for name in ("ENABLE_VIEW", "DQS_DDL", "DQS_DML", "ENABLE_LOAD_EXTENSION")
}
"""What is turned on or off where this Python can (3.12)."""

MOST_DEEP = 50
"""Levels of lists and tables in a JSON text, at most; what we write has ten."""

TYPES: dict[str, type] = {"TEXT": str, "INTEGER": int, "BLOB": bytes, "REAL": float}
SUPER_JOURNAL = bytes.fromhex("d9d505f920a163d7")
"""The end of a journal that names a further file, which SQLite may delete: no ledger of ours has one."""


def connect(path: Path) -> sqlite3.Connection:
    """Open an SQLite file that is there, to be read: `writable` lets it be written. Raises ValueError and
    sqlite3.Error.
    """
    for each in (path, *(path.with_name(path.name + end) for end in ("-journal", "-wal", "-shm"))):
        if (each == path or each.is_symlink() or each.exists()) and (odd := no_file(each)):
            raise ValueError(f"{each} {odd}")
    journal = path.with_name(f"{path.name}-journal")
    if journal.exists() and _last_bytes(journal) == SUPER_JOURNAL:
        raise ValueError(f"{journal} names a further file")
    _must_have_no_log(path)
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", TIMEOUT, uri=True)
    try:
        return _guarded(connection)
    except sqlite3.Error:
        connection.close()
        raise


def _must_have_no_log(path: Path) -> None:
    """ValueError where another program has set a file to a write-ahead log, which ledgers never have, or left one."""
    for log in (path.with_name(path.name + end) for end in ("-wal", "-shm")):
        if log.exists():
            end = "close the ledger in that program, or copy the run again"
            raise ValueError(f"{log} was left by another program, and may change what the ledger holds: {end}")
    with path.open("rb") as file:
        if 2 in file.read(20)[18:20]:
            back = f'`sqlite3 {path.name} "PRAGMA journal_mode = DELETE"` sets it back'
            raise ValueError(f"{path} was set to a write-ahead log by another program: {back}")


def _guarded(connection: sqlite3.Connection) -> sqlite3.Connection:
    for limit, most in LIMITS.items():
        connection.setlimit(limit, most)
    for name, on in SWITCHES.items():
        if hasattr(connection, "setconfig"):
            connection.setconfig(getattr(sqlite3, name), on)
    for guard in GUARDS:
        connection.execute(f"PRAGMA {guard}")
    return connection


def writable(connection: sqlite3.Connection) -> None:
    """Let a connection of `connect` write."""
    connection.execute("PRAGMA query_only = OFF")


def other_schema(connection: sqlite3.Connection, tables: str) -> str:
    """What a database holds that isn't as some SQL makes it, or lacks, in words; "" where it is the same to the
    letter.
    """
    query = "SELECT type, name, tbl_name, sql FROM sqlite_schema"
    found, ours = {row[:2]: row for row in bounded(connection, connection.execute(query))}, _schema(tables)
    for kind, name in found.keys() - ours.keys():
        return f"it has a {kind} {name!r}, which no ledger has"
    for kind, name in ours.keys() - found.keys():
        return f"it has no {kind} {name!r}"
    changed = [f"its {key[0]} {key[1]!r} is another one than a ledger has" for key in ours if found[key] != ours[key]]
    return changed[0] if changed else ""


@lru_cache(maxsize=2)
def _schema(tables: str) -> dict[tuple[str, str], tuple[Any, ...]]:
    """The rows of the schema that some SQL makes."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(tables)
    query = "SELECT type, name, tbl_name, sql FROM sqlite_schema"
    found = {row[:2]: row for row in connection.execute(query)}
    connection.close()
    return found


def bounded(connection: sqlite3.Connection, rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """The same rows of a table. Raises sqlite3.DatabaseError where they are more than the file can hold: where parts of
    a damaged one stand in several places, a small one reads as a huge table.
    """
    read, most = 0, 0
    for row in rows:
        read += sum(len(value) if isinstance(value, str | bytes) else 1 for value in row)
        if read > most:
            pages, size = (connection.execute(f"PRAGMA {of}").fetchone()[0] for of in ("page_count", "page_size"))
            most = pages * size
            if read > most:
                raise sqlite3.DatabaseError("a table has more in it than the whole file")
        yield row


def odd_rows(tables: str, table: str) -> str:
    """The condition, in SQL, for a row of a table to have a value of another type than its column's."""
    spelled = {kind: name.lower() for name, kind in TYPES.items()}
    return " OR ".join(f"typeof({name}) <> '{spelled[kind]}'" for name, kind in columns(tables, table).items())


def kinds(tables: str, table: str) -> tuple[type, ...]:
    """The types of the columns of a table that some SQL makes."""
    return tuple(columns(tables, table).values())


@lru_cache(maxsize=32)
def columns(tables: str, table: str) -> dict[str, type]:
    """The columns of a table that some SQL makes, and their types."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(tables)
    found = {row[1]: TYPES[row[2]] for row in connection.execute(f"PRAGMA table_info({table})")}
    connection.close()
    return found


def typed(row: tuple[Any, ...], kinds: tuple[type, ...]) -> bool:
    """Whether a row has the types of its columns, and finite numbers."""
    same = len(row) == len(kinds) and all(type(value) is kind for value, kind in zip(row, kinds, strict=True))
    return same and all(math.isfinite(value) for value in row if type(value) is float)


def no_file(path: Path) -> str:
    """What keeps a path from being a plain file, in words; "" where it is one. Links are none, as a stranger's may
    lead anywhere.
    """
    try:
        mode = path.lstat().st_mode
    except OSError as error:
        return f"cannot be read: {error.strerror or error}"
    words = {stat.S_IFLNK: "is a link", stat.S_IFDIR: "is a folder"}
    return "" if stat.S_ISREG(mode) else f"{words.get(stat.S_IFMT(mode), 'is a device or a pipe')}, not a plain file"


def _last_bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - len(SUPER_JOURNAL)))
        return file.read()


def draft_of(path: Path, name: str) -> tuple[Path, BinaryIO]:
    """A new file beside another, open to be written, to take its place: one that lies there is deleted, and a link not
    followed. Raises OSError.
    """
    draft = path.with_name(name)
    draft.unlink(missing_ok=True)
    return draft, draft.open("xb")


def read_json(text: str) -> Any:
    """What a JSON text says, each key once and each number finite."""
    try:
        value = json.loads(text, object_pairs_hook=_once, parse_float=_finite, parse_constant=_finite)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    level = [value]
    for _ in range(MOST_DEEP):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return value
    raise ValueError("it is nested too deeply")


def _inside(value: object) -> Iterable[Any]:
    """The values in a table or list; nothing in anything else."""
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands in it twice")
    return found


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:20]} is no number that can be counted with")
    return number


def inflated(packed: bytes, most: int) -> bytes:
    """What zlib has packed, all of it and nothing after it, and no more bytes than that."""
    reader = zlib.decompressobj()
    try:
        data = reader.decompress(packed, most + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if len(data) > most:
        raise ValueError(f"it unpacks to more than {most:,} bytes")
    if not reader.eof or reader.unused_data:
        raise ValueError("it ends too early" if not reader.eof else "something follows it")
    return data
