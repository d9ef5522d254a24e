"""Replays of fights and duels hold all that a referee needs (FK16): their end is derived from their text alone."""

from __future__ import annotations

import re
from typing import Any

import pytest

from simcore.game import find_game, replay, seatings
from simcore.packs import load
from simcore.streams import root
from tests.combat_referee import Combat, of_pack

GAMES = {name: find_game(name) for name in ("knights.fight", "knights.duel")}
PACK = load(GAMES["knights.fight"].schema)
COMBAT = PACK.cards["combat"][""]
KNIGHTS, ENEMIES = list(PACK.cards["knight"]), list(PACK.cards["enemy"])


def stride_of(card: Any) -> int:
    """Steps of Change Range by what stands on a card."""
    return 1 + sum(row.many for row in card.effects if (row.when, row.what, row.whom) == ("standing", "stride", "self"))


def told(name: str, lineup: tuple[str, str], bot: str, index: int) -> tuple[list[str], Any]:
    """The replay of one game, and its outcome."""
    game = GAMES[name]
    tables = game.load(PACK, {setting.name: setting.default for setting in game.settings})
    row = seatings(game, tables, lineup, {side.bot: bot for side in game.sides}, "none")
    outcome, story = replay(game, tables, row, root(3, 0), index)
    return story, outcome


def follow(name: str, lineup: tuple[str, str], story: list[str], outcome: Any) -> Combat:
    """Read a replay, and compare its end with the outcome."""
    duel = name == "knights.duel"
    cards = [PACK.cards["knight"][lineup[0]], PACK.cards["knight" if duel else "enemy"][lineup[1]]]
    full = {"Ammo": 4, "Fuel": 4, "Radiation": 0}
    referee = Combat(
        of_pack(COMBAT), COMBAT.start_range,
        tops=(4, 4 if duel else cards[1].health), dials=(dict(full), dict(full)),
        strides=(stride_of(cards[0]), stride_of(cards[1])), ferocious=not duel and cards[1].ferocious,
    )  # fmt: skip
    for line in story:
        referee.read(line)
    assert referee.ended, "a replay says how the combat ended"
    for x, seat in enumerate(outcome.seat):
        assert referee.health[x] == seat.health_left
        assert (referee.spent["Ammo"][x], referee.spent["Fuel"][x]) == (seat.ammo_spent, seat.fuel_spent)
        assert referee.marker * (1 if x == 0 else -1) == seat.dominance
    assert referee.range == ("short", "medium", "long")[int(outcome.end_range)] and referee.clash == outcome.rounds
    return referee


LINEUPS = [
    (name, (KNIGHTS[i], (KNIGHTS[(i + 3) % len(KNIGHTS)] if name == "knights.duel" else ENEMIES[3 * i])), bot, i)
    for name in GAMES
    for i, bot in enumerate(["random", "regular", "strong", "random", "regular"] * 2)
]


@pytest.mark.parametrize(("name", "lineup", "bot", "index"), LINEUPS)
def test_a_referee_derives_the_combat_from_the_replay(name: str, lineup: tuple[str, str], bot: str, index: int) -> None:
    """FK16: Health, what was paid, dominance, range and winner, for ten fights and ten duels."""
    follow(name, lineup, *told(name, lineup, bot, index))


@pytest.mark.parametrize("line", [r"loses \d Health", r"spends \d", r"(advance|retreat)s\.", "Clash 2", "By a card of"])
def test_a_replay_without_a_kind_of_lines_does_not_add_up(line: str) -> None:
    """FK16: each kind of line is needed: some replay of the ten fights and duels no longer adds up without it."""
    noticed = 0
    for name, lineup, bot, index in LINEUPS:
        story, outcome = told(name, lineup, bot, index)
        kept = [text for text in story if not re.search(line, text)]
        try:
            follow(name, lineup, kept, outcome)
        except (AssertionError, KeyError, ValueError):
            noticed += 1
    assert noticed >= 2
