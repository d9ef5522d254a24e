"""Seasons of Beyond the Horizon in words, for tests that read like the rulebook; uncompiled, with scripted dice and
decisions.

    b = table(rules, "Pirate", "Trader").at("Pirate", "Sydney").quay("Ferry", "Raft").has("Pirate", water=2, fuel=3)
    b.route("Sydney - Trash City", dice=2, water=1).sea("Storm", ("fail", "breach", 1), skill="survival", need=2)
    b.turn("Pirate", "Ferry to Trash City", "fuel", "fuel", rolls=["breach", "water", 1, 4])
    assert b.of("Pirate").breach == 2 and b.where("Pirate") == "Trash City"
    b.do("water.spend_water", 0, 2)  # any kernel: s, t, stream and journal are put in

Knights, ships, routes, ports and cards go by their titles. All numbers that the pack assumes are PLAIN ones here: no
icons on a route, nothing in a sea card, no token in the bag, ships of Hull 4 and cost 2, knights with two dice of each
skill, so that a test says itself what matters to it. What the book prints is as the pack has it.

Decisions are picked by their words, as `Table.words` gives them. A test declares the answer to each question: in its
order among the words of a call, or once for all questions of a kind (`Table.always`). Any other question raises
`Undeclared`. Dice take the faces of `rolls` in order, sea dice by what they show.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from simcore.kernels import blank
from tests.declared import Declared

NONE = -1
CALM, DULL, EASY = "Calm Sea", "Landslide", "The Meek"
"""The sea card and the wasteland cards that are drawn where no test says which; here they do nothing."""

TYPES = {
    "heavy": ("Barge", "Container Ship", "Ferry", "Hauler"),
    "medium": ("Power Cruiser", "Submarine", "Trawler", "Whaler", "Pickup"),
    "light": ("Catamaran", "Raft", "Speeder", "Cutter", "Buggy", "Trike"),
}
RESOURCES = ("", "water", "fuel", "ammo", "meds")
Effect = tuple[Any, ...]


def table(rules: Any, *knights: str, **settings: int) -> Table:
    """Knights by their titles, from the first player on, in Sydney with 2 Water and PLAIN numbers; an empty Quay, with
    all ships under their Cutters; settings of the table."""
    made = Table(rules, knights, settings)
    made.do("setup.clear")
    made.do("setup.seat_knights", made.seats())
    s = made.s
    s.slots, s.stack, s.bag, s.rounds = len(knights), made.t.ships, 0, 1
    s.quay[:], s.pile[: made.t.ships], s.cutter[:] = NONE, range(made.t.ships), 0
    for name in knights:
        made.at(name, "Sydney")
    return made.sea(CALM).road(DULL).road(EASY)


def dealt(rules: Any, *knights: str, game: int = 0, **settings: int) -> Table:
    """A season as it begins, with the decks and the Quay of a game."""
    made = Table(rules, knights, settings)
    made.stream.game = game
    made.do("setup.set_up", made.seats())
    return made


class Table(Declared):
    """A season under way: `s`, `t` (its own, to be changed), what is told, what was asked, and words for it."""

    def __init__(self, rules: Any, knights: Sequence[str], settings: Mapping[str, int]) -> None:
        """As `table` says. `asked`, `deciders`: the options of each decision of the last call, and whose it was."""
        super().__init__(ASKS)
        self.rules, self.knights = rules, list(knights)
        self.tables = _tables(rules, settings)
        self.t, self.journal = self.tables.data.copy(), rules["journal"].Journal()
        self.s = blank(rules["voyage.state"].STATE)
        self.code = rules["voyage.tables"]
        self.deciders: list[str] = []
        self.stream = _speaking(rules["streams"].Script)(self)
        _plain(self)

    def seats(self) -> Any:
        """The seating, with bots that choose evenly."""
        row = blank(self.rules["game"].seats_dtype(4))
        titles = [role.title for role in self.tables.roles["knights"]]
        row.role[:] = NONE
        row.role[: len(self.knights)] = [titles.index(name) for name in self.knights]
        row.bot[:] = self.tables.bots.index("random")
        row.member[:] = range(4)
        return row

    # ------------------------------------------------------------ calling the rules

    def do(self, name: str, *args: Any, words: Sequence[str] = (), rolls: Sequence[Any] = ()) -> Any:
        """Call a kernel of the game ("water.spend_water"); all words and rolls must be used."""
        module, _, function = name.rpartition(".")
        kernel = getattr(self.rules[f"voyage.{module}"], function)
        given = {"s": self.s, "t": self.t, "stream": self.stream, "journal": self.journal}
        lead = [given[word] for word in inspect.signature(kernel).parameters if word in given]
        self.asked.clear()
        self.deciders.clear()
        faces = self.rules["voyage.cards"].FACES
        self.stream.picks = list(words)
        self.stream.faces = [faces.index(face) + 1 if isinstance(face, str) else face for face in rolls]
        result = kernel(*lead, *args)
        assert not self.stream.picks, f"not asked for: {self.stream.picks}; asked: {self.asked[-3:]}"
        assert not self.stream.faces, f"not rolled: {self.stream.faces}"
        self.add_up()
        return result

    def add_up(self) -> None:
        """Checks what no rule may break: Water and ships are nowhere twice, and nothing is lost."""
        s = self.s
        if s.players:
            held = sum(int(knight.water) for knight in s.knight[: s.players])
            assert int(s.pool) + held == self.t.rules.markers and s.pool >= 0
        ships = [int(ship) for ship in (*s.quay[: s.slots], *s.pile[: s.stack]) if ship != NONE]
        for knight in s.knight[: s.players]:
            ships += [int(knight.back if knight.ship == self.t.ships else knight.ship)] if knight.ship != NONE else []
        assert len(set(ships)) == len(ships) and not any(s.lost >> ship & 1 for ship in ships)
        assert not s.overflow

    def turn(self, knight: str, *words: str, rolls: Sequence[Any] = ()) -> Table:
        """All of a knight's turn."""
        self.do("turn.take_turn", self.k(knight), words=words, rolls=rolls)
        return self

    def sail(
        self, knight: str, route: str, *words: str, ship: str = "Ferry", breach: int = 0, rolls: Sequence[Any] = ()
    ) -> Table:
        """A cruise from a route's first port, up to the Port of Call but not into it, on a ship that is his already."""
        k, r = self.k(knight), self.tables.titles["route"].index(route)
        start, goal = self.t.route[r].ends
        self.do("sea.begin_action")
        self._off_the_quay(ship)
        self.do("harbour.board", k, self.ship_number(ship), breach)
        self.of(knight).port, self.of(knight).goal = start, goal
        self.do("sea.sail", k, r, words=words, rolls=rolls)
        return self

    def resolve(self, knight: str, card: str, *words: str, rolls: Sequence[Any] = ()) -> Table:
        """A card ashore, as the rules resolve it."""
        place = self.tables.titles["card"].index(card)
        story, foe = self.t.card[place].story, self.rules["voyage.challenge"].foe_of(self.t, place)
        self.do("sea.begin_action")
        self.do("challenge.resolve", self.k(knight), story, foe, words=words, rolls=rolls)
        return self

    def end_round(self) -> Table:
        """Ships go back."""
        self.do("harbour.return_ships")
        return self

    # ------------------------------------------------------------ laying out

    def at(self, knight: str, port: str) -> Table:
        """Where a knight is."""
        self.of(knight).port = self.port(port)
        return self

    def has(self, knight: str, **numbers: int) -> Table:
        """What a knight has: water (of the pool), fuel, ammo, meds, hurt, damage, radiation, experience and so on."""
        of = self.of(knight)
        for name, number in numbers.items():
            if name == "water":
                self.s.pool += of.water - number
            setattr(of, name, number)
        self.add_up()
        return self

    def dry(self, knight: str, card: str, severe: bool = False) -> Table:
        """Give a knight a Dehydration card."""
        of, place = self.of(knight), self.tables.titles["dehydration"].index(card)
        self.s.deck[self.code.DRYNESS].left &= ~(1 << place)
        of.thirst, of.dryness = 1 + severe, place
        return self

    def gives(self, knight: str, *gear: str) -> Table:
        """Gear for a knight, taken from its deck, and equipped as usual."""
        for title in gear:
            card, of = self.card_of(title), self.of(knight)
            of.piece[of.pieces] = card
            of.pieces += 1
            if card < self.code.STARTING_AT:
                deck, bit = divmod(card, self.code.AQUATIC_AT)
                self.s.deck[self.code.NORMAL_GEAR + deck].left &= ~(1 << bit)
        self.do("belongings.equip", self.k(knight))
        return self

    def learns(self, knight: str, *upgrades: str) -> Table:
        """Upgrades for a knight."""
        for title in upgrades:
            self.of(knight).upgrade |= 1 << self.tables.titles["upgrade"].index(title)
        return self

    def quay(self, *ships: str) -> Table:
        """The ships on the Quay, from the left; "" for an empty slot."""
        for slot, title in enumerate(ships):
            if title:
                self._off_the_quay(title)
                self.s.quay[slot] = self.ship_number(title)
        self.add_up()
        return self

    def _off_the_quay(self, title: str) -> None:
        """Take a ship from where it lies; of the Cutters the top one."""
        s, ship = self.s, self.ship_number(title)
        if ship == self.t.ships:
            s.stack -= 1
            return
        rest = [int(other) for other in s.pile[: s.stack] if other != ship]
        s.stack = len(rest)
        s.pile[: s.stack] = rest
        s.quay[: s.slots] = [NONE if other == ship else other for other in s.quay[: s.slots]]

    def sea(self, title: str, *effects: Effect, **numbers: Any) -> Table:
        """The sea card that is drawn from now on, and what it does (`card`)."""
        return self._next(self.code.SEA, title).card(title, *effects, **numbers)

    def road(self, title: str, *effects: Effect, **numbers: Any) -> Table:
        """The wasteland card that is drawn from its deck from now on, and what it does."""
        place = self.tables.titles["card"].index(title)
        deck = next(d for d in (self.code.ROAD, self.code.WILD) if place in self._drawn(d))
        return self._next(deck, title).card(title, *effects, **numbers)

    def _drawn(self, deck: int) -> list[int]:
        """Which cards the bits of a deck are."""
        return [int(self.t.drawn[deck, bit]) for bit in range(int(self.t.whole[deck]).bit_count())]

    def _next(self, deck: int, title: str) -> Table:
        """Only copies of one card are left in a deck, and drawn again and again."""
        place = self.tables.titles["card"].index(title)
        bits = sum(1 << bit for bit, drawn in enumerate(self._drawn(deck)) if drawn == place)
        self.s.deck[deck].left, self.s.deck[deck].thrown = bits, 0
        return self

    def card(self, title: str, *effects: Effect, **numbers: Any) -> Table:
        """What a drawn card does: effects (when, what, many) or (when, what, many, per); skill, need, aquatic,
        optional of its test (none where they aren't told); health, dice, armor, threat, dry of an enemy. A card of
        which no effect is told stays as it is in the pack."""
        row = self.t.card[self.tables.titles["card"].index(title)]
        if effects or title in (CALM, DULL, EASY):
            self._write(row.story, effects)
            row.story.skill, row.story.need, row.story.aquatic, row.story.optional = NONE, 0, 0, 0
        for name, number in numbers.items():
            where = row if name in ("health", "dice", "armor", "threat", "dry") else row.story
            setattr(where, name, self.code.SKILL[number] if name == "skill" else number)
        return self

    def _write(self, story: Any, effects: Sequence[Effect]) -> None:
        """Effects of a story."""
        story.effects = len(effects)
        for row, (when, what, many, *per) in zip(story.effect, effects, strict=False):
            row.when, row.what, row.many = self.code.WHEN[when], self.code.WHAT[what], many
            row.per = self.code.PER[per[0] if per else "once"]

    def bag(self, *titles: str) -> Table:
        """The tokens in the threat bag."""
        self.s.bag = sum(1 << self.tables.titles["token"].index(title) for title in titles)
        return self

    def token(self, title: str, *effects: Effect) -> Table:
        """What a token does."""
        self._write(self.t.token[self.tables.titles["token"].index(title)].story, effects)
        return self

    def sides(self, title: str, *effects: Effect) -> Table:
        """What a Dehydration card does as it is turned."""
        self._write(self.t.dry[self.tables.titles["dehydration"].index(title)], effects)
        return self

    def place(self, title: str, look: Sequence[Effect] = (), **choice: Any) -> Table:
        """A destination card lies open: what its First Look does, and its first choice (`effects`, skill, need,
        aquatic)."""
        self.looks(title, *look)
        card = self.tables.titles["destination"].index(title)
        row = self.t.place[card].choice[0]
        for other in self.t.place[card].choice:
            self._write(other, choice.get("effects", ()))
            other.skill, other.need, other.aquatic = NONE, 0, 0
        for name in ("skill", "need", "aquatic"):
            if name in choice:
                setattr(row, name, self.code.SKILL[choice[name]] if name == "skill" else choice[name])
        port = next(p for p in range(self.t.ports) if card in self.t.port[p].card[: self.t.port[p].cards])
        self.s.shown[port] = card
        return self

    def looks(self, title: str, *effects: Effect) -> Table:
        """What a First Look does."""
        self._write(
            self.t.place[self.tables.titles["destination"].index(title)].look, [("drawn", *e[1:]) for e in effects]
        )
        return self

    def only(self, port: str, title: str) -> Table:
        """The destination card that a port's deck holds."""
        row = self.t.port[self.port(port)]
        row.cards, row.card[0] = 1, self.tables.titles["destination"].index(title)
        return self

    def _set(self, row: Any, numbers: Mapping[str, Any]) -> Table:
        """Numbers and terms of a row by their names."""
        for name, number in numbers.items():
            if name in row.dtype.names:
                codes = {"type": self.code.TYPE, "slot": self.code.SLOT}
                setattr(row, name, codes[name][number] if name in codes else number)
            else:
                row.term[self.code.TERM[name]] = number
        return self

    def ship(self, title: str, **numbers: Any) -> Table:
        """Numbers of a ship, and what stands on it."""
        return self._set(self.t.ship[self.ship_number(title)], numbers)

    def route(self, title: str, **icons: int) -> Table:
        """Icons on a route."""
        return self._set(self.t.route[self.tables.titles["route"].index(title)], icons)

    def way(self, title: str, **numbers: int) -> Table:
        """Spaces and Fuel of a road."""
        return self._set(self.t.road[self.tables.titles["road"].index(title)], numbers)

    def vehicle(self, title: str, **numbers: Any) -> Table:
        """Numbers of a vehicle, and what stands on it."""
        return self._set(self.t.vehicle[self.tables.titles["vehicle"].index(title)], numbers)

    def sheet(self, knight: str, **terms: int) -> Table:
        """Numbers of a knight's sheet."""
        return self._set(self.t.knight[self.of(knight).role], terms)

    def gear(self, title: str, slot: str = "gadget", aquatic: int = 0, **numbers: int) -> Table:
        """Gear that does nothing but what is told."""
        row = self.t.gear[self.tables.titles["gear"].index(title)]
        row.term[:] = row.dice = row.armor = row.value = 0
        return self._set(row, {"slot": slot, "aquatic": aquatic, **numbers})

    def upgrade(self, title: str, aquatic: int = 0, vehicle: int = 0, **numbers: int) -> Table:
        """An upgrade that does nothing but what is told."""
        row = self.t.upgrade[self.tables.titles["upgrade"].index(title)]
        row.term[:] = 0
        self._set(row, {"vehicle": vehicle, **numbers})
        row.aquatic, row.gills = aquatic, int(row.term[self.code.TERM["aquatic"]] > 0)
        return self

    def ruling(self, **readings: str) -> Table:
        """Readings of rules."""
        for name, reading in readings.items():
            setattr(self.t.ruling, name, self.code.RULINGS[name].index(reading))
        return self

    # ------------------------------------------------------------ looking

    def k(self, knight: str) -> int:
        """The number of a knight round the table."""
        return self.knights.index(knight)

    def of(self, knight: str) -> Any:
        """A knight."""
        return self.s.knight[self.k(knight)]

    def port(self, title: str) -> int:
        """The number of a port."""
        return self.tables.titles["port"].index(title)

    def where(self, knight: str) -> str:
        """Where a knight is: a port, or the Stranded Area."""
        of = self.of(knight)
        return "Stranded Area" if of.stranded else self.tables.titles["port"][of.port]

    def ship_number(self, title: str) -> int:
        """The number of a ship; the Cutter comes last."""
        return self.tables.titles["ship"].index(title)

    def ship_of(self, knight: str) -> str:
        """The ship that a knight has chartered, or ""."""
        ship = int(self.of(knight).ship)
        return "" if ship == NONE else self.tables.titles["ship"][ship]

    def on_quay(self) -> list[str]:
        """The ships on the Quay, from the left; "" for an empty slot."""
        return ["" if ship == NONE else self.tables.titles["ship"][ship] for ship in self.s.quay[: self.s.slots]]

    def card_of(self, gear: str) -> int:
        """The number of a gear card that nobody has."""
        place = self.tables.titles["gear"].index(gear)
        if self.t.piece[self.code.STARTING_AT + place] == place:
            return self.code.STARTING_AT + place
        held = [int(card) for knight in self.s.knight for card in knight.piece[: knight.pieces]]
        decks = (self.code.NORMAL_GEAR, self.code.AQUATIC_GEAR)
        cards = [
            self.code.AQUATIC_AT * d + bit
            for d, deck in enumerate(decks)
            for bit in range(int(self.t.whole[deck]).bit_count())
        ]
        return next(card for card in cards if self.t.piece[card] == place and card not in held)

    def pieces(self, knight: str) -> list[str]:
        """A knight's gear."""
        of = self.of(knight)
        return sorted(self._gear_title(int(card)) for card in of.piece[: of.pieces])

    def _gear_title(self, card: int) -> str:
        return self.tables.titles["gear"][self.t.piece[card]]

    def worn(self, knight: str) -> list[str]:
        """The gear that a knight has equipped."""
        of = self.of(knight)
        return sorted(self._gear_title(int(of.piece[i])) for i in range(of.pieces) if of.worn >> i & 1)

    def opened(self, port: str) -> str:
        """The destination card that lies open, or ""."""
        card = int(self.s.shown[self.port(port)])
        return "" if card == NONE else self.tables.titles["destination"][card]

    def outcome(self) -> Any:
        """What the season comes to as it stands."""
        package = self.rules["voyage"]
        out = blank(self.rules["game"].outcome_dtype(package.GAME_COLUMNS, package.SEAT_COLUMNS, 4))
        self.do("play.write_outcome", out)
        return out

    def told(self) -> list[str]:
        """The story so far."""
        story = self.rules["voyage.tell"]._Story(replace(self.tables, data=self.t), self.knights)
        return [line.strip() for note in self.journal if (line := story.line(note))]

    def words(self, option: int, asks: str, k: int) -> str:
        """An option in words, by the kernel that asks and the knight whom it is about."""
        return ASKS[asks](self, option, k)


