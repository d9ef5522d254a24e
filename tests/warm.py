"""Compiles what tests need, in processes of their own: `python -m tests.warm PACKAGE rules|solver`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from experiments.config import settings_of, usual_bot
from simcore import packs
from simcore.game import Game, find_game, game_names, play_tally, seatings

TOP = Path(__file__).parents[1]


def games() -> list[Game]:
    """All games that ship."""
    return [find_game(name) for name in game_names()]


def warm_all() -> None:
    """Compile the rules and the solvers of all packages of games, beside each other. Raises CalledProcessError."""
    tasks = dict.fromkeys(
        (game.package, what) for game in games() for what in ("rules", *["solver"] * bool(game.solver))
    )
    started = [subprocess.Popen([sys.executable, "-m", "tests.warm", *task], cwd=TOP) for task in tasks]
    for process in started:
        if process.wait() != 0:
            raise subprocess.CalledProcessError(process.returncode, process.args)


def warm(game: Game, what: str) -> None:
    """Compile the rules, or the solver, of one game."""
    tables = game.load(packs.load(game.schema), settings_of(game, {}))
    lineup = [role.slug for side in game.sides for role in tables.roles[side.key][: side.seats]]
    seats: Any = seatings(game, tables, lineup, dict.fromkeys([side.bot for side in game.sides], usual_bot(tables)))
    if what == "rules":
        play_tally(game, tables, seats, 1, 0, 1)
    elif game.solver:
        game.open_solver(tables, seats[0]).solve()


if __name__ == "__main__":
    for one in games():
        if one.package == sys.argv[1]:
            warm(one, sys.argv[2])
