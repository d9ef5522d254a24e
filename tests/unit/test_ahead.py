"""Compiling a solver ahead: once, each part by itself, and never in the way."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from experiments import ahead
from simcore.game import find_game

FIGHT = find_game("knights.fight")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Any]:
    """The processes that are started, none of which runs; with a cache that is empty."""
    started: list[Any] = []
    monkeypatch.setattr(ahead, "cache_folder", lambda package: tmp_path)
    monkeypatch.setattr(subprocess, "run", lambda line, **_: started.append(line))
    return started


def test_each_part_is_compiled_once_in_a_process_of_its_own(asked: list[Any]) -> None:
    ahead.compile_ahead(FIGHT)
    assert asked == [ahead.line_for("knights.fight", part) for part in ahead.PARTS]
    ahead.compile_ahead(FIGHT)
    assert len(asked) == len(ahead.PARTS)


def test_what_fails_is_left_to_where_it_is_needed(monkeypatch: pytest.MonkeyPatch, asked: list[Any]) -> None:
    def fails(line: Any, **_: Any) -> None:
        asked.append(line)
        raise subprocess.TimeoutExpired(line, 1)

    monkeypatch.setattr(subprocess, "run", fails)
    ahead.compile_ahead(FIGHT)
    assert len(asked) == len(ahead.PARTS)


@pytest.mark.parametrize("part", ahead.PARTS)
def test_a_part_solves_what_it_says(monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    solved: list[tuple[str, ...]] = []

    class Opened:
        modes = ("random", "regular")

        def solve(self, modes: tuple[str, ...]) -> None:
            solved.append(modes)

    monkeypatch.setattr("experiments.exact.Solving.open", lambda self, lineup: Opened())
    ahead.compile_part(FIGHT, part)
    assert solved == {"open": [], "best": [("best", "best")], "bots": [("random",) * 2, ("regular",) * 2]}[part]
