"""The command line of exact answers: `wastelab exact combat | matrix | rulings | luck`, `wastelab verify --exact`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from experiments.terminal import (
    LINE_SECONDS,
    WRONG,
    Jobs,
    chosen_games,
    columns,
    command,
    cores,
    guarded,
    mistaken,
    say,
)

if TYPE_CHECKING:
    from experiments.exact import Answer, Lineup, Shift, Solving
    from experiments.exact_checks import Compared, Skipped
    from experiments.exact_extra import Extra
    from simcore.game import Game, Tables

T = TypeVar("T")

app = typer.Typer(help="Exact chances, by computing and not by playing.", no_args_is_help=True)

_ROLES = {"allow_extra_args": True, "ignore_unknown_options": True}
OfOneGame = Annotated[
    str | None, typer.Option("--game", help="A game that can be solved; by default the first that can.")
]
OfGames = Annotated[str | None, typer.Option("--game", help="Only this game; by default all that have closed forms.")]
Layers = Annotated[
    list[str] | None,
    typer.Option(
        "--pack", help="A folder of cards, or a small .toml file laid over the reference pack.", metavar="FOLDER|FILE"
    ),
]
Sets = Annotated[
    list[str] | None,
    typer.Option("--set", help="Change a value: enemy.scrap_hound.health=3 or table.ammo=2 ...", metavar="A.B=V"),
]
Draw = Annotated[
    float | None,
    typer.Option(min=0, max=1, help="What a draw is worth, where a win is 1 and a loss 0; 0.5 by default."),
]
Prices = Annotated[
    list[str] | None,
    typer.Option(
        "--price",
        help="What an end is worth to the first seat in place of that, as in win=1 health=0.1 ammo=0.05; what isn't "
        "named is worth 0.",
        metavar="NAME=X",
    ),
]
Roles = Annotated[
    list[str] | None,
    typer.Option("--role", help="Only lineups with this role; of a side without one named, all.", metavar="NAME"),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON to stdout.")]

GAMES = 200_000
"""Games that each lineup plays beside its exact chances."""

EVEN = 0.5
"""What a draw is worth where nobody says otherwise."""

SHOWN = 40
"""Printed numbers that are told of a whole table; JSON and files have all."""


@app.command("combat", context_settings=_ROLES)
def combat(
    context: typer.Context,
    game: OfOneGame = None,
    layers: Layers = None,
    sets: Sets = None,
    draw: Draw = None,
    prices: Prices = None,
    as_json: AsJson = False,
) -> None:
    """Solve one lineup: its value at best play, what to play, what each card and each printed number is worth.

    Who meets is said by an option for each seat, as in --knight mel_gearson --enemy scrap_hound.

    A value is a win less a loss, with a price for a draw, to the first seat: 1 for a sure win, 0 for a sure loss. With
    --price it is what the first seat gains on average by these prices; the second seat wants it low.

    Of cards that are equally good, the first in the order shown is played.
    """
    with guarded():
        from experiments.exact import answer

        solving, lineups = asked(game, layers, sets, draw, prices, context.args)
        compiling(solving.game)
        found = answer(solving, lineups[0])
        if as_json:
            typer.echo(json.dumps(about(solving) | asdict(found)))
        else:
            tell_answer(solving, found)


@app.command("matrix")
def matrix(
    game: OfOneGame = None,
    layers: Layers = None,
    sets: Sets = None,
    draw: Draw = None,
    prices: Prices = None,
    roles: Roles = None,
    jobs: Jobs = None,
    quick: Annotated[bool, typer.Option("--quick", help="Values alone: not what cards and numbers are worth.")] = False,
    out: Annotated[
        Path | None, typer.Option(help="Write report.html, values.csv and numbers.csv here.", metavar="FOLDER")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Solve every lineup of the pack at best play, without a die rolled: values, worth of cards, strongest numbers."""
    with guarded():
        from experiments.exact import numbers_met, outlines, ranked, shifts

        solving, lineups = asked(game, layers, sets, draw, prices, roles=roles)
        if out is not None:
            make_place(out)
        compiling(solving.game)
        rows = list(counted(outlines(solving, lineups, not quick, cores(jobs)), len(lineups), "lineups solved"))
        values = {row.lineup: row.value for row in rows}
        many = len(numbers_met(solving, lineups))
        numbers = (
            ranked(counted(shifts(solving, values, cores(jobs)), many, "printed numbers changed")) if not quick else ()
        )
        if out is not None:
            line = command("exact", "matrix", *options(game, layers, sets, draw, prices, roles), "--out", out)
            write_table(solving, rows, numbers, out, line)
        if as_json:
            whole = {"rows": [outlined(row) for row in rows], "numbers": [asdict(one) for one in numbers]}
            typer.echo(json.dumps(about(solving) | whole))
        else:
            tell_table(solving, rows, numbers)


