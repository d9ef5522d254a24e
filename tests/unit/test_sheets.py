"""Packs as spreadsheets: out and back without a loss, through all that spreadsheets do, mistakes by sheet and row."""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import Field

from experiments.cells import Misread, form_of, protected, read_exceptions, read_origin, read_text
from experiments.pack_files import all_cards, fold, origins_below, root_of, to_toml, written
from experiments.sheets import columns_of, from_sheets, guide, to_sheets
from simcore import packs
from simcore.game import find_game
from simcore.knights.board_cards import KINDS
from simcore.packs import Card, Kind, Listed, Mistakes, Origin, Pack, Schema, Spot, Text, Title, unwrapped

GAME = find_game("knights.fight")
BOM = b"\xef\xbb\xbf"
ODD_TEXTS = [
    "=1+1", "=cmd|' /C calc'!A0", "+x", "-x", "@SUM(A1)", "'", "'=1", '"', '""', '"a"', '"Big" Joe', "a;b", ";", "a, b",
    "TRUE", "wahr", "1e5", "1E+05", "MARCH1", "1 March", "007", "1/2", "12:30", "None", "NA", "null", "nan", " x ",
    "\u00a0x\u00a0", "[x]", "{ x = 1 }", "<b>&amp;</b>", "Größe & Co", "Łódź", "漢字", "🦀🧟", "\\", '\\"', 'a"',
    "sep=;", "#", "#REF!", "#n/a", "Err:502", "a:b", "a = b", "assumed: x", "\uff0dx", "\uff1d1", "x\u200b", "\ufeffx",
]  # fmt: skip


class Throw(Card):
    """A row with all that a row can hold."""

    when: Literal["now", "then"]
    word: str
    many: Annotated[int, Field(ge=-9, le=9)]
    sure: bool
    only: Literal["", "near"] = ""
    far: int = 0


class Inner(Card):
    """A table within a card."""

    worth: int
    name: str


class Odd(Card):
    """A card with every form of value that a schema could have."""

    title: Title
    worth: Annotated[int, Field(ge=-1000, le=1000)]
    weight: float
    brave: bool
    face: Literal[5, 7, 9]
    inner: Inner
    words: Listed[str]
    numbers: Listed[int]
    flags: Listed[bool]
    throws: Listed[Throw]
    by_icon: dict[Literal["a", "b"], int]
    free: dict[str, int]
    nested: Listed[Listed[int]]
    either: int | str
    maybe: int | None = None
    called: str = "usual"
    some: Listed[int] = (1,)
    text: Text


class Rules(Card):
    """A single table."""

    rounds: Annotated[int, Field(ge=0, le=99)]
    steps: Listed[int]
    text: Text


SCHEMA = Schema(
    "odd",
    Path("nowhere"),
    {
        "odd": Kind(Odd, 8, least=1),
        "rules": Kind(Rules, single=True),
        "loose": Kind(Inner, 4, sourced=False),
    },
)


def plain_odd(**values: Any) -> dict[str, Any]:
    """The raw table of an odd card."""
    return {
        "title": "Odd", "worth": 1, "weight": 0.5, "brave": True, "face": 7, "inner": {"worth": 2, "name": "x"},
        "words": ["a", "b"], "numbers": [-1, 2], "flags": [True, False], "by_icon": {"b": 2}, "free": {"k y": 1},
        "throws": [{"when": "now", "word": "x", "many": -2, "sure": True, "only": "near"}], "nested": [[1], []],
        "either": "1", "text": "", "from": {"assumed": "a test"},
    } | values  # fmt: skip


def odd_pack(cards: dict[str, Any], **tables: Any) -> Pack:
    """A pack of odd cards."""
    rules = {"rounds": 3, "steps": [1, 2], "text": "", "from": {"rulebook": "T1"}}
    raw = {"pack": {"title": "Odd", "about": "\n"}, "odd": cards, "rules": rules, **tables}
    return packs.from_tables(SCHEMA, "odd", raw)


def put(folder: Path, files: dict[str, bytes]) -> Path:
    """Writes files into a folder that is emptied first."""
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def same(pack: Pack, other: Pack) -> bool:
    """Whether two packs are the same: values, texts, origins by field, order of cards, digest."""
    order = [(kind, list(cards)) for kind, cards in pack.cards.items()]
    return replace(other, name=pack.name) == pack and order == [(k, list(cards)) for k, cards in other.cards.items()]


def there_and_back(pack: Pack, folder: Path, separator: str = ",") -> Pack:
    """The pack through sheets, and through the TOML files that an import writes; both must be the same."""
    sheets = to_sheets(pack, separator)
    again, notes = from_sheets(pack.schema, put(folder, sheets), pack.name)
    assert not notes and same(pack, again)
    assert to_sheets(again, separator) == sheets
    raw: dict[str, Any] = {}
    for data in to_toml(again).values():
        raw |= tomllib.loads(data.decode())
    assert same(pack, packs.from_tables(pack.schema, pack.name, raw))
    return again


@pytest.fixture(scope="module")
def reference() -> Pack:
    """The knights' reference pack."""
    return packs.load(GAME.schema)


@pytest.fixture(scope="module")
def fights(reference: Pack) -> dict[str, Any]:
    """Its raw tables for combats alone, by kind; nobody may change them."""
    texts = [text.decode() for name, text in to_toml(reference).items() if name.removesuffix(".toml") not in KINDS]
    return {kind: table for text in texts for kind, table in tomllib.loads(text).items()}


@pytest.fixture(scope="module")
def exported(reference: Pack) -> dict[str, bytes]:
    """Its sheets by file name; nobody may change them."""
    return to_sheets(reference)


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for all of this file's sheets."""
    return tmp_path_factory.mktemp("sheets")


# ---------------------------------------------------------------- out and back


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_reference_pack_comes_back_to_the_byte(reference: Pack, room: Path, separator: str) -> None:
    again = there_and_back(reference, room, separator)
    start = {setting.name: setting.default for setting in GAME.settings}
    assert GAME.load(again, start).data.tobytes() == GAME.load(reference, start).data.tobytes()


