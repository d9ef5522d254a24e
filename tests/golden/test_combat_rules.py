"""Each rule of a combat in a few scripted clashes: the Preacher against Hell Raiders on bare cards.

At medium range (difficulty 7) the Preacher has 2 dice by the medium icon and soaks 1, the Raiders have 4 dice, +1
damage, armor 1 and 5 Health.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.golden.fights import (
    ADVANCE,
    ATTACK,
    CHANGE,
    DEFEND,
    KEEP,
    LONG,
    MEDIUM,
    MULTI,
    PREPARE,
    RETREAT,
    SHORT,
    fight,
    markers,
)

ONE = {"weapon.p_a_shotgun.icons": '["medium"]'}
LAST = {**ONE, "combat.clashes": "1"}
TWO = {**ONE, "combat.clashes": "2"}
BLOWS, DOMINANCE, EFFECT, BOTH_DOWN, ON_ZERO, STAND, TRADED = range(6, 13)
MISS = 1


def effect(when: str, what: str, many: int, whom: str = "self", only: str = "") -> str:
    """One row of effect as TOML."""
    return f'[{{ when = "{when}", what = "{what}", whom = "{whom}", many = {many}, only = "{only}" }}]'


def dice_of(fought: Any, name: str) -> list[int]:
    """The pools that a side rolled, from the story."""
    lines = [line for line in fought.story if f"{name} attacks" in line]
    return [int(line.split(": ")[1].split()[0]) for line in lines]


@pytest.mark.rule("K1F-01", "K1F-02", "K1F-23", "K1D-15", "K4-37")
def test_three_clashes_from_medium(rules: Any) -> None:
    """Three times nothing but Defend: the marker stays on 0 and nobody wins."""
    fought = fight(rules, [DEFEND, DEFEND] * 3, sets=ONE)
    assert (fought.s.rounds, fought.s.start_range, fought.s.marker) == (3, MEDIUM, 0)
    assert (fought.s.ending, fought.s.winner, fought.knight.reputation) == (ON_ZERO, -1, 0)


@pytest.mark.rule("K1F-04", "K4-29", "K5-68")
def test_a_missed_attack(rules: Any) -> None:
    """One arrow and one Ammo, hit or miss; the enemy spends none (K1F-29)."""
    fought = fight(rules, [ATTACK, PREPARE], [MISS, MISS], LAST)
    assert (fought.s.marker, fought.knight.ammo_spent, fought.knight.hits) == (1, 1, 0)


@pytest.mark.rule("K1F-29", "K1F-18")
def test_an_enemy_attacks_by_aggression_and_for_nothing(rules: Any) -> None:
    """Four dice of Aggression, no Ammo."""
    fought = fight(rules, [PREPARE, ATTACK], [MISS] * 4, LAST)
    assert (fought.s.marker, fought.enemy.ammo_spent, dice_of(fought, "Hell Raiders")) == (-1, 0, [4])


@pytest.mark.rule("K1F-05", "K5-66")
def test_multi_attack(rules: Any) -> None:
    """A die for each icon, two Ammo, two arrows."""
    fought = fight(rules, [MULTI, DEFEND], [MISS, MISS], {**LAST, "weapon.p_a_shotgun.multi": "2"})
    assert (dice_of(fought, "Chris Hammersworn"), fought.knight.ammo_spent, fought.s.marker) == ([2], 2, 4)


@pytest.mark.rule("K1F-05", "K5-66")
@pytest.mark.parametrize("ammo", ["without_icon", "one_ammo"])
def test_multi_attack_may_not_be_played(rules: Any, ammo: str) -> None:
    """It needs a Multi-attack icon and two Ammo."""
    sets = {**LAST, "weapon.p_a_shotgun.multi": "0" if ammo == "without_icon" else "1"}
    with pytest.raises(ValueError, match="options are"):
        fight(rules, [MULTI, DEFEND], [MISS] * 3, sets, {"ammo": 4 if ammo == "without_icon" else 1})


@pytest.mark.rule("K5-66", "K1F-04", "K5-92")
def test_no_ammo_no_attack(rules: Any) -> None:
    """A ranged weapon needs Ammo for an Attack."""
    with pytest.raises(ValueError, match="options are"):
        fight(rules, [ATTACK, DEFEND], [MISS] * 2, LAST, {"ammo": 0})


@pytest.mark.rule("K1F-07")
def test_prepare_helps_the_next_attack(rules: Any) -> None:
    """Two dice more and nines as Bull's Eyes; no dominance for Prepare itself."""
    fought = fight(rules, [PREPARE, PREPARE, ATTACK, DEFEND], [9, 9], {**TWO, "enemy.hell_raiders.armor": "0"})
    assert dice_of(fought, "Chris Hammersworn") == [2]
    assert markers(fought)[0].endswith("the marker is on 0.")
    assert fought.enemy.health_lost == 1 + 1 + 2


