"""Set-up: decks, threat bag, knights, Quay and destinations."""

from __future__ import annotations

from simcore.journal import note
from simcore.kernels import kernel
from simcore.streams import DECK, at, word
from simcore.voyage.belongings import equip, room_left
from simcore.voyage.decks import any_bit, count_bits
from simcore.voyage.harbour import board, carries, open_quay
from simcore.voyage.sea import begin_action
from simcore.voyage.state import NONE
from simcore.voyage.tables import BAG_BASE, BAG_EASY, BAG_HARD, DECKS_IN_PLAY, SEATS
from simcore.voyage.tell import BAG_OF, BEGINS

VERY_EASY, EASY, NORMAL_MODE, HARD, VERY_HARD = range(5)
BAG, QUAY, HOMES = 0, 1, 2


@kernel
def set_up(s, t, stream, journal, seats):  # type: ignore[no-untyped-def]
    """Everything as a season begins; the first player is the first seat."""
    clear(s, t)
    fill_bag(s, t, at(stream, DECK, BAG))
    seat_knights(s, t, seats)
    homes = at(stream, DECK, HOMES)
    note(journal, BAG_OF, count_bits(s.bag))
    for k in range(s.players):
        begin_at_home(s, t, k, homes)
        note(journal, BEGINS, k, s.knight[k].port, s.knight[k].water)
    open_quay(s, t, journal, at(stream, DECK, QUAY))


@kernel
def clear(s, t):  # type: ignore[no-untyped-def]
    """Counts and decks as at the beginning."""
    s.players, s.rounds, s.overflow, s.lost, s.specials, s.step, s.turn = 0, 0, 0, 0, 0, 0, 0
    s.pool = t.rules.markers
    begin_action(s)
    open_decks(s, t)
    s.shown[:] = NONE
    s.marks[:] = 0
    s.breach[:] = 0
    s.sailed[:] = 0
    s.sunk[:] = 0
    s.suffered[:] = 0


@kernel
def open_decks(s, t):  # type: ignore[no-untyped-def]
    """All decks whole, and nothing on a discard pile (V5-02 to V5-04, V1K-03)."""
    for d in range(DECKS_IN_PLAY):
        s.deck[d].left, s.deck[d].thrown = t.whole[d], 0


@kernel
def fill_bag(s, t, key):  # type: ignore[no-untyped-def]
    """The threat bag of a mode of difficulty: base tokens, with easy or hard ones added, or in place of random base
    ones (V1M-21)."""
    mode, s.bag = t.table.difficulty, t.bag[BAG_BASE]
    if mode in (VERY_EASY, VERY_HARD):
        for i in range(t.rules.swap):
            s.bag &= ~(1 << any_bit(s.bag, word(key, i)))
    if mode < NORMAL_MODE:
        s.bag |= t.bag[BAG_EASY]
    elif mode > NORMAL_MODE:
        s.bag |= t.bag[BAG_HARD]


@kernel
def seat_knights(s, t, seats):  # type: ignore[no-untyped-def]
    """The knights in order round the table from the first player on; empty seats come last."""
    empty = SEATS
    for i in range(SEATS):
        seat = (seats.first + i) % SEATS
        if seats.role[seat] >= 0:
            seat_knight(s, t, s.players, seats.role[seat], seats.bot[seat])
            s.knight[s.players].seat, s.knight[s.players].here = seat, 1
            s.players += 1
        else:
            empty -= 1
            blank_knight(s.knight[empty])
            s.knight[empty].seat, s.knight[empty].here, s.knight[empty].role = seat, 0, NONE


@kernel
def seat_knight(s, t, k, role, bot):  # type: ignore[no-untyped-def]
    """A knight with what he starts with (V1M-05), and nothing counted yet."""
    knight, own = s.knight[k], t.knight[role]
    blank_knight(knight)
    knight.role, knight.bot, knight.weighs = role, bot, 1 - t.bot[bot].even
    knight.fuel, knight.ammo, knight.meds, knight.vehicle = own.fuel, own.ammo, own.meds, own.vehicle
    knight.pieces = own.pieces
    for i in range(own.pieces):
        knight.piece[i] = own.piece[i]
    knight.water = min(s.pool, t.rules.water) * t.table.water
    s.pool -= knight.water
    equip(s, t, k)


