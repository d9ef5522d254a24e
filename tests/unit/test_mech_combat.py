"""Dice and combat: hits, damage, weapons that jam or want reloading, attacks of enemies."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.mech_board import HIT, INOPERABLE, MISS, ON_FIRE, ONE, board, effect


@pytest.mark.rule("M14-01", "M14-02", "M14-03")
def test_threes_and_better_hit_for_one_each(rules: Any) -> None:
    """As many dice as the Attack: 1 and 2 miss, 3 to 6 hit."""
    b = board(rules, {"Brute": 4}, {"Waste Giant": 4})
    b.act("Brute", "attack Waste Giant", faces=[1, 2, 3, 6])
    assert b.enemy("Waste Giant").health == 3 and b.member("Brute").dealt == 2
    b.act("Brute", "attack Waste Giant", faces=[4, 5, 2, 2])
    assert b.enemy("Waste Giant").health == 1


@pytest.mark.rule("M14-03", "M5-21")
def test_a_weapon_takes_the_place_of_bare_hands(rules: Any) -> None:
    """Its dice and not the others; bare hands stay a choice."""
    b = board(rules, {"Brute": 4}, {"Waste Giant": 4})
    b.hold("Brute", "Pipe Wrench")
    assert {"attack Waste Giant", "attack Waste Giant with Pipe Wrench"} <= b.options("Brute")
    b.act("Brute", "attack Waste Giant with Pipe Wrench", faces=[HIT, MISS, MISS])
    b.act("Brute", "attack Waste Giant", faces=[HIT, MISS, MISS, MISS])
    assert b.enemy("Waste Giant").health == 3


@pytest.mark.rule("M14-04", "M5-20", "M5-22")
def test_a_weapon_that_shows_nothing_but_ones_jams(rules: Any) -> None:
    """It goes to the Scrap Pile at once; a 2 saves it; bare hands never jam."""
    b = board(rules, {"Scout": 4}, {"Waste Giant": 4})
    b.hold("Scout", "Pipe Wrench")
    b.act("Scout", "attack Waste Giant with Pipe Wrench", faces=[ONE, ONE, MISS])
    b.act("Scout", "attack Waste Giant", faces=[ONE, ONE, ONE])
    assert b.held("Scout") == ["Pipe Wrench"] and b.s.scraps == 2
    b.act("Scout", "attack Waste Giant with Pipe Wrench", faces=[ONE, ONE, ONE])
    assert b.held("Scout") == [] and b.title(b.s.scrap[b.s.scraps - 1]) == "Pipe Wrench"


@pytest.mark.rule("M4-13", "M5-20")
def test_guns_of_the_mech_never_jam(rules: Any) -> None:
    b = board(rules, {"Scout": 9}, {"Toxic Gull": 13})
    b.hold("Scout", "Pipe Wrench")
    b.act("Scout", "gun 9 Toxic Gull", faces=[ONE, ONE, ONE])
    assert "gun 9 Toxic Gull" in b.options("Scout") and b.held("Scout") == ["Pipe Wrench"] and b.s.scraps == 2


@pytest.mark.rule("M14-05")
def test_only_reload_weapons_are_turned(rules: Any) -> None:
    b = board(rules, {"Scout": 4}, {"Waste Giant": 4})
    b.hold("Scout", "Long Rifle", "Pipe Wrench")
    b.act("Scout", "attack Waste Giant with Pipe Wrench", faces=[MISS] * 3)
    b.act("Scout", "attack Waste Giant with Long Rifle", faces=[MISS] * 4)
    words = b.options("Scout")
    assert "attack Waste Giant with Pipe Wrench" in words and "attack Waste Giant with Long Rifle" not in words


@pytest.mark.rule("M13-02", "M14-09", "M14-10", "M16-01", "M16-03")
def test_whom_an_attack_reaches(rules: Any) -> None:
    """The own room; with reach next door too, and The Wastes from a deck; never another crew member."""
    b = board(rules, {"Scout": 1, "Brute": 1}, {"Scrap Rat": 1, "Moaner": 2, "Coil Snake": 3, "Toxic Gull": 13})
    b.hold("Scout", "Scrap Pistol")
    attacks = {word for word in b.options("Scout") if word.startswith("attack")}
    pistol = " with Scrap Pistol"
    expected = {"attack Scrap Rat"} | {f"attack {name}{pistol}" for name in ("Scrap Rat", "Moaner", "Toxic Gull")}
    assert attacks == expected
    b.act("Scout", "move 2")
    attacks = {word for word in b.options("Scout") if word.startswith("attack")}
    expected = {"attack Moaner"} | {f"attack {name}{pistol}" for name in ("Scrap Rat", "Moaner", "Coil Snake")}
    assert attacks == expected
    b.act("Scout", "attack Coil Snake with Scrap Pistol", faces=[HIT, MISS])
    assert b.enemy("Coil Snake").health == 2 and b.member("Scout").actions == 1


@pytest.mark.rule("M14-06", "M14-02", "M12-04")
def test_an_enemy_rolls_against_each_crew_member(rules: Any) -> None:
    b = board(rules, {"Brute": 5, "Scout": 5}, {"Scrap Rat": 5})
    b.enemies_act(faces=[HIT, HIT, MISS, HIT])
    assert (b.health("Brute"), b.health("Scout")) == (4, 4)


@pytest.mark.rule("M14-07")
@pytest.mark.parametrize("attack", ["0", "6"])
def test_a_room_loses_one_step_whatever_the_attack(rules: Any, attack: str) -> None:
    b = board(rules, enemies={"Scrap Rat": 5}, sets={"enemy.scrap_rat.attack": attack})
    b.enemies_act()
    assert b.condition(5) == INOPERABLE


@pytest.mark.rule("M14-08", "M5-19", "M16-09", "M14-02")
def test_enemies_in_the_wastes_shell_the_hull_and_stay(rules: Any) -> None:
    b = board(rules, {"Scout": 1}, {"Toxic Gull": [13, 13]})
    b.enemies_act(faces=[HIT, HIT, HIT, MISS])
    assert b.s.hull == 17 and b.where() == [("Toxic Gull", 13)] * 2 and b.condition(13) == 0
    assert not [word for word in b.options("Scout") if "Gull" in word or word == "move 13"]


@pytest.mark.rule("M14-11")
def test_at_0_health_one_is_downed(rules: Any) -> None:
    b = board(rules, {"Scout": 5, "Brute": 6}, {"Scrap Rat": 5})
    b.do("effects.hurt", 0, 4)
    assert b.member("Scout").downed == 0
    b.enemies_act(faces=[HIT, HIT])
    assert (b.health("Scout"), b.member("Scout").downed, b.s.room[5].crew, b.s.downed) == (0, 1, 0, 1)
    b.do("effects.heal", 0, 3)
    assert b.health("Scout") == 0, "only a Revive helps"


@pytest.mark.rule("M113-01", "M113-02", "M14-01", "M14-04")
@pytest.mark.parametrize("dice", ["1", "2", "3", "6"])
def test_hits_and_jams_of_a_pool_are_exact(rules: Any, dice: str) -> None:
    """Two thirds of a hit for each die, and a jam with a chance of one in six to the power of the dice."""
    b, many = board(rules), int(dice)
    law, ladder = b.t.laws, rules["dice"].ladder(many, 6, int(b.t.laws.success_from[0]), int(b.t.laws.top_from[0]))
    ways = sum(way for _, _, way in ladder)
    assert (law.success_from[0], law.top_from[0], ways) == (2, 3, 6**many)
    assert sum(Fraction(hits * way, ways) for _, hits, way in ladder) == Fraction(2 * many, 3)
    assert Fraction(sum(way for not_ones, _, way in ladder if not_ones == 0), ways) == Fraction(1, 6) ** many


def test_armor_of_an_enemy_stops_hits_of_each_attack(rules: Any) -> None:
    b = board(rules, {"Brute": 3}, {"Plated Grub": 3})
    b.act("Brute", "attack Plated Grub", faces=[HIT, MISS, MISS, MISS])
    assert b.enemy("Plated Grub").health == 2
    b.act("Brute", "attack Plated Grub", faces=[HIT, HIT, MISS, MISS])
    assert b.enemy("Plated Grub").health == 1


def test_guard_takes_dice_soak_takes_hits_and_shelter_is_a_rooms_guard(rules: Any) -> None:
    sets = {
        "armor.leather_coat.effects": effect("standing", "guard", 1),
        "armor.plate_vest.effects": effect("standing", "soak", 1),
        "upgrade.bunk.effects": effect("standing", "shelter", 1),
    }
    b = board(rules, {"Brute": 6, "Scout": 6, "Doctor": 7}, {"Scrap Rat": [6, 7]}, sets)
    b.hold("Brute", "Leather Coat")
    b.hold("Scout", "Plate Vest")
    b.build("Bunk", 7)
    b.enemies_act(faces=[HIT, HIT, HIT, HIT])
    assert [b.health(name) for name in b.crew] == [5, 4, 4]


def test_dice_more_and_less(rules: Any) -> None:
    """A weapon without dice is no weapon; what an upgrade adds in a gun's room is the gun's."""
    sets = {
        "gear.scope.effects": effect("standing", "weapon", -2),
        "upgrade.armory.effects": effect("standing", "dice", 2),
        "upgrade.twin_barrels.effects": effect("standing", "dice", 2),
    }
    b = board(rules, {"Scout": 6}, {"Scrap Rat": 6}, sets)
    b.hold("Scout", "Scrap Pistol", "Scope")
    assert "attack Scrap Rat with Scrap Pistol" not in b.options("Scout")
    b.build("Armory", 6)
    assert b.do("crew.weapon_dice", 0, b.item("Scrap Pistol")) == 2
    b = board(rules, {"Scout": 9}, {"Scrap Rat": 9}, sets)
    b.build("Twin Barrels", 9)
    assert b.do("crew.weapon_dice", 0, b.item("Scrap Pistol")) == 2


def test_a_burning_room_is_no_target(rules: Any) -> None:
    b = board(rules, {"Scout": 1}, {"Scrap Rat": 10}).damage(r10=ON_FIRE, r11=ON_FIRE)
    b.enemies_act()
    assert b.condition(10) == ON_FIRE and b.s.fires == 0
