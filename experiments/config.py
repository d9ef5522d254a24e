"""The config of an experiment: TOML in, a checked set-up out, all mistakes at once.

A config names a game, who meets, which bots play and how many games. Each key is described where its model
stands; the commented config of `wastelab new` and the JSON Schema for editors are made from that. Keys of the
pack can be changed beside it, in `[changes]` or by `--set`.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from math import lcm, prod
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import BeforeValidator, Field, Strict, WithJsonSchema, field_validator, model_validator

from experiments.lineups import Bench, Dealt, Meetings, deal, sizes_of
from experiments.parts import Changes, Part, about, changes_named, leaves, toml_key, toml_value
from experiments.sweeps import Points, Sweep, points_of
from experiments.worlds import World, Worlds, points_wrong
from simcore import packs
from simcore.game import (
    ALL,
    EVERY,
    Game,
    Role,
    Setting,
    Side,
    Tables,
    find_game,
    game_names,
    role_names,
    roles_named,
    turns,
)
from simcore.packs import Mistake, Mistakes, Pack, nearest

SHIPPED = Path(__file__).parent / "configs"
"""The configs that come with Wastelab; they can be called by their names alone."""

MOST_GAMES = 10**12
STOPPERS = ("precision", "at_most", "budget_minutes")
"""Keys of [games] by which a run stops by itself."""

MAX_LAYERS = 32
OLD_ADDRESS = "runner.address"
"""The key by which earlier versions read from a config where to connect to."""


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


class Games(Part):
    """How many games are played: so many a cell, or as many as an answer takes."""

    per_cell: Annotated[
        Annotated[int, Field(ge=1, le=MOST_GAMES)] | None,
        about(
            "Games of each lineup, rounded up to whole blocks of seatings. Four times as many halve an interval. "
            "Without it a run stops by itself, as the keys below say: looking at fixed numbers of games, with "
            "intervals that hold at all looks together.",
            1_000,
        ),
    ] = None
    precision: Annotated[
        Annotated[float, Field(gt=0, lt=0.5, allow_inf_nan=False)] | None,
        about(
            "Half the width that the interval of each role's share over the field must have. Without it a run goes on "
            "until every verdict is clear.",
            0.01,
        ),
    ] = None
    at_least: Annotated[
        Annotated[int, Field(ge=1, le=MOST_GAMES)] | None,
        about("Games that each lineup gets before anything stops.", 5_000),
    ] = None
    at_most: Annotated[
        Annotated[int, Field(ge=1, le=MOST_GAMES)] | None,
        about("Games that each lineup gets at most, whatever is known by then.", 1_000_000),
    ] = None
    budget_minutes: Annotated[
        Annotated[float, Field(gt=0, le=525_600, allow_inf_nan=False)] | None,
        about("Minutes after which a run ends at the last look that all lineups have reached.", 10.0),
    ] = None
    first_look: Annotated[
        int, Field(ge=100, le=10**9), about("Games of each lineup at the first look of a run that stops by itself.")
    ] = 1_200
    look_ratio: Annotated[
        float,
        Field(ge=1.05, le=10, allow_inf_nan=False),
        about("How many times more games each further look is at."),
    ] = 1.25
    chunk: Annotated[
        int,
        Field(ge=1, le=10**9),
        about("Games that one entry of the run's ledger covers at most. It changes no number."),
    ] = 262_144

    @property
    def stops(self) -> bool:
        """Whether the run stops by itself."""
        return self.per_cell is None


class Verdict(Part):
    """What the report calls too strong or too weak."""

    against: Annotated[
        Literal["fair", "field"] | Chance | Band,
        about(
            "What shares are judged against: fair (1 / players), field (the mean of the roles over the same "
            "opponents), a number from 0 to 1, or [low, high]."
        ),
    ] = "field"
    tolerance: Annotated[Chance, about("How far from that a share may be and still be called balanced.")] = 0.02
    draw_counts: Annotated[
        Chance,
        about("Between two unlike sides: the share that the first has of a draw. The second has the rest."),
    ] = 0.5
    exact: Annotated[
        bool,
        about(
            "Whether exact chances stand beside what was played, with the difference in standard errors: for a game "
            "that can be solved, bots that can be (random), and a fixed number of games."
        ),
    ] = False


class RunOptions(Part):
    """How lineups are played."""

    rotate: Annotated[
        Literal["all", "cyclic", "none"],
        about(
            "In which orders the roles of one side sit down: all of them equally often, cyclic (each in each seat), "
            "or none (as listed). Without it, as is usual for the game: all, unless these are very many."
        ),
    ] = "all"
    common_dice: Annotated[
        bool,
        about("In a sweep: whether a lineup has the same dice at every point, so that points are compared in pairs."),
    ] = False


class RunnerOptions(Part):
    """Who plays, and what is kept. It changes no number."""

    backend: Annotated[
        Literal["threads", "processes", "dask"],
        about(
            "What the workers are: threads or processes of this machine, or those of a Dask cluster, of any machines. "
            "Where that is, only the command line says, by --cluster, or the environment: never a file."
        ),
    ] = "threads"
    keep_games: Annotated[
        bool,
        about("Whether every game is kept as a row, in Parquet files in the run's folder games, beside the tallies."),
    ] = False


class Variant(Part):
    """Another reading of the config, played on the same dice as the config itself and compared with it game by game."""

    name: Annotated[
        str,
        Field(min_length=1, max_length=60, pattern=r"^\S.*$"),
        about("What it is called in the report and for replay --variant."),
    ]
    set: Annotated[
        dict[str, Any],
        Field(min_length=1),
        about("What is other than in the config: values of cards, bots or table settings, as in kind.card.field = 3."),
    ]

    @field_validator("set", mode="before")
    @classmethod
    def _flatten(cls, raw: Any) -> Any:
        return dict(leaves(raw)) if isinstance(raw, dict) else raw

    @property
    def changes(self) -> Changes:
        """What it sets, by path."""
        return tuple(self.set.items())


class Config(Part):
    """A whole config."""

    title: Annotated[
        str, Field(min_length=1, max_length=200), about("What the run is called: the title of its report.")
    ]
    question: Annotated[str, Field(max_length=2000), about("What you want to know; the report begins with it.")] = ""
    seed: Annotated[int, Field(ge=0, lt=2**63), about("Where the dice begin: the same seed gives the same games.")]
    game: Annotated[str, about("What is played; `wastelab list games` tells of all.")]
    pack: Annotated[
        Names,
        Field(max_length=MAX_LAYERS),
        about(
            "The cards: layers, each laid over those before. A layer is a shipped pack by its name, a folder of "
            '.toml files or a small .toml file, as in ["reference", "my_changes.toml"]; paths are relative to this '
            "file's folder."
        ),
    ] = ("reference",)
    lineup: Annotated[
        dict[str, Names],
        about(
            'Who meets: of each side "all", or a list of roles. Where a player picks one of several versions of a '
            'role, as in brute/counterblow, its name alone means the usual one, "brute/all" every version, and '
            '"all/all" every version of all.',
        ),
    ] = Field(default_factory=dict)
    meetings: Meetings = Meetings()
    bots: Annotated[dict[str, str], about("Which bot plays each side.")] = Field(default_factory=dict)
    games: Games
    verdict: Verdict = Verdict()
    table: Annotated[dict[str, int], about("How the table is set.")] = Field(default_factory=dict)
    run: RunOptions = RunOptions()
    runner: RunnerOptions = RunnerOptions()
    sweep: Annotated[
        Sweep | None,
        about("Values that are swept: all lineups are played at each point. Several tables multiply their points."),
    ] = None
    variant: Annotated[
        tuple[Variant, ...],
        Strict(False),
        Field(max_length=20),
        about("Variants of this config that are played on the same dice and compared with it, each a [[variant]]."),
    ] = ()
    changes: Annotated[dict[str, Any], about("Values of cards changed by hand, as in kind.card.field = 3.")] = Field(
        default_factory=dict
    )

    @model_validator(mode="before")
    @classmethod
    def _flatten_changes(cls, raw: Any) -> Any:
        if isinstance(raw, dict) and isinstance(raw.get("changes"), dict):
            return raw | {"changes": dict(leaves(raw["changes"]))}
        return raw

    @model_validator(mode="before")
    @classmethod
    def _part_lineup(cls, raw: Any) -> Any:
        """How lineups are made stands in [lineup], beside who is in them."""
        if not isinstance(raw, dict) or not isinstance(raw.get("lineup"), dict):
            return raw
        how = {key: value for key, value in raw["lineup"].items() if key in Meetings.model_fields}
        who = {key: value for key, value in raw["lineup"].items() if key not in how}
        return raw | {"lineup": who} | ({"meetings": how} if how else {})

    def to_toml(self) -> str:
        """The config as TOML text that reads back to an equal config."""
        values = {k: v for k, v in self.model_dump(mode="json", exclude_none=True).items() if v != []}
        values["lineup"] |= self.meetings.model_dump(mode="json", exclude_defaults=True)
        del values["meetings"]
        below = {key: value for key, value in values.items() if isinstance(value, dict) or _is_tables(value)}
        lines = [f"{key} = {toml_value(value)}" for key, value in values.items() if key not in below]
        for name, value in below.items():
            for table in [value] if isinstance(value, dict) else value:
                pairs = [f"{toml_key(key)} = {toml_value(v)}" for key, v in table.items()]
                head = f"[{name}]" if isinstance(value, dict) else f"[[{name}]]"
                lines += ["", head, *pairs] if pairs else []
        return "\n".join(lines) + "\n"

    def filled(self, game: Game, tables: Tables) -> Self:
        """The same config with everything written out that it left to defaults."""
        lineup = {side.key: self.lineup.get(side.key, (ALL,)) for side in game.sides}
        bots = {side.bot: self.bots.get(side.bot, usual_bot(tables)) for side in game.sides}
        run = self.run if "rotate" in self.run.model_fields_set else self.run.model_copy(update={"rotate": game.rotate})
        given = {"lineup": lineup, "bots": bots, "table": settings_of(game, self.table), "run": run}
        return self.model_copy(update=given)


def _is_tables(value: Any) -> bool:
    """Whether a value is a list of tables, [[name]] in TOML."""
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


@dataclass(frozen=True)
class Given:
    """What was dealt to a run when it began: its lineups, and the points of its sweep. Whatever a later version of ours
    or of a library would deal, the run keeps these.
    """

    lineups: Dealt
    points: Points


@dataclass(frozen=True)
class Source:
    """Where a set-up was read from: the config as it was named, and what a command line changed of it."""

    config: str
    sets: tuple[str, ...] = ()
    games: int | None = None
    layers: tuple[str, ...] = ()

    def seen_from(self, folder: Path) -> Source:
        """The same with paths that lead there from a folder; names of what is shipped stay."""

        def path(name: str | Path) -> str:
            return os.path.relpath(name, folder) if packs.is_there(name) else str(name)

        file = find_config(self.config)
        config = file.stem if file in shipped_configs().values() else path(file)
        return replace(self, config=config, layers=tuple(path(layer) for layer in self.layers))

    def load(self, folder: Path) -> Setup | None:
        """What it asks for now, its paths leading from a folder; None where its config is there no more. Raises
        Mistakes.
        """

        def path(name: str) -> str:
            return str(folder / name) if packs.is_there(folder / name) else name

        if path(self.config) == self.config and self.config not in shipped_configs():
            return None
        layers = tuple(path(layer) for layer in self.layers)
        sets = [text for text in self.sets if text.partition("=")[0].strip() != OLD_ADDRESS]
        return load_setup(path(self.config), sets, self.games, layers, lambda setup: True)


@dataclass(frozen=True)
class Setup:
    """A checked config and what it speaks of: the game, the pack, the tables made from it, and the worlds that its
    points and variants change it to.
    """

    config: Config
    game: Game
    pack: Pack
    tables: Tables
    worlds: Worlds = field(repr=False, compare=False)
    given: Given | None = field(default=None, repr=False, compare=False)
    source: Source | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, config: Config, game: Game, pack: Pack, tables: Tables) -> Self:
        """A set-up from a config, whose defaults are written out here."""
        config = config.filled(game, tables)
        return cls(config, game, pack, tables, Worlds(game, pack, tables, config.bots, config.table))

    @cached_property
    def swept(self) -> Points:
        """The points of the sweep; one without changes where there is no sweep. Raises Mistakes."""
        sweep = self.config.sweep
        if self.given:
            return self.given.points
        return points_of(sweep, self.config.seed) if sweep else Points(((),), ())

    @cached_property
    def dealt(self) -> Dealt:
        """The lineups. Raises Mistakes."""
        if self.given:
            return self.given.lineups
        config, benches = self.config, []
        for side in self.game.sides:
            known = self.tables.roles[side.key]
            names = config.lineup[side.key]
            if ALL in names and config.meetings.how == "fixed":  # such lineups say themselves which version they mean
                names = (EVERY,)
            chosen = list(dict.fromkeys(role for name in names for role in roles_named(known, name)))
            if config.run.rotate != "none":
                # so that a list written in another order means the same cells; else it is the order of the seats
                chosen.sort(key=known.index)
            slugs, shared = tuple(role.slug for role in chosen), tuple(role.name for role in chosen)
            benches.append(Bench(side.key, slugs, side.seats, side.least, shared))
        fixed = tuple(self._slugs(lineup) for lineup in config.meetings.fixed)
        meetings = config.meetings.model_copy(update={"fixed": fixed})
        return deal(meetings, benches, config.seed, config.run.rotate == "none", self.rings)

    def _slugs(self, lineup: Sequence[str]) -> tuple[str, ...]:
        """A fixed lineup with the slug of the usual version for a role that is named alone; other names as they are."""
        sides = [side for side in self.game.sides for _ in range(side.seats)]
        found = [
            (roles_named(self.tables.roles[side.key], name), name) for side, name in zip(sides, lineup, strict=False)
        ]
        slugs = [roles[0].slug if len(roles) == 1 else name for roles, name in found]
        return (*slugs, *lineup[len(slugs) :])

    @property
    def rings(self) -> bool:
        """Whether rivals of a fixed lineup sit round the table as they are listed, and all move on together."""
        return self.game.rivals and self.config.meetings.how == "fixed" and self.config.run.rotate == "cyclic"

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many sit down in one lineup or another, over all sides."""
        return tuple(dict.fromkeys(map(sum, self._sizes)))

    @cached_property
    def block(self) -> int:
        """How many seatings each lineup is counted by: whole turns of the smaller lineups and of the larger ones."""
        rotate = self.config.run.rotate
        return lcm(*(prod(len(turns([*range(size)], rotate)) for size in sizes) for sizes in self._sizes))

    @property
    def _sizes(self) -> list[tuple[int, ...]]:
        """How many sit down on each side, for all lineups."""
        meetings = self.config.meetings
        return list(product(*(sizes_of(meetings, side.seats, side.least) for side in self.game.sides)))

    def seats(self, world: World, lineup: Sequence[str]) -> Any:
        """The seatings of a lineup in a world, `block` of them, as `simcore.game.play` takes them."""
        rows = world.seats(self.game, lineup, self.config.run.rotate)
        return rows[np.arange(self.block) % len(rows)] if self.block != len(rows) else rows

    @property
    def points(self) -> tuple[Changes, ...]:
        """The points themselves."""
        return self.swept.points

    def beside(self, point: int, variant: str = "") -> Changes | None:
        """What the games of a point and variant are compared with one by one, as they have the same dice: those of a
        variant with the baseline, and those of a sweep with common dice with its first point. None where there is
        nothing to compare.
        """
        if variant:
            return self.changes(point)
        return self.changes(0) if self.config.run.common_dice and point else None

    def base(self, point: int, variant: str = "") -> World | None:
        """The world of the games that those of a point and variant are compared with; None where there are none."""
        changes = self.beside(point, variant)
        return None if changes is None else self.worlds.of(changes)

    def paired(self, point: int, variant: str = "") -> bool:
        """Whether the games of a point and variant are compared with others."""
        return self.beside(point, variant) is not None

    def world(self, point: int, variant: str = "") -> World:
        """What a point, or a variant at a point, is played in."""
        return self.worlds.of(self.changes(point, variant))

    def changes(self, point: int, variant: str = "") -> Changes:
        """What a point, or a variant at a point, changes of the base; the variant has the last word."""
        sets = {one.name: one.changes for one in self.config.variant}
        return tuple(dict([*self.points[point], *sets.get(variant, ())]).items())

    def told(self, point: int, variant: str = "") -> tuple[str, str]:
        """The bots of a point and variant, and what the point changes, in words."""
        bots = self.worlds.bots(self.changes(point, variant))
        return " ".join(f"{key}={bot}" for key, bot in bots.items()), changes_named(self.points[point])


