"""Solves the toys of two seats by adding up the laws of their dice: what `Game.open_solver` must give, and no more.

Here a seat has a choice that the toys' bots don't have at best: to throw one die more (`more`) or its own (`usual`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from simcore.game import Tables

MOVES = {"more": {1: 1.0}, "usual": {0: 1.0}}
MODES = {"best": None, "timid": {0: 1.0}, "bold": {-1: 0.5, 1: 0.5}}
"""Dice more than its own -> how often."""

PRICES = ("win", "draw", "loss", "points")


class Throws:
    """Two seats of a toy that throw their dice."""

    moves, places, modes = tuple(MOVES), ("ahead", "behind"), tuple(MODES)
    faces = ()

    def __init__(self, tables: Tables, row: Any, start: str = "") -> None:
        t = tables.data
        cards = (t.runner[row.role[0]], t.runner[row.role[1]] if t.rivals else t.hound[row.role[1]])
        self.dice, self.throws = [(int(card.dice), int(card.sides)) for card in cards], int(t.throws)
        self.lead = int(t.rivals) + {"ahead": 1, "behind": -1}.get(start, 0)
        if max(sides for _, sides in self.dice) == 19:
            raise ValueError("dice of 19 sides are odd")

    def law(self, seat: int, more: Mapping[int, float]) -> Any:
        """The chance of each sum."""
        dice, sides = self.dice[seat]
        face, whole = np.r_[0.0, np.full(sides, 1 / sides)], np.ones(1)
        for _ in range(self.throws):
            parts = [(odds, power(face, dice + extra)) for extra, odds in more.items()]
            once = np.zeros(max(len(part) for _, part in parts))
            for odds, part in parts:
                once[: len(part)] += odds * part
            whole = np.convolve(whole, once)
        return whole

    def ends(self, first: Mapping[int, float], second: Mapping[int, float]) -> tuple[float, float, float]:
        """Chances of win, draw and loss of the first."""
        both = np.outer(self.law(0, first), self.law(1, second))
        ahead = np.arange(both.shape[0])[:, None] + self.lead - np.arange(both.shape[1])
        win, draw, loss = (float(both[np.sign(ahead) == sign].sum()) for sign in (1, 0, -1))
        return win, draw, loss

    def checks(self, seen: set[str], draws: int, seed: int) -> Iterator[Any]:
        """No check but the throws themselves."""
        return iter(())

    def solve(
        self,
        modes: Sequence[str] = ("best", "best"),
        prices: Mapping[str, float] | None = None,
        without: Sequence[str] = ("", ""),
        whole: bool = True,
    ) -> Any:
        """As the contract has it; one die more is never worse, so that is best where it may be."""
        best = [next(move for move in MOVES if move != lost) for lost in without]
        plays = [MODES[mode] or MOVES[move] for mode, move in zip(modes, best, strict=True)]
        win, draw, loss = self.ends(*plays)
        worth = prices or {"win": 1.0, "draw": 0.5}
        value = win * worth.get("win", 0) + draw * worth.get("draw", 0) + loss * worth.get("loss", 0)
        play = tuple({move: 1.0} for move in best)
        return SimpleNamespace(
            value=value, win=win, draw=draw, loss=loss, states=1, mixes=0, gap=0.0, play=play if whole else ({}, {})
        )


def power(law: Any, times: int) -> Any:
    """The law of a sum of so many."""
    found = np.ones(1)
    for _ in range(times):
        found = np.convolve(found, law)
    return found
