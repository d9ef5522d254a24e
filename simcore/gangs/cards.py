"""The cards of Marauders of the Great Wastelands: what a pack holds, and what makes sense in it.

Models are strict: whole numbers only, every number bounded and written in the file, no unknown keys. What a card does
is data: `Effect` rows over the vocabulary below (packs/README.md shows it with examples).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from simcore.packs import (
    Bend,
    Card,
    Cards,
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

PLAYERS = (2, 3, 4)
"""How many gangs can meet (G11-10); lists of three numbers in a pack are for 2, 3 and 4 of them."""

TERMS = ("might", "guard", "frenzy")
"""What lasts on a follower: strength more in an attack, in defence, and (frenzy) in the attack for each follower that
it has wounded in its own lair (`times` at most)."""

DEEDS = (
    "slaves", "fanatics", "draw", "retrieve", "hire", "recruit", "muster", "patch", "wound", "knock", "discard",
    "spoil", "plunder", "raze", "repeat", "again", "herd", "home",
)  # fmt: skip
WHAT = (*TERMS, *DEEDS)
WHEN = ("standing", "summon", "ambush", "knocked_out")
WHOM = (
    "self", "own_lair", "rival_lair", "here", "territory", "own_territory", "rival_territory", "market", "hand"
)  # fmt: skip
WHO = ("me", "owner")
PAY = ("nothing", "destroy", "discard", "fodder", "wound")
"""What an ability costs: nothing; a card of the hand that leaves the game (leaders, G11-11), or goes to the discard
pile; fodder of the squad or of the territory (G16-06); an unwounded follower of the own lair that is wounded."""

AIMS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(TERMS, ("self",)),
    "slaves": ("own_lair", "here"),
    "fanatics": ("own_lair",),
    "draw": ("hand",),
    "retrieve": ("hand",),
    "hire": ("market",),
    "recruit": ("market",),
    "muster": ("own_lair",),
    "patch": ("own_lair",),
    "wound": ("rival_lair",),
    "knock": ("rival_territory",),
    "discard": ("rival_lair", "rival_territory"),
    "spoil": ("here", "territory", "rival_territory"),
    "plunder": ("here", "territory", "own_territory", "rival_territory"),
    "raze": ("territory",),
    "repeat": ("own_lair",),
    "again": ("own_lair",),
    "herd": ("own_lair",),
    "home": ("self",),
}
"""What -> whom or where it can be done."""

AT: dict[str, tuple[str, ...]] = {
    "standing": TERMS,
    "summon": tuple(deed for deed in DEEDS if deed not in ("again", "home")),
    "ambush": tuple(deed for deed in DEEDS if deed not in ("repeat", "muster", "herd")),
    "knocked_out": ("slaves", "fanatics", "draw"),
}
"""Moment -> what can be done then."""

FEATURES = (
    "body", "raider", "slave", "fanatic", "draw", "hire", "patch", "wound", "knock", "loot", "spoil", "land", "hope",
    "claim", "deny", "lead", "spend", "later", "encore", "again", "thin", "choosy", "rest",
)  # fmt: skip
MAX_EFFECTS, MAX_TIMES, MAX_COPIES, MOST = 4, 4, 8, 6
MARKS = ("square", "cross", "moon")
TYPES, SITES, STACK = 8, 32, 64
"""Capacities: types of territory, territory cards, and cards in one place (a deck, a lair, a hand, a territory)."""

Small = Annotated[int, Field(ge=0, le=9)]
Copies = Annotated[int, Field(ge=1, le=MAX_COPIES)]
Weight = Annotated[int, Field(ge=-2000, le=2000)]
ByPlayers = Annotated[Listed[Annotated[int, Field(ge=1, le=60)]], Field(min_length=3, max_length=3)]


class Effect(Card):
    """A row of what a card does: at this moment (when), this (what), to whom or where (whom), picked by whom (who), so
    much (many).

    A term (TERMS) is `standing` and for `self`; a deed happens when the card is summoned, moves to a territory in an
    ambush, or is knocked out of one. `who` says which side picks the followers of a rival (G4-13)."""

    when: Literal["standing", "summon", "ambush", "knocked_out"]
    what: Literal[
        "might", "guard", "frenzy", "slaves", "fanatics", "draw", "retrieve", "hire", "recruit", "muster", "patch",
        "wound", "knock", "discard", "spoil", "plunder", "raze", "repeat", "again", "herd", "home",
    ]  # fmt: skip
    whom: Literal[
        "self", "own_lair", "rival_lair", "here", "territory", "own_territory", "rival_territory", "market", "hand"
    ]
    who: Literal["me", "owner"]
    many: Annotated[int, Field(ge=1, le=MOST)]

    @model_validator(mode="after")
    def _makes_sense(self) -> Effect:
        """Refuses combinations that could never do anything; says all that is wrong with the row."""
        wrong = []
        if self.what not in AT[self.when]:
            wrong.append(f"has {self.what} at {self.when}, but that is for {', '.join(AT[self.when])}")
        if self.whom not in AIMS[self.what]:
            wrong.append(f"has {self.what} for {self.whom}, but it is for {', '.join(AIMS[self.what])}")
        if self.whom == "here" and self.when != "ambush":
            wrong.append(f"is for here at {self.when}, but only an ambush is somewhere")
        if self.who == "owner" and self.whom not in ("rival_lair", "rival_territory"):
            wrong.append(f"lets the owner pick for {self.whom}, but only rivals pick for rival_lair, rival_territory")
        elif self.who == "owner" and self.what in ("spoil", "plunder"):
            wrong.append(f"lets the owner pick, but {self.what} takes no followers")
        if wrong:
            raise ValueError("; ".join(wrong))
        return self


class Follower(Card):
    """What raiders and mercenaries share. leader: the one whose ability destroys cards of the hand; pay, times: what
    each use of the ability costs, and how often it may be paid (1 if it costs nothing)."""

    title: Title
    copies: Copies
    leader: bool
    pay: Literal["nothing", "destroy", "discard", "fodder", "wound"]
    times: Annotated[int, Field(ge=1, le=MAX_TIMES)]
    effects: Annotated[Listed[Effect], Field(max_length=MAX_EFFECTS)]
    text: Text

    @model_validator(mode="after")
    def _one_ability(self) -> Follower:
        """Either a Summon or an Ambush, never both (G5-06), and a price only where there is something to buy."""
        moments = {effect.when for effect in self.effects}
        wrong = []
        if {"summon", "ambush"} <= moments:
            wrong.append("has a Summon and an Ambush, but a follower has one ability")
        if self.pay == "nothing" and self.times != 1:
            wrong.append(f"is used {self.times} times for nothing, but what costs nothing is used once")
        frenzy = any(effect.what == "frenzy" for effect in self.effects)
        if frenzy and self.pay != "wound":
            wrong.append(f"has a frenzy that costs {self.pay}, but a frenzy is paid by wounds")
        if self.pay != "nothing" and not frenzy and not moments & {"summon", "ambush"}:
            wrong.append(f"costs {self.pay}, but has no Summon and no Ambush")
        if {"again", "home"} <= {effect.what for effect in self.effects}:
            wrong.append("goes home and on to a further squad, which it could join without end")
        if self.pay == "fodder" and "summon" in moments:
            wrong.append("costs fodder of its squad at a Summon, when there is no squad")
        if wrong:
            raise ValueError("; ".join(wrong))
        return self


class Raider(Follower):
    """A raider of a gang: a coloured card."""

    gang: str


class Mercenary(Follower):
    """A mercenary: a grey card. mark: the symbol for the advanced deck ("" on the leader, who is always in it); first:
    whether it is used in the first game."""

    mark: Literal["", "square", "cross", "moon"]
    first: bool


class GangCard(Card):
    """A gang. size: cards of its deck; hot: the two raiders of its hot start; style: instigator or jackal (G15-08);
    first: whether it plays in the first game (G12-13)."""

    title: Title
    size: Annotated[int, Field(ge=6, le=20)]
    hot: Annotated[Listed[str], Field(min_length=2, max_length=2)]
    style: Literal["instigator", "jackal"]
    first: bool = True
    text: Text


def _grows(copies: tuple[int, ...]) -> tuple[int, ...]:
    """Numbers of cards that only grow with the players, to one at least."""
    if list(copies) != sorted(copies):
        raise ValueError(f"is {list(copies)}: a type has no fewer cards with more players")
    if copies[-1] == 0:
        raise ValueError(f"is {list(copies)}: the type is in no game")
    return copies


class Territory(Card):
    """A type of territory. copies: its cards with 2, 3 and 4 players by their marks; first: in the first game."""

    title: Title
    copies: Annotated[
        Listed[Annotated[int, Field(ge=0, le=12)]], Field(min_length=3, max_length=3), AfterValidator(_grows)
    ]
    first: Small

    @model_validator(mode="after")
    def _first_of_these(self) -> Territory:
        """The first game has no cards that the game lacks."""
        if self.first > self.copies[-1]:
            raise ValueError(f"has {self.first} cards in the first game, but {self.copies[-1]} in all")
        return self


class Rules(Card):
    """The printed numbers.

    days, first_days: of the game and of the first game; loot: on each new territory; hand; market; first_of_type,
    more_of_type: points of a territory; slave_attack, fanatic_attack; fodder: cards in all; slaves: of these, where
    they are two kinds; territories, mercenaries: sizes of the decks by players; sets: of mercenaries in the advanced
    deck; fewer_territories, fewer_mercenaries: taken out of the first game's decks for each missing player.
    """

    days: Annotated[int, Field(ge=1, le=8)]
    first_days: Annotated[int, Field(ge=1, le=8)]
    loot: Annotated[int, Field(ge=1, le=12)]
    hand: Annotated[int, Field(ge=1, le=8)]
    market: Annotated[int, Field(ge=0, le=8)]
    first_of_type: Annotated[int, Field(ge=0, le=20)]
    more_of_type: Annotated[int, Field(ge=0, le=20)]
    slave_attack: Small
    fanatic_attack: Small
    fodder: Annotated[int, Field(ge=0, le=60)]
    slaves: Annotated[int, Field(ge=0, le=60)]
    territories: ByPlayers
    mercenaries: ByPlayers
    sets: ByPlayers
    fewer_territories: Small
    fewer_mercenaries: Small

    @model_validator(mode="after")
    def _slaves_are_fodder(self) -> Rules:
        """Slaves are a part of the fodder."""
        if self.slaves > self.fodder:
            raise ValueError(f"has {self.slaves} slaves among {self.fodder} fodder cards")
        return self


class Ruling(Card):
    """Readings of rules that the book leaves open; the first of each is the suggested one. Where the book prints a
    sentence, `Printed` names the literal reading."""

    taken_followers: Annotated[Literal["own_discard", "common_discard"], Printed("common_discard", "G14-11")]
    full_hand: Literal["kept", "discarded"]
    summoned_may_join: Literal["yes", "no"]
    fanatics_anywhere: Literal["yes", "rivals_only"]
    reinforcing_triggers: Literal["yes", "no"]
    fanatics_leave: Literal["after_abilities", "before_abilities"]
    widow_colour: Annotated[Literal["grey", "coloured"], Printed("coloured", "G11-11")]
    repeats: Literal["own_lair", "any_lair"]
    forced_removal: Annotated[Literal["grey_first", "grey_only"], Printed("grey_only", "G14-06")]
    fodder_cards: Literal["both_sides", "two_kinds"]
    ties: Annotated[Literal["shared", "coin"], Printed("coin", "G15-06")]


class Weights(Card):
    """What a bot thinks of each feature of an option, in the order of FEATURES."""

    body: Weight
    raider: Weight
    slave: Weight
    fanatic: Weight
    draw: Weight
    hire: Weight
    patch: Weight
    wound: Weight
    knock: Weight
    loot: Weight
    spoil: Weight
    land: Weight
    hope: Weight
    claim: Weight
    deny: Weight
    lead: Weight
    spend: Weight
    later: Weight
    encore: Weight
    again: Weight
    thin: Weight
    choosy: Weight
    rest: Weight


class Bot(Card):
    """A way to decide: weights over features, and a temperature (0: always the best, ties by chance)."""

    title: Title
    temperature: Annotated[int, Field(ge=0, le=100_000)]
    weights: Weights
    text: Text


# ---------------------------------------------------------------- checks across cards


def _gangs_wrong(cards: Cards) -> Iterator[Mistake]:
    """Each gang's deck has its size, its hot start and one leader (G11-08, G11-11, G12-09)."""
    for slug, gang in cards["gang"].items():
        deck = {name: card for name, card in cards["raider"].items() if card.gang == slug}
        many = sum(card.copies for card in deck.values())
        if many != gang.size:
            yield Mistake(f"gang.{slug}.size", f"is {gang.size}, but its deck has {many} cards", str(many))
        leaders = sum(card.copies for card in deck.values() if card.leader)
        if leaders != 1:
            yield Mistake(f"gang.{slug}", f"has {leaders} leaders", "exactly one")
        for place, name in enumerate(gang.hot):
            if name not in cards["raider"]:
                continue
            if name not in deck:
                wrong = f"is {name}, which is not in this gang's deck"
                yield Mistake(f"gang.{slug}.hot.{place}", wrong, ", ".join(sorted(deck)), nearest(name, deck))
            elif gang.hot.count(name) > deck[name].copies and place == 0:
                yield Mistake(f"gang.{slug}.hot", f"takes {name} twice", f"at most {deck[name].copies}")
            elif deck[name].leader:
                yield Mistake(f"gang.{slug}.hot.{place}", f"is {name}, a leader, and the first game has none")


