"""The config of an experiment: TOML in, a checked set-up out, all mistakes at once.

A config names a game, who meets, which bots play and how many games. Each key is described where its model
stands. Keys of the pack can be changed beside it, in `[changes]` or by `--set`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, Strict, model_validator

from simcore import packs
from simcore.game import Game, Setting, Tables, find_game, game_names
from simcore.packs import Mistake, Mistakes, Pack, nearest

SHIPPED = Path(__file__).parent / "configs"
"""The configs that come with Wastelab; they can be called by their names alone."""

ALL = "all"


def _listed(value: Any) -> Any:
    """A lone name as a list of one."""
    return [value] if isinstance(value, str) else value


Names = Annotated[tuple[str, ...], Strict(False), Field(min_length=1), BeforeValidator(_listed)]
Chance = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Band = Annotated[tuple[Chance, Chance], Strict(False)]


class Part(BaseModel):
    """Base of the config's models: no unknown keys, no silent conversions, frozen."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Games(Part):
    """[games]: how many games a cell gets, and how many of them, at most, one entry of the ledger covers."""

    per_cell: Annotated[int, Field(ge=1, le=10**12)]
    chunk: Annotated[int, Field(ge=1, le=10**9)] = 262_144


class Verdict(Part):
    """[verdict]: the reference that shares are judged against, the tolerance, and what a draw is worth.

    `draw_counts` speaks of a game between two unlike sides: it is the share that the first side has of a
    draw, and the second side has the rest.
    """

    against: Literal["fair", "field"] | Chance | Band = "field"
    tolerance: Chance = 0.02
    draw_counts: Chance = 0.5


class RunOptions(Part):
    """[run]: workers are threads or processes; `rotate` says in which orders a lineup sits down."""

    parallel: Literal["threads", "processes"] = "threads"
    rotate: Literal["all", "cyclic", "none"] = "all"


class Config(Part):
    """A whole config. `pack` is layers, each over those before; `changes` are pack values set by hand."""

    title: Annotated[str, Field(min_length=1, max_length=200)]
    question: Annotated[str, Field(max_length=2000)] = ""
    seed: Annotated[int, Field(ge=0, lt=2**63)]
    game: str
    pack: Names = ("reference",)
    lineup: dict[str, Names] = {}
    bots: dict[str, str] = {}
    games: Games
    verdict: Verdict = Verdict()
    table: dict[str, int] = {}
    run: RunOptions = RunOptions()
    changes: dict[str, Any] = {}

    @model_validator(mode="before")
    @classmethod
    def _flatten_changes(cls, raw: Any) -> Any:
        if isinstance(raw, dict) and isinstance(raw.get("changes"), dict):
            return raw | {"changes": dict(_leaves(raw["changes"]))}
        return raw

    def to_toml(self) -> str:
        """The config as TOML text that reads back to an equal config."""
        values = self.model_dump(mode="json")
        tables = {key: value for key, value in values.items() if isinstance(value, dict)}
        lines = [f"{key} = {toml_value(value)}" for key, value in values.items() if key not in tables]
        for name, table in tables.items():
            if table:
                lines += [
                    "",
                    f"[{name}]",
                    *(f"{_toml_key(key)} = {toml_value(v)}" for key, v in table.items()),
                ]
        return "\n".join(lines) + "\n"

    def filled(self, game: Game, tables: Tables) -> Self:
        """The same config with everything written out that it left to defaults."""
        lineup = {side.key: self.lineup.get(side.key, (ALL,)) for side in game.sides}
        bots = {side.bot: self.bots.get(side.bot, usual_bot(tables)) for side in game.sides}
        return self.model_copy(update={"lineup": lineup, "bots": bots, "table": settings_of(game, self.table)})


@dataclass(frozen=True)
class Setup:
    """A checked config and what it speaks of: the game, the pack, and the tables made from it."""

    config: Config
    game: Game
    pack: Pack
    tables: Tables


def load_config(path: Path | str, sets: Sequence[str] = (), games: int | None = None) -> Config:
    """The checked config alone; arguments and errors as in `load_setup`."""
    return load_setup(path, sets, games).config


def load_setup(path: Path | str, sets: Sequence[str] = (), games: int | None = None) -> Setup:
    """Read and check a config with everything that it names.

    path: a file, or the name of a shipped config. sets: changes such as "games.per_cell=1000",
    "lineup.knights=..." or, for a value of the pack, "enemy.scrap_hound.health=3". games: overrides
    games.per_cell. Raises Mistakes with all that is wrong in the config, in the changes and in the pack.
    """
    file = find_config(path)
    raw = packs.read_toml(file)
    game = _game_of(raw, sets)
    mistakes = _apply(raw, sets, game)
    if games is not None:
        _put(raw, ["games", "per_cell"], games)
    config, misshapen = packs.validate(Config, raw, "")
    mistakes += misshapen
    if game is None:
        mistakes += _game_wrong(raw)
        raise Mistakes(mistakes)
    pack, tables, wrong = _open_pack(game, raw, file.parent)
    told = {mistake.where for mistake in misshapen}
    mistakes += wrong + [mistake for mistake in _names_wrong(game, tables, raw) if mistake.where not in told]
    if mistakes or config is None or pack is None or tables is None:
        raise Mistakes(mistakes)
    return Setup(config.filled(game, tables), game, pack, tables)


