"""The Move Step: planned routes by vehicle, a step on foot, and what happens on the way."""

from __future__ import annotations

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import inlined, kernel
from simcore.knights.belongings import PERMANENT, is_second, is_usable, standing, tell_dial
from simcore.knights.board_aims import hex_worth, next_worth, see_aims
from simcore.knights.board_bots import FURTHER, decide, duel_worth, kept_on, passing, see_bargain, set_keys
from simcore.knights.board_state import NONE
from simcore.knights.board_tables import HEXES, WHAT
from simcore.knights.board_tell import DRIVES, ENTERS, STAYS, STOPS, TURN, UNHIDES, WALKS
from simcore.knights.luck import MOVING, play_luck, use_rows
from simcore.knights.meetings import meet_knights
from simcore.knights.rest import use_gear
from simcore.knights.tasks import RIDE, meet_by_deed
from simcore.knights.wasteland import play_one_of, reveal
from simcore.piles import discard_card

POINTS, PER_FUEL = WHAT["points"], WHAT["per_fuel"]
STAY, FOOT_AT, DRIVE_AT, ROUNDABOUT = 0, 64, 128, 200
GO_ON, HALT = 0, 1
FAR, STEPS = 1 << 40, 1024
DETOUR_AT, DETOUR_STEP = 256, 64
CHEAPEST, SAFEST, AROUND, BY_WAY = range(4)
"""Of WAYS; by way of rival p is BY_WAY + p. Measures count Movement Points * STEPS + Threat icons, the safest way the
other way round."""

MOVE_PHASE = 1


@kernel
def waster_of(s, p):  # type: ignore[no-untyped-def]
    """Who plays the Waster on a knight's move: opposite with 4, to his right with 3, the other one with 2 (K1E-07)."""
    return (p + 2) % 4 if s.players == 4 else (p + s.players - 1) % s.players


@kernel
def move_all(s, t, stream, journal):  # type: ignore[no-untyped-def]
    """The Move Step, from the First Player on (K5-09); afterwards the Waster is again who he was for the First Player
    (K5-10, K5-11)."""
    for i in range(s.players):
        p = (s.first + i) % s.players
        s.active, s.waster = p, waster_of(s, p)
        set_keys(s, stream, MOVE_PHASE, i)
        if s.player[p].out == 0:
            move(s, t, stream, journal, p)
    s.waster = waster_of(s, s.first)


@kernel
def move(s, t, stream, journal, p):  # type: ignore[no-untyped-def]
    """One knight's move: luck cards, a route, the way along it (K5-27, K5-28)."""
    player = s.player[p]
    note(journal, TURN, p, player.hex)
    player.stopped, player.ridden, player.crossed, s.shown, s.played, s.afoot = 0, 0, 0, 0, 0, 0
    s.scouted, s.met = 0, 0
    player.points = standing(s, t, p, POINTS, 0)
    use_lasting(s, t, stream, journal, p)
    see_further(s, t, p)
    use_gear(s, t, stream, journal, p, MOVING)
    play_luck(s, t, stream, journal, p, MOVING)
    option = choose_move(s, t, stream, p)
    if option == STAY:
        note(journal, STAYS, p)
        return
    if option == ROUNDABOUT:
        trace_ride(s, t, p, ride_open(s, t))
        tell_drive(s, t, journal, p, t.task[ride_open(s, t)].first.points)
    elif option >= DRIVE_AT:
        kind, h = way_of(option)
        trace(s, p, kind, h)
        tell_drive(s, t, journal, p, points_on(s, kind, h))
    else:
        s.path[0], s.length, s.afoot = option - FOOT_AT, 1, 1
        note(journal, WALKS, p, option - FOOT_AT)
    travel(s, t, stream, journal, p)
    if s.afoot == 0:
        meet_by_deed(s, t, stream, journal, p, RIDE, 0)
    player.points = 0
    for i in range(s.shown):
        discard_card(s.cards, s.show[i])
    s.shown = 0


@kernel
def tell_drive(s, t, journal, p, points):  # type: ignore[no-untyped-def]
    """Note where a drive goes, and what it is to cost."""
    player = s.player[p]
    fuel = min(player.fuel, fuel_for(points - player.points, speed_of(s, t, p)))
    note(journal, DRIVES, p, s.path[0], points, fuel)


