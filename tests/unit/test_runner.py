"""The runner: who plays the games, in which pieces and in how many sittings decides nothing."""

from __future__ import annotations

import re
import signal
import threading
import zlib
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from joblib._parallel_backends import ThreadingBackend

from experiments import runner
from experiments.config import Given, Setup, load_setup
from experiments.ledger import Run, Trouble, make_folder, start_run
from experiments.plan import make_plan
from experiments.runner import (
    Progress,
    agrees,
    execute,
    make_parcel,
    numbers,
    outcome_of,
    replay_sample,
    story_of,
    work,
)
from experiments.sweeps import Points
from simcore.game import count, play, play_tally
from simcore.kernels import plain
from tests.conftest import Write, play_config, tallies
from tests.reliability.commands import wastelab


def begin(path: Path, out: Path, *sets: str) -> Run:
    """A run that has played nothing yet."""
    plan = make_plan(load_setup(path, sets))
    return start_run(plan, path.stem, make_folder(plan, path.stem, out))


@pytest.mark.parametrize("game", ["toy.fight", "toy.duel"])
@pytest.mark.parametrize("jobs", [1, 2, 3])
@pytest.mark.parametrize("chunk", [1, 64, 1_000_000])
def test_tallies_are_the_same_for_all_jobs_and_chunks(
    config: Write, tmp_path: Path, game: str, jobs: int, chunk: int
) -> None:
    reference = play_config(config(game=game, games=302, chunk=302), tmp_path / "one")
    other = play_config(config(game=game, games=302, chunk=chunk), tmp_path / "other", jobs)
    assert tallies(other) == tallies(reference)
    assert other.games == reference.games == other.plan.games


@pytest.mark.parametrize("parallel", ["threads", "processes"])
def test_what_a_worker_leaves_is_played_in_further_rounds(
    config: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parallel: str
) -> None:
    path = config(game="toy.duel", games=502, chunk=100, more=f"\n[runner]\nbackend = '{parallel}'\n")
    reference = play_config(path, tmp_path / "whole")
    rounds = []
    play_round = runner._play_round

    def short(run: Run, hands: runner.Hands, pieces: list[runner.Piece], *more: object) -> runner.Round:
        rounds.append(len(pieces))
        return play_round(run, hands, pieces, *more)  # type: ignore[arg-type]

    def leaves(setup: Setup, batch: list[runner.Piece], *more: object, **named: object) -> runner.Played:
        played = work(setup, batch[:1], *more, **named)  # type: ignore[arg-type]
        return played._replace(left=played.left + batch[1:])

    monkeypatch.setattr("experiments.runner._play_round", short)
    if parallel == "threads":
        monkeypatch.setattr("experiments.runner.LIMIT_SECONDS", 0.0)
    monkeypatch.setattr("experiments.runner.SLICE_SECONDS", 0.0)
    monkeypatch.setattr("experiments.runner._batch_games", lambda pieces, speed, jobs: 40)
    if parallel == "threads":
        monkeypatch.setattr("experiments.runner.work", leaves)
    run = play_config(path, tmp_path / "short", 2)
    assert tallies(run) == tallies(reference) and run.check() == []
    if parallel == "threads":
        assert len(rounds) > 2 and max(stop - first for first, stop in run.done(run.plan.cells[0])) == 1
        assert sum(games for _, games in run.ledger.sittings()) == run.games


def test_tallies_are_the_same_in_processes(config: Write, tmp_path: Path) -> None:
    threads = play_config(config(game="toy.duel", games=500), tmp_path / "threads", 2)
    path = config(game="toy.duel", games=500, more="\n[runner]\nbackend = 'processes'\n")
    assert tallies(play_config(path, tmp_path / "processes", 2)) == tallies(threads)


