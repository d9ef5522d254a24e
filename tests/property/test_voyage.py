"""Beyond the Horizon over random packs, rulings, settings, knights and bots: what holds whatever the cards say."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from simcore.game import OVERFLOW, play, seatings
from simcore.kernels import blank
from simcore.streams import STREAM, word
from simcore.voyage.state import STATE
from tests.property.pilot import RULES, Pilot
from tests.property.voyage import CRUISE, GAME, KNIGHTS, REFERENCE, Table, season, tables

LOOKS = (Phase.explicit, Phase.generate)
"""No shrinking: a table is told in a few lines, and each try makes a pack and plays it."""

GAMES = 60
WON, SHARED, LOST = 0, 1, 3


# ---------------------------------------------------------------- under a pilot's eyes


@settings(phases=LOOKS, max_examples=8)
@given(tables())
def test_a_pilot_finds_no_fault_in_a_season(table: Table) -> None:
    data, out = table.tables(), blank(GAME.outcome, 1)
    pilot = Pilot(table, data.data)
    with pilot.watch():
        RULES["play"]["play_range"](data.data, table.seats(data), table.root, 0, 1, out)
    assert pilot.checks > 3
    assert out.tobytes() == table.play(0, 1).tobytes()


class Season(RuleBasedStateMachine):
    """Knights whose every decision comes from outside, so that they do what no bot would; the pilot looks on."""

    @initialize(table=tables())
    def set_up(self, table: Table) -> None:
        """A table is laid."""
        tables = table.tables()
        self.t, seats = tables.data, table.seats(tables)[0]
        self.s, self.stream = blank(STATE), blank(STREAM)
        self.stream.game = word(table.root, 0)
        self.pilot, self.picks = Pilot(table, self.t), list[int]()
        with self.pilot.watch(), RULES.decided(self.pick):
            RULES["setup"]["set_up"](self.s, self.t, self.stream, None, seats)

    def pick(self, s: Any) -> int:
        """The place of the option that is taken: as told, then the first (which mostly is to do nothing)."""
        return self.picks.pop() % int(s.options) if self.picks else 0

    @rule(picks=st.lists(st.integers(0, 399), min_size=5, max_size=30))
    def play_a_round(self, picks: list[int]) -> None:
        """A round with these decisions, unless the season is over."""
        if self.s.rounds == self.t.table.rounds:
            return
        self.picks = picks
        self.s.rounds += 1
        with self.pilot.watch(), RULES.decided(self.pick):
            for k in range(self.s.players):
                if self.s.knight[k].out == 0:
                    self.s.turn = k
                    RULES["turn"]["take_turn"](self.s, self.t, self.stream, None, k)
            RULES["harbour"]["return_ships"](self.s, self.t, None)


TestSeason = Season.TestCase
TestSeason.settings = settings(phases=LOOKS, max_examples=7, stateful_step_count=4)


# ---------------------------------------------------------------- every outcome


@settings(phases=LOOKS, max_examples=20)
@given(tables())
def test_what_holds_of_every_outcome(table: Table) -> None:
    tables = table.tables()
    out, data = play(GAME, tables, table.seats(tables), table.root, 0, GAMES), tables.data
    check_ends(table, data, out)
    check_counts(table, data, out)
    check_seats(table, out)


def check_ends(table: Table, data: Any, out: Any) -> None:
    """Seasons end, nothing overflows, and a win goes to the most points."""
    ending, seat, here = out["ending"], out["seat"], at_table(table)
    assert np.isin(ending, (WON, SHARED, LOST)).all()
    assert ((out["rounds"] >= 1) & (out["rounds"] <= table.settings["rounds"])).all()
    left = (seat["eliminated"] == 0)[:, here].any(axis=1)
    assert (out["rounds"] == table.settings["rounds"])[left].all()
    assert (ending[~left] == LOST).all() and (seat["share"][ending == LOST] == 0).all()
    score = seat["score"][:, here]
    best = score == score.max(axis=1, keepdims=True)
    won = ending != LOST
    assert (seat["share"][:, here] == 60 * best // best.sum(axis=1, keepdims=True))[won].all()
    assert ((ending == SHARED) == (best.sum(axis=1) > 1))[won].all()
    assert (seat["place"][:, here] == 1 + (score[:, None, :] > score[:, :, None]).sum(axis=2)).all()
    if here.sum() == 1:
        alone = (seat["home"][:, here] == 1) & (score >= data.season.alone)
        assert (alone[:, 0] == won).all()


def check_counts(table: Table, data: Any, out: Any) -> None:
    """Counts agree with each other: ships, Breach, destinations, Water."""
    seat, rules, ships = out["seat"], data.rules, int(data.ships)
    sunk, breach, sailed = (
        np.stack([out[f"{name}_{ship}"] for ship in range(1, ships + 2)], axis=1)
        for name in ("sunk", "breach", "sailed")
    )
    assert (sunk.sum(axis=1) == seat["sunk"].sum(axis=1)).all()
    assert (breach.sum(axis=1) == seat["breach"].sum(axis=1)).all()
    assert (sailed.sum(axis=1) == seat["cruises"].sum(axis=1)).all()
    assert (out["ships_lost"] == sunk[:, :-1].sum(axis=1)).all() and (sunk[:, :-1] <= 1).all()
    hulls = data.ship["hull"][:ships]
    assert (breach[:, :-1] <= hulls).all() and ((breach[:, :-1] == hulls) == (sunk[:, :-1] == 1)).all()
    assert (out["shown"] == seat["first_looks"].sum(axis=1)).all()
    assert (out["water_left"] + seat["water"].sum(axis=1) == rules.markers).all()
    assert (seat["first_looks"] <= seat["destinations"]).all() and (seat["destinations"] <= seat["arrivals"]).all()
    assert (seat["deeds"] <= seat["destinations"]).all()
    if table.settings["water"] == 0:
        assert not any(seat[name].any() for name in ("water", "missing", "spent", "gained", "bought", "dehydrated"))
    begun = np.where(at_table(table), min(int(rules.water), int(rules.markers)) * table.settings["water"], 0)
    assert (seat["gained"] + seat["bought"] - seat["spent"] - seat["water"] + begun >= 0).all()


def check_seats(table: Table, out: Any) -> None:
    """Parts are no more than the whole, and empty chairs do nothing."""
    seat, here = out["seat"], at_table(table)
    assert ((seat["role"] >= 0) == here).all()
    for name in ("score", "share", *(column.name for column in GAME.seat_columns)):
        assert (seat[name] >= 0).all() and (seat[name][:, ~here] == 0).all(), name
    for part, whole in (("won", "fights"), ("fled", "fights"), ("passed", "tests"), ("severe", "missing"),
                        ("sunk", "strandings"), ("sunk", "cruises"), ("knocked_out", "injuries"),
                        ("surcharges", "cruises"), ("home", "home")):  # fmt: skip
        if (part, whole) not in LOOSE:
            assert (seat[part] <= seat[whole]).all(), (part, whole)
    assert (seat["won"] + seat["fled"] <= seat["fights"]).all()
    assert (seat["home"] + seat["eliminated"] <= 1).all()


LOOSE = {("severe", "missing")}
"""A card may give Severe Dehydration with nothing missing (V5-50)."""


def at_table(table: Table) -> Any:
    """Which chairs are taken."""
    return np.array([name != "" for name in table.lineup])


# ---------------------------------------------------------------- the same season, whoever asks and how


def test_gear_without_a_value_can_be_had() -> None:
    """What costs nothing is taken or left, and nothing is divided by it."""
    worthless = {f"gear.{slug}.value": "0" for slug in REFERENCE.cards["gear"]}
    out = season(*KNIGHTS, sets=worthless).play(0, GAMES)
    assert (out["seat"]["score"].sum(axis=1) > 0).all()


# ---------------------------------------------------------------- single cruises


@settings(phases=LOOKS, max_examples=10)
@given(tables(), st.integers(0, 10**9))
def test_what_holds_of_every_cruise(table: Table, number: int) -> None:
    """Of any ship on any route: it arrives or doesn't, Breach stays within the Hull, and nothing stays behind."""
    dials = {"knight": number % len(KNIGHTS), "breach": number % 7, "held": number % 5}
    dials |= {name: table.settings[name] for name in ("cards", "difficulty", "water")}
    usual = {setting.name: setting.default for setting in CRUISE.settings}
    tables = CRUISE.load(table.pack(), usual | dials)
    data = tables.data
    ship, route = number % (int(data.ships) + 1), number // 11 % int(data.routes)
    lineup = tables.roles["ships"][ship].slug, tables.roles["routes"][route].slug
    seats = seatings(CRUISE, tables, lineup, {"captain": table.bots[0], "sea": "regular"}, "none")
    out = play(CRUISE, tables, seats, table.root, 0, GAMES)
    assert out.tobytes() == b"".join(play(CRUISE, tables, seats, table.root, i, i + 1).tobytes() for i in range(GAMES))
    assert (out["arrived"] + (out["sunk"] | out["stranded"] | out["eliminated"]) == 1).all()
    borne, hull = min(number % 7, int(data.ship[ship].hull) - 1), int(data.ship[ship].hull)
    assert ((out["breach"] + borne == hull) == (out["sunk"] == 1)).all() and (out["breach"] + borne <= hull).all()
    assert (out["hull_left"] == np.where(out["sunk"] == 1, 0, hull - borne - out["breach"])).all()
    assert (out["ending"] == WON).all() and (out["seat"]["share"].sum(axis=1) == 60).all()
    names = [column.name for column in CRUISE.game_columns]
    assert all((out[name] >= 0).all() for name in names)
    assert not (out["ending"] == OVERFLOW).any()


