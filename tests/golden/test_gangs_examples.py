"""The worked examples that the rulebook of Marauders of the Great Wastelands prints, with its numbers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.gang_table import table


@pytest.mark.rule("G15-05", "G15-01", "G15-02", "G15-03")
def test_24_loot_two_iron_and_three_benzak_are_43_points(rules: Any) -> None:
    b = table(rules, "Slave-traders", "Patrol")
    b.do("loot.gain_loot", 0, 24)
    for sites, points in ((("Iron", "Iron 2"), 8), (("Benzak", "Benzak 2", "Benzak 3"), 11)):
        before = int(b.of("Slave-traders").points)
        for site in sites:
            b.on(site, "Slave-traders", "Hunter", loot=0)
        b.do("loot.take_to_trophies")
        assert b.of("Slave-traders").points - before == points
    seat = b.outcome().seat[0]
    assert (seat.score, seat.loot, seat.territories) == (43, 24, 5)


@pytest.mark.rule("G14-08", "G14-02", "G14-03", "G14-07", "G5-13")
def test_figure_8_seven_against_five(rules: Any) -> None:
    """Three slaves and two raiders defend; two raiders, a mercenary and two fanatics attack, and hold it as three."""
    b = table(rules, "Unshakeable", "Slave-traders")
    b.on("Iron", "Slave-traders", "Hunter", "Overseer", "slave", "slave", "slave")
    b.in_lair("Unshakeable", "Trickster", "Zealot", "Foreman", "fanatic", "fanatic")
    assert b.at("Iron").guard == 5 and b.pool() == 23 - 5
    b.ambush("Unshakeable", "Iron", "Trickster", "Zealot", "Foreman", "Zealot")
    tell = rules["gangs.tell"]
    (goes,) = [note for note in b.journal if note.what == tell.GOES]
    assert (goes.c, goes.d) == (7, 5)
    assert b.holder("Iron") == "Unshakeable" and b.standing("Iron") == ["Foreman", "Trickster", "Zealot"]
    assert b.lair("Slave-traders") == ["wounded Hunter", "wounded Overseer"]
    assert b.lair("Unshakeable") == ["fanatic"], "the Zealot's Ambush, after all that"
    assert b.pool() == 23 - 1
    told = [note.what for note in b.journal]
    assert told.index(tell.HOME_WOUNDED) < told.index(tell.USES)


@pytest.mark.rule("G14-01", "G14-05")
@pytest.mark.parametrize("defenders", ["one", "two", "five"])
def test_two_against_one_three_against_two_and_six_against_five(rules: Any, defenders: str) -> None:
    """At least one of them a raider."""
    many = ("one", "two", "five").index(defenders)
    guard = (1, 2, 5)[many]
    b = table(rules, "Patrol", "Hyenas").on("Iron", "Hyenas", *["Howler"] * guard)
    b.in_lair("Patrol", *["Foreman"] * (guard + 1)).ambush("Patrol")
    assert b.asked == [], "no raider"
    b = table(rules, "Patrol", "Hyenas").on("Iron", "Hyenas", *["Howler"] * guard)
    b.in_lair("Patrol", "Scout", *["Foreman"] * (guard - 1)).ambush("Patrol")
    assert b.asked == [], "too weak"
    b.in_lair("Patrol", "Foreman").ambush("Patrol", "Iron", "Scout")
    assert b.standing("Iron") == ["Foreman"] * guard + ["Scout"]


@pytest.mark.rule("G13-07", "G5-18")
def test_loot_over_two_territories(rules: Any) -> None:
    """The Patrol takes Chemistry: 4 are left. In its next hour it takes Iron as well: 3 and 4."""
    b = table(rules, "Patrol", "Hyenas", "Gentlemen").on("Chemistry").on("Iron").in_lair("Patrol", "Scout", "Medic")
    b.hour("Patrol", "Chemistry", "Scout", "no")
    assert b.at("Chemistry").loot == 4
    b.hour("Hyenas").hour("Gentlemen")
    assert b.at("Chemistry").loot == 4, "loot is taken only by the one whose hour it is"
    b.hour("Patrol", "Iron")
    assert (b.at("Chemistry").loot, b.at("Iron").loot, b.of("Patrol").loot) == (3, 4, 3)
