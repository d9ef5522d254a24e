"""A game in plain words, from its journal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simcore.game import CAPPED, Tables
from simcore.gangs.cards import PAY, WHAT
from simcore.journal import Journal, Note

(
    BEGINS_WITH, DRAWS, WOUNDED, PATCHED, FODDER_COMES, HOME_WOUNDED, COLLECTS, PLUNDERS, DESTROYS_LOOT,
    TAKES_TERRITORY, NO_ONE_TAKES, HOUR_OF, HIRES, SUMMONS, USES, PAYS, GOES, SQUAD_OF, FODDER_IN_SQUAD, ENRAGES,
    DISCARDS, OPENS, DAY_ENDS, NIGHT, ENDS, RETRIEVES, RAZES, GOES_HOME, HERDS, DAY_CAPPED, ROUTED, FANATICS_DIE,
    THROWN, RECRUITS, CALLED_OFF, RESHUFFLES, FOR_HIRE, SLAVES_LEAVE, LEAVES_WITH, MORE_SQUADS, MORE_FOLLOWERS,
) = range(41)  # fmt: skip
"""What a note is about. Its numbers, in order: BEGINS_WITH gang, two cards, cards of its deck; WOUNDED, PATCHED,
DRAWS, RETRIEVES, HIRES, RECRUITS, SUMMONS, USES, ENRAGES, DISCARDS, SQUAD_OF gang, card; HOME_WOUNDED, GOES_HOME
gang, card, territory; THROWN gang, card, territory or below 0 (from a lair); LEAVES_WITH gang, card, 1 if to the
common discard pile; SLAVES_LEAVE gang, how many, territory; RESHUFFLES gang, cards; FOR_HIRE card; MORE_SQUADS,
MORE_FOLLOWERS gang, how many; FODDER_COMES gang, kind, how many, territory or below 0; COLLECTS gang, territory,
loot left; PLUNDERS, DESTROYS_LOOT gang, territory, loot, loot left; TAKES_TERRITORY gang, territory, points;
NO_ONE_TAKES territory; OPENS territory, loot; HOUR_OF gang, day, hour; PAYS gang, card, how (cards.PAY); GOES gang,
territory, strength, strength of the defence (0 if neutral, below 0 if its own); FODDER_IN_SQUAD gang, slaves,
fanatics; DAY_ENDS, DAY_CAPPED day, hours; RAZES, ROUTED gang, territory; FANATICS_DIE gang, how many; ENDS days
stopped; HERDS, CALLED_OFF gang; NIGHT nothing."""

SLAVE, FANATIC = 120, 121

SHOWN_BY = {
    "slaves": (FODDER_COMES,), "fanatics": (FODDER_COMES,), "draw": (DRAWS,), "retrieve": (RETRIEVES,),
    "hire": (HIRES,), "recruit": (RECRUITS,), "muster": (MORE_FOLLOWERS,), "patch": (PATCHED,), "wound": (WOUNDED,),
    "knock": (HOME_WOUNDED, SLAVES_LEAVE), "discard": (THROWN, WOUNDED, SLAVES_LEAVE),
    "spoil": (DESTROYS_LOOT,), "plunder": (PLUNDERS,),
    "raze": (RAZES,), "repeat": (USES,), "again": (MORE_SQUADS,), "herd": (HERDS,), "home": (GOES_HOME,),
}  # fmt: skip
"""What an ability does -> the notes that show that it came to something."""


def tell(tables: Tables, row: Any, journal: Journal, outcome: Any) -> list[str]:
    """The story of one game, a line a happening; an indented line belongs to the last one that isn't.

    `row`: the seating; `journal`: the notes of the game; `outcome`: what it came to."""
    story = _Story(tables, row)
    notes = [None, *journal, None]
    lines = [story.line(*three) for three in zip(notes, notes[1:-1], notes[2:], strict=False)]
    return [*filter(None, lines), *story.scores(outcome)]


def _many(many: int, one: str, more: str = "") -> str:
    """A number with its word."""
    return f"{many} {one if many == 1 else more or one + 's'}"


class _Story:
    """Names of gangs, cards and territories, and lines for notes."""

    def __init__(self, tables: Tables, row: Any) -> None:
        self.titles, self.data = tables.titles, tables.data
        chairs = [(int(row.first) + seat) % len(row.role) for seat in range(len(row.role))]
        self.chairs = [chair for chair in chairs if row.role[chair] >= 0]
        self.names = [tables.roles["gangs"][int(row.role[chair])].title for chair in self.chairs]
        self.lines: dict[int, Callable[[int, int, int, int], str]] = self.of_hours() | self.of_fights()
        self.squad: list[str] = []
        self.drawn: list[str] = []
        self.night = False

    def line(self, before: Note | None, note: Note, after: Note | None) -> str:
        """One note in words, by the ones before and after it; "" for one that another one tells better."""
        if note.what == SQUAD_OF:
            return self.goes(note, after)
        if note.what == DRAWS:
            return self.draws(note, after)
        if note.what in (NIGHT, HOUR_OF):
            self.night = note.what == NIGHT
        told = note.what == WOUNDED and before is not None and self.paid(before) and before[1:3] == note[1:3]
        told = told or (note.what == PATCHED and self.night)
        if told or (note.what == USES and not self.matters(note.b, after)) or note.what not in self.lines:
            return ""
        return self.lines[note.what](note.a, note.b, note.c, note.d)

    def paid(self, note: Note) -> bool:
        """Whether a note says that a follower is wounded as a price."""
        return note.what == ENRAGES or (note.what == PAYS and PAY[note.c] == "wound")

    def matters(self, card: int, after: Note | None) -> bool:
        """Whether an ability came to something, by the note after it."""
        follower = self.data.card[card]
        deeds = [WHAT[follower.effect[i].what] for i in range(follower.effects)]
        return after is not None and after.what in (PAYS, *(what for deed in deeds for what in SHOWN_BY[deed]))

    def goes(self, note: Note, after: Note | None) -> str:
        """A squad, told with its last card."""
        self.squad.append(self.card(note.b))
        if after is not None and after.what == SQUAD_OF:
            return ""
        *others, last = self.squad
        self.squad = []
        return f"    {', '.join(others)} and {last} go." if others else f"    {last} goes."

    def draws(self, note: Note, after: Note | None) -> str:
        """Cards that a gang draws, told with the last one; who may see them stands there."""
        self.drawn.append(self.card(note.b))
        if after is not None and (after.what, after.a) == (DRAWS, note.a):
            return ""
        names, self.drawn = ", ".join(self.drawn), []
        return f"  {self.name(note.a)} draw (they alone see it): {names}."

    def of_hours(self) -> dict[int, Callable[[int, int, int, int], str]]:
        """What happens in days and hours."""
        name, card, site = self.name, self.card, self.site
        return {
            BEGINS_WITH: lambda g, a, b, n: (
                f"{name(g)} begin with {card(a)} and {card(b)} in the lair, {_many(n, 'card')} in the deck."
            ),
            OPENS: lambda k, n, *_: f"{site(k)} opens: {n} loot.",
            FOR_HIRE: lambda k, *_: f"  {card(k)} is for hire.",
            RESHUFFLES: lambda g, n, *_: f"  {name(g)} shuffle their {_many(n, 'discarded card')} into a new deck.",
            MORE_FOLLOWERS: lambda g, n, *_: f"    {_many(n, 'further follower')} may be placed.",
            LEAVES_WITH: lambda g, k, common, _: (
                f"    {card(k)} of {name(g)} goes to the {'common' if common else 'own'} discard pile."
            ),
            HOUR_OF: lambda g, day, hour, _: f"Day {day}, hour {hour}: {name(g)}.",
            HIRES: lambda g, k, *_: f"  {card(k)} is hired.",
            RECRUITS: lambda g, k, *_: f"  {card(k)} comes from the market into the lair.",
            PATCHED: lambda g, k, *_: f"  {card(k)} is patched up.",
            SUMMONS: lambda g, k, *_: f"  {card(k)} comes into the lair.",
            RETRIEVES: lambda g, k, *_: f"  {card(k)} comes back from the discard pile.",
            DISCARDS: lambda g, k, *_: f"  {card(k)} is discarded.",
            COLLECTS: lambda g, k, n, _: f"  1 loot from {site(k)}, {n} left.",
            TAKES_TERRITORY: lambda g, k, n, _: f"  {name(g)} take {site(k)} to the trophies: {_many(n, 'point')}.",
            NO_ONE_TAKES: lambda k, *_: f"  {site(k)} leaves the game.",
            DAY_ENDS: lambda day, n, *_: f"Day {day} ends after {_many(n, 'hour')}.",
            DAY_CAPPED: lambda day, n, *_: f"Day {day} is stopped after {_many(n, 'hour')}: nobody ends it.",
            NIGHT: lambda *_: "Night falls: all wounded are patched up.",
        }

    def of_fights(self) -> dict[int, Callable[[int, int, int, int], str]]:
        """What squads and abilities do."""
        name, card, site = self.name, self.card, self.site
        return {
            USES: lambda g, k, *_: f"  The ability of {card(k)} is used.",
            PAYS: lambda g, k, how, _: (
                f"    {card(k)} {('', 'leaves the game', 'is discarded', 'is lost', 'is wounded')[how]} for it."
            ),
            FODDER_COMES: self.fodder,
            GOES: self.marches,
            MORE_SQUADS: lambda g, n, *_: f"    {_many(n, 'further squad')} may go in this hour.",
            SLAVES_LEAVE: lambda g, n, k, _: f"    {_many(n, 'slave')} of {name(g)} on {site(k)} to the pool.",
            FODDER_IN_SQUAD: lambda g, a, b, _: (
                "    With " + " and ".join(_many(n, word) for n, word in ((a, "slave"), (b, "fanatic")) if n) + "."
            ),
            ENRAGES: lambda g, k, *_: f"    {card(k)} is wounded for more strength.",
            ROUTED: lambda g, k, *_: f"    {name(g)} are beaten off {site(k)}.",
            FANATICS_DIE: lambda g, n, *_: f"    {_many(n, 'fanatic')} of {name(g)} to the pool.",
            HOME_WOUNDED: lambda g, k, j, _: f"    {card(k)} of {name(g)} goes home wounded from {site(j)}.",
            THROWN: lambda g, k, j, _: (
                f"    {card(k)} of {name(g)} is discarded from {'the lair' if j < 0 else site(j)}."
            ),
            WOUNDED: lambda g, k, *_: (
                f"    {card(k)} of {name(g)} is "
                + ("lost from the lair to the pool." if k >= SLAVE else "wounded in the lair.")
            ),
            PLUNDERS: lambda g, k, n, left: f"    {n} loot from {site(k)}, {left} left.",
            DESTROYS_LOOT: lambda g, k, n, left: f"    {n} loot on {site(k)} destroyed, {left} left.",
            RAZES: lambda g, k, *_: f"    {site(k)} is destroyed.",
            GOES_HOME: lambda g, k, j, _: f"    {card(k)} goes home from {site(j)}.",
            HERDS: lambda g, *_: "    Slaves attack in this hour.",
            CALLED_OFF: lambda g, *_: "  The squad is too weak, and stays.",
        }

    def scores(self, outcome: Any) -> list[str]:
        """The last lines: points of each gang. A game that was never ended has no places: who'd win isn't known."""
        over = int(outcome.ending) != CAPPED
        return [
            f"{name}: {_many(int(seat.score), 'point')}, {int(seat.loot)} loot and "
            f"{_many(int(seat.territories), 'territory', 'territories')}: "
            + (f"place {int(seat.place)}." if over else "no place, as the game was never ended.")
            for name, seat in ((self.names[g], outcome.seat[chair]) for g, chair in enumerate(self.chairs))
        ]

    def marches(self, g: int, site: int, strength: int, guard: int) -> str:
        """A squad sets out."""
        if guard < 0:
            return f"  {self.name(g)} reinforce their {self.site(site)}."
        against = f"against {guard}" if guard else "on neutral ground"
        return f"  {self.name(g)} ambush {self.site(site)}: strength {strength} {against}."

    def fodder(self, g: int, kind: int, many: int, site: int) -> str:
        """Slaves or fanatics that come."""
        words = _many(many, "slave" if kind == SLAVE else "fanatic") if many else "Nobody is left to come"
        return f"    {words} from the pool for {self.name(g)}{f' on {self.site(site)}' if site >= 0 else ''}."

    def name(self, g: int) -> str:
        """A gang."""
        return self.names[g]

    def card(self, card: int) -> str:
        """A follower."""
        return {SLAVE: "A slave", FANATIC: "A fanatic"}.get(card) or self.titles["card"][card]

    def site(self, site: int) -> str:
        """A territory, with a number where its type has several cards."""
        kinds = [int(self.data.site[k].kind) for k in range(int(self.data.sites))]
        title = self.titles["territory"][kinds[site]]
        return f"{title} {kinds[: site + 1].count(kinds[site])}" if kinds.count(kinds[site]) > 1 else title
