"""The commands of packs: new, diff, export, import; what they say, what they make, and that mistakes make nothing."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from experiments import cli
from experiments.config import load_setup
from simcore.game import find_game
from simcore.packs import load
from tests.conftest import Write

TOY = find_game("toy.fight").schema


def call(*arguments: object) -> Result:
    """One command, in this process."""
    return CliRunner().invoke(cli.app, [str(argument) for argument in arguments])


def done(*arguments: object) -> str:
    """What a command that must go well prints."""
    result = call(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(*arguments: object) -> list[str]:
    """The mistakes of a command that must do nothing."""
    result = call(*arguments)
    assert result.exit_code == 2 and result.stdout == "" and "Traceback" not in result.stderr, result.output
    return [line.removeprefix("mistake: ") for line in result.stderr.splitlines() if line.startswith("mistake: ")]


# ---------------------------------------------------------------- new


@pytest.mark.parametrize("name", ["knights", "knights.fight", "knights.duel"])
def test_a_new_pack_is_the_reference_with_its_comments(tmp_path: Path, name: str) -> None:
    told = done("pack", "new", name, tmp_path / "deep" / "mine")
    folder, schema = tmp_path / "deep" / "mine", find_game("knights.fight").schema
    source = schema.folder / "reference"
    assert {path.name for path in folder.iterdir()} == {path.name for path in source.glob("*.toml")} | {"README.md"}
    assert all((folder / path.name).read_bytes() == path.read_bytes() for path in source.glob("*.toml"))
    readme = (folder / "README.md").read_text("utf-8")
    assert (schema.folder / "README.md").read_text("utf-8") in readme
    for words in (
        "pack.toml",
        "wastelab pack check",
        "wastelab pack diff knights",
        "wastelab run knight_fights --pack",
    ):
        assert words in told and words in readme
    assert "rules.toml: dials, combat, ruling" in told and "knights.toml: 13 knight" in told
    assert "no mistakes" in done("pack", "check", folder)
    assert done("pack", "diff", "reference", folder, "--game", "knights") == "no difference\n"


def test_a_new_pack_may_fill_an_empty_folder_but_no_other(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done("pack", "new", "toy", tmp_path / "empty")
    assert (tmp_path / "empty" / "toy.toml").is_file()
    (line,) = refused("pack", "new", "toy", tmp_path / "empty")
    assert line == f"{tmp_path / 'empty'} is not empty; allowed: a new or an empty folder"
    (tmp_path / "file").write_text("x")
    assert "is a file" in refused("pack", "new", "toy", tmp_path / "file")[0]
    assert "cannot be written" in refused("pack", "new", "toy", tmp_path / "file" / "below")[0]
    assert refused("pack", "new", "knihgts", tmp_path / "b")[0].endswith("did you mean knights?")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "file"]


@pytest.mark.skipif(os.name == "nt" or os.getuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert "cannot be written" in refused("pack", "new", "toy", tmp_path / "deep" / "mine")[0]


# ---------------------------------------------------------------- diff


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A pack of toys with changes of every kind."""
    folder = tmp_path / "mine"
    done("pack", "new", "toy", folder)
    (folder / "toy.toml").write_text("""
[pack]
title = "My toys"
about = "Throwers of dice, for tests of the experiments."
[rules]
rout = 6
from = { rulebook = "T1" }
[runner.steady]
title = "Steady"
dice = 3
sides = 4
from = { public = "a preview" }
[runner.swift]
title = "Swift"
dice = 2
sides = 8
from = { assumed = "a toy" }
[hound.pup]
title = "Pup"
dice = 1
sides = 6
from = { assumed = "a toy" }
but.sides = { rulebook = "T2" }
[hound.grim]
title = "Grim <b>&\\"Co\\"</b>"
dice = 3
sides = 6
from = { assumed = "a toy" }
[hound.new]
title = "New"
dice = 1
sides = 2
from = { assumed = "a new toy" }
""")
    return folder


def test_a_diff_tells_card_by_card_what_changed(mine: Path) -> None:
    assert done("pack", "diff", "toy", mine).splitlines() == [
        "+ hound.new (New) added",
        "- runner.None (None) removed",
        "pack",
        "    title: Toys -> My toys",
        "runner.steady (Steady)",
        "    origin of title, dice, sides: assumed: a toy -> public: a preview",
        "runner.swift (Swift)",
        "    sides: 6 -> 8",
        "hound.pup (Pup)",
        "    origin of sides: assumed: a toy -> rulebook: T2",
        "rules",
        "    rout: 5 -> 6",
        "    origin of rout: assumed: a toy -> rulebook: T1",
        "runner: the cards stand in another order",
        "cards: 1 added, 1 removed, 5 changed",
    ]


