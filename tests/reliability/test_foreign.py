"""Files of a run that a stranger made: nothing runs, nothing grows, and one line says what is wrong (FR8)."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from experiments import foreign, ledger
from experiments.ledger import FILE, Damaged, Ledger, Run, Trouble, open_run
from tests.conftest import play_config
from tests.reliability.commands import ROOT, wastelab

CONFIG = """
title = "Who throws best?"
seed = 1
game = "toy.duel"
[games]
per_cell = 100
chunk = 50
"""
VARIANT = '[[variant]]\nname = "more"\nset = { "runner.swift.dice" = 3 }\n'
COMMANDS = (["verify"], ["report"], ["resume"], ["resume", "--repair"], ["replay", "--where", "rounds = 1"])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small finished run with a variant."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "toy.toml").write_text(CONFIG + VARIANT, encoding="utf-8")
    run = play_config(folder / "toy.toml", folder / "results")
    run.close()
    return run.folder


@pytest.fixture
def room(made: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(made, tmp_path / made.name))


def forge(folder: Path, *changes: str) -> None:
    """Change a ledger behind its back."""
    with closing(sqlite3.connect(folder / FILE)) as connection:
        for change in changes:
            connection.execute(change)
        connection.commit()


def refused(folder: Path, *commands: list[str]) -> str:
    """Each command refuses a folder in clear lines; what they say, all together."""
    said = ""
    for command, *options in commands:
        code, out, err = wastelab(command, folder, *options)
        assert code == 1 and "Traceback" not in out + err and "WASTELAB_DEBUG" not in out + err, (command, out + err)
        said += out + err
    return said


SCHEMAS = {
    "a trigger": (
        "CREATE TRIGGER mine AFTER INSERT ON written BEGIN UPDATE sittings SET seconds = 0; END",
        "it has a trigger 'mine'",
    ),
    "a view": ("CREATE VIEW mine AS SELECT 1", "it has a view 'mine'"),
    "a table": ("CREATE TABLE mine (x)", "it has a table 'mine'"),
    "an index": ("CREATE INDEX mine ON chunks (stop)", "it has a index 'mine'"),
    "a virtual table": ("CREATE VIRTUAL TABLE mine USING fts5(x)", "it has a table 'mine"),
    "a column": ("ALTER TABLE written ADD COLUMN x GENERATED ALWAYS AS (1)", "its table 'written' is another one"),
    "a table less": ("DROP TABLE shards", "it has no table 'shards'"),
}


@pytest.mark.parametrize("what", SCHEMAS)
def test_a_ledger_with_another_schema_is_refused(room: Path, what: str) -> None:
    """FR8: a trigger in a foreign ledger ran."""
    change, told = SCHEMAS[what]
    forge(room, change)
    before = (room / FILE).read_bytes()
    said = refused(room, *COMMANDS)
    assert said.count(told) == len(COMMANDS)
    assert (room / FILE).read_bytes() == before


def test_a_view_in_the_place_of_a_table_is_not_read(room: Path) -> None:
    """FR8: a view computes what it likes, as long as it likes."""
    endless = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x, x FROM r"
    forge(room, "DROP TABLE manifest", f"CREATE VIEW manifest AS {endless}")
    assert "it has a view 'manifest'" in refused(room, *COMMANDS)


def test_a_ledger_is_opened_as_sqlite_advises(room: Path) -> None:
    """FR8: each of the guards and limits holds on an open ledger, which can't be written before it is to be."""
    run = open_run(room)
    connection = run.ledger._connection
    for pragma, value in {"trusted_schema": 0, "cell_size_check": 1, "mmap_size": 0, "query_only": 1}.items():
        assert connection.execute(f"PRAGMA {pragma}").fetchone() in ((value,), None), pragma
    assert {limit: connection.getlimit(limit) for limit in foreign.LIMITS} == foreign.LIMITS
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        connection.execute("DELETE FROM chunks")
    with pytest.raises(sqlite3.Error):
        connection.execute("ATTACH DATABASE ':memory:' AS other")
    run.ledger.sit(1.0, 0)
    run.close()


