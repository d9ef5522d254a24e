"""Combat over random packs, rulings, settings, bots and lineups: what holds whatever the cards say."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from simcore import packs
from simcore.game import OVERFLOW, Game, Tables, find_game, play, seats_dtype
from simcore.journal import Journal
from simcore.kernels import blank, plain
from simcore.knights import cards
from simcore.knights.tell import ENDS, LOSES, MARKER, MOVES, RANGE_NOW, REVEALS, STRIKES
from simcore.streams import root
from tests.reference import reference

GAMES = 200
LOOKS = (Phase.explicit, Phase.generate)
"""No shrinking: a table is told in a few lines, and each try makes a pack and plays it."""

ROOT = Path(__file__).parents[2]
BOTS = ("random", "regular", "strong")
FIGHT, DUEL = "knights.fight", "knights.duel"
REFERENCE = reference(FIGHT)
KNIGHTS, ENEMIES = tuple(REFERENCE.cards["knight"]), tuple(REFERENCE.cards["enemy"])
ENDINGS = [ending.name for ending in find_game(FIGHT).endings]
KINDS = {ending.name: ending.kind for ending in find_game(FIGHT).endings}
ARROWS = ("attack_arrows", "multi_arrows", "advance_arrows", "retreat_arrows", "defend_arrows")
AFTER = ("won", "lost", "defeated")
ATTACK, MULTI, PREPARE, CHANGE, DEFEND = 1, 2, 3, 4, 5


@dataclass(frozen=True)
class Table:
    """A table to play at. `sets` are laid over the reference pack; `lineup`, `bots` by seat."""

    name: str
    sets: dict[str, str]
    settings: dict[str, int]
    lineup: tuple[str, str]
    bots: tuple[str, str]
    first: int
    root: int

    @property
    def game(self) -> Game:
        """The game by its name."""
        return find_game(self.name)

    @property
    def duel(self) -> bool:
        """Whether two knights fight."""
        return self.name == DUEL

    def pack(self) -> packs.Pack:
        """The reference pack with the sets over it."""
        return reference(self.name, self.sets)

    def tables(self) -> Tables:
        """The tables."""
        return self.game.load(self.pack(), self.settings)

    def seats(self, tables: Tables) -> Any:
        """The one seating."""
        keys = ("knights", "knights" if self.duel else "enemies")
        seats = blank(seats_dtype(2), 1)
        for seat, (key, slug) in enumerate(zip(keys, self.lineup, strict=True)):
            seats[0].role[seat] = [role.slug for role in tables.roles[key]].index(slug)
            seats[0].bot[seat] = tables.bots.index(self.bots[seat])
        seats[0].first = self.first
        return seats

    def play(self, first: int = 0, stop: int = GAMES) -> Any:
        """Outcomes of some games, compiled."""
        tables = self.tables()
        return play(self.game, tables, self.seats(tables), self.root, first, stop)


# ---------------------------------------------------------------- random tables

WORN = tuple(when for when in cards.WHEN if when not in ("any_time", "attack", "rolled", "reply"))
GROUPS = (
    cards.ATTACK_TERMS,
    cards.RESOURCES,
    ("start_range", "set_range", "stride", "dominance"),
    (*cards.GAINS, "vehicle", "stop"),
)
"""What rows change; each group is drawn alike."""


@st.composite
def rows(draw: Any, moments: tuple[str, ...], enemy: bool = False) -> str:
    """A row of effect that makes sense at one of some moments, as TOML; |many| up to 2."""
    groups = [[what for what in group if set(cards.MOMENTS[what]) & set(moments)] for group in GROUPS]
    what = draw(st.sampled_from([group for group in groups if group]).flatmap(st.sampled_from))
    when = draw(st.sampled_from([m for m in cards.MOMENTS[what] if m in moments]))
    low, high = cards.AMOUNTS.get(what, (-2, 2))
    many = draw(st.integers(low, high).filter(lambda n: n != 0 or what in cards.AMOUNTS))
    many = 1 if what == "start_range" and many == 3 and when != "before" else many
    whom = "self" if what in cards.SELF_ONLY else draw(st.sampled_from(cards.WHOM))
    whom = "opponent" if enemy and what in cards.KNIGHTS_ONLY else whom
    row = {"when": when, "what": what, "whom": whom, "many": many}
    row["only"] = draw(st.sampled_from(cards.ONLY))
    if packs.validate(cards.Effect, row, "row")[1]:
        row["only"] = ""
    return "{ " + ", ".join(f"{key} = {value!r}" for key, value in row.items()) + " }"


def texts(moments: tuple[str, ...], enemy: bool = False) -> st.SearchStrategy[str]:
    """One to three rows as a list in TOML."""
    return st.lists(rows(moments, enemy), min_size=1, max_size=3).map(lambda found: f"[{', '.join(found)}]")


@st.composite
def pack_sets(draw: Any, lineup: tuple[str, str], duel: bool) -> dict[str, str]:
    """All rulings, and a few changed numbers and effects of the cards that meet."""
    sets = {
        f"ruling.{name}": draw(st.sampled_from(get_args(field.annotation)))
        for name, field in cards.Ruling.model_fields.items()
    }
    sets["combat.start_range"] = draw(st.sampled_from(cards.RANGES))
    sets["combat.clashes"] = str(draw(st.sampled_from([3, 3, 3, 1, 2, 4, 6])))
    sets["bot.strong.temperature"] = str(draw(st.sampled_from([0, 5, 3000])))
    if draw(st.booleans()):
        sets[f"combat.{draw(st.sampled_from(ARROWS))}"] = str(draw(st.integers(0, 3)))
    worn = draw(st.sampled_from(["", *REFERENCE.cards["armor"]]))
    sets[f"knight.{lineup[0]}.armor"] = f'"{worn}"'
    edits: dict[str, st.SearchStrategy[str]] = {
        "gear.medi_shot.effects": texts(("before", "any_time")),
        "gear.extra_bullets.effects": texts(("any_time",)),
        f"knight.{lineup[0]}.effects": texts(WORN),
    }
    if worn:
        edits[f"armor.{worn}.effects"] = texts(WORN)
    if not duel:
        enemy = f"enemy.{lineup[1]}"
        edits[f"{enemy}.effects"] = texts(WORN, enemy=True)
        edits[f"{enemy}.ferocious"] = st.sampled_from(["true", "false"])
        for name, most in (("multi", 2), ("armor", 4), ("piercing", 3), ("damage", 3)):
            edits[f"{enemy}.{name}"] = st.integers(0, most).map(str)
    for place in draw(st.sets(st.sampled_from(sorted(edits)), min_size=1, max_size=3)):
        sets[place] = draw(edits[place])
    return sets


@st.composite
def tables(draw: Any, only: str = "") -> Table:
    """A random table of a fight or a duel."""
    name = only or draw(st.sampled_from([FIGHT, FIGHT, DUEL]))
    lineup = (draw(st.sampled_from(KNIGHTS)), draw(st.sampled_from(KNIGHTS if name == DUEL else ENEMIES)))
    return Table(
        name=name,
        sets=draw(pack_sets(lineup, name == DUEL)),
        settings={
            "health": draw(st.integers(1, 4)),
            "ammo": draw(st.integers(0, 4)),
            "fuel": draw(st.integers(0, 4)),
            "radiation": draw(st.sampled_from([0, 0, 0, 1, 2, 3])),
            "held_cards": draw(st.integers(0, 1)),
            "enemy_dice": draw(st.sampled_from([0, 0, 2, 6])),
        },
        lineup=lineup,
        bots=(draw(st.sampled_from(BOTS)), draw(st.sampled_from(BOTS))),
        first=draw(st.integers(0, 1)),
        root=root(draw(st.integers(0, 2**63)), draw(st.integers(0, 2**63))),
    )


def effects_of(table: Table, pack: packs.Pack) -> Iterator[Any]:
    """Every row of the cards that meet, worn or carried."""
    for seat, slug in enumerate(table.lineup):
        if seat == 1 and not table.duel:
            yield from pack.cards["enemy"][slug].effects
            continue
        knight = pack.cards["knight"][slug]
        held = [*knight.weapons, *knight.carries, *([knight.armor] if knight.armor else [])]
        yield from knight.effects
        for kind in ("weapon", "armor", "gear"):
            for card in held:
                if card in pack.cards[kind]:
                    yield from pack.cards[kind][card].effects


# ---------------------------------------------------------------- what always holds


@settings(phases=LOOKS, max_examples=150)
@given(tables())
def test_what_holds_of_every_outcome(table: Table) -> None:
    pack, out = table.pack(), table.play()
    seat, ending = out["seat"], np.array(ENDINGS)[out["ending"]]
    combat = pack.cards["combat"][""]
    assert not (out["ending"] == OVERFLOW).any()
    check_result(table, pack, out, seat, ending)
    check_health(table, pack, out, seat, ending)
    check_cards(table, pack, out, seat, ending)
    check_costs(table, pack, out, seat)
    assert (out["rounds"] <= combat.clashes).all()
    assert ((out["rounds"] >= 1) | np.isin(ending, ["effect", "both_down"])).all()
    for name in ("start_range", "end_range"):
        assert ((out[name] >= 0) & (out[name] <= 2)).all()
    if not any(row.what == "start_range" for row in effects_of(table, pack)):
        assert (out["start_range"] == cards.RANGES.index(combat.start_range)).all()


def check_result(table: Table, pack: packs.Pack, out: Any, seat: Any, ending: Any) -> None:
    """Shares, places and dominance agree with the ending and with each other."""
    kinds = np.array([KINDS[name] for name in ending])
    share, place, marker = seat["share"], seat["place"], seat["dominance"]
    won = kinds == "won"
    assert (share.sum(axis=1) == 60).all()
    assert np.isin(kinds, ["won", "draw"]).all()
    assert (np.sort(share[won], axis=1) == [0, 60]).all() and (share[~won] == 30).all()
    assert (place == np.where(share == 0, 2, 1)).all()
    assert (marker[:, 0] == -marker[:, 1]).all()
    assert (seat["beat"] == ((share == 60) | (ending == "both_down")[:, None])).all()
    last = np.isin(ending, ["dominance", "marker_on_zero", "ferocious_stand"])
    assert (out["rounds"][last] == pack.cards["combat"][""].clashes).all()
    assert (marker[ending == "marker_on_zero"] == 0).all()
    by_marker = ending == "dominance"
    assert (marker[by_marker][share[by_marker] == 60] > 0).all()
    traded = ending == "traded"
    assert table.duel or not traded.any()
    assert (out["rounds"][traded] == 1).all() and (seat["defend"][traded] == 1).all()
    if not table.duel and pack.cards["enemy"][table.lineup[1]].ferocious:
        assert (marker == 0).all()
        assert not np.isin(ending, ["dominance", "marker_on_zero"]).any()
    else:
        assert (ending != "ferocious_stand").all()


def starts(table: Table, pack: packs.Pack) -> Any:
    """Health of the seats as a combat starts."""
    enemy = None if table.duel else pack.cards["enemy"][table.lineup[1]]
    return np.array([table.settings["health"], enemy.health if enemy else table.settings["health"]])


def check_health(table: Table, pack: packs.Pack, out: Any, seat: Any, ending: Any) -> None:
    """No Health comes from nowhere: what is left is the start, more what was healed, less the foe's score."""
    start, dials = starts(table, pack), pack.cards["dials"][""]
    left, lost, score = seat["health_left"], seat["health_lost"], seat["score"][:, ::-1]
    top = np.array([dials.health, dials.health if table.duel else start[1]])
    assert (left == start + seat["healed"] - score).all()
    assert (left >= 0).all() and (left <= top).all()
    assert (lost >= 0).all() and (lost <= score).all() and (seat["healed"] >= 0).all()
    assert ((lost == 0) | (seat["hits"][:, ::-1] > 0)).all()
    assert (seat["radiation"] >= 0).all() and (seat["radiation"] <= dials.radiation).all()
    effects = list(effects_of(table, pack))
    if not any(row.what in ("health", "radiation") and row.when in AFTER for row in effects):
        down = (left == 0) | (seat["radiation"] >= dials.radiation) & knights_of(table)
        beaten = np.where((ending == "both_down")[:, None], True, seat["share"] == 0)
        assert (down == (beaten & (ending != "dominance")[:, None])).all()
    if not any(row.what == "health" and row.many > 0 for row in effects):
        assert (seat["healed"] == 0).all()


