"""Plays what a ledger still lacks: joblib's workers take batches of games, and each tally is saved as it
comes.

A batch is about a fifth of a second of work: many small cells, or a part of a large one. A worker gives back
after 0.3 s what it has, and what it left is played in a further round, so that a run can be stopped at any
time. How games are cut into batches and who plays them decides nothing, as game N is the same alone or among
others.
"""

from __future__ import annotations

import importlib
import os
import signal
import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import chain
from time import perf_counter, sleep
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from joblib.externals.loky import get_reusable_executor
from joblib.externals.loky.process_executor import TerminatedWorkerError

from experiments.ledger import Run, Trouble, pack_tally
from experiments.plan import Cell, cuts
from simcore import game as games
from simcore.game import Game, Tables, Tally, play, play_tally, replay, seatings
from simcore.packs import Pack

BATCH_SECONDS = 0.2
LIMIT_SECONDS = 0.3
SLICE_SECONDS = 0.05
PARENT_SECONDS = 0.2
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


class Played(NamedTuple):
    """What came of a batch: pieces with their packed tallies, pieces that time was too short for, and the seconds
    that it took.
    """

    done: list[tuple[Piece, bytes]]
    left: list[Piece]
    seconds: float


@dataclass
class Progress:
    """What a run tells while it plays: `say` gets lines, `step` the number of games just saved."""

    say: Say = field(default=lambda line: None)
    step: Callable[[int], None] = field(default=lambda games: None)


def execute(run: Run, jobs: int, progress: Progress | None = None) -> bool:
    """Play everything that a run lacks; True when it is finished, False when it was asked to stop.

    jobs: workers, 1 or more. Ctrl-C and SIGTERM stop it after the batches under way (0.3 s at most), which are
    kept. Raises Trouble if the ledger can't be written or a worker dies, Damaged if what is there is not sound.
    """
    progress = progress or Progress()
    missing = [(cell, first, stop) for cell in run.plan.cells for first, stop in run.missing(cell)]
    if not missing:
        return True
    with announced(progress.say, f"compiling the rules of {run.game.name}: up to half a minute, and kept for later"):
        speed = warm_up(run, missing[0][0])
    pieces = [Piece(c.id, c.lineup, run.plan.root(c), first, stop) for c, first, stop in missing]
    with _stop_signals() as stopped:
        while pieces and not stopped.is_set():
            pieces, speed = _play_round(run, pieces, speed, jobs, stopped, progress)
        return not stopped.is_set()


def _play_round(
    run: Run, pieces: list[Piece], speed: float, jobs: int, stopped: threading.Event, progress: Progress
) -> tuple[list[Piece], float]:
    """Play pieces and save what comes: the pieces that are left, and the games a second of a core as seen."""
    parcel, size = make_parcel(run), _batch_games(pieces, speed, jobs)
    batches = _until(stopped, _batches(pieces, size, run.config.games.chunk, run.plan.seatings))
    left: list[Piece] = []
    started, saved, worked = perf_counter(), 0, 0.0
    step = max(1, int(min(size, speed * SLICE_SECONDS)))
    try:
        with closing(_play_all(parcel, batches, step, jobs, run.config.run.parallel, stopped)) as results:
            for done, rest, seconds in results:
                for piece, packed in done:
                    run.ledger.save(piece.cell, piece.first, piece.stop, packed)
                games_done = sum(piece.stop - piece.first for piece, _ in done)
                left, saved, worked = left + rest, saved + games_done, worked + seconds
                progress.step(games_done)
    except TerminatedWorkerError:
        if not stopped.is_set():
            raise Trouble("a worker process was killed, perhaps for want of memory; what it saved is kept") from None
    finally:
        run.ledger.commit()
    run.ledger.sit(perf_counter() - started, saved)
    return left, max(saved / worked, 1.0) if worked else speed


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


def work(parcel: Parcel, batch: list[Piece], step: int, stopped: threading.Event | None = None) -> Played:
    """Play a batch for 0.3 s at most, in slices of `step` games; it runs in a worker thread.

    `stopped` ends it after the slice under way. Something is played in any case, unless `stopped` is set before
    it begins.
    """
    game, tables = _unwrap(parcel)
    started = perf_counter()
    done: list[tuple[Piece, bytes]] = []
    left = list(batch)

    def asked() -> bool:
        return stopped is not None and stopped.is_set()

    def enough() -> bool:
        return perf_counter() - started >= LIMIT_SECONDS or asked()

    while left and not (enough() if done else asked()):
        piece = left.pop(0)
        stop, tally = _play_piece(parcel, game, tables, piece, step, enough)
        done.append((piece._replace(stop=stop), pack_tally(tally)))
        if stop < piece.stop:
            left.insert(0, piece._replace(first=stop))
    return Played(done, left, perf_counter() - started)