def _leaders_wrong(cards: Cards) -> Iterator[Mistake]:
    """Leaders are those who destroy cards of the hand (G11-11), and the mercenaries without a mark (G12-03)."""
    others = ", ".join(pay for pay in PAY if pay != "destroy")
    for kind in ("raider", "mercenary"):
        for slug, card in cards[kind].items():
            if card.leader and card.pay != "destroy":
                yield Mistake(f"{kind}.{slug}.pay", f"is {card.pay} for a leader", "destroy")
            if not card.leader and card.pay == "destroy":
                yield Mistake(f"{kind}.{slug}.pay", "is destroy, which leaders alone do", others)
            if card.leader and card.copies != 1:
                yield Mistake(f"{kind}.{slug}.copies", f"is {card.copies} for a leader", "1: leaders are unique")
    for slug, card in cards["mercenary"].items():
        if card.leader == bool(card.mark):
            allowed = f"no mark on the leader, one of {', '.join(MARKS)} on all others"
            yield Mistake(f"mercenary.{slug}.mark", f"is {shown(card.mark)}", allowed)


def _market_wrong(cards: Cards) -> Iterator[Mistake]:
    """Mercenary decks can be laid out for each number of players, in the regular and in the advanced way."""
    hired = cards["mercenary"]
    many = sum(card.copies for card in hired.values())
    leaders = sum(card.copies for card in hired.values() if card.leader)
    if leaders != 1:
        yield Mistake("mercenary", f"has {leaders} leaders", "exactly one")
    marked = [sum(card.mark == mark for card in hired.values()) for mark in MARKS]
    for rules in cards["rules"].values():
        for players, size, sets in zip(PLAYERS, rules.mercenaries, rules.sets, strict=True):
            if size > many:
                where = f"rules.mercenaries.{players - 2}"
                yield Mistake(where, f"is {size}, but the pack has {many} mercenaries", f"at most {many}")
            if sets % len(MARKS) or sets // len(MARKS) > min(marked):
                allowed = f"a multiple of {len(MARKS)}, at most {len(MARKS) * min(marked)}"
                yield Mistake(f"rules.sets.{players - 2}", f"is {sets}, not as many of each mark", allowed)


