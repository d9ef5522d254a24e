"""The pack of Beyond the Horizon as one record of records, with stated capacities; made once from a checked pack."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

import numpy as np

from simcore.dice import compile_laws, laws_dtype
from simcore.game import Role, Tables
from simcore.kernels import blank, record
from simcore.packs import Mistake, Mistakes
from simcore.voyage import cards

SEATS, KNIGHTS, BOTS = cards.SEATS, 8, 16
"""Capacities: seats at the table, knights, bots."""

PORTS, ROUTES, ROADS, SHIPS, STACK = cards.PORTS, cards.ROUTES, cards.ROADS, cards.SHIPS, cards.STACK
EFFECTS, CARDS, TOKENS, GEAR, UPGRADES, VARIANTS = cards.MAX_EFFECTS, 180, 62, 80, 48, 8
"""Effects on a card, kinds of drawn cards, threat tokens, kinds of gear, sides of upgrades, cards of a destination."""

TERM = {name: code for code, name in enumerate(cards.TERMS)}
WHAT = {name: code for code, name in enumerate(cards.WHAT)}
WHEN = {name: code for code, name in enumerate(cards.WHEN)}
FACE = {name: code for code, name in enumerate(cards.FACES)}
TYPE = {name: code for code, name in enumerate(cards.TYPES)}
SLOT = {name: code for code, name in enumerate(cards.SLOTS)}
TERRAIN = {name: code for code, name in enumerate(cards.TERRAINS)}
FINDING = {name: code + 1 for code, name in enumerate(cards.FINDINGS)}
PER = {name: code for code, name in enumerate(cards.PER)}
TERMS = len(cards.TERMS)
SEA_DIE = TERMS
SKILL = {name: TERM[name] for name in cards.SKILLS} | {"": -1, cards.SEA_DIE: SEA_DIE}
"""What a test is made with: dice of a skill, nothing (it passes), or a sea die read by its number (V5-22)."""

SEA, ROAD, WILD, NORMAL_GEAR, AQUATIC_GEAR, INJURIES, FINDS, DRYNESS = range(8)
DECKS_IN_PLAY = 8
BAG_BASE, BAG_EASY, BAG_HARD = range(3)
"""Decks in play."""

ENEMY, EVENT, ENCOUNTER = 0, 1, 2
AQUATIC_AT, STARTING_AT = 64, 128
"""Gear cards by number: the normal deck, the Aquatic deck from AQUATIC_AT on, starting gear from STARTING_AT on."""

NO_EVENT = CARDS - 1
"""The card that does nothing."""

HULLS = 13
"""How far bots tell hulls apart."""

I = np.int64  # noqa: E741

EFFECT = record(("when", I), ("what", I), ("per", I), ("many", I))
STORY = record(("skill", I), ("need", I), ("aquatic", I), ("optional", I), ("effects", I), ("effect", EFFECT, EFFECTS))
"""A test and what comes of it; `skill` -1: no test, and it passes; SEA_DIE: a sea die shows `need` or more."""

CARD = record(
    ("type", I), ("dry", I), ("threat", I), ("health", I), ("dice", I), ("armor", I), ("story", STORY),
)  # fmt: skip
"""A drawn card; dry: 1 for enemies whose rewards are no Water."""

PORT = record(("home", I), ("city", I), ("terrain", I), ("cards", I), ("card", I, VARIANTS))
ROUTE = record(
    ("ends", I, 2), ("radiation", I), ("contamination", I), ("threat", I), ("dice", I), ("water", I), ("hazard", I),
    ("sink", I, HULLS), ("thirst", I), ("toll", I),
)  # fmt: skip
"""`sink[left]`: the chance in hundredths that the route's dice and its card, as bots judge it, take so much hull;
thirst: Water that it takes and toll: Radiation, Contamination and tokens, in hundredths."""

ROAD_ROW = record(("ends", I, 2), ("open", I), ("rough", I), ("fuel", I), ("deck", I))
SHIP = record(("type", I), ("hull", I), ("cost", I), ("speed", I), ("term", I, TERMS))
TOKEN = record(("story", STORY))
PLACE = record(("terrain", I), ("look", STORY), ("choice", STORY, 3))
KNIGHT_ROW = record(
    ("term", I, TERMS), ("fuel", I), ("ammo", I), ("meds", I), ("vehicle", I), ("pieces", I), ("piece", I, 4)
)
VEHICLE = record(("type", I), ("chassis", I), ("capacity", I), ("speed", I), ("term", I, TERMS))
GEAR_ROW = record(("slot", I), ("aquatic", I), ("value", I), ("dice", I), ("armor", I), ("term", I, TERMS))
UPGRADE = record(
    ("knight", I), ("pair", I), ("aquatic", I), ("vehicle", I), ("cost", I), ("gills", I), ("term", I, TERMS)
)
WOUND = record(("term", I, TERMS))
FIND = record(("finding", I, (len(cards.TERRAINS), 3)))
BOT = record(("even", I), ("temperature", I), *((name, I) for name in cards.FEATURES), ("worth", I, GEAR))
"""`worth`: what having a piece of gear is worth to the bot, by its weights."""

PRINTED = tuple(name for name in cards.Rules.model_fields if name != "dry_foes")
ASSUMED, POINTS = tuple(cards.Land.model_fields), tuple(cards.Season.model_fields)
RULES, LAND, SEASON = (record(*((name, I) for name in names)) for names in (PRINTED, ASSUMED, POINTS))
RULINGS = {name: get_args(field.annotation) for name, field in cards.Ruling.model_fields.items()}
RULING = record(*((name, I) for name in RULINGS))

SETTINGS = ("rounds", "difficulty", "water", "knight", "vehicle", "breach", "held", "cards")
TABLE = record(*((name, I) for name in SETTINGS))

TABLES = record(
    ("ports", I), ("port", PORT, PORTS), ("routes", I), ("route", ROUTE, ROUTES), ("roads", I),
    ("road", ROAD_ROW, ROADS), ("link", I, (PORTS, PORTS)), ("way", I, (PORTS, PORTS)), ("steps", I, (PORTS, PORTS)),
    ("homing", I, PORTS), ("ships", I), ("ship", SHIP, SHIPS), ("sides", I), ("face", I, (2, 8)),
    ("whole", I, 8), ("drawn", I, (3, STACK)), ("card", CARD, CARDS), ("tokens", I), ("token", TOKEN, TOKENS),
    ("bag", I, 3), ("place", PLACE, cards.DESTINATIONS), ("knight", KNIGHT_ROW, KNIGHTS),
    ("vehicle", VEHICLE, 12), ("piece", I, 3 * AQUATIC_AT + 16), ("gear", GEAR_ROW, GEAR), ("upgrades", I),
    ("upgrade", UPGRADE, UPGRADES), ("injury", WOUND, STACK), ("find", FIND, STACK), ("dry", STORY, 12),
    ("specials", I), ("special", I, 20), ("rules", RULES), ("land", LAND), ("season", SEASON), ("ruling", RULING),
    ("bot", BOT, BOTS), ("table", TABLE), ("laws", laws_dtype(1)),
)  # fmt: skip
"""`link`, `way`: the route and the road between two ports, -1 for none; `steps`: half rounds from port to port, and
`homing` to Australia; ships: those of the Quay, the Cutter comes after them; `sides`: sea dice; `whole`: all cards of
each deck as bits; `drawn`: which card a bit of the first three decks is; `bag`: base, easy and hard tokens as bits;
`piece`: the gear of each gear card."""


def load(pack: Any, settings: Mapping[str, int]) -> Tables:
    """The tables of a checked pack; `settings` as in SETTINGS, those that a game lacks at their defaults.

    Raises Mistakes for a knight or vehicle that the pack doesn't have."""
    data = blank(TABLES)
    dials = {"rounds": 0, "difficulty": 2, "water": 1, "knight": 0, "vehicle": 0, "breach": 0, "held": -1, "cards": 1}
    dials |= settings
    _settings_wrong(pack, dials)
    for name in SETTINGS:
        data.table[name] = dials[name]
    data.table.rounds = dials["rounds"] or pack.cards["season"][""].rounds
    _numbers(data, pack)
    _sea(data, pack)
    _draws(data, pack)
    _people(data, pack)
    _judge(data)
    for row, card in zip(data.bot, pack.cards["bot"].values(), strict=False):
        _bot(row, card, data, len(pack.cards["gear"]))
    return Tables(data, _roles(pack), tuple(pack.cards["bot"]), _titles(pack))


