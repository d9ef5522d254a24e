"""The pack of The Waste of Parts as one record of records, with stated capacities; made once from a checked pack."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, get_args

import numpy as np

from simcore.dice import compile_laws, laws_dtype
from simcore.game import Role, Tables
from simcore.kernels import blank, record
from simcore.mech import cards
from simcore.mech.cards import ROOMS, WASTES
from simcore.packs import Itself

SIDES = 6
SEATS, MEMBERS, ABILITIES, CARDS, ENEMIES, EVENTS, BOTS = 5, 64, 48, 120, 48, cards.EVENTS_MOST, 16
ORDERS = cards.ORDERS_MOST
"""Capacities: seats at the table, crew members (each with each of its abilities), abilities, kinds of salvage cards, of
enemies, events, bots, orders."""

EFFECTS, DOORS, PLACES = cards.MAX_EFFECTS, 6, WASTES + 1
"""Effects on a card, ways out of a room, rooms by number (0 is none)."""

FAR = 99
"""A distance that cannot be walked."""

WHEN = {name: code for code, name in enumerate(cards.WHEN)}
WHAT = {name: code for code, name in enumerate(cards.WHAT)}
WHOM = {name: code for code, name in enumerate(cards.WHOM)}
FUNCTION = {name: code for code, name in enumerate(cards.FUNCTIONS)}
ROLE = {name: code for code, name in enumerate(cards.ROLES)}
KIND = {name: code for code, name in enumerate(cards.SALVAGE)}
TERMS = len([name for name in cards.WHAT if name not in cards.DEEDS])
"""Terms come before deeds among WHAT: what lasts is kept as numbers by term."""

I = np.int64  # noqa: E741

EFFECT = record(("when", I), ("what", I), ("whom", I), ("many", I))
TEXT = record(("effects", I), ("uses", I), ("effect", EFFECT, EFFECTS))
"""What a card does; `uses`: rows that happen when its owner uses it."""

ROOM = record(
    ("function", I), ("matters", I), ("doors", I), ("door", I, DOORS), ("far", I, PLACES), ("near", I, PLACES),
    ("toward", I, PLACES),
)  # fmt: skip
"""`far`: steps to each room (FAR if there is no way), `toward`: the next room on a shortest way, the lowest if several
are alike (M4-08, M4-09); for bots `matters`: what the room is worth when it works, and `near`: what is left of a need
in each room when one stands here, both in hundredths."""

MEMBER = record(("health", I), ("attack", I), ("slots", I), ("noise", I), ("ability", I))
ABILITY = record(("action", I), ("once", I), ("text", TEXT))
CARD = record(
    ("kind", I), ("place", I), ("copies", I), ("dice", I), ("reload", I), ("reach", I), ("action", I),
    ("one_use", I), ("rooms", I), ("noise", I), ("start", I), ("worth", I), ("text", TEXT),
)  # fmt: skip
"""A salvage card: its kind (KIND), its place among those, what its kind has (0 for all others), `rooms` as bits, and
what it is worth to those who decide, in hundredths."""

ENEMY = record(
    ("level", I), ("copies", I), ("standees", I), ("harmless", I), ("health", I), ("attack", I), ("room", I),
    ("noise", I), ("armor", I), ("swift", I), ("role", I), ("text", TEXT),
)  # fmt: skip
ORDER = record(("boss", I), ("copies", I), ("text", TEXT))
EVENT = record(("worth", I), ("text", TEXT))
NUMBERS = (
    "hull", "noise", "goal", "engine_speed", "fuel_speed", "fuel_scrap", "gun_dice", "crane_cards", "crane_uses",
    "remote", "actions", "revive_actions", "reinforce_scrap", "ready_scrap", "recycle_scrap", "event_choice",
    "stun_rounds",
)  # fmt: skip
MECH = record(
    *((name, I) for name in NUMBERS), ("milestone", I, 2), ("cockpit", I), ("crane", I), ("engine", I, 2),
    ("guns", I), ("gun", I, 2),
)  # fmt: skip
RULINGS = {name: get_args(field.annotation) for name, field in cards.Ruling.model_fields.items()}
RULING = record(*((name, I) for name in RULINGS))
BOT = record(("even", I), ("temperature", I), *((name, I) for name in cards.FEATURES))
SETTINGS = ("extra_noise", "events", "idle_enemies", "free_fuel", "fuelled", "boss", "most_rounds")
TABLE = record(*((name, I) for name in SETTINGS))

TABLES = record(
    ("room", ROOM, PLACES), ("mech", MECH), ("member", MEMBER, MEMBERS), ("ability", ABILITY, ABILITIES),
    ("cards", I), ("card", CARD, CARDS), ("enemies", I), ("enemy", ENEMY, ENEMIES), ("events", I),
    ("event", EVENT, EVENTS), ("orders", I), ("order", ORDER, ORDERS), ("ruling", RULING), ("bot", BOT, BOTS),
    ("table", TABLE), ("laws", laws_dtype(1)),
    ("chance", I, (cards.MOST_DICE + 1, cards.MOST_DICE + 1)), ("expected", I, (cards.MOST_DICE + 1,) * 2),
)  # fmt: skip
"""`chance[dice, need]`: chance of at least so many hits, and `expected[dice, armor]`: hits beyond an armor, both in
hundredths, for bots."""


def load(pack: Any, settings: Mapping[str, int]) -> Tables:
    """The tables of a checked pack; `settings` as in SETTINGS. Cards keep the pack's order."""
    data = blank(TABLES)
    _mech(data, pack, settings)
    abilities = list(pack.cards["ability"])
    versions = [(slug, card, name) for slug, card in pack.cards["crew"].items() for name in card.abilities]
    for row, (_, card, name) in zip(data.member, versions, strict=False):
        row.health, row.attack, row.slots, row.noise = card.health, card.attack, card.slots, card.noise
        row.ability = abilities.index(name)
    for kind in ("ability", "enemy", "event", "order", "bot"):
        _fill(data[kind], kind, pack)
    data.cards = sum(len(pack.cards[kind]) for kind in cards.SALVAGE)
    first = 0
    for kind in cards.SALVAGE:
        rows = data.card[first : first + len(pack.cards[kind])]
        _fill(rows, kind, pack)
        rows["place"][:] = np.arange(len(rows))
        first += len(rows)
    data.enemies, data.events, data.orders = (len(pack.cards[kind]) for kind in ("enemy", "event", "order"))
    roles = {"crew": tuple(_version(pack, slug, card, name) for slug, card, name in versions)}
    kinds = ("ability", *cards.SALVAGE, "enemy", "event", "order")
    titles = {kind: tuple(card.title for card in pack.cards[kind].values()) for kind in kinds}
    rooms = {card.number: card.title for card in pack.cards["room"].values()}
    titles["crew"] = tuple(card.title for _, card, _ in versions)
    titles["room"] = ("", *(rooms[number] for number in range(1, ROOMS + 1)), "The Wastes")
    return Tables(data, roles, tuple(pack.cards["bot"]), titles)


