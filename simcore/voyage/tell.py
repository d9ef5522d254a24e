"""A game in plain words, from its journal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simcore.game import Tables
from simcore.journal import Journal, Note
from simcore.voyage.cards import FACES, FINDINGS, SKILLS

(
    ROUND_OF, TURN_OF, DROPS, FINDS_GEAR, GAINS_RESOURCE, LOSES_RESOURCE, GAINS_WATER, SPENDS_WATER, LACKS_WATER,
    DEHYDRATED, PARCHED, CURED, WOUNDED, KNOCKED_OUT, INJURED, ELIMINATED, RADIATED, CONTAMINATED, DAMAGED, WRECKED,
    BREACHED, SINKS, STRANDED, LEAVES_STRANDED, WAKES, TESTS, CRUISES, CHARTERS, PAYS_WITH, ROLLS_DIE, DRAWS_TOKEN,
    DRAWS_CARD, IGNORES, LAYS_TOKEN, FIGHTS, STRIKES, STRUCK, WINS, FLEES, NOBODY_WINS, ARRIVES, ACTS, RETURNS,
    DRIVES, CAMPS, EXPLORES, VISITS_CITY, BUYS, EXCHANGES, UPGRADES, EARNS, LOADS, HEALED, LEAVES_BE, ENDS,
    SWAPS_WATER, REVEALS, QUAY_SHIP, MENDED, CLEANED, SPILLS_WATER,
    READS_DIE,
) = range(62)  # fmt: skip
"""What a note is about. Its numbers, in order: the knight first, but for ROUND_OF round; QUAY_SHIP ship; ENDS rounds.
TURN_OF knight, port, 1 if Stranded; DROPS, FINDS_GEAR, BUYS knight, gear; GAINS_RESOURCE, LOSES_RESOURCE knight,
resource, many; GAINS_WATER, SPENDS_WATER, LACKS_WATER, SPILLS_WATER knight, many, left; DEHYDRATED, PARCHED, CURED
knight, card, side left; WOUNDED knight, many, wounds; INJURED knight, card, Injuries; RADIATED, CONTAMINATED,
DAMAGED, EARNS, LOADS, HEALED, MENDED, CLEANED knight, many, total; BREACHED knight, many, total, hull; SINKS
knight, ship; STRANDED knight, Port of Call; LEAVES_STRANDED, ARRIVES, DRIVES knight, port; TESTS knight, skill,
successes, need; CRUISES knight, route, port; CHARTERS knight, ship, cost; PAYS_WITH knight, resource or -1 - gear,
left to pay; ROLLS_DIE knight, face, number; READS_DIE knight, number; DRAWS_TOKEN knight, token; DRAWS_CARD knight,
card, reader, Hazards; LAYS_TOKEN knight, gear or -1; FIGHTS knight, Health, dice; STRIKES knight, clash, Health
left; STRUCK knight, successes, special icons; ACTS knight, port, choice; RETURNS knight, ship, Breach; EXCHANGES
knight, from, to; UPGRADES knight, upgrade; REVEALS knight, destination card."""


def tell(tables: Tables, row: Any, journal: Journal, outcome: Any) -> list[str]:
    """The story of one game, a line a happening; an indented line belongs to the last one that isn't.

    `row`: the seating; `journal`: the notes of the game; `outcome`: what it came to."""
    chairs = [(int(row.first) + seat) % len(row.role) for seat in range(len(row.role))]
    seated = [chair for chair in chairs if row.role[chair] >= 0]
    names = [tables.roles["knights"][int(row.role[chair])].title for chair in seated]
    story = _Story(tables, names)
    lines = [story.line(note) for note in journal]
    ends = [
        f"{name}: {int(seat.score)} points, {_many(int(seat.destinations), 'destination')}, "
        f"{_many(int(seat.first_looks), 'First Look')}, cargo {int(seat.cargo)}: "
        + ("out of the game." if seat.eliminated else f"place {int(seat.place)}.")
        for name, seat in ((names[i], outcome.seat[chair]) for i, chair in enumerate(seated))
    ]
    return [*filter(None, lines), *ends]


def tell_cruise(tables: Tables, row: Any, journal: Journal, outcome: Any) -> list[str]:
    """The story of one cruise, as `tell` tells a season."""
    story = _Story(tables, [tables.roles["knights"][int(tables.data.table.knight)].title])
    ends = "The ship arrives." if outcome.arrived else "The ship does not arrive."
    return [*filter(None, (story.line(note) for note in journal)), ends]


def _many(many: int, one: str, more: str = "") -> str:
    """A number with its word."""
    return f"{many} {one if many == 1 else more or one + 's'}"


class _Story:
    """Names of knights and cards, and lines for notes."""

    def __init__(self, tables: Tables, names: list[str]) -> None:
        self.titles, self.data, self.names = tables.titles, tables.data, names
        self.lines: dict[int, Callable[[int, int, int, int], str]] = (
            self.of_turns() | self.of_bodies() | self.of_sea() | self.of_ports()
        )

    def line(self, note: Note) -> str:
        """One note in words; "" for one that others tell."""
        return self.lines[note.what](note.a, note.b, note.c, note.d) if note.what in self.lines else ""

    def of_turns(self) -> dict[int, Callable[[int, int, int, int], str]]:
        """Rounds, turns and the Quay."""
        name, of = self.name, self.of
        return {
            ROUND_OF: lambda n, *_: f"Round {n}.",
            QUAY_SHIP: lambda ship, *_: f"On the Quay: {of('ship', ship)}.",
            TURN_OF: lambda k, port, away, _: f"{name(k)}, {'in the Stranded Area' if away else of('port', port)}.",
            WAKES: lambda k, *_: f"  {name(k)} comes round.",
            RETURNS: lambda k, ship, breach, _: f"  {name(k)} returns {of('ship', ship)} with {breach} Breach.",
            ENDS: lambda n, *_: f"The season ends after {_many(n, 'round')}.",
        }

    def of_bodies(self) -> dict[int, Callable[[int, int, int, int], str]]:
        """What happens to knights and what they have."""
        name, of, thing = self.name, self.of, self.thing
        return {
            DROPS: lambda k, g, *_: f"  {name(k)} loses {of('gear', g)}.",
            FINDS_GEAR: lambda k, g, *_: f"  {name(k)} takes {of('gear', g)}.",
            GAINS_RESOURCE: lambda k, r, n, _: f"  {name(k)} gains {n} {thing(r)}." if n else "",
            LOSES_RESOURCE: lambda k, r, n, _: f"  {name(k)} loses {n} {thing(r)}." if n else "",
            GAINS_WATER: lambda k, n, left, _: f"  {name(k)} gains {n} Water, and has {left}.",
            SPENDS_WATER: lambda k, n, left, _: f"  {name(k)} spends {n} Water, and has {left}.",
            LACKS_WATER: lambda k, n, *_: f"  {name(k)} lacks {n} Water.",
            SPILLS_WATER: lambda k, n, left, _: f"  {name(k)} has no room for {n} Water, and has {left}.",
            DEHYDRATED: lambda k, *_: f"  {name(k)} is dehydrated.",
            PARCHED: lambda k, card, *_: f"  {name(k)} is severely dehydrated: {of('dehydration', card)}.",
            CURED: lambda k, card, left, _: f"  {name(k)} drinks: {'better' if left else 'well again'}.",
            WOUNDED: lambda k, n, hurt, _: f"  {name(k)} suffers {_many(n, 'wound')} ({hurt} in all).",
            HEALED: lambda k, n, hurt, _: f"  {name(k)} heals {_many(n, 'wound')} ({hurt} left).",
            KNOCKED_OUT: lambda k, *_: f"  {name(k)} falls unconscious.",
            INJURED: lambda k, card, n, _: (
                f"  {name(k)} takes an Injury ({of('injury', card) if card >= 0 else 'no card left'}), {n} now."
            ),
            ELIMINATED: lambda k, *_: f"  {name(k)} is out of the game.",
            RADIATED: lambda k, n, total, _: f"  {name(k)} suffers {n} Radiation ({total}).",
            CONTAMINATED: lambda k, n, total, _: f"  {name(k)} suffers {n} Contamination ({total}).",
            DAMAGED: lambda k, n, total, _: f"  The vehicle of {name(k)} suffers {n} Damage ({total}).",
            MENDED: lambda k, n, total, _: f"  {n} Damage of the vehicle of {name(k)} is mended ({total} left).",
            CLEANED: lambda k, n, total, _: f"  {name(k)} loses {n} Radiation ({total} left).",
            WRECKED: lambda k, *_: f"  The vehicle of {name(k)} is wrecked.",
            EARNS: lambda k, n, total, _: f"  {name(k)} gains {n} experience ({total}).",
            LOADS: lambda k, n, total, _: f"  {name(k)} takes on {n} cargo ({total}).",
            UPGRADES: lambda k, u, *_: f"  {name(k)} learns {of('upgrade', u)}.",
        }

    def of_sea(self) -> dict[int, Callable[[int, int, int, int], str]]:
        """Cruises."""
        name, of, thing = self.name, self.of, self.thing
        return {
            CRUISES: lambda k, route, port, _: f"  {name(k)} sails along {of('route', route)} to {of('port', port)}.",
            CHARTERS: lambda k, ship, cost, _: f"  {of('ship', ship)} is chartered for {cost}.",
            PAYS_WITH: lambda k, what, left, _: f"    Paid with {thing(what) if what > 0 else of('gear', -1 - what)}.",
            ROLLS_DIE: lambda k, face, n, _: f"    Sea die: {FACES[face].replace('_', ' ')} ({n}).",
            READS_DIE: lambda k, n, *_: f"    Sea die, read for its value: {n}.",
            DRAWS_TOKEN: lambda k, token, *_: f"    Threat token: {of('token', token)}.",
            DRAWS_CARD: lambda k, card, reader, n: (
                f"  {of('card', card)}" + (f", read by {name(reader)}" if reader != k else "") + f"; Hazards: {n}."
            ),
            IGNORES: lambda k, *_: "    The encounter is ignored.",
            LEAVES_BE: lambda k, *_: f"    {name(k)} leaves it be.",
            LAYS_TOKEN: lambda k, g, *_: f"    An Aquatic token on {of('gear', g) if g >= 0 else 'the sheet'}.",
            TESTS: lambda k, skill, n, need: (
                f"    {SKILLS[skill].capitalize()} ({need}): {'passed' if n >= need else 'failed'} with {n}."
            ),
            FIGHTS: lambda k, health, dice, _: f"    A fight against Health {health} and {_many(dice, 'die', 'dice')}.",
            STRIKES: lambda k, n, left, _: f"      Clash {n}: Health {max(0, left)} left to the enemy.",
            STRUCK: lambda k, n, *_: f"      The enemy rolls {n}.",
            WINS: lambda k, *_: f"    {name(k)} wins.",
            FLEES: lambda k, *_: f"    {name(k)} escapes.",
            NOBODY_WINS: lambda k, *_: "    Nobody wins.",
            SWAPS_WATER: lambda k, *_: f"    {name(k)} takes Water instead.",
            BREACHED: lambda k, n, total, hull: f"  The ship suffers {n} Breach ({total} of {hull}).",
            SINKS: lambda k, ship, *_: f"  {of('ship', ship)} sinks.",
            STRANDED: lambda k, *_: f"  {name(k)} is Stranded.",
            LEAVES_STRANDED: lambda k, *_: f"  {name(k)} leaves the Stranded Area.",
        }

    def of_ports(self) -> dict[int, Callable[[int, int, int, int], str]]:
        """What happens in ports and on roads."""
        name, of, thing = self.name, self.of, self.thing
        return {
            ARRIVES: lambda k, port, *_: f"  {name(k)} reaches {of('port', port)}.",
            REVEALS: lambda k, card, *_: f"  {of('destination', card)} is revealed: a First Look for {name(k)}.",
            ACTS: lambda k, card, choice, _: f"  Destination Action: {of('choice', 3 * card + choice)}.",
            DRIVES: lambda k, port, *_: f"  {name(k)} drives to {of('port', port)}.",
            CAMPS: lambda k, *_: f"  {name(k)} camps.",
            EXPLORES: lambda k, *_: f"  {name(k)} explores.",
            VISITS_CITY: lambda k, *_: f"  {name(k)} goes into the city.",
            BUYS: lambda k, g, *_: f"  {name(k)} buys {of('gear', g)}.",
            EXCHANGES: lambda k, a, b, _: f"  {name(k)} exchanges 1 {thing(a)} for {thing(b)}.",
        }

    def thing(self, resource: int) -> str:
        """A resource."""
        return FINDINGS[resource - 1].capitalize()

    def name(self, k: int) -> str:
        """A knight."""
        return self.names[k]

    def of(self, kind: str, place: int) -> str:
        """A card by its place in the pack."""
        return self.titles[kind][place]
