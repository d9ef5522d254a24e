"""FR1: files of others, as tables of games and settings in the working folder, run nothing when they are read."""

from __future__ import annotations

import io
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from experiments.config import load_setup
from experiments.shards import Span
from tests.conftest import Write

TOP = Path(__file__).parents[2]


class Evil:
    """What makes a file when it is read as a pickle."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Any, ...]:
        return (os.system, (f"touch {self.marker}",))


def test_tables_with_types_of_their_own_run_nothing(config: Write, tmp_path: Path) -> None:
    """FR1: the type of a column in Parquet may bring a pickle: it is not read, and the file isn't one of ours."""
    pa = pytest.importorskip("pyarrow", reason="needs the extra parquet")
    pq = pytest.importorskip("pyarrow.parquet")
    from experiments.rows import from_parquet

    marker = tmp_path / "marker"
    evil = pickle.dumps(Evil(marker))
    pickle.loads(evil)
    assert marker.exists(), "this would have been noticed"
    marker.unlink()
    for name in (b"arrow.py_extension_type", b"pandas.period", b"arrow.json"):
        extension = {b"ARROW:extension:name": name, b"ARROW:extension:metadata": evil}
        fields = [pa.field("cell", pa.binary(), metadata=extension), pa.field("game", pa.int64(), metadata=extension)]
        table = pa.table([[b"a"], [1]], schema=pa.schema(fields, metadata={b"pandas": evil}))
        file = io.BytesIO()
        pq.write_table(table, file)
        with pytest.raises(ValueError):
            from_parquet(load_setup(config()), file.getvalue(), [Span("a", 0, 1)])
        assert not marker.exists()


def test_numbas_settings_in_the_working_folder_are_not_read(tmp_path: Path) -> None:
    """FR1: numba reads `.numba_config.yaml` of the folder one works in, and imports modules that it names."""
    pytest.importorskip("yaml")
    (tmp_path / ".numba_config.yaml").write_text("disable_jit: 1\ncache_locator_classes: evil.Evil\nboundscheck: 1\n")
    line = "from simcore.kernels import SETTINGS as s; s.reload_config()"
    told = "print(s.DISABLE_JIT, s.CACHE_LOCATOR_CLASSES, s.BOUNDSCHECK)"
    clean = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    asked = [sys.executable, "-c", f"{line}\n{told}"]
    done = subprocess.run(asked, cwd=tmp_path, env=clean | {"PYTHONPATH": str(TOP)}, capture_output=True, text=True)
    assert done.stdout.split() == ["0", "None"], done.stderr


def test_pictures_are_drawn_without_tex() -> None:
    """FR1: TeX runs what a title says; a $ is a $."""
    from experiments.plots import SETTINGS

    assert SETTINGS["text.usetex"] is False and SETTINGS["text.parse_math"] is False


def test_names_are_no_markup_in_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """FR1: a worker or a role may be called [/x], or as a link is written; the line shows it as it is."""
    from experiments.terminal import show_progress

    monkeypatch.setenv("FORCE_COLOR", "1")
    with show_progress(10, 0) as progress:
        progress.say("worker [/x] [link=file:///x]one[/link] is refused")
    assert "worker [/x] [link=file:///x]one[/link] is refused" in capsys.readouterr().err
