"""What a knight has: resources, gear, what of it he can put to use, and the room for Water."""

from __future__ import annotations

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import has_room, index, kernel
from simcore.streams import word
from simcore.voyage.base import sum_of
from simcore.voyage.bots import bot_of, decide
from simcore.voyage.decks import count_bits, draw_from, throw
from simcore.voyage.state import NONE, PIECES
from simcore.voyage.tables import (
    AQUATIC_AT,
    AQUATIC_GEAR,
    NORMAL_GEAR,
    SLOT,
    STARTING_AT,
    TERM,
    TERMS,
)
from simcore.voyage.tell import DROPS, FINDS_GEAR, GAINS_RESOURCE, LOSES_RESOURCE, SPILLS_WATER

ATTACK, ARMOR, AQUATIC, FLASK = TERM["attack"], TERM["armor"], TERM["aquatic"], TERM["flask"]
ARMOR_SLOT, GADGET = SLOT["armor"], SLOT["gadget"]
SHEET = PIECES
"""Where an Aquatic token on the knight's sheet stands among those on gear (`laid`)."""

TAKEN, NO_ROOM = 0, 1
"""Why a piece of gear is lost."""

FUEL, AMMO, MEDS, WATER = 2, 3, 4, 1
"""Resources, as findings are numbered (cards.FINDINGS)."""


# ---------------------------------------------------------------- gear in use


@kernel
def gear_of(t, card):  # type: ignore[no-untyped-def]
    """The gear that a gear card is."""
    return t.gear[index(t.piece[index(card)])]


@kernel
def equip(s, t, k):  # type: ignore[no-untyped-def]
    """Equip as for a Move Action, which is fixed until a cruise ends (V1L-13): the best weapon, the best armor and as
    many gadgets as there are pockets, by what the knight thinks of them. Assumed: one weapon in use, of one hand or
    two."""
    knight, bot = s.knight[k], bot_of(s, t, k)
    knight.worn = 0
    for _ in range(2 + t.land.pockets):
        best, most, gadgets, hands, armor = NONE, -1, 0, 0, 0
        for i in range(knight.pieces):
            if (knight.worn >> i) & 1:
                slot = gear_of(t, knight.piece[i]).slot
                gadgets, armor = gadgets + int(slot == GADGET), armor + int(slot == ARMOR_SLOT)
                hands += int(slot < ARMOR_SLOT)
        for i in range(knight.pieces):
            gear = gear_of(t, knight.piece[i])
            full = gadgets >= t.land.pockets if gear.slot == GADGET else hands > 0
            full = armor > 0 if gear.slot == ARMOR_SLOT else full
            worth = max(0, bot.worth[t.piece[knight.piece[i]]])
            if (knight.worn >> i) & 1 == 0 and not full and worth > most:
                best, most = i, worth
        if best == NONE:
            return
        knight.worn |= 1 << best


@kernel
def gear_worth(s, t, k, number):  # type: ignore[no-untyped-def]
    """What one more piece of gear is worth to a knight: as much as it is better than the worst that it would replace,
    where as many of its kind are equipped as can be."""
    knight, bot = s.knight[k], bot_of(s, t, k)
    slot, least, many = gear_of(t, number).slot, 1 << 40, 0
    for i in range(knight.pieces):
        other = gear_of(t, knight.piece[i]).slot
        if (knight.worn >> i) & 1 and (other == slot or max(other, slot) < ARMOR_SLOT):
            many += 1
            least = min(least, bot.worth[t.piece[knight.piece[i]]])
    full = many >= t.land.pockets if slot == GADGET else many > 0
    return bot.worth[t.piece[number]] - (max(0, least) if full and many > 0 else 0)


@kernel
def muster(s, t, k, wet):  # type: ignore[no-untyped-def]
    """What a knight can put to use, into `term`, `dice` and `armor`; `wet`: against an Aquatic challenge.

    Skills and the numbers of the sheet always count. Against an Aquatic challenge a knight without the trait has no
    upgrades and no bare hands, and gear without it does nothing (V1M-17, V5-39); at sea the vehicle and what is tied to
    it are off, as they are against an Aquatic challenge (V1L-13, V5-12, V1M-20), and the ship's own ability holds."""
    knight, own = s.knight[k], t.knight[index(s.knight[k].role)]
    for i in range(TERMS):
        s.term[i] = own.term[i]
    s.wet = wet
    if knight.injury > 0:
        add_injuries(s, t, k)
    if s.at_sea == 1 and knight.ship >= 0:
        for i in range(TERMS):
            s.term[i] += t.ship[index(knight.ship)].term[i]
    elif s.at_sea + wet == 0:
        for i in range(TERMS):
            s.term[i] += t.vehicle[index(knight.vehicle)].term[i]
    s.gills = int(has_gills(s, t, k))
    if knight.upgrade > 0:
        add_upgrades(s, t, k)
    add_gear(s, t, k)


