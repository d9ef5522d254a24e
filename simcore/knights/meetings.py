"""Meeting other knights: duels, theft, revival and trade."""

from __future__ import annotations

from simcore.journal import note
from simcore.kernels import kernel
from simcore.knights.belongings import (
    add_fame,
    change,
    drop_item,
    gain_item,
    is_free,
    lack_of,
    limit_of,
    lose_tunings,
    may_pass,
    shed,
    wake,
)
from simcore.knights.board_bots import (
    AMMO,
    FUEL,
    decide,
    dial_worth,
    duel_worth,
    item_worth,
    kept_on,
    kept_worth,
    offer,
    tempt,
    vehicle_worth,
)
from simcore.knights.board_state import NONE
from simcore.knights.board_tell import FIGHTS, FOUGHT, MEETS, REFUSES, REVIVES, STEALS, TRADES, VEHICLE
from simcore.knights.luck import WON, check, play_luck
from simcore.knights.stalls import INERTIA
from simcore.knights.state import BOTH_DOWN, TRADED
from simcore.knights.tasks import DEFEAT_KNIGHT, meet_by_both, meet_by_deed
from simcore.knights.wasteland import enter_fight, leave_fight, wage

PASS, DUEL, REVIVE, STEAL = range(4)
AGREE, REFUSE = 1, 2
NOTHING, FUEL_LOOT, AMMO_LOOT, TASK_LOOT, ITEM_AT = 0, 1, 2, 3, 8
SWAP_AT, SALE_AT, SALE_SIDE, MOST_SWAPS = 64, 2048, 128, 3
RIDES, RIDE_AWAY, RIDE_HOME = 4096, 4160, 4224
"""Deals in vehicles: one for the other, the own one for a card of the other, an own card for his."""


@kernel
def meet_knights(s, t, stream, journal, p):  # type: ignore[no-untyped-def]
    """Those on the hex that the active knight has entered, before or after the wasteland card (K5-87, K4-48)."""
    for other in range(s.players):
        here = other != p and s.player[other].hex == s.player[p].hex and s.met >> other & 1 == 0
        if here and s.player[p].out == 0 and s.player[p].stopped == 0:
            meet_one(s, t, stream, journal, p, other)


@kernel
def meet_one(s, t, stream, journal, p, other):  # type: ignore[no-untyped-def]
    """One knight: an unconscious one can be revived or robbed by one search check (K4-46), any other challenged
    (K1E-39, K1E-41); trade on a move is what comes of a duel in which both defend (K5-89)."""
    bot = t.bot[s.player[p].bot]
    s.options = 0
    offer(s, PASS, 0)
    if s.player[other].out == 1:
        if s.player[other].beaten_by != p:
            offer(s, REVIVE, bot.fame - bot.dial)
        offer(s, STEAL, kept_on(s, bot.gear * 2))
    elif t.table.duels == 1:
        tempt(s, p, DUEL, duel_worth(s, t, p, other))
    option = decide(s, t, stream, p)
    if option == PASS:
        return
    s.met |= 1 << other
    note(journal, MEETS, p, other, option)
    if option == DUEL:
        challenge(s, t, stream, journal, p, other)
    elif check(s, t, stream, journal, p, t.map.search_skill, t.map.search_difficulty) > 0:
        if option == REVIVE:
            revive(s, t, journal, p, other)
            trade(s, t, stream, journal, p, other)
        else:
            steal(s, t, stream, journal, p, other)


@kernel
def challenge(s, t, stream, journal, p, other):  # type: ignore[no-untyped-def]
    """A duel, with the other's consent or by a search check (K5-88)."""
    s.options = 0
    tempt(s, other, AGREE, duel_worth(s, t, other, p))
    offer(s, REFUSE, 0)
    met = decide(s, t, stream, other) == AGREE
    if not met:
        note(journal, REFUSES, other)
    if met or check(s, t, stream, journal, p, t.map.search_skill, t.map.search_difficulty) > 0:
        duel(s, t, stream, journal, p, other)


