"""Situations of a combat: what of the present can still change its outcome, as numbers to look it up by.

Used cards without a lasting effect are the same as those that can't be used again; in the last clash Ammo and Fuel
beyond what an attack takes are nothing, and after it all but Health, Radiation and gear (where nothing left over has a
price). Health and the marker come on top: a blow moves the marker by the Health that it takes, so that the lead =
marker - Health of side 0 + Health of side 1 stays (K1F-06).
"""

from __future__ import annotations

import numpy as np

from simcore.kernels import kernel, record
from simcore.knights.state import ATTACK, CHANGE, DEFEND, MODES, MULTI, SOURCES
from simcore.streams import upper_bits, word

BEFORE, ENDING, HELD, HELD_TOO, CARDS, DONE = range(6)
"""Where a situation stands in a clash: effects before combat; effects of the last clash's end; held cards of side 0,
of side 1; the cards of the clash; the combat's end."""

PAGE = record(("key", np.uint64), ("pick", np.int64))
"""One entry of a book: how to decide in one situation. `pick`: an identity, or MIXED, and then the entries of
`word(key, identity + 1)` hold how far up each goes, of 2^53."""

MIXED, UNWRITTEN = -2, -3

BOOK_PAGES = 1 << 24
BOOK = record(("pages", np.int64), ("page", PAGE, BOOK_PAGES))
"""A book: a hash table of its first `pages` entries, a power of two; what isn't written takes no memory. A record and
no array, as kernels would count who holds an array."""


@kernel
def trim(s, t, x, clash, phase, priced):  # type: ignore[no-untyped-def]
    """Note in `now` what still counts of side x. `priced`: 1 if what is left over has a price."""
    side, fighter, now = s.side[x], s.fighter[x], s.now[x]
    dials, last = now.dials, clash >= t.combat.clashes - 1
    now.open, now.kit, now.fuelled = side.open, side.kit, side.fuelled
    dials.ammo, dials.fuel, dials.radiation = side.ammo, side.fuel, side.radiation
    dials.spent = side.spent | fighter.aside
    if phase != BEFORE:
        dials.spent |= fighter.idle
    if last and phase >= CARDS:
        dials.spent |= fighter.late
        if priced == 0:
            dials.ammo = min(side.ammo, max(t.combat.attack_ammo, t.combat.multi_ammo))
            now.fuelled = side.fuelled if side.fuel == 0 else 0
            dials.fuel = min(side.fuel, 1)
    if clash == t.combat.clashes:
        now.open, dials.spent = 0, 0
        if priced == 0:
            dials.ammo, dials.fuel, now.fuelled = 0, 0, 0
        if phase == DONE:
            now.kit = 0 if priced == 0 else side.kit


@kernel
def pack_side(now):  # type: ignore[no-untyped-def]
    """What counts of a side, but for fuelled weapons, as one number of 28 bits."""
    dials = (now.dials.ammo * 16 + now.dials.fuel) * 16 + now.dials.radiation
    return ((dials * 2 + now.open) * 8 + now.kit) * (1 << SOURCES) + now.dials.spent


@kernel
def pack_place(s, clash, phase, turn):  # type: ignore[no-untyped-def]
    """Clash, phase, turn, range and ranges wanted as one number of 14 bits."""
    place = ((clash * 8 + phase) * 4 + turn) * 4 + (0 if phase == DONE else s.range)
    return place * 16 + (s.wanted[0] * 4 + s.wanted[1] if phase == BEFORE else 0)


@kernel
def tag_of(head, tail, fuelled, other):  # type: ignore[no-untyped-def]
    """A situation without Health and lead as one word. head: place << 28 + side 0; tail: side 1; fuelled weapons."""
    return word(word(word(head, tail), fuelled), other)


# ---------------------------------------------------------------- a book of what was solved


@kernel
def turn_to(s, t, phase, turn):  # type: ignore[no-untyped-def]
    """Note the present situation: `tag`, and with Health and lead `page`."""
    for x in range(2):
        trim(s, t, x, s.clash, phase, 0)
    one, two = s.now[0], s.now[1]
    head = (pack_place(s, s.clash, phase, turn) << 28) + pack_side(one)
    s.tag = seal(s, tag_of(head, pack_side(two), one.fuelled, two.fuelled))
    s.page = page_of(s.tag, lead_now(s, 0), s.side[0].health, s.side[1].health)


@kernel
def seal(s, tag):  # type: ignore[no-untyped-def]
    """A situation's word made that of these two fighters, as a book holds several lineups."""
    return word(tag, s.fighter[0].role * 128 + s.fighter[1].role)


