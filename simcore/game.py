"""The contract that every game keeps, and the list of games.

Everything in experiments works from what is here alone: who can sit at a table, what a pack holds, what one game's
outcome is, and a compiled `play_range` that plays a range of games. All numbers of an outcome are int64.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from simcore.kernels import blank, entry, plain, record

Ints = npt.NDArray[np.int64]
T = TypeVar("T")

SHARE = 60
"""A win in 60ths: a shared win and a draw are split into whole parts for up to six players."""


class Unsolvable(ValueError):
    """A lineup, or a way to play it, that a game's solver can't solve; says why in plain words."""


@dataclass(frozen=True)
class Ending:
    """How a game can end: `kind` is one of KINDS and decides what is counted as a win, a draw and so on."""

    name: str
    kind: str
    about: str


KINDS = ("won", "shared", "draw", "lost_by_all", "capped", "overflow")
STANDARD_ENDINGS = (
    Ending("won", "won", "one seat wins"),
    Ending("shared", "shared", "several seats share the win"),
    Ending("draw", "draw", "nobody wins"),
    Ending("lost_by_all", "lost_by_all", "a whole crew loses"),
    Ending("capped", "capped", "the game reached its limit of steps"),
    Ending("overflow", "overflow", "the game outgrew a capacity of its tables: this must never happen"),
)
CAPPED, OVERFLOW = 4, 5

LENGTHS = 128
"""Lengths of games that a tally tells apart."""


@dataclass(frozen=True)
class Column:
    """One number of an outcome: its field name, its unit and what it means; of one that speaks of a card, such as
    "sunk_3", the card's kind and its place in `Tables.titles`; `flag`: whether it is 0 or 1 in every game."""

    name: str
    unit: str
    about: str
    card: tuple[str, int] | None = None
    flag: bool = False

    def title(self, titles: Mapping[str, Sequence[str]]) -> str:
        """The title of its card; "" for a column without one, and where the pack has no such card."""
        kind, place = self.card or ("", 0)
        return next(iter(titles.get(kind, ())[place : place + 1]), "")


GAME_COLUMNS = (
    Column("ending", "code", "how the game ended"),
    Column("rounds", "rounds", "rounds played"),
)
SEAT_COLUMNS = (
    Column("role", "code", "who sits here, as a place in the list of roles; -1 for an empty seat"),
    Column("place", "place", "1 for the winner; rivals that draw share a place"),
    Column("share", "60ths", "60 for a win, equal parts of a shared win or a draw"),
    Column("score", "points", "the game's own score"),
)

PLACE_AT, SHARE_AT = 1, 2
"""Where place and share stand among SEAT_COLUMNS."""


ALL = "all"
EVERY = f"{ALL}/{ALL}"
"""What names every role of a side, and every version of every role."""


@dataclass(frozen=True)
class Role:
    """A knight, an enemy, a gang or a crew member: `slug` in the pack, `title` for people.

    A role that a player chooses in one of several versions stands in the list once for each: `of` is the name that
    its versions share, `slug` is "name/version", and `usual` is true for the version that the name alone means. A table
    has one version of a role at most. `of` is "" for a role without versions."""

    slug: str
    title: str
    of: str = ""
    usual: bool = True

    @property
    def name(self) -> str:
        """The name that all versions of the role share; the slug of a role without versions."""
        return self.of or self.slug


def roles_named(roles: Sequence[Role], name: str) -> list[Role]:
    """The roles of a side that a name means, in their order; none for a name that means nothing.

    A slug means its role; "brute" the usual version of the brute and "brute/all" every version of it; "all" each role
    in its usual version and "all/all" every version of every role."""
    found = [role for role in roles if role.slug == name]
    if not found:
        found = [role for role in roles if role.usual and name in (ALL, role.of or None)]
    if not found and name.endswith(f"/{ALL}"):
        of = name.removesuffix(f"/{ALL}")
        found = [role for role in roles if of in (ALL, role.of or None)]
    return found


def role_names(roles: Sequence[Role]) -> list[str]:
    """Every name that means one role: all slugs, and the names of roles with versions."""
    return list(dict.fromkeys([*(role.slug for role in roles), *(role.name for role in roles)]))


def usual_roles(roles: Sequence[Role]) -> list[str]:
    """The slugs of each role of a side in its usual version, in order: any of them may sit down together."""
    return [role.slug for role in roles if role.usual]


@dataclass(frozen=True)
class Side:
    """A group of like seats: `key` in [lineup], `bot` in [bots], how many of its roles sit at a table at most, and the
    fewest that may sit there (0: always as many)."""

    key: str
    bot: str
    seats: int
    least: int = 0


