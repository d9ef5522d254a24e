"""The command line of packs: `wastelab pack check | show`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from experiments.terminal import chosen_games, columns, guarded

if TYPE_CHECKING:
    from simcore.packs import Pack, Schema

app = typer.Typer(help="Card data: check it, show it.", no_args_is_help=True)

OfGame = Annotated[str | None, typer.Option("--game", help="Only of this game.")]


@app.command("check")
def pack_check(
    pack: Annotated[str, typer.Argument(metavar="GAME|FOLDER", help="A game, a pack's folder, or a file to lay over.")],
    game: OfGame = None,
) -> None:
    """Check a pack: all mistakes at once, or how many of its numbers are assumed."""
    with guarded():
        checked = _load_pack(pack, game)
        assumed, numbers = checked.assumed_share()
        for kind, cards in checked.cards.items():
            typer.echo(f"{len(cards):5}  {kind}")
        typer.echo(f"{checked.name}: no mistakes; {assumed} of {numbers} numbers are assumed")


@app.command("show")
def pack_show(
    pack: Annotated[str, typer.Argument(metavar="GAME|FOLDER", help="A game, a pack's folder, or a file to lay over.")],
    assumed: Annotated[bool, typer.Option("--assumed", help="Only what is assumed.")] = False,
    game: OfGame = None,
) -> None:
    """Show every value of a pack and where it comes from."""
    with guarded():
        from simcore.packs import describe

        rows = describe(_load_pack(pack, game), assumed)
        columns([("kind", "card", "field", "value", "from"), *(tuple(map(str, row)) for row in rows)])


def _schemas(game: str | None) -> dict[str, Schema]:
    """The schemas of packs, by the game family that they are of."""
    games = chosen_games(None)
    if game is not None and game not in [name for one in games for name in (one.name, one.schema.game)]:
        chosen_games(game)
    return {one.schema.game: one.schema for one in games if game in (None, one.name, one.schema.game)}


def _load_pack(pack: str, game: str | None) -> Pack:
    """The reference pack of a game, a folder's pack, or a small file laid over the reference pack."""
    from simcore.packs import load

    named = {name: schema for name, schema in _schemas(None).items()}
    named |= {one.name: one.schema for one in chosen_games(None)}
    if pack in named and not Path(pack).exists():
        return load(named[pack])
    schemas = list(_schemas(game).values())
    schema = schemas[0] if len(schemas) == 1 else _best(schemas, Path(pack))
    return load(schema, ["reference", pack] if Path(pack).is_file() else [pack])


def _best(schemas: Sequence[Schema], path: Path) -> Schema:
    """The schema that knows most of the tables in a pack's files."""
    from simcore.packs import Mistakes, read_toml

    files = sorted(path.glob("*.toml")) if path.is_dir() else [path]
    kinds: set[str] = set()
    for file in files:
        try:
            kinds |= set(read_toml(file))
        except Mistakes:
            continue
    return max(schemas, key=lambda schema: len(kinds & set(schema.kinds)))
