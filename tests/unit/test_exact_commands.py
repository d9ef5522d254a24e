"""`wastelab exact` on combats: few and small ones, as `test_exact` has all that no rule is needed for.

The solver is compiled by whichever test comes first (a minute), or before workers start.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from experiments import exact_checks
from experiments.cli import app
from experiments.config import load_setup, shipped_configs
from simcore import packs
from simcore.game import find_game, seatings
from simcore.knights import book
from tests.unit.test_report import Page

FIGHT = ("--knight", "kate_blanksheet", "--enemy", "scrap_hound")
FEW = ("--role", "kate_blanksheet", "--role", "scrap_hound", "--role", "hell_raiders")


def ask(*args: str) -> Result:
    """Run `wastelab exact ...`."""
    return CliRunner().invoke(app, ["exact", *args])


def test_a_combat_is_solved() -> None:
    found: dict[str, Any] = json.loads(ask("combat", *FIGHT, "--json").stdout)
    assert found["lineup"] == ["kate_blanksheet", "scrap_hound"] and found["gap"] < 1e-12
    assert found["value"] == pytest.approx(found["win"] + found["draw"] / 2)
    assert found["play"].keys() == {"", "short", "medium", "long"}
    assert all(sum(side.values()) == pytest.approx(1) for side in found["play"]["long"])
    assert min(found["bots"]["random"]) > 0 and "random" not in found["unsolved"]
    adds = {number["path"]: number["adds"] for number in found["numbers"]}
    assert adds["enemy.scrap_hound.health"] < 0 < adds["armor.road_leathers.armor"]
    assert adds["combat.prepare_dice"] != 0 and "range.medium.dice.long" in adds
    assert adds["knight.kate_blanksheet.skills.talk"] == 0 and "weapon.hunting_rifle.effects.0.many" in adds
    words = ask("combat", *FIGHT).stdout
    assert "kate_blanksheet against scrap_hound" in words and "enemy.scrap_hound.health" in words


def test_prices_and_changed_cards() -> None:
    plain = json.loads(ask("combat", *FIGHT, "--json").stdout)
    dear = json.loads(ask("combat", *FIGHT, "--price", "win=1", "--price", "health=0.1", "--json").stdout)
    assert plain["win"] < dear["value"] < plain["win"] + plain["draw"] + 0.4
    harder = json.loads(ask("combat", *FIGHT, "--set", "enemy.scrap_hound.health=9", "--json").stdout)
    assert harder["value"] < plain["value"]


def test_a_table_as_a_page(tmp_path: Path) -> None:
    found = json.loads(ask("matrix", *FEW, "--json", "--out", str(tmp_path)).stdout)
    assert [row["lineup"][1] for row in found["rows"]] == ["scrap_hound", "hell_raiders"]
    assert max(row["gap"] for row in found["rows"]) < 1e-12
    assert 800 < found["assumed"] < found["numbers_in_pack"]
    assert "multi attack" in Page((tmp_path / "report.html").read_text("utf-8")).text


def test_rulings_change_values_where_they_matter() -> None:
    """A hurt knight fights better without wound dice; what is won together has no value without a price."""
    args = ("rulings", "--role", "mel_gearson", "--role", "hell_raiders", "--set", "table.health=2", "--json")
    found = {one["path"]: one for one in json.loads(ask(*args).stdout)["rulings"]}
    waived, rewards = found["ruling.wounds_in_combat"], found["ruling.double_defeat_rewards"]
    assert waived["most"] > 0 and waived["changed"] == 1 and waived["where"] == ["mel_gearson", "hell_raiders"]
    assert (rewards["most"], rewards["changed"]) == (0, 0)


def test_duels_are_verified_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """With each attack check that they can come to, and with the pools of the pack's own faces."""
    seen = list[object]()
    monkeypatch.setattr(exact_checks, "pools", lambda faces: seen.extend(faces) or iter(()))
    asked = ["verify", "--exact", "--game", "knights.duel", "--role", "mel_gearson", "--set", "combat.prepare_faces=3"]
    good = CliRunner().invoke(app, [*asked, "--games", "20000"])
    assert good.exit_code == 0 and "attack check" in good.stdout and "knights.duel" in good.stdout
    assert (7, 8) in seen and good.stdout.splitlines()[-1].startswith("VERIFIED")


ASKED = ("verify", "--exact", "--game", "knights.fight", "--role", "mel_gearson", "--role", "hell_raiders")


