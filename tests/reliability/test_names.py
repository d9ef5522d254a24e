"""Roles whose names are easily lost or broken come unharmed through all that is made of a run of a real game."""

from __future__ import annotations

import json
import tomllib
import unicodedata
from base64 import b64decode
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pandas as pd
import pytest
from typer.testing import CliRunner, Result

from experiments import cli
from experiments.config import toml_key, toml_value
from experiments.csv_files import read_summary
from experiments.ledger import open_run
from experiments.plots import LABEL
from simcore.game import find_game
from simcore.packs import Mistakes, load

SCHEMA = find_game("knights.fight").schema
TOUCHED = "touched-by-a-name"
KNIGHTS = {
    "None": "None", "NA": "NA", "null": "null", "nan": "nan", "true": "true", "1e5": "1e5", "a, b; c": "a, b; c",
    'say "x"': 'Big "Joe" \'s', "<b>": "<script>alert(1)</script>&amp;<b>", "Größe": "Größe & Łódź",
    "\U0001f980": "\U0001f980\U0001f9df\u200d♂️", "عربى": "عربى עברית", "e\u0301": "Ange\u0301lique", "漢字": "漢字かな",
    "W" * 64: "W" * 80, "[bold]": "[bold]x[/bold] [/]", "%s": "%s {0.x} $x_1$ \\frac", "+1": "=cmd|' /C calc'!A0",
    "{{ 7 * 7 }}": "{{ 7 * 7 }}{% raw %}",
}  # fmt: skip
"""Slugs and titles."""

ENEMIES = {
    "NULL": "NULL", "winner": "Nobody", "seat1": 'Grim <i>&"Co"</i>', f"$(touch {TOUCHED})": f"`touch {TOUCHED}`",
    "-x": "-x", "all of them": "all", "\\": "a\\b", "'; --": "'); DROP TABLE chunks; --", "/up": "../../up", "#": "#",
}  # fmt: skip


def layer(kind: str, names: dict[str, str]) -> str:
    """A layer of cards of a kind by these names; what is on them is copied from the first card of the reference."""
    files = sorted((SCHEMA.folder / "reference").glob("*.toml"))
    cards = next(table[kind] for table in map(_tables, files) if kind in table)
    text = ""
    for slug, title in names.items():
        card = next(iter(cards.values())) | {"title": title}
        rows = [f"{toml_key(key)} = {toml_value(value)}" for key, value in card.items()]
        text += "\n".join([f"[{kind}.{toml_key(slug)}]", *rows, ""])
    return text


def _tables(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text("utf-8"))


def call(*arguments: object) -> Result:
    """A command in this process that does what it is asked."""
    result = CliRunner().invoke(cli.app, [str(argument) for argument in arguments], env={"COLUMNS": "250"})
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished run of all those knights against all those enemies."""
    folder = tmp_path_factory.mktemp("names")
    (folder / "odd.toml").write_text(layer("knight", KNIGHTS) + layer("enemy", ENEMIES), encoding="utf-8")
    lineup = f"knights = {toml_value(list(KNIGHTS))}\nenemies = {toml_value(list(ENEMIES))}\n"
    head = 'title = "Odd <names>"\nseed = 3\ngame = "knights.fight"\npack = ["reference", "odd.toml"]\n'
    (folder / "odd names.toml").write_text(f"{head}[lineup]\n{lineup}[games]\nper_cell = 40\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def shown(room: Path) -> Result:
    """What the run showed in a terminal."""
    return call("run", room / "odd names.toml", "--out", room / "results", "--jobs", 1)


@pytest.fixture(scope="module")
def folder(room: Path, shown: Result) -> Path:
    """The run's folder."""
    (found,) = (room / "results").iterdir()
    return found


def test_the_terminal_shows_every_title(shown: Result) -> None:
    text = "".join(shown.stdout.split())
    for title in (*KNIGHTS.values(), *ENEMIES.values()):
        assert "".join(title.split()) in text, title


def test_the_ledger_holds_every_name(folder: Path) -> None:
    run = open_run(folder)
    assert [role.slug for role in run.tables.roles["knights"]][-len(KNIGHTS) :] == list(KNIGHTS)
    assert {slug: run.pack.cards["knight"][slug].title for slug in KNIGHTS} == KNIGHTS
    assert {cell.lineup for cell in run.plan.cells} == {(knight, enemy) for knight in KNIGHTS for enemy in ENEMIES}
    run.close()
    assert call("verify", folder).stdout.splitlines()[-1].startswith("VERIFIED")


