"""Random tables of The Waste of Parts: packs, rulings, settings, crews and bots to play with."""

from __future__ import annotations

from functools import cache
from itertools import product
from types import SimpleNamespace
from typing import Any, get_args

from hypothesis import strategies as st

from simcore import packs
from simcore.game import find_game
from simcore.mech import cards
from simcore.streams import root
from tests.property.seated import Seated
from tests.reference import reference

GAME = find_game("mech")
SEATS = 5
REFERENCE = reference("mech")
MEMBERS = tuple(REFERENCE.cards["crew"])


class Table(Seated):
    """A table of The Waste of Parts."""

    game = GAME

    @property
    def wide(self) -> bool:
        """Whether cards can ask for more dice or slots than there are, which counts as an overflow."""
        return any(f'"{word}"' in value for value in self.sets.values() for word in ("rage", "slots"))


def crew(*names: str, bot: str = "regular", sets: dict[str, str] | None = None, seed: int = 1, **dials: int) -> Table:
    """A table of these crew members, with the same bot for all."""
    lineup = (*names, *[""] * (SEATS - len(names)))
    return Table(sets or {}, dials, lineup, (bot,) * SEATS, 0, root(seed, 0))


# ---------------------------------------------------------------- random packs


@cache
def accepted(kind: str, boss: str = "") -> tuple[tuple[str, str, str], ...]:
    """Every (when, what, whom) that the checks let a card of a kind have; `boss`: whose order it is."""
    whats = (*cards.TERMS[kind], *cards.DEEDS_OF[kind])
    found = []
    for when, what, whom in product(cards.MOMENTS[kind], dict.fromkeys(whats), cards.WHOM):
        effect, wrong = packs.validate(cards.Effect, {"when": when, "what": what, "whom": whom, "many": 1}, "row")
        card = SimpleNamespace(effects=[effect], boss=boss)
        if not wrong and not list(cards._effects_wrong(kind, "card", card)):
            found.append((when, what, whom))
    return tuple(found)


AT_HOME = {"speed": [10, 11], "crane": [5], "remote": [8]}
"""Where an upgrade lies that helps one function alone."""


@st.composite
def texts(draw: Any, kind: str, slug: str) -> dict[str, str]:
    """Sets that give a card one or two other effects."""
    known = accepted(kind, getattr(REFERENCE.cards[kind][slug], "boss", ""))
    found, rooms = [], set(range(1, 13)) - {1, 4}
    for when, what, whom in draw(st.lists(st.sampled_from(known), min_size=1, max_size=2)):
        if kind == "upgrade" and rooms & set(AT_HOME.get(what, rooms)):
            rooms &= set(AT_HOME.get(what, rooms))
        elif kind == "upgrade":
            continue
        many = draw(st.sampled_from([-2, -1, 1, 1, 2, 3]))
        row = {"when": when, "what": what, "whom": whom, "many": many}
        many = abs(many) if packs.validate(cards.Effect, row, "row")[1] else many
        found.append(f'{{ when = "{when}", what = "{what}", whom = "{whom}", many = {many} }}')
    sets = {f"{kind}.{slug}.effects": f"[{', '.join(found)}]"}
    if kind == "upgrade":
        sets[f"upgrade.{slug}.rooms"] = str(sorted(rooms))
    return sets | ({f"ability.{slug}.once": "true"} if kind == "ability" else {})


NUMBERS: dict[str, tuple[int, int]] = {
    "mech.hull": (1, 60), "mech.noise": (0, 3), "mech.goal": (4, 40), "mech.engine_speed": (0, 3),
    "mech.fuel_speed": (0, 3), "mech.fuel_scrap": (0, 3), "mech.gun_dice": (0, 6), "mech.crane_cards": (0, 5),
    "mech.crane_uses": (0, 4), "mech.remote": (0, 100), "mech.actions": (1, 6), "mech.revive_actions": (1, 4),
    "mech.jam_below": (1, 3), "mech.hit_from": (3, 6), "mech.reinforce_scrap": (1, 4), "mech.ready_scrap": (1, 4),
    "mech.recycle_scrap": (1, 4), "mech.event_choice": (1, 4), "mech.stun_rounds": (0, 3),
    "bot.regular.temperature": (0, 30_000),
}  # fmt: skip


