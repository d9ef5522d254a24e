"""The only loop over days, and the only loop over games."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.game import CAPPED, OVERFLOW, SHARE
from simcore.gangs.day import pass_night, play_day
from simcore.gangs.loot import place_of, sets_of
from simcore.gangs.setup import set_up
from simcore.gangs.state import STATE
from simcore.gangs.tables import RULINGS, SEATS
from simcore.gangs.tell import ENDS
from simcore.journal import note
from simcore.kernels import entry, kernel
from simcore.streams import DICE, STREAM, at, bounded, word

WON, SHARED = 0, 1
COIN = RULINGS["ties"].index("coin")


def play_range(t: Any, seats: Any, root: Any, first: int, stop: int, out: Any, journal: Any = None) -> None:
    """Games first..stop-1 into `out`; see simcore.game.play."""
    play_games(t, seats, root, first, stop, out, journal)


@entry
def play_games(t, seats, root, first, stop, out, journal):  # type: ignore[no-untyped-def]
    """All games of a range, one after another in the same memory."""
    memory, streams = np.zeros(1, STATE), np.zeros(1, STREAM)
    for game in range(first, stop):
        s, row = memory[0], seats[game % len(seats)]
        streams[0].game = word(root, game)
        play_one(s, t, streams[0], journal, row)
        write_outcome(s, t, streams[0], out[game - first])


@kernel
def play_one(s, t, stream, journal, seats):  # type: ignore[no-untyped-def]
    """One game: days and the nights between them (G13-01), until a day is cut off."""
    set_up(s, t, stream, journal, seats)
    play_day(s, t, stream, journal)
    while s.day < s.days and s.capped == 0:
        pass_night(s, t, journal)
        play_day(s, t, stream, journal)
    note(journal, ENDS, s.capped)


@kernel
def write_outcome(s, t, stream, out):  # type: ignore[no-untyped-def]
    """What a game came to."""
    overflow = s.overflow + s.sites.overflow + s.mercenaries.overflow
    for g in range(s.players):
        overflow += s.gang[g].deck.overflow
    winners, picked = 0, -1
    for g in range(s.players):
        winners += int(place_of(s, g) == 1)
    if winners > 1 and t.ruling.ties == COIN:
        picked = bounded(at(stream, DICE, s.hours), winners)
    out.ending = SHARED if winners > 1 and picked < 0 else WON
    if s.capped > 0:
        out.ending = CAPPED
    if overflow > 0:
        out.ending = OVERFLOW
    out.rounds, out.lead_changes, out.capped_days = s.hours, s.changes, s.capped
    out.hours_1, out.hours_2, out.hours_3, out.hours_4 = s.day_hours[0], s.day_hours[1], s.day_hours[2], s.day_hours[3]
    out.tied, out.loot_destroyed, out.razed = int(winners > 1), s.destroyed, s.razed
    write_seats(s, t, out, winners, picked)


@kernel
def write_seats(s, t, out, winners, picked):  # type: ignore[no-untyped-def]
    """What the game came to for each seat: with a tie, equal parts of the win or (ruling) a coin's choice (G4-25)."""
    at_top = 0
    for g in range(SEATS):
        gang = s.gang[g]
        seat = out.seat[gang.seat]
        seat.role, seat.score, seat.loot = gang.role, gang.points, gang.loot
        seat.place, seat.share = 1, 0
        if gang.here == 1:
            seat.place = place_of(s, g)
            if seat.place == 1:
                seat.share = SHARE // winners
                if picked >= 0:
                    seat.place, seat.share = (1, SHARE) if at_top == picked else (2, 0)
                at_top += 1
            if out.ending >= CAPPED:
                seat.place, seat.share = 1, SHARE // s.players
        write_counts(t, gang, seat)


@kernel
def write_counts(t, gang, seat):  # type: ignore[no-untyped-def]
    """What is counted of a gang."""
    seat.territories, seat.sets, seat.seized, seat.conquered = (
        gang.trophies,
        sets_of(t, gang),
        gang.seized,
        gang.conquered,
    )
    seat.kind_1, seat.kind_2, seat.kind_3, seat.kind_4 = gang.kinds[0], gang.kinds[1], gang.kinds[2], gang.kinds[3]
    seat.kind_5, seat.kind_6, seat.lost, seat.wounded = gang.kinds[4], gang.kinds[5], gang.lost, gang.wounded
    seat.fodder_made, seat.fodder_spent, seat.hired = gang.made, gang.spent, gang.hired
    seat.destroyed, seat.hours, seat.began = gang.destroyed, gang.hours, gang.began
    seat.led_1, seat.led_2, seat.led_3 = gang.led[0], gang.led[1], gang.led[2]
