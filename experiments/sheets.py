"""Packs as spreadsheets: a CSV file for each kind of card, out and back in without a loss.

A kind of many cards has a row a card and a column a value; a single table has a row a value. Reading them survives
what spreadsheets do to such files (separators, encodings, line ends, decimal commas, blanks, moved rows and columns),
and tells each mistake by sheet, row and column, as a spreadsheet numbers them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin

from pydantic import BaseModel

from experiments.cells import (
    ABSENT,
    ORIGINS,
    Form,
    Misread,
    apart,
    form_of,
    is_error,
    protected,
    read_exceptions,
    read_origin,
    read_text,
    seen,
    write_exceptions,
    write_origin,
)
from experiments.csv_files import rows_of, sheet_text, unescaped
from experiments.pack_files import all_cards, fold, origins_below, root_of, written
from simcore.packs import (
    FORMS,
    Kind,
    Mistake,
    Mistakes,
    Origin,
    Pack,
    Schema,
    Spot,
    covers,
    from_tables,
    is_model,
    is_there,
    nearest,
    read_bytes,
    shown,
    unwrapped,
)

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t"}
SHEETS = (".csv", ".tsv", ".txt")
WORKBOOKS = (".xlsx", ".xlsm", ".xls", ".ods", ".numbers")
MOST = 20
SLUG, FROM, BUT, DEPARTS = "slug", "from", "but", "departs"
FIELD, VALUE, ALLOWED = "field", "value", "allowed"
BROKEN = "\0"
"""Stands for the cell of such a value, once that has been said."""
_TOTAL = re.compile(
    r"(grand |sub ?)?(totals?|sums?|averages?|mean|counts?|summe|gesamt|suma|razem|somme|totale) *:?", re.I
)
_NUMBERS = re.compile(r"[\d\s.,%+\u2212\u2013-]*")
_UNNAMED = re.compile(r"unnamed: ?[\d._]+(_level_\d+)?", re.I)
# a sign between letters (quotes, dashes, dots and × apart), a power within a word, a sign that stands before or after
# a letter in no text, or an accent without a letter
_NO_WORD = re.compile(
    r"(?<=[^\W\d_ªº])[^\w\s\x00-\x7f\u2018\u2019\u2013\u2014…·×÷\u00ad](?=[^\W\d_])|(?<=[^\W\d_])[ªº¹²³¼½¾](?=[^\W\d_])"
    r"|[¤¦©¬®±¶](?=[^\W\d_])|(?<=[^\W\d_])[¤¦¬±¶]|[ˇ˘\u02db˝˙]"
)
_CAPITAL_WITHIN = re.compile(r"(?<=[a-zà-öø-ÿą-ž])[ŒŠŽŸÀ-ÖØ-ÞŚŤŹŁĄŞŻĽĂĆČĘĚĎĐŃŇŐŘŮŰŢŔĹ]")
_SEP_LINE = re.compile(r'"?sep=(.)"?[,;\t]*(\r\n|\n|\r)', re.I)


# ---------------------------------------------------------------- columns


class Column(NamedTuple):
    """One value of a kind of card: its path below the card, as in "skills.guns", and how a cell holds it."""

    path: str
    form: Form


def columns_of(model: type[BaseModel]) -> list[Column]:
    """The columns of a kind of card, its title first. Tables within it are spread out, a column a value."""
    return sorted(_columns(model, ""), key=lambda column: column.path != "title")


def _columns(model: type[BaseModel], above: str) -> Iterator[Column]:
    """The columns of a model, in the order of its fields."""
    for name, info in model.model_fields.items():
        path, spot = f"{above}{name}", unwrapped(Spot(info.annotation, tuple(info.metadata)))
        if info.is_required() and is_model(spot.kind):
            yield from _columns(spot.kind, f"{path}.")
        elif info.is_required() and _spread(spot):
            keys, inner = (unwrapped(Spot(part)) for part in get_args(spot.kind))
            yield from (Column(f"{path}.{key}", form_of(inner, required=False)) for key in get_args(keys.kind))
        else:
            yield Column(path, form_of(spot, info.is_required()))


def _spread(spot: Spot) -> bool:
    """Whether a place is a table whose keys are a choice of words."""
    if get_origin(spot.kind) is not dict:
        return False
    keys = unwrapped(Spot(get_args(spot.kind)[0])).kind
    return get_origin(keys) is Literal and all(isinstance(key, str) for key in get_args(keys))


def value_at(values: Mapping[str, Any], path: str) -> Any:
    """The value at a column's path in a card's plain values; ABSENT where there is none."""
    found: Any = values
    for key in path.split("."):
        if key not in found:
            return ABSENT
        found = found[key]
    return found


def cell_at(values: Mapping[str, Any], column: Column) -> str:
    """The cell of a column for a card's plain values."""
    value = value_at(values, column.path)
    return "" if value is ABSENT else column.form.write(value)


