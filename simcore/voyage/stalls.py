"""Paying by value, and buying gear: Charter Costs, Barter and the Stalls."""

from __future__ import annotations

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import index, kernel
from simcore.streams import word
from simcore.voyage.belongings import (
    FUEL,
    MEDS,
    WATER,
    add,
    amount,
    choose_deck,
    discard,
    gear_of,
    gear_worth,
    stow,
    take_piece,
)
from simcore.voyage.bots import LEAVE, TAKE, bot_of, decide, resource_worth, water_worth
from simcore.voyage.decks import draw_from, throw
from simcore.voyage.tables import AQUATIC_AT, AQUATIC_GEAR
from simcore.voyage.tell import BUYS, LEFT, OFFERED, PAYS_WITH, SPENDS_WATER

PIECE_AT = 16
"""Where pieces of gear stand among the options of a payment, after the resources."""

AT_OFFER = 5120


@kernel
def wealth(s, t, k, with_water):  # type: ignore[no-untyped-def]
    """The Barter Value that a knight could pay: 1 for each resource, gear by its value; Water counts in a barter alone
    (V1M-07)."""
    knight = s.knight[k]
    total = knight.fuel + knight.ammo + knight.meds
    for i in range(knight.pieces):
        total += gear_of(t, knight.piece[i]).value
    return total + (t.rules.water_value * knight.water if with_water == 1 else 0)


@kernel
def pay(s, t, stream, journal, k, cost, with_water):  # type: ignore[no-untyped-def]
    """Pay a cost piece by piece, as the knight likes; what is paid beyond it is lost (V1L-11, V4-61). The cost must be
    within his `wealth`. Returns the value lost by overpaying."""
    left = cost
    while left > 0:
        lay_out_payment(s, t, k, left, with_water)
        if s.options == 0:
            return 0
        option = decide(s, t, stream, k)
        if option >= PIECE_AT:
            i = option - PIECE_AT
            left -= gear_of(t, s.knight[k].piece[i]).value
            note(journal, PAYS_WITH, k, -1 - t.piece[s.knight[k].piece[i]], left)
            discard(s, k, i)
        elif option == WATER:
            left -= t.rules.water_value
            s.knight[k].water -= 1
            s.knight[k].spent += 1
            s.pool += 1
            note(journal, SPENDS_WATER, k, 1, s.knight[k].water)
        else:
            left -= 1
            add(s, k, option, -1)
            note(journal, PAYS_WITH, k, option, left)
    stow(s, t, journal, k)
    return -left


@kernel
def lay_out_payment(s, t, k, left, with_water):  # type: ignore[no-untyped-def]
    """What a knight could pay with next: cheap things first, and nothing far above what is left to pay."""
    knight, bot = s.knight[k], bot_of(s, t, k)
    s.options = 0
    for resource in range(FUEL, MEDS + 1):
        have = amount(s, k, resource)
        if have > 0:
            offer(s, resource, -resource_worth(s, t, k, have - 1))
    if with_water == 1 and knight.water > 0 and t.rules.water_value > 0:
        offer(s, WATER, -water_worth(s, t, k) // t.rules.water_value)
    for i in range(knight.pieces):
        value = gear_of(t, knight.piece[i]).value
        if value > 0:
            waste = max(0, value - left)
            worth = bot.worth[index(t.piece[knight.piece[i]])]
            offer(s, PIECE_AT + i, -worth // min(value, left) - bot.pay * waste)


@kernel
def price_worth(s, t, k, value, with_water):  # type: ignore[no-untyped-def]
    """What a knight would give up for something of a value: what he would miss least, at its rate."""
    if value == 0:
        return 0
    lay_out_payment(s, t, k, value, with_water)
    best = 0
    for i in range(s.options):
        best = s.value[i] if i == 0 else max(best, s.value[i])
    return -best * value


@kernel
def barter(s, t, stream, journal, k, offers):  # type: ignore[no-untyped-def]
    """A barter: so many gear cards on offer, Water taken in payment (V1M-07)."""
    shop(s, t, stream, journal, k, offers, 1)


@kernel
def shop(s, t, stream, journal, k, offers, with_water):  # type: ignore[no-untyped-def]
    """Gear on offer, card by card: bought at its value or discarded. On a coastal space, which all ports and the sea
    are, one card may come from the Aquatic deck instead (V1M-18, V5-33)."""
    swap = 1
    for i in range(offers):
        deck = choose_deck(s, t, stream, k, swap)
        swap -= int(deck == AQUATIC_GEAR)
        card = draw_from(s.deck[deck], word(s.key, AT_OFFER + i))
        if card < 0:
            continue
        number = card + (AQUATIC_AT if deck == AQUATIC_GEAR else 0)
        value = gear_of(t, number).value
        note(journal, OFFERED, k, t.piece[number], value, deck)
        worth = gear_worth(s, t, k, number) - price_worth(s, t, k, value, with_water)
        s.options = 0
        offer(s, LEAVE, 0)
        if value <= wealth(s, t, k, with_water):
            offer(s, TAKE, worth)
        if decide(s, t, stream, k) == TAKE:
            note(journal, BUYS, k, t.piece[number], value)
            s.knight[k].overpaid += pay(s, t, stream, journal, k, value, with_water)
            take_piece(s, t, journal, k, number)
        else:
            note(journal, LEFT, k, t.piece[number])
            throw(s.deck[deck], card)