def load_config(
    path: Path | str, sets: Sequence[str] = (), games: int | None = None, layers: Sequence[str] = ()
) -> Config:
    """The checked config alone; arguments and errors as in `load_setup`."""
    return load_setup(path, sets, games, layers).config


def load_setup(
    path: Path | str,
    sets: Sequence[str] = (),
    games: int | None = None,
    layers: Sequence[str] = (),
    known: Callable[[Setup], bool] = lambda setup: False,
) -> Setup:
    """Read and check a config with everything that it names.

    path: a file, or the name of a shipped config. sets: changes such as "games.per_cell=1000",
    "lineup.knights=..." or, for a value of the pack, "enemy.scrap_hound.health=3". games: overrides
    games.per_cell. layers: a pack in place of the config's, or files to lay over it, relative to where one
    stands. known: whether all points and variants of a set-up have been found right before, as in a run of it; a
    sweep of thousands takes long to check. Raises Mistakes with all that is wrong in the config, in the changes and in
    the pack.
    """
    file = find_config(path)
    raw = packs.read_toml(file)
    game = _game_of(raw, sets)
    mistakes = _apply(raw, sets, game)
    if games is not None and not _fix_games(raw, games):
        mistakes.append(Mistake("--games", "goes below a value that is no table"))
    if game and layers:
        raw["pack"] = _with_layers(game, raw, layers)
    config, misshapen = packs.validate(Config, raw, "")
    misshapen = [
        replace(one, where=one.where.replace("meetings.", "lineup.", 1))
        for one in misshapen
        if one.where != OLD_ADDRESS
    ]
    mistakes += misshapen + _games_wrong(raw) + _runner_wrong(raw)
    if game is None:
        mistakes += _game_wrong(raw)
        raise Mistakes(mistakes)
    pack, tables, wrong = _open_pack(game, raw, _layers(game, raw, file.parent, len(layers)))
    told = {mistake.where for mistake in misshapen}
    mistakes += wrong + [mistake for mistake in _names_wrong(game, tables, raw) if mistake.where not in told]
    if config is None or pack is None or tables is None:
        raise Mistakes([*mistakes, *_sweep_wrong(raw)])
    source = Source(str(path), tuple(sets), games, tuple(layers))
    setup = replace(Setup.of(config, game, pack, tables), source=source)
    if not mistakes and known(setup):
        return setup
    mistakes += _sweep_wrong(raw) or _worlds_wrong(setup)
    if not mistakes:
        mistakes = [*(_dealt_wrong(setup) or _exact_wrong(setup)), *_judged_wrong(setup)]
    if mistakes:
        raise Mistakes(mistakes)
    return setup


