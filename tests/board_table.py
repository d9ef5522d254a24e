"""The board of Waste Knights in words, for tests that read like the rulebook; uncompiled, with scripted dice.

    b = table(rules, "Mel", "Naomi").at("Mel", 9).drives("Mel", "Strider").lay(10, "Red Desert")
    b.stack("Hell Raiders", "Acid Rain")  # the wasteland deck, the first on top
    b.move("Mel", "drive 10", "Acid Rain", "escape", faces=[7, 1, 1])
    assert b.of("Mel").hex == 10
    b.do("exploration.gamble", 0, faces=[10])  # any kernel: s, t, stream and journal are put in

Knights go by their first names, hexes by their places, cards by their titles. What is decided is picked by words, in
the order in which the rules ask. A test declares the answer to each question: among the words of a call, or once for
all questions of a kind (`Table.always`), which then holds wherever the next word is none of the options. Any other
question raises `Undeclared`. Combats take numbers, as in tests/golden/fights.py, and never have a standing answer. Each
decision stands in `asked`, with the kernel that decides in `deciders`.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from simcore.kernels import blank
from tests.declared import Declared
from tests.golden.fights import BARE

NONE = -1
PLAIN = "Fern Jungle"
WEAK = "Hell Raiders"

CARDS = {
    **BARE,
    "tile.fern_jungle.difficulty": "2",
    "tile.red_desert.difficulty": "2",
    "weapon.p_a_shotgun.icons": '["medium"]',
    "enemy.hell_raiders.health": "1",
    "enemy.hell_raiders.armor": "0",
    "enemy.hell_raiders.escape": '{ skill = "survival", difficulty = 7 }',
    "enemy.hell_raiders.rewards": "{ reputation = 0, green = 1, yellow = 0, red = 0, ammo = 0, fuel = 0 }",
}
"""Known numbers over the reference pack: Hell Raiders die at the first hit; PLAIN costs 2 and shows nothing."""

VERBS = ("pass", "duel", "revive", "steal")
LOOT = ("no", "fuel", "ammo", "task")

FIRST = "the first option"
"""A standing answer for questions about which a test says nothing else."""


def table(rules: Any, *knights: str, sets: Mapping[str, str] | None = None, **settings: int) -> Table:
    """Knights on Gangraen with full dials and nothing else; cities, and PLAIN everywhere else; empty decks, no tasks;
    `sets` over the pack and CARDS, settings of the table."""
    made = Table(rules, knights, {**CARDS, **(sets or {})}, settings)
    s, t = made.s, made.t
    made.do("board_setup.clear")
    made.do("board_setup.seat_all", made.seats())
    cities = [made.card("tile", title) for title in CITIES]
    for h in range(37):
        at = list(t.map.city).index(h) if h in t.map.city else NONE
        s.hex[h].tile = cities[at] if at >= 0 else made.card("tile", PLAIN)
    for pile in (s.cards, s.luck, s.common, s.private, *s.gear):
        made.do("board_setup.open_empty", pile, 0)
    s.stall[:] = NONE
    s.rounds = 1
    return made


def dealt(rules: Any, *knights: str, words: Sequence[str] = (), keep: str = "", **settings: int) -> Table:
    """A game as it begins; `keep`: the answer to which private tasks are kept, such as FIRST."""
    made = Table(rules, knights, CARDS, settings)
    made.always(**({"keep_two": keep} if keep else {}))
    made.do("board_setup.set_up", made.seats(), words=words)
    return made


CITIES = ("Gangraen", "Pumps", "Queen's Valley", "New Sydney", "Alice Offsprings")


class Table(Declared):
    """A game under way: `s`, `t`, what is told, what was asked, and words for it."""

    def __init__(
        self, rules: Any, knights: Sequence[str], sets: Mapping[str, str], settings: Mapping[str, int]
    ) -> None:
        """As `table` says."""
        super().__init__(WORDS)
        self.rules, self.knights = rules, list(knights)
        self.tables = _tables(rules, sets, settings)
        self.t, self.journal = self.tables.data, rules["journal"].Journal()
        self.s = blank(rules["knights.board_state"].STATE)
        self.s["rules"] = self.t["fight"]
        self.deciders: list[str] = []
        self.stream = _speaking(rules["streams"].Script)(self)

    def seats(self, first: int = 0) -> Any:
        """The seating, with bots that choose evenly."""
        row = blank(self.rules["game"].seats_dtype(4))
        titles = [role.title.split()[0] for role in self.tables.roles["knights"]]
        row.role[:] = NONE
        row.role[: len(self.knights)] = [titles.index(name) for name in self.knights]
        row.bot[:] = self.tables.bots.index("random")
        row.member[:], row.first = range(4), first
        return row

    # ------------------------------------------------------------ calling the rules

    def do(self, name: str, *args: Any, words: Sequence[str | int] = (), faces: Sequence[int] = ()) -> Any:
        """Call a kernel of the game ("exploration.gamble"); all words and faces must be used."""
        module, _, function = name.rpartition(".")
        kernel = getattr(self.rules[f"knights.{module}"], function)
        given = {"s": self.s, "t": self.t, "stream": self.stream, "journal": self.journal}
        lead = [given[word] for word in inspect.signature(kernel).parameters if word in given]
        self.asked.clear()
        self.deciders.clear()
        self.stream.picks, self.stream.faces = list(words), list(faces)
        result = kernel(*lead, *args)
        assert not self.stream.picks, f"not asked for: {self.stream.picks}; asked: {self.asked[-3:]}"
        assert not self.stream.faces, f"dice not rolled: {self.stream.faces}"
        assert self.s.overflow == 0
        return result

    def move(self, name: str, *words: str | int, faces: Sequence[int] = ()) -> Table:
        """A knight's move."""
        p = self.p(name)
        self.s.active, self.s.waster = p, self.rules["knights.movement"].waster_of(self.s, p)
        self.do("movement.move", p, words=words, faces=faces)
        return self

    def explore(self, name: str, *words: str | int, faces: Sequence[int] = ()) -> Table:
        """A knight's part of the Exploration Step."""
        self.do("exploration.explore", self.p(name), words=words, faces=faces)
        return self

    def prepare(self, *words: str, faces: Sequence[int] = ()) -> Table:
        """The Preparations Phase of the next round."""
        self.s.rounds += 1
        self.do("preparations.prepare", words=words, faces=faces)
        return self

    def rest(self, *words: str, faces: Sequence[int] = ()) -> Table:
        """The Rest Step."""
        self.do("rest.rest_all", words=words, faces=faces)
        return self

    # ------------------------------------------------------------ laying out

    def at(self, name: str, h: int) -> Table:
        """A knight on a hex."""
        self.of(name).hex = h
        return self

    def lay(self, h: int, title: str) -> Table:
        """A tile on a hex."""
        self.s.hex[h].tile = self.card("tile", title)
        return self

    def drives(self, name: str, title: str, damaged: bool = False) -> Table:
        """A vehicle for a knight; "" takes it away."""
        self.of(name).vehicle = self.card("vehicle", title) if title else NONE
        self.of(name).damage = int(damaged)
        return self

    def dials(self, name: str, **dials: int) -> Table:
        """Dials and other numbers of a knight: `dials("Mel", health=2)`."""
        for dial, value in dials.items():
            self.of(name)[dial] = value
        return self

    def give(self, name: str, *titles: str) -> Table:
        """Gear for a knight, who re-equips."""
        for title in titles:
            self.do("belongings.gain_item", self.p(name), self.item(title))
        self.do("belongings.arrange", self.p(name))
        return self

    def attach(self, name: str, *titles: str) -> Table:
        """Blue cards that are attached to a knight or his vehicle."""
        player = self.of(name)
        for title in titles:
            self.do("belongings.gain_item", self.p(name), self.item(title))
            player.spot[self.place(name, title)] = self.rules["knights.board_state"].BESIDE
        return self

    def place(self, name: str, title: str) -> int:
        """The place of a card among what a knight has."""
        player = self.of(name)
        return [int(item) for item in player.thing[: player.items]].index(self.item(title))

    def hand(self, name: str, *titles: str) -> Table:
        """Luck cards for a knight's hand."""
        player = self.of(name)
        for title in titles:
            player.luck[player.lucks] = self.card("luck", title)
            player.lucks += 1
        return self

    def stack(self, *titles: str) -> Table:
        """The wasteland deck, the first card on top."""
        return self._pile(self.s.cards, [self.wasteland(title) for title in titles])

    def stack_luck(self, *titles: str) -> Table:
        """The luck deck, the first card on top."""
        return self._pile(self.s.luck, [self.card("luck", title) for title in titles])

    def stack_gear(self, *titles: str) -> Table:
        """The gear decks: each card to its colour, the first on top."""
        for colour in range(3):
            cards = [self.item(title) for title in titles]
            self._pile(self.s.gear[colour], [item for item in cards if self.t.thing[item].colour == colour])
        return self

    def stack_tasks(self, common: Sequence[str] = (), private: Sequence[str] = ()) -> Table:
        """The task decks, the first card on top."""
        self._pile(self.s.common, [self.card("task", title) for title in common])
        return self._pile(self.s.private, [self.card("task", title) for title in private])

    def open(self, *titles: str, owner: str = "", holder: str = "", marks: int = 0) -> Table:
        """Tasks laid out."""
        for title in titles:
            task, post = self.card("task", title), self.s.post[self.s.posts]
            post.task, post.marks, post.common = task, marks, self.t.task[task].common
            post.owner = self.p(owner) if owner else NONE
            post.holder = self.p(holder) if holder else NONE
            self.s.posts += 1
        return self

    def sell(self, **spaces: str) -> Table:
        """Cards on spaces of the Stalls: `sell(s0="Road Map")`."""
        for space, title in spaces.items():
            self.s.stall[int(space[1:])] = self.item(title)
        return self

    def _pile(self, pile: Any, cards: Sequence[int]) -> Table:
        pile.left, pile.discarded = len(cards), 0
        pile.deck[: len(cards)] = list(reversed(cards))
        return self

    # ------------------------------------------------------------ looking

    def p(self, name: str) -> int:
        """The number of a knight round the table."""
        return self.knights.index(name)

    def of(self, name: str) -> Any:
        """A knight."""
        return self.s.player[self.p(name)]

    def now(self, name: str) -> tuple[int, int, int, int]:
        """A knight's Health, Ammo, Fuel and Radiation."""
        player = self.of(name)
        return int(player.health), int(player.ammo), int(player.fuel), int(player.radiation)

    def card(self, kind: str, title: str) -> int:
        """The number of a card by its kind and title."""
        return self.tables.titles[kind].index(title)

    def wasteland(self, title: str) -> int:
        """The number of a card of the wasteland deck."""
        enemies = self.tables.titles["enemy"]
        return enemies.index(title) if title in enemies else 96 + self.card("event", title)

    def item(self, title: str) -> int:
        """The number of a card that a knight can own."""
        return self.items().index(title)

    def items(self) -> list[str]:
        """The titles of all cards that a knight can own."""
        return [title for kind in ("weapon", "armor", "gear", "enhancement") for title in self.tables.titles[kind]]

    def has(self, name: str, where: int | None = None) -> list[str]:
        """A knight's gear, everywhere or in one kind of place."""
        player, titles = self.of(name), self.items()
        spots = [i for i in range(player.items) if where is None or player.spot[i] == where]
        return sorted(titles[player.thing[i]] for i in spots)

    def luck(self, name: str) -> list[str]:
        """A knight's luck cards."""
        player = self.of(name)
        return sorted(self.tables.titles["luck"][card] for card in player.luck[: player.lucks])

    def vehicle(self, name: str) -> str:
        """A knight's vehicle; "" if he has none."""
        player = self.of(name)
        words = self.tables.titles["vehicle"][player.vehicle] if player.vehicle >= 0 else ""
        return f"damaged {words}" if player.damage else words

    def tasks(self) -> list[str]:
        """The tasks laid out; "" for an empty space."""
        titles = self.tables.titles["task"]
        return [titles[post.task] if post.task >= 0 else "" for post in self.s.post[: self.s.posts]]

    def stalls(self) -> list[str]:
        """The cards of the Stalls by space; "" for an empty one."""
        return [self.items()[card] if card >= 0 else "" for card in self.s.stall[: self.t.map.stalls]]

    def discards(self) -> list[str]:
        """The discard pile of the wasteland deck."""
        return [self.card_words(card) for card in self.s.cards.discards[: self.s.cards.discarded]]

    def left(self, pile: Any) -> int:
        """How many cards a draw pile has."""
        return int(pile.left)

    def told(self) -> list[str]:
        """The story so far."""
        package = self.rules["knights"]
        out = blank(self.rules["game"].outcome_dtype(package.BOARD_COLUMNS, package.BOARD_SEAT_COLUMNS, 4))
        self.do("board_play.write_outcome", out)
        tell, note = self.rules["knights.board_tell"], self.rules["journal"].Note
        dealt = [note(tell.DEALS, h, int(self.s.hex[h].tile), 0, 0) for h in range(37)]
        return list(tell.tell(self.tables, self.seats(), [*dealt, *self.journal], out))

    def outcome(self) -> Any:
        """What the game comes to as it stands."""
        package = self.rules["knights"]
        out = blank(self.rules["game"].outcome_dtype(package.BOARD_COLUMNS, package.BOARD_SEAT_COLUMNS, 4))
        self.do("board_play.write_outcome", out)
        return out

    def card_words(self, card: int) -> str:
        """A card of the wasteland deck in words."""
        return self.tables.titles["event"][card - 96] if card >= 96 else self.tables.titles["enemy"][card]

    # ------------------------------------------------------------ decisions in words

    def dial_words(self, option: int) -> str:
        """A dial in words."""
        return next(name for name, code in self.rules["knights.board_tables"].WHAT.items() if code == option)

    def move_words(self, option: int) -> str:
        """A move in words."""
        if option == 0:
            return "stay"
        if option == 200:
            return "ride"
        if option >= 256:
            kind, h = divmod(option - 256, 64)
            names = ["", "safest", "around", *(f"by {name}" for name in self.knights)]
            return f"drive {h} {names[kind]}"
        return f"drive {option - 128}" if option >= 128 else f"walk {option - 64}"

    def luck_words(self, option: int, p: int) -> str:
        """A luck card of the hand in words."""
        return "no" if option == 0 else self.tables.titles["luck"][self.s.player[p].luck[option - 1]]

    def own_words(self, option: int, p: int, first: int = 1) -> str:
        """An own card in words, or no."""
        return LOOT[option] if option < first else self.items()[self.s.player[p].thing[option - first]]

    def space_words(self, option: int) -> str:
        """A thing at the Stalls in words."""
        if option >= 64:
            return "my vehicle" if option == 96 else self.pool_words(option - 64)
        return "no" if option == 0 else self.items()[self.s.stall[option - 1]]

    def fitting_words(self, option: int, p: int) -> str:
        """What is attached to what, or taken off, in words."""
        if option == 0:
            return "no"
        if option >= 2048:
            return f"off {self.own_words(option - 2048, p, 0)}"
        i, k = divmod(option - 1, 33)
        return f"{self.own_words(i, p, 0)} on {'the vehicle' if k == 32 else self.own_words(k, p, 0)}"

    def gear_words(self, option: int, p: int) -> str:
        """A change of gear in a combat, in words."""
        if option < 64:
            return ("done", "back")[option]
        i, k = divmod(option - 64, 34)
        if k >= 32:
            return f"{self.own_words(i, p, 0)} {'away' if k == 33 else 'on'}"
        return f"{self.own_words(i, p, 0)} for {self.own_words(k, p, 0)}"

    def pool_words(self, option: int) -> str:
        """A vehicle of the pool in words."""
        return ("damaged " if option >= 8 else "") + self.tables.titles["vehicle"][option % 8]

    def action_words(self, option: int, p: int) -> str:
        """An action of a hex in words: what it does."""
        if option == 0:
            return "no"
        names = {code: name for name, code in self.rules["knights.board_tables"].WHAT.items()}
        text = self.t.tile[self.s.hex[self.s.player[p].hex].tile].action[option - 1].text
        rows = [text.row[i] for i in range(text.rows)]
        return " + ".join(("drop " if row.many < 0 and len(rows) == 1 else "") + names[row.what] for row in rows)

    def deal_words(self, option: int, p: int, other: int) -> str:
        """An addition to a deal in words."""
        if option >= 128:
            return f"take {self.own_words(option - 128, other, 0)}"
        if option >= 64:
            return f"give {self.own_words(option - 64, p, 0)}"
        return ("propose", "give ammo", "take ammo", "give fuel", "take fuel", "swap vehicles")[option]

    def swap_words(self, option: int, p: int, other: int) -> str:
        """A swap in words."""
        if option < 64:
            return ("no", "fuel for ammo", "ammo for fuel")[option]
        if option >= 4096:
            away, i = divmod(option - 4096, 64)
            if away == 0:
                return "vehicle for vehicle"
            return (
                f"vehicle for {self.own_words(i, other, 0)}" if away == 1 else f"{self.own_words(i, p, 0)} for vehicle"
            )
        if option >= 2048:
            buys, dial, many, i = (option - 2048) // 128, option // 64 % 2, 1 + option // 32 % 2, option % 32
            price, card = f"{many} {('ammo', 'fuel')[dial]}", self.own_words(i, other if buys else p, 0)
            return f"{price} for {card}" if buys else f"{card} for {price}"
        mine, theirs = divmod(option - 64, 32)
        return f"{self.own_words(mine, p, 0)} for {self.own_words(theirs, other, 0)}"


