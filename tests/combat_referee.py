"""What a reader of a combat's replay derives with the rules of the chapter Combat: Health, Ammo, Fuel, Radiation,
range, dominance and who wins. Each line must fit the last ones.

    referee = Combat(arrows, "long", tops=(4, 6), dials=({"Ammo": 4, "Fuel": 4, "Radiation": 0}, {}))
    for line in story:
        referee.read(line)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

RANGES = ("short", "medium", "long")
CLASHES = 3
ATTACKS = ("Attack", "Multi-attack")


class Combat:
    """A combat as its reader sees it.

    arrows: card or way -> dominance, as the pack prints it (below 0 for the opponent); start: the range to begin with;
    tops: most Health of each side; dials: what each side has of "Ammo", "Fuel" and "Radiation"; strides: steps that
    each side's Change Range goes, None if that is not known; ferocious: whether no dominance is counted."""

    def __init__(
        self,
        arrows: Mapping[str, int],
        start: str,
        *,
        tops: tuple[int, int],
        dials: tuple[dict[str, int], dict[str, int]],
        strides: tuple[int, int] | None = (1, 1),
        ferocious: bool = False,
    ) -> None:
        self.arrows, self.range, self.tops, self.dials = arrows, start, tops, dials
        self.strides, self.ferocious = list(strides or ()), ferocious
        self.names: list[str] = []
        self.health, self.marker, self.clash = [0, 0], 0, 0
        self.shown, self.ways, self.dealt, self.ended = ["", ""], ["", ""], [0, 0], ""
        self.spent = {"Ammo": [0, 0], "Fuel": [0, 0]}
        self.wanted: list[tuple[int, str]] = []
        self.begun = self.hits = 0
        lines: dict[str, Callable[..., None]] = {
            r"(.+) \((\d+) Health\) meets (.+) \((\d+) Health\)\.": self.begin,
            r"The combat starts at (\w+) range\.(.*)": self.start,
            r"Clash (\d) at (\w+) range: (.+) shows (.+), (.+) shows (.+)\.": self.show,
            r"(.+) (advance|retreat)s\.": lambda who, way: self.ways.__setitem__(self.side(who), way),
            r"(.+) spends (.+)\.": self.pay,
            r"(.+) wins (\d.+)\.": self.win,
            r"(.+) attacks(.*) by the (\w+) icon: (\d+) (?:die|dice), (\d+) success(?:es)?, (\d+) Bull’s Eyes?(.*)\.":
                self.attack,
            r"(.+) loses (\d+) Health, (\d+) left\.": self.lose,
            r"By a card of (.+): (.+) (gains|loses) (\d+) (Health|Ammo|Fuel|Radiation)\.": self.change,
            r"By a card of (.+): (.+) has dominance ([+-]\d+)\.": self.sway,
            r"By a card of (.+): (.+) has stride ([+-]\d+)\.": self.lengthen,
            r"By a card of (.+): (short|medium|long|another) range\.": self.set_range,
            r"Dominance: (.+) \+(\d+), (.+) \+(\d+); the marker is (?:on (0)|(\d+) to the side of (.+))\.": self.count,
            r"The range is (\w+) now\.": self.move,
            r"The end: (.+) wins? \((.+)\)\.": self.end,
        }  # fmt: skip
        self.lines = [(re.compile(pattern), does) for pattern, does in lines.items()]

    def read(self, line: str) -> None:
        """Follow one line."""
        for pattern, does in self.lines:
            if found := pattern.fullmatch(line.strip()):
                does(*found.groups())
                return

    def side(self, name: str) -> int:
        """The side of a name."""
        return self.names.index(name)

    def begin(self, first: str, health: str, second: str, other: str) -> None:
        """Both sides, as they begin."""
        self.names, self.health = [first, second], [int(health), int(other)]

    def start(self, distance: str, note: str) -> None:
        """The starting range: that of the rules, unless one side alone wants another one."""
        asked = {who for who, _ in self.wanted}
        if len(asked) == 1:
            last = self.wanted[-1][1]
            assert last in ("another", distance)
            self.range = distance
        assert self.range == distance and bool(note) == (len(asked) == 2)
        self.begun = 1

    def show(self, clash: str, distance: str, first: str, card: str, second: str, other: str) -> None:
        """Both cards of a clash."""
        assert (int(clash), distance, [first, second]) == (self.clash + 1, self.range, self.names)
        self.clash, self.shown, self.ways, self.dealt = self.clash + 1, [card, other], ["", ""], [0, 0]

    def pay(self, who: str, what: str) -> None:
        """Ammo and Fuel that an attack takes."""
        for many, dial in re.findall(r"(\d+) (Ammo|Fuel)", what):
            self.dials[self.side(who)][dial] -= int(many)
            self.spent[dial][self.side(who)] += int(many)
            assert self.dials[self.side(who)][dial] >= 0

    def win(self, who: str, what: str) -> None:
        """Ammo and Fuel that a victory brings."""
        assert self.ended
        for many, dial in re.findall(r"(\d+) (Ammo|Fuel)", what):
            self.dials[self.side(who)][dial] += int(many)
            assert self.dials[self.side(who)][dial] <= 4

    def attack(self, who: str, _weapon: str, _icon: str, dice: str, hits: str, tens: str, miss: str) -> None:
        """An attack: only who shows an attack card strikes, and no more dice succeed than are rolled."""
        assert self.shown[self.side(who)] in ATTACKS and int(tens) <= int(hits) <= int(dice)
        assert bool(miss) == (int(hits) == 0)
        self.hits = int(hits)

    def lose(self, who: str, many: str, left: str) -> None:
        """Health lost to a blow that has hit; it counts for dominance."""
        x = self.side(who)
        assert self.hits > 0, "an attack without a success costs nobody Health"
        self.health[x] -= int(many)
        self.dealt[1 - x] += int(many)
        assert self.health[x] == int(left) >= 0, f"{who} had {self.health[x] + int(many)} Health"

    def change(self, _holder: str, who: str, way: str, many: str, dial: str) -> None:
        """A dial that a card turns, within its range."""
        x, by = self.side(who), int(many) if way == "gains" else -int(many)
        if dial == "Health":
            self.health[x] = min(max(self.health[x] + by, 0), max(self.tops[x], self.health[x]))
        else:
            self.dials[x][dial] = min(max(self.dials[x][dial] + by, 0), 4)

    def sway(self, _holder: str, who: str, many: str) -> None:
        """Dominance by a card."""
        self.marker += 0 if self.ferocious else int(many) * (1 if self.side(who) == 0 else -1)

    def lengthen(self, _holder: str, who: str, many: str) -> None:
        """Longer steps of Change Range."""
        if self.strides:
            self.strides[self.side(who)] += int(many)

    def set_range(self, holder: str, distance: str) -> None:
        """A range that a card wants before the combat, or sets at the end of a clash."""
        if not self.begun:
            self.wanted.append((self.side(holder), distance))
        else:
            self.moved()
            self.range = distance

    def count(self, first: str, mine: str, second: str, theirs: str, zero: str, by: str, whose: str) -> None:
        """Dominance of the clash: arrows of the cards shown, and Health that blows took."""
        raw = [self.arrows[self.ways[x] or self.shown[x]] + self.dealt[x] for x in range(2)]
        expected = [max(raw[x], 0) + max(-raw[1 - x], 0) for x in range(2)]
        assert (first, second, [int(mine), int(theirs)]) == (*self.names, expected)
        self.marker += expected[0] - expected[1]
        assert self.marker == (0 if zero else int(by) * (1 if whose == self.names[0] else -1))

    def moved(self) -> None:
        """Move the range by Change Range: opposite ways cancel, the same way adds up."""
        steps = [(self.strides or (1, 1))[x] * {"": 0, "advance": -1, "retreat": 1}[self.ways[x]] for x in range(2)]
        step = 0 if steps[0] * steps[1] < 0 else sum(steps)
        self.range = RANGES[min(max(RANGES.index(self.range) + step, 0), 2)]
        self.ways = ["", ""]

    def move(self, distance: str) -> None:
        """The range at the end of a clash."""
        self.moved()
        if self.strides:
            assert self.range == distance
        self.range = distance

    def end(self, who: str, how: str) -> None:
        """Who wins, by the rules: who alone stands, else whom the marker favours after the last clash."""
        down = [health <= 0 for health in self.health]
        self.ended = how
        if how == "both defended, and may trade":
            assert (self.clash, self.shown, who) == (1, ["Defend", "Defend"], "nobody")
        elif any(down) or how == "by an effect of a card":
            expected = "nobody" if all(down) else self.names[down.index(True) ^ 1] if any(down) else who
            assert who == expected
        else:
            favoured = "nobody" if self.ferocious or self.marker == 0 else self.names[0 if self.marker > 0 else 1]
            assert (self.clash, who) == (CLASHES, favoured)


def of_pack(combat: Any) -> dict[str, int]:
    """The arrows of combat cards and ways, as a pack prints them."""
    return {
        "Attack": combat.attack_arrows, "Multi-attack": combat.multi_arrows, "Prepare": 0, "Change Range": 0,
        "advance": combat.advance_arrows, "retreat": -combat.retreat_arrows, "Defend": -combat.defend_arrows,
    }  # fmt: skip
