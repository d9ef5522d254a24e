"""The Aquatic trait: what works against an Aquatic challenge, and Aquatic tokens."""

from __future__ import annotations

from typing import Any

import pytest

from tests.voyage_table import table

TO_TRASH = "Sydney - Trash City"
FOE = {"health": 2, "dice": 0, "armor": 0, "threat": 0, "aquatic": 1}


# ---------------------------------------------------------------- without the trait


@pytest.mark.rule("V1M-17", "V5-17")
@pytest.mark.parametrize("weapon", ["none", "dry", "wet"])
def test_only_aquatic_weapons_attack_an_aquatic_enemy(rules: Any, weapon: str) -> None:
    """Neither bare hands nor others."""
    b = table(rules, "Pirate").gear("Pistol", "weapon", dice=3).gear("Knife", "weapon", aquatic=1, dice=2)
    b.gives("Pirate", *{"none": (), "dry": ("Pistol",), "wet": ("Knife",)}[weapon]).sea(
        "Nautilus", ("won", "cargo", 1), **FOE
    )
    b.sail("Pirate", TO_TRASH, "fight", rolls=[4, 4] if weapon == "wet" else [])
    assert b.of("Pirate").won == (weapon == "wet")
    assert ("ammo" in b.asked[0]) == (weapon == "wet"), "no shot without a weapon that works"


@pytest.mark.rule("V1M-17")
def test_bare_hands_work_again_with_the_trait(rules: Any) -> None:
    b = table(rules, "Pirate").sheet("Pirate", attack=2).gear("Aqualung", aquatic=1).gear("Camel")
    b.t.gear[b.tables.titles["gear"].index("Aqualung")].term[b.code.TERM["aquatic"]] = 1
    b.gives("Pirate", "Aqualung").sea("Nautilus", ("won", "cargo", 1), **FOE)
    b.sail("Pirate", TO_TRASH, "fight", rolls=[4, 4])
    assert b.of("Pirate").won == 1


@pytest.mark.rule("V1M-17")
@pytest.mark.parametrize("armor", ["dry", "wet"])
def test_only_aquatic_armor_prevents_wounds(rules: Any, armor: str) -> None:
    b = table(rules, "Pirate").gear("Oilskins", "armor", armor=1).gear("Kapock", "armor", aquatic=1, armor=1)
    b.gives("Pirate", "Oilskins" if armor == "dry" else "Kapock").gear("Knife", "weapon", aquatic=1, dice=1)
    b.gives("Pirate", "Knife").sea("Nautilus", ("won", "cargo", 1), **{**FOE, "dice": 2})
    b.sail("Pirate", TO_TRASH, "fight", rolls=[1, 4, 4, 1, 4, 4])
    assert b.of("Pirate").hurt == (2 if armor == "wet" else 4)


@pytest.mark.rule("V1M-17", "V5-18")
def test_gear_and_upgrades_lose_what_they_do_and_skills_stay(rules: Any) -> None:
    b = table(rules, "Pirate").gear("Rope", tech=2).gear("Seaweed", aquatic=1, tech=1).upgrade("Tough", tech=3)
    b.upgrade("Last Words", aquatic=1, tech=1).gives("Pirate", "Rope", "Seaweed").learns(
        "Pirate", "Tough", "Last Words"
    )
    b.sea("Shipwreck", ("pass", "cargo", 1), aquatic=1, skill="tech", need=1).sail(
        "Pirate", TO_TRASH, rolls=[1, 1, 1, 4]
    )
    assert b.of("Pirate").cargo == 1, "two of the sheet, one of each with the trait"
    b.sea("Reef", ("pass", "cargo", 1), skill="tech", need=1).sail("Pirate", TO_TRASH, ship="Barge", rolls=[1] * 9)
    assert b.of("Pirate").cargo == 1, "all nine where it isn't Aquatic"


@pytest.mark.rule("V1M-17")
def test_health_and_the_other_values_stay_what_they_are(rules: Any) -> None:
    b = table(rules, "Pirate").gear("Hammock", health=3).gives("Pirate", "Hammock")
    b.sea("Shipwreck", ("pass", "wound", 7), aquatic=1).sail("Pirate", TO_TRASH)
    assert b.of("Pirate").down == 0


@pytest.mark.rule("V5-39")
def test_gear_works_again_as_soon_as_the_card_is_done_with(rules: Any) -> None:
    b = table(rules, "Pirate").quay("Ferry").gear("Rope", tech=2).gives("Pirate", "Rope").only("Trash City", "Tower")
    b.looks("Tower").sea("Shipwreck", ("pass", "cargo", 1), aquatic=1, skill="tech", need=1)
    b.turn("Pirate", "Ferry to Trash City", "fuel", "fuel", rolls=[1, 1]).end_round()
    b.place("Tower", effects=[("pass", "cargo", 2)], skill="tech", need=1).turn(
        "Pirate", "Climb it", "no", rolls=[1, 1, 1, 4]
    )
    assert b.of("Pirate").cargo == 2


