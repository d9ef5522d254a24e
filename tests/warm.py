"""Compiles what tests need, in processes of their own: `python -m tests.warm PACKAGE rules|solver`.

What several tests need is compiled here, so that no two workers do it at once; what one needs, by that one.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from experiments.ahead import mark
from experiments.config import settings_of, usual_bot
from experiments.exact import modes_of
from simcore import packs
from simcore.game import Game, find_game, game_names, play_tally, seatings, usual_roles
from tests import toys

TOP = Path(__file__).parents[1]


def games() -> list[Game]:
    """All games that ship."""
    return [find_game(name) for name in game_names()]


def warm_all(solvers: bool) -> None:
    """Compile the rules of all packages of games, and their solvers if wanted, beside each other. Raises
    CalledProcessError."""
    tasks = dict.fromkeys(
        (game.package, what) for game in games() for what in ("rules", *["solver"] * bool(solvers and game.solver))
    )
    started = [subprocess.Popen([sys.executable, "-m", "tests.warm", *task], cwd=TOP) for task in tasks]
    for process in started:
        if process.wait() != 0:
            raise subprocess.CalledProcessError(process.returncode, process.args)


def warm(game: Game, what: str) -> None:
    """Compile the rules of one game, or its solver and what plays by it."""
    tables = game.load(packs.load(game.schema), settings_of(game, {}))
    lineup = [slug for side in game.sides for slug in usual_roles(tables.roles[side.key])[: side.seats]]

    def seats(bot: str) -> Any:
        return seatings(game, tables, lineup, dict.fromkeys([side.bot for side in game.sides], bot))

    if what == "rules":
        play_tally(game, tables, seats(usual_bot(tables)), 1, 0, 1)
    elif game.solver:
        opened = game.open_solver(tables, seats(usual_bot(tables))[0])
        modes = modes_of(opened, tables.bots)
        for mode in modes.values():
            opened.solve((mode,) * game.players)
        done = mark(game)
        assert done, "there is no cache"
        done.touch()
        for bot in modes:  # by now the rules lie in the cache, and only a bot that plays what is solved takes more
            play_tally(game, tables, seats(bot), 1, 0, 1)


if __name__ == "__main__":
    toys.register()
    for one in games():
        if one.package == sys.argv[1]:
            warm(one, sys.argv[2])
