"""The cards of Beyond the Horizon: what a pack holds, and what makes sense in it.

Models are strict: whole numbers only, every number bounded and written in the file, no unknown keys. What a card does
is data: `Effect` rows over the vocabulary below (packs/README.md shows it with examples).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from simcore.packs import (
    Card,
    Cards,
    Distinct,
    Kind,
    Listed,
    Mistake,
    Printed,
    Schema,
    Text,
    Title,
    Unplayed,
    nearest,
    shown,
)

SKILLS = ("strength", "tech", "driving", "survival", "perception", "charm")
"""The six skills of a knight; the expansion prints Tech alone (V1L-15)."""

TERMS = (
    *SKILLS, "attack", "armor", "health", "resilience", "exploration", "repair", "aquatic", "tokens", "ashore", "flask",
    "filter", "thrift", "steady", "clear", "speed", "thirsty",
)  # fmt: skip
"""What lasts while its card is in use: dice of a skill; attack dice; armor; most Health; Resilience; findings of an
Explore Action; Damage mended by a Camp Action; aquatic: its owner has the trait; tokens: Aquatic tokens for each
cruise; ashore: leaving the Stranded area is free, to any port of Australia; flask: Water that takes no Capacity;
filter: Water gained by a Camp Action; thrift: less Charter Cost; steady: Breach of the sea dice that does nothing;
clear: Hazards that do not count; speed: Water icons more (or fewer) on a cruise; thirsty: Water more for a cruise."""

GAINS = (
    "water", "fuel", "ammo", "meds", "resource", "gear", "experience", "cargo", "special", "heal", "clean", "mend",
    "aquatic_tokens", "barter",
)  # fmt: skip
HARMS = ("breach", "damage", "wound", "radiation", "contamination", "injury", "lose", "drop", "strand")
DEMANDS = ("thirst", "parch", "threat", "hazard")
BOOSTS = ("auto", "success", "strike", "crit", "foe_die", "foe_health", "foe_aquatic", "prize")
DEEDS = (*GAINS, *HARMS, *DEMANDS, *BOOSTS)
"""What happens at a moment. Gains; harms; demands: Water to be spent, Severe Dehydration, threat tokens, Hazards;
boosts of threat tokens: the first test passes by itself, successes in it, wounds dealt, special icons rolled, dice of
the enemy, its Health, the Aquatic trait for it, experience more once it is beaten."""

WHAT = (*TERMS, *DEEDS)
PER = ("once", "hazard", "die")
"""How often a row of effect comes: once, for each Hazard, or for each point of a sea die rolled for it (V5-22)."""

SEA_DIE, DIE_SIDES = "sea_die", 8
"""In place of a skill: a sea die is read by its number, which has to be as high as the card says (V5-22)."""

WHEN = ("standing", "drawn", "pass", "fail", "won", "crit", "yellow", "red", "flip", "look")

AT: dict[str, tuple[str, ...]] = {
    "standing": TERMS,
    "drawn": (*GAINS, *HARMS, *DEMANDS),
    "pass": (*GAINS, *HARMS, *DEMANDS),
    "fail": (*GAINS, *HARMS, *DEMANDS),
    "won": (*GAINS, *HARMS, *DEMANDS),
    "crit": (*HARMS, *DEMANDS),
    "yellow": (*GAINS, *HARMS, *DEMANDS, "auto", "success"),
    "red": (*GAINS, *HARMS, *DEMANDS, "strike", "crit", "foe_die", "foe_health", "foe_aquatic", "prize"),
    "flip": tuple(harm for harm in HARMS if harm != "strand"),
    "look": (*GAINS, *HARMS, *DEMANDS),
}
"""Moment -> what can be done then."""

SHIP_TERMS = (*SKILLS, "attack", "armor", "tokens", "steady", "clear", "speed", "thirsty")
LAND_TERMS = (*SKILLS, "attack", "armor", "health", "resilience", "exploration", "repair", "flask", "filter", "thrift")
"""Terms of a ship, which works at sea alone, and of a vehicle, which works ashore alone and is never Aquatic."""

FEATURES = (
    "visit", "look", "deed", "home", "sink", "thirst", "toll", "pay", "short", "step", "mend", "rest", "find", "water",
    "resource", "gear", "gills", "trade", "cure", "dare", "fight", "ammo", "token", "upgrade", "idle",
)  # fmt: skip
MAX_EFFECTS, MAX_COPIES, MOST = 6, 8, 9
PORTS, ROUTES, ROADS, SHIPS, STACK, DESTINATIONS, SEATS = 16, 32, 24, 12, 62, 48, 4
"""Capacities: ports, sea routes, roads, ships with the Cutter, cards in one deck, destination cards, seats."""

DECKS = ("sea", "road", "wild")
TYPES = ("light", "medium", "heavy")
TERRAINS = ("highway", "desert", "scrub", "mountains")
FACES = ("breach", "double_breach", "threat", "water", "hazard", "blank")
FINDINGS = ("water", "fuel", "ammo", "meds", "gear")
FOES = ("bandit", "mutant", "robot", "beast", "ghost", "machine")
SLOTS = ("weapon", "two_handed", "armor", "gadget")
DIFFICULTIES = ("very_easy", "easy", "normal", "hard", "very_hard")

Small = Annotated[int, Field(ge=0, le=9)]
Dozen = Annotated[int, Field(ge=0, le=12)]
Copies = Annotated[int, Field(ge=1, le=MAX_COPIES)]
Weight = Annotated[int, Field(ge=-2000, le=2000)]
Skill = Literal["", "strength", "tech", "driving", "survival", "perception", "charm", "sea_die"]


class Effect(Card):
    """A row of what a card does: at this moment (when), this (what), once, for each Hazard suffered or for each point
    of a sea die (per), so much (many). A term is `standing`, and may be below 0; all else happens at its moment."""

    when: Literal["standing", "drawn", "pass", "fail", "won", "crit", "yellow", "red", "flip", "look"]
    what: Literal[
        "strength", "tech", "driving", "survival", "perception", "charm", "attack", "armor", "health", "resilience",
        "exploration", "repair", "aquatic", "tokens", "ashore", "flask", "filter", "thrift", "steady", "clear", "speed",
        "thirsty", "water", "fuel", "ammo", "meds", "resource", "gear", "experience", "cargo", "special", "heal",
        "clean", "mend", "aquatic_tokens", "barter", "breach", "damage", "wound", "radiation", "contamination",
        "injury", "lose", "drop", "strand", "thirst", "parch", "threat", "hazard", "auto", "success", "strike", "crit",
        "foe_die", "foe_health", "foe_aquatic", "prize",
    ]  # fmt: skip
    per: Literal["once", "hazard", "die"]
    many: Annotated[int, Field(ge=-MOST, le=MOST)]

    @model_validator(mode="after")
    def _makes_sense(self) -> Effect:
        """Refuses combinations that could never do anything; says all that is wrong with the row."""
        wrong = []
        if self.what not in AT[self.when]:
            wrong.append(f"has {self.what} at {self.when}, but that is for {', '.join(AT[self.when])}")
        if self.many == 0 or (self.many < 0 and self.when != "standing"):
            wrong.append(f"has {self.what} {self.many} times, but only what stands may be below 0, and nothing is 0")
        if self.per == "hazard" and self.when not in ("drawn", "pass", "fail", "won", "crit"):
            wrong.append(f"counts Hazards at {self.when}, but they are read by cards drawn on a cruise")
        if self.per == "die" and self.when == "standing":
            wrong.append("rolls a sea die, but what stands has no moment for it")
        if wrong:
            raise ValueError("; ".join(wrong))
        return self


Effects = Annotated[Listed[Effect], Field(max_length=MAX_EFFECTS)]


def _terms(effects: tuple[Effect, ...], terms: Collection[str], whose: str) -> None:
    """Refuses what stands on a card and could never work there."""
    _only(effects, "standing")
    odd = [effect.what for effect in effects if effect.what not in terms]
    if odd:
        raise ValueError(f"has {odd[0]}, but {whose} can have {', '.join(terms)}")


def _test(skill: str, need: int) -> None:
    """Refuses a test without successes, successes without a test, and a value that no sea die always or never shows."""
    if bool(skill) != (need > 0):
        raise ValueError(f"tests {skill or 'no skill'} for {need} successes: both, or none of them")
    if skill == SEA_DIE and not 2 <= need <= DIE_SIDES:
        raise ValueError(f"reads a sea die for {need}, but what it can miss and reach is from 2 to {DIE_SIDES}")


def _only(effects: tuple[Effect, ...], *moments: str) -> None:
    """Refuses effects at a moment that never comes for such a card."""
    odd = [effect.when for effect in effects if effect.when not in moments]
    if odd:
        raise ValueError(f"has an effect at {odd[0]}, but such a card does something at {', '.join(moments)}")


class Port(Card):
    """A space with a port. home: in Australia; city: with a City Action; terrain: of its Explore Action ("" where the
    destination card has it)."""

    title: Title
    home: bool
    city: bool
    terrain: Literal["", "highway", "desert", "scrub", "mountains"]


class Route(Card):
    """A sea route, in both directions, with its danger icons (V1L-04)."""

    title: Title
    ends: Annotated[Distinct[str], Field(min_length=2, max_length=2)]
    radiation: Small
    contamination: Small
    threat: Small
    dice: Small
    water: Small
    hazard: Small


class Road(Card):
    """What a Move Action covers between two ports of Australia. open: highway, desert and crater spaces; rough: scrub
    and mountain spaces; fuel: what it takes."""

    title: Title
    ends: Annotated[Distinct[str], Field(min_length=2, max_length=2)]
    open: Dozen
    rough: Dozen
    fuel: Small


class Ship(Card):
    """A ship card. type: the heaviest vehicle that it carries; hull: Breach that sinks it; cost: Charter Cost; speed:
    Water icons added or taken off; cutter: the back that all ship cards share."""

    title: Title
    type: Literal["light", "medium", "heavy"]
    hull: Annotated[int, Field(ge=1, le=12)]
    cost: Annotated[int, Field(ge=0, le=12)]
    speed: Annotated[int, Field(ge=-4, le=4)]
    cutter: bool
    effects: Effects
    text: Text

    @model_validator(mode="after")
    def _stands(self) -> Ship:
        """A ship's ability lasts as long as it is chartered."""
        _terms(self.effects, SHIP_TERMS, "a ship")
        return self


