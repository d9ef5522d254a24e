"""The pack of Marauders of the Great Wastelands as one record of records, with stated capacities; made once from a
checked pack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import numpy as np

from simcore.game import Role, Tables
from simcore.gangs import cards
from simcore.kernels import blank, record

SEATS, GANGS, CARDS, BOTS = 4, 8, 104, 16
"""Capacities: seats at the table, gangs, kinds of raiders and mercenaries together, bots."""

EFFECTS, TYPES, SITES, STACK = cards.MAX_EFFECTS, cards.TYPES, cards.SITES, cards.STACK
"""Effects on a card, types of territory, territory cards, cards in one place."""

WHAT = {name: code for code, name in enumerate(cards.WHAT)}
WHOM = {name: code for code, name in enumerate(cards.WHOM)}
WHO = {name: code for code, name in enumerate(cards.WHO)}
PAY = {name: code for code, name in enumerate(cards.PAY)}

UNAIMED = ("slaves", "fanatics", "draw", "muster", "again", "herd", "home")
"""Deeds that need no target; taking or destroying loot `here` needs none either."""

HOLD_MARGINS, HOLD_HOURS = 5, 12
"""How far bots tell apart by how much a defence falls short, and how many hours it has to last."""

I = np.int64  # noqa: E741

EFFECT = record(("what", I), ("whom", I), ("who", I), ("many", I))
CARD = record(
    ("gang", I), ("coloured", I), ("leader", I), ("copies", I), ("mark", I), ("first", I), ("pay", I), ("times", I),
    ("might", I), ("guard", I), ("frenzy", I), ("summons", I), ("ambushes", I), ("repeats", I), ("agains", I),
    ("grabs", I), ("strips", I), ("asks", I), ("effects", I), ("effect", EFFECT, EFFECTS),
    ("falls", I), ("fall", EFFECT, EFFECTS),
)  # fmt: skip
"""A follower: `gang` is -1 for mercenaries; mark: 0 none; `summons`, `ambushes`: 1 if it has one; repeats, agains: 1 if
its ability repeats a Summon, or goes on to a further ambush; `grabs`, `strips`: loot of the territory that its Ambush
takes, or destroys, for nothing; asks: 1 if it does something that needs no target and costs nothing; `effect`: the
deeds of its one ability, `fall`: those when it is knocked out."""

GANG = record(("hot", I, 2))
SITE = record(("kind", I), ("players", I), ("first", I))
"""A territory card: its type, from how many players on it is used, and whether it is in the first game."""

NUMBERS = (
    "days", "first_days", "loot", "hand", "market", "first_of_type", "more_of_type", "slave_attack", "fanatic_attack",
    "fodder", "slaves", "fewer_territories", "fewer_mercenaries",
)  # fmt: skip
BY_PLAYERS = ("territories", "mercenaries", "sets")
RULES = record(*((name, I) for name in NUMBERS), *((name, I, SEATS + 1) for name in BY_PLAYERS))
RULINGS = {name: get_args(field.annotation) for name, field in cards.Ruling.model_fields.items()}
RULING = record(*((name, I) for name in RULINGS))
BOT = record(("even", I), ("temperature", I), *((name, I) for name in cards.FEATURES), ("worth", I, CARDS))
"""`worth`: what having a card is worth to the bot, by its weights."""

SETTINGS = ("advanced", "first_game", "most_hours")
TABLE = record(*((name, I) for name in SETTINGS))

TABLES = record(
    ("cards", I), ("raiders", I), ("card", CARD, CARDS), ("gang", GANG, GANGS), ("sites", I), ("site", SITE, SITES),
    ("rules", RULES), ("ruling", RULING), ("bot", BOT, BOTS), ("table", TABLE), ("hold", I, (HOLD_MARGINS, HOLD_HOURS)),
)  # fmt: skip
"""`card`: raiders first, gang by gang, then mercenaries; `hold[short, hours]`: the chance, in hundredths, that a
defence that falls so much short of the strongest rival still stands after so many hours, as bots judge it."""


def load(pack: Any, settings: Mapping[str, int]) -> Tables:
    """The tables of a checked pack; `settings` as in SETTINGS. Cards keep the pack's order, gang by gang; the first
    game has its own gangs (G12-13)."""
    data = blank(TABLES)
    playing = {slug: card for slug, card in pack.cards["gang"].items() if card.first or not settings["first_game"]}
    gangs = list(playing)
    raiders = [(slug, card) for gang in gangs for slug, card in pack.cards["raider"].items() if card.gang == gang]
    rows = raiders + list(pack.cards["mercenary"].items())
    data.cards, data.raiders = len(rows), len(raiders)
    grey = pack.cards["ruling"][""].widow_colour == "grey"
    for row, (_, card) in zip(data.card, rows, strict=False):
        _follower(row, card, gangs)
        row.coloured = row.gang >= 0 or (row.leader == 1 and not grey)
    places = {slug: place for place, (slug, _) in enumerate(raiders)}
    for row, card in zip(data.gang, playing.values(), strict=False):
        row.hot[:] = [places[slug] for slug in card.hot]
    _sites(data, pack.cards["territory"].values())
    _numbers(data, pack, settings)
    for row, card in zip(data.bot, pack.cards["bot"].values(), strict=False):
        _bot(row, card, data)
    for short in range(HOLD_MARGINS):
        for hours in range(HOLD_HOURS):
            data.hold[short, hours] = round(100 * _STANDS[short] ** hours)
    roles = {"gangs": tuple(Role(slug, card.title) for slug, card in playing.items())}
    away = "is not in the first game (table.first_game = 1)"
    absent = {"gangs": {slug: away for slug in pack.cards["gang"] if slug not in playing}}
    titles = {"card": tuple(card.title for _, card in rows)}
    titles["territory"] = tuple(card.title for card in pack.cards["territory"].values())
    return Tables(data, roles, tuple(pack.cards["bot"]), titles, absent)


_STANDS = (0.97, 0.75, 0.62, 0.55, 0.5)
"""The chance that a territory is still held after a further round, by how much its defence falls short of the strongest
rival (0: it is as strong, and so is safe unless he grows): a judgement, as bots make it."""


def _follower(row: Any, card: Any, gangs: Sequence[str]) -> None:
    """One follower's numbers, and its ability as rows."""
    row.gang = gangs.index(card.gang) if hasattr(card, "gang") else -1
    row.leader, row.copies, row.first = card.leader, card.copies, getattr(card, "first", True)
    row.mark = (*("",), *cards.MARKS).index(getattr(card, "mark", ""))
    row.pay, row.times = PAY[card.pay], card.times
    for effect in card.effects:
        if effect.when == "standing":
            row[effect.what] += effect.many
        elif effect.when == "knocked_out":
            _deed(row.fall[row.falls], effect)
            row.falls += 1
        else:
            _deed(row.effect[row.effects], effect)
            row.effects += 1
            row["summons" if effect.when == "summon" else "ambushes"] = 1
            row.asks |= card.pay == "nothing" and (effect.what in UNAIMED or effect.whom == "here")
            row.repeats |= effect.what == "repeat"
            row.agains |= effect.what == "again"
            if effect.whom == "here" and effect.what in ("plunder", "spoil") and card.pay == "nothing":
                row["grabs" if effect.what == "plunder" else "strips"] += effect.many


