"""The only loop over rounds, and the only loop over games."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.dice import roll_die
from simcore.game import CAPPED, OVERFLOW
from simcore.journal import note
from simcore.kernels import entry, has_room, kernel
from simcore.mech.bosses import HARROW, boss_acts, next_phase, search, spawn_tentacles, surface, win_if_clean
from simcore.mech.bots import choose_exchange, lay_out_turn
from simcore.mech.cards import ROOMS
from simcore.mech.choices import decide
from simcore.mech.crew import MOVE, PRESS, REST, SEARCH, SWAP, exchange, perform, strike_by_card, verb_of
from simcore.mech.effects import apply, in_use
from simcore.mech.enemies import determine, resolve, tidy
from simcore.mech.escalation import advance, arrive, escalate, spawn
from simcore.mech.events import happen, hold_event
from simcore.mech.rooms import fire_damage, wake_rooms, works
from simcore.mech.salvage import salvage, use_scrap
from simcore.mech.setup import set_keys, set_up
from simcore.mech.state import BOSS, BOSS_BEATEN, JOURNEY, MECH, NONE, PREPARING, SANCTUARY
from simcore.mech.tables import KIND, SEATS, SIDES, WHAT, WHEN
from simcore.mech.tell import (
    ACTS_SO,
    BEGINS_ROUND,
    ENDS,
    ENDS_ROUND,
    FIRST_IS,
    FREE,
    FUELLED,
    LEFT,
    PRESSES,
    ROLLS_LUCK,
    TAKES_EFFECT,
    TURN_OF,
)
from simcore.streams import STREAM, word

LUCK, STEPS, RELOADS, REPAIRS = WHAT["luck"], WHAT["steps"], WHAT["reloads"], WHAT["repairs"]
DAMAGE, SHOVE, ROUND_END, GEAR = WHAT["damage"], WHAT["shove"], WHEN["round_end"], KIND["gear"]
MOST_STEPS, ROUND_OVER = 30, 15
"""Most steps of a turn (more count as an overflow), and the position of the end of a round among its turns."""


def play_range(t: Any, seats: Any, root: Any, first: int, stop: int, out: Any, journal: Any = None) -> None:
    """Games first..stop-1 into `out`; see simcore.game.play."""
    play_games(t, seats, root, first, stop, out, journal)


@entry
def play_games(t, seats, root, first, stop, out, journal):  # type: ignore[no-untyped-def]
    """All games of a range, one after another in the same memory."""
    memory, streams = np.zeros(1, MECH), np.zeros(1, STREAM)
    for game in range(first, stop):
        s, row = memory[0], seats[game % len(seats)]
        streams[0].game = word(root, game)
        play_one(s, t, streams[0], journal, row)
        write_outcome(s, out[game - first])


@kernel
def play_one(s, t, stream, journal, seats):  # type: ignore[no-untyped-def]
    """One game: rounds until it is won, lost, or too long."""
    set_up(s, t, stream, journal, seats)
    while s.over == 0:
        if s.rounds == t.table.most_rounds:
            s.over, s.ending = 1, CAPPED
        else:
            play_round(s, t, stream, journal)
    note(journal, ENDS, s.ending, s.rounds, s.distance, s.hull)


@kernel
def play_round(s, t, stream, journal):  # type: ignore[no-untyped-def]
    """Turns of the crew from the first player on (M12-01), then the end of the round."""
    s.rounds += 1
    next_phase(s, t, journal)
    note(journal, BEGINS_ROUND, s.rounds, s.distance, s.hull, s.noise)
    note(journal, FIRST_IS, s.first)
    begin_round(s, t, stream, journal)
    for i in range(s.players):
        c = (s.first + i) % s.players
        member = s.crew[c]
        if member.downed == 0 and member.revived == 0 and s.over == 0:
            set_keys(s, stream, i, 0)
            take_turn(s, t, stream, journal, c)
    if s.over == 0:
        set_keys(s, stream, ROUND_OVER, 0)
        end_round(s, t, stream, journal)
    if s.over == 0:
        pass_marker(s)


@kernel
def begin_round(s, t, stream, journal):  # type: ignore[no-untyped-def]
    """Free moves and the like are there again, and the gambler's die is rolled (M18-07)."""
    set_keys(s, stream, ROUND_OVER - 1, 0)
    wake_rooms(s, t)
    for c in range(SEATS):
        member = s.crew[c]
        if member.here == 1:
            member.revived, member.ability_used, member.countered, member.die = 0, 0, 0, 0
            member.steps, member.reloads = max(0, member.term[STEPS]), max(0, member.term[RELOADS])
            member.repairs = max(0, member.term[REPAIRS])
            if member.term[LUCK] > 0:
                member.die = roll_die(stream, SIDES, word(s.key[0], c))
                note(journal, ROLLS_LUCK, c, member.die)


