"""The board of the reference pack: complete, playable, and true to what the book prints."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from simcore.knights.board_cards import SKILLS, SORTS
from simcore.knights.board_tables import spiral
from tests.unit.test_reference_pack import GEAR, KNIGHTS, PACK, printed

BOARD = PACK.cards["board"]["map"]
TILES, EVENTS, VEHICLES, LUCK, TASKS = (PACK.cards[kind] for kind in ("tile", "event", "vehicle", "luck", "task"))
BLUE, MISSIONS, BOTS = (PACK.cards[kind] for kind in ("enhancement", "mission", "board_bot"))
NUMBERED = {tile.number: tile for tile in TILES.values() if tile.number}
RINGS = (range(1), range(1, 7), range(7, 19), range(19, 37))


def rows(errands: Any) -> set[tuple[Any, ...]]:
    """Errands as tuples: when, what and many, then whom and only where they are not the usual ones."""
    more = ((e.whom if e.whom != "self" else "", e.only) for e in errands)
    return {(e.when, e.what, e.many, *filter(None, rest)) for e, rest in zip(errands, more, strict=True)}


def offers(number: int) -> list[tuple[str, dict[str, int]]]:
    """What the actions of a hex offer, in order: the price as "1 green" or "", and what -> how many."""
    found = []
    for action in NUMBERED[number].actions:
        price = " ".join(f"{many} {colour}" for colour, many in action.price.model_dump().items() if many)
        assert all((errand.when, errand.whom) == ("action", "self") for errand in action.errands)
        found.append((price, {errand.what: errand.many for errand in action.errands}))
    return found


def count(role: str) -> int:
    """Tiles of a role."""
    return sum(tile.copies for tile in TILES.values() if tile.role == role)


# ---------------------------------------------------------------- the board


@pytest.mark.rule("K1A-02", "K1A-03", "K1A-04", "K1B-04", "K1B-09", "K1B-10", "K4-01")
def test_tiles_fill_the_37_hexes() -> None:
    assert sum(tile.copies for tile in TILES.values()) == 37
    assert (count("central") + 1, count("special"), count("normal")) == (5, 10, 18)
    assert count("special") + count("normal") + 4 == 32, "single tiles: all but Gangraen's"
    assert sorted(NUMBERED) == list(range(1, 15))
    specials = [tile for tile in TILES.values() if tile.role == "special"]
    assert [tile.actions for tile in specials if not tile.number] == [()], "the tenth special tile is blank"


@pytest.mark.rule("K1B-01", "K1B-02", "K1B-03", "K1B-05", "K1B-06", "K1B-07", "K1B-08", "K1B-11", "K1B-12")
def test_places_lie_in_their_rings() -> None:
    in_rings = [
        [sum(place in ring for place in places) for ring in RINGS]
        for places in (BOARD.cities, BOARD.specials, BOARD.centre)
    ]
    assert in_rings == [[1, 0, 2, 2], [0, 2, 2, 6], [0, 4, 0, 0]]
    far = [max(abs(x), abs(y), abs(x + y)) for x, y in spiral()]
    assert [[far[place] for place in ring] for ring in RINGS] == [[k] * len(ring) for k, ring in enumerate(RINGS)]
    assert BOARD.cities[0] == 0 and BOARD.cities[1] in RINGS[2] and BOARD.cities[3] in RINGS[3]
    assert [NUMBERED[number].title for number in range(1, 6)] == [
        "Gangraen", "Pumps", "Queen's Valley", "New Sydney", "Alice Offsprings",
    ]  # fmt: skip
    assert PACK.origins["board.map.specials.0"].how == "assumed", "exact slots stand in a picture that the text lacks"


@pytest.mark.rule("K1B-13", "K1B-14", "K1B-15", "K1B-16", "K1B-17")
def test_terrains_difficulties_and_icons() -> None:
    normal = [tile for tile in TILES.values() if tile.role == "normal"]
    assert {tile.terrain for tile in normal} == {"desert", "swamp", "jungle", "mountains", "highway"}
    assert all(tile.threat for tile in normal if tile.terrain == "desert") and NUMBERED[1].threat == 0
    points = sum(tile.copies * tile.difficulty for tile in TILES.values())
    assert 1.9 <= points / 37 <= 2.2
    assert any(tile.radiation for tile in normal) and any(tile.contamination for tile in normal)


# ---------------------------------------------------------------- the fourteen hexes

GREEN = ("", {"green": 1})
TRADE = ("", {"trade": 1})
BOTH = ("1 green", {"resupply_body": 1, "resupply_goods": 1})


def either(price: str) -> list[tuple[str, dict[str, int]]]:
    """Resupply of A or B."""
    return [(price, {"resupply_body": 1}), (price, {"resupply_goods": 1})]


@pytest.mark.rule("K1C-01", "K1C-02", "K1C-03", "K1C-04", "K1C-05")
def test_cities_offer_what_is_printed() -> None:
    assert offers(1) == [TRADE, *either("1 green"), ("1 green", {"gamble": 1})]
    assert offers(2) == offers(4) == [TRADE, BOTH]
    assert offers(3) == [TRADE, *either("2 green"), ("", {"luck": 2})]
    assert offers(5) == [TRADE, *either("2 green"), ("1 red", {"reputation": 1})]
    assert [NUMBERED[number].trade for number in range(1, 6)] == ["all", "all", "no_weapons", "all", "no_drugs"]
    assert all(NUMBERED[number].role == "city" and not NUMBERED[number].explore for number in range(1, 6))


@pytest.mark.rule(
    "K1C-06", "K1C-07", "K1C-08", "K1C-09", "K1C-10", "K1C-11", "K1C-12", "K1C-13", "K1C-14", "K4-02", "K4-03"
)
def test_special_hexes_offer_what_is_printed() -> None:
    assert offers(6) == [("", {"radiation": -3}), ("", {"mutation": -6}), GREEN]
    assert offers(7) == [("", {"strike": 2}), GREEN]
    assert offers(8) == [("", {"health": 3}), ("", {"take_drug": 1}), GREEN]
    assert offers(9) == [("", {"fuel": 4}), ("", {"take_armor": 1}), GREEN]
    assert offers(10) == [("", {"reputation": -2, "red": 1}), ("", {"reputation": -2, "yellow": 2}), GREEN]
    assert offers(11) == [("", {"yellow": 1}), ("", {"green": 2}), ("", {"implant": 1}), ("", {"implant": -1})]
    assert offers(12) == [("", {"fuel": 3, "repair": 1}), ("", {"tuning": 1}), ("", {"tuning": -1}), GREEN]
    assert offers(13) == [BOTH, ("", {"scout": 3})]
    assert offers(14) == [("1 green", {"jump": 1}), GREEN]
    checks = {number: (tile.skill, tile.explore) for number, tile in NUMBERED.items() if tile.explore}
    assert checks == {7: ("repair", 7), 8: ("medicine", 7), 9: ("survival", 7), 13: ("talk", 7)}
    assert {number: tile.aura for number, tile in NUMBERED.items() if tile.aura} == {11: 2}


def test_what_hexes_offer_comes_from_the_book() -> None:
    for slug, tile in TILES.items():
        if tile.number:
            assert printed(f"tile.{slug}.actions.0.errands.0.many", f"K1C-{tile.number:02d}"), slug


# ---------------------------------------------------------------- setup and printed numbers


def test_the_numbers_of_the_map() -> None:
    assert BOARD.start == ("medi_shot", "extra_bullets", "rad_out")
    assert (BOARD.luck_start, BOARD.luck_round, BOARD.luck_limit) == (3, 1, 5)
    assert (BOARD.stall_green, BOARD.stall_yellow, BOARD.stall_red) == (4, 4, 2)
    assert (BOARD.yellow_in_green, BOARD.red_in_yellow, BOARD.task_marks, BOARD.private_tasks) == (3, 2, 3, 2)
    assert (BOARD.revive_heals, BOARD.revive_reputation, BOARD.steal_fuel, BOARD.steal_ammo) == (2, 1, 2, 2)
    assert (BOARD.search_skill, BOARD.search_difficulty, BOARD.pockets) == ("survival", 7, 3)


@pytest.mark.rule("K1A-07", "K1D-10", "K1D-11", "K1G-02")
def test_thirteen_sheets_with_six_skills_and_two_hands() -> None:
    assert len(KNIGHTS) == 13 and tuple(type(KNIGHTS["naomi_vatt"].skills).model_fields) == SKILLS
    assert KNIGHTS["naomi_vatt"].skills.survival == 2 and all(knight.hands == 2 for knight in KNIGHTS.values())


@pytest.mark.rule("K1H-01", "K1H-02", "K1H-03", "K1H-04")
def test_vehicles() -> None:
    assert {slug for slug, card in VEHICLES.items() if card.start} == {"strider", "off_road", "heavy_duty"}
    assert VEHICLES["strider"].whole.speed == 4 and VEHICLES["heavy_duty"].whole.speed == 2
    assert {card.whole.colour for card in VEHICLES.values()} == {"yellow", "blue"}
    assert VEHICLES["muscle_car"].whole.colour == "blue" and not VEHICLES["muscle_car"].start
    for card in VEHICLES.values():
        assert card.damaged.speed <= card.whole.speed and card.damaged.capacity < card.whole.capacity


# ---------------------------------------------------------------- decks


def test_the_wasteland_deck_has_44_cards_with_every_named_event() -> None:
    assert sum(card.copies for card in EVENTS.values()) + len(PACK.cards["enemy"]) == 44
    assert {card.skill for card in EVENTS.values()} == set(SKILLS), "each skill escapes something"
    by_title = {card.title: rows(card.errands) for card in EVENTS.values()}
    assert {("always", "stop", 1), ("always", "health", -1)} < by_title["Acid Rain"]
    assert by_title["Car Wreck"] == {
        ("always", "stop", 1), ("always", "ammo", -1), ("always", "skip", 1),
        ("faced", "reputation", 1), ("faced", "fuel", 3),
    }  # fmt: skip
    assert not any(row[0] == "faced" for row in by_title["Radiation Storm"])
    assert ("always", "obstruct", 1, "around") in by_title["Tornado"] and EVENTS["tornado"].nature
    assert not EVENTS["rough_terrain"].on_foot and sum(not card.on_foot for card in EVENTS.values()) == 1
    assert by_title["Wandering Merchant"] == {("always", "merchant", 1)}
    assert (EVENTS["wounded_stranger"].skill, EVENTS["wounded_stranger"].difficulty) == ("medicine", 9)
    assert {slug: card.successes for slug, card in EVENTS.items() if card.successes > 1} == {"hungry_locusts": 2}


def test_luck_is_even_over_the_four_resources() -> None:
    icons: Counter[str] = Counter()
    for card in LUCK.values():
        icons[card.icon] += card.copies
        assert card.effects or card.errands, card.title
    assert len(set(icons.values())) == 1 and set(icons) == {"ammo", "fuel", "radiation", "health"}
    assert {row[:2] for row in rows(LUCK["all_night"].errands)} == {("moving", "points")}
    assert [(e.when, e.what, e.many) for e in LUCK["deadly_quick"].effects] == [("before", "start_range", 3)]
    assert [(e.what, e.whom) for e in LUCK["faster_faster"].effects] == [("dice", "self")]
    assert {row[1] for row in rows(LUCK["witness_me"].errands)} == {"reputation"}


def test_gear_off_combat_and_decks_that_last() -> None:
    assert rows(GEAR["road_map"].errands) == {("standing", "points", 1)}
    assert rows(GEAR["preppers_kit"].errands) == {("standing", "check", 1, "survival")}
    assert rows(GEAR["dundee_hat"].errands) == {("standing", "check", 1, "talk")}
    assert GEAR["dundee_hat"].use == "permanent"
    assert rows(GEAR["adrenal"].errands) >= {("used", "wake", 1)} and GEAR["adrenal"].colour == "red"
    kit = GEAR["first_aid_kit"]
    assert (kit.use, kit.limited, rows(kit.errands)) == ("mark", True, {("resting", "health", 1)})
    assert all(GEAR[slug].colour == "green" and GEAR[slug].errands for slug in BOARD.start)
    decks = Counter(card.colour for kind in ("weapon", "armor", "gear") for card in PACK.cards[kind].values())
    assert decks["green"] >= 14 and decks["yellow"] >= 12 and decks["red"] >= 8
    assert any(card.sort == "drug" and card.colour == "yellow" for card in GEAR.values())
    assert {card.sort for card in BLUE.values()} == {*SORTS, "gear"}
    assert [BLUE[slug].sort for slug in ("cyber_arm", "scales", "turbo_injector")] == list(SORTS)


def test_abilities_off_combat() -> None:
    assert rows(KNIGHTS["mel_gearson"].errands) == {("standing", "per_fuel", 1)}
    assert rows(KNIGHTS["kate_blanksheet"].errands) == {("standing", "weather", 1)}
    assert printed("knight.mel_gearson.errands.0.many", "K1G-01")


def test_tasks_as_printed() -> None:
    record, burn = TASKS["speed_record"], TASKS["burn_baby_burn"]
    assert (record.first.need, record.first.points, record.first.hexes) == ("ride", 15, 6)
    assert (record.gives, rows(record.rewards)) == ("muscle_car", {("reward", "reputation", 2)})
    first, second = burn.first, burn.second
    assert (first.need, first.hex, first.skill, first.difficulty) == ("check", 9, "repair", 7)
    assert (second.need, second.hex, burn.common) == ("explore", 12, False)
    robo = TASKS["robo_killer"]
    assert (robo.binds, robo.whose, robo.first.trait) == ("machine", "everyone", "machine")
    assert TASKS["nice_trophy"].first.need == "defeat" and TASKS["pit_fight"].first.need == "defeat_knight"
    hell_raiders = PACK.cards["enemy"]["hell_raiders"]
    assert TASKS["nice_trophy"].first.trait in hell_raiders.traits, "the example's prey counts"
    assert all(task.rewards and task.text for task in TASKS.values())
    assert Counter(task.common for task in TASKS.values()) == {True: 10, False: 14}
    for task in TASKS.values():
        last = task.first if task.common else task.second
        assert not task.binds or task.binds == last.trait, "the Waster is bound to what is to be defeated"


def test_missions_are_three_and_say_that_they_are_ours() -> None:
    assert {card.goal for card in MISSIONS.values()} == {"reputation"}, "as their texts say"
    assert set(MISSIONS) == {"reputation", "last_knight", "cult"}
    assert all("Ours, and short" in card.text for card in MISSIONS.values())
    assert [slug for slug, card in MISSIONS.items() if card.cultists] == ["cult"]
    assert [slug for slug, card in MISSIONS.items() if card.duel_reputation] == ["last_knight"]


def test_board_bots_have_a_bot_of_their_name_for_combats_and_random_weighs_nothing() -> None:
    assert {"random", "regular", "strong"} <= set(BOTS) <= set(PACK.cards["bot"])
    assert not any(BOTS["random"].weights.model_dump().values())
