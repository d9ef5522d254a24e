"""What a config may hold, written out: the schema says what is checked, and the commented config is right as it is."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from experiments.config import Config, load_config, load_setup, load_tables, shipped_configs
from experiments.forms import config_schema, new_config
from simcore.game import find_game, game_names
from simcore.packs import Mistakes
from tests.conftest import Write

TOYS = ("toy.fight", "toy.duel")


def schema_of(game: str | None) -> dict[str, Any]:
    found = find_game(game) if game else None
    return config_schema(found, load_tables(found) if found else None)


def keys(schema: dict[str, Any], path: str = "") -> list[str]:
    """Every key that a schema names, with dots."""
    found = []
    for key, part in schema.get("properties", {}).items():
        found += [f"{path}{key}", *keys(part, f"{path}{key}.")]
    return found


@pytest.mark.parametrize("game", [None, *game_names()])
def test_the_schema_is_one_and_describes_every_key(game: str | None) -> None:
    schema = schema_of(game)
    Draft7Validator.check_schema(schema)
    assert set(schema["properties"]) == set(Config.model_fields) - {"meetings"}
    assert "$ref" not in str(schema)
    for key in keys(schema):
        part = schema
        for step in key.split("."):
            part = part["properties"][step]
        assert part.get("description") or key.startswith("bots."), key


@pytest.mark.parametrize("name", list(shipped_configs()))
def test_shipped_configs_fit_the_schema(name: str) -> None:
    raw = tomllib.loads(shipped_configs()[name].read_text("utf-8"))
    for game in (None, raw["game"]):
        Draft7Validator(schema_of(game)).validate(raw)


WRONG = [
    "[tabel]\nthrows = 2",
    "[games]\nper_cell = 0",
    "[games]\nper_cell = 'many'",
    "[games]\nper_cell = 5\nper_sell = 5",
    "[lineup]\nrunner = 'all'",
    "[lineup]\nrunners = 'stedy'",
    "[lineup]\nrunners = []",
    "[lineup]\nrunners = ['swift', 'swift']",
    "[lineup]\nrunners = 3",
    "[bots]\nrunner = 'bald'",
    "[bots]\nrunners = 'bold'",
    "[table]\nthrows = 21",
    "[table]\nthrow = 2",
    "[runner]\nbackend = 'thread'",
    "[run]\nrotate = 'both'",
    "[verdict]\ntolerance = 1.5",
    "[verdict]\nagainst = 'feild'",
    "[verdict]\nagainst = [0.1]",
    "[changes]\nhund.pup.dice = 3",
    "pack = []",
    "pack = 3",
    "seed = -1",
    "game = 'toy.figt'",
    "title = ''",
]
RIGHT = [
    "[lineup]\nrunners = ['swift', 'None']",
    "[lineup]\nrunners = ['all']",
    "[bots]\nrunner = 'bold'",
    "[table]\nthrows = 20",
    "[verdict]\nagainst = [0.4, 0.6]",
    "[verdict]\nagainst = 0.5",
    "[changes]\nhound.pup.dice = 4",
    "[changes]\n'hound.pup.dice' = 4",
    "pack = 'reference'",
    "question = 'why?'",
]


def written(path: Path, game: str, more: str) -> dict[str, Any]:
    """Write a small config with something over it, and give it as tables."""
    raw: dict[str, Any] = {"title": "x", "seed": 1, "game": game, "games": {"per_cell": 4}} | tomllib.loads(more)
    lines = [f"{key} = {value!r}" for key, value in raw.items() if not isinstance(value, dict)]
    inside = [f"[{key}]\n" + more.split("]\n", 1)[1] for key in raw if more.startswith(f"[{key}]")]
    path.write_text("\n".join([*lines, *inside, *([] if "[games]" in more else ["[games]\nper_cell = 4"])]))
    return raw


@pytest.mark.parametrize("game", TOYS)
@pytest.mark.parametrize("more", WRONG)
def test_the_schema_rejects_what_is_a_mistake(tmp_path: Path, game: str, more: str) -> None:
    raw = written(tmp_path / "x.toml", game, more)
    with pytest.raises(Mistakes):
        load_setup(tmp_path / "x.toml")
    assert not Draft7Validator(schema_of(game)).is_valid(raw)


@pytest.mark.parametrize("game", TOYS)
@pytest.mark.parametrize("more", RIGHT)
def test_the_schema_takes_what_is_right(tmp_path: Path, game: str, more: str) -> None:
    raw = written(tmp_path / "x.toml", game, more)
    assert load_setup(tmp_path / "x.toml").config
    for schema in (schema_of(game), schema_of(None)):
        assert list(Draft7Validator(schema).iter_errors(raw)) == []


def test_a_side_of_two_seats_needs_two_roles() -> None:
    raw = {"title": "x", "seed": 1, "game": "toy.duel", "games": {"per_cell": 4}, "lineup": {"runners": ["swift"]}}
    assert not Draft7Validator(schema_of("toy.duel")).is_valid(raw)
    assert Draft7Validator(schema_of("toy.fight")).is_valid(raw | {"game": "toy.fight"})


@pytest.mark.parametrize("game", game_names())
def test_a_new_config_is_right_and_says_all(tmp_path: Path, game: str) -> None:
    text = new_config(find_game(game), "mine")
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    config, raw = load_config(path), tomllib.loads(text)
    assert config.title == "mine" and config.game == game
    bare = {key: raw[key] for key in ("title", "seed", "game", "games")}
    small = tmp_path / "small.toml"
    small.write_text(
        f"title = 'mine'\nseed = {bare['seed']}\ngame = '{game}'\n[games]\nper_cell = {bare['games']['per_cell']}\n"
    )
    assert config == load_config(small), "what it writes out are the defaults"
    Draft7Validator(schema_of(game)).validate(raw)
    one = find_game(game)
    tables = load_tables(one)
    told = " ".join(line.removeprefix("# ") for line in text.splitlines())
    assert set(Config.model_fields) - {"sweep", "variant", "meetings"} <= set(raw)
    assert "# [sweep.grid]" in text and "# [[variant]]" in text
    assert set(raw["lineup"]) >= {side.key for side in one.sides} and set(raw["bots"]) == {s.bot for s in one.sides}
    assert set(raw["table"]) == {setting.name for setting in one.settings}
    for word in [role.slug for side in one.sides for role in tables.roles[side.key]] + list(tables.bots):
        assert word in told
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize("game", game_names())
def test_the_example_of_a_change_can_be_made(config: Write, tmp_path: Path, game: str) -> None:
    text = new_config(find_game(game), "mine")
    (example,) = [line for line in text.split("[changes]\n")[1].splitlines() if line.startswith("# ")]
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(example, example.removeprefix("# ")), encoding="utf-8")
    changed, plain = load_setup(path), load_setup(config(game=game))
    assert len(changed.config.changes) == 1 and changed.pack.digest != plain.pack.digest


def test_the_schema_knows_how_many_may_sit_down_and_how_they_turn() -> None:
    crew, duel = find_game("toy.crew"), find_game("toy.duel")
    parts = config_schema(crew, load_tables(crew))["properties"]
    size = parts["lineup"]["properties"]["size"]
    assert size["anyOf"][0] == {"type": "integer", "minimum": 1, "maximum": 4} and size["examples"] == [[3, 4]]
    assert parts["run"]["properties"]["rotate"]["default"] == "cyclic"
    assert parts["lineup"]["properties"]["throwers"]["anyOf"][1]["minItems"] == 1
    assert "size" not in config_schema(duel, load_tables(duel))["properties"]["lineup"]["properties"]
    assert "size" in config_schema()["properties"]["lineup"]["properties"]
    assert 'rotate = "cyclic"' in new_config(crew, "x") and "# size = [3, 4]" in new_config(crew, "x")
    assert "size =" not in new_config(duel, "x")
