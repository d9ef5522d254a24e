"""Plays what a ledger still lacks: joblib's workers take batches of games, and each tally is saved as it
comes.

A batch is about a fifth of a second of work: many small cells, or a part of a large one. A worker gives back
after 0.3 s what it has, and what it left is played in a further round, so that a run can be stopped at any
time. How games are cut into batches and who plays them decides nothing, as game N is the same alone or among
others.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import shutil
import signal
import threading
import warnings
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import chain, islice
from pathlib import Path
from time import perf_counter, sleep
from typing import Any, NamedTuple, cast

import numpy as np
from joblib import Parallel, delayed
from joblib.externals.loky import get_reusable_executor
from joblib.externals.loky.process_executor import BrokenProcessPool

from experiments.both import Both
from experiments.config import Config, Given, Setup, settings_of
from experiments.facts import facts, must_be_current
from experiments.ledger import Damaged, Run, Trouble, pack_tally
from experiments.lineups import Dealt
from experiments.pairs import Pairs, play_pairs
from experiments.plan import Cell, cuts
from experiments.ready import Scheduler, must_have_extras
from experiments.shards import Span, put
from experiments.shortage import FEWER
from experiments.stopping import Ends, goals, look_at, looks_of
from experiments.sweeps import Points
from simcore import game as games
from simcore import store
from simcore.game import Game, Tally, play, play_tally, replay, usual_roles
from simcore.kernels import SETTINGS, cache_folder
from simcore.packs import Pack

BATCH_SECONDS = 0.2
FAR = 2.5
"""How many times longer batches are that go over a network."""

KEPT_GAMES = 50_000
"""Games of a batch at most, where all of them are kept: so many are in memory at once."""

LIMIT_SECONDS = 0.3
SLICE_SECONDS = 0.05
PARENT_SECONDS = 0.2
PROBE_GAMES = 2048
SAMPLED = 2_000
"""Tallies that a verification plays again at most."""

Say = Callable[[str], None]


class Parcel(NamedTuple):
    """What a worker process needs to know of a run: names and text, the pack's and the sweep's points compressed, no
    compiled code; and the facts about code and versions that it must have in common with us. `beside`: of a comparison,
    the other run's parcel, and which of its points and variants belong to ours.
    """

    home: str
    game: str
    pack: bytes
    points: bytes
    config: str
    facts: tuple[tuple[str, str], ...]
    beside: Any = None


class Order(NamedTuple):
    """How a batch is played: in slices of `step` games, for so many seconds at most; and whether its games are kept."""

    step: int
    seconds: float
    keep: bool = False


class Piece(NamedTuple):
    """Games first..stop-1 of a cell, and the key of its games."""

    cell: Cell
    root: int
    first: int
    stop: int


class Played(NamedTuple):
    """What came of a batch: pieces with their packed tallies, pieces that time was too short for, the seconds that it
    took, and the games as rows where they are kept. `refused`: nothing was played, as other code is there.
    """

    done: list[tuple[Piece, bytes]]
    left: list[Piece]
    seconds: float
    rows: bytes = b""
    refused: bool = False


@dataclass(frozen=True)
class Hands:
    """Who plays: how many at once, joblib's name of their back end (or the back end), what each of them runs, and what
    it is told of the run. `slow`: how many times longer their batches are.
    """

    many: Callable[[], int]
    back_end: Callable[[], Any]
    player: Callable[..., Played]
    told: Any
    slow: float = 1.0


@dataclass
class Progress:
    """What a run tells while it plays: `say` gets lines, `step` the number of games just saved."""

    say: Say = field(default=lambda line: None)
    step: Callable[[int], None] = field(default=lambda games: None)


def execute(run: Run, jobs: int, progress: Progress | None = None, scheduler: Scheduler | None = None) -> bool:
    """Play everything that a run lacks; True when it is finished, False when it was asked to stop.

    jobs: workers, 1 or more. scheduler: that of the cluster that plays, as the command line or the environment names
    it; neither a config nor a run says where it is. Ctrl-C and SIGTERM stop it after the batches under way (0.3 s at
    most), which are kept. Raises Trouble if the ledger can't be written, a worker dies or our own code is out of date,
    Damaged if what is there is not sound, and Mistakes where what is asked for isn't there (`experiments.ready`).
    """
    if run.finished:
        return True
    must_be_current()
    must_be_playable(run, scheduler)
    run.settle()
    progress = progress or Progress()
    with _stop_signals() as stopped, _hands(run, jobs, stopped, progress.say, scheduler) as hands:
        player = _Player(run, hands, progress)
        return player.to_the_looks(stopped) if run.stops else player.up_to(stopped, run.goals)


def must_be_playable(run: Run, scheduler: Scheduler | None) -> None:
    """Mistakes where what a run asks for isn't installed or named; the address that one of an earlier version recorded
    doesn't count.
    """
    recorded = run.manifest["config"].get("runner", {}).get("address")
    must_have_extras(run.config, scheduler, recorded=recorded)


@contextmanager
def _hands(
    run: Run, jobs: int, stopped: threading.Event, say: Say, scheduler: Scheduler | None = None
) -> Iterator[Hands]:
    """Those who play a run."""
    parcel = make_parcel(run)
    if scheduler and not scheduler.here:
        from experiments.cluster import reached

        with reached(scheduler, parcel.home, parcel.game, say) as cluster:
            say(f"{cluster.cores():,} cores play at {scheduler.address}")
            yield Hands(cluster.cores, cluster.back_end, work_there, parcel, FAR)
    elif run.config.runner.backend == "processes":
        yield Hands(lambda: jobs, lambda: "loky", work_apart, parcel)
    else:
        yield Hands(lambda: jobs, lambda: "threading", partial(work, stopped=stopped), run.plan.setup)


@dataclass
class _Player:
    """Plays a run: how fast its games are is known once the rules are compiled."""

    run: Run
    hands: Hands
    progress: Progress
    speed: float = 0.0

    def up_to(self, stopped: threading.Event, needs: Mapping[str, int | None], deadline: float = math.inf) -> bool:
        """Play the first so many games of each cell; False when it was stopped, or the deadline has passed."""
        run = self.run
        missing = [(c, *part) for c in run.plan.cells if needs.get(c.id) for part in run.missing(c, needs[c.id])]
        pieces = [Piece(cell, run.plan.root(cell), first, stop) for cell, first, stop in missing]
        if pieces and not self.speed:
            self._warm_up(pieces)
        lost: list[Piece] = []
        while pieces and not stopped.is_set() and perf_counter() < deadline:
            pieces, suspects, self.speed = self._round(pieces, self.hands.many(), stopped, deadline)
            for suspect in suspects if not stopped.is_set() else ():
                lost += self._alone(suspect, stopped)
        if lost and not stopped.is_set():
            self._give_up(lost)
        return not pieces and not stopped.is_set()

    def _round(self, pieces: list[Piece], jobs: int, stopped: threading.Event, deadline: float = math.inf) -> Round:
        return _play_round(self.run, self.hands, pieces, self.speed, jobs, stopped, self.progress, deadline)

    def _alone(self, piece: Piece, stopped: threading.Event) -> list[Piece]:
        """Play a piece apart from all others, as its worker may have died of it: what a worker dies of again."""
        left, lost = [piece], list[Piece]()
        while left and not stopped.is_set():
            left, again, self.speed = self._round(left, 2, stopped)
            lost += again
        return lost

    def _give_up(self, lost: list[Piece]) -> None:
        """Say which games are left out, as the worker that played them died twice; all else has been played."""
        for piece in lost:
            told = f"games {piece.first:,} to {piece.stop:,} of {piece.cell.name} ({piece.cell.id})"
            self.progress.say(f"left out: {told}: the worker process that played them was killed twice")
        games = sum(piece.stop - piece.first for piece in lost)
        told = f"{games:,} games killed their worker process twice and were left out; all others are kept"
        raise Trouble(f"{told}; the usual cause is not enough memory: {FEWER}")

    def to_the_looks(self, stopped: threading.Event) -> bool:
        """Play from look to look until every role is through; False when it was stopped."""
        run, ends, reached = self.run, Ends(), 0
        known, spent = run.ledger.ends(), run.seconds
        minutes = run.config.games.budget_minutes
        deadline = perf_counter() + 60 * minutes - spent if minutes else math.inf
        looks = looks_of(run.plan)
        for look in looks:
            needs = {cell: look for cell, need in goals(run.plan, ends).items() if need is None}
            if not needs:
                break
            if not self.up_to(stopped, needs, deadline):
                return not stopped.is_set() and self._spend(ends, reached)
            found, reached = look_at(run, look, ends, look == looks[-1]), look
            told = {who: end for who, end in known.items() if end.games == look}
            if told and told != {who: end for who, end in found.items() if who in told}:
                raise Damaged(f"{run.folder} ended where its games don't say so: its table of ends was changed")
            run.ledger.end({who: end for who, end in found.items() if who not in known})
            ends |= found
        return True

    def _spend(self, ends: Ends, reached: int) -> bool:
        """End what is not through at the last look that was reached, as the time is spent."""
        run = self.run
        if not reached:
            raise Trouble(f"{run.folder}: the budget was spent before the first look; resume it with a longer one")
        last = {who: end._replace(rule="budget") for who, end in look_at(run, reached, ends, True).items()}
        run.cut({cell: need or 0 for cell, need in goals(run.plan, ends | last).items()})
        run.ledger.sit(0.0, run.games - sum(games for _, games in run.ledger.sittings()))
        run.ledger.end(last)
        return True

    def _warm_up(self, pieces: list[Piece]) -> None:
        """Compile the rules and say how long it may take."""
        run, say = self.run, self.progress.say
        self.speed = warm_up(run, pieces[0].cell, say)
        games = sum((piece.stop - piece.first) * (2 if run.plan.paired(piece.cell) else 1) for piece in pieces)
        seconds = games / self.speed / self.hands.many()
        if not run.stops and (seconds > 5 or len(run.plan.slices) > 1):
            told = f"{len(run.plan.cells):,} cells, {run.plan.games:,} games"
            say(f"{told}: about {max(1, round(seconds)):,} s, by the speed of the first cell")


class Round(NamedTuple):
    """What is left after pieces were played: `left`, to be played further; `suspects`, one of which a worker process
    may have died of; and the games a second of a core as seen.
    """

    left: list[Piece]
    suspects: list[Piece]
    speed: float


def _play_round(
    run: Run,
    hands: Hands,
    pieces: list[Piece],
    speed: float,
    jobs: int,
    stopped: threading.Event,
    progress: Progress,
    deadline: float = math.inf,
) -> Round:
    """Play pieces and save what comes."""
    size = _batch_games(pieces, speed * hands.slow, jobs)
    keep, refused = run.keeps, False
    every = _batches(pieces, min(size, KEPT_GAMES) if keep else size, run.config.games.chunk, run.plan.seatings)
    under_way: dict[tuple[str, int], list[Piece]] = {}
    batches = _noted(_until(lambda: stopped.is_set() or refused or perf_counter() > deadline, every), under_way)
    left: list[Piece] = []
    suspects: list[Piece] = []
    started, saved, worked = perf_counter(), 0, 0.0
    order = Order(max(1, int(min(size, speed * SLICE_SECONDS))), LIMIT_SECONDS * hands.slow, keep)
    try:
        with closing(_play_all(hands, batches, order, jobs, stopped)) as results:
            for played in results:
                _save(run, played)
                games_done = sum(piece.stop - piece.first for piece, _ in played.done)
                left, saved, worked = left + played.left, saved + games_done, worked + played.seconds
                del under_way[_key([piece for piece, _ in played.done] or played.left)]
                refused = refused or played.refused
                progress.step(games_done)
    except BrokenProcessPool:
        suspects = [piece for batch in under_way.values() for piece in batch]
    finally:
        run.ledger.commit()
    run.ledger.sit(perf_counter() - started, saved)
    if refused and hands.player is work_apart:
        must_be_current()
        raise Trouble(
            "a worker process has loaded other code than this program: start it again; what was saved is kept"
        )
    left += [piece for batch in every for piece in batch]
    return Round(left, suspects, max(saved / worked, 1.0) if worked else speed)


def _save(run: Run, played: Played) -> None:
    """Save what came of a batch: its games first, where they are kept, and then its tallies."""
    chunks = [(Span(piece.cell.id, piece.first, piece.stop), packed) for piece, packed in played.done]
    try:
        shard = put(run.folder, [span for span, _ in chunks], played.rows) if played.rows else None
    except OSError as error:
        raise Trouble(f"cannot write to {run.folder}: {error.strerror or error} (what was committed stays)") from None
    run.ledger.save(chunks, shard)


def _noted(batches: Iterator[list[Piece]], under_way: dict[tuple[str, int], list[Piece]]) -> Iterator[list[Piece]]:
    """Batches, each noted as it is handed out."""
    for batch in batches:
        under_way[_key(batch)] = batch
        yield batch


def _key(batch: list[Piece]) -> tuple[str, int]:
    """What a batch and what came of it have in common."""
    return batch[0].cell.id, batch[0].first


def make_parcel(run: Run) -> Parcel:
    """The parcel of a run."""
    home = games.GAMES[run.config.game]
    return _parcel(run.plan.setup, home, tuple(facts(home, run.config.game).items()))


def _parcel(setup: Setup, home: str, agreed: tuple[tuple[str, str], ...]) -> Parcel:
    """The parcel of a set-up, and of the one beside it."""
    config, points = setup.config, json.dumps(setup.points if setup.config.sweep else ())
    packed = zlib.compress(setup.pack.to_json().encode()), zlib.compress(points.encode())
    beside = None
    if isinstance(setup, Both):
        beside = _parcel(setup.partner, home, agreed), tuple(setup.slices.items())
    return Parcel(home, config.game, *packed, config.model_dump_json(), agreed, beside)


def warm_up(run: Run, cell: Cell, say: Say) -> float:
    """Compile the rules and measure: games a second of a cell, on one core."""
    line = f"compiling the rules of {run.game.name}: up to a minute, and kept for later"
    with announced(say, line):
        seats, root, tables = run.plan.seats(cell), run.plan.root(cell), run.plan.tables(cell)
        play_tally(run.game, tables, seats, root, 0, 1)
        must_agree(run, cell)
        started = perf_counter()
        play_tally(run.game, tables, seats, root, 0, 16)
        many = PROBE_GAMES if perf_counter() - started < 0.02 else 16
        started = perf_counter()
        play_tally(run.game, tables, seats, root, 0, many)
        return many / max(perf_counter() - started, 1e-9)


def must_agree(run: Run, cell: Cell) -> None:
    """Play the first game of a cell compiled and uncompiled; Trouble where they differ.

    What was compared is noted in the cache, so that this is done once for what was compiled, and again after any of it
    was compiled anew.
    """
    folder = None if SETTINGS.DISABLE_JIT else cache_folder(run.game.package)
    if folder is None:
        return
    seen, now = folder / f"{run.game.name}.agrees", store.hashes(folder).encode()
    with suppress(store.Unsound, OSError):
        if store.get(seen) == now:
            return
    if not agrees(run, cell, 0):
        shutil.rmtree(folder, ignore_errors=True)
        told = f"the compiled rules of {run.game.name} play another game than their source"
        raise Trouble(f"{told}: they were deleted ({folder}), and the next run compiles them anew")
    with suppress(OSError):
        store.put(seen, now)


def work(setup: Setup, batch: list[Piece], order: Order, stopped: threading.Event | None = None) -> Played:
    """Play a batch as it is ordered; it runs in a worker thread.

    `stopped` ends it after the slice under way. Something is played in any case, unless `stopped` is set before
    it begins.
    """
    started = perf_counter()
    done: list[tuple[Piece, bytes]] = []
    left, kept = list(batch), list[tuple[Piece, list[Any]]]()

    def asked() -> bool:
        return stopped is not None and stopped.is_set()

    def enough() -> bool:
        return perf_counter() - started >= order.seconds or asked()

    while left and not (enough() if done else asked()):
        piece = left.pop(0)
        outcomes: list[Any] | None = [] if order.keep else None
        stop, packed = _play_piece(setup, piece, order.step, enough, outcomes)
        done.append((piece._replace(stop=stop), packed))
        kept += [(piece, outcomes)] if outcomes is not None else []
        if stop < piece.stop:
            left.insert(0, piece._replace(first=stop))
    return Played(done, left, perf_counter() - started, _rows(setup, kept) if kept else b"")


def _rows(setup: Setup, kept: list[tuple[Piece, list[Any]]]) -> bytes:
    """Games that were kept as a file."""
    from experiments.rows import Kept, to_parquet

    return to_parquet(setup, [Kept(piece.cell, piece.first, np.concatenate(outcomes)) for piece, outcomes in kept])


def _play_piece(
    setup: Setup, piece: Piece, step: int, enough: Callable[[], bool], kept: list[Any] | None = None
) -> tuple[int, bytes]:
    """Play a piece slice by slice until it is done or `enough` says so: where it stopped, and its packed tally. `kept`
    gets the outcomes of all games, if it is there.
    """
    cell, game = piece.cell, setup.game
    world, base = setup.world(cell.point, cell.variant), setup.base(cell.point, cell.variant)
    seats, stop = setup.seats(world, cell.lineup), piece.first
    both = (setup.seats(base, cell.lineup), seats) if base else None
    tally, pairs = Tally.empty(game, len(seats)), Pairs.empty(game.players)
    for start, stop in cuts(piece.first, piece.stop, step):
        if base and both:
            played, together = play_pairs(game, (base.tables, world.tables), both, piece.root, start, stop, kept)
            pairs.add(together)
        elif kept is not None:
            played = Tally.empty(game, len(seats))
            kept.append(play(game, world.tables, seats, piece.root, start, stop))
            played.note(game, seats, start, kept[-1])
        else:
            played = play_tally(game, world.tables, seats, piece.root, start, stop)
        tally.add(played)
        if enough():
            break
    return stop, pack_tally(tally, pairs if base else None)


def work_apart(parcel: Parcel, batch: list[Piece], order: Order) -> Played:
    """The same in a worker process; Ctrl-C is its parent's business, and it doesn't outlive its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _follow_parent()
    if not _is_like(parcel):
        return Played([], batch, 0.0, refused=True)
    return work(_unwrap(parcel), batch, order)


