"""The command line: `wastelab new | run | resume | compare | verify | report | replay | list | exact | pack ...`.

Numbers go to stdout, progress and remarks to stderr. Exit codes: 0 done, 1 it went wrong, 2 mistakes in what
was asked (all of them are told, and nothing was done), 75 another process is at work on the run (the same command
may succeed later), 130 stopped by Ctrl-C (what was played is kept). Heavy things are imported inside the commands, so
that `--help` is quick.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from experiments import exact_commands, pack_commands
from experiments.output import end_output, forgive_output
from experiments.pack_commands import OfGame
from experiments.terminal import (
    FAREWELL,
    STOPPED,
    WRONG,
    Cluster,
    ClusterCa,
    ClusterCert,
    ClusterKey,
    Jobs,
    WithPage,
    chosen_games,
    columns,
    command,
    cores,
    end_in_time,
    explain,
    guarded,
    leave_settings_aside,
    mistaken,
    say,
    show_progress,
    stopped,
)

if TYPE_CHECKING:
    import pandas as pd

    from experiments.compare import Comparison, Part
    from experiments.ledger import Run
    from experiments.ready import Scheduler
    from simcore.game import Game

app = typer.Typer(
    name="wastelab",
    help="A laboratory for the balance of wasteland board games.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
exact_app = exact_commands.app
config_app = typer.Typer(help="What a config may hold.", no_args_is_help=True)
app.add_typer(exact_app, name="exact")
app.add_typer(config_app, name="config")
app.add_typer(pack_commands.app, name="pack")

PARTS_SHOWN = 7
"""Points and variants that a comparison shows one by one."""

Sets = Annotated[
    list[str] | None, typer.Option("--set", help="Change a value: games.per_cell=1000 ...", metavar="A.B=V")
]
Layers = Annotated[
    list[str] | None,
    typer.Option(
        "--pack",
        help="A folder of cards in place of the config's pack, or a small .toml file laid over it; more than one are "
        "layers.",
        metavar="FOLDER|FILE",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON to stdout.")]
Folder = Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder, as in results/knight_fights-1a2b3c4d.")]


def main() -> None:
    """The entry point: no traceback reaches a user, but with WASTELAB_DEBUG=1; Ctrl-C ends within a second.

    Nothing that is printed ends a command. Where nobody reads it any more, its exit code is what it would have been;
    where it can't be written, as to a full disk, that is an error in the end.
    """
    forgive_output()
    code: Any = 0
    try:
        end_in_time()
        leave_settings_aside()
        app()
    except SystemExit as end:
        code = end.code
    except KeyboardInterrupt:
        code = STOPPED
    except Exception as error:
        code = explain(error)
    if lost := end_output():
        say(f"error: {lost}")
        code = code or WRONG
    sys.exit(code)


def _print_version(asked: bool) -> None:
    """Print the version, and be done."""
    if asked:
        from importlib.metadata import version

        typer.echo(f"wastelab {version('wastelab')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version, and stop.")
    ] = False,
) -> None:
    """What goes before a command."""


# ---------------------------------------------------------------- runs


@app.command()
def run(
    config: Annotated[str, typer.Argument(metavar="CONFIG", help="A config file, or the name of a shipped one.")],
    sets: Sets = None,
    layers: Layers = None,
    out: Annotated[Path, typer.Option(help="Where run folders are made.")] = Path("results"),
    jobs: Jobs = None,
    cluster: Cluster = None,
    cluster_ca: ClusterCa = None,
    cluster_cert: ClusterCert = None,
    cluster_key: ClusterKey = None,
    games: Annotated[int | None, typer.Option(help="Games a cell, in place of games.per_cell.")] = None,
    as_json: AsJson = False,
    print_config: Annotated[
        bool, typer.Option("--print-config", help="Print the whole config, everything written out, and stop.")
    ] = False,
) -> None:
    """Play a config, and report. A run that is there already is continued; a finished one is shown again."""
    with guarded():
        from experiments.config import find_config, load_setup
        from experiments.ledger import find_run, locked, make_folder, open_run, revise, start_run
        from experiments.plan import make_plan
        from experiments.ready import Scheduler, must_be_ready

        FAREWELL.lines = ["stopped; nothing was played"]
        scheduler = Scheduler.named(cluster, cluster_ca, cluster_cert, cluster_key)
        name = find_config(config).stem
        setup = load_setup(config, sets or (), games, layers or (), lambda asked: bool(find_run(asked, name, out)))
        if print_config:
            typer.echo(setup.config.to_toml(), nl=False)
            return
        folder, plan = find_run(setup, name, out), None
        if folder is None:
            plan = make_plan(setup)
            must_be_ready(setup.config, scheduler)
            folder = make_folder(plan, name, out)
        with locked(folder):
            opened = start_run(plan, name, folder) if plan else open_run(folder)
            for note in (plan or opened.plan).notes:
                say(note)
            if plan and opened.plan.id != plan.id:
                now, asked = (f"{one.cells[0].games:,}" for one in (opened.plan, plan))
                say(f"games were added to {folder} since it began: {now} a cell, where the config has {asked}")
            opened, changed = revise(opened, setup)
            for line in changed:
                say(f"judged by the config as it is now: {line}")
            _play(opened, jobs, as_json, scheduler)


@app.command()
def resume(
    folder: Folder,
    games: Annotated[
        int | None, typer.Option(metavar="N", help="Add games: as if the run had had N games a cell from the start.")
    ] = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    cluster_ca: ClusterCa = None,
    cluster_cert: ClusterCert = None,
    cluster_key: ClusterKey = None,
    as_json: AsJson = False,
    repair: Annotated[bool, typer.Option("--repair", help="Play damaged tallies again.")] = False,
    as_begun: Annotated[
        bool,
        typer.Option("--as-begun", help="Go on by the config and cards that the run began with, though changed since."),
    ] = False,
) -> None:
    """Go on with a run that was stopped, or add games to it: its numbers are those of a run without a break."""
    with guarded():
        from experiments.ledger import dealt_otherwise, extend, follow, locked, open_run
        from experiments.ready import Scheduler
        from experiments.runner import must_be_playable

        FAREWELL.lines = ["stopped; nothing was played"]
        scheduler = Scheduler.named(cluster, cluster_ca, cluster_cert, cluster_key)
        _must_be_folder(folder)
        with locked(folder):
            opened = open_run(folder)
            if repair:
                say(f"{opened.repair():,} games are missing or damaged, and will be played again")
            if games is not None or opened.check(quick=True) or not opened.finished:
                _must_be_sound(opened)
                opened.must_have_code()
                must_be_playable(opened, scheduler)
                opened, changed = (opened, []) if as_begun else follow(opened)
                for line in changed:
                    say(f"judged by the config as it is now: {line}")
                if dealt_otherwise(opened):
                    say("this version would deal other lineups or points: the run goes on with those it was dealt")
            if games is not None:
                opened = extend(opened, games)
                for note in opened.plan.notes:
                    say(note)
            _play(opened, jobs, as_json, scheduler)


@app.command()
def compare(
    first: Folder,
    second: Annotated[Path, typer.Argument(metavar="RUN", help="Another run of the same game.")],
    games: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Games of each lineup; by default all that both have.")
    ] = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    cluster_ca: ClusterCa = None,
    cluster_cert: ClusterCert = None,
    cluster_key: ClusterKey = None,
    as_json: AsJson = False,
) -> None:
    """Compare two runs of a game: what differs between them, and what that changed.

    Games that have their dice in common are played again in pairs, with the cards that each run has in its ledger.
    """
    with guarded():
        from experiments.compare import Comparison
        from experiments.ledger import Trouble, locked, open_run
        from experiments.ready import Scheduler, must_reach

        FAREWELL.lines = ["stopped; nothing of a comparison is kept"]
        scheduler = Scheduler.named(cluster, cluster_ca, cluster_cert, cluster_key)
        with locked(first, shared=True), locked(second, shared=True):
            runs = [open_run(folder) for folder in (first, second)]
            both = Comparison(*runs)
            for one in runs:
                _must_be_sound(one)
                if not one.finished:
                    go_on, so_far = command("resume", one.folder), f"{one.games:,}{_of_all(one)} games"
                    raise Trouble(f"{one.folder} is not finished: {so_far}; go on with `{go_on}`")
            must_reach(scheduler, runs[0].config.game)
            _compare(both, games, cores(jobs), as_json, scheduler)


@app.command()
def verify(
    folder: Annotated[Path | None, typer.Argument(metavar="[RUN]", help="A run's folder.")] = None,
    exact: Annotated[
        bool,
        typer.Option("--exact", help="In place of a run: every closed form (pools, checks, combats) by simulation."),
    ] = False,
    game: exact_commands.OfGames = None,
    layers: exact_commands.Layers = None,
    sets: exact_commands.Sets = None,
    roles: exact_commands.Roles = None,
    games: Annotated[
        int | None, typer.Option(min=1000, help="Games that each lineup plays for --exact; 200000 by default.")
    ] = None,
) -> None:
    """Check a run: every checksum, every number of its summary, and a sample of its games played again.

    With --exact, check what is computed and not played: pools of dice, checks, and every lineup of the reference pack,
    or of yours by --pack. A false alarm has a chance of at most one in a million. --games, --game, --pack, --set
    and --role belong to --exact.
    """
    with guarded():
        if exact and folder is None:
            exact_commands.verify_exact(game, layers or (), sets or (), roles or (), games or exact_commands.GAMES)
            return
        whole = "a run's folder alone, or --exact and its options"
        named = {"--game": game, "--pack": layers, "--set": sets, "--role": roles, "--games": games}
        given = [option for option, value in named.items() if value]
        if folder is None and not given:
            mistaken("RUN", "is missing", whole)
        if folder is None or exact or given:
            mistaken(
                ", ".join([*(["--exact"] if exact else []), *given]),
                f"given beside the run {folder}" if folder else "given without --exact",
                whole,
            )
            return
        from experiments.ledger import InUse, Trouble, locked, open_run
        from experiments.ready import must_have_extras
        from simcore.packs import one_line

        try:
            with locked(folder, shared=True):
                opened = open_run(folder)
                must_have_extras(opened.config, rows_alone=True)
                problems = _verify(opened)
        except InUse:
            raise
        except Trouble as trouble:
            problems = [str(trouble)]
        for problem in problems:
            typer.echo(f"wrong: {one_line(problem)}")
        if problems:
            typer.echo(one_line(f"FAILED: {folder}: {len(problems)} problem(s)"))
            raise typer.Exit(WRONG)
        typer.echo(f"VERIFIED: {folder}: {opened.games:,} games in {len(opened.plan.cells):,} cells")


@app.command()
def report(folder: Folder) -> None:
    """Write summary.csv and report.html of a run again, from its ledger."""
    with guarded():
        from experiments.ledger import locked, open_run
        from experiments.stats import summary

        with locked(folder):
            opened = open_run(folder)
            for path in _write(opened, summary(opened)):
                typer.echo(path)


@app.command(cls=WithPage)
def replay(
    folder: Folder,
    cell: Annotated[
        str | None, typer.Option(help="A cell, by id or by name as in 'mel_gearson vs scrap_hound'; else all in order.")
    ] = None,
    game: Annotated[int | None, typer.Option(help="Which game of the cell, from 0.")] = None,
    first_with: Annotated[
        str | None, typer.Option(metavar="NAME=VALUE", help="The first game like that, as in ending=draw.")
    ] = None,
    where: Annotated[
        str | None,
        typer.Option(
            metavar="EXPRESSION",
            help="The first game like that, as in 'rounds > 2 and winner.health_left <= 1' (below).",
        ),
    ] = None,
    count: Annotated[int | None, typer.Option(metavar="N", help="The first N such games; 1 by default.")] = None,
    html: Annotated[
        str | None,
        typer.Option(metavar="[FILE]", help="Write a page to send on, too; by default into the run's folder."),
    ] = None,
    variant: Annotated[
        str | None, typer.Option(metavar="NAME", help="As a variant of the config has it, on the same dice.")
    ] = None,
) -> None:
    """Tell a game of a run turn by turn, and check that it came out as it was played.

    An EXPRESSION joins comparisons (= != < <= > >=) by and, or, not and ().

    Names are the columns of a game's outcome: `list measures` says what each is.

    `ending` compares with the name or the kind of an ending, `role` with a role.

    A seat's column may say whose: seat1.score, knight.score (a side by its bot),
    winner.score, loser.score, mel_gearson.score. Without that it is any seat's.

    winner = mel_gearson is short for winner.role = mel_gearson.
    """
    with guarded():
        from experiments.ledger import open_run
        from experiments.replays import Asked, replay_games

        asked = Asked(cell, game, first_with, where, count, html, variant)
        if not replay_games(open_run(folder), asked, typer.echo, say):
            raise typer.Exit(WRONG)


# ---------------------------------------------------------------- configs


@app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What to call it; NAME.toml is written here.")],
    game: OfGame = None,
) -> None:
    """Write a commented config to begin with: every key, its default and what it means."""
    with guarded():
        from experiments.forms import write_config

        path = write_config(chosen_games(game)[0], name, Path())
        typer.echo(f"{path} is written. Change what you like, and play it:")
        typer.echo(command("run", path))


@config_app.command("schema")
def schema(
    game: OfGame = None,
    layers: Annotated[
        list[str] | None,
        typer.Option("--pack", metavar="FOLDER|FILE", help="Name the roles and bots of this pack; needs --game."),
    ] = None,
) -> None:
    """Print a JSON Schema of configs, with which editors complete and check them."""
    with guarded():
        from experiments.config import load_tables
        from experiments.forms import config_schema

        if game is None and layers:
            mistaken("--pack", "is given without a game", "--game as well")
        chosen = chosen_games(game)[0] if game else None
        tables = load_tables(chosen, layers or ()) if chosen else None
        typer.echo(json.dumps(config_schema(chosen, tables), indent=2))


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
    tens_from: Annotated[
        int | None,
        typer.Option(min=1, help="A die counts as a ten from this face on; by default its highest that succeeds."),
    ] = None,
    sides: Annotated[int, typer.Option(min=2, max=100, help="Sides of a die.")] = 10,
    as_json: AsJson = False,
) -> None:
    """The exact chances of a pool: successes and tens together, and at least so many of each."""
    with guarded():
        from simcore.dice import at_least, joint

        if difficulty > sides + 1:
            mistaken(
                "--difficulty", f"is {difficulty}", f"from 1 to {sides + 1}, where no die of {sides} sides succeeds"
            )
        if tens_from is None:
            tens_from = max(sides, difficulty)
        if not difficulty <= tens_from <= sides + 1:
            mistaken("--tens-from", f"is {tens_from}", f"from the difficulty, {difficulty}, to {sides + 1}")
        law = joint(dice, sides, difficulty, tens_from)
        successes, tens = at_least(dice, sides, difficulty, tens_from)
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


def _play(opened: Run, jobs: int | None, as_json: bool, scheduler: Scheduler | None) -> None:
    """Play what a run lacks, then write and show what came out."""
    from experiments.runner import execute
    from experiments.stats import summary

    if _shown_again(opened, as_json):
        return
    _must_be_sound(opened)
    again, before = command("resume", *(scheduler.options if scheduler else ()), opened.folder), opened.games
    if opened.finished:
        say(f"{opened.folder} is finished already: these are its numbers")
    else:
        opened.must_have_code()
        say(f"{opened.folder} has {before:,}{_of_all(opened)} games already") if before else None
    FAREWELL.lines = ["stopped; what was saved is kept. Go on with", again]
    try:
        with show_progress(0 if opened.stops else opened.plan.games, before) as progress:
            finished = execute(opened, cores(jobs), progress, scheduler)
        if finished:
            _tell(opened, summary(opened), as_json)
    except KeyboardInterrupt:
        finished = False
    if not finished:
        FAREWELL.lines = [f"stopped; {opened.games:,}{_of_all(opened)} games are kept. Go on with", again]
        stopped()


def _shown_again(opened: Run, as_json: bool) -> bool:
    """Show a finished run from its summary.csv, if that and all checksums are as they were; False if they aren't."""
    from experiments.csv_files import read_summary
    from experiments.ledger import FILE

    csv, page = opened.folder / "summary.csv", opened.folder / "report.html"
    if as_json or not (opened.ledger.still_has(csv) and opened.ledger.still_has(page)) or not opened.finished:
        return False
    if opened.check(quick=True):
        return False
    say(f"{opened.folder} is finished already: these are its numbers")
    _show_table(opened, read_summary(csv), (opened.folder / FILE, csv, page))
    return True


