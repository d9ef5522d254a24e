"""Compiles a game's solver ahead, each part in a process of its own.

A compiler keeps the memory that it has taken, so that all parts in one process take half as much again as the largest.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from experiments import ROOT
from simcore.game import Game, find_game
from simcore.kernels import SETTINGS, cache_folder

PARTS = ("open", "best", "bots")
"""What is compiled one after another: the states of a lineup, their values at best play, the play of bots."""

START = (
    "import pathlib, sys; sys.path.insert(0, sys.argv[1]); import experiments; sys.path.remove(sys.argv.pop(1)); "
    "from experiments.ahead import main; main()"
)
"""How such a process begins: with our packages from where they lie, whatever else has their names."""

SECONDS = 600
"""After so long a part is left to be compiled where it is needed."""


def mark(game: Game) -> Path | None:
    """The file that says that all parts of a game's solver lie in the cache; None where nothing is kept."""
    folder = cache_folder(game.package)
    return folder and folder / f"{game.package or game.name}.solver"


def compile_ahead(game: Game) -> None:
    """Compile what is not in the cache yet; what fails here is compiled where it is needed."""
    done = mark(game)
    if done is None or done.exists() or SETTINGS.DISABLE_JIT:
        return
    for part in PARTS:
        with suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(line_for(game.name, part), check=False, capture_output=True, timeout=SECONDS)
    with suppress(OSError):
        done.touch()


def line_for(game: str, part: str) -> list[str]:
    """Give the command that compiles one of PARTS; nothing is imported from the working folder (-P)."""
    return [sys.executable, "-P", "-c", START, ROOT, game, part]


def compile_part(game: Game, part: str) -> None:
    """Compile one of PARTS in this process, on the first lineup of the reference pack."""
    from experiments.config import settings_of
    from experiments.exact import BEST, Solving, modes_of
    from simcore import packs

    solving = Solving(game, packs.load(game.schema), settings_of(game, {}), {"win": 1, "draw": 0.5, "loss": 0})
    opened = solving.open(solving.lineups()[0])
    if part == "open":
        return
    modes = modes_of(opened, solving.tables.bots).values() if part == "bots" else (BEST,)
    for mode in modes:
        opened.solve((mode,) * game.players)


def main() -> None:
    """Compile what the arguments of this process name."""
    compile_part(find_game(sys.argv[1]), sys.argv[2])
