"""From tallies to numbers with intervals, as `experiments.intervals` and, in a run that stopped itself,
`experiments.sequences` make them.

A role's number over the field pools the games of all cells that it sits in; as cells have equal games, this
is the mean of its cells. Its interval is Wilson's on the pooled counts. The cells are fixed, not drawn, and a
sum of unlike rates varies less than the same sum of their mean, so that the interval is never too narrow, and
a little wide where a role's cells differ much.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
import pandas as pd

from experiments import strengths
from experiments.csv_files import table_text
from experiments.intervals import means_interval, means_kinds, paired_interval, shares_interval, wilson
from experiments.ledger import Run
from experiments.pairs import Pairs
from experiments.parts import Changes, changes_named
from experiments.plan import Cell
from experiments.sequences import ALPHA, interval, means_sequence, saved, verdict
from experiments.stopping import Ends, to_go, values_of, verdicts_printed, whose, with_draws, worth_of
from simcore.game import (
    CAPPED,
    GAME_COLUMNS,
    OVERFLOW,
    SEAT_COLUMNS,
    SHARE,
    Column,
    Game,
    Role,
    Side,
    Tally,
    order_of,
)

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

FIELD = "field"
MANY = 2_000
"""Cells beyond which a summary has no endings and no columns of the game's own for each of them."""
COLUMNS = [
    "cell", "lineup", "side", "role", "measure", "value", "low", "high", "interval", "games", "bots", "settings",
    "variant",
]  # fmt: skip

WON = ("won", "shared")
"""The kinds of endings that somebody wins."""

WORDS = ("too strong", "balanced", "too weak", "undecided")

OF_SEATS = {
    "win_rate": "games that this role wins outright, of all of its games",
    "share": "what a game gives this role: 1 for a win, a part for a shared win or a draw, 0 for a loss",
    "score": "the game's own score, a game's mean",
}
OF_RIVALS = {
    "strength": "the share that the strengths of all roles, fitted to their finishing orders, give this one at a table "
    "of average rivals",
}
OF_GAMES = {
    "draw_rate": "games that nobody wins",
    "capped_rate": "games that reached their limit of steps",
    "overflow_rate": "games that outgrew a capacity: this must be 0",
    "rounds": "rounds played, a game's mean",
}
OF_VARIANTS = {
    "difference": "share in the variant less that in the baseline, game by game on the same dice; in a sweep with "
    "common dice, that at a point less that at the first point",
    "saved": "how many times fewer games the same dice needed for the difference than two runs of their own",
    "changed_rate": "games that gave somebody another share than the same games of the baseline",
}

OF_SOLVED = {
    f"{kind}:{rate}": f"{rate.replace('_', ' ')} {about}"
    for kind, about in (
        ("exact", "as it would be over endless games: solved, not played (where verdict.exact asks for it)"),
        ("apart", "as played less the exact one, in standard errors"),
    )
    for rate in ("share", "win_rate", "draw_rate")
}


class Part(NamedTuple):
    """What is judged by itself: a run as far as its tables are of one size, the rows of its summary (pooled ones as
    those of FIELD), and `size`, how many sit at each of these tables; 0 where a run isn't divided.
    """

    run: Run
    table: pd.DataFrame
    size: int


def parts(run: Run, table: pd.DataFrame) -> list[Part]:
    """A run of rivals by the sizes of its tables, the smallest first: an even share is another at each of them, so that
    nothing is pooled over several. Other runs, and those of one size, as they are. `table`: the run's summary, or some
    rows of it.
    """
    if not divided(run):
        return [Part(run, table, 0)]
    found = []
    for size in run.plan.sizes:
        part, name = run.of_size(size), field_of(size)
        rows = table[table.cell.isin([name, *(cell.id for cell in part.plan.cells)])].copy()
        rows.loc[rows.cell == name, ["cell", "lineup"]] = FIELD
        found.append(Part(part, rows, size))
    return found


def divided(run: Run) -> bool:
    """Whether a run's numbers are pooled for each size of its tables apart."""
    return run.game.rivals and len(run.plan.sizes) > 1


def field_of(size: int) -> str:
    """What stands in a summary for all tables of a size, in a run that is divided."""
    return f"{FIELD} of {size}"


def tables_of(size: int) -> str:
    """What a part of a run is called, as in "Tables of 3"; "" for all of it."""
    return f"Tables of {size}" if size else ""


