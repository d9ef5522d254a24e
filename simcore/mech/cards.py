"""The cards of The Waste of Parts: what a pack holds, and what makes sense in it.

Models are strict: whole numbers only, every number bounded and written in the file, no unknown keys. What a card does
is data: `Effect` rows over the vocabulary below (packs/README.md shows it with examples).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from simcore.dice import POOL_MAX
from simcore.packs import Card, Cards, Distinct, Kind, Listed, Mistake, Printed, Schema, Text, Title, Unplayed, nearest

ROOMS = 12
WASTES = 13
"""Rooms 1 to 12 are the mech's, 13 is The Wastes (M16-09, M16-10)."""

FUNCTIONS = ("none", "deck", "crane", "cockpit", "gun", "engine")
SALVAGE = ("weapon", "armor", "gear", "upgrade", "scrap")
"""The kinds of salvage cards (M17-09), in the order in which tables number them."""

CREW_TERMS = (
    "unarmed", "weapon", "gun", "guard", "soak", "slots", "mend", "self_mend", "revive_cost", "revive", "steps",
    "reloads", "repairs", "operate", "rage", "counter", "lure", "restore", "brave", "luck", "press", "thrift",
)  # fmt: skip
"""What lasts on a crew member: by his ability and what he carries."""

ROOM_TERMS = ("dice", "shelter", "proof", "speed", "crane", "remote")
SHIP_TERMS = ("noise", "speed", "crane", "unarmed", "weapon", "gun", "fuel_cost")
ENEMY_TERMS = ("armor", "swift", "noise")
DEEDS = ("health", "hull", "actions", "damage", "douse", "repair", "worsen", "scrap", "spawn", "shove", "step")
WHAT = tuple(dict.fromkeys((*CREW_TERMS, *ROOM_TERMS, *SHIP_TERMS, *ENEMY_TERMS, *DEEDS)))
WHEN = ("standing", "use", "round_end", "spawned", "acts", "destroyed", "kill", "unarmed_kill", "drawn")
WHOM = ("self", "mate", "crew", "everyone", "enemy", "enemies", "wastes", "mech")

HOLDERS = ("ability", "weapon", "armor", "gear", "upgrade", "event", "enemy", "order")
TERMS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("ability", "weapon", "armor", "gear"), CREW_TERMS),
    "upgrade": ROOM_TERMS,
    "event": SHIP_TERMS,
    "enemy": ENEMY_TERMS,
    "order": (),
}
"""Holder -> what may last on it (when = standing)."""

MOMENTS: dict[str, tuple[str, ...]] = {
    "ability": ("standing", "use", "kill", "unarmed_kill", "round_end"),
    "weapon": ("standing", "kill"),
    "armor": ("standing", "round_end"),
    "gear": ("standing", "use", "round_end"),
    "upgrade": ("standing", "round_end"),
    "event": ("standing", "round_end", "drawn"),
    "enemy": ("standing", "spawned", "acts", "destroyed"),
    "order": ("drawn",),
}
"""Holder -> the moments that it has."""

DEEDS_OF: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(HOLDERS[:4], ("health", "hull", "actions", "damage", "douse", "repair", "scrap", "shove", "step")),
    "upgrade": ("health", "hull", "damage", "scrap", "shove"),
    "event": ("health", "hull", "actions", "scrap", "spawn", "worsen"),
    "enemy": ("health", "hull", "actions", "worsen"),
    "order": ("health", "hull", "actions", "scrap", "spawn", "worsen"),
}
"""Holder -> the deeds that it can do."""

AIMS: dict[str, tuple[str, ...]] = {
    "health": ("self", "mate", "crew", "everyone"),
    "hull": ("mech",),
    "actions": ("self", "crew", "everyone"),
    "damage": ("enemy", "enemies", "wastes"),
    "douse": ("self",),
    "repair": ("self",),
    "worsen": ("self", "mech"),
    "scrap": ("mech",),
    "spawn": ("mech",),
    "shove": ("enemy", "enemies"),
    "step": ("self",),
}
"""Deed -> whom it can be done to: the owner (or the room of a room's card), another crew member in the room, all crew
in the room, the whole crew, one or all enemies in the room, an enemy in The Wastes, the mech."""

