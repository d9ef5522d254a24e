"""A game in plain words, from its journal: all that a referee needs who has the rulebook and the pack beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simcore.game import Tables
from simcore.journal import Journal, Note
from simcore.mech.cards import MOST_DICE
from simcore.mech.tables import WHAT, WHEN

(
    BEGINS_ROUND, TURN_OF, ACTS_SO, SHOOTS, JAMS, DESTROYED, ATTACKED, HEALTH_NOW, FALLS, HULL_NOW, WORSENS, BURNS,
    MENDS_ROOM, APPEARS, CRUSHES, HARMLESS, MOVES_TO, ADVANCES, STUCK, LEVEL_IN, NEW_DECK, SALVAGES, TAKES_CARD,
    SCRAPS_CARD, INSTALLS, RUMMAGES, EVENT_NOW, STANDS_IN, ENDS, EXCHANGES, PRESSES, SHELLS, BOSS_COMES, FINDS, ORDERS,
    SURFACES, WOUNDED, BREAKS, HOLDS, FIRES, ENDS_ROUND, REINFORCES, ROLLS_LUCK, LUCKY, TAKES_EFFECT, EVENT_GOES_ON,
    GIVES_UP, DICE_FROM, GUARDED, OF_ENEMY, LOST, TURNED, USED_UP, NOISE_NOW, ACTIONS_NOW, STEPS_NOW, LEAVES_GAME,
    SCRAPS_TOP, DRAWS, PASSES_CARD, RECYCLES, LEAVES, STRIKES_BACK, PASSED_OVER, ARRIVES, EVENT_OVER, REVEALS,
    ALL_CLEAR, FIRST_IS, FREE, FUELLED, LEFT, SETS_OUT,
) = range(73)  # fmt: skip
"""What a note is about. Its numbers, in order, where an enemy is its card * 32 + its standee (combat.name_of), a card
one of salvage, and c a crew member: SETS_OUT Hull, Noise, enemy cards, salvage cards; STANDS_IN c, room; BEGINS_ROUND
round, distance, Hull, Noise; FIRST_IS c; TURN_OF c, room, Health, actions; FREE c, free moves, Reloads, Repairs;
ACTS_SO c, verb, with what, whom (crew.option_of; a card in place of where it is held); LEFT c, actions, free moves;
DICE_FROM dice of the weapon, the gun or the hand, of what c has, of the room or of rage, of the event; SHOOTS c, enemy,
dice, result of the pool; GUARDED Attack, guard, shelter, hits stopped; ATTACKED enemy, c, dice, hits; STRIKES_BACK c,
enemy; SHELLS enemy, dice, hits; WOUNDED enemy, Health left; DESTROYED, APPEARS, BREAKS enemy, room; MOVES_TO enemy,
room, 1 if driven; OF_ENEMY enemy, when; CRUSHES, HARMLESS, LEAVES, PASSED_OVER enemy; HEALTH_NOW, ACTIONS_NOW c,
change, what is there now; STEPS_NOW c, free moves; FALLS c; HULL_NOW, NOISE_NOW change, what is there now; WORSENS,
MENDS_ROOM room, condition; BURNS, HOLDS, FUELLED room; ADVANCES distance, where, of it by fuel, by the event; STUCK
engines, Cockpit, enemies in The Wastes; LEVEL_IN level, cards; NEW_DECK level, cards, 1 if from the discards; SALVAGES
cards, c, room, uses; JAMS, TURNED c, card; TAKES_CARD c, card, 1 if to be reloaded; GIVES_UP c, card, 1 if dropped;
USED_UP c, card, 1 if to the Scrap Pile; INSTALLS card, room; DRAWS, PASSES_CARD, SCRAPS_CARD, SCRAPS_TOP, LEAVES_GAME,
LOST card; RUMMAGES card or below 0; REINFORCES Scrap; RECYCLES Scrap, 1 for an upgrade; EXCHANGES c, what * 8 + with
whom, card given, card got; PRESSES c, actions; ROLLS_LUCK, LUCKY c, face; TAKES_EFFECT card or below 0, c, room;
REVEALS, EVENT_NOW, EVENT_GOES_ON, EVENT_OVER event; BOSS_COMES which, enemy cards, orders, cards to search; FINDS c,
what, room; ORDERS order; FIRES rooms; ENDS ending, rounds, distance, Hull; SURFACES, ARRIVES, ALL_CLEAR, ENDS_ROUND
nothing."""

APPEARED, ACTED, FALLEN = range(3)
"""When an enemy's text takes effect (OF_ENEMY)."""

