"""What reports say of sweeps and variants, and how commands show them."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from experiments import cli, contrasts, report, seen
from experiments.ledger import Run
from experiments.stats import json_rows, summary
from experiments.sweeps import swept as swept_values
from tests.conftest import Write, play_config

pytestmark = pytest.mark.usefixtures("unpainted")
SWEEP = "\n[sweep.grid]\n'hound.pup.dice' = [1, 2, 3]\n'bots.hound' = ['regular', 'bold']\n"
VARIANT = "\n[[variant]]\nname = '<b>bold</b>'\nset = { bots.runner = 'bold' }\n"


@pytest.fixture
def swept(config: Write, tmp_path: Path) -> Run:
    return play_config(config(more=SWEEP), tmp_path / "results")


def test_rows_of_a_sweep_say_their_point(swept: Run) -> None:
    table = summary(swept)
    assert table.settings.nunique() == 6 and set(table.variant) == {""}
    assert not table.duplicated(["cell", "side", "role", "measure", "settings"]).any()
    rows = json_rows(swept, table)
    assert {(row["settings"]["hound.pup.dice"], row["settings"]["bots.hound"]) for row in rows} == {
        (dice, bot) for dice in (1, 2, 3) for bot in ("regular", "bold")
    }
    assert {row["variant"] for row in rows} == {None}
    field = table[(table.cell == "field") & (table.role == "pup") & (table.measure == "share")]
    values = field.set_index("settings").value
    assert values["hound.pup.dice=1, bots.hound=regular"] < values["hound.pup.dice=3, bots.hound=regular"]


def test_points_have_dice_of_their_own_unless_common_ones_are_asked_for(swept: Run, config: Write) -> None:
    groups = {(cell.lineup, cell.point): cell.group for cell in swept.plan.cells}
    assert len(set(groups.values())) == len(groups)
    from experiments.config import load_setup
    from experiments.plan import make_plan

    common = make_plan(load_setup(config(more=SWEEP), ["run.common_dice=true"]))
    assert len({cell.group for cell in common.cells}) == 6
    plain = make_plan(load_setup(config()))
    assert {cell.group for cell in common.cells} == {cell.group for cell in plain.cells}


def test_the_report_of_a_sweep_has_a_curve_for_each_path_and_side(swept: Run) -> None:
    page = report.page(swept, summary(swept))
    for path in ("hound.pup.dice", "bots.hound"):
        for side in ("runners", "hounds"):
            assert f"The {side} by {path}" in page
    assert "Over 6 points of hound.pup.dice and bots.hound" in page and "Grim &lt;b&gt;" in page
    assert page.count("data:image/svg+xml") >= 8


def test_on_common_dice_points_are_compared_in_pairs(config: Write, tmp_path: Path) -> None:
    run = play_config(config(more=f"{SWEEP}\n[run]\ncommon_dice = true\n"), tmp_path / "results")
    table = summary(run)
    gaps = table[(table.cell == "field") & (table.measure == "difference")]
    still = gaps.interval == ""  # whom a change of one hound, or of what hounds do, leaves as it was
    assert gaps.settings.nunique() == 5 and set(gaps.interval) == {"paired", ""}
    assert (gaps[still].value == 0).all() and gaps[still].low.isna().all() and gaps[~still].low.notna().all()
    shares = table[(table.cell == "field") & (table.measure == "share")].set_index(["settings", "role"]).value
    first = "hound.pup.dice=1, bots.hound=regular"
    for row in gaps.to_dict("records"):
        role = row["role"]
        assert row["value"] == pytest.approx(shares[row["settings"], role] - shares[first, role])
    assert "paired differences on common dice" in report.page(run, table)
    drawn = contrasts.Swept.of(run, seen.titled(table, run.tables.roles)).gaps
    assert drawn.point.nunique() == 6 and not drawn[drawn.point == 0][["value", "low", "high"]].any(axis=None)


def test_the_report_of_a_variant_names_what_it_changes(config: Write, tmp_path: Path) -> None:
    run = play_config(config(more=VARIANT), tmp_path / "results")
    page = report.page(run, summary(run))
    assert "What if: &lt;b&gt;bold&lt;/b&gt;" in page and "<b>bold</b>" not in page
    assert "bots.runner=bold" in page and "wastelab replay results/" in page
    first = next(run.pairs(cell).first[0] for cell in run.plan.cells if run.pairs(cell).first)
    assert f"--game {first}" in page


def test_commands_show_sweeps_and_variants(config: Write, tmp_path: Path) -> None:
    call = CliRunner().invoke
    result = call(cli.app, ["run", str(config(more=SWEEP)), "--out", str(tmp_path / "a")])
    assert result.exit_code == 0 and "over 6 points of hound.pup.dice, bots.hound" in result.stdout
    assert "36 cells, 10,800 games: about" in result.stderr
    result = call(cli.app, ["run", str(config(more=VARIANT)), "--out", str(tmp_path / "b")])
    assert result.exit_code == 0 and "what if: <b>bold</b>" in result.stdout and "games saved" in result.stdout
    (folder,) = (tmp_path / "b").iterdir()
    again = call(cli.app, ["run", str(config(more=VARIANT)), "--out", str(tmp_path / "b")])
    assert again.exit_code == 0 and "finished already" in again.stderr and "games saved" in again.stdout
    told = call(cli.app, ["replay", str(folder), "--variant", "<b>bold</b>", "--cell", "swift vs pup", "--game", "3"])
    assert told.exit_code == 0 and "bold" in told.stdout
    wrong = call(cli.app, ["replay", str(folder), "--variant", "bold", "--cell", "swift vs pup", "--game", "3"])
    assert wrong.exit_code == 2 and "which is no variant of this run" in wrong.stderr
    assert call(cli.app, ["verify", str(folder)]).exit_code == 0


def test_many_values_are_drawn_together(config: Write, tmp_path: Path) -> None:
    more = "\n[sweep.sobol]\nn = 32\n[sweep.sobol.ranges]\n'rules.rout' = [1, 50]\n'table.throws' = [1, 20]\n"
    run = play_config(config(games=20, more=more), tmp_path / "results")
    sweep = contrasts.Swept.of(run, seen.titled(summary(run), run.tables.roles))
    side = run.game.sides[0]
    values = swept_values(run.plan.setup.points)["rules.rout"]
    found = contrasts._by_value(sweep, sweep.side(side), "rules.rout", values, common=False)
    assert 1 < found.x.nunique() <= contrasts.BINS < len(values)
    assert isinstance(found, pd.DataFrame) and (found.low <= found.value).all() and (found.value <= found.high).all()
    assert "drawn together in" in report.page(run, summary(run))