class Die(Card):
    """A sea die: what its eight faces show (V1L-06)."""

    title: Title
    faces: Annotated[
        Listed[Literal["breach", "double_breach", "threat", "water", "hazard", "blank"]],
        Field(min_length=8, max_length=8),
    ]


class Token(Card):
    """A threat token. mode: base, easy, hard, or update; replaces: the base token whose place an update takes; effects:
    its yellow and its red side."""

    title: Title
    copies: Copies
    mode: Literal["base", "easy", "hard", "update"]
    replaces: str
    effects: Effects
    text: Text

    @model_validator(mode="after")
    def _sides(self) -> Token:
        """Two sides, and an update that says of what."""
        _only(self.effects, "yellow", "red")
        if (self.mode == "update") != bool(self.replaces):
            raise ValueError(f"is {self.mode} and replaces {self.replaces or 'nothing'}: updates, and they alone, do")
        return self


class Enemy(Card):
    """An enemy card. deck: sea, or one of the two wasteland decks; kind: whom the swap of a reward for Water asks for;
    threat: tokens drawn with it; dice, health, armor: how it fights."""

    title: Title
    copies: Copies
    deck: Literal["sea", "road", "wild"]
    aquatic: bool
    kind: Literal["bandit", "mutant", "robot", "beast", "ghost", "machine"]
    threat: Small
    health: Annotated[int, Field(ge=1, le=12)]
    dice: Annotated[int, Field(ge=0, le=12)]
    armor: Small
    effects: Effects
    text: Text

    @model_validator(mode="after")
    def _fights(self) -> Enemy:
        """What an enemy does, it does when drawn, by its special icon, or beaten."""
        _only(self.effects, "drawn", "crit", "won")
        return self


