"""Marauders of the Great Wastelands over random packs, rulings, settings, gangs and bots: what holds whatever the cards
say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from simcore.game import CAPPED, play
from simcore.gangs.state import STATE
from simcore.kernels import blank
from simcore.streams import STREAM, word
from tests.property.gangs import GAME, SEATS, Table, gangs, tables
from tests.property.referee import RULES, Referee

LOOKS = (Phase.explicit, Phase.generate)
"""No shrinking: a table is told in a few lines, and each try makes a pack and plays it."""

GAMES = 100
WON, SHARED = 0, 1


# ---------------------------------------------------------------- under a referee's eyes


@settings(phases=LOOKS, max_examples=12)
@given(tables())
def test_a_referee_finds_no_fault_in_a_game(table: Table) -> None:
    data, out = table.tables(), blank(GAME.outcome, 1)
    referee = Referee(table, data.data)
    with referee.watch():
        RULES["play"]["play_range"](data.data, table.seats(data), table.root, 0, 1, out)
    assert referee.checks > 10
    assert out.tobytes() == table.play(0, 1).tobytes()


FAULTS = {
    "none": ("join", "s.strength += 1 + follower.might", "s.strength += follower.might + 1"),
    "as strong is enough": ("can_go", "s.strength > place.guard", "s.strength >= place.guard"),
    "fodder of a lair is gone for good": ("lose_fodder", "from_pool(s, t, kind, -many)", "pass"),
    "slaves of a territory are gone for good": ("free_slaves", "from_pool(s, t, SLAVE, -many)", "pass"),
    "plundered loot stays": ("plunder", "s.place[j].loot -= got", "pass"),
    "destroyed loot isn't counted": ("spoil", "s.destroyed += lost", "pass"),
    "loot is no points": ("gain_loot", "s.gang[g].points += many", "pass"),
    "the beaten come home upright": ("knock_out", "enter_lair(s, t, g, card, 1)", "enter_lair(s, t, g, card, 0)"),
    "a guard leaves half of himself": ("step_off", "place.guard -= 1 + t.card[card].guard", "place.guard -= 1"),
    "discards are lost": ("discard", "discard_card(s.gang[g].deck, card)", "pass"),
    "the hired stay in the market": ("take_offer", "s.market -= take_out(s.offer, s.market, card)", "pass"),
    "discards are never shuffled": ("draw", "renew(gang.deck)", "pass"),
    "might is forgotten": ("join", "s.strength += 1 + follower.might", "s.strength += 1"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_referee_sees_a_planted_fault(fault: str) -> None:
    table = gangs("slave_traders", "gentlemen", "hyenas", "patrol", seed=3)
    data, out = table.tables(), blank(GAME.outcome, 1)
    for card in data.data.card[: data.data.cards]:
        card.might += card.gang == 1
        card.guard += card.gang == 1
    seen = False
    with RULES.planted(*FAULTS[fault]):
        for game in range(2):
            try:
                with Referee(table, data.data).watch():
                    RULES["play"]["play_range"](data.data, table.seats(data), table.root, game, game + 1, out)
            except AssertionError:
                seen = True
                break
    assert seen == (fault != "none")


class Gangs(RuleBasedStateMachine):
    """Gangs whose every decision comes from outside, so that they do what no bot would; the referee looks on."""

    @initialize(table=tables())
    def set_up(self, table: Table) -> None:
        """A table is laid."""
        tables = table.tables()
        self.t, seats = tables.data, table.seats(tables)[0]
        self.s, self.stream = blank(STATE), blank(STREAM)
        self.stream.game = word(table.root, 0)
        self.referee, self.picks, self.g = Referee(table, self.t), list[int](), 0
        with self.referee.watch(), RULES.decided(self.pick):
            RULES["setup"]["set_up"](self.s, self.t, self.stream, None, seats)
        self.s.day = 1

    def pick(self, s: Any) -> int:
        """The place of the option that is taken: as told, then the first (which mostly is to do nothing)."""
        return self.picks.pop() % int(s.options) if self.picks else 0

    @rule(picks=st.lists(st.integers(0, 399), min_size=5, max_size=40))
    def play_an_hour(self, picks: list[int]) -> None:
        """An hour with these decisions, and the night after a day."""
        self.picks = picks
        with self.referee.watch(), RULES.decided(self.pick):
            if self.s.places == 0:
                if self.s.sites.left == 0:
                    return
                self.referee.first, self.s.hour = self.g, 0
                RULES["day"]["pass_night"](self.s, self.t, None)
            self.s.hour += 1
            self.s.hours += 1
            RULES["hour"]["play_hour"](self.s, self.t, self.stream, None, self.g)
        self.g = (self.g + 1) % int(self.s.players)


TestGangs = Gangs.TestCase
TestGangs.settings = settings(phases=LOOKS, max_examples=12, stateful_step_count=16)


# ---------------------------------------------------------------- every outcome


@settings(phases=LOOKS, max_examples=40)
@given(tables())
def test_what_holds_of_every_outcome(table: Table) -> None:
    tables = table.tables()
    out, data = play(GAME, tables, table.seats(tables), table.root, 0, GAMES), tables.data
    check_ends(table, data, out)
    check_loot(table, data, out)
    check_seats(table, data, out)
    check_hours(table, data, out)


def check_ends(table: Table, data: Any, out: Any) -> None:
    """Games end, nothing overflows, and a win goes to the most points and then to the most territories (G15-06)."""
    ending, seat, here = out["ending"], out["seat"], at_table(table)
    assert np.isin(ending, (WON, SHARED, CAPPED)).all()
    assert ((ending == CAPPED) == (out["capped_days"] > 0)).all()
    assert (seat["share"].sum(axis=1) == 60).all()
    worth = (seat["score"] * 100 + seat["territories"])[:, here]
    first = worth == worth.max(axis=1, keepdims=True)
    assert (out["tied"] == (first.sum(axis=1) > 1)).all()
    over, share = ending != CAPPED, seat["share"][:, here]
    assert (share[~over] == 60 // here.sum()).all()
    assert (
        share[over & (ending == SHARED)] == (60 * first // first.sum(axis=1, keepdims=True))[ending == SHARED]
    ).all()
    won = ending == WON
    assert (share[won].max(axis=1) == 60).all() and first[won][share[won] == 60].all()
    assert ((out["tied"] == 1) & won).any() <= (data.ruling.ties == 1)
    place = 1 + (worth[:, None, :] > worth[:, :, None]).sum(axis=2)
    assert (seat["place"][:, here] == place)[over & (out["tied"] == 0)].all()


def check_loot(table: Table, data: Any, out: Any) -> None:
    """Loot placed is taken or destroyed; territories are taken, razed or left behind; points are as printed."""
    rules, seat, players = data.rules, out["seat"], at_table(table).sum()
    days = np.stack([out[f"hours_{day}"] for day in (1, 2, 3, 4)], axis=1)
    opened = (days > 0).sum(axis=1) * (players + 1)
    taken, over = seat["loot"].sum(axis=1), out["ending"] != CAPPED
    assert (taken + out["loot_destroyed"] <= rules.loot * opened).all()
    assert (taken + out["loot_destroyed"] == rules.loot * opened)[over].all()
    assert (seat["territories"].sum(axis=1) + out["razed"] <= opened).all()
    kinds = np.stack([seat[f"kind_{kind}"] for kind in range(1, 7)], axis=2)
    assert (kinds.sum(axis=2) == seat["territories"]).all()
    assert (seat["sets"] == kinds.min(axis=2)).all()
    types = (kinds > 0).sum(axis=2)
    worth = rules.first_of_type * types + rules.more_of_type * (seat["territories"] - types)
    assert (seat["score"] == seat["loot"] + worth).all()


def check_seats(table: Table, data: Any, out: Any) -> None:
    """Counts agree with each other, and empty chairs do nothing."""
    seat, here = out["seat"], at_table(table)
    assert ((seat["role"] >= 0) == here).all()
    names = [column.name for column in GAME.seat_columns]
    for name in ("score", "share", *names):
        assert (seat[name] >= 0).all() and (seat[name][:, ~here] == 0).all(), name
    assert (seat["conquered"] <= seat["seized"]).all()
    assert (seat["conquered"].sum(axis=1) == seat["lost"].sum(axis=1)).all()
    made, spent = (seat[name].sum(axis=1) for name in ("fodder_made", "fodder_spent"))
    assert ((made >= spent) & (made - spent <= data.rules.fodder)).all()
    assert (seat["fodder_spent"] <= seat["fodder_made"]).all(), "fodder doesn't change hands"
    assert (seat["began"].sum(axis=1) == 1).all() and (seat["began"][:, table.first] == 1).all()
    assert (sum(seat[f"led_{day}"] for day in (1, 2, 3)).sum(axis=1) <= 3).all()


def check_hours(table: Table, data: Any, out: Any) -> None:
    """Hours go round the table without a break, from the first player on (G13-02, G13-03)."""
    players, most = at_table(table).sum(), table.settings["most_hours"]
    days = np.stack([out[f"hours_{day}"] for day in (1, 2, 3, 4)], axis=1)
    assert (out["rounds"] == days.sum(axis=1)).all() and (days <= most * players).all()
    planned = data.rules.first_days if data.table.first_game else data.rules.days
    assert ((days > 0).sum(axis=1) == planned)[out["ending"] != CAPPED].all()
    assert ((days == most * players).any(axis=1) | (out["ending"] != CAPPED)).all()
    chairs = [(table.first + i) % SEATS for i in range(SEATS)]
    for g, chair in enumerate(chair for chair in chairs if table.lineup[chair]):
        assert (out["seat"]["hours"][:, chair] == (out["rounds"] - g + players - 1) // players).all()


def at_table(table: Table) -> Any:
    """Which chairs are taken."""
    return np.array([name != "" for name in table.lineup])