@kernel
def use_lasting(s, t, stream, journal, p):  # type: ignore[no-untyped-def]
    """What a knight's ability, permanent gear at hand and enhancements do on each move."""
    player = s.player[p]
    if t.times[player.role] == 0:
        use_rows(s, t, stream, journal, p, t.ability[player.role], MOVING)
    for i in range(player.items):
        item = t.thing[player.thing[i]]
        if item.use == PERMANENT and is_usable(player, i) and not (item.limited == 1 and is_second(player, i)):
            use_rows(s, t, stream, journal, p, item.text, MOVING)


# ---------------------------------------------------------------- the route


@kernel
def price_of_hex(s, t, h):  # type: ignore[no-untyped-def]
    """Movement Points to enter a hex, obstacles included (K5-31)."""
    return t.tile[s.hex[h].tile].difficulty + s.hex[h].obstruct


@kernel
def threats(s, t, h):  # type: ignore[no-untyped-def]
    """Threat icons and tokens of a hex, which a special token does not cover (K5-29, K5-30, K5B-29)."""
    return s.hex[h].threaten + t.tile[s.hex[h].tile].threat


@kernel
def find_ways(s, t, start):  # type: ignore[no-untyped-def]
    """Find the cheapest way from a hex to every other one; of equally long ways the safer one is found."""
    for h in range(HEXES):
        s.seen[h] = 0
        s.entry[h] = price_of_hex(s, t, h) * STEPS + threats(s, t, h)
    spread(s, t, s.way[CHEAPEST], start, 0, FAR)


@kernel
def spread(s, t, way, start, begun, limit):  # type: ignore[no-untyped-def]
    """Find the best way by `entry` from a hex, which has cost `begun`, to every other one over hexes not `seen`, while
    it costs no more than the limit. The hexes to go on from wait in a ring of places."""
    forget(way)
    way.cost[start], s.queue[0] = begun, start
    first, last, waiting = 0, 1, 1 << start
    while first < last:
        h = s.queue[first % HEXES]
        first, waiting = first + 1, waiting & ~(1 << h)
        for i in range(t.map.nears[h]):
            other = t.map.near[h, i]
            cost = way.cost[h] + s.entry[other]
            if cost < way.cost[other] and cost <= limit and s.seen[other] == 0:
                way.cost[other], way.back[other] = cost, h
                if waiting >> other & 1 == 0:
                    s.queue[last % HEXES] = other
                    last, waiting = last + 1, waiting | 1 << other


@kernel
def forget(way):  # type: ignore[no-untyped-def]
    """Know no way to anywhere."""
    for h in range(HEXES):
        way.cost[h], way.back[h] = FAR, NONE


@kernel
def find_detours(s, t, p, limit):  # type: ignore[no-untyped-def]
    """Find other ways than the cheapest that can be paid: around Threat, past all rivals, and by way of each (K1E-08,
    K5-87); only where the cheapest ways meet any."""
    start, near, threat, way = s.player[p].hex, False, False, s.way[CHEAPEST]
    for other in range(s.players):
        forget(s.way[BY_WAY + other])
        if other != p and way.cost[s.player[other].hex] <= limit and is_first_there(s, p, other):
            near = True
            find_by_way(s, t, p, other, limit)
    for h in range(HEXES):
        s.seen[h], s.stand[h] = 0, 0
        threat = threat or (way.cost[h] <= limit and way.cost[h] % STEPS > 0)
    for other in range(s.players):
        s.stand[s.player[other].hex] |= int(other != p) << other
    if near:
        for other in range(s.players):
            s.seen[s.player[other].hex] = 1
        spread(s, t, s.way[AROUND], start, 0, limit)
    forget(s.way[SAFEST])
    if threat:
        for h in range(HEXES):
            s.seen[h] = 0
            s.entry[h] = threats(s, t, h) * STEPS + price_of_hex(s, t, h)
        spread(s, t, s.way[SAFEST], start, 0, FAR)


@kernel
def find_by_way(s, t, p, other, limit):  # type: ignore[no-untyped-def]
    """Find the ways over a rival's hex: the cheapest to there, and from there on over other hexes."""
    start, there = s.player[p].hex, s.player[other].hex
    for h in range(HEXES):
        s.seen[h] = 0
    h = there
    while h != start:
        s.seen[h] = 1
        h = s.way[CHEAPEST].back[h]
    s.seen[start] = 1
    spread(s, t, s.way[BY_WAY + other], there, s.way[CHEAPEST].cost[there], limit)