@pytest.mark.rule("K4-32", "K1F-07", "K5-61")
def test_prepare_is_lost_on_anything_else(rules: Any) -> None:
    """After Prepare and Defend the Attack is a plain one, and Prepare may not be played twice running."""
    sets = {**ONE, "enemy.hell_raiders.armor": "0"}
    fought = fight(rules, [PREPARE, DEFEND, DEFEND, PREPARE, ATTACK, DEFEND], [9], {**sets})
    assert dice_of(fought, "Chris Hammersworn") == [1]
    assert fought.enemy.health_lost == 2
    with pytest.raises(ValueError, match="options are"):
        fight(rules, [PREPARE, DEFEND, PREPARE, DEFEND], [], TWO)


@pytest.mark.rule("K4-32", "K1F-07")
def test_prepare_does_nothing_for_multi_attack(rules: Any) -> None:
    """Dice and Bull's Eyes of a Multi-attack after Prepare are the usual ones."""
    sets = {**TWO, "weapon.p_a_shotgun.multi": "1", "enemy.hell_raiders.armor": "0"}
    fought = fight(rules, [PREPARE, PREPARE, MULTI, CHANGE, RETREAT], [9, 9], sets)
    assert dice_of(fought, "Chris Hammersworn") == [2]
    assert fought.enemy.health_lost == 2


@pytest.mark.rule("K4-33", "K4-36")
def test_prepare_in_the_last_clash_and_defend_by_the_waster(rules: Any) -> None:
    """Prepare is legal and useless at the end; an enemy's Defend gives two arrows away and nothing else."""
    fought = fight(rules, [DEFEND, DEFEND, DEFEND, DEFEND, PREPARE, DEFEND], sets=ONE)
    assert (fought.s.marker, fought.s.winner, fought.s.ending) == (2, 0, DOMINANCE)


@pytest.mark.rule("K1F-08", "K1F-14")
def test_advance(rules: Any) -> None:
    """One arrow, one die less for the opponent, and the range closes only at the clash's end."""
    fought = fight(rules, [CHANGE, ATTACK, ADVANCE], [MISS] * 3, LAST)
    assert dice_of(fought, "Hell Raiders") == [3]
    assert (fought.s.marker, fought.s.range) == (1 - 1, SHORT)
    assert markers(fought) == ["Dominance: Chris Hammersworn +1, Hell Raiders +1; the marker is on 0."]


@pytest.mark.rule("K1F-09", "K1F-14")
def test_retreat(rules: Any) -> None:
    """The arrow goes to the opponent, his check loses one die, and the range opens."""
    fought = fight(rules, [CHANGE, ATTACK, RETREAT], [MISS] * 3, LAST)
    assert dice_of(fought, "Hell Raiders") == [3]
    assert (fought.s.marker, fought.s.range) == (-2, LONG)


@pytest.mark.rule("K1F-10", "K5-73")
def test_change_range_at_an_end(rules: Any) -> None:
    """Advancing at short range still brings the arrow."""
    fought = fight(rules, [CHANGE, PREPARE, ADVANCE], [], {**LAST, "combat.start_range": '"short"'})
    assert (fought.s.marker, fought.s.range) == (1, SHORT)
    fought = fight(rules, [CHANGE, PREPARE, RETREAT], [], {**LAST, "combat.start_range": '"long"'})
    assert (fought.s.marker, fought.s.range) == (-1, LONG)


@pytest.mark.rule("K1F-11", "K5-72", "K5-73")
def test_a_steady_chase(rules: Any) -> None:
    """One advances, the other retreats, at every end: the range stays, two dominance a clash to the first."""
    for start in ('"short"', '"medium"', '"long"'):
        sets = {**ONE, "combat.start_range": start}
        fought = fight(rules, [CHANGE, CHANGE, ADVANCE, RETREAT] * 3, sets=sets)
        assert (fought.s.marker, fought.s.range) == (6, fought.s.start_range)


@pytest.mark.rule("K4-31")
@pytest.mark.parametrize("reading", ["two_steps", "one_step"])
def test_both_advance(rules: Any, reading: str) -> None:
    """From Long two advances lead to Short, or by the other reading to Medium."""
    sets = {**LAST, "combat.start_range": '"long"', "ruling.same_way": f'"{reading}"'}
    fought = fight(rules, [CHANGE, CHANGE, ADVANCE, ADVANCE], sets=sets)
    assert fought.s.range == (SHORT if reading == "two_steps" else MEDIUM)


@pytest.mark.rule("K1F-12", "K1F-14")
def test_defend(rules: Any) -> None:
    """Two arrows to the opponent, whose check loses two dice."""
    fought = fight(rules, [DEFEND, ATTACK], [MISS] * 2, LAST)
    assert (dice_of(fought, "Hell Raiders"), fought.s.marker) == ([2], -3)
    fought = fight(rules, [ATTACK, DEFEND], [MISS], LAST)
    assert (dice_of(fought, "Chris Hammersworn"), fought.s.marker) == ([1], 3)


