"""A game on the board in plain words, from its journal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simcore.game import Tables
from simcore.journal import Journal, Note
from simcore.knights.board_cards import WHAT
from simcore.knights.board_tables import ARMOR, ENHANCEMENT, GENERAL, WEAPON
from simcore.knights.cards import SKILLS
from simcore.knights.tell import Story

(
    SITS, DEALS, ROUND, TURN, DIAL, REPUTATION, GAINS_ITEM, LOSES_ITEM, GAINS_LUCK, PLAYS_LUCK, DRIVES, WALKS, STAYS,
    ENTERS, REVEALS, PLAYS_CARD, CHECKS, ESCAPES, FACES, FIGHTS, FOUGHT, KNOCKED_OUT, WAKES, EXPLORES, ACTS, BUYS,
    TASK_OPEN, TASK_ACCEPTED, TASK_DONE, TASK_OUT, STALL, TOKEN, VEHICLE, MEETS, STEALS, REVIVES, ENDS, WASTER, QUICK,
    TRADES, USES, STOPS, COMES_TO_NOTHING, STEP, REFUSES, EXCHANGES, ATTACHES, KIT, STARTS, PILE, DRAWS, PASSES,
    DROPS_LUCK, CLEARS, MARKS, SCOUTS, HIDES, UNHIDES, DROPS_HIDDEN, FEELS, ROLLS, STRIKES_HEX, JUMPS,
    DETACHES, WIELDS, PUTS_AWAY, USES_ABILITY,
) = range(100, 167)  # fmt: skip
"""What a note is about, beside those of a combat (tell.py, below 100). Its numbers: SITS knight; DEALS hex, tile;
ROUND round, first player; TURN knight, hex; DIAL knight, which (0 Health, 1 Ammo, 2 Fuel, 3 Radiation), change, now;
REPUTATION, knight, change, now; GAINS_ITEM, LOSES_ITEM, USES, EXCHANGES, DETACHES, WIELDS, PUTS_AWAY, STARTS, DRAWS
knight, item; ATTACHES knight, item, the item that carries it, -1 for the knight or -2 for his vehicle; BUYS knight,
item, space, price; PASSES knight, item, to whom; GAINS_LUCK, PLAYS_LUCK, DROPS_LUCK knight, card; KIT side, load-out,
weapon or -1, armor or -1; PILE which of PILES, cards; CLEARS space, item; MARKS task, marks; SCOUTS, HIDES knight,
card of the wasteland deck; UNHIDES, DROPS_HIDDEN card; FEELS, STRIKES_HEX, JUMPS knight, hex; ROLLS knight, face;
DRIVES knight, hex, Movement Points, Fuel; WALKS knight, hex; STAYS, STOPS, REFUSES, USES_ABILITY knight; WAKES
knight, hex; ENTERS knight, hex; REVEALS card; PLAYS_CARD card, knight; CHECKS knight, skill, dice * 16 + difficulty,
successes; ESCAPES, FACES knight, card; FIGHTS, FOUGHT knight, opponent (enemies from 0, knights from 200), winner;
KNOCKED_OUT knight; EXPLORES knight, hex, 1 if passed; ACTS knight, hex, action; TASK_* task, knight (of an open one:
whose it is, or -1), 1 if common; STALL space, item or -1, price; TOKEN hex, kind, 1 if around it, too; VEHICLE
knight, vehicle, damage; MEETS, REVIVES, TRADES knight, other, what; STEALS knight, other, what, task or -1;
COMES_TO_NOTHING knight, whose luck card it was; QUICK knight, icon; WASTER knight; STEP of STEPS; ENDS rounds."""

STEPS = ("Exploration.", "Rest.")
KNIGHTS_AT = 200
"""From where on an opponent is a knight."""

ON_VEHICLE = -2
"""What carries an enhancement that is attached to a vehicle."""

PILES = ("green gear", "yellow gear", "red gear", "blue cards", "wasteland", "luck")
DIALS = ("Health", "Ammo", "Fuel", "Radiation")

MEETINGS = {1: "challenges", 2: "wants to revive", 3: "wants to steal from"}
LOOT = {1: "Fuel", 2: "Ammo"}


def tell(tables: Tables, row: Any, journal: Journal, outcome: Any) -> list[str]:
    """The story of one game, a line a happening; an indented line belongs to the last one that isn't.

    `row`: the seating; `journal`: the notes of the game; `outcome`: what it came to."""
    story = _Story(tables, row)
    lines = [line for note, last in zip(journal, [None, *journal], strict=False) if (line := story.tell(note, last))]
    return [*lines, *story.scores(outcome)]


class _Story:
    """Names of knights, hexes and cards, and lines for notes."""

    def __init__(self, tables: Tables, row: Any) -> None:
        self.tables, self.titles, self.data = tables, tables.titles, tables.data
        chairs = [(int(row.first) + seat) % len(row.role) for seat in range(len(row.role))]
        self.chairs = [chair for chair in chairs if row.role[chair] >= 0]
        self.names = [tables.roles["knights"][int(row.role[chair])].title for chair in self.chairs]
        self.tiles: dict[int, int] = {}
        self.fight: _Combat | None = None
        self.lines: dict[int, Callable[[int, int, int, int], str]] = self.of_moves() | self.of_steps()

    def tell(self, note: Note, last: Note | None) -> str:
        """One note in words: of the board, or of the combat under way, whose lines are indented further."""
        if note.what == FIGHTS:
            self.fight = _Combat(self, note.a, note.b)
        elif self.fight and note.what == KIT:
            self.fight.lay_out(note)
        elif self.fight and note.what < SITS:
            return f"      {self.fight.line(note)}"
        return self.line(note, last)

    def line(self, note: Note, last: Note | None) -> str:
        """One note of the board in words; "" for one that another one, such as the last, tells better."""
        if note.what == GAINS_ITEM and last and last.what in (BUYS, DRAWS, PASSES):
            return ""
        if note.what == DEALS:
            self.tiles[note.a] = note.b
            return ""
        return self.lines[note.what](note.a, note.b, note.c, note.d) if note.what in self.lines else ""

    def of_moves(self) -> dict[int, Callable[[int, int, int, int], str]]:
        """What happens as knights move."""
        name, hex_, card = self.name, self.hex, self.card
        return {
            TURN: lambda p, h, *_: f"{name(p)}, on {hex_(h)}.",
            DRIVES: lambda p, h, n, f: f"  drives to {hex_(h)} for {n} Movement Point{'s' * (n != 1)}, {f} Fuel.",
            WALKS: lambda p, h, *_: f"  walks to {hex_(h)}.",
            STAYS: lambda *_: "  stays.",
            ENTERS: lambda p, h, *_: f"  enters {hex_(h)}.",
            STOPS: lambda *_: "  stops there.",
            REVEALS: lambda k, *_: f"    The Waster sees {card(k)}.",
            PLAYS_CARD: lambda k, *_: f"    The Waster plays {card(k)}.",
            CHECKS: lambda p, s, n, k: f"    {name(p)} checks {SKILLS[s].title()} {n % 16}: {many(n // 16, k)}.",
            ESCAPES: lambda p, *_: f"    {name(p)} escapes.",
            FACES: lambda p, *_: f"    {name(p)} faces it.",
            FOUGHT: lambda p, o, w, _: f"    Combat with {self.foe(o)}: {('drawn', 'won', 'lost')[w]}.",
            KNOCKED_OUT: lambda p, *_: f"    {name(p)} is knocked out.",
            WAKES: lambda p, h, *_: f"  {name(p)} comes to on {hex_(h)}.",
            MEETS: lambda p, q, k, _: f"    {name(p)} {MEETINGS[k]} {name(q)}.",
            REFUSES: lambda p, *_: f"    {name(p)} refuses.",
            STEALS: lambda p, q, k, task: f"    {name(p)} steals {self.loot(k, task)} from {name(q)}.",
            FIGHTS: lambda p, o, *_: f"    Combat of {name(p)} with {self.foe(o)}.",
            UNHIDES: lambda k, *_: f"    The Waster has only {card(k)}, which lay under his marker.",
            DROPS_HIDDEN: lambda k, *_: f"The card under the Waster marker is discarded: {card(k)}.",
            REVIVES: lambda p, q, *_: f"    {name(p)} revives {name(q)}.",
            TRADES: lambda p, q, *_: f"    {name(p)} and {name(q)} trade.",
        }

    def of_steps(self) -> dict[int, Callable[[int, int, int, int], str]]:
        """What happens in the other steps."""
        name, hex_, item = self.name, self.hex, self.item
        task, luck = self.titles["task"], self.titles["luck"]
        return {
            ROUND: lambda n, p, *_: f"Round {n}: {name(p)} first.",
            FEELS: lambda p, h, *_: f"  {name(p)} is on {hex_(h)}.",
            STARTS: lambda p, k, *_: f"    {name(p)} starts with {item(k)}.",
            PILE: lambda k, n, *_: f"Deck of {PILES[k]}: {n} cards.",
            DRAWS: lambda p, k, *_: f"    {name(p)} draws {item(k)}.",
            PASSES: lambda p, k, q, _: f"    {name(p)} hands {item(k)} to {name(q)}.",
            GAINS_LUCK: lambda p, k, *_: f"    {name(p)} draws luck card {luck[k]} (seen by {name(p)} alone).",
            DROPS_LUCK: lambda p, k, *_: f"    {name(p)} discards luck card {luck[k]}, one above the limit.",
            STALL: lambda n, k, price, _: f"  Stalls, space {n + 1}: {self.good(k)} for {price}.",
            CLEARS: lambda n, k, *_: f"  The Waster clears space {n + 1} of the Stalls: {item(k)}.",
            MARKS: lambda k, n, *_: f"  {task[k]} has {n} mark{'s' * (n != 1)}.",
            SCOUTS: lambda p, k, *_: f"    {name(p)} looks at {self.card(k)} (seen by {name(p)} alone).",
            HIDES: lambda p, k, *_: f"    {name(p)} keeps {self.card(k)} for the Waster (seen by {name(p)} alone).",
            ROLLS: lambda p, n, *_: f"    {name(p)} rolls a {n}.",
            STRIKES_HEX: lambda p, h, *_: f"    {name(p)} picks {hex_(h)}.",
            JUMPS: lambda p, h, *_: f"    {name(p)} jumps to {hex_(h)}.",
            DIAL: lambda p, d, n, now: f"    {name(p)}: {DIALS[d]} {n:+d}, {now} now.",
            REPUTATION: lambda p, n, now, _: f"    {name(p)}: Reputation {n:+d}, {now} now.",
            GAINS_ITEM: lambda p, k, *_: f"    {name(p)} gets {item(k)}.",
            LOSES_ITEM: lambda p, k, *_: f"    {name(p)} gives up {item(k)}.",
            BUYS: lambda p, k, n, price: f"    {name(p)} takes {item(k)} from space {n + 1} of the Stalls for {price}.",
            USES: lambda p, k, *_: f"    {name(p)} uses {item(k)}.",
            USES_ABILITY: lambda p, *_: f"    {name(p)} uses the ability of the sheet.",
            PLAYS_LUCK: lambda p, k, *_: f"    {name(p)} plays {luck[k]}.",
            COMES_TO_NOTHING: lambda p, *_: f"    {name(p)}'s luck comes to nothing.",
            EXCHANGES: lambda p, k, *_: f"    {name(p)} removes {item(k)} from the game.",
            ATTACHES: lambda p, k, on, _: f"    {name(p)} attaches {item(k)}{self.carrier(on)}.",
            DETACHES: lambda p, k, *_: f"    {name(p)} detaches {item(k)}.",
            WIELDS: lambda p, k, *_: f"    {name(p)} puts {item(k)} on the sheet.",
            PUTS_AWAY: lambda p, k, *_: f"    {name(p)} puts {item(k)} away.",
            QUICK: lambda p, k, *_: f"    {name(p)} gives {luck[k]} for a quick resupply.",
            EXPLORES: lambda p, h, ok, _: f"  {name(p)} explores {hex_(h)}{'' if ok else ', in vain'}.",
            ACTS: lambda p, h, a, _: f"    {name(p)}'s action: {self.action(h, a)}.",
            TOKEN: lambda h, k, wide, _: f"    Tokens on {hex_(h)}{' and around' * wide}: {WHAT[k]}.",
            TASK_OPEN: lambda k, p, common, _: self.task(k, p, common),
            TASK_ACCEPTED: lambda k, p, *_: f"    {name(p)} accepts {task[k]}.",
            TASK_DONE: lambda k, p, *_: f"    {name(p)} accomplishes {task[k]}.",
            TASK_OUT: lambda k, *_: f"{task[k]} is out of date.",
            VEHICLE: lambda p, v, d, _: f"    {name(p)} has {self.vehicle(v, d)} now.",
            STEP: lambda k, *_: STEPS[k],
        }

    def scores(self, outcome: Any) -> list[str]:
        """The last lines: Reputation and place of each knight."""
        return [
            f"{name}: Reputation {int(seat.reputation)}, gear worth {int(seat.gear_value)}: place {int(seat.place)}."
            for name, seat in ((self.names[p], outcome.seat[chair]) for p, chair in enumerate(self.chairs))
        ]

    def name(self, p: int) -> str:
        """A knight."""
        return self.names[p]

    def hex(self, h: int) -> str:
        """A hex by its tile and number."""
        title = self.titles["tile"][self.tiles[h]] if h in self.tiles else "hex"
        return f"{title} ({h})"

    def task(self, task: int, p: int, common: int) -> str:
        """A task laid out, or with 2 players kept by one of them."""
        whose = f" of {self.name(p)}" if p >= 0 else ""
        return f"{'Common' if common else 'Private'} task{whose}: {self.titles['task'][task]}."

    def card(self, card: int) -> str:
        """A card of the wasteland deck."""
        return self.titles["event"][card - 96] if card >= 96 else self.titles["enemy"][card]

    def foe(self, other: int) -> str:
        """An opponent: an enemy, or a knight from 200 on."""
        return self.names[other - KNIGHTS_AT] if other >= KNIGHTS_AT else self.titles["enemy"][other]

    def item(self, item: int) -> str:
        """A card that a knight can own."""
        row = self.data.thing[item]
        kinds = {WEAPON: "weapon", ARMOR: "armor", GENERAL: "gear", ENHANCEMENT: "enhancement"}
        return self.titles[kinds[int(row.kind)]][int(row.place)]

    def loot(self, kind: int, task: int) -> str:
        """What is stolen; cards are named as they are handed over."""
        return self.titles["task"][task] if task >= 0 else LOOT.get(kind, "a card")

    def good(self, item: int) -> str:
        """What lies on a space of the Stalls."""
        return self.item(item) if item >= 0 else "nothing"

    def carrier(self, on: int) -> str:
        """What an enhancement is attached to; "" for the knight himself."""
        return " to the vehicle" if on == ON_VEHICLE else f" to {self.item(on)}" if on >= 0 else ""

    def action(self, h: int, place: int) -> str:
        """An action of a hex by what it does."""
        text = self.data.tile[self.tiles[h]].action[place].text
        return " and ".join(errand(WHAT[row.what], int(row.many)) for row in text.row[: text.rows])

    def vehicle(self, vehicle: int, damage: int) -> str:
        """A vehicle and its state."""
        if vehicle < 0:
            return "no vehicle"
        return ("a damaged " if damage else "the ") + self.titles["vehicle"][vehicle]


class _Combat(Story):
    """The names and the load-outs of a combat on the board."""

    def __init__(self, board: _Story, p: int, other: int) -> None:
        self.tables, self.data = board.tables, board.data.fight
        self.kinds = ["knights", "knights" if other >= KNIGHTS_AT else "enemies"]
        self.names, self.roles, self.kit = [board.name(p), board.foe(other)], [0, other], [0, 0]
        self.kits: dict[tuple[int, int], tuple[list[int], int]] = {}

    def lay_out(self, note: Note) -> None:
        """Keep a weapon of a load-out, or its armor alone."""
        weapons = self.kits[note.a, note.b][0] if note.c >= 0 else []
        self.kits[note.a, note.b] = ([*weapons, note.c] if note.c >= 0 else [], note.d)

    def _load_out(self, side: int, kit: int) -> tuple[list[int], int]:
        return self.kits[side, kit]


def many(dice: int, successes: int) -> str:
    """What a check was rolled with, and how it went."""
    hits = {0: "failed", 1: "1 success"}.get(successes, f"{successes} successes")
    return f"{dice} {'die' if dice == 1 else 'dice'}, {hits}"


def errand(what: str, amount: int) -> str:
    """What a row of an action does."""
    if what.title() in (*DIALS, "Reputation"):
        return f"{what.title()} {amount:+d}"
    if what in ("green", "yellow", "red", "luck"):
        return f"{amount} {what} card{'s' * (amount > 1)}"
    if what in ("implant", "mutation", "tuning"):
        return f"{'attach' if amount > 0 else 'drop'} {what}s"
    return what.replace("_", " ")
