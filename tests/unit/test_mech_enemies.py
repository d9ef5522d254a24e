"""Enemies: the deck and its levels, how they appear, what they choose, and how it is carried out."""

from __future__ import annotations

from typing import Any

import pytest

from tests.mech_board import FUNCTIONAL, HIT, INOPERABLE, MISS, ON_FIRE, Board, board, effect

COCKPIT = 8


def of_level(b: Board, level: int, harmless: bool | None = None) -> int:
    """How many cards of a level the pack has."""
    cards = b.t.enemy[: b.t.enemies]
    fits = (cards["level"] == level) & (cards["role"] == 0)
    if harmless is not None:
        fits &= cards["harmless"] == int(harmless)
    return int(cards["copies"][fits].sum())


def levels(b: Board) -> list[int]:
    """The levels in the enemy deck."""
    return sorted({int(b.t.enemy[card].level) for card in b.s.deck.deck[: b.s.deck.left]})


# ---------------------------------------------------------------- the deck


@pytest.mark.rule("M11-09", "M11-10", "M4-05", "M4-02")
@pytest.mark.parametrize("level", ["2", "3"])
def test_milestones_shuffle_the_next_level_in(rules: Any, level: str) -> None:
    """At 10 all of level 2, at 20 all of level 3; what is left of earlier levels stays; once."""
    b, new = board(rules), int(level)
    b.stack("Scrap Rat", "Just the Wind")
    b.s.level, b.s.milestones, b.s.distance = new - 1, new - 2, 10 * (new - 1) - 1
    assert b.do("escalation.escalate") == 0 and b.s.deck.left == 2
    b.s.distance += 1
    assert b.do("escalation.escalate") == 1
    assert (b.s.level, b.s.deck.left) == (new, 2 + of_level(b, new)) and levels(b) == [1, new]
    b.s.distance += 2
    assert b.do("escalation.escalate") == 0 and b.s.deck.left == 2 + of_level(b, new)


@pytest.mark.rule("M12-11", "M4-02")
def test_escalation_comes_after_the_spawns(rules: Any) -> None:
    """The round that reaches 10 still draws from the old deck."""
    b = board(rules)
    b.stack(*["Just the Wind"] * 3)
    b.s.noise, b.s.distance = 2, 8
    b.end_round()
    assert (b.s.distance, b.s.drawn, b.s.deck.left) == (10, 2, 1 + of_level(b, 2))
    assert list(b.s.deck.discards[: b.s.deck.discarded]) == [b.card("enemy", "Just the Wind")] * 2


@pytest.mark.rule("M11-11", "M4-03", "M5-45")
def test_a_deck_that_runs_out_early_brings_the_next_level_alone(rules: Any) -> None:
    """At distance 9, say; the draws go on at once, and at 10 the level is not added again."""
    b = board(rules)
    b.stack("Just the Wind")
    b.s.noise, b.s.distance = 3, 7
    b.end_round()
    drawn_of_2 = sum(b.t.enemy[e.card].level == 2 for e in b.s.enemy[: b.s.enemies])
    drawn_of_2 += sum(b.t.enemy[card].level == 2 for card in b.s.deck.discards[: b.s.deck.discarded])
    assert (b.s.drawn, b.s.level, drawn_of_2, levels(b)) == (3, 2, 2, [2])
    left = int(b.s.deck.left)
    b.s.noise, b.s.distance = 0, 10
    b.do("escalation.escalate")
    assert (b.s.deck.left, b.s.milestones) == (left, 1)
    b.s.distance = 20
    b.do("escalation.escalate")
    assert (b.s.level, b.s.deck.left) == (3, left + of_level(b, 3))