def load_tables(game: Game, layers: Sequence[str] = ()) -> Tables:
    """A game's tables as a table is usually set: of its reference pack, or of the layers that a command line gives.
    Raises Mistakes.
    """
    asked = Asked.of(game, layers)
    if asked.pack is None or asked.tables is None or asked.mistakes:
        raise Mistakes(asked.mistakes)
    return asked.tables


@dataclass(frozen=True)
class Asked:
    """A pack and a table that a command line asks for where there is no config, or what is wrong with them.

    pack: None where it is wrong; tables: also where only changes are wrong, so that names can be checked against them.
    """

    pack: Pack | None
    tables: Tables | None
    settings: dict[str, int]
    mistakes: list[Mistake]

    @classmethod
    def of(cls, game: Game, layers: Sequence[str] = (), sets: Sequence[str] = ()) -> Self:
        """layers: a pack, and files to lay over it; sets: changes as in "table.ammo=2" or of a card."""
        raw: dict[str, Any] = {"pack": _with_layers(game, {}, layers)} if layers else {}
        heads = {text: text.partition("=")[0].partition(".")[0].strip() for text in sets}
        odd = [text for text in sets if heads[text] in Config.model_fields.keys() - {"table", *game.schema.kinds}]
        mistakes = [Mistake(f"--set {text}", "belongs to a config", "a card's value, or table.NAME=N") for text in odd]
        mistakes += _apply(raw, [text for text in sets if text not in odd], game)
        numbers = raw.get("table", {})
        settings, wrong = _settings(game, raw)
        if not isinstance(numbers, dict):
            wrong.append(Mistake("table", f"is {packs.shown(numbers)}", "table.NAME=N"))
        for name, value in numbers.items() if isinstance(numbers, dict) else ():
            if type(value) is not int and name in settings:
                wrong.append(Mistake(f"table.{name}", f"is {packs.shown(value)}", "a whole number"))
        pack, tables, found = _open_pack(game, raw, _layers(game, raw, Path(), len(layers)))
        return cls(pack, tables, settings, [*mistakes, *wrong, *found])


