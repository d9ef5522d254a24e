"""The command line: what is said where, exit codes, and that nothing is done when anything is wrong."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import sqlite3
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.testing import CliRunner, Result

from experiments import cli, terminal
from experiments.config import load_config, shipped_configs
from experiments.ledger import open_run
from experiments.lineups import Dealt
from experiments.sweeps import Points
from tests.conftest import Write, play_config, tallies
from tests.reliability.commands import FIRST, MAIN

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.usefixtures("unpainted")


def call(*arguments: object) -> Result:
    """One command, in this process."""
    return CliRunner().invoke(cli.app, [str(argument) for argument in arguments])


@pytest.fixture
def played(config: Write, tmp_path: Path) -> Path:
    """The folder of a finished run."""
    result = call("run", config(), "--out", tmp_path / "results", "--jobs", 1)
    assert result.exit_code == 0, result.output
    (folder,) = (tmp_path / "results").iterdir()
    return folder


def test_a_run_writes_three_files_and_shows_its_roles(config: Write, tmp_path: Path) -> None:
    result = call("run", config(), "--out", tmp_path / "results")
    assert result.exit_code == 0
    (folder,) = (tmp_path / "results").iterdir()
    assert {path.name for path in folder.iterdir()} == {"ledger.sqlite", "summary.csv", "report.html"}
    for name in ("ledger.sqlite", "summary.csv", "report.html"):
        assert f"{folder / name}" in result.stdout
    swift, steady = result.stdout.index("Swift"), result.stdout.index("Steady")
    table = pd.read_csv(folder / "summary.csv", keep_default_na=False).query("cell == 'field' and measure == 'share'")
    values = table.set_index("role")["value"].astype(float)
    assert (swift < steady) == (values["swift"] > values["steady"])
    assert f"{100 * values['swift']:.2f}" in result.stdout
    assert 'Grim <b>&"Co"</b>' in result.stdout
    assert re.search(r"undecided; more games that it would take, about: (\w+ [\d,]+(, )?)+\n", result.stdout)


def test_json_goes_to_stdout_alone(config: Write, tmp_path: Path) -> None:
    path = config(game="toy.duel", games=301)
    result = call("run", path, "--out", tmp_path / "results", "--json")
    found = json.loads(result.stdout)
    assert set(found) == {"run", "games", "seconds", "rows"} and found["games"] == 906
    assert Path(found["run"]).is_dir()
    assert "rounded up to whole blocks of 2 seatings" in result.stderr
    assert {row["interval"] for row in found["rows"]} == {"wilson", "student", "resampled", None}


def test_a_finished_run_is_shown_again_with_the_same_numbers(config: Write, tmp_path: Path, played: Path) -> None:
    before = (played / "summary.csv").read_bytes(), tallies(open_run(played))
    result = call("run", config(), "--out", tmp_path / "results")
    assert result.exit_code == 0 and "finished already" in result.stderr
    assert list((tmp_path / "results").iterdir()) == [played]
    assert ((played / "summary.csv").read_bytes(), tallies(open_run(played))) == before


def test_a_finished_run_is_judged_by_the_config_as_it_is_now(config: Write, tmp_path: Path, played: Path) -> None:
    before, out = tallies(open_run(played)), tmp_path / "results"
    again = ("run", config(), "--out", out, "--set", "verdict.tolerance=0.25", "--set", "title=Other words")
    result = call(*again)
    assert result.exit_code == 0 and list(out.iterdir()) == [played]
    told = [line for line in result.stderr.splitlines() if line.startswith("judged by")]
    assert [line.partition(": ")[2] for line in told] == [
        'title was "Who throws best?" and is "Other words"', "verdict.tolerance was 0.02 and is 0.25"
    ]  # fmt: skip
    run = open_run(played)
    assert run.config.verdict.tolerance == 0.25 and run.config.title == "Other words" and tallies(run) == before
    assert "Other words" in (played / "report.html").read_text("utf-8")
    assert "judged by" not in call(*again).stderr and call("verify", played).exit_code == 0


def test_a_run_with_games_added_keeps_them_when_it_is_judged_anew(config: Write, tmp_path: Path, played: Path) -> None:
    assert call("resume", played, "--games", 600).exit_code == 0
    result = call("run", config(), "--out", tmp_path / "results", "--set", "verdict.against=fair")
    assert result.exit_code == 0 and 'verdict.against was "field" and is "fair"' in result.stderr
    run = open_run(played)
    assert run.finished and {cell.games for cell in run.plan.cells} == {600} and run.config.verdict.against == "fair"


def test_origins_are_those_of_the_pack_as_it_is_now(config: Write, tmp_path: Path) -> None:
    layer, out = tmp_path / "layer.toml", tmp_path / "results"
    path = config(more="")
    path.write_text(path.read_text().replace("[games]", 'pack = ["reference", "layer.toml"]\n[games]'))
    shares = []
    for origin in ("assumed = 'a guess'", "public = 'a shop'"):
        layer.write_text(f"[hound.pup]\ndice = 2\nfrom = {{ {origin} }}\n")
        result = call("run", path, "--out", out)
        (folder,) = out.iterdir()
        shares.append(open_run(folder).pack.assumed_share("hound", "pup"))
    assert shares == [(2, 2), (1, 2)] and "where they come from" in result.stderr


def test_all_mistakes_are_told_and_no_folder_is_made(config: Write, tmp_path: Path) -> None:
    path = config(games=-5, more='\n[lineup]\nrunners = ["stedy"]\n\n[tabel]\nthrows = 2\n')
    out = tmp_path / "results"
    result = call("run", path, "--out", out)
    assert result.exit_code == 2 and result.stdout == "" and not out.exists()
    lines = [line for line in result.stderr.splitlines() if line.startswith("mistake: ")]
    assert len(lines) == 3
    for where, right in (("games.per_cell", "from 1"), ("lineup.runners", "steady?"), ("tabel", "table?")):
        assert any(where in line and right in line for line in lines)


def test_of_many_mistakes_the_first_are_shown(config: Write) -> None:
    result = call("run", config(more="\n" + "".join(f"odd{i} = {i}\n" for i in range(80))), "--print-config")
    lines = result.stderr.splitlines()
    assert result.exit_code == 2 and len(lines) == terminal.MOST_TOLD + 1
    assert lines[-1] == "80 mistake(s), 30 more than are shown; nothing was done"


def test_columns_stand_straight_whatever_is_in_them(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.columns([("漢字", "1"), ("e\u0301", "2"), ("abcd", "3")])
    assert capsys.readouterr().out == "漢字  1\ne\u0301     2\nabcd  3\n"
    terminal.columns([])
    assert capsys.readouterr().out == ""


def test_print_config_writes_everything_out_and_plays_nothing(config: Write, tmp_path: Path) -> None:
    result = call("run", config(), "--set", "hound.pup.dice=4", "--out", tmp_path / "results", "--print-config")
    assert result.exit_code == 0 and not (tmp_path / "results").exists()
    printed = tomllib.loads(result.stdout)
    assert printed["changes"] == {"hound.pup.dice": 4} and printed["bots"]["hound"] == "regular"
    (tmp_path / "again.toml").write_text(result.stdout, encoding="utf-8")
    assert load_config(tmp_path / "again.toml") == load_config(config(), ("hound.pup.dice=4",))


def test_games_and_sets_change_what_is_played(config: Write, tmp_path: Path) -> None:
    result = call("run", config(), "--games", 50, "--set", "lineup.runners=swift", "--out", tmp_path / "r", "--json")
    found = json.loads(result.stdout)
    assert found["games"] == 100


STRONG = "[hound.pup]\ndice = 5\n"
"""A small pack to lay over another."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to stand in."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def whole_pack(folder: Path, dice: int) -> Path:
    """A whole pack of the toys, its pup with so many dice."""
    text = (ROOT / "tests" / "toy_packs" / "reference" / "toy.toml").read_text("utf-8")
    head, pup = text.split("[hound.pup]")
    folder.mkdir(parents=True)
    (folder / "toy.toml").write_text(f"{head}[hound.pup]{re.sub('dice = [0-9]+', f'dice = {dice}', pup, count=1)}")
    return folder


