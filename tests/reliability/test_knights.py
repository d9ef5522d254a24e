"""The real game gives the same numbers however it is played: workers, chunks, processes, kills, compiled or not."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from experiments.config import load_setup
from experiments.ledger import Run, make_folder, open_run, start_run
from experiments.plan import make_plan
from experiments.runner import execute
from tests.conftest import tallies
from tests.reliability.commands import ROOT, chunks_on_disk, kill, start, wait_for_chunks, wastelab
from tests.reliability.test_kill import EAGER

pytestmark = pytest.mark.usefixtures("unpainted")
CONFIG = """
title = "two knights, three enemies"
seed = 5
game = "{game}"
[lineup]
knights = {knights}
{enemies}
[games]
per_cell = {games}
chunk = {chunk}
[runner]
backend = "{parallel}"
"""
KNIGHTS = '["chris_hammersworn", "david_mayhem"]'
ENEMIES = 'enemies = ["hell_raiders", "digger_2_0", "silent_howler"]'


def played(
    folder: Path, game: str = "knights.fight", jobs: int = 1, chunk: int = 3_000, parallel: str = "threads",
    knights: str = KNIGHTS, games: int = 6_000,
) -> Run:  # fmt: skip
    """A finished run of a few cells."""
    folder.mkdir(parents=True)
    path = folder / "config.toml"
    enemies = ENEMIES if game == "knights.fight" else ""
    text = CONFIG.format(game=game, knights=knights, enemies=enemies, games=games, chunk=chunk, parallel=parallel)
    path.write_text(text, encoding="utf-8")
    plan = make_plan(load_setup(path, ()))
    run = start_run(plan, "config", make_folder(plan, "config", folder))
    assert execute(run, jobs)
    return run


@pytest.mark.parametrize("game", ["knights.fight", "knights.duel"])
def test_workers_and_chunks_decide_nothing(tmp_path: Path, game: str) -> None:
    """One, two and three jobs, three chunk sizes."""
    reference = tallies(played(tmp_path / "one", game))
    for jobs, chunk in ((1, 500), (2, 1_234), (3, 100_000)):
        assert tallies(played(tmp_path / f"{jobs}", game, jobs, chunk)) == reference


@pytest.mark.parametrize("after", [1, 40])
def test_a_killed_run_goes_on_to_the_same_tallies(tmp_path: Path, after: int) -> None:
    """kill -9 once some chunks are on disk, then resume."""
    whole = played(tmp_path / "whole", games=20_000, chunk=1_000)
    out = tmp_path / "killed"
    process = start("run", tmp_path / "whole" / "config.toml", "--out", out, "--jobs", 2, before=EAGER)
    wait_for_chunks(process, out, after)
    kill(process)
    assert after <= chunks_on_disk(out) < 6 * 20
    (folder,) = out.iterdir()
    code, _, told = wastelab("resume", folder, "--jobs", 2)
    assert code == 0, told
    finished = open_run(folder)
    assert tallies(finished) == tallies(whole) and finished.check() == []


def test_processes_give_the_same_tallies(tmp_path: Path) -> None:
    """Processes take names and numbers, make their own tables, and count the same."""
    threads = tallies(played(tmp_path / "threads", jobs=2))
    assert tallies(played(tmp_path / "processes", jobs=2, parallel="processes")) == threads


def test_runs_that_share_cells_agree_on_them(tmp_path: Path) -> None:
    """One knight alone against the same enemies."""
    whole = tallies(played(tmp_path / "whole"))
    part = tallies(played(tmp_path / "part", knights='["david_mayhem"]'))
    assert len(part) == 3
    assert part.items() <= whole.items()


PRINT_TALLIES = """
import sys
from pathlib import Path
from tests.reliability.test_knights import few
print(few(Path(sys.argv[1])))
"""


def few(folder: Path) -> str:
    """A hash of what a few games of each cell come to."""
    found = tallies(played(folder, games=5, chunk=2))
    return hashlib.sha256(repr(sorted(found.items())).encode()).hexdigest()


def test_compiled_or_not(tmp_path: Path) -> None:
    """The same source without compiling counts the same."""
    command = [sys.executable, "-c", PRINT_TALLIES, str(tmp_path / "plain")]
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=env, check=True)
    assert done.stdout.strip() == few(tmp_path / "compiled")
