"""What a luck card adds to a combat: solved and played, which must agree; the solver is compiled as in
`test_exact_commands`.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

from experiments.exact_extra import Extra, Gain
from experiments.pairs import DRAWN, VALUES
from simcore.game import SHARE
from tests.unit.test_exact_commands import ask

ONE = ("--role", "mel_gearson", "--role", "hell_raiders")


def test_luck_cards_add_what_is_played_and_never_less_than_nothing() -> None:
    found = json.loads(ask("luck", *ONE, "--games", "4000", "--json").stdout)["cards"]
    cards = {one["card"]: one for one in found}
    assert "get_down" in cards and "witness_me" not in cards
    solved = [one for one in found if one["value"] is not None]
    assert {one["card"] for one in found if one not in solved} == {"faster_faster", "sand_in_the_eyes", "second_try"}
    assert all(one["games"] == 4000 and one["value"] >= 0 and one["most"] == one["value"] for one in solved)
    ends = [(one["low"], one["high"]) if one["low"] is not None else (0.0, 0.0) for one in solved]
    assert all(low - 0.01 < one["win"] < high + 0.01 for one, (low, high) in zip(solved, ends, strict=True))
    assert all(one["low"] > 0 for one in found if one not in solved)
    assert cards["get_down"]["low"] > 0.05 and cards["get_down"]["where"] == ["mel_gearson", "hell_raiders"]


def test_a_card_that_helps_more_adds_more_and_one_that_does_nothing_nothing() -> None:
    """Radiation is 0 as a combat starts: nobody needs clean rain, unless the table says so."""
    armor = "luck.get_down.effects=[{ when = 'any_time', what = 'armor', whom = 'self', many = 2 }]"
    asked = ("luck", *ONE, "--games", "0", "--json")
    before, after = (
        {one["card"]: one for one in json.loads(ask(*asked, *sets).stdout)["cards"]} for sets in ((), ("--set", armor))
    )
    assert before["get_down"]["value"] < after["get_down"]["value"] and before["get_down"]["played"] is None
    assert before["clean_rain"]["value"] == 0 and before["aim_low"] == after["aim_low"]


def test_in_words() -> None:
    told = ask("luck", *ONE, "--games", "200").stdout
    assert "Sand in the Eyes" in told and "nothing to do in it: All Night on the Road, Witness Me!" in told
    assert "played: 200 games with each card" in told


def test_gains_over_lineups_are_counted() -> None:
    counts = np.zeros((VALUES, VALUES), np.int64)
    counts[0, SHARE], counts[SHARE, 0], counts[DRAWN, SHARE], counts[SHARE, SHARE] = 3, 1, 2, 4
    extra = Extra("ace")
    extra.add(Gain("ace", ("a", "b"), 0.1, 0.2, counts))
    extra.add(Gain("ace", ("a", "c"), 0.3, 0.0, counts))
    gained, low, high = extra.gained()
    assert gained == pytest.approx(0.4) and low < 0.4 < high
    assert extra.plain() | {"low": 0, "high": 0} == {
        "card": "ace", "lineups": 2, "value": 0.2, "win": 0.1, "most": 0.3, "where": ("a", "c"), "games": 20,
        "played": 0.4, "low": 0, "high": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("luck", "--game", "knights.duel"), "which has no such cards"),
        (("combat", "--knight", "mel_gearson", "--enemy", "hell_raiders", "--set", "table.luck_card=20"), "at most 18"),
    ],
)
def test_mistakes_are_told(args: tuple[str, ...], told: str) -> None:
    result = ask(*args)
    assert result.exit_code == 2 and not result.stdout and told in result.stderr
