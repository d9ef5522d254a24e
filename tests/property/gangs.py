"""Random tables of Marauders of the Great Wastelands: packs, rulings, settings, gangs and bots to play with."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any, get_args

from hypothesis import strategies as st

from simcore import packs
from simcore.game import find_game
from simcore.gangs import cards
from simcore.streams import root
from tests.property.seated import Seated
from tests.reference import reference

GAME = find_game("gangs")
SEATS = GAME.players
REFERENCE = reference("gangs")
GANGS = tuple(REFERENCE.cards["gang"])
BOTS = ("random", "regular", "strong")
Row = tuple[str, str, str, str]


class Table(Seated):
    """A table of Marauders of the Great Wastelands."""

    game = GAME


def gangs(*names: str, bot: str = "regular", sets: dict[str, str] | None = None, seed: int = 1, **dials: int) -> Table:
    """A table of these gangs, with the same bot for all."""
    return Table(sets or {}, dials, (*names, *[""] * (SEATS - len(names))), (bot,) * SEATS, 0, root(seed, 0))


# ---------------------------------------------------------------- random packs


@cache
def accepted(when: str) -> tuple[Row, ...]:
    """Every (when, what, whom, who) that the checks let a row have at a moment."""
    rows = product([when], cards.WHAT, cards.WHOM, cards.WHO)
    names = ("when", "what", "whom", "who")
    return tuple(
        row for row in rows if not packs.validate(cards.Effect, dict(zip(names, row, strict=True)) | {"many": 1}, "")[1]
    )


def written(rows: list[tuple[Row, int]]) -> str:
    """Rows and how many, as TOML."""
    texts = [
        f'{{ when = "{when}", what = "{what}", whom = "{whom}", who = "{who}", many = {many} }}'
        for (when, what, whom, who), many in rows
    ]
    return f"[{', '.join(texts)}]"


@st.composite
def abilities(draw: Any, leader: bool) -> tuple[list[tuple[Row, int]], str, int]:
    """(rows, pay, times) that make sense on a follower."""
    moment = draw(st.sampled_from(["summon", "ambush"]))
    deeds = draw(st.lists(st.sampled_from(accepted(moment)), min_size=int(leader), max_size=2))
    if {"again", "home"} <= {row[1] for row in deeds}:
        deeds = deeds[:1]
    more = draw(st.lists(st.sampled_from(accepted("standing") + accepted("knocked_out")), max_size=2))
    frenzy = any(row[1] == "frenzy" for row in more)
    if leader:
        more, pay = [row for row in more if row[1] != "frenzy"], "destroy"
    elif frenzy:
        pay = "wound"
    elif not deeds:
        pay = "nothing"
    else:
        known = ["nothing", "nothing", "discard", "wound"] + ["fodder"] * (moment == "ambush")
        pay = draw(st.sampled_from(known))
    rows = [(row, draw(st.integers(1, 3))) for row in (*more, *deeds)]
    return rows, pay, 1 if pay == "nothing" else draw(st.integers(1, cards.MAX_TIMES))


@st.composite
def followers(draw: Any, kind: str, slug: str) -> dict[str, str]:
    """Sets that give a follower another ability."""
    rows, pay, times = draw(abilities(REFERENCE.cards[kind][slug].leader))
    name = f"{kind}.{slug}"
    return {f"{name}.effects": written(rows), f"{name}.pay": f'"{pay}"', f"{name}.times": str(times)}


NUMBERS: dict[str, tuple[int, int]] = {
    "rules.days": (1, 4), "rules.first_days": (1, 2), "rules.loot": (1, 8), "rules.hand": (1, 6),
    "rules.market": (0, 8), "rules.first_of_type": (0, 9), "rules.more_of_type": (0, 9), "rules.slave_attack": (0, 2),
    "rules.fanatic_attack": (0, 3), "rules.fodder": (12, 40), "rules.slaves": (0, 12),
    "bot.regular.temperature": (0, 3_000),
}  # fmt: skip


@st.composite
def pack_sets(draw: Any, lineup: list[str]) -> dict[str, str]:
    """All rulings, a few numbers, and some raiders of these gangs and mercenaries with other abilities."""
    sets = {
        f"ruling.{name}": f'"{draw(st.sampled_from(get_args(field.annotation)))}"'
        for name, field in cards.Ruling.model_fields.items()
    }
    for name in draw(st.lists(st.sampled_from(sorted(NUMBERS)), max_size=4, unique=True)):
        sets[name] = str(draw(st.integers(*NUMBERS[name])))
    raiders = [slug for slug, card in REFERENCE.cards["raider"].items() if card.gang in lineup]
    for slug in draw(st.lists(st.sampled_from(raiders), min_size=4, max_size=12, unique=True)):
        sets |= draw(followers("raider", slug))
    for slug in draw(
        st.lists(st.sampled_from(list(REFERENCE.cards["mercenary"])), min_size=2, max_size=6, unique=True)
    ):
        sets |= draw(followers("mercenary", slug))
    return sets


@st.composite
def tables(draw: Any, bots: tuple[str, ...] = BOTS) -> Table:
    """A random table of 2 to 4 gangs, on any chairs; some meet themselves."""
    first_game = draw(st.sampled_from([0, 0, 1]))
    sitting = [slug for slug in GANGS if REFERENCE.cards["gang"][slug].first or not first_game]
    lineup = draw(st.lists(st.sampled_from(sitting), min_size=2, max_size=SEATS))
    chairs = sorted(draw(st.permutations(range(SEATS)))[: len(lineup)])
    names = [""] * SEATS
    for chair, name in zip(chairs, lineup, strict=True):
        names[chair] = name
    return Table(
        sets=draw(pack_sets(lineup)),
        settings={
            "advanced": draw(st.integers(0, 1)),
            "first_game": first_game,
            "most_hours": draw(st.sampled_from([15, 15, 15, 7, 2])),
        },
        lineup=tuple(names),
        bots=tuple(draw(st.sampled_from(bots)) for _ in names),
        first=draw(st.sampled_from(chairs)),
        root=root(draw(st.integers(0, 2**63)), draw(st.integers(0, 2**63))),
    )
