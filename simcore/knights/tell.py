"""A combat in plain words, from its journal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simcore.game import Tables
from simcore.journal import Journal, Note
from simcore.knights import cards
from simcore.knights.state import (
    BLOWS_ENDED,
    BOTH_DOWN,
    DOMINANCE_ENDED,
    EFFECT_ENDED,
    FEROCIOUS_STAND,
    MARKER_ON_ZERO,
    TRADED,
)

(
    BEGINS,
    STARTS_AT,
    REVEALS,
    MOVES,
    EQUIPS,
    STRIKES,
    LOSES,
    MARKER,
    RANGE_NOW,
    HAPPENS,
    ENDS,
    ANSWERS,
    COMES_TO_NOTHING,
    PAYS,
    WINS,
) = range(15)
"""What a note is about. Its numbers, in order: BEGINS Health, Health, duel or not; STARTS_AT range, and what each side
wanted (0 nothing, else range + 1); REVEALS clash, card, card, range; MOVES side, way; EQUIPS side, load-out; STRIKES
side, mode, dice, result of the pool; LOSES side, Health, what is left; MARKER what card and blow bring each side (below
0: bring the opponent), marker; RANGE_NOW range; HAPPENS holder, side, what, many; ENDS ending, winner or -1, marker;
ANSWERS, COMES_TO_NOTHING side; PAYS, WINS side, Ammo, Fuel."""

CARD_NAMES = ("nothing", "Attack", "Multi-attack", "Prepare", "Change Range", "Defend")
_HOW = {
    BLOWS_ENDED: "by blows", DOMINANCE_ENDED: "by dominance", EFFECT_ENDED: "by an effect of a card",
    BOTH_DOWN: "both are beaten", MARKER_ON_ZERO: "the marker is on 0", FEROCIOUS_STAND: "both still stand",
    TRADED: "both defended, and may trade",
}  # fmt: skip
_GAINS = {"reputation": "Reputation", "green": "green card", "yellow": "yellow card", "red": "red card"}
_TERMS = {"vehicle": "vehicle damage", "bulls_eye": "worth of a Bull’s Eye", "multi": "Multi-attack icons"}
_DIALS = {"health": "Health", "ammo": "Ammo", "fuel": "Fuel", "radiation": "Radiation"}


def tell(tables: Tables, row: Any, journal: Journal, outcome: Any) -> list[str]:
    """The story of one combat, a line a happening.

    `row`: the seating; `journal`: the notes of the combat; `outcome`: what it came to."""
    story = Story(tables, row, duel=bool(journal[0].c))
    lines = [line for note in journal if (line := story.line(note))]
    return [*lines, *story.account(outcome)]


class Story:
    """Names of the two sides, and what their load-outs hold."""

    def __init__(self, tables: Tables, row: Any, *, duel: bool) -> None:
        self.tables, self.data = tables, tables.data
        kinds = ["knights", "knights" if duel else "enemies"]
        self.seats = [(int(row.first) + side) % 2 for side in range(2)]
        self.kinds = [kinds[seat] for seat in self.seats]
        self.roles = [int(row.role[seat]) for seat in self.seats]
        self.names = [tables.roles[kind][role].title for kind, role in zip(self.kinds, self.roles, strict=True)]
        if self.names[0] == self.names[1]:
            self.names[1] += " (the other)"
        self.kit = [0, 0]

    def line(self, note: Note) -> str:
        """One note as a sentence; empty where there is nothing to tell."""
        tellers: dict[int, Callable[[Note], str]] = {
            BEGINS: self._begins, STARTS_AT: self._starts_at, REVEALS: self._reveals, MOVES: self._moves,
            EQUIPS: self._equips, STRIKES: self._strikes, LOSES: self._loses, MARKER: self._marker,
            RANGE_NOW: self._range_now, HAPPENS: self._happens, ENDS: self._ends,
            PAYS: lambda note: f"  {self.names[note.a]} spends {_spent(note.b, note.c)}.",
            WINS: lambda note: f"{self.names[note.a]} wins {_spent(note.b, note.c)}.",
            ANSWERS: lambda note: f"  {self.names[note.a]} answers with a luck card.",
            COMES_TO_NOTHING: lambda note: f"  The luck card of {self.names[note.a]} comes to nothing.",
        }  # fmt: skip
        return tellers[note.what](note)

    def _begins(self, note: Note) -> str:
        first, second = self.names
        return f"{first} ({note.a} Health) meets {second} ({note.b} Health)."

    def _starts_at(self, note: Note) -> str:
        both = " Both sides wanted another range, so none counts." if note.b and note.c else ""
        return f"The combat starts at {cards.RANGES[note.a]} range.{both}"

    def _reveals(self, note: Note) -> str:
        mine, theirs = CARD_NAMES[note.b], CARD_NAMES[note.c]
        return (
            f"Clash {note.a + 1} at {cards.RANGES[note.d]} range: "
            f"{self.names[0]} shows {mine}, {self.names[1]} shows {theirs}."
        )

    def _moves(self, note: Note) -> str:
        return f"  {self.names[note.a]} {'advances' if note.b == 1 else 'retreats'}."

    def _equips(self, note: Note) -> str:
        if self.kit[note.a] == note.b:
            return f"  {self.names[note.a]} keeps what is worn."
        self.kit[note.a] = note.b
        weapons, armor = self._load_out(note.a, note.b)
        titles = [self.tables.titles["weapon"][weapon] for weapon in weapons]
        titles += [self.tables.titles["armor"][armor]] if armor >= 0 else []
        return f"  {self.names[note.a]} re-equips: {', '.join(titles) or 'bare hands'}."

    def _load_out(self, side: int, kit: int) -> tuple[list[int], int]:
        """The weapons of a load-out, and its armor or -1."""
        row = self.data.knight[self.roles[side]].kit[kit]
        return [int(weapon) for weapon in row.weapon[: row.weapons]], int(row.armor)

    def _strikes(self, note: Note) -> str:
        hits, tens = note.d >> 6, note.d & 63
        how = f"{_many(hits, 'success', 'successes')}, {_many(tens, 'Bull’s Eye')}{'' if hits else ': a miss'}"
        weapon = self._weapon(note.a, note.b)
        return f"  {self.names[note.a]} attacks{weapon}: {_many(note.c, 'die', 'dice')}, {how}."

    def _weapon(self, side: int, mode: int) -> str:
        if self.kinds[side] == "enemies":
            icons = self.data.enemy[self.roles[side]].icon
            return f" by the {[i for i, shown in zip(cards.ICONS, icons, strict=True) if shown][mode]} icon"
        modes = [
            (self.tables.titles["weapon"][weapon], icon)
            for weapon in self._load_out(side, self.kit[side])[0]
            for icon, shown in zip(cards.ICONS, self.data.weapon[weapon].icon, strict=True)
            if shown
        ]
        return f" with {modes[mode][0]} by the {modes[mode][1]} icon"

    def _loses(self, note: Note) -> str:
        return f"  {self.names[note.a]} loses {note.b} Health, {note.c} left."

    def _marker(self, note: Note) -> str:
        where = "on 0" if note.c == 0 else f"{abs(note.c)} to the side of {self.names[0 if note.c > 0 else 1]}"
        mine, theirs = max(note.a, 0) + max(-note.b, 0), max(note.b, 0) + max(-note.a, 0)
        return f"  Dominance: {self.names[0]} +{mine}, {self.names[1]} +{theirs}; the marker is {where}."

    def _range_now(self, note: Note) -> str:
        return f"  The range is {cards.RANGES[note.a]} now."

    def _happens(self, note: Note) -> str:
        holder, who, what = self.names[note.a], self.names[note.b], cards.WHAT[note.c]
        if what in _DIALS or what in _GAINS:
            word = _DIALS.get(what) or _GAINS[what]
            return f"  By a card of {holder}: {who} {'gains' if note.d > 0 else 'loses'} {abs(note.d)} {word}."
        if what in ("start_range", "set_range"):
            wanted = "another range" if note.d == 3 else f"{cards.RANGES[note.d]} range"
            return f"  By a card of {holder}: {wanted}."
        if what == "reroll":
            return f"  By a card of {holder}: {who} rolls again."
        if what == "stop":
            return f"  By a card of {holder}: the move of {who} ends here."
        return f"  By a card of {holder}: {who} has {_TERMS.get(what, what)} {note.d:+d}."

    def _ends(self, note: Note) -> str:
        how = _HOW[note.a]
        who = "nobody wins" if note.b < 0 else f"{self.names[note.b]} wins"
        return f"The end: {who} ({how})."

    def account(self, outcome: Any) -> list[str]:
        """What the combat cost and brought each side, in one line a side."""
        lines = []
        for name, seat in zip(self.names, self.seats, strict=True):
            result = outcome.seat[seat]
            parts = [f"{result.health_left} Health left"]
            parts += [f"{result.ammo_spent} Ammo spent"] if result.ammo_spent else []
            parts += [f"{result.reputation:+d} Reputation"] if result.reputation else []
            parts += [f"{result[colour]} {colour}" for colour in ("green", "yellow", "red") if result[colour]]
            lines.append(f"{name}: {', '.join(parts)}.")
        return lines


def _spent(ammo: int, fuel: int) -> str:
    """What an attack costs, or a victory brings."""
    return " and ".join(f"{many} {dial}" for many, dial in ((ammo, "Ammo"), (fuel, "Fuel")) if many)


def _many(number: int, one: str, more: str = "") -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else more or one + 's'}"
