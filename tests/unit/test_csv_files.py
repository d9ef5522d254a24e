"""CSV that no spreadsheet takes for formulas, and that gives every text back."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.csv_files import escaped, read_summary, rows_of, rows_text, sheet_text, table_text, unescaped

STARTS = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20", " =", "\n=", "\u00a0@", "'=", "''+")
NAMES = ["=cmd|' /C calc'!A0", "+1", "-x", "@SUM(1+1)*cmd", "'=x", "''-1", "NA", "007", "plain", "'tis"]


def formulas(text: str, separator: str = ",") -> Iterator[str]:
    """The cells of a CSV file that a spreadsheet takes for formulas: not those that are numbers."""
    for cell in (cell for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator) for cell in row):
        try:
            float(cell)
        except ValueError:
            if cell.lstrip().startswith(tuple("=+-@\uff1d\uff0b\uff0d\uff20")) or cell.startswith(("\t", "\r")):
                yield cell


@pytest.mark.parametrize("start", STARTS)
def test_what_starts_a_formula_is_escaped_and_comes_back(start: str) -> None:
    """FB6, FR6: also after blanks and apostrophes, and in the full width of East Asian writing."""
    text = f"{start}SUM(1+1)*cmd"
    assert escaped(text) == f"'{text}" and unescaped(escaped(text)) == text


@pytest.mark.parametrize("text", ["", "'", "'tis", "a-b", "a = b", "'quoted'", "x\t", "1-2"])
def test_what_starts_none_stays_as_it_is(text: str) -> None:
    assert escaped(text) == text == unescaped(text)


@given(st.text(alphabet="'=+-@\t\r\n \uff1dab1") | st.text())
def test_any_text_comes_back(text: str) -> None:
    """FB6: nothing is lost by the escape."""
    assert unescaped(escaped(text)) == text
    assert not escaped(text).lstrip().startswith(tuple("=+-@"))


def test_a_summary_holds_no_formula_and_reads_back(tmp_path: Path) -> None:
    """FB6, FR6: slugs, titles and the names of variants; numbers stay numbers, and NA stays a name."""
    many = len(NAMES)
    numbers = {"value": [-0.5] * many, "low": [None] * many, "high": [1.5] * many, "games": [3] * many}
    table = pd.DataFrame({"cell": NAMES, "role": NAMES[::-1], "variant": NAMES, **numbers})
    path = tmp_path / "summary.csv"
    path.write_text(table_text(table), encoding="utf-8", newline="")
    assert list(formulas(table.to_csv(index=False))) and not list(formulas(path.read_text("utf-8")))
    assert "-0.5" in path.read_text("utf-8")
    again = read_summary(path)
    assert again[["cell", "role", "variant"]].equals(table[["cell", "role", "variant"]])
    assert (again.value == -0.5).all() and again.low.isna().all() and (again.games == 3).all()


def test_rows_and_sheets_hold_no_formula() -> None:
    """FB6: values.csv and numbers.csv, and the sheets of a pack, where a negative number is a number."""
    assert rows_text([{"knight": "@x", "value": -0.5}]) == "knight,value\n'@x,-0.5\n"
    assert rows_text([{"=knight": "x"}]) == "'=knight\nx\n" and rows_text([]) == ""
    assert (
        sheet_text([["slug", "@x"], ["-1", "=1"], ["-2.5e-3", "-1x"]], ";") == "slug;'@x\r\n-1;'=1\r\n-2.5e-3;'-1x\r\n"
    )
    for separator in ",;\t":
        text = sheet_text([NAMES], separator)
        assert not list(formulas(text, separator))
        assert [[unescaped(cell) for cell in row] for row in rows_of(text, separator)] == [NAMES]
