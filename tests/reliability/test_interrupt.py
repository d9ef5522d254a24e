"""Ctrl-C and SIGTERM: a run ends within a second whatever it is doing, keeps what it has, and says how to go on."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from experiments.config import load_setup
from experiments.ledger import make_folder, open_run, start_run
from experiments.plan import make_plan
from experiments.runner import LIMIT_SECONDS, Order, Piece, execute, work
from tests.conftest import Write, play_config, tallies
from tests.reliability.commands import ROOT, finish, start, wait_for_chunks, wastelab

LOADED = 60.0
"""What a second may grow to on a machine that has other things to do."""

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="signals of other processes"),
    pytest.mark.usefixtures("unpainted"),
]


def only(folder: Path) -> Path:
    (found,) = folder.iterdir()
    return found


def long(config: Write, parallel: str = "threads", chunk: int = 1_000_000_000) -> Path:
    """A config of minutes: four cells of few, slow and large chunks."""
    more = f"\n[lineup]\nrunners = ['swift', 'steady']\n\n[table]\nthrows = 20\n\n[runner]\nbackend = '{parallel}'\n"
    return config(games=50_000_000, chunk=chunk, more=more)


def stop(process: subprocess.Popen[str], how: int = signal.SIGINT, times: int = 1) -> tuple[float, int, str, str]:
    """Stop a process as a terminal does, with all that it started: seconds until it was gone, code, stdout, stderr."""
    started = time.monotonic()
    for _ in range(times):
        os.killpg(process.pid, how)
        time.sleep(0.05 if times > 1 else 0)
    _, out, told = finish(process)  # its workers hold the pipes, so that they have ended, too
    return time.monotonic() - started, process.returncode, out, told


def go_on(told: str, *more: str) -> tuple[int, str, str]:
    """Type the command that a stopped run has printed last."""
    command = shlex.split(told.splitlines()[-1])
    assert command[0] == "wastelab"
    return wastelab(*command[1:], *more)


@pytest.mark.parametrize(
    ("how", "parallel", "times"),
    [
        (signal.SIGINT, "threads", 1),
        (signal.SIGINT, "threads", 4),
        (signal.SIGTERM, "threads", 1),
        (signal.SIGINT, "processes", 1),
        (signal.SIGINT, "processes", 4),
        (signal.SIGTERM, "processes", 1),
    ],
)
def test_a_run_stops_in_the_middle_of_a_big_chunk(
    config: Write, tmp_path: Path, how: int, parallel: str, times: int
) -> None:
    out = tmp_path / "a b 'c'"
    process = start("run", long(config, parallel), "--out", out, "--jobs", 2)
    wait_for_chunks(process, out, 2)
    seconds, code, stdout, told = stop(process, how, times)
    assert code == 130 and stdout == "" and "Traceback" not in told, told
    assert seconds < LOADED
    said, command = told.splitlines()[-2:]
    assert shlex.split(command) == ["wastelab", "resume", str(only(out))]
    run = open_run(only(out))
    assert run.check() == [] and 0 < run.games < run.plan.games
    assert f"{run.games:,} of {run.plan.games:,} games are kept" in said or "what was saved is kept" in said


def test_a_stopped_run_goes_on_to_the_same_bytes(config: Write, tmp_path: Path) -> None:
    path, out = config(games=800_000, chunk=700_000, more="\n[table]\nthrows = 5\n"), tmp_path / "results"
    process = start("run", path, "--out", out, "--jobs", 2)
    wait_for_chunks(process, out, 1)
    _, code, _, told = stop(process)
    assert code == 130 and not open_run(only(out)).finished
    code, _, said = go_on(told)
    assert code == 0, said
    whole = play_config(path, tmp_path / "whole", 2)
    finished = open_run(only(out))
    assert tallies(finished) == tallies(whole) and finished.check() == []


SLEEPY = """
import time
from simcore import game
from experiments import runner
play = runner.play_tally
def slow(*arguments):
    if {when}:
        print("here", flush=True)
        {sleep}
    return play(*arguments)
