"""What a knight owns: dials, panels and store, limited and marked cards, vehicles, enhancements."""

from __future__ import annotations

from typing import Any

import pytest

from tests.board_table import Table, table

HAND, BODY, POCKET, STORED, BESIDE, TRUNK = range(6)
ONE_HANDED, TWO_HANDED, SHOTGUN = ("Old Revolver", "Machete"), "Hunting Rifle", "P-A Shotgun"
POCKETS = ("Sky Link", "Fusion Cell", "Auto-doc")


def owner(rules: Any, *titles: str, vehicle: str = "", **sets: str) -> Table:
    """Mel with gear, Naomi far away."""
    b = table(rules, "Mel", "Naomi", sets=sets).at("Naomi", 33).drives("Mel", vehicle)
    return b.give("Mel", *titles)


@pytest.mark.rule("K1D-02", "K5-92", "K5-91", "K1E-22", "K1E-23")
def test_dials_stop_at_their_ends(rules: Any) -> None:
    """0 to 4; losing goes as far as there is something to lose, spending asks for all of it."""
    b, what = owner(rules, vehicle="Strider"), rules["knights.board_tables"].WHAT
    for name, place in (("health", 0), ("ammo", 1), ("fuel", 2)):
        assert b.do("belongings.change", 0, what[name], 3) == 0 and b.now("Mel")[place] == 4
        b.do("belongings.change", 0, what[name], -1)
        assert b.now("Mel")[place] == 3
    b.do("belongings.change", 0, what["ammo"], -6)
    assert b.now("Mel")[1] == 0
    assert b.do("belongings.change", 0, what["radiation"], -1) == 0 and b.do("tasks.can_pay", 0, [1, 0, 0]) == 0
    assert b.do("belongings.change", 0, what["radiation"], 9) == 4 and b.of("Mel").out == 1


@pytest.mark.rule("K1D-09", "K5B-04")
def test_panels(rules: Any) -> None:
    """Two one-handed weapons or one two-handed, one armor, three pockets for general gear alone; the rest is stored."""
    b = owner(rules, *ONE_HANDED, "Boiler Plate", "Hubcap Mail", *POCKETS, "Road Map")
    assert len(b.has("Mel", HAND)) == 2 and len(b.has("Mel", BODY)) == 1 and len(b.has("Mel", POCKET)) == 3
    kinds = {int(b.t.thing[b.item(title)].kind) for title in b.has("Mel", POCKET)}
    assert kinds == {rules["knights.board_tables"].GENERAL}
    assert len(b.has("Mel", STORED)) == 2
    b = owner(rules, TWO_HANDED, SHOTGUN)
    assert len(b.has("Mel", HAND)) == 1, "both take two hands"
    b = owner(rules, *ONE_HANDED, TWO_HANDED, SHOTGUN)
    assert sum(int(b.t.thing[b.item(title)].hands) for title in b.has("Mel", HAND)) == 2
    one_hand = {"knight.mel_gearson.hands": "1", "knight.mel_gearson.carries": "[]"}
    b = owner(rules, *ONE_HANDED, TWO_HANDED, **one_hand)
    assert len(b.has("Mel", HAND)) == 1 and TWO_HANDED not in b.has("Mel", HAND)


@pytest.mark.rule("K5B-30")
def test_ten_traits_of_gear(rules: Any) -> None:
    """Five sorts of cards, and five that texts speak of."""
    cards = rules.pack("knights.board").cards
    kinds = {kind for kind in ("weapon", "armor", "gear", "vehicle", "enhancement") if cards[kind]}
    sorts = {card.sort for kind in ("gear", "enhancement") for card in cards[kind].values()}
    assert len(kinds) == 5 and sorts - {"", "gear"} == {"drug", "equipment", "implant", "mutation", "tuning"}