def _of_all(opened: Run) -> str:
    """Of how many games, where that is known before."""
    return "" if opened.stops else f" of {opened.plan.games:,}"


def _tell(opened: Run, table: pd.DataFrame, as_json: bool) -> None:
    """Write what came out of a finished run, and show it then: no reader of it decides what is written. Where its files
    can't be written, it is shown all the same.
    """
    from experiments.stats import json_rows

    try:
        paths = _write(opened, table)
    except Exception:
        if not as_json:
            _show_table(opened, table)
        raise
    if as_json:
        about = {"run": str(opened.folder), "games": opened.games, "seconds": round(opened.seconds, 3)}
        typer.echo(json.dumps(about | {"rows": json_rows(opened, table)}))
        return
    _show_table(opened, table, paths)


def _show_table(opened: Run, table: pd.DataFrame, paths: Iterable[Path] = ()) -> None:
    """Show the numbers of a run, what they took, and the files that hold them."""
    _show(opened, table)
    typer.echo(f"{opened.games:,} games in {opened.seconds:.1f} s")
    for path in paths:
        typer.echo(path)


def _compare(both: Comparison, games: int | None, jobs: int, as_json: bool, scheduler: Scheduler | None) -> None:
    """Play what two runs have in common in pairs, and show what differs: in the runs first, then in the games."""
    from time import perf_counter

    if not as_json:
        for line in both.asked():
            typer.echo(line)
    started = perf_counter()
    with show_progress(both.games(games), 0) as progress:
        parts = both.parts(games, jobs, progress, scheduler)
    if parts is None:
        stopped()
    if as_json:
        typer.echo(json.dumps(both.plain(parts, round(perf_counter() - started, 3))))
        return
    for part in parts[:PARTS_SHOWN]:
        _show_part(both, part)
    if len(parts) > PARTS_SHOWN:
        typer.echo(f"and {len(parts) - PARTS_SHOWN:,} more points and variants: --json has them all")


