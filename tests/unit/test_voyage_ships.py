"""Ships: the Quay at set-up, charter, Breach, sunk ships and the Stranded Area."""

from __future__ import annotations

from typing import Any

import pytest

from tests.voyage_table import dealt, table

TO_TRASH = "Sydney - Trash City"
KNIGHTS = ("Pirate", "Rangatira", "Trader", "Assault Marine")


def heavy_on(b: Any) -> int:
    """Heavy ships on the Quay."""
    return sum(b.t.ship[b.ship_number(title)].type == b.code.TYPE["heavy"] for title in b.on_quay())


# ---------------------------------------------------------------- the Quay at set-up


@pytest.mark.rule("V1L-07", "V4-63")
@pytest.mark.parametrize("many", ["1", "2", "3", "4"])
def test_the_quay_has_as_many_ships_as_knights_and_the_rest_are_cutters(rules: Any, many: str) -> None:
    """Ten ships, each with a Cutter as its back: the eleventh."""
    seen = set()
    for game in range(12):
        b = dealt(rules, *KNIGHTS[: int(many)], game=game)
        assert len(b.on_quay()) == int(many) and "" not in b.on_quay() and "Cutter" not in b.on_quay()
        assert b.s.stack == 10 - int(many) and not b.s.cutter.any() and not b.s.breach.any()
        assert len({*b.s.quay[: b.s.slots], *b.s.pile[: b.s.stack]}) == 10
        seen.add(b.on_quay()[0])
    assert len(seen) > 3, "shuffled"


@pytest.mark.rule("V1L-08")
@pytest.mark.parametrize("haulers", ["0", "1", "2"])
def test_heavy_ships_match_the_knights_with_heavy_vehicles(rules: Any, haulers: str) -> None:
    """Looked at only where somebody has such a vehicle."""
    many = int(haulers)
    found = set()
    for game in range(25):
        b = dealt(rules, *KNIGHTS[:3], game=game)
        for k in range(3):
            b.s.knight[k].vehicle = b.tables.titles["vehicle"].index("Hauler" if k < many else "Buggy")
        b.do("harbour.open_quay", game * 1000 + 7)
        found.add(heavy_on(b))
    assert found == ({many} if many else {0, 1, 2}) or (not many and found >= {0, 1})


@pytest.mark.rule("V1L-08")
def test_ships_are_exchanged_from_the_right(rules: Any) -> None:
    b = table(rules, *KNIGHTS).quay("Raft", "Speeder", "Catamaran", "Whaler")
    pile = ["Ferry", "Barge", "Submarine", "Container Ship", "Trawler", "Power Cruiser"]  # the top card last
    b.s.pile[:6] = [b.ship_number(title) for title in pile]
    b.do("harbour.fit_heavy")
    assert b.on_quay() == ["Raft", "Container Ship", "Trawler", "Power Cruiser"]
    assert {b.tables.titles["ship"][ship] for ship in b.s.pile[:6]} == {
        "Ferry", "Barge", "Submarine", "Speeder", "Catamaran", "Whaler",
    }  # fmt: skip


@pytest.mark.rule("V1L-08", "V4-56")
@pytest.mark.parametrize("reading", ["equal", "at_least"])
def test_more_heavy_ships_than_needed_are_taken_off_too(rules: Any, reading: str) -> None:
    b = table(rules, "Assault Marine", "Pirate").ruling(heavy_ships=reading).quay("Ferry", "Barge")
    b.do("harbour.fit_heavy")
    assert heavy_on(b) == (1 if reading == "equal" else 2)
    assert b.on_quay()[0] == "Ferry", "the right one went"


@pytest.mark.rule("V4-56")
def test_the_search_stops_when_no_heavy_ship_is_left(rules: Any) -> None:
    b = table(rules, "Assault Marine", "Pirate")
    for title in ("Ferry", "Barge"):
        b.ship(title, type="medium")
    for knight in ("Assault Marine", "Pirate"):
        b.of(knight).vehicle = b.tables.titles["vehicle"].index("Hauler")
    b.quay("Container Ship", "Raft").do("harbour.fit_heavy")
    assert b.on_quay() == ["Container Ship", "Raft"], "the one that there is stays"


@pytest.mark.rule("V1L-08")
def test_what_came_off_the_quay_is_shuffled_into_the_deck(rules: Any) -> None:
    tops = set()
    for game in range(12):
        b = dealt(rules, "Assault Marine", game=game)
        tops.add(int(b.s.pile[b.s.stack - 1]))
    assert len(tops) > 3


# ---------------------------------------------------------------- charter