@kernel
def duel(s, t, stream, journal, p, other):  # type: ignore[no-untyped-def]
    """Let two knights fight: the winner has Reputation and may steal, or both trade; who defeats each other both meet
    what asks for it, and no more (K1F-32, K1E-41, K4-47, K5-81, K5-90)."""
    s.fight.duel = 1
    s.rules.table.enemy_dice = 0
    enter_fight(s, t, 0, p)
    enter_fight(s, t, 1, other)
    note(journal, FIGHTS, p, 200 + other)
    wage(s, t, stream, journal)
    winner, ending, both = s.fight.winner, s.fight.ending, s.fight.ending == BOTH_DOWN
    note(journal, FOUGHT, p, 200 + other, 0 if winner < 0 else 1 + winner)
    leave_fight(s, t, stream, journal, 0, p)
    leave_fight(s, t, stream, journal, 1, other)
    s.player[p].duels += 1
    s.player[other].duels += 1
    if ending == TRADED:
        trade(s, t, stream, journal, p, other)
    elif both:
        meet_by_both(s, t, stream, journal, p, other)
    elif winner >= 0:
        best, beaten = (p, other) if winner == 0 else (other, p)
        s.player[best].duels_won += 1
        s.player[beaten].beaten_by = best
        s.player[best].fame_duels += add_fame(s, journal, best, t.mission[t.table.mission].duel_reputation)
        meet_by_deed(s, t, stream, journal, best, DEFEAT_KNIGHT, 0)
        if s.player[best].out == 0:
            play_luck(s, t, stream, journal, best, WON)
        steal(s, t, stream, journal, best, beaten)


@kernel
def revive(s, t, journal, p, other):  # type: ignore[no-untyped-def]
    """An unconscious knight comes to: 2 healed on each dial that knocks him out; Reputation for it (K1E-39, K5B-02)."""
    wake(s, t, other)
    s.player[other].woken = 1
    s.player[p].revived += 1
    add_fame(s, journal, p, t.map.revive_reputation)
    note(journal, REVIVES, p, other)


# ---------------------------------------------------------------- theft


