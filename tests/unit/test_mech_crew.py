"""The crew: abilities that the book prints, equipment and its limits, Health."""

from __future__ import annotations

from typing import Any

import pytest

from tests.mech_board import FUNCTIONAL, HIT, INOPERABLE, MISS, ON_FIRE, Board, board, effect


def ability(crew: str, name: str) -> dict[str, str]:
    """The ability that a crew member plays with."""
    return {f"crew.{crew}.ability": f'"{name}"'}


@pytest.mark.rule("M18-02")
def test_bloodlust(rules: Any) -> None:
    """Heals 1 for an enemy destroyed with bare hands, not with a weapon or a gun."""
    b = board(rules, {"Brute": 9}, {"Scrap Rat": [9, 9], "Toxic Gull": 13}, ability("brute", "bloodlust"))
    b.hold("Brute", "Pipe Wrench")
    b.do("effects.hurt", 0, 3)
    b.act("Brute", "attack Scrap Rat with Pipe Wrench", faces=[HIT] * 3)
    b.act("Brute", "gun 9 Toxic Gull", faces=[HIT] * 3)
    assert b.health("Brute") == 3
    b.act("Brute", "attack Scrap Rat 2", faces=[HIT] * 4)
    assert b.health("Brute") == 4


@pytest.mark.rule("M18-02", "M4-12")
def test_counterblow(rules: Any) -> None:
    """Once a round, at once when an attack hurts him, at any enemy in the room or not at all; who is struck has acted
    all the same."""
    b = board(rules, {"Brute": 5, "Scout": 5}, {"Scrap Rat": [5, 5]}, ability("brute", "counterblow"))
    b.do("play.begin_round")
    b.enemies_act(faces=[HIT, MISS, HIT, HIT, MISS, MISS, HIT, HIT, HIT, MISS, MISS, MISS], picks=["Scrap Rat"])
    assert b.asked == [["none", "Scrap Rat", "Scrap Rat 2"]] and b.deciders == ["Brute"]
    assert (b.health("Brute"), b.health("Scout")) == (4, 3), "the first rat falls, and still attacks the Scout"
    assert [name for name, _ in b.where()] == ["Scrap Rat"] and b.member("Brute").kills == 1
    b = board(rules, {"Brute": 5, "Scout": 6}, {"Scrap Rat": [5, 5]}, ability("brute", "counterblow"))
    b.do("play.begin_round")
    b.enemies_act(faces=[HIT, MISS, MISS, MISS, MISS, MISS, HIT, MISS], picks=["Scrap Rat 2"])
    assert "  The Brute strikes back at Scrap Rat 2 with bare hands (Counterblow)." in b.told()
    assert b.health("Brute") == 4, "only once"
    b.do("play.begin_round")
    b.enemies_act(faces=[MISS, MISS, HIT, MISS, MISS, MISS, MISS, MISS], picks=["Scrap Rat 2"])
    assert b.health("Brute") == 3, "again the next round, and only when hurt"
    b.do("play.begin_round")
    b.enemies_act(faces=[HIT, MISS, HIT, MISS], picks=["none", "none"])
    assert b.health("Brute") == 1 and b.asked == [["none", "Scrap Rat", "Scrap Rat 2"]] * 2, "he may leave it"


@pytest.mark.rule("M18-05")
def test_rage_gene(rules: Any) -> None:
    """A die more for each Health missing, with bare hands only."""
    b = board(rules, {"Experiment": 4}, {"Waste Giant": 4}, ability("experiment", "rage_gene"))
    b.hold("Experiment", "Pipe Wrench")
    assert b.do("combat.unarmed_dice", 0) == 3
    b.do("effects.hurt", 0, 2)
    b.act("Experiment", "attack Waste Giant", faces=[MISS] * 5)
    b.act("Experiment", "attack Waste Giant with Pipe Wrench", faces=[MISS] * 3)


@pytest.mark.rule("M18-05", "M4-28")
def test_lost_link(rules: Any) -> None:
    b = board(rules, {"Experiment": 6}, sets=ability("experiment", "lost_link"))
    b.stack("Scrap Rat", "Coil Snake", "Just the Wind")
    b.s.noise = 2
    b.do("escalation.spawn")
    assert b.where() == [("Scrap Rat", 6), ("Coil Snake", 11)]
    b.down("Experiment")
    assert b.do("enemies.spawn_room", b.card("enemy", "Scrap Rat")) == 5