def _settings_wrong(pack: Any, dials: Mapping[str, int]) -> None:
    """Refuses a knight or a vehicle that isn't there."""
    wrong = []
    for name in ("knight", "vehicle"):
        most = len(pack.cards[name]) - 1
        if dials[name] > most:
            wrong.append(Mistake(f"table.{name}", f"is {dials[name]}", f"at most {most}, as the pack has them"))
    if wrong:
        raise Mistakes(wrong)


def _roles(pack: Any) -> dict[str, tuple[Role, ...]]:
    """Who can sit down: knights; of single cruises, ships and routes."""
    ships = sorted(pack.cards["ship"].items(), key=lambda pair: pair[1].cutter)
    of = {"knights": pack.cards["knight"].items(), "ships": ships, "routes": pack.cards["route"].items()}
    return {side: tuple(Role(slug, card.title) for slug, card in rows) for side, rows in of.items()}


def _titles(pack: Any) -> dict[str, tuple[str, ...]]:
    """Names for `tell`."""
    drawn = [card.title for kind in ("enemy", "event", "encounter") for card in pack.cards[kind].values()]
    kinds = ("port", "vehicle", "gear", "upgrade", "dehydration", "destination", "route", "road")
    titles = {kind: tuple(card.title for card in pack.cards[kind].values()) for kind in kinds}
    tokens = [card.title for card in _bag(pack) for _ in range(card.copies)]
    hurts, finds = (
        [card.title for card in pack.cards[kind].values() for _ in range(card.copies)]
        for kind in ("injury", "exploration")
    )
    specials = sorted(pack.cards["special"].values(), key=lambda card: card.number)
    ships = sorted(pack.cards["ship"].values(), key=lambda ship: ship.cutter)
    return titles | {
        "card": tuple(drawn),
        "token": tuple(tokens),
        "injury": tuple(hurts),
        "find": tuple(finds),
        "special": tuple(f"{card.number}, {card.title}" for card in specials),
        "ship": tuple(ship.title for ship in ships),
        "choice": tuple(choice.title for card in pack.cards["destination"].values() for choice in card.choices),
    }


