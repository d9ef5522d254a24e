"""Trade: the Stalls, their prices, paying, vehicles, and what may not be sold.

Spaces: 0 to 3 green (3 at the yellow price), 4 to 7 yellow (6 at the red price, 7 of Pumps at the green price), 8 and 9
red (9 of New Sydney at the yellow price)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.board_table import Table, table

GREENS = ("Fuel Can", "Saddlebags", "Repair Kit", "Toolbox", "Dundee Hat", "Prepper's Kit")
YELLOW, OTHER_YELLOW, RED, OTHER_RED = "Trailer", "Geiger Counter", "Sky Link", "Fusion Cell"
QUEENS_VALLEY, ALICE = 3, 5


def shop(rules: Any, *own: str, city: int = 1, words: tuple[str, ...] = (), **spaces: str) -> Table:
    """Mel with own cards and room for many, trading in a city, until she has bought what the words say."""
    b = table(rules, "Mel", "Naomi", sets={"knight.mel_gearson.backpack": "6"}).drives("Mel", "").give("Mel", *own)
    b.sell(**spaces).always(go_shopping="no")
    b.at("Mel", int(b.t.map.city[city - 1])).do("stalls.go_shopping", 0, words=words)
    return b


@pytest.mark.rule("K1H-22", "K1H-23", "K1H-24", "K5B-21", "K5B-23")
def test_prices_by_space(rules: Any) -> None:
    """A card costs its space's price; the two special spaces are reached from their own city alone."""
    for own, city, within in (
        (1, 1, {0}), (1, 2, {0, 7}), (2, 1, {0}), (3, 1, {0, 3, 4}), (3, 4, {0, 3, 4, 9}), (6, 1, {0, 3, 4, 6, 8}),
    ):  # fmt: skip
        b = shop(rules, *GREENS[:own], city=city, s0="Road Map", s3="Night Goggles", s4=YELLOW, s6=OTHER_YELLOW,
                 s7="Survey Drone", s8=RED, s9=OTHER_RED)  # fmt: skip
        titles = {
            0: "Road Map",
            3: "Night Goggles",
            4: YELLOW,
            6: OTHER_YELLOW,
            7: "Survey Drone",
            8: RED,
            9: OTHER_RED,
        }
        assert set(b.asked[0]) == {"no"} | {titles[space] for space in within}, (own, city)


@pytest.mark.rule("K1H-22", "K5B-20", "K4-23")
def test_paying_with_equivalents(rules: Any) -> None:
    """Three green for a yellow, two yellow for a red; a dearer card pays without change."""
    b = shop(rules, *GREENS[:3], s4=YELLOW, words=(YELLOW,))
    assert b.has("Mel") == [YELLOW] and b.of("Mel").bought == 1
    b = shop(rules, YELLOW, OTHER_YELLOW, s8=RED, words=(RED,))
    assert b.has("Mel") == [RED]
    b = shop(rules, YELLOW, s0="Road Map", words=("Road Map",))
    assert b.has("Mel") == ["Road Map"] and YELLOW in b.stalls()[4:8], "and lies in the Stalls now"


@pytest.mark.rule("K5B-20", "K1H-22")
def test_who_pays_picks_the_cards(rules: Any) -> None:
    """FK14: any own cards, one after another until the price is reached; in a city and for an action."""
    own = ("Fuel Can", "Saddlebags", "Repair Kit", "Toolbox", OTHER_YELLOW)
    words = (YELLOW, "Toolbox", "Saddlebags", "Repair Kit")
    b = shop(rules, *own, s4=YELLOW, s0="Road Map", words=(*words, "no"))
    assert sorted(b.asked[1]) == sorted(own) and b.has("Mel") == sorted(["Fuel Can", OTHER_YELLOW, YELLOW])
    assert sorted(b.asked[3]) == sorted({*own} - {"Toolbox", "Saddlebags"}), "and none after that"
    b = shop(rules, *own, s4=YELLOW, words=(YELLOW, OTHER_YELLOW))
    assert b.has("Mel") == sorted([*own[:4], YELLOW]), "or one for one"
    b = table(rules, "Mel", "Naomi", sets={"board.map.dear_pays_cheap": "false"}).give("Mel", "Road Map", "Toolbox")
    b.explore("Mel", "resupply_body", "Toolbox")
    assert b.has("Mel") == ["Road Map"] and ["Road Map", "Toolbox"] in [sorted(asked) for asked in b.asked]


