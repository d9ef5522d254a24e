"""Summaries: every number is made again here from single games, and intervals are compared with SciPy's."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats

from experiments import stats
from experiments.ledger import Run
from experiments.stats import (
    COLUMNS,
    FIELD,
    OF_VARIANTS,
    json_rows,
    means_interval,
    measures,
    seat_effects,
    shares_interval,
    summary,
    to_csv,
    wilson,
)
from simcore.game import play
from tests.conftest import Write, play_config


def games_of(run: Run) -> pd.DataFrame:
    """A row for each game and seat of a run, from `play`."""
    rows = []
    for cell in run.plan.cells:
        out = play(run.game, run.tables, run.plan.seats(cell), run.plan.root(cell), 0, cell.games)
        for seat in range(run.game.players):
            side, sits = run.game.side_of(seat).key, out["seat"][:, seat]
            slugs = np.array([role.slug for role in run.tables.roles[side]])[sits["role"]]
            rows.append(
                pd.DataFrame(
                    {"cell": cell.id, "side": side, "role": slugs, "seat": seat + 1, "ending": out["ending"]}
                    | {name: sits[name] for name in ("share", "score", "bold")}
                    | {"rounds": out["rounds"], "lead": out["lead"]}
                )
            )
    return pd.concat(rows, ignore_index=True)


@pytest.fixture(params=["toy.fight", "toy.duel"])
def run(request: pytest.FixtureRequest, config: Write, tmp_path: Path) -> Run:
    """A small finished run of each toy, in which bots are bold."""
    path = config(game=request.param, games=400, more="\n[bots]\nrunner = 'bold'\n")
    return play_config(path, tmp_path)


def value(table: pd.DataFrame, cell: str, side: str, role: str, measure: str) -> pd.Series:
    found = table[
        (table["cell"] == cell) & (table["side"] == side) & (table["role"] == role) & (table["measure"] == measure)
    ]
    assert len(found) == 1
    return found.iloc[0]


def test_a_summary_has_every_number_of_every_role(run: Run) -> None:
    table, games = summary(run), games_of(run)
    assert list(table.columns) == COLUMNS
    assert not table.duplicated(["cell", "side", "role", "measure"]).any()
    for (cell, side, role), own in games.groupby(["cell", "side", "role"]):
        assert value(table, cell, side, role, "win_rate")["value"] == (own["share"] == 60).mean()
        assert value(table, cell, side, role, "share")["value"] == pytest.approx(own["share"].mean() / 60)
        for name in ("score", "bold"):
            row = value(table, cell, side, role, name)
            half = 1.959964 * own[name].std() / np.sqrt(len(own))
            assert row["value"] == pytest.approx(own[name].mean())
            assert row["high"] - row["value"] == pytest.approx(half, abs=1e-6)
            assert row["interval"] == "normal" and row["games"] == len(own)


def test_a_summary_has_every_number_of_every_game(run: Run) -> None:
    table, games = summary(run), games_of(run)
    for cell, own in games[games["seat"] == 1].groupby("cell"):
        assert value(table, cell, "", "", "draw_rate")["value"] == (own["ending"] == 2).mean()
        assert value(table, cell, "", "", "rounds")["value"] == own["rounds"].mean()
        assert value(table, cell, "", "", "lead")["value"] == pytest.approx(own["lead"].mean())
        for place, ending in enumerate(run.game.endings):
            rate = value(table, cell, "", "", f"ending:{ending.name}")
            assert rate["value"] == (own["ending"] == place).mean() and rate["interval"] == "wilson"


def test_a_role_over_the_field_is_the_mean_of_its_cells(run: Run) -> None:
    table, games = summary(run), games_of(run)
    for (side, role), own in games.groupby(["side", "role"]):
        cells = table[(table["side"] == side) & (table["role"] == role) & (table["cell"] != FIELD)]
        for name in ("win_rate", "share", "score"):
            mean = cells[cells["measure"] == name]["value"].mean()
            assert value(table, FIELD, side, role, name)["value"] == pytest.approx(mean)
        draws = value(table, FIELD, side, role, "draw_rate")
        assert draws["value"] == pytest.approx((own["ending"] == 2).mean()) and draws["games"] == len(own)
        wins = value(table, FIELD, side, role, "win_rate")
        exact = scipy_stats.binomtest(int((own["share"] == 60).sum()), len(own)).proportion_ci(method="wilson")
        assert (wins["low"], wins["high"]) == pytest.approx((exact.low, exact.high))
    whole = value(table, FIELD, "", "", "draw_rate")
    assert whole["games"] == run.games and whole["value"] == pytest.approx((games["ending"] == 2).mean())


def test_a_draw_between_unlike_sides_is_worth_what_the_config_says(config: Write, tmp_path: Path) -> None:
    run = play_config(config(games=400, more="\n[verdict]\ndraw_counts = 0.2\n"), tmp_path)
    table, games = summary(run), games_of(run)
    for side, worth in (("runners", 0.2), ("hounds", 0.8)):
        for (cell, role), own in games[games["side"] == side].groupby(["cell", "role"]):
            mean = np.where(own["ending"] == 2, worth, own["share"] / 60).mean()
            assert value(table, cell, side, role, "share")["value"] == pytest.approx(mean)
            assert value(table, FIELD, side, role, "share")["low"] > 0
    shares = table[(table["measure"] == "share") & (table["cell"] != FIELD)]
    assert shares.groupby("cell")["value"].sum().to_list() == pytest.approx([1.0] * 6)


def test_a_draw_between_rivals_is_worth_an_equal_part_whatever_the_config_says(config: Write, tmp_path: Path) -> None:
    run = play_config(config(game="toy.duel", more="\n[verdict]\ndraw_counts = 0.2\n"), tmp_path)
    shares = summary(run).query("measure == 'share' and cell != 'field'")
    assert shares.groupby("cell")["value"].sum().to_list() == pytest.approx([1.0] * 3)


def test_seats_of_rivals_are_compared(config: Write, tmp_path: Path) -> None:
    run = play_config(config(game="toy.duel", games=2000), tmp_path / "duel")
    table, games = seat_effects(run), games_of(run)
    for seat in (1, 2):
        own = games[games["seat"] == seat]
        rows = table[table["seat"] == seat].set_index("measure")
        assert rows.loc["share", "value"] == pytest.approx(own["share"].mean() / 60)
        assert rows.loc["win_rate", "value"] == (own["share"] == 60).mean()
        assert rows.loc["share", "games"] == len(own)
    first, second = table[table["measure"] == "share"].to_dict("records")
    assert first["low"] > second["high"], "the first seat has a point more"
    assert seat_effects(play_config(config(), tmp_path / "fight")).empty


@pytest.mark.parametrize("games", [1, 2, 7, 40, 1000, 123_456])
def test_wilsons_interval_is_scipys(games: int) -> None:
    hits = np.unique(np.linspace(0, games, 41).astype(int))
    low, high = wilson(hits, np.full(len(hits), games))
    for i, k in enumerate(hits):
        exact = scipy_stats.binomtest(int(k), games).proportion_ci(0.95, method="wilson")
        assert (low[i], high[i]) == pytest.approx((exact.low, exact.high), abs=1e-12)
    assert low[0] == 0 and high[-1] == 1


def test_0_of_0_has_no_interval() -> None:
    assert np.isnan(wilson([0], [0])).all()
    none = np.zeros(1)
    assert np.isnan(shares_interval(none, none, np.zeros(1, np.int64))).all()
    assert np.isnan(means_interval(none, none, np.zeros(1, np.int64))).all()
    assert np.isnan(means_interval(np.ones(1), np.ones(1), np.ones(1, np.int64))).all()


def test_the_interval_of_shares_without_draws_is_wilsons() -> None:
    wins, games = np.array([0.0, 3.0, 50.0, 100.0]), np.full(4, 100)
    assert np.array(shares_interval(wins, wins, games)) == pytest.approx(np.array(wilson(wins, games)))


def test_the_interval_of_shares_is_narrower_with_draws_and_never_empty() -> None:
    games = np.array([1000])
    wins_only = np.ptp(shares_interval(np.array([500.0]), np.array([500.0]), games))
    half_draws = np.ptp(shares_interval(np.array([500.0]), np.array([375.0]), games))
    draws_only = np.ptp(shares_interval(np.array([500.0]), np.array([250.0]), games))
    assert half_draws == pytest.approx(wins_only / np.sqrt(2), rel=0.01)
    assert 0 < draws_only < half_draws


def test_a_summary_without_games_shows_no_numbers(config: Write, tmp_path: Path) -> None:
    run = play_config(config(), tmp_path)
    for cell in run.plan.cells[:1]:
        for chunk in list(run.ledger.chunks(cell.id)):
            run.ledger.drop(cell.id, chunk.first)
    table = summary(run)
    own = table[table["cell"] == run.plan.cells[0].id]
    assert (own["games"] == 0).all() and own[["value", "low", "high"]].isna().all(axis=None)
    row = to_csv(table).splitlines()[1]
    assert f"{run.plan.cells[0].name},runners,swift,win_rate,,,,wilson,0," in row
    assert json_rows(run, table)[0]["value"] is None
    assert not np.isnan(value(table, FIELD, "runners", "swift", "share")["value"])


def test_csv_reads_back_to_the_same_numbers_and_names(run: Run) -> None:
    table = summary(run)
    again = pd.read_csv(io.StringIO(to_csv(table)), keep_default_na=False, na_values={"value": [""], "low": [""]})
    pd.testing.assert_frame_equal(again, table)
    assert "None" in set(again["role"])


def test_json_rows_hold_what_the_design_says(run: Run) -> None:
    table = summary(run)
    rows = json.loads(json.dumps(json_rows(run, table), allow_nan=False))
    assert len(rows) == len(table)
    assert {"cell", "role", "measure", "value", "low", "high", "interval", "games", "settings"} <= set(rows[0])
    assert rows[0]["settings"]["bots.runner"] == "bold" and rows[0]["settings"]["throws"] == 1
    assert {row["role"] for row in rows if row["measure"] == "rounds" and row["cell"] != FIELD} == {None}


def test_every_measure_of_a_summary_is_listed(run: Run) -> None:
    assert set(summary(run)["measure"]) == set(measures(run.game)) - set(OF_VARIANTS)


# ---------------------------------------------------------------- verdicts, seats and neighbours


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [
        (0.53, 0.60, "too strong"),
        (0.40, 0.47, "too weak"),
        (0.48, 0.52, "balanced"),
        (0.47, 0.49, "undecided"),
        (0.51, 0.53, "undecided"),
        (0.40, 0.60, "undecided"),
    ],
)
def test_a_verdict_says_where_the_whole_interval_lies(low: float, high: float, word: str) -> None:
    assert stats.Band(0.48, 0.52, "").judge(low, high) == word


def test_bands_are_what_the_config_asks_for(config: Write, tmp_path: Path) -> None:
    def bands(against: str, game: str = "toy.fight") -> list[list[float]]:
        run = play_config(
            config(game=game, games=6), tmp_path / f"{game} {against}", sets=(f"verdict.against={against}",)
        )
        found = [stats.band(run, side, 0.4) for side in run.game.sides]
        return [[round(one.least, 9), round(one.most, 9)] for one in found]

    assert bands("fair") == [[0.48, 0.52]] * 2
    assert bands("field") == [[0.38, 0.42]] * 2
    assert bands("0.7") == [[0.68, 0.72], [0.28, 0.32]], "a number speaks of the first side"
    assert bands("[0.6, 0.9]") == [[0.6, 0.9], [0.1, 0.4]], "a band has no tolerance besides"
    assert bands("fair", "toy.ring") == [[round(1 / 3 - 0.02, 9), round(1 / 3 + 0.02, 9)]]


def test_verdicts_are_those_of_the_intervals_and_more_games_decide(config: Write, tmp_path: Path) -> None:
    run = play_config(config(games=3000, more="\n[verdict]\nagainst = 'fair'\n"), tmp_path)
    table = stats.summary(run)
    found = stats.verdicts(run, table)
    shares = table[(table.cell == "field") & (table.measure == "share")].set_index("role")
    assert sorted(found.role) == sorted(shares.index)
    for row in found.itertuples():
        low, high = shares.loc[row.role, ["low", "high"]]
        assert row.word == stats.Band(0.48, 0.52, "").judge(low, high)
        assert (row.more > 0) == (row.word == "undecided")


def test_as_many_more_games_as_told_take_the_interval_to_the_edge() -> None:
    games, inside = 1000, stats.Band(0.48, 0.52, "")
    low, high = stats.wilson(500, games)
    rows = pd.DataFrame({"value": [0.5, 0.52], "low": [low, low], "high": [high, high], "games": [games, games]})
    more, never = stats._games_to_go(rows, inside)
    low, high = stats.wilson((games + more) / 2, games + more)
    assert high - 0.5 == pytest.approx(0.02, rel=5e-3)
    assert np.isnan(never), "on the edge itself no number of games would do"


def test_spread_is_the_standard_deviation_behind_a_mean() -> None:
    numbers = np.random.default_rng(1).normal(5, 2, 400)
    totals = np.array([numbers.sum()]), np.array([(numbers**2).sum()]), np.array([400])
    _, high = stats.means_interval(*totals)
    assert stats.spread(float(numbers.mean()), float(high[0]), 400) == pytest.approx(numbers.std(ddof=1))
    assert np.isnan(stats.spread(1.0, float("nan"), 1))


def test_neighbours_are_counted_game_by_game(config: Write, tmp_path: Path) -> None:
    """The same from every single game: the mean share of whoever sits right after a role, and of all others."""
    run = play_config(config(game="toy.ring", games=600), tmp_path)
    (cell,) = run.plan.cells
    seats = run.plan.seats(cell)
    out = play(run.game, run.tables, seats, run.plan.root(cell), 0, cell.games)["seat"]
    found = stats.neighbour_effects(run).set_index("role")
    for at, role in enumerate(run.tables.roles["runners"]):
        place = (out["role"] == at).argmax(axis=1)
        share = out["share"] / 60
        after = share[np.arange(cell.games), (place + 1) % 3]
        others = share.sum(axis=1) - share[np.arange(cell.games), place]
        assert found.value[role.slug] == pytest.approx(after.mean())
        assert found.whole[role.slug] == pytest.approx(others.mean() / 2)
        assert found.low[role.slug] < found.value[role.slug] < found.high[role.slug]
        assert found.games[role.slug] == cell.games


@pytest.mark.parametrize(("game", "rotate"), [("toy.fight", "all"), ("toy.duel", "all"), ("toy.ring", "cyclic")])
def test_neighbours_are_left_out_where_they_cannot_be_told(
    game: str, rotate: str, config: Write, tmp_path: Path
) -> None:
    run = play_config(config(game=game, games=6, more=f"\n[run]\nrotate = '{rotate}'\n"), tmp_path)
    assert stats.neighbour_effects(run).empty