@st.composite
def enemy_sets(draw: Any) -> dict[str, str]:
    """Another enemy in place of one of the pack's."""
    slug = draw(st.sampled_from([slug for slug, card in REFERENCE.cards["enemy"].items() if not card.harmless]))
    ranges = {"health": (1, 8), "attack": (0, 6), "room": (1, 13), "noise": (-1, 2), "standees": (1, 5)}
    sets = {f"enemy.{slug}.{name}": str(draw(st.integers(*most))) for name, most in ranges.items()}
    return sets | draw(texts("enemy", slug))


@st.composite
def member_sets(draw: Any, slug: str) -> dict[str, str]:
    """A crew member with other dials, and any ability of the pack."""
    ability = draw(st.sampled_from(list(REFERENCE.cards["ability"])))
    ranges = {"health": (1, 12), "attack": (0, 5), "slots": (0, 4), "noise": (-1, 2)}
    sets = {f"crew.{slug}.{name}": str(draw(st.integers(*most))) for name, most in ranges.items()}
    sets |= {f"crew.{slug}.abilities": f'["{ability}"]', f"crew.{slug}.ability": f'"{ability}"'}
    if draw(st.booleans()):
        sets |= draw(texts("ability", ability))
    return sets


@st.composite
def pack_sets(draw: Any, lineup: list[str]) -> dict[str, str]:
    """All rulings, a few numbers of the mech, and a few cards with other effects."""
    sets = {
        f"ruling.{name}": f'"{draw(st.sampled_from(get_args(field.annotation)))}"'
        for name, field in cards.Ruling.model_fields.items()
    }
    for name in draw(st.lists(st.sampled_from(sorted(NUMBERS)), max_size=4, unique=True)):
        sets[name] = str(draw(st.integers(*NUMBERS[name])))
    for _ in range(draw(st.integers(0, 3))):
        sets |= draw(enemy_sets())
    for slug in lineup:
        if draw(st.booleans()):
            sets |= draw(member_sets(slug))
    for kind in draw(st.lists(st.sampled_from(cards.HOLDERS[1:]), max_size=5)):
        slugs = [slug for slug, card in REFERENCE.cards[kind].items() if not getattr(card, "harmless", False)]
        sets |= draw(texts(kind, draw(st.sampled_from(slugs))))
    return sets


@st.composite
def tables(draw: Any, bots: tuple[str, ...] = ("random", "regular", "strong")) -> Table:
    """A random table of 1 to 5 crew members."""
    lineup = draw(st.lists(st.sampled_from(MEMBERS), min_size=1, max_size=SEATS, unique=True))
    names = (*lineup, *[""] * (SEATS - len(lineup)))
    boss = draw(st.integers(0, 2))
    near = {"mech.goal": str(draw(st.integers(1, 8)))} if boss else {}
    return Table(
        sets=draw(pack_sets(lineup)) | near,
        settings={
            "extra_noise": draw(st.integers(-4, 4)),
            "events": draw(st.integers(0, 1)),
            "idle_enemies": draw(st.sampled_from([0, 0, 0, 1])),
            "free_fuel": draw(st.integers(0, 1)),
            "fuelled": draw(st.sampled_from([0, 0, 1, 2])),
            "boss": boss,
            "most_rounds": draw(st.sampled_from([1, 5, 15, 15, 40])),
        },
        lineup=names,
        bots=tuple(draw(st.sampled_from(bots)) for _ in names),
        first=draw(st.integers(0, len(lineup) - 1)),
        root=root(draw(st.integers(0, 2**63)), draw(st.integers(0, 2**63))),
    )
