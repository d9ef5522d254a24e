"""The contract: seatings, what `play` refuses, and tallies that add up in any order."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest

from simcore.game import (
    BLOCK,
    GAMES,
    KINDS,
    LENGTHS,
    SHARE,
    STANDARD_ENDINGS,
    Column,
    Game,
    Role,
    Side,
    Tables,
    Tally,
    game_names,
    order_of,
    outcome_dtype,
    play,
    play_tally,
    seatings,
    seats_dtype,
)
from simcore.kernels import blank
from simcore.streams import bounded, root, word


@numba.njit(nogil=True)
def play_range(tables, seats, root, first, stop, out):
    """Three seats draw a number each; the highest wins, equal highest share."""
    for game in range(first, stop):
        row, o = seats[game % seats.shape[0]], out[game - first]
        best, winners = -1, 0
        for seat in range(3):
            score = bounded(word(word(root, game), row.role[seat]), 6) + tables[row.bot[seat]]
            o.seat[seat].role = row.role[seat]
            o.seat[seat].score = score
            o.seat[seat].luck = score * score
            if score > best:
                best, winners = score, 0
            winners += score == best
        o.ending, o.rounds, o.high = min(winners - 1, 1), 1, best
        for seat in range(3):
            won = o.seat[seat].score == best
            o.seat[seat].place = 1 if won else 2
            o.seat[seat].share = 60 // winners if won else 0


HIGH = Game(
    name="high",
    title="Highest number",
    sides=(Side("guest", "guest", 2), Side("house", "house", 1)),
    endings=STANDARD_ENDINGS,
    game_columns=(Column("high", "points", "the highest number"),),
    seat_columns=(Column("luck", "points", "the square of the score"),),
    settings=(),
    schema=None,
    load=lambda pack, settings: TABLES,
    play_range=play_range,
    tell=lambda tables, row, journal, outcome: [],
)
TABLES = Tables(
    data=np.array([0, 1], np.int64),
    roles={
        "guest": (Role("ann", "Ann"), Role("bob", "Bob"), Role("cid", "Cid")),
        "house": (Role("hut", "Hut"), Role("inn", "Inn")),
    },
    bots=("even", "lucky"),
)
ROOT = root(3, 4)
BOTS = {"guest": "even", "house": "lucky"}


def table(*lineup: str, rotate: str = "all") -> Any:
    return seatings(HIGH, TABLES, lineup or ("bob", "ann", "inn"), BOTS, rotate)


def test_sides_and_columns_follow_the_seats() -> None:
    assert HIGH.players == 3
    assert [HIGH.side_of(seat).key for seat in range(3)] == ["guest", "guest", "house"]
    with pytest.raises(ValueError, match="no such seat"):
        HIGH.side_of(3)
    names = [(seat, column.name) for seat, column in HIGH.columns()]
    assert names[:3] == [(None, "ending"), (None, "rounds"), (None, "high")]
    assert names[3:8] == [(0, name) for name in ("role", "place", "share", "score", "luck")]
    assert HIGH.outcome.itemsize == 8 * len(names)


def test_columns_are_the_memory_of_an_outcome() -> None:
    out = blank(HIGH.outcome, 1)
    out.view(np.int64)[:] = np.arange(len(HIGH.columns()))
    for place, (seat, column) in enumerate(HIGH.columns()):
        holder = out[0] if seat is None else out[0].seat[seat]
        assert holder[column.name] == place


def test_every_ending_has_a_kind() -> None:
    assert [ending.kind for ending in STANDARD_ENDINGS] == list(KINDS)


def test_all_orders_within_each_side() -> None:
    rows = table("cid", "ann", "inn")
    assert [row.role.tolist() for row in rows] == [[2, 0, 1], [0, 2, 1]]
    assert [row.bot.tolist() for row in rows] == [[0, 0, 1]] * 2


@pytest.mark.parametrize(("rotate", "many"), [("all", 24), ("cyclic", 4), ("none", 1)])
def test_rotations(rotate: str, many: int) -> None:
    four = SimpleNamespace(sides=(Side("guest", "guest", 4),), players=4)
    roles = {"guest": tuple(Role(name, name) for name in "abcd")}
    rows = seatings(four, Tables(None, roles, ("even",)), "cabd", {"guest": "even"}, rotate)  # type: ignore
    orders = [tuple(row.role) for row in rows]
    assert len(set(orders)) == len(orders) == many and orders[0] == (2, 0, 1, 3)
    assert set(orders) <= set(permutations(range(4)))
    if rotate == "cyclic":
        assert orders[1] == (0, 1, 3, 2)


@pytest.mark.parametrize(("rotate", "turned"), [("all", 6), ("cyclic", 3), ("none", 1)])
def test_empty_seats_come_after_those_that_turn(rotate: str, turned: int) -> None:
    crew = SimpleNamespace(sides=(Side("guest", "guest", 4, least=2),), players=4)
    tables = Tables(None, {"guest": tuple(Role(name, name) for name in "abcd")}, ("even",))
    rows = seatings(crew, tables, ("c", "a", "b", ""), {"guest": "even"}, rotate)  # type: ignore[arg-type]
    assert len({tuple(row.role) for row in rows}) == len(rows) == turned
    assert all(row.role[3] == -1 and row.member[3] == 3 and sorted(row.role[:3]) == [0, 1, 2] for row in rows)
    with pytest.raises(ValueError, match="1 of the guest sit down: at least 2 must"):
        seatings(crew, tables, ("c", "", "", ""), {"guest": "even"}, rotate)  # type: ignore[arg-type]


def test_a_game_of_several_sides_has_no_empty_seats_and_is_no_crew() -> None:
    for odd in ({"sides": (Side("guest", "guest", 2, least=1), Side("house", "house", 1))}, {"crew": True}):
        with pytest.raises(ValueError, match="it is no crew, and none of its seats may stay empty"):
            replace(HIGH, **odd)  # type: ignore[arg-type]


def test_empty_seats_are_played_only_where_they_may_be() -> None:
    seats = table()
    seats["role"][:, 1] = -1
    with pytest.raises(ValueError, match="a role that the pack doesn't have"):
        play(HIGH, TABLES, seats, ROOT, 0, 2)


@pytest.mark.parametrize(
    ("lineup", "bots", "rotate"),
    [
        (("zed", "ann", "inn"), BOTS, "all"),
        (("bob", "ann", "inn"), {"guest": "clever", "house": "even"}, "all"),
        (("bob", "ann", "inn"), BOTS, "some"),
        (("bob", "", "inn"), BOTS, "all"),
    ],
)
def test_seatings_refuse_what_is_not_there(lineup: tuple[str, ...], bots: dict[str, str], rotate: str) -> None:
    with pytest.raises(ValueError, match=r"not in|rotate is"):
        seatings(HIGH, TABLES, lineup, bots, rotate)


def test_a_game_is_the_same_alone_and_among_others() -> None:
    rows = play(HIGH, TABLES, table(), ROOT, 0, 50)
    for game in (0, 1, 17, 49):
        assert play(HIGH, TABLES, table(), ROOT, game, game + 1).tobytes() == rows[game : game + 1].tobytes()


def test_play_fills_what_it_is_given_and_no_more() -> None:
    out = blank(HIGH.outcome, 9)
    filled = play(HIGH, TABLES, table(), ROOT, 5, 9, out)
    assert len(filled) == 4 and filled.base is not None and (filled["seat"]["share"].sum(axis=1) == 60).all()
    assert not out[4:].tobytes().strip(b"\0")


def wrong_seats(name: str) -> Any:
    seats = table()
    change = {
        "role below": lambda: seats[1].role.__setitem__(0, -1),
        "role of another side": lambda: seats[0].role.__setitem__(2, 2),
        "role above": lambda: seats[0].role.__setitem__(0, 3),
        "bot below": lambda: seats[1].bot.__setitem__(2, -1),
        "bot above": lambda: seats[1].bot.__setitem__(2, 2),
        "first below": lambda: seats[1].__setattr__("first", -1),
        "first above": lambda: seats[1].__setattr__("first", 3),
    }
    change[name]()
    return seats


@pytest.mark.parametrize(
    "name",
    [
        "role below",
        "role of another side",
        "role above",
        "bot below",
        "bot above",
        "first below",
        "first above",
    ],
)
def test_play_refuses_a_wrong_seating(name: str) -> None:
    with pytest.raises(ValueError, match="a seating names"):
        play(HIGH, TABLES, wrong_seats(name), ROOT, 0, 4)


@pytest.mark.parametrize("seats", [blank(seats_dtype(2), 1), blank(seats_dtype(3), (1, 1)), table()[:0]])
def test_play_refuses_seats_of_another_shape(seats: Any) -> None:
    with pytest.raises(ValueError, match="1-D array of seatings of 3"):
        play(HIGH, TABLES, seats, ROOT, 0, 4)


@pytest.mark.parametrize(("first", "stop"), [(-1, 4), (4, 4), (5, 4), (0, 2**62), (2**63, 2**63 + 1)])
def test_play_refuses_a_wrong_range(first: int, stop: int) -> None:
    with pytest.raises(ValueError, match="no range of games"):
        play(HIGH, TABLES, table(), ROOT, first, stop, blank(HIGH.outcome, 4))


@pytest.mark.parametrize(
    "out",
    [
        blank(HIGH.outcome, 3),
        blank(outcome_dtype((), (), 3), 4),
        blank(HIGH.outcome, (2, 2)),
        blank(HIGH.outcome, 8)[::2],
        np.zeros(400, np.int64),
    ],
    ids=["short", "another game", "square", "with gaps", "no records"],
)
def test_play_refuses_a_wrong_out(out: Any) -> None:
    with pytest.raises(ValueError, match="out must be"):
        play(HIGH, TABLES, table(), ROOT, 0, 4, out)


def slow_tally(first: int, stop: int) -> Tally:
    """A tally counted in Python, one game after another."""
    tally, seats = Tally.empty(HIGH, 2), table()
    for game, one in enumerate(play(HIGH, TABLES, seats, ROOT, first, stop), start=first):
        row = game % 2
        tally.games[row] += 1
        tally.endings[row, one.ending] += 1
        places = [0, 0, 0]
        for seat, member in enumerate(seats[row].member):
            tally.shares[row, seat, one.seat[seat].share] += 1
            tally.gains[one.ending, member] += one.seat[seat].share
            places[member] = one.seat[seat].place
        tally.orders[[order_of(code, 3) for code in range(27)].index(tuple(places))] += 1
        tally.lengths[min(one.rounds, LENGTHS - 1)] += 1
        for place, (seat, column) in enumerate(HIGH.columns()):
            value = int((one if seat is None else one.seat[seat])[column.name])
            tally.total[row, place] += value
            tally.square[row, place] += value**2
    return tally


@pytest.mark.parametrize(("first", "stop"), [(0, 1), (3, 200), (7, 2 * BLOCK + 10)])
def test_a_tally_counts_every_game(first: int, stop: int) -> None:
    tally = play_tally(HIGH, TABLES, table(), ROOT, first, stop)
    assert tally.to_bytes() == slow_tally(first, stop).to_bytes()
    assert tally.games.sum() == stop - first
    assert (tally.shares.sum(axis=2) == tally.games[:, None]).all()
    assert (tally.endings.sum(axis=1) == tally.games).all()
    assert tally.orders.sum() == tally.lengths.sum() == stop - first
    assert tally.gains.sum() == SHARE * (stop - first)


def test_orders_are_told_by_member_and_not_by_seat() -> None:
    assert [order_of(code, 2) for code in range(4)] == [(1, 1), (2, 1), (1, 2), (2, 2)]
    seats = table()
    one, two = (play_tally(HIGH, TABLES, seats[k : k + 1], ROOT, 0, 500) for k in range(2))
    assert seats[0].member.tolist() != seats[1].member.tolist()
    assert one.orders.tolist() == two.orders.tolist() and one.gains.tolist() == two.gains.tolist()
    assert one.total.tolist() != two.total.tolist()


def test_a_member_that_is_not_there_is_refused() -> None:
    seats = table()
    seats[0].member[1] = 3
    with pytest.raises(ValueError, match="member"):
        play(HIGH, TABLES, seats, ROOT, 0, 4)


def test_tallies_add_up_in_any_order() -> None:
    whole = play_tally(HIGH, TABLES, table(), ROOT, 0, 60).to_bytes()
    parts = [play_tally(HIGH, TABLES, table(), ROOT, a, b) for a, b in ((0, 7), (7, 8), (8, 60))]
    for order in permutations(parts):
        merged = Tally.empty(HIGH, 2)
        for part in order:
            merged.add(part)
        assert merged.to_bytes() == whole


def test_a_tally_comes_back_from_its_bytes_and_can_be_added_to() -> None:
    tally = play_tally(HIGH, TABLES, table(), ROOT, 0, 30)
    again = Tally.from_bytes(HIGH, 2, tally.to_bytes())
    assert all((a == b).all() and a.dtype == np.int64 for a, b in zip(tally.arrays(), again.arrays(), strict=True))
    assert [array.shape for array in again.arrays()] == Tally.shapes(HIGH, 2)
    again.add(tally)
    assert again.games.sum() == 60


@pytest.mark.parametrize("change", [lambda b: b[:-8], lambda b: b + bytes(8), lambda b: b[:-1], lambda b: b""])
def test_a_tally_of_another_length_is_refused(change: Any) -> None:
    blob = play_tally(HIGH, TABLES, table(), ROOT, 0, 4).to_bytes()
    with pytest.raises(ValueError):
        Tally.from_bytes(HIGH, 2, change(blob))
    with pytest.raises(ValueError, match="numbers, not"):
        Tally.from_bytes(HIGH, 3, blob)


def test_a_share_is_cut_evenly_for_up_to_six() -> None:
    assert all(SHARE % players == 0 for players in range(1, 7))


def test_games_are_found_by_their_names() -> None:
    assert game_names() == list(GAMES) and len(set(GAMES)) == len(GAMES)
