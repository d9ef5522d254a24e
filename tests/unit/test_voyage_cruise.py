"""The Cruise Action at sea: routes and their icons, sea dice, the sea card and the Port of Call."""

from __future__ import annotations

from typing import Any

import pytest

from tests.voyage_table import table

TO_TRASH = "Sydney - Trash City"


# ---------------------------------------------------------------- the turn


@pytest.mark.rule("V1L-01")
def test_a_turn_has_two_actions_each_of_its_kind_once(rules: Any) -> None:
    b = table(rules, "Pirate").turn("Pirate", "camp", "city", "no")
    assert len(b.asked) >= 2 and "camp" not in b.asked[1]
    b.turn("Pirate", "drive to Brisbane", "camp")
    assert [options[0] for options in b.asked] == ["no", "no"], "no third action"
    assert not any(option.startswith("drive") for option in b.asked[1])


@pytest.mark.rule("V5-14", "V1L-16")
def test_a_cruise_ends_the_turn_whichever_action_it_was(rules: Any) -> None:
    b = table(rules, "Pirate").quay("Ferry").turn("Pirate", "Ferry to Melbourne", "fuel", "fuel")
    assert b.where("Pirate") == "Melbourne" and b.of("Pirate").cruised == 1
    assert [options[0] for options in b.asked] == ["no", "fuel", "fuel"], "the action, and what pays for it"
    b = table(rules, "Pirate").quay("Ferry").turn("Pirate", "camp", "Ferry to Melbourne", "fuel", "fuel")
    assert b.where("Pirate") == "Melbourne"


@pytest.mark.rule("V1L-02", "V5-57")
def test_a_cruise_goes_from_a_port_along_one_route(rules: Any) -> None:
    """Overseas, and along the coast of Australia as well."""
    b = table(rules, "Pirate").turn("Pirate", "no")
    goals = {option.removeprefix("Cutter to ") for option in b.asked[0] if option.startswith("Cutter")}
    pairs = [title.split(" - ") for title in b.tables.titles["route"] if "Sydney" in title]
    assert goals == {end for pair in pairs for end in pair} - {"Sydney"}
    assert {"Melbourne", "Brisbane", "Trash City"} <= goals
    b.at("Pirate", "Trash City").turn("Pirate", "Cutter to Brisbane", "fuel", "fuel")
    assert b.where("Pirate") == "Brisbane"


# ---------------------------------------------------------------- icons


@pytest.mark.rule("V1L-04", "V1L-05")
def test_each_icon_of_the_route_does_what_it_is_for(rules: Any) -> None:
    b = table(rules, "Pirate").has("Pirate", water=3).bag("Calm").token("Calm", ("yellow", "cargo", 7))
    b.route(TO_TRASH, radiation=1, contamination=2, threat=1, dice=1, water=2, hazard=3)
    b.sea("Storm", ("pass", "wound", 1, "hazard")).sail("Pirate", TO_TRASH, rolls=["breach"])
    pirate = b.of("Pirate")
    assert (pirate.radiation, pirate.contamination, pirate.breach, pirate.water) == (1, 2, 1, 1)
    assert (pirate.tokens, pirate.cargo, pirate.hazards, pirate.hurt) == (1, 7, 3, 3)


@pytest.mark.rule("V1L-06")
@pytest.mark.parametrize("face", ["breach", "double_breach", "threat", "water", "hazard", "blank"])
def test_a_sea_die_adds_the_icon_it_shows(rules: Any, face: str) -> None:
    b = table(rules, "Pirate").has("Pirate", water=2).bag("Calm").route(TO_TRASH, dice=1)
    b.sail("Pirate", TO_TRASH, rolls=[face])
    pirate = b.of("Pirate")
    got = {"breach": pirate.breach, "threat": pirate.tokens, "water": 2 - pirate.water, "hazard": pirate.hazards}
    wanted = {"breach": {"breach": 1}, "double_breach": {"breach": 2}, "blank": {}}.get(face, {face: 1})
    assert got == {"breach": 0, "threat": 0, "water": 0, "hazard": 0} | wanted


@pytest.mark.rule("V5-22", "V1L-06")
def test_more_dice_than_there_are_in_the_box_are_rolled_in_turns(rules: Any) -> None:
    """Eight faces, by number: here the second die shows Water where the first shows Breach."""
    b = table(rules, "Pirate").has("Pirate", water=4).ship("Ferry", hull=9).route(TO_TRASH, dice=4)
    b.t.face[0, 7], b.t.face[1, 7] = b.code.FACE["breach"], b.code.FACE["water"]
    b.sail("Pirate", TO_TRASH, rolls=[8, 8, 8, 8])
    assert (b.of("Pirate").breach, b.of("Pirate").water) == (2, 2)
    stream = rules["streams"].STREAM
    numbers = {int(rules["dice"].roll_die(stream, rules["voyage.sea"].DIE_SIDES, word << 56)) for word in range(256)}
    assert numbers == set(range(1, 9))


