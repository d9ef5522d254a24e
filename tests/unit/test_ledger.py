"""The ledger: it gives back what was written, and anything else is told as damage."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from experiments import cli
from experiments.config import load_setup
from experiments.ledger import (
    FILE,
    Damaged,
    Ledger,
    Run,
    Trouble,
    counts_wrong,
    extend,
    locked,
    make_folder,
    open_run,
    start_run,
)
from experiments.plan import make_plan
from experiments.runner import execute
from experiments.shards import Span
from simcore.game import play_tally
from simcore.packs import Mistakes
from tests.conftest import Write, play_config, tallies


@pytest.fixture
def run(config: Write, tmp_path: Path) -> Run:
    """A finished run of six cells, each of five chunks."""
    return play_config(config(games=300, chunk=64, seed=2**63 - 1), tmp_path / "results")


@contextmanager
def opened(run: Run) -> Iterator[sqlite3.Connection]:
    """The ledger's file behind the ledger's back; the change is committed."""
    run.close()
    connection = sqlite3.connect(run.folder / FILE)
    yield connection
    connection.commit()
    connection.close()


def test_a_run_opens_as_it_was(run: Run) -> None:
    again = open_run(run.folder)
    assert again.name == run.folder.name and again.name.startswith("toy-")
    assert again.config == run.config and again.config.seed == 2**63 - 1
    assert again.plan.cells == run.plan.cells and again.plan.id == run.plan.id
    assert tallies(again) == tallies(run)
    assert again.finished and again.same_code and again.games == again.plan.games == 1800
    assert again.check() == []


def test_the_manifest_names_versions_and_keeps_the_seed_as_text(run: Run) -> None:
    assert run.ledger.manifest() == run.manifest
    assert run.manifest["seed"] == run.manifest["config"]["seed"] == str(2**63 - 1)
    assert set(run.manifest["versions"]) == {"wastelab", "python", "numba", "numpy"}


def test_a_chunk_lies_where_the_config_cuts(run: Run) -> None:
    for cell in run.plan.cells:
        assert run.done(cell) == [(0, 64), (64, 128), (128, 192), (192, 256), (256, 300)]
        assert run.missing(cell) == []


def test_a_ledger_commits_what_is_older_than_half_a_second(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    cell = run.plan.cells[0].id
    now = [100.0]
    monkeypatch.setattr("experiments.ledger.monotonic", lambda: now[0])
    run.ledger.commit()
    for first, seconds in ((1000, 0.2), (1001, 0.2), (1002, 0.2)):
        now[0] += seconds
        run.ledger.save([(Span(cell, first, first + 1), b"x")])
        on_disk = sqlite3.connect(run.folder / FILE)
        found = on_disk.execute("SELECT count(*) FROM chunks WHERE first >= 1000").fetchone()[0]
        on_disk.close()
        assert found == (3 if first == 1002 else 0)


ONE = "first = 64 AND cell = '{cell}'"
CHANGES = {
    "a chunk is lost": f"DELETE FROM chunks WHERE {ONE}",
    "a chunk is moved": f"UPDATE chunks SET first = first - 1 WHERE {ONE}",
    "a chunk is given away": f"UPDATE chunks SET cell = '{{other}}' || 'x' WHERE {ONE}",
    "a tally is text": f"UPDATE chunks SET tally = 'abc' WHERE {ONE}",
    "a tally is of another chunk": "UPDATE chunks SET tally = (SELECT tally FROM chunks WHERE first = 0 "
    f"AND cell = '{{cell}}') WHERE {ONE}",
    "a sitting is changed": "UPDATE sittings SET games = games - 1",
}


@pytest.mark.parametrize("change", list(CHANGES.values()), ids=list(CHANGES))
def test_a_change_behind_its_back_is_found(run: Run, change: str) -> None:
    cells = run.plan.cells
    with opened(run) as connection:
        connection.execute(change.format(cell=cells[1].id, other=cells[2].id))
    again = open_run(run.folder)
    with suppress(Damaged):
        assert again.check() != []
    if "sittings" not in change and "DELETE" not in change and "|| 'x'" not in change:
        with pytest.raises(Damaged):
            again.tally(cells[1])
        with pytest.raises(Damaged):
            execute(again, 1)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE manifest SET value = replace(value, 'throws', 'thrown')",
        "UPDATE manifest SET value = '\"9\"' WHERE key = 'seed'",
        "DELETE FROM manifest WHERE key = 'code'",
        "DELETE FROM manifest WHERE key = 'checksum'",
        "INSERT INTO manifest VALUES ('more', '1')",
        "UPDATE cells SET games = games + 1 WHERE name = 'swift vs pup'",
        "DELETE FROM cells WHERE name = 'swift vs pup'",
        "DROP TABLE cells",
        "ALTER TABLE manifest RENAME COLUMN value TO valve",
    ],
)
def test_a_changed_manifest_is_never_read(run: Run, change: str) -> None:
    with opened(run) as connection:
        connection.execute(change)
    with pytest.raises(Damaged):
        open_run(run.folder)


REPAIRED = {"UPDATE chunks SET tally = zeroblob(50) WHERE first = 64": 6 * 64} | {
    change: 64 for change in CHANGES.values() if "sittings" not in change
}


@pytest.mark.parametrize("change", list(REPAIRED))
def test_what_is_damaged_is_forgotten_and_played_again_when_asked(run: Run, change: str) -> None:
    reference, cells = tallies(run), run.plan.cells
    with opened(run) as connection:
        connection.execute(change.format(cell=cells[1].id, other=cells[2].id))
    again = open_run(run.folder)
    assert again.repair() == REPAIRED[change]
    assert again.games == 1800 - REPAIRED[change]
    assert execute(again, 1) and tallies(again) == reference and again.check() == []


def test_a_folder_without_a_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(Trouble, match="holds no run"):
        open_run(tmp_path)
    with pytest.raises(Trouble, match="holds no run"):
        open_run(tmp_path / "nowhere")
    (tmp_path / FILE).write_bytes(b"")
    with pytest.raises(Trouble, match="nothing was committed"):
        open_run(tmp_path)
    (tmp_path / FILE).write_bytes(b"no database at all, but long enough to look like one" * 20)
    with pytest.raises(Damaged):
        open_run(tmp_path)


@pytest.mark.parametrize("size", [0.1, 0.5, 0.9])
def test_a_truncated_file_is_damage_and_no_short_run(run: Run, size: float) -> None:
    run.close()
    path = run.folder / FILE
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * size)])
    with pytest.raises(Damaged):
        assert open_run(run.folder).check() == []
        raise AssertionError("nobody noticed")


def test_a_run_killed_at_birth_begins_again(config: Write, tmp_path: Path) -> None:
    plan = make_plan(load_setup(config()))
    folder = make_folder(plan, "toy", tmp_path)
    (folder / FILE).write_bytes(b"")
    run = start_run(plan, "toy", folder)
    assert execute(run, 1) and run.check() == []


def test_a_second_run_in_a_folder_is_refused_while_the_first_is_at_work(tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(Trouble, match="another run"), locked(tmp_path):
        pass
    with locked(tmp_path):
        pass


def test_a_moved_and_renamed_folder_is_still_the_run(run: Run, tmp_path: Path) -> None:
    reference = tallies(run)
    run.close()
    shutil.move(run.folder, tmp_path / "elsewhere ü %20 ?#")
    again = open_run(tmp_path / "elsewhere ü %20 ?#")
    assert tallies(again) == reference


def test_a_run_of_another_format_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("experiments.ledger.FORMAT", 99)
    with pytest.raises(Trouble, match="another version"):
        open_run(run.folder)


def test_a_run_is_not_blamed_where_memory_is_short(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """FR10: no memory to read a run is no other version, and `verify` doesn't call it FAILED."""

    def starved(*rest: object) -> None:
        raise MemoryError("Unable to allocate 2 TiB")

    monkeypatch.setattr("experiments.ledger.restore", starved)
    with pytest.raises(MemoryError):
        open_run(run.folder)
    done = CliRunner().invoke(cli.app, ["verify", str(run.folder)])
    assert done.exit_code == 1 and "FAILED" not in done.stdout and "Unable to allocate 2 TiB" in done.stderr