def measures(game: Game) -> dict[str, str]:
    """Every measure of a game's summary, and what it means."""
    endings = {f"ending:{ending.name}": f"games that end so: {ending.about}" for ending in game.endings}
    won = {
        f"won:{ending.name}": f"games that end so and that this role wins (its part of a shared win): {ending.about}"
        for ending in game.endings
        if ending.kind in WON
    }
    places = {
        f"place:{place}": f"games in which this role comes {ordinal(place)}, alone or level with others"
        for place in range(1, _most_places(game, game.players) + 1)
    }
    own = {column.name: f"{column.about} ({column.unit}), a game's mean" for column in game.game_columns}
    seats = {column.name: f"{column.about} ({column.unit}), a game's mean" for column in game.seat_columns}
    rivals = OF_RIVALS if any(side.seats > 1 for side in game.sides) and not game.crew else {}
    solved = OF_SOLVED if game.solver else {}
    return OF_SEATS | rivals | OF_GAMES | endings | won | places | own | seats | OF_VARIANTS | solved


def ordinal(number: int) -> str:
    """As in 1st, 2nd, 11th."""
    last = "" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "")
    return f"{number}{last or 'th'}"


def _most_places(game: Game, players: int) -> int:
    """How many places are told apart at tables of so many: all, where three or more rivals of a side sit there."""
    return players if any(side.seats > 2 for side in game.sides) and players > 2 and not game.crew else 0


def summary(run: Run) -> pd.DataFrame:
    """A tidy table of everything that a run counted: one row a cell, role and measure, in the columns
    COLUMNS.

    Measures of the game have role and side "". Rows of the cell "field" are pooled over the cells of one point and
    variant: each role over all of its cells but mirror matches (with the game's measures, too), and all games together
    with role "".
    Of more than MANY cells each has its rates, rounds and score alone; what is pooled has everything, but in a sweep of
    more than MANY points.
    Of rivals at tables of several sizes each size is pooled by itself, in cells such as "field of 3", size after size.
    Damaged if the ledger is not sound.
    """
    if not divided(run):
        return _summary(run)
    tables = []
    for size in run.plan.sizes:
        table = _summary(run.of_size(size))
        table.loc[table.cell == FIELD, ["cell", "lineup"]] = field_of(size)
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def _summary(run: Run) -> pd.DataFrame:
    """The summary of a run that is not divided."""
    labels, counts, settled, beside = _read(run)
    by_cell = [i for i, label in enumerate(labels) if label.side == ""]
    by_role = [i for i, label in enumerate(labels) if label.side != ""]
    mirrors = {cell.id for cell in run.plan.cells if run.plan.mirrored(cell)}
    met = [i for i in by_role if labels[i].cell not in mirrors]
    sides = [run.game.side_of(seat).key for seat in range(run.game.players)]
    pooled = [label._replace(cell=FIELD, lineup=FIELD) for label in labels]
    slices = {key: place for place, key in enumerate(run.plan.slices)}
    of_roles = dict.fromkeys(pooled[i] for i in met)
    over = sorted(of_roles, key=lambda one: (slices[one.slice], sides.index(one.side)))
    whole = list(dict.fromkeys(pooled[i] for i in by_cell))
    brief, crowded = len(run.plan.cells) > MANY, len(run.plan.slices) > MANY
    roles = _pool(settled, met, _places(pooled, met, over), len(over))
    seats = partial(_of_seats, run, _seats_measured(run, counts.pick(by_role)))
    games = partial(_of_games, run, _games_measured(run, counts.pick(by_cell)))
    parts = [
        *seats([labels[i] for i in by_role], counts.pick(by_role), brief),
        *games([labels[i] for i in by_cell], counts.pick(by_cell), brief),
        *seats(over, roles, crowded),
        *games(over, roles, crowded),
        *games(whole, _pool(settled, by_cell, _places(pooled, by_cell, whole), len(whole)), crowded),
        *_of_variants(run, beside),
        *_of_strengths(run),
    ]
    table = pd.concat(parts, ignore_index=True)
    if run.config.verdict.exact:
        from experiments.exact_beside import exact_rows

        table = pd.concat([table, exact_rows(run, table)], ignore_index=True)
    return _arranged(run, table)


def _places(pooled: list[Label], rows: list[int], among: list[Label]) -> list[int]:
    """Where the pooled labels of some rows stand among others."""
    place = {label: i for i, label in enumerate(among)}
    return [place[pooled[i]] for i in rows]


def _arranged(run: Run, table: pd.DataFrame) -> pd.DataFrame:
    """The rows cell by cell in the plan's order, then what is pooled, with bots and settings in words."""
    order = {cell.id: i for i, cell in enumerate(run.plan.cells)}
    slices = {key: place for place, key in enumerate(run.plan.slices)}
    place = pd.Series([slices[key] for key in zip(table["point"], table["variant"], strict=True)])
    rank = table["cell"].map(order).fillna(len(order) + place)
    rows = rank.sort_values(kind="stable").index
    table, place = table.loc[rows].reset_index(drop=True), place.loc[rows]
    told = [run.plan.setup.told(*key) for key in slices]
    table["bots"], table["settings"] = [told[at][0] for at in place], [told[at][1] for at in place]
    return table[COLUMNS]


