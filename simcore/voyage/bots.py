"""The decisions of a knight: how good what is legal looks, by features that everyone at the table can see.

A bot weighs features (`cards.FEATURES`), each by one unit: visit: a destination not visited yet; look: a First Look
besides; deed: a Destination Action; home: being in Australia when the season ends; sink: a ship lost; thirst: a Water
missing; toll: a Radiation, Contamination or threat token to be expected; pay: a point of Charter Cost, short: one that
would lack for the way on; step: half a round of way; mend: a Damage mended; rest: a wound healed; find: a finding;
water, resource: one more of it; gear: 100 of what a piece is worth, gills: that it is Aquatic; trade: a City Action;
cure: a side of Dehydration; dare: an event that may be left; fight: an enemy fought rather than escaped; ammo, token:
one kept; upgrade: one bought; idle: nothing.
"""

from __future__ import annotations

from simcore.bots import choose, choose_evenly
from simcore.kernels import index, inlined, kernel
from simcore.streams import word
from simcore.voyage.state import NONE, SEVERE
from simcore.voyage.tables import HULLS

NOTHING, CAMP, EXPLORE, CITY, DEED, MOVE, CRUISE = 0, 1, 2, 3, 4, 16, 64
"""Options of a turn are identities: DEED + choice 0..2; MOVE + port; CRUISE + port * SHIP_STEP + ship."""

SHIP_STEP = 16
TAKE, LEAVE, ALSO = 1, 2, 3
"""Options of small decisions, by what they are about."""

FADE = 8
"""Half rounds after which what lies ahead counts half to a bot."""


@kernel
def decide(s, t, stream, k):  # type: ignore[no-untyped-def]
    """Let a knight's bot pick one of the options laid out; a single option is no decision."""
    if s.options == 1:
        return s.option[0]
    s.step += 1
    key = word(s.mind, s.step * 8 + k)
    knight = s.knight[k]
    if knight.weighs == 0:
        return choose_evenly(stream, s.option, s.options, key)
    return choose(stream, s.option, s.value, s.options, t.bot[knight.bot].temperature, key)


@inlined
def bot_of(s, t, k):  # type: ignore[no-untyped-def]
    """The weights of a knight's bot."""
    return t.bot[index(s.knight[k].bot)]


@kernel
def reader_of(s, k):  # type: ignore[no-untyped-def]
    """Who reads a knight's cards: the one to his right who is still in the game; he himself when alone (V5-15)."""
    for i in range(1, s.players):
        other = (k - i + s.players) % s.players
        if s.knight[other].out == 0:
            return other
    return k


# ---------------------------------------------------------------- where to go


@kernel
def worth_of_port(s, t, k, p):  # type: ignore[no-untyped-def]
    """What it is worth to a knight to arrive at a port: a destination not visited yet, unseen, with choices left."""
    bot, knight = bot_of(s, t, k), s.knight[k]
    if t.port[index(p)].home == 1:
        return 0
    worth = 0 if (knight.visited >> p) & 1 else bot.visit
    if s.shown[index(p)] == NONE:
        worth += bot.look
    if (knight.acted >> p) & 1 == 0 and s.marks[index(p)] != 7:
        worth += bot.deed
    return worth


@kernel
def outlook(s, t, k, p, left):  # type: ignore[no-untyped-def]
    """What a knight can still hope for from a port with so many half rounds left: the best destination he could reach
    and come back from, and home."""
    bot, best = bot_of(s, t, k), 0
    for d in range(t.ports):
        steps = t.steps[index(p), index(d)]
        if 0 < steps <= left and t.port[index(d)].home == 0:
            home = bot.home if steps + t.homing[index(d)] <= left else 0
            worth = (worth_of_port(s, t, k, d) + home) * FADE // (FADE + steps)
            best = max(best, worth)
    steps = t.homing[index(p)]
    home = bot.home - bot.step * steps if steps <= left else 0
    return max(best, home)


@kernel
def half_rounds_left(s, t):  # type: ignore[no-untyped-def]
    """Half rounds of the season after this round."""
    return 2 * (t.table.rounds - s.rounds)


@kernel
def arrival_worth(s, t, k, p):  # type: ignore[no-untyped-def]
    """What it looks worth to arrive at a port by ship: what waits there, and what can still be hoped for from there."""
    return worth_of_port(s, t, k, p) + outlook(s, t, k, p, half_rounds_left(s, t))


@kernel
def dangers_of(s, t, k, r, ship, hull):  # type: ignore[no-untyped-def]
    """What it looks like to cost to take a ship along a route: dangers and thirst.

    `hull`: Breach that the ship can still take."""
    bot, knight, route, boat = bot_of(s, t, k), s.knight[k], t.route[index(r)], t.ship[index(ship)]
    thirst = 0
    if t.table.water == 1:
        thirst = max(0, route.thirst + 100 * boat.speed - 100 * knight.water)
    dangers = bot.sink * route.sink[index(min(hull, HULLS - 1))] + bot.thirst * thirst + bot.toll * route.toll
    return dangers // 100


@kernel
def move_worth(s, t, k, road, p, here):  # type: ignore[no-untyped-def]
    """What it looks worth to drive to another port of Australia."""
    bot, way = bot_of(s, t, k), t.road[road]
    worth = outlook(s, t, k, p, half_rounds_left(s, t) + 1) - here - bot.step
    worth -= bot.resource * way.fuel
    if t.table.water == 1 and way.open >= t.rules.road_from:
        lacking = max(0, t.rules.road_water - s.knight[k].water)
        worth -= bot.water * t.rules.road_water + bot.thirst * lacking
    return worth


@kernel
def camp_worth(s, t, k, mends, heals, cleans):  # type: ignore[no-untyped-def]
    """What a Camp Action is worth, by what it would bring."""
    bot = bot_of(s, t, k)
    return bot.mend * mends + bot.rest * heals + bot.toll * cleans // 2


@kernel
def thirst_of(s, k):  # type: ignore[no-untyped-def]
    """Water that a knight would need to be rid of his Dehydration."""
    return 2 if s.knight[k].thirst == SEVERE else s.knight[k].thirst


@kernel
def water_worth(s, t, k):  # type: ignore[no-untyped-def]
    """What one more Water is worth: less the more there is, and a cure for the dehydrated."""
    bot, knight = bot_of(s, t, k), s.knight[k]
    if t.table.water == 0:
        return 0
    return bot.cure if knight.thirst > 0 else bot.water * 4 // (2 + knight.water)


@kernel
def resource_worth(s, t, k, many):  # type: ignore[no-untyped-def]
    """What one more of a resource is worth, of which there are so many: more to a knight whose resources would not pay
    for the cheapest way out."""
    bot, knight = bot_of(s, t, k), s.knight[k]
    poor = knight.fuel + knight.ammo + knight.meds <= t.ship[t.ships].cost
    return bot.resource * 4 // (3 + many) + (bot.short if poor else 0)
