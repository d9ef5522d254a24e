"""What a report says of a crew that wins and loses together: how often it wins as which lineup, of how many, and what
each role adds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from experiments import plots, stats
from experiments.intervals import combined
from experiments.ledger import Run
from experiments.pages import Grid, Row, Value, count_of, in_points, listed, rate_of, upper
from experiments.plan import Cell
from experiments.seen import Seen, intervals
from experiments.sequences import verdict
from simcore.game import SHARE

SHOWN = 3
"""Lineups that are named at either end."""


@dataclass(frozen=True)
class Crew:
    """A lineup as one: its cell, who is in it, in how many games, and how often it won."""

    cell: str
    members: frozenset[str]
    size: int
    games: int
    wins: float


def crews(seen: Seen) -> list[Crew]:
    """The lineups of the baseline that have games; all members of one have the same share."""
    found = []
    for cell in seen.run.plan.front:
        tally, (member, _) = seen.run.tally(cell), cell.seated[0]
        wins, games = tally.gains[:, member].sum() / SHARE, int(tally.games.sum())
        members = frozenset(slug for _, slug in cell.seated)
        if games:
            found.append(Crew(cell.id, members, len(cell.seated), games, float(wins)))
    return found


NAMED = 12
"""Lineups of a sweep that are shown one by one; more are drawn together by size."""


def shares(run: Run) -> pd.DataFrame:
    """How often crews win at each point of a sweep: side, role (the crew's name), point, value, low, high, games, word
    (the verdict). Few lineups are crews of their own; many are drawn together by how many sit there.
    """
    side, rows = run.game.sides[0], []
    groups = dict[tuple[int, str], list[Cell]]()
    cells = [cell for cell in run.plan.cells if not cell.variant]
    names = _names(run, list(dict.fromkeys(cell.lineup for cell in cells)))
    for cell in cells:
        groups.setdefault((cell.point, names[cell.lineup]), []).append(cell)
    for (point, name), own in groups.items():
        tallies = [(run.tally(cell), cell.seated[0][0]) for cell in own]
        wins = sum(float(tally.gains[:, member].sum()) for tally, member in tallies) / SHARE
        rows.append((side.key, name, point, wins, sum(int(tally.games.sum()) for tally, _ in tallies)))
    table = pd.DataFrame(rows, columns=["side", "role", "point", "wins", "games"])
    table = table[table.games > 0].reset_index(drop=True)
    low, high = stats.rates_interval(run, table.wins.to_numpy(), table.games.to_numpy())
    table = table.assign(value=table.wins / table.games, low=low, high=high)
    inside = stats.band(run, side, table.groupby("point").value.transform("mean").to_numpy())
    return table.assign(word=verdict(table.low, table.high, inside.least, inside.most))


def _names(run: Run, lineups: list[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """What each lineup is called: by its members where there are several of its size."""
    titles = stats.titles(run.tables.roles[run.game.sides[0].key])
    sizes = {lineup: sum(map(bool, lineup)) for lineup in lineups}
    by_size = len(lineups) > NAMED or len(set(sizes.values())) == len(lineups) > 1
    return {
        lineup: f"a crew of {size}" if by_size else listed([titles[slug] for slug in lineup if slug])
        for lineup, size in sizes.items()
    }


def section(seen: Seen) -> dict[str, Any] | None:
    """How often the crew wins, as which lineup, of how many, and with and without each role; None for other games."""
    found = crews(seen) if seen.crew else []
    if not found:
        return None
    first, *rest = [*_ends(seen, found), won(seen, found)]
    return {"finding": first, "lines": rest, "tables": list(_tables(seen, found))}


def won(seen: Seen, found: list[Crew]) -> str:
    """How often the crew wins, over all lineups."""
    rate = _rate(seen, found)
    return f"The crew won {plots.percent(rate[0])}% of all games ({plots.span(*rate[1:])})."


def _rate(seen: Seen, found: list[Crew]) -> tuple[float, float, float]:
    """How often some lineups won together, with its interval."""
    wins, games = np.array([sum(one.wins for one in found)]), np.array([sum(one.games for one in found)])
    low, high = stats.rates_interval(seen.run, wins, games)
    return float(wins[0] / games[0]), float(low[0]), float(high[0])


def _ends(seen: Seen, found: list[Crew]) -> Iterator[str]:
    """The lineups that win most and least often."""
    if len(found) < 2:
        return
    order = sorted(found, key=lambda one: -one.wins / one.games)
    many = min(SHOWN, len(found) // 2)
    for word, some in (("most", order[:many]), ("least", order[::-1][:many])):
        named = [f"{seen.cell_named(one.cell)} ({plots.percent(one.wins / one.games)}%)" for one in some]
        yield f"The crew won {word} often as {'; as '.join(named)}."


def _tables(seen: Seen, found: list[Crew]) -> Iterator[Grid]:
    """The win rate by how many play, and with and without each role."""
    sizes, kind = sorted({one.size for one in found}), intervals([stats.rates_kind(seen.run)])
    rows = []
    for size in sizes if len(sizes) > 1 else ():
        own = [one for one in found if one.size == size]
        rows.append(Row(str(size), [rate_of(*_rate(seen, own)), count_of(len(own)), count_of(own[0].games)]))
    if rows:
        about = f"How often the crew wins by how many they are, in percent, with {kind}."
        yield Grid(about, ["Members", "win rate", "lineups", "games each"], rows)
    names = seen.names[seen.run.game.sides[0].key]
    beside = [(names[slug], with_and_without(seen, found, slug)) for slug in names]
    shown = sorted(((name, one) for name, one in beside if one), key=lambda pair: -pair[1][2][0])
    if shown:
        of_each = " each size of lineup apart," if len(sizes) > 1 else ""
        about = (
            f"How often the crew wins with each member and without,{of_each} over all that else sit there, in "
            f"percent, with {kind}; the difference, in points, is what the member adds in place of another."
        )
        yield Grid(about, [upper(seen.one(seen.run.game.sides[0])), "with", "without", "difference"], [
            Row(name, [rate_of(*one[0]), rate_of(*one[1]), _gap(one[2])]) for name, one in shown
        ], falls="difference")  # fmt: skip


def _gap(gap: list[float]) -> Value:
    value, low, high = (in_points(one).removesuffix(" points") for one in gap)
    return Value(value, f"{low} to {high}", gap[0])


def with_and_without(seen: Seen, found: list[Crew], slug: str) -> list[list[float]] | None:
    """How often the crew wins with a role, without it, and the difference, each [value, low, high], over the sizes of
    lineups that some have it in and some don't; each size has the weight of its games with the role, on both sides.
    None where there is no such size.
    """
    rates, weights = list[tuple[float, float, float]](), list[int]()
    for size in sorted({one.size for one in found}):
        own = [one for one in found if one.size == size]
        parts = [[one for one in own if (slug in one.members) == there] for there in (True, False)]
        if all(parts):
            rates += [_rate(seen, part) for part in parts]
            weights.append(sum(one.games for one in parts[0]))
    if not weights:
        return None
    part = np.array(weights) / sum(weights)
    value, low, high = np.array(rates).reshape(-1, 2, 3).transpose(2, 1, 0)
    each = [combined(part, value[i], low[i], high[i]) for i in range(2)]
    ends = (one.ravel() for one in (value, low, high))
    return [*each, combined(np.concatenate([part, -part]), *ends)]