COLUMNS = [
    (table, name, kind)
    for table in ("manifest", "cells", "chunks", "written", "sittings", "sums", "ends", "shards")
    for name, kind in {
        row[1]: row[2]
        for connection in [sqlite3.connect(":memory:")]
        for _ in [connection.executescript(ledger._TABLES)]
        for row in connection.execute(f"PRAGMA table_info({table})")
    }.items()
]
ROWS = {
    "written": "'x', 'x'",
    "sums": "'x', 0, 1, 'x', x'00', 'x'",
    "ends": "0, '', 'x', 'x', 1, 'x', 'x', 'x'",
    "shards": "'x', '[]', 1, 'x', 'x'",
}


@pytest.mark.parametrize("table", sorted({table for table, _, _ in COLUMNS}))
def test_a_value_of_another_type_is_damage_and_no_error_of_ours(room: Path, table: str) -> None:
    """FR8: bytes where text belongs raised a TypeError; so may text where a number or bytes belong."""
    if table in ROWS:
        forge(room, f"INSERT INTO {table} VALUES ({ROWS[table]})")
    copy = Path(shutil.copytree(room, room.parent / "copy"))
    for _, column, kind in (one for one in COLUMNS if one[0] == table):
        for value in ("x'ff00'", "'text'", "9e999", "9223372036854775807", "NULL"):
            shutil.copy(room / FILE, copy / FILE)
            try:
                forge(copy, f"UPDATE OR IGNORE {table} SET {column} = {value}")
            except sqlite3.IntegrityError:  # SQLite itself doesn't take it
                continue
            found = problems(copy)
            stays = {"x'ff00'": kind != "BLOB", "'text'": kind != "TEXT"}.get(value, False)
            assert found or not stays, (column, value)
            assert not any("Error" in line for line in found), found


def problems(folder: Path) -> list[str]:
    """What opening, checking and repairing a run finds; it raises nothing but Trouble."""
    try:
        run = open_run(folder)
    except Trouble as trouble:
        return [str(trouble)]
    try:
        found = run.check()
        run.repair()
        return found
    except Trouble as trouble:
        return [str(trouble)]
    finally:
        run.close()


def packed_row(run: Run, blob: bytes) -> None:
    """Put other bytes in the place of the first tally of a run, with the right checksum."""
    cell = run.plan.cells[0].id
    found = ledger._chunk_sum(cell, 0, 50, blob)
    run.close()
    connection = sqlite3.connect(run.folder / FILE)
    connection.execute("UPDATE chunks SET tally = ?, sha256 = ? WHERE cell = ? AND first = 0", (blob, found, cell))
    connection.commit()
    connection.close()


def bombs(whole: bytes) -> dict[str, bytes]:
    """Tallies that unpack to too much, to too little, or to something else."""
    packer = zlib.compressobj(9)
    bomb = b"".join([packer.compress(bytes(2**20)) for _ in range(300)] + [packer.flush()])
    return {"more than": bomb, "ends too early": whole[:-3], "something follows": whole + b"x"}


@pytest.mark.parametrize("told", ["more than", "ends too early", "something follows"])
def test_a_tally_unpacks_to_no_more_than_a_tally(room: Path, told: str) -> None:
    """FR8: a tally of 583 kB unpacked to 1.5 GB."""
    run = open_run(room)
    whole = next(run.ledger.chunks(run.plan.cells[0].id)).packed
    packed_row(run, bombs(whole)[told])
    code = (
        "import resource, sys; from pathlib import Path; from tests import toys; toys.register()\n"
        "from experiments.ledger import open_run, Damaged, add_up\n"
        "run = open_run(Path(sys.argv[1])); print(run.check())\n"
        "start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "chunk = next(run.ledger.chunks(run.plan.cells[0].id))\n"
        "try: add_up(run.game, run.plan.seatings, [chunk.packed])\n"
        "except Damaged as error: print(error)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start)\n"
    )
    line = [sys.executable, "-c", code, str(room)]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=True)
    checked, added, grown = done.stdout.splitlines()
    assert told in checked and told in added and int(grown) < 50_000
    assert "can't be read" in refused(room, ["verify"]) or told in refused(room, ["verify"], ["report"])


def test_pairs_of_another_many_members_are_refused(room: Path) -> None:
    """FR8: a tally may claim any number of members, for which memory was taken."""
    run = open_run(room)
    cell = next(cell for cell in run.plan.cells if run.plan.paired(cell))
    chunk = next(run.ledger.chunks(cell.id))
    blob = bytearray(zlib.decompress(chunk.packed))
    size = ledger.tally_bytes(run.game, run.plan.seatings)
    blob[size : size + 8] = (10**12).to_bytes(8, "little")
    with pytest.raises(Damaged, match="pairs of 1000000000000 members"):
        ledger.unpacked(run.game, run.plan.seatings, zlib.compress(bytes(blob)), True)
    run.close()


