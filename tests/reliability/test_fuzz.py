"""Nothing in a file breaks Wastelab: 10,000 spoiled configs and packs, and spoiled sheets, changes, filters and
ledgers, are read or told in clear lines. Nothing in them is ever run.
"""

from __future__ import annotations

import json
import shutil
import tomllib
import unicodedata
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from experiments import cli
from experiments.config import Setup, load_config, load_setup, settings_of, toml_value, usual_bot
from experiments.filters import read_filter, read_pair
from experiments.ledger import FILE, open_run
from experiments.pack_files import to_toml
from experiments.plan import make_plan
from experiments.sheets import from_sheets, to_sheets
from simcore.game import Game, find_game, game_names, play_tally, seatings, usual_roles
from simcore.packs import Mistake, Mistakes, Pack, from_tables, load, read_toml
from tests import toys
from tests.conftest import play_config
from tests.reliability.mutations import (
    CANARY,
    ODD_NAMES,
    ODD_TEXTS,
    Bytes,
    Reshape,
    names,
    splice,
    spoiled_bytes,
    spoiled_sheets,
    spoiled_tables,
    toml,
    values,
    within,
)

pytestmark = pytest.mark.usefixtures("unpainted")
CONFIGS, PACKS = 1_500, 3_500
"""Spoiled in two ways each: 10,000 in all. A pack takes half the time of a config, whose packs are read with it."""

LONGEST, MOST = 2_000, 500
SECONDS = 10.0
CONFIG = """title = "Who throws best?"
question = "Größe?"
seed = 1
game = "toy.duel"
pack = ["reference", "layer.toml"]

[lineup]
runners = ["swift", "steady", "None"]

[bots]
runner = "bold"

[games]
per_cell = 300
chunk = 64

[verdict]
against = [0.4, 0.6]
tolerance = 0.02

[table]
throws = 2

[run]
rotate = "all"

[runner]
backend = "threads"

[changes]
runner.swift.dice = 3
"""
SWEEP = """title = "Many"
seed = 1
game = "toy.fight"

[games]
precision = 0.01
at_least = 1000
at_most = 5000
budget_minutes = 0.1
first_look = 200
look_ratio = 1.5

[run]
common_dice = true

[sweep.grid]
"hound.pup.dice" = [2]
"table.throws" = [3]

[sweep.zip]
"rules.rout" = [3, 4]
"bots.runner" = ["bold", "timid"]

[sweep.sobol]
n = 2
ranges = { "runner.swift.sides" = [4, 9] }

[[variant]]
name = "one die more"
set = { "runner.swift.dice" = 4 }

[[variant]]
name = "bold"
set = { "bots.runner" = "bold", "hound.grim.sides" = 7 }
"""
LAYER = "[runner.swift]\ndice = 1\n"
REFERENCE = load(toys.SCHEMA)
PACK = (toys.SCHEMA.folder / "reference" / "toy.toml").read_text("utf-8")


def fuzzed(many: int) -> Any:
    """Settings of hypothesis: so many files, the same each time."""
    quiet = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]
    return settings(max_examples=many, suppress_health_check=quiet, database=None)


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder to stand in, where nothing may appear by itself."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "layer.toml").write_text(LAYER)
    yield tmp_path
    assert not list(tmp_path.rglob(CANARY))