def test_an_imported_pack_is_loaded_like_any_other(reference: Pack, room: Path) -> None:
    pack = packs.load(GAME.schema, [put(room, to_toml(reference))])
    assert same(reference, pack)


def test_every_form_of_value_comes_back(room: Path) -> None:
    cards = {
        "1e5": plain_odd(),
        "=a,b": plain_odd(title="T2", weight=1e-7, brave=False, maybe=3, called="", some=[], words=[], numbers=[7]),
        "None": plain_odd(title="T3", words=["", "a;b", '"', " x "], free={}, by_icon={}, throws=[], either=-3),
        "NA": plain_odd(title="T4", throws=[dict(when="then", word=" a:b;\n", many=0, sure=False, far=2, only="")]),
        "-2": plain_odd(title="T5", inner={"worth": 0, "name": "\n"}, flags=[], called="usual", text="a\nb\n\nc"),
    }
    cards.pop("=a,b")
    cards["+a,b"] = plain_odd(title="T2", weight=1e-7, brave=False, maybe=3, called="", some=[], words=[], numbers=[7])
    there_and_back(odd_pack(cards), room)


def test_origins_by_field_come_back(room: Path) -> None:
    but = {
        "worth": {"rulebook": "1-2"},
        "inner": {"public": " a = b; c: d "},
        "words.1": {"assumed": '"quoted"'},
        "throws.0.many": {"assumed": "=1"},
        "called": {"public": "even of what is usual"},
    }
    card = plain_odd(called="usual", but=but)
    bare = {key: value for key, value in plain_odd(title="B").items() if key != "from"}
    numbers = ("worth", "weight", "face", "inner.worth", "numbers", "by_icon", "free", "nested", "throws.0.many")
    sparse = bare | {"but": {path: {"rulebook": path} for path in numbers}}
    loose = {"a": {"worth": 1, "name": "", "but": {"worth": {"assumed": "though it needs none"}}}}
    pack = odd_pack({"a": card, "b": sparse}, loose=loose)
    again = there_and_back(pack, room)
    assert again.origins["odd.a.words.1"] == Origin("assumed", '"quoted"')
    assert again.origins["odd.a.called"] == Origin("public", "even of what is usual")
    assert "odd.b.title" not in again.origins and again.origins["loose.a.worth"].text == "though it needs none"


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_a_text_is_no_formula_number_or_date_and_comes_back(text: str) -> None:
    cell = protected(text)
    assert read_text(cell) == text and read_text(f"  {cell}\n") == text
    assert not cell.startswith(tuple("=+-@\t\r\uff1d\uff0b\uff0d\uff20")) and cell == cell.strip()
    assert cell.casefold() not in ("true", "wahr") and not re.fullmatch(r"[\d\s.,:/eE+-]+", cell)


printable = st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp"))
lines = st.text(printable, max_size=20) | st.sampled_from(ODD_TEXTS)
texts = st.text(printable | st.just("\n"), max_size=30) | st.sampled_from(ODD_TEXTS)
titles = lines.filter(lambda line: not packs.is_blank(line))
slugs = titles.map(str.strip).filter(lambda slug: not set(".=") & set(slug) and len(slug) <= 60)
origins = st.fixed_dictionaries({"assumed": titles}) | st.fixed_dictionaries({"rulebook": titles})
quick = settings(max_examples=20, deadline=None, derandomize=True, database=None,
                 suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip


@quick
@given(data=st.data())
def test_edited_packs_come_back(fights: dict[str, Any], room: Path, data: st.DataObject) -> None:
    raw = dict(fights)
    raw["enemy"] = dict(data.draw(st.permutations(list(raw["enemy"].items())))[:5])
    names = data.draw(
        st.lists(st.tuples(slugs, titles), min_size=5, max_size=5, unique_by=(lambda n: n[0], lambda n: n[1]))
    )
    cards = {}
    for (slug, title), card in zip(names, raw["enemy"].values(), strict=True):
        health = data.draw(st.integers(1, 20))
        changed = {"title": title, "text": data.draw(texts), "health": health, "from": data.draw(origins)}
        but = {
            path: data.draw(origins) for path in data.draw(st.sets(st.sampled_from(["health", "escape", "icons.0"])))
        }
        cards[slug] = {key: value for key, value in card.items() if key != "but"} | changed | {"but": but}
    raw["enemy"] = cards
    raw["pack"] = {"title": data.draw(titles), "about": data.draw(texts)}
    there_and_back(packs.from_tables(GAME.schema, "edited", raw), room, data.draw(st.sampled_from(",;\t")))


rows = st.fixed_dictionaries(
    {"when": st.sampled_from(["now", "then"]), "word": texts, "many": st.integers(-9, 9), "sure": st.booleans()},
    optional={"only": st.sampled_from(["", "near"]), "far": st.integers()},
)
small = st.integers(-9, 9)
odd_values = st.fixed_dictionaries({
    "worth": st.integers(-1000, 1000), "weight": st.floats(allow_nan=False, allow_infinity=False),
    "brave": st.booleans(), "inner": st.fixed_dictionaries({"worth": small, "name": texts}),
    "words": st.lists(texts), "numbers": st.lists(small), "flags": st.lists(st.booleans()),
    "throws": st.lists(rows, max_size=4), "by_icon": st.dictionaries(st.sampled_from("ab"), small),
    "either": st.integers() | texts, "nested": st.lists(st.lists(small)), "text": texts,
}, optional={"maybe": small, "called": texts, "some": st.lists(small)})  # fmt: skip


@settings(quick, max_examples=100)
@given(values=odd_values, slug=slugs)
def test_any_values_of_any_schema_come_back(room: Path, values: dict[str, Any], slug: str) -> None:
    there_and_back(odd_pack({slug: plain_odd(**values)}), room)


def test_a_scalar_form_gives_back_what_it_wrote() -> None:
    for annotation, values in (
        (int, [0, -3, 10**18]),
        (float, [0.1, -2.0, 1e-300, 1e22]),
        (bool, [True, False]),
        (Literal["a", ""], ["a", ""]),
    ):
        form = form_of(unwrapped(Spot(annotation)))
        assert [form.read(form.write(value)) for value in values] == values


# ---------------------------------------------------------------- what spreadsheets do


def table(data: bytes) -> list[list[str]]:
    """The rows of a sheet."""
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def sheet(rows: list[list[str]], separator: str = ",", end: str = "\r\n", quoting: Any = csv.QUOTE_MINIMAL) -> str:
    """A sheet's text from its rows."""
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator=end, quoting=quoting).writerows(rows)
    return text.getvalue()


