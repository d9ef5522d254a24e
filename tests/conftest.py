"""What tests of the experiments share: the toy games, a small config, and a way to play it without a command
line. And how the whole suite is spread over the cores.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TextIO

import pytest

from experiments.config import load_setup
from experiments.ledger import Run, locked, make_folder, start_run
from experiments.plan import make_plan
from experiments.ready import Scheduler
from experiments.runner import execute
from tests import toys
from tests.warm import warm_all

toys.register()


# ---------------------------------------------------------------- workers


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """A worker for each core, up to four, where whole folders are tested; for less it isn't worth their start."""
    few = config.getoption("keyword") or not all(Path(arg).is_dir() for arg in config.args)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return 0 if few or cores < 2 else min(cores, 4)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the rules and the solver of every game before workers start, as they must not all write them into the
    cache. The property tests solve nothing.
    """
    if session.config.getoption("numprocesses", None):
        warm_all(solvers=[Path(arg).name for arg in session.config.args] != ["property"])


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that run alone come last, when other workers have little left to do."""
    items.sort(key=alone)


def alone(item: pytest.Item | None) -> bool:
    """Whether a test is marked to run alone."""
    return item is not None and item.get_closest_marker("alone") is not None


LOCK = pytest.StashKey[TextIO]()


def _lock(run: str) -> TextIO:
    """A file by which the workers of a run of the suite wait for each other."""
    return (Path(tempfile.gettempdir()) / f"wastelab-tests-{run}.lock").open("w")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, object, object]:
    """A test that is marked to run alone waits until no worker is at another one, and keeps them waiting; so do those
    right after it, without a further wait.
    """
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    if run is None:
        return (yield)
    import fcntl

    lock = item.config.stash.get(LOCK, None) or _lock(run)
    item.config.stash[LOCK] = lock
    fcntl.flock(lock, fcntl.LOCK_EX if alone(item) else fcntl.LOCK_SH)
    try:
        return (yield)
    finally:
        if not (alone(item) and alone(nextitem)):
            fcntl.flock(lock, fcntl.LOCK_UN)


# ---------------------------------------------------------------- runs

TOY = """
title = "Who throws best?"
seed = {seed}
game = "{game}"

[games]
per_cell = {games}
chunk = {chunk}
"""

Write = Callable[..., Path]


@pytest.fixture
def config(tmp_path: Path) -> Write:
    """Writes a small config: `config(game="toy.duel", games=100, chunk=64, seed=1, more="")` -> its path."""

    def write(game: str = "toy.fight", games: int = 300, chunk: int = 64, seed: int = 1, more: str = "") -> Path:
        path = tmp_path / "toy.toml"
        path.write_text(TOY.format(game=game, games=games, chunk=chunk, seed=seed) + more, encoding="utf-8")
        return path

    return write


@pytest.fixture
def unpainted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves the pictures of reports blank, where a test is about other things: to draw them takes most of the time
    of a small run.
    """
    monkeypatch.setattr("experiments.pages.drawn", lambda draw, narrow: ("data:image/svg+xml;base64,", 640))


def play_config(
    path: Path, out: Path, jobs: int = 1, sets: tuple[str, ...] = (), scheduler: Scheduler | None = None
) -> Run:
    """Plays a config to its end and gives the run."""
    plan = make_plan(load_setup(path, sets))
    folder = make_folder(plan, path.stem, out)
    with locked(folder):
        run = start_run(plan, path.stem, folder)
        assert execute(run, jobs, scheduler=scheduler)
    return run


def tallies(run: Run) -> dict[str, bytes]:
    """The bytes of every cell's tally, by the cell's id."""
    return {cell.id: run.tally(cell).to_bytes() for cell in run.plan.cells}
