"""Card data: TOML files become checked cards, and every number says where it comes from.

This room knows no game. A game declares a `Schema` (which kinds of card it has, and their models); `load`
reads layers of files, lays them over one another, checks everything and returns a frozen `Pack`. Whatever is
wrong is told at once, in one `Mistakes` exception. Nothing in a pack is ever executed.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
import tomllib
import types
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt, MaxLen, MinLen
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Strict, ValidationError
from pydantic.fields import FieldInfo

MAX_BYTES = 2_000_000
MAX_LINE = 4_000
MAX_DEPTH = 16
MAX_DOTS = 64
MAX_VALUES = 100_000
MAX_TOLD = 100
MAX_LACKING = 3
MAX_SLUG = 64
SLUGS = f"up to {MAX_SLUG} characters without dots, equals signs and control characters"
HOW = ("rulebook", "public", "assumed")
FORMS = 'from = { rulebook = "rule id" }, { public = "source" } or { assumed = "why" }'

M = TypeVar("M", bound=BaseModel)
V = TypeVar("V")
Tables = dict[str, dict[str, dict[str, Any]]]


# ---------------------------------------------------------------- mistakes


@dataclass(frozen=True)
class Mistake:
    """One thing that is wrong in a file.

    where: path like "enemy.hell_raiders.armor", or a file. wrong: what is wrong there. allowed: what would be
    right ("" if that is clear). nearest: the right name that looks most like the given one ("" if none does).
    """

    where: str
    wrong: str
    allowed: str = ""
    nearest: str = ""

    def __str__(self) -> str:
        """One readable line, whatever characters the file held."""
        where, wrong = _cut(self.where, 200), _cut(self.wrong, 1000)
        parts = [f"{where} {wrong}" if where else wrong]
        parts += [f"allowed: {self.allowed}"] if self.allowed else []
        parts += [f"did you mean {self.nearest}?"] if self.nearest else []
        return one_line("; ".join(parts))


class Mistakes(Exception):
    """All mistakes of a load at once; `.mistakes` is the tuple, `str()` gives a line for each."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        """Takes the mistakes in the order in which they are to be read."""
        self.mistakes = tuple(mistakes)
        super().__init__(self.mistakes)

    def __str__(self) -> str:
        """One line for each mistake."""
        return "\n".join(str(mistake) for mistake in self.mistakes)


def nearest(name: str, names: Iterable[str]) -> str:
    """The one of `names` that looks most like `name`, ignoring case; "" where none is near."""
    by_fold = {str(right).casefold(): str(right) for right in names}
    found = difflib.get_close_matches(str(name)[:100].casefold(), list(by_fold), n=1, cutoff=0.55)
    return by_fold[found[0]] if found else ""


def shown(value: object) -> str:
    """A value as a designer wrote it, short enough for a line: text in quotes, true, 3, a list of 4."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**18 else "a huge number"
    if isinstance(value, str):
        return json.dumps(value if len(value) <= 60 else value[:57] + "...", ensure_ascii=False)
    if isinstance(value, Mapping):
        return "a table" if value else "an empty table"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}" if value else "an empty list"
    return str(value)[:60]


def _cut(text: str, most: int) -> str:
    """A text of at most so many characters: its middle left out where it is longer."""
    return text if len(text) <= most else f"{text[: most // 2]} ... {text[5 - most // 2 :]}"


def one_line(text: str) -> str:
    """Control characters and line separators written as escapes."""
    return "".join(repr(c)[1:-1] if unicodedata.category(c) in ("Cc", "Zl", "Zp", "Cs") else c for c in text)


def _unprintable(text: str) -> bool:
    """Whether a name holds control characters or line separators."""
    return one_line(text) != text


def is_blank(text: str) -> bool:
    """Whether a text has nothing to see: no character, or only spaces, control characters and marks without a width."""
    return all(unicodedata.category(c) in ("Zs", "Zl", "Zp", "Cc", "Cf") for c in text)


# ---------------------------------------------------------------- pydantic's errors in our words


class Spot(NamedTuple):
    """A place in a model: its type, and the bounds written on it."""

    kind: Any
    bounds: tuple[Any, ...] = ()


def unwrapped(spot: Spot) -> Spot:
    """The spot without Annotated, Optional and Field wrappings."""
    kind, bounds = spot
    flat: list[Any] = []
    for bound in bounds:
        flat += bound.metadata if isinstance(bound, FieldInfo) else [bound]
    if get_origin(kind) is Annotated:
        inner, *more = get_args(kind)
        return unwrapped(Spot(inner, (*flat, *more)))
    if len(_members(kind)) == 1 and get_origin(kind) in (Union, types.UnionType):
        return unwrapped(Spot(_members(kind)[0], tuple(flat)))
    return Spot(kind, tuple(flat))


def _members(kind: Any) -> list[Any]:
    """The members of a union other than None; the type itself where it is no union."""
    if get_origin(kind) in (Union, types.UnionType):
        return [member for member in get_args(kind) if member is not type(None)]
    return [kind]


def is_model(kind: Any) -> bool:
    """Whether a type is a pydantic model."""
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _below(spot: Spot, key: int | str) -> Spot:
    """The spot one step down; its kind is None where the model knows no such place."""
    kind, inner = spot.kind, get_args(spot.kind)
    if is_model(kind):
        info = kind.model_fields.get(key)
        return Spot(None) if info is None else unwrapped(Spot(info.annotation, tuple(info.metadata)))
    if get_origin(kind) is dict and inner:
        return unwrapped(Spot(inner[1]))
    if get_origin(kind) not in (list, tuple) or not inner:
        return Spot(None)
    alike = get_origin(kind) is list or Ellipsis in inner
    place = 0 if alike else min(int(key), len(inner) - 1)
    return unwrapped(Spot(inner[place]))


def _named(members: Sequence[Any], label: object) -> Spot:
    """The member of a union that pydantic's label speaks of."""
    for member in members:
        bare = unwrapped(Spot(member))
        name = str(getattr(get_origin(bare.kind) or bare.kind, "__name__", "")).lower()
        if name and str(label).lower().split("[")[0] == name:
            return bare
    return Spot(None)


def _find(model: type[BaseModel] | None, loc: Sequence[int | str]) -> tuple[list[str], Spot, Spot]:
    """Follows pydantic's location: the path to show, the spot there, and the spot above it."""
    path: list[str] = []
    spot, above = Spot(model), Spot(None)
    for place, key in enumerate(loc):
        members = _members(spot.kind)
        if len(members) > 1:
            # pydantic adds a label for the member of a union that it tried; it is no part of the path
            spot = spot if place == len(loc) - 1 else _named(members, key)
            continue
        path.append(str(key) or '""')
        spot, above = _below(spot, key), spot
    return path, spot, above