@pytest.mark.rule("V1L-09", "V5-10")
@pytest.mark.parametrize("vehicle", ["Buggy", "Pickup", "Hauler"])
def test_a_ship_is_at_least_as_heavy_as_the_vehicle(rules: Any, vehicle: str) -> None:
    b = table(rules, *KNIGHTS).quay("Ferry", "Whaler", "Raft")
    b.of("Pirate").vehicle = b.tables.titles["vehicle"].index(vehicle)
    b.turn("Pirate", "no")
    ships = {option.split(" to ")[0] for option in b.asked[0] if " to Trash City" in option}
    assert (
        ships
        == {"Buggy": {"Ferry", "Whaler", "Raft", "Cutter"}, "Pickup": {"Ferry", "Whaler"}, "Hauler": {"Ferry"}}[vehicle]
    )


@pytest.mark.rule("V1L-10")
def test_if_none_fits_the_top_cutter_costs_one_more(rules: Any) -> None:
    b = table(rules, "Trader", "Pirate").quay("Raft").ship("Cutter", cost=2)
    b.turn("Trader", "Cutter to Trash City", "fuel", "fuel", "fuel")
    assert (b.of("Trader").paid, b.of("Trader").surcharges, b.of("Trader").fuel) == (3, 1, 0)
    b.turn("Pirate", "Cutter to Trash City", "fuel", "fuel")
    assert (b.of("Pirate").paid, b.of("Pirate").surcharges) == (2, 0), "who fits on it pays no more"


@pytest.mark.rule("V1L-10")
def test_a_ship_that_fits_and_is_too_dear_shuts_the_cutter_out(rules: Any) -> None:
    b = table(rules, "Trader").quay("Whaler").ship("Whaler", cost=12).turn("Trader", "no")
    assert not any("Trash City" in option for option in b.asked[0])


@pytest.mark.rule("V1L-11", "V5-11", "V4-61")
def test_the_cost_is_paid_in_resources_and_gear_without_change(rules: Any) -> None:
    """Not in Water; nothing is gained or exchanged; what is paid beyond the cost is lost."""
    b = table(rules, "Pirate").quay("Ferry").ship("Ferry", cost=4).gear("Rope", value=3).gear("Dice", value=0)
    b.gives("Pirate", "Rope", "Dice").has("Pirate", fuel=1, ammo=0, meds=1, water=4)
    b.turn("Pirate", "Ferry to Trash City", "fuel", "Rope")
    pirate = b.of("Pirate")
    assert b.asked[1:3] == [["fuel", "meds", "Rope"], ["meds", "Rope"]], "nothing without value, and no Water"
    assert (pirate.fuel, pirate.meds, pirate.water, b.pieces("Pirate")) == (0, 1, 4, ["Dice"])
    b.end_round().at("Pirate", "Sydney").gives("Pirate", "Rope").has("Pirate", fuel=2, meds=0)
    b.turn("Pirate", "Ferry to Trash City", "fuel", "Rope")
    assert (pirate.fuel, pirate.overpaid, pirate.paid) == (1, 0, 8)
    b.end_round().at("Pirate", "Sydney").gives("Pirate", "Rope").ship("Ferry", cost=2)
    b.turn("Pirate", "Ferry to Trash City", "Rope")
    assert (pirate.fuel, pirate.overpaid, pirate.paid) == (1, 1, 10)


@pytest.mark.rule("V1L-11", "V1M-07")
def test_who_cannot_pay_does_not_sail(rules: Any) -> None:
    b = table(rules, "Pirate").quay("Ferry").has("Pirate", fuel=1, ammo=0, meds=0, water=6).turn("Pirate", "no")
    assert not any("Ferry" in option or "Cutter" in option for option in b.asked[0])


@pytest.mark.rule("V4-61")
def test_a_knight_who_weighs_it_wastes_as_little_as_he_can(rules: Any) -> None:
    b = table(rules, "Pirate").gear("Rope", value=2).gear("Camel", value=5).gives("Pirate", "Rope", "Camel")
    b.of("Pirate").bot, b.of("Pirate").weighs = b.tables.bots.index("strong"), 1
    b.do("stalls.lay_out_payment", 0, 2, 0)
    worth = {int(option): int(value) for option, value in zip(b.s.option[: b.s.options], b.s.value, strict=False)}
    at = {b._gear_title(int(b.of("Pirate").piece[i])): 16 + i for i in range(2)}
    assert worth[at["Rope"]] > worth[at["Camel"]]


