"""Trade between knights: deals of any number of cards, Ammo, Fuel and vehicles on either side (K5B-26, K5-54)."""

from __future__ import annotations

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import inlined, kernel
from simcore.knights.belongings import (
    TUNING,
    change,
    hand_over,
    is_traded,
    lack_of,
    limit_of,
    lose_attached,
    may_pass,
    pass_item,
    shed,
    strip_vehicle,
    tell_dial,
)
from simcore.knights.board_bots import AMMO, FUEL, decide, dial_worth, item_worth, kept_worth, tempt, vehicle_worth
from simcore.knights.board_state import FITTED, HELD, NONE
from simcore.knights.board_tell import TRADES, VEHICLE
from simcore.knights.stalls import INERTIA

AGREE, REFUSE = 1, 2
NOTHING, FUEL_FOR_AMMO, AMMO_FOR_FUEL = 0, 1, 2
SWAP_AT, SALE_AT, SALE_SIDE, MOST_DEALS = 64, 2048, 128, 3
RIDES, RIDE_AWAY, RIDE_HOME = 4096, 4160, 4224
"""How a deal begins: Ammo for Fuel, SWAP_AT + mine * 32 + theirs for a card each, a card sold or bought for Ammo or
Fuel, a vehicle for a vehicle, the own one for a card, a card for his."""

PROPOSE, GIVE_AMMO, TAKE_AMMO, GIVE_FUEL, TAKE_FUEL, SWAP_RIDES, GIVE_AT, TAKE_AT = 0, 1, 2, 3, 4, 5, 64, 128
"""What can be added to it, one thing after another, until it is proposed."""


@kernel
def trade(s, t, stream, journal, p, other):  # type: ignore[no-untyped-def]
    """Let a knight propose deals, which the other takes or refuses. A hex bars from it, for both, what it bars from
    trade with the Stalls (K1C-03, K1C-05)."""
    s.limit = limit_of(s, t, p)
    for _ in range(MOST_DEALS):
        s.options = 0
        offer(s, NOTHING, 0)
        lay_out_deals(s, t, p, other)
        option = decide(s, t, stream, p)
        if option == NOTHING:
            break
        begin_deal(s, option)
        complete_deal(s, t, stream, p, other)
        s.options = 0
        tempt(s, other, AGREE, deal_worth(s, t, other, p, -1))
        offer(s, REFUSE, 0)
        if decide(s, t, stream, other) == REFUSE:
            break
        note(journal, TRADES, p, other)
        close_deal(s, t, journal, p, other)
    s.limit = 0


# ---------------------------------------------------------------- how a deal begins


@kernel
def lay_out_deals(s, t, p, other):  # type: ignore[no-untyped-def]
    """Offer what a knight could give for what, to begin with."""
    mine, theirs = s.player[p], s.player[other]
    if mine.ammo > 0 and theirs.fuel > 0 and lack_of(t, mine, FUEL) > 0 and lack_of(t, theirs, AMMO) > 0:
        try_deal(s, t, p, other, AMMO_FOR_FUEL)
    if mine.fuel > 0 and theirs.ammo > 0 and lack_of(t, mine, AMMO) > 0 and lack_of(t, theirs, FUEL) > 0:
        try_deal(s, t, p, other, FUEL_FOR_AMMO)
    for i in range(mine.items):
        for k in range(theirs.items):
            if may_pass(s, t, mine, i) and may_pass(s, t, theirs, k) and mine.thing[i] != theirs.thing[k]:
                try_deal(s, t, p, other, SWAP_AT + i * 32 + k)
    lay_out_rides(s, t, p, other)
    for dial in range(2):
        for many in range(1, 3):
            lay_out_sales(s, t, p, other, dial, many)


@kernel
def lay_out_rides(s, t, p, other):  # type: ignore[no-untyped-def]
    """Offer deals in vehicles, of which a knight has one at a time (K5B-08): they are gear cards, blue ones too
    (K5B-26, K5B-27)."""
    mine, theirs = s.player[p], s.player[other]
    if mine.vehicle != NONE and theirs.vehicle != NONE:
        if differ(mine, theirs):
            try_deal(s, t, p, other, RIDES)
        return
    for i in range(theirs.items):
        if mine.vehicle != NONE and may_pass(s, t, theirs, i):
            try_deal(s, t, p, other, RIDE_AWAY + i)
    for i in range(mine.items):
        if theirs.vehicle != NONE and may_pass(s, t, mine, i):
            try_deal(s, t, p, other, RIDE_HOME + i)


@inlined
def differ(mine, theirs):  # type: ignore[no-untyped-def]
    """Say whether two knights have different vehicles, or one of them none."""
    return mine.vehicle != theirs.vehicle or mine.damage != theirs.damage


