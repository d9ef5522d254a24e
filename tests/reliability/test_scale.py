"""A ledger of a million tallies, as a billion whole games leave it, resumes, reports and verifies within a minute."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from experiments.config import load_setup
from experiments.ledger import (
    FILE,
    LEAST,
    Run,
    _chunk_sum,
    _sum_sum,
    make_folder,
    open_run,
    pack_tally,
    part_end,
    part_of,
    start_run,
)
from experiments.plan import Cell, make_plan
from experiments.stats import summary, to_csv
from simcore.game import Tally, play
from tests.conftest import Write, play_config, tallies
from tests.reliability.commands import wastelab

CHUNKS = 1_000_000
LACKING = 1_000
VARIANT = "\n[[variant]]\nname = 'more'\nset = { 'runner.swift.dice' = 3 }\n"
LINEUP = "\n[lineup]\nrunners = ['swift']\nhounds = ['pup', 'grim']\n"


def begin(path: Path) -> Run:
    """A run that has played nothing yet."""
    plan = make_plan(load_setup(path))
    return start_run(plan, path.stem, make_folder(plan, path.stem, path.parent / "results"))


def rows_of(run: Run, cell: Cell, outcomes: Any) -> Iterator[tuple[Any, ...]]:
    """Rows of the table of chunks: each game of a cell by itself. As there are few outcomes, few tallies are packed."""
    packed: dict[bytes, bytes] = {}
    data, size = outcomes.tobytes(), outcomes.itemsize
    for game in range(len(outcomes)):
        key = data[game * size : (game + 1) * size]
        if key not in packed:
            tally = Tally.empty(run.game, run.plan.seatings)
            tally.note(run.game, run.plan.seats(cell), game, outcomes[game : game + 1])
            packed[key] = pack_tally(tally)
        yield cell.id, game, game + 1, packed[key], _chunk_sum(cell.id, game, game + 1, packed[key])


def sums_of(run: Run, cell: Cell, outcomes: Any, marks: dict[int, tuple[int, int]]) -> Iterator[tuple[Any, ...]]:
    """Rows of the table of sums, for the parts that are added up."""
    for part, (many, mark) in marks.items():
        if many >= LEAST:
            tally = Tally.empty(run.game, run.plan.seatings)
            tally.note(run.game, run.plan.seats(cell), part, outcomes[part : min(part_end(part), len(outcomes))])
            row = cell.id, part, many, f"{mark:064x}", pack_tally(tally)
            yield *row, _sum_sum(row)


def fill(run: Run, games: int) -> None:
    """Put the first games of each cell into the ledger, each as a tally of its own, as saving them one by one does."""
    with sqlite3.connect(run.folder / FILE) as connection:
        for cell in run.plan.cells:
            outcomes = play(run.game, run.tables, run.plan.seats(cell), run.plan.root(cell), 0, games)
            marks: dict[int, tuple[int, int]] = {}

            def noted(rows: Iterator[tuple[Any, ...]], marks: dict[int, tuple[int, int]]) -> Iterator[tuple[Any, ...]]:
                part, end, many, mark = 0, 0, 0, 0
                for row in rows:
                    if row[1] >= end:
                        marks[part] = many, mark
                        part, many, mark = part_of(row[1]), 0, 0
                        end = part_end(part)
                    many, mark = many + 1, mark ^ int(row[4], 16)
                    yield row
                marks[part] = many, mark

            connection.executemany(
                "INSERT INTO chunks VALUES (?, ?, ?, ?, ?)", noted(rows_of(run, cell, outcomes), marks)
            )
            sums = sums_of(run, cell, outcomes, marks)
            connection.executemany("INSERT INTO sums VALUES (?, ?, ?, ?, ?, ?)", sums)
    connection.close()


def go_on_with_a_million(config: Write) -> tuple[Path, float]:
    """Resume and verify a run of a million tallies: its folder, and the CPU seconds that this took."""
    path = config(games=CHUNKS // 2 + LACKING // 2, chunk=1, more=LINEUP)
    run = begin(path)
    fill(run, CHUNKS // 2)
    run.ledger.sit(100_000.0, CHUNKS)
    run.close()
    started = process_time()
    code, _, told = wastelab("resume", run.folder)
    assert code == 0 and f"{CHUNKS:,} of {CHUNKS + LACKING:,} games already" in told, told
    code, said, _ = wastelab("verify", run.folder)
    assert code == 0 and f"{CHUNKS + LACKING:,} tallies read" in said, said
    return run.folder, process_time() - started


def test_a_million_tallies_are_gone_on_with(config: Write, tmp_path: Path, unpainted: None) -> None:
    folder, _ = go_on_with_a_million(config)
    whole = play_config(config(games=CHUNKS // 2 + LACKING // 2, chunk=262_144, more=LINEUP), tmp_path / "whole")
    assert (folder / "summary.csv").read_bytes() == to_csv(summary(whole)).encode()


@pytest.fixture
def small(config: Write, tmp_path: Path) -> Run:
    """A run of which every game is a tally of its own, as it was saved, with a variant."""
    return play_config(config(games=300, chunk=1, more=LINEUP + VARIANT), tmp_path / "results")


def test_what_is_added_up_is_what_the_tallies_come_to(small: Run, config: Write, tmp_path: Path) -> None:
    whole = play_config(config(games=300, chunk=300, more=LINEUP + VARIANT), tmp_path / "whole")
    again = open_run(small.folder)
    assert len(again.ledger.summed()) > 20 and tallies(again) == tallies(whole)
    assert [again.pairs(cell).to_bytes() for cell in again.plan.cells] == [
        whole.pairs(cell).to_bytes() for cell in whole.plan.cells
    ]
    assert again.check() == [] and to_csv(summary(again)) == to_csv(summary(whole))
    for games in (1, 100, 255, 256, 257):
        first = again.counts(again.plan.cells[-1], games)
        assert first[0].games.sum() == games and first[1].counts.sum() == games * again.game.players


def test_the_simulated_ledger_is_what_saving_makes(config: Write, tmp_path: Path) -> None:
    saved = play_config(config(games=300, chunk=1, more=LINEUP), tmp_path / "saved")
    filled = start_run(saved.plan, "toy", make_folder(saved.plan, "toy", tmp_path / "filled"))
    fill(filled, 300)
    for table in ("chunks", "sums"):
        rows = [
            sqlite3.connect(run.folder / FILE).execute(f"SELECT * FROM {table}").fetchall() for run in (saved, filled)
        ]
        assert rows[0] == rows[1] and len(rows[0]) > 10


CHANGES = {
    "a sum is another's": "UPDATE sums SET tally = (SELECT tally FROM sums WHERE part = 256 AND cell = '{cell}') "
    "WHERE cell = '{cell}'",
    "a chunk is lost": "DELETE FROM chunks WHERE first = 280 AND cell = '{cell}'",
    "a chunk is changed": "UPDATE chunks SET tally = zeroblob(50) WHERE first = 280 AND cell = '{cell}'",
}


@pytest.mark.parametrize("change", list(CHANGES))
def test_a_change_of_what_is_added_up_is_found_and_mended(small: Run, change: str) -> None:
    before, cell = tallies(small), small.plan.cells[0].id
    small.close()
    with sqlite3.connect(small.folder / FILE) as connection:
        connection.execute(CHANGES[change].format(cell=cell))
    connection.close()
    again = open_run(small.folder)
    assert again.check() != []
    if change == "a sum is another's":
        assert tallies(again) == before, "the tallies themselves are read"
    again.repair()
    assert again.check() == []


def test_a_sum_that_contradicts_its_tallies_is_found(small: Run) -> None:
    place = small.plan.cells[0].id, 256
    with sqlite3.connect(small.folder / FILE) as connection:
        rows = connection.execute("SELECT * FROM sums WHERE cell = ? ORDER BY part", place[:1]).fetchall()
        row = next(row for row in rows if row[1] == 256)
        forged = (*row[:4], rows[0][4])
        connection.execute(
            "UPDATE sums SET tally = ?, sha256 = ? WHERE cell = ? AND part = ?", (forged[4], _sum_sum(forged), *place)
        )
    connection.close()
    small.close()
    (line,) = open_run(small.folder).check()
    assert "add up to another sum" in line


def test_parts_cover_all_games_without_a_gap() -> None:
    part = 0
    for _ in range(400):
        assert part_of(part) == part == part_of(part_end(part) - 1)
        part = part_end(part)
