"""What a config may hold, written out: a JSON Schema for editors, and a commented config to begin with.

Both are made from the config's models, the contract of the game and its pack, so that they say what is checked.
The schema keeps to what draft 7 knows, as editors do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from textwrap import wrap
from typing import Any

from experiments.config import Config, settings_of, shipped_configs, usual_bot
from experiments.ledger import Trouble
from experiments.lineups import span_of
from experiments.parts import toml_key, toml_value
from simcore import packs
from simcore.game import ALL, EVERY, Game, Side, Tables, game_names, role_names
from simcore.packs import Mistake, Mistakes, Pack

Schema = dict[str, Any]

DRAFT = "http://json-schema.org/draft-07/schema#"
SCHEMA_FILE = "wastelab.schema.json"
FIRST_LOOK = 1_000
WIDTH = 100


def config_schema(game: Game | None = None, tables: Tables | None = None) -> Schema:
    """The JSON Schema of configs, or of those of one game; `tables` (of any pack) have the roles and bots to name."""
    schema = _inlined(Config.model_json_schema())
    parts = schema["properties"]
    how = parts.pop("meetings")["properties"]
    parts["lineup"]["properties"] = how
    if game is None:
        parts["game"]["enum"] = game_names()
    else:
        parts["game"]["enum"] = [game.name]
        how = _sized(how, game)
        parts["run"]["properties"]["rotate"]["default"] = game.rotate
        if game.crew:
            parts["verdict"]["properties"]["against"] = _of_crews(parts["verdict"]["properties"]["against"])
        parts["table"] |= _closed({one.name: _setting(one) for one in game.settings})
        parts["changes"] |= _changes(game)
    if game and tables:
        parts["lineup"] |= _closed({side.key: _roles(side, tables) for side in game.sides} | how)
        parts["bots"] |= _closed({side.bot: _bot(tables) for side in game.sides})
    return {"$schema": DRAFT, "title": f"A config of {game.name if game else 'Wastelab'}", **schema}


def new_config(game: Game, name: str) -> str:
    """A commented config as TOML text: every key with its default and what it means; right as it is.

    name: what it is called. Roles, bots and the example of a change are those of the game's reference pack.
    """
    pack = packs.load(game.schema)
    tables = game.load(pack, settings_of(game, {}))
    schema = config_schema(game, tables)
    given = {"title": name, "seed": 1, "game": game.name, "per_cell": FIRST_LOOK}
    lines = [*_comment(_HEAD), "", *_comment(_editor(game)), f"# #:schema ./{SCHEMA_FILE}"]
    tables_below = {key: part for key, part in schema["properties"].items() if part.get("type") == "object"}
    for key, part in schema["properties"].items():
        if key not in tables_below and key not in _LATER:
            lines += ["", *_key(key, part, given)]
    for key, part in schema["properties"].items():
        if key in _LATER:
            lines += ["", "", *_comment(_words(part)), *_later(key, part, game, tables, pack)]
        if key not in tables_below or key in _LATER:
            continue
        lines += ["", "", *_comment(_words(part)), f"[{key}]"]
        for inner, below in part.get("properties", {}).items() if key != "changes" else ():
            lines += [*_key(inner, below, given)]
        lines += _example(game, tables, pack) if key == "changes" else []
    return "\n".join(lines) + "\n"


def write_config(game: Game, name: str, folder: Path) -> Path:
    """Write a commented config, NAME.toml in a folder, and give its path.

    name: with or without .toml. Raises Mistakes for what is no name of a file, is that of a shipped config, or is
    taken; Trouble where the file can't be written.
    """
    stem = name.removesuffix(".toml")
    path = folder / f"{stem}.toml"
    if not stem.strip() or stem[0] in ".-" or path.parent != folder or not stem.isprintable() or len(stem) > 100:
        raise Mistakes([Mistake("NAME", f"is {packs.shown(name)}", "a name for a file here, without folders")])
    if stem in shipped_configs():
        raise Mistakes([Mistake("NAME", f"is {packs.shown(name)}, as a shipped config is called", "one of your own")])
    text = new_config(game, stem)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise Mistakes([Mistake("NAME", f"is {packs.shown(name)}, and {path} is there already")]) from None
    except OSError as error:
        raise Trouble(f"cannot write {path}: {error.strerror or error}") from None
    return path


_HEAD = (
    "A config of Wastelab. Every key is here with its default; what you don't change may go. Play it by "
    "`wastelab run` and this file's name, or look at it first with --print-config."
)


def _editor(game: Game) -> str:
    return (
        f"Editors with a TOML plugin complete and check this file: write `wastelab config schema --game {game.name}` "
        f"to {SCHEMA_FILE} beside it, and take the first # and blank from the next line."
    )


_LATER = ("sweep", "variant")
"""What a first config leaves out: it is shown as comments."""


# ---------------------------------------------------------------- the schema


def _inlined(schema: Schema) -> Schema:
    """A schema of pydantic's with every reference replaced by what it means, and without titles."""
    known = schema.pop("$defs", {})

    def inline(part: Any) -> Any:
        if isinstance(part, list):
            return [inline(one) for one in part]
        if not isinstance(part, dict):
            return part
        part = _without_null(part)
        if "$ref" in part:
            part = known[part["$ref"].rsplit("/", 1)[-1]] | {k: v for k, v in part.items() if k != "$ref"}
        # a title that is a table is a key of a config, and no title of pydantic's
        return {key: inline(one) for key, one in part.items() if key != "title" or isinstance(one, dict)}

    inlined: Schema = inline(schema)
    return inlined


