"""Summaries: every number is made again here from single games, and intervals are compared with SciPy's."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from typer.testing import CliRunner

from experiments import stats, strengths
from experiments.cli import app
from experiments.intervals import wilson
from experiments.ledger import Run
from experiments.report import page
from experiments.stats import (
    COLUMNS,
    FIELD,
    OF_SOLVED,
    OF_VARIANTS,
    json_rows,
    measures,
    seat_effects,
    summary,
    to_csv,
)
from simcore.game import Column, find_game, game_names, order_of, play
from tests.conftest import Write, play_config
from tests.unit.test_report import Page


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
                    | {name: sits[name] for name in ("share", "score", "bold", "place")}
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
        row = value(table, cell, side, role, "score")
        ends = scipy_stats.ttest_1samp(own["score"], 0).confidence_interval()
        assert row["value"] == pytest.approx(own["score"].mean())
        assert (row["low"], row["high"]) == pytest.approx((ends.low, ends.high))
        assert row["interval"] == "student" and row["games"] == len(own)


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


def test_a_column_of_0_and_1_has_the_interval_of_a_rate(config: Write, tmp_path: Path) -> None:
    """FN2: `bold` is 1 for the bold and 0 for others where all throw once."""
    run = play_config(config(games=5, more="\n[bots]\nrunner = 'bold'\n"), tmp_path)
    table, games = summary(run), games_of(run)
    for (cell, side, role), own in games.groupby(["cell", "side", "role"]):
        row, hits = value(table, cell, side, role, "bold"), int(own["bold"].sum())
        exact = scipy_stats.binomtest(hits, len(own)).proportion_ci(method="wilson")
        assert row["interval"] == "wilson" and row["value"] == hits / len(own)
        assert (row["low"], row["high"]) == pytest.approx((exact.low, exact.high))
    assert set(table[table["measure"] == "score"]["interval"]) <= {"student_few", ""}


@pytest.mark.parametrize(("more", "kind"), [("throws = 1", "sequence"), ("throws = 2", "")])
def test_a_column_of_0_and_1_is_a_rate_in_a_run_that_stops_too(
    more: str, kind: str, tmp_path: Path, config: Write
) -> None:
    """FN2: the sequence of a rate, not the asymptotic one of means. Two throws are no rate: always 2, or always 0."""
    games = "precision = 0.1\nat_most = 1200"
    path = config(more=f"\n[bots]\nrunner = 'bold'\n[table]\n{more}\n")
    path.write_text(re.sub("per_cell = .*", games, path.read_text("utf-8")), "utf-8")
    table = summary(play_config(path, tmp_path))
    assert set(table[table["measure"] == "bold"]["interval"]) == {kind}
    assert set(table[table["measure"] == "score"]["interval"]) == {"asymptotic"}


def test_a_column_is_a_rate_where_it_is_declared_or_seen_to_be_one(run: Run) -> None:
    """FN2: what was 0 or 1 in every game has both values or is declared; else it may be any number."""
    columns = [Column(name, "x", "x", flag=name == "declared") for name in ("declared", "same", "both", "twice")]
    total, square = np.array([[0, 3, 1, 1], [0, 3, 0, 2]]), np.array([[0, 3, 1, 1], [0, 3, 0, 4]])
    rates, means = stats._kinds(run)
    found = {one.name: one.rows for one in stats._measuring(run, columns, total, square, np.array([3, 3]))}
    assert found == {"declared": rates, "same": means, "both": rates, "twice": means}


@pytest.mark.parametrize("name", [name for name in game_names() if not name.startswith("toy")])
def test_every_column_that_reads_like_a_flag_is_declared_as_one(name: str) -> None:
    """FN2: in every game; that flags are 0 or 1 in games is part of the contract."""
    game = find_game(name)
    columns = (*game.game_columns, *game.seat_columns)
    assert [one.name for one in columns if one.flag] == [one.name for one in columns if one.about.startswith("1 ")]


def test_few_games_are_warned_of_and_a_mean_without_spread_has_no_interval(config: Write, tmp_path: Path) -> None:
    """FN3: in the summary, in CSV, in JSON, in the report and on the screen."""
    run = play_config(config(games=5), tmp_path)
    table = summary(run)
    cells = table[(table["cell"] != FIELD) & (table["role"] == "pup")]
    few = cells[cells["measure"] == "score"]
    assert set(few["interval"]) == {"student_few"} and (few["high"] - few["low"] > 0).all()
    rounds = table[table["measure"] == "rounds"]
    assert (rounds["value"] == 1).all() and rounds["low"].isna().all() and set(rounds["interval"]) == {""}
    assert "student_few" in to_csv(table)
    rows = [row for row in json_rows(run, table) if row["measure"] in ("score", "rounds")]
    assert {row["interval"] for row in rows} == {"student_few", None}
    assert all((row["low"] is None) == (row["measure"] == "rounds") for row in rows)
    text = Page(page(run, table)).text
    assert "over fewer than 30 games: too narrow where single games count much" in text
    assert "no interval, as all games gave the same" in text
    shown = CliRunner().invoke(app, ["run", str(tmp_path / "toy.toml"), "--out", str(tmp_path / "out")])
    assert shown.exit_code == 0 and "fewer than 30 games" in shown.stdout, shown.output


def test_many_games_are_not_warned_of(run: Run) -> None:
    """FN3."""
    assert "student_few" not in set(summary(run)["interval"])
    assert "over fewer than 30 games: too narrow" not in page(run, summary(run))


def test_csv_reads_back_to_the_same_numbers_and_names(run: Run) -> None:
    table = summary(run)
    missing = {name: [""] for name in ("value", "low", "high")}
    again = pd.read_csv(io.StringIO(to_csv(table)), keep_default_na=False, na_values=missing)
    pd.testing.assert_frame_equal(again, table)
    assert "None" in set(again["role"])


def test_json_rows_hold_what_the_design_says(run: Run) -> None:
    table = summary(run)
    rows = json.loads(json.dumps(json_rows(run, table), allow_nan=False))
    assert len(rows) == len(table)
    assert {"cell", "role", "measure", "value", "low", "high", "interval", "games", "settings"} <= set(rows[0])
    assert rows[0]["settings"]["bots.runner"] == "bold" and rows[0]["settings"]["throws"] == 1
    assert {row["role"] for row in rows if row["measure"] == "rounds" and row["cell"] != FIELD} == {None}


def test_wins_by_ending_are_counted_game_by_game(run: Run) -> None:
    table, games = summary(run), games_of(run)
    for cells in (games, games.assign(cell=FIELD)):
        for (cell, side, role), own in cells.groupby(["cell", "side", "role"]):
            for place, ending in enumerate(run.game.endings):
                if ending.kind in ("won", "shared"):
                    row = value(table, cell, side, role, f"won:{ending.name}")
                    assert row["value"] == pytest.approx((own["share"] * (own["ending"] == place)).mean() / 60)
                    assert row["low"] <= row["value"] <= row["high"] and row["games"] == len(own)
    assert not set(table["measure"]) & {"won:draw", "won:lost_by_all"}


def test_places_are_counted_where_three_or_more_sit_together(config: Write, tmp_path: Path, run: Run) -> None:
    assert not summary(run)["measure"].str.startswith("place:").any()
    ring = play_config(config(game="toy.ring", games=300), tmp_path / "ring")
    table, games = summary(ring), games_of(ring)
    for (side, role), own in games.groupby(["side", "role"]):
        for place in (1, 2, 3):
            found = value(table, FIELD, side, role, f"place:{place}")
            assert found["value"] == pytest.approx((own["place"] == place).mean())
    assert set(table["measure"]) == set(measures(ring.game)) - set(OF_VARIANTS)


def test_places_of_are_those_of_every_code() -> None:
    orders = np.random.default_rng(1).integers(0, 3, 3**3)
    found = np.zeros((3, 3), int)
    for code, many in enumerate(orders):
        for member, place in enumerate(order_of(code, 3)):
            found[member, place - 1] += many
    assert (stats.places_of(orders, 3) == found).all()


def test_strengths_are_those_of_the_finishing_orders(config: Write, tmp_path: Path) -> None:
    run = play_config(config(game="toy.duel", games=400, more="[lineup]\nmirror = true\n"), tmp_path)
    (side,), table = run.game.sides, summary(run)
    orders = stats.finishes(run, side)
    assert len(orders) == 3, "without mirror matches"
    for cell in run.plan.front:
        sits = play(run.game, run.tables, run.plan.seats(cell), run.plan.root(cell), 0, cell.games)["seat"]
        names = np.array([role.slug for role in run.tables.roles[side.key]])[sits["role"]]
        places = np.where(names[:, :1] == cell.lineup[0], sits["place"], sits["place"][:, ::-1])
        assert orders[cell.lineup] == Counter(map(tuple, places.tolist()))
    fitted = strengths.fit(orders).shares()
    rows = table[table["measure"] == "strength"]
    assert dict(zip(rows["role"], rows["value"], strict=True)) == pytest.approx(fitted, abs=1e-6)
    assert set(rows["cell"]) == {FIELD} and set(rows["interval"]) == {"resampled"}
    assert (rows["low"] < rows["value"]).all() and (rows["value"] < rows["high"]).all()
    assert to_csv(summary(run)) == to_csv(table), "what is drawn anew is drawn by the run's own seed"


@pytest.mark.parametrize(
    ("game", "more"),
    [
        ("toy.fight", ""),
        ("toy.duel", "[lineup]\nrunners = ['swift', 'steady']\n"),
        ("toy.duel", "[[sweep.list]]\n'rules.rout' = 3\n[[sweep.list]]\n'rules.rout' = 4\n"),
    ],
)
def test_no_strengths_where_they_say_nothing(game: str, more: str, config: Write, tmp_path: Path) -> None:
    run = play_config(config(game=game, games=60, more=more), tmp_path)
    assert all(not stats.finishes(run, side) for side in run.game.sides)
    assert "strength" not in set(summary(run)["measure"])


def test_a_crew_that_finishes_together_has_no_strengths(
    config: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = play_config(config(game="toy.ring", games=60), tmp_path)
    tally = run.tally(run.plan.cells[0])
    assert stats.finishes(run, run.game.sides[0])
    tally.orders[:] = 0
    tally.orders[[0, 26]] = 30  # all come first, or all come third
    monkeypatch.setattr(Run, "tally", lambda self, cell: tally)
    assert not stats.finishes(run, run.game.sides[0])


def test_the_whole_has_every_game_once(run: Run) -> None:
    tally, games = stats.whole(run), games_of(run)
    assert tally.games.sum() == run.games and tally.lengths.sum() == run.games
    assert (tally.endings.sum(axis=0) == np.bincount(games["ending"], minlength=len(run.game.endings)) / 2).all()
    assert tally.gains.sum() == games["share"].sum()


def test_the_whole_of_a_run_that_stopped_itself_has_as_many_games_of_each_cell(config: Write, tmp_path: Path) -> None:
    path = config(game="toy.duel")
    path.write_text(path.read_text("utf-8").replace("per_cell = 300", "at_most = 20_000"), encoding="utf-8")
    path.write_text(path.read_text("utf-8") + "[verdict]\nagainst = 'fair'\n", encoding="utf-8")
    run = play_config(path, tmp_path)
    pooled, games = stats.whole(run).games.sum(), {sum(b - a for a, b in run.done(cell)) for cell in run.plan.cells}
    assert len(games) > 1, "some cells went on for longer"
    assert pooled == len(run.plan.cells) * min(end.games for end in run.ledger.ends().values()) < run.games
    assert pooled == summary(run).query("cell == 'field' and role == '' and measure == 'rounds'")["games"].item()


def test_mirror_matches_are_members_of_one_role_at_all_seats(config: Write, tmp_path: Path, run: Run) -> None:
    assert stats.mirrors(run).empty
    mirrored = play_config(config(game="toy.ring", games=600, more="[lineup]\nmirror = true\n"), tmp_path / "mirror")
    rows = stats.mirrors(mirrored)
    assert list(rows["role"]) == [role for role in ("swift", "steady", "None") for _ in range(3)]
    assert rows.groupby("role").value.sum().to_numpy() == pytest.approx(1)
    assert (rows.low < 1 / 3).all() and (rows.high > 1 / 3).all() and set(rows.games) == {600}
    pair = "[lineup]\nmirror = true\nhow = 'fixed'\nfixed = [['swift', 'swift', 'steady']]\n"
    assert stats.mirrors(play_config(config(game="toy.ring", games=60, more=pair), tmp_path / "pair")).empty


def test_ordinals() -> None:
    told = ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "111th"]
    assert [stats.ordinal(int(one[:-2])) for one in told] == told


def test_every_measure_of_a_summary_is_listed(run: Run) -> None:
    assert set(summary(run)["measure"]) == set(measures(run.game)) - set(OF_VARIANTS) - set(OF_SOLVED)


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
    low, high = wilson(500, games)
    rows = pd.DataFrame({"value": [0.5, 0.52], "low": [low, low], "high": [high, high], "games": [games, games]})
    more, never = stats._games_to_go(rows, inside)
    low, high = wilson((games + more) / 2, games + more)
    assert high - 0.5 == pytest.approx(0.02, rel=5e-3)
    assert np.isnan(never), "on the edge itself no number of games would do"


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