# ---------------------------------------------------------------- writing


def to_sheets(pack: Pack, separator: str = ",") -> dict[str, bytes]:
    """A pack as CSV files by name: UTF-8 with a byte order mark, which spreadsheets need to see it."""
    files = {}
    for kind in pack.schema.all_kinds():
        files[f"{kind}.csv"] = sheet_text(_rows(pack, kind), separator).encode("utf-8-sig")
    return files


def _rows(pack: Pack, kind: str) -> Iterator[list[str]]:
    """The rows of a sheet, its header first."""
    spec, cards = pack.schema.all_kinds()[kind], all_cards(pack)[kind]
    columns = columns_of(spec.model)
    sourced = spec.sourced or any(covers(kind, path) for path in pack.origins)
    if spec.single:
        departs = any(covers(kind, path) for path in pack.departs)
        yield [FIELD, VALUE, ALLOWED, *((FROM, BUT) if sourced else ()), *((DEPARTS,) if departs else ())]
        yield from _single_rows(pack, kind, columns, sourced, departs)
        return
    yield [SLUG, *(column.path for column in columns), *((FROM, BUT) if sourced else ())]
    for slug, card in cards.items():
        root = root_of(kind, slug)
        values = written(card, root, pack.origins)
        cells = [cell_at(values, column) for column in columns]
        yield [protected(slug), *cells, *(_origin_cells(origins_below(pack, root, values)) if sourced else ())]


def _single_rows(pack: Pack, kind: str, columns: Sequence[Column], sourced: bool, departs: bool) -> Iterator[list[str]]:
    """A row for each value of a single table."""
    values = written(all_cards(pack)[kind][""], kind, pack.origins)
    origins = origins_below(pack, kind, values)
    for column in columns:
        below = {path[len(column.path) + 1 :]: o for path, o in origins.items() if covers(column.path, path)}
        row = [column.path, cell_at(values, column), column.form.words]
        why = [protected(pack.departs.get(f"{kind}.{column.path}", ""))] if departs else []
        yield [*row, *(_origin_cells(below) if sourced else ()), *why]


def _origin_cells(origins: Mapping[str, Origin | None]) -> tuple[str, str]:
    """The cells `from` and `but`."""
    base, exceptions = fold(origins)
    return write_origin(base), write_exceptions(exceptions)


def guide(schema: Schema) -> str:
    """What the sheets of a game hold and how a cell is written, as Markdown."""
    lines = [_GUIDE.format(origins=ORIGINS)]
    for kind, spec in schema.all_kinds().items():
        lines += [f"## {kind}.csv", "", f"| {FIELD if spec.single else 'column'} | allowed |", "|---|---|"]
        for path, form in columns_of(spec.model):
            words = f"slugs of {' or '.join(spec.refs[path])}" if path in spec.refs else form.words
            lines.append(f"| `{path}` | {words.replace('|', '/')} |")
        lines.append("")
    return "\n".join(lines)


