"""The Quay and its ships: set-up, charter and return."""

from __future__ import annotations

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import index, kernel
from simcore.streams import shuffle, word
from simcore.voyage.base import sum_of
from simcore.voyage.bots import CRUISE, SHIP_STEP, arrival_worth, bot_of, dangers_of
from simcore.voyage.decks import any_bit
from simcore.voyage.stalls import pay, wealth
from simcore.voyage.state import NONE
from simcore.voyage.tables import RULINGS, TERM, TYPE
from simcore.voyage.tell import CHARTERS, QUAY_SHIP, RETURNS

HEAVY, THRIFT = TYPE["heavy"], TERM["thrift"]
AT_LEAST = RULINGS["heavy_ships"].index("at_least")
REFILLED = RULINGS["lost_ships"].index("refilled")


# ---------------------------------------------------------------- set-up


@kernel
def open_quay(s, t, journal, key):  # type: ignore[no-untyped-def]
    """As many ships as knights, face-up, from the left (V1L-07); the rest are Cutters, the back of each (V1K-04); then
    the Heavy rule (V1L-08)."""
    left = (1 << t.ships) - 1
    for i in range(t.ships):
        ship = any_bit(left, word(key, i))
        left &= ~(1 << ship)
        s.pile[t.ships - 1 - i] = ship
        s.cutter[i] = 0
    s.stack, s.slots = t.ships, s.players
    for slot in range(s.slots):
        s.stack -= 1
        s.quay[slot] = s.pile[s.stack]
    if heavy_knights(s, t) > 0:
        fit_heavy(s, t)
        shuffle(s.pile, s.stack, word(key, t.ships))
    for slot in range(s.slots):
        note(journal, QUAY_SHIP, s.quay[slot], slot, s.stack)


@kernel
def fit_heavy(s, t):  # type: ignore[no-untyped-def]
    """Where somebody has a Heavy vehicle: reveal ships and lay them on the slots from the right until there are as
    many Heavy ones as knights with such vehicles, or (ruling) at least as many. Too few, no Heavy one comes off again;
    too many, they alone do. It stops when no Heavy ship is left that could help (V1L-08, V4-56); what came off the Quay
    is shuffled into the deck afterwards."""
    wanted, taken, slot = heavy_knights(s, t), s.stack, s.slots - 1
    while taken > 0:
        there, under = 0, 0
        for i in range(s.slots):
            there += int(t.ship[s.quay[i]].type == HEAVY)
        for i in range(taken):
            under += int(t.ship[s.pile[i]].type == HEAVY)
        if there == wanted or (there > wanted and t.ruling.heavy_ships == AT_LEAST):
            return
        if there < wanted and under == 0:
            return
        taken -= 1
        while (t.ship[s.quay[slot]].type == HEAVY) == (there < wanted):
            slot = slot - 1 if slot > 0 else s.slots - 1
        s.quay[slot], s.pile[taken] = s.pile[taken], s.quay[slot]
        slot = slot - 1 if slot > 0 else s.slots - 1


@kernel
def heavy_knights(s, t):  # type: ignore[no-untyped-def]
    """How many knights have a Heavy vehicle."""
    many = 0
    for k in range(s.players):
        many += int(t.vehicle[s.knight[k].vehicle].type == HEAVY)
    return many


# ---------------------------------------------------------------- charter


@kernel
def cost_of(s, t, k, ship):  # type: ignore[no-untyped-def]
    """What a ship costs a knight."""
    return price_of(s, t, k, ship, sum_of(s, t, k, THRIFT))


@kernel
def price_of(s, t, k, ship, thrift):  # type: ignore[no-untyped-def]
    """What a ship costs a thrifty knight: the Cutter more where it is too light for his vehicle (V1L-10)."""
    boat = t.ship[index(ship)]
    thin = boat.type < t.vehicle[index(s.knight[k].vehicle)].type
    cost = boat.cost + (t.rules.surcharge if thin else 0)
    return max(0, cost - max(0, thrift))


@kernel
def carries(s, t, k, ship):  # type: ignore[no-untyped-def]
    """Whether a ship is at least as heavy as the knight's vehicle (V1L-09)."""
    return t.ship[index(ship)].type >= t.vehicle[index(s.knight[k].vehicle)].type


@kernel
def cutter_fits(s, t, k):  # type: ignore[no-untyped-def]
    """Whether the top Cutter may be chartered: where it carries the vehicle, or where no ship does (V1L-10)."""
    if s.stack == 0:
        return False
    if carries(s, t, k, t.ships):
        return True
    others = 0
    for slot in range(s.slots):
        others += int(s.quay[slot] != NONE and carries(s, t, k, s.quay[slot]))
    return others == 0


@kernel
def hull_left(s, t, ship):  # type: ignore[no-untyped-def]
    """Breach that a ship on the Quay, or the top Cutter, can still take."""
    carried = s.cutter[s.stack - 1] if ship == t.ships else s.breach[index(ship)]
    return t.ship[index(ship)].hull - carried


