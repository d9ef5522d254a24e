"""What the models of a config are made of, and how names and plain values are written: in words, and as TOML."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date, time
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from experiments.foreign import draft_of
from simcore.game import Game, Tables

Changes = tuple[tuple[str, Any], ...]
"""Values by path, as in (("enemy.scrap_hound.health", 3), ("bots.knight", "strong")): a point of a sweep, or what a
variant sets."""


class Part(BaseModel):
    """Base of the config's models: no unknown keys, no silent conversions, frozen."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def write_whole(path: Path, text: str) -> None:
    """Write a text file in one step, so that nobody ever finds a part of it. Raises OSError."""
    draft, opened = draft_of(path, f"{path.name}.part")
    with opened as file:
        file.write(text.encode())
    draft.replace(path)


def about(text: str, example: Any = None) -> Any:
    """What a key means, for whoever writes a config; `example` for a key that has no default."""
    return Field(description=text, examples=None if example is None else [example])


def leaves(table: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """(dotted path, value) of nested tables."""
    for key, value in table.items():
        where = f"{path}.{key}" if path else key
        if isinstance(value, dict):
            yield from leaves(value, where)
        else:
            yield where, value


def changes_named(changes: Changes) -> str:
    """Changes in words, as in "enemy.scrap_hound.health=3, bots.knight=strong"; "" for none."""
    return ", ".join(f"{path}={_bare(value)}" for path, value in changes)


def values_named(changes: Changes) -> str:
    """The values of changes alone, as in "3, strong"."""
    return ", ".join(_bare(value) for _, value in changes)


def words(name: str) -> str:
    """A name without its underscores."""
    return name.replace("_", " ")


def heads(game: Game, tables: Tables) -> dict[str, str]:
    """What columns that speak of a card are called for people, by name: as in "sunk_3" -> "sunk (Ferry)"."""
    columns = (*game.game_columns, *game.seat_columns)
    titles = {column.name: column.title(tables.titles) for column in columns}
    return {name: f"{words(name.rpartition('_')[0])} ({title})" for name, title in titles.items() if title}


def _bare(value: Any) -> str:
    return value if isinstance(value, str) else toml_value(value)


def toml_key(key: str) -> str:
    """A key as TOML writes it: in quotes where it needs them."""
    bare = key and all(c.isascii() and (c.isalnum() or c in "_-") for c in key)
    return key if bare else toml_value(key)


def toml_value(value: Any) -> str:
    """A plain value (text, number, true or false, date, list, table) as TOML. Raises TypeError for anything
    else.
    """
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and value.bit_length() > 10_000:
        # Python writes no number of thousands of digits in decimals
        return f"{'-' if value < 0 else ''}{abs(value):#x}"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{toml_key(k)} = {toml_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, date | time):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no form in TOML")