_GUIDE = """# A pack as spreadsheets

Each file is a sheet. A kind of many cards has a row a card and a column a value, the card's slug first: its short
name, by which other cards, configs and results call it. A single table has a row a value. Rows and columns may be
moved, and rows added or taken out; every column must stay.

- Several values in a cell have semicolons between them: `rope; old_lamp`.
- A row of several values has a short form, first what comes before the colon, then numbers, then words, then what may
  be left out, by name. The tables below show it as `first: number word [name ...]`.
- `from` says where the numbers of a card come from: {origins}.
  `but` names exceptions, a line for each field: `health = rulebook: its id`. Items of lists count from 0.
- A text that a spreadsheet would take for a number, a date or a formula stands in quotes, as in `"1e5"` or `"=1+1"`.
- Save as CSV, best in UTF-8. Separators, decimal commas and encodings of Excel and LibreOffice are understood.

"""


# ---------------------------------------------------------------- places, for messages


@dataclass(frozen=True, order=True)
class _Place:
    """Where something stands: the number of its sheet, its row from 1 (0: none) and its column from 0 (-1: none), in
    this order to sort by; then the sheet's file and what the value is called there.
    """

    sheet: int
    row: int
    column: int
    file: str
    called: str = ""

    def words(self) -> str:
        """As in "knight.csv row 3, skills.guns (column F)"."""
        row = f" row {self.row}" if self.row else ""
        letter = f"column {_letter(self.column)}" if self.column >= 0 else ""
        called = f"{self.called} ({letter})" if self.called and letter else self.called or letter
        return f"{self.file}{row}" + (f", {called}" if called else "")


def _letter(column: int) -> str:
    """A column as spreadsheets name it: 0 is A, 26 is AA."""
    letters = ""
    while column >= 0:
        letters = chr(ord("A") + column % 26) + letters
        column = column // 26 - 1
    return letters


@dataclass
class _Found:
    """What reading the sheets brings: raw tables, where each value stands, what is wrong, what to remark.

    `told` are paths that have a mistake already; `broken` are kinds whose sheet gave no cards.
    """

    tables: dict[str, Any] = field(default_factory=dict)
    places: dict[str, _Place] = field(default_factory=dict)
    mistakes: list[tuple[_Place, Mistake]] = field(default_factory=list)
    told: set[str] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)

    def wrong(self, place: _Place, wrong: str, allowed: str = "", near: str = "") -> None:
        """Keeps a mistake."""
        self.mistakes.append((place, Mistake(place.words(), wrong, allowed, near)))


# ---------------------------------------------------------------- reading files


@dataclass
class _Sheet:
    """A sheet as it was read: its number, file name, rows by their number, and its columns by name."""

    number: int
    name: str
    rows: list[tuple[int, list[str]]]
    columns: dict[str, int]

    def place(self, row: int = 0, column: str = "", called: str = "") -> _Place:
        """A place of this sheet; `called` is what the value there is called, if not by its column."""
        return _Place(self.number, row, self.columns.get(column, -1), self.name, called or column)

    def at(self, row: int, index: int = -1) -> _Place:
        """A place of this sheet by the number of its column."""
        return _Place(self.number, row, index, self.name)

    def cell(self, cells: Sequence[str], column: str) -> str:
        """The cell of a row in a column, without blanks around it; "" where the row or the sheet ends before."""
        index = self.columns.get(column, len(cells))
        return cells[index] if index < len(cells) else ""


def kind_named(stem: str, kinds: Iterable[str]) -> str:
    """The kind of card whose sheet a file's name without its ending means, "" for none: "Enemy" and "My pack - enemy",
    as the download of one of several sheets is called, mean "enemy"."""
    low = {_plain(kind): kind for kind in kinds}
    name = _plain(stem)
    return low.get(name) or low.get(re.split(r" [-\u2013\u2014] ", name)[-1].strip(), "")


def _plain(text: str) -> str:
    """A heading or a file's name without capitals, characters that can't be seen, and further blanks."""
    return " ".join(seen(text).split()).replace("_", " ").casefold()


