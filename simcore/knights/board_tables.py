"""The pack of the whole board game as one record of records, around the tables of combat; made once from a checked
pack."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import numpy as np

from simcore.dice import compile_laws, laws_dtype
from simcore.game import Tables
from simcore.kernels import blank, record
from simcore.knights import board_cards as cards
from simcore.knights import tables
from simcore.knights.board_cards import HEXES as HEXES
from simcore.knights.cards import COLOURS, SKILLS, TRAITS
from simcore.knights.tables import ARMORS, ENEMIES, GEARS, KNIGHTS, WEAPONS
from simcore.packs import Mistakes

SEATS, NEAR, TILES, EVENTS, VEHICLES, ENHANCEMENTS, LUCKS, TASKS, BOTS = 4, 6, 40, 32, 8, 24, 32, 40, 16
"""Capacities: seats, neighbours of a hex, kinds of tiles, events, vehicles, enhancements, luck cards, tasks, bots."""

ITEMS = WEAPONS + ARMORS + GEARS + ENHANCEMENTS
ROWS, ACTIONS, STALLS, DIFFICULTIES = cards.MAX_ERRANDS, cards.MAX_ACTIONS, 20, (5, 7, 9)
WEAPON, ARMOR, GENERAL, ENHANCEMENT = range(4)
OWNED = ("weapon", "armor", "gear", "enhancement")
"""Kinds of items, as numbers and as in a pack."""

GREEN, YELLOW, RED, BLUE_CARD, START = range(5)
"""Colours of items as in COLOURS; START for what is printed on a sheet."""

WHEN = {name: code for code, name in enumerate(cards.WHEN)}
WHAT = {name: code for code, name in enumerate(cards.WHAT)}
WHOM = {name: code for code, name in enumerate(cards.WHOM)}
NEED = {name: code for code, name in enumerate(cards.NEEDS)}
SKILL = {name: code for code, name in enumerate(("", *SKILLS))}
TRAIT = {name: code for code, name in enumerate(("", *TRAITS))}
USE = {"permanent": 0, "one_use": 1, "mark": 2}
TRADE = {"": 0, "all": 1, "no_weapons": 2, "no_drugs": 3}
GOAL = {name: code for code, name in enumerate(cards.MISSIONS)}
WHOSE = {"": 0, "holder": 1, "everyone": 2}
ICON = {"ammo": 0, "fuel": 1, "radiation": 2, "health": 3}
I = np.int64  # noqa: E741

ERRAND = record(("when", I), ("what", I), ("whom", I), ("many", I), ("only", I))
TEXT = record(("rows", I), ("row", ERRAND, ROWS))
ACTION = record(("price", I, 3), ("text", TEXT))
TILE = record(
    ("role", I), ("number", I), ("difficulty", I), ("threat", I), ("radiation", I), ("contamination", I), ("skill", I),
    ("explore", I), ("trade", I), ("aura", I), ("actions", I), ("action", ACTION, ACTIONS),
)  # fmt: skip
EVENT = record(
    ("copies", I), ("nature", I), ("skill", I), ("difficulty", I), ("successes", I), ("on_foot", I), ("text", TEXT)
)
VEHICLE = record(("start", I), ("speed", I, 2), ("capacity", I, 2), ("colour", I, 2))
"""The sides of a vehicle: 0 whole, 1 damaged."""

ITEM = record(
    ("kind", I), ("place", I), ("colour", I), ("value", I), ("hands", I), ("melee", I), ("use", I), ("drug", I),
    ("limited", I), ("group", I), ("fits", I), ("needs", I), ("trait", I), ("fights", I), ("copies", I), ("worth", I),
    ("text", TEXT),
)  # fmt: skip
"""A card that a knight can own: `place` among the tables of combat (or among enhancements), `value` in green cards,
`melee`: a weapon for blades; `group`: the sort of an enhancement, `fits`: bits of the
traits of gear that it can be attached to (of FITS), `needs`: its attachment rule; `trait`: a bit of FITS, `fights`: 1
if it does something in combat; `worth`: what bots think of it, in hundredths of a
green card."""

LUCK = record(("copies", I), ("icon", I), ("fights", I), ("moments", I), ("text", TEXT), ("worth", I))
"""`fights`: 1 if it does something in combat; `moments`: bits of the moments of its rows off combat."""

NEEDED = record(
    ("need", I), ("hex", I), ("skill", I), ("difficulty", I), ("price", I, 3), ("trait", I), ("points", I), ("hexes", I)
)
TASK = record(
    ("common", I),
    ("first", NEEDED),
    ("second", NEEDED),
    ("binds", I),
    ("whose", I),
    ("gives", I),
    ("brings", I),
    ("text", TEXT),
)
FOE = record(
    ("tier", I), ("skill", I), ("difficulty", I), ("costly", I), ("cult", I), ("prize", I), ("power", I), ("text", TEXT)
)
"""An enemy off combat: its escape, whether its rewards are dear (K1E-28), what they are worth, how hard it hits, and
what its words add to a failed escape (K5-37)."""

MISSION = record(("goal", I), ("rounds", I), ("duel_reputation", I), ("cultists", I))
NUMBERS = (
    "luck_start", "luck_round", "luck_limit", "task_marks", "private_tasks", "revive_heals", "revive_reputation",
    "steal_fuel", "steal_ammo", "pockets", "dear_pays_cheap", "hidden_card_waits", "attaching",
)  # fmt: skip
MAP = record(
    *((name, I) for name in NUMBERS), ("search_skill", I), ("search_difficulty", I), ("cities", I), ("city", I, 5),
    ("specials", I), ("special", I, 10), ("centre", I, 4), ("starts", I), ("start", I, 4), ("stalls", I),
    ("colour", I, STALLS), ("price", I, STALLS), ("only_at", I, STALLS), ("value", I, 5),
    ("near", I, (HEXES, NEAR)), ("nears", I, HEXES), ("far", I, (HEXES, HEXES)),
)  # fmt: skip
"""`colour`, `price`, `only_at` of each Stalls space: its deck, its price in green cards, the hex whose visitors alone
reach it (0: any); `value`: of a card by colour, in green cards; `near`: adjacent hexes, `far`: steps between hexes."""

BOT = record(("even", I), ("temperature", I), ("fights", I), *((name, I) for name in cards.BOARD_FEATURES))
SETTINGS = ("mission", "rounds", "luck", "tasks", "neutral_waster", "vehicle", "duels")
TABLE = record(*((name, I) for name in SETTINGS))

BOARD = record(
    ("fight", tables.TABLES), ("map", MAP), ("tiles", I), ("tile", TILE, TILES), ("tile_copies", I, TILES),
    ("events", I), ("event", EVENT, EVENTS), ("foes", I), ("foe", FOE, ENEMIES), ("vehicles", I),
    ("vehicle", VEHICLE, VEHICLES), ("items", I), ("thing", ITEM, ITEMS), ("lucks", I), ("luck", LUCK, LUCKS),
    ("luck_at", I),
    ("added_at", I), ("tasks", I), ("task", TASK, TASKS), ("missions", I), ("mission", MISSION, 8), ("bot", BOT, BOTS),
    ("backpack", I, KNIGHTS), ("hands", I, KNIGHTS), ("ability", TEXT, KNIGHTS), ("times", I, KNIGHTS),
    ("kit", I, (KNIGHTS, 4)), ("kits", I, KNIGHTS), ("carried", I, (KNIGHTS, 8)), ("carries", I, KNIGHTS),
    ("table", TABLE), ("checks", laws_dtype(len(DIFFICULTIES))),
    ("passing", I, (len(DIFFICULTIES), 32)),
)  # fmt: skip
"""`times`: how often a round an ability is used, 0 for one that lasts; `kit`, `carried`: the items that a knight
starts with on the sheet and in store; `luck_at`, `added_at`: where luck cards and enhancements stand among the gear
of combat; `passing`: the chance of a check by difficulty and dice, in hundredths."""


def load(pack: Any, settings: Mapping[str, int]) -> Tables:
    """The tables of a checked pack; `settings` as in SETTINGS. Raises Mistakes where the pack has no board."""
    lacking = cards.complete(pack.cards)
    if lacking:
        raise Mistakes(lacking)
    data = blank(BOARD)
    fight = tables.load(pack, {"health": 1, "ammo": 0, "fuel": 0, "radiation": 0, "held_cards": 1, "enemy_dice": 0})
    data.fight = fight.data
    _map(data, pack)
    _tiles(data, pack)
    _wasteland(data, pack)
    _items(data, pack)
    _luck(data, pack)
    _tasks(data, pack)
    _sheets(data, pack)
    for row, card in zip(data.bot, pack.cards["board_bot"].items(), strict=False):
        _bot(row, card, list(fight.bots))
    for name in SETTINGS:
        data.table[name] = settings[name]
    data.checks = compile_laws(tables.SIDES, tuple((low, tables.SIDES) for low in DIFFICULTIES))
    data.passing[:] = _passing()
    roles = {"knights": fight.roles["knights"]}
    kinds = ("weapon", "armor", "gear", "enhancement", "luck", "task", "event", "enemy", "vehicle", "mission", "tile")
    titles = {kind: tuple(card.title for card in pack.cards[kind].values()) for kind in kinds}
    return Tables(data, roles, tuple(pack.cards["board_bot"]), titles)


@cache
def _passing() -> Any:
    """The chance of at least one success by difficulty and dice, in hundredths."""
    dice = np.arange(32)
    return np.array([np.round(100 * (1 - ((low - 1) / tables.SIDES) ** dice)) for low in DIFFICULTIES], np.int64)


def _text(text: Any, errands: Iterable[Any]) -> None:
    for errand in errands:
        row = text.row[text.rows]
        row.when, row.what, row.whom = WHEN[errand.when], WHAT[errand.what], WHOM[errand.whom]
        row.many, row.only = errand.many, SKILL[errand.only]
        text.rows += 1


def _price(row: Any, price: Any) -> None:
    row[:] = price.green, price.yellow, price.red


def spiral() -> list[tuple[int, int]]:
    """The axial coordinates of the 37 hexes: the centre, then ring by ring, each from the east clockwise."""
    around = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    found = [(0, 0)]
    for ring in (1, 2, 3):
        place = (ring, 0)
        for side in range(6):
            step = around[(side + 2) % 6]
            for _ in range(ring):
                found.append(place)
                place = place[0] + step[0], place[1] + step[1]
    return found


def _map(data: Any, pack: Any) -> None:
    """Places, neighbours, distances, the Stalls and the printed numbers."""
    board = next(iter(pack.cards["board"].values()))
    row, places = data.map, spiral()
    for name in NUMBERS:
        value = getattr(board, name)
        row[name] = cards.ATTACHING.index(value) if name == "attaching" else value
    row.search_skill, row.search_difficulty = SKILL[board.search_skill], board.search_difficulty
    row.cities, row.specials = len(board.cities), len(board.specials)
    row.city[:], row.special[: len(board.specials)], row.centre[:] = board.cities, board.specials, board.centre
    for a, (x, y) in enumerate(places):
        for b, (u, v) in enumerate(places):
            row.far[a, b] = max(abs(x - u), abs(y - v), abs(x + y - u - v))
        near = [b for b in range(HEXES) if row.far[a, b] == 1]
        row.nears[a], row.near[a, : len(near)] = len(near), near
    yellow, red = board.yellow_in_green, board.yellow_in_green * board.red_in_yellow
    row.value[:] = 1, yellow, red, 0, 0
    spaces = [(GREEN, 1, 0)] * (board.stall_green - 1) + [(GREEN, yellow, 0)]
    spaces += [(YELLOW, yellow, 0)] * max(0, board.stall_yellow - 2) + [(YELLOW, red, 0), (YELLOW, 1, 2)]
    spaces += [(RED, red, 0)] * (board.stall_red - 1) + [(RED, yellow, 4)]
    row.stalls = len(spaces)
    for place, (colour, price, only_at) in enumerate(spaces):
        row.colour[place], row.price[place], row.only_at[place] = colour, price, only_at


def _tiles(data: Any, pack: Any) -> None:
    roles = list(cards.ROLES)
    data.tiles = len(pack.cards["tile"])
    for row, copies, card in zip(data.tile, range(TILES), pack.cards["tile"].values(), strict=False):
        data.tile_copies[copies] = card.copies
        row.role, row.number, row.difficulty = roles.index(card.role), card.number, card.difficulty
        row.threat, row.radiation, row.contamination = card.threat, card.radiation, card.contamination
        row.skill, row.explore, row.trade, row.aura = SKILL[card.skill], card.explore, TRADE[card.trade], card.aura
        row.actions = len(card.actions)
        for action, given in zip(row.action, card.actions, strict=False):
            _price(action.price, given.price)
            _text(action.text, given.errands)


def _wasteland(data: Any, pack: Any) -> None:
    """Events and enemies, vehicles and missions."""
    data.events, data.foes = len(pack.cards["event"]), len(pack.cards["enemy"])
    for row, card in zip(data.event, pack.cards["event"].values(), strict=False):
        row.copies, row.nature, row.on_foot = card.copies, card.nature, card.on_foot
        row.skill, row.difficulty, row.successes = SKILL[card.skill], card.difficulty, card.successes
        _text(row.text, card.errands)
    for row, card in zip(data.foe, pack.cards["enemy"].values(), strict=False):
        gains = card.rewards
        row.tier, row.skill, row.difficulty = card.tier, SKILL[card.escape.skill], card.escape.difficulty
        row.costly, row.cult = gains.red > 0 or gains.reputation > 0, "cult" in card.traits
        row.prize = 100 * gains.green + 300 * gains.yellow + 600 * gains.red + 50 * (gains.ammo + gains.fuel)
        row.prize += 400 * gains.reputation
        row.power = card.tier
        _text(row.text, card.errands)
    data.vehicles = len(pack.cards["vehicle"])
    for row, card in zip(data.vehicle, pack.cards["vehicle"].values(), strict=False):
        sides = card.whole, card.damaged
        row.start, row.speed[:] = card.start, [side.speed for side in sides]
        row.capacity[:] = [side.capacity for side in sides]
        row.colour[:] = [COLOURS.index(side.colour) for side in sides]
    data.missions = len(pack.cards["mission"])
    for row, card in zip(data.mission, pack.cards["mission"].values(), strict=False):
        row.goal, row.rounds, row.duel_reputation = GOAL[card.goal], card.rounds, card.duel_reputation
        row.cultists = card.cultists


def _items(data: Any, pack: Any) -> None:
    """All that a knight can own as one list: weapons, armor, general gear, enhancements."""
    colours = (*COLOURS, "start")
    board = next(iter(pack.cards["board"].values()))
    slugs = [(kind, slug) for kind in OWNED for slug in pack.cards[kind]]
    for kind, slug in slugs:
        card, row = pack.cards[kind][slug], data.thing[data.items]
        row.kind, row.place = OWNED.index(kind), list(pack.cards[kind]).index(slug)
        row.colour = colours.index(card.colour)
        row.value = data.map.value[row.colour]
        row.hands = getattr(card, "hands", 0)
        row.melee = kind == "weapon" and card.icons == ("melee",)
        row.use, row.drug = USE[getattr(card, "use", "permanent")], getattr(card, "sort", "") == "drug"
        row.limited = getattr(card, "limited", False)
        row.group = (*cards.SORTS, "gear").index(card.sort) if kind == "enhancement" else -1
        row.trait, row.fights = _trait(kind, card), len(card.effects) > 0
        if kind == "enhancement":
            row.fits = sum(1 << cards.FITS.index(trait) for trait in card.fits)
            row.needs = cards.ATTACH_RULES.index(card.needs)
        row.copies = SEATS if slug in board.start else int(row.colour != START)
        row.worth = _item_worth(kind, card, row)
        _text(row.text, card.errands)
        data.items += 1
    data.map.starts = len(board.start)
    data.map.start[: len(board.start)] = [slugs.index(("gear", slug)) for slug in board.start]


def _trait(kind: str, card: Any) -> int:
    """The trait by which enhancements know a card, as a bit of FITS; 0 for none."""
    name = (card.sort or "general") if kind == "gear" else kind
    return 1 << cards.FITS.index(name) if name in cards.FITS else 0


def _item_worth(kind: str, card: Any, row: Any) -> int:
    """What bots think of an item, in hundredths of a green card: a judgement."""
    if kind == "weapon":
        icons = len(card.icons)
        return int(
            60 * card.damage + 50 * card.piercing + 60 * card.multi + 25 * icons + 60 * (card.bulls_eye - 1) + 60
        )
    if kind == "armor":
        return int(150 * card.armor) + 50 * len(card.effects)
    return 80 + 60 * int(row.value) + 20 * len(card.errands) + 20 * len(card.effects) * (kind == "enhancement")


def _luck(data: Any, pack: Any) -> None:
    """Luck cards; what they do in combat stands among its gear."""
    data.luck_at, data.lucks = len(pack.cards["gear"]), len(pack.cards["luck"])
    data.added_at = data.luck_at + data.lucks
    for row, card in zip(data.luck, pack.cards["luck"].values(), strict=False):
        row.copies, row.icon, row.fights = card.copies, ICON[card.icon], len(card.effects) > 0
        row.worth = 60 + 40 * len(card.errands) + 40 * len(card.effects)
        _text(row.text, card.errands)
        for errand in card.errands:
            row.moments |= 1 << WHEN[errand.when]


def _tasks(data: Any, pack: Any) -> None:
    """Tasks; `gives`: the vehicle of a reward, `brings`: its card, -1 for none."""
    vehicles, items = list(pack.cards["vehicle"]), [slug for kind in OWNED for slug in pack.cards[kind]]
    data.tasks = len(pack.cards["task"])
    for row, card in zip(data.task, pack.cards["task"].values(), strict=False):
        row.common, row.binds, row.whose = card.common, TRAIT[card.binds], WHOSE[card.whose]
        row.gives = vehicles.index(card.gives) if card.gives in vehicles else -1
        row.brings = items.index(card.gives) if card.gives in items and row.gives < 0 else -1
        for need, given in ((row.first, card.first), (row.second, card.second)):
            need.need, need.hex, need.skill, need.difficulty = (
                NEED[given.need],
                given.hex,
                SKILL[given.skill],
                given.difficulty,
            )
            need.trait, need.points, need.hexes = TRAIT[given.trait], given.points, given.hexes
            _price(need.price, given.price)
        _text(row.text, card.rewards)


def _sheets(data: Any, pack: Any) -> None:
    """What each knight starts with, as items, and his ability off combat."""
    places = {slug: place for place, slug in enumerate(slug for kind in OWNED for slug in pack.cards[kind])}
    for k, card in enumerate(pack.cards["knight"].values()):
        start = [*card.weapons, *([card.armor] if card.armor else [])]
        given = list(next(iter(pack.cards["board"].values())).start)
        rest = [slug for slug in card.carries if slug not in given]
        data.kits[k], data.carries[k], data.backpack[k] = len(start), len(rest), card.backpack
        data.hands[k] = card.hands
        data.kit[k, : len(start)] = [places[slug] for slug in start]
        data.carried[k, : len(rest)] = [places[slug] for slug in rest]
        _text(data.ability[k], card.errands)
        data.times[k] = card.times


def _bot(row: Any, named: tuple[str, Any], fights: list[str]) -> None:
    """A bot's weights; in combat the bot of the same name plays, or the first of the pack."""
    slug, card = named
    row.temperature, row.fights = card.temperature, fights.index(slug) if slug in fights else 0
    for name in cards.BOARD_FEATURES:
        row[name] = getattr(card.weights, name)
    row.even = not any(getattr(card.weights, name) for name in cards.BOARD_FEATURES)