def _numbers(data: Any, pack: Any) -> None:
    """Printed numbers, the assumed base layer, rulings and the die."""
    rules, land, season, ruling = (pack.cards[kind][""] for kind in ("rules", "land", "season", "ruling"))
    for name in PRINTED:
        data.rules[name] = getattr(rules, name)
    for name in ASSUMED:
        data.land[name] = getattr(land, name)
    for name in POINTS:
        data.season[name] = getattr(season, name)
    for name, readings in RULINGS.items():
        data.ruling[name] = readings.index(getattr(ruling, name))
    data.laws = compile_laws(land.sides, ((land.success_from, land.special_from),))


def _sea(data: Any, pack: Any) -> None:
    """Ports, routes, roads, ships and sea dice."""
    ports = list(pack.cards["port"])
    data.ports = len(ports)
    data.link[:], data.way[:] = -1, -1
    for row, card in zip(data.port, pack.cards["port"].values(), strict=False):
        row.home, row.city, row.terrain = card.home, card.city, TERRAIN.get(card.terrain, -1)
    for r, (row, card) in enumerate(zip(data.route, pack.cards["route"].values(), strict=False)):
        row.ends[:] = [ports.index(end) for end in card.ends]
        for name in ("radiation", "contamination", "threat", "dice", "water", "hazard"):
            row[name] = getattr(card, name)
        data.link[row.ends[0], row.ends[1]] = data.link[row.ends[1], row.ends[0]] = r
        data.routes += 1
    for r, (row, card) in enumerate(zip(data.road, pack.cards["road"].values(), strict=False)):
        row.ends[:] = [ports.index(end) for end in card.ends]
        row.open, row.rough, row.fuel = card.open, card.rough, card.fuel
        row.deck = ROAD if card.open >= card.rough else WILD
        data.way[row.ends[0], row.ends[1]] = data.way[row.ends[1], row.ends[0]] = r
        data.roads += 1
    ships = sorted(pack.cards["ship"].values(), key=lambda ship: ship.cutter)
    data.ships = len(ships) - 1
    for row, card in zip(data.ship, ships, strict=False):
        row.type, row.hull, row.cost, row.speed = TYPE[card.type], card.hull, card.cost, card.speed
        _terms(row.term, card.effects)
    for row, card in zip(data.face, pack.cards["die"].values(), strict=False):
        row[:] = [FACE[face] for face in card.faces]
        data.sides += 1


