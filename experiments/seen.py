"""What the sections of a report look at: a run, and its summary with titles."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from experiments import plots, stats
from experiments.intervals import FEW
from experiments.ledger import Run
from experiments.pages import listed, upper
from experiments.parts import heads, words
from simcore.game import Role, Side, Tally

RATES = ("share", "win_rate", "draw_rate", "capped_rate")

CALLED = {
    "student": "Student's t",
    "student_few": f"Student's t over fewer than {FEW} games: too narrow where single games count much",
    "sequence": "sequences",
    "asymptotic": "asymptotic sequences",
    "resampled": "from results drawn anew",
}
"""Kind of interval -> what a reader can make of it, where its name is not enough."""

Estimate = tuple[float, float, float]
NOTHING: Estimate = (math.nan, math.nan, math.nan)


@dataclass(frozen=True)
class Seen:
    """A run and its summary with titles, and what several sections ask of them; `size` as of a `stats.Part`."""

    run: Run
    summary: pd.DataFrame
    size: int = 0

    @cached_property
    def found(self) -> dict[tuple[str, str, str, str], Estimate]:
        """(cell, side, role, measure) -> (value, low, high)."""
        table = self.summary
        keys = zip(table.cell, table.side, table.role, table.measure, strict=True)
        return dict(zip(keys, zip(table.value, table.low, table.high, strict=True), strict=True))

    @cached_property
    def measures(self) -> list[str]:
        """The measures of the summary that are not endings, in its order."""
        return [name for name in self.summary.measure.unique() if not name.startswith("ending:")]

    @cached_property
    def rates(self) -> list[str]:
        """The rates that tables show: capped games and, where all seats are of one side, draws only where there was
        one. Of a crew, share and win rate are one.
        """
        worst = self.summary.groupby("measure").value.max()
        rare = {"capped_rate", "draw_rate"} if self.crew or self.rivals else {"capped_rate"}
        left = {name for name in rare if not worst.get(name, 0.0) > 0} | ({"win_rate"} if self.crew else set())
        return [name for name in RATES if name in self.measures and name not in left]

    @cached_property
    def meanings(self) -> dict[str, str]:
        """Measure -> what it is."""
        return stats.measures(self.run.game)

    @cached_property
    def heads(self) -> dict[str, str]:
        """What columns that speak of a card are called for people, such as "sunk (Barge)"."""
        return heads(self.run.game, self.run.tables)

    @cached_property
    def columns(self) -> list[str]:
        """The names of the game's own columns, without those of cards that the pack doesn't have."""
        columns = (*self.run.game.game_columns, *self.run.game.seat_columns)
        return [column.name for column in columns if not column.card or column.name in self.heads]

    @cached_property
    def names(self) -> dict[str, dict[str, str]]:
        """Side -> slug -> title."""
        return {side: stats.titles(roles) for side, roles in self.run.tables.roles.items()}

    @cached_property
    def verdicts(self) -> pd.DataFrame:
        """The verdict on each role with games, the strongest first."""
        found = stats.verdicts(self.run, self.summary)
        return found.sort_values(["value", "role"], ascending=[False, True], kind="stable")

    @cached_property
    def played(self) -> list[Side]:
        """The sides whose roles have games."""
        return [side for side in self.run.game.sides if len(self.field(side, "share"))]

    @cached_property
    def whole(self) -> Tally:
        """All games of the baseline as one tally."""
        return stats.whole(self.run)

    @cached_property
    def mirrors(self) -> pd.DataFrame:
        """The members of mirror matches, as `stats.mirrors` has them."""
        return stats.mirrors(self.run)

    @property
    def rivals(self) -> bool:
        """Whether all seats are of one side, whose roles play against one another."""
        return self.run.game.rivals

    @property
    def crew(self) -> bool:
        """Whether all seats are of one side, whose roles win and lose together."""
        return self.run.game.crew

    @property
    def shared(self) -> str:
        """What share is called: to a crew it is how often it wins."""
        return "win rate" if self.crew else "share"

    def head(self, measure: str) -> str:
        """What a measure is called for people."""
        return self.shared if measure == "share" else self.heads.get(measure, words(measure))

    def field(self, side: Side, measure: str) -> pd.DataFrame:
        """The roles of a side by a measure over the field, highest first; roles without games are out."""
        return plots.field(self.summary, side.key, measure).dropna(subset="value").reset_index(drop=True)

    def judged(self, side: Side) -> pd.DataFrame:
        """The verdicts on the roles of a side, the strongest first."""
        return self.verdicts[self.verdicts.side == side.key].reset_index(drop=True)

    def band(self, side: Side) -> stats.Band:
        """The shares of a side that are called balanced."""
        return stats.band(self.run, side, float(self.field(side, "share").value.mean()))

    def value(self, cell: str, side: Side, role: str, measure: str) -> Estimate:
        """A number of a role in a cell or over the field; one of the whole game is every role's."""
        whole = self.found.get((cell, "", "", measure), NOTHING)
        return self.found.get((cell, side.key, role, measure), whole)

    def many(self, side: Side) -> str:
        """What the roles of a side are called, such as "enemies"."""
        return "members" if self.crew else side.key

    def one(self, side: Side) -> str:
        """What a role of a side is called, such as "enemy"."""
        return "member" if self.crew else side.bot

    def against(self, side: Side) -> str:
        """Where the roles of a side were seen, such as "over 28 enemies"."""
        return "in all their lineups" if self.crew else f"over {self.opponents(side)}"

    def opponents(self, side: Side) -> str:
        """Whom the roles of a side meet, such as "28 enemies"."""
        if self.rivals:
            return "all others"
        others = [other for other in self.run.game.sides if other != side]
        return " and ".join(f"{self._count(other)} {other.key}" for other in others)

    def _count(self, side: Side) -> int:
        return int(self.summary[self.summary.side == side.key].role.nunique())

    def intervals(self, measures: Sequence[str], field: bool) -> str:
        """Which intervals some measures have over the field or in cells, such as "95% intervals (Wilson)"."""
        among = (self.summary.cell == stats.FIELD) == field
        chosen = self.summary[among & self.summary.measure.isin(measures)].interval.dropna().unique()
        return intervals(chosen)

    def bots(self) -> str:
        """Who played, such as "regular as knight, regular as enemy"."""
        return ", ".join(f"{self.run.config.bots[side.bot]} as {side.bot}" for side in self.run.game.sides)

    def meaning(self, measure: str) -> str:
        """What a measure is, in a sentence or two."""
        about = upper(self.meanings.get(measure, ""))
        if measure == "share" and self.crew:
            return "Games that the crew wins, of all that this member takes part in."
        if measure == "share":
            return f"{about}. Here, {self.worth()}"
        if measure == "rounds" and self.run.game.rounds_called != "rounds":
            return f"{about}; this game's rounds are called {self.run.game.rounds_called}."
        return f"{about}."

    def worth(self) -> str:
        """What share means in this game, as the second half of a sentence."""
        game, draw = self.run.game, 100 * self.run.config.verdict.draw_counts
        if len(game.sides) == 2:
            one, other = game.sides
            draws = f"{draw:g}% for the {one.bot} and {100 - draw:g}% for the {other.bot}"
            return f"a game won alone counts 100%, a lost one 0%, and a draw {draws}."
        return "a game won alone counts 100%, a lost one 0%, and a shared win or a draw is split evenly."

    def lineup(self, lineup: Sequence[str], first: str) -> str:
        """A lineup in titles, a role of the first side named first, as in "Kate against Scrap Hound"; of a ring the
        others follow in turn. A crew as it stands, as in "Anna, Boris and Carl".
        """
        others, seat = [], 0
        for side in self.run.game.sides:
            others += [self.names[side.key][slug] for slug in lineup[seat : seat + side.seats] if slug]
            seat += side.seats
        if self.crew:
            return listed(others)
        at = others.index(first)
        others = others[at + 1 :] + others[:at] if self.run.plan.setup.rings else others[:at] + others[at + 1 :]
        return f"{first} against {', '.join(others)}" if others else first

    def cell_named(self, name: str) -> str:
        """A cell's lineup in titles, from its id."""
        cell = self.run.plan.find(name)
        return self.lineup(cell.lineup, self.names[self.run.game.sides[0].key][cell.lineup[0]])


def intervals(kinds: Iterable[str]) -> str:
    """As in "95% intervals (Wilson)"; of kinds that are "" alone, why there is none."""
    named = [CALLED.get(kind, upper(kind)) for kind in kinds if kind]
    return f"95% intervals ({listed(named)})" if named else "no interval, as all games gave the same"


def titled(summary: pd.DataFrame, roles: Mapping[str, Sequence[Role]]) -> pd.DataFrame:
    """The summary with titles in place of slugs; roles that share a title keep their slug beside it."""
    names = {(side, slug): title for side, every in roles.items() for slug, title in stats.titles(every).items()}
    out = summary.copy()
    out["role"] = [names.get(key, key[1]) for key in zip(out.side, out.role, strict=True)]
    return out