@kernel
def points_on(s, kind, h):  # type: ignore[no-untyped-def]
    """Give the Movement Points of a way to a hex."""
    return s.way[kind].cost[h] % STEPS if kind == SAFEST else s.way[kind].cost[h] // STEPS


@kernel
def threats_on(s, kind, h):  # type: ignore[no-untyped-def]
    """Give the Threat icons on a way to a hex."""
    return s.way[kind].cost[h] // STEPS if kind == SAFEST else s.way[kind].cost[h] % STEPS


@inlined
def way_of(option):  # type: ignore[no-untyped-def]
    """Give the kind of way and the hex of an option to drive."""
    if option < DETOUR_AT:
        return CHEAPEST, option - DRIVE_AT
    return (option - DETOUR_AT) // DETOUR_STEP, (option - DETOUR_AT) % DETOUR_STEP


@kernel
def trace(s, p, kind, goal):  # type: ignore[no-untyped-def]
    """Lay the route to a hex, its last hex first; never the same hex twice, nor the start (K1E-08)."""
    s.length, h = 0, goal
    if kind >= BY_WAY:
        while h != s.player[kind - BY_WAY].hex:
            s.path[s.length] = h
            s.length += 1
            h = s.way[kind].back[h]
        kind = CHEAPEST
    while h != s.player[p].hex:
        s.path[s.length] = h
        s.length += 1
        h = s.way[kind].back[h]


@kernel
def rivals_on(s, p, goal):  # type: ignore[no-untyped-def]
    """Give the bits of the rivals who stand where the cheapest way to a hex leads, or on the hex."""
    h, found = goal, 0
    while h != s.player[p].hex:
        found |= s.stand[h]
        h = s.way[CHEAPEST].back[h]
    return found


@kernel
def ride_open(s, t):  # type: ignore[no-untyped-def]
    """An open task that asks for a ride, or NONE."""
    for i in range(s.posts):
        if s.post[i].task != NONE and s.post[i].common == 1 and t.task[s.post[i].task].first.need == RIDE:
            return s.post[i].task
    return NONE


@kernel
def trace_ride(s, t, p, task):  # type: ignore[no-untyped-def]
    """A roundabout route for a ride, since routes may be of any length (K1E-08): always to the dearest hex that is new
    and can be paid. Whether it is long enough."""
    player, need = s.player[p], t.task[task].first
    left, ridden, h = player.points + player.fuel * speed_of(s, t, p), 0, player.hex
    for k in range(HEXES):
        s.seen[k] = 0
    s.seen[h], s.length = 1, 0
    while left > 0 and player.fuel > 0 and (ridden < need.points or s.length < need.hexes):
        best, dear = NONE, 0
        for i in range(t.map.nears[h]):
            price = price_of_hex(s, t, t.map.near[h, i])
            if s.seen[t.map.near[h, i]] == 0 and dear < price <= left:
                best, dear = t.map.near[h, i], price
        if best == NONE:
            break
        h, left, ridden = best, left - dear, ridden + dear
        for k in range(s.length, 0, -1):
            s.path[k] = s.path[k - 1]
        s.seen[h], s.path[0] = 1, h
        s.length += 1
    return ridden >= need.points and s.length >= need.hexes


@kernel
def see_further(s, t, p):  # type: ignore[no-untyped-def]
    """Look round before a move: ways, what hexes are worth, and how much more could be had with Movement Points
    besides."""
    player = s.player[p]
    find_ways(s, t, player.hex)
    s.further = 0
    if player.weighs == 0:
        return
    see_bargain(s, t, p)
    see_aims(s, t, p)
    speed, now, then = speed_of(s, t, p), s.aim[player.hex], 0
    for h in range(HEXES):
        if can_drive(s, player, h, speed, t.map.far[player.hex, h] == 1):
            now = max(now, s.aim[h])
        elif speed > 0 and player.fuel > 0:
            missing = points_on(s, CHEAPEST, h) - player.points - player.fuel * speed
            then = max(then, s.aim[h] * int(missing <= FURTHER))
    s.further = max(0, then - now)


