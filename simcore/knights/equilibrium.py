"""Combats solved exactly: the value of every state, the best play of both sides, and the exact law of any play.

A combat is a game of two sides with one hidden choice a clash, the combat card; all else is chosen in the open, in the
order in which the game asks for it (K5-63, K5-72). So it is solved backwards (von Neumann 1928; Shapley 1953): a matrix
game over the cards, within it best answers, within these the exact odds of the pools.

States are kept in blocks: all that a state holds but Health and the marker. A block's states are a table over (lead,
Health of side 0, Health of side 1), where lead = marker - Health of side 0 + Health of side 1: no blow changes it, as a
blow moves the marker by the Health that it takes (K1F-06). All rules are the game's own kernels, run on its own record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from simcore.bots import BIT_COUNT, BIT_PLACE
from simcore.dice import POOL_MAX, ladder
from simcore.game import Tables
from simcore.kernels import blank, entry, kernel, record
from simcore.knights.bots import BEFORE_BLOW, CLASH_START, helpful, pick_before, pick_held
from simcore.knights.cards import POCKETS, RANGES
from simcore.knights.checks import attack_dice, bulls_eye_worth, hit_loss, law_of, net_damage, penalty_of
from simcore.knights.combat import (
    attacks,
    begin,
    end_combat,
    joint_step,
    judge_dominance,
    kind_of,
    pay,
    rank_of,
    step_of,
)
from simcore.knights.effects import OWN_CHOICE, fall_by_effects, happen, is_down, keep, use
from simcore.knights.gear import arm, count_supply, feel, stand_at
from simcore.knights.state import ADVANCE, CHANGE, DEFEND, FIGHT, NO_MODE, PREPARE, READY, SALVO, SOURCES, TRADED
from simcore.knights.tables import LONG, SIDES, WHAT, WHEN
from simcore.streams import STREAM, word

START, CLASH_END = WHEN["start"], WHEN["clash_end"]
START_RANGE, STRIDE, RADIATION = WHAT["start_range"], WHAT["stride"], WHAT["radiation"]
I, F = np.int64, np.float64  # noqa: E741

BEFORE, ENDING, HELD, HELD_TOO, CARDS, DONE = range(6)
"""Where a block stands in a clash: effects before combat; effects of the last clash's end; held cards of side 0, of
side 1; the cards of the clash; the combat's end."""

BEST, EVEN = range(2)
"""How a side plays: as well as can be, or any legal option, all alike."""

RANKS = 103
"""Blocks of a clash are worked through by rank: whatever leads to another block has a lower one."""

HEALS, HELPS, HIGHEST, NO_BLOCK, NO_HELP, CARD_KINDS = POCKETS, 1 << POCKETS, 21, -1, -1, 5
"""Most healing cards that a side may hold, sets of them, Health and 0, no block, no help, combat
cards."""

TINY = 1e-13
"""What counts as nothing in a matrix game whose entries lie between 0 and 1."""

SIZE = 1 << 15
"""Most blocks of a combat."""

PRICES = ("win", "draw", "loss", "health", "foe_health", "ammo", "fuel", "reputation", "green", "yellow", "red")
"""What an end may be worth to side 0: how it ends, what he and the opponent have left, what he gains."""

DIALS = record(("ammo", I), ("fuel", I), ("radiation", I), ("spent", I))
BLOCK = record(
    ("clash", I), ("phase", I), ("turn", I), ("range", I), ("wanted", I, 2), ("open", I, 2), ("kit", I, 2),
    ("fuelled", I, 2), ("dials", DIALS, 2), ("head", I), ("tail", I), ("low", I), ("high", I), ("start", I),
    ("after", I),
)  # fmt: skip
"""A block. `turn`: before combat, who may use an effect * 2 + passes in a row; `head`, `tail`: all but `fuelled`,
packed; `low`, `high`: its leads; `start`: where its states begin; `after`: the next block of its rank."""

NOW = record(("open", I), ("kit", I), ("fuelled", I), ("dials", DIALS))
SOLVER = record(
    ("many", I), ("exploring", I), ("full", I), ("mixed", I), ("tall", I, 2), ("tracked", I), ("parts", I),
    ("priced", I), ("mode", I, 2), ("without", I, 2), ("now", NOW, 2), ("idle", I, 2), ("late", I, 2), ("states", I),
    ("mixes", I), ("low", I), ("leads", I), ("start", I), ("stop", I), ("cells", I), ("widest", I), ("root", I),
    ("mine", I), ("theirs", I), ("gap", F), ("price", F, len(PRICES)), ("helps", I, 2), ("source", I, (2, HEALS)),
    ("held", DIALS, (2, HELPS)),
    ("span", I, (2, HELPS)), ("heal", I, (2, HELPS, HEALS, HIGHEST)), ("lead", I), ("even", I), ("strikes", I, 2),
    ("arrows", I), ("block", I, (HELPS, HELPS)), ("cut", I, (HELPS, HELPS)), ("law", F, (2, HELPS, HELPS, HIGHEST)),
)  # fmt: skip
"""What is known while a combat is solved. `parts`: numbers kept for a state: value, chance of winning, of a draw.

For the block at hand: `low`, `leads`, `cells`: its lowest lead, how many, and states, with room for healing; by side
and set of healing cards used in this clash `held`: dials then, `span`: Health healed at most, `heal`: Health after one
more card (-1: it can't help). For the plan at hand: who strikes first (`lead`), whether at `even` initiative, `law`: of
the Health that each side's blow takes, and where it ends by cards used (`block`; `cut`: the slower one is beaten)."""


class Work(NamedTuple):
    """The solver's memory: one SOLVER record, blocks, their hash table, the first block of each rank, chances of (hit,
    Bull's Eyes) by law and dice, values of all states, and tables of the block at hand."""

    solver: Any
    block: Any
    slot: Any
    first: Any
    hits: Any
    value: Any
    play: Any
    grid: Any
    after: Any
    level: Any
    matrix: Any
    weight: Any
    game: Any
    names: Any
    odds: Any
    tableau: Any


# ---------------------------------------------------------------- blocks and states


@kernel
def load(s, t, b):  # type: ignore[no-untyped-def]
    """Bring all that a block holds into the fight; Health and marker are set by `put`."""
    s.clash = b.clash - 1 if b.phase == ENDING else b.clash
    s.used, s.terms, s.over, s.winner = 0, 0, 0, -1
    for x in range(2):
        side, dials = s.side[x], b.dials[x]
        s.wanted[x] = b.wanted[x]
        side.ammo, side.fuel, side.radiation, side.spent = dials.ammo, dials.fuel, dials.radiation, dials.spent
        side.fuelled, side.open, side.kit = b.fuelled[x], b.open[x], b.kit[x]
        side.card, side.way, side.mode = 0, 0, NO_MODE
    stand_at(s, b.range)
    renew(s, t)


@kernel
def renew(s, t):  # type: ignore[no-untyped-def]
    """What follows from the dials, gear and cards used: strides, terms of attacks, what can be paid."""
    s.used, s.terms = 0, 0
    for x in range(2):
        side, fighter = s.side[x], s.fighter[x]
        side.used, side.stride = 0, fighter.stride
        if side.spent != 0:
            remember(s, t, x, fighter.before)
            remember(s, t, x, fighter.held)
        count_supply(s, t, x)
    feel(s, t)


@kernel
def remember(s, t, x, choices):  # type: ignore[no-untyped-def]
    """What lasts of the cards that side x has used."""
    for i in range(choices.rows):
        if (s.side[x].spent >> choices.source[i]) & 1:
            effect = choices.row[i]
            if effect.what < START_RANGE:
                keep(s, t, x, effect)
            elif effect.what == STRIDE:
                s.side[x ^ effect.whom].stride += effect.many


