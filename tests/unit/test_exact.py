"""Exact answers and what is made of them, with toys whose chances can be added up; no rule of a book is compiled."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from experiments import exact, exact_checks, exact_commands, stats
from experiments.cli import app
from experiments.config import Asked, load_setup
from experiments.exact import Solving
from simcore import packs
from simcore.game import Unsolvable, find_game, play
from simcore.packs import Mistakes
from tests import toy_solver
from tests.conftest import Write, play_config
from tests.unit.test_report import Page

FIGHT = ("--game", "toy.fight", "--runner", "swift", "--hound", "pup")
EXACT = "\n[bots]\nrunner = 'bold'\nhound = 'bold'\n[verdict]\nexact = true\n"


def ask(*args: object) -> Result:
    """Run `wastelab exact ...`."""
    return CliRunner().invoke(app, ["exact", *map(str, args)])


def solving(game: str = "toy.fight", **sets: str) -> Solving:
    """The toys, ready to be solved."""
    found = Asked.of(find_game(game), (), [f"{path.replace('__', '.')}={value}" for path, value in sets.items()])
    assert found.pack is not None and not found.mistakes
    return Solving(find_game(game), found.pack, found.settings, {"win": 1.0, "draw": 0.5, "loss": 0.0})


# ---------------------------------------------------------------- one lineup


def test_one_lineup_is_answered() -> None:
    """Swift has 2 dice of 6 sides, pup one; each may throw one more: 3 against 2."""
    found = json.loads(ask("combat", *FIGHT, "--json").stdout)
    three, two = ([sum(part) for part in np.ndindex(*[6] * n)] for n in (3, 2))
    win = np.mean([a + 3 > b + 2 for a in three for b in two])
    draw = np.mean([a + 3 == b + 2 for a in three for b in two])
    assert found["win"] == pytest.approx(win) and found["value"] == pytest.approx(win + draw / 2)
    assert found["lineup"] == ["swift", "pup"] and found["prices"] == {"win": 1.0, "draw": 0.5, "loss": 0.0}
    assert found["play"] == {place: [{"more": 1}, {"more": 1}] for place in ("", "ahead", "behind")}
    assert min(found["worth"]["more"]) > 0 and found["worth"]["usual"] == [0, 0]
    assert found["bots"].keys() == {"timid", "bold"} and found["unsolved"] == ["regular"]
    assert min(found["bots"]["timid"]) > 0
    adds = {one["path"]: one["adds"] for one in found["numbers"]}
    assert adds["hound.pup.dice"] < 0 < adds["runner.swift.sides"] < adds["runner.swift.dice"]
    words = ask("combat", *FIGHT).stdout
    assert "swift against pup" in words and "runner.swift.dice" in words and "not known of: regular" in words


SURE = ("--set", "runner.swift.dice=5", "--set", "hound.pup.dice=1", "--set", "hound.pup.sides=2")
"""Five dice, or six, against two: swift always wins."""


def test_what_is_certain_is_1_and_what_cannot_be_is_0(tmp_path: Path) -> None:
    """FN6: also where a sum of all its ways falls short of 1 by rounding; in JSON, in words and in CSV."""
    best = solving(runner__swift__dice="5", hound__pup__dice="1", hound__pup__sides="2")
    raw = best.open(("swift", "pup")).solve()
    assert raw.win != 1 and raw.win == pytest.approx(1), "planted: the solver's own number is no 1"
    found = json.loads(ask("combat", *FIGHT, *SURE, "--json").stdout)
    assert (found["value"], found["win"], found["draw"], found["loss"]) == (1, 1, 0, 0)
    for drawn in found["play"].values():
        assert all(sum(side.values()) == 1 for side in drawn)
    assert found["worth"]["more"][0] == found["bots"]["timid"][0] == 0
    assert "value 1.0000" in ask("combat", *FIGHT, *SURE).stdout
    asked = ("matrix", "--game", "toy.fight", "--role", "swift", "--role", "pup", "--quick", *SURE)
    (row,) = json.loads(ask(*asked, "--json", "--out", tmp_path).stdout)["rows"]
    assert (row["value"], row["win"]) == (1, 1)
    (line,) = csv.DictReader(io.StringIO((tmp_path / "values.csv").read_text("utf-8")))
    assert {name: float(line[name]) for name in ("value", "win", "draw", "loss")} == {
        "value": 1, "win": 1, "draw": 0, "loss": 0
    }  # fmt: skip


def test_solved_numbers_keep_their_digits() -> None:
    """FN6: a chance that is not certain stays one."""
    assert exact.chance_of(1 - 1e-10) < 1 and exact.chance_of(1e-10) > 0
    assert math.copysign(1, exact.settled(-1e-17)) == 1 and exact.chance_of(1 + 1e-15) == 1


def test_an_end_has_its_price() -> None:
    plain = json.loads(ask("combat", *FIGHT, "--json").stdout)
    kind = json.loads(ask("combat", *FIGHT, "--draw", 1, "--json").stdout)
    assert kind["value"] == pytest.approx(plain["value"] + plain["draw"] / 2)
    priced = json.loads(ask("combat", *FIGHT, "--price", "loss=-2", "--price", "win=3", "--json").stdout)
    assert priced["value"] == pytest.approx(3 * plain["win"] - 2 * plain["loss"])


def test_a_number_in_a_list_is_one_higher_too() -> None:
    """An effect's number is written with its whole list, and nothing else changes."""
    pack = packs.load(find_game("knights.fight").schema)
    path = "enemy.scrap_hound.effects.1.many"
    was = pack.cards["enemy"]["scrap_hound"].effects
    now = exact.one_more(pack, path).cards["enemy"]["scrap_hound"].effects
    assert [one.many for one in now] == [was[0].many, was[1].many + 1]
    assert [one.model_dump(exclude={"many"}) for one in now] == [one.model_dump(exclude={"many"}) for one in was]
    assert exact.one_more(pack, "knight.mel_gearson.skills.guns").cards["knight"]["mel_gearson"].skills.guns == (
        pack.cards["knight"]["mel_gearson"].skills.guns + 1
    )


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("combat",), ["--knight NAME --enemy NAME"]),
        (("combat", "--game", "toy.ring", "--runner", "swift"), ["toy.ring", "can't be solved", "toy.fight"]),
        (
            ("combat", "--game", "toy.fight", "--runner", "swft", "--hound", "pu", "--price", "wine=1", "--set", "x=1"),
            ["did you mean swift?", "did you mean pup?", "did you mean win?", "x is unknown", "4 mistake(s)"],
        ),
        (("combat", "--game", "toy.fight", "--runer", "swift"), ["--runer is unknown", "did you mean --runner?"]),
        (("combat", *FIGHT, "--price", "win=much", "--price", "loss"), ["has much", "has no number"]),
        (("combat", *FIGHT, "--set", "runner.swift.sides=19"), ["swift against pup", "dice of 19 sides are odd"]),
        (("combat", *FIGHT, "--set", "table.throws=99", "--set", "runner.swift.dice=99"), ["1 to 20", "1 to 5"]),
        (("combat", *FIGHT, "--set", "table.throws=two", "--set", "seed=4"), ["a whole number", "belongs to a config"]),
        (("combat", *FIGHT, "--set", "table=3"), ["table is 3"]),
        (("matrix", "--game", "toy.fight", "--role", "pupp"), ["did you mean pup?"]),
        (("matrix", "--game", "chess"), ["knights.fight"]),
        (("matrix", "--pack", "nowhere"), ["nowhere"]),
        (("rulings", "--game", "toy.fight", "--price", "x"), ["--price x"]),
    ],
)
def test_mistakes_are_told_and_nothing_is_done(args: tuple[str, ...], told: list[str]) -> None:
    result = ask(*args)
    assert result.exit_code == 2 and not result.stdout
    assert [words for words in told if words not in result.stderr] == [], result.stderr