def _without_null(part: Schema) -> Schema:
    """A part without null, which TOML doesn't have: a key that may be null may be left out."""
    options = [one for one in part.get("anyOf", []) if one != {"type": "null"}]
    if not options or len(options) == len(part["anyOf"]):
        return part
    rest = {key: value for key, value in part.items() if key not in ("anyOf", "default")}
    if len(options) > 1:
        return rest | {"anyOf": options}
    return _without_null(options[0] | rest)


def _closed(properties: Mapping[str, Schema]) -> Schema:
    return {"type": "object", "properties": dict(properties), "additionalProperties": False}


def _setting(setting: Any) -> Schema:
    about = {"description": f"{setting.about[:1].upper()}{setting.about[1:]}.", "default": setting.default}
    return {"type": "integer", "minimum": setting.low, "maximum": setting.high, **about}


def _of_crews(against: Schema) -> Schema:
    """What a crew's verdicts are against: not "fair", as a crew that wins together has no shares."""
    about = (
        "What win rates are judged against: field (the mean of the members over all lineups), a number from 0 to 1, "
        "or [low, high]."
    )
    named, *numbers = against["anyOf"]
    left = [name for name in named["enum"] if name != "fair"]
    return {**against, "anyOf": [{**named, "enum": left}, *numbers], "description": about}


def _sized(how: Mapping[str, Schema], game: Game) -> dict[str, Schema]:
    """How lineups are made, with the sizes that a game knows; without them where all seats are taken."""
    side = game.sides[0]
    if not side.least:
        return {key: part for key, part in how.items() if key != "size"}
    one = {"type": "integer", "minimum": side.least, "maximum": side.seats}
    many = {"type": "array", "items": one, "minItems": 1, "uniqueItems": True}
    few = max(side.least, side.seats - 1)
    about = f"{how['size']['description']} From {side.least} to {side.seats}."
    return {**how, "size": {"anyOf": [one, many], "description": about, "examples": [sorted({few, side.seats})]}}


def _roles(side: Side, tables: Tables) -> Schema:
    """All roles of a side, or a list of as many as sit there, or more; one alone where one may sit there."""
    roles, least = tables.roles[side.key], side.least or side.seats
    slugs, shared = role_names(roles), list(dict.fromkeys(role.of for role in roles if role.of))
    several = [ALL, *([EVERY] if shared else [])]
    alone = [*several, *slugs] if least == 1 else several
    named = [*slugs, *(f"{name}/{ALL}" for name in shared)]
    many = {"type": "array", "items": {"enum": named}, "minItems": least, "uniqueItems": True}
    every = {"type": "array", "contains": {"enum": several}, "items": {"enum": [*several, *named]}}
    return {"anyOf": [{"enum": alone}, many, every], "default": ALL, "description": _few_or_many(side)}


