"""Cards that are drawn on the way: threat tokens, enemies, events and encounters. The right-hand neighbour draws them,
reads them and takes the decisions that fall to him (V5-15)."""

from __future__ import annotations

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import kernel
from simcore.streams import word
from simcore.voyage.aquatic import end_challenge, face_challenge
from simcore.voyage.base import test
from simcore.voyage.base_fights import fight
from simcore.voyage.bots import LEAVE, TAKE, bot_of, decide, reader_of
from simcore.voyage.decks import any_bit, draw_from, throw
from simcore.voyage.effects import apply_all
from simcore.voyage.sea_dice import chances, read_die
from simcore.voyage.state import NONE
from simcore.voyage.tables import ENCOUNTER, ENEMY, NO_EVENT, RULINGS, SEA_DIE, TERMS, WHEN
from simcore.voyage.tell import DRAWS_CARD, DRAWS_TOKEN, IGNORES, LEAVES_BE

DRAWN, PASS, FAIL, YELLOW, RED = WHEN["drawn"], WHEN["pass"], WHEN["fail"], WHEN["yellow"], WHEN["red"]
NO_THREAT = RULINGS["enemy_threat"].index("none")
IGNORED = RULINGS["encounters"].index("ignored")
AT_CARD, AT_TOKEN = 64, 128


@kernel
def draw_challenge(s, t, journal, k, deck):  # type: ignore[no-untyped-def]
    """Draw a card of a deck, one a cruise or Move (V1L-14), by the neighbour who reads it (V5-15); which card it is.
    With an enemy come the threat tokens that its Threat asks for. An encounter is ignored without an encounter table,
    unless the ruling has it told (V5-54): then, as on a sea without cards, nothing but the threat tokens is
    resolved."""
    if t.table.cards == 0:
        return NO_EVENT
    bit = draw_from(s.deck[deck], word(s.key, AT_CARD))
    throw(s.deck[deck], bit)
    place = t.drawn[deck, bit]
    note(journal, DRAWS_CARD, k, place, reader_of(s, k), s.hazards)
    if t.card[place].type == ENCOUNTER and t.ruling.encounters == IGNORED:
        note(journal, IGNORES, k)
        return NO_EVENT
    if t.card[place].type == ENEMY and t.ruling.enemy_threat != NO_THREAT:
        s.held += t.card[place].threat
    return place


@kernel
def resolve(s, t, stream, journal, k, story, foe):  # type: ignore[no-untyped-def]
    """Resolve a card or a narrative, read by the neighbour (V5-15): threat tokens with it (V1L-05, V5-21), what it does
    at once, the threat tokens that this brings, Aquatic tokens laid as it is known by then whether it is Aquatic, and
    the fight against `foe` (a card; NONE for none) or its test, with what tokens come of that. A sea card has no
    condition bar: the Hazards suffered are what it reads (V1L-14, V5-20). An unconscious knight is not fought, and
    passes no test (assumed)."""
    side = YELLOW if foe == NONE else RED
    s.reader, s.wet = reader_of(s, k), story.aquatic
    resolve_tokens(s, t, stream, journal, k, side)
    apply_all(s, t, stream, journal, k, story, DRAWN)
    resolve_tokens(s, t, stream, journal, k, side)
    if s.ended == 0:
        face_challenge(s, t, stream, journal, k, s.wet, foe)
        if foe == NONE:
            apply_all(s, t, stream, journal, k, story, try_event(s, t, stream, journal, k, story))
        elif s.knight[k].down == 0:
            fight(s, t, stream, journal, k, foe)
        resolve_tokens(s, t, stream, journal, k, side)
    end_challenge(s)


@kernel
def foe_of(t, place):  # type: ignore[no-untyped-def]
    """The enemy that a card is, or NONE."""
    return place if t.card[place].type == ENEMY else NONE


@kernel
def resolve_tokens(s, t, stream, journal, k, side):  # type: ignore[no-untyped-def]
    """Draw the threat tokens that are due, one by one, and resolve their yellow side, or the red one against an enemy
    (V5-56). They go back into the bag when the action is over (assumed)."""
    while s.held > 0 and s.ended == 0:
        s.held -= 1
        token = draw_token(s, k)
        if token < 0:
            s.held = 0
            return
        note(journal, DRAWS_TOKEN, k, token, int(side == RED))
        apply_all(s, t, stream, journal, k, t.token[token].story, side)


@kernel
def draw_token(s, k):  # type: ignore[no-untyped-def]
    """Draw a threat token out of the bag; NONE out of an empty one."""
    token = any_bit(s.bag & ~s.tokens, word(s.key, AT_TOKEN + s.knight[k].tokens))
    if token >= 0:
        s.tokens |= 1 << token
        s.knight[k].tokens += 1
    return token


@kernel
def try_event(s, t, stream, journal, k, story):  # type: ignore[no-untyped-def]
    """An event, or what stands in a narrative: leave it where that is open, else make its test, or read a sea die
    (V5-22), which the unconscious do as well; the moment whose effects come (PASS, FAIL, or NONE where it is left)."""
    if story.optional == 1:
        s.options = 0
        dice = s.term[story.skill] + s.success if 0 <= story.skill < TERMS else 0
        odds = chances(story.skill, story.need, dice)
        offer(s, LEAVE, 0)
        offer(s, TAKE, bot_of(s, t, k).dare * (odds - 50) // 100)
        if decide(s, t, stream, k) == LEAVE:
            note(journal, LEAVES_BE, k)
            return NONE
    if story.skill == SEA_DIE:
        return PASS if read_die(s, stream, journal, k) >= story.need else FAIL
    if story.skill < 0 or test(s, t, stream, journal, k, story.skill, story.need):
        return PASS
    return FAIL