@pytest.mark.rule("K1F-12", "K5-71", "K1F-13")
def test_defend_re_equips_before_the_blow(rules: Any) -> None:
    """Armor of 3 taken up with Defend soaks the attack of the same clash."""
    sets = {**LAST, "knight.chris_hammersworn.carries": '["riot_suit"]', "armor.riot_suit.armor": "3",
            "armor.riot_suit.effects": "[]"}  # fmt: skip
    for kit, lost in ((0, 2), (1, 0)):
        fought = fight(rules, [DEFEND, ATTACK, kit], [10, 7], sets)
        assert (fought.knight.health_lost, fought.knight.kit) == (lost, kit)


@pytest.mark.rule("K1E-17", "K4-26", "K5-79")
def test_never_less_than_one_die(rules: Any) -> None:
    """Two dice, less two for Defend and one for the range icon, are one."""
    sets = {**LAST, "combat.start_range": '"long"'}
    fought = fight(rules, [ATTACK, DEFEND], [MISS], sets)
    assert dice_of(fought, "Chris Hammersworn") == [1]


FAST = {
    **LAST,
    "enemy.hell_raiders.icons": '["short"]',
    "enemy.hell_raiders.health": "1",
    "enemy.hell_raiders.armor": "0",
}


@pytest.mark.rule("K1F-16", "K4-30", "K5-75", "K5-80", "K1F-22")
def test_the_slower_one_is_beaten_first(rules: Any) -> None:
    """At medium the medium icon is faster: the Raiders fall before they attack, and no dominance is counted."""
    fought = fight(rules, [ATTACK, ATTACK], [7, MISS], FAST)
    assert (fought.s.winner, fought.s.ending, fought.enemy.attacks, fought.s.marker) == (0, BLOWS, 0, 0)
    assert fought.s.rounds == 1


@pytest.mark.rule("K1F-16", "K5-68")
def test_initiative_follows_the_range_card(rules: Any) -> None:
    """With the order turned round the enemy strikes first, and a beaten knight pays nothing."""
    sets = {**FAST, "range.medium.initiative": '["short", "medium", "long"]', "enemy.hell_raiders.damage": "4",
            "enemy.hell_raiders.aggression": "5"}  # fmt: skip
    fought = fight(rules, [ATTACK, ATTACK], [7, 1, 1, 1], sets)
    assert (fought.s.winner, fought.knight.attacks, fought.knight.ammo_spent) == (1, 0, 0)


EVEN = {
    **LAST,
    "enemy.hell_raiders.health": "1",
    "enemy.hell_raiders.armor": "0",
    "enemy.hell_raiders.damage": "4",
}


@pytest.mark.rule("K1F-16", "K1F-24", "K5-76", "K4-39", "K5-82")
def test_equal_initiative_beats_both(rules: Any) -> None:
    """Same icon: both strike in full, both are beaten, nobody wins or gains, both have beaten somebody."""
    fought = fight(rules, [ATTACK, ATTACK], [7, 1, 7, 1, 1, 1], EVEN)
    assert (fought.s.ending, fought.s.winner) == (BOTH_DOWN, -1)
    assert (fought.knight.yellow, fought.knight.beat, fought.enemy.beat) == (0, 1, 1)


@pytest.mark.rule("K4-39", "K4-47")
def test_double_defeat_by_the_other_reading(rules: Any) -> None:
    """The card's rewards are gained all the same."""
    sets = {**EVEN, "ruling.double_defeat_rewards": '"both"', "enemy.hell_raiders.rewards.yellow": "2"}
    assert fight(rules, [ATTACK, ATTACK], [7, 1, 7, 1, 1, 1], sets).knight.yellow == 2


@pytest.mark.rule("K1F-17", "K5-65", "K4-28")
@pytest.mark.parametrize("reading", ["forbidden", "allowed"])
def test_attack_without_a_usable_icon(rules: Any, reading: str) -> None:
    """The short icon isn't on the Long card: Attack may not be played, or counts its arrow and does nothing."""
    sets = {**LAST, "weapon.p_a_shotgun.icons": '["short"]', "combat.start_range": '"long"',
            "ruling.attack_without_icon": f'"{reading}"'}  # fmt: skip
    if reading == "forbidden":
        with pytest.raises(ValueError, match="options are"):
            fight(rules, [ATTACK, PREPARE], [], sets)
    else:
        fought = fight(rules, [ATTACK, PREPARE], [], sets)
        assert (fought.s.marker, fought.knight.ammo_spent, fought.knight.attacks) == (1, 0, 0)


@pytest.mark.rule("K1F-18", "K1F-04", "K5B-32")
def test_melee_uses_blades_and_no_ammo(rules: Any) -> None:
    """Blades 2 and the Short card's die for melee make three."""
    sets = {**LAST, "knight.chris_hammersworn.weapons": '["hatchet"]', "combat.start_range": '"short"',
            "weapon.hatchet.effects": "[]", "weapon.hatchet.icons": '["melee"]',
            "knight.chris_hammersworn.skills.blades": "2"}  # fmt: skip
    fought = fight(rules, [ATTACK, PREPARE], [MISS] * 3, sets)
    assert (dice_of(fought, "Chris Hammersworn"), fought.knight.ammo_spent) == ([3], 0)


