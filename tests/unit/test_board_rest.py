"""The Rest Step: trade, gear, quick resupply, and who comes to."""

from __future__ import annotations

from typing import Any

import pytest

from tests.board_table import table


@pytest.mark.rule("K5-57", "K5-54", "K5-55", "K1E-35")
def test_the_order_of_the_rest_step(rules: Any) -> None:
    """Trade, gear (stored, too), luck for a resupply, and then who is unconscious comes to."""
    b = table(rules, "Mel", "Naomi", "Chris").give("Mel", "Fuel Can", "Medi-shot").give("Naomi", "Road Map")
    b.of("Mel").spot[1] = b.rules["knights.board_state"].STORED
    b.at("Mel", 9).at("Naomi", 9).at("Chris", 22).dials("Chris", out=1, health=0).dials("Mel", health=1)
    b.hand("Mel", "Aim Low")
    b.rest("Fuel Can for Road Map", "propose", "agree", "no", "Medi-shot", "Aim Low")
    assert b.has("Mel") == ["Road Map"] and b.has("Naomi") == ["Fuel Can"] and b.now("Mel")[0] == 4
    told = "\n".join(b.told())
    steps = ["and Naomi Vatt trade", "uses Medi-shot", "gives Aim Low", "comes to"]
    assert sorted(steps, key=told.index) == steps and b.of("Chris").out == 0


@pytest.mark.rule("K5-54", "K5B-26", "K5B-01")
def test_trade_between_knights_on_a_hex(rules: Any) -> None:
    """No values: a green card for a red one, Ammo for Fuel; both must want it, and both must be there and awake."""
    b = table(rules, "Mel", "Naomi").at("Mel", 9).at("Naomi", 9).drives("Mel", "Strider").drives("Naomi", "Strider")
    b.give("Mel", "Road Map").give("Naomi", "Sky Link").dials("Mel", fuel=0).dials("Naomi", ammo=0)
    b.do(
        "trades.trade",
        0,
        1,
        words=["Road Map for Sky Link", "propose", "agree", "ammo for fuel", "propose", "agree", "no"],
    )
    assert b.has("Mel") == ["Sky Link"] and b.now("Mel")[:3] == (4, 3, 1) and b.now("Naomi")[:3] == (4, 1, 3)
    b.do(
        "trades.trade",
        0,
        1,
        words=["1 ammo for Road Map", "propose", "agree", "Road Map for 1 ammo", "propose", "agree", "no"],
    )
    assert {"1 ammo for Road Map", "2 ammo for Road Map", "1 fuel for Road Map"} < set(b.asked[0])
    assert "2 fuel for Road Map" not in b.asked[0], "he has but one"
    assert b.has("Mel") == ["Sky Link"] and b.now("Mel")[:3] == (4, 3, 1) and b.now("Naomi")[:3] == (4, 1, 3)
    b.do("trades.trade", 0, 1, words=["ammo for fuel", "propose", "refuse"])
    assert b.now("Mel")[:3] == (4, 3, 1)
    b.dials("Naomi", out=1, health=0).rest()
    assert not any("for" in words for asked in b.asked for words in asked), "nobody trades with the unconscious"


@pytest.mark.rule("K5B-26", "K5B-08", "K5-95", "K5B-27", "K5B-14")
def test_vehicles_pass_between_knights(rules: Any) -> None:
    """One for the other in their state, or for a card, a blue one too; who has none left loses Fuel and tunings, and
    cards that have no room are shed. One vehicle a knight, and nobody pays with starting gear or what is attached."""
    b = (
        table(rules, "Mel", "Naomi")
        .at("Mel", 9)
        .at("Naomi", 9)
        .drives("Mel", "Muscle Car")
        .drives("Naomi", "Strider", True)
    )
    b.attach("Mel", "Roof Rack").give("Naomi", "Road Map").attach("Naomi", "Cyber-arm")
    b.do("trades.trade", 0, 1, words=["vehicle for vehicle", "propose", "agree", "no"])
    assert (b.vehicle("Mel"), b.vehicle("Naomi"), b.has("Mel")) == ("damaged Strider", "Muscle Car", ["Roof Rack"])
    assert b.now("Mel")[2] == b.now("Naomi")[2] == 4
    b.drives("Naomi", "").do("trades.trade", 0, 1, words=["vehicle for Road Map", "agree", "no"])
    assert "vehicle for Cyber-arm" not in b.asked[0] and "vehicle for vehicle" not in b.asked[0]
    assert (b.vehicle("Mel"), b.vehicle("Naomi"), b.has("Mel")) == ("", "damaged Strider", ["Road Map"])
    assert (b.now("Mel")[2], b.now("Naomi")[2], b.has("Naomi")) == (0, 4, ["Cyber-arm"])
    b.do("trades.trade", 0, 1, words=["Road Map for vehicle", "agree", "no"])
    assert (b.vehicle("Mel"), b.vehicle("Naomi"), b.has("Naomi")) == ("damaged Strider", "", ["Cyber-arm", "Road Map"])
    b = table(rules, "Mel", "Naomi", sets={"gear.sky_link.colour": "blue"}).at("Mel", 9).at("Naomi", 9)
    b.give("Mel", "Sky Link").give("Naomi", "Road Map")
    b.do("trades.trade", 0, 1, words=["Sky Link for Road Map", "agree", "no"])
    assert b.has("Naomi") == ["Sky Link"]


