"""FR10: too little memory is one line and exit code 1, whatever it looks like, and a run goes on from what it saved."""

from __future__ import annotations

import errno
import os
import sqlite3
import sys
from concurrent.futures import BrokenExecutor
from pathlib import Path

import numpy as np
import pytest
from distributed import KilledWorker
from joblib.externals.loky.process_executor import TerminatedWorkerError
from numba.core.errors import LoweringError
from typer.testing import CliRunner

from experiments import cli
from experiments.ledger import InUse, Trouble, open_run
from experiments.shortage import ADVICE, shortage
from tests.conftest import Write, play_config, tallies
from tests.reliability.commands import wastelab

pytestmark = pytest.mark.usefixtures("unpainted")


def too_large() -> BaseException:
    """What numpy raises where an array has no room."""
    with pytest.raises(MemoryError) as raised:
        np.empty(1 << 61, np.uint8)
    return raised.value


def led_to(cause: BaseException, error: BaseException) -> BaseException:
    """An error that was raised because of another, which it hides."""
    try:
        try:
            raise cause
        except type(cause):
            raise error from None
    except type(error) as raised:
        return raised


SHORT = {
    "plain": MemoryError(),
    "numpy": too_large(),
    "system": OSError(errno.ENOMEM, os.strerror(errno.ENOMEM)),
    "fork": BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN)),
    "thread": RuntimeError("can't start new thread"),
    "llvm": RuntimeError("LLVM ERROR: out of memory"),
    "numba": LoweringError("Failed: Unable to allocate 2 GiB"),
    "loading": ImportError("libx.so: failed to map segment from shared object"),
    "sqlite": sqlite3.OperationalError("out of memory"),
    "loky": TerminatedWorkerError("A worker process managed by the executor was unexpectedly terminated."),
    "dask": KilledWorker("a batch", None, 3),
    "ours": led_to(OSError(errno.ENOMEM, "Cannot allocate memory"), Trouble("cannot write to x")),
}
OTHER = {
    "text of a user": Trouble("the card 'Out of memory' is unknown"),
    "value": ValueError("out of memory"),
    "lock": led_to(BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable"), Trouble("another run")),
    "disk": OSError(errno.ENOSPC, "No space left on device"),
    "executor": BrokenExecutor("other"),
    "linker": ImportError("libx.so: cannot allocate memory in static TLS block"),
}


@pytest.mark.parametrize("name", SHORT)
def test_every_kind_of_too_little_memory_is_one_line(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """FR10: with advice, and without a class's name or a traceback."""

    def broken(game: object) -> object:
        raise SHORT[name]

    monkeypatch.setattr(cli, "chosen_games", broken)
    result = CliRunner().invoke(cli.app, ["list", "games"])
    (line,) = result.stderr.splitlines()
    assert result.exit_code == 1 and line.startswith("error: ") and "not enough memory" in line
    assert line.endswith(ADVICE) and "fewer --jobs" in line and "WASTELAB_DEBUG" not in line and "Error" not in line


@pytest.mark.parametrize("name", OTHER)
def test_other_errors_are_not_taken_for_it(name: str) -> None:
    """FR10: a lock that another process holds, a full disk, or words that a card has."""
    assert shortage(OTHER[name]) == ""
    assert shortage(led_to(BlockingIOError(errno.EAGAIN, "x"), InUse("another run is at work"))) == ""


TIGHT = """
import resource
from experiments import ledger, runner
def starve():
    size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + 2**24, resource.RLIM_INFINITY))
ledger.COMMIT_SECONDS, save, saved = 0, ledger.Ledger.save, []
def save_some(self, *row):
    save(self, *row)
    saved.append(1)
    if len(saved) == 1:
        starve()
        {then}
ledger.Ledger.save = save_some
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits memory")
@pytest.mark.parametrize(
    "then", ["bytearray(2**28)", "import threading; threading.stack_size(2**28); threading.Thread(target=len).start()"]
)
def test_a_run_that_has_too_little_memory_keeps_what_it_saved(config: Write, tmp_path: Path, then: str) -> None:
    """FR10: under a limit of the system, in the middle of a run; what comes after it gives the same tallies."""
    path, out = config(games=300_000, chunk=10_000), tmp_path / "results"
    code, shown, told = wastelab("run", path, "--out", out, "--jobs", 1, before=TIGHT.format(then=then))
    lines = [line for line in told.splitlines() if not line.startswith("compiling")]
    assert code == 1 and shown == "" and len(lines) == 1, told
    assert lines[0].startswith("error: not enough memory") and lines[0].endswith(ADVICE)
    (folder,) = out.iterdir()
    left = open_run(folder)
    assert left.games > 0 and not left.finished and left.check() == []
    left.close()
    assert wastelab("resume", folder, "--jobs", 1)[0] == 0
    assert tallies(open_run(folder)) == tallies(play_config(path, tmp_path / "whole"))


def test_a_command_that_cannot_even_be_loaded_says_so() -> None:
    """FR10: where the command line itself has no room, before it can be asked anything."""
    before = "import sys, types\nclass Slim:\n    def find_spec(self, name, path=None, target=None):\n"
    before += "        if name == 'experiments.cli': raise MemoryError\n"
    before += "sys.modules.pop('experiments.cli', None); sys.meta_path.insert(0, Slim())"
    assert wastelab("list", "games", before=before) == (1, "", f"error: not enough memory; {ADVICE}\n")
