"""The command line: what is said where, exit codes, and that nothing is done when anything is wrong."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner, Result

from experiments import cli, terminal
from experiments.config import load_config
from experiments.ledger import open_run
from tests.conftest import Write, tallies
from tests.reliability.commands import FIRST, MAIN

ROOT = Path(__file__).parents[2]


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


def test_json_goes_to_stdout_alone(config: Write, tmp_path: Path) -> None:
    path = config(game="toy.duel", games=301)
    result = call("run", path, "--out", tmp_path / "results", "--json")
    found = json.loads(result.stdout)
    assert set(found) == {"run", "games", "seconds", "rows"} and found["games"] == 906
    assert Path(found["run"]).is_dir()
    assert "rounded up to whole blocks of 2 seatings" in result.stderr
    assert {row["interval"] for row in found["rows"]} == {"wilson", "normal"}


def test_a_finished_run_is_shown_again_with_the_same_numbers(config: Write, tmp_path: Path, played: Path) -> None:
    before = (played / "summary.csv").read_bytes(), tallies(open_run(played))
    result = call("run", config(), "--out", tmp_path / "results")
    assert result.exit_code == 0 and "finished already" in result.stderr
    assert list((tmp_path / "results").iterdir()) == [played]
    assert ((played / "summary.csv").read_bytes(), tallies(open_run(played))) == before


def test_all_mistakes_are_told_and_no_folder_is_made(config: Write, tmp_path: Path) -> None:
    path = config(games=-5, more='\n[lineup]\nrunners = ["stedy"]\n\n[tabel]\nthrows = 2\n')
    out = tmp_path / "results"
    result = call("run", path, "--out", out)
    assert result.exit_code == 2 and result.stdout == "" and not out.exists()
    lines = [line for line in result.stderr.splitlines() if line.startswith("mistake: ")]
    assert len(lines) == 3
    for where, right in (("games.per_cell", "from 1"), ("lineup.runners", "steady?"), ("tabel", "table?")):
        assert any(where in line and right in line for line in lines)


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
        assert "seat 1 role: Steady" in result.stdout
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
    assert call("exact", "pool", "--dice", 2, "--difficulty", 11).exit_code == 2
    assert call("exact", "pool", "--dice", 0, "--difficulty", 7).exit_code == 2


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
    assert "Traceback" not in found.stderr and "Error" not in found.stderr
