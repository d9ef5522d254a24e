"""CSV as this project writes and reads it. No other module does either, which tests/unit/test_source.py checks.

A text that a spreadsheet would take for a formula has an apostrophe in front of it in the file. So has a text that
begins with apostrophes and then a formula, so that reading gives every text back as it was. Numbers stay numbers.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

FORMULA = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
"""What begins a formula, also in the full width of East Asian writing."""

MISSING = {"value": [""], "low": [""], "high": [""]}
"""The columns of a summary that may be empty, and what stands there then: names such as NA stay names."""

NAMES = dict.fromkeys(("cell", "lineup", "side", "role", "measure", "interval", "bots", "settings", "variant"), str)
"""The columns of a summary that hold names, also where these look like numbers."""

# some spreadsheets skip blanks before a formula
_BEGINS = re.compile(rf"'*(?:\s*[{re.escape(''.join(FORMULA))}])")
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?(e[+-]?\d+)?", re.I)


def escaped(text: str) -> str:
    """Give a text as a cell that no spreadsheet takes for a formula."""
    return f"'{text}" if _BEGINS.match(text) else text


def unescaped(cell: str) -> str:
    """Give the text that `escaped` made a cell of."""
    return cell[1:] if cell.startswith("'") and _BEGINS.match(cell) else cell


# ---------------------------------------------------------------- writing


def sheet_text(rows: Iterable[Sequence[str]], separator: str) -> str:
    """Give the cells of a sheet, all of them texts, as CSV. A cell that is a number is written as it is."""
    return _csv(
        ([cell if _NUMBER.fullmatch(cell) else escaped(cell) for cell in row] for row in rows), separator, "\r\n"
    )


def rows_text(rows: Iterable[Mapping[str, Any]]) -> str:
    """Give rows by the names of their columns, the same in each, as CSV; nothing for no rows."""
    rows = list(rows)
    cells = [list(rows[0]), *(list(row.values()) for row in rows)] if rows else []
    return _csv(([_cell(cell) for cell in row] for row in cells), ",", "\n")


def table_text(table: pd.DataFrame) -> str:
    """Give a table as CSV, without its index; `read_summary` reads that of a summary back as it was."""
    texts = {name: table[name].map({text: _cell(text) for text in table[name].unique()}) for name in _texts(table)}
    return str(table.assign(**texts).rename(columns=escaped).to_csv(index=False, lineterminator="\n"))


def _csv(rows: Iterable[Sequence[Any]], separator: str, line_end: str) -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator=line_end).writerows(rows)
    return out.getvalue()


def _texts(table: pd.DataFrame) -> list[str]:
    """The columns that hold other things than numbers."""
    return [name for name in table.columns if table[name].dtype.kind not in "iufb"]


def _cell(value: Any) -> Any:
    return escaped(value) if isinstance(value, str) else value


# ---------------------------------------------------------------- reading


def rows_of(text: str, separator: str, strict: bool = True) -> Iterator[list[str]]:
    """Yield the cells of each row as they stand. Raises ValueError at what is no CSV: a quote without an end."""
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=strict)
    except csv.Error as error:
        raise ValueError(str(error)) from None


def read_summary(path: Path | str) -> pd.DataFrame:
    """Read a run's summary.csv: every name is the text that it was, and a rate without games is NaN.

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    pandas.DataFrame
        The columns of the file: `value`, `low` and `high` float64, `games` int64, all others text.
    """
    import pandas as pd

    table = pd.read_csv(path, keep_default_na=False, na_values=MISSING, dtype=NAMES)
    return table.assign(**{name: table[name].map(unescaped) for name in _texts(table)})
