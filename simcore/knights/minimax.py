"""Matrix games of two sides who want the opposite: pure saddle points, and mixed play (von Neumann 1928).

Entries lie between 0 and 1, or not far from it: TINY is an absolute tolerance.
"""

from __future__ import annotations

import numpy as np

from simcore.bots import BIT_COUNT, BIT_PLACE
from simcore.kernels import kernel, record

I, F = np.int64, np.float64  # noqa: E741

TINY = 1e-13
"""What counts as nothing in a matrix game."""

CHOICES = 8
"""Most options of a side."""

MATCH = record(
    ("many", I, 2), ("game", F, (CHOICES, CHOICES)), ("odds", F, (2, CHOICES)), ("kept", F, (2, CHOICES)),
    ("trial", F, (2, CHOICES)), ("room", F, (CHOICES + 1, 2 * CHOICES + 2)),
)  # fmt: skip
"""A matrix game: how `many` options each side has (1 to CHOICES), what each two are worth to side 0, whose are the
rows; how often each side picks what (`odds`); and room: `kept`, `trial` for other odds, `room` for a tableau whose last
columns are right sides and basic columns."""


@kernel
def find_saddle(m):  # type: ignore[no-untyped-def]
    """Play the first pure saddle point, if there is one; the odds must be 0 before."""
    game, rows, columns = m.game, m.many[0], m.many[1]
    for row in range(rows):
        least = game[row, 0]
        for column in range(1, columns):
            least = min(least, game[row, column])
        for column in range(columns):
            top = game[row, column] == least
            for other in range(rows):
                top = top and game[other, column] <= least
            if top:
                m.odds[0, row] = m.odds[1, column] = 1
                return True
    return False


@kernel
def best_answer(m, x):  # type: ignore[no-untyped-def]
    """Play the best answer of side x, whose odds are 0, to those of the other side; the first of equal options."""
    game, best, pick, sign = m.game, F(0), -1, F(1 - 2 * x)
    for mine in range(m.many[x]):
        value = F(0)
        for other in range(m.many[1 - x]):
            worth = game[mine, other] if x == 0 else game[other, mine]
            value += sign * m.odds[1 - x, other] * worth
        if pick < 0 or value > best:
            best, pick = value, mine
    m.odds[x, pick] = 1


@kernel
def play_mixed(m):  # type: ignore[no-untyped-def]
    """Mixed play where there is no saddle point; returns the gap between what both sides make sure of."""
    minimax(m)
    gap = gap_of(m, m.odds)
    return refine(m, gap) if gap > TINY else gap


@kernel
def minimax(m):  # type: ignore[no-untyped-def]
    """Mixed play of a game without a saddle point, by the simplex method."""
    game, rows, columns, room = m.game, m.many[0], m.many[1], m.room
    low = high = game[0, 0]
    for row in range(rows):
        for column in range(columns):
            low, high = min(low, game[row, column]), max(high, game[row, column])
    wide = columns + rows
    for row in range(rows + 1):
        for column in range(wide + 1):
            room[row, column] = 0
    for row in range(rows):
        for column in range(columns):
            room[row, column] = 1 + (game[row, column] - low) / (high - low)
        room[row, columns + row], room[row, wide], room[row, wide + 1] = 1, 1, columns + row
    for column in range(columns):
        room[rows, column] = -1
    while pivot(room, rows, wide):
        pass
    read_odds(m)


@kernel
def pivot(room, rows, wide):  # type: ignore[no-untyped-def]
    """One step of the simplex method by the largest gain (Dantzig 1951); False when there is none."""
    column = 0
    for other in range(1, wide):
        if room[rows, other] < room[rows, column]:
            column = other
    if room[rows, column] > -TINY:
        return False
    row, least = -1, F(0)
    for other in range(rows):
        if room[other, column] > TINY:
            ratio = room[other, wide] / room[other, column]
            if row < 0 or ratio < least:
                row, least = other, ratio
    if row < 0:
        return False
    scale = 1 / room[row, column]
    for k in range(wide + 1):
        room[row, k] *= scale
    room[row, column], room[row, wide + 1] = 1, column
    for other in range(rows + 1):
        if other != row:
            factor = room[other, column]
            for k in range(wide + 1):
                room[other, k] -= factor * room[row, k]
            room[other, column] = 0
    return True