@pytest.mark.rule("V5-22")
@pytest.mark.parametrize("number", ["1", "5", "8"])
def test_an_effect_may_ask_for_the_value_of_a_sea_die(rules: Any, number: str) -> None:
    """FV1: so much for each point; each row rolls a die of its own, and its icon does nothing, Breach least of all."""
    b = table(rules, "Pirate").route(TO_TRASH, hazard=2)
    b.sea("Undersea Volcano", ("pass", "cargo", 2, "die"), ("pass", "experience", 1, "die"), ("pass", "fuel", 1))
    b.sail("Pirate", TO_TRASH, rolls=[int(number), 3])
    pirate = b.of("Pirate")
    assert (pirate.cargo, pirate.experience, pirate.fuel) == (2 * int(number), 3, 4)
    assert (pirate.breach, pirate.tokens, pirate.spent, pirate.tests) == (0, 0, 0, 0)
    assert [line for line in b.told() if "value" in line] == [
        f"Sea die, read for its value: {number}.",
        "Sea die, read for its value: 3.",
    ]


@pytest.mark.rule("V5-22")
@pytest.mark.parametrize("number", ["1", "3", "4", "8"])
def test_a_card_may_hang_on_the_value_of_a_sea_die(rules: Any, number: str) -> None:
    """FV1: the Shallows of the reference pack read a die of 4 or more; no skill and no token changes that."""
    b = table(rules, "Pirate").bag("Sure hand").route(TO_TRASH, threat=1).sea("Shallows")
    b.sheet("Pirate", driving=9).sail("Pirate", TO_TRASH, rolls=[int(number)])
    assert b.of("Pirate").stranded == b.of("Pirate").breach == (int(number) < 4)
    assert b.of("Pirate").tests == 0


@pytest.mark.rule("V5-22")
@pytest.mark.parametrize("moment", ["flip", "yellow", "look", "choice"])
def test_tokens_dehydration_and_destinations_read_sea_dice_as_well(rules: Any, moment: str) -> None:
    """FV1: whatever has effects may ask for the value."""
    b = table(rules, "Pirate").bag("Calm").token("Calm", ("yellow", "damage", 1, "die"))
    if moment == "flip":
        b.sides("Panic", ("flip", "damage", 1, "die")).dry("Pirate", "Panic").has("Pirate", water=0)
        b.do("water.spend_water", 0, 1, rolls=[2])
    elif moment == "yellow":
        b.route(TO_TRASH, threat=1).sail("Pirate", TO_TRASH, rolls=[2])
    elif moment == "look":
        b.at("Pirate", "Trash City").only("Trash City", "Tower").looks("Tower", ("look", "damage", 1, "die"))
        b.do("ports.reveal", 0)
        b.do("turn.finish", 0, rolls=[2])
    else:
        b.at("Pirate", "Trash City").place("Tower", effects=[("pass", "damage", 2)], skill="sea_die", need=7)
        b.turn("Pirate", "Climb it", "no", rolls=[7])
    assert b.of("Pirate").damage == 2


@pytest.mark.rule("V4-53")
def test_icons_then_dice_then_water_then_the_card_with_its_tokens(rules: Any) -> None:
    b = table(rules, "Pirate").bag("Calm").route(TO_TRASH, radiation=1, threat=1, dice=1, water=1)
    b.sea("Storm", ("drawn", "damage", 1)).sail("Pirate", TO_TRASH, rolls=["breach"])
    heads = [
        "Pirate suffers 1 Radiation",
        "On the route",
        "Sea die",
        "The ship",
        "Water icons: 1; to spend: 1",
        "Pirate spends",
        "Card of the sea deck: Storm",
        "Threat token",
        "The vehicle",
    ]
    assert [line[: len(head)] for line, head in zip(b.told(), heads, strict=True)] == heads


@pytest.mark.rule("V4-53")
def test_by_the_other_reading_the_water_of_the_route_is_paid_before_the_dice(rules: Any) -> None:
    b = table(rules, "Pirate").ruling(water_payment="before_dice").route(TO_TRASH, dice=1, water=1)
    b.sail("Pirate", TO_TRASH, rolls=["water"])
    heads = ["On the route", "Water icons: 1", "Pirate spends 1", "Sea die: water", "Water icons: 2", "Pirate spends 1"]
    heads += ["Card of the sea deck: Calm Sea"]
    assert [line[: len(head)] for line, head in zip(b.told(), heads, strict=True)] == heads


