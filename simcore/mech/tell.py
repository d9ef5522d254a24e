"""A game in plain words, from its journal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simcore.game import Tables
from simcore.journal import Journal, Note

(
    BEGINS_ROUND, TURN_OF, ACTS_SO, SHOOTS, JAMS, DESTROYED, ATTACKED, HEALTH_NOW, FALLS, HULL_NOW, WORSENS, BURNS,
    MENDS_ROOM, APPEARS, CRUSHES, HARMLESS, MOVES_TO, ADVANCES, STUCK, LEVEL_IN, NEW_DECK, SALVAGES, TAKES_CARD,
    SCRAPS_CARD, INSTALLS, RUMMAGES, EVENT_NOW, STANDS_IN, ENDS, EXCHANGES, PRESSES, SHELLS, BOSS_COMES, FINDS, ORDERS,
    SURFACES, WOUNDED, BREAKS, HOLDS, FIRES, ENDS_ROUND, REINFORCES, ROLLS_LUCK, LUCKY, TAKES_EFFECT, EVENT_GOES_ON,
    GIVES_UP,
) = range(47)  # fmt: skip
"""What a note is about. Its numbers, in order: BEGINS_ROUND round, distance, Hull, Noise; TURN_OF crew member, room,
Health, actions; ACTS_SO crew member, verb, with what, whom (crew.option_of; a card in place of where it is held);
SHOOTS crew member, enemy, dice, result of the pool; JAMS crew member, card; DESTROYED enemy, room; ATTACKED enemy,
crew member, dice, hits; HEALTH_NOW crew member, change, what is left; FALLS crew member; HULL_NOW change, what is left;
WORSENS, MENDS_ROOM room, condition; BURNS, HOLDS room; APPEARS, MOVES_TO, BREAKS enemy, room; CRUSHES, HARMLESS enemy;
ADVANCES distance, where; STUCK engines, Cockpit, enemies in The Wastes; LEVEL_IN level; NEW_DECK level, cards;
SALVAGES cards; TAKES_CARD crew member, card; SCRAPS_CARD card; INSTALLS card, room; RUMMAGES card or below 0; EVENT_NOW
event; STANDS_IN crew member, room; ENDS ending, rounds, distance, Hull; EXCHANGES crew member, what, card given, card
got; PRESSES crew member, actions; SHELLS enemy, dice, hits; BOSS_COMES which; FINDS crew member, what; ORDERS order;
WOUNDED enemy, Health left; FIRES rooms; REINFORCES Scrap; ROLLS_LUCK, LUCKY crew member, face; TAKES_EFFECT salvage
card or below 0, crew member; EVENT_GOES_ON event; SURFACES, ENDS_ROUND nothing."""

CONDITIONS = ("Functional", "Inoperable", "On Fire")
KINDS = ("weapon", "armor", "gear", "upgrade", "scrap")
ENDED = {
    4: "The game is stopped: it takes too long.",
    6: "Sanctuary is reached, and no enemy is left: the crew wins.",
    7: "The Hull is gone: the crew loses.",
    8: "The whole crew is down: the crew loses.",
    9: "The boss is beaten: the crew wins with style.",
}
_BOSSES = ("", "The Harrow comes.", "The Scourge comes: all rooms go dark.")


def tell(tables: Tables, row: Any, journal: Journal, outcome: Any) -> list[str]:
    """The story of one game, a line a happening.

    `row`: the seating; `journal`: the notes of the game; `outcome`: what it came to."""
    story = _Story(tables, row)
    lines = [line for note in journal if (line := story.line(note))]
    idle = (" takes effect.", " goes on.")  # unless a line that belongs to it follows
    return [
        line for line, after in zip(lines, [*lines, ""][1:], strict=True) if after[:1] == " " or not line.endswith(idle)
    ]


def _many(many: int, one: str, more: str = "") -> str:
    """A number with its word."""
    return f"{many} {one if many == 1 else more or one + 's'}"


class _Story:
    """Names of crew, rooms and cards, and lines for notes."""

    def __init__(self, tables: Tables, row: Any) -> None:
        self.titles, self.data = tables.titles, tables.data
        chairs = [(int(row.first) + seat) % len(row.role) for seat in range(len(row.role))]
        roles = [int(row.role[chair]) for chair in chairs if row.role[chair] >= 0]
        self.abilities = [self.titles["ability"][int(self.data.member[role].ability)] for role in roles]
        self.names = [self.titles["crew"][role] for role in roles]
        self.lines: dict[int, Callable[[int, int, int, int], str]] = self.of_turns() | self.of_rounds()

    def line(self, note: Note) -> str:
        """One note in words; "" for one that another one tells better."""
        return self.lines[note.what](note.a, note.b, note.c, note.d) if note.what in self.lines else ""

    def of_turns(self) -> dict[int, Callable[[int, int, int, int], str]]:
        """What crew and enemies do, and what comes of it."""
        names, room, enemy, card = self.names, self.room, self.enemy, self.card
        return {
            TURN_OF: lambda c, r, h, n: f"{names[c]} in {room(r)}: Health {h}, {_many(n, 'action')}.",
            ACTS_SO: self.action,
            SHOOTS: self.shot,
            JAMS: lambda c, k, *_: f"  Nothing but ones: the {card(k)} jams and is scrapped.",
            WOUNDED: lambda e, h, *_: f"  {enemy(e)} has {h} Health left.",
            DESTROYED: lambda e, *_: f"  {enemy(e)} is destroyed.",
            ATTACKED: lambda e, c, n, h: (
                f"{enemy(e)} attacks {names[c]}: {_many(n, 'die', 'dice')}, {_many(h, 'hit')}."
            ),
            SHELLS: lambda e, n, h, _: f"{enemy(e)} attacks the Hull: {_many(n, 'die', 'dice')}, {_many(h, 'hit')}.",
            BREAKS: lambda e, r, *_: f"{enemy(e)} damages {room(r)}.",
            MOVES_TO: lambda e, r, *_: f"{enemy(e)} moves to {room(r)}.",
            HEALTH_NOW: lambda c, n, h, _: f"  {names[c]} {'gains' if n > 0 else 'loses'} {abs(n)} Health: {h} now.",
            FALLS: lambda c, *_: f"  {names[c]} is Downed.",
            HULL_NOW: lambda n, h, *_: f"  Hull {h} ({n:+d}).",
            WORSENS: lambda r, k, *_: f"  {room(r, 'The')} is {CONDITIONS[k]} now.",
            MENDS_ROOM: lambda r, k, *_: f"  {room(r, 'The')} is {CONDITIONS[k]} now.",
            HOLDS: lambda *_: "  It holds.",
            EXCHANGES: self.exchange,
            GIVES_UP: lambda c, k, down, _: (
                f"  {names[c]} {'drops' if down else 'scraps'} the {card(k)} to have a free slot."
            ),
            PRESSES: lambda c, n, *_: f"  {names[c]} presses the luck: {_many(n, 'action')}.",
            ROLLS_LUCK: lambda c, face, *_: f"{names[c]} rolls a {face} for luck.",
            LUCKY: lambda c, face, *_: f"  The {face} of {names[c]} counts as one of the next dice.",
            FINDS: lambda c, k, *_: f"  {names[c]} searches, and finds {('nothing', 'the beacon', 'a bomb')[k]}.",
        }

    def of_rounds(self) -> dict[int, Callable[[int, int, int, int], str]]:
        """What happens between turns."""
        names, room, enemy, card = self.names, self.room, self.enemy, self.card
        return {
            BEGINS_ROUND: lambda n, far, hull, noise: f"Round {n}: distance {far}, Hull {hull}, Noise {noise}.",
            ENDS_ROUND: lambda *_: "The round ends.",
            STANDS_IN: lambda c, r, *_: f"{names[c]} begins in {room(r)}.",
            APPEARS: lambda e, r, *_: f"{enemy(e)} appears in {room(r)}.",
            CRUSHES: lambda e, *_: f"{enemy(e)} finds no standee, and strikes the Hull.",
            HARMLESS: lambda e, *_: f"{enemy(e)}: nothing comes.",
            FIRES: lambda n, *_: f"Fires burn in {_many(n, 'room')}.",
            ADVANCES: lambda n, far, *_: f"The mech advances by {n}, to {far}.",
            STUCK: self.stuck,
            LEVEL_IN: lambda n, *_: f"Level {n} is shuffled into the enemy deck.",
            NEW_DECK: lambda n, k, *_: f"The enemy deck ran out: a new one of {_many(k, 'card')}, level {n}.",
            SALVAGES: lambda n, *_: f"The crane draws {_many(n, 'card')}.",
            TAKES_CARD: lambda c, k, *_: f"  {names[c]} has the {card(k)} now.",
            SCRAPS_CARD: lambda k, *_: f"  {card(k)} goes to the Scrap Pile.",
            INSTALLS: lambda k, r, *_: f"  {card(k)} is built into {room(r)}.",
            REINFORCES: lambda n, *_: f"{n} Scrap reinforce the Hull.",
            RUMMAGES: lambda k, *_: f"Scrap is recycled: {card(k) if k >= 0 else 'nothing of the kind'} is found.",
            TAKES_EFFECT: lambda k, c, *_: f"{self.abilities[c] if k < 0 else card(k)} takes effect.",
            EVENT_GOES_ON: lambda k, *_: f"{self.titles['event'][k]} goes on.",
            EVENT_NOW: lambda k, *_: f"Event: {self.titles['event'][k]}.",
            ENDS: lambda k, *_: ENDED.get(k, ""),
            BOSS_COMES: lambda k, *_: _BOSSES[k],
            ORDERS: lambda k, *_: f"Order: {self.titles['order'][k]}.",
            SURFACES: lambda *_: "The Harrow comes up.",
        }

    def action(self, c: int, verb: int, how: int, whom: int) -> str:
        """What a crew member does, with whom or what."""
        enemy, name = self.enemy(whom // 32), self.names[c]
        done: dict[int, Callable[[], str]] = {
            0: lambda: f"leaves {_many(whom, 'action')}",
            1: lambda: f"moves to {self.room(whom)}",
            2: lambda: f"attacks {enemy} with {'bare hands' if how < 0 else 'the ' + self.card(how)}",
            3: lambda: f"fires the {self.titles['room'][self.data.mech.gun[how]]} at {enemy}",
            4: lambda: "repairs",
            5: lambda: "puts out the fire" + (f" and drives the enemies to {self.room(whom)}" if whom else ""),
            6: lambda: f"mends {'their own wounds' if whom == c else self.names[whom]}",
            7: lambda: "fuels the engine",
            9: lambda: f"revives {self.names[whom]}",
            10: lambda: f"reloads the {self.card(whom)}",
            11: lambda: f"uses the {self.card(whom)}",
            12: lambda: f"uses {self.abilities[c]}",
        }
        return f"  {name} {done[verb]()}." if verb in done and (verb or whom) else ""

    def shot(self, c: int, e: int, dice: int, result: int) -> str:
        """A roll against an enemy."""
        stopped = min(result & 63, int(self.data.enemy[e].armor))
        return (
            f"  {_many(dice, 'die', 'dice')}, {_many(result & 63, 'hit')}{f', {stopped} stopped' if stopped else ''}."
        )

    def exchange(self, c: int, what: int, given: int, got: int) -> str:
        """Equipment that changes hands."""
        mine, theirs = (self.card(card) if card >= 0 else "" for card in (given, got))
        whom = self.names[what % 8] if what % 8 < len(self.names) else ""
        ways = (
            f"drops the {mine}", f"gives the {mine} to {whom}", f"picks up the {theirs}",
            f"takes the {theirs} from {whom}", f"lays down the {mine} for the {theirs}",
            f"trades the {mine} for the {theirs} of {whom}", f"picks up the {theirs}",
            *[f"takes the {theirs} from {whom}"] * 2, *[f"gives the {mine} to {whom}"] * 2,
        )  # fmt: skip
        return f"  {self.names[c]} {ways[what // 8]}."

    def stuck(self, engines: int, cockpit: int, wastes: int, _: int) -> str:
        """Why the mech stands still."""
        why = [text for text, is_so in (
            ("an engine is not Functional", engines), ("the Cockpit is not Functional", cockpit),
            ("enemies are in The Wastes", wastes),
        ) if is_so]  # fmt: skip
        return f"The mech stands still: {' and '.join(why)}."

    def room(self, number: int, the: str = "the") -> str:
        """A room with its article."""
        title = self.titles["room"][number]
        return title if title.startswith("The ") else f"{the} {title}"

    def enemy(self, card: int) -> str:
        """The title of an enemy."""
        titles = self.titles["enemy"]
        return titles[card] if card < len(titles) else "?"

    def card(self, card: int) -> str:
        """The title of a salvage card."""
        row = self.data.card[card]
        return self.titles[KINDS[int(row.kind)]][int(row.place)]
