"""Planted faults: the rules uncompiled with one wrong number or one wrong line, and the tests that notice.

`tests/faults.csv` has a row for each fault: name, where, change, test.

- A wrong number: `where` is `pack`, `change` is a value laid over the reference pack of the test's game,
  as for `--set`: `combat.attack_arrows=2` or `ruling.same_way=one_step`.
- A wrong line: `where` is a file (`simcore/dice.py`) or one function in it (`simcore/dice.py::roll`),
  `change` is `old text => new text`. The old text must stand there exactly once; `\\n` in it ends a line.
- `test` is a test function that takes the fixture `rules` and nothing else, or, as `test_x[case]`, one
  further argument from a single `parametrize` over strings:
  `tests/golden/test_rooms.py::test_printed_faces_are_counted`.

Such a test takes everything from `rules`, so that it can be run on sound and on faulty rules alike:

    def test_printed_faces(rules):
        dice, streams = rules["dice"], rules["streams"]  # simcore.dice and simcore.streams, uncompiled
        tables = rules.tables("knights.fight", {"enemy.furball.health": "3"}, {"health": 2})
        ...  # the reference pack with a value over it, and a setting

`tests/unit/test_faults.py` runs each named test on sound rules, where it must pass, and on the faulty
ones, where it must fail. A fault that breaks the code (a name that isn't there) is no fault but a mistake
in the list.
"""

from __future__ import annotations

import ast
import csv
import importlib
import importlib.machinery
import importlib.util
import inspect
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numba

TOP = Path(__file__).parents[1]
PACK = "pack"
ARROW = " => "


@dataclass(frozen=True)
class Fault:
    """A row of faults.csv."""

    name: str
    where: str
    change: str
    test: str


def read_faults(path: Path = TOP / "tests" / "faults.csv") -> list[Fault]:
    """All rows of the list."""
    with path.open(encoding="utf-8", newline="") as file:
        return [Fault(**row) for row in csv.DictReader(file)]


class Rules:
    """The rules of all games, uncompiled, with at most one fault: `rules["knights.combat"]` is a module."""

    def __init__(self, fault: Fault | None = None) -> None:
        """Makes the modules that the fault touches afresh; ValueError where the fault fits nowhere."""
        self.sets: dict[str, str] = {}
        self.edits: dict[str, str] = {}
        self.read: dict[str, Any] = {}
        if fault and fault.where == PACK:
            path, _, value = fault.change.partition("=")
            self.sets = {path: value}
        elif fault:
            self.edits = dict([patched(fault)])
        self.modules = dict(sound().modules) if fault else {}
        if not fault:
            self._load(all_modules())
        for file in self.edits:
            self._load(users(module_name(file)))

    def __getitem__(self, name: str) -> Any:
        """A module of simcore: "dice", "knights.combat", or "knights" for a game's package itself."""
        return self.modules[f"simcore.{name}"]

    def _load(self, names: Collection[str]) -> None:
        """Run the sources of modules, with the edits and without compiling."""
        for name in names:
            self.modules.pop(name, None)
        jit, numba.config.DISABLE_JIT = numba.config.DISABLE_JIT, True
        sys.meta_path.insert(0, self)  # type: ignore[arg-type]
        try:
            with self.in_force():
                for name in names:
                    self.modules[name] = importlib.import_module(name)
        finally:
            sys.meta_path.remove(self)  # type: ignore[arg-type]
            numba.config.DISABLE_JIT = jit

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """The import system asks here first: an edited file is read with its edit."""
        for file, text in self.edits.items():
            if module_name(file) == name:
                return importlib.util.spec_from_file_location(name, TOP / file, loader=Edited(name, TOP / file, text))
        return None

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """While this lasts, whatever imports simcore gets these modules."""
        before = {name: sys.modules.pop(name) for name in list(sys.modules) if within(name, "simcore")}
        sys.modules.update(self.modules)
        try:
            yield
        finally:
            for name in [name for name in sys.modules if within(name, "simcore")]:
                del sys.modules[name]
            sys.modules.update(before)

    def game(self, name: str) -> Any:
        """A game by its name."""
        package: str = self["game"].GAMES[name].removeprefix("simcore.")
        return self[package].GAMES[name]

    def pack(self, name: str, sets: Mapping[str, str] | None = None) -> Any:
        """The reference pack of a game with values over it, and the fault over these."""
        return self._reference(name).changed({**(sets or {}), **self.sets})

    def _reference(self, name: str) -> Any:
        """The reference pack of a game, read once; that of the sound rules where they read it alike."""
        schema = self.game(name).schema
        if self is not sound() and schema is sound().game(name).schema:
            return sound()._reference(name)
        if name not in self.read:
            self.read[name] = self["packs"].load(schema)
        return self.read[name]

    def tables(
        self, name: str, sets: Mapping[str, str] | None = None, settings: Mapping[str, int] | None = None
    ) -> Any:
        """The tables of a game: the reference pack with values over it, and settings over their defaults."""
        game = self.game(name)
        defaults = {setting.name: setting.default for setting in game.settings}
        return game.load(self.pack(name, sets), {**defaults, **(settings or {})})


