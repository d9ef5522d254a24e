"""All that a combat can come to, found once by the game's own rules and kept as numbers to be solved.

States are kept in blocks: all that a situation holds but Health and the marker. A block's states are a table over
(lead, Health of side 0, Health of side 1); see `situations`. From a block of a clash's cards, plans lead on: a pair of
cards with what both sides choose in the open after the reveal (K5-63, K5-72); what its blows come to is an outcome,
shared by all plans that differ in their arrows alone. Other blocks lead on by edges.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from simcore.bots import BIT_COUNT, BIT_PLACE
from simcore.dice import POOL_MAX
from simcore.kernels import entry, kernel, record
from simcore.knights.bots import BEFORE_BLOW, CLASH_START, helpful, offer_before, offer_held
from simcore.knights.cards import POCKETS
from simcore.knights.checks import attack_dice, bulls_eye_worth, law_of, net_damage, penalty_of
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
from simcore.knights.situations import (
    BEFORE,
    CARDS,
    DONE,
    ENDING,
    HELD,
    HELD_TOO,
    at_once,
    pack_place,
    pack_side,
    tag_of,
    trim,
)
from simcore.knights.state import ADVANCE, CHANGE, DEFEND, DIALS, NO_MODE, PREPARE, READY, SALVO, SOURCES, TRADED
from simcore.knights.tables import LONG, WHAT, WHEN
from simcore.streams import word

START, CLASH_END = WHEN["start"], WHEN["clash_end"]
START_RANGE, STRIDE = WHAT["start_range"], WHAT["stride"]
I, F = np.int64, np.float64  # noqa: E741

RANKS = 103
"""Blocks of a clash are worked through by rank: whatever leads to another block has a lower one."""

HEALS, HELPS, HIGHEST, CARD_KINDS = POCKETS, 1 << POCKETS, 21, 5
"""Most healing cards that a side may hold, sets of them, Health and 0, combat cards."""

NETS, WORTHS = 64, 32
"""Net damage from -NETS on, and worths of a Bull's Eye, that are told apart."""

NO_BLOCK, NO_HELP, NO_NODE, OPEN = -1, -1, -1, -1

BLOCKS, EDGES, PLANS, OUTCOMES, SETS, LAWS, CARES = 1 << 15, 1 << 18, 1 << 20, 1 << 18, 1 << 20, 1 << 12, 1 << 9
"""Capacities of a tree: blocks, edges, plans, outcomes, rows of their sets, laws of blows, what cards heal."""

BLOCK_SLOTS, CHAINS = 4 * BLOCKS, OUTCOMES // 8
LAW_SLOTS, RANK_SLOTS = BLOCK_SLOTS + CHAINS, BLOCK_SLOTS + CHAINS + LAWS
"""What is found by a hash, in one store: blocks, outcomes, laws (their codes); then the first block of each rank."""

FULL, HARMFUL = 1, 2
"""Why a combat is not solved: no room; a card that heals its holder and harms the opponent at once."""

NOBODY, WON, DRAWN, LOST = range(4)
"""What a state has come to for side 0; NOBODY where it goes on."""

GAINS = ("health", "foe_health", "ammo", "fuel", "reputation", "green", "yellow", "red")
"""What side 0 and his opponent have left at the end, and what side 0 gains."""

LEVELS = 4
"""What is chosen after the reveal, in this order: directions or load-outs of side 0, of side 1, weapon and icon of
side 0, of side 1."""

BLOCK = record(
    ("clash", I), ("phase", I), ("turn", I), ("range", I), ("wanted", I, 2), ("open", I, 2), ("kit", I, 2),
    ("fuelled", I, 2), ("dials", DIALS, 2), ("head", I), ("tail", I), ("low", I), ("high", I), ("start", I),
    ("after", I), ("first", I), ("stop", I), ("hand", I, 2), ("order", I),
)  # fmt: skip
"""A block. `turn`: before combat, who may use an effect * 2 + passes in a row, at the end 1 for a trade; `head`,
`tail`: all but `fuelled`, packed; `low`, `high`: its leads; `start`: where its states begin; `after`: the next block of
its rank; `first`, `stop`: its plans, or its edges; `hand`: bits of the cards that each side may play;
the blocks in their `order` lead to later ones only."""

EDGE = record(
    ("mine", I), ("theirs", I), ("option", I), ("options", I), ("code", I), ("to", I), ("shift", I), ("health", I),
    ("other", I), ("chance", F),
)  # fmt: skip
"""One option of the side at hand, or what comes anyway, in states of Health `mine` and `theirs`: to the states of block
`to` with Health `health` and `other`, the lead being `shift` more. `code`: its identity; `chance`: with a bot."""

