"""A run that is killed, stopped or loses a worker goes on where it was, and its tallies are the same to the
byte.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from experiments.ledger import Damaged, Trouble, open_run
from tests.conftest import Write, play_config, tallies
from tests.reliability.commands import chunks_on_disk, finish, kill, start, wait_for_chunks, wastelab

pytestmark = pytest.mark.usefixtures("unpainted")
SLOW = "\n[table]\nthrows = 20\n"
BIG = {"games": 200_000, "chunk": 5_000, "more": SLOW}
CHUNKS = 6 * 40
EAGER = """
import time
from experiments import ledger
ledger.COMMIT_SECONDS, save = 0, ledger.Ledger.save
ledger.Ledger.save = lambda self, *row: (save(self, *row), time.sleep(0.008))
"""
"""Commit each tally and then take a breath, so that a run can be killed between any two of them."""


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What a run that nobody disturbs gives."""
    folder = tmp_path_factory.mktemp("reference")
    path = folder / "toy.toml"
    games = f"[games]\nper_cell = {BIG['games']}\nchunk = 100_000\n"
    path.write_text(f"title = 'x'\nseed = 1\ngame = 'toy.fight'\n{games}{SLOW}")
    return tallies(play_config(path, folder, 2))


def only(folder: Path) -> Path:
    (found,) = folder.iterdir()
    return found


