"""Plays what a ledger still lacks: joblib's workers take batches of games, and each tally is saved as it
comes.

A batch is about half a second of work: many small cells, or a part of a large one. How games are cut into
batches and who plays them decides nothing, as game N is the same alone or among others.
"""

from __future__ import annotations

import importlib
import signal
import threading
import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from joblib.externals.loky.process_executor import TerminatedWorkerError

from experiments.ledger import Run, Trouble, pack_tally
from experiments.plan import Cell, cuts
from simcore import game as games
from simcore.game import Game, Tables, play, play_tally, replay, seatings
from simcore.packs import Pack

BATCH_SECONDS = 0.4
PROBE_GAMES = 2048
Say = Callable[[str], None]


class Parcel(NamedTuple):
    """What a worker needs to know of a run: names and text, no compiled code."""

    home: str
    game: str
    pack: str
    settings: tuple[tuple[str, int], ...]
    bots: tuple[tuple[str, str], ...]
    rotate: str


class Piece(NamedTuple):
    """Games first..stop-1 of a cell."""

    cell: str
    lineup: tuple[str, ...]
    root: int
    first: int
    stop: int


@dataclass
class Progress:
    """What a run tells while it plays: `say` gets lines, `step` the number of games just saved."""

    say: Say = field(default=lambda line: None)
    step: Callable[[int], None] = field(default=lambda games: None)


def execute(run: Run, jobs: int, progress: Progress | None = None) -> bool:
    """Play everything that a run lacks; True when it is finished, False when it was asked to stop.

    jobs: workers, 1 or more. Ctrl-C and SIGTERM stop it after the batches under way, which are kept. Raises
    Trouble if the ledger can't be written or a worker dies, Damaged if what is there is not sound.
    """
    progress = progress or Progress()
    missing = [(cell, first, stop) for cell in run.plan.cells for first, stop in run.missing(cell)]
    if not missing:
        return True
    parcel = make_parcel(run)
    with _announced(progress.say, f"compiling the rules of {run.game.name}: up to half a minute, and kept for later"):
        speed = warm_up(run, missing[0][0])
    started, saved = perf_counter(), 0
    with _stop_signals() as stopped:
        batches = _until(stopped, _batches(run, missing, _batch_games(missing, speed, jobs)))
        try:
            with closing(_play_all(parcel, batches, jobs, run.config.run.parallel)) as played:
                for results in played:
                    for piece, packed in results:
                        run.ledger.save(piece.cell, piece.first, piece.stop, packed)
                    games_done = sum(piece.stop - piece.first for piece, _ in results)
                    saved += games_done
                    progress.step(games_done)
            run.ledger.commit()
        except TerminatedWorkerError:
            run.ledger.commit()
            if not stopped.is_set():
                raise Trouble(
                    "a worker process was killed, perhaps for want of memory; what it saved is kept"
                ) from None
        run.ledger.sit(perf_counter() - started, saved)
        return not stopped.is_set()


def make_parcel(run: Run) -> Parcel:
    """The parcel of a run."""
    config = run.config
    return Parcel(
        home=games.GAMES[config.game],
        game=config.game,
        pack=str(run.manifest["pack"]),
        settings=tuple(sorted(config.table.items())),
        bots=tuple(sorted(config.bots.items())),
        rotate=config.run.rotate,
    )


def warm_up(run: Run, cell: Cell) -> float:
    """Compile the rules and measure: games a second of a cell, on one core."""
    seats, root = run.plan.seats(cell), run.plan.root(cell)
    play_tally(run.game, run.tables, seats, root, 0, 1)
    started = perf_counter()
    play_tally(run.game, run.tables, seats, root, 0, 16)
    many = PROBE_GAMES if perf_counter() - started < 0.02 else 16
    started = perf_counter()
    play_tally(run.game, run.tables, seats, root, 0, many)
    return many / max(perf_counter() - started, 1e-9)


def work(parcel: Parcel, batch: list[Piece]) -> list[tuple[Piece, bytes]]:
    """Play a batch: each piece with its packed tally. It runs in a worker thread."""
    game, tables = _unwrap(parcel)
    results = []
    for piece in batch:
        seats = seatings(game, tables, piece.lineup, dict(parcel.bots), parcel.rotate)
        tally = play_tally(game, tables, seats, piece.root, piece.first, piece.stop)
        results.append((piece, pack_tally(tally)))
    return results