def each_cell(change: Callable[[str], str]) -> Callable[[bytes], bytes]:
    """A habit that changes cells one by one, headings apart."""

    def habit(data: bytes) -> bytes:
        head, *rest = table(data)
        return sheet([head, *([change(cell) for cell in row] for row in rest)]).encode()

    return habit


def number(cell: str, point: str) -> str:
    return f"{cell}{point}0" if re.fullmatch(r"-?\d+", cell) else cell


def boolean(cell: str, words: tuple[str, str]) -> str:
    return {"true": words[0], "false": words[1]}.get(cell, cell)


def wide(data: bytes) -> bytes:
    """Trailing blank cells, columns and rows, and blank rows between."""
    rows = [[*row, "", " ", ""] for row in table(data)]
    return sheet([*rows[:2], [], ["", "  "], *rows[2:], [""] * 30, []]).encode()


def moved(data: bytes) -> bytes:
    """Columns the other way round."""
    return sheet([row[::-1] for row in table(data)]).encode()


HABITS: dict[str, Callable[[bytes], bytes]] = {
    "semicolons": lambda data: sheet(table(data), ";").encode(),
    "tabs": lambda data: sheet(table(data), "\t").encode(),
    "sep line": lambda data: BOM + b"sep=;\r\n" + sheet(table(data), ";").encode(),
    "sep line of a rare separator": lambda data: b"sep=|\n" + sheet(table(data), "|").encode(),
    "no byte order mark": lambda data: data.removeprefix(BOM),
    "UTF-16, as Unicode text": lambda data: sheet(table(data), "\t").encode("utf-16"),
    "UTF-16, big end first": lambda data: b"\xfe\xff" + sheet(table(data), ";").encode("utf-16-be"),
    "line feeds": lambda data: sheet(table(data), end="\n").encode(),
    "old Mac line ends": lambda data: data.replace(b"\r\n", b"\n").replace(b"\n", b"\r"),
    "Windows line ends within cells": lambda data: data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"),
    "all in quotes": lambda data: sheet(table(data), quoting=csv.QUOTE_ALL).encode(),
    "decimal commas": lambda data: each_cell(lambda cell: number(cell, ","))(data),
    "decimal points": lambda data: each_cell(lambda cell: number(cell, "."))(data),
    "a sign of its own": lambda data: each_cell(lambda cell: re.sub(r"^-(?=\d+$)", "\u2212", cell))(data),
    "English booleans": lambda data: each_cell(lambda cell: boolean(cell, ("TRUE", "FALSE")))(data),
    "German booleans": lambda data: each_cell(lambda cell: boolean(cell, ("WAHR", "FALSCH")))(data),
    "blanks around": lambda data: each_cell(lambda cell: f" {cell}\u00a0\t")(data),
    "blank rows and columns": wide,
    "columns moved": moved,
    "blank rows above": lambda data: b"\r\n,,\r\n" + data.removeprefix(BOM),
}  # fmt: skip


@pytest.fixture(scope="module")
def umlauts(reference: Pack) -> Pack:
    """The reference pack with letters that encodings get wrong, odd texts and lines within a text."""
    raw: dict[str, Any] = {}
    for data in to_toml(reference).values():
        raw |= tomllib.loads(data.decode())
    raw["gear"]["rad_out"] |= {"title": "Größe, „süß“; né", "text": 'Ä first line\n=second; "third"'}
    raw["gear"]["adrenal"] |= {"title": "=1+1", "text": "-1"}
    return packs.from_tables(GAME.schema, "umlauts", raw)


@pytest.mark.parametrize("habit", HABITS)
def test_a_habit_of_spreadsheets_changes_nothing(umlauts: Pack, room: Path, habit: str) -> None:
    sheets = {name: HABITS[habit](data) for name, data in to_sheets(umlauts).items()}
    assert sheets["gear.csv"] != to_sheets(umlauts)["gear.csv"] or habit in ("English booleans", "German booleans")
    again, notes = from_sheets(GAME.schema, put(room, sheets), "again")
    assert same(umlauts, again) and not notes


def test_windows_1252_is_read_and_said(umlauts: Pack, room: Path) -> None:
    sheets = {name: data.decode("utf-8-sig").encode("cp1252") for name, data in to_sheets(umlauts).items()}
    again, notes = from_sheets(GAME.schema, put(room, sheets), "again")
    assert same(umlauts, again)
    assert len(notes) == 1 and "gear.csv" in notes[0] and "Windows-1252" in notes[0]


@pytest.mark.parametrize(
    ("title", "code"),
    [("Kapłan ognia", "1250"), ("Wygnańcy żółci", "1250"), ("Źródło", "1250"), ("Gęśla jaźń", "1250"),
     ("Strength²", "1252"), ("½ Hound", "1252"), ("Zoë Größe", "1252")],
)  # fmt: skip
def test_fb3_an_encoding_with_one_meaning_is_read_and_said(
    exported: dict[str, bytes], room: Path, title: str, code: str
) -> None:
    sheets = edited(exported, "enemy.csv", 3, "title", title)
    sheets["enemy.csv"] = sheets["enemy.csv"].decode().encode(f"cp{code}")
    pack, notes = from_sheets(GAME.schema, put(room, sheets), "again")
    assert title in [card.title for card in pack.cards["enemy"].values()]
    assert len(notes) == 1 and notes[0].startswith(f"enemy.csv is not in UTF-8: read as Windows-{code}")


