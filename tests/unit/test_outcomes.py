"""How long games are and how they end, as the report tells it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments import contrasts, outcomes, seen, stats
from experiments.ledger import Run
from simcore.game import CAPPED, LENGTHS
from tests.conftest import Write, play_config


def looked_at(run: Run) -> seen.Seen:
    """What the sections of a run's report look at."""
    return seen.Seen(run, contrasts.front(run, seen.titled(stats.summary(run), run.tables.roles)))


def lengths_of(**games: int) -> Any:
    """How many games had each length: lengths_of(_3=10)."""
    counts = np.zeros(LENGTHS, np.int64)
    for length, many in games.items():
        counts[int(length[1:])] = many
    return counts


def test_quantiles_are_the_lengths_of_sorted_games() -> None:
    words = np.random.default_rng(2)
    for _ in range(20):
        games = np.sort(words.poisson(6, int(words.integers(1, 400))))
        found = outcomes.quantiles(np.bincount(games, minlength=LENGTHS))
        plain = [games[max(0, int(np.ceil(part * len(games))) - 1)] for part in (0.05, 0.5, 0.95)]
        assert list(found) == plain


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        (lengths_of(_3=10), "every game lasts 3"),
        (lengths_of(_3=99, _4=1), "9 in 10 games, or more, last 3"),
        (lengths_of(_1=20, _2=60, _3=20), "the middle game lasts 2, and 9 in 10 games last 1 to 3"),
        (lengths_of(_1=60, _127=40), "the middle game lasts 1, and 9 in 10 games last 1 to 127 or more"),
    ],
)
def test_usual_lengths_in_words(counts: Any, told: str) -> None:
    assert outcomes._usual(counts, "turns") == told


def test_games_of_one_length_have_no_picture_and_others_have_one(config: Write, tmp_path: Path) -> None:
    same = looked_at(play_config(config(games=60), tmp_path / "same"))
    assert outcomes.length(same)["picture"] is None  # type: ignore[index]
    counts = same.whole.lengths
    counts[:] = lengths_of(_1=5, _2=90, _4=5)
    found = outcomes.length(same)
    assert (
        found is not None and found["picture"].title == "90.0% of the games last 2 rounds, more than any other number"
    )


def test_games_that_reached_the_cap_are_told(config: Write, tmp_path: Path) -> None:
    view = looked_at(play_config(config(games=60), tmp_path))
    assert "limit of steps" not in " ".join(outcomes.length(view)["lines"])  # type: ignore[index]
    view.found[stats.FIELD, "", "", "capped_rate"] = (0.012, 0.01, 0.014)
    told = " ".join(outcomes.length(view)["lines"])  # type: ignore[index]
    assert "1.20% of the games (1.00 to 1.40) reached the limit of steps" in told


def test_endings_are_crossed_with_who_won(config: Write, tmp_path: Path) -> None:
    run = play_config(config(games=300), tmp_path)
    view, rows = looked_at(run), stats.summary(run)
    table = outcomes.ends(view)["table"]  # type: ignore[index]
    assert table.heads == ["Ending", "games", "won by runners", "won by hounds", "what it means"]
    for row in table.rows:
        games, runners, hounds, _ = row.cells
        field = rows[(rows.cell == "field") & (rows.measure == f"won:{row.name}")]
        if row.name in ("won", "rout"):
            assert games.key == pytest.approx(runners.key + hounds.key)
            for side, cell in (("runners", runners), ("hounds", hounds)):
                own = field[field.side == side]
                assert cell.key == pytest.approx((own.value * own.games).sum() / run.games)
        if row.name == "draw":
            assert (runners.value, hounds.value) == ("-", "-")
    assert {"won", "rout"} <= {row.name for row in table.rows}


def test_among_rivals_the_ending_says_who_wins(config: Write, tmp_path: Path) -> None:
    found = outcomes.ends(looked_at(play_config(config(game="toy.ring", games=3000), tmp_path)))
    assert found is not None and found["winners"] == ""
    won = {row.name: row.cells[1].value for row in found["table"].rows}
    assert won["shared"] == "several winners" and won["won"] == "one winner" and won["draw"] == "nobody"


def test_bars_say_in_which_way_of_winning_roles_differ_most(config: Write, tmp_path: Path) -> None:
    run = play_config(config(game="toy.duel", games=400), tmp_path)
    picture = outcomes.bars(looked_at(run), run.game.sides[0])
    assert picture is not None and "differ most in" in picture.title and "pale, won by others" in picture.caption


def test_a_stopped_game_is_nobodys(config: Write, tmp_path: Path) -> None:
    view = looked_at(play_config(config(games=60), tmp_path))
    tally = view.whole
    tally.endings[:] = 0
    tally.endings[0, CAPPED] = int(tally.games.sum())
    found = outcomes.ends(view)
    assert found is not None and [cell.value for cell in found["table"].rows[0].cells[1:3]] == ["-", "-"]