@kernel
def has_gills(s, t, k):  # type: ignore[no-untyped-def]
    """Whether the knight has the Aquatic trait: by a token on his sheet, by equipped gear or an upgrade that has or
    gives it (V5-59)."""
    knight = s.knight[k]
    if (s.laid >> SHEET) & 1:
        return True
    for i in range(knight.pieces):
        gear = gear_of(t, knight.piece[i])
        if (knight.worn >> i) & 1 and gear.term[AQUATIC] > 0 and (gear.aquatic == 1 or (s.laid >> i) & 1):
            return True
    if knight.upgrade > 0:
        for u in range(t.upgrades):
            if (knight.upgrade >> u) & 1 and t.upgrade[u].gills == 1:
                return True
    return False


@kernel
def add_injuries(s, t, k):  # type: ignore[no-untyped-def]
    """What Injury cards do, always."""
    bits, i = s.knight[k].injury, 0
    while bits > 0:
        if bits & 1:
            for j in range(TERMS):
                s.term[j] += t.injury[i].term[j]
        bits >>= 1
        i += 1


@kernel
def add_upgrades(s, t, k):  # type: ignore[no-untyped-def]
    """What upgrades do: all of them, or those with the trait; none that is tied to the vehicle at sea (V5-12)."""
    for u in range(t.upgrades):
        upgrade = t.upgrade[u]
        fits = s.wet == 0 or s.gills == 1 or upgrade.aquatic == 1
        if (s.knight[k].upgrade >> u) & 1 and fits and not (upgrade.vehicle == 1 and s.at_sea + s.wet > 0):
            for j in range(TERMS):
                s.term[j] += upgrade.term[j]


@kernel
def add_gear(s, t, k):  # type: ignore[no-untyped-def]
    """What equipped gear does, and the best weapon: bare hands need the trait against an Aquatic challenge (V1M-17).
    Attack dice from elsewhere go with either."""
    knight = s.knight[k]
    hands, weapon, armor = t.knight[index(knight.role)].term[ATTACK], 0, 0
    bare = s.wet == 0 or s.gills == 1
    s.term[ATTACK] -= hands
    for i in range(knight.pieces):
        gear = gear_of(t, knight.piece[i])
        if (knight.worn >> i) & 1 and (s.wet == 0 or gear.aquatic == 1 or (s.laid >> i) & 1):
            weapon, armor = max(weapon, gear.dice), armor + gear.armor
            for j in range(TERMS):
                s.term[j] += gear.term[j]
    s.dice = max(weapon, hands if bare else 0)
    if s.dice > 0:
        s.dice = max(1, s.dice + s.term[ATTACK])
    s.armor = max(0, armor + s.term[ARMOR])


# ---------------------------------------------------------------- room and resources


@kernel
def room_left(s, t, k):  # type: ignore[no-untyped-def]
    """Capacity left in the vehicle: gear that is not equipped takes 1 each, Water 1 for each two, rounding up (V1M-06);
    flasks hold Water besides."""
    knight = s.knight[k]
    water = max(0, knight.water - max(0, sum_of(s, t, k, FLASK)))
    taken = (water + t.rules.per_capacity - 1) // t.rules.per_capacity
    return t.vehicle[knight.vehicle].capacity - (knight.pieces - count_bits(knight.worn)) - taken


@kernel
def room_for_water(s, t, k):  # type: ignore[no-untyped-def]
    """Whether one more Water fits."""
    s.knight[k].water += 1
    fits = room_left(s, t, k) >= 0
    s.knight[k].water -= 1
    return fits


@kernel
def amount(s, k, resource):  # type: ignore[no-untyped-def]
    """How many of a resource a knight has."""
    knight = s.knight[k]
    if resource == FUEL:
        return knight.fuel
    if resource == AMMO:
        return knight.ammo
    return knight.meds if resource == MEDS else knight.water


@kernel
def change(s, journal, k, resource, many):  # type: ignore[no-untyped-def]
    """Gain (or, below 0, lose what there is) of a resource other than Water."""
    many = max(many, -amount(s, k, resource))
    add(s, k, resource, many)
    note(journal, GAINS_RESOURCE if many > 0 else LOSES_RESOURCE, k, resource, abs(many), amount(s, k, resource))


@kernel
def add(s, k, resource, many):  # type: ignore[no-untyped-def]
    """More (or, below 0, fewer) of a resource other than Water, without a word."""
    knight = s.knight[k]
    if resource == FUEL:
        knight.fuel += many
    elif resource == AMMO:
        knight.ammo += many
    else:
        knight.meds += many


@kernel
def lose_any(s, t, stream, journal, k, many):  # type: ignore[no-untyped-def]
    """Lose so many resources other than Water, one by one: which ones, whoever takes the card's decisions says."""
    for _ in range(many):
        s.options = 0
        for resource in range(FUEL, MEDS + 1):
            have = amount(s, k, resource)
            if have > 0:
                offer(s, resource, malice(s, k) * -have)
        if s.options == 0:
            return
        change(s, journal, k, decide(s, t, stream, chooser(s, k)), -1)


@kernel
def chooser(s, k):  # type: ignore[no-untyped-def]
    """Who takes a decision that falls on a knight: he who reads the card, else himself (V5-15)."""
    return s.reader if s.reader != NONE else k


