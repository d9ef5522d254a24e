"""Replays of Beyond the Horizon: the text alone tells every dial, pile and position."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from simcore.game import find_game
from simcore.journal import Journal
from simcore.kernels import blank
from simcore.streams import root
from simcore.voyage.state import NONE
from simcore.voyage.tell import _Story, tell
from tests.property.voyage import season as seated
from tests.property.watching import Rules, Watcher
from tests.reference import reference
from tests.voyage_replay import DECKS, Reader
from tests.voyage_table import table

GAME = find_game("voyage")
KNIGHTS = ("pirate", "trader", "rangatira", "assault_marine")
SEASONS = [
    (1, "random", 0, {}), (1, "strong", 1, {}), (2, "regular", 2, {}), (2, "random", 3, {}), (3, "bold", 4, {}),
    (3, "careful", 5, {}), (4, "regular", 6, {"water": 0}), (4, "random", 7, {"difficulty": 4}),
    (4, "strong", 8, {"difficulty": 0}), (4, "random", 9, {"difficulty": 3}),
]  # fmt: skip
RULINGS = {
    8: {"ruling.sunk_cutter": '"returns"', "ruling.lost_ships": '"refilled"', "ship.cutter.hull": "2"},
    9: {"ruling.cure": '"free_choice"', "ruling.dehydration_sides": '"cards"', "ruling.encounters": '"told"'},
}
"""Season -> other readings, which have lines of their own."""


@cache
def watched() -> Rules:
    """The uncompiled rules, that stop at the end of each round."""
    return Rules(GAME, ("return_ships",))


class Umpire(Watcher):
    """Compares what the lines so far tell with the season itself, at the end of each round."""

    def __init__(self, tables: Any, names: list[str], journal: Journal) -> None:
        super().__init__(watched())
        self.tables, self.names, self.journal = tables, names, journal
        self.story, self.reader, self.read = _Story(tables, names), Reader(), 0
        self.reader.read(self.story.laid_out())

    def on_return_ships(self, s: Any, t: Any, journal: Any) -> Iterator[None]:
        """After the ships have gone back."""
        yield
        lines = [line for note in self.journal[self.read :] if (line := self.story.line(note))]
        self.read = len(self.journal)
        self.reader.read(lines)
        assert told(self.reader) == true(self.tables, self.names, s)


def told(reader: Reader) -> dict[str, Any]:
    """The season as the lines tell it."""
    knights = {
        name: {
            "port": knight.port, "stranded": knight.stranded, "down": knight.down, "out": knight.out,
            "ship": (knight.ship, knight.breach), "gear": sorted(title for title, _ in knight.gear), "dry": knight.dry,
            "upgrades": sorted(knight.upgrades), **knight.dials,
        }
        for name, knight in reader.knights.items()
    }  # fmt: skip
    decks = {name: (pile.left, pile.thrown) for name, pile in reader.decks.items()}
    quay = {slot: there for slot, there in reader.quay.items() if there[0]}
    return {
        "knights": knights, "decks": decks, "quay": quay, "stack": (reader.stack, reader.top), "pool": reader.pool,
        "lost": reader.lost, "opened": reader.opened, "taken": sorted(reader.taken), "specials": reader.specials,
        "bag": reader.bag, "round": reader.round,
    }  # fmt: skip


def true(tables: Any, names: list[str], s: Any) -> dict[str, Any]:
    """The season as it is."""
    titles = tables.titles
    stack, shown = int(s.stack), s.shown.tolist()[: len(titles["port"])]
    lost = {title for ship, title in enumerate(titles["ship"]) if int(s.lost) >> ship & 1}
    return {
        "knights": {name: true_knight(tables, knight) for name, knight in zip(names, s.knight, strict=False)},
        "decks": {
            name: (int(deck.left).bit_count(), int(deck.thrown).bit_count())
            for name, deck in zip(DECKS, s.deck, strict=True)
        },
        "quay": {
            slot + 1: (titles["ship"][ship], int(s.breach[ship]))
            for slot, ship in enumerate(s.quay.tolist()[: int(s.slots)])
            if ship != NONE
        },
        "stack": (stack, int(s.cutter[stack - 1]) if stack else 0),
        "pool": int(s.pool),
        "lost": lost,
        "opened": {titles["port"][p]: titles["destination"][card] for p, card in enumerate(shown) if card != NONE},
        "taken": sorted(
            titles["choice"][3 * card + c]
            for p, card in enumerate(shown)
            for c in range(3)
            if int(s.marks[p]) >> c & 1
        ),
        "specials": int(s.specials),
        "bag": int(s.bag).bit_count(),
        "round": int(s.rounds),
    }  # fmt: skip


def true_knight(tables: Any, knight: Any) -> dict[str, Any]:
    """A knight as he is."""
    titles, t = tables.titles, tables.data
    numbers = {
        "Water": "water", "Fuel": "fuel", "Ammo": "ammo", "Meds": "meds", "wound": "hurt", "Radiation": "radiation",
        "Contamination": "contamination", "Injury": "injuries", "Damage": "damage", "experience": "experience",
        "cargo": "cargo",
    }  # fmt: skip
    ship, dry = int(knight.ship), int(knight.dryness)
    return {
        "port": titles["port"][knight.port], "stranded": knight.stranded == 1, "down": knight.down == 1,
        "out": knight.out == 1,
        "ship": (titles["ship"][ship], int(knight.breach)) if ship != NONE else ("", 0),
        "gear": sorted(titles["gear"][t.piece[card]] for card in knight.piece.tolist()[: int(knight.pieces)]),
        "dry": (titles["dehydration"][dry], int(knight.thirst)) if dry != NONE else ("", 0),
        "upgrades": sorted(title for u, title in enumerate(titles["upgrade"]) if int(knight.upgrade) >> u & 1),
        **{name: int(knight[field]) for name, field in numbers.items()},
    }  # fmt: skip


@pytest.mark.parametrize("season", SEASONS, ids=lambda season: f"{season[0]}-{season[1]}")
def test_a_replay_tells_every_dial_pile_and_position(season: Any) -> None:
    """FV5: derived from the text alone, at the end of each round, for one to four knights."""
    many, bot, number, dials = season
    tables = GAME.load(
        reference("voyage", RULINGS.get(number, {})), {one.name: one.default for one in GAME.settings} | dials
    )
    seats = seated(*KNIGHTS[:many], bot=bot).seats(tables)
    names = [tables.roles["knights"][role].title for role in seats[0].role.tolist()[:many]]
    journal, out = Journal(), blank(GAME.outcome, 1)
    umpire = Umpire(tables, names, journal)
    with umpire.watch():
        watched()["play"]["play_range"](tables.data, seats, root(number, 5), 0, 1, out, journal)
    assert umpire.reader.round == out[0].rounds >= 1
    lines = tell(tables, seats[0], journal, out[0])
    scores = {line.split(":")[0]: int(line.split(": ")[1].split()[0]) for line in lines[-many:]}
    assert list(scores.values()) == [int(seat.score) for seat in out[0].seat[:many]]
    Reader().read(lines)


@pytest.mark.parametrize("lines", [
    ["  Pirate gains 1 Fuel (9)."], ["  Pirate suffers 1 Radiation (2)."], ["  Pirate spends 3 Water, and has 0."],
    ["  Pirate dances."], ["  Raft is chartered for 2, with 0 of 4 Breach."], ["Pirate, Perth."], ["Round 2."],
])  # fmt: skip
def test_a_reader_refuses_a_line_that_does_not_fit(lines: list[str]) -> None:
    """FV5: the test above can fail."""
    begins = "Pirate begins in Sydney with a Buggy: 2 Water, 3 Fuel, 1 Ammo, 1 Meds; gear: none."
    with pytest.raises((AssertionError, KeyError, ValueError)):
        Reader().read([begins, *lines])


def test_a_replay_tells_of_filth_that_falls_a_ship_that_holds_and_an_idle_turn(rules: Any) -> None:
    """FV5: why Contamination falls, what a ship's ability does, the Breach of a chartered ship, and nothing done."""
    b = table(rules, "Pirate").quay("Ferry").ship("Ferry", steady=1, clear=1, tokens=2, speed=-1)
    b.route("Sydney - Trash City", contamination=4, dice=1, hazard=2, water=2)
    b.turn("Pirate", "Ferry to Trash City", "fuel", "fuel", rolls=["double_breach"])
    told = b.told()
    for line in (
        "Ferry is chartered for 2, with 0 of 4 Breach.",
        "Aquatic tokens at hand: 2.",
        "Pirate suffers 4 Contamination (4).",
        "4 Contamination of Pirate make an Injury (0 left).",
        "On the route: 0 threat tokens, 2 Hazards, 1 sea die.",
        "The ship holds: 1 Breach does nothing.",
        "The ship of Pirate suffers 1 Breach (1 of 4).",
        "Water icons: 2, Speed -1; to spend: 1.",
        "1 Hazard avoided; Hazards: 1.",
    ):
        assert line in told, line
    b.end_round()
    assert b.told()[-1] == "Pirate returns Ferry with 1 Breach to slot 1."
    b.turn("Pirate", "no")
    assert b.told()[-2:] == ["Pirate, Trash City.", "Pirate does nothing: 2 actions unused."]
    b.turn("Pirate", "camp", "no")
    assert b.told()[-1] == "Pirate does nothing more: 1 action unused."


def test_a_replay_tells_prices_and_what_was_traded(rules: Any) -> None:
    """FV5: the Stalls with their prices, what was paid, and what was left."""
    b = table(rules, "Pirate").has("Pirate", water=0).gear("Rope", value=2)
    b.s.deck[b.code.NORMAL_GEAR].left = 1 << b.card_of("Rope")
    b.t.land.offers = 1
    b.turn("Pirate", "city", "fuel for water", "normal", "buy", "meds", "ammo", "no")
    assert b.told() == [
        "Pirate, Sydney.",
        "Pirate goes into the city of Sydney.",
        "Pirate gains 1 Water, and has 1.",
        "Pirate exchanges 1 Fuel for Water.",
        "Pirate gains 1 Water, and has 2.",
        "Pirate gains 1 Water, and has 3.",
        "On offer: Rope for 2 (gear deck).",
        "Pirate buys Rope for 2.",
        "Paid with Meds; to pay: 1.",
        "Paid with Ammo; to pay: 0.",
        "Pirate does nothing more: 1 action unused.",
    ]
