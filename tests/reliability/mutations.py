"""Ways to spoil a file: on the level of its bytes, and on the level of what a TOML file says.

An edit is a function from a file to a file, made by a strategy of hypothesis, so that a file that breaks something is
shrunk to the few edits that matter.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from datetime import date, datetime, time
from typing import Any

from hypothesis import strategies as st

from experiments.config import toml_key, toml_value

Bytes = Callable[[bytes], bytes]
Tables = dict[str, Any]
Reshape = Callable[[Tables], None]

CANARY = "wastelab-canary"
"""A file that would appear if anything in a file were run."""

ODD_NAMES = [
    "None", "NA", "null", "nan", "true", "1e5", "", " ", "a, b", "a.b", "a=b", 'say "x"', "it's", "<b>&amp;</b>", "#",
    "Größe", "漢字", "عربى", "\u202eright to left", "\u200b", "🦀🧟", "é", "[bold]x[/]", "%s {0.x} $x_1$", "\\",
    "__class__", "../../up", "C:\\con", "x" * 64, "x" * 65, "x" * 3_000, "\x00", "\x1b[31m", "\x7f", "\u2028", "\ufeff",
    f"__import__('os').system('touch {CANARY}')", f"$(touch {CANARY})", f"`touch {CANARY}`", f"; touch {CANARY};",
    "{{ cycler.__init__.__globals__.os.system('touch " + CANARY + "') }}", f"=cmd|' /C touch {CANARY}'!A0",
    f"!!python/object/apply:os.system ['touch {CANARY}']", "<script>alert(1)</script>", "'); DROP TABLE chunks; --",
    "/dev/zero", "/", ".", "..", "~", "all", "reference", "toy.toml",
]  # fmt: skip
"""Names that are easily lost, broken or taken for something to do."""

ODD_VALUES: list[Any] = [
    *ODD_NAMES, 0, 1, -1, 2, 5, 100, 2**31, 2**63 - 1, 2**63, -(2**63) - 1, 10**40, 16**3_500, 0.0, -0.0, 0.5, 1e308,
    5e-324, float("nan"), float("inf"), float("-inf"), True, False, [], {}, [[]], [{}], {"": ""}, [1, "a", True],
    ["all"], ["all", "all"], ["reference", "reference"], [0.1, 0.9], [0.9, 0.1], {"assumed": "why"}, {"assumed": ""},
    {"rulebook": "K1F-01", "public": "x"}, {"dice": 1}, date(2024, 1, 1), time(1, 2), datetime(2024, 1, 1, 1, 2),
]  # fmt: skip
"""Values that some key doesn't want."""

ODD_TEXTS = [
    b"=", b"[", b"]", b"[[", b"]]", b"{", b"}", b"[" * 3_000, b"{a=" * 900, b"(", b'"', b'"""', b"'", b"'''", b"\\",
    b"\\u0000", b"\\uD800", b"#", b",", b".", b"a.b.c", b"a." * 1_900 + b"a = 1\n", b"[x]\n", b"[[runner]]\n", b"\n",
    b"\r", b"\r\n", b"\0", b"\x1b[2J", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\xc3", b"\xed\xa0\x80", b"\t", b" ",
    b"nan", b"-inf", b"1_000", b"0x" + b"F" * 3_900, b"9" * 3_900, b"1e999", b"1.", b"07", b"--1", b"1979-05-27",
    b"1979-13-99", b"25:61:61", b"true", b"True", b"{{ 7 * 7 }}", b"x" * 5_000, "\u202e".encode(), "ä".encode(),
]  # fmt: skip
"""Bits of text that hurt."""

ENCODINGS = [
    "utf-8-sig",
    "utf-16",
    "utf-16-le",
    "utf-16-be",
    "utf-32",
    "cp1252",
    "mac-roman",
    "cp037",
    "utf-7",
    "cp437",
]
LINE_ENDS = [b"\r\n", b"\r", b"\n\n", b"\x0b", b"\x0c", b"\x85", "\u2028".encode()]