def test_a_longer_run_is_written_down_at_once_and_played_later(run: Run) -> None:
    before = tallies(run)
    longer = extend(run, 500)
    assert longer.config.games.per_cell == 500 and not longer.finished and longer.check() == []
    run.close()
    again = open_run(run.folder)
    assert again.plan == longer.plan and again.manifest == longer.manifest
    assert again.games == 1800 and again.plan.games == 3000
    assert tallies(again) == before
    assert again.missing(again.plan.cells[0]) == [(300, 500)]
    assert execute(again, 2) and again.finished and again.check() == []
    assert again.done(again.plan.cells[0])[4:] == [(256, 300), (300, 320), (320, 384), (384, 448), (448, 500)]


def test_a_run_can_be_made_shorter_down_to_what_was_played(run: Run) -> None:
    longer = extend(run, 10_000)
    assert extend(extend(longer, 400), 300).finished
    with pytest.raises(Mistakes, match="--games is 299; allowed: 300 or more"):
        extend(longer, 299)


def test_a_change_that_fails_leaves_the_ledger_as_it_was(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Ledger, *arguments: object) -> None:
        raise sqlite3.OperationalError("no more paper")

    monkeypatch.setattr(Ledger, "_describe", broken)
    with pytest.raises((Trouble, AttributeError)):
        extend(run, 500)
    run.close()
    monkeypatch.undo()
    again = open_run(run.folder)
    assert again.finished and again.check() == [] and again.config == run.config