def pup_of(out: Path) -> tuple[int, str]:
    """The dice of the pup in the one run of a folder, and the pack's name."""
    (folder,) = out.iterdir()
    run = open_run(folder)
    return run.pack.cards["hound"]["pup"].dice, run.pack.name


def test_a_small_file_is_laid_over_the_pack_and_named_everywhere(config: Write, here: Path) -> None:
    (here / "strong.toml").write_text(STRONG)
    assert call("run", config(), "--pack", "strong.toml").exit_code == 0
    assert pup_of(here / "results") == (5, "reference + strong.toml")
    (folder,) = (here / "results").iterdir()
    assert open_run(folder).config.pack == ("reference", "strong.toml")
    assert "reference + strong.toml" in (folder / "report.html").read_text("utf-8")
    printed = call("run", config(), "--pack", "strong.toml", "--print-config").stdout
    (here / "again.toml").write_text(printed)
    assert tomllib.loads(printed)["pack"] == ["reference", "strong.toml"]
    assert load_config(here / "again.toml").pack == ("reference", "strong.toml")


def test_a_folder_comes_in_the_packs_place_and_files_over_it(config: Write, here: Path) -> None:
    whole_pack(here / "mine", 3)
    (here / "strong.toml").write_text(STRONG)
    for i, (layers, found) in enumerate(
        {
            ("mine",): (3, "mine"),
            ("mine", "strong.toml"): (5, "mine + strong.toml"),
            ("strong.toml", "mine"): (3, "reference + strong.toml + mine"),
            ("reference",): (1, "reference"),
            (str(here / "mine"),): (3, "mine"),
        }.items()
    ):
        given = [part for layer in layers for part in ("--pack", layer)]
        result = call("run", config(games=10, more="\n[changes]\n'hound.grim.dice' = 2\n"), *given, "--out", f"r{i}")
        assert result.exit_code == 0, result.output
        assert pup_of(here / f"r{i}") == found


