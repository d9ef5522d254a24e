"""Two runs beside each other: in pairs where they have their dice in common, else as independent runs."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from experiments import cli
from experiments.compare import Comparison, newcombe
from experiments.ledger import Run, Trouble, open_run
from experiments.runner import Progress, outcome_of
from experiments.stats import FIELD, summary
from simcore.game import play_tally
from tests.conftest import Write, play_config

pytestmark = pytest.mark.usefixtures("unpainted")
BOLD = "\n[[variant]]\nname = 'bold'\nset = { bots.runner = 'bold' }\n"


def call(*arguments: object) -> Any:
    return CliRunner().invoke(cli.app, [str(argument) for argument in arguments])


def compared(first: Run, second: Run, *more: object) -> dict[str, Any]:
    result = call("compare", first.folder, second.folder, "--json", *more)
    assert result.exit_code == 0, result.output
    return dict(json.loads(result.stdout))


@pytest.fixture(params=["toy.fight", "toy.duel", "toy.ring"])
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_two_runs_are_compared_as_a_variant_is(config: Write, tmp_path: Path, game: str) -> None:
    one = play_config(config(game=game), tmp_path / "one")
    other = play_config(config(game=game), tmp_path / "other", sets=("bots.runner=bold",))
    both = play_config(config(game=game, more=BOLD), tmp_path / "both")
    table = summary(both)
    rows = table[(table.variant == "bold") & (table.cell == FIELD)]
    found = compared(one, other)
    assert found["paired"] and found["differs"] == [{"path": "bots.runner", "old": '"regular"', "new": '"bold"'}]
    for row in found["rows"]:
        same = rows[(rows.measure == row["measure"]) & (rows.role == (row["role"] or ""))]
        same = same[same.side == (row["side"] or "")]
        assert row["value"] == pytest.approx(same.value.iloc[0], nan_ok=True) and row["games"] == same.games.iloc[0]
        assert (row["low"], row["high"], row["interval"]) == tuple(same[["low", "high", "interval"]].iloc[0])
    assert {row["measure"] for row in found["rows"]} == {"difference", "saved", "changed_rate"}


def test_changed_games_are_told_by_index_and_replay_in_both(config: Write, tmp_path: Path) -> None:
    one = play_config(config(), tmp_path / "one")
    other = play_config(config(), tmp_path / "other", sets=("hound.pup.dice=2",))
    changed = compared(one, other)["changed"]
    assert len(changed) == 10 and [game["game"] for game in changed] == sorted(game["game"] for game in changed)
    for game in changed:
        shares = []
        for line, run in zip(game["replay"], (one, other), strict=True):
            words = shlex.split(line)
            assert words[:3] == ["wastelab", "replay", str(run.folder)] and call(*words[1:]).exit_code == 0
            numbers = outcome_of(run, run.plan.find(words[4]), int(words[6]))
            names = [column.name for _, column in run.game.columns()]
            shares.append([n for name, n in zip(names, numbers, strict=True) if name in ("share", "ending")])
        assert shares[0] != shares[1]
    shown = call("compare", one.folder, other.folder)
    assert "hound.pup.dice: 1 -> 2" in shown.stdout and changed[0]["replay"][0] in shown.stdout
    assert shown.stdout.index("hound.pup.dice") < shown.stdout.index("gave somebody another share")


def test_a_run_beside_itself_shows_no_difference(config: Write, tmp_path: Path) -> None:
    run = play_config(config(), tmp_path / "one")
    result = call("compare", run.folder, run.folder)
    assert result.exit_code == 0 and "No difference in 1,800 games" in result.stdout
    assert "what differs: nothing" in result.stdout


def test_a_part_of_the_games_is_the_first_of_each_lineup(config: Write, tmp_path: Path) -> None:
    one = play_config(config(game="toy.duel"), tmp_path / "one")
    other = play_config(config(game="toy.duel", games=500), tmp_path / "other", sets=("bots.runner=bold",))
    whole, part = compared(one, other), compared(one, other, "--games", 51, "--jobs", 2)
    assert [row["games"] for row in whole["rows"] if row["measure"] == "changed_rate" and not row["role"]] == [900]
    assert [row["games"] for row in part["rows"] if row["measure"] == "changed_rate" and not row["role"]] == [156]
    assert call("compare", one.folder, other.folder, "--games", 0).exit_code == 2


@pytest.mark.parametrize("why", ["seed", "rotate", "code", "lineup"])
def test_runs_without_common_dice_are_compared_as_independent_ones(
    config: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    first = ('lineup.runners=["swift", "steady"]',) if why == "lineup" else ()
    sets = {"seed": ("seed=2",), "rotate": ("run.rotate=none",), "lineup": ('lineup.runners=["swift", "None"]',)}
    one = play_config(config(game="toy.duel"), tmp_path / "one", sets=first)
    if why == "code":
        with monkeypatch.context() as patch:
            for room in ("plan", "ledger"):
                patch.setattr(f"experiments.{room}.code_of", lambda game: "other")
            other = play_config(config(game="toy.duel"), tmp_path / "other")
    else:
        other = play_config(config(game="toy.duel"), tmp_path / "other", sets=sets[why])
    found = compared(one, other)
    assert not found["paired"] and len(found["unpaired"]) == 1 and found["changed"] == []
    words = {"seed": "seeds differ", "rotate": "run.rotate", "code": "played by other code", "lineup": "no lineup"}
    assert words[why] in found["unpaired"][0]
    assert {row["role"] for row in found["rows"]} == ({"swift"} if why == "lineup" else {"swift", "steady", "None"})
    for row in found["rows"]:
        assert (row["measure"], row["interval"]) == ("difference", "newcombe")
        ours, theirs = (
            table[(table.cell == FIELD) & (table.measure == "share") & (table.role == row["role"])].iloc[0]
            for table in (summary(one), summary(other))
        )
        assert row["value"] == pytest.approx(theirs.value - ours.value)
        assert row["low"] < row["value"] < row["high"]
    assert "unpaired" in call("compare", one.folder, other.folder).stdout


def test_the_interval_of_two_independent_rates_is_newcombes() -> None:
    """Newcombe 1998, table II (a): 56 of 70 against 48 of 80, method 10."""
    from experiments.stats import wilson

    first, second = ((hits / games, *wilson(hits, games)) for hits, games in ((48, 80), (56, 70)))
    low, high = newcombe(first, second)
    assert (round(float(low), 4), round(float(high), 4)) == (0.0524, 0.3339)


def test_roles_that_meet_in_no_common_lineup_stand_beside_those_in_pairs(config: Write, tmp_path: Path) -> None:
    fixed = "\n[lineup]\nhow = 'fixed'\nfixed = {}\n"
    lineups = ([["swift", "pup"], ["steady", "pup"]], [["swift", "pup"], ["steady", "grim"]])
    one, other = (
        play_config(config(more=fixed.format(json.dumps(some))), tmp_path / str(place))
        for place, some in enumerate(lineups)
    )
    rows = compared(one, other)["rows"]
    apart = [row for row in rows if row["interval"] == "newcombe"]
    assert [row["role"] for row in apart] == ["steady"] and apart[0]["name"] == "all lineups of each"
    met = [row for row in rows if row["measure"] == "difference" and row not in apart]
    assert {(row["role"], row["value"], row["interval"]) for row in met} == {("swift", 0, None), ("pup", 0, None)}


def test_points_and_variants_that_both_have_are_compared(config: Write, tmp_path: Path) -> None:
    sweep = "\n[sweep.grid]\n'hound.pup.dice' = {}\n"
    one = play_config(config(more=sweep.format([1, 2]) + BOLD), tmp_path / "one")
    other = play_config(config(more=sweep.format([2, 3]) + BOLD), tmp_path / "other", sets=("table.throws=2",))
    found = compared(one, other)
    assert found["paired"] and {(row["settings"]["hound.pup.dice"], row["variant"]) for row in found["rows"]} == {
        (2, None),
        (2, "bold"),
    }
    assert found["alone"] == [f"hound.pup.dice={dice}{more}" for dice in (1, 3) for more in ("", ", bold")]
    plain = play_config(config(), tmp_path / "plain")
    refused = call("compare", one.folder, plain.folder)
    assert refused.exit_code == 2 and "no point of a sweep in common" in refused.stderr


def test_runs_of_two_games_are_refused(config: Write, tmp_path: Path) -> None:
    one = play_config(config(), tmp_path / "one")
    other = play_config(config(game="toy.duel"), tmp_path / "other")
    result = call("compare", one.folder, other.folder)
    assert result.exit_code == 2 and "is a run of toy.duel" in result.stderr and result.stdout == ""


def test_unfinished_and_damaged_runs_are_told(config: Write, tmp_path: Path) -> None:
    one = play_config(config(), tmp_path / "one")
    other = play_config(config(), tmp_path / "other")
    cell = other.plan.cells[0]
    other.ledger.drop(cell.id, 0)
    other.ledger.commit()
    damaged = call("compare", one.folder, other.folder)
    assert damaged.exit_code == 1 and "is damaged" in damaged.stderr
    other.repair()
    other.close()
    result = call("compare", one.folder, other.folder)
    assert result.exit_code == 1 and "not finished: 1,736 of 1,800 games" in result.stderr
    assert call("compare", one.folder, tmp_path).exit_code == 1


def test_games_that_come_out_otherwise_than_in_a_ledger_are_noticed(config: Write, tmp_path: Path) -> None:
    one = play_config(config(), tmp_path / "one")
    other = open_run(play_config(config(), tmp_path / "other", sets=("hound.pup.dice=2",)).folder)
    other.tables.data.hound[0].dice += 1
    with pytest.raises(Trouble, match=re.escape("swift vs pup come out otherwise")):
        Comparison(one, other).parts(None, 1, Progress())
    assert play_tally(one.game, one.tables, one.plan.seats(one.plan.cells[0]), 1, 0, 1).games.sum() == 1