@kernel
def blank_knight(knight):  # type: ignore[no-untyped-def]
    """A knight without anything."""
    knight.out, knight.down, knight.stranded, knight.cruised, knight.late_look = 0, 0, 0, 0, 0
    knight.ship, knight.back, knight.hull, knight.breach, knight.port, knight.goal = NONE, NONE, 0, 0, 0, 0
    knight.hurt, knight.radiation, knight.contamination, knight.injuries, knight.injury = 0, 0, 0, 0, 0
    knight.thirst, knight.dryness, knight.damage, knight.upgrade, knight.experience = 0, NONE, 0, 0, 0
    knight.cargo, knight.visited, knight.acted, knight.home = 0, 0, 0, 0
    knight.fuel, knight.ammo, knight.meds, knight.water, knight.vehicle, knight.pieces = 0, 0, 0, 0, 0, 0
    knight.worn = 0
    clear_counts(knight)


@kernel
def clear_counts(knight):  # type: ignore[no-untyped-def]
    """Nothing counted of a knight."""
    knight.cruises, knight.arrivals, knight.suffered, knight.sunk, knight.strandings, knight.stuck = 0, 0, 0, 0, 0, 0
    knight.surcharges, knight.paid, knight.overpaid, knight.bought, knight.gained, knight.spent = 0, 0, 0, 0, 0, 0
    knight.missing, knight.dehydrated, knight.severe, knight.cured, knight.tokens, knight.hazards = 0, 0, 0, 0, 0, 0
    knight.radiated, knight.contaminated, knight.injured, knight.knocked, knight.fights, knight.won = 0, 0, 0, 0, 0, 0
    knight.fled, knight.tests, knight.passed, knight.looks, knight.deeds, knight.moves = 0, 0, 0, 0, 0, 0
    knight.laid, knight.wrecks = 0, 0


@kernel
def begin_at_home(s, t, k, key):  # type: ignore[no-untyped-def]
    """Each knight begins at a port of Australia of his own, by chance (assumed), as far as there are enough."""
    homes = 0
    for p in range(t.ports):
        if t.port[p].home == 1:
            homes |= 1 << p
    free = homes
    for other in range(k):
        free &= ~(1 << s.knight[other].port)
    s.knight[k].port = any_bit(free if free > 0 else homes, word(key, k))


@kernel
def set_up_cruise(s, t, stream, seats):  # type: ignore[no-untyped-def]
    """A single cruise: one knight on the ship that lies on the Quay, or on a Cutter where it is too light for his
    vehicle (V1L-10), at an end of its route, with no more Water than his vehicle holds (V1M-06)."""
    s.players, s.rounds, s.overflow, s.specials, s.step, s.stack, s.lost = 1, 0, 0, 0, 0, 0, 0
    s.pool = t.rules.markers
    begin_action(s)
    open_decks(s, t)
    if t.table.difficulty == NORMAL_MODE:
        s.bag = t.bag[BAG_BASE]
    else:
        fill_bag(s, t, at(stream, DECK, BAG))
    seat_knight(s, t, 0, t.table.knight, seats.bot[0])
    knight = s.knight[0]
    if t.table.vehicle >= 0:
        knight.vehicle = t.table.vehicle
    if t.table.held >= 0 and t.table.water == 1:
        knight.water = min(t.table.held, t.rules.markers)
        while knight.water > 0 and room_left(s, t, 0) < 0:
            knight.water -= 1
        s.pool = t.rules.markers - knight.water
    r = seats.role[1]
    knight.port, knight.goal = t.route[r].ends[0], t.route[r].ends[1]
    ship = sailed_by(s, t, seats.role[0])
    board(s, t, 0, ship, min(t.table.breach, t.ship[ship].hull - 1))


@kernel
def sailed_by(s, t, ship):  # type: ignore[no-untyped-def]
    """The ship on which the knight of a single cruise sails: this one, or a Cutter where it is too light for him."""
    return ship if carries(s, t, 0, ship) else t.ships