def _titled(kind: str) -> Callable[[Table, int, int], str]:
    return lambda b, option, p: b.tables.titles[kind][option]


WORDS: dict[str, Callable[[Table, int, int], str]] = {
    "choose_vehicle": _titled("vehicle"),
    "choose_move": lambda b, option, p: b.move_words(option),
    "wants_to_halt": lambda b, option, p: ("go on", "halt")[option],
    "play_one_of": lambda b, option, p: "wait" if option == 0 else b.card_words(b.s.show[option - 1]),
    "meet_card": lambda b, option, p: ("", "escape", "face")[option],
    "scout": lambda b, option, p: b.card_words(option),
    "play_luck": lambda b, option, p: b.luck_words(option, p),
    "plays_on_check": lambda b, option, p: b.luck_words(option, p),
    "next_reply": lambda b, option, p: b.luck_words(option, p),
    "resupply_quickly": lambda b, option, p: b.luck_words(option, p),
    "feel_board": lambda b, option, p: b.dial_words(option),
    "pay_value": lambda b, option, p: b.own_words(option, p, 0),
    "give_cards": lambda b, option, p: b.own_words(option, p, 0),
    "pick_luck": lambda b, option, p: b.luck_words(option + 1, p),
    "pick_from_trunk": lambda b, option, p: b.own_words(option, p, 0),
    "update_stalls": lambda b, option, p: b.space_words(option),
    "go_shopping": lambda b, option, p: b.space_words(option),
    "take_free": lambda b, option, p: b.space_words(option),
    "keep_two": lambda b, option, p: b.tables.titles["task"][b.s.post[option].task],
    "replace_task": _titled("task"),
    "do_tasks": lambda b, option, p: "no" if option == 0 else b.tables.titles["task"][b.s.post[option - 1].task],
    "act": lambda b, option, p: b.action_words(option, p),
    "enhance": lambda b, option, p: "no" if option == 0 else b.items()[option - 1],
    "strike_hex": lambda b, option, p: str(option),
    "jump": lambda b, option, p: str(option),
    "regain": lambda b, option, p: str(option),
    "use_gear": lambda b, option, p: "my ability" if option == 63 else b.own_words(option, p),
    "change_blue": lambda b, option, p: "my vehicle" if option == 64 else b.own_words(option, p),
    "enhance_gear": lambda b, option, p: b.fitting_words(option, p),
    "place_cards": lambda b, option, p: b.gear_words(option, p),
    "win_vehicle": lambda b, option, p: ("decline", "take", "exchange")[option],
    "draw_gear": lambda b, option, p: "draw" if option == 0 else b.pool_words(option - 1),
    "gain_blue": lambda b, option, p: "exchange" if option == 2 else b.items()[option - 8],
    "meet_one": lambda b, option, p: VERBS[option],
    "challenge": lambda b, option, p: ("", "agree", "refuse")[option],
    "trade": lambda b, option, p: ("", "agree", "refuse")[option],
    "steal": lambda b, option, p: LOOT[option],
}
"""What the options of a decision mean, by the kernel that decides; `in_words` says more of `steal` and `trade`."""