@pytest.mark.rule("K5B-20", "K5B-22")
def test_one_deal_of_many_cards(rules: Any) -> None:
    """Any number for any number, as long as they cost no more in all; what is taken pays for nothing in the deal; then
    the Stalls are refilled, and new cards are out of reach."""
    b = shop(rules, RED, s4=YELLOW, s5=OTHER_YELLOW, words=(YELLOW, OTHER_YELLOW))
    assert b.has("Mel") == [OTHER_YELLOW, YELLOW], "a red one for two yellow ones"
    b = shop(rules, YELLOW, s0="Road Map", s1="Toolbox", s2="Dundee Hat", words=("Road Map", "Toolbox", "Dundee Hat"))
    assert b.has("Mel") == ["Dundee Hat", "Road Map", "Toolbox"] and len(b.asked) == 3
    b = shop(rules, GREENS[0], city=2, s7=YELLOW, s4=OTHER_YELLOW, words=(YELLOW,))
    assert b.has("Mel") == [YELLOW] and len(b.asked) == 1, "bought for a green, it buys no other"
    assert not b.of("Mel").own[: b.of("Mel").items].any(), "but it is his own afterwards"
    b.stack_gear("Night Goggles").sell(s0="Road Map")
    b.do("stalls.go_shopping", 0, words=["Road Map"])
    assert all("Night Goggles" not in asked for asked in b.asked) and b.stalls()[0] == "Night Goggles"


@pytest.mark.rule("K1C-03", "K1C-05", "K5B-29")
@pytest.mark.parametrize(("city", "barred"), [(1, set()), (QUEENS_VALLEY, {"Pipe Rifle"}), (ALICE, {"Medi-shot"})])
def test_what_a_city_bars_from_trade(rules: Any, city: int, barred: set[str]) -> None:
    """FK2: it is neither sold nor taken in payment there, and no merchant does otherwise; nor do knights trade it among
    themselves. A special token covers the city's description (FK9)."""
    all_three = {"Pipe Rifle", "Medi-shot", "Road Map"}
    b = shop(rules, GREENS[0], city=city, s0="Pipe Rifle", s1="Medi-shot", s2="Road Map")
    assert set(b.asked[0]) == {"no"} | all_three - barred
    for own in all_three:
        b = shop(rules, own, city=city, s0="Toolbox")
        assert bool(b.asked) == (own not in barred), "it pays, or nothing is within reach"
        assert own in b.has("Mel") and b.do("tasks.can_pay", 0, b.t.tile[b.s.hex[0].tile].action[1].price)
    b = shop(rules, "Pipe Rifle", city=city, s0="Toolbox")
    b.do("wasteland.befall", 0, b.wasteland("Wandering Merchant"), 0)
    assert bool(b.asked) == ("Pipe Rifle" not in barred)
    for token, kept in ((0, barred), (2, set())):
        b = table(rules, "Mel", "Naomi").give("Mel", *all_three).give("Naomi", "Toolbox")
        here = int(b.t.map.city[city - 1])
        b.at("Mel", here).at("Naomi", here).s.hex[here].blank = token
        for p, other in ((0, 1), (1, 0)):
            b.do("trades.trade", p, other, words=["no"])
            offered = {card for option in b.asked[0] for card in option.split(" for ")} & all_three
            assert offered == all_three - kept, "by either side, for gear, Ammo, Fuel or a vehicle"


