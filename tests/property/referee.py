"""A referee who looks on while the rules of Marauders of the Great Wastelands are played uncompiled.

He keeps the printed rules in a slow form of his own: books of cards, fodder, loot and territories that must balance
between any two steps, counts that rules keep and that must be right, and what each phase may change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from simcore.gangs import cards
from simcore.gangs.state import NONE, STAYS
from simcore.gangs.tables import RULINGS, SEATS
from tests.property.gangs import GAME, Table
from tests.property.watching import Rules, Watcher

PARTS = (
    "set_up", "play_day", "pass_night", "play_hour", "hire_or_patch", "summon", "set_ambushes", "collect",
    "take_to_trophies", "refresh_hand", "use_summons", "use_ability", "do_deed", "march", "rout", "use_ambushes",
    "move_fodder", "lose_fanatics", "take_territory", "remove_place", "open_territories", "decide", "call_off",
    "enter_lair", "pay_for_frenzy", "remove_one", "pay",
)  # fmt: skip
"""Kernels that tell the referee before and after."""

PHASES = ["hire_or_patch", "summon", "set_ambushes", "collect", "take_to_trophies", "refresh_hand"]
RULES = Rules(GAME, PARTS)
"""The uncompiled rules by module: RULES["play"]["play_range"]."""


GANG = (
    "role", "lair", "card", "hurt", "sent", "hand", "held", "slaves", "fanatics", "ready", "coloured", "force", "grabs",
    "strips", "loot", "kinds", "trophies", "points", "destroyed",
)  # fmt: skip
PILE = ("left", "deck", "discarded", "discards")
PLACE = ("open", "owner", "cards", "card", "slaves", "coloured", "guard", "loot")
CARD = ("gang", "leader", "copies", "coloured", "might", "guard", "grabs", "strips")
"""Fields that he reads often."""


def seen(rows: Any, names: tuple[str, ...], many: int | None = None) -> list[Any]:
    """The first of some records with these fields as plain values: records are slow to read one by one."""
    rows = np.asarray(rows)[:many]
    columns = {name: rows[name].tolist() for name in names}
    if "deck" in rows.dtype.names:
        columns |= {name: rows["deck"][name].tolist() for name in PILE}
    return [SimpleNamespace(**dict(zip(columns, row, strict=True))) for row in zip(*columns.values(), strict=True)]


def cards_in(many: Any, held: Any) -> Counter[int]:
    """The cards of a place, of which `many` are in use."""
    return Counter(held[: int(many)].tolist())


class Referee(Watcher):
    """Watches one game."""

    def __init__(self, table: Table, t: Any) -> None:
        super().__init__(RULES)
        self.t, self.card, self.raiders = t, seen(t.card, CARD, int(t.cards)), int(t.raiders)
        self.ruling = {name: RULINGS[name][int(t.ruling[name])] for name in RULINGS}
        self.all: Counter[int] = Counter()
        self.box: Counter[int] = Counter()
        self.sites: set[int] = set()
        self.trophies: list[Counter[int]] = [Counter() for _ in range(SEATS)]
        self.opened, self.checks, self.first, self.last, self.phase = 0, 0, NONE, 0, ""
        self.marching = self.gathering = self.hour = self.doing = False
        self.summoned: Counter[int] = Counter()
        self.movers: Counter[int] = Counter()

    # ---------------------------------------------------------------- what always holds

    def check(self, s: Any) -> None:
        """All that must hold between two steps."""
        self.checks += 1
        gangs, places = seen(s.gang, GANG, int(s.players)), seen(s.place, PLACE)
        shown = [place for place in places if place.open == 1]
        assert s.overflow == 0 and s.places == len(shown)
        self.check_cards(s, gangs, shown)
        self.check_fodder(s, gangs, shown)
        self.check_loot(s, gangs, shown)
        for gang in gangs:
            self.check_lair(gang)
        for place in shown:
            self.check_place(place, len(gangs))

    def check_cards(self, s: Any, gangs: list[Any], shown: list[Any]) -> None:
        """Every raider and mercenary is somewhere, once, and with the gang that it belongs to; what leaves the game
        doesn't come back (G5-16, G5-37)."""
        stock = cards_in(s.mercenaries.left, s.mercenaries.deck) + cards_in(s.market, s.offer)
        assert all(card >= self.raiders for card in stock) and s.mercenaries.discarded == 0
        for g, gang in enumerate(gangs):
            own = self.cards_of(g, gang, shown)
            assert all(self.card[card].gang in (gang.role, NONE) for card in own)
            stock += own
        box = self.all - stock
        assert stock <= self.all and self.box <= box
        assert box.total() == s.gone + sum(gang.destroyed for gang in gangs)
        assert s.gone == 0 or self.ruling["taken_followers"] == "common_discard"
        self.box = box

    @staticmethod
    def cards_of(g: int, gang: Any, shown: list[Any]) -> Counter[int]:
        """The cards of a gang: lair, hand, deck, discard pile, territories."""
        own = gang.card[: gang.lair] + gang.held[: gang.hand]
        own += gang.deck[: gang.left] + gang.discards[: gang.discarded]
        return Counter(own + [card for place in shown if place.owner == g for card in place.card[: place.cards]])

    def check_fodder(self, s: Any, gangs: list[Any], shown: list[Any]) -> None:
        """Fodder is in the pool, in a lair or, if slaves, on a territory; or on its way out of a squad (G14-03,
        G14-04)."""
        slaves = [int(s.slaves)] + [place.slaves for place in shown] + [gang.slaves for gang in gangs]
        fanatics = [int(s.fanatics), int(s.squad_fanatics) if self.marching else 0]
        fanatics += [gang.fanatics for gang in gangs]
        rules, two = self.t.rules, self.ruling["fodder_cards"] == "two_kinds"
        assert min(slaves + fanatics) >= 0
        assert sum(slaves) + sum(fanatics) == rules.fodder
        assert sum(slaves) == rules.slaves if two else s.fanatics == 0

    def check_loot(self, s: Any, gangs: list[Any], shown: list[Any]) -> None:
        """Loot placed is taken, destroyed or lying; points are loot and territories (G15-01 to G15-03)."""
        rules, lying = self.t.rules, [place.loot for place in shown]
        assert all(0 <= loot <= rules.loot for loot in lying)
        assert s.placed == rules.loot * self.opened == sum(gang.loot for gang in gangs) + s.destroyed + sum(lying)
        for gang, kinds in zip(gangs, self.trophies, strict=False):
            assert {kind: many for kind, many in enumerate(gang.kinds) if many} == dict(kinds)
            assert gang.trophies == kinds.total()
            worth = sum(rules.first_of_type + (many - 1) * rules.more_of_type for many in kinds.values())
            assert gang.points == gang.loot + worth

    def check_lair(self, gang: Any) -> None:
        """What is counted of a lair: its unwounded followers (G14-09)."""
        hurt, sent = gang.hurt[: gang.lair], gang.sent[: gang.lair]
        assert set(hurt) <= {0, 1}
        up = [self.card[card] for card, wounded in zip(gang.card, hurt, strict=False) if not wounded]
        assert gang.ready == len(up)
        assert gang.coloured == sum(card.coloured for card in up)
        assert gang.force == sum(1 + card.might for card in up)
        assert gang.grabs == sum(card.grabs for card in up)
        assert gang.strips == sum(card.strips for card in up)
        assert self.gathering or set(sent) <= {0, STAYS if self.hour else 0}

    def check_place(self, place: Any, players: int) -> None:
        """What is counted of a territory; nobody holds one without a raider (G14-05, G14-06): what is forced to go is
        grey as long as there is anything grey, so that this has no exception."""
        up = [self.card[card] for card in place.card[: place.cards]]
        assert place.coloured == sum(card.coloured for card in up)
        assert place.guard == sum(1 + card.guard for card in up) + place.slaves
        assert (place.owner == NONE) == (place.cards + place.slaves == 0)
        assert place.owner == NONE or (0 <= place.owner < players and place.coloured > 0)

    def on_other(self, s: Any, *rest: Any) -> Iterator[None]:
        """Everything balances."""
        yield
        self.check(s)

    # ---------------------------------------------------------------- the game, days and nights

    def on_set_up(self, s: Any, t: Any, *rest: Any) -> Iterator[None]:
        """Decks, market, hot starts and hands as printed (G12)."""
        yield
        self.all = cards_in(s.mercenaries.left, s.mercenaries.deck) + cards_in(s.market, s.offer)
        for gang in seen(s.gang, GANG, int(s.players)):
            own = self.cards_of(NONE, gang, [])
            self.check_gang(t, gang, own)
            self.all += own
        first_game, players = t.table.first_game == 1, int(s.players)
        sites = 10 - 2 * (4 - players) if first_game else 4 * (players + 1)
        assert s.sites.left + s.places == len(self.sites) == sites
        sizes = {2: 3 * 6 + 1, 3: 3 * 9 + 1, 4: 37} if t.table.advanced else {2: 19, 3: 28, 4: 37}
        market = s.mercenaries.left + s.market
        assert market == (15 - 3 * (4 - players) if first_game else sizes[players])
        assert s.market == min(t.rules.market, market)
        self.first = 0
        self.check(s)

    def check_gang(self, t: Any, gang: Any, begins: Counter[int]) -> None:
        """A gang begins with all of its deck, without the leader in the first game: hot start and hand (G12-09,
        G12-10)."""
        own = [(place, row) for place, row in enumerate(self.card[: self.raiders]) if row.gang == gang.role]
        first_game = t.table.first_game == 1
        assert begins == {place: row.copies for place, row in own if not (first_game and row.leader)}
        assert sorted(gang.card[: gang.lair]) == sorted(t.gang[gang.role].hot.tolist())
        assert gang.ready == 2 and gang.hand == t.rules.hand and gang.discarded == 0

    def on_play_day(self, s: Any, t: Any, *rest: Any) -> Iterator[None]:
        """The gang after the last one begins the next day; a day ends when nothing lies open, or is cut off (G13-02,
        G13-03, G4-15)."""
        assert s.next == self.first and s.capped == 0
        yield
        assert (s.places > 0) == (s.capped == 1) and 1 <= s.hour <= t.table.most_hours * s.players
        assert s.capped == 0 or s.hour == t.table.most_hours * s.players
        self.first = (self.first + int(s.hour)) % int(s.players)
        assert s.next == self.first
        self.check(s)

    def on_open_territories(self, s: Any, t: Any, *rest: Any) -> Iterator[None]:
        """One more than players, fresh from the deck, neutral, with all their loot (G12-04, G12-07)."""
        deck = set(s.sites.deck[: s.sites.left].tolist())
        self.sites = self.sites or deck
        assert s.places == 0 and len(deck) == s.sites.left and deck <= self.sites
        yield
        shown = [place for place in s.place if place.open == 1]
        assert len(shown) == s.players + 1
        assert all(place.loot == t.rules.loot and place.owner == NONE for place in shown)
        assert all(place.kind == t.site[place.site].kind for place in shown)
        assert deck - {int(place.site) for place in shown} == set(s.sites.deck[: s.sites.left].tolist())
        self.opened += len(shown)

    def on_pass_night(self, s: Any, *rest: Any) -> Iterator[None]:
        """Nobody stays wounded, and nobody moves (G13-10)."""
        before = [cards_in(s.gang[g].lair, s.gang[g].card) for g in range(s.players)]
        yield
        for g, lair in enumerate(before):
            gang = s.gang[g]
            assert not gang.hurt[: gang.lair].any() and cards_in(gang.lair, gang.card) == lair
        self.check(s)

    # ---------------------------------------------------------------- hours

    def on_play_hour(self, s: Any, t: Any, stream: Any, journal: Any, g: int) -> Iterator[None]:
        """The six phases in their order (G5-01), clockwise."""
        assert g == (self.first + int(s.hour) - 1) % int(s.players)
        self.summoned, begun, self.hour = Counter(), len(self.steps), True
        yield
        self.hour = False
        self.check(s)
        assert [step for step in self.steps[begun:] if step in PHASES] == PHASES

    def on_hire_or_patch(self, s: Any, t: Any, stream: Any, journal: Any, g: int) -> Iterator[None]:
        """One mercenary or one patched follower, or neither (G13-04)."""
        gang = s.gang[g]
        hand, hurt, stock = int(gang.hand), int(gang.lair - gang.ready), int(s.market + s.mercenaries.left)
        shown = int(s.market)
        yield
        self.check(s)
        hired, patched = gang.hand - hand, hurt - (gang.lair - gang.ready)
        assert (hired, patched) in ((0, 0), (1, 0), (0, 1))
        assert s.market + s.mercenaries.left == stock - hired
        assert s.market == min(shown, stock - hired)

    def on_summon(self, s: Any, t: Any, stream: Any, journal: Any, g: int) -> Iterator[None]:
        """A follower of the hand comes into the lair, if there is one (G13-05, G4-03)."""
        hand = int(s.gang[g].hand)
        self.phase = "summon"
        yield
        self.check(s)
        self.phase = ""
        assert (self.summoned.total() > 0) == (hand > 0)

    def on_use_summons(self, s: Any, t: Any, stream: Any, journal: Any, g: int, card: int) -> Iterator[None]:
        """Asked of the follower that has just come."""
        assert s.gang[g].card[s.gang[g].lair - 1] == card
        yield
        self.check(s)

    def on_enter_lair(self, s: Any, t: Any, g: int, card: int, hurt: int) -> Iterator[None]:
        """Who is placed from the hand in phase 2."""
        if self.phase == "summon" and not self.doing and g == s.turn:
            self.summoned[int(card)] += 1
        yield

    def on_use_ability(self, s: Any, t: Any, stream: Any, journal: Any, g: int, card: int, j: int) -> Iterator[None]:
        """Summons in phase 2, Ambushes for those who have just moved, once each (G5-06, G14-16)."""
        assert (t.card[card].summons, t.card[card].ambushes) == ((1, 0) if self.phase == "summon" else (0, 1))
        if self.phase != "summon":
            self.movers[int(card)] -= 1
            assert self.movers[int(card)] >= 0
            assert self.last <= t.card[card].agains, "further squads come last (G14-17)"
            self.last = int(t.card[card].agains)
        yield
        self.check(s)

    def on_pay(self, s: Any, t: Any, stream: Any, journal: Any, g: int, card: int, j: int) -> Iterator[None]:
        """What is paid is gone: from the hand, from the fodder, or from those who are ready (G11-11, G16-06)."""
        gang, how = s.gang[g], cards.PAY[int(t.card[card].pay)]
        stock = {"destroy": "hand", "discard": "hand", "fodder": "spent", "wound": "ready"}[how]
        before, gone, piled = int(gang[stock]), int(gang.destroyed), int(gang.deck.discarded)
        yield
        paid = int(self.answer)
        assert gang[stock] == before + (paid if how == "fodder" else -paid)
        assert gang.destroyed == gone + (how == "destroy") * paid
        assert gang.deck.discarded == piled + (how == "discard") * paid

    def on_do_deed(self, s: Any, *rest: Any) -> Iterator[None]:
        """A deed leaves everything balanced."""
        self.doing = True
        yield
        self.doing = False
        self.check(s)

    def on_collect(self, s: Any, t: Any, journal: Any, g: int) -> Iterator[None]:
        """1 loot from each territory of the gang (G13-07)."""
        loot = [int(gang.loot) for gang in s.gang]
        lying = [(int(place.loot), int(place.owner == g and place.loot > 0)) for place in s.place if place.open == 1]
        yield
        for other, gang in enumerate(s.gang[: s.players]):
            assert gang.loot - loot[other] == (sum(own for _, own in lying) if other == g else 0)
        assert [int(place.loot) for place in s.place if place.open == 1] == [loot - own for loot, own in lying]
        self.check(s)

    def on_take_to_trophies(self, s: Any, *rest: Any) -> Iterator[None]:
        """Every territory without loot goes, no other one (G13-08)."""
        stay = [int(place.site) for place in s.place if place.open == 1 and place.loot > 0]
        held = sum(place.open == 1 and place.loot == 0 and place.owner != NONE for place in s.place)
        trophies = sum(kinds.total() for kinds in self.trophies)
        yield
        assert [int(place.site) for place in s.place if place.open == 1] == stay
        assert sum(kinds.total() for kinds in self.trophies) == trophies + held
        self.check(s)

    def on_take_territory(self, s: Any, t: Any, journal: Any, g: int, j: int) -> Iterator[None]:
        """To whoever holds it; his followers go to his discard pile or (ruling) out of the game (G14-11, G4-01)."""
        place, pile = s.place[j], s.gang[g].deck
        assert place.owner == g and place.loot == 0
        self.trophies[g][int(place.kind)] += 1
        gone = cards_in(place.cards, place.card)
        wanted = cards_in(pile.discarded, pile.discards)
        if self.ruling["taken_followers"] == "own_discard":
            wanted += gone
        yield
        assert cards_in(pile.discarded, pile.discards) == wanted
        self.check(s)

    def on_remove_place(self, s: Any, j: int) -> Iterator[None]:
        """Nobody stands on what leaves."""
        assert s.place[j].open == 1 and s.place[j].cards == 0 and s.place[j].slaves == 0
        yield

    def on_refresh_hand(self, s: Any, t: Any, stream: Any, journal: Any, g: int) -> Iterator[None]:
        """Up to the size of a hand, as far as there are cards; more stay, or (ruling) go (G13-09, G4-04, G4-05)."""
        gang, before = s.gang[g], int(s.gang[g].hand)
        yield
        self.check(s)
        full, stock = int(t.rules.hand), int(gang.deck.left + gang.deck.discarded)
        assert gang.hand >= full or stock == 0
        assert gang.hand <= max(before, full)
        assert self.ruling["full_hand"] == "kept" or gang.hand <= full

    # ---------------------------------------------------------------- ambushes

    def on_decide(self, s: Any, *rest: Any) -> Iterator[None]:
        """Options are different ones, and one of them is taken."""
        laid = s.option[: s.options].tolist()
        assert laid and len(set(laid)) == len(laid)
        yield
        assert self.answer in laid

    def on_set_ambushes(self, s: Any, t: Any, stream: Any, journal: Any, g: int) -> Iterator[None]:
        """Who has been summoned this hour stays at home where the ruling says so (G4-06)."""
        self.gathering = True
        yield
        self.gathering = False
        self.check(s)
        if self.ruling["summoned_may_join"] == "no":
            assert self.summoned <= cards_in(s.gang[g].lair, s.gang[g].card)

    def on_call_off(self, s: Any, *rest: Any) -> Iterator[None]:
        """Everyone is free again."""
        yield
        assert all(set(gang.sent[: gang.lair].tolist()) <= {0, STAYS} for gang in s.gang[: s.players])

    def on_march(self, s: Any, t: Any, stream: Any, journal: Any, g: int, j: int) -> Iterator[None]:
        """A squad is strong enough, has a raider, and fanatics where they may go; it comes to hold the territory
        (G14-01 to G14-06)."""
        gang, place = s.gang[g], s.place[j]
        own, rival = place.owner == g, place.owner not in (g, NONE)
        squad = [card for i, card in enumerate(gang.card[: gang.lair].tolist()) if gang.sent[i] == 1]
        assert all(gang.hurt[i] == 0 for i in range(gang.lair) if gang.sent[i] in (1, 2))
        slaves, fanatics = int(s.squad_slaves), int(s.squad_fanatics)
        assert squad or slaves or fanatics
        assert slaves + s.given_slaves <= gang.slaves and fanatics + s.given_fanatics <= gang.fanatics
        strength = self.strength(s, squad, int((gang.sent[: gang.lair] == 2).sum()))
        assert strength == s.strength
        assert own or any(t.card[card].coloured for card in squad)
        assert not rival or strength > place.guard
        assert rival or fanatics == 0 or self.ruling["fanatics_anywhere"] == "yes"
        self.movers = Counter(card for card in squad if t.card[card].ambushes)
        self.last, self.squad = 0, Counter(squad)
        self.stood = (cards_in(place.cards, place.card), int(place.slaves)) if own else (Counter(), 0)
        self.seized = squad or slaves or own
        yield
        self.marching = False
        assert s.squad_fanatics == 0
        self.check(s)

    def strength(self, s: Any, squad: list[int], wounds: int) -> int:
        """Of a squad: 1 each and might, slaves and fanatics; for each wound the number of one frenzied follower, each
        as often as it may (G14-01, G14-02, G16-03, G16-22)."""
        rules, rows = self.t.rules, [self.t.card[card] for card in squad]
        slave = max(int(rules.slave_attack), int(s.herding))
        fury = sorted((int(row.frenzy) for row in rows for _ in range(row.times) if row.frenzy), reverse=True)
        wounds += int(s.given_slaves + s.given_fanatics)
        assert wounds <= len(fury)
        fodder = slave * int(s.squad_slaves) + int(rules.fanatic_attack * s.squad_fanatics)
        return sum(1 + int(row.might) for row in rows) + fodder + sum(fury[:wounds])

    def on_pay_for_frenzy(self, s: Any, t: Any, journal: Any, g: int) -> Iterator[None]:
        """Those who are given up are wounded in the lair."""
        gang = s.gang[g]
        given, ready = int((gang.sent[: gang.lair] == 2).sum()), int(gang.ready)
        yield
        assert gang.ready == ready - given

    def on_rout(self, s: Any, t: Any, journal: Any, j: int) -> Iterator[None]:
        """All defenders come home wounded, slaves leave (G14-07)."""
        place, owner = s.place[j], int(s.place[j].owner)
        gang = s.gang[max(owner, 0)]
        hurt = self.wounded(gang) + cards_in(place.cards, place.card)
        yield
        assert place.owner == NONE and place.cards == 0 and place.slaves == 0 and place.guard == 0
        assert owner == NONE or self.wounded(gang) == hurt

    @staticmethod
    def wounded(gang: Any) -> Counter[int]:
        """The wounded of a lair."""
        return Counter(gang.card[: gang.lair][gang.hurt[: gang.lair] == 1].tolist())

    def on_remove_one(self, s: Any, t: Any, stream: Any, journal: Any, g: int, effect: Any, j: int) -> Iterator[None]:
        """One follower goes, a grey one while there is any (G14-06, G4-27)."""
        place = s.place[j]
        assert place.owner not in (g, NONE)
        standing, coloured = int(place.cards + place.slaves), int(place.coloured)
        grey = standing > coloured
        assert grey or self.ruling["forced_removal"] == "grey_first"
        yield
        assert place.cards + place.slaves == standing - 1
        assert place.coloured == coloured - (not grey)
        self.check(s)

    def on_move_fodder(self, s: Any, *rest: Any) -> Iterator[None]:
        """From here on the fanatics of the squad are in no lair."""
        yield
        self.marching = True

    def on_lose_fanatics(self, s: Any, *rest: Any) -> Iterator[None]:
        """No fanatic stays (G14-03)."""
        yield
        assert s.squad_fanatics == 0
        self.check(s)

    def on_use_ambushes(self, s: Any, t: Any, stream: Any, journal: Any, g: int, j: int) -> Iterator[None]:
        """The squad stands on its territory, with all its slaves (G14-02)."""
        place = s.place[j]
        assert not self.seized or place.owner == g
        assert cards_in(place.cards, place.card) == self.squad + self.stood[0]
        assert place.slaves == s.squad_slaves + self.stood[1]
        self.check(s)
        yield
        self.check(s)