def restore(config: Mapping[str, Any], pack: str) -> Setup:
    """The set-up of an old run from what its ledger holds: the config as plain values, the pack as `to_json`
    text.

    Raises Mistakes, ValidationError or KeyError where they no longer fit. The address that runs of an earlier version
    have is left out: nothing connects to it.
    """
    runner = config.get("runner")
    if isinstance(runner, Mapping):
        config = {**config, "runner": {key: value for key, value in runner.items() if key != "address"}}
    checked = Config.model_validate(config)
    game = find_game(checked.game)
    restored = Pack.from_json(game.schema, pack)
    tables = game.load(restored, settings_of(game, checked.table))
    return Setup.of(checked, game, restored, tables)


def shipped_configs() -> dict[str, Path]:
    """The configs that come with Wastelab, by name."""
    return {file.stem: file for file in sorted(SHIPPED.glob("*.toml"))}


def find_config(path: Path | str) -> Path:
    """The file of a config, given as a path, with or without .toml, or as the name of a shipped one. Raises
    Mistakes if there is none.
    """
    file, shipped = Path(path), shipped_configs()
    if packs.is_there(file) and (file.is_file() or str(path) not in shipped):
        return file
    beside = Path(f"{path}.toml")
    if packs.is_there(beside):
        return beside
    if str(path) in shipped:
        return shipped[str(path)]
    around = [one.stem for one in sorted(Path().glob("*.toml"))]
    allowed = "a path, or one of those that `wastelab list configs` tells of"
    raise Mistakes([Mistake(shown_path(path), "is no file", allowed, nearest(file.stem, [*shipped, *around]))])