def test_paths_of_the_command_line_are_where_one_stands_and_those_of_a_config_beside_it(
    config: Write, here: Path
) -> None:
    path = config(more="").parent / "toy.toml"
    path.write_text("pack = ['reference', 'layer.toml']\n" + path.read_text())
    (path.parent / "layer.toml").write_text("[hound.pup]\ndice = 2\nsides = 7\n")
    (here / "layer.toml").write_text("[hound.pup]\ndice = 5\n")
    assert call("run", path, "--pack", "layer.toml").exit_code == 0
    (folder,) = (here / "results").iterdir()
    pup = open_run(folder).pack.cards["hound"]["pup"]
    assert (pup.dice, pup.sides) == (5, 7)


def test_a_run_goes_on_with_the_cards_that_it_began_with(
    config: Write, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "strong.toml").write_text(STRONG)
    reference = tallies(play_config(config(), here / "whole", sets=("hound.pup.dice=5",)))
    monkeypatch.setattr("experiments.runner._play_round", lambda *arguments: ([], [], 1.0))
    assert call("run", config(), "--pack", "strong.toml").exit_code == 0
    monkeypatch.undo()
    monkeypatch.chdir(here)
    (here / "strong.toml").write_text(STRONG.replace("5", "1"))
    (folder,) = (here / "results").iterdir()
    assert open_run(folder).games == 0
    refused = call("resume", folder)
    assert refused.exit_code == 1 and "hound.pup.dice was 5 and is 1" in refused.stderr and refused.stdout == ""
    assert call("resume", folder, "--as-begun").exit_code == 0
    assert list(tallies(open_run(folder)).values()) == list(reference.values())
    (here / "strong.toml").unlink()
    assert call("verify", folder).exit_code == 0
    again = call("run", config(), "--pack", "strong.toml")
    assert again.exit_code == 2 and "strong.toml does not exist" in again.stderr
    (here / "strong.toml").write_text(STRONG.replace("5", "1"))
    assert call("run", config(), "--pack", "strong.toml").exit_code == 0
    assert len(list((here / "results").iterdir())) == 2


@pytest.mark.parametrize("game", ["toy.fight", "toy.duel"])
@pytest.mark.parametrize("chunk", [64, 1_000])
def test_a_run_with_games_added_is_one_with_so_many_from_the_start(
    config: Write, tmp_path: Path, game: str, chunk: int
) -> None:
    path = config(game=game, games=301, chunk=chunk)
    assert call("run", path, "--out", tmp_path / "more").exit_code == 0
    (folder,) = (tmp_path / "more").iterdir()
    result = call("resume", folder, "--games", 777)
    assert result.exit_code == 0, result.output
    assert ("778 games a cell" in result.stderr) == (game == "toy.duel")
    assert call("run", path, "--games", 777, "--out", tmp_path / "start").exit_code == 0
    (whole,) = (tmp_path / "start").iterdir()
    longer, reference = open_run(folder), open_run(whole)
    assert tallies(longer) == tallies(reference) and longer.manifest == reference.manifest
    assert longer.plan.id == reference.plan.id and longer.plan.cells == reference.plan.cells
    assert (folder / "summary.csv").read_bytes() == (whole / "summary.csv").read_bytes()
    assert call("verify", folder).exit_code == 0
    shown = call("run", path, "--out", tmp_path / "more")
    assert shown.exit_code == 0 and "games were added" in shown.stderr and "finished already" in shown.stderr


def begun(config: Write, out: Path, monkeypatch: pytest.MonkeyPatch, *more: object, **asked: Any) -> Path:
    """The folder of a run that has played nothing yet."""
    with monkeypatch.context() as patch:
        patch.setattr("experiments.runner._play_round", lambda *arguments: ([], [], 1.0))
        assert call("run", config(**asked), "--out", out, *more).exit_code == 0
    (folder,) = out.iterdir()
    return folder


