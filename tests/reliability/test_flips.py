"""A flipped byte is found by `verify` and by `resume`, wherever it is, and never read as a number."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from experiments import cli
from experiments.ledger import FILE, Run, Trouble, open_run
from experiments.runner import execute
from experiments.stats import summary, to_csv
from tests.conftest import Write, play_config

FLIP = 0x41


@pytest.fixture
def run(config: Write, tmp_path: Path) -> Run:
    """A small finished run, closed."""
    played = play_config(config(games=100, chunk=50), tmp_path / "results")
    played.close()
    return played


def problems(folder: Path) -> list[str]:
    """What opening and checking a run finds, which `verify` and `resume` both do before anything else."""
    try:
        opened = open_run(folder)
    except Trouble as trouble:
        return [str(trouble)]
    try:
        found = opened.check()
        return found or ([] if opened.finished else ["unfinished"])
    except Trouble as trouble:
        return [str(trouble)]
    finally:
        opened.close()


def flipped(file: Path, place: int) -> None:
    """Flip some bits of one byte of a file."""
    with file.open("r+b") as handle:
        handle.seek(place)
        byte = handle.read(1)[0]
        handle.seek(place)
        handle.write(bytes([byte ^ FLIP]))


def test_every_byte_of_a_tally_and_of_its_checksum(run: Run) -> None:
    opened = open_run(run.folder)
    chunk = next(opened.ledger.chunks(run.plan.cells[2].id))
    opened.close()
    file = run.folder / FILE
    start = file.read_bytes().index(chunk.packed)
    for place in range(start, start + len(chunk.packed) + 64):
        flipped(file, place)
        assert problems(run.folder), f"byte {place} was not found"
        flipped(file, place)
    assert problems(run.folder) == []


def test_bytes_of_the_manifest(run: Run) -> None:
    file = run.folder / FILE
    data = file.read_bytes()
    for text in (b'"rotate":"all"', b"Grim <b>", b'"seed":"1"', b"checksum"):
        start = data.index(text)
        for place in range(start, start + len(text)):
            flipped(file, place)
            assert problems(run.folder), f"byte {place} was not found"
            flipped(file, place)
    assert problems(run.folder) == []


def test_bytes_of_the_whole_file(run: Run) -> None:
    """A flip in a part that holds nothing may go unseen, but then every number is as it was."""
    opened = open_run(run.folder)
    right = to_csv(summary(opened))
    opened.close()
    file = run.folder / FILE
    sound = file.read_bytes()
    found = 0
    for place in range(0, len(sound), 127):
        flipped(file, place)
        if problems(run.folder):
            found += 1
        else:
            opened = open_run(run.folder)
            assert to_csv(summary(opened)) == right, f"byte {place} changed a number in silence"
            opened.close()
        file.write_bytes(sound)
    assert found > 25


def test_the_commands_refuse_a_flipped_tally_and_repair_it_when_asked(run: Run, tmp_path: Path) -> None:
    opened = open_run(run.folder)
    right, packed = to_csv(summary(opened)), next(opened.ledger.chunks(run.plan.cells[2].id)).packed
    opened.close()
    folder = tmp_path / "copy"
    shutil.copytree(run.folder, folder)
    flipped(folder / FILE, (folder / FILE).read_bytes().index(packed) + 5)
    call = CliRunner().invoke
    for command in ("verify", "resume", "report"):
        result = call(cli.app, [command, str(folder)])
        assert result.exit_code == 1
        assert run.plan.cells[2].name in result.stdout + result.stderr
        assert not (folder / "summary.csv").exists()
    result = call(cli.app, ["resume", "--repair", str(folder)])
    assert result.exit_code == 0 and "50 games are missing or damaged" in result.stderr
    assert (folder / "summary.csv").read_text() == right
    assert call(cli.app, ["verify", str(folder)]).exit_code == 0


def test_the_library_never_adds_up_a_flipped_tally(run: Run) -> None:
    opened = open_run(run.folder)
    cell = run.plan.cells[0]
    packed = next(opened.ledger.chunks(cell.id)).packed
    opened.close()
    file = run.folder / FILE
    flipped(file, file.read_bytes().index(packed) + len(packed) // 2)
    opened = open_run(run.folder)
    for use in (
        lambda: opened.tally(cell),
        lambda: summary(opened),
        lambda: execute(opened, 1),
        lambda: opened.games,
    ):
        with pytest.raises(Trouble, match="damaged"):
            use()