@pytest.mark.rule("K1F-19", "K1E-20", "K5-38", "K1F-41")
@pytest.mark.parametrize("faces", ["7_1", "7_8", "10_1", "10_10", "6_5"])
def test_damage(rules: Any, faces: str) -> None:
    """One for the hit, one for each ten, the weapon's one; more successes add nothing; a miss deals nothing."""
    dice = [int(face) for face in faces.split("_")]
    fought = fight(rules, [ATTACK, PREPARE], dice, {**LAST, "enemy.hell_raiders.armor": "0"})
    assert fought.enemy.health_lost == {"7_1": 2, "7_8": 2, "10_1": 3, "10_10": 4, "6_5": 0}[faces]


@pytest.mark.rule("K1F-20", "K4-42", "K1F-21")
@pytest.mark.parametrize("armor_and_piercing", ["0_0", "1_0", "1_1", "1_3", "3_1", "6_0"])
def test_soak(rules: Any, armor_and_piercing: str) -> None:
    """Armor less piercing, never below 0, is taken off 2 damage, never below 0."""
    armor, piercing = armor_and_piercing.split("_")
    sets = {**LAST, "enemy.hell_raiders.armor": armor, "weapon.p_a_shotgun.piercing": piercing}
    lost = {"0_0": 2, "1_0": 1, "1_1": 2, "1_3": 2, "3_1": 0, "6_0": 0}[armor_and_piercing]
    fought = fight(rules, [ATTACK, PREPARE], [7, 1], sets)
    assert (fought.enemy.health_lost, fought.s.marker) == (lost, 1 + lost)


@pytest.mark.rule("K1F-21")
def test_modifiers_add_up(rules: Any) -> None:
    """Armor of the card and of an effect, damage of the weapon, the range card and an ability."""
    sets = {**LAST, "knight.chris_hammersworn.effects": effect("standing", "damage", 2),
            "range.medium.damage": "{ medium = 1, short = 0, long = 0 }",
            "enemy.hell_raiders.effects": effect("standing", "armor", 1)}  # fmt: skip
    assert fight(rules, [ATTACK, PREPARE], [7, 1], sets).enemy.health_lost == 1 + 1 + 2 + 1 - 2


@pytest.mark.rule("K5-78")
def test_better_bulls_eyes(rules: Any) -> None:
    """A weapon whose Bull's Eyes are worth two."""
    fought = fight(rules, [ATTACK, PREPARE], [10, 10], {**LAST, "weapon.p_a_shotgun.bulls_eye": "2"})
    assert fought.enemy.health_lost == 1 + 1 + 4 - 1


@pytest.mark.rule("K1F-22", "K5-86")
def test_winning_by_dominance(rules: Any) -> None:
    """After the third clash the marker decides; the Waster gains nothing."""
    fought = fight(
        rules,
        [DEFEND, DEFEND, DEFEND, DEFEND, PREPARE, DEFEND],
        sets={**ONE, "enemy.hell_raiders.rewards.green": "1"},
    )
    assert (fought.s.winner, fought.knight.green) == (0, 1)
    fought = fight(rules, [DEFEND, DEFEND, DEFEND, DEFEND, DEFEND, PREPARE], sets=ONE)
    assert (fought.s.winner, fought.s.ending, fought.enemy.green, fought.knight.health) == (
        1,
        DOMINANCE,
        0,
        4,
    )


@pytest.mark.rule("K1F-25", "K4-37")
def test_a_ferocious_enemy(rules: Any) -> None:
    """No dominance at all: an attack each clash and both alive is a draw."""
    sets = {**ONE, "enemy.hell_raiders.ferocious": "true"}
    fought = fight(rules, [ATTACK, PREPARE, ATTACK, DEFEND, ATTACK, PREPARE], [10, 7, 7, 1, 1], sets)
    assert (fought.s.marker, fought.s.ending, fought.s.winner) == (0, STAND, -1)
    fought = fight(rules, [ATTACK, PREPARE], [10, 7], {**sets, "enemy.hell_raiders.health": "2"})
    assert (fought.s.ending, fought.s.winner) == (BLOWS, 0)


@pytest.mark.rule("K1F-15", "K4-41")
def test_the_marker_goes_beyond_five(rules: Any) -> None:
    """Three enemy Defends against Multi-attacks pass the end of the track."""
    sets = {**ONE, "weapon.p_a_shotgun.multi": "1", "weapon.p_a_shotgun.ammo": "0"}
    fought = fight(rules, [MULTI, DEFEND] * 3, [MISS] * 3, sets)
    assert fought.s.marker == 12


MEDI = {**ONE, "knight.chris_hammersworn.carries": '["medi_shot"]'}


@pytest.mark.rule("K1F-26")
def test_nothing_heals_who_falls_at_one_blow(rules: Any) -> None:
    """With a Medi-shot in the pocket the knight is asked nothing, and is beaten."""
    fought = fight(rules, [PREPARE, ATTACK], [10, 10, 10, 1], MEDI)
    assert (fought.s.winner, fought.knight.health, fought.knight.healed) == (1, 0, 0)


