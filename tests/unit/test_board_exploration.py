"""The Exploration Step: the check, its marker, and the actions of the fourteen hexes.

The explorer stands on 9, where a test lays the tile."""

from __future__ import annotations

from typing import Any

import pytest

from tests.board_table import Table, table

BESIDE = 4

HIT, MISS = 9, 1
SKILLS = {f"knight.mel_gearson.skills.{skill}": "1" for skill in ("talk", "survival", "repair", "medicine")} | {
    "knight.naomi_vatt.skills.survival": "2"
}
FIX = "Fuel Can"


def on(rules: Any, tile: str, **sets: str) -> Table:
    """Mel on a tile at 9, in a Strider, Naomi far away; nothing to do but what the tile offers."""
    b = table(rules, "Mel", "Naomi", sets={**SKILLS, **sets}).at("Mel", 9).at("Naomi", 33).lay(9, tile)
    return b.drives("Mel", "Strider").stack_gear("Road Map", "Toolbox", "Trailer", "Geiger Counter", "Sky Link")


def offered(b: Table) -> set[str]:
    """The actions that the last step offered."""
    return set(next((asked for asked in b.asked if "green" in asked or "trade" in asked), []))


# ---------------------------------------------------------------- the check


@pytest.mark.rule("K1E-30", "K4-18", "K5-40")
def test_a_failed_check_and_its_marker(rules: Any) -> None:
    """Nothing is done this round, and none is needed in the next, until he leaves."""
    b = on(rules, "Old Refinery").dials("Mel", fuel=0).open("Burn, Baby, Burn!")
    b.explore("Mel", faces=[MISS])
    assert b.asked == [] and b.of("Mel").explored == 1 and b.now("Mel")[2] == 0
    b.explore("Mel", "no", "fuel", "no")
    assert b.now("Mel")[2] == 4
    b.stack("Wandering Merchant").move("Mel", "walk 2", "escape", faces=[HIT])
    assert b.of("Mel").explored == 0


@pytest.mark.rule("K1E-31", "K5-41", "K5-52", "K5-51")
def test_one_action_and_tasks_around_it(rules: Any) -> None:
    """One action of all that can be paid; a task before it or after it, as here: the card gained pays for it."""
    b = on(rules, "Cerbero Pharmaceuticals").open("Bad Medicine")
    b.of("Mel").explored = 1
    b.explore("Mel", "green", "Bad Medicine")
    assert b.has("Mel") == [] and b.s.post[0].holder == 0
    assert len([asked for asked in b.asked if "green" in asked]) == 1
    b = on(rules, "Gangraen").explore("Mel", "no")
    assert b.asked[-1] == ["no", "trade"], "without a green card there is no resupply and no gamble"
    b.s.player[0].skip = 1
    b.do("exploration.explore_all")
    assert b.asked == []


# ---------------------------------------------------------------- cities


@pytest.mark.rule("K1C-01", "K4-21", "K4-22", "K5-53", "K1E-20")
def test_gangraen(rules: Any) -> None:
    for face, health, gear in ((1, 3, []), (4, 3, []), (5, 4, ["Trailer"]), (9, 4, ["Trailer"]), (10, 4, ["Sky Link"])):
        b = on(rules, "Gangraen").give("Mel", FIX).explore("Mel", "gamble", faces=[face])
        assert (b.now("Mel")[0], b.has("Mel")) == (health, gear)
        assert b.asked[0] == ["no", "trade", "resupply_body", "resupply_goods", "gamble"]
    b = on(rules, "Gangraen").give("Mel", FIX).dials("Mel", health=1, radiation=3, ammo=0, fuel=0)
    b.explore("Mel", "no", "resupply_body")
    assert b.now("Mel") == (4, 0, 0, 0) and b.has("Mel") == [], "one kind for the price"