class Event(Card):
    """An event card. skill, need: its test ("" and 0: none, it always passes; sea_die: a sea die shows this number or
    more); optional: the knight may leave it."""

    title: Title
    copies: Copies
    deck: Literal["sea", "road", "wild"]
    aquatic: bool
    skill: Skill
    need: Small
    optional: bool
    effects: Effects
    text: Text

    @model_validator(mode="after")
    def _tests(self) -> Event:
        """A test needs a skill and successes, and something that hangs on it."""
        _only(self.effects, "drawn", "pass", "fail")
        _test(self.skill, self.need)
        return self


class Encounter(Event):
    """An encounter card: a letter for the narrative; how it is told here counts only with a companion (V5-54)."""

    letter: Annotated[str, Field(min_length=1, max_length=1)]


class Dehydration(Card):
    """A Dehydration card; effects: what happens once as it is turned to its severe side (V5-48)."""

    title: Title
    effects: Effects
    text: Text

    @model_validator(mode="after")
    def _flips(self) -> Dehydration:
        """The severe side does something once."""
        _only(self.effects, "flip")
        return self


class Choice(Card):
    """A narrative choice of a destination: a test and what comes of it; aquatic: closed to knights without the
    trait."""

    title: Title
    skill: Skill
    need: Small
    aquatic: bool
    effects: Effects

    @model_validator(mode="after")
    def _tests(self) -> Choice:
        """A test needs a skill and successes."""
        _only(self.effects, "pass", "fail")
        _test(self.skill, self.need)
        return self


