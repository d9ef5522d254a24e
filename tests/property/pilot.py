"""A pilot who looks on while the rules of Beyond the Horizon are played uncompiled.

He keeps the printed rules in a slow form of his own: books of Water, ships, gear and cards that must balance between
any two steps, what never falls and never comes back, and what each step may change.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from simcore.voyage import cards
from simcore.voyage.state import NONE, PIECES, SEVERE
from simcore.voyage.tables import AQUATIC_AT, AQUATIC_GEAR, DRYNESS, FACE, INJURIES, NORMAL_GEAR, RULINGS, STARTING_AT
from tests.property.voyage import GAME, Table
from tests.property.watching import Rules, Watcher

PARTS = (
    "set_up", "take_turn", "return_ships", "perform", "finish", "sail", "resolve_face", "draw_challenge", "draw_token",
    "resolve", "fight", "breach", "sink", "strand", "eliminate", "leave_stranded", "arrive", "act", "charter", "pay",
    "move", "camp", "explore", "visit_city", "spend_water", "gain_water", "injure", "wound", "decide", "write_outcome",
)  # fmt: skip
"""Kernels that tell the pilot before and after."""

RULES = Rules(GAME, PARTS)
"""The uncompiled rules by module: RULES["play"]["play_range"]."""

CAMP, EXPLORE, CITY, DEED, MOVE, CRUISE = ACTIONS = 1, 2, 3, 4, 16, 64
SHIP_STEP = 16
"""Options of a turn (bots.py)."""

RESILIENCE = cards.TERMS.index("resilience")
DIALS = ("hurt", "radiation", "contamination", "injuries", "fuel", "ammo", "meds", "water", "damage", "experience",
         "cargo")  # fmt: skip
HELD = ("pieces", "piece", "worn", "injury", "upgrade", "visited", "acted", "thirst", "dryness", *DIALS)
STILL = ("port", "moves", "cruises", "arrivals", "deeds", "tests", "fights", "tokens", "spent", *HELD)
"""What an eliminated knight keeps as it is."""


def bits(number: int) -> list[int]:
    """The places of the bits of a set."""
    return [place for place in range(int(number).bit_length()) if int(number) >> place & 1]


def values(row: Any, names: tuple[str, ...]) -> list[Any]:
    """Fields of a record as plain values."""
    return [row[name].tolist() for name in names]


class Pilot(Watcher):
    """Watches one season."""

    def __init__(self, table: Table, t: Any) -> None:
        super().__init__(RULES)
        self.t, self.checks, self.rounds = t, 0, 0
        self.ruling = {name: RULINGS[name][int(t.ruling[name])] for name in RULINGS}
        self.ships, self.hulls = int(t.ships), t.ship["hull"].tolist()
        self.homes = t.port["home"].tolist()
        self.borne: dict[int, int] = {}
        self.cutters: dict[int, int] = {}
        self.out: dict[int, list[Any]] = {}
        self.shown = [NONE] * len(self.homes)
        self.gone: set[int] = set()
        self.looked: set[int] = set()
        self.deeds: set[tuple[int, int]] = set()
        self.faces: list[int] = []
        self.paid: list[int] = []
        self.rolling = False
        self.acting = SimpleNamespace(left=0, kinds=[], over=True)

    # ---------------------------------------------------------------- what always holds

    def check(self, s: Any) -> None:
        """All that must hold between two steps."""
        self.checks += 1
        assert s.overflow == 0 and s.step < 1 << 20
        knights = s.knight[: int(s.players)]
        self.check_water(s, knights)
        self.check_ships(s, knights)
        assert all(min(knights[name].tolist()) >= 0 for name in DIALS)
        assert max(knights["pieces"].tolist()) <= PIECES and max(knights["thirst"].tolist()) <= SEVERE
        for k, (out, damage, vehicle) in enumerate(zip(*values(knights, ("out", "damage", "vehicle")), strict=True)):
            assert damage <= self.t.vehicle[vehicle].chassis
            assert out == 1 or k not in self.out, "nobody comes back"
            assert k not in self.out or self.out[k] == values(knights[k], STILL), "nobody eliminated does anything"

    def check_water(self, s: Any, knights: Any) -> None:
        """Water is in the pool or with a knight, and never more than there are markers (V1K-17, V5-43)."""
        held, rules = sum(knights["water"].tolist()), self.t.rules
        assert s.pool >= 0 and s.pool + held == rules.markers
        if self.t.table.water == 0:
            assert held == 0 and not knights["thirst"].any() and not knights["missing"].any()

    def check_ships(self, s: Any, knights: Any) -> None:
        """Every ship card is on the Quay, under the Cutters, chartered by one knight, or out of the game for good;
        Breach never falls, and what reaches the Hull is sunk (V1L-07, V1L-18, V1L-19, V1L-22)."""
        there = [ship for ship in s.quay[: int(s.slots)].tolist() if ship != NONE]
        under = s.pile[: int(s.stack)].tolist()
        borne = {ship: int(s.breach[ship]) for ship in there}
        aboard = []
        for ship, back, breach, hull in zip(*values(knights, ("ship", "back", "breach", "hull")), strict=True):
            assert ship == NONE or (hull == self.hulls[ship] and 0 <= breach < hull)
            if ship == self.ships:
                aboard.append(back)
                assert breach >= self.cutters.get(back, 0)
                self.cutters[back] = breach
            elif ship != NONE:
                aboard.append(ship)
                borne[ship] = breach
        every = there + under + aboard
        assert len(every) == len(set(every)), "a ship is in two places"
        gone = set(range(self.ships)) - set(every)
        assert self.gone <= gone and set(bits(s.lost)) <= gone, "what is lost comes back"
        self.gone = gone
        assert len(gone - set(bits(s.lost))) == (s.sunk[self.ships] if self.ruling["sunk_cutter"] == "leaves" else 0)
        assert all(breach >= self.borne.get(ship, 0) for ship, breach in borne.items()), "Breach falls"
        self.borne |= borne
        for ship in range(self.ships):
            assert s.suffered[ship] == (self.hulls[ship] if int(s.lost) >> ship & 1 else borne.get(ship, 0))
        assert knights["suffered"].sum() == s.suffered.sum() and knights["sunk"].sum() == s.sunk.sum()

    def check_cards(self, s: Any) -> None:
        """Gear, Injuries and Dehydration cards are in their deck, discarded, or with one knight."""
        knights = s.knight[: int(s.players)]
        held = [card for knight in knights for card in knight.piece[: int(knight.pieces)].tolist()]
        own = {
            NORMAL_GEAR: [card for card in held if card < AQUATIC_AT],
            AQUATIC_GEAR: [card - AQUATIC_AT for card in held if AQUATIC_AT <= card < STARTING_AT],
            INJURIES: [place for knight in knights for place in bits(knight.injury)],
            DRYNESS: [dry for dry in knights["dryness"].tolist() if dry != NONE],
        }
        for deck, cards_held in own.items():
            places = [*cards_held, *bits(s.deck[deck].left), *bits(s.deck[deck].thrown)]
            assert sorted(places) == bits(self.t.whole[deck]), f"deck {deck}"
        for k, knight in enumerate(knights):
            assert (knight.thirst == 0) == (knight.dryness == NONE)
            assert knight.injuries >= len(bits(knight.injury)) and knight.worn < 1 << knight.pieces
            assert knight.radiation < self.t.land.radiation and knight.contamination < self.t.land.contamination
            hurts, most = knight.injuries + int(knight.thirst > 0), self.t.knight[knight.role].term[RESILIENCE]
            assert knight.out == 1 or hurts < max(1, most) or self.has_terms(s, k, "resilience"), "too many Injuries"

    def check_room(self, s: Any, k: int) -> None:
        """What isn't equipped, and Water, fit into the vehicle (V1M-06)."""
        knight, pieces = s.knight[k], int(s.knight[k].pieces)
        if not self.has_terms(s, k, "flask"):
            stored, water = pieces - len(bits(knight.worn)), int(knight.water)
            taken = stored + -(-water // int(self.t.rules.per_capacity))
            assert taken <= self.t.vehicle[knight.vehicle].capacity or (stored == 0 and water == 0), "no room"

    def on_other(self, s: Any, *rest: Any) -> Iterator[None]:
        """Everything balances."""
        yield
        self.check(s)

    # ---------------------------------------------------------------- the season

    def on_set_up(self, s: Any, t: Any, *rest: Any) -> Iterator[None]:
        """As many ships as knights, each at home with what he begins with, and a bag of its mode (V1L-07, V1M-05,
        V1M-21)."""
        yield
        self.check(s)
        self.check_cards(s)
        assert s.slots == s.players and s.slots + s.stack == self.ships
        sizes = {0: t.rules.bag, 1: t.rules.bag + t.rules.swap, 2: t.rules.bag, 3: t.rules.bag + t.rules.swap}
        assert len(bits(s.bag)) == sizes.get(int(t.table.difficulty), t.rules.bag)
        heavy = sum(int(t.vehicle[knight.vehicle].type == 2) for knight in s.knight[: int(s.players)])
        there = sum(int(t.ship[ship].type == 2) for ship in s.quay[: int(s.slots)])
        if heavy > 0 and self.ruling["heavy_ships"] == "equal" and not (t.ship["type"][: self.ships] == 2).all():
            assert there == heavy or not any(t.ship[ship].type == 2 for ship in s.pile[: int(s.stack)]) or there > heavy
        assert all(self.homes[knight.port] for knight in s.knight[: int(s.players)])

    def on_take_turn(self, s: Any, t: Any, stream: Any, journal: Any, k: int) -> Iterator[None]:
        """Knights in the game take turns in their order, two actions each (V1L-01); the Stranded do nothing but leave
        (V1L-20, V5-28)."""
        knight = s.knight[k]
        assert knight.out == 0 and s.turn == k
        stranded, at, begun = knight.stranded, len(self.steps), knight.cruises.item()
        self.acting = SimpleNamespace(left=int(t.rules.actions), kinds=[], over=False)
        yield
        self.acting.over = True
        done = self.steps[at:]
        assert knight.cruises - begun <= 1
        if stranded:
            assert "perform" not in done and (knight.out == 1 or knight.stranded == 0 or "strand" in done)
        self.check(s)
        self.check_cards(s)
        self.check_room(s, k)
        for other in range(s.players):
            if s.knight[other].out == 1 and other not in self.out:
                self.out[other] = values(s.knight[other], STILL)

    def on_perform(self, s: Any, t: Any, stream: Any, journal: Any, k: int, option: int) -> Iterator[None]:
        """Each kind of action once, only what is allowed where the knight is, and nothing after a cruise."""
        knight, act = s.knight[k], self.acting
        assert not act.over and knight.out + knight.down + knight.stranded == 0
        port, kind = int(knight.port), max(start for start in ACTIONS if start <= option)
        if DEED <= option < MOVE:
            c = option - DEED
            assert knight.cruised == 0 and self.homes[port] == 0 and s.shown[port] != NONE
            assert (k, port) not in self.deeds and int(s.marks[port]) >> c & 1 == 0
            self.deeds.add((k, port))
        else:
            assert act.left > 0 and kind not in act.kinds
            act.left -= 1
            act.kinds.append(kind)
        if option == CITY:
            assert t.port[port].city == 1
        if MOVE <= option < CRUISE:
            assert self.homes[port] and self.homes[option - MOVE] and t.way[port, option - MOVE] >= 0, "V1M-02"
            assert knight.damage < t.vehicle[knight.vehicle].chassis
        if option >= CRUISE:
            act.over = True
            self.check_charter(s, t, k, (option - CRUISE) // SHIP_STEP, (option - CRUISE) % SHIP_STEP)
        yield
        self.check(s)

    def check_charter(self, s: Any, t: Any, k: int, port: int, ship: int) -> None:
        """One white route from the port, and a ship that lies there and carries the vehicle, or the top Cutter where no
        ship does (V1L-02, V1L-09, V1L-10, V5-10)."""
        knight, there = s.knight[k], [one for one in s.quay[: int(s.slots)].tolist() if one != NONE]
        assert any(set(route.ends.tolist()) == {int(knight.port), port} for route in t.route[: int(t.routes)])
        weight = int(t.vehicle[knight.vehicle].type)
        if ship == self.ships:
            fits = [one for one in there if t.ship[one].type >= weight]
            assert s.stack > 0 and (t.ship[ship].type >= weight or not fits)
        else:
            assert ship in there and t.ship[ship].type >= weight

    def on_return_ships(self, s: Any, t: Any, *rest: Any) -> Iterator[None]:
        """At the end of a round all are back but those of the Stranded; of the Cutters that come, the last alone keeps
        its Breach (V1L-18)."""
        self.rounds += 1
        assert self.rounds == s.rounds <= t.table.rounds
        back = [k for k in range(s.players) if s.knight[k].stranded == 0 or s.knight[k].out == 1]
        cutters = [int(s.knight[k].back) for k in back if s.knight[k].ship == self.ships]
        last = [int(s.knight[k].breach) for k in back if s.knight[k].ship == self.ships][-1:]
        yield
        for k in back:
            assert s.knight[k].ship == NONE and s.knight[k].cruised == 0
        if cutters and self.ruling["lost_ships"] == "not_refilled":
            assert s.pile[: int(s.stack)].tolist()[-len(cutters) :] == cutters
            assert s.cutter[: int(s.stack)].tolist()[-len(cutters) :] == [0] * (len(cutters) - 1) + last
        self.cutters = {int(s.pile[i]): int(s.cutter[i]) for i in range(s.stack)}
        self.check(s)
        assert s.shown[: len(self.shown)].tolist() == [
            old if old != NONE else new for old, new in zip(self.shown, s.shown.tolist(), strict=True)
        ]
        self.shown = s.shown.tolist()

    # ---------------------------------------------------------------- at sea

    def on_sail(self, s: Any, t: Any, stream: Any, journal: Any, k: int, r: int) -> Iterator[None]:
        """As many dice as the route shows unless the ship goes down; Water by route, dice and Speed; and a card for
        those who get so far (V4-52 to V4-54)."""
        knight, route, at = s.knight[k], t.route[r], len(self.steps)
        ship, self.faces, self.paid, self.rolling = int(knight.ship), [], [], True
        yield
        self.rolling = False
        done = self.steps[at:]
        drawn = [step for step in done if step == "draw_challenge"]
        assert len(drawn) <= 1
        sunk_early = "sink" in done[: done.index("draw_challenge")] if drawn else "sink" in done
        assert not (drawn and sunk_early) or self.ruling["sunk_by_dice"] == "card_first"
        if not drawn and knight.out == 0:
            assert s.ended == 1
        if drawn and not sunk_early:
            assert len(self.faces) == route.dice
            speed = int(t.ship[ship].speed)
            if not self.has_terms(s, k, "speed", "thirsty", ship=ship):
                self.check_thirst(int(route.water), self.faces.count(FACE["water"]), speed)
        self.check(s)

    def has_terms(self, s: Any, k: int, *names: str, ship: int = NONE) -> bool:
        """Whether something that a knight has changes such terms, the sheet of his own aside."""
        t, knight, at = self.t, s.knight[k], [list(cards.TERMS).index(name) for name in names]
        rows = [t.vehicle[knight.vehicle], *(t.gear[t.piece[card]] for card in knight.piece[: int(knight.pieces)])]
        rows += [t.injury[place] for place in bits(knight.injury)] + [t.upgrade[u] for u in bits(knight.upgrade)]
        rows += [t.ship[ship]] if ship != NONE else []
        return any(row.term[at].any() for row in rows)

    def check_thirst(self, icons: int, rolled: int, speed: int) -> None:
        """What was asked for before the card: all at once, or (rulings) apart."""
        if self.ruling["water_payment"] == "before_dice":
            wanted = [max(0, icons + speed), rolled]
        elif self.ruling["speed"] == "route_alone":
            wanted = [max(0, icons + speed) + rolled]
        else:
            wanted = [max(0, icons + rolled + speed)]
        if self.ruling["die_tokens"] == "with_card":
            assert self.paid == wanted

    def on_resolve_face(self, s: Any, t: Any, journal: Any, k: int, face: int) -> Iterator[None]:
        """A face of a sea die does one thing (V1L-06)."""
        self.faces.append(int(face))
        before = (int(s.held), int(s.due), int(s.hazards))
        suffered = int(s.knight[k].suffered)
        yield
        counts = int(self.ruling["die_hazard"] == "counts")
        grown = [now - old for now, old in zip((s.held, s.due, s.hazards), before, strict=True)]
        assert grown == [face == FACE["threat"], face == FACE["water"], counts * (face == FACE["hazard"])]
        harm = {FACE["breach"]: 1, FACE["double_breach"]: 2}.get(int(face), 0)
        assert 0 <= s.knight[k].suffered - suffered <= harm
        self.check(s)

    def on_draw_challenge(self, s: Any, t: Any, journal: Any, k: int, deck: int) -> Iterator[None]:
        """A card the more, and the Water of the cruise is paid."""
        self.rolling = False
        yield
        self.check(s)

    def on_draw_token(self, s: Any, k: int) -> Iterator[None]:
        """A token that is in the bag, and not drawn yet in this action (V1L-05)."""
        left = set(bits(s.bag)) - set(bits(s.tokens))
        yield
        assert self.answer in left if left else self.answer == NONE
        assert set(bits(s.bag)) - set(bits(s.tokens)) == left - {self.answer}

    def on_breach(self, s: Any, t: Any, journal: Any, k: int, many: int) -> Iterator[None]:
        """As much as it says, up to the Hull, which sinks the ship (V1L-19)."""
        knight = s.knight[k]
        ship, room, suffered = int(knight.ship), int(knight.hull - knight.breach), int(knight.suffered)
        sunk = int(knight.sunk)
        yield
        gone = min(max(0, int(many)), room) if ship != NONE else 0
        assert knight.suffered == suffered + gone
        assert knight.sunk == sunk + int(ship != NONE and gone == room)
        self.check(s)

    def on_sink(self, s: Any, t: Any, journal: Any, k: int) -> Iterator[None]:
        """The knight is Stranded and his vehicle Wrecked; out if unconscious (V1L-19, V1L-21)."""
        knight = s.knight[k]
        down, at_sea = int(knight.down), int(s.at_sea)
        yield
        assert knight.ship == NONE and knight.damage == t.vehicle[knight.vehicle].chassis
        assert knight.out == 1 or knight.stranded == 1
        if down == 1 and at_sea == 1 and self.ruling["elimination"] == "when_sunk":
            assert knight.out == 1
        self.check(s)

    def on_arrive(self, s: Any, t: Any, journal: Any, k: int, p: int) -> Iterator[None]:
        """A Cruise Token; at an unseen destination the first conscious knight, and he alone, has the First Look
        (V1L-16, V1L-17)."""
        knight, looks, seen = s.knight[k], int(s.knight[k].looks), s.shown[p] != NONE
        yield
        assert knight.port == p and knight.cruised == 1 and knight.stranded == 0 and knight.out == 0
        first = self.homes[p] == 0 and not seen and knight.down == 0
        assert knight.looks == looks + int(first) and (not first or p not in self.looked)
        assert first == (s.shown[p] != NONE and not seen)
        self.looked |= {p} if first else set()
        self.check(s)

    # ---------------------------------------------------------------- Water

    def on_spend_water(self, s: Any, t: Any, stream: Any, journal: Any, k: int, many: int) -> Iterator[None]:
        """What is there is paid, the rest is missing: card, severe side, Contamination (V1M-12, V5-45, V5-46)."""
        knight, idle = s.knight[k], t.table.water == 0 or many <= 0 or s.knight[k].out == 1
        water, missing, spent, thirst = values(knight, ("water", "missing", "spent", "thirst"))
        before = int(knight.contaminated)
        if self.rolling:
            self.paid.append(max(0, int(many)))
        yield
        lacks = 0 if idle else max(0, int(many) - water)
        assert knight.missing == missing + lacks
        assert knight.spent == spent + (0 if idle else min(int(many), water))
        if self.ruling["dehydration_sides"] == "rules" and knight.out == 0:
            assert knight.thirst == min(SEVERE, thirst + lacks)
            assert knight.contaminated - before >= max(0, lacks - (SEVERE - thirst))
        self.check(s)

    def on_gain_water(self, s: Any, t: Any, stream: Any, journal: Any, k: int, many: int, free: int) -> Iterator[None]:
        """No more than there is, and the dehydrated drink at once (V1M-13, V5-43, V5-52)."""
        knight = s.knight[k]
        water, thirst, pool = int(knight.water), int(knight.thirst), int(s.pool)
        yield
        got = int(self.answer)
        assert 0 <= got <= max(0, int(many)) and knight.water - water == got - (thirst - knight.thirst)
        assert got <= pool + (thirst if free else 0) or thirst > 0
        if self.ruling["cure"] == "on_gain":
            assert knight.water == water or knight.thirst == 0
        self.check(s)

    def on_decide(self, s: Any, t: Any, stream: Any, k: int) -> Iterator[None]:
        """Nobody decides who is out of the game, and nobody between no options."""
        assert s.knight[k].out == 0 and 0 < s.options <= len(s.option)
        assert len(set(s.option[: int(s.options)].tolist())) == s.options, "an option is laid out twice"
        yield

    # ---------------------------------------------------------------- the end

    def on_write_outcome(self, s: Any, t: Any, out: Any) -> Iterator[None]:
        """Points are destinations, First Looks, cargo and the way home; of the eliminated a part is kept."""
        assert s.rounds == self.rounds
        yield
        season = t.season
        for k in range(s.players):
            knight, seat = s.knight[k], out.seat[s.knight[k].seat]
            home = knight.out == 0 and knight.stranded == 0 and self.homes[knight.port] == 1
            seen = {p for p in bits(knight.visited) if not self.homes[p]}
            assert seen == set(bits(knight.visited))
            points = season.visit * len(seen) + season.look * knight.looks + knight.cargo + season.home * home
            assert seat.score == (points * season.kept // 100 if knight.out else points)
        assert sum(int(knight.looks) for knight in s.knight[: int(s.players)]) == len(self.looked) == out.shown
