"""A game of Marauders of the Great Wastelands as one record."""

from __future__ import annotations

import numpy as np

from simcore.gangs import cards, tell
from simcore.gangs.tables import SEATS, SITES, STACK, TYPES
from simcore.kernels import record
from simcore.piles import pile_dtype

I = np.int64  # noqa: E741

OPTIONS, SHOWN, DAYS, MARKET = 256, 5, 8, 8
QUEUE = cards.MAX_TIMES * cards.MAX_EFFECTS * cards.MOST
"""Capacities: options of a decision, territories in the common zone, abilities waiting, days, the market."""

NONE = -1
"""Nobody, nothing."""

STAYS = 3
"""Kept at home this hour (`sent`)."""

SLAVE, FANATIC = tell.SLAVE, tell.FANATIC
"""Fodder where a card is named; cards of the tables come before."""

PLACE = record(
    ("open", I), ("site", I), ("kind", I), ("loot", I), ("owner", I), ("cards", I), ("card", I, STACK), ("slaves", I),
    ("coloured", I), ("guard", I),
)  # fmt: skip
"""A territory of the common zone. open: 1 while it lies there; `site`: which card it is, `kind`: its type; owner: the
gang whose followers stand there, NONE if neutral; `card`: raiders and mercenaries, `coloured`: raiders among them;
`guard`: its strength in defence, slaves included."""

GANG = record(
    ("here", I), ("seat", I), ("role", I), ("bot", I), ("weighs", I), ("lair", I), ("card", I, STACK),
    ("hurt", I, STACK), ("sent", I, STACK), ("slaves", I), ("fanatics", I), ("ready", I), ("coloured", I), ("force", I),
    ("furies", I), ("grabs", I), ("strips", I), ("hand", I), ("held", I, STACK), ("deck", pile_dtype(STACK)),
    ("loot", I), ("kinds", I, TYPES), ("trophies", I), ("points", I),
    ("began", I), ("led", I, DAYS), ("seized", I), ("conquered", I), ("lost", I), ("wounded", I), ("made", I),
    ("spent", I), ("hired", I), ("destroyed", I), ("hours", I),
)  # fmt: skip
"""A gang; they stand in order round the table from the first player on, empty seats last. `card`: followers in the
lair, hurt: 1 if wounded, sent: 1 if in the squad that is being gathered, 2 if wounded for its frenzy, STAYS if it can
do neither this hour; ready, coloured, `force`: of the unwounded ones how many there are, how many of them are
raiders, their strength in an attack, and how many can go into a
frenzy; `grabs`, `strips`: the loot that their Ambushes could take or destroy; `held`:
the hand; `kinds`: territories in the trophies by type; points: so far. Then what is counted: began: 1 for the first
player of the game; led: 1 if alone in the lead after that day; territories `seized` from anyone, `conquered` from
rivals, `lost` to rivals; own followers wounded; fodder made and spent; mercenaries hired; own cards destroyed; hours
played."""

STATE = record(
    ("key", np.uint64), ("step", I), ("players", I), ("day", I), ("days", I), ("hour", I), ("hours", I),
    ("day_hours", I, DAYS), ("turn", I), ("next", I), ("overflow", I), ("capped", I), ("changes", I), ("leader", I),
    ("place", PLACE, SHOWN), ("places", I), ("sites", pile_dtype(SITES)), ("market", I), ("offer", I, MARKET),
    ("mercenaries", pile_dtype(STACK)), ("slaves", I), ("fanatics", I), ("gang", GANG, SEATS),
    ("menace", I), ("front", I), ("musters", I), ("ambushes", I), ("herding", I), ("waiting", I),
    ("queue", I, QUEUE), ("number", I), ("raiders", I), ("strength", I), ("squad_slaves", I), ("squad_fanatics", I),
    ("frenzy", I), ("fury", I), ("paid", I), ("raid", I), ("given_slaves", I), ("given_fanatics", I), ("moved", I),
    ("mover", I, STACK), ("gone", I), ("destroyed", I), ("razed", I), ("placed", I), ("tick", I),
    ("seen", I, FANATIC + 1), ("options", I), ("option", I, OPTIONS), ("value", I, OPTIONS),
)  # fmt: skip
"""`key`, `step`: for the keys of decisions; `turn`: whose hour it is (read by those who watch a game), `next`: who
begins the next day; `changes`: of the lead; `leader`: NONE while nobody leads alone; `places`: open territories;
`offer`: the market; slaves, fanatics: left in the pool (where a fodder card is both, `slaves` counts them all);
`menace`: the strongest attack that a rival could make, `front`: the rival with most points; `musters`, `ambushes`:
followers still to be summoned and squads to be sent this hour; `herding`: 1 if slaves attack; `queue`: abilities to be
resolved; then the squad: number of cards in it, raiders, `strength`, fodder, `frenzy`: strength for the next wound,
`fury`: wounds left, `paid`: wounds so far, `raid`: loot that its Ambushes take or destroy, fodder given up to frenzy;
`mover`: abilities of those who have just moved; gone: cards in the common discard pile; loot destroyed, territories
razed, loot placed; `seen`: the `tick` at which a card was last met in a list, so that copies count once."""
