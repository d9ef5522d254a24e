"""FR11: a file of the user's own that is called as a module of ours, or of a library, is not imported in its place."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from experiments import ahead
from tests.cluster import Cluster

ROOT = Path(__file__).parents[2]
OURS = "experiments", "simcore"
LIBRARIES = (
    "numpy",
    "json",
    "pickle",
    "joblib",
    "numba",
    "pandas",
    "typer",
    "rich",
    "multiprocessing",
    "tomllib",
    "yaml",
)
PLANTED = "import pathlib\npathlib.Path({marker!r}).open('a').write(__name__ + ' ')\n"
GO = """
from tests import toys
from experiments import main
toys.register()
if __name__ == "__main__":
    main()
"""
TOY = 'title = "x"\nseed = 1\ngame = "toy.duel"\ngames.per_cell = 2000\n[runner]\nbackend = "{}"\n'


class Folder:
    """A folder of a user who calls files of their own as modules are called; each notes when it is run."""

    def __init__(self, path: Path, names: Sequence[str], packages: bool) -> None:
        self.path, self.marker = path, path.parent / f"{path.name}-marker"
        path.mkdir()
        for name in names:
            file = path / name / "__init__.py" if packages else path / f"{name}.py"
            file.parent.mkdir(exist_ok=True)
            file.write_text(PLANTED.format(marker=str(self.marker)))

    def run(self, *words: object, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run Python here with arguments, and Wastelab where it is installed or else where this file is."""
        clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONSAFEPATH", "PYTHONPATH")}
        own = clean | {"PYTHONPATH": str(ROOT)} | variables
        line = [sys.executable, *map(str, words)]
        return subprocess.run(line, cwd=self.path, env=own, capture_output=True, text=True, timeout=300)

    @property
    def imported(self) -> str:
        """What was run of the files here."""
        return self.marker.read_text() if self.marker.exists() else ""


@pytest.fixture(params=["files", "packages"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Folder:
    """A folder with one of everything."""
    return Folder(tmp_path / "own", [*OURS, *LIBRARIES], request.param == "packages")


@pytest.fixture
def go(tmp_path: Path) -> Path:
    """A script as `wastelab` is one, in a folder of its own, with the toys."""
    path = tmp_path / "bin" / "go.py"
    path.parent.mkdir()
    path.write_text(GO)
    return path


def test_what_is_planted_is_noticed(folder: Folder) -> None:
    assert folder.run("-c", "import experiments, numpy").returncode == 0
    assert folder.imported == "experiments numpy "


def test_the_command_imports_its_own(folder: Folder) -> None:
    """FR11: the script that is installed."""
    command = Path(sys.executable).with_name("wastelab")
    if not command.exists():
        pytest.skip("needs Wastelab installed")
    for words in ("list", "games"), ("exact", "pool", "--dice", "1", "--difficulty", "7"):
        done = folder.run(command, *words)
        assert done.returncode == 0 and not folder.imported, done.stderr


@pytest.mark.parametrize("backend", ["threads", "processes"])
def test_workers_import_their_own(folder: Folder, go: Path, backend: str) -> None:
    """FR11: worker processes, and those that look after them, begin in the same folder."""
    (folder.path / "x.toml").write_text(TOY.format(backend))
    done = folder.run(go, "run", "x.toml", "--jobs", "2")
    assert done.returncode == 0 and not folder.imported, (done.stderr, folder.imported)


def test_a_folder_that_pythonpath_names_by_chance_is_left_out(tmp_path: Path, go: Path) -> None:
    """FR11: an empty entry, as `PYTHONPATH=:more` has, is the working folder."""
    folder = Folder(tmp_path / "own", ["numpy", "json", "pandas", "joblib"], False)
    (folder.path / "x.toml").write_text(TOY.format("processes"))
    go.write_text(f"from experiments import leave_folder_out\nleave_folder_out()\n{GO}")  # as its `main` does
    done = folder.run(go, "run", "x.toml", "--jobs", "2", PYTHONPATH=f"{os.pathsep}{ROOT}{os.pathsep}")
    assert done.returncode == 0 and not folder.imported, (done.stderr, folder.imported)


def test_a_module_by_name_imports_its_own(tmp_path: Path) -> None:
    """FR11: `python -m experiments.cli` where the folder has a simcore.py and libraries of its own."""
    folder = Folder(tmp_path / "own", ["simcore", *LIBRARIES], False)
    done = folder.run("-m", "experiments.cli", "list", "games")
    assert "knights.fight" in done.stdout and not folder.imported, (done.stderr, folder.imported)


def test_python_by_a_line_imports_our_own(tmp_path: Path) -> None:
    """FR11: `python -c` and notebooks put the folder first: its simcore.py isn't ours; the command leaves it out."""
    folder = Folder(tmp_path / "own", ["simcore"], False)
    (folder.path / "mine.py").write_text("")
    done = folder.run("-c", "import mine, experiments.config; import mine")
    assert done.returncode == 0 and not folder.imported, done.stderr
    folder = Folder(tmp_path / "more", ["simcore", *LIBRARIES], False)
    done = folder.run("-c", "from experiments import main; main()", "list", "games")
    assert "knights.fight" in done.stdout and not folder.imported, (done.stderr, folder.imported)


def test_what_compiles_ahead_imports_its_own(folder: Folder) -> None:
    """FR11: `wastelab exact` compiles in a process of its own, which ran a file of that name."""
    for variables in {}, {"PYTHONPATH": ""}:
        done = folder.run(*ahead.line_for("no such game", "open")[1:], **variables)
        assert "KeyError: 'no such game'" in done.stderr and not folder.imported, done.stderr


def test_a_workers_own_folder_is_left_out(tmp_path: Path) -> None:
    """FR11: a worker of a cluster, and the processes that it starts, in a folder with such files."""
    pytest.importorskip("distributed", reason="needs the extra dask")
    from experiments.cluster import reached
    from simcore.game import GAMES

    folder = Folder(tmp_path / "own", [*OURS, *LIBRARIES], False)
    cluster = Cluster(folder.path, "one")
    try:
        cluster.wait()
        with reached(cluster.named, GAMES["knights.fight"], "knights.fight", print) as found:
            assert found.cores() == 1
    finally:
        cluster.close()
    assert not folder.imported
