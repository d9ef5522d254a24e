"""What a report says of how games go: how long they are, how they end, and who wins then."""

from __future__ import annotations

import math
from typing import Any

from matplotlib.figure import Figure

from experiments import plots, stats
from experiments.pages import Grid, Picture, Row, Value, embedded, listed, mean_of, rate_of, upper
from experiments.parts import words
from experiments.seen import Seen
from simcore.game import KINDS, Side

GOES_TO = dict(zip(KINDS, ("one winner", "several winners", "nobody", "nobody", "nobody", "nobody"), strict=True))
"""Kind of ending -> who wins a game that ends so."""


def length(seen: Seen) -> dict[str, Any] | None:
    """How long games are: the mean and the spread, and the shortest and longest cells."""
    whole = seen.summary[(seen.summary.measure == "rounds") & seen.summary.value.notna()]
    over = whole[(whole.cell == stats.FIELD) & (whole.side == "")]
    if over.empty:
        return None
    row, called = over.iloc[0], seen.run.game.rounds_called
    mean, apart = mean_of(row.value, row.low, row.high), stats.spread(row.value, row.high, row.games)
    cells = whole[whole.cell != stats.FIELD].drop_duplicates("cell").set_index("cell").value
    lines = [f"{seen.meaning('rounds')} In brackets: {seen.intervals(['rounds'], field=True)}."]
    if len(cells) > 1:
        short, long = (seen.cell_named(str(cell)) for cell in (cells.idxmin(), cells.idxmax()))
        quarter, half, three = (f"{number:.2f}" for number in cells.quantile([0.25, 0.5, 0.75]))
        lines.append(
            f"Of the {len(cells):,} cells, the shortest on average is {short} ({cells.min():.2f}), the longest {long} "
            f"({cells.max():.2f}); half of the cells lie between {quarter} and {three}, the middle one at {half}."
        )
    between = f" ({mean.span})" if mean.span else ""
    spread = f", with a standard deviation of {apart:.2f} from game to game" if math.isfinite(apart) else ""
    return {"title": f"A game lasts {mean.value}{between} {called} on average{spread}.", "lines": lines}


def ends(seen: Seen) -> dict[str, Any] | None:
    """How games end over all cells, and who wins then."""
    rates = {ending: seen.found[stats.FIELD, "", "", f"ending:{ending.name}"] for ending in seen.run.game.endings}
    ordered = sorted((ending for ending, rate in rates.items() if rate[0] > 0), key=lambda ending: -rates[ending][0])
    if not ordered:
        return None
    rows = [Row(words(e.name), [rate_of(*rates[e]), Value(GOES_TO[e.kind]), Value(upper(e.about))]) for e in ordered]
    about = "All games of all cells, in percent, with 95% intervals (Wilson). What never happened is left out."
    grid = Grid(about, ["Ending", "games", "won by", "what it means"], rows, falls="games")
    top = ordered[0]
    title = f"{plots.percent(rates[top][0])}% of the games end by \u201c{words(top.name)}\u201d: {top.about}."
    return {"title": title, "table": grid, "winners": _winners(seen)}


def _winners(seen: Seen) -> str:
    """Which part of all games each side of one seat won outright, and which had no one winner."""
    sides = seen.run.game.sides
    if len(sides) < 2 or any(side.seats > 1 for side in sides):
        return ""
    parts = []
    for side in sides:
        rows = seen.field(side, "win_rate")
        parts.append(float((rows.value * rows.games).sum()) / seen.run.games)
    won = [f"the {side.key} won {plots.percent(part)}%" for side, part in zip(sides, parts, strict=True)]
    rest = plots.percent(max(0.0, 1 - sum(parts)))
    return f"Of all games, {listed([*won, f'{rest}% had no one winner'])}."


def bars(seen: Seen, side: Side) -> Picture | None:
    """How the games of each role of a side end."""
    table = plots.endings(seen.summary, side.key)
    roles = [role for role in seen.field(side, "share").role if role in table.index]
    names = [ending.name for ending in seen.run.game.endings if ending.name in table.columns]
    if not roles or not names:
        return None
    table = table.loc[roles, names]
    apart = table.max() - table.min()
    most = str(apart.idxmax())
    title = (
        f"The {side.key} differ most in \u201c{words(most)}\u201d: from {plots.percent(table[most].min())}% "
        f"({table[most].idxmin()}) to {plots.percent(table[most].max())}% ({table[most].idxmax()})"
        if len(roles) > 1
        else f"How the games of {roles[0]} ended"
    )
    caption = (
        f"How the games of the {side.key} ended, the strongest {side.bot} first, in percent of its games. "
        "An ending says how, not who won. Small parts have no number; summary.csv has all, with intervals."
    )

    def draw(narrow: bool) -> Figure:
        return plots.endings_bars(table, narrow)

    return embedded(draw, title, f"Endings of the games of the {side.key}", caption)