def _find_files(schema: Schema, folder: Path, found: _Found) -> dict[str, Path]:
    """The file of each kind of card."""
    names = [f"{kind}.csv" for kind in schema.all_kinds()]
    files: dict[str, Path] = {}
    try:
        entries = sorted(path for path in folder.iterdir() if not path.name.startswith((".", "~")))
    except OSError as error:
        there = is_there(folder)
        missing = "is not a folder of sheets" if there else "does not exist"
        wrong = f"cannot be read: {error.strerror or error}" if there and folder.is_dir() else missing
        raise Mistakes([Mistake(str(folder), wrong)]) from None
    for path in entries:
        place, suffix = _Place(-1, 0, -1, path.name), path.suffix.lower()
        if suffix in WORKBOOKS:
            found.wrong(place, "is a workbook", "CSV files alone: save its sheets as CSV, and move it away")
        elif suffix in SHEETS and (kind := kind_named(path.stem, schema.all_kinds())) in files:
            found.wrong(place, f"is there beside {files[kind].name}", "one file for each kind of card")
        elif suffix in SHEETS and kind:
            files[kind] = path
        elif suffix in SHEETS[:2]:
            found.wrong(place, "is no sheet of this game", ", ".join(names), nearest(path.name, names))
    return files


def _text_of(path: Path, found: _Found) -> str:
    """A file's text, in the encodings that spreadsheets save. Raises Mistakes where it is none."""
    data = read_bytes(path)
    wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    if b"\0" in data and not wide:
        raise Mistakes([Mistake(path.name, "is no text", "a CSV file in UTF-8")])
    with suppress(UnicodeDecodeError):
        return data.decode("utf-16" if wide else "utf-8-sig")
    number, text = _of_windows(b"" if wide else data, path.name)
    found.notes.append(f"{path.name} is not in UTF-8: read as Windows-{number}; look at letters such as ä, é and ł")
    return text


def _of_windows(data: bytes, name: str) -> tuple[str, str]:
    """The encoding of Western or of Central Europe in which a file was saved, by its number, and the text.

    A sign such as ³ or ¿ within a word shows that it was the other one. Raises Mistakes where neither fits, or both do
    and give different letters."""
    fits: dict[str, str] = {}
    for number in ("1252", "1250") if data else ():
        with suppress(UnicodeDecodeError):
            text = data.decode(f"cp{number}")
            if text not in fits.values() and not _NO_WORD.search(text) and not _CAPITAL_WITHIN.search(text):
                fits[number] = text
    if len(fits) > 1:
        words = [_WORD.findall(text) for text in fits.values()]
        western, central = next((pair for pair in zip(*words, strict=False) if pair[0] != pair[1]), ("", ""))
        wrong = f"is not in UTF-8, and could say {shown(western)} (Windows-1252) or {shown(central)} (Windows-1250)"
        raise Mistakes([Mistake(name, wrong, "a file saved as CSV in UTF-8")])
    if not fits:
        wrong = "is in no encoding that is known here"
        raise Mistakes([Mistake(name, wrong, "UTF-8: save it again as CSV in UTF-8")])
    return next(iter(fits.items()))


_WORD = re.compile(r"[^\s,;\t\"]+")


def _records(text: str, name: str, known: Iterable[str]) -> list[tuple[int, list[str]]]:
    """The rows that hold anything, with their numbers in a spreadsheet. Raises Mistakes at a quote without an end."""
    text = text.lstrip("\ufeff")
    line = _SEP_LINE.match(text)
    text = text[line.end() :] if line else text
    separator = line[1] if line else _separator(text, set(known))
    rows: list[tuple[int, list[str]]] = []
    number = 1
    try:
        for number, cells in enumerate(rows_of(text, separator), 1):
            cells = [unescaped(cell.replace("\r\n", "\n").replace("\r", "\n").strip()) for cell in cells]
            if any(cells):
                rows.append((number, cells))
    except ValueError as error:
        where = f"{name} below row {rows[-1][0]}" if rows else name
        raise Mistakes([Mistake(where, f"is no CSV: {error}", "quotes in pairs, doubled within a cell")]) from None
    if not any(cell.strip(",;\t ") for _, cells in rows for cell in cells):
        raise Mistakes([Mistake(name, "is empty", "a row of headings, and rows below it")])
    return rows


