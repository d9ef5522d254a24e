"""Every row of effect that the checks accept does something: cards with it play other games than cards without."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from simcore.game import Tables, play
from simcore.kernels import row_of
from simcore.mech import cards
from simcore.mech.tables import KIND, WHAT, WHEN, WHOM
from tests.property.crews import GAME, Table, accepted, crew

GAMES = 300
NOTHING = WHAT["unarmed"]
"""A term at the moment of a deed: nobody does anything with it."""

ORDERS = {"harrow": 1, "scourge": 2, "bomb": 2}
"""Whose orders they are, and the boss that is fought."""

MANY = {"remote": 5, "revive_cost": -1, "noise": 2, "fuel_cost": 2, "hull": -1, "health": -1}


def table_of(kind: str, boss: int) -> Table:
    """A table at which all kinds of cards come up: a strong crane, early events, enough Hull and Health."""
    sets = {"mech.hull": "60", "mech.crane_cards": "6", "mech.crane_uses": "6", "mech.milestones": "[2, 5]"}
    if boss:
        sets |= {"mech.goal": "1", "mech.milestones": "[50, 60]"}
    who = ("brute", "doctor", "mechanic", "deadeye")
    noise = -4 if boss else -1
    table = crew(*who, sets=sets, events=int(kind == "event"), boss=boss, extra_noise=noise, most_rounds=25)
    return table if boss else replace(table, bots=("regular", "random") * 2 + ("random",))


@cache
def laid(kind: str, boss: int) -> tuple[Table, Tables]:
    """Such a table with its tables, made once."""
    table = table_of(kind, boss)
    return table, table.tables()


def texts_of(data: Any, kind: str, order: str) -> list[Any]:
    """The texts of all cards of a kind; for orders: of one boss."""
    if kind == "order":
        rows = [row for row in data.order[: data.orders] if row.boss == cards.BOSSES.index(order)]
    elif kind in cards.SALVAGE:
        rows = [row for row in data.card[: data.cards] if row.kind == KIND[kind]]
    else:
        rows = list(getattr(data, kind))
    return [row.text for row in rows]


def played(kind: str, order: str, row: tuple[str, int, str, int]) -> bytes:
    """Games in which all cards of a kind have this (when, what, whom, many) beside what they have."""
    table, bare = laid(kind, ORDERS.get(order, 0))
    tables = replace(bare, data=row_of(bare.data).copy()[0])
    data = tables.data
    data.card["rooms"][data.card["kind"] == KIND["upgrade"]] = sum(1 << room for room in range(1, 13)) - 2 - 16
    data.ability["action"], data.ability["once"] = 0, 1
    for text in texts_of(data, kind, order):
        effect = text.effect[text.effects]
        text.effects += 1
        text.uses += int(row[0] == "use")
        effect.when, effect.what, effect.whom, effect.many = WHEN[row[0]], row[1], WHOM[row[2]], row[3]
    if row[0] == "standing" and kind == "enemy" and row[1] != NOTHING:
        for enemy in data.enemy[: data.enemies]:
            name = cards.WHAT[row[1]]
            enemy[name] += 0 if enemy.harmless else row[3]
    return bytes(play(GAME, tables, table.seats(tables), table.root, 0, GAMES).tobytes())


def dead_rows(kind: str, order: str = "") -> list[tuple[str, str, str]]:
    """The rows that change no game; a deed is compared with a card that is used and does nothing."""
    base = {when: played(kind, order, (when, NOTHING, "self", 0)) for when in cards.MOMENTS[kind]}
    return [
        (when, what, whom)
        for when, what, whom in accepted(kind, order)
        if played(kind, order, (when, WHAT[what], whom, MANY.get(what, 1))) == base[when]
    ]


@pytest.mark.parametrize("kind", cards.HOLDERS[:-1])
def test_every_row_that_is_accepted_changes_games(kind: str) -> None:
    assert dead_rows(kind) == []


@pytest.mark.parametrize("order", ORDERS)
def test_every_row_of_an_order_changes_games(order: str) -> None:
    assert dead_rows("order", order) == []
