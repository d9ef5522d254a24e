"""The only loop over rounds, and the only loops over games: seasons, and single cruises."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.game import OVERFLOW, SHARE
from simcore.journal import note
from simcore.kernels import entry, kernel
from simcore.streams import BOT, DICE, STREAM, at, word
from simcore.voyage.decks import count_bits
from simcore.voyage.harbour import cost_of, return_ships
from simcore.voyage.sea import sail
from simcore.voyage.setup import sailed_by, set_up, set_up_cruise
from simcore.voyage.state import STATE
from simcore.voyage.tables import SEATS
from simcore.voyage.tell import CRUISES, ENDS, ROUND_OF
from simcore.voyage.turn import take_turn

WON, SHARED, LOST_BY_ALL = 0, 1, 3


def play_range(t: Any, seats: Any, root: Any, first: int, stop: int, out: Any, journal: Any = None) -> None:
    """Seasons first..stop-1 into `out`; see simcore.game.play."""
    play_games(t, seats, root, first, stop, out, journal)


def play_cruises(t: Any, seats: Any, root: Any, first: int, stop: int, out: Any, journal: Any = None) -> None:
    """Cruises first..stop-1 of a ship (seat 0) along a route (seat 1) into `out`; see simcore.game.play."""
    sail_games(t, seats, root, first, stop, out, journal)


@entry
def play_games(t, seats, root, first, stop, out, journal):  # type: ignore[no-untyped-def]
    """All seasons of a range, one after another in the same memory."""
    memory, streams = np.zeros(1, STATE), np.zeros(1, STREAM)
    for game in range(first, stop):
        s, row = memory[0], seats[game % len(seats)]
        streams[0].game = word(root, game)
        play_one(s, t, streams[0], journal, row)
        write_outcome(s, t, out[game - first])


@kernel
def play_one(s, t, stream, journal, seats):  # type: ignore[no-untyped-def]
    """One season: rounds until its last one, or until nobody is left: turns of all knights, then ships go back
    (V1L-18)."""
    set_up(s, t, stream, journal, seats)
    while s.rounds < t.table.rounds and anyone_left(s):
        s.rounds += 1
        note(journal, ROUND_OF, s.rounds)
        for k in range(s.players):
            if s.knight[k].out == 0:
                s.turn = k
                take_turn(s, t, stream, journal, k)
        return_ships(s, t, journal)
    note(journal, ENDS, s.rounds)


@kernel
def anyone_left(s):  # type: ignore[no-untyped-def]
    """Whether someone is still in the game."""
    left = 0
    for k in range(s.players):
        left += 1 - s.knight[k].out
    return left > 0


# ---------------------------------------------------------------- outcomes of a season


@kernel
def write_outcome(s, t, out):  # type: ignore[no-untyped-def]
    """What a season came to. Alone, a knight wins by coming home with points enough; among rivals the most points
    win."""
    best, winners = -1, 0
    for k in range(s.players):
        knight = s.knight[k]
        abroad = knight.stranded == 1 or t.port[knight.port].home == 0
        knight.home = int(knight.out == 0 and not abroad)
        points = points_of(s, t, k)
        if points > best:
            best, winners = points, 0
        winners += int(points == best)
    alone = s.players == 1 and (s.knight[0].home == 0 or best < t.season.alone)
    lost = not anyone_left(s) or alone
    out.ending = LOST_BY_ALL if lost else (SHARED if winners > 1 else WON)
    if s.overflow > 0:
        out.ending = OVERFLOW
    out.rounds = s.rounds
    out.ships_lost, out.water_left, out.shown = count_bits(s.lost), s.pool, 0
    for p in range(t.ports):
        out.shown += int(s.shown[p] >= 0)
    write_ships(s, out)
    for k in range(SEATS):
        seat = out.seat[s.knight[k].seat]
        write_place(s, t, out, seat, k, winners)
        write_counts(s.knight[k], seat)


@kernel
def points_of(s, t, k):  # type: ignore[no-untyped-def]
    """A knight's points: destinations, First Looks, cargo, and home; of one who is out of the game a part."""
    knight, season = s.knight[k], t.season
    points = season.visit * count_bits(knight.visited) + season.look * knight.looks + knight.cargo
    points += season.home * knight.home
    return points * season.kept // 100 if knight.out == 1 else points


@kernel
def write_place(s, t, out, seat, k, winners):  # type: ignore[no-untyped-def]
    """Role, place and share by points; an empty seat has neither."""
    seat.role, seat.place, seat.share, seat.score = s.knight[k].role, 1, 0, 0
    if s.knight[k].here == 0:
        return
    seat.score = points_of(s, t, k)
    for other in range(s.players):
        seat.place += int(points_of(s, t, other) > seat.score)
    if out.ending <= SHARED and seat.place == 1:
        seat.share = SHARE // winners
    if out.ending == OVERFLOW:
        seat.place, seat.share = 1, SHARE // s.players


