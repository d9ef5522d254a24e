"""Random tables of Beyond the Horizon: packs, rulings, settings, knights and bots to play with."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any, get_args

from hypothesis import strategies as st

from simcore import packs
from simcore.game import find_game
from simcore.streams import root
from simcore.voyage import cards
from tests.property.seated import Seated
from tests.reference import reference

GAME, CRUISE = find_game("voyage"), find_game("voyage.cruise")
SEATS = GAME.players
REFERENCE = reference("voyage")
KNIGHTS, PORTS = tuple(REFERENCE.cards["knight"]), tuple(REFERENCE.cards["port"])
BOTS = tuple(REFERENCE.cards["bot"])
MOMENTS: dict[str, tuple[str, ...]] = {
    "enemy": ("drawn", "crit", "won"), "event": ("drawn", "pass", "fail"), "encounter": ("drawn", "pass", "fail"),
    "token": ("yellow", "red"), "dehydration": ("flip",), "ship": ("standing",), "gear": ("standing",),
    "upgrade": ("standing",), "injury": ("standing",), "vehicle": ("standing",), "destination": ("look",),
}  # fmt: skip
"""Kind of card -> when its effects happen."""

Row = tuple[str, str, str]


class Table(Seated):
    """A table of Beyond the Horizon."""

    game = GAME


def season(*names: str, bot: str = "regular", sets: dict[str, str] | None = None, seed: int = 1, **dials: int) -> Table:
    """A season of these knights, with the same bot for all."""
    return Table(sets or {}, dials, (*names, *[""] * (SEATS - len(names))), (bot,) * SEATS, 0, root(seed, 0))


# ---------------------------------------------------------------- random packs


TERMS = {"ship": cards.SHIP_TERMS, "vehicle": cards.LAND_TERMS}


@cache
def accepted(kind: str, when: str) -> tuple[Row, ...]:
    """Every (when, what, per) that the checks let a row of such a card have at a moment; Hazards by Hazards aside,
    which grow beyond measure."""
    rows, names = product([when], TERMS.get(kind, cards.WHAT), cards.PER), ("when", "what", "per")
    return tuple(
        row
        for row in rows
        if row[1:] != ("hazard", "hazard")
        and not packs.validate(cards.Effect, dict(zip(names, row, strict=True)) | {"many": 1}, "")[1]
    )


@cache
def groups(kind: str, when: str) -> tuple[tuple[Row, ...], ...]:
    """The same rows by groups, each of which is drawn alike."""
    kinds = (cards.TERMS, cards.GAINS, cards.HARMS, cards.DEMANDS, cards.BOOSTS)
    return tuple(tuple(row for row in accepted(kind, when) if row[1] in words) for words in kinds)


@st.composite
def effects(draw: Any, kind: str) -> str:
    """Rows of effect that such a card may have, as TOML."""
    found = []
    for when in draw(st.lists(st.sampled_from(MOMENTS[kind]), max_size=3)):
        group = draw(st.sampled_from([one for one in groups(kind, when) if one]))
        _, what, per = draw(st.sampled_from(group))
        many = draw(st.sampled_from([-2, -1, 1, 2, 3] if when == "standing" else [1, 1, 2, 3]))
        found.append(f'{{ when = "{when}", what = "{what}", per = "{per}", many = {many} }}')
    return f"[{', '.join(found)}]"


NUMBERS: dict[str, tuple[int, int]] = {
    "rules.actions": (1, 4), "rules.water": (0, 9), "rules.markers": (0, 20), "rules.per_capacity": (1, 4),
    "rules.road_water": (0, 3), "rules.stalls_water": (0, 4), "rules.quack": (0, 3), "rules.water_value": (0, 3),
    "rules.leaving": (0, 3), "rules.surcharge": (0, 3), "rules.aquatic_tokens": (0, 12), "land.clashes": (1, 6),
    "land.radiation": (1, 6), "land.contamination": (1, 5), "land.wake": (1, 6), "land.camp_heal": (0, 5),
    "land.pockets": (0, 4), "land.offers": (0, 4), "land.stalls": (0, 4), "land.regain": (0, 4), "land.meds": (0, 4),
    "season.alone": (0, 60), "season.kept": (0, 100), "bot.regular.temperature": (0, 3_000),
}  # fmt: skip
SHIP = {"hull": (1, 8), "cost": (0, 6), "speed": (-4, 4)}
ROUTE = {"radiation": (0, 3), "contamination": (0, 3), "threat": (0, 4), "dice": (0, 6), "water": (0, 5),
         "hazard": (0, 4)}  # fmt: skip
PERSON = {"attack": (0, 6), "health": (1, 9), "resilience": (1, 9), "exploration": (0, 5), "repair": (0, 4),
          "fuel": (0, 9), "ammo": (0, 9), "meds": (0, 9)}  # fmt: skip
HELD = {"value": (0, 9)}
CAR = {"chassis": (1, 8), "capacity": (1, 9), "speed": (1, 9)}
TESTS = get_args(cards.Skill)
RANGES = {"ship": SHIP, "route": ROUTE, "knight": PERSON, "gear": HELD, "vehicle": CAR}
"""Numbers of cards, and between which of them a pack is drawn."""


@st.composite
def card_sets(draw: Any, kind: str) -> dict[str, str]:
    """Another card in the place of one of the pack's."""
    slug = draw(st.sampled_from(list(REFERENCE.cards[kind])))
    name = f"{kind}.{slug}"
    sets = {f"{name}.{field}": str(draw(st.integers(*most))) for field, most in RANGES.get(kind, {}).items()}
    if kind == "die":
        sets[f"{name}.faces"] = str(draw(st.lists(st.sampled_from(cards.FACES), min_size=8, max_size=8)))
    if kind in ("ship", "vehicle"):
        sets[f"{name}.type"] = f'"{draw(st.sampled_from(cards.TYPES))}"'
    if kind in ("event", "encounter"):
        skill = draw(st.sampled_from(TESTS))
        need = draw(st.integers(2, cards.DIE_SIDES) if skill == cards.SEA_DIE else st.integers(1, 4))
        sets |= {f"{name}.skill": f'"{skill}"', f"{name}.need": str(need if skill else 0)}
    if kind in MOMENTS:
        sets[f"{name}.{'look' if kind == 'destination' else 'effects'}"] = draw(effects(kind))
    return sets


