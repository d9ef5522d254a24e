"""An umpire who looks on while the rules of The Waste of Parts are played uncompiled.

He knows the printed rules in a slow form of his own, and compares: the sum of cards, dials, who may act and what he may
do, what each enemy picks, what each step of a round changes and nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from simcore.mech import cards, crew
from simcore.mech.cards import ROOMS, WASTES
from simcore.mech.enemies import BITE, BREAK, MOVE, SHELL, STAY
from simcore.mech.state import BOSS, CLEARED, FUNCTIONAL, HELD, INOPERABLE, JOURNEY, NONE, ON_FIRE, PREPARING
from simcore.mech.tables import FUNCTION, KIND, ROLE, WHAT, WHEN
from tests.property.crews import GAME, Table
from tests.property.watching import Rules, Watcher

PARTS = (
    "take_turn", "lay_out_turn", "lay_out_exchanges", "perform", "exchange", "search", "set_up", "begin_round",
    "refresh", "room_effects", "determine", "resolve", "boss_acts", "surface", "fire_damage", "advance", "salvage",
    "use_scrap", "spawn", "escalate", "hold_event", "spawn_tentacles", "pass_marker", "next_phase", "bite", "shell",
    "walk", "attack_on", "worsen", "mend_room", "draw_enemy", "draw_salvage", "wound", "play_round",
)  # fmt: skip
"""Kernels that tell the umpire before and after."""

STEPS = ("refresh", "room_effects", "determine", "resolve", "boss_acts", "surface", "fire_damage", "advance", "salvage",
         "use_scrap", "spawn", "escalate", "hold_event", "spawn_tentacles", "pass_marker")  # fmt: skip
"""The end of a round in its printed order (M12-02 to M12-12, M110-07, M110-12)."""


RULES = Rules(GAME, PARTS)
"""The uncompiled rules by module: RULES["play"]["take_turn"]."""


def _has(text: Any, when: str) -> list[Any]:
    return [row for row in text.effect[: text.effects] if row.when == WHEN[when]]


class Umpire(Watcher):
    """Watches one game."""

    def __init__(self, table: Table, t: Any) -> None:
        super().__init__(RULES)
        self.table, self.t = table, t
        pack = table.pack()
        self.beside = cards.beside(dict(pack.cards["room"]))
        self.far = {room: self.walk_from(room) for room in self.beside}
        self.decks = {room for room in self.beside if t.room[room].function == FUNCTION["deck"]}
        self.acted: Counter[int] = Counter()
        self.salvage_cards = int(t.card["copies"][: t.cards].sum())
        self.checks, self.phase = 0, JOURNEY

    def walk_from(self, start: int) -> dict[int, int]:
        """Steps from a room to each other."""
        far, edge = {start: 0}, [start]
        for room in edge:
            for door in sorted(self.beside[room] - far.keys()):
                far[door] = far[room] + 1
                edge.append(door)
        return far

    # ---------------------------------------------------------------- what always holds

    def on_other(self, s: Any, *rest: Any) -> Iterator[None]:
        """Between steps everything adds up."""
        yield
        self.check(s)

    def check(self, s: Any) -> None:
        """All that must hold on the board between two steps."""
        self.checks += 1
        if s.over == 1:
            return
        self.check_board(s)
        self.check_dials(s)
        self.check_salvage(s)
        self.check_enemy_cards(s)
        self.check_terms(s)

    def check_board(self, s: Any) -> None:
        """Who is counted in a room stands there; nobody dead is left; rooms have one of three conditions."""
        enemies, members = s.enemy[: s.enemies], s.crew[s.crew["here"] == 1]
        assert s.overflow == 0 or self.table.wide
        assert (enemies["health"] > 0).all()
        assert (np.bincount(enemies["room"], minlength=WASTES + 1) == s.room["enemies"]).all()
        standing = members[members["downed"] == 0]
        assert (np.bincount(standing["room"], minlength=WASTES + 1) == s.room["crew"]).all()
        assert s.downed == (members["downed"] == 1).sum()
        names = [(int(enemy.card), int(enemy.standee)) for enemy in enemies]
        assert len(set(names)) == len(names)
        assert all(standee < self.t.enemy[card].standees for card, standee in names)
        condition = s.room["condition"][1:WASTES]
        assert ((condition >= FUNCTIONAL) & (condition <= ON_FIRE)).all()
        assert all(s.room[room].condition == FUNCTIONAL for room in (*self.decks, WASTES))
        burning = s.room[1:WASTES][condition == ON_FIRE]
        assert (burning["upgrade"] == NONE).all() and (burning["items"] == 0).all()

    def check_dials(self, s: Any) -> None:
        """Dials stay on their scales; the Noise is what the crew, upgrades and enemies make (M17-01)."""
        t, members = self.t, s.crew[s.crew["here"] == 1]
        assert s.hull >= 0 and (s.hull <= t.mech.hull or t.ruling.hull_cap == 1)
        assert ((members["health"] >= 0) & (members["health"] <= members["top"])).all()
        assert ((members["health"] == 0) == (members["downed"] == 1)).all()
        for name in ("actions", "steps", "reloads", "repairs", "items"):
            assert (members[name] >= 0).all(), name
        assert (members["items"] <= HELD).all() and s.scraps >= 0
        assert s.distance >= 0 and 0 <= s.level <= 3 and 0 <= s.milestones <= 2
        if t.ruling.noise_leaves_with_card == 0:
            upgrades = [int(card) for card in s.room["upgrade"] if card != NONE]
            noise = t.mech.noise + t.table.extra_noise + sum(int(t.member[role].noise) for role in members["role"])
            noise += sum(int(t.card[card].noise) for card in upgrades)
            assert s.noise == noise + sum(int(t.enemy[card].noise) for card in s.enemy["card"][: s.enemies])

    def salvage_seen(self, s: Any) -> list[int]:
        """Every salvage card that is not in the box."""
        seen = [*s.salvage.deck[: s.salvage.left], *s.scrap[: s.scraps]]
        for member in s.crew[s.crew["here"] == 1]:
            seen += [*member.held[: member["items"]]]
        for room in s.room[1:WASTES]:
            seen += [*room.floor[: room["items"]]]
            seen += [room.upgrade] if room.upgrade != NONE else []
        return [int(card) for card in seen]

    def check_salvage(self, s: Any, on_the_way: int = 0) -> None:
        """No salvage card is lost or made: deck, Scrap Pile, hands, floors, rooms, box."""
        seen = self.salvage_seen(s)
        assert len(seen) + s.boxed + on_the_way == self.salvage_cards
        assert all(many <= self.t.card[card].copies for card, many in Counter(seen).items())

    def check_enemy_cards(self, s: Any) -> None:
        """No enemy card is lost or made: deck, board and discards hold each card of the levels that are in."""
        if s.phase == BOSS:
            return
        deck = s.deck
        seen = Counter(int(card) for card in (*deck.deck[: deck.left], *deck.discards[: deck.discarded]))
        seen += Counter(int(card) for card in s.enemy["card"][: s.enemies])
        for card, row in enumerate(self.t.enemy[: self.t.enemies]):
            assert seen[card] == (row.copies if row.role == 0 and row.level <= s.level else 0), card

    def check_terms(self, s: Any) -> None:
        """What lasts is the sum of what is in force: a room's upgrade while the room works (M5-09), a crew member's
        ability and cards with one armor (M17-11), the event."""
        t = self.t
        for number in range(1, ROOMS + 1):
            room, texts = s.room[number], []
            asleep = room.fresh == 1 and number == t.mech.crane
            if room.upgrade != NONE and room.condition == FUNCTIONAL and s.hidden == 0 and not asleep:
                texts = [t.card[room.upgrade].text]
            assert self.sums(texts) == self.given(room.term), f"terms of room {number}"
        for member in s.crew[s.crew["here"] == 1]:
            held = [t.card[card] for card in member.held[: member["items"]]]
            armor = sorted((card for card in held if card.kind == KIND["armor"]), key=lambda card: -card.worth)[:1]
            others = [card for card in held if card.kind != KIND["armor"]]
            texts = [t.ability[member.ability].text, *(card.text for card in others + armor)]
            assert self.sums(texts) == self.given(member.term), "terms of a crew member"
        assert self.sums([t.event[s.event].text] if s.event != NONE else []) == self.given(s.term)

    @staticmethod
    def sums(texts: list[Any]) -> dict[int, int]:
        """What lasts of some cards, by term."""
        found: Counter[int] = Counter()
        for text in texts:
            for row in _has(text, "standing"):
                found[int(row.what)] += int(row.many)
        return {what: many for what, many in found.items() if many}

    @staticmethod
    def given(term: Any) -> dict[int, int]:
        """The terms of a record that are not 0."""
        return {int(what): int(term[what]) for what in np.flatnonzero(term)}

    # ---------------------------------------------------------------- turns

    def on_next_phase(self, s: Any, *rest: Any) -> Iterator[None]:
        """Phases follow each other; what sets up a boss is no step of the round."""
        self.phase = int(s.phase)
        yield
        self.check(s)
        assert self.phase <= s.phase <= self.phase + 1 and s.phase != CLEARED
        self.phase, self.steps = int(s.phase), []

    def on_play_round(self, s: Any, *rest: Any) -> Iterator[None]:
        """The steps come in their printed order, each at most once."""
        self.acted = Counter()
        distance, first = int(s.distance), int(s.first)
        yield
        phase = self.phase
        ends = [step for step in self.steps if step in STEPS]
        assert ends == sorted(set(ends), key=STEPS.index), ends
        if s.over == 0:
            self.check(s)
            wanted = {"refresh", "room_effects", "fire_damage", "salvage", "use_scrap", "pass_marker"}
            wanted |= {"advance", "spawn", "escalate"} if phase == JOURNEY else set()
            wanted |= set() if self.t.table.idle_enemies else {"determine", "resolve"}
            assert wanted <= set(ends)
            assert (s.fuelled == 0).all()
            seats = [c for c in range(len(s.crew)) if s.crew[c].here == 1]
            assert s.first == seats[(seats.index(first) + 1) % len(seats)]
        if phase != JOURNEY:
            assert s.distance == distance and not {"advance", "spawn", "escalate"} & set(ends)

    def on_take_turn(self, s: Any, t: Any, stream: Any, journal: Any, c: int) -> Iterator[None]:
        """Nobody Downed or just revived acts (M14-11, M4-24), and nobody acts when the game is over."""
        assert s.over == 0 and s.crew[c].here == 1
        assert s.crew[c].downed == 0 and s.crew[c].revived == 0
        self.acted[c] += 1
        assert self.acted[c] == 1
        self.check(s)
        yield

    def on_lay_out_turn(self, s: Any, t: Any, c: int) -> Iterator[None]:
        """All that is legal is laid out, and nothing else, each once."""
        yield
        laid = [int(option) for option in s.option[: s.options]]
        assert len(set(laid)) == len(laid)
        wanted = set(self.legal(s, c))
        assert set(laid) == wanted, (self.name(set(laid) - wanted), self.name(wanted - set(laid)))

    @staticmethod
    def name(options: set[int]) -> list[tuple[int, int, int]]:
        """Options as (verb, how, whom)."""
        return [(crew.verb_of(option), crew.how_of(option), crew.whom_of(option)) for option in sorted(options)]

    def works(self, s: Any, room: int) -> bool:
        """Whether a room is Functional, and not dark."""
        return bool(s.room[room].condition == FUNCTIONAL and s.hidden == 0)

    def legal(self, s: Any, c: int) -> Iterator[int]:
        """Every option of a turn by the printed list of actions (M13-01 to M13-14)."""
        member, of = s.crew[c], crew.option_of
        here = int(member.room)
        yield of(crew.REST, 0, 0)
        if member.actions > 0 or member.steps > 0:
            yield from (of(crew.MOVE, 0, door) for door in self.beside[here])
        if member.actions > 0:
            yield from self.attacks(s, c)
            yield from self.on_the_spot(s, c)
            yield from self.with_mates(s, c)
        elif member.repairs > 0 and self.quiet(s, here) and s.room[here].condition == INOPERABLE:
            yield of(crew.REPAIR, 0, 0)
        yield from self.by_cards(s, c)

    def attacks(self, s: Any, c: int) -> Iterator[int]:
        """Attacks and gun shots (M13-02, M13-11, M13-12)."""
        t, member = self.t, s.crew[c]
        here = int(member.room)
        missing = member.top - member.health
        unarmed = member.attack + member.term[WHAT["unarmed"]] + s.term[WHAT["unarmed"]]
        unarmed += missing * member.term[WHAT["rage"]]
        near = self.beside[here] | ({WASTES} if here in self.decks else set())
        for enemy in s.enemy[: s.enemies]:
            whom = int(enemy.card) * 32 + int(enemy.standee)
            if enemy.room == here and unarmed > 0:
                yield crew.option_of(crew.ATTACK, 0, whom)
            for place in range(member["items"]):
                card = t.card[member.held[place]]
                dice = card.dice + member.term[WHAT["weapon"]] + s.term[WHAT["weapon"]]
                dice += s.room[here].term[WHAT["dice"]] if here not in t.mech.gun[: t.mech.guns] else 0
                reach = enemy.room == here or (card.reach == 1 and int(enemy.room) in near)
                if card.kind == KIND["weapon"] and not member.turned[place] and reach and dice > 0:
                    yield crew.option_of(crew.ATTACK, place + 1, whom)
            for gun in range(t.mech.guns):
                if enemy.room == WASTES and self.gun(s, c, int(t.mech.gun[gun])) > 0:
                    yield crew.option_of(crew.GUN, gun, whom)

    def printed(self, s: Any, room: int, many: int) -> int:
        """A number printed on a room, unless an upgrade lies over it and the ruling says that this counts (M5-25)."""
        covered = s.room[room].upgrade != NONE and s.room[room].fresh == 0
        return 0 if covered and self.t.ruling.upgrade_over_function == 1 else int(many)

    def gun(self, s: Any, c: int, room: int) -> int:
        """Dice of a gun: whole in its room, a share from the Cockpit, rounded up (M13-12)."""
        t, member = self.t, s.crew[c]
        dice, cockpit = self.printed(s, room, t.mech.gun_dice), int(t.mech.cockpit)
        dice += int(s.room[room].term[WHAT["dice"]])
        if not self.works(s, room) or member.room not in (room, cockpit):
            return 0
        if member.room == cockpit:
            if not self.works(s, cockpit):
                return 0
            percent = min(100, self.printed(s, cockpit, t.mech.remote) + 10 * int(s.room[cockpit].term[WHAT["remote"]]))
            dice = -(-dice * percent // 100)
        return dice + int(member.term[WHAT["gun"]]) + int(s.term[WHAT["gun"]])

    def quiet(self, s: Any, room: int) -> bool:
        """Whether no enemy is in a room, and it isn't dark."""
        return not (s.enemy["room"][: s.enemies] == room).any() and s.hidden == 0

    def on_the_spot(self, s: Any, c: int) -> Iterator[int]:
        """Repair, Extinguish, Fuel, Search (M13-03, M13-04, M13-06, M110-11)."""
        t, member, of = self.t, s.crew[c], crew.option_of
        here = int(member.room)
        condition, quiet = s.room[here].condition, self.quiet(s, here)
        if condition == INOPERABLE and quiet:
            yield of(crew.REPAIR, 0, 0)
        brave = member.term[WHAT["brave"]] > 0 and s.hidden == 0
        if condition == ON_FIRE and (quiet or brave):
            yield of(crew.EXTINGUISH, 0, 0)
            yield from () if quiet else (of(crew.EXTINGUISH, 0, door) for door in self.beside[here])
        price = 0 if t.table.free_fuel else max(0, int(t.mech.fuel_scrap + s.term[WHAT["fuel_cost"]]))
        for engine in range(2):
            ready = self.works(s, here) or t.ruling.fuel_broken_engine == 1
            if t.mech.engine[engine] == here and s.fuelled[engine] == 0 and ready and s.scraps >= price:
                yield of(crew.FUEL, engine, 0)
        if s.hidden == 1 and not s.searched >> here & 1 and s.searches < s.players + 5:
            yield of(crew.SEARCH, 0, 0)

    def with_mates(self, s: Any, c: int) -> Iterator[int]:
        """Mend, Revive, and any exchange of equipment (M13-05, M13-07 to M13-10)."""
        member, of = s.crew[c], crew.option_of
        price = max(1, int(self.t.mech.revive_actions + member.term[WHAT["revive_cost"]]))
        for other, mate in enumerate(s.crew):
            if mate.here == 1 and mate.room == member.room:
                itself = other != c or member.term[WHAT["self_mend"]] > 0
                if itself and mate.downed == 0 and mate.health < mate.top:
                    yield of(crew.MEND, 0, other)
                if mate.downed == 1 and member.actions >= price:
                    yield of(crew.REVIVE, 0, other)
        if any(True for _ in self.exchanges(s, c)):
            yield of(crew.SWAP, 0, 0)

    def room_for(self, member: Any) -> bool:
        """Whether a slot is free (M17-10)."""
        return bool(member["items"] < min(HELD, member.slots + member.term[WHAT["slots"]]))

    def exchanges(self, s: Any, c: int) -> Iterator[tuple[int, int, int, int]]:
        """(what, own place, with whom or len(crew) for the floor, their place) of each exchange."""
        member = s.crew[c]
        floor, mine = s.room[member.room]["items"], range(member["items"])
        ground = len(s.crew)
        for own in mine:
            yield crew.DROP, own, ground, 0
            yield from ((crew.TRADE_FLOOR, own, ground, place) for place in range(floor))
            if not self.room_for(member):
                yield from ((crew.PICK_UP_SCRAPPING, own, ground, place) for place in range(floor))
        if self.room_for(member):
            yield from ((crew.PICK_UP, 0, ground, place) for place in range(floor))
        for other, mate in enumerate(s.crew):
            if other != c and mate.here == 1 and mate.downed == 0 and mate.room == member.room:
                for own in mine:
                    if self.room_for(mate):
                        yield crew.GIVE, own, other, 0
                    yield from ((crew.TRADE, own, other, place) for place in range(mate["items"]))
                    full = [crew.GIVE_SCRAPPING, crew.GIVE_DROPPING] if not self.room_for(mate) else []
                    full += [crew.TAKE_SCRAPPING, crew.TAKE_DROPPING] if not self.room_for(member) else []
                    yield from ((what, own, other, place) for what in full for place in range(mate["items"]))
                if self.room_for(member):
                    yield from ((crew.TAKE, 0, other, place) for place in range(mate["items"]))

    def on_lay_out_exchanges(self, s: Any, t: Any, c: int) -> Iterator[None]:
        """All exchanges that are legal are laid out, and no two are one."""
        laid = int(s.options)
        yield
        options = [int(option) for option in s.option[laid : s.options]]
        assert len(options) == len(set(options)) == len(list(self.exchanges(s, c)))

    def by_cards(self, s: Any, c: int) -> Iterator[int]:
        """Reload, gear, the own ability, Press Your Luck (M13-13, M13-14, M18-07)."""
        t, member, of = self.t, s.crew[c], crew.option_of
        for place in range(member["items"]):
            card, turned = t.card[member.held[place]], member.turned[place] == 1
            if card.kind == KIND["weapon"] and turned and member.actions + member.reloads > 0:
                yield of(crew.RELOAD, place + 1, 0)
            if card.kind == KIND["gear"] and not turned and member.actions >= card.action and _has(card.text, "use"):
                yield of(crew.TOOL, place + 1, 0)
        ability = t.ability[member.ability]
        ready = not (ability.once and member.ability_used) and member.actions >= ability.action
        if ready and _has(ability.text, "use"):
            yield of(crew.SKILL, 0, 0)
        if member.term[WHAT["press"]] > 0 and s.step == 0:
            yield of(crew.PRESS, 0, 0)

    def on_perform(self, s: Any, t: Any, stream: Any, journal: Any, c: int, option: int) -> Iterator[None]:
        """An action costs what is printed, and rooms change by its steps alone."""
        verb, how, member = crew.verb_of(option), crew.how_of(option), s.crew[c]
        before, room = s.room["condition"].copy(), int(member.room)
        actions = int(member.actions)
        free = {crew.MOVE: member.steps > 0, crew.REPAIR: member.repairs > 0, crew.RELOAD: member.reloads > 0}
        cost = 0 if free.get(verb) else 1
        if verb == crew.REVIVE:
            cost = max(1, int(t.mech.revive_actions + member.term[WHAT["revive_cost"]]))
        texts = {crew.TOOL: t.card[member.held[how - 1]].text, crew.SKILL: t.ability[member.ability].text}
        restores = member.term[WHAT["restore"]] > 0
        yield
        self.check(s)
        changed = {int(place): (int(before[place]), int(s.room[place].condition))
                   for place in np.flatnonzero(s.room["condition"] != before)}  # fmt: skip
        if verb == crew.REPAIR:
            assert changed == {room: (INOPERABLE, FUNCTIONAL)}
        elif verb == crew.EXTINGUISH:
            assert changed == {room: (ON_FIRE, FUNCTIONAL if restores else INOPERABLE)}
        elif verb in texts:
            deeds = {int(row.what) for row in _has(texts[verb], "use")}
            better = {WHAT["douse"], WHAT["repair"]} & deeds
            assert all(place == room and better and new < old for place, (old, new) in changed.items())
        elif verb not in (crew.ATTACK, crew.GUN):
            assert not changed
        if verb not in (crew.TOOL, crew.SKILL, crew.ATTACK, crew.GUN):
            assert member.actions == actions - cost
        if verb == crew.MOVE:
            assert int(member.room) in self.beside[room]

    # ---------------------------------------------------------------- enemies

    def guarded(self, s: Any, room: int) -> bool:
        """Whether crew in a room draws attacks (M15-01, M4-07)."""
        there = s.crew[(s.crew["here"] == 1) & (s.crew["room"] == room)]
        return bool(len(there) if self.t.ruling.downed_in_room == 1 else (there["downed"] == 0).any())

    def deed(self, s: Any, room: int) -> tuple[int, set[int]]:
        """What an enemy in a room does, and the rooms where it may go (M15-01 to M15-05, M4-08, M4-09)."""
        if room == WASTES:
            return SHELL, {room}
        if self.guarded(s, room):
            return BITE, {room}
        if room not in self.decks and s.room[room].condition != ON_FIRE:
            return BREAK, {room}
        cockpit, one = int(self.t.mech.cockpit), self.t.ruling.path_ties == 0
        near = [door for door in self.beside[room] if self.guarded(s, door)]
        if near:
            least = min(self.far[door][cockpit] for door in near)
            best = {door for door in near if self.far[door][cockpit] == least}
            return MOVE, {min(best)} if one else best
        engines = [int(e) for e in self.t.mech.engine if s.room[e].condition != ON_FIRE]
        if not engines:
            return STAY, {room}
        goal = min(engines, key=lambda engine: (self.far[room][engine], engine))
        best = {door for door in self.beside[room] if self.far[door][goal] < self.far[room][goal]}
        return MOVE, {min(best)} if one else best

    def on_determine(self, s: Any, t: Any) -> Iterator[None]:
        """Each enemy picks the first priority that applies, all on one board; nothing else changes."""
        self.check(s)
        yield
        bosses = (ROLE["harrow"], ROLE["scourge"])
        for enemy in s.enemy[: s.enemies]:
            boss = t.enemy[enemy.card].role in bosses
            deed, goals = (STAY, {int(enemy.room)}) if boss else self.deed(s, int(enemy.room))
            assert enemy.deed == deed and int(enemy.goal) in goals, (deed, goals, enemy)

    def on_resolve(self, s: Any, t: Any, stream: Any, journal: Any) -> Iterator[None]:
        """Each enemy acts once, a swift one that has moved twice; rooms worsen by a step for each that struck them."""
        self.deeds: Counter[tuple[str, int]] = Counter()
        self.attacks_made: Counter[tuple[int, int]] = Counter()
        self.hits_on: Counter[int] = Counter()
        before, planned = s.room["condition"].copy(), [int(enemy.deed) for enemy in s.enemy[: s.enemies]]
        proof = s.room["term"][:, WHAT["proof"]].copy()
        yield
        self.check(s)
        for (_, e), many in self.deeds.items():
            assert many == 1 and e < len(planned)
        if s.over == 1:
            return
        for e, deed in enumerate(planned):
            does = [what for what, other in self.deeds if other == e]
            moved = deed == MOVE
            assert ("bite" in does) >= (deed == BITE) and ("shell" in does) == (deed == SHELL)
            assert ("walk" in does) == moved and (moved or len(does) <= 1)
        assert all(many == 1 for many in self.attacks_made.values())
        for room in range(1, ROOMS + 1):
            struck = max(0, self.hits_on[room] - max(0, int(proof[room])))
            if proof[room] <= 0:
                wanted = before[room] if room in self.decks else min(ON_FIRE, before[room] + struck)
                assert s.room[room].condition == wanted
            assert s.room[room].condition >= before[room]

    def acts(self, what: str, e: int) -> None:
        if hasattr(self, "deeds"):
            self.deeds[what, e] += 1

    def on_bite(self, s: Any, t: Any, stream: Any, journal: Any, e: int) -> Iterator[None]:
        """Counts attacks, by those who live."""
        assert s.enemy[e].health > 0
        self.acts("bite", e)
        yield

    def on_shell(self, s: Any, t: Any, stream: Any, journal: Any, e: int) -> Iterator[None]:
        """An attack on the Hull comes from The Wastes."""
        assert s.enemy[e].health > 0 and s.enemy[e].room == WASTES
        self.acts("shell", e)
        yield

    def on_walk(self, s: Any, t: Any, journal: Any, e: int, driven: int) -> Iterator[None]:
        """Walks and shoves go to an adjacent room, never to or from The Wastes."""
        room = int(s.enemy[e].room)
        assert s.enemy[e].health > 0 and room != WASTES
        if "resolve" in self.steps:
            self.acts("walk", e)
        yield
        assert s.enemy[e].room == room or int(s.enemy[e].room) in self.beside[room]

    def on_attack_on(self, s: Any, t: Any, stream: Any, journal: Any, e: int, c: int) -> Iterator[None]:
        """One roll against each crew member in the room who stands (M14-06)."""
        member = s.crew[c]
        assert member.here == 1 and member.downed == 0 and member.room == s.enemy[e].room
        self.attacks_made[e, c] += 1
        health = int(member.health)
        yield
        assert 0 <= health - member.health == self.answer

    def on_worsen(self, s: Any, t: Any, journal: Any, room: int, steps: int) -> Iterator[None]:
        """A room worsens by so many steps at most, to On Fire at most (M16-12)."""
        if hasattr(self, "hits_on"):
            self.hits_on[room] += steps
        before, fires = int(s.room[room].condition), int(s.fires)
        yield
        after = int(s.room[room].condition)
        assert before <= after <= min(ON_FIRE, before + max(0, steps))
        assert s.fires - fires == (after == ON_FIRE and before != ON_FIRE)

    def on_mend_room(self, s: Any, t: Any, journal: Any, room: int, to: int) -> Iterator[None]:
        """A room gets better, never worse."""
        before = int(s.room[room].condition)
        yield
        assert s.room[room].condition == min(before, to)

    def on_wound(self, s: Any, t: Any, journal: Any, e: int, many: int) -> Iterator[None]:
        """Damage is kept; at 0 the enemy is gone, and its card lies with the discards (M5-13, M5-14)."""
        health, gone = int(s.enemy[e].health), int(s.deck.discarded)
        yield
        assert s.enemy[e].health == max(0, health - max(0, many))
        assert s.deck.discarded - gone == (health > 0 and s.enemy[e].health == 0) == self.answer

    # ---------------------------------------------------------------- the end of a round

    def on_refresh(self, s: Any, t: Any) -> Iterator[None]:
        """Actions are back at their start (M12-02)."""
        yield
        self.check(s)
        assert (s.crew["actions"][s.crew["here"] == 1] == t.mech.actions).all()

    def on_fire_damage(self, s: Any, t: Any, journal: Any) -> Iterator[None]:
        """One Hull for each room On Fire (M12-06)."""
        hull, fires = int(s.hull), int((s.room["condition"][1:WASTES] == ON_FIRE).sum())
        over = s.over
        yield
        assert s.hull == (hull if over else max(0, hull - fires))
        self.check(s)

    def on_advance(self, s: Any, t: Any, journal: Any) -> Iterator[None]:
        """By the sum of speeds and fuel if all conditions hold, else not at all (M11-07, M11-08, M4-01)."""
        needed = [*t.mech.engine, t.mech.cockpit]
        ready = all(self.works(s, room) for room in needed) and not (s.enemy["room"][: s.enemies] == WASTES).any()
        engines = [int(engine) for engine in t.mech.engine]
        speed = sum(self.printed(s, engine, t.mech.engine_speed) for engine in engines)
        speed += sum(int(s.room[engine].term[WHAT["speed"]]) for engine in engines)
        speed += int(s.fuelled.sum() * t.mech.fuel_speed + s.term[WHAT["speed"]])
        distance, stood = int(s.distance), int(s.stuck[3])
        yield
        assert s.distance == distance + (max(0, speed) if ready else 0)
        assert s.stuck[3] == stood + (not ready) and (s.crane_uses == 0 or not ready)
        self.check(s)

    def on_salvage(self, s: Any, t: Any, stream: Any, journal: Any) -> Iterator[None]:
        """The crane is used at most so often without an advance (M17-07), and once a round by the usual ruling."""
        uses, salvaged, left = int(s.crane_uses), int(s.salvaged), int(s.salvage.left)
        yield
        assert uses <= s.crane_uses <= max(uses, t.mech.crane_uses)
        assert s.crane_uses - uses <= 1 + t.ruling.crane_and_remote
        assert (s.salvaged == salvaged) or s.crane_uses > uses
        assert left - s.salvage.left == s.salvaged - salvaged
        self.check(s)

    def on_draw_salvage(self, s: Any, *rest: Any) -> Iterator[None]:
        """A card drawn is somewhere afterwards."""
        yield
        self.check_salvage(s)

    def on_use_scrap(self, s: Any, t: Any, stream: Any, journal: Any, price: int) -> Iterator[None]:
        """Scrap is paid for what it does (M17-15, M17-16); to prepare for a boss it goes further (M110-01)."""
        assert price == (t.mech.ready_scrap if s.phase == PREPARING else t.mech.reinforce_scrap)
        used, hull = int(s.scrapped), int(s.hull)
        reinforced, recycled = int(s.reinforced), int(s.recycled)
        yield
        paid = price * (s.reinforced - reinforced) + t.mech.recycle_scrap * (s.recycled - recycled)
        assert s.scrapped - used == paid and s.hull == hull + s.reinforced - reinforced
        self.check(s)

    def on_spawn(self, s: Any, t: Any, journal: Any) -> Iterator[None]:
        """Noise and one for each fuelled engine are drawn, while there are cards (M12-10)."""
        many = max(0, int(s.noise + s.term[WHAT["noise"]])) + int(s.fuelled.sum())
        drawn, spawned, crushed = int(s.drawn), int(s.spawned.sum()), int(s.crushed)
        yield
        self.check(s)
        assert s.drawn - drawn <= many
        if s.over == 0 and s.drawn - drawn < many:
            assert s.deck.left == 0 and s.level == 3
        assert int(s.spawned.sum()) - spawned + s.crushed - crushed <= s.drawn - drawn

    def on_draw_enemy(self, s: Any, t: Any, journal: Any) -> Iterator[None]:
        """A deck that runs out is renewed at once (M11-11, M11-12, M5-45)."""
        level, left = int(s.level), int(s.deck.left)
        yield
        if s.phase == BOSS:
            return
        assert level <= s.level <= level + 2 and (left > 0 or level == 3 or s.level > level)
        if s.deck.left == 0:
            again = [card for card in s.deck.discards[: s.deck.discarded] if not t.enemy[card].harmless]
            assert s.level == 3 and not [card for card in again if t.enemy[card].level == 3]

    def on_escalate(self, s: Any, t: Any, journal: Any) -> Iterator[None]:
        """Level 2 is in from the first milestone on, level 3 from the second (M11-09, M11-10)."""
        yield
        self.check(s)
        for i in range(2):
            assert s.distance < t.mech.milestone[i] or (s.level >= i + 2 and s.milestones > i)