# ---------------------------------------------------------------- the whole table


@pytest.mark.parametrize("game", ["toy.fight", "toy.duel"])
def test_the_whole_table_as_data_and_as_a_page(game: str, tmp_path: Path) -> None:
    out = tmp_path / "new" / "folder"
    told = ask("matrix", "--game", game, "--json", "--out", out)
    found = json.loads(told.stdout)
    many = 9 if game == "toy.duel" else 6
    assert len(found["rows"]) == many and len({tuple(row["lineup"]) for row in found["rows"]}) == many
    assert {path.name for path in out.iterdir()} == {"report.html", "values.csv", "numbers.csv"}
    values = list(csv.DictReader(io.StringIO((out / "values.csv").read_text("utf-8"))))
    assert [float(row["value"]) for row in values] == [row["value"] for row in found["rows"]]
    numbers = list(csv.DictReader(io.StringIO((out / "numbers.csv").read_text("utf-8"))))
    assert [row["path"] for row in numbers] == [one["path"] for one in found["numbers"]]
    page = Page((out / "report.html").read_text("utf-8"))
    assert page.pictures() and f"wastelab exact matrix --game {game}" in page.text
    assert 'Grim <b>&"Co"</b>' in page.text or game == "toy.duel"
    assert "What each card is worth" in page.text and "100%) are assumed" in page.text


