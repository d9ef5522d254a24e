"""The only loop over rounds, and the only loop over games of the whole board game."""

from __future__ import annotations

from typing import Any

from simcore.game import OVERFLOW
from simcore.journal import note
from simcore.kernels import blank, entry, kernel, row_of
from simcore.knights.belongings import gear_value
from simcore.knights.board_setup import set_up
from simcore.knights.board_state import NONE, STATE
from simcore.knights.board_tables import SEATS
from simcore.knights.board_tell import ENDS
from simcore.knights.exploration import explore_all
from simcore.knights.missions import place_of
from simcore.knights.movement import move_all
from simcore.knights.preparations import drop_hidden, prepare
from simcore.knights.rest import rest_all
from simcore.streams import STREAM, word

WON, SHARED, SHARE = 0, 1, 60


def play_range(t: Any, seats: Any, root: Any, first: int, stop: int, out: Any, journal: Any = None) -> None:
    """Games first..stop-1 into `out`; see simcore.game.play."""
    memory = blank(STATE, 1)
    memory[0]["rules"] = t["fight"]
    play_games(row_of(t), memory, blank(STREAM, 1), seats, root, (first, stop), out, journal)


@entry
def play_games(tables, memory, streams, seats, root, games, out, journal):  # type: ignore[no-untyped-def]
    """All games of a range, one after another in the same memory. `games`: the first, and the one after the last."""
    t, s, stream = tables[0], memory[0], streams[0]
    first, stop = games
    for game in range(first, stop):
        stream.game = word(root, game)
        play_one(s, t, stream, journal, seats[game % len(seats)])
        write_outcome(s, t, out[game - first])


@kernel
def play_one(s, t, stream, journal, seats):  # type: ignore[no-untyped-def]
    """One game: rounds until the mission's last (K5B-31)."""
    set_up(s, t, stream, journal, seats)
    while s.rounds < s.last:
        s.rounds += 1
        prepare(s, t, stream, journal)
        move_all(s, t, stream, journal)
        drop_hidden(s, t, journal)
        explore_all(s, t, stream, journal)
        rest_all(s, t, stream, journal)
        see_who_leads(s)
    note(journal, ENDS, s.rounds)


@kernel
def see_who_leads(s):  # type: ignore[no-untyped-def]
    """Who is alone ahead in Reputation, and whether that has changed."""
    leader, most = NONE, -1
    for p in range(s.players):
        if s.player[p].reputation > most:
            leader, most = p, s.player[p].reputation
        elif s.player[p].reputation == most:
            leader = NONE
    if leader != NONE:
        if s.leader != NONE and s.leader != leader:
            s.changes += 1
        s.leader = leader


@kernel
def write_outcome(s, t, out):  # type: ignore[no-untyped-def]
    """What a game came to."""
    lost = s.overflow + s.cards.overflow + s.luck.overflow + s.common.overflow + s.private.overflow
    for colour in range(4):
        lost += s.gear[colour].overflow
    winners = 0
    for p in range(s.players):
        winners += int(place_of(s, t, p) == 1)
    out.ending = OVERFLOW if lost > 0 else (WON if winners == 1 else SHARED)
    out.rounds, out.lead_changes, out.tied, out.combats = s.rounds, s.changes, int(winners > 1), s.combats
    for p in range(SEATS):
        player = s.player[p]
        seat = out.seat[player.seat]
        seat.role, seat.place, seat.share, seat.score = player.role, 1, 0, player.reputation * player.here
        if player.here == 1:
            seat.place = place_of(s, t, p)
            seat.share = SHARE // winners if seat.place == 1 else 0
            if out.ending == OVERFLOW:
                seat.place, seat.share = 1, SHARE // s.players
        seat.reputation, seat.gear_value = player.reputation, gear_value(t, player) * player.here
        write_counts(player, seat)


@kernel
def write_counts(player, seat):  # type: ignore[no-untyped-def]
    """What is counted of a knight."""
    seat.won, seat.lost, seat.drawn, seat.escaped = player.won, player.lost, player.drawn, player.escaped
    seat.knocked_out, seat.tasks, seat.fuel_spent, seat.ammo_spent = (
        player.knocked,
        player.tasks,
        player.fuel_spent,
        player.ammo_spent,
    )
    seat.travelled, seat.duels, seat.duels_won, seat.revived = (
        player.travelled,
        player.duels,
        player.duels_won,
        player.revived,
    )
    seat.stolen, seat.bought, seat.luck_played = player.stolen, player.bought, player.luck_played
    seat.speed, seat.fame_fights, seat.fame_duels, seat.fame_tasks = (
        player.speed,
        player.fame_fights,
        player.fame_duels,
        player.fame_tasks,
    )