@kernel
def lead_now(s, struck):  # type: ignore[no-untyped-def]
    """The lead of side 0; struck: 1 to count what blows of this clash have brought."""
    if s.ferocious == 1:
        return 0
    gained = (s.side[0].gained - s.side[1].gained) * struck
    return s.marker + gained - s.side[0].health + s.side[1].health


@kernel
def page_of(tag, lead, mine, theirs):  # type: ignore[no-untyped-def]
    """The word of a state: a situation with Health and lead."""
    return word(word(tag, lead + 1024), mine * 32 + theirs)


@kernel
def choice_of(pair, level, ways, modes):  # type: ignore[no-untyped-def]
    """A choice after the reveal as a number: both cards, which choice, what was chosen before it (0 where nothing was).

    pair: of cards; level: as in `tree.LEVELS`; ways, modes: of both sides as numbers (way * 8 + way, the same)."""
    return 2 + ((pair * 8 + level) * 64 + ways) * 128 + modes


@kernel
def way_taken(side, kits):  # type: ignore[no-untyped-def]
    """Which of its ways a side has taken: direction or load-out, from 0."""
    if side.card == CHANGE:
        return side.way - 1
    return side.kit if side.card == DEFEND and kits > 1 else 0


@kernel
def choice_now(s, t, level):  # type: ignore[no-untyped-def]
    """`choice_of` at a level, in the fight at hand: what the side that chooses may know."""
    pair = (s.side[0].card - 1) * 5 + s.side[1].card - 1
    ways = way_taken(s.side[0], s.fighter[0].kits) * 8 if level > 1 or (level == 1 and not at_once(s, t, 0)) else 0
    ways += way_taken(s.side[1], s.fighter[1].kits) if level > 1 else 0
    named = level > 3 or (level == 3 and not at_once(s, t, 2))
    modes = (s.side[0].mode + 1) * 9 if named and strikes(s.side[0]) else 0
    modes += s.side[1].mode + 1 if level > 3 and strikes(s.side[1]) else 0
    return choice_of(pair, level, ways, modes)


@kernel
def at_once(s, t, level):  # type: ignore[no-untyped-def]
    """Whether both sides choose at the same time, by the ruling: directions (level 0), or weapons and icons (level 2).

    Gear taken with Defend is no such choice: it is changed openly, in turn (K5-62)."""
    if t.ruling.choices_after_reveal == 0:
        return False
    one, two = s.side[0], s.side[1]
    return one.card == CHANGE and two.card == CHANGE if level == 0 else strikes(one) and strikes(two)


@kernel
def strikes(side):  # type: ignore[no-untyped-def]
    """Whether a side has shown an attack."""
    return side.card == ATTACK or side.card == MULTI


@kernel
def read(book, key):  # type: ignore[no-untyped-def]
    """What a book says of a situation; UNWRITTEN if nothing."""
    last = np.uint64(book.pages - 1)
    at = np.uint64(key) & last
    while book.page[at].key != 0:
        if book.page[at].key == key:
            return book.page[at].pick
        at = (at + np.uint64(1)) & last
    return np.int64(UNWRITTEN)


@kernel
def read_card(s, book, x, chance):  # type: ignore[no-untyped-def]
    """The card of side x by the book, drawn by the word `chance` where several are played."""
    pick = read_drawn(book, word(s.page, x), chance)
    if pick == UNWRITTEN:
        s.overflow = 1
        return np.int64(CHANGE)
    return pick


@kernel
def read_drawn(book, key, chance):  # type: ignore[no-untyped-def]
    """What a book says of a choice, drawn by the word `chance` where several are picked; UNWRITTEN if nothing."""
    pick = read(book, key)
    if pick != MIXED:
        return pick
    bits, found = upper_bits(chance, 53), 0
    for identity in range(MODES):
        up_to = read(book, word(key, identity + 1))
        if up_to != UNWRITTEN:
            found = identity
            if bits < up_to:
                break
    return np.int64(found)


@kernel
def read_heal(s, t, book, x, after):  # type: ignore[no-untyped-def]
    """The healing card that side x uses by the book, as its source + 1, or 0 to keep all. after: 1 after the blow."""
    used = (s.side[0].spent & s.fighter[0].healers) << SOURCES | (s.side[1].spent & s.fighter[1].healers)
    tag = word(word(s.tag, choice_now(s, t, 4)), (used * 2 + x) * 2 + after)
    return max(0, read(book, page_of(tag, lead_now(s, 1), s.side[0].health, s.side[1].health)))