@pytest.mark.rule("V4-55", "V5-20")
@pytest.mark.parametrize("reading", ["counts", "ignored"])
def test_a_hazard_on_a_die_counts_for_the_card(rules: Any, reading: str) -> None:
    b = table(rules, "Pirate").ruling(die_hazard=reading).route(TO_TRASH, dice=1, hazard=1)
    b.sea("Storm", ("pass", "damage", 1, "hazard")).sail("Pirate", TO_TRASH, rolls=["hazard"])
    assert b.of("Pirate").damage == (2 if reading == "counts" else 1)


@pytest.mark.rule("V5-20")
def test_hazards_do_nothing_unless_a_card_asks_for_them(rules: Any) -> None:
    b = table(rules, "Pirate").route(TO_TRASH, hazard=4).sea("Storm", ("pass", "cargo", 1)).sail("Pirate", TO_TRASH)
    pirate = b.of("Pirate")
    assert (pirate.cargo, pirate.breach, pirate.damage, pirate.hurt, pirate.radiation) == (1, 0, 0, 0, 0)


@pytest.mark.rule("V5-21")
@pytest.mark.parametrize("reading", ["with_card", "at_once"])
def test_a_token_of_a_die_is_resolved_with_the_card(rules: Any, reading: str) -> None:
    """Like those of the route, on its red side against an enemy; by the other reading at once, on its yellow side."""
    b = table(rules, "Pirate").ruling(die_tokens=reading).bag("Calm").route(TO_TRASH, dice=1)
    b.token("Calm", ("yellow", "cargo", 1), ("red", "cargo", 5)).sea("Pirates!", health=1, dice=0, armor=0, threat=0)
    b.sail("Pirate", TO_TRASH, "fight", "no", "water", "water", rolls=["threat", 6])
    assert b.of("Pirate").cargo == (5 if reading == "with_card" else 1)
    told = [line.split(":")[0] for line in b.told()]
    assert (told.index("Threat token") < told.index("Card of the sea deck")) == (reading == "at_once")


# ---------------------------------------------------------------- the sea card


@pytest.mark.rule("V1L-14")
@pytest.mark.parametrize("many", ["1", "2"])
def test_one_card_a_cruise_and_hazards_are_its_only_condition(rules: Any, many: str) -> None:
    b = table(rules, "Pirate").route(TO_TRASH, dice=2, hazard=int(many))
    b.sea("Storm", ("fail", "breach", 1, "hazard"), skill="survival", need=2)
    b.sail("Pirate", TO_TRASH, rolls=["blank", "blank", 3, 4])
    assert [line for line in b.told() if "Card" in line] == [
        f"Card of the sea deck: Storm, read by Pirate; Hazards: {many}."
    ]
    assert b.of("Pirate").breach == int(many)


@pytest.mark.rule("V5-15", "V1L-14")
def test_the_neighbour_to_the_right_reads_and_takes_the_decisions(rules: Any) -> None:
    b = table(rules, "Pirate", "Trader", "Rangatira").sea("Storm", ("pass", "lose", 1)).sail("Trader", TO_TRASH, "ammo")
    assert b.deciders == ["Pirate"] and b.of("Trader").ammo == 2
    assert "Card of the sea deck: Storm, read by Pirate; Hazards: 0." in b.told()
    b.sea("Storm").sail("Pirate", TO_TRASH, "meds", ship="Raft")
    assert b.deciders == ["Rangatira"] and b.of("Pirate").meds == 2
    b.of("Rangatira").out = 1
    b.sea("Storm").sail("Pirate", TO_TRASH, "fuel", ship="Raft")
    assert b.deciders == ["Trader"], "the next one who is still in the game"
    b.of("Trader").out = 1
    b.sea("Storm").sail("Pirate", TO_TRASH, "fuel", ship="Raft")
    assert b.deciders == ["Pirate"], "who is alone reads for himself"


@pytest.mark.rule("V5-15")
def test_what_the_knight_himself_decides_stays_his(rules: Any) -> None:
    b = table(rules, "Pirate", "Trader").sea("Storm", ("pass", "resource", 1), optional=1)
    b.sail("Pirate", TO_TRASH, "try", "ammo")
    assert b.deciders == ["Pirate", "Pirate"] and b.of("Pirate").ammo == 4
    b.sea("Storm").sail("Pirate", TO_TRASH, "no", ship="Raft")
    assert b.of("Pirate").ammo == 4, "left be"


@pytest.mark.rule("V5-16")
def test_an_enemy_without_aquatic_is_fought_as_usual(rules: Any) -> None:
    b = table(rules, "Pirate").gear("Pistol", "weapon", dice=3).gives("Pirate", "Pistol")
    b.sea("Pirates!", ("won", "cargo", 3), health=2, dice=1, armor=0, threat=0)
    b.sail("Pirate", TO_TRASH, "fight", "no", rolls=[4, 5, 3])
    assert (b.of("Pirate").won, b.of("Pirate").cargo, b.of("Pirate").experience) == (1, 3, 1)
    assert b.asked[0] == ["escape", "fight", "ammo"]


