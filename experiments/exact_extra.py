"""What one more card adds to a lineup: solved, and played by the bot that plays what was solved.

A game says which kind of cards its lineups don't have by themselves, and which setting of the table gives one to the
first seat (`Game.extra`). Both seats know of the card and play as well as can be with it there; the games with it and
without have the same dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from experiments.exact import BEST, EQUILIBRIUM, NOTHING, Lineup, Solving, settled, spread
from experiments.intervals import paired_interval
from experiments.pairs import VALUES, play_pairs
from experiments.plan import group_of
from simcore.game import SHARE, seatings
from simcore.streams import root

Ints = npt.NDArray[np.int64]


class Gain(NamedTuple):
    """What a card adds in one lineup: to the value and to the chance to win, both solved, NaN for a card that isn't in
    the solver's tree; and games by who won without the card (down) and with it (across), as `Pairs.joint` counts the
    first seat.
    """

    card: str
    lineup: Lineup
    value: float
    win: float
    counts: Ints


@dataclass
class Extra:
    """What a card adds over some lineups, and where it adds most.

    value, win, counts: as of `Gain`, summed over `lineups`; most, where: the largest gain of value.
    """

    card: str
    value: float = 0.0
    win: float = 0.0
    lineups: int = 0
    most: float = 0.0
    where: Lineup = ()
    counts: Ints = field(default_factory=lambda: np.zeros((VALUES, VALUES), np.int64))

    def add(self, gain: Gain) -> None:
        """Count one more lineup."""
        self.value, self.win, self.lineups = self.value + gain.value, self.win + gain.win, self.lineups + 1
        self.counts = self.counts + gain.counts
        if not self.where or gain.value > self.most:
            self.most, self.where = gain.value, gain.lineup

    @property
    def solved(self) -> bool:
        """Whether the card is in the solver's tree; else it was only played."""
        return not np.isnan(self.value)

    @property
    def rank(self) -> float:
        """What the card adds on average: solved, or played."""
        return self.value / max(self.lineups, 1) if self.solved else self.gained()[0]

    def gained(self) -> tuple[float, float, float]:
        """How much more often games were won with the card than without, with its 95 % interval (paired): NaN if none
        was played, and the interval where all games came out the same.
        """
        wins = (np.arange(VALUES) == SHARE).astype(np.int64)
        gains = wins[None, :] - wins[:, None]
        games, total, square = (int((self.counts * part).sum()) for part in (1, gains, gains**2))
        seen = gains[self.counts > 0] if games else np.zeros(1)
        numbers = [np.array([one]) for one in (total, square, seen.min(), seen.max(), games)]
        low, high = paired_interval(numbers[0], numbers[1], (numbers[2], numbers[3]), numbers[4])
        return total / games if games else np.nan, float(low[0]), float(high[0])

    def plain(self) -> dict[str, Any]:
        """As plain values for JSON: means over the lineups."""
        many, games = max(self.lineups, 1), int(self.counts.sum())
        solved: dict[str, Any] = {"value": None, "win": None, "most": None, "where": ()}
        if self.solved:
            means = settled(self.value / many), settled(self.win / many)
            solved = {"value": means[0], "win": means[1], "most": self.most, "where": self.where}
        ends = [None if np.isnan(end) else end for end in self.gained()]
        played = {"games": games} | dict(zip(("played", "low", "high"), ends, strict=True))
        return {"card": self.card, "lineups": self.lineups} | solved | played


def worlds(solving: Solving) -> dict[str, Solving]:
    """Card -> the same table at which the first seat has it; only cards that do something there. Raises Mistakes."""
    kind, setting = solving.game.extra
    found = {
        slug: replace(solving, settings={**solving.settings, setting: place})
        for place, slug in enumerate(solving.pack.cards[kind])
    }
    return {slug: one for slug, one in found.items() if not one.same_tables(solving)}


def extras(
    solving: Solving, lineups: Iterable[Lineup], games: int, seed: int = 1, jobs: int = 1
) -> Iterator[list[Gain]]:
    """Lineup by lineup, what each card of `worlds` adds, solved and over so many games. Raises Mistakes for a lineup
    that can't be solved.
    """
    others = worlds(solving)
    return spread(jobs, lambda lineup: list(_of_lineup(solving, others, lineup, games, seed)), lineups)


def _of_lineup(
    solving: Solving, others: Mapping[str, Solving], lineup: Lineup, games: int, seed: int
) -> Iterator[Gain]:
    without = solving.open(lineup).solve((BEST, BEST), solving.prices)
    for card, other in others.items():
        opened = other.open(lineup)
        found = opened.solve((BEST, BEST), solving.prices)
        value, win = _beyond(found.value - without.value), _beyond(found.win - without.win)
        if opened.partial:
            value = win = np.nan
        yield Gain(card, lineup, value, win, _played(solving, other, lineup, games, seed))


def _beyond(difference: float) -> float:
    """A difference, rounding aside."""
    return settled(difference) if abs(difference) > NOTHING else 0.0


def _played(solving: Solving, other: Solving, lineup: Lineup, games: int, seed: int) -> Ints:
    """The games of a lineup without and with a card on the same dice, the first seat's values as in `Pairs.joint`."""
    if not games:
        return np.zeros((VALUES, VALUES), np.int64)
    game, tables = solving.game, (solving.tables, other.tables)
    bots = {side.bot: EQUILIBRIUM for side in game.sides}
    rows = [seatings(game, one, lineup, bots, "none") for one in tables]
    key = root(seed, group_of(game, lineup))
    return play_pairs(game, tables, (rows[0], rows[1]), key, 0, games)[1].joint(0)
