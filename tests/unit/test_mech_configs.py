"""The shipped questions about The Waste of Parts, played with few games: their answers stand in their reports."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from experiments import crews
from experiments.config import load_setup, shipped_configs
from experiments.filters import read_filter
from experiments.plan import make_plan
from experiments.replays import tell, told_lines
from experiments.report import page
from experiments.stats import FIELD, summary
from simcore.game import play
from simcore.packs import Mistakes
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
    assert ">18.00<" in shown and ">72.00<" in shown and "bots.crew=hasty" in shown


@pytest.mark.parametrize(("name", "points", "named"), [
    ("mech_escalation", 8,
     "The Brute (Bloodlust), The Doctor (Surgeon), The Mechanic (Quick Fix) and The Scout (Haste)"),
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


PRINTED = (
    "brute/bloodlust", "brute/counterblow", "experiment/rage_gene", "experiment/lost_link",
    "firefighter/emergency_response", "firefighter/hostile_environment", "gambler/make_your_own_luck",
    "gambler/press_your_luck", "scout/haste", "scout/adrenaline_rush",
)  # fmt: skip
"""The ten abilities that the book prints, each with its crew member."""


def test_fm2_all_ten_printed_abilities_are_judged_on_the_same_dice() -> None:
    """Each sits as often as any other, and is taken away once; their origin says that the book prints them."""
    setup = load_setup("mech_crew")
    plan = make_plan(setup)
    roles = [role.slug for role in plan.tables(plan.cells[0]).roles["crew"]]
    book = {role for role in roles if not setup.pack.assumed_share("ability", role.rpartition("/")[2])[0]}
    assert set(PRINTED) == book
    taken = {path.split(".")[1] for variant in setup.config.variant for path in variant.set}
    assert taken == {role.rpartition("/")[2] for role in PRINTED}
    sits = Counter(slug for cell in plan.cells if not cell.variant for _, slug in cell.seated)
    assert sits == dict.fromkeys(roles, 8)
    groups = {(cell.lineup, cell.group) for cell in plan.cells}
    assert len(plan.cells) == 44 * 11 and len(groups) == 44


def test_fm2_who_sits_there_is_a_member_with_an_ability(tmp_path: Path) -> None:
    """In cells, summary and report, in every game that is kept, in replays and in their filters."""
    sets = ("games.per_cell=8", "lineup.many=11", "lineup.crew=all/all", "variant=[]", "runner.keep_games=true")
    run = play_config(shipped_configs()["mech_crew"], tmp_path / "results", sets=sets)
    sat = {slug for cell in run.plan.cells for _, slug in cell.seated}
    assert any(cell.lineup.count("brute/counterblow") for cell in run.plan.cells) and len(sat) == 22
    table = summary(run)
    assert set(table.role) - {""} == sat
    shown = page(run, table)
    assert "The Brute (Counterblow)" in shown and "The Brute (Bloodlust)" in shown
    cell = next(cell for cell in run.plan.cells if "brute/counterblow" in cell.lineup)
    assert "brute/counterblow" in cell.name
    assert any("The Brute (Counterblow)" in line for line in told_lines(run, tell(run, cell, 0)))
    for name in ("brute", "brute/counterblow", "The Brute (Counterblow)"):
        fits = read_filter(f"role = '{name}'", run.game, run.tables)
        rows = play(run.game, run.tables, run.plan.seats(cell), run.plan.root(cell), 0, 4)
        assert fits(rows.view("i8").reshape(4, -1)).all(), name
    fits = read_filter("brute/bloodlust.downs >= 0", run.game, run.tables)
    assert not fits(rows.view("i8").reshape(4, -1)).any()


def test_fm2_a_change_of_the_usual_ability_within_a_run_is_refused() -> None:
    """Lineups are made once, so that it would do nothing; as a change of the whole run it counts."""
    setup = load_setup("mech_boss", ("crew.brute.ability=counterblow",))
    assert "brute/counterblow" in make_plan(setup).cells[0].lineup
    with pytest.raises(Mistakes, match="which version of a role"):
        make_plan(load_setup("mech_boss", ("sweep={grid={'crew.brute.ability'=['bloodlust','counterblow']}}",)))