@pytest.mark.rule("K5B-24", "K1H-26", "K5B-08")
def test_vehicles_are_traded_by_their_state(rules: Any) -> None:
    """Yellow when whole, green when damaged; one at a time, and from one pool for all cities."""
    b = table(rules, "Mel", "Naomi").drives("Mel", "Strider")
    b.s.pool[:3] = 1
    b.do("stalls.go_shopping", 0, words=["Heavy-duty"])
    assert len(b.asked) == 1, "and no second one in the same deal"
    assert b.vehicle("Mel") == "Heavy-duty" and list(b.s.pool[:3]) == [2, 1, 0], (
        "yellow for yellow, and the old one goes back"
    )
    b.drives("Mel", "Heavy-duty", damaged=True).give("Mel", "Road Map")
    b.do("stalls.go_shopping", 0, words=["no"])
    assert "Strider" not in b.asked[0], "a green vehicle and a green card are no yellow one"
    b.give("Mel", "Toolbox")
    b.do("stalls.go_shopping", 0, words=["Strider"])
    assert b.vehicle("Mel") == "Strider" and b.has("Mel") == []


@pytest.mark.rule("K5B-24", "K5-95", "K5B-10")
def test_a_vehicle_is_given_for_gear(rules: Any) -> None:
    b = table(rules, "Mel", "Naomi").drives("Mel", "Strider").sell(s4=YELLOW)
    b.do("stalls.go_shopping", 0, words=["my vehicle", YELLOW])
    assert b.vehicle("Mel") == "" and b.has("Mel") == [YELLOW] and b.now("Mel")[2] == 0, "all Fuel goes with it"


@pytest.mark.rule("K5B-27", "K1D-12", "K1H-04")
def test_blue_cards_and_starting_gear_are_not_for_the_stalls(rules: Any) -> None:
    """They pay for nothing, here and elsewhere; a blue vehicle is no means, and none is taken in its place."""
    b = (
        table(rules, "Mel", "Naomi")
        .drives("Mel", "Muscle Car")
        .attach("Mel", "Cyber-arm")
        .give("Mel", "Road Map")
        .sell(s0="Toolbox")
    )
    b.of("Mel").own[1] = 1
    b.s.pool[:3] = 1
    b.do("stalls.go_shopping", 0)
    assert b.asked == [], "there is nothing to pay with"
    assert b.do("tasks.can_pay", 0, b.t.tile[b.s.hex[0].tile].action[1].price) == 0
    assert b.do("board_bots.free_value", b.of("Mel")) == 0


@pytest.mark.rule("K1H-25", "K5B-33")
def test_a_blue_card_leaves_for_fame_and_a_red_one(rules: Any) -> None:
    """In a Rest Step, or as it is gained; what is attached stays, but at its own hex."""
    b = table(rules, "Mel", "Naomi").drives("Mel", "Muscle Car").attach("Mel", "Cyber-arm").stack_gear(RED, OTHER_RED)
    b.do("rest.change_blue", 0, words=["my vehicle"])
    assert b.asked[0] == ["no", "my vehicle"] and b.has("Mel") == ["Cyber-arm", RED]
    assert (b.of("Mel").reputation, b.vehicle("Mel"), b.s.pool[3], b.now("Mel")[2]) == (1, "", 0, 0), "out of the game"
    b.drives("Mel", "Strider").give("Mel", "Night Eye").open("Speed Record")
    b.do("tasks.accomplish", 0, 0, words=["exchange"])
    assert (b.vehicle("Mel"), b.of("Mel").reputation, b.s.pool[3]) == ("Strider", 1 + 2 + 1, 0)
    assert OTHER_RED in b.has("Mel")
    b.do("rest.change_blue", 0, words=["Night Eye"])
    assert b.of("Mel").reputation == 5 and "Night Eye" not in b.has("Mel") and b.left(b.s.gear[3]) == 0


