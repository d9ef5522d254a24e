"""Games of a run told for people: one by its number, or the first that are as asked, in the terminal and as a page.

A search plays the games of the run again, compiled and in blocks of constant memory, and looks at their outcomes;
what it finds is then told from the uncompiled rules, and both must agree.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from experiments.filters import Fits, read_filter, read_pair
from experiments.ledger import Run, Trouble
from experiments.parts import heads, words, write_whole
from experiments.plan import Cell
from experiments.runner import outcome_of, story_of, warm_up
from simcore.game import SHARE, Column, Ending, Game, play_blocks
from simcore.packs import Mistake, Mistakes, is_there, nearest, shown

MOST = 100
WRONG = "wrong: the compiled rules give another outcome"
WAYS = "one of --game N, --first-with NAME=VALUE and --where EXPRESSION"


@dataclass(frozen=True)
class Asked:
    """What a reader asks for, as written: `cell` by id or name; one of `game`, `first_with` and `where`; `count`
    games (None for 1); `page` is the file or folder for a page, "" for the run's folder, None for no page; `variant` is
    one of the run's, None for the baseline alone where cells are named by lineup.
    """

    cell: str | None = None
    game: int | None = None
    first_with: str | None = None
    where: str | None = None
    count: int | None = None
    page: str | None = None
    variant: str | None = None

    @property
    def words(self) -> str:
        """The condition that is searched for, "" where a game is named by its number."""
        return self.where or self.first_with or ""


@dataclass(frozen=True)
class Order:
    """What was asked, checked: look through `cells` for the first `count` games that fit, or tell `game`."""

    cells: tuple[Cell, ...]
    game: int | None
    fits: Fits | None
    count: int


@dataclass(frozen=True)
class Search:
    """What a search found: games by cell and number, how many games it looked at, and in how many cells."""

    found: list[tuple[Cell, int]]
    looked: int
    cells: int


@dataclass(frozen=True)
class Told:
    """One game: its numbers in the order of `Game.columns()`, its story line by line, and whether the compiled
    rules give the same numbers.
    """

    cell: Cell
    game: int
    numbers: list[int]
    story: list[str]
    same: bool


def check(run: Run, asked: Asked) -> Order:
    """What a reader asked for, ready to be done. Raises Mistakes with all that is wrong."""
    ways = [way for way in (asked.game, asked.first_with, asked.where) if way is not None]
    chosen = f"games are chosen in {len(ways)} ways" if ways else "no game is chosen"
    mistakes = [] if len(ways) == 1 else [Mistake("", chosen, WAYS)]
    cells = _cells(run, asked, mistakes)
    fits = _fits(run, asked, mistakes)
    if asked.count is not None and asked.game is not None:
        mistakes.append(Mistake("--count", "goes with --first-with and --where"))
    elif asked.count is not None and not 1 <= asked.count <= MOST:
        mistakes.append(Mistake("--count", f"is {asked.count}", f"1 to {MOST}"))
    if asked.page and not (is_there(asked.page) and Path(asked.page).is_dir()):
        mistakes += _page_wrong(Path(asked.page))
    if mistakes:
        raise Mistakes(mistakes)
    return Order(cells, asked.game, fits, asked.count or 1)


def _cells(run: Run, asked: Asked, mistakes: list[Mistake]) -> tuple[Cell, ...]:
    """The cells to look in, and whether they have a game of that number."""
    cells, known = run.plan.cells, [one.name for one in run.config.variant]
    if asked.variant is not None and asked.variant not in known:
        wrong = f"is {shown(asked.variant)}, which is no variant of this run"
        allowed = ", ".join(known) or "nothing: the run has none"
        mistakes.append(Mistake("--variant", wrong, allowed, nearest(asked.variant, known)))
        return ()
    if asked.variant is not None:
        cells = tuple(one for one in cells if one.variant == asked.variant)
    names = [one.name for one in cells]
    if asked.cell is not None:
        try:
            cells = (_found(run, asked),)
        except KeyError:
            wrong = f"is {shown(asked.cell)}, which is no cell of this run"
            mistakes.append(Mistake("--cell", wrong, f"as in {shown(names[0])}", nearest(asked.cell, names)))
            return ()
    if asked.game is not None and len(cells) > 1:
        mistakes.append(Mistake("--cell", f"is missing: this run has {len(cells):,} cells", f"as in {shown(names[0])}"))
    elif asked.game is not None and not 0 <= asked.game < cells[0].games:
        mistakes.append(Mistake("--game", f"is {shown(asked.game)}", f"0 to {cells[0].games - 1}"))
    return cells


def _found(run: Run, asked: Asked) -> Cell:
    """The cell that was asked for; with --variant, that variant of it. Raises KeyError."""
    sought = asked.cell or ""
    if asked.variant is None:
        return run.plan.find(sought)
    fits = [
        one
        for one in run.plan.cells
        if one.variant == asked.variant and sought in (one.id, one.name, one.name.partition(" [")[0])
    ]
    if not fits:
        base = run.plan.find(sought)
        fits = [one for one in run.plan.cells if _beside(one, base) and one.variant == asked.variant]
    if len(fits) != 1:
        raise KeyError(sought)
    return fits[0]


def _beside(one: Cell, other: Cell) -> bool:
    return (one.lineup, one.point) == (other.lineup, other.point)


def _fits(run: Run, asked: Asked, mistakes: list[Mistake]) -> Fits | None:
    """The tests of outcomes that were asked for; the last one, if there are two by mistake."""
    fits = None
    for text, read in ((asked.first_with, read_pair), (asked.where, read_filter)):
        if text is not None:
            try:
                fits = read(text, run.game, run.tables)
            except Mistakes as wrong:
                mistakes += wrong.mistakes
    return fits


def _page_wrong(path: Path) -> list[Mistake]:
    """What is wrong with the name of a page: other files are not written over by a slip."""
    wrong = []
    if path.suffix.lower() not in (".html", ".htm"):
        wrong.append(
            Mistake("--html", f"is {shown(str(path))}", "a file that ends in .html, or a folder that is there")
        )
    elif not (is_there(path.parent) and path.parent.is_dir()):
        wrong.append(Mistake("--html", f"is in {shown(str(path.parent))}, which is no folder"))
    return wrong


def search(
    run: Run, cells: Sequence[Cell], fits: Fits, count: int = 1, step: Callable[[int], None] = lambda games: None
) -> Search:
    """The first `count` games that fit, among those that the ledger has of some cells, cell by cell from game 0.

    fits: a test of outcomes as `filters.read_filter` makes it; step: told how many games were just looked at.
    Raises Damaged where the ledger is.
    """
    found: list[tuple[Cell, int]] = []
    looked = 0
    for number, cell in enumerate(cells, 1):
        for start, played in _played(run, cell):
            hits = np.flatnonzero(fits(played.view(np.int64).reshape(len(played), -1)))[: count - len(found)]
            found += [(cell, start + int(hit)) for hit in hits]
            if len(found) == count:
                return Search(found, looked + int(hits[-1]) + 1, number)
            looked += len(played)
            step(len(played))
    return Search(found, looked, len(cells))


def _played(run: Run, cell: Cell) -> Iterator[tuple[int, Any]]:
    """The games that the ledger has of a cell, played again in blocks, as `simcore.game.play_blocks` gives them."""
    seats, root, tables = run.plan.seats(cell), run.plan.root(cell), run.plan.tables(cell)
    for first, stop in run.done(cell):
        yield from play_blocks(run.game, tables, seats, root, first, stop)


def tell(run: Run, cell: Cell, game: int) -> Told:
    """One game of a cell, by its number from 0: its story, and whether compiled and uncompiled rules agree."""
    numbers, story = story_of(run, cell, game)
    return Told(cell, game, numbers, story, numbers == outcome_of(run, cell, game))


# ---------------------------------------------------------------- the command


def replay_games(run: Run, asked: Asked, echo: Callable[[str], None], say: Callable[[str], None]) -> bool:
    """Do what `wastelab replay` was asked: write the games as a page, and tell them then.

    echo: gets the answer, a text a game; say: gets remarks. True if a game was found and both ways to play it agree.
    Raises Mistakes for what was asked wrongly, Trouble for a page that can't be written.
    """
    order = check(run, asked)
    if not run.same_code:
        say("the rules installed here are not those that this run was played with")
    chosen, found = _chosen(run, order, asked, say)
    games = [tell(run, cell, game) for cell, game in chosen]
    writes = games and asked.page is not None
    path = _write(run, games, (asked.words, found), Path(asked.page or run.folder)) if writes else None
    for place, told in enumerate(games):
        echo("\n".join([*([""] if place else []), *told_lines(run, told)]))
    if path:
        echo(str(path))
    return bool(games) and all(told.same for told in games)


def _chosen(run: Run, order: Order, asked: Asked, say: Callable[[str], None]) -> tuple[list[tuple[Cell, int]], str]:
    """The games to tell, and where they were found, in words; "" where one was named by its number."""
    from experiments.terminal import show_progress

    if order.fits is None:
        return [(order.cells[0], order.game or 0)], ""
    total = sum(stop - first for cell in order.cells for first, stop in run.done(cell))
    warm_up(run, order.cells[0], say)
    with show_progress(total, 0) as progress:
        result = search(run, order.cells, order.fits, order.count, progress.step)
    scope = order.cells[0].name if result.cells == 1 else f"{result.cells:,} cells"
    found = f"{len(result.found) or 'none'} found in {result.looked:,} games of {scope}, looked at in order from game 0"
    say(f"{asked.words}: {found}")
    return result.found, found


def told_lines(run: Run, told: Told) -> list[str]:
    """A game as lines for a terminal: the story, then its numbers in columns."""
    from experiments.terminal import aligned

    account = Account.of(run, told)
    table = [("", *(seat.title for seat in account.seats))]
    table += [("bot", *(seat.bot for seat in account.seats))]
    table += [(line.name, *map(str, line.values)) for line in account.of_seats]
    lines = [f"{account.title}, game {told.game:,} (cell {told.cell.id}, seed {run.config.seed})"]
    lines += [f"  {line}" for line in told.story]
    lines += ["", f"ending: {account.ending.name}, {account.ending.about}"]
    lines += [f"{line.name}: {line.values[0]}" for line in account.of_game]
    lines += aligned(table)
    lines += [f"0 for all: {', '.join(account.zeros)}"] if account.zeros else []
    lines += ["the compiled rules give the same outcome" if told.same else WRONG]
    return lines


# ---------------------------------------------------------------- what an outcome says


@dataclass(frozen=True)
class Seat:
    """Who sits somewhere, for people: role and bot by name, the number of the seat from 1."""

    number: int
    title: str
    bot: str


@dataclass(frozen=True)
class Line:
    """A number of the outcome: one value for the game, or one for each seat; `about` says what it is."""

    name: str
    about: str
    values: tuple[int, ...]


@dataclass(frozen=True)
class Account:
    """The outcome of a game with names: `zeros` are the names of the numbers of seats that are 0 for all. Numbers of
    the game that speak of a card are left out where they are 0."""

    title: str
    verdict: str
    ending: Ending
    seats: list[Seat]
    of_game: list[Line]
    of_seats: list[Line]
    zeros: list[str]

    @classmethod
    def of(cls, run: Run, told: Told) -> Account:
        """The account of one game of a run."""
        whole, seated = _parted(run.game, told.numbers)
        ending = run.game.endings[whole[0][1]]
        roles = next(values for column, values in seated if column.name == "role")
        seats = [_seat(run, told.cell, number, role) for number, role in enumerate(roles) if role >= 0]
        # an empty seat is nobody, and has no numbers
        numbers = [
            (column, tuple(value for value, role in zip(values, roles, strict=True) if role >= 0))
            for column, values in seated
            if column.name != "role"
        ]
        shares = next(values for column, values in numbers if column.name == "share")
        return cls(
            title=" against ".join(dict.fromkeys(_teams(run.game, seats))),
            verdict=f"{_winners(seats, shares, ending.kind)}: {ending.about}.",
            ending=ending,
            seats=seats,
            of_game=[_line(run, column, (value,)) for column, value in whole[1:] if value or not column.card],
            of_seats=[_line(run, column, values) for column, values in numbers if any(values)],
            zeros=[column.name for column, values in numbers if not any(values)],
        )


def _parted(
    game: Game, numbers: Sequence[int]
) -> tuple[list[tuple[Column, int]], list[tuple[Column, tuple[int, ...]]]]:
    """The numbers of the game, and those of the seats gathered by column."""
    pairs = list(zip(game.columns(), numbers, strict=True))
    whole = [(column, value) for (seat, column), value in pairs if seat is None]
    columns = [column for (seat, column), _ in pairs if seat == 0]
    values = np.array([value for (seat, _), value in pairs if seat is not None]).reshape(game.players, -1)
    return whole, [(column, tuple(map(int, values[:, place]))) for place, column in enumerate(columns)]


def _seat(run: Run, cell: Cell, number: int, role: int) -> Seat:
    side = run.game.side_of(number)
    return Seat(number + 1, run.tables.roles[side.key][role].title, run.plan.world(cell).bots[side.bot])


def _teams(game: Game, seats: Sequence[Seat]) -> list[str]:
    """Who plays against whom: rivals one by one, the sides of a game with several as one each."""
    if game.rivals:
        return [seat.title for seat in seats]
    sides: dict[str, list[str]] = {}
    for seat in seats:
        sides.setdefault(game.side_of(seat.number - 1).key, []).append(seat.title)
    return [", ".join(titles) for titles in sides.values()]


def _winners(seats: Sequence[Seat], shares: Sequence[int], kind: str) -> str:
    """Who won, as a sentence without its point."""
    least = 1 if kind == "shared" else SHARE
    winners = [seat.title for seat, share in zip(seats, shares, strict=True) if share >= least]
    word = "share the win" if kind == "shared" else "wins" if len(winners) == 1 else "win"
    return f"{', '.join(winners)} {word}" if winners else "Nobody wins"


def _line(run: Run, column: Column, values: tuple[int, ...]) -> Line:
    game = run.game
    called = f"; called {game.rounds_called} here" if column.name == "rounds" != game.rounds_called else ""
    name = heads(game, run.tables).get(column.name, column.name)
    return Line(name, f"{column.about}{called} ({column.unit})", values)


# ---------------------------------------------------------------- the page


@dataclass(frozen=True)
class Block:
    """A part of a story: a line, and what belongs to it."""

    head: str
    lines: list[str]


def blocks(story: Sequence[str]) -> list[Block]:
    """A story in parts: a line that is indented belongs to the last one before it that isn't."""
    found: list[Block] = []
    for line in story:
        if not line.startswith(" "):
            found.append(Block(line, []))
        elif not found:
            found.append(Block("", [line.strip()]))
        else:
            found[-1].lines.append(line.strip())
    return found