@kernel
def read_odds(m):  # type: ignore[no-untyped-def]
    """Both sides' odds from the last tableau: its prices, and its basic columns."""
    rows, columns, odds, room = m.many[0], m.many[1], m.odds, m.room
    wide = rows + columns
    for row in range(rows):
        odds[0, row] = max(F(0), room[rows, columns + row])
    for column in range(columns):
        odds[1, column] = 0
    for row in range(rows):
        basic = np.int64(room[row, wide + 1])
        if basic < columns:
            odds[1, basic] = max(F(0), room[row, wide])
    for x in range(2):
        total = F(0)
        for k in range(m.many[x]):
            total += odds[x, k]
        for k in range(m.many[x]):
            odds[x, k] = odds[x, k] / total


@kernel
def refine(m, gap):  # type: ignore[no-untyped-def]
    """Mixed play where rounding has spoilt the simplex method: the best of all supports of equal size (Shapley and Snow
    1950), each solved anew. gap: of the odds so far; returns what is left of it."""
    best = gap
    copy_odds(m.kept, m.odds)
    for mine in range(1, 1 << m.many[0]):
        for theirs in range(1, 1 << m.many[1]):
            if BIT_COUNT[mine] == BIT_COUNT[theirs] and best > 0:
                fits = level(m, mine, theirs, 0) and level(m, theirs, mine, 1)
                gap = gap_of(m, m.trial) if fits else best
                if gap < best:
                    best = gap
                    copy_odds(m.kept, m.trial)
    copy_odds(m.odds, m.kept)
    return best


@kernel
def copy_odds(to, odds):  # type: ignore[no-untyped-def]
    """Copy both sides' odds."""
    for x in range(2):
        for k in range(CHOICES):
            to[x, k] = odds[x, k]


@kernel
def level(m, support, against, x):  # type: ignore[no-untyped-def]
    """Odds over a side's support that make all of the other's support worth the same into `trial`; False if none do.

    support, against: bits of the options of side x, and of as many of the other side."""
    size, game, room = BIT_COUNT[support], m.game, m.room
    for k in range(CHOICES):
        m.trial[x, k] = 0
    for row in range(size):
        for k in range(size):
            mine, theirs = BIT_PLACE[support, k], BIT_PLACE[against, row]
            room[row, k] = game[mine, theirs] if x == 0 else game[theirs, mine]
        room[row, size], room[row, size + 1] = -1, 0
        room[size, row] = 1
    room[size, size], room[size, size + 1] = 0, 1
    if not eliminate(room, size + 1):
        return False
    total = F(0)
    for k in range(size):
        if room[k, size + 1] < -TINY:
            return False
        m.trial[x, BIT_PLACE[support, k]] = max(F(0), room[k, size + 1])
        total += m.trial[x, BIT_PLACE[support, k]]
    for k in range(size):
        m.trial[x, BIT_PLACE[support, k]] = m.trial[x, BIT_PLACE[support, k]] / total
    return True


@kernel
def eliminate(room, size):  # type: ignore[no-untyped-def]
    """Solve a linear system in place (right side in the last column); False where it has no single answer."""
    for k in range(size):
        row = k
        for other in range(k + 1, size):
            if abs(room[other, k]) > abs(room[row, k]):
                row = other
        if abs(room[row, k]) < TINY * TINY:
            return False
        for column in range(size + 1):
            room[k, column], room[row, column] = room[row, column], room[k, column]
        scale = 1 / room[k, k]
        for column in range(size + 1):
            room[k, column] *= scale
        for other in range(size):
            factor = room[other, k]
            if other != k and factor != 0:
                for column in range(size + 1):
                    room[other, column] -= factor * room[k, column]
    return True


@kernel
def gap_of(m, odds):  # type: ignore[no-untyped-def]
    """What the columns' play lets the rows have at most, less what the rows' play makes sure of."""
    game, floor, ceiling = m.game, F(0), F(0)
    for column in range(m.many[1]):
        value = F(0)
        for row in range(m.many[0]):
            value += odds[0, row] * game[row, column]
        floor = value if column == 0 else min(floor, value)
    for row in range(m.many[0]):
        value = F(0)
        for column in range(m.many[1]):
            value += odds[1, column] * game[row, column]
        ceiling = value if row == 0 else max(ceiling, value)
    return ceiling - floor