@pytest.mark.rule("M11-12", "M4-04", "M5-45")
def test_after_level_3_its_discarded_enemies_come_again(rules: Any) -> None:
    """Without harmless cards, without other levels, without those on the board; if there are none, none comes."""
    b = board(rules, {"Scout": 1}, {"Razor Pack": 2})
    b.s.level = 3
    for title in ("Waste Giant", "Dead Air", "Scrap Rat", "Wind Gust", "Waste Giant"):
        b.rules["piles"].discard_card(b.s.deck, b.card("enemy", title))
    b.stack("Dead Air")
    b.do("escalation.draw_enemy")
    assert b.deck() == ["Waste Giant", "Waste Giant"]
    assert b.s.deck.discarded == 4, "Dead Air twice, Scrap Rat, Wind Gust"
    for _ in range(3):
        b.do("escalation.draw_enemy")
    assert [name for name, _ in b.where()] == ["Razor Pack", "Waste Giant", "Waste Giant"] and b.s.drawn == 3
    b.do("combat.wound", 1, 99)
    b.do("escalation.draw_enemy")
    assert b.s.drawn == 4, "as soon as there is one again"


@pytest.mark.rule("M5-16", "M15-09", "M4-06", "M12-10")
def test_a_harmless_card_uses_up_a_draw(rules: Any) -> None:
    """Just the Wind: nothing comes, and it is discarded."""
    b = board(rules)
    b.stack("Just the Wind", "Scrap Rat", "Moaner")
    b.s.noise = 2
    b.do("escalation.spawn")
    assert b.where() == [("Scrap Rat", 5)] and b.deck() == ["Moaner"]
    assert b.s.deck.discarded == 1 and b.s.drawn == 2 and b.s.crushed == 0


@pytest.mark.rule("M17-02", "M12-10", "M17-01")
def test_a_card_for_each_noise_and_each_fuelled_engine(rules: Any) -> None:
    """Then the markers go back."""
    b = board(rules)
    b.stack(*["Just the Wind"] * 9)
    b.s.noise, b.s.fuelled[:] = 3, [1, 1]
    assert b.do("escalation.draws_now") == 5
    b.do("escalation.spawn")
    assert (b.s.drawn, list(b.s.fuelled)) == (5, [0, 0])


@pytest.mark.rule("M17-03", "M112-06", "M17-04")
def test_the_first_enemies_are_rummaged_for(rules: Any) -> None:
    """Until as many enemies as the Noise are found; the harmless cards go to the bottom."""
    b = board(rules)
    b.stack("Just the Wind", "Scrap Rat", "Just the Wind", "Coil Snake", "Deck Stalker", "Gutter Imp")
    b.s.noise = 2
    b.do("escalation.first_enemies")
    assert b.where() == [("Scrap Rat", 5), ("Coil Snake", 11)]
    assert b.deck() == ["Deck Stalker", "Gutter Imp", "Just the Wind", "Just the Wind"] and b.s.deck.discarded == 0


@pytest.mark.rule("M4-21")
def test_too_few_first_enemies_are_taken_as_they_are(rules: Any) -> None:
    b = board(rules)
    b.stack("Just the Wind", "Scrap Rat")
    b.s.noise = 5
    b.do("escalation.first_enemies")
    assert b.where() == [("Scrap Rat", 5)] and b.deck() == ["Just the Wind"]


@pytest.mark.rule("M5-45", "M4-21")
def test_a_deck_emptied_at_setup_is_renewed_by_the_next_draw(rules: Any) -> None:
    b = board(rules)
    b.do("escalation.draw_enemy")
    assert (b.s.drawn, b.s.level) == (1, 2)


# ---------------------------------------------------------------- how they appear


@pytest.mark.rule("M5-15", "M15-08")
def test_an_enemy_appears_in_the_room_on_its_card(rules: Any) -> None:
    """With the Health, Attack and level that it shows."""
    b = board(rules)
    b.stack("Moaner", "Toxic Gull", "Just the Wind")
    b.s.noise = 2
    b.do("escalation.spawn")
    assert b.where() == [("Moaner", 6), ("Toxic Gull", 13)] and b.s.spawned[1] == 2
    assert b.enemy("Toxic Gull").health == 3 and b.t.enemy[b.enemy("Moaner").card].attack == 1
    fields = set(rules["mech.cards"].Enemy.model_fields)
    assert {"title", "level", "effects", "health", "attack", "room"} <= fields


