"""Sweeps: which points the tables mean, in which order, and what is refused."""

from __future__ import annotations

import tomllib
from itertools import product
from math import prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments import sweeps
from experiments.parts import Changes, toml_value
from experiments.sweeps import MOST, Points, Sweep, points_of, swept
from simcore.packs import Mistakes, validate


def read(text: str) -> tuple[Sweep | None, list[str]]:
    sweep, mistakes = validate(Sweep, tomllib.loads(text).get("sweep", {}), "sweep")
    return sweep, [str(mistake) for mistake in mistakes]


def points(text: str, seed: int = 1) -> Points:
    sweep, mistakes = read(text)
    assert sweep is not None, mistakes
    return points_of(sweep, seed)


def wrong(text: str) -> list[str]:
    """Every mistake, of the shape or, where the shape is right, of the points."""
    sweep, mistakes = read(text)
    if sweep is None:
        return mistakes
    with pytest.raises(Mistakes) as found:
        points_of(sweep, 1)
    return [str(mistake) for mistake in found.value.mistakes]


def named(found: Points) -> list[dict[str, Any]]:
    return [dict(point) for point in found.points]


# ---------------------------------------------------------------- points


def test_a_grid_is_every_value_with_every_other_the_last_path_fastest() -> None:
    found = points('[sweep.grid]\nenemy.pup.health = [2, 3]\nbots.knight = ["regular", "strong"]')
    assert found.points == (
        (("enemy.pup.health", 2), ("bots.knight", "regular")),
        (("enemy.pup.health", 2), ("bots.knight", "strong")),
        (("enemy.pup.health", 3), ("bots.knight", "regular")),
        (("enemy.pup.health", 3), ("bots.knight", "strong")),
    )
    assert found.notes == ()


def test_a_zip_goes_side_by_side_and_a_list_point_by_point() -> None:
    assert named(points("[sweep.zip]\na.x = [1, 2]\nb = [true, false]")) == [
        {"a.x": 1, "b": True},
        {"a.x": 2, "b": False},
    ]
    assert named(points("[[sweep.list]]\na.x = 1\n'b.y' = [1, 2]\n[[sweep.list]]\n[[sweep.list]]\nc = 'so'")) == [
        {"a.x": 1, "b.y": [1, 2]},
        {},
        {"c": "so"},
    ]


def test_several_tables_multiply_the_last_one_fastest() -> None:
    text = "[sweep.zip]\nb = [1, 2]\n[[sweep.list]]\nc = 1\n[[sweep.list]]\nc = 2\n[sweep.grid]\na = [1, 2, 3]"
    expected = [{"a": a, "b": b, "c": c} for a, b, c in product((1, 2, 3), (1, 2), (1, 2))]
    assert named(points(text)) == expected
    strewn = points(text + "\n[sweep.sobol]\nn = 4\nranges = { d = [0, 100] }")
    assert [{key: point[key] for key in "abc"} for point in named(strewn)[::4]] == expected
    assert [point["d"] for point in named(strewn)] == [point["d"] for point in named(strewn)[:4]] * 12


values = st.one_of(st.integers(-5, 5), st.booleans(), st.text("ab, =", max_size=3), st.sampled_from([0.5, 1.0, -2.5]))
paths = st.sampled_from(["enemy.pup.health", "enemy.pup.title", "bots.knight", "table.ammo", "ruling.same"])


@given(st.dictionaries(paths, st.lists(values, min_size=1, max_size=4, unique_by=toml_value), min_size=1, max_size=4))
def test_a_grid_of_any_values_has_each_combination_once(lists: dict[str, list[Any]]) -> None:
    sweep = Sweep(grid=lists)
    found = points_of(sweep, 1).points
    assert [tuple(value for _, value in point) for point in found] == list(product(*lists.values()))
    assert len({sweeps._key(point) for point in found}) == len(found) == prod(len(one) for one in lists.values())
    assert {path: list(one) for path, one in swept(found).items()} == lists
    assert Sweep.model_validate(sweep.model_dump(mode="json")) == sweep


