"""Days and nights, and how a game ends."""

from __future__ import annotations

from typing import Any

import pytest

from tests.gang_table import dealt, table

RIVALS = ("Patrol", "Hyenas")


def hours(b: Any) -> list[tuple[str, int, int]]:
    """Whose hours there were, with day and hour."""
    return [(b.gangs[note.a], note.b, note.c) for note in b.journal if note.what == b.rules["gangs.tell"].HOUR_OF]


@pytest.mark.rule("G13-02", "G13-03")
def test_a_day_goes_round_and_ends_with_the_last_territory(rules: Any) -> None:
    """The one after the last to play begins the next day."""
    gangs = ("Patrol", "Hyenas", "Valkyries")
    b = table(rules, *gangs).on("Iron", "Hyenas", "Biter", loot=2).always(choose_site="no")
    b.do("day.play_day")
    assert [gang for gang, *_ in hours(b)] == [*gangs, *gangs[:2]], "with the hour of the Hyenas"
    assert (b.s.day, b.s.hour, b.s.next, b.s.day_hours[0]) == (1, 5, 2, 5) and b.of("Hyenas").trophies == 1
    assert [int(b.of(gang).led[0]) for gang in gangs] == [0, 1, 0]
    b.on("Water", "Patrol", "Scout", loot=1)
    b.journal.clear()
    b.do("day.play_day")
    assert hours(b) == [("Valkyries", 2, 1), ("Patrol", 2, 2)] and b.s.next == 1
    assert [int(b.of(gang).hours) for gang in gangs] == [3, 2, 2]


@pytest.mark.rule("G13-02")
def test_a_day_goes_on_while_a_territory_lies_there(rules: Any) -> None:
    b = (
        table(rules, *RIVALS, most_hours=2)
        .on("Iron", "Patrol", "Scout", loot=1)
        .on("Water")
        .always(choose_site="no", use_summons="no")
    )
    b.do("day.play_day")
    assert len(hours(b)) == 4 and b.s.places == 1


@pytest.mark.rule("G4-15")
def test_a_day_that_never_ends_is_cut_off_and_the_game_counts_as_unfinished(rules: Any) -> None:
    b = table(rules, *RIVALS, most_hours=3).on("Water")
    b.do("loot.gain_loot", 1, 7)
    b.do("day.play_day")
    out = b.outcome()
    assert len(hours(b)) == 6 and (b.s.capped, out.capped_days) == (1, 1)
    assert out.ending == rules["game"].CAPPED and [int(out.seat[i].share) for i in range(2)] == [30, 30]


@pytest.mark.rule("G4-15")
def test_no_day_follows_one_that_was_cut_off(rules: Any) -> None:
    b = table(rules, *RIVALS, most_hours=1)
    b.always(hire_or_patch="no", choose_site="no", refresh_hand="no")
    b.do("play.play_one", b.seats(), words=["no", "Sniper", "no", "no", "no", "no", "Howler"])
    assert (b.s.day, b.s.capped, b.s.hours) == (1, 1, 2)


@pytest.mark.rule("G13-10", "G5-25", "G12-04", "G12-07")
def test_at_night_territories_open_and_all_wounded_are_patched_up(rules: Any) -> None:
    b = dealt(rules, "Patrol", "Hyenas", "Valkyries").in_lair("Patrol", "wounded Scout", "wounded Foreman")
    b.in_lair("Hyenas", "wounded Biter", "wounded Biter")
    for place in b.s.place:
        place.open = 0
    b.s.places, left = 0, int(b.s.sites.left)
    b.do("day.pass_night")
    assert b.s.places == 4 and b.s.sites.left == left - 4
    assert [int(place.loot) for place in b.s.place if place.open] == [5] * 4
    assert all(place.owner == -1 for place in b.s.place if place.open)
    assert b.lair("Patrol") == ["Foreman", "Saboteur", "Saboteur", "Scout"]
    assert b.lair("Hyenas") == ["Arsonist", "Biter", "Biter", "Marauder"]
    assert (b.of("Patrol").ready, b.of("Patrol").coloured, b.of("Hyenas").ready) == (4, 3, 4)
    tell = rules["gangs.tell"]
    told = [note.what for note in b.journal if note.what in (tell.NIGHT, tell.OPENS, tell.PATCHED)]
    assert told == [tell.NIGHT] + [tell.OPENS] * 4 + [tell.PATCHED] * 4


@pytest.mark.rule("G13-01", "G13-11")
@pytest.mark.parametrize("first_game", ["regular", "first"])
def test_four_days_and_three_nights(rules: Any, first_game: str) -> None:
    """Or two days and a night in the first game; bots that choose evenly play a whole game to its end."""
    b = dealt(rules, *RIVALS, most_hours=100, first_game=int(first_game == "first"))
    b.play(5)
    tell = rules["gangs.tell"]
    days = 2 if first_game == "first" else 4
    told = [note.what for note in b.journal if note.what in (tell.DAY_ENDS, tell.NIGHT, tell.ENDS)]
    assert told == [tell.DAY_ENDS, *[tell.NIGHT, tell.DAY_ENDS] * (days - 1), tell.ENDS]
    assert (b.s.day, b.s.places, b.s.sites.left, b.s.overflow) == (days, 0, 0, 0)
    loot = sum(int(b.of(gang).loot) for gang in RIVALS)
    assert loot + b.s.destroyed == b.s.placed == 15 * days, "60 loot in a regular game of two"
    out = b.outcome()
    assert out.rounds == sum(out[f"hours_{day}"] for day in range(1, 5)) == len(hours(b))


def test_who_leads_after_a_day_and_whether_that_changes(rules: Any) -> None:
    """A tie is nobody's lead, and doesn't change it."""
    b = table(rules, *RIVALS)
    for day, (gang, points) in enumerate(
        (("Patrol", 5), ("Hyenas", 5), ("Hyenas", 1), ("Hyenas", 1), ("Patrol", 9)), start=1
    ):
        b.do("loot.gain_loot", b.g(gang), points)
        b.s.day = day
        b.do("day.see_who_leads")
    assert [int(led) for led in b.of("Patrol").led[:5]] == [1, 0, 0, 0, 1]
    assert [int(led) for led in b.of("Hyenas").led[:5]] == [0, 0, 1, 1, 0] and b.s.changes == 2