@pytest.mark.parametrize(
    ("title", "encoding"),
    [("Iskrzyńska", "cp1250"), ("señor", "cp1252"), ("Tête", "cp1252"), ("Święty", "iso8859-2"), ("ślad", "iso8859-2"),
     ("Ktoś", "iso8859-2"), ("¿Qué", "cp1252"),
     ("Привет", "cp1251"), ("Größe", "cp850"), ("Schönär", "mac-roman"), ("Iskrzyńska", "mac-latin2")],
)  # fmt: skip
def test_fb3_an_encoding_in_doubt_is_one_line(
    exported: dict[str, bytes], room: Path, title: str, encoding: str
) -> None:
    sheets = edited(exported, "enemy.csv", 3, "title", title)
    (line,) = told(room, sheets | {"enemy.csv": sheets["enemy.csv"].decode().encode(encoding)})
    assert line.startswith("enemy.csv is ") and "UTF-8" in line


def test_moved_rows_move_cards_and_nothing_else(umlauts: Pack, room: Path) -> None:
    sheets = to_sheets(umlauts)
    head, *rest = table(sheets["enemy.csv"])
    sheets["enemy.csv"] = sheet([head, *rest[::-1]]).encode()
    head, *rest = table(sheets["dials.csv"])
    sheets["dials.csv"] = sheet([head, *rest[::-1]]).encode()
    again, _ = from_sheets(GAME.schema, put(room, sheets), umlauts.name)
    assert again == umlauts and list(again.cards["enemy"]) == list(umlauts.cards["enemy"])[::-1]


def test_other_names_of_such_files_are_read_and_lock_files_left(umlauts: Pack, room: Path) -> None:
    sheets = to_sheets(umlauts)
    sheets["enemy.txt"], sheets["gear.tsv"] = sheets.pop("enemy.csv"), sheets.pop("gear.csv")
    sheets |= {".~lock.gear.csv#": b"me", "~$gear.csv": b"\0", "README.md": b"# Sheets"}
    assert same(umlauts, from_sheets(GAME.schema, put(room, sheets), "again")[0])


def with_index(data: bytes, heading: str, first: int = 0, form: str = "{}") -> bytes:
    """A sheet with a column of row numbers before the others."""
    head, *rest = table(data)
    return sheet([[heading, *head], *([form.format(n), *row] for n, row in enumerate(rest, first))]).encode()


def with_dashes(dash: str) -> Callable[[bytes], bytes]:
    """A habit that writes another dash for a minus, in numbers and in effects."""
    return each_cell(lambda cell: re.sub(r"(?<![^\s:])-(?=\d+($|\s))", dash, cell))


def with_headings(change: Callable[[str], str]) -> Callable[[bytes], bytes]:
    """A habit that changes headings."""

    def habit(data: bytes) -> bytes:
        head, *rest = table(data)
        return sheet([[change(name) for name in head], *rest]).encode()

    return habit


def with_lists(joint: str) -> Callable[[bytes], bytes]:
    """A habit that writes other separators than semicolons in the lists of enemies."""

    def habit(data: bytes) -> bytes:
        head, *rest = table(data)
        lists = [head.index(name) for name in ("icons", "traits", "effects")]
        return sheet(
            [head, *([c.replace("; ", joint) if i in lists else c for i, c in enumerate(row)] for row in rest)]
        ).encode()

    return habit


def with_total(data: bytes) -> bytes:
    """A row of sums below a sheet of cards."""
    head, *rest = table(data)
    health = head.index("health")
    total = [
        "Total:",
        *(str(sum(int(row[health]) for row in rest)) if i == health else "" for i in range(1, len(head))),
    ]
    return sheet([head, *rest, [], total]).encode()


FB7_HABITS: dict[str, Callable[[bytes], bytes]] = {
    "pandas index": lambda data: with_index(data, ""),
    "pandas index of a file that was read": lambda data: with_index(data, "Unnamed: 0"),
    "two pandas indexes": lambda data: with_index(with_index(data, "Unnamed: 0"), ""),
    "pandas index as decimals": lambda data: with_index(data, "", form="{}.0"),
    "row names of R": lambda data: with_index(data, "", 1),
    "an empty column that pandas named": lambda data: with_headings(lambda h: h or "Unnamed: 26")(wide(data)),
    "capitals": with_headings(str.upper),
    "titles": with_headings(lambda name: name.replace("_", " ").title()),
    "no-break spaces and zero widths": with_headings(lambda name: f"\u00a0{name[:2]}\u200b{name[2:]}\ufeff "),
    "a second byte order mark": lambda data: BOM + BOM + sheet(table(data), quoting=csv.QUOTE_ALL).encode(),
    "a title above": lambda data: "Übersicht,,,\r\n,,\r\n".encode() + data.removeprefix(BOM),
    "a title above, with tabs": lambda data: b"My enemies\n" + sheet(table(data), "\t").encode(),
    "a title above, with semicolons": lambda data: b"My enemies, all;;\n" + sheet(table(data), ";").encode(),
    "bars": lambda data: sheet(table(data), "|").encode(),
    "a total below": with_total,
    "lists with commas": with_lists(", "),
    "lists with bars": with_lists(" | "),
    "lists with line ends": with_lists("\n"),
    "en dashes": with_dashes("\u2013"),
    "em dashes": with_dashes("\u2014"),
    "minus signs": with_dashes("\u2212"),
}  # fmt: skip


@pytest.mark.parametrize("habit", FB7_HABITS)
def test_fb7_what_a_sheet_says_in_one_way_is_read(reference: Pack, room: Path, habit: str) -> None:
    sheets = to_sheets(reference)
    changed = FB7_HABITS[habit](sheets["enemy.csv"])
    assert table(changed) != table(sheets["enemy.csv"]) or BOM in changed
    again, notes = from_sheets(GAME.schema, put(room, {**sheets, "enemy.csv": changed}), "again")
    assert same(reference, again)
    assert len(notes) == ("title above" in habit or "total" in habit), notes


