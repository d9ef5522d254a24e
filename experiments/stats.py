"""From tallies to numbers with intervals: the first floats of the project.

Two kinds of 95 % interval. `wilson` (Wilson 1927) is for rates and shares, right near 0 and 1. A share has
more than two values (a draw is worth half), so its variance is that of a rate times the dispersion seen,
drawn towards 1 with the weight of z^2 games; for a share of only 0 and 1 this is Wilson's interval exactly.
`normal` is for means: the mean and 1.96 standard errors. 0 of 0 has neither value nor interval (NaN).

A role's number over the field pools the games of all cells that it sits in; as cells have equal games, this
is the mean of its cells. Its interval is Wilson's on the pooled counts. The cells are fixed, not drawn, and a
sum of unlike rates varies less than the same sum of their mean, so that the interval is never too narrow, and
a little wide where a role's cells differ much.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import ndtri

from experiments.ledger import Run
from experiments.plan import Cell
from simcore.game import CAPPED, GAME_COLUMNS, OVERFLOW, SEAT_COLUMNS, SHARE, Game, Side, Tally

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

Z = float(ndtri(0.975))
FIELD = "field"
COLUMNS = ["cell", "lineup", "side", "role", "measure", "value", "low", "high", "interval", "games", "bots"]

WORDS = ("too strong", "balanced", "too weak", "undecided")

OF_SEATS = {
    "win_rate": "games that this role wins outright, of all of its games",
    "share": "what a game gives this role: 1 for a win, a part for a shared win or a draw, 0 for a loss",
    "score": "the game's own score, a game's mean",
}
OF_GAMES = {
    "draw_rate": "games that nobody wins",
    "capped_rate": "games that reached their limit of steps",
    "overflow_rate": "games that outgrew a capacity: this must be 0",
    "rounds": "rounds played, a game's mean",
}


def measures(game: Game) -> dict[str, str]:
    """Every measure of a game's summary, and what it means."""
    endings = {f"ending:{ending.name}": f"games that end so: {ending.about}" for ending in game.endings}
    own = {column.name: f"{column.about} ({column.unit}), a game's mean" for column in game.game_columns}
    seats = {column.name: f"{column.about} ({column.unit}), a game's mean" for column in game.seat_columns}
    return OF_SEATS | OF_GAMES | endings | own | seats


