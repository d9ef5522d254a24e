"""The command line of packs: `wastelab pack check | show | new | diff | export | import`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from experiments.terminal import chosen_games, columns, guarded, mistaken, say

if TYPE_CHECKING:
    from simcore.packs import Pack, Schema

app = typer.Typer(help="Card data: check, show, copy and compare it, edit it in spreadsheets.", no_args_is_help=True)

OfGame = Annotated[str | None, typer.Option("--game", help="Only of this game.")]
AnyPack = Annotated[
    str, typer.Argument(metavar="GAME|FOLDER|FILE", help="A game, a pack's folder, or a file to lay over.")
]
NewFolder = Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder that is not there yet, or empty.")]


@app.command("check")
def pack_check(pack: AnyPack, game: OfGame = None) -> None:
    """Check a pack: all mistakes at once, or how many of its numbers are assumed."""
    with guarded():
        checked = _load_pack(pack, game)
        assumed, numbers = checked.assumed_share()
        for kind, cards in checked.cards.items():
            typer.echo(f"{len(cards):5}  {kind}")
        for line in [*checked.against_the_book(), *checked.unplayed()]:
            typer.echo(line)
        typer.echo(f"{checked.name}: no mistakes; {assumed} of {numbers} numbers are assumed")


@app.command("show")
def pack_show(
    pack: AnyPack,
    assumed: Annotated[bool, typer.Option("--assumed", help="Only what is assumed.")] = False,
    game: OfGame = None,
) -> None:
    """Show every value of a pack and where it comes from."""
    with guarded():
        from simcore.packs import describe

        rows = describe(_load_pack(pack, game), assumed)
        columns([("kind", "card", "field", "value", "from"), *(tuple(map(str, row)) for row in rows)])


@app.command("new")
def pack_new(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game, as `wastelab list games` names it.")],
    folder: NewFolder,
) -> None:
    """Make a pack of your own: a commented copy of the game's reference pack, to edit."""
    with guarded():
        from experiments.pack_files import write_folder

        named = _named_schemas()
        if game not in named:
            from simcore.packs import nearest

            mistaken("GAME", f"is {game!r}", ", ".join(named), nearest(game, named))
        schema = named[game]
        source = schema.folder / "reference"
        files = {path.name: path.read_bytes() for path in sorted(source.glob("*.toml"))}
        steps = _next_steps(schema, folder)
        vocabulary = schema.folder / "README.md"
        words = vocabulary.read_text("utf-8") if vocabulary.is_file() else ""
        write_folder(folder, {**files, "README.md": "\n".join([_start(steps), words]).encode()})
        for file, held in _holdings(schema, folder):
            typer.echo(f"{folder / file}: {held}")
        for step in steps:
            typer.echo(step)


@app.command("diff")
def pack_diff(
    a: AnyPack,
    b: AnyPack,
    game: OfGame = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON to stdout.")] = False,
) -> None:
    """What changed from one pack to another, card by card: values, origins, rulings. "reference" is a pack, too."""
    with guarded():
        from experiments.pack_diff import differences, lines

        schema = _shared_schema(a, b, game)
        old, new = (_load_of(schema, pack) for pack in (a, b))
        found = differences(old, new)
        if as_json:
            typer.echo(json.dumps({"a": old.name, "b": new.name, **found.plain()}, ensure_ascii=False, indent=1))
            return
        for line in lines(found):
            typer.echo(line)


@app.command("export")
def pack_export(
    pack: AnyPack,
    folder: NewFolder,
    as_csv: Annotated[bool, typer.Option("--csv", help="As CSV files; there is no other form yet.")] = True,
    separator: Annotated[
        str, typer.Option(help="comma, semicolon or tab: what your spreadsheet program expects.")
    ] = "comma",
    game: OfGame = None,
) -> None:
    """Write a pack as spreadsheets: a CSV file for each kind of card. `pack import` reads them back."""
    with guarded():
        from experiments.pack_files import write_folder
        from experiments.sheets import SEPARATORS, guide, to_sheets
        from simcore.packs import nearest

        if separator not in SEPARATORS:
            mistaken("--separator", f"is {separator!r}", ", ".join(SEPARATORS), nearest(separator, SEPARATORS))
        written = _load_pack(pack, game)
        sheets = to_sheets(written, SEPARATORS[separator])
        write_folder(folder, {**sheets, "README.md": guide(written.schema).encode()})
        for name in sheets:
            typer.echo(folder / name)
        typer.echo(f"{folder / 'README.md'}: what each column may hold")
        typer.echo(f"back into a pack: wastelab pack import {quote(str(folder))} NEW_FOLDER")


