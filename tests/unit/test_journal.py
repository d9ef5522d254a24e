"""The journal: notes for people, and nothing at all when silent."""

from __future__ import annotations

import numba
import pytest

from simcore.journal import Journal, Note, note


@numba.njit
def story(journal, a):
    note(journal, 7)
    note(journal, 8, a, 2)
    return a + 1


def test_notes_are_kept_in_order() -> None:
    journal = Journal()
    assert story.py_func(journal, 3) == 4
    assert journal == [Note(7, 0, 0, 0, 0), Note(8, 3, 2, 0, 0)]


def test_silence_costs_nothing_and_changes_nothing() -> None:
    assert story.py_func(None, 3) == story(None, 3) == 4


def test_a_kernel_takes_no_journal() -> None:
    with pytest.raises(numba.core.errors.NumbaError):
        story([Note(1, 0, 0, 0, 0)], 3)
