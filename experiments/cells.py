"""One cell of a spreadsheet: how a value of a pack is written there, and how it is read back.

Spreadsheets know no types that last: they turn 4 into 4.0 or 4,0, true into WAHR, and a text that looks like a
number, a date or a formula into one. So a cell's form comes from the model of its card and never from its looks,
and a text that a spreadsheet would take for something else stands in quotes, with JSON's escapes: "=1+1", "1e5",
" blank ". What cannot be read as its form stays the text that it is, for the schema to refuse with its own words.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from experiments.csv_files import FORMULA
from experiments.parts import toml_value
from simcore.packs import HOW, Origin, Spot, is_model, nearest, parse_value, shown, spell, unwrapped

ABSENT = object()
"""What an empty cell is where a value must stand, or may be left out."""

ORIGINS = "rulebook: its id, public: the source, or assumed: why"

_LOOKS_LIKE_A_NUMBER = re.compile(r"(?=.*\d)[\d\W]*(e[+-]?\d+)?", re.I | re.S)
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_LOOKS_LIKE_A_DATE = re.compile(rf"(\d+[ ./-]?)?{_MONTH}[ ./-]?\d+|\d+[ ./-]?{_MONTH}", re.I)
_WHOLE = re.compile(r"([+-]?\d{1,400})(?:[.,](?!000$)0*)?")
_NUMBER = re.compile(r"[+-]?(\d{1,40}([.,]\d{0,40})?|[.,]\d{1,40})(e[+-]?\d{1,3})?", re.I)
_DASH = re.compile(r"^[\u2010-\u2014\u2212\ufe63\uff0d]\s*(?=[\d.,])")
# error values of Excel, LibreOffice and Google Sheets: English, German, French, Spanish, Italian, Polish
_ERRORS = (
    "#REF! #NAME? #VALUE! #DIV/0! #N/A #NUM! #NULL! #SPILL! #CALC! #ERROR! #FIELD! #BLOCKED! #CONNECT! #UNKNOWN! "
    "#BUSY! #GETTING_DATA #BEZUG! #WERT! #NV #ZAHL! #ÜBERLAUF! #VALEUR! #NOM? #NOMBRE! #NUL! #¡REF! #¿NOMBRE? "
    "#¡VALOR! #¡DIV/0! #¡NUM! #¡NULO! #N/D #N/D! #RIF! #NOME? #VALORE! #ADR! #ARG! #NAZWA? #LICZBA! #ZERO! #DZIEL/0!"
)
_ERROR = re.compile(rf"(?:{'|'.join(map(re.escape, _ERRORS.split()))}|#{{3,}}|Err:\d{{3}})", re.I)
# what stands between items of a list where no semicolon does; 1,2 and 1/2 are numbers
_OTHER = re.compile(r"\s*(?:[|\n\uff0c\u3001\uff1b]|,(?!\d)|(?<!\d),|/(?=\s*[^\W\d]))\s*")
# a quote without an end reaches to the cell's end, so that no cell is looked at again and again
_QUOTES = r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)'
_PART = re.compile(rf'((?:{_QUOTES}|[^;"])*)(;|\Z)', re.S)
_TOKEN = re.compile(rf'\s*({_QUOTES}|[^\s:"]+|:)', re.S)

# true and false as spreadsheets write them: English, German, French, Spanish, Italian, Polish, Dutch, Portuguese
_TRUE = ("true", "wahr", "vrai", "verdadero", "vero", "prawda", "waar", "verdadeiro")
_FALSE = ("false", "falsch", "faux", "falso", "fałsz", "onwaar")


class Misread(Exception):
    """A cell that does not have its form; `wrong`, `allowed` and `nearest` are those of a `Mistake`."""

    def __init__(self, wrong: str, allowed: str, nearest: str = "") -> None:
        """Takes the parts of a mistake but its place."""
        super().__init__(wrong)
        self.wrong, self.allowed, self.nearest = wrong, allowed, nearest


@dataclass(frozen=True)
class Form:
    """How values of one place of a model stand in a cell.

    write: value -> cell; read: cell -> value, ABSENT where there is none, or Misread; words: what is allowed, for
    people. `read(write(value))` is the value.
    """

    write: Callable[[Any], str]
    read: Callable[[str], Any]
    words: str


def form_of(spot: Spot, required: bool = True) -> Form:
    """The form of a place of a model. Where a value may be left out (not required), an empty cell says so."""
    scalar = _scalar(spot, required)
    if scalar:
        return scalar
    if required and get_origin(spot.kind) in (list, tuple):
        item = unwrapped(Spot(get_args(spot.kind)[0]))
        inner = _item(item) or _row(item)
        if inner:
            return _listed(inner, _fits(item))
    return Form(toml_value, lambda cell: parse_value(cell) if cell else ABSENT, f"{spell(spot)}, written as in TOML")


# ---------------------------------------------------------------- texts


def protected(text: str) -> str:
    """A text for a cell of its own: in quotes where a spreadsheet, or a reader, would take it for something else."""
    formula = text.startswith((*FORMULA, "[", "{")) or is_error(text)
    number = _LOOKS_LIKE_A_NUMBER.fullmatch(text) or _LOOKS_LIKE_A_DATE.fullmatch(text)
    return _quoted(text) if formula or number or text.casefold() in (*_TRUE, *_FALSE) else _trimmed(text)


def seen(text: str) -> str:
    """A text without blanks around it, and without the signs in it that nobody sees."""
    return "".join(c for c in text if unicodedata.category(c) != "Cf").strip()


def apart(text: str) -> list[str]:
    """What stands between commas, slashes, bars or line ends: a list that has other separators than semicolons."""
    return _OTHER.split(text)


def is_error(cell: str) -> bool:
    """Whether a cell holds the error of a formula, as in #REF!, and not a value."""
    return _ERROR.fullmatch(cell.strip()) is not None