@kernel
def lay_out_sales(s, t, p, other, dial, many):  # type: ignore[no-untyped-def]
    """Offer so many Ammo (0) or Fuel (1) of the other for an own card, or own ones for a card of his."""
    for buys in range(2):
        giver, taker = (p, other) if buys == 0 else (other, p)
        what, seller = FUEL if dial == 1 else AMMO, s.player[giver]
        there = s.player[taker].fuel if dial == 1 else s.player[taker].ammo
        if there < many or lack_of(t, seller, what) < many:
            continue
        for i in range(seller.items):
            if may_pass(s, t, seller, i):
                try_deal(s, t, p, other, SALE_AT + buys * SALE_SIDE + dial * 64 + (many - 1) * 32 + i)


@kernel
def try_deal(s, t, p, other, option):  # type: ignore[no-untyped-def]
    """Offer a beginning, for what the deal would be worth to a knight."""
    worth = 0
    if s.player[p].weighs == 1:
        begin_deal(s, option)
        worth = deal_worth(s, t, p, other, 1)
    tempt(s, p, option, worth)


@kernel
def begin_deal(s, option):  # type: ignore[no-untyped-def]
    """Lay out a deal that has just begun: bits of the cards of either side, Ammo and Fuel that the proposer gives
    (below 0: takes), and whether vehicles change hands."""
    deal = s.deal
    deal.mine, deal.theirs, deal.ammo, deal.fuel, deal.rides = 0, 0, 0, 0, int(option >= RIDES)
    if option in (FUEL_FOR_AMMO, AMMO_FOR_FUEL):
        deal.ammo = 1 if option == AMMO_FOR_FUEL else -1
        deal.fuel = -deal.ammo
    elif option >= RIDE_HOME:
        deal.mine = 1 << (option - RIDE_HOME)
    elif option >= RIDE_AWAY:
        deal.theirs = 1 << (option - RIDE_AWAY)
    elif SALE_AT <= option < RIDES:
        buys, many, card = (option - SALE_AT) // SALE_SIDE, 1 + option // 32 % 2, 1 << option % 32
        many = many if buys == 1 else -many
        deal.mine, deal.theirs = (0, card) if buys == 1 else (card, 0)
        deal.fuel, deal.ammo = (many, 0) if option // 64 % 2 == 1 else (0, many)
    elif option < SALE_AT:
        deal.mine, deal.theirs = 1 << (option - SWAP_AT) // 32, 1 << (option - SWAP_AT) % 32


# ---------------------------------------------------------------- what else goes into it


@kernel
def complete_deal(s, t, stream, p, other):  # type: ignore[no-untyped-def]
    """Let a knight add one thing after another on either side, until he proposes the deal."""
    while True:
        s.options = 0
        refused = s.player[p].weighs == 1 and deal_worth(s, t, other, p, -1) <= 0
        offer(s, PROPOSE, 0 if refused or s.player[p].weighs == 0 else deal_worth(s, t, p, other, 1))
        for i in range(s.player[p].items):
            if s.deal.mine >> i & 1 == 0 and may_add(s, t, s.player[p], i, s.deal.mine):
                try_more(s, t, p, other, GIVE_AT + i)
        for i in range(s.player[other].items):
            if s.deal.theirs >> i & 1 == 0 and may_add(s, t, s.player[other], i, s.deal.theirs):
                try_more(s, t, p, other, TAKE_AT + i)
        lay_out_levels(s, t, p, other, AMMO, s.deal.ammo, GIVE_AMMO)
        lay_out_levels(s, t, p, other, FUEL, s.deal.fuel, GIVE_FUEL)
        if s.deal.rides == 0 and differ(s.player[p], s.player[other]):
            try_more(s, t, p, other, SWAP_RIDES)
        option = decide(s, t, stream, p)
        if option == PROPOSE:
            return
        add_to_deal(s, option, 1)


@kernel
def may_add(s, t, player, i, given):  # type: ignore[no-untyped-def]
    """Whether a card can be added to a deal in which its side gives the cards of some bits: what is attached can, once
    its carrier is given (K5B-12)."""
    if player.spot[i] != FITTED:
        return may_pass(s, t, player, i)
    return given >> player.on[i] & 1 == 1 and is_traded(t.thing[player.thing[i]], s.limit)


@kernel
def lay_out_levels(s, t, p, other, what, many, give):  # type: ignore[no-untyped-def]
    """Offer one level more of Ammo or Fuel, in the direction in which it goes already (K5B-26)."""
    mine, theirs = s.player[p], s.player[other]
    own, his = (mine.ammo, theirs.ammo) if what == AMMO else (mine.fuel, theirs.fuel)
    if many >= 0 and own > many and lack_of(t, theirs, what) > many:
        try_more(s, t, p, other, give)
    if many <= 0 and his > -many and lack_of(t, mine, what) > -many:
        try_more(s, t, p, other, give + 1)


