"""Strengths in planted worlds: found again within their exact error, covered as often as said, and cycles such as
rock, paper, scissors are told from mere luck. Seeds are fixed; a false alarm has a chance of at most 1e-6.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import binom, chi2

from experiments import strengths as module
from experiments.strengths import fit, intervals, surprises, unexplained
from tests.statistics.judge import ALPHA
from tests.unit.test_strengths import Counts, law, orders

PLANTED = {"a": 1.4, "b": 0.6, "c": 0.1, "d": -0.3, "e": -0.7, "f": -1.1}
TIES = {
    2: {(2, 2): 0.5},
    3: {(2, 2): 1.5, (2, 3): 0.2, (3, 3): 0.1},
    4: {(2, 2): 0.6, (2, 3): 0.3, (2, 4): 0.2, (4, 4): 0.05},
}
Laws = dict[tuple[str, ...], np.ndarray]


def laws(members: int, strengths: Mapping[str, float] = PLANTED) -> Laws:
    """The chances of all orders of all lineups of so many."""
    return {lineup: law(lineup, strengths, TIES[members]) for lineup in combinations(strengths, members)}


def played(world: Laws, games: int, words: np.random.Generator) -> Counts:
    """So many games of each lineup."""
    return {
        lineup: dict(zip(orders(len(lineup)), words.multinomial(games, chances).tolist(), strict=True))
        for lineup, chances in world.items()
    }


def information(members: int, games: int) -> np.ndarray:
    """What so many games of each lineup tell about PLANTED and the log-ties, by differences of the plain model."""
    numbers, kinds = np.array([*PLANTED.values(), *np.log(list(TIES[members].values()))]), list(TIES[members])

    def logs(x: np.ndarray, lineup: Sequence[str]) -> np.ndarray:
        ties = dict(zip(kinds, np.exp(x[len(PLANTED) :]), strict=True))
        return np.array(np.log(np.maximum(law(lineup, dict(zip(PLANTED, x, strict=False)), ties), 1e-300)))

    found, step = np.zeros((len(numbers), len(numbers))), 1e-5
    for lineup, chances in laws(members).items():
        ends = [(logs(numbers + e, lineup), logs(numbers - e, lineup)) for e in step * np.eye(len(numbers))]
        slopes = np.array([(high - low) / (2 * step) for high, low in ends])
        found += games * (slopes * chances) @ slopes.T
    return found


@pytest.mark.parametrize("members", [2, 3, 4])
def test_planted_strengths_and_ties_are_found_within_their_error(members: int) -> None:
    games = 4000
    tells = information(members, games)
    found = fit(played(laws(members), games, np.random.default_rng(5)))
    true = np.array([*PLANTED.values()])
    off = np.array([found.strengths[role] for role in PLANTED]) - (true - true.mean())
    ties = np.array([math.log(found.ties[kind] / d) for kind, d in TIES[members].items()])
    away = np.append(off, ties)
    limit = chi2.isf(ALPHA, len(away) - 1)
    assert away @ tells @ away < limit
    for i in range(len(PLANTED)):  # a strength that is a fifth off would be seen
        wrong = away + 0.2 * (np.arange(len(away)) == i)
        assert wrong @ tells @ wrong > limit


WORLDS = 120
EXTREME = {"best": 4.5, "b": 1.0, "c": 0.0, "d": -1.5, "e": -4.0}


def covered(worlds: int = WORLDS) -> dict[str, int]:
    """In how many worlds the interval of each role of EXTREME holds its strength; "best" is often unbeaten."""
    words, hits = np.random.default_rng(6), dict.fromkeys(EXTREME, 0)
    world = laws(2, EXTREME)
    for seed in range(worlds):
        counts = played(world, 60, words)
        for row in intervals(counts, fit(counts), draws=40, seed=seed).itertuples():
            hits[str(row.role)] += row.low <= EXTREME[str(row.role)] <= row.high
    return hits


def test_intervals_cover() -> None:
    assert min(covered().values()) >= binom.ppf(ALPHA, WORLDS, 0.95)


def test_intervals_that_leave_luck_out_would_be_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = module._Lineups.redrawn

    def narrow(self: module._Lineups, chances: np.ndarray, words: np.random.Generator) -> module._Lineups:
        drawn = sound(self, chances, words)
        return module.replace(self, counts=(drawn.counts + 2 * self.counts) / 3)

    monkeypatch.setattr(module._Lineups, "redrawn", narrow)
    assert min(covered().values()) < binom.ppf(ALPHA, WORLDS, 0.95)


def transitive(worlds: int = 300) -> Iterator[Counts]:
    """Worlds that strengths explain, of pairs and triples, with rare upsets too."""
    words = np.random.default_rng(7)
    kinds = [laws(2), laws(2, EXTREME), laws(3)]
    for i in range(worlds):
        yield played(kinds[i % 3], 80, words)


def test_strengths_explain_a_world_that_they_made() -> None:
    found, single, small, explained = 0, 0, 0, []
    for counts in transitive():
        best = fit(counts)
        table, left = surprises(counts, best), unexplained(counts, best, draws=100)
        found += table.surprising.any()
        single += (table.residual > 1.96).any()
        small += left.chance < 0.05
        explained.append(left.explained)
    most = binom.isf(ALPHA, 300, 0.05)
    assert found <= most and small <= most
    assert single > most, "judging each pair alone would be found out"
    assert np.mean(explained) > 0.9


def test_residuals_leave_out_what_fitting_took_away() -> None:
    # of three pairs and two strengths one number is left, which all three residuals show: a standard normal
    words, worlds = np.random.default_rng(10), 400
    world = laws(2, {"a": 0.8, "b": 0.0, "c": -0.8})
    squares = 0.0
    for _ in range(worlds):
        counts = played(world, 200, words)
        table = surprises(counts, fit(counts))
        assert table.residual.to_list() == pytest.approx([table.residual[0]] * 3, rel=0.1, abs=0.1)
        squares += float((table.residual**2).mean())
    assert chi2.ppf(ALPHA / 2, worlds) < squares < chi2.isf(ALPHA / 2, worlds)


def cycle(members: int, by: float) -> Laws:
    """PLANTED's world, in which a, c and e beat each other in a ring: the law of a lineup that holds two of them is
    that of strengths changed by `by`.
    """
    world, ring = laws(members), ["a", "c", "e"]
    for lineup in world:
        mine = dict(PLANTED)
        for i, role in enumerate(ring):
            beaten = ring[(i + 1) % 3]
            if role in lineup and beaten in lineup:
                mine[role] += by
                mine[beaten] -= by
        world[lineup] = law(lineup, mine, TIES[members])
    return world


@pytest.mark.parametrize(("members", "games"), [(2, 1500), (3, 600)])
def test_rock_paper_scissors_is_found(members: int, games: int) -> None:
    counts = played(cycle(members, 0.5), games, np.random.default_rng(8))
    best = fit(counts)
    table = surprises(counts, best, level=1 - ALPHA)
    seen = {(row.first, row.second) for row in table[table.surprising].itertuples()}
    assert {("a", "c"), ("c", "e"), ("e", "a")} <= seen
    assert unexplained(counts, best).chance < ALPHA


@pytest.mark.parametrize("members", [2, 3, 4])
def test_no_cycle_is_seen_where_there_is_none(members: int) -> None:
    counts = played(laws(members), 1500, np.random.default_rng(9))
    best = fit(counts)
    assert not surprises(counts, best, level=1 - ALPHA).surprising.any()
    left = unexplained(counts, best)
    assert left.chance > ALPHA and left.explained > 0.98


def test_a_pure_ring_has_no_strengths_to_explain_it() -> None:
    ring = [("r", "p"), ("p", "s"), ("s", "r")]
    counts: Counts = {pair: {(1, 2): 300, (2, 1): 700} for pair in ring}
    best = fit(counts)
    assert best.strengths == pytest.approx(dict.fromkeys("rps", 0), abs=1e-9)
    table, left = surprises(counts, best, level=1 - ALPHA), unexplained(counts, best)
    assert table.surprising.all() and table.observed.to_list() == pytest.approx([0.7] * 3)
    assert left.chance < ALPHA and left.explained == pytest.approx(0, abs=1e-6)
