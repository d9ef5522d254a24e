"""Worlds: what points and variants change, kept in little memory, with all mistakes told."""

from __future__ import annotations

import pytest

from experiments.config import Setup, load_setup
from experiments.worlds import OPEN, points_wrong
from simcore.packs import Mistakes
from tests.conftest import Write

SWEEP = """
[sweep.grid]
"hound.pup.dice" = [1, 2, 3]
"bots.hound" = ["regular", "bold"]
"table.throws" = [1, 2]
"""


def mistakes_of(config: Write, more: str) -> list[str]:
    with pytest.raises(Mistakes) as found:
        load_setup(config(more=more))
    return [str(mistake) for mistake in found.value.mistakes]


def test_a_world_is_what_a_config_with_these_changes_has(config: Write) -> None:
    setup = load_setup(config(more=SWEEP))
    assert len(setup.points) == 12
    for point in range(12):
        changes = setup.changes(point)
        alone = load_setup(config(), [f"{path}={value}" for path, value in changes])
        world = setup.worlds.of(changes)
        assert world.tables.data.tobytes() == alone.tables.data.tobytes()
        assert (world.digest, world.bots, world.settings) == (alone.pack.digest, alone.config.bots, alone.config.table)
        assert setup.worlds.pack_of(changes) == alone.pack
        assert setup.worlds.bots(changes) == alone.config.bots


def test_few_tables_are_held_and_the_others_made_again_alike(config: Write) -> None:
    more = f"\n[sweep.grid]\n'rules.rout' = {list(range(1, 51))}\n"
    setup = load_setup(config(more=more))
    worlds, points, before = setup.worlds, setup.points, setup.tables.data.rout
    first = worlds.of(points[0]).tables.data.tobytes()
    assert len(worlds._ready) == OPEN < len(points)
    assert all(kept.at.size <= 1 for kept in worlds._kept.values())
    assert worlds.of(points[0]).tables.data.tobytes() == first
    assert worlds.of(points[0]).tables.data.rout == 1 and worlds.of(points[-1]).tables.data.rout == 50
    assert worlds.of(points[7]).tables.roles is worlds.base.tables.roles
    assert worlds.base.tables.data.rout == before, "the base is left as it was"


def test_all_mistakes_of_all_points_come_at_once_each_once(config: Write) -> None:
    more = """
[sweep.grid]
"hound.pup.dice" = [1, 9]
"hound.puup.sides" = [4, 6]
"bots.hound" = ["bald", "bold"]
"table.throws" = [1, 99]
"bots.cat" = ["bold"]
"""
    told = mistakes_of(config, more)
    for start, says in (
        ("hound.puup.sides", "did you mean pup?"),
        ("hound.pup.dice is 9", "from 1 to 5"),
        ("bots.hound", "did you mean bold?"),
        ("table.throws is 99", "from 1 to 20"),
        ("bots.cat", "did you mean"),
    ):
        (line,) = [line for line in told if line.startswith(start)]
        assert says in line or start == "bots.cat"
        assert "at the point" in line and "more" in line
    assert len(told) == 5


def test_mistakes_of_very_many_points_are_counted(config: Write) -> None:
    setup = load_setup(config())
    told = points_wrong(setup.worlds, [(("rules.rout", 100 + i),) for i in range(70)])
    assert len(told) == 21 and str(told[-1]).startswith("50 more mistakes")


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ("[[variant]]\nname = 'a'\nset = { 'hound.pup.dice' = 1 }", '"a" changes nothing'),
        ("[[variant]]\nname = 'a'\nset = { 'hound.pup.dice' = 99 }", "variant.0.set.hound.pup.dice is 99"),
        ("[[variant]]\nname = 'a'\nset = { 'hound.pup.dce' = 2 }", "did you mean dice?"),
        ("[[variant]]\nname = 'a'\nset = {}", "variant.0.set"),
        ("[[variant]]\nname = 'a'\nset = { bots.hound = 'regular' }", "changes nothing"),
        ("[[variant]]\nname = ''\nset = { bots.hound = 'bold' }", "variant.0.name"),
        (
            "[[variant]]\nname = 'a'\nset = { bots.hound = 'bold' }\n"
            "[[variant]]\nname = 'a'\nset = { bots.hound = 'timid' }",
            "as another's is",
        ),
        ("[sweep]", "sweep is empty"),
        ("[sweep.grid]\n'hound.pup.dice' = [2, 2]", "2 times"),
    ],
)
def test_mistakes_in_variants_and_sweeps(config: Write, more: str, says: str) -> None:
    (told,) = mistakes_of(config, "\n" + more)
    assert says in told


def test_a_variant_has_the_last_word_at_every_point(config: Write) -> None:
    more = "\n[sweep.grid]\n'hound.pup.dice' = [1, 2]\n\n[[variant]]\nname = 'a'\nset = { 'hound.pup.dice' = 3 }"
    setup: Setup = load_setup(config(more=more))
    assert dict(setup.changes(1)) == {"hound.pup.dice": 2} and dict(setup.changes(1, "a")) == {"hound.pup.dice": 3}
    assert setup.beside(1, "a") == setup.changes(1) and setup.beside(1) is None
    common = load_setup(config(more=more), ["run.common_dice=true"])
    assert common.beside(1) == common.changes(0) and common.beside(0) is None
