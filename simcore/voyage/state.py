"""A season, or a single cruise, of Beyond the Horizon as one record."""

from __future__ import annotations

import numpy as np

from simcore.kernels import record
from simcore.voyage.tables import PORTS, SEATS, SHIPS, TERMS

I = np.int64  # noqa: E741

PIECES, SLOTS, OPTIONS = 20, 8, 128
"""Capacities: gear of a knight (a vehicle of 12, a weapon, armor, four pockets, and one more as it is taken), slots of
the Quay, options of a decision."""

NONE = -1
"""Nobody, nothing."""

NOTHING_AHEAD, SEA_AHEAD, ROAD_AHEAD, LOOK_AHEAD, DEED_AHEAD = range(5)
"""What an action leaves to be resolved (`ahead`): a cruise along route `place`, a wasteland card of deck `place`, a
First Look at destination card `place`, a Destination Action with choice `place`."""

NORMAL, SEVERE = 1, 2
"""Sides of a Dehydration card (`thirst`)."""

DECK = record(("left", I), ("thrown", I))
"""A deck nobody sees the order of: its cards as bits, and those of its discard pile."""

COUNTS = (
    "cruises", "arrivals", "suffered", "sunk", "strandings", "stuck", "surcharges", "paid", "overpaid", "bought",
    "gained", "spent", "missing", "dehydrated", "severe", "cured", "tokens", "hazards", "radiated", "contaminated",
    "injured", "knocked", "fights", "won", "fled", "tests", "passed", "looks", "deeds", "moves", "laid", "wrecks",
)  # fmt: skip
"""What is counted of a knight: cruises begun and ended at a port of call; Breach suffered, ships sunk, times Stranded,
rounds begun there; Cutters at a surcharge; Charter Costs paid, and value lost beyond; Water bought at the Stalls,
gained otherwise, spent, and missing; Dehydration cards drawn, turned, and cured; threat tokens; Hazards; Radiation and
Contamination suffered; Injuries; times unconscious; fights, fights won, enemies escaped; tests made and passed; First
Looks; Destination Actions; Move Actions; Aquatic tokens laid; vehicles wrecked."""

KNIGHT = record(
    ("here", I), ("seat", I), ("role", I), ("bot", I), ("weighs", I), ("out", I), ("down", I), ("port", I),
    ("goal", I), ("stranded", I), ("cruised", I), ("late_look", I), ("ship", I), ("back", I), ("hull", I),
    ("breach", I), ("hurt", I), ("radiation", I), ("contamination", I), ("injuries", I), ("injury", I), ("thirst", I),
    ("dryness", I), ("fuel", I), ("ammo", I), ("meds", I), ("water", I), ("vehicle", I), ("damage", I), ("pieces", I),
    ("piece", I, PIECES), ("worn", I), ("upgrade", I), ("experience", I), ("cargo", I), ("visited", I), ("acted", I),
    ("home", I), *((name, I) for name in COUNTS),
)  # fmt: skip
"""A knight; they stand in order round the table from the first player on, empty seats last. out: 1 if eliminated; down:
1 if unconscious; `port`: where he is, `goal`: his Port of Call while he is Stranded; `cruised`: 1 with a Cruise Token;
`late_look`: 1 if a First Look waits for his waking; ship: chartered (NONE; the Cutter comes after the others, `back`:
which card it is), its hull and Breach; hurt: wounds; `injury`, `upgrade`, `visited`, `acted`: bits of Injuries,
upgrades, destinations seen, and where he took a Destination Action; `thirst`: 0, NORMAL or SEVERE, by the card
`dryness`; `piece`: gear by number, `worn`: bits of what he has equipped."""

STATE = record(
    ("key", np.uint64), ("mind", np.uint64), ("step", I), ("players", I), ("rounds", I), ("overflow", I), ("turn", I),
    ("knight", KNIGHT, SEATS), ("slots", I), ("quay", I, SLOTS), ("breach", I, SHIPS), ("pile", I, SHIPS),
    ("stack", I), ("cutter", I, SHIPS), ("lost", I), ("deck", DECK, 8), ("bag", I), ("pool", I),
    ("shown", I, PORTS), ("marks", I, PORTS), ("specials", I), ("aquatic_tokens", I),
    ("sailed", I, SHIPS), ("sunk", I, SHIPS), ("suffered", I, SHIPS),
    ("at_sea", I), ("route", I), ("hazards", I), ("due", I), ("held", I), ("rolled", I), ("tokens", I), ("ended", I),
    ("reader", I), ("reads", I), ("ahead", I), ("place", I), ("swap", I), ("wet", I), ("laid", I), ("auto", I),
    ("success", I), ("strike", I), ("crit", I), ("foe_die", I), ("foe_health", I), ("prize", I),
    ("term", I, TERMS), ("dice", I), ("armor", I), ("gills", I), ("steady", I), ("sank", I),
    ("options", I), ("option", I, OPTIONS), ("value", I, OPTIONS),
)  # fmt: skip
"""`key`, `mind`: keys of the dice and of the decisions of an action, `step` counts these; `turn`: whose turn it is;
`quay`: the ship on each slot, NONE; `breach`: of ships there; `pile`: ships under the Cutters, the top one last,
`stack` of them, `cutter`: the Breach on each; `lost`: bits of ships out of the game; `bag`: tokens as bits; `pool`:
Water left; `shown`: the destination card that lies open at a port, NONE; `marks`: its choices that are taken; then
counts by ship.

Of the action under way: `at_sea`: 1 on a cruise; `hazards`; `due`: Water to be spent; `held`: tokens to be resolved,
`rolled`: of these, by sea dice, `tokens`: those out of the bag, as bits; `ended`: 1 once the ship is sunk or the knight
Stranded; `reads`: sea dice read by their number; `ahead`: what is to be resolved next (LOOK_AHEAD and so on), at
`place`; `reader`: who reads the card and takes its decisions, NONE while no card is read; `wet`: 1 against an Aquatic
challenge, `laid`: bits of the gear (and, beyond, the sheet) that bear Aquatic tokens; then what tokens bring; `swap`: 1
while a reward may be taken as Water; `term`, `dice`, `armor`: what the knight can put to use now, `gills`: 1 if he has
the trait; `steady`: Breach of the dice that still does nothing; `sank`: 1 once the ship was sunk."""
