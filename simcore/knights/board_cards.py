"""The cards of the whole board game: tiles, events, vehicles, enhancements, luck, tasks, missions, and what they do.

What a card does off combat is data, too: `Errand` rows over the vocabulary below (packs/README.md shows it with
examples). Cards of combat (cards.py) may have errands besides their effects.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from simcore.packs import Card, Cards, Distinct, Kind, Listed, Mistake, Text, Title, Unplayed

HEXES = 37
"""Hexes of the board: the centre, then rings of 6, 12 and 18 (K1B-05), each from the east clockwise."""

ROLES = ("normal", "central", "city", "special")
TERRAINS = ("desert", "swamp", "jungle", "mountains", "highway", "ruins", "settlement")
SKILLS = ("blades", "guns", "talk", "survival", "repair", "medicine")
SORTS = ("implant", "mutation", "tuning")
FITS = ("weapon", "armor", "general", "drug", "equipment", "vehicle")
ATTACH_RULES = ("", "melee", "ranged", "ammo", "one_hand", "two_hands")
"""Traits of gear that enhancements are attached to, and what their attachment rules ask of a weapon."""

GEAR_TRAITS = ("", "drug", "equipment")
DIALS = ("health", "ammo", "fuel", "radiation")
GAINS = ("reputation", "green", "yellow", "red", "luck")
TOKENS = ("irradiate", "contaminate", "threaten", "obstruct", "blank")
TERMS = ("check", "points", "per_fuel", "capacity", "backpack", "weather")
DEEDS = (
    *DIALS, *GAINS, "repair", "damage", "stop", "skip", "mark", "wake", *TOKENS, "merchant", "trade", "resupply_body",
    "resupply_goods", "gamble", "take_drug", "take_armor", "implant", "mutation", "tuning", "strike", "jump", "scout",
    "reroll", "cancel",
)  # fmt: skip
WHAT = (*TERMS, *DEEDS)
WHEN = (
    "standing", "used", "moving", "faced", "failed", "always", "action", "reward", "resting", "checking", "checked",
    "reply", "won",
)  # fmt: skip
WHOM = ("self", "here", "around", "everyone", "rivals")
"""To whom or where: oneself (or the hex), the hex, it and all adjacent ones, all knights, all others."""

AT: dict[str, tuple[str, ...]] = {
    "standing": TERMS,
    **dict.fromkeys(("used", "resting", "won"), (*DIALS, *GAINS, "repair", "wake")),
    "moving": ("points", *DIALS),
    **dict.fromkeys(
        ("faced", "failed", "always"),
        (*DIALS, *GAINS, "repair", "damage", "stop", "skip", "mark", *TOKENS, "merchant"),
    ),
    "action": (
        *DIALS, *GAINS, "repair", "trade", "resupply_body", "resupply_goods", "gamble", "take_drug", "take_armor",
        *SORTS, "strike", "jump", "scout",
    ),
    "reward": (*DIALS, *GAINS, "repair", "blank", *SORTS),
    "checking": ("check",),
    "checked": ("reroll",),
    "reply": ("cancel",),
}  # fmt: skip
"""Moment -> what can happen then."""

LASTING, USED = ("standing", "moving"), ("used", "moving", "resting")
PLAYED = (*USED, "won", "checking", "checked", "reply")
OF: dict[str, tuple[str, ...]] = {
    "knight": LASTING, "weapon": LASTING, "armor": LASTING, "gear": LASTING, "luck": PLAYED,
    "enhancement": LASTING, "event": ("faced", "failed", "always"), "enemy": ("failed",), "task": ("reward",),
    "tile": ("action",),
}  # fmt: skip
"""Kind of card -> the moments of its errands; gear that is used up or marked, and an
ability that works a number of times a round, have USED."""

ANYONES = {"checking": ("self", "rivals"), "checked": ("self", "rivals"), "reply": ("rivals",)}
"""Moments of what others do as well, and whose: one's own check or a rival's, a rival's luck card."""

NEEDS = ("", "explore", "check", "pay", "defeat", "defeat_knight", "ride")
"""What a task asks for: to have explored its hex; to pass a check there; to pay gear there; to defeat an enemy of its
trait; to defeat a knight; to spend Movement Points over hexes in one move; nothing."""