CONDITIONS = ("Functional", "Inoperable", "On Fire")
KINDS = ("weapon", "armor", "gear", "upgrade", "scrap")
ENDED = {
    4: "The game is stopped: it takes too long.",
    6: "Sanctuary is reached, and no enemy is left: the crew wins.",
    7: "The Hull is gone: the crew loses.",
    8: "The whole crew is down: the crew loses.",
    9: "The boss is beaten: the crew wins with style.",
}
Say = Callable[[int, int, int, int], str]


def tell(tables: Tables, row: Any, journal: Journal, outcome: Any) -> list[str]:
    """The story of one game, a line a happening.

    `row`: the seating; `journal`: the notes of the game; `outcome`: what it came to."""
    story = _Story(tables, row)
    for note in journal:
        story.hear(note)
    lines = story.lines
    idle = (" takes effect.", " goes on.")  # unless a line that belongs to it follows
    return [
        line for line, after in zip(lines, [*lines, ""][1:], strict=True) if after[:1] == " " or not line.endswith(idle)
    ]


def _many(many: int, one: str, more: str = "") -> str:
    """A number with its word."""
    return f"{many} {one if many == 1 else more or one + 's'}"


class _Story:
    """Names of crew, rooms and cards, what the lines need of what was before, and lines for notes."""

    def __init__(self, tables: Tables, row: Any) -> None:
        self.titles, self.data = tables.titles, tables.data
        chairs = [(int(row.first) + seat) % len(row.role) for seat in range(len(row.role))]
        self.roles = [int(row.role[chair]) for chair in chairs if row.role[chair] >= 0]
        self.ability = [int(self.data.member[role].ability) for role in self.roles]
        self.abilities = [self.titles["ability"][ability] for ability in self.ability]
        self.names = [self.titles["crew"][role] for role in self.roles]
        self.held: list[list[int]] = [[] for _ in self.names]
        self.actions, self.where, self.deed = [0] * len(self.names), [0] * len(self.names), 0
        self.upgrades, self.burning, self.event = dict[int, int](), set[int](), -1
        self.gained = 0
        self.dice, self.guarded = (0, 0, 0, 0), (0, 0, 0, 0)
        self.lines: list[str] = []
        self.say: dict[int, Say] = self.of_turns() | self.of_fights() | self.of_rounds() | self.of_cards()

    def hear(self, note: Note) -> None:
        """Add the line of a note, and remember what later lines need."""
        what, numbers = note.what, (note.a, note.b, note.c, note.d)
        if what == DICE_FROM:
            self.dice = numbers
        elif what == GUARDED:
            self.guarded = numbers
        elif what == LEFT:
            self.left(note.a, note.b, note.c)
        elif what == FREE:
            self.free(*numbers)
        elif what in self.say:
            line = self.say[what](*numbers)
            if line:
                self.lines.append(line)
            self.remember(what, *numbers)

    def remember(self, what: int, a: int, b: int, c: int, d: int) -> None:
        """Keep what later lines need: who holds what and stands where, upgrades, fires, the event, the last deed."""
        if what in (ACTS_SO, EXCHANGES, FINDS, PRESSES):
            self.deed, self.gained = len(self.lines) - 1, 0
            if what == ACTS_SO and b == 1:
                self.where[a] = d
        elif what == TURN_OF:
            self.where[a], self.actions[a] = b, d
        elif what == ACTIONS_NOW:
            self.gained += b
        elif what == TAKES_CARD:
            self.held[a].append(b)
        elif what in (GIVES_UP, JAMS, USED_UP) and b in self.held[a]:
            self.held[a].remove(b)
        elif what == STANDS_IN:
            self.where[a] = b
        elif what == INSTALLS:
            self.upgrades[b] = a
        elif what in (WORSENS, MENDS_ROOM):
            (self.burning.add if b == 2 else self.burning.discard)(a)
        elif what == BURNS:
            self.upgrades.pop(a, None)
        elif what in (EVENT_NOW, EVENT_OVER):
            self.event = a if what == EVENT_NOW else -1
        if what == EXCHANGES:
            self.exchanged(a, b % 8, c, d)

    def exchanged(self, c: int, other: int, given: int, got: int) -> None:
        """Take what was given and got from whoever had it."""
        if given in self.held[c]:
            self.held[c].remove(given)
        if other < len(self.held) and got in self.held[other]:
            self.held[other].remove(got)

    # ------------------------------------------------------------ lines

    def of_turns(self) -> dict[int, Say]:
        """What crew members do, and what comes of it for them and the mech."""
        names, room, card = self.names, self.room, self.card
        return {
            TURN_OF: lambda c, r, h, n: f"{names[c]} in {room(r)}: Health {h}, {_many(n, 'action')}.",
            ACTS_SO: self.action,
            EXCHANGES: self.exchange,
            GIVES_UP: lambda c, k, down, _: (
                f"  {names[c]} {'drops' if down else 'scraps'} the {card(k)} to have a free slot."
            ),
            PRESSES: lambda c, n, *_: f"  {names[c]} presses the luck with a {n + 1}: {_many(n, 'action')}.",
            ROLLS_LUCK: lambda c, face, *_: f"{names[c]} rolls a {face} for luck.",
            FINDS: self.find,
            HEALTH_NOW: lambda c, n, h, _: f"  {names[c]} {'gains' if n > 0 else 'loses'} {abs(n)} Health: {h} now.",
            ACTIONS_NOW: lambda c, n, left, _: (
                f"  {names[c]} {'gains' if n > 0 else 'loses'} {_many(abs(n), 'action')}: {left} now."
            ),
            STEPS_NOW: lambda c, n, *_: f"  {names[c]} may move free this round: {_many(n, 'free move')} now.",
            FALLS: lambda c, *_: f"  {names[c]} is Downed.",
            JAMS: lambda c, k, *_: f"  Nothing but ones: the {card(k)} of {names[c]} jams and is scrapped.",
            TURNED: lambda c, k, *_: f"  The {card(k)} of {names[c]} is to be reloaded.",
            USED_UP: lambda c, k, scrap, _: (
                f"  The {card(k)} of {names[c]} is used up: "
                f"{'it goes to the Scrap Pile' if scrap else 'out of the game'}."
            ),
            TAKES_EFFECT: lambda k, c, *_: f"{self.abilities[c] if k < 0 else card(k)} takes effect.",
        }

    def of_fights(self) -> dict[int, Say]:
        """Attacks, enemies and what they do."""
        names, room, enemy = self.names, self.room, self.enemy
        moment = {APPEARED: "as it appears", ACTED: "as it has acted", FALLEN: "as it falls"}
        return {
            SHOOTS: self.shot,
            LUCKY: lambda c, face, *_: f"  The {face} of {names[c]} counts as one of the next dice.",
            ATTACKED: self.attack,
            STRIKES_BACK: lambda c, e, *_: (
                f"  {names[c]} strikes back at {enemy(e)} with bare hands ({self.abilities[c]})."
            ),
            SHELLS: lambda e, n, h, _: f"{enemy(e)} attacks the Hull: {_many(n, 'die', 'dice')}, {_many(h, 'hit')}.",
            WOUNDED: lambda e, h, *_: f"  {enemy(e)} has {h} Health left.",
            DESTROYED: lambda e, r, *_: f"  {enemy(e)} in {room(r)} is destroyed, its card discarded.",
            APPEARS: lambda e, r, *_: f"{enemy(e)} appears in {room(r)} with {self.data.enemy[e // 32].health} Health.",
            CRUSHES: lambda e, *_: f"{enemy(e)} finds no standee, is discarded, and strikes the Hull.",
            HARMLESS: lambda e, *_: f"{enemy(e)}: nothing comes, and it is discarded.",
            LEAVES: lambda e, *_: f"{enemy(e)} leaves at once, and is discarded.",
            PASSED_OVER: lambda e, *_: f"{enemy(e)} is passed over, and goes below the enemy deck.",
            MOVES_TO: lambda e, r, driven, _: f"{enemy(e)} {'is driven' if driven else 'moves'} to {room(r)}.",
            BREAKS: lambda e, r, *_: f"{enemy(e)} damages {room(r)}.",
            OF_ENEMY: lambda e, when, *_: f"{enemy(e)}, {moment[when]}, takes effect.",
        }

    def of_rounds(self) -> dict[int, Say]:
        """What happens between turns."""
        names, room, events = self.names, self.room, self.titles["event"]
        return {
            SETS_OUT: self.set_out,
            STANDS_IN: self.stand,
            BEGINS_ROUND: lambda n, far, hull, noise: f"Round {n}: distance {far}, Hull {hull}, Noise {noise}.",
            FIRST_IS: lambda c, *_: f"{names[c]} is the first player.",
            ENDS_ROUND: lambda *_: "The round ends, and all actions are back.",
            HULL_NOW: lambda n, h, *_: f"  Hull {h} ({n:+d}).",
            NOISE_NOW: lambda n, now, *_: f"  Noise {now} ({n:+d}).",
            WORSENS: lambda r, k, *_: f"  {room(r, 'The')} is {CONDITIONS[k]} now.",
            MENDS_ROOM: lambda r, k, *_: f"  {room(r, 'The')} is {CONDITIONS[k]} now.",
            HOLDS: lambda r, *_: f"  {room(r, 'The')} holds, by the {self.card(self.upgrades.get(r, -1))}.",
            FIRES: lambda n, *_: (
                f"Fires burn in {_many(n, 'room')}: {', '.join(room(r) for r in sorted(self.burning))}."
            ),
            FUELLED: lambda r, *_: f"The engine of {room(r)} counts as fuelled.",
            ADVANCES: self.advance,
            STUCK: self.stuck,
            LEVEL_IN: lambda n, k, *_: f"Level {n} is shuffled into the enemy deck: {_many(k, 'card')} now.",
            NEW_DECK: lambda n, k, again, _: (
                f"The enemy deck ran out: a new one of {_many(k, 'card')}, "
                f"{'enemies from the discards' if again else 'all'} of level {n}."
            ),
            ARRIVES: lambda *_: "Sanctuary is reached: the enemies that are left must be destroyed.",
            ALL_CLEAR: lambda *_: "No enemy is left: after this round the crew gets ready for the boss.",
            REVEALS: lambda k, *_: f"Of the event deck: {events[k]}.",
            EVENT_NOW: lambda k, *_: (
                f"Event: {events[k]}. Others that were revealed, and the last event, leave the game."
            ),
            EVENT_GOES_ON: lambda k, *_: f"{events[k]} goes on.",
            EVENT_OVER: lambda k, *_: f"{events[k]} is over.",
            BOSS_COMES: self.boss,
            ORDERS: lambda k, *_: f"Order: {self.titles['order'][k]}.",
            SURFACES: lambda *_: "The Harrow comes up.",
            ENDS: lambda k, *_: ENDED.get(k, ""),
        }

    def of_cards(self) -> dict[int, Say]:
        """Salvage and Scrap."""
        names, room, card = self.names, self.room, self.card
        return {
            SALVAGES: lambda n, c, r, uses: (
                f"{names[c]} works the crane from {room(r)}: {_many(n, 'card')}, use {uses} of "
                f"{self.data.mech.crane_uses} until the mech advances."
            ),
            DRAWS: lambda k, *_: f"  {card(k)} is drawn.",
            TAKES_CARD: lambda c, k, *_: f"  {names[c]} has the {card(k)} now.",
            SCRAPS_CARD: lambda k, *_: f"  {card(k)} goes to the Scrap Pile.",
            SCRAPS_TOP: lambda k, *_: f"  {card(k)} goes from the salvage deck to the Scrap Pile.",
            INSTALLS: lambda k, r, *_: f"  {card(k)} is built into {room(r)}.",
            REINFORCES: lambda n, *_: f"{n} Scrap reinforce the Hull.",
            RECYCLES: lambda n, upgrade, *_: f"{n} Scrap are recycled for {'an upgrade' if upgrade else 'equipment'}.",
            PASSES_CARD: lambda k, *_: f"  {card(k)} is passed over, and goes below the salvage deck.",
            RUMMAGES: lambda k, *_: f"  {card(k)} is found." if k >= 0 else "  Nothing of the kind is found.",
            LEAVES_GAME: lambda k, *_: f"  {card(k)} of the Scrap Pile leaves the game.",
            LOST: lambda k, *_: f"  {card(k)} is lost in the fire: out of the game.",
        }

    # ------------------------------------------------------------ longer ones

    def set_out(self, hull: int, noise: int, enemies: int, salvage: int) -> str:
        """Dials and decks as the game begins."""
        cards = [row for row in self.data.card[: self.data.cards] if row.start == 1]
        scrap = [self.titles[KINDS[int(row.kind)]][int(row.place)] for row in cards for _ in range(int(row.copies))]
        events = f", the event deck {_many(int(self.data.events), 'card')}" if self.data.table.events else ""
        return (
            f"Hull {hull}, Noise {noise}, distance 0. The enemy deck has {_many(enemies, 'card')}, the salvage deck "
            f"{_many(salvage, 'card')}{events}. The Scrap Pile: {', '.join(scrap) or 'nothing'}."
        )

    def stand(self, c: int, room: int, *_: int) -> str:
        """A crew member as the game begins."""
        sheet = self.data.member[self.roles[c]]
        return (
            f"{self.names[c]} with {self.abilities[c]} begins in {self.room(room)}: Health {sheet.health}, "
            f"{_many(int(sheet.attack), 'die', 'dice')} unarmed, {_many(int(sheet.slots), 'slot')}."
        )

    def free(self, c: int, steps: int, reloads: int, repairs: int) -> None:
        """What costs no action this round goes to the line of the turn, with its reason."""
        parts = [
            f"{_many(many, name)}{self.by(c, term)}"
            for many, name, term in (
                (steps, "free move", "steps"), (reloads, "free Reload", "reloads"), (repairs, "free Repair", "repairs"),
            ) if many
        ]  # fmt: skip
        if parts:
            self.lines[-1] = self.lines[-1].removesuffix(".") + f", {', '.join(parts)}."

    def left(self, c: int, actions: int, steps: int) -> None:
        """What is left goes to the line of what was done; what cost nothing is called free."""
        paid = actions - self.gained  # what was gained by it has a line of its own
        free = "free; " if paid == self.actions[c] else ""
        moves = f", {_many(steps, 'free move')}" if steps else ""
        self.actions[c] = actions
        line = self.lines[self.deed].removesuffix(".")
        self.lines[self.deed] = f"{line} ({free}{_many(paid, 'action')}{moves} left)."

    def action(self, c: int, verb: int, how: int, whom: int) -> str:
        """What a crew member does, with whom or what."""
        enemy, name = self.enemy(whom), self.names[c]
        done: dict[int, Callable[[], str]] = {
            0: lambda: f"leaves {_many(whom, 'action')}",
            1: lambda: f"moves to {self.room(whom)}",
            2: lambda: f"attacks {enemy} with {'bare hands' if how < 0 else 'the ' + self.card(how)}",
            3: lambda: f"fires the {self.titles['room'][self.data.mech.gun[how]]} at {enemy}",
            4: lambda: f"repairs {self.room(self.where[c])}",
            5: lambda: (
                f"puts out the fire in {self.room(self.where[c])}"
                + (f" and drives the enemies to {self.room(whom)}" if whom else "")
            ),
            6: lambda: f"mends {'their own wounds' if whom == c else self.names[whom]}",
            7: lambda: f"fuels the engine of {self.room(self.where[c])}",
            9: lambda: f"revives {self.names[whom]}",
            10: lambda: f"reloads the {self.card(whom)}",
            11: lambda: f"uses the {self.card(whom)}",
            12: lambda: f"uses {self.abilities[c]}",
        }
        return f"  {name} {done[verb]()}." if verb in done and (verb or whom) else ""

    def shot(self, c: int, e: int, dice: int, result: int) -> str:
        """A roll against an enemy: where its dice come from, hits, misses, and ones, which jam a weapon."""
        base, own, more, event = self.dice
        hits, seen = result & 63, result >> 6
        rolled = min(max(dice, 0), MOST_DICE)
        room = self.upgrades.get(self.where[c], -1)
        parts = [f"{base} printed"]
        parts += [f"{own:+d}{self.by(c, 'unarmed', 'weapon', 'gun')}"] if own else []
        if more:
            raging = self.sources(c, "rage")
            parts += [f"{more:+d} by {' and '.join(raging)}" if raging else f"{more:+d} by the {self.card(room)}"]
        parts += [f"{event:+d} by {self.titles['event'][self.event]}"] if event and self.event >= 0 else []
        stopped = min(hits, int(self.data.enemy[e // 32].armor))
        of = f" ({', '.join(parts)})" if len(parts) > 1 else ""
        return (
            f"  {_many(rolled, 'die', 'dice')}{of}: "
            f"{_many(hits, 'hit')}, {_many(seen - hits, 'miss', 'misses')}, {_many(rolled - seen, 'one')}"
            f"{f', {stopped} stopped by armor' if stopped else ''}."
        )

    def attack(self, e: int, c: int, dice: int, hits: int) -> str:
        """An enemy's roll against a crew member, and what takes dice or hits from it."""
        attack, guard, shelter, stopped = self.guarded
        parts = [f"{attack} printed"]
        parts += [f"{-guard:+d}{self.by(c, 'guard')}"] if guard else []
        parts += [f"{-shelter:+d} by the {self.card(self.upgrades.get(self.where[c], -1))}"] if shelter else []
        of = f" ({', '.join(parts)})" if len(parts) > 1 else ""
        blocked = f", {stopped} stopped{self.by(c, 'soak')}" if stopped else ""
        return (
            f"{self.enemy(e)} attacks {self.names[c]}: {_many(dice, 'die', 'dice')}{of}, {_many(hits, 'hit')}{blocked}."
        )

    def exchange(self, c: int, what: int, given: int, got: int) -> str:
        """Equipment that changes hands."""
        mine, theirs = (self.card(card) if card >= 0 else "" for card in (given, got))
        whom = self.names[what % 8] if what % 8 < len(self.names) else ""
        ways = (
            f"drops the {mine} in {self.room(self.where[c])}", f"gives the {mine} to {whom}", f"picks up the {theirs}",
            f"takes the {theirs} from {whom}", f"lays down the {mine} for the {theirs}",
            f"trades the {mine} for the {theirs} of {whom}", f"picks up the {theirs}",
            *[f"takes the {theirs} from {whom}"] * 2, *[f"gives the {mine} to {whom}"] * 2,
        )  # fmt: skip
        return f"  {self.names[c]} {ways[what // 8]}."

    def find(self, c: int, what: int, room: int, _: int) -> str:
        """What a search brings."""
        found = ("nothing", "the beacon, so that the rooms work again and The Scourge is stunned", "a bomb")[what]
        return f"  {self.names[c]} searches {self.room(room)}, and finds {found}."

    def boss(self, which: int, enemies: int, orders: int, searches: int) -> str:
        """What a boss brings."""
        decks = f"The enemy deck is {_many(enemies, 'card')}, the orders are {orders}"
        if which == 1:
            return f"The Harrow comes. {decks}."
        return f"The Scourge comes: all rooms go dark. {decks}, and {_many(searches, 'card')} can be searched."

    def advance(self, speed: int, distance: int, fuel: int, event: int) -> str:
        """How far the mech goes, and why."""
        parts = [f"{speed - fuel - event} by the engines"]
        parts += [f"{fuel} by fuel"] if fuel else []
        parts += [f"{event:+d} by {self.titles['event'][self.event]}"] if event and self.event >= 0 else []
        return f"The mech advances by {speed} ({', '.join(parts)}), to {distance}."

    def stuck(self, engines: int, cockpit: int, wastes: int, _: int) -> str:
        """Why the mech stands still."""
        why = [text for text, is_so in (
            ("an engine is not Functional", engines), ("the Cockpit is not Functional", cockpit),
            ("enemies are in The Wastes", wastes),
        ) if is_so]  # fmt: skip
        return f"The mech stands still: {' and '.join(why)}."

    # ------------------------------------------------------------ names

    def sources(self, c: int, *terms: str) -> list[str]:
        """What a crew member has that gives one of some terms: the ability, and cards held."""
        codes = {WHAT[term] for term in terms}
        cards = [(self.abilities[c], self.data.ability[self.ability[c]].text)]
        cards += [(f"the {self.card(card)}", self.data.card[card].text) for card in dict.fromkeys(self.held[c])]
        return [
            title
            for title, text in cards
            if any(row.when == WHEN["standing"] and int(row.what) in codes for row in text.effect[: int(text.effects)])
        ]

    def by(self, c: int, *terms: str) -> str:
        """ " by Haste and the Jump Boots"."""
        found = self.sources(c, *terms)
        return f" by {' and '.join(found)}" if found else ""

    def room(self, number: int, the: str = "the") -> str:
        """A room with its article."""
        title = self.titles["room"][number]
        return title if title.startswith("The ") else f"{the} {title}"

    def enemy(self, name: int) -> str:
        """An enemy: its title, with a number where others of its name may stand beside it."""
        titles = self.titles["enemy"]
        title = titles[name // 32] if 0 <= name < 32 * len(titles) else "?"
        return f"{title} {name % 32 + 1}" if name % 32 else title

    def card(self, card: int) -> str:
        """The title of a salvage card."""
        row = self.data.card[card]
        return self.titles[KINDS[int(row.kind)]][int(row.place)]
