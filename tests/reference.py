"""The reference packs of the games, each read and checked once in a process: that takes longer than most tests."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from simcore import packs
from simcore.game import find_game


@cache
def _whole(game: str) -> packs.Pack:
    return packs.load(find_game(game).schema)


def reference(game: str, sets: Mapping[str, str] | None = None) -> packs.Pack:
    """The reference pack of a game by its name, with values over it by path as for `packs.load`."""
    return _whole(game).changed(sets) if sets else _whole(game)
