"""A real Dask cluster of a scheduler and two workers plays as one core does, and what it loses is played again."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

pytest.importorskip("distributed", reason="needs the extra dask")
pytest.importorskip("pyarrow", reason="needs the extra parquet")

from distributed import KilledWorker
from joblib.externals.loky.process_executor import BrokenProcessPool

from experiments import cluster as clusters
from experiments.config import load_setup
from experiments.ledger import Run, Trouble, make_folder, open_run, start_run
from experiments.plan import make_plan
from experiments.rows import rows_wrong
from experiments.runner import Progress, execute
from simcore.packs import Mistakes
from tests.cluster import Cluster
from tests.conftest import play_config, tallies
from tests.reliability.commands import wastelab

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
keep_games = {keep}
{more}
"""
GAMES = {
    "toy.duel": ("runners = ['swift', 'steady']", "per_cell = 30_000\nchunk = 3_000"),
    "knights.fight": ("knights = ['mel_gearson']\nenemies = ['scrap_hound']", "at_most = 3_000"),
    "mech": ("crew = ['brute', 'doctor']\nsize = 2", "per_cell = 48"),
    "gangs": ("gangs = ['patrol', 'hyenas']\nsize = 2", "per_cell = 48"),
    "knights.board": ("knights = ['mel_gearson', 'naomi_vatt']\nsize = 2", "per_cell = 48"),
    "voyage": ("knights = ['pirate', 'trader']\nsize = 2", "per_cell = 48"),
}
WHAT_IF = "[[variant]]\nname = 'more'\nset = { 'runner.swift.dice' = 3 }"
SLOW = "[table]\nthrows = 20"
LONG = "per_cell = 300_000\nchunk = 20_000"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler and two workers, for all tests here."""
    found = Cluster(tmp_path_factory.mktemp("cluster"), "one", "two")
    try:
        found.wait()
        yield found
    finally:
        found.close()


def write(folder: Path, game: str, backend: str = "dask", games: str = "", more: str = "") -> Path:
    """A config of a game for a back end; the toys keep their games."""
    lineup, many = GAMES[game]
    keep = str(game == "toy.duel").lower()
    asked = {"game": game, "lineup": lineup, "games": games or many, "backend": backend}
    folder.mkdir(exist_ok=True)
    path = folder / "x.toml"
    path.write_text(CONFIG.format(**asked, keep=keep, more=more))
    return path


def begin(path: Path) -> Run:
    """A run that has played nothing yet."""
    plan = make_plan(load_setup(path))
    return start_run(plan, path.stem, make_folder(plan, path.stem, path.parent))


def once(do: Callable[[], Any]) -> Progress:
    """A progress that does something when the first games are saved."""
    left = [do]
    return Progress(step=lambda games: left.pop()() if left else None)


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What the long run comes to on one core."""
    folder = tmp_path_factory.mktemp("reference")
    path = write(folder, "toy.duel", "threads", LONG, SLOW)
    return tallies(play_config(path, folder))


@pytest.mark.parametrize("game", list(GAMES))
def test_two_workers_give_the_bytes_of_one_core(cluster: Cluster, tmp_path: Path, game: str) -> None:
    more = WHAT_IF if game == "toy.duel" else ""
    paths = [write(tmp_path / kind, game, kind, more=more) for kind in ("dask", "threads")]
    many, one = play_config(paths[0], paths[0].parent, scheduler=cluster.named), play_config(paths[1], paths[1].parent)
    assert many.finished and tallies(many) == tallies(one) and many.check() == [] and many.name == one.name
    assert [many.pairs(cell).to_bytes() for cell in many.plan.cells] == [
        one.pairs(c).to_bytes() for c in one.plan.cells
    ]
    if many.keeps:
        rows = [
            pd.read_parquet(run.folder / "games").sort_values(["cell", "game"], ignore_index=True)
            for run in (many, one)
        ]
        pd.testing.assert_frame_equal(*rows, check_categorical=False)
        assert len(rows[0]) == many.games and list(rows_wrong(many)) == []


def test_two_runs_are_compared_by_a_cluster_as_they_are_here(cluster: Cluster, tmp_path: Path) -> None:
    """FR1: `compare` plays on a cluster that is named, too; points and variants of each run find those of the other."""
    more = f"{WHAT_IF}\n[sweep.grid]\n'table.throws' = [1, 2]"
    ours = play_config(write(tmp_path / "ours", "toy.duel", "threads", more=more), tmp_path / "ours")
    path = write(tmp_path / "theirs", "toy.duel", "threads", more=more.replace("[1, 2]", "[2, 1]"))
    theirs = play_config(path, tmp_path / "theirs", sets=("runner.steady.dice=1",))
    asked = ["compare", ours.folder, theirs.folder, "--json", "--games", "3000"]
    found = [wastelab(*asked, *more) for more in ((), cluster.named.options)]
    assert [code for code, _, _ in found] == [0, 0] and f"2 cores play at {cluster.address}" in found[1][2]
    here, there = (json.loads(out) | {"seconds": 0} for _, out, _ in found)
    assert here == there and here["paired"] and len(here["rows"]) == 20