runner.play_tally = slow
"""
DEAF = "import ctypes; ctypes.CDLL(None).sleep(30)"
"""Sleep in a library, where no KeyboardInterrupt is heard, as while one compiles."""

HEARING = "time.sleep(30)"


@pytest.mark.parametrize("sleep", [DEAF, HEARING])
def test_a_run_stops_while_it_compiles(config: Write, tmp_path: Path, sleep: str) -> None:
    out = tmp_path / "results"
    before = SLEEPY.format(when="arguments[-1] == 1", sleep=sleep)
    process = start("run", config(), "--out", out, before=before)
    assert process.stdout is not None and process.stdout.readline() == "here\n"
    seconds, code, _, told = stop(process)
    assert code == 130 and "Traceback" not in told and seconds < LOADED
    code, _, said = go_on(told)
    assert code == 0, said
    assert tallies(open_run(only(out))) == tallies(play_config(config(), tmp_path / "whole"))


REPORT = """
import time
from experiments import report
def slow(*arguments):
    print("here", flush=True)
    {sleep}
report.{name} = slow
"""


@pytest.mark.parametrize(("name", "sleep"), [("page", HEARING), ("page", DEAF), ("write", HEARING)])
def test_a_run_stops_while_its_report_is_written(config: Write, tmp_path: Path, name: str, sleep: str) -> None:
    out = tmp_path / "results"
    process = start("run", config(), "--out", out, before=REPORT.format(name=name, sleep=sleep))
    assert process.stdout is not None and process.stdout.readline() == "here\n", "files come before the table"
    seconds, code, _, told = stop(process, times=3)
    assert code == 130 and "Traceback" not in told and seconds < LOADED
    assert not (only(out) / "report.html").exists()
    code, _, said = go_on(told)
    assert code == 0, said
    assert (only(out) / "report.html").is_file()


SLOW_START = """
import sys, time
class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "typer":
            print("here", flush=True)
            time.sleep(30)
sys.meta_path.insert(0, Slow())
from experiments import main
main()
"""


def test_a_command_stops_while_it_is_still_loading() -> None:
    command, pipe = [sys.executable, "-c", SLOW_START, "run", "knight_fights"], subprocess.PIPE
    process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=ROOT, start_new_session=True)
    assert process.stdout is not None and process.stdout.readline() == "here\n"
    seconds, code, _, told = stop(process)
    assert (code, told) == (130, "stopped; nothing was done\n") and seconds < LOADED


def test_the_command_is_the_one_that_hears_so_early() -> None:
    (script,) = metadata.entry_points(group="console_scripts", name="wastelab")
    assert script.value == "experiments:main"


def test_a_command_stops_before_anything_is_played(config: Write, tmp_path: Path) -> None:
    before = "import experiments.config, time\n"
    before += "experiments.config.find_config = lambda path: (print('here', flush=True), time.sleep(30))\n"
    process = start("run", config(), "--out", tmp_path / "results", before=before)
    assert process.stdout is not None and process.stdout.readline() == "here\n"
    seconds, code, _, told = stop(process)
    assert (code, told) == (130, "stopped; nothing was played\n") and seconds < LOADED
    assert not (tmp_path / "results").exists()


def test_a_batch_lasts_a_third_of_a_second_however_many_games_it_has(config: Write, tmp_path: Path) -> None:
    path = long(config)
    plan = make_plan(load_setup(path))
    cell = plan.cells[0]
    batch = [Piece(cell, plan.root(cell), i * 10**9, (i + 1) * 10**9) for i in range(3)]
    work(plan.setup, [batch[0]._replace(stop=10)], Order(10, LIMIT_SECONDS))
    played = work(plan.setup, batch, Order(2_000, LIMIT_SECONDS))
    assert LIMIT_SECONDS <= played.seconds < 3 * LIMIT_SECONDS <= 1
    ((piece, _),) = played.done
    assert piece.first == 0 and 0 < piece.stop < 10**9
    assert played.left == [batch[0]._replace(first=piece.stop), *batch[1:]]


def test_a_whole_run_is_cut_into_such_batches(config: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from experiments import runner

    seconds: list[float] = []

    def timed(*arguments: Any, **named: Any) -> runner.Played:
        played = work(*arguments, **named)
        seconds.append(played.seconds)
        return played

    monkeypatch.setattr("experiments.runner.work", timed)
    path = config(games=300_000, chunk=10**9, more="\n[table]\nthrows = 20\n")
    plan = make_plan(load_setup(path))
    assert execute(start_run(plan, "toy", make_folder(plan, "toy", tmp_path)), 1)
    assert len(seconds) > 3 and sorted(seconds)[len(seconds) // 2] < 2 * LIMIT_SECONDS