def read_text(cell: str) -> str:
    """The text of a cell: without blanks around it, and without the quotes that `protected` gave it."""
    cell = cell.strip()
    if len(cell) < 2 or not cell.startswith('"'):
        return cell
    try:
        text = json.loads(cell)
        text.encode()
    except ValueError:
        return cell
    return str(text)


def _quoted(text: str) -> str:
    """A text in quotes, with JSON's escapes."""
    return json.dumps(text, ensure_ascii=False)


def _trimmed(text: str) -> str:
    """A text in quotes if blanks around it, quotes or control characters would get lost."""
    odd = text != text.strip() or text.startswith('"')
    return _quoted(text) if odd or any(unicodedata.category(c) == "Cc" and c != "\n" for c in text) else text


# ---------------------------------------------------------------- single values


def _scalar(spot: Spot, required: bool = True) -> Form | None:
    """The form of a text, a number, true or false, or of a choice among such; None for anything else."""
    kinds = {type(value) for value in get_args(spot.kind)} if get_origin(spot.kind) is Literal else {spot.kind}
    words = spell(spot)
    if kinds == {str}:
        if required:
            return Form(protected, read_text, words)
        return Form(lambda text: protected(text) or '""', lambda cell: read_text(cell) if cell else ABSENT, words)
    if kinds == {bool}:
        return Form(lambda value: "true" if value else "false", _read_bool, words)
    if kinds == {int}:
        return Form(str, _read_whole, words)
    return Form(repr, _read_number, words) if kinds == {float} else None


def _read_bool(cell: str) -> Any:
    word = seen(cell).casefold()
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    return cell or ABSENT


def _read_whole(cell: str) -> Any:
    """A whole number, also as 4.0 or 4,0; 1.000 and 1,000 could be a thousand, and are no number here."""
    match = _WHOLE.fullmatch(_DASH.sub("-", seen(cell)))
    return int(match[1]) if match else cell or ABSENT


def _read_number(cell: str) -> Any:
    plain = _DASH.sub("-", seen(cell))
    return float(plain.replace(",", ".")) if _NUMBER.fullmatch(plain) else cell or ABSENT


# ---------------------------------------------------------------- lists


def _item(spot: Spot) -> Form | None:
    """The form of one of several values in a cell."""
    form = _scalar(spot)
    if form is None or form.read is not read_text:
        return form
    return Form(
        lambda text: _quoted(text) if not text or set(';"') & set(text) else protected(text), read_text, form.words
    )


def _fits(item: Spot) -> Callable[[Any], bool]:
    """Whether a value that was read is one of an item's choices, or of its type; texts are left to the schema."""
    if get_origin(item.kind) is Literal:
        return lambda value: value in get_args(item.kind)
    return lambda value: item.kind not in (int, float, bool) or type(value) is item.kind


def _listed(item: Form, fits: Callable[[Any], bool]) -> Form:
    """The form of a list: its items with semicolons between them, or a list as in TOML.

    Other separators are read where a part `fits` with them and not without them.
    """

    def write(values: Sequence[Any]) -> str:
        cell = "; ".join(item.write(value) for value in values)
        return toml_value(list(values)) if cell.startswith(FORMULA) and len(values) > 1 else cell

    def read(cell: str) -> Any:
        if cell.startswith("["):
            return parse_value(cell)
        return [value for part in _parts(cell) for value in several(part)] if cell else []

    def several(part: str) -> list[Any]:
        pieces = [] if '"' in part else apart(part)
        return values([part]) or values(pieces) or [item.read(part)]

    def values(parts: list[str]) -> list[Any]:
        try:
            found = [item.read(part) for part in parts]
        except Misread:
            return []
        return found if all(map(fits, found)) else []

    return Form(write, read, f"any number of these, with ; between them: {item.words}")


def _parts(cell: str) -> list[str]:
    """What stands between the semicolons of a cell; those in quotes don't count."""
    parts = []
    for match in _PART.finditer(cell):
        parts.append(match[1].strip())
        if not match[2]:
            break
    if error := next(filter(is_error, parts), ""):
        raise Misread(f"has {shown(error)}, an error of the spreadsheet", "a value: mend the formula and save again")
    if not all(parts):
        raise Misread("has nothing between two semicolons, or after the last", "items with ; between them")
    return parts


# ---------------------------------------------------------------- rows such as effects