PLAN = record(
    ("pair", I), ("at", I, LEVELS), ("of", I, LEVELS), ("node", I, LEVELS), ("mode", I, 2), ("arrows", I),
    ("outcome", I), ("joint", I),
)  # fmt: skip
"""Two cards (`pair`: (first - 1) * CARD_KINDS + second - 1) with a choice at each of LEVELS: which (`at`) of how many
(`of`), and where picks of this choice are kept for each state of the block (`node`). `joint`: the first of two levels
that are chosen at the same time, OPEN for none."""

OUTCOME = record(
    ("care", I, 2), ("helps", I, 2), ("lead", I), ("even", I), ("strikes", I, 2), ("set", I), ("many", I), ("low", I),
    ("high", I), ("block", I), ("plan", I), ("clash", I), ("after", I), ("result", I), ("room", I), ("heals", I),
    ("caring", I, 2),
)  # fmt: skip
"""What a plan's blows come to: who strikes first (`lead`), whether at `even` initiative, and by sets of healing cards
used, the rows of `sets` from `set` on: laws of both blows, the next block, and the one if the slower side is beaten.
`low`, `high`: leads, arrows counted; `block`, `plan`: the first that leads here; `after`: the next of its hash;
`result`: where its values are kept; `heals`, `caring`: where picks, and chances, of healing cards are kept."""

CARE = record(
    ("key", I), ("helps", I), ("source", I, HEALS), ("span", I, HELPS), ("heal", I, (HELPS, HEALS, HIGHEST)),
)  # fmt: skip
"""What healing cards can do for a side: `span`: Health that each set has healed at most, `heal`: Health after one more
card (NO_HELP where it can't help)."""

SOLVER = record(
    ("many", I), ("edges", I), ("plans", I), ("outcomes", I), ("sets", I), ("laws", I), ("cares", I), ("picks", I),
    ("heals", I), ("caring", I), ("full", I), ("mixed", I), ("tall", I, 2), ("tracked", I), ("priced", I),
    ("fine", I), ("root", I), ("roots", I, 2), ("without", I, 2),
    ("mine", I), ("theirs", I), ("block", I), ("care", I, 2),
    ("at", I, LEVELS), ("of", I, LEVELS), ("node", I, LEVELS), ("held", DIALS, (2, HELPS)),
)  # fmt: skip
"""What is known while a tree is explored. `fine`: 1 to keep the outcomes of plans apart where there are healing cards;
`root`, `roots`: lead and Health of the start; `without`: cards that sides do without; `block`, `mine`, `theirs`,
`care`, `held`: the block at hand, Health, what can be healed, and dials by set of healing cards used; `at`, `of`,
`node`: as in PLAN, of the plan at hand."""


class Tree(NamedTuple):
    """A combat as numbers: one SOLVER record, blocks, edges, plans, outcomes, their sets (int64[row, 4]), what healing
    cards do, and `slots`, int64, to find things again."""

    solver: Any
    block: Any
    edge: Any
    plan: Any
    outcome: Any
    sets: Any
    care: Any
    slots: Any


class Policy(NamedTuple):
    """Room for the chances of both sides' bots: of cards (float64[state * 2 + side, card]), of what is picked after the
    reveal (float64[pick, option]), and of healing cards (float64[`caring`, 1 + card])."""

    cards: Any
    odds: Any
    caring: Any


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
        if side.spent & fighter.lasting != 0:
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
def block_of(s, t, w, clash, phase, turn):  # type: ignore[no-untyped-def]
    """The number of the block that the fight is in; a new one if need be, NO_BLOCK where there is no room."""
    for x in range(2):
        trim(s, t, x, clash, phase, w.solver.priced)
    one, two = s.now[0], s.now[1]
    head, tail = (pack_place(s, clash, phase, turn) << 28) + pack_side(one), pack_side(two)
    at = np.int64(tag_of(head, tail, one.fuelled, two.fuelled) & np.uint64(BLOCK_SLOTS - 1))
    while w.slots[at] >= 0:
        b = w.block[w.slots[at]]
        if b.head == head and b.tail == tail and b.fuelled[0] == one.fuelled and b.fuelled[1] == two.fuelled:
            return w.slots[at]
        at = (at + 1) & (BLOCK_SLOTS - 1)
    if w.solver.many == len(w.block):
        w.solver.full = FULL
        return NO_BLOCK
    w.slots[at] = w.solver.many
    b = w.block[w.solver.many]
    b.clash, b.phase, b.turn, b.head, b.tail, b.low, b.high = clash, phase, turn, head, tail, 1, 0
    b.range = 0 if phase == DONE else s.range
    write_block(s, b)
    rank = RANK_SLOTS + clash * RANKS + rank_in_clash(b)
    b.after, w.slots[rank] = w.slots[rank], w.solver.many
    w.solver.many += 1
    return w.solver.many - 1


