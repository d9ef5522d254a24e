"""Card data, on a small game of its own: layers, origins, mistakes, values set by hand, storage."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from simcore import packs
from simcore.game import find_game
from simcore.packs import Card, Distinct, Kind, Listed, Mistake, Mistakes, Origin, Pack, Schema, Text, Title

Small = Annotated[int, Field(ge=0, le=6)]


class Skills(Card):
    brawl: Small
    talk: Small


class Crew(Card):
    title: Title
    skills: Skills
    tools: Listed[str]
    icons: Annotated[Distinct[Literal["near", "far"]], Field(min_length=1)]
    brave: bool
    level: Annotated[int, Field(ge=1, le=3)]
    text: Text


class Tool(Card):
    title: Title
    worth: Small


class Rules(Card):
    rounds: Small
    reading: Literal["strict", "loose"]


class Style(Card):
    heat: Small


BASE = {
    "pack.toml": '[pack]\ntitle = "Toy"\nabout = "A toy."\n',
    "crew.toml": """
[crew.ann]
title = "Ann, the 1st"
skills = { brawl = 1, talk = 2 }
tools = ["spade"]
icons = ["near"]
brave = true
level = 1
text = ""
from = { assumed = "an average hand" }
but.level = { rulebook = "T1-01" }
but.skills.talk = { public = "a preview" }
""",
    "tools.toml": '[tool.spade]\ntitle = "Spade"\nworth = 1\nfrom = { assumed = "cheap" }\n',
    "rules.toml": """
