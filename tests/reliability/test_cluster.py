"""A real Dask cluster of a scheduler and two workers plays as one core does, and what it loses is played again."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from experiments.config import load_setup
from experiments.ledger import Run, make_folder, start_run
from experiments.plan import make_plan
from tests.conftest import play_config, tallies
from tests.reliability.commands import ROOT

pytest.importorskip("distributed", reason="needs the extra dask")

CONFIG = """
title = "x"
seed = 1
game = "{game}"
[lineup]
{lineup}
[games]
{games}
[runner]
backend = "{backend}"
address = "{address}"
{more}
"""
TOYS = "runners = ['swift', 'steady']"
SLOW = "[table]\nthrows = 20"
GAMES = {
    "toy.fight": ("per_cell = 20_000\nchunk = 3_000", TOYS),
    "knights.fight": ("per_cell = 3_000", "knights = ['mel_gearson']\nenemies = ['scrap_hound']"),
    "knights.duel": ("per_cell = 3_000", "knights = ['mel_gearson', 'kate_blanksheet']"),
    "mech": ("per_cell = 48", "crew = ['brute', 'doctor']\nsize = 2"),
    "gangs": ("per_cell = 48", "gangs = ['patrol', 'hyenas']\nsize = 2"),
}


class Cluster:
    """A scheduler and two workers of one thread each, on this machine, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.workers = folder, dict[str, subprocess.Popen[bytes]]()
        self.scheduler = self._dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", self.file)
        for name in ("one", "two"):
            self.add(name)

    @property
    def file(self) -> Path:
        return self.folder / "scheduler.json"

    @property
    def address(self) -> str:
        """Where the scheduler listens, once it does."""
        import json

        end = time.monotonic() + 30
        while time.monotonic() < end:
            with suppress(OSError, ValueError):
                return str(json.loads(self.file.read_text())["address"])
            time.sleep(0.02)
        raise TimeoutError("the scheduler doesn't start")

    def add(self, name: str, first: str = "") -> None:
        """Start a worker; `first` is Python that runs first in it."""
        asked = ["worker", "--scheduler-file", self.file, "--nthreads", 1, "--no-nanny", "--name", name]
        self.workers[name] = self._dask(*asked, first=first)

    def kill(self, name: str = "") -> None:
        """End a worker, or the scheduler, at once."""
        process = self.workers.pop(name) if name else self.scheduler
        process.kill()
        process.wait()

    def close(self) -> None:
        for name in ["", *self.workers]:
            self.kill(name)

    def _dask(self, *asked: object, first: str = "") -> subprocess.Popen[bytes]:
        code = f"{first}\nimport sys\nfrom dask.__main__ import main\nsys.argv[0] = 'dask'\nmain()"
        line = [sys.executable, "-c", code, *map(str, asked), "--no-dashboard"]
        quiet = subprocess.DEVNULL
        return subprocess.Popen(line, cwd=ROOT, stdout=quiet, stderr=quiet, env=os.environ | {"PYTHONPATH": str(ROOT)})


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    found = Cluster(tmp_path_factory.mktemp("cluster"))
    yield found
    found.close()


def write(folder: Path, game: str, address: str, backend: str = "dask", games: str = "", more: str = "") -> Path:
    """A config for some back end."""
    many, lineup = GAMES[game]
    folder.mkdir(exist_ok=True)
    path = folder / "x.toml"
    text = CONFIG.format(game=game, lineup=lineup, games=games or many, backend=backend, address=address, more=more)
    path.write_text(text)
    return path


def begin(path: Path, out: Path) -> Run:
    plan = make_plan(load_setup(path))
    return start_run(plan, path.stem, make_folder(plan, path.stem, out))


@pytest.mark.parametrize("game", list(GAMES))
def test_two_workers_give_the_bytes_of_one_core(cluster: Cluster, tmp_path: Path, game: str) -> None:
    many = play_config(write(tmp_path / "many", game, cluster.address), tmp_path / "many")
    one = play_config(write(tmp_path / "one", game, cluster.address, "threads"), tmp_path / "one")
    assert tallies(many) == tallies(one) and many.check() == []
    assert many.name == one.name and many.games == many.plan.games