@kernel
def write_counts(knight, seat):  # type: ignore[no-untyped-def]
    """What is counted of a knight."""
    seat.destinations, seat.first_looks, seat.cargo = count_bits(knight.visited), knight.looks, knight.cargo
    seat.home, seat.eliminated, seat.arrivals, seat.cruises = knight.home, knight.out, knight.arrivals, knight.cruises
    seat.breach, seat.sunk, seat.strandings, seat.stranded = (
        knight.suffered, knight.sunk, knight.strandings, knight.stuck
    )  # fmt: skip
    seat.paid, seat.overpaid, seat.surcharges = knight.paid, knight.overpaid, knight.surcharges
    seat.bought, seat.gained, seat.spent, seat.missing = knight.bought, knight.gained, knight.spent, knight.missing
    seat.dehydrated, seat.severe, seat.cured, seat.water = knight.dehydrated, knight.severe, knight.cured, knight.water
    seat.tokens, seat.hazards, seat.radiation = knight.tokens, knight.hazards, knight.radiated
    seat.contamination, seat.injuries, seat.knocked_out = knight.contaminated, knight.injured, knight.knocked
    seat.fights, seat.won, seat.fled, seat.tests = knight.fights, knight.won, knight.fled, knight.tests
    seat.passed, seat.deeds, seat.moves, seat.aquatic = knight.passed, knight.deeds, knight.moves, knight.laid
    seat.wrecks = knight.wrecks


@kernel
def write_ships(s, out):  # type: ignore[no-untyped-def]
    """What is counted of ships, in the pack's order with the Cutter after them."""
    a, b, c = s.sailed, s.sunk, s.suffered
    out.sailed_1, out.sailed_2, out.sailed_3, out.sailed_4 = a[0], a[1], a[2], a[3]
    out.sailed_5, out.sailed_6, out.sailed_7, out.sailed_8 = a[4], a[5], a[6], a[7]
    out.sailed_9, out.sailed_10, out.sailed_11, out.sailed_12 = a[8], a[9], a[10], a[11]
    out.sunk_1, out.sunk_2, out.sunk_3, out.sunk_4, out.sunk_5, out.sunk_6 = b[0], b[1], b[2], b[3], b[4], b[5]
    out.sunk_7, out.sunk_8, out.sunk_9, out.sunk_10, out.sunk_11, out.sunk_12 = b[6], b[7], b[8], b[9], b[10], b[11]
    out.breach_1, out.breach_2, out.breach_3, out.breach_4 = c[0], c[1], c[2], c[3]
    out.breach_5, out.breach_6, out.breach_7, out.breach_8 = c[4], c[5], c[6], c[7]
    out.breach_9, out.breach_10, out.breach_11, out.breach_12 = c[8], c[9], c[10], c[11]


# ---------------------------------------------------------------- single cruises


@entry
def sail_games(t, seats, root, first, stop, out, journal):  # type: ignore[no-untyped-def]
    """All cruises of a range, one after another in the same memory."""
    memory, streams = np.zeros(1, STATE), np.zeros(1, STREAM)
    for game in range(first, stop):
        s, row = memory[0], seats[game % len(seats)]
        streams[0].game = word(root, game)
        sail_one(s, t, streams[0], journal, row)
        write_cruise(s, t, row, out[game - first])


@kernel
def sail_one(s, t, stream, journal, seats):  # type: ignore[no-untyped-def]
    """One cruise of a chartered ship."""
    set_up_cruise(s, t, stream, seats)
    s.key, s.mind, s.step = at(stream, DICE, 0), at(stream, BOT, 0), 0
    r = seats.role[1]
    note(journal, CRUISES, 0, r, t.route[r].ends[1])
    sail(s, t, stream, journal, 0, r)


@kernel
def write_cruise(s, t, seats, out):  # type: ignore[no-untyped-def]
    """What a cruise came to: the ship (seat 0) against the sea (seat 1)."""
    knight, ship, sea = s.knight[0], out.seat[0], out.seat[1]
    arrived = int(knight.stranded == 0 and knight.out == 0)
    out.ending, out.rounds, out.arrived, out.sunk = 0, 1, arrived, knight.sunk
    out.stranded = int(knight.stranded == 1 and knight.sunk == 0)
    out.eliminated, out.breach, out.hull_left = knight.out, knight.suffered, knight.hull - knight.breach
    out.cost, out.tokens, out.hazards = cost_of(s, t, 0, sailed_by(s, t, seats.role[0])), knight.tokens, knight.hazards
    out.water_spent, out.water_missing, out.dehydrated = knight.spent, knight.missing, knight.dehydrated
    out.severe, out.radiation, out.contamination = knight.severe, knight.radiated, knight.contaminated
    out.unconscious, out.injuries, out.damage = knight.down, knight.injured, knight.damage
    out.fights, out.won, out.fled, out.aquatic, out.cargo = (
        knight.fights, knight.won, knight.fled, knight.laid, knight.cargo
    )  # fmt: skip
    ship.role, sea.role = seats.role[0], seats.role[1]
    ship.place, sea.place = 2 - arrived, 1 + arrived
    ship.share, sea.share = SHARE * arrived, SHARE * (1 - arrived)
    ship.score, sea.score = arrived, 1 - arrived
    if s.overflow > 0:
        out.ending = OVERFLOW