@pytest.mark.rule("K1D-09", "K5B-09")
def test_backpack_and_vehicle_hold_so_many(rules: Any) -> None:
    """Each store has its own room; what neither has room for is discarded (FK12)."""
    sets = {"vehicle.strider.whole.capacity": "2", "knight.mel_gearson.backpack": "1"}
    b = owner(rules, *POCKETS, "Road Map", "Toolbox", "Trailer", vehicle="Strider", **sets)
    assert (len(b.has("Mel", STORED)), len(b.has("Mel", TRUNK))) == (1, 2) and b.vehicle("Mel") not in b.has("Mel")
    b.give("Mel", "Smoke Pot")
    assert (len(b.has("Mel", STORED)), len(b.has("Mel", TRUNK))) == (1, 2)
    worth = {title: int(b.t.thing[b.item(title)].worth) for title in b.has("Mel")}
    assert all(worth[b.has("Mel", STORED)[0]] >= worth[title] for title in b.has("Mel", TRUNK))
    b.drives("Mel", "").do("belongings.shed", 0)
    assert (len(b.has("Mel", STORED)), len(b.has("Mel", TRUNK))) == (1, 0), "no vehicle, no room in it"


@pytest.mark.rule("K1H-05", "K5B-08", "K5B-09")
def test_damage_takes_from_the_vehicle_alone(rules: Any) -> None:
    """The Waster picks from what lies in the vehicle (FK14); the backpack is safe, and a free place in it does not help
    (FK12)."""
    sets = {
        "vehicle.strider.whole.capacity": "2",
        "vehicle.strider.damaged.capacity": "1",
        "knight.mel_gearson.backpack": "1",
    }
    b = owner(rules, *POCKETS, "Trailer", "Dundee Hat", "Geiger Counter", vehicle="Strider", **sets)
    for i, spot in enumerate((POCKET, POCKET, POCKET, STORED, TRUNK, TRUNK)):
        b.of("Mel").spot[i] = spot
    b.do("gains.damage_vehicle", 0, 1, words=["Geiger Counter"])
    assert (
        b.asked == [["Dundee Hat", "Geiger Counter"]]
        and b.has("Mel", STORED) == ["Trailer"]
        and b.vehicle("Mel") == "damaged Strider"
    )
    assert b.has("Mel", TRUNK) == ["Dundee Hat"], "the yellow card is gone"
    assert b.t.map.value[b.t.vehicle[0].colour[1]] < b.t.map.value[b.t.vehicle[0].colour[0]], "the cheaper side"
    b.do("belongings.drop_item", 0, 3)
    b.do("gains.damage_vehicle", 0, 1)
    assert b.has("Mel") == sorted(POCKETS) and b.vehicle("Mel") == "", "a wreck takes with it what lies in it"


@pytest.mark.rule("K1D-09", "K5B-16")
@pytest.mark.parametrize(
    ("title", "more"), [("Rib Case", (2, 0)), ("Pouch", (1, 0)), ("Roof Rack", (0, 2)), ("Saddlebags", (0, 2))]
)
def test_room_of_backpack_and_vehicle(rules: Any, title: str, more: tuple[int, int]) -> None:
    """A card adds room where its text says (FK6, FK12), and a vehicle's room is gone with the vehicle."""
    b = owner(rules, vehicle="Heavy-duty")
    room = [b.do("belongings.pack_room", 0), b.do("belongings.trunk_room", 0)]
    b = b.give("Mel", title) if title == "Saddlebags" else b.attach("Mel", title)
    assert [b.do("belongings.pack_room", 0), b.do("belongings.trunk_room", 0)] == [room[0] + more[0], room[1] + more[1]]
    b.drives("Mel", "")
    assert [b.do("belongings.pack_room", 0), b.do("belongings.trunk_room", 0)] == [room[0] + more[0], 0]


@pytest.mark.rule("K5-23", "K5B-06", "K5B-05")
def test_gear_gained_between_the_steps(rules: Any) -> None:
    """The new card may go on the sheet, what it displaces is stored, and what was stored stays there until the Knights
    Step or the Rest Step."""
    b = owner(rules, "Road Map", "Toolbox", "Trailer")
    b.of("Mel").spot[2] = STORED
    b.do("belongings.gain_item", 0, b.item("Dundee Hat"))
    assert b.has("Mel", POCKET) == ["Dundee Hat", "Road Map", "Toolbox"] and b.has("Mel", STORED) == ["Trailer"]
    b.do("belongings.gain_item", 0, b.item("Sky Link"))
    assert "Sky Link" in b.has("Mel", POCKET) and len(b.has("Mel", STORED)) == 2
    b.do("preparations.make_ready", 0)
    assert {"Sky Link", "Trailer"} < set(b.has("Mel", POCKET))