@pytest.mark.rule("K1C-02", "K1C-04", "K4-22", "K5-53", "K5-98")
@pytest.mark.parametrize("city", ["Pumps", "New Sydney"])
def test_both_kinds_of_resupply_for_one_price(rules: Any, city: str) -> None:
    """Radiation first, so that Health heals too; Ammo, Fuel, and the vehicle whole."""
    b = on(rules, city).give("Mel", FIX).dials("Mel", health=1, radiation=3, ammo=0, fuel=1, damage=1)
    b.always(use_gear="no").explore("Mel", "resupply_body + resupply_goods")
    assert b.now("Mel") == (4, 4, 4, 0) and b.vehicle("Mel") == "Strider" and b.has("Mel") == []
    for h in range(37):
        b.journal.insert(0, type(b.journal[0])(b.rules["knights.board_tell"].DEALS, h, int(b.s.hex[h].tile), 0, 0))
    assert "    Mel Gearson's action: resupply body and resupply goods." in b.told()


@pytest.mark.rule("K1C-03", "K1C-05")
def test_queens_valley_and_alice_offsprings(rules: Any) -> None:
    b = on(rules, "Queen's Valley").stack_luck("Old Friend", "Aim Low").give("Mel", FIX, "Saddlebags")
    b.explore("Mel", "luck")
    assert b.luck("Mel") == ["Aim Low", "Old Friend"]
    assert {"resupply_body", "resupply_goods"} <= set(b.asked[0])
    b.dials("Mel", ammo=0).explore("Mel", "no", "resupply_goods")
    assert b.now("Mel")[1] == 4 and b.has("Mel") == [], "two green cards"
    b = on(rules, "Alice Offsprings").give("Mel", "Sky Link").explore("Mel", "reputation")
    assert b.of("Mel").reputation == 1 and b.has("Mel") == []


# ---------------------------------------------------------------- special hexes


@pytest.mark.rule("K1C-06", "K1H-20", "K5B-33")
def test_cerbero_biolabs(rules: Any) -> None:
    b = on(rules, "Cerbero Biolabs").dials("Mel", radiation=3).explore("Mel", "drop radiation")
    assert b.now("Mel")[3] == 0
    for title in ("Scales", "Hound Nose"):
        b.do("belongings.gain_item", 0, b.item(title))  # no hex attaches mutations: they are as they come
    assert b.has("Mel", BESIDE) == ["Hound Nose", "Scales"], "they fill no panel"
    b.explore("Mel", "drop mutation", "Scales", "Hound Nose")
    assert b.has("Mel") == [] and b.s.gear[3].left == 2, "any number"
    assert b.explore("Mel", "green").has("Mel") == ["Road Map"]


@pytest.mark.rule("K1C-07", "K4-20")
def test_red_tomb(rules: Any) -> None:
    """FK10: 2 Radiation and 2 Health for all on any hex, empty ones and one's own included, the unconscious too."""
    b = on(rules, "Red Tomb").dials("Naomi", out=1, health=0)
    b.explore("Mel", "strike", "33", faces=[HIT])
    assert b.asked[-1] == [str(h) for h in range(37)] and b.now("Naomi")[3] == 2 and b.now("Mel")[3] == 0
    b = on(rules, "Red Tomb").explore("Mel", "strike", "9", faces=[HIT])
    assert b.now("Mel") == (2, 4, 4, 2)
    b.explore("Mel", "strike", "20")
    assert b.now("Mel") == (2, 4, 4, 2) and b.now("Naomi")[:1] == (4,), "nobody is there"
    b.at("Naomi", 9).dials("Naomi", health=4, radiation=3, out=0).dials("Mel", health=4, radiation=0)
    b.explore("Mel", "strike", "9")
    assert (b.of("Naomi").out, b.of("Naomi").knocked, b.now("Mel")) == (1, 1, (2, 4, 4, 2))


