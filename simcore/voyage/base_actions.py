"""The basic actions of the second edition in a thin form: Move, Camp, Explore and the City. What the expansion says of
them is kept by its rule; the rest is assumed, with its numbers in the pack's [land]."""

from __future__ import annotations

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import kernel
from simcore.streams import word
from simcore.voyage.base import clean, heal, is_wrecked, mend, sum_of
from simcore.voyage.belongings import FUEL, MEDS, WATER, add, amount, change, equip, gain_gear
from simcore.voyage.bots import (
    CAMP,
    CITY,
    EXPLORE,
    LEAVE,
    MOVE,
    TAKE,
    bot_of,
    camp_worth,
    decide,
    move_worth,
    resource_worth,
    water_worth,
)
from simcore.voyage.decks import draw_from, throw
from simcore.voyage.stalls import shop
from simcore.voyage.state import NONE, ROAD_AHEAD
from simcore.voyage.tables import FINDING, FINDS, TERM, TERRAIN
from simcore.voyage.tell import CAMPS, DRIVES, EXCHANGES, EXPLORES, UPGRADES, VISITS_CITY
from simcore.voyage.water import can_gain, gain_water, spend_water

REPAIR, EXPLORATION, FILTER = TERM["repair"], TERM["exploration"], TERM["filter"]
SCRUB, GEAR_FOUND = TERRAIN["scrub"], FINDING["gear"]
AT_FIND, AT_FOUND_GEAR = 224, 6144


# ---------------------------------------------------------------- Move


@kernel
def lay_out_moves(s, t, k, here):  # type: ignore[no-untyped-def]
    """Roads that a knight can drive: in Australia only (V1M-02), with a vehicle that runs and Fuel."""
    knight = s.knight[k]
    if is_wrecked(s, t, k):
        return
    for p in range(t.ports):
        road = t.way[knight.port, p]
        if road >= 0 and fuel_for(s, t, k, road) <= knight.fuel:
            offer(s, MOVE + p, move_worth(s, t, k, road, p, here) if knight.weighs == 1 else 0)


@kernel
def fuel_for(s, t, k, road):  # type: ignore[no-untyped-def]
    """Fuel for a road: one more where it is longer than the vehicle is fast (assumed)."""
    way = t.road[road]
    return way.fuel + int(way.open + way.rough > t.vehicle[s.knight[k].vehicle].speed)


@kernel
def move(s, t, stream, journal, k, p):  # type: ignore[no-untyped-def]
    """Drive to another port. A road with two or more highway, desert or crater spaces takes 1 Water, never more
    (V1M-09, V4-62); then a wasteland card of its terrain."""
    knight = s.knight[k]
    road = t.way[knight.port, p]
    way = t.road[road]
    equip(s, t, k)
    note(journal, DRIVES, k, p, road)
    change(s, journal, k, FUEL, -fuel_for(s, t, k, road))
    knight.moves += 1
    knight.port = p
    if way.open >= t.rules.road_from:
        spend_water(s, t, stream, journal, k, t.rules.road_water)
    if knight.out == 0:
        s.ahead, s.place = ROAD_AHEAD, way.deck


# ---------------------------------------------------------------- Camp


@kernel
def lay_out_camp(s, t, k):  # type: ignore[no-untyped-def]
    """A camp, where it would do something."""
    knight = s.knight[k]
    mends = min(knight.damage, sum_of(s, t, k, REPAIR))
    heals, cleans = min(knight.hurt, t.land.camp_heal), min(knight.radiation, t.land.camp_clean)
    filters = sum_of(s, t, k, FILTER) * t.table.water
    if knight.weighs == 0:
        offer(s, CAMP, 0)
    elif mends + heals + cleans + filters > 0:
        thirst = water_worth(s, t, k) if filters > 0 else 0
        offer(s, CAMP, camp_worth(s, t, k, mends, heals, cleans) + filters * thirst)


@kernel
def camp(s, t, stream, journal, k):  # type: ignore[no-untyped-def]
    """Rest: wounds heal, Radiation goes, the vehicle is mended; a Meds where wounds are left. Others on the space share
    it, but not those with a Cruise Token (V5-30). Ships are never mended (V1L-22)."""
    knight = s.knight[k]
    note(journal, CAMPS, k, knight.port)
    heal(s, journal, k, t.land.camp_heal)
    if knight.hurt >= t.land.meds and knight.meds > 0:
        change(s, journal, k, MEDS, -1)
        heal(s, journal, k, t.land.meds)
    clean(s, journal, k, t.land.camp_clean)
    mend(s, journal, k, sum_of(s, t, k, REPAIR))
    filters = max(0, sum_of(s, t, k, FILTER))
    if filters > 0:
        knight.gained += gain_water(s, t, stream, journal, k, filters, 0)
    for other in range(s.players):
        there = s.knight[other].port == knight.port and s.knight[other].stranded == 0 and s.knight[other].out == 0
        if other != k and there and s.knight[other].cruised == 0:
            heal(s, journal, other, t.land.shared)


# ---------------------------------------------------------------- Explore