@pytest.mark.rule("V5-19", "V1L-13")
def test_a_cruise_goes_on_wherever_its_card_leads(rules: Any) -> None:
    """The vehicle's ability stays off, and gear that is found is not put on."""
    b = table(rules, "Pirate").vehicle("Buggy", survival=2).gear("Machete", "weapon", dice=3)
    b.sea("Atoll", ("drawn", "gear", 1), ("pass", "cargo", 1), skill="survival", need=3)
    b.s.deck[b.code.NORMAL_GEAR].left = 1 << b.card_of("Machete")
    b.sail("Pirate", TO_TRASH, "normal", rolls=[6, 6])
    assert b.of("Pirate").cargo == 0, "two dice, not four"
    assert b.pieces("Pirate") == ["Machete"] and b.worn("Pirate") == []
    b.turn("Pirate", "no")
    assert b.worn("Pirate") == ["Machete"]


@pytest.mark.rule("V5-54")
@pytest.mark.parametrize("reading", ["ignored", "told"])
def test_an_encounter_without_a_table_is_ignored(rules: Any, reading: str) -> None:
    """Only the threat tokens are resolved; the other reading tells what the pack has of it."""
    b = table(rules, "Pirate").ruling(encounters=reading).route(TO_TRASH, threat=1).bag("Calm")
    b.sea("Encounter J", ("pass", "cargo", 2), skill="perception", need=1)
    b.sail("Pirate", TO_TRASH, rolls=[4, 1] if reading == "told" else [])
    assert (b.of("Pirate").cargo, b.of("Pirate").tokens) == (2 if reading == "told" else 0, 1)


# ---------------------------------------------------------------- the Port of Call


@pytest.mark.rule("V1L-16", "V5-23")
def test_an_unconscious_knight_arrives_all_the_same(rules: Any) -> None:
    b = table(rules, "Pirate", "Trader").quay("Ferry").sea("Storm", ("pass", "wound", 5)).place("Tower")
    b.turn("Pirate", "Ferry to Trash City", "fuel", "fuel")
    pirate = b.of("Pirate")
    assert (pirate.down, pirate.arrivals, pirate.cruised, b.where("Pirate")) == (1, 1, 1, "Trash City")


@pytest.mark.rule("V5-24", "V5-30")
def test_no_interaction_until_the_round_ends(rules: Any) -> None:
    """The thin layer has one kind: a Camp Action shared on a space."""
    b = table(rules, "Pirate", "Trader").quay("Ferry").has("Pirate", hurt=3).at("Trader", "Melbourne")
    b.turn("Pirate", "Ferry to Melbourne", "fuel", "fuel").turn("Trader", "camp", "no")
    assert b.of("Pirate").hurt == 3
    b.end_round().turn("Trader", "camp", "no")
    assert b.of("Pirate").hurt == 2
    b.has("Pirate", stranded=1).turn("Trader", "camp", "no")
    assert b.of("Pirate").hurt == 2, "nor in the Stranded Area"


@pytest.mark.rule("V1L-18")
def test_ships_go_back_to_the_leftmost_free_slot_with_their_breach(rules: Any) -> None:
    b = table(rules, "Pirate", "Rangatira").quay("Raft", "Ferry").route("Melbourne - Sydney", dice=1)
    b.turn("Rangatira", "Ferry to Melbourne", "fuel", "fuel", rolls=["breach"]).turn(
        "Pirate", "Raft to Melbourne", "fuel", "fuel", rolls=["double_breach"]
    )
    assert b.on_quay() == ["", ""] and b.ship_of("Rangatira") == "Ferry"
    b.end_round()
    assert b.on_quay() == ["Raft", "Ferry"], "in player order"
    assert (b.of("Pirate").cruised, b.ship_of("Pirate")) == (0, "")
    b.turn("Rangatira", "Raft to Sydney", "fuel", "ammo", rolls=["breach"])
    assert b.of("Rangatira").breach == 3


@pytest.mark.rule("V1L-18")
def test_cutters_go_on_top_of_the_deck_and_the_last_one_keeps_its_tokens(rules: Any) -> None:
    b = table(rules, "Pirate", "Trader").route("Melbourne - Sydney", dice=1)
    under = int(b.s.stack)
    b.turn("Pirate", "Cutter to Melbourne", "fuel", "fuel", rolls=["double_breach"])
    b.vehicle("Pickup", type="light").turn("Trader", "Cutter to Melbourne", "fuel", "fuel", rolls=["breach"])
    b.end_round()
    assert int(b.s.stack) == under and list(b.s.cutter[under - 2 : under]) == [0, 1]
    b.turn("Pirate", "Cutter to Sydney", "fuel", "ammo", rolls=["breach"])
    assert b.of("Pirate").breach == 2
