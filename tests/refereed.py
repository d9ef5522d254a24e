"""What a reader of a replay keeps: dials, piles and places, by what the lines say, and whether each line fits the last.

table = Ledger()
table.turn(("Mel", "Fuel"), -1, 3)  # raises if Fuel was not 4 before
table.piles["luck"].draw()
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field


@dataclass
class Pile:
    """A draw pile and its discard pile, which is shuffled into a new one as soon as the last card is drawn."""

    left: int = 0
    discarded: int = 0

    def draw(self) -> None:
        """Draw a card that a line names."""
        self.renew()
        assert self.left > 0, "a card is drawn, and there is none"
        self.left -= 1
        self.renew()

    def discard(self) -> None:
        """Lay a card on the discard pile."""
        self.discarded += 1

    def renew(self) -> None:
        """Shuffle the discard pile into an empty draw pile."""
        if self.left == 0:
            self.left, self.discarded = self.discarded, 0


@dataclass
class Ledger:
    """Numbers by whatever they belong to, piles by name, and cards by where they lie."""

    numbers: dict[Hashable, int] = field(default_factory=dict)
    piles: dict[str, Pile] = field(default_factory=dict)
    cards: dict[Hashable, Counter[str]] = field(default_factory=dict)

    def turn(self, of: Hashable, by: int, now: int) -> None:
        """Turn a dial, and check that what a line says of it fits what was known."""
        assert self.numbers[of] + by == now, f"{of} was {self.numbers[of]}: {by:+d} does not make {now}"
        self.numbers[of] = now

    def put(self, where: Hashable, card: str) -> None:
        """Lay a card somewhere."""
        self.cards.setdefault(where, Counter())[card] += 1

    def take(self, where: Hashable, card: str) -> None:
        """Take a card from where it must lie."""
        there = self.cards.get(where, Counter())
        assert there[card] > 0, f"{card} is not at {where}, but {sorted(there.elements())}"
        there[card] -= 1

    def at(self, where: Hashable) -> list[str]:
        """Look up the cards that lie somewhere."""
        return sorted(self.cards.get(where, Counter()).elements())
