"""Defend on the board (FK7): a knight changes all that lies on his sheet, from what he stores, before the blow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.board_table import Table, table

HAND, BODY, POCKET, STORED, BESIDE, TRUNK = range(6)
ATTACK, PREPARE, DEFEND = 1, 3, 5
BARE = {"knight.mel_gearson.carries": "[]", "knight.mel_gearson.backpack": "6", "knight.mel_gearson.skills.guns": "1"}
RAIDERS = {"enemy.hell_raiders.health": "9", "enemy.hell_raiders.aggression": "1", "combat.clashes": "1"}
KEEP = 0


def owner(rules: Any, *titles: str, **sets: str) -> Table:
    """Mel with gear and room for more."""
    return table(rules, "Mel", "Naomi", sets={**BARE, **RAIDERS, **sets}).at("Naomi", 33).give("Mel", *titles)


def defend(b: Table, *words: str | int, foe: int = PREPARE, faces: Sequence[int] = ()) -> Table:
    """A combat of one clash in which Mel defends; `words`: what else is picked."""
    b.always(place_cards="done")
    b.do("wasteland.fight_enemy", 0, b.wasteland("Hell Raiders"), words=[DEFEND, foe, *words], faces=faces)
    return b


def offered(b: Table, word: str) -> list[str]:
    """The first question about gear with this option."""
    return next(asked for asked in b.asked if word in asked)


@pytest.mark.rule("K1F-12", "K5-71")
def test_defend_changes_armor_weapons_and_pockets(rules: Any) -> None:
    """All that is stored may come to the sheet, one after another, and stays there after the combat (FK7)."""
    titles = (
        "Road Leathers",
        "Lead Apron",
        "Machine Pistol",
        "Cattle Prod",
        "Hatchet",
        "Katana",
        "Toolbox",
        "Road Map",
    )
    b = owner(rules, *titles, "Dundee Hat", "Medi-shot")
    hands, body, pockets = (b.has("Mel", spot) for spot in (HAND, BODY, POCKET))
    other_body = next(t for t in ("Road Leathers", "Lead Apron") if t not in body)
    others = [t for t in ("Machine Pistol", "Cattle Prod", "Hatchet", "Katana") if t not in hands]
    pocket = next(t for t in ("Toolbox", "Road Map", "Dundee Hat", "Medi-shot") if t not in pockets)
    words = [f"{other_body} on", f"{others[0]} for {hands[0]}", f"{others[1]} for {hands[1]}",
             f"{pocket} for {pockets[0]}", "done"]  # fmt: skip
    defend(b, KEEP, *words)
    asked = offered(b, "done")
    assert {f"{new} for {old}" for new in others for old in hands} <= set(asked)
    assert {f"{pocket} for {old}" for old in pockets} <= set(asked)
    assert {f"{title} away" for title in (*hands, *body, *pockets)} <= set(asked)
    assert b.has("Mel", HAND) == sorted(others[:2]) and b.has("Mel", BODY) == [other_body]
    assert pocket in b.has("Mel", POCKET) and pockets[0] in b.has("Mel", STORED)
    assert set(hands) | set(body) <= set(b.has("Mel", STORED)) and len(b.has("Mel")) == 10, "nothing is lost"


@pytest.mark.rule("K1F-12", "K5-71")
def test_what_defend_brings_works_in_the_same_combat(rules: Any) -> None:
    """The armor before the blow of this very clash; a card out of the store can be used from then on, and is gone
    afterwards; so is what was used before (FK7)."""
    sets = {"armor.lead_apron.armor": "4", "enemy.hell_raiders.damage": "1", "enemy.hell_raiders.aggression": "3"}
    for word, health in (("Lead Apron on", 4), ("done", 3)):
        b = owner(rules, "P-A Shotgun", "Road Leathers", "Lead Apron", **sets)
        b.of("Mel").spot[b.place("Mel", "Lead Apron")] = STORED
        b.of("Mel").spot[b.place("Mel", "Road Leathers")] = BODY
        defend(b, KEEP, *([word] if word != "done" else []), foe=ATTACK, faces=[9])
        assert b.now("Mel")[0] == health, word
    pockets = ("Toolbox", "Road Map", "Dundee Hat")
    b = owner(rules, "P-A Shotgun", *pockets, "Medi-shot").dials("Mel", health=1)
    for title, spot in (*((title, POCKET) for title in pockets), ("Medi-shot", STORED)):
        b.of("Mel").spot[b.place("Mel", title)] = spot
    defend(b, "Medi-shot for Toolbox", "done", 1, foe=ATTACK, faces=[1])
    assert b.now("Mel")[0] == 3 and "Medi-shot" not in b.has("Mel") and "Toolbox" in b.has("Mel", STORED)


@pytest.mark.rule("K1F-12", "K5B-12")
def test_defend_keeps_to_the_room_there_is(rules: Any) -> None:
    """He is done only while backpack and vehicle hold the rest, else he has it all back; enhancements stay attached."""
    tight = {"knight.mel_gearson.backpack": "1"}
    b = owner(rules, "Pipe Rifle", "Telescopic Sight", **tight)
    b.do("enhancing.enhance_gear", 0, words=["Telescopic Sight on Pipe Rifle", "no"])
    b.do("belongings.arrange", 0)
    b.do("belongings.gain_item", 0, b.item("Hatchet"))
    assert b.has("Mel", STORED) == ["Hatchet"], "a card and what it carries have no room in the backpack"
    defend(b, "Hatchet for Pipe Rifle", "back")
    assert ["back", "Pipe Rifle on", "Hatchet away"] in b.asked
    assert b.has("Mel", HAND) == ["Pipe Rifle"] and len(b.has("Mel")) == 3, "nothing is lost"
    b = owner(rules, "P-A Shotgun")
    defend(b)
    assert "place_cards" not in b.deciders, "nothing is stored"
