"""The toy fight with one game that kills the worker process that plays it."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from typing import Any

from tests import toys

GAME = 100_001
STEADY, PUP = 1, 0


def play_range(tables: Any, seats: Any, root: Any, first: int, stop: int, out: Any, journal: Any = None) -> None:
    """Games first..stop-1; GAME of steady against pup is the deadly one."""
    if first <= GAME < stop and tuple(seats[0]["role"]) == (STEADY, PUP):
        os.kill(os.getpid(), signal.SIGKILL)
    toys.play_range(tables, seats, root, first, stop, out)


GAMES = {"toy.fight": replace(toys.GAMES["toy.fight"], play_range=play_range)}
