"""Best play written down, for the bot `equilibrium`: an entry for each choice that isn't the first of its options.

A draw is worth half a win. A book is a hash table that the compiled combat reads by the word of its situation
(`situations`); lineups are solved as they are played, and remembered.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from simcore.game import Tables, Unsolvable, seats_dtype
from simcore.kernels import blank, entry, kernel
from simcore.knights.equilibrium import OPTIONS, Combat, Duel
from simcore.knights.situations import BOOK, BOOK_PAGES, CARDS, MIXED, choice_of, page_of, seal, tag_of
from simcore.knights.state import CHANGE, SOURCES
from simcore.knights.tree import CARD_KINDS, HEALS, LEVELS, OPEN
from simcore.packs import Itself
from simcore.streams import word

KEPT = 16
"""How many books are remembered."""

MOST_ENTRIES = BOOK_PAGES // 4 * 3
"""How many entries a book has room for: a fuller one is slow to read."""


def written(t: Any, seats: Any, duel: int) -> Any:
    """The book of some seatings, a BOOK. t: tables, which must not be changed any more; seats: as in
    `simcore.game.play`; duel: 0 or 1.

    Raises Unsolvable for a combat that the solver has no room for."""
    return _written(_print(Itself(t)), seats.tobytes(), duel)


@dataclass(frozen=True)
class Print:
    """Tables, equal where their `digest` is."""

    digest: bytes
    t: Any = field(compare=False)


@lru_cache(maxsize=KEPT)
def _print(one: Itself) -> Print:
    """Tables with their digest, made once: a book is asked for again with every block of games."""
    t: Any = one.card
    return Print(hashlib.blake2b(t.tobytes(), digest_size=16).digest(), t)


@lru_cache(maxsize=KEPT)
def _written(asked: Print, seats: bytes, duel: int) -> Any:
    return _write(asked.t, np.frombuffer(seats, seats_dtype(2)).copy(), duel)


def _write(t: Any, seats: Any, duel: int) -> Any:
    solver = Duel if duel else Combat
    combats = [solver(Tables(t, {}, ()), row) for row in seats if t.bot["solved"][row.bot].any()]
    for combat in combats:
        combat.solve()
    book = blank(BOOK)
    many = int(sum(write_all(combat.fight, combat.work, book) for combat in combats))
    if many > MOST_ENTRIES:
        raise Unsolvable(f"its best play has {many:,} entries, and a bot can hold {MOST_ENTRIES:,}")
    # half full at most, or three quarters where that is all the room there is
    book.pages = min(1 << max(2 * many - 1, 1).bit_length(), BOOK_PAGES)
    for combat in combats:
        write_all(combat.fight, combat.work, book)
    return book


@entry
def write_all(s, w, book):  # type: ignore[no-untyped-def]
    """Write what was solved of one combat; returns how many entries that takes. A book without pages only counts."""
    many, solving = 0, w.solving
    for i in range(len(w.block)):
        b = w.block[i]
        tag = seal(s, tag_of(b.head, b.tail, b.fuelled[0], b.fuelled[1]))
        if b.phase != CARDS:
            many += write_edges(w, b, tag, book)
        elif b.stop > b.first:
            for at in range((b.high - b.low + 1) * solving.area):
                if at // solving.tall[1] % solving.tall[0] > 0 and at % solving.tall[1] > 0:
                    many += write_cards(w, b, tag, at, book)
            for n in range(b.first, b.stop):
                many += write_choices(w, b, tag, n, book)
                if w.outcome[w.plan[n].outcome].many > 1:
                    many += write_healing(s, w, b, tag, n, book)
    return many


@kernel
def note(book, key, pick):  # type: ignore[no-untyped-def]
    """Write one entry, unless the book only counts; returns 1."""
    if book.pages > 0:
        last = np.uint64(book.pages - 1)
        at = np.uint64(key) & last
        while book.page[at].key != 0 and book.page[at].key != key:
            at = (at + np.uint64(1)) & last
        book.page[at].key, book.page[at].pick = key, pick
    return 1


@kernel
def page_at(w, tag, low, at):  # type: ignore[no-untyped-def]
    """The word of the `at`th state of a table whose lowest lead is `low`."""
    solving = w.solving
    return page_of(tag, low + at // solving.area, at // solving.tall[1] % solving.tall[0], at % solving.tall[1])


@kernel
def write_edges(w, b, tag, book):  # type: ignore[no-untyped-def]
    """Effects before combat, and held cards as a clash starts."""
    many, solving = 0, w.solving
    for n in range(b.first, b.stop):
        edge = w.edge[n]
        for k in range((b.high - b.low + 1) * np.int64(edge.option > 0)):
            at = (k * solving.tall[0] + edge.mine) * solving.tall[1] + edge.theirs
            if w.picks[solving.edges + b.start + at] == edge.option:
                many += note(book, word(page_at(w, tag, b.low, at), 0), edge.code)
    return many


@kernel
def write_cards(w, b, tag, at, book):  # type: ignore[no-untyped-def]
    """Both sides' cards in one state."""
    many, page, solving = 0, page_at(w, tag, b.low, at), w.solving
    for x in range(2):
        solving.match.many[x] = CARD_KINDS
        for card in range(CARD_KINDS):
            solving.names[x, card] = card + 1
        many += write_drawn(w, x, word(page, x), ((b.start + at) * 2 + x) * CARD_KINDS, book)
    return many


