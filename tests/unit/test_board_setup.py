"""Set-up: seats, dials, tiles, decks, the Stalls, tasks, vehicles and gear, for 2, 3 and 4 knights."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.board_table import FIRST, Table, dealt

THREE = ("Mel", "Naomi", "Chris")
FOUR = (*THREE, "Kate")
GREEN, YELLOW, RED = range(3)


def seated(rules: Any, many: int) -> Table:
    """A game as it begins, for so many knights, all in Striders."""
    return dealt(rules, *FOUR[:many], words=["Strider"] * many, keep=FIRST)


@pytest.mark.rule("K1D-01", "K1D-03", "K1D-04", "K1A-01", "K4-49")
@pytest.mark.parametrize("many", [2, 3, 4])
def test_all_begin_on_gangraen_with_full_dials(rules: Any, many: int) -> None:
    b = seated(rules, many)
    assert (b.s.players, b.s.rounds) == (many, 0)
    for name in FOUR[:many]:
        assert b.now(name) == (4, 4, 4, 0)
        assert (b.of(name).reputation, b.of(name).hex, b.of(name).out) == (0, 0, 0)
    assert b.tables.titles["tile"][b.s.hex[0].tile] == "Gangraen"


@pytest.mark.rule("K1D-08", "K5-09")
def test_the_first_player_is_dealt_by_the_seating(rules: Any) -> None:
    """A die decides at the table: here every seating begins with each chair equally often."""
    game, b = rules["game"], seated(rules, 3)
    lineup = [role.slug for role in b.tables.roles["knights"][:3]]
    rows = game.seatings(rules.game("knights.board"), b.tables, [*lineup, ""], {"knight": "random"})
    begins = Counter(int(row.member[row.first]) for row in rows)
    assert sorted(begins) == [0, 1, 2] and len(set(begins.values())) == 1
    b.do("board_setup.clear")
    b.do("board_setup.seat_all", b.seats(first=2))
    assert [int(player.seat) for player in b.s.player[:3]] == [2, 0, 1], "clockwise from the first player"


@pytest.mark.rule("K1D-05", "K1H-26", "K4-25a")
def test_each_picks_one_of_three_vehicles(rules: Any) -> None:
    b = dealt(rules, *FOUR[:3], words=["Strider", "Heavy-duty", "Heavy-duty"])
    assert b.asked[0] == ["Strider", "Off-road", "Heavy-duty"], "from the first player on, each what he likes"
    assert [b.vehicle(name) for name in FOUR[:3]] == ["Strider", "Heavy-duty", "Heavy-duty"]
    assert [b.of(name).speed for name in FOUR[:3]] == [4, 2, 2]
    assert list(b.s.pool[:4]) == [2, 3, 1, 0], "the others are the pool"
    assert dealt(rules, *FOUR[:2], keep=FIRST, vehicle=1).vehicle("Mel") == "Off-road", (
        "or the table gives all the same"
    )


@pytest.mark.rule("K1D-06", "K5-04", "K1D-12", "K1D-09")
def test_extra_gear_goes_into_pockets_and_store(rules: Any) -> None:
    b = seated(rules, 2)
    state = rules["knights.board_state"]
    for name in FOUR[:2]:
        assert {"Medi-shot", "Extra Bullets", "Rad-out"} <= set(b.has(name))
        player = b.of(name)
        assert len(b.has(name, state.POCKET)) <= 3 and len(b.has(name, state.BODY)) <= 1
        printed = [i for i in range(player.items) if player.own[i]]
        assert [int(player.spot[i]) for i in printed] == [state.HAND, state.BODY], "what the sheet prints"
    free = rules["knights.belongings"].is_free
    mel = b.of("Mel")
    assert not any(free(b.t, mel, i) for i in range(mel.items) if mel.own[i])


@pytest.mark.rule("K1D-07", "K5-05")
def test_three_luck_cards(rules: Any) -> None:
    b = seated(rules, 4)
    assert [len(b.luck(name)) for name in FOUR] == [3, 3, 3, 3]
    assert b.left(b.s.luck) == sum(b.t.luck[k].copies for k in range(b.t.lucks)) - 12
    assert len(dealt(rules, "Mel", "Kate", words=["Strider"] * 2, keep=FIRST, luck=0).luck("Mel")) == 0


@pytest.mark.rule("K1D-13", "K1H-23", "K1H-24")
def test_ten_spaces_of_the_stalls(rules: Any) -> None:
    b = seated(rules, 2)
    space = [(int(b.t.map.colour[i]), int(b.t.map.price[i]), int(b.t.map.only_at[i])) for i in range(b.t.map.stalls)]
    assert space == [
        *[(GREEN, 1, 0)] * 3, (GREEN, 3, 0), *[(YELLOW, 3, 0)] * 2, (YELLOW, 6, 0), (YELLOW, 1, 2),
        (RED, 6, 0), (RED, 3, 4),
    ]  # fmt: skip
    assert [int(b.t.thing[card].colour) for card in b.s.stall[: b.t.map.stalls]] == [colour for colour, _, _ in space]


@pytest.mark.rule("K1D-14", "K5-44", "K5-48")
def test_tasks_by_the_number_of_players(rules: Any) -> None:
    for many, private in ((4, 2), (3, 1)):
        b = seated(rules, many)
        posts = b.s.post[: b.s.posts]
        assert [int(post.common) for post in posts] == [1] + [0] * private
        assert all(post.owner == post.holder == -1 and post.marks == 0 for post in posts)
    b = seated(rules, 2)
    assert [(int(post.common), int(post.owner)) for post in b.s.post[: b.s.posts]] == [
        (1, -1),
        (0, 0),
        (0, 0),
        (0, 1),
        (0, 1),
    ]
    cards = sum(b.t.task[k].common == 0 for k in range(b.t.tasks))
    assert b.left(b.s.private) == cards - 8, "four were dealt to each, and two of them leave the game"
    assert len([words for words in b.asked if len(words) > 3]) == 2, "of four cards the first goes, then of three"
    assert dealt(rules, "Mel", "Kate", words=["Strider"] * 2, tasks=0).s.posts == 0


@pytest.mark.rule("K1A-24", "K5B-28")
def test_decks(rules: Any) -> None:
    """44 cards of the wasteland, as a preview counts them; blue cards have a deck of their own."""
    b = seated(rules, 2)
    assert b.left(b.s.cards) == 44
    for colour in range(4):
        pile = b.s.gear[colour]
        assert {int(b.t.thing[card].colour) for card in pile.deck[: pile.left]} == {colour}
    blue = [item for item in b.t.thing[: b.t.items] if item.colour == 3]
    assert b.left(b.s.gear[3]) == len(blue) == 12 and {int(item.kind) for item in blue} == {3}


@pytest.mark.rule("K5-02", "K1A-02", "K1A-03", "K1A-04", "K1B-09", "K1B-10")
def test_tiles_are_dealt_blind(rules: Any) -> None:
    """Special tiles onto their slots, normal ones onto all free hexes, from stacks shuffled apart."""
    boards = []
    for game in (1, 2):
        b = seated(rules, 2)
        b.stream.game = game
        b.do("board_setup.deal_tiles")
        boards.append([b.t.tile[b.s.hex[h].tile].role for h in range(37)])
        titles = [b.tables.titles["tile"][b.s.hex[h].tile] for h in range(37)]
        assert Counter(titles) == Counter(
            {b.tables.titles["tile"][k]: int(b.t.tile_copies[k]) for k in range(b.t.tiles)}
        )
        boards.append(titles)
    assert boards[0] == boards[2] and boards[1] != boards[3]
    assert [h for h in range(37) if boards[0][h] == 3] == sorted(b.t.map.special[:10])
    assert [h for h in range(37) if boards[0][h] == 1] == sorted(b.t.map.centre)
