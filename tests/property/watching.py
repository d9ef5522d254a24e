"""Rules of a game uncompiled, some of whose kernels tell a watcher before and after they do their work."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FunctionType
from typing import Any

from simcore.game import Game
from simcore.kernels import plain

Space = dict[str, Any]


class Rules(dict[str, Space]):
    """The uncompiled rules of a game by module, a copy of our own: rules["play"]["play_range"].

    The kernels named in `parts` tell the watcher at work, if there is one, before and after."""

    def __init__(self, game: Game, parts: Sequence[str]) -> None:
        self.watching: list[Watcher] = []
        spaces = _spaces(game)
        super().__init__({space["__name__"].rpartition(".")[2]: space for space in spaces})
        for name in parts:
            (original,) = {id(space[name]): space[name] for space in spaces if name in space}.values()
            self.put(name, self.told(name, original))
        self.parts = parts

    def put(self, name: str, kernel: Any) -> None:
        """Another kernel in the place of one, wherever it is called."""
        for space in self.values():
            if name in space:
                space[name] = kernel

    @contextmanager
    def planted(self, name: str, old: str, new: str) -> Iterator[None]:
        """While this lasts, a kernel that isn't told has other text in the place of some."""
        before = next(space[name] for space in self.values() if name in space)
        source, made = inspect.getsource(before), Space()
        assert source.count(old) == 1, f"{name} has it {source.count(old)} times"
        exec(source[source.index("def ") :].replace(old, new), before.__globals__, made)
        self.put(name, made[name])
        try:
            yield
        finally:
            self.put(name, before)

    def told(self, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        """A kernel that tells the watcher."""

        def told(s: Any, *rest: Any) -> Any:
            if not self.watching:
                return original(s, *rest)
            watcher = self.watching[-1]
            after = getattr(watcher, f"on_{name}", watcher.on_other)(s, *rest)
            next(after, None)
            watcher.steps.append(name)
            watcher.answer = original(s, *rest)
            answer = watcher.answer
            next(after, None)
            return answer

        return told

    @contextmanager
    def decided(self, pick: Callable[[Any], int]) -> Iterator[None]:
        """While this lasts, `pick(s)` decides: the place of an option among those laid out."""
        (before,) = {id(space["decide"]): space["decide"] for space in self.values() if "decide" in space}.values()

        def decide(s: Any, *rest: Any) -> int:
            return int(s.option[pick(s)])

        self.put("decide", self.told("decide", decide) if "decide" in self.parts else decide)
        try:
            yield
        finally:
            self.put("decide", before)


class Watcher:
    """Sees what is played of some rules: `on_<kernel>` is a generator that runs to its yield before the kernel, and on
    from there after it; `steps` are the kernels called, `answer` what the last one returned."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.steps: list[str] = []
        self.answer: Any = None

    def on_other(self, s: Any, *rest: Any) -> Iterator[None]:
        """A kernel without a method of its own."""
        yield

    @contextmanager
    def watch(self) -> Iterator[None]:
        """While this lasts, it sees what is played."""
        self.rules.watching.append(self)
        try:
            yield
        finally:
            self.rules.watching.pop()


def _spaces(game: Game) -> list[Space]:
    """The names of all modules of the rules, uncompiled and of our own."""
    edge: list[Space] = [plain(game.play_range, {"": None}).__globals__]
    found: dict[int, Space] = {}
    while edge:
        space = edge.pop()
        if id(space) not in found and vars(sys.modules[space["__name__"]]) is not space:
            found[id(space)] = space
            edge += [value.__globals__ for value in space.values() if isinstance(value, FunctionType)]
    return list(found.values())