@pytest.mark.rule("V1L-11")
def test_thrift_takes_something_off_the_cost(rules: Any) -> None:
    b = table(rules, "Pirate").upgrade("Old Debts", thrift=3).learns("Pirate", "Old Debts").ship("Ferry", cost=4)
    assert b.do("harbour.cost_of", 0, b.ship_number("Ferry")) == 1
    assert b.do("harbour.cost_of", 0, b.ship_number("Raft")) == 0, "never less than nothing"


@pytest.mark.rule("V5-10")
def test_a_chartered_ship_is_out_of_reach_until_the_round_ends(rules: Any) -> None:
    b = table(rules, "Pirate", "Rangatira").quay("Ferry", "Raft").turn("Pirate", "Ferry to Melbourne", "fuel", "fuel")
    b.turn("Rangatira", "no")
    assert not any("Ferry" in option for option in b.asked[0])
    assert any("Raft" in option for option in b.asked[0]) and any("Cutter" in option for option in b.asked[0])
    b.end_round().turn("Rangatira", "no")
    assert any("Ferry" in option for option in b.asked[0])


@pytest.mark.rule("V1L-12")
def test_type_hull_cost_speed_and_ability_of_a_ship(rules: Any) -> None:
    b = table(rules, "Trader").quay("Ferry").route(TO_TRASH, dice=3, water=2, hazard=2)
    b.ship("Ferry", type="medium", hull=3, cost=1, speed=-1, steady=1, clear=1, tech=1)
    b.sea(
        "Storm",
        ("pass", "cargo", 4),
        ("fail", "damage", 1, "hazard"),
        ("pass", "damage", 1, "hazard"),
        skill="tech",
        need=3,
    )
    b.turn("Trader", "Ferry to Trash City", "fuel", rolls=["double_breach", "breach", "blank", 4, 4, 4])
    trader = b.of("Trader")
    assert (trader.paid, trader.breach, trader.sunk, trader.spent) == (1, 2, 0, 1)
    assert (trader.cargo, trader.damage) == (4, 1)


@pytest.mark.rule("V1L-13", "V5-12", "V5-29")
def test_vehicles_are_freight_at_sea(rules: Any) -> None:
    """Neither their own ability nor upgrades tied to them work; what they hold can be used, and they can be hurt."""
    b = table(rules, "Pirate").vehicle("Buggy", survival=1).upgrade("Getaway", vehicle=1, survival=2)
    b.learns("Pirate", "Getaway").route(TO_TRASH, water=1)
    b.sea("Storm", ("pass", "cargo", 1), ("fail", "damage", 1), skill="survival", need=1)
    b.sail("Pirate", TO_TRASH, rolls=[1, 3])
    assert (b.of("Pirate").damage, b.of("Pirate").water) == (1, 1)
    b.card("Lost Outpost", ("pass", "cargo", 1), skill="survival", need=1).resolve(
        "Pirate", "Lost Outpost", rolls=[1] * 5
    )
    assert b.of("Pirate").cargo == 0, "five dice ashore"


@pytest.mark.rule("V1L-13")
def test_gear_is_fixed_until_the_cruise_ends(rules: Any) -> None:
    b = table(rules, "Pirate").gear("Rope", survival=1).gear("Dice", survival=1).gear("Lighter", survival=3)
    b.gives("Pirate", "Rope", "Dice", "Lighter").has("Pirate", fuel=3)
    assert b.worn("Pirate") == ["Dice", "Rope"], "as many as there are pockets"
    b.sea("Storm", ("drawn", "drop", 1), ("pass", "cargo", 1), skill="survival", need=3)
    b.sail("Pirate", TO_TRASH, "Rope", rolls=[6, 6, 6])
    assert b.worn("Pirate") == ["Dice"] and b.of("Pirate").cargo == 1, "three dice, no Lighter in the Rope's place"
    b.turn("Pirate", "no")
    assert b.worn("Pirate") == ["Dice", "Lighter"]


# ---------------------------------------------------------------- Breach, and sunk ships


@pytest.mark.rule("V1L-22", "V1L-18")
def test_breach_stays_on_a_ship(rules: Any) -> None:
    """Neither a camp nor a card takes it off."""
    b = table(rules, "Pirate").quay("Ferry").route(TO_TRASH, dice=1).sea("Storm", ("pass", "mend", 3))
    b.turn("Pirate", "Ferry to Trash City", "fuel", "fuel", rolls=["breach"]).end_round()
    b.sheet("Pirate", repair=4).turn("Pirate", "camp", "no").end_round()
    assert b.s.breach[b.ship_number("Ferry")] == 1 and "mend" not in rules["voyage.cards"].HARMS