def shown_path(path: Path | str) -> str:
    """A path for a line of text: its end, where it is very long."""
    return str(path) if len(str(path)) <= 200 else f"...{str(path)[-190:]}"


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
        elif first in kinds and not (len(rest) == 1 and first in Config.model_fields):
            _put(raw, ["changes", key.strip()], packs.parse_value(value.strip()))
        elif first in Config.model_fields:
            if not _put(raw, [first, *rest], packs.parse_value(value.strip())):
                mistakes.append(Mistake(f"--set {text}", "goes below a value that is no table"))
        elif game:
            mistakes.append(Mistake(f"--set {text}", f"{first} is unknown", ", ".join(known), nearest(first, known)))
    return mistakes


def _fix_games(raw: dict[str, Any], games: int) -> bool:
    """Write a number of games a cell into the raw config, in place of what would stop it by itself; False where [games]
    is no table.
    """
    if not _put(raw, ["games", "per_cell"], games):
        return False
    raw["games"] = {key: value for key, value in raw["games"].items() if key not in (*STOPPERS, "at_least")}
    return True


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
    changes = {k: toml_value(v) for k, v in leaves(changes)} if isinstance(changes, dict) else {}
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
    whole = given[0] in ("", *game.schema.shipped()) or (packs.is_there(Path(given[0])) and Path(given[0]).is_dir())
    return [*(below if isinstance(below, list) and not whole else []), *given]