@kernel
def try_more(s, t, p, other, option):  # type: ignore[no-untyped-def]
    """Offer an addition; who weighs looks at what the other would agree to."""
    worth = 0
    if s.player[p].weighs == 1:
        add_to_deal(s, option, 1)
        worth = deal_worth(s, t, p, other, 1) if deal_worth(s, t, other, p, -1) > 0 else 0
        add_to_deal(s, option, -1)
    tempt(s, p, option, worth)


@kernel
def add_to_deal(s, option, by):  # type: ignore[no-untyped-def]
    """Put a thing into the deal, or with -1 take it out again."""
    deal = s.deal
    if option >= TAKE_AT:
        deal.theirs += by << (option - TAKE_AT)
    elif option >= GIVE_AT:
        deal.mine += by << (option - GIVE_AT)
    elif option == SWAP_RIDES:
        deal.rides += by
    elif option in (GIVE_FUEL, TAKE_FUEL):
        deal.fuel += by if option == GIVE_FUEL else -by
    else:
        deal.ammo += by if option == GIVE_AMMO else -by


@kernel
def deal_worth(s, t, p, other, side):  # type: ignore[no-untyped-def]
    """What the deal is worth to a knight: to the proposer with side 1, to the other with -1."""
    deal, gear, worth = s.deal, t.bot[s.player[p].bot].gear, 0
    gives, gets = (deal.mine, deal.theirs) if side == 1 else (deal.theirs, deal.mine)
    for i in range(s.player[p].items):
        if gives >> i & 1 == 1:
            worth -= kept_worth(s, t, p, i)
    for i in range(s.player[other].items):
        if gets >> i & 1 == 1:
            worth += item_worth(s, t, p, s.player[other].thing[i])
    mine, theirs, fuel = s.player[p], s.player[other], -side * deal.fuel
    if gives > 0 and gets > 0:
        worth -= INERTIA
    if deal.rides == 1:
        worth += vehicle_worth(t, theirs.vehicle, theirs.damage) - vehicle_worth(t, mine.vehicle, mine.damage)
        if theirs.vehicle == NONE:
            fuel = -mine.fuel
    return gear * worth // 100 + dial_worth(s, t, p, AMMO, -side * deal.ammo) + dial_worth(s, t, p, FUEL, fuel)


# ---------------------------------------------------------------- doing it


@kernel
def close_deal(s, t, journal, p, other):  # type: ignore[no-untyped-def]
    """Carry out the deal: Ammo and Fuel level for level, vehicles, and the cards of both sides."""
    deal = s.deal
    pass_levels(s, t, journal, p, other, AMMO, deal.ammo)
    pass_levels(s, t, journal, p, other, FUEL, deal.fuel)
    mine, theirs, deal.cards = deal.mine, deal.theirs, 0
    for i in range(HELD - 1, -1, -1):
        if mine >> i & 1 == 1:
            deal.card[deal.cards] = hand_over(s, t, journal, p, i)
            deal.cards += 1
    given = int(deal.cards)
    for i in range(HELD - 1, -1, -1):
        if theirs >> i & 1 == 1:
            deal.card[deal.cards] = hand_over(s, t, journal, other, i)
            deal.cards += 1
    if deal.rides == 1:
        swap_rides(s, t, journal, p, other)
    for i in range(deal.cards - 1, -1, -1):
        giver, taker = (p, other) if i < given else (other, p)
        pass_item(s, t, journal, giver, taker, deal.card[i])
    for q in (p, other):
        shed(s, t, journal, q)


@kernel
def pass_levels(s, t, journal, p, other, what, many):  # type: ignore[no-untyped-def]
    """Let so much Ammo or Fuel pass to the other, or with less than 0 from him."""
    giver, taker, many = (p, other, many) if many > 0 else (other, p, -many)
    if many > 0:
        change(s, t, journal, giver, what, -many)
        change(s, t, journal, taker, what, many)


@kernel
def swap_rides(s, t, journal, p, other):  # type: ignore[no-untyped-def]
    """Let vehicles change hands, each in its state, with Fuel and tunings staying behind where there is still a
    vehicle; enhancements are detached and stay (K5-95, K5B-12)."""
    mine, theirs = s.player[p], s.player[other]
    strip_vehicle(t, journal, p, mine)
    strip_vehicle(t, journal, other, theirs)
    mine.vehicle, theirs.vehicle = int(theirs.vehicle), int(mine.vehicle)
    mine.damage, theirs.damage = int(theirs.damage), int(mine.damage)
    for q in (p, other):
        note(journal, VEHICLE, q, s.player[q].vehicle, s.player[q].damage)
        if s.player[q].vehicle == NONE:
            tell_dial(journal, q, 2, s.player[q].fuel, 0)
            s.player[q].fuel = 0
            lose_attached(s, t, journal, q, TUNING)
