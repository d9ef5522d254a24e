"""What all commands share: lines for people, tables, progress, and mistakes turned into words and exit codes."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import threading
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from time import monotonic, sleep
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand

from experiments.shortage import shortage

if TYPE_CHECKING:
    from experiments.runner import Progress
    from simcore.game import Game

WRONG, MISTAKEN, IN_USE, STOPPED = 1, 2, 75, 130
LINE_SECONDS = 10.0
PATIENCE = 0.7
MOST_TOLD = 50
STOPS = (signal.SIGINT, signal.SIGTERM)


Jobs = Annotated[int | None, typer.Option(min=1, max=1024, help="Workers; by default one for each core.")]

Cluster = Annotated[
    str | None,
    typer.Option(
        envvar="WASTELAB_CLUSTER",
        metavar="ADDRESS",
        help="The scheduler of a Dask cluster that plays: tcp://HOST:PORT or tls://HOST:PORT; none for this machine.",
    ),
]
ClusterCa = Annotated[
    str | None,
    typer.Option(envvar="WASTELAB_CLUSTER_CA", metavar="FILE", help="For tls://: the authority's certificate, in PEM."),
]
ClusterCert = Annotated[
    str | None, typer.Option(envvar="WASTELAB_CLUSTER_CERT", metavar="FILE", help="For tls://: our certificate.")
]
ClusterKey = Annotated[
    str | None, typer.Option(envvar="WASTELAB_CLUSTER_KEY", metavar="FILE", help="For tls://: the key of it.")
]


class WithPage(TyperCommand):
    """A command whose `--html` may leave its file out: it is "" then."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; typer itself has no options whose value may be left out."""
        after = [*args[1:], "--"]
        given = zip(args, after, strict=True) if args else ()
        return super().parse_args(ctx, ["--html=" if a == "--html" and b.startswith("-") else a for a, b in given])