@pytest.mark.rule("K1H-04", "K5B-08")
def test_a_vehicle_as_a_reward_is_a_choice(rules: Any) -> None:
    """For a knight with one, too, whose old one goes to the pool as it is; a blue one is given up for none (FK8)."""
    for own, damaged, word, has, pool in (
        ("", False, "take", "Muscle Car", [0, 0]),
        ("", False, "decline", "", [0, 0]),
        ("Strider", False, "take", "Muscle Car", [1, 0]),
        ("Strider", True, "take", "Muscle Car", [0, 1]),
        ("Strider", True, "decline", "damaged Strider", [0, 0]),
    ):
        b = table(rules, "Mel", "Naomi").drives("Mel", own, damaged).open("Speed Record")
        b.do("tasks.accomplish", 0, 0, words=[word])
        assert b.asked == [["decline", "take", "exchange"]] and b.vehicle("Mel") == has
        assert [int(b.s.pool[0]), int(b.s.pool_damaged[0])] == pool and b.of("Mel").reputation == 2
    yellow = {"vehicle.muscle_car.whole.colour": "yellow", "vehicle.muscle_car.damaged.colour": "green"}
    b = table(rules, "Mel", "Naomi", sets=yellow).drives("Mel", "Strider").open("Speed Record")
    b.do("tasks.accomplish", 0, 0, words=["take"])
    assert b.asked == [["decline", "take"]] and b.vehicle("Mel") == "Muscle Car"
    b = table(rules, "Mel", "Naomi").drives("Mel", "Muscle Car").open("Speed Record")
    b.do("tasks.accomplish", 0, 0, words=["decline"])
    assert b.asked == [["decline", "exchange"]]


@pytest.mark.rule("K5B-27", "K5-08")
def test_a_blue_vehicle_is_not_wrecked(rules: Any) -> None:
    b = table(rules, "Mel", "Naomi").drives("Mel", "Muscle Car")
    b.do("gains.damage_vehicle", 0, 3)
    assert b.vehicle("Mel") == "damaged Muscle Car" and b.now("Mel")[2] == 4


@pytest.mark.rule("K1H-26")
@pytest.mark.parametrize("own", ["", "Strider"])
def test_a_vehicle_in_place_of_a_gained_card(rules: Any, own: str) -> None:
    """Any knight may take one that is worth as much as the card in its present state, or draw (FK8)."""
    b = table(rules, "Mel", "Naomi").drives("Mel", own).stack_gear(YELLOW, "Road Map", OTHER_YELLOW)
    b.s.pool[2] = b.s.pool_damaged[1] = 1
    b.do("gains.draw_gear", 0, 0, 1, words=["draw"])
    assert b.asked == [["draw", "damaged Off-road"]] and b.has("Mel") == ["Road Map"]
    b.do("gains.draw_gear", 0, 1, 2, words=["draw", "Heavy-duty"])
    assert b.asked == [["draw", "Heavy-duty"]] * 2 and b.has("Mel") == ["Road Map", YELLOW]
    assert b.vehicle("Mel") == "Heavy-duty" and list(b.s.pool[:3]) == [int(own != ""), 0, 0]
    b.do("gains.draw_gear", 0, 2, 1)
    assert b.asked == [], "no vehicle is worth a red card"


@pytest.mark.rule("K5B-24", "K5B-09")
def test_a_damaged_vehicle_for_a_whole_one_of_its_kind(rules: Any) -> None:
    """The pool remembers the state of each vehicle, for all cities and knights (FK8)."""
    b = table(rules, "Mel", "Naomi").drives("Mel", "Strider", damaged=True).give("Mel", "Road Map", "Toolbox")
    b.s.pool[0] = 1
    b.do("stalls.go_shopping", 0, words=["Strider"])
    assert "damaged Strider" not in b.asked[0] and b.vehicle("Mel") == "Strider" and b.has("Mel") == []
    assert (int(b.s.pool[0]), int(b.s.pool_damaged[0])) == (0, 1)
    b.drives("Naomi", "").give("Naomi", "Dundee Hat")
    b.do("stalls.go_shopping", 1, words=["damaged Strider"])
    assert "damaged Strider" in b.asked[0] and "Strider" not in b.asked[0] and b.vehicle("Naomi") == "damaged Strider"
    assert (int(b.s.pool[0]), int(b.s.pool_damaged[0])) == (0, 0) and b.has("Naomi") == []