@pytest.mark.rule("M17-01")
def test_noise_comes_from_the_crew_from_upgrades_and_from_enemies(rules: Any) -> None:
    sets = {"upgrade.turbine.noise": "2", "mech.noise": "1"}
    b = board(rules, {"Scout": 1, "Doctor": 2}, sets={**sets, "crew.scout.noise": "2"}, extra_noise=0)
    assert b.s.noise == 1 + 2 + 1
    b.build("Turbine", 10)
    b.do("enemies.appear", b.card("enemy", "Moaner"), 6)
    assert b.s.noise == 4 + 2 + 1


@pytest.mark.rule("M15-07")
def test_without_a_standee_the_hull_is_struck(rules: Any) -> None:
    """By as much as the enemy has Health; its card is discarded."""
    b = board(rules, enemies={"Scrap Rat": [5, 5, 5]})
    b.stack("Scrap Rat", "Just the Wind")
    b.do("escalation.draw_enemy")
    assert (b.s.hull, b.s.crushed, len(b.where()), b.s.deck.discarded) == (18, 1, 3, 1)
    b.do("combat.wound", 1, 2)
    b.do("enemies.tidy")
    b.do("enemies.appear", b.card("enemy", "Scrap Rat"), 5)
    assert len(b.where()) == 3 and b.s.crushed == 1, "its standee is free again"


@pytest.mark.rule("M4-28", "M18-05")
def test_lost_link_draws_enemies_from_next_door_but_not_from_the_wastes(rules: Any) -> None:
    """The policy: if nobody stands there."""
    sets = {"crew.experiment.ability": '"lost_link"'}
    b = board(rules, {"Experiment": 6, "Scout": 8}, sets=sets)
    for title, room in (("Scrap Rat", 6), ("Coil Snake", 11), ("Toxic Gull", 13)):
        assert b.do("enemies.spawn_room", b.card("enemy", title)) == room
    b = board(rules, {"Experiment": 6, "Scout": 5}, sets=sets)
    assert b.do("enemies.spawn_room", b.card("enemy", "Scrap Rat")) == 5
    b = board(rules, {"Experiment": 4}, sets=sets)
    assert b.do("enemies.spawn_room", b.card("enemy", "Toxic Gull")) == 13


# ---------------------------------------------------------------- what they choose


@pytest.mark.rule("M15-01", "M5-12", "M14-06")
def test_first_an_enemy_attacks_all_crew_in_its_room(rules: Any) -> None:
    """One roll against each; the room is safe meanwhile."""
    b = board(rules, {"Brute": 5, "Scout": 5, "Doctor": 6}, {"Scrap Rat": 5})
    b.enemies_act(faces=[HIT, HIT, HIT, MISS])
    assert [b.health(name) for name in b.crew] == [4, 4, 5] and b.condition(5) == FUNCTIONAL


@pytest.mark.rule("M15-02", "M14-07")
def test_then_its_room_by_one_step_and_without_dice(rules: Any) -> None:
    """Whatever its Attack; a burning one is left alone."""
    b = board(rules, {"Scout": 6}, {"Waste Giant": 5, "Scrap Rat": 10})
    b.enemies_act()
    assert (b.condition(5), b.condition(10)) == (INOPERABLE, INOPERABLE)
    assert b.where() == [("Waste Giant", 5), ("Scrap Rat", 10)], "though crew stand next door"
    b.enemies_act()
    assert b.condition(5) == ON_FIRE
    b.enemies_act()
    assert b.where()[0] == ("Waste Giant", 6)


@pytest.mark.rule("M15-06")
@pytest.mark.parametrize("many", ["1", "2", "3"])
def test_several_enemies_damage_a_room_together(rules: Any, many: str) -> None:
    """What is beyond On Fire is lost."""
    b = board(rules, enemies={"Scrap Rat": [7] * int(many)})
    b.enemies_act()
    assert (b.condition(7), b.s.fires) == {"1": (1, 0), "2": (2, 1), "3": (2, 1)}[many]