@kernel
def take_turn(s, t, stream, journal, c):  # type: ignore[no-untyped-def]
    """A crew member acts until he rests, or has nothing left to do."""
    note(journal, TURN_OF, c, s.crew[c].room, s.crew[c].health, s.crew[c].actions)
    note(journal, FREE, c, s.crew[c].steps, s.crew[c].reloads, s.crew[c].repairs)
    s.crew[c].came = 0
    for step in range(MOST_STEPS + 1):
        if not has_room(s, step, MOST_STEPS):
            return
        s.step = step
        lay_out_turn(s, t, c)
        option = decide(s, t, stream, c, step)
        verb = verb_of(option)
        if verb == REST:
            note(journal, ACTS_SO, c, REST, 0, s.crew[c].actions)
            s.crew[c].rested += s.crew[c].actions
            return
        before = s.crew[c].room
        if verb == SWAP:
            exchange(s, t, journal, c, choose_exchange(s, t, stream, c))
        elif verb == SEARCH:
            search(s, t, journal, c)
        elif verb == PRESS:
            s.crew[c].actions = roll_die(stream, SIDES, word(s.key[0], 4095)) - 1
            note(journal, PRESSES, c, s.crew[c].actions)
        else:
            perform(s, t, stream, journal, c, option)
        s.crew[c].came = before if verb == MOVE else 0
        if s.over == 0:
            note(journal, LEFT, c, s.crew[c].actions, s.crew[c].steps)
        win_if_clean(s, t, stream, journal)
        if s.over == 1 or s.crew[c].downed == 1:
            return


@kernel
def end_round(s, t, stream, journal):  # type: ignore[no-untyped-def]
    """The end of a round, step by step in the printed order (M12-02 to M12-12); in the last phases without advance,
    spawn and escalation (M11-03), and against a boss with its own steps (M110-07, M110-12)."""
    journey, boss = s.phase == JOURNEY, s.phase == BOSS
    note(journal, ENDS_ROUND)
    refresh(s, t)
    room_effects(s, t, journal)
    if s.over == 0:
        determine(s, t)
        resolve(s, t, stream, journal)
    if boss:
        boss_acts(s, t, stream, journal)
        if t.table.boss == HARROW:
            surface(s, t, journal)
    fire_damage(s, t, journal)
    if journey and s.over == 0:
        fuel_by_lab(s, t, journal)
        advance(s, t, journal)
    if s.over == 0:
        salvage(s, t, stream, journal)
        use_scrap(s, t, stream, journal, t.mech.ready_scrap if s.phase == PREPARING else t.mech.reinforce_scrap)
    if journey and s.over == 0:
        spawn(s, t, journal)
        for _ in range(escalate(s, t, journal) * t.table.events):
            hold_event(s, t, stream, journal)
        arrive(s, t, journal)
    elif boss and t.table.boss == HARROW and s.over == 0:
        spawn_tentacles(s, t, journal)
    s.fuelled[0], s.fuelled[1] = 0, 0
    win_if_clean(s, t, stream, journal)