@kernel
def write_block(s, b):  # type: ignore[no-untyped-def]
    """Note both sides' present in a block."""
    for x in range(2):
        now, dials = s.now[x], b.dials[x]
        b.wanted[x], b.open[x], b.kit[x], b.fuelled[x] = s.wanted[x], now.open, now.kit, now.fuelled
        dials.ammo, dials.fuel, dials.radiation = now.dials.ammo, now.dials.fuel, now.dials.radiation
        dials.spent = now.dials.spent


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
def reach(w, to, low, high):  # type: ignore[no-untyped-def]
    """Note the leads with which a block can be reached."""
    if to < 0:
        return
    b = w.block[to]
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
def next_phase(s, t, phase):  # type: ignore[no-untyped-def]
    """The first phase from `phase` on in which somebody has a choice: a side with held cards that may help."""
    if phase <= HELD and helpful(s, t, 0, CLASH_START) != 0:
        return HELD
    if phase <= HELD_TOO and helpful(s, t, 1, CLASH_START) != 0:
        return HELD_TOO
    return CARDS


@kernel
def enter(s, t, w, clash, ended):  # type: ignore[no-untyped-def]
    """The block in which a clash begins, or the combat's end; the effects of the last clash's end, if there are any,
    come first unless they have `ended`."""
    phase = DONE if clash == t.combat.clashes else next_phase(s, t, HELD)
    if ended == 0 and ((s.fighter[0].moments | s.fighter[1].moments) >> CLASH_END) & 1:
        phase = ENDING
    return block_of(s, t, w, clash, phase, 0)


# ---------------------------------------------------------------- effects that somebody may use, or that come anyway


@kernel
def go(s, w, lead, to, option, code):  # type: ignore[no-untyped-def]
    """Add an edge from the states at hand (Health in `mine` and `theirs` of the solver) of the block at hand to where
    the fight now is in block `to`. `lead`: where it came from; `option`: its place among `s.options`."""
    solver = w.solver
    if solver.edges == len(w.edge) or to < 0:
        solver.full = max(solver.full, FULL)
        return
    edge, b = w.edge[solver.edges], w.block[solver.block]
    edge.mine, edge.theirs, edge.to, edge.shift = solver.mine, solver.theirs, to, lead_of(s, w) - lead
    edge.health, edge.other, edge.option, edge.options = s.side[0].health, s.side[1].health, option, s.options
    edge.code = code
    reach(w, to, b.low + edge.shift, b.high + edge.shift)
    solver.edges += 1


@kernel
def place(s, t, w, i, mine, theirs):  # type: ignore[no-untyped-def]
    """Bring in a block's states of some Health; True if somebody is beaten there."""
    b = w.block[i]
    load(s, t, b)
    put(s, w, b.low, mine, theirs)
    w.solver.mine, w.solver.theirs = mine, theirs
    return b.phase != BEFORE and (is_down(s, t, 0) or is_down(s, t, 1))


@kernel
def expand_ending(s, t, w, i):  # type: ignore[no-untyped-def]
    """Effects of a clash's end, in the clash that they end."""
    b = w.block[i]
    for mine in range(1, w.solver.tall[0]):
        for theirs in range(1, w.solver.tall[1]):
            if place(s, t, w, i, mine, theirs):
                continue
            happen(s, t, None, 0, CLASH_END)
            happen(s, t, None, 1, CLASH_END)
            s.options = 1
            go(s, w, b.low, enter(s, t, w, b.clash, 1), 0, 0)


@kernel
def expand_held(s, t, w, i):  # type: ignore[no-untyped-def]
    """Held cards that a side may use as a clash starts."""
    b = w.block[i]
    x = b.phase - HELD
    for mine in range(1, w.solver.tall[0]):
        for theirs in range(1, w.solver.tall[1]):
            if place(s, t, w, i, mine, theirs):
                continue
            offer_held(s, x, helpful(s, t, x, CLASH_START))
            for option in range(s.options):
                row, phase = s.option[option] - 1, b.phase + 1
                if row >= 0:
                    use(s, t, None, x, s.fighter[x].held, row, OWN_CHOICE)
                    phase = b.phase
                to = block_of(s, t, w, b.clash, next_phase(s, t, phase), 0)
                go(s, w, b.low, to, option, s.option[option])
                place(s, t, w, i, mine, theirs)