def work_there(parcel: Parcel, batch: list[Piece], order: Order) -> Played:
    """The same in a thread of a cluster's worker, which plays nothing where it isn't like us."""
    if not _is_like(parcel):
        return Played([], batch, 0.0, refused=True)
    return work(_compiled(parcel), batch, order)


def _is_like(parcel: Parcel) -> bool:
    """Whether this process has loaded the code that the parcel's has."""
    return dict(parcel.facts) == facts(parcel.home, parcel.game)


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

    budget: games to play in all, but at least one chunk, and SAMPLED at most; the sample depends on the run's name
    alone.
    """
    found = Replayed()
    chunks = [(cell, first, stop) for cell in run.plan.cells for first, stop in run.done(cell)]
    dice = np.random.default_rng(int.from_bytes(run.name.encode()[-8:], "big"))
    for place in dice.permutation(len(chunks))[:SAMPLED]:
        cell, first, stop = chunks[place]
        if found.chunks and found.games + stop - first > budget:
            break
        packed = next(run.ledger.chunks(cell.id, first, first + 1)).packed
        whole = Piece(cell, run.plan.root(cell), first, stop)
        if _play_piece(run.plan.setup, whole, stop - first, lambda: False)[1] != packed:
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
    out = play(run.game, run.plan.tables(cell), run.plan.seats(cell), run.plan.root(cell), index, index + 1)
    return numbers(out)


def story_of(run: Run, cell: Cell, index: int) -> tuple[list[int], list[str]]:
    """One game played uncompiled: its numbers, as in `outcome_of`, and its story in plain words."""
    outcome, lines = replay(run.game, run.plan.tables(cell), run.plan.seats(cell), run.plan.root(cell), index)
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


def _until(enough: Callable[[], bool], batches: Iterator[list[Piece]]) -> Iterator[list[Piece]]:
    """Batches until it is enough; what isn't handed out is still in `batches`, as none is taken only to be dropped."""
    while not enough() and (batch := next(batches, None)) is not None:
        yield batch


