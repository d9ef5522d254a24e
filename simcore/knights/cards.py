"""The cards of Waste Knights: what a pack holds, and what makes sense in it.

Models are strict: whole numbers only, every number bounded and written in the file, no unknown keys. What a
card does is data: `Effect` rows over the vocabulary below (packs/README.md shows it with examples).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from simcore.knights import board_cards
from simcore.knights.board_cards import Copies, Errands
from simcore.packs import Card, Cards, Distinct, Kind, Listed, Mistake, Pack, Schema, Text, Title, nearest

ICONS = ("melee", "short", "medium", "long")
RANGES = ("short", "medium", "long")
TRAITS = ("beast", "cult", "gang", "machine", "mutant")
SKILLS = ("blades", "guns", "talk", "survival", "repair", "medicine")
COLOURS = ("green", "yellow", "red", "blue")
WHEN = (
    "start", "before", "standing", "any_time", "clash_end", "won", "lost", "defeated", "attack", "rolled", "reply",
)  # fmt: skip
ATTACK_TERMS = ("dice", "damage", "piercing", "armor", "bulls_eye", "multi")
RESOURCES = ("health", "ammo", "fuel", "radiation")
GAINS = ("reputation", "green", "yellow", "red")
WHAT = (
    *ATTACK_TERMS,
    "start_range",
    "set_range",
    "stride",
    *RESOURCES,
    "vehicle",
    *GAINS,
    "stop",
    "dominance",
    "reroll",
    "cancel",
)
WHOM = ("self", "opponent")
CLASHES = ("clash_1", "clash_2", "clash_3")
BLOWS = ("melee", "ranged", "ammo")
ONLY = ("", *RANGES, *CLASHES, *BLOWS, *TRAITS)
FEATURES = (
    "dealt", "kill", "taken", "fall", "arrows", "last_word", "reach", "ready", "ammo", "swap", "heal",
)  # fmt: skip
MAX_EFFECTS = 6
MAX_LOAD_OUTS = 6
POCKETS = 3
MAX_CARRIED = 8

Icon = Literal["melee", "short", "medium", "long"]
Range = Literal["short", "medium", "long"]
Trait = Literal["beast", "cult", "gang", "machine", "mutant"]
SkillName = Literal["blades", "guns", "talk", "survival", "repair", "medicine"]
Colour = Literal["green", "yellow", "red", "blue"]
StartColour = Literal["start", "green", "yellow", "red", "blue"]
Small = Annotated[int, Field(ge=0, le=6)]
Level = Annotated[int, Field(ge=0, le=10)]
Top = Annotated[int, Field(ge=1, le=9)]
Worth = Annotated[int, Field(ge=1, le=4)]
Shift = Annotated[int, Field(ge=-3, le=3)]
Either = Annotated[int, Field(ge=0, le=1)]

# ---------------------------------------------------------------- effects

_ONCE = ("start", "before", "any_time", "clash_end", "won", "lost", "defeated")
_AFTER = ("won", "lost", "defeated")
_USED = ("before", "any_time")
_LUCK = ("attack", "rolled", "reply")

# what -> the moments at which it makes sense. A modifier that is used (before, any_time) holds until the
# combat ends, one at attack for that attack alone.
MOMENTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(ATTACK_TERMS, ("standing", *_USED, "attack")),
    "stride": ("standing", *_USED),
    "start_range": ("start", "before"),
    "set_range": ("clash_end",),
    **dict.fromkeys(RESOURCES, _ONCE),
    "vehicle": ("start", "clash_end", *_AFTER),
    **dict.fromkeys(GAINS, _AFTER),
    "stop": _AFTER,
    "dominance": ("start", "before"),
    "reroll": ("rolled",),
    "cancel": ("reply",),
}
# what -> the least and most that `many` may be; -6 to 6 but not 0 for all others
AMOUNTS: dict[str, tuple[int, int]] = {
    "start_range": (0, 3),
    "set_range": (0, 2),
    "stride": (1, 2),
    "stop": (1, 1),
    "reroll": (1, 1),
    "cancel": (1, 1),
}
SELF_ONLY = ("bulls_eye", "multi", "start_range", "set_range", "stride")
# what only a knight has: an enemy card cannot give it to itself
KNIGHTS_ONLY = ("ammo", "fuel", "radiation", "vehicle", *GAINS, "stop")


class Effect(Card):
    """A row of what a card does: at this moment (when), this (what), to this side (whom), so much (many).

    `only` narrows it to a range, a clash, the kind of attack (melee, ranged, or one that spends ammo) or a
    trait of the opponent; "" is always. Rows of an enemy card see the enemy as "self". Combinations that
    could never do anything are refused (MOMENTS, AMOUNTS, SELF_ONLY).
    """

    when: Literal[
        "start", "before", "standing", "any_time", "clash_end", "won", "lost", "defeated", "attack", "rolled", "reply",
    ]  # fmt: skip
    what: Literal[
        "dice", "damage", "piercing", "armor", "bulls_eye", "multi", "start_range", "set_range", "stride",
        "health", "ammo", "fuel", "radiation", "vehicle", "reputation", "green", "yellow", "red", "stop",
        "dominance", "reroll", "cancel",
    ]  # fmt: skip
    whom: Literal["self", "opponent"]
    many: Annotated[int, Field(ge=-6, le=6)]
    only: Literal[
        "", "short", "medium", "long", "clash_1", "clash_2", "clash_3", "melee", "ranged", "ammo",
        "beast", "cult", "gang", "machine", "mutant",
    ] = ""  # fmt: skip

    @model_validator(mode="after")
    def _makes_sense(self) -> Effect:
        """Refuses combinations that could never do anything; says all that is wrong with the row."""
        wrong = [*self._moment_wrong(), *self._only_wrong()]
        if wrong:
            raise ValueError("; ".join(wrong))
        return self

    def _moment_wrong(self) -> Iterator[str]:
        """What is wrong with when, whom and many."""
        moments = MOMENTS[self.what]
        if self.when not in moments:
            yield f"has {self.what} at {self.when}, but it makes sense at {', '.join(moments)}"
        low, high = AMOUNTS.get(self.what, (-6, 6))
        if not low <= self.many <= high:
            yield f"has {self.what} of {self.many}, but {low} to {high} are allowed"
        if self.many == 0 and self.what not in AMOUNTS:
            yield f"has {self.what} of 0, which does nothing"
        if self.what == "start_range" and self.many == 3 and self.when != "before":
            yield f"has the owner's choice of range at {self.when}, but a choice is made before"
        if self.what in SELF_ONLY and self.whom != "self":
            yield f"has {self.what} for the opponent, but it is for self"

    def _only_wrong(self) -> Iterator[str]:
        """What is wrong with the narrowing."""
        if self.only in BLOWS and self.what not in ATTACK_TERMS:
            yield f"has {self.what} only with {self.only}, but that fits {', '.join(ATTACK_TERMS)}"
        elif self.only == "ammo" and (self.whom != "self" or self.what == "armor"):
            yield "has only = ammo on something other than the owner's own attacks"
        if self.only and self.what == "stride":
            yield "has stride only at times, but it holds always or not at all"
        in_clash = self.when in ("any_time", "clash_end", "rolled") or self.what in ATTACK_TERMS
        if self.only in (*RANGES, *CLASHES) and not in_clash:
            yield f"has only = {self.only} at {self.when}, outside the clashes"


Effects = Annotated[Listed[Effect], Field(max_length=MAX_EFFECTS)]

# ---------------------------------------------------------------- cards


class Skills(Card):
    """Dice a knight rolls for each of the six skills (K1D-10, K1D-11)."""

    blades: Level
    guns: Level
    talk: Level
    survival: Level
    repair: Level
    medicine: Level


class Knight(Card):
    """A knight sheet with what he brings: starting gear in hands and on the body, the rest carried.

    skills: dice; hands: panels for weapons; weapons: slugs of starting weapons that fit them; armor: slug or
    ""; backpack: cards it holds; carries: slugs of weapons, armor and general gear held besides (general gear
    fills the three pockets first, in the order given); effects, errands, text: the ability; times: how often a round
    its errands can be used, 0 for those that last (K5B-19). Nothing carried is worn at the start.
    """

    title: Title
    vocation: Text
    placeholder: bool
    skills: Skills
    hands: Annotated[int, Field(ge=1, le=2)]
    weapons: Annotated[Listed[str], Field(max_length=2)]
    armor: str
    backpack: Small
    carries: Annotated[Listed[str], Field(max_length=MAX_CARRIED)]
    effects: Effects
    errands: Errands = ()
    times: Annotated[int, Field(ge=0, le=9)] = 0
    text: Text


class Blow(Card):
    """What attacks of a weapon or an enemy look like.

    icons: range icons; damage: added to the base damage; piercing: armor it ignores; multi: multi-attack
    icons; bulls_eye: damage that a Bull's Eye is worth (K5-78).
    """

    icons: Annotated[Distinct[Icon], Field(min_length=1)]
    damage: Small
    piercing: Small
    multi: Annotated[int, Field(ge=0, le=4)]
    bulls_eye: Worth


class Weapon(Blow):
    """A weapon. ammo: Ammo a ranged attack spends (a Multi-attack twice that); fuel: Fuel a combat spends."""

    title: Title
    colour: StartColour
    hands: Annotated[int, Field(ge=1, le=2)]
    ammo: Either
    fuel: Either
    effects: Effects
    errands: Errands = ()
    text: Text


class Armor(Card):
    """Something worn on the body. armor: damage it takes off each attack."""

    title: Title
    colour: StartColour
    armor: Small
    effects: Effects
    errands: Errands = ()
    text: Text


class Gear(Card):
    """General gear: permanent (works while held), one_use (discarded), or mark (once a round). sort: drugs are not sold
    everywhere (K1C-05); limited: of several of a title one is used at a time (K5B-07)."""

    title: Title
    colour: StartColour
    use: Literal["permanent", "one_use", "mark"]
    sort: Literal["", "drug", "equipment"] = ""
    limited: bool = False
    effects: Effects
    errands: Errands = ()
    text: Text


class Enhancement(Card):
    """A card that is attached: an implant or a mutation to a knight, a tuning to a vehicle, an enhancement of sort gear
    to a card of a trait that it `fits`, or to a vehicle; needs: its attachment rule, of ATTACH_RULES. It works while
    what it is attached to is available."""

    title: Title
    sort: Literal["implant", "mutation", "tuning", "gear"]
    colour: Colour = "blue"
    fits: Distinct[Literal["weapon", "armor", "general", "drug", "equipment", "vehicle"]] = ()
    needs: Literal["", "melee", "ranged", "ammo", "one_hand", "two_hands"] = ""
    effects: Effects = ()
    errands: Errands = ()
    text: Text

    @model_validator(mode="after")
    def _check_whole(self) -> Enhancement:
        """Refuse a card that does nothing, or has attachment rules that its sort has not; say all that is wrong."""
        wrong = [] if self.effects or self.errands else ["does nothing: give it effects or errands"]
        if self.sort == "gear" and not self.fits:
            wrong.append("fits nothing: say which traits of gear it can be attached to")
        if self.sort != "gear" and (self.fits or self.colour != "blue"):
            wrong.append(f"is of sort {self.sort}, which is blue and is attached to no gear")
        if self.needs and "weapon" not in self.fits:
            wrong.append(f"needs {self.needs}, which only weapons have")
        if wrong:
            raise ValueError("; ".join(wrong))
        return self


class Luck(Card):
    """A luck card. icon: the resource of a quick resupply (K1E-35); effects: what it does in combat, as one-use gear
    does; errands: what it does off combat."""

    title: Title
    copies: Copies
    icon: Literal["ammo", "fuel", "radiation", "health"]
    effects: Effects
    errands: Errands
    text: Text


class Escape(Card):
    """The check that avoids an enemy."""

    skill: SkillName
    difficulty: Literal[5, 7, 9]


class Rewards(Card):
    """What a knight gains by winning: Reputation, gear cards by colour, Ammo, Fuel."""

    reputation: Small
    green: Small
    yellow: Small
    red: Small
    ammo: Small
    fuel: Small


class Enemy(Blow):
    """An enemy card. aggression: dice of its attacks; health: Health loss it takes (K1F-30); errands: what a failed
    escape brings besides (K5-37)."""

    title: Title
    traits: Annotated[Distinct[Trait], Field(min_length=1)]
    tier: Annotated[int, Field(ge=1, le=3)]
    aggression: Annotated[int, Field(ge=1, le=15)]
    armor: Small
    health: Annotated[int, Field(ge=1, le=20)]
    ferocious: bool
    escape: Escape
    rewards: Rewards
    effects: Effects
    errands: Errands = ()
    text: Text


class RangeCard(Card):
    """A range card (K5-70): skills, difficulty, icons in the order of initiative, modifiers under them."""

    title: Title
    difficulty: Annotated[int, Field(ge=2, le=9)]
    skills: Annotated[Distinct[Literal["blades", "guns"]], Field(min_length=1)]
    initiative: Annotated[Distinct[Icon], Field(min_length=1)]
    dice: dict[Icon, Shift]
    damage: dict[Icon, Shift]


class Dials(Card):
    """Tops of the four dials, levels from which Radiation forbids, and dice lost at Health 0, 1, ..."""

    health: Top
    ammo: Top
    fuel: Top
    radiation: Top
    no_bulls_eyes_from: Top
    no_healing_from: Top
    wound_dice: Annotated[Listed[Small], Field(min_length=2, max_length=10)]


class Combat(Card):
    """The printed numbers of the combat chapter: clashes, arrows of the five cards, dice, costs, damage."""

    clashes: Annotated[int, Field(ge=1, le=6)]
    start_range: Range
    attack_arrows: Small
    multi_arrows: Small
    advance_arrows: Small
    retreat_arrows: Small
    defend_arrows: Small
    change_range_dice: Small
    defend_dice: Small
    prepare_dice: Small
    prepare_faces: Annotated[int, Field(ge=1, le=10)]
    attack_ammo: Small
    multi_ammo: Small
    base_damage: Small
    least_dice: Annotated[int, Field(ge=1, le=6)]
    duel_reputation: Small
    steal_fuel: Small
    steal_ammo: Small


class Ruling(Card):
    """Readings of rules that the book leaves open; the first of each is the suggested one."""

    attack_without_icon: Literal["forbidden", "allowed"]
    same_way: Literal["two_steps", "one_step"]
    wounds_in_combat: Literal["kept", "waived"]
    radiation_against_prepare: Literal["no_bulls_eyes", "prepared_nines_and_tens"]
    double_defeat_rewards: Literal["none", "both"]
    other_losses_dominance: Literal["none", "counted"]
    choices_after_reveal: Literal["active_first", "at_once"] = "active_first"


Weight = Annotated[int, Field(ge=-1000, le=1000)]


class Weights(Card):
    """What a bot thinks of each feature of an option, in the order of FEATURES."""

    dealt: Weight
    kill: Weight
    taken: Weight
    fall: Weight
    arrows: Weight
    last_word: Weight
    reach: Weight
    ready: Weight
    ammo: Weight
    swap: Weight
    heal: Weight


class Bot(Card):
    """A way to decide: weights over features, and a temperature (0: always the best, ties by chance)."""

    title: Title
    temperature: Annotated[int, Field(ge=0, le=100_000)]
    weights: Weights
    text: Text


# ---------------------------------------------------------------- checks across cards


def _set_out(knight: Knight, kind: dict[str, Any]) -> list[str]:
    """The slugs among what a knight carries that are cards of one kind, in order."""
    return [slug for slug in knight.carries if slug in kind]


def _hands(weapons: dict[str, Any], slugs: tuple[str, ...]) -> int:
    """Hands that weapons need together."""
    return sum(weapons[slug].hands for slug in slugs)


def _grips(weapons: dict[str, Any], knight: Knight) -> Iterator[tuple[str, ...]]:
    """What a knight may hold, the starting weapons first: weapons that leave no room for another."""
    yield tuple(knight.weapons)
    pool = [slug for slug in (*knight.weapons, *_set_out(knight, weapons)) if weapons[slug].hands <= knight.hands]
    single = [slug for slug in pool if weapons[slug].hands == 1]
    yield from ((slug,) for slug in pool if weapons[slug].hands == 2)
    yield from combinations(single, min(knight.hands, len(single))) if single else ()


def _load_outs(cards: Cards, knight: Knight) -> list[tuple[tuple[str, ...], str]]:
    """Load-outs of a knight, as `load_outs` says."""
    held: dict[tuple[str, ...], tuple[str, ...]] = {}
    for grip in _grips(dict(cards["weapon"]), knight):
        held.setdefault(tuple(sorted(grip)), grip)
    bodies = dict.fromkeys([knight.armor, *_set_out(knight, dict(cards["armor"]))])
    return [(grip, body) for grip in held.values() for body in bodies]


def load_outs(pack: Pack, slug: str) -> list[tuple[tuple[str, ...], str]]:
    """All that a knight may hold and wear in combat, of starting and carried gear (K1D-09, K1D-12, K1F-12).

    slug: of a knight. Gives (weapon slugs, armor slug or ""), the starting load-out first; others fill the
    hands as far as the cards allow: with both, one two-handed weapon or up to two one-handed ones.
    """
    return _load_outs(pack.cards, pack.cards["knight"][slug])


def _known(cards: Cards, knight: Knight) -> bool:
    """Whether all that a knight holds and carries is there and right in itself."""
    held = {*cards["weapon"], *cards["armor"], *cards["gear"]}
    arms = all(slug in cards["weapon"] for slug in knight.weapons)
    return arms and knight.armor in ("", *cards["armor"]) and all(slug in held for slug in knight.carries)


def _knight_wrong(cards: Cards, slug: str, knight: Knight) -> list[Mistake]:
    """Too much in the hands or the backpack, or more load-outs than the tables hold."""
    where = f"knight.{slug}"
    found = []
    hands = _hands(dict(cards["weapon"]), knight.weapons)
    if hands > knight.hands:
        allowed = "one two-handed or two one-handed" if knight.hands == 2 else "one one-handed"
        found.append(Mistake(f"{where}.weapons", f"need {hands} hands", allowed))
    general = len(_set_out(knight, dict(cards["gear"])))
    packed = len(knight.carries) - min(general, POCKETS)
    if packed > knight.backpack:
        wrong = f"leave {packed} cards for a backpack of {knight.backpack}"
        found.append(Mistake(f"{where}.carries", wrong, f"{POCKETS} general gear cards fit the pockets"))
    count = len(_load_outs(cards, knight))
    if count > MAX_LOAD_OUTS:
        wrong = f"make {count} load-outs of hands and body"
        found.append(Mistake(f"{where}.carries", wrong, f"at most {MAX_LOAD_OUTS}"))
    return found


def _weapon_wrong(slug: str, weapon: Weapon) -> list[Mistake]:
    """A weapon for melee alone never spends Ammo (K1F-04)."""
    if weapon.ammo and weapon.icons == ("melee",):
        return [Mistake(f"weapon.{slug}.ammo", "is 1 for a weapon of melee alone", "0")]
    return []


def _effects_wrong(kind: str, slug: str, card: Any) -> list[Mistake]:
    """Effects at a moment, or on a side, that this kind of card doesn't have."""
    found = []
    for place, effect in enumerate(card.effects):
        where = f"{kind}.{slug}.effects.{place}"
        used_up = kind == "luck" or (kind == "gear" and card.use != "permanent")
        if effect.when == "any_time" and not used_up:
            found.append(Mistake(f"{where}.when", "is any_time", "only for gear of use one_use or mark"))
        if used_up and effect.when not in (*_USED, *_LUCK):
            found.append(Mistake(f"{where}.when", f"is {effect.when} on gear that is used", ", ".join(_USED)))
        if effect.when == "before" and kind == "enhancement":
            allowed = "standing, start, clash_end, won, lost, defeated"
            found.append(Mistake(f"{where}.when", "is before, but an enhancement is not used", allowed))
        if effect.when in _LUCK and kind != "luck":
            found.append(Mistake(f"{where}.when", f"is {effect.when}", "only for luck cards"))
        if kind == "enemy" and effect.whom == "self" and effect.what in KNIGHTS_ONLY:
            found.append(Mistake(f"{where}.whom", f"is self, but an enemy has no {effect.what}", "opponent"))
    return found


