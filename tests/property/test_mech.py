"""The Waste of Parts over random packs, rulings, settings, crews and bots: what holds whatever the cards say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from simcore.game import OVERFLOW
from simcore.kernels import blank
from simcore.mech.state import MECH
from simcore.streams import STREAM, word
from tests.property.crews import GAME, Table, tables
from tests.property.umpire import RULES, Umpire

LOOKS = (Phase.explicit, Phase.generate)
"""No shrinking: a table is told in a few lines, and each try makes a pack and plays it."""

ROOT = Path(__file__).parents[2]
GAMES = 100
ENDINGS = [ending.name for ending in GAME.endings]
KINDS = np.array([ending.kind for ending in GAME.endings])


# ---------------------------------------------------------------- under an umpire's eyes


@settings(phases=LOOKS, max_examples=25)
@given(tables())
def test_an_umpire_finds_no_fault_in_a_game(table: Table) -> None:
    data, out = table.tables(), blank(GAME.outcome, 1)
    umpire = Umpire(table, data.data)
    with umpire.watch():
        RULES["play"]["play_range"](data.data, table.seats(data), table.root, 0, 1, out)
    assert umpire.checks > 3
    assert out.tobytes() == table.play(0, 1).tobytes()


class Crews(RuleBasedStateMachine):
    """A crew whose every decision comes from outside, so that it does what no bot would; the umpire looks on."""

    @initialize(table=tables())
    def set_up(self, table: Table) -> None:
        """A table is laid."""
        tables = table.tables()
        self.t, seats = tables.data, table.seats(tables)[0]
        self.s, self.stream = blank(MECH), blank(STREAM)
        self.stream.game = word(table.root, 0)
        self.umpire, self.picks = Umpire(table, self.t), list[int]()
        with self.umpire.watch(), RULES.decided(self.pick):
            RULES["setup"]["set_up"](self.s, self.t, self.stream, None, seats)

    def pick(self, s: Any) -> int:
        """The place of the option that is taken: as told, then the first (which ends a turn)."""
        return self.picks.pop() % int(s.options) if self.picks else 0

    @rule(picks=st.lists(st.integers(0, 399), min_size=5, max_size=40))
    def play_a_round(self, picks: list[int]) -> None:
        """A round with these decisions, unless the game is over."""
        if self.s.over == 1:
            return
        self.picks = picks
        with self.umpire.watch(), RULES.decided(self.pick):
            RULES["play"]["play_round"](self.s, self.t, self.stream, None)


TestCrews = Crews.TestCase
TestCrews.settings = settings(phases=LOOKS, max_examples=12, stateful_step_count=6)


# ---------------------------------------------------------------- every outcome


@settings(phases=LOOKS, max_examples=50)
@given(tables())
def test_what_holds_of_every_outcome(table: Table) -> None:
    out = table.play(0, GAMES)
    assert table.wide or not (out["ending"] == OVERFLOW).any()
    out = out[out["ending"] != OVERFLOW]
    check_ends(table, out)
    check_counts(table, out)
    check_seats(table, out)


def check_ends(table: Table, out: Any) -> None:
    """Endings agree with the dials, and games end."""
    pack, ending, boss = table.pack(), np.array(ENDINGS)[out["ending"]], table.settings["boss"]
    mech = pack.cards["mech"][""]
    assert set(ending) <= {"capped", "hull", "crew_down", "boss_beaten" if boss else "sanctuary"}
    assert ((out["rounds"] >= 0) & (out["rounds"] <= table.settings["most_rounds"])).all()
    assert (out["rounds"][ending == "capped"] == table.settings["most_rounds"]).all()
    assert ((out["hull"] == 0) == (ending == "hull")).all()
    assert (out["distance"][KINDS[out["ending"]] == "won"] >= mech.goal).all()
    assert ((out["distance"] >= 0) & (out["level"] >= 1) & (out["level"] <= 3)).all()
    assert (out["downs"][ending == "crew_down"] >= len([name for name in table.lineup if name])).all()


def check_counts(table: Table, out: Any) -> None:
    """Counts agree with each other."""
    for level in (1, 2, 3):
        assert (out[f"spawned_{level}"] >= out[f"destroyed_{level}"]).all()
        assert (out[f"destroyed_{level}"] >= 0).all()
    assert (out["stood_still"] <= out["rounds"]).all()
    blocked = np.stack([out[name] for name in ("by_engines", "by_cockpit", "by_wastes")])
    assert (blocked <= out["stood_still"]).all() and (blocked.sum(axis=0) >= out["stood_still"]).all()
    assert (out["fuelled"] <= 2 * out["rounds"]).all()
    mech = table.pack().cards["mech"][""]
    paid = out["scrap_used"] - mech.recycle_scrap * out["recycled"]
    assert (paid >= min(mech.reinforce_scrap, mech.ready_scrap) * out["reinforced"]).all()
    assert (out["downs"] == out["seat"]["downs"].sum(axis=1)).all()


def check_seats(table: Table, out: Any) -> None:
    """The crew wins or loses as one, and empty chairs do nothing."""
    seat, here = out["seat"], np.array([name != "" for name in table.lineup])
    won = (KINDS[out["ending"]] == "won")[:, None]
    assert (seat["share"] == 60 * (won & here)).all()
    assert (seat["score"] == out["distance"][:, None] * here).all()
    assert ((seat["role"] >= 0) == here).all()
    for name in ("downs", "revives", "kills", "dealt", "hurt", "mended", "moved", "unused", "items"):
        assert (seat[name] >= 0).all() and (seat[name][:, ~here] == 0).all(), name
    assert (seat["revives"].sum(axis=1) <= seat["downs"].sum(axis=1)).all()
    assert (seat["hurt"] >= seat["downs"]).all()
    assert (seat["items"] <= 6).all()