def _of_turn(b: Table, option: int, k: int) -> str:
    """What to do in a turn."""
    bots, titles = b.rules["voyage.bots"], b.tables.titles
    if option >= bots.CRUISE:
        port, ship = divmod(option - bots.CRUISE, bots.SHIP_STEP)
        return f"{titles['ship'][ship]} to {titles['port'][port]}"
    if option >= bots.MOVE:
        return f"drive to {titles['port'][option - bots.MOVE]}"
    if option >= bots.DEED:
        return str(titles["choice"][3 * b.s.shown[b.s.knight[k].port] + option - bots.DEED])
    return {bots.NOTHING: "no", bots.CAMP: "camp", bots.EXPLORE: "explore", bots.CITY: "city"}[option]


def _of_piece(b: Table, option: int, k: int) -> str:
    """A piece of a knight's gear."""
    return b._gear_title(int(b.s.knight[k].piece[option]))


def _small(yes: str, no: str = "no") -> Callable[[Table, int, int], str]:
    """Decisions of two options, and the third one of some."""
    return lambda b, option, k: {1: yes, 2: no, 3: "ammo"}[option]


ASKS: dict[str, Callable[[Table, int, int], str]] = {
    "take_turn": _of_turn,
    "pay": lambda b, option, k: _of_piece(b, option - 16, k) if option >= 16 else RESOURCES[option],
    "lose_any": lambda b, option, k: RESOURCES[option],
    "gain_any": lambda b, option, k: RESOURCES[option],
    "drop_any": _of_piece,
    "choose_deck": lambda b, option, k: "Aquatic" if option == b.code.AQUATIC_GEAR else "normal",
    "face_challenge": lambda b, option, k: (
        "keep"
        if option == 0
        else "sheet"
        if option - 1 == b.rules["voyage.belongings"].SHEET
        else _of_piece(b, option - 1, k)
    ),
    "choose_stance": _small("fight", "escape"),
    "try_event": _small("try"),
    "shop": _small("buy"),
    "wants_cure": _small("drink"),
    "swap_reward": _small("water"),
    "explore": _small("water"),
    "exchange": lambda b, option, k: f"{RESOURCES[option // 8]} for {RESOURCES[option % 8]}" if option else "no",
    "learn": lambda b, option, k: b.tables.titles["upgrade"][option - 1] if option else "no",
    "choose_shore": lambda b, option, k: b.tables.titles["port"][option],
}
"""Words for the options of each kernel that asks."""


