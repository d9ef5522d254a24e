"""The pack of Waste Knights as one record of records, with stated capacities; made once from a checked pack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, get_args

import numpy as np

from simcore.dice import POOL_MAX, compile_laws, ladder, laws_dtype
from simcore.game import Role, Tables
from simcore.kernels import blank, record
from simcore.knights import cards
from simcore.packs import Itself, Mistake, Mistakes

SIDES = 10
KNIGHTS, WEAPONS, ARMORS, GEARS, ENEMIES, BOTS = 32, 64, 32, 120, 96, 17
EFFECTS, KITS, HANDS, ITEMS, ADDS = 6, 8, 2, 8, 24
"""Capacities: effects on a card, load-outs of a knight, weapons in hands, cards carried; enhancements of a load-out, or
attached to all else."""

SHEETS = 4
"""Places after the pack's knights for sheets that change in a game: one a seat of the board."""

LUCK_CARD = "luck_card"
"""The setting that gives knights a luck card, by its place in the pack; -1: none."""

EQUILIBRIUM = "equilibrium"
"""The bot that plays what was solved (`equilibrium`); it comes with the game, after those of the pack."""

SHORT, MEDIUM, LONG = 0, 1, 2
MELEE = 0
"""Icons are numbered as in `cards.ICONS`: melee 0, short 1, medium 2, long 3."""

WHEN = {name: code for code, name in enumerate(cards.WHEN)}
WHAT = {name: code for code, name in enumerate(cards.WHAT)}
ONLY = {name: code for code, name in enumerate(cards.ONLY)}
USES = ("permanent", "one_use", "mark", "luck")

LAWS = 2 * len(cards.RANGES)
NET_LOW, NET_HIGH, BULLS, NEEDS = -8, 12, 6, 10
"""Bots' tables of expected Health: net damage before Bull's Eyes, worth of a Bull's Eye, Bull's Eyes needed."""

I = np.int64  # noqa: E741

EFFECT = record(("when", I), ("what", I), ("whom", I), ("many", I), ("only", I))
KIT_CARD = record(
    ("weapons", I), ("weapon", I, HANDS), ("armor", I), ("adds", I), ("add", I, ADDS), ("add_to", I, ADDS)
)
"""A load-out; `add`: enhancements, among gear, and `add_to`: of which hand, or 2 of the armor."""

TEXT = record(("effects", I), ("effect", EFFECT, EFFECTS))
KNIGHT = record(
    ("skill", I, len(cards.SKILLS)),
    ("kits", I),
    ("kit", KIT_CARD, KITS),
    ("places", I, KITS),
    ("carries", I),
    ("carried", I, ITEMS),
    ("adds", I),
    ("add", I, ADDS),
    ("text", TEXT),
)
BLOW = [("icon", I, len(cards.ICONS)), ("damage", I), ("piercing", I), ("multi", I), ("bulls_eye", I)]
WEAPON = record(*BLOW, ("ammo", I), ("fuel", I), ("text", TEXT))
ARMOR = record(("armor", I), ("text", TEXT))
GEAR = record(("use", I), ("text", TEXT))
REWARDS = ("reputation", "green", "yellow", "red", "ammo", "fuel")
ENEMY = record(
    *BLOW, ("aggression", I), ("armor", I), ("health", I), ("ferocious", I), ("trait", I, len(cards.TRAITS)),
    ("reward", record(*((name, I) for name in REWARDS))), ("text", TEXT),
)  # fmt: skip
RANGE = record(
    ("rank", I, len(cards.ICONS)),
    ("dice", I, len(cards.ICONS)),
    ("damage", I, len(cards.ICONS)),
    ("difficulty", I),
)
DIALS = record(
    ("health", I), ("ammo", I), ("fuel", I), ("radiation", I), ("no_bulls_eyes_from", I), ("no_healing_from", I),
    ("wound_dice", I, 10),
)  # fmt: skip
COMBAT_NUMBERS = (
    "clashes", "prepare_dice", "prepare_faces", "attack_ammo", "multi_ammo", "base_damage",
    "least_dice", "duel_reputation",
)  # fmt: skip
CARDS, WAYS, ACTS = 6, 3, 9
COMBAT = record(
    *((name, I) for name in COMBAT_NUMBERS), ("start_range", I), ("arrows", I, (CARDS, WAYS)), ("gain", I, ACTS)
)
"""`arrows`: dominance to its player, less that to the opponent, by combat card and way (0 none, 1 advance, 2 retreat;
K1F-14); `gain`: dice that an attack check gains by Prepare less those that the opponent's card takes, by act: kind of
attack * 3 + `checks.penalty_of`."""
RULINGS = {name: get_args(field.annotation) for name, field in cards.Ruling.model_fields.items()}
RULING = record(*((name, I) for name in RULINGS))
BOT = record(("even", I), ("solved", I), ("temperature", I), *((name, I) for name in cards.FEATURES))
SETTINGS = ("health", "ammo", "fuel", "radiation", "held_cards", "enemy_dice")
TABLE = record(*((name, I) for name in SETTINGS))