def _layers(game: Game, raw: Mapping[str, Any], base: Path, here: int) -> list[Path | str]:
    """Where the layers of a raw config lie: the last `here` of them are relative to where one stands, the others
    to `base`, the config's folder. Nothing where they are no list of names.
    """
    given = _listed(raw.get("pack", "reference"))
    if not isinstance(given, list) or not all(isinstance(layer, str) and layer for layer in given):
        return []
    if len(given) > MAX_LAYERS:
        return []
    bases = [base] * (len(given) - here) + [Path()] * here
    return [_layer(game, layer, folder) for layer, folder in zip(given, bases, strict=True)]


def _layer(game: Game, layer: str, base: Path) -> Path | str:
    """A layer by the name of a shipped pack, else a path from the config's folder or from here."""
    if layer in game.schema.shipped():
        return layer
    return base / layer if packs.is_there(base / layer) else Path(layer)


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
            mistakes.append(Mistake(f"table.{name}", f"is {packs.shown(value)}", span))
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
    known = [*sides, *Meetings.model_fields]
    mistakes += [_unknown("lineup", key, known) for key in lineup if key not in known]
    for side in game.sides if tables else ():
        roles = tables.roles[side.key] if tables else ()
        chosen, fewest = _listed(lineup.get(side.key, ALL)), _fewest(side, lineup)
        absent = tables.absent.get(side.key, {}) if tables else {}
        mistakes += _roles_wrong(f"lineup.{side.key}", chosen, roles, side, fewest, absent)
    seats = [side.bot for side in game.sides]
    for key, bot in bots.items() if isinstance(bots, dict) else ():
        if key not in seats:
            mistakes.append(_unknown("bots", key, seats))
        elif tables and isinstance(bot, str) and bot not in tables.bots:
            wrong = f"is {packs.shown(bot)}, which is no bot of {game.name}"
            mistakes.append(Mistake(f"bots.{key}", wrong, ", ".join(tables.bots), nearest(bot, tables.bots)))
    return mistakes