@pytest.mark.parametrize(
    ("old", "new"),
    [("enemy.csv", "My pack - enemy.csv"), ("enemy.csv", "Enemy.CSV"), ("enemy.csv", "A - b - Enemy .csv"),
     ("board_bot.csv", "My pack - Board bot.csv"), ("dials.csv", "\u200bDIALS.tsv")],
)  # fmt: skip
def test_fb7_a_file_is_known_by_its_tab(reference: Pack, room: Path, old: str, new: str) -> None:
    sheets = to_sheets(reference)
    sheets[new] = sheets.pop(old)
    again, notes = from_sheets(GAME.schema, put(room, sheets), "again")
    assert same(reference, again) and not notes


def test_fb7_lists_of_cards_and_fields_are_read_by_what_they_name(reference: Pack, room: Path) -> None:
    sheets = to_sheets(reference)
    head, *rest = table(sheets["knight.csv"])
    at = head.index("carries")
    for row, joint in zip(rest, (", ", " / ", "|", "\n", ",") * 6, strict=False):
        row[at] = joint.join(row[at].split("; "))
    sheets["knight.csv"] = sheet([head, *rest]).encode()
    sheets["dials.csv"] = sheet([[cell.upper() if i == 0 else cell for i, cell in enumerate(row)]
                                 for row in table(sheets["dials.csv"])]).encode()  # fmt: skip
    assert same(reference, from_sheets(GAME.schema, put(room, sheets), "again")[0])


def test_fb7_numbers_in_lists_are_taken_apart_where_no_decimal_is_meant() -> None:
    form = form_of(unwrapped(Spot(Listed[int])))
    assert [form.read(cell) for cell in ("1, 2", "1|\u20132", "1\n2", "1.0; 2,0")] == [[1, 2], [1, -2], [1, 2], [1, 2]]
    assert [form.read(cell) for cell in ("1,2", "1/2")] == [["1,2"], ["1/2"]]
    words = form_of(unwrapped(Spot(Listed[str])))
    assert words.read("a, b; c|d") == ["a, b", "c|d"]


def test_fb7_whole_numbers_and_booleans_survive_invisible_signs() -> None:
    whole, truth = form_of(unwrapped(Spot(int))), form_of(unwrapped(Spot(bool)))
    assert [whole.read(cell) for cell in ("1.0", "\u22121", "\u2013 1", "1\u200b", "\ufeff7")] == [1, -1, -1, 1, 7]
    assert [truth.read(cell) for cell in ("TRUE", "False", "TRUE\u200b")] == [True, False, True]


# ---------------------------------------------------------------- mistakes


def test_fb7_what_could_be_more_than_one_thing_is_one_line(exported: dict[str, bytes], room: Path) -> None:
    old = exported["enemy.csv"]
    (line,) = told(room, {**exported, "My pack - enemy.csv": old})
    assert "one file for each kind of card" in line
    head, *rest = table(old)
    (line, *_) = told(room, {**exported, "enemy.csv": sheet([rest[0], head, *rest[1:]]).encode()})
    assert line.startswith("enemy.csv row 2, the headings, is below row 1, which holds values")
    (line,) = told(room, {**exported, "enemy.csv": sheet([["x", *head], *(["7", *row] for row in rest)]).encode()})
    assert line.startswith('enemy.csv row 1, column A is "x", which is unknown')
    (line,) = told(room, {**exported, "enemy.csv": sheet([["", *head], *(["7", *row] for row in rest)]).encode()})
    assert line.startswith('enemy.csv row 2, column A is "7", below no heading')
    (line,) = told(room, {**exported, "enemy.csv": sheet([[*head, "Health"], *([*row, ""] for row in rest)]).encode()})
    assert line.startswith('enemy.csv row 1, column AA is "health", as column L is')


def told(room: Path, sheets: dict[str, bytes], schema: Schema = GAME.schema) -> list[str]:
    """The mistakes of sheets, a line each."""
    with pytest.raises(Mistakes) as caught:
        from_sheets(schema, put(room, sheets), "again")
    found = [str(mistake) for mistake in caught.value.mistakes]
    assert len(found) == len(set(found)) and all("\n" not in line for line in found)
    return found


def edited(sheets: dict[str, bytes], name: str, row: int, column: str, cell: str) -> dict[str, bytes]:
    """The sheets with one cell changed: `row` as a spreadsheet numbers it."""
    rows = table(sheets[name])
    rows[row - 1][rows[0].index(column)] = cell
    return {**sheets, name: sheet(rows).encode()}