class Destination(Card):
    """A destination card: First Look, and three choices. terrain: where the port has none of its own."""

    title: Title
    port: str
    terrain: Literal["", "highway", "desert", "scrub", "mountains"]
    look: Effects
    choices: Annotated[Listed[Choice], Field(min_length=3, max_length=3)]
    text: Text

    @model_validator(mode="after")
    def _looks(self) -> Destination:
        """A First Look happens at a first look."""
        _only(self.look, "look")
        return self


class Knight(Card):
    """A knight: skills in dice, attack: bare-handed; Health, Resilience (Injuries that eliminate), findings of an
    Explore Action, Damage mended in a camp; what he starts with, Water aside."""

    title: Title
    strength: Small
    tech: Small
    driving: Small
    survival: Small
    perception: Small
    charm: Small
    attack: Small
    health: Annotated[int, Field(ge=1, le=12)]
    resilience: Annotated[int, Field(ge=1, le=9)]
    exploration: Small
    repair: Small
    fuel: Small
    ammo: Small
    meds: Small
    vehicle: str
    gear: Annotated[Distinct[str], Field(max_length=4)]
    text: Text


class Vehicle(Card):
    """A vehicle. chassis: Damage that wrecks it; capacity: gear and Water that it carries; speed: spaces of a Move."""

    title: Title
    type: Literal["light", "medium", "heavy"]
    chassis: Annotated[int, Field(ge=1, le=12)]
    capacity: Annotated[int, Field(ge=1, le=12)]
    speed: Annotated[int, Field(ge=1, le=12)]
    effects: Effects
    text: Text

    @model_validator(mode="after")
    def _stands(self) -> Vehicle:
        """A vehicle's ability lasts, but not at sea (V1L-13), and it is never Aquatic (V1M-20)."""
        _terms(self.effects, LAND_TERMS, "a vehicle")
        return self


class Gear(Card):
    """A gear card. starting: it joins the choice at the start, and is in no deck; value: its Barter Value; dice: of a
    weapon; armor: wounds that it prevents in each attack."""

    title: Title
    copies: Copies
    slot: Literal["weapon", "two_handed", "armor", "gadget"]
    aquatic: bool
    starting: bool
    value: Small
    dice: Small
    armor: Small
    effects: Effects
    text: Text

    @model_validator(mode="after")
    def _worn(self) -> Gear:
        """Dice are for weapons, armor for armor."""
        _only(self.effects, "standing")
        if self.dice > 0 and self.slot not in ("weapon", "two_handed"):
            raise ValueError(f"has {self.dice} dice, but is no weapon")
        if self.armor > 0 and self.slot != "armor":
            raise ValueError(f"has {self.armor} armor, but is none")
        return self


class Upgrade(Card):
    """A side of an upgrade card. knight: whose it is ("" for a general one); pair: cards of one pair number are sides
    of one card; vehicle: tied to the vehicle, and so off at sea (V5-12); cost: experience."""

    title: Title
    knight: str
    pair: Annotated[int, Field(ge=1, le=30)]
    aquatic: bool
    vehicle: bool
    cost: Small
    effects: Effects
    text: Text

    @model_validator(mode="after")
    def _stands(self) -> Upgrade:
        """An upgrade lasts."""
        _only(self.effects, "standing")
        return self


