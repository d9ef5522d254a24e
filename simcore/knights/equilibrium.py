"""Combats solved exactly: the value of every state, the best play of both sides, and the exact law of any play.

A combat is a game of two sides with one hidden choice a clash, the combat card; all else is chosen in the open, in the
order in which the game asks for it (K5-63, K5-72), or by a ruling at once. So it is solved backwards (von Neumann 1928;
Shapley 1953): a matrix game over the cards, within it best answers, or matrix games of what is chosen at once, within
these the exact odds of the pools. `tree` finds by the game's own
rules what can happen; from there on there are only numbers, so that one tree is solved for many plays and prices.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from simcore.dice import POOL_MAX, draw, ladder, successes, tops
from simcore.game import Tables, Unsolvable
from simcore.kernels import blank, entry, kernel, record
from simcore.knights import cards, tree
from simcore.knights.checks import hit_loss
from simcore.knights.minimax import MATCH, best_answer, find_saddle, play_mixed
from simcore.knights.situations import BEFORE, CARDS, DONE, HELD_TOO
from simcore.knights.state import FIGHT, MODES
from simcore.knights.tables import EQUILIBRIUM, SIDES
from simcore.knights.tree import (
    CARD_KINDS,
    DRAWN,
    GAINS,
    HEALS,
    HIGHEST,
    LEVELS,
    NOBODY,
    OPEN,
    RANKS,
    WON,
    Policy,
    Tree,
)
from simcore.streams import STREAM, root, word

I, F = np.int64, np.float64  # noqa: E741

BEST, EVEN, GIVEN = range(3)
"""How a side plays: as well as can be; any legal option, all alike; by chances that are given."""

PAIRS, OPTIONS = CARD_KINDS * CARD_KINDS, MODES

PRICES = ("win", "draw", "loss", *GAINS)
"""What an end may be worth to side 0: how it ends, what he and the opponent have left, what he gains."""

SOLVING = record(
    ("mode", I, 2), ("without", I, 2), ("parts", I), ("keep", I), ("states", I), ("mixes", I), ("gap", F),
    ("price", F, len(PRICES)), ("tall", I, 2), ("tracked", I), ("area", I), ("widest", I), ("room", I), ("levels", I),
    ("grid", I), ("free", I), ("results", I), ("clash", I), ("side", I), ("option", I), ("options", I), ("pick", I),
    ("chance", F), ("edges", I), ("heals", I), ("ends", I), ("span", I), ("laws", I), ("gains", I), ("odds", I),
    ("caring", I), ("priced", I), ("pair", I, PAIRS), ("leads", I), ("start", I), ("stop", I), ("table", I),
    ("match", MATCH), ("names", I, (2, OPTIONS)), ("source", I, (OPTIONS, OPTIONS)), ("node", I, 2),
    ("chances", I, 2), ("wide", I),
)  # fmt: skip
"""A solution under way. `parts`: numbers kept for a state: value, chance of winning, of a draw; `keep`: 1 to note what
is picked; where things are in memory: `levels` (choices after the reveal, then pairs of cards, each `widest` long),
`grid` (tables by set of healing cards, each `room` long), `results` of outcomes up to `free`, `edges` (picks); `pair`:
where each pair's numbers are. The choice at hand: whose it is (`side`), which `option` of how many, where its `pick` is
kept (-1: nowhere), and its `chance` (-1: by state). The outcome at hand: how many `leads` its tables have, between
which (`start` to `stop` - 1) they are filled for the sets at hand, and where the first `table` is."""


class Work(NamedTuple):
    """The solver's memory: one SOLVING record, the tree's numbers, and three stores that SOLVING has the places of.

    `v`, float64: the parts of all states one after another, each with room for tables on the way to them; the laws.
    `picks`, int8: what was picked, in plans, by edges, of healing cards; then what the states that are ends come to.
    `chances`, float64: of each side's cards by state; of each pick's options; of healing cards; then gains by state.
    """

    solving: Any
    block: Any
    edge: Any
    plan: Any
    outcome: Any
    sets: Any
    care: Any
    v: Any
    picks: Any
    chances: Any


# ---------------------------------------------------------------- choices


@kernel
def join(w, target, source, cells):  # type: ignore[no-untyped-def]
    """Join the option at hand, with its numbers from `source` on, to the others of its choice from `target` on."""
    solving, v, chances = w.solving, w.v, w.chances
    parts, span, option, fixed = solving.parts, solving.span, solving.option, solving.chance
    mode = solving.mode[solving.side] if solving.options > 1 else BEST
    if mode == BEST and option > 0:
        take_better(w, target, source, cells)
        return
    share = F(1) if mode == BEST else (F(1) / solving.options if mode == EVEN else fixed)
    table = solving.odds + solving.pick * OPTIONS + option
    for part in range(parts):
        to, come = target + part * span, source + part * span
        for at in range(cells):
            weight = share if share >= 0 else chances[table + at * OPTIONS]
            before = F(0) if option == 0 else v[to + at]
            v[to + at] = before + weight * v[come + at]


@kernel
def take_better(w, target, source, cells):  # type: ignore[no-untyped-def]
    """Where the option at hand is better than those before it, put it in their place."""
    solving, v, picks = w.solving, w.v, w.picks
    parts, span, option, pick, keep = solving.parts, solving.span, solving.option, solving.pick, solving.keep
    sign = F(1) if solving.side == 0 else F(-1)
    for at in range(cells):
        if sign * v[source + at] > sign * v[target + at]:
            for part in range(parts):
                v[target + part * span + at] = v[source + part * span + at]
            if keep == 1:
                picks[pick + at] = option


@kernel
def follow_edges(w, i):  # type: ignore[no-untyped-def]
    """A block of effects that somebody may use, or that come anyway."""
    solving, b = w.solving, w.block[i]
    solving.side = b.turn // 2 if b.phase == BEFORE else np.int64(b.phase == HELD_TOO)
    for n in range(b.first, b.stop):
        edge = w.edge[n]
        to = w.block[edge.to]
        solving.option, solving.options, solving.chance = edge.option, edge.options, edge.chance
        at = b.start + edge.mine * solving.tall[1] + edge.theirs
        source = to.start + (b.low + edge.shift - to.low) * solving.area + edge.health * solving.tall[1] + edge.other
        for k in range(b.high - b.low + 1):
            solving.pick = solving.edges + at + k * solving.area
            join(w, at + k * solving.area, source + k * solving.area, 1)


# ---------------------------------------------------------------- blows


@kernel
def work_out(w, outcome):  # type: ignore[no-untyped-def]
    """What a plan's blows come to, at each lead and Health before them."""
    solving, lead = w.solving, outcome.lead
    spread = w.care[outcome.care[0]].span[outcome.helps[0] - 1]
    solving.table = solving.free
    solving.free += outcome.room
    solving.leads = outcome.room // solving.area
    for row in range(outcome.many):
        fetch(w, outcome, row, outcome.low - spread)
    if outcome.strikes[1 - lead] == 1:
        suffer(w, outcome, lead, 1 - outcome.even)
    if outcome.strikes[lead] == 1:
        suffer(w, outcome, 1 - lead, 1)
    outcome.result = solving.table + spread * solving.area


