"""A game in plain words, from its journal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simcore.game import Tables
from simcore.journal import Journal, Note
from simcore.voyage.cards import FACES, FINDINGS, SKILLS, TERRAINS, WHAT

(
    ROUND_OF, TURN_OF, DROPS, FINDS_GEAR, GAINS_RESOURCE, LOSES_RESOURCE, GAINS_WATER, SPENDS_WATER, LACKS_WATER,
    DEHYDRATED, PARCHED, CURED, WOUNDED, KNOCKED_OUT, INJURED, ELIMINATED, RADIATED, CONTAMINATED, DAMAGED, WRECKED,
    BREACHED, SINKS, STRANDED, LEAVES_STRANDED, WAKES, TESTS, CRUISES, CHARTERS, PAYS_WITH, ROLLS_DIE, DRAWS_TOKEN,
    DRAWS_CARD, IGNORES, LAYS_TOKEN, FIGHTS, STRIKES, STRUCK, WINS, FLEES, NOBODY_WINS, ARRIVES, ACTS, RETURNS,
    DRIVES, CAMPS, EXPLORES, VISITS_CITY, BUYS, EXCHANGES, UPGRADES, EARNS, LOADS, HEALED, LEAVES_BE, ENDS,
    SWAPS_WATER, REVEALS, QUAY_SHIP, MENDED, CLEANED, SPILLS_WATER, READS_DIE, RADIATION_TURNS, CONTAMINATION_TURNS,
    PASSES_BY_ITSELF, ROLLS, TURNS_BACK, GAINS_NONE, RESTS, EQUIPS, LEFT, OFFERED, BRINGS, DRAWS_SPECIAL, STANDS,
    AVOIDS, ICONS, SPARES, TOKENS_READY, WATER_DUE, BAG_OF, BEGINS,
) = range(82)  # fmt: skip
"""What a note is about. Its numbers, in order: the knight first, but for ROUND_OF round; QUAY_SHIP ship, slot, Cutters
left; ENDS rounds; BAG_OF tokens.

