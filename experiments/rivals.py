"""What a report says of rivals at one table: what seats and neighbours are worth, who comes in which place, and one
strength for each role.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from experiments import plots, stats, strengths
from experiments.pages import Grid, Picture, Row, Value, count_of, embedded, in_points, listed, rate_of, upper
from experiments.seen import Seen, intervals
from simcore.game import Side

PAIRS_SHOWN = 20
"""Pairs that strengths don't explain, in the table of them."""

SEATED = {
    "all": "Every order of a lineup is played equally often, so that a difference here is the seat's own.",
    "cyclic": "Every turn of a lineup is played equally often, so that a difference here is the seat's own.",
    "none": "Each lineup was played in one order only, so that seats also differ in who sits there.",
}


def seats(seen: Seen) -> dict[str, Any] | None:
    """The mean share of each seat, and of whoever sits after a role, where rivals share a side; None for a crew."""
    rows = stats.seat_effects(seen.run)
    rows = rows[rows.measure == "share"].dropna(subset="value")
    if rows.empty:
        alone = "Each side has one seat, so that there is no seat and no neighbour to compare."
        told = alone if all(side.seats == 1 for side in seen.run.game.sides) else _mirrors_told(seen)
        return {"about": [told], "pictures": []} if told else None
    many = rows.side.nunique() > 1
    rows["seat"] = [
        f"{side}, seat {seat}" if many else f"seat {seat}" for side, seat in zip(rows.side, rows.seat, strict=True)
    ]
    turned = SEATED[seen.run.config.run.rotate]
    about = [f"Seats are numbered in turn order. {turned}", _neighbours_told(seen), _mirrors_told(seen)]
    beside = [picture for side in seen.run.game.sides if (picture := _neighbours(seen, side))]
    pictures = [_seat_picture(rows), *beside]
    return {"about": [line for line in about if line], "pictures": pictures}


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
    if max(seen.run.plan.sizes) == 2:
        return "With two seats the neighbour is the other seat: what a seat is worth is what a neighbour is worth."
    if seen.run.config.run.rotate != "all":
        return "What a neighbour is worth can be told only where all orders of a lineup are played (rotate: all)."
    return ""


def _mirrors_told(seen: Seen) -> str:
    """Whether roles that met themselves came out even; "" where none did."""
    rows = seen.mirrors
    if rows.empty:
        return ""
    side, even = rows.side[0], list(dict.fromkeys(rows.even))
    names, ends = _titles(seen, rows), plots.span(rows.value.min(), rows.value.max())
    who = listed(names) if len(names) < 4 else f"the {len(names)} {side}"
    start = f"{upper(who)} also met {'itself' if len(names) == 1 else 'themselves'}"
    if seen.run.config.run.rotate == "none":
        return f"{start}: shares of {ends}%. As nobody changed seats, that is what the seats are worth."
    at = listed([f"{plots.percent(one)}%" for one in even])
    return (
        f"{start}, which must come out even, at {at}. Shares of {ends}% were seen: "
        f"{'further off than' if uneven(seen) else 'no further off than'} chance allows (95% sequences that hold all "
        "together)."
    )


def uneven(seen: Seen) -> list[str]:
    """The roles, by title, whose mirror matches don't come out even, which no rule and no bot may bring about where
    seats are changed.
    """
    rows = seen.mirrors
    turned = seen.run.config.run.rotate != "none"
    return _titles(seen, rows[(rows.low > rows.even) | (rows.high < rows.even)]) if turned else []


def _titles(seen: Seen, rows: pd.DataFrame) -> list[str]:
    """The roles of mirror matches for people, each once."""
    return list(dict.fromkeys(seen.names[side][role] for side, role in zip(rows.side, rows.role, strict=True)))


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
        f"with {intervals([stats.rates_kind(seen.run)])}; hollow dots: the mean share of all who sit at the same "
        "tables with it. The points are the difference of the two."
    )

    def draw(narrow: bool) -> Figure:
        return plots.forest(rows, None, "share, %", whole, names, narrow=narrow)

    return embedded(draw, title, f"Share of the seat after each of the {side.key}, with intervals", caption)


# --- places -------------------------------------------------------------------------------------------------


def places(seen: Seen, side: Side) -> Picture | None:
    """How often each role of three or more rivals comes in each place."""
    table = plots.places(seen.summary, side.key)
    roles = [role for role in seen.field(side, "share").role if role in table.index]
    if side.seats < 3 or max(seen.run.plan.sizes) < 3 or not roles or table.shape[1] < 2:
        return None
    table = table.loc[roles]
    first = table.iloc[:, 0]
    title = (
        f"{first.idxmax()} comes first in {plots.percent(first.max())}% of its games, {first.idxmin()} in "
        f"{plots.percent(first.min())}%"
    )
    caption = (
        f"How often each of the {side.key} came in each place, the highest share first, in percent of its games. "
        "Who is level shares a place. Small parts have no number; summary.csv has all, with intervals."
    )

    def draw(narrow: bool) -> Figure:
        return plots.place_bars(table, narrow)

    return embedded(draw, title, f"How often each of the {side.key} comes in each place", caption)


