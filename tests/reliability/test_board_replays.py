"""Replays of the board hold all that a referee needs (FK16): everything is derived from their text, and compared."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from simcore.kernels import blank
from tests.board_table import Table
from tests.combat_referee import Combat, of_pack
from tests.faults import sound
from tests.refereed import Ledger, Pile

NAMES = ("Mel", "Naomi", "Chris", "Kate")
DIALS = ("Health", "Ammo", "Fuel", "Radiation")
GEAR = ("green gear", "yellow gear", "red gear", "blue cards")


class Referee(Ledger):
    """A table of the board as a reader of its replay sees it, who knows the colors of cards, and the rules."""

    def __init__(self, names: list[str], colors: dict[str, int], pack: Any) -> None:
        super().__init__()
        self.names, self.colors, self.pack = names, colors, pack
        self.enemies = {card.title: card for card in pack.cards["enemy"].values()}
        self.combat: Combat | None = None
        self.owed: dict[tuple[str, str], int] = {}
        self.mover, self.waster, self.hidden = "", 0, 0
        self.vehicle = dict.fromkeys(names, "no vehicle")
        self.stalls: dict[int, str] = {}
        self.tasks: dict[str, int] = {}
        self.looked = 0
        self.attached: dict[str, dict[str, str]] = {name: {} for name in names}
        for name in names:
            self.numbers |= {(name, dial): 4 for dial in DIALS[:3]} | {(name, "Radiation"): 0, (name, "Reputation"): 0}
            self.numbers[name, "hex"] = 0
        who = "(" + "|".join(map(re.escape, names)) + ")"
        lines: dict[str, Callable[..., None]] = {
            r"Deck of (.+): (\d+) cards\.": lambda pile, n: self.piles.update({pile: Pile(int(n))}),
            rf"{who}: (\w+) ([+-]\d+), (\d+) now\.": self.turns,
            rf"Combat of {who} with (.+)\.": self.fights,
            r"Combat with (.+): (drawn|won|lost)\.": self.fought,
            rf"{who}, on .+ \((\d+)\)\.": self.begins,
            r"enters .+ \((\d+)\)\.": lambda h: self.goes(self.mover, h),
            rf"{who} (?:jumps to|comes to on) .+ \((\d+)\)\.": self.goes,
            rf"{who} is on .+ \((\d+)\)\.": self.stands,
            rf"{who} has (.+) now\.": lambda p, ride: self.vehicle.update({p: ride}),
            rf"{who} starts with (.+)\.": self.put,
            rf"{who} draws luck card (.+) \(seen by \1 alone\)\.": lambda p, card: self.draws(
                "luck", (p, "luck"), card
            ),
            rf"{who} draws (?!luck card)(.+)\.": lambda p, card: self.draws(GEAR[self.colors[card]], p, card),
            rf"{who} gives up (.+)\.": lambda p, card: self.discards(p, card),
            rf"{who} removes (.+) from the game\.": self.removes,
            rf"{who} attaches (.+?) to (.+)\.": self.attaches,
            rf"{who} detaches (.+)\.": lambda p, card: self.attached[p].pop(card),
            rf"{who} hands (.+) to {who}\.": lambda p, card, q: (self.take(p, card), self.put(q, card)),
            rf"{who} takes (.+) from space (\d+) of the Stalls for \d+\.": self.buys,
            rf"{who} plays (.+)\.": lambda p, card: self.spends(p, card),
            rf"{who} gives (.+) for a quick resupply\.": lambda p, card: self.spends(p, card),
            rf"{who} discards luck card (.+), one above the limit\.": lambda p, card: self.spends(p, card),
            r"Stalls, space (\d+): (.+) for \d+\.": self.fills,
            r"The Waster clears space (\d+) of the Stalls: (.+)\.": self.clears,
            r"The Waster sees .+\.": lambda: self.sees(),
            r"The Waster has only .+, which lay under his marker\.": lambda: self.uncovers(),
            r"The card under the Waster marker is discarded: .+\.": lambda: self.drops_hidden(),
            rf"{who} looks at .+ \(seen by \1 alone\)\.": lambda _: self.looks(),
            rf"{who} keeps .+ for the Waster \(seen by \1 alone\)\.": lambda _: self.hides(),
            r"Exploration\.": lambda: self.move_ends(),
            rf"(?:Common|Private) task(?: of {who})?: (.+)\.": lambda _, task: self.tasks.update({task: 0}),
            r"(.+) has (\d+) marks?\.": lambda task, n: self.tasks.update({task: int(n)}),
            rf"{who} accomplishes (.+)\.": lambda _, task: self.tasks.pop(task),
            r"(.+) is out of date\.": lambda task: self.tasks.pop(task),
        }
        self.lines = [(re.compile(pattern), does) for pattern, does in lines.items()]

    def read(self, line: str) -> None:
        """Follow one line; those of a combat are indented further."""
        if line.startswith("      "):
            assert self.combat
            self.combat.read(line)
            return
        for pattern, does in self.lines:
            if found := pattern.fullmatch(line.strip()):
                does(*found.groups())
                return

    def turns(self, name: str, dial: str, by: str, now: str) -> None:
        """Turn a dial; after a combat by what it has cost."""
        self.turn((name, dial), int(by), int(now))
        if (name, dial) in self.owed:
            assert self.owed.pop((name, dial)) == int(by), f"{name} comes out of the combat with other {dial}"

    def fights(self, name: str, other: str) -> None:
        """Begin a combat with the dials as they are."""
        rules, foe = self.pack.cards["combat"][""], self.enemies.get(other)
        dials = [{dial: self.numbers.get((who, dial), 0) for dial in DIALS[1:]} for who in (name, other)]
        self.combat = Combat(
            of_pack(rules), rules.start_range, tops=(4, foe.health if foe else 4), dials=(dials[0], dials[1]),
            strides=None, ferocious=bool(foe and foe.ferocious),
        )  # fmt: skip

    def fought(self, other: str, how: str) -> None:
        """End it: what it has cost turns the dials of the knights who fought."""
        assert self.combat and self.combat.ended
        for x, name in enumerate(self.combat.names):
            if name in self.names:
                dials = {"Health": self.combat.health[x], **self.combat.dials[x]}
                changes = {(name, dial): now - self.numbers[name, dial] for dial, now in dials.items()}
                self.owed |= {key: by for key, by in changes.items() if by}
        self.combat = None

    def attaches(self, name: str, card: str, carrier: str) -> None:
        """Attach an own card to another own one, or to the vehicle."""
        assert card in self.at(name) and card not in self.attached[name]
        assert carrier in (*self.at(name), "the vehicle")
        self.attached[name][card] = carrier

    def take(self, where: Any, card: str) -> None:
        """Take a card, with what it was attached to; whatever was attached to it has left it before."""
        super().take(where, card)
        if where in self.attached:
            self.attached[where].pop(card, None)
            assert card in self.at(where) or card not in self.attached[where].values()

    def begins(self, name: str, h: str) -> None:
        """Begin a move where the knight was known to be."""
        assert not self.owed, f"a combat has cost {self.owed}, and no line says so"
        self.move_ends()
        self.mover = name
        self.stands(name, h)

    def stands(self, name: str, h: str) -> None:
        """Find a knight where he was known to be."""
        assert self.numbers[name, "hex"] == int(h), f"{name} was on {self.numbers[name, 'hex']}, not on {h}"

    def goes(self, name: str, h: str) -> None:
        """Put a knight on a hex."""
        self.numbers[name, "hex"] = int(h)

    def draws(self, pile: str, where: Any, card: str) -> None:
        """Draw a card."""
        if pile == GEAR[3]:
            self.piles[pile].left -= 1
        else:
            self.piles[pile].draw()
        self.put(where, card)

    def discards(self, name: str, card: str) -> None:
        """Discard a card by its color; a blue one goes under its deck, and starting gear leaves the game."""
        self.take(name, card)
        if self.colors[card] < 3:
            self.piles[GEAR[self.colors[card]]].discard()
        elif self.colors[card] == 3:
            self.piles[GEAR[3]].left += 1

    def removes(self, name: str, card: str) -> None:
        """Remove a blue card from the game: an own one, or one of the deck."""
        if card in self.at(name):
            self.take(name, card)
        else:
            self.piles[GEAR[3]].left -= 1

    def buys(self, name: str, card: str, space: str) -> None:
        """Take what lies on a space."""
        assert self.stalls.pop(int(space)) == card
        self.put(name, card)

    def fills(self, space: str, card: str) -> None:
        """Fill an empty space."""
        assert int(space) not in self.stalls
        if card != "nothing":
            self.draws(GEAR[self.colors[card]], "stalls", card)
            self.stalls[int(space)] = card

    def clears(self, space: str, card: str) -> None:
        """Discard what lies on a space."""
        assert self.stalls.pop(int(space)) == card
        self.piles[GEAR[self.colors[card]]].discard()

    def spends(self, name: str, card: str) -> None:
        """Discard a luck card of a hand."""
        self.take((name, "luck"), card)
        self.piles["luck"].discard()

    def sees(self) -> None:
        """Show a card of the wasteland deck."""
        self.piles["wasteland"].draw()
        self.waster += 1

    def looks(self) -> None:
        """Look at a card of the wasteland deck."""
        self.piles["wasteland"].draw()
        self.looked += 1

    def hides(self) -> None:
        """Keep one of the cards looked at; the others, and the one that was hidden, are discarded."""
        self.piles["wasteland"].discarded += self.looked - 1 + self.hidden
        self.looked, self.hidden = 0, 1

    def uncovers(self) -> None:
        """Show the hidden card."""
        self.waster, self.hidden = 1, 0

    def drops_hidden(self) -> None:
        """Discard the hidden card."""
        self.hidden = 0
        self.piles["wasteland"].discard()

    def move_ends(self) -> None:
        """Discard what the Waster has seen."""
        self.piles["wasteland"].discarded += self.waster
        self.waster = 0


class Watched(list[Any]):
    """A journal that keeps what a table looks like whenever a round begins, and at the end."""

    def __init__(self, b: Table) -> None:
        super().__init__()
        self.b, self.seen = b, []  # type: tuple[Table, list[Any]]

    def append(self, note: Any) -> None:
        told = self.b.rules["knights.board_tell"]
        if note.what in (told.ROUND, told.ENDS):
            self.seen.append(real(self.b))
        super().append(note)


def real(b: Table) -> dict[str, Any]:
    """What a table looks like, in words."""
    s, titles = b.s, b.tables.titles
    found: dict[str, Any] = {}
    for p, full in enumerate(names_of(b)):
        player = s.player[p]
        for dial in (*DIALS, "Reputation", "hex"):
            found[f"{full}: {dial}"] = int(player[dial.lower()])
        ride = titles["vehicle"][player.vehicle] if player.vehicle >= 0 else ""
        found[f"{full}: vehicle"] = ("a damaged " if player.damage else "the ") + ride if ride else "no vehicle"
        found[f"{full}: gear"] = sorted(b.items()[item] for item in player.thing[: player.items])
        found[f"{full}: luck"] = sorted(titles["luck"][card] for card in player.luck[: player.lucks])
        found[f"{full}: attached"] = carriers(b, player)
    piles = dict(zip((*GEAR, "wasteland", "luck"), (*s.gear, s.cards, s.luck), strict=True))
    found |= {pile: (int(row.left), int(row.discarded)) for pile, row in piles.items()}
    found["stalls"] = {i + 1: b.items()[item] for i, item in enumerate(s.stall[: b.t.map.stalls]) if item >= 0}
    found["tasks"] = {titles["task"][row.task]: int(row.marks) for row in s.post[: s.posts] if row.task >= 0}
    return found


def carriers(b: Table, player: Any) -> dict[str, str]:
    """What is attached to gear and to the vehicle, by what carries it."""
    spots, found = b.rules["knights.board_state"], {}
    for i in range(player.items):
        if b.t.thing[player.thing[i]].group == b.rules["knights.belongings"].FOR_GEAR:
            if player.spot[i] == spots.FITTED:
                found[b.items()[player.thing[i]]] = b.items()[player.thing[player.on[i]]]
            elif player.spot[i] == spots.BESIDE:
                found[b.items()[player.thing[i]]] = "the vehicle"
    return found


def derived(referee: Referee) -> dict[str, Any]:
    """What a reader knows, in the same words."""
    found: dict[str, Any] = {}
    for name in referee.names:
        for dial in (*DIALS, "Reputation", "hex"):
            found[f"{name}: {dial}"] = referee.numbers[name, dial]
        found[f"{name}: vehicle"] = referee.vehicle[name]
        found[f"{name}: gear"], found[f"{name}: luck"] = referee.at(name), referee.at((name, "luck"))
        found[f"{name}: attached"] = referee.attached[name]
    found |= {name: (pile.left, pile.discarded) for name, pile in referee.piles.items()}
    found["stalls"], found["tasks"] = referee.stalls, referee.tasks
    return found


def names_of(b: Table) -> list[str]:
    """The knights round the table, by their full names."""
    titles = {role.title.split()[0]: role.title for role in b.tables.roles["knights"]}
    return [titles[name] for name in b.knights]


GAMES = [(2, "regular", 1), (2, "random", 2), (2, "strong", 3), (3, "random", 4), (3, "regular", 5), (3, "random", 6),
         (4, "regular", 7), (4, "random", 8), (4, "strong", 9), (4, "random", 10)]  # fmt: skip


def play(many: int, bot: str, game: int) -> tuple[Table, list[str], list[Any]]:
    """One uncompiled game of four rounds: its table, its replay, and what the table looked like round by round."""
    b = Table(sound(), NAMES[:many], {}, {"rounds": 4})
    row, stream, journal = b.seats(), blank(b.rules["streams"].STREAM), Watched(b)
    row.bot[:], stream.game = b.tables.bots.index(bot), game
    b.rules["knights.board_play"].play_one(b.s, b.t, stream, journal, row)
    return b, b.rules["knights.board_tell"].tell(b.tables, row, journal, b.outcome()), journal.seen


def check(b: Table, story: list[str], seen: list[Any]) -> None:
    """Derive a game from its replay, and compare at the end of each round."""
    colors = {title: int(b.t.thing[i].colour) for i, title in enumerate(b.items())}
    referee, left = Referee(names_of(b), colors, b.rules.pack("knights.board")), list(seen)
    for line in story:
        if re.match(r"Round \d+:", line):
            referee.move_ends()
            assert derived(referee) == left.pop(0), line
        referee.read(line)
    assert derived(referee) == left.pop(0) and not left


@pytest.mark.parametrize(("many", "bot", "game"), GAMES)
def test_a_referee_derives_the_board_from_the_replay(many: int, bot: str, game: int) -> None:
    """FK16: dials, Reputation, places, gear, hands, Stalls, tasks and piles at the end of each round, by the text."""
    b, story, seen = play(many, bot, game)
    assert len(seen) == 5
    check(b, story, seen)


@pytest.mark.parametrize(
    "line",
    [r"Health [+-]", r"Ammo [+-]", r"Fuel [+-]", r"Radiation [+-]", r"Reputation [+-]", r"enters ", r"Stalls, space",
     r"draws luck", r"draws (?!luck)", r"gives up", r"The Waster sees", r"The Waster clears",
     r"\d marks?\.", r"has .* now"],
)  # fmt: skip
def test_a_replay_without_a_kind_of_lines_does_not_add_up(line: str) -> None:
    """FK16: each kind of line is needed: without the first one, or without all, the reader notices."""
    b, story, seen = play(4, "random", 8)
    places = [i for i, text in enumerate(story) if re.search(line, text) and not text.startswith("      ")]
    assert places
    with pytest.raises((AssertionError, KeyError)):
        check(b, [text for i, text in enumerate(story) if i != places[0]], seen)
        check(b, [text for i, text in enumerate(story) if i not in places], seen)