def _territories_wrong(cards: Cards) -> Iterator[Mistake]:
    """Territory decks last for all days, whoever plays (G12-01, G12-05)."""
    types = cards["territory"]
    for rules in cards["rules"].values():
        for place, (players, size) in enumerate(zip(PLAYERS, rules.territories, strict=True)):
            many = sum(card.copies[place] for card in types.values())
            if many != size:
                wrong = f"is {size}, but {many} territory cards are for {players} players"
                yield Mistake(f"rules.territories.{place}", wrong, str(many))
            if size < rules.days * (players + 1):
                allowed = f"at least {rules.days * (players + 1)}"
                yield Mistake(f"rules.territories.{place}", f"is {size}, too few for {rules.days} days", allowed)
    if sum(card.copies[-1] for card in types.values()) > SITES:
        yield Mistake("territory", "has more cards than fit", f"at most {SITES}")


def _first_game_wrong(cards: Cards) -> Iterator[Mistake]:
    """The decks of the first game last for its days, and for what is taken out for missing players (G12-13)."""
    few = sum(gang.first for gang in cards["gang"].values())
    if few < PLAYERS[0]:
        yield Mistake("gang", f"has {few} in the first game", f"at least {PLAYERS[0]} with first = true")
    sites = sum(card.first for card in cards["territory"].values())
    hired = sum(card.copies for card in cards["mercenary"].values() if card.first and not card.leader)
    for rules in cards["rules"].values():
        for players in PLAYERS:
            missing = PLAYERS[-1] - players
            left, need = sites - missing * rules.fewer_territories, rules.first_days * (players + 1)
            if left < need:
                wrong = f"is {rules.first_days}, but of the first game's territories {max(left, 0)} are left"
                yield Mistake("rules.first_days", f"{wrong} with {players} players", f"{need} for so many days")
            if hired < missing * rules.fewer_mercenaries:
                wrong = f"is {rules.fewer_mercenaries}, with {hired} mercenaries in the first game"
                yield Mistake("rules.fewer_mercenaries", wrong, f"at most {hired // missing}")


