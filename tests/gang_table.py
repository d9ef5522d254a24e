"""Tables of Marauders of the Great Wastelands in words, for tests that read like the rulebook; uncompiled, with
scripted decisions.

    b = table(rules, "Patrol", "Hyenas")  # nothing lies there yet
    b.on("Iron", "Hyenas", "Marauder", "slave").in_lair("Patrol", "Sniper", "Sniper", "Scout")
    b.ambush("Patrol", "Iron", "Sniper", "Sniper", "Scout")  # an answer to each question, in their order
    assert b.standing("Iron") == ["Scout", "Sniper", "Sniper"]
    b.do("loot.collect", 0)  # any kernel of the game: s, t, stream and journal are put in

A decision is picked by its words: "no", a card ("Sniper", "slave"), a card that is wounded or to be wounded ("wounded
Sniper"), a territory ("Iron", "Iron 2"), a rival ("Hyenas") or his follower ("Hyenas: Marauder"). Where a single thing
is possible nothing is asked. A test declares the answer to each question: in its order among the words of a call, or
once for all questions of a kind (`Table.always`). Any other question raises `Undeclared`. What cards do here is in
CARDS, so that the reference pack may change.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from simcore.kernels import blank
from tests.declared import Declared

NONE = -1
FODDER = {"slave": 120, "fanatic": 121}


ASKS = (
    "hire_or_patch", "summon", "use_summons", "choose_site", "gather", "use_ambushes", "pay", "aim", "strike_lair",
    "remove_one", "refresh_hand",
)  # fmt: skip
"""The kernels that ask, each a kind of question."""


def effect(when: str, what: str, whom: str, many: int = 1, who: str = "me") -> str:
    """One row of effect as TOML."""
    return f'{{ when = "{when}", what = "{what}", whom = "{whom}", who = "{who}", many = {many} }}'


def does(card: str, *effects: str, pay: str = "nothing", times: int = 1) -> dict[str, str]:
    """What a card does, to be laid over the pack: `does("raider.scout", effect(...))`."""
    return {f"{card}.effects": f"[{', '.join(effects)}]", f"{card}.pay": f'"{pay}"', f"{card}.times": str(times)}


def leads(card: str, *effects: str) -> dict[str, str]:
    """What a leader does, twice at most."""
    return does(card, *effects, pay="destroy", times=2)


CARDS = {
    **leads("raider.professor", effect("summon", "fanatics", "own_lair")),
    **does("raider.trickster", effect("summon", "fanatics", "own_lair")),
    **does("raider.madman", effect("standing", "frenzy", "self", 2), pay="wound", times=3),
    **does("raider.zealot", effect("ambush", "fanatics", "own_lair")),
    **does("raider.mesmerist", effect("summon", "knock", "rival_territory", who="owner")),
    **leads("raider.son_of_the_beast", effect("summon", "slaves", "own_lair")),
    **does("raider.hunter", effect("ambush", "slaves", "own_lair")),
    **does("raider.brander", effect("ambush", "plunder", "here", 2), pay="fodder"),
    **does("raider.saboteur", effect("ambush", "spoil", "here", 2)),
    **does("raider.sniper", effect("summon", "wound", "rival_lair")),
    **does("raider.scout", effect("summon", "draw", "hand")),
    **does("raider.sentry", effect("standing", "guard", "self")),
    **does("raider.medic", effect("summon", "patch", "own_lair")),
    **does("raider.marauder", effect("ambush", "plunder", "here", 2)),
    **does("raider.arsonist", effect("summon", "raze", "territory", 2)),
    **does("raider.howler", effect("summon", "knock", "rival_territory", who="owner")),
    **does("raider.nomad", effect("ambush", "again", "own_lair")),
    **does("raider.healer", effect("summon", "repeat", "own_lair")),
    **does("raider.shieldmaiden", effect("summon", "muster", "own_lair")),
    **does("raider.clever_one", effect("summon", "repeat", "own_lair")),
    **leads("raider.baron", effect("summon", "repeat", "own_lair")),
    **leads("mercenary.widow", effect("summon", "draw", "hand")),
    **does("mercenary.foreman", effect("summon", "muster", "own_lair")),
    **does("mercenary.drummer", effect("summon", "draw", "hand", 2)),
    **does("mercenary.daredevils", effect("standing", "might", "self")),
    **does(
        "mercenary.passers_by", effect("ambush", "plunder", "here"), effect("ambush", "home", "self")
    ),
    **does("mercenary.seductress", effect("summon", "hire", "market")),
    **does("mercenary.herder", effect("summon", "slaves", "own_lair"), effect("summon", "herd", "own_lair")),
    **does("mercenary.barman", effect("summon", "knock", "rival_territory", who="owner")),
}  # fmt: skip
"""What the cards that tests name do."""


def table(rules: Any, *gangs: str, sets: Mapping[str, str] | None = None, **settings: int) -> Table:
    """Gangs by their titles, from the first player on, at an empty table: no followers, hands, decks, market or
    territories; `sets` over the pack and CARDS, settings of the table."""
    made = Table(rules, gangs, {**CARDS, **(sets or {})}, settings)
    made.do("setup.clear")
    made.do("setup.seat_gangs", made.seats())
    made.s.sites.left = made.s.mercenaries.left = 0
    for gang in made.s.gang:
        made.do("setup.open_empty", gang.deck, 0)
    return made


def dealt(rules: Any, *gangs: str, sets: Mapping[str, str] | None = None, **settings: int) -> Table:
    """A game as it begins."""
    made = Table(rules, gangs, {**CARDS, **(sets or {})}, settings)
    made.do("setup.set_up", made.seats())
    return made


class Table(Declared):
    """A game under way: `s`, `t`, what is told, what was asked, and words for it."""

    def __init__(self, rules: Any, gangs: Sequence[str], sets: Mapping[str, str], settings: Mapping[str, int]) -> None:
        """As `table` says. `asked`: the options of each decision since the last phase began; `values`: what they are
        worth to whoever decides, 0 for bots that choose evenly."""
        super().__init__(ASKS)
        self.rules, self.gangs = rules, list(gangs)
        self.tables = _tables(rules, sets, settings)
        self.t, self.journal = self.tables.data, rules["journal"].Journal()
        self.s = blank(rules["gangs.state"].STATE)
        self.values: list[list[int]] = []
        self.stream = _speaking(rules["streams"].Script)(self)

    def seats(self, first: int = 0) -> Any:
        """The seating, with bots that choose evenly."""
        row = blank(self.rules["game"].seats_dtype(4))
        titles = [role.title for role in self.tables.roles["gangs"]]
        row.role[:] = NONE
        row.role[: len(self.gangs)] = [titles.index(name) for name in self.gangs]
        row.bot[:] = self.tables.bots.index("random")
        row.member[:], row.first = range(4), first
        return row

    # ------------------------------------------------------------ calling the rules

    def do(self, name: str, *args: Any, words: Sequence[str] = ()) -> Any:
        """Call a kernel of the game ("loot.collect"); decisions are picked by words, and all words must be used."""
        module, _, function = name.rpartition(".")
        kernel = getattr(self.rules[f"gangs.{module}"], function)
        given = {"s": self.s, "t": self.t, "stream": self.stream, "journal": self.journal}
        lead = [given[word] for word in inspect.signature(kernel).parameters if word in given]
        self.stream.picks = list(words)
        result = kernel(*lead, *args)
        assert not self.stream.picks, f"not asked for: {self.stream.picks}; asked: {self.asked[-3:]}"
        self.add_up()
        return result

    def add_up(self) -> None:
        """Checks that what is counted is what lies there: followers, strengths, territories, fodder."""
        s, card = self.s, self.t.card
        for gang in s.gang[: s.players]:
            ready = [card[gang.card[i]] for i in range(gang.lair) if not gang.hurt[i]]
            counts = (len(ready), *(sum(int(one[name]) for one in ready) for name in ("coloured", "grabs", "strips")))
            assert (gang.ready, gang.coloured, gang.grabs, gang.strips) == counts
            assert gang.force == len(ready) + sum(int(one.might) for one in ready)
            assert min(gang.slaves, gang.fanatics) >= 0
        fodder = sum(int(gang.slaves + gang.fanatics) for gang in s.gang[: s.players]) + self.pool()
        for place in s.place:
            if place.open:
                there = [card[place.card[i]] for i in range(place.cards)]
                assert place.coloured == sum(int(one.coloured) for one in there)
                assert place.guard == len(there) + place.slaves + sum(int(one.guard) for one in there)
                assert (place.owner == NONE) == (not there and not place.slaves) and place.loot >= 0
                fodder += int(place.slaves)
        assert fodder == self.t.rules.fodder and s.places == sum(int(place.open) for place in s.place)

    def hire(self, gang: str, *words: str) -> Table:
        """Phase 1 of a gang's hour."""
        return self._phase("hour.hire_or_patch", gang, words)

    def summon(self, gang: str, *words: str) -> Table:
        """Phase 2 of a gang's hour."""
        return self._phase("hour.summon", gang, words)

    def ambush(self, gang: str, *words: str) -> Table:
        """Phase 3 of a gang's hour."""
        return self._phase("ambush.set_ambushes", gang, words)

    def collect(self, gang: str) -> Table:
        """Phases 4 and 5 of a gang's hour."""
        self._phase("loot.collect", gang, ())
        self.do("loot.take_to_trophies")
        return self

    def refresh(self, gang: str, *words: str) -> Table:
        """Phase 6 of a gang's hour."""
        return self._phase("hour.refresh_hand", gang, words)

    def hour(self, gang: str, *words: str) -> Table:
        """All of a gang's hour."""
        return self._phase("hour.play_hour", gang, words)

    def play(self, game: int) -> Table:
        """A whole game of bots that choose evenly, by the words of a game."""
        self.journal.clear()
        stream = blank(self.rules["streams"].STREAM)
        stream.game = game
        self.rules["gangs.play"].play_one(self.s, self.t, stream, self.journal, self.seats())
        return self

    def weigh(self, gang: str) -> Table:
        """Let a gang weigh its options, as a regular bot does; its decisions are scripted all the same."""
        self.of(gang).bot, self.of(gang).weighs = self.tables.bots.index("regular"), 1
        return self

    def _phase(self, name: str, gang: str, words: Sequence[str]) -> Table:
        self.asked.clear()
        self.values.clear()
        self.do(name, self.g(gang), words=words)
        return self

    # ------------------------------------------------------------ laying out

    def in_lair(self, gang: str, *cards: str) -> Table:
        """Followers for a lair: "Sniper", "wounded Sniper", "slave", "fanatic"."""
        for words in cards:
            if words in FODDER:
                self.do("followers.gain_fodder", self.g(gang), FODDER[words], 1)
                self.of(gang).made -= 1
            else:
                hurt = words.startswith("wounded ")
                self.do("followers.enter_lair", self.g(gang), self.card(words.removeprefix("wounded ")), int(hurt))
        self.journal.clear()
        return self

    def on(self, site: str, gang: str = "", *cards: str, loot: int = 5) -> Table:
        """An open territory, and who stands there: raiders, mercenaries and slaves of a gang."""
        j = next(j for j, place in enumerate(self.s.place) if place.open == 0)
        place, number = self.s.place[j], self.site(site)
        place.open, place.site, place.kind, place.loot = 1, number, self.t.site[number].kind, loot
        place.cards = place.slaves = place.coloured = place.guard = 0
        place.owner = self.g(gang) if gang else NONE
        self.s.places += 1
        self.s.placed += loot
        for words in cards:
            if words == "slave":
                self.rules["gangs.followers"].from_pool(self.s, self.t, FODDER["slave"], 1)
                place.slaves += 1
                place.guard += 1
            else:
                self.rules["gangs.followers"].stand_on(self.s, self.t, j, self.card(words))
        self.add_up()
        return self

    def in_hand(self, gang: str, *cards: str) -> Table:
        """Cards for a hand."""
        for words in cards:
            self.do("followers.take_in_hand", self.g(gang), self.card(words))
        return self

    def in_deck(self, gang: str, *cards: str) -> Table:
        """A gang's deck, the top card first."""
        return self._pile(self.of(gang).deck, cards)

    def for_hire(self, *cards: str, deck: Sequence[str] = ()) -> Table:
        """The market, and the mercenary deck, the top card first."""
        self.s.market = len(cards)
        self.s.offer[: len(cards)] = [self.card(words) for words in cards]
        return self._pile(self.s.mercenaries, deck)

    def discarded(self, gang: str, *cards: str) -> Table:
        """Cards for a discard pile."""
        for words in cards:
            self.do("followers.discard", self.g(gang), self.card(words))
        return self

    def _pile(self, pile: Any, cards: Sequence[str]) -> Table:
        pile.left = len(cards)
        pile.deck[: len(cards)] = [self.card(words) for words in reversed(cards)]
        return self

    # ------------------------------------------------------------ looking

    def g(self, gang: str) -> int:
        """The number of a gang round the table."""
        return self.gangs.index(gang)

    def of(self, gang: str) -> Any:
        """A gang."""
        return self.s.gang[self.g(gang)]

    def card(self, title: str) -> int:
        """The number of a card."""
        return FODDER[title] if title in FODDER else self.tables.titles["card"].index(title)

    def title(self, card: int) -> str:
        """A card's title."""
        return {number: words for words, number in FODDER.items()}.get(int(card)) or self.tables.titles["card"][card]

    def site(self, words: str) -> int:
        """The number of a territory card: "Iron", "Iron 2"."""
        title, _, which = words.partition(" ")
        kind = self.tables.titles["territory"].index(title)
        return [k for k in range(self.t.sites) if self.t.site[k].kind == kind][int(which or 1) - 1]

    def site_words(self, site: int) -> str:
        """The words for a territory card."""
        kinds = [int(self.t.site[k].kind) for k in range(site + 1)]
        title, which = self.tables.titles["territory"][kinds[site]], kinds.count(kinds[site])
        return title if which == 1 else f"{title} {which}"

    def at(self, site: str) -> Any:
        """An open territory, or None."""
        return next((place for place in self.s.place if place.open and place.site == self.site(site)), None)

    def standing(self, site: str) -> list[str]:
        """Who stands on a territory."""
        place = self.at(site)
        return sorted(self._titles(place.card, place.cards)) + ["slave"] * int(place.slaves)

    def holder(self, site: str) -> str:
        """Who holds a territory; "" if it is neutral."""
        owner = int(self.at(site).owner)
        return "" if owner == NONE else self.gangs[owner]

    def lair(self, gang: str) -> list[str]:
        """The followers in a lair."""
        of = self.of(gang)
        cards = [("wounded " if of.hurt[i] else "") + self.title(of.card[i]) for i in range(of.lair)]
        return sorted(cards) + ["slave"] * int(of.slaves) + ["fanatic"] * int(of.fanatics)

    def hand(self, gang: str) -> list[str]:
        """The cards in a hand."""
        return sorted(self._titles(self.of(gang).held, self.of(gang).hand))

    def deck(self, gang: str) -> list[str]:
        """A gang's deck, sorted."""
        return sorted(self._titles(self.of(gang).deck.deck, self.of(gang).deck.left))

    def discards(self, gang: str) -> list[str]:
        """A gang's discard pile."""
        return sorted(self._titles(self.of(gang).deck.discards, self.of(gang).deck.discarded))

    def market(self) -> list[str]:
        """The mercenaries for hire."""
        return sorted(self._titles(self.s.offer, self.s.market))

    def pool(self) -> int:
        """Fodder left in the pool."""
        return int(self.s.slaves + self.s.fanatics)

    def _titles(self, cards: Any, many: int) -> list[str]:
        return [self.title(card) for card in cards[: int(many)]]

    def outcome(self) -> Any:
        """What the game comes to as it stands."""
        package = self.rules["gangs"]
        out = blank(self.rules["game"].outcome_dtype(package.GAME_COLUMNS, package.SEAT_COLUMNS, 4))
        self.do("play.write_outcome", out)
        return out

    def told(self) -> list[str]:
        """The story so far."""
        lines = self.rules["gangs.tell"].tell(self.tables, self.seats(), self.journal, self.outcome())
        return list(lines[: -len(self.gangs)])

    def words(self, option: int) -> str:
        """An option in words."""
        bots = self.rules["gangs.bots"]
        rival, rest = divmod(int(option), bots.RIVAL_AT)
        if rival:
            who = self.gangs[rival - 1]
            return who if rest == bots.ANY else f"{who}: {self.words(rest)}"
        if rest >= bots.SITE_AT:
            return self.site_words(rest - bots.SITE_AT)
        if rest == bots.NOTHING:
            return "no"
        return ("wounded " if rest >= bots.SECOND else "") + self.title(rest % bots.SECOND - 1)


def _speaking(script: Any) -> Any:
    """A Script whose picks are words, and beyond them the standing answers."""

    class Words(script):  # type: ignore[misc]
        def __init__(self, board: Table) -> None:
            super().__init__()
            self.board = board

        def take_pick(self) -> int:
            frame = sys._getframe(1)
            while frame.f_code.co_name not in ASKS:
                frame = frame.f_back  # type: ignore[assignment]
            s, asks = self.board.s, frame.f_code.co_name
            legal = {self.board.words(option): int(option) for option in s.option[: s.options]}
            assert len(legal) == s.options, "something is offered twice"
            self.board.values.append([int(value) for value in s.value[: s.options]])
            return self.board.answer(asks, legal, self.picks)

    return Words


def _tables(rules: Any, sets: Mapping[str, str], settings: Mapping[str, int]) -> Any:
    """Tables are made once for each set of values of a set of rules: nothing changes them."""
    kept = vars(rules).setdefault("gang_tables", {})
    key = (tuple(sets.items()), tuple(settings.items()))
    if key not in kept:
        kept[key] = rules.tables("gangs", sets, settings)
    return kept[key]
