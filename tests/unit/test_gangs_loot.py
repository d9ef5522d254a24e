"""Loot, territories taken to the trophies, and points."""

from __future__ import annotations

from typing import Any

import pytest

from tests.gang_table import does, effect, table

RIVALS = ("Patrol", "Hyenas")


def take(b: Any, gang: str, *sites: str) -> None:
    """Let a gang take territories without loot to its trophies."""
    for site in sites:
        b.on(site, gang, "Foreman", loot=0)
    b.do("loot.take_to_trophies")


# ---------------------------------------------------------------- 4. collect


@pytest.mark.rule("G13-07", "G11-05", "G15-01")
def test_one_loot_from_each_territory_of_the_gang_whose_hour_it_is(rules: Any) -> None:
    b = table(rules, *RIVALS).on("Iron", "Patrol", "Scout").on("Water", "Patrol", "Medic", loot=2)
    b.on("Benzak", "Hyenas", "Biter").on("Kutezh").collect("Patrol")
    assert [int(b.at(site).loot) for site in ("Iron", "Water", "Benzak", "Kutezh")] == [4, 1, 5, 5]
    assert (b.of("Patrol").loot, b.of("Patrol").points, b.of("Hyenas").loot) == (2, 2, 0)


@pytest.mark.rule("G13-07", "G13-08")
def test_where_nothing_is_left_nothing_is_collected(rules: Any) -> None:
    b = table(rules, *RIVALS).on("Iron", loot=4).in_lair("Patrol", "Saboteur", "Saboteur")
    b.hour("Patrol", "Iron", "Saboteur", "Saboteur", "Saboteur")
    assert b.at("Iron") is None and (b.of("Patrol").loot, b.of("Patrol").trophies) == (0, 1)


@pytest.mark.rule("G5-18", "G5-19")
def test_a_territory_lasts_five_hours_of_whoever_holds_it(rules: Any) -> None:
    """The hour of the conquest is the first; whoever comes in between gets what is left."""
    b = table(rules, *RIVALS).on("Iron").in_lair("Patrol", "Scout")
    b.hour("Patrol", "Iron")
    assert b.at("Iron").loot == 4
    for left in (3, 2, 1):
        b.hour("Hyenas").hour("Patrol")
        assert b.at("Iron").loot == left
    b.in_lair("Hyenas", "Biter", "Howler").hour("Hyenas", "Iron", "Biter", "no")
    assert b.at("Iron") is None
    assert (b.of("Patrol").points, b.of("Hyenas").points, b.of("Hyenas").trophies) == (4, 1 + 5, 1)


# ---------------------------------------------------------------- 5. to the trophies


@pytest.mark.rule("G13-08", "G14-11", "G4-01", "G5-15")
@pytest.mark.parametrize("reading", ["own_discard", "common_discard"])
def test_a_territory_without_loot_goes_to_its_holder(rules: Any, reading: str) -> None:
    """His followers to his discard pile; by the letter to a common one, out of the game."""
    b = table(rules, *RIVALS, sets={"ruling.taken_followers": f'"{reading}"'})
    b.on("Iron", "Patrol", "Scout", "Foreman", loot=1).on("Water", "Patrol", "Medic", loot=2).collect("Patrol")
    assert b.at("Iron") is None and b.standing("Water") == ["Medic"] and b.s.places == 1
    assert (b.of("Patrol").trophies, b.of("Patrol").points) == (1, 2 + 5)
    own = reading == "own_discard"
    assert (b.discards("Patrol"), b.s.gone) == ((["Foreman", "Scout"], 0) if own else ([], 2))
    assert b.lair("Patrol") == []


@pytest.mark.rule("G4-13", "G5-20", "G13-08")
def test_emptied_in_a_rivals_hour_it_goes_to_its_holder_at_once(rules: Any) -> None:
    b = table(rules, *RIVALS, sets=does("raider.sapper", effect("summon", "spoil", "territory")))
    b.on("Iron", "Hyenas", "Biter", loot=1).in_hand("Patrol", "Sapper").hour("Patrol", "Iron")
    assert b.at("Iron") is None and (b.of("Hyenas").trophies, b.of("Hyenas").points) == (1, 5)
    assert b.discards("Hyenas") == ["Biter"] and b.of("Patrol").points == 0


@pytest.mark.rule("G13-08", "G4-13")
def test_without_loot_and_holder_it_leaves_the_game(rules: Any) -> None:
    b = table(rules, *RIVALS, sets=does("raider.sapper", effect("summon", "spoil", "territory")))
    b.on("Iron", loot=1).on("Water").in_hand("Patrol", "Sapper").hour("Patrol", "Iron", "no")
    assert b.at("Iron") is None and b.s.places == 1 and b.s.destroyed == 1
    assert (b.of("Patrol").trophies, b.of("Hyenas").trophies) == (0, 0)