def _stacks_wrong(cards: Cards) -> Iterator[Mistake]:
    """No gang can come to hold more cards than fit in one place."""
    hired: int = sum(card.copies for card in cards["mercenary"].values())
    for slug, gang in cards["gang"].items():
        most: Any = gang.size + hired
        if most > STACK:
            yield Mistake(f"gang.{slug}.size", f"makes {most} cards with all mercenaries", f"at most {STACK}")


SUMS: tuple[tuple[Callable[[Cards], Iterator[Mistake]], set[str]], ...] = (
    (_gangs_wrong, {"gang", "raider"}),
    (_market_wrong, {"mercenary"}),
    (_territories_wrong, {"territory"}),
    (_first_game_wrong, {"gang", "territory", "mercenary"}),
    (_stacks_wrong, {"gang", "mercenary"}),
)
"""Checks over whole decks, and the kinds of card that they count."""


def check(cards: Cards, slugs: Mapping[str, Collection[str]]) -> list[Mistake]:
    """What is wrong between cards that are right in themselves (the hook of `SCHEMA`). Decks are counted only where no
    card is left out for a mistake of its own: that would make further mistakes of one."""
    found = list(_leaders_wrong(cards))
    broken = {kind for kind in slugs if len(cards[kind]) < len(slugs[kind])}
    for wrong, kinds in SUMS:
        found += () if kinds & broken else wrong(cards)
    shared = [slug for slug in slugs["mercenary"] if slug in slugs["raider"]]
    return found + [Mistake(f"mercenary.{slug}", "has the name of a raider", "a name of its own") for slug in shared]