def _show_part(both: Comparison, part: Part) -> None:
    """A point and variant of two runs: what changed over the field, and the first games that did."""
    from rich.console import Console

    console = Console(highlight=False)
    for line in both.told(part):
        console.print(line, soft_wrap=True, markup=False)
    if len(part.rows):
        _show_gaps(console, both.ours, part.rows, "second run less that in the first")
    for side in both.ours.game.sides:
        titles = {role.slug: role.title for role in both.ours.tables.roles[side.key]}
        rows = part.apart[part.apart["side"] == side.key] if len(part.apart) else part.apart
        for over, own in rows.groupby("over", sort=False) if len(rows) else ():
            own = own.sort_values("value", ascending=False, kind="stable")
            lines = [
                (titles[row["role"]], f"{100 * row['ours']:.2f}", f"{100 * row['theirs']:.2f}", _percent(row))
                for row in own.assign(games=own["games_ours"]).to_dict("records")
            ]
            about = f"\nshare of the {side.key} over {over}, in %, 95 % intervals (unpaired, as of independent runs)"
            _grid(console, about, (side.key, "first", "second", "difference"), lines)
    for line in both.again(part):
        console.print(line, soft_wrap=True, markup=False)


def _must_be_sound(opened: Run) -> None:
    """Trouble, after a line for each fault, if there is anything wrong with a run's tallies."""
    from experiments.ledger import Trouble

    problems = opened.check()
    for problem in problems:
        say(f"wrong: {problem}")
    if problems:
        mend = command("resume", "--repair", opened.folder)
        raise Trouble(f"{opened.folder} is damaged; `{mend}` plays such tallies again")


