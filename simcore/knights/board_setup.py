"""Set-up of the board game: tiles, decks, Stalls, tasks, and the knights with what they begin with."""

from __future__ import annotations

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import kernel
from simcore.knights.belongings import arrange, take_vehicle
from simcore.knights.board_bots import decide, set_keys, vehicle_worth
from simcore.knights.board_state import EVENT_AT, LOOSE, NONE, SPENT
from simcore.knights.board_tables import BLUE_CARD, HEXES, SEATS
from simcore.knights.board_tell import DEALS, PILE, SITS, STARTS
from simcore.knights.gains import draw_luck
from simcore.knights.stalls import refill
from simcore.knights.tasks import lay_out
from simcore.piles import open_empty, put_on_top, shuffle_pile, take_top
from simcore.streams import DECK, at

CARD_DECK, LUCK_DECK, COMMON_DECK, PRIVATE_DECK, NORMAL_TILES, SPECIAL_TILES, GEAR_DECKS = 0, 1, 2, 3, 4, 5, 8
NORMAL, CENTRAL, CITY, SPECIAL = range(4)


@kernel
def set_up(s, t, stream, journal, seats):  # type: ignore[no-untyped-def]
    """Everything as a game begins."""
    clear(s, t)
    set_keys(s, stream, 0, 0)
    seat_all(s, t, seats)
    deal_tiles(s, t, stream, journal)
    open_decks(s, t, stream, journal)
    for space in range(t.map.stalls):
        s.stall[space] = NONE
    refill(s, t, journal)
    for p in range(s.players):
        equip(s, t, stream, journal, p)
        draw_luck(s, t, stream, journal, p, t.map.luck_start)
    lay_out(s, t, stream, journal)


@kernel
def clear(s, t):  # type: ignore[no-untyped-def]
    """Counts and the board as at the beginning; the round in which the game ends."""
    s.step, s.players, s.rounds, s.first, s.active, s.waster, s.overflow, s.over = 0, 0, 0, 0, 0, 0, 0, 0
    s.leader, s.changes, s.combats, s.hidden, s.posts, s.shown = NONE, 0, 0, NONE, 0, 0
    s.bargain, s.further, s.means = 0, 0, 0
    s.scouted, s.met, s.tried, s.credit, s.swapped, s.limit, s.extra = 0, 0, 0, 0, 0, 0, 0
    mission = t.mission[t.table.mission]
    s.last = t.table.rounds if t.table.rounds > 0 else mission.rounds
    for place in s.hex:
        place.irradiate, place.contaminate, place.threaten, place.obstruct, place.blank = 0, 0, 0, 0, 0
    for kind in range(len(s.pool)):
        s.pool[kind], s.pool_damaged[kind] = 0, 0


@kernel
def seat_all(s, t, seats):  # type: ignore[no-untyped-def]
    """The knights in order round the table from the first player on; empty seats come last."""
    empty = SEATS
    for i in range(SEATS):
        seat = (seats.first + i) % SEATS
        if seats.role[seat] >= 0:
            seat_one(s, t, s.players, seats, seat)
            s.players += 1
        else:
            empty -= 1
            seat_one(s, t, empty, seats, seat)


@kernel
def seat_one(s, t, p, seats, seat):  # type: ignore[no-untyped-def]
    """A knight with his dials (K1D-01), on Gangraen (K1D-04)."""
    player = s.player[p]
    player.seat, player.role, player.bot, player.here = (
        seat,
        seats.role[seat],
        seats.bot[seat],
        int(seats.role[seat] >= 0),
    )
    player.weighs = 1 - t.bot[player.bot].even
    dials = t.fight.dials
    player.health, player.ammo, player.fuel, player.radiation = dials.health, dials.ammo, dials.fuel, 0
    player.reputation, player.hex, player.out, player.vehicle, player.damage = 0, t.map.city[0], 0, NONE, 0
    player.items, player.lucks, player.explored, player.skip, player.stopped, player.moved = 0, 0, 0, 0, 0, 0
    player.woken, player.points, player.ridden, player.crossed, player.beaten_by = 0, 0, 0, 0, NONE
    player.won, player.lost, player.drawn, player.escaped, player.knocked, player.tasks = 0, 0, 0, 0, 0, 0
    player.fuel_spent, player.ammo_spent, player.travelled, player.duels, player.duels_won = 0, 0, 0, 0, 0
    player.revived, player.stolen, player.bought, player.luck_played = 0, 0, 0, 0
    player.speed, player.fame_fights, player.fame_duels, player.fame_tasks = 0, 0, 0, 0
    for i in range(SPENT):
        player.spent[i] = 0
    player.strained = 0


# ---------------------------------------------------------------- the board