FEATURES = (
    "damage", "kill", "wastes", "threat", "repair", "douse", "mend", "revive", "fuel", "noise", "approach", "crane",
    "danger", "tool", "reload", "swap", "rest", "hull", "card",
)  # fmt: skip
MAX_EFFECTS = 4
MOST_ABILITIES = 4
"""Most abilities on a dashboard."""

BOARD = 64
"""Most enemies on the board at once."""

MAX_COPIES = 8
ENEMY_CARDS = SALVAGE_CARDS = 128
"""Most cards of the enemy and of the salvage deck."""

EVENTS_MOST, ORDERS_MOST = 24, 32
BOSSES = ("", "harrow", "scourge", "bomb")
ROLES = ("", "tentacle", "harrow", "husher", "scourge", "captain")
"""What an enemy card is in a boss fight; "" for the enemies of the way."""

MOST_DICE = POOL_MAX
"""Most dice of one attack: a game that asks for more counts as an overflow."""

Room = Annotated[int, Field(ge=1, le=ROOMS)]
Place = Annotated[int, Field(ge=0, le=WASTES)]
Small = Annotated[int, Field(ge=0, le=6)]
Dice = Annotated[int, Field(ge=0, le=12)]
Health = Annotated[int, Field(ge=0, le=20)]
Copies = Annotated[int, Field(ge=1, le=MAX_COPIES)]
Distance = Annotated[int, Field(ge=1, le=200)]
Noise = Annotated[int, Field(ge=-3, le=6)]
Weight = Annotated[int, Field(ge=-1000, le=1000)]
WhatName = Literal[
    "unarmed", "weapon", "gun", "guard", "soak", "slots", "mend", "self_mend", "revive_cost", "revive", "steps",
    "reloads", "repairs", "operate", "rage", "counter", "lure", "restore", "brave", "luck", "press", "thrift",
    "dice", "shelter", "proof", "speed", "crane", "remote", "noise", "fuel_cost", "armor", "swift",
    "health", "hull", "actions", "damage", "douse", "repair", "worsen", "scrap", "spawn", "shove", "step",
]  # fmt: skip

# ---------------------------------------------------------------- effects


class Effect(Card):
    """A row of what a card does: at this moment (when), this (what), to whom (whom), so much (many).

    A term (CREW_TERMS and so on) lasts while its card is in force, and is `standing` and for `self`; a deed happens at
    its moment. What no card of a kind can do is refused (`check`).
    """

    when: Literal["standing", "use", "round_end", "spawned", "acts", "destroyed", "kill", "unarmed_kill", "drawn"]
    what: WhatName
    whom: Literal["self", "mate", "crew", "everyone", "enemy", "enemies", "wastes", "mech"]
    many: Annotated[int, Field(ge=-6, le=6)]

    @model_validator(mode="after")
    def _makes_sense(self) -> Effect:
        """Refuses combinations that could never do anything; says all that is wrong with the row."""
        wrong = []
        deed = self.what in DEEDS
        if deed == (self.when == "standing"):
            wrong.append(f"has {self.what} at {self.when}, but {'a deed has its moment' if deed else 'it lasts'}")
        aims = AIMS[self.what] if deed else ("self",)
        if self.whom not in aims:
            wrong.append(f"has {self.what} for {self.whom}, but it is for {', '.join(aims)}")
        if self.many == 0:
            wrong.append(f"has {self.what} of 0, which does nothing")
        if self.many < 0 and deed and self.what not in ("health", "hull", "actions", "scrap"):
            wrong.append(f"has {self.what} of {self.many}, and there is no less than none of it")
        if wrong:
            raise ValueError("; ".join(wrong))
        return self


Effects = Annotated[Listed[Effect], Field(max_length=MAX_EFFECTS)]

# ---------------------------------------------------------------- cards


