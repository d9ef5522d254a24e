"""Tables with empty seats, of rivals and of a crew that wins together: an empty seat is nobody, wherever one looks."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from experiments import crews, stats
from experiments.cli import app
from experiments.compare import Comparison
from experiments.config import load_setup
from experiments.contrasts import front
from experiments.ledger import Run, open_run
from experiments.plan import group_of, make_plan
from experiments.replays import Asked, replay_games
from experiments.report import page
from experiments.runner import Progress
from experiments.seen import Seen, titled
from experiments.stats import FIELD, summary
from simcore.game import find_game, play
from simcore.packs import Mistakes
from tests.conftest import Write, play_config, tallies

pytestmark = pytest.mark.usefixtures("unpainted")
SIZES = "\n[lineup]\nsize = [1, 2, 4]\n[verdict]\nagainst = [0.5, 0.6]\n"
ROLES = ("swift", "steady", "None", "pup", "grim")


@pytest.fixture
def run(config: Write, tmp_path: Path) -> Run:
    return play_config(config("toy.crew", 400, 70, more=SIZES), tmp_path / "results", 2)


def seen_of(run: Run) -> Seen:
    return Seen(run, front(run, titled(summary(run), run.tables.roles)))


def test_lineups_of_all_sizes_have_names_groups_and_whole_turns(run: Run) -> None:
    plan = run.plan
    assert [cell.name for cell in plan.cells[:6]] == [*ROLES, "swift + steady"]
    assert plan.cells[0].lineup == ("swift", "", "", "") and len(plan.cells) == 5 + 10 + 5
    assert len({cell.id for cell in plan.cells}) == len({cell.group for cell in plan.cells}) == 20
    assert run.config.run.rotate == "cyclic" and plan.seatings == 4
    for cell in plan.cells:
        roles, many = plan.seats(cell)["role"], len(cell.seated)
        assert roles.shape == (4, 4) and (roles[:, many:] == -1).all() and (roles[:, :many] >= 0).all()
        assert all(len(set(roles[:, seat])) == many for seat in range(many)), "each sits on each seat"
        assert (plan.seats(cell)["member"][np.arange(4)[:, None], plan.places(cell)] == np.arange(4)).all()
    game = find_game("toy.crew")
    assert group_of(game, ("pup", "grim", "", "")) == group_of(game, ("grim", "pup", "", ""))
    assert group_of(game, ("pup", "", "", "")) != group_of(game, ("pup", "grim", "", ""))


@pytest.mark.parametrize("rotate", ["all", "cyclic", "none"])
def test_games_do_not_depend_on_which_other_sizes_are_played(config: Write, tmp_path: Path, rotate: str) -> None:
    sets = (f"run.rotate={rotate}",)
    path = config("toy.table", 48, more="\n[lineup]\nsize = [2, 3]\n")
    both = play_config(path, tmp_path / "both", sets=sets)
    alone = play_config(path, tmp_path / "alone", sets=(*sets, "lineup.size=2"))
    assert both.plan.seatings == {"all": 6, "cyclic": 6, "none": 1}[rotate]
    assert alone.plan.seatings == {"all": 2, "cyclic": 2, "none": 1}[rotate]
    cells = {cell.id: cell for cell in both.plan.cells}
    assert {cell.id for cell in alone.plan.cells} < set(cells)
    for cell in alone.plan.cells:
        assert alone.tally(cell).whole() == both.tally(cells[cell.id]).whole()
        assert play_bytes(alone, cell) == play_bytes(both, cells[cell.id])
    compared = Comparison(alone, both)
    parts = compared.parts(None, 1, Progress())
    assert parts and [part.size for part in parts] == [2] and compared.alone == ["tables of 3"]
    assert len(parts[0].matches) == 10 and not parts[0].changed and len(parts[0].rows)
    assert {row["cell"] for row in compared.plain(parts, 0.0)["rows"]} == {"field of 2"}


def play_bytes(run: Run, cell: object) -> bytes:
    plan, one = run.plan, run.plan.find(cell.id)  # type: ignore[attr-defined]
    return bytes(play(run.game, plan.tables(one), plan.seats(one), plan.root(one), 0, 48).tobytes())


@pytest.mark.parametrize("game", ["toy.crew", "toy.table"])
def test_a_summary_is_what_the_games_say_and_nobody_has_a_row(config: Write, tmp_path: Path, game: str) -> None:
    run = play_config(config(game, 120, 50, more="\n[lineup]\nsize = [2, 3]\n"), tmp_path / "results")
    table, shares = summary(run), dict[tuple[str, str], list[float]]()
    assert set(table.role) == {"", *ROLES} and not table.isin(["nobody"]).any(axis=None)
    for cell in run.plan.cells:
        out = play(run.game, run.tables, run.plan.seats(cell), run.plan.root(cell), 0, 120)
        own = table[(table.cell == cell.id) & (table.measure == "share")].set_index("role").value
        assert list(own.index) == [slug for _, slug in cell.seated]
        for slug in own.index:
            sits = out["seat"]["role"] == ROLES.index(slug)
            assert sits.sum() == 120 and own[slug] == pytest.approx(out["seat"]["share"][sits].mean() / 60)
            pooled = FIELD if run.game.crew else f"field of {len(cell.seated)}"
            shares.setdefault((pooled, slug), []).append(float(own[slug]))
    field = table[table.cell.str.startswith(FIELD) & (table.measure == "share")].set_index(["cell", "role"])
    assert field.value.to_dict() == pytest.approx({key: np.mean(own) for key, own in shares.items()})
    assert field.games.to_dict() == {key: 120 * len(own) for key, own in shares.items()}


def test_any_cut_gives_the_same_and_a_stopped_run_goes_on(config: Write, tmp_path: Path, run: Run) -> None:
    call, path = partial(CliRunner().invoke, app), config("toy.crew", 400, 33, more=SIZES)
    assert call(["run", str(path), "--out", str(tmp_path / "other")]).exit_code == 0
    folder = next((tmp_path / "other").iterdir())
    assert tallies(open_run(folder)) == tallies(run)
    assert call(["verify", str(folder)]).exit_code == 0
    assert call(["resume", str(folder), "--games", "800"]).exit_code == 0
    whole = play_config(config("toy.crew", 800, 70, more=SIZES), tmp_path / "whole", 2)
    assert tallies(open_run(folder)) == tallies(whole)
    assert call(["verify", str(folder)]).exit_code == 0


def test_a_report_of_a_crew_speaks_of_what_it_wins(run: Run) -> None:
    text = page(run, summary(run))
    for said in ("Crew by crew", "Whom to have along", "Who goes well with whom", "balanced is a win rate from 50.0"):
        assert said in text
    for unsaid in (
        "Who beats whom",
        "is the strongest",
        "all others",
        "Seat and neighbour",
        " against Pup",
        "How strong",
    ):
        assert unsaid not in text, unsaid
    assert not {"strength", "place:1"} & set(summary(run).measure)


def test_with_and_without_are_the_means_of_lineups_of_the_same_size(run: Run) -> None:
    seen = seen_of(run)
    found = crews.crews(seen)
    assert len(found) == 20 and {one.games for one in found} == {400}
    rate = {one.members: one.wins / one.games for one in found}
    of = {size: {m: r for m, r in rate.items() if len(m) == size} for size in (1, 2, 4)}
    for slug in ROLES:
        parts = [
            [np.mean([r for m, r in of[n].items() if (slug in m) == there]) for n in of] for there in (True, False)
        ]
        weights = np.array([1, 4, 4]) / 9
        for got, part in zip(crews.with_and_without(seen, found, slug) or [], parts, strict=False):
            assert got[0] == pytest.approx(weights @ np.array(part)) and got[1] < got[0] < got[2]
        gap = (crews.with_and_without(seen, found, slug) or [])[2]
        assert gap[0] == pytest.approx(weights @ (np.array(parts[0]) - parts[1]))
    whole = [one for one in found if one.size == 4]
    assert crews.with_and_without(seen, [one for one in whole if "pup" in one.members], "pup") is None


def test_a_run_that_stops_itself_judges_each_member(config: Write, tmp_path: Path) -> None:
    path = config("toy.crew", more="\n[lineup]\nsize = [1, 2]\n")
    text = path.read_text().replace("per_cell = 300", "at_most = 3000")
    for against in ("'field'", "[0.5, 0.6]"):
        path.write_text(f"{text}\n[verdict]\nagainst = {against}\n")
        run = play_config(path, tmp_path / against[1:3])
        ends = run.ledger.ends()
        assert run.finished and sorted(who.role for who in ends) == sorted(ROLES)
        assert {who.role: end.word for who, end in ends.items()}["grim"] == "too strong"
        assert "nan" not in page(run, summary(run)).split("How it was made")[0].split("</style>")[1].lower().split()


def test_a_game_is_told_of_those_who_sit_there(run: Run) -> None:
    lines, said = list[str](), list[str]()
    assert replay_games(run, Asked(cell="swift + pup", game=3), lines.append, said.append)
    assert lines[0].startswith("Pup, Swift, game 3") and "nobody" not in lines[0]
    assert "the compiled rules give the same outcome" in lines[0]


def test_an_even_share_is_refused_where_there_is_none(config: Write) -> None:
    fair = "\n[lineup]\nsize = {}\n[verdict]\nagainst = 'fair'\n"
    with pytest.raises(Mistakes, match="win and lose together"):
        load_setup(config("toy.crew", more=fair.format(2)))
    several = config("toy.table", more=fair.format([2, 3]))
    assert make_plan(load_setup(several)).seatings == 6
    several.write_text(several.read_text("utf-8").replace("per_cell = 300", "precision = 0.05"), encoding="utf-8")
    with pytest.raises(Mistakes, match="with tables of 2, 3, each judged by itself, a run can't stop by itself"):
        load_setup(several)


def test_rivals_at_a_small_table_share_what_there_is(config: Write, tmp_path: Path) -> None:
    more = "\n[lineup]\nsize = 3\nmirror = true\n[verdict]\nagainst = 'fair'\n"
    run = play_config(config("toy.table", 600, more=more), tmp_path / "results")
    seen = seen_of(run)
    assert seen.band(run.game.sides[0]).least == pytest.approx(1 / 3 - 0.02)
    assert set(seen.mirrors.even) == {1 / 3} and len(seen.mirrors) == 5 * 3
    seats = stats.seat_effects(run)
    shares = seats[seats.measure == "share"].set_index("seat")
    assert shares.value[[1, 2, 3]].sum() == pytest.approx(1) and shares.games[4] == 0
    after = stats.neighbour_effects(run).set_index("role")
    assert (after.games == 600 * 6).all() and (after.value - after.whole).idxmax() == "swift"
    assert {len(lineup) for lineup in stats.finishes(run, run.game.sides[0])} == {3}
    assert "Who beats whom" in page(run, summary(run))


def test_sizes_go_with_a_sweep_and_with_variants(config: Write, tmp_path: Path) -> None:
    more = "\n[lineup]\nsize = [1, 3]\n[sweep.grid]\n'runner.swift.dice' = [1, 3]\n"
    run = play_config(config("toy.crew", 60, more=more), tmp_path / "results")
    table = summary(run)
    field = table[(table.cell == FIELD) & (table.measure == "share") & (table.role == "swift")]
    assert len(field) == 2 and field.value.iloc[0] < field.value.iloc[1] and "swift [" in run.plan.cells[0].name
    assert "Crew by crew" not in page(run, table)
    bold = "\n[lineup]\nsize = [1, 3]\n[[variant]]\nname = 'more'\nset = { runner.swift.dice = 4 }\n"
    rows = summary(play_config(config("toy.crew", 60, more=bold), tmp_path / "variants"))
    gaps = rows[(rows.cell == FIELD) & (rows.measure == "difference")].set_index("role").value
    assert set(gaps.index) == set(ROLES) and gaps.idxmax() == "swift" and (gaps >= 0).all()