# ---------------------------------------------------------------- planted faults

FAULTS = {
    "none": ("board", "knight.ship, knight.breach", "knight.ship, s.knight[k].breach"),
    "light ships carry heavy vehicles": ("carries", ".type >=", ".type >= -1 + 0 *"),
    "a Cutter is there for all": ("cutter_fits", "return others == 0", "return True"),
    "ships are mended": ("board", "= ship, breach, t", "= ship, 0, t"),
    "a ship comes back to all slots": ("lay_on_quay", "            return slot", "            pass"),
    "Dehydration begins severe": ("dehydrate", "knight.thirst = NORMAL", "knight.thirst = SEVERE"),
    "no side is severe": ("turn_severe", "knight.thirst = SEVERE", "pass"),
    "cured cards are lost": ("cure", "give_back(s.deck[DRYNESS], knight.dryness)", "pass"),
    "cures are free": ("cure", "knight.thirst -= 1", "knight.thirst = 0"),
    "discarded gear is lost": ("discard", "throw(s.deck[NORMAL_GEAR], card)", "pass"),
    "drawn cards stay in the deck": ("draw_from", "deck.left &= ~(1 << card)", "pass"),
    "a sea die is left out": ("roll_dice", "range(many)", "range(many - 1)"),
    "Speed does nothing": ("water_due", "s.due + speed", "s.due"),
    "choices are taken again": ("lay_out_deeds", "(knight.acted >> p) & 1", "0"),
    "there is a city everywhere": ("lay_out_city", ".city == 1", ".city >= 0"),
    "wrecks drive": ("lay_out_moves", "if is_wrecked(s, t, k)", "if False"),
    "everyone looks first": ("reveal", "s.shown[p] != NONE or knight.down", "knight.down"),
    "camps come twice": ("lay_out_turn", "used & USED_CAMP == 0", "True"),
    "less comes out of the bag": ("fill_bag", "range(t.rules.swap)", "range(1)"),
    "the lost keep all": ("points_of", "points * season.kept // 100", "points"),
    "vehicles are wrecked twice over": ("hit_vehicle", "min(chassis, before + many)", "before + many"),
    "nobody dies of Injuries": ("check_life", ">= top_of", "> top_of"),
}


DEADLY = {"land.radiation": "3", "land.contamination": "2", "ship.cutter.hull": "2", "ship.cutter.cost": "0"}


@cache
def deadly() -> tuple[Table, Any, Any]:
    """(table, its tables, its seats): knights who do anything, and mostly die of it."""
    table = season(*KNIGHTS, bot="random", sets=DEADLY, seed=3, difficulty=4, rounds=8)
    tables = table.tables()
    return table, tables.data, table.seats(tables)


@pytest.mark.parametrize("fault", FAULTS)
def test_the_pilot_sees_a_planted_fault(fault: str) -> None:
    (table, t, seats), out, seen = deadly(), blank(GAME.outcome, 1), False
    with RULES.planted(*FAULTS[fault]):
        for game in range(1 if fault == "none" else 5):
            try:
                with Pilot(table, t).watch():
                    RULES["play"]["play_range"](t, seats, table.root, game, game + 1, out)
            except AssertionError:
                seen = True
                break
    assert seen == (fault != "none")