def _play_all(
    hands: Hands, batches: Iterator[list[Piece]], order: Order, jobs: int, stopped: threading.Event
) -> Generator[Played]:
    """What comes of all batches, as it comes."""
    first = next(batches, None)
    if first is None:
        return
    apart = hands.player is work_apart
    tasks = (delayed(hands.player)(hands.told, batch, order) for batch in chain([first], batches))
    with _unheard() if apart else nullcontext():
        results = _streamed(hands, jobs, tasks)
    try:
        for result in results:
            yield result
            if hands.slow > 1 and stopped.is_set():  # those that are under way far off would take too long
                break
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that games under way are given up is known here
            results.close()
        if apart and stopped.is_set():
            get_reusable_executor().shutdown(kill_workers=True)  # else they would be waited for at the very end


def _streamed(hands: Hands, jobs: int, tasks: Iterator[Any]) -> Generator[Played]:
    """What comes of tasks, as it comes; from a back end that can't give it so, round after round."""
    # few enough wait that they are soon through when a run is stopped, and enough that no worker waits for a network
    ahead = f"{0.5 + hands.slow}*n_jobs"
    options = {"n_jobs": jobs, "backend": hands.back_end(), "pre_dispatch": ahead, "batch_size": 1}
    try:
        pool = Parallel(return_as="generator_unordered", **options)
    except ValueError:
        return _in_rounds(Parallel(**options), jobs, tasks)
    return cast("Generator[Played]", pool(tasks))