@pytest.mark.rule("K1C-08", "K1C-09", "K5B-22")
def test_pharmaceuticals_and_refinery(rules: Any) -> None:
    b = on(rules, "Cerbero Pharmaceuticals").dials("Mel", health=1).explore("Mel", "health", faces=[HIT])
    assert b.now("Mel")[0] == 4
    b.sell(s0="Medi-shot", s1="Toolbox", s2="Rad-out").explore("Mel", "take_drug", "Rad-out")
    assert b.asked[-1] == ["Medi-shot", "Rad-out"] and b.has("Mel") == ["Rad-out"] and b.stalls()[2] == "Road Map"
    b = on(rules, "Old Refinery").dials("Mel", fuel=1).explore("Mel", "fuel", faces=[HIT])
    assert b.now("Mel")[2] == 4, "no further than 4"
    b.sell(s0="Toolbox", s1="Boiler Plate", s2="Hubcap Mail").explore("Mel", "take_armor", "Hubcap Mail")
    assert b.has("Mel") == ["Hubcap Mail"]


@pytest.mark.rule("K1C-10", "K4-24")
@pytest.mark.parametrize(("had", "left"), [(3, 1), (1, 0), (0, 0)])
def test_warata_industries(rules: Any, had: int, left: int) -> None:
    """2 Reputation if there are so many, never under 0, for a red card or two yellow ones."""
    b = on(rules, "Warata Industries").dials("Mel", reputation=had).explore("Mel", "reputation + red")
    assert (b.of("Mel").reputation, b.has("Mel")) == (left, ["Sky Link"])
    b = on(rules, "Warata Industries").dials("Mel", reputation=had).explore("Mel", "reputation + yellow")
    assert (b.of("Mel").reputation, b.has("Mel")) == (left, ["Geiger Counter", "Trailer"])


@pytest.mark.rule("K4-24")
def test_reputation_stays_above_nothing(rules: Any) -> None:
    b = on(rules, "Warata Industries").dials("Mel", reputation=1)
    assert b.do("belongings.add_fame", 0, -2) == -1 and b.of("Mel").reputation == 0


@pytest.mark.rule("K1C-11", "K4-02", "K1H-19", "K5B-11", "K5B-28", "K5B-33")
def test_cerbero_tower(rules: Any) -> None:
    """A yellow card or two green ones; an own implant is attached, or goes back under the blue deck (FK3)."""
    b = on(rules, "Cerbero Tower")
    b.do("board_setup.open_gear", 3, 0)
    blue = b.left(b.s.gear[3])
    b.explore("Mel", "yellow")
    assert b.has("Mel") == ["Trailer"] and "green" in b.asked[0] and b.asked[0].count("green") == 1
    b.explore("Mel", "green")
    assert b.has("Mel") == ["Road Map", "Toolbox", "Trailer"]
    b.explore("Mel", "implant")
    assert len(b.asked) == 1 and b.left(b.s.gear[3]) == blue, "the deck is closed"
    b.give("Mel", "Cyber-arm", "Turbo-injector")
    b.explore("Mel", "implant", "no")
    assert b.asked[-1] == ["no", "Cyber-arm"]
    b.explore("Mel", "implant", "Cyber-arm")
    assert b.has("Mel", BESIDE) == ["Cyber-arm"] and b.left(b.s.gear[3]) == blue
    b.explore("Mel", "implant")
    assert len(b.asked) == 1, "it is attached once"
    b.explore("Mel", "drop implant", "Cyber-arm")
    assert "Cyber-arm" not in b.has("Mel") and b.left(b.s.gear[3]) == blue + 1


@pytest.mark.rule("K1C-11", "K1C-12", "K5B-28")
@pytest.mark.parametrize(
    ("reading", "attached", "offered"),
    [("at_hexes", [], ["Cyber-arm"]), ("when_gained", ["Cyber-arm"], []), ("from_deck", ["Cyber-arm"], ["Night Eye"])],
)
def test_readings_of_attaching(rules: Any, reading: str, attached: list[str], offered: list[str]) -> None:
    """When an implant is attached, and what the Tower attaches (FK3)."""
    b = on(rules, "Cerbero Tower", **{"board.map.attaching": f'"{reading}"'})
    b.do("board_setup.open_gear", 3, 0)
    b.do("gains.gain_blue", 0, -1, b.item("Cyber-arm"), words=["Cyber-arm"])
    assert b.has("Mel", BESIDE) == attached and "Cyber-arm" in b.has("Mel")
    b.always(enhance="no").explore("Mel", "implant")
    offers = b.asked[-1][1:] if len(b.asked) > 1 else []
    assert ("Cyber-arm" in offers, "Night Eye" in offers) == ("Cyber-arm" in offered, "Night Eye" in offered)
    assert bool(offers) == bool(offered) and not {"Scales", "Winch"} & set(offers)


