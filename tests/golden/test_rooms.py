"""The shared rooms by hand: small examples whose answers one can work out on paper, uncompiled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest


def opened(rules: Any, *cards: int) -> Any:
    """An unshuffled deck of at most five cards, the last on top."""
    piles = rules["piles"]
    pile = rules["kernels"].blank(piles.pile_dtype(5))
    piles.open_pile(pile, cards, len(cards), 9)
    return pile


def test_printed_faces_are_counted(rules: Any) -> None:
    dice, streams = rules["dice"], rules["streams"]
    laws = dice.compile_laws(10, ((7, 9), (5, 10)))
    script = streams.Script(faces=[1, 3, 4, 7, 9, 10, 5, 9])
    first, second = dice.roll(script, laws, 0, 5, 0), dice.roll(script, laws, 1, 3, 0)
    assert (dice.successes(first), dice.tops(first)) == (2, 1)
    assert (dice.successes(second), dice.tops(second)) == (3, 1)
    assert script.faces == []


def test_one_die_has_a_tenth_for_each_face(rules: Any) -> None:
    dice = rules["dice"]
    assert dice.ladder(1, 10, 7, 9) == ((0, 0, 6), (1, 0, 2), (1, 1, 2))
    assert dice.ladder(2, 10, 10, 11) == ((0, 0, 81), (1, 0, 18), (2, 0, 1))


def test_words_climb_the_ladder(rules: Any) -> None:
    dice = rules["dice"]
    laws = dice.compile_laws(10, ((7, 9),))
    ends = [dice.draw(laws, 0, 1, (2**64 * tenth) // 10 + step) for tenth in (6, 8) for step in (-4096, 4096)]
    assert [(dice.successes(end), dice.tops(end)) for end in ends] == [(0, 0), (1, 0), (1, 0), (1, 1)]
    assert dice.draw(laws, 0, 1, 0) == 0 and dice.tops(dice.draw(laws, 0, 1, 2**64 - 1)) == 1


@pytest.mark.rule("K5-16", "K4-14")
def test_a_spent_deck_is_renewed_without_the_card_in_hand(rules: Any) -> None:
    piles = rules["piles"]
    pile = opened(rules, 1, 2, 3)
    for card in (3, 2):
        assert piles.draw_card(pile) == card
        piles.discard_card(pile, card)
    assert piles.draw_card(pile) == 1
    assert (pile.left, pile.discarded, pile.shuffles) == (2, 0, 1)
    assert sorted(pile.deck[:2]) == [2, 3]


def test_top_and_bottom_of_a_deck(rules: Any) -> None:
    piles = rules["piles"]
    pile = opened(rules, 1, 2)
    piles.put_at_bottom(pile, 0)
    piles.put_on_top(pile, 3)
    assert piles.take_card(pile, 1) and not piles.take_card(pile, 9)
    assert list(pile.deck[: pile.left]) == [0, 2, 3]
    for card in (7, 8, 9):
        piles.put_on_top(pile, card)
    assert (pile.left, pile.overflow) == (5, 1)


def test_a_card_more_leaves_the_order_of_the_others(rules: Any) -> None:
    piles = rules["piles"]
    for key in range(20):
        few, more = opened(rules, 4, 6, 8), opened(rules, 8, 4, 5, 6)
        few.key = more.key = key
        piles.shuffle_pile(few)
        piles.shuffle_pile(more)
        assert [card for card in more.deck[:4] if card != 5] == list(few.deck[:3])


def test_the_best_option_wins_without_noise(rules: Any) -> None:
    bots = rules["bots"]
    for key in range(20):
        assert bots.softmax([5, 6, 7], [2, 9, 8], 3, 0, key) == 6
    taken = {bots.softmax([5, 6, 7], [9, 8, 9], 3, 0, key) for key in range(40)}
    assert taken == {5, 7}


def test_noise_makes_the_lesser_option_rarer(rules: Any) -> None:
    bots, word = rules["bots"], rules["streams"].word
    picks = [bots.softmax([1, 2], [0, 2], 2, 1, word(77, i)) for i in range(1000)]
    assert 70 < picks.count(1) < 170, "the exact chance is 0.119"


def test_a_moment_names_its_domain(rules: Any) -> None:
    streams = rules["streams"]
    stream = np.zeros(1, streams.STREAM)[0]
    stream.game = streams.word(3, 4)
    assert streams.at(stream, 8, 2) == streams.word(streams.word(streams.word(3, 4), 8), 2)
    assert streams.word(1234567, 1) == 3203168211198807973
    assert [streams.bounded(word, 6) for word in (0, 2**62, 2**63, 2**64 - 1)] == [0, 1, 3, 5]