@kernel
def put(s, w, lead, mine, theirs):  # type: ignore[no-untyped-def]
    """Set Health of both sides and the marker."""
    s.side[0].health, s.side[1].health = mine, theirs
    s.marker = lead + mine - theirs if w.solver.tracked == 1 else 0


@kernel
def lead_of(s, w):  # type: ignore[no-untyped-def]
    """The lead of side 0 now."""
    return s.marker - s.side[0].health + s.side[1].health if w.solver.tracked == 1 else 0


@kernel
def trim(s, t, w, x, clash, phase):  # type: ignore[no-untyped-def]
    """What side x is in a block, into `now`: without what cannot change the outcome any more.

    Used cards without a lasting effect are the same as those that can't be used again; in the last clash Ammo and Fuel
    beyond what an attack takes are nothing, and after it all but Health, Radiation and gear (without prices)."""
    side, solver = s.side[x], w.solver
    now, dials, last = solver.now[x], solver.now[x].dials, clash >= t.combat.clashes - 1
    now.open, now.kit, now.fuelled = side.open, side.kit, side.fuelled
    dials.ammo, dials.fuel, dials.radiation, dials.spent = side.ammo, side.fuel, side.radiation, side.spent
    if phase != BEFORE:
        dials.spent |= solver.idle[x]
    if last and phase >= CARDS:
        dials.spent |= solver.late[x]
        if solver.priced == 0:
            dials.ammo = min(side.ammo, max(t.combat.attack_ammo, t.combat.multi_ammo))
            now.fuelled = side.fuelled if side.fuel == 0 else 0
            dials.fuel = min(side.fuel, 1)
    if clash == t.combat.clashes:
        now.open, dials.spent = 0, 0
        if solver.priced == 0:
            dials.ammo, dials.fuel, now.fuelled = 0, 0, 0
        if phase == DONE:
            now.kit = 0 if solver.priced == 0 else side.kit


@kernel
def note_idle(s, w, x):  # type: ignore[no-untyped-def]
    """Bits of the sources of side x that leave nothing behind but what they do at once: those of use before combat
    alone, and those of use as a clash starts."""
    fighter, solver = s.fighter[x], w.solver
    before, held = sources_of(fighter.before, False), sources_of(fighter.held, False)
    lasting = sources_of(fighter.before, True) | sources_of(fighter.held, True)
    solver.idle[x] = before & ~held & ~lasting
    solver.late[x] = held & ~lasting & ~fighter.healers
    if lasting & fighter.healers != 0:
        solver.mixed = 1


@kernel
def sources_of(choices, lasting):  # type: ignore[no-untyped-def]
    """Bits of the sources of effects to use; or of those that last."""
    found = 0
    for i in range(choices.rows):
        what = choices.row[i].what
        if not lasting or what < START_RANGE or what == STRIDE:
            found |= 1 << choices.source[i]
    return found


@kernel
def pack_side(now):  # type: ignore[no-untyped-def]
    """What a block holds of a side, but for fuelled weapons, as one number of 28 bits."""
    dials = (now.dials.ammo * 16 + now.dials.fuel) * 16 + now.dials.radiation
    return ((dials * 2 + now.open) * 8 + now.kit) * (1 << SOURCES) + now.dials.spent


@kernel
def block_of(s, t, w, clash, phase, turn):  # type: ignore[no-untyped-def]
    """The number of the block that the fight is in; a new one while exploring, NO_BLOCK where there is no room."""
    one, two = w.solver.now[0], w.solver.now[1]
    for x in range(2):
        trim(s, t, w, x, clash, phase)
    distance = 0 if phase == DONE else s.range
    place = ((((clash * 8 + phase) * 4 + turn) * 4 + distance) * 4 + s.wanted[0]) * 4 + s.wanted[1]
    head, tail = (place << 28) + pack_side(one), pack_side(two)
    at = np.int64(word(word(word(head, tail), one.fuelled), two.fuelled) & np.uint64(len(w.slot) - 1))
    while w.slot[at] >= 0:
        b = w.block[w.slot[at]]
        if b.head == head and b.tail == tail and b.fuelled[0] == one.fuelled and b.fuelled[1] == two.fuelled:
            return w.slot[at]
        at = (at + 1) & (len(w.slot) - 1)
    if w.solver.exploring == 0 or w.solver.many == len(w.block):
        w.solver.full = 1
        return NO_BLOCK
    w.slot[at] = w.solver.many
    b = w.block[w.solver.many]
    b.clash, b.phase, b.turn, b.head, b.tail, b.low, b.high = clash, phase, turn, head, tail, 1, 0
    b.range = distance
    write_block(s, w, b)
    rank = clash * RANKS + rank_in_clash(b)
    b.after, w.first[rank] = w.first[rank], w.solver.many
    w.solver.many += 1
    return w.solver.many - 1


@kernel
def write_block(s, w, b):  # type: ignore[no-untyped-def]
    """Note both sides' present in a block."""
    for x in range(2):
        now, dials = w.solver.now[x], b.dials[x]
        b.wanted[x], b.open[x], b.kit[x], b.fuelled[x] = s.wanted[x], now.open, now.kit, now.fuelled
        dials.ammo, dials.fuel, dials.radiation, dials.spent = (
            now.dials.ammo,
            now.dials.fuel,
            now.dials.radiation,
            now.dials.spent,
        )


@kernel
def bits(mask):  # type: ignore[no-untyped-def]
    """How many bits of a mask of sources are set."""
    return BIT_COUNT[mask & 255] + BIT_COUNT[(mask >> 8) & 255]


@kernel
def rank_in_clash(b):  # type: ignore[no-untyped-def]
    """The rank of a block among those of its clash, 0 to RANKS - 1."""
    used = bits(b.dials[0].spent) + bits(b.dials[1].spent)
    if b.phase == BEFORE:
        return used * 2 + b.turn % 2
    if b.phase == ENDING:
        return 50
    if b.phase == HELD:
        return 51 + used
    if b.phase == HELD_TOO:
        return 76 + used
    return 101 if b.phase == CARDS else 102


@kernel
def reach(w, i, low, high):  # type: ignore[no-untyped-def]
    """While exploring: the leads with which a block can be reached."""
    b = w.block[i]
    if b.low > b.high:
        b.low, b.high = low, high
    else:
        b.low, b.high = min(b.low, low), max(b.high, high)


@kernel
def state_at(w, i, lead, mine, theirs):  # type: ignore[no-untyped-def]
    """The place of a state among all."""
    b, solver = w.block[i], w.solver
    return b.start + ((lead - b.low) * solver.tall[0] + mine) * solver.tall[1] + theirs


@kernel
def next_phase(s, t, w, phase):  # type: ignore[no-untyped-def]
    """The first phase from `phase` on in which somebody has a choice: a side with held cards that may help."""
    if phase <= HELD and helpful(s, t, 0, CLASH_START) != 0:
        return HELD
    if phase <= HELD_TOO and helpful(s, t, 1, CLASH_START) != 0:
        return HELD_TOO
    return CARDS


@kernel
def after_blows(s, t, w, clash):  # type: ignore[no-untyped-def]
    """The block in which the next clash, or the combat's end, begins; all but the marker is set."""
    if ((s.fighter[0].moments | s.fighter[1].moments) >> CLASH_END) & 1:
        return block_of(s, t, w, clash + 1, ENDING, 0)
    return enter(s, t, w, clash + 1)


