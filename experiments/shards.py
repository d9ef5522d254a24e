"""The files of a run that keeps its games: one for the games of each batch, in the folder `games` beside the ledger,
which notes them. What is in them is `experiments.rows`' to say.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

FOLDER = "games"
SUFFIX = ".parquet"


class Span(NamedTuple):
    """Games first..stop-1 of a cell, by its id."""

    cell: str
    first: int
    stop: int


class Shard(NamedTuple):
    """A file by its name, the spans of games that it holds in order, its size in bytes and its SHA-256; `sound` is
    False where the ledger's note of it is damaged.
    """

    name: str
    spans: tuple[Span, ...]
    size: int
    sha256: str
    sound: bool = True


def put(run: Path, spans: Sequence[Span], data: bytes) -> Shard:
    """Write a file of a run's folder in one step, and onto the disk. Raises OSError."""
    name = f"{spans[0].cell}-{spans[0].first:013}{SUFFIX}"
    path = run / FOLDER / name
    path.parent.mkdir(exist_ok=True)
    draft = path.with_name(f".{name}")  # readers of the folder pass over such names
    with draft.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    return Shard(name, tuple(spans), len(data), hashlib.sha256(data).hexdigest())


def read(run: Path, shard: Shard) -> bytes:
    """What a file holds. Raises ValueError where it is gone, or isn't what was written."""
    try:
        data = (run / FOLDER / shard.name).read_bytes()
    except OSError as error:
        raise ValueError(f"cannot be read: {error.strerror or error}") from None
    if len(data) != shard.size or hashlib.sha256(data).hexdigest() != shard.sha256:
        raise ValueError("isn't what was written")
    return data


def is_sound(run: Path, shard: Shard) -> bool:
    """Whether a file is there and is what was written."""
    with suppress(ValueError):
        return bool(read(run, shard))
    return False


def is_whole(run: Path, shard: Shard) -> bool:
    """Whether a file has its size; what is in it is for `read` to say, as that takes long."""
    try:
        return (run / FOLDER / shard.name).stat().st_size == shard.size
    except OSError:
        return False


def clear(run: Path, noted: Iterable[Shard]) -> int:
    """Delete what lies among a run's files and isn't noted, as a killed run leaves it; gives how many."""
    names, found = {shard.name for shard in noted}, 0
    for path in (run / FOLDER).glob("*"):
        if path.name not in names and path.name.endswith(SUFFIX):
            path.unlink()
            found += 1
    return found