def knights_of(table: Table) -> Any:
    """Which seats hold a knight."""
    return np.array([True, table.duel])


def check_cards(table: Table, pack: packs.Pack, out: Any, seat: Any, ending: Any) -> None:
    """A card a clash, unless somebody fell as it began; a check for each attack card but one that came too late."""
    attack_cards = seat["attack"] + seat["multi_attack"]
    others = seat["prepare"] + seat["change_range"] + seat["defend"]
    begun = np.isin(ending, ["effect", "both_down"])[:, None]
    missing = out["rounds"][:, None] - (attack_cards + others)
    assert ((missing == 0) | (missing == 1) & begun).all()
    assert (seat["prepare"] <= (out["rounds"][:, None] + 1) // 2).all()
    checks = seat["attack_checks"]
    assert (seat["hits"] <= checks).all() and (checks <= attack_cards).all()
    if pack.cards["ruling"][""].attack_without_icon == "forbidden":
        late = attack_cards - checks
        assert ((late == 0) | ((late == 1) & (seat["share"] == 0) & (ending == "blows")[:, None])).all()


def check_costs(table: Table, pack: packs.Pack, out: Any, seat: Any) -> None:
    """Nobody spends what he hasn't got; an enemy has neither dials, nor gear, nor a vehicle, nor rewards."""
    effects, clashes = list(effects_of(table, pack)), pack.cards["combat"][""].clashes
    for what in ("ammo", "fuel"):
        gained = sum(
            max(row.many, 0) * (clashes if row.when == "clash_end" else 1) for row in effects if row.what == what
        )
        assert (seat[f"{what}_spent"] >= 0).all()
        assert (seat[f"{what}_spent"] <= table.settings[what] + gained).all()
    if not table.settings["held_cards"]:
        assert (seat["cards_used"] == 0).all()
    if not table.duel:
        for name in ("ammo_spent", "fuel_spent", "cards_used", "radiation", "vehicle_damage", "stopped",
                     "reputation", "green", "yellow", "red"):  # fmt: skip
            assert (seat[name][:, 1] == 0).all(), name
        check_rewards(table, pack, seat, effects)


def check_rewards(table: Table, pack: packs.Pack, seat: Any, effects: list[Any]) -> None:
    """The winner has what the enemy's card says, and nobody else has anything (K1F-22, K4-37)."""
    rewards = pack.cards["enemy"][table.lineup[1]].rewards
    paid = seat["share"][:, 0] == 60
    if pack.cards["ruling"][""].double_defeat_rewards == "both":
        paid |= (seat["share"][:, 0] == 30) & (seat["beat"][:, 0] == 1)
    for name in cards.GAINS:
        if not any(row.what == name for row in effects):
            assert (seat[name][:, 0] == paid * getattr(rewards, name)).all()


# ---------------------------------------------------------------- rare cards

FULL = {"health": 4, "ammo": 4, "fuel": 4, "radiation": 0, "held_cards": 1, "enemy_dice": 0}
MEL, CLAWS = ("mel_gearson", "furball"), ("random", "random")


def meet(lineup: tuple[str, str] = MEL, bots: tuple[str, str] = CLAWS, sets: Any = None, **dials: int) -> Table:
    """A fight with full dials, unless told otherwise."""
    return Table(FIGHT, sets or {}, {**FULL, **dials}, lineup, bots, 0, root(1, 2))


def held(row: str) -> dict[str, str]:
    """The Medi-shot that every knight carries with another row instead."""
    return {"gear.medi_shot.effects": "[{ " + row + " }]"}


def test_who_falls_to_a_held_card_is_beaten_at_once() -> None:
    sets = held("when = 'any_time', what = 'health', whom = 'opponent', many = -6")
    out = meet(sets=sets).play(0, 2000)
    thrown = out["seat"]["cards_used"][:, 0] >= 1
    by_card = out["ending"] == ENDINGS.index("effect")
    assert by_card.sum() > 1000 and (out["seat"]["share"][by_card] == [60, 0]).all()
    assert (out["seat"]["health_left"][:, 1][by_card] == 0).all() and thrown[by_card].all()
    assert (out["seat"]["health_left"][:, 1][out["ending"] == ENDINGS.index("ferocious_stand")] > 0).all()


def test_a_longer_stride_is_thought_about_anew() -> None:
    """What a bot remembers of a situation doesn't outlive a card that changes it."""
    sets = held("when = 'any_time', what = 'stride', whom = 'self', many = 1")
    sets |= {"bot.regular.weights.heal": "0", "bot.regular.temperature": "3000", "combat.start_range": '"long"'}
    table = meet(("russel_crown", "toll_takers"), ("regular", "regular"), sets)
    together, tables = table.play(0, 2000), table.tables()
    seats = table.seats(tables)
    for game in range(0, 2000, 4):
        alone = play(table.game, tables, seats, table.root, game, game + 1)
        assert alone.tobytes() == together[game : game + 1].tobytes()


def test_healing_never_costs_health() -> None:
    """A knight at the top of his dial keeps what he has."""
    out = meet(("placeholder_twelve", "toll_takers"), health=4).play(0, 2000)
    assert (out["seat"]["healed"] >= 0).all()
    assert (out["seat"]["health_left"] <= [4, 20]).all()


def test_a_lead_at_the_start_is_worth_nothing_against_the_ferocious() -> None:
    for sets in (
        {},
        {"knight.russel_crown.effects": "[{ when = 'before', what = 'dominance', whom = 'self', many = 2 }]"},
    ):
        out = meet(("russel_crown", "furball"), sets=sets).play(0, 500)
        assert (out["seat"]["dominance"] == 0).all()


def test_a_range_is_picked_wherever_its_row_stands_on_the_card() -> None:
    """Rows of a card are used together, and the owner's choice need not be the first of them."""
    rows = [
        "{ when = 'before', what = 'dice', whom = 'self', many = 1 }",
        "{ when = 'before', what = 'start_range', whom = 'self', many = 3 }",
    ]
    for order in (rows, rows[::-1]):
        sets = {"gear.medi_shot.effects": f"[{', '.join(order)}]", "knight.mel_gearson.carries": '["medi_shot"]'}
        out = meet(("mel_gearson", "toll_takers"), sets=sets).play(0, 300)
        assert set(np.unique(out["start_range"])) == {0, 1, 2}
        assert (out["start_range"] == 1).sum() == (out["seat"]["cards_used"][:, 0] == 0).sum()


def test_health_lost_after_the_combat_moves_no_marker() -> None:
    """Not even where Health lost to effects counts (K4-40): the combat is over by then."""
    row = "{ when = 'won', what = 'health', whom = 'self', many = -2 }"
    sets = {"ruling.other_losses_dominance": '"counted"', "enemy.toll_takers.effects": f"[{row}]"}
    out = meet(("mel_gearson", "toll_takers"), sets=sets).play(0, 1000)
    decided = out["ending"] == ENDINGS.index("dominance")
    winners = out["seat"]["share"] == 60
    assert (out["seat"]["dominance"][decided][winners[decided]] > 0).all()
    assert (decided & winners[:, 1]).sum() > 50


def test_an_enemy_has_no_dials_but_health() -> None:
    rows = ", ".join(
        f"{{ when = 'start', what = '{what}', whom = 'opponent', many = 2 }}"
        for what in ("radiation", "vehicle", "ammo")
    )
    out = meet(sets={"knight.mel_gearson.effects": f"[{rows}]"}).play(0, 100)
    assert (out["seat"]["radiation"][:, 1] == 0).all() and (out["seat"]["vehicle_damage"][:, 1] == 0).all()


# ---------------------------------------------------------------- the same game, whoever asks and how


@settings(phases=LOOKS, max_examples=25)
@given(tables(), st.integers(0, 2**40))
def test_plain_and_compiled_combats_are_the_same_and_their_journal_agrees(table: Table, first: int) -> None:
    data, pack = table.tables(), table.pack()
    seats, compiled = table.seats(data), table.play(first, first + 2)
    for game in range(first, first + 2):
        out, journal, ends = blank(table.game.outcome, 1), Journal(), []
        spied = plain(table.game.play_range, {"write_outcome": spy(table.game, ends)})
        spied(data.data, seats, table.root, game, game + 1, out, journal)
        assert out.tobytes() == compiled[game - first : game - first + 1].tobytes()
        check_dials(ends[0], pack)
        Referee(table, pack, journal, out[0]).check()


def spy(game: Game, ends: list[Any]) -> Any:
    """Writes an outcome as the rules do, and keeps the dials of both sides beside it."""
    write = plain(sys.modules["simcore.knights.play"].write_outcome)

    def write_outcome(s: Any, seats: Any, out: Any) -> None:
        ends.append([(int(side.health), int(side.ammo), int(side.fuel), int(side.radiation)) for side in s.side])
        write(s, seats, out)

    return write_outcome


def check_dials(ends: list[tuple[int, ...]], pack: packs.Pack) -> None:
    """Dials stay on their scales (K1D-02)."""
    dials = pack.cards["dials"][""]
    for health, ammo, fuel, radiation in ends:
        assert 0 <= health <= 20 and 0 <= ammo <= dials.ammo
        assert 0 <= fuel <= dials.fuel and 0 <= radiation <= dials.radiation


class Referee:
    """Follows a combat's journal, and keeps count by the printed rules alone."""

    def __init__(self, table: Table, pack: packs.Pack, journal: Journal, out: Any) -> None:
        self.table, self.pack, self.journal, self.out = table, pack, journal, out
        self.combat = pack.cards["combat"][""]
        self.ferocious = not table.duel and pack.cards["enemy"][table.lineup[1]].ferocious
        self.lost, self.struck, self.hits = [0, 0], [0, 0], [0, 0]
        self.cards: list[tuple[int, int]] = []
        self.ways, self.gained = [0, 0], [0, 0]
        self.marker = self.range = 0
        self.counted = pack.cards["ruling"][""].other_losses_dominance == "counted"

    def check(self) -> None:
        """Read all notes, then compare the counts with the outcome."""
        readers = {
            REVEALS: self.reveal, MOVES: self.move, STRIKES: self.strike, LOSES: self.lose,
            MARKER: self.count, RANGE_NOW: self.walk, ENDS: self.end,
        }  # fmt: skip
        for note in self.journal:
            if note.what in readers:
                readers[note.what](note)
        seats = self.out.seat if self.table.first == 0 else self.out.seat[::-1]
        assert self.out.rounds - len(self.cards) in ((0, 1) if ENDINGS[self.out.ending] == "effect" else (0,))
        for x in range(2):
            assert self.lost[x] == seats[x].health_lost
            assert (self.struck[x], self.hits[x]) == (seats[x].attack_checks, seats[x].hits)
            played = [cards[x] for cards in self.cards]
            names = ("attack", "multi_attack", "prepare", "change_range", "defend")
            assert [played.count(card) for card in range(1, 6)] == [seats[x][name] for name in names]

    def reveal(self, note: Any) -> None:
        """Two cards; Prepare is out of the hand as long as it lies open (K5-61, K4-32)."""
        if self.cards:
            assert all(
                (old, new) != (PREPARE, PREPARE) for old, new in zip(self.cards[-1], (note.b, note.c), strict=True)
            )
        assert note.a == len(self.cards)
        self.cards.append((note.b, note.c))
        self.ways, self.gained, self.range = [0, 0], [0, 0], note.d

    def move(self, note: Any) -> None:
        """A direction belongs to Change Range."""
        assert self.cards[-1][note.a] == CHANGE and note.b in (1, 2)
        self.ways[note.a] = note.b

    def strike(self, note: Any) -> None:
        """An attack belongs to an attack card; its dice are at least one, and no more succeed."""
        assert self.cards[-1][note.a] in (ATTACK, MULTI)
        assert note.c >= 1 and (note.d & 63) <= (note.d >> 6) <= note.c
        self.struck[note.a] += 1
        self.hits[note.a] += (note.d >> 6) > 0

    def lose(self, note: Any) -> None:
        """Health goes to the other side's attack (K1F-06)."""
        assert note.b > 0 and self.struck[1 - note.a] > 0
        self.lost[note.a] += note.b
        self.gained[1 - note.a] += note.b

    def arrows(self, x: int) -> int:
        """What the card of a side is worth to it in dominance, by the printed arrows (K1F-14)."""
        combat, card = self.combat, self.cards[-1][x]
        change = {0: 0, 1: combat.advance_arrows, 2: -combat.retreat_arrows}[self.ways[x]]
        worth = [0, combat.attack_arrows, combat.multi_arrows, 0, change, -combat.defend_arrows]
        return int(worth[card])

    def count(self, note: Any) -> None:
        """Arrows and Health lost to attacks move the marker, but for the ferocious (K1F-25)."""
        assert not self.ferocious
        assert (note.a, note.b) == (self.arrows(0) + self.gained[0], self.arrows(1) + self.gained[1])
        self.marker = note.c

    def walk(self, note: Any) -> None:
        """Range goes a card a side, opposite ways cancel, the ends hold (K1F-08 to K1F-11)."""
        effects = list(effects_of(self.table, self.pack))
        if any(row.what in ("stride", "set_range") for row in effects):
            return
        steps = [{0: 0, 1: -1, 2: 1}[way] for way in self.ways]
        once = self.pack.cards["ruling"][""].same_way == "one_step" and steps[0] == steps[1]
        assert note.a == min(max(self.range + (steps[0] if once else sum(steps)), 0), 2)

    def end(self, note: Any) -> None:
        """The winner by the journal is the winner by the outcome."""
        assert ENDINGS[note.a] == ENDINGS[self.out.ending]
        shares = [30, 30] if note.b < 0 else [60 * (note.b == x) for x in range(2)]
        assert shares == [seat.share for seat in (self.out.seat if self.table.first == 0 else self.out.seat[::-1])]