TABLES = record(
    ("knight", KNIGHT, KNIGHTS + SHEETS), ("weapon", WEAPON, WEAPONS), ("armor", ARMOR, ARMORS), ("gear", GEAR, GEARS),
    ("enemy", ENEMY, ENEMIES), ("distance", RANGE, len(cards.RANGES)), ("dials", DIALS), ("combat", COMBAT),
    ("ruling", RULING), ("bot", BOT, BOTS), ("table", TABLE), ("laws", laws_dtype(LAWS)),
    ("expected", I, (LAWS, POOL_MAX + 1, NET_HIGH - NET_LOW + 1, BULLS)), ("chance", I, (LAWS, POOL_MAX + 1, NEEDS)),
)  # fmt: skip


def load(pack: Any, settings: Mapping[str, int]) -> Tables:
    """The tables of a checked pack; `settings` as in SETTINGS. Enemies and knights keep the pack's order."""
    _check_settings(pack, settings)
    data = blank(TABLES)
    places = {kind: {slug: i for i, slug in enumerate(pack.cards[kind])} for kind in ("weapon", "armor", "gear")}
    held = _luck(data, pack, settings.get(LUCK_CARD, -1))
    for i, slug in enumerate(pack.cards["knight"]):
        _knight(data.knight[i], pack, slug, places, held)
    for kind in ("weapon", "armor", "gear", "enemy"):
        for i, card in enumerate(pack.cards[kind].values()):
            data[kind][i] = _row(kind, Itself(card))
    _board(data, pack, settings)
    for i, card in enumerate(pack.cards["bot"].values()):
        _bot(data.bot[i], card)
    bots = tuple(dict.fromkeys((*pack.cards["bot"], EQUILIBRIUM)))
    data.bot[len(pack.cards["bot"])].solved = int(EQUILIBRIUM not in pack.cards["bot"])
    roles = {
        key: tuple(Role(slug, card.title) for slug, card in pack.cards[kind].items())
        for key, kind in (("knights", "knight"), ("enemies", "enemy"))
    }
    titles = {kind: tuple(card.title for card in pack.cards[kind].values()) for kind in ("weapon", "armor", "gear")}
    return Tables(data, roles, bots, titles)


def _luck(data: Any, pack: Any, held: int) -> tuple[int, ...]:
    """Luck cards, and then enhancements, stand among the gear of combat after the pack's own. held: one by its place in
    the pack, or -1.

    Answers where the held one stands; nothing if it does nothing in combat."""
    first, cards_of = len(pack.cards["gear"]), list(pack.cards["luck"].values())
    for place, card in enumerate(cards_of, first):
        fill_gear(data.gear[place], "luck", card.effects)
    for place, card in enumerate(pack.cards["enhancement"].values(), first + len(cards_of)):
        fill_gear(data.gear[place], "permanent", card.effects)
    return (first + held,) if held >= 0 and cards_of[held].effects else ()


