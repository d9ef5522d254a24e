"""Trade at the Stalls: the spaces, their prices, paying with own gear, vehicles, and what is taken for nothing."""

from __future__ import annotations

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import kernel
from simcore.knights.belongings import (
    could_pay,
    discard_item,
    gain_item,
    hand_over,
    is_fitted,
    is_free,
    is_traded,
    limit_of,
    lose_vehicle,
    may_pay,
    put_away,
    return_vehicle,
    shed,
    strip_vehicle,
    take_vehicle,
)
from simcore.knights.board_bots import RESALE, decide, free_value, given_cost, item_worth, lost_by, tempt, vehicle_worth
from simcore.knights.board_state import NONE
from simcore.knights.board_tables import ARMOR, VEHICLES
from simcore.knights.board_tell import BUYS, CLEARS, LOSES_ITEM, STALL
from simcore.piles import discard_card, draw_card

NOTHING, SPACE_AT, VEHICLE_AT, MY_VEHICLE = 0, 1, 64, 96
TAKEN = 2
INERTIA = 50
"""How much better another vehicle or a swap must be, in hundredths of a green card, before a bot wants it."""


@kernel
def refill(s, t, journal):  # type: ignore[no-untyped-def]
    """Every empty space gets a card of its colour, the leftmost first (K5B-22)."""
    for space in range(t.map.stalls):
        if s.stall[space] == NONE:
            card = draw_card(s.gear[t.map.colour[space]])
            s.stall[space] = card if card >= 0 else NONE
            note(journal, STALL, space, s.stall[space], t.map.price[space])