# ---------------------------------------------------------------- sources of the trait


@pytest.mark.rule("V5-59")
@pytest.mark.parametrize("source", ["gear", "upgrade", "sheet token", "weapon token", "gear not equipped", "plain"])
def test_gear_upgrades_and_tokens_give_the_trait(rules: Any, source: str) -> None:
    b = table(rules, "Pirate").gear("Aqualung", aquatic=1).upgrade("Frogman", aquatic=1)
    gear = b.t.gear[b.tables.titles["gear"].index("Aqualung")]
    gear.term[b.code.TERM["aquatic"]] = 1
    b.t.upgrade[b.tables.titles["upgrade"].index("Frogman")].gills = 1
    b.upgrade("Tough", tech=1).learns("Pirate", "Tough").gear("Rope").gives("Pirate", "Rope")
    if source.startswith("gear"):
        b.gives("Pirate", "Aqualung")
    if source == "gear not equipped":
        b.of("Pirate").worn = 1
    if source == "upgrade":
        b.learns("Pirate", "Frogman")
    b.ship("Ferry", tokens=int("token" in source))
    words = {"sheet token": ["sheet"], "weapon token": ["Rope"]}.get(source, [])
    b.sea("Shipwreck", ("pass", "cargo", 1), aquatic=1, skill="tech", need=1)
    trait = source in ("gear", "upgrade", "sheet token")
    b.sail("Pirate", TO_TRASH, *words, rolls=[1, 1, 4] if trait else [1, 1])
    assert b.of("Pirate").cargo == trait


@pytest.mark.rule("V1L-23")
def test_the_good_swimmer_is_aquatic_and_swims_where_he_likes(rules: Any) -> None:
    b = table(rules, "Pirate").learns("Pirate", "Good Swimmer").upgrade("Tough", tech=1).learns("Pirate", "Tough")
    b.sea("Shipwreck", ("pass", "cargo", 1), aquatic=1, skill="tech", need=1).sail("Pirate", TO_TRASH, rolls=[1, 1, 4])
    assert b.of("Pirate").cargo == 1
    b.has("Pirate", stranded=1, goal=b.port("Trash City")).turn("Pirate", "Perth")
    assert b.asked == [["Perth", "Adelaide", "Melbourne", "Sydney", "Brisbane", "Darwin", "Trash City"]]
    assert (b.where("Pirate"), b.of("Pirate").water, b.of("Pirate").cruised) == ("Perth", 2, 1)


# ---------------------------------------------------------------- tokens


@pytest.mark.rule("V5-13", "V5-38")
def test_tokens_come_with_the_ship_and_end_with_the_cruise(rules: Any) -> None:
    b = table(rules, "Pirate").quay("Ferry").ship("Ferry", tokens=2).gear("Rope", tech=1).gives("Pirate", "Rope")
    b.only("Trash City", "Tower").looks("Tower").sea("Reef", ("pass", "cargo", 1)).turn(
        "Pirate", "Ferry to Trash City", "fuel", "fuel"
    )
    assert b.of("Pirate").laid == 0, "not against what isn't Aquatic"
    b.end_round().has("Pirate", acted=0).place("Tower", effects=[("pass", "cargo", 1)])
    b.turn("Pirate", "Climb it", "no")
    assert b.s.aquatic_tokens == 0, "unused ones are lost"
    b.sea("Shipwreck", ("pass", "cargo", 1), aquatic=1, skill="tech", need=1)
    b.turn("Pirate", "Ferry to Sydney", "fuel", "ammo", "Rope", "sheet", rolls=[1, 1, 4])
    assert (b.of("Pirate").laid, b.of("Pirate").cargo) == (2, 3)
    assert b.s.laid == 0, "and laid ones discarded"


@pytest.mark.rule("V5-38", "V5-18", "V5-17")
def test_tokens_are_laid_once_the_challenge_is_known_to_be_aquatic(rules: Any) -> None:
    """On the sheet and on gear that lacks the trait; before the test, and before fight or flight."""
    b = (
        table(rules, "Pirate")
        .ship("Ferry", tokens=1)
        .gear("Pistol", "weapon", dice=3)
        .gear("Kapock", "armor", aquatic=1)
    )
    b.gives("Pirate", "Pistol", "Kapock").sea("Nautilus", ("won", "cargo", 1), **FOE)
    b.sail("Pirate", TO_TRASH, "Pistol", "fight", rolls=[4, 4, 1])
    assert b.asked == [["keep", "sheet", "Pistol"], ["escape", "fight", "ammo"]] and b.of("Pirate").won == 1
    b.sea("Shipwreck", ("pass", "cargo", 1), aquatic=1).sail("Pirate", TO_TRASH, "keep", ship="Ferry")
    assert b.of("Pirate").laid == 1


