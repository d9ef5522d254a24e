"""Matrix games of two sides who want the opposite: pure saddle points, and mixed play (von Neumann 1928).

A game is float64[rows, columns], at least 1 x 1 and at most CARDS x CARDS, worth so much to the rows' side. Entries
lie between 0 and 1, or not far from it: TINY is an absolute tolerance.
"""

from __future__ import annotations

import numpy as np

from simcore.bots import BIT_COUNT, BIT_PLACE
from simcore.kernels import kernel

F = np.float64

TINY = 1e-13
"""What counts as nothing in a matrix game."""


@kernel
def minimax(game, rows, columns, odds, tableau):  # type: ignore[no-untyped-def]
    """Mixed play of a matrix game without a saddle point, by the simplex method.

    game: float64 with up to 5 rows (who want much) and columns; odds: float64[2, 5], filled; tableau: room,
    float64[6, 12], whose last columns are right sides and basic columns."""
    low = high = game[0, 0]
    for row in range(rows):
        for column in range(columns):
            low, high = min(low, game[row, column]), max(high, game[row, column])
    wide = columns + rows
    for row in range(rows + 1):
        for column in range(wide + 1):
            tableau[row, column] = 0
    for row in range(rows):
        for column in range(columns):
            tableau[row, column] = 1 + (game[row, column] - low) / (high - low)
        tableau[row, columns + row], tableau[row, wide], tableau[row, wide + 1] = 1, 1, columns + row
    for column in range(columns):
        tableau[rows, column] = -1
    while pivot(tableau, rows, wide):
        pass
    read_odds(tableau, rows, columns, odds)


@kernel
def pivot(tableau, rows, wide):  # type: ignore[no-untyped-def]
    """One step of the simplex method by the largest gain (Dantzig 1951); False when there is none."""
    column = 0
    for other in range(1, wide):
        if tableau[rows, other] < tableau[rows, column]:
            column = other
    if tableau[rows, column] > -TINY:
        return False
    row, least = -1, F(0)
    for other in range(rows):
        if tableau[other, column] > TINY:
            ratio = tableau[other, wide] / tableau[other, column]
            if row < 0 or ratio < least:
                row, least = other, ratio
    if row < 0:
        return False
    scale = 1 / tableau[row, column]
    for k in range(wide + 1):
        tableau[row, k] *= scale
    tableau[row, column], tableau[row, wide + 1] = 1, column
    for other in range(rows + 1):
        if other != row:
            factor = tableau[other, column]
            for k in range(wide + 1):
                tableau[other, k] -= factor * tableau[row, k]
            tableau[other, column] = 0
    return True


@kernel
def read_odds(tableau, rows, columns, odds):  # type: ignore[no-untyped-def]
    """Both sides' chances from the last tableau: its prices, and its basic columns."""
    wide = rows + columns
    for row in range(rows):
        odds[0, row] = max(F(0), tableau[rows, columns + row])
    for column in range(columns):
        odds[1, column] = 0
    for row in range(rows):
        basic = np.int64(tableau[row, wide + 1])
        if basic < columns:
            odds[1, basic] = max(F(0), tableau[row, wide])
    for x in range(2):
        total = F(0)
        for k in range(rows if x == 0 else columns):
            total += odds[x, k]
        for k in range(rows if x == 0 else columns):
            odds[x, k] = odds[x, k] / total


@kernel
def refine(game, rows, columns, odds, room):  # type: ignore[no-untyped-def]
    """Mixed play where rounding has spoilt the simplex method: the best of all supports of equal size (Shapley and Snow
    1950), each solved anew; returns the gap that is left. Arguments as for `minimax`."""
    best = gap_of(game, rows, columns, odds)
    kept, trial = np.zeros(odds.shape), np.zeros(odds.shape)
    copy_odds(kept, odds)
    for mine in range(1, 1 << rows):
        for theirs in range(1, 1 << columns):
            if BIT_COUNT[mine] == BIT_COUNT[theirs] and best > 0:
                fits = level(game, mine, theirs, 0, trial[0], room) and level(game, theirs, mine, 1, trial[1], room)
                gap = gap_of(game, rows, columns, trial) if fits else best
                if gap < best:
                    best = gap
                    copy_odds(kept, trial)
    copy_odds(odds, kept)
    return best


@kernel
def copy_odds(to, odds):  # type: ignore[no-untyped-def]
    """Copy both sides' chances."""
    for x in range(2):
        for card in range(odds.shape[1]):
            to[x, card] = odds[x, card]


@kernel
def level(game, support, against, x, chances, room):  # type: ignore[no-untyped-def]
    """Chances over a side's support that make all of the other's support worth the same; False if there are none.

    support, against: bits of the cards of side x, and of as many cards of the other side."""
    size = BIT_COUNT[support]
    for card in range(len(chances)):
        chances[card] = 0
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
        chances[BIT_PLACE[support, k]] = max(F(0), room[k, size + 1])
        total += chances[BIT_PLACE[support, k]]
    for k in range(size):
        chances[BIT_PLACE[support, k]] = chances[BIT_PLACE[support, k]] / total
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
def gap_of(game, rows, columns, odds):  # type: ignore[no-untyped-def]
    """What the columns' play lets the rows have at most, less what the rows' play makes sure of."""
    floor, ceiling = F(0), F(0)
    for column in range(columns):
        value = F(0)
        for row in range(rows):
            value += odds[0, row] * game[row, column]
        floor = value if column == 0 else min(floor, value)
    for row in range(rows):
        value = F(0)
        for column in range(columns):
            value += odds[1, column] * game[row, column]
        ceiling = value if row == 0 else max(ceiling, value)
    return ceiling - floor