@dataclass(frozen=True)
class Band:
    """The shares that [verdict] calls balanced, `least` to `most`, and what they are, in words."""

    least: float
    most: float
    about: str

    def judge(self, low: float, high: float) -> str:
        """The verdict on a share whose interval is low to high: one of WORDS."""
        return str(verdict(low, high, self.least, self.most))


def band(run: Run, side: Side, mean: Any) -> Band:
    """The band of balanced shares for the roles of a side; `mean` is that of their shares over the field (or several
    such means, for several bands at once).

    A number of the config speaks of the first side, as `draw_counts` does; of two sides the second has the rest.
    """
    asked, players = run.config.verdict, max(run.plan.sizes)
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
    """The verdict on each role's share over the field: side, role, value, low, high, games, word, more, rule, settings.

    `table`: the run's summary, or that of some points and variants: each role is judged within its own. `word` is one
    of WORDS: where the interval lies, against `band`. `more`: about how many further games of this role would decide an
    undecided one (NaN where no number would), 0 where it is decided. `rule`: by which of `stopping.RULES` a run that
    stopped itself was through with it, "" for others. Roles without games have no row. Over fixed counts the intervals
    are Wilson's, each at 95 % on its own; a run that stopped itself has the verdict that it stopped at.
    """
    shares = table[(table.cell == FIELD) & (table.measure == "share")].dropna(subset="value")
    found = {
        (who.side, who.role, *run.plan.setup.told(*who[:2])[1:], who.variant): end for who, end in _ends(run).items()
    }
    parts, further = [], to_go(run) if run.stops else {}
    more = {
        (who.side, who.role, *run.plan.setup.told(*who[:2])[1:], who.variant): games for who, games in further.items()
    }
    for side in run.game.sides:
        rows = shares[shares.side == side.key].copy()
        inside = band(run, side, rows.groupby(["settings", "variant"]).value.transform("mean").to_numpy())
        keys = list(zip(rows.side, _slugs(run, side, rows.role), rows.settings, rows.variant, strict=True))
        ends = [found.get(key) for key in keys]
        words = verdict(rows.low, rows.high, inside.least, inside.most).tolist()
        rows["word"] = [end.word if end else word for end, word in zip(ends, words, strict=True)]
        usual = np.where(rows.word == "undecided", _games_to_go(rows, inside), 0.0)
        rows["more"] = [more.get(key, games) for key, games in zip(keys, usual, strict=True)]
        rows["rule"] = [end.rule if end else "" for end in ends]
        parts.append(rows[["side", "role", "value", "low", "high", "games", "word", "more", "rule", "settings"]])
    return pd.concat(parts, ignore_index=True)


def games_missing(row: Any) -> str:
    """About how many games a row of `verdicts` lacks until it is decided, in two digits as in "1,300"; "" where it is
    decided, and "?" at the very edge, where more games may never tell.
    """
    if row.word != "undecided":
        return ""
    if not row.more < 1e12:
        return "?"
    step = 10 ** max(0, math.floor(math.log10(row.more)) - 1)
    return f"{math.ceil(row.more / step) * step:,}"


def _ends(run: Run) -> Ends:
    return run.ledger.ends() if run.stops else {}


def titles(roles: Sequence[Role]) -> dict[str, str]:
    """Slug -> the role's name for people, which no other of these roles has."""
    times = Counter(role.title for role in roles)
    return {role.slug: role.title if times[role.title] == 1 else f"{role.title} ({role.slug})" for role in roles}


def _slugs(run: Run, side: Side, names: Iterable[str]) -> list[str]:
    """Roles by slug, from slugs or from titles as reports have them."""
    slugs = {title: slug for slug, title in titles(run.tables.roles[side.key]).items()}
    return [slugs.get(name, name) for name in names]


def _games_to_go(rows: pd.DataFrame, inside: Band) -> Floats:
    """How many games until an interval that shrinks around its value is clear of the nearer edge; NaN at the edge."""
    value, low, high, games = (rows[name].to_numpy(dtype=np.float64) for name in ("value", "low", "high", "games"))
    away = np.minimum(abs(value - inside.least), abs(value - inside.most))
    half = np.maximum(high - value, value - low)
    more: Floats = np.maximum(games * ((half / np.where(away > 0, away, np.nan)) ** 2 - 1), 1.0)
    return more


