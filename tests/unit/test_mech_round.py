"""A round in its printed order, the way, and how long it takes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.declared import Undeclared
from tests.mech_board import FUNCTIONAL, HIT, INOPERABLE, MISS, ON_FIRE, board, effect


def turns(b: Any) -> list[str]:
    """Who had a turn, in order."""
    return [b.crew[note.a] for note in b.journal if note.what == b.rules["mech.tell"].TURN_OF]


@pytest.mark.rule("M12-01", "M12-12")
def test_turns_go_round_from_the_first_player_who_changes(rules: Any) -> None:
    b = board(rules, {"Brute": 1, "Scout": 2, "Doctor": 3})
    for order in (["Brute", "Scout", "Doctor"], ["Scout", "Doctor", "Brute"], ["Doctor", "Brute", "Scout"]):
        b.journal.clear()
        b.do("play.play_round", picks=["rest"] * 3)
        assert turns(b) == b.deciders == order
    assert b.s.first == 0


@pytest.mark.rule("M5-02")
def test_anyone_may_be_the_first_player(rules: Any) -> None:
    """The book has no rule for it: the seating says who begins."""
    b = board(rules, {"Brute": 1, "Scout": 2, "Doctor": 3})
    row = b.seats()
    row.first = 1
    b.do("setup.set_up", row, picks=[1, 2, 3])
    titles = b.tables.titles["crew"]
    assert [titles[b.s.crew[c].role] for c in range(3)] == ["The Scout", "The Doctor", "The Brute"]
    assert [int(b.s.crew[c].seat) for c in range(3)] == [1, 2, 0] and b.s.first == 0


@pytest.mark.rule("M12-02", "M13-15")
def test_actions_are_refreshed_first_so_that_later_steps_can_lower_them(rules: Any) -> None:
    sets = {"enemy.scrap_rat.effects": effect("acts", "actions", -1, "crew")}
    b = board(rules, {"Brute": 5, "Scout": 1}, {"Scrap Rat": 5}, sets)
    b.member("Brute").actions, b.member("Scout").actions = 0, 7
    b.end_round(faces=[MISS, MISS])
    assert (b.member("Brute").actions, b.member("Scout").actions) == (2, 3)


@pytest.mark.rule("M12-03", "M12-04")
def test_room_effects_come_before_the_enemies(rules: Any) -> None:
    """A turret destroys what would have damaged its room; and no ghost of it acts."""
    sets = {"upgrade.turret.effects": effect("round_end", "damage", 2, "enemy")}
    b = board(rules, {"Brute": 1}, {"Moaner": 6}, sets)
    b.build("Turret", 6)
    b.end_round()
    assert b.where() == [] and b.condition(6) == FUNCTIONAL and b.s.room[6].enemies == 0 and b.s.enemies == 0


@pytest.mark.rule("M12-06", "M5-07")
def test_each_fire_costs_a_hull_in_the_round_it_breaks_out(rules: Any) -> None:
    b = board(rules, {"Brute": 1}, {"Scrap Rat": [6, 6]}).damage(r3=ON_FIRE)
    b.scrap(0)
    b.end_round()
    assert (b.condition(6), b.s.hull) == (ON_FIRE, 18)


@pytest.mark.rule("M11-06", "M11-07", "M12-07", "M5-01")
def test_the_mech_advances_by_both_engines_and_the_fuel(rules: Any) -> None:
    """Two a round, one more for each fuelled engine; nobody need be there; nobody can hold it back."""
    for fuelled, far in (([0, 0], 2), ([1, 0], 3), ([1, 1], 4)):
        b = board(rules, {"Brute": 1})
        b.stack(*["Just the Wind"] * 4)
        b.s.fuelled[:] = fuelled
        b.end_round()
        assert b.s.distance == far
    b.build("Turbine", 10)
    assert b.do("escalation.speed_of") == 3


@pytest.mark.rule("M11-08", "M16-05", "M16-07")
@pytest.mark.parametrize("blocked", ["no", "r10", "r11", "r8", "wastes", "r9"])
def test_engines_cockpit_and_the_wastes_must_be_in_order(rules: Any, blocked: str) -> None:
    """A gun room doesn't matter."""
    b = board(rules, {"Brute": 1}, {"Toxic Gull": 13} if blocked == "wastes" else {})
    if blocked.startswith("r"):
        b.damage(**{blocked: INOPERABLE})
    b.do("escalation.advance")
    assert b.s.distance == (2 if blocked in ("no", "r9") else 0)
    why = {"r10": [1, 0, 0, 1], "r11": [1, 0, 0, 1], "r8": [0, 1, 0, 1], "wastes": [0, 0, 1, 1]}
    assert list(b.s.stuck) == why.get(blocked, [0, 0, 0, 0])


