"""The benchmark: what it measures is what it says."""

from __future__ import annotations

import numpy as np
import pytest

from experiments import bench
from experiments.config import settings_of
from simcore import dice, packs
from simcore.game import Game, Tables, find_game, seatings
from simcore.streams import word


@pytest.fixture
def toy() -> tuple[Game, Tables]:
    """The toy fight and its tables."""
    game = find_game("toy.fight")
    return game, game.load(packs.load(game.schema), settings_of(game, {}))


def test_random_words_are_counted_where_a_game_runs_uncompiled(toy: tuple[Game, Tables]) -> None:
    game, tables = toy
    for lineup, dice_thrown in ((("swift", "pup"), 2 + 1), (("steady", "grim"), 3 + 3)):
        seats = seatings(game, tables, lineup, {"runner": "regular", "hound": "regular"})
        assert bench._words(game, tables, seats, 1) == 1 + 2 * 2 + dice_thrown


def test_a_row_of_a_game_has_the_shape_of_the_design(toy: tuple[Game, Tables]) -> None:
    row = bench.game_row(*toy, "regular")
    assert row["what"] == "toy.fight/2/regular"
    assert row["per_second"] > 100_000 and row["floor_ratio"] > 1


def test_a_game_with_empty_seats_has_a_row_for_each_smaller_table_by_the_usual_bot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    crew = find_game("toy.crew")
    tables = crew.load(packs.load(crew.schema), settings_of(crew, {}))
    lineups = bench._lineups(crew, tables, 2)
    assert len(lineups) > 4 and all(all(one[:2]) and one[2:] == ("", "") for one in lineups)
    assert bench.game_row(crew, tables, "regular", 2)["what"] == "toy.crew/2/regular"
    monkeypatch.setattr(bench, "game_names", lambda: ["toy.crew"])
    monkeypatch.setattr(bench, "pool_row", dict)
    monkeypatch.setattr(bench, "game_row", lambda game, tables, bot, size=4: {"what": f"{bot} {size}"})
    told = [row.get("what") for row in bench.bench_rows()]
    assert told == [
        None,
        *(f"{bot} 4" for bot in bench.BOTS if bot in tables.bots),
        *(f"regular {n}" for n in (1, 2, 3)),
    ]


def test_pools_are_drawn_by_the_law_that_is_timed() -> None:
    laws = dice.compile_laws(10, ((7, 10),))
    out = np.zeros(3, np.int64)
    bench.draw_pools(laws, np.zeros(3, np.int64), np.array([1, 5, 9]), np.uint64(1), out)
    assert out.tolist() == [dice.roll(None, laws, 0, many, word(1, i)) for i, many in enumerate((1, 5, 9))]


def test_a_pool_is_much_faster_than_numpys_binomials() -> None:
    row = bench.pool_row()
    assert row["what"] == "pool/numpy"
    assert row["floor_ratio"] >= 15