def test_a_diff_in_json_holds_plain_values(mine: Path) -> None:
    found = json.loads(done("pack", "diff", "reference", mine, "--json"))
    assert (found["a"], found["b"], found["equal"], found["order"]) == ("reference", "mine", False, ["runner"])
    assert found["added"] == [{"kind": "hound", "slug": "new", "title": "New"}]
    assert found["removed"] == [{"kind": "runner", "slug": "None", "title": "None"}]
    swift = {"kind": "runner", "slug": "swift", "title": "Swift", "field": "sides", "old": 6, "new": 8}
    assert swift in found["changed"] and len(found["changed"]) == 3
    rout = {"fields": ["rout"], "old": "assumed: a toy", "new": "rulebook: T1"}
    assert {"kind": "rules", "slug": "", "title": "", **rout} in found["origins"] and len(found["origins"]) == 3
    same = json.loads(done("pack", "diff", mine, mine, "--json"))
    assert same["equal"] and same["changed"] == same["origins"] == same["added"] == same["order"] == []


def test_a_small_file_is_compared_with_what_it_lies_over(tmp_path: Path) -> None:
    over = tmp_path / "over.toml"
    over.write_text("[enemy.scrap_hound]\neffects = []\nhealth = 3\n[ruling]\nsame_way = 'one_step'\n")
    told = done("pack", "diff", "knights", over)
    assert "enemy.scrap_hound (Scrap Hound)\n    health: 2 -> 3\n    effects: start: 2 start_range self; " in told
    assert "-> (empty)\n    origin of health: assumed: a starved dog" in told
    assert "ruling\n    same_way: two_steps -> one_step\n" in told
    assert done("pack", "diff", over, over) == "no difference\n"


def test_packs_that_cannot_be_compared_are_told(mine: Path) -> None:
    assert "two games: knights and toy" in refused("pack", "diff", "knights", "toy")[0]
    assert "does not exist" in refused("pack", "diff", "knights", mine / "nowhere")[0]
    assert refused("pack", "diff", "reference", mine, "--game", "toyy")[0].startswith("--game is 'toyy'")


# ---------------------------------------------------------------- sheets


@pytest.mark.parametrize("separator", ["comma", "semicolon", "tab"])
def test_a_pack_goes_through_sheets_and_runs(mine: Path, tmp_path: Path, config: Write, separator: str) -> None:
    told = done("pack", "export", mine, tmp_path / "csv", "--csv", "--separator", separator)
    assert "runner.csv" in told and "wastelab pack import" in told
    assert "6 cards, no mistakes; 7 of 11 numbers are assumed" in done(
        "pack", "import", tmp_path / "csv", tmp_path / "back"
    )
    old, new = load(TOY, [mine]), load(TOY, [tmp_path / "back"])
    assert old.digest == new.digest and old.origins == new.origins and old.cards == new.cards
    assert done("pack", "diff", mine, tmp_path / "back") == "no difference\n"
    done("pack", "export", tmp_path / "back", tmp_path / "again", "--csv", "--separator", separator)
    for path in (tmp_path / "csv").iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()
    layer = json.dumps([str(tmp_path / "back")])
    setup = load_setup(config(), [f"pack={layer}"])
    assert setup.pack.name == "back" and setup.tables.data.tobytes() != load_setup(config()).tables.data.tobytes()
    assert "Swift" in done("run", config(), "--set", f"pack={layer}", "--games", 10, "--out", tmp_path / "results")


def test_mistakes_in_sheets_make_no_folder(tmp_path: Path) -> None:
    done("pack", "export", "toy", tmp_path / "csv", "--csv")
    path = tmp_path / "csv" / "runner.csv"
    path.write_bytes(path.read_bytes().replace(b"Swift,2,6", b"Swift,9,6.5"))
    assert refused("pack", "import", tmp_path / "csv", tmp_path / "back") == [
        "runner.csv row 2, dice (column C) is 9; allowed: a whole number from 1 to 5",
        'runner.csv row 2, sides (column D) is "6.5"; allowed: a whole number from 2 to 20',
    ]
    assert not (tmp_path / "back").exists()
    assert "is not empty" in refused("pack", "import", tmp_path / "csv", tmp_path / "csv")[0]
    assert "does not exist" in refused("pack", "import", tmp_path / "nowhere", tmp_path / "back")[0]
    assert refused("pack", "export", "toy", tmp_path / "b", "--separator", "coma")[0].endswith("did you mean comma?")
    assert "is not empty" in refused("pack", "export", "toy", tmp_path / "csv", "--csv")[0]