def _check_settings(pack: Any, settings: Mapping[str, int]) -> None:
    """Raises Mistakes where a dial would start above its top (K1D-02), and for a luck card that isn't there."""
    tops = {name: getattr(pack.cards["dials"][""], name) for name in ("health", "ammo", "fuel", "radiation")}
    tops["radiation"] -= 1
    wrong = [
        Mistake(f"table.{name}", f"is {settings[name]}", f"at most {top}, by the pack's dials")
        for name, top in tops.items()
        if settings[name] > top
    ]
    held, many = settings.get(LUCK_CARD, -1), len(pack.cards["luck"])
    if held >= many:
        wrong.append(Mistake(f"table.{LUCK_CARD}", f"is {held}", f"at most {many - 1}, by the pack's luck cards"))
    if wrong:
        raise Mistakes(wrong)


@lru_cache(4096)
def _row(kind: str, one: Itself) -> Any:
    """A card's record. A changed pack shares all other cards with the one it comes from, so they are kept."""
    rows = {"weapon": (WEAPON, _weapon), "armor": (ARMOR, _armor), "gear": (GEAR, _gear), "enemy": (ENEMY, _enemy)}
    dtype, fill = rows[kind]
    row = blank(dtype)
    fill(row, one.card)
    return row


def _weapon(row: Any, card: Any) -> None:
    _blow(row, card)
    row.ammo, row.fuel = card.ammo, card.fuel


def _armor(row: Any, card: Any) -> None:
    row.armor = card.armor
    _text(row, card.effects)


def _gear(row: Any, card: Any) -> None:
    fill_gear(row, card.use, card.effects)


def fill_gear(row: Any, use: str, effects: Sequence[Any]) -> None:
    """Fill a record of gear: how it is used (of USES), and what it does in combat."""
    row.use = USES.index(use)
    _text(row, effects)


def _text(row: Any, effects: Sequence[Any]) -> None:
    row.text.effects = len(effects)
    for place, effect in zip(row.text.effect, effects, strict=False):
        place.when, place.what, place.only = WHEN[effect.when], WHAT[effect.what], ONLY[effect.only]
        place.whom, place.many = int(effect.whom == "opponent"), effect.many


def _blow(row: Any, card: Any) -> None:
    row.icon[:] = [icon in card.icons for icon in cards.ICONS]
    row.damage, row.piercing, row.multi, row.bulls_eye = (
        card.damage,
        card.piercing,
        card.multi,
        card.bulls_eye,
    )
    _text(row, card.effects)


def _knight(row: Any, pack: Any, slug: str, places: Mapping[str, Mapping[str, int]], held: Sequence[int]) -> None:
    """A knight's record. held: places of gear that he has besides what the pack gives him."""
    card = pack.cards["knight"][slug]
    row.skill[:] = [getattr(card.skills, name) for name in cards.SKILLS]
    kits = cards.load_outs(pack, slug)
    row.kits = len(kits)
    for place, (weapons, armor) in zip(row.kit, kits, strict=False):
        place.weapons = len(weapons)
        place.weapon[: len(weapons)] = [places["weapon"][weapon] for weapon in weapons]
        place.armor = places["armor"][armor] if armor else -1
    items = [places["gear"][item] for item in card.carries if item in places["gear"]][: cards.POCKETS]
    items += held
    row.carries = len(items)
    row.carried[: len(items)] = items
    _text(row, card.effects)


def _enemy(row: Any, card: Any) -> None:
    _blow(row, card)
    row.aggression, row.armor, row.health, row.ferocious = (
        card.aggression,
        card.armor,
        card.health,
        card.ferocious,
    )
    row.trait[:] = [trait in card.traits for trait in cards.TRAITS]
    for name in REWARDS:
        row.reward[name] = getattr(card.rewards, name)