MISSIONS = ("reputation", "duels")
"""What wins a mission: the most Reputation, or the most duels won and then Reputation; ties go to the dearer gear."""
ATTACHING = ("at_hexes", "when_gained", "from_deck")
MAX_ERRANDS, MAX_ACTIONS = 5, 8
MOST_ROUNDS = 30

Small = Annotated[int, Field(ge=0, le=9)]
Icons = Annotated[int, Field(ge=0, le=3)]
Copies = Annotated[int, Field(ge=1, le=6)]
Place = Annotated[int, Field(ge=0, le=HEXES - 1)]
Difficulty = Literal[0, 5, 7, 9]
Colour = Literal["green", "yellow", "red", "blue"]
SkillOrNone = Literal["", "blades", "guns", "talk", "survival", "repair", "medicine"]


class Errand(Card):
    """A row of what a card does off combat: at this moment (when), this (what), to whom or where (whom), so much
    (many), for checks of one skill alone (only)."""

    when: Literal[
        "standing", "used", "moving", "faced", "failed", "always", "action", "reward", "resting", "checking", "checked",
        "reply", "won",
    ]  # fmt: skip
    what: Literal[
        "check", "points", "per_fuel", "capacity", "backpack", "weather", "health", "ammo", "fuel", "radiation",
        "reputation", "green", "yellow", "red", "luck", "repair", "damage", "stop", "skip", "mark", "wake", "irradiate",
        "contaminate", "threaten", "obstruct", "blank", "merchant", "trade", "resupply_body", "resupply_goods",
        "gamble", "take_drug", "take_armor", "implant", "mutation", "tuning", "strike", "jump", "scout", "reroll",
        "cancel",
    ]  # fmt: skip
    whom: Literal["self", "here", "around", "everyone", "rivals"]
    many: Annotated[int, Field(ge=-6, le=6)]
    only: SkillOrNone = ""

    @model_validator(mode="after")
    def _makes_sense(self) -> Errand:
        """Refuses combinations that could never do anything; says all that is wrong with the row."""
        wrong = []
        if self.what not in AT[self.when]:
            wrong.append(f"has {self.what} at {self.when}, but that is for {', '.join(AT[self.when])}")
        if self.many == 0:
            wrong.append(f"has {self.what} of 0, which does nothing")
        if self.only and self.what != "check":
            wrong.append(f"has {self.what} only for {self.only}, but a skill narrows checks alone")
        if self.what in TOKENS and self.whom not in ("here", "around"):
            wrong.append(f"lays {self.what} on {self.whom}, but tokens lie here or around")
        if self.when == "reward" and self.what in SORTS and self.many < 0:
            wrong.append(f"has {self.what} of {self.many}, but a reward takes nothing away")
        if self.when in ANYONES:
            if self.whom not in ANYONES[self.when]:
                wrong.append(f"has {self.what} for {self.whom}, but it is for {' or '.join(ANYONES[self.when])}")
        elif self.what not in (*TOKENS, *DIALS, "reputation") and self.whom != "self":
            wrong.append(f"has {self.what} for {self.whom}, but it is for self")
        if wrong:
            raise ValueError("; ".join(wrong))
        return self


Errands = Annotated[Listed[Errand], Field(max_length=MAX_ERRANDS)]


class Price(Card):
    """Gear cards to be paid, by colour."""

    green: Small
    yellow: Small
    red: Small


class Action(Card):
    """Something to do on a hex: its price, what it does, and its words."""

    price: Price
    errands: Annotated[Listed[Errand], Field(min_length=1, max_length=MAX_ERRANDS)]
    text: Text


class Tile(Card):
    """A hex tile. role: which stack or place it belongs to; number: of the 14 hexes with actions, 0 for others;
    difficulty: Movement Points; threat, radiation, contamination: icons; skill, explore: the check to explore it, ""
    and 0 for none; trade: what its Stalls sell ("" where there are none); aura: dice that enemies gain here and
    around."""

    title: Title
    role: Literal["normal", "central", "city", "special"]
    terrain: Literal["desert", "swamp", "jungle", "mountains", "highway", "ruins", "settlement"]
    number: Annotated[int, Field(ge=0, le=20)]
    copies: Annotated[int, Field(ge=1, le=8)]
    difficulty: Annotated[int, Field(ge=1, le=6)]
    threat: Icons
    radiation: Icons
    contamination: Icons
    skill: SkillOrNone
    explore: Difficulty
    trade: Literal["", "all", "no_weapons", "no_drugs"]
    aura: Icons
    actions: Annotated[Listed[Action], Field(max_length=MAX_ACTIONS)]
    text: Text

    @model_validator(mode="after")
    def _check_whole(self) -> Tile:
        """A check has a skill and a difficulty, or neither; trade needs Stalls that sell something."""
        if bool(self.skill) != bool(self.explore):
            raise ValueError(f'has skill "{self.skill}" and explore {self.explore}: a check has both, or neither')
        if not self.trade and any(errand.what == "trade" for action in self.actions for errand in action.errands):
            raise ValueError('has an action of trade, but trade = "": say what its Stalls sell')
        return self


