"""The suite itself: a newcomer's run of it measures no speed."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

TESTS = Path(__file__).parents[1]
CLOCKS = {"process_time", "perf_counter", "monotonic", "thread_time", "time_ns", "perf_counter_ns"}


def clocks(node: ast.AST) -> set[str]:
    """The clocks that are read somewhere below a node."""
    called = [one.func for one in ast.walk(node) if isinstance(one, ast.Call)]
    return {one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "") for one in called} & CLOCKS


def test_no_test_of_the_usual_run_is_judged_by_a_clock() -> None:
    """FT4: what is judged by a clock stands in tests/bench, which is collected only where it is named."""
    options = tomllib.loads((TESTS.parent / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]["ini_options"]
    assert "tests/bench" in options["norecursedirs"] and options["testpaths"] == ["tests"]
    for path in sorted(TESTS.rglob("test_*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        judged = [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Assert) and clocks(node)]
        assert not judged or path.parent.name == "bench", f"{path.name} lines {judged}"
    assert clocks(ast.parse("assert time.monotonic() - started < 3")) == {"monotonic"}
