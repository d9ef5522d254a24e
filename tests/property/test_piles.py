"""Whatever is done with a deck: no card is lost or made, and it does what a plain list of cards does."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from simcore import piles
from simcore.kernels import blank, plain

CAPACITY = 9
DTYPE = piles.pile_dtype(CAPACITY)
cards = st.integers(0, 6)


class Decks(RuleBasedStateMachine):
    """A compiled deck and an uncompiled one beside two Python lists and a hand."""

    def __init__(self) -> None:
        super().__init__()
        # a fence on each side: a write out of bounds would land there
        self.rows = blank(DTYPE, 3)
        self.plain = blank(DTYPE)
        self.deck: list[int] = []
        self.discards: list[int] = []
        self.hand: list[int] = []
        self.lost: Counter[int] = Counter()
        self.all: Counter[int] = Counter()

    def both(self, name: str, *args: Any) -> Any:
        """Do it compiled and uncompiled; the answer, which must be the same."""
        answer = getattr(piles, name)(self.rows[1], *args)
        assert answer == plain(getattr(piles, name))(self.plain, *args)
        return answer

    def keep(self, pile: list[int], place: int, card: int) -> None:
        """Lay a card into a list of the model, or lose it where there is no room."""
        self.all[card] += 1
        if len(pile) < CAPACITY:
            pile.insert(place, card)
        else:
            self.lost[card] += 1

    def learn_order(self) -> None:
        """Take over the order of a shuffled deck, if it holds the same cards."""
        order = [int(card) for card in self.rows[1].deck[: self.rows[1].left]]
        assert Counter(order) == Counter(self.deck)
        self.deck = order

    def renew(self) -> None:
        if not self.deck and self.discards:
            self.deck, self.discards = self.discards, []
            self.learn_order()

    @initialize(given=st.lists(cards, max_size=CAPACITY + 2), key=st.integers(0, 2**64 - 1))
    def open(self, given: list[int], key: int) -> None:
        self.both("open_pile", np.array([*given, 0], np.int64), len(given), np.uint64(key))
        for card in given:
            self.keep(self.deck, len(self.deck), card)

    @rule(card=cards)
    def put_on_top(self, card: int) -> None:
        self.both("put_on_top", card)
        self.keep(self.deck, len(self.deck), card)

    @rule(card=cards)
    def put_at_bottom(self, card: int) -> None:
        self.both("put_at_bottom", card)
        self.keep(self.deck, 0, card)

    @precondition(lambda self: self.hand)
    @rule()
    def discard(self) -> None:
        card = self.hand.pop()
        self.all[card] -= 1
        self.both("discard_card", card)
        self.keep(self.discards, len(self.discards), card)

    @rule()
    def draw(self) -> None:
        drawn = int(self.both("draw_card"))
        self.renew_before_draw(drawn)

    def renew_before_draw(self, drawn: int) -> None:
        """The model of a draw: an empty deck is renewed before, and again after."""
        if not self.deck and self.discards:
            self.deck, self.discards = self.discards, []
            self.deck.remove(drawn)
            self.deck.append(drawn)
            self.learn_order_below()
        if not self.deck:
            assert drawn == piles.NO_CARD
            return
        assert drawn == self.deck.pop()
        self.hand.append(drawn)
        self.renew()

    def learn_order_below(self) -> None:
        """As `learn_order`, for the cards under the one that was drawn from a renewed deck."""
        below = [int(card) for card in self.rows[1].deck[: self.rows[1].left]]
        assert Counter(below) == Counter(self.deck[:-1])
        self.deck[:-1] = below

    @rule()
    def take_top(self) -> None:
        drawn = int(self.both("take_top"))
        assert drawn == (self.deck.pop() if self.deck else piles.NO_CARD)
        if drawn != piles.NO_CARD:
            self.hand.append(drawn)

    @rule(card=cards)
    def search(self, card: int) -> None:
        place = int(self.both("find_card", card))
        assert place == max((i for i, other in enumerate(self.deck) if other == card), default=-1)
        assert bool(self.both("take_card", card)) == (place >= 0)
        if place >= 0:
            self.hand.append(self.deck.pop(place))

    @rule(card=cards)
    def take_discard(self, card: int) -> None:
        taken = bool(self.both("take_discard", card))
        assert taken == (card in self.discards)
        if taken:
            place = max(i for i, other in enumerate(self.discards) if other == card)
            self.hand.append(self.discards.pop(place))

    @rule()
    def shuffle(self) -> None:
        self.both("shuffle_pile")
        self.learn_order()

    @invariant()
    def cards_are_conserved(self) -> None:
        pile = self.rows[1]
        assert [int(card) for card in pile.deck[: pile.left]] == self.deck
        assert [int(card) for card in pile.discards[: pile.discarded]] == self.discards
        assert Counter(self.deck) + Counter(self.discards) + Counter(self.hand) + self.lost == +self.all
        assert int(pile.overflow) == self.lost.total()

    @invariant()
    def compiled_and_plain_are_the_same_bytes_inside_their_fences(self) -> None:
        assert self.rows[1].tobytes() == self.plain.tobytes()
        assert not self.rows[0].tobytes().strip(b"\0") and not self.rows[2].tobytes().strip(b"\0")


TestDecks = Decks.TestCase
TestDecks.settings = settings(max_examples=60, stateful_step_count=40)