@pytest.mark.rule("G13-08")
def test_who_empties_a_neutral_territory_may_still_take_it(rules: Any) -> None:
    """It lies there until phase 5."""
    b = table(rules, *RIVALS, sets=does("raider.sapper", effect("summon", "spoil", "territory")))
    b.on("Iron", loot=1).in_hand("Patrol", "Sapper").hour("Patrol", "Iron", "Iron")
    assert (b.of("Patrol").trophies, b.of("Patrol").loot) == (1, 0)


@pytest.mark.rule("G5-21", "G5-09")
def test_trophies_are_out_of_reach(rules: Any) -> None:
    """No deed of the vocabulary touches them: what is taken stays, and an own deed serves the own trophies."""
    b = table(rules, *RIVALS, sets=does("raider.sapper", effect("summon", "plunder", "territory", 3)))
    take(b, "Hyenas", "Iron", "Water")
    b.on("Benzak", "Hyenas", "Biter").in_hand("Patrol", "Sapper").hour("Patrol", "Benzak")
    assert (b.of("Hyenas").trophies, b.of("Hyenas").points, b.of("Patrol").loot) == (2, 10, 3)
    assert not {"trophies"} & set(rules["gangs.cards"].WHOM)


# ---------------------------------------------------------------- points


@pytest.mark.rule("G15-02", "G15-03", "G15-04")
def test_the_first_of_a_type_counts_five_and_each_further_one_three(rules: Any) -> None:
    b = table(rules, *RIVALS)
    found = []
    for site in ("Iron", "Iron 2", "Kutezh", "Iron 3", "Water", "Cartridges", "Chemistry", "Benzak", "Benzak 2"):
        take(b, "Patrol", site)
        found.append(int(b.of("Patrol").points))
    assert [now - before for before, now in zip([0, *found], found, strict=False)] == [5, 3, 5, 3, 5, 5, 5, 5, 3]
    take(b, "Hyenas", "Iron 4")
    assert b.of("Hyenas").points == 5, "the first one of theirs"
    seat = b.outcome().seat[0]
    assert (seat.sets, seat.territories, seat.kind_1, seat.kind_2) == (1, 9, 1, 3)


@pytest.mark.rule("G15-06")
@pytest.mark.parametrize("territories", ["more", "fewer", "as_many"])
def test_a_tie_goes_to_more_territories(rules: Any, territories: str) -> None:
    b = table(rules, *RIVALS)
    take(b, "Patrol", "Iron", "Iron 2")
    take(
        b,
        "Hyenas",
        *{"more": ["Water"], "fewer": ["Water", "Water 2", "Water 3"], "as_many": ["Water", "Water 2"]}[territories],
    )
    for gang in RIVALS:
        b.do("loot.gain_loot", b.g(gang), 20 - int(b.of(gang).points))
    out = b.outcome()
    assert [int(out.seat[i].score) for i in range(2)] == [20, 20]
    places, shares = {"more": ([1, 2], [60, 0]), "fewer": ([2, 1], [0, 60]), "as_many": ([1, 1], [30, 30])}[territories]
    assert [int(out.seat[i].place) for i in range(2)] == places and [int(out.seat[i].share) for i in range(2)] == shares
    assert out.tied == (territories == "as_many") and out.ending == int(territories == "as_many")


@pytest.mark.rule("G4-25", "G15-06")
@pytest.mark.parametrize("reading", ["shared", "coin"])
def test_a_full_tie_is_shared_or_decided_by_a_coin(rules: Any, reading: str) -> None:
    """No arms are wrestled here. The coin falls either way."""
    won = []
    for game in range(12):
        b = table(rules, "Patrol", "Hyenas", "Valkyries", sets={"ruling.ties": f'"{reading}"'})
        b.stream.game = game
        for gang in ("Patrol", "Valkyries"):
            b.do("loot.gain_loot", b.g(gang), 9)
        out = b.outcome()
        won.append(tuple(int(out.seat[i].share) for i in range(3)))
        assert out.tied == 1 and out.ending == (reading == "shared") and sum(won[-1]) == 60
    assert set(won) == ({(30, 0, 30)} if reading == "shared" else {(60, 0, 0), (0, 0, 60)})


@pytest.mark.rule("G15-01", "G15-06")
def test_the_most_points_win(rules: Any) -> None:
    b = table(rules, "Patrol", "Hyenas", "Valkyries", "Gentlemen")
    take(b, "Gentlemen", "Iron")
    for gang, points in (("Patrol", 3), ("Hyenas", 9), ("Valkyries", 3), ("Gentlemen", 8 - 5)):
        b.do("loot.gain_loot", b.g(gang), points)
    out = b.outcome()
    assert [int(seat.place) for seat in out.seat] == [3, 1, 3, 2] and [int(seat.share) for seat in out.seat] == [
        0,
        60,
        0,
        0,
    ]