places = st.integers(0, 5_000)
lengths = st.integers(1, 60)
names = st.sampled_from(ODD_NAMES) | st.text(max_size=8)
values = st.sampled_from(ODD_VALUES) | st.integers() | st.floats() | st.text(max_size=20) | st.booleans()


# ---------------------------------------------------------------- bytes


def flip(place: int, bits: int) -> Bytes:
    """Flip bits of a byte."""

    def edit(data: bytes) -> bytes:
        at = place % max(len(data), 1)
        return data[:at] + bytes(byte ^ bits for byte in data[at : at + 1]) + data[at + 1 :]

    return edit


def splice(place: int, length: int, text: bytes, times: int) -> Bytes:
    """Put a text, and what stood there `times` times, in the place of some bytes."""

    def edit(data: bytes) -> bytes:
        at = place % (len(data) + 1)
        return data[:at] + text + data[at : at + length] * times + data[at + length :]

    return edit


def lines(first: int, second: int, times: int) -> Bytes:
    """Move a line elsewhere, or copy it, or leave it out."""

    def edit(data: bytes) -> bytes:
        rows = data.split(b"\n")
        row = rows.pop(first % len(rows))
        at = second % (len(rows) + 1)
        return b"\n".join([*rows[:at], *[row] * times, *rows[at:]])

    return edit


def part(pattern: bytes, which: int, text: bytes) -> Bytes:
    """Another text in the place of one of the matches of a pattern."""

    def edit(data: bytes) -> bytes:
        found = list(re.finditer(pattern, data, re.M))
        if not found:
            return data + text
        match = found[which % len(found)]
        return data[: match.start()] + text + data[match.end() :]

    return edit


def recoded(encoding: str) -> Bytes:
    """The text in another encoding."""
    return lambda data: data.decode("utf-8", "replace").encode(encoding, "replace")


def ended(line_end: bytes) -> Bytes:
    """The text with other line ends."""
    return lambda data: data.replace(b"\n", line_end)


_VALUE, _KEY, _HEAD = rb"(?<== ).*$", rb"^[\w.]+(?= =)", rb"(?<=^\[).*(?=\]$)"
_texts = st.sampled_from(ODD_TEXTS) | st.binary(max_size=12)
_written = values.map(lambda value: toml_value(value).encode("utf-8", "surrogatepass"))
_keys = names.map(lambda name: toml_key(name).encode("utf-8", "surrogatepass"))

spoiled_bytes: st.SearchStrategy[list[Bytes]] = st.lists(
    st.one_of(
        st.builds(flip, places, st.integers(1, 255)),
        st.builds(splice, places, lengths, _texts, st.integers(0, 3)),
        st.builds(splice, places, st.just(10**6), st.just(b""), st.just(0)),
        st.builds(lines, places, places, st.integers(0, 2)),
        st.builds(part, st.just(_VALUE), places, _written | _texts),
        st.builds(part, st.sampled_from([_KEY, _HEAD]), places, _keys | _texts),
        st.builds(recoded, st.sampled_from(ENCODINGS)),
        st.builds(ended, st.sampled_from(LINE_ENDS)),
    ),
    min_size=1,
    max_size=3,
)


_cells = names.map(lambda name: '"{}"'.format(name.replace('"', '""')).encode("utf-8", "surrogatepass"))

spoiled_sheets: st.SearchStrategy[list[Bytes]] = st.lists(
    st.one_of(
        st.builds(flip, places, st.integers(1, 255)),
        st.builds(splice, places, lengths, _texts, st.integers(0, 3)),
        st.builds(lines, places, places, st.integers(0, 2)),
        st.builds(part, st.just(rb"[^,\r\n]+"), places, _cells | _texts | st.sampled_from([b"", b"0", b'"1,5"'])),
        st.builds(part, st.just(b","), places, st.sampled_from([b";", b"\t", b",,", b"|"])),
        st.builds(recoded, st.sampled_from(ENCODINGS)),
        st.builds(ended, st.sampled_from(LINE_ENDS)),
    ),
    min_size=1,
    max_size=3,
)