def _fewest(side: Side, lineup: Mapping[str, Any]) -> int:
    """How many roles of a side must be there for a raw [lineup]."""
    if lineup.get("mirror") is True:
        return 1
    if not side.least:
        return side.seats
    size = side.least if lineup.get("how") == "fixed" else lineup.get("size", side.seats)
    sizes = [one for one in (size if isinstance(size, list) else [size]) if type(one) is int]
    return max((one for one in sizes if side.least <= one <= side.seats), default=side.least)


def _roles_wrong(
    where: str, chosen: Any, roles: Sequence[Role], side: Side, seats: int, absent: Mapping[str, str]
) -> Iterator[Mistake]:
    """Roles that don't exist or are absent, that are named twice, and too few of them for the seats that are taken."""
    if not isinstance(chosen, list):
        return
    names = [name for name in chosen if isinstance(name, str)]
    found = {name: roles_named(roles, name) for name in names}
    counts = Counter(role for name in found for role in found[name])
    for name, own in found.items():
        if name in absent:
            yield Mistake(where, f"{packs.shown(name)} {absent[name]}", ", ".join(role_names(roles)))
        elif not own:
            yield Mistake(where, f"{packs.shown(name)} is no role", *_like(name, roles))
        elif ALL in names:
            continue  # who is named beside is there already
        elif names.count(name) > 1:
            yield Mistake(where, f"names {packs.shown(name)} {names.count(name)} times", "each role once")
        elif len(own) == 1 and name != own[0].slug and counts[own[0]] > 1:
            yield Mistake(where, f"names {packs.shown(own[0].slug)} again as {packs.shown(name)}", "each role once")
    there = {role.name for role in counts} | {name for name in names if not found[name]}
    if len(there) < seats:
        smaller = f"; by lineup.size fewer sit down, from {side.least} on" if 0 < side.least < seats else ""
        yield Mistake(where, f"has {len(there)} role(s)", f"at least {seats}, one for each seat{smaller}")


def _like(wrong: str, roles: Sequence[Role]) -> tuple[str, str]:
    """What may stand in place of a name that is no role, and the nearest: of a role with other versions, these."""
    names = role_names(roles)
    own = [role.slug for role in roles if role.of and role.of == wrong.rpartition("/")[0]]
    return ", ".join(own or names), nearest(wrong, own or names)


def _games_wrong(raw: Mapping[str, Any]) -> list[Mistake]:
    """Ways to stop a run that are missing or contradict one another."""
    games = raw.get("games")
    if not isinstance(games, dict):
        return []
    given, mistakes = [key for key in STOPPERS if key in games], list[Mistake]()
    if "per_cell" not in games and not given:
        allowed = f"a whole number from 1 to {MOST_GAMES}; or {', '.join(STOPPERS)}, for a run that stops by itself"
        mistakes.append(Mistake("games.per_cell", "is missing", allowed))
    if "per_cell" in games and (given or "at_least" in games):
        beside = ", ".join([*given, *(["at_least"] if "at_least" in games else [])])
        mistakes.append(Mistake("games.per_cell", f"stands beside {beside}", "either the one or the others"))
    least, most = games.get("at_least"), games.get("at_most")
    if type(least) is int and type(most) is int and least > most:
        mistakes.append(Mistake("games.at_least", f"is {least}", f"at most {most}, as games.at_most is"))
    return mistakes


def _runner_wrong(raw: Mapping[str, Any]) -> list[Mistake]:
    """The address of a cluster: who wrote a config could make its reader connect to a scheduler of theirs, and such a
    scheduler runs code on whoever connects to it.
    """
    runner = raw.get("runner")
    if not isinstance(runner, dict) or "address" not in runner:
        return []
    wrong = f"is {packs.shown(runner['address'])}, but no file may say where to connect to"
    return [Mistake(OLD_ADDRESS, wrong, "--cluster tcp://HOST:PORT on the command line, or WASTELAB_CLUSTER")]