class RoomCard(Card):
    """A room of the mech. number: 1 to 12; function: what it is for; beside: rooms next to it or joined by a ladder."""

    title: Title
    number: Room
    function: Literal["none", "deck", "crane", "cockpit", "gun", "engine"]
    beside: Distinct[Room]


class Mech(Card):
    """The printed numbers of the mech and of the way.

    hull, noise: where the dials begin; goal: distance of Sanctuary; milestones: when levels 2 and 3 come in;
    jam_below, hit_from: faces; remote: percent of what the Cockpit does from afar, rounded up.
    """

    hull: Annotated[int, Field(ge=1, le=60)]
    noise: Small
    goal: Distance
    milestones: Annotated[Listed[Distance], Field(min_length=2, max_length=2)]
    engine_speed: Small
    fuel_speed: Small
    fuel_scrap: Small
    gun_dice: Dice
    crane_cards: Small
    crane_uses: Small
    remote: Annotated[int, Field(ge=0, le=100)]
    actions: Annotated[int, Field(ge=1, le=8)]
    revive_actions: Annotated[int, Field(ge=1, le=6)]
    jam_below: Annotated[int, Field(ge=1, le=6)]
    hit_from: Annotated[int, Field(ge=1, le=6)]
    reinforce_scrap: Annotated[int, Field(ge=1, le=9)]
    ready_scrap: Annotated[int, Field(ge=1, le=9)]
    recycle_scrap: Annotated[int, Field(ge=1, le=9)]
    event_choice: Annotated[int, Field(ge=1, le=4)]
    stun_rounds: Small


class Member(Card):
    """A crew member: dials at the start, slots for equipment, the Noise that comes with him, and the abilities on the
    dashboard, of which the player picks one (M18, M112-04): `ability` where a lineup names none."""

    title: Title
    health: Annotated[int, Field(ge=1, le=12)]
    attack: Dice
    slots: Annotated[int, Field(ge=0, le=4)]
    noise: Noise
    abilities: Annotated[Distinct[str], Field(min_length=1, max_length=MOST_ABILITIES)]
    ability: str
    text: Text


class Ability(Card):
    """An ability of a crew member. action: whether using it costs an action; once: at most once a round."""

    title: Title
    action: bool
    once: bool
    effects: Effects
    text: Text


class Weapon(Card):
    """A weapon: dice of its attacks; reload: to be turned back after an attack; reach: hits adjacent rooms, too."""

    title: Title
    copies: Copies
    dice: Annotated[int, Field(ge=1, le=12)]
    reload: bool
    reach: bool
    effects: Effects
    text: Text


class Armor(Card):
    """Armor; only one helps at a time (M17-11)."""

    title: Title
    copies: Copies
    effects: Effects
    text: Text


class Gear(Card):
    """Gear. action: whether using it costs an action (M13-14); one_use: discarded when used."""

    title: Title
    copies: Copies
    action: bool
    one_use: bool
    effects: Effects
    text: Text


class Upgrade(Card):
    """A room upgrade: the rooms where it can be placed, and the Noise it adds."""

    title: Title
    copies: Copies
    rooms: Annotated[Distinct[Room], Field(min_length=1)]
    noise: Noise
    effects: Effects
    text: Text


class Scrap(Card):
    """A salvage card that is nothing but Scrap. start: its copies lie in the Scrap Pile as the game begins."""

    title: Title
    copies: Annotated[int, Field(ge=1, le=30)]
    start: bool


class Enemy(Card):
    """An enemy card. room: where it appears, 13 for The Wastes; noise: while it is on the board; standees: how many of
    it fit the board; harmless: nothing but a card drawn (all numbers 0); role: what it is in a boss fight."""

    title: Title
    level: Annotated[int, Field(ge=1, le=3)]
    copies: Annotated[int, Field(ge=1, le=20)]
    standees: Annotated[int, Field(ge=0, le=20)]
    harmless: bool
    role: Literal["", "tentacle", "harrow", "husher", "scourge", "captain"]
    health: Health
    attack: Dice
    room: Place
    noise: Noise
    effects: Effects
    text: Text

    @model_validator(mode="after")
    def _whole(self) -> Enemy:
        """An enemy has Health and a room; a harmless card has neither."""
        if self.harmless and (self.health or self.attack or self.room or self.noise or self.standees or self.effects):
            raise ValueError("is harmless, but has numbers or effects")
        if not self.harmless and not (self.health and self.room and self.standees):
            raise ValueError("needs a Health, a room and a standee")
        return self