def wilson(hits: npt.ArrayLike, games: npt.ArrayLike, dispersion: npt.ArrayLike = 1.0) -> tuple[Floats, Floats]:
    """Wilson's 95 % interval of a rate, elementwise: (low, high), NaN where there are no games.

    hits: 0..games, whole or not (a sum of shares); games: how many; dispersion: the variance of one game's
    value as a part of that of a game that gives 0 or 1 with the same mean, above 0 and up to 1.
    """
    x, n = np.asarray(hits, np.float64), np.asarray(games, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        p, many = x / n, n / np.asarray(dispersion, np.float64)
        scale = 1 / (1 + Z**2 / many)
        centre = scale * (p + Z**2 / (2 * many))
        half = scale * Z * np.sqrt(p * (1 - p) / many + Z**2 / (4 * many**2))
        low, high = np.where(x == 0, 0.0, centre - half), np.where(x == n, 1.0, centre + half)
    empty = n == 0
    return np.where(empty, np.nan, np.maximum(low, 0.0)), np.where(empty, np.nan, np.minimum(high, 1.0))


def shares_interval(total: Floats, square: Floats, games: Ints) -> tuple[Floats, Floats]:
    """The interval of mean shares from sums and sums of squares of shares of 0..1: (low, high)."""
    n = games.astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = total / n
        plain = mean * (1 - mean)
        seen = np.where(plain > 0, np.clip((square / n - mean**2) / plain, 0, 1), 1.0)
    return wilson(total, games, (n * seen + Z**2) / (n + Z**2))


def means_interval(total: Floats, square: Floats, games: Ints) -> tuple[Floats, Floats]:
    """The interval of means from sums and sums of squares: (low, high), NaN for under two games."""
    n = games.astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = total / n
        spread = np.sqrt(np.maximum(square - total * mean, 0) / (n - 1))
        half = np.where(n > 1, Z * spread / np.sqrt(n), np.nan)
    return mean - half, mean + half


def summary(run: Run) -> pd.DataFrame:
    """A tidy table of everything that a run counted: one row a cell, role and measure, in the columns
    COLUMNS.

    Measures of the game have role and side "". Rows of the cell "field" are pooled: each role over all its
    cells (with the game's measures, too), and all games together with role "". Damaged if the ledger is not
    sound.
    """
    labels, counts = _read(run)
    by_cell = [i for i, label in enumerate(labels) if label[2] == ""]
    by_role = [i for i, label in enumerate(labels) if label[2] != ""]
    sides = [run.game.side_of(seat).key for seat in range(run.game.players)]
    field_keys = list(dict.fromkeys((labels[i][2], labels[i][3]) for i in by_role))
    field_keys.sort(key=lambda key: sides.index(key[0]))
    place = {key: i for i, key in enumerate(field_keys)}
    pooled = _pool(counts, by_role, [place[labels[i][2:]] for i in by_role], len(place))
    whole = _pool(counts, by_cell, [0] * len(by_cell), 1)
    roles = [labels[i] for i in by_role]
    field_labels = [(FIELD, FIELD, side, role) for side, role in field_keys]
    parts = [
        *_of_seats(run, roles, counts.pick(by_role)),
        *_of_games(run, [labels[i] for i in by_cell], counts.pick(by_cell)),
        *_of_seats(run, field_labels, pooled),
        *_of_games(run, field_labels, pooled),
        *_of_games(run, [(FIELD, FIELD, "", "")], whole),
    ]
    table = pd.concat(parts, ignore_index=True)
    table["bots"] = " ".join(f"{key}={bot}" for key, bot in run.config.bots.items())
    order = {cell.id: i for i, cell in enumerate(run.plan.cells)}
    rank = table["cell"].map(lambda cell: order.get(cell, len(order)))
    return table.loc[rank.sort_values(kind="stable").index, COLUMNS].reset_index(drop=True)


@dataclass(frozen=True)
class Band:
    """The shares that [verdict] calls balanced, `least` to `most`, and what they are, in words."""

    least: float
    most: float
    about: str

    def judge(self, low: float, high: float) -> str:
        """The verdict on a share whose interval is low to high: one of WORDS."""
        if low > self.most:
            return "too strong"
        if high < self.least:
            return "too weak"
        return "balanced" if self.least <= low and high <= self.most else "undecided"


def band(run: Run, side: Side, mean: float) -> Band:
    """The band of balanced shares for the roles of a side; `mean` is that of their shares over the field.

    A number of the config speaks of the first side, as `draw_counts` does; of two sides the second has the rest.
    """
    asked, players = run.config.verdict, run.game.players
    if isinstance(asked.against, str):
        middle = 1 / players if asked.against == "fair" else mean
        about = "an even share" if asked.against == "fair" else f"the mean of the {side.key}"
        return Band(middle - asked.tolerance, middle + asked.tolerance, about)
    rest = len(run.game.sides) == 2 and side == run.game.sides[1]
    if isinstance(asked.against, tuple):
        least, most = asked.against
    else:
        least, most = asked.against - asked.tolerance, asked.against + asked.tolerance
    return Band(*((1 - most, 1 - least) if rest else (least, most)), "the reference of the config")


def verdicts(run: Run, table: pd.DataFrame) -> pd.DataFrame:
    """The verdict on each role's share over the field: side, role, value, low, high, games, word, more.

    `table`: the run's summary. `word` is one of WORDS: where the interval lies, against `band`. `more`: about how
    many further games of this role would decide an undecided one (NaN where no number would), 0 where it is decided.
    Roles without games have no row. The intervals are Wilson's over fixed counts, each at 95 % on its own.
    """
    shares = table[(table.cell == FIELD) & (table.measure == "share")].dropna(subset="value")
    parts = []
    for side in run.game.sides:
        rows = shares[shares.side == side.key][["side", "role", "value", "low", "high", "games"]].copy()
        inside = band(run, side, float(rows.value.mean()))
        rows["word"] = [inside.judge(low, high) for low, high in zip(rows.low, rows.high, strict=True)]
        rows["more"] = np.where(rows.word == "undecided", _games_to_go(rows, inside), 0.0)
        parts.append(rows)
    return pd.concat(parts, ignore_index=True)


def _games_to_go(rows: pd.DataFrame, inside: Band) -> Floats:
    """How many games until an interval that shrinks around its value is clear of the nearer edge; NaN at the edge."""
    value, low, high, games = (rows[name].to_numpy(dtype=np.float64) for name in ("value", "low", "high", "games"))
    away = np.minimum(abs(value - inside.least), abs(value - inside.most))
    half = np.maximum(high - value, value - low)
    more: Floats = np.maximum(games * ((half / np.where(away > 0, away, np.nan)) ** 2 - 1), 1.0)
    return more


def spread(value: float, high: float, games: float) -> float:
    """The standard deviation of one game's number, from its mean, the upper end of the mean's interval and the
    games that both rest on; NaN for under two games.
    """
    return (high - value) * math.sqrt(games) / Z


def seat_effects(run: Run) -> pd.DataFrame:
    """What each seat is worth where rivals share a side: side, seat (1 is first), measure, value, low, high,
    interval, games, pooled over all cells. No rows for games without such a side.
    """
    tallies = [run.tally(cell) for cell in run.plan.cells]
    games = np.array([sum(int(t.games.sum()) for t in tallies)])
    hists = sum((t.shares.sum(axis=0) for t in tallies), np.zeros((run.game.players, SHARE + 1), np.int64))
    rows, first = [], 0
    for side in run.game.sides:
        for seat in range(first, first + side.seats) if side.seats > 1 else ():
            total, square = _moments(hists[seat : seat + 1])
            low, high = shares_interval(total, square, games)
            name = [side.key, seat - first + 1, "share"]
            rows.append([*name, _ratio(total, games)[0], low[0], high[0], "wilson", games[0]])
            wins = hists[seat, SHARE:]
            low, high = wilson(wins, games)
            rows.append([*name[:2], "win_rate", _ratio(wins, games)[0], low[0], high[0], "wilson", games[0]])
        first += side.seats
    return pd.DataFrame(rows, columns=["side", "seat", "measure", "value", "low", "high", "interval", "games"])


def neighbour_effects(run: Run) -> pd.DataFrame:
    """What it is worth to sit right after a role, that is with it to one's left: side, role (the neighbour),
    value, low, high (the mean share of whoever sits after it), whole (the mean share of all others at the same
    tables), games; pooled over all cells.

    For sides of three seats or more whose lineups sit in all orders: there everybody sits after a role equally
    often, so that value - whole is the neighbour's own. No rows for other runs.
    """
    parts, start = [], 0
    for side in run.game.sides:
        if side.seats > 2 and run.config.run.rotate == "all":
            parts.append(_after_each(run, side, slice(start, start + side.seats)))
        start += side.seats
    columns = ["side", "role", "value", "low", "high", "whole", "games"]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


def _after_each(run: Run, side: Side, seats: slice) -> pd.DataFrame:
    """The rows of `neighbour_effects` for one side, whose seats are `seats`."""
    slugs = [role.slug for role in run.tables.roles[side.key]]
    after, others = np.zeros((2, len(slugs), SHARE + 1), np.int64)
    for cell in run.plan.cells:
        shares, roles = run.tally(cell).shares[:, seats], run.plan.seats(cell)["role"][:, seats]
        for place in range(side.seats):
            np.add.at(after, roles[:, place], shares[:, (place + 1) % side.seats])
            np.add.at(others, roles[:, place], shares.sum(axis=1) - shares[:, place])
    games = after.sum(axis=1)
    total, square = _moments(after)
    low, high = shares_interval(total, square, games)
    whole = _ratio(_moments(others)[0], games * (side.seats - 1))
    numbers = {"value": _ratio(total, games), "low": low, "high": high, "whole": whole, "games": games}
    return pd.DataFrame({"side": side.key, "role": slugs} | numbers).dropna(subset="value")


def json_rows(run: Run, table: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a summary as JSON has them: null where there is no role or no number."""
    settings = {**{f"bots.{key}": bot for key, bot in run.config.bots.items()}, **run.config.table}
    names = {cell.id: cell.name for cell in run.plan.cells}
    rows = []
    for row in table.to_dict("records"):
        number = {key: None if np.isnan(row[key]) else float(row[key]) for key in ("value", "low", "high")}
        rows.append(
            {
                "cell": row["cell"],
                "name": names.get(row["cell"], row["cell"]),
                "side": row["side"] or None,
                "role": row["role"] or None,
                "measure": row["measure"],
                **number,
                "interval": row["interval"],
                "games": int(row["games"]),
                "settings": settings,
            }
        )
    return rows


def to_csv(table: pd.DataFrame) -> str:
    """A summary as CSV text; read it back with `keep_default_na=False` for text columns, as a role may be
    called NA.
    """
    return str(table.to_csv(index=False, lineterminator="\n"))


# ---------------------------------------------------------------- counts


Label = tuple[str, str, str, str]


@dataclass
class Counts:
    """Counts of n things (a cell, or a role in a cell), one row each, as in a Tally but over all seatings."""

    games: Ints
    endings: Ints
    shares: Ints
    game_total: Ints
    game_square: Ints
    seat_total: Ints
    seat_square: Ints

    def arrays(self) -> list[Ints]:
        """The arrays in order."""
        return [getattr(self, one.name) for one in fields(self)]

    def pick(self, rows: list[int]) -> Counts:
        """Some of the rows."""
        return Counts(*(array[rows] for array in self.arrays()))


def _read(run: Run) -> tuple[list[Label], Counts]:
    """For each cell a row of its own (side and role ""), and one for each role in it."""
    labels: list[Label] = []
    rows: list[list[Ints]] = []
    for cell in run.plan.cells:
        tally, seats = run.tally(cell), run.plan.seats(cell)
        for label, counts in _rows_of(run, cell, tally, seats):
            labels.append(label)
            rows.append(counts)
    return labels, Counts(*(np.array(column) for column in zip(*rows, strict=True)))


def _rows_of(run: Run, cell: Cell, tally: Tally, seats: Any) -> Iterator[tuple[Label, list[Ints]]]:
    game = run.game
    base, step = len(GAME_COLUMNS) + len(game.game_columns), len(SEAT_COLUMNS) + len(game.seat_columns)
    common = [
        tally.games.sum(),
        tally.endings.sum(axis=0),
        tally.total[:, :base].sum(axis=0),
        tally.square[:, :base].sum(axis=0),
    ]
    nobody = np.zeros(SHARE + 1, np.int64), np.zeros(step, np.int64), np.zeros(step, np.int64)
    yield (cell.id, cell.name, "", ""), [*common[:2], nobody[0], *common[2:], *nobody[1:]]
    lines = np.arange(len(seats))
    for seat, slug in enumerate(cell.lineup):
        side = game.side_of(seat).key
        at = _seat_in_each(game, seats, seat)
        own = base + at[:, None] * step + np.arange(step)
        yield (
            (cell.id, cell.name, side, slug),
            [
                *common[:2],
                tally.shares[lines, at].sum(axis=0),
                *common[2:],
                tally.total[lines[:, None], own].sum(axis=0),
                tally.square[lines[:, None], own].sum(axis=0),
            ],
        )


def _seat_in_each(game: Game, seats: Any, seat: int) -> Ints:
    """Where the role of seat `seat` of the lineup (the first seating) sits in each seating."""
    first = seat
    for side in game.sides:
        if first < side.seats:
            break
        first -= side.seats
    start, stop = seat - first, seat - first + side.seats
    roles = np.asarray(seats["role"])
    found: Ints = (roles[:, start:stop] == roles[0, seat]).argmax(axis=1).astype(np.int64)
    return found + start


def _pool(counts: Counts, rows: list[int], groups: list[int], many: int) -> Counts:
    """Sums of rows by group."""
    pooled = []
    for array in counts.arrays():
        whole = np.zeros((many, *array.shape[1:]), np.int64)
        np.add.at(whole, groups, array[rows])
        pooled.append(whole)
    return Counts(*pooled)


# ---------------------------------------------------------------- measures


def _of_seats(run: Run, labels: list[Label], counts: Counts) -> Iterator[pd.DataFrame]:
    """The measures of roles."""
    games, wins = counts.games, counts.shares[:, SHARE]
    yield _rates(labels, "win_rate", wins, games)
    total, square = _shares(run, labels, counts)
    yield _frame(labels, "share", _ratio(total, games), shares_interval(total, square, games), "wilson", games)
    names = [column.name for column in (*SEAT_COLUMNS, *run.game.seat_columns)]
    for name in ["score", *names[len(SEAT_COLUMNS) :]]:
        at = names.index(name)
        yield _means(labels, name, counts.seat_total[:, at], counts.seat_square[:, at], games)


def _of_games(run: Run, labels: list[Label], counts: Counts) -> Iterator[pd.DataFrame]:
    """The measures of games."""
    games, endings = counts.games, counts.endings
    yield _rates(labels, "draw_rate", _draws(run.game, endings), games)
    yield _rates(labels, "capped_rate", endings[:, _of_kind(run.game, "capped", CAPPED)].sum(axis=1), games)
    yield _rates(labels, "overflow_rate", endings[:, _of_kind(run.game, "overflow", OVERFLOW)].sum(axis=1), games)
    for place, ending in enumerate(run.game.endings):
        yield _rates(labels, f"ending:{ending.name}", endings[:, place], games)
    for at, column in enumerate((*GAME_COLUMNS, *run.game.game_columns)):
        if column.name != "ending":
            yield _means(labels, column.name, counts.game_total[:, at], counts.game_square[:, at], games)


def _of_kind(game: Game, kind: str, usual: int) -> list[int]:
    return [place for place, ending in enumerate(game.endings) if ending.kind == kind or place == usual]


def _draws(game: Game, endings: Ints) -> Ints:
    places = [place for place, ending in enumerate(game.endings) if ending.kind == "draw"]
    return np.asarray(endings[:, places].sum(axis=1))


def _shares(run: Run, labels: list[Label], counts: Counts) -> tuple[Floats, Floats]:
    """Sums of shares (0..1) and of their squares; between two unlike sides a draw is worth what [verdict]
    says.
    """
    total, square = _moments(counts.shares)
    sides = [side.key for side in run.game.sides]
    if len(sides) != 2:
        return total, square
    draws = _draws(run.game, counts.endings)
    usual, first = (SHARE // run.game.players) / SHARE, run.config.verdict.draw_counts
    worth = np.array([first if label[2] == sides[0] else 1 - first for label in labels])
    return total + draws * (worth - usual), square + draws * (worth**2 - usual**2)


def _moments(hists: Ints) -> tuple[Floats, Floats]:
    """Sums, and sums of squares, of shares as parts of 1, from counts of each share in 60ths."""
    parts = np.arange(SHARE + 1)
    return hists @ parts / SHARE, hists @ parts**2 / SHARE**2


def _rates(labels: list[Label], measure: str, hits: Ints, games: Ints) -> pd.DataFrame:
    return _frame(labels, measure, _ratio(hits, games), wilson(hits, games), "wilson", games)


def _means(labels: list[Label], measure: str, total: Ints, square: Ints, games: Ints) -> pd.DataFrame:
    sums = total.astype(np.float64), square.astype(np.float64)
    return _frame(labels, measure, _ratio(total, games), means_interval(*sums, games), "normal", games)


def _ratio(total: npt.ArrayLike, games: npt.ArrayLike) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.asarray(total, np.float64) / np.asarray(games, np.float64))


def _frame(
    labels: list[Label],
    measure: str,
    value: Floats,
    bounds: tuple[Floats, Floats],
    interval: str,
    games: Ints,
) -> pd.DataFrame:
    cell, lineup, side, role = zip(*labels, strict=True)
    low, high = bounds
    numbers = {"value": value, "low": low, "high": high, "interval": interval, "games": games}
    return pd.DataFrame({"cell": cell, "lineup": lineup, "side": side, "role": role, "measure": measure} | numbers)
