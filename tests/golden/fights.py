"""Combats with scripted dice and cards, told and counted, for the golden tests.

A combat is played by the uncompiled rules with a `Script`: `picks` holds every choice that is a choice (cards by
number, directions, load-outs, modes, uses), in the order in which the rules ask; `faces` every die.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simcore.kernels import blank

ATTACK, MULTI, PREPARE, CHANGE, DEFEND = 1, 2, 3, 4, 5
ADVANCE, RETREAT = 1, 2
SHORT, MEDIUM, LONG = 0, 1, 2
KEEP = 0

BARE = {
    "knight.chris_hammersworn.effects": "[]",
    "knight.chris_hammersworn.carries": "[]",
    "knight.chris_hammersworn.skills.guns": "2",
    "weapon.p_a_shotgun.icons": '["short", "medium"]',
    "weapon.p_a_shotgun.damage": "1",
    "weapon.p_a_shotgun.piercing": "0",
    "weapon.p_a_shotgun.multi": "0",
    "weapon.p_a_shotgun.bulls_eye": "1",
    "weapon.p_a_shotgun.ammo": "1",
    "weapon.p_a_shotgun.effects": "[]",
    "armor.preachers_coat.armor": "1",
    "armor.preachers_coat.effects": "[]",
    "enemy.hell_raiders.aggression": "4",
    "enemy.hell_raiders.icons": '["medium"]',
    "enemy.hell_raiders.damage": "1",
    "enemy.hell_raiders.piercing": "0",
    "enemy.hell_raiders.multi": "0",
    "enemy.hell_raiders.bulls_eye": "1",
    "enemy.hell_raiders.armor": "1",
    "enemy.hell_raiders.health": "5",
    "enemy.hell_raiders.ferocious": "false",
    "enemy.hell_raiders.effects": "[]",
    "range.short.difficulty": "5",
    "range.short.initiative": '["melee", "short", "medium"]',
    "range.short.skills": '["blades", "guns"]',
    "range.short.dice": "{ melee = 1, short = 1, medium = -1 }",
    "range.short.damage": "{ melee = 0, short = 0, medium = 0 }",
    "range.medium.difficulty": "7",
    "range.medium.initiative": '["medium", "short", "long"]',
    "range.medium.dice": "{ medium = 0, short = -1, long = -1 }",
    "range.medium.damage": "{ medium = 0, short = 0, long = 0 }",
    "range.long.difficulty": "9",
    "range.long.initiative": '["long", "medium"]',
    "range.long.dice": "{ long = 1, medium = -1 }",
    "range.long.damage": "{ long = 0, medium = 0 }",
}
"""The Preacher, Hell Raiders and range cards with known numbers, so that the reference pack may change."""

CHRIS, RAIDERS = "chris_hammersworn", "hell_raiders"


@dataclass
class Fought:
    """A combat that was played: its state, its outcome, its story; and what the script had left."""

    s: Any
    outcome: Any
    story: list[str]
    left: tuple[list[int], list[int]]

    @property
    def knight(self) -> Any:
        """The first side."""
        return self.s.side[0]

    @property
    def enemy(self) -> Any:
        """The second side."""
        return self.s.side[1]


def fight(
    rules: Any,
    picks: Sequence[int],
    faces: Sequence[int] = (),
    sets: Mapping[str, str] | None = None,
    settings: Mapping[str, int] | None = None,
    lineup: tuple[str, str] = (CHRIS, RAIDERS),
    duel: bool = False,
) -> Fought:
    """Play one scripted combat to its end on the bare cards with `sets` over them; the script must be used up."""
    name = "knights.duel" if duel else "knights.fight"
    tables = rules.tables(name, {**BARE, **(sets or {})}, settings)
    game = rules.game(name)
    seats = blank(_seats_dtype(rules), 1)
    keys = ["knights", "knights" if duel else "enemies"]
    for seat, (key, slug) in enumerate(zip(keys, lineup, strict=True)):
        seats[0].role[seat] = [role.slug for role in tables.roles[key]].index(slug)
    s, out = blank(rules["knights.state"].FIGHT), blank(game.outcome)
    script, journal = rules["streams"].Script(faces, picks), rules["journal"].Journal()
    rules["knights.gear"].arm(s, tables.data, seats[0], int(duel))
    rules["knights.combat"].fight(s, tables.data, script, journal)
    rules["knights.play"].write_outcome(s, seats[0], out)
    assert not script.faces, f"dice not rolled: {script.faces}"
    assert not script.picks, f"choices not asked for: {script.picks}"
    return Fought(s, out, rules["knights.tell"].tell(tables, seats[0], journal, out), (script.faces, script.picks))


def _seats_dtype(rules: Any) -> Any:
    return rules["game"].seats_dtype(2)


def markers(fought: Fought) -> list[str]:
    """The lines of the story that tell of dominance."""
    return [line.strip() for line in fought.story if "Dominance" in line]
