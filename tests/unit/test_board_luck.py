"""Luck cards: the hand and its limit, timing, quick resupply."""

from __future__ import annotations

from typing import Any

import pytest

from tests.board_table import table
from tests.golden.fights import ATTACK, PREPARE

HIT, MISS = 9, 1


@pytest.mark.rule("K1D-07", "K5-24")
def test_a_hand_of_five_at_most(rules: Any) -> None:
    """At any moment; what goes is what its owner thinks least of. One more a round."""
    b = table(rules, "Mel", "Naomi").hand("Mel", *["Second Wind"] * 5).stack_luck("Deadly Quick", "Second Wind")
    b.prepare()
    worth = {title: int(b.t.luck[b.card("luck", title)].worth) for title in ("Second Wind", "Deadly Quick")}
    assert worth["Second Wind"] > worth["Deadly Quick"]
    assert b.luck("Mel") == ["Second Wind"] * 5 or b.luck("Naomi") == ["Deadly Quick"]
    assert len(b.luck("Mel")) == 5 and len(b.luck("Naomi")) == 1 and b.s.luck.discarded + b.s.luck.left == 1


@pytest.mark.rule("K1J-05", "K5-25", "K1J-04")
def test_cards_are_played_at_their_time(rules: Any) -> None:
    """Any number, each at the moment that it names: here in the Rest Step; those for moves and combats stay."""
    b = table(rules, "Mel", "Naomi").dials("Mel", ammo=0, health=2)
    b.hand("Mel", "Hidden Magazine", "Witness Me!", "Deadly Quick", "All Night on the Road")
    b.do("luck.play_luck", 0, rules["knights.luck"].USED, words=["Witness Me!", "Hidden Magazine"])
    assert b.asked[0] == ["no", "Hidden Magazine", "Witness Me!"]
    assert b.of("Mel").reputation == 1 and b.now("Mel")[1] == 2 and b.of("Mel").luck_played == 2
    assert b.luck("Mel") == ["All Night on the Road", "Deadly Quick"] and b.s.luck.discarded == 2


@pytest.mark.rule("K1J-02", "K1J-03", "K5-59")
def test_luck_cards_in_a_combat(rules: Any) -> None:
    """Deadly Quick before it, Faster, faster! for the dice: used cards leave the hand, others come home."""
    b = (
        table(rules, "Chris", "Naomi")
        .at("Chris", 22)
        .at("Naomi", 33)
        .give("Chris", "P-A Shotgun")
        .stack("Hell Raiders")
    )
    b.hand("Chris", "Deadly Quick", "Faster, faster!", "Lucky Find").hand("Naomi", "Faster, faster!")
    to_long, faster = 3, 1
    b.move("Chris", "walk 9", "face", to_long, faster, ATTACK, PREPARE, faces=[HIT] * 3)
    assert b.luck("Chris") == ["Lucky Find"] and b.luck("Naomi") == ["Faster, faster!"]
    assert b.s.fight.start_range == 2 and b.of("Chris").luck_played == 2


@pytest.mark.rule("K1E-35", "K5-56")
def test_quick_resupply(rules: Any) -> None:
    """One card a Rest Step for its icon, whatever its text; only where there is something to gain."""
    for title, before, after in (
        ("Deadly Quick", {"ammo": 1}, (4, 2, 4, 0)),
        ("Spare Canister", {"fuel": 1}, (4, 4, 2, 0)),
        ("Sand in the Eyes", {"radiation": 2}, (4, 4, 4, 1)),
        ("Aim Low", {"health": 1}, (2, 4, 4, 0)),
    ):
        b = table(rules, "Mel", "Naomi").drives("Mel", "Strider").dials("Mel", **before).hand("Mel", title, title)
        b.do("luck.resupply_quickly", 0, words=[title])
        assert b.now("Mel") == after and b.luck("Mel") == [title] and b.of("Mel").luck_played == 0
        b.dials("Mel", health=4, ammo=4, fuel=4, radiation=0).do("luck.resupply_quickly", 0)
        assert b.asked == [] and b.luck("Mel") == [title]