@pytest.mark.rule("V1L-19", "V5-26")
def test_as_much_breach_as_hull_sinks_a_ship(rules: Any) -> None:
    b = table(rules, "Pirate").quay("Ferry").ship("Ferry", hull=3).route(TO_TRASH, dice=2)
    b.turn("Pirate", "Ferry to Trash City", "fuel", "fuel", rolls=["double_breach", "blank"])
    assert b.where("Pirate") == "Trash City"
    b.end_round().turn("Pirate", "Ferry to Sydney", "fuel", "ammo", rolls=["breach"])
    pirate = b.of("Pirate")
    assert (b.where("Pirate"), b.ship_of("Pirate"), pirate.sunk, pirate.cruised) == ("Stranded Area", "", 1, 0)
    assert pirate.damage == b.t.vehicle[pirate.vehicle].chassis and pirate.wrecks == 1
    b.end_round()
    assert b.on_quay() == [""] and b.s.lost == 1 << b.ship_number("Ferry")


@pytest.mark.rule("V4-57")
@pytest.mark.parametrize("reading", ["not_refilled", "refilled"])
def test_the_slot_of_a_lost_ship_stays_empty(rules: Any, reading: str) -> None:
    b = (
        table(rules, "Pirate", "Rangatira")
        .ruling(lost_ships=reading)
        .quay("Ferry", "Raft")
        .has("Rangatira", stranded=1)
    )
    b.do("harbour.charter", 1, b.ship_number("Raft"), words=("fuel", "fuel"))
    b.do("harbour.charter", 0, b.ship_number("Ferry"), words=("fuel", "fuel"))
    b.do("breach.breach", 0, 4)
    under = int(b.s.pile[b.s.stack - 1])
    b.end_round()
    filled = b.tables.titles["ship"][under] if reading == "refilled" else ""
    assert sorted(b.on_quay()) == ["", filled], "one is still at sea"
    assert b.ship_of("Rangatira") == "Raft"
    b.of("Rangatira").stranded = 0
    b.end_round()
    assert b.on_quay().count("Raft") == 1 and b.on_quay().count("") == (reading != "refilled")
    b.do("harbour.lay_out_cruises", 0, 0)
    assert any("Cutter" in b.words(int(o), "take_turn", 0) for o in b.s.option[: b.s.options])


@pytest.mark.rule("V4-58")
@pytest.mark.parametrize("reading", ["leaves", "returns"])
def test_a_sunk_cutter_leaves_the_game_like_any_ship(rules: Any, reading: str) -> None:
    b = table(rules, "Pirate").ruling(sunk_cutter=reading).ship("Cutter", hull=1).route(TO_TRASH, dice=1)
    before = int(b.s.stack)
    b.turn("Pirate", "Cutter to Trash City", "fuel", "fuel", rolls=["breach"])
    assert int(b.s.stack) == before - (reading == "leaves") and not b.s.cutter.any()
    assert b.s.lost == 0 and b.of("Pirate").sunk == 1


@pytest.mark.rule("V4-54")
@pytest.mark.parametrize("reading", ["no_card", "card_first"])
def test_a_ship_sunk_by_the_dice_draws_no_card(rules: Any, reading: str) -> None:
    b = table(rules, "Pirate").ruling(sunk_by_dice=reading).route(TO_TRASH, dice=3, water=1)
    b.sea("Storm", ("pass", "cargo", 2)).sail("Pirate", TO_TRASH, breach=2, rolls=["double_breach"])
    assert b.where("Pirate") == "Stranded Area"
    assert (b.of("Pirate").cargo, b.of("Pirate").spent) == ((0, 0) if reading == "no_card" else (2, 1))


@pytest.mark.rule("V1L-21", "V4-60")
@pytest.mark.parametrize("reading", ["when_sunk", "after_cruise"])
def test_a_sunk_ship_ends_the_game_of_an_unconscious_knight(rules: Any, reading: str) -> None:
    b = table(rules, "Pirate", "Trader").ruling(elimination=reading)
    b.sea("Storm", ("pass", "wound", 5), ("pass", "breach", 4)).sail("Pirate", TO_TRASH)
    assert (b.of("Pirate").out, b.of("Pirate").water) == (1, 0)
    b.has("Trader", hurt=4).ruling(sunk_by_dice="card_first").route(TO_TRASH, dice=1)
    b.sea("Storm", ("pass", "wound", 1)).sail("Trader", TO_TRASH, breach=3, rolls=["breach"], ship="Barge")
    assert b.of("Trader").out == (reading == "after_cruise"), "unconscious only after the ship was gone"


