"""What a report says of rivals at one table: what seats and neighbours are worth."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from experiments import plots, stats
from experiments.pages import Picture, embedded, in_points, upper
from experiments.seen import Seen, intervals
from simcore.game import Side

SEATED = {
    "all": "Every order of a lineup is played equally often, so that a difference here is the seat's own.",
    "cyclic": "Every turn of a lineup is played equally often, so that a difference here is the seat's own.",
    "none": "Each lineup was played in one order only, so that seats also differ in who sits there.",
}


def seats(seen: Seen) -> dict[str, Any]:
    """The mean share of each seat, and of whoever sits after a role, where rivals share a side."""
    rows = stats.seat_effects(seen.run)
    rows = rows[rows.measure == "share"].dropna(subset="value")
    if rows.empty:
        alone = "Each side has one seat, so that there is no seat and no neighbour to compare."
        return {"about": [alone] if all(side.seats == 1 for side in seen.run.game.sides) else [], "pictures": []}
    many = rows.side.nunique() > 1
    rows["seat"] = [
        f"{side}, seat {seat}" if many else f"seat {seat}" for side, seat in zip(rows.side, rows.seat, strict=True)
    ]
    about = [f"Seats are numbered in turn order. {SEATED[seen.run.config.run.rotate]}", _neighbours_told(seen)]
    pictures = [_seat_picture(rows), *(_neighbours(seen, side) for side in seen.run.game.sides)]
    return {"about": [line for line in about if line], "pictures": [picture for picture in pictures if picture]}


def _seat_picture(rows: pd.DataFrame) -> Picture:
    mean, best = float(rows.value.mean()), rows.sort_values("value", ascending=False).iloc[0]
    apart = bool((rows.low > mean).any() or (rows.high < mean).any())
    title = (
        f"{upper(best.seat)} is the best: {in_points(best.value - mean)} of share from the mean of the seats"
        if apart
        else "No seat can be told from the others by these games"
    )
    caption = (
        f"The mean share of each seat over all games, with {intervals(rows.interval.unique())}. "
        "The dashed line is the mean of the seats."
    )

    def draw(narrow: bool) -> Figure:
        return plots.seat_effect(rows, mean, "share of the seat, %", narrow)

    return embedded(draw, title, "Mean share of each seat, with intervals", caption)


def _neighbours_told(seen: Seen) -> str:
    """What can be said of neighbours, where no picture shows them."""
    most = max(side.seats for side in seen.run.game.sides)
    if most == 2:
        return "With two seats the neighbour is the other seat: what a seat is worth is what a neighbour is worth."
    if seen.run.config.run.rotate != "all":
        return "What a neighbour is worth can be told only where all orders of a lineup are played (rotate: all)."
    return ""


def _neighbours(seen: Seen, side: Side) -> Picture | None:
    """The mean share of whoever sits right after a role, against that of all others at the same tables."""
    rows = stats.neighbour_effects(seen.run)
    rows = rows[rows.side == side.key].assign(gain=rows.value - rows.whole)
    if rows.empty:
        return None
    rows = rows.assign(role=rows.role.map(seen.names[side.key])).sort_values("gain", ascending=False, kind="stable")
    whole = rows.assign(value=rows.whole, low=math.nan, high=math.nan)
    names = "share right after it", "others at its tables"
    best, worst = (f"{rows.role.iloc[at]} ({in_points(rows.gain.iloc[at])})" for at in (0, -1))
    title = f"The best seat is right after {best}, the worst right after {worst}"
    caption = (
        f"For each of the {side.key}, the mean share of whoever sits right after it, that is with it to the left, "
        "with 95% intervals (Wilson); hollow dots: the mean share of all who sit at the same tables with it. "
        "The points are the difference of the two."
    )

    def draw(narrow: bool) -> Figure:
        return plots.forest(rows, None, "share, %", whole, names, narrow=narrow)

    return embedded(draw, title, f"Share of the seat after each of the {side.key}, with intervals", caption)