@pytest.mark.rule("V5-38")
def test_tokens_that_a_card_brings_serve_against_it(rules: Any) -> None:
    b = table(rules, "Pirate").gear("Rope", tech=1).gives("Pirate", "Rope")
    b.sea("Shipwreck", ("drawn", "aquatic_tokens", 1), ("pass", "cargo", 1), aquatic=1, skill="tech", need=1)
    b.sail("Pirate", TO_TRASH, "Rope", rolls=[1, 1, 4])
    assert b.of("Pirate").cargo == 1


@pytest.mark.rule("V1M-20")
def test_a_vehicle_is_never_aquatic(rules: Any) -> None:
    """No token on it, and against an Aquatic challenge it does nothing, ashore as well."""
    b = table(rules, "Pirate").vehicle("Buggy", tech=3).upgrade("Getaway", aquatic=1, vehicle=1, tech=2)
    b.learns("Pirate", "Getaway").card("Sea Assault", ("won", "cargo", 1), **FOE)
    b.card("Ruins", ("pass", "cargo", 1), aquatic=1, skill="tech", need=1)
    b.do("sea.begin_action")
    b.s.aquatic_tokens = 2
    story = b.t.card[b.tables.titles["card"].index("Ruins")].story
    b.do("challenge.resolve", 0, story, -1, words=("sheet",), rolls=[4, 1])
    assert b.asked == [["keep", "sheet"]] and b.of("Pirate").cargo == 1
    b.card("Ruins", aquatic=0).resolve("Pirate", "Ruins", rolls=[1] * 7)


@pytest.mark.rule("V5-40")
def test_some_choices_are_closed_without_the_trait(rules: Any) -> None:
    b = table(rules, "Pirate").at("Pirate", "Trash City").place("Tower", aquatic=1).turn("Pirate", "no")
    assert "Climb it" not in b.asked[0] and "Pay the toll" in b.asked[0]
    b.learns("Pirate", "Good Swimmer").turn("Pirate", "Climb it", "no")
    assert b.of("Pirate").deeds == 1


# ---------------------------------------------------------------- Aquatic gear


@pytest.mark.rule("V1M-18")
@pytest.mark.parametrize("where", ["at sea", "ashore", "Aquatic fight ashore"])
def test_one_card_of_a_draw_may_come_from_the_aquatic_deck(rules: Any, where: str) -> None:
    """From a sea card, or after a fight against an Aquatic enemy."""
    b = table(rules, "Pirate").gear("Net", "weapon", aquatic=1, dice=2)
    b.s.deck[b.code.AQUATIC_GEAR].left = 1 << (b.card_of("Net") - b.code.AQUATIC_AT)
    if where == "at sea":
        b.sea("Atoll", ("pass", "gear", 2)).sail("Pirate", TO_TRASH, "Aquatic")
        assert b.asked == [["normal", "Aquatic"]], "one of them"
    elif where == "ashore":
        b.card("Ruins", ("pass", "gear", 1)).resolve("Pirate", "Ruins")
        assert b.asked == []
    else:
        b.gear("Knife", "weapon", aquatic=1, dice=2).gives("Pirate", "Knife").card(
            "Sea Assault", ("won", "gear", 1), **FOE
        )
        b.resolve("Pirate", "Sea Assault", "fight", "no", "Aquatic", rolls=[4, 4])
    assert ("Net" in b.pieces("Pirate")) == (where != "ashore")


@pytest.mark.rule("V5-41")
def test_discards_come_back_into_their_own_decks(rules: Any) -> None:
    """Both decks share a discard pile; backs tell the cards apart when a deck is made anew."""
    b = table(rules, "Pirate").gives("Pirate", "Net", "Rope", "Oar")
    for words in (("Net",), ("Rope",), ()):
        b.do("belongings.drop_any", 0, 1, words=words)
    for deck, title in ((b.code.NORMAL_GEAR, "Rope"), (b.code.AQUATIC_GEAR, "Net")):
        assert int(b.s.deck[deck].thrown).bit_count() == 1
        b.s.deck[deck].left = 0
        card = rules["voyage.decks"].draw_from(b.s.deck[deck], 5)
        assert b._gear_title(card + b.code.AQUATIC_AT * (deck == b.code.AQUATIC_GEAR)) == title


@pytest.mark.rule("V1M-19")
def test_knives_are_aquatic_and_the_oar_is_one_weapon_of_two_hands(rules: Any) -> None:
    pack = rules.pack("voyage")
    gear = pack.cards["gear"]
    knives = [card for card in gear.values() if "Knife" in card.title]
    assert sum(card.copies for card in knives) == 3 and all(card.aquatic and card.starting for card in knives)
    assert (gear["oar"].slot, gear["oar"].starting) == ("two_handed", True)
    assert set(pack.cards["knight"]["pirate"].gear) == {"pistol", "oar"}, "beside another weapon"
