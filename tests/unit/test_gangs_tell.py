"""Stories: what happened, in words; tests/golden has whole games."""

from __future__ import annotations

from typing import Any

from tests.gang_table import dealt, does, effect, table

RIVALS = ("Patrol", "Hyenas")


def test_a_conquest_is_told_in_the_order_of_the_book(rules: Any) -> None:
    b = table(rules, "Unshakeable", "Hyenas").on("Iron", "Hyenas", "Howler", "slave")
    b.in_lair("Unshakeable", "Madman", "Trickster", "Zealot", "fanatic", "slave")
    b.ambush("Unshakeable", "Iron", "Madman", "wounded Trickster", "wounded slave", "fanatic", "Zealot", "Zealot")
    assert b.told() == [
        "  Ambush on Iron 1: strength 8 against 2.",
        "    Trickster is wounded for more strength.",
        "    A slave of Unshakeable is lost.",
        "    Hyenas are beaten off Iron 1.",
        "    Howler of Hyenas goes home wounded.",
        "    Zealot and Madman go.",
        "    With 1 fanatic.",
        "  The ability of Zealot is used.",
        "    1 fanatic from the pool.",
        "    1 fanatic gone.",
    ]


def test_an_ability_that_comes_to_nothing_is_not_told(rules: Any) -> None:
    b = table(rules, *RIVALS).in_lair("Hyenas", "Biter").in_hand("Patrol", "Sniper", "Sniper").summon("Patrol", "no")
    b.summon("Patrol", "Hyenas: Biter")
    assert b.told() == [
        "  Sniper comes into the lair.",
        "  Sniper comes into the lair.",
        "  The ability of Sniper is used.",
        "    Biter of Hyenas is wounded in the lair.",
    ]


def test_prices_and_losses_are_told_once(rules: Any) -> None:
    sets = does("raider.scout", effect("summon", "discard", "rival_lair"), pay="wound")
    sets |= does("raider.medic", effect("summon", "slaves", "own_lair"), pay="discard") | {"rules.fodder": "12"}
    b = table(rules, *RIVALS, sets=sets).in_lair("Hyenas", "Biter", *["slave"] * 12).in_lair("Patrol", "Sniper")
    b.in_hand("Patrol", "Scout", "Sentry", "Medic").summon("Patrol", "Scout", "Sniper", "Hyenas: Biter")
    b.summon("Patrol", "Medic", "Sentry")
    assert b.told() == [
        "  Scout comes into the lair.",
        "  The ability of Scout is used.",
        "    Sniper is wounded for it.",
        "    Biter of Hyenas is discarded.",
        "  Medic comes into the lair.",
        "  The ability of Medic is used.",
        "    Sentry is discarded for it.",
        "    Nobody is left to come from the pool.",
    ]


def test_the_night_patches_up_without_a_word_for_each(rules: Any) -> None:
    b = dealt(rules, *RIVALS).in_lair("Patrol", "wounded Scout")
    for place in b.s.place:
        place.open = 0
    b.s.places = 0
    b.do("day.pass_night")
    assert b.told()[0] == "Night falls: all wounded are patched up."
    assert [line.endswith(" opens.") for line in b.told()[1:]] == [True] * 3
    b.in_lair("Patrol", "wounded Scout").hour("Patrol", "wounded Scout", "Sniper", "no", "no", "no")
    assert b.told()[:2] == ["Day 0, hour 0: Patrol.", "  Scout is patched up."]
