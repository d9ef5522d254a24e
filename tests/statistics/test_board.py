"""Tiles, hands, the wasteland deck, seats and bots of the whole board of Waste Knights against their exact laws."""

from __future__ import annotations

from functools import cache
from typing import Any

import numba
import numpy as np
import pytest
from scipy import stats

from experiments.pairs import members_seats
from experiments.sequences import SHARES, interval
from simcore.game import SHARE, find_game, play_tally, seatings
from simcore.kernels import blank, row_of
from simcore.knights.board_setup import set_up
from simcore.knights.board_state import EVENT_AT, STATE
from simcore.knights.board_tables import HEXES
from simcore.piles import take_top
from simcore.streams import STREAM, root, word
from tests.reference import reference
from tests.statistics.judge import ALPHA, fits

GAME = find_game("knights.board")
PACK = reference("knights.board")
KNIGHTS = tuple(PACK.cards["knight"])
DEALS, MIRRORED, MATCHED = 6_000, 960, 600


@cache
def tables() -> Any:
    """Tables of the reference pack."""
    return GAME.load(PACK, {setting.name: setting.default for setting in GAME.settings})


def seats_of(*lineup: str, bot: str = "regular", rotate: str = "all") -> Any:
    """The seatings of some knights."""
    return seatings(GAME, tables(), [*lineup, *[""] * (4 - len(lineup))], {"knight": bot}, rotate)


# ---------------------------------------------------------------- what is dealt


@numba.njit
def deal(rows, memory, streams, seats, roots, games, tiles, hands, first):
    """Set up games: the tile of each hex, copies of the first luck card in each hand, the first wasteland card."""
    s, t = memory[0], rows[0]
    for game in range(games):
        streams[0].game = word(roots, game)
        set_up(s, t, streams[0], None, seats)
        for h in range(HEXES):
            tiles[h, s.hex[h].tile] += 1
        for p in range(s.players):
            copies = 0
            for i in range(s.player[p].lucks):
                copies += int(s.player[p].luck[i] == 0)
            hands[p, copies] += 1
        first[take_top(s.cards)] += 1


@cache
def dealt() -> tuple[Any, Any, Any]:
    """Counts of many deals to four knights."""
    tiles, hands = np.zeros((HEXES, len(PACK.cards["tile"])), np.int64), np.zeros((4, 8), np.int64)
    first = np.zeros(EVENT_AT + len(PACK.cards["event"]), np.int64)
    seats = seats_of(*KNIGHTS[:4], bot="random", rotate="none")[0]
    memory, streams = blank(STATE, 1), blank(STREAM, 1)
    deal(row_of(tables().data), memory, streams, seats, np.uint64(root(11, 4)), DEALS, tiles, hands, first)
    return tiles, hands, first


@pytest.mark.parametrize("role", ["normal", "special", "central"])
def test_a_tile_may_lie_on_each_place_of_its_role(role: str) -> None:
    copies = np.array([tile.copies * (tile.role == role) for tile in PACK.cards["tile"].values()])
    (board,) = PACK.cards["board"].values()
    places = {"special": board.specials, "central": board.centre}
    taken = {*board.cities, *board.specials, *board.centre}
    for h in places.get(role, [h for h in range(HEXES) if h not in taken]):
        counts = dealt()[0][h]
        assert fits(counts, copies / copies.sum())
        planted = counts + (np.arange(len(counts)) == np.argmax(copies)) * DEALS // 5
        assert not fits(planted, copies / copies.sum()), "one tile too often"


def test_hands_of_luck_cards_are_hypergeometric() -> None:
    cards = list(PACK.cards["luck"].values())
    (board,) = PACK.cards["board"].values()
    law = stats.hypergeom(sum(card.copies for card in cards), cards[0].copies, board.luck_start).pmf(np.arange(8))
    assert all(fits(counts, law) for counts in dealt()[1])
    more = stats.hypergeom(sum(card.copies for card in cards), cards[0].copies + 1, board.luck_start).pmf(np.arange(8))
    assert not fits(dealt()[1].sum(axis=0), more), "a copy more"


def test_each_wasteland_card_may_be_the_first() -> None:
    copies = np.zeros(EVENT_AT + len(PACK.cards["event"]))
    copies[: len(PACK.cards["enemy"])] = 1
    copies[EVENT_AT:] = [event.copies for event in PACK.cards["event"].values()]
    assert fits(dealt()[2], copies / copies.sum())
    copies[0] = 3
    assert not fits(dealt()[2], copies / copies.sum()), "one of them thrice"


# ---------------------------------------------------------------- seats


def even(seats: Any, players: int) -> bool:
    """Whether each member of a lineup may have a fair share, at ALPHA."""
    games = MIRRORED // len(seats) * len(seats)
    tally = play_tally(GAME, tables(), seats, root(2, players), 0, games)
    shares = np.take_along_axis(tally.shares, members_seats(seats)[..., None], axis=1).sum(axis=0)[:players]
    low, high = interval(shares, SHARES, ALPHA / 10)
    return bool((low <= 1 / players).all() and (high >= 1 / players).all())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_knight_against_himself_comes_out_even(players: int) -> None:
    seats = seats_of(*KNIGHTS[:1] * players)
    assert even(seats, players)
    seats["bot"][seats["member"] == 0] = tables().bots.index("random")
    assert not even(seats, players), "one who plays at random"


# ---------------------------------------------------------------- bots


def share_of(bot: str, players: int) -> float:
    """What a bot takes of the fair share, over several lineups, against `regular` in every other seat."""
    found = []
    for k in range(4):
        lineup = [KNIGHTS[(3 * k + i) % len(KNIGHTS)] for i in range(players)]
        seats = seats_of(*lineup)
        many = MATCHED // 4 // len(seats) * len(seats)
        for member in range(players):
            rows = seats.copy()
            rows["bot"][rows["member"] == member] = tables().bots.index(bot)
            out = np.zeros(many, GAME.outcome)
            GAME.play_range(tables().data, rows, np.uint64(root(5, k)), 0, many, out)
            mine = rows["member"][np.arange(many) % len(rows)] == member
            found.append(out["seat"]["share"][mine].mean() * players / SHARE)
    return float(np.mean(found))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_strong_beats_regular_and_random_loses(players: int) -> None:
    """The seed is fixed, so that this is a measurement and no gamble."""
    assert share_of("strong", players) >= 1.25
    assert share_of("random", players) <= 0.6
    assert 0.9 < share_of("regular", players) < 1.1