@pytest.mark.parametrize(
    ("after", "parallel"),
    [
        (-1, "threads"),
        (0, "threads"),
        (1, "threads"),
        (CHUNKS // 3, "threads"),
        (CHUNKS - 90, "threads"),
        (CHUNKS // 3, "processes"),
    ],
)
def test_a_killed_run_goes_on_to_the_same_tallies(
    config: Write, tmp_path: Path, reference: dict[str, bytes], after: int, parallel: str
) -> None:
    path = config(**{**BIG, "more": f"{SLOW}\n[runner]\nbackend = '{parallel}'\n"})
    out = tmp_path / "results"
    run = ("run", path, "--out", out, "--jobs", 2)
    process = start(*run, before=EAGER)
    wait_for_chunks(process, out, after)
    kill(process)
    left = chunks_on_disk(out)
    assert max(after, -1) <= left < CHUNKS
    if left < 0:
        assert wastelab(*run)[0] == 0
    else:
        code, _, told = wastelab("resume", only(out), "--jobs", 2)
        assert code == 0, told
    finished = open_run(only(out))
    assert tallies(finished) == reference and finished.check() == []


def test_a_run_killed_again_and_again_gets_there(config: Write, tmp_path: Path, reference: dict[str, bytes]) -> None:
    path, out = config(**BIG), tmp_path / "results"
    done = 0
    for _ in range(4):
        process = start("run", path, "--out", out, "--jobs", 2, before=EAGER)
        done = wait_for_chunks(process, out, done + 30)
        kill(process)
    assert 120 <= done < CHUNKS
    assert wastelab("run", path, "--out", out)[0] == 0
    assert tallies(open_run(only(out))) == reference


def test_a_run_killed_while_games_are_added_goes_on(config: Write, tmp_path: Path, reference: dict[str, bytes]) -> None:
    out = tmp_path / "results"
    assert wastelab("run", config(**{**BIG, "games": 10_000}), "--out", out)[0] == 0
    few = chunks_on_disk(out)
    process = start("resume", only(out), "--games", BIG["games"], "--jobs", 2, before=EAGER)
    wait_for_chunks(process, out, few + 60)
    kill(process)
    assert few + 60 <= chunks_on_disk(out) < CHUNKS
    assert wastelab("resume", only(out), "--games", BIG["games"])[0] == 0
    assert tallies(open_run(only(out))) == reference
    assert wastelab("verify", only(out))[0] == 0


@pytest.mark.parametrize(
    ("how", "parallel"),
    [(signal.SIGINT, "threads"), (signal.SIGTERM, "threads"), (signal.SIGINT, "processes")],
)
def test_a_stopped_run_says_how_to_go_on(
    config: Write, tmp_path: Path, reference: dict[str, bytes], how: int, parallel: str
) -> None:
    path = config(**{**BIG, "games": 1_500_000, "more": f"{SLOW}\n[runner]\nbackend = '{parallel}'\n"})
    out = tmp_path / "results"
    process = start("run", path, "--out", out, "--jobs", 2, before=EAGER)
    wait_for_chunks(process, out, 20)
    os.killpg(process.pid, how)  # as a terminal does: to the parent and to its workers
    code, stdout, told = finish(process)
    assert code == 130, told
    assert stdout == "" and "Traceback" not in told
    assert told.splitlines()[-1] == f"wastelab resume {only(out)}"
    run = open_run(only(out))
    assert not run.finished and run.games >= 20 * 2_500 and run.check() == []
    code, said, _ = wastelab("verify", only(out))
    assert code == 1 and "unfinished" in said and said.splitlines()[-1].startswith("FAILED")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds workers in /proc")
def test_a_run_that_loses_a_worker_keeps_the_rest(config: Write, tmp_path: Path, reference: dict[str, bytes]) -> None:
    path = config(**{**BIG, "more": f"{SLOW}\n[runner]\nbackend = 'processes'\n"})
    out = tmp_path / "results"
    process = start("run", path, "--out", out, "--jobs", 2, before=EAGER)
    wait_for_chunks(process, out, 10)
    workers = [pid for pid in children(process.pid) if "LokyProcess" in Path(f"/proc/{pid}/cmdline").read_text()]
    assert workers
    os.kill(workers[0], signal.SIGKILL)
    code, _, told = finish(process)
    assert code == 0 and "Traceback" not in told, told
    assert tallies(open_run(only(out))) == reference


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="kills processes")
def test_games_that_kill_their_worker_twice_are_left_out_and_all_others_played(
    config: Write, tmp_path: Path, reference: dict[str, bytes]
) -> None:
    path, out = config(**{**BIG, "more": f"{SLOW}\n[runner]\nbackend = 'processes'\n"}), tmp_path / "results"
    deadly = "from simcore import game; game.GAMES['toy.fight'] = 'tests.reliability.deadly'"
    code, _, told = wastelab("run", path, "--out", out, "--jobs", 2, before=deadly)
    assert code == 1 and "killed their worker process twice" in told and "Traceback" not in told, told
    assert "steady vs pup" in told
    left = open_run(only(out))
    missing = [(cell.name, part) for cell in left.plan.cells for part in left.missing(cell)]
    assert missing and all(name == "steady vs pup" for name, _ in missing)
    assert any(first <= 100_001 < stop for _, (first, stop) in missing)
    assert sum(stop - first for _, (first, stop) in missing) < 50_000 and left.check() == []
    left.close()
    assert wastelab("resume", only(out))[0] == 0
    assert tallies(open_run(only(out))) == reference


def children(pid: int) -> list[int]:
    """The processes that a process started."""
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += [int(child) for child in (task / "children").read_text().split()]
    return found


def test_two_runs_in_one_folder_dont_mix(config: Write, tmp_path: Path) -> None:
    path, out = config(**{**BIG, "games": 1_500_000}), tmp_path / "results"
    process = start("run", path, "--out", out, "--jobs", 1)
    wait_for_chunks(process, out, 1)
    for command in (("run", path, "--out", out), ("resume", only(out))):
        code, stdout, told = wastelab(*command)
        assert code == 75 and stdout == "" and "in use: another run or command is at work" in told
    kill(process)
    assert open_run(only(out)).check() == []


FULL = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
@pytest.mark.parametrize("size", [0, 8_000, 65_536])
def test_a_full_disk_is_a_clear_line_and_loses_nothing(
    config: Write, tmp_path: Path, reference: dict[str, bytes], size: int
) -> None:
    path, out = config(**BIG), tmp_path / "results"
    code, stdout, told = wastelab("run", path, "--out", out, "--jobs", 2, before=FULL.format(size=size))
    assert code == 1 and stdout == ""
    (line,) = [line for line in told.splitlines() if not line.startswith("compiling")]
    assert line.startswith("error: cannot write")
    try:
        left = open_run(only(out))
        assert left.check() == []
    except Trouble as trouble:
        assert size < 10_000 and not isinstance(trouble, Damaged)
    assert wastelab("run", path, "--out", out, "--jobs", 2)[0] == 0
    assert tallies(open_run(only(out))) == reference
