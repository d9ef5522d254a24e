"""Events (optional): at each milestone the crew keeps one of those revealed, until the next one."""

from __future__ import annotations

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import kernel
from simcore.mech.cards import ROOMS
from simcore.mech.choices import decide
from simcore.mech.effects import apply
from simcore.mech.escalation import draw_enemy
from simcore.mech.rooms import add_terms
from simcore.mech.state import NONE
from simcore.mech.tables import FUNCTION, WHAT, WHEN, WHOM
from simcore.mech.tell import EVENT_GOES_ON, EVENT_NOW, EVENT_OVER, REVEALS
from simcore.piles import take_top
from simcore.streams import bounded, word

DRAWN = WHEN["drawn"]
SPAWN, MECH = WHAT["spawn"], WHOM["mech"]
DECK_ROOM = FUNCTION["deck"]


@kernel
def hold_event(s, t, stream, journal):  # type: ignore[no-untyped-def]
    """Reveal events, keep one, the others leave the game (M19-02): it replaces the one in force (M19-03)."""
    s.options = 0
    if s.over == 1:
        return
    for _ in range(t.mech.event_choice):
        card = take_top(s.occasions)
        if card >= 0:
            note(journal, REVEALS, card)
            offer(s, card, 100 * t.event[card].worth)
    if s.options == 0:
        return
    s.event = decide(s, t, stream, s.first, 3000 + s.milestones)
    s.term[:] = 0
    add_terms(s.term, t.event[s.event].text)
    note(journal, EVENT_NOW, s.event)
    happen(s, t, journal, DRAWN)


@kernel
def end_event(s, journal):  # type: ignore[no-untyped-def]
    """The event in force is over (M19-03)."""
    if s.event != NONE:
        note(journal, EVENT_OVER, s.event)
    s.event = NONE
    s.term[:] = 0


@kernel
def happen(s, t, journal, when):  # type: ignore[no-untyped-def]
    """What the event in force does at a moment."""
    if s.event != NONE and s.over == 0:
        if when != DRAWN:
            note(journal, EVENT_GOES_ON, s.event)
        befall(s, t, journal, t.event[s.event].text, when, 0)


# ---------------------------------------------------------------- cards of nobody


@kernel
def befall(s, t, journal, text, when, room):  # type: ignore[no-untyped-def]
    """What a card of nobody does to the mech at a moment: an event, a boss's order, a bomb found in a room (else 0).

    What damages the mech strikes a room by chance."""
    for i in range(text.effects):
        effect = text.effect[i]
        if effect.when == when and effect.what == SPAWN:
            for _ in range(effect.many):
                draw_enemy(s, t, journal)
        elif effect.when == when:
            struck = chance_room(s, t, i) if effect.whom == MECH else room
            apply(s, t, journal, effect, NONE, struck)


@kernel
def chance_room(s, t, i):  # type: ignore[no-untyped-def]
    """A room that can be damaged, by chance."""
    rooms = 0
    for room in range(1, ROOMS + 1):
        rooms += int(t.room[room].function != DECK_ROOM)
    pick = bounded(word(word(s.key[0], 3900), i), rooms)
    for room in range(1, ROOMS + 1):
        if t.room[room].function != DECK_ROOM:
            if pick == 0:
                return room
            pick -= 1
    return 0
