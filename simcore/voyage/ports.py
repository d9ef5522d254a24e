"""Ports of call, First Looks, Destination Actions, and the way out of the Stranded Area."""

from __future__ import annotations

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import kernel
from simcore.streams import bounded, word
from simcore.voyage.base import sum_of
from simcore.voyage.belongings import equip, has_gills
from simcore.voyage.bots import DEED, bot_of, decide, half_rounds_left, outlook
from simcore.voyage.sea_dice import chances
from simcore.voyage.state import DEED_AHEAD, LOOK_AHEAD, NONE
from simcore.voyage.tables import RULINGS, TERM, TERMS
from simcore.voyage.tell import ACTS, ARRIVES, LEAVES_STRANDED, REVEALS, TOKENS_READY
from simcore.voyage.water import spend_water

ASHORE, TOKENS = TERM["ashore"], TERM["tokens"]
LEAVES_FREE = RULINGS["stranded_water"].index("free")
CHOICES, AT_PLACE = 3, 192


@kernel
def arrive(s, t, journal, k, p):  # type: ignore[no-untyped-def]
    """Reach the Port of Call, unconscious or not (V5-23, V1L-16): a Cruise Token, and the turn is over; the first
    conscious knight at an unseen destination has a First Look (V1L-17), an unconscious one when he comes round
    (V5-25)."""
    knight = s.knight[k]
    knight.port, knight.goal, knight.cruised, knight.late_look = p, p, 1, 0
    knight.arrivals += 1
    note(journal, ARRIVES, k, p)
    if t.port[p].home == 0:
        knight.visited |= 1 << p
        reveal(s, t, journal, k)


@kernel
def reveal(s, t, journal, k):  # type: ignore[no-untyped-def]
    """Draw one of the destination's cards, the only one of the game (V1M-01, V1K-13, V5-09): its First Look is to be
    resolved now, free and obligatory (V1L-17). An unconscious knight waits for his waking (V5-25)."""
    knight, p = s.knight[k], s.knight[k].port
    knight.late_look = int(s.shown[p] == NONE and knight.down == 1)
    if s.shown[p] != NONE or knight.down == 1:
        return
    port = t.port[p]
    s.shown[p] = port.card[bounded(word(s.key, AT_PLACE), port.cards)]
    knight.looks += 1
    s.ahead, s.place = LOOK_AHEAD, s.shown[p]
    note(journal, REVEALS, k, s.shown[p], p)


# ---------------------------------------------------------------- the Destination Action


@kernel
def lay_out_deeds(s, t, k):  # type: ignore[no-untyped-def]
    """Choices that a knight may take: free, one of those not marked yet, once a knight a destination (V1M-03, V5-35);
    some are closed to a knight without the Aquatic trait (V5-40)."""
    knight = s.knight[k]
    p = knight.port
    if t.port[p].home == 1 or s.shown[p] == NONE or (knight.acted >> p) & 1:
        return
    place, gills = t.place[s.shown[p]], has_gills(s, t, k)
    for c in range(CHOICES):
        story = place.choice[c]
        if (s.marks[p] >> c) & 1 == 0 and (story.aquatic == 0 or gills):
            dice = sum_of(s, t, k, story.skill) if 0 <= story.skill < TERMS else 0
            odds = min(100, chances(story.skill, story.need, dice))
            offer(s, DEED + c, bot_of(s, t, k).deed * odds // 100 if knight.weighs == 1 else 0)


@kernel
def act(s, t, journal, k, c):  # type: ignore[no-untyped-def]
    """Take a choice and mark it, to be resolved now: the card stays (V1M-03, V5-35)."""
    knight = s.knight[k]
    p = knight.port
    s.marks[p] |= 1 << c
    knight.acted |= 1 << p
    knight.deeds += 1
    s.ahead, s.place = DEED_AHEAD, c
    s.aquatic_tokens = min(t.rules.aquatic_tokens, max(0, sum_of(s, t, k, TOKENS)))
    note(journal, ACTS, k, s.shown[p], c, p)
    note(journal, TOKENS_READY, k, s.aquatic_tokens)


# ---------------------------------------------------------------- Stranded


@kernel
def leave_stranded(s, t, stream, journal, k):  # type: ignore[no-untyped-def]
    """Instead of all normal actions a Stranded knight spends 1 Water, comes to his Port of Call with a Cruise Token,
    and his turn ends (V1L-20, V5-28). Without Water the usual rule holds (V4-59). A Good Swimmer spends none, and may
    end at any port of Australia (V1L-23)."""
    knight = s.knight[k]
    knight.stranded = 0
    p = knight.goal
    if sum_of(s, t, k, ASHORE) > 0:
        p = choose_shore(s, t, stream, k)
    elif knight.water > 0 or t.ruling.stranded_water != LEAVES_FREE:
        spend_water(s, t, stream, journal, k, t.rules.leaving)
    if knight.out == 0:
        note(journal, LEAVES_STRANDED, k, p)
        equip(s, t, k)
        arrive(s, t, journal, k, p)


@kernel
def choose_shore(s, t, stream, k):  # type: ignore[no-untyped-def]
    """The Port of Call, or any coastal space of Australia: here its ports (V5-33, V5-34)."""
    goal, left = s.knight[k].goal, half_rounds_left(s, t)
    s.options = 0
    for p in range(t.ports):
        if p == goal or t.port[p].home == 1:
            worth = bot_of(s, t, k).visit if p == goal and t.port[p].home == 0 else 0
            offer(s, p, worth + outlook(s, t, k, p, left))
    return decide(s, t, stream, k)