def seat_effects(run: Run) -> pd.DataFrame:
    """What each seat is worth where rivals share a side: side, seat (1 is first), measure, value, low, high,
    interval, games in which somebody sat there, pooled over all cells. No rows for games without such a side.
    """
    hists = np.zeros((run.game.players, SHARE + 1), np.int64)
    for cell in run.plan.front:
        taken = run.plan.seats(cell)["role"] >= 0
        hists += (run.tally(cell).shares * taken[..., None]).sum(axis=0)
    rows, first, kind = [], 0, rates_kind(run)
    for side in run.game.sides:
        for seat in range(first, first + side.seats) if side.seats > 1 and not run.game.crew else ():
            name, games = [side.key, seat - first + 1], hists[seat : seat + 1].sum(axis=-1)
            value, low, high = _mean_share(run, hists[seat : seat + 1])
            rows.append([*name, "share", value[0], low[0], high[0], kind, games[0]])
            wins = hists[seat, SHARE:]
            low, high = rates_interval(run, wins, games)
            rows.append([*name, "win_rate", _ratio(wins, games)[0], low[0], high[0], kind, games[0]])
        first += side.seats
    return pd.DataFrame(rows, columns=["side", "seat", "measure", "value", "low", "high", "interval", "games"])


def neighbour_effects(run: Run) -> pd.DataFrame:
    """What it is worth to sit right after a role, that is with it to one's left: side, role (the neighbour),
    value, low, high (the mean share of whoever sits after it), whole (the mean share of all others at the same
    tables), games; pooled over all cells.

    For rivals, three or more at a table, whose lineups sit in all orders: there everybody sits after a role equally
    often, so that value - whole is the neighbour's own. No rows for other runs.
    """
    parts, start = [], 0
    for side in run.game.sides:
        if side.seats > 2 and not run.game.crew and run.config.run.rotate == "all":
            parts.append(_after_each(run, side, slice(start, start + side.seats)))
        start += side.seats
    columns = ["side", "role", "value", "low", "high", "whole", "games"]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


def _after_each(run: Run, side: Side, seats: slice) -> pd.DataFrame:
    """The rows of `neighbour_effects` for one side, whose seats are `seats`."""
    slugs = [role.slug for role in run.tables.roles[side.key]]
    after, others = np.zeros((2, len(slugs), SHARE + 1), np.int64)
    for cell in run.plan.front:
        roles = run.plan.seats(cell)["role"][:, seats]
        many = int((roles[0] >= 0).sum())
        shares = run.tally(cell).shares[:, seats][:, :many]
        for place in range(many) if many > 2 else ():
            np.add.at(after, roles[:, place], shares[:, (place + 1) % many])
            np.add.at(others, roles[:, place], shares.sum(axis=1) - shares[:, place])
    games = after.sum(axis=1)
    value, low, high = _mean_share(run, after)
    whole = _ratio(_moments(others)[0], others.sum(axis=1))
    numbers = {"value": value, "low": low, "high": high, "whole": whole, "games": games}
    return pd.DataFrame({"side": side.key, "role": slugs} | numbers).dropna(subset="value")


def finishes(run: Run, side: Side) -> strengths.Counts:
    """How often the lineups of a side finished in which places, as `strengths.fit` takes it, in the games of the
    baseline without mirror matches.

    Nothing where strengths have nothing to say: of sides with one seat or of under three roles, of crews that always
    finish together, and over the points of a sweep.
    """
    found: dict[tuple[str, ...], Counter[tuple[int, ...]]] = {}
    start = sum(before.seats for before in run.game.sides[: run.game.sides.index(side)])
    seats = slice(start, start + side.seats)
    alone = run.game.crew or max(run.plan.sizes) < 2
    if alone or not 1 < side.seats <= strengths.MOST_MEMBERS or run.config.sweep:
        return {}
    for cell in run.plan.front:
        orders, lineup = run.tally(cell).orders, tuple(slug for slug in cell.lineup[seats] if slug)
        own = found.setdefault(lineup, Counter()) if len(lineup) > 1 else Counter[tuple[int, ...]]()
        for code in np.flatnonzero(orders).tolist():
            own[order_of(code, run.game.players)[seats][: len(lineup)]] += int(orders[code])
    apart = any(len(set(places)) > 1 for orders in found.values() for places in orders)
    return found if apart and len({role for lineup in found for role in lineup}) > 2 else {}


