"""Every closed form against what is rolled and played: pools of dice, checks, and whole lineups of a pack.

Each comparison has its own chance of a false alarm, ALPHA divided by how many there are, so that all together raise one
in at most a millionth of all cases.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from experiments.exact import Lineup, Solving, chance_of, modes_of
from experiments.plan import group_of
from simcore import dice
from simcore.game import Game, Tables, Unsolvable, play_tally, seatings
from simcore.kernels import entry
from simcore.packs import Mistakes
from simcore.streams import root, word

ALPHA = 1e-6
"""The chance of any false alarm over all that is compared."""

SIDES, DRAWS, FEW = 10, 20_000, 5.0
"""Sides of a die, draws of each pool, and how many draws an outcome must expect to be looked at on its own."""

FACES = tuple((success, tops) for tops in (SIDES, SIDES - 1) for success in range(2, tops + 1))
"""From which face on a die succeeds, and is a top."""

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Compared:
    """A closed form beside what came out: what it is about, in words; the exact chance and how often it came out of so
    many (of a whole law: of its commonest outcome); and how likely a result so odd or odder is (0 to 1).
    """

    kind: str
    about: str
    exact: float
    count: int
    many: int
    likely: float


@dataclass(frozen=True)
class Skipped:
    """What is not compared, in words, and why: a lineup that can't be solved, or not for one of its bots."""

    about: str
    why: str


def pools(more: Iterable[tuple[int, int]] = (), seed: int = 1) -> Iterator[Compared]:
    """The law of every pool up to the largest, as `wastelab exact pool` tells it, against draws of compiled code; and
    of each the check that one success passes. more: further faces (success, top) to look at, as those of a pack.
    """
    every = tuple(dict.fromkeys((*FACES, *more)))
    laws = dice.compile_laws(SIDES, every)
    for law, faces in enumerate(every):
        for many in range(1, dice.POOL_MAX + 1):
            counts = np.zeros((many + 1, many + 1), np.int64)
            draw_pool(laws, law, many, np.uint64(root(seed, law * 100 + many)), counts)
            yield from _of_pool(many, faces, counts)


def blows(opened: Any, seen: set[str], seed: int = 1) -> Iterator[Compared]:
    """What each attack check that an opened lineup can come to does, but for those `seen`, against draws."""
    for about, chances, counts in opened.checks(seen, DRAWS, seed):
        yield _of_law("attack check", about, chances, counts)


def laws(game: Game, tables: Tables, seed: int = 1) -> Iterator[Compared]:
    """What a game knows in closed form of some tables without a solver, against draws."""
    for kind, about, chances, counts in game.closed_forms(tables, DRAWS, seed):
        yield _of_law(kind, about, chances, counts)


@entry
def draw_pool(laws, law, many, key, counts):  # type: ignore[no-untyped-def]
    """Draw a pool of so many dice DRAWS times, and count in `counts[successes, tops]`."""
    for i in range(DRAWS):
        result = dice.draw(laws, law, many, word(key, i))
        counts[dice.successes(result), dice.tops(result)] += 1


def _of_pool(many: int, faces: tuple[int, int], counts: Ints) -> Iterator[Compared]:
    """A pool's law, and its check, beside counts."""
    chances, about = dice.joint(many, SIDES, *faces), f"{many} dice, success from {faces[0]}, top from {faces[1]}"
    yield _of_law("pool", about, chances, counts)
    yield rate("check", f"{about}: passed", 1 - float(chances[0].sum()), int(counts[1:].sum()), DRAWS)


def _of_law(kind: str, about: str, chances: npt.NDArray[np.float64], counts: Ints) -> Compared:
    """A whole law beside counts of DRAWS."""
    top = int(chances.argmax())
    exact, count = float(chances.flat[top]), int(counts.flat[top])
    return Compared(kind, about, exact, count, DRAWS, fit(counts, chances))


