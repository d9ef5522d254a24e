"""A game on the board as one record: the board, the knights on it, and the combat that is being fought."""

from __future__ import annotations

import numpy as np

from simcore.kernels import record
from simcore.knights.board_tables import HEXES, ITEMS, SEATS, STALLS, TASKS, TILES, VEHICLES
from simcore.knights.state import FIGHT
from simcore.knights.tables import TABLES
from simcore.piles import pile_dtype
from simcore.streams import STREAM

I = np.int64  # noqa: E741

HELD, LUCK, POSTS, SHOWN, OPTIONS, DECK = 32, 8, 12, 64, 1536, 128
"""Capacities: items of a knight, luck cards in a hand, tasks laid out, cards revealed on a move, options (each card of
a knight for each of another one, and more), a deck."""

NONE = -1

WORD = 48
SPENT = 1 + ITEMS // WORD
"""Cards as bits, so many to a number."""

HAND, BODY, POCKET, STORED, BESIDE, TRUNK, LOOSE, FITTED = range(8)
"""Where an item is: on the sheet's panels, stored in the backpack, attached to the knight or his vehicle (BESIDE), or
stored in the vehicle (TRUNK); LOOSE: in his hand, while he puts cards in their places; FITTED: attached to the card at
`on`."""

EVENT_AT = 96
"""Cards of the wasteland deck: enemies by number, then events from here on."""

PLAYER = record(
    ("here", I), ("seat", I), ("role", I), ("bot", I), ("weighs", I), ("health", I), ("ammo", I), ("fuel", I),
    ("radiation", I), ("reputation", I), ("hex", I), ("out", I), ("vehicle", I), ("damage", I), ("items", I),
    ("thing", I, HELD), ("spot", I, HELD), ("marked", I, HELD), ("own", I, HELD), ("on", I, HELD), ("spent", I, SPENT),
    ("strained", I), ("lucks", I), ("luck", I, LUCK), ("explored", I), ("skip", I), ("stopped", I), ("moved", I),
    ("woken", I), ("points", I), ("ridden", I), ("crossed", I), ("beaten_by", I), ("won", I), ("lost", I), ("drawn", I),
    ("escaped", I), ("knocked", I), ("tasks", I), ("fuel_spent", I), ("ammo_spent", I), ("travelled", I),
    ("duels", I), ("duels_won", I), ("revived", I), ("stolen", I), ("bought", I), ("luck_played", I),
    ("speed", I), ("fame_fights", I), ("fame_duels", I), ("fame_tasks", I),
)  # fmt: skip
"""A knight; they stand in order round the table from the first player of the game on, empty seats last. `thing`:
cards, `spot`, `marked`, `own` of each item: where it is, 1 if marked this round, 1 if printed on the sheet (2: taken
in the deal under way); `on`: the place of the card that a FITTED one is attached to; `spent`: bits of the limited
cards used this round, `strained`: how often his ability was used; `explored`: 1 while his marker lies on his hex;
`skip`: no Exploration Step this round; `woken`: revived this round; `points`: Movement Points left, `ridden`,
`crossed`: spent, and hexes entered in this move; `beaten_by`: who beat him in a duel this round."""

HEX = record(("tile", I), ("irradiate", I), ("contaminate", I), ("threaten", I), ("obstruct", I), ("blank", I))
"""A hex: its tile, tokens on it; `blank`: 2 a special token with its light side up, 1 with its dark side (K1E-04)."""

DEAL = record(("mine", I), ("theirs", I), ("ammo", I), ("fuel", I), ("rides", I), ("cards", I), ("card", I, 2 * HELD))
"""A deal between knights (trades.py): bits of the cards that the proposer gives and takes, the Ammo and Fuel that he
gives (below 0: takes), 1 if vehicles change hands; and the cards on their way as it is carried out."""

WAYS = 3 + SEATS
WAY = record(("cost", I, HEXES), ("back", I, HEXES))
"""The best way from a hex to every other one by one measure: what it costs, and the hex before each. There are WAYS of
them: the cheapest, the safest, the cheapest that passes no rival, and the cheapest by way of each rival."""