def test_a_ledger_refuses_a_chunk_twice_and_forgets_what_came_with_it(run: Run) -> None:
    cell, other = run.plan.cells[0].id, run.plan.cells[1].id
    run.ledger.save([(Span(cell, 1000, 1064), b"x")])
    with pytest.raises(Damaged):
        run.ledger.save([(Span(other, 1000, 1064), b"x"), (Span(cell, 0, 64), b"x")])
    run.ledger.commit()
    assert run.check() == [] and run.games == 1800


def test_a_folder_that_cannot_be_written_is_told(config: Write, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    plan = make_plan(load_setup(config()))
    with pytest.raises(Trouble, match="cannot make the folder"):
        make_folder(plan, "toy", tmp_path / "file")
    with pytest.raises(Trouble, match="cannot write"):
        Ledger.create(tmp_path / "nowhere", {}, ())


@pytest.mark.parametrize("array", ["games", "endings", "shares"])
def test_a_tally_that_contradicts_itself_is_found(config: Write, tmp_path: Path, array: str) -> None:
    run = play_config(config(game="toy.duel"), tmp_path)
    cell = run.plan.cells[0]
    for first, stop in ((0, 10), (3, 10), (5, 6)):
        tally = play_tally(run.game, run.tables, run.plan.seats(cell), 1, first, stop)
        assert counts_wrong(tally, first, stop) == ""
        assert counts_wrong(tally, first, stop + 1) != ""
        getattr(tally, array)[(0,) * getattr(tally, array).ndim] += 1
        assert counts_wrong(tally, first, stop) != ""
    negative = play_tally(run.game, run.tables, run.plan.seats(cell), 1, 0, 10)
    if array != "games":
        where = getattr(negative, array)
        where[np.unravel_index(0, where.shape)] -= 100
        where[np.unravel_index(1, where.shape)] += 100
        assert counts_wrong(negative, 0, 10) != ""