def _write(opened: Run, table: pd.DataFrame) -> list[Path]:
    """Write summary.csv and report.html; the paths of all files of the run."""
    from experiments.ledger import FILE, Trouble
    from experiments.parts import write_whole
    from experiments.report import write
    from experiments.shards import FOLDER as GAMES
    from experiments.stats import to_csv

    path = opened.folder / "summary.csv"
    try:
        write_whole(path, to_csv(table))
        paths = [path, write(opened, opened.folder, table)]
        for each in paths:
            opened.ledger.wrote(each)
        return [opened.folder / FILE, *paths, *([opened.folder / GAMES] if opened.keeps else [])]
    except OSError as error:
        raise Trouble(f"cannot write to {opened.folder}: {error.strerror or error}; the ledger is complete") from None


def _verify(opened: Run) -> list[str]:
    """Everything that is wrong with a run, in words; says on stdout what was looked at."""
    from experiments.ledger import CHECKED
    from experiments.runner import replay_sample

    problems = opened.check()
    sampled = sum(opened.ledger.summed().values()) > CHECKED
    seen = "every checksum and the counts of a sample" if sampled else "every checksum and count"
    typer.echo(f"ledger: {opened.ledger.chunk_count():,} tallies read, {seen} looked at")
    if problems:
        return problems
    problems += _verify_rows(opened) if opened.keeps else []
    if not opened.finished:
        problems.append(f"unfinished: {opened.games:,}{_of_all(opened)} games ({command('resume', opened.folder)})")
    problems += _verify_files(opened)
    if not opened.same_code:
        typer.echo("the rules installed here are not those of the run; its games are played with them all the same")
    sample = replay_sample(opened)
    again = f"{sample.chunks:,} tallies ({sample.games:,} games) played again"
    typer.echo(f"games: {again}, {sample.plain} games uncompiled")
    return problems + sample.wrong


