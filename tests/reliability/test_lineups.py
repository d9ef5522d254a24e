"""Every way in which lineups are made, from a config to a finished run: who met whom, and how often."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from typer.testing import CliRunner

from experiments import cli
from experiments.ledger import Run, open_run
from experiments.stats import FIELD, summary
from tests.conftest import Write

GAMES = 24
pytestmark = pytest.mark.usefixtures("unpainted")
HOW = {
    "all": ("how = 'all'", 78),
    "pairs": ("how = 'pairs'", 78),
    "random": ("how = 'random'\nmany = 26", 26),
    "few": ("how = 'random'\nmany = 13", 13),
    "fixed": ("how = 'fixed'\nfixed = [['mel_gearson', 'kate_blanksheet'], ['naomi_vatt', 'mel_gearson']]", 2),
    "mirror": ("how = 'all'\nmirror = true", 78 + 13),
}


def played(config: Write, out: Path, game: str, lineup: str, games: int = GAMES) -> Run:
    """A run by the command line; verified, too, where lineups are dealt or there are few."""
    path = config(game=game, games=games, more=f"\n[lineup]\n{lineup}\n")
    result = CliRunner().invoke(cli.app, ["run", str(path), "--out", str(out), "--jobs", "1"])
    assert result.exit_code == 0, result.output
    run = open_run(next(out.iterdir()))
    if len(run.plan.cells) < 50:
        result = CliRunner().invoke(cli.app, ["verify", str(run.folder)])
        assert result.exit_code == 0, result.output
    return run


@pytest.mark.parametrize("how", list(HOW))
def test_knights_meet_as_they_are_asked_to(config: Write, tmp_path: Path, how: str) -> None:
    lineup, many = HOW[how]
    run = played(config, tmp_path / "results", "knights.duel", lineup)
    cells = run.plan.cells
    assert len(cells) == many and len({cell.lineup for cell in cells}) == many and run.games == many * GAMES
    sits = Counter(slug for cell in cells if not run.plan.mirrored(cell) for slug in cell.lineup)
    if how != "fixed":
        assert len(sits) == 13 and max(sits.values()) - min(sits.values()) <= 1
    table = summary(run)
    field = table[(table.cell == FIELD) & (table.measure == "share") & (table.role != "")].set_index("role")
    assert {role: games // GAMES for role, games in field.games.items()} == sits
    for cell in cells:
        tally = run.tally(cell)
        assert tally.games.tolist() == [GAMES // 2] * 2, "both seatings equally often"


def test_three_at_a_table_meet_equally_often(config: Write, tmp_path: Path) -> None:
    run = played(config, tmp_path / "results", "toy.ring", "how = 'pairs'")
    met = Counter(pair for cell in run.plan.cells for pair in combinations(sorted(cell.lineup), 2))
    assert set(met.values()) == {1} and len(met) == 3
    assert all(run.tally(cell).games.tolist() == [GAMES // 6] * 6 for cell in run.plan.cells)


def test_gangs_meet_by_twos_threes_and_fours(config: Write, tmp_path: Path) -> None:
    """Every lineup of each size, each in all its seatings, in one run."""
    run = played(config, tmp_path / "results", "gangs", "how = 'all'\nsize = [2, 3, 4]")
    met = {size: {cell.lineup for cell in run.plan.cells if sum(map(bool, cell.lineup)) == size} for size in (2, 3, 4)}
    assert {size: len(lineups) for size, lineups in met.items()} == {2: 15, 3: 20, 4: 15}
    for cell in run.plan.cells:
        games, seated = run.tally(cell).games, sum(map(bool, cell.lineup))
        assert games.sum() == GAMES and len(set(games.tolist())) == 1, cell.lineup
        assert seated == len({slug for slug in cell.lineup if slug})
        assert run.tally(cell).shares[:, seated:, 1:].sum() == 0, "empty chairs win nothing"


def test_a_role_against_itself_takes_half(config: Write, tmp_path: Path) -> None:
    run = played(config, tmp_path / "results", "toy.duel", "mirror = true", 20_000)
    table = summary(run)
    mirrors = [cell for cell in run.plan.cells if run.plan.mirrored(cell)]
    assert len(mirrors) == 3
    for cell in mirrors:
        row = table[(table.cell == cell.id) & (table.measure == "share")]
        assert len(row) == 1 and abs(row.value.iloc[0] - 0.5) < 0.02