class Event(Card):
    """An event of the wasteland deck: the check that escapes it, with the successes it needs, and what it does."""

    title: Title
    copies: Copies
    nature: bool
    skill: Literal["blades", "guns", "talk", "survival", "repair", "medicine"]
    difficulty: Literal[5, 7, 9]
    successes: Annotated[int, Field(ge=1, le=3)]
    on_foot: bool
    errands: Errands
    text: Text


class Side(Card):
    """A side of a vehicle: Movement Points for each Fuel, cards it holds, and its colour (its value)."""

    speed: Annotated[int, Field(ge=1, le=8)]
    capacity: Small
    colour: Colour


class Vehicle(Card):
    """A vehicle with its two sides (K1H-05). start: whether it can be picked at set-up; others are gear or rewards."""

    title: Title
    start: bool
    whole: Side
    damaged: Side
    text: Text


class Need(Card):
    """What a task asks for. need: of NEEDS; hex: the number of its hex, 0 for anywhere; skill, difficulty: of a check;
    price: gear to be paid; trait: of the enemy, "" for any; points, hexes: of a ride."""

    need: Literal["", "explore", "check", "pay", "defeat", "defeat_knight", "ride"]
    hex: Annotated[int, Field(ge=0, le=20)]
    skill: SkillOrNone
    difficulty: Difficulty
    price: Price
    trait: Literal["", "beast", "cult", "gang", "machine", "mutant"]
    points: Annotated[int, Field(ge=0, le=40)]
    hexes: Annotated[int, Field(ge=0, le=20)]


class Task(Card):
    """A task. common: for all, met at once; else private: accepted by `first`, accomplished by `second`; binds: the
    Waster must play enemies of this trait if able, on the move of `whose` (K1J-08, K5-50); gives: the vehicle or the
    blue card of its reward."""

    title: Title
    common: bool
    first: Need
    second: Need
    binds: Literal["", "beast", "cult", "gang", "machine", "mutant"]
    whose: Literal["", "holder", "everyone"]
    rewards: Errands
    gives: str
    text: Text


class Mission(Card):
    """A mission. rounds: of the game; goal: what wins it, of MISSIONS; duel_reputation: Reputation on top for each duel
    won; cultists: whether an enemy of the cult is shuffled in each even round."""

    title: Title
    goal: Literal["reputation", "duels"]
    rounds: Annotated[int, Field(ge=1, le=MOST_ROUNDS)]
    duel_reputation: Small
    cultists: bool
    text: Text


class Board(Card):
    """Places of the board, and the printed numbers of the chapters off combat; readings of what the book leaves open:
    dear_pays_cheap: whether a dearer card pays a cheaper cost, without change (K4-23); hidden_card_waits: whether the
    card under the Waster marker waits for a Move Step in which somebody moves (K4-12); attaching: when implants and
    tunings are attached, and where those of the hexes' actions come from (K1C-11, K1C-12)."""

    cities: Annotated[Listed[Place], Field(min_length=5, max_length=5)]
    specials: Annotated[Listed[Place], Field(min_length=1, max_length=10)]
    centre: Annotated[Listed[Place], Field(min_length=4, max_length=4)]
    start: Annotated[Distinct[str], Field(max_length=4)]
    luck_start: Small
    luck_round: Small
    luck_limit: Annotated[int, Field(ge=1, le=5)]
    stall_green: Annotated[int, Field(ge=1, le=6)]
    stall_yellow: Annotated[int, Field(ge=2, le=6)]
    stall_red: Annotated[int, Field(ge=1, le=6)]
    yellow_in_green: Annotated[int, Field(ge=1, le=9)]
    red_in_yellow: Annotated[int, Field(ge=1, le=9)]
    task_marks: Annotated[int, Field(ge=1, le=9)]
    private_tasks: Annotated[int, Field(ge=0, le=2)]
    revive_heals: Small
    revive_reputation: Small
    steal_fuel: Small
    steal_ammo: Small
    search_skill: Literal["blades", "guns", "talk", "survival", "repair", "medicine"]
    search_difficulty: Literal[5, 7, 9]
    pockets: Annotated[int, Field(ge=0, le=4)]
    dear_pays_cheap: bool
    hidden_card_waits: bool
    attaching: Literal["at_hexes", "when_gained", "from_deck"] = "at_hexes"


