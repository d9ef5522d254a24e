"""A game in plain words, from its journal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simcore.game import Tables
from simcore.journal import Journal, Note

(
    BEGINS_ROUND, TURN_OF, ACTS_SO, SHOOTS, JAMS, DESTROYED, ATTACKED, HEALTH_NOW, FALLS, HULL_NOW, WORSENS, BURNS,
    MENDS_ROOM, APPEARS, CRUSHES, HARMLESS, MOVES_TO, ADVANCES, STUCK, LEVEL_IN, NEW_DECK, SALVAGES, TAKES_CARD,
    SCRAPS_CARD, INSTALLS, RUMMAGES, EVENT_NOW, STANDS_IN, ENDS, EXCHANGES, PRESSES, SHELLS,
    BOSS_COMES, FINDS, ORDERS, SURFACES,
) = range(36)  # fmt: skip
"""What a note is about. Its numbers, in order: BEGINS_ROUND round, distance, Hull, Noise; TURN_OF crew member, room,
Health, actions; ACTS_SO crew member, verb, with what, whom (crew.option_of); SHOOTS crew member, enemy, dice, result
of the pool; JAMS crew member, card; DESTROYED enemy, room; ATTACKED enemy, crew member, dice, hits; HEALTH_NOW crew
member, change, what is left; FALLS crew member; HULL_NOW change, what is left; WORSENS, MENDS_ROOM room, condition;
BURNS room; APPEARS, MOVES_TO enemy, room; CRUSHES, HARMLESS enemy; ADVANCES distance, where; STUCK nothing; LEVEL_IN
level; NEW_DECK level, cards; SALVAGES cards; TAKES_CARD crew member, card; SCRAPS_CARD card; INSTALLS card, room;
RUMMAGES card or below 0; EVENT_NOW event; STANDS_IN crew member, room; ENDS ending, rounds, distance, Hull; EXCHANGES
crew member, what; PRESSES crew member, actions; SHELLS enemy, dice, hits; BOSS_COMES which; FINDS crew member, what;
ORDERS order; SURFACES nothing."""

CONDITIONS = ("Functional", "Inoperable", "On Fire")
KINDS = ("weapon", "armor", "gear", "upgrade", "scrap")
EXCHANGED = (
    "drops a card", "gives a card away", "picks a card up", "takes a card", "swaps with the floor", "trades cards",
)  # fmt: skip
ENDED = {
    4: "The game is stopped: it takes too long.",
    6: "Sanctuary is reached, and no enemy is left: the crew wins.",
    7: "The Hull is gone: the crew loses.",
    8: "The whole crew is down: the crew loses.",
    9: "The boss is beaten: the crew wins with style.",
}


def tell(tables: Tables, row: Any, journal: Journal, outcome: Any) -> list[str]:
    """The story of one game, a line a happening.

    `row`: the seating; `journal`: the notes of the game; `outcome`: what it came to."""
    story = _Story(tables, row)
    return [line for note in journal if (line := story.line(note))]


class _Story:
    """Names of the crew, and lines for notes."""

    def __init__(self, tables: Tables, row: Any) -> None:
        self.titles, self.data = tables.titles, tables.data
        roles = tables.roles["crew"]
        self.names = [roles[int(role)].title if role >= 0 else "" for role in row.role]
        self.rooms = tables.titles["room"]

    def line(self, note: Note) -> str:
        """One note in words; "" for one that the next one tells better."""
        a, b, c, d = note.a, note.b, note.c, note.d
        crew = self.names
        match note.what:
            case 0:
                return f"Round {a}: distance {b}, Hull {c}, Noise {d}."
            case 1:
                return f"{crew[a]} in {self.rooms[b]}: Health {c}, {d} actions."
            case 2:
                return self.action(note)
            case 3:
                return f"  {d & 63} hits with {c} dice on {self.enemy(b)}."
            case 4:
                return f"  Nothing but ones: {self.card(b)} jams and is scrapped."
            case 5:
                return f"  {self.enemy(a)} is destroyed in {self.rooms[b]}."
            case 6:
                return f"{self.enemy(a)} attacks {crew[b]} with {c} dice: {d} hits."
            case 7:
                return f"  {crew[a]} {'gains' if b > 0 else 'loses'} {abs(b)} Health: {c} left."
            case 8:
                return f"  {crew[a]} is Downed."
            case 9:
                return f"  Hull {b} ({a:+d})."
            case 10 | 12:
                return f"  {self.rooms[a]} is {CONDITIONS[b]}."
            case _:
                return self.rest(note)

    def rest(self, note: Note) -> str:
        """The other notes in words."""
        a, b, c = note.a, note.b, note.c
        lines: dict[int, Callable[[], str]] = {
            APPEARS: lambda: f"{self.enemy(a)} appears in {self.rooms[b]}.",
            CRUSHES: lambda: f"{self.enemy(a)} finds no standee, and strikes the Hull.",
            HARMLESS: lambda: f"{self.enemy(a)}: nothing comes.",
            MOVES_TO: lambda: f"{self.enemy(a)} moves to {self.rooms[b]}.",
            ADVANCES: lambda: f"The mech advances by {a}, to {b}.",
            STUCK: lambda: "The mech stands still.",
            LEVEL_IN: lambda: f"Level {a} is shuffled into the enemy deck.",
            NEW_DECK: lambda: f"The enemy deck ran out: a new one of {b} cards, level {a}.",
            SALVAGES: lambda: f"The crane draws {a}.",
            TAKES_CARD: lambda: f"  {self.names[a]} has {self.card(b)} now.",
            SCRAPS_CARD: lambda: f"  {self.card(a)} goes to the Scrap Pile.",
            INSTALLS: lambda: f"  {self.card(a)} is built into {self.rooms[b]}.",
            RUMMAGES: lambda: f"Scrap is recycled for {self.card(a)}." if a >= 0 else "Nothing is found for Scrap.",
            EVENT_NOW: lambda: f"Event: {self.titles['event'][a]}.",
            STANDS_IN: lambda: f"{self.names[a]} begins in {self.rooms[b]}.",
            ENDS: lambda: ENDED.get(a, ""),
            EXCHANGES: lambda: f"  {self.names[a]} {EXCHANGED[b]}.",
            PRESSES: lambda: f"  {self.names[a]} presses his luck: {b} actions.",
            BOSS_COMES: lambda: ("", "The Harrow comes.", "The Scourge comes: all rooms go dark.")[a],
            FINDS: lambda: f"  {self.names[a]} searches, and finds {('nothing', 'the beacon', 'a bomb')[b]}.",
            ORDERS: lambda: f"Order: {self.titles['order'][a]}.",
            SURFACES: lambda: "The Harrow comes up.",
            SHELLS: lambda: f"{self.enemy(a)} attacks the Hull with {b} dice: {c} hits.",
        }
        return lines[note.what]() if note.what in lines else ""

    def action(self, note: Note) -> str:
        """What a crew member does, with whom or what."""
        who, how, whom = self.names[note.a], note.c, note.d
        enemy = self.enemy(whom // 32)
        done: dict[int, Callable[[], str]] = {
            1: lambda: f"moves to {self.rooms[whom]}",
            2: lambda: f"attacks {enemy} {'with a weapon' if how else 'unarmed'}",
            3: lambda: f"fires a gun at {enemy}",
            4: lambda: "repairs",
            5: lambda: "puts out the fire",
            6: lambda: f"mends {self.names[whom]}",
            7: lambda: "fuels the engine",
            9: lambda: f"revives {self.names[whom]}",
            10: lambda: "reloads",
            11: lambda: "uses gear",
            12: lambda: "uses the own ability",
        }
        return f"  {who} {done[note.b]()}." if note.b in done else ""

    def enemy(self, card: int) -> str:
        """The title of an enemy."""
        titles = self.titles["enemy"]
        return titles[card] if card < len(titles) else "?"

    def card(self, card: int) -> str:
        """The title of a salvage card."""
        row = self.data.card[card]
        return self.titles[KINDS[int(row.kind)]][int(row.place)]
