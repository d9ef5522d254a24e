"""Water: gained, spent and missing; Dehydration in its two sides, and its cures."""

from __future__ import annotations

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import kernel
from simcore.streams import word
from simcore.voyage.base import check_life, contaminate, hit_vehicle, injure, radiate, wound
from simcore.voyage.belongings import drop_any, lose_any, room_for_water
from simcore.voyage.bots import LEAVE, TAKE, bot_of, decide
from simcore.voyage.breach import breach, strand
from simcore.voyage.decks import draw_from, give_back
from simcore.voyage.sea_dice import how_many
from simcore.voyage.state import NONE, NORMAL, SEVERE
from simcore.voyage.tables import DRYNESS, RULINGS, WHAT
from simcore.voyage.tell import (
    CURED,
    DEHYDRATED,
    GAINS_NONE,
    GAINS_WATER,
    LACKS_WATER,
    PARCHED,
    SPENDS_WATER,
    TURNS_BACK,
)

BREACH, DAMAGE, WOUND, RADIATION = WHAT["breach"], WHAT["damage"], WHAT["wound"], WHAT["radiation"]
CONTAMINATION, INJURY, LOSE, DROP = WHAT["contamination"], WHAT["injury"], WHAT["lose"], WHAT["drop"]
BY_CARDS = RULINGS["dehydration_sides"].index("cards")
FREE_CHOICE = RULINGS["cure"].index("free_choice")
AT_DRYNESS = 3072


@kernel
def suffer(s, t, stream, journal, k, what, many):  # type: ignore[no-untyped-def]
    """One harm (cards.HARMS), the only place where cards hurt a knight, his vehicle or his ship."""
    if what == BREACH:
        breach(s, t, journal, k, many)
    elif what == DAMAGE:
        hit_vehicle(s, t, journal, k, many)
    elif what == WOUND:
        wound(s, t, journal, k, many)
    elif what == RADIATION:
        radiate(s, t, journal, k, many)
    elif what == CONTAMINATION:
        contaminate(s, t, journal, k, many)
    elif what == INJURY:
        injure(s, t, journal, k, many)
    elif what == LOSE:
        lose_any(s, t, stream, journal, k, many)
    elif what == DROP:
        drop_any(s, t, stream, journal, k, many)
    else:
        strand(s, t, journal, k)


# ---------------------------------------------------------------- spending


@kernel
def spend_water(s, t, stream, journal, k, many):  # type: ignore[no-untyped-def]
    """Spend or discard Water: forced as far as there is some, only the rest is missing (V1M-14, V5-46), and worked off
    one by one within the same effect (V5-45). Nothing without Water in the game (V5-55)."""
    knight = s.knight[k]
    if t.table.water == 0 or many <= 0 or knight.out == 1:
        return
    paid = min(many, knight.water)
    knight.water -= paid
    knight.spent += paid
    s.pool += paid
    if paid > 0:
        note(journal, SPENDS_WATER, k, paid, knight.water)
    if many > paid:
        knight.missing += many - paid
        note(journal, LACKS_WATER, k, many - paid)
    for _ in range(many - paid):
        if knight.out == 0:
            lack(s, t, stream, journal, k)


@kernel
def lack(s, t, stream, journal, k):  # type: ignore[no-untyped-def]
    """One Water missing: a Dehydration card; with one, its severe side; with that, 1 Contamination (V1M-12, V1M-14).

    The cards' own words have it the other way round (V4-51): 1 Contamination on the normal side, and the severe side
    flips back and does what it does."""
    knight = s.knight[k]
    if knight.thirst == 0:
        dehydrate(s, t, journal, k)
    elif t.ruling.dehydration_sides == BY_CARDS:
        if knight.thirst == NORMAL:
            contaminate(s, t, journal, k, 1)
        else:
            knight.thirst = NORMAL
            note(journal, TURNS_BACK, k, knight.dryness)
            flip_effect(s, t, stream, journal, k)
    elif knight.thirst == NORMAL:
        turn_severe(s, t, stream, journal, k)
    else:
        contaminate(s, t, journal, k, 1)


@kernel
def dehydrate(s, t, journal, k):  # type: ignore[no-untyped-def]
    """Draw a Dehydration card, normal side up: it does nothing but count as an Injury (V5-47)."""
    knight = s.knight[k]
    knight.dryness = draw_from(s.deck[DRYNESS], word(s.key, AT_DRYNESS + k))
    knight.thirst = NORMAL
    knight.dehydrated += 1
    note(journal, DEHYDRATED, k, knight.dryness)
    check_life(s, t, journal, k)