def test_pandas_reads_every_name_back(folder: Path) -> None:
    """FB6, FR6: a spreadsheet takes none of them for a formula, and all come back."""
    cells = pd.read_csv(folder / "summary.csv", keep_default_na=False, dtype=str)
    assert not any(cell.startswith(("=", "+", "-", "@")) for name in ("role", "lineup") for cell in cells[name])
    assert {"'+1", "'-x"} <= set(cells["role"])
    table = read_summary(folder / "summary.csv")
    own = table[table["cell"] == "field"]
    assert set(own["role"]) - {""} == {*KNIGHTS, *ENEMIES}
    assert list(dict.fromkeys(own.loc[own["side"] == "knights", "role"])) == list(KNIGHTS)
    assert set(table.loc[table["cell"] != "field", "lineup"]) == {f"{k} vs {e}" for k in KNIGHTS for e in ENEMIES}


def test_json_holds_every_name(room: Path, folder: Path) -> None:
    found = json.loads(call("run", room / "odd names.toml", "--out", room / "results", "--json").stdout)
    assert {row["role"] for row in found["rows"]} - {None} == {*KNIGHTS, *ENEMIES}


class Page(HTMLParser):
    """What a reader sees of a page, and the tags that it has."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.text, self.tags, self.inside, self.pictures = "", list[str](), "", list[str]()
        self.feed(path.read_text("utf-8"))
        self.close()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        self.inside = tag
        kind, comma, data = dict(attrs).get("src", "").partition(",")
        if comma and "svg" in kind:
            self.pictures += ElementTree.fromstring(b64decode(data)).itertext()

    def handle_data(self, data: str) -> None:
        if self.inside not in ("script", "style"):
            self.text += data


def test_the_report_shows_every_title_as_it_is(folder: Path) -> None:
    page = Page(folder / "report.html")
    for title in (*KNIGHTS.values(), *ENEMIES.values()):
        assert title in page.text, title
    assert "Odd <names>" in page.text and page.tags.count("script") <= 1


def test_the_pictures_show_every_title_as_it_is(folder: Path) -> None:
    drawn = "".join(Page(folder / "report.html").pictures)
    for title in (*KNIGHTS.values(), *ENEMIES.values()):
        assert title[: len(title) if len(title) <= LABEL else LABEL - 10] in drawn, title


@pytest.mark.parametrize("slug", KNIGHTS)
def test_a_game_of_each_is_told_and_written_as_a_page(room: Path, folder: Path, slug: str) -> None:
    told = call("replay", folder, "--cell", f"{slug} vs winner", "--game", 7, "--html", room / "page.html")
    assert f"{KNIGHTS[slug]} against Nobody" in told.stdout
    page = Page(room / "page.html")
    assert KNIGHTS[slug] in page.text and page.tags.count("script") == 0


def test_games_are_found_by_odd_names(folder: Path) -> None:
    for slug in KNIGHTS:
        pair = call("replay", folder, "--first-with", f"role={slug}")
        assert f"{KNIGHTS[slug]} against" in pair.stdout
    for slug in ("None", "1e5", "a, b; c", "Größe", "عربى", "[bold]"):
        assert f"{KNIGHTS[slug]} against" in call("replay", folder, "--where", f"role = '{slug}'").stdout


def test_spreadsheets_bring_every_name_back(room: Path, folder: Path) -> None:
    pack = load(SCHEMA, ["reference", room / "odd.toml"])
    for separator in ("comma", "semicolon"):
        sheets, again = room / f"sheets {separator}", room / f"again {separator}"
        call("pack", "export", room / "odd.toml", sheets, "--csv", "--separator", separator)
        call("pack", "import", sheets, again)
        assert load(SCHEMA, [again]).cards == pack.cards
        for file in sheets.glob("*.csv"):
            assert not [line for line in file.read_text("utf-8-sig").splitlines() if line[:1] in "=+@"]


def test_a_pack_is_shown_and_compared_by_every_name(room: Path) -> None:
    said = call("pack", "show", room / "odd.toml").stdout, call("pack", "diff", "knights", room / "odd.toml").stdout
    for title in KNIGHTS.values():
        assert all(title in text for text in said), title


def test_nothing_was_run(room: Path, folder: Path) -> None:
    assert not list(room.rglob(TOUCHED)) and not Path(TOUCHED).exists()


@pytest.mark.parametrize("blank", ["", " ", "\t", "\u00a0", "\u2003", "\u200b", "\ufeff", "\u3000 "])
def test_empty_and_blank_names_are_refused(tmp_path: Path, blank: str) -> None:
    for names in ({blank: "Somebody"}, {"somebody": blank}):
        path = tmp_path / "blank.toml"
        path.write_text(layer("knight", names), encoding="utf-8")
        with pytest.raises(Mistakes) as caught:
            load(SCHEMA, ["reference", path])
        lines = str(caught.value).splitlines()
        assert all("".join(c for c in line if unicodedata.category(c)[0] != "Z").strip() for line in lines)
