"""What happened in one game, for people. A silent game passes None, and the notes compile to nothing."""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types
from numba.extending import overload


class Note(NamedTuple):
    """One thing that happened: a code of the game and up to four numbers."""

    what: int
    a: int
    b: int
    c: int
    d: int


class Journal(list[Note]):
    """The notes of one game in order; it only runs uncompiled."""


def note(journal: Any, what: Any, a: Any = 0, b: Any = 0, c: Any = 0, d: Any = 0) -> None:
    """Write a note into a Journal; with None do nothing."""
    if journal is not None:
        journal.append(Note(int(what), int(a), int(b), int(c), int(d)))


@overload(note)
def _note(journal, what, a=0, b=0, c=0, d=0):  # type: ignore[no-untyped-def]
    if isinstance(journal, types.NoneType):
        return lambda journal, what, a=0, b=0, c=0, d=0: None
    return None