class BoardWeights(Card):
    """What a bot thinks of each feature of an option on the board, in the order of BOARD_FEATURES."""

    dial: Annotated[int, Field(ge=-1000, le=1000)]
    wound: Annotated[int, Field(ge=-1000, le=1000)]
    fame: Annotated[int, Field(ge=-1000, le=1000)]
    gear: Annotated[int, Field(ge=-1000, le=1000)]
    task: Annotated[int, Field(ge=-1000, le=1000)]
    fight: Annotated[int, Field(ge=-1000, le=1000)]
    risk: Annotated[int, Field(ge=-1000, le=1000)]
    way: Annotated[int, Field(ge=-1000, le=1000)]
    luck: Annotated[int, Field(ge=-1000, le=1000)]
    duel: Annotated[int, Field(ge=-1000, le=1000)]
    harm: Annotated[int, Field(ge=-1000, le=1000)]
    rival: Annotated[int, Field(ge=-1000, le=1000)]
    plan: Annotated[int, Field(ge=-1000, le=1000)]
    rest: Annotated[int, Field(ge=-1000, le=1000)]


BOARD_FEATURES = tuple(BoardWeights.model_fields)


# ---------------------------------------------------------------- checks across cards


def complete(cards: Cards) -> list[Mistake]:
    """What a pack lacks to play the whole board game; packs for combats alone may lack it all."""
    needed = {"tile": "tiles", "event": "events", "vehicle": "vehicles", "luck": "luck cards", "task": "tasks"}
    needed |= {"mission": "missions", "board": "a [board.map]", "board_bot": "bots for the board"}
    return [
        Mistake(kind, "is missing", f"{words}, to play on the board")
        for kind, words in needed.items()
        if not cards[kind]
    ]


def tiles_wrong(cards: Cards) -> Iterator[Mistake]:
    """As many tiles of each role as the board has places (K1B-01 to K1B-10)."""
    tiles = cards["tile"]
    for slug, board in cards["board"].items():
        places = {"city": len(board.cities), "central": len(board.centre), "special": len(board.specials)}
        places["normal"] = HEXES - sum(places.values())
        used = [*board.cities, *board.centre, *board.specials]
        for place in sorted({place for place in used if used.count(place) > 1}):
            yield Mistake(f"board.{slug}", f"gives place {place} {used.count(place)} tiles", "each place once")
        for role, many in places.items():
            there = sum(tile.copies for tile in tiles.values() if tile.role == role)
            if tiles and there != many:
                yield Mistake("tile", f"has {there} tiles of role {role}", f"{many}, one for each of their places")


def numbers_wrong(cards: Cards) -> Iterator[Mistake]:
    """Each number of a hex stands once."""
    tiles = cards["tile"]
    numbers = [tile.number for tile in tiles.values() if tile.number]
    for slug, tile in tiles.items():
        if tile.number and (numbers.count(tile.number) > 1 or tile.copies > 1):
            yield Mistake(f"tile.{slug}.number", f"is {tile.number}, which is dealt twice", "each number once")