def _range_wrong(slug: str, card: RangeCard) -> list[Mistake]:
    """Modifiers stand under the icons that the card shows, under each of them and no other."""
    found = []
    for name, modifiers in (("dice", card.dice), ("damage", card.damage)):
        if set(modifiers) != set(card.initiative):
            wrong = f"has modifiers for {', '.join(sorted(modifiers)) or 'no icon'}"
            found.append(Mistake(f"range.{slug}.{name}", wrong, f"exactly {', '.join(card.initiative)}"))
    for icon in card.initiative:
        skill = "blades" if icon == "melee" else "guns"
        if skill not in card.skills:
            found.append(Mistake(f"range.{slug}.skills", f"lack {skill}, though {icon} is shown", "blades, guns"))
    return found


def _dials_wrong(dials: Dials) -> list[Mistake]:
    """Dice lost are written for each level of Health."""
    wanted, given = dials.health + 1, len(dials.wound_dice)
    wrong = f"has {given} numbers"
    return [] if wanted == given else [Mistake("dials.wound_dice", wrong, f"{wanted}: for Health 0 to {dials.health}")]


def _names_wrong(slugs: dict[str, Collection[str]]) -> list[Mistake]:
    """Ranges and bots that must be there, and slugs that two kinds of gear share."""
    odd = [slug for slug in slugs["range"] if slug not in RANGES]
    found = [Mistake(f"range.{slug}", "is unknown", ", ".join(RANGES), nearest(slug, RANGES)) for slug in odd]
    found += [Mistake(f"range.{s}", "is missing", "a range card") for s in RANGES if s not in slugs["range"]]
    for kind, other in (("armor", "weapon"), ("gear", "weapon"), ("gear", "armor")):
        wrong = f"has the name of a card of kind {other}"
        shared = [slug for slug in slugs[kind] if slug in slugs[other]]
        found += [Mistake(f"{kind}.{slug}", wrong, "a name of its own") for slug in shared]
    return found