@kernel
def expand_before(s, t, w, i):  # type: ignore[no-untyped-def]
    """Effects before combat: the side at hand uses one or passes; after two passes the first clash begins (K5-60)."""
    b = w.block[i]
    x, passes = b.turn // 2, b.turn % 2
    for mine in range(w.solver.tall[0]):
        for theirs in range(w.solver.tall[1]):
            place(s, t, w, i, mine, theirs)
            offer_before(s, x)
            for option in range(s.options):
                code = s.option[option]
                if code > 0:
                    use(s, t, None, x, s.fighter[x].before, (code - 1) // 4, (code - 1) % 4)
                    to = block_of(s, t, w, 0, BEFORE, (1 - x) * 2)
                elif passes == 0:
                    to = block_of(s, t, w, 0, BEFORE, (1 - x) * 2 + 1)
                else:
                    to = begin_clashes(s, t, w)
                go(s, w, b.low, to, option, code)
                place(s, t, w, i, mine, theirs)


@kernel
def begin_clashes(s, t, w):  # type: ignore[no-untyped-def]
    """The block of the first clash: the range is what one side alone has asked for (K1F-02)."""
    if (s.wanted[0] > 0) != (s.wanted[1] > 0):
        stand_at(s, s.wanted[0] + s.wanted[1] - 1)
    s.wanted[0], s.wanted[1] = 0, 0
    return enter(s, t, w, 0, 1)


# ---------------------------------------------------------------- a clash: what healing cards can do in it


@kernel
def note_helps(s, t, w, i):  # type: ignore[no-untyped-def]
    """Note what healing cards each side may use around blows, and what each set of them leaves."""
    b, solver = w.block[i], w.solver
    for x in range(2):
        cards = s.fighter[x].healers & ~b.dials[x].spent
        solver.care[x] = care_of(w, (((cards << 4) | b.dials[x].radiation) << 1) + x + 1)
        if solver.full != 0:
            return
        care = w.care[solver.care[x]]
        if care.helps == 0:
            list_cards(care, cards)
        for helps in range(care.helps):
            note_help(s, t, w, i, x, helps)
    load(s, t, b)


@kernel
def care_of(w, key):  # type: ignore[no-untyped-def]
    """What a side's healing cards can do, by a number for all that it hangs on; a new record if need be."""
    solver = w.solver
    for i in range(solver.cares):
        if w.care[i].key == key:
            return i
    if solver.cares == len(w.care):
        solver.full = FULL
        return 0
    w.care[solver.cares].key, w.care[solver.cares].helps = key, 0
    solver.cares += 1
    return solver.cares - 1


@kernel
def list_cards(care, cards):  # type: ignore[no-untyped-def]
    """Number the healing cards in the bits of `cards`."""
    many = 0
    for source in range(SOURCES):
        if (cards >> source) & 1 and many < HEALS:
            care.source[many] = source
            many += 1
    care.helps = 1 << many


@kernel
def note_help(s, t, w, i, x, helps):  # type: ignore[no-untyped-def]
    """What side x has left after a set of healing cards, and what each further one does at each Health."""
    solver, side, span = w.solver, s.side[x], 0
    care = w.care[solver.care[x]]
    load(s, t, w.block[i])
    for at in range(HEALS):
        if (helps >> at) & 1:
            rest = helps & ~(1 << at)
            put(s, w, 0, 1, 1)
            use(s, t, None, x, s.fighter[x].held, s.fighter[x].first[care.source[at]], OWN_CHOICE)
            span = max(span, care.span[rest] + best_heal(care, solver.tall[x], rest, at))
    care.span[helps] = span if solver.tracked == 1 else 0
    dials = solver.held[x, helps]
    dials.ammo, dials.fuel, dials.radiation, dials.spent = side.ammo, side.fuel, side.radiation, side.spent
    for at in range(HEALS):
        for health in range(HIGHEST):
            care.heal[helps, at, health] = NO_HELP
        if (1 << at) & (care.helps - 1) & ~helps:
            try_help(s, t, w, x, helps, at)


@kernel
def best_heal(care, tall, helps, at):  # type: ignore[no-untyped-def]
    """The most that a healing card brings after a set of others."""
    best = 0
    for health in range(1, tall):
        best = max(best, care.heal[helps, at, health] - health)
    return best


@kernel
def try_help(s, t, w, x, helps, at):  # type: ignore[no-untyped-def]
    """What one more healing card makes of each Health, where it can help (`bots.helpful`)."""
    solver, side, care = w.solver, s.side[x], w.care[w.solver.care[x]]
    source = care.source[at]
    for health in range(1, solver.tall[x]):
        put(s, w, 0, health if x == 0 else 1, health if x == 1 else 1)
        set_dials(s, t, w, x, helps)
        marker = s.marker
        if (helpful(s, t, x, BEFORE_BLOW) >> source) & 1:
            use(s, t, None, x, s.fighter[x].held, s.fighter[x].first[source], OWN_CHOICE)
            care.heal[helps, at, health] = side.health
            if s.side[1 - x].health != 1 or s.marker != marker:
                solver.full = HARMFUL
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


# ---------------------------------------------------------------- a clash: plans


@kernel
def expand_cards(s, t, w, i):  # type: ignore[no-untyped-def]
    """All plans of a clash."""
    b = w.block[i]
    note_helps(s, t, w, i)
    for x in range(2):
        b.hand[x] = hand_of(s, x)
    for first in range(1, CARD_KINDS + 1):
        for second in range(1, CARD_KINDS + 1):
            if (b.hand[0] >> first) & (b.hand[1] >> second) & 1:
                face(s, t, w, i, first, second)


@kernel
def hand_of(s, x):  # type: ignore[no-untyped-def]
    """Bits of the cards that side x may play (K1F-07, K5-61)."""
    side = s.side[x]
    return s.fighter[x].kit[side.kit].hand[s.place, side.supply].cards & ~(side.open << PREPARE)


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
def modes_of(s, x):  # type: ignore[no-untyped-def]
    """Bits of the modes that side x may attack with now."""
    if not attacks(s.side[x].card):
        return np.int64(0)
    kit = s.fighter[x].kit[s.side[x].kit]
    return kit.hand[s.place, s.side[x].supply].usable[np.int64(kind_of(s.side[x], s.side[x].card) == SALVO)]


@kernel
def choose_at(w, level, option, options):  # type: ignore[no-untyped-def]
    """Note one more option of a choice; its first one finds room for what is picked."""
    solver = w.solver
    b = w.block[solver.block]
    solver.at[level], solver.of[level] = option, options
    if option == 0:
        solver.node[level] = solver.picks if options > 1 else NO_NODE
        if options > 1:
            solver.picks += (b.high - b.low + 1) * solver.tall[0] * solver.tall[1]


@kernel
def face(s, t, w, i, first, second):  # type: ignore[no-untyped-def]
    """What follows two cards shown: directions and load-outs, then weapons and icons, the active knight first (K5-63,
    K5-72)."""
    s.side[0].card, s.side[1].card = first, second
    traded = s.duel == 1 and s.clash == 0 and first == DEFEND and second == DEFEND
    ways, answers = (1, 1) if traded else (ways_of(s, 0), ways_of(s, 1))
    for option in range(ways):
        for answer in range(answers):
            take_way(s, t, w, i, 0, option)
            take_way(s, t, w, i, 1, answer)
            mine, theirs = modes_of(s, 0), modes_of(s, 1)
            modes, replies = max(1, BIT_COUNT[mine]), max(1, BIT_COUNT[theirs])
            for arms in range(modes * replies):
                s.side[0].mode = BIT_PLACE[mine, arms // replies] if mine > 0 else NO_MODE
                s.side[1].mode = BIT_PLACE[theirs, arms % replies] if theirs > 0 else NO_MODE
                if arms == 0 and answer == 0:
                    choose_at(w, 0, option, ways)
                if arms == 0:
                    choose_at(w, 1, answer, answers)
                if arms % replies == 0:
                    choose_at(w, 2, arms // replies, modes)
                choose_at(w, 3, arms % replies, replies)
                note_plan(s, t, w, traded)
    for x in range(2):
        s.side[x].way, s.side[x].kit = 0, w.block[i].kit[x]
        count_supply(s, t, x)


@kernel
def note_plan(s, t, w, traded):  # type: ignore[no-untyped-def]
    """Keep a plan and its outcome."""
    solver = w.solver
    if solver.plans == len(w.plan) or solver.outcomes == len(w.outcome) or solver.sets + HELPS * HELPS > len(w.sets):
        solver.full = FULL
        return
    plan, arrows, one, two = w.plan[solver.plans], t.combat.arrows, s.side[0], s.side[1]
    plan.pair = (one.card - 1) * CARD_KINDS + two.card - 1
    for level in range(LEVELS):
        plan.at[level], plan.of[level], plan.node[level] = solver.at[level], solver.of[level], solver.node[level]
    plan.mode[0], plan.mode[1] = one.mode, two.mode
    plan.joint = joint_level(s, t, plan)
    plan.arrows = 0 if traded else (arrows[one.card, one.way] - arrows[two.card, two.way]) * solver.tracked
    draft(s, w)
    if traded:
        to = block_of(s, t, w, t.combat.clashes, DONE, 1)
        fill_sets(w, to)
    else:
        note_sets(s, t, w)
    if solver.full == 0:
        plan.outcome = keep_outcome(w, plan.arrows)
        solver.plans += 1


@kernel
def joint_level(s, t, plan):  # type: ignore[no-untyped-def]
    """The first of the two levels of a plan at which both choose at once by the ruling (`situations.at_once`)."""
    for level in range(0, LEVELS, 2):
        if plan.of[level] > 1 and plan.of[level + 1] > 1 and at_once(s, t, level):
            return level
    return OPEN


@kernel
def initiative(s, x):  # type: ignore[no-untyped-def]
    """The initiative of side x, 0 first; who doesn't strike comes last."""
    return rank_of(s, x) if s.side[x].mode >= 0 else np.int64(9)


@kernel
def draft(s, w):  # type: ignore[no-untyped-def]
    """Write down the outcome of the plan at hand, as far as its cards and initiative go."""
    solver = w.solver
    outcome, first, second = w.outcome[solver.outcomes], initiative(s, 0), initiative(s, 1)
    outcome.lead, outcome.even = np.int64(first > second), np.int64(first == second)
    outcome.set, outcome.many = solver.sets, 1
    outcome.block, outcome.plan, outcome.clash = solver.block, solver.plans, s.clash
    for x in range(2):
        outcome.strikes[x] = np.int64(s.side[x].mode >= 0)
        outcome.care[x], outcome.helps[x] = solver.care[x], w.care[solver.care[x]].helps
        outcome.many *= outcome.helps[x]


@kernel
def fill_sets(w, to):  # type: ignore[no-untyped-def]
    """The sets of a plan that leads to one block whatever is used."""
    solver = w.solver
    outcome = w.outcome[solver.outcomes]
    for row in range(outcome.many):
        line = w.sets[outcome.set + row]
        line[0], line[1], line[2], line[3] = 0, 0, to, to


@kernel
def note_sets(s, t, w):  # type: ignore[no-untyped-def]
    """Laws of the blows, and the blocks that they may lead to, by sets of healing cards used."""
    solver = w.solver
    outcome = w.outcome[solver.outcomes]
    for mine in range(outcome.helps[0]):
        for theirs in range(outcome.helps[1]):
            set_dials(s, t, w, 0, mine)
            set_dials(s, t, w, 1, theirs)
            line = w.sets[outcome.set + mine * outcome.helps[1] + theirs]
            for x in range(2):
                line[x] = law_at(s, t, w, x) if s.side[x].mode >= 0 else 0
            note_blocks(s, t, w, line)
    for x in range(2):
        set_dials(s, t, w, x, 0)
        count_supply(s, t, x)


@kernel
def law_at(s, t, w, x):  # type: ignore[no-untyped-def]
    """The number of the law of the Health that side x's blow takes, by all that `combat.strike` makes it of."""
    me, foe, solver = s.side[x], s.side[1 - x], w.solver
    kind, mine, theirs = kind_of(me, me.card), s.fighter[x].kit[me.kit], s.fighter[1 - x].kit[foe.kit]
    mode = mine.mode[me.mode]
    dice = attack_dice(s, t, x, mode, theirs, kind * 3 + penalty_of(foe.card))
    net = min(max(net_damage(s, t, x, mode, mine, theirs), -NETS), NETS - 1)
    worth = min(bulls_eye_worth(s, t, x, mode, kind == READY), WORTHS - 1)
    code = ((law_of(s, kind) * (POOL_MAX + 1) + dice) * 2 * NETS + net + NETS) * WORTHS + worth
    at = np.int64(word(code, 0) & np.uint64(LAWS - 1))
    while w.slots[LAW_SLOTS + at] != code:
        if w.slots[LAW_SLOTS + at] == NO_BLOCK:
            w.slots[LAW_SLOTS + at] = code
            solver.laws += 1
            solver.full = max(solver.full, FULL * np.int64(solver.laws > LAWS // 2))
            return at
        at = (at + 1) & (LAWS - 1)
    return at


@kernel
def note_blocks(s, t, w, line):  # type: ignore[no-untyped-def]
    """The blocks after this clash: all blows struck, or where the slower side was beaten and did not strike."""
    solver = w.solver
    outcome, b = w.outcome[solver.outcomes], w.block[solver.block]
    slow = 1 - outcome.lead
    pay_for(s, t, 1 - slow)
    apart = solver.priced == 1 and outcome.strikes[slow] == 1 and outcome.even == 0
    cut = block_of(s, t, w, s.clash + 1, DONE, 0) if apart else NO_BLOCK
    pay_for(s, t, slow)
    stand_at(s, min(max(s.range + joint_step(t, step_of(s.side[0]), step_of(s.side[1])), 0), LONG))
    for x in range(2):
        s.side[x].open = np.int64(s.side[x].card == PREPARE)
    line[2] = enter(s, t, w, s.clash + 1, 0)
    line[3] = cut if apart else line[2]
    stand_at(s, b.range)
    for x in range(2):
        s.side[x].open, s.side[x].fuelled = b.open[x], b.fuelled[x]


@kernel
def pay_for(s, t, x):  # type: ignore[no-untyped-def]
    """Let side x pay for its blow, if it strikes one."""
    side = s.side[x]
    if side.mode >= 0:
        pay(s, t, x, s.fighter[x].kit[side.kit].mode[side.mode], kind_of(side, side.card) * 3)


@kernel
def keep_outcome(w, arrows):  # type: ignore[no-untyped-def]
    """The number of the outcome drafted: that of an equal one, if there is one; with the leads of the block at hand."""
    solver = w.solver
    new, b = w.outcome[solver.outcomes], w.block[solver.block]
    apart = solver.fine == 1 and new.many > 1
    at = BLOCK_SLOTS + np.int64(hash_outcome(w, new) & np.uint64(CHAINS - 1))
    found = NO_BLOCK if apart else w.slots[at]
    while found >= 0 and not equal(w, w.outcome[found], new):
        found = w.outcome[found].after
    if found < 0:
        found = solver.outcomes
        new.after, w.slots[at] = w.slots[at], found
        new.low, new.high = 1, 0
        solver.outcomes += 1
        solver.sets += new.many
    outcome, low, high = w.outcome[found], b.low + arrows, b.high + arrows
    if outcome.low > outcome.high:
        outcome.low, outcome.high = low, high
    outcome.low, outcome.high = min(outcome.low, low), max(outcome.high, high)
    reach_all(w, outcome)
    return found


@kernel
def hash_outcome(w, outcome):  # type: ignore[no-untyped-def]
    """A word for all that makes an outcome."""
    tag = word(outcome.care[0] * 512 + outcome.care[1], (outcome.lead * 2 + outcome.even) * 4 + outcome.strikes[0] * 2)
    for row in range(outcome.many):
        line = w.sets[outcome.set + row]
        tag = word(word(tag, line[0] * 65536 + line[1]), line[2] * 65536 + line[3])
    return tag


@kernel
def equal(w, one, two):  # type: ignore[no-untyped-def]
    """Whether two outcomes are the same."""
    if one.lead != two.lead or one.even != two.even or one.many != two.many:
        return False
    for x in range(2):
        if one.care[x] != two.care[x] or one.strikes[x] != two.strikes[x]:
            return False
    for row in range(one.many):
        for k in range(4):
            if w.sets[one.set + row, k] != w.sets[two.set + row, k]:
                return False
    return True


@kernel
def reach_all(w, outcome):  # type: ignore[no-untyped-def]
    """Note the leads with which an outcome's blocks can be reached: healing moves the lead."""
    one, two = w.care[outcome.care[0]], w.care[outcome.care[1]]
    for mine in range(outcome.helps[0]):
        for theirs in range(outcome.helps[1]):
            line = w.sets[outcome.set + mine * outcome.helps[1] + theirs]
            for k in range(2, 4):
                reach(w, line[k], outcome.low - one.span[mine], outcome.high + two.span[theirs])


# ---------------------------------------------------------------- whole combats


@entry
def explore(s, t, stream, w, seats, duel, start):  # type: ignore[no-untyped-def]
    """Find all that a combat can come to; returns how many states there are in all.

    `start`: the range to begin at, without effects before combat; -1 as the rules have it."""
    arm(s, t, seats, duel)
    begin(s, t, stream)
    set_out(s, t, w, start)
    states, solver, visited = 1, w.solver, 0
    for rank in range(RANK_SLOTS, len(w.slots)):
        i = w.slots[rank]
        while i >= 0 and solver.full == 0:
            b = w.block[i]
            b.start, solver.block, b.first = states, i, solver.plans if b.phase == CARDS else solver.edges
            w.block[visited].order = i
            visited += 1
            states += (b.high - b.low + 1) * solver.tall[0] * solver.tall[1]
            if b.phase == BEFORE:
                expand_before(s, t, w, i)
            elif not place(s, t, w, i, 1, 1):
                if b.phase == CARDS:
                    expand_cards(s, t, w, i)
                elif b.phase == ENDING:
                    expand_ending(s, t, w, i)
                elif b.phase != DONE:
                    expand_held(s, t, w, i)
            b.stop = solver.plans if b.phase == CARDS else solver.edges
            i = b.after
    measure(w)
    return states


@kernel
def set_out(s, t, w, start):  # type: ignore[no-untyped-def]
    """Find the first block."""
    solver = w.solver
    for x in range(2):
        solver.tall[x] = max(s.fighter[x].top, s.fighter[x].health) + 1
        if s.fighter[x].lasting & s.fighter[x].healers != 0:
            solver.mixed = 1
    solver.tracked = 1 - s.ferocious
    for x in range(2):
        happen(s, t, None, x, START)
    if start >= 0:
        s.wanted[0], s.wanted[1] = 0, 0
        stand_at(s, start)
        begin_clashes(s, t, w)
    elif s.fighter[0].before.rows > 0 or s.fighter[1].before.rows > 0:
        block_of(s, t, w, 0, BEFORE, 0)
    else:
        begin_clashes(s, t, w)
    solver.root, solver.roots[0], solver.roots[1] = lead_of(s, w), s.side[0].health, s.side[1].health
    reach(w, 0, solver.root, solver.root)


@kernel
def measure(w):  # type: ignore[no-untyped-def]
    """Note how much room each outcome needs."""
    solver = w.solver
    for i in range(solver.outcomes):
        outcome = w.outcome[i]
        leads = outcome.high - outcome.low + 1 + spread(w, outcome, 0) + spread(w, outcome, 1)
        outcome.room, outcome.heals = leads * solver.tall[0] * solver.tall[1], solver.heals
        if outcome.many > 1:
            solver.heals += outcome.room * outcome.many * 4
        for x in range(2):
            outcome.caring[x] = solver.caring
            if outcome.helps[x] > 1 and solver.fine == 1:
                solver.caring += 2 * outcome.helps[x] * HIGHEST


@kernel
def spread(w, outcome, x):  # type: ignore[no-untyped-def]
    """By how many leads side x's healing cards may move an outcome at most."""
    return w.care[outcome.care[x]].span[outcome.helps[x] - 1]


@entry
def judge(s, t, w, ends, gains):  # type: ignore[no-untyped-def]
    """Note which states are ends, and what each comes to. ends: int8[states]; gains: float64[states, GAINS], filled
    where what is left over has a price."""
    solver = w.solver
    for i in range(solver.many):
        b = w.block[i]
        if b.phase == BEFORE:
            continue
        load(s, t, b)
        for mine in range(solver.tall[0]):
            for theirs in range(solver.tall[1]):
                put(s, w, b.low, mine, theirs)
                if b.phase == DONE or is_down(s, t, 0) or is_down(s, t, 1):
                    for lead in range(b.low, b.high + 1):
                        if solver.priced == 1:
                            load(s, t, b)
                        put(s, w, lead, mine, theirs)
                        at = state_at(w, i, lead, mine, theirs)
                        ends[at] = end_of(s, t, b)
                        if solver.priced == 1:
                            count_gains(s, t, gains[at])


@kernel
def end_of(s, t, b):  # type: ignore[no-untyped-def]
    """What the combat has come to, in a state that is an end."""
    s.over, s.winner = 0, -1
    if b.phase == DONE and b.turn == 1:
        s.over, s.ending = 1, TRADED
    else:
        fall_by_effects(s, t)
    if s.over == 0:
        judge_dominance(s, t)
    return WON if s.winner == 0 else (LOST if s.winner == 1 else DRAWN)


@kernel
def count_gains(s, t, gains):  # type: ignore[no-untyped-def]
    """What is left over and gained, in the order of GAINS."""
    side = s.side[0]
    side.reputation, side.green, side.yellow, side.red = 0, 0, 0, 0
    end_combat(s, t, None)
    gains[0], gains[1], gains[2], gains[3] = side.health, s.side[1].health, side.ammo, side.fuel
    gains[4], gains[5], gains[6], gains[7] = side.reputation, side.green, side.yellow, side.red