def _separator(text: str, known: set[str]) -> str:
    """The separator with which the headings show the most of the known columns, and then the most of any."""
    wanted = {_plain(name) for name in known}

    def fits(separator: str) -> tuple[int, int]:
        try:
            first = list(islice(filter(any, rows_of(text, separator, strict=False)), 5))
        except ValueError:
            return 0, 0
        return max((len(wanted & {_plain(cell) for cell in cells}), len(cells)) for cells in first or [[]])

    return max((*SEPARATORS.values(), "|"), key=fits)


def _open(path: Path, number: int, columns: Sequence[str], optional: Sequence[str], found: _Found) -> _Sheet:
    """A sheet with its headings checked. Raises Mistakes where it cannot be read."""
    known, odd = (*columns, *optional), []
    rows = _below_title(_records(_text_of(path, found), path.name, known), known, path.name, found)
    (head, headings), *rest = rows
    plain = {_plain(name): name for name in known}
    headings = [plain.get(_plain(name), name) for name in headings]
    rest = _without_total(headings, rest, path.name, found)
    (_, headings), *rest = _without_index([(head, headings), *rest])
    sheet = _Sheet(number, path.name, rest, {})
    for index, name in enumerate(headings):
        if name in sheet.columns:
            wrong = f"is {shown(name)}, as column {_letter(sheet.columns[name])} is"
            odd.append((sheet.at(head, index), wrong, "each column once", ""))
        elif name in known:
            sheet.columns[name] = index
        elif name:
            odd.append((sheet.at(head, index), f"is {shown(name)}, which is unknown", ", ".join(known), name))
    for place, wrong, allowed, name in _some(odd, "columns", found):
        found.wrong(place, wrong, allowed, nearest(name, known) if name else "")
    missing = [shown(name) for name in columns if name not in sheet.columns]
    if missing:
        found.wrong(sheet.at(head), f"has no column {', '.join(missing)}", ", ".join(known))
    _errors(sheet, headings, found)
    _stray(sheet, headings, found)
    return sheet


def _below_title(
    rows: list[tuple[int, list[str]]], known: Sequence[str], name: str, found: _Found
) -> list[tuple[int, list[str]]]:
    """The rows from the headings on, below a title or a date in cells of their own, which is remarked."""
    wanted = {_plain(column) for column in known}
    for place, (row, cells) in enumerate(rows[:5]):
        if 2 * len(wanted & {_plain(cell) for cell in cells}) >= min(len(wanted), 4):
            above = rows[:place]
            many = [row for row, cells in above if sum(map(bool, cells)) > 2]
            if many:
                wrong = f"is below row {many[0]}, which holds values"
                raise Mistakes([Mistake(f"{name} row {row}, the headings,", wrong, "a title above them, and no more")])
            if above:
                found.notes.append(f"{name}: the headings stand in row {row}, and what is above is left out")
            return rows[place:]
    return rows