@kernel
def lay_out_exploring(s, t, k):  # type: ignore[no-untyped-def]
    """An Explore Action, by what the knight usually finds."""
    bot = bot_of(s, t, k)
    many = max(0, sum_of(s, t, k, EXPLORATION))
    offer(s, EXPLORE, bot.find * min(many, 3) + water_worth(s, t, k) // 4)


@kernel
def terrain_of(s, t, k):  # type: ignore[no-untyped-def]
    """The terrain of a port: on the board, or on its destination card (V5-31)."""
    p = s.knight[k].port
    return t.place[s.shown[p]].terrain if s.shown[p] != NONE else max(0, t.port[p].terrain)


@kernel
def explore(s, t, stream, journal, k):  # type: ignore[no-untyped-def]
    """Draw an exploration card and take its findings for the terrain, as many as the knight's Exploration; in scrub and
    mountains one of them may be Water instead (V1M-11)."""
    terrain = terrain_of(s, t, k)
    card = draw_from(s.deck[FINDS], word(s.key, AT_FIND))
    note(journal, EXPLORES, k, s.knight[k].port, terrain, card)
    throw(s.deck[FINDS], card)
    swaps = t.rules.finding * t.table.water if terrain >= SCRUB else 0
    for i in range(min(3, max(0, sum_of(s, t, k, EXPLORATION)))):
        found = t.find[card].finding[terrain, i]
        if found > 0:
            if swaps > 0 and found != WATER and can_gain(s, t, k):
                s.options = 0
                offer(s, LEAVE, bot_of(s, t, k).resource)
                offer(s, TAKE, water_worth(s, t, k))
                if decide(s, t, stream, k) == TAKE:
                    found, swaps = WATER, 0
            take_finding(s, t, stream, journal, k, found, i)


@kernel
def take_finding(s, t, stream, journal, k, found, i):  # type: ignore[no-untyped-def]
    """One finding."""
    if found == WATER:
        s.knight[k].gained += gain_water(s, t, stream, journal, k, 1, 0)
    elif found == GEAR_FOUND:
        gain_gear(s, t, stream, journal, k, 1, 0, word(s.key, AT_FOUND_GEAR + i))
    else:
        change(s, journal, k, found, 1)


# ---------------------------------------------------------------- the City


@kernel
def lay_out_city(s, t, k):  # type: ignore[no-untyped-def]
    """A City Action where there is a city, overseas in three of the six (V5-32)."""
    if t.port[s.knight[k].port].city == 1:
        offer(s, CITY, bot_of(s, t, k).trade + water_worth(s, t, k) if s.knight[k].weighs == 1 else 0)


@kernel
def visit_city(s, t, stream, journal, k):  # type: ignore[no-untyped-def]
    """The Quack's free Water (V1M-08), then the Stalls: resources against Water, two for one, or against one another,
    and gear for what isn't Water (V1M-07); then what has been learnt (assumed)."""
    note(journal, VISITS_CITY, k, s.knight[k].port)
    s.knight[k].gained += gain_water(s, t, stream, journal, k, t.rules.quack, t.rules.quack)
    for _ in range(t.land.stalls):
        if not exchange(s, t, stream, journal, k):
            break
    shop(s, t, stream, journal, k, t.land.offers, 0)
    learn(s, t, stream, journal, k)


@kernel
def exchange(s, t, stream, journal, k):  # type: ignore[no-untyped-def]
    """Exchange one resource at the Stalls, for one of another kind or two Water; whether the knight wanted to."""
    s.options = 0
    offer(s, 0, 0)
    for give in range(FUEL, MEDS + 1):
        have = amount(s, k, give)
        if have > 0:
            price = resource_worth(s, t, k, have - 1)
            if can_gain(s, t, k):
                offer(s, 8 * give + WATER, t.rules.stalls_water * water_worth(s, t, k) * 3 // 4 - price)
            for get in range(FUEL, MEDS + 1):
                if get != give:
                    offer(
                        s, 8 * give + get, resource_worth(s, t, k, amount(s, k, get)) - price - bot_of(s, t, k).resource
                    )
    option = decide(s, t, stream, k)
    if option == 0:
        return False
    give, get = option // 8, option % 8
    add(s, k, give, -1)
    note(journal, EXCHANGES, k, give, get)
    if get == WATER:
        s.knight[k].bought += gain_water(s, t, stream, journal, k, t.rules.stalls_water, 0)
    else:
        add(s, k, get, 1)
    return True


@kernel
def learn(s, t, stream, journal, k):  # type: ignore[no-untyped-def]
    """Buy an upgrade for experience: an own one, or a general one of which no side is taken (assumed)."""
    knight = s.knight[k]
    s.options = 0
    offer(s, 0, 0)
    for u in range(t.upgrades):
        upgrade = t.upgrade[u]
        own = upgrade.knight == knight.role or (upgrade.knight == NONE and not is_taken(s, t, u))
        if own and (knight.upgrade >> u) & 1 == 0 and upgrade.cost <= knight.experience:
            offer(s, 1 + u, bot_of(s, t, k).upgrade)
    option = decide(s, t, stream, k)
    if option > 0:
        knight.upgrade |= 1 << (option - 1)
        knight.experience -= t.upgrade[option - 1].cost
        note(journal, UPGRADES, k, option - 1, t.upgrade[option - 1].cost, knight.experience)


@kernel
def is_taken(s, t, u):  # type: ignore[no-untyped-def]
    """Whether a side of a general upgrade card is someone's: cards have two sides."""
    for k in range(s.players):
        for other in range(t.upgrades):
            if (s.knight[k].upgrade >> other) & 1 and t.upgrade[other].pair == t.upgrade[u].pair:
                return True
    return False