@pytest.mark.rule("K1H-07", "K5B-16")
def test_medi_shot_before_a_blow(rules: Any) -> None:
    """A wounded knight may heal before the opponent's attack, or after it, once; the card is discarded."""
    fought = fight(rules, [PREPARE, ATTACK, 1], [1] * 4, {**MEDI, "combat.clashes": "1"}, {"health": 3})
    assert (fought.knight.health, fought.knight.healed, fought.knight.discarded) == (4, 1, 1)
    fought = fight(rules, [PREPARE, ATTACK, 1], [7, 1, 1, 1], {**MEDI, "combat.clashes": "1"})
    assert (fought.knight.health, fought.knight.healed, fought.knight.discarded) == (4, 1, 1)


@pytest.mark.rule("K1F-28", "K1E-21", "K1E-22", "K4-27")
@pytest.mark.parametrize("health", ["4", "3", "2", "1"])
def test_wounds_from_before(rules: Any, health: str) -> None:
    """A knight with 2 Health rolls one die less, with 1 two less, of four dice."""
    sets = {**LAST, "knight.chris_hammersworn.skills.guns": "4"}
    fought = fight(
        rules,
        [ATTACK, PREPARE],
        [MISS] * {"4": 4, "3": 4, "2": 3, "1": 2}[health],
        sets,
        {"health": int(health)},
    )
    assert fought.knight.attacks == 1


@pytest.mark.rule("K4-27")
def test_wounds_from_before_by_the_other_reading(rules: Any) -> None:
    """Waived: all four dice with 1 Health."""
    sets = {**LAST, "knight.chris_hammersworn.skills.guns": "4", "ruling.wounds_in_combat": '"waived"'}
    assert fight(rules, [ATTACK, PREPARE], [MISS] * 4, sets, {"health": 1}).knight.attacks == 1


@pytest.mark.rule("K1F-28", "K1F-29")
def test_wounds_of_this_combat_wait(rules: Any) -> None:
    """Three Health lost in the first clash cost no dice in the second; an enemy never loses dice."""
    dice = [10, 10, 1, 1] + [MISS] * 4 + [MISS] * 4
    fought = fight(rules, [PREPARE, ATTACK, ATTACK, ATTACK], dice, TWO)
    assert (fought.knight.health, dice_of(fought, "Chris Hammersworn")) == (1, [4])
    assert dice_of(fought, "Hell Raiders") == [4, 4]


CHAINSAW = {"knight.chris_hammersworn.weapons": '["chainsaw"]', "combat.start_range": '"short"',
            "weapon.chainsaw.effects": "[]", "weapon.chainsaw.icons": '["melee"]', "weapon.chainsaw.multi": "0",
            "weapon.chainsaw.fuel": "1", "weapon.chainsaw.ammo": "0", "enemy.hell_raiders.health": "20",
            "knight.chris_hammersworn.skills.blades": "2"}  # fmt: skip


@pytest.mark.rule("K1F-33", "K1H-13", "K5-69")
def test_fuel_weapon(rules: Any) -> None:
    """One Fuel covers all attacks of the combat; without Fuel there is no attack."""
    fought = fight(
        rules, [ATTACK, PREPARE, ATTACK, DEFEND], [MISS] * 4, {**CHAINSAW, "combat.clashes": "2"}, {"fuel": 1}
    )
    assert (fought.knight.fuel, fought.knight.fuel_spent, fought.knight.attacks) == (0, 1, 2)
    with pytest.raises(ValueError, match="options are"):
        fight(rules, [ATTACK, PREPARE], [MISS] * 3, {**CHAINSAW, "combat.clashes": "1"}, {"fuel": 0})


@pytest.mark.rule("K1H-14", "K5-94", "K1H-16")
def test_no_ammo_required(rules: Any) -> None:
    """Such a weapon spends none, so nothing that hangs on spent Ammo helps it."""
    for ammo, dice in (("0", 2), ("1", 4)):
        sets = {**LAST, "weapon.p_a_shotgun.ammo": ammo,
                "knight.chris_hammersworn.effects": effect("standing", "dice", 2, only="ammo")}  # fmt: skip
        fought = fight(rules, [ATTACK, PREPARE], [MISS] * dice, sets)
        assert fought.knight.ammo_spent == int(ammo)


@pytest.mark.rule("K5-96", "K1E-37", "K4-34")
@pytest.mark.parametrize("reading", ["no_bulls_eyes", "prepared_nines_and_tens"])
def test_radiation_takes_bulls_eyes(rules: Any, reading: str) -> None:
    """A ten is still a success but adds nothing; after Prepare too, or by the other reading it counts then."""
    sets = {**TWO, "enemy.hell_raiders.armor": "0", "ruling.radiation_against_prepare": f'"{reading}"'}
    plain = fight(rules, [ATTACK, PREPARE], [10, 10], {**sets, "combat.clashes": "1"}, {"radiation": 2})
    assert plain.enemy.health_lost == 2
    ready = fight(rules, [PREPARE, PREPARE, ATTACK, DEFEND], [10, 9], sets, {"radiation": 2})
    assert ready.enemy.health_lost == (2 if reading == "no_bulls_eyes" else 4)


