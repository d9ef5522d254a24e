"""Decks: their order hangs on the cards, renewing comes at once, and what doesn't fit is counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simcore.kernels import blank
from simcore.piles import (
    NO_CARD,
    discard_card,
    draw_card,
    find_card,
    open_pile,
    pile_dtype,
    put_at_bottom,
    put_on_top,
    renew,
    shuffle_pile,
    take_card,
    take_discard,
    take_top,
)
from tests.statistics.judge import fits

CAPACITY = 12


def opened(*cards: int, key: int = 5) -> Any:
    """An unshuffled deck, the last card on top."""
    pile = blank(pile_dtype(CAPACITY))
    open_pile(pile, np.array(cards, np.int64), len(cards), np.uint64(key))
    return pile


def shuffled(*cards: int, key: int = 5) -> list[int]:
    """The order of a shuffled deck."""
    pile = opened(*cards, key=key)
    shuffle_pile(pile)
    return deck(pile)


def deck(pile: Any) -> list[int]:
    return [int(card) for card in pile.deck[: pile.left]]


def discards(pile: Any) -> list[int]:
    return [int(card) for card in pile.discards[: pile.discarded]]


def test_a_deck_holds_something() -> None:
    with pytest.raises(ValueError, match="at most 0 cards"):
        pile_dtype(0)


def test_the_last_card_is_on_top() -> None:
    pile = opened(4, 5, 6)
    put_on_top(pile, 7)
    put_at_bottom(pile, 3)
    assert deck(pile) == [3, 4, 5, 6, 7]
    assert [take_top(pile) for _ in range(6)] == [7, 6, 5, 4, 3, NO_CARD]


def test_opening_forgets_everything() -> None:
    pile = opened(*range(CAPACITY))
    put_on_top(pile, 1)
    discard_card(pile, draw_card(pile))
    shuffle_pile(pile)
    open_pile(pile, np.array([8, 9], np.int64), 1, np.uint64(6))
    assert deck(pile) == [8] and discards(pile) == []
    assert (pile.key, pile.shuffles, pile.overflow) == (6, 0, 0)


def test_the_order_hangs_on_cards_and_key_not_on_places() -> None:
    assert shuffled(1, 2, 3, 4, 5, 6) == shuffled(6, 1, 5, 2, 4, 3)
    assert len({tuple(shuffled(1, 2, 3, 4, 5, 6, key=key)) for key in range(20)}) > 15


@pytest.mark.parametrize("extra", range(7, 30))
def test_a_further_card_leaves_the_others_in_their_order(extra: int) -> None:
    more = shuffled(1, 2, 3, extra, 4, 5, 6)
    more.remove(extra)
    assert more == shuffled(1, 2, 3, 4, 5, 6)


def test_a_further_copy_leaves_the_others_in_their_order() -> None:
    few, more = shuffled(1, 2, 2, 3, 4), shuffled(2, 1, 2, 3, 2, 4)
    shorter = [more[:i] + more[i + 1 :] for i in range(len(more)) if more[i] == 2]
    assert few in shorter


def test_each_shuffle_has_an_order_of_its_own() -> None:
    pile, seen = opened(1, 2, 3, 4, 5, 6, 7), set()
    for _ in range(20):
        shuffle_pile(pile)
        seen.add(tuple(deck(pile)))
    assert len(seen) > 15 and pile.shuffles == 20


@pytest.mark.parametrize("cards", [(0, 1, 2, 3), (0, 0, 1, 2), (5, 5, 9, 9)])
def test_shuffles_of_decks_are_even_copies_or_not(cards: tuple[int, ...]) -> None:
    counts: dict[tuple[int, ...], int] = {}
    for key in range(30_000):
        order = tuple(shuffled(*cards, key=key))
        counts[order] = counts.get(order, 0) + 1
    orders = {(0, 1, 2, 3): 24, (0, 0, 1, 2): 12, (5, 5, 9, 9): 6}[cards]
    assert len(counts) == orders
    assert fits(np.array(list(counts.values())), np.full(orders, 1 / orders))


@pytest.mark.rule("K5-16", "K4-14")
def test_an_empty_deck_is_renewed_at_once_without_the_card_just_drawn() -> None:
    pile = opened(1, 2, 3)
    for card in (3, 2):
        assert draw_card(pile) == card
        discard_card(pile, card)
    assert deck(pile) == [1] and discards(pile) == [3, 2] and pile.shuffles == 0
    assert draw_card(pile) == 1
    assert sorted(deck(pile)) == [2, 3] and discards(pile) == [] and pile.shuffles == 1
    discard_card(pile, 1)
    assert discards(pile) == [1]


def test_a_deck_all_in_hands_gives_nothing_until_something_is_discarded() -> None:
    pile = opened(1, 2)
    assert (draw_card(pile), draw_card(pile), draw_card(pile)) == (2, 1, NO_CARD)
    discard_card(pile, 2)
    assert draw_card(pile) == 2
    assert deck(pile) == [] and discards(pile) == []


def test_renewing_waits_for_an_empty_deck() -> None:
    pile = opened(1, 2)
    discard_card(pile, 3)
    renew(pile)
    assert deck(pile) == [1, 2] and discards(pile) == [3] and pile.shuffles == 0


def test_a_search_takes_one_and_keeps_the_order() -> None:
    pile = opened(4, 7, 5, 7, 6)
    assert find_card(pile, 7) == 3 and find_card(pile, 9) == -1
    assert take_card(pile, 7) and deck(pile) == [4, 7, 5, 6]
    assert take_card(pile, 7) and deck(pile) == [4, 5, 6]
    assert not take_card(pile, 7) and deck(pile) == [4, 5, 6]


def test_a_search_does_not_see_cards_that_are_gone() -> None:
    pile = opened(4, 7)
    assert draw_card(pile) == 7
    assert find_card(pile, 7) == -1 and not take_card(pile, 7)


def test_taking_from_the_discards_takes_the_latest() -> None:
    pile = opened()
    for card in (3, 4, 3, 5):
        discard_card(pile, card)
    assert take_discard(pile, 3) and discards(pile) == [3, 4, 5]
    assert not take_discard(pile, 9) and discards(pile) == [3, 4, 5]


@pytest.mark.parametrize("put", [put_on_top, put_at_bottom])
def test_a_full_deck_counts_what_has_no_room(put: Any) -> None:
    pile = opened(*range(CAPACITY))
    put(pile, 99)
    put(pile, 98)
    assert deck(pile) == list(range(CAPACITY)) and pile.overflow == 2


def test_full_discards_count_what_has_no_room() -> None:
    pile = opened(1)
    for card in range(CAPACITY + 3):
        discard_card(pile, card)
    assert discards(pile) == list(range(CAPACITY)) and pile.overflow == 3 and deck(pile) == [1]