@dataclass(frozen=True)
class Tables:
    """A pack ready to play: one record for the kernels, the names for people.

    `roles` are those that can sit down with these settings; `absent` says of each other role of the pack, by side, why
    it cannot. `titles` are those of other cards by kind, for `Game.tell`."""

    data: Any
    roles: Mapping[str, tuple[Role, ...]]
    bots: tuple[str, ...]
    titles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    absent: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Setting:
    """A number of the table (not of a card): its default, its range and what it means."""

    name: str
    default: int
    low: int
    high: int
    about: str


@dataclass(frozen=True)
class Game:
    """What a game hands over.

    `name` as in a config ("knights.fight"); `sides` in seat order; `endings` = STANDARD_ENDINGS and its own after
    them; `game_columns` and `seat_columns` are its own numbers after the common ones; `settings` are what [table]
    may set; `schema` describes its packs; `load(pack, settings)` makes Tables; `play_range(tables.data, seats, root,
    first, stop, out, journal=None)` fills `out[i]` for game `first + i`; `tell(tables, row, journal, outcome)` puts a
    journal into plain words, a line a happening; an indented line belongs to the last one that isn't. `solver` names
    what solves the game exactly, as "module:class" (`open_solver`), and `laws` what is known of it in closed form
    without that, as "module:function" (`closed_forms`); "" where nothing does. `extra`: a kind of cards that the first
    seat doesn't have by itself, and the setting that gives it one, by its place in the pack. `rotate` is
    how its lineups are seated where a config doesn't say (`seatings`); `crew`: whether all at the table win and lose
    together, and are no rivals. Raises ValueError for a crew, and for seats that may stay empty (`Side.least`), in a
    game of several sides.
    """

    name: str
    title: str
    sides: tuple[Side, ...]
    endings: tuple[Ending, ...]
    game_columns: tuple[Column, ...]
    seat_columns: tuple[Column, ...]
    settings: tuple[Setting, ...]
    schema: Any
    load: Callable[[Any, Mapping[str, int]], Tables]
    play_range: Any
    tell: Callable[[Tables, Any, Any, Any], list[str]]
    rounds_called: str = "rounds"
    package: str = ""
    solver: str = ""
    laws: str = ""
    extra: tuple[str, ...] = ()
    rotate: str = "all"
    crew: bool = False
    outcome: np.dtype[Any] = field(init=False)

    def __post_init__(self) -> None:
        if len(self.sides) > 1 and (self.crew or any(side.least for side in self.sides)):
            raise ValueError(f"{self.name} has several sides: it is no crew, and none of its seats may stay empty")
        object.__setattr__(self, "outcome", outcome_dtype(self.game_columns, self.seat_columns, self.players))

    @property
    def players(self) -> int:
        """How many seats a table has."""
        return sum(side.seats for side in self.sides)

    @property
    def rivals(self) -> bool:
        """Whether all seats are of one side, whose roles play against one another."""
        return len(self.sides) == 1 and not self.crew

    def open_solver(self, tables: Tables, row: Any, start: str = "") -> Any:
        """Open one seating to be solved exactly; imported when asked for, as it takes long to compile.

        What comes back has `moves` (names of hidden choices), `places` (where it may begin, for `start`; "" as the
        rules have it), `modes` (how a side may play: "best", or as the bot of that name does) and `solve(modes, prices,
        without, whole)`, whose answer has value, win, draw, loss, states, mixes, gap and play; and to be verified,
        `faces` (success, top of the pack's pools) and `checks(seen, draws, seed)`: (what it is, chances, counts of so
        many draws) for each check but those in the set `seen`, which it adds to. Raises ValueError for a game that has
        no solver, or a seating that it cannot solve.
        """
        if not self.solver:
            raise ValueError(f"{self.name} cannot be solved exactly")
        module, _, name = self.solver.partition(":")
        return getattr(importlib.import_module(module), name)(tables, row, start)

    def closed_forms(self, tables: Tables, draws: int, seed: int) -> Iterator[tuple[str, str, Any, Any]]:
        """What is known of some tables in closed form without a solver, each beside so many draws: its kind and what it
        is about, in words, the chances, and how often each came out. Nothing where a game has no `laws`."""
        if not self.laws:
            return iter(())
        module, _, name = self.laws.partition(":")
        found: Iterator[tuple[str, str, Any, Any]] = getattr(importlib.import_module(module), name)(tables, draws, seed)
        return found

    def solver_prices(self) -> tuple[str, ...]:
        """What can have a price in `solve`, as the solver's module lists it in PRICES; nothing without a solver."""
        if not self.solver:
            return ()
        return tuple(importlib.import_module(self.solver.partition(":")[0]).PRICES)

    def columns(self) -> list[tuple[int | None, Column]]:
        """(seat or None, column) for each of the int64 numbers of an outcome, in memory order."""
        common = [(None, column) for column in GAME_COLUMNS + self.game_columns]
        own = [(seat, column) for seat in range(self.players) for column in SEAT_COLUMNS + self.seat_columns]
        return [*common, *own]

    def side_of(self, seat: int) -> Side:
        """The side that a seat belongs to."""
        for side in self.sides:
            if seat < side.seats:
                return side
            seat -= side.seats
        raise ValueError("no such seat")


