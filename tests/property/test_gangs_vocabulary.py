"""Every row of effect, price and reading that the checks accept does something: gangs that have it play other games."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from simcore.game import play
from simcore.gangs import cards
from simcore.gangs.tables import PAY, WHAT, WHO, WHOM
from tests.property.gangs import GAME, GANGS, Row, accepted, gangs

GAMES = 60
NOTHING: Row = ("standing", "might", "self", "me")
SLAVES: Row = ("summon", "slaves", "own_lair", "me")
REPEAT: Row = ("summon", "repeat", "own_lair", "me")
IDLE: Row = ("summon", "home", "self", "me")
"""A deed that is none: at a Summon nobody can go home. Its follower can be asked to do it, all the same."""


def played(row: Row, many: int = 1, pay: str = "nothing", other: Row | None = None) -> bytes:
    """Games in which all followers have this row and nothing else; mercenaries another one, if there is one."""
    table = gangs(*GANGS[:3])
    tables = table.tables()
    seats, data = table.seats(tables), tables.data
    seats["bot"][:, 1:] = tables.bots.index("random")
    for place, card in enumerate(data.card[: data.cards]):
        give(card, other if other and place >= data.raiders else row, many, pay)
    return bytes(play(GAME, tables, seats, table.root, 0, GAMES).tobytes())


def give(card: Any, row: Row, many: int, pay: str) -> None:
    """Give a follower one row in the place of all."""
    when, what, whom, who = row
    for name in ("effects", "falls", "summons", "ambushes", "asks", "might", "guard", "frenzy", "grabs", "strips"):
        card[name] = 0
    card.pay, card.times, card.repeats, card.agains = PAY[pay], 1, int(what == "repeat"), int(what == "again")
    if when == "standing":
        card[what] = many
    deed = card.fall[0] if when == "knocked_out" else card.effect[0]
    deed.what, deed.whom, deed.who, deed.many = WHAT[what], WHOM[whom], WHO[who], many
    card.falls, card.effects = int(when == "knocked_out"), int(when in ("summon", "ambush"))
    card.summons, card.ambushes = int(when == "summon"), int(when == "ambush")


@pytest.mark.parametrize("when", cards.WHEN)
def test_every_row_that_is_accepted_changes_games(when: str) -> None:
    rows = [row for row in accepted(when) if row != REPEAT]
    games = {played(row): row for row in rows}
    assert list(games.values()) == rows, "two rows that do the same"
    assert played(NOTHING, 0) not in games


def test_a_summon_that_is_repeated_changes_games() -> None:
    assert REPEAT in accepted("summon")
    assert played(REPEAT, other=SLAVES) != played(IDLE, other=SLAVES)


def test_every_price_changes_games() -> None:
    ambush = ("ambush", "slaves", "here", "me")
    for row, fewer in ((SLAVES, {"fodder"}), (ambush, set())):
        prices = [pay for pay in cards.PAY if pay not in fewer]
        assert len({played(row, pay=pay) for pay in prices}) == len(prices)


SCARCE = {"rules.fodder": "6", "rules.slaves": "3"}
"""Little fodder, so that it matters which kind is gone."""


@pytest.mark.parametrize("ruling", cards.Ruling.model_fields)
def test_every_reading_changes_games(ruling: str) -> None:
    readings = get_args(cards.Ruling.model_fields[ruling].annotation)
    lineup = ("unshakeable", "slave_traders") if ruling.startswith("fa") or ruling == "fodder_cards" else GANGS[2:]
    sets = [{f"ruling.{ruling}": f'"{one}"'} | (SCARCE if ruling == "fodder_cards" else {}) for one in readings]
    games = [gangs(*lineup, bot="random", sets=one).play(0, 400).tobytes() for one in sets]
    assert len(set(games)) == len(readings)
