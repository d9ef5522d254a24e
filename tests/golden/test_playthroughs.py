"""Whole combats, told in words, are as they were."""

from __future__ import annotations

import pytest

from tests.golden.regenerate import FOLDER, PLAYED, playthrough


@pytest.mark.parametrize("name", sorted(PLAYED))
def test_a_playthrough_is_as_it_was(name: str) -> None:
    """A change of a rule, a card or a bot shows here; `python -m tests.golden.regenerate` takes it over."""
    assert playthrough(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_no_playthrough_is_missing_or_left_over() -> None:
    """One file for each listed game."""
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(PLAYED)
