"""Set-up: decks, the Scrap Pile, the crew, and the first enemies."""

from __future__ import annotations

from typing import Any

import pytest

from tests.mech_board import board


@pytest.mark.rule("M112-01", "M11-09")
def test_the_enemy_deck_begins_with_level_1_alone(rules: Any) -> None:
    b = board(rules)
    b.do("setup.open_decks")
    cards = b.t.enemy[: b.t.enemies]
    fits = (cards["level"] == 1) & (cards["role"] == 0)
    deck = sorted(int(card) for card in b.s.deck.deck[: b.s.deck.left])
    assert deck == sorted(card for card in range(len(cards)) if fits[card] for _ in range(cards["copies"][card]))
    assert b.s.level == 1 and b.s.deck.shuffles == 1 and deck != list(b.s.deck.deck[: b.s.deck.left])


@pytest.mark.rule("M112-02", "M17-18")
def test_all_salvage_but_two_scrap_metal_is_shuffled_into_the_deck(rules: Any) -> None:
    b = board(rules)
    b.s.scraps = 0
    b.do("setup.open_decks")
    assert [b.title(card) for card in b.s.scrap[: b.s.scraps]] == ["Scrap Metal"] * 2
    all_cards = b.t.card[: b.t.cards]["copies"].sum()
    assert b.s.salvage.left == all_cards - 2 and b.s.salvage.shuffles == 1
    assert b.item("Scrap Metal") not in b.s.salvage.deck[: b.s.salvage.left]


@pytest.mark.rule("M112-03", "M5-42")
@pytest.mark.parametrize("events", [0, 1])
def test_events_are_there_if_the_players_want_them(rules: Any, events: int) -> None:
    b = board(rules, events=events)
    b.do("setup.open_decks")
    assert b.s.occasions.left == (b.t.events if events else 0)


@pytest.mark.rule("M112-04", "M17-01")
def test_dials_begin_at_the_dashboards_and_one_ability_is_chosen(rules: Any) -> None:
    sets = {"crew.scout.ability": '"adrenaline_rush"', "crew.doctor.attack": "2", "mech.noise": "2"}
    b = board(rules, {"Brute": 5, "Scout": 6, "Doctor": 7}, sets=sets, extra_noise=0)
    members = [b.member(name) for name in b.crew]
    assert [(int(m.health), int(m.attack), int(m.actions)) for m in members] == [(6, 4, 3), (5, 3, 3), (5, 2, 3)]
    abilities = [b.tables.titles["ability"][m.ability] for m in members]
    assert abilities == ["Bloodlust", "Adrenaline Rush", "Surgeon"]
    assert b.s.noise == 2 + 3 and (b.s.hull, b.s.distance, b.s.players) == (20, 0, 3)
    with pytest.raises(rules["packs"].Mistakes, match="ability"):
        rules.pack("mech", {"crew.scout.ability": '"bloodlust"'})


@pytest.mark.rule("M112-05")
def test_everyone_begins_in_any_room_of_the_mech(rules: Any) -> None:
    b = board(rules, {"Brute": 12, "Scout": 12, "Doctor": 1})
    assert [int(b.member(name).room) for name in b.crew] == [12, 12, 1] and b.s.room[12].crew == 2
    for room in range(1, 13):
        assert board(rules, {"Brute": room}).member("Brute").room == room
    with pytest.raises(ValueError, match="is not among"):
        board(rules, {"Brute": 13})


@pytest.mark.rule("M5-03", "M112-06")
def test_places_are_chosen_before_the_first_enemies_come(rules: Any) -> None:
    """As many as the starting Noise."""
    b = board(rules, {"Brute": 12}, extra_noise=2)
    told = [line for line in b.rules["mech.tell"].tell(b.tables, b.seats(), b.journal, None)]
    assert told == []
    b.do("setup.set_up", b.seats(), picks=[12])
    told = b.told()
    told = [line for line in told if "passed over" not in line]
    assert "begins in" in told[1] and len(told) == 5 and all(" appears in " in line for line in told[2:])
    assert b.s.spawned[1] == 3 and b.s.drawn == 0


def test_empty_chairs_change_nothing(rules: Any) -> None:
    b = board(rules, {"Brute": 5, "Scout": 6})
    row = b.seats()
    row.role[:] = [-1, row.role[0], -1, row.role[1], -1]
    for first in (0, 1, 4):
        row.first = first
        b.do("setup.set_up", row, picks=[5, 6])
        assert [int(b.s.crew[c].seat) for c in range(2)] == [1, 3]
        assert (b.s.players, b.s.first, b.s.noise) == (2, 0, 0)
