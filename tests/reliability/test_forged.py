"""FR8: ledgers whose checksums fit and whose values don't, and files of which parts are shared: one line names it."""

from __future__ import annotations

import json
import shutil
import sqlite3
import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from experiments import ledger
from experiments.foreign import bounded
from experiments.ledger import FILE, Damaged, Trouble, open_run


@pytest.fixture
def folder(original: Path, tmp_path: Path) -> Path:
    """A copy of a run's folder."""
    return Path(shutil.copytree(original, tmp_path / original.name))


def change(folder: Path, script: str) -> None:
    """Change a ledger behind its back."""
    connection = sqlite3.connect(folder / FILE)
    connection.executescript(script)
    connection.close()


def signed(folder: Path, key: str, text: str) -> None:
    """Put another text into the manifest, and a checksum that fits."""
    connection = sqlite3.connect(folder / FILE)
    texts = dict(connection.execute("SELECT key, value FROM manifest WHERE key <> 'checksum'")) | {key: text}
    connection.execute("INSERT OR REPLACE INTO manifest VALUES (?, ?)", (key, text))
    connection.execute("UPDATE manifest SET value = ? WHERE key = 'checksum'", (ledger._sum(texts),))
    connection.commit()
    connection.close()


MEMORY = 30_000_000
"""Bytes that no refusal may take."""


def refused(use: Callable[[], object], kind: type[Exception] = Trouble) -> str:
    """The one line with which something is refused, in little memory."""
    tracemalloc.start()
    try:
        with pytest.raises(kind) as caught:
            use()
        assert tracemalloc.get_traced_memory()[1] < MEMORY
    finally:
        tracemalloc.stop()
    return str(caught.value)


ODD_ROWS = [
    "UPDATE chunks SET stop = 'x'",
    "UPDATE chunks SET stop = 9223372036854775807",
    "UPDATE chunks SET first = -9223372036854775808 WHERE first = 0",
    "UPDATE chunks SET first = 'x' WHERE first = 0",
    "UPDATE chunks SET first = x'00' WHERE first = 0",
    "UPDATE chunks SET cell = x'00' WHERE first = 0 AND cell = (SELECT min(cell) FROM chunks)",
    "UPDATE chunks SET tally = 5, sha256 = x'00'",
    "UPDATE chunks SET sha256 = 7",
    "INSERT INTO sums SELECT id, 'x', x'00', 3, 'y', x'00' FROM cells",
    "INSERT INTO sums SELECT cast(id AS BLOB), 0, 1, 3, 'y', x'00' FROM cells",
]


@pytest.mark.parametrize("script", ODD_ROWS)
def test_tallies_of_other_types_are_found_and_forgotten_in_a_repair(folder: Path, script: str) -> None:
    """FR8: odd types in the tables of tallies."""
    change(folder, script)
    opened = open_run(folder)
    try:
        problems = opened.check()
    except Damaged as damage:
        problems = [str(damage)]
    assert problems
    opened.repair()
    assert opened.check() == [] and (opened.games < opened.plan.games or "sums" in script)


def test_a_write_ahead_log_of_another_program_is_not_read(folder: Path) -> None:
    """FR8, FB8: what another program left beside a ledger is named."""
    connection = sqlite3.connect(folder / FILE)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("DELETE FROM chunks")
    connection.commit()
    assert f"{FILE}-wal was left by another program" in refused(lambda: open_run(folder))
    connection.close()
    assert "PRAGMA journal_mode = DELETE" in refused(lambda: open_run(folder))


def test_a_table_gives_no_more_than_the_file_holds(folder: Path) -> None:
    """FR8: parts of a damaged file may be shared, so that a small one reads as a huge table."""
    opened = open_run(folder)
    connection, least = opened.ledger._connection, 10 * (folder / FILE).stat().st_size
    rows = [(f"{'x' * 1000}{number}", "y") for number in range(least // 1000)]
    with pytest.raises(sqlite3.DatabaseError, match="more in it than the whole file"):
        list(bounded(connection, iter(rows)))
    assert list(bounded(connection, iter(rows[:5]))) == rows[:5]


def test_shared_pages_end_in_one_line(folder: Path) -> None:
    """FR8: an inner page all of whose children are one page."""
    connection = sqlite3.connect(folder / FILE)
    connection.executemany("INSERT INTO written VALUES (?, ?)", [(f"{n:03}" * 30, "y" * 900) for n in range(400)])
    connection.commit()
    root, size = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'written'").fetchone()[0], 4096
    connection.close()
    data = bytearray((folder / FILE).read_bytes())
    start = (root - 1) * size
    assert data[start] == 2, "the root is an inner page"
    cells = struct.unpack_from(">H", data, start + 3)[0]
    for at in range(cells):
        cell = start + struct.unpack_from(">H", data, start + 12 + 2 * at)[0]
        struct.pack_into(">I", data, cell, root)
    struct.pack_into(">I", data, start + 8, root)
    (folder / FILE).write_bytes(data)
    opened = open_run(folder)
    assert "\n" not in refused(opened.check, Damaged)


MANIFESTS: dict[tuple[str, str], str] = {
    ("format", "4"): "another version of Wastelab (format 4)",
    ("format", "[" * 9999): "nested too deeply",
    ("seed", '"' + "9" * 10_000 + '"'): "doesn't fit this version",
    ("seed", "1" * 5000): "the manifest of",
    ("versions", "[]"): "versions in its manifest",
    ("versions", '{"numba": 3}'): "versions.numba in its manifest",
    ("source", '{"config": 3, "sets": [], "games": null, "layers": []}'): "source.config in its manifest",
    ("source", '"x"'): "source in its manifest",
    ("dealt", '{"points": 3, "lineup_notes": [], "point_notes": []}'): "dealt.points in its manifest",
    ("dealt", "[" * 2000): "nested too deeply",
    ("name", "[]"): "name in its manifest",
    ("config", "7"): "config in its manifest",
    ("pack", '"[[[["'): "doesn't fit this version",
    ("pack", json.dumps("[" * 100_000)): "doesn't fit this version",
}


@pytest.mark.parametrize(("changed", "told"), MANIFESTS.items(), ids=lambda value: str(value)[:30])
def test_a_manifest_with_a_right_checksum_and_odd_values_is_refused(
    folder: Path, changed: tuple[str, str], told: str
) -> None:
    """FR8: whoever changes a ledger can give it checksums that fit."""
    signed(folder, *changed)
    line = refused(lambda: open_run(folder))
    assert told in line and "\n" not in line and len(line) < 500


CELLS = {
    'lineup = \'["nobody","pup"]\'': "is not one of its config",
    "lineup = '[]'": "is not one of its config",
    "lineup = '[[],{}]'": "is not one of its config",
    "lineup = '7'": "doesn't fit this version",
    "point = 9": "is not one of its config",
    "variant = 'none'": "is not one of its config",
    "games = -1": "is not one of its config",
    "dice_group = '-1'": "is not one of its config",
    "dice_group = 'x'": "doesn't fit this version",
}


@pytest.mark.parametrize(("change_to", "told"), CELLS.items())
def test_cells_with_a_right_checksum_and_odd_values_are_refused(folder: Path, change_to: str, told: str) -> None:
    """FR8: lineups of nobody, and points and variants that there are none of."""
    change(folder, f"UPDATE cells SET {change_to} WHERE place = 0")
    connection = sqlite3.connect(folder / FILE)
    rows = list(connection.execute("SELECT * FROM cells ORDER BY place"))
    connection.close()
    signed(folder, "cells", json.dumps(ledger._rows_sum(rows)))
    assert told in refused(lambda: open_run(folder))