@pytest.mark.rule("M4-01", "M12-05", "M12-10")
def test_an_engine_fuelled_and_then_knocked_out_helps_nothing(rules: Any) -> None:
    """No advance, but the card is drawn, and the marker goes back."""
    b = board(rules, {"Brute": 1}, {"Scrap Rat": 10})
    b.stack("Just the Wind", "Just the Wind")
    b.s.fuelled[0] = 1
    b.end_round()
    assert (b.s.distance, b.s.drawn, list(b.s.fuelled), b.condition(10)) == (0, 1, [0, 0], INOPERABLE)


@pytest.mark.rule("M12-08", "M12-09", "M5-24", "M4-15")
def test_advance_then_salvage_then_scrap_then_spawn(rules: Any) -> None:
    """A closed crane opens by the advance; the Scrap it finds is used at once; enemies come last."""
    b = board(rules, {"Brute": 5})
    b.stack("Coil Snake", "Just the Wind")
    b.stack_salvage("Junk", "Junk")
    b.s.crane_uses, b.s.hull, b.s.noise = 2, 15, 1
    b.scrap(0)
    b.end_round(picks=["reinforce"])
    assert (b.s.salvaged, b.s.hull, b.s.scraps, b.where()) == (2, 16, 0, [("Coil Snake", 11)])


@pytest.mark.rule("M5-17")
def test_the_first_player_decides(rules: Any) -> None:
    """Who gets salvage, where an upgrade goes, what Scrap is used for, which event is kept."""
    b = board(rules, {"Brute": 5, "Scout": 1}, sets={"mech.hull": "30"}, events=1)
    b.s.first, b.s.hull = 1, 10
    b.stack_salvage("Machete", "Turret")
    event = b.tables.titles["event"][b.s.occasions.deck[b.s.occasions.left - 1]]
    for kernel, args, picks in (
        ("salvage.salvage", [], ["Brute", 2]), ("salvage.use_scrap", [2], ["stop"]), ("events.hold_event", [], [event])
    ):  # fmt: skip
        b.do(kernel, *args, picks=picks)
        assert b.deciders == ["Scout"] * len(picks)


# ---------------------------------------------------------------- how long it takes


def way(rules: Any, fuelled: int, noise: int) -> list[int]:
    """Rounds to 10, to 20 and to 35, and the cards drawn in all, with enemies that leave at once."""
    b = board(rules, {"Scout": 1}, idle_enemies=1, free_fuel=1, fuelled=fuelled, extra_noise=noise - 1)
    b.do("setup.open_decks")
    b.scrap(0)
    found = []
    for goal in (10, 20, 35):
        while b.s.distance < goal:
            b.s.rounds += 1
            b.end_round()
        found.append(int(b.s.rounds))
    return [*found, int(b.s.drawn)]


@pytest.mark.rule("M113-04", "M113-05", "M113-06", "M113-07", "M113-08")
def test_rounds_and_cards_of_three_ways_to_fuel(rules: Any) -> None:
    """18, 12 and 9 rounds; fuel brings fewer cards in all above Noise 2, as many at 2, more below."""
    for noise in (1, 2, 3):
        none, one, both = (way(rules, fuelled, noise) for fuelled in (0, 1, 2))
        assert none == [5, 10, 18, 18 * noise]
        assert one == [4, 7, 12, 12 * (noise + 1)]
        assert both == [3, 5, 9, 9 * (noise + 2)]
        assert (none[3] > one[3] > both[3]) == (noise > 2) and (none[3] == one[3] == both[3]) == (noise == 2)


@pytest.mark.rule("M113-07", "M17-03")
def test_as_many_real_enemies_come_at_setup(rules: Any) -> None:
    b = board(rules, {"Scout": 1}, idle_enemies=1)
    b.do("setup.open_decks")
    b.s.noise = 3
    b.do("escalation.first_enemies")
    assert b.s.spawned.sum() == 3


@pytest.mark.rule("M113-09")
def test_a_lost_round_costs_as_many_cards_as_the_noise(rules: Any) -> None:
    b = board(rules, {"Scout": 1}, idle_enemies=1).damage(r8=INOPERABLE)
    b.do("setup.open_decks")
    b.scrap(0)
    b.s.noise = 4
    b.end_round()
    assert (b.s.distance, b.s.drawn) == (0, 4)


# ---------------------------------------------------------------- what a replay says of it


