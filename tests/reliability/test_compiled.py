"""A whole run gives the same tallies compiled and uncompiled, and its memory does not grow with its games."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from experiments.ledger import open_run
from tests.conftest import Write, play_config, tallies
from tests.reliability.commands import ROOT, finish, start, wastelab

BOLD = "\n[bots]\nrunner = 'bold'\n"
VOYAGE = """
[lineup]
how = "fixed"
fixed = [["pirate"], ["trader", "rangatira"]]
[table]
rounds = 6
[run]
rotate = "none"
"""


@pytest.mark.parametrize(
    ("game", "games", "more"),
    [("toy.fight", 60, BOLD), ("toy.duel", 60, BOLD), ("voyage", 1, VOYAGE)],
)
def test_an_uncompiled_run_gives_the_same_tallies(
    config: Write, tmp_path: Path, game: str, games: int, more: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = config(game=game, games=games, chunk=25, more=more)
    reference = tallies(play_config(path, tmp_path / "compiled"))
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    code, _, told = finish(start("run", path, "--out", tmp_path / "plain", "--jobs", 2))
    assert code == 0, told
    assert "Warning" not in told
    (folder,) = (tmp_path / "plain").iterdir()
    assert tallies(open_run(folder)) == reference


PEAK = """
import atexit, pathlib
from resource import RUSAGE_SELF, getrusage
atexit.register(lambda: pathlib.Path({file!r}).write_text(str(getrusage(RUSAGE_SELF).ru_maxrss)))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="ru_maxrss is in kilobytes on Linux")
def test_memory_does_not_grow_with_the_number_of_games(config: Write, tmp_path: Path) -> None:
    peaks = []
    for games in (10_000, 500_000):
        file = tmp_path / f"peak-{games}"
        path = config(games=games, chunk=20_000)
        assert wastelab("run", path, "--out", tmp_path / "out", before=PEAK.format(file=str(file)))[0] == 0
        peaks.append(int(file.read_text()) / 1024)
    assert peaks[1] < peaks[0] + 40, f"megabytes: {peaks}"


GAMES_PEAK = """
import re, sys
from tests.bench.test_speed import timed
timed(2, int(sys.argv[1]), "random")
print(int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) // 1024)
"""
"""The kernel's count of this program's own memory: `ru_maxrss` begins at what the parent held when it forked."""


def peak_of(chunks: int) -> int:
    """Megabytes that a process of its own takes at most for so many chunks of 100,000 combats."""
    command = [sys.executable, "-c", GAMES_PEAK, str(chunks)]
    return int(subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True).stdout)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads what Linux tells of a process")
def test_the_rules_take_no_more_memory_for_more_games() -> None:
    """Six million combats take what a million take, but for a few megabytes."""
    small, large = peak_of(10), peak_of(60)
    print(small, large)
    assert large - small < 25 and large < 600
