"""The list of rules: each id of the books once, and each that is called shown has a test that says so."""

from __future__ import annotations

import ast
import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
STATUSES = ("shown", "fixed", "no effect", "waiting")
"""`fixed`: the book gives a player a decision that no bot takes; `no effect`: what no legal pack can show; for both,
the column `reason` says why."""
FINISHED: tuple[str, ...] = (
    "knights/combat", "knights/checks", "knights/duels", "knights/board", "knights/cards", "knights/components",
    "knights/exploration", "knights/gear", "knights/luck", "knights/meetings", "knights/missions", "knights/movement",
    "knights/packs", "knights/rest", "knights/round", "knights/setup", "knights/tasks", "knights/trade",
    "knights/wasteland",
    "mech/actions", "mech/bosses", "mech/combat", "mech/crew",
    "mech/ending", "mech/enemies", "mech/events", "mech/rooms", "mech/round", "mech/salvage", "mech/setup",
    "gangs/components", "gangs/setup", "gangs/day", "gangs/night", "gangs/loot", "gangs/ambush", "gangs/followers",
    "gangs/scoring",
    "voyage/adventures", "voyage/aquatic", "voyage/components", "voyage/cruise", "voyage/destinations", "voyage/setup",
    "voyage/ships", "voyage/threats", "voyage/water",
)  # fmt: skip
"""The chapters that are done: they have no rule that waits."""

with (TESTS / "rules.csv").open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file))


def marks(path: Path) -> Iterator[tuple[str, str]]:
    """(rule id, test as pytest names it) for every mark in a test file, on functions, classes and methods."""
    name = path.relative_to(TESTS.parent).as_posix()
    stack: list[tuple[ast.AST, str, tuple[str, ...]]] = [(ast.parse(path.read_text("utf-8")), name, ())]
    while stack:
        node, place, inherited = stack.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                ids = inherited + tuple(rule_ids(child))
                stack.append((child, f"{place}::{child.name}", ids))
                if isinstance(child, ast.FunctionDef) and child.name.startswith("test"):
                    yield from ((rule, f"{place}::{child.name}") for rule in ids)


def rule_ids(node: ast.FunctionDef | ast.ClassDef) -> Iterator[str]:
    """The ids in the `pytest.mark.rule(...)` decorators of a function or class."""
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.rule":
            yield from (ast.literal_eval(argument) for argument in decorator.args)


MARKS = {mark for path in sorted(TESTS.rglob("test_*.py")) for mark in marks(path)}


def missing(row: dict[str, str], marked: set[tuple[str, str]]) -> list[str]:
    """The tests that a row names and that don't carry its id; a row may name several, apart by spaces."""
    named = row["test"].split()
    return [test for test in named or ["(none)"] if (row["id"], test) not in marked]


def test_the_columns_are_these() -> None:
    assert list(ROWS[0]) == ["id", "chapter", "title", "status", "test", "reason"]


def test_every_id_stands_once() -> None:
    ids = [row["id"] for row in ROWS]
    assert len(ids) == len(set(ids)) == 901


@pytest.mark.parametrize(
    ("book", "many"),
    [("K", 403), ("M", 209), ("G", 152), ("V", 137)],
)
def test_each_book_is_complete(book: str, many: int) -> None:
    """The rules and rulings of each book as they were counted when the list was made."""
    assert sum(row["id"].startswith(book) for row in ROWS) == many


def test_statuses_chapters_and_titles_are_sound() -> None:
    for row in ROWS:
        assert row["status"] in STATUSES, row
        assert row["chapter"].split("/")[0] in ("knights", "mech", "gangs", "voyage"), row
        assert 3 < len(row["title"]) <= 80, row
        assert (row["status"] == "waiting") == (not row["test"]), row
        assert row["status"] != "fixed" or row["reason"], row


def test_the_readme_reports_how_many_rules_have_which_status() -> None:
    counts = Counter(row["status"] for row in ROWS)
    text = " ".join((TESTS.parent / "README.md").read_text("utf-8").split())
    assert f"lists the {len(ROWS)} rules of the four books: {counts['shown']} are shown by a test" in text
    assert f"{counts['fixed']} are fixed" in text and f"{counts['no effect']} have no effect" in text


def test_what_is_shown_names_tests_that_carry_the_id() -> None:
    for row in ROWS:
        if row["status"] == "shown":
            assert not missing(row, MARKS), (
                f"{row['id']} is called {row['status']}, but no such mark: {missing(row, MARKS)}"
            )


def test_every_mark_stands_in_the_list() -> None:
    known = {row["id"]: row for row in ROWS}
    for rule, test in sorted(MARKS):
        assert rule in known, f"{test} is marked with {rule}, which is no rule"
        assert known[rule]["status"] in ("shown", "fixed"), (
            f"{test} shows {rule}, and the list calls it {known[rule]['status']}"
        )


def test_a_finished_chapter_waits_for_nothing() -> None:
    assert set(FINISHED) <= {row["chapter"] for row in ROWS}
    waiting = [row["id"] for row in ROWS if row["chapter"] in FINISHED and row["status"] == "waiting"]
    assert not waiting


def test_marks_are_found_on_functions_classes_and_methods(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "tests" / "test_sample.py"
    source.parent.mkdir()
    source.write_text(
        "@pytest.mark.rule('A-1', 'A-2')\ndef test_a(): ...\n"
        "@pytest.mark.rule('B-1')\nclass TestB:\n    @pytest.mark.rule('B-2')\n    def test_b(self): ...\n"
        "@pytest.mark.rule('C-1')\ndef helper(): ...\n"
    )
    monkeypatch.setitem(globals(), "TESTS", source.parent)
    a, b = "tests/test_sample.py::test_a", "tests/test_sample.py::TestB::test_b"
    assert set(marks(source)) == {("A-1", a), ("A-2", a), ("B-1", b), ("B-2", b)}
    assert missing({"id": "A-1", "test": a}, set(marks(source))) == []
    assert missing({"id": "A-1", "test": b}, set(marks(source))) == [b]
    assert missing({"id": "A-1", "test": ""}, set(marks(source))) == ["(none)"]