@pytest.mark.rule("K5-97", "K1E-37")
def test_radiation_bars_healing(rules: Any) -> None:
    """At the level of no healing the Medi-shot isn't offered."""
    fought = fight(rules, [PREPARE, ATTACK], [7, 1, 1, 1], {**MEDI, "combat.clashes": "1"}, {"radiation": 3})
    assert (fought.knight.health, fought.knight.healed) == (3, 0)


@pytest.mark.rule("K1I-10", "K5-37")
def test_an_enemy_takes_dice(rules: Any) -> None:
    """A text that costs the knight two dice in combat."""
    sets = {**LAST, "enemy.hell_raiders.effects": effect("standing", "dice", -2, "opponent"),
            "knight.chris_hammersworn.skills.guns": "5"}  # fmt: skip
    assert dice_of(fight(rules, [ATTACK, PREPARE], [MISS] * 3, sets), "Chris Hammersworn") == [3]


@pytest.mark.rule("K1F-02", "K1I-11", "K1G-09", "K5-60")
def test_starting_range(rules: Any) -> None:
    """One side's effect sets it; if both use one, nothing changes."""
    mayhem = {**LAST, "knight.chris_hammersworn.effects": effect("before", "start_range", 3)}
    furball = {"enemy.hell_raiders.effects": effect("before", "start_range", 0)}
    assert fight(rules, [1 + LONG, DEFEND, DEFEND], sets=mayhem).s.start_range == LONG
    assert fight(rules, [4, DEFEND, DEFEND], sets={**LAST, **furball}).s.start_range == SHORT
    assert fight(rules, [1 + LONG, 4, DEFEND, DEFEND], sets={**mayhem, **furball}).s.start_range == MEDIUM
    assert fight(rules, [0, 4, 0, DEFEND, DEFEND], sets={**mayhem, **furball}).s.start_range == SHORT


@pytest.mark.rule("K1I-15", "K1I-14", "K1F-27", "K4-38")
def test_texts_at_the_start_and_after_a_lost_fight(rules: Any) -> None:
    """Vehicle damage as the combat starts; the knight stops, and loses no Health, only if he loses."""
    rows = effect("start", "vehicle", 1, "opponent")[:-1] + "," + effect("won", "stop", 1, "opponent")[1:]
    sets = {**LAST, "enemy.hell_raiders.effects": rows}
    lost = fight(rules, [DEFEND, PREPARE], sets=sets)
    assert (lost.s.winner, lost.knight.vehicle, lost.knight.stopped, lost.knight.health) == (1, 1, 1, 4)
    drawn = fight(rules, [PREPARE, PREPARE], sets=sets)
    assert (drawn.s.winner, drawn.knight.vehicle, drawn.knight.stopped) == (-1, 1, 0)


@pytest.mark.rule("K1I-13", "K5-74")
def test_range_set_at_the_clash_end(rules: Any) -> None:
    """A named range comes after the moves of the clash."""
    sets = {**LAST, "enemy.hell_raiders.effects": effect("clash_end", "set_range", 2)}
    assert fight(rules, [CHANGE, PREPARE, ADVANCE], sets=sets).s.range == LONG
    stride = {
        **LAST,
        "combat.start_range": '"long"',
        "knight.chris_hammersworn.effects": effect("standing", "stride", 1),
    }
    assert fight(rules, [CHANGE, PREPARE, ADVANCE], sets=stride).s.range == SHORT


@pytest.mark.rule("K5-81", "K1F-24")
def test_effects_of_winning_and_of_beating(rules: Any) -> None:
    """In a draw by double defeat what asks for winning is silent, what asks for beating works."""
    rows = effect("won", "green", 1)[:-1] + "," + effect("defeated", "red", 1)[1:]
    both = fight(rules, [ATTACK, ATTACK], [7, 1, 7, 1, 1, 1], {**EVEN, "knight.chris_hammersworn.effects": rows})
    assert (both.knight.green, both.knight.red) == (0, 1)
    won = fight(rules, [ATTACK, PREPARE], [7, 1], {**EVEN, "knight.chris_hammersworn.effects": rows})
    assert (won.knight.green, won.knight.red) == (1, 1)


@pytest.mark.rule("K4-40", "K5-93")
@pytest.mark.parametrize("reading", ["none", "counted"])
def test_health_lost_without_an_attack(rules: Any, reading: str) -> None:
    """It passes armor and brings no dominance, or by the other reading it does."""
    sets = {**LAST, "enemy.hell_raiders.effects": effect("start", "health", -2, "opponent"),
            "ruling.other_losses_dominance": f'"{reading}"'}  # fmt: skip
    fought = fight(rules, [PREPARE, PREPARE], sets=sets)
    assert (fought.knight.health, fought.knight.other_lost, fought.s.marker) == (
        2,
        2,
        0 if reading == "none" else -2,
    )


@pytest.mark.rule("K1F-22")
def test_beaten_by_an_effect(rules: Any) -> None:
    """Who loses his last Health to an effect is out at once."""
    sets = {**LAST, "enemy.hell_raiders.effects": effect("start", "health", -4, "opponent")}
    fought = fight(rules, [], sets=sets)
    assert (fought.s.winner, fought.s.ending, fought.s.rounds) == (1, EFFECT, 0)