@pytest.mark.rule("M15-03", "M4-08")
def test_then_it_moves_to_crew_next_door_the_closest_to_the_cockpit(rules: Any) -> None:
    """From room 6, On Fire: room 7 is one step from the Cockpit, rooms 2 and 5 are three: of these the lower."""
    b = board(rules, {"Brute": 5, "Scout": 2, "Doctor": 7}, {"Scrap Rat": 6}).damage(r6=ON_FIRE)
    assert [int(b.t.room[room].far[COCKPIT]) for room in (5, 2, 7)] == [3, 3, 1]
    b.enemies_act()
    assert b.where() == [("Scrap Rat", 7)]
    b = board(rules, {"Brute": 5, "Scout": 2, "Doctor": 11}, {"Scrap Rat": 6}).damage(r6=ON_FIRE)
    b.enemies_act()
    assert b.where() == [("Scrap Rat", 2)]


@pytest.mark.rule("M4-08", "M4-09")
def test_ties_by_chance_if_the_ruling_says_so(rules: Any) -> None:
    """Between crew as close to the Cockpit, between engines, and between ways."""
    sets = {"ruling.path_ties": '"random"', "room.middle_aft.beside": "[7, 10, 11]"}
    for crew, fires, rooms in (
        ({"Brute": 5, "Scout": 2}, {"r6": ON_FIRE}, {2, 5}),
        ({"Brute": 4}, {"r6": ON_FIRE}, {10, 11}),
    ):
        b = board(rules, crew, {"Scrap Rat": 6}, sets).damage(**fires)
        found = set()
        for key in range(30):
            b.s.key[0] = key
            b.do("enemies.determine")
            found.add(int(b.enemy("Scrap Rat").goal))
        assert found == rooms
    b = board(rules, {"Brute": 1}, {"Scrap Rat": 3}, {"ruling.path_ties": '"random"'}).damage(r3=ON_FIRE, r11=ON_FIRE)
    ways = set()
    for key in range(30):
        b.s.key[0] = key
        b.do("enemies.determine")
        ways.add(int(b.enemy("Scrap Rat").goal))
    assert ways == {2, 7}, "from room 3 both ways to room 10 take five steps"


@pytest.mark.rule("M15-04", "M4-09")
def test_then_it_heads_for_the_closest_engine_that_does_not_burn(rules: Any) -> None:
    """From room 6 three steps to room 10, from room 7 as many to room 11; of two as close room 10; out of a burning
    one to the other."""
    scout = {"Scout": 4}
    b = board(rules, scout, {"Scrap Rat": 6}).damage(r6=ON_FIRE)
    b.enemies_act()
    assert b.where() == [("Scrap Rat", 5)]
    b = board(rules, scout, {"Scrap Rat": 7}).damage(r7=ON_FIRE)
    b.enemies_act()
    assert b.where() == [("Scrap Rat", 8)]
    b = board(rules, scout, {"Scrap Rat": 7}).damage(r7=ON_FIRE, r11=ON_FIRE)
    b.enemies_act()
    assert b.where() == [("Scrap Rat", 6)], "to room 10 both ways take four steps: by the lower room"
    b = board(rules, scout, {"Scrap Rat": 10}).damage(r10=ON_FIRE)
    b.enemies_act()
    assert b.where() == [("Scrap Rat", 11)]
    b = board(rules, scout, {"Scrap Rat": 6}, {"room.middle_aft.beside": "[7, 10, 11]"}).damage(r6=ON_FIRE)
    b.enemies_act()
    assert b.where() == [("Scrap Rat", 10)]


@pytest.mark.rule("M15-05", "M4-09")
def test_or_it_stays(rules: Any) -> None:
    b = board(rules, {"Scout": 4}, {"Scrap Rat": 10}).damage(r10=ON_FIRE, r11=ON_FIRE)
    b.enemies_act()
    assert b.where() == [("Scrap Rat", 10)]