@pytest.mark.rule("M18-06")
def test_emergency_response(rules: Any) -> None:
    """An extinguished room is Functional."""
    sets = ability("firefighter", "emergency_response")
    b = board(rules, {"Firefighter": 6}, {"Scrap Rat": 5}, sets).damage(r6=ON_FIRE, r5=ON_FIRE)
    b.act("Firefighter", "extinguish")
    assert b.condition(6) == FUNCTIONAL and b.member("Firefighter").actions == 2
    b.act("Firefighter", "move 5")
    assert "extinguish" not in b.options("Firefighter")


@pytest.mark.rule("M18-06", "M4-29")
def test_hostile_environment(rules: Any) -> None:
    """Among enemies; then all of them may be driven to one room next door."""
    sets = ability("firefighter", "hostile_environment")
    b = board(rules, {"Firefighter": 6}, {"Scrap Rat": [6, 6], "Coil Snake": 2}, sets).damage(r6=ON_FIRE)
    words = {word for word in b.options("Firefighter") if word.startswith("extinguish")}
    assert words == {"extinguish", "extinguish 2", "extinguish 5", "extinguish 7"}
    b.act("Firefighter", "extinguish 7")
    assert b.where() == [("Scrap Rat", 7), ("Scrap Rat", 7), ("Coil Snake", 2)] and b.condition(6) == INOPERABLE
    assert (b.s.room[6].enemies, b.s.room[7].enemies) == (0, 2)
    b = board(rules, {"Firefighter": 6}, {"Scrap Rat": 6}, sets).damage(r6=ON_FIRE)
    b.act("Firefighter", "extinguish")
    assert b.where() == [("Scrap Rat", 6)] and b.condition(6) == INOPERABLE


@pytest.mark.rule("M18-07")
def test_make_your_own_luck(rules: Any) -> None:
    """A die rolled at the start takes the place of one in his room, once; the policy: where it helps the crew."""
    sets = ability("gambler", "make_your_own_luck")
    b = board(rules, {"Gambler": 5, "Brute": 5, "Scout": 6}, {"Scrap Rat": 5, "Moaner": 6}, sets)
    b.do("play.begin_round", faces=[6])
    assert b.member("Gambler").die == 6
    b.act("Scout", "attack Moaner", faces=[MISS] * 3)
    b.act("Brute", "attack Scrap Rat", faces=[MISS] * 3)
    assert b.enemy("Scrap Rat").health == 1 and b.member("Gambler").die == 0
    b.act("Brute", "attack Scrap Rat", faces=[MISS] * 4)
    b.do("play.begin_round", faces=[1])
    b.act("Brute", "attack Scrap Rat", faces=[MISS] * 4)
    b.enemies_act(faces=[HIT, HIT, HIT, MISS])
    assert (b.health("Gambler"), b.health("Brute")) == (4, 4), "a 1 takes the place of an enemy's die"


@pytest.mark.rule("M18-07")
def test_press_your_luck(rules: Any) -> None:
    """As his turn begins, a die less 1 for his actions: 0 to 5."""
    for face, actions in ((1, 0), (6, 5)):
        b = board(rules, {"Gambler": 1, "Scout": 2}, sets=ability("gambler", "press_your_luck"))
        assert "press" in b.options("Gambler") and "press" not in b.options("Scout")
        b.do("play.take_turn", 0, faces=[face], picks=["press"] + ["rest"] * int(actions > 0))
        assert b.member("Gambler").actions == actions
        b.s.step = 1
        assert "press" not in b.options("Gambler"), "not later in the turn"


@pytest.mark.rule("M18-10")
def test_haste(rules: Any) -> None:
    """One move a round is free."""
    b = board(rules, {"Scout": 1}, sets=ability("scout", "haste"))
    b.do("play.begin_round")
    for room, actions in ((2, 3), (3, 2), (4, 1)):
        b.act("Scout", f"move {room}")
        assert b.member("Scout").actions == actions
    b.do("play.begin_round")
    b.member("Scout").actions = 0
    b.act("Scout", "move 3")
    assert b.member("Scout").actions == 0 and "move 2" not in b.options("Scout")