class Injury(Card):
    """An Injury card; water: left out in a game without Water (V5-55)."""

    title: Title
    copies: Copies
    water: bool
    effects: Effects
    text: Text

    @model_validator(mode="after")
    def _stands(self) -> Injury:
        """An Injury lasts."""
        _only(self.effects, "standing")
        return self


Findings = Annotated[Listed[Literal["water", "fuel", "ammo", "meds", "gear"]], Field(min_length=1, max_length=3)]


class Exploration(Card):
    """An exploration card: findings by terrain, in the order in which they are taken; water: one of the new ones."""

    title: Title
    copies: Copies
    water: bool
    highway: Findings
    desert: Findings
    scrub: Findings
    mountains: Findings


class Special(Card):
    """A special card by its number; cargo: what it is worth to those who bring it home."""

    title: Title
    number: Annotated[int, Field(ge=1, le=99)]
    cargo: Small


class Rules(Card):
    """The printed numbers.

    actions: of a turn; water: at the start; markers: Water in the game; per_capacity: Water for one Capacity;
    road_from, road_water: so many open spaces of a Move cost so much Water; stalls_water: Water for a resource at the
    Stalls; quack: free Water; water_value: of Water in a barter; leaving: Water to leave the Stranded area; surcharge:
    on a Cutter too light; bag, swap: base threat tokens, and how many a mode adds or exchanges; aquatic_tokens: in the
    box; finding, reward: 1 where one finding in scrub and mountains, one reward of a fight, may be taken as Water;
    dry_foes: enemies whose rewards are no Water.
    """

    actions: Annotated[int, Field(ge=1, le=4)]
    water: Small
    markers: Annotated[int, Field(ge=0, le=40)]
    per_capacity: Annotated[int, Field(ge=1, le=9)]
    road_from: Annotated[int, Field(ge=0, le=12)]
    road_water: Small
    stalls_water: Small
    quack: Small
    water_value: Small
    leaving: Small
    surcharge: Small
    bag: Annotated[int, Field(ge=1, le=24)]
    swap: Annotated[int, Field(ge=0, le=12)]
    aquatic_tokens: Dozen
    finding: Annotated[int, Field(ge=0, le=1)]
    reward: Annotated[int, Field(ge=0, le=1)]
    dry_foes: Annotated[
        Distinct[Literal["bandit", "mutant", "robot", "beast", "ghost", "machine"]], Field(max_length=6)
    ]


class Land(Card):
    """The second edition's own rules, of which the expansion's book tells nothing: a thin layer, all assumed.

    sides, success_from, special_from: the die of tests and attacks; clashes: of a fight; flee: successes in Driving
    that escape an enemy; radiation, contamination: how much of it makes an Injury; wake: Health after regaining
    consciousness; camp_heal, camp_clean: wounds and Radiation that a camp takes away; shared: wounds that others on the
    space heal; meds: wounds that a Meds heals; ammo: dice that one Ammo adds to a fight; pockets: gadgets in use;
    offers: gear on offer; stalls: resources exchanged at a visit; experience: for an enemy beaten; regain: actions that
    regaining consciousness takes.
    """

    sides: Annotated[int, Field(ge=2, le=20)]
    success_from: Annotated[int, Field(ge=2, le=20)]
    special_from: Annotated[int, Field(ge=2, le=21)]
    clashes: Annotated[int, Field(ge=1, le=6)]
    flee: Annotated[int, Field(ge=1, le=9)]
    radiation: Annotated[int, Field(ge=1, le=20)]
    contamination: Annotated[int, Field(ge=1, le=20)]
    wake: Annotated[int, Field(ge=1, le=12)]
    camp_heal: Small
    camp_clean: Small
    shared: Small
    meds: Small
    ammo: Small
    pockets: Annotated[int, Field(ge=0, le=4)]
    offers: Annotated[int, Field(ge=0, le=4)]
    stalls: Small
    experience: Small
    regain: Annotated[int, Field(ge=0, le=4)]

    @model_validator(mode="after")
    def _die(self) -> Land:
        """Faces of the die that there are."""
        if not self.success_from <= self.special_from <= self.sides + 1 or self.success_from > self.sides:
            raise ValueError(
                f"has successes from {self.success_from} and special icons from {self.special_from} on "
                f"{self.sides} sides: the first is on the die, and the second no lower"
            )
        return self


