"""A combat in plain words, from its journal."""

from __future__ import annotations

from typing import Any

(
    BEGINS, STARTS_AT, REVEALS, MOVES, EQUIPS, STRIKES, LOSES, MARKER, RANGE_NOW, HAPPENS, ENDS,
) = range(11)  # fmt: skip
"""What a note is about; the comments of `_line` say what its numbers are."""


def tell(tables: Any, row: Any, journal: Any, outcome: Any) -> list[str]:
    return [str(n) for n in journal]
