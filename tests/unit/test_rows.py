"""Kept games: a row each, whole, once, and found out where they are damaged."""

from __future__ import annotations

import shutil
from pathlib import Path

import pandas as pd
import pytest

pytest.importorskip("pyarrow", reason="needs the extra parquet")

from experiments import runner
from experiments.ledger import Run, Trouble, open_run
from experiments.rows import names, rows_wrong
from experiments.runner import execute
from experiments.shards import FOLDER
from simcore.game import find_game, game_names
from tests.conftest import Write, play_config, tallies
from tests.reliability.commands import wastelab

KEEP = """
[bots]
runner = "bold"

[runner]
keep_games = true

[[variant]]
name = "more"
set = { "runner.swift.dice" = 3 }
"""


@pytest.fixture
def run(config: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A finished run that keeps its games, in several files."""
    monkeypatch.setattr(runner, "KEPT_GAMES", 500)
    return play_config(config(game="toy.duel", games=300, chunk=100, more=KEEP), tmp_path / "results", 2)


def rows_of(run: Run) -> pd.DataFrame:
    return pd.read_parquet(run.folder / FOLDER)


def files(run: Run) -> list[Path]:
    return sorted((run.folder / FOLDER).iterdir())


def test_every_game_is_a_row_with_what_it_belongs_to(run: Run) -> None:
    rows = rows_of(run)
    assert max(sum(span.stop - span.first for span in shard.spans) for shard in run.ledger.shards()) <= 500
    assert len(rows) == run.games and not rows.duplicated(["cell", "game"]).any() and len(files(run)) > 3
    for cell in run.plan.cells:
        own = rows[rows.cell == cell.id].sort_values("game")
        assert own.game.tolist() == list(range(cell.games))
        assert set(own.lineup) == {cell.name} and set(own.variant) == {cell.variant} and set(own.settings) == {""}
        assert set(own.bots) == {"runner=bold"}
        total = run.tally(cell).total.sum(axis=0)
        numbers = [name for name in names(run.game) if pd.api.types.is_integer_dtype(own[name])]
        assert own[numbers].sum().tolist() == [total[names(run.game).index(name)] for name in numbers]
        assert own["seat1.role"].iloc[0] == run.tables.roles["runners"][run.plan.seats(cell)["role"][0, 0]].slug
        ends = own.ending.value_counts()
        assert [ends.get(one.name, 0) for one in run.game.endings] == run.tally(cell).endings.sum(axis=0).tolist()


def test_names_of_columns_are_all_different() -> None:
    for game in map(find_game, game_names()):
        columns = [*runner_labels(), *names(game)]
        assert len(set(columns)) == len(columns)


def runner_labels() -> tuple[str, ...]:
    from experiments.rows import LABELS

    return LABELS


def test_empty_seats_and_points_of_a_sweep_are_kept_too(config: Write, tmp_path: Path) -> None:
    more = """
[lineup]
throwers = ["swift", "steady", "pup"]
size = 2
[sweep.grid]
"runner.swift.dice" = [1, 2]
[runner]
keep_games = true
"""
    run = play_config(config(game="toy.table", games=60, more=more), tmp_path)
    rows = rows_of(run)
    assert rows["seat3.role"].isna().all() and rows["seat2.role"].notna().all()
    assert set(rows.settings) == {"runner.swift.dice=1", "runner.swift.dice=2"}
    assert list(rows_wrong(run)) == [] and run.check() == []


DAMAGES = {
    "a byte is changed": lambda path: path.write_bytes(flipped(path.read_bytes())),
    "it is cut short": lambda path: path.write_bytes(path.read_bytes()[:-10]),
    "it is gone": lambda path: path.unlink(),
    "it is another": lambda path: shutil.copy(sorted(path.parent.iterdir())[-1], path),
}


def flipped(data: bytes) -> bytes:
    return data[:100] + bytes([data[100] ^ 1]) + data[101:]


@pytest.mark.parametrize("damage", list(DAMAGES))
def test_a_damaged_file_is_found_and_played_again(run: Run, damage: str, unpainted: None) -> None:
    before, many = rows_of(run), run.games
    DAMAGES[damage](files(run)[1])
    code, told, _ = wastelab("verify", run.folder)
    assert code == 1 and f"{FOLDER}/{files(run)[1].name if damage != 'it is gone' else ''}" in told
    assert "FAILED" in told
    again = open_run(run.folder)
    assert again.repair() > 0 and again.games < many
    assert execute(again, 1) and again.check() == [] and list(rows_wrong(again)) == []
    order = ["cell", "game"]
    after = rows_of(again)
    pd.testing.assert_frame_equal(*(one.sort_values(order, ignore_index=True) for one in (before, after)))


def test_rows_that_are_whole_but_not_those_of_the_tally_are_found(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from experiments import rows

    def forged(*asked: object) -> list[object]:
        found = read(*asked)  # type: ignore[arg-type]
        found[0]["rounds"][0] += 1
        return found

    read = rows.from_parquet
    monkeypatch.setattr(rows, "from_parquet", forged)
    assert len(list(rows_wrong(run))) == len(files(run))


def test_a_run_that_is_killed_between_a_file_and_its_tallies_has_no_game_twice(
    config: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "KEPT_GAMES", 500)
    path = config(game="toy.duel", games=300, chunk=100, more=KEEP)
    saved = list[int]()

    def killed(run: Run, played: runner.Played) -> None:
        saved.append(len(played.done))
        if len(saved) == 3:
            monkeypatch.setattr(run.ledger, "save", lambda *row: (_ for _ in ()).throw(Trouble("killed")))
        save(run, played)

    save = runner._save
    monkeypatch.setattr(runner, "_save", killed)
    with pytest.raises(Trouble, match="killed"):
        play_config(path, tmp_path / "killed")
    (folder,) = (tmp_path / "killed").iterdir()
    run = open_run(folder)
    assert len(files(run)) == 3 and len(run.ledger.shards()) == 2
    (folder / FOLDER / ".draft.parquet").write_bytes(b"half of a file")
    monkeypatch.setattr(runner, "_save", save)
    assert execute(run, 1) and run.check() == [] and list(rows_wrong(run)) == []
    assert len(rows_of(run)) == run.games == run.plan.games
    assert sorted(path.name for path in files(run)) == [shard.name for shard in run.ledger.shards()]
    assert tallies(run) == tallies(play_config(path, tmp_path / "whole"))


def test_a_run_with_rows_is_another_than_one_without(config: Write, tmp_path: Path, unpainted: None) -> None:
    out = "--out", tmp_path / "results"
    code, said, _ = wastelab("run", config(games=60, more="\n[runner]\nkeep_games = true\n"), *out)
    folder = Path(said.splitlines()[-1]).parent
    assert code == 0 and said.splitlines()[-1] == str(folder / FOLDER)
    code, said, _ = wastelab("verify", folder)
    assert code == 0 and "rows: 360 games in " in said
    without = play_config(config(games=60), out[1])
    assert folder != without.folder and tallies(open_run(folder)) == tallies(without)
    assert not (without.folder / FOLDER).exists()


def test_a_budget_that_ends_between_looks_leaves_whole_files(config: Write, tmp_path: Path) -> None:
    text = config(more="\n[runner]\nkeep_games = true\n").read_text()
    path = tmp_path / "budget.toml"
    path.write_text(text.replace("per_cell = 300", "budget_minutes = 0.01\nfirst_look = 100\nprecision = 0.0001"))
    run = play_config(path, tmp_path / "results", 2)
    assert run.finished and run.check() == [] and list(rows_wrong(run)) == []
    assert len(rows_of(run)) == run.games > 0
