"""Days and nights: territories open, gangs play hours until none is left, the wounded are patched up."""

from __future__ import annotations

from simcore.gangs.followers import patch
from simcore.gangs.hour import play_hour
from simcore.gangs.loot import remove_place
from simcore.gangs.state import NONE
from simcore.gangs.tell import DAY_CAPPED, DAY_ENDS, NIGHT, OPENS
from simcore.journal import note
from simcore.kernels import kernel
from simcore.piles import take_top


@kernel
def play_day(s, t, stream, journal):  # type: ignore[no-untyped-def]
    """Hours clockwise until no territory is left in the common zone (G13-02); the one after the last to play begins the
    next day (G13-03)."""
    s.day += 1
    s.hour = 0
    open_territories(s, t, journal)
    g = s.next
    while s.places > 0 and s.hour < t.table.most_hours * s.players:
        s.hour += 1
        s.hours += 1
        play_hour(s, t, stream, journal, g)
        g = (g + 1) % s.players
    s.next = g
    s.day_hours[s.day - 1] = s.hour
    if s.places > 0:
        stop_day(s, journal)
    else:
        note(journal, DAY_ENDS, s.day, s.hour)
    see_who_leads(s)


@kernel
def open_territories(s, t, journal):  # type: ignore[no-untyped-def]
    """One territory more than players, each with its loot (G12-04, G12-07, G13-10)."""
    for j in range(s.players + 1):
        site = take_top(s.sites)
        if site >= 0:
            place = s.place[j]
            place.open, place.site, place.kind, place.loot = 1, site, t.site[site].kind, t.rules.loot
            place.owner, place.cards, place.slaves, place.coloured, place.guard = NONE, 0, 0, 0, 0
            s.places += 1
            s.placed += t.rules.loot
            note(journal, OPENS, site)


@kernel
def stop_day(s, journal):  # type: ignore[no-untyped-def]
    """A day that never ends is cut off, and the game counts as unfinished (G4-15)."""
    s.capped += 1
    note(journal, DAY_CAPPED, s.day, s.hour)
    for j in range(len(s.place)):
        if s.place[j].open == 1:
            s.destroyed += s.place[j].loot
            remove_place(s, j)


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
    """All wounded followers of all gangs are patched up (G13-10, G5-25)."""
    note(journal, NIGHT)
    for g in range(s.players):
        gang = s.gang[g]
        for i in range(gang.lair):
            if gang.hurt[i] == 1:
                patch(s, t, journal, g, gang.card[i])