@given(st.lists(st.dictionaries(paths, values, max_size=3), min_size=1, max_size=8))
def test_points_that_are_alike_are_refused_and_no_others(tables: list[dict[str, Any]]) -> None:
    keys = [tuple(sorted((path, toml_value(value)) for path, value in table.items())) for table in tables]
    sweep = Sweep(list=tables)
    if len(set(keys)) == len(keys):
        assert named(points_of(sweep, 1)) == tables
    else:
        with pytest.raises(Mistakes) as found:
            points_of(sweep, 1)
        assert len(found.value.mistakes) == sum(keys.count(key) > 1 for key in set(keys))


# ---------------------------------------------------------------- Sobol


@given(
    st.integers(1, 64),
    st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 30)), min_size=1, max_size=3),
    st.integers(0, 2**63 - 1),
)
@settings(max_examples=60, deadline=None)
def test_whole_ranges_give_different_whole_numbers_inside(n: int, spans: list[tuple[int, int]], seed: int) -> None:
    ranges = {f"p{place}": [low, low + width] for place, (low, width) in enumerate(spans)}
    n = min(n, prod(width + 1 for _, width in spans))
    found = points_of(Sweep(sobol={"n": n, "ranges": ranges}), seed).points
    assert len(found) == len(set(found)) == n
    for point in found:
        assert [path for path, _ in point] == list(ranges)
        assert all(type(value) is int and ranges[path][0] <= value <= ranges[path][1] for path, value in point)


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6), st.integers(0, 9))
@settings(max_examples=60, deadline=None)
def test_decimal_ranges_are_covered_evenly(low: float, width: float, seed: int) -> None:
    high = low + width
    if not high > low + width / 2:
        return
    found = points_of(Sweep(sobol={"n": 16, "ranges": {"p": [low, high]}}), seed).points
    parts = sorted((value - low) / (high - low) for ((_, value),) in found)
    assert all(type(value) is float and low <= value <= high for ((_, value),) in found)
    assert all(abs(part - (place + 0.5) / 16) < 0.5 / 16 + 1e-4 for place, part in enumerate(parts))


def test_whole_numbers_have_equal_parts_of_a_range() -> None:
    found = points("[sweep.sobol]\nn = 64\n[sweep.sobol.ranges]\na = [1, 4]\nb = [0, 999999]")
    counts = [sum(point["a"] == value for point in named(found)) for value in (1, 2, 3, 4)]
    assert counts == [16, 16, 16, 16]


def test_the_seed_scrambles_and_notes_tell_of_powers_of_two_and_of_repeats() -> None:
    text = "[sweep.sobol]\nn = {}\nranges = {{ 'enemy.pup.health' = [1, 5], b = [1, 5] }}"
    assert points(text.format(16), 7) == points(text.format(16), 7) != points(text.format(16), 8)
    assert points(text.format(1)).notes == ()
    uneven, repeats = points(text.format(25)).notes
    assert uneven == "25 Sobol points: 16 or 32, a power of two, would lie more evenly"
    assert repeats.endswith("Sobol points skipped, as they repeat earlier ones in whole numbers")
    assert {tuple(point.values()) for point in named(points(text.format(25)))} == set(product(range(1, 6), repeat=2))


# ---------------------------------------------------------------- what is refused


def test_an_empty_sweep_and_empty_tables() -> None:
    assert wrong("[sweep]") == [
        "sweep is empty; allowed: at least one of [sweep.grid], [sweep.zip], [[sweep.list]], [sweep.sobol]"
    ]
    empty = wrong("[sweep]\nlist = []\n[sweep.grid]\n[sweep.zip]\n[sweep.sobol]\nn = 8\nranges = {}")
    assert [line.partition(";")[0] for line in empty] == [
        "sweep.grid is empty",
        "sweep.zip is empty",
        "sweep.sobol.ranges is empty",
        "sweep.list is empty",
    ]


def test_all_that_is_wrong_in_the_shape_is_told_at_once() -> None:
    text = """
    [sweep.grid]
    a.x = []
    a.y = 3
    a.z = [1, nan]
    [sweep.zip]
    b = [1979-05-27]
    c = [99999999999999999999]
    [sweep.sobol]
    n = 0
    ranges = { d = [1], e = [true, 2], f = [1, inf] }
    [sweep.girds]
    [[sweep.list]]
    g = 1979-05-27
    """
    lines = {line.partition(" ")[0]: line for line in wrong(text)}
    assert list(lines) == [
        "sweep.grid.a.x",
        "sweep.grid.a.y",
        "sweep.grid.a.z",
        "sweep.zip.b",
        "sweep.zip.c",
        "sweep.list.0.g",
        "sweep.sobol.n",
        "sweep.sobol.ranges.d.1",
        "sweep.sobol.ranges.e.0",
        "sweep.sobol.ranges.f.1",
        "sweep.girds",
    ]
    assert "has nan, which is no finite number" in lines["sweep.grid.a.z"]
    assert lines["sweep.girds"].endswith("did you mean grid?")