def _board(data: Any, pack: Any, settings: Mapping[str, int]) -> None:
    """Range cards, dials, combat numbers, rulings, settings, and the laws of the three ranges' pools."""
    combat, dials, ruling = (pack.cards[kind][""] for kind in ("combat", "dials", "ruling"))
    difficulties = []
    for row, name in zip(data.distance, cards.RANGES, strict=True):
        card = pack.cards["range"][name]
        row.rank[:] = [_rank(card, icon) for icon in cards.ICONS]
        row.dice[:] = [card.dice.get(icon, 0) for icon in cards.ICONS]
        row.damage[:] = [card.damage.get(icon, 0) for icon in cards.ICONS]
        row.difficulty = card.difficulty
        difficulties.append(card.difficulty)
    for name in ("health", "ammo", "fuel", "radiation", "no_bulls_eyes_from", "no_healing_from"):
        data.dials[name] = getattr(dials, name)
    data.dials.wound_dice[: len(dials.wound_dice)] = dials.wound_dice
    for name in COMBAT_NUMBERS:
        data.combat[name] = getattr(combat, name)
    data.combat.arrows[:] = _arrows(combat)
    cover = 0, combat.change_range_dice, combat.defend_dice
    data.combat.gain[:] = [dice - lost for dice in (0, 0, combat.prepare_dice) for lost in cover]
    data.combat.start_range = cards.RANGES.index(combat.start_range)
    for name, readings in RULINGS.items():
        data.ruling[name] = readings.index(getattr(ruling, name))
    for name in SETTINGS:
        data.table[name] = settings[name]
    # A die that is no success is no Bull's Eye either, however many faces Prepare makes one.
    faces = tuple((low, max(low, SIDES + 1 - many)) for low in difficulties for many in (1, combat.prepare_faces))
    data.laws = compile_laws(SIDES, faces)
    data.expected, data.chance = _prospects(faces)


def _arrows(combat: Any) -> list[list[int]]:
    """Net arrows of no card, Attack, Multi-attack, Prepare, Change Range and Defend, each by way."""
    change = [0, combat.advance_arrows, -combat.retreat_arrows]
    rest = [0, combat.attack_arrows, combat.multi_arrows, 0, None, -combat.defend_arrows]
    return [change if arrows is None else [arrows] * WAYS for arrows in rest]


def _rank(card: Any, icon: str) -> int:
    """The initiative of an icon on a range card, 0 first; -1 where it can't be used there."""
    skill = "blades" if icon == "melee" else "guns"
    return card.initiative.index(icon) if icon in card.initiative and skill in card.skills else -1


def _bot(row: Any, card: Any) -> None:
    row.temperature = card.temperature
    for name in cards.FEATURES:
        row[name] = getattr(card.weights, name)
    row.even = not any(getattr(card.weights, name) for name in cards.FEATURES)


@cache
def _prospects(faces: tuple[tuple[int, int], ...]) -> tuple[Any, Any]:
    """For bots, in hundredths: expected Health lost by (law, dice, net damage, worth of a Bull's Eye), and the
    chance of a hit with at least so many Bull's Eyes by (law, dice, Bull's Eyes)."""
    nets = np.arange(NET_LOW, NET_HIGH + 1)
    expected = np.zeros((len(faces), POOL_MAX + 1, len(nets), BULLS), np.int64)
    chance = np.zeros((len(faces), POOL_MAX + 1, NEEDS), np.int64)
    for law, (success_from, top_from) in enumerate(faces):
        for dice in range(1, POOL_MAX + 1):
            hit = np.zeros(POOL_MAX + 1)
            for successes, tops, ways in ladder(dice, SIDES, success_from, top_from):
                hit[tops] += (successes > 0) * ways / SIDES**dice
            lost = np.maximum(0, nets[:, None, None] + np.arange(BULLS)[:, None] * np.arange(POOL_MAX + 1))
            expected[law, dice] = np.round(100 * (lost * hit).sum(axis=2))
            chance[law, dice] = np.round(100 * np.cumsum(hit[::-1])[::-1][:NEEDS])
    return expected, chance
