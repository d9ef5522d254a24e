"""Set-up: decks, the Scrap Pile, the crew and the first enemies."""

from __future__ import annotations

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import kernel
from simcore.mech.cards import ROOMS
from simcore.mech.choices import decide
from simcore.mech.effects import fold_crew, scrap_card
from simcore.mech.escalation import add_level, first_enemies
from simcore.mech.state import FUNCTIONAL, JOURNEY, NONE
from simcore.mech.tables import FUNCTION, SEATS
from simcore.mech.tell import SETS_OUT, STANDS_IN
from simcore.piles import open_empty, put_on_top, shuffle_pile
from simcore.streams import BOT, DECK, DICE, at

CRANE, COCKPIT, ENGINE, GUN_ROOM = FUNCTION["crane"], FUNCTION["cockpit"], FUNCTION["engine"], FUNCTION["gun"]
ENEMY_DECK, SALVAGE_DECK, EVENT_DECK, ORDER_DECK = range(4)


@kernel
def set_up(s, t, stream, journal, seats):  # type: ignore[no-untyped-def]
    """Everything as a game begins (M112): decks, Scrap, crew in rooms of their choice (M112-05), then enemies."""
    clear(s)
    s.hull, s.noise, s.first = t.mech.hull, t.mech.noise + t.table.extra_noise, 0
    set_keys(s, stream, 0, 0)
    seat_crew(s, t, seats)
    open_decks(s, t, stream)
    note(journal, SETS_OUT, s.hull, s.noise, s.deck.left, s.salvage.left)
    for c in range(s.players):
        choose_place(s, t, stream, journal, c)
    first_enemies(s, t, journal)


@kernel
def clear(s):  # type: ignore[no-untyped-def]
    """Dials, counts and rooms as at the beginning."""
    s.rounds, s.phase, s.over, s.ending, s.overflow, s.players = 0, JOURNEY, 0, 0, 0, 0
    s.distance, s.level, s.milestones, s.crane_uses, s.event, s.scraps, s.boxed = 0, 0, 0, 0, NONE, 0, 0
    s.enemies, s.gaps, s.drawn, s.crushed, s.fires, s.scrapped, s.salvaged = 0, 0, 0, 0, 0, 0, 0
    s.quarry, s.hidden, s.searched, s.searches, s.stunned = NONE, 0, 0, 0, 0
    s.reinforced, s.recycled, s.fuels, s.downs, s.downed = 0, 0, 0, 0, 0
    s.fuelled[:], s.term[:], s.spawned[:], s.destroyed[:], s.stuck[:], s.passed[:] = 0, 0, 0, 0, 0, 0
    for place in s.room:
        place.condition, place.upgrade, place.fresh, place.struck = FUNCTIONAL, NONE, 0, 0
        place.items, place.enemies, place.crew = 0, 0, 0
        place.term[:] = 0


@kernel
def set_keys(s, stream, position, many):  # type: ignore[no-untyped-def]
    """The keys of dice and decisions of a turn: `position` after the first player, or 15 for the end of a round."""
    moment = s.rounds * 16 + position
    s.key[0], s.key[1] = at(stream, DICE, moment), at(stream, BOT + position, s.rounds)
    s.turn, s.step = many, 0


@kernel
def seat_crew(s, t, seats):  # type: ignore[no-untyped-def]
    """The crew in order round the table from the first player on, so that chairs, empty ones too, change nothing."""
    empty = SEATS
    for i in range(SEATS):
        seat = (seats.first + i) % SEATS
        if seats.role[seat] >= 0:
            seat_member(s, t, s.players, seats, seat)
            s.players += 1
        else:
            empty -= 1
            seat_member(s, t, empty, seats, seat)


@kernel
def seat_member(s, t, c, seats, seat):  # type: ignore[no-untyped-def]
    """A crew member with his dials (M112-04), and the Noise that he brings (M17-01)."""
    member, role = s.crew[c], seats.role[seat]
    member.here, member.seat, member.role, member.bot = int(role >= 0), seat, role, seats.bot[seat]
    member.room, member.items, member.downed, member.revived = 0, 0, 0, 0
    member.die, member.came, member.downs, member.revives, member.kills = 0, 0, 0, 0, 0
    member.dealt, member.hurt, member.mended, member.moved, member.rested = 0, 0, 0, 0, 0
    if role < 0:
        return
    sheet = t.member[role]
    member.weighs = 1 - t.bot[member.bot].even
    member.health, member.top, member.attack = sheet.health, sheet.health, sheet.attack
    member.actions = t.mech.actions
    member.slots, member.ability = sheet.slots, sheet.ability
    s.noise += sheet.noise
    fold_crew(s, t, c)


@kernel
def open_decks(s, t, stream):  # type: ignore[no-untyped-def]
    """The enemy deck with level 1 alone, the salvage deck without what starts in the Scrap Pile, the event deck."""
    open_empty(s.deck, at(stream, DECK, ENEMY_DECK))
    open_empty(s.salvage, at(stream, DECK, SALVAGE_DECK))
    open_empty(s.occasions, at(stream, DECK, EVENT_DECK))
    open_empty(s.orders, at(stream, DECK, ORDER_DECK))
    add_level(s, t, 1)
    for card in range(t.cards):
        for _ in range(t.card[card].copies):
            if t.card[card].start == 1:
                scrap_card(s, card)
            else:
                put_on_top(s.salvage, card)
    shuffle_pile(s.salvage)
    if t.table.events == 1:
        for card in range(t.events):
            put_on_top(s.occasions, card)
        shuffle_pile(s.occasions)


@kernel
def choose_place(s, t, stream, journal, c):  # type: ignore[no-untyped-def]
    """Each player puts the standee in any room; those who weigh like rooms that do something, each another one."""
    s.options = 0
    for room in range(1, ROOMS + 1):
        function, value = t.room[room].function, 0
        if function in (COCKPIT, ENGINE):
            value = 60
        elif function == CRANE:
            value = 100
        elif function == GUN_ROOM:
            value = 40
        offer(s, room, 100 * (value - 50 * s.room[room].crew))
    s.crew[c].room = decide(s, t, stream, c, 4000 + c)
    s.room[s.crew[c].room].crew += 1
    note(journal, STANDS_IN, c, s.crew[c].room)