def _row(spot: Spot) -> Form | None:
    """The short form of a model of single values: its first, a colon, numbers, words, then what may be left out
    by name, as in "standing: 2 dice self only machine". None where the model has other values.
    """
    if not is_model(spot.kind):
        return None
    infos: dict[str, FieldInfo] = spot.kind.model_fields
    forms = {name: form for name, info in infos.items() if (form := _token_form(info))}
    needed = [name for name, info in infos.items() if info.is_required()]
    if not needed or len(forms) < len(infos):
        return None
    first, *rest = needed
    rest.sort(key=lambda name: forms[name].read is read_text)
    return _Row(tuple(infos), forms, first, tuple(rest)).form()


def _token_form(info: FieldInfo) -> Form | None:
    """The form of one value of a row: a word without blanks, or quotes around it."""
    form = _scalar(unwrapped(Spot(info.annotation, tuple(info.metadata))))
    if form is None or form.read is not read_text:
        return form
    plain = re.compile(r'[^\s;:"]+')
    return Form(lambda text: text if plain.fullmatch(text) else _quoted(text), read_text, form.words)


@dataclass(frozen=True)
class _Row:
    """A model as a row: the names of its values, their forms, the one that comes first, and the others needed."""

    names: tuple[str, ...]
    forms: Mapping[str, Form]
    first: str
    rest: tuple[str, ...]

    def form(self) -> Form:
        """The form of such a row."""
        parts = [f"{name}: {self.forms[name].words}" for name in self.names]
        return Form(self.write, self.read, f"{self.pattern()}, where {'; '.join(parts)}")

    def named(self) -> list[str]:
        """The values that may be left out."""
        return [name for name in self.names if name != self.first and name not in self.rest]

    def pattern(self) -> str:
        """What a row looks like, in words."""
        return " ".join([f"{self.first}:", *self.rest, *(f"[{name} ...]" for name in self.named())])

    def write(self, row: Mapping[str, Any]) -> str:
        """The row as a line; a value that it leaves out is left out."""
        parts = [f"{self.forms[self.first].write(row[self.first])}:"]
        parts += [self.forms[name].write(row[name]) for name in self.rest]
        parts += [f"{name} {self.forms[name].write(row[name])}" for name in self.named() if name in row]
        return " ".join(parts)

    def read(self, line: str) -> dict[str, Any]:
        """The row that a line holds."""
        tokens = _TOKEN.findall(line)
        first, colon, *more = [*tokens, "", ""][: max(2, len(tokens))]
        words, pairs = more[: len(self.rest)], more[len(self.rest) :]
        keys = pairs[::2]
        if colon != ":" or len(words) < len(self.rest) or len(pairs) % 2 or len(set(keys)) < len(keys):
            raise Misread(f"has {shown(line)}", self.pattern())
        odd = [key for key in keys if key not in self.named()]
        if odd:
            allowed = f"{self.pattern()}; several with ; between them"
            raise Misread(f"has {shown(odd[0])} in {shown(line)}", allowed, nearest(odd[0], self.named()))
        given = {
            self.first: first,
            **dict(zip(self.rest, words, strict=True)),
            **dict(zip(keys, pairs[1::2], strict=True)),
        }
        row = {name: self.forms[name].read(given[name]) for name in self.names if name in given}
        # a number or a true that cannot be read: most likely the words stand in another order
        if any(isinstance(row[name], str) and self.forms[name].read is not read_text for name in row):
            raise Misread(f"has {shown(line)}", self.pattern())
        return row


# ---------------------------------------------------------------- origins


def write_origin(origin: Origin | None) -> str:
    """Where a value comes from, as in "rulebook: K1F-01"; "" for None."""
    return f"{origin.how}: {_trimmed(origin.text)}" if origin else ""


def read_origin(cell: str) -> dict[str, str]:
    """An origin as a pack's file holds it, {"rulebook": "K1F-01"}; raises Misread."""
    how, colon, text = (part.strip() for part in cell.partition(":"))
    if how not in HOW:
        raise Misread(f"is {shown(cell)}", ORIGINS, nearest(how, HOW) if colon else "")
    if not text:
        raise Misread(f"is {shown(cell)} and says no more", ORIGINS)
    return {how: read_text(text)}


def write_exceptions(exceptions: Mapping[str, Origin]) -> str:
    """Origins of single fields, a line for each, as in "skills.guns = rulebook: K1G-03"."""
    return "\n".join(f"{path} = {write_origin(origin)}" for path, origin in exceptions.items())


def read_exceptions(cell: str) -> dict[str, dict[str, str]]:
    """Origins by field from such lines; raises Misread."""
    found: dict[str, dict[str, str]] = {}
    for line in filter(None, (line.strip() for line in cell.split("\n"))):
        path, sign, origin = (part.strip() for part in line.partition("="))
        if not sign or not path:
            raise Misread(f"has the line {shown(line)}", f"field = {ORIGINS}; a line for each field")
        if path in found:
            raise Misread(f"names {shown(path)} twice", "a line for each field")
        found[path] = read_origin(origin)
    return found
