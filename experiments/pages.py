"""What pages are made of: templates, numbers with intervals, tables, embedded pictures, and words."""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np
from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup
from matplotlib.figure import Figure

from experiments import plots
from experiments.parts import words

TEMPLATES = files("experiments") / "templates"

SVG_LIMIT = 300_000
"""Pictures with more bytes than this as SVG are embedded as PNG, so that a report stays small."""

FINE = 0.015
"""Means whose intervals are narrower than this are shown with a digit more."""


def rendered(template: str, **parts: Any) -> str:
    """A page made from one of the templates, by the file's name; texts are escaped where they are no Markup."""
    loader = FunctionLoader(lambda name: (TEMPLATES / name).read_text("utf-8"))
    world = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, loader=loader)
    return world.get_template(template).render(**parts).lstrip()


def look() -> dict[str, Any]:
    """The style and the script of a report, and a Content-Security-Policy that forbids everything but these two and
    embedded pictures.
    """
    style, script = ((TEMPLATES / f"report.{kind}").read_text("utf-8") for kind in ("css", "js"))
    own = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script)]
    parts = "default-src 'none'", "img-src data:", f"style-src 'sha256-{own[0]}'", f"script-src 'sha256-{own[1]}'"
    policy = "; ".join((*parts, "base-uri 'none'", "form-action 'none'"))
    return {"style": Markup(style), "script": Markup(script), "policy": policy}


@dataclass(frozen=True)
class Value:
    """What a table's field shows: text, its interval or "", and the number it is sorted by (None: by its text)."""

    value: str
    span: str = ""
    key: float | None = None

    @property
    def data(self) -> str:
        """The number to sort by as short text; empty for no number."""
        return f"{self.key:.7g}" if self.key is not None and math.isfinite(self.key) else ""


@dataclass(frozen=True)
class Row:
    """A line of a table."""

    name: str
    cells: list[Value]


@dataclass(frozen=True)
class Grid:
    """A table: `about` says what it shows, with which interval; `heads` begins with that of the names; `falls` is
    the head whose numbers fall from line to line, or "".
    """

    about: str
    heads: list[str]
    rows: list[Row]
    falls: str = ""

    def sort(self, place: int) -> str:
        """How a column is sorted: "number" or "text"."""
        numbers = place > 0 and all(row.cells[place - 1].key is not None for row in self.rows)
        return "number" if numbers else "text"


@dataclass(frozen=True)
class Picture:
    """An embedded picture: what it shows as a title, in words and beneath it; a data address and its width in
    pixels, and those of its twin for phones, if it has one.
    """

    title: str
    alt: str
    caption: str
    source: str
    width: int
    narrow: str = ""


def embedded(draw: Callable[[bool], Figure], title: str, alt: str, caption: str, phones: bool = True) -> Picture:
    """A picture to embed; `draw(narrow)` draws it, for phones too if asked for."""
    source, width = drawn(draw, False)
    return Picture(title, alt, caption, source, width, drawn(draw, True)[0] if phones else "")


def drawn(draw: Callable[[bool], Figure], narrow: bool) -> tuple[str, int]:
    """A picture as the address of an SVG, or of a PNG where it is too large for that, and its width in pixels."""
    figure = draw(narrow)
    kind, content = "svg+xml", plots.to_svg(figure).encode()
    if len(content) > SVG_LIMIT:
        kind, content = "png", plots.to_png(figure, dpi=min(140.0, 6000 / max(figure.get_size_inches())))
    address = f"data:image/{kind};base64,{base64.b64encode(content).decode()}"
    return address, round(float(figure.get_size_inches()[0]) * 96)


def rate_of(value: float, low: float = math.nan, high: float = math.nan) -> Value:
    """A rate of 0..1 in percent."""
    return Value(plots.percent(value), plots.span(low, high), value)


def mean_of(value: float, low: float = math.nan, high: float = math.nan) -> Value:
    """A mean, with as many digits as it needs."""
    if not np.isfinite(value):
        return Value("-", key=math.nan)
    both = np.isfinite(low) and np.isfinite(high)
    digits = 0 if abs(value) >= 1000 else 1 if abs(value) >= 100 else 3 if both and high - low < FINE else 2
    return Value(f"{value:z.{digits}f}", f"{low:z.{digits}f} to {high:z.{digits}f}" if both else "", value)


def count_of(number: int) -> Value:
    """How many."""
    return Value(f"{number:,}", key=number)


def term(name: str, about: str) -> dict[str, str]:
    """A word and what it means, for a list of them."""
    return {"name": words(name), "about": about}


def upper(text: str) -> str:
    """A text that begins with a capital."""
    return text[:1].upper() + text[1:]


def listed(parts: Sequence[str]) -> str:
    """As in "a, b and c"."""
    return " and ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)


def in_points(difference: float) -> str:
    """A difference of rates in percentage points, with its sign."""
    return f"{100 * difference:+.1f} points".replace("-", "\u2212")
