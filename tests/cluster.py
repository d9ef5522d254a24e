"""A Dask cluster on this machine, for tests: a scheduler and workers of one thread each, as processes of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from experiments.ready import Scheduler

ROOT = Path(__file__).parents[1]
DASK = "import sys; from dask.__main__ import main; sys.argv[0] = 'dask'; main()"
PATIENCE = 60.0


class Cluster:
    """A scheduler and its workers, which keep what they write in a folder."""

    def __init__(self, folder: Path, *workers: str, tls: Sequence[Path] = (), source: Path = ROOT) -> None:
        """workers: their names. tls: the files of the authority, the certificate and the key that all of them use.
        source: where their Wastelab is.
        """
        self.file, self.workers, self.source = folder / "scheduler.json", dict[str, subprocess.Popen[bytes]](), source
        names = "--tls-ca-file", "--tls-cert", "--tls-key"
        self.tls = [str(word) for pair in zip(names, tls, strict=False) for word in pair]
        where = "--host", "tls://127.0.0.1" if tls else "127.0.0.1", "--port", "0", "--scheduler-file", str(self.file)
        self.scheduler = self._dask("scheduler", *where)
        for name in workers:
            self.add(name)

    @property
    def address(self) -> str:
        """Where the scheduler listens, once it does."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with suppress(OSError, ValueError):
                return str(json.loads(self.file.read_text())["address"])
            time.sleep(0.02)
        raise TimeoutError("the scheduler doesn't start")

    def add(self, name: str, first: str = "") -> None:
        """Start a worker; `first` is Python that runs first in it."""
        asked = "worker", "--scheduler-file", str(self.file), "--nthreads", "1", "--no-nanny", "--name", name
        self.workers[name] = self._dask(*asked, first=first)

    @property
    def named(self) -> Scheduler:
        """Its scheduler as a command line names it."""
        return Scheduler(self.address, *self.tls[1::2])

    def wait(self) -> None:
        """Wait until all workers are there."""
        from distributed import Client, Security

        ca, cert, key = self.tls[1::2] or (None, None, None)
        files = {"tls_ca_file": ca, "tls_client_cert": cert, "tls_client_key": key}
        with Client(self.address, set_as_default=False, security=Security(**files) if self.tls else None) as client:
            client.wait_for_workers(len(self.workers), timeout=PATIENCE)

    def kill(self, name: str = "") -> None:
        """End a worker, or the scheduler, at once and without warning."""
        process = self.workers.pop(name) if name else self.scheduler
        process.kill()
        process.wait()

    def close(self) -> None:
        """End all of it."""
        for name in [*self.workers, ""]:
            self.kill(name)

    def _dask(self, *asked: str, first: str = "") -> subprocess.Popen[bytes]:
        line = [sys.executable, "-P", "-c", f"{first}\n{DASK}", *asked, *self.tls, "--no-dashboard"]
        quiet, paths = subprocess.DEVNULL, os.environ | {"PYTHONPATH": str(self.source)}
        return subprocess.Popen(line, cwd=self.file.parent, stdout=quiet, stderr=quiet, env=paths)