class Season(Card):
    """How a season is scored, all assumed: rounds; points for each destination visited, for each First Look, for coming
    home; alone: points that a knight on his own needs to win, once home; kept: percent of the points that an eliminated
    knight keeps."""

    rounds: Annotated[int, Field(ge=1, le=60)]
    visit: Annotated[int, Field(ge=0, le=50)]
    look: Annotated[int, Field(ge=0, le=50)]
    home: Annotated[int, Field(ge=0, le=50)]
    alone: Annotated[int, Field(ge=0, le=200)]
    kept: Annotated[int, Field(ge=0, le=100)]


class Ruling(Card):
    """Readings of rules that the book leaves open; the first of each is the suggested one."""

    dehydration_sides: Annotated[Literal["rules", "cards"], Printed("cards", "V4-51")]
    speed: Literal["all_water", "route_alone"]
    water_payment: Literal["after_dice", "before_dice"]
    sunk_by_dice: Literal["no_card", "card_first"]
    die_hazard: Literal["counts", "ignored"]
    heavy_ships: Literal["equal", "at_least"]
    lost_ships: Literal["not_refilled", "refilled"]
    sunk_cutter: Literal["leaves", "returns"]
    stranded_water: Literal["dehydrates", "free"]
    cure: Literal["on_gain", "free_choice"]
    elimination: Literal["when_sunk", "after_cruise"]
    die_tokens: Literal["with_card", "at_once"]
    enemy_threat: Literal["tokens", "none"]
    encounters: Literal["ignored", "told"]


class Weights(Card):
    """What a bot thinks of each feature of an option, in the order of FEATURES."""

    visit: Weight
    look: Weight
    deed: Weight
    home: Weight
    sink: Weight
    thirst: Weight
    toll: Weight
    pay: Weight
    short: Weight
    step: Weight
    mend: Weight
    rest: Weight
    find: Weight
    water: Weight
    resource: Weight
    gear: Weight
    gills: Weight
    trade: Weight
    cure: Weight
    dare: Weight
    fight: Weight
    ammo: Weight
    token: Weight
    upgrade: Weight
    idle: Weight


class Bot(Card):
    """A way to decide: weights over features, and a temperature (0: always the best, ties by chance)."""

    title: Title
    temperature: Annotated[int, Field(ge=0, le=100_000)]
    weights: Weights
    text: Text


# ---------------------------------------------------------------- what must hold between cards


def _ports_wrong(cards: Cards) -> Iterator[Mistake]:
    """Every port lies on a route, in Australia some are, and terrains stand on the board or on the card (V5-31)."""
    linked = {end for route in cards["route"].values() for end in route.ends}
    for slug, port in cards["port"].items():
        if slug not in linked and linked <= set(cards["port"]):
            yield Mistake(f"port.{slug}", "lies on no route", "a route that ends there")
        if port.home and not port.terrain:
            yield Mistake(f"port.{slug}.terrain", "is missing on a port of Australia", ", ".join(TERRAINS))
    if not any(port.home for port in cards["port"].values()):
        yield Mistake("port", "has none in Australia", "home = true on one at least")


def _routes_wrong(cards: Cards) -> Iterator[Mistake]:
    """Routes and roads are told apart by their ends; roads lie in Australia."""
    ports = cards["port"]
    for kind in ("route", "road"):
        seen: dict[frozenset[str], str] = {}
        for slug, card in cards[kind].items():
            other = seen.setdefault(frozenset(card.ends), slug)
            if other != slug:
                yield Mistake(f"{kind}.{slug}.ends", f"are those of {other}", "one between two ports")
            for place, end in enumerate(card.ends):
                if kind == "road" and end in ports and not ports[end].home:
                    yield Mistake(f"road.{slug}.ends.{place}", f"is {end}, which no road reaches: it is overseas")


def _ships_wrong(cards: Cards) -> Iterator[Mistake]:
    """One Cutter, and enough ships for four knights on the Quay."""
    cutters = sum(ship.cutter for ship in cards["ship"].values())
    if cutters != 1:
        yield Mistake("ship", f"has {cutters} Cutters", "exactly one ship with cutter = true")
    if len(cards["ship"]) - cutters < SEATS:
        yield Mistake("ship", f"has {len(cards['ship']) - cutters} ships for the Quay", f"at least {SEATS}")