KINDS = (*MOMENTS, "route", "knight", "die")


@st.composite
def pack_sets(draw: Any) -> dict[str, str]:
    """All rulings, a few numbers, and a few cards with other numbers and effects."""
    sets = {
        f"ruling.{name}": f'"{draw(st.sampled_from(get_args(field.annotation)))}"'
        for name, field in cards.Ruling.model_fields.items()
    }
    for name in draw(st.lists(st.sampled_from(sorted(NUMBERS)), max_size=4, unique=True)):
        sets[name] = str(draw(st.integers(*NUMBERS[name])))
    for kind in draw(st.lists(st.sampled_from(KINDS), min_size=4, max_size=16)):
        sets |= draw(card_sets(kind))
    return sets


@st.composite
def dials(draw: Any) -> dict[str, int]:
    """Settings of a season."""
    return {
        "rounds": draw(st.sampled_from([2, 4, 6])),
        "cards": draw(st.sampled_from([1, 1, 1, 0])),
        "difficulty": draw(st.integers(0, 4)),
        "water": draw(st.sampled_from([1, 1, 0])),
    }


@st.composite
def tables(draw: Any, bots: tuple[str, ...] = BOTS) -> Table:
    """A random table of 1 to 4 knights, on any chairs; some meet themselves."""
    lineup = draw(st.lists(st.sampled_from(KNIGHTS), min_size=1, max_size=SEATS))
    chairs = sorted(draw(st.permutations(range(SEATS)))[: len(lineup)])
    names = [""] * SEATS
    for chair, name in zip(chairs, lineup, strict=True):
        names[chair] = name
    return Table(
        sets=draw(pack_sets()),
        settings=draw(dials()),
        lineup=tuple(names),
        bots=tuple(draw(st.sampled_from(bots)) for _ in names),
        first=draw(st.sampled_from(chairs)),
        root=root(draw(st.integers(0, 2**63)), draw(st.integers(0, 2**63))),
    )