def work_apart(parcel: Parcel, batch: list[Piece]) -> list[tuple[Piece, bytes]]:
    """The same in a worker process; Ctrl-C is its parent's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return work(parcel, batch)


@dataclass
class Replayed:
    """What a verification played again: how many chunks and games, and what differed, in words."""

    chunks: int = 0
    games: int = 0
    plain: int = 0
    wrong: list[str] = field(default_factory=list)


def replay_sample(run: Run, budget: int = 400_000, plain_games: int = 3) -> Replayed:
    """Play a sample of the chunks again and compare, and a few games uncompiled against compiled ones.

    budget: games to play in all, but at least one chunk; the sample depends on the run's name alone.
    """
    found = Replayed()
    chunks = [(cell, first, stop) for cell in run.plan.cells for first, stop in run.done(cell)]
    dice = np.random.default_rng(int.from_bytes(run.name.encode()[-8:], "big"))
    for place in dice.permutation(len(chunks)):
        cell, first, stop = chunks[place]
        if found.chunks and found.games + stop - first > budget:
            break
        seats, root = run.plan.seats(cell), run.plan.root(cell)
        packed = next(c.packed for c in run.ledger.chunks(cell.id) if c.first == first)
        if pack_tally(play_tally(run.game, run.tables, seats, root, first, stop)) != packed:
            found.wrong.append(f"games {first} to {stop} of {cell.name} ({cell.id}) come out differently now")
        if found.plain < plain_games:
            found.plain += 1
            if not agrees(run, cell, int(dice.integers(first, stop))):
                found.wrong.append(f"a game of {cell.name} ({cell.id}) comes out differently uncompiled")
        found.chunks, found.games = found.chunks + 1, found.games + stop - first
    return found


def agrees(run: Run, cell: Cell, index: int) -> bool:
    """Whether game `index` of a cell comes out the same compiled and uncompiled."""
    return outcome_of(run, cell, index) == story_of(run, cell, index)[0]


def outcome_of(run: Run, cell: Cell, index: int) -> list[int]:
    """The numbers of one game, played compiled: in the order of `Game.columns()`."""
    out = play(run.game, run.tables, run.plan.seats(cell), run.plan.root(cell), index, index + 1)
    return numbers(out)


def story_of(run: Run, cell: Cell, index: int) -> tuple[list[int], list[str]]:
    """One game played uncompiled: its numbers, as in `outcome_of`, and its story in plain words."""
    outcome, lines = replay(run.game, run.tables, run.plan.seats(cell), run.plan.root(cell), index)
    return numbers(np.atleast_1d(outcome)), lines


def numbers(outcomes: Any) -> list[int]:
    """The int64 numbers of outcome records, one after another."""
    return [int(number) for number in np.frombuffer(outcomes.tobytes(), np.int64)]


# ---------------------------------------------------------------- batches


def _batch_games(missing: list[tuple[Cell, int, int]], speed: float, jobs: int) -> int:
    """Games a batch: 0.4 s of them, and less where a run is so short that workers would wait for the last
    one.
    """
    total = sum(stop - first for _, first, stop in missing)
    return max(1, int(min(speed * BATCH_SECONDS, max(total / (16 * jobs), speed * BATCH_SECONDS / 16))))


def _batches(run: Run, missing: list[tuple[Cell, int, int]], size: int) -> Iterator[list[Piece]]:
    """Lists of pieces of about `size` games; a piece stays within a chunk."""
    batch: list[Piece] = []
    held = 0
    for cell, first, stop in missing:
        root = run.plan.root(cell)
        for start, end in cuts(first, stop, min(run.config.games.chunk, max(size, run.plan.seatings))):
            batch.append(Piece(cell.id, cell.lineup, root, start, end))
            held += end - start
            if held >= size:
                yield batch
                batch, held = [], 0
    if batch:
        yield batch


def _until(stopped: threading.Event, batches: Iterator[list[Piece]]) -> Iterator[list[Piece]]:
    for batch in batches:
        if stopped.is_set():
            return
        yield batch


def _play_all(
    parcel: Parcel, batches: Iterator[list[Piece]], jobs: int, parallel: str
) -> Generator[list[tuple[Piece, bytes]]]:
    """The results of all batches as they come."""
    first = next(batches, None)
    if first is None:
        return
    backend, player = ("loky", work_apart) if parallel == "processes" else ("threading", work)
    pool = Parallel(
        n_jobs=jobs,
        backend=backend,
        return_as="generator_unordered",
        pre_dispatch="2*n_jobs",
        batch_size=1,
    )
    results = pool(delayed(player)(parcel, batch) for batch in chain([first], batches))
    try:
        for result in results:  # noqa: UP028 - "yield from" would hand a close on to the pool before the next block
            yield result
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that games under way are given up is known here
            results.close()


@lru_cache(maxsize=2)
def _unwrap(parcel: Parcel) -> tuple[Game, Tables]:
    """The game and tables of a parcel, made once a process."""
    game: Game = importlib.import_module(parcel.home).GAMES[parcel.game]
    return game, game.load(Pack.from_json(game.schema, parcel.pack), dict(parcel.settings))


# ---------------------------------------------------------------- stopping and waiting


@contextmanager
def _stop_signals() -> Iterator[threading.Event]:
    """An event that Ctrl-C and SIGTERM set; a second one ends the program at once."""
    stopped = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stopped
        return

    def stop(number: int, frame: Any) -> None:
        if stopped.is_set():
            raise KeyboardInterrupt
        stopped.set()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _announced(say: Say, line: str, after: float = 1.0) -> Iterator[None]:
    """Say a line if what is done inside takes longer than `after` seconds."""
    timer = threading.Timer(after, say, [line])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
