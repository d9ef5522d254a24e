"""Choose one of several options by weights over named features, at a temperature.

Softmax is the largest of value plus Gumbel noise (Gumbel 1954; Maddison, Tarlow and Minka 2014): the noise comes
from a table of quantiles, so no float is used and chances under 1e-4 are approximate. The noise of an option
hangs on its identity, never on its place in a list, so that a further option leaves the others' noise alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from simcore.kernels import has_room, index, inlined, kernel
from simcore.streams import Script, bounded, upper_bits, word

UNIT = 1024
"""The fixed point of noise: a temperature of 1 is one unit of value."""

_WORST = np.int64(-(1 << 62))
_QUANTILE_BITS = 14
_middles = (np.arange(1 << _QUANTILE_BITS) + 0.5) / (1 << _QUANTILE_BITS)
GUMBEL = np.round(-np.log(-np.log(_middles)) * UNIT).astype(np.int16)
GUMBEL.flags.writeable = False
MOST_NOISE = int(GUMBEL.max())
"""The most that noise can add, in UNIT parts of the temperature."""


_SMALL_BITS = 8
_places = [[i for i in range(_SMALL_BITS) if mask >> i & 1] for mask in range(1 << _SMALL_BITS)]
BIT_COUNT = np.array([len(row) for row in _places])
BIT_PLACE = np.array([(row + [0] * _SMALL_BITS)[:_SMALL_BITS] for row in _places])
BIT_COUNT.flags.writeable = BIT_PLACE.flags.writeable = False


@inlined
def most_options(s):  # type: ignore[no-untyped-def]
    """Give how many options of one decision there is room for."""
    return len(s.option)


@inlined
def offer(s, option, value):  # type: ignore[no-untyped-def]
    """Lay out one more option of a decision with its value; beyond the capacity it is left out and counted.

    s: a game's state with `option` and `value`, arrays of int64, and `options`, how many are laid out."""
    if not has_room(s, s.options, most_options(s)):
        return
    s.option[index(s.options)], s.value[index(s.options)] = option, value
    s.options += 1


def choose_bit(stream: Any, mask: Any, key: Any) -> Any:
    """One of the places of the set bits of a mask 1..255, each equally likely; a Script gives its next pick.

    The quickest way for a bot that doesn't weigh. Raises ValueError if a script picks what is not set.
    """
    if isinstance(stream, Script):
        return _scripted(stream, _places[int(mask)], BIT_COUNT[int(mask)])
    return BIT_PLACE[mask, bounded(key, BIT_COUNT[mask])]


@overload(choose_bit)
def _choose_bit(stream, mask, key):  # type: ignore[no-untyped-def]
    if isinstance(stream, types.Record):
        return lambda stream, mask, key: BIT_PLACE[index(mask), index(bounded(key, BIT_COUNT[index(mask)]))]
    return None


def choose_evenly(stream: Any, options: Any, many: Any, key: Any) -> Any:
    """One of the first `many` identities in `options` (int64), each equally likely; a Script gives its next pick.

    Raises ValueError if a script picks what is not an option.
    """
    if isinstance(stream, Script):
        return _scripted(stream, options, many)
    return options[bounded(key, many)]


@overload(choose_evenly)
def _choose_evenly(stream, options, many, key):  # type: ignore[no-untyped-def]
    if isinstance(stream, types.Record):
        return lambda stream, options, many, key: options[index(bounded(key, many))]
    return None


def choose(stream: Any, options: Any, values: Any, many: Any, temperature: Any, key: Any) -> Any:
    """One of the first `many` identities in `options`, by softmax of `values` at `temperature`.

    options, values: int64[many]; temperature: int, 0 or more, in units of value: 0 takes the best, and equal ones
    by their words. A Script gives its next pick; ValueError if that is not an option.
    """
    if isinstance(stream, Script):
        return _scripted(stream, options, many)
    return softmax(options, values, many, temperature, key)


@overload(choose)
def _choose(stream, options, values, many, temperature, key):  # type: ignore[no-untyped-def]
    if isinstance(stream, types.Record):
        return lambda stream, options, values, many, temperature, key: softmax(options, values, many, temperature, key)
    return None


@kernel
def softmax(options, values, many, temperature, key):  # type: ignore[no-untyped-def]
    """The option with the largest value plus noise; arguments as in `choose`."""
    best, best_score, best_bits, temperature = np.int64(0), _WORST, np.int64(-1), np.int64(temperature)
    for i in range(np.uint64(many)):
        if values[i] * UNIT + temperature * MOST_NOISE < best_score:
            continue  # no noise could make it the best
        bits = upper_bits(word(key, options[i]), 53)
        score = values[i] * UNIT + temperature * GUMBEL[index(bits >> (53 - _QUANTILE_BITS))]
        if score > best_score or (score == best_score and bits > best_bits):
            best, best_score, best_bits = options[i], score, bits
    return best


def _scripted(stream: Script, options: Any, many: Any) -> int:
    pick = stream.take_pick()
    legal = [int(option) for option in options[: int(many)]]
    if pick not in legal:
        raise ValueError(f"the script picks {pick}, and the options are {legal}")
    return pick