TEXTS = {
    '{"a": 1, "a": 2}': "a key stands in it twice",
    "[" * 100_000: "nested too deeply",
    '{"a":' * 50_000: "nested too deeply",
    "1e999999": "no number that can be counted with",
    "NaN": "no number that can be counted with",
    "-Infinity": "no number that can be counted with",
    "9" * 10_001: "4300 digits",
    "{": "Expecting",
}


@pytest.mark.parametrize("text", TEXTS, ids=[text[:9] for text in TEXTS])
def test_json_in_a_ledger_is_read_with_care(room: Path, text: str) -> None:
    """FR8: nested too deeply, numbers of any length, and keys that stand there twice."""
    connection = sqlite3.connect(room / FILE)
    texts = dict(connection.execute("SELECT key, value FROM manifest WHERE key != 'checksum'")) | {"dealt": text}
    connection.execute("UPDATE manifest SET value = ? WHERE key = 'dealt'", (text,))
    connection.execute("UPDATE manifest SET value = ? WHERE key = 'checksum'", (ledger._sum(texts),))
    connection.commit()
    connection.close()
    said = refused(room, *COMMANDS)
    assert said.count("the manifest of") == len(COMMANDS) and said.count(TEXTS[text]) == len(COMMANDS)


PLACES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a folder": (lambda path: path.mkdir(), "is a folder, not a plain file"),
    "a pipe": (lambda path: os.mkfifo(path), "is a device or a pipe, not a plain file"),
    "a link": (lambda path: path.symlink_to(path.parent / "elsewhere"), "is a link, not a plain file"),
    "a link to nothing": (lambda path: path.symlink_to("nowhere"), "is a link, not a plain file"),
    "a link to a device": (lambda path: path.symlink_to("/dev/zero"), "is a link, not a plain file"),
}


@pytest.mark.parametrize("end", ["", "-journal", "-wal"])
@pytest.mark.parametrize("what", PLACES)
def test_what_is_no_plain_file_is_no_ledger(room: Path, what: str, end: str) -> None:
    """FR8: nor is it the file of a transaction beside it."""
    make, told = PLACES[what]
    if end == "":
        (room / FILE).rename(room / "elsewhere")
    make(room / f"{FILE}{end}")
    assert refused(room, *COMMANDS).count(told) == len(COMMANDS)


def test_a_journal_that_names_a_further_file_is_refused(room: Path, tmp_path: Path) -> None:
    """FR8: SQLite deletes the file that such a journal names."""
    victim = tmp_path / "mine.txt"
    victim.write_bytes(b"mine")
    name = str(victim).encode()
    tail = name + len(name).to_bytes(4, "big") + sum(name).to_bytes(4, "big") + foreign.SUPER_JOURNAL
    journal = room / f"{FILE}-journal"
    journal.write_bytes(foreign.SUPER_JOURNAL + bytes(504) + bytes(512) + tail)
    assert "names a further file" in refused(room, *COMMANDS)
    assert victim.read_bytes() == b"mine" and journal.exists()


def test_a_link_in_the_place_of_a_draft_is_not_written_through(room: Path, tmp_path: Path) -> None:
    """FR8: what is written goes into the run's own files."""
    victim = tmp_path / "mine.txt"
    victim.write_text("mine")
    for name in ("summary.csv", "summary.csv.part", "report.html", "report.html.part"):
        (room / name).unlink(missing_ok=True)
        (room / name).symlink_to(victim)
    code, _, err = wastelab("report", room)
    assert code == 0, err
    assert victim.read_text() == "mine" and not (room / "summary.csv").is_symlink()