def _dealt_wrong(setup: Setup) -> list[Mistake]:
    """What is wrong with how lineups are made."""
    try:
        setup.dealt  # noqa: B018 - made here for its mistakes
    except Mistakes as found:
        return list(found.mistakes)
    return []


def _sweep_wrong(raw: Mapping[str, Any]) -> list[Mistake]:
    """What is wrong with the points of a sweep whose tables are right in themselves."""
    sweep = packs.validate(Sweep, raw["sweep"], "")[0] if "sweep" in raw else None
    try:
        if sweep is not None:
            points_of(sweep, 0)
    except Mistakes as found:
        return list(found.mistakes)
    return []


def _worlds_wrong(setup: Setup) -> list[Mistake]:
    """What is wrong at the points of the sweep and in the variants, and variants that change nothing."""
    mistakes = points_wrong(setup.worlds, setup.points)
    names = [variant.name for variant in setup.config.variant]
    for number, variant in enumerate(setup.config.variant):
        where = f"variant.{number}"
        wrong = [
            replace(one, where=f"{where}.set.{one.where}") for one in points_wrong(setup.worlds, [variant.changes])
        ]
        if names.index(variant.name) < number:
            wrong.append(
                Mistake(f"{where}.name", f"is {packs.shown(variant.name)}, as another's is", "a name of its own")
            )
        if not wrong and not mistakes:
            wrong += points_wrong(setup.worlds, [setup.changes(p, variant.name) for p in range(len(setup.points))])
        if not wrong and not any(_differs(setup, point, variant.name) for point in range(len(setup.points))):
            wrong.append(Mistake(where, f"{packs.shown(variant.name)} changes nothing: all that it sets is so already"))
        mistakes += wrong
    return mistakes


def _exact_wrong(setup: Setup) -> list[Mistake]:
    """What stands against exact chances beside those that are played."""
    game, where = setup.game, "verdict.exact"
    if not setup.config.verdict.exact:
        return []
    if not game.solver:
        return [Mistake(where, f"is true, but {game.name} can't be solved", "false")]
    names = ["", *(variant.name for variant in setup.config.variant)]
    slices = [(point, name) for point in range(len(setup.points)) for name in names]
    named = {bot for one in slices for bot in setup.worlds.bots(setup.changes(*one)).values()}
    known = _solved_bots(setup)
    wrong = [
        Mistake(where, f"is true, but the bot {bot!r} can't be solved", ", ".join(known), nearest(bot, known))
        for bot in sorted(named - set(known))
    ]
    if setup.config.games.stops:
        wrong.append(Mistake(where, "is true in a run that stops by itself", "games.per_cell"))
    return wrong


def _judged_wrong(setup: Setup) -> Iterator[Mistake]:
    """An even share of a crew that wins together, and verdicts for each size of table in a run that stops by itself."""
    if setup.game.crew and setup.config.verdict.against == "fair":
        allowed = '"field", a number from 0 to 1, or [low, high]'
        yield Mistake("verdict.against", 'is "fair", but these roles win and lose together', allowed)
    if setup.game.rivals and len(setup.sizes) > 1 and setup.config.games.stops:
        several = ", ".join(map(str, sorted(setup.sizes)))
        wrong = f"is missing: with tables of {several}, each judged by itself, a run can't stop by itself"
        yield Mistake("games.per_cell", wrong, "a number of games, or tables of one size")


def _solved_bots(setup: Setup) -> list[str]:
    """The bots whose play can be solved; all of them where the first lineup can't be, whoever plays it."""
    from experiments.exact import modes_of

    game, tables = setup.game, setup.tables
    row = setup.world(0).seats(game, setup.dealt.lineups[0], "none")[0]
    try:
        return list(modes_of(game.open_solver(tables, row), tables.bots))
    except ValueError:
        return list(tables.bots)


def _differs(setup: Setup, point: int, variant: str) -> bool:
    """Whether a variant plays otherwise than the baseline at a point."""
    base, other = (setup.world(point, name) for name in ("", variant))
    return (base.bots, base.settings, base.digest) != (other.bots, other.settings, other.digest)


def _unknown(where: str, name: str, names: Iterable[str]) -> Mistake:
    known = list(names)
    allowed = ", ".join(known) or "nothing: the game has none"
    return Mistake(f"{where}.{name}", "is unknown", allowed, nearest(name, known))