# --- strengths ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Strong:
    """The strengths of a side's roles: the rows of the summary, the highest first; the pairs of roles with what they
    did and what strengths make one expect, by titles; what is left unexplained; the prior that was used.
    """

    side: Side
    rows: pd.DataFrame
    pairs: pd.DataFrame
    left: strengths.Unexplained
    prior: strengths.Prior
    seats: int

    @classmethod
    def of(cls, seen: Seen, side: Side) -> Strong | None:
        """Those of a run; None where strengths have nothing to say."""
        rows, orders = seen.field(side, "strength"), stats.finishes(seen.run, side)
        if rows.empty or not orders:
            return None
        fit, names = strengths.fit(orders), seen.names[side.key]
        pairs = strengths.surprises(orders, fit)
        pairs = pairs.assign(first=pairs["first"].map(names), second=pairs["second"].map(names))
        left = strengths.unexplained(orders, fit, seed=seen.run.config.seed)
        return cls(side, rows, pairs, left, strengths.WEAK, fit.seats)

    @property
    def surprising(self) -> pd.DataFrame:
        """The pairs that the strengths don't explain, the furthest from them first."""
        return self.pairs[self.pairs.surprising].sort_values("difference", ascending=False, kind="stable")


def strongest(seen: Seen, side: Side) -> dict[str, Any] | None:
    """One strength for each role of a side of rivals, and the pairs that strengths don't explain."""
    strong = Strong.of(seen, side)
    if strong is None:
        return None
    return {
        "finding": _explained(strong),
        "lines": [_model(strong), *_rings(strong), *_as_if_fixed(seen)],
        "picture": _strengths(strong, seen),
        "tables": [_strength_table(strong, seen), *_surprises(strong)],
    }


def _explained(strong: Strong) -> str:
    """How far strengths go, in a sentence."""
    many, every = len(strong.surprising), len(strong.pairs)
    share = strong.left.explained
    told = f"One strength for each role explains {plots.percent(share, 0)}% of how" if math.isfinite(share) else ""
    start = f"{told} the results of lineups differ, beyond chance; " if told else ""
    rest = (
        f"the results of {many:,} of the {every:,} pairs are other than strengths make one expect"
        if many
        else f"none of the {every:,} pairs has a result other than strengths make one expect"
    )
    return upper(f"{start}{rest}.")


def _model(strong: Strong) -> str:
    """The model and the prior, in words."""
    table = "a rival" if strong.seats == 2 else f"{strong.seats - 1} rivals"
    return (
        "The strengths are those that best explain who finished before whom, in the model of Plackett and Luce with "
        "Davidson's ties (for two, Bradley and Terry's); strength is the share that the model gives a role against "
        f"{table} of average strength. A weak prior keeps it finite where a role always won: log-strengths are normal "
        f"around 0 with a standard deviation of {strong.prior.strength:g}, which weighs less than one game. What "
        "strengths can't say is that one beats another, who beats a third, who beats the first."
    )


def _as_if_fixed(seen: Seen) -> list[str]:
    """What a run that stopped itself must add."""
    told = "This run decided by itself when to stop; intervals here are those of a fixed number of games."
    return [told] if seen.run.stops else []


def _rings(strong: Strong) -> list[str]:
    """The clearest of the rings in which each beats the next, if there is one."""
    found = strengths.rings(strong.pairs)
    if not found:
        return []
    one, two, three = found[0]
    many = "One such ring" if len(found) == 1 else f"The clearest of {len(found):,} such rings"
    return [f"{many}: {one} beats {two}, {two} beats {three}, and {three} beats {one}."]


def _strengths(strong: Strong, seen: Seen) -> Picture:
    """A forest plot of the strengths."""
    rows, key = strong.rows, strong.side.key
    reference = 1 / strong.seats
    caption = (
        f"Each of the {key} by its strength, with {seen.intervals(['strength'], field=True)}; dashed: a role of "
        f"average strength, at {plots.percent(reference)}%."
    )
    ends = [f"{row.role} ({plots.percent(row.value)}%)" for _, row in rows.iloc[[0, -1]].iterrows()]

    def draw(narrow: bool) -> Figure:
        return plots.forest(rows, reference, "strength: share among average rivals, %", narrow=narrow)

    return embedded(draw, f"Strengths from {ends[0]} to {ends[1]}", f"Strengths of the {key}, with intervals", caption)


def _strength_table(strong: Strong, seen: Seen) -> Grid:
    """Each role's strength beside its share."""
    rows = []
    for _, row in strong.rows.iterrows():
        share = seen.value(stats.FIELD, strong.side, row.role, "share")
        cells = [rate_of(row.value, row.low, row.high), rate_of(*share), count_of(int(row.games))]
        rows.append(Row(row.role, cells))
    about = (
        f"Strength among average rivals, and the share over the field that was played, in percent, with "
        f"{seen.intervals(['strength', 'share'], field=True)}."
    )
    return Grid(about, [upper(strong.side.bot), "strength", "share", "games"], rows, falls="strength")


def _surprises(strong: Strong) -> Iterator[Grid]:
    """The pairs that strengths don't explain, those furthest from them first."""
    found = strong.surprising
    rows = [
        Row(
            f"{row['first']} over {row['second']}",
            [
                rate_of(row.observed, row.low, row.high),
                rate_of(row.expected),
                Value(in_points(row.difference).removesuffix(" points"), key=row.difference),
                Value(f"{row.residual:.1f}", key=row.residual),
                count_of(int(row.games)),
            ],
        )
        for _, row in found[:PAIRS_SHOWN].iterrows()
    ]
    left = f" The {PAIRS_SHOWN} furthest from it of {len(found):,} are here." if len(found) > PAIRS_SHOWN else ""
    about = (
        "Pairs whose result the strengths don't explain: in how many games, in percent, the first of the two finished "
        "before the other, a tie counting half, with 95% intervals (Wilson); what strengths make one expect; the "
        "difference in points, and in standard errors. If strengths explained everything, no pair would be here in 95 "
        f"of 100 runs.{left}"
    )
    heads = ["Pair", "before the other", "expected", "difference", "standard errors", "games"]
    if rows:
        yield Grid(about, heads, rows, falls="difference")