# ---------------------------------------------------------------- printed rules that a card may bend

NAMING, REPEATING, GOING_ON = ("sniper",), ("healer", "baron", "clever_one"), ("nomad",)
"""The slugs of those who alone, by the book, name a rival's followers, repeat a Summon, or send a further squad."""


def bends(cards: Cards) -> list[Bend]:
    """The cards that go against a printed rule: a card wins over rules (G5-08), so they are played, and named."""
    return [
        Bend(f"{kind}.{slug}", how, rule)
        for kind in ("raider", "mercenary")
        for slug, card in cards[kind].items()
        for how, rule in _bent(slug, card)
    ]


def _bent(slug: str, card: Any) -> Iterator[tuple[str, str]]:
    """How a card bends printed rules, each with the rule's id."""
    moments, does = {effect.when for effect in card.effects}, {effect.what for effect in card.effects}
    if not moments & {"summon", "ambush"}:
        yield "has neither a Summon nor an Ambush", "G5-06"
    elif moments - {"summon", "ambush"}:
        yield "does something besides its one ability", "G5-06"
    if does & set(TERMS):
        yield "counts for more than one follower", "G14-01"
    names = [e for e in card.effects if e.what in ("wound", "knock", "discard") and e.who == "me"]
    if any(slug not in NAMING or e.when != "summon" for e in names):
        yield "names a rival's followers, which only the Sniper does as she is summoned", "G14-13, G16-09"
    if "repeat" in does and slug not in REPEATING:
        yield "repeats a Summon, which only the Healer, the Baron and the Clever-one do", "G14-15"
    if "again" in does and slug not in GOING_ON:
        yield "goes on to a further squad, which only the Nomad does", "G14-17"


# ---------------------------------------------------------------- cards that never enter a game


def unplayed(cards: Cards) -> Iterator[Unplayed]:
    """Mercenaries, where no market opens any: all that hires or recruits them takes them from there (G13-04)."""
    if cards["rules"][""].market == 0:
        yield from (
            Unplayed(f"mercenary.{slug}", "the market is empty (rules.market = 0)") for slug in cards["mercenary"]
        )


SCHEMA = Schema(
    game="gangs",
    folder=Path(__file__).parent / "packs",
    kinds={
        "gang": Kind(GangCard, 8, least=2, refs={"hot": ("raider",)}),
        "raider": Kind(Raider, 80, least=2, refs={"gang": ("gang",)}),
        "mercenary": Kind(Mercenary, 24, least=1),
        "territory": Kind(Territory, TYPES, least=1),
        "rules": Kind(Rules, single=True),
        "ruling": Kind(Ruling, single=True, sourced=False),
        "bot": Kind(Bot, 16, least=1, sourced=False),
    },
    check=check,
    bends=bends,
    unplayed=unplayed,
)