POST = record(("task", I), ("marks", I), ("holder", I), ("owner", I), ("common", I))
"""A task laid out: its marks, who has accepted it, and with 2 players whose it is (K1E-33)."""

STATE = record(
    ("key", np.uint64), ("dice", np.uint64), ("step", I), ("rolls", I), ("skill", I), ("difficulty", I), ("extra", I),
    ("passed", I), ("players", I), ("rounds", I), ("last", I), ("first", I), ("active", I), ("waster", I),
    ("overflow", I), ("over", I), ("leader", I), ("changes", I), ("combats", I), ("hidden", I), ("scouted", I),
    ("afoot", I), ("met", I), ("tried", I), ("credit", I), ("swapped", I), ("limit", I), ("deal", DEAL),
    ("kept", I, HELD), ("tried_on", I, HELD),
    ("hex", HEX, HEXES), ("player", PLAYER, SEATS), ("cards", pile_dtype(DECK)), ("luck", pile_dtype(DECK)),
    ("gear", pile_dtype(DECK), 4), ("common", pile_dtype(TASKS)), ("private", pile_dtype(TASKS)),
    ("pool", I, VEHICLES), ("pool_damaged", I, VEHICLES), ("posts", I), ("post", POST, POSTS), ("stall", I, STALLS),
    ("shown", I), ("show", I, SHOWN), ("played", I), ("later", I), ("bargain", I), ("further", I), ("aim", I, HEXES),
    ("means", I), ("entry", I, HEXES), ("way", WAY, WAYS), ("queue", I, HEXES), ("seen", I, HEXES), ("path", I, HEXES),
    ("length", I), ("prize", I, HEXES), ("stand", I, HEXES), ("chance", I, SEATS), ("tiles", pile_dtype(TILES)),
    ("options", I), ("option", I, OPTIONS), ("value", I, OPTIONS),
    ("sub", STREAM), ("rules", TABLES), ("fight", FIGHT),
)  # fmt: skip
"""`key`, `dice`: keys of decisions and of checks; `step`, `rolls`: how many of them so far, counted apart so that a
decision more leaves the dice alone; `skill`, `difficulty`, `extra`, `passed`: of the check under way, dice that luck
cards bring to it, its successes; `last`: the round that ends the game, `first`: the First Player, `active`, `waster`:
whose move it is and who plays the Waster; `leader`: alone ahead in Reputation, `changes` of that; `combats`: so far,
for keys; `hidden`: the card under the Waster marker (K1C-13), `scouted`: 1 on the move on which it is played; `afoot`:
1 on a move on foot; `met`: bits of the knights met on this move; `tried`: bits of what was tried with tasks in this
Exploration Step; `credit`: what was paid too much in the deal under way, in green cards, `swapped`: 1 once a vehicle
changed hands in it, `limit`: what the hex bars from it (of TRADE), 0 outside deals, `deal`: of two knights; `kept`,
`tried_on`: where a knight's cards were before he changes his gear in a combat, and while room for it is sought; `gear`:
decks by colour, the blue one last; `pool`, `pool_damaged`: whole and damaged vehicles left by kind; `posts`: tasks laid
out; `stall`: items by space; `show`: cards revealed on a move, `played`: 1 once one was; `later`: rounds after this
one, up to 3, `means`: what he could pay with, `bargain`: the best that the Stalls offer, `further`: what Movement
Points besides would bring, `aim`: what each hex is worth to him who moves, all for bots; `entry`: what it costs to
enter each hex, `way`: of WAYS, `queue`: hexes to go on from, `seen`: 1 for hexes that a route may not enter (again);
`path`: of the move under way, the last hex first; `prize`: what a hex is worth to end the move on, `stand`: bits of the
rivals there, `chance`: what a meeting with each is worth; `sub`: the stream of the combat, `rules`: the tables of
combat with the sheets as they are now, `fight`: the combat."""