def test_numbers_are_those_of_all_their_lineups() -> None:
    """What one more adds on average is what it adds in each lineup that has the card."""
    solved, more = solving(), solving(hound__pup__dice="2")
    values = {lineup: solved.value(solved.open(lineup)) for lineup in solved.lineups()}
    (one,) = [one for one in exact.shifts(solved, values) if one and one.path == "hound.pup.dice"]
    adds = {lineup: more.value(more.open(lineup)) - values[lineup] for lineup in values if lineup[1] == "pup"}
    assert one.lineups == len(adds) == 3 and one.adds == pytest.approx(np.mean(list(adds.values())))
    assert one.most == pytest.approx(min(adds.values())) and adds[one.where] == one.most


def test_fewer_roles_and_fewer_numbers(tmp_path: Path) -> None:
    found = json.loads(ask("matrix", "--game", "toy.fight", "--role", "pup", "--quick", "--json").stdout)
    assert [row["lineup"][1] for row in found["rows"]] == ["pup"] * 3 and found["numbers"] == []
    shown = ask("matrix", "--game", "toy.fight", "--role", "pup", "--quick", "--out", tmp_path / "x")
    assert shown.exit_code == 0 and "3 lineups" in shown.stdout
    assert (tmp_path / "x" / "numbers.csv").read_text("utf-8") == ""
    file = tmp_path / "file"
    file.touch()
    assert ask("matrix", "--game", "toy.fight", "--out", file).exit_code == 1


def test_every_other_reading_of_a_rule_is_tried() -> None:
    """Each ruling of a pack has its other readings listed, and never the pack's own."""
    pack = packs.load(find_game("knights.fight").schema, sets={"ruling.same_way": "one_step"})
    found = exact.readings(pack)
    assert ("ruling.same_way", "one_step", "two_steps") in found
    assert {path.removeprefix("ruling.") for path, _, _ in found} == set(pack.cards["ruling"][""].model_dump())
    assert all(usual != other for _, usual, other in found)
    assert exact.readings(solving().pack) == [] and ask("rulings", "--game", "toy.fight").exit_code == 0


# ---------------------------------------------------------------- against what is played


def test_all_closed_forms_are_verified() -> None:
    done = CliRunner().invoke(app, ["verify", "--exact", "--game", "toy.duel", "--games", "20000"])
    assert done.exit_code == 0, done.stdout
    assert done.stdout.splitlines()[-1].startswith("VERIFIED") and "no closed form of the bots regular" in done.stdout
    for args in (["verify"], ["verify", "somewhere", "--exact"], ["verify", "somewhere", "--games", "2000"]):
        assert CliRunner().invoke(app, args).exit_code == 2


