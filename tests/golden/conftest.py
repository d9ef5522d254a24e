"""The fixture of the golden tests: the rules, uncompiled."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults import Rules, sound


@pytest.fixture
def rules() -> Iterator[Rules]:
    """The rules of all games, uncompiled and without a fault; see tests/faults.py."""
    with sound().in_force():
        yield sound()