def _need_wrong(where: str, need: Need) -> Iterator[Mistake]:
    """Each need has its own fields filled, and no others."""
    price = need.price.green + need.price.yellow + need.price.red
    whole = {
        "check": (bool(need.skill) + bool(need.difficulty), 2, "a skill and a difficulty"),
        "pay": (int(price > 0), 1, "a price"),
        "ride": (bool(need.points) + bool(need.hexes), 2, "points and hexes"),
    }
    for name, (filled, all_of_it, words) in whole.items():
        if filled != (all_of_it if need.need == name else 0):
            yield Mistake(where, f"is no whole {name}", f"need = {name} with {words}")
    if need.trait and need.need != "defeat":
        yield Mistake(f"{where}.trait", f"is {need.trait}, but nobody is to be defeated", "need = defeat with a trait")
    if need.hex and need.need not in ("explore", "check", "pay"):
        yield Mistake(f"{where}.hex", f"is {need.hex}, which does not count here", "0, or need = explore, check or pay")
    if need.need == "explore" and not need.hex:
        yield Mistake(f"{where}.hex", "is 0", "the number of the hex to explore")


def _is_blue_or_vehicle(cards: Cards, slug: str) -> bool:
    """Whether a reward can name a card (K5B-28); what is not there at all is another mistake."""
    found = [cards[kind][slug] for kind in ("vehicle", "enhancement", "weapon", "armor", "gear") if slug in cards[kind]]
    return not found or slug in cards["vehicle"] or getattr(found[0], "colour", "blue") == "blue"


def tasks_wrong(cards: Cards) -> Iterator[Mistake]:
    """Tasks ask for what can be done, on hexes that are on the board."""
    numbers = sorted({tile.number for tile in cards["tile"].values() if tile.number})
    for slug, task in cards["task"].items():
        for part in ("first", "second"):
            need = getattr(task, part)
            if need.hex and need.hex not in numbers:
                allowed = ", ".join(map(str, numbers))
                yield Mistake(f"task.{slug}.{part}.hex", f"is {need.hex}, and no such hex exists", allowed)
            yield from _need_wrong(f"task.{slug}.{part}", need)
        if task.common and task.second.need:
            yield Mistake(f"task.{slug}.second", "stands on a common task", "nothing: it is met at once")
        if not task.common and not (task.first.need and task.second.need):
            yield Mistake(f"task.{slug}", "lacks one of its two requirements", "both, on a private task")
        if task.gives and not _is_blue_or_vehicle(cards, task.gives):
            allowed = "a vehicle, or a blue card: a reward that names a card is searched for in the blue deck"
            yield Mistake(f"task.{slug}.gives", f"is {task.gives}, which is not blue", allowed)
        if bool(task.binds) != bool(task.whose):
            yield Mistake(f"task.{slug}.whose", f'is "{task.whose}"', "holder or everyone where it binds the Waster")


def decks_wrong(cards: Cards) -> Iterator[Mistake]:
    """Vehicles to pick, tasks to lay out, and nothing that stands for more than the tables hold."""
    if cards["vehicle"] and not any(card.start for card in cards["vehicle"].values()):
        yield Mistake("vehicle", "has none to pick at set-up", "at least one with start = true")
    for common, word in ((True, "common"), (False, "private")):
        if cards["task"] and not any(task.common == common for task in cards["task"].values()):
            yield Mistake("task", f"has no {word} tasks", "at least one")
    for slug, board in cards["board"].items():
        colours = ("green", "yellow", "red")
        gear = [card for kind in ("weapon", "armor", "gear", "enhancement") for card in cards[kind].values()]
        for colour in colours:
            many = sum(card.colour == colour for card in gear)
            if many < getattr(board, f"stall_{colour}"):
                yield Mistake(
                    f"board.{slug}.stall_{colour}", f"wants more than the {many} {colour} cards", f"at most {many}"
                )


def _rows(kind: str, card: Any) -> Iterator[tuple[str, Errand]]:
    """The errands of a card with their paths below it."""
    if kind == "tile":
        for place, action in enumerate(card.actions):
            yield from ((f"actions.{place}.errands.{row}", errand) for row, errand in enumerate(action.errands))
    else:
        name = "rewards" if kind == "task" else "errands"
        yield from ((f"{name}.{row}", errand) for row, errand in enumerate(getattr(card, name)))


def errands_wrong(cards: Cards) -> Iterator[Mistake]:
    """Errands at moments that a kind of card doesn't have."""
    for kind, moments in OF.items():
        for slug, card in cards[kind].items():
            lasts = getattr(card, "use", "permanent") == "permanent" and not getattr(card, "times", 0)
            allowed = moments if lasts else USED
            for path, errand in _rows(kind, card):
                if errand.when not in allowed:
                    wrong = f"is {errand.when}, which a card like this does not have"
                    yield Mistake(f"{kind}.{slug}.{path}.when", wrong, ", ".join(allowed))