@app.command("rulings")
def rulings(
    game: OfOneGame = None,
    layers: Layers = None,
    sets: Sets = None,
    draw: Draw = None,
    prices: Prices = None,
    roles: Roles = None,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """Read each open rule the other way, and tell what that changes in the values of all lineups.

    A ruling about rewards or what is left over changes a value only where that has a price (--price).
    """
    with guarded():
        from experiments.exact import outlines, read_otherwise, readings

        solving, lineups = asked(game, layers, sets, draw, prices, roles=roles)
        compiling(solving.game)
        rows = counted(outlines(solving, lineups, False, cores(jobs)), len(lineups), "lineups solved")
        values = {row.lineup: row.value for row in rows}
        others = read_otherwise(solving, values, cores(jobs))
        found = list(counted(others, len(readings(solving.pack)), f"readings tried, {len(lineups):,} lineups each"))
        found.sort(key=lambda one: -one.size)
        if as_json:
            typer.echo(json.dumps(about(solving) | {"rulings": [asdict(one) for one in found]}))
            return
        typer.echo(f"values of {len(lineups):,} lineups at best play, in points of 100 to the first seat\n")
        heads = ("ruling", "from", "to", "lineups changed", "mean", "mean size", "most", "where")
        body = [
            (one.path, one.usual, one.other, f"{one.changed:,}", _points(one.mean), f"{100 * one.size:.3f}")
            + ((_points(one.most), versus(one.where)) if one.changed else ("-", "-"))
            for one in found
        ]
        columns([heads, *body])


@app.command("luck")
def luck(
    game: OfOneGame = None,
    layers: Layers = None,
    sets: Sets = None,
    draw: Draw = None,
    roles: Roles = None,
    games: Annotated[
        int, typer.Option(min=0, max=10**9, help="Games of each lineup with a card, and as many without.")
    ] = 2_000,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """What a luck card in hand would add to the first seat, card by card: solved, and played on the same dice.

    Both seats know of the card and play at their best with it there. No other value of `exact` counts luck cards, nor
    does the bot equilibrium hold any: this says how far off that can be.
    """
    with guarded():
        from experiments.exact_extra import Extra, extras

        solving, lineups = asked(game, layers, sets, draw, None, roles=roles)
        if not solving.game.extra:
            mistaken("--game", f"is {solving.game.name!r}, which has no such cards", "another game")
        compiling(solving.game)
        found = dict[str, Extra]()
        each = extras(solving, lineups, games, jobs=cores(jobs))
        for rows in counted(each, len(lineups), "lineups solved and played"):
            for gain in rows:
                found.setdefault(gain.card, Extra(gain.card)).add(gain)
        ordered = sorted(found.values(), key=lambda one: -one.rank)
        if as_json:
            typer.echo(json.dumps(about(solving) | {"cards": [one.plain() for one in ordered]}))
        else:
            tell_extras(solving, ordered, len(lineups))


def verify_exact(
    game: str | None, layers: Sequence[str], sets: Sequence[str], roles: Sequence[str], games: int
) -> None:
    """What `wastelab verify --exact` does: how every closed form fares, a verdict last; exit code 1 if one fails.

    What can't be solved is named and left out, and is no failure.
    """
    from experiments.exact_checks import laws, odd

    known = with_laws(game, bool(layers or sets or roles))
    if game and known and roles:
        mistaken("--role", f"is {roles[0]!r}", f"none, as {game} is looked at as a whole")
    solving = [] if game and known else solvable(game, every=True)
    if roles and game is None:
        solving = with_roles(solving, layers, sets, roles) or solving[:1]
    asking = [asked(one.name, layers, sets, None, None, roles=roles) for one in solving]
    opened = [(one, open_pack(one, layers, sets)) for one in known]
    skipped: list[Skipped] = []
    found = list(solved(asking, games, skipped)) if asking else []
    for one, tables in opened:
        found += counted(laws(one, tables), 0, f"closed forms of {one.name} looked at")
    wrong = odd(found)
    tell_compared(found, wrong, [one for one, _ in asking], skipped)
    if wrong:
        raise typer.Exit(WRONG)


def with_roles(games: Iterable[Game], layers: Sequence[str], sets: Sequence[str], roles: Sequence[str]) -> list[Game]:
    """Those of some games in which all of these roles sit. Raises Mistakes where the pack is wrong."""
    from experiments.exact import roles_wrong

    return [one for one in games if not roles_wrong(one, open_pack(one, layers, sets), roles)]


def solved(asking: Sequence[tuple[Solving, list[Lineup]]], games: int, skipped: list[Skipped]) -> Iterator[Compared]:
    """What is solved, against simulation: pools of dice with the packs' own faces, checks, lineups; `skipped` gets what
    can't be solved."""
    from experiments.exact_checks import faces_of, played, pools

    compiling(asking[0][0].game)
    faces = [pair for solving, lineups in asking for pair in faces_of(solving, lineups)]
    yield from counted(pools(faces), 0, "pools and checks looked at")
    seen = set[str]()
    for solving, lineups in asking:
        each = (list(played(solving, lineup, games, seen, skipped)) for lineup in lineups)
        told = f"lineups of {solving.game.name} solved and played {games:,} times by each bot"
        for some in counted(each, len(lineups), told):
            yield from some


# ---------------------------------------------------------------- what is asked


def solvable(name: str | None, every: bool = False) -> list[Game]:
    """The game asked for, or the first (or every one) that can be solved. Raises Mistakes for one that can't be."""
    games = [one for one in chosen_games(name) if one.solver]
    if not games:
        able = [one.name for one in chosen_games(None) if one.solver or (every and one.laws)]
        mistaken("--game", f"is {name!r}, which can't be solved exactly", ", ".join(able))
    return games if every else games[:1]


def with_laws(name: str | None, narrowed: bool) -> list[Game]:
    """The game asked for, if it knows closed forms without a solver; or all that do, unless what is asked is `narrowed`
    to some pack or roles, which are those of games that are solved."""
    return [] if narrowed and name is None else [one for one in chosen_games(name) if one.laws]


def open_pack(game: Game, layers: Sequence[str], sets: Sequence[str]) -> Tables:
    """The tables of a pack that is asked for. Raises Mistakes."""
    from experiments.config import Asked
    from simcore.packs import Mistakes

    found = Asked.of(game, layers, sets)
    if found.tables is None or found.mistakes:
        raise Mistakes(found.mistakes)
    return found.tables


def asked(
    name: str | None,
    layers: Sequence[str] | None,
    sets: Sequence[str] | None,
    draw: float | None,
    prices: Sequence[str] | None,
    words: Sequence[str] | None = None,
    roles: Sequence[str] | None = None,
) -> tuple[Solving, list[Lineup]]:
    """What to solve, and which lineups: the one that words name, or those of some roles, or all. Raises Mistakes with
    all that is wrong.
    """
    from experiments.config import Asked
    from experiments.exact import Solving, names_wrong, roles_wrong
    from simcore.packs import Mistakes

    (game,) = solvable(name)
    found = Asked.of(game, layers or (), sets or ())
    lineup, wrong = read_lineup(game, words) if words is not None else ((), [])
    if lineup and found.tables:
        wrong += names_wrong(game, found.tables, lineup)
    wrong += roles_wrong(game, found.tables, roles) if roles and found.tables else []
    worth, odd = read_prices(game, prices, draw)
    if found.pack is None or found.mistakes or wrong or odd:
        raise Mistakes([*wrong, *odd, *found.mistakes])
    solving = Solving(game, found.pack, found.settings, worth)
    return solving, [lineup] if lineup else solving.lineups(roles or ())


def options(
    name: str | None,
    layers: Sequence[str] | None,
    sets: Sequence[str] | None,
    draw: float | None,
    prices: Sequence[str] | None,
    roles: Sequence[str] | None,
) -> list[str]:
    """The words that ask for the same again."""
    lists = ("--pack", layers), ("--set", sets), ("--price", prices), ("--role", roles)
    given = [("--game", name)] + [(option, one) for option, every in lists for one in every or ()]
    given.append(("--draw", f"{draw:g}" if draw is not None else None))
    return [part for option, value in given if value is not None for part in (option, value)]


def read_lineup(game: Game, words: Sequence[str]) -> tuple[Lineup, list[Any]]:
    """A role for each seat from words such as --knight mel_gearson --enemy=scrap_hound; or () and what is wrong."""
    from simcore.packs import Mistake, nearest

    flat = [part for word in words for part in (word.split("=", 1) if word.startswith("--") else [word])]
    wanted = [f"--{game.side_of(seat).bot}" for seat in range(game.players)]
    usage = " ".join(f"{one} NAME" for one in wanted)
    names, slugs = flat[::2], flat[1::2]
    odd = dict.fromkeys(name for name in names if name not in wanted)
    wrong = [Mistake(name, "is unknown", usage, nearest(name, wanted)) for name in odd]
    if not wrong and (sorted(names) != sorted(wanted) or len(slugs) < len(names)):
        wrong = [Mistake("who meets", f"is {' '.join(words) or 'not said'}", usage)]
    left = list(zip(names, slugs, strict=False))
    if wrong:
        return (), wrong
    return tuple(left.pop(next(i for i, pair in enumerate(left) if pair[0] == name))[1] for name in wanted), []


def read_prices(game: Game, given: Sequence[str] | None, draw: float | None) -> tuple[dict[str, float], list[Any]]:
    """What an end is worth, by the solver's names, and what is wrong with how it was said."""
    from math import isfinite

    from simcore.packs import Mistake, nearest

    if not given:
        return {"win": 1.0, "draw": EVEN if draw is None else draw, "loss": 0.0}, []
    known, found, wrong = game.solver_prices(), dict[str, float](), list[Mistake]()
    if draw is not None:
        wrong.append(Mistake("--draw", "is given beside --price", f"--price draw={draw:g} in its place"))
    for text in given:
        name, sign, number = (part.strip() for part in text.partition("="))
        try:
            price = float(number)
        except ValueError:
            price = float("inf")
        if name not in known:
            wrong.append(Mistake(f"--price {text}", f"names {name!r}", ", ".join(known), nearest(name, known)))
        elif not sign or not isfinite(price) or abs(price) > 1000:
            wrong.append(Mistake(f"--price {text}", f"has {number or 'no number'}", "a number from -1000 to 1000"))
        else:
            found[name] = price
    return found, wrong


# ---------------------------------------------------------------- while it works


def compiling(game: Game) -> None:
    """Say that the first time takes longer, and compile what isn't yet."""
    from experiments.ahead import compile_ahead

    say("solving; the very first time, the solver is compiled, which takes about a minute")
    compile_ahead(game)


def counted(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """Items as they come, with a line on stderr every ten seconds that says how many there are; total: 0 if unknown."""
    told, of_all = monotonic(), f" of {total:,}" if total else ""
    for done, item in enumerate(items, 1):
        if monotonic() - told >= LINE_SECONDS:
            told = monotonic()
            say(f"{done:,}{of_all} {what}")
        yield item


# ---------------------------------------------------------------- answers


def about(solving: Solving) -> dict[str, Any]:
    """What an answer speaks of, as plain values."""
    assumed, numbers = solving.pack.assumed_share()
    pack = {"pack": solving.pack.name, "assumed": assumed, "numbers_in_pack": numbers}
    return {"game": solving.game.name, **pack, "table": dict(solving.settings), "prices": dict(solving.prices)}


def outlined(row: Answer) -> dict[str, Any]:
    """A row of the whole table as plain values, without what only one lineup's answer has."""
    whole = asdict(row)
    return {name: whole[name] for name in ("lineup", "value", "win", "draw", "loss", "states", "mixed", "gap", "worth")}


def versus(lineup: Lineup) -> str:
    """As in "kate_blanksheet against scrap_hound"."""
    return " against ".join(lineup)


def tell_answer(solving: Solving, found: Answer) -> None:
    """Put the answer for one lineup into words and tables."""
    from experiments.exact import worded

    first, second = found.lineup
    typer.echo(f"{versus(found.lineup)}, both at their best: value {found.value:.4f} ({worded(solving.prices)})")
    typer.echo(f"win {found.win:.4f}, draw {found.draw:.4f}, loss {found.loss:.4f}")
    typer.echo(
        f"{found.states:,} states solved, {found.mixed:,} of them by chance; "
        f"the two sides' guarantees differ by {found.gap:.1e} at most"
    )
    typer.echo(
        "\nwhich card to play first, after what is used before it (of equally good cards the first in the order below; "
        "- : it is over before)"
    )
    plays = found.play.items()
    columns([("", first, second), *((place or "as it begins", *map(chances, play)) for place, play in plays)])
    typer.echo("\nwhat each card is worth to its side: the value with it less the value without it")
    columns([("", first, second), *((move, f"{a:.4f}", f"{b:.4f}") for move, (a, b) in found.worth.items())])
    typer.echo("\nwhat the play of bots loses of the value, against the best answer to it")
    columns([("", first, second), *((bot, f"{a:.4f}", f"{b:.4f}") for bot, (a, b) in found.bots.items())])
    if found.unsolved:
        typer.echo(f"not known of: {', '.join(found.unsolved)}")
    typer.echo(f"\nwhat one more of each printed number adds to the value, which {first} wants high")
    strong = [n for n in found.numbers if abs(n.adds) >= 0.00005]
    columns([(n.path, f"{n.was} to {n.was + 1}", f"{n.adds:+.4f}") for n in strong])
    typer.echo(f"{len(found.numbers) - len(strong)} other numbers change nothing here")


def chances(play: Mapping[str, float]) -> str:
    """How often each card is played, in words."""
    return ", ".join(f"{move} {chance:.0%}" if chance < 1 else move for move, chance in play.items()) or "-"


def tell_table(solving: Solving, rows: Sequence[Answer], numbers: Sequence[Shift]) -> None:
    """The values of all lineups, what each card is worth over them, and the strongest numbers, as tables."""
    from experiments.exact import seated, worded

    body = [(*row.lineup, *(f"{part:.4f}" for part in (row.value, row.win, row.draw, row.loss))) for row in rows]
    columns([(*(side.bot for side in seated(solving.game)), "value", "win", "draw", "loss"), *body])
    typer.echo(f"\n{len(rows):,} lineups, both seats at their best; {worded(solving.prices)}")
    typer.echo(
        f"mean value {sum(row.value for row in rows) / len(rows):.4f}, largest gap {max(r.gap for r in rows):.1e}"
    )
    if rows[0].worth:
        typer.echo("\nwhat each card is worth to its side on average, and most: the value with it less that without")
        heads = ("", *(text for side in ("first", "second") for text in (f"{side} seat", "most", "where")))
        columns([heads, *(tuple(worth_of(rows, move)) for move in rows[0].worth)])
    if numbers:
        typer.echo("\nthe strongest printed numbers: what one more adds to the value, on average over their lineups")
        shown = [one for one in numbers if abs(one.adds) >= 0.00005][:SHOWN]
        columns([("", "", "adds", "lineups", "most", "where"), *map(shifted, shown)])
        typer.echo(f"{len(shown)} of {len(numbers):,} numbers; --json and --out have all")


def worth_of(rows: Sequence[Answer], move: str) -> Iterator[str]:
    """What a card is worth to each side over all lineups."""
    yield move
    for side in range(2):
        best = max(rows, key=lambda row: row.worth[move][side])
        yield f"{sum(row.worth[move][side] for row in rows) / len(rows):.4f}"
        yield f"{best.worth[move][side]:.4f}"
        yield versus(best.lineup) if best.worth[move][side] > 0 else "-"


def shifted(one: Shift) -> tuple[str, ...]:
    """A number's line."""
    numbers = f"{one.was} to {one.was + 1}", f"{one.adds:+.4f}", f"{one.lineups:,}", f"{one.most:+.4f}"
    return one.path, *numbers, versus(one.where)


def tell_extras(solving: Solving, found: Sequence[Extra], lineups: int) -> None:
    """What each card adds, the largest first, and the bound over all of them."""
    from experiments.exact import worded

    kind, _ = solving.game.extra
    cards = solving.pack.cards[kind]
    typer.echo(
        f"what a {kind} card in hand adds to the first seat, in points of 100, on average of {lineups:,} lineups"
    )
    typer.echo(f"both seats know of it and play at their best; {worded(solving.prices)}\n")
    heads = ("", "value", "most", "where", "win rate", "played", "from", "to")
    columns([heads, *((cards[one.card].title, *gained(one)) for one in found)])
    others = [card.title for slug, card in cards.items() if slug not in {one.card for one in found}]
    typer.echo(f"\nnothing to do in it: {', '.join(others) or 'none'}")
    played = [cards[one.card].title for one in found if not one.solved]
    if played:
        typer.echo(f"played and not solved, at the first attack that it helps: {', '.join(played)}")
    games = int(found[0].counts.sum()) if found else 0
    if games:
        tops = [high for one in found if (high := one.gained()[2]) == high]
        most = f"no card adds more than {_points(max(tops))} to the win rate" if tops else "no card changed a game"
        typer.echo(
            f"played: {games:,} games with each card and as many without, on the same dice, by equilibrium bots; "
            f"with 95% intervals (paired), {most}"
        )


def gained(one: Extra) -> Iterator[str]:
    """What one card adds: solved, and played with its interval."""
    row = one.plain()
    where = versus(one.where) if row["most"] else "-"
    yield from (_points(row["value"]), _points(row["most"]), where, _points(row["win"]))
    yield from (_points(row[end]) if row["games"] else "-" for end in ("played", "low", "high"))


def _points(difference: float | None) -> str:
    return "-" if difference is None else f"{100 * difference:+.3f}"


def tell_compared(
    found: Sequence[Compared], wrong: Sequence[Compared], asking: Iterable[Solving], skipped: Sequence[Skipped]
) -> None:
    """How closed forms fared, kind by kind, what was skipped and what is wrong, the verdict last."""
    from experiments.exact_checks import bots_without, kinds

    asking, heads = list(asking), ("closed forms of", "compared", "oddest result: one so odd in")
    body = [(kind, f"{many:,}", f"{1 / max(least, 1e-300):,.3g}") for kind, (many, least) in kinds(found).items()]
    columns([heads, *body])
    for solving in asking:
        left = bots_without(solving)
        if left:
            typer.echo(f"{solving.game.name}: no closed form of the bots {', '.join(left)}")
    for skip in skipped:
        typer.echo(f"skipped: {skip.about}: {skip.why}")
    for one in wrong[:SHOWN]:
        typer.echo(f"wrong: {one.about}: {one.exact:.6f}, came out {one.count / one.many:.6f} ({one.count:,})")
    told = f"{len(found):,} closed forms against simulation, one false alarm in a million"
    told += f"; {len(skipped):,} skipped, named above" if skipped else ""
    unsolved = [one.game.name for one in asking if one.game.name not in kinds(found)]
    for name in unsolved:
        typer.echo(f"{name}: none of its lineups can be solved")
    good = "NO LINEUP SOLVED, ALL ELSE VERIFIED" if unsolved and len(unsolved) == len(asking) else "VERIFIED"
    typer.echo(f"FAILED: {len(wrong)} of {told}" if wrong else f"{good}: {told}")


def make_place(folder: Path) -> None:
    """Make a folder to write into before anything is solved. Raises Trouble where that can't be done."""
    from experiments.ledger import Trouble

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Trouble(f"cannot write to {folder}: {error.strerror or error}") from None


def write_table(solving: Solving, rows: Sequence[Answer], numbers: Sequence[Shift], folder: Path, line: str) -> None:
    """Write the whole table as a page and as data into a folder. Raises Trouble where that can't be done."""
    from experiments.exact_report import write
    from experiments.ledger import Trouble

    try:
        for path in write(solving, rows, numbers, folder, line):
            say(f"written: {path}")
    except OSError as error:
        raise Trouble(f"cannot write to {folder}: {error.strerror or error}") from None
