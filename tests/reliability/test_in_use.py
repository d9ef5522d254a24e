"""FB8: a run that another process is at work on is in use, not damaged: every command says so in one line, with an exit
code of its own, and leaves everything as it was.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from experiments import foreign
from experiments.ledger import FILE, InUse, Ledger, Trouble, locked, open_run
from experiments.terminal import IN_USE
from tests.reliability.commands import wastelab

COMMANDS = ("verify", "report", "resume", "compare", "run")


@pytest.fixture
def room(original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of a run's folder, whose locks nobody waits for."""
    monkeypatch.setattr(foreign, "TIMEOUT", 0.05)
    return Path(shutil.copytree(original, tmp_path / "results" / original.name))


@contextmanager
def a_program(folder: Path) -> Iterator[None]:
    """Another program that has a ledger locked, as a browser of databases does."""
    connection = sqlite3.connect(folder / FILE, isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        connection.close()


@contextmanager
def a_writer(folder: Path) -> Iterator[None]:
    """Another program that is about to write, while reading still goes."""
    connection = sqlite3.connect(folder / FILE, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        connection.close()


def arguments(name: str, original: Path, room: Path) -> list[object]:
    """A command on a run, and what it needs besides."""
    more = {"compare": [original, room], "run": [original.parents[1] / "toy.toml", "--out", room.parent]}
    return [name, *more.get(name, [room])]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_locked_ledger_is_in_use_and_not_damaged(original: Path, room: Path, name: str) -> None:
    """FB8: `verify` called a locked ledger FAILED."""
    before = sorted(room.parent.rglob("*"))
    with a_program(room):
        code, out, err = wastelab(*arguments(name, original, room))
    assert code == IN_USE == 75
    assert "in use" in err and "try again" in err and err.count("\n") == 1
    assert "FAILED" not in out and "wrong" not in out + err and "damaged" not in out + err
    assert sorted(room.parent.rglob("*")) == before


@pytest.mark.parametrize("name", COMMANDS)
def test_a_folder_where_a_run_is_at_work_is_in_use(original: Path, room: Path, name: str) -> None:
    """FB8: while a run is played, `verify` finds it unfinished, and reports would be of half of it."""
    with locked(room):
        code, out, err = wastelab(*arguments(name, original, room))
    assert code == IN_USE and "in use" in err and "try again" in err and err.count("\n") == 1
    assert "FAILED" not in out
    assert not (room / "report.html").exists()


def test_those_who_only_read_keep_writers_out_and_not_one_another(room: Path) -> None:
    """FB8: two checks of a run at once are well, a run that is played meanwhile is not."""
    with locked(room, shared=True):
        with locked(room, shared=True):
            pass
        with pytest.raises(InUse, match="another run"), locked(room):
            pass
    with locked(room):
        pass


def test_who_reads_a_ledger_that_another_is_about_to_change_is_not_stopped(room: Path) -> None:
    """FB8: only what would have to wait is in use."""
    assert wastelab("report", room)[0] == 0
    with a_writer(room):
        assert wastelab("verify", room)[0] == 0
        code, _, err = wastelab("report", room)
    assert code == IN_USE and "in use" in err


def test_a_lock_that_comes_in_the_midst_is_in_use_too(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FB8: the ledger is opened, and then another program locks it."""
    integrity = Ledger.integrity

    def looked_at(self: Ledger) -> list[str]:
        with a_program(room):
            return integrity(self)

    monkeypatch.setattr(Ledger, "integrity", looked_at)
    code, out, err = wastelab("verify", room)
    assert code == IN_USE and "in use" in err and "FAILED" not in out


@pytest.mark.parametrize("name", ["verify", "report", "compare", "resume"])
def test_a_folder_that_is_not_there_is_said_to(room: Path, tmp_path: Path, name: str) -> None:
    """FB8: locks are taken on folders; one that isn't there, or can't be, is no error of ours."""
    (tmp_path / "file").touch()
    for odd in (tmp_path / "nowhere", tmp_path / "file", tmp_path / ("x" * 300)):
        code, out, err = wastelab(*arguments(name, room, odd))
        assert code == 1 and "WASTELAB_DEBUG" not in err + out
        assert "no folder" in err + out or "holds no run" in err + out


def half_written(folder: Path) -> None:
    """Leave a ledger as a run that was killed within a commit does: with a journal of pages to be put back."""
    spare = folder.with_name("spare")
    connection = sqlite3.connect(folder / FILE, isolation_level=None)
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("PRAGMA cache_spill = 1")
    connection.execute("BEGIN EXCLUSIVE")
    connection.execute("DELETE FROM chunks")
    connection.execute("INSERT INTO written VALUES ('x', ?)", ("y" * 500_000,))
    shutil.copytree(folder, spare)
    connection.close()
    shutil.rmtree(folder)
    spare.rename(folder)
    assert (folder / f"{FILE}-journal").stat().st_size > 512


def test_what_was_left_half_written_is_undone_first(room: Path) -> None:
    """FB8: after a kill within a commit, the ledger is as it was committed last."""
    half_written(room)
    opened = open_run(room)
    assert opened.finished and opened.check() == []
    opened.close()


def test_what_cannot_be_undone_where_nothing_may_be_written_is_said(
    room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FB8: on a medium that can't be written, such a ledger is neither damaged nor to be "written"."""
    half_written(room)
    connect = sqlite3.connect

    def reading(name: str, *rest: object, **more: object) -> sqlite3.Connection:
        return connect(str(name).replace("mode=rw", "mode=ro"), *rest, **more)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(sqlite3, "connect", reading)
    with pytest.raises(Trouble, match="can't be read where nothing may be written") as caught:
        open_run(room)
    assert "damaged" not in str(caught.value) and "cannot write" not in str(caught.value)


def test_a_sound_ledger_is_read_where_nothing_may_be_written(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FB8: on such a medium a run can be verified."""
    assert wastelab("report", room)[0] == 0
    connect = sqlite3.connect

    def reading(name: str, *rest: object, **more: object) -> sqlite3.Connection:
        return connect(str(name).replace("mode=rw", "mode=ro"), *rest, **more)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(sqlite3, "connect", reading)
    code, out, err = wastelab("verify", room)
    assert code == 0 and "VERIFIED" in out, err
    code, _, err = wastelab("report", room)
    assert code == 1 and "cannot write" in err and "WASTELAB_DEBUG" not in err
