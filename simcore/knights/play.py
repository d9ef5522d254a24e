"""The only loop over games: combats of a knight against an enemy, and duels of two knights."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.game import OVERFLOW
from simcore.kernels import entry, index, inlined, row_of
from simcore.knights.combat import fight
from simcore.knights.gear import arm
from simcore.knights.state import ATTACK, BY_BOOK, CHANGE, DEFEND, FIGHT, MULTI, PREPARE
from simcore.streams import STREAM, word


def play_fights(t: Any, seats: Any, root: Any, first: int, stop: int, out: Any, journal: Any = None) -> None:
    """Combats first..stop-1 of a knight (seat 0) against an enemy (seat 1) into `out`; see simcore.game.play."""
    play_by_book(t, seats, root, (first, stop), out, journal, 0)


def play_duels(t: Any, seats: Any, root: Any, first: int, stop: int, out: Any, journal: Any = None) -> None:
    """Duels first..stop-1 into `out`, the first player of a seating being the active knight (K1F-32)."""
    play_by_book(t, seats, root, (first, stop), out, journal, 1)


def play_by_book(t: Any, seats: Any, root: Any, games: tuple[int, int], out: Any, journal: Any, duel: int) -> None:
    """Play without a book, and only if a bot wants one have it written: most runs compile no code that reads it."""
    first, stop = games
    if play_combats(row_of(t), seats, root, first, stop, out, journal, (duel, None)):
        from simcore.knights.book import written

        play_combats(row_of(t), seats, root, first, stop, out, journal, (duel, written(t, seats, duel)))


@entry
def play_combats(tables, seats, root, first, stop, out, journal, rules):  # type: ignore[no-untyped-def]
    """Both kinds of combat. Each seating is armed once, as gear and cards don't change between its games.

    rules: (1 for duels, the book of solved play or None). Answers True, and plays nothing, if it lacks a book."""
    duel, book = rules
    t, s, streams = tables[0], np.empty(len(seats), FIGHT), np.zeros(1, STREAM)
    for k in range(len(seats)):
        arm(s[k], t, seats[k], duel)
        if book is None and wants_book(s[k]):
            return True
    turn = first % len(seats)
    for game in range(first, stop):
        k = index(turn)
        streams[0].game = word(root, game)
        fight(s[k], t, streams[0], journal, book)
        write_outcome(s[k], seats[k], out[index(game - first)])
        turn = turn + 1 if turn + 1 < len(seats) else 0
    return False


@inlined
def wants_book(s):  # type: ignore[no-untyped-def]
    """Whether one of the two plays by the book."""
    return s.fighter[0].weighs == BY_BOOK or s.fighter[1].weighs == BY_BOOK


@inlined
def write_outcome(s, seats, out):  # type: ignore[no-untyped-def]
    """What a combat came to, by seat."""
    out.ending = OVERFLOW if s.overflow == 1 else s.ending
    out.rounds = s.rounds
    out.start_range, out.end_range = s.start_range, s.range
    for x in range(2):
        seat = index(seats.first ^ x)
        side, foe, result = s.side[x], s.side[1 - x], out.seat[seat]
        result.role = seats.role[seat]
        won, lost = s.winner == x, s.winner == 1 - x
        result.place = 2 if lost else 1
        result.share = 60 if won else (0 if lost else 30)
        result.score = foe.health_lost + foe.other_lost
        result.health_lost, result.health_left, result.radiation = side.health_lost, side.health, side.radiation
        copy_counts(result, side)
        result.dominance = s.marker if x == 0 else -s.marker


@inlined
def copy_counts(result, side):  # type: ignore[no-untyped-def]
    """Numbers that stand in one order here and there, so that the compiler copies many at once."""
    result.healed, result.ammo_spent, result.fuel_spent, result.cards_used = (
        side.healed,
        side.ammo_spent,
        side.fuel_spent,
        side.discarded,
    )
    (
        result.vehicle_damage, result.stopped, result.reputation, result.green, result.yellow, result.red,
        result.attack_checks, result.hits, result.beat,
    ) = (
        side.vehicle, side.stopped, side.reputation, side.green, side.yellow, side.red,
        side.attacks, side.hits, side.beat,
    )  # fmt: skip
    result.attack, result.multi_attack, result.prepare, result.change_range, result.defend = (
        side.played[ATTACK],
        side.played[MULTI],
        side.played[PREPARE],
        side.played[CHANGE],
        side.played[DEFEND],
    )
