"""Combats between bots that pick evenly, against their exact law.

The law is worked out here, slowly and without a line of the game's own code, from the printed rules: every choice of
cards, directions and icons, every fall of the dice. Cards are bare: no effects, nothing carried, one load-out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest

from simcore.dice import ladder
from simcore.game import find_game, play, seatings
from simcore.knights.cards import RANGES
from simcore.packs import Pack
from simcore.streams import root
from tests.reference import reference
from tests.statistics.judge import fits

GAMES = 400_000
MEL, CHRIS, RAIDERS = "mel_gearson", "chris_hammersworn", "hell_raiders"
ATTACK, MULTI, PREPARE, CHANGE, DEFEND = "attack", "multi", "prepare", "change", "defend"
Law = dict[tuple[str, int, int], float]
"""Chances of (ending, share of the first seat, clashes)."""


class Mode(NamedTuple):
    """A weapon, or an enemy card, with one of its icons."""

    icon: str
    skill: int
    damage: int
    piercing: int
    multi: int
    bulls_eye: int
    ammo: int


class Fighter(NamedTuple):
    """One side: `lost_dice` is the frozen wound penalty."""

    modes: tuple[Mode, ...]
    armor: int
    health: int
    ammo: int
    lost_dice: int
    ferocious: bool


class State(NamedTuple):
    """Between two clashes; `open`: whose Prepare lies open; `marker`: to the first side if positive."""

    range: int
    health: tuple[int, int]
    ammo: tuple[int, int]
    open: tuple[bool, bool]
    marker: int


def knight(pack: Pack, slug: str, settings: Mapping[str, int]) -> Fighter:
    """A knight with bare cards (K1F-18, K1F-28, K1E-21, K1E-22, K5-69, K5-96)."""
    card, dials = pack.cards["knight"][slug], pack.cards["dials"][""]
    modes = []
    for weapon in (pack.cards["weapon"][name] for name in card.weapons):
        for icon in weapon.icons if settings["fuel"] or not weapon.fuel else ():
            skill = card.skills.blades if icon == "melee" else card.skills.guns
            worth = weapon.bulls_eye if settings["radiation"] < dials.no_bulls_eyes_from else 0
            ammo = weapon.ammo if icon != "melee" else 0
            modes.append(Mode(icon, skill, weapon.damage, weapon.piercing, weapon.multi, worth, ammo))
    armor = pack.cards["armor"][card.armor].armor
    health = settings["health"]
    return Fighter(tuple(modes), armor, health, settings["ammo"], {1: 2, 2: 1}.get(health, 0), False)


def enemy(pack: Pack, slug: str) -> Fighter:
    """An enemy with a bare card: it pays nothing (K1F-18, K1F-29)."""
    card = pack.cards["enemy"][slug]
    modes = [
        Mode(icon, card.aggression, card.damage, card.piercing, card.multi, card.bulls_eye, 0) for icon in card.icons
    ]
    return Fighter(tuple(modes), card.armor, card.health, 0, 0, card.ferocious)


class Oracle:
    """The exact law of one combat."""

    def __init__(self, pack: Pack, sides: tuple[Fighter, Fighter], duel: bool) -> None:
        self.ranges = [pack.cards["range"][name] for name in RANGES]
        self.start = RANGES.index(pack.cards["combat"][""].start_range)
        self.sides, self.duel = sides, duel
        self.ferocious = any(side.ferocious for side in sides)
        self.clash = cache(self._clash)

    def law(self) -> Law:
        """Chances of each end, from the start on (K1F-01, K1F-22, K1F-23, K1F-25)."""
        found: Law = defaultdict(float)
        first, second = self.sides
        start = State(self.start, (first.health, second.health), (first.ammo, second.ammo), (False, False), 0)
        states: dict[State, float] = {start: 1.0}
        for number in (1, 2, 3):
            after: dict[State, float] = defaultdict(float)
            for state, chance in states.items():
                for (ending, new), part in self.clash(state._replace(marker=0), number == 1):
                    if ending:
                        found[ending, self.share(new), number] += chance * part
                    else:
                        after[new._replace(marker=new.marker + state.marker)] += chance * part
            states = after
        for state, chance in states.items():
            if self.ferocious:
                found["ferocious_stand", 30, 3] += chance
            elif state.marker == 0:
                found["marker_on_zero", 30, 3] += chance
            else:
                found["dominance", 60 if state.marker > 0 else 0, 3] += chance
        return dict(found)

    @staticmethod
    def share(state: State) -> int:
        """60 for a first side that stands alone, 0 for one that fell alone, else 30."""
        return 30 + 30 * (state.health[1] <= 0) - 30 * (state.health[0] <= 0)

    def usable(self, x: int, state: State, card: str) -> list[Mode]:
        """The modes that an attack card can be played with (K1F-04, K1F-05, K1F-17, K5-66)."""
        icons, price = self.ranges[state.range].initiative, 1 if card == ATTACK else 2
        return [
            mode
            for mode in self.sides[x].modes
            if mode.icon in icons and mode.ammo * price <= state.ammo[x] and (card == ATTACK or mode.multi)
        ]

    def hand(self, x: int, state: State) -> list[str]:
        """The cards that may be played (K5-61, K4-28, K4-32)."""
        attacks = [card for card in (ATTACK, MULTI) if self.usable(x, state, card)]
        return attacks + ([] if state.open[x] else [PREPARE]) + [CHANGE, DEFEND]

    def plans(self, x: int, state: State) -> list[tuple[float, str, int, Mode | None]]:
        """(chance, card, step of the range, mode) of all that a bot may do when it picks evenly."""
        hand, found = self.hand(x, state), []
        for card in hand:
            modes: list[Mode | None] = [*self.usable(x, state, card)] if card in (ATTACK, MULTI) else [None]
            steps = (-1, 1) if card == CHANGE else (0,)
            share = 1 / len(hand) / len(modes) / len(steps)
            found += [(share, card, step, mode) for step, mode in product(steps, modes)]
        return found

    def _clash(self, state: State, first: bool) -> list[tuple[tuple[str, State], float]]:
        """All ends of a clash that starts with the marker on 0: ("" or the combat's end, new state), chance."""
        found: dict[tuple[str, State], float] = defaultdict(float)
        for mine, theirs in product(self.plans(0, state), self.plans(1, state)):
            chance = mine[0] * theirs[0]
            if self.duel and first and mine[1] == theirs[1] == DEFEND:
                found["traded", state] += chance
                continue
            for part, health, ammo in self.blows(state, mine, theirs):
                found[self.settle(state, mine, theirs, health, ammo)] += chance * part
        return list(found.items())

    def blows(self, state: State, mine: Any, theirs: Any) -> Iterable[tuple[float, tuple[int, int], tuple[int, int]]]:
        """(chance, Health, Ammo) after the attacks, by initiative (K1F-16, K1F-24, K4-30, K5-68)."""
        plans = (mine, theirs)
        icons = self.ranges[state.range].initiative
        ranks = [icons.index(plan[3].icon) if plan[3] else 99 for plan in plans]
        order = (0, 1) if ranks[0] <= ranks[1] else (1, 0)
        worlds = [(1.0, state.health, state.ammo)]
        for x in order:
            if plans[x][3] is None:
                continue
            law = self.blow(x, plans[x][3], plans[x][1], state.open[x], plans[1 - x][1], state.range)
            price = plans[x][3].ammo * (1 if plans[x][1] == ATTACK else 2)
            after = []
            for chance, health, ammo in worlds:
                if health[x] <= 0 and ranks[0] != ranks[1]:
                    after.append((chance, health, ammo))
                    continue
                paid = put(ammo, x, ammo[x] - price)
                for lost, part in law.items():
                    after.append((chance * part, put(health, 1 - x, max(0, health[1 - x] - lost)), paid))
            worlds = after
        return worlds

    def blow(self, x: int, mode: Mode, card: str, ready: bool, answer: str, distance: int) -> dict[int, float]:
        """The law of the Health that an attack takes (K1E-17, K1F-05, K1F-07 to K1F-09, K1F-12, K1F-19, K1F-20)."""
        where, ready = self.ranges[distance], ready and card == ATTACK
        dice = mode.skill + where.dice[mode.icon] - self.sides[x].lost_dice
        dice += 2 * ready + mode.multi * (card == MULTI) - {CHANGE: 1, DEFEND: 2}.get(answer, 0)
        dice = max(1, dice)
        hurt = 1 + mode.damage + where.damage[mode.icon]
        soak = max(0, self.sides[1 - x].armor - mode.piercing)
        law: dict[int, float] = defaultdict(float)
        for successes, tops, ways in ladder(dice, 10, where.difficulty, 9 if ready else 10):
            lost = max(0, hurt + tops * mode.bulls_eye - soak) if successes else 0
            law[lost] += ways / 10**dice
        return law

    def settle(self, state: State, mine: Any, theirs: Any, health: Any, ammo: Any) -> tuple[str, State]:
        """The end of a clash: who fell, or dominance and range (K1F-06, K1F-10, K1F-11, K1F-14, K4-31)."""
        if min(health) <= 0:
            return ("both_down" if max(health) <= 0 else "blows"), state._replace(health=health)
        marker = 0
        if not self.ferocious:
            marker = worth(mine) - worth(theirs) + (state.health[1] - health[1]) - (state.health[0] - health[0])
        aim = min(max(state.range + mine[2] + theirs[2], 0), 2)
        return "", State(aim, health, ammo, (mine[1] == PREPARE, theirs[1] == PREPARE), marker)


def put(pair: tuple[int, int], x: int, value: int) -> tuple[int, int]:
    """A pair with one of its numbers changed."""
    return (value, pair[1]) if x == 0 else (pair[0], value)


def worth(plan: Any) -> int:
    """The arrows of a card to its player, less those to the opponent (K1F-14)."""
    change = 1 if plan[2] < 0 else -1
    return {ATTACK: 1, MULTI: 2, PREPARE: 0, CHANGE: change, DEFEND: -2}[plan[1]]


# ---------------------------------------------------------------- the fights


def gun(slug: str, **numbers: Any) -> dict[str, str]:
    """Sets for a bare weapon in Mel's hands."""
    usual = {"icons": '["short", "medium"]', "damage": 1, "piercing": 0, "multi": 0, "bulls_eye": 1, "ammo": 1}
    values = {**usual, "fuel": 0, "hands": 1, **numbers}
    return {f"weapon.{slug}.{name}": str(value) for name, value in values.items()} | {f"weapon.{slug}.effects": "[]"}


def foe(**numbers: Any) -> dict[str, str]:
    """Sets for a bare enemy."""
    usual = {"aggression": 4, "icons": '["short", "medium"]', "damage": 1, "piercing": 0, "multi": 0}
    values = {**usual, "bulls_eye": 1, "armor": 1, "health": 5, "ferocious": "false", **numbers}
    return {f"enemy.{RAIDERS}.{name}": str(value) for name, value in values.items()} | {
        f"enemy.{RAIDERS}.effects": "[]"
    }


BARE = {
    **{f"knight.{slug}.{name}": "[]" for slug in (MEL, CHRIS) for name in ("effects", "carries")},
    f"knight.{MEL}.skills.guns": "4",
    f"knight.{MEL}.skills.blades": "4",
    f"knight.{MEL}.weapons": '["old_revolver"]',
    f"knight.{MEL}.armor": '"road_leathers"',
    f"knight.{CHRIS}.skills.guns": "3",
    f"knight.{CHRIS}.weapons": '["p_a_shotgun"]',
    f"knight.{CHRIS}.armor": '"preachers_coat"',
    "armor.road_leathers.armor": "1",
    "armor.road_leathers.effects": "[]",
    "armor.preachers_coat.effects": "[]",
}
BLADE = {"icons": '["melee"]', "ammo": 0}
SAW = {"icons": '["melee", "long"]', "ammo": 0, "multi": 1, "fuel": 1}
PAIR = {f"knight.{MEL}.weapons": '["old_revolver", "machete"]'}


@dataclass(frozen=True)
class Combat:
    """A combat to be judged: sets over the bare cards, dials, and whom Mel meets."""

    sets: dict[str, str]
    health: int = 4
    ammo: int = 4
    fuel: int = 0
    radiation: int = 0
    other: str = RAIDERS

    @property
    def settings(self) -> dict[str, int]:
        """The settings of the table."""
        dials = {"health": self.health, "ammo": self.ammo, "fuel": self.fuel, "radiation": self.radiation}
        return {**dials, "held_cards": 0, "enemy_dice": 0}

    def pack(self, fault: Mapping[str, str] | None = None) -> Pack:
        """Its cards, with a fault in them or without."""
        return reference("knights.fight", {**BARE, **self.sets, **(fault or {})})

    def exact(self) -> Law:
        """Its exact law, by the printed rules."""
        pack, duel = self.pack(), self.other == CHRIS
        second = knight(pack, CHRIS, self.settings) if duel else enemy(pack, RAIDERS)
        return Oracle(pack, (knight(pack, MEL, self.settings), second), duel).law()

    def played(self, fault: Mapping[str, str] | None = None) -> dict[tuple[str, int, int], int]:
        """How often each end comes out of GAMES compiled combats."""
        game = find_game("knights.duel" if self.other == CHRIS else "knights.fight")
        tables = game.load(self.pack(fault), self.settings)
        seats = seatings(game, tables, (MEL, self.other), dict.fromkeys(("knight", "enemy"), "random"), "none")
        out = play(game, tables, seats, root(11, 7), 0, GAMES)
        shape = len(game.endings), 61, 10
        codes = np.ravel_multi_index((out["ending"], out["seat"]["share"][:, 0], out["rounds"]), shape)
        counts = np.bincount(codes)
        found = {int(code): np.unravel_index(code, shape) for code in np.flatnonzero(counts)}
        names = [ending.name for ending in game.endings]
        return {(names[e], int(share), int(r)): int(counts[code]) for code, (e, share, r) in found.items()}


COMBATS = {
    "guns": Combat({**gun("old_revolver"), **foe()}),
    "multi-attack": Combat({**gun("old_revolver", multi=2), **foe(multi=1, health=6)}, ammo=3),
    "ferocious": Combat({**gun("old_revolver"), **foe(ferocious="true", icons='["melee", "short"]', damage=2)}),
    "piercing": Combat({**gun("old_revolver", piercing=2, bulls_eye=2), **foe(armor=3, piercing=1, health=3)}),
    "blades at short": Combat(
        {**gun("old_revolver"), **gun("machete", damage=2, **BLADE), **PAIR,
         **foe(icons='["melee"]', aggression=7, damage=3, health=3), "combat.start_range": "short"}, ammo=2
    ),
    "far apart": Combat(
        {**gun("old_revolver", damage=2, **BLADE), **foe(icons='["melee"]', damage=2), "combat.start_range": "long"}
    ),
    "wounded": Combat(
        {**gun("old_revolver", **SAW), **foe(), "combat.start_range": "long"},
        health=2, fuel=1, radiation=2,
    ),
    "duel": Combat({**gun("old_revolver", multi=1), **gun("p_a_shotgun", hands=2)}, ammo=2, other=CHRIS),
}  # fmt: skip


@cache
def exact(name: str) -> Law:
    """The exact law of one of the combats, worked out once."""
    return COMBATS[name].exact()


def agrees(counts: Mapping[tuple[str, int, int], int], law: Law) -> bool:
    """Whether what was played fits the exact law, as a whole and by win, draw and loss."""
    keys = sorted({*counts, *law})
    coarse = [
        (sum(n for key, n in counts.items() if key[1] == share), sum(p for key, p in law.items() if key[1] == share))
        for share in (60, 30, 0)
    ]
    fine = [(counts.get(key, 0), law.get(key, 0.0)) for key in keys]
    return all(fits([n for n, _ in both], [p for _, p in both]) for both in (fine, coarse))


@pytest.mark.parametrize("name", COMBATS)
def test_combats_follow_their_exact_law(name: str) -> None:
    law, counts = exact(name), COMBATS[name].played()
    assert sum(law.values()) == pytest.approx(1, abs=1e-12)
    assert sum(counts.values()) == GAMES
    assert agrees(counts, law), {key: (counts.get(key, 0) / GAMES, law.get(key, 0)) for key in {*counts, *law}}


FAULTS = [
    ("guns", "combat.attack_arrows", "2"),
    ("multi-attack", "combat.multi_arrows", "1"),
    ("guns", "combat.advance_arrows", "0"),
    ("guns", "combat.retreat_arrows", "0"),
    ("guns", "combat.defend_arrows", "1"),
    ("ferocious", "combat.change_range_dice", "2"),
    ("guns", "combat.defend_dice", "1"),
    ("ferocious", "combat.prepare_dice", "1"),
    ("piercing", "combat.prepare_faces", "1"),
    ("duel", "combat.attack_ammo", "2"),
    ("multi-attack", "combat.multi_ammo", "1"),
    ("guns", "combat.base_damage", "2"),
    ("guns", "combat.clashes", "4"),
    ("blades at short", "combat.start_range", "medium"),
    ("far apart", "ruling.same_way", "one_step"),
    ("wounded", "ruling.wounds_in_combat", "waived"),
    ("wounded", "ruling.radiation_against_prepare", "prepared_nines_and_tens"),
    ("far apart", "ruling.attack_without_icon", "allowed"),
    ("guns", f"knight.{MEL}.skills.guns", "5"),
    ("piercing", "weapon.old_revolver.piercing", "1"),
    ("piercing", "weapon.old_revolver.bulls_eye", "1"),
    ("multi-attack", "weapon.old_revolver.multi", "1"),
    ("multi-attack", f"enemy.{RAIDERS}.multi", "0"),
    ("duel", "armor.road_leathers.armor", "0"),
    ("blades at short", "range.short.initiative", '["short", "melee", "medium"]'),
    ("ferocious", f"enemy.{RAIDERS}.ferocious", "false"),
    ("ferocious", f"enemy.{RAIDERS}.health", "6"),
]


@pytest.mark.parametrize(("name", "place", "value"), FAULTS, ids=[f"{place}={value}" for _, place, value in FAULTS])
def test_a_planted_fault_is_caught(name: str, place: str, value: str) -> None:
    assert not agrees(COMBATS[name].played({place: value}), exact(name))