@pytest.mark.rule("M18-10")
def test_adrenaline_rush(rules: Any) -> None:
    """A free move this round for each enemy destroyed, by whatever means."""
    sets = {**ability("scout", "adrenaline_rush"), "gear.grenade.effects": effect("use", "damage", 2, "enemies")}
    b = board(rules, {"Scout": 2}, {"Scrap Rat": 2, "Moaner": [2, 2]}, sets)
    b.hold("Scout", "Grenade")
    b.do("play.begin_round")
    b.act("Scout", "attack Scrap Rat", faces=[HIT] * 3)
    b.act("Scout", "use Grenade")
    assert (b.member("Scout").steps, b.member("Scout").kills) == (3, 3)
    b.act("Scout", "move 3")
    assert (b.member("Scout").actions, b.member("Scout").steps) == (1, 2)
    b.do("play.begin_round")
    assert b.member("Scout").steps == 0


@pytest.mark.rule("M17-10", "M5-11")
def test_equipment_slots(rules: Any) -> None:
    """Two for most, three for some; for a further card one is scrapped, or dropped where its owner stands."""
    b = board(rules, {"Brute": 5, "Prepper": 6})
    assert (b.member("Brute").slots, b.member("Prepper").slots) == (2, 3)
    b.hold("Brute", "Machete", "Pipe Wrench")
    b.hold("Prepper", "Scope", "Scope")
    b.stack_salvage("Sledge", "Harpoon")
    b.do("salvage.draw_salvage", picks=["Brute scrapping Machete"])
    ways = {f"Brute {how} {what}" for how in ("scrapping", "dropping") for what in ("Machete", "Pipe Wrench")}
    assert set(b.asked[0]) == ways | {"Prepper", "nobody"}
    assert b.held("Brute") == ["Pipe Wrench", "Sledge"] and b.title(b.s.scrap[2]) == "Machete"
    b.do("salvage.draw_salvage", picks=["Brute dropping Sledge"])
    assert b.held("Brute") == ["Pipe Wrench", "Harpoon"] and b.floor(5) == ["Sledge"] and b.s.scraps == 3


@pytest.mark.rule("M17-11", "M4-31")
def test_only_one_armor_helps(rules: Any) -> None:
    """The better one, with all that it does; a second one may be carried."""
    sets = {
        "armor.leather_coat.effects": effect("standing", "guard", 1),
        "armor.plate_vest.effects": effect("standing", "soak", 3),
        "armor.hazard_suit.effects": effect("round_end", "health", 1),
        "crew.brute.slots": "4",
    }
    b = board(rules, {"Brute": 5}, sets=sets)
    guard, soak = rules["mech.tables"].WHAT["guard"], rules["mech.tables"].WHAT["soak"]
    b.hold("Brute", "Leather Coat", "Leather Coat")
    assert b.member("Brute").term[guard] == 1
    b.hold("Brute", "Plate Vest", "Hazard Suit")
    assert (b.member("Brute").term[guard], b.member("Brute").term[soak]) == (0, 3)
    b.do("effects.hurt", 0, 2)
    b.do("play.room_effects")
    assert b.health("Brute") == 4
    b.do("crew.lose_item", 0, 2)
    assert b.member("Brute").term[guard] == 0, "the suit is worth more than a coat"
    b.do("play.room_effects")
    assert b.health("Brute") == 5


@pytest.mark.rule("M17-12", "M4-30")
def test_salvage_is_handed_out_anywhere_for_nothing(rules: Any) -> None:
    b = board(rules, {"Brute": 5, "Scout": 12})
    b.member("Scout").actions = 0
    b.stack_salvage("Machete")
    b.do("salvage.draw_salvage", picks=["Scout"])
    assert b.held("Scout") == ["Machete"] and b.member("Scout").actions == 0


@pytest.mark.rule("M5-10", "M16-12")
def test_what_is_dropped_in_a_fire_is_lost(rules: Any) -> None:
    b = board(rules, {"Brute": 6}).damage(r6=ON_FIRE)
    b.hold("Brute", "Machete")
    b.exchange("Brute", "Machete drop")
    assert (b.floor(6), b.held("Brute"), b.s.boxed, b.s.scraps) == ([], [], 1, 2)


@pytest.mark.rule("M5-28")
def test_health_never_rises_beyond_its_start_but_actions_may(rules: Any) -> None:
    b = board(rules, {"Brute": 6})
    b.do("effects.hurt", 0, 1)
    b.do("effects.heal", 0, 5)
    b.do("effects.give", 0, rules["mech.tables"].WHAT["actions"], 2)
    assert (b.health("Brute"), b.member("Brute").actions) == (6, 5)


def doctor(rules: Any, name: str) -> Board:
    """The Doctor beside a wounded Brute."""
    b = board(rules, {"Doctor": 6, "Brute": 6}, sets=ability("doctor", name))
    b.do("effects.hurt", 0, 2)
    b.do("effects.hurt", 1, 3)
    return b