@kernel
def deal_tiles(s, t, stream, journal):  # type: ignore[no-untyped-def]
    """Cities and the central tile in their places, special tiles onto their slots in order, normal ones onto the rest,
    both from shuffled stacks (K1B-01 to K1B-10, K5-02)."""
    for h in range(HEXES):
        s.hex[h].tile = NONE
    city = 0
    for kind in range(t.tiles):
        if t.tile[kind].role == CITY:
            s.hex[t.map.city[t.tile[kind].number - 1 if t.tile[kind].number > 0 else city]].tile = kind
            city += 1
    stack(s, t, CENTRAL, at(stream, DECK, NORMAL_TILES + 2))
    for i in range(4):
        s.hex[t.map.centre[i]].tile = take_top(s.tiles)
    stack(s, t, SPECIAL, at(stream, DECK, SPECIAL_TILES))
    for i in range(t.map.specials):
        s.hex[t.map.special[i]].tile = take_top(s.tiles)
    stack(s, t, NORMAL, at(stream, DECK, NORMAL_TILES))
    for h in range(HEXES):
        if s.hex[h].tile == NONE:
            s.hex[h].tile = take_top(s.tiles)
        note(journal, DEALS, h, s.hex[h].tile)


@kernel
def stack(s, t, role, key):  # type: ignore[no-untyped-def]
    """A shuffled stack of the tiles of a role."""
    open_empty(s.tiles, key)
    for kind in range(t.tiles):
        if t.tile[kind].role == role:
            for _ in range(t.tile_copies[kind]):
                put_on_top(s.tiles, kind)
    shuffle_pile(s.tiles)


@kernel
def open_decks(s, t, stream, journal):  # type: ignore[no-untyped-def]
    """The wasteland, luck, task and gear decks, shuffled; vehicles of the pool: one of each to pick and a seat
    (K1H-26)."""
    open_empty(s.cards, at(stream, DECK, CARD_DECK))
    for enemy in range(t.foes):
        put_on_top(s.cards, enemy)
    for event in range(t.events):
        for _ in range(t.event[event].copies):
            put_on_top(s.cards, EVENT_AT + event)
    shuffle_pile(s.cards)
    open_empty(s.luck, at(stream, DECK, LUCK_DECK))
    for card in range(t.lucks):
        for _ in range(t.luck[card].copies):
            put_on_top(s.luck, card)
    shuffle_pile(s.luck)
    open_empty(s.common, at(stream, DECK, COMMON_DECK))
    open_empty(s.private, at(stream, DECK, PRIVATE_DECK))
    for task in range(t.tasks):
        if t.task[task].common == 1:
            put_on_top(s.common, task)
        else:
            put_on_top(s.private, task)
    shuffle_pile(s.common)
    shuffle_pile(s.private)
    for colour in range(BLUE_CARD + 1):
        open_gear(s, t, colour, at(stream, DECK, GEAR_DECKS + colour))
        note(journal, PILE, colour, s.gear[colour].left)
    note(journal, PILE, BLUE_CARD + 1, s.cards.left)
    note(journal, PILE, BLUE_CARD + 2, s.luck.left)
    for kind in range(t.vehicles):
        s.pool[kind] = s.players if t.vehicle[kind].start == 1 else 0


@kernel
def open_gear(s, t, colour, key):  # type: ignore[no-untyped-def]
    """The deck of a colour, without the cards that every knight begins with."""
    open_empty(s.gear[colour], key)
    for item in range(t.items):
        if t.thing[item].colour == colour:
            copies = t.thing[item].copies
            for i in range(t.map.starts):
                if t.map.start[i] == item:
                    copies -= s.players
            for _ in range(copies):
                put_on_top(s.gear[colour], item)
    shuffle_pile(s.gear[colour])


# ---------------------------------------------------------------- knights


@kernel
def equip(s, t, stream, journal, p):  # type: ignore[no-untyped-def]
    """Starting gear on the sheet, the extra cards (K1D-06), and a vehicle of the knight's choice (K1D-05)."""
    player = s.player[p]
    note(journal, SITS, p)
    for i in range(t.kits[player.role]):
        add_start(player, t.kit[player.role, i], 1)
    for i in range(t.carries[player.role]):
        add_start(player, t.carried[player.role, i], 0)
    for i in range(t.map.starts):
        add_start(player, t.map.start[i], 0)
    choose_vehicle(s, t, stream, journal, p)
    for i in range(player.items):
        note(journal, STARTS, p, player.thing[i])
    arrange(s, t, journal, p)


@kernel
def add_start(player, item, own):  # type: ignore[no-untyped-def]
    """One card that a knight begins with."""
    i = player.items
    player.thing[i], player.spot[i], player.marked[i], player.own[i] = item, LOOSE, 0, own
    player.items += 1


@kernel
def choose_vehicle(s, t, stream, journal, p):  # type: ignore[no-untyped-def]
    """Any vehicle that can be picked; who weighs likes speed and room. The table may set one for all."""
    s.options = 0
    for kind in range(t.vehicles):
        vehicle = t.vehicle[kind]
        fits = t.table.vehicle < 0 or t.table.vehicle == kind
        if vehicle.start == 1 and fits:
            offer(s, kind, t.bot[s.player[p].bot].gear * vehicle_worth(t, kind, 0) // 100)
    if s.options > 0:
        kind = decide(s, t, stream, p)
        take_vehicle(s, t, journal, p, kind, 0)
        s.player[p].speed = t.vehicle[kind].speed[0]
