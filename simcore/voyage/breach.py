"""Breach, sunk ships and the Stranded Area."""

from __future__ import annotations

from simcore.journal import note
from simcore.kernels import index, kernel
from simcore.voyage.base import eliminate, hit_vehicle
from simcore.voyage.state import NONE
from simcore.voyage.tables import RULINGS
from simcore.voyage.tell import BREACHED, SINKS, STRANDED

CUTTER_RETURNS = RULINGS["sunk_cutter"].index("returns")
WHEN_SUNK = RULINGS["elimination"].index("when_sunk")


@kernel
def breach(s, t, journal, k, many):  # type: ignore[no-untyped-def]
    """The knight's ship suffers Breach, in a cruise or outside of one (V5-53); as much as its Hull sinks it (V1L-19).
    It is never taken off again (V1L-22)."""
    knight = s.knight[k]
    if knight.ship == NONE or many <= 0:
        return
    many = min(many, knight.hull - knight.breach)
    knight.breach += many
    knight.suffered += many
    s.suffered[index(knight.ship)] += many
    note(journal, BREACHED, k, many, knight.breach, knight.hull)
    if knight.breach >= knight.hull:
        sink(s, t, journal, k)


@kernel
def sink(s, t, journal, k):  # type: ignore[no-untyped-def]
    """The ship is out of the game, the vehicle Wrecked and the knight Stranded (V1L-19); unconscious, he is eliminated
    at that moment (V1L-21, V4-60). A Cutter leaves the game like any other ship, or (ruling) comes back (V4-58)."""
    knight, ship = s.knight[k], s.knight[k].ship
    returns = ship == t.ships and t.ruling.sunk_cutter == CUTTER_RETURNS
    note(journal, SINKS, k, ship, int(returns))
    knight.sunk += 1
    s.sunk[ship] += 1
    knight.ship, knight.breach, knight.hull = NONE, 0, 0
    if returns:
        s.cutter[s.stack], s.pile[s.stack] = 0, knight.back
        s.stack += 1
    elif ship != t.ships:
        s.lost |= 1 << ship
    chassis = t.vehicle[knight.vehicle].chassis
    if knight.damage < chassis:
        hit_vehicle(s, t, journal, k, chassis)
    s.sank = 1
    strand(s, t, journal, k)
    if knight.down == 1 and t.ruling.elimination == WHEN_SUNK and knight.out == 0:
        eliminate(s, journal, k)


@kernel
def strand(s, t, journal, k):  # type: ignore[no-untyped-def]
    """The knight is Stranded: his turn ends, and he is neither in Australia nor at a destination. A ship that still
    floats stays with him (V1L-20, V5-26, V5-27)."""
    knight = s.knight[k]
    if knight.stranded == 1 or knight.out == 1:
        return
    if s.at_sea == 0:
        knight.goal = knight.port
    knight.stranded, s.ended = 1, 1
    knight.strandings += 1
    note(journal, STRANDED, k, knight.goal)