def test_a_remark_on_the_encoding_is_no_mistake(tmp_path: Path) -> None:
    done("pack", "export", "toy", tmp_path / "csv", "--csv")
    path = tmp_path / "csv" / "runner.csv"
    path.write_bytes(path.read_bytes().removeprefix(b"\xef\xbb\xbf").replace(b"Swift", "Schnölle".encode("cp1252")))
    result = call("pack", "import", tmp_path / "csv", tmp_path / "back")
    assert result.exit_code == 0 and "runner.csv is not in UTF-8: read as Windows-1252" in result.stderr
    assert load(TOY, [tmp_path / "back"]).cards["runner"]["swift"].title == "Schnölle"


# ---------------------------------------------------------------- cards that never enter a game

REPLACED = "token.supplies can never enter a game: token.supplies_with_water has taken its place"


@pytest.mark.parametrize(
    ("game", "sets", "named"),
    [
        ("knights.board", {"gear.toolbox.colour": "start"}, {"gear.toolbox": "no deck holds starting gear"}),
        ("knights.board", {"armor.powered_frame.colour": "blue"}, {"armor.powered_frame": "no task gives it"}),
        ("knights.board", {"weapon.rail_lance.colour": "blue"}, {"weapon.rail_lance": "no task gives it"}),
        (
            "knights.board",
            {"weapon.rail_lance.colour": "blue", "task.speed_record.gives": "rail_lance"},
            {"vehicle.muscle_car": "no task gives it"},
        ),
        (
            "knights.board",
            {f"task.{task}.rewards": '[{when="reward",what="fuel",whom="self",many=1}]' for task in ("cutting_edge",)},
            {f"enhancement.{slug}": "or any implant" for slug in ("cyber_arm", "night_eye", "voice_box", "rib_case")},
        ),
        ("mech", {"crew.brute.abilities": '["bloodlust"]'}, {"ability.counterblow": "no crew member has it"}),
        ("gangs", {"rules.market": "1"}, {}),
        ("voyage", {"knight.trader.gear": '["oar"]'}, {"gear.outback_knife": "no knight starts with it"}),
    ],
)
def test_cards_that_can_never_enter_a_game_are_named(game: str, sets: dict[str, str], named: dict[str, str]) -> None:
    """FK3. Every card of the reference packs can, but for a token that is there to be replaced (V5-05)."""
    reference = load(find_game(game).schema)
    assert [str(card) for card in reference.unplayed() if str(card) != REPLACED] == []
    found = {card.where: card.why for card in reference.changed(sets).unplayed() if str(card) != REPLACED}
    assert found.keys() == named.keys()
    assert all(why in found[where] for where, why in named.items())


def test_ports_out_of_reach_are_named_with_all_that_is_there() -> None:
    """FK3. Two islands that are joined to each other alone: their cards, too, can never be drawn."""
    islands = {
        "route.perth_project_x.ends": '["trash_city", "project_x"]',
        "route.sydney_trash_city.ends": '["sydney", "darwin"]',
        "route.brisbane_trash_city.ends": '["brisbane", "adelaide"]',
    }
    pack = load(find_game("voyage").schema).changed(islands)
    there = [slug for slug, card in pack.cards["destination"].items() if card.port in ("trash_city", "project_x")]
    named = {card.where for card in pack.unplayed() if str(card) != REPLACED}
    expected = {"port.trash_city", "port.project_x", "route.perth_project_x"}
    assert named == expected | {f"destination.{slug}" for slug in there} and len(there) > 3


def test_an_empty_market_keeps_all_mercenaries_out(tmp_path: Path) -> None:
    """FK3. The check names them, and the pack is right all the same."""
    (tmp_path / "no_market.toml").write_text("[rules]\nmarket = 0\nfrom = { assumed = 'none' }\n", "utf-8")
    told = done("pack", "check", tmp_path / "no_market.toml")
    for slug in load(find_game("gangs").schema).cards["mercenary"]:
        assert f"mercenary.{slug} can never enter a game: the market is empty (rules.market = 0)" in told
    assert "no mistakes" in told