def outcome_dtype(game: Sequence[Column], seat: Sequence[Column], players: int) -> np.dtype[Any]:
    """The record of one game's outcome: the common and own columns of the game, then `seat` by seat."""
    of_seat = record(*((column.name, np.int64) for column in (*SEAT_COLUMNS, *seat)))
    of_game = [(column.name, np.int64) for column in (*GAME_COLUMNS, *game)]
    return record(*of_game, ("seat", of_seat, players))


def seats_dtype(players: int) -> np.dtype[Any]:
    """A seating: `role` and `bot` of each seat (places in their lists), which `member` of the lineup sits there (a
    place in the lineup), and the seat of the first player."""
    return record(
        ("role", np.int64, players), ("bot", np.int64, players), ("member", np.int64, players), ("first", np.int64)
    )


def seatings(game: Game, tables: Tables, lineup: Sequence[str], bots: Mapping[str, str], rotate: str = "all") -> Any:
    """The seatings that a lineup plays in turn: an array of `seats_dtype` records; game g plays row g mod k.

    `lineup` holds a role's slug for each seat (or the name that its versions share, for the usual one), or "" for an
    empty one, which has role -1 and comes after the others; `bots` a bot's name for each side's bot key. `rotate`:
    "all" orders within each side, "cyclic" turns, or "none".
    Raises ValueError for an unknown slug, bot or rotation, and where fewer sit on a side than may.
    """
    orders, start = [], 0
    for side in game.sides:
        bot = tables.bots.index(bots[side.bot])
        slugs = lineup[start : start + side.seats]
        members = [
            (_role_at(side, tables.roles[side.key], slug), bot, place) for place, slug in enumerate(slugs, start)
        ]
        start += side.seats
        seated = [member for member in members if member[0] >= 0]
        if len(seated) < side.least:
            raise ValueError(f"{len(seated)} of the {side.key} sit down: at least {side.least} must")
        empty = [member for member in members if member[0] < 0]
        orders.append([order + empty for order in turns(seated, rotate)])
    rows = [[member for part in parts for member in part] for parts in product(*orders)]
    seats = blank(seats_dtype(game.players), len(rows))
    for row, members in zip(seats, rows, strict=True):
        row.role[:], row.bot[:], row.member[:] = zip(*members, strict=True)
    return seats


def _role_at(side: Side, roles: Sequence[Role], slug: str) -> int:
    """The place of a role among those of its side; -1 for a seat that may be empty, and is."""
    return -1 if side.least and not slug else role_place(roles, slug)


def role_place(roles: Sequence[Role], name: str) -> int:
    """The place in the list of the one role that a name means. Raises ValueError for any other name."""
    found = roles_named(roles, name)
    if len(found) != 1:
        raise ValueError(f"{name!r} is not in the list of roles as the name of one")
    return list(roles).index(found[0])


def turns(members: list[T], rotate: str) -> list[list[T]]:
    """The orders in which members of a side sit down, as `rotate` says (`seatings`). Raises ValueError."""
    if rotate == "all":
        return [list(order) for order in permutations(members)]
    if rotate == "cyclic":
        return [members[i:] + members[:i] for i in range(len(members))]
    if rotate == "none":
        return [members]
    raise ValueError(f"rotate is all, cyclic or none, not {rotate!r}")


