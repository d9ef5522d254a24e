"""What comes to a knight as a reward: dials, Reputation, gear of the decks, vehicles of the pool, blue cards."""

from __future__ import annotations

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import kernel
from simcore.knights.belongings import (
    FAME,
    GREEN,
    HEALTH,
    LUCK_CARDS,
    RADIATION,
    RED_CARDS,
    REPAIR,
    add_fame,
    carrier_of,
    change,
    count_in,
    discard_item,
    drop_luck,
    gain_item,
    has_item,
    is_safe,
    lose_vehicle,
    repair,
    shed,
    take_vehicle,
    trunk_room,
    worth_of,
)
from simcore.knights.board_bots import IMPLANT, TUNING, blue_worth, decide, exchange_worth, tempt, vehicle_worth
from simcore.knights.board_state import (
    NONE,
    TRUNK,
)
from simcore.knights.board_tables import BLUE_CARD, ENHANCEMENT, RED, VEHICLES
from simcore.knights.board_tell import (
    DRAWS,
    DROPS_LUCK,
    EXCHANGES,
    GAINS_LUCK,
    VEHICLE,
)
from simcore.piles import draw_card, find_card, take_card

DRAW, VEHICLE_AT = 0, 1
DECLINE, TAKE, EXCHANGE, CARD_AT = 0, 1, 2, 8


@kernel
def give(s, t, stream, journal, p, what, many):  # type: ignore[no-untyped-def]
    """Dials, Reputation, gear cards, luck cards, a repair or attached blue cards for a knight."""
    if HEALTH <= what <= RADIATION:
        change(s, t, journal, p, what, many)
    elif what == FAME:
        add_fame(s, journal, p, many)
    elif GREEN <= what <= RED_CARDS:
        draw_gear(s, t, stream, journal, p, what - GREEN, many)
    elif what == LUCK_CARDS:
        draw_luck(s, t, stream, journal, p, many)
    elif what == REPAIR:
        repair(s, journal, p)
    elif IMPLANT <= what <= TUNING:
        for _ in range(many):
            gain_blue(s, t, stream, journal, p, what - IMPLANT, NONE)


# ---------------------------------------------------------------- gear, or a vehicle in its place


@kernel
def draw_gear(s, t, stream, journal, p, colour, many):  # type: ignore[no-untyped-def]
    """Draw gear cards of a colour, or for each, if the knight wants to, take a vehicle of the pool that has this colour
    in its present state (K1H-26)."""
    for _ in range(many):
        s.options = 0
        offer(s, DRAW, 0)
        lay_out_pool(s, t, p, colour)
        option = decide(s, t, stream, p)
        if option != DRAW:
            vehicle, damage = (option - VEHICLE_AT) % VEHICLES, (option - VEHICLE_AT) // VEHICLES
            take_vehicle(s, t, journal, p, vehicle, damage)
            shed(s, t, journal, p)
        else:
            card = draw_card(s.gear[colour])
            if card >= 0:
                note(journal, DRAWS, p, card)
                gain_item(s, t, journal, p, card)