@pytest.mark.rule("K5B-26", "K5-54")
def test_a_deal_of_unequal_numbers(rules: Any) -> None:
    """FK14: any number of cards, Ammo, Fuel and vehicles on either side, level for level, in one deal."""
    b = table(rules, "Mel", "Naomi").at("Mel", 9).at("Naomi", 9).drives("Mel", "Strider").drives("Naomi", "Heavy-duty")
    b.give("Mel", "Road Map", "Toolbox", "Dundee Hat").give("Naomi", "Sky Link", "Trailer").dials("Naomi", ammo=1)
    b.dials("Mel", fuel=1, ammo=3)
    words = ["Road Map for Sky Link", "give Toolbox", "give ammo", "give ammo", "take fuel", "swap vehicles", "propose"]
    b.do("trades.trade", 0, 1, words=[*words, "agree", "no"])
    first, last = b.asked[1], b.asked[len(words) - 1]
    assert {"propose", "give Toolbox", "give Dundee Hat", "take Trailer", "give ammo", "take fuel"} <= set(first)
    assert "take ammo" in first and not {"take ammo", "give fuel", "swap vehicles", "give Toolbox"} & set(last)
    assert (b.has("Mel"), b.has("Naomi")) == (["Dundee Hat", "Sky Link"], ["Road Map", "Toolbox", "Trailer"])
    assert (b.now("Mel")[1:3], b.now("Naomi")[1:3]) == ((1, 2), (3, 3))
    assert (b.vehicle("Mel"), b.vehicle("Naomi")) == ("Heavy-duty", "Strider")


@pytest.mark.rule("K1E-36", "K5-58", "K5-98")
def test_regaining_consciousness(rules: Any) -> None:
    """In the nearest city, of two the one that the Waster picks; 2 healed on each dial at K.O.; 1 Ammo and 1 Fuel lost
    if there."""
    b = table(rules, "Mel", "Naomi").at("Mel", 22).dials("Mel", out=1, health=0, radiation=4, fuel=0)
    b.rest()
    assert (b.of("Mel").hex, b.of("Mel").out, b.now("Mel"), b.of("Mel").knocked) == (10, 0, (2, 3, 0, 2), 0)
    b.at("Mel", 2).dials("Mel", out=1, health=3, radiation=4, ammo=0)
    b.rest("0")
    assert b.asked[-1] == ["0", "10"] and b.of("Mel").hex == 0 and b.now("Mel") == (3, 0, 0, 2)


@pytest.mark.rule("K5B-01", "K5-99")
def test_the_unconscious_do_nothing(rules: Any) -> None:
    """No move, no exploration, no gear but what wakes them; their part as the Waster goes on."""
    b = table(rules, "Mel", "Naomi").at("Mel", 9).at("Naomi", 33).lay(9, "Cerbero Biolabs").give("Mel", "Medi-shot")
    b.dials("Mel", out=1, health=0).hand("Mel", "Aim Low").stack("Wandering Merchant", "Acid Rain").lay(
        32, "Red Desert"
    )
    b.drives("Naomi", "Strider")
    b.do(
        "movement.move_all",
        words=["drive 32", "Acid Rain", "escape"],
        faces=[9] * int(b.t.fight.knight[b.of("Naomi").role].skill[3]),
    )
    assert b.asked[1] == ["Wandering Merchant", "Acid Rain"] and b.of("Mel").hex == 9
    b.do("exploration.explore_all")
    assert all("green" not in asked or "drop radiation" not in asked for asked in b.asked)
    b.rest()
    assert b.has("Mel") == ["Medi-shot"] and b.luck("Mel") == ["Aim Low"] and b.of("Mel").out == 0