@kernel
def table_of(w, row):  # type: ignore[no-untyped-def]
    """Where the table of a row of sets of healing cards is."""
    return w.solving.table if row == 0 else w.solving.grid + row * w.solving.room


@kernel
def bound(w, outcome, row):  # type: ignore[no-untyped-def]
    """Between which leads the states lie after sets of healing cards: `start` to `stop` - 1."""
    one, two, solving = w.care[outcome.care[0]].span, w.care[outcome.care[1]].span, w.solving
    solving.start = one[outcome.helps[0] - 1] - one[row // outcome.helps[1]]
    solving.stop = solving.leads - (two[outcome.helps[1] - 1] - two[row % outcome.helps[1]])


@kernel
def fetch(w, outcome, row, low):  # type: ignore[no-untyped-def]
    """Fill a table with what comes after the blows. low: its lowest lead."""
    solving, v, line = w.solving, w.v, w.sets[outcome.set + row]
    bound(w, outcome, row)
    area, span, start, tall = solving.area, solving.span, solving.start, solving.tall
    leads, to, cut = solving.stop - start, w.block[line[2]], w.block[line[3]]
    table, source = table_of(w, row) + start * area, to.start + (low + start - to.low) * area
    beaten, step = cut.start + (low + start - cut.low) * area, tall[1] if outcome.lead == 0 else 1
    for part in range(solving.parts):
        for at in range(leads * area):
            v[table + part * span + at] = v[source + part * span + at]
        if line[2] != line[3]:
            for p in range(leads):
                for health in range(tall[outcome.lead]):
                    at = part * span + p * area + health * step
                    v[table + at] = v[beaten + at]


@kernel
def suffer(w, outcome, x, stands):  # type: ignore[no-untyped-def]
    """A blow against side x: from what comes after it back to before it (K1F-20, K1F-26, K5B-16).

    `stands`: 1 if an attacker without Health doesn't strike."""
    rows = outcome.helps[1 - x]
    for rest in range(rows):
        for helps in range(outcome.helps[x] - 1, -1, -1):
            row = helps * outcome.helps[1] + rest if x == 0 else rest * outcome.helps[1] + helps
            bound(w, outcome, row)
            law, table = w.solving.laws + w.sets[outcome.set + row, 1 - x] * HIGHEST, table_of(w, row)
            if outcome.helps[x] == 1:
                strike(w, table, table, x, law, stands)
            else:
                copy_table(w, row, outcome.many + row)
                heal(w, outcome, x, row, 1, stands)
                strike(w, table, table_of(w, outcome.many + row), x, law, stands)
                heal(w, outcome, x, row, 0, stands)


@kernel
def strike(w, table, after, x, law, stands):  # type: ignore[no-untyped-def]
    """A blow's law over all states: from what comes `after` it, where a card may have helped, into `table`."""
    solving, v = w.solving, w.v
    area, tall, other = solving.area, solving.tall[x], solving.tall[1 - x]
    step, across = (solving.tall[1], 1) if x == 0 else (1, solving.tall[1])
    for part in range(solving.parts):
        for p in range(solving.start, solving.stop):
            here = part * solving.span + p * area
            for health in range(tall - 1, 0, -1):
                strike_at(v, table + here, after + here, (health, step, across), (stands, other), law)


@kernel
def strike_at(v, table, after, strides, foes, law):  # type: ignore[no-untyped-def]
    """`strike` at one lead and Health. strides: Health, its step, and the other side's; foes: whose Health counts."""
    health, step, across = strides
    for foe in range(foes[0], foes[1]):
        at = foe * across
        total, left = v[law] * v[table + at + health * step], F(1) - v[law]
        for lost in range(1, health):
            total += v[law + lost] * v[after + at + (health - lost) * step]
            left -= v[law + lost]
        v[table + at + health * step] = total + left * v[table + at]


@kernel
def heal(w, outcome, x, row, after, stands):  # type: ignore[no-untyped-def]
    """Side x may use one more healing card, or keep the rest. `after`: 1 after a blow, in the table of after it."""
    solving, care = w.solving, w.care[outcome.care[x]]
    helps = row // outcome.helps[1] if x == 0 else row % outcome.helps[1]
    foes = solving.tall[1 - x] - stands
    solving.side = x
    for health in range(1, solving.tall[x]):
        solving.options = 1
        for place in range(HEALS):
            solving.options += np.int64(care.heal[helps, place, health] >= 0)
        if solving.options > 1:
            for p in range(solving.start, solving.stop):
                if x == 0:
                    at = p * solving.area + health * solving.tall[1] + stands
                    heal_at(w, outcome, row, after, helps * HIGHEST + health, (at, foes))
                else:
                    for foe in range(stands, solving.tall[0]):
                        at = p * solving.area + foe * solving.tall[1] + health
                        heal_at(w, outcome, row, after, helps * HIGHEST + health, (at, 1))
    solving.chance = -1


@kernel
def heal_at(w, outcome, row, after, which, run):  # type: ignore[no-untyped-def]
    """`heal` in a run of states, (the first's place in its table, how many). which: helps * HIGHEST + Health."""
    solving, x, (at, cells) = w.solving, w.solving.side, run
    given = solving.mode[x] == GIVEN
    care, helps, health = w.care[outcome.care[x]], which // HIGHEST, which % HIGHEST
    target, step = table_of(w, outcome.many * after + row) + at, solving.tall[1] if x == 0 else 1
    chances = solving.caring + (outcome.caring[x] + after * outcome.helps[x] * HIGHEST + which) * (HEALS + 1)
    solving.pick = solving.heals + outcome.heals + ((x * 2 + after) * outcome.many + row) * outcome.room + at
    solving.option, solving.chance = 0, w.chances[chances] if given else F(-1)
    join(w, target, table_of(w, row) + at, cells)
    for place in range(HEALS):
        gain = care.heal[helps, place, health] - health
        if care.heal[helps, place, health] >= 0:
            solving.option += 1
            solving.chance = w.chances[chances + place + 1] if given else F(-1)
            more = row + ((1 << place) * outcome.helps[1] if x == 0 else 1 << place)
            to = table_of(w, outcome.many * after + more) + at + gain * step
            join(w, target, to - gain * solving.area * (1 - 2 * x) * solving.tracked, cells)


@kernel
def copy_table(w, row, to):  # type: ignore[no-untyped-def]
    """Copy one table to another, between the leads at hand."""
    solving, v = w.solving, w.v
    source, target, area, span = table_of(w, row), table_of(w, to), solving.area, solving.span
    for part in range(solving.parts):
        for at in range(part * span + solving.start * area, part * span + solving.stop * area):
            v[target + at] = v[source + at]


# ---------------------------------------------------------------- a clash


@kernel
def fold(w, plan, source, cells):  # type: ignore[no-untyped-def]
    """Join a plan's numbers to those of the other options, choice by choice from the last to the first."""
    solving, outer = w.solving, 0
    if plan.joint != OPEN:
        gather(w, plan, source, cells)
        return
    while outer < LEVELS and plan.of[outer] == 1:
        outer += 1
    for level in range(LEVELS - 1, -1, -1):
        if plan.of[level] > 1:
            target = solving.levels + (LEVELS + plan.pair if level == outer else level) * solving.widest
            solving.side, solving.option, solving.options = level & 1, plan.at[level], plan.of[level]
            solving.pick = plan.node[level]
            join(w, target, source, cells)
            if plan.at[level] < plan.of[level] - 1:
                return
            source = target
    solving.pair[plan.pair] = source


@kernel
def gather(w, plan, source, cells):  # type: ignore[no-untyped-def]
    """Keep a plan's numbers until all are there of two cards whose players choose at once; then settle these."""
    solving, one, two = w.solving, plan.joint, plan.joint + 1
    if plan.at[one] + plan.at[two] == 0:
        solving.node[0], solving.node[1] = plan.node[one], plan.node[two]
    solving.source[plan.at[one], plan.at[two]] = source
    if plan.at[one] < plan.of[one] - 1 or plan.at[two] < plan.of[two] - 1:
        return
    target, solving.wide = solving.levels + (LEVELS + plan.pair) * solving.widest, OPTIONS
    for x in range(2):
        solving.match.many[x] = plan.of[one + x]
        for k in range(solving.match.many[x]):
            solving.names[x, k] = k
    for at in range(cells):
        if alive(solving, at):
            for x in range(2):
                solving.chances[x] = solving.odds + (solving.node[x] + at) * OPTIONS
            meet(w, at, target + at)
    solving.pair[plan.pair] = target


@kernel
def alive(solving, at):  # type: ignore[no-untyped-def]
    """Whether both sides have Health in the `at`th state of a table."""
    return at // solving.tall[1] % solving.tall[0] > 0 and at % solving.tall[1] > 0


@kernel
def deal(w, b):  # type: ignore[no-untyped-def]
    """Who may play what in a block: the cards of rows and columns, and where the numbers of each two are."""
    solving, names = w.solving, w.solving.names
    for x in range(2):
        hand, many = b.hand[x] & ~solving.without[x], 0
        for card in range(CARD_KINDS):
            if (hand >> (card + 1)) & 1:
                names[x, many] = card
                many += 1
        solving.match.many[x] = many
    for row in range(solving.match.many[0]):
        for column in range(solving.match.many[1]):
            solving.source[row, column] = solving.pair[names[0, row] * CARD_KINDS + names[1, column]]


# ---------------------------------------------------------------- what both choose at once


@kernel
def meet(w, at, to):  # type: ignore[no-untyped-def]
    """Settle what both choose at once in the `at`th state: its numbers go `to` a place; True if play is mixed."""
    solving, m, mixed = w.solving, w.solving.match, False
    for row in range(m.many[0]):
        for column in range(m.many[1]):
            m.game[row, column] = w.v[solving.source[row, column] + at]
    weigh(w, 0)
    weigh(w, 1)
    if solving.mode[0] != BEST:
        if solving.mode[1] == BEST:
            best_answer(m, 1)
    elif solving.mode[1] != BEST:
        best_answer(m, 0)
    elif not find_saddle(m):
        solving.gap = max(solving.gap, play_mixed(m))
        mixed = True
    mix(w, at, to)
    if solving.keep == 1:
        keep_odds(w, 0)
        keep_odds(w, 1)
    return mixed


@kernel
def weigh(w, x):  # type: ignore[no-untyped-def]
    """How often a side picks each option: none yet, all alike, or as given."""
    solving, m, total = w.solving, w.solving.match, F(0)
    mode, many, given = solving.mode[x], m.many[x], solving.chances[x]
    for k in range(many):
        m.odds[x, k] = F(0) if mode == BEST else (F(1) if mode == EVEN else w.chances[given + solving.names[x, k]])
        total += m.odds[x, k]
    if mode != BEST:
        for k in range(many):
            m.odds[x, k] = m.odds[x, k] / total


@kernel
def keep_odds(w, x):  # type: ignore[no-untyped-def]
    """Keep how often a side picks each option."""
    solving, m = w.solving, w.solving.match
    for k in range(solving.wide):
        w.chances[solving.chances[x] + k] = 0
    for k in range(m.many[x]):
        w.chances[solving.chances[x] + solving.names[x, k]] = m.odds[x, k]


@kernel
def mix(w, at, to):  # type: ignore[no-untyped-def]
    """The numbers of a state, as options are picked."""
    solving, v, m = w.solving, w.v, w.solving.match
    for part in range(solving.parts):
        v[part * solving.span + to] = 0
    for first in range(m.many[0]):
        if m.odds[0, first] > 0:
            for second in range(m.many[1]):
                both = m.odds[0, first] * m.odds[1, second]
                if both > 0:
                    source = solving.source[first, second] + at
                    for part in range(solving.parts):
                        v[part * solving.span + to] += both * v[part * solving.span + source]


# ---------------------------------------------------------------- whole combats


@entry
def sweep(w):  # type: ignore[no-untyped-def]
    """Work out all values backwards."""
    solving, now = w.solving, -1
    price_ends(w)
    for n in range(len(w.block) - 1, -1, -1):
        i = w.block[n].order
        b = w.block[i]
        if b.clash != now:
            now, solving.free = b.clash, solving.results
        if b.phase == CARDS and b.stop > b.first:
            for k in range(b.first, b.stop):
                plan = w.plan[k]
                outcome = w.outcome[plan.outcome]
                if outcome.result < 0:
                    work_out(w, outcome)
                at = outcome.result + (b.low + plan.arrows - outcome.low) * solving.area
                fold(w, plan, at, (b.high - b.low + 1) * solving.area)
            settle(w, b)
        elif b.phase != DONE and b.phase != CARDS:
            follow_edges(w, i)
            solving.chance = -1


@kernel
def settle(w, b):  # type: ignore[no-untyped-def]
    """The matrix game of hidden cards in every state of a block: values, and who plays which card how often."""
    solving = w.solving
    deal(w, b)
    solving.wide = CARD_KINDS
    for at in range((b.high - b.low + 1) * solving.area):
        if alive(solving, at):
            for x in range(2):
                solving.chances[x] = ((b.start + at) * 2 + x) * CARD_KINDS
            solving.mixes += np.int64(meet(w, at, b.start + at))
            solving.states += 1


@kernel
def price_ends(w):  # type: ignore[no-untyped-def]
    """The numbers of all states that are ends; no outcome is worked out but those without a blow."""
    solving, v, picks = w.solving, w.v, w.picks
    for at in range(solving.levels):
        end = picks[solving.ends + at]
        if end != NOBODY:
            v[at] = solving.price[end - 1]
            for k in range(len(GAINS) * solving.priced):
                v[at] += solving.price[3 + k] * w.chances[solving.gains + at * len(GAINS) + k]
            if solving.parts > 1:
                v[solving.span + at], v[2 * solving.span + at] = F(end == WON), F(end == DRAWN)
    for n in range(len(w.outcome)):
        outcome = w.outcome[n]
        outcome.result = -1
        if outcome.many == 1 and outcome.strikes[0] + outcome.strikes[1] == 0:
            to = w.block[w.sets[outcome.set, 2]]
            outcome.result = to.start + (outcome.low - to.low) * solving.area


@entry
def strike_often(laws, law, dice, hit, key, counts, draws):  # type: ignore[no-untyped-def]
    """Make an attack check so many times; count Health lost. hit: net damage, and what a Bull's Eye is worth."""
    for i in range(draws):
        result = draw(laws, law, dice, word(key, i))
        lost = hit_loss(hit[0], tops(result), hit[1]) if successes(result) > 0 else 0
        counts[min(lost, HIGHEST - 1)] += 1


# ---------------------------------------------------------------- for callers


@dataclass(frozen=True)
class Solution:
    """What a combat comes to by some play of both sides.

    value: worth to the first side by the prices asked for; win, draw, loss: chances of the first side; states: how many
    were worked out; mixes: in how many no card was the best against the other's best; gap: the largest difference
    between what the two sides can make sure of in one state; play: how often each side plays each card first: at best
    play after what effects before combat and held cards bring, at other play empty where these come first.
    """

    value: float
    win: float
    draw: float
    loss: float
    states: int
    mixes: int
    gap: float
    play: tuple[Mapping[str, float], Mapping[str, float]]


WHY = ("", "can come to too many situations", "has a card that heals its holder and harms the opponent at once")
MOVES = ("attack", "multi_attack", "prepare", "change_range", "defend")
"""The hidden choices, in the order in which ties are settled: the first of equally good cards is played."""

STANDARD = {"win": 1.0, "draw": 0.5, "loss": 0.0}
"""A draw is worth half a win."""


def _blow(code: int) -> tuple[int, int, int, int]:
    """What a code of `tree.law_at` stands for: which of the pack's laws, dice, net damage, a Bull's Eye's worth."""
    code, worth = divmod(code, tree.WORTHS)
    code, net = divmod(code, 2 * tree.NETS)
    return *divmod(code, POOL_MAX + 1), net - tree.NETS, worth


@cache
def _law(code: int, faces: tuple[int, int]) -> Any:
    """Chances of each loss of Health to a blow (K1F-19, K1F-20), float64[HIGHEST], the last for that or more.

    code: of `tree.law_at`; faces: from where on a die is a success, and a Bull's Eye."""
    _, dice, net, worth = _blow(code)
    chances = np.zeros(HIGHEST)
    for hits, bulls, ways in ladder(dice, SIDES, *faces):
        lost = max(0, net + bulls * worth) if hits else 0
        chances[min(lost, HIGHEST - 1)] += ways / SIDES**dice
    return chances


class _Room(threading.local):
    """Room for any tree, of each thread its own; what isn't written takes no memory."""

    def __init__(self) -> None:
        many = {"block": tree.BLOCKS, "edge": tree.EDGES, "plan": tree.PLANS, "outcome": tree.OUTCOMES}
        parts = {name: np.empty(size, getattr(tree, name.upper())) for name, size in many.items()}
        care, sets = np.empty(tree.CARES, tree.CARE), np.empty((tree.SETS, 4), I)
        self.tree = Tree(solver=None, care=care, sets=sets, slots=None, **parts)


_ROOM = _Room()


class Combat:
    """One combat, explored once, to be solved for any play of both sides.

    moves: names of the hidden choices; places: where it may begin; modes: names of ways to play that can be solved;
    faces: from which faces on a die of the pack's pools is a success, and a Bull's Eye.
    """

    moves, places, duel = MOVES, cards.RANGES, 0

    def __init__(self, tables: Tables, seats: Any, start: str = "") -> None:
        """Find all that can happen. tables: of `load`; seats: one seating (`game.seatings`); start: one of `places`,
        or "" to begin as the rules have it. Raises Unsolvable."""
        self.tables, self.seats = tables.data, seats
        bots = {name: self.tables.bot[i] for i, name in enumerate(tables.bots)}
        ways = {name: BEST if bot.solved else (EVEN if bot.even else GIVEN) for name, bot in bots.items()}
        laws = self.tables.laws
        self.faces = tuple(zip(laws.success_from.tolist(), laws.top_from.tolist(), strict=True))
        self.bots, self.modes = tables.bots, {**ways, "best": BEST, "random": EVEN}
        self.place = self.places.index(start) if start else -1
        self._explore(0, 0)

    def _explore(self, priced: int, fine: int) -> None:
        """Find all that can happen. priced: whether what is left over has a price; fine: whether bots play."""
        slots = np.full(tree.RANK_SLOTS + (int(self.tables.combat.clashes) + 1) * RANKS, tree.NO_BLOCK)
        found = _ROOM.tree._replace(solver=blank(tree.SOLVER), slots=slots)
        solver = found.solver
        solver.priced, solver.fine = priced, fine
        self.fight, self.stream = np.zeros(1, FIGHT)[0], np.zeros(1, STREAM)[0]
        states = tree.explore(self.fight, self.tables, self.stream, found, self.seats, self.duel, self.place)
        if solver.full:
            raise Unsolvable(f"a combat that {WHY[int(solver.full)]} is not solved")
        many = {"block": solver.many, "edge": solver.edges, "plan": solver.plans, "outcome": solver.outcomes}
        many |= {"sets": solver.sets, "care": solver.cares}
        parts = {name: getattr(found, name)[: max(1, int(size))].copy() for name, size in many.items()}
        self.tree = found._replace(**parts)
        self.laws = self._laws()
        self.told: list[Any] = [None, None]
        self.policy = Policy(np.zeros((0, CARD_KINDS)), np.zeros((0, OPTIONS)), np.zeros((1, HEALS + 1)))
        self.ends = np.zeros(int(states), np.int8)
        self.gains = np.zeros((int(states) if priced else 1, len(GAINS)))
        tree.judge(self.fight, self.tables, self.tree, self.ends, self.gains)

    @property
    def partial(self) -> bool:
        """Whether a side holds cards that are played around an attack check: these are played, and not in the tree."""
        return any(int(fighter.around.rows) > 0 for fighter in self.fight.fighter)

    def _laws(self) -> Any:
        """The laws of all blows, float64[number, HIGHEST]."""
        codes, laws = self.tree.slots[tree.LAW_SLOTS : tree.RANK_SLOTS], np.zeros((tree.LAWS, HIGHEST))
        for at in np.flatnonzero(codes >= 0).tolist():
            code = int(codes[at])
            laws[at] = _law(code, self.faces[_blow(code)[0]])
        return laws

    def solve(
        self,
        modes: Sequence[str] = ("best", "best"),
        prices: Mapping[str, float] | None = None,
        without: Sequence[str] = ("", ""),
        whole: bool = True,
    ) -> Solution:
        """The value of the start, and the chances of how it ends, by the play of each side, one of `modes`.

        prices: by names as in PRICES, others 0; by default STANDARD. without: a card that each side does without.
        whole: False to work out nothing but the value (quicker); the chances are those of no meaning then.
        """
        given = STANDARD if prices is None else prices
        priced = int(any(given.get(name) for name in GAINS))
        kinds = [self.modes[mode] for mode in modes]
        if EQUILIBRIUM in modes and kinds != [BEST, BEST]:
            raise Unsolvable(f"{EQUILIBRIUM} is solved against itself; against {modes[0]}, {modes[1]} it can be played")
        fine = int(GIVEN in kinds or self.tree.solver.fine)
        if (priced, fine) != (self.tree.solver.priced, self.tree.solver.fine):
            self._explore(priced, fine)
        self.tree.solver.without[:] = [1 << MOVES.index(card) + 1 if card else 0 for card in without]
        for x in range(2):
            if kinds[x] == GIVEN:
                self._foretell(x, (modes[x], without[x]))
        work = self._work(3 if whole else 1)
        solving, solver = work.solving, self.tree.solver
        solving.mode[:], solving.without[:] = kinds, solver.without
        solving.price[:] = [given.get(name, 0.0) for name in PRICES]
        sweep(work)
        self.work = work
        at, parts = self._at(0, int(solver.root), int(solver.roots[0]), int(solver.roots[1])), solving.parts
        value, win, draw = (float(work.v[part % parts * solving.span + at]) for part in range(3))
        shown = self._first_cards() if whole and kinds == [BEST, BEST] else at
        cards = work.chances[shown * 2 * CARD_KINDS :][: 2 * CARD_KINDS] if whole else np.zeros(2 * CARD_KINDS)
        first, second = (
            {m: float(p) for m, p in zip(MOVES, row, strict=True) if p} for row in cards.reshape(2, CARD_KINDS)
        )
        counts = int(solving.states), int(solving.mixes), float(solving.gap)
        return Solution(value, win, draw, 1 - win - draw, *counts, (first, second))

    def _at(self, i: int, lead: int, mine: int, theirs: int) -> int:
        """The place of a state of block `i` among all."""
        block, tall = self.tree.block[i], self.tree.solver.tall
        return int(block.start + ((lead - block.low) * tall[0] + mine) * tall[1] + theirs)

    def _first_cards(self) -> int:
        """The place of the state of the first hidden cards at best play, after effects before combat and held cards."""
        solver, edges = self.tree.solver, self.tree.edge
        i, lead, mine, theirs = 0, int(solver.root), int(solver.roots[0]), int(solver.roots[1])
        while True:
            block, at = self.tree.block[i], self._at(i, lead, mine, theirs)
            if block.phase in (CARDS, DONE):
                return at
            pick = self.work.picks[self.work.solving.edges + at]
            own = edges[block.first : block.stop]
            taken = own[(own["mine"] == mine) & (own["theirs"] == theirs) & (own["option"] == pick)]
            if not len(taken):
                return at
            i, lead = int(taken[0]["to"]), lead + int(taken[0]["shift"])
            mine, theirs = int(taken[0]["health"]), int(taken[0]["other"])

    def checks(self, seen: set[str], draws: int, seed: int) -> Iterator[tuple[str, Any, Any]]:
        """Each attack check that this combat can come to, but for those `seen` (they are noted there): what it is, the
        chances of each loss of Health (float64[HIGHEST]), and how often each came out of so many draws (int64)."""
        laws, codes = self.tables.laws, self.tree.slots[tree.LAW_SLOTS : tree.RANK_SLOTS]
        for at in np.flatnonzero(codes >= 0).tolist():
            law, dice, net, worth = _blow(int(codes[at]))
            faces = f"success from {laws.success_from[law]}, Bull's Eye from {laws.top_from[law]} for {worth}"
            about = f"{dice} dice, {faces}, damage less armor {net}"
            if about not in seen:
                seen.add(about)
                counts = np.zeros(HIGHEST, I)
                strike_often(laws, law, dice, (net, worth), np.uint64(root(seed, int(codes[at]))), counts, draws)
                yield about, self.laws[at], counts

    def _foretell(self, x: int, told: tuple[str, str]) -> None:
        """Work out what a bot does as side x. told: its name, and the card that it does without."""
        from simcore.knights.policy import foretell

        if not self.policy.cards.size:
            picks, caring = int(self.tree.solver.picks), max(1, int(self.tree.solver.caring))
            rooms = (len(self.ends) * 2, CARD_KINDS), (picks, OPTIONS), (caring, HEALS + 1)
            self.policy = Policy(*(np.zeros(room) for room in rooms))
        if self.told[x] != told:
            fighter = self.fight.fighter[x]
            fighter.bot, fighter.weighs = self.bots.index(told[0]), 1
            foretell(self.fight, self.tables, self.tree, self.policy, x)
            self.told[x] = told

    def _work(self, parts: int) -> Work:
        """Memory to solve in."""
        found, solver, solving = self.tree, self.tree.solver, blank(SOLVING)
        states, keep, outcomes = len(self.ends), int(parts > 1), self.tree.outcome
        area = int(solver.tall[0] * solver.tall[1])
        leads = (found.block["high"] - found.block["low"] + 1)[found.block["phase"] == CARDS]
        widest, room, sets = int(leads.max(initial=0)) * area, int(outcomes["room"].max()), int(outcomes["many"].max())
        struck = (outcomes["many"] > 1) | outcomes["strikes"].any(axis=1)
        results = int(np.bincount(outcomes["clash"], weights=outcomes["room"] * struck).max())
        solving.parts, solving.keep, solving.tall, solving.tracked = parts, keep, solver.tall, solver.tracked
        solving.area, solving.widest, solving.room, solving.priced = area, widest, room, solver.priced
        solving.levels, solving.grid = states, states + widest * (LEVELS + PAIRS)
        solving.results = solving.grid + (2 * sets * room if sets > 1 else 0)
        solving.span = solving.results + results
        solving.laws = solving.span * parts
        v = np.zeros(int(solving.laws) + self.laws.size)
        v[solving.laws :] = self.laws.ravel()
        solving.chance, solving.edges, solving.heals = -1, solver.picks, solver.picks + states
        solving.ends = solving.heals + solver.heals if keep else 0
        picks = np.zeros(int(solving.ends) + states, np.int8)
        picks[solving.ends :] = self.ends
        policy = self.policy
        cards = policy.cards if policy.cards.size else np.zeros((states * 2 if keep else 0, CARD_KINDS))
        drawn = int(solver.picks) if keep and (found.plan["joint"] != OPEN).any() else 0
        odds = policy.odds if policy.odds.size else np.zeros((drawn, OPTIONS))
        chances = [part.ravel() for part in (cards, odds, policy.caring, self.gains)]
        solving.odds, solving.caring, solving.gains = np.cumsum([part.size for part in chances[:3]])
        return Work(
            solving, found.block, found.edge, found.plan, outcomes, found.sets, found.care, v, picks,
            np.concatenate(chances),
        )  # fmt: skip


class Duel(Combat):
    """A duel of two knights (K1F-32), as `Combat`."""

    duel = 1
