"""What can be told of the voyage in closed form: Breach by the faces of the sea dice, ships that sink in the end as
their Breach stays, and the threat tokens that come out of the bag. Each beside what is sailed and drawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from simcore.game import Tables, find_game, play, seats_dtype
from simcore.kernels import blank, entry
from simcore.streams import DECK, DICE, STREAM, at, root, word
from simcore.voyage.challenge import draw_token
from simcore.voyage.setup import BAG, NORMAL_MODE, VERY_EASY, VERY_HARD, fill_bag
from simcore.voyage.state import STATE
from simcore.voyage.tables import BAG_BASE, BAG_EASY, BAG_HARD, FACE, TERM

Chances = npt.NDArray[np.float64]
Law = tuple[str, str, Chances, npt.NDArray[np.int64]]
"""Kind, what it is about, chances, and how often each came out."""

STEADY, CRUISES = TERM["steady"], 4
MODES = ("very easy", "easy", "normal", "hard", "very hard")


def closed_forms(tables: Tables, draws: int, seed: int) -> Iterator[Law]:
    """Every closed form of a pack, beside counts of so many cruises or draws each: Breach of each ship along each route
    by its dice, the Breach that each ship bears after some cruises along the longest, and the first two threat tokens
    of each mode of difficulty."""
    plain, routes = by_dice_alone(tables), int(tables.data.routes)
    longest = max(range(routes), key=lambda r: int(plain.data.route[r].dice))
    ships, ways = ([role.title for role in tables.roles[side]] for side in ("ships", "routes"))
    for ship, title in enumerate(ships):
        for r in range(routes):
            counts = np.bincount(sail_often(plain, ship, r, 0, root(seed, ship * 100 + r), draws))
            law = breach_law(plain.data, r, ship)
            yield "Breach", f"{title}, {ways[r]}", law, filled(counts, law)
        law = breach_after(plain.data, longest, ship, CRUISES)[-1]
        counts = np.bincount(sail_on(plain, ship, longest, CRUISES, root(seed, 10_000 + ship), draws)[-1])
        yield "sinking", f"{title}, {ways[longest]} {CRUISES} times", law, filled(counts, law)
    for mode, name in enumerate(MODES if tables.data.rules.bag > 1 else ()):
        pairs = draw_tokens(tables.data, mode, 2, root(seed, 20_000 + mode), draws)
        counts = np.zeros((int(tables.data.tokens),) * 2, np.int64)
        np.add.at(counts, (pairs[:, 0], pairs[:, 1]), 1)
        yield "threat token", f"the first two, {name}", pair_law(tables.data, mode), counts


def filled(counts: Any, law: Chances) -> npt.NDArray[np.int64]:
    """Counts at the length of a law."""
    return np.pad(counts, (0, len(law) - len(counts))).astype(np.int64)


# ---------------------------------------------------------------- Breach


def by_dice_alone(tables: Tables) -> Tables:
    """The same tables on a sea where nothing but its dice does anything: no cards, Water, tokens and further icons, and
    vehicles that every ship carries."""
    data = np.array([tables.data])[0]
    data.table.cards, data.table.water, data.table.difficulty, data.bag[:] = 0, 0, NORMAL_MODE, 0
    for icon in ("radiation", "contamination", "threat"):
        data.route[icon] = 0
    data.vehicle["type"] = 0
    data.gear["term"][:, STEADY] = data.knight["term"][:, STEADY] = 0
    return Tables(data, tables.roles, tables.bots, tables.titles)


def breach_law(t: Any, route: int, ship: int, borne: int = 0) -> Chances:
    """The law of the Breach that a ship suffers from the dice of a route (float64[0..Hull - borne]): the faces of the
    dice convolved, less what a steady ship is spared, and no more than it can take (V1L-06, V1L-19)."""
    law = np.ones(1)
    for i in range(int(t.route[route].dice)):
        faces = t.face[i % int(t.sides)]
        die = [np.isin(faces, (FACE["breach"], FACE["double_breach"]), invert=True).mean()]
        law = np.convolve(law, [*die, (faces == FACE["breach"]).mean(), (faces == FACE["double_breach"]).mean()])
    spared, most = max(0, int(t.ship[ship].term[STEADY])), int(t.ship[ship].hull) - borne
    found = np.zeros(most + 1)
    np.add.at(found, np.clip(np.arange(len(law)) - spared, 0, most), law)
    return found


def breach_after(t: Any, route: int, ship: int, cruises: int) -> Chances:
    """The law of the Breach that a ship bears after each of so many cruises, as it is never taken off (V1L-22): a
    Markov chain that ends once the ship is sunk (float64[cruises + 1, Hull + 1]; the last column: sunk)."""
    hull = int(t.ship[ship].hull)
    step = np.zeros((hull + 1, hull + 1))
    step[hull, hull] = 1
    for borne in range(hull):
        step[borne, borne:] = breach_law(t, route, ship, borne)
    found = np.zeros((cruises + 1, hull + 1))
    found[0, 0] = 1
    for n in range(cruises):
        found[n + 1] = found[n] @ step
    return found


def sail_often(tables: Tables, ship: int, route: int, borne: int, key: int, many: int) -> npt.NDArray[np.int64]:
    """The Breach that a ship suffers in each of so many cruises, if it bears some as it leaves (int64[many])."""
    game = find_game("voyage.cruise")
    data = np.array([tables.data])[0]
    data.table.breach = borne
    seats = blank(seats_dtype(game.players), 1)
    seats[0].role[:], seats[0].member[:] = (ship, route), (0, 1)
    return np.array(play(game, Tables(data, tables.roles, tables.bots), seats, key, 0, many)["breach"])


def sail_on(tables: Tables, ship: int, route: int, cruises: int, key: int, many: int) -> npt.NDArray[np.int64]:
    """The Breach that each of so many ships bears after each cruise (int64[cruises + 1, many]): those afloat sail on
    with what they bear."""
    hull = int(tables.data.ship[ship].hull)
    bears = np.zeros((cruises + 1, many), np.int64)
    for n in range(cruises):
        bears[n + 1] = bears[n]
        for borne in np.unique(bears[n][bears[n] < hull]).tolist():
            those = np.flatnonzero(bears[n] == borne)
            suffered = sail_often(tables, ship, route, borne, root(key, n * 100 + borne), len(those))
            bears[n + 1, those] += suffered
    return bears


# ---------------------------------------------------------------- threat tokens


def pair_law(t: Any, mode: int) -> Chances:
    """The chance of each pair of the first two threat tokens (float64[tokens, tokens]), of which none is laid back: in
    the middle modes all of some kinds are in the bag, in the outer ones some random base tokens are not (V1M-21)."""
    kind = np.array([kind_of(t, token) for token in range(int(t.tokens))])
    base, own = int((kind == BAG_BASE).sum()), BAG_EASY if mode < NORMAL_MODE else BAG_HARD
    kept = base - int(t.rules.swap) * (mode in (VERY_EASY, VERY_HARD))
    there = {BAG_BASE: kept} | ({own: int((kind == own).sum())} if mode != NORMAL_MODE else {})
    size = sum(there.values())
    one = np.array([1.0 if of == own and of in there else kept / base if of == BAG_BASE else 0.0 for of in kind])
    both = np.outer(one, one)
    two_base = np.outer(kind == BAG_BASE, kind == BAG_BASE)
    both[two_base] = kept * (kept - 1) / (base * (base - 1))
    np.fill_diagonal(both, 0)
    return np.asarray(both / (size * (size - 1)))


def kind_of(t: Any, token: int) -> int:
    """Whether a token is a base, an easy or a hard one."""
    return next(kind for kind in range(len(t.bag)) if int(t.bag[kind]) >> token & 1)


def draw_tokens(t: Any, mode: int, many: int, key: int, games: int) -> npt.NDArray[np.int64]:
    """The first threat tokens of so many games in a mode of difficulty (int64[games, many])."""
    found, data = np.zeros((games, many), np.int64), np.array([t])[0]
    data.table.difficulty = mode
    draw_bags(data, np.uint64(key), found)
    return found


@entry
def draw_bags(t, key, found):  # type: ignore[no-untyped-def]
    """Fill the bag for each row, and draw as many tokens as it has columns."""
    memory, streams = np.zeros(1, STATE), np.zeros(1, STREAM)
    for game in range(len(found)):
        s = memory[0]
        streams[0].game = word(key, game)
        fill_bag(s, t, at(streams[0], DECK, BAG))
        s.key, s.tokens, s.knight[0].tokens = at(streams[0], DICE, 0), 0, 0
        for i in range(found.shape[1]):
            found[game, i] = draw_token(s, 0)
