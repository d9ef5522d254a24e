"""A combat of Waste Knights as one record. Side 0 is the active knight, side 1 his opponent."""

from __future__ import annotations

import numpy as np

from simcore.kernels import record
from simcore.knights.tables import ACTS, EFFECT, HANDS, KITS

I = np.int64  # noqa: E741

CLASHES, RANGES = 4, 3
PLACES = CLASHES * RANGES
"""Numbers that may hang on clash and range are kept by place = min(clash, 3) * 3 + range."""

BY_BOOK = 2

MODES, USES, SOURCES, USED = 8, 48, 12, 48
SUPPLIES, OPTIONS = 16, 32
"""What a side can pay: bits for the Ammo of an Attack, of a Multi-attack, and for the Fuel of each hand."""

ATTACK, MULTI, PREPARE, CHANGE, DEFEND, NO_CARD = 1, 2, 3, 4, 5, 0
ADVANCE, RETREAT = 1, 2
"""The five combat cards, and the two ways to change range (K1F-03, K1F-08, K1F-09)."""

NO_MODE = -1
"""The mode of a side that doesn't attack, or can't (K4-28)."""

PLAIN, SALVO, READY = 0, 1, 2
"""Kinds of attack: Attack, Multi-attack, and Attack after Prepare."""

BLOWS_ENDED, DOMINANCE_ENDED, EFFECT_ENDED, BOTH_DOWN, MARKER_ON_ZERO, FEROCIOUS_STAND, TRADED = range(6, 13)
"""How a combat ends, after the standard endings of simcore.game."""

BLOW = record(("rank", I), ("dice", I, ACTS), ("damage", I), ("piercing", I), ("multi", I), ("bulls_eye", I))
MODE = record(
    ("icon", I), ("ranged", I), ("ammo", I), ("fuel", I), ("weapon", I), ("hand", I), ("at", BLOW, PLACES),
)  # fmt: skip
"""One weapon (or -1 for an enemy) with one of its icons, and all that stands folded in by place. rank -1: not here;
`dice` by act, as in `checks.attack_dice`."""

GUARD = record(("armor", I), ("foe_dice", I), ("foe_damage", I), ("foe_armor", I))
PLAYABLE = record(("usable", I, 2), ("cards", I))
KIT = record(
    ("weapons", I), ("weapon", I, HANDS), ("body", I), ("modes", I), ("mode", MODE, MODES),
    ("guard", GUARD, (PLACES, 2)), ("hand", PLAYABLE, (PLACES, SUPPLIES)),
)  # fmt: skip
"""A load-out. `guard`: its armor and what it does to the opponent by (place, attack is ranged); `hand`: bits of the
modes that can make an Attack, and a Multi-attack, and of the combat cards that its side may play."""

CHOICES = record(("rows", I), ("row", EFFECT, USES), ("source", I, USES))
"""Effects that their owner may use; the rows of one source stand together, and are used together."""

FIGHTER = record(
    ("health", I), ("ammo", I), ("fuel", I), ("radiation", I), ("stride", I), ("supply", I), ("wound", I),
    ("knight", I), ("role", I), ("bot", I), ("top", I), ("moments", I), ("weighs", I),
    ("healers", I), ("loaders", I), ("cleaners", I), ("early", I), ("once", I), ("first", I, SOURCES),
    ("idle", I), ("late", I), ("lasting", I),
    ("kits", I), ("kit", KIT, KITS), ("before", CHOICES), ("held", CHOICES), ("around", CHOICES), ("lucky", I),
    ("answers", I), ("aside", I),
)  # fmt: skip
"""Who fights, as long as his gear stays: what he starts with (`top`: most Health), load-outs, effects to use;
`moments`: bits of when, `weighs`: 1 if his bot looks at features, BY_BOOK if it plays what was solved; `healers` to
`cleaners`: bits of the sources of held cards that bring him Health, Ammo, less Radiation, `early` of those that can be
used as a clash starts (all that don't heal), `once` of those that are used up, and the `first` row of each. Bits of
sources, too: `lasting`: what holds until the combat ends; `idle`, `late`: what leaves nothing behind once it can't be
used any more, before combat, or as a clash starts. Luck cards: `around`: what they do to one attack check; bits of
sources: `lucky` of all of them, `answers` of those played in reply, `aside` of both, which no
solved play knows."""

SIDE = record(
    ("card", I), ("way", I), ("act", I), ("mode", I), ("gained", I),
    ("health", I), ("ammo", I), ("fuel", I), ("radiation", I), ("stride", I), ("supply", I),
    ("kit", I), ("open", I), ("fuelled", I), ("spent", I), ("used", I),
    ("health_lost", I), ("other_lost", I), ("healed", I), ("ammo_spent", I), ("fuel_spent", I), ("discarded", I),
    ("vehicle", I), ("stopped", I), ("reputation", I), ("green", I), ("yellow", I), ("red", I), ("attacks", I),
    ("hits", I), ("beat", I), ("played", I, 8), ("effect", EFFECT, USED),
)  # fmt: skip
"""What changes in a combat. `open`: Prepare lies open; `spent`: bits
of the sources used; `gained`: dominance from losses."""

DIALS = record(("ammo", I), ("fuel", I), ("radiation", I), ("spent", I))
NOW = record(("open", I), ("kit", I), ("fuelled", I), ("dials", DIALS))
"""What still counts of a side (`situations.trim`): all but Health that what is to come may depend on."""

MEMORIES = 5003
MEMORY = record(("situation", I), ("value", I, MODES))
"""What a bot thought of its options in a situation, in their order, so that it need not think again (`bots.recall`)."""

MOODS = 8

FIGHT = record(
    ("duel", I), ("ferocious", I), ("clash", I), ("range", I), ("place", I), ("start_range", I), ("wanted", I, 2),
    ("marker", I),
    ("over", I), ("ending", I), ("winner", I), ("overflow", I), ("crowded", I), ("rounds", I), ("fighter", FIGHTER, 2),
    ("side", SIDE, 2),
    ("options", I), ("option", I, OPTIONS), ("value", I, OPTIONS), ("threat", I, 3), ("danger", I, 3),
    ("edge", I, RANGES), ("used", I), ("terms", np.uint64), ("mood", I), ("moods", I), ("mood_tag", np.uint64, MOODS),
    ("now", NOW, 2), ("tag", np.uint64), ("page", np.uint64), ("passes", I), ("around", I), ("again", I), ("shown", I),
    ("key", np.uint64, 3), ("foreseen", I, (MOODS, 2, KITS, KITS)), ("scratch", I, (2, MODES, ACTS)),
    ("memory", MEMORY, MEMORIES), ("promise", I, (MOODS, 2, KITS, KITS, PLACES, MODES, ACTS)),
)  # fmt: skip
"""`ferocious`: 1 if one of the two is, so that there is no dominance; `marker`: dominance, to side 0 if positive,
unbounded (K1F-15); `crowded`: 1 if what both bring outgrew a capacity before the combat; `used`: how many attack
terms were used, `terms` a hash of them. `mood` numbers all that changes what attacks and ranges are worth, from 0 as
a combat starts, UNKNOWN if that makes too many (`gear.feel`). `promise` remembers, for bots, what each mode's attack
promises by mood, load-outs, place and kind * 3 + penalty (`checks.prospect`); `foreseen`: bits of the places where it
was asked. `now`, `tag` and `page`: the present situation for what was solved (`situations`); `passes`: how many in a
row before combat; `around`: 1 if anybody has luck cards for attack checks, 2 while such a one is in force; `again`: 1
if the check is to be rolled again, `shown`: its result so far."""

UNKNOWN = -1