def _play_piece(
    parcel: Parcel, game: Game, tables: Tables, piece: Piece, step: int, enough: Callable[[], bool]
) -> tuple[int, Tally]:
    """Play a piece slice by slice until it is done or `enough` says so: where it stopped, and the tally."""
    seats = seatings(game, tables, piece.lineup, dict(parcel.bots), parcel.rotate)
    tally, stop = Tally.empty(game, len(seats)), piece.first
    for start, stop in cuts(piece.first, piece.stop, step):
        tally.add(play_tally(game, tables, seats, piece.root, start, stop))
        if enough():
            break
    return stop, tally


def work_apart(parcel: Parcel, batch: list[Piece], step: int) -> Played:
    """The same in a worker process; Ctrl-C is its parent's business, and it doesn't outlive its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _follow_parent()
    return work(parcel, batch, step)


@lru_cache(maxsize=1)
def _follow_parent() -> None:
    """End this process when its parent has ended, even if that was killed: joblib's workers would wait for minutes."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            sleep(PARENT_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


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


def _batch_games(pieces: list[Piece], speed: float, jobs: int) -> int:
    """Games a batch: 0.2 s of them, and less where a run is so short that workers would wait for the last
    one.
    """
    total = sum(piece.stop - piece.first for piece in pieces)
    return max(1, int(min(speed * BATCH_SECONDS, max(total / (16 * jobs), speed * BATCH_SECONDS / 16))))


def _batches(pieces: Iterable[Piece], size: int, chunk: int, block: int) -> Iterator[list[Piece]]:
    """Lists of pieces of about `size` games; a piece stays within a chunk, and is a block of seatings at least."""
    batch: list[Piece] = []
    held = 0
    for piece in pieces:
        for start, end in cuts(piece.first, piece.stop, min(chunk, max(size, block))):
            batch.append(piece._replace(first=start, stop=end))
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
    parcel: Parcel, batches: Iterator[list[Piece]], step: int, jobs: int, parallel: str, stopped: threading.Event
) -> Generator[Played]:
    """What comes of all batches, as it comes."""
    first = next(batches, None)
    if first is None:
        return
    apart = parallel == "processes"
    player: Callable[..., Played] = work_apart if apart else partial(work, stopped=stopped)
    pool = Parallel(
        n_jobs=jobs,
        backend="loky" if apart else "threading",
        return_as="generator_unordered",
        pre_dispatch="1.5*n_jobs",  # few enough that those which wait are soon through when a run is stopped
        batch_size=1,
    )
    with _unheard() if apart else nullcontext():
        results = pool(delayed(player)(parcel, batch, step) for batch in chain([first], batches))
    try:
        for result in results:  # noqa: UP028 - "yield from" would hand a close on to the pool before the next block
            yield result
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that games under way are given up is known here
            results.close()
        if apart and stopped.is_set():
            get_reusable_executor().shutdown(kill_workers=True)  # else they would be waited for at the very end


@lru_cache(maxsize=2)
def _unwrap(parcel: Parcel) -> tuple[Game, Tables]:
    """The game and tables of a parcel, made once a process."""
    game: Game = importlib.import_module(parcel.home).GAMES[parcel.game]
    return game, game.load(Pack.from_json(game.schema, parcel.pack), dict(parcel.settings))


# ---------------------------------------------------------------- stopping and waiting


@contextmanager
def _stop_signals() -> Iterator[threading.Event]:
    """An event that Ctrl-C and SIGTERM set; a second one has nothing to add."""
    stopped = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stopped
        return

    def stop(number: int, frame: Any) -> None:
        stopped.set()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _unheard() -> Iterator[None]:
    """Worker processes that are started inside never hear Ctrl-C, not even while they load; here it is heard
    afterwards. What joblib's caretaker has to clear away when all of them are killed, it clears away without a word.
    """
    mask, warned = getattr(signal, "pthread_sigmask", None), os.environ.get("PYTHONWARNINGS")
    heard = mask(signal.SIG_BLOCK, [signal.SIGINT]) if mask else ()
    os.environ["PYTHONWARNINGS"] = ",".join(filter(None, [warned, "ignore:resource_tracker"]))
    try:
        yield
    finally:
        if mask:
            mask(signal.SIG_SETMASK, heard)
        del os.environ["PYTHONWARNINGS"]
        os.environ |= {"PYTHONWARNINGS": warned} if warned is not None else {}


@contextmanager
def announced(say: Say, line: str, after: float = 1.0) -> Iterator[None]:
    """Give `say` a line if what is done inside takes longer than `after` seconds."""
    timer = threading.Timer(after, say, [line])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
