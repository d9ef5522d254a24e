"""Planted faults: how the rules are broken, one wrong number or one wrong line at a time.

`tests/faults.csv` has a row for each fault: rule, name, where, change, test.

- `rule` holds the ids of the rules that the fault breaks, separated by spaces. For each of them, one of the tests that
  `tests/rules.csv` names must fail. A fault of the shared core breaks no rule: `rule` is empty, and `test` names the
  test that fails.
- A wrong number: `where` is `pack`, and `change` is a value laid over the reference packs, as for `--set`:
  `combat.attack_arrows=2` or `ruling.same_way=one_step`; several are separated by `; `.
- A wrong line: `where` is a file and a function (`simcore/dice.py::roll`), and `change` is `old => new`. Both sides are
  Python: an expression, or one or more statements with `\\n` between lines. What is replaced is found by its structure:
  line breaks, comments and parentheses don't matter. It must occur once in the function; `simcore/dice.py::roll#2`
  means the second of several, in the order of the source. With `pass` as `new`, a statement is removed.

`tests/break_rules.py` plants each fault and runs these tests uncompiled. Only a failed check counts (`CAUGHT`): a fault
that breaks the code (a name that doesn't exist) is a mistake in the list.

A golden test takes the rules from the fixture `rules`, so that it runs on sound and on faulty rules alike:

    def test_printed_faces(rules):
        dice, streams = rules["dice"], rules["streams"]  # simcore.dice and simcore.streams, uncompiled
        tables = rules.tables("knights.fight", {"enemy.furball.health": "3"}, {"health": 2})
        ...  # the reference pack with a value over it, and a setting
"""

from __future__ import annotations

import ast
import csv
import importlib
import importlib.machinery
import importlib.util
import re
import sys
import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numba
import pytest

TOP = Path(__file__).parents[1]
PACK = "pack"
ARROW = " => "
CAUGHT = (AssertionError, IndexError, ValueError, pytest.fail.Exception)
"""How a test notices a fault: by what it asserts, or by a script that runs out or picks what it may not."""


@dataclass(frozen=True)
class Fault:
    """A row of faults.csv."""

    rule: str
    name: str
    where: str
    change: str
    test: str = ""


def read_faults(path: Path = TOP / "tests" / "faults.csv") -> list[Fault]:
    """Read all rows of the list."""
    with path.open(encoding="utf-8", newline="") as file:
        return [Fault(**row) for row in csv.DictReader(file)]


class Rules:
    """The rules of all games, uncompiled, with at most one fault: `rules["knights.combat"]` is a module."""

    def __init__(self, fault: Fault | None = None) -> None:
        """Makes the modules that the fault touches afresh; ValueError where the fault fits nowhere."""
        self.sets: dict[str, str] = {}
        self.edits: dict[str, ast.Module] = {}
        self.read: dict[str, Any] = {}
        if fault and fault.where == PACK:
            self.sets = dict(change.split("=", 1) for change in fault.change.split("; "))
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
        for file, tree in self.edits.items():
            if module_name(file) == name:
                return importlib.util.spec_from_file_location(name, TOP / file, loader=Edited(name, TOP / file, tree))
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
    """Loads a module from its file's edited syntax tree."""

    def __init__(self, name: str, path: Path, tree: ast.Module) -> None:
        """Take the module's name, its file, and what is read in place of the file."""
        super().__init__(name, str(path))
        self.tree = tree

    def get_code(self, fullname: str) -> Any:
        """Compile the tree to Python's own code; no cached code is read or written."""
        return compile(self.tree, self.path, "exec", dont_inherit=True)


@cache
def sound() -> Rules:
    """Make the rules without a fault, once."""
    return Rules()


PLANTED: list[Rules] = []


def use(rules: Rules) -> None:
    """Play by these rules in this process from now on: in the fixture `rules`, and wherever simcore is imported."""
    PLANTED[:] = [rules]
    for name in [name for name in sys.modules if within(name, "simcore") or within(name, "tests.unit")]:
        del sys.modules[name]
    for name in ("tests.reference", "tests.toys", "tests.conftest"):
        sys.modules.pop(name, None)
    sys.modules.update(rules.modules)
    load = rules["packs"].load
    rules["packs"].load = lambda schema, *args, **more: laid_over(load(schema, *args, **more), rules.sets)