@pytest.mark.rule("K1C-12", "K1H-21", "K5B-14")
def test_rustys_garden(rules: Any) -> None:
    b = on(rules, "Rusty's Garden").dials("Mel", fuel=0, damage=1).explore("Mel", "fuel + repair")
    assert b.now("Mel")[2] == 3 and b.vehicle("Mel") == "Strider"
    speed = b.do("movement.speed_of", 0)
    b.give("Mel", "Turbo-injector", "Winch")
    assert b.do("movement.speed_of", 0) == speed, "it lies in the backpack"
    b.explore("Mel", "tuning", "Turbo-injector")
    assert b.asked[-1] == ["no", "Turbo-injector", "Winch"] and b.do("movement.speed_of", 0) == speed + 1
    b.do("gains.damage_vehicle", 0, 2)
    assert b.has("Mel") == ["Winch"] and b.vehicle("Mel") == "", "lost with the vehicle"
    b.explore("Mel", "tuning")
    assert len(b.asked) == 1, "no vehicle, nothing to attach it to"


@pytest.mark.rule("K1C-13", "K4-12", "K5-12", "K4-02")
def test_the_redoubt(rules: Any) -> None:
    """Of three cards one waits for the first who moves in the next Move Step; there is no other card on that move."""
    b = on(rules, "Kosciusko's Redoubt").stack("Acid Rain", "Furball", "Wandering Merchant", "Car Wreck")
    b.explore("Mel", "scout", "Furball", faces=[HIT])
    assert b.discards() == ["Acid Rain", "Wandering Merchant"] and b.card_words(b.s.hidden) == "Furball"
    assert "green" not in b.asked[0], "the one hex without a green card"
    b.lay(2, "Red Desert").at("Mel", 22).move("Mel", "walk 9", "escape", faces=[HIT])
    assert b.discards()[-1] == "Furball" and b.left(b.s.cards) == 1 and b.s.hidden == -1
    b.s.hidden = b.wasteland("Furball")
    b.do("preparations.drop_hidden")
    assert b.s.hidden == -1 and b.discards()[-1] == "Furball", "it does not wait for another round"
    b = on(rules, "Red Desert", **{"board.map.hidden_card_waits": "true"})
    b.s.hidden = b.wasteland("Furball")
    b.do("preparations.drop_hidden")
    assert b.s.hidden >= 0, "unless the pack reads it so"


@pytest.mark.rule("K4-12", "K1C-13", "K1E-13")
def test_the_hidden_card_comes_on_any_hex_of_that_move(rules: Any) -> None:
    b = on(rules, "Red Desert").at("Mel", 22).lay(2, "Red Desert").stack("Acid Rain", "Acid Rain")
    b.s.hidden, b.s.hex[10].obstruct = b.wasteland("Furball"), 9
    b.move("Mel", "drive 0", "wait", "go on", "wait", "go on", "escape", faces=[HIT])
    assert b.asked[1] == ["wait", "Furball"] and b.left(b.s.cards) == 2 and b.discards() == ["Furball"]


@pytest.mark.rule("K1C-14", "K4-19")
def test_sandpiercer(rules: Any) -> None:
    """No move and no card; the new hex's check and tasks, but no second action."""
    b = on(rules, "Sandpiercer").give("Mel", FIX).lay(20, "Old Refinery").open("Burn, Baby, Burn!").stack("Acid Rain")
    b.explore("Mel", "jump", "20", "Burn, Baby, Burn!", faces=[HIT, HIT])
    assert (b.of("Mel").hex, b.of("Mel").travelled, b.left(b.s.cards)) == (20, 0, 1)
    assert b.s.post[0].holder == 0 and not any("fuel" in asked for asked in b.asked)
    assert b.has("Mel") == []