def play(game: Game, tables: Tables, seats: Any, root: int, first: int, stop: int, out: Any = None) -> Any:
    """Play games first..stop-1 and return their outcomes, one record each, in order.

    `seats`: 1-D array of `seats_dtype(game.players)`, at least one row; `root`: `streams.root(seed, group)`;
    0 <= first < stop < 2^62; `out`: an array of `game.outcome` to fill, at least stop - first long, or None.
    Raises ValueError where lengths, dtypes or ranges don't fit: kernels have no bounds checks.
    """
    if out is None:
        out = blank(game.outcome, max(stop - first, 1))
    _check(game, tables, seats, first, stop)
    if out.dtype != game.outcome or out.ndim != 1 or len(out) < stop - first or not out.flags.c_contiguous:
        raise ValueError(f"out must be a 1-D array of {stop - first} or more outcomes of {game.name}")
    game.play_range(tables.data, seats, np.uint64(root), first, stop, out)
    return out[: stop - first]


def replay(game: Game, tables: Tables, seats: Any, root: int, index: int) -> tuple[Any, list[str]]:
    """Play one game uncompiled, with a journal: its outcome and its story in plain words, a line a happening."""
    from simcore.journal import Journal

    _check(game, tables, seats, index, index + 1)
    out, journal = blank(game.outcome, 1), Journal()
    plain(game.play_range)(tables.data, seats, root, index, index + 1, out, journal)
    return out[0], game.tell(tables, seats[index % len(seats)], journal, out[0])


def _check(game: Game, tables: Tables, seats: Any, first: int, stop: int) -> None:
    if not 0 <= first < stop < 2**62:
        raise ValueError(f"games {first} to {stop} are no range of games")
    if seats.dtype != seats_dtype(game.players) or seats.ndim != 1 or len(seats) < 1:
        raise ValueError(f"seats must be a 1-D array of seatings of {game.players} players")
    sides = [game.side_of(seat) for seat in range(game.players)]
    roles, lowest = [len(tables.roles[side.key]) for side in sides], [-1 if side.least else 0 for side in sides]
    if (seats["role"] < lowest).any() or (seats["role"] >= roles).any():
        raise ValueError("a seating names a role that the pack doesn't have")
    if (seats["bot"] < 0).any() or (seats["bot"] >= len(tables.bots)).any():
        raise ValueError("a seating names a bot that the pack doesn't have")
    if (seats["first"] < 0).any() or (seats["first"] >= game.players).any():
        raise ValueError("a seating names a first player that isn't there")
    if (seats["member"] < 0).any() or (seats["member"] >= game.players).any():
        raise ValueError("a seating names a member that the lineup doesn't have")


@dataclass
class Tally:
    """What is counted over a cell's games, for each of its k seatings; int64 throughout, merged by adding.

    `games[k]`; `endings[k, ending]`; `shares[k, seat, 0..60]` (how many games gave a seat that share); `total` and
    `square[k, column]` are sums and sums of squares over `Game.columns()`. Over all seatings, by the place of a
    member in the lineup: `orders[code]`, how often so they finished (`order_of` reads a code); `gains[ending, member]`,
    the shares that each took from games that ended so, in 60ths; `lengths[rounds]`, with LENGTHS - 1 or more in the
    last.
    """

    games: Ints
    endings: Ints
    shares: Ints
    total: Ints
    square: Ints
    orders: Ints
    gains: Ints
    lengths: Ints

    @classmethod
    def empty(cls, game: Game, seatings: int) -> Tally:
        """A tally of no games."""
        shapes = cls.shapes(game, seatings)
        return cls(*(np.zeros(shape, np.int64) for shape in shapes))

    @staticmethod
    def shapes(game: Game, seatings: int) -> list[tuple[int, ...]]:
        """The shapes of the arrays in order."""
        columns = len(game.columns())
        return [
            (seatings,),
            (seatings, len(game.endings)),
            (seatings, game.players, SHARE + 1),
            (seatings, columns),
            (seatings, columns),
            (game.players**game.players,),
            (len(game.endings), game.players),
            (LENGTHS,),
        ]

    def arrays(self) -> tuple[Ints, ...]:
        """The arrays in order."""
        whole = self.orders, self.gains, self.lengths
        return self.games, self.endings, self.shares, self.total, self.square, *whole

    def whole(self) -> list[list[Any]]:
        """All counts over all seatings, as plain values: the same however many seatings they were counted by."""
        parts = [array.sum(axis=0) for array in (self.games, self.endings, self.total, self.square)]
        return [array.tolist() for array in (*parts, self.orders, self.gains, self.lengths)]

    def add(self, other: Tally) -> None:
        """Add another tally of the same shape to this one."""
        for mine, theirs in zip(self.arrays(), other.arrays(), strict=True):
            mine += theirs

    def note(self, game: Game, seats: Any, first: int, outcomes: Any) -> None:
        """Count outcomes as `play` gives them for `seats`, of which the first is game `first`."""
        rows = outcomes.view(np.int64).reshape(len(outcomes), -1)
        base = len(GAME_COLUMNS) + len(game.game_columns)
        seat_at = np.array([base, len(SEAT_COLUMNS) + len(game.seat_columns)], np.int64)
        member = np.ascontiguousarray(seats["member"])
        count(rows, first, seat_at, member, game.players**member, self.arrays())

    def to_bytes(self) -> bytes:
        """The arrays as little-endian int64, one after another."""
        return b"".join(array.astype("<i8").tobytes() for array in self.arrays())

    @classmethod
    def from_bytes(cls, game: Game, seatings: int, blob: bytes) -> Tally:
        """The tally that `to_bytes` wrote; ValueError if the length is not that of such a tally."""
        shapes, numbers = cls.shapes(game, seatings), np.frombuffer(blob, "<i8").astype(np.int64)
        sizes = [int(np.prod(shape)) for shape in shapes]
        if len(numbers) != sum(sizes):
            raise ValueError(f"a tally of {game.name} has {sum(sizes)} numbers, not {len(numbers)}")
        parts = np.split(numbers, np.cumsum(sizes)[:-1])
        return cls(*(part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)))


