"""The shipped questions about The Waste of Parts, played with few games: their answers stand in their reports."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments import crews
from experiments.config import load_setup, shipped_configs
from experiments.plan import make_plan
from experiments.report import page
from experiments.stats import FIELD, summary
from tests.conftest import play_config

WAY = {"rounds": (18, 12, 9), "drawn": (18 * 4, 12 * 5, 9 * 6), "milestone_1": (5, 4, 3), "milestone_2": (10, 7, 5)}
"""What the way alone comes to with no, one and two engines fuelled in each round, for four Noise."""


@pytest.mark.rule("M113-04", "M113-05", "M113-06", "M113-07")
def test_fuel_gives_the_reckoned_rounds_and_cards_and_then_the_real_game(tmp_path: Path) -> None:
    run = play_config(shipped_configs()["mech_fuel"], tmp_path / "results", sets=("games.per_cell=12",))
    table = summary(run)
    whole = table[(table.cell == FIELD) & (table.side == "")]
    for name, expected in WAY.items():
        assert tuple(whole[whole.measure == name].value[:3]) == expected, name
    fuelled = whole[whole.measure == "fuelled"].value.tolist()
    assert fuelled[:4] == [0, 0, 0, 0] and 0 < fuelled[4] < fuelled[5]
    shown = page(run, table)
    assert "18.000" in shown and "72.000" in shown and "bots.crew=hasty" in shown


@pytest.mark.parametrize(("name", "points", "named"), [
    ("mech_escalation", 8, "The Brute, The Doctor, The Mechanic and The Scout"),
    ("mech_boss", 3, "a crew of 5"),
    ("mech_difficulty", 4, "a crew of 1"),
])  # fmt: skip
def test_crews_are_judged_over_a_sweep_and_no_member_is(name: str, points: int, named: str, tmp_path: Path) -> None:
    run = play_config(shipped_configs()[name], tmp_path / "results", sets=("games.per_cell=4",))
    rows = crews.shares(run)
    assert rows.point.nunique() == points and named in set(rows.role)
    assert rows.games.sum() == run.games and (rows.low <= rows.value).all() and (rows.value <= rows.high).all()
    answer = page(run, summary(run)).split('<section class="answer"')[1].split("</section>")[0]
    assert named in answer and "is not judged here" in answer and "<b>The Brute</b>" not in answer


def test_every_member_is_out_once_on_the_same_dice() -> None:
    setup = load_setup("mech_crew")
    plan = make_plan(setup)
    members = [role.slug for role in plan.tables(plan.cells[0]).roles["crew"]]
    assert len(setup.config.variant) == len(members) == 11
    groups = {(cell.lineup, cell.group) for cell in plan.cells}
    assert len(plan.cells) == 44 * 12 and len(groups) == 44