def restore(config: Mapping[str, Any], pack: str) -> Setup:
    """The set-up of an old run from what its ledger holds: the config as plain values, the pack as `to_json`
    text.

    Raises Mistakes, ValidationError or KeyError where they no longer fit.
    """
    checked = Config.model_validate(config)
    game = find_game(checked.game)
    restored = Pack.from_json(game.schema, pack)
    tables = game.load(restored, settings_of(game, checked.table))
    return Setup(checked.filled(game, tables), game, restored, tables)


def shipped_configs() -> dict[str, Path]:
    """The configs that come with Wastelab, by name."""
    return {file.stem: file for file in sorted(SHIPPED.glob("*.toml"))}


def find_config(path: Path | str) -> Path:
    """The file of a config, given as a path or as the name of a shipped one. Raises Mistakes if there is
    none.
    """
    file, shipped = Path(path), shipped_configs()
    if str(path) in shipped and not file.is_file():
        return shipped[str(path)]
    if not file.exists():
        allowed = f"a path, or one of {', '.join(shipped)}"
        raise Mistakes([Mistake(str(path), "is no file", allowed, nearest(file.stem, shipped))])
    return file


def settings_of(game: Game, table: Mapping[str, int]) -> dict[str, int]:
    """All settings of a game, the given ones over the defaults."""
    return {setting.name: table.get(setting.name, setting.default) for setting in game.settings}


def usual_bot(tables: Tables) -> str:
    """The bot that plays where a config names none."""
    return "regular" if "regular" in tables.bots else tables.bots[0]


# ---------------------------------------------------------------- changes from the command line


def _apply(raw: dict[str, Any], sets: Sequence[str], game: Game | None) -> list[Mistake]:
    """Write `--set` changes into the raw config: its own keys in place, those of the pack under "changes"."""
    kinds = list(game.schema.kinds) if game else []
    known = [*Config.model_fields, *kinds]
    mistakes = []
    for text in sets:
        key, sign, value = text.partition("=")
        first, *rest = key.strip().split(".")
        if not sign or not all([first, *rest]):
            mistakes.append(Mistake(f"--set {text}", "is no change", "a path and a value, as in games.per_cell=1000"))
        elif first in kinds:
            _put(raw, ["changes", key.strip()], packs.parse_value(value.strip()))
        elif first in Config.model_fields:
            if not _put(raw, [first, *rest], packs.parse_value(value.strip())):
                mistakes.append(Mistake(f"--set {text}", "goes below a value that is no table"))
        elif game:
            mistakes.append(Mistake(f"--set {text}", f"{first} is unknown", ", ".join(known), nearest(first, known)))
    return mistakes


def _put(raw: dict[str, Any], path: Sequence[str], value: Any) -> bool:
    """Write a value into nested tables; False where a step of the path is no table."""
    *above, last = path
    for key in above:
        raw = raw.setdefault(key, {})
        if not isinstance(raw, dict):
            return False
    raw[last] = value
    return True


def _game_of(raw: Mapping[str, Any], sets: Sequence[str]) -> Game | None:
    """The game that the config means after the changes; None if there is no such game."""
    given = [text.partition("=")[2].strip() for text in sets if text.partition("=")[0].strip() == "game"]
    name = packs.parse_value(given[-1]) if given else raw.get("game")
    return find_game(name) if isinstance(name, str) and name in game_names() else None


# ---------------------------------------------------------------- checks beyond the shape


def _game_wrong(raw: Mapping[str, Any]) -> list[Mistake]:
    """The mistake of a config that names no game that exists; a missing or odd one is pydantic's to tell."""
    name = raw.get("game")
    if not isinstance(name, str):
        return []
    return [Mistake("game", f"is {packs.shown(name)}", ", ".join(game_names()), nearest(name, game_names()))]