[rules]
rounds = 3
reading = "strict"
from = { rulebook = "T1-02" }
[style.calm]
heat = 0
""",
}


def write(folder: Path, files: Mapping[str, str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def schema(tmp_path: Path) -> Schema:
    """A toy game with a shipped pack."""
    write(tmp_path / "packs" / "reference", BASE)
    kinds = {
        "crew": Kind(Crew, 3, least=1, refs={"tools": ("tool",)}),
        "tool": Kind(Tool, 2),
        "rules": Kind(Rules, single=True),
        "style": Kind(Style, 2, sourced=False),
    }
    return Schema("toy", tmp_path / "packs", kinds)


def wrong(schema: Schema, *layers: Path | str, sets: Mapping[str, str] | None = None) -> dict[str, Mistake]:
    """The mistakes of a load by their place."""
    with pytest.raises(Mistakes) as caught:
        packs.load(schema, layers or ("reference",), sets)
    lines = str(caught.value).splitlines()
    assert len(lines) == len(caught.value.mistakes), "one line for each mistake"
    return {mistake.where: mistake for mistake in caught.value.mistakes}


def laid(schema: Schema, tmp_path: Path, text: str) -> dict[str, Mistake]:
    """The mistakes of a small file laid over the shipped pack."""
    return wrong(schema, "reference", write(tmp_path, {"over.toml": text}) / "over.toml")


# ---------------------------------------------------------------- what is right


def test_a_pack_is_read(schema: Schema) -> None:
    pack = packs.load(schema, ["reference"])
    ann = pack.cards["crew"]["ann"]
    assert (pack.name, pack.game, pack.title, pack.about) == ("reference", "toy", "Toy", "A toy.")
    assert ann.icons == ("near",) and ann.skills.talk == 2 and pack.cards["rules"][""].rounds == 3
    with pytest.raises(ValueError):
        ann.level = 2


def test_each_value_has_the_origin_written_nearest_to_it(schema: Schema) -> None:
    origins = packs.load(schema, ["reference"]).origins
    assert origins["crew.ann.level"] == Origin("rulebook", "T1-01")
    assert origins["crew.ann.skills.talk"] == Origin("public", "a preview")
    assert origins["crew.ann.skills.brawl"] == Origin("assumed", "an average hand")
    assert origins["rules.rounds"] == Origin("rulebook", "T1-02")


def test_the_share_of_assumed_numbers_counts_numbers_alone(schema: Schema) -> None:
    pack = packs.load(schema, ["reference"])
    assert [path for path, _, _ in pack.numbers("crew")] == [
        "crew.ann.skills.brawl",
        "crew.ann.skills.talk",
        "crew.ann.level",
    ]
    assert pack.assumed_share("crew", "ann") == (1, 3)
    assert pack.assumed_share() == (2, 5), "the style's heat needs no origin, true is no number"


def test_describe_leaves_out_prose_and_can_keep_to_the_assumed(schema: Schema) -> None:
    pack = packs.load(schema, ["reference"])
    rows = packs.describe(pack)
    assert ("crew", "Ann, the 1st", "level", 1, "rulebook: T1-01") in rows
    assert ("style", "style", "heat", 0, "") in rows
    assert not {"title", "text"} & {row.field for row in rows}
    assert {row.field for row in packs.describe(pack, only_assumed=True)} == {
        "skills.brawl", "tools.0", "icons.0", "brave", "worth",
    }  # fmt: skip


def test_a_small_file_changes_fields_and_their_origins_alone(schema: Schema, tmp_path: Path) -> None:
    text = "[crew.ann]\nlevel = 2\nskills = { brawl = 6 }\nbut.skills.brawl = { public = 'news' }\n"
    pack = packs.load(schema, ["reference", write(tmp_path, {"over.toml": text}) / "over.toml"])
    ann = pack.cards["crew"]["ann"]
    assert (ann.level, ann.skills.brawl, ann.skills.talk, ann.brave) == (2, 6, 2, True)
    assert pack.name == "reference + over.toml"
    assert pack.origins["crew.ann.level"] == Origin("assumed", "laid over by over.toml")
    assert pack.origins["crew.ann.skills.brawl"] == Origin("public", "news")
    assert pack.origins["crew.ann.skills.talk"] == Origin("public", "a preview")


def test_a_list_is_replaced_as_a_whole_with_its_origins(schema: Schema, tmp_path: Path) -> None:
    text = "[crew.ann]\nicons = ['far', 'near']\nfrom = { public = 'news' }\n[crew.bob]\n"
    text += "title = 'None'\nskills = { brawl = 0, talk = 0 }\ntools = []\nicons = ['far']\n"
    text += "brave = false\nlevel = 3\ntext = ''\n"
    path = write(tmp_path, {"over.toml": text}) / "over.toml"
    pack = packs.load(schema, ["reference", path], {"crew.ann.tools": "[]"})
    assert pack.cards["crew"]["ann"].icons == ("far", "near") and pack.cards["crew"]["bob"].title == "None"
    assert pack.origins["crew.ann.icons.1"] == Origin("public", "news")
    assert "crew.ann.tools.0" not in pack.origins
    assert pack.assumed_share("crew", "bob") == (3, 3)


@pytest.mark.parametrize("name", ["None", "NA", "null", "a, b", '"quoted"', "<b>&amp;</b>", "Ödön 漢", "🦀🧟‍♀️", "'"])
def test_odd_names_are_names(schema: Schema, tmp_path: Path, name: str) -> None:
    slug = json.dumps(name, ensure_ascii=False)
    text = f"[tool.{slug}]\ntitle = {slug}\nworth = 6\n"
    pack = packs.load(schema, ["reference", write(tmp_path, {"over.toml": text}) / "over.toml"])
    again = Pack.from_json(schema, pack.to_json())
    assert again.cards["tool"][name].title == name
    assert f"tool.{name}.worth" in again.origins


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_line_ends_of_other_systems_are_read(tmp_path: Path, line_end: str) -> None:
    text = BASE["rules.toml"].replace("\n", line_end)
    (tmp_path / "rules.toml").write_bytes(text.encode())
    assert packs.read_toml(tmp_path / "rules.toml") == tomllib.loads(BASE["rules.toml"])


def test_windows_files_are_read(schema: Schema, tmp_path: Path) -> None:
    path = tmp_path / "over.toml"
    path.write_bytes("\ufeff[rules]\r\nrounds = 5\r\n".encode())
    assert packs.load(schema, ["reference", path]).cards["rules"][""].rounds == 5


# ---------------------------------------------------------------- values set by hand


@pytest.mark.parametrize("key", ["crew.ann.level", "crew.Ann, the 1st.level", "crew.ANN, THE 1ST.level"])
def test_a_card_is_set_by_slug_or_title(schema: Schema, key: str) -> None:
    pack = packs.load(schema, ["reference"], {key: "3"})
    assert pack.cards["crew"]["ann"].level == 3
    assert pack.origins["crew.ann.level"] == Origin("assumed", "set by hand")
    assert pack.origins["crew.ann.skills.talk"] == Origin("public", "a preview")


def test_a_title_with_dots_can_be_set(schema: Schema, tmp_path: Path) -> None:
    path = write(tmp_path, {"o.toml": "[tool.digger]\ntitle = 'Digger 2.0'\nworth = 1\n"}) / "o.toml"
    assert packs.load(schema, ["reference", path], {"tool.Digger 2.0.worth": "4"}).cards["tool"]["digger"].worth == 4


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("true", True),
        ('"a"', "a"),
        ("strict", "strict"),
        ("[1, 2]", [1, 2]),
        ("", ""),
        ("1\nx = 2", "1\nx = 2"),
    ],
)
def test_a_value_typed_by_hand_is_toml_or_text(text: str, value: Any) -> None:
    assert packs.parse_value(text) == value


@pytest.mark.parametrize(
    ("key", "near"),
    [
        ("crwe.ann.level", "crew"),
        ("crew.an.level", "ann"),
        ("crew.ann.levle", "level"),
        ("crew.ann", ""),
        ("crew.ann.", ""),
        ("crew.ann.from", ""),
        ("rules.raunds", "rounds"),
        ("", ""),
    ],
)
def test_a_key_that_names_nothing_is_a_mistake(schema: Schema, key: str, near: str) -> None:
    (mistake,) = wrong(schema, "reference", sets={key: "1"}).values()
    assert mistake.nearest == near and mistake.allowed


# ---------------------------------------------------------------- what is wrong


def test_all_mistakes_of_all_files_come_at_once(schema: Schema, tmp_path: Path) -> None:
    files = {
        "a.toml": "[crew.ann]\nlevle = 2\ntools = ['spde']\nskills = { brawl = -1 }\n[tol.a]\n",
        "b.toml": "[rules]\nreading = 'strickt'\nrounds = 1.5\n",
    }
    found = wrong(schema, "reference", write(tmp_path / "over", files))
    assert found["crew.ann.levle"].nearest == "level" and "skills" in found["crew.ann.levle"].allowed
    assert found["crew.ann.tools.0"].nearest == "spade"
    assert found["crew.ann.skills.brawl"] == Mistake("crew.ann.skills.brawl", "is -1", "a whole number from 0 to 6")
    assert found["rules.reading"] == Mistake("rules.reading", 'is "strickt"', "strict, loose", "strict")
    assert "1.5" in found["rules.rounds"].wrong
    assert found["tol"].nearest == "tool"
    assert len(found) == 6


@pytest.mark.parametrize(
    "value",
    ["true", "1.0", "nan", "inf", "'1'", "[]", "1979-05-27", "7", "-1", "9" * 3000, "0x" + "f" * 3900],
)
def test_a_number_is_a_whole_number_in_its_range(schema: Schema, tmp_path: Path, value: str) -> None:
    found = laid(schema, tmp_path, f"[rules]\nrounds = {value}\n")
    assert found["rules.rounds"].allowed == "a whole number from 0 to 6"


def test_true_is_no_level_and_one_is_no_bool(schema: Schema, tmp_path: Path) -> None:
    found = laid(schema, tmp_path, "[crew.ann]\nlevel = true\nbrave = 1\nicons = []\n")
    assert found["crew.ann.level"].wrong == "is true" and found["crew.ann.brave"].allowed == "true or false"
    assert found["crew.ann.icons"].wrong == "is an empty list"


def test_a_card_by_a_wrong_name_is_told_in_one_line(schema: Schema, tmp_path: Path) -> None:
    (mistake,) = laid(schema, tmp_path, "[crew.anne]\nlevel = 3\n").values()
    assert mistake.where == "crew.anne" and mistake.nearest == "ann"
    assert mistake.wrong.startswith("is a new card, and lacks title, ") and "level" not in mistake.wrong


def test_a_missing_number_has_no_default(schema: Schema, tmp_path: Path) -> None:
    found = laid(schema, tmp_path, "[tool.rope]\ntitle = 'Rope'\n")
    assert found["tool.rope.worth"] == Mistake("tool.rope.worth", "is missing", "a whole number from 0 to 6")


def test_numbers_without_an_origin_are_a_mistake_even_in_a_broken_card(tmp_path: Path, schema: Schema) -> None:
    crew = BASE["crew.toml"].replace("from = ", "# from = ").replace("brave = true", "brave = 3")
    found = wrong(schema, write(tmp_path / "mine", {**BASE, "crew.toml": crew}))
    assert set(found) == {"crew.ann.from", "crew.ann.brave"}
    assert "skills.brawl" in found["crew.ann.from"].wrong and "talk" not in found["crew.ann.from"].wrong
    assert found["crew.ann.brave"].wrong == "is 3", "3 as a bool counts as a number without an origin, too"


@pytest.mark.parametrize(
    ("line", "where", "near"),
    [
        ("from = { asumed = 'x' }", "from.asumed", "assumed"),
        ("from = { assumed = '' }", "from.assumed", ""),
        ("from = { assumed = 3 }", "from.assumed", ""),
        ("from = 'assumed'", "from", ""),
        ("from = {}", "from", ""),
        ("from = { assumed = 'x', public = 'y' }", "from", ""),
        ("but = 3", "but", ""),
        ("but.levle = { assumed = 'x' }", "but.levle", "level"),
        ("but.skills.brawl = { assumed = 'x' }", "but.skills.brawl", ""),
        ("but.level = { asumed = 'x' }", "but.level.asumed", "assumed"),
    ],
)
def test_an_origin_is_one_of_three_with_a_text(
    schema: Schema, tmp_path: Path, line: str, where: str, near: str
) -> None:
    (mistake,) = laid(schema, tmp_path, f"[crew.ann]\nlevel = 2\n{line}\n").values()
    assert (mistake.where, mistake.nearest) == (f"crew.ann.{where}", near)


@pytest.mark.parametrize("slug", ["", " ", "a.b", "a=b", "a\\nb", "a\\u0000", " a", "x" * 65, "a\\u2028b"])
def test_some_slugs_are_refused(schema: Schema, tmp_path: Path, slug: str) -> None:
    (mistake,) = laid(schema, tmp_path, f'[tool."{slug}"]\ntitle = "T"\nworth = 1\n').values()
    assert "name" in mistake.wrong


@pytest.mark.parametrize("title", ["", "  ", "a\\tb", "a\\nb", "x" * 81])
def test_some_titles_are_refused(schema: Schema, tmp_path: Path, title: str) -> None:
    assert "tool.spade.title" in laid(schema, tmp_path, f'[tool.spade]\ntitle = "{title}"\n')


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("[tool.rope]\ntitle = 'Spade'\nworth = 1\n", "tool.rope.title"),
        ("[tool.a]\ntitle='A'\nworth=1\n[tool.b]\ntitle='B'\nworth=1\n", "tool"),
        ("tool = 3\n", "tool"),
        ("[tool]\nworth = 3\n", "tool.worth"),
        ("[[tool]]\nworth = 3\n", "tool"),
        ("[[rules]]\nrounds = 3\n", "rules"),
        ("[crew.ann]\nskills = 3\n", "crew.ann.skills"),
        ("[crew.ann.level]\nx = 3\n", "crew.ann.level"),
        ("[crew.ann]\nicons = ['far', 'far']\n", "crew.ann.icons"),
        ("[crew.ann]\ntools = [3]\n", "crew.ann.tools.0"),
        ("[crew.ann]\ntools = ['']\n", "crew.ann.tools.0"),
    ],
)
def test_shapes_that_are_no_cards(schema: Schema, tmp_path: Path, text: str, where: str) -> None:
    assert where in laid(schema, tmp_path, text)


def test_a_table_that_is_missing_is_named(schema: Schema, tmp_path: Path) -> None:
    found = wrong(schema, write(tmp_path / "mine", {"pack.toml": BASE["pack.toml"]}))
    assert set(found) == {"crew", "rules"} and found["crew"].allowed == "at least 1"


def test_the_same_card_in_two_files_is_a_mistake(schema: Schema, tmp_path: Path) -> None:
    found = wrong(schema, write(tmp_path / "mine", {**BASE, "z.toml": BASE["tools.toml"] + BASE["rules.toml"]}))
    assert found["tool.spade"].wrong == "is in both tools.toml and z.toml"
    assert found["rules"].wrong == "is in both rules.toml and z.toml"


def test_checks_across_cards_see_right_cards_and_all_slugs(schema: Schema, tmp_path: Path) -> None:
    seen: list[Any] = []

    def check(cards: Any, slugs: Any) -> list[Mistake]:
        seen.append((set(cards["tool"]), set(slugs["tool"])))
        return [Mistake("tool", "is odd")]

    strict = Schema("toy", schema.folder, schema.kinds, check)
    found = laid(strict, tmp_path, "[tool.rope]\ntitle = 'Rope'\n")
    assert seen == [({"spade"}, {"spade", "rope"})] and set(found) == {"tool", "tool.rope.worth"}


# ---------------------------------------------------------------- files


FILES: dict[str, bytes] = {
    "is empty": b"",
    "is empty ": b"# only a comment\n",
    "is empty  ": "\ufeff".encode(),
    "is not UTF-8 text": b"[rules]\nrounds = 1 # \xff\n",
    "is not UTF-8 text: byte 0xfc in line 2 is odd": "[rules]\nx = 'ü'\n".encode("cp1252"),
    "is UTF-16 text": "[rules]\n".encode("utf-16"),
    "is UTF-16 text ": b"\xfe\xff" + "[rules]\n".encode("utf-16-be"),
    "is UTF-16 or UTF-32 text": "[rules]\n".encode("utf-16-le"),
    "is UTF-32 text": "[rules]\n".encode("utf-32"),
    "is no text: it holds zero bytes": b"[rules]\n# \0\n",
    "is not TOML: expected ']' at the end of a table declaration, in line 2, which is \"[rules\"": b"\n[rules\n",
    'is not TOML: expected "\'", in line 3, which is "rounds = \'1"': b"\n[rules]\nrounds = '1\n",
    'gives "rounds" a second time, in line 3': b"[rules]\nrounds = 1\nrounds = 2\n",
    'gives "[rules]" a second time, in line 2': b"[rules]\n[rules]\n",
    'gives "b" a second time, in line 1': b"rules = { b = 1, b = 2 }\n",
    'gives "[rules.rounds]" a second time, in line 3': b"[rules]\nrounds = 1\n[rules.rounds]\n",
    "is not TOML: expected newline": b"rounds = 1 2\n",
    "is nested too deeply": b"a = " + b"[" * 1500 + b"]" * 1500,
    "is nested too deeply ": b"a = " + b"[" * 40 + b"]" * 40,
    "is nested too deeply  ": b".".join([b"a"] * 1500) + b" = 1",
    "has a line of more than": b"a = '" + b"x" * 5000 + b"'",
    "is too big": b"# comment\n" * 200_001,
}


@pytest.mark.parametrize("complaint", FILES)
def test_a_file_that_cannot_be_used_is_one_clear_line(tmp_path: Path, complaint: str) -> None:
    path = tmp_path / "odd.toml"
    path.write_bytes(FILES[complaint])
    with pytest.raises(Mistakes) as caught:
        packs.read_toml(path)
    (mistake,) = caught.value.mistakes
    assert mistake.where == str(path) and mistake.wrong.startswith(complaint.strip())
    assert "\n" not in str(mistake) and len(str(mistake)) < 400


def test_paths_that_are_no_files(tmp_path: Path, schema: Schema) -> None:
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    for path, complaint in (
        (tmp_path / "none.toml", "does not exist"),
        (tmp_path, "is a folder"),
        (fifo, "is not a plain file"),
        (tmp_path / ("x" * 300), "cannot be read"),
        ("a\0b", "does not exist"),
    ):
        with pytest.raises(Mistakes, match=complaint):
            packs.read_toml(path)
    (tmp_path / "empty").mkdir()
    assert "holds no .toml file" in wrong(schema, tmp_path / "empty")[str(tmp_path / "empty")].wrong
    assert wrong(schema, "refernce")["refernce"].nearest == "reference"
    assert list(wrong(schema, "reference", fifo)) == [str(fifo)]


def test_a_file_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def shut(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", shut)
    with pytest.raises(Mistakes, match="cannot be read: Permission denied"):
        packs.read_toml(write(tmp_path, {"shut.toml": "a = 1"}) / "shut.toml")


def test_control_characters_cannot_break_a_line() -> None:
    assert str(Mistake("a\nb", "is \x1b[31mred\u2028", "x\ty")).splitlines() == [
        "a\\nb is \\x1b[31mred\\u2028; allowed: x\\ty"
    ]


# ---------------------------------------------------------------- digest and storage


def test_the_digest_is_of_values_alone(schema: Schema, tmp_path: Path) -> None:
    digest = packs.load(schema, ["reference"]).digest
    reworded = {
        name: text.replace("an average hand", "why not").replace("A toy.", "Toys.") for name, text in BASE.items()
    }
    assert packs.load(schema, [write(tmp_path / "a", reworded)]).digest == digest
    one = write(tmp_path / "b", {"all.toml": "".join(BASE[name] for name in sorted(BASE, reverse=True))})
    assert packs.load(schema, [one]).digest == digest
    assert packs.load(schema, ["reference"], {"rules.rounds": "3"}).digest == digest
    assert packs.load(schema, ["reference"], {"rules.rounds": "4"}).digest != digest
    assert packs.load(schema, ["reference"], {"crew.ann.brave": "false"}).digest != digest


def test_a_stored_pack_comes_back_equal(schema: Schema) -> None:
    pack = packs.load(schema, ["reference"], {"crew.ann.level": "3"})
    again = Pack.from_json(schema, pack.to_json())
    assert again == pack and list(again.cards) == list(pack.cards) and again.to_json() == pack.to_json()


def test_a_damaged_stored_pack_is_found(schema: Schema) -> None:
    text = packs.load(schema, ["reference"]).to_json()
    for damaged in (
        text[:-1],
        "",
        "[" * 5000,
        text.replace('"level": 1', '"level": 2'),
        text.replace('"level": 1', '"level": 9'),
        text.replace('"game": "toy"', '"game": "joy"'),
        text.replace('"tool":', '"tol":'),
        text.replace('"crew.ann.level"', '"crew.ann.levle"'),
        text.replace('"assumed"', '"asumed"'),
    ):
        assert damaged != text
        with pytest.raises(Mistakes):
            Pack.from_json(schema, damaged)


# ---------------------------------------------------------------- pydantic's errors in other models


class Games(BaseModel):
    model_config = ConfigDict(extra="forbid")
    per_cell: int | None = Field(default=None, ge=1, le=10**9)
    precision: Annotated[float, Field(gt=0, lt=1)] = 0.5


class Setup(BaseModel):
    model_config = ConfigDict(extra="forbid")
    games: Games = Games()
    against: Literal["fair", "field"] | float | list[float] = "fair"
    bots: dict[str, Games] = {}
    pairs: list[tuple[str, int]] = []


@pytest.mark.parametrize(
    ("values", "where", "allowed", "near"),
    [
        ({"gams": 1}, "gams", "games, against, bots, pairs", "games"),
        ({"games": {"per_sell": 1}}, "games.per_sell", "per_cell, precision", "per_cell"),
        ({"games": {"per_cell": 0}}, "games.per_cell", "a whole number from 1 to 1000000000", ""),
        ({"games": {"precision": 1}}, "games.precision", "a number above 0 below 1", ""),
        ({"against": "feild"}, "against", "fair, field or a number or a list of items (a number)", "field"),
        ({"against": ["x"]}, "against.0", "a number", ""),
        ({"bots": {"a": {"precision": 0}}}, "bots.a.precision", "a number above 0 below 1", ""),
        ({"pairs": [["a", "x"]]}, "pairs.0.1", "a whole number", ""),
    ],
)
def test_mistakes_in_a_config_have_place_range_and_nearest_name(
    values: dict[str, Any], where: str, allowed: str, near: str
) -> None:
    model, mistakes = packs.validate(Setup, values, "")
    found = {mistake.where: mistake for mistake in mistakes}
    assert model is None and (found[where].allowed, found[where].nearest) == (allowed, near)


def test_nearest_ignores_case_and_gives_up_on_strangers() -> None:
    assert packs.nearest("HELL RAIDER", ["hell_raiders", "Hell Raiders"]) == "Hell Raiders"
    assert packs.nearest("zzz", ["abc"]) == "" and packs.nearest("", ["abc"]) == ""
    assert packs.nearest("x" * 10**6, ["xx"]) == ""


CHANGES = [
    {"enemy.hell_raiders.health": "3"},
    {"enemy.hell_raiders.health": "3", "ruling.same_way": "one_step", "knight.mel_gearson.skills.guns": "1"},
    {"enemy.hell_raiders.icons": '["melee"]'},
    {"enemy.Hell Raiders.health": "2"},
    {"enemy.hell_raiders.traits": "[]"},
    {"enemy.hell_raiders.health": "99", "enemy.hell.health": "1"},
    {"nothing.here": "1"},
    {"enemy.hell_raiders": "1"},
    {"enemy.hell_raiders.title": '"Scrap Hound"'},
    {"knight.mel_gearson.carries": '["no_such_card"]'},
    {"dials.health": "0"},
]


@pytest.mark.parametrize("sets", CHANGES)
def test_a_changed_pack_is_the_one_that_is_loaded_with_these_changes(sets: dict[str, str]) -> None:
    knights = find_game("knights.fight").schema
    below = packs.load(knights)
    digest = below.digest
    try:
        loaded = packs.load(knights, ("reference",), sets)
    except Mistakes as wrong:
        with pytest.raises(Mistakes) as found:
            below.changed(sets)
        assert set(found.value.mistakes) == set(wrong.mistakes)
    else:
        changed = below.changed(sets)
        assert changed == loaded and changed.digest == loaded.digest != digest and changed.seals == loaded.seals
        assert Pack.from_json(knights, changed.to_json()) == changed
    assert below == packs.load(knights) and below.digest == digest, "the pack below is left as it was"


# ---------------------------------------------------------------- departures from the book


class Laws(Card):
    hours: Small
    reading: Annotated[Literal["strict", "loose"], packs.Printed("strict", "T1-01")]
    other: Literal["yes", "no"]


LAWS = Schema("toy", Path("."), {"laws": Kind(Laws, single=True, sourced=False), "tool": Kind(Tool, 9)})
ABOUT = {"title": "Toy", "about": "A toy."}


def laws(**values: Any) -> Pack:
    """A pack of laws that departs from the book."""
    table = {"hours": 1, "reading": "loose", "other": "no", "departs": {"reading": "as people play it"}}
    return packs.from_tables(LAWS, "mine", {"pack": ABOUT, "laws": table | values, "tool": {}})


def test_departures_name_the_value_the_letter_and_the_reason() -> None:
    """FG1: a value that differs from the printed one, and any other for which the pack gives a reason."""
    line = "laws.reading = loose (by the book's letter: strict, T1-01): as people play it"
    assert list(map(str, laws().departures())) == [line]
    assert laws().against_the_book() == [f"departs from the book: {line}"]
    assert laws(reading="strict", departs={}).departures() == []
    more = laws(departs={"reading": "as people play it", "hours": "printed as 2"}).departures()
    assert (str(more[0]), len(more)) == ("laws.hours = 1: printed as 2", 2)
    assert packs.describe(laws())[1].origin == "departs from T1-01: as people play it"


def test_a_departure_without_a_reason_is_named_all_the_same() -> None:
    """FG1: also one that is set by hand; a changed value loses the reason that its old one had."""
    assert laws(departs={}).departures()[0].why == packs.NO_REASON
    kept, undone = laws().changed({"laws.hours": "3"}), laws().changed({"laws.reading": "strict"})
    assert [one.why for one in kept.departures()] == ["as people play it"] and undone.departures() == []
    again = undone.changed({"laws.reading": "loose"})
    assert [one.why for one in again.departures()] == [packs.NO_REASON]


def test_departures_are_stored_with_the_pack() -> None:
    """FG1: a run's report names those of the pack that was played."""
    assert Pack.from_json(LAWS, laws().to_json()) == laws()


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"departs": {"readin": "why"}}, "laws.departs.readin is no value of this card in this file; did you mean"),
        ({"departs": {"reading": " "}}, 'laws.departs.reading is " "; allowed: a table like departs.ties = "why"'),
        ({"departs": "why"}, 'laws.departs is "why"; allowed: a table like departs.ties = "why"'),
        ({"reading": "strict"}, 'laws.departs.reading is given, but "strict" is the book\'s letter'),
    ],
)
def test_reasons_that_make_no_sense_are_refused(values: dict[str, Any], told: str) -> None:
    with pytest.raises(Mistakes) as caught:
        laws(**values)
    assert told in str(caught.value)


def test_cards_of_a_deck_depart_from_nothing() -> None:
    table = {"hours": 1, "reading": "strict", "other": "no"}
    tool = {"title": "Saw", "worth": 1, "from": {"assumed": "why"}, "departs": {"worth": "why"}}
    with pytest.raises(Mistakes, match="is on a card"):
        packs.from_tables(LAWS, "mine", {"pack": ABOUT, "laws": table, "tool": {"saw": tool}})