class Event(Card):
    """An event: in force until the next one (M19-03)."""

    title: Title
    effects: Effects
    text: Text


class Order(Card):
    """An order of a boss (M110-02, M110-08), or what a bomb does that is found in the search deck (boss = bomb)."""

    title: Title
    boss: Literal["harrow", "scourge", "bomb"]
    copies: Copies
    effects: Effects
    text: Text


class Ruling(Card):
    """Readings of rules that the book leaves open; the first of each is the suggested one."""

    downed_in_room: Annotated[Literal["absent", "target_and_guard"], Printed("target_and_guard", "M4-07")]
    path_ties: Literal["lowest_room", "random"]
    crane_and_remote: Literal["one_use", "both"]
    fuel_broken_engine: Literal["forbidden", "allowed"]
    hull_cap: Literal["start_value", "none"]
    wastes_count_for_win: Literal["yes", "no"]
    noise_leaves_with_card: Literal["yes", "no"]
    upgrade_over_function: Literal["both", "upgrade_only"]


class Weights(Card):
    """What a bot thinks of each feature of an option, in the order of FEATURES."""

    damage: Weight
    kill: Weight
    wastes: Weight
    threat: Weight
    repair: Weight
    douse: Weight
    mend: Weight
    revive: Weight
    fuel: Weight
    noise: Weight
    approach: Weight
    crane: Weight
    danger: Weight
    tool: Weight
    reload: Weight
    swap: Weight
    rest: Weight
    hull: Weight
    card: Weight


class Bot(Card):
    """A way to decide: weights over features, and a temperature (0: always the best, ties by chance)."""

    title: Title
    temperature: Annotated[int, Field(ge=0, le=100_000)]
    weights: Weights
    text: Text


# ---------------------------------------------------------------- checks across cards


def beside(rooms: Mapping[str, RoomCard]) -> dict[int, set[int]]:
    """Which rooms are adjacent: number -> numbers; a room named by one side is beside on both."""
    found: dict[int, set[int]] = {card.number: set() for card in rooms.values()}
    for card in rooms.values():
        for other in card.beside:
            found[card.number].add(other)
            found.setdefault(other, set()).add(card.number)
    return found


def _reached(around: Mapping[int, set[int]], start: int) -> set[int]:
    """The rooms that can be walked to from one of them."""
    reached, found = {start}, [start]
    while found:
        found = [other for room in found for other in around[room] if other not in reached]
        reached |= set(found)
    return reached


def _rooms_wrong(rooms: Mapping[str, RoomCard]) -> Iterator[Mistake]:
    """Twelve rooms with each number once, all of one piece, with the functions that the rules speak of."""
    numbers = [card.number for card in rooms.values()]
    for slug, card in rooms.items():
        if numbers.count(card.number) > 1:
            yield Mistake(f"room.{slug}.number", f"is {card.number}, as that of another room", "each of 1 to 12 once")
        if card.number in card.beside:
            yield Mistake(f"room.{slug}.beside", "names the room itself", "other rooms")
    lacking = sorted(set(range(1, ROOMS + 1)) - set(numbers))
    if lacking:
        yield Mistake("room", f"lacks the numbers {', '.join(map(str, lacking))}", "each of 1 to 12 once")
        return
    whole = max((_reached(beside(rooms), number) for number in range(1, ROOMS + 1)), key=len)
    for slug, card in rooms.items():
        if card.number not in whole:
            yield Mistake(f"room.{slug}.beside", "leaves the room unconnected", "a way to every room")
    counts = {"cockpit": (1, 1), "crane": (1, 1), "engine": (2, 2), "gun": (0, 2)}
    functions: list[str] = [card.function for card in rooms.values()]
    for function, (low, high) in counts.items():
        if not low <= functions.count(function) <= high:
            allowed = str(low) if low == high else f"{low} to {high}"
            yield Mistake("room", f"has {functions.count(function)} rooms of function {function}", allowed)


