"""FR5: commands whose output nobody reads, or that can't be written. What they write into files is whole."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from experiments.ledger import open_run
from experiments.output import Lasting
from experiments.pack_files import write_folder
from experiments.sheets import to_sheets
from simcore.game import find_game
from simcore.packs import load
from tests.conftest import Write
from tests.reliability.commands import FIRST, MAIN, ROOT

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs pipes and /dev/full")
BLANK = "from experiments import pages; pages.drawn = lambda draw, narrow: ('data:image/svg+xml;base64,', 640)"
TALKATIVE = "from experiments import terminal; terminal.LINE_SECONDS = 0"
FULL_LINE = "error: cannot write to stdout: No space left on device\n"
REMARKS = ("games already", "compiling", "solving", "written: ")
FILES = {"ledger.sqlite", "summary.csv", "report.html"}


@contextmanager
def dead() -> Iterator[int]:
    """A pipe that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    yield writer
    os.close(writer)


@contextmanager
def full() -> Iterator[int]:
    """A disk that is full."""
    file = os.open("/dev/full", os.O_WRONLY)
    yield file
    os.close(file)


def wastelab(
    *arguments: object,
    stdout: int = subprocess.PIPE,
    stderr: int = subprocess.PIPE,
    closed: tuple[int, ...] = (),
    before: str = "",
    at_once: bool = False,
    cwd: Path = ROOT,
) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own, uncompiled; `closed`: numbers of files that are closed before it begins;
    at_once: its output is not kept back.
    """
    code = f"{FIRST}\n{BLANK}\n{before}\n{MAIN}"
    env = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    env |= {"PYTHONUNBUFFERED": "1"} if at_once else {}
    close: Callable[[], None] | None = (lambda: [os.close(number) for number in closed] and None) if closed else None
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(
        command, stdout=stdout, stderr=stderr, text=True, cwd=cwd, env=env, preexec_fn=close, check=False, timeout=120
    )


def must_be_whole(out: Path) -> Path:
    """A finished run with all of its files, and no part of one; its folder."""
    (folder,) = out.iterdir()
    assert {path.name for path in folder.iterdir()} == FILES
    run = open_run(folder)
    assert run.finished and run.check() == [] and run.ledger.still_has(folder / "summary.csv")
    assert "</html>" in (folder / "report.html").read_text("utf-8")
    run.close()
    return folder


def wrong(done: subprocess.CompletedProcess[str]) -> tuple[int, str]:
    """The exit code, and what is on stderr but for remarks on how a run goes."""
    lines = done.stderr.splitlines(keepends=True)
    return done.returncode, "".join(line for line in lines if not any(word in line for word in REMARKS))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run."""
    place = tmp_path_factory.mktemp("played")
    path = place / "toy.toml"
    path.write_text("title = 'x'\nseed = 1\ngame = 'toy.fight'\n[games]\nper_cell = 20\n")
    done = wastelab("run", path, "--out", place / "results", "--jobs", 1)
    assert done.returncode == 0, done.stderr
    return must_be_whole(place / "results")


def test_a_run_whose_reader_leaves_after_a_line_is_finished_and_written(config: Write, tmp_path: Path) -> None:
    """FR5: `wastelab run X | head -1`, by a real shell."""
    out, path = tmp_path / "results", config(games=20)
    code = f"{FIRST}\n{BLANK}\n{MAIN}"
    line = f"'{sys.executable}' -c \"$CODE\" run '{path}' --out '{out}' --jobs 1 | head -1; echo ${{PIPESTATUS[0]}}"
    env = os.environ | {"NUMBA_DISABLE_JIT": "1", "CODE": code, "PYTHONUNBUFFERED": "1"}
    found = subprocess.run(["bash", "-c", line], capture_output=True, text=True, cwd=ROOT, env=env, check=False)
    assert found.stdout.splitlines()[-1] == "0" and len(found.stdout.splitlines()) == 2
    assert found.stderr == "" or found.stderr.startswith("compiling")
    must_be_whole(out)


@pytest.mark.parametrize(("at_once", "as_json"), [(False, False), (True, True)])
def test_a_run_that_nobody_reads_is_written_whole(config: Write, tmp_path: Path, at_once: bool, as_json: bool) -> None:
    """FR5: a dead pipe and a full disk, at once or when the interpreter ends, for run and resume."""
    json, path = ["--json"] if as_json else [], config(games=20)
    for place, ends in enumerate((dead, full)):
        out = tmp_path / str(place)
        with ends() as end:
            done = wastelab("run", path, "--out", out, "--jobs", 1, *json, stdout=end, at_once=at_once)
        assert wrong(done) == ((0, "") if ends is dead else (1, FULL_LINE))
        folder = must_be_whole(out)
        with ends() as end:
            more = wastelab("resume", folder, "--games", 40, "--jobs", 1, *json, stdout=end, at_once=at_once)
        assert wrong(more) == ((0, "") if ends is dead else (1, FULL_LINE))
        assert open_run(must_be_whole(out)).plan.cells[0].games == 40


@pytest.mark.parametrize("how", ["dead", "full", "closed"])
def test_progress_that_nobody_reads_stops_no_run(config: Write, tmp_path: Path, how: str) -> None:
    """FR5: a line for every batch goes to a stderr that can't be written; the numbers still go to stdout."""
    path, out = config(games=300, chunk=16), tmp_path / "results"
    asked = ("run", path, "--out", out, "--jobs", 1)
    if how == "closed":
        done = wastelab(*asked, before=TALKATIVE, closed=(2,))
    else:
        with {"dead": dead, "full": full}[how]() as end:
            done = wastelab(*asked, before=TALKATIVE, stderr=end)
    assert done.returncode == 0 and "1,800 games in" in done.stdout
    must_be_whole(out)