def test_ctrl_c_and_a_killed_worker_cost_no_game(cluster: Cluster, tmp_path: Path, reference: dict[str, bytes]) -> None:
    run = begin(write(tmp_path, "toy.duel", games=LONG, more=SLOW))
    assert not execute(run, 1, once(lambda: signal.raise_signal(signal.SIGINT)), cluster.named)
    assert 0 < run.games < run.plan.games and not run.finished
    before, steps = run.games, list[int]()
    killing = once(lambda: cluster.kill("two")).step
    assert execute(run, 1, Progress(step=lambda games: (steps.append(games), killing(games))[1]), cluster.named)
    assert tallies(run) == reference and before + sum(steps) == run.games and run.check() == []
    assert list(rows_wrong(run)) == [] and len(pd.read_parquet(run.folder / "games")) == run.games
    cluster.add("two")


OTHER = """
from experiments import cluster, runner
facts = cluster.facts
cluster.facts = runner.facts = lambda *asked: facts(*asked) | {"numba": "0.1"}
runner.work = None
"""
"""A worker of another version of numba, which would fail if it played."""


def test_a_worker_of_another_version_is_refused_by_name(
    cluster: Cluster, tmp_path: Path, reference: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster.add("odd", OTHER)
    cluster.wait()
    cores, told, times = clusters.Cluster.cores, list[str](), list[int]()

    def late(self: clusters.Cluster) -> int:
        """The first times nobody is asked, as if the odd one had come right afterwards."""
        times.append(len(times))
        if len(times) > 2:
            return cores(self)
        return sum(self.client.ncores().values())

    monkeypatch.setattr(clusters.Cluster, "cores", late)
    run = begin(write(tmp_path, "toy.duel", games=LONG, more=SLOW))
    assert execute(run, 1, Progress(told.append), cluster.named)
    assert len(times) > 2, "it refused what it was given"
    (line,) = [line for line in told if "refused" in line]
    assert line.startswith("worker odd (tcp://") and "numba 0.1 (here " in line
    assert tallies(run) == reference and run.check() == []
    cluster.kill("odd")


def test_what_goes_wrong_there_is_told_as_joblib_tells_it() -> None:
    back_end = clusters.BackEnd.__new__(clusters.BackEnd)
    with pytest.raises(BrokenProcessPool):
        back_end.retrieve_result_callback(KilledWorker("a batch", None, 3))
    with pytest.raises(KeyError):
        back_end.retrieve_result_callback(KeyError("x"))


def test_a_cluster_without_workers_is_given_up_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "WATCH_SECONDS", 0.001)
    monkeypatch.setattr(clusters, "IDLE_SECONDS", 0.004)
    asked, told = list[int](), list[BaseException | None]()

    async def ncores() -> dict[str, int]:
        """Two workers at first, of which only the first may play; then the other alone."""
        asked.append(1)
        return {"first": 1, "second": 1} if len(asked) < 3 else {"second": 1}

    back_end, future = clusters.BackEnd.__new__(clusters.BackEnd), Future[None]()
    back_end.client = SimpleNamespace(status="running", scheduler=SimpleNamespace(ncores=ncores))
    back_end.address, back_end.chosen, back_end._continue = "tcp://x:1", frozenset({"first"}), True

    def hear(out: BaseException) -> None:
        told.append(out)
        back_end._continue = False

    back_end.pending = {future: hear}
    future.add_done_callback(back_end._hear)
    asyncio.run(back_end._watch())
    assert 5 <= len(asked) <= 9 and isinstance(told[0], Trouble) and "no worker is left at tcp://x:1" in str(told[0])


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait a second for an answer, where it is several, so that it is told within ten with all that is around it."""
    assert clusters.CONNECT_SECONDS * 1.5 < 8
    monkeypatch.setattr(clusters, "CONNECT_SECONDS", 1.0)


def test_an_address_where_nobody_answers_is_told_in_time(tmp_path: Path, hasty: None) -> None:
    path = write(tmp_path, "toy.duel")
    code, out, told = wastelab("run", path, "--cluster", "tcp://127.0.0.1:9", "--out", tmp_path / "results")
    assert code == 2 and out == ""
    assert "--cluster no scheduler answers at tcp://127.0.0.1:9" in told and "nothing was done" in told
    assert not (tmp_path / "results").exists()


def test_a_scheduler_that_dies_leaves_a_run_that_goes_on(
    cluster: Cluster, tmp_path: Path, reference: dict[str, bytes], hasty: None
) -> None:
    path = write(tmp_path, "toy.duel", games=LONG, more=SLOW)
    run, named = begin(path), cluster.named
    with pytest.raises(Trouble, match=r"scheduler is gone at tcp.*what was saved is kept"):
        execute(run, 1, once(cluster.kill), named)
    assert 0 < run.games < run.plan.games and run.check() == []
    with pytest.raises(Mistakes, match="no scheduler answers"):
        execute(run, 1, scheduler=named)
    run.close()
    code, _, told = wastelab("run", path, "--cluster", "none", "--out", tmp_path)
    assert code == 0 and "games already" in told, told
    finished = open_run(run.folder)
    assert tallies(finished) == reference and finished.check() == []
    assert list(rows_wrong(finished)) == []