@pytest.mark.rule("K1F-22", "K1F-23", "K1D-02")
def test_rewards_only_for_a_victory(rules: Any) -> None:
    """The printed rewards; Ammo stops at four."""
    sets = {
        **LAST,
        "enemy.hell_raiders.rewards": "{ reputation = 1, green = 1, yellow = 2, red = 3, ammo = 3, fuel = 1 }",
    }
    won = fight(rules, [ATTACK, PREPARE], [7, 1], sets, {"ammo": 3, "fuel": 1})
    assert (won.knight.reputation, won.knight.green, won.knight.yellow, won.knight.red) == (1, 1, 2, 3)
    assert (won.knight.ammo, won.knight.fuel) == (4, 2)
    drawn = fight(rules, [PREPARE, PREPARE], sets=sets)
    assert (drawn.knight.reputation, drawn.knight.yellow) == (0, 0)


DUEL = {
    **ONE,
    "knight.naomi_vatt.effects": "[]",
    "knight.naomi_vatt.carries": "[]",
    "knight.naomi_vatt.weapons": '["p_a_shotgun"]',
    "knight.naomi_vatt.skills.guns": "3",
    "knight.naomi_vatt.armor": '"preachers_coat"',
}
PAIR = ("chris_hammersworn", "naomi_vatt")


@pytest.mark.rule("K1F-32", "K5-89", "K1E-41", "K5-90")
def test_a_duel(rules: Any) -> None:
    """Both pay Ammo and use their Guns, dominance counts, and the winner gains one Reputation."""
    fought = fight(rules, [ATTACK, ATTACK], [1, 1, 7, 1, 1], {**DUEL, "combat.clashes": "1"}, lineup=PAIR, duel=True)
    assert (fought.knight.ammo_spent, fought.enemy.ammo_spent, fought.knight.health_lost) == (1, 1, 1)
    assert (fought.s.winner, fought.enemy.reputation, fought.knight.reputation) == (1, 1, 0)


@pytest.mark.rule("K1F-32", "K5-89")
def test_both_defend_in_the_first_clash(rules: Any) -> None:
    """Only in the first clash of a duel do two Defends end it, and the knights may trade."""
    fought = fight(rules, [DEFEND, DEFEND], sets=DUEL, lineup=PAIR, duel=True)
    assert (fought.s.ending, fought.s.winner, fought.s.rounds) == (TRADED, -1, 1)
    later = fight(
        rules,
        [PREPARE, PREPARE, DEFEND, DEFEND],
        sets={**DUEL, "combat.clashes": "2"},
        lineup=PAIR,
        duel=True,
    )
    assert later.s.ending == ON_ZERO


@pytest.mark.rule("K4-47")
def test_a_duel_that_beats_both(rules: Any) -> None:
    """Neither gains Reputation."""
    sets = {**DUEL, "combat.clashes": "1", "weapon.p_a_shotgun.damage": "5"}
    fought = fight(rules, [ATTACK, ATTACK], [7, 1, 7, 1, 1], sets, lineup=PAIR, duel=True)
    assert (fought.s.ending, fought.knight.reputation, fought.enemy.reputation) == (BOTH_DOWN, 0, 0)


@pytest.mark.rule("K1H-17", "K5-60")
def test_a_card_used_before_combat(rules: Any) -> None:
    """A Mini-bomber costs the enemy Health before the first clash, by choice and once."""
    sets = {
        **LAST,
        "knight.chris_hammersworn.carries": '["mini_bomber"]',
        "gear.mini_bomber.use": '"one_use"',
        "gear.mini_bomber.effects": effect("before", "health", -1, "opponent"),
    }
    used = fight(rules, [4, DEFEND, DEFEND], sets=sets)
    assert (used.enemy.health, used.knight.discarded, used.s.marker) == (4, 1, 0)
    assert fight(rules, [KEEP, DEFEND, DEFEND], sets=sets).enemy.health == 5


@pytest.mark.rule("K1F-03", "K5-64", "K5-63")
def test_the_icon_is_chosen_after_the_reveal(rules: Any) -> None:
    """The knight picks his icon first, then the enemy; the damage icon counts whichever was picked."""
    sets = {
        "combat.clashes": "1",
        "enemy.hell_raiders.icons": '["short", "medium"]',
        "enemy.hell_raiders.armor": "0",
    }
    fought = fight(rules, [ATTACK, ATTACK, 0, 1], [MISS] * 4 + [7], sets)
    assert any("Chris Hammersworn attacks" in line and "by the short icon" in line for line in fought.story)
    assert fought.enemy.health_lost == 2