def _plain(b: Table) -> None:
    """PLAIN numbers over all that the pack assumes."""
    t, code = b.t, b.code
    for row in t.knight[: len(b.tables.roles["knights"])]:
        row.term[:], row.pieces, row.fuel, row.ammo, row.meds = 0, 0, 3, 3, 3
        numbers = {"attack": 1, "health": 5, "resilience": 4, "exploration": 2, "repair": 1}
        b._set(row, {**dict.fromkeys(b.rules["voyage.cards"].SKILLS, 2), **numbers})
    for kind, titles in TYPES.items():
        for title in titles:
            if title in b.tables.titles["ship"]:
                row = t.ship[b.ship_number(title)]
                b._set(row, {"type": kind, "hull": 4, "cost": 2, "speed": 0})
            else:
                row = t.vehicle[b.tables.titles["vehicle"].index(title)]
                b._set(row, {"type": kind, "chassis": 3, "capacity": 5, "speed": 7})
            row.term[:] = 0
    for name in ("radiation", "contamination", "threat", "dice", "water", "hazard"):
        t.route[name] = 0
    t.road["open"], t.road["rough"], t.road["fuel"] = 1, 0, 1
    faces = b.rules["voyage.cards"].FACES
    t.face[:, :] = [*range(len(faces)), code.FACE["blank"], code.FACE["blank"]]
    land = {"clashes": 2, "flee": 1, "radiation": 5, "contamination": 4, "wake": 3, "camp_heal": 3, "camp_clean": 2}
    more = {"shared": 1, "meds": 2, "ammo": 2, "pockets": 2, "offers": 0, "stalls": 1, "experience": 1, "regain": 1}
    b._set(t.land, {**land, **more})
    t.laws.success_from[0], t.laws.top_from[0] = 4, 6
    t.injury["term"] = 0


def _speaking(script: Any) -> Any:
    """A Script whose picks are words, and beyond them the standing answers."""

    class Words(script):  # type: ignore[misc]
        def __init__(self, board: Table) -> None:
            super().__init__()
            self.board = board

        def take_pick(self) -> int:
            frame = sys._getframe(1)
            while frame.f_code.co_name not in ASKS:
                if frame.f_code.co_name == "decide":
                    self.board.deciders.append(self.board.knights[frame.f_locals["k"]])
                frame = frame.f_back  # type: ignore[assignment]
            asks, k = frame.f_code.co_name, int(frame.f_locals["k"])
            s = self.board.s
            legal = {self.board.words(int(option), asks, k): int(option) for option in s.option[: s.options]}
            return self.board.answer(asks, legal, self.picks, self.board.knights[k])

    return Words


def _tables(rules: Any, settings: Mapping[str, int]) -> Any:
    """Tables are made once for each set of settings of a set of rules; each Table changes a copy."""
    kept = vars(rules).setdefault("voyage_tables", {})
    key = tuple(settings.items())
    if key not in kept:
        kept[key] = rules.tables("voyage", None, settings)
    return kept[key]