@kernel
def lay_out_cruises(s, t, k, here):  # type: ignore[no-untyped-def]
    """Every route from the knight's port with every ship that he could charter and pay (V1L-02, V5-10, V5-57)."""
    knight, purse = s.knight[k], wealth(s, t, k, 0)
    cutter, thrift, there = cutter_fits(s, t, k), sum_of(s, t, k, THRIFT), 0
    for p in range(t.ports):
        r = t.link[index(knight.port), index(p)]
        if r >= 0:
            if knight.weighs == 1:
                there = arrival_worth(s, t, k, p) - here
            for slot in range(s.slots + 1):
                ship = s.quay[index(slot)] if slot < s.slots else t.ships
                free = cutter if slot == s.slots else ship != NONE and carries(s, t, k, ship)
                if free:
                    cost, worth = price_of(s, t, k, ship, thrift), 0
                    if cost <= purse:
                        if knight.weighs == 1:
                            worth = there - dangers_of(s, t, k, r, ship, hull_left(s, t, ship))
                            worth -= price_worth(s, t, k, cost, purse)
                        offer(s, CRUISE + p * SHIP_STEP + ship, worth)


@kernel
def price_worth(s, t, k, cost, purse):  # type: ignore[no-untyped-def]
    """What it is worth not to pay a Charter Cost: its value, and more where too little is left for the next ship."""
    bot = bot_of(s, t, k)
    return bot.pay * cost + bot.short * max(0, t.ship[t.ships].cost - (purse - cost))


@kernel
def charter(s, t, stream, journal, k, ship):  # type: ignore[no-untyped-def]
    """Charter a ship: pay without change (V1L-11, V5-11), take it off the Quay, or the top Cutter off the deck, until
    the round ends (V5-10)."""
    knight, cost = s.knight[k], cost_of(s, t, k, ship)
    note(journal, CHARTERS, k, ship, cost, t.ship[index(ship)].hull - hull_left(s, t, ship))
    knight.overpaid += pay(s, t, stream, journal, k, cost, 0)
    knight.paid += cost
    if ship == t.ships:
        knight.surcharges += int(not carries(s, t, k, ship))
        s.stack -= 1
        knight.back = s.pile[s.stack]
        board(s, t, k, ship, s.cutter[s.stack])
        return
    for slot in range(s.slots):
        if s.quay[slot] == ship:
            s.quay[slot] = NONE
    board(s, t, k, ship, s.breach[ship])


@kernel
def board(s, t, k, ship, breach):  # type: ignore[no-untyped-def]
    """Go aboard a ship with the Breach that it bears."""
    knight = s.knight[k]
    knight.ship, knight.breach, knight.hull = ship, breach, t.ship[index(ship)].hull


# ---------------------------------------------------------------- the end of the round


@kernel
def return_ships(s, t, journal):  # type: ignore[no-untyped-def]
    """At the end of a round all knights with a Cruise Token who are not Stranded return their ships, Breach and all, to
    the leftmost free slot; Cutters go on top of the deck in player order, and only the last one, on top of all, keeps
    its Breach (V1L-18). Knights out of the game leave theirs, too (assumed). Slots of lost ships stay empty, or
    (ruling) are filled again from the deck (V4-57)."""
    for k in range(s.players):
        knight = s.knight[k]
        if knight.stranded == 0 or knight.out == 1:
            knight.cruised = 0
            if knight.ship == t.ships:
                if s.stack > 0:
                    s.cutter[s.stack - 1] = 0
                s.cutter[s.stack], s.pile[s.stack] = knight.breach, knight.back
                s.stack += 1
                note(journal, RETURNS, k, knight.ship, knight.breach, s.stack)
            elif knight.ship != NONE:
                s.breach[knight.ship] = knight.breach
                note(journal, RETURNS, k, knight.ship, knight.breach, lay_on_quay(s, knight.ship))
            if knight.ship != NONE:
                knight.ship, knight.breach, knight.hull = NONE, 0, 0
    if t.ruling.lost_ships == REFILLED:
        refill(s, t, journal)


@kernel
def lay_on_quay(s, ship):  # type: ignore[no-untyped-def]
    """Lay a ship on the leftmost free slot, and say which."""
    for slot in range(s.slots):
        if s.quay[slot] == NONE:
            s.quay[slot] = ship
            return slot
    s.overflow = 1
    return NONE


@kernel
def refill(s, t, journal):  # type: ignore[no-untyped-def]
    """Turn Cutters over to fill the slots of ships that are lost; those of ships still at sea are kept for them."""
    away = 0
    for k in range(s.players):
        away += int(s.knight[k].ship != NONE and s.knight[k].ship != t.ships)
    for slot in range(s.slots):
        if s.quay[slot] == NONE:
            if away > 0:
                away -= 1
            elif s.stack > 0:
                s.stack -= 1
                s.quay[slot] = s.pile[s.stack]
                s.breach[s.quay[slot]] = 0
                note(journal, QUAY_SHIP, s.quay[slot], slot, s.stack)