@pytest.mark.rule("K1H-11", "K1H-12", "K5B-05", "K5B-16", "K1H-19", "K1H-20")
def test_standing_gear(rules: Any) -> None:
    """Dice of permanent gear at hand and of enhancements, for the skills that they name."""
    skills = {f"knight.mel_gearson.skills.{skill}": "2" for skill in ("talk", "survival", "repair", "medicine")}
    b, skill = owner(rules, "Prepper's Kit", "Dundee Hat", **skills), rules["knights.board_tables"].SKILL

    def dice(of: str) -> int:
        return int(b.do("board_bots.dice_of", 0, skill[of]))

    assert (dice("survival"), dice("talk"), dice("repair")) == (3, 3, 2)
    b.of("Mel").spot[0] = STORED
    assert dice("survival") == 2, "stored gear is of no use"
    b.give("Mel", "Cyber-arm")
    assert (dice("repair"), b.has("Mel", STORED)) == (2, ["Cyber-arm"]), "not attached, no use"
    b.do("belongings.drop_item", 0, b.place("Mel", "Cyber-arm"))
    b.attach("Mel", "Cyber-arm")
    assert (dice("repair"), dice("survival")) == (4, 3)
    b.give("Mel", "Scales")
    assert (dice("survival"), dice("talk")) == (5, 2)
    assert b.dials("Mel", health=1) and dice("talk") == 1, "two less, but never under one"
    assert b.dials("Mel", health=2) and dice("repair") == 3


@pytest.mark.rule("K5B-07", "K1H-09", "K5B-16", "K5B-17", "K5-55")
def test_limited_and_marked_gear(rules: Any) -> None:
    """One First-aid Kit a round, in the Rest Step, though he owns two; the mark goes in the Knights Step."""
    luck = rules["knights.luck"]
    b = owner(rules, "First-aid Kit", "First-aid Kit").dials("Mel", health=1)
    b.do("rest.use_gear", 0, luck.USED)
    assert b.asked == [], "not before the Rest Step"
    b.do("rest.use_gear", 0, luck.RESTING, words=["First-aid Kit"])
    assert b.now("Mel")[0] == 2 and len(b.asked) == 1, "the other one is of no use now"
    b.do("rest.use_gear", 0, luck.RESTING)
    assert b.asked == [] and b.has("Mel") == ["First-aid Kit"] * 2
    b.do("preparations.make_ready", 0)
    b.do("rest.use_gear", 0, luck.RESTING, words=["First-aid Kit"])
    assert b.now("Mel")[0] == 3
    limited = {"gear.preppers_kit.limited": "true"}
    b = owner(rules, "Prepper's Kit", "Prepper's Kit", **limited)
    standing, check = b.do, rules["knights.board_bots"].CHECK
    skill = rules["knights.board_tables"].SKILL["survival"]
    assert standing("belongings.standing", 0, check, skill) == 1
    b.of("Mel").spot[0] = STORED
    assert standing("belongings.standing", 0, check, skill) == 1, "the one at hand counts, wherever the other one is"


@pytest.mark.rule("K1H-06", "K1H-08", "K1H-07", "K5B-16", "K5-55")
def test_cards_that_are_used_up(rules: Any) -> None:
    b = owner(rules, "Medi-shot", "Extra Bullets", "Rad-out").dials("Mel", health=1, ammo=1, radiation=2)
    b.do("rest.use_gear", 0, rules["knights.luck"].USED, words=["Medi-shot", "Extra Bullets", "Rad-out"])
    assert b.now("Mel") == (3, 3, 4, 0) and b.has("Mel") == [] and b.s.gear[0].discarded == 3


@pytest.mark.rule("K5B-07")
@pytest.mark.parametrize("where", ["off combat", "in combat"])
def test_a_limited_card_that_is_used_up_bars_the_next_of_its_title(rules: Any, where: str) -> None:
    """For the round, in combat or off it, whoever has the first one now."""
    b = owner(rules, *["Medi-shot"] * 3, **{"gear.medi_shot.limited": "true"}).dials("Mel", health=1, ammo=0)
    used = rules["knights.luck"].USED
    if where == "off combat":
        b.do("rest.use_gear", 0, used, words=["Medi-shot"])
    else:
        b.do("sheet.write_sheet", 0)
        b.do("sheet.use_up", 0, 1)
        b.dials("Mel", health=3)
    assert b.now("Mel")[0] == 3 and len(b.has("Mel")) == 2
    b.do("rest.use_gear", 0, used)
    assert b.asked == []
    b.do("sheet.write_sheet", 0)
    assert b.s.rules.knight[rules["knights.tables"].KNIGHTS].carries == 0, "nor in a combat of the same round"
    b.do("preparations.make_ready", 0)
    b.do("rest.use_gear", 0, used, words=["Medi-shot"])
    assert b.now("Mel")[0] == 4 and len(b.has("Mel")) == 1