def _open_pack(game: Game, raw: Mapping[str, Any], base: Path) -> tuple[Pack | None, Tables | None, list[Mistake]]:
    """The pack and tables of a raw config, or what is wrong with them.

    Where only the changes are wrong, there are still tables, so that the names of the lineup can be checked,
    too.
    """
    given = _listed(raw.get("pack", "reference"))
    if not isinstance(given, list) or not given or not all(isinstance(layer, str) for layer in given):
        return None, None, []
    layers = [_layer(game, layer, base) for layer in given]
    changes = raw.get("changes", {})
    changes = {k: toml_value(v) for k, v in _leaves(changes)} if isinstance(changes, dict) else {}
    settings, _ = _settings(game, raw)
    try:
        pack = packs.load(game.schema, layers, changes)
        return pack, game.load(pack, settings), []
    except Mistakes as found:
        if not changes:
            return None, None, list(found.mistakes)
        _, tables, below = _open_pack(game, {"pack": given, "table": raw.get("table", {})}, base)
        return None, tables, below or list(found.mistakes)


def _layer(game: Game, layer: str, base: Path) -> Path | str:
    """A layer by the name of a shipped pack, else a path from the config's folder or from here."""
    beside = base / layer
    return beside if not (game.schema.folder / layer).is_dir() and beside.exists() else layer


def _settings(game: Game, raw: Mapping[str, Any]) -> tuple[dict[str, int], list[Mistake]]:
    """The game's settings with the right ones of [table], and what is wrong with the others."""
    table = raw.get("table", {})
    known = {setting.name: setting for setting in game.settings}
    right, mistakes = {}, []
    for name, value in table.items() if isinstance(table, dict) else ():
        if name not in known:
            mistakes.append(_unknown("table", name, known))
        elif type(value) is int and not _fits(known[name], value):
            span = f"a whole number from {known[name].low} to {known[name].high}"
            mistakes.append(Mistake(f"table.{name}", f"is {value}", span))
        elif type(value) is int:
            right[name] = value
    return settings_of(game, right), mistakes


def _fits(setting: Setting, value: int) -> bool:
    return setting.low <= value <= setting.high


def _names_wrong(game: Game, tables: Tables | None, raw: Mapping[str, Any]) -> list[Mistake]:
    """Sides, roles, bots and settings that the game or the pack don't have."""
    mistakes = _settings(game, raw)[1]
    lineup, bots = raw.get("lineup", {}), raw.get("bots", {})
    sides = {side.key: side for side in game.sides}
    lineup = lineup if isinstance(lineup, dict) else {}
    mistakes += [_unknown("lineup", key, sides) for key in lineup if key not in sides]
    for side in game.sides if tables else ():
        slugs = [role.slug for role in tables.roles[side.key]] if tables else []
        mistakes += _roles_wrong(f"lineup.{side.key}", _listed(lineup.get(side.key, ALL)), slugs, side.seats)
    seats = [side.bot for side in game.sides]
    for key, bot in bots.items() if isinstance(bots, dict) else ():
        if key not in seats:
            mistakes.append(_unknown("bots", key, seats))
        elif tables and isinstance(bot, str) and bot not in tables.bots:
            wrong = f"is {packs.shown(bot)}, which is no bot of {game.name}"
            mistakes.append(Mistake(f"bots.{key}", wrong, ", ".join(tables.bots), nearest(bot, tables.bots)))
    return mistakes


def _roles_wrong(where: str, chosen: Any, slugs: Sequence[str], seats: int) -> Iterator[Mistake]:
    """Roles that don't exist, that are named twice, and too few of them for the seats of their side."""
    if not isinstance(chosen, list):
        return
    names = [name for name in chosen if isinstance(name, str)]
    if ALL in names:
        names = list(slugs)
    for name in dict.fromkeys(names):
        if name not in slugs:
            yield Mistake(where, f"{packs.shown(name)} is no role", ", ".join(slugs), nearest(name, slugs))
        elif names.count(name) > 1:
            yield Mistake(where, f"names {packs.shown(name)} {names.count(name)} times", "each role once")
    if len(set(names)) < seats:
        yield Mistake(where, f"has {len(set(names))} role(s)", f"at least {seats}, one for each seat")


def _unknown(where: str, name: str, names: Iterable[str]) -> Mistake:
    known = list(names)
    allowed = ", ".join(known) or "nothing: the game has none"
    return Mistake(f"{where}.{name}", "is unknown", allowed, nearest(name, known))


# ---------------------------------------------------------------- TOML


def _leaves(table: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """(dotted path, value) of nested tables."""
    for key, value in table.items():
        where = f"{path}.{key}" if path else key
        if isinstance(value, dict):
            yield from _leaves(value, where)
        else:
            yield where, value


def _toml_key(key: str) -> str:
    bare = key and all(c.isascii() and (c.isalnum() or c in "_-") for c in key)
    return key if bare else toml_value(key)


def toml_value(value: Any) -> str:
    """A plain value (text, number, true or false, date, list, table) as TOML. Raises TypeError for anything
    else.
    """
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml_key(k)} = {toml_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, date | time):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no form in TOML")