def _without_index(rows: list[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    """The rows without columns that have no name and only count, or that are empty, as programs add them."""
    (_, headings), *rest = rows
    gone = {index for index, heading in enumerate(headings) if _counts(index, heading, rest)}
    cut = [(row, ["" if index in gone else cell for index, cell in enumerate(cells)]) for row, cells in rows]
    return [cut[0], *((row, cells) for row, cells in cut[1:] if any(cells))]


def _counts(index: int, heading: str, rows: Sequence[tuple[int, list[str]]]) -> bool:
    """Whether a column without a name of its own is empty or only counts the rows, in any order, from 0 or 1 on."""
    if seen(heading) and not _UNNAMED.fullmatch(seen(heading)) and (index or _plain(heading) != "index"):
        return False
    column = [cells[index] if index < len(cells) else "" for _, cells in rows]
    numbers = [int(cell.removesuffix(".0")) for cell in column if re.fullmatch(r"\d{1,9}(\.0)?", cell)]
    counts = sorted(numbers) in (list(range(len(column))), list(range(1, len(column) + 1)))
    return not any(column) or (len(numbers) == len(column) and counts)


def _without_total(
    headings: Sequence[str], rows: list[tuple[int, list[str]]], name: str, found: _Found
) -> list[tuple[int, list[str]]]:
    """The rows without a last one of totals: a word for a total, and numbers alone otherwise."""
    if not rows or SLUG not in headings or "title" not in headings:
        return rows
    row, cells = rows[-1]
    words = [cell for cell in cells if not _NUMBERS.fullmatch(cell)]
    if len(words) == 1 and _TOTAL.fullmatch(words[0]) and sum(map(bool, cells)) > 1:
        found.notes.append(f"{name}: row {row} holds totals and is left out")
        return rows[:-1]
    return rows


def _errors(sheet: _Sheet, headings: Sequence[str], found: _Found) -> None:
    """Values that a spreadsheet could not compute: each is said once, and counts for nothing."""
    odd = []
    for row, cells in sheet.rows:
        for index, cell in enumerate(cells):
            if is_error(cell):
                called = headings[index] if index < len(headings) else ""
                odd.append((_Place(sheet.number, row, index, sheet.name, called), cell))
                cells[index] = BROKEN
    for place, cell in _some(odd, "cells", found):
        found.wrong(place, f"is {shown(cell)}, an error of the spreadsheet", "a value: mend the formula and save again")


def _stray(sheet: _Sheet, headings: Sequence[str], found: _Found) -> None:
    """The first values that stand below no heading."""
    strays: dict[int, tuple[_Place, str]] = {}
    for row, cells in sheet.rows:
        for index, cell in enumerate(cells):
            if cell not in ("", BROKEN) and not (index < len(headings) and headings[index]):
                strays.setdefault(index, (sheet.at(row, index), cell))
    for place, cell in _some(list(strays.values()), "columns", found):
        found.wrong(place, f"is {shown(cell)}, below no heading", "an empty cell")


def _some(odd: Sequence[Any], what: str, found: _Found) -> Sequence[Any]:
    """The first of many mistakes of a kind; how many more there are is said once."""
    if len(odd) > MOST:
        found.wrong(odd[MOST][0], f"and {len(odd) - MOST} more {what} like it", "")
    return odd[:MOST]


# ---------------------------------------------------------------- reading cards


def from_sheets(schema: Schema, folder: Path, name: str) -> tuple[Pack, list[str]]:
    """The pack that a folder of sheets holds, and remarks on how they were read.

    name: what the pack is called. Raises Mistakes with all that is wrong, by sheet, row and column.
    """
    found = _Found()
    files = _find_files(schema, folder, found)
    for number, (kind, spec) in enumerate(schema.all_kinds().items()):
        if kind not in files:
            found.wrong(_Place(number, 0, -1, f"{kind}.csv"), "is missing", "a sheet for each kind of card")
            found.broken.add(kind)
            continue
        try:
            _read_kind(kind, spec, files[kind], number, found)
        except Mistakes as mistakes:
            found.mistakes += [(_Place(number, 0, -1, kind), mistake) for mistake in mistakes.mistakes]
            found.broken.add(kind)
    _part_references(schema, found)
    return _checked(schema, name, found), found.notes


def _part_references(schema: Schema, found: _Found) -> None:
    """Takes lists of slugs apart that have other separators than semicolons, where each part is a card."""
    for kind, spec in schema.all_kinds().items():
        for name, kinds in spec.refs.items():
            slugs = {slug for other in kinds for slug in found.tables.get(other, ())}
            for card in found.tables.get(kind, {}).values():
                if isinstance(items := card.get(name), list):
                    card[name] = [part for item in items for part in _referred(item, slugs)]


def _referred(item: Any, slugs: set[str]) -> list[Any]:
    """The cards that an item of a list names: itself, or its parts if only they are cards."""
    parts = apart(item) if isinstance(item, str) and item not in slugs else []
    return parts if parts and slugs.issuperset(parts) else [item]


def _read_kind(kind: str, spec: Kind, path: Path, number: int, found: _Found) -> None:
    """Reads one sheet."""
    columns = columns_of(spec.model)
    names = [FIELD, VALUE] if spec.single else [SLUG, *(column.path for column in columns)]
    origins = [FROM, BUT]
    optional = [ALLOWED, DEPARTS] if spec.single else []
    if spec.sourced:
        sheet = _open(path, number, [*names, *origins], optional, found)
    else:
        sheet = _open(path, number, names, [*optional, *origins], found)
    needed = [FIELD, VALUE] if spec.single else [SLUG]
    most = len(columns) + MOST if spec.single else spec.capacity
    if any(name not in sheet.columns for name in needed):
        found.broken.add(kind)
        return
    if len(sheet.rows) > most:
        found.wrong(sheet.at(0), f"has {len(sheet.rows)} rows", f"at most {most}, below the headings")
        found.broken.add(kind)
        sheet.rows = sheet.rows[:most]
    if spec.single:
        _read_single(kind, sheet, {column.path: column for column in columns}, found)
    else:
        _read_cards(kind, sheet, columns, found)


def _read_cards(kind: str, sheet: _Sheet, columns: Sequence[Column], found: _Found) -> None:
    """Reads a sheet with a row a card."""
    cards = found.tables.setdefault(kind, {})
    holder: dict[str, int] = {}
    for row, cells in sheet.rows:
        slug = read_text(sheet.cell(cells, SLUG))
        place = sheet.place(row, SLUG)
        if slug == BROKEN:
            found.broken.add(kind)
        elif not slug:
            found.wrong(place, "is empty", "the card's slug: its short name")
        elif slug in holder:
            found.wrong(place, f"is {shown(slug)}, as that of row {holder[slug]} is", "each card once")
        else:
            holder[slug] = row
            found.places[root_of(kind, slug)] = place
            cards[slug] = _read_card(kind, slug, sheet, (row, cells), columns, found)


def _read_card(
    kind: str, slug: str, sheet: _Sheet, line: tuple[int, list[str]], columns: Sequence[Column], found: _Found
) -> dict[str, Any]:
    """The raw table of a card, from its row."""
    root, (row, cells) = root_of(kind, slug), line
    card: dict[str, Any] = {}
    for column in columns:
        place = sheet.place(row, column.path)
        found.places[f"{root}.{column.path}"] = place
        if column.path in sheet.columns:
            _read_value(card, root, column, sheet.cell(cells, column.path), place, found)
        else:
            _tell(found, root, column.path)
    for name, read in ((FROM, read_origin), (BUT, read_exceptions)):
        place = sheet.place(row, name)
        found.places[f"{root}.{name}"] = place
        cell = sheet.cell(cells, name)
        if cell == BROKEN:
            found.told.add(f"{root}.{FROM}")
            continue
        try:
            card |= {name: read(cell)} if cell else {}
        except Misread as misread:
            found.wrong(place, misread.wrong, misread.allowed, misread.nearest)
            found.told.add(f"{root}.{FROM}")
        if name not in sheet.columns:
            found.told.add(f"{root}.{FROM}")
    return card


def _read_single(kind: str, sheet: _Sheet, columns: Mapping[str, Column], found: _Found) -> None:
    """Reads a sheet with a row a value."""
    table: dict[str, Any] = {}
    holder: dict[str, int] = {}
    names = {_plain(name): name for name in columns}
    exceptions: dict[str, dict[str, str]] = {}
    departs: dict[str, str] = {}
    found.places[f"{kind}.{FROM}"] = sheet.place(0, FROM)
    for row, cells in sheet.rows:
        name = read_text(sheet.cell(cells, FIELD))
        name = names.get(_plain(name), name)
        place = sheet.place(row, FIELD)
        if name == BROKEN:
            found.broken.add(kind)
        elif name not in columns:
            found.wrong(place, f"is {shown(name)}, which is unknown", ", ".join(columns), nearest(name, columns))
        elif name in holder:
            found.wrong(place, f"is {shown(name)}, as that of row {holder[name]} is", "each field once")
        else:
            holder[name] = row
            place = found.places[f"{kind}.{name}"] = sheet.place(row, VALUE, name)
            _read_value(table, kind, columns[name], sheet.cell(cells, VALUE), place, found)
            exceptions |= _read_origins(kind, name, sheet, (row, cells), found)
            if why := read_text(sheet.cell(cells, DEPARTS)):
                departs[name] = why
                found.places[f"{kind}.{DEPARTS}.{name}"] = sheet.place(row, DEPARTS, name)
    found.tables[kind] = table | ({BUT: exceptions} if exceptions else {}) | ({DEPARTS: departs} if departs else {})


def _read_origins(
    kind: str, name: str, sheet: _Sheet, line: tuple[int, list[str]], found: _Found
) -> dict[str, dict[str, str]]:
    """The origins of one value of a single table, by path."""
    row, cells = line
    origins: dict[str, dict[str, str]] = {}
    for column, read in ((FROM, lambda cell: {"": read_origin(cell)}), (BUT, read_exceptions)):
        place, cell = sheet.place(row, column), sheet.cell(cells, column)
        if cell == BROKEN:
            found.told.add(f"{kind}.{FROM}")
            continue
        try:
            given = read(cell) if cell else {}
        except Misread as misread:
            found.wrong(place, misread.wrong, misread.allowed, misread.nearest)
            found.told.add(f"{kind}.{FROM}")
            continue
        for path, origin in given.items():
            whole = f"{name}.{path}" if path else name
            origins[whole] = origin
            found.places[f"{kind}.{BUT}.{whole}"] = place
    return origins


def _read_value(card: dict[str, Any], root: str, column: Column, cell: str, place: _Place, found: _Found) -> None:
    """Puts the value of a cell where it belongs in a raw table."""
    *above, last = column.path.split(".")
    for key in above:
        card = card.setdefault(key, {})
    if cell == BROKEN:
        _tell(found, root, column.path)
        return
    try:
        value = column.form.read(cell)
    except Misread as misread:
        found.wrong(place, misread.wrong, misread.allowed, misread.nearest)
        _tell(found, root, column.path)
        return
    if value is not ABSENT:
        card[last] = value


def _tell(found: _Found, root: str, path: str) -> None:
    """Remembers that a value has a mistake already, so that what follows from it is not told again."""
    found.told |= {f"{root}.{path}", f"{root}.{BUT}.{path}"}


# ---------------------------------------------------------------- the schema's mistakes, by sheet, row and column


def _checked(schema: Schema, name: str, found: _Found) -> Pack:
    """The pack of raw tables; raises Mistakes with those of the sheets and of the schema, in the sheets' order."""
    pack, wrong = None, list(found.mistakes)
    try:
        pack = from_tables(schema, name, found.tables)
    except Mistakes as mistakes:
        wrong += [_placed(schema, one, found) for one in mistakes.mistakes if not _follows(schema, one, found)]
    if wrong or pack is None:
        raise Mistakes(mistake for _, mistake in sorted(wrong, key=lambda pair: pair[0]))
    return pack


def _follows(schema: Schema, mistake: Mistake, found: _Found) -> bool:
    """Whether a mistake only follows from one that is told already."""
    kind, _, rest = mistake.where.partition(".")
    spec = schema.all_kinds().get(kind)
    lost = {name for name, kinds in (spec.refs if spec else {}).items() if found.broken & set(kinds)}
    follows = kind in found.broken or bool(lost & set(rest.split(".")))
    return follows or any(covers(path, mistake.where) for path in found.told)


def _placed(schema: Schema, mistake: Mistake, found: _Found) -> tuple[_Place, Mistake]:
    """A mistake of the schema with its place in the sheets."""
    path = max((path for path in found.places if covers(path, mistake.where)), key=len, default="")
    more = mistake.where[len(path) :].removeprefix(".")
    if path:
        place = found.places[path]
        if more and place.called == SLUG:
            place = replace(place, called=more, column=-1)
        elif more:
            place = replace(place, called=f"{place.called}.{more}")
    else:
        kinds = list(schema.all_kinds())
        kind, _, rest = more.partition(".")
        place = _Place(kinds.index(kind) if kind in kinds else -1, 0, -1, f"{kind}.csv", rest)
    allowed = ORIGINS if mistake.allowed == FORMS else mistake.allowed
    return place, replace(mistake, where=place.words(), allowed=allowed)