@pytest.mark.parametrize(
    ("column", "cell", "message"),
    [
        ("skills.guns", "4.5", 'skills.guns (column F) is "4.5"; allowed: a whole number from 0 to 10'),
        ("skills.guns", "4,5", 'skills.guns (column F) is "4,5"; allowed: a whole number from 0 to 10'),
        ("skills.guns", "1.000", 'skills.guns (column F) is "1.000"; allowed: a whole number from 0'),
        ("skills.guns", "11", "skills.guns (column F) is 11; allowed: a whole number from 0 to 10"),
        ("skills.guns", "WAHR", 'skills.guns (column F) is "WAHR"; allowed: a whole number'),
        ("skills.guns", "9" * 40, 'skills.guns (column F) is a huge number; allowed: a whole number from 0 to 10'),
        ("skills.guns", "nan", 'skills.guns (column F) is "nan"; allowed: a whole number'),
        ("skills.guns", "", "skills.guns (column F) is missing; allowed: a whole number from 0 to 10"),
        ("placeholder", "1", 'placeholder (column D) is "1"; allowed: true or false'),
        ("title", "", "title (column B) is blank: a name is needed"),
        ("title", "Mel Gearson", 'title (column B) is "Mel Gearson", as that of mel_gearson is'),
        ("armor", "road_lethers", 'armor (column M) is "road_lethers", which is no armor of'),
        ("carries", "medi_shot; rad_ut", 'carries.1 (column O) is "rad_ut", which is no weapon or'),
        ("carries", "medi_shot;", "carries (column O) has nothing between two semicolons, or after"),
        ("effects", "standing 2 dice self", 'effects (column P) has "standing 2 dice self"; allowed: when: many what'),
        ("effects", "standing: dice 2 self", 'effects (column P) has "standing: dice 2 self"; allowed: when: many'),
        ("effects", "standing: 2 dise self", 'effects.0.what (column P) is "dise"; allowed: dice,'),
        ("effects", "standing: 2 dice self ony cult", 'effects (column P) has "ony" in "standing:'),
        ("effects", "standing: 9 dice self", "effects.0.many (column P) is 9; allowed: a whole number"),
        ("from", "asumed: a guess", 'from (column T) is "asumed: a guess"; allowed: rulebook: its id'),
        ("from", "assumed:", 'from (column T) is "assumed:" and says no more'),
        ("from", "", "from (column T) is missing: skills.blades, skills.guns"),
        ("but", "skills.guns: rulebook: x", "but (column U) has the line"),
        ("but", "skills.gun = rulebook: x", "but.skills.gun (column U) is no value of this card"),
        ("but", "backpack = rulebook: x\nbackpack = public: y", 'but (column U) names "backpack" twice'),
        ("slug", "mel_gearson", 'slug (column A) is "mel_gearson", as that of row 2 is; allowed: each'),
        ("slug", "", "slug (column A) is empty; allowed: the card's slug"),
        ("slug", "a.b", "slug (column A) has a name with a dot, an equals sign or a control"),
    ],
)  # fmt: skip
def test_a_wrong_cell_is_told_once_by_sheet_row_and_column(
    exported: dict[str, bytes], room: Path, column: str, cell: str, message: str
) -> None:
    found = told(room, edited(exported, "knight.csv", 3, column, cell))
    assert len(found) == 1 and found[0].startswith(f"knight.csv row 3, {message}"), found


ERRORS = ["#REF!", "#NAME?", "#VALUE!", "#DIV/0!", "#N/A", "#NUM!", "#NULL!", "#SPILL!", "#CALC!", "#ref!", "#WERT!",
          "#BEZUG!", "#ADR!", "Err:502", "#######"]  # fmt: skip


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("column", ["slug", "title", "health", "icons", "armor", "text", "from", "but"])
def test_fb5_the_error_of_a_formula_is_one_line(
    exported: dict[str, bytes], room: Path, column: str, error: str
) -> None:
    (line,) = told(room, edited(exported, "enemy.csv", 3, column, error))
    assert line.startswith(f"enemy.csv row 3, {column} (column ") and f'is "{error}", an error' in line


@pytest.mark.parametrize("column", ["field", "value", "from", "but", "allowed"])
def test_fb5_the_error_of_a_formula_in_a_single_table_is_one_line(
    exported: dict[str, bytes], room: Path, column: str
) -> None:
    (line,) = told(room, edited(exported, "dials.csv", 3, column, "#REF!"))
    assert line.startswith(f"dials.csv row 3, {column} (column ") and 'is "#REF!", an error' in line


def test_fb5_a_lost_slug_is_one_line_though_others_use_it(exported: dict[str, bytes], room: Path) -> None:
    for row in range(2, 6):
        (line,) = told(room, edited(exported, "armor.csv", row, "slug", "#REF!"))
        assert line.startswith(f"armor.csv row {row}, slug (column A) is ")


def test_fb5_errors_elsewhere_are_told_once(exported: dict[str, bytes], room: Path) -> None:
    rows = table(exported["enemy.csv"])
    (line,) = told(room, {**exported, "enemy.csv": sheet([[*rows[0], ""], [*rows[1], "#N/A"], *rows[2:]]).encode()})
    assert line.startswith('enemy.csv row 2, column AA is "#N/A", an error')
    (line,) = told(room, edited(exported, "knight.csv", 3, "carries", "medi_shot; #REF!"))
    assert line.startswith('knight.csv row 3, carries (column O) has "#REF!", an error')
    (line,) = told(room, edited(exported, "enemy.csv", 1, "health", "#REF!"))[1:]
    assert line.startswith('enemy.csv row 1, column L is "#REF!"')


def test_the_nearest_right_name_is_said(exported: dict[str, bytes], room: Path) -> None:
    sheets = exported
    for column, cell, near in (("armor", "road_lethers", "road_leathers"), ("from", "asumed: x", "assumed"),
                               ("effects", "standng: 2 dice self", "standing")):  # fmt: skip
        assert told(room, edited(sheets, "knight.csv", 3, column, cell))[0].endswith(f"did you mean {near}?")


def test_rows_are_counted_as_spreadsheets_do(umlauts: Pack, room: Path) -> None:
    sheets = edited(to_sheets(umlauts), "gear.csv", 5, "colour", "gren")
    (line,) = told(room, {**sheets, "gear.csv": b"sep=,\r\n" + sheets["gear.csv"]})
    assert line.startswith('gear.csv row 5, colour (column C) is "gren"') and line.endswith("did you mean green?")
    (line,) = told(room, {**sheets, "gear.csv": b"\r\n" + sheets["gear.csv"]})
    assert line.startswith("gear.csv row 6, colour (column C)"), (
        "a cell with two lines is in one row; a blank row counts"
    )


def test_single_tables_are_told_by_row(exported: dict[str, bytes], room: Path) -> None:
    sheets = exported
    (line,) = told(room, edited(sheets, "dials.csv", 3, "value", "x"))
    assert line == 'dials.csv row 3, ammo (column B) is "x"; allowed: a whole number from 1 to 9'
    found = told(room, edited(sheets, "dials.csv", 3, "field", "amo"))
    assert found[0].startswith("dials.csv, ammo is missing") and found[1].endswith("did you mean ammo?")
    (line,) = told(room, edited(sheets, "dials.csv", 3, "from", ""))
    assert line.startswith("dials.csv, from (column D) is missing: ammo without an origin; allowed: rulebook: its id")
    (line,) = told(room, edited(sheets, "ruling.csv", 2, "value", "alowed"))
    assert line.endswith("allowed: forbidden, allowed; did you mean allowed?")
    (line,) = told(room, edited(sheets, "dials.csv", 3, "but", "x = public: y"))
    assert line.startswith("dials.csv row 3, but (column E) is no value of this card")
    found = told(room, edited(sheets, "dials.csv", 3, "field", "fuel"))
    assert "as that of row 3 is" in found[1]


