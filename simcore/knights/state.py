"""A combat of Waste Knights as one record. Side 0 is the active knight, side 1 his opponent."""

from __future__ import annotations

import numpy as np

from simcore.kernels import record
from simcore.knights.tables import EFFECT, HANDS, KITS

I = np.int64  # noqa: E741

CLASHES, RANGES = 4, 3
PLACES = CLASHES * RANGES
"""Numbers that may hang on clash and range are kept by place = min(clash, 3) * 3 + range."""

MODES, BEFORES, HELD, USED = 8, 24, 24, 24
SUPPLIES, OPTIONS = 16, 32
"""What a side can pay: bits for the Ammo of an Attack, of a Multi-attack, and for the Fuel of each hand."""

ATTACK, MULTI, PREPARE, CHANGE, DEFEND, NO_CARD = 1, 2, 3, 4, 5, 0
ADVANCE, RETREAT = 1, 2
"""The five combat cards, and the two ways to change range (K1F-03, K1F-08, K1F-09)."""

PLAIN, SALVO, READY = 0, 1, 2
"""Kinds of attack: Attack, Multi-attack, and Attack after Prepare."""

BLOWS_ENDED, DOMINANCE_ENDED, EFFECT_ENDED, BOTH_DOWN, MARKER_ON_ZERO, FEROCIOUS_STAND, TRADED = range(6, 13)
"""How a combat ends, after the standard endings of simcore.game."""

MODE = record(
    ("icon", I), ("ranged", I), ("ammo", I), ("fuel", I), ("weapon", I), ("hand", I), ("rank", I, RANGES), ("dice", I, PLACES),
    ("damage", I, PLACES), ("piercing", I, PLACES), ("multi", I, PLACES), ("bulls_eye", I, PLACES),
)  # fmt: skip
"""One weapon (or -1 for an enemy) with one of its icons, everything that stands folded in. rank -1: not here."""

KIT = record(
    ("weapons", I), ("weapon", I, HANDS), ("body", I), ("modes", I), ("mode", MODE, MODES), ("armor", I, (PLACES, 2)),
    ("foe_dice", I, (PLACES, 2)), ("foe_damage", I, (PLACES, 2)), ("foe_armor", I, (PLACES, 2)),
    ("usable", I, (PLACES, SUPPLIES, 2)),
)  # fmt: skip
"""A load-out. `armor` and what it does to the opponent by (place, attack is ranged); `usable`: bits of the
modes that can make an Attack, and a Multi-attack."""

FIGHTER = record(
    ("knight", I), ("role", I), ("bot", I), ("ferocious", I), ("health", I), ("top", I), ("stride", I), ("moments", I),
    ("kits", I), ("kit", KIT, KITS), ("befores", I), ("before", EFFECT, BEFORES), ("before_source", I, BEFORES),
    ("helds", I), ("held", EFFECT, HELD), ("held_source", I, HELD), ("brings", I),
    ("healers", I),
)  # fmt: skip
"""Who fights, as long as his gear stays: Health at the start and at most, load-outs, effects to use; `moments`: bits of when,
`brings`: bits of what held cards bring (HEALS, LOADS, CLEANS, OTHER)."""

HEALS, LOADS, CLEANS, OTHER = 1, 2, 4, 8

SIDE = record(
    ("health", I), ("ammo", I), ("fuel", I), ("radiation", I), ("wound", I), ("kit", I), ("card", I), ("way", I),
    ("mode", I), ("open", I), ("fuelled", I), ("supply", I), ("gained", I), ("stride", I), ("spent", I), ("discarded", I),
    ("used", I), ("effect", EFFECT, USED),
    ("health_lost", I), ("other_lost", I), ("healed", I), ("ammo_spent", I), ("fuel_spent", I), ("vehicle", I),
    ("reputation", I), ("green", I), ("yellow", I), ("red", I), ("stopped", I), ("attacks", I), ("hits", I),
    ("beat", I), ("played", I, 8),
)  # fmt: skip
"""What changes in a combat. `open`: Prepare lies open; `spent`: bits
of the sources used; `gained`: dominance from losses."""

MEMORIES, CARDS = 8192, 5
MEMORY = record(("situation", I), ("options", I), ("option", I, CARDS), ("value", I, CARDS))
"""What a bot thought of its cards in a situation, so that it need not think again; see `bots.recall`."""

PROMISES = (2, KITS, KITS, PLACES, MODES, 9)

FIGHT = record(
    ("duel", I), ("clash", I), ("range", I), ("place", I), ("start_range", I), ("wanted", I, 2), ("marker", I), ("over", I),
    ("ending", I), ("winner", I), ("overflow", I), ("rounds", I), ("fighter", FIGHTER, 2), ("side", SIDE, 2),
    ("options", I), ("option", I, OPTIONS), ("value", I, OPTIONS), ("threat", I, 3), ("danger", I, 3), ("edge", I, RANGES),
    ("steady", I), ("scratch", I, (2, MODES, 9)), ("key", np.uint64, 3), ("memory", MEMORY, MEMORIES),
    ("promise", I, PROMISES),
)  # fmt: skip
"""`marker`: dominance, to side 0 if positive, unbounded (K1F-15). `promise` remembers, for bots, what
each mode's attack promises by load-outs, place and kind * 3 + penalty (`checks.prospect`), UNKNOWN in its first number
where it wasn't asked; it serves while `steady`: no effect that was used and no Radiation has changed attacks."""

UNKNOWN = -1