def test_a_run_without_any_output_is_written_whole(config: Write, tmp_path: Path) -> None:
    """FR5: no file of a run gets the number of a stream that was closed before it began."""
    loud = f"{TALKATIVE}\nimport os; from experiments import report; write = report.write\n"
    loud += "report.write = lambda *a: (os.write(1, b'from a library'), os.write(2, b'from a library'), write(*a))[2]"
    done = wastelab("run", config(games=20), "--out", tmp_path / "r", "--jobs", 1, before=loud, closed=(0, 1, 2))
    assert done.returncode == 0 and not done.stdout and not done.stderr
    folder = must_be_whole(tmp_path / "r")
    assert all(b"from a library" not in path.read_bytes() for path in folder.iterdir())


def sheets(place: Path) -> Path:
    """A pack as spreadsheets."""
    write_folder(place / "in", to_sheets(load(find_game("toy.fight").schema), ","))
    return place / "in"


WRITING: dict[str, tuple[Callable[[Path, Path], list[object]], str]] = {
    "report": (lambda run, place: ["report", run], ""),
    "replay": (
        lambda run, place: ["replay", run, "--cell", "steady vs pup", "--game", 3, "--html", place / "page.html"],
        "page.html",
    ),
    "new": (lambda run, place: ["new", "mine", "--game", "toy.duel"], "mine.toml"),
    "exact matrix": (
        lambda run, place: ["exact", "matrix", "--game", "toy.duel", "--jobs", 1, "--out", place],
        "numbers.csv",
    ),
    "pack new": (lambda run, place: ["pack", "new", "knights", place / "pack"], "pack/README.md"),
    "pack import": (lambda run, place: ["pack", "import", sheets(place), place / "made"], "made/pack.toml"),
    "pack export": (lambda run, place: ["pack", "export", "toy.fight", place / "sheets"], "sheets/README.md"),
}


@pytest.mark.parametrize("how", [dead, full])
@pytest.mark.parametrize("name", WRITING)
def test_all_commands_that_write_do_so_whoever_reads(name: str, how: Any, played: Path, tmp_path: Path) -> None:
    """FR5: files are there though stdout breaks at its first character, and stderr with it."""
    asked, file = WRITING[name]
    if name == "report":
        for path in ("summary.csv", "report.html"):
            (played / path).unlink()
    with how() as end:
        done = wastelab(*asked(played, tmp_path), stdout=end, at_once=True, cwd=tmp_path)
    assert wrong(done) == ((0, "") if how is dead else (1, FULL_LINE))
    assert (tmp_path / file).exists()
    must_be_whole(played.parent)


READING: dict[str, list[object]] = {
    "list": ["list", "roles"],
    "pool": ["exact", "pool", "--dice", 3, "--difficulty", 5],
    "schema": ["config", "schema"],
    "help": ["--help"],
    "version": ["--version"],
    "pack show": ["pack", "show", "toy.fight"],
}


@pytest.mark.parametrize("name", READING)
def test_what_only_prints_ends_quietly_or_with_a_line(name: str, played: Path) -> None:
    """FR5: the help as well, which typer prints, and what only the interpreter's end writes."""
    with dead() as end:
        done = wastelab(*READING[name], stdout=end)
    assert wrong(done) == (0, "")
    with full() as end:
        done = wastelab(*READING[name], stdout=end)
    assert wrong(done) == (1, FULL_LINE)


def test_exit_codes_stay_though_nobody_reads(played: Path, tmp_path: Path) -> None:
    """FR5: a failed verification doesn't succeed by `| head -1`, and a mistake is a mistake with stderr closed."""
    for path in played.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "summary.csv").write_text("not its numbers")
    with dead() as end:
        assert wastelab("verify", tmp_path, stdout=end, at_once=True).returncode == 1
    with dead() as end, full() as other:
        assert wastelab("list", "rolls", stdout=end, stderr=other).returncode == 2
    assert wastelab("list", "rolls", closed=(1, 2)).returncode == 2


def test_files_are_written_before_anything_is_shown(config: Write, tmp_path: Path) -> None:
    """FR5: even a run that is killed while its reader lets it wait has its files."""
    out = tmp_path / "results"
    before = "from experiments import cli\n"
    before += f"import os; cli._show = lambda *a: os._exit(len(list(os.scandir(next(os.scandir({str(out)!r}))))))"
    assert wastelab("run", config(games=20), "--out", out, "--jobs", 1, before=before).returncode == len(FILES)


def test_a_pipe_that_does_not_wait_loses_nothing() -> None:
    """FR5: where a pipe gives an error in place of waiting, what is written waits for its reader."""
    before = "import os; os.set_blocking(1, False)"
    asked = ("pack", "show", "knights")
    whole = wastelab(*asked).stdout
    command = [sys.executable, "-c", f"{FIRST}\n{before}\n{MAIN}", *asked]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdout is not None
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(8)  # it fills the pipe, and waits
    assert process.communicate(timeout=60)[0] == whole and len(whole) > 1 << 16
    assert process.returncode == 0


def test_a_stream_remembers_why_it_failed() -> None:
    """FR5: a full disk is an error, a reader that left is none, and neither is raised."""
    for error, lost in ((OSError(28, "No space left on device"), True), (BrokenPipeError(32, "Broken pipe"), False)):

        class Broken(io.RawIOBase):
            def writable(self) -> bool:
                return True

            def write(self, data: Any, error: OSError = error) -> int:
                raise error

        raw = Lasting(io.TextIOWrapper(io.BufferedWriter(Broken())))
        assert raw.write(b"abc") == 3 and raw.write(b"d") == 1
        assert (raw.lost() is error) is lost
