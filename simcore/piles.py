"""Decks: a draw pile and its discard pile in one record of a stated capacity.

Cards are small integers, and a deck may hold copies of one. The order of a deck is decided by a word per
card, so that a further card, or one card less, leaves the relative order of all others alone. The key of
the n-th shuffle of a deck hangs on the deck's own key and n: two variants of a rule deal alike until they
differ. The top card is the last one of the array. What doesn't fit is counted in `overflow` and lost,
never written out of bounds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.kernels import kernel, record
from simcore.streams import upper_bits, word

NO_CARD = -1
"""What is drawn from a deck that has run out."""


def pile_dtype(capacity: int) -> np.dtype[Any]:
    """The record of a deck of at most `capacity` cards in its draw pile, and as many in its discard pile.

    `deck[0..left-1]` is the draw pile, bottom first; `discards[0..discarded-1]` the discard pile, oldest
    first; `key` and `shuffles` decide the next order; `overflow` counts the cards that found no room;
    `rank` is working memory. Raises ValueError for a capacity under 1.
    """
    if capacity < 1:
        raise ValueError(f"a deck of at most {capacity} cards holds nothing")
    return record(
        ("key", np.uint64),
        ("shuffles", np.int64),
        ("left", np.int64),
        ("discarded", np.int64),
        ("overflow", np.int64),
        ("deck", np.int64, capacity),
        ("discards", np.int64, capacity),
        ("rank", np.int64, capacity),
    )


@kernel
def open_empty(pile, key):  # type: ignore[no-untyped-def]
    """Start a deck afresh without cards. `key` (uint64) decides every shuffle of this deck."""
    pile.key = np.uint64(key)
    pile.shuffles = 0
    pile.left = 0
    pile.discarded = 0
    pile.overflow = 0


@kernel
def open_pile(pile, cards, many, key):  # type: ignore[no-untyped-def]
    """Start a deck afresh with the first `many` of `cards` (int64, 0 or more), the last on top, unshuffled.

    `key` (uint64) decides every shuffle of this deck.
    """
    open_empty(pile, key)
    for i in range(many):
        put_on_top(pile, cards[i])


@kernel
def put_on_top(pile, card):  # type: ignore[no-untyped-def]
    """Lay a card on the draw pile."""
    if pile.left < pile.deck.shape[0]:
        pile.deck[pile.left] = card
        pile.left += 1
    else:
        pile.overflow += 1


@kernel
def put_at_bottom(pile, card):  # type: ignore[no-untyped-def]
    """Lay a card under the draw pile."""
    if pile.left < pile.deck.shape[0]:
        for i in range(pile.left, 0, -1):
            pile.deck[i] = pile.deck[i - 1]
        pile.deck[0] = card
        pile.left += 1
    else:
        pile.overflow += 1


@kernel
def discard_card(pile, card):  # type: ignore[no-untyped-def]
    """Lay a card on the discard pile."""
    if pile.discarded < pile.discards.shape[0]:
        pile.discards[pile.discarded] = card
        pile.discarded += 1
    else:
        pile.overflow += 1


@kernel
def shuffle_pile(pile):  # type: ignore[no-untyped-def]
    """Shuffle the draw pile: sort it by a word for each card; copies count as first, second and so on."""
    key = word(pile.key, pile.shuffles)
    pile.shuffles += 1
    for i in range(pile.left):
        copy = 0
        for j in range(i):
            if pile.deck[j] == pile.deck[i]:
                copy += 1
        pile.rank[i] = upper_bits(word(word(key, pile.deck[i]), copy), 63)
    for i in range(1, pile.left):
        card, rank, place = pile.deck[i], pile.rank[i], i
        while place > 0 and pile.rank[place - 1] > rank:
            pile.deck[place], pile.rank[place] = pile.deck[place - 1], pile.rank[place - 1]
            place -= 1
        pile.deck[place], pile.rank[place] = card, rank


@kernel
def renew(pile):  # type: ignore[no-untyped-def]
    """Shuffle the discard pile into a new deck if the deck is empty (K5-16)."""
    if pile.left == 0 and pile.discarded > 0:
        for i in range(pile.discarded):
            pile.deck[i] = pile.discards[i]
        pile.left = pile.discarded
        pile.discarded = 0
        shuffle_pile(pile)


@kernel
def take_top(pile):  # type: ignore[no-untyped-def]
    """Take the top card of the draw pile, or NO_CARD; for decks that are not renewed."""
    if pile.left == 0:
        return NO_CARD
    pile.left -= 1
    return pile.deck[pile.left]


@kernel
def draw_card(pile):  # type: ignore[no-untyped-def]
    """Draw the top card; NO_CARD if both piles are empty.

    A deck that is empty afterwards is renewed at once, without the card just drawn (K5-16, K4-14).
    """
    renew(pile)
    card = take_top(pile)
    renew(pile)
    return card


@kernel
def find_card(pile, card):  # type: ignore[no-untyped-def]
    """The place of a card in the draw pile, the one nearest to the top, or -1."""
    for i in range(pile.left - 1, -1, -1):
        if pile.deck[i] == card:
            return i
    return -1


@kernel
def take_card(pile, card):  # type: ignore[no-untyped-def]
    """Search the draw pile for a card and take one out, the others keep their order; whether it was there."""
    place = find_card(pile, card)
    if place < 0:
        return False
    pile.left -= 1
    for i in range(place, pile.left):
        pile.deck[i] = pile.deck[i + 1]
    return True


@kernel
def take_discard(pile, card):  # type: ignore[no-untyped-def]
    """Take one copy of a card, the latest, out of the discard pile; whether it was there."""
    for place in range(pile.discarded - 1, -1, -1):
        if pile.discards[place] == card:
            pile.discarded -= 1
            for i in range(place, pile.discarded):
                pile.discards[i] = pile.discards[i + 1]
            return True
    return False
