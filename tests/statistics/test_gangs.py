"""Decks, hands, ties, decisions and seats of Marauders of the Great Wastelands against their exact laws, and planted
faults that are caught."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations, product
from math import comb, prod
from typing import Any

import numba
import numpy as np
import pytest
from scipy import stats

from experiments.pairs import members_seats
from experiments.sequences import SHARES, interval
from simcore.game import find_game, play_tally, seatings
from simcore.gangs import cards
from simcore.gangs.bots import decide
from simcore.gangs.play import write_outcome
from simcore.gangs.setup import set_up
from simcore.gangs.state import STATE
from simcore.kernels import blank
from simcore.streams import BOT, STREAM, at, root, word
from tests.reference import reference
from tests.statistics.judge import ALPHA, agree, fits, hypergeometric

GAME = find_game("gangs")
USUAL = {setting.name: setting.default for setting in GAME.settings}
REFERENCE = reference("gangs")
GANGS = tuple(REFERENCE.cards["gang"])
DEALS = 20_000


def tables_of(sets: Mapping[str, str] | None = None, **settings: int) -> Any:
    """Tables of the reference pack with values over it."""
    return GAME.load(reference("gangs", sets), {**USUAL, **settings})


def seats_of(tables: Any, *lineup: str, bot: str = "random", rotate: str = "none") -> Any:
    """The seatings of some gangs."""
    return seatings(GAME, tables, [*lineup, *[""] * (4 - len(lineup))], {"gang": bot}, rotate)


# ---------------------------------------------------------------- what is dealt


@numba.njit
def deal(t, seats, roots, games, opened, sites, market, hired, hands):
    """Set up games: what each finds as counts of types among the first territories, types in all, cards in the market,
    mercenaries in all, and cards in each hand."""
    memory, streams = np.zeros(1, STATE), np.zeros(1, STREAM)
    for game in range(games):
        s = memory[0]
        streams[0].game = word(roots, game)
        set_up(s, t, streams[0], None, seats)
        for place in s.place:
            if place.open == 1:
                opened[game, place.kind] += 1
                sites[game, place.kind] += 1
        for i in range(s.sites.left):
            sites[game, t.site[s.sites.deck[i]].kind] += 1
        for i in range(s.market):
            market[game, s.offer[i] - t.raiders] += 1
            hired[game, s.offer[i] - t.raiders] += 1
        for i in range(s.mercenaries.left):
            hired[game, s.mercenaries.deck[i] - t.raiders] += 1
        for g in range(s.players):
            for i in range(s.gang[g].hand):
                hands[game, g, s.gang[g].held[i]] += 1


@cache
def dealt(*lineup: str, **settings: int) -> tuple[Any, Any, Any, Any, Any, Any]:
    """(tables, opened, sites, market, hired, hands) of DEALS games."""
    tables = tables_of(**settings)
    t = tables.data
    shapes = (6,), (6,), (t.cards - t.raiders,), (t.cards - t.raiders,), (4, t.cards)
    counts = [np.zeros((DEALS, *shape), np.int64) for shape in shapes]
    deal(t, seats_of(tables, *lineup)[0], np.uint64(root(11, len(lineup))), DEALS, *counts)
    return tables, *counts


def more(stock: Sequence[int], place: int) -> list[int]:
    """A stock with a card more of one kind in the place of one of the next: a planted fault."""
    found = list(stock)
    found[place] += 1
    found[(place + 1) % len(found)] -= 1
    return found


@pytest.mark.rule("G12-01", "G12-04", "G4-02")
@pytest.mark.parametrize("players", cards.PLAYERS)
def test_types_of_the_first_territories_are_hypergeometric(players: int) -> None:
    _, opened, sites, *_ = dealt(*GANGS[:players])
    stock = [card.copies[-1] for card in REFERENCE.cards["territory"].values()]
    assert agree(opened, hypergeometric(stock, players + 1))
    assert agree(sites, hypergeometric(stock, 4 * (players + 1)))
    assert not agree(opened, hypergeometric(more(stock, 1), players + 1))


@pytest.mark.rule("G12-06")
@pytest.mark.parametrize("players", cards.PLAYERS)
def test_by_their_marks_territories_are_the_same_in_every_game(players: int) -> None:
    _, opened, sites, *_ = dealt(*GANGS[:players], advanced=1)
    stock = [card.copies[players - 2] for card in REFERENCE.cards["territory"].values()]
    assert (sites == stock).all()
    assert agree(opened, hypergeometric(stock, players + 1))
    assert not agree(opened, hypergeometric(more(stock, 1), players + 1))


@pytest.mark.rule("G12-08", "G12-02", "G4-02")
@pytest.mark.parametrize("players", cards.PLAYERS)
def test_each_mercenary_comes_to_the_market_as_often_as_he_should(players: int) -> None:
    _, _, _, market, hired, _ = dealt(*GANGS[:players])
    stock = [card.copies for card in REFERENCE.cards["mercenary"].values()]
    size = {2: 19, 3: 28, 4: 37}[players]
    for place, copies in enumerate(stock):
        law = stats.hypergeom(37, copies, 4).pmf(range(5))
        assert fits(np.bincount(market[:, place], minlength=5), law)
        assert not fits(np.bincount(market[:, place], minlength=5), stats.hypergeom(37, copies + 1, 4).pmf(range(5)))
        deck = stats.hypergeom(37, copies, size).pmf(range(5))
        assert fits(np.bincount(hired[:, place], minlength=5), deck)
    pairs = [market[:, a] * market[:, b] for a, b in combinations(range(1, len(stock)), 2)]
    wanted = 3 * 3 * 4 * 3 / (37 * 36)
    spread = np.std(pairs, axis=1) / np.sqrt(DEALS)
    assert (np.abs(np.mean(pairs, axis=1) - wanted) < stats.norm.isf(ALPHA / len(pairs)) * spread).all()


@pytest.mark.rule("G12-03", "G16-26")
@pytest.mark.parametrize("players", [2, 3])
def test_sets_of_the_advanced_deck_are_even_over_marks_and_chosen_evenly(players: int) -> None:
    tables, _, _, market, hired, _ = dealt(*GANGS[:players], advanced=1)
    marks = np.array([int(card.mark) for card in tables.data.card[tables.data.raiders : tables.data.cards]])
    each = {2: 2, 3: 3}[players]
    assert np.isin(hired[:, marks > 0], (0, 3)).all() and (hired[:, marks == 0] == 1).all()
    chosen = hired // 3
    codes = []
    for mark in (1, 2, 3):
        sets = chosen[:, marks == mark]
        assert (sets.sum(axis=1) == each).all()
        law = {take: 1 / comb(4, each) for take in product((0, 1), repeat=4) if sum(take) == each}
        assert agree(sets, law)
        assert not agree(sets[sets[:, 0] >= sets[:, 1]], law), "one set rather than another"
        codes.append(list(law).index)
    joint = chosen[:, marks == 1][:, 0] * 4 + chosen[:, marks == 2][:, 0] * 2 + chosen[:, marks == 3][:, 0]
    share = each / 4
    assert fits(np.bincount(joint, minlength=8), [prod(share if bit else 1 - share for bit in bits)
                                                  for bits in product((0, 1), repeat=3)])  # fmt: skip
    drawn = stats.hypergeom(9 * each + 1, 1, 4).pmf(range(2))
    assert fits(np.bincount(market[:, marks == 0].ravel(), minlength=2), drawn)


@pytest.mark.rule("G12-10", "G12-09")
@pytest.mark.parametrize("lineup", [GANGS[:3], GANGS[3:], (GANGS[4],) * 2])
def test_hands_of_four_are_uniform(lineup: tuple[str, ...]) -> None:
    tables, *_, hands = dealt(*lineup)
    t = tables.data
    for g, slug in enumerate(lineup):
        stock = t.card["copies"][: t.raiders].copy()
        np.subtract.at(stock, t.gang[GANGS.index(slug)].hot, 1)
        own = (t.card["gang"][: t.raiders] == GANGS.index(slug)) & (stock > 0)
        assert (hands[:, g].sum(axis=1) == 4).all() and (hands[:, g, : t.raiders][:, own].sum(axis=1) == 4).all()
        assert agree(hands[:, g, : t.raiders][:, own], hypergeometric(stock[own].tolist(), 4))
        assert not agree(hands[:, g, : t.raiders][:, own], hypergeometric(more(stock[own].tolist(), 0), 4))


def test_gangs_that_are_the_same_are_dealt_unrelated_hands() -> None:
    """A gang against itself: what one holds says nothing of what the other holds."""
    *_, hands = dealt(GANGS[4], GANGS[4])
    first, second = (hands[:, g][:, hands[:, 0].any(axis=0)] for g in (0, 1))
    same = np.corrcoef(first.T, second.T)[: first.shape[1], first.shape[1] :]
    assert (np.abs(same) < stats.norm.isf(ALPHA / same.size) / np.sqrt(DEALS)).all()
    planted = np.corrcoef(first.T, first.T)[: first.shape[1], first.shape[1] :]
    assert (np.abs(planted) > stats.norm.isf(ALPHA / same.size) / np.sqrt(DEALS)).any()


# ---------------------------------------------------------------- coins


@numba.njit
def toss(s, t, roots, games, hours, out, counts):
    """How often each seat has a tie by the coin, and (the last column) none or several have."""
    streams = np.zeros(1, STREAM)
    for game in range(games):
        streams[0].game = word(roots, game)
        s.hours = hours
        write_outcome(s, t, streams[0], out[0])
        won, last = 0, -1
        for seat in range(4):
            if out[0].seat[seat].share == 60:
                won, last = won + 1, seat
        counts[last if won == 1 else 4] += 1


def tossed(tied: tuple[int, ...], ties: str, games: int = 20_000) -> Any:
    """Counts of winners where these of four gangs are first."""
    tables = tables_of({"ruling.ties": f'"{ties}"'})
    s, counts = blank(STATE), np.zeros(5, np.int64)
    s.players = 4
    for seat in range(4):
        gang = s.gang[seat]
        gang.seat, gang.here, gang.points, gang.trophies = seat, 1, 40 if seat in tied else 39, 5
    toss(s, tables.data, np.uint64(root(3, 3)), games, 50, blank(GAME.outcome, 1), counts)
    return counts


@pytest.mark.rule("G15-06", "G4-25")
@pytest.mark.parametrize("tied", [(0, 1), (1, 3), (0, 2, 3), (0, 1, 2, 3)])
def test_a_tie_is_tossed_fairly(tied: tuple[int, ...]) -> None:
    chances = np.array([seat in tied for seat in range(5)]) / len(tied)
    assert fits(tossed(tied, "coin"), chances)
    assert not fits(tossed(tied, "shared"), chances)
    assert not fits(tossed(tied[:-1], "coin"), chances), "the last one never has it"


# ---------------------------------------------------------------- decisions


@numba.njit
def count_decisions(s, t, roots, games, hours, many, counts):
    """Two decisions in a row, and one of the next gang, by the places of what is picked."""
    streams = np.zeros(1, STREAM)
    for game in range(games):
        streams[0].game = word(roots, game)
        for hour in range(1, hours + 1):
            s.key, s.step = at(streams[0], BOT, hour), 0
            first = decide(s, t, streams[0], 0) - 7
            second = decide(s, t, streams[0], 0) - 7
            s.step -= 1
            other = decide(s, t, streams[0], 1) - 7
            counts[first, second, other] += 1


@pytest.mark.parametrize("many", [2, 3, 5, 9])
def test_random_gangs_choose_evenly_and_each_time_anew(many: int) -> None:
    s, counts = blank(STATE), np.zeros((many,) * 3, np.int64)
    s.options, s.option[:many] = many, range(7, 7 + many)
    count_decisions(s, tables_of().data, np.uint64(root(8, many)), 4_000, 25, many, counts)
    even = np.full(many**3, 1 / many**3)
    assert fits(counts, even)
    planted = counts.copy()
    planted[0] += planted[1] // 4
    assert not fits(planted, even), "the first one more often"
    same = np.zeros_like(counts)
    for first, second in np.ndindex(many, many):
        same[first, second, second] = counts[first, second].sum()
    assert not fits(same, even), "two gangs that share their words"


# ---------------------------------------------------------------- seats

MIRRORED = 4_800


def even(tables: Any, seats: Any, players: int) -> bool:
    """Whether each member of a lineup may have a fair share, at ALPHA over all lineups together."""
    games = MIRRORED // len(seats) * len(seats)
    tally = play_tally(GAME, tables, seats, root(2, players), 0, games)
    shares = np.take_along_axis(tally.shares, members_seats(seats)[..., None], axis=1).sum(axis=0)[:players]
    low, high = interval(shares, SHARES, ALPHA / 40)
    return bool((low <= 1 / players).all() and (high >= 1 / players).all())


def mirror(tables: Any, slug: str, players: int, rotate: str = "all") -> Any:
    """A gang against itself."""
    return seats_of(tables, *(slug,) * players, bot="regular", rotate=rotate)


@pytest.mark.parametrize(("players", "lineup"), [(2, GANGS), (3, GANGS[1:2]), (4, GANGS[4:5])])
def test_every_gang_against_itself_comes_out_even(players: int, lineup: tuple[str, ...]) -> None:
    tables = tables_of()
    assert [slug for slug in lineup if not even(tables, mirror(tables, slug, players), players)] == []


@pytest.mark.parametrize("players", cards.PLAYERS)
def test_a_weak_member_is_found_wherever_it_sits_and_a_weak_seat_is_made_up_for(players: int) -> None:
    tables = tables_of()
    seats, dull = mirror(tables, GANGS[0], players), tables.bots.index("random")
    member, chair, fixed = seats.copy(), seats.copy(), mirror(tables, GANGS[0], players, rotate="none")
    member["bot"][seats["member"] == 0] = dull
    chair["bot"][:, 0] = fixed["bot"][:, 0] = dull
    assert not even(tables, member, players)
    assert even(tables, chair, players)
    assert not even(tables, fixed, players)