def page(run: Run, games: Sequence[Told], sought: tuple[str, str] = ("", "")) -> str:
    """Games of a run as one self-contained HTML page.

    games: one or more, as `tell` gives them; sought: the condition that they fit and where they were found, in
    words; both "" where they were named by number.
    """
    from experiments.pages import rendered

    accounts = [Account.of(run, told) for told in games]
    return rendered(
        "replay.html",
        title=accounts[0].title if len(games) == 1 else f"{len(games)} games: {run.config.title}",
        game=run.game.title,
        sought=sought[0],
        found=sought[1],
        games=[(told, account, blocks(told.story)) for told, account in zip(games, accounts, strict=True)],
        made=_made(run),
        again=_again(run, games),
        config=_config_text(run),
        config_name=_config_name(run),
        version=version("wastelab"),
    )


def _made(run: Run) -> list[tuple[str, str]]:
    """What the numbers rest on: name and words."""
    config, pack = run.config, run.pack
    assumed, numbers = pack.assumed_share()
    settings = [(s.name, f"{config.table.get(s.name, s.default)}: {s.about}") for s in run.game.settings]
    return [
        ("run", f"{run.name}: {config.title}"),
        ("game", f"{run.game.title} ({run.game.name})"),
        ("pack", f"{pack.title} ({pack.name}), digest {pack.digest[:12]}"),
        ("assumed", f"{assumed} of {numbers} numbers of this pack; the others are printed or published"),
        *(("changed", f"{path} = {value}") for path, value in sorted(config.changes.items())),
        ("bots", ", ".join(f"{bot} as {words(who)}" for who, bot in config.bots.items())),
        ("seed", str(config.seed)),
        *settings,
    ]


def _again(run: Run, games: Sequence[Told]) -> list[str]:
    """The commands that play these games again, from the config alone."""
    replays = [
        f"wastelab replay {shlex.quote(f'results/{run.name}')} --cell {told.cell.id} --game {told.game}"
        for told in games
    ]
    return [f"wastelab run {shlex.quote(_config_name(run))}", *replays]


def _config_name(run: Run) -> str:
    return f"{run.manifest['name']}.toml"


def _config_text(run: Run) -> str:
    from experiments.provenance import config_text

    return config_text(run)


def _write(run: Run, games: Sequence[Told], sought: tuple[str, str], where: Path) -> Path:
    """Write the page into a file, or into a folder under a name of its own; one that is there is replaced at once."""
    path = where / f"replay-{games[0].cell.id}-{games[0].game}.html" if is_there(where) and where.is_dir() else where
    try:
        write_whole(path, page(run, games, sought))
    except OSError as error:
        raise Trouble(f"cannot write to {path}: {error.strerror or error}") from None
    if path.absolute().parent == run.folder.absolute():
        with suppress(Trouble):  # a run that is being played: its page stays unknown to `verify`, which says so
            run.ledger.wrote(path)
    return path
