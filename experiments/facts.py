"""What the numbers of a process rest on: the code that it has loaded, and what compiles it.

All processes that play a run must agree on it. A process that was started before an update of its files plays by what
it has loaded, or by a mixture: it is out of date, whatever its files hold now.
"""

from __future__ import annotations

import importlib
import sys
from functools import cache
from pathlib import Path

from experiments.ledger import Trouble
from experiments.plan import code_of
from simcore import loaded
from simcore.game import Game

Facts = dict[str, str]

CHANGED = "changed"
"""The fact that is empty unless files were changed since they were loaded: their names."""

LIBRARIES = "numba", "llvmlite", "numpy"
NAMED = 3
"""Changed files that are named one by one."""


def facts(home: str, game: str) -> Facts:
    """Give the facts about this process: hashes of the code and versions, as they are loaded, and what has changed.

    home: the package that has the game in its GAMES.
    """
    return {**_loaded(home, game), CHANGED: outdated()}


@cache
def _loaded(home: str, game: str) -> Facts:
    """Give what stays as it is once it is loaded."""
    played: Game = importlib.import_module(home).GAMES[game]
    packages = {"core": Path(loaded.__file__).parent, "laboratory": Path(__file__).parent}
    codes = {name: loaded.digest(folder) for name, folder in packages.items()}
    return {"rules": code_of(played), **codes, **{name: str(sys.modules[name].__version__) for name in LIBRARIES}}


def outdated() -> str:
    """Name the source files that were changed since this process loaded them; "" where none was."""
    found = [f"{path.parent.name}/{path.name}" for path in loaded.changed()]
    more = f" and {len(found) - NAMED:,} more" if len(found) > NAMED else ""
    return ", ".join(found[:NAMED]) + more


def unlike(ours: Facts, theirs: Facts) -> str:
    """Say where the facts of another process are not ours; "" where they agree."""
    now = theirs.get(CHANGED)
    old = [f"its files were changed since it was started ({now}): start it again"] if now else []
    others = [name for name, fact in ours.items() if name != CHANGED and theirs.get(name) != fact]
    return ", ".join([*old, *(f"{name} {theirs.get(name)} (here {ours[name]})" for name in others)])


def must_be_current() -> None:
    """Trouble where this process has outlived an update of its own files."""
    if files := outdated():
        told = f"Wastelab's own files were changed since this program began ({files})"
        raise Trouble(f"{told}: start it again; what was saved is kept")