def test_a_manifest_of_text_that_is_no_json_at_all(room: Path) -> None:
    """FR8: also the list of a cell's lineup, whose checksum a stranger can count."""
    run = open_run(room)
    cells = run.ledger.cells(run.manifest["cells"])
    run.close()
    forge(room, "UPDATE cells SET lineup = '[[[' WHERE place = 0")
    connection = sqlite3.connect(room / FILE)
    rows = list(connection.execute("SELECT * FROM cells ORDER BY place"))
    texts = dict(connection.execute("SELECT key, value FROM manifest WHERE key != 'checksum'"))
    texts["cells"] = json.dumps(ledger._rows_sum(rows))
    connection.execute("UPDATE manifest SET value = ? WHERE key = 'cells'", (texts["cells"],))
    connection.execute("UPDATE manifest SET value = ? WHERE key = 'checksum'", (ledger._sum(texts),))
    connection.commit()
    connection.close()
    assert len(cells) == len(rows) and "the table of cells of" in refused(room, *COMMANDS)


# ---------------------------------------------------------------- kept games


KEPT = CONFIG + "[runner]\nkeep_games = true\n"


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """The folder of a run that keeps its games."""
    pytest.importorskip("pyarrow", reason="needs the extra parquet")
    (tmp_path / "toy.toml").write_text(KEPT, encoding="utf-8")
    run = play_config(tmp_path / "toy.toml", tmp_path / "results")
    run.close()
    return run.folder


def test_the_folder_of_kept_games_is_no_link(kept: Path, tmp_path: Path) -> None:
    """FR8: files of a folder that it leads to would be deleted as leftovers."""
    shutil.move(kept / "games", tmp_path / "theirs")
    (tmp_path / "theirs" / "precious.parquet").write_bytes(b"mine")
    (kept / "games").symlink_to(tmp_path / "theirs")
    refused(kept, ["verify"], ["resume", "--repair"])
    assert (tmp_path / "theirs" / "precious.parquet").read_bytes() == b"mine"


def test_a_file_of_kept_games_has_the_name_of_its_games(kept: Path) -> None:
    """FR8: any other name could lead out of the run's folder."""
    run = open_run(kept)
    (shard, *_) = run.ledger.shards()
    run.close()
    for name in ("../../secret", "/dev/zero", "x.parquet"):
        spans = json.dumps([list(span) for span in shard.spans], separators=(",", ":"))
        row = name, spans, shard.size, shard.sha256
        assert not ledger._shard((*row, ledger._row_sum(row))).sound
    assert ledger._shard((shard.name, *row[1:], ledger._row_sum((shard.name, *row[1:])))).sound


def test_rows_are_bounded_before_they_are_unpacked(kept: Path) -> None:
    """FR8: a file of other columns, more rows or more bytes than its games have is not read."""
    import io

    import pyarrow as pa
    import pyarrow.parquet as pq

    from experiments.rows import MOST_ROWS, from_parquet
    from experiments.shards import Span, read

    run = open_run(kept)
    shard = run.ledger.shards()[0]
    data, setup = read(kept, shard), run.plan.setup
    table = pq.read_table(io.BytesIO(data))

    def tried(changed: pa.Table) -> str:
        file = io.BytesIO()
        pq.write_table(changed, file, compression="zstd")
        with pytest.raises(ValueError) as error:
            from_parquet(setup, file.getvalue(), shard.spans)
        return str(error.value)

    assert len(from_parquet(setup, data, shard.spans)) == len(shard.spans)
    at = table.column_names.index("rounds")
    for wrong in (pa.array(["x"] * len(table)), pa.array([1.5] * len(table)), pa.array([b"x"] * len(table))):
        assert "its columns are not those" in tried(table.set_column(at, "rounds", wrong))
    assert "its columns are not those" in tried(table.append_column("more", table["rounds"]))
    assert "its columns are not those" in tried(table.drop_columns(["rounds"]))
    assert "its games are not those" in tried(pa.concat_tables([table, table]))
    assert "a number is missing" in tried(table.set_column(at, "rounds", pa.array([None] * len(table), pa.int64())))
    long = pa.DictionaryArray.from_arrays(pa.array([0] * len(table), pa.int32()), ["x" * 40_000_000])
    assert "unpacks to more than" in tried(table.set_column(1, "lineup", long))
    with pytest.raises(ValueError, match="where a file has"):
        from_parquet(setup, data, [Span("x", 0, MOST_ROWS + 1)])
    run.close()


def test_a_ledger_that_is_made_is_one_that_is_opened(room: Path) -> None:
    """FR8: so is one with more tables, refused as a whole."""
    assert Ledger.born(room)
    assert foreign.other_schema(sqlite3.connect(room / FILE), ledger._TABLES) == ""