@app.command("import")
def pack_import(
    sheets: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder of CSV files, as `pack export` makes.")],
    folder: Annotated[Path, typer.Argument(metavar="NEW_FOLDER", help="Where the pack is made: new, or empty.")],
    game: OfGame = None,
) -> None:
    """Make a pack from spreadsheets. All mistakes are told by sheet, row and column, and then nothing is made."""
    with guarded():
        from experiments.pack_files import refuse_full, to_toml, write_folder
        from experiments.sheets import from_sheets, kind_named
        from simcore.packs import is_there

        refuse_full(folder)
        every = {kind for schema in _schemas(game).values() for kind in schema.all_kinds()}
        kinds = {kind_named(path.stem, every) for path in sheets.glob("*.*")} if is_there(sheets) else set()
        pack, notes = from_sheets(_fitting(kinds, game), sheets, folder.absolute().name)
        write_folder(folder, to_toml(pack))
        for note in [*notes, *map(str, pack.unplayed())]:
            say(note)
        assumed, numbers = pack.assumed_share()
        cards = sum(len(of) for of in pack.cards.values())
        typer.echo(f"{folder}: {cards} cards, no mistakes; {assumed} of {numbers} numbers are assumed")


# ---------------------------------------------------------------- which game, which pack


def _schemas(game: str | None) -> dict[str, Schema]:
    """The schemas of packs, by the game family that they are of."""
    games = chosen_games(None)
    if game is not None and game not in [name for one in games for name in (one.name, one.schema.game)]:
        chosen_games(game)
    return {one.schema.game: one.schema for one in games if game in (None, one.name, one.schema.game)}


def _named_schemas() -> dict[str, Schema]:
    """The schemas by all names that a game goes by: its family's and its own."""
    return {**_schemas(None), **{one.name: one.schema for one in chosen_games(None)}}


def _load_pack(pack: str, game: str | None) -> Pack:
    """The reference pack of a game, a folder's pack, or a small file laid over the reference pack."""
    from simcore.packs import is_there, load

    named = _named_schemas()
    if pack in named and not is_there(pack):
        return load(named[pack])
    return _load_of(_fitting(_kinds_of(Path(pack)), game), pack)


def _load_of(schema: Schema, pack: str) -> Pack:
    """A pack of a game that is known: named by the game or a shipped pack's name, a folder, or a file to lay over."""
    from simcore.packs import is_there, load

    if not is_there(pack):
        return load(schema) if pack in _named_schemas() else load(schema, [pack])
    return load(schema, ["reference", pack] if Path(pack).is_file() else [pack])


def _shared_schema(a: str, b: str, game: str | None) -> Schema:
    """The schema of two packs that are to be compared."""
    from simcore.packs import is_there

    named = {name: schema for name, schema in _named_schemas().items() if not is_there(name)}
    called = {named[pack].game: named[pack] for pack in (a, b) if pack in named}
    if len(called) == 2:
        mistaken("the packs", f"are of two games: {' and '.join(called)}", "two packs of one game")
    if called and game is None:
        return next(iter(called.values()))
    return _fitting(_kinds_of(Path(a)) | _kinds_of(Path(b)), game)


def _fitting(kinds: Iterable[str], game: str | None) -> Schema:
    """The schema of the game that was asked for, else the one that knows most of these kinds of card."""
    schemas, found = list(_schemas(game).values()), set(kinds)
    return max(schemas, key=lambda schema: len(found & set(schema.kinds)))


def _kinds_of(path: Path) -> set[str]:
    """The names of the tables in a pack's files."""
    from simcore.packs import Mistakes, is_there, read_toml

    kinds: set[str] = set()
    for file in sorted(path.glob("*.toml")) if is_there(path) and path.is_dir() else [path]:
        try:
            kinds |= set(read_toml(file))
        except Mistakes:
            continue
    return kinds


# ---------------------------------------------------------------- what a new pack says


def _holdings(schema: Schema, folder: Path) -> Sequence[tuple[str, str]]:
    """Each file of a pack, and how many cards of which kinds it holds, as in "13 knight"."""
    from simcore.packs import read_toml

    kinds, found = schema.all_kinds(), []
    for path in sorted(folder.glob("*.toml")):
        tables = read_toml(path)
        held = [kind if kinds[kind].single else f"{len(cards)} {kind}" for kind, cards in tables.items()]
        found.append((path.name, ", ".join(held)))
    return found


def _next_steps(schema: Schema, folder: Path) -> list[str]:
    """What to do with a new pack: where to begin, how to check, compare and play it."""
    from experiments.config import shipped_configs
    from simcore.packs import read_toml

    games = [one.name for one in chosen_games(None) if one.schema is schema]
    plays: dict[str, str] = {}
    for name, path in shipped_configs().items():
        plays.setdefault(read_toml(path)["game"], name)
    config = next((plays[game] for game in games if game in plays), "CONFIG")
    place = quote(str(folder))
    return [
        f"name it:  title and about in {folder / 'pack.toml'}; then change cards, and say where numbers come from",
        f"check it: wastelab pack check {place}",
        f"compare:  wastelab pack diff {schema.game} {place}",
        f"play it:  wastelab run {config} --pack {place}",
        f"or edit it in a spreadsheet: wastelab pack export {place} SHEETS --csv",
    ]


def _start(steps: Sequence[str]) -> str:
    """The first lines of a new pack's README."""
    return "\n".join(["# Your pack", "", "```", *steps, "```", "", "What a card can hold and do follows.", ""])