def _verify_files(opened: Run) -> list[str]:
    """Everything that is wrong with the files made from the ledger: the table and the report are made again, and pages
    of replays must be as they were written."""
    from experiments.report import NAME, unlike
    from experiments.stats import summary, to_csv

    table, problems, anew = summary(opened), [], command("report", opened.folder)
    rates, page = opened.folder / "summary.csv", opened.folder / NAME
    for path in (rates, page):
        if not path.is_file() and opened.finished:
            problems.append(f"{path.name} is missing (`{anew}` writes it)")
    if rates.is_file():
        typer.echo("summary.csv: every number made again from the ledger")
        if rates.read_bytes() != to_csv(table).encode():
            problems.append(f"summary.csv does not hold the ledger's numbers (`{anew}` writes it anew)")
    if page.is_file():
        wrong, known = unlike(opened, table, opened.ledger.still_has(page))
        typer.echo(f"{page.name}: {known or 'made again from the ledger'}")
        problems += [f"{page.name} {wrong} (`{anew}` writes it anew)"] if wrong else []
    noted = opened.ledger.noted()
    for other in sorted(opened.folder.glob("*.html")):
        if other != page and other.name not in noted:
            typer.echo(f"{other.name}: not checked, as the ledger does not know it")
        elif other != page and not opened.ledger.still_has(other):
            problems.append(f"{other.name} is not as it was written")
    return problems