@kernel
def refresh(s, t):  # type: ignore[no-untyped-def]
    """Actions back to the start; what comes later in the step may change those of the next round (M12-02). Gear rests
    no longer, weapons stay as they are."""
    for c in range(SEATS):
        member = s.crew[c]
        if member.here == 1:
            member.actions = t.mech.actions
            for i in range(member.items):
                if t.card[member.held[i]].kind == GEAR:
                    member.turned[i] = 0


@kernel
def room_effects(s, t, journal):  # type: ignore[no-untyped-def]
    """Effects of upgrades in rooms that work (M12-03), then of what crew members carry, and of the event in force."""
    for room in range(1, ROOMS + 1):
        if s.room[room].upgrade != NONE and works(s, room):
            happen_at(s, t, journal, s.room[room].upgrade, NONE, room)
    for c in range(SEATS):
        member = s.crew[c]
        if member.here == 1 and member.downed == 0:
            happen_at(s, t, journal, NONE, c, member.room)
            for i in range(member.items):
                if in_use(s, t, c, i):
                    happen_at(s, t, journal, member.held[i], c, member.room)
    happen(s, t, journal, ROUND_END)
    tidy(s)


@kernel
def happen_at(s, t, journal, card, c, room):  # type: ignore[no-untyped-def]
    """What a salvage card does at the end of a round, or (NONE) the ability of its owner."""
    text = t.ability[s.crew[c].ability].text if card == NONE else t.card[card].text
    for i in range(text.effects):
        effect = text.effect[i]
        if effect.when == ROUND_END and s.over == 0:
            note(journal, TAKES_EFFECT, card, c, room)
            if effect.what == DAMAGE or effect.what == SHOVE:
                strike_by_card(s, t, journal, c, effect, room)
            else:
                apply(s, t, journal, effect, c, room)


@kernel
def fuel_by_lab(s, t, journal):  # type: ignore[no-untyped-def]
    """The lab's switch: so many engines count as fuelled each round, whoever stands there (M113-04)."""
    for i in range(min(2, t.table.fuelled)):
        s.fuelled[i] = 1
        note(journal, FUELLED, t.mech.engine[i])


@kernel
def pass_marker(s):  # type: ignore[no-untyped-def]
    """The first player marker goes to the next crew member clockwise (M12-12)."""
    s.first = (s.first + 1) % s.players


@kernel
def write_outcome(s, out):  # type: ignore[no-untyped-def]
    """What a game came to."""
    lost_cards = s.deck.overflow + s.salvage.overflow + s.occasions.overflow + s.orders.overflow
    out.ending = OVERFLOW if s.overflow + lost_cards > 0 else s.ending
    out.rounds, out.distance, out.hull, out.noise, out.level = s.rounds, s.distance, s.hull, s.noise, s.level
    out.drawn, out.crushed, out.fires, out.downs = s.drawn, s.crushed, s.fires, s.downs
    out.spawned_1, out.spawned_2, out.spawned_3 = s.spawned[1], s.spawned[2], s.spawned[3]
    out.destroyed_1, out.destroyed_2, out.destroyed_3 = s.destroyed[1], s.destroyed[2], s.destroyed[3]
    out.scrap_used, out.salvaged, out.reinforced, out.recycled = s.scrapped, s.salvaged, s.reinforced, s.recycled
    out.fuelled, out.stood_still = s.fuels, s.stuck[3]
    out.by_engines, out.by_cockpit, out.by_wastes = s.stuck[0], s.stuck[1], s.stuck[2]
    out.milestone_1, out.milestone_2 = s.passed[0], s.passed[1]
    won = (s.ending == SANCTUARY or s.ending == BOSS_BEATEN) and out.ending != OVERFLOW
    for c in range(SEATS):
        member = s.crew[c]
        seat, here = out.seat[member.seat], member.here == 1
        seat.role, seat.place = member.role, 1
        seat.share = 60 if won and here else 0
        seat.score = s.distance if here else 0
        seat.downs, seat.revives, seat.kills, seat.dealt = member.downs, member.revives, member.kills, member.dealt
        seat.hurt, seat.mended, seat.moved, seat.unused = member.hurt, member.mended, member.moved, member.rested
        seat.items = member.items