def _version(pack: Any, slug: str, card: Any, ability: str) -> Role:
    """A crew member with the ability that its player picks (M112-04); the one that its card names is the usual one."""
    title = f"{card.title} ({pack.cards['ability'][ability].title})"
    return Role(f"{slug}/{ability}", title, of=slug, usual=ability == card.ability)


def _fill(rows: Any, kind: str, pack: Any) -> None:
    """The records of all cards of a kind, in the pack's order."""
    for place, card in enumerate(pack.cards[kind].values()):
        rows[place] = _row(kind, Itself(card))


@lru_cache(4096)
def _row(kind: str, one: Itself) -> Any:
    """A card's record. A changed pack shares all other cards with the one it comes from, so they are kept."""
    dtype, fill = _FILLED.get(kind, (CARD, _salvage))
    row = blank(dtype)
    if kind in cards.SALVAGE:
        row.kind = KIND[kind]
    fill(row, one.card)
    return row


def _text(text: Any, effects: Sequence[Any]) -> None:
    text.effects, text.uses = len(effects), sum(effect.when == "use" for effect in effects)
    for place, effect in zip(text.effect, effects, strict=False):
        place.when, place.what, place.whom = WHEN[effect.when], WHAT[effect.what], WHOM[effect.whom]
        place.many = effect.many


def _mech(data: Any, pack: Any, settings: Mapping[str, int]) -> None:
    """Rooms and ways, the printed numbers, rulings, settings, and the law of the dice."""
    mech, rooms = pack.cards["mech"][""], pack.cards["room"]
    for name in NUMBERS:
        data.mech[name] = getattr(mech, name)
    data.mech.milestone[:] = mech.milestones
    data.room[:] = _ways(tuple(tuple(sorted(doors)) for _, doors in sorted(cards.beside(rooms).items())))
    for card in rooms.values():
        data.room[card.number].function = FUNCTION[card.function]
        data.room[card.number].matters = _MATTERS[card.function]
    for name, readings in RULINGS.items():
        data.ruling[name] = readings.index(getattr(pack.cards["ruling"][""], name))
    for name in SETTINGS:
        data.table[name] = settings[name]
    by_function = {name: sorted(card.number for card in rooms.values() if card.function == name) for name in FUNCTION}
    (data.mech.cockpit,), (data.mech.crane,) = by_function["cockpit"], by_function["crane"]
    data.mech.engine[:] = by_function["engine"]
    data.mech.guns = len(by_function["gun"])
    data.mech.gun[: data.mech.guns] = by_function["gun"]
    data.laws = compile_laws(SIDES, ((mech.jam_below, mech.hit_from),))
    data.chance[:], data.expected[:] = _prospects(mech.hit_from)


_MATTERS = {"none": 50, "deck": 0, "crane": 120, "cockpit": 200, "gun": 100, "engine": 200}
"""How much a room of each function matters when it works, in hundredths: a judgement."""