def test_a_back_end_that_cannot_stream_gives_rounds_of_chunks(
    config: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = config(game="toy.duel", games=500)
    streamed, rounds, one = play_config(path, tmp_path / "streamed", 2), list[int](), runner._in_rounds

    def counted(pool: Any, jobs: int, tasks: Iterator[Any]) -> Iterator[runner.Played]:
        for played in one(pool, jobs, tasks):
            rounds.append(jobs)
            yield played

    monkeypatch.setattr(ThreadingBackend, "supports_return_generator", False)
    monkeypatch.setattr("experiments.runner._in_rounds", counted)
    monkeypatch.setattr("experiments.runner._batch_games", lambda pieces, speed, jobs: 40)
    assert tallies(play_config(path, tmp_path / "rounds", 2)) == tallies(streamed)
    assert len(rounds) > 2 and set(rounds) == {2}


@pytest.mark.parametrize(
    ("more", "module", "told"),
    [
        (["--cluster", "tcp://127.0.0.1:1"], "distributed", r"--cluster needs dask.*wastelab\[dask\]"),
        (["--set", "runner.keep_games=true"], "pyarrow", r"runner.keep_games.*wastelab\[parquet\]"),
    ],
)
def test_an_extra_that_lacks_is_told_before_anything_is_done(
    config: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: list[str], module: str, told: str
) -> None:
    monkeypatch.setattr("experiments.ready.find_spec", lambda name: None if name == module else find_spec(name))
    code, _, said = wastelab("run", config(), *more, "--out", tmp_path / "results")
    assert code == 2 and re.search(told, said) and "Traceback" not in said
    assert not (tmp_path / "results").exists()


def test_a_parcel_keeps_the_points_that_a_run_was_dealt(config: Write, tmp_path: Path) -> None:
    run = begin(config(more="\n[sweep.grid]\n'runner.swift.dice' = [1, 2, 3]\n"), tmp_path)
    points = ((("runner.swift.dice", 4),),)
    setup = replace(run.plan.setup, given=Given(run.plan.setup.dealt, Points(points, ())))
    run.plan = replace(run.plan, setup=setup)
    assert runner._unwrap(make_parcel(run)).points == points


def test_a_cell_alone_is_the_same_as_among_others(config: Write, tmp_path: Path) -> None:
    whole = tallies(play_config(config(game="toy.duel"), tmp_path / "whole"))
    part = tallies(play_config(config(game="toy.duel"), tmp_path / "part", sets=('lineup.runners=["None", "steady"]',)))
    assert len(part) == 1
    assert part.items() <= whole.items()


def test_a_game_alone_is_the_same_as_among_others(config: Write, tmp_path: Path) -> None:
    run = begin(config(game="toy.duel"), tmp_path)
    cell = run.plan.cells[0]
    together = play(run.game, run.tables, run.plan.seats(cell), run.plan.root(cell), 0, 50)
    for game in (0, 1, 7, 49):
        assert outcome_of(run, cell, game) == numbers(together[game : game + 1])


def test_compiled_and_uncompiled_tallies_are_the_same(
    config: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begin(config(game="toy.duel", games=100), tmp_path)
    slow_game = replace(run.game, play_range=plain(run.game.play_range))
    for cell in run.plan.cells:
        seats, root = run.plan.seats(cell), run.plan.root(cell)
        fast = play_tally(run.game, run.tables, seats, root, 0, 100)
        with monkeypatch.context() as patch:
            patch.setattr("simcore.game.count", plain(count))
            assert play_tally(slow_game, run.tables, seats, root, 0, 100).to_bytes() == fast.to_bytes()


def test_progress_counts_every_game_once(config: Write, tmp_path: Path) -> None:
    run, steps = begin(config(), tmp_path), list[int]()
    assert execute(run, 2, Progress(step=steps.append))
    assert sum(steps) == run.plan.games
    assert run.seconds > 0 and run.finished
    again: list[int] = []
    assert execute(run, 2, Progress(step=again.append)) and again == []


def test_a_stopped_run_keeps_what_it_has_and_goes_on(
    config: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("experiments.runner._batch_games", lambda missing, speed, jobs: 5_000)
    path = config(games=200_000, chunk=5_000)
    reference = tallies(play_config(path, tmp_path / "whole"))
    run = begin(path, tmp_path / "stopped")
    stops = []

    def stop_after(games: int) -> None:
        if not stops:
            stops.append(games)
            signal.raise_signal(signal.SIGINT)

    assert not execute(run, 2, Progress(step=stop_after))
    assert 0 < run.games < run.plan.games and not run.finished
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert execute(run, 2) and tallies(run) == reference


def test_a_run_can_be_played_from_another_thread(config: Write, tmp_path: Path) -> None:
    done = []
    thread = threading.Thread(target=lambda: done.append(tallies(play_config(config(), tmp_path / "thread"))))
    thread.start()
    thread.join()
    assert done == [tallies(play_config(config(), tmp_path / "main"))]


def test_an_error_in_a_worker_reaches_the_caller_and_keeps_the_rest(
    config: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begin(config(games=50_000, chunk=1_000), tmp_path)
    steps: list[int] = []

    def broken(setup: object, batch: list[object], *more: object, **named: object) -> object:
        if len(steps) >= 3:
            raise Trouble("a worker broke")
        return work(setup, batch, *more, **named)  # type: ignore[arg-type]

    monkeypatch.setattr("experiments.runner.work", broken)
    monkeypatch.setattr("experiments.runner._batch_games", lambda missing, speed, jobs: 5_000)
    with pytest.raises(Trouble, match="a worker broke"):
        execute(run, 1, Progress(step=steps.append))
    run.ledger.commit()
    assert run.games >= sum(steps) > 0
    monkeypatch.undo()
    assert execute(run, 1)


def test_a_replayed_game_has_a_story_and_the_compiled_outcome(config: Write, tmp_path: Path) -> None:
    run = begin(config(), tmp_path)
    cell = run.plan.cells[0]
    outcome, story = story_of(run, cell, 5)
    assert outcome == outcome_of(run, cell, 5) and agrees(run, cell, 5)
    names = [column.name for _, column in run.game.columns()]
    assert story == [f"seat 1 throws {outcome[names.index('score')]}", f"seat 2 throws {outcome[-2]}"]


def test_a_sample_played_again_finds_other_numbers(config: Write, tmp_path: Path) -> None:
    run = play_config(config(games=2_000, chunk=500), tmp_path)
    sample = replay_sample(run, budget=3_000)
    assert sample.wrong == [] and sample.games == 3_000 and sample.chunks == 6 and sample.plain == 3
    run.tables.data.hound[0].dice += 1
    run.tables.data.hound[1].dice += 1
    assert len(replay_sample(run, budget=3_000).wrong) == 6


def test_a_parcel_holds_text_alone(config: Write, tmp_path: Path) -> None:
    parcel = make_parcel(begin(config(), tmp_path))
    assert parcel.home == "tests.toys" and hash(parcel)
    assert "Grim <b>" in zlib.decompress(parcel.pack).decode()


def test_a_batch_that_comes_too_late_is_not_lost() -> None:
    batches = iter([[1], [2], [3]])
    taken: list[list[int]] = []
    for batch in runner._until(lambda: len(taken) == 1, batches):  # type: ignore[arg-type,type-var]
        taken.append(batch)  # type: ignore[arg-type]
    assert taken == [[1]] and list(batches) == [[2], [3]]