def test_wrong_columns_are_told_and_not_each_card_below_them(exported: dict[str, bytes], room: Path) -> None:
    sheets = exported
    rows = table(sheets["enemy.csv"])
    place = rows[0].index("health")
    rows[0][place] = "helth"
    lines = told(room, {**sheets, "enemy.csv": sheet(rows).encode()})
    assert len(lines) == 2 and 'has no column "health"' in lines[0]
    assert 'enemy.csv row 1, column L is "helth", which is unknown' in lines[1] and "did you mean health?" in lines[1]
    rows[0][place] = "armor"
    lines = told(room, {**sheets, "enemy.csv": sheet(rows).encode()})
    assert 'is "armor", as column K is; allowed: each column once' in lines[1]
    rows[0][place] = ""
    lines = told(room, {**sheets, "enemy.csv": sheet(rows).encode()})
    assert len(lines) == 2 and 'enemy.csv row 2, column L is "6", below no heading' in lines[1]


def test_all_mistakes_of_all_sheets_come_at_once_in_order(exported: dict[str, bytes], room: Path) -> None:
    sheets = edited(exported, "knight.csv", 4, "backpack", "x")
    sheets = edited(sheets, "knight.csv", 3, "effects", "?")
    sheets = edited(sheets, "enemy.csv", 9, "tier", "4")
    sheets = edited(sheets, "dials.csv", 2, "from", "?")
    del sheets["gear.csv"]
    sheets |= {"knights.csv": b"slug\n", "weapon.xlsx": b"PK", "armor.tsv": sheets["armor.csv"]}
    lines = told(room, sheets)
    starts = ["armor.tsv is there beside armor.csv", "knights.csv is no sheet of this game",
              "weapon.xlsx is a workbook", "knight.csv row 3, effects", "knight.csv row 4, backpack",
              "gear.csv is missing",
              "enemy.csv row 9, tier", "dials.csv row 2, from"]  # fmt: skip
    assert [line.startswith(start) for line, start in zip(lines, starts, strict=True)] == [True] * len(starts), lines


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b"\r\n;;\r\n", "is empty"),
        (b"PK\x03\x04\0\0binary", "is no text"),
        (b"slug,title\x81\n", "is in no encoding"),
        (b"\xff\xfea", "is in no encoding"),
        (b'slug,title\na,"b\nc,d\n', "below row 1 is no CSV"),
        (b"x" * 2_100_000, "is too big"),
        (b"slug," + b"a" * 200_000, "is no CSV"),
        (b"[" * 1_900_000, "is no CSV"),
        (b"a,b;" * 400_000, "more columns like it"),
        (b"slug\n" + b"a\n" * 500_000, "has 500000 rows; allowed: at most 64"),
        (b"slug\n" + b"a,b\n" * 20, 'column B is "b", below no heading'),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_file_that_is_no_sheet_is_told_in_few_lines(
    exported: dict[str, bytes], room: Path, data: bytes, message: str
) -> None:
    lines = told(room, {**exported, "gear.csv": data})
    assert any("gear.csv" in line and message in line for line in lines) and len(lines) < 100, lines[:5]


def test_a_folder_that_is_none_is_told(room: Path) -> None:
    (room / "file").write_text("x")
    for path, wrong in ((room / "nowhere", "does not exist"), (room / "file", "is not a folder of sheets")):
        with pytest.raises(Mistakes, match=wrong):
            from_sheets(GAME.schema, path, "again")


def test_cells_that_could_hold_the_reader_up_do_not() -> None:
    form = form_of(unwrapped(Spot(Listed[Throw])))
    for cell in ('"\\' * 16_000, '"' * 32_001, ";" * 32_000, "[" * 32_000, "a:" * 16_000, "now: " + '"\\' * 16_000):
        try:
            form.read(cell)
        except Misread as misread:
            assert misread.allowed


def test_origins_are_read_as_they_are_written() -> None:
    assert read_origin(" rulebook :  K1F-01 ") == {"rulebook": "K1F-01"}
    assert read_exceptions("a = assumed: x = y: z\n\n b.0 = public: w") == {
        "a": {"assumed": "x = y: z"},
        "b.0": {"public": "w"},
    }


def test_the_most_frequent_origin_speaks_for_the_card() -> None:
    a, b = Origin("assumed", "a"), Origin("rulebook", "b")
    assert fold({"x": a, "y.1": b, "y.2": b, "z": a, "w": a}) == (a, {"y": b})
    assert fold({"x": a, "y.1": b, "y.2": None}) == (None, {"x": a, "y.1": b})
    assert fold({}) == (None, {}) and fold({"": b}) == (b, {})


def test_the_guide_tells_of_each_column(reference: Pack) -> None:
    words = guide(GAME.schema)
    for kind, spec in GAME.schema.all_kinds().items():
        assert f"## {kind}.csv" in words
        assert all(f"| `{column.path}` |" in words for column in columns_of(spec.model))


def test_written_leaves_out_what_is_usual_and_has_no_origin(reference: Pack) -> None:
    for kind, cards in all_cards(reference).items():
        for slug, card in cards.items():
            root = root_of(kind, slug)
            values = written(card, root, reference.origins)
            below = {path for path in reference.origins if packs.covers(root, path)}
            assert below <= {f"{root}.{path}" for path in origins_below(reference, root, values)}
            assert type(card).model_validate(values) == card