def _draws(data: Any, pack: Any) -> None:
    """All that is drawn: cards of the sea and the roads, tokens, gear, Injuries, findings, Dehydration,
    destinations."""
    dry = pack.cards["rules"][""].dry_foes
    rows = [(kind, card) for kind in ("enemy", "event", "encounter") for card in pack.cards[kind].values()]
    many = [0, 0, 0]
    for place, (kind, card) in enumerate(rows):
        row, deck = data.card[place], cards.DECKS.index(card.deck)
        row.type = ("enemy", "event", "encounter").index(kind)
        _story(row.story, card, getattr(card, "skill", ""), getattr(card, "need", 0), card.effects)
        if kind == "enemy":
            row.dry, row.threat, row.health, row.dice = card.kind in dry, card.threat, card.health, card.dice
            row.armor = card.armor
        for _ in range(card.copies):
            data.drawn[deck, many[deck]] = place
            many[deck] += 1
    for deck in (SEA, ROAD, WILD):
        data.whole[deck] = (1 << many[deck]) - 1
    _tokens(data, pack)
    _gear(data, pack)
    water = data.table.water == 1
    for code, kind, target in ((INJURIES, "injury", data.injury), (FINDS, "exploration", data.find)):
        copies = [card for card in pack.cards[kind].values() for _ in range(card.copies)]
        for place, (row, card) in enumerate(zip(target, copies, strict=False)):
            data.whole[code] |= int(water or not card.water) << place
            if code == INJURIES:
                _terms(row.term, card.effects)
            else:
                for ground, name in enumerate(cards.TERRAINS):
                    for i, found in enumerate(getattr(card, name)):
                        row.finding[ground, i] = FINDING[found]
    for row, card in zip(data.dry, pack.cards["dehydration"].values(), strict=False):
        _story(row, card, "", 0, card.effects)
    data.card[NO_EVENT].type, data.card[NO_EVENT].story.skill = EVENT, -1
    data.whole[DRYNESS] = (1 << len(pack.cards["dehydration"])) - 1
    _destinations(data, pack)


def _bag(pack: Any) -> list[Any]:
    """Threat tokens as they are in the game: an update has taken the place of what it replaces, for good (V5-05)."""
    updates = {card.replaces: card for card in pack.cards["token"].values() if card.mode == "update"}
    return [updates.get(slug, card) for slug, card in pack.cards["token"].items() if card.mode != "update"]


