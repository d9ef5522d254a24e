"""Events (optional): at each milestone the crew keeps one of those revealed, until the next one."""

from __future__ import annotations

from simcore.journal import note
from simcore.kernels import kernel
from simcore.mech.bots import decide, offer
from simcore.mech.effects import apply
from simcore.mech.rooms import add_terms
from simcore.mech.state import NONE
from simcore.mech.tables import WHEN
from simcore.mech.tell import EVENT_NOW
from simcore.piles import take_top

DRAWN = WHEN["drawn"]


@kernel
def hold_event(s, t, stream, journal):  # type: ignore[no-untyped-def]
    """Reveal events, keep one (M19-02): it replaces the one in force (M19-03)."""
    s.options = 0
    for _ in range(t.mech.event_choice):
        card = take_top(s.occasions)
        if card >= 0:
            offer(s, card, 100 * t.event[card].worth)
    if s.options == 0:
        return
    s.event = decide(s, t, stream, s.first, 3000)
    s.term[:] = 0
    add_terms(s.term, t.event[s.event].text)
    note(journal, EVENT_NOW, s.event)
    happen(s, t, journal, DRAWN)


@kernel
def happen(s, t, journal, when):  # type: ignore[no-untyped-def]
    """What the event in force does at a moment."""
    if s.event == NONE:
        return
    text = t.event[s.event].text
    for i in range(text.effects):
        if text.effect[i].when == when:
            apply(s, t, journal, text.effect[i], NONE, 0)