@kernel
def lay_out_pool(s, t, p, colour):  # type: ignore[no-untyped-def]
    """The vehicles of a colour that a knight could take from the pool; his own goes there, unless it is blue, as that
    can't be given away (K5B-08, K5B-27)."""
    player, gear = s.player[p], t.bot[s.player[p].bot].gear
    if player.vehicle != NONE and t.vehicle[player.vehicle].colour[player.damage] == BLUE_CARD:
        return
    for damage in range(2):
        for kind in range(t.vehicles):
            left = s.pool[kind] if damage == 0 else s.pool_damaged[kind]
            same = kind == player.vehicle and damage == player.damage
            if left > 0 and not same and t.vehicle[kind].colour[damage] == colour:
                worth = vehicle_worth(t, kind, damage) - vehicle_worth(t, player.vehicle, player.damage)
                tempt(s, p, VEHICLE_AT + damage * VEHICLES + kind, gear * (worth - 100 * t.map.value[colour]) // 100)


@kernel
def win_vehicle(s, t, stream, journal, p, vehicle):  # type: ignore[no-untyped-def]
    """A vehicle of a reward: the knight takes it, and his own goes to the pool, or does without; a blue one may leave
    the game for what it brings (K1H-25, K5B-08). Who has a blue one can't part with it for another (K5B-27)."""
    player = s.player[p]
    s.options = 0
    offer(s, DECLINE, 0)
    if player.vehicle == NONE or t.vehicle[player.vehicle].colour[player.damage] != BLUE_CARD:
        worth = vehicle_worth(t, vehicle, 0) - vehicle_worth(t, player.vehicle, player.damage)
        tempt(s, p, TAKE, t.bot[player.bot].gear * worth // 100)
    if t.vehicle[vehicle].colour[0] == BLUE_CARD:
        tempt(s, p, EXCHANGE, exchange_worth(s, t, p))
    option = decide(s, t, stream, p)
    if option == TAKE:
        take_vehicle(s, t, journal, p, vehicle, 0)
        shed(s, t, journal, p)
    elif option == EXCHANGE:
        exchange_blue(s, t, stream, journal, p)


# ---------------------------------------------------------------- what is discarded


@kernel
def draw_luck(s, t, stream, journal, p, many):  # type: ignore[no-untyped-def]
    """Draw luck cards; above the limit of a hand its owner picks what goes (K1D-07, K5-24)."""
    player = s.player[p]
    for _ in range(many * t.table.luck):
        card = draw_card(s.luck)
        if card < 0:
            return
        player.luck[player.lucks] = card
        player.lucks += 1
        note(journal, GAINS_LUCK, p, card)
        if player.lucks > t.map.luck_limit:
            note(journal, DROPS_LUCK, p, drop_luck(s, p, pick_luck(s, t, stream, p)))


@kernel
def pick_luck(s, t, stream, p):  # type: ignore[no-untyped-def]
    """Let a knight pick the place of a luck card that he discards, of equal ones the first."""
    player = s.player[p]
    s.options = 0
    for i in range(player.lucks):
        known = False
        for k in range(i):
            known = known or player.luck[k] == player.luck[i]
        if not known:
            offer(s, i, -t.luck[player.luck[i]].worth)
    return decide(s, t, stream, p)


@kernel
def damage_vehicle(s, t, stream, journal, p, many):  # type: ignore[no-untyped-def]
    """Each damage turns the vehicle to its other side, or wrecks it (K1H-05, K4-13), but not a blue one (K5B-27); of
    cards in it for which it has no room any more the Waster picks some (K5B-09)."""
    player = s.player[p]
    for _ in range(many):
        if player.vehicle == NONE:
            return
        if player.damage == 1 and t.vehicle[player.vehicle].colour[1] == BLUE_CARD:
            break
        if player.damage == 0:
            player.damage = 1
            note(journal, VEHICLE, p, player.vehicle, player.damage)
        else:
            s.pool[player.vehicle] += 1
            lose_vehicle(s, t, journal, p)
            player.stopped = 1
    while count_in(player, TRUNK) > trunk_room(s, t, p) and pick_from_trunk(s, t, stream, journal, p):
        pass
    shed(s, t, journal, p)


@kernel
def pick_from_trunk(s, t, stream, journal, p):  # type: ignore[no-untyped-def]
    """Let the Waster discard a card of a vehicle, if one there can be discarded (K5B-09, K5B-27)."""
    player = s.player[p]
    s.options = 0
    for i in range(player.items):
        if player.spot[carrier_of(player, i)] == TRUNK and not is_safe(t, player, i):
            offer(s, i, t.bot[s.player[s.waster].bot].harm * worth_of(t, player, i) // 100)
    if s.options == 0:
        return False
    discard_item(s, t, journal, p, decide(s, t, stream, s.waster))
    return True


# ---------------------------------------------------------------- blue cards


@kernel
def gain_blue(s, t, stream, journal, p, sort, item):  # type: ignore[no-untyped-def]
    """A blue card of a reward, searched for in its deck (K5B-28): the one that the reward names, or any of a sort; kept
    or at once out of the game for what that brings (K1H-25). `item`: NONE for any of the sort."""
    s.options = 0
    for card in range(t.items):
        right = card == item if item != NONE else (t.thing[card].kind == ENHANCEMENT and t.thing[card].group == sort)
        if right and find_card(s.gear[BLUE_CARD], card) >= 0 and has_item(s.player[p], card) == NONE:
            offer(s, CARD_AT + card, blue_worth(s, t, p, card))
    if s.options == 0:
        return
    offer(s, EXCHANGE, exchange_worth(s, t, p))
    option, card = decide(s, t, stream, p), item
    if option >= CARD_AT:
        card = option - CARD_AT
    elif card == NONE:
        card = s.option[0] - CARD_AT
    take_card(s.gear[BLUE_CARD], card)
    if option == EXCHANGE:
        note(journal, EXCHANGES, p, card)
        exchange_blue(s, t, stream, journal, p)
    else:
        note(journal, DRAWS, p, card)
        gain_item(s, t, journal, p, card)


@kernel
def exchange_blue(s, t, stream, journal, p):  # type: ignore[no-untyped-def]
    """What a blue card brings that leaves the game: 1 Reputation and a red card (K1H-25)."""
    add_fame(s, journal, p, 1)
    draw_gear(s, t, stream, journal, p, RED, 1)
