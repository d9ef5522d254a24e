"""The config of an experiment: TOML in, a checked set-up out, all mistakes at once.

A config names a game, who meets, which bots play and how many games. Each key is described where its model
stands; the commented config of `wastelab new` and the JSON Schema for editors are made from that. Keys of the
pack can be changed beside it, in `[changes]` or by `--set`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, Strict, WithJsonSchema, model_validator

from simcore import packs
from simcore.game import Game, Setting, Tables, find_game, game_names
from simcore.packs import Mistake, Mistakes, Pack, nearest

SHIPPED = Path(__file__).parent / "configs"
"""The configs that come with Wastelab; they can be called by their names alone."""

ALL = "all"


def _listed(value: Any) -> Any:
    """A lone name as a list of one."""
    return [value] if isinstance(value, str) else value


def _span(low: float, high: float) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "number", "minimum": low, "maximum": high}, "minItems": 2, "maxItems": 2}


TEXTS = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]}
"""The JSON Schema of a name or a list of names."""

Names = Annotated[tuple[str, ...], Strict(False), Field(min_length=1), BeforeValidator(_listed), WithJsonSchema(TEXTS)]
Chance = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Band = Annotated[tuple[Chance, Chance], Strict(False), WithJsonSchema(_span(0, 1))]


def _about(text: str) -> Any:
    """What a key means, for whoever writes a config."""
    return Field(description=text)


class Part(BaseModel):
    """Base of the config's models: no unknown keys, no silent conversions, frozen."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Games(Part):
    """How many games are played."""

    per_cell: Annotated[
        int,
        Field(ge=1, le=10**12),
        _about("Games of each lineup, rounded up to whole blocks of seatings. Four times as many halve an interval."),
    ]
    chunk: Annotated[
        int,
        Field(ge=1, le=10**9),
        _about("Games that one entry of the run's ledger covers at most. It changes no number."),
    ] = 262_144


class Verdict(Part):
    """What the report calls too strong or too weak."""

    against: Annotated[
        Literal["fair", "field"] | Chance | Band,
        _about(
            "What shares are judged against: fair (1 / players), field (the mean of the roles over the same "
            "opponents), a number from 0 to 1, or [low, high]."
        ),
    ] = "field"
    tolerance: Annotated[Chance, _about("How far from that a share may be and still be called balanced.")] = 0.02
    draw_counts: Annotated[
        Chance,
        _about("Between two unlike sides: the share that the first has of a draw. The second has the rest."),
    ] = 0.5


class RunOptions(Part):
    """How it is played. `parallel` changes no number."""

    parallel: Annotated[Literal["threads", "processes"], _about("What the workers are.")] = "threads"
    rotate: Annotated[
        Literal["all", "cyclic", "none"],
        _about(
            "In which orders rivals of one side sit down: all of them equally often, cyclic (each in each seat), "
            "or none (as listed)."
        ),
    ] = "all"


class Config(Part):
    """A whole config."""

    title: Annotated[
        str, Field(min_length=1, max_length=200), _about("What the run is called: the title of its report.")
    ]
    question: Annotated[str, Field(max_length=2000), _about("What you want to know; the report begins with it.")] = ""
    seed: Annotated[int, Field(ge=0, lt=2**63), _about("Where the dice begin: the same seed gives the same games.")]
    game: Annotated[str, _about("What is played; `wastelab list games` tells of all.")]
    pack: Annotated[
        Names,
        _about(
            "The cards: layers, each laid over those before. A layer is a shipped pack by its name, a folder of "
            '.toml files or a small .toml file, as in ["reference", "my_changes.toml"]; paths are relative to this '
            "file's folder."
        ),
    ] = ("reference",)
    lineup: Annotated[dict[str, Names], _about('Who meets: of each side "all", or a list of roles.')] = {}
    bots: Annotated[dict[str, str], _about("Which bot plays each side.")] = {}
    games: Games
    verdict: Verdict = Verdict()
    table: Annotated[dict[str, int], _about("How the table is set.")] = {}
    run: RunOptions = RunOptions()
    changes: Annotated[dict[str, Any], _about("Values of cards changed by hand, as in kind.card.field = 3.")] = {}

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
                    *(f"{toml_key(key)} = {toml_value(v)}" for key, v in table.items()),
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


def load_config(
    path: Path | str, sets: Sequence[str] = (), games: int | None = None, layers: Sequence[str] = ()
) -> Config:
    """The checked config alone; arguments and errors as in `load_setup`."""
    return load_setup(path, sets, games, layers).config


def load_setup(
    path: Path | str, sets: Sequence[str] = (), games: int | None = None, layers: Sequence[str] = ()
) -> Setup:
    """Read and check a config with everything that it names.

    path: a file, or the name of a shipped config. sets: changes such as "games.per_cell=1000",
    "lineup.knights=..." or, for a value of the pack, "enemy.scrap_hound.health=3". games: overrides
    games.per_cell. layers: a pack in place of the config's, or files to lay over it, relative to where one
    stands. Raises Mistakes with all that is wrong in the config, in the changes and in the pack.
    """
    file = find_config(path)
    raw = packs.read_toml(file)
    game = _game_of(raw, sets)
    mistakes = _apply(raw, sets, game)
    if games is not None and not _put(raw, ["games", "per_cell"], games):
        mistakes.append(Mistake("--games", "goes below a value that is no table"))
    if game and layers:
        raw["pack"] = _with_layers(game, raw, layers)
    config, misshapen = packs.validate(Config, raw, "")
    mistakes += misshapen
    if game is None:
        mistakes += _game_wrong(raw)
        raise Mistakes(mistakes)
    pack, tables, wrong = _open_pack(game, raw, _layers(game, raw, file.parent, len(layers)))
    told = {mistake.where for mistake in misshapen}
    mistakes += wrong + [mistake for mistake in _names_wrong(game, tables, raw) if mistake.where not in told]
    if mistakes or config is None or pack is None or tables is None:
        raise Mistakes(mistakes)
    return Setup(config.filled(game, tables), game, pack, tables)


