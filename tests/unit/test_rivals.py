"""What the report says of rivals: places, mirror matches, strengths and what they don't explain."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from experiments import contrasts, plots, report, rivals, stats
from experiments.cli import app
from experiments.ledger import Run, open_run
from tests.conftest import Write, play_config
from tests.unit.test_outcomes import looked_at

pytestmark = pytest.mark.usefixtures("unpainted")
MIRROR = "[lineup]\nmirror = true\n"


@pytest.fixture
def duel(config: Write, tmp_path: Path) -> Run:
    """A small finished run of toy duels."""
    return play_config(config(game="toy.duel", games=400), tmp_path / "duel")


def test_strengths_have_a_picture_a_table_and_the_pairs_they_do_not_explain(duel: Run) -> None:
    view = looked_at(duel)
    found = rivals.strongest(view, duel.game.sides[0])
    assert found is not None and "standard deviation of 3" in " ".join(found["lines"])
    table = found["tables"][0]
    rows = view.field(duel.game.sides[0], "strength")
    assert [row.name for row in table.rows] == list(rows.role)
    assert [row.cells[0].key for row in table.rows] == pytest.approx(list(rows.value))
    assert f"Strengths from {rows.role[0]} ({plots.percent(rows.value[0])}%)" in found["picture"].title
    assert "from results drawn anew" in found["picture"].caption
    page = report.page(duel, stats.summary(duel))
    assert page.count("How strong each is") == 1 and "before the other" not in page, "strengths explain a toy"


def ring(view: object) -> dict[str, object]:
    """The section of a run whose three roles beat each other in a ring."""
    return rivals.strongest(view, view.run.game.sides[0])  # type: ignore[attr-defined,return-value]


def test_a_ring_is_named_and_its_pairs_are_listed(duel: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [("swift", "steady"), ("steady", "None"), ("None", "swift")]
    counts = {pair: {(1, 2): 280, (2, 1): 120} for pair in pairs}
    view = looked_at(duel)
    monkeypatch.setattr(stats, "finishes", lambda run, side: counts)
    found = ring(view)
    assert str(found["finding"]).startswith("One strength for each role explains 0% of how the results")
    assert str(found["finding"]).endswith("3 of the 3 pairs are other than strengths make one expect.")
    told = " ".join(found["lines"])  # type: ignore[arg-type]
    assert "One such ring: Swift beats Steady, Steady beats None, and None beats Swift." in told
    surprising = found["tables"][1]  # type: ignore[index]
    assert {row.name for row in surprising.rows} == {"Swift over Steady", "Steady over None", "None over Swift"}
    for row in surprising.rows:
        assert [cell.value for cell in row.cells[:3]] == ["70.0", "50.0", "+20.0"]
    monkeypatch.setattr(rivals, "PAIRS_SHOWN", 2)
    assert "The 2 furthest from it of 3 are here." in ring(view)["tables"][1].about  # type: ignore[index]


def test_sides_that_are_no_rivals_have_no_strengths(config: Write, tmp_path: Path) -> None:
    run = play_config(config(games=60), tmp_path)
    assert all(rivals.strongest(looked_at(run), side) is None for side in run.game.sides)
    page = report.page(run, stats.summary(run))
    assert "How strong each is" not in page and "which place" not in page


def test_places_are_shown_from_three_rivals_on(duel: Run, config: Write, tmp_path: Path) -> None:
    assert rivals.places(looked_at(duel), duel.game.sides[0]) is None
    run = play_config(config(game="toy.ring", games=600), tmp_path / "ring")
    picture, rows = rivals.places(looked_at(run), run.game.sides[0]), stats.summary(run)
    first = rows[(rows.cell == "field") & (rows.measure == "place:1")].set_index("role").value
    assert picture is not None and f"comes first in {plots.percent(first.max())}% of its games" in picture.title


# ---------------------------------------------------------------- mirror matches


def test_even_mirror_matches_are_told_in_a_line(config: Write, tmp_path: Path) -> None:
    run = play_config(config(game="toy.ring", games=600, more=MIRROR), tmp_path)
    view = looked_at(run)
    told = rivals._mirrors_told(view)
    assert told.startswith("Swift, Steady and None also met themselves, which must come out even, at 33.3%.")
    assert told.endswith("no further off than chance allows (95% sequences that hold all together).")
    assert rivals.uneven(view) == [] and "come out even (" not in report.page(run, stats.summary(run))
    assert told.split(":")[0] in report.page(run, stats.summary(run))


def test_uneven_mirror_matches_are_shouted(config: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = play_config(config(game="toy.duel", games=400, more=MIRROR), tmp_path)
    sound = stats.mirrors(run)
    biased = sound.assign(low=np.where(sound.role == "steady", 0.51, sound.low))
    monkeypatch.setattr(stats, "mirrors", lambda run: biased)
    page = report.page(run, stats.summary(run))
    assert "Mirror matches don&#39;t come out even (Steady)" in page.split("The answer")[0]
    assert "further off than chance allows" in page and "no further off" not in page


def test_where_nobody_changes_seats_a_mirror_match_shows_what_seats_are_worth(config: Write, tmp_path: Path) -> None:
    run = play_config(config(game="toy.duel", games=2000, more=f"{MIRROR}[run]\nrotate = 'none'\n"), tmp_path)
    view = looked_at(run)
    assert (view.mirrors[view.mirrors.member == 0].low > 0.5).all(), "whoever sits first has a point more"
    assert rivals.uneven(view) == []
    assert "that is what the seats are worth" in rivals._mirrors_told(view)


def test_where_nobody_met_another_there_is_nothing_to_judge(config: Write, tmp_path: Path) -> None:
    more = "[lineup]\nthrowers = ['swift']\nsize = [2, 3]\nmirror = true\n"
    result = CliRunner().invoke(
        app, ["run", str(config(game="toy.table", games=60, more=more)), "--out", str(tmp_path)]
    )
    assert result.exit_code == 0 and result.stdout.count("none of the throwers met another") == 2, result.stderr
    page = next(tmp_path.glob("toy-*/report.html")).read_text("utf-8")
    assert page.count("None of the throwers met another") == 2 and page.count("Swift also met itself") == 2


def test_no_mirror_match_no_line(duel: Run) -> None:
    assert rivals._mirrors_told(looked_at(duel)) == ""


# ---------------------------------------------------------------- tables of several sizes


FAIR = "[lineup]\nsize = [3, 2]\n[verdict]\nagainst = 'fair'\n"


def test_tables_of_each_size_are_judged_as_if_they_were_alone(config: Write, tmp_path: Path) -> None:
    path = config(game="toy.table", games=60, more=FAIR)
    result = CliRunner().invoke(app, ["run", str(path), "--out", str(tmp_path / "all")])
    assert result.exit_code == 0, result.stderr
    run = open_run(next((tmp_path / "all").iterdir()))
    table = stats.summary(run)
    assert stats.FIELD not in set(table.cell), "nothing is pooled over tables of several sizes"
    parts = stats.parts(run, table)
    assert [part.size for part in parts] == [2, 3]
    for part in parts:
        assert stats.band(part.run, run.game.sides[0], 0.0).least == pytest.approx(1 / part.size - 0.02)
        assert f"Tables of {part.size}\n" in result.stdout
    alone = play_config(path, tmp_path / "alone", sets=("lineup.size=3",))
    expected = stats.summary(alone)
    pd.testing.assert_frame_equal(part.table.reset_index(drop=True), expected)
    assert list(stats.verdicts(part.run, part.table).word) == list(stats.verdicts(alone, expected).word)
    page = (run.folder / "report.html").read_text("utf-8")
    assert "Of 10 verdicts, " in page and page.count("<h3>Tables of 3</h3>") > 8
    assert "balanced is a share from 31.3 to 35.3%" in page and "balanced is a share from 48.0 to 52.0%" in page


def test_a_ring_of_rivals_keeps_its_order_and_has_dice_of_its_own(config: Write, tmp_path: Path) -> None:
    rings = [["swift", "steady", "None"], ["None", "steady", "swift"]]
    more = f"[lineup]\nhow = 'fixed'\nfixed = {rings}\n[run]\nrotate = 'cyclic'\n"
    run = play_config(config(game="toy.table", games=30, more=more), tmp_path / "rings")
    assert [cell.name for cell in run.plan.cells] == ["swift vs steady vs None", "swift vs None vs steady"]
    assert run.plan.seatings == 3 and len({cell.group for cell in run.plan.cells}) == 2
    after = [row.name for row in report._cells(looked_at(run))["table"].rows]
    assert after[:3] == ["Swift against Steady, None", "Steady against None, Swift", "None against Swift, Steady"]
    assert len(set(after)) == 6, "a line says who sits after whom"


def test_sweeps_and_variants_keep_tables_of_each_size_apart(config: Write, tmp_path: Path) -> None:
    sizes = "[lineup]\nsize = [2, 3]\n"
    sweep = config(game="toy.table", games=12, more=f"{sizes}[sweep.grid]\n'runner.swift.dice' = [1, 3]\n")
    run = play_config(sweep, tmp_path / "sweep")
    page = report.page(run, stats.summary(run))
    assert page.count("the share of Swift moves most") == 2 and "<h3>Tables of 3</h3>" in page
    part = stats.parts(run, stats.summary(run))[0]
    tables = contrasts.sweep_front(*part)["costs"][0][1]["tables"]
    assert "one of the throwers" in tables[0].about and "of a game" in tables[1].about
    scores = part.table[(part.table.cell == "field") & (part.table.measure == "score")].groupby("settings").value.mean()
    assert [cell.key for cell in tables[0].rows[0].cells] == pytest.approx(list(scores))
    bold = "[[variant]]\nname = 'more'\nset = { runner.swift.dice = 4 }\n"
    run = play_config(config(game="toy.table", games=12, more=sizes + bold), tmp_path / "variants")
    names = [one["name"] for part in stats.parts(run, stats.summary(run)) for one in contrasts.variants(*part)]
    assert names == ["more, tables of 2", "more, tables of 3"]
    one = stats.parts(run, stats.summary(run))[0]
    for table in contrasts.variants(*one)[0]["tables"][1:]:
        assert table.heads == ["", "as it is", "more"] and table.rows[0].name in ("score", "rounds")
        assert all(row.cells[0].span != row.cells[1].span for row in table.rows[1:]), "the others are those that moved"


# ---------------------------------------------------------------- runs that stopped themselves


def stopped(config: Write, folder: Path, game: str, more: str = "") -> Run:
    """A run of a toy that stops itself."""
    path = config(game=game, more=more)
    path.write_text(path.read_text("utf-8").replace("per_cell = 300", "precision = 0.05"), encoding="utf-8")
    return play_config(path, folder)


@pytest.mark.parametrize("game", ["toy.fight", "toy.duel", "toy.ring"])
def test_a_run_that_stopped_itself_never_speaks_of_fixed_counts(game: str, config: Write, tmp_path: Path) -> None:
    run = stopped(config, tmp_path, game)
    page = report.page(run, stats.summary(run))
    assert "over a fixed number of games" not in page and "Each holds on its own" not in page
    assert "the run decided by itself when it had seen enough" in page
    assert "right however often one looked" in page and "not finished" not in page
    rest = re.sub('Pairs whose result[^<>"]*', "", page)
    assert "Wilson" not in rest, "what strengths don't explain is all that Wilson's interval is for"
    assert ("those of a fixed number of games" in page) == (game != "toy.fight")


def test_a_fixed_run_never_speaks_of_stopping(duel: Run) -> None:
    page = report.page(duel, stats.summary(duel))
    assert "over a fixed number of games" in page and "decided by itself" not in page and "equences" not in page


def test_a_stopped_sweep_has_sequences(config: Write, tmp_path: Path) -> None:
    run = stopped(config, tmp_path, "toy.duel", "[sweep.grid]\n'rules.rout' = [3, 4]\n")
    page = report.page(run, stats.summary(run))
    assert "95% intervals (sequences)" in page and "Wilson" not in page