def judged(read: Callable[[], Any]) -> Any:
    """What a reader gives; None where it tells mistakes, each in a line that a person can read."""
    with within(SECONDS):
        try:
            return read()
        except Mistakes as mistakes:
            found = mistakes
    lines = str(found).split("\n")
    assert 0 < len(lines) == len(found.mistakes) <= MOST
    for line in lines:
        assert line.strip() and len(line) <= LONGEST
        assert not [c for c in line if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")]
    return None


def test_a_judge_is_not_easily_pleased() -> None:
    """What reads the files would fail if they broke anything."""
    with pytest.raises(AssertionError):
        judged(lambda: (_ for _ in ()).throw(Mistakes([])))
    with pytest.raises(AssertionError):
        judged(lambda: (_ for _ in ()).throw(Mistakes([Mistake("x", "y", "z" * 9_999)])))
    with pytest.raises(ZeroDivisionError):
        judged(lambda: 1 // 0)


def reread(setup: Setup, room: Path) -> None:
    """A config that is right can be planned, and read back from its own text."""
    plan = make_plan(setup)
    assert plan.games > 0
    (room / "again.toml").write_text(setup.config.to_toml(), encoding="utf-8")
    assert load_config("again.toml") == setup.config


def spoiled(text: str, edits: list[Bytes]) -> bytes:
    data = text.encode()
    for edit in edits:
        data = edit(data)
    return data


def reshaped(text: str, edits: list[Reshape]) -> bytes:
    tables = tomllib.loads(text)
    for edit in edits:
        edit(tables)
    return toml(tables)


@fuzzed(CONFIGS)
@given(config=st.sampled_from([CONFIG, SWEEP]), edits=spoiled_bytes)
def test_configs_of_spoiled_bytes(room: Path, config: str, edits: list[Bytes]) -> None:
    (room / "toy.toml").write_bytes(spoiled(config, edits))
    setup = judged(lambda: load_setup("toy.toml"))
    if setup:
        reread(setup, room)


@fuzzed(CONFIGS)
@given(config=st.sampled_from([CONFIG, SWEEP]), edits=spoiled_tables)
def test_configs_that_say_odd_things(room: Path, config: str, edits: list[Reshape]) -> None:
    (room / "toy.toml").write_bytes(reshaped(config, edits))
    setup = judged(lambda: load_setup("toy.toml"))
    if setup:
        reread(setup, room)


@fuzzed(PACKS)
@given(edits=spoiled_bytes)
def test_packs_of_spoiled_bytes(room: Path, edits: list[Bytes]) -> None:
    (room / "mine.toml").write_bytes(spoiled(PACK, edits))
    pack = judged(lambda: load(toys.SCHEMA, ["mine.toml"]))
    if pack:
        assert Pack.from_json(toys.SCHEMA, pack.to_json()) == pack


@fuzzed(PACKS)
@given(edits=spoiled_tables)
def test_packs_that_say_odd_things(room: Path, edits: list[Reshape]) -> None:
    (room / "mine.toml").write_bytes(reshaped(PACK, edits))
    pack = judged(lambda: load(toys.SCHEMA, ["mine.toml"]))
    if pack:
        assert Pack.from_json(toys.SCHEMA, pack.to_json()) == pack


# ---------------------------------------------------------------- the packs of every game


SCHEMAS = {find_game(name).schema.game: find_game(name) for name in game_names()}


@pytest.mark.parametrize("family", SCHEMAS)
def test_cards_of_every_game(room: Path, family: str) -> None:
    """Cards that say odd things are refused, or can be played."""
    game = SCHEMAS[family]
    tables = {}
    for file in sorted((game.schema.folder / "reference").glob("*.toml")):
        tables |= read_toml(file)

    @fuzzed(100)
    @given(edits=spoiled_tables)
    def judge(edits: list[Reshape]) -> None:
        odd = deepcopy(tables)
        for edit in edits:
            edit(odd)
        pack = judged(lambda: from_tables(game.schema, "mine", odd))
        if pack:
            play_some(game, pack)

    judge()


def play_some(game: Game, pack: Pack) -> None:
    """Every first role of a pack plays a few games."""
    tables = game.load(pack, settings_of(game, {}))
    lineup = [slug for side in game.sides for slug in usual_roles(tables.roles[side.key])[: side.seats]]
    if len(lineup) == game.players:
        seats = seatings(game, tables, lineup, dict.fromkeys([side.bot for side in game.sides], usual_bot(tables)))
        assert play_tally(game, tables, seats, 1, 0, 24).games.sum() == 24


# ---------------------------------------------------------------- sheets


@fuzzed(300)
@given(kind=st.sampled_from(list(toys.SCHEMA.all_kinds())), edits=spoiled_sheets)
def test_sheets(room: Path, kind: str, edits: list[Bytes]) -> None:
    folders = room / "sheets", room / "mine"
    for folder in folders:
        folder.mkdir(exist_ok=True)
    sheets = to_sheets(REFERENCE)
    for edit in edits:
        sheets[f"{kind}.csv"] = edit(sheets[f"{kind}.csv"])
    for name, data in sheets.items():
        (folders[0] / name).write_bytes(data)
    read = judged(lambda: from_sheets(toys.SCHEMA, folders[0], "mine"))
    if read:
        pack, notes = read
        assert all(len(note) <= LONGEST for note in notes)
        for name, data in to_toml(pack).items():
            (folders[1] / name).write_bytes(data)
        assert load(toys.SCHEMA, [folders[1]]).cards == pack.cards


# ---------------------------------------------------------------- what is typed


PATHS = [
    "title", "seed", "game", "pack", "lineup.runners", "bots.runner", "games", "games.per_cell", "verdict.against",
    "verdict.tolerance", "table.throws", "run.rotate", "runner.backend", "runner.keep_games", "changes", "changes.x",
    "runner", "runner.swift", "runner.swift.dice", "runner.Swift.title", "runner.None.sides", "hound.pup.but.dice",
    "rules.rout", "rules", "pack.title", "nothing", "__class__", "runner..dice", ".", "=", "",
]  # fmt: skip
_changes = st.builds(
    "{}={}".format,
    st.sampled_from(PATHS) | st.builds("{}.{}".format, st.sampled_from(PATHS), names),
    values.map(toml_value) | names | st.sampled_from(ODD_TEXTS).map(lambda text: text.decode("utf-8", "replace")),
)


@fuzzed(400)
@given(sets=st.lists(_changes | names, min_size=1, max_size=3), games=st.none() | st.integers())
def test_changes_from_the_command_line(room: Path, sets: list[str], games: int | None) -> None:
    (room / "toy.toml").write_text(CONFIG, encoding="utf-8")
    setup = judged(lambda: load_setup("toy.toml", sets, games))
    if setup:
        reread(setup, room)


_WORDS = [
    "rounds", "lead", "ending", "role", "score", "bold", "share", "winner", "loser", "seat1", "seat9", "hound",
    "None", "swift", "pup", "rout", "draw", "and", "or", "not", "(", ")", ".", "=", "==", "!=", "<", ">=", "1", "-3",
    "1.5", "9" * 30, "'", '"', "'Grim'", "import", "__class__", "()", "[", "{", "\\", ";", "lambda", "\n", "é", "🦀",
]  # fmt: skip


@fuzzed(400)
@given(text=st.lists(st.sampled_from(_WORDS) | names, max_size=9).map(" ".join), dense=st.booleans())
def test_filters_of_games(text: str, dense: bool) -> None:
    game = toys.GAMES["toy.fight"]
    tables = game.load(REFERENCE, settings_of(game, {}))
    rows = np.arange(5 * len(game.columns()), dtype=np.int64).reshape(5, -1) % 3
    for read in (read_filter, read_pair):
        fits = judged(lambda read=read: read(text.replace(" ", "") if dense else text, game, tables))
        if fits:
            assert fits(rows).dtype == bool and fits(rows).shape in ((5,), (1,))


# ---------------------------------------------------------------- the commands


def call(*arguments: object) -> Result:
    """One command in this process, which says what it has to say in clear lines, and how it went."""
    with within(3 * SECONDS):
        result = CliRunner().invoke(cli.app, [str(argument) for argument in arguments])
    said = result.stdout + result.stderr
    assert result.exit_code in (0, 1, 2) and said.strip(), arguments
    assert "Traceback" not in said and "WASTELAB_DEBUG" not in said, said
    assert result.exit_code == 0 or not [c for c in said if unicodedata.category(c) == "Cc" and c != "\n"]
    return result


@fuzzed(40)
@given(edits=spoiled_bytes, sets=st.lists(_changes, max_size=1))
def test_commands_on_spoiled_files(room: Path, edits: list[Bytes], sets: list[str]) -> None:
    """Exit code 0 or 2, and after 2 nothing is there that was not there before."""
    (room / "toy.toml").write_bytes(spoiled(CONFIG, edits))
    (room / "mine.toml").write_bytes(spoiled(LAYER, edits))
    before = sorted(room.rglob("*"))
    options = [part for text in sets for part in ("--set", text.replace("\0", ""))]
    for command in (
        ["run", "toy.toml", "--print-config", *options],
        ["pack", "check", "mine.toml", "--game", "toy.fight"],
        ["pack", "show", "mine.toml", "--game", "toy.fight"],
        ["pack", "diff", "toy", "mine.toml"],
        ["config", "schema", "--game", "toy.duel", "--pack", "mine.toml"],
    ):
        assert call(*command).exit_code in (0, 2)
    assert sorted(room.rglob("*")) == before


@pytest.mark.parametrize("name", ODD_NAMES)
def test_odd_names_are_typed(room: Path, name: str) -> None:
    """In every place where a command takes a name."""
    (room / "toy.toml").write_text(CONFIG, encoding="utf-8")
    for command in (
        ["run", name, "--print-config"],
        ["run", "toy.toml", "--pack", name, "--print-config"],
        ["pack", "check", name],
        ["pack", "diff", "toy", name],
        ["pack", "import", name, "new"],
        ["list", name],
        ["report", name],
        ["verify", name],
        ["resume", name],
        ["replay", name, "--game", 0],
    ):
        safe = [str(part).replace("\0", "") for part in command]
        call(*safe[:1], *("--" if part == name and part.startswith("-") else part for part in safe[1:]))
    assert not (room / "new").exists() and not (room / "results").exists()


# ---------------------------------------------------------------- ledgers


COMMANDS = (["verify"], ["report"], ["resume"], ["replay", "--where", "rounds = 1"])
_page = st.integers(0, 12).map(lambda page: 4096 * page)
spoiled_ledger = st.lists(
    st.one_of(
        st.builds(splice, st.integers(0, 50_000), st.just(10**6), st.just(b""), st.just(0)),
        st.builds(splice, st.integers(0, 50_000), st.integers(1, 5_000), st.binary(max_size=40), st.integers(0, 2)),
        st.builds(splice, _page, st.just(4096), st.sampled_from([b"\0" * 4096, b"\xff" * 4096]), st.just(0)),
        st.builds(splice, st.integers(0, 200), st.integers(1, 16), st.binary(min_size=1, max_size=16), st.just(0)),
    ),
    min_size=1,
    max_size=2,
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small finished run."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "layer.toml").write_text(LAYER)
    (folder / "toy.toml").write_text(CONFIG, encoding="utf-8")
    run = play_config(folder / "toy.toml", folder / "results")
    run.close()
    return run.folder


def test_pages_and_filters_of_odd_names(room: Path, played: Path) -> None:
    """A page is written below where one stands, or refused; a filter finds something, or says why not."""
    around = set(room.parent.iterdir())
    for name in ODD_NAMES:
        odd = name.replace("\0", "")
        call("replay", played, "--first-with", f"winner={odd}")
        call("replay", played, "--where", f"rounds = 2 or role = '{odd}'")
        call("replay", played, "--cell", "swift vs steady", "--game", 0, "--html", f"{odd.replace('/', '_')}.html")
    assert set(room.parent.iterdir()) == around
    assert len([path for path in room.iterdir() if path.name.endswith(".html")]) > 30


def test_ledgers_of_spoiled_bytes(room: Path, played: Path) -> None:
    whole = (played / FILE).read_bytes()

    @fuzzed(25)
    @given(edits=spoiled_ledger)
    def judge(edits: list[Bytes]) -> None:
        data = whole
        for edit in edits:
            data = edit(data)
        for command, *options in COMMANDS:
            (room / FILE).write_bytes(data)
            call(command, room, *options)

    judge()


def test_ledgers_that_say_odd_things(room: Path, played: Path) -> None:
    """A manifest that is whole, as somebody wrote it who can count checksums, too."""
    shutil.copy(played / FILE, room / FILE)
    run = open_run(room)

    @fuzzed(80)
    @given(edits=spoiled_tables, inner=st.booleans())
    def judge(edits: list[Reshape], inner: bool) -> None:
        manifest = deepcopy(run.manifest)
        pack = json.loads(manifest["pack"])
        for edit in edits:
            edit(pack if inner else manifest)
        if inner:
            manifest["pack"] = json.dumps(pack, default=str)
        run.ledger.change(json.loads(json.dumps(manifest, default=str)), run.plan.cells)
        for command, *options in COMMANDS[:1] + COMMANDS[3:]:
            call(command, room, *options)

    judge()


@pytest.mark.parametrize("data", [b"", b"\0", b"SQLite format 3\0", b"x" * 100_000, "größe".encode("utf-16")])
def test_files_that_are_no_ledgers(room: Path, data: bytes) -> None:
    for command, *options in COMMANDS:
        (room / FILE).write_bytes(data)
        assert call(command, room, *options).exit_code == 1


# ---------------------------------------------------------------- files that are large


_RUN = "title = 'x'\nseed = 1\ngame = 'toy.fight'\n[games]\nper_cell = 3\n"
LARGE = {
    "keys": "".join(f"a{i} = 1\n" for i in range(90_000)),
    "cards": "".join(f"[runner.a{i}]\ndice = 1\n" for i in range(45_000)),
    "parts": "".join(f"b{i}.{'a.' * 1_900}a = 1\n" for i in range(100)),
    "layers": "pack = [\n" + "'reference',\n" * 60_000 + "]\n" + _RUN,
    "changes": _RUN + "[changes]\n" + "".join(f"runner.swift.a{i} = 1\n" for i in range(60_000)),
    "points": _RUN + "[sweep.grid]\n" + "".join(f"runner.swift.a{i} = [1]\n" for i in range(45_000)),
    "brackets": "a = " + "[\n" * 900_000,
}


@pytest.mark.parametrize("what", LARGE)
def test_large_files_are_told_in_time(room: Path, what: str) -> None:
    (room / "large.toml").write_text(LARGE[what])
    assert judged(lambda: load_setup("large.toml")) is None
    assert judged(lambda: load(toys.SCHEMA, ["large.toml"])) is None