def check(cards: Cards, slugs: Mapping[str, Collection[str]]) -> list[Mistake]:
    """What is wrong between the cards of the board, without what may only follow from a card wrong in itself."""
    found = [*numbers_wrong(cards), *errands_wrong(cards)]
    for look, kinds in _LOOKS.items():
        if all(len(slugs[kind]) == len(cards[kind]) for kind in kinds):
            found += look(cards)
    return found


_LOOKS = {
    tiles_wrong: ("tile", "board"),
    tasks_wrong: ("tile", "task", "vehicle", "enhancement", "weapon", "armor", "gear"),
    decks_wrong: ("vehicle", "task", "board", "weapon", "armor", "gear"),
}
"""Looks across cards, and the kinds that must be right in themselves for each."""


# ---------------------------------------------------------------- cards that never enter a game


def unplayed(cards: Cards) -> Iterator[Unplayed]:
    """Gear that nobody begins with and no deck holds, blue cards and vehicles that no task gives (K1C-11, K1C-12,
    K5B-28), and luck cards that nobody draws. A pack without a board has no decks: its gear is what knights begin with.
    """
    owned = {name for knight in cards["knight"].values() for name in (*knight.weapons, knight.armor, *knight.carries)}
    owned |= {name for board in cards["board"].values() for name in board.start}
    given = {task.gives for task in cards["task"].values()}
    for kind in ("weapon", "armor", "gear"):
        for slug, card in cards[kind].items():
            if slug not in owned and not (card.colour == "blue" and slug in given):
                why = _in_no_deck(cards, card.colour)
                yield from [Unplayed(f"{kind}.{slug}", f"no knight begins with it, and {why}")] if why else []
    brought = _sorts_given(cards)
    for slug, card in cards["enhancement"].items():
        drawn = card.sort == "gear" and not _in_no_deck(cards, card.colour)
        if not drawn and card.sort not in brought and slug not in given:
            yield Unplayed(f"enhancement.{slug}", f"no task gives it, or any {card.sort}")
    for slug, card in cards["vehicle"].items():
        if not card.start and slug not in given:
            yield Unplayed(f"vehicle.{slug}", "it cannot be picked at set-up, and no task gives it")
    dealt = any(board.luck_start + board.luck_round for board in cards["board"].values())
    if not dealt and not any(errand.what == "luck" for kind in OF for errand in _errands(cards, kind)):
        for slug, card in cards["luck"].items():
            if not card.effects:
                yield Unplayed(f"luck.{slug}", "nobody draws a luck card, and it does nothing in a combat")


def _in_no_deck(cards: Cards, colour: str) -> str:
    """Why a card of this colour is in no deck that gear is drawn from; "" where it is."""
    if not cards["board"]:
        return "the pack has no board, and so no decks"
    return {"start": "no deck holds starting gear", "blue": "no task gives it"}.get(colour, "")


def _sorts_given(cards: Cards) -> set[str]:
    """The sorts of blue cards that rewards bring, or hexes where a ruling lets them take from the deck."""
    given: set[str] = {errand.what for errand in _errands(cards, "task")}
    if any(board.attaching == "from_deck" for board in cards["board"].values()):
        given |= {errand.what for errand in _errands(cards, "tile") if errand.many > 0}
    return given & set(SORTS)


def _errands(cards: Cards, kind: str) -> Iterator[Errand]:
    """All errands of a kind of card."""
    return (errand for card in cards[kind].values() for _, errand in _rows(kind, card))


class BoardBot(Card):
    """A way to decide on the board: weights over features, and a temperature; in combat the bot of that name plays."""

    title: Title
    temperature: Annotated[int, Field(ge=0, le=100_000)]
    weights: BoardWeights
    text: Text


KINDS: dict[str, Any] = {
    "tile": Kind(Tile, 40),
    "event": Kind(Event, 32),
    "vehicle": Kind(Vehicle, 8),
    "task": Kind(Task, 40, refs={"gives": ("vehicle", "enhancement", "weapon", "armor", "gear")}),
    "mission": Kind(Mission, 8),
    "board": Kind(Board, 1, refs={"start": ("gear",)}),
    "board_bot": Kind(BoardBot, 16, sourced=False),
}