@pytest.mark.rule("K5B-05", "K5B-16")
def test_cards_are_used_when_their_owner_wants_to(rules: Any) -> None:
    """A Fuel Can before the move that needs it, a Medi-shot before the check that a wound would spoil; what would be
    wasted is not asked for, nor what is stored."""
    b = (
        owner(rules, "Fuel Can", "Repair Kit", vehicle="Strider")
        .at("Mel", 9)
        .dials("Mel", fuel=0)
        .stack("Wounded Stranger")
    )
    b.move("Mel", "Fuel Can", "drive 10", "escape", faces=[9] * int(b.t.fight.knight[b.of("Mel").role].skill[5]))
    assert b.asked[0] == ["no", "Fuel Can"] and (b.of("Mel").hex, b.now("Mel")[2]) == (10, 1)
    b = owner(rules, "Medi-shot", "Rad-out").at("Mel", 9).lay(9, "Old Refinery").dials("Mel", health=1)
    dice = int(b.t.fight.knight[b.of("Mel").role].skill[3])
    b.explore("Mel", "Medi-shot", "fuel", faces=[9] * dice)
    assert b.asked[0] == ["no", "Medi-shot"] and b.now("Mel")[0] == 3
    b = owner(rules, "Medi-shot").at("Mel", 9).lay(9, "Old Refinery").dials("Mel", health=1)
    b.of("Mel").spot[0] = STORED
    b.explore("Mel", faces=[1] * max(1, dice - 2))
    assert b.asked == []


@pytest.mark.rule("K1H-18", "K5B-01")
def test_adrenal_prevents_or_ends_unconsciousness(rules: Any) -> None:
    what = rules["knights.board_tables"].WHAT
    b = owner(rules, "Adrenal")
    b.do("belongings.change", 0, what["health"], -4)
    assert (b.of("Mel").out, b.now("Mel")[0], b.has("Mel")) == (0, 4, [])
    b = owner(rules, "Adrenal").dials("Mel", radiation=3)
    b.of("Mel").spot[0] = STORED
    b.do("belongings.change", 0, what["radiation"], 1)
    assert (b.of("Mel").out, b.has("Mel")) == (1, ["Adrenal"]), "stored, it has to wait for the Rest Step"
    b.rest()
    assert (b.of("Mel").out, b.now("Mel")[3], b.of("Mel").hex, b.has("Mel")) == (0, 2, 0, [])


@pytest.mark.rule("K5B-18", "K1D-12")
def test_covered_starting_gear(rules: Any) -> None:
    """It counts as stored, needs no room and can't be lost, and its mark is its own."""
    b = owner(
        rules,
        "Old Revolver",
        "Road Leathers",
        **{"knight.mel_gearson.backpack": "0", "knight.mel_gearson.carries": "[]"},
    )
    b.of("Mel").own[:2] = 1
    assert b.has("Mel", HAND) == ["Old Revolver"] and b.has("Mel", BODY) == ["Road Leathers"]
    b.give("Mel", "Powered Frame")
    assert b.has("Mel", BODY) == ["Powered Frame"] and b.has("Mel", STORED) == ["Road Leathers"]
    assert b.do("belongings.count_in", b.of("Mel"), STORED) == 0 and b.do("belongings.gear_value", b.of("Mel")) > 0
    b.do("belongings.shed", 0)
    assert b.has("Mel", STORED) == ["Road Leathers"]
    mel = b.of("Mel")
    assert [bool(b.do("belongings.is_free", mel, i)) for i in range(3)] == [False, False, True]
    mel.marked[2] = 1
    assert mel.marked[1] == 0