def _effects_wrong(kind: str, slug: str, card: Any) -> Iterator[Mistake]:
    """Effects at a moment, or of a sort, that this kind of card doesn't have."""
    for place, effect in enumerate(card.effects):
        where = f"{kind}.{slug}.effects.{place}"
        if effect.when not in MOMENTS[kind]:
            yield Mistake(f"{where}.when", f"is {effect.when} on a card of kind {kind}", ", ".join(MOMENTS[kind]))
        elif effect.what not in (terms := _known(kind, effect.when)):
            yield Mistake(
                f"{where}.what", f"is {effect.what} on a card of kind {kind}", ", ".join(terms),
                nearest(effect.what, terms),
            )  # fmt: skip
        elif effect.when != "standing" and effect.whom not in _aims_of(kind, card, effect):
            allowed = _aims_of(kind, card, effect)
            yield Mistake(f"{where}.whom", f"is {effect.whom} on a card of kind {kind}", ", ".join(allowed))


def _known(kind: str, when: str) -> tuple[str, ...]:
    """What a kind of card can do at a moment: a kill comes after the attack, and free moves end with the round."""
    if when == "standing":
        return TERMS[kind]
    lacking = {"kill": ("damage", "shove"), "unarmed_kill": ("damage", "shove"), "round_end": ("step",)}
    return tuple(deed for deed in DEEDS_OF[kind] if deed not in lacking.get(when, ()))


def _aims_of(kind: str, card: Any, effect: Effect) -> tuple[str, ...]:
    """Whom a deed can be done to by this kind of card: cards of nobody have no owner and no mate of his, events and
    orders no room (a bomb has one), and an enemy only its own."""
    nobodys = kind in ("upgrade", "enemy", "event", "order")
    nowhere = kind == "event" or (kind == "order" and card.boss != "bomb")
    lacking: tuple[str, ...] = ("self", "mate") if nobodys and effect.what in ("health", "actions") else ()
    lacking += ("self", "crew") if nowhere else ("mech",) if kind == "enemy" and effect.what == "worsen" else ()
    return tuple(aim for aim in AIMS[effect.what] if aim not in lacking)


def _members_wrong(slug: str, card: Member) -> Iterator[Mistake]:
    """The usual ability is one of those on the dashboard."""
    if card.ability not in card.abilities:
        allowed = ", ".join(card.abilities)
        yield Mistake(f"crew.{slug}.ability", f"is {card.ability!r}", allowed, nearest(card.ability, card.abilities))


def _abilities_wrong(slug: str, card: Ability) -> Iterator[Mistake]:
    """What can be used for nothing has an end."""
    if not card.action and not card.once and any(effect.when == "use" for effect in card.effects):
        yield Mistake(f"ability.{slug}.once", "is false for what is used without an action", "true")


def _upgrades_wrong(slug: str, card: Upgrade, rooms: Mapping[str, RoomCard]) -> Iterator[Mistake]:
    """No upgrades on decks (M16-01), and what helps one function only in rooms that have it."""
    wanted = {"speed": "engine", "crane": "crane", "remote": "cockpit"}
    needs = {wanted[effect.what] for effect in card.effects if effect.what in wanted}
    for room in rooms.values():
        if room.function == "deck" and room.number in card.rooms:
            yield Mistake(f"upgrade.{slug}.rooms", f"name room {room.number}, a deck", "rooms that are no decks")
        elif room.number in card.rooms and needs - {room.function}:
            wrong = f"name room {room.number}, which is of function {room.function}"
            yield Mistake(f"upgrade.{slug}.rooms", wrong, " and ".join(sorted(needs - {room.function})))