def fit(counts: Ints, chances: npt.NDArray[np.float64]) -> float:
    """How likely counts as odd as these are, by a chi-square test; outcomes that are rarely expected are taken
    together, and one that can't be makes it 0.
    """
    from scipy.stats import chi2

    seen, expected = counts.ravel().astype(np.float64), chances.ravel() * counts.sum()
    if (seen[expected == 0] > 0).any():
        return 0.0
    rare = expected < FEW
    seen, expected = (np.append(part[~rare], part[rare].sum()) for part in (seen, expected))
    if expected[-1] < FEW:
        seen[-2], expected[-2] = seen[-2:].sum(), expected[-2:].sum()
        seen, expected = seen[:-1], expected[:-1]
    return float(chi2.sf(((seen - expected) ** 2 / expected).sum(), len(seen) - 1)) if len(seen) > 1 else 1.0


def rate(kind: str, about: str, exact: float, count: int, many: int) -> Compared:
    """A chance beside a count of so many, by the exact binomial test."""
    from scipy.stats import binomtest

    exact = chance_of(exact)
    return Compared(kind, about, exact, count, many, float(binomtest(count, many, exact).pvalue))


def faces_of(solving: Solving, lineups: Iterable[Lineup]) -> Sequence[tuple[int, int]]:
    """From which face on a die succeeds, and is a top, in a pack: what its first lineup that can be solved says."""
    for lineup in lineups:
        try:
            return tuple(solving.open(lineup).faces)
        except Mistakes:
            continue
    return ()


def bots_without(solving: Solving) -> list[str]:
    """The bots of a pack that can't be solved in any of its lineups; none where no lineup can be."""
    for lineup in solving.lineups():
        try:
            known = modes_of(solving.open(lineup), solving.tables.bots)
        except Mistakes:
            continue
        return [bot for bot in solving.tables.bots if bot not in known]
    return []


def played(
    solving: Solving, lineup: Lineup, games: int, seen: set[str], skipped: list[Skipped], seed: int = 1
) -> Iterator[Compared]:
    """A lineup's attack checks (`blows`), and the lineup solved and played by each bot that can be solved on all seats:
    how often the first seat wins, draws and loses. `skipped` gets what can't be solved, and why.

    Best play alone would not do: an error in what is rarely played stays unseen there.
    """
    about = f"{solving.game.name}, {' against '.join(lineup)}"
    try:
        opened = solving.open(lineup)
    except Mistakes as mistakes:
        skipped.extend(Skipped(about, mistake.wrong) for mistake in mistakes.mistakes)
        return
    yield from blows(opened, seen, seed)
    modes = modes_of(opened, solving.tables.bots)
    if not modes:
        skipped.append(Skipped(about, "no bot of the pack plays in a way that can be solved"))
    for place, (bot, mode) in enumerate(modes.items()):
        try:
            exact, shares = _solved_and_played(solving, lineup, (opened, mode), bot, games, seed + place)
        except Unsolvable as error:
            skipped.append(Skipped(f"{about}, {bot} bots", str(error)))
            continue
        won, lost = int(shares[-1]), int(shares[0])
        for end, count in {"win": won, "draw": games - won - lost, "loss": lost}.items():
            what = f"{' against '.join(lineup)}, {bot} bots: {end}"
            yield rate(solving.game.name, what, getattr(exact, end), count, games)


def _solved_and_played(
    solving: Solving, lineup: Lineup, opened: tuple[Any, str], bot: str, games: int, seed: int
) -> tuple[Any, Ints]:
    """A lineup as a bot plays it on all seats: solved, and counts of the first seat's shares. Raises Unsolvable."""
    solver, mode = opened
    bots = {side.bot: bot for side in solving.game.sides}
    rows = seatings(solving.game, solving.tables, lineup, bots, "none")
    exact = solver.solve((mode,) * solving.game.players, solving.prices)
    key = root(seed, group_of(solving.game, lineup))
    return exact, play_tally(solving.game, solving.tables, rows, key, 0, games).shares[0, 0]


def odd(found: Sequence[Compared]) -> list[Compared]:
    """Those comparisons that chance doesn't explain, the oddest first."""
    wrong = [one for one in found if one.likely < ALPHA / len(found)]
    return sorted(wrong, key=lambda one: one.likely)


def kinds(found: Sequence[Compared]) -> dict[str, tuple[int, float]]:
    """Kind -> how many comparisons, and the smallest likelihood among them."""
    least: dict[str, tuple[int, float]] = {}
    for one in found:
        many, lowest = least.get(one.kind, (0, 1.0))
        least[one.kind] = many + 1, min(lowest, one.likely)
    return least