def test_fm5_replays_say_why_something_is_free_and_where_dice_come_from(rules: Any) -> None:
    """Free moves by their ability, dice by ability, card, room, event and missing Health, and what takes dice away."""
    sets = {
        "crew.scout.ability": '"haste"',
        "gear.scope.effects": effect("standing", "weapon", 1),
        "upgrade.armory.effects": effect("standing", "dice", 2),
        "event.dust_storm.effects": effect("standing", "weapon", -1),
        "armor.leather_coat.effects": effect("standing", "guard", 1),
        "armor.plate_vest.effects": effect("standing", "soak", 1),
    }
    b = board(rules, {"Scout": 5, "Experiment": 8}, {"Scrap Rat": [6, 6], "Waste Giant": 8}, sets, events=1)
    b.hold("Scout", "Machete", "Scope")
    b.build("Armory", 6)
    b.s.occasions.left, b.s.occasions.deck[0] = 1, b.card("event", "Dust Storm")
    b.do("events.hold_event")
    b.do("play.begin_round")
    dice = int(b.t.card[b.item("Machete")].dice)
    picks = ["move 6", "attack Scrap Rat 2 with Machete", "rest"]
    b.do("play.take_turn", 0, faces=[1, *[2] * dice, HIT], picks=picks)
    told = b.told()
    assert "The Scout in the Salvaging Crane: Health 5, 3 actions, 1 free move by Haste." in told
    assert "  The Scout moves to the Middle Aft Room (free; 3 actions left)." in told
    assert "  The Scout attacks Scrap Rat 2 with the Machete (2 actions left)." in told
    parts = f"({dice} printed, +1 by the Scope, +2 by the Armory, -1 by Dust Storm)"
    assert f"  {dice + 2} dice {parts}: 1 hit, {dice} misses, 1 one." in told
    b.do("effects.hurt", 1, 2)
    b.act("Experiment", "attack Waste Giant", faces=[MISS] * 5)
    assert "  5 dice (3 printed, +2 by Rage Gene): 0 hits, 5 misses, 0 ones." in b.told()
    b.hold("Experiment", "Leather Coat")
    b.enemies_act(faces=[MISS, MISS, MISS, MISS, HIT, HIT])
    assert "Waste Giant attacks The Experiment: 2 dice (3 printed, -1 by the Leather Coat), 2 hits." in b.told()
    b = board(rules, {"Brute": 5}, {"Scrap Rat": 5}, sets)
    b.hold("Brute", "Plate Vest")
    b.enemies_act(faces=[HIT, HIT])
    assert "Scrap Rat attacks The Brute: 2 dice, 2 hits, 1 stopped by the Plate Vest." in b.told()


def test_fm5_replays_say_who_is_driven_where_it_was_and_what_changed_the_noise(rules: Any) -> None:
    b = board(rules, {"Shepherd": 6}, {"Moaner": 6}, {"crew.shepherd.ability": '"herd"'})
    b.act("Shepherd", "skill")
    assert "Moaner is driven to the Upper Aft Room." in b.told()
    b.do("enemies.appear", b.card("enemy", "Moaner"), 5)
    assert b.told()[-2:] == ["Moaner 2 appears in the Salvaging Crane with 2 Health.", "  Noise 2 (+1)."]
    b.do("combat.wound", 1, 2)
    assert b.told()[-2:] == ["  Moaner 2 in the Salvaging Crane is destroyed, its card discarded.", "  Noise 1 (-1)."]
    b.build("Bunk", 3)
    b.do("crew.lay_down", 3, b.item("Machete"), 0)
    b.do("rooms.worsen", 3, 2)
    assert b.told()[-3:] == [
        "  The Upper Fore Room is On Fire now.",
        "  Machete is lost in the fire: out of the game.",
        "  Bunk is lost in the fire: out of the game.",
    ]


def test_the_board_has_no_more_dice_than_the_script(rules: Any) -> None:
    """The builder itself: dice that are left over are a mistake of the test."""
    b = board(rules, {"Brute": 5}, {"Scrap Rat": 5})
    with pytest.raises(AssertionError, match="dice not rolled"):
        b.act("Brute", "attack Scrap Rat", faces=[HIT] * 5)
    b.stream.faces.clear()
    with pytest.raises(AssertionError, match="is not among"):
        b.act("Brute", "fly")


def test_the_board_refuses_questions_that_no_test_declares(rules: Any) -> None:
    """FT1. An answer is a pick, or stands for all questions of its kind; one that is not offered is refused."""
    b = board(rules, {"Brute": 5, "Scout": 1})
    with pytest.raises(Undeclared, match=r"turn, Brute.*rest.*move"):
        b.do("play.take_turn", 0)
    with pytest.raises(ValueError, match="'fly' is not among"):
        b.do("play.take_turn", 0, picks=["fly"])
    b.always(turn="rest")
    b.do("play.play_round")
    assert b.deciders == ["Brute", "Scout"]
    b.stack_salvage("Machete")
    with pytest.raises(Undeclared, match="salvage, Scout"):
        b.do("salvage.draw_salvage")
    with pytest.raises(AssertionError, match="not asked for"):
        b.do("rooms.worsen", 5, 1, picks=["stop"])
    with pytest.raises(AssertionError, match="no such kinds"):
        b.always(weather="rain")