def _tokens(data: Any, pack: Any) -> None:
    """Threat tokens one by one, and which of them are base, easy and hard ones."""
    for card in _bag(pack):
        mode = max(0, ("base", "easy", "hard", "update").index(card.mode) % 3)
        for _ in range(card.copies):
            _story(data.token[data.tokens].story, card, "", 0, card.effects)
            data.bag[mode] |= 1 << int(data.tokens)
            data.tokens += 1


def _gear(data: Any, pack: Any) -> None:
    """Gear, and the decks that it makes; upgrades."""
    slugs, many = list(pack.cards["gear"]), [0, 0]
    for place, (row, card) in enumerate(zip(data.gear, pack.cards["gear"].values(), strict=False)):
        row.slot, row.aquatic, row.value, row.dice, row.armor = (
            SLOT[card.slot],
            card.aquatic,
            card.value,
            card.dice,
            card.armor,
        )
        _terms(row.term, card.effects)
        if not card.starting:
            for _ in range(card.copies):
                data.piece[AQUATIC_AT * card.aquatic + many[card.aquatic]] = place
                many[card.aquatic] += 1
        else:
            data.piece[STARTING_AT + place] = place
    data.whole[NORMAL_GEAR], data.whole[AQUATIC_GEAR] = (1 << many[0]) - 1, (1 << many[1]) - 1
    knights, vehicles = list(pack.cards["knight"]), list(pack.cards["vehicle"])
    for row, card in zip(data.knight, pack.cards["knight"].values(), strict=False):
        for name in (*cards.SKILLS, "attack", "health", "resilience", "exploration", "repair"):
            row.term[TERM[name]] = getattr(card, name)
        row.fuel, row.ammo, row.meds, row.vehicle = card.fuel, card.ammo, card.meds, vehicles.index(card.vehicle)
        for slug in card.gear:
            row.piece[row.pieces] = STARTING_AT + slugs.index(slug)
            row.pieces += 1
    for row, card in zip(data.upgrade, pack.cards["upgrade"].values(), strict=False):
        row.knight = knights.index(card.knight) if card.knight else -1
        row.pair, row.aquatic, row.vehicle, row.cost = card.pair, card.aquatic, card.vehicle, card.cost
        _terms(row.term, card.effects)
        row.gills = row.term[TERM["aquatic"]] > 0
        data.upgrades += 1


def _people(data: Any, pack: Any) -> None:
    """Vehicles and special cards."""
    for row, card in zip(data.vehicle, pack.cards["vehicle"].values(), strict=False):
        row.type, row.chassis, row.capacity, row.speed = TYPE[card.type], card.chassis, card.capacity, card.speed
        _terms(row.term, card.effects)
    specials = sorted(pack.cards["special"].values(), key=lambda card: card.number)
    data.specials = len(specials)
    data.special[: len(specials)] = [card.cargo for card in specials]


def _destinations(data: Any, pack: Any) -> None:
    """The cards of each destination: First Look and choices."""
    ports = list(pack.cards["port"])
    for place, card in enumerate(pack.cards["destination"].values()):
        row, port = data.place[place], data.port[ports.index(card.port)]
        row.terrain = TERRAIN[card.terrain] if card.terrain else port.terrain
        _story(row.look, card, "", 0, card.look)
        for target, choice in zip(row.choice, card.choices, strict=True):
            _story(target, choice, choice.skill, choice.need, choice.effects)
        port.card[port.cards] = place
        port.cards += 1


def _story(row: Any, card: Any, skill: str, need: int, effects: Sequence[Any]) -> None:
    """A test and its effects as rows; a First Look is read like any card as it is drawn."""
    row.skill, row.need = SKILL[skill], need
    row.aquatic, row.optional = getattr(card, "aquatic", False), getattr(card, "optional", False)
    row.effects = len(effects)
    for target, effect in zip(row.effect, effects, strict=False):
        target.when = WHEN["drawn" if effect.when == "look" else effect.when]
        target.what = WHAT[effect.what]
        target.per, target.many = PER[effect.per], effect.many


