"""Cards that are drawn on the way: threat tokens, enemies, events and encounters. The right-hand neighbour draws them,
reads them and takes the decisions that fall to him (V5-15)."""

from __future__ import annotations

from simcore.journal import note
from simcore.kernels import kernel
from simcore.streams import word
from simcore.voyage.aquatic import end_challenge, face_challenge
from simcore.voyage.base import test
from simcore.voyage.base_fights import fight
from simcore.voyage.bots import LEAVE, TAKE, bot_of, decide, offer, reader_of
from simcore.voyage.decks import any_bit, draw_from, throw
from simcore.voyage.effects import apply_all
from simcore.voyage.tables import ENCOUNTER, ENEMY, RULINGS, WHEN
from simcore.voyage.tell import DRAWS_CARD, DRAWS_TOKEN, IGNORES, LEAVES_BE

DRAWN, PASS, FAIL, YELLOW, RED = WHEN["drawn"], WHEN["pass"], WHEN["fail"], WHEN["yellow"], WHEN["red"]
NO_THREAT = RULINGS["enemy_threat"].index("none")
IGNORED = RULINGS["encounters"].index("ignored")
AT_CARD, AT_TOKEN = 64, 128


@kernel
def meet_card(s, t, stream, journal, k, deck):  # type: ignore[no-untyped-def]
    """Draw a card of a deck and resolve it (V1L-14): threat tokens with it, then what it says, then tokens that it made
    the knight draw. A sea card has no condition bar; the Hazards suffered are what it reads (V5-20)."""
    bit = draw_from(s.deck[deck], word(s.key, AT_CARD))
    throw(s.deck[deck], bit)
    place = t.drawn[deck, bit]
    card = t.card[place]
    s.reader = reader_of(s, k)
    note(journal, DRAWS_CARD, k, place, s.reader, s.hazards)
    if card.type == ENCOUNTER and t.ruling.encounters == IGNORED:
        note(journal, IGNORES, k)
        resolve_tokens(s, t, stream, journal, k, YELLOW)
        end_challenge(s)
        return
    if card.type == ENEMY and t.ruling.enemy_threat != NO_THREAT:
        s.held += card.threat
    side = RED if card.type == ENEMY else YELLOW
    resolve_tokens(s, t, stream, journal, k, side)
    if s.ended == 0:
        face_challenge(s, t, stream, journal, k, max(s.wet, card.story.aquatic))
        apply_all(s, t, stream, journal, k, card.story, DRAWN)
        if s.ended == 0 and card.type == ENEMY and s.knight[k].down == 0:
            fight(s, t, stream, journal, k, place)
        elif s.ended == 0 and card.type != ENEMY:
            resolve_event(s, t, stream, journal, k, card.story)
        resolve_tokens(s, t, stream, journal, k, side)
    end_challenge(s)


@kernel
def resolve_tokens(s, t, stream, journal, k, side):  # type: ignore[no-untyped-def]
    """Draw the threat tokens that are due, one by one, and resolve their yellow side, or the red one against an enemy
    (V5-56). They go back into the bag when the action is over (assumed)."""
    while s.held > 0 and s.ended == 0:
        s.held -= 1
        token = any_bit(s.bag & ~s.tokens, word(s.key, AT_TOKEN + s.knight[k].tokens))
        if token < 0:
            s.held = 0
            return
        s.tokens |= 1 << token
        s.knight[k].tokens += 1
        note(journal, DRAWS_TOKEN, k, token)
        apply_all(s, t, stream, journal, k, t.token[token].story, side)


@kernel
def resolve_event(s, t, stream, journal, k, story):  # type: ignore[no-untyped-def]
    """An event, or what stands in a narrative: leave it where that is open, else make its test and take what comes."""
    if story.optional == 1:
        s.options = 0
        odds = 100 if story.skill < 0 else 50 * (s.term[story.skill] + s.success) // story.need
        offer(s, LEAVE, 0)
        offer(s, TAKE, bot_of(s, t, k).dare * (odds - 50) // 100)
        if decide(s, t, stream, k) == LEAVE:
            note(journal, LEAVES_BE, k)
            return
    passed = story.skill < 0
    if not passed:
        passed = test(s, t, stream, journal, k, story.skill, story.need)
    apply_all(s, t, stream, journal, k, story, PASS if passed else FAIL)