@kernel
def steal(s, t, stream, journal, p, other):  # type: ignore[no-untyped-def]
    """One gear card, 2 Fuel, 2 Ammo, or the private task of another knight (K1E-40, K5B-03)."""
    mine, theirs, bot = s.player[p], s.player[other], t.bot[s.player[p].bot]
    s.options = 0
    offer(s, NOTHING, 0)
    fuel, ammo = min(t.map.steal_fuel, theirs.fuel), min(t.map.steal_ammo, theirs.ammo)
    if fuel > 0 and mine.vehicle != NONE:
        offer(s, FUEL_LOOT, dial_worth(s, t, p, FUEL, fuel))
    if ammo > 0:
        offer(s, AMMO_LOOT, dial_worth(s, t, p, AMMO, ammo))
    post = private_of(s, other)
    if post != NONE and private_of(s, p) == NONE:
        offer(s, TASK_LOOT, bot.task)
    for i in range(theirs.items):
        if is_free(t, theirs, i):
            offer(s, ITEM_AT + i, bot.gear * item_worth(s, t, p, theirs.thing[i]) // 100)
    option = decide(s, t, stream, p)
    if option == NOTHING:
        return
    mine.stolen += 1
    note(journal, STEALS, p, other, option)
    if option == FUEL_LOOT:
        change(s, t, journal, other, FUEL, -change(s, t, journal, p, FUEL, fuel))
    elif option == AMMO_LOOT:
        change(s, t, journal, other, AMMO, -change(s, t, journal, p, AMMO, ammo))
    elif option == TASK_LOOT:
        s.post[post].holder, s.post[post].marks = p, max(0, s.post[post].marks - 1)
    else:
        gain_item(s, t, journal, p, drop_item(s, t, other, option - ITEM_AT))
        shed(s, t, journal, other)


@kernel
def private_of(s, p):  # type: ignore[no-untyped-def]
    """The post of the private task that a knight holds and can lose, or NONE (K1E-33)."""
    for i in range(s.posts):
        if s.post[i].holder == p and s.post[i].task != NONE and s.post[i].owner == NONE:
            return i
    return NONE


# ---------------------------------------------------------------- trade


@kernel
def trade(s, t, stream, journal, p, other):  # type: ignore[no-untyped-def]
    """Two knights exchange what both want: Ammo for Fuel, a card for a card, a card for Ammo or Fuel; each may refuse
    (K5B-26, K5-54). A hex bars from it, for both, what it bars from trade with the Stalls (K1C-03, K1C-05)."""
    s.limit = limit_of(s, t, p)
    for _ in range(MOST_SWAPS):
        s.options = 0
        offer(s, NOTHING, 0)
        lay_out_swaps(s, t, p, other)
        option = decide(s, t, stream, p)
        if option == NOTHING:
            break
        s.options = 0
        tempt(s, other, AGREE, swap_worth(s, t, other, p, mirrored(option)))
        offer(s, REFUSE, 0)
        if decide(s, t, stream, other) == REFUSE:
            break
        note(journal, TRADES, p, other, option)
        swap(s, t, journal, p, other, option)
    s.limit = 0


@kernel
def lay_out_swaps(s, t, p, other):  # type: ignore[no-untyped-def]
    """What a knight could give for what; SWAP_AT + mine * 32 + theirs for cards, from SALE_AT on sales."""
    mine, theirs = s.player[p], s.player[other]
    if mine.ammo > 0 and theirs.fuel > 0 and lack_of(t, mine, FUEL) > 0 and lack_of(t, theirs, AMMO) > 0:
        tempt(s, p, AMMO_LOOT, swap_worth(s, t, p, other, AMMO_LOOT))
    if mine.fuel > 0 and theirs.ammo > 0 and lack_of(t, mine, AMMO) > 0 and lack_of(t, theirs, FUEL) > 0:
        tempt(s, p, FUEL_LOOT, swap_worth(s, t, p, other, FUEL_LOOT))
    for i in range(mine.items):
        for k in range(theirs.items):
            if may_pass(s, t, mine, i) and may_pass(s, t, theirs, k) and mine.thing[i] != theirs.thing[k]:
                tempt(s, p, SWAP_AT + i * 32 + k, swap_worth(s, t, p, other, SWAP_AT + i * 32 + k))
    lay_out_rides(s, t, p, other)
    for dial in range(2):
        for many in range(1, 3):
            lay_out_sales(s, t, p, other, dial, many)


@kernel
def lay_out_rides(s, t, p, other):  # type: ignore[no-untyped-def]
    """Deals in vehicles, of which a knight has one at a time (K5B-08): they are gear cards, blue ones too (K5B-26,
    K5B-27)."""
    mine, theirs = s.player[p], s.player[other]
    if mine.vehicle != NONE and theirs.vehicle != NONE:
        if mine.vehicle != theirs.vehicle or mine.damage != theirs.damage:
            tempt(s, p, RIDES, swap_worth(s, t, p, other, RIDES))
        return
    for i in range(theirs.items):
        if mine.vehicle != NONE and may_pass(s, t, theirs, i):
            tempt(s, p, RIDE_AWAY + i, swap_worth(s, t, p, other, RIDE_AWAY + i))
    for i in range(mine.items):
        if theirs.vehicle != NONE and may_pass(s, t, mine, i):
            tempt(s, p, RIDE_HOME + i, swap_worth(s, t, p, other, RIDE_HOME + i))


@kernel
def lay_out_sales(s, t, p, other, dial, many):  # type: ignore[no-untyped-def]
    """So many Ammo (0) or Fuel (1) of the other for an own card, or own ones for a card of his."""
    for buys in range(2):
        giver, taker = (p, other) if buys == 0 else (other, p)
        what, seller = FUEL if dial == 1 else AMMO, s.player[giver]
        there = s.player[taker].fuel if dial == 1 else s.player[taker].ammo
        if there < many or lack_of(t, seller, what) < many:
            continue
        for i in range(seller.items):
            option = SALE_AT + buys * SALE_SIDE + dial * 64 + (many - 1) * 32 + i
            if may_pass(s, t, seller, i):
                tempt(s, p, option, swap_worth(s, t, p, other, option))


@kernel
def sale_worth(s, t, p, other, option):  # type: ignore[no-untyped-def]
    """What a sale, or a purchase, of a card for Ammo or Fuel is worth to a knight."""
    buys, i = (option - SALE_AT) // SALE_SIDE, option % 32
    what, many = FUEL if option // 64 % 2 == 1 else AMMO, 1 + option // 32 % 2
    bot = t.bot[s.player[p].bot]
    if buys == 0:
        return dial_worth(s, t, p, what, many) - bot.gear * kept_worth(s, t, p, i) // 100
    return dial_worth(s, t, p, what, -many) + bot.gear * item_worth(s, t, p, s.player[other].thing[i]) // 100


@kernel
def mirrored(option):  # type: ignore[no-untyped-def]
    """A swap seen from the other side."""
    if option >= RIDES:
        return option if option == RIDES else option ^ (RIDE_AWAY ^ RIDE_HOME)
    if option >= SALE_AT:
        return option ^ SALE_SIDE
    if option >= SWAP_AT:
        return SWAP_AT + (option - SWAP_AT) % 32 * 32 + (option - SWAP_AT) // 32
    return AMMO_LOOT if option == FUEL_LOOT else FUEL_LOOT


@kernel
def swap_worth(s, t, p, other, option):  # type: ignore[no-untyped-def]
    """What a swap is worth to a knight."""
    if option == AMMO_LOOT:
        return dial_worth(s, t, p, FUEL, 1) + dial_worth(s, t, p, AMMO, -1)
    if option == FUEL_LOOT:
        return dial_worth(s, t, p, AMMO, 1) + dial_worth(s, t, p, FUEL, -1)
    if option >= RIDES:
        return ride_worth(s, t, p, other, option)
    if option >= SALE_AT:
        return sale_worth(s, t, p, other, option)
    mine, theirs = (option - SWAP_AT) // 32, (option - SWAP_AT) % 32
    got = item_worth(s, t, p, s.player[other].thing[theirs])
    return t.bot[s.player[p].bot].gear * (got - kept_worth(s, t, p, mine) - INERTIA) // 100


@kernel
def ride_of(t, player):  # type: ignore[no-untyped-def]
    """What a knight's vehicle is worth in its present state."""
    return vehicle_worth(t, player.vehicle, player.damage)


@kernel
def ride_worth(s, t, p, other, option):  # type: ignore[no-untyped-def]
    """What a deal in vehicles is worth to a knight; with the last one goes all Fuel (K5-95)."""
    gear, mine = t.bot[s.player[p].bot].gear, s.player[p]
    if option == RIDES:
        return gear * (ride_of(t, s.player[other]) - ride_of(t, mine)) // 100
    if option >= RIDE_HOME:
        return gear * (ride_of(t, s.player[other]) - kept_worth(s, t, p, option - RIDE_HOME)) // 100
    got = item_worth(s, t, p, s.player[other].thing[option - RIDE_AWAY])
    return gear * (got - ride_of(t, mine)) // 100 + dial_worth(s, t, p, FUEL, -mine.fuel)


@kernel
def swap(s, t, journal, p, other, option):  # type: ignore[no-untyped-def]
    """Do a swap."""
    if option in (AMMO_LOOT, FUEL_LOOT):
        giver, taker = (p, other) if option == AMMO_LOOT else (other, p)
        change(s, t, journal, giver, AMMO, -1)
        change(s, t, journal, taker, AMMO, 1)
        change(s, t, journal, taker, FUEL, -1)
        change(s, t, journal, giver, FUEL, 1)
        return
    if option >= RIDES:
        deal_in_vehicles(s, t, journal, p, other, option)
        return
    if option >= SALE_AT:
        sell(s, t, journal, p, other, option)
        return
    mine = drop_item(s, t, p, (option - SWAP_AT) // 32)
    theirs = drop_item(s, t, other, (option - SWAP_AT) % 32)
    gain_item(s, t, journal, p, theirs)
    gain_item(s, t, journal, other, mine)


@kernel
def sell(s, t, journal, p, other, option):  # type: ignore[no-untyped-def]
    """A card goes one way, Ammo or Fuel the other."""
    buys, what, many = (option - SALE_AT) // SALE_SIDE, FUEL if option // 64 % 2 == 1 else AMMO, 1 + option // 32 % 2
    giver, taker = (p, other) if buys == 0 else (other, p)
    change(s, t, journal, taker, what, -many)
    change(s, t, journal, giver, what, many)
    gain_item(s, t, journal, taker, drop_item(s, t, giver, option % 32))
    shed(s, t, journal, giver)


@kernel
def deal_in_vehicles(s, t, journal, p, other, option):  # type: ignore[no-untyped-def]
    """Vehicles change hands, each in its state, with Fuel and tunings staying behind where there is still a vehicle
    (K5-95, K5B-12); a card may go the other way."""
    mine, theirs = s.player[p], s.player[other]
    mine.vehicle, theirs.vehicle = int(theirs.vehicle), int(mine.vehicle)
    mine.damage, theirs.damage = int(theirs.damage), int(mine.damage)
    if option >= RIDE_HOME:
        gain_item(s, t, journal, other, drop_item(s, t, p, option - RIDE_HOME))
    elif option >= RIDE_AWAY:
        gain_item(s, t, journal, p, drop_item(s, t, other, option - RIDE_AWAY))
    for q in (p, other):
        note(journal, VEHICLE, q, s.player[q].vehicle, s.player[q].damage)
        if s.player[q].vehicle == NONE:
            s.player[q].fuel = 0
            lose_tunings(s, t, journal, q)
        shed(s, t, journal, q)