def cores(jobs: int | None) -> int:
    """How many workers: as many as asked for, or as cores that this process may use."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return jobs or usable or 1


def say(line: str) -> None:
    """A line for people, on stderr."""
    typer.echo(line, err=True)


def command(*parts: object) -> str:
    """A command of Wastelab as one types it, quoted for a shell."""
    return shlex.join(["wastelab", *map(str, parts)])


def leave_settings_aside() -> None:
    """Keep matplotlib from the reader's own settings, which may name a backend that isn't there: pages need none."""
    for name in ("MPLBACKEND", "MATPLOTLIBRC"):
        os.environ.pop(name, None)


class _Farewell:
    """What is said when a command is stopped: lines for people."""

    def __init__(self) -> None:
        self.lines = ["stopped"]


FAREWELL = _Farewell()


def stopped() -> NoReturn:
    """End a command that was stopped, with what FAREWELL holds; who asks again has nothing to add."""
    if signal.getsignal(signal.SIGINT) is _interrupt:
        _ignore_stops()
    for line in FAREWELL.lines:
        say(line)
    raise typer.Exit(STOPPED)


def end_in_time() -> None:
    """From now on Ctrl-C and SIGTERM end this program within a second.

    They raise KeyboardInterrupt, once; commands then keep what they have and say farewell. A guard sees to it
    where that takes too long, as while a library compiles or draws: what isn't on disk by then is played again.
    """
    reader, writer = os.pipe()
    if sys.platform != "win32":
        os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    threading.Thread(target=_guard, args=(reader,), daemon=True).start()
    sys.unraisablehook = _unraisable
    for number in STOPS:
        signal.signal(number, _interrupt)


def _interrupt(number: int, frame: Any) -> None:
    _ignore_stops()
    raise KeyboardInterrupt


def _ignore_stops() -> None:
    for number in STOPS:
        signal.signal(number, signal.SIG_IGN)


def _guard(reader: int) -> None:
    """Wait for a signal, and then for the end; it works while the main thread is busy in a library."""
    while os.read(reader, 1)[0] not in STOPS:
        pass
    sleep(PATIENCE)
    cursor = "\x1b[?25h" if os.isatty(2) else ""
    with suppress(OSError):
        os.write(2, (cursor + "\n".join([*FAREWELL.lines, ""])).encode())
    os._exit(STOPPED)


def _unraisable(error: Any) -> None:
    """Keep quiet where a stop came in a place that can't pass it on; the guard remembers it."""
    if not isinstance(error.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(error)


def columns(rows: Iterable[Sequence[str]]) -> None:
    """Print rows of text in aligned columns."""
    for line in aligned(rows):
        typer.echo(line)


def aligned(rows: Iterable[Sequence[str]]) -> list[str]:
    """Rows of text as lines with aligned columns, as a terminal shows wide and combining characters."""
    from rich.cells import cell_len

    lines = [[(text, cell_len(text)) for text in row] for row in rows]
    widths = [max(width for _, width in column) for column in zip(*lines, strict=True)]
    padded = [[text + " " * (most - width) for (text, width), most in zip(row, widths, strict=True)] for row in lines]
    return ["  ".join(row).rstrip() for row in padded]


def mistaken(where: str, wrong: str, allowed: str = "", nearest: str = "") -> Any:
    """Raise one mistake in what was asked; the parts are those of `simcore.packs.Mistake`."""
    from simcore.packs import Mistake, Mistakes

    raise Mistakes([Mistake(where, wrong, allowed, nearest)])


@contextmanager
def guarded() -> Iterator[None]:
    """Turn what can go wrong into lines on stderr and an exit code."""
    FAREWELL.lines = ["stopped"]
    try:
        yield
    except typer.Exit:
        raise
    except KeyboardInterrupt:
        stopped()
    except Exception as error:
        raise typer.Exit(explain(error)) from None


def explain(error: Exception) -> int:
    """Say what went wrong; gives the exit code. Where memory is short, nothing more is loaded to say so."""
    if short := shortage(error):
        if os.environ.get("WASTELAB_DEBUG"):
            traceback.print_exception(error)
        say(f"error: {short}")
        return WRONG
    from experiments.ledger import InUse, Trouble
    from simcore.packs import Mistakes, one_line

    if isinstance(error, Mistakes):
        for mistake in error.mistakes[:MOST_TOLD]:
            say(f"mistake: {mistake}")
        more = len(error.mistakes) - MOST_TOLD
        say(f"{len(error.mistakes)} mistake(s){f', {more} more than are shown' if more > 0 else ''}; nothing was done")
        return MISTAKEN
    if isinstance(error, Trouble):
        say(f"error: {one_line(str(error))}")
        return IN_USE if isinstance(error, InUse) else WRONG
    _last_resort(error)
    return WRONG


def _last_resort(error: Exception) -> None:
    """Print one line for an error that nobody foresaw, and its traceback if asked for."""
    if os.environ.get("WASTELAB_DEBUG"):
        traceback.print_exception(error)
    lines = str(error).strip().splitlines()
    what = f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
    say(f"error: {what} (WASTELAB_DEBUG=1 shows more)")


@contextmanager
def show_progress(total: int, done: int) -> Iterator[Progress]:
    """What tells the progress of a run on stderr: a bar in a terminal, else a line every ten seconds.

    total: games in all, 0 where nobody knows before.
    """
    from rich.console import Console

    from experiments.runner import Progress

    console, speed = Console(stderr=True, highlight=False), _Speed(total, done)
    if not console.is_terminal:
        yield Progress(say, speed.tell)
        return
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn
    from rich.progress import Progress as Bar

    parts = TextColumn("games"), BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[speed]}")
    with Bar(*parts, console=console, transient=True) as bar:
        task = bar.add_task("games", total=total or None, completed=done, speed="")

        def step(games: int) -> None:
            speed.step(games)
            bar.update(task, completed=speed.done, speed=speed.words())

        yield Progress(partial(console.print, markup=False), step)


class _Speed:
    """Games done, how many a second, and the time left; the clock starts when the first games come in."""

    def __init__(self, total: int, done: int) -> None:
        self.total, self.done, self.played = total, done, 0
        self.started, self.told = 0.0, monotonic()

    def step(self, games: int) -> None:
        """Count games that have just been saved."""
        self.done += games
        if self.started:
            self.played += games
        else:
            self.started = monotonic()

    def words(self) -> str:
        """As in "2,100,000 games/s, 4 s left"; empty as long as nobody can know."""
        seconds = monotonic() - self.started
        if not self.played or seconds <= 0:
            return ""
        speed = self.played / seconds
        left = f", {(self.total - self.done) / speed:,.0f} s left" if self.total else ""
        return f"{speed:,.0f} games/s{left}"

    def tell(self, games: int) -> None:
        """Count games, and say where things stand if ten seconds have passed."""
        self.step(games)
        if monotonic() - self.told >= LINE_SECONDS:
            self.told = monotonic()
            of_all = f" of {self.total:,}" if self.total else ""
            say(f"{self.done:,}{of_all} games, {self.words()}".rstrip(", "))


def chosen_games(game: str | None) -> list[Game]:
    """One game, or all of them."""
    from simcore.game import find_game, game_names
    from simcore.packs import nearest

    if game is not None and game not in game_names():
        mistaken("--game", f"is {game!r}", ", ".join(game_names()), nearest(game, game_names()))
    return [find_game(name) for name in (game_names() if game is None else [game])]