def _few_or_many(side: Side) -> str:
    seats = "one of them sits" if side.seats == 1 else f"{span_of(side.seats, side.least)} of them sit"
    return f"Which {side.key} meet, each choice of them once: {seats} at a table."


def _bot(tables: Tables) -> Schema:
    return {"enum": list(tables.bots), "default": usual_bot(tables), "description": ""}


def _changes(game: Game) -> Schema:
    """Tables of the game's kinds of card, or keys that begin with one."""
    kinds = [re.escape(kind) for kind in game.schema.kinds]
    return {
        "type": "object",
        "patternProperties": {rf"^({'|'.join(kinds)})(\..+)?$": {}},
        "additionalProperties": False,
    }


# ---------------------------------------------------------------- the commented config


def _key(key: str, part: Schema, given: Mapping[str, Any]) -> list[str]:
    """A key with its default, after what it means and what it may be."""
    value = given.get(key, part.get("default"))
    if value is None:
        return [*_comment(_words(part)), f"# {toml_key(key)} = {toml_value(part['examples'][0])}"]
    return [*_comment(_words(part)), f"{toml_key(key)} = {toml_value(value)}"]


def _words(part: Schema) -> str:
    """What a key means, and what it may be where that can be listed."""
    return " ".join(filter(None, [part.get("description", ""), _allowed(part)]))


def _allowed(part: Schema) -> str:
    if "enum" in part:
        return f"One of: {', '.join(part['enum'])}." if len(part["enum"]) > 1 else ""
    low, high = part.get("minimum"), part.get("maximum")
    if low is not None:
        return f"From {low:,} to {high:,}." if high is not None else ""
    named = [one["enum"] for one in part.get("anyOf", []) if "enum" in one]
    listed = [one["items"]["enum"] for one in part.get("anyOf", []) if "enum" in one.get("items", {})]
    if named and listed:
        return f"{toml_value(ALL)}, or a list of: {', '.join(listed[0])}."
    return ""


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)]


def _example(game: Game, tables: Tables, pack: Pack) -> list[str]:
    """One change that could be made, as a comment."""
    for path, now, other in _possible(game, tables, pack):
        where = ".".join(toml_key(part) for part in path.split("."))
        return [f"# {where} = {other}    # it is {now} in the pack"]
    return []


def _later(key: str, part: Schema, game: Game, tables: Tables, pack: Pack) -> list[str]:
    """A table that is left out at first, with what may stand in it and an example, as comments."""
    inner = part.get("properties") or part["items"]["properties"]
    lines = [line for name, below in inner.items() for line in _comment(f"{name}: {_words(below)}")]
    for path, now, other in _possible(game, tables, pack):
        where = ".".join(toml_key(step) for step in path.split("."))
        if key == "sweep":
            return [*lines, "# [sweep.grid]", f"# {where} = {toml_value(sorted([now, other]))}"]
        return [*lines, "# [[variant]]", '# name = "what if"', f"# set = {{ {where} = {other} }}"]
    return lines


def _possible(game: Game, tables: Tables, pack: Pack) -> Iterator[tuple[str, int, int]]:
    """Whole numbers that may be one higher or lower, first those of the last side's first role, then of all cards:
    path, value now, other value.
    """
    slug = tables.roles[game.sides[-1].key][0].slug
    kinds = [kind for kind, cards in pack.cards.items() if slug in cards]
    own = (number for kind in kinds for number in pack.numbers(kind, slug))
    for path, now, _ in chain(own, pack.numbers()):
        for other in (now + 1, now - 1):
            try:
                packs.load(game.schema, ("reference",), {path: toml_value(other)})
            except Mistakes:
                continue
            yield path, now, other