def test_a_fault_fails_the_verification(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: the games are played with a die more than the solver knows of."""
    sound = exact_checks.play_tally
    faulty = solving(hound__pup__dice="2").tables
    monkeypatch.setattr(exact_checks, "play_tally", lambda game, _, *rest: sound(game, faulty, *rest))
    done = CliRunner().invoke(app, ["verify", "--exact", "--game", "toy.fight", "--games", "20000"])
    assert done.exit_code == 1 and done.stdout.splitlines()[-1].startswith("FAILED")
    assert "wrong: swift against pup" in done.stdout and "grim" not in done.stdout


def verified(*args: object) -> tuple[int, list[str]]:
    """The exit code and the lines of `wastelab verify --exact` over few games of toy.fight."""
    asked = ["verify", "--exact", "--game", "toy.fight", "--games", "20000", *map(str, args)]
    done = CliRunner().invoke(app, asked)
    return done.exit_code, done.stdout.splitlines()


def test_a_lineup_that_cannot_be_solved_is_skipped_by_name() -> None:
    """FN7: the others are verified, and that is no failure."""
    code, lines = verified("--set", "runner.swift.sides=19")
    skipped = [line for line in lines if line.startswith("skipped")]
    assert skipped == [
        f"skipped: toy.fight, swift against {hound}: can't be solved: dice of 19 sides are odd"
        for hound in ("pup", "grim")
    ]
    assert code == 0 and lines[-1].startswith("VERIFIED") and lines[-1].endswith("2 skipped, named above")
    assert any(line.split()[0] == "toy.fight" and line.split()[1] == "24" for line in lines), (
        "4 lineups, 2 bots, 3 ends"
    )
    assert "toy.fight: no closed form of the bots regular" in lines


def test_bots_that_cannot_be_solved_in_a_lineup_are_skipped_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """FN7: planted: the bold ones can't be solved against grim; the timid ones are compared there all the same."""
    sound = toy_solver.Throws.solve

    def solve(self: Any, modes: Any = ("best", "best"), *rest: Any, **more: Any) -> Any:
        if "bold" in modes and self.dice[1][1] == 20:
            raise Unsolvable("too bold")
        return sound(self, modes, *rest, **more)

    monkeypatch.setattr(toy_solver.Throws, "solve", solve)
    code, lines = verified("--set", "hound.grim.sides=20")
    assert [line for line in lines if line.startswith("skipped")] == [
        f"skipped: toy.fight, {runner} against grim, bold bots: too bold" for runner in ("swift", "steady", "None")
    ]
    assert code == 0 and lines[-1].startswith("VERIFIED")
    asked = ("--game", "toy.fight", "--runner", "swift", "--hound", "grim", "--set", "hound.grim.sides=20", "--json")
    found = json.loads(ask("combat", *asked).stdout)
    assert found["bots"].keys() == {"timid"} and found["unsolved"] == ["regular", "bold"]


def test_a_run_in_which_nothing_can_be_solved_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """FN7: because no lineup can be, or because no bot of the pack can."""
    odd = [part for hound in ("pup", "grim") for part in ("--set", f"hound.{hound}.sides=19")]
    code, lines = verified(*odd)
    assert code == 0 and "toy.fight: none of its lineups can be solved" in lines
    assert lines[-1].startswith("NO LINEUP SOLVED, ALL ELSE VERIFIED: 1,020 closed forms") and "6 skipped" in lines[-1]
    monkeypatch.setattr(toy_solver.Throws, "modes", ("best",))
    code, lines = verified()
    assert code == 0 and lines[-1].startswith("NO LINEUP SOLVED")
    assert sum("no bot of the pack" in line for line in lines if line.startswith("skipped")) == 6


def test_roles_of_one_game_choose_that_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """FN7: hounds sit in fights and not in duels, so that duels are left out, where no game is named."""
    games = ["toy.duel", "toy.fight"]
    monkeypatch.setattr(
        exact_commands, "chosen_games", lambda name: [find_game(one) for one in games if name in (None, one)]
    )
    done = CliRunner().invoke(app, ["verify", "--exact", "--role", "pup", "--games", "20000"])
    lines = done.stdout.splitlines()
    assert done.exit_code == 0 and lines[-1].startswith("VERIFIED"), done.output
    assert [line.split()[0] for line in lines if line.startswith("toy.")] == ["toy.fight", "toy.fight:"]


@pytest.mark.parametrize("fault", [(1, 0), (0, 1)])
def test_a_fault_in_a_pool_is_found(fault: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: dice succeed, or are tops, from one face lower than the law has it."""
    laws = exact_checks.dice.compile_laws
    lower = tuple((max(1, face - fault[0]), tops - fault[1] * (tops > face)) for face, tops in exact_checks.FACES)
    assert not exact_checks.odd(list(exact_checks.pools()))
    monkeypatch.setattr(exact_checks.dice, "compile_laws", lambda sides, _: laws(sides, lower))
    wrong = exact_checks.odd(list(exact_checks.pools()))
    assert len(wrong) > 200 and wrong[0].likely <= wrong[-1].likely


def test_what_cannot_happen_never_fits() -> None:
    assert exact_checks.fit(np.array([99, 1]), np.array([1.0, 0.0])) == 0
    assert exact_checks.fit(np.array([100, 0]), np.array([1.0, 0.0])) == 1
    assert exact_checks.rate("", "", 0.0, 1, 100).likely == 0 and exact_checks.rate("", "", 1.0, 100, 100).likely == 1


# ---------------------------------------------------------------- beside a run


@pytest.mark.parametrize("game", ["toy.fight", "toy.duel"])
def test_exact_rates_stand_beside_those_that_are_played(game: str, config: Write, tmp_path: Path) -> None:
    """Exact rates are the means of seatings and cells, and differences are in the standard errors of single games."""
    more = EXACT if game == "toy.fight" else EXACT.replace("hound = 'bold'\n", "")
    run = play_config(config(game=game, games=4000, more=more), tmp_path)
    table = stats.summary(run).set_index(["cell", "role", "measure"]).value
    cell = run.plan.cells[0]
    ends = [run.game.open_solver(run.tables, row).solve(("bold", "bold")) for row in run.plan.seats(cell)]
    first = [one.win if row.member[0] == 0 else one.loss for one, row in zip(ends, run.plan.seats(cell), strict=True)]
    draws, role = [one.draw for one in ends], cell.lineup[0]
    assert table[cell.id, role, "exact:win_rate"] == pytest.approx(np.mean(first), abs=1e-9)
    assert table[cell.id, "", "exact:draw_rate"] == pytest.approx(np.mean(draws), abs=1e-9)
    share = np.mean(first) + np.mean(draws) / 2
    assert table[cell.id, role, "exact:share"] == pytest.approx(share, abs=1e-9)
    error = math.sqrt(np.mean([p * (1 - p) for p in first]) / 4000)
    apart = (table[cell.id, role, "win_rate"] - np.mean(first)) / error
    assert table[cell.id, role, "apart:win_rate"] == pytest.approx(apart, abs=1e-6)
    own = [one.id for one in run.plan.cells if role in one.lineup]
    pooled = np.mean([table[one, role, "exact:share"] for one in own])
    assert table["field", role, "exact:share"] == pytest.approx(pooled, abs=1e-8)
    assert table.filter(like="apart:").abs().max() < 6


def test_standard_errors_are_those_of_many_runs(config: Write, tmp_path: Path) -> None:
    """Over many seeds a share over the field lies as far from the exact one as its standard errors say."""
    run = play_config(config(games=40, more=EXACT), tmp_path)
    apart = []
    for seed in range(200):
        again = replace(run, plan=replace(run.plan, setup=load_setup(tmp_path / "toy.toml", [f"seed={seed}"])))
        shares = []
        for cell in again.plan.cells:
            out = play(run.game, run.tables, again.plan.seats(cell), again.plan.root(cell), 0, cell.games)
            shares.append(float(out["seat"]["share"][:, 0].mean()) / 60)
        apart.append(shares)
    found = stats.summary(run).set_index(["cell", "role", "measure"]).value
    cells = [(cell.id, cell.lineup[0]) for cell in run.plan.cells]
    exact_shares = np.array([found[(*key, "exact:share")] for key in cells])
    gaps = np.array([found[(*key, "share")] for key in cells]) - exact_shares
    errors = gaps / np.array([found[(*key, "apart:share")] for key in cells])
    spread = (np.array(apart) - exact_shares).std(axis=0)
    assert spread == pytest.approx(errors, rel=0.3)


def test_what_is_exact_is_in_the_report_and_on_the_screen(config: Write, tmp_path: Path) -> None:
    path = config(games=4000, more=EXACT)
    done = CliRunner().invoke(app, ["run", str(path), "--out", str(tmp_path / "out")])
    assert done.exit_code == 0 and "apart" in done.stdout, done.output
    (folder,) = (tmp_path / "out").iterdir()
    page = Page((folder / "report.html").read_text("utf-8"))
    assert "Exact and played" in page.text and "as chance has it" in page.text and "exact win rate" in page.text
    assert CliRunner().invoke(app, ["verify", str(folder)]).exit_code == 0
    plain = CliRunner().invoke(app, ["run", str(path), "--out", str(tmp_path / "out"), "--set", "verdict.exact=false"])
    assert plain.exit_code == 0 and "apart" not in plain.stdout
    assert [one.name for one in (tmp_path / "out").iterdir()] == [folder.name]
    assert "Exact and played" not in (folder / "report.html").read_text("utf-8")


def test_a_difference_that_chance_does_not_explain_is_told(config: Write, tmp_path: Path) -> None:
    """Planted: the solver is told of another pack than the one that is played."""
    run = play_config(config(games=4000, more=EXACT), tmp_path)
    other = solving(hound__pup__dice="2").tables
    sound = type(run.plan).tables

    def tables(plan: Any, cell: Any) -> Any:
        return other if "pup" in cell.lineup else sound(plan, cell)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(type(run.plan), "tables", tables)
        table = stats.summary(run)
    from experiments.report import page

    assert "more than chance explains" in page(run, table)
    assert table[table.measure.str.startswith("apart:")].value.abs().max() > 20


def test_a_cell_that_cannot_be_solved_has_no_exact_numbers(config: Write, tmp_path: Path) -> None:
    run = play_config(config(games=400, more=EXACT + "[changes.runner.swift]\nsides = 19\n"), tmp_path)
    table = stats.summary(run)
    rows = table[table.measure.str.startswith(("exact:", "apart:")) & (table.role == "swift")]
    assert len(rows) and rows.value.isna().all()
    assert table[(table.measure == "exact:share") & (table.role == "steady")].value.notna().all()
    from experiments.report import page

    assert "2 cells can&#39;t be solved" in page(run, table)


@pytest.mark.parametrize(
    ("game", "more", "told"),
    [
        ("toy.ring", "", "toy.ring can't be solved"),
        ("toy.fight", "[bots]\nhound = 'regular'\n", "the bot 'regular' can't be solved"),
        ("toy.fight", "[bots]\nrunner = 'timid'\nhound = 'timid'\n[[variant]]\nname = 'x'\nset = {\"bots.hound\" = "
         "\"regular\"}\n", "the bot 'regular' can't be solved"),
    ],
)  # fmt: skip
def test_what_cannot_be_solved_is_a_mistake_in_a_config(game: str, more: str, told: str, config: Write) -> None:
    with pytest.raises(Mistakes, match=told):
        load_setup(config(game=game, more=more + "[verdict]\nexact = true\n"))


def test_a_run_that_stops_itself_has_no_exact_numbers(tmp_path: Path) -> None:
    path = tmp_path / "toy.toml"
    text = 'title = "x"\nseed = 1\ngame = "toy.fight"\n[games]\nprecision = 0.02\n'
    path.write_text(text + EXACT, "utf-8")
    with pytest.raises(Mistakes, match="stops by itself"):
        load_setup(path)


def test_every_exact_measure_is_listed(config: Write, tmp_path: Path) -> None:
    run = play_config(config(games=400, more=EXACT), tmp_path)
    found = set(stats.summary(run).measure)
    assert set(stats.OF_SOLVED) <= found and found == set(stats.measures(run.game)) - set(stats.OF_VARIANTS)
    assert not set(stats.OF_SOLVED) & set(stats.measures(find_game("toy.ring")))