class Edited(importlib.machinery.SourceFileLoader):
    """Loads a module from its file's edited text."""

    def __init__(self, name: str, path: Path, text: str) -> None:
        """The module's name, where its file lies, and what is read in its place."""
        super().__init__(name, str(path))
        self.text = text

    def get_code(self, fullname: str) -> Any:
        """The edited text, compiled to Python's own code; no cached code is read or written."""
        return compile(self.text, self.path, "exec", dont_inherit=True)


@cache
def sound() -> Rules:
    """The rules without a fault, made once."""
    return Rules()


def within(name: str, package: str) -> bool:
    """Whether a module is a package or lies in it."""
    return name == package or name.startswith(package + ".")


def module_name(file: str) -> str:
    """`simcore/knights/combat.py` as a module's name."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def all_modules() -> tuple[str, ...]:
    """The names of all modules of simcore."""
    files = sorted((TOP / "simcore").rglob("*.py"))
    return tuple(sorted(module_name(file.relative_to(TOP).as_posix()) for file in files))


@cache
def imported(name: str) -> frozenset[str]:
    """The modules of simcore that a module imports, wherever in its text."""
    spec = importlib.util.find_spec(name)
    assert spec is not None and spec.origin is not None
    found = set()
    for node in ast.walk(ast.parse(Path(spec.origin).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return frozenset(found & set(all_modules()))


@cache
def users(name: str) -> tuple[str, ...]:
    """A module of simcore and all that import it, directly or by others."""
    found = {name}
    while more := {user for user in all_modules() if imported(user) & found} - found:
        found |= more
    return tuple(sorted(found))


def patched(fault: Fault) -> tuple[str, str]:
    """(file, its text with the fault); ValueError unless the old text stands exactly once where it should."""
    file, _, function = fault.where.partition("::")
    old, arrow, new = (part.replace("\\n", "\n") for part in fault.change.partition(ARROW))
    text = (TOP / file).read_text("utf-8")
    first, last = span(text, function) if function else (0, len(text))
    if not arrow or old == new or text[first:last].count(old) != 1:
        raise ValueError(f"{fault.name}: {old!r} stands {text[first:last].count(old)} times in {fault.where}")
    return file, text[:first] + text[first:last].replace(old, new) + text[last:]


def span(text: str, function: str) -> tuple[int, int]:
    """Where a function's source begins and ends in a text; ValueError if there is no such function."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name == function:
            lines = text.splitlines(keepends=True)
            return sum(map(len, lines[: node.lineno - 1])), sum(map(len, lines[: node.end_lineno]))
    raise ValueError(f"there is no function {function}")


def find_test(name: str) -> Callable[[Rules], object]:
    """The test that a row names, ready to be called with rules; ValueError if it takes more than it may."""
    file, _, rest = name.partition("::")
    function, _, case = rest.removesuffix("]").partition("[")
    test = getattr(importlib.import_module(module_name(file)), function)
    if case:
        (mark,) = (mark for mark in test.pytestmark if mark.name == "parametrize")
        if case not in mark.args[1]:
            raise ValueError(f"{file}::{function} has no case {case}")
        test = partial(test, **{mark.args[0]: case})
    if set(inspect.signature(test).parameters) - set(getattr(test, "keywords", ())) != {"rules"}:
        raise ValueError(f"{name} must take the fixture `rules` and nothing else")
    return lambda rules: test(rules=rules)
