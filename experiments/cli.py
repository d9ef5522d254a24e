"""The command line: `wastelab run | resume | verify | report | replay | list | exact | pack | bench`.

Numbers go to stdout, progress and remarks to stderr. Exit codes: 0 done, 1 it went wrong, 2 mistakes in what
was asked (all of them are told, and nothing was done), 130 stopped by Ctrl-C (what was played is kept). Heavy
things are imported inside the commands, so that `--help` is quick.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from experiments import pack_commands
from experiments.pack_commands import OfGame
from experiments.terminal import (
    STOPPED,
    WRONG,
    chosen_games,
    columns,
    guarded,
    last_resort,
    mistaken,
    say,
    show_progress,
)

if TYPE_CHECKING:
    import pandas as pd

    from experiments.ledger import Run
    from simcore.game import Game

app = typer.Typer(
    name="wastelab",
    help="A laboratory for the balance of wasteland board games.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
exact_app = typer.Typer(help="Exact chances, by computing and not by playing.", no_args_is_help=True)
app.add_typer(exact_app, name="exact")
app.add_typer(pack_commands.app, name="pack")

Sets = Annotated[
    list[str] | None, typer.Option("--set", help="Change a value: games.per_cell=1000 ...", metavar="A.B=V")
]
Jobs = Annotated[int | None, typer.Option(min=1, max=1024, help="Workers; by default one for each core.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON to stdout.")]
Folder = Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder, as in results/knight_fights-1a2b3c4d.")]


def main() -> None:
    """The entry point: no traceback reaches a user, but with WASTELAB_DEBUG=1."""
    try:
        app()
    except Exception as error:
        last_resort(error)
        sys.exit(WRONG)


# ---------------------------------------------------------------- runs


@app.command()
def run(
    config: Annotated[str, typer.Argument(metavar="CONFIG", help="A config file, or the name of a shipped one.")],
    sets: Sets = None,
    out: Annotated[Path, typer.Option(help="Where run folders are made.")] = Path("results"),
    jobs: Jobs = None,
    games: Annotated[int | None, typer.Option(help="Games a cell, in place of games.per_cell.")] = None,
    as_json: AsJson = False,
    print_config: Annotated[
        bool, typer.Option("--print-config", help="Print the whole config, everything written out, and stop.")
    ] = False,
) -> None:
    """Play a config, and report. A run that is there already is continued; a finished one is shown again."""
    with guarded():
        from experiments.config import find_config, load_setup
        from experiments.ledger import locked, make_folder, start_run
        from experiments.plan import make_plan

        setup = load_setup(config, sets or (), games)
        if print_config:
            typer.echo(setup.config.to_toml(), nl=False)
            return
        plan, name = make_plan(setup), find_config(config).stem
        for note in plan.notes:
            say(note)
        folder = make_folder(plan, name, out)
        with locked(folder):
            _play(start_run(plan, name, folder), jobs, as_json)


@app.command()
def resume(
    folder: Folder,
    jobs: Jobs = None,
    as_json: AsJson = False,
    repair: Annotated[bool, typer.Option(help="Play damaged tallies again.")] = False,
) -> None:
    """Go on with a run that was stopped: its numbers are those of a run that never was."""
    with guarded():
        from experiments.ledger import locked, open_run

        _must_be_folder(folder)
        with locked(folder):
            opened = open_run(folder)
            if repair:
                say(f"{opened.repair():,} games are missing or damaged, and will be played again")
            _play(opened, jobs, as_json)


@app.command()
def verify(folder: Folder) -> None:
    """Check a run: every checksum, every number of its summary, and a sample of its games played again."""
    with guarded():
        from experiments.ledger import Trouble, open_run

        try:
            opened = open_run(folder)
            problems = _verify(opened)
        except Trouble as trouble:
            problems = [str(trouble)]
        for problem in problems:
            typer.echo(f"wrong: {problem}")
        if problems:
            typer.echo(f"FAILED: {folder}: {len(problems)} problem(s)")
            raise typer.Exit(WRONG)
        typer.echo(f"VERIFIED: {folder}: {opened.games:,} games in {len(opened.plan.cells):,} cells")


@app.command()
def report(folder: Folder) -> None:
    """Write summary.csv and report.html of a run again, from its ledger."""
    with guarded():
        from experiments.ledger import open_run
        from experiments.stats import summary

        opened = open_run(folder)
        for path in _write(opened, summary(opened)):
            typer.echo(path)


@app.command()
def replay(
    folder: Folder,
    cell: Annotated[str, typer.Option(help="A cell, by id or by name as in 'mel_gearson vs scrap_hound'.")],
    game: Annotated[int, typer.Option(min=0, help="Which game of the cell, from 0.")],
) -> None:
    """Tell one game of a run turn by turn, and check that it came out as it was played."""
    with guarded():
        from experiments.ledger import open_run
        from experiments.runner import outcome_of, story_of
        from simcore.packs import nearest

        opened = open_run(folder)
        try:
            found = opened.plan.find(cell)
        except KeyError:
            names = [one.name for one in opened.plan.cells]
            mistaken("--cell", f"{cell!r} is no cell of this run", f"as in {names[0]!r}", nearest(cell, names))
        if game >= found.games:
            mistaken("--game", f"is {game}", f"0 to {found.games - 1}")
        numbers, story = story_of(opened, found, game)
        typer.echo(f"{found.name}, game {game:,} (cell {found.id}, seed {opened.config.seed})")
        for line in story:
            typer.echo(f"  {line}")
        for name, value in zip(_names(opened.game), numbers, strict=True):
            typer.echo(f"{name:>28}: {_told(opened, name, value)}")
        if not opened.same_code:
            say("the rules installed here are not those that this run was played with")
        if numbers != outcome_of(opened, found, game):
            typer.echo("wrong: the compiled rules give another outcome")
            raise typer.Exit(WRONG)
        typer.echo("the compiled rules give the same outcome")


# ---------------------------------------------------------------- looking things up


@app.command("list")
def list_(
    what: Annotated[str, typer.Argument(metavar="WHAT", help="games, roles, bots, measures or configs.")],
    game: OfGame = None,
) -> None:
    """List games, roles, bots, measures or configs."""
    with guarded():
        from simcore.packs import nearest

        lists: dict[str, Callable[[str | None], list[tuple[str, ...]]]] = {
            "games": _games,
            "roles": _roles,
            "bots": _bots,
            "measures": _measures,
            "configs": _configs,
        }
        if what not in lists:
            mistaken("WHAT", f"is {what!r}", ", ".join(lists), nearest(what, lists))
        columns(lists[what](game))


@exact_app.command("pool")
def pool(
    dice: Annotated[int, typer.Option(min=1, max=200, help="Dice rolled.")],
    difficulty: Annotated[int, typer.Option(min=1, help="A die succeeds from this face on.")],
    tens_from: Annotated[int, typer.Option(min=1, help="A die counts as a ten from this face on.")] = 10,
    sides: Annotated[int, typer.Option(min=2, max=100, help="Sides of a die.")] = 10,
    as_json: AsJson = False,
) -> None:
    """The exact chances of a pool: successes and tens together, and at least so many of each."""
    with guarded():
        from simcore.dice import joint

        if not difficulty <= tens_from <= sides + 1:
            mistaken("--tens-from", f"is {tens_from}", f"from the difficulty, {difficulty}, to {sides + 1}")
        law = joint(dice, sides, difficulty, tens_from)
        successes, tens = _at_least(law.sum(axis=1)), _at_least(law.sum(axis=0))
        if as_json:
            asked = {"dice": dice, "sides": sides, "difficulty": difficulty, "tens_from": tens_from}
            exact = {"joint": law.tolist(), "at_least": successes, "tens_at_least": tens}
            typer.echo(json.dumps(asked | exact))
            return
        typer.echo(f"{dice} dice of {sides} sides, successes from {difficulty}, tens from {tens_from}")
        typer.echo("\nchance of exactly so many successes (down) and tens (across)")
        heads = ("", *(str(k) for k in range(dice + 1)))
        body = [(str(s), *(_chance(p) if t <= s else "" for t, p in enumerate(row))) for s, row in enumerate(law)]
        columns([heads, *body])
        typer.echo("\nchance of at least so many successes, and of at least so many tens")
        columns(
            [
                ("", "successes", "tens"),
                *((str(k), _chance(successes[k]), _chance(tens[k])) for k in range(dice + 1)),
            ]
        )


@app.command()
def bench(as_json: AsJson = False) -> None:
    """How fast the rules play on one core, beside what their random words alone would take."""
    with guarded():
        from experiments.bench import bench_rows

        rows = []
        for row in bench_rows():
            rows.append(row)
            if not as_json:
                typer.echo(f"{row['what']:<26}{row['per_second']:>15,.0f} a second   {_beside(row)}")
        if as_json:
            typer.echo(json.dumps(rows))


# ---------------------------------------------------------------- playing


def _play(opened: Run, jobs: int | None, as_json: bool) -> None:
    """Play what a run lacks, then write and show what came out."""
    from experiments.ledger import Trouble
    from experiments.runner import execute
    from experiments.stats import json_rows, summary

    problems = opened.check()
    for problem in problems:
        say(f"wrong: {problem}")
    if problems:
        raise Trouble(
            f"{opened.folder} is damaged; `wastelab resume --repair {opened.folder}` plays such tallies again"
        )
    before = opened.games
    if opened.finished:
        say(f"{opened.folder} is finished already: these are its numbers")
    elif not opened.same_code:
        raise Trouble(f"{opened.folder} was played with other rules than those installed: run its config anew")
    elif before:
        say(f"{opened.folder} has {before:,} of {opened.plan.games:,} games already")
    with show_progress(opened.plan.games, before) as progress:
        finished = execute(opened, jobs or _cores(), progress)
    if not finished:
        say(f"stopped; {opened.games:,} of {opened.plan.games:,} games are kept. Go on with")
        say(f"wastelab resume {opened.folder}")
        raise typer.Exit(STOPPED)
    table = summary(opened)
    files = _write(opened, table)
    if as_json:
        seconds = round(opened.seconds, 3)
        whole = {
            "run": str(opened.folder),
            "games": opened.games,
            "seconds": seconds,
            "rows": json_rows(opened, table),
        }
        typer.echo(json.dumps(whole))
        return
    _show(opened, table)
    typer.echo(f"{opened.games:,} games in {opened.seconds:.1f} s")
    for path in files:
        typer.echo(path)


def _write(opened: Run, table: pd.DataFrame) -> list[Path]:
    """Write summary.csv and report.html; the paths of all files of the run."""
    from experiments.ledger import FILE, Trouble
    from experiments.report import write
    from experiments.stats import to_csv

    path = opened.folder / "summary.csv"
    try:
        draft = path.with_suffix(".part")
        draft.write_text(to_csv(table), encoding="utf-8", newline="")
        draft.replace(path)
        return [opened.folder / FILE, path, write(opened, opened.folder)]
    except OSError as error:
        raise Trouble(f"cannot write to {opened.folder}: {error.strerror or error}; the ledger is complete") from None


def _verify(opened: Run) -> list[str]:
    """Everything that is wrong with a run, in words; says on stdout what was looked at."""
    from experiments.runner import replay_sample
    from experiments.stats import summary, to_csv

    problems = opened.check()
    typer.echo(f"ledger: {opened.ledger.chunk_count():,} tallies read, every checksum and count looked at")
    if problems:
        return problems
    if not opened.finished:
        problems.append(
            f"unfinished: {opened.games:,} of {opened.plan.games:,} games (wastelab resume {opened.folder})"
        )
    path = opened.folder / "summary.csv"
    if path.is_file():
        same = path.read_bytes() == to_csv(summary(opened)).encode()
        typer.echo("summary.csv: every number made again from the ledger")
        problems += [] if same else ["summary.csv doesn't hold the ledger's numbers (wastelab report writes it anew)"]
    elif opened.finished:
        problems.append(f"summary.csv is missing (wastelab report {opened.folder} writes it)")
    if not opened.same_code:
        typer.echo("the rules installed here are not those of the run; its games are played with them all the same")
    sample = replay_sample(opened)
    again = f"{sample.chunks:,} tallies ({sample.games:,} games) played again"
    typer.echo(f"games: {again}, {sample.plain} games uncompiled")
    return problems + sample.wrong


def _show(opened: Run, table: pd.DataFrame) -> None:
    """The roles over the field, the strongest first, as a table for people."""
    import pandas as pd
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(highlight=False)
    field = table[(table["cell"] == "field") & (table["role"] != "")]
    for side in opened.game.sides:
        titles = {role.slug: role.title for role in opened.tables.roles[side.key]}
        rows = field[field["side"] == side.key].set_index(["role", "measure"])
        shares = rows.loc[pd.IndexSlice[:, "share"], :].sort_values("value", ascending=False, kind="stable")
        bot, games = opened.config.bots[side.bot], f"{shares['games'].iloc[0]:,}"
        about = f"{games} games each, {bot} bots"
        console.print(f"{side.key} over the field, in %, 95 % intervals ({about})", soft_wrap=True)
        shown = Table(box=SIMPLE_HEAD)
        shown.add_column(side.key, min_width=16)
        for head in ("share", "wins", "draws"):
            shown.add_column(head, justify="right", no_wrap=True)
        for role, _ in shares.index:
            share, wins, draws = (rows.loc[(role, name)] for name in ("share", "win_rate", "draw_rate"))
            shown.add_row(escape(titles[role]), _percent(share), _percent(wins), _percent(draws, bounds=False))
        console.print(shown)


def _percent(row: Any, bounds: bool = True) -> str:
    """A rate in per cent, with its interval if asked for; "-" where there were no games."""
    if not row["games"]:
        return "-"
    value, low, high = (100 * row[key] for key in ("value", "low", "high"))
    return f"{value:.2f} [{low:.2f}, {high:.2f}]" if bounds else f"{value:.2f}"


def _cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# ---------------------------------------------------------------- lists


def _games(game: str | None) -> list[tuple[str, ...]]:
    return [
        (one.name, one.title, ", ".join(f"{side.key} ({side.seats})" for side in one.sides))
        for one in chosen_games(game)
    ]


def _roles(game: str | None) -> list[tuple[str, ...]]:
    return [
        (one.name, side, role.slug, role.title)
        for one in chosen_games(game)
        for side, roles in _reference(one).roles.items()
        if side in [each.key for each in one.sides]
        for role in roles
    ]


def _bots(game: str | None) -> list[tuple[str, ...]]:
    return [
        (one.name, ", ".join(dict.fromkeys(side.bot for side in one.sides)), bot)
        for one in chosen_games(game)
        for bot in _reference(one).bots
    ]


def _measures(game: str | None) -> list[tuple[str, ...]]:
    from experiments.stats import measures

    return [(one.name, name, about) for one in chosen_games(game) for name, about in measures(one).items()]


def _configs(game: str | None) -> list[tuple[str, ...]]:
    from experiments.config import shipped_configs
    from simcore.packs import read_toml

    found = [(name, read_toml(path)) for name, path in shipped_configs().items()]
    return [(name, raw["game"], raw["title"]) for name, raw in found if game in (None, raw["game"])]


def _reference(game: Game) -> Any:
    """The tables of a game's reference pack."""
    from experiments.config import settings_of
    from simcore.packs import load

    return game.load(load(game.schema), settings_of(game, {}))