@pytest.mark.rule("K1F-30", "K4-43")
def test_enemy_health_is_what_it_takes(rules: Any) -> None:
    """Five Health take five losses; what goes beyond is no Health lost and no dominance."""
    fought = fight(rules, [ATTACK, PREPARE], [10, 10], {**LAST, "enemy.hell_raiders.health": "4"})
    assert (fought.enemy.health, fought.enemy.health_lost, fought.s.winner) == (1, 3, 0)
    beaten = fight(rules, [ATTACK, PREPARE], [10, 10], {**LAST, "enemy.hell_raiders.health": "2"})
    assert (beaten.enemy.health, beaten.enemy.health_lost, beaten.s.ending) == (0, 2, BLOWS)


@pytest.mark.rule("K1F-31", "K5-59")
def test_only_the_two_combatants_have_effects(rules: Any) -> None:
    """Cards of knights who don't fight change nothing."""
    sets = {
        **LAST,
        "knight.naomi_vatt.effects": effect("standing", "dice", 6),
        "enemy.furball.effects": effect("start", "health", -4, "opponent"),
    }
    fought = fight(rules, [ATTACK, PREPARE], [MISS, MISS], sets)
    assert (fought.knight.health, dice_of(fought, "Chris Hammersworn")) == (4, [2])


@pytest.mark.rule("K5-62", "K1F-13")
def test_cards_that_ignore_initiative_go_in_order(rules: Any) -> None:
    """The active knight re-equips before the enemy names his direction, and both before any blow."""
    sets = {**LAST, "knight.chris_hammersworn.carries": '["riot_suit"]'}
    fought = fight(rules, [DEFEND, CHANGE, 1, ADVANCE], [], sets)
    lines = [line for line in fought.story if "re-equips" in line or "advances" in line]
    assert ["re-equips" in line for line in lines] == [True, False]


@pytest.mark.rule("K5-67")
def test_no_weapon_no_attack(rules: Any) -> None:
    """Without a weapon neither attack card may be played."""
    sets = {**LAST, "knight.chris_hammersworn.weapons": "[]"}
    for card in (ATTACK, MULTI):
        with pytest.raises(ValueError, match="options are"):
            fight(rules, [card, PREPARE], [], sets)


@pytest.mark.rule("K5-70", "K1A-22", "K1E-18", "K1E-19")
def test_what_a_range_card_says(rules: Any) -> None:
    """Difficulty, icons in order, dice and damage under them, and the skills; the same for both sides."""
    for start, difficulty, dice in (('"short"', 5, 1), ('"medium"', 7, 2), ('"long"', 9, 1)):
        sets = {**LAST, "combat.start_range": start}
        below = fight(rules, [ATTACK, PREPARE], [difficulty - 1] + [MISS] * (dice - 1), sets)
        assert below.knight.hits == 0
        assert fight(rules, [ATTACK, PREPARE], [difficulty] + [MISS] * (dice - 1), sets).knight.hits == 1
    law = rules["dice"].joint(1, 10, 7, 10)
    assert abs(law[1].sum() - 0.4) < 1e-12


@pytest.mark.rule("K4-35")
def test_a_nine_as_bulls_eye_is_a_success(rules: Any) -> None:
    """Nine is the highest difficulty that a pack may print, so a prepared nine always succeeds."""
    fought = fight(rules, [PREPARE, PREPARE, ATTACK, DEFEND], [9], {**TWO, "combat.start_range": '"long"'})
    assert fought.enemy.health_lost == 2
    with pytest.raises(Exception, match="difficulty"):
        rules.tables("knights.fight", {"range.long.difficulty": "10"})


@pytest.mark.rule("K5-39", "K1A-20")
def test_no_upper_limit_of_a_pool(rules: Any) -> None:
    """More dice than the six in the box are rolled, each with faces 1 to 10."""
    fought = fight(rules, [PREPARE, ATTACK], [MISS] * 15, {**LAST, "enemy.hell_raiders.aggression": "15"})
    assert dice_of(fought, "Hell Raiders") == [15]


@pytest.mark.rule("K1E-23", "K1A-21")
def test_cards_return_and_no_health_is_the_end(rules: Any) -> None:
    """The same five cards serve each clash; a knight at 0 Health is out."""
    fought = fight(rules, [DEFEND, CHANGE, RETREAT, DEFEND, CHANGE, ADVANCE, DEFEND, CHANGE, RETREAT], sets=ONE)
    assert (fought.knight.played[DEFEND], fought.enemy.played[CHANGE]) == (3, 3)
    out = fight(rules, [DEFEND, ATTACK], [10, 10], {**LAST, "enemy.hell_raiders.damage": "3"})
    assert (out.s.ending, out.s.winner, out.knight.health) == (BLOWS, 1, 0)


@pytest.mark.rule("K4-45")
def test_dice_of_a_tower(rules: Any) -> None:
    """A setting gives each enemy attack two dice more; duels know no enemy."""
    fought = fight(rules, [PREPARE, ATTACK], [MISS] * 6, LAST, {"enemy_dice": 2})
    assert dice_of(fought, "Hell Raiders") == [6]
    duel = fight(
        rules,
        [ATTACK, PREPARE],
        [MISS] * 2,
        {**DUEL, "combat.clashes": "1"},
        {"enemy_dice": 2},
        PAIR,
        duel=True,
    )
    assert dice_of(duel, "Chris Hammersworn") == [2]