@pytest.mark.rule("V5-53")
def test_a_ship_can_be_sunk_outside_a_cruise(rules: Any) -> None:
    b = table(rules, "Pirate").quay("Ferry").ship("Ferry", hull=2).only("Trash City", "Tower")
    b.looks("Tower", ("look", "breach", 2)).turn("Pirate", "Ferry to Trash City", "fuel", "fuel")
    assert (b.where("Pirate"), b.of("Pirate").sunk, b.ship_of("Pirate")) == ("Stranded Area", 1, "")
    b.end_round().turn("Pirate")
    assert b.where("Pirate") == "Trash City" and b.s.lost == 1 << b.ship_number("Ferry")
    b.do("breach.breach", 0, 5)
    assert b.of("Pirate").suffered == 2, "without a ship there is nothing to breach"


# ---------------------------------------------------------------- the Stranded Area


@pytest.mark.rule("V5-26", "V1L-20", "V5-27")
def test_a_card_can_strand_a_knight_who_keeps_his_ship(rules: Any) -> None:
    b = table(rules, "Pirate", "Trader").quay("Ferry").sea("Reef", ("pass", "strand", 1), ("pass", "cargo", 5))
    b.turn("Pirate", "Ferry to Trash City", "fuel", "fuel")
    pirate = b.of("Pirate")
    assert (b.where("Pirate"), pirate.cruised, pirate.arrivals, pirate.cargo) == ("Stranded Area", 0, 0, 0)
    b.end_round()
    assert b.ship_of("Pirate") == "Ferry" and b.on_quay() == ["", ""]
    b.turn("Pirate")
    assert (b.where("Pirate"), pirate.water, pirate.cruised) == ("Trash City", 1, 1)
    b.end_round()
    assert b.on_quay() == ["Ferry", ""]


@pytest.mark.rule("V5-26")
def test_a_narrative_can_strand_a_knight_where_he_is(rules: Any) -> None:
    b = table(rules, "Pirate").at("Pirate", "Trash City").place("Tower", effects=[("pass", "strand", 1)])
    b.turn("Pirate", "Climb it")
    assert b.where("Pirate") == "Stranded Area" and len(b.asked) == 1
    b.turn("Pirate")
    assert b.where("Pirate") == "Trash City"


@pytest.mark.rule("V1L-20", "V5-28")
def test_leaving_takes_the_place_of_all_actions(rules: Any) -> None:
    b = table(rules, "Pirate").has("Pirate", stranded=1, goal=0).place("Tower")
    b.of("Pirate").goal = b.port("Trash City")
    b.turn("Pirate")
    pirate = b.of("Pirate")
    assert b.asked == [] and (pirate.cruised, pirate.spent, pirate.stuck, pirate.arrivals) == (1, 1, 1, 1)


@pytest.mark.rule("V1L-20")
def test_an_unconscious_knight_comes_round_first_and_free(rules: Any) -> None:
    b = table(rules, "Pirate").has("Pirate", stranded=1, down=1, hurt=5).only("Trash City", "Tower")
    b.of("Pirate").goal = b.port("Trash City")
    b.looks("Tower", ("look", "cargo", 2)).turn("Pirate")
    assert (b.of("Pirate").down, b.where("Pirate"), b.of("Pirate").cargo) == (0, "Trash City", 2)


@pytest.mark.rule("V1L-20", "V5-34")
def test_the_stranded_are_neither_in_australia_nor_at_a_destination(rules: Any) -> None:
    b = table(rules, "Pirate", "Trader").has("Pirate", stranded=1)
    out = b.outcome()
    assert (out.seat[0].home, out.seat[1].home) == (0, 1)


@pytest.mark.rule("V4-59")
@pytest.mark.parametrize("reading", ["dehydrates", "free"])
def test_who_is_stranded_without_water_arrives_thirsty(rules: Any, reading: str) -> None:
    b = table(rules, "Pirate").ruling(stranded_water=reading).has("Pirate", stranded=1, water=0).place("Tower")
    b.of("Pirate").goal = b.port("Trash City")
    b.turn("Pirate")
    assert b.where("Pirate") == "Trash City" and b.of("Pirate").thirst == (reading == "dehydrates")


@pytest.mark.rule("V1L-19")
def test_a_wreck_does_not_drive(rules: Any) -> None:
    b = table(rules, "Pirate").has("Pirate", damage=3).turn("Pirate", "no")
    assert not any(option.startswith("drive") for option in b.asked[0]) and "camp" in b.asked[0]