@lru_cache(256)
def _ways(beside: tuple[tuple[int, ...], ...]) -> Any:
    """Doors of each room, steps between any two, and the next room on the way (M16-11), as ROOM records; `beside`: the
    rooms next to room 1, 2 and so on, the lowest first."""
    rooms = blank(ROOM, PLACES)
    rooms["far"][:] = FAR
    for start, doors in enumerate(beside, 1):
        rooms[start].doors, rooms[start].door[: len(doors)] = len(doors), doors
        far, edge, steps = {start: 0}, [start], 0
        while edge:
            steps += 1
            edge = sorted({door for room in edge for door in beside[room - 1] if door not in far})
            far |= dict.fromkeys(edge, steps)
        for room, steps in far.items():
            rooms[start].far[room] = steps
            rooms[start].near[room] = max(0, 100 - 12 * steps)
    for start, doors in enumerate(beside, 1):
        for goal in range(1, ROOMS + 1):
            nearer = [door for door in doors if rooms[door].far[goal] < rooms[start].far[goal]]
            rooms[start].toward[goal] = nearer[0] if nearer else start
    return rooms


def _salvage(row: Any, card: Any) -> None:
    """A salvage card, but for its place among those of its kind."""
    row.copies = card.copies
    for name in ("dice", "reload", "reach", "action", "one_use", "noise", "start"):
        row[name] = getattr(card, name, 0)
    row.rooms = sum(1 << room for room in getattr(card, "rooms", ()))
    _text(row.text, getattr(card, "effects", ()))
    row.worth = _worth(getattr(card, "effects", ())) + 60 * row.dice - 50 * row.reload + 40 * row.reach
    row.worth -= 60 * row.noise


def _ability(row: Any, card: Any) -> None:
    row.action, row.once = card.action, card.once
    _text(row.text, card.effects)


def _event(row: Any, card: Any) -> None:
    _text(row.text, card.effects)
    row.worth = _worth(card.effects)


def _order(row: Any, card: Any) -> None:
    row.boss, row.copies = cards.BOSSES.index(card.boss), card.copies
    _text(row.text, card.effects)


_WORTH = {
    "unarmed": 50, "weapon": 60, "gun": 50, "guard": 60, "soak": 70, "slots": 30, "mend": 30, "self_mend": 50,
    "revive_cost": -30, "revive": 20, "steps": 60, "reloads": 40, "repairs": 70, "operate": 60, "rage": 40,
    "counter": 40, "lure": 20, "restore": 50, "brave": 30, "luck": 30, "press": 10, "thrift": 20, "dice": 40,
    "shelter": 40, "proof": 60, "speed": 120, "crane": 80, "remote": 1, "noise": -100, "fuel_cost": -40, "health": 50,
    "hull": 60, "actions": 60, "damage": 50, "douse": 60, "repair": 60, "scrap": 25, "spawn": -60, "shove": 30,
    "step": 20, "worsen": -50,
}  # fmt: skip
"""What one of each effect is worth to a crew that hands out cards, in hundredths of an action or so: a judgement."""


def _worth(effects: Sequence[Any]) -> int:
    """What a card's effects are worth together."""
    lasting = {"round_end": 3, "standing": 1}
    return sum(_WORTH.get(row.what, 0) * row.many * lasting.get(row.when, 1) for row in effects)


def _enemy(row: Any, card: Any) -> None:
    for name in ("level", "copies", "standees", "harmless", "health", "attack", "room", "noise"):
        row[name] = getattr(card, name)
    for effect in card.effects:
        if effect.when == "standing" and effect.what in ("armor", "swift"):
            row[effect.what] += effect.many
        elif effect.when == "standing":
            row.noise += effect.many
    row.role = ROLE[card.role]
    _text(row.text, card.effects)


def _bot(row: Any, card: Any) -> None:
    row.temperature = card.temperature
    for name in cards.FEATURES:
        row[name] = getattr(card.weights, name)
    row.even = not any(getattr(card.weights, name) for name in cards.FEATURES)


_FILLED: dict[str, tuple[np.dtype[Any], Callable[[Any, Any], None]]] = {
    "ability": (ABILITY, _ability), "enemy": (ENEMY, _enemy), "event": (EVENT, _event), "order": (ORDER, _order),
    "bot": (BOT, _bot),
}  # fmt: skip
"""Kind of card -> its record and what fills it; all other kinds are salvage."""


@cache
def _prospects(hit_from: int) -> tuple[Any, Any]:
    """For bots: chances of enough hits, and hits expected beyond an armor, in hundredths."""
    from scipy.stats import binom

    most = cards.MOST_DICE
    found, expected = np.zeros((most + 1, most + 1), I), np.zeros((most + 1, most + 1), I)
    hits, chance = np.arange(most + 1), (SIDES + 1 - hit_from) / SIDES
    for dice in range(most + 1):
        law = binom.pmf(hits, dice, chance)
        found[dice] = np.round(100 * np.cumsum(law[::-1])[::-1])
        expected[dice] = np.round([100 * (np.maximum(0, hits - armor) * law).sum() for armor in hits])
    return found, expected