@pytest.mark.rule("K5B-14", "K5B-33", "K1H-21")
def test_tunings_go_with_the_vehicle(rules: Any) -> None:
    b = owner(rules, vehicle="Strider").attach("Mel", "Turbo-injector", "Cyber-arm")
    assert (
        b.has("Mel", BESIDE) == ["Cyber-arm", "Turbo-injector"]
        and b.do("belongings.count_in", b.of("Mel"), STORED) == 0
    )
    b.do("gains.damage_vehicle", 0, 2)
    assert b.has("Mel") == ["Cyber-arm"]


@pytest.mark.rule("K1D-02", "K5-97", "K5-99", "K5-95")
def test_states(rules: Any) -> None:
    """No healing under strong Radiation; no Fuel without a vehicle."""
    b, what = owner(rules).dials("Mel", health=2, fuel=0), rules["knights.board_tables"].WHAT
    b.dials("Mel", radiation=int(b.t.fight.dials.no_healing_from))
    assert b.do("belongings.change", 0, what["health"], 2) == 0
    b.dials("Mel", radiation=0)
    assert b.do("belongings.change", 0, what["health"], 1) == 1 and b.do("belongings.change", 0, what["fuel"], 2) == 0


@pytest.mark.rule("K5-23", "K1F-12")
def test_the_sheet_of_a_combat(rules: Any) -> None:
    """What is in the hands first, then a load-out for each stored weapon, for Defend; pockets and luck cards at
    hand."""
    b = owner(rules, "Old Revolver", TWO_HANDED, "Medi-shot").hand("Mel", "Second Wind", "All Night on the Road")
    b.do("sheet.write_sheet", 0)
    sheet = b.s.rules.knight[rules["knights.tables"].KNIGHTS]
    titles = b.tables.titles["weapon"]
    kits = [[titles[w] for w in kit.weapon[: kit.weapons]] for kit in sheet.kit[: sheet.kits]]
    assert kits[0] == b.has("Mel", HAND)
    assert sorted(weapon for kit in kits for weapon in kit) == sorted([TWO_HANDED, "Old Revolver"])
    carried = list(sheet.carried[: sheet.carries])
    assert carried == [b.card("gear", "Medi-shot"), b.t.luck_at + b.card("luck", "Second Wind")]


@pytest.mark.rule("K5B-19")
@pytest.mark.parametrize(("times", "healed"), [(1, 1), (2, 2), (9, 3)])
def test_an_ability_works_a_number_of_times_a_round(rules: Any, times: int, healed: int) -> None:
    """FK4: when its owner wants to, as long as it would not be wasted; and as often again from the Knights Step on."""
    luck, word = rules["knights.luck"], "my ability"
    heal = '[{ when = "resting", what = "health", whom = "self", many = 1 }]'
    b = owner(rules, **{"knight.mel_gearson.errands": heal, "knight.mel_gearson.times": str(times)})
    b.dials("Mel", health=1).do("rest.use_gear", 0, luck.USED)
    assert b.asked == [], "not at its moment"
    b.do("rest.use_gear", 0, luck.RESTING, words=["no"])
    assert b.asked == [["no", word]] and b.now("Mel")[0] == 1
    b.do("rest.use_gear", 0, luck.RESTING, words=[word] * healed)
    assert b.now("Mel")[0] == 1 + healed and len(b.asked) == healed
    b.dials("Mel", health=1).do("rest.use_gear", 0, luck.RESTING, words=[word] * min(times - healed, 3))
    assert b.now("Mel")[0] == 1 + min(times - healed, 3)
    b.do("preparations.make_ready", 0)
    b.dials("Mel", health=3).do("rest.use_gear", 0, luck.RESTING, words=[word])
    assert b.now("Mel")[0] == 4 and "Mel Gearson uses the ability of the sheet." in [line.strip() for line in b.told()]


@pytest.mark.rule("K5B-19")
def test_an_ability_for_a_move_is_used_when_its_owner_wants_to(rules: Any) -> None:
    """FK4: one that lasts works on each move, one with a limit only when it is used."""
    points = '[{ when = "moving", what = "points", whom = "self", many = 2 }]'
    for times, asked in ((0, 1), (1, 2)):
        sets = {"knight.mel_gearson.errands": points, "knight.mel_gearson.times": str(times)}
        b = owner(rules, vehicle="Strider", **sets).at("Mel", 9)
        b.move("Mel", *["my ability"] * times, "stay")
        assert len(b.asked) == asked and b.of("Mel").points == 2
        assert b.asked[0] == (["no", "my ability"] if times else b.asked[-1])
