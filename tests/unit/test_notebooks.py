"""The notebooks run from end to end on a finished run, and lie in the project without outputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from experiments import stats
from experiments.config import load_setup
from experiments.ledger import make_folder, start_run
from experiments.plan import make_plan
from experiments.runner import execute

HOME = Path(__file__).parents[2]
NOTEBOOKS = sorted((HOME / "notebooks").glob("*.ipynb"))
LOADING = [path for path in NOTEBOOKS if "WASTELAB_RUN" in path.read_text("utf-8")]
PLAYING = [path for path in NOTEBOOKS if path not in LOADING]
CONFIG = """
title = "A few games"
seed = 1
game = "{game}"

[lineup]
{lineup}

[games]
per_cell = 20
"""
LINEUPS = {
    "knights.fight": """
knights = ["mel_gearson", "naomi_vatt"]
enemies = ["hell_raiders", "furball", "scrap_hound"]
""",
    "knights.duel": 'knights = ["mel_gearson", "naomi_vatt", "david_mayhem"]',
}


@pytest.fixture(params=LINEUPS)
def finished(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The folder of a small finished run of a game."""
    config = tmp_path / "few.toml"
    config.write_text(CONFIG.format(game=request.param, lineup=LINEUPS[request.param]), encoding="utf-8")
    plan = make_plan(load_setup(config))
    run = start_run(plan, "few", make_folder(plan, "few", tmp_path))
    assert execute(run, 1)
    (run.folder / "summary.csv").write_text(stats.to_csv(stats.summary(run)), encoding="utf-8")
    run.close()
    return run.folder


def executed(path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The outputs of a notebook that is run from end to end."""
    monkeypatch.setenv("PYTHONPATH", str(HOME))
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": path.parent}}).execute()
    return [output for cell in notebook.cells for output in cell.get("outputs", ())]


def printed(outputs: list[Any]) -> str:
    return "".join(output.text for output in outputs if output.output_type == "stream" and output.name == "stdout")


@pytest.mark.parametrize("path", LOADING, ids=lambda path: path.stem)
def test_runs_on_a_finished_run(path: Path, finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WASTELAB_RUN", str(finished))
    outputs = executed(path, monkeypatch)
    pictures = [output for output in outputs if "image/svg+xml" in output.get("data", {})]
    assert len(pictures) == 3
    assert all("Mel Gearson" in str(p) or "mel_gearson" in str(p) for p in pictures)
    told = printed(outputs)
    assert "mel_gearson vs" in told and len(told.splitlines()) > 3


@pytest.mark.parametrize("path", PLAYING, ids=lambda path: path.stem)
def test_plays_a_few_games_and_says_what_they_mean(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WASTELAB_GAMES", "24")
    outputs = executed(path, monkeypatch)
    pictures = [output for output in outputs if "image/svg+xml" in output.get("data", {})]
    assert len(pictures) >= 3
    verdicts = [line for line in printed(outputs).splitlines() if line.endswith("points)")]
    assert len(verdicts) >= 4 and not any("nan" in line for line in verdicts)


def test_there_are_notebooks_and_they_hold_no_outputs() -> None:
    assert NOTEBOOKS
    for path in NOTEBOOKS:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        for cell in notebook.cells:
            assert not cell.get("outputs") and cell.get("execution_count") is None
