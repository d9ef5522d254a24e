"""The notebooks run from end to end on a finished run, and lie in the project without outputs."""

from __future__ import annotations

from pathlib import Path

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


def executed(name: str, monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], str]:
    """The pictures of a notebook that is run from end to end, and what it prints."""
    monkeypatch.setenv("PYTHONPATH", str(HOME))
    path = HOME / "notebooks" / f"{name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": path.parent}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    pictures = [str(output) for output in outputs if "image/svg+xml" in output.get("data", {})]
    told = "".join(output.text for output in outputs if output.output_type == "stream" and output.name == "stdout")
    return pictures, told


def test_the_first_look_runs_on_a_finished_run(finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WASTELAB_RUN", str(finished))
    pictures, told = executed("01_first_look", monkeypatch)
    assert len(pictures) == 3
    assert all("Mel Gearson" in picture or "mel_gearson" in picture for picture in pictures)
    assert "mel_gearson vs" in told and len(told.splitlines()) > 3


def test_escalation_is_drawn_and_a_lost_game_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WASTELAB_GAMES", "60")
    pictures, told = executed("02_escalation", monkeypatch)
    assert len(pictures) == 3 and all("crew of 4" in picture for picture in pictures[:2])
    assert "by_engines" in told and told.rstrip().endswith("the crew loses.")


def test_the_claims_about_gangs_are_tested_on_a_few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WASTELAB_GAMES", "24")
    pictures, told = executed("03_gangs", monkeypatch)
    assert len(pictures) >= 3
    verdicts = [line for line in told.splitlines() if line.endswith("points)")]
    assert len(verdicts) >= 4 and not any("nan" in line for line in verdicts)


def test_knights_of_the_board_are_compared_on_a_few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WASTELAB_GAMES", "12")
    pictures, told = executed("04_knights", monkeypatch)
    assert len(pictures) == 4 and "Russel Crown" in pictures[0] and "duels" in pictures[1]
    lines = told.splitlines()
    assert len(lines) == 3 and all("than the others" in line and "nan" not in line for line in lines)


def test_ships_and_difficulty_of_the_voyage_on_a_few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WASTELAB_GAMES", "12")
    pictures, told = executed("05_voyage", monkeypatch)
    assert len(pictures) == 3 and "Container Ship" in pictures[0] and "Perth - Project X" in pictures[1]
    lines = told.splitlines()
    assert len(lines) == 11 + 4 and all("than ships at its price" in line for line in lines[:11])
    assert "nan" not in told and lines[-1].startswith("hard to very hard: ")


def test_there_are_notebooks_and_they_hold_no_outputs() -> None:
    assert NOTEBOOKS
    for path in NOTEBOOKS:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        for cell in notebook.cells:
            assert not cell.get("outputs") and cell.get("execution_count") is None