def _speaking(script: Any) -> Any:
    """A Script whose picks are words for decisions on the board, and numbers in combats."""

    class Words(script):  # type: ignore[misc]
        def __init__(self, board: Table) -> None:
            super().__init__()
            self.board = board

        def take_pick(self) -> int:
            frame, names = sys._getframe(1), ["take_pick"]
            while frame.f_back and names[-1] not in ("wage", "decide of board_bots"):
                names.append(frame.f_code.co_name)
                if names[-1] == "decide":
                    names[-1] += " of " + frame.f_globals["__name__"].rpartition(".")[2]
                frame = frame.f_back
            if names[-1] == "wage":
                return int(self.picks.pop(0))
            return self.by_words(frame.f_code.co_name, frame.f_locals)

        def by_words(self, kernel: str, known: Mapping[str, Any]) -> int:
            s, p = self.board.s, int(known.get("q", known.get("p", NONE)))
            options = [int(option) for option in s.option[: s.options]]
            said = {self.in_words(kernel, option, p, known): option for option in options}
            self.board.deciders.append(kernel)
            standing = self.board.answers.get(kernel)
            if standing is not None and not (self.picks and self.picks[0] in said):
                return self.board.answer(kernel, said, [next(iter(said)) if standing == FIRST else standing])
            return self.board.answer(kernel, said, self.picks)

        def in_words(self, kernel: str, option: int, p: int, known: Mapping[str, Any]) -> str:
            board = self.board
            if kernel == "steal":
                return board.own_words(option, int(known["other"]), 8)
            if kernel == "complete_deal":
                return board.deal_words(option, p, int(known["other"]))
            if kernel == "trade" and board.s.option[0] == 0:
                return board.swap_words(option, p, int(known["other"]))
            return WORDS[kernel](board, option, p)

    return Words


def _tables(rules: Any, sets: Mapping[str, str], settings: Mapping[str, int]) -> Any:
    """Tables are made once for each set of values of a set of rules: nothing changes them."""
    kept = vars(rules).setdefault("board_tables", {})
    key = (tuple(sets.items()), tuple(settings.items()))
    if key not in kept:
        kept[key] = rules.tables("knights.board", sets, settings)
    return kept[key]