@kernel
def turn_severe(s, t, stream, journal, k):  # type: ignore[no-untyped-def]
    """Turn the card to its severe side, with its one-time effect (V1M-12, V5-48)."""
    knight = s.knight[k]
    knight.thirst = SEVERE
    knight.severe += 1
    note(journal, PARCHED, k, knight.dryness)
    flip_effect(s, t, stream, journal, k)


@kernel
def flip_effect(s, t, stream, journal, k):  # type: ignore[no-untyped-def]
    """What a Dehydration card does once as it is turned (V1M-15, V1M-16)."""
    story = t.dry[s.knight[k].dryness]
    for i in range(story.effects):
        many = how_many(s, stream, journal, k, story.effect[i])
        suffer(s, t, stream, journal, k, story.effect[i].what, many)


@kernel
def parch(s, t, stream, journal, k):  # type: ignore[no-untyped-def]
    """An effect that gives Severe Dehydration: draw, turn, resolve; ignored by a knight who has a card (V5-50). Without
    Water in the game an Injury takes its place (V5-55)."""
    if t.table.water == 0:
        injure(s, t, journal, k, 1)
    elif s.knight[k].thirst == 0:
        dehydrate(s, t, journal, k)
        if s.knight[k].out == 0:
            turn_severe(s, t, stream, journal, k)


# ---------------------------------------------------------------- gaining


@kernel
def gain_water(s, t, stream, journal, k, many, free):  # type: ignore[no-untyped-def]
    """Gain Water one by one, as long as markers are left (V5-43) and it fits into the vehicle (V1M-06); the dehydrated
    spend it on the cure at once (V1M-13, V5-52), also the Quack's when the pool is empty (`free`: 1, V1M-08, V5-42).
    Returns how many were gained."""
    knight, got = s.knight[k], 0
    if t.table.water == 0 or knight.out == 1:
        return 0
    for _ in range(many):
        if knight.thirst > 0 and s.pool + free > 0 and wants_cure(s, t, stream, k):
            cure(s, journal, k)
            knight.spent += 1
        elif s.pool > 0 and room_for_water(s, t, k):
            s.pool -= 1
            knight.water += 1
            note(journal, GAINS_WATER, k, 1, knight.water)
        else:
            note(journal, GAINS_NONE, k, many - got, s.pool)
            return got
        got += 1
    return got


@kernel
def can_gain(s, t, k):  # type: ignore[no-untyped-def]
    """Whether a knight could do anything with one more Water of the pool."""
    return t.table.water == 1 and s.pool > 0 and (s.knight[k].thirst > 0 or room_for_water(s, t, k))


@kernel
def wants_cure(s, t, stream, k):  # type: ignore[no-untyped-def]
    """Whether Water goes into the cure: always as it is gained, or (ruling) as the knight likes (V5-52)."""
    if t.ruling.cure != FREE_CHOICE:
        return True
    s.options = 0
    offer(s, LEAVE, 0)
    offer(s, TAKE, bot_of(s, t, k).cure)
    return decide(s, t, stream, k) == TAKE


@kernel
def cure(s, journal, k):  # type: ignore[no-untyped-def]
    """One Water turns the severe side back, or takes the normal side off; the card is shuffled back (V1M-13, V5-51)."""
    knight = s.knight[k]
    knight.thirst -= 1
    knight.cured += 1
    note(journal, CURED, k, knight.dryness, knight.thirst)
    if knight.thirst == 0:
        give_back(s.deck[DRYNESS], knight.dryness)
        knight.dryness = NONE


@kernel
def drink(s, t, stream, journal, k):  # type: ignore[no-untyped-def]
    """A dehydrated knight who has Water of his own spends it on the cure, where a ruling lets him do so at any time."""
    knight = s.knight[k]
    while t.ruling.cure == FREE_CHOICE and knight.thirst > 0 and knight.water > 0:
        if not wants_cure(s, t, stream, k):
            return
        knight.water -= 1
        knight.spent += 1
        s.pool += 1
        note(journal, SPENDS_WATER, k, 1, knight.water)
        cure(s, journal, k)