# ---------------------------------------------------------------- small things


def _chance(chance: float) -> str:
    """A chance in per cent; very small ones in powers of ten."""
    return f"{100 * chance:.3f} %" if chance == 0 or chance >= 1e-5 else f"{100 * chance:.1e} %"


def _at_least(law: Any) -> list[float]:
    """The chances of at least 0, 1, ... from those of exactly so many."""
    return [min(1.0, float(chance)) for chance in law[::-1].cumsum()[::-1]]


def _beside(row: dict[str, Any]) -> str:
    return f"{row['floor_ratio']:.1f} times {row['floor']}"


def _names(game: Game) -> list[str]:
    """The names of an outcome's numbers, in order."""
    return [column.name if seat is None else f"seat {seat + 1} {column.name}" for seat, column in game.columns()]


def _told(opened: Run, name: str, value: int) -> str:
    """A number of an outcome for people: endings and roles by their names."""
    if name == "ending":
        return opened.game.endings[value].name
    if name.endswith(" role"):
        side = opened.game.side_of(int(name.split()[1]) - 1)
        return opened.tables.roles[side.key][value].title if value >= 0 else "nobody"
    return str(value)


def _must_be_folder(folder: Path) -> None:
    from experiments.ledger import Trouble

    if not folder.is_dir():
        raise Trouble(f"{folder} is no folder of a run")


if __name__ == "__main__":
    main()
