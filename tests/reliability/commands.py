"""The command line with the toys, as a process of its own that can be stopped, starved and killed."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from typer.testing import CliRunner

from experiments import cli

ROOT = Path(__file__).parents[2]
FIRST = "from tests import toys; toys.register()"
MAIN = "from experiments import main; main()"


def start(*arguments: object, before: str = "") -> subprocess.Popen[str]:
    """Start `wastelab` with arguments; `before` is Python that runs first in its process, once the rules are
    loaded.
    """
    command = [sys.executable, "-c", f"{FIRST}\n{before}\n{MAIN}", *(str(argument) for argument in arguments)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=ROOT, start_new_session=True)


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Wait for a process: its exit code, stdout and stderr."""
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def wastelab(*arguments: object, before: str = "") -> tuple[int, str, str]:
    """Run `wastelab` to its end: as a process of its own where something is to run before, else in this one, as a
    process takes longer to start than most commands to run.
    """
    if before:
        return finish(start(*arguments, before=before))
    result = CliRunner().invoke(cli.app, [str(argument) for argument in arguments])
    return result.exit_code, result.stdout, result.stderr


def wait_for_chunks(process: subprocess.Popen[str], out: Path, many: int) -> int:
    """Wait until the ledger below `out` has so many chunks on disk, or the process has ended; how many there
    are.
    """
    end = time.monotonic() + 60
    found = -1
    while found < many and process.poll() is None and time.monotonic() < end:
        found = chunks_on_disk(out)
        time.sleep(0.005)
    return chunks_on_disk(out)


def chunks_on_disk(out: Path) -> int:
    """How many chunks are committed below `out`; -1 as long as there is no manifest."""
    for file in out.glob("*/ledger.sqlite"):
        connection = sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)
        try:
            return int(connection.execute("SELECT count(*) FROM chunks").fetchone()[0])
        except sqlite3.Error:
            return -1
        finally:
            connection.close()
    return -1


def kill(process: subprocess.Popen[str]) -> None:
    """End a process, and every worker that it started, at once and without warning."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
