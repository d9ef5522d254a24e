"""Random words: published answers, exact draws, and the same compiled as plain."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcore.kernels import blank, plain
from simcore.streams import BOT, DICE, MASK, STREAM, Script, at, bounded, root, shuffle, upper_bits, word

PUBLISHED = (
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
)
"""The first outputs of SplitMix64 for seed 1234567."""

EDGES = (0, 1, 2, 9, 2**31, 2**32 - 1, 2**32, 2**62, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 2, 2**64 - 1)
words = st.integers(0, MASK)


@numba.njit
def compiled_word(key, i):
    return word(key, i)


@numba.njit
def compiled_bounded(random_word, many):
    return bounded(random_word, many)


@numba.njit
def compiled_bits(random_word, many):
    return upper_bits(random_word, many)


def test_words_are_the_published_ones() -> None:
    assert tuple(word(1234567, i) for i in range(5)) == PUBLISHED
    assert tuple(int(compiled_word(np.uint64(1234567), i)) for i in range(5)) == PUBLISHED


@pytest.mark.parametrize("key", EDGES)
def test_compiled_words_are_the_plain_ones_at_the_edges(key: int) -> None:
    for i in EDGES:
        assert int(compiled_word(np.uint64(key), np.uint64(i))) == word(key, i) == word(np.uint64(key), np.uint64(i))


@given(words, words)
def test_compiled_words_are_the_plain_ones(key: int, i: int) -> None:
    assert int(compiled_word(np.uint64(key), np.uint64(i))) == word(key, i)


@given(words, st.integers(1, 2**32))
def test_bounded_draws_are_exact(random_word: int, many: int) -> None:
    exact = random_word * many // 2**64
    assert bounded(random_word, many) == exact == compiled_bounded(np.uint64(random_word), many)


@pytest.mark.parametrize("many", [1, 2, 3, 10, 2**31, 2**32 - 1, 2**32])
def test_bounded_draws_stay_in_their_range_at_the_edges(many: int) -> None:
    for random_word in EDGES:
        drawn = compiled_bounded(np.uint64(random_word), many)
        assert drawn == bounded(random_word, many) == random_word * many // 2**64
        assert 0 <= drawn < many
    assert compiled_bounded(np.uint64(MASK), many) == many - 1


@given(words, st.integers(1, 63))
def test_upper_bits_are_exact(random_word: int, many: int) -> None:
    exact = random_word // 2 ** (64 - many)
    assert upper_bits(random_word, many) == exact == compiled_bits(np.uint64(random_word), many)


def test_plain_words_do_not_warn(recwarn: pytest.WarningsRecorder) -> None:
    word(np.uint64(MASK), np.uint64(MASK))
    bounded(np.uint64(MASK), np.int64(10))
    assert not recwarn.list


def test_seed_zero_is_a_seed() -> None:
    drawn = {root(seed, group) for seed in (0, 1, MASK) for group in (0, 1, MASK)}
    assert len(drawn) == 9 and 0 not in drawn


def test_a_moment_is_a_chain_of_words() -> None:
    stream = blank(STREAM)
    stream.game = np.uint64(root(7, 8))
    expected = word(word(root(7, 8), BOT), 3)
    assert int(at(stream, BOT, 3)) == plain(at)(stream, BOT, 3) == expected
    assert int(at(stream, DICE, 3)) != expected


@pytest.mark.parametrize("many", [0, 1, 2, 7])
def test_a_shuffle_keeps_the_cards_and_hangs_on_its_key_alone(many: int) -> None:
    first, again, other, tail = (np.arange(9, dtype=np.int64) for _ in range(4))
    shuffle(first, many, np.uint64(5))
    plain(shuffle)(again, many, 5)
    shuffle(other, many, np.uint64(6))
    assert (first == again).all()
    assert sorted(first[:many]) == sorted(other[:many]) == list(range(many))
    assert (first[many:] == tail[many:]).all()
    assert many < 7 or (first != other).any()


def test_a_script_gives_its_faces_and_picks_in_order() -> None:
    script = Script(faces=[3, 1, 4], picks=[9, 8])
    assert script.take_faces(2) == [3, 1] and script.take_faces(1) == [4]
    assert script.take_pick() == 9 and script.take_pick() == 8
    with pytest.raises(IndexError, match="0 faces left, and 1 dice"):
        script.take_faces(1)
    with pytest.raises(IndexError):
        script.take_pick()
