"""Days and nights: territories open, gangs play hours until none is left, the wounded are patched up."""

from __future__ import annotations

from simcore.gangs.followers import patch
from simcore.gangs.hour import play_hour
from simcore.gangs.setup import open_territories
from simcore.gangs.state import NONE
from simcore.gangs.tell import DAY_CAPPED, DAY_ENDS, NIGHT
from simcore.journal import note
from simcore.kernels import kernel


@kernel
def play_day(s, t, stream, journal):  # type: ignore[no-untyped-def]
    """Hours clockwise until no territory is left in the common zone (G13-02); the one after the last to play begins the
    next day (G13-03). One that never ends is cut off, and the game with it: it counts as unfinished (G4-15)."""
    s.day += 1
    s.hour = 0
    g = s.next
    while s.places > 0 and s.hour < t.table.most_hours * s.players:
        s.hour += 1
        s.hours += 1
        play_hour(s, t, stream, journal, g)
        g = (g + 1) % s.players
    s.next = g
    s.day_hours[s.day - 1] = s.hour
    s.capped = int(s.places > 0)
    note(journal, DAY_CAPPED if s.capped == 1 else DAY_ENDS, s.day, s.hour)
    see_who_leads(s)


@kernel
def see_who_leads(s):  # type: ignore[no-untyped-def]
    """Who is alone in the lead after a day, and whether that has changed."""
    leader, most = NONE, -1
    for g in range(s.players):
        points = s.gang[g].points
        if points > most:
            leader, most = g, points
        elif points == most:
            leader = NONE
    if leader != NONE:
        s.gang[leader].led[s.day - 1] = 1
        if s.leader != NONE and s.leader != leader:
            s.changes += 1
        s.leader = leader


@kernel
def pass_night(s, t, journal):  # type: ignore[no-untyped-def]
    """New territories open, and then all wounded followers of all gangs are patched up (G13-10, G5-25)."""
    note(journal, NIGHT)
    open_territories(s, t, journal)
    for g in range(s.players):
        gang = s.gang[g]
        for i in range(gang.lair):
            if gang.hurt[i] == 1:
                patch(s, t, journal, g, gang.card[i])
