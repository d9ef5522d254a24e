"""What a report says of how games go: how long they are, how they end, and who wins then."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from experiments import plots, stats
from experiments.pages import Grid, Picture, Row, Value, embedded, listed, mean_of, rate_of, upper
from experiments.parts import words
from experiments.seen import Seen
from simcore.game import KINDS, LENGTHS, SHARE, Ending, Side

GOES_TO = dict(zip(KINDS, ("one winner", "several winners", "nobody", "nobody", "nobody", "nobody"), strict=True))
"""Kind of ending -> who wins a game that ends so."""

USUAL = (0.05, 0.5, 0.95)
"""Parts of the games that are shorter: the usual lengths begin, have their middle, and end there."""


# --- length -------------------------------------------------------------------------------------------------


def length(seen: Seen) -> dict[str, Any] | None:
    """How long games are: the mean, the usual lengths, all lengths as a picture, and the shortest and longest cells."""
    whole = seen.summary[(seen.summary.measure == "rounds") & seen.summary.value.notna()]
    over = whole[(whole.cell == stats.FIELD) & (whole.side == "")]
    if over.empty:
        return None
    row, called, counts = over.iloc[0], seen.run.game.rounds_called, seen.whole.lengths
    mean = mean_of(row.value, row.low, row.high)
    between = f" ({mean.span})" if mean.span else ""
    title = f"A game lasts {mean.value}{between} {called} on average; {_usual(counts, called)}."
    about = f"{seen.meaning('rounds')} In brackets: {seen.intervals(['rounds'], field=True)}."
    lines = [about, *_capped(seen), *_shortest_and_longest(seen, whole)]
    return {"title": title, "lines": lines, "picture": _lengths(seen)}


def _usual(counts: stats.Ints, called: str) -> str:
    """The middle length and the range of 9 in 10, as in "the middle game 3, and 90% of the games 1 to 4"."""
    low, middle, high = quantiles(counts)
    if np.count_nonzero(counts) == 1:
        return f"every game lasts {_length(middle)}"
    if low == high:
        return f"9 in 10 games, or more, last {_length(middle)}"
    return f"the middle game lasts {_length(middle)}, and 9 in 10 games last {_length(low)} to {_length(high)}"


def quantiles(counts: stats.Ints) -> tuple[int, int, int]:
    """The lengths at which USUAL parts of the games are over, from how many games had each length."""
    low, middle, high = np.searchsorted(np.cumsum(counts), np.array(USUAL) * counts.sum()).tolist()
    return low, middle, high


def _length(rounds: int) -> str:
    """A length in words: all long ones are counted together."""
    return f"{rounds} or more" if rounds == LENGTHS - 1 else str(rounds)


def _capped(seen: Seen) -> list[str]:
    """How many games reached their limit, if any did."""
    capped = seen.found.get((stats.FIELD, "", "", "capped_rate"), (0.0, 0.0, 0.0))
    if not capped[0] > 0:
        return []
    rate = plots.percent(capped[0], 2)
    return [f"{rate}% of the games ({plots.span(*capped[1:], digits=2)}) reached the limit of steps and were stopped."]


def _shortest_and_longest(seen: Seen, whole: pd.DataFrame) -> list[str]:
    """Which cells have the shortest and the longest games, where there are several."""
    cells = whole[whole.cell != stats.FIELD].drop_duplicates("cell").set_index("cell").value
    if len(cells) < 2 or cells.min() == cells.max():
        return []
    short, long = (seen.cell_named(str(cell)) for cell in (cells.idxmin(), cells.idxmax()))
    quarter, half, three = (f"{number:.2f}" for number in cells.quantile([0.25, 0.5, 0.75]))
    return [
        f"Of the {len(cells):,} cells, the shortest on average is {short} ({cells.min():.2f}), the longest {long} "
        f"({cells.max():.2f}); half of the cells lie between {quarter} and {three}, the middle one at {half}."
    ]


def _lengths(seen: Seen) -> Picture | None:
    """All lengths of games, where they differ."""
    counts, called = seen.whole.lengths, seen.run.game.rounds_called
    happened = np.flatnonzero(counts)
    if len(happened) < 2:
        return None
    at = np.arange(happened[0], happened[-1] + 1)
    low, _, high = quantiles(counts)
    rows = pd.DataFrame({"length": at, "value": counts[at] / counts.sum(), "usual": (at >= low) & (at <= high)})
    rows["label"] = [f"{rounds}+" if rounds == LENGTHS - 1 else str(rounds) for rounds in at]
    most, part = int(counts.argmax()), plots.percent(counts.max() / counts.sum())
    title = f"{part}% of the games last {_length(most)} {called}, more than any other number"
    rare = "; pale: the shortest and the longest 5%" if not rows.usual.all() else ""
    caption = f"How many of all games last how many {called}, in percent{rare}."

    def draw(narrow: bool) -> Figure:
        return plots.lengths(rows, called, narrow)

    return embedded(draw, title, f"How many games last how many {called}", caption)


# --- endings ------------------------------------------------------------------------------------------------


def ends(seen: Seen) -> dict[str, Any] | None:
    """How games end over all cells, and who wins then."""
    counts, games = seen.whole.endings.sum(axis=0), int(seen.whole.games.sum())
    happened = [(ending, int(many)) for ending, many in zip(seen.run.game.endings, counts, strict=True) if many]
    if not happened:
        return None
    happened.sort(key=lambda pair: -pair[1])
    sides = _two_sides(seen)
    heads = [f"won by {side.key}" for side in sides] or ["won by"]
    rows = [
        Row(words(e.name), [_rate(seen, many, games), *_won(seen, e, games, sides), Value(upper(e.about))])
        for e, many in happened
    ]
    kind = seen.intervals([f"ending:{happened[0][0].name}"], field=True)
    about = f"All games of all cells, in percent of all, with {kind}. What never happened is left out."
    grid = Grid(about, ["Ending", "games", *heads, "what it means"], rows, falls="games")
    top, many = happened[0]
    title = f"{plots.percent(many / games)}% of the games end by \u201c{words(top.name)}\u201d: {top.about}."
    return {"title": title, "table": grid, "winners": _winners(seen, games, sides)}


def _two_sides(seen: Seen) -> list[Side]:
    """The sides, where each has one seat, so that a game is won by one of them."""
    sides = seen.run.game.sides
    return list(sides) if len(sides) > 1 and all(side.seats == 1 for side in sides) else []


def _rate(seen: Seen, hits: float, games: int) -> Value:
    low, high = stats.rates_interval(seen.run, np.array([hits]), np.array([games]))
    return rate_of(hits / games, float(low[0]), float(high[0]))


def _won(seen: Seen, ending: Ending, games: int, sides: list[Side]) -> list[Value]:
    """Of all games, those that end so and that each side wins; of rivals, who wins such games, in words."""
    if seen.crew:
        return [Value("the crew" if ending.kind in stats.WON else "nobody")]
    if not sides:
        return [Value(GOES_TO[ending.kind])]
    if ending.kind not in stats.WON:
        return [Value("-", key=0.0) for _ in sides]
    gains = seen.whole.gains[seen.run.game.endings.index(ending)] / SHARE
    return [_rate(seen, float(gain), games) for gain in gains]


def _winners(seen: Seen, games: int, sides: list[Side]) -> str:
    """Which part of all games each side of one seat won outright, and which had no one winner."""
    if not sides:
        return ""
    outright = [place for place, ending in enumerate(seen.run.game.endings) if ending.kind == "won"]
    parts = seen.whole.gains[outright].sum(axis=0) / SHARE / games
    won = [f"the {side.key} won {plots.percent(part)}%" for side, part in zip(sides, parts, strict=True)]
    rest = plots.percent(max(0.0, 1 - parts.sum()))
    return f"Of all games, {listed([*won, f'{rest}% had no one winner'])}."


def bars(seen: Seen, side: Side) -> Picture | None:
    """How the games of each role of a side end, and who wins them."""
    table = plots.endings(seen.summary, side.key)
    roles = [role for role in seen.field(side, "share").role if role in table.index]
    if not roles or table.empty:
        return None
    table = table.loc[roles]

    def draw(narrow: bool) -> Figure:
        return plots.endings_bars(table, narrow)

    about = f"Endings of the games of the {seen.many(side)}{'' if seen.crew else ', and who won them'}"
    return embedded(draw, _differ_most(seen.many(side), table), about, _bars_told(seen, side))


def _bars_told(seen: Seen, side: Side) -> str:
    """What the bars show."""
    small = "Small parts have no number; summary.csv has all, with intervals."
    if seen.crew:
        first = f"the {seen.one(side)} with whom it wins most often first"
        return f"How the games of the crew ended with each of the {seen.many(side)}, {first}, in percent. {small}"
    return (
        f"How the games of the {side.key} ended and who won them, the strongest {side.bot} first, in percent of its "
        f"games. From the left, in full colours: won by the {side.bot} itself, a shared win by its part; then what "
        f"nobody won; then, in the same colours but pale, won by others. {small}"
    )


def _differ_most(called: str, table: pd.DataFrame) -> str:
    """In which way of winning, losing or neither the roles differ most."""
    if len(table) < 2:
        return f"How the games of {table.index[0]} ended"
    values = table.to_numpy(dtype=float)
    at = int(np.ptp(values, axis=0).argmax())
    columns: list[Any] = table.columns.to_list()
    name, part = columns[at]
    column, told = table.iloc[:, at], {"won": "wins by ", "lost": "losses by ", "nobody": ""}[part]
    return (
        f"The {called} differ most in {told}\u201c{words(name)}\u201d: from {plots.percent(column.min())}% "
        f"({column.idxmin()}) to {plots.percent(column.max())}% ({column.idxmax()})"
    )
