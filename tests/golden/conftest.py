"""The fixture of the golden tests: the rules, uncompiled."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults import Rules, rules_at_hand


@pytest.fixture
def rules() -> Iterator[Rules]:
    """Give the rules of all games, uncompiled, and sound unless a fault was planted; see tests/faults.py."""
    rules = rules_at_hand()
    with rules.in_force():
        yield rules