@kernel
def enter(s, t, w, clash):  # type: ignore[no-untyped-def]
    """The block in which a clash begins, or the combat's end."""
    if clash == t.combat.clashes:
        return block_of(s, t, w, clash, DONE, 0)
    return block_of(s, t, w, clash, next_phase(s, t, w, HELD), 0)


# ---------------------------------------------------------------- ends


@kernel
def judge(s, t, w, at):  # type: ignore[no-untyped-def]
    """Note what the combat has come to, in a state that is an end."""
    s.over, s.winner = 0, -1
    fall_by_effects(s, t)
    if s.over == 0:
        judge_dominance(s, t)
    note_end(s, t, w, at)


@kernel
def note_end(s, t, w, at):  # type: ignore[no-untyped-def]
    """The worth of an end to side 0, and who wins."""
    solver, value = w.solver, w.value[at]
    price = solver.price
    won, lost = s.winner == 0, s.winner == 1
    total = price[0] if won else (price[2] if lost else price[1])
    if solver.priced == 1:
        side = s.side[0]
        side.reputation, side.green, side.yellow, side.red = 0, 0, 0, 0
        end_combat(s, t, None)
        total += price[3] * side.health + price[4] * s.side[1].health + price[5] * side.ammo + price[6] * side.fuel
        total += price[7] * side.reputation + price[8] * side.green + price[9] * side.yellow + price[10] * side.red
    value[0] = total
    if solver.parts > 1:
        value[1], value[2] = F(won), F(not won and not lost)


@kernel
def note_ends(s, t, w, i):  # type: ignore[no-untyped-def]
    """Fill the states of a block in which somebody is beaten, or all of them at the combat's end."""
    b, solver = w.block[i], w.solver
    for mine in range(solver.tall[0]):
        for theirs in range(solver.tall[1]):
            put(s, w, b.low, mine, theirs)
            if b.phase == DONE or is_down(s, t, 0) or is_down(s, t, 1):
                for lead in range(b.low, b.high + 1):
                    if solver.priced == 1:
                        load(s, t, b)
                    put(s, w, lead, mine, theirs)
                    judge(s, t, w, state_at(w, i, lead, mine, theirs))


# ---------------------------------------------------------------- effects that somebody may use, or that come anyway


@kernel
def go(s, w, i, to, lead, mine, theirs, weight):  # type: ignore[no-untyped-def]
    """Lead from the states (mine, theirs) of block i, whatever their lead, to where the fight now is in block `to`.

    `lead`: where it came from; `weight`: 0 the better one for nobody yet, see `blend`."""
    b, solver = w.block[i], w.solver
    shift = lead_of(s, w) - lead
    if solver.exploring == 1:
        if to >= 0:
            reach(w, to, b.low + shift, b.high + shift)
        return
    for lead in range(b.low, b.high + 1):
        source = w.value[state_at(w, to, lead + shift, s.side[0].health, s.side[1].health)]
        blend(w, w.value[state_at(w, i, lead, mine, theirs)], source, weight)


FIRST, HIGHER, LOWER = -1, -2, -3


@kernel
def blend(w, target, source, weight):  # type: ignore[no-untyped-def]
    """Join one more option to a state's numbers: FIRST in their place, HIGHER or LOWER if that is better, else added
    with a weight of 0 to 1."""
    if weight >= 0:
        for part in range(w.solver.parts):
            target[part] += weight * source[part]
    elif weight == FIRST or (weight == HIGHER and source[0] > target[0]) or (weight == LOWER and source[0] < target[0]):
        for part in range(w.solver.parts):
            target[part] = source[part]


@kernel
def how(w, x, option, options):  # type: ignore[no-untyped-def]
    """How one of so many options of side x is joined to the others."""
    mode = w.solver.mode[x]
    if mode == BEST:
        if option == 0:
            return F(FIRST)
        return F(HIGHER) if x == 0 else F(LOWER)
    return F(1) / options


@kernel
def clear(w, i, mine, theirs):  # type: ignore[no-untyped-def]
    """Nothing is known of a block's states yet."""
    b = w.block[i]
    if w.solver.exploring == 0:
        for lead in range(b.low, b.high + 1):
            w.value[state_at(w, i, lead, mine, theirs)][:] = 0


@kernel
def expand_ending(s, t, w, i):  # type: ignore[no-untyped-def]
    """Effects of a clash's end, in the clash that they end."""
    b = w.block[i]
    for mine in range(1, w.solver.tall[0]):
        for theirs in range(1, w.solver.tall[1]):
            load(s, t, b)
            put(s, w, b.low, mine, theirs)
            if is_down(s, t, 0) or is_down(s, t, 1):
                continue
            happen(s, t, None, 0, CLASH_END)
            happen(s, t, None, 1, CLASH_END)
            go(s, w, i, enter(s, t, w, b.clash), b.low, mine, theirs, F(FIRST))


@kernel
def expand_held(s, t, stream, w, i):  # type: ignore[no-untyped-def]
    """Held cards that a side may use as a clash starts."""
    b = w.block[i]
    x = b.phase - HELD
    for mine in range(1, w.solver.tall[0]):
        for theirs in range(1, w.solver.tall[1]):
            load(s, t, b)
            put(s, w, b.low, mine, theirs)
            if is_down(s, t, 0) or is_down(s, t, 1):
                continue
            clear(w, i, mine, theirs)
            pick_held(s, t, stream, x, CLASH_START, 0, helpful(s, t, x, CLASH_START))
            options = s.options
            for option in range(options):
                row, weight = s.option[option] - 1, how(w, x, option, options)
                phase = b.phase + 1
                if row >= 0:
                    use(s, t, None, x, s.fighter[x].held, row, OWN_CHOICE)
                    phase = b.phase
                to = block_of(s, t, w, b.clash, next_phase(s, t, w, phase), 0)
                go(s, w, i, to, b.low, mine, theirs, weight)
                load(s, t, b)
                put(s, w, b.low, mine, theirs)