def _span(bounds: Sequence[Any]) -> str:
    """The range that a number's bounds leave, in words that follow "a number"."""
    ge = [f"from {b.ge}" for b in bounds if isinstance(b, Ge)]
    gt = [f"above {b.gt}" for b in bounds if isinstance(b, Gt)]
    le = [f"to {b.le}" if ge else f"at most {b.le}" for b in bounds if isinstance(b, Le)]
    lt = [f"below {b.lt}" for b in bounds if isinstance(b, Lt)]
    return "".join(f" {part}" for part in (*ge, *gt, *le, *lt))


def _lengths(bounds: Iterable[Any]) -> str:
    """How many items or characters the bounds ask for, in words."""
    least = next((b.min_length for b in bounds if isinstance(b, MinLen)), 0)
    most = next((b.max_length for b in bounds if isinstance(b, MaxLen)), None)
    if most is None:
        return f"{least} or more " if least else ""
    return f"{least} to {most} " if least else f"at most {most} "


def spell(spot: Spot) -> str:
    """What a place of a model accepts, in words, as "a whole number from 0 to 6" or "melee, short"."""
    kind, bounds = spot
    origin = get_origin(kind)
    if len(_members(kind)) > 1:
        return " or ".join(dict.fromkeys(spell(unwrapped(Spot(member))) for member in _members(kind)))
    if origin is Literal:
        return ", ".join(str(value) or '""' for value in get_args(kind))
    if origin in (list, tuple):
        inner = unwrapped(Spot(get_args(kind)[0]))
        fixed = f"{len(get_args(kind))} " if origin is tuple and Ellipsis not in get_args(kind) else ""
        return f"a list of {fixed or _lengths(bounds)}items ({spell(inner) or 'any'})"
    if is_model(kind):
        return "a table with " + ", ".join(kind.model_fields)
    if origin is dict:
        return "a table"
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
    word = words.get(kind, "") if isinstance(kind, type) else ""
    if kind is str and _lengths(bounds):
        return f"text of {_lengths(bounds)}characters"
    return word + (_span(bounds) if kind in (int, float) else "")


def _choices(spot: Spot) -> list[str]:
    """The words that a place accepts, if it is a choice among words."""
    return [str(word) for m in _members(spot.kind) if get_origin(m) is Literal for word in get_args(m)]


def from_pydantic(error: ValidationError, where: str, model: type[BaseModel] | None = None) -> list[Mistake]:
    """pydantic's errors as mistakes, one for each place; the first hundred, where there are more.

    error: what pydantic raised; where: the path of the validated table ("" at the top); model: the class that
    was validated, from which the allowed values, ranges and nearest names are read (without it only
    pydantic's own words are at hand).
    """
    found: dict[str, Mistake] = {}
    for one in error.errors(include_url=False)[:MAX_TOLD]:
        path, spot, above = _find(model, one["loc"])
        place = ".".join(part for part in (where, *path) if part)
        found.setdefault(place, _mistake(dict(one), place, spot, above))
    # pydantic calls a list with a wrong item too short as well, and tries a list as all else that it might be
    outer = {".".join(place.split(".")[:depth]) for place in found for depth in range(1, place.count(".") + 1)}
    return [mistake for place, mistake in found.items() if place not in outer]


def _mistake(one: dict[str, Any], place: str, spot: Spot, above: Spot) -> Mistake:
    """One of pydantic's errors in our words."""
    given = one.get("input")
    if one["type"] == "missing":
        return Mistake(place, "is missing", spell(spot))
    if one["type"] == "extra_forbidden":
        keys = list(above.kind.model_fields) if is_model(above.kind) else []
        return Mistake(place, "is unknown", ", ".join(keys), nearest(str(one["loc"][-1]), keys))
    if one["type"] in ("value_error", "assertion_error"):
        return Mistake(place, str(one["ctx"]["error"]))
    allowed = spell(spot)
    wrong = f"is {shown(given)}" if allowed else f"is {shown(given)}: {one['msg']}"
    return Mistake(place, wrong, allowed, nearest(given, _choices(spot)) if isinstance(given, str) else "")


def validate(model: type[M], values: object, where: str) -> tuple[M | None, list[Mistake]]:
    """Checks plain values against a model: (the model, []) or (None, the mistakes). `where` is their path."""
    try:
        return model.model_validate(values), []
    except ValidationError as error:
        return None, from_pydantic(error, where, model)


# ---------------------------------------------------------------- building blocks of card models


class Prose:
    """Marks a field that is words for people: it carries no number and is left out of `describe`."""


def _plain(text: str) -> str:
    """A title or sentence without control characters."""
    if _unprintable(text.replace("\n", " ")):
        raise ValueError("holds control characters")
    return text


def _title(text: str) -> str:
    """A name that is not blank and sits on one line."""
    if is_blank(text):
        raise ValueError("is blank: a name is needed")
    if _unprintable(text):
        raise ValueError("holds control characters")
    return text


def _distinct(items: tuple[Any, ...]) -> tuple[Any, ...]:
    """A list without repetitions."""
    if len(set(items)) < len(items):
        raise ValueError("names something twice")
    return items


T = TypeVar("T")
Listed = Annotated[tuple[T, ...], Strict(False)]
Distinct = Annotated[tuple[T, ...], Strict(False), AfterValidator(_distinct)]
Title = Annotated[str, Field(max_length=80), AfterValidator(_title), Prose()]
Text = Annotated[str, Field(max_length=1000), AfterValidator(_plain), Prose()]


class Card(BaseModel):
    """Base of every card model: no unknown keys, no silent conversions (true is no number), frozen."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Itself:
    """A card as the key of a cache: equal to itself alone, which is far quicker told than by its values."""

    __slots__ = ("card",)

    def __init__(self, card: Card) -> None:
        self.card = card

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself) and self.card is other.card

    def __hash__(self) -> int:
        return id(self.card)


class About(Card):
    """The `[pack]` table: what a pack is called, and what it is for."""

    title: Title
    about: Text


# ---------------------------------------------------------------- where a pack goes against the book


@dataclass(frozen=True)
class Printed:
    """Mark a field whose rule a book prints: its value by the literal wording, and the rule's id.

    It stands in the field's annotation: `ties: Annotated[Literal["shared", "coin"], Printed("coin", "G15-06")]`."""

    value: Any
    rule: str