@settings(quick, max_examples=300)
@given(data=st.data())
def test_mutilated_sheets_are_read_or_refused(room: Path, data: st.DataObject) -> None:
    sheets = to_sheets(odd_pack({"a": plain_odd(), "b": plain_odd(title="B")}))
    name = data.draw(st.sampled_from(sorted(sheets)))
    for _ in range(data.draw(st.integers(1, 4))):
        old = sheets[name]
        place = data.draw(st.integers(0, len(old)))
        scrap = data.draw(
            st.binary(max_size=6) | st.sampled_from([b'"', b";", b",", b"\r\n", b"\0", b"\xff\xfe", b'"\\'])
        )
        sheets[name] = old[:place] + scrap + old[place + data.draw(st.integers(0, 40)) :]
    try:
        pack, _ = from_sheets(SCHEMA, put(room, sheets), "again")
    except Mistakes as mistakes:
        assert mistakes.mistakes and len(str(mistakes).splitlines()) == len(mistakes.mistakes)
    else:
        assert same(pack, there_and_back(pack, room))


# ---------------------------------------------------------------- what designers meet first


def titled(reference: Pack, title: str) -> dict[str, bytes]:
    """The sheets of the reference pack with another title for the Furball."""
    sheets = to_sheets(reference)
    text = sheets["enemy.csv"].decode("utf-8-sig").replace("Furball", title, 1)
    return sheets | {"enemy.csv": text.encode()}


@pytest.mark.parametrize(
    ("title", "encoding"),
    [
        ("Wygna\u0144cy \u017c\u00f3\u0142\u0107", "cp1250"),
        ("Kap\u0142an \u0105\u0119\u015b\u017a", "cp1250"),
        ("Gr\u00f6\u00dfe", "cp1252"),
    ],
)
def test_windows_encodings_are_told_apart(reference: Pack, room: Path, title: str, encoding: str) -> None:
    """FB3: by signs that stand within words in one of them."""
    sheets = titled(reference, title)
    sheets["enemy.csv"] = sheets["enemy.csv"].decode().encode(encoding)
    pack, notes = from_sheets(GAME.schema, put(room, sheets), "again")
    assert title in [card.title for card in pack.cards["enemy"].values()]
    assert [encoding[2:] in note for note in notes] == [True]


def test_an_encoding_with_two_meanings_is_refused(reference: Pack, room: Path) -> None:
    """FB3: Iskrzy\u0144ska and Iskrzy\u00f1ska are the same bytes."""
    sheets = titled(reference, "Iskrzy\u0144ska")
    sheets["enemy.csv"] = sheets["enemy.csv"].decode().encode("cp1250")
    (line,) = told(room, sheets)
    assert '"Iskrzy\u00f1ska" (Windows-1252) or "Iskrzy\u0144ska" (Windows-1250)' in line and "in UTF-8" in line


@pytest.mark.parametrize(
    "error", ["#REF!", "#NAME?", "#VALUE!", "#DIV/0!", "#N/A", "#NUM!", "#NULL!", "#ADR!", "Err:502"]
)
@pytest.mark.parametrize(("column", "called"), [(1, "title"), (3, "damage"), (0, "slug")])
def test_errors_of_a_spreadsheet_are_no_values(
    reference: Pack, room: Path, error: str, column: int, called: str
) -> None:
    """FB5: one line for each, by its cell."""
    sheets = to_sheets(reference)
    head, first, *rest = table(sheets["enemy.csv"])
    column = head.index(called)
    sheets["enemy.csv"] = sheet([head, [*first[:column], error, *first[column + 1 :]], *rest]).encode()
    lines = told(room, sheets)
    assert lines[0].startswith(f'enemy.csv row 2, {called} (column {chr(65 + column)}) is "{error}", an error')
    assert len(lines) == 1


def enemies(reference: Pack, change: Any, name: str = "enemy.csv") -> dict[str, bytes]:
    """The sheets of the reference pack with the rows of enemies changed, in a file of another name."""
    sheets = to_sheets(reference)
    return sheets | {name: sheet(change(table(sheets.pop("enemy.csv")))).encode()}


FIRST_MET: dict[str, Any] = {
    "a file of one of several sheets": lambda pack: enemies(pack, list, "My pack - enemy.csv"),
    "capitals in a file's name": lambda pack: enemies(pack, list, "Enemy.CSV"),
    "capitals and characters that can't be seen": lambda pack: enemies(
        pack, lambda rows: [[f"\u200b{name.title()}\ufeff" for name in rows[0]], *rows[1:]]
    ),
    "pandas' index": lambda pack: enemies(
        pack, lambda rows: [["", *rows[0]], *([str(i), *row] for i, row in enumerate(rows[1:]))]
    ),
    "pandas' index with its name": lambda pack: enemies(
        pack, lambda rows: [["Unnamed: 0", *rows[0]], *([str(i), *row] for i, row in enumerate(rows[1:]))]
    ),
    "a title above": lambda pack: enemies(pack, lambda rows: [["Our enemies, 2026"], [], *rows]),
    "totals below": lambda pack: enemies(pack, lambda rows: [*rows, ["Total", "", "", "12"]]),
    "dashes for minus": lambda pack: {
        name: data.decode().replace(",-1,", ",\u20131,").encode() for name, data in enemies(pack, list).items()
    },
}  # fmt: skip


@pytest.mark.parametrize("habit", FIRST_MET)
def test_what_designers_meet_first_is_read_where_it_has_one_meaning(reference: Pack, room: Path, habit: str) -> None:
    """FB7."""
    sheets = FIRST_MET[habit](reference)
    pack, notes = from_sheets(GAME.schema, put(room, sheets), "again")
    assert same(reference, pack)
    assert bool(notes) == (habit in ("a title above", "totals below"))


def test_two_files_that_mean_one_sheet_are_refused(reference: Pack, room: Path) -> None:
    """FB7: nobody knows which is meant."""
    sheets = to_sheets(reference)
    lines = told(room, sheets | {"My pack - enemy.csv": sheets["enemy.csv"]})
    assert len(lines) == 1 and "is there beside" in lines[0]