BLOCK = 4096
"""Games whose outcomes are kept at once: few enough to stay in the processor's caches."""


def play_blocks(game: Game, tables: Tables, seats: Any, root: int, first: int, stop: int) -> Iterator[tuple[int, Any]]:
    """Play games first..stop-1 block by block: (number of the first game, outcomes) of each block, in order.

    The outcomes lie in one memory that the next block takes over. Arguments and errors as in `play`."""
    _check(game, tables, seats, first, stop)
    out = blank(game.outcome, min(BLOCK, stop - first))
    for start in range(first, stop, BLOCK):
        end = min(start + BLOCK, stop)
        game.play_range(tables.data, seats, np.uint64(root), start, end, out)
        yield start, out[: end - start]


def play_tally(game: Game, tables: Tables, seats: Any, root: int, first: int, stop: int) -> Tally:
    """Play games first..stop-1 and tally them, in constant memory. Arguments as in `play`."""
    tally = Tally.empty(game, len(seats))
    for start, outcomes in play_blocks(game, tables, seats, root, first, stop):
        tally.note(game, seats, start, outcomes)
    return tally


@entry
def count(rows, first, seat_at, member, weight, tally):  # type: ignore[no-untyped-def]
    """Tally outcomes given as int64[games, columns], of which the first is game `first`.

    `seat_at` = (first column of seat 0, columns a seat), in the order of SEAT_COLUMNS; `member[k, seat]` as in
    `seats_dtype`, `weight` = players ** member; `tally`: the arrays of a Tally.
    """
    games, endings, shares, total, square, orders, gains, lengths = tally
    for i in range(rows.shape[0]):
        k, ending = (first + i) % games.shape[0], rows[i, 0]
        games[k] += 1
        endings[k, ending] += 1
        lengths[min(rows[i, 1], len(lengths) - 1)] += 1
        order = 0
        for seat in range(member.shape[1]):
            at = seat_at[0] + seat * seat_at[1]
            place, share = rows[i, at + PLACE_AT], rows[i, at + SHARE_AT]
            shares[k, seat, share] += 1
            gains[ending, member[k, seat]] += share
            order += (place - 1) * weight[k, seat]
        orders[order] += 1
        for column in range(rows.shape[1]):
            value = rows[i, column]
            total[k, column] += value
            square[k, column] += value * value


def order_of(code: int, players: int) -> tuple[int, ...]:
    """The place of each member of the lineup in a code of `Tally.orders`, 1 for the winner; equal places tie."""
    return tuple(code // players**member % players + 1 for member in range(players))


GAMES = {
    "knights.fight": "simcore.knights",
    "knights.duel": "simcore.knights",
    "knights.board": "simcore.knights",
    "mech": "simcore.mech",
    "gangs": "simcore.gangs",
    "voyage": "simcore.voyage",
    "voyage.cruise": "simcore.voyage",
}
"""The games by name, and the package that has them in its GAMES; imported when asked for."""


def game_names() -> list[str]:
    """The names of all games."""
    return list(GAMES)


def find_game(name: str) -> Game:
    """A game by its name. Raises KeyError for a name that is not in `game_names()`."""
    found: Game = importlib.import_module(GAMES[name]).GAMES[name]
    return found