def _deed(row: Any, effect: Any) -> None:
    row.what, row.whom, row.who, row.many = WHAT[effect.what], WHOM[effect.whom], WHO[effect.who], effect.many


def _sites(data: Any, types: Any) -> None:
    """Each territory card by itself: its type, and from how many players on it is used."""
    for kind, card in enumerate(types):
        for copy in range(card.copies[-1]):
            site = data.site[data.sites]
            site.kind, site.first = kind, copy < card.first
            site.players = min(n for n, many in zip(cards.PLAYERS, card.copies, strict=True) if copy < many)
            data.sites += 1


def _numbers(data: Any, pack: Any, settings: Mapping[str, int]) -> None:
    """The printed numbers, rulings and settings."""
    rules, ruling = pack.cards["rules"][""], pack.cards["ruling"][""]
    for name in NUMBERS:
        data.rules[name] = getattr(rules, name)
    for name in BY_PLAYERS:
        data.rules[name][cards.PLAYERS[0] :] = getattr(rules, name)
    for name, readings in RULINGS.items():
        data.ruling[name] = readings.index(getattr(ruling, name))
    for name in SETTINGS:
        data.table[name] = settings[name]


_WORTH = {
    "might": ("body", 60), "guard": ("body", 50), "frenzy": ("body", 80), "slaves": ("slave", 100),
    "fanatics": ("fanatic", 100), "draw": ("draw", 100), "retrieve": ("draw", 120), "hire": ("hire", 80),
    "recruit": ("body", 100), "muster": ("body", 100), "patch": ("patch", 60), "wound": ("wound", 90),
    "knock": ("knock", 80), "discard": ("wound", 120), "spoil": ("spoil", 80), "plunder": ("loot", 90),
    "raze": ("deny", 200), "repeat": ("encore", 80), "again": ("again", 90), "herd": ("slave", 50),
    "home": ("spend", 50),
}  # fmt: skip
"""What -> the weight that it goes by, and percent of it: how often it can be put to use, a judgement."""


def _bot(row: Any, card: Any, data: Any) -> None:
    """A bot's weights, and what it thinks of each card."""
    row.temperature = card.temperature
    for name in cards.FEATURES:
        row[name] = getattr(card.weights, name)
    row.even = not any(getattr(card.weights, name) for name in cards.FEATURES)
    names = {code: name for name, code in WHAT.items()}
    for place in range(data.cards):
        one = data.card[place]
        worth = row.body
        for term in cards.TERMS:
            weight, percent = _WORTH[term]
            worth += row[weight] * percent * one[term] // 100
        for i in range(one.effects):
            weight, percent = _WORTH[names[int(one.effect[i].what)]]
            worth += row[weight] * percent * one.effect[i].many // 100
        row.worth[place] = worth
