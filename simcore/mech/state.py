"""A game of The Waste of Parts as one record, and its set-up."""

from __future__ import annotations

import numpy as np

from simcore.kernels import record
from simcore.mech.cards import BOARD, ENEMY_CARDS, EVENTS_MOST, ORDERS_MOST, SALVAGE_CARDS
from simcore.mech.tables import KIND, PLACES, SEATS, TERMS
from simcore.piles import pile_dtype

I = np.int64  # noqa: E741

FLOOR, HELD, OPTIONS = 32, 6, 2048
"""Capacities: equipment on a floor, carried by one crew member, options of a decision."""

FUNCTIONAL, INOPERABLE, ON_FIRE = 0, 1, 2
"""Conditions of a room (M16-12)."""

NONE = -1
"""No card, nobody."""

JOURNEY, CLEANING, CLEARED, PREPARING, BOSS = range(5)
"""On the way to Sanctuary; after the round in which it was reached (M11-02); with no enemy left and a boss to come; the
round to prepare for it; and the fight against it (M110-01)."""

SANCTUARY, HULL_LOST, CREW_DOWN, BOSS_BEATEN = 6, 7, 8, 9
"""How a game ends, after the standard endings of simcore.game."""

CREW = record(
    ("here", I), ("seat", I), ("role", I), ("bot", I), ("weighs", I), ("room", I), ("health", I), ("top", I),
    ("attack", I), ("actions", I), ("downed", I), ("revived", I), ("slots", I), ("items", I), ("held", I, HELD),
    ("turned", I, HELD), ("kept", I, HELD), ("best", I, len(KIND)), ("ability", I), ("ability_used", I),
    ("steps", I), ("reloads", I), ("repairs", I),
    ("countered", I), ("die", I), ("came", I), ("term", I, TERMS),
    ("downs", I), ("revives", I), ("kills", I), ("dealt", I), ("hurt", I), ("mended", I), ("moved", I), ("rested", I),
)  # fmt: skip
"""A crew member; they stand in order round the table from the one who began, empty chairs last. here: 0 for an empty
chair; seat: at the table; downed, revived: 1 if so (revived: this round, M4-24); `held`: salvage cards, `turned`: 1 if
to be reloaded; `kept`: what each is worth to him, `best`: the best of each kind (effects.fold_worth); ability_used:
this round; `steps`, `reloads`, `repairs`: free ones left this round; `die`: the gambler's, 0 for none; `came`: the room
that he has just walked out of, else 0; `term`: what lasts on him, by term; then what is counted."""

ENEMY = record(("card", I), ("standee", I), ("room", I), ("health", I), ("deed", I), ("goal", I))
"""An enemy on the board. `deed`: what it is going to do (enemies.py), `goal`: where it moves."""

ROOM = record(
    ("condition", I), ("upgrade", I), ("fresh", I), ("struck", I), ("items", I), ("floor", I, FLOOR),
    ("turned", I, FLOOR), ("enemies", I), ("crew", I), ("term", I, TERMS),
)  # fmt: skip
"""A room. `fresh`: its upgrade came this round; `struck`: damage that came to it this round; `floor`, `turned`:
equipment on the floor, and whether it is to be reloaded; `enemies`, `crew`: how many stand there, without the Downed;
`term`: what lasts in it."""

MECH = record(
    ("key", np.uint64, 3), ("rounds", I), ("phase", I), ("over", I), ("ending", I), ("overflow", I), ("first", I),
    ("players", I), ("hull", I), ("distance", I), ("noise", I), ("fuelled", I, 2), ("level", I), ("milestones", I),
    ("crane_uses", I), ("event", I), ("scraps", I), ("scrap", I, SALVAGE_CARDS),
    ("boxed", I), ("enemies", I), ("gaps", I), ("enemy", ENEMY, BOARD),
    ("crew", CREW, SEATS), ("room", ROOM, PLACES), ("term", I, TERMS), ("deck", pile_dtype(ENEMY_CARDS)),
    ("salvage", pile_dtype(SALVAGE_CARDS)), ("occasions", pile_dtype(EVENTS_MOST)), ("orders", pile_dtype(ORDERS_MOST)),
    ("quarry", I), ("hidden", I), ("searched", I), ("searches", I), ("search", I, SEATS + 5), ("stunned", I),
    ("turn", I), ("step", I), ("options", I), ("option", I, OPTIONS), ("value", I, OPTIONS), ("need", I, PLACES),
    ("drawn", I), ("spawned", I, 4), ("destroyed", I, 4), ("crushed", I), ("fires", I), ("scrapped", I),
    ("salvaged", I), ("reinforced", I), ("recycled", I), ("fuels", I), ("stuck", I, 4), ("passed", I, 2), ("downs", I),
    ("downed", I),
)  # fmt: skip
"""`first`: the place of the first player in `crew`; `fuelled`: how often each engine, this round; `level`: the highest
level in the enemy deck; `gaps`: enemies that fell since the board was tidied; `milestones`: passed; `crane_uses`: since
the last advance; `scrap`: the Scrap Pile; `boxed`: salvage cards out of the game; `orders`: the boss's; `quarry`: the
card of what must be destroyed to win, NONE before; `hidden`: 1 while all rooms are dark, `searched`: bits of rooms,
`search`: the search deck, `stunned`: rounds; `turn`, `step`: for keys; `need`: what a room asks for, for bots; then
counts: `stuck`: rounds without advance, by engine, Cockpit, The Wastes, and in all; `spawned`, `destroyed`: by level;
`crushed`: enemies without a standee; `passed`: the round of each milestone."""
