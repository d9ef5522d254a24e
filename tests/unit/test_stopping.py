"""Runs that stop by themselves: when they do, and that nothing else decides it."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments import stopping
from experiments.config import load_setup
from experiments.ledger import Damaged, Run, make_folder, open_run, start_run
from experiments.plan import make_plan
from experiments.runner import execute
from experiments.sequences import ALPHA
from experiments.stats import FIELD, summary, verdicts
from experiments.stopping import Look, looks_of, verdicts_printed
from simcore.packs import Mistakes
from tests.conftest import play_config, tallies

HEAD = "title = 'x'\nseed = 1\ngame = '{game}'\n\n[games]\n{games}\n{more}"


def written(folder: Path, games: str, game: str = "toy.duel", more: str = "") -> Path:
    path = folder / "toy.toml"
    path.write_text(HEAD.format(game=game, games=games, more=more))
    return path


def ends(run: Run) -> dict[str, tuple[int, str, str]]:
    """Role -> games, rule and verdict."""
    return {who.role: (end.games, end.rule, end.word) for who, end in run.ledger.ends().items()}


def test_looks_are_at_fixed_numbers_in_whole_blocks(tmp_path: Path) -> None:
    plan = make_plan(load_setup(written(tmp_path, "at_most = 2001\nfirst_look = 1001\nlook_ratio = 1.5")))
    assert looks_of(plan) == [1002, 1502, 2002]
    plan = make_plan(load_setup(written(tmp_path, "at_most = 5000\nat_least = 3000")))
    assert looks_of(plan)[0] == 3000 and looks_of(plan)[-1] == 5000


@pytest.mark.parametrize("game", ["toy.duel", "toy.fight"])
def test_a_run_stops_when_every_share_is_known_to_the_precision(tmp_path: Path, game: str) -> None:
    run = play_config(written(tmp_path, "precision = 0.04", game), tmp_path / "results")
    assert run.finished and {rule for _, rule, _ in ends(run).values()} == {"precision"}
    table = summary(run)
    rows = table[(table.cell == FIELD) & (table.measure == "share") & (table.role != "")]
    assert (rows.interval == "sequence").all() and ((rows.high - rows.low) / 2 <= 0.04).all()
    looks = looks_of(run.plan)
    for who, end in run.ledger.ends().items():
        cells = [cell for cell in run.plan.cells if who in stopping.whose(run.game, cell)]
        assert end.games in looks and rows.set_index("role").games[who.role] == end.games * len(cells)
        before = [look for look in looks if look < end.games]
        if before:
            assert who not in Look.at(run, cells, before[-1]).through([who], last=False)


def test_a_run_stops_when_every_verdict_is_clear(tmp_path: Path) -> None:
    more = "\n[verdict]\nagainst = 'fair'\ntolerance = 0.02\n"
    run = play_config(written(tmp_path, "at_most = 200_000", more=more), tmp_path / "results")
    table = summary(run)
    for row in verdicts(run, table).to_dict("records"):
        _, rule, word = ends(run)[row["role"]]
        assert (row["word"], row["rule"]) == (word, rule) and rule in ("verdict", "at_most")
        assert (word != "undecided") == (rule == "verdict")
        assert word != "too strong" or row["low"] > 0.52
        assert word != "too weak" or row["high"] < 0.48
    assert "verdict" in {rule for _, rule, _ in ends(run).values()}


def test_against_the_field_all_cells_go_on_together(tmp_path: Path) -> None:
    run = play_config(written(tmp_path, "at_most = 4_000", "toy.fight"), tmp_path / "results")
    assert len({int(run.tally(cell).games.sum()) for cell in run.plan.cells}) == 1


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("chunk", [97, 10**6])
def test_neither_workers_nor_chunks_decide_where_a_run_stops(tmp_path: Path, jobs: int, chunk: int) -> None:
    reference = play_config(written(tmp_path, "precision = 0.05"), tmp_path / "one")
    other = play_config(written(tmp_path, f"precision = 0.05\nchunk = {chunk}"), tmp_path / "other", jobs)
    assert ends(other) == ends(reference) and tallies(other) == tallies(reference)


def test_a_stopped_run_goes_on_to_the_same_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, "precision = 0.02")
    reference = play_config(path, tmp_path / "whole")
    plan = make_plan(load_setup(path))
    run = start_run(plan, "toy", make_folder(plan, "toy", tmp_path / "part"))
    seen = []

    def broken(run: Run, games: int, *more: object) -> stopping.Ends:
        seen.append(games)
        if len(seen) == 2:
            raise KeyboardInterrupt
        return stopping.look_at(run, games, *more)  # type: ignore[arg-type]

    monkeypatch.setattr("experiments.runner.look_at", broken)
    with pytest.raises(KeyboardInterrupt):
        execute(run, 1)
    assert not run.finished
    run.close()
    monkeypatch.undo()
    again = open_run(run.folder)
    assert execute(again, 2) and again.finished and again.check() == []
    assert ends(again) == ends(reference) and tallies(again) == tallies(reference)


def test_ends_that_the_games_contradict_are_found(tmp_path: Path) -> None:
    path = written(tmp_path, "precision = 0.04")
    reference = play_config(path, tmp_path / "whole")
    plan = make_plan(load_setup(path))
    run = start_run(plan, "toy", make_folder(plan, "toy", tmp_path / "part"))
    who, end = next(iter(reference.ledger.ends().items()))
    run.ledger.end({who: end._replace(games=1_200, word="balanced")})
    with pytest.raises(Damaged, match="ended where its games don't say so"):
        execute(run, 1)


def test_a_spent_budget_ends_all_at_one_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, "precision = 0.0001\nbudget_minutes = 0.02", more="\n[table]\nthrows = 20\n")
    run = play_config(path, tmp_path / "results")
    assert run.finished and {rule for _, rule, _ in ends(run).values()} == {"budget"}
    (games,) = {end[0] for end in ends(run).values()}
    assert games in looks_of(run.plan)
    assert {int(run.tally(cell).games.sum()) for cell in run.plan.cells} == {games}
    assert run.check() == []


def test_levels_are_shared_by_all_verdicts_that_are_printed(tmp_path: Path) -> None:
    more = "\n[sweep.grid]\n'table.throws' = [1, 2]\n\n[[variant]]\nname = 'b'\nset = { bots.runner = 'bold' }\n"
    run = play_config(written(tmp_path, "precision = 0.1", more=more), tmp_path / "results")
    assert verdicts_printed(run.plan) == 3 * 4 == len(run.ledger.ends())
    assert ALPHA / 12 < 0.005


@pytest.mark.parametrize(
    ("games", "says"),
    [
        ("chunk = 5", "games.per_cell is missing"),
        ("per_cell = 5\nprecision = 0.1", "stands beside precision"),
        ("per_cell = 5\nat_least = 3", "stands beside at_least"),
        ("precision = 0", "games.precision is 0"),
        ("precision = 0.5", "games.precision"),
        ("precision = -0.1", "games.precision"),
        ("precision = nan", "games.precision"),
        ("budget_minutes = 0", "games.budget_minutes"),
        ("at_most = 0", "games.at_most"),
        ("at_most = 10\nat_least = 11", "games.at_least is 11"),
        ("precision = 0.1\nfirst_look = 5", "games.first_look is 5"),
        ("precision = 0.1\nlook_ratio = 1.0", "games.look_ratio"),
    ],
)
def test_games_that_make_no_sense_are_mistakes(tmp_path: Path, games: str, says: str) -> None:
    with pytest.raises(Mistakes) as found:
        load_setup(written(tmp_path, games))
    assert says in str(found.value) and len(found.value.mistakes) == 1


def test_a_number_of_games_takes_the_place_of_what_stops_a_run(tmp_path: Path) -> None:
    path = written(tmp_path, "precision = 0.01\nat_least = 5_000\nbudget_minutes = 1")
    games = load_setup(path, games=100).config.games
    assert games.per_cell == 100 and games.precision is None and games.at_least is None and not games.stops


@pytest.mark.parametrize("against", ["'fair'", "'field'"])
def test_an_undecided_verdict_says_how_many_more_games_it_needs(tmp_path: Path, against: str) -> None:
    """And with so many, or half as many again, it is clear; with a third of them it isn't."""
    more = f"\n[verdict]\nagainst = {against}\ntolerance = 0.02\n"
    run = play_config(written(tmp_path, "at_most = 1200", more=more), tmp_path / "few")
    known = stopping.to_go(run)
    undecided = [who for who, end in run.ledger.ends().items() if end.word == "undecided"]
    assert undecided and set(known) == set(undecided) and all(games > 0 for games in known.values())
    table = verdicts(run, summary(run)).set_index("role")
    assert all(table.more[who.role] == known[who] for who in undecided)
    needs = max(1200 + known[who] / 2 for who in undecided)  # each role sits in two cells
    for times, clear in ((1.5, True), (0.3, False)):
        many = round(needs * times / 2) * 2
        far = play_config(written(tmp_path, f"at_most = {many}\nfirst_look = {many}", more=more), tmp_path / str(times))
        assert all(end.word != "undecided" for end in far.ledger.ends().values()) == clear
