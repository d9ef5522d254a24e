"""Random words that are a function of what they decide: seed, group, game, domain and moment.

`word(key, i)` is the i-th output of SplitMix64 started at `key` (Steele, Lea and Flood 2014). A word is itself
a key, so that a chain of words names a place: root(seed, group) -> game -> domain -> moment. Nothing is shared
and nothing is consumed, so game N is the same alone and among others.

The functions have two bodies: Python integers with a mask where they run uncompiled, uint64 in kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from simcore.kernels import kernel, record

MASK = (1 << 64) - 1
_GOLDEN, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_G64, _F64, _S64 = np.uint64(_GOLDEN), np.uint64(_FIRST), np.uint64(_SECOND)
_1, _27, _30, _31 = np.uint64(1), np.uint64(27), np.uint64(30), np.uint64(31)

STREAM = record(("game", np.uint64))
"""The stream of one game: `game` is the key of the game under way."""

DICE, DECK, BOT = 0, 1, 8
"""Domains: dice, the order of decks, and BOT + position for the decisions of a seat."""


class Script:
    """A stream that holds what happens, for worked examples: die faces, and the options that are picked.

    `faces` are taken in order by every pool that is rolled, `picks` by every decision (an option's identity).
    It only runs uncompiled. Raises IndexError when it runs out.
    """

    def __init__(self, faces: Sequence[int] = (), picks: Sequence[int] = ()) -> None:
        self.faces, self.picks = list(faces), list(picks)
        self.game = 0

    def take_faces(self, many: int) -> list[int]:
        """The next faces of the script."""
        if len(self.faces) < many:
            raise IndexError(f"the script has {len(self.faces)} faces left, and {many} dice are rolled")
        taken, self.faces = self.faces[:many], self.faces[many:]
        return taken

    def take_pick(self) -> int:
        """The next pick of the script."""
        return self.picks.pop(0)


def word(key: Any, i: Any) -> Any:
    """The i-th 64-bit word of `key`, uniform over 0..2^64-1; it serves as a key, too."""
    z = (int(key) + (int(i) + 1) * _GOLDEN) & MASK
    z = ((z ^ (z >> 30)) * _FIRST) & MASK
    z = ((z ^ (z >> 27)) * _SECOND) & MASK
    return z ^ (z >> 31)


@overload(word)
def _word(key: Any, i: Any) -> Any:
    def body(key: Any, i: Any) -> Any:
        z = np.uint64(key) + (np.uint64(i) + _1) * _G64
        z = (z ^ (z >> _30)) * _F64
        z = (z ^ (z >> _27)) * _S64
        return z ^ (z >> _31)

    return body


def bounded(random_word: Any, many: Any) -> Any:
    """A word as an integer 0..many-1 by multiply-shift; many up to 2^32, error under many / 2^64."""
    return (int(random_word) * int(many)) >> 64


@overload(bounded)
def _bounded(random_word: Any, many: Any) -> Any:
    def body(random_word: Any, many: Any) -> Any:
        return np.int64(_upper_product(np.uint64(random_word), np.uint64(many)))  # type: ignore[call-arg]

    return body


@intrinsic
def _upper_product(typing: Any, first: Any, second: Any) -> Any:
    """The upper 64 bits of the product of two uint64: one instruction, for which there is no NumPy operation."""

    def write(context: Any, builder: Any, signature: Any, numbers: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(*(builder.zext(number, wide) for number in numbers))
        return builder.trunc(builder.lshr(product, wide(64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), write


def upper_bits(random_word: Any, many: Any) -> Any:
    """The `many` highest bits of a word as an int64; many 1..63."""
    return int(random_word) >> (64 - int(many))


@overload(upper_bits)
def _upper_bits(random_word: Any, many: Any) -> Any:
    def body(random_word: Any, many: Any) -> Any:
        return np.int64(np.uint64(random_word) >> (np.uint64(64) - np.uint64(many)))

    return body


def root(seed: int, group: int) -> int:
    """The key of all games of a seed and a group; both 0..2^64-1."""
    return int(word(word(seed, 0), group))


@kernel
def at(stream, domain, moment):  # type: ignore[no-untyped-def]
    """The word (or key) of a moment in a domain of the stream's game. Domain and moment: int, 0 or more."""
    return word(word(stream.game, domain), moment)


@kernel
def shuffle(cards, many, key):  # type: ignore[no-untyped-def]
    """Shuffle the first `many` entries of an array in place, by Fisher and Yates with the words of `key`."""
    for i in range(many - 1, 0, -1):
        j = bounded(word(key, i), i + 1)
        cards[i], cards[j] = cards[j], cards[i]