Of turns: TURN_OF port, 1 if Stranded; BEGINS port, Water; WAKES wounds left, actions; RESTS actions left, step of the
turn; RETURNS ship, Breach, slot (of a Cutter: how many lie there now). Of bodies: DROPS gear, why; FINDS_GEAR gear,
deck; GAINS_RESOURCE, LOSES_RESOURCE resource, many, left; GAINS_WATER, SPENDS_WATER, LACKS_WATER, SPILLS_WATER many,
left; GAINS_NONE many, Water in the pool; DEHYDRATED, PARCHED, TURNS_BACK card; CURED card, side left; WOUNDED many,
wounds; INJURED card, Injuries; ELIMINATED Water that goes back; RADIATED, CONTAMINATED, DAMAGED, EARNS, LOADS, HEALED,
MENDED, CLEANED many, total; RADIATION_TURNS, CONTAMINATION_TURNS many, left; UPGRADES upgrade, cost, experience left;
DRAWS_SPECIAL place among special cards. Of the sea: CRUISES route, port; CHARTERS ship, cost, Breach; EQUIPS gear;
PAYS_WITH resource or -1 - gear, left to pay; ICONS threat tokens, Hazards, dice; TOKENS_READY Aquatic tokens; ROLLS_DIE
face, number; READS_DIE number; SPARES Breach; WATER_DUE icons, Speed, Water; AVOIDS Hazards, left; DRAWS_TOKEN token, 1
for its red side; DRAWS_CARD card, reader, Hazards; BRINGS deed, many; LAYS_TOKEN gear or -1; ROLLS dice, successes,
special icons (-1: none are read); TESTS skill, successes, need; FIGHTS Health, dice, armor; STANDS how, dice, armor;
STRIKES clash, Health left; STRUCK successes, special icons, dice; SWAPS_WATER deed, many; BREACHED many, total, hull;
SINKS ship, 1 if it comes back; STRANDED Port of Call. Of ports: LEAVES_STRANDED, ARRIVES port; DRIVES port, road;
REVEALS destination card, port; ACTS destination card, choice, port; CAMPS, VISITS_CITY port; EXPLORES port, terrain,
exploration card; OFFERED gear, value, deck; BUYS gear, value; LEFT gear; EXCHANGES from, to."""


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
        f"{_many(int(seat.first_looks), 'First Look')}, cargo {int(seat.cargo)}, "
        + ("out of the game" if seat.eliminated else "home" if seat.home else "abroad")
        + f": place {int(seat.place)}."
        for name, seat in ((names[i], outcome.seat[chair]) for i, chair in enumerate(seated))
    ]
    return [*story.laid_out(), *filter(None, lines), *ends]


def tell_cruise(tables: Tables, row: Any, journal: Journal, outcome: Any) -> list[str]:
    """The story of one cruise, as `tell` tells a season."""
    story = _Story(tables, [tables.roles["knights"][int(tables.data.table.knight)].title])
    ends = "The ship arrives." if outcome.arrived else "The ship does not arrive."
    return [*filter(None, (story.line(note) for note in journal)), ends]


def _many(many: int, one: str, more: str = "") -> str:
    """A number with its word."""
    return f"{many} {one if many == 1 else more or one + 's'}"


Line = Callable[[int, int, int, int], str]

DECK_NAMES = ("sea", "highway and desert", "scrub and mountains", "gear", "Aquatic gear", "Injury", "exploration",
              "Dehydration")  # fmt: skip
"""Decks in play, in the order of tables.SEA and so on."""

LOST_BECAUSE = ("", ": no room")
"""By belongings.TAKEN and NO_ROOM."""

STANCES = {1: "fights", 2: "tries to escape", 3: "fights with Ammo"}
"""By bots.TAKE, LEAVE and ALSO."""


class _Story:
    """Names of knights and cards, and lines for notes."""

    def __init__(self, tables: Tables, names: list[str]) -> None:
        self.titles, self.data, self.names = tables.titles, tables.data, names
        self.titles_of_roles = [role.title for role in tables.roles.get("knights", ())]
        drawn = {int(self.data.drawn[deck, bit]): deck for deck in range(3) for bit in range(self.size(deck))}
        self.deck_of = drawn
        self.lines: dict[int, Line] = (
            self.of_turns() | self.of_bodies() | self.of_water() | self.of_sea() | self.of_cards() | self.of_fights()
            | self.of_ports()
        )  # fmt: skip

    def line(self, note: Note) -> str:
        """One note in words; "" for one that others tell."""
        return self.lines[note.what](note.a, note.b, note.c, note.d) if note.what in self.lines else ""

    def size(self, deck: int) -> int:
        """How many cards a deck has as a season begins."""
        return int(self.data.whole[deck]).bit_count()

    def laid_out(self) -> list[str]:
        """What is the same in every game: sizes of decks, and who may see what is drawn."""
        decks = ", ".join(f"{name} {self.size(deck)}" for deck, name in enumerate(DECK_NAMES))
        return [
            f"Decks: {decks}. Water markers: {int(self.data.rules.markers)}.",
            "All see what is drawn. Of a sea or wasteland card all see the title, its reader alone the rest until it "
            "is resolved. Nobody sees the order of a deck, nor ships under Cutters.",
        ]

    def of_turns(self) -> dict[int, Line]:
        """Rounds, turns and the Quay."""
        name, of = self.name, self.of
        return {
            ROUND_OF: lambda n, *_: f"Round {n}.",
            BAG_OF: lambda n, *_: f"Threat tokens in the bag: {n}.",
            BEGINS: self.begins,
            QUAY_SHIP: lambda ship, slot, left, _: f"Quay, slot {slot + 1}: {of('ship', ship)}; Cutters left: {left}.",
            TURN_OF: lambda k, port, away, _: f"{name(k)}, {'in the Stranded Area' if away else of('port', port)}.",
            WAKES: lambda k, hurt, n, _: (
                f"  {name(k)} comes round ({_many(hurt, 'wound')} left; it takes {_many(n, 'action')})."
            ),
            RESTS: lambda k, left, step, _: (
                f"  {name(k)} does nothing{'' if step == 1 else ' more'}: {_many(left, 'action')} unused."
                if left > 0
                else ""
            ),
            RETURNS: lambda k, ship, breach, at: (
                f"  {name(k)} returns {of('ship', ship)} with {breach} Breach "
                + (f"on top of the deck; Cutters left: {at}." if ship == self.data.ships else f"to slot {at + 1}.")
            ),
            ENDS: lambda n, *_: f"The season ends after {_many(n, 'round')}.",
        }

    def begins(self, k: int, port: int, water: int, _: int) -> str:
        """What a knight begins with."""
        own = self.data.knight[self.titles_of_roles.index(self.names[k])]
        gear = [self.of("gear", int(self.data.piece[card])) for card in own.piece[: int(own.pieces)]]
        return (
            f"{self.names[k]} begins in {self.of('port', port)} with a {self.of('vehicle', int(own.vehicle))}: "
            f"{water} Water, {int(own.fuel)} Fuel, {int(own.ammo)} Ammo, {int(own.meds)} Meds; "
            f"gear: {', '.join(gear) or 'none'}."
        )

    def of_bodies(self) -> dict[int, Line]:
        """What happens to knights and what they have."""
        name, of, thing = self.name, self.of, self.thing
        return {
            DROPS: lambda k, g, why, _: f"  {name(k)} loses gear: {of('gear', g)}{LOST_BECAUSE[why]}.",
            FINDS_GEAR: lambda k, g, deck, _: f"  {name(k)} draws {of('gear', g)} ({DECK_NAMES[deck]} deck).",
            GAINS_RESOURCE: lambda k, r, n, left: f"  {name(k)} gains {n} {thing(r)} ({left})." if n else "",
            LOSES_RESOURCE: lambda k, r, n, left: f"  {name(k)} loses {n} {thing(r)} ({left} left)." if n else "",
            WOUNDED: lambda k, n, hurt, _: f"  {name(k)} suffers {_many(n, 'wound')} ({hurt} in all).",
            HEALED: lambda k, n, hurt, _: f"  {name(k)} heals {_many(n, 'wound')} ({hurt} left).",
            KNOCKED_OUT: lambda k, *_: f"  {name(k)} falls unconscious.",
            INJURED: lambda k, card, n, _: (
                f"  {name(k)} takes an Injury ({of('injury', card) if card >= 0 else 'no card left'}), {n} now."
            ),
            ELIMINATED: lambda k, n, *_: f"  {name(k)} is out of the game; {n} Water go back.",
            RADIATED: lambda k, n, total, _: f"  {name(k)} suffers {n} Radiation ({total}).",
            CONTAMINATED: lambda k, n, total, _: f"  {name(k)} suffers {n} Contamination ({total}).",
            RADIATION_TURNS: lambda k, n, left, _: f"  {n} Radiation of {name(k)} make an Injury ({left} left).",
            CONTAMINATION_TURNS: lambda k, n, left, _: (
                f"  {n} Contamination of {name(k)} make an Injury ({left} left)."
            ),
            DAMAGED: lambda k, n, total, _: f"  The vehicle of {name(k)} suffers {n} Damage ({total}).",
            MENDED: lambda k, n, total, _: f"  {n} Damage of the vehicle of {name(k)} is mended ({total} left).",
            CLEANED: lambda k, n, total, _: f"  {name(k)} loses {n} Radiation ({total} left).",
            WRECKED: lambda k, *_: f"  The vehicle of {name(k)} is wrecked.",
            EARNS: lambda k, n, total, _: f"  {name(k)} gains {n} experience ({total}).",
            LOADS: lambda k, n, total, _: f"  {name(k)} takes on {n} cargo ({total}).",
            UPGRADES: lambda k, u, cost, left: f"  {name(k)} learns {of('upgrade', u)} for {cost} experience ({left}).",
        }

    def of_water(self) -> dict[int, Line]:
        """Water and Dehydration."""
        name, of = self.name, self.of
        return {
            GAINS_WATER: lambda k, n, left, _: f"  {name(k)} gains {n} Water, and has {left}.",
            GAINS_NONE: lambda k, n, pool, _: f"  {name(k)} can't take {n} Water; in the pool: {pool}.",
            SPENDS_WATER: lambda k, n, left, _: f"  {name(k)} spends {n} Water, and has {left}.",
            LACKS_WATER: lambda k, n, *_: f"  {name(k)} lacks {n} Water.",
            SPILLS_WATER: lambda k, n, left, _: f"  {name(k)} has no room for {n} Water, and has {left}.",
            DEHYDRATED: lambda k, card, *_: f"  {name(k)} is dehydrated: {of('dehydration', card)}.",
            PARCHED: lambda k, card, *_: f"  {name(k)} is severely dehydrated: {of('dehydration', card)}.",
            TURNS_BACK: lambda k, card, *_: f"  {name(k)} turns {of('dehydration', card)} back to its normal side.",
            CURED: lambda k, card, left, _: (
                f"  {name(k)} drinks: {of('dehydration', card)} "
                + ("is turned to its normal side." if left else "is shuffled back.")
            ),
        }

    def of_sea(self) -> dict[int, Line]:
        """Cruises."""
        name, of, thing = self.name, self.of, self.thing
        return {
            CRUISES: lambda k, route, port, _: f"  {name(k)} sails along {of('route', route)} to {of('port', port)}.",
            CHARTERS: self.charters,
            PAYS_WITH: lambda k, what, left, _: (
                f"    Paid with {thing(what) if what > 0 else of('gear', -1 - what)}; to pay: {max(0, left)}."
            ),
            EQUIPS: lambda k, g, *_: f"    In use: {of('gear', g)}.",
            ICONS: lambda k, threat, hazard, dice: (
                f"    On the route: {_many(threat, 'threat token')}, {_many(hazard, 'Hazard')}, "
                f"{_many(dice, 'sea die', 'sea dice')}."
            ),
            TOKENS_READY: lambda k, n, *_: f"    Aquatic tokens at hand: {n}." if n else "",
            ROLLS_DIE: lambda k, face, n, _: f"    Sea die: {FACES[face].replace('_', ' ')} ({n}).",
            READS_DIE: lambda k, n, *_: f"    Sea die, read for its value: {n}.",
            SPARES: lambda k, n, *_: f"    The ship holds: {n} Breach does nothing." if n else "",
            WATER_DUE: lambda k, icons, speed, due: (
                f"    Water icons: {icons}" + (f", Speed {speed:+}" if speed else "") + f"; to spend: {due}."
                if icons or due
                else ""
            ),
            AVOIDS: lambda k, n, left, _: f"    {_many(n, 'Hazard')} avoided; Hazards: {left}." if n else "",
            BREACHED: lambda k, n, total, hull: f"  The ship of {name(k)} suffers {n} Breach ({total} of {hull}).",
            SINKS: lambda k, ship, back, _: (
                f"  The ship of {name(k)} sinks: {of('ship', ship)} "
                + ("comes back to the deck." if back else "is out of the game.")
            ),
            STRANDED: lambda k, port, *_: f"  {name(k)} is Stranded off {of('port', port)}.",
            LEAVES_STRANDED: lambda k, *_: f"  {name(k)} leaves the Stranded Area.",
        }

    def charters(self, k: int, ship: int, cost: int, breach: int) -> str:
        """A ship, what it costs where that isn't its Charter Cost, and the Breach that it bears."""
        boat = self.data.ship[ship]
        usual = f" (Charter Cost {int(boat.cost)})" if cost != boat.cost else ""
        return f"  {self.of('ship', ship)} is chartered for {cost}{usual}, with {breach} of {int(boat.hull)} Breach."

    def of_cards(self) -> dict[int, Line]:
        """Threat tokens, cards and their tests."""
        name, of = self.name, self.of
        return {
            DRAWS_TOKEN: lambda k, token, red, _: (
                f"    Threat token: {of('token', token)} ({'red' if red else 'yellow'} side)."
            ),
            DRAWS_CARD: lambda k, card, reader, n: (
                f"  Card of the {DECK_NAMES[self.deck_of[card]]} deck: {of('card', card)}, read by {name(reader)}; "
                f"Hazards: {n}."
            ),
            IGNORES: lambda k, *_: "    The encounter is ignored.",
            LEAVES_BE: lambda k, *_: f"    {name(k)} leaves it be.",
            LAYS_TOKEN: lambda k, g, *_: f"    An Aquatic token on {of('gear', g) if g >= 0 else 'the sheet'}.",
            BRINGS: lambda k, what, n, _: f"    It brings: {WHAT[what].replace('_', ' ')} {n}.",
            DRAWS_SPECIAL: lambda k, place, *_: f"  {name(k)} draws the special card {of('special', place)}.",
            PASSES_BY_ITSELF: lambda k, *_: "    The test passes by itself.",
            ROLLS: lambda k, dice, n, tops: (
                f"    {name(k)} rolls {_many(dice, 'die', 'dice')}: {_many(n, 'success', 'successes')}"
                + (f", {_many(tops, 'special icon')}." if tops >= 0 else ".")
            ),
            TESTS: lambda k, skill, n, need: (
                f"    {SKILLS[skill].capitalize()} ({need}): {'passed' if n >= need else 'failed'} with {n}."
            ),
            SWAPS_WATER: lambda k, what, n, _: (
                f"    {name(k)} takes 1 Water in place of {WHAT[what].replace('_', ' ')} {n}."
            ),
        }

    def of_fights(self) -> dict[int, Line]:
        """Fights, blow by blow."""
        name = self.name
        return {
            FIGHTS: lambda k, health, dice, armor: (
                f"    An enemy of Health {health}, {_many(dice, 'die', 'dice')} and armor {armor}."
            ),
            STANDS: lambda k, how, dice, armor: (
                f"    {name(k)} {STANCES[how]}: {_many(max(0, dice), 'die', 'dice')}, armor {armor}."
            ),
            STRIKES: lambda k, n, left, _: f"      Clash {n}: Health {max(0, left)} left to the enemy.",
            STRUCK: lambda k, n, tops, dice: (
                f"      The enemy rolls {_many(dice, 'die', 'dice')}: {_many(n, 'success', 'successes')}, "
                f"{_many(tops, 'special icon')}."
            ),
            WINS: lambda k, *_: f"    {name(k)} wins.",
            FLEES: lambda k, *_: f"    {name(k)} escapes.",
            NOBODY_WINS: lambda k, *_: "    Nobody wins.",
        }

    def of_ports(self) -> dict[int, Line]:
        """What happens in ports and on roads."""
        name, of, thing = self.name, self.of, self.thing
        return {
            ARRIVES: lambda k, port, *_: f"  {name(k)} reaches {of('port', port)}.",
            REVEALS: lambda k, card, port, _: (
                f"  {of('destination', card)} is revealed at {of('port', port)}: a First Look for {name(k)}."
            ),
            ACTS: lambda k, card, choice, port: (
                f"  Destination Action at {of('port', port)}: {of('choice', 3 * card + choice)}."
            ),
            DRIVES: lambda k, port, road, _: f"  {name(k)} drives along {of('road', road)} to {of('port', port)}.",
            CAMPS: lambda k, port, *_: f"  {name(k)} camps in {of('port', port)}.",
            EXPLORES: lambda k, port, terrain, card: (
                f"  {name(k)} explores {of('port', port)} ({TERRAINS[terrain]}) and draws {of('find', card)}."
            ),
            VISITS_CITY: lambda k, port, *_: f"  {name(k)} goes into the city of {of('port', port)}.",
            OFFERED: lambda k, g, value, deck: f"    On offer: {of('gear', g)} for {value} ({DECK_NAMES[deck]} deck).",
            BUYS: lambda k, g, value, _: f"  {name(k)} buys {of('gear', g)} for {value}.",
            LEFT: lambda k, g, *_: f"    {of('gear', g)} is left.",
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
