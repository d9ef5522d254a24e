"""Configs: what they mean, and that all of their mistakes are told at once."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.config import find_config, load_config, load_setup, restore, shipped_configs, toml_value
from simcore.packs import Mistakes
from tests.conftest import Write


def mistakes_of(path: Path | str, *sets: str, games: int | None = None) -> list[str]:
    with pytest.raises(Mistakes) as found:
        load_setup(path, sets, games)
    return [str(mistake) for mistake in found.value.mistakes]


def test_what_is_left_out_is_filled_in(config: Write) -> None:
    checked = load_config(config())
    assert checked.lineup == {"runners": ("all",), "hounds": ("all",)}
    assert checked.bots == {"runner": "regular", "hound": "regular"}
    assert checked.table == {"throws": 1}
    assert checked.pack == ("reference",)
    assert checked.verdict.draw_counts == 0.5


def test_three_mistakes_are_told_at_once_with_what_is_allowed(config: Write) -> None:
    path = config(games=-5, more='\n[lineup]\nrunners = ["swift", "stedy"]\n\n[tabel]\nthrows = 2\n')
    told = mistakes_of(path)
    assert len(told) == 3
    unknown, negative, nobody = sorted(told, key=lambda line: ["tabel", "games", "lineup"].index(line[:6].strip(".r ")))
    assert unknown.startswith("tabel is unknown") and unknown.endswith("did you mean table?")
    assert "verdict" in unknown
    assert negative.startswith("games.per_cell is -5") and "from 1 to 1000000000000" in negative
    assert nobody.startswith('lineup.runners "stedy" is no role') and "swift, steady, None" in nobody
    assert nobody.endswith("did you mean steady?")


@pytest.mark.parametrize(
    ("more", "where", "says"),
    [
        ("[lineup]\nrunner = 'all'", "lineup.runner", "did you mean runners?"),
        ("[lineup]\nrunners = []", "lineup.runners", "1"),
        ("[lineup]\nrunners = ['swift', 'swift']", "lineup.runners", "2 times"),
        ("[lineup]\nrunners = 3", "lineup.runners", "is 3"),
        ("[bots]\nrunners = 'bold'", "bots.runners", "did you mean runner?"),
        ("[bots]\nrunner = 'bald'", "bots.runner", "did you mean bold?"),
        ("[bots]\nrunner = ['bold', 'timid']", "bots.runner", "text"),
        ("[table]\nthrows = 21", "table.throws", "from 1 to 20"),
        ("[table]\nthrow = 2", "table.throw", "did you mean throws?"),
        ("[table]\nthrows = true", "table.throws", "is true"),
        ("[runner]\nbackend = 'thread'", "runner.backend", "did you mean threads?"),
        ("[runner]\naddress = 'tcp://10.0.0.1:8786'", "runner.address", "--cluster tcp://HOST:PORT"),  # FR1
        ("[runner]\nkeep_games = 1", "runner.keep_games", "true or false"),
        ("[run]\nrotate = 'both'", "run.rotate", "all, cyclic, none"),
        ("[verdict]\ntolerance = 1.5", "verdict.tolerance", "to 1"),
        ("[verdict]\nagainst = 'feild'", "verdict.against", "field"),
        ("[verdict]\ndraw_counts = nan", "verdict.draw_counts", "nan"),
        ("[changes]\n'hound.pup.dice' = -3", "hound.pup.dice", "from 1 to 5"),
        ("[changes]\n'hound.puup.dice' = 3", "hound.puup.dice", "did you mean"),
    ],
)
def test_each_mistake_says_where_and_what_is_right(config: Write, more: str, where: str, says: str) -> None:
    (told,) = mistakes_of(config(more="\n" + more))
    assert told.startswith(where)
    assert says in told


def test_mistakes_of_the_pack_and_of_names_come_together(config: Write) -> None:
    told = mistakes_of(config(more="\n[bots]\nhound = 'bald'"), "hound.pup.dice=-3", "lineup.runners=swft")
    assert [line.split()[0] for line in told] == ["hound.pup.dice", "lineup.runners", "bots.hound"]


@pytest.mark.parametrize("line", ["game = 'toy.figt'", "game = 7", ""])
def test_a_game_must_be_one_of_the_list(tmp_path: Path, line: str) -> None:
    path = tmp_path / "x.toml"
    path.write_text(f"title = 'x'\nseed = -1\n{line}\n[games]\nper_cell = 1\n")
    told = mistakes_of(path)
    assert len(told) == 2 and any(one.startswith("seed") for one in told)
    assert any(one.startswith("game") for one in told)


def test_a_seed_of_0_and_of_the_largest_are_seeds(config: Write) -> None:
    assert load_config(config(seed=0)).seed == 0
    assert load_config(config(seed=2**63 - 1)).seed == 2**63 - 1
    assert "seed" in mistakes_of(config(seed=2**63))[0]


def test_changes_reach_config_and_pack(config: Write) -> None:
    sets = (
        "games.per_cell=7",
        "table.throws=3",
        "lineup.runners=swift",
        "bots.hound=bold",
        "hound.pup.dice=4",
    )
    setup = load_setup(config(), sets)
    assert setup.config.games.per_cell == 7
    assert setup.config.table == {"throws": 3} and setup.tables.data.throws == 3
    assert setup.config.lineup["runners"] == ("swift",)
    assert setup.config.bots["hound"] == "bold"
    assert setup.pack.cards["hound"]["pup"].dice == 4 and setup.tables.data.hound[0].dice == 4
    assert setup.config.changes == {"hound.pup.dice": 4}


def test_games_overrides_per_cell_and_is_checked(config: Write) -> None:
    assert load_config(config(), games=9).games.per_cell == 9
    assert mistakes_of(config(), games=0)[0].startswith("games.per_cell is 0")


@pytest.mark.parametrize("change", ["games.per_cell", "=3", "games..per_cell=3", "title.deeper=3", "hund.pup.dice=3"])
def test_a_change_that_means_nothing_is_a_mistake(config: Write, change: str) -> None:
    assert f"--set {change}" in mistakes_of(config(), change)[0]


def test_a_config_reads_back_from_its_own_text(config: Write, tmp_path: Path) -> None:
    sets = ("hound.pup.dice=4", 'title=a "b" \\ <c> ü 💥', "verdict.against=[0.4, 0.6]", "run.rotate=cyclic")
    first = load_config(config(), sets)
    (tmp_path / "again.toml").write_text(first.to_toml(), encoding="utf-8")
    assert load_config(tmp_path / "again.toml") == first


PLAIN = st.text() | st.integers(-(2**63), 2**63 - 1) | st.booleans() | st.floats(allow_nan=False)


@given(st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)))
def test_values_read_back_from_their_toml(value: object) -> None:
    assert tomllib.loads(f"x = {toml_value(value)}")["x"] == value


def test_values_without_toml_are_refused() -> None:
    assert tomllib.loads(f"x = {toml_value(date(2026, 1, 2))}")["x"] == date(2026, 1, 2)
    with pytest.raises(TypeError):
        toml_value(None)


def test_layers_lie_beside_the_config(config: Write, tmp_path: Path) -> None:
    (tmp_path / "strong.toml").write_text("[hound.pup]\ndice = 5\n")
    setup = load_setup(config(more=""), ('pack=["reference", "strong.toml"]',))
    assert setup.pack.cards["hound"]["pup"].dice == 5
    assert "nowhere.toml" in mistakes_of(config(), 'pack=["reference", "nowhere.toml"]')[0]


def test_a_pack_with_too_few_roles_for_the_seats_is_told(config: Write, tmp_path: Path) -> None:
    text = (Path(__file__).parents[1] / "toy_packs" / "reference" / "toy.toml").read_text()
    blocks = [block for block in text.split("\n\n") if not block.startswith(("[runner.steady]", "[runner.None]"))]
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "toy.toml").write_text("\n\n".join(blocks))
    (told,) = mistakes_of(config(game="toy.duel"), "pack=small")
    assert told.startswith("lineup.runners has 1 role")


@pytest.mark.parametrize("name", list(shipped_configs()))
def test_shipped_configs_are_right_and_say_their_question(name: str) -> None:
    text = find_config(name).read_text(encoding="utf-8")
    assert text.startswith("# The question: ")
    assert load_config(name).question


def test_a_config_that_is_not_there_is_told_with_the_nearest(tmp_path: Path) -> None:
    assert "did you mean knight_fights?" in mistakes_of("knight_figths")[0]
    assert "is a folder" in mistakes_of(tmp_path)[0]


def test_an_old_run_is_set_up_again_from_its_manifest(config: Write) -> None:
    setup = load_setup(config(), ("hound.pup.dice=4",))
    again = restore(setup.config.model_dump(mode="json"), setup.pack.to_json())
    assert again.config == setup.config
    assert again.tables.data.tobytes() == setup.tables.data.tobytes()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("pack = [3]", ["pack.0 is 3; allowed: text"]),
        ("pack = ['reference', 3]", ["pack.1 is 3; allowed: text"]),
        ("pack = []", ["pack is an empty list; allowed: a list of 1 to 32 items (text)"]),
        (f"pack = {['reference'] * 33}", ["pack is a list of 33; allowed: a list of 1 to 32 items (text)"]),
        ("lineup.runners = [1, 'swift']", ["lineup.runners.0 is 1; allowed: text"]),
        ("verdict.against = [0.1, 2]", ["verdict.against.1 is 2; allowed: a number from 0 to 1"]),
    ],
)
def test_a_list_with_a_mistake_is_told_once(config: Write, line: str, told: list[str]) -> None:
    path = config()
    path.write_text(f"{line}\n{path.read_text('utf-8')}", encoding="utf-8")
    with pytest.raises(Mistakes) as caught:
        load_config(path)
    assert str(caught.value).splitlines() == told


@pytest.mark.parametrize(
    ("sets", "told"),
    [
        (["lineup.size=5"], "lineup.size has 5; allowed: 2 to 4 of the gangs"),
        (
            ["lineup.gangs=['hyenas', 'hyenas', 'patrol']"],
            'lineup.gangs names "hyenas" 2 times; allowed: each role once',
        ),
        (
            ["lineup.gangs=['hyenas', 'patrol']"],
            "at least 4, one for each seat; by lineup.size fewer sit down, from 2 on",
        ),
    ],
)
def test_tables_of_rivals_that_are_too_large_or_too_small_are_one_line(sets: list[str], told: str) -> None:
    with pytest.raises(Mistakes) as caught:
        load_setup("gang_winrates", sets)
    assert [str(mistake) for mistake in caught.value.mistakes if told in str(mistake)]


def test_a_fixed_lineup_of_rivals_names_each_once_and_no_more_than_sit_there() -> None:
    fixed = [["hyenas", "hyenas"], ["hyenas", "patrol", "valkyries", "gentlemen", "unshakeable"]]
    with pytest.raises(Mistakes) as caught:
        load_setup("gang_seating", [f"lineup.fixed={fixed}"])
    assert [str(mistake) for mistake in caught.value.mistakes] == [
        'lineup.fixed.0 names "hyenas" 2 times; allowed: each role once, or mirror = true',
        "lineup.fixed.1 names 5 role(s); allowed: 2 to 4 of gangs",
    ]


def test_roles_that_the_settings_leave_out_are_a_mistake_and_no_part_of_all(tmp_path: Path) -> None:
    """FG4: the first game of Marauders has four gangs."""
    path = tmp_path / "first.toml"
    text = 'title = "First"\nseed = 1\ngame = "gangs"\n[games]\nper_cell = 100\n[table]\nfirst_game = 1\n'
    path.write_text(text)
    bench = {slug for lineup in load_setup(path).dealt.lineups for slug in lineup if slug}
    assert bench == {"unshakeable", "slave_traders", "patrol", "hyenas"}
    path.write_text(text + '[lineup]\ngangs = ["patrol", "valkyries", "gentlemen"]\nsize = 2\n')
    assert mistakes_of(path)[:2] == [
        f'lineup.gangs "{slug}" is not in the first game (table.first_game = 1); '
        "allowed: unshakeable, slave_traders, patrol, hyenas"
        for slug in ("valkyries", "gentlemen")
    ]
    assert load_setup(path, ["table.first_game=0"]).config.lineup["gangs"] == ("patrol", "valkyries", "gentlemen")
