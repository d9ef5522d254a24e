"""FR2: what a process reports of itself is the code that it has loaded, whatever lies on the disk by now."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from experiments import facts as of
from experiments.ledger import open_run
from experiments.runner import Order, make_parcel, work_there
from simcore import loaded
from tests.cluster import Cluster
from tests.conftest import Write, play_config, tallies

ROOT = Path(__file__).parents[2]
RULE = "simcore/knights/combat.py", "successes(result) > 0", "successes(result) > 1"
CONFIG = """
title = "x"
seed = 1
game = "knights.fight"
[lineup]
knights = ["mel_gearson"]
enemies = ["scrap_hound"]
[games]
per_cell = 20
"""

GO = """
import sys
from pathlib import Path
from experiments.config import load_setup
from experiments.ledger import make_folder, start_run
from experiments.plan import make_plan
from experiments.ready import Scheduler
from experiments.runner import Progress, execute
out, backend, *named = sys.argv[1:]
plan = make_plan(load_setup("x.toml", [f"runner.backend={{backend}}"]))
run = start_run(plan, "x", make_folder(plan, "x", Path(out)))
if __name__ == "__main__":
    {between}
    assert execute(run, 2, Progress(print), Scheduler(named[0]) if named else None)
"""


class Copy:
    """A copy of our sources, which can be updated, and what they play: uncompiled, as they would compile each time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for package in ("simcore", "experiments"):
            shutil.copytree(ROOT / package, folder / package)
        (folder / "x.toml").write_text(CONFIG)

    def update(self) -> None:
        """Change a rule, as an installer does: the file is put in the place of the other."""
        file, old, new = RULE
        text = (self.folder / file).read_text("utf-8")
        assert text.count(old) == 1
        (self.folder / "draft").write_text(text.replace(old, new), "utf-8")
        (self.folder / "draft").replace(self.folder / file)

    def run(self, out: str, *words: str, between: str = "") -> tuple[dict[str, bytes], str]:
        """The tallies of a run that is played by the sources as they are now, and what was told.

        words: the back end, and the address of a cluster. between: Python that runs once they are loaded.
        """
        line = [sys.executable, "-P", "-c", GO.format(between=between), out, *words]
        own = os.environ | {"PYTHONPATH": str(self.folder), "NUMBA_DISABLE_JIT": "1"}
        done = subprocess.run(line, cwd=self.folder, env=own, capture_output=True, text=True, timeout=300)
        run = open_run(next((self.folder / out).iterdir()))
        assert done.returncode == 0 or not run.games, done.stderr
        return tallies(run), done.stdout + done.stderr


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    """A copy of our sources."""
    return Copy(tmp_path / "copy")


@pytest.fixture
def cluster(copy: Copy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    """Two workers that were started from the copy."""
    pytest.importorskip("distributed", reason="needs the extra dask")
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    (tmp_path / "cluster").mkdir()
    found = Cluster(tmp_path / "cluster", "one", "two", source=copy.folder)
    try:
        found.wait()
        yield found
    finally:
        found.close()


def test_a_worker_that_outlived_an_update_is_refused(copy: Copy, cluster: Cluster) -> None:
    """FR2: both workers play; the rules are updated and one of them is started again: the other is refused, by name and
    with its reason, and the games are those of the new rules.
    """
    before, told = copy.run("before", "dask", cluster.address)
    assert "2 cores play" in told and "refused" not in told
    copy.update()
    cluster.kill("two")
    cluster.add("two")
    cluster.wait()
    after, told = copy.run("after", "dask", cluster.address)
    (line,) = [line for line in told.splitlines() if "refused" in line]
    assert line.startswith("worker one (tcp://") and "knights/combat.py" in line and "rules " in line
    assert "its files were changed since it was started" in line and "1 cores play" in told
    assert after == copy.run("here", "threads")[0] != before


@pytest.mark.parametrize("backend", ["threads", "processes"])
def test_a_program_that_outlived_an_update_plays_nothing(copy: Copy, backend: str) -> None:
    """FR2: its own files were changed after it had loaded them, so that it would play a mixture."""
    _, told = copy.run(
        "out", backend, between="path = Path('simcore/dice.py'); path.write_text(path.read_text() + '#')"
    )
    assert "Wastelab's own files were changed since this program began (simcore/dice.py): start it again" in told


def test_a_worker_process_that_starts_after_an_update_plays_nothing(copy: Copy) -> None:
    """FR2: worker processes load the files anew; what they play is not what the program that asks them would."""
    late = "from experiments import runner; runner._warm = runner.warm_up; update = (Path('simcore/dice.py'))\n"
    late += "    runner.warm_up = lambda *a: (update.write_text(update.read_text() + '#'), runner._warm(*a))[1]"
    _, told = copy.run("out", "processes", between=late)
    assert "Wastelab's own files were changed since this program began (simcore/dice.py): start it again" in told


def test_what_is_loaded_is_looked_at_and_not_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FR2: a changed file changes no hash of what is loaded; that it was changed once is remembered when it is as
    before, as what was imported meanwhile may be of the other kind; a file that is only touched is none.
    """
    for name in ("_TEXTS", "_STAMPS", "_CHANGED"):
        monkeypatch.setattr(loaded, name, type(getattr(loaded, name))())
    files = [tmp_path / "a.py", tmp_path / "b" / "a.py"]
    files[1].parent.mkdir()
    for file in files:
        file.write_text("x = 1\n")
    loaded.remember(tmp_path)
    first = loaded.digest(tmp_path)
    os.utime(files[0], (1, 1))
    assert loaded.changed() == []
    for change in (lambda: files[1].write_text("x = 2\n"), files[1].unlink):
        change()
        assert loaded.changed() == [files[1]] and loaded.digest(tmp_path) == first
        assert of.outdated() == "b/a.py" and loaded.text(files[1]) == b"x = 1\n"
    files[1].write_text("x = 1\n")
    assert loaded.changed() == [files[1]]
    files[0].rename(tmp_path / "c.py")
    loaded._TEXTS.clear()
    loaded._STAMPS.clear()
    loaded.remember(tmp_path)
    assert loaded.digest(tmp_path) != first


def test_each_fact_that_differs_is_named(config: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FR2: facts are those of the modules that are loaded; a worker with others plays no game of a run."""
    parcel = make_parcel(play_config(config(games=12), tmp_path))
    ours = dict(parcel.facts)
    assert (
        list(ours) == ["rules", "core", "laboratory", "numba", "llvmlite", "numpy", "changed"] and not ours["changed"]
    )
    assert of.unlike(ours, ours) == "" and not work_there(parcel, [], Order(1, 1.0)).refused
    for name, other in ours.items():
        theirs = ours | {name: "odd"}
        says = f"{name} odd (here {other})" if other else "its files were changed since it was started (odd)"
        assert says in of.unlike(ours, theirs)
        with monkeypatch.context() as patch:
            patch.setattr("experiments.runner.facts", lambda *asked, theirs=theirs: theirs)
            assert work_there(parcel, [], Order(1, 1.0)).refused
    of._loaded.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr("numpy.__version__", "0.1")
        assert of.facts(parcel.home, parcel.game)["numpy"] == "0.1"
    of._loaded.cache_clear()