def load_tables(game: Game, layers: Sequence[str] = ()) -> Tables:
    """A game's tables as a table is usually set: of its reference pack, or of the layers that a command line gives.
    Raises Mistakes.
    """
    raw = {"pack": _with_layers(game, {}, layers)} if layers else {}
    pack = packs.load(game.schema, _layers(game, raw, Path(), len(layers)))
    return game.load(pack, settings_of(game, {}))


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
    """The file of a config, given as a path, with or without .toml, or as the name of a shipped one. Raises
    Mistakes if there is none.
    """
    file, shipped = Path(path), shipped_configs()
    if _there(file) and (file.is_file() or str(path) not in shipped):
        return file
    beside = Path(f"{path}.toml")
    if _there(beside):
        return beside
    if str(path) in shipped:
        return shipped[str(path)]
    around = [one.stem for one in sorted(Path().glob("*.toml"))]
    allowed = f"a path, or one of {', '.join(shipped)}"
    raise Mistakes([Mistake(shown_path(path), "is no file", allowed, nearest(file.stem, [*shipped, *around]))])


def shown_path(path: Path | str) -> str:
    """A path for a line of text: its end, where it is very long."""
    return str(path) if len(str(path)) <= 200 else f"...{str(path)[-190:]}"


def _there(path: Path) -> bool:
    """Whether there is something at a path; what no file can be called isn't there."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


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


def _open_pack(
    game: Game, raw: Mapping[str, Any], layers: Sequence[Path | str]
) -> tuple[Pack | None, Tables | None, list[Mistake]]:
    """The pack and tables of a raw config and its layers, or what is wrong with them.

    Where only the changes are wrong, there are still tables, so that the names of the lineup can be checked,
    too.
    """
    if not layers:
        return None, None, []
    changes = raw.get("changes", {})
    changes = {k: toml_value(v) for k, v in _leaves(changes)} if isinstance(changes, dict) else {}
    settings, _ = _settings(game, raw)
    try:
        pack = packs.load(game.schema, layers, changes)
        return pack, game.load(pack, settings), []
    except Mistakes as found:
        if _is_part(game, layers, found):
            _, tables, above = _open_pack(game, raw, ["reference", *layers])
            return None, tables, [_lone(layers[0]), *above]
        if not changes:
            return None, None, list(found.mistakes)
        _, tables, below = _open_pack(game, {"table": raw.get("table", {})}, layers)
        return None, tables, below or list(found.mistakes)


def _is_part(game: Game, layers: Sequence[Path | str], found: Mistakes) -> bool:
    """Whether a pack lacks whole kinds of card because its first layer is a small file, meant to lie over another."""
    lacking = {mistake.where for mistake in found.mistakes} & set(game.schema.all_kinds())
    return bool(lacking) and isinstance(layers[0], Path) and layers[0].is_file()


def _lone(layer: Path | str) -> Mistake:
    example = f'a pack below it, as in pack = ["reference", {toml_value(Path(layer).name)}]'
    return Mistake("pack", f"begins with {Path(layer).name}, which is no whole pack", example)


def _with_layers(game: Game, raw: Mapping[str, Any], given: Sequence[str]) -> list[Any]:
    """The layers of a config with those of the command line: a file is laid over the config's pack, a whole pack
    comes in its place.
    """
    below = _listed(raw.get("pack", "reference"))
    whole = given[0] in ("", *game.schema.shipped()) or (_there(Path(given[0])) and Path(given[0]).is_dir())
    return [*(below if isinstance(below, list) and not whole else []), *given]


def _layers(game: Game, raw: Mapping[str, Any], base: Path, here: int) -> list[Path | str]:
    """Where the layers of a raw config lie: the last `here` of them are relative to where one stands, the others
    to `base`, the config's folder. Nothing where they are no list of names.
    """
    given = _listed(raw.get("pack", "reference"))
    if not isinstance(given, list) or not all(isinstance(layer, str) and layer for layer in given):
        return []
    bases = [base] * (len(given) - here) + [Path()] * here
    return [_layer(game, layer, folder) for layer, folder in zip(given, bases, strict=True)]


def _layer(game: Game, layer: str, base: Path) -> Path | str:
    """A layer by the name of a shipped pack, else a path from the config's folder or from here."""
    if layer in game.schema.shipped():
        return layer
    return base / layer if _there(base / layer) else Path(layer)


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
    layers = _listed(raw.get("pack"))
    if isinstance(layers, list) and "" in layers:
        mistakes.append(Mistake("pack", "has a layer without a name", "the name of a pack, a folder or a .toml file"))
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


def toml_key(key: str) -> str:
    """A key as TOML writes it: in quotes where it needs them."""
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
        return "{" + ", ".join(f"{toml_key(k)} = {toml_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, date | time):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no form in TOML")