def _verify_rows(opened: Run) -> list[str]:
    """Everything that is wrong with the games that a run keeps as rows."""
    from experiments.rows import rows_wrong

    shards = opened.ledger.shards()
    rows = sum(span.stop - span.first for shard in shards for span in shard.spans)
    problems = list(rows_wrong(opened))
    typer.echo(f"rows: {rows:,} games in {len(shards):,} files, counted again beside the tallies")
    return problems


def _show(opened: Run, table: pd.DataFrame) -> None:
    """The roles over the field, the strongest first, as tables for people; then what variants change."""
    from rich.console import Console

    from experiments.intervals import FEW
    from experiments.stats import parts, tables_of

    console = Console(highlight=False)
    for line in opened.pack.against_the_book():
        console.print(f"The pack {line}", markup=False, style="dim")
    for run, rows, size in parts(opened, table):
        if size:
            console.print(tables_of(size), style="bold", markup=False)
        if run.config.sweep:
            _show_sweep(console, run, rows)
            continue
        for point, variant in run.plan.slices:
            field = _of(run, rows, point, variant)
            if variant:
                _show_variant(console, run, variant, field)
            else:
                _show_field(console, run, field)
    if (table["interval"] == "student_few").any():
        about = "their intervals (Student's t) are too narrow where single games count much"
        console.print(f"means over fewer than {FEW} games: {about}", soft_wrap=True, markup=False)