# ---------------------------------------------------------------- what a file says


def spots(table: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of everything in nested tables and lists."""
    inside = table.items() if isinstance(table, dict) else enumerate(table) if isinstance(table, list) else ()
    for key, value in inside:
        yield (*above, key)
        yield from spots(value, (*above, key))


def _at(tables: Tables, which: int) -> tuple[Any, Any]:
    """One of the places in nested tables: what holds it, and its key there."""
    found = list(spots(tables)) or [("title",)]
    *above, key = found[which % len(found)]
    holder: Any = tables
    for step in above:
        holder = holder[step]
    return holder, key


def put(which: int, value: Any) -> Reshape:
    """Another value at a place."""

    def edit(tables: Tables) -> None:
        holder, key = _at(tables, which)
        holder[key] = deepcopy(value)

    return edit


def add(which: int, name: str, value: Any) -> Reshape:
    """A key more beside a place, or another item in its list."""

    def edit(tables: Tables) -> None:
        holder, _ = _at(tables, which)
        if isinstance(holder, list):
            holder.append(deepcopy(value))
        else:
            holder[name] = deepcopy(value)

    return edit


def rename(which: int, name: str) -> Reshape:
    """Another name for a key, at the end of its table."""

    def edit(tables: Tables) -> None:
        holder, key = _at(tables, which)
        value = holder.pop(key)
        if isinstance(holder, dict):
            holder[name] = value

    return edit


def swap(first: int, second: int, keep: bool) -> Reshape:
    """Two values change places, or one is copied over the other."""

    def edit(tables: Tables) -> None:
        (holder, key), (other, place) = _at(tables, first), _at(tables, second)
        value, moved = deepcopy(holder[key]), deepcopy(other[place])
        other[place] = value
        if not keep and key in (holder if isinstance(holder, dict) else range(len(holder))):
            holder[key] = moved

    return edit


def wrap(which: int, name: str | None, times: int) -> Reshape:
    """A value inside lists or tables."""

    def edit(tables: Tables) -> None:
        holder, key = _at(tables, which)
        for _ in range(times):
            holder[key] = [holder[key]] if name is None else {name: holder[key]}

    return edit


spoiled_tables: st.SearchStrategy[list[Reshape]] = st.lists(
    st.one_of(
        st.builds(put, places, values),
        st.builds(add, places, names, values),
        st.builds(rename, places, names),
        st.builds(swap, places, places, st.booleans()),
        st.builds(wrap, places, st.none() | names, st.sampled_from([1, 1, 1, 2, 14, 30, 200])),
    ),
    min_size=1,
    max_size=3,
)


def toml(tables: Tables) -> bytes:
    """Tables as a TOML file, each of their keys on a line."""
    rows = [f"{toml_key(key)} = {toml_value(value)}\n" for key, value in tables.items()]
    return "".join(rows).encode("utf-8", "surrogatepass")


# ---------------------------------------------------------------- the judge of time


class Hung(BaseException):
    """Something took far too long."""


CLOCKS = ((getattr(signal, "SIGPROF", 0), getattr(signal, "ITIMER_PROF", 0), 1), (getattr(signal, "SIGALRM", 0), 0, 20))
"""Signals and clocks that judge: the program's own time, so that other work beside it doesn't count, and, for what only
waits, a far longer time by the wall."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise Hung where what is inside takes longer; without a word where the system has no such clocks."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def hung(number: int, frame: Any) -> None:
        raise Hung(f"still busy after {seconds} s")

    before = [signal.signal(name, hung) for name, _, _ in CLOCKS]
    for _, clock, times in CLOCKS:
        signal.setitimer(clock, seconds * times)
    try:
        yield
    finally:
        for (name, clock, _), handler in zip(CLOCKS, before, strict=True):
            signal.setitimer(clock, 0)
            signal.signal(name, handler)