def _in_rounds(pool: Any, jobs: int, tasks: Iterator[Any]) -> Generator[Played]:
    """What comes of tasks, so many at a time as there are workers."""
    while some := list(islice(tasks, jobs)):
        yield from pool(some)


@lru_cache(maxsize=4)
def _unwrap(parcel: Parcel) -> Setup:
    """The set-up of a parcel, made once a process; the points of its sweep are those that the run was dealt."""
    game: Game = importlib.import_module(parcel.home).GAMES[parcel.game]
    config = Config.model_validate_json(parcel.config)
    pack = Pack.from_json(game.schema, zlib.decompress(parcel.pack).decode())
    setup = Setup.of(config, game, pack, game.load(pack, settings_of(game, config.table)))
    points = tuple(tuple(map(tuple, point)) for point in json.loads(zlib.decompress(parcel.points)))
    setup = replace(setup, given=Given(Dealt((), ()), Points(points, ()))) if points else setup
    return Both.of_two(setup, _unwrap(parcel.beside[0]), dict(parcel.beside[1])) if parcel.beside else setup


@lru_cache(maxsize=2)
def _compiled(parcel: Parcel) -> Setup:
    """The set-up of a parcel, with its rules compiled: by one process of this machine, so that others find them in the
    cache.
    """
    setup = _unwrap(parcel)
    game, tables = setup.game, setup.tables
    lineup = [slug for side in game.sides for slug in usual_roles(tables.roles[side.key])[: side.seats]]
    with _alone_in(cache_folder(game.package)):
        play_tally(game, tables, setup.world(0).seats(game, lineup, "none"), 1, 0, 1)
    return setup


@contextmanager
def _alone_in(folder: Path | None) -> Iterator[None]:
    """Wait until no other process is in here for the same folder, and keep others waiting."""
    try:
        import fcntl
    except ImportError:  # no such locks on this system
        folder = None
    if folder is None:
        yield
        return
    with (folder / "compiling").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


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
    They import nothing from the working folder by themselves, but what this process would.
    """
    mask, names = getattr(signal, "pthread_sigmask", None), ("PYTHONWARNINGS", "PYTHONSAFEPATH")
    before = {name: os.environ[name] for name in names if name in os.environ}
    heard = mask(signal.SIG_BLOCK, [signal.SIGINT]) if mask else ()
    warned = ",".join(filter(None, [before.get("PYTHONWARNINGS"), "ignore:resource_tracker"]))
    os.environ |= {"PYTHONWARNINGS": warned, "PYTHONSAFEPATH": "1"}
    try:
        yield
    finally:
        if mask:
            mask(signal.SIG_SETMASK, heard)
        for name in names:
            del os.environ[name]
        os.environ |= before


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