def check(cards: Cards, slugs: Mapping[str, Collection[str]]) -> list[Mistake]:
    """What is wrong between cards that are right in themselves (the hook of `SCHEMA`)."""
    found = list(_rooms_wrong(dict(cards["room"])))
    for kind in HOLDERS:
        for slug, card in cards[kind].items():
            found += _effects_wrong(kind, slug, card)
    for slug, card in cards["crew"].items():
        found += _members_wrong(slug, card)
    for slug, card in cards["ability"].items():
        found += _abilities_wrong(slug, card)
    for slug, card in cards["upgrade"].items():
        found += _upgrades_wrong(slug, card, dict(cards["room"]))
    for kind, other in (("armor", "weapon"), ("gear", "weapon"), ("gear", "armor")):
        wrong = f"has the name of a card of kind {other}"
        shared = [slug for slug in slugs[kind] if slug in slugs[other]]
        found += [Mistake(f"{kind}.{slug}", wrong, "a name of its own") for slug in shared]
    return found + list(_decks_wrong(cards))


def _decks_wrong(cards: Cards) -> Iterator[Mistake]:
    """Each level has enemies, milestones rise, and no deck holds more than it can."""
    enemies = cards["enemy"].values()
    for level in (1, 2, 3):
        if not any(card.level == level and not card.harmless and not card.role for card in enemies):
            yield Mistake("enemy", f"has no enemies of level {level}", "at least one of each level")
    for role in ROLES[1:]:
        many = sum(card.role == role for card in enemies)
        if many == 0 or (many > 1 and role in ("harrow", "scourge", "captain")):
            yield Mistake("enemy", f"has {many} cards of role {role}", "one" if many else "at least one")
    yield from _too_many(cards)
    for mech in cards["mech"].values():
        first, second = mech.milestones
        if not first < second:
            yield Mistake("mech.milestones", f"are {first} and {second}", "the second beyond the first")
        if mech.jam_below > mech.hit_from:
            yield Mistake("mech.jam_below", f"is {mech.jam_below}, beyond hit_from", f"at most {mech.hit_from}")


def _too_many(cards: Cards) -> Iterator[Mistake]:
    """No deck holds more than it can, and no more enemies fit the board than it can hold."""
    enemies = list(cards["enemy"].values())
    salvage = [card for kind in SALVAGE for card in cards[kind].values()]
    decks = [("enemy", [card for card in enemies if card.role == role], ENEMY_CARDS) for role in ROLES]
    for name, deck, most in [("salvage", salvage, SALVAGE_CARDS), *decks]:
        many = sum(card.copies for card in deck)
        if many > most:
            yield Mistake(name, f"has a deck of {many} cards with all copies", f"at most {most}")
    aboard = sum(min(card.copies, card.standees) for card in enemies if not card.role)
    if aboard > BOARD:
        yield Mistake("enemy", f"can have {aboard} enemies on the board at once", f"at most {BOARD}")


def unplayed(cards: Cards) -> Iterator[Unplayed]:
    """Abilities that are on nobody's dashboard (M112-04); each other card is in a deck that the game draws from."""
    printed = {name for card in cards["crew"].values() for name in card.abilities}
    for slug in cards["ability"]:
        if slug not in printed:
            yield Unplayed(f"ability.{slug}", "no crew member has it among his abilities")


SCHEMA = Schema(
    game="mech",
    folder=Path(__file__).parent / "packs",
    kinds={
        "room": Kind(RoomCard, ROOMS, least=ROOMS),
        "mech": Kind(Mech, single=True),
        "crew": Kind(Member, 16, least=1, refs={"abilities": ("ability",)}),
        "ability": Kind(Ability, 48),
        "weapon": Kind(Weapon, 32),
        "armor": Kind(Armor, 16),
        "gear": Kind(Gear, 32),
        "upgrade": Kind(Upgrade, 32),
        "scrap": Kind(Scrap, 8),
        "enemy": Kind(Enemy, 48, least=3),
        "event": Kind(Event, EVENTS_MOST),
        "order": Kind(Order, ORDERS_MOST),
        "ruling": Kind(Ruling, single=True, sourced=False),
        "bot": Kind(Bot, 16, least=1, sourced=False),
    },
    check=check,
    unplayed=unplayed,
)