def _bag_wrong(cards: Cards) -> Iterator[Mistake]:
    """The bag has its base tokens, and each mode its own (V1M-21)."""
    for rules in cards["rules"].values():
        for mode, most in (("base", rules.bag), ("easy", rules.swap), ("hard", rules.swap)):
            many = sum(token.copies for token in cards["token"].values() if token.mode == mode)
            if many != most:
                yield Mistake("token", f"has {many} {mode} tokens for the bag", f"{most}, as rules say")
        if rules.swap > rules.bag:
            yield Mistake("rules.swap", f"is {rules.swap}, more than the bag holds", f"at most {rules.bag}")
    for slug, token in cards["token"].items():
        old = cards["token"].get(token.replaces)
        if old is not None and (old.mode != "base" or old.copies != token.copies):
            yield Mistake(f"token.{slug}.replaces", f"is {token.replaces}", "a base token with as many copies")


def _decks_wrong(cards: Cards) -> Iterator[Mistake]:
    """Decks hold something, and no more than fits."""
    drawn = [card for kind in ("enemy", "event", "encounter") for card in cards[kind].values()]
    for deck in DECKS:
        many = sum(card.copies for card in drawn if card.deck == deck)
        if not 1 <= many <= STACK:
            yield Mistake(f"{deck} deck", f"has {many} cards", f"from 1 to {STACK}")
    for aquatic, name in ((False, "gear"), (True, "Aquatic gear")):
        found = [gear.copies for gear in cards["gear"].values() if gear.aquatic == aquatic and not gear.starting]
        if not 1 <= sum(found) <= STACK:
            yield Mistake(f"{name} deck", f"has {sum(found)} cards", f"from 1 to {STACK}")
    for kind in ("injury", "exploration"):
        dry = sum(card.copies for card in cards[kind].values() if not card.water)
        if dry < 1 or sum(card.copies for card in cards[kind].values()) > STACK:
            yield Mistake(f"{kind} deck", f"has {dry} cards without Water", f"from 1 to {STACK} cards in all")


def _destinations_wrong(cards: Cards) -> Iterator[Mistake]:
    """Each destination has a deck, and its cards are about it; terrain is on the board or on the card."""
    for slug, port in cards["port"].items():
        own = [card for card in cards["destination"].values() if card.port == slug]
        if not port.home and not own:
            yield Mistake(f"port.{slug}", "has no destination card", "one at least")
        if len(own) > 8:
            yield Mistake(f"port.{slug}", f"has {len(own)} destination cards", "at most 8")
    for slug, card in cards["destination"].items():
        at = cards["port"].get(card.port)
        if at is not None and at.home:
            yield Mistake(f"destination.{slug}.port", f"is {card.port}, in Australia", "a port overseas")
        if at is not None and bool(at.terrain) == bool(card.terrain):
            yield Mistake(f"destination.{slug}.terrain", f"is {shown(card.terrain)}", "on the board or on the card")


def _gear_wrong(cards: Cards) -> Iterator[Mistake]:
    """Knights start with starting gear."""
    starting = [slug for slug, gear in cards["gear"].items() if gear.starting]
    for slug, knight in cards["knight"].items():
        for place, name in enumerate(knight.gear):
            if name in cards["gear"] and name not in starting:
                where = f"knight.{slug}.gear.{place}"
                yield Mistake(where, f"is {name}, no starting gear", ", ".join(starting), nearest(name, starting))


SUMS: tuple[tuple[Callable[[Cards], Iterator[Mistake]], set[str]], ...] = (
    (_ports_wrong, {"port", "route"}),
    (_routes_wrong, {"port", "route", "road"}),
    (_ships_wrong, {"ship"}),
    (_bag_wrong, {"token", "rules"}),
    (_decks_wrong, {"enemy", "event", "encounter", "gear", "injury", "exploration"}),
    (_destinations_wrong, {"port", "destination"}),
    (_gear_wrong, {"gear", "knight"}),
)
"""Checks over whole decks, and the kinds of card that they count."""


def check(cards: Cards, slugs: Mapping[str, Collection[str]]) -> list[Mistake]:
    """What is wrong between cards that are right in themselves (the hook of `SCHEMA`). Decks are counted only where no
    card is left out for a mistake of its own: that would make further mistakes of one."""
    found: list[Mistake] = []
    broken = {kind for kind in slugs if len(cards[kind]) < len(slugs[kind])}
    for wrong, kinds in SUMS:
        found += () if kinds & broken else wrong(cards)
    return found


