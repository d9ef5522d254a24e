"""The worked combat of the rulebook, and its second example of dominance, die by die."""

from __future__ import annotations

from typing import Any

import pytest

from tests.golden.fights import ATTACK, DEFEND, KEEP, MULTI, PREPARE, fight, markers

MEDI_SHOT = {"knight.chris_hammersworn.carries": '["medi_shot"]', "combat.start_range": '"long"'}
HEAL = 1


@pytest.mark.rule("K1F-34", "K1F-35", "K1F-36", "K1F-37", "K1F-38", "K1F-41", "K4-29", "K1H-15", "K1I-09", "K1G-03")
@pytest.mark.rule("K1F-16", "K1F-17", "K1F-19", "K1F-20", "K1F-06", "K1F-07", "K1F-18", "K5-63", "K1F-04")
def test_two_clashes_of_the_preacher(rules: Any) -> None:
    """Dice 9 | 5 | 1 3 4 7 9, at Long: the marker goes to 2 and back to 0, Health to 2 and back to 4."""
    picks = [ATTACK, PREPARE, ATTACK, ATTACK, HEAL, DEFEND, DEFEND]
    fought = fight(rules, picks, [9, 5, 1, 3, 4, 7, 9], MEDI_SHOT)
    assert fought.s.start_range == 2
    assert markers(fought)[0].endswith("the marker is 2 to the side of Chris Hammersworn.")
    assert markers(fought)[1].endswith("the marker is on 0.")
    assert "  Chris Hammersworn loses 2 Health, 2 left." in fought.story
    assert "  Hell Raiders loses 1 Health, 4 left." in fought.story
    assert (fought.knight.health, fought.knight.health_lost, fought.knight.healed) == (4, 2, 2)
    assert (fought.knight.ammo, fought.knight.ammo_spent) == (2, 2)
    assert (fought.enemy.health, fought.s.range) == (4, 2)


@pytest.mark.rule("K1F-36")
def test_first_clash_alone(rules: Any) -> None:
    """One die at 9 against Hard 9 is one success; damage 2, soak 1."""
    fought = fight(rules, [ATTACK, PREPARE], [9], {"combat.clashes": "1", "combat.start_range": '"long"'})
    assert (fought.s.marker, fought.enemy.health, fought.knight.attacks, fought.knight.hits) == (2, 4, 1, 1)
    assert fought.s.winner == 0


@pytest.mark.rule("K1F-37", "K1F-41")
def test_second_clash_counts_one_success(rules: Any) -> None:
    """Of 1 3 4 7 9 only the 9 is a success at Long, and by Prepare it is a Bull's Eye."""
    fought = fight(rules, [ATTACK, PREPARE, ATTACK, ATTACK], [9, 5, 1, 3, 4, 7, 9],
                   {"combat.clashes": "2", "combat.start_range": '"long"'})  # fmt: skip
    line = next(line for line in fought.story if line.startswith("  Hell Raiders attacks"))
    assert "5 dice, 1 success, 1 Bull’s Eye" in line
    assert (fought.knight.health, fought.s.marker, fought.s.ending) == (2, 0, 10)


@pytest.mark.rule("K1F-38", "K4-40")
def test_healing_does_not_undo_dominance(rules: Any) -> None:
    """With or without the Medi-shot the marker stands the same."""
    dice = [9, 5, 1, 3, 4, 7, 9]
    one = fight(rules, [ATTACK, PREPARE, ATTACK, ATTACK, HEAL], dice, {**MEDI_SHOT, "combat.clashes": "2"})
    two = fight(rules, [ATTACK, PREPARE, ATTACK, ATTACK, KEEP], dice, {**MEDI_SHOT, "combat.clashes": "2"})
    assert (one.knight.health, two.knight.health) == (4, 2)
    assert one.s.marker == two.s.marker == 0


@pytest.mark.rule("K1F-39", "K1F-05", "K1F-14", "K1F-06")
def test_multi_attack_against_attack(rules: Any) -> None:
    """Multi-attack with 2 Health lost is 4, Attack with 1 Health lost is 2: the marker moves 2."""
    sets = {"combat.clashes": "1", "weapon.p_a_shotgun.multi": "1", "enemy.hell_raiders.damage": "0",
            "weapon.p_a_shotgun.icons": '["medium"]', "armor.preachers_coat.armor": "0"}  # fmt: skip
    fought = fight(rules, [MULTI, ATTACK], [10, 1, 2, 7, 1, 1, 1], sets)
    assert (fought.enemy.health_lost, fought.knight.health_lost) == (2, 1)
    assert fought.s.marker == 2
    assert fought.knight.ammo_spent == 2