@kernel
def choose_move(s, t, stream, p):  # type: ignore[no-untyped-def]
    """Stay, one hex on foot, or any hex that Fuel and points reach (K1E-09, K1E-14, K1E-15)."""
    player = s.player[p]
    bot, weighs, speed, here = t.bot[player.bot], player.weighs == 1, speed_of(s, t, p), player.hex
    s.options = 0
    offer(s, STAY, s.aim[here] + next_worth(s, t, p, here) + bot.rest if weighs else 0)
    for h in range(HEXES):
        near = t.map.far[here, h] == 1
        drives = h != here and can_drive(s, player, h, speed, near)
        s.prize[h] = s.aim[h] + next_worth(s, t, p, h) - bot.risk if weighs and (near or drives) else 0
        if near:
            offer(s, FOOT_AT + h, s.prize[h])
        if drives:
            offer(s, DRIVE_AT + h, s.prize[h] - cost_on(s, t, p, CHEAPEST, h, speed))
    if speed > 0 and player.fuel > 0:
        limit = (player.points + player.fuel * speed) * STEPS + STEPS - 1
        find_detours(s, t, p, limit)
        lay_out_detours(s, t, p, speed, limit)
    task = ride_open(s, t)
    if task != NONE and trace_ride(s, t, p, task):
        worth = s.aim[s.path[0]] if weighs else 0
        offer(s, ROUNDABOUT, worth + 2 * bot.task - bot.way * fuel_for(t.task[task].first.points, speed) - 2 * bot.risk)
    return decide(s, t, stream, p)


@kernel
def cost_on(s, t, p, kind, h, speed):  # type: ignore[no-untyped-def]
    """What a bot thinks of the Fuel and the Threat of a way."""
    bot, points = t.bot[s.player[p].bot], points_on(s, kind, h) - s.player[p].points
    return bot.way * fuel_for(points, speed) + bot.risk * threats_on(s, kind, h) // 4


@kernel
def lay_out_detours(s, t, p, speed, limit):  # type: ignore[no-untyped-def]
    """Offer the other ways to each hex that can be paid and differ from the cheapest in what they are for (K1E-08)."""
    player = s.player[p]
    for other in range(s.players):
        near = player.weighs == 1 and s.way[BY_WAY + other].cost[s.player[other].hex] < FAR
        s.chance[other] = encounter_worth(s, t, p, other) if near else 0
    for h in range(HEXES):
        if h == player.hex or s.way[CHEAPEST].cost[h] > limit:
            continue
        if threats_on(s, SAFEST, h) < threats_on(s, CHEAPEST, h):
            lay_out_detour(s, t, p, SAFEST, h, speed, s.prize[h])
        passed = rivals_on(s, p, h)
        for other in range(s.players):
            if passed >> other & 1 == 0 and s.way[BY_WAY + other].cost[h] < FAR:
                lay_out_detour(s, t, p, BY_WAY + other, h, speed, s.prize[h] + s.chance[other])
        if passed != 0:
            lay_out_detour(s, t, p, AROUND, h, speed, s.prize[h])


@kernel
def lay_out_detour(s, t, p, kind, h, speed, worth):  # type: ignore[no-untyped-def]
    """Offer a way if there is one that Fuel and Movement Points reach."""
    player = s.player[p]
    if s.way[kind].cost[h] < FAR and fuel_for(points_on(s, kind, h) - player.points, speed) <= player.fuel:
        offer(s, DETOUR_AT + kind * DETOUR_STEP + h, worth - cost_on(s, t, p, kind, h, speed))


@kernel
def is_first_there(s, p, other):  # type: ignore[no-untyped-def]
    """Say whether a rival stands on a hex of his own: of several on one only the first stands for a way over it."""
    first = s.player[other].hex != s.player[p].hex
    for k in range(other):
        first = first and (k == p or s.player[k].hex != s.player[other].hex)
    return first


@kernel
def encounter_worth(s, t, p, other):  # type: ignore[no-untyped-def]
    """What a bot thinks of meeting a rival on the way: a duel, or the search for an unconscious one."""
    bot = t.bot[s.player[p].bot]
    if s.player[other].out == 1:
        return kept_on(s, bot.gear * 2) * passing(s, t, p, t.map.search_skill, t.map.search_difficulty) // 100
    return max(0, duel_worth(s, t, p, other)) // 2 if t.table.duels == 1 else 0


@kernel
def speed_of(s, t, p):  # type: ignore[no-untyped-def]
    """Movement Points for each Fuel (K1E-09, K1G-01); 0 without a vehicle."""
    player = s.player[p]
    if player.vehicle == NONE:
        return 0
    return max(1, t.vehicle[player.vehicle].speed[player.damage] + standing(s, t, p, PER_FUEL, 0))