@kernel
def malice(s, k):  # type: ignore[no-untyped-def]
    """1 where someone else chooses for a knight, and takes what hurts; -1 where he chooses himself."""
    return 1 if chooser(s, k) != k else -1


# ---------------------------------------------------------------- gear that comes and goes


@kernel
def drop(s, t, journal, k, i, why):  # type: ignore[no-untyped-def]
    """Lose a piece of gear, as it is taken or for want of room (TAKEN or NO_ROOM)."""
    note(journal, DROPS, k, t.piece[s.knight[k].piece[i]], why)
    discard(s, k, i)


@kernel
def discard(s, k, i):  # type: ignore[no-untyped-def]
    """Discard a piece of gear; both decks share a discard pile, from which each is made anew (V5-41). Starting gear
    leaves the game."""
    knight = s.knight[k]
    card = knight.piece[i]
    knight.pieces -= 1
    last = knight.pieces
    knight.piece[i] = knight.piece[last]
    knight.worn, s.laid = move_bit(knight.worn, last, i), move_bit(s.laid, last, i)
    if card < AQUATIC_AT:
        throw(s.deck[NORMAL_GEAR], card)
    elif card < STARTING_AT:
        throw(s.deck[AQUATIC_GEAR], card - AQUATIC_AT)


@kernel
def move_bit(bits, last, i):  # type: ignore[no-untyped-def]
    """The bits of a list whose last entry takes the place of the i-th."""
    moved = (bits >> last) & 1
    rest = bits & ~((1 << last) | (1 << i))
    return rest if i == last else rest | (moved << i)


@kernel
def drop_any(s, t, stream, journal, k, many):  # type: ignore[no-untyped-def]
    """Discard so many pieces of gear, as whoever takes the card's decisions says."""
    for _ in range(many):
        s.options = 0
        knight = s.knight[k]
        for i in range(knight.pieces):
            offer(s, i, malice(s, k) * bot_of(s, t, k).worth[t.piece[knight.piece[i]]])
        if s.options == 0:
            return
        drop(s, t, journal, k, decide(s, t, stream, chooser(s, k)), TAKEN)
        stow(s, t, journal, k)


@kernel
def choose_deck(s, t, stream, k, swap):  # type: ignore[no-untyped-def]
    """The deck that a knight draws gear from: the normal one, or the Aquatic one where `swap` is 1 (V1M-18)."""
    if swap == 0 or s.deck[AQUATIC_GEAR].left + s.deck[AQUATIC_GEAR].thrown == 0:
        return NORMAL_GEAR
    s.options = 0
    offer(s, NORMAL_GEAR, 0)
    offer(s, AQUATIC_GEAR, bot_of(s, t, k).gills)
    return decide(s, t, stream, k)


@kernel
def gain_gear(s, t, stream, journal, k, many, swap, key):  # type: ignore[no-untyped-def]
    """Draw gear; `swap`: 1 where one card may come from the Aquatic deck instead (V1M-18). What doesn't fit is left
    behind."""
    for i in range(many):
        deck = choose_deck(s, t, stream, k, swap)
        swap -= int(deck == AQUATIC_GEAR)
        card = draw_from(s.deck[deck], word(key, i))
        if card >= 0:
            number = card + (AQUATIC_AT if deck == AQUATIC_GEAR else 0)
            note(journal, FINDS_GEAR, k, t.piece[number], deck)
            take_piece(s, t, journal, k, number)


@kernel
def take_piece(s, t, journal, k, card):  # type: ignore[no-untyped-def]
    """Take a piece of gear; then all must fit. Beyond the capacity the worst one is left out and counted."""
    knight = s.knight[k]
    if not has_room(s, knight.pieces, PIECES):
        drop(s, t, journal, k, worst_piece(s, t, k), NO_ROOM)
    knight.piece[knight.pieces] = card
    knight.pieces += 1
    stow(s, t, journal, k)


@kernel
def stow(s, t, journal, k):  # type: ignore[no-untyped-def]
    """Equip, unless a cruise forbids it (V1L-13), and leave behind what the vehicle can't hold: the worst gear in
    store, then Water (V1M-06)."""
    knight = s.knight[k]
    if s.at_sea == 0:
        equip(s, t, k)
    while room_left(s, t, k) < 0:
        if knight.pieces > count_bits(knight.worn):
            drop(s, t, journal, k, worst_piece(s, t, k), NO_ROOM)
        elif knight.water > 0:
            knight.water -= 1
            s.pool += 1
            note(journal, SPILLS_WATER, k, 1, knight.water)
        else:
            return


@kernel
def worst_piece(s, t, k):  # type: ignore[no-untyped-def]
    """The piece that its owner would miss least, of those that are not equipped if there are any."""
    knight, worst, least = s.knight[k], 0, 1 << 40
    for i in range(knight.pieces):
        worth = bot_of(s, t, k).worth[t.piece[knight.piece[i]]] + ((knight.worn >> i) & 1) * 1_000_000
        if worth < least:
            worst, least = i, worth
    return worst
