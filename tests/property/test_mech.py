"""The Waste of Parts over random packs, rulings, settings, crews and bots: what holds whatever the cards say."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from simcore.game import OVERFLOW, play
from simcore.kernels import blank, plain
from simcore.mech.state import MECH
from simcore.streams import STREAM, word
from tests.property.crews import GAME, MEMBERS, SEATS, Table, crew, tables
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


# ---------------------------------------------------------------- the same game, whoever asks and how


@settings(phases=LOOKS, max_examples=25)
@given(tables(), st.integers(1, GAMES - 1))
def test_chunks_do_not_matter(table: Table, cut: int) -> None:
    games = table.ready()
    whole = games(0, GAMES)
    assert games(0, cut).tobytes() + games(cut, GAMES).tobytes() == whole.tobytes()
    assert games(cut, cut + 1).tobytes() == whole[cut : cut + 1].tobytes()


@settings(phases=LOOKS, max_examples=30)
@given(tables(), st.permutations(range(SEATS)), st.integers(0, SEATS - 1))
def test_renaming_seats_permutes_the_outcomes(table: Table, chairs: list[int], turn: int) -> None:
    """The crew sits down on other chairs, in the same order round the table and with the same first player."""
    data = table.tables()
    seats = table.seats(data)
    sitting = [seat for seat, name in enumerate(table.lineup) if name]
    taken = sorted(chairs[: len(sitting)])
    taken = taken[turn % len(taken) :] + taken[: turn % len(taken)]
    renamed = seats.copy()
    renamed["role"], renamed["first"] = -1, taken[sitting.index(table.first)]
    for name in ("role", "bot", "member"):
        renamed[name][:, taken] = seats[name][:, sitting]
    one, other = (play(GAME, data, row, table.root, 0, GAMES) for row in (seats, renamed))
    assert np.array_equal(one["seat"][:, sitting], other["seat"][:, taken])
    for name in [column.name for column in GAME.game_columns] + ["ending", "rounds"]:
        assert np.array_equal(one[name], other[name]), name


SAME = [
    (size, boss, bot) for size in range(1, SEATS + 1) for boss, bot in ((0, "regular"), (1, "random"), (2, "strong"))
]


@pytest.mark.parametrize(("size", "boss", "bot"), SAME)
def test_plain_and_compiled_games_are_the_same_bytes(size: int, boss: int, bot: str) -> None:
    near = {"mech.goal": "6"} if boss else {}
    table = crew(*MEMBERS[size : 2 * size], bot=bot, sets=near, boss=boss, events=1, seed=size, most_rounds=25)
    data, out = table.tables(), blank(GAME.outcome, 1)
    plain(GAME.play_range)(data.data, table.seats(data), table.root, 5, 6, out)
    assert out.tobytes() == table.play(5, 6).tobytes() == table.play(0, 9)[5:6].tobytes()


# ---------------------------------------------------------------- memory that was never written


def sample_digest() -> str:
    """A hash of what some games come to, and of whether fresh memory was dirty."""
    dirty = np.empty(1_000_000, np.uint8).any()
    crews = [crew(*MEMBERS[size:6], bot=bot, boss=boss, events=1) for size, bot, boss in
             ((1, "random", 0), (2, "regular", 1), (3, "strong", 2))]  # fmt: skip
    return f"{dirty} {hashlib.sha256(b''.join(table.play(0, 200).tobytes() for table in crews)).hexdigest()}"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks glibc for dirty memory")
def test_garbage_in_memory_decides_nothing() -> None:
    """A process whose fresh memory is full of garbage gives the same outcomes."""
    command = [sys.executable, "-c", "from tests.property.test_mech import sample_digest as d; print(d())"]
    told = subprocess.run(
        command, env={**os.environ, "MALLOC_PERTURB_": "90"}, cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    if told[0] == "False":
        pytest.skip("this C library doesn't fill fresh memory")
    assert told[1] == sample_digest().split()[1]


def test_a_game_leaves_nothing_to_the_next() -> None:
    """Memory is used again game after game; a game that began with another's traces would differ."""
    for table in (crew(*MEMBERS[:4], events=1, boss=2), crew(*MEMBERS[4:9], bot="random", boss=1)):
        games = table.ready()
        alone = b"".join(games(game, game + 1).tobytes() for game in range(60))
        assert alone == games(0, 60).tobytes()
