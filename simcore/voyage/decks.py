"""Decks that nobody sees the order of: a set of bits, of which a random one is drawn. That is the same as a shuffled
deck, and nothing has to be shuffled."""

from __future__ import annotations

from simcore.bots import BIT_COUNT, BIT_PLACE
from simcore.kernels import index, kernel
from simcore.streams import bounded
from simcore.voyage.state import NONE


@kernel
def count_bits(bits):  # type: ignore[no-untyped-def]
    """How many bits of a set are there; bits 0..2^62-1."""
    many, rest = 0, bits
    while rest > 0:
        many += BIT_COUNT[index(rest & 255)]
        rest >>= 8
    return many


@kernel
def nth_bit(bits, n):  # type: ignore[no-untyped-def]
    """The place of the n-th bit of a set, from 0; it must be there."""
    place, rest = 0, bits
    while n >= BIT_COUNT[index(rest & 255)]:
        n -= BIT_COUNT[index(rest & 255)]
        rest >>= 8
        place += 8
    return place + BIT_PLACE[index(rest & 255), index(n)]


@kernel
def any_bit(bits, key):  # type: ignore[no-untyped-def]
    """A random bit of a set, each equally likely; NONE of an empty one."""
    many = count_bits(bits)
    if many == 0:
        return NONE
    return nth_bit(bits, bounded(key, many))


@kernel
def draw_from(deck, key):  # type: ignore[no-untyped-def]
    """Draw a card; an empty deck is first made anew from its discard pile. NONE if both are empty."""
    if deck.left == 0:
        deck.left, deck.thrown = deck.thrown, 0
    card = any_bit(deck.left, key)
    if card >= 0:
        deck.left &= ~(1 << card)
    return card


@kernel
def throw(deck, card):  # type: ignore[no-untyped-def]
    """Lay a card on the discard pile."""
    deck.thrown |= 1 << card


@kernel
def give_back(deck, card):  # type: ignore[no-untyped-def]
    """Shuffle a card back into its deck."""
    deck.left |= 1 << card
