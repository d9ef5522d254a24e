"""Boards of The Waste of Parts in words, for tests that read like the rulebook; uncompiled, with scripted dice.

    b = board(rules, {"Brute": 5, "Scout": 8}, {"Scrap Rat": 5})
    b.act("Brute", "attack Scrap Rat", faces=[3, 1, 1, 1])  # a move of a turn, which must be legal
    assert b.enemy("Scrap Rat").health == 1
    b.do("rooms.worsen", 5, 2)  # any kernel of the game: s, t, stream and journal are put in

Rooms go by their numbers; cards and crew by their titles. The cards named here have the numbers of BARE.

Decisions are picked by their words, as `Board.words` gives them. A test declares the answer to each question: in its
order among the picks of a call, or once for all questions of a kind (`Board.always`). Any other question raises
`Undeclared`, and `asked` has what was offered.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from simcore.kernels import blank
from tests.declared import Declared

HIT, MISS, ONE = 3, 2, 1
FUNCTIONAL, INOPERABLE, ON_FIRE = 0, 1, 2
NONE = -1
VERBS = (
    "rest", "move", "attack", "gun", "repair", "extinguish", "mend", "fuel", "swap", "revive", "reload", "use", "skill",
    "press", "search",
)  # fmt: skip
SALVAGE = ("weapon", "armor", "gear", "upgrade", "scrap")
SCRAP_USES = ("stop", "reinforce", "recycle equipment", "recycle upgrade")
EXCHANGES = (
    "{mine} drop", "{mine} give ({mate})", "pick up {theirs}", "take {theirs} ({mate})", "{mine} lay down for {theirs}",
    "{mine} trade for {theirs} ({mate})", "pick up {theirs} scrapping {mine}",
    "take {theirs} scrapping {mine} ({mate})", "take {theirs} dropping {mine} ({mate})",
    "{mine} give for scrapped {theirs} ({mate})", "{mine} give for dropped {theirs} ({mate})",
)  # fmt: skip
FREE_SLOT, UNWANTED, DROPPED = 7, 63, 64


def _enemy(slug: str, health: int, attack: int, room: int, noise: int = 0, effects: str = "[]") -> dict[str, str]:
    fields = {"health": health, "attack": attack, "room": room, "noise": noise, "effects": effects, "standees": 3}
    return {f"enemy.{slug}.{name}": str(value) for name, value in fields.items()}


def effect(when: str, what: str, many: int, whom: str = "self") -> str:
    """One row of effect as TOML."""
    return f'[{{ when = "{when}", what = "{what}", whom = "{whom}", many = {many} }}]'


BARE = {
    **_enemy("scrap_rat", 2, 2, 5),
    **_enemy("coil_snake", 3, 1, 11),
    **_enemy("toxic_gull", 3, 2, 13),
    **_enemy("moaner", 2, 1, 6, noise=1),
    **_enemy("bone_runner", 2, 2, 1, effects=effect("standing", "swift", 1)),
    **_enemy("plated_grub", 2, 2, 3, effects=effect("standing", "armor", 1)),
    **_enemy("waste_giant", 5, 3, 4),
    **{f"crew.{slug}.health": "5" for slug in ("scout", "doctor", "gambler", "firefighter", "experiment", "mechanic")},
    **{f"crew.{slug}.attack": "3" for slug in ("scout", "doctor", "gambler", "firefighter", "experiment", "mechanic")},
    **{f"crew.{slug}.noise": "1" for slug in ("scout", "doctor", "gambler", "firefighter", "experiment", "brute")},
    "crew.brute.health": "6",
    "crew.brute.attack": "4",
    "weapon.pipe_wrench.dice": "3",
    "weapon.scrap_pistol.dice": "2",
    "weapon.long_rifle.dice": "4",
    "mech.hull": "20",
}
"""Known numbers over the reference pack, so that it may change."""

ALONE = {"Scout": 1}


def board(
    rules: Any,
    crew: Mapping[str, int] | None = None,
    enemies: Mapping[str, Any] | Sequence[tuple[str, int]] = (),
    sets: Mapping[str, str] | None = None,
    **settings: int,
) -> Board:
    """A game as it begins, without Noise, first enemies and cards in the decks (see `stack`): crew members (by title,
    without The) in rooms, enemies in rooms (a room or several); `sets` over the pack, settings of the table."""
    return Board(rules, crew or ALONE, enemies, sets or {}, settings)


class Board(Declared):
    """A game under way: `s`, `t`, what is told, and words for it."""

    def __init__(self, rules: Any, crew: Mapping[str, int], enemies: Any, sets: Mapping[str, str], settings: Any):
        """As `board` says."""
        super().__init__(KINDS)
        self.rules, self.crew = rules, list(crew)
        self.tables = _tables(rules, {**BARE, **sets}, {"extra_noise": -len(crew), **settings})
        self.t, self.journal = self.tables.data, rules["journal"].Journal()
        self.s = blank(rules["mech.state"].MECH)
        self.deciders: list[str] = []
        self.stream = _speaking(rules["streams"].Script)(self)
        self.do("setup.set_up", self.seats(), picks=list(crew.values()))
        self.do("setup.set_keys", 0, 0)
        self.s.deck.left = self.s.salvage.left = 0
        for title, rooms in enemies.items() if isinstance(enemies, Mapping) else enemies:
            for room in [rooms] if isinstance(rooms, int) else rooms:
                self.do("enemies.appear", self.card("enemy", title), room)
        self.journal.clear()

    def seats(self) -> Any:
        """The seating of the crew, with bots that choose evenly."""
        row = blank(self.rules["game"].seats_dtype(5))
        place, roles = self.rules["game"].role_place, self.tables.roles["crew"]
        row.role[:] = NONE
        row.role[: len(self.crew)] = [place(roles, name.lower()) for name in self.crew]
        row.bot[:] = self.tables.bots.index("random")
        row.member[:] = range(5)
        return row

    # ------------------------------------------------------------ calling the rules

    def do(self, name: str, *args: Any, faces: Sequence[int] = (), picks: Sequence[int | str] = ()) -> Any:
        """Call a kernel of the game ("rooms.worsen"); all faces and picks must be used. `asked` and `deciders` are the
        options of each decision of the call, and whose it was."""
        module, _, function = name.rpartition(".")
        kernel = getattr(self.rules[f"mech.{module}"], function)
        given = {"s": self.s, "t": self.t, "stream": self.stream, "journal": self.journal}
        lead = [given[word] for word in inspect.signature(kernel).parameters if word in given]
        self.asked.clear()
        self.deciders.clear()
        self.stream.faces += list(faces)
        self.stream.picks += [str(pick) for pick in picks]
        result = kernel(*lead, *args)
        assert not self.stream.faces, f"dice not rolled: {self.stream.faces}"
        assert not self.stream.picks, f"choices not asked for: {self.stream.picks}"
        return result

    def options(self, name: str) -> set[str]:
        """Everything that a crew member may do now, in words."""
        return set(self._laid_out(name))

    def act(self, name: str, words: str, faces: Sequence[int] = (), picks: Sequence[int | str] = ()) -> None:
        """Let a crew member do something legal, in the words of `options`; the win is looked at after it, with picks
        for what is decided then."""
        laid = self._laid_out(name)
        assert words in laid, f"{words!r} is not among {sorted(laid)}"
        option, c = laid[words], self.crew.index(name)
        if words == "search":
            self.do("bosses.search", c)
        else:
            self.do("crew.perform", c, option, faces=faces)
        self.s.step += 1
        self.do("bosses.win_if_clean", picks=picks)

    def exchanges(self, name: str) -> dict[str, int]:
        """Everything that a crew member may do with equipment now: words -> option."""
        self.s.options = 0
        self.do("bots.lay_out_exchanges", self.crew.index(name))
        return {self._exchange(name, int(option)): int(option) for option in self.s.option[: self.s.options]}

    def _exchange(self, name: str, option: int) -> str:
        crew, member = self.rules["mech.crew"], self.member(name)
        mine, whom = crew.how_of(option), crew.whom_of(option)
        other, theirs = whom >> 6, whom & 63
        there = self.s.room[member.room].floor if other == 5 else self.s.crew[other].held
        return EXCHANGES[crew.verb_of(option)].format(
            mine=self.title(member.held[mine]) if mine < member["items"] else "",
            theirs=self.title(there[theirs]) if there[theirs] >= 0 else "",
            mate=self.crew[other] if other < len(self.crew) else "",
        )

    def exchange(self, name: str, words: str) -> None:
        """Let a crew member exchange equipment."""
        laid = self.exchanges(name)
        assert words in laid, f"{words!r} is not among {sorted(laid)}"
        self.do("crew.exchange", self.crew.index(name), laid[words])

    def enemies_act(self, faces: Sequence[int] = (), picks: Sequence[int | str] = ()) -> None:
        """The enemies pick what they do, and do it."""
        self.do("enemies.determine")
        self.do("enemies.resolve", faces=faces, picks=picks)

    def end_round(self, faces: Sequence[int] = (), picks: Sequence[int | str] = ()) -> None:
        """All steps of the end of a round."""
        self.do("play.end_round", faces=faces, picks=picks)

    # ------------------------------------------------------------ cards

    def card(self, kind: str, title: str) -> int:
        """The number of a card by its kind and title: salvage cards count on from kind to kind."""
        if kind not in SALVAGE:
            return self.tables.titles[kind].index(title)
        before = SALVAGE[: SALVAGE.index(kind)]
        return sum(len(self.tables.titles[name]) for name in before) + self.tables.titles[kind].index(title)

    def item(self, title: str) -> int:
        """The number of a salvage card of any kind."""
        return self.card(next(kind for kind in SALVAGE if title in self.tables.titles[kind]), title)

    def title(self, card: int) -> str:
        """The title of a salvage card."""
        return [title for kind in SALVAGE for title in self.tables.titles[kind]][card]

    def hold(self, name: str, *titles: str) -> None:
        """Equipment for a crew member."""
        for title in titles:
            self.do("crew.take_item", self.crew.index(name), self.item(title), 0)

    def held(self, name: str) -> list[str]:
        """What a crew member carries."""
        member = self.member(name)
        return [self.title(card) for card in member.held[: member.items]]

    def floor(self, room: int) -> list[str]:
        """What lies in a room."""
        return [self.title(card) for card in self.s.room[room].floor[: self.s.room[room].items]]

    def build(self, title: str, room: int) -> None:
        """An upgrade in a room since an earlier round."""
        self.do("salvage.install", self.item(title), room)
        self.do("rooms.wake_rooms")

    def stack(self, *titles: str) -> None:
        """The enemy deck: these cards, the first on top."""
        self.s.deck.left = len(titles)
        self.s.deck.deck[: len(titles)] = [self.card("enemy", title) for title in reversed(titles)]

    def stack_salvage(self, *titles: str) -> None:
        """The salvage deck: these cards, the first on top."""
        self.s.salvage.left = len(titles)
        self.s.salvage.deck[: len(titles)] = [self.item(title) for title in reversed(titles)]

    def deck(self) -> list[str]:
        """The enemy deck from the top."""
        return [self.tables.titles["enemy"][card] for card in reversed(self.s.deck.deck[: self.s.deck.left])]

    def scrap(self, many: int) -> None:
        """A Scrap Pile of so many cards."""
        self.s.scraps = many
        self.s.scrap[:many] = self.item("Junk")

    # ------------------------------------------------------------ looking

    def member(self, name: str) -> Any:
        """A crew member."""
        return self.s.crew[self.crew.index(name)]

    def health(self, name: str) -> int:
        """A crew member's Health."""
        return int(self.member(name).health)

    def down(self, *names: str) -> None:
        """Take all Health of crew members."""
        for name in names:
            self.do("effects.hurt", self.crew.index(name), 99)

    def enemy(self, title: str, which: int = 0) -> Any:
        """An enemy on the board."""
        card = self.card("enemy", title)
        return [enemy for enemy in self.s.enemy[: self.s.enemies] if enemy.card == card and enemy.health > 0][which]

    def enemy_named(self, place: int) -> str:
        """An enemy by its place on the board, in words."""
        enemy = self.s.enemy[place]
        return self.tables.titles["enemy"][enemy.card] + (f" {enemy.standee + 1}" if enemy.standee else "")

    def where(self) -> list[tuple[str, int]]:
        """All enemies on the board and their rooms, in order."""
        titles = self.tables.titles["enemy"]
        return [(titles[e.card], int(e.room)) for e in self.s.enemy[: self.s.enemies] if e.health > 0]

    def damage(self, **rooms: int) -> Board:
        """Bring rooms to a condition: `damage(r10=ON_FIRE)`."""
        for name, condition in rooms.items():
            self.s.room[int(name[1:])].condition = condition
            self.do("rooms.fold_room", int(name[1:]))
        return self

    def condition(self, room: int) -> int:
        """The condition of a room."""
        return int(self.s.room[room].condition)

    def told(self) -> list[str]:
        """The story so far."""
        return list(self.rules["mech.tell"].tell(self.tables, self.seats(), self.journal, None))

    def _laid_out(self, name: str) -> dict[str, int]:
        self.do("bots.lay_out_turn", self.crew.index(name))
        return {self._words(name, int(option)): int(option) for option in self.s.option[: self.s.options]}

    def _words(self, name: str, option: int) -> str:
        crew = self.rules["mech.crew"]
        verb, how, whom = VERBS[crew.verb_of(option)], crew.how_of(option), crew.whom_of(option)
        if verb in ("attack", "gun"):
            enemy = self.tables.titles["enemy"][whom // 32] + (f" {whom % 32 + 1}" if whom % 32 else "")
            gun = f"gun {self.t.mech.gun[how]}" if verb == "gun" else "attack"
            return f"{gun} {enemy}" + (f" with {self.held(name)[how - 1]}" if verb == "attack" and how else "")
        if verb in ("mend", "revive"):
            return f"{verb} {self.crew[whom]}"
        if verb in ("reload", "use"):
            return f"{verb} {self.held(name)[how - 1]}"
        return f"{verb} {whom}" if verb == "move" or (verb == "extinguish" and whom) else verb


def _hand_out(b: Board, option: int, name: str) -> str:
    """To whom new equipment goes, and what he gives up for it."""
    if option == UNWANTED:
        return "nobody"
    who, place = (option & 63) >> 3, option & 7
    if place == FREE_SLOT:
        return b.crew[who]
    return f"{b.crew[who]} {'dropping' if option >= DROPPED else 'scrapping'} {b.held(b.crew[who])[place]}"


KINDS: dict[str, tuple[str, Callable[[Board, int, str], str]]] = {
    "turn": ("take_turn", lambda b, option, name: b._words(name, option)),
    "exchange": ("choose_exchange", lambda b, option, name: b._exchange(name, option)),
    "salvage": ("choose_hand_out", _hand_out),
    "upgrade": ("choose_upgrade_room", lambda b, option, name: str(option) if option else "nowhere"),
    "scrap": ("choose_scrap_use", lambda b, option, name: SCRAP_USES[option]),
    "event": ("hold_event", lambda b, option, name: b.tables.titles["event"][option]),
    "place": ("choose_place", lambda b, option, name: str(option)),
    "counter": ("strike_back", lambda b, option, name: b.enemy_named(option - 1) if option else "none"),
    "captain": ("captain_emerges", lambda b, option, name: str(option)),
}
"""Kind of question -> the kernel that asks it, and the words for an option, by the one who decides."""


def _speaking(script: Any) -> Any:
    """A Script whose picks are words, and beyond them the standing answers."""
    kinds = {kernel: kind for kind, (kernel, _) in KINDS.items()}

    class Words(script):  # type: ignore[misc]
        def __init__(self, b: Board) -> None:
            super().__init__()
            self.board = b

        def take_pick(self) -> int:
            b, frame, name = self.board, sys._getframe(1), ""
            while frame.f_code.co_name not in kinds:
                if frame.f_code.co_name == "decide":
                    name = b.crew[frame.f_locals["c"]]
                frame = frame.f_back  # type: ignore[assignment]
            kind = kinds[frame.f_code.co_name]
            legal = {KINDS[kind][1](b, int(option), name): int(option) for option in b.s.option[: b.s.options]}
            b.deciders.append(name)
            return b.answer(kind, legal, self.picks, name)

    return Words


def _tables(rules: Any, sets: dict[str, str], settings: dict[str, int]) -> Any:
    """Tables are made once for each set of values of a set of rules: nothing changes them."""
    kept = vars(rules).setdefault("mech_tables", {})
    key = (tuple(sets.items()), tuple(settings.items()))
    if key not in kept:
        kept[key] = rules.tables("mech", sets, settings)
    return kept[key]
