"""Lineups: balanced sets are counted here a second time, and small ones compared with all sets that there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments import lineups as room
from experiments.lineups import Balanced, Bench, Dealt, Meetings, balanced, deal
from simcore.kernels import plain
from simcore.packs import Mistakes

KNIGHTS = Bench("knights", tuple("abcdefgh"), 2)
CREW = Bench("crew", tuple("pqrstu"), 3)
ENEMIES = Bench("enemies", ("x", "y"), 1)


def meetings_of(roles: int, lineups: Iterable[tuple[int, ...]]) -> list[int]:
    """How often each two roles meet, counted one by one."""
    met = Counter(pair for lineup in lineups for pair in combinations(sorted(lineup), 2))
    return [met[pair] for pair in combinations(range(roles), 2)]


def spread(roles: int, lineups: Iterable[tuple[int, ...]]) -> int:
    met = meetings_of(roles, lineups)
    return max(met) - min(met)


def check(found: Balanced, roles: int, seats: int) -> None:
    """What is said of a set is so, and it is a set of lineups."""
    sat = Counter(role for lineup in found.lineups for role in lineup)
    met = meetings_of(roles, found.lineups)
    assert found.meetings == (min(met), max(met))
    assert found.appearances == (min(sat[role] for role in range(roles)), max(sat.values()))
    assert len(set(found.lineups)) == len(found.lineups)
    assert all(list(one) == sorted(set(one)) and len(one) == seats for one in found.lineups)
    assert all(0 <= role < roles for role in sat)
    assert found.even == (max(met) - min(met) <= 1)


# ---------------------------------------------------------------- balanced sets


@pytest.mark.parametrize(("seats", "lineups"), [(2, 78), (3, 26), (4, 13)])
def test_thirteen_roles_meet_exactly_once(seats: int, lineups: int) -> None:
    for seed in range(3):
        found = balanced(13, seats, None, seed)
        check(found, 13, seats)
        assert len(found.lineups) == lineups and set(meetings_of(13, found.lineups)) == {1}


@pytest.mark.parametrize(
    ("roles", "seats"),
    [(7, 3), (9, 3), (15, 3), (31, 3), (16, 4), (25, 4), (28, 4), (40, 4), (21, 5), (25, 5), (41, 5)],
)
def test_designs_that_exist_are_found(roles: int, seats: int) -> None:
    found = balanced(roles, seats, None, 1)
    check(found, roles, seats)
    assert len(found.lineups) * comb(seats, 2) == comb(roles, 2) and set(meetings_of(roles, found.lineups)) == {1}


@given(st.integers(2, 12), st.integers(2, 5), st.integers(0, 2**63 - 1))
@settings(max_examples=25, deadline=None)
def test_without_a_number_as_few_as_let_all_meet_and_sit_equally_often(roles: int, seats: int, seed: int) -> None:
    seats = min(roles, seats)
    found = balanced(roles, seats, None, seed)
    check(found, roles, seats)
    assert found.even and found.meetings[0] >= 1
    assert found.appearances[0] == found.appearances[1]
    fewer = [many for many in range(1, len(found.lineups)) if many * seats % roles == 0]
    often = [many for many in fewer if many * comb(seats, 2) >= comb(roles, 2)]
    assert not any(room._possible(roles, seats, many) and balanced(roles, seats, many, 1).even for many in often)


@given(st.integers(1, 14), st.integers(1, 4), st.data())
@settings(max_examples=60, deadline=None)
def test_meetings_differ_by_one_unless_counting_forbids_it(roles: int, seats: int, data: st.DataObject) -> None:
    seats = min(roles, seats)
    many = data.draw(st.integers(1, min(comb(roles, seats), 200)))
    found = balanced(roles, seats, many, data.draw(st.integers(0, 99)))
    assert len(found.lineups) == many
    if roles > 1:
        check(found, roles, seats)
    assert found.proven and (found.even == room._possible(roles, seats, many))
    assert found.even or found.unevenness[0] == 2


@pytest.mark.parametrize(("roles", "seats"), [(4, 2), (4, 3), (5, 2), (5, 3), (5, 4), (6, 2), (6, 4), (6, 5)])
def test_no_set_of_all_sets_is_more_even(roles: int, seats: int) -> None:
    all_lineups = list(combinations(range(roles), seats))
    pairs = list(combinations(range(roles), 2))
    there = np.array([[set(pair) <= set(lineup) for pair in pairs] for lineup in all_lineups], np.int64)
    choices = np.array(list(product((0, 1), repeat=len(all_lineups))), np.int64)
    spreads = np.ptp(choices @ there, axis=1)
    for many in range(1, len(all_lineups) + 1):
        best = int(spreads[choices.sum(axis=1) == many].min())
        found = balanced(roles, seats, many, many)
        assert found.unevenness[0] == best and found.proven
        assert room._possible(roles, seats, many) == (best <= 1)


@pytest.mark.parametrize("case", [(40, 4, 125), (21, 5, 86), (17, 5, 137), (24, 4, 137), (36, 3, 200), (40, 5, 5000)])
def test_numbers_near_a_design_and_large_ones(case: tuple[int, int, int]) -> None:
    roles, seats, many = case
    found = balanced(roles, seats, many, 1)
    check(found, roles, seats)
    assert found.even and len(found.lineups) == many


def test_the_same_seed_gives_the_same_set_and_another_one_another() -> None:
    assert balanced(13, 4, None, 5) == balanced(13, 4, None, 5)
    assert len({balanced(13, 4, None, seed).lineups for seed in range(5)}) == 5
    assert balanced(11, 3, 20, 5) == balanced(11, 3, 20, 5) != balanced(11, 3, 20, 6)


@pytest.mark.parametrize(("roles", "seats", "many"), [(3, 4, None), (3, 0, None), (4, 2, 0), (4, 2, 7), (0, 1, 1)])
def test_numbers_out_of_range(roles: int, seats: int, many: int | None) -> None:
    with pytest.raises(ValueError, match="lineups of"):
        balanced(roles, seats, many, 1)


def test_words_say_what_was_found() -> None:
    assert str(balanced(13, 4, None, 1)) == "13 lineups of 4 among 13: any two meet 1 time, each sits at 4 tables"
    assert str(balanced(8, 3, 11, 1)).endswith("any two meet 1 or 2 times, each sits at 4 or 5 tables")
    assert str(balanced(6, 3, 5, 1)).endswith("2 or 3 tables (no set of as many lineups is more even)")
    unproven = Balanced(6, 3, (), (0, 3), (1, 1), False)
    assert str(unproven).endswith("any two meet 0 to 3 times, each sits at 1 table (a more even set was not found)")
    assert str(balanced(2, 2, None, 1)).startswith("1 lineup of 2 among 2: any two meet 1 time")


@pytest.mark.parametrize(
    ("roles", "circles"), [(6, (1, 3)), (7, (1, 3)), (8, (1, 4)), (9, (3, 3)), (10, (3, 3)), (5, (1, 1))]
)
def test_moves_up_are_a_group_and_pairs_that_turn_into_one_another_have_one_number(
    roles: int, circles: tuple[int, int]
) -> None:
    turned = room._turned(roles, *circles)
    moves = {tuple(turn) for turn in turned.tolist()}
    assert len(moves) == len(turned) == circles[0] * circles[1]
    assert {tuple(one[other] for other in two) for one in moves for two in moves} == moves
    pairs, gain = room._pairs(turned)
    for turn in turned:
        assert (pairs[np.ix_(turn, turn)] == pairs).all()
    assert (pairs == pairs.T).all()
    for number, many in enumerate(np.bincount(pairs.ravel())):
        alone = number in pairs.diagonal()
        assert gain[number] * (many if alone else many // 2) == len(turned)


@pytest.mark.parametrize("circles", [(1, 1), (1, 3)])
def test_the_search_keeps_its_books(circles: tuple[int, int]) -> None:
    """Uncompiled: the energy and the counts that the moves leave are those of the lineups."""
    turned = room._turned(7, *circles)
    pairs, gain = room._pairs(turned)
    met, blocks = np.full(len(gain), -1, np.int64), np.zeros((4, 3), np.int64)
    left = plain(room.anneal)(blocks, turned, pairs, gain, met, room._hurdles(), 200, 7)
    fresh = np.full(len(gain), -1, np.int64)
    for lineup in blocks:
        for i, j in combinations(range(3), 2):
            fresh[pairs[lineup[i], lineup[j]]] += gain[pairs[lineup[i], lineup[j]]]
        for role in lineup:
            fresh[pairs[role, role]] += gain[pairs[role, role]]
    assert (fresh == met).all() and left == (met * (met - 1) // 2).sum()
    compiled = np.zeros((4, 3), np.int64)
    again = np.full(len(gain), -1, np.int64)
    room.anneal(compiled, turned, pairs, gain, again, room._hurdles(), 200, np.uint64(7))
    assert (compiled == blocks).all() and (again == met).all()


def test_where_no_lineups_can_be_seated_apart_the_search_says_so() -> None:
    turned = room._turned(3, 1, 3)
    pairs, gain = room._pairs(turned)
    blocks, met = np.zeros((2, 2), np.int64), np.zeros(len(gain), np.int64)
    assert room.anneal(blocks, turned, pairs, gain, met, room._hurdles(), 10, np.uint64(1)) == 2**62


# ---------------------------------------------------------------- what a config asks for


def dealt(*benches: Bench, ordered: bool = False, ring: bool = False, **keys: Any) -> Dealt:
    return deal(Meetings(**keys), benches, 1, ordered, ring)


def wrong(*benches: Bench, **keys: Any) -> list[str]:
    with pytest.raises(Mistakes) as found:
        dealt(*benches, **keys)
    return [str(mistake) for mistake in found.value.mistakes]


def test_all_lineups_of_each_side_meet_all_of_the_others() -> None:
    found = dealt(CREW, ENEMIES)
    expected = [(*crew, enemy) for crew in combinations(CREW.slugs, 3) for enemy in ENEMIES.slugs]
    assert list(found.lineups) == expected and found.notes == ()


@pytest.mark.parametrize("how", ["pairs", "random"])
def test_balanced_lineups_of_a_side_meet_all_of_a_side_with_one_seat(how: str) -> None:
    found = dealt(CREW, ENEMIES, how=how)
    crews = {lineup[:3] for lineup in found.lineups}
    assert set(found.lineups) == {(*crew, enemy) for crew in crews for enemy in ENEMIES.slugs}
    assert len(found.lineups) == 2 * len(crews)
    assert spread(6, [tuple(CREW.slugs.index(slug) for slug in crew) for crew in crews]) <= 1
    assert found.notes == (f"crew: {balanced(6, 3, None, 1)}",)


def test_random_takes_as_many_as_are_asked_for() -> None:
    found = dealt(KNIGHTS, how="random", many=11)
    assert len(set(found.lineups)) == 11 and found.notes[0].startswith("knights: 11 lineups of 2 among 8")


def test_mirrors_come_last_one_for_each_role() -> None:
    found = dealt(KNIGHTS, mirror=True)
    assert found.lineups[:28] == tuple(combinations(KNIGHTS.slugs, 2))
    assert found.lineups[28:] == tuple((slug, slug) for slug in KNIGHTS.slugs)
    both = dealt(CREW, ENEMIES, how="pairs", mirror=True)
    assert {lineup[:3] for lineup in both.lineups if len(set(lineup[:3])) < 3} == {(slug,) * 3 for slug in CREW.slugs}
    alone = Bench("knights", ("a",), 2)
    assert dealt(alone, mirror=True).lineups == dealt(alone, mirror=True, how="random").lineups == (("a", "a"),)


def test_fixed_lineups_are_put_in_order_unless_the_order_means_something() -> None:
    lineups = (("b", "a", "y"), ("c", "a", "x"))
    found = dealt(KNIGHTS, ENEMIES, how="fixed", fixed=lineups)
    assert found == Dealt((("a", "b", "y"), ("a", "c", "x")), ())
    assert dealt(KNIGHTS, ENEMIES, how="fixed", fixed=lineups, ordered=True).lineups == lineups
    back_and_forth = (("a", "b"), ("b", "a"))
    assert dealt(KNIGHTS, how="fixed", fixed=back_and_forth, ordered=True).lineups == back_and_forth


def test_a_ring_begins_with_the_first_of_its_bench_and_keeps_its_order() -> None:
    found = dealt(BOAT, how="fixed", fixed=(("r", "p", "q"), ("r", "q", "p")), ring=True)
    assert found.lineups == (("p", "q", "r", ""), ("p", "r", "q", ""))
    with pytest.raises(Mistakes, match=r"is the same as fixed\.0"):
        dealt(BOAT, how="fixed", fixed=(("r", "p", "q"), ("q", "r", "p")), ring=True)
    mirrored = dealt(BOAT, how="fixed", fixed=(("q", "p", "q", "p"),), ring=True, mirror=True)
    assert mirrored.lineups == (("p", "q", "p", "q"),)
    assert dealt(KNIGHTS, how="fixed", fixed=(("a", "a"),), mirror=True).lineups == (("a", "a"),)


def test_all_mistakes_of_fixed_lineups_are_told_at_once() -> None:
    lines = wrong(KNIGHTS, ENEMIES, how="fixed", many=3, fixed=(("a", "a", "x"), ("aa", "b", "z"), ("a", "b")))
    assert lines == [
        'lineup.many goes with how = "random", not "fixed"',
        'lineup.fixed.0 names "a" 2 times; allowed: each role once, or mirror = true',
        'lineup.fixed.1 "aa" is none of the knights that may sit there; allowed: a, b, c, d, e, f, g, h; '
        "did you mean a?",
        'lineup.fixed.1 "z" is none of the enemies that may sit there; allowed: x, y',
        "lineup.fixed.2 names 2 role(s); allowed: 3, one for each seat (2 of knights, 1 of enemies)",
    ]
    assert wrong(KNIGHTS, how="fixed", fixed=(("a", "b"), ("b", "a"))) == [
        "lineup.fixed.1 is the same as fixed.0: a, b; allowed: each lineup once"
    ]
    assert wrong(KNIGHTS, how="fixed")[0].startswith("lineup.fixed is empty")


def test_numbers_that_dont_fit_are_told() -> None:
    assert wrong(KNIGHTS, how="random", many=29) == [
        "lineup.many is 29, but 8 knights make 28 lineups of 2; allowed: at most 28"
    ]
    assert wrong(KNIGHTS, how="all", fixed=(("a", "b"),)) == ['lineup.fixed goes with how = "fixed", not "all"']
    assert wrong(ENEMIES, how="pairs") == ["lineup.how needs a side of two seats or more; here each side has one"]
    assert wrong(ENEMIES, mirror=True) == ["lineup.mirror needs a side of two seats or more; here each side has one"]
    assert wrong(Bench("knights", ("a",), 2)) == [
        "lineup.knights has 1 role(s); allowed: at least 2, one for each seat"
    ]
    crowd = Bench("knights", tuple(str(role) for role in range(60)), 4)
    assert wrong(crowd)[0].startswith("lineup makes 487,635 lineups; allowed: at most 100,000")
    assert len(dealt(crowd, how="random", many=300).lineups) == 300


# ---------------------------------------------------------------- seats that may stay empty


BOAT = Bench("crew", tuple("pqrstu"), 4, least=2)


def test_each_size_has_all_its_lineups_and_empty_seats_after_them() -> None:
    found = dealt(BOAT, size=(2, 4)).lineups
    assert [one[:2] for one in found if one[2] == ""] == list(combinations(BOAT.slugs, 2))
    assert [one for one in found if one[2]] == list(combinations(BOAT.slugs, 4))
    assert {len(one) for one in found} == {4}
    assert dealt(BOAT).lineups == dealt(BOAT, size=(4,)).lineups == tuple(combinations(BOAT.slugs, 4))


def test_balanced_lineups_and_mirrors_are_dealt_size_by_size() -> None:
    found = dealt(BOAT, how="random", many=5, size=(2, 3), mirror=True)
    sizes = Counter(sum(map(bool, one)) for one in found.lineups)
    assert sizes == {2: 5 + 6, 3: 5 + 6} and len(found.notes) == 2
    assert ("p", "p", "p", "") in found.lineups and ("p", "p", "", "") in found.lineups


def test_fixed_lineups_may_be_shorter_than_the_table() -> None:
    found = dealt(BOAT, how="fixed", fixed=[("r", "p"), ("u", "t", "s", "p")])
    assert found.lineups == (("p", "r", "", ""), ("p", "s", "t", "u"))
    assert wrong(BOAT, how="fixed", fixed=[("p",), ("r", "p"), ("p", "r"), ("p", "")]) == [
        "lineup.fixed.0 names 1 role(s); allowed: 2 to 4 of crew",
        'lineup.fixed.3 "" is none of the crew that may sit there; allowed: p, q, r, s, t, u',
    ]


def test_all_that_is_wrong_with_sizes_is_told() -> None:
    assert wrong(BOAT, size=(1, 3, 3, 5)) == [
        "lineup.size has 1; allowed: 2 to 4 of the crew",
        "lineup.size has 3 2 times; allowed: each number once",
        "lineup.size has 5; allowed: 2 to 4 of the crew",
    ]
    assert wrong(KNIGHTS, ENEMIES, size=(2,)) == [
        "lineup.size is given, but no seat of this game may stay empty; allowed: nothing: 2 of knights, 1 of enemies"
    ]
    assert wrong(BOAT, how="fixed", fixed=[("p", "q")], size=(2,)) == [
        'lineup.size stands beside how = "fixed", where each lineup has its own; allowed: one of the two'
    ]