@dataclass(frozen=True)
class Departure:
    """A place where a pack departs from a printed sentence.

    where: path of the value, as in "ruling.ties"; value: what the pack has; printed: the value by the book's literal
    wording, and rule: its id (None and "" where no reading of the pack is literal); why: the reason, and what it
    changes."""

    where: str
    value: Any
    printed: Any
    rule: str
    why: str

    def __str__(self) -> str:
        """One line, as in "ruling.ties = shared (by the book's letter: coin, G15-06): why"."""
        letter = f" (by the book's letter: {self.printed}, {self.rule})" if self.rule else ""
        return f"{self.where} = {self.value}{letter}: {self.why}"


@dataclass(frozen=True)
class Bend:
    """A card that goes against a printed rule, and is played all the same: its path, how, and the rule's id."""

    where: str
    how: str
    rule: str

    def __str__(self) -> str:
        """One line, as in "raider.sentry has neither a Summon nor an Ambush (G5-06)"."""
        return f"{self.where} {self.how} ({self.rule})"


@dataclass(frozen=True)
class Unplayed:
    """A card that can never enter a game, whatever the settings: its path, and why."""

    where: str
    why: str

    def __str__(self) -> str:
        """One line, as in "gear.rope can never enter a game: no knight begins with it"."""
        return f"{self.where} can never enter a game: {self.why}"


# ---------------------------------------------------------------- what a game declares


@dataclass(frozen=True)
class Kind:
    """A kind of card: its model and how many there may be.

    single: one table (`[dials]`) and not many cards by slug (`[enemy.scrap_hound]`); sourced: its numbers
    need an origin and count for the share of assumed ones; least: how few cards are too few; refs: fields
    that hold slugs (one or a list) of cards of the named kinds.
    """

    model: type[BaseModel]
    capacity: int = 1
    single: bool = False
    sourced: bool = True
    least: int = 0
    refs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


Cards = Mapping[str, Mapping[str, Any]]
Check = Callable[[Cards, Mapping[str, Collection[str]]], list[Mistake]]


def _no_bends(cards: Cards) -> list[Bend]:
    """No printed rule speaks of what cards may do."""
    return []


def _all_played(cards: Cards) -> Iterator[Unplayed]:
    """Every card can enter a game."""
    return iter(())


def _no_check(cards: Cards, slugs: Mapping[str, Collection[str]]) -> list[Mistake]:
    """Nothing to check between cards."""
    return []


@dataclass(frozen=True)
class Schema:
    """What packs of one game look like.

    game: its name; folder: where its own packs lie (`folder / "reference"`); kinds: name -> Kind; check: a
    look across cards. It gets the cards that are right in themselves and, by kind, the slugs of all cards,
    right or wrong, and returns mistakes; bends: the cards of a right pack that go against a printed rule; unplayed:
    those that can never enter a game.
    """

    game: str
    folder: Path
    kinds: Mapping[str, Kind]
    check: Check = _no_check
    bends: Callable[[Cards], list[Bend]] = _no_bends
    unplayed: Callable[[Cards], Iterator[Unplayed]] = _all_played

    def all_kinds(self) -> dict[str, Kind]:
        """The game's kinds, and `[pack]` that every pack has."""
        return {"pack": Kind(About, single=True, sourced=False), **self.kinds}

    def shipped(self) -> list[str]:
        """Names of the packs that come with the game."""
        return sorted(entry.name for entry in self.folder.glob("*") if entry.is_dir())


# ---------------------------------------------------------------- origins


@dataclass(frozen=True)
class Origin:
    """Where a value comes from. how: rulebook, public or assumed; text: the rule id, the source, or why."""

    how: Literal["rulebook", "public", "assumed"]
    text: str

    def __str__(self) -> str:
        """As in "assumed: an average scavenger"."""
        return f"{self.how}: {self.text}"


NO_REASON = "no reason is given"
BY_HAND = Origin("assumed", "set by hand")


def _is_origin(value: object) -> bool:
    """Whether a table under `but` is an origin and not a level of nesting: a word of HOW with a text."""
    return isinstance(value, dict) and any(isinstance(value.get(how), str) for how in HOW)


def _origin(value: object, where: str) -> tuple[Origin | None, list[Mistake]]:
    """Reads `{ assumed = "why" }`."""
    if not isinstance(value, dict) or len(value) != 1:
        return None, [Mistake(where, f"is {shown(value)}, not one origin", FORMS)]
    ((how, text),) = value.items()
    if how not in HOW:
        return None, [Mistake(f"{where}.{how}", "is unknown", ", ".join(HOW), nearest(how, HOW))]
    if not isinstance(text, str) or not text.strip() or len(text) > 400 or _unprintable(text):
        return None, [Mistake(f"{where}.{how}", f"is {shown(text)}", "a line of text, at most 400 characters")]
    return Origin(how, text), []


def _exceptions(value: object, where: str) -> tuple[dict[str, Origin], list[Mistake]]:
    """Reads a `but` table: origins by field path below the card."""
    if not isinstance(value, dict):
        return {}, [Mistake(where, f"is {shown(value)}", "a table like but.level = { rulebook = ... }")]
    found: dict[str, Origin] = {}
    mistakes: list[Mistake] = []
    for key, inner in value.items():
        nested = isinstance(inner, dict) and inner and not _is_origin(inner) and _nests(inner)
        if nested:
            below, wrong = _exceptions(inner, f"{where}.{key}")
            found |= {f"{key}.{path}": origin for path, origin in below.items()}
        else:
            origin, wrong = _origin(inner, f"{where}.{key}")
            found |= {key: origin} if origin else {}
        mistakes += wrong
    return found, mistakes


def _nests(table: Mapping[str, object]) -> bool:
    """Whether every value of a `but` table is a table again."""
    return all(isinstance(value, dict) for value in table.values())


def covers(prefix: str, path: str) -> bool:
    """Whether a path is `prefix` or lies below it."""
    return path == prefix or path.startswith(prefix + ".")


def leaves(value: object, path: str = "") -> Iterator[tuple[str, Any]]:
    """All single values below a table or list, as (path with dots, value); lists count their items from 0."""
    if isinstance(value, Mapping | list | tuple):
        for key, inner in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from leaves(inner, f"{path}.{key}" if path else str(key))
    else:
        yield path, value


# ---------------------------------------------------------------- reading files