def check(cards: Cards, slugs: Any) -> list[Mistake]:
    """What is wrong between cards that are right in themselves (the hook of `SCHEMA`)."""
    found = _names_wrong(slugs)
    for kind in ("knight", "weapon", "armor", "gear", "enhancement", "enemy", "luck"):
        for slug, card in cards[kind].items():
            found += _effects_wrong(kind, slug, card)
    for slug, knight in cards["knight"].items():
        found += _knight_wrong(cards, slug, knight) if _known(cards, knight) else []
    for slug, weapon in cards["weapon"].items():
        found += _weapon_wrong(slug, weapon)
    for slug, card in cards["range"].items():
        found += _range_wrong(slug, card)
    for dials in cards["dials"].values():
        found += _dials_wrong(dials)
    return found + board_cards.check(cards, slugs)


SCHEMA = Schema(
    game="knights",
    folder=Path(__file__).parent / "packs",
    kinds={
        "knight": Kind(
            Knight,
            32,
            least=1,
            refs={"weapons": ("weapon",), "armor": ("armor",), "carries": ("weapon", "armor", "gear")},
        ),
        "weapon": Kind(Weapon, 64),
        "armor": Kind(Armor, 32),
        "gear": Kind(Gear, 64),
        "enemy": Kind(Enemy, 96, least=1),
        "range": Kind(RangeCard, 3),
        "dials": Kind(Dials, single=True),
        "combat": Kind(Combat, single=True),
        "ruling": Kind(Ruling, single=True, sourced=False),
        "bot": Kind(Bot, 16, least=1, sourced=False),
        "luck": Kind(Luck, 32),
        "enhancement": Kind(Enhancement, 24),
        **board_cards.KINDS,
    },
    check=check,
    unplayed=board_cards.unplayed,
)
