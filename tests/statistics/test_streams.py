"""Random words: neighbours are unrelated, draws and shuffles are even; and planted faults are caught."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from itertools import permutations, product

import numba
import numpy as np
import pytest
from scipy import stats

from simcore.streams import _GOLDEN, MASK, bounded, root, shuffle, word
from tests.statistics.judge import ALPHA, fits

Place = tuple[int, int, int, int, int]
Key = Callable[[Place], int]
"""The key of (seed, group, game, domain, moment)."""

COORDINATES = ("seed", "group", "game", "domain", "moment")


def chained(place: Place) -> int:
    """The key as the games make it."""
    seed, group, game, domain, moment = place
    return word(word(word(root(seed, group), game), domain), moment)


def added(place: Place) -> int:
    """Planted: seed + i."""
    return sum(place) & MASK


def strided(place: Place) -> int:
    """Planted: seed + i * golden, so that the words of one game are those of the next, one further."""
    seed, group, game, domain, moment = place
    return word(word(root(seed, group), domain), moment) + game * _GOLDEN & MASK


def padded(place: Place) -> int:
    """Planted: numbers joined without their lengths, so that a zero is nothing."""
    joined = b"".join(part.to_bytes((part.bit_length() + 7) // 8, "little") for part in place)
    return int.from_bytes(hashlib.sha256(joined).digest()[:8], "little")


def shared(missing: int) -> Key:
    """Planted: one coordinate is forgotten, so that all share a stream."""
    return lambda place: chained(tuple(0 if i == missing else part for i, part in enumerate(place)))  # type: ignore


PLANTED = {"added": added, "strided": strided, "padded": padded} | {
    f"one stream for every {name}": shared(i) for i, name in enumerate(COORDINATES)
}


def sequences_are_apart(key: Key) -> bool:
    """No word of one place is a word of another: small numbers, zeros, and steps by the generator's own."""
    places = set(product((0, 1, 2), repeat=5))
    for i, step in product(range(5), (3, 255, 256, 2**32, _GOLDEN, 2 * _GOLDEN & MASK, MASK)):
        places.add(tuple(step if i == j else 1 for j in range(5)))  # type: ignore
        places.add(tuple(step if i == j else 0 for j in range(5)))  # type: ignore
    drawn = [word(key(place), i) for place in places for i in range(16)]
    return len(set(drawn)) == len(drawn)


def neighbours_are_unrelated(key: Key, coordinate: int, many: int = 3000) -> bool:
    """Words of places one step apart: half of the bits differ, each as often, and pairs are even."""
    source = random.Random(coordinate)
    flips, pairs = np.zeros(64), np.zeros((16, 16))
    for _ in range(many):
        place = [source.randrange(1 << 16) for _ in COORDINATES]
        one = word(key(tuple(place)), 0)  # type: ignore
        place[coordinate] += 1
        other = word(key(tuple(place)), 0)  # type: ignore
        flips += np.array([(one ^ other) >> bit & 1 for bit in range(64)])
        pairs[one >> 60, other >> 60] += 1
    score = (((flips - many / 2) / np.sqrt(many / 4)) ** 2).sum()
    return bool(stats.chi2.sf(score, 64) > ALPHA) and fits(pairs, np.full((16, 16), 1 / 256))


def is_sound(key: Key) -> bool:
    """Both tests together; cheap one first."""
    return sequences_are_apart(key) and all(neighbours_are_unrelated(key, i) for i in range(5))


def test_places_have_words_of_their_own() -> None:
    assert sequences_are_apart(chained)


@pytest.mark.parametrize("coordinate", range(5), ids=COORDINATES)
def test_neighbours_are_unrelated(coordinate: int) -> None:
    assert neighbours_are_unrelated(chained, coordinate)


@pytest.mark.parametrize("key", PLANTED.values(), ids=PLANTED)
def test_a_planted_fault_is_caught(key: Key) -> None:
    assert not is_sound(key)


@pytest.mark.parametrize("coordinate", range(5), ids=COORDINATES)
def test_a_shared_stream_is_caught_by_its_neighbours_alone(coordinate: int) -> None:
    assert not neighbours_are_unrelated(shared(coordinate), coordinate, 200)


@numba.njit
def count_draws(many, draws, key, counts):
    for i in range(draws):
        counts[bounded(word(key, i), many)] += 1


@pytest.mark.parametrize("many", [2, 3, 6, 7, 10, 60, 1000])
def test_bounded_draws_are_even(many: int) -> None:
    counts = np.zeros(many, np.int64)
    count_draws(many, 1_000_000, np.uint64(many), counts)
    assert fits(counts, np.full(many, 1 / many))


@numba.njit
def place_anywhere(cards, many, key):
    for i in range(many):
        j = bounded(word(key, i), many)
        cards[i], cards[j] = cards[j], cards[i]


@numba.njit
def never_at_home(cards, many, key):
    for i in range(many - 1, 0, -1):
        j = bounded(word(key, i), i)
        cards[i], cards[j] = cards[j], cards[i]


@numba.njit
def one_word_for_all(cards, many, key):
    for i in range(many - 1, 0, -1):
        j = bounded(key, i + 1)
        cards[i], cards[j] = cards[j], cards[i]


def orders(mix: Callable[..., None]) -> list[int]:
    """How often each of the 24 orders of four cards comes out of 100,000 shuffles."""

    @numba.njit
    def play(cards, codes):
        for i in range(codes.shape[0]):
            for j in range(4):
                cards[j] = j
            mix(cards, 4, word(np.uint64(11), i))
            codes[i] = cards[0] * 64 + cards[1] * 16 + cards[2] * 4 + cards[3]

    codes = np.empty(100_000, np.int64)
    play(np.empty(4, np.int64), codes)
    return [int((codes == a * 64 + b * 16 + c * 4 + d).sum()) for a, b, c, d in permutations(range(4))]


def test_shuffles_are_even() -> None:
    counts = orders(shuffle)
    assert sum(counts) == 100_000 and fits(counts, np.full(24, 1 / 24))


@pytest.mark.parametrize("mix", [place_anywhere, never_at_home, one_word_for_all], ids=lambda mix: mix.__name__)
def test_a_planted_shuffle_is_caught(mix: Callable[..., None]) -> None:
    assert not fits(orders(mix), np.full(24, 1 / 24))
