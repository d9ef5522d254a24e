"""Replays: a search finds what a scan of the outcomes finds, and a page holds every word of a story, unharmed."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from experiments import cli, replays
from experiments.filters import Fits, read_filter
from experiments.ledger import Run
from experiments.replays import Account, Block, blocks, page, search, tell, told_lines
from experiments.runner import outcome_of
from simcore.game import BLOCK, SEAT_COLUMNS, play
from tests.conftest import Write, play_config

VOID = {"meta", "br", "link", "img"}


def call(*arguments: object) -> Result:
    """One command, in this process."""
    return CliRunner().invoke(cli.app, [str(argument) for argument in arguments])


@pytest.fixture
def run(config: Write, tmp_path: Path) -> Run:
    """A finished run of six cells, some blocks of games each."""
    return play_config(config(games=2 * BLOCK + 500, chunk=1000), tmp_path / "results")


def fits(run: Run, text: str) -> Fits:
    return read_filter(text, run.game, run.tables)


def scan(run: Run, cell: str, share: int, lead: int) -> list[int]:
    """The games of a cell in which seat 1 has a share and the winner leads by so much, found without a search."""
    found = run.plan.find(cell)
    out = play(run.game, run.tables, run.plan.seats(found), run.plan.root(found), 0, found.games)
    return [i for i, one in enumerate(out) if one.seat[0].share == share and one.lead == lead]


# ---------------------------------------------------------------- searching


@pytest.mark.parametrize("count", [1, 3, 100])
def test_a_search_finds_what_a_scan_finds(run: Run, count: int) -> None:
    cell = run.plan.find("swift vs grim")
    expected = scan(run, cell.name, 60, 6)
    assert len(expected) > 3 and expected[-1] > BLOCK
    result = search(run, [cell], fits(run, "seat1.share = 60 and lead = 6"), count)
    assert [game for _, game in result.found] == expected[:count]
    assert result.looked == (expected[count - 1] + 1 if count <= len(expected) else cell.games)


def test_a_search_goes_on_from_cell_to_cell(run: Run) -> None:
    steps: list[int] = []
    result = search(run, run.plan.cells, fits(run, "steady.score = 12 and pup.score = 1"), 10**6, steps.append)
    assert {cell.name for cell, _ in result.found} == {"steady vs pup"}
    assert [game for _, game in result.found] == scan(run, "steady vs pup", 60, 11)
    assert result.looked == sum(steps) == run.games and result.cells == len(run.plan.cells)
    first = search(run, run.plan.cells, fits(run, "steady.score = 12 and pup.score = 1"))
    before = run.plan.cells.index(run.plan.find("steady vs pup"))
    assert first.looked == sum(cell.games for cell in run.plan.cells[:before]) + result.found[0][1] + 1
    assert first.cells == before + 1


def test_only_games_that_were_played_are_looked_at(run: Run) -> None:
    cell = run.plan.cells[0]
    run.ledger.drop(cell.id, 1000)
    result = search(run, [cell], fits(run, "lead >= 0"), 2000)
    assert result.looked == 2000
    assert [game for _, game in result.found] == [*range(1000), *range(2000, 3000)]


# ---------------------------------------------------------------- the command


def test_first_with_tells_the_first_such_game(run: Run) -> None:
    cell = run.plan.find("steady vs grim")
    game = scan(run, cell.name, 30, 0)[0]
    result = call("replay", run.folder, "--cell", cell.name, "--first-with", "ending=draw")
    assert result.exit_code == 0
    assert f"game {game:,} (cell {cell.id}, seed 1)" in result.stdout
    assert "ending: draw, nobody wins" in result.stdout and "the same outcome" in result.stdout
    assert f"1 found in {game + 1:,} games of steady vs grim" in result.stderr
    assert f"game {game:,} " in call("replay", run.folder, "--cell", cell.id, "--where", "lead = 0").stdout


def test_count_tells_more_and_none_is_told_with_how_many_were_searched(run: Run) -> None:
    games = scan(run, "steady vs grim", 30, 0)[:3]
    result = call("replay", run.folder, "--cell", "steady vs grim", "--where", "lead = 0", "--count", 3)
    assert re.findall(r"game ([\d,]+) \(cell", result.stdout) == [f"{game:,}" for game in games]
    none = call("replay", run.folder, "--where", "lead > 100")
    assert none.exit_code == 1 and none.stdout == ""
    assert f"lead > 100: none found in {run.games:,} games of 6 cells" in none.stderr


def test_all_mistakes_come_at_once_and_nothing_is_done(run: Run, tmp_path: Path) -> None:
    asked = ("--cell", "steady vs grin", "--game", 1, "--where", "led = 1", "--count", 0, "--html", tmp_path / "a.txt")
    result = call("replay", run.folder, *asked)
    assert result.exit_code == 2 and result.stdout == ""
    lines = [line for line in result.stderr.splitlines() if line.startswith("mistake: ")]
    for line, told in zip(
        lines,
        ("chosen in 2 ways", "did you mean steady vs grim?", "did you mean lead?", "--count", "ends in .html"),
        strict=True,
    ):
        assert told in line


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ((), "no game is chosen; allowed: one of --game"),
        (("--game", 3), "--cell is missing: this run has 6 cells"),
        (("--cell", "steady vs grim", "--game", 2 * BLOCK + 500), f"0 to {2 * BLOCK + 499}"),
        (("--cell", "steady vs grim", "--game", -1), "--game is -1"),
        (("--cell", "steady vs grim", "--game", 1, "--count", 2), "--count goes with"),
        (("--where", "lead = 1", "--count", 101), "1 to 100"),
        (("--where", "lead = 1", "--count", -1), "1 to 100"),
        (("--first-with", "lead"), "NAME=VALUE"),
        (("--where", "lead = 1", "--html", "nowhere/a.html"), "which is no folder"),
        (("--where", "lead = 1", "--html", "ledger.sqlite"), "ends in .html"),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_done(run: Run, asked: tuple[object, ...], told: str) -> None:
    result = call("replay", run.folder, *asked)
    assert result.exit_code == 2 and result.stdout == ""
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("mistake: ")]
    assert told in line


def test_a_run_of_one_cell_needs_no_cell(config: Write, tmp_path: Path) -> None:
    sets = ("lineup.runners=swift", "lineup.hounds=pup")
    run = play_config(config(games=20), tmp_path / "results", sets=sets)
    assert "Swift against Pup, game 19" in call("replay", run.folder, "--game", 19).stdout


def test_another_outcome_of_the_compiled_rules_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "outcome_of", lambda *game: [0])
    result = call("replay", run.folder, "--where", "lead = 1", "--html", run.folder)
    assert result.exit_code == 1 and "wrong: the compiled rules give another outcome" in result.stdout
    (written,) = run.folder.glob("replay-*.html")
    assert "don't trust this game" in written.read_text("utf-8")


# ---------------------------------------------------------------- stories and outcomes


def test_indented_lines_belong_to_the_line_above() -> None:
    story = ["A meets B.", "Round 1:", "  A throws.", "    B ducks.", "The end."]
    assert blocks(story) == [
        Block("A meets B.", []),
        Block("Round 1:", ["A throws.", "B ducks."]),
        Block("The end.", []),
    ]
    assert blocks(["  as it began"]) == [Block("", ["as it began"])]
    assert blocks([]) == []


def test_every_number_of_an_outcome_is_told_once(run: Run) -> None:
    told = tell(run, run.plan.find("steady vs grim"), 7)
    account = Account.of(run, told)
    names = [line.name for line in (*account.of_game, *account.of_seats)] + account.zeros
    assert sorted(names) == sorted(["rounds", "lead", "place", "share", "score", "bold"])
    scores = next(line for line in account.of_seats if line.name == "score")
    out = play(run.game, run.tables, run.plan.seats(told.cell), run.plan.root(told.cell), 7, 8)[0]
    assert scores.values == (out.seat[0].score, out.seat[1].score)
    assert account.verdict.startswith({60: "Steady wins", 30: "Nobody wins", 0: "Grim"}[int(out.seat[0].share)])
    assert [seat.title for seat in account.seats] == ["Steady", 'Grim <b>&"Co"</b>']


# ---------------------------------------------------------------- the page


class Read(HTMLParser):
    """The text of a page, whether its tags close in order, and what it would load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.tags: list[str] = []
        self.loads: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loads += [name for name, _ in attrs if name in ("src", "href") or name.startswith("on")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.words.append(data)


@pytest.fixture
def scripted(config: Write, tmp_path: Path) -> Run:
    """A run with a role whose name would be a script if nobody escaped it."""
    changes = tmp_path / "more.toml"
    title = "<script>alert(1)</script>"
    changes.write_text(
        f'[runner.swift]\ntitle = "{title}"\nfrom = {{ assumed = "a trap" }}\n\n'
        f'[hound.grim]\ntitle = "Ü & <b>🂡"\nfrom = {{ assumed = "a trap" }}\n',
        encoding="utf-8",
    )
    path = config(games=40)
    path.write_text(path.read_text("utf-8").replace("seed =", 'pack = ["reference", "more.toml"]\nseed ='), "utf-8")
    return play_config(path, tmp_path / "results")


def test_a_page_holds_every_line_of_the_story_escaped(scripted: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run = scripted
    stories = {3: ["<i>3</i> & 'co'", '  It\'s "so": <script>'], 4: ["  first", "The end"]}
    monkeypatch.setattr(replays, "story_of", lambda run, cell, game: (outcome_of(run, cell, game), stories[game]))
    title = run.tables.roles["runners"][0].title
    told = [tell(run, run.plan.find("swift vs grim"), game) for game in (3, 4)]
    text = page(run, told, ("seat1.score > 1 & <so on>", "2 found"))
    seen = Read(text)
    words = " ".join(" ".join(seen.words).split())
    assert "script" not in seen.tags and seen.loads == []
    for one in told:
        for line in one.story:
            assert line.strip() in words
    assert f"{title} against Ü & <b>🂡" in words
    assert "seat1.score > 1 & <so on>" in words
    assert f"wastelab replay results/{run.name} --cell {told[0].cell.id} --game 3" in words
    assumed, numbers = run.pack.assumed_share()
    assert f"{assumed} of {numbers} numbers of this pack" in words
    for column in ("place", "share", "score"):
        assert next(c.about for c in SEAT_COLUMNS if c.name == column) in words


def test_html_is_written_where_asked(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cell = run.plan.find("steady vs grim")
    named = f"replay-{cell.id}-7.html"
    for asked, path in (
        (["--html"], run.folder / named),
        (["--html", "page.html"], Path("page.html")),
        (["--html=other.htm"], Path("other.htm")),
        (["--html", tmp_path], tmp_path / named),
    ):
        result = call("replay", run.folder, *asked, "--cell", cell.name, "--game", 7)
        assert result.exit_code == 0 and result.stdout.splitlines()[-1] == str(path)
        assert "Steady against Grim" in path.read_text("utf-8")
        assert not list(path.parent.glob("*.part"))


def test_a_page_that_cannot_be_written_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*paths: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    result = call("replay", run.folder, "--where", "lead = 1", "--html")
    assert result.exit_code == 1 and "No space left on device" in result.stderr


def test_lines_for_a_terminal_line_up(run: Run) -> None:
    lines = told_lines(run, tell(run, run.plan.find("steady vs pup"), 5))
    heads = next(line for line in lines if line.split() == ["Steady", "Pup"])
    scores = next(line for line in lines if line.startswith("score "))
    assert scores[heads.index("Steady")].isdigit() and scores[heads.index("Pup")].isdigit()


def test_the_outcomes_are_looked_at_as_they_lie_in_memory(run: Run) -> None:
    cell = run.plan.cells[0]
    out = play(run.game, run.tables, run.plan.seats(cell), run.plan.root(cell), 0, 50)
    rows = out.view(np.int64).reshape(50, -1)
    for place, (seat, column) in enumerate(run.game.columns()):
        expected = out[column.name] if seat is None else out["seat"][column.name][:, seat]
        assert (rows[:, place] == expected).all()