def rules_at_hand() -> Rules:
    """Give the rules that tests play by: sound ones, unless a fault was planted in this process."""
    return PLANTED[0] if PLANTED else sound()


def laid_over(pack: Any, sets: Mapping[str, str]) -> Any:
    """Lay values over a pack if it has such values."""
    has = all(path.partition(".")[0] in pack.cards for path in sets)
    try:
        return pack.changed(sets) if sets and has else pack
    except sound()["packs"].Mistakes:
        return pack


def check_pack_fault(fault: Fault, rules: Rules) -> None:
    """Raise ValueError unless some reference pack can have the values and does not have them already."""
    kind, refused = fault.change.partition(".")[0], ""
    for name in sound()["game"].GAMES:
        if kind in sound().game(name).schema.kinds:
            try:
                if rules.pack(name).digest != sound().pack(name).digest:
                    return
            except rules["packs"].Mistakes as mistakes:
                refused += f"; {mistakes}".replace("\n", "; ")
    raise ValueError(f"no reference pack can have {fault.change}, or all have it already{refused}")


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


def patched(fault: Fault) -> tuple[str, ast.Module]:
    """Give (file, its syntax tree with the fault); ValueError unless `old` is found where the fault says, and once."""
    place, _, nth = fault.where.partition("#")
    file, _, function = place.partition("::")
    tree = ast.parse((TOP / file).read_text("utf-8"))
    old, arrow, new = (part.replace("\\n", "\n") for part in fault.change.partition(ARROW))
    if not arrow:
        raise ValueError(f"{fault.name}: a change is written as old => new")
    before, after = parsed(fault, old), parsed(fault, new)
    spots = list(find_spots(function_in(tree, function) if function else tree, before, after))
    if (nth and not 0 < int(nth) <= len(spots)) or (not nth and len(spots) != 1):
        raise ValueError(f"{fault.name}: {old!r} is found {len(spots)} times in {place}")
    spots[int(nth or 1) - 1]()
    changed = ast.unparse(tree)
    if changed == ast.unparse(ast.parse((TOP / file).read_text("utf-8"))):
        raise ValueError(f"{fault.name}: the change changes nothing")
    return file, ast.parse(changed)


def parsed(fault: Fault, code: str) -> list[ast.stmt]:
    """Parse one side of a change."""
    try:
        return ast.parse(textwrap.dedent(code).strip()).body
    except SyntaxError as error:
        raise ValueError(f"{fault.name}: {code!r} is not Python: {error}") from None


def function_in(tree: ast.Module, name: str) -> ast.AST:
    """Find a function or class of a file, or a method as `Class.method`; ValueError if there is none."""
    node: ast.AST = tree
    for part in name.split("."):
        kinds = (ast.FunctionDef, ast.ClassDef)
        found = [child for child in ast.walk(node) if isinstance(child, kinds) and child.name == part]
        if not found:
            raise ValueError(f"there is no function {name}")
        node = found[0]
    return node


def find_spots(tree: ast.AST, old: list[ast.stmt], new: list[ast.stmt]) -> Iterator[Callable[[], None]]:
    """Find the places that have the structure of `old`, in the order of the source; call one to put `new` there."""
    inside = all(len(side) == 1 and isinstance(side[0], ast.Expr) for side in (old, new))
    before, after = ([side[0].value] if inside else side for side in (old, new))  # type: ignore[attr-defined]
    wanted = [shape(node) for node in before]
    for parent in in_order(tree):
        for field, value in ast.iter_fields(parent):
            if isinstance(value, list):
                for i in range(len(value) - len(before) + 1):
                    if [shape(node) for node in value[i : i + len(before)]] == wanted:
                        yield partial(value.__setitem__, slice(i, i + len(before)), after)
            elif inside and shape(value) == wanted[0]:
                yield partial(setattr, parent, field, after[0])


def in_order(tree: ast.AST) -> Iterator[ast.AST]:
    """Walk a tree in the order of the source."""
    yield tree
    for child in ast.iter_child_nodes(tree):
        yield from in_order(child)


def shape(node: object) -> str:
    """Write a node down without its place, and without whether it is read or written."""
    return CONTEXT.sub("", ast.dump(node)) if isinstance(node, ast.AST) else repr(node)


CONTEXT = re.compile(r",? ?ctx=(Load|Store|Del)\(\)")