@kernel
def write_drawn(w, x, key, table, book):  # type: ignore[no-untyped-def]
    """A choice of side x among `solving.names` by the chances from `table` on."""
    many, solving, top = 1, w.solving, 0
    for k in range(solving.match.many[x]):
        if w.chances[table + k] > w.chances[table + top]:
            top = k
    if w.chances[table + top] == 1:
        return note(book, key, solving.names[x, top])
    note(book, key, MIXED)
    total = 0.0
    for k in range(solving.match.many[x]):
        total += w.chances[table + k]
        if w.chances[table + k] > 0:
            many += note(book, word(key, solving.names[x, k] + 1), np.int64(total * (1 << 53)))
    return many


@kernel
def write_choices(w, b, tag, n, book):  # type: ignore[no-untyped-def]
    """What is chosen after the reveal, where a plan takes another option than the first."""
    plan, many, cells, later = w.plan[n], 0, (b.high - b.low + 1) * w.solving.area, 0
    if plan.joint != OPEN:
        return write_joint(w, b, tag, n, book)
    for level in range(LEVELS - 1, -1, -1):
        if plan.at[level] > 0 and later == 0:
            ways = (plan.at[0] * 8 if level > 0 else 0) + (plan.at[1] if level > 1 else 0)
            choice = choice_of(plan.pair, level, ways, (plan.mode[0] + 1) * 9 if level > 2 else 0)
            for at in range(cells):
                if w.picks[plan.node[level] + at] == plan.at[level]:
                    many += note(book, word(page_at(w, tag, b.low, at), choice), picked(plan, level))
        later += plan.at[level]
    return many


@kernel
def picked(plan, level):  # type: ignore[no-untyped-def]
    """The identity of what a plan takes at a level: a mode, a direction or a load-out."""
    x = level & 1
    card = plan.pair // CARD_KINDS + 1 if x == 0 else plan.pair % CARD_KINDS + 1
    return plan.mode[x] if level >= 2 else plan.at[level] + np.int64(card == CHANGE)


@kernel
def write_joint(w, b, tag, n, book):  # type: ignore[no-untyped-def]
    """What both sides choose at once, from the first plan of two cards."""
    plan, many, solving = w.plan[n], 0, w.solving
    for x in range(2 * np.int64(plan.at[plan.joint] + plan.at[plan.joint + 1] == 0)):
        level = plan.joint + x
        solving.match.many[x] = plan.of[level]
        for k in range(plan.of[level]):
            solving.names[x, k] = picked(w.plan[n + k * (plan.of[plan.joint + 1] if x == 0 else 1)], level)
        choice = choice_of(plan.pair, level, 0, 0)
        for at in range((b.high - b.low + 1) * solving.area):
            if at // solving.tall[1] % solving.tall[0] > 0 and at % solving.tall[1] > 0:
                table = solving.odds + (plan.node[level] + at) * OPTIONS
                many += write_drawn(w, x, word(page_at(w, tag, b.low, at), choice), table, book)
    return many


@kernel
def write_healing(s, w, b, tag, n, book):  # type: ignore[no-untyped-def]
    """Healing cards used before and after the blows of a plan."""
    plan, many = w.plan[n], 0
    outcome = w.outcome[plan.outcome]
    ways, modes = plan.at[0] * 8 + plan.at[1], (plan.mode[0] + 1) * 9 + plan.mode[1] + 1
    tag = word(tag, choice_of(plan.pair, 4, ways, modes))
    for x in range(2):
        for which in range(2 * outcome.many * np.int64(outcome.helps[x] > 1 and outcome.strikes[1 - x] == 1)):
            after, row = which // outcome.many, which % outcome.many
            used = used_by(s, w, b, outcome, 0, row // outcome.helps[1]) << SOURCES
            used |= used_by(s, w, b, outcome, 1, row % outcome.helps[1])
            key = word(tag, (used * 2 + x) * 2 + after)
            many += write_table(w, outcome, (x, after, row), plan.arrows, key, book)
    return many


@kernel
def used_by(s, w, b, outcome, x, helps):  # type: ignore[no-untyped-def]
    """Bits of the sources of healing cards that side x has used, with a set of this clash."""
    used = b.dials[x].spent & s.fighter[x].healers
    for place in range(HEALS):
        if (helps >> place) & 1:
            used |= 1 << w.care[outcome.care[x]].source[place]
    return used


@kernel
def write_table(w, outcome, which, arrows, tag, book):  # type: ignore[no-untyped-def]
    """One table of healing: (side, 1 after the blow, sets of cards used so far)."""
    x, after, row = which
    many, solving, care = 0, w.solving, w.care[outcome.care[x]]
    helps = row // outcome.helps[1] if x == 0 else row % outcome.helps[1]
    low = outcome.low - w.care[outcome.care[0]].span[outcome.helps[0] - 1] - arrows
    picks = solving.heals + outcome.heals + ((x * 2 + after) * outcome.many + row) * outcome.room
    for at in range(outcome.room):
        pick = w.picks[picks + at]
        if pick > 0:
            health = at // solving.tall[1] % solving.tall[0] if x == 0 else at % solving.tall[1]
            for place in range(HEALS):
                pick -= np.int64(care.heal[helps, place, health] >= 0)
                if pick == 0:
                    many += note(book, page_at(w, tag, low, at), care.source[place] + 1)
                    break
    return many