def verified(*args: str) -> tuple[int, list[str]]:
    """The exit code and the lines of `wastelab verify --exact` over few games of one fight."""
    done = CliRunner().invoke(app, [*ASKED, "--games", "5000", *args])
    return done.exit_code, done.stdout.splitlines()


def test_best_play_that_a_bot_cannot_hold_is_skipped_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """FN7: planted: books of 10 entries. The lineup is still solved, and played by the other bots."""
    monkeypatch.setattr(exact_checks, "pools", lambda faces: iter(()))
    code, lines = verified()
    rows = {line.split()[0]: line.split()[1] for line in lines[1:-1]}
    assert code == 0 and not any(line.startswith("skipped") for line in lines)
    monkeypatch.setattr(book, "MOST_ENTRIES", 10)
    book._written.cache_clear()
    code, lines = verified()
    (skipped,) = (line for line in lines if line.startswith("skipped"))
    assert skipped.startswith(
        "skipped: knights.fight, mel_gearson against hell_raiders, equilibrium bots: its best play"
    )
    assert "and a bot can hold 10" in skipped
    left = {line.split()[0]: line.split()[1] for line in lines[1:-1]}
    assert code == 0 and lines[-1].startswith("VERIFIED") and lines[-1].endswith("1 skipped, named above")
    assert int(left["knights.fight"]) == int(rows["knights.fight"]) - 3 > 0


def test_a_fight_that_the_solver_refuses_is_skipped_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """FN7: a card that heals its holder and harms the opponent at once."""
    monkeypatch.setattr(exact_checks, "pools", lambda faces: iter(()))
    both = ", ".join(
        f'{{ when = "any_time", what = "health", whom = "{whom}", many = {many} }}'
        for whom, many in (("self", 1), ("opponent", -1))
    )
    code, lines = verified("--set", f"gear.medi_shot.effects=[{both}]")
    assert code == 0 and lines[-1].startswith("NO LINEUP SOLVED")
    assert "mel_gearson against hell_raiders" in lines[-3] and "harms the opponent" in lines[-3]


def test_a_false_law_of_an_attack_check_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("knights.fight")
    tables = game.load(packs.load(game.schema), {setting.name: setting.default for setting in game.settings})
    row = seatings(game, tables, ("mel_gearson", "hell_raiders"), dict.fromkeys(("knight", "enemy"), "random"))[0]
    opened, seen = game.open_solver(tables, row), set[str]()
    assert not exact_checks.odd(list(exact_checks.blows(opened, seen))) and len(seen) > 20
    assert not list(exact_checks.blows(opened, seen))
    opened.laws[:] = np.roll(opened.laws, 1, axis=1)
    assert len(exact_checks.odd(list(exact_checks.blows(opened, set())))) == len(seen)


def test_played_and_solved_agree_or_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ["verify", "--exact", "--game", "knights.fight", "--role", "mel_gearson", "--role", "hell_raiders"]
    monkeypatch.setattr(exact_checks, "pools", lambda faces: iter(()))
    good = CliRunner().invoke(app, [*asked, "--games", "20000"])
    assert good.exit_code == 0 and good.stdout.splitlines()[-1].startswith("VERIFIED")
    sound = exact_checks.play_tally
    other = packs.load(find_game("knights.fight").schema, sets={"combat.attack_arrows": "0"})

    def faulty(game: Any, tables: Any, *rest: Any) -> Any:
        return sound(game, game.load(other, {setting.name: setting.default for setting in game.settings}), *rest)

    monkeypatch.setattr(exact_checks, "play_tally", faulty)
    bad = CliRunner().invoke(app, [*asked, "--games", "20000"])
    assert bad.exit_code == 1 and bad.stdout.splitlines()[-1].startswith("FAILED")


def test_the_shipped_config_asks_for_what_can_be_solved() -> None:
    config = load_setup(shipped_configs()["knight_fights_exact"]).config
    assert config.verdict.exact and config.games.per_cell == 200_000
    assert set(config.bots.values()) == {"random"}


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--knight", "mel", "--enemy", "scrap_houn"), ["did you mean mel_gearson?", "did you mean scrap_hound?"]),
        ((*FIGHT, "--set", "table.ammo=99", "--set", "enemy.scrap_hound.health=99"), ["0 to 9", "1 to 20"]),
        ((*FIGHT, "--price", "helth=1"), ["did you mean health?"]),
    ],
)
def test_mistakes_are_told_and_nothing_is_done(args: tuple[str, ...], told: list[str]) -> None:
    result = ask("combat", *args)
    assert result.exit_code == 2 and not result.stdout
    assert [words for words in told if words not in result.stderr] == [], result.stderr
