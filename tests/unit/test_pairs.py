"""A variant beside its baseline: counts that can be made again from single games, in any order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.ledger import Run, open_run
from experiments.pairs import DRAWN, FIRST, VALUES, Pairs, play_pairs
from experiments.runner import outcome_of
from experiments.stats import FIELD, summary
from experiments.stopping import worth_of
from tests.conftest import Write, play_config, tallies

BOLD = "\n[[variant]]\nname = 'bold'\nset = { bots.runner = 'bold' }\n"


def shares(run: Run, cell: object, game: int) -> list[int]:
    """The value of each member of a lineup in one game, from its outcome alone."""
    numbers = outcome_of(run, cell, game)  # type: ignore[arg-type]
    columns = [(seat, column.name) for seat, column in run.game.columns()]
    seats = run.plan.places(run.plan.cells[0])[game % run.plan.seatings]
    kind = run.game.endings[numbers[0]].kind
    drawn = kind == "draw" and not run.game.sides[0].least
    return [DRAWN if drawn else numbers[columns.index((int(seat), "share"))] for seat in seats]


@pytest.fixture(params=["toy.fight", "toy.duel", "toy.ring", "toy.table", "toy.crew"])
def run(request: pytest.FixtureRequest, config: Write, tmp_path: Path) -> Run:
    return play_config(config(game=request.param, games=300, chunk=70, more=BOLD), tmp_path / "results", 2)


def test_pairs_are_those_of_the_games_played_one_by_one(run: Run) -> None:
    base, cell = run.plan.cells[0], next(cell for cell in run.plan.cells if cell.variant)
    assert cell.lineup == base.lineup and cell.group == base.group and cell.id != base.id
    joint, changed = np.zeros((run.game.players, VALUES, VALUES), np.int64), []
    for game in range(cell.games):
        ours, theirs = shares(run, base, game), shares(run, cell, game)
        for member, pair in enumerate(zip(ours, theirs, strict=True)):
            joint[(member, *pair)] += 1
        changed += [game] if ours != theirs else []
    pairs = run.pairs(cell)
    for member in range(run.game.players):
        assert (pairs.joint(member) == joint[member]).all()
    assert pairs.changed == len(changed) > 0 and list(pairs.first) == changed[:FIRST]
    assert len(run.pairs(base).keys) == 0


def test_rows_of_a_variant_are_those_of_its_pairs(run: Run) -> None:
    table = summary(run)
    own = table[(table.variant == "bold") & (table.cell != FIELD)]
    for cell in (one for one in run.plan.cells if one.variant):
        base = next(one for one in run.plan.cells if one.lineup == cell.lineup and not one.variant)
        for member, role in enumerate(cell.lineup):
            side = run.game.side_of(member)
            rows = own[(own.cell == cell.id) & (own.role == role) & (own.side == side.key)].set_index("measure").value
            other = table[(table.cell == base.id) & (table.role == role) & (table.side == side.key)]
            shared = other.set_index("measure").value
            assert rows["difference"] == pytest.approx(rows["share"] - shared["share"], abs=1e-12)
            joint, worth = run.pairs(cell).joint(member), worth_of(run, side)
            assert rows["difference"] == pytest.approx((joint * (worth - worth[:, None])).sum() / joint.sum())
    assert set(table[table.measure == "saved"].variant) == {"bold"}
    assert (table[table.variant == ""].measure != "difference").all()


def test_the_baseline_of_a_variant_is_that_of_a_run_without_it(config: Write, tmp_path: Path, run: Run) -> None:
    game = run.game.name
    alone = tallies(play_config(config(game=game, games=300), tmp_path / "alone"))
    changed = tallies(play_config(config(game=game, games=300), tmp_path / "bold", sets=("bots.runner=bold",)))
    base = {cell.id: run.tally(cell).to_bytes() for cell in run.plan.cells if not cell.variant}
    assert base == alone
    assert sorted(run.tally(cell).to_bytes() for cell in run.plan.cells if cell.variant) == sorted(changed.values())


def test_pairs_survive_a_ledger_and_any_cut(run: Run, config: Write, tmp_path: Path) -> None:
    run.close()
    again = open_run(run.folder)
    whole = play_config(config(game=run.game.name, games=300, chunk=300, more=BOLD), tmp_path / "whole")
    for cell in whole.plan.cells:
        ours, theirs = again.pairs(cell.id), whole.pairs(cell)
        assert ours.to_bytes() == theirs.to_bytes() and again.tally(cell.id).to_bytes() == whole.tally(cell).to_bytes()
    assert again.check() == []


def test_a_variant_that_decides_no_game_is_said_to(config: Write, tmp_path: Path) -> None:
    more = "\n[[variant]]\nname = 'rout'\nset = { 'rules.rout' = 4 }\n"
    run = play_config(config(more=more), tmp_path)
    table = summary(run)
    rows = table[(table.variant == "rout") & (table.cell == FIELD)]
    assert (rows[rows.measure == "difference"].value == 0).all()
    assert rows[rows.measure == "difference"].high.isna().all(), "no interval where no spread was seen (FN2)"
    assert rows[rows.measure == "saved"].value.isna().all()
    from experiments.contrasts import told

    assert list(told(rows)) == ["No difference in 1,800 games: nobody's share changed in any of them."]


@st.composite
def parts(draw: st.DrawFn) -> list[Pairs]:
    """Counts of several ranges of games of two members."""
    found = []
    for start in range(0, draw(st.integers(1, 4)) * 100, 100):
        size = draw(st.integers(1, 9))
        keys = draw(st.lists(st.integers(0, 2 * VALUES * VALUES - 1), min_size=size, max_size=size, unique=True))
        first = sorted(draw(st.sets(st.integers(start, start + 99), max_size=FIRST)))
        counts = np.array(draw(st.lists(st.integers(1, 99), min_size=size, max_size=size)), np.int64)
        found.append(Pairs(2, np.array(sorted(keys), np.int64), counts, len(first), tuple(first)))
    return found


@given(parts(), st.randoms(use_true_random=False))
def test_pairs_add_up_in_any_order_and_read_back(found: list[Pairs], chance: object) -> None:
    forward, shuffled = Pairs.empty(2), Pairs.empty(2)
    for one in found:
        forward.add(one)
    chance.shuffle(found)  # type: ignore[attr-defined]
    for one in found:
        shuffled.add(one)
    assert forward.to_bytes() == shuffled.to_bytes()
    assert Pairs.from_bytes(forward.to_bytes()).to_bytes() == forward.to_bytes()
    assert sum(forward.joint(member).sum() for member in (0, 1)) == forward.counts.sum()


@pytest.mark.parametrize("blob", [b"", b"1", b"\x01" * 8, bytes(16), (99).to_bytes(8, "little") * 4])
def test_other_bytes_are_no_pairs(blob: bytes) -> None:
    with pytest.raises(ValueError):
        Pairs.from_bytes(blob)


def test_counts_that_contradict_themselves_are_found(run: Run) -> None:
    cell = next(cell for cell in run.plan.cells if cell.variant)
    worlds = run.plan.setup.worlds
    tables = worlds.of().tables, run.plan.tables(cell)
    seats = run.plan.seats(run.plan.cells[0]), run.plan.seats(cell)
    _, good = play_pairs(run.game, tables, seats, run.plan.root(cell), 0, 60)
    assert good.wrong(60) == "" and good.wrong(59)
    for field, value in (("counts", good.counts + 1), ("keys", good.keys - 10**6), ("changed", 61), ("first", (3, 1))):
        wrong = Pairs.from_bytes(good.to_bytes())
        setattr(wrong, field, value)
        assert wrong.wrong(60), field
