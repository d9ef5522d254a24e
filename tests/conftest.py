"""What tests of the experiments share: the toy games, a small config, and a way to play it without a command
line.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from experiments.config import load_setup
from experiments.ledger import Run, locked, make_folder, start_run
from experiments.plan import make_plan
from experiments.runner import execute
from tests import toys

toys.register()

TOY = """
title = "Who throws best?"
seed = {seed}
game = "{game}"

[games]
per_cell = {games}
chunk = {chunk}
"""

Write = Callable[..., Path]


@pytest.fixture
def config(tmp_path: Path) -> Write:
    """Writes a small config: `config(game="toy.duel", games=100, chunk=64, seed=1, more="")` -> its path."""

    def write(game: str = "toy.fight", games: int = 300, chunk: int = 64, seed: int = 1, more: str = "") -> Path:
        path = tmp_path / "toy.toml"
        path.write_text(TOY.format(game=game, games=games, chunk=chunk, seed=seed) + more, encoding="utf-8")
        return path

    return write


def play_config(path: Path, out: Path, jobs: int = 1, sets: tuple[str, ...] = ()) -> Run:
    """Plays a config to its end and gives the run."""
    plan = make_plan(load_setup(path, sets))
    folder = make_folder(plan, path.stem, out)
    with locked(folder):
        run = start_run(plan, path.stem, folder)
        assert execute(run, jobs)
    return run


def tallies(run: Run) -> dict[str, bytes]:
    """The bytes of every cell's tally, by the cell's id."""
    return {cell.id: run.tally(cell).to_bytes() for cell in run.plan.cells}
