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

from experiments.foreign import draft_of, no_file

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
    name = name_of(spans)
    path = _folder(run) / name
    path.parent.mkdir(exist_ok=True)
    draft, opened = draft_of(path, f".{name}")  # readers of the folder pass over such names
    with opened as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    return Shard(name, tuple(spans), len(data), hashlib.sha256(data).hexdigest())


def name_of(spans: Sequence[Span]) -> str:
    """What the file of some games is called."""
    return f"{spans[0].cell}-{spans[0].first:013}{SUFFIX}"


def _folder(run: Path) -> Path:
    """The folder of a run's files. Raises OSError where it is a link, as what lies there isn't the run's."""
    folder = run / FOLDER
    if folder.is_symlink():
        raise OSError(f"{FOLDER} is a link, not a folder")
    return folder


def read(run: Path, shard: Shard) -> bytes:
    """What a file holds. Raises ValueError where it is gone, or isn't what was written."""
    path = run / FOLDER / shard.name
    try:
        odd = no_file(_folder(run) / shard.name)
        data = path.read_bytes() if not odd and path.stat().st_size == shard.size else b""
    except OSError as error:
        raise ValueError(f"cannot be read: {error.strerror or error}") from None
    if odd:
        raise ValueError(odd)
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
        path = _folder(run) / shard.name
        return not no_file(path) and path.stat().st_size == shard.size
    except OSError:
        return False


def clear(run: Path, noted: Iterable[Shard]) -> int:
    """Delete what lies among a run's files and isn't noted, as a killed run leaves it; gives how many."""
    names, found = {shard.name for shard in noted}, 0
    for path in _folder(run).glob("*"):
        if path.name not in names and path.name.endswith(SUFFIX):
            path.unlink()
            found += 1
    return found
