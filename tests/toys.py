"""Five small games that keep the contract and have nothing to do with any book: experiments must run them
unchanged.

In `toy.fight` a runner meets a hound: each throws some dice of its own, the higher sum wins, a sum higher by
`rout` or more is a rout. In `toy.duel` two runners do the same, and whoever sits first has a point more. In `toy.ring`
there are three, and whoever sits right after the pack's first runner has two points more. In two more all throwers,
hounds too, are of one side, and seats may stay empty: `toy.table` is such a ring of two to four rivals; in `toy.crew`
one to four throw together, and win if their sum is seven each, or more.
`register()` puts them into the list of games.
"""

from __future__ import annotations

import json
from dataclasses import replace
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
    ("after", np.int64),
    ("throws", np.int64),
    ("runners", np.int64),
    ("goal", np.int64),
)
_STATE = record(("pips", np.int64, 4), ("bold", np.int64, 4))


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


def _load(rivals: int, after: int, goal: int) -> Any:
    def load(pack: packs.Pack, settings: Any) -> Tables:
        data = blank(_TABLES)
        for kind in ("runner", "hound"):
            for row, card in zip(data[kind], pack.cards[kind].values(), strict=False):
                row.dice, row.sides = card.dice, card.sides
        data.rout, data.rivals = pack.cards["rules"][""].rout, rivals
        data.throws, data.after, data.goal = settings["throws"], after, goal
        roles = {
            f"{kind}s": tuple(Role(slug, card.title) for slug, card in pack.cards[kind].items())
            for kind in ("runner", "hound")
        }
        data.runners = len(roles["runners"])
        return Tables(data, roles | {"throwers": roles["runners"] + roles["hounds"]}, ("timid", "regular", "bold"))

    return load


