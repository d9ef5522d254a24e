"""What the bots of a pack do in every situation of a combat's tree, as chances: so that they can be solved, not played.

A bot looks at features that hang on no more than a situation holds (`bots.situation_of`), so its chances are worked out
state by state with its own kernels. Softmax is taken as a formula; the games draw it from a table of noise, whose
chances are the same to about 1e-4.
"""

from __future__ import annotations

import numpy as np

from simcore.kernels import entry, kernel
from simcore.knights.bots import (
    AFTER_BLOW,
    BEFORE_BLOW,
    CLASH_START,
    helpful,
    offer_before,
    offer_held,
    weigh_before,
    weigh_cards,
    weigh_held,
    weigh_kits,
    weigh_modes,
    weigh_ways,
)
from simcore.knights.checks import penalty_of
from simcore.knights.combat import kind_of
from simcore.knights.effects import OWN_CHOICE, use
from simcore.knights.situations import BEFORE, CARDS, HELD
from simcore.knights.state import CHANGE, MODES
from simcore.knights.tree import CARD_KINDS, HEALS, HIGHEST, LEVELS, modes_of, pay_for, place, put, take_way

F = np.float64


@entry
def foretell(s, t, w, policy, x):  # type: ignore[no-untyped-def]
    """Work out the chances of side x's bot in the whole tree. The fight is armed, with that bot in its seat."""
    for i in range(w.solver.many):
        b = w.block[i]
        w.solver.block = i
        if b.phase == CARDS:
            for mine in range(1, w.solver.tall[0]):
                for theirs in range(1, w.solver.tall[1]):
                    if b.stop > b.first:
                        tell_cards(s, t, w, policy, x, (mine, theirs))
        elif b.phase == HELD + x or (b.phase == BEFORE and b.turn // 2 == x):
            tell_edges(s, t, w, x)
    for i in range(w.solver.outcomes):
        if w.outcome[i].helps[x] > 1:
            tell_healing(s, t, w, policy, x, i)


@kernel
def soften(s, t, x, chances):  # type: ignore[no-untyped-def]
    """The chances of the options laid out by what they are worth to side x's bot; at temperature 0 the best, ties even.

    chances: float64[options or more], filled."""
    top, total = s.value[0], F(0)
    for i in range(1, s.options):
        top = max(top, s.value[i])
    temperature = t.bot[s.fighter[x].bot].temperature
    for i in range(s.options):
        worse = F(s.value[i] - top)
        chances[i] = np.exp(worse / temperature) if temperature > 0 else F(worse == 0)
        total += chances[i]
    for i in range(s.options):
        chances[i] = chances[i] / total


@kernel
def tell_cards(s, t, w, policy, x, health):  # type: ignore[no-untyped-def]
    """The chances of cards and of what is picked after the reveal, at some Health in the block at hand."""
    b, solver, chances = w.block[w.solver.block], w.solver, np.empty(MODES)
    place(s, t, w, solver.block, health[0], health[1])
    last = solver.tracked == 1 and b.clash == t.combat.clashes - 1
    for lead in range(b.low, b.high + 1):
        at = ((lead - b.low) * solver.tall[0] + health[0]) * solver.tall[1] + health[1]
        if lead == b.low or last:
            put(s, w, lead, health[0], health[1])
            s.options = 0
            weigh_cards(s, t, x, b.hand[x] & ~solver.without[x])
            soften(s, t, x, chances)
        for i in range(s.options):
            policy.cards[(b.start + at) * 2 + x, s.option[i] - 1] = chances[i]
    for n in range(b.first, b.stop):
        for level in range(x, LEVELS, 2):
            if w.plan[n].of[level] > 1 and starts(w.plan[n], level):
                tell_level(s, t, w, policy, x, n * LEVELS + level)


@kernel
def starts(plan, level):  # type: ignore[no-untyped-def]
    """Whether a plan is the first of a choice at a level."""
    later = 0
    for deeper in range(level, LEVELS):
        later += plan.at[deeper]
    return later == 0


@kernel
def tell_level(s, t, w, policy, x, which):  # type: ignore[no-untyped-def]
    """The chances of one choice after the reveal, for all leads at the Health at hand. which: plan * LEVELS + level."""
    plan, level, solver, b = w.plan[which // LEVELS], which % LEVELS, w.solver, w.block[w.solver.block]
    mine, theirs, chances = solver.mine, solver.theirs, np.empty(MODES)
    act_out(s, t, w, plan, level)
    for lead in range(b.low, b.high + 1):
        if lead == b.low or (level < 2 and solver.tracked == 1 and b.clash == t.combat.clashes - 1):
            put(s, w, lead, mine, theirs)
            s.options = 0
            if level >= 2:
                weigh_modes(
                    s, t, x, kind_of(s.side[x], s.side[x].card) * 3 + penalty_of(s.side[1 - x].card), modes_of(s, x)
                )
            elif s.side[x].card == CHANGE:
                weigh_ways(s, t, x)
            else:
                weigh_kits(s, t, x)
            soften(s, t, x, chances)
        at = ((lead - b.low) * solver.tall[0] + mine) * solver.tall[1] + theirs
        for i in range(s.options):
            policy.odds[plan.node[level] + at, i] = chances[i]
    place(s, t, w, solver.block, mine, theirs)


@kernel
def act_out(s, t, w, plan, level):  # type: ignore[no-untyped-def]
    """Play a plan's cards, and its choices before a level, in the block at hand."""
    s.side[0].card, s.side[1].card = plan.pair // CARD_KINDS + 1, plan.pair % CARD_KINDS + 1
    for x in range(2):
        if x < level:
            take_way(s, t, w, w.solver.block, x, plan.at[x])
        if 2 + x < level:
            s.side[x].mode = plan.mode[x]


@kernel
def tell_edges(s, t, w, x):  # type: ignore[no-untyped-def]
    """The chances of effects before combat or as a clash starts, in the block at hand."""
    b, chances = w.block[w.solver.block], np.empty(len(s.option))
    for n in range(b.first, b.stop):
        edge = w.edge[n]
        if edge.option == 0:
            place(s, t, w, w.solver.block, edge.mine, edge.theirs)
            if b.phase == BEFORE:
                offer_before(s, x)
                weigh_before(s, t, x)
            else:
                offer_held(s, x, helpful(s, t, x, CLASH_START))
                weigh_held(s, t, x)
            soften(s, t, x, chances)
        edge.chance = chances[edge.option]


@kernel
def tell_healing(s, t, w, policy, x, i):  # type: ignore[no-untyped-def]
    """The chances of healing cards before and after the blow against side x."""
    outcome, solver = w.outcome[i], w.solver
    if outcome.strikes[1 - x] == 0:
        return
    solver.block = outcome.block
    for helps in range(outcome.helps[x]):
        for point in range(BEFORE_BLOW, AFTER_BLOW + 1):
            place(s, t, w, solver.block, 1, 1)
            act_out(s, t, w, w.plan[outcome.plan], LEVELS)
            use_helps(s, t, w, x, outcome.care[x], helps)
            if outcome.lead == x:
                pay_for(s, t, x)
            if point == AFTER_BLOW:
                pay_for(s, t, 1 - x)
            for health in range(1, solver.tall[x]):
                row = outcome.caring[x] + ((point - 1) * outcome.helps[x] + helps) * HIGHEST + health
                tell_heal(s, t, x, health, w.care[outcome.care[x]].heal[helps], policy.caring[row])


@kernel
def use_helps(s, t, w, x, care, helps):  # type: ignore[no-untyped-def]
    """Use a set of healing cards; `care` numbers them."""
    for at in range(HEALS):
        if (helps >> at) & 1:
            use(s, t, None, x, s.fighter[x].held, s.fighter[x].first[w.care[care].source[at]], OWN_CHOICE)


@kernel
def tell_heal(s, t, x, health, heal, caring):  # type: ignore[no-untyped-def]
    """The chances of healing cards at some Health. heal: what each makes of each Health; caring: filled."""
    s.side[x].health = health
    chances, option = np.empty(len(s.option)), 0
    offer_held(s, x, helpful(s, t, x, BEFORE_BLOW))
    weigh_held(s, t, x)
    soften(s, t, x, chances)
    caring[0] = chances[0]
    for at in range(HEALS):
        caring[at + 1] = 0
        if heal[at, health] >= 0:
            option += 1
            caring[at + 1] = chances[option]