def test_all_that_is_wrong_between_tables_is_told_at_once() -> None:
    text = """
    [sweep.zip]
    a = [1, 2]
    b = [1]
    [sweep.grid]
    a = [3]
    b.c = [4]
    [sweep.sobol]
    n = 4
    ranges = { d = [6, 6], e = [1, 0.5] }
    """
    assert wrong(text) == [
        "sweep.zip has lists of unlike lengths: a 2, b 1; allowed: lists as long as one another",
        "sweep.zip.a is swept in sweep.grid, too; allowed: each path in one table",
        "sweep.grid.b.c is swept together with b, in which it lies; allowed: paths apart from one another",
        "sweep.sobol.ranges.d runs from 6 to 6; allowed: [low, high] with low below high",
        "sweep.sobol.ranges.e runs from 1 to 0.5; allowed: [low, high] with low below high",
    ]


def test_duplicates_are_named_with_their_places() -> None:
    text = "[[sweep.list]]\nb = 1\nc = 2\n[[sweep.list]]\n[[sweep.list]]\nc = 2\nb = 1"
    assert wrong(text) == [
        "sweep.list has one point 2 times (points 1, 3): b=1, c=2; allowed: each once",
    ]
    assert wrong("[sweep.grid]\na.x = [1, 2, 1, 'b', 'b']\nb = [1, 2]") == [
        'sweep.grid.a.x names 1 2 times, "b" 2 times; allowed: each value once'
    ]
    many = wrong(f"[sweep.zip]\na = {list(range(50)) * 2}")
    assert len(many) == 21 and many[-1].startswith("sweep.zip has 30 more points several times")
    assert wrong("[sweep.zip]\na = [1, 1, 1]")[0].startswith("sweep.zip has one point 3 times (points 1, 2, 3)")
    assert points("[sweep.grid]\na = [1, true, '1', 1.0]").points[1] == (("a", True),)


def test_a_path_written_twice_is_refused() -> None:
    assert wrong("[sweep.grid]\na.b = [1]\n'a.b' = [2]") == ["sweep.grid gives a.b twice"]
    assert wrong("[[sweep.list]]\na.b = 1\n'a.b' = 2") == ["sweep.list gives a.b twice"]


def test_too_many_points_are_refused_before_they_are_made() -> None:
    wide = ", ".join(str(value) for value in range(1000))
    huge = "\n".join(f"p{place} = [{wide}]" for place in range(12))
    (line,) = wrong(f"[sweep.grid]\n{huge}\n[sweep.sobol]\nn = 2\nranges = {{ x = [1, 9] }}")
    assert line.endswith(f"in grid x 2 in sobol); allowed: at most {MOST:,}")
    assert wrong("[sweep.sobol]\nn = 100_001\nranges = { x = [1, 1000000] }")[0].startswith("sweep.sobol.n is 100001")
    most = Sweep(grid={"a": list(range(400)), "b": list(range(250))})
    assert len(points_of(most, 1).points) == MOST


def test_more_sobol_points_than_the_ranges_hold() -> None:
    text = "[sweep.sobol]\nn = 26\nranges = { a = [1, 5], b = [1, 5] }"
    assert wrong(text) == ["sweep.sobol.n is 26; allowed: at most 25: the ranges hold no more"]
    narrow = "[sweep.sobol]\nn = 3\nranges = { a = [0.1, 0.10000000000000002] }"
    assert wrong(narrow) == [
        "sweep.sobol.n is 3: too near to all that the ranges hold; allowed: at most 2, or a [sweep.grid]"
    ]


def test_what_points_change_is_listed_by_path() -> None:
    found: tuple[Changes, ...] = ((("a", 1), ("b", [1])), (("a", True), ("b", [1])), (), (("c", 1), ("a", 1)))
    assert swept(found) == {"a": (1, True), "b": ([1],), "c": (1,)}
