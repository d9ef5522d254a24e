"""What a terminal, a locale or a reader's settings can't do to a command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from experiments.ledger import open_run

ROOT = Path(__file__).parents[2]
TITLE = "Kap\u0142an \u0105\u0119 \u6f22 \U0001f980"
NARROW = {
    "cp1252": {"PYTHONIOENCODING": "cp1252:strict"},
    "ascii": {"PYTHONIOENCODING": "ascii:strict"},
    "C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}


def wastelab(*arguments: object, **env: str) -> subprocess.CompletedProcess[bytes]:
    """A command in a process of its own, uncompiled; its output as bytes."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LC_", "LANG", "MPL"))}
    command = [sys.executable, "-c", "from experiments.cli import main; main()", *map(str, arguments)]
    whole = {**clean, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT), **env}
    return subprocess.run(command, capture_output=True, env=whole, check=False)


@pytest.fixture
def layer(tmp_path: Path) -> Path:
    """A small file that gives an enemy a title of many scripts."""
    path = tmp_path / "polish.toml"
    path.write_text(f'[enemy.furball]\ntitle = "{TITLE}"\nfrom = {{ assumed = "x" }}\n', encoding="utf-8")
    return path


@pytest.mark.parametrize("narrow", NARROW)
def test_a_title_that_the_output_lacks_ends_no_command(layer: Path, narrow: str) -> None:
    """FB1: what can't be shown is written as an escape, on stdout and on stderr."""
    told = wastelab("pack", "diff", "knights", layer, **NARROW[narrow])
    assert told.returncode == 0 and b"Traceback" not in told.stderr, told.stderr
    # typer writes UTF-8 where the locale says ASCII, as that is taken for a locale that was not set
    assert (b"Kap\\u0142an" if narrow == "cp1252" else TITLE.encode()) in told.stdout
    wrong = wastelab("run", "no\u0142", **NARROW[narrow])
    assert wrong.returncode == 2 and wrong.stderr.startswith(b"mistake: no"), wrong.stderr


def test_a_run_is_written_whole_whatever_the_output_lacks(layer: Path, tmp_path: Path) -> None:
    """FB1: its files are UTF-8 in any locale. FB2: a backend that isn't there is no matter."""
    config = tmp_path / "small.toml"
    text = f'game = "knights.fight"\ntitle = "{TITLE}"\nseed = 1\npack = ["reference", "polish.toml"]\n'
    text += '[lineup]\nknights = ["mel_gearson"]\nenemies = ["furball"]\n[games]\nper_cell = 4\n'
    config.write_text(text, encoding="utf-8")
    out = tmp_path / "results"
    done = wastelab("run", config, "--out", out, "--jobs", 1, **NARROW["C"], MPLBACKEND="no_such_backend")
    assert done.returncode == 0, done.stderr
    (folder,) = out.iterdir()
    assert TITLE in (folder / "report.html").read_text("utf-8")
    assert open_run(folder).config.title == TITLE
    beside = wastelab("compare", folder, folder, **NARROW["ascii"])
    assert beside.returncode == 0, beside.stderr
