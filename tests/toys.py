"""Two small games that keep the contract and have nothing to do with any book: experiments must run them
unchanged.

In `toy.fight` a runner meets a hound: each throws some dice of its own, the higher sum wins, a sum higher by
`rout` or more is a rout. In `toy.duel` two runners do the same, and whoever sits first has a point more.
`register()` puts them into the list of games.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from simcore import packs
from simcore.bots import choose_evenly
from simcore.game import GAMES as ALL_GAMES
from simcore.game import STANDARD_ENDINGS, Column, Ending, Game, Role, Setting, Side, Tables
from simcore.journal import note
from simcore.kernels import blank, entry, kernel, record
from simcore.streams import BOT, DICE, STREAM, at, bounded, word

CAPACITY = 8
_RUNNER = record(("dice", np.int64), ("sides", np.int64))
_TABLES = record(
    ("runner", _RUNNER, CAPACITY),
    ("hound", _RUNNER, CAPACITY),
    ("rout", np.int64),
    ("rivals", np.int64),
    ("throws", np.int64),
)
_STATE = record(("pips", np.int64, 2), ("bold", np.int64, 2))


class Thrower(packs.Card):
    """A role: it throws `dice` dice of `sides` sides."""

    title: packs.Title
    dice: Annotated[int, Field(ge=1, le=5)]
    sides: Annotated[int, Field(ge=2, le=20)]


class Rules(packs.Card):
    """By how much a sum must be higher for a rout."""

    rout: Annotated[int, Field(ge=1, le=50)]


SCHEMA = packs.Schema(
    game="toy",
    folder=Path(__file__).parent / "toy_packs",
    kinds={
        "runner": packs.Kind(Thrower, CAPACITY, least=1),
        "hound": packs.Kind(Thrower, CAPACITY, least=1),
        "rules": packs.Kind(Rules, single=True),
    },
)
ROUT = len(STANDARD_ENDINGS)


def _load(rivals: int) -> Any:
    def load(pack: packs.Pack, settings: Any) -> Tables:
        data = blank(_TABLES)
        for kind in ("runner", "hound"):
            for row, card in zip(data[kind], pack.cards[kind].values(), strict=False):
                row.dice, row.sides = card.dice, card.sides
        data.rout, data.rivals = pack.cards["rules"][""].rout, rivals
        data.throws = settings["throws"]
        roles = {
            f"{kind}s": tuple(Role(slug, card.title) for slug, card in pack.cards[kind].items())
            for kind in ("runner", "hound")
        }
        return Tables(data, roles, ("timid", "regular", "bold"))

    return load


@kernel
def throw(s, t, stream, seat, role, bot, options):  # type: ignore[no-untyped-def]
    """One throw of a seat: the bold ones throw one die less or one more, as chance has it."""
    who = t.runner[role] if seat == 0 or t.rivals else t.hound[role]
    dice = who.dice
    if bot == 2:
        dice += choose_evenly(stream, options, 2, at(stream, BOT + seat, 0))
        s.bold[seat] += 1
    key = at(stream, DICE, seat)
    for i in range(dice):
        s.pips[seat] += bounded(word(key, i), who.sides) + 1


@kernel
def play_game(s, t, stream, journal, row, out, options):  # type: ignore[no-untyped-def]
    """One game, from the first throw to its outcome."""
    for seat in range(2):
        s.pips[seat], s.bold[seat] = 0, 0
        for _ in range(t.throws):
            throw(s, t, stream, seat, row.role[seat], row.bot[seat], options)
        note(journal, seat, s.pips[seat])
    s.pips[0] += t.rivals
    lead = s.pips[0] - s.pips[1]
    out.ending = 2 if lead == 0 else (ROUT if abs(lead) >= t.rout else 0)
    out.rounds, out.lead = t.throws, abs(lead)
    for seat in range(2):
        ahead = lead if seat == 0 else -lead
        sits = out.seat[seat]
        sits.role, sits.score, sits.bold = row.role[seat], s.pips[seat], s.bold[seat]
        sits.share = 60 if ahead > 0 else (30 if ahead == 0 else 0)
        sits.place = 1 if ahead >= 0 else 2


@entry
def play_range(tables, seats, root, first, stop, out, journal=None):  # type: ignore[no-untyped-def]
    """Games first..stop-1, as the contract asks."""
    memory, streams = np.zeros(1, _STATE), np.zeros(1, STREAM)
    options = np.array([-1, 1])
    for g in range(first, stop):
        streams[0].game = word(root, g)
        play_game(memory[0], tables, streams[0], journal, seats[g % len(seats)], out[g - first], options)


def _tell(tables: Tables, row: Any, journal: Any, outcome: Any) -> list[str]:
    return [f"seat {noted.what + 1} throws {noted.a}" for noted in journal]


def _game(name: str, title: str, sides: tuple[Side, ...], rivals: int) -> Game:
    return Game(
        name=name,
        title=title,
        sides=sides,
        endings=(*STANDARD_ENDINGS, Ending("rout", "won", "one seat is far ahead")),
        game_columns=(Column("lead", "points", "by how much the winner is ahead"),),
        seat_columns=(Column("bold", "throws", "bold throws"),),
        settings=(Setting("throws", 1, 1, 20, "how often each throws"),),
        schema=SCHEMA,
        load=_load(rivals),
        play_range=play_range,
        tell=_tell,
    )


GAMES = {
    "toy.fight": _game("toy.fight", "Toy fight", (Side("runners", "runner", 1), Side("hounds", "hound", 1)), rivals=0),
    "toy.duel": _game("toy.duel", "Toy duel", (Side("runners", "runner", 2),), rivals=1),
}


def register() -> None:
    """Put the toys into the list of games, so that configs can name them."""
    ALL_GAMES.update(dict.fromkeys(GAMES, "tests.toys"))