def _of(opened: Run, table: pd.DataFrame, point: int, variant: str) -> pd.DataFrame:
    """The pooled rows of a point and a variant."""
    from experiments.contrasts import at

    rows = at(opened, table, point, variant)
    return rows[rows["cell"] == "field"]


def _grid(console: Any, about: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table for people, its first column names and the others numbers."""
    from rich.box import SIMPLE_HEAD
    from rich.markup import escape
    from rich.table import Table

    console.print(about, soft_wrap=True, markup=False)
    shown = Table(box=SIMPLE_HEAD)
    shown.add_column(heads[0], min_width=16)
    for head in heads[1:]:
        shown.add_column(head, justify="right", no_wrap=True)
    for row in rows:
        shown.add_row(*(escape(text) for text in row))
    console.print(shown)


def _show_field(console: Any, opened: Run, field: pd.DataFrame) -> None:
    """The roles of each side over the field, with their verdicts."""
    from experiments.stats import verdicts

    judged = verdicts(opened, field).set_index(["side", "role"])
    for side in opened.game.sides:
        titles = {role.slug: role.title for role in opened.tables.roles[side.key]}
        rows = field[(field["side"] == side.key) & (field["role"] != "")].set_index(["role", "measure"])
        shares = field[(field["side"] == side.key) & (field["measure"] == "share")]
        shares = shares.sort_values("value", ascending=False, kind="stable")
        if shares.empty:
            console.print(f"none of the {side.key} met another: there is nothing to judge", soft_wrap=True)
            continue
        lines = []
        for role in shares["role"]:
            share, wins, draws = (rows.loc[(role, name)] for name in ("share", "win_rate", "draw_rate"))
            word = str(judged.loc[(side.key, role), "word"]) if (side.key, role) in judged.index else "-"
            games = [f"{share['games']:,}"] if opened.stops else []
            exact = _beside_exact(rows.loc[role]) if opened.config.verdict.exact else []
            beside = exact or ([] if opened.game.crew else [_percent(wins, False), _percent(draws, False)])
            lines.append((titles[role], _percent(share), *beside, word, *games))
        many = "sequences" if opened.stops else f"{shares['games'].iloc[0]:,} games each"
        about = f"{side.key} over the field, in %, 95 % intervals ({many}, {opened.config.bots[side.bot]} bots)"
        beside = ["exact", "apart"] if opened.config.verdict.exact else [] if opened.game.crew else ["wins", "draws"]
        about += "; apart: played less exact, in standard errors" if opened.config.verdict.exact else ""
        heads = (
            side.key,
            "win rate" if opened.game.crew else "share",
            *beside,
            "verdict",
            *(["games"] if opened.stops else []),
        )
        _grid(console, about, heads, lines)
        if side.key in judged.index:
            own = judged.loc[side.key]
            _show_undecided(console, own.assign(title=[titles[str(role)] for role in own.index]))


def _show_undecided(console: Any, judged: pd.DataFrame) -> None:
    """A line with how many more games each undecided role would take, about."""
    from experiments.stats import games_missing

    missing = [(row.title, games_missing(row)) for row in judged.itertuples()]
    told = [f"{title} {'(at the very edge) ?' if games == '?' else games}" for title, games in missing if games]
    if told:
        line = f"undecided; more games that it would take, about: {', '.join(told)}"
        console.print(line, soft_wrap=True, markup=False, highlight=False)


def _beside_exact(row: pd.DataFrame) -> list[str]:
    """A role's exact share in per cent, and how far off the played one is in standard errors."""
    exact, apart = (float(row["value"].to_dict()[f"{kind}:share"]) for kind in ("exact", "apart"))
    return [f"{100 * exact:.2f}", f"{apart:+.2f}"] if exact == exact else ["-", "-"]


def _show_variant(console: Any, opened: Run, variant: str, field: pd.DataFrame) -> None:
    """What a variant changes: the difference of each role's share, and what the same dice saved."""
    from experiments.contrasts import told

    console.print(f"what if: {variant}", style="bold", markup=False)
    for line in told(field):
        console.print(line, soft_wrap=True, markup=False)
    _show_gaps(console, opened, field, "variant less that in the baseline")


def _show_gaps(console: Any, opened: Run, field: pd.DataFrame, between: str) -> None:
    """The difference of each role's share, the largest gain first, and what the same dice saved."""
    for side in opened.game.sides:
        titles = {role.slug: role.title for role in opened.tables.roles[side.key]}
        own = field[field["side"] == side.key]
        gaps, saved = (own[own["measure"] == name].set_index("role") for name in ("difference", "saved"))
        gaps = gaps.sort_values("value", ascending=False, kind="stable")
        roles = [str(role) for role in gaps.index]
        lines = [(titles[role], _percent(gaps.loc[role]), _times(saved.loc[role])) for role in roles]
        about = f"\nshare of the {side.key} in the {between}, in points, 95 % intervals (paired)"
        _grid(console, about, (side.key, "difference", "games saved"), lines)


def _show_sweep(console: Any, opened: Run, table: pd.DataFrame) -> None:
    """Where over the points of a sweep each role has its lowest and its highest share."""
    from experiments.parts import changes_named, values_named

    points = opened.plan.setup.points
    paths = ", ".join(dict.fromkeys(path for point in points for path, _ in point))
    short = {changes_named(point): values_named(point) for point in points}
    field = table[(table["cell"] == "field") & (table["measure"] == "share") & (table["variant"] == "")]
    if opened.game.crew:
        from experiments.crews import shares

        field = shares(opened)
        field["settings"] = [changes_named(points[point]) for point in field["point"]]
    for side in opened.game.sides:
        titles = {role.slug: role.title for role in opened.tables.roles[side.key]}
        rows = field[field["side"] == side.key].dropna(subset="value")
        lines = []
        for role in dict.fromkeys(rows["role"]):
            own = rows[rows["role"] == role]
            ends = own.loc[own["value"].idxmin()], own.loc[own["value"].idxmax()]
            lines.append(
                (
                    titles.get(role, str(role)),
                    *(text for end in ends for text in (_percent(end), short[end["settings"]])),
                )
            )
        shared = "win rate" if opened.game.crew else "share"
        about = f"{shared} of the {side.key} over {len(points):,} points of {paths}, in %, 95 % intervals"
        _grid(console, about, (side.key, "lowest", "at", "highest", "at"), lines)


def _times(row: Any) -> str:
    """How many times fewer games were needed, with its interval."""
    return "-" if row["value"] != row["value"] else f"{row['value']:.1f} [{row['low']:.1f}, {row['high']:.1f}]"


def _percent(row: Any, bounds: bool = True) -> str:
    """A rate in per cent, with its interval if asked for and if it has one; "-" where there were no games."""
    if not row["games"]:
        return "-"
    value, low, high = (100 * row[key] for key in ("value", "low", "high"))
    return f"{value:.2f} [{low:.2f}, {high:.2f}]" if bounds and low == low else f"{value:.2f}"


# ---------------------------------------------------------------- lists


def _games(game: str | None) -> list[tuple[str, ...]]:
    from experiments.lineups import span_of

    return [
        (one.name, one.title, ", ".join(f"{side.key} ({span_of(side.seats, side.least)})" for side in one.sides))
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
    return [(name, raw["game"], raw["question"]) for name, raw in found if game in (None, raw["game"])]


def _reference(game: Game) -> Any:
    """The tables of a game's reference pack."""
    from experiments.config import load_tables

    return load_tables(game)


# ---------------------------------------------------------------- small things


def _chance(chance: float) -> str:
    """A chance in per cent; very small ones in powers of ten."""
    return f"{100 * chance:.3f} %" if chance == 0 or chance >= 1e-5 else f"{100 * chance:.1e} %"


def _beside(row: dict[str, Any]) -> str:
    return f"{row['floor_ratio']:.1f} times {row['floor']}"


def _must_be_folder(folder: Path) -> None:
    from experiments.config import shown_path
    from experiments.ledger import Trouble
    from simcore.packs import is_there

    if not is_there(folder) or not folder.is_dir():
        raise Trouble(f"{shown_path(folder)} is no folder of a run")


if __name__ == "__main__":
    main()