def _refused(path: Path) -> str:
    """Why a path cannot be read as a file; "" if it can be tried."""
    if not path.exists():
        return "does not exist"
    if path.is_dir():
        return "is a folder, not a file"
    if not path.is_file():
        return "is not a plain file"
    return "" if path.stat().st_size <= MAX_BYTES else "is too big: more than 2 MB"


def _overgrown(table: object) -> str:
    """How tables and lists are deeper or larger than any pack or config needs (looked at without recursion), or ""."""
    level, held = [table], 0
    for _ in range(MAX_DEPTH):
        level = [inner for outer in level for inner in _inside(outer)]
        held += len(level)
        if held > MAX_VALUES:
            return f"holds more than {MAX_VALUES:,} values"
        if not level:
            return ""
    return "is nested too deeply"


def _inside(value: object) -> Iterable[object]:
    """The values in a table or list; nothing in anything else."""
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def is_there(path: Path | str) -> bool:
    """Whether there is something at a path; what no file can be called isn't there."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def read_toml(path: Path | str) -> dict[str, Any]:
    """The tables of a TOML file (UTF-8, with or without byte order mark, any line ends).

    Raises Mistakes where the file is missing, unreadable, a folder, not UTF-8, empty, not TOML, nested
    absurdly or over 2 MB.
    """
    data = read_bytes(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        odd = f"is {_wide(data) or f'not UTF-8 text: byte {data[error.start]:#04x} in line {line} is odd'}"
        raise Mistakes([Mistake(str(path), odd, SAVE_AGAIN)]) from None
    if "\0" in text:
        raise Mistakes([Mistake(str(path), f"is {_wide(data) or 'no text: it holds zero bytes'}", SAVE_AGAIN)])
    return _parse(text.replace("\r\n", "\n").replace("\r", "\n"), str(path))


SAVE_AGAIN = "TOML in UTF-8: save it again in that encoding"


def _wide(data: bytes) -> str:
    """What the bytes look like where letters take two or four of them; "" where they don't."""
    marks = {b"\xff\xfe\0\0": "UTF-32", b"\0\0\xfe\xff": "UTF-32", b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
    for mark, encoding in marks.items():
        if data.startswith(mark):
            return f"{encoding} text"
    return "UTF-16 or UTF-32 text" if 2 * data.count(0) > 0.8 * len(data) else ""


def read_bytes(path: Path | str) -> bytes:
    """A file as it is. Raises Mistakes where it is missing, unreadable, no plain file or over 2 MB."""
    path = Path(path)
    try:
        refused = _refused(path)
        if refused:
            raise Mistakes([Mistake(str(path), refused)])
        return path.read_bytes()
    except OSError as error:
        raise Mistakes([Mistake(str(path), f"cannot be read: {error.strerror or error}")]) from None


def _parse(text: str, where: str) -> dict[str, Any]:
    """The tables of a TOML text, or Mistakes."""
    lines = text.splitlines()
    if any(len(line) > MAX_LINE for line in lines):
        raise Mistakes([Mistake(where, f"has a line of more than {MAX_LINE} characters")])
    # the library takes minutes for keys of thousands of parts
    if any(line.count(".") > MAX_DOTS and len(_STEP.findall(line)) > MAX_DOTS for line in lines):
        raise Mistakes([Mistake(where, "is nested too deeply")])
    try:
        tables = tomllib.loads(text)
    except RecursionError:
        raise Mistakes([Mistake(where, "is nested too deeply")]) from None
    except ValueError as error:
        raise Mistakes([Mistake(where, _no_toml(text, str(error)))]) from None
    if not tables:
        raise Mistakes([Mistake(where, "is empty")])
    overgrown = _overgrown(tables)
    if overgrown:
        raise Mistakes([Mistake(where, overgrown)])
    return tables


_STEP = re.compile(r"\.[ \t]*[\w\"'-]")
_TWICE = ("Cannot overwrite", "Cannot declare", "Cannot mutate", "Duplicate inline")


def _no_toml(text: str, error: str) -> str:
    """What keeps a text from being TOML: the library's words, the number of the line, and the line itself."""
    words, _, place = error.removesuffix(")").rpartition(" (at ")
    if not words:
        return f"is not TOML: {error}"
    lines = text.split("\n")
    line = int(place.split()[1].strip(",")) if place.startswith("line") else text.rstrip("\n").count("\n") + 1
    row = lines[line - 1].strip()
    if words.startswith(_TWICE):
        _, inline, key = words.partition("inline table key ")
        key = key.strip("'") if inline else row.partition("=")[0].strip()
        return f"gives {shown(key)} a second time, in line {line}"
    return f"is not TOML: {words[:1].lower()}{words[1:]}, in line {line}, which is {shown(row)}"


def _place(schema: Schema, layer: Path | str) -> Path:
    """Where a layer lies: a name of a shipped pack, else a path."""
    return schema.folder / layer if isinstance(layer, str) and layer in schema.shipped() else Path(layer)


def _files(schema: Schema, layer: Path | str) -> list[Path]:
    """The TOML files of a layer, in the order of their names."""
    place = _place(schema, layer)
    try:
        if place.is_dir():
            files = sorted(path for path in place.iterdir() if path.suffix == ".toml")
            if not files:
                raise Mistakes([Mistake(str(place), "holds no .toml file")])
            return files
        if place.exists():
            return [place]
    except OSError as error:
        raise Mistakes([Mistake(str(place), f"cannot be read: {error.strerror or error}")]) from None
    names = schema.shipped()
    allowed = f"{', '.join(names)}, a folder of .toml files, or a .toml file"
    raise Mistakes([Mistake(str(place), "does not exist", allowed, nearest(str(layer), names))])


def _slug_wrong(slug: str) -> str:
    """What is wrong with a slug; "" if nothing."""
    if is_blank(slug) or slug != slug.strip():
        return "has a name that is empty or begins or ends with a blank"
    if len(slug) > MAX_SLUG:
        return f"has a name of more than {MAX_SLUG} characters"
    odd = "." in slug or "=" in slug or _unprintable(slug)
    return "has a name with a dot, an equals sign or a control character" if odd else ""


def _sort(schema: Schema, raw: Mapping[str, Any], file: Path) -> tuple[Tables, list[Mistake]]:
    """A file's tables by kind and slug (a single kind has the slug ""), and what is no table of this game."""
    kinds = schema.all_kinds()
    tables: Tables = {}
    mistakes: list[Mistake] = []
    for name, table in raw.items():
        if len(mistakes) > MAX_TOLD:
            break
        if name not in kinds:
            unknown = f"is unknown (in {file.name})"
            mistakes.append(Mistake(name, unknown, ", ".join(kinds), nearest(name, kinds)))
        elif not isinstance(table, dict):
            mistakes.append(Mistake(name, f"is {shown(table)} (in {file.name})", "a table"))
        elif kinds[name].single:
            tables[name] = {"": table}
        else:
            wrong = {slug: _card_wrong(name, slug, card) for slug, card in table.items()}
            mistakes += [mistake for mistake in wrong.values() if mistake]
            tables[name] = {slug: card for slug, card in table.items() if not wrong[slug]}
    return tables, mistakes


def _card_wrong(kind: str, slug: str, card: object) -> Mistake | None:
    """What keeps an entry of a kind from being a card at all."""
    if not isinstance(card, dict):
        return Mistake(f"{kind}.{slug}", f"is {shown(card)}", f"a card: a table [{kind}.name]")
    wrong = _slug_wrong(slug)
    return Mistake(f"{kind}.{slug}", wrong, SLUGS) if wrong else None


def _read_layer(schema: Schema, layer: Path | str) -> tuple[Tables, list[Mistake]]:
    """All tables of a layer; a card that two of its files hold is a mistake."""
    tables: Tables = {}
    holder: dict[tuple[str, str], str] = {}
    mistakes: list[Mistake] = []
    try:
        files = _files(schema, layer)
    except Mistakes as found:
        return {}, list(found.mistakes)
    for file in files:
        try:
            mine, wrong = _sort(schema, read_toml(file), file)
        except Mistakes as found:
            mistakes += found.mistakes
            continue
        mistakes += wrong
        for kind, cards in mine.items():
            for slug, card in cards.items():
                first = holder.setdefault((kind, slug), file.name)
                if first != file.name:
                    mistakes.append(Mistake(_join(kind, slug), f"is in both {first} and {file.name}"))
                tables.setdefault(kind, {})[slug] = card
    return tables, mistakes


def _join(*parts: str) -> str:
    """A path of the parts that are not empty."""
    return ".".join(part for part in parts if part)


# ---------------------------------------------------------------- laying over


@dataclass
class _Draft:
    """A pack in the making: plain values by kind and slug, origins and reasons of departures by path."""

    values: Tables = field(default_factory=dict)
    origins: dict[str, Origin] = field(default_factory=dict)
    departs: dict[str, str] = field(default_factory=dict)


def _lay(draft: _Draft, tables: Tables, fallback: Origin | None) -> list[Mistake]:
    """Lays tables over a draft, field by field; `fallback` is the origin where the tables give none."""
    mistakes: list[Mistake] = []
    for kind, cards in tables.items():
        for slug, card in cards.items():
            where = _join(kind, slug)
            values = {key: value for key, value in card.items() if key not in ("from", "but", "departs")}
            origins, wrong = _card_origins(card, values, where, fallback)
            mistakes += wrong
            below = draft.values.setdefault(kind, {}).setdefault(slug, {})
            _merge(below, values, where, draft.origins)
            draft.origins |= origins
            for old in [path for path in draft.departs if path in {_join(where, name) for name in values}]:
                del draft.departs[old]
            if "departs" in card:
                reasons, wrong = _reasons(card["departs"], where, values, single=not slug)
                draft.departs |= reasons
                mistakes += wrong
    return mistakes


def _reasons(
    given: object, where: str, values: Mapping[str, Any], single: bool
) -> tuple[dict[str, str], list[Mistake]]:
    """Read a `departs` table: by field, why the value departs from a printed sentence."""
    place, form = f"{where}.departs", 'a table like departs.ties = "why" (a line of text, at most 600 characters)'
    if not single:
        return {}, [Mistake(place, "is on a card: only printed rules are departed from", "a table like [ruling]")]
    if not isinstance(given, dict):
        return {}, [Mistake(place, f"is {shown(given)}", form)]
    found, mistakes = dict[str, str](), list[Mistake]()
    for name, text in given.items():
        if name not in values:
            wrong = "is no value of this card in this file"
            mistakes.append(Mistake(f"{place}.{name}", wrong, "", nearest(name, values)))
        elif not isinstance(text, str) or is_blank(text) or len(text) > 600 or _unprintable(text):
            mistakes.append(Mistake(f"{place}.{name}", f"is {shown(text)}", form))
        else:
            found[_join(where, name)] = text
    return found, mistakes


def _card_origins(
    card: Mapping[str, Any], values: Mapping[str, Any], where: str, fallback: Origin | None
) -> tuple[dict[str, Origin], list[Mistake]]:
    """The origin of each value of a card in one layer: its `but`, else its `from`, else the fallback."""
    base, exceptions = fallback, dict[str, Origin]()
    mistakes: list[Mistake] = []
    if "from" in card:
        given, wrong = _origin(card["from"], f"{where}.from")
        # a broken `from` is told once, and not again as numbers without an origin
        base, mistakes = given or Origin("assumed", "unreadable"), wrong
    if "but" in card:
        exceptions, wrong = _exceptions(card["but"], f"{where}.but")
        mistakes += wrong
    paths = [path for path, _ in leaves(values)]
    idle = [prefix for prefix in exceptions if not any(covers(prefix, path) for path in paths)]
    no_value = "is no value of this card in this file"
    mistakes += [Mistake(f"{where}.but.{prefix}", no_value, "", nearest(prefix, paths)) for prefix in idle]
    origins = {}
    for path in paths:
        prefix = max((p for p in exceptions if covers(p, path)), key=len, default="")
        origin = exceptions[prefix] if prefix else base
        if origin:
            origins[f"{where}.{path}"] = origin
    return origins, mistakes


def _merge(below: dict[str, Any], above: Mapping[str, Any], where: str, origins: dict[str, Origin]) -> None:
    """Lays `above` over `below` in place; what is replaced loses its old origins."""
    for key, value in above.items():
        path = f"{where}.{key}"
        if isinstance(value, dict) and isinstance(below.get(key), dict):
            _merge(below[key], value, path, origins)
        else:
            for old in [one for one in origins if covers(path, one)] if key in below else ():
                del origins[old]
            below[key] = _copy(value)


def _copy(value: Any) -> Any:
    """A deep copy of plain tables and lists."""
    if isinstance(value, dict):
        return {key: _copy(inner) for key, inner in value.items()}
    return [_copy(inner) for inner in value] if isinstance(value, list) else value


# ---------------------------------------------------------------- values set by hand


def parse_value(text: str) -> Any:
    """A value typed by hand: read as a TOML value (3, true, "a", [1, 2]), else taken as the text it is."""
    try:
        parsed = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    return parsed["value"] if list(parsed) == ["value"] and not _overgrown(parsed) else text


def _titles(cards: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Names by which cards may be called, to their slugs: titles first, so that a slug wins over a title."""
    titles = {card["title"]: slug for slug, card in cards.items() if isinstance(card.get("title"), str)}
    return titles | {slug: slug for slug in cards}


def _card_of(cards: Mapping[str, Mapping[str, Any]], rest: str) -> tuple[str, str] | None:
    """Splits "Digger 2.0.health" into a slug and a field path: the longest name that fits, case last."""
    names = _titles(cards)
    for fold in (str, str.casefold):
        fits = [name for name in names if fold(rest).startswith(fold(name) + ".")]
        if fits:
            name = max(fits, key=len)
            return names[name], rest[len(name) + 1 :]
    return None


def _one_set(schema: Schema, known: Tables, key: str, text: str) -> tuple[Tables, list[Mistake]]:
    """A value set by hand, as tables to lay over; `known` are the cards that there are, with their titles at least."""
    kind, _, rest = key.strip().partition(".")
    kinds = schema.all_kinds()
    if kind not in kinds:
        return {}, [Mistake(key, "names no kind of card", ", ".join(kinds), nearest(kind, kinds))]
    cards = known.get(kind, {})
    split = ("", rest) if kinds[kind].single else _card_of(cards, rest)
    if split is None:
        names = list(_titles(cards))
        wrong = "names no field" if rest in names else "names no card of this pack"
        form = f"{kind}.card.field=value"
        return {}, [Mistake(key, wrong, form, "" if rest in names else nearest(rest.split(".")[0], names))]
    slug, path = split
    fields = path.split(".")
    if not all(fields) or fields[0] in ("from", "but"):
        return {}, [Mistake(key, "names no field", f"{_join(kind, 'card' if slug else '')}.field=value")]
    if len(fields) > MAX_DEPTH:
        return {}, [Mistake(key, "is nested too deeply")]
    value: Any = parse_value(text)
    for name in reversed(fields):
        value = {name: value}
    return {kind: {slug: value}}, []


# ---------------------------------------------------------------- the pack


@dataclass(frozen=True)
class Pack:
    """A checked pack. A single kind has its one card under the slug "".

    name: its layers, as in "reference + cheap_ammo.toml"; cards: kind -> slug -> model, in the order of the
    files; origins: path -> Origin; digest: sha256 of the cards' values (not of origins, title and about); seals:
    the same of each card, from which the digest is made; departs: path -> why the value there departs from a printed
    sentence.
    """

    name: str
    game: str
    title: str
    about: str
    cards: dict[str, dict[str, Any]]
    origins: dict[str, Origin]
    digest: str
    schema: Schema = field(repr=False, compare=False)
    seals: dict[str, dict[str, str]] = field(repr=False, compare=False)
    departs: dict[str, str] = field(default_factory=dict)

    def departures(self) -> list[Departure]:
        """All places where the pack departs from a printed sentence, in the order of its cards.

        They are the values that differ from what their field has by the book's letter (`Printed`), and those for which
        the pack itself gives a reason (`departs`)."""
        found = []
        for kind, spec in self.schema.kinds.items():
            for name, info in spec.model.model_fields.items() if spec.single else ():
                where, value = _join(kind, name), getattr(self.cards[kind][""], name)
                mark = _printed(info)
                if where in self.departs or (mark and value != mark.value):
                    printed, rule = (mark.value, mark.rule) if mark else (None, "")
                    found.append(Departure(where, value, printed, rule, self.departs.get(where, NO_REASON)))
        return found

    def against_the_book(self) -> list[str]:
        """A line for each departure and each card that bends a printed rule, for checks and reports."""
        departs = [f"departs from the book: {departure}" for departure in self.departures()]
        return departs + [f"bends a printed rule: {bend}" for bend in self.schema.bends(self.cards)]

    def unplayed(self) -> list[Unplayed]:
        """The cards that can never enter a game, whatever the settings: most often a slip of the pack's author."""
        return list(self.schema.unplayed(self.cards))

    def changed(self, sets: Mapping[str, str]) -> Pack:
        """The pack with values set by hand, as `load` with these `sets` over the same layers makes it.

        Only the cards that change are checked in themselves, and all of them against one another, so that this takes
        under a millisecond. Raises Mistakes with all that is wrong.
        """
        kinds = {key.strip().partition(".")[0] for key in sets} & self.cards.keys()
        known: Tables = {k: {s: {"title": getattr(c, "title", "")} for s, c in self.cards[k].items()} for k in kinds}
        draft, mistakes, touched = _Draft(), list[Mistake](), list[Tables]()
        for key, text in sets.items():
            tables, wrong = _one_set(self.schema, known, key, text)
            mistakes += wrong
            touched.append(tables)
        for kind, slug in {
            (kind, slug): None for tables in touched for kind, cards in tables.items() for slug in cards
        }:
            self._copy_into(draft, kind, slug)
        for tables in touched:
            mistakes += _lay(draft, tables, BY_HAND)
        return _build(self.schema, self.name, draft, mistakes, self)

    def _copy_into(self, draft: _Draft, kind: str, slug: str) -> None:
        """One card with its origins as plain values."""
        where = _join(kind, slug) + "."
        card = About(title=self.title, about=self.about) if kind == "pack" else self.cards[kind][slug]
        draft.values.setdefault(kind, {})[slug] = card.model_dump(mode="json")
        draft.origins |= {path: origin for path, origin in self.origins.items() if path.startswith(where)}
        draft.departs |= {path: why for path, why in self.departs.items() if path.startswith(where)}

    def values(self) -> Tables:
        """All cards as plain tables, lists and values."""
        return {k: {s: c.model_dump(mode="json") for s, c in cards.items()} for k, cards in self.cards.items()}

    def to_json(self) -> str:
        """The whole pack as text, for a ledger; `from_json` reads it back to an equal pack."""
        whole = {
            "name": self.name,
            "game": self.game,
            "title": self.title,
            "about": self.about,
            "digest": self.digest,
            "cards": self.values(),
            "origins": {path: [origin.how, origin.text] for path, origin in self.origins.items()},
            "departs": self.departs,
        }
        return json.dumps(whole, ensure_ascii=False)

    @classmethod
    def from_json(cls, schema: Schema, text: str) -> Pack:
        """Reads `to_json` back and checks all again. Raises Mistakes if it is damaged or no such pack."""
        try:
            whole = _Stored.model_validate_json(text)
        except ValidationError as error:
            raise Mistakes(from_pydantic(error, "stored pack", _Stored)) from None
        except RecursionError:
            raise Mistakes([Mistake("stored pack", "is nested too deeply")]) from None
        if whole.game != schema.game:
            raise Mistakes([Mistake("stored pack.game", f"is {shown(whole.game)}", schema.game)])
        tables: Tables = {"pack": {"": {"title": whole.title, "about": whole.about}}, **whole.cards}
        origins = {path: Origin(how, why) for path, (how, why) in whole.origins.items()}
        pack = _build(schema, whole.name, _Draft(tables, origins, dict(whole.departs)), [])
        if pack.digest != whole.digest:
            raise Mistakes([Mistake("stored pack.digest", "does not fit the cards: the text was changed")])
        return pack

    def numbers(self, kind: str | None = None, slug: str | None = None) -> list[tuple[str, int, Origin]]:
        """(path, value, origin) of every number that needs an origin, of one kind or card if asked for."""
        found = []
        for k, cards in self.cards.items():
            for s, card in cards.items():
                if self.schema.kinds[k].sourced and kind in (None, k) and slug in (None, s):
                    where = _join(k, s)
                    found += [
                        (f"{where}.{path}", value, self.origins[f"{where}.{path}"])
                        for path, value in leaves(card.model_dump())
                        if _is_number(value) and f"{where}.{path}" in self.origins
                    ]
        return found

    def assumed_share(self, kind: str | None = None, slug: str | None = None) -> tuple[int, int]:
        """(how many numbers are assumed, how many there are), of the pack, a kind or a card."""
        numbers = self.numbers(kind, slug)
        return sum(origin.how == "assumed" for _, _, origin in numbers), len(numbers)


class _Stored(Card):
    """The shape of a stored pack."""

    name: str
    game: str
    title: str
    about: str
    digest: str
    cards: dict[str, dict[str, dict[str, Any]]]
    origins: dict[str, tuple[Literal["rulebook", "public", "assumed"], str]]
    departs: dict[str, str] = Field(default_factory=dict)


def _is_number(value: object) -> bool:
    """Whether a value counts as a number: true and false don't."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def load(schema: Schema, layers: Sequence[Path | str] = ("reference",), sets: Mapping[str, str] | None = None) -> Pack:
    """Reads, lays over and checks a pack.

    layers: the name of a shipped pack, folders of .toml files, single .toml files; each lies over the last.
    sets: values set by hand, like {"enemy.scrap_hound.health": "3"} (a card by slug or title), laid over all.
    Raises Mistakes with all that is wrong in all files.
    """
    draft = _Draft()
    mistakes: list[Mistake] = [] if layers else [Mistake("pack", "has no layer", "at least one")]
    for depth, layer in enumerate(layers):
        tables, wrong = _read_layer(schema, layer)
        fallback = Origin("assumed", f"laid over by {_layer_name(layer)}") if depth else None
        mistakes += wrong + _lay(draft, tables, fallback)
    for key, text in (sets or {}).items():
        tables, wrong = _one_set(schema, draft.values, key, text)
        mistakes += wrong + _lay(draft, tables, BY_HAND)
    if not draft.values and mistakes:
        raise Mistakes(mistakes)
    try:
        return _build(schema, " + ".join(_layer_name(layer) for layer in layers), draft, mistakes)
    except Mistakes as found:
        raise Mistakes(_folded(found.mistakes, draft)) from None


def _folded(mistakes: Sequence[Mistake], draft: _Draft) -> Iterator[Mistake]:
    """Mistakes with all that a new card lacks in one: most likely it is another card by a wrong name."""
    lacking: dict[tuple[str, str], list[str]] = {}
    for mistake in mistakes:
        kind, slug, path = [*mistake.where.split(".", 2), "", ""][:3]
        if mistake.wrong == "is missing" and path:
            lacking.setdefault((kind, slug), []).append(path)
    for mistake in mistakes:
        kind, slug, path = [*mistake.where.split(".", 2), "", ""][:3]
        fields = lacking.get((kind, slug), [])
        if mistake.wrong != "is missing" or len(fields) <= MAX_LACKING:
            yield mistake
        elif path == fields[0]:
            others = [other for other in draft.values[kind] if other != slug]
            yield Mistake(f"{kind}.{slug}", f"is a new card, and lacks {', '.join(fields)}", "", nearest(slug, others))


def from_tables(schema: Schema, name: str, tables: Mapping[str, Any]) -> Pack:
    """A pack from tables as TOML files hold them: {kind: {slug: card}}, or {kind: card} for a single kind.

    name: what the pack is called. Raises Mistakes with all that is wrong, as `load` does.
    """
    draft = _Draft()
    sorted_out, mistakes = _sort(schema, tables, Path(name))
    mistakes += _lay(draft, sorted_out, None)
    return _build(schema, name, draft, mistakes)


def _layer_name(layer: Path | str) -> str:
    """What a layer is called in a pack's name and in origins."""
    return Path(layer).absolute().name


def _build(schema: Schema, name: str, draft: _Draft, mistakes: list[Mistake], below: Pack | None = None) -> Pack:
    """Checks a draft and freezes it, over a pack that is right if one is given; raises Mistakes with those found here
    and those given.
    """
    cards = _cards_below(schema, below)
    seals = {kind: dict(of) for kind, of in below.seals.items()} if below else {}
    slugs = {kind: list({**cards.get(kind, {}), **draft.values.get(kind, {})}) for kind in (*cards, *draft.values)}
    found = list(mistakes)
    for kind, spec in schema.all_kinds().items():
        tables = draft.values.get(kind, {})
        if below and not tables:
            continue
        found += _count_wrong(kind, spec, len(slugs.get(kind, []))) + _titles_wrong(kind, cards[kind], tables)
        for slug, values in islice(tables.items(), spec.capacity + MAX_TOLD):
            where = _join(kind, slug)
            card, wrong = validate(spec.model, values, where)
            found += wrong + _refs_wrong(spec, values, where, slugs) + _unsourced(spec, values, where, draft)
            if card is not None:
                cards[kind][slug] = card
                seals.setdefault(kind, {})[slug] = _seal(card)
    unknown = [kind for kind in draft.values if kind not in cards]
    found += [Mistake(kind, "is unknown", ", ".join(cards), nearest(kind, cards)) for kind in unknown]
    found += _departures_wrong(schema, cards, draft)
    found += schema.check(cards, {kind: slugs.get(kind, []) for kind in cards})
    if found:
        raise Mistakes(dict.fromkeys(found))
    about = cards.pop("pack")[""]
    seals.pop("pack", None)
    origins = _untouched(below.origins if below else {}, draft) | draft.origins
    departs = _untouched(below.departs if below else {}, draft) | draft.departs
    return Pack(name, schema.game, about.title, about.about, cards, origins, _digest(seals), schema, seals, departs)


def _printed(info: FieldInfo) -> Printed | None:
    """What a field has by the book's letter, if it is marked with it."""
    return next((mark for mark in info.metadata if isinstance(mark, Printed)), None)


def _departures_wrong(schema: Schema, cards: Cards, draft: _Draft) -> list[Mistake]:
    """Reasons to depart where a value is the book's own."""
    found = []
    for path in draft.departs:
        kind, _, name = path.partition(".")
        card, model = cards.get(kind, {}).get(""), schema.kinds[kind].model if kind in schema.kinds else None
        mark = _printed(model.model_fields[name]) if model and name in model.model_fields else None
        if card is not None and mark and getattr(card, name) == mark.value:
            found.append(Mistake(f"{kind}.departs.{name}", f"is given, but {shown(mark.value)} is the book's letter"))
    return found


def _cards_below(schema: Schema, below: Pack | None) -> dict[str, dict[str, Any]]:
    """All kinds with the cards of a pack, to be written over; without cards where there is no pack."""
    if below is None:
        return {kind: {} for kind in schema.all_kinds()}
    about = {"": About(title=below.title, about=below.about)}
    return {"pack": about} | {kind: dict(of) for kind, of in below.cards.items()}


def _untouched(values: Mapping[str, V], draft: _Draft) -> dict[str, V]:
    """Origins or reasons, by path, of a pack's cards that a draft leaves as they are."""
    touched = tuple(_join(kind, slug) + "." for kind, cards in draft.values.items() for slug in cards)
    return {path: value for path, value in values.items() if not path.startswith(touched)}


def _seal(card: BaseModel) -> str:
    """sha256 of a card's values in canonical JSON."""
    return _sha256(card.model_dump(mode="json"))


def _digest(seals: Mapping[str, Mapping[str, str]]) -> str:
    """sha256 of all cards: it knows no order of cards and no layout of files."""
    return _sha256(seals)


def _sha256(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _count_wrong(kind: str, spec: Kind, count: int) -> list[Mistake]:
    """Too many or too few cards of a kind."""
    if spec.single:
        return [] if count == 1 else [Mistake(kind, "is missing", spell(Spot(spec.model)))]
    if count > spec.capacity:
        return [Mistake(kind, f"has {count} cards", f"at most {spec.capacity}")]
    return [Mistake(kind, f"has {count} cards", f"at least {spec.least}")] if count < spec.least else []


def _titles_wrong(kind: str, below: Mapping[str, Any], tables: Mapping[str, Mapping[str, Any]]) -> list[Mistake]:
    """Titles that two cards of a kind share: nobody could tell them apart in a report. `below` are cards that `tables`
    are laid over.
    """
    holder = {card.title: slug for slug, card in below.items() if slug not in tables and hasattr(card, "title")}
    found = []
    for slug, values in tables.items():
        title = values.get("title")
        if isinstance(title, str) and holder.setdefault(title, slug) != slug:
            found.append(Mistake(f"{kind}.{slug}.title", f"is {shown(title)}, as that of {holder[title]} is"))
    return found


def _refs_wrong(
    spec: Kind, values: Mapping[str, Any], where: str, slugs: Mapping[str, Collection[str]]
) -> list[Mistake]:
    """Slugs in a card that no card has. Looked at before validation, so that one mistake hides no other."""
    found = []
    for name, kinds in spec.refs.items():
        given = values.get(name, [])
        known = [slug for kind in kinds for slug in slugs.get(kind, [])]
        asked = {f"{name}.{i}": s for i, s in enumerate(given)} if isinstance(given, list) else {name: given}
        for path, slug in asked.items():
            if isinstance(slug, str) and slug not in known and not (slug == "" and path == name):
                wrong = f"is {shown(slug)}, which is no {' or '.join(kinds)} of this pack"
                found.append(Mistake(f"{where}.{path}", wrong, ", ".join(known), nearest(slug, known)))
    return found


def _is_default(spec: Kind, path: str, value: Any) -> bool:
    """Whether a number is what a card has that leaves its field out, which needs no origin."""
    info = spec.model.model_fields.get(path)
    return info is not None and not info.is_required() and bool(info.default == value)


def _unsourced(spec: Kind, values: Mapping[str, Any], where: str, draft: _Draft) -> list[Mistake]:
    """Numbers of a card that say nowhere where they come from, in one mistake for the card."""
    numbers = [path for path, value in leaves(values) if _is_number(value) and not _is_default(spec, path, value)]
    bare = [path for path in numbers if f"{where}.{path}" not in draft.origins]
    if not spec.sourced or not bare:
        return []
    return [Mistake(f"{where}.from", f"is missing: {', '.join(bare)} without an origin", FORMS)]


# ---------------------------------------------------------------- for people


class Row(NamedTuple):
    """One value of a pack for people; `origin` as in "rulebook: K1F-01", "" where none is needed; of a value that
    departs from a printed sentence, why it does."""

    kind: str
    title: str
    field: str
    value: Any
    origin: str


def describe(pack: Pack, only_assumed: bool = False) -> list[Row]:
    """Every value of a pack but its prose, in the order of the files; only the assumed ones if asked for."""
    rows, departs = [], {one.where: f"departs from {one.rule or 'the book'}: {one.why}" for one in pack.departures()}
    for kind, cards in pack.cards.items():
        for slug, card in cards.items():
            title = str(getattr(card, "title", kind))
            prose = {name for name, info in type(card).model_fields.items() if _is_prose(info)}
            for path, value in leaves(card.model_dump(exclude=prose)):
                origin = pack.origins.get(_join(kind, slug, path))
                if not only_assumed or (origin is not None and origin.how == "assumed"):
                    notes = [str(origin)] if origin else []
                    notes += [departs[_join(kind, slug, path)]] if _join(kind, slug, path) in departs else []
                    rows.append(Row(kind, title, path, value, "; ".join(notes)))
    return rows


def _is_prose(info: FieldInfo) -> bool:
    """Whether a field is words for people."""
    return any(isinstance(mark, Prose) for mark in info.metadata)