# ---------------------------------------------------------------- cards that never enter a game


def unplayed(cards: Cards) -> Iterator[Unplayed]:
    """Starting gear that nobody starts with, tokens that an update has replaced for good (V5-05), special cards that
    nothing brings (V5-01), ports out of reach with all that is there, and decks of roads that do not exist."""
    owned = {name for knight in cards["knight"].values() for name in knight.gear}
    for slug, gear in cards["gear"].items():
        if gear.starting and slug not in owned:
            yield Unplayed(f"gear.{slug}", "it is starting gear, and no knight starts with it")
    for slug, token in cards["token"].items():
        if token.mode == "update":
            yield Unplayed(f"token.{token.replaces}", f"token.{slug} has taken its place")
    if not any(effect.what == "special" for effect in _deeds(cards)):
        yield from (Unplayed(f"special.{slug}", "no effect brings a special card") for slug in cards["special"])
    yield from _out_of_reach(cards)
    for deck, ground in (("road", "open"), ("wild", "rough")):
        if not any((road.open >= road.rough) == (deck == "road") for road in cards["road"].values()):
            for kind in ("enemy", "event", "encounter"):
                for slug, card in cards[kind].items():
                    if card.deck == deck:
                        yield Unplayed(f"{kind}.{slug}", f"no road leads mostly over {ground} spaces")


def _deeds(cards: Cards) -> Iterator[Effect]:
    """All effects of cards that are drawn, met, or looked at."""
    for kind in ("token", "enemy", "event", "encounter", "dehydration"):
        for card in cards[kind].values():
            yield from card.effects
    for place in cards["destination"].values():
        yield from place.look
        for choice in place.choices:
            yield from choice.effects


def _out_of_reach(cards: Cards) -> Iterator[Unplayed]:
    """Ports to which no routes lead from Australia, the routes between them, and their destination cards."""
    reached = {slug for slug, port in cards["port"].items() if port.home}
    for _ in cards["route"]:
        reached |= {end for route in cards["route"].values() if reached & set(route.ends) for end in route.ends}
    where = {f"port.{slug}": slug for slug in cards["port"]}
    where |= {f"route.{slug}": route.ends[0] for slug, route in cards["route"].items()}
    where |= {f"destination.{slug}": card.port for slug, card in cards["destination"].items()}
    for path, port in where.items():
        if port not in reached:
            yield Unplayed(path, f"no routes lead from Australia to {port}")


_KINDS: dict[str, Any] = {
    "port": Kind(Port, PORTS, least=2),
    "route": Kind(Route, ROUTES, least=1, refs={"ends": ("port",)}),
    "road": Kind(Road, ROADS, refs={"ends": ("port",)}),
    "ship": Kind(Ship, SHIPS, least=SEATS + 1),
    "die": Kind(Die, 2, least=1, sourced=False),
    "token": Kind(Token, 40, least=1, refs={"replaces": ("token",)}),
    "enemy": Kind(Enemy, 80, least=1),
    "event": Kind(Event, 80),
    "encounter": Kind(Encounter, 16),
    "dehydration": Kind(Dehydration, 12, least=SEATS),
    "destination": Kind(Destination, DESTINATIONS, least=1, refs={"port": ("port",)}),
    "knight": Kind(Knight, 8, least=1, refs={"vehicle": ("vehicle",), "gear": ("gear",)}),
    "vehicle": Kind(Vehicle, 12, least=1),
    "gear": Kind(Gear, 80, least=2),
    "upgrade": Kind(Upgrade, 48, refs={"knight": ("knight",)}),
    "injury": Kind(Injury, 16, least=1),
    "exploration": Kind(Exploration, 24, least=1),
    "special": Kind(Special, 20),
    "rules": Kind(Rules, single=True),
    "land": Kind(Land, single=True),
    "season": Kind(Season, single=True),
    "ruling": Kind(Ruling, single=True, sourced=False),
    "bot": Kind(Bot, 16, least=1, sourced=False),
}

SCHEMA = Schema(game="voyage", folder=Path(__file__).parent / "packs", kinds=_KINDS, check=check, unplayed=unplayed)