def test_a_run_of_a_changed_config_is_not_resumed_and_the_fields_are_named(
    config: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = begun(config, tmp_path / "r", monkeypatch)
    config(games=400, seed=2, more="\n[changes]\n'hound.pup.dice' = 2\n[bots]\nrunner = 'bold'\n")
    for more in ((), ("--games", 500)):
        result = call("resume", folder, *more)
        assert result.exit_code == 1 and result.stdout == ""
        for told in ("seed was 1 and is 2", "games.per_cell was 300 and is 400", "hound.pup.dice was 1 and is 2"):
            assert told in result.stderr
        assert 'bots.runner was "regular" and is "bold"' in result.stderr and "--as-begun" in result.stderr
        assert ("per_cell was 300 and is 400" in result.stderr) and open_run(folder).games == 0
    assert call("resume", folder, "--as-begun").exit_code == 0
    assert open_run(folder).config.seed == 1 and open_run(folder).finished
    assert call("resume", folder).exit_code == 0, "a finished run is shown, whatever became of its config"


def test_a_config_that_cannot_be_read_any_more_is_told_and_one_that_is_gone_is_no_matter(
    config: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = begun(config, tmp_path / "r", monkeypatch)
    (tmp_path / "toy.toml").write_text("no config")
    result = call("resume", folder)
    assert result.exit_code == 1 and "can't be read any more" in result.stderr and "--as-begun" in result.stderr
    (tmp_path / "toy.toml").unlink()
    assert call("resume", folder).exit_code == 0 and open_run(folder).finished


@pytest.mark.parametrize("command", ["run", "resume"])
def test_new_words_and_verdicts_of_a_config_are_those_of_the_report(
    config: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    folder = begun(config, tmp_path / "r", monkeypatch)
    text = config(more="\n[verdict]\ntolerance = 0.25\n").read_text().replace("Who throws best?", "A new title")
    (tmp_path / "toy.toml").write_text(text)
    result = (
        call("resume", folder) if command == "resume" else call("run", tmp_path / "toy.toml", "--out", folder.parent)
    )
    assert result.exit_code == 0 and "verdict.tolerance was 0.02 and is 0.25" in result.stderr, result.stderr
    run = open_run(folder)
    assert (run.config.title, run.config.verdict.tolerance) == ("A new title", 0.25) and run.finished
    assert "A new title" in (folder / "report.html").read_text("utf-8")
    assert len(list(folder.parent.iterdir())) == 1 and call("verify", folder).exit_code == 0


def test_a_run_of_other_code_is_not_resumed_and_both_codes_are_named(
    config: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = begun(config, tmp_path / "r", monkeypatch)
    code = open_run(folder).manifest["code"]
    monkeypatch.setattr("experiments.ledger.code_of", lambda game: "other")
    for more in ((), ("--as-begun",), ("--games", 400)):
        result = call("resume", folder, *more)
        assert result.exit_code == 1 and f"the rules' code was {code} and is other" in result.stderr


def test_a_run_keeps_what_it_was_dealt(config: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    more = "\n[lineup]\nhow = 'random'\nmany = 2\n[sweep.sobol]\nn = 4\nranges = { 'table.throws' = [1, 9] }\n"
    folder = begun(config, tmp_path / "r", monkeypatch, game="toy.duel", games=20, more=more)
    run = open_run(folder)
    dealt, points = run.plan.setup.dealt.lineups, run.plan.setup.points
    monkeypatch.setattr("experiments.config.deal", lambda *arguments: Dealt((("steady", "None"),), ()))
    monkeypatch.setattr("experiments.config.points_of", lambda *arguments: Points(((("table.throws", 3),),), ()))
    again = open_run(folder).plan.setup
    assert (again.dealt.lineups, again.points) == (dealt, points) and len(dealt) == 2 and len(points) == 4
    result = call("resume", folder)
    assert result.exit_code == 0 and "goes on with those it was dealt" in result.stderr
    assert {cell.lineup for cell in open_run(folder).plan.cells} == set(dealt)
    monkeypatch.undo()
    played = play_config(tmp_path / "toy.toml", tmp_path / "whole")
    assert tallies(open_run(folder)) == tallies(played)


@pytest.mark.parametrize("games", [299, 1, 0, -5, 10**12 + 1, 2**63])
def test_games_are_never_taken_away(played: Path, games: int) -> None:
    before = (played / "ledger.sqlite").read_bytes(), (played / "summary.csv").read_bytes()
    result = call("resume", played, "--games", games)
    assert result.exit_code == 2 and result.stdout == ""
    assert result.stderr.startswith("mistake: --games is ") and "1 mistake(s)" in result.stderr
    assert ((played / "ledger.sqlite").read_bytes(), (played / "summary.csv").read_bytes()) == before
    assert call("resume", played, "--games", 300).exit_code == 0


def test_no_games_are_added_to_a_run_of_other_rules(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("experiments.ledger.code_of", lambda game: "other")
    result = call("resume", played, "--games", 400)
    assert result.exit_code == 1 and "other rules" in result.stderr
    monkeypatch.undo()
    assert open_run(played).plan.cells[0].games == 300


def test_the_table_is_shown_though_the_report_cannot_be_made(
    config: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*arguments: object) -> Path:
        raise RuntimeError("no more paint")

    monkeypatch.setattr("experiments.report.write", broken)
    result = call("run", config(), "--out", tmp_path / "results")
    assert result.exit_code == 1 and "Swift" in result.stdout and "1,800 games in" in result.stdout


def test_a_new_config_is_written_and_runs_at_once(here: Path) -> None:
    result = call("new", "my idea", "--game", "toy.duel")
    assert result.exit_code == 0 and result.stdout.splitlines()[-1] == "wastelab run 'my idea.toml'"
    text = (here / "my idea.toml").read_bytes()
    assert call("run", "my idea.toml", "--games", 10).exit_code == 0
    assert call("run", "my idea", "--games", 10).exit_code == 0, "its name is enough"
    assert len(list((here / "results").iterdir())) == 1
    for taken in ("my idea", "my idea.toml"):
        result = call("new", taken)
        assert result.exit_code == 2 and "is there already" in result.stderr
    assert (here / "my idea.toml").read_bytes() == text and not (here / "my idea.toml.toml").exists()
    assert call("new", "first").exit_code == 0
    assert tomllib.loads((here / "first.toml").read_text("utf-8"))["title"] == "first"


@pytest.mark.parametrize(
    "name", ["", " ", "..", "a/b", "../a", "/a", "a\nb", "x" * 300, "knight_fights", ".toml", "...", "-x"]
)
def test_a_new_config_needs_a_name_of_its_own(here: Path, name: str) -> None:
    result = call("new", "--", name)
    assert result.exit_code == 2 and result.stderr.startswith("mistake: NAME is ")
    assert list(here.parent.rglob("*.toml")) == []


def test_a_new_config_that_cannot_be_written_is_a_line(here: Path) -> None:
    result = call("new", "💥" * 90, "--game", "toy.fight")
    assert result.exit_code == 1 and result.stderr.startswith("error: cannot write 💥")
    assert len(result.stderr.splitlines()) == 1


def test_the_schema_is_printed(here: Path) -> None:
    assert json.loads(call("config", "schema").stdout)["properties"]["game"]["enum"]
    own = json.loads(call("config", "schema", "--game", "toy.fight").stdout)
    assert own["properties"]["bots"]["properties"]["runner"]["enum"] == ["timid", "regular", "bold"]
    (here / "more.toml").write_text("[hound.wolf]\ntitle = 'Wolf'\ndice = 2\nsides = 6\nfrom = {assumed = 'x'}\n")
    more = json.loads(call("config", "schema", "--game", "toy.fight", "--pack", "more.toml").stdout)
    assert "wolf" in str(more["properties"]["lineup"]) and "wolf" not in str(own)
    for wrong in (("--pack", "more.toml"), ("--game", "toy.figt"), ("--game", "toy.fight", "--pack", "nowhere")):
        assert call("config", "schema", *wrong).exit_code == 2


def test_shipped_configs_are_listed_with_their_questions() -> None:
    lines = call("list", "configs").stdout.splitlines()
    assert len(lines) == len(shipped_configs())
    for name, line in zip(shipped_configs(), lines, strict=True):
        config = load_config(name)
        assert line.startswith(name) and config.game in line and line.endswith(config.question)


SMALL = 'title = "x"\nseed = 1\ngame = "toy.fight"\n\n[games]\nper_cell = 100\n'
CARD = "[hound.pup]\ndice = 2\n"
UNREADABLE = {
    "empty": b"",
    "comments": b"# nothing\n\n",
    "binary": bytes(range(256)) * 40,
    "nul": b"[games]\nper_cell = 1\0\n",
    "brackets": b"a = " + b"[" * 10_000_000,
    "closed_brackets": b"a = " + b"[" * 1_900 + b"]" * 1_900,
    "deep_keys": b".".join([b"a"] * 1_900) + b" = 1\n",
    "utf16": SMALL.encode("utf-16"),
    "utf32": SMALL.encode("utf-32"),
    "latin": SMALL.replace("x", "Kr\xe4he").encode("latin-1"),
    "twice": b"[games]\nper_cell = 1\n[games]\nper_cell = 2\n",
    "key_twice": b"seed = 1\nseed = 2\n",
    "half": b"[games",
    "date": b"seed = 2026-13-45\n",
}


def bad_line(result: Result) -> str:
    """The one line of a mistake that a command told, and did nothing else."""
    assert result.exit_code == 2 and result.stdout == ""
    line, count = result.stderr.splitlines()
    assert line.startswith("mistake: ") and count == "1 mistake(s); nothing was done"
    assert len(line) < 400 and line.isprintable()
    return line


@pytest.mark.parametrize("kind", list(UNREADABLE))
def test_a_file_that_cannot_be_read_is_one_line(config: Write, here: Path, kind: str) -> None:
    (here / "bad.toml").write_bytes(UNREADABLE[kind])
    for arguments in (("bad.toml",), (config(), "--pack", "bad.toml")):
        assert "bad.toml" in bad_line(call("run", *arguments))
    assert not (here / "results").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="has other kinds of files")
def test_what_is_no_file_is_one_line(config: Write, here: Path) -> None:
    (here / "folder.toml").mkdir()
    os.mkfifo(here / "pipe.toml")
    os.symlink("loop.toml", here / "loop.toml")
    for name in ("folder.toml", "pipe.toml", "loop.toml", "nothing.toml", "/dev/zero", "a" * 5_000, "a\tb", "."):
        bad_line(call("run", name))
    for name in ("folder.toml", "pipe.toml", "loop.toml", "nothing.toml", "/dev/zero", ""):
        bad_line(call("run", config(), "--pack", name))
    assert not (here / "results").exists()


NUMBERS = ["nan", "inf", "-inf", "9223372036854775808", "-9223372036854775809", "1" + "0" * 400, "1e400", "true"]


@pytest.mark.parametrize("number", NUMBERS)
def test_odd_numbers_are_one_line_in_configs_and_packs(config: Write, here: Path, number: str) -> None:
    for old, where in (("seed = 1", "seed"), ("per_cell = 100", "games.per_cell")):
        (here / "bad.toml").write_text(SMALL.replace(old, f"{old.split()[0]} = {number}"))
        assert bad_line(call("run", "bad.toml")).startswith(f"mistake: {where} is ")
    (here / "bad.toml").write_text(f"{SMALL}\n[verdict]\ntolerance = {number}\n")
    assert bad_line(call("run", "bad.toml")).startswith("mistake: verdict.tolerance is ")
    (here / "bad.toml").write_text(CARD.replace("2", number))
    assert bad_line(call("run", config(), "--pack", "bad.toml")).startswith("mistake: hound.pup.dice is ")


@pytest.mark.parametrize("ends", ["\r\n", "\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_other_line_ends_and_a_byte_order_mark_are_no_mistake(here: Path, ends: str, mark: bytes) -> None:
    (here / "fine.toml").write_bytes(mark + SMALL.replace("\n", ends).encode())
    (here / "card.toml").write_bytes(mark + CARD.replace("\n", ends).encode())
    assert call("run", "fine.toml", "--pack", "card.toml", "--games", 4).exit_code == 0
    assert pup_of(here / "results")[0] == 2


def test_a_small_file_that_stands_alone_is_told_in_one_line(config: Write, here: Path) -> None:
    (here / "strong.toml").write_text(STRONG)
    (here / "alone.toml").write_text("pack = 'strong.toml'\n" + SMALL)
    line = bad_line(call("run", "alone.toml"))
    assert 'no whole pack; allowed: a pack below it, as in pack = ["reference", "strong.toml"]' in line
    (here / "strong.toml").write_text(STRONG.replace("5", "50"))
    told = call("run", "alone.toml")
    assert told.exit_code == 2 and "hound.pup.dice is 50" in told.stderr and "2 mistake(s)" in told.stderr


def test_a_sound_run_is_verified(played: Path) -> None:
    result = call("verify", played)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == f"VERIFIED: {played}: 1,800 games in 6 cells"


@pytest.mark.parametrize("change", ["0.5", "lost", "gone"])
def test_a_changed_summary_is_found_and_can_be_written_again(played: Path, change: str) -> None:
    path = played / "summary.csv"
    text = path.read_text()
    if change == "gone":
        path.unlink()
    else:
        path.write_text(text.replace("0.", "0.5", 1) if change == "0.5" else text[: text.rindex("\nfield")])
    result = call("verify", played)
    assert result.exit_code == 1 and result.stdout.splitlines()[-1].startswith("FAILED")
    assert call("report", played).exit_code == 0
    assert path.read_text() == text and call("verify", played).exit_code == 0


DRAWN = "data:image/svg+xml;base64,"


@pytest.mark.parametrize("change", ["a word", "a picture", "cut off", "gone", "both"])
def test_a_changed_report_is_found_and_can_be_written_again(played: Path, change: str) -> None:
    """FR7: the report is made again and compared, even if the ledger's note of it is changed as well."""
    path = played / "report.html"
    text = path.read_text("utf-8")
    changed = {
        "a word": text.replace("Balanced", "Unbalanced", 1), "both": text.replace("Balanced", "Unbalanced", 1),
        "a picture": text.replace(DRAWN, f"{DRAWN}AAAA", 1), "cut off": text[:-40], "gone": "",
    }[change]  # fmt: skip
    assert changed != text
    path.unlink() if change == "gone" else path.write_text(changed, "utf-8", newline="")
    if change == "both":
        with sqlite3.connect(played / "ledger.sqlite") as ledger:
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            ledger.execute("UPDATE written SET sha256 = ? WHERE name = 'report.html'", (digest,))
    result = call("verify", played)
    assert result.exit_code == 1 and result.stdout.splitlines()[-1].startswith("FAILED: ")
    assert "wrong: report.html" in result.stdout and "wastelab report" in result.stdout
    assert call("report", played).exit_code == 0
    assert path.read_text("utf-8") == text and call("verify", played).exit_code == 0


def test_pictures_that_another_version_draws_are_no_fault(played: Path) -> None:
    """FR7: where the ledger knows the file as it is, its pictures alone may differ from those drawn here."""
    path = played / "report.html"
    path.write_text(path.read_text("utf-8").replace(DRAWN, f"{DRAWN}AAAA", 1), "utf-8", newline="")
    run = open_run(played)
    run.ledger.wrote(path)
    run.close()
    result = call("verify", played)
    assert result.exit_code == 0 and "report.html: as it was written; its pictures" in result.stdout
    moved = played.rename(played.with_name("elsewhere"))
    assert call("verify", moved).exit_code == 0


def test_pages_of_replays_are_verified_as_they_were_written(played: Path) -> None:
    """FR7: those that the ledger knows; of others it is said that they are not checked."""
    cell = open_run(played).plan.cells[0].id
    assert call("replay", played, "--cell", cell, "--game", 0, "--html", played).exit_code == 0
    (page,) = played.glob("replay-*.html")
    (played / "stranger.html").write_text("<p>hello</p>")
    result = call("verify", played)
    assert result.exit_code == 0 and "stranger.html: not checked" in result.stdout
    page.write_text(page.read_text("utf-8") + "<!-- -->", "utf-8")
    result = call("verify", played)
    assert result.exit_code == 1 and f"wrong: {page.name} is not as it was written" in result.stdout


def test_verify_says_when_the_rules_give_other_numbers(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests import toys

    load = toys.GAMES["toy.fight"].load

    def other(pack: object, settings: object) -> object:
        tables = load(pack, settings)  # type: ignore[arg-type]
        tables.data.runner["sides"] += 1
        return tables

    monkeypatch.setitem(toys.GAMES["toy.fight"].__dict__, "load", other)
    result = call("verify", played)
    assert result.exit_code == 1 and "come out differently now" in result.stdout


def test_a_run_of_other_rules_is_not_continued(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = open_run(played)
    cell = run.plan.cells[0].id
    run.ledger.sit(0.0, -64)
    run.ledger.drop(cell, 0)
    run.ledger.commit()
    run.close()
    monkeypatch.setattr("experiments.ledger.code_of", lambda game: "other")
    result = call("resume", played)
    assert result.exit_code == 1 and "other rules" in result.stderr
    monkeypatch.undo()
    assert call("resume", played).exit_code == 0


def test_a_replay_tells_the_game_and_checks_it(played: Path) -> None:
    run = open_run(played)
    for cell in ("steady vs grim", run.plan.find("steady vs grim").id):
        result = call("replay", played, "--cell", cell, "--game", 7)
        assert result.exit_code == 0
        assert "seat 1 throws" in result.stdout and "the same outcome" in result.stdout
        assert "Steady against Grim" in result.stdout
    wrong = call("replay", played, "--cell", "steady vs grin", "--game", 7)
    assert wrong.exit_code == 2 and "did you mean steady vs grim?" in wrong.stderr
    assert call("replay", played, "--cell", "steady vs grim", "--game", 300).exit_code == 2


@pytest.mark.parametrize("command", ["resume", "verify", "report"])
def test_a_folder_that_is_no_run_is_told_in_one_line(tmp_path: Path, command: str) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        result = call(command, folder)
        assert result.exit_code == 1
        told = result.stderr + result.stdout
        assert "no run" in told or "no folder" in told
        assert "Traceback" not in told


def test_the_version() -> None:
    assert call("--version").stdout == f"wastelab {metadata.version('wastelab')}\n"


def test_the_lists() -> None:
    games = call("list", "games").stdout
    assert "knights.fight" in games and "toy.duel" in games
    roles = call("list", "roles", "--game", "toy.duel").stdout.splitlines()
    assert [line.split()[2] for line in roles] == ["swift", "steady", "None"]
    assert "bold" in call("list", "bots", "--game", "toy.fight").stdout
    assert "win_rate" in call("list", "measures", "--game", "toy.fight").stdout
    assert "knight_fights" in call("list", "configs").stdout
    wrong = call("list", "role")
    assert wrong.exit_code == 2 and "did you mean roles?" in wrong.stderr
    assert "did you mean toy.duel?" in call("list", "roles", "--game", "toy.dual").stderr


def test_an_exact_pool() -> None:
    found = json.loads(call("exact", "pool", "--dice", 2, "--difficulty", 7, "--json").stdout)
    assert found["joint"][0][0] == pytest.approx(0.36) and found["joint"][2][2] == pytest.approx(0.01)
    assert found["at_least"] == pytest.approx([1, 0.64, 0.16])
    assert found["tens_at_least"] == pytest.approx([1, 0.19, 0.01])
    shown = call("exact", "pool", "--dice", 2, "--difficulty", 7).stdout
    assert "64.000 %" in shown and "36.000 %" in shown
    nines = json.loads(call("exact", "pool", "--dice", 2, "--difficulty", 7, "--tens-from", 9, "--json").stdout)
    assert nines["tens_at_least"] == pytest.approx([1, 0.36, 0.04])
    assert call("exact", "pool", "--dice", 2, "--difficulty", 12).exit_code == 2
    assert call("exact", "pool", "--dice", 0, "--difficulty", 7).exit_code == 2


@pytest.mark.parametrize(("dice", "difficulty"), [(2, 7), (7, 3), (20, 1), (200, 6)])
def test_what_is_certain_of_a_pool_is_1(dice: int, difficulty: int) -> None:
    """FN6: as a number, and in words."""
    asked = ("exact", "pool", "--dice", dice, "--difficulty", difficulty)
    found = json.loads(call(*asked, "--json").stdout)
    assert found["at_least"][0] == found["tens_at_least"][0] == 1
    assert difficulty > 1 or found["at_least"] == [1] * (dice + 1)
    assert [line.split()[:3] for line in call(*asked).stdout.splitlines()][-dice - 1] == ["0", "100.000", "%"]


def test_defaults_of_a_pool_follow_what_was_given() -> None:
    """FN1: tens follow the sides, and a mistake names the option that was given."""
    six = json.loads(call("exact", "pool", "--dice", 2, "--difficulty", 5, "--sides", 6, "--json").stdout)
    assert six["tens_from"] == 6 and six["tens_at_least"][1] == pytest.approx(11 / 36)
    never = json.loads(call("exact", "pool", "--dice", 2, "--difficulty", 11, "--json").stdout)
    assert never["tens_from"] == 11 and never["at_least"] == [1, 0, 0]
    for args, blamed in (
        (("--difficulty", 12), "--difficulty"),
        (("--difficulty", 8, "--sides", 6), "--difficulty"),
        (("--difficulty", 4, "--tens-from", 3), "--tens-from"),
        (("--difficulty", 4, "--sides", 6, "--tens-from", 10), "--tens-from"),
    ):
        wrong = call("exact", "pool", "--dice", 2, *args)
        assert wrong.exit_code == 2 and wrong.stderr.startswith(f"mistake: {blamed} is"), wrong.stderr


def test_packs_are_checked_and_shown(tmp_path: Path) -> None:
    assert "no mistakes" in call("pack", "check", "knights").stdout
    assert "of 11 numbers are assumed" in call("pack", "check", "toy").stdout
    shown = call("pack", "show", "toy.fight", "--assumed").stdout
    assert "Swift" in shown and "assumed" in shown
    (tmp_path / "more.toml").write_text("[hound.pup]\ndice = 9\n\n[hund.x]\ndice = 1\n")
    result = call("pack", "check", tmp_path / "more.toml", "--game", "toy.fight")
    assert result.exit_code == 2
    assert "hound.pup.dice is 9" in result.stderr and "did you mean hound?" in result.stderr
    assert call("pack", "check", tmp_path / "nowhere").exit_code == 2


def test_a_foreseen_error_is_a_line_and_an_unforeseen_one_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(game: object) -> object:
        raise RuntimeError("no more paint\nsecond line")

    monkeypatch.setattr(cli, "chosen_games", broken)
    result = call("list", "games")
    assert result.exit_code == 1
    assert result.stderr == "error: RuntimeError: no more paint (WASTELAB_DEBUG=1 shows more)\n"
    monkeypatch.setenv("WASTELAB_DEBUG", "1")
    assert "Traceback" in call("list", "games").stderr


def test_progress_is_a_line_every_ten_seconds_without_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [0.0]
    monkeypatch.setattr(terminal, "monotonic", lambda: now[0])
    with terminal.show_progress(1_000, 0) as progress:
        for _ in range(9):
            now[0] += 4.0
            progress.step(100)
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["300 of 1,000 games, 25 games/s, 28 s left", "600 of 1,000 games, 25 games/s, 16 s left",
                     "900 of 1,000 games, 25 games/s, 4 s left"]  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")
def test_progress_is_a_bar_in_a_terminal(config: Write, tmp_path: Path) -> None:
    import pty

    command = (
        sys.executable,
        "-c",
        f"{FIRST}; {MAIN}",
        "run",
        config(games=3_000_000, chunk=100_000),
        "--out",
        tmp_path / "r",
    )
    reader, terminal = pty.openpty()
    process = subprocess.Popen(
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=terminal,
        cwd=ROOT,
        env=os.environ | {"TERM": "xterm-256color", "COLUMNS": "100"},
    )
    os.close(terminal)
    shown = b""
    with contextlib.suppress(OSError):  # the terminal is gone when the process has ended
        while more := os.read(reader, 65_536):
            shown += more
    out, _ = process.communicate()
    assert process.returncode == 0 and b"\x1b" not in out
    assert b"games/s" in shown and b"%" in shown and b"s left" in shown


def test_help_is_quick_as_nothing_heavy_is_imported() -> None:
    heavy = "'numpy', 'numba', 'pandas', 'scipy', 'pydantic', 'joblib', 'matplotlib'"
    code = f"import sys, experiments.cli; print([name for name in ({heavy}) if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert found.stdout == "[]\n"


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m experiments.cli list roles | head -1"
    found = subprocess.run(
        command,
        shell=True,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    assert found.stderr == "" and len(found.stdout.splitlines()) == 1