@pytest.mark.rule("M4-10", "M15-02", "M16-01")
def test_an_enemy_may_walk_onto_a_deck_and_leaves_it_unharmed(rules: Any) -> None:
    """There it goes on by the later priorities."""
    b = board(rules, {"Scout": 1}, {"Scrap Rat": 2}).damage(r2=ON_FIRE)
    b.enemies_act()
    assert b.where() == [("Scrap Rat", 1)]
    b = board(rules, {"Scout": 8}, {"Scrap Rat": 1})
    b.enemies_act()
    assert b.where() == [("Scrap Rat", 2)] and b.condition(1) == FUNCTIONAL


@pytest.mark.rule("M4-07")
@pytest.mark.parametrize("reading", ["absent", "target_and_guard"])
def test_downed_crew_neither_draw_attacks_nor_guard_a_room(rules: Any, reading: str) -> None:
    """By the strict reading they are attacked, without effect, and the room is safe."""
    b = board(rules, {"Brute": 6, "Scout": 8}, {"Scrap Rat": 6}, {"ruling.downed_in_room": f'"{reading}"'})
    b.down("Brute")
    b.enemies_act()
    assert b.condition(6) == (INOPERABLE if reading == "absent" else FUNCTIONAL)
    b = board(rules, {"Brute": 7, "Scout": 12}, {"Scrap Rat": 6}, {"ruling.downed_in_room": f'"{reading}"'})
    b.damage(r6=ON_FIRE).down("Brute")
    b.enemies_act()
    assert b.where() == [("Scrap Rat", 5 if reading == "absent" else 7)]


# ---------------------------------------------------------------- carrying it out


@pytest.mark.rule("M4-11", "M12-04", "M12-05")
def test_all_choose_before_any_acts(rules: Any) -> None:
    """The Scout falls to the first; the second still attacks him, without dice; the third still moves in."""
    b = board(rules, {"Scout": 2, "Brute": 8}, [("Scrap Rat", 2), ("Scrap Rat", 2), ("Moaner", 1)])
    b.do("effects.hurt", 0, 4)
    b.enemies_act(faces=[HIT, MISS])
    assert (b.member("Scout").downed, b.condition(2), b.where()[2]) == (1, FUNCTIONAL, ("Moaner", 2))


@pytest.mark.rule("M5-13")
def test_damage_on_enemies_is_kept(rules: Any) -> None:
    b = board(rules, {"Brute": 11}, {"Coil Snake": 11})
    b.act("Brute", "attack Coil Snake", faces=[HIT, HIT, MISS, MISS])
    b.end_round(faces=[MISS])
    assert b.enemy("Coil Snake").health == 1


@pytest.mark.rule("M5-14")
def test_a_destroyed_enemy_leaves_its_card_among_the_discards(rules: Any) -> None:
    b = board(rules, {"Brute": 5}, {"Scrap Rat": [5, 5]})
    b.act("Brute", "attack Scrap Rat", faces=[HIT] * 4)
    assert b.where() == [("Scrap Rat", 5)] and b.s.room[5].enemies == 1 and b.s.destroyed[1] == 1
    assert list(b.s.deck.discards[: b.s.deck.discarded]) == [b.card("enemy", "Scrap Rat")]


def test_a_swift_enemy_acts_again_once_it_has_moved(rules: Any) -> None:
    b = board(rules, {"Scout": 2}, {"Bone Runner": 1, "Scrap Rat": 7})
    b.enemies_act(faces=[HIT, MISS])
    assert b.where() == [("Bone Runner", 2), ("Scrap Rat", 7)] and b.health("Scout") == 4
    assert b.condition(7) == INOPERABLE, "others act once"


def test_what_a_card_does_when_enemies_act_or_fall(rules: Any) -> None:
    sets = {
        "enemy.scrap_rat.effects": effect("acts", "worsen", 1),
        "enemy.moaner.effects": effect("destroyed", "health", -1, "crew"),
    }
    b = board(rules, {"Mechanic": 6, "Scout": 6, "Doctor": 7}, {"Scrap Rat": 5, "Moaner": 6}, sets)
    b.act("Mechanic", "attack Moaner", faces=[HIT] * 3)
    assert [b.health(name) for name in b.crew] == [4, 4, 5]
    b.enemies_act()
    assert b.condition(5) == ON_FIRE
