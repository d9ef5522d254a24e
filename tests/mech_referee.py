"""A referee who has the pack and the text of a replay of The Waste of Parts, and nothing else: he keeps the whole table
by what the lines say, and never looks at the rules' own state.

    table = Referee(tables, lines)
    assert table.told() == true_state(tables, s)

What a line changes is here by its words. Where the rulebook changes something without a word (who draws a card takes it
from its deck; an advance opens the crane), he does as the rulebook says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from simcore.game import Tables

CONDITIONS = ("Functional", "Inoperable", "On Fire")
SALVAGE = ("weapon", "armor", "gear", "upgrade", "scrap")
NUMBER = r"(-?\d+)"


class Referee:
    """The table as the lines of a replay leave it; a line that says nothing known is refused."""

    def __init__(self, tables: Tables, lines: Sequence[str]) -> None:
        self.tables = tables
        self.names = sorted(set(tables.titles["crew"]), key=len, reverse=True)
        self.rooms = {_with_article(title): number for number, title in enumerate(tables.titles["room"]) if title}
        self.hull = self.noise = self.distance = self.rounds = self.uses = 0
        self.first, self.event, self.who, self.drawn, self.lit = "", "", "", "", True
        self.health: dict[str, int] = {}
        self.where: dict[str, str] = {}
        self.actions: dict[str, int] = {}
        self.held: dict[str, list[str]] = {}
        self.turned: dict[str, list[str]] = {}
        self.enemies: dict[str, list[Any]] = {}
        self.condition = dict.fromkeys(self.rooms.values(), 0)
        self.upgrades: dict[int, str] = {}
        self.floor: dict[int, list[str]] = {number: [] for number in self.rooms.values()}
        self.scrap: list[str] = []
        self.deck = self.discards = self.salvage = self.boxed = self.occasions = self.orders = 0
        self.last, self.burnt = "", 0
        self.fallen: dict[str, int] = {}
        self.rules = [(re.compile(pattern), act) for pattern, act in self.lines_known()]
        for line in lines:
            self.read(line.strip())

    def read(self, line: str) -> None:
        """Do what one line says."""
        for pattern, act in self.rules:
            found = pattern.fullmatch(line)
            if found:
                act(*found.groups())
                self.last = line
                return
        raise AssertionError(f"no referee can read {line!r}")

    # ------------------------------------------------------------ what lines say

    def lines_known(self) -> list[tuple[str, Callable[..., None]]]:
        """Every line of a replay: its words, and what it does."""
        crew, room, left = f"({'|'.join(map(re.escape, self.names))})", _room(self.rooms), r"( \(.*left\))?"
        return [
            *self.of_setup(crew, room),
            *self.of_rounds(crew, room),
            *self.of_turns(crew, room, left),
            *self.of_exchanges(crew, room, left),
            *self.of_cards(crew, room),
            *self.of_enemies(crew, room),
        ]

    def of_setup(self, crew: str, room: str) -> list[tuple[str, Callable[..., None]]]:
        return [
            (
                rf"Hull {NUMBER}, Noise {NUMBER}, distance 0\. The enemy deck has {NUMBER} cards?, the salvage deck "
                rf"{NUMBER} cards?(?:, the event deck {NUMBER} cards?)?\. The Scrap Pile: (.*)\.",
                self.sets_out,
            ),
            (rf"{crew} with .* begins in {room}: Health {NUMBER}, .* slots?\.", self.stands),
            (r"(.*) is passed over, and goes below the enemy deck\.", lambda _: None),
        ]

    def of_rounds(self, crew: str, room: str) -> list[tuple[str, Callable[..., None]]]:
        return [
            (rf"Round {NUMBER}: distance {NUMBER}, Hull {NUMBER}, Noise {NUMBER}\.", self.begins),
            (rf"{crew} is the first player\.", lambda name: setattr(self, "first", name)),
            (rf"{crew} in {room}: Health {NUMBER}, {NUMBER} actions?.*\.", self.turn),
            (r"The round ends, and all actions are back\.", self.round_ends),
            (rf"Hull {NUMBER} \(([-+]\d+)\)\.", self.change("hull")),
            (rf"Noise {NUMBER} \(([-+]\d+)\)\.", self.change("noise")),
            (rf"The mech advances by {NUMBER} \(.*\), to {NUMBER}\.", self.advances),
            (r"The mech stands still: .*\.", lambda: None),
            (rf"{room} is (Functional|Inoperable|On Fire) now\.", self.room_is),
            (rf"{room} holds, by the (.*)\.", self.holds),
            (rf"Fires burn in {NUMBER} rooms?: (.*)\.", self.fires),
            (rf"The engine of {room} counts as fuelled\.", lambda _: None),
            (rf"Level {NUMBER} is shuffled into the enemy deck: {NUMBER} cards? now\.", self.level_in),
            (
                rf"The enemy deck ran out: a new one of {NUMBER} cards?, (enemies from the discards|all) of level "
                rf"{NUMBER}\.",
                self.new_deck,
            ),
            (r"Sanctuary is reached: .*\.", lambda: None),
            (r"No enemy is left: .*\.", lambda: None),
            (r"Of the event deck: (.*)\.", self.reveals),
            (r"Event: (.*)\. Others.*\.", lambda name: setattr(self, "event", name)),
            (r"(.*) is over\.", lambda name: setattr(self, "event", "")),
            (r"(.*) goes on\.", self.same_event),
            (rf"The Harrow comes\. The enemy deck is {NUMBER} cards?, the orders are {NUMBER}\.", self.boss),
            (
                rf"The Scourge comes: all rooms go dark\. The enemy deck is {NUMBER} cards?, the orders are {NUMBER}, "
                rf"and {NUMBER} cards can be searched\.",
                self.scourge,
            ),
            (r"The Harrow comes up\.", lambda: None),
            (r"Order: (.*)\.", lambda name: None),
            (r"(.*) takes effect\.", lambda what: None),
            (
                r"(The game is stopped|Sanctuary is reached, and|The Hull is gone|The whole crew|The boss is).*",
                self.ends,
            ),
        ]

    def of_turns(self, crew: str, room: str, left: str) -> list[tuple[str, Callable[..., None]]]:
        return [
            (rf"{crew} leaves {NUMBER} actions?\.", lambda name, many: self.agree(self.actions[name], int(many))),
            (rf"{crew} moves to {room}{left}\.", self.moves),
            (rf"{crew} attacks (.*) with (bare hands|the .*?){left}\.", self.attacks),
            (rf"{crew} fires the (.*) at (.*?){left}\.", lambda name, _gun, enemy, spent: self.spends(name, spent)),
            (rf"{crew} repairs {room}{left}\.", self.works),
            (rf"{crew} puts out the fire in {room}(?: and drives the enemies to {room})?{left}\.", self.puts_out),
            (rf"{crew} mends (?:their own wounds|{crew}){left}\.", lambda name, _, spent: self.spends(name, spent)),
            (rf"{crew} fuels the engine of {room}{left}\.", self.works),
            (rf"{crew} revives {crew}{left}\.", self.revives),
            (rf"{crew} reloads the (.*?){left}\.", self.reloads),
            (rf"{crew} uses (.*?){left}\.", lambda name, _, spent: self.spends(name, spent)),
            (rf"{crew} presses the luck with a {NUMBER}: {NUMBER} actions?{left}\.", self.presses),
            (rf"{crew} rolls a {NUMBER} for luck\.", lambda *_: None),
            (rf"The {NUMBER} of {crew} counts as one of the next dice\.", lambda *_: None),
            (rf"{crew} searches {room}, and finds (.*?){left}\.", self.searches),
            (rf"{crew} (gains|loses) {NUMBER} Health: {NUMBER} now\.", self.health_now),
            (rf"{crew} (gains|loses) {NUMBER} actions?: {NUMBER} now\.", self.actions_now),
            (rf"{crew} may move free this round: {NUMBER} free moves? now\.", lambda *_: None),
            (rf"{crew} is Downed\.", lambda name: self.agree(self.health[name], 0)),
            (rf"{crew} strikes back at (.*) with bare hands \(.*\)\.", lambda *_: None),
        ]

    def of_exchanges(self, crew: str, room: str, left: str) -> list[tuple[str, Callable[..., None]]]:
        return [
            (rf"{crew} drops the (.*) in {room}{left}\.", self.drops),
            (rf"{crew} gives the (.*) to {crew}{left}\.", lambda a, card, b, spent: self.loses(a, card, spent)),
            (rf"{crew} picks up the (.*?){left}\.", self.picks_up),
            (rf"{crew} takes the (.*) from {crew}{left}\.", self.takes),
            (rf"{crew} lays down the (.*) for the (.*?){left}\.", self.lays_down),
            (rf"{crew} trades the (.*) for the (.*) of {crew}{left}\.", self.trades),
            (rf"{crew} (drops|scraps) the (.*) to have a free slot\.", self.gives_up),
            (rf"{crew} has the (.*) now\.", lambda name, card: self.held[name].append(card)),
        ]

    def of_cards(self, crew: str, room: str) -> list[tuple[str, Callable[..., None]]]:
        return [
            (rf"{crew} works the crane from {room}: {NUMBER} cards?, use {NUMBER} of .*\.", self.crane),
            (r"(.*) is drawn\.", self.draws),
            (r"(.*) goes from the salvage deck to the Scrap Pile\.", self.scraps_top),
            (r"(.*) goes to the Scrap Pile\.", self.scraps),
            (rf"(.*) is built into {room}\.", self.builds),
            (rf"{NUMBER} Scrap reinforce the Hull\.", lambda _: None),
            (rf"{NUMBER} Scrap are recycled for (an upgrade|equipment)\.", lambda *_: None),
            (r"(.*) is passed over, and goes below the salvage deck\.", lambda _: None),
            (r"Nothing of the kind is found\.", lambda: None),
            (r"(.*) is found\.", self.draws),
            (r"(.*) of the Scrap Pile leaves the game\.", self.leaves_game),
            (r"(.*) is lost in the fire: out of the game\.", self.lost),
            (rf"Nothing but ones: the (.*) of {crew} jams and is scrapped\.", self.jams),
            (rf"The (.*) of {crew} is to be reloaded\.", lambda card, name: self.turned[name].append(card)),
            (rf"The (.*) of {crew} is used up: (it goes to the Scrap Pile|out of the game)\.", self.used_up),
        ]

    def of_enemies(self, crew: str, room: str) -> list[tuple[str, Callable[..., None]]]:
        dice = r"\d+ (?:die|dice)(?: \(.*?\))?"
        return [
            (rf"(.*) appears in {room} with {NUMBER} Health\.", self.appears),
            (r"(.*) finds no standee, is discarded, and strikes the Hull\.", self.discarded),
            (r"(.*): nothing comes, and it is discarded\.", self.discarded),
            (r"(.*) leaves at once, and is discarded\.", self.discarded),
            (rf"(.*) (moves|is driven) to {room}\.", self.walks),
            (rf"(.*) damages {room}\.", lambda name, at: self.agree(self.enemies[name][0], self.rooms[at])),
            (rf"(.*) has {NUMBER} Health left\.", self.wounded),
            (rf"(.*) in {room} is destroyed, its card discarded\.", self.destroyed),
            (rf"(.*) attacks {crew}: {dice}, \d+ hits?(?:, \d+ stopped.*)?\.", self.bites),
            (rf"(.*) attacks the Hull: {dice}, \d+ hits?\.", lambda name: self.agree(self.enemies[name][0], 13)),
            (rf"{dice}: \d+ hits?, \d+ miss(?:es)?, \d+ ones?(?:, \d+ stopped by armor)?\.", lambda: None),
        ]

    # ------------------------------------------------------------ what it does

    @staticmethod
    def agree(ours: Any, said: Any) -> None:
        """What a line says of the table must be so."""
        assert ours == said, f"the table has {ours}, the line says {said}"

    def change(self, name: str) -> Callable[[str, str], None]:
        """A dial that moves by so much to what is said."""

        def act(now: str, by: str) -> None:
            self.agree(getattr(self, name) + int(by), int(now))
            setattr(self, name, int(now))

        return act

    def sets_out(self, hull: str, noise: str, enemies: str, salvage: str, events: str | None, scrap: str) -> None:
        self.hull, self.noise, self.deck, self.salvage = int(hull), int(noise), int(enemies), int(salvage)
        self.occasions = int(events or 0)
        self.scrap = [] if scrap == "nothing" else scrap.split(", ")

    def stands(self, name: str, room: str, health: str) -> None:
        self.where[name], self.health[name] = room, int(health)
        self.held[name], self.turned[name], self.actions[name] = [], [], int(self.tables.data.mech.actions)

    def begins(self, number: str, distance: str, hull: str, noise: str) -> None:
        self.rounds += 1
        self.agree(
            (self.rounds, self.distance, self.hull, self.noise), (int(number), int(distance), int(hull), int(noise))
        )

    def turn(self, name: str, room: str, health: str, actions: str) -> None:
        self.agree((self.where[name], self.health[name], self.actions[name]), (room, int(health), int(actions)))

    def round_ends(self) -> None:
        self.actions = dict.fromkeys(self.actions, int(self.tables.data.mech.actions))
        self.fallen.clear()

    def advances(self, by: str, to: str) -> None:
        self.distance += int(by)
        self.uses = 0
        self.agree(self.distance, int(to))

    def room_is(self, room: str, condition: str) -> None:
        number = self.rooms[_lower(room)]
        self.condition[number] = CONDITIONS.index(condition)
        # what lay in a fire is named by the lines that follow
        self.burnt = number if condition == "On Fire" else 0

    def holds(self, room: str, by: str) -> None:
        self.agree(self.upgrades[self.rooms[_lower(room)]], by)

    def fires(self, many: str, rooms: str) -> None:
        burning = {number for number, condition in self.condition.items() if condition == 2}
        self.agree((len(burning), burning), (int(many), {self.rooms[room] for room in rooms.split(", ")}))

    def level_in(self, level: str, cards: str) -> None:
        new = self.tables.data.enemy[: self.tables.data.enemies]
        own = sum(int(card.copies) for card in new if card.level == int(level) and card.role == 0)
        self.agree(self.deck + own, int(cards))
        self.deck = int(cards)

    def new_deck(self, cards: str, of: str, level: str) -> None:
        self.agree(self.deck, 0)
        self.deck = int(cards)
        self.discards -= 0 if of == "all" else self.deck

    def reveals(self, name: str) -> None:
        self.occasions -= 1

    def same_event(self, name: str) -> None:
        self.agree(self.event, name)

    def boss(self, enemies: str, orders: str) -> None:
        self.deck, self.discards, self.orders = int(enemies), 0, int(orders)

    def scourge(self, enemies: str, orders: str, searches: str) -> None:
        self.boss(enemies, orders)
        self.lit = False

    def ends(self, _: str) -> None:
        self.last = "end"

    # turns

    def spends(self, name: str, spent: str | None) -> None:
        """What is left of the actions, by the end of a line; a line without it ends the game."""
        if spent:
            left = int(re.findall(r"(\d+) actions?", spent)[0])
            free = "free; " in spent
            assert left == self.actions[name] if free else left < self.actions[name], spent
            self.actions[name] = left

    def moves(self, name: str, room: str, spent: str | None) -> None:
        self.where[name] = room
        self.spends(name, spent)

    def attacks(self, name: str, enemy: str, weapon: str, spent: str | None) -> None:
        assert enemy in self.enemies
        if weapon != "bare hands":
            assert weapon.removeprefix("the ") in self.held[name]
        self.spends(name, spent)

    def works(self, name: str, room: str, spent: str | None) -> None:
        self.agree(self.where[name], room)
        self.spends(name, spent)

    def puts_out(self, name: str, room: str, _to: str | None, spent: str | None) -> None:
        self.works(name, room, spent)

    def revives(self, name: str, other: str, spent: str | None) -> None:
        self.agree(self.health[other], 0)
        self.spends(name, spent)

    def reloads(self, name: str, card: str, spent: str | None) -> None:
        self.turned[name].remove(card)
        self.spends(name, spent)

    def presses(self, name: str, face: str, actions: str, _: str | None) -> None:
        self.agree(int(face) - 1, int(actions))
        self.actions[name] = int(actions)

    def searches(self, name: str, room: str, what: str, spent: str | None) -> None:
        self.works(name, room, spent)
        self.lit = self.lit or what.startswith("the beacon")

    def health_now(self, name: str, word: str, many: str, now: str) -> None:
        self.health[name] += int(many) if word == "gains" else -int(many)
        self.agree(self.health[name], int(now))

    def actions_now(self, name: str, word: str, many: str, now: str) -> None:
        before = self.actions[name]
        self.actions[name] = int(now)
        assert int(now) == max(0, before + (int(many) if word == "gains" else -int(many)))

    # exchanges

    def drops(self, name: str, card: str, room: str, spent: str | None) -> None:
        self.held[name].remove(card)
        self.lay(self.where[name], card)
        self.spends(name, spent)

    def lay(self, room: str, card: str) -> None:
        """A card on the floor; in a fire the next line says that it is lost."""
        self.floor[self.rooms[room]].append(card)
        self.burnt = self.rooms[room]

    def loses(self, name: str, card: str, spent: str | None) -> None:
        self.held[name].remove(card)
        self.spends(name, spent)

    def picks_up(self, name: str, card: str, spent: str | None) -> None:
        self.floor[self.rooms[self.where[name]]].remove(card)
        self.spends(name, spent)

    def takes(self, name: str, card: str, other: str, spent: str | None) -> None:
        self.held[other].remove(card)
        self.spends(name, spent)

    def lays_down(self, name: str, card: str, got: str, spent: str | None) -> None:
        self.held[name].remove(card)
        self.floor[self.rooms[self.where[name]]].remove(got)
        self.lay(self.where[name], card)
        self.spends(name, spent)

    def trades(self, name: str, card: str, got: str, other: str, spent: str | None) -> None:
        self.held[name].remove(card)
        self.held[other].remove(got)
        self.spends(name, spent)

    def gives_up(self, name: str, how: str, card: str) -> None:
        self.held[name].remove(card)
        if how == "scraps":
            self.scrap.append(card)
        else:
            self.lay(self.where[name], card)

    # cards

    def crane(self, name: str, room: str, cards: str, uses: str) -> None:
        self.agree(self.where[name], room)
        self.uses += 1
        self.agree(self.uses, int(uses))

    def draws(self, card: str) -> None:
        self.salvage -= 1

    def scraps_top(self, card: str) -> None:
        self.salvage -= 1
        self.scrap.append(card)

    def scraps(self, card: str) -> None:
        self.scrap.append(card)

    def builds(self, card: str, room: str) -> None:
        self.upgrades[self.rooms[room]] = card

    def leaves_game(self, card: str) -> None:
        self.scrap.remove(card)
        self.boxed += 1

    def lost(self, card: str) -> None:
        self.boxed += 1
        if card in self.floor[self.burnt]:
            self.floor[self.burnt].remove(card)
        else:
            self.agree(self.upgrades.pop(self.burnt), card)

    def jams(self, card: str, name: str) -> None:
        self.held[name].remove(card)
        self.scrap.append(card)

    def used_up(self, card: str, name: str, where: str) -> None:
        self.held[name].remove(card)
        if where.startswith("it goes"):
            self.scrap.append(card)
        else:
            self.boxed += 1

    # enemies

    def appears(self, name: str, room: str, health: str) -> None:
        assert name not in self.enemies
        self.enemies[name] = [self.rooms[room], int(health)]
        self.deck -= 0 if self.of_nobody(name) else 1

    def of_nobody(self, name: str) -> bool:
        """Whether an enemy is a boss or its captain, who come from no deck."""
        titles = self.tables.titles["enemy"]
        card = self.tables.data.enemy[titles.index(re.sub(r" \d+$", "", name) if name not in titles else name)]
        return int(card.role) in (2, 4, 5)

    def discarded(self, name: str) -> None:
        self.deck -= 1
        self.discards += 1

    def walks(self, name: str, _: str, room: str) -> None:
        self.enemies[name][0] = self.rooms[room]

    def wounded(self, name: str, left: str) -> None:
        assert 0 < int(left) < self.enemies[name][1]
        self.enemies[name][1] = int(left)

    def destroyed(self, name: str, room: str) -> None:
        self.agree(self.enemies.pop(name)[0], self.rooms[room])
        self.fallen[name] = self.rooms[room]
        self.discards += 1

    def bites(self, name: str, who: str) -> None:
        # who falls to a blow struck back carries on, as all act at the same time
        room = self.enemies[name][0] if name in self.enemies else self.fallen[name]
        self.agree(room, self.rooms[self.where[who]])

    # ------------------------------------------------------------ the whole table

    def told(self) -> dict[str, Any]:
        """Every dial, pile and place, as `true_state` gives them."""
        return {
            "dials": (self.hull, self.noise, self.distance, self.uses, self.rounds),
            "event": self.event,
            "lit": self.lit,
            "crew": {
                name: (self.rooms[self.where[name]], self.health[name], self.actions[name], sorted(self.held[name]))
                for name in self.where
            },
            "enemies": sorted((name, *numbers) for name, numbers in self.enemies.items()),
            "rooms": self.condition,
            "upgrades": self.upgrades,
            "floors": {number: sorted(cards) for number, cards in self.floor.items() if cards},
            "scrap": sorted(self.scrap),
            "piles": (self.deck, self.discards, self.salvage, self.boxed, self.occasions),
        }


def true_state(tables: Tables, s: Any) -> dict[str, Any]:
    """The same of the rules' own state."""
    salvage = [title for kind in SALVAGE for title in tables.titles[kind]]
    enemies, crew = tables.titles["enemy"], [member for member in s.crew if member.here == 1]
    return {
        "dials": tuple(int(one) for one in (s.hull, s.noise, s.distance, s.crane_uses, s.rounds)),
        "event": tables.titles["event"][s.event] if s.event >= 0 else "",
        "lit": s.hidden == 0,
        "crew": {
            tables.titles["crew"][one.role]: (
                int(one.room), int(one.health), int(one.actions),
                sorted(salvage[card] for card in one.held[: one["items"]]),
            )
            for one in crew
        },
        "enemies": sorted(
            (f"{enemies[e.card]} {e.standee + 1}" if e.standee else enemies[e.card], int(e.room), int(e.health))
            for e in s.enemy[: s.enemies] if e.health > 0
        ),
        "rooms": {number: int(s.room[number].condition) for number in range(1, 14)},
        "upgrades": {n: salvage[s.room[n].upgrade] for n in range(1, 13) if s.room[n].upgrade >= 0},
        "floors": {
            n: sorted(salvage[card] for card in s.room[n].floor[: s.room[n]["items"]])
            for n in range(1, 13) if s.room[n]["items"]
        },
        "scrap": sorted(salvage[card] for card in s.scrap[: s.scraps]),
        "piles": tuple(int(one) for one in (s.deck.left, s.deck.discarded, s.salvage.left, s.boxed, s.occasions.left)),
    }  # fmt: skip


def _with_article(title: str) -> str:
    """A room as lines name it."""
    return title if title.startswith("The ") else f"the {title}"


def _lower(room: str) -> str:
    """A room at the start of a line, as within one."""
    return room if room == "The Wastes" else "the" + room[3:]


def _room(rooms: dict[str, int]) -> str:
    """A group for the name of any room, at the start of a line too."""
    return f"({'|'.join(re.escape(name) + '|' + re.escape('T' + name[1:]) for name in rooms)})"
