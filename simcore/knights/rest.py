"""The Rest Step: knights on one hex trade, gear is used, luck cards resupply, the unconscious come to."""

from __future__ import annotations

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import kernel
from simcore.knights.belongings import (
    FOR_GEAR,
    MARK,
    ONE_USE,
    arrange,
    change,
    discard_item,
    is_spent,
    is_usable,
    lose_item,
    lose_vehicle,
    spend,
    use_waker,
    wake,
    waker_of,
)
from simcore.knights.board_bots import AMMO, FUEL, decide, exchange_worth, kept_on, set_keys, tempt
from simcore.knights.board_state import BESIDE, NONE
from simcore.knights.board_tables import BLUE_CARD, GENERAL, HEXES
from simcore.knights.board_tell import EXCHANGES, STEP, USES, USES_ABILITY, WAKES
from simcore.knights.enhancing import enhance_gear
from simcore.knights.gains import exchange_blue
from simcore.knights.luck import RESTING, helps, now_worth, play_luck, resupply_quickly, use_rows
from simcore.knights.trades import trade

NOTHING, ITEM_AT, ABILITY, VEHICLE_AT = 0, 1, 63, 64
REST_PHASE = 3
CITY = 2


@kernel
def rest_all(s, t, stream, journal):  # type: ignore[no-untyped-def]
    """The Rest Step in its printed order (K5-57)."""
    set_keys(s, stream, REST_PHASE, 0)
    s.active = s.first
    note(journal, STEP, 1)
    for i in range(s.players):
        for k in range(i + 1, s.players):
            p, other = (s.first + i) % s.players, (s.first + k) % s.players
            both = s.player[p].out == 0 and s.player[other].out == 0
            if both and s.player[p].hex == s.player[other].hex:
                trade(s, t, stream, journal, p, other)
    for i in range(s.players):
        p = (s.first + i) % s.players
        if s.player[p].out == 0:
            use_gear(s, t, stream, journal, p, RESTING)
            play_luck(s, t, stream, journal, p, RESTING)
            change_blue(s, t, stream, journal, p)
            resupply_quickly(s, t, stream, journal, p)
            enhance_gear(s, t, stream, journal, p)
            arrange(s, t, journal, p)
        else:
            use_to_wake(s, t, journal, p)
    for i in range(s.players):
        p = (s.first + i) % s.players
        if s.player[p].out == 1:
            regain(s, t, stream, journal, p)


# ---------------------------------------------------------------- gear


@kernel
def use_gear(s, t, stream, journal, p, moment):  # type: ignore[no-untyped-def]
    """Cards that are used up or marked and would not be wasted, as many as the knight wants; stored ones only in the
    Rest Step (K5-55, K5B-05, K5B-07, K5B-16); and an ability that works some times a round (K5B-19). `moment`: as for
    `luck.is_now`."""
    player = s.player[p]
    while True:
        s.options = 0
        offer(s, NOTHING, 0)
        for i in range(player.items):
            item = t.thing[player.thing[i]]
            near = moment == RESTING or is_usable(player, i)
            if near and is_ready(t, player, i) and helps(s, t, p, item.text, moment):
                tempt(s, p, ITEM_AT + i, use_worth(s, t, p, item, moment))
        ability = t.ability[player.role]
        if player.strained < t.times[player.role] and helps(s, t, p, ability, moment):
            tempt(s, p, ABILITY, now_worth(s, t, p, ability, moment))
        option = decide(s, t, stream, p)
        if option == NOTHING:
            return
        if option == ABILITY:
            note(journal, USES_ABILITY, p)
            player.strained += 1
            use_rows(s, t, stream, journal, p, ability, moment)
            continue
        use_item(s, t, stream, journal, p, option - ITEM_AT, moment)


@kernel
def is_ready(t, player, i):  # type: ignore[no-untyped-def]
    """Whether a card is general gear to be used: not marked, and none of its title used this round if it is limited."""
    item = t.thing[player.thing[i]]
    free = item.use == ONE_USE or (item.use == MARK and player.marked[i] == 0)
    return item.kind == GENERAL and free and not is_spent(player, player.thing[i])


@kernel
def use_worth(s, t, p, item, moment):  # type: ignore[no-untyped-def]
    """What using a card now is worth, less the card if it is used up."""
    worth = now_worth(s, t, p, item.text, moment)
    kept = kept_on(s, t.bot[s.player[p].bot].gear * item.worth // 200) if item.use == ONE_USE else 0
    return worth - kept


@kernel
def use_item(s, t, stream, journal, p, i, moment):  # type: ignore[no-untyped-def]
    """Use a card of general gear."""
    player = s.player[p]
    item = player.thing[i]
    note(journal, USES, p, item)
    spend(t, player, item)
    if t.thing[item].use == ONE_USE:
        discard_item(s, t, journal, p, i)
    else:
        player.marked[i] = 1
    use_rows(s, t, stream, journal, p, t.thing[item].text, moment)


@kernel
def use_to_wake(s, t, journal, p):  # type: ignore[no-untyped-def]
    """An unconscious knight may use only what ends it (K5B-01, K1H-18)."""
    i = waker_of(t, s.player[p], True)
    if i != NONE:
        use_waker(s, t, journal, p, i)


@kernel
def change_blue(s, t, stream, journal, p):  # type: ignore[no-untyped-def]
    """A blue card may leave the game for 1 Reputation and a red card (K1H-25): gear or a vehicle; what is attached goes
    by its own hex alone (K5B-33)."""
    player = s.player[p]
    s.options = 0
    offer(s, NOTHING, 0)
    for i in range(player.items):
        item = t.thing[player.thing[i]]
        loose = player.spot[i] != BESIDE or item.group == FOR_GEAR
        if item.colour == BLUE_CARD and loose and player.own[i] == 0:
            tempt(s, p, ITEM_AT + i, exchange_worth(s, t, p) - t.bot[player.bot].gear * item.worth // 100)
    if player.vehicle != NONE and t.vehicle[player.vehicle].colour[player.damage] == BLUE_CARD:
        tempt(s, p, VEHICLE_AT, exchange_worth(s, t, p) - 6 * t.bot[player.bot].gear)
    option = decide(s, t, stream, p)
    if option == NOTHING:
        return
    if option == VEHICLE_AT:
        lose_vehicle(s, t, journal, p)
    else:
        note(journal, EXCHANGES, p, lose_item(s, t, journal, p, option - ITEM_AT))
    exchange_blue(s, t, stream, journal, p)


# ---------------------------------------------------------------- coming to


@kernel
def regain(s, t, stream, journal, p):  # type: ignore[no-untyped-def]
    """Into the nearest city, of two the one that the Waster picks; healed on what knocked him out, less Ammo and Fuel
    (K1E-36, K5-58)."""
    player, nearest = s.player[p], 99
    for h in range(HEXES):
        if t.tile[s.hex[h].tile].role == CITY:
            nearest = min(nearest, t.map.far[player.hex, h])
    s.options = 0
    for h in range(HEXES):
        if t.tile[s.hex[h].tile].role == CITY and t.map.far[player.hex, h] == nearest:
            offer(s, h, -t.tile[s.hex[h].tile].actions)
    player.hex, player.explored = decide(s, t, stream, s.waster), 0
    note(journal, WAKES, p, player.hex)
    wake(s, t, journal, p)
    change(s, t, journal, p, AMMO, -1)
    change(s, t, journal, p, FUEL, -1)