@kernel
def expand_before(s, t, stream, w, i):  # type: ignore[no-untyped-def]
    """Effects before combat: the side at hand uses one or passes; after two passes the first clash begins (K5-60)."""
    b = w.block[i]
    x, passes = b.turn // 2, b.turn % 2
    for mine in range(w.solver.tall[0]):
        for theirs in range(w.solver.tall[1]):
            load(s, t, b)
            put(s, w, b.low, mine, theirs)
            clear(w, i, mine, theirs)
            s.options, s.option[0], s.value[0] = 1, 0, 0
            pick_before(s, t, stream, x, 0)
            options = s.options
            for option in range(options):
                code, weight = s.option[option], how(w, x, option, options)
                if code > 0:
                    use(s, t, None, x, s.fighter[x].before, (code - 1) // 4, (code - 1) % 4)
                    to = block_of(s, t, w, 0, BEFORE, (1 - x) * 2)
                elif passes == 0:
                    to = block_of(s, t, w, 0, BEFORE, (1 - x) * 2 + 1)
                else:
                    to = begin_clashes(s, t, w)
                go(s, w, i, to, b.low, mine, theirs, weight)
                load(s, t, b)
                put(s, w, b.low, mine, theirs)


@kernel
def begin_clashes(s, t, w):  # type: ignore[no-untyped-def]
    """The block of the first clash: the range is what one side alone has asked for (K1F-02)."""
    if (s.wanted[0] > 0) != (s.wanted[1] > 0):
        stand_at(s, s.wanted[0] + s.wanted[1] - 1)
    s.wanted[0], s.wanted[1] = 0, 0
    return enter(s, t, w, 0)


# ---------------------------------------------------------------- a clash: what healing cards can do in it


@kernel
def note_helps(s, t, w, i):  # type: ignore[no-untyped-def]
    """List the healing cards that each side may use around blows, and what each set of them leaves."""
    b, solver = w.block[i], w.solver
    load(s, t, b)
    for x in range(2):
        many, cards = 0, s.fighter[x].healers & ~b.dials[x].spent
        for source in range(SOURCES):
            if (cards >> source) & 1:
                solver.source[x, many] = source
                many += 1
        solver.helps[x] = 1 << many
        for helps in range(1 << many):
            note_help(s, t, w, i, x, helps)
        load(s, t, b)
    spread, rise = solver.span[0, solver.helps[0] - 1], solver.span[1, solver.helps[1] - 1]
    solver.low, solver.leads = b.low - spread, b.high - b.low + 1 + spread + rise
    solver.cells = solver.leads * solver.tall[0] * solver.tall[1]


@kernel
def note_help(s, t, w, i, x, helps):  # type: ignore[no-untyped-def]
    """What side x has left after a set of healing cards, and what each further one does at each Health."""
    solver, side, span = w.solver, s.side[x], 0
    load(s, t, w.block[i])
    for place in range(HEALS):
        if (helps >> place) & 1:
            rest = helps & ~(1 << place)
            put(s, w, 0, 1, 1)
            use(s, t, None, x, s.fighter[x].held, s.fighter[x].first[solver.source[x, place]], OWN_CHOICE)
            span = max(span, solver.span[x, rest] + best_heal(solver, x, rest, place))
    solver.span[x, helps] = span if solver.tracked == 1 else 0
    dials = solver.held[x, helps]
    dials.ammo, dials.fuel, dials.radiation, dials.spent = side.ammo, side.fuel, side.radiation, side.spent
    for place in range(HEALS):
        for health in range(HIGHEST):
            solver.heal[x, helps, place, health] = NO_HELP
        if (1 << place) & (solver.helps[x] - 1) & ~helps:
            try_help(s, t, w, x, helps, place)


@kernel
def best_heal(solver, x, helps, place):  # type: ignore[no-untyped-def]
    """The most that a healing card brings after a set of others."""
    best = 0
    for health in range(1, solver.tall[x]):
        best = max(best, solver.heal[x, helps, place, health] - health)
    return best


@kernel
def try_help(s, t, w, x, helps, place):  # type: ignore[no-untyped-def]
    """What one more healing card makes of each Health, where it can help (`bots.helpful`)."""
    solver, side, source = w.solver, s.side[x], w.solver.source[x, place]
    for health in range(1, solver.tall[x]):
        put(s, w, 0, health if x == 0 else 1, health if x == 1 else 1)
        set_dials(s, t, w, x, helps)
        marker = s.marker
        if (helpful(s, t, x, BEFORE_BLOW) >> source) & 1:
            use(s, t, None, x, s.fighter[x].held, s.fighter[x].first[source], OWN_CHOICE)
            solver.heal[x, helps, place, health] = side.health
            if s.side[1 - x].health != 1 or s.marker != marker:
                solver.full = 2
            if side.radiation != solver.held[x, helps].radiation:
                solver.mixed = 1


@kernel
def set_dials(s, t, w, x, helps):  # type: ignore[no-untyped-def]
    """Bring in what side x has left after a set of healing cards."""
    side, dials = s.side[x], w.solver.held[x, helps]
    changed = side.spent != dials.spent and w.solver.mixed == 1
    side.ammo, side.fuel, side.radiation, side.spent = dials.ammo, dials.fuel, dials.radiation, dials.spent
    if changed:
        renew(s, t)


# ---------------------------------------------------------------- a clash: plans, that is all choices but healing


@kernel
def ways_of(s, x):  # type: ignore[no-untyped-def]
    """How many ways side x has to do its card: directions, or load-outs."""
    card = s.side[x].card
    return 2 if card == CHANGE else (s.fighter[x].kits if card == DEFEND else 1)


@kernel
def take_way(s, t, w, i, x, option):  # type: ignore[no-untyped-def]
    """Let side x do its card in one of the ways."""
    side = s.side[x]
    side.way, side.kit = 0, w.block[i].kit[x]
    if side.card == CHANGE:
        side.way = ADVANCE + option
    elif side.card == DEFEND and s.fighter[x].kits > 1:
        side.kit = option
    count_supply(s, t, x)


@kernel
def usable(s, x):  # type: ignore[no-untyped-def]
    """Bits of the modes that side x may attack with now."""
    if not attacks(s, x):
        return np.int64(0)
    kit = s.fighter[x].kit[s.side[x].kit]
    return kit.hand[s.place, s.side[x].supply].usable[np.int64(kind_of(s.side[x]) == SALVO)]


@kernel
def note_plan(s, t, w, i):  # type: ignore[no-untyped-def]
    """Work out a plan: order and laws of the blows, arrows, and the blocks that it may lead to."""
    solver = w.solver
    first, second = rank_of(s, 0), rank_of(s, 1)
    solver.lead, solver.even = np.int64(first > second), np.int64(first == second)
    arrows = t.combat.arrows
    one, two = s.side[0], s.side[1]
    solver.arrows = (arrows[one.card, one.way] - arrows[two.card, two.way]) * solver.tracked
    for x in range(2):
        solver.strikes[x] = np.int64(s.side[x].mode >= 0)
    for mine in range(solver.helps[0]):
        for theirs in range(solver.helps[1]):
            set_dials(s, t, w, 0, mine)
            set_dials(s, t, w, 1, theirs)
            if solver.exploring == 0 and (solver.mixed == 1 or mine + theirs == 0):
                for x in range(2):
                    if s.side[x].mode >= 0:
                        note_law(s, t, w, x, solver.law[x, mine, theirs])
            note_blocks(s, t, w, i, mine, theirs)
    for x in range(2):
        set_dials(s, t, w, x, 0)
        count_supply(s, t, x)


@kernel
def note_law(s, t, w, x, law):  # type: ignore[no-untyped-def]
    """The law of the Health that side x's blow takes (K1F-19, K1F-20), as `combat.strike` has it."""
    me, foe, top = s.side[x], s.side[1 - x], w.solver.tall[1 - x] - 1
    kind = kind_of(me)
    mine, theirs = s.fighter[x].kit[me.kit], s.fighter[1 - x].kit[foe.kit]
    mode = mine.mode[me.mode]
    dice = attack_dice(s, t, x, mode, theirs, kind * 3 + penalty_of(foe.card))
    net, worth = net_damage(s, t, x, mode, mine, theirs), bulls_eye_worth(s, t, x, mode, kind == READY)
    law[:] = 0
    chances, missed = w.hits[law_of(s, kind), dice], F(1)
    for tops in range(dice + 1):
        law[min(hit_loss(net, tops, worth), top)] += chances[tops]
        missed -= chances[tops]
    law[0] += missed


@kernel
def note_blocks(s, t, w, i, mine, theirs):  # type: ignore[no-untyped-def]
    """The blocks after this clash if these sets of healing cards were used: all blows struck, or the slower one not."""
    solver, b = w.solver, w.block[i]
    low, high = b.low - solver.span[0, mine], b.high + solver.span[1, theirs]
    slow = 1 - solver.lead
    pay_for(s, t, 1 - slow)
    apart = solver.priced == 1 and solver.strikes[slow] == 1 and solver.even == 0
    if apart:
        solver.cut[mine, theirs] = block_of(s, t, w, s.clash + 1, DONE, 0)
        if solver.exploring == 1 and solver.full == 0:
            reach(w, solver.cut[mine, theirs], low + solver.arrows, high + solver.arrows)
    pay_for(s, t, slow)
    end_clash_at(s, t)
    to = after_blows(s, t, w, s.clash)
    solver.block[mine, theirs] = to
    if not apart:
        solver.cut[mine, theirs] = to
    if solver.exploring == 1 and solver.full == 0:
        reach(w, to, low + solver.arrows, high + solver.arrows)
    stand_at(s, b.range)
    for x in range(2):
        s.side[x].open, s.side[x].fuelled = b.open[x], b.fuelled[x]


@kernel
def pay_for(s, t, x):  # type: ignore[no-untyped-def]
    """Let side x pay for its blow, if it strikes one."""
    side = s.side[x]
    if side.mode >= 0:
        pay(s, t, x, s.fighter[x].kit[side.kit].mode[side.mode], kind_of(side))


@kernel
def end_clash_at(s, t):  # type: ignore[no-untyped-def]
    """Move the range and lay Prepare open, as `combat.end_clash` does."""
    stand_at(s, min(max(s.range + joint_step(t, step_of(s.side[0]), step_of(s.side[1])), 0), LONG))
    for x in range(2):
        s.side[x].open = np.int64(s.side[x].card == PREPARE)


# ---------------------------------------------------------------- a clash: its blows


@kernel
def fetch(w):  # type: ignore[no-untyped-def]
    """Fill the tables of the block at hand with what a plan leads to, by sets of healing cards used."""
    solver = w.solver
    area = solver.tall[0] * solver.tall[1]
    for mine in range(solver.helps[0]):
        for theirs in range(solver.helps[1]):
            grid = w.grid[mine * HELPS + theirs]
            to, cut = w.block[solver.block[mine, theirs]], w.block[solver.cut[mine, theirs]]
            bound(solver, mine, theirs)
            for p in range(solver.start, solver.stop):
                lead = solver.low + p + solver.arrows
                source = to.start + (lead - to.low) * area
                for at in range(area):
                    for part in range(solver.parts):
                        grid[p * area + at, part] = w.value[source + at, part]
                if solver.cut[mine, theirs] != solver.block[mine, theirs]:
                    beaten(w, grid, p * area, cut.start + (lead - cut.low) * area)


@kernel
def bound(solver, mine, theirs):  # type: ignore[no-untyped-def]
    """Between which leads the states lie after sets of healing cards: `start` to `stop` - 1, counted from `low`."""
    solver.start = solver.span[0, solver.helps[0] - 1] - solver.span[0, mine]
    solver.stop = solver.leads - (solver.span[1, solver.helps[1] - 1] - solver.span[1, theirs])


@kernel
def beaten(w, grid, at, source):  # type: ignore[no-untyped-def]
    """What it comes to where the leader's blow has beaten the slower side, at one lead."""
    tall, lead = w.solver.tall, w.solver.lead
    step = tall[1] if lead == 0 else 1
    for health in range(tall[lead]):
        for part in range(w.solver.parts):
            grid[at + health * step, part] = w.value[source + health * step, part]


@kernel
def play_blows(w):  # type: ignore[no-untyped-def]
    """From what a plan leads to back to what it is worth before the blows."""
    lead = w.solver.lead
    if w.solver.strikes[1 - lead] == 1:
        suffer(w, lead, 1 - w.solver.even)
    if w.solver.strikes[lead] == 1:
        suffer(w, 1 - lead, 1)


@kernel
def suffer(w, x, stands):  # type: ignore[no-untyped-def]
    """A blow against side x: from what comes after it back to before it (K1F-20, K1F-26, K5B-16).

    `stands`: 1 if an attacker without Health doesn't strike."""
    solver = w.solver
    for rest in range(solver.helps[1 - x]):
        for helps in range(solver.helps[x] - 1, -1, -1):
            mine, theirs = (helps, rest) if x == 0 else (rest, helps)
            law = solver.law[1 - x, mine, theirs] if solver.mixed == 1 else solver.law[1 - x, 0, 0]
            grid, after = w.grid[mine * HELPS + theirs], w.after[mine * HELPS + theirs]
            bound(solver, mine, theirs)
            if solver.helps[x] > 1:
                heal(w, w.after, grid, x, mine, theirs, stands)
                strike_all(w, grid, after, x, law, stands)
                heal(w, w.grid, grid, x, mine, theirs, stands)
            else:
                strike_all(w, grid, grid, x, law, stands)


@kernel
def strike_all(w, grid, after, x, law, stands):  # type: ignore[no-untyped-def]
    """A blow's law over all states: from `after` it, where a card may have helped, into `grid`."""
    solver = w.solver
    step, other = (solver.tall[1], 1) if x == 0 else (1, solver.tall[1])
    area = solver.tall[0] * solver.tall[1]
    for p in range(solver.start, solver.stop):
        for foe in range(stands, solver.tall[1 - x]):
            base = p * area + foe * other
            for health in range(solver.tall[x] - 1, 0, -1):
                for part in range(solver.parts):
                    total, left = law[0] * grid[base + health * step, part], F(1) - law[0]
                    for lost in range(1, health):
                        total += law[lost] * after[base + (health - lost) * step, part]
                        left -= law[lost]
                    grid[base + health * step, part] = total + left * grid[base, part]


@kernel
def heal(w, tables, source, x, mine, theirs, stands):  # type: ignore[no-untyped-def]
    """Side x may use one more healing card, or keep the rest: `source` into the table of these sets in `tables`."""
    solver = w.solver
    helps, target = mine if x == 0 else theirs, tables[mine * HELPS + theirs]
    step, other = (solver.tall[1], 1) if x == 0 else (1, solver.tall[1])
    area, mode = solver.tall[0] * solver.tall[1], solver.mode[x]
    for health in range(solver.tall[x]):
        ways = np.int64(1)
        for place in range(HEALS):
            ways += np.int64(solver.heal[x, helps, place, health] >= 0)
        share = F(1) / ways
        add = share if mode == EVEN else (F(HIGHER) if x == 0 else F(LOWER))
        for p in range(solver.start, solver.stop):
            for foe in range(stands, solver.tall[1 - x]):
                at = p * area + foe * other + health * step
                for part in range(solver.parts):
                    target[at, part] = source[at, part] * (share if mode == EVEN else F(1))
                for place in range(HEALS):
                    gain = solver.heal[x, helps, place, health] - health
                    if gain > 0:
                        to = at + gain * step
                        to -= gain * area * solver.tracked * (1 - 2 * x)
                        more = (mine | 1 << place) * HELPS + theirs if x == 0 else mine * HELPS + (theirs | 1 << place)
                        blend(w, target[at], tables[more, to], add)


# ---------------------------------------------------------------- a clash: choices


@kernel
def expand_cards(s, t, w, i):  # type: ignore[no-untyped-def]
    """A clash from the hidden cards on: explore where it leads to, or work out what it is worth."""
    note_helps(s, t, w, i)
    if w.solver.full != 0:
        return
    load(s, t, w.block[i])
    mine, theirs = hand_of(s, w, 0), hand_of(s, w, 1)
    for first in range(1, CARD_KINDS + 1):
        for second in range(1, CARD_KINDS + 1):
            if (mine >> first) & (theirs >> second) & 1:
                face(s, t, w, i, first, second)
    if w.solver.exploring == 0:
        settle(w, i, mine, theirs)


@kernel
def hand_of(s, w, x):  # type: ignore[no-untyped-def]
    """Bits of the cards that side x may play (K1F-07, K5-61), but for those that it is asked to do without."""
    side = s.side[x]
    cards = s.fighter[x].kit[side.kit].hand[s.place, side.supply].cards & ~(side.open << PREPARE)
    return cards & ~w.solver.without[x]


@kernel
def face(s, t, w, i, first, second):  # type: ignore[no-untyped-def]
    """What follows two cards shown: directions and load-outs, then weapons and icons, the active knight first."""
    s.side[0].card, s.side[1].card = first, second
    exploring, pair = w.solver.exploring == 1, (first - 1) * CARD_KINDS + second - 1
    if s.duel == 1 and s.clash == 0 and first == DEFEND and second == DEFEND:
        if not exploring:
            trade(s, t, w, w.matrix[pair])
        return
    for option in range(ways_of(s, 0)):
        take_way(s, t, w, i, 0, option)
        for answer in range(ways_of(s, 1)):
            take_way(s, t, w, i, 1, answer)
            face_arms(s, t, w, i)
            if w.solver.full != 0:
                return
            if not exploring:
                fold(w, w.level[0], w.level[1], 1, answer, ways_of(s, 1))
        if not exploring:
            fold(w, w.matrix[pair], w.level[0], 0, option, ways_of(s, 0))
    for x in range(2):
        s.side[x].way, s.side[x].kit = 0, w.block[i].kit[x]
        count_supply(s, t, x)


@kernel
def face_arms(s, t, w, i):  # type: ignore[no-untyped-def]
    """Weapons and icons of both sides, the second knowing the first's; what it is worth into level 1 (K5-63)."""
    mine, theirs = usable(s, 0), usable(s, 1)
    for first in range(max(1, BIT_COUNT[mine])):
        s.side[0].mode = BIT_PLACE[mine, first] if mine > 0 else NO_MODE
        for second in range(max(1, BIT_COUNT[theirs])):
            s.side[1].mode = BIT_PLACE[theirs, second] if theirs > 0 else NO_MODE
            note_plan(s, t, w, i)
            if w.solver.full != 0:
                return
            if w.solver.exploring == 0:
                fetch(w)
                play_blows(w)
                fold(w, w.level[2], w.grid[0], 1, second, max(1, BIT_COUNT[theirs]))
        if w.solver.exploring == 0:
            fold(w, w.level[1], w.level[2], 0, first, max(1, BIT_COUNT[mine]))


@kernel
def trade(s, t, w, target):  # type: ignore[no-untyped-def]
    """Two Defends in a duel's first clash end it: nobody wins (K1F-32)."""
    solver = w.solver
    area = solver.tall[0] * solver.tall[1]
    s.winner, s.ending, s.over = -1, TRADED, 1
    for mine in range(1, solver.tall[0]):
        for theirs in range(1, solver.tall[1]):
            s.side[0].health, s.side[1].health = mine, theirs
            note_end(s, t, w, 0)
            for p in range(solver.leads):
                target[p * area + mine * solver.tall[1] + theirs] = w.value[0]
    s.winner, s.over = -1, 0


@kernel
def fold(w, target, source, x, option, options):  # type: ignore[no-untyped-def]
    """Join one option of side x to the others, in all states of the block at hand."""
    solver = w.solver
    area, mode = solver.tall[0] * solver.tall[1], solver.mode[x]
    bound(solver, 0, 0)
    share = F(1) / options
    for at in range(solver.start * area, solver.stop * area):
        new, old = source[at, 0], target[at, 0]
        if option == 0 or (mode == BEST and (new > old if x == 0 else new < old)):
            for part in range(solver.parts):
                target[at, part] = source[at, part] * (F(1) if mode == BEST else share)
        elif mode != BEST:
            for part in range(solver.parts):
                target[at, part] += source[at, part] * share


@kernel
def settle(w, i, mine, theirs):  # type: ignore[no-untyped-def]
    """The matrix game of hidden cards in every state of a block: values, and who plays which card how often."""
    b, solver = w.block[i], w.solver
    area = solver.tall[0] * solver.tall[1]
    bound(solver, 0, 0)
    for p in range(solver.start, solver.stop):
        for health in range(1, solver.tall[0]):
            for other in range(1, solver.tall[1]):
                at = p * area + health * solver.tall[1] + other
                state = b.start + at - solver.start * area
                balance(w, at, mine, theirs)
                mix(w, at, state, mine, theirs)
                solver.states += 1


@kernel
def mix(w, at, state, mine, theirs):  # type: ignore[no-untyped-def]
    """The numbers of a state, as cards are picked by the chances in `weight`."""
    for part in range(w.solver.parts):
        total = F(0)
        for first in range(CARD_KINDS):
            for second in range(CARD_KINDS):
                both = w.weight[0, first] * w.weight[1, second]
                if both > 0:
                    total += both * w.matrix[first * CARD_KINDS + second, at, part]
        w.value[state, part] = total
    if len(w.play) > 1:
        for x in range(2):
            for card in range(CARD_KINDS):
                w.play[state, x, card] = w.weight[x, card]


# ---------------------------------------------------------------- matrix games


@kernel
def balance(w, at, mine, theirs):  # type: ignore[no-untyped-def]
    """The chances of each side's cards in one state into `weight`: best, even, or best against even."""
    solver = w.solver
    for x in range(2):
        hand = mine if x == 0 else theirs
        for card in range(CARD_KINDS):
            w.weight[x, card] = F((hand >> (card + 1)) & 1) / BIT_COUNT[hand >> 1 & 255]
    if solver.mode[0] == BEST and solver.mode[1] == BEST:
        best_of_both(w, at, mine, theirs)
    elif solver.mode[0] == BEST:
        answer(w, at, 0, mine, F(1))
    elif solver.mode[1] == BEST:
        answer(w, at, 1, theirs, F(-1))


@kernel
def answer(w, at, x, hand, sign):  # type: ignore[no-untyped-def]
    """The best answer of side x to the chances of the other side's cards; the first of equal cards."""
    best, pick, found = F(0), 0, False
    for card in range(CARD_KINDS):
        w.weight[x, card] = 0
        if (hand >> (card + 1)) & 1:
            value = F(0)
            for other in range(CARD_KINDS):
                pair = card * CARD_KINDS + other if x == 0 else other * CARD_KINDS + card
                if w.weight[1 - x, other] > 0:
                    value += sign * w.weight[1 - x, other] * w.matrix[pair, at, 0]
            if not found or value > best:
                best, pick, found = value, card, True
    w.weight[x, pick] = 1


@kernel
def best_of_both(w, at, mine, theirs):  # type: ignore[no-untyped-def]
    """Best play of a matrix game: a pure saddle point if there is one, else mixed."""
    game, names = w.game, w.names
    rows = columns = 0
    for card in range(CARD_KINDS):
        w.weight[0, card] = w.weight[1, card] = 0
        if (mine >> (card + 1)) & 1:
            names[0, rows] = card
            rows += 1
        if (theirs >> (card + 1)) & 1:
            names[1, columns] = card
            columns += 1
    for row in range(rows):
        for column in range(columns):
            game[row, column] = w.matrix[names[0, row] * CARD_KINDS + names[1, column], at, 0]
    if not saddle(w, rows, columns):
        w.solver.mixes += 1
        minimax(game, rows, columns, w.odds, w.tableau)
        gap = gap_of(game, rows, columns, w.odds)
        if gap > TINY:
            gap = refine(game, rows, columns, w.odds, w.tableau)
        w.solver.gap = max(w.solver.gap, gap)
        for row in range(rows):
            w.weight[0, names[0, row]] = w.odds[0, row]
        for column in range(columns):
            w.weight[1, names[1, column]] = w.odds[1, column]


@kernel
def saddle(w, rows, columns):  # type: ignore[no-untyped-def]
    """Play the first pure saddle point of a matrix game, if it has one."""
    game, names = w.game, w.names
    for row in range(rows):
        least = game[row, 0]
        for column in range(1, columns):
            least = min(least, game[row, column])
        for column in range(columns):
            top = game[row, column] == least
            for other in range(rows):
                top = top and game[other, column] <= least
            if top:
                w.weight[0, names[0, row]] = w.weight[1, names[1, column]] = 1
                return True
    return False


@kernel
def minimax(game, rows, columns, odds, tableau):  # type: ignore[no-untyped-def]
    """Mixed play of a matrix game without a saddle point, by the simplex method.

    game: float64 with up to 5 rows (who want much) and columns; odds: float64[2, 5], filled; tableau: room,
    float64[6, 12], whose last columns are right sides and basic columns."""
    low = high = game[0, 0]
    for row in range(rows):
        for column in range(columns):
            low, high = min(low, game[row, column]), max(high, game[row, column])
    wide = columns + rows
    for row in range(rows + 1):
        for column in range(wide + 1):
            tableau[row, column] = 0
    for row in range(rows):
        for column in range(columns):
            tableau[row, column] = 1 + (game[row, column] - low) / (high - low)
        tableau[row, columns + row], tableau[row, wide], tableau[row, wide + 1] = 1, 1, columns + row
    for column in range(columns):
        tableau[rows, column] = -1
    while pivot(tableau, rows, wide):
        pass
    read_odds(tableau, rows, columns, odds)


@kernel
def pivot(tableau, rows, wide):  # type: ignore[no-untyped-def]
    """One step of the simplex method by the largest gain (Dantzig 1951); False when there is none."""
    column = 0
    for other in range(1, wide):
        if tableau[rows, other] < tableau[rows, column]:
            column = other
    if tableau[rows, column] > -TINY:
        return False
    row, least = -1, F(0)
    for other in range(rows):
        if tableau[other, column] > TINY:
            ratio = tableau[other, wide] / tableau[other, column]
            if row < 0 or ratio < least:
                row, least = other, ratio
    if row < 0:
        return False
    scale = 1 / tableau[row, column]
    for k in range(wide + 1):
        tableau[row, k] *= scale
    tableau[row, column], tableau[row, wide + 1] = 1, column
    for other in range(rows + 1):
        if other != row:
            factor = tableau[other, column]
            for k in range(wide + 1):
                tableau[other, k] -= factor * tableau[row, k]
            tableau[other, column] = 0
    return True


@kernel
def read_odds(tableau, rows, columns, odds):  # type: ignore[no-untyped-def]
    """Both sides' chances from the last tableau: its prices, and its basic columns."""
    wide = rows + columns
    for row in range(rows):
        odds[0, row] = max(F(0), tableau[rows, columns + row])
    for column in range(columns):
        odds[1, column] = 0
    for row in range(rows):
        basic = np.int64(tableau[row, wide + 1])
        if basic < columns:
            odds[1, basic] = max(F(0), tableau[row, wide])
    for x in range(2):
        total = F(0)
        for k in range(rows if x == 0 else columns):
            total += odds[x, k]
        for k in range(rows if x == 0 else columns):
            odds[x, k] = odds[x, k] / total


@kernel
def refine(game, rows, columns, odds, room):  # type: ignore[no-untyped-def]
    """Mixed play where rounding has spoilt the simplex method: the best of all supports of equal size (Shapley and Snow
    1950), each solved anew; returns the gap that is left. Arguments as for `minimax`."""
    best = gap_of(game, rows, columns, odds)
    kept, trial = odds.copy(), np.zeros_like(odds)
    for mine in range(1, 1 << rows):
        for theirs in range(1, 1 << columns):
            if BIT_COUNT[mine] == BIT_COUNT[theirs] and best > 0:
                fits = level(game, mine, theirs, 0, trial[0], room) and level(game, theirs, mine, 1, trial[1], room)
                gap = gap_of(game, rows, columns, trial) if fits else best
                if gap < best:
                    best = gap
                    kept[:] = trial
    odds[:] = kept
    return best


@kernel
def level(game, support, against, x, chances, room):  # type: ignore[no-untyped-def]
    """Chances over a side's support that make all of the other's support worth the same; False if there are none.

    support, against: bits of the cards of side x, and of as many cards of the other side."""
    size = BIT_COUNT[support]
    chances[:] = 0
    for row in range(size):
        for k in range(size):
            mine, theirs = BIT_PLACE[support, k], BIT_PLACE[against, row]
            room[row, k] = game[mine, theirs] if x == 0 else game[theirs, mine]
        room[row, size], room[row, size + 1] = -1, 0
        room[size, row] = 1
    room[size, size], room[size, size + 1] = 0, 1
    if not eliminate(room, size + 1):
        return False
    total = F(0)
    for k in range(size):
        if room[k, size + 1] < -TINY:
            return False
        chances[BIT_PLACE[support, k]] = max(F(0), room[k, size + 1])
        total += chances[BIT_PLACE[support, k]]
    for k in range(size):
        chances[BIT_PLACE[support, k]] = chances[BIT_PLACE[support, k]] / total
    return True


@kernel
def eliminate(room, size):  # type: ignore[no-untyped-def]
    """Solve a linear system in place (right side in the last column); False where it has no single answer."""
    for k in range(size):
        row = k
        for other in range(k + 1, size):
            if abs(room[other, k]) > abs(room[row, k]):
                row = other
        if abs(room[row, k]) < TINY * TINY:
            return False
        for column in range(size + 1):
            room[k, column], room[row, column] = room[row, column], room[k, column]
        scale = 1 / room[k, k]
        for column in range(size + 1):
            room[k, column] *= scale
        for other in range(size):
            factor = room[other, k]
            if other != k and factor != 0:
                for column in range(size + 1):
                    room[other, column] -= factor * room[k, column]
    return True


@kernel
def gap_of(game, rows, columns, odds):  # type: ignore[no-untyped-def]
    """What the columns' play lets the rows have at most, less what the rows' play makes sure of."""
    floor, ceiling = F(0), F(0)
    for column in range(columns):
        value = F(0)
        for row in range(rows):
            value += odds[0, row] * game[row, column]
        floor = value if column == 0 else min(floor, value)
    for row in range(rows):
        value = F(0)
        for column in range(columns):
            value += odds[1, column] * game[row, column]
        ceiling = value if row == 0 else max(ceiling, value)
    return ceiling - floor


# ---------------------------------------------------------------- whole combats


@entry
def explore(s, t, stream, w, seats, duel, start):  # type: ignore[no-untyped-def]
    """Find all blocks that a combat can reach, with their leads; returns how many states they have in all.

    `start`: the range to begin at, without effects before combat; -1 as the rules have it."""
    arm(s, t, seats, duel)
    solver = w.solver
    for x in range(2):
        solver.tall[x] = max(s.fighter[x].top, s.fighter[x].health) + 1
        note_idle(s, w, x)
    solver.tracked = 1 - max(s.fighter[0].ferocious, s.fighter[1].ferocious)
    w.slot[:], w.first[:] = NO_BLOCK, NO_BLOCK
    solver.exploring = 1
    begin(s, t, stream)
    happen(s, t, None, 0, START)
    happen(s, t, None, 1, START)
    if start >= 0:
        s.wanted[0], s.wanted[1] = 0, 0
        stand_at(s, start)
        root = begin_clashes(s, t, w)
    elif s.fighter[0].before.rows > 0 or s.fighter[1].before.rows > 0:
        root = block_of(s, t, w, 0, BEFORE, 0)
    else:
        root = begin_clashes(s, t, w)
    lead = lead_of(s, w)
    reach(w, root, lead, lead)
    solver.root, solver.mine, solver.theirs = lead, s.side[0].health, s.side[1].health
    return expand_all(s, t, stream, w)


@kernel
def expand_all(s, t, stream, w):  # type: ignore[no-untyped-def]
    """Follow all blocks in order; number their states."""
    states = 1
    solver = w.solver
    for rank in range(len(w.first)):
        i = w.first[rank]
        while i >= 0:
            b = w.block[i]
            b.start = states
            states += (b.high - b.low + 1) * solver.tall[0] * solver.tall[1]
            expand(s, t, stream, w, i)
            if solver.full != 0:
                return states
            solver.widest = max(solver.widest, solver.cells)
            i = b.after
    solver.exploring = 0
    return states


@kernel
def expand(s, t, stream, w, i):  # type: ignore[no-untyped-def]
    """What follows a block, by its phase."""
    phase = w.block[i].phase
    if phase == BEFORE:
        expand_before(s, t, stream, w, i)
        return
    load(s, t, w.block[i])
    put(s, w, 0, 1, 1)
    if is_down(s, t, 0) or is_down(s, t, 1):
        return
    if phase == ENDING:
        expand_ending(s, t, w, i)
    elif phase == CARDS:
        expand_cards(s, t, w, i)
    elif phase != DONE:
        expand_held(s, t, stream, w, i)


@entry
def sweep(s, t, stream, w):  # type: ignore[no-untyped-def]
    """Work out all values backwards, after `explore`; the start's is returned as a place in `value`."""
    solver = w.solver
    solver.states, solver.mixes, solver.gap = 0, 0, 0
    for rank in range(len(w.first) - 1, -1, -1):
        i = w.first[rank]
        while i >= 0:
            load(s, t, w.block[i])
            if w.block[i].phase != BEFORE:
                note_ends(s, t, w, i)
            expand(s, t, stream, w, i)
            i = w.block[i].after
    return state_at(w, 0, solver.root, solver.mine, solver.theirs)


# ---------------------------------------------------------------- for callers


@dataclass(frozen=True)
class Solution:
    """What a combat comes to by some play of both sides.

    value: worth to the first side by the prices asked for; win, draw, loss: chances of the first side; states: how many
    were worked out; mixes: in how many no card was the best against the other's best; gap: the largest difference
    between what the two sides can make sure of in one state; play: how often each side plays each card first, empty
    where something else is decided first (effects before combat, held cards).
    """

    value: float
    win: float
    draw: float
    loss: float
    states: int
    mixes: int
    gap: float
    play: tuple[Mapping[str, float], Mapping[str, float]]


class Unsolvable(ValueError):
    """A combat that the solver has no room for; says which and why in plain words."""


WHY = (
    "",
    f"has more than {SIZE} kinds of situations",
    "has a card that heals its holder and harms the opponent at once",
)
MOVES = ("attack", "multi_attack", "prepare", "change_range", "defend")
"""The hidden choices, in the order in which ties are settled: the first of equally good cards is played."""

STANDARD = {"win": 1.0, "draw": 0.5, "loss": 0.0}
"""A draw is worth half a win."""

MODES = {"best": BEST, "random": EVEN}


@cache
def _hits(faces: tuple[tuple[int, int], ...]) -> Any:
    """The chance of a hit with so many Bull's Eyes, float64[law, dice, Bull's Eyes]."""
    hits = np.zeros((len(faces), POOL_MAX + 1, POOL_MAX + 1))
    for law, (success_from, top_from) in enumerate(faces):
        for dice in range(1, POOL_MAX + 1):
            for successes, tops, ways in ladder(dice, SIDES, success_from, top_from):
                hits[law, dice, tops] += (successes > 0) * (ways / SIDES**dice)
    return hits


class Combat:
    """One combat, explored once, to be solved for any play of both sides.

    moves: names of the hidden choices; places: where it may begin.
    """

    moves, places, duel = MOVES, RANGES, 0

    def __init__(self, tables: Tables, seats: Any, start: str = "") -> None:
        """Find all that can happen. tables: of `load`; seats: one seating (`game.seatings`); start: one of `places`,
        or "" to begin as the rules have it. Raises Unsolvable."""
        self.tables, self.seats = tables.data, seats
        self.place = RANGES.index(start) if start else -1
        self.fight, self.stream = np.zeros(1, FIGHT)[0], np.zeros(1, STREAM)[0]
        self._explore(0)

    def _explore(self, priced: int) -> None:
        """Find all blocks; `priced`: whether what is left over has a price."""
        laws = self.tables.laws
        faces = tuple((int(a), int(b)) for a, b in zip(laws.success_from, laws.top_from, strict=True))
        ranks = (int(self.tables.combat.clashes) + 1) * RANKS
        block, slot, first = np.empty(SIZE, BLOCK), np.empty(4 * SIZE, I), np.empty(ranks, I)
        room = np.zeros((1, 1, 1))
        self.work = Work(
            blank(SOLVER), block, slot, first, _hits(faces), room[0], room, room, room, room, room,
            np.zeros((2, CARD_KINDS)), np.zeros((CARD_KINDS, CARD_KINDS)), np.zeros((2, CARD_KINDS), I),
            np.zeros((2, CARD_KINDS)), np.zeros((CARD_KINDS + 1, 2 * CARD_KINDS + 2)),
        )  # fmt: skip
        solver = self.work.solver
        solver.priced = priced
        states = explore(self.fight, self.tables, self.stream, self.work, self.seats, self.duel, self.place)
        self.states = int(states)
        if solver.full:
            raise Unsolvable(f"a combat that {WHY[int(solver.full)]} is not solved")

    def solve(
        self,
        modes: Sequence[str] = ("best", "best"),
        prices: Mapping[str, float] | None = None,
        without: Sequence[str] = ("", ""),
        whole: bool = True,
    ) -> Solution:
        """The value of the start, and the chances of how it ends, by the play of each side: "best" or "random".

        prices: by names as in PRICES, others 0; by default STANDARD. without: a card that each side does without.
        whole: False to work out nothing but the value (quicker); the chances are those of no meaning then.
        """
        given = STANDARD if prices is None else prices
        priced = int(any(given.get(name) for name in PRICES[3:]))
        if priced != self.work.solver.priced:
            self._explore(priced)
        solver, parts = self.work.solver, 3 if whole else 1
        solver.parts = parts
        solver.mode[:] = [MODES[mode] for mode in modes]
        solver.without[:] = [1 << MOVES.index(card) + 1 if card else 0 for card in without]
        solver.price[:] = [given.get(name, 0.0) for name in PRICES]
        cells = int(solver.widest)
        work = self.work._replace(
            value=np.zeros((self.states, parts)),
            play=np.zeros((self.states if whole else 1, 2, CARD_KINDS)),
            grid=np.zeros((HELPS * HELPS, cells, parts)),
            after=np.zeros((HELPS * HELPS, cells, parts)),
            level=np.zeros((3, cells, parts)),
            matrix=np.zeros((CARD_KINDS * CARD_KINDS, cells, parts)),
        )
        at = int(sweep(self.fight, self.tables, self.stream, work))
        value, win, draw = (float(work.value[at, part % parts]) for part in range(3))
        first, second = (
            {m: float(p) for m, p in zip(MOVES, row, strict=True) if p} for row in work.play[at % len(work.play)]
        )
        counts = int(solver.states), int(solver.mixes), float(solver.gap)
        return Solution(value, win, draw, 1 - win - draw, *counts, (first, second))


class Duel(Combat):
    """A duel of two knights (K1F-32), as `Combat`."""

    duel = 1