def places_of(orders: Ints, players: int) -> Ints:
    """How often each member of a lineup came in each place: int64[member, place], from `Tally.orders`."""
    codes, found = np.flatnonzero(orders), np.zeros((players, players), np.int64)
    for member in range(players):
        np.add.at(found[member], codes // players**member % players, orders[codes])
    return found


def whole(run: Run) -> Tally:
    """All games of the baseline, at the first point of a sweep, as one tally; of a run that stopped itself as many of
    each cell as are pooled over the field.
    """
    found, ends = Tally.empty(run.game, run.plan.seatings), _ends(run)
    games = _pooled(ends, *run.plan.slices[0]) if ends else None
    for cell in run.plan.slice(*run.plan.slices[0]):
        found.add(run.counts(cell, games)[0])
    return found


def mirrors(run: Run) -> pd.DataFrame:
    """Lineups of rivals that are one role at all seats, each member a row: side, role, member, value, low, high (its
    share, with sequences that hold all together), games, even (what it must be). No rows where there are none.
    """
    side, columns = run.game.sides[0], ["side", "role", "member", "even", "value", "low", "high", "games"]
    cells = [cell for cell in run.plan.slice(*run.plan.slices[0]) if run.plan.mirrored(cell)]
    cells = [cell for cell in cells if len({slug for _, slug in cell.seated}) == 1]
    if not run.game.rivals or not cells:
        return pd.DataFrame(columns=columns)
    counts = np.concatenate([values_of(run, cell, run.tally(cell)).sum(axis=0)[: len(cell.seated)] for cell in cells])
    worth, games = worth_of(run, side), counts.sum(axis=-1)
    low, high = interval(counts, worth, ALPHA / len(counts))
    who = [(side.key, slug, member, 1 / len(cell.seated)) for cell in cells for member, slug in cell.seated]
    numbers = zip(_ratio(counts @ worth, games), low, high, games, strict=True)
    return pd.DataFrame([(*one, *row) for one, row in zip(who, numbers, strict=True)], columns=columns)


def rates_kind(run: Run) -> str:
    """The kind of interval that rates and shares of a run have."""
    return "sequence" if run.stops else "wilson"


def rates_interval(run: Run, hits: npt.ArrayLike, games: npt.ArrayLike) -> tuple[Floats, Floats]:
    """The interval of rates: Wilson's or, in a run that stopped itself, a sequence. Of sums of shares in place of
    hits it is a little wide.
    """
    return _rate_sequence(np.asarray(hits), np.asarray(games)) if run.stops else wilson(hits, games)


def _mean_share(run: Run, hists: Ints) -> tuple[Floats, Floats, Floats]:
    """Mean shares with their intervals, from counts of each share in 60ths: (value, low, high)."""
    games = hists.sum(axis=-1)
    total, square = _moments(hists)
    low, high = interval(hists) if run.stops else shares_interval(total, square, games)
    return _ratio(total, games), low, high


def json_rows(run: Run, table: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a summary as JSON has them: null where there is no role, variant, number or interval."""
    setup = run.plan.setup
    settings = {
        (changes_named(setup.points[point]), variant): _settings(run, setup.changes(point, variant))
        for point, variant in run.plan.slices
    }
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
                "interval": row["interval"] or None,
                "games": int(row["games"]),
                "settings": settings[row["settings"], row["variant"]],
                "variant": row["variant"] or None,
            }
        )
    return rows


def _settings(run: Run, changes: Changes) -> dict[str, Any]:
    """What some cells were played with: bots, settings of the table by their names, and what was changed by path."""
    bots = {f"bots.{key}": bot for key, bot in run.config.bots.items()}
    return bots | run.config.table | {path.removeprefix("table."): value for path, value in changes}


def to_csv(table: pd.DataFrame) -> str:
    """Give a summary as CSV text; `csv_files.read_summary` reads it back to the same names and numbers."""
    return table_text(table)


# ---------------------------------------------------------------- counts


class Label(NamedTuple):
    """Whose a number is: `side` and `role` are "" for a whole cell; `cell` and `lineup` FIELD for what is pooled."""

    cell: str
    lineup: str
    side: str
    role: str
    point: int
    variant: str

    @property
    def slice(self) -> tuple[int, str]:
        """Its point and variant."""
        return self.point, self.variant


@dataclass
class Beside:
    """What was counted of variants beside their baseline: of each role a joint table for each of its cells, as
    `Pairs.joint` gives it; of each cell its changed games and all of its games.
    """

    joints: dict[Label, list[Ints]] = field(default_factory=dict)
    changed: dict[Label, tuple[int, int]] = field(default_factory=dict)


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
    gains: Ints
    places: Ints

    @classmethod
    def of(cls, rows: list[list[Ints]]) -> Self:
        """The counts of rows, each a list of what the arrays hold of one thing."""
        return cls(*(np.array(column) for column in zip(*rows, strict=True)))

    def arrays(self) -> list[Ints]:
        """The arrays in order."""
        return [getattr(self, one.name) for one in fields(self)]

    def pick(self, rows: list[int]) -> Counts:
        """Some of the rows."""
        return Counts(*(array[rows] for array in self.arrays()))


def _read(run: Run) -> tuple[list[Label], Counts, Counts, Beside]:
    """For each cell a row of its own (side and role ""), and one for each role in it; the same as far as it is pooled
    over the field; and the pairs of variants.
    """
    labels: list[Label] = []
    rows: list[list[Ints]] = []
    settled: list[list[Ints]] = []
    beside, ends = Beside(), run.ledger.ends() if run.stops else {}
    for cell in run.plan.cells:
        tally, pairs = run.counts(cell)
        for label, counts in _rows_of(run, cell, tally):
            labels.append(label)
            rows.append(counts)
        settled += _settled(run, cell, ends) if ends else rows[len(settled) :]
        if run.plan.paired(cell):
            _note(run, cell, int(tally.games.sum()), pairs, beside)
    return labels, Counts.of(rows), Counts.of(settled), beside


def _settled(run: Run, cell: Cell, ends: Ends) -> Iterator[list[Ints]]:
    """The rows of a cell in a run that stopped itself, each as it was when its role came through, and that of the whole
    cell as it was when the first role of its point and variant did: so all that is pooled has equally many games.
    """
    first = _pooled(ends, cell.point, cell.variant)
    through = [ends[who].games if who in ends else first for who in dict.fromkeys(whose(run.game, cell))]
    rows = {games: list(_rows_of(run, cell, run.counts(cell, games)[0])) for games in {first, *through}}
    for row, games in enumerate([first, *through]):
        yield rows[games][row][1]


def _pooled(ends: Ends, point: int, variant: str) -> int:
    """How many games of each cell of a point and variant are pooled: those at which the first role came through."""
    return min(end.games for who, end in ends.items() if who[:2] == (point, variant))


def _note(run: Run, cell: Cell, games: int, pairs: Pairs, beside: Beside) -> None:
    """Note the pairs of a variant's cell, for the cell and for the field."""
    own = Label(cell.id, cell.name, "", "", cell.point, cell.variant)
    for whole in (own, own._replace(cell=FIELD, lineup=FIELD)):
        changed, many = beside.changed.get(whole, (0, 0))
        beside.changed[whole] = changed + pairs.changed, many + games
        for member, slug in cell.seated:
            label = whole._replace(side=run.game.side_of(member).key, role=slug)
            beside.joints.setdefault(label, []).append(pairs.joint(member))


def _rows_of(run: Run, cell: Cell, tally: Tally) -> Iterator[tuple[Label, list[Ints]]]:
    game = run.game
    base, step = len(GAME_COLUMNS) + len(game.game_columns), len(SEAT_COLUMNS) + len(game.seat_columns)
    common = [
        tally.games.sum(),
        tally.endings.sum(axis=0),
        tally.total[:, :base].sum(axis=0),
        tally.square[:, :base].sum(axis=0),
    ]
    nobody = [np.zeros(many, np.int64) for many in (SHARE + 1, step, step, len(game.endings), game.players)]
    finished = places_of(tally.orders, game.players)
    where = cell.point, cell.variant
    yield Label(cell.id, cell.name, "", "", *where), [*common[:2], nobody[0], *common[2:], *nobody[1:]]
    places = run.plan.places(cell)
    lines = np.arange(len(places))
    seen = set[tuple[str, str]]()
    for seat, slug in cell.seated:
        who = game.side_of(seat).key, slug
        if who in seen:  # of a mirror match, the first of the role stands for it
            continue
        seen.add(who)
        at = places[:, seat]
        own = base + at[:, None] * step + np.arange(step)
        yield (
            Label(cell.id, cell.name, game.side_of(seat).key, slug, *where),
            [
                *common[:2],
                tally.shares[lines, at].sum(axis=0),
                *common[2:],
                tally.total[lines[:, None], own].sum(axis=0),
                tally.square[lines[:, None], own].sum(axis=0),
                tally.gains[:, seat],
                finished[seat],
            ],
        )


def _pool(counts: Counts, rows: list[int], groups: list[int], many: int) -> Counts:
    """Sums of rows by group."""
    pooled = []
    for array in counts.arrays():
        whole = np.zeros((many, *array.shape[1:]), np.int64)
        np.add.at(whole, groups, array[rows])
        pooled.append(whole)
    return Counts(*pooled)


# ---------------------------------------------------------------- measures


Measured = Callable[..., pd.DataFrame]


class Measuring(NamedTuple):
    """A column whose mean is a measure: its name, where its sums stand, and how they get an interval."""

    name: str
    at: int
    rows: Measured


def _measuring(run: Run, columns: Sequence[Column], total: Ints, square: Ints, games: Ints) -> list[Measuring]:
    """How the means of columns get their intervals: a column of 0 and 1 alone is a rate. It is one where it is declared
    so, and where the games of this run gave it both values and no other; total, square: sums over all of them [row,
    column], games [row].
    """
    sums, squares, many = total.sum(axis=0), square.sum(axis=0), games.sum()
    # whole numbers and their squares have one sum only where all are 0 or 1
    rates = (sums == squares) & (sums > 0) & (sums < many)
    kinds = _kinds(run)
    return [Measuring(one.name, at, kinds[0 if one.flag or rates[at] else 1]) for at, one in enumerate(columns)]


def _seats_measured(run: Run, counts: Counts) -> list[Measuring]:
    """The columns of seats that are measures, the score first."""
    columns = (*SEAT_COLUMNS, *run.game.seat_columns)
    found = _measuring(run, columns, counts.seat_total, counts.seat_square, counts.games)
    return [one for one in found if one.name == "score" or one.at >= len(SEAT_COLUMNS)]


def _games_measured(run: Run, counts: Counts) -> list[Measuring]:
    """The columns of games that are measures, the rounds first."""
    columns = (*GAME_COLUMNS, *run.game.game_columns)
    found = _measuring(run, columns, counts.game_total, counts.game_square, counts.games)
    return [one for one in found if one.name != "ending"]


def _of_seats(
    run: Run, columns: list[Measuring], labels: list[Label], counts: Counts, brief: bool
) -> Iterator[pd.DataFrame]:
    """The measures of roles; without places, wins by ending and the game's own columns if `brief`."""
    games, wins = counts.games, counts.shares[:, SHARE]
    rates, _ = _kinds(run)
    yield rates(labels, "win_rate", wins, games)
    total, square = _shares(run, labels, counts)
    if run.stops:
        yield _frame(labels, "share", _ratio(total, games), _share_sequence(run, labels, counts), "sequence", games)
    else:
        yield _frame(labels, "share", _ratio(total, games), shares_interval(total, square, games), "wilson", games)
    for place, ending in enumerate(run.game.endings if not brief else ()):
        if ending.kind in WON:
            yield rates(labels, f"won:{ending.name}", counts.gains[:, place] / SHARE, games)
    for place in range(_most_places(run.game, max(run.plan.sizes)) if not brief else 0):
        yield rates(labels, f"place:{place + 1}", counts.places[:, place], games)
    for name, at, rows in columns[: 1 if brief else None]:
        yield rows(labels, name, counts.seat_total[:, at], games, counts.seat_square[:, at])


def _of_games(
    run: Run, columns: list[Measuring], labels: list[Label], counts: Counts, brief: bool
) -> Iterator[pd.DataFrame]:
    """The measures of games; without endings and the game's own columns if `brief`."""
    games, endings = counts.games, counts.endings
    rates, _ = _kinds(run)
    yield rates(labels, "draw_rate", _draws(run.game, endings), games)
    yield rates(labels, "capped_rate", endings[:, _of_kind(run.game, "capped", CAPPED)].sum(axis=1), games)
    yield rates(labels, "overflow_rate", endings[:, _of_kind(run.game, "overflow", OVERFLOW)].sum(axis=1), games)
    for place, ending in enumerate(run.game.endings if not brief else ()):
        yield rates(labels, f"ending:{ending.name}", endings[:, place], games)
    for name, at, rows in columns[: 1 if brief else None]:
        yield rows(labels, name, counts.game_total[:, at], games, counts.game_square[:, at])


def _of_variants(run: Run, beside: Beside) -> Iterator[pd.DataFrame]:
    """The measures of variants beside their baseline; `saved` has no value where no game changed."""
    if not beside.joints:
        return
    labels, sides = list(beside.joints), {side.key: side for side in run.game.sides}
    worths = [worth_of(run, sides[label.side]) for label in labels]
    games, total, square, span = _gaps(list(beside.joints.values()), worths)
    low, high = paired_interval(total, square, span, games)
    yield _frame(labels, "difference", _ratio(total, games), (low, high), np.where(np.isnan(low), "", "paired"), games)
    found = [
        saved(np.array(beside.joints[label]), worth) if many else None
        for label, worth, many in zip(labels, worths, games, strict=True)
    ]
    ends = [[getattr(one, end) if one else math.nan for one in found] for end in ("value", "low", "high")]
    value, low, high = np.array(ends)
    yield _frame(labels, "saved", value, (low, high), "delta", games)
    changed, many = np.array(list(beside.changed.values())).T
    yield _kinds(run)[0](list(beside.changed), "changed_rate", changed, many)


def _of_strengths(run: Run) -> Iterator[pd.DataFrame]:
    """The strengths of rivals, as their share at a table of average ones; drawn anew by the run's own seed."""
    for side in run.game.sides:
        if orders := finishes(run, side):
            found = strengths.intervals(orders, strengths.fit(orders), seed=run.config.seed)
            labels = [Label(FIELD, FIELD, side.key, role, *run.plan.slices[0]) for role in found.role]
            # a fit has other last digits on another processor; a summary is compared byte by byte
            value, low, high = (
                found[name].to_numpy(np.float64).round(6) for name in ("share", "share_low", "share_high")
            )
            yield _frame(labels, "strength", value, (low, high), "resampled", found.games.to_numpy(np.int64))


def _gaps(joints: list[list[Ints]], worths: list[Floats]) -> tuple[Ints, Floats, Floats, tuple[Floats, Floats]]:
    """Of joint tables: how many games; of variant less baseline sums, sums of squares, and the ends of those seen."""
    tables = np.array([np.sum(joint, axis=0) for joint in joints])
    gaps = np.array([worth - worth[:, None] for worth in worths])
    games, total, square = ((tables * part).sum(axis=(1, 2)) for part in (1, gaps, gaps**2))
    least, most = (np.where(tables > 0, gaps, far).reshape(len(gaps), -1) for far in (np.inf, -np.inf))
    return games, total, square, (least.min(axis=1), most.max(axis=1))


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


def _rates(
    labels: list[Label], measure: str, hits: Ints | Floats, games: Ints, _square: Ints | None = None
) -> pd.DataFrame:
    return _frame(labels, measure, _ratio(hits, games), wilson(hits, games), "wilson", games)


def _means(labels: list[Label], measure: str, total: Ints, games: Ints, square: Ints) -> pd.DataFrame:
    low, high = means_interval(total.astype(np.float64), square.astype(np.float64), games)
    return _frame(labels, measure, _ratio(total, games), (low, high), means_kinds(low, games), games)


def _kinds(run: Run) -> tuple[Measured, Measured]:
    """How rates and means of a run get their intervals: by a fixed count, or by a sequence where it stopped itself.

    Both take labels, a measure, sums, games and, for means, sums of squares.
    """
    if not run.stops:
        return _rates, _means
    return _rate_sequences, partial(_mean_sequences, block=run.plan.seatings)


def _rate_sequences(
    labels: list[Label], measure: str, hits: Ints | Floats, games: Ints, _square: Ints | None = None
) -> pd.DataFrame:
    return _frame(labels, measure, _ratio(hits, games), _rate_sequence(hits, games), "sequence", games)


def _rate_sequence(hits: Ints | Floats, games: Ints) -> tuple[Floats, Floats]:
    return interval(np.stack([games - hits, hits], axis=-1), np.array([0.0, 1.0]))


def _mean_sequences(
    labels: list[Label], measure: str, total: Ints, games: Ints, square: Ints, block: int
) -> pd.DataFrame:
    low, high = means_sequence(total, square, games, block)
    kinds = np.where(np.isnan(low), "", "asymptotic")
    return _frame(labels, measure, _ratio(total, games), (low, high), kinds, games)


def _share_sequence(run: Run, labels: list[Label], counts: Counts) -> tuple[Floats, Floats]:
    """The sequences of shares: those over the field hold together for all verdicts, those of cells each on its own."""
    low, high = np.full((2, len(labels)), np.nan)
    values = with_draws(run.game, counts.shares, counts.endings)
    for side in run.game.sides:
        for pooled, alpha in ((True, ALPHA / verdicts_printed(run.plan)), (False, ALPHA)):
            rows = [i for i, label in enumerate(labels) if label.side == side.key and (label.cell == FIELD) == pooled]
            if rows:
                low[rows], high[rows] = interval(values[rows], worth_of(run, side), alpha)
    return low, high


def _ratio(total: npt.ArrayLike, games: npt.ArrayLike) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.asarray(total, np.float64) / np.asarray(games, np.float64))


def _frame(
    labels: list[Label],
    measure: str,
    value: Floats,
    bounds: tuple[Floats, Floats],
    interval: str | npt.NDArray[np.str_],
    games: Ints,
) -> pd.DataFrame:
    whose = {name: [label[place] for label in labels] for place, name in enumerate(Label._fields)}
    low, high = bounds
    numbers = {"value": value, "low": low, "high": high, "interval": interval, "games": games}
    return pd.DataFrame({**whose, "measure": measure, **numbers})