@kernel
def fuel_for(points, speed):  # type: ignore[no-untyped-def]
    """Fuel for so many points, at least 1 (K1E-10)."""
    return max(1, (points + speed - 1) // speed)


@kernel
def can_drive(s, player, h, speed, near):  # type: ignore[no-untyped-def]
    """Whether a hex can be reached by vehicle; an adjacent one with any Fuel at all (K1E-11, K4-05)."""
    if speed == 0 or player.fuel == 0:
        return False
    return near or fuel_for(points_on(s, CHEAPEST, h) - player.points, speed) <= player.fuel


# ---------------------------------------------------------------- on the way


@kernel
def travel(s, t, stream, journal, p):  # type: ignore[no-untyped-def]
    """Hex after hex: pay, enter, meet knights, the Waster's card, until the route or the move ends (K5-34)."""
    player, goal = s.player[p], s.path[0]
    for i in range(s.length - 1, -1, -1):
        h, first = s.path[i], i == s.length - 1
        if s.afoot == 0 and not pay_way(s, t, journal, p, h, first):
            break
        before = s.met, s.played
        enter(s, journal, p, h)
        meet_knights(s, t, stream, journal, p)
        if player.out == 0 and s.played == 0:
            more = look_at_cards(s, t, stream, journal, p, i)
            left = i if player.stopped == 0 else 0
            if s.shown > 0:
                play_one_of(s, t, stream, journal, p, more if left > 0 else 0, left)
            if s.played == 1:
                meet_knights(s, t, stream, journal, p)
        if player.stopped == 1 or player.out == 1:
            break
        if i > 0 and wants_to_halt(s, t, stream, p, goal, (s.met, s.played) != before):
            break
    if s.played == 0 and s.shown > 0 and player.out == 0:
        play_one_of(s, t, stream, journal, p, 0, 0)
    if player.stopped == 1 or player.hex != goal:
        note(journal, STOPS, p)


@kernel
def pay_way(s, t, journal, p, h, first):  # type: ignore[no-untyped-def]
    """Pay for a hex, Fuel as it is needed, one at a time (K1E-16, K4-06); the first is sure with 1 Fuel (K1E-11)."""
    player, price = s.player[p], price_of_hex(s, t, h)
    speed, fuel = speed_of(s, t, p), int(player.fuel)
    while (player.points < price or (first and player.ridden == 0 and player.crossed == 0)) and player.fuel > 0:
        player.fuel -= 1
        player.fuel_spent += 1
        player.points += speed
        if player.points >= price:
            break
    tell_dial(journal, p, 2, fuel, player.fuel)
    if player.points < price and not (first and speed > 0):
        return False
    player.ridden += min(price, player.points)
    player.points = max(0, player.points - price)
    return True


@kernel
def enter(s, journal, p, h):  # type: ignore[no-untyped-def]
    """A knight enters a hex; his exploration marker comes off (K5-40)."""
    player = s.player[p]
    player.hex, player.explored = h, 0
    player.crossed += 1
    player.travelled += 1
    note(journal, ENTERS, p, h)


@kernel
def look_at_cards(s, t, stream, journal, p, i):  # type: ignore[no-untyped-def]
    """The cards that a hex lets the Waster see (K1E-12, K4-10), or the one under his marker alone (K1C-13, K4-12); how
    many more the rest of the route would let him see."""
    more, first = 0, i == s.length - 1
    if s.hidden != NONE:
        note(journal, UNHIDES, s.hidden)
        s.show[0], s.shown, s.hidden, s.scouted = s.hidden, 1, NONE, 1
    if s.scouted == 1:
        return 0
    reveal(s, t, stream, journal, int(first) + (0 if s.afoot == 1 else threats(s, t, s.path[i])))
    for k in range(i):
        more += threats(s, t, s.path[k])
    return more


@kernel
def wants_to_halt(s, t, stream, p, goal, met):  # type: ignore[no-untyped-def]
    """Whether the knight stops on the way, as he may on any hex (K5-33); who weighs thinks again only if he has met
    somebody or something there."""
    player = s.player[p]
    if player.weighs == 1 and not met:
        return False
    s.options = 0
    weighs = player.weighs == 1
    offer(s, GO_ON, hex_worth(s, t, p, goal) + next_worth(s, t, p, goal) if weighs else 0)
    offer(s, HALT, hex_worth(s, t, p, player.hex) + next_worth(s, t, p, player.hex) if weighs else 0)
    return decide(s, t, stream, p) == HALT