@kernel
def update_stalls(s, t, stream, journal):  # type: ignore[no-untyped-def]
    """The Waster may drop up to 2 cards of the Stalls, and refills them (K5-22); who weighs drops what his rivals would
    like most."""
    for _ in range(2):
        s.options = 0
        offer(s, NOTHING, t.bot[s.player[s.waster].bot].harm)
        for space in range(t.map.stalls):
            if s.stall[space] != NONE:
                offer(s, SPACE_AT + space, t.thing[s.stall[space]].worth // 2)
        option = decide(s, t, stream, s.waster)
        if option == NOTHING:
            break
        space = option - SPACE_AT
        note(journal, CLEARS, space, s.stall[space])
        discard_card(s.gear[t.map.colour[space]], s.stall[space])
        s.stall[space] = NONE
    refill(s, t, journal)


@kernel
def is_sold(s, t, p, space):  # type: ignore[no-untyped-def]
    """Whether a space can be reached from a knight's hex (K5B-23), which does not bar its card (K1C-03, K1C-05)."""
    only, number = t.map.only_at[space], t.tile[s.hex[s.player[p].hex].tile].number
    return s.stall[space] != NONE and only in (0, number) and is_traded(t.thing[s.stall[space]], s.limit)


@kernel
def go_shopping(s, t, stream, journal, p):  # type: ignore[no-untyped-def]
    """A Trade Action: cards of the Stalls and vehicles of the pool for own cards and the own vehicle, one after another
    until the knight has enough; what was paid too much counts for the rest of the deal, and is lost after it (K5B-20,
    K5B-24). What is taken cannot pay in the same deal, nor what the hex bars from trade; the Stalls are refilled
    afterwards (K5B-22)."""
    s.credit, s.swapped, s.limit = 0, 0, limit_of(s, t, p)
    while True:
        s.options = 0
        offer(s, NOTHING, 0)
        means = free_value(s, t, s.player[p]) + s.credit
        for space in range(t.map.stalls):
            if is_sold(s, t, p, space) and t.map.price[space] <= means:
                lay_out_offer(s, t, p, SPACE_AT + space, t.map.price[space], item_worth(s, t, p, s.stall[space]))
        if s.swapped == 0:
            lay_out_vehicles(s, t, p, means)
        option = decide(s, t, stream, p)
        if option == NOTHING:
            break
        buy(s, t, stream, journal, p, option)
    for i in range(s.player[p].items):
        s.player[p].own[i] %= TAKEN
    s.limit = 0
    shed(s, t, journal, p)
    refill(s, t, journal)


@kernel
def lay_out_offer(s, t, p, option, price, worth):  # type: ignore[no-untyped-def]
    """One thing to buy: what it is worth less what is paid."""
    bot = t.bot[s.player[p].bot]
    tempt(s, p, option, bot.gear * (worth - lost_by(s, t, p, price - s.credit)) // 100)


@kernel
def own_vehicle_value(t, player):  # type: ignore[no-untyped-def]
    """What a knight's vehicle is worth at the Stalls, by its present state; 0 for none and for a blue one (K5B-24,
    K5B-27)."""
    if player.vehicle == NONE:
        return 0
    return t.map.value[t.vehicle[player.vehicle].colour[player.damage]]


@kernel
def lay_out_vehicles(s, t, p, means):  # type: ignore[no-untyped-def]
    """The own vehicle to give, and vehicles of the pool in its place, each by its present state (K5B-24).

    A whole one can be had for a damaged one of its kind."""
    player = s.player[p]
    mine_value = own_vehicle_value(t, player)
    if mine_value > 0:
        lay_out_offer(s, t, p, MY_VEHICLE, 0, RESALE * mine_value - vehicle_worth(t, player.vehicle, player.damage))
    elif player.vehicle != NONE:
        return
    for damage in range(2):
        for kind in range(t.vehicles):
            left = s.pool[kind] if damage == 0 else s.pool_damaged[kind]
            price = t.map.value[t.vehicle[kind].colour[damage]]
            same = kind == player.vehicle and damage == player.damage
            if left > 0 and not same and 0 < price <= means + mine_value:
                worth = vehicle_worth(t, kind, damage) - vehicle_worth(t, player.vehicle, player.damage) - INERTIA
                lay_out_offer(s, t, p, VEHICLE_AT + damage * VEHICLES + kind, price - mine_value, worth)


@kernel
def buy(s, t, stream, journal, p, option):  # type: ignore[no-untyped-def]
    """Pay and take; or give the own vehicle."""
    player = s.player[p]
    if option >= VEHICLE_AT:
        s.credit += own_vehicle_value(t, player)
        s.swapped = 1
    if option == MY_VEHICLE:
        return_vehicle(s, player)
        strip_vehicle(t, journal, p, player)
        lose_vehicle(s, t, journal, p)
        return
    if option >= VEHICLE_AT:
        kind, damage = (option - VEHICLE_AT) % VEHICLES, (option - VEHICLE_AT) // VEHICLES
        pay_in_deal(s, t, stream, journal, p, t.map.value[t.vehicle[kind].colour[damage]])
        take_vehicle(s, t, journal, p, kind, damage)
    else:
        space = option - SPACE_AT
        item = s.stall[space]
        s.stall[space] = NONE
        pay_in_deal(s, t, stream, journal, p, t.map.price[space])
        note(journal, BUYS, p, item, space, t.map.price[space])
        gain_item(s, t, journal, p, item)
        take_note(player, item)
    player.bought += 1


@kernel
def take_note(player, item):  # type: ignore[no-untyped-def]
    """Note that a card was taken in the deal under way, so that it does not pay for the next one."""
    for i in range(player.items - 1, -1, -1):
        if player.thing[i] == item and player.own[i] == 0:
            player.own[i] = TAKEN
            return


@kernel
def pay_in_deal(s, t, stream, journal, p, price):  # type: ignore[no-untyped-def]
    """Pay with what was paid too much in this deal, then with own cards."""
    by = min(s.credit, price)
    s.credit -= by
    if price > by:
        s.credit += pay_value(s, t, stream, journal, p, price - by)


@kernel
def pay_value(s, t, stream, journal, p, value):  # type: ignore[no-untyped-def]
    """Pay with own cards of one's choice worth at least so many green cards, and none after that is reached (K1H-22,
    K5B-20), nor one whose loss with what is attached to it would leave too little. What was paid too much."""
    player = s.player[p]
    while value > 0:
        total = free_value(s, t, player)
        s.options, whole = 0, total - least_value(s, t, player) < value
        for i in range(player.items):
            enough = total - lost_with(s, t, player, i) >= value
            if enough and may_pay(s, t, player, i) and not (whole and s.options > 0):
                offer(s, i, -given_cost(s, t, p, value, i))
        if s.options == 0:
            return 0
        i = decide(s, t, stream, p)
        value -= t.thing[player.thing[i]].value
        if s.limit > 0:
            trade_in(s, t, journal, p, i)
        else:
            discard_item(s, t, journal, p, i)
    return -value


@kernel
def least_value(s, t, player):  # type: ignore[no-untyped-def]
    """The least value among the cards that a knight can pay with: one that needs all of them leaves no choice."""
    least = 1 << 40
    for i in range(player.items):
        if could_pay(s, t, player, i):
            least = min(least, t.thing[player.thing[i]].value)
    return least


@kernel
def lost_with(s, t, player, i):  # type: ignore[no-untyped-def]
    """The value of what is attached to a card and lost if it pays; in a trade nothing, as it is detached (K5B-12,
    K5B-14)."""
    lost = 0
    for k in range(player.items):
        if s.limit == 0 and is_fitted(player, k, i) and is_free(t, player, k):
            lost += t.thing[player.thing[k]].value
    return lost


@kernel
def trade_in(s, t, journal, p, i):  # type: ignore[no-untyped-def]
    """Give the card at place i to the Stalls, without its enhancements, which lie loose for now (K5B-12)."""
    item = hand_over(s, t, journal, p, i)
    note(journal, LOSES_ITEM, p, item)
    put_away(s, t, item)


@kernel
def take_free(s, t, stream, journal, p, armor):  # type: ignore[no-untyped-def]
    """Any armor (1), or any drug (0), of the Stalls for nothing; then they are refilled (K1C-08, K1C-09)."""
    s.options = 0
    for space in range(t.map.stalls):
        if s.stall[space] != NONE:
            item = t.thing[s.stall[space]]
            if (armor == 1 and item.kind == ARMOR) or (armor == 0 and item.drug == 1):
                offer(s, SPACE_AT + space, item_worth(s, t, p, s.stall[space]))
    if s.options > 0:
        space = decide(s, t, stream, p) - SPACE_AT
        item = s.stall[space]
        s.stall[space] = NONE
        note(journal, BUYS, p, item, space)
        gain_item(s, t, journal, p, item)
        refill(s, t, journal)