@kernel
def throw(s, t, stream, seat, role, bot, options):  # type: ignore[no-untyped-def]
    """One throw of a seat: the bold ones throw one die less or one more, as chance has it."""
    if t.rivals or t.goal > 0:
        who = t.runner[role] if role < t.runners else t.hound[role - t.runners]
    else:
        who = t.runner[role] if seat == 0 else t.hound[role]
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
    seats = 0
    for seat in range(len(out.seat)):
        seats += row.role[seat] >= 0
        out.seat[seat].role, out.seat[seat].place, out.seat[seat].share = -1, 1, 0
        out.seat[seat].score, out.seat[seat].bold = 0, 0
    for seat in range(seats):
        s.pips[seat], s.bold[seat] = 0, 0
        for _ in range(t.throws):
            throw(s, t, stream, seat, row.role[seat], row.bot[seat], options)
        note(journal, seat, s.pips[seat])
    s.pips[0] += t.rivals
    for seat in range(seats):
        if row.role[seat] == 0:
            s.pips[(seat + 1) % seats] += t.after
    first, second, many = standing(s.pips, seats)
    out.ending = (ROUT if first - second >= t.rout else 0) if many == 1 else (2 if many == seats else 1)
    out.rounds, out.lead = t.throws, first - second
    if t.goal > 0:
        out.lead = s.pips[:seats].sum() - t.goal * t.throws * seats
        out.ending = 0 if out.lead >= 0 else 3
    for seat in range(seats):
        sits = out.seat[seat]
        sits.role, sits.score, sits.bold = row.role[seat], s.pips[seat], s.bold[seat]
        won = s.pips[seat] == first if t.goal == 0 else out.lead >= 0
        sits.share = (60 // many if t.goal == 0 else 60) if won else 0
        sits.place = 1 if won or t.goal > 0 else 2


@kernel
def standing(pips, seats):  # type: ignore[no-untyped-def]
    """The highest sum, the next one, and how many seats have the highest."""
    first, second, many = -1, -1, 0
    for seat in range(seats):
        if pips[seat] > first:
            first, second, many = pips[seat], first, 1
        else:
            second = max(second, pips[seat])
            many += pips[seat] == first
    return first, second, many


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


def _game(
    name: str,
    title: str,
    sides: tuple[Side, ...],
    rivals: int,
    after: int = 0,
    solver: str = "",
    goal: int = 0,
    rotate: str = "all",
) -> Game:
    return Game(
        name=name,
        title=title,
        sides=sides,
        endings=(*STANDARD_ENDINGS, Ending("rout", "won", "one seat is far ahead")),
        game_columns=(Column("lead", "points", "by how much the winner is ahead"),),
        seat_columns=(Column("bold", "throws", "bold throws"),),
        settings=(Setting("throws", 1, 1, 20, "how often each throws"),),
        schema=SCHEMA,
        load=_load(rivals, after, goal),
        play_range=play_range,
        tell=_tell,
        solver=solver,
        rotate=rotate,
        crew=goal > 0,
    )


SOLVER = "tests.toy_solver:Throws"
GAMES = {
    "toy.fight": _game(
        "toy.fight", "Toy fight", (Side("runners", "runner", 1), Side("hounds", "hound", 1)), rivals=0, solver=SOLVER
    ),
    "toy.duel": _game("toy.duel", "Toy duel", (Side("runners", "runner", 2),), rivals=1, solver=SOLVER),
    "toy.ring": _game("toy.ring", "Toy ring", (Side("runners", "runner", 3),), rivals=1, after=2),
    "toy.table": _game("toy.table", "Toy table", (Side("throwers", "runner", 4, least=2),), rivals=1, after=2),
    "toy.crew": _game(
        "toy.crew",
        "Toy crew",
        (Side("throwers", "runner", 4, least=1),),
        rivals=0,
        goal=7,
        rotate="cyclic",
    ),
}


# ---------------------------------------------------------------- toys that break the contract

MOST_PIPS = 99
"""Room for pips: a capacity that a game never comes up against."""


def uncompiled(play: Any) -> Any:
    """Rules that are never compiled, and are found by `simcore.kernels.plain` all the same."""
    play.py_func = play
    return play


@uncompiled
def counts_from_the_chunk(tables, seats, root, first, stop, out, journal=None):  # type: ignore[no-untyped-def]
    """Each chunk plays the first games over again."""
    play_range(tables, seats, root, 0, stop - first, out, journal)


@uncompiled
def remembers(tables, seats, root, first, stop, out, journal=None):  # type: ignore[no-untyped-def]
    """A game has the score of the one before it added."""
    play_range(tables, seats, root, first, stop, out, journal)
    for i in range(1, stop - first):
        out[i].seat[0].score += out[i - 1].seat[0].score


@uncompiled
def knows_the_lineup(tables, seats, root, first, stop, out, journal=None):  # type: ignore[no-untyped-def]
    """Who is written first in the lineup leads by more."""
    play_range(tables, seats, root, first, stop, out, journal)
    for i in range(stop - first):
        out[i].lead += seats[0].member[0]


@uncompiled
def reads_fresh_memory(tables, seats, root, first, stop, out, journal=None):  # type: ignore[no-untyped-def]
    """Takes it that fresh memory is empty."""
    play_range(tables, seats, root, first, stop, out, journal)
    for i in range(stop - first):
        out[i].lead += np.zeros(1, np.int64)[0]


@uncompiled
def is_another_one_when_compiled(tables, seats, root, first, stop, out, journal=None):  # type: ignore[no-untyped-def]
    """Compiled rules give a point more."""
    play_range(tables, seats, root, first, stop, out, journal)
    for i in range(stop - first):
        out[i].lead += int(hasattr(play_game, "py_func"))


@uncompiled
def cuts_off_in_silence(tables, seats, root, first, stop, out, journal=None):  # type: ignore[no-untyped-def]
    """Pips that have no room are lost without a word."""
    play_range(tables, seats, root, first, stop, out, journal)
    for i in range(stop - first):
        out[i].seat[0].score = min(out[i].seat[0].score, MOST_PIPS)


FAULTY = {
    play.__name__.replace("_", " "): replace(GAMES["toy.fight"], play_range=play)
    for play in (
        counts_from_the_chunk, remembers, knows_the_lineup, reads_fresh_memory, is_another_one_when_compiled,
        cuts_off_in_silence,
    )
}  # fmt: skip
FAULTY["declares a count a flag"] = replace(
    GAMES["toy.fight"], seat_columns=(Column("bold", "throws", "1 for the bold", flag=True),)
)
"""Toy fights, each of which breaks one promise of the contract (tests/contract)."""


ODD = {
    "NA": "W" * 64,
    "null": "null",
    "a, b": "<script>alert(1)</script>, \"b\" & 'c'; {{ 7 * 7 }}",
    "Größe": "Größe Ümläut ñ 漢字 عربى",
    "\U0001f600": "\U0001f600 $x_1^2$ \\frac %s",
}
"""Slugs and titles of runners that are easily lost or broken on their way."""


def odd_layer() -> str:
    """A layer of TOML that adds runners of these names to a pack."""
    card = "[runner.{}]\ntitle = {}\ndice = 2\nsides = 6\nfrom = {{ assumed = 'odd' }}\n"
    names = [[json.dumps(name, ensure_ascii=False) for name in pair] for pair in ODD.items()]
    return "\n".join(card.format(slug, title) for slug, title in names)


def register() -> None:
    """Put the toys into the list of games, so that configs can name them."""
    ALL_GAMES.update(dict.fromkeys(GAMES, "tests.toys"))