def _terms(term: Any, effects: Iterable[Any]) -> None:
    """What stands, added up."""
    for effect in effects:
        term[TERM[effect.what]] += effect.many


# ---------------------------------------------------------------- what bots think


def _judge(data: Any) -> None:
    """What bots know of routes: chances to sink, Water and dangers to expect; ways from port to port."""
    faces = data.face[0]
    of = {name: float(np.mean(faces == code)) for name, code in FACE.items()}
    die = np.array([1 - of["breach"] - of["double_breach"], of["breach"], of["double_breach"]])
    for route in data.route[: int(data.routes)]:
        law = np.ones(1)
        for _ in range(route.dice):
            law = np.convolve(law, die)
        law = np.convolve(law, _card_breach(data, int(route.hazard)))
        for left in range(HULLS):
            route.sink[left] = round(100 * float(law[left:].sum()))
        route.thirst = round(100 * (route.water + route.dice * of["water"]))
        route.toll = round(100 * (route.radiation + route.contamination + route.threat + route.dice * of["threat"]))
    _ways(data)


def _card_breach(data: Any, hazard: int) -> Any:
    """How likely a sea card takes how much hull: a guess, half of the tests failed and of the enemies' icons rolled."""
    many = int(data.whole[SEA]).bit_count()
    law = np.zeros(2 * HULLS)
    for place in data.drawn[SEA, :many]:
        story = data.card[place].story
        breach = {False: 0, True: 0}
        for effect in story.effect[: int(story.effects)]:
            if effect.what == WHAT["breach"]:
                sure = effect.when == WHEN["drawn"]
                breach[sure] += effect.many * (1, hazard, cards.DIE_SIDES // 2)[int(effect.per)]
        for luck in (0, 1):
            law[min(breach[True] + luck * breach[False], 2 * HULLS - 1)] += 0.5 / many
    return law


def _ways(data: Any) -> None:
    """Half rounds from port to port: a cruise takes the turn, a road half of it."""
    n = int(data.ports)
    steps = np.full((n, n), 99)
    steps[np.where(data.way[:n, :n] >= 0)] = 1
    by_sea = (data.link[:n, :n] >= 0) & (steps > 2)
    steps[by_sea] = 2
    np.fill_diagonal(steps, 0)
    for middle in range(n):
        steps = np.minimum(steps, steps[:, [middle]] + steps[[middle], :])
    data.steps[:n, :n] = steps
    home = [p for p in range(n) if data.port[p].home]
    data.homing[:n] = steps[:, home].min(axis=1)


_WORTH = {
    "strength": 40, "tech": 60, "driving": 40, "survival": 60, "perception": 60, "charm": 50, "attack": 100,
    "armor": 100, "health": 60, "resilience": 100, "exploration": 60, "repair": 40, "aquatic": 150, "tokens": 60,
    "ashore": 60, "flask": 50, "filter": 60, "thrift": 60, "steady": 100, "clear": 50, "speed": -100, "thirsty": -100,
}  # fmt: skip
"""Percent of the weight of gear that a term is worth: a judgement."""


def _bot(row: Any, card: Any, data: Any, gear: int) -> None:
    """A bot's weights, and what it thinks of each piece of gear."""
    row.temperature = card.temperature
    for name in cards.FEATURES:
        row[name] = getattr(card.weights, name)
    row.even = not any(getattr(card.weights, name) for name in cards.FEATURES)
    for place in range(gear):
        one = data.gear[place]
        worth = 100 * one.dice + 100 * one.armor
        worth += sum(_WORTH[name] * int(one.term[code]) for name, code in TERM.items())
        row.worth[place] = row.gear * worth // 100 + row.gills * int(one.aquatic)
