"""A reader of replays of Marauders of the Great Wastelands: works out the table from the text alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any


class Gang:
    """What the text says that a gang has."""

    def __init__(self) -> None:
        self.loot = self.points = self.deck = self.slaves = self.fanatics = self.trophies = 0
        self.hand, self.lair, self.hurt, self.discards = (Counter[str]() for _ in range(4))


class Referee:
    """The table as a reader works it out, line by line."""

    def __init__(self) -> None:
        self.gangs: dict[str, Gang] = {}
        self.loot: dict[str, int] = {}
        self.owner: dict[str, str] = {}
        self.there: dict[str, Counter[str]] = {}
        self.market = Counter[str]()
        self.now, self.site = "", ""
        self.read: list[tuple[str, Callable[..., None]]] = [
            (r"(.+) opens: (\d+) loot\.", self.opens),
            (r"  (.+) is for hire\.", lambda card: self.market.update([card])),
            (r"(.+) begin with (.+) and (.+) in the lair, (\d+) cards? in the deck\.", self.begins),
            (r"  (.+) draw \(they alone see it\): (.+)\.", self.draws),
            (r"  (.+) shuffle their (\d+) discarded cards? into a new deck\.", self.shuffles),
            (r"Day \d+, hour \d+: (.+)\.", lambda gang: setattr(self, "now", gang)),
            (r"  (.+) is hired\.", lambda card: self.move(card, self.market, self.mine.hand)),
            (r"  (.+) comes from the market into the lair\.", lambda c: self.move(c, self.market, self.mine.lair)),
            (r"  (.+) is patched up\.", lambda card: self.move(card, self.mine.hurt, self.mine.lair)),
            (r"  (.+) comes into the lair\.", lambda card: self.move(card, self.mine.hand, self.mine.lair)),
            (r"  (.+) comes back from the discard pile\.", lambda c: self.move(c, self.mine.discards, self.mine.hand)),
            (r"  (.+) is discarded\.", lambda card: self.move(card, self.mine.hand, self.mine.discards)),
            (r"    (.+) leaves the game for it\.", lambda card: self.move(card, self.mine.hand, Counter())),
            (r"    (.+) is discarded for it\.", lambda card: self.move(card, self.mine.hand, self.mine.discards)),
            (r"    A fanatic is lost for it\.", lambda: self.fodder(self.now, fanatics=-1)),
            (r"    A slave is lost for it\.", lambda: None),
            (r"    (.+) is wounded for (?:it|more strength)\.", lambda c: self.move(c, self.mine.lair, self.mine.hurt)),
            (r"  +(\d+) loot from (.+), (\d+) left\.", self.takes_loot),
            (r"    (\d+) loot on (.+) destroyed, (\d+) left\.", self.loses_loot),
            (r"  (.+) take (.+) to the trophies: (\d+) points?\.", self.takes),
            (r"  (.+) leaves the game\.|    (.+) is destroyed\.", self.goes),
            (r"Night falls.*", self.night),
            (r"    (\d+) slaves? from the pool for (.+) on (.+)\.", self.arrive),
            (r"    (\d+) slaves? from the pool for (.+)\.", lambda n, gang: self.fodder(gang, slaves=int(n))),
            (r"    (\d+) fanatics? from the pool for (.+)\.", lambda n, gang: self.fodder(gang, fanatics=int(n))),
            (r"  (?:.+) ambush (.+): strength \d+ (?:against \d+|on neutral ground)\.", self.aims),
            (r"  (?:.+) reinforce their (.+)\.", self.aims),
            (r"    With (?:(\d+) slaves?)?(?: and )?(?:(\d+) fanatics?)?\.", self.slaves_go),
            (r"    (.+) of (.+) goes to the own discard pile\.", lambda c, g: self.gangs[g].discards.update([c])),
            (r"    (\d+) slaves? of (?:.+) on (.+) to the pool\.", lambda n, at: self.leave(at, "slave", int(n))),
            (r"    (\d+) fanatics? of (.+) to the pool\.", lambda n, gang: self.fodder(gang, fanatics=-int(n))),
            (r"    A slave of (.+) is lost from the lair to the pool\.", lambda g: self.fodder(g, slaves=-1)),
            (r"    A fanatic of (.+) is lost from the lair to the pool\.", lambda g: self.fodder(g, fanatics=-1)),
            (r"    (.+) of (.+) goes home wounded from (.+)\.", self.home_wounded),
            (r"    (.+) goes home from (.+)\.", self.goes_home),
            (r"    (.+) of (.+) is wounded in the lair\.", self.wounded),
            (r"    (.+) (?:goes|go)\.", self.squad_goes),
            (r"  The ability of .+ is used\.|    .+ beaten off .+\.|    .+ may (?:go|be placed).*", lambda *_: None),
            (r"Day \d+ .+|    Slaves attack.*|    Nobody is left.*|  The squad is too weak.*", lambda *_: None),
        ]

    @property
    def mine(self) -> Gang:
        """The gang whose hour it is."""
        return self.gangs[self.now]

    def line(self, text: str) -> None:
        """Read a line; each must have one meaning."""
        for pattern, does in self.read:
            if found := re.fullmatch(pattern, text):
                does(*(found.groups() if "leaves the game" not in pattern or "|" not in pattern else [found]))
                return
        raise AssertionError(f"no reader can follow: {text!r}")

    def move(self, card: str, start: Counter[str], goal: Counter[str]) -> None:
        """Move a card, which must be there."""
        assert start[card] > 0, f"{card} isn't there"
        start[card] -= 1
        goal[card] += 1

    def opens(self, site: str, loot: str) -> None:
        """A territory opens."""
        self.loot[site], self.owner[site], self.there[site] = int(loot), "", Counter()

    def begins(self, gang: str, first: str, second: str, deck: str) -> None:
        """A gang's hot start."""
        self.gangs[gang] = Gang()
        self.gangs[gang].lair.update([first, second])
        self.gangs[gang].deck = int(deck)

    def draws(self, gang: str, cards: str) -> None:
        """Cards come into a hand."""
        drawn = cards.split(", ")
        self.gangs[gang].hand.update(drawn)
        self.gangs[gang].deck -= len(drawn)

    def shuffles(self, gang: str, many: str) -> None:
        """A discard pile becomes a deck."""
        assert self.gangs[gang].discards.total() == int(many) and self.gangs[gang].deck == 0
        self.gangs[gang].deck, self.gangs[gang].discards = int(many), Counter()

    def takes_loot(self, many: str, site: str, left: str) -> None:
        """Loot goes to the gang whose hour it is."""
        self.mine.loot += int(many)
        self.mine.points += int(many)
        self.loses_loot(many, site, left)

    def loses_loot(self, many: str, site: str, left: str) -> None:
        """Loot leaves a territory."""
        self.loot[site] -= int(many)
        assert self.loot[site] == int(left)

    def takes(self, gang: str, site: str, points: str) -> None:
        """A territory goes to the trophies."""
        assert self.owner[site] == gang and self.loot.pop(site) == 0
        self.gangs[gang].points += int(points)
        self.gangs[gang].trophies += 1

    def goes(self, found: Any) -> None:
        """A territory leaves the game."""
        self.loot.pop(found[1] or found[2])

    def night(self) -> None:
        """All wounded are patched up."""
        for gang in self.gangs.values():
            gang.lair += gang.hurt
            gang.hurt = Counter()

    def fodder(self, gang: str, slaves: int = 0, fanatics: int = 0) -> None:
        """Fodder comes to a lair or leaves it."""
        self.gangs[gang].slaves += slaves
        self.gangs[gang].fanatics += fanatics

    def arrive(self, many: str, gang: str, site: str) -> None:
        """Slaves come straight to a territory."""
        self.there[site]["slave"] += int(many)

    def aims(self, site: str) -> None:
        """A squad sets out."""
        self.site = site

    def squad_goes(self, cards: str) -> None:
        """A squad's followers come to stand on a territory."""
        for card in re.split(r", | and ", cards):
            self.move(card, self.mine.lair, self.there[self.site])
        self.owner[self.site] = self.now

    def slaves_go(self, slaves: str | None, fanatics: str | None) -> None:
        """Slaves of a squad stay on a territory."""
        if slaves:
            self.mine.slaves -= int(slaves)
            self.there[self.site]["slave"] += int(slaves)
            self.owner[self.site] = self.now

    def leave(self, site: str, card: str, many: int = 1) -> None:
        """Followers leave a territory; with the last one it is neutral."""
        self.there[site][card] -= many
        assert self.there[site][card] >= 0, f"{card} isn't on {site}"
        if self.there[site].total() == 0:
            self.owner[site] = ""

    def home_wounded(self, card: str, gang: str, site: str) -> None:
        """A follower is knocked out."""
        self.leave(site, card)
        self.gangs[gang].hurt[card] += 1

    def goes_home(self, card: str, site: str) -> None:
        """A follower goes home upright."""
        self.leave(site, card)
        self.mine.lair[card] += 1

    def wounded(self, card: str, gang: str) -> None:
        """A follower of a lair is wounded."""
        self.move(card, self.gangs[gang].lair, self.gangs[gang].hurt)