@pytest.mark.rule("M18-01", "M18-03", "M18-04", "M18-08", "M18-09", "M18-11")
def test_assumed_abilities_do_what_their_cards_say(rules: Any) -> None:
    """Of those members whose abilities the book doesn't print: the pack says so, and has two for each (FT2)."""
    pack = rules.pack("mech")
    for slug in ("artificial", "deadeye", "doctor", "mechanic", "prepper", "shepherd"):
        names = pack.cards["crew"][slug].abilities
        assert len(names) == 2 and all(pack.assumed_share("ability", name)[0] for name in names)
    b = doctor(rules, "surgeon")
    b.act("Doctor", "mend Doctor")
    b.act("Doctor", "mend Brute")
    assert (b.health("Doctor"), b.health("Brute")) == (5, 5)
    b = doctor(rules, "triage")
    b.down("Brute")
    b.act("Doctor", "revive Brute")
    assert (b.health("Brute"), b.member("Doctor").actions) == (2, 2)
    b = board(rules, {"Mechanic": 6}, sets=ability("mechanic", "quick_fix")).damage(r6=INOPERABLE)
    b.do("play.begin_round")
    b.act("Mechanic", "repair")
    assert b.member("Mechanic").actions == 3
    b = board(rules, {"Mechanic": 8, "Scout": 1}, sets=ability("mechanic", "treasure_hunter"))
    assert b.do("salvage.crane_cards", 1) == 2
    b = board(rules, {"Artificial": 6}, sets=ability("artificial", "overclock"))
    b.act("Artificial", "skill")
    assert b.member("Artificial").actions == 4 and "skill" not in b.options("Artificial")
    b = board(rules, {"Artificial": 6}, sets=ability("artificial", "living_hull"))
    b.s.hull = 10
    b.act("Artificial", "skill")
    assert (b.s.hull, b.health("Artificial"), b.member("Artificial").actions) == (11, 4, 2)
    assert "skill" not in b.options("Artificial"), "once a round"
    b = board(rules, {"Deadeye": 9}, {"Waste Giant": 9}, ability("deadeye", "steady_hand"))
    b.hold("Deadeye", "Pipe Wrench")
    b.act("Deadeye", "attack Waste Giant with Pipe Wrench", faces=[MISS] * 4)
    b.act("Deadeye", "attack Waste Giant", faces=[MISS] * int(b.member("Deadeye").attack))
    b = board(rules, {"Shepherd": 6}, {"Scrap Rat": 6}, ability("shepherd", "calm"))
    b.enemies_act(faces=[HIT])
    b = board(rules, {"Prepper": 6}, sets=ability("prepper", "ready_for_anything"))
    b.hold("Prepper", "Scope", "Scope", "Scope")
    b.stack_salvage("Machete")
    b.do("salvage.draw_salvage", picks=["Prepper"])
    assert len(b.held("Prepper")) == 4
    b = board(rules, {"Deadeye": 9}, {"Toxic Gull": 13}, ability("deadeye", "gunner"))
    b.act("Deadeye", "gun 9 Toxic Gull", faces=[HIT] * 2 + [MISS] * 2)
    b = board(rules, {"Shepherd": 6}, {"Scrap Rat": [6, 6]}, ability("shepherd", "herd"))
    b.act("Shepherd", "skill")
    assert b.s.room[6].enemies == 0 and b.member("Shepherd").actions == 2
    b = board(rules, {"Prepper": 6}, sets=ability("prepper", "waste_not"))
    b.hold("Prepper", "Stimulant")
    b.act("Prepper", "use Stimulant")
    assert b.s.scraps == 3 and b.s.boxed == 0


def test_a_deed_of_a_weapon_comes_with_its_own_kills_only(rules: Any) -> None:
    sets = {**ability("scout", "haste"), "weapon.pipe_wrench.effects": effect("kill", "health", 1)}
    b = board(rules, {"Scout": 6}, {"Scrap Rat": [6, 6]}, sets)
    b.hold("Scout", "Pipe Wrench")
    b.do("effects.hurt", 0, 3)
    b.act("Scout", "attack Scrap Rat", faces=[HIT] * 3)
    assert b.health("Scout") == 2
    b.act("Scout", "attack Scrap Rat 2 with Pipe Wrench", faces=[HIT] * 3)
    assert b.health("Scout") == 3
