"""Loot and territories: collecting, taking to the trophies, and scoring."""

from __future__ import annotations

from simcore.gangs.followers import discard, free_slaves, step_off
from simcore.gangs.state import NONE
from simcore.gangs.tables import RULINGS
from simcore.gangs.tell import COLLECTS, DESTROYS_LOOT, LEAVES_WITH, NO_ONE_TAKES, PLUNDERS, TAKES_TERRITORY
from simcore.journal import note
from simcore.kernels import inlined, kernel

COMMON_DISCARD = RULINGS["taken_followers"].index("common_discard")


@inlined
def points_for(s, t, g, kind):  # type: ignore[no-untyped-def]
    """What one more territory of a type is worth to a gang (G15-02, G15-03)."""
    return t.rules.first_of_type if s.gang[g].kinds[kind] == 0 else t.rules.more_of_type


@inlined
def gain_loot(s, g, many):  # type: ignore[no-untyped-def]
    """Loot comes to the trophies (G15-01)."""
    s.gang[g].loot += many
    s.gang[g].points += many


@kernel
def plunder(s, t, journal, g, j, many):  # type: ignore[no-untyped-def]
    """Take loot from a territory by an ability, as far as it goes."""
    got = min(many, s.place[j].loot)
    s.place[j].loot -= got
    gain_loot(s, g, got)
    note(journal, PLUNDERS, g, s.place[j].site, got, s.place[j].loot)


@kernel
def spoil(s, journal, g, j, many):  # type: ignore[no-untyped-def]
    """Destroy loot on a territory, as far as it goes."""
    lost = min(many, s.place[j].loot)
    s.place[j].loot -= lost
    s.destroyed += lost
    note(journal, DESTROYS_LOOT, g, s.place[j].site, lost, s.place[j].loot)


@inlined
def collect(s, t, journal, g):  # type: ignore[no-untyped-def]
    """Phase 4: 1 loot from each territory that the gang holds (G13-07)."""
    for place in s.place:
        if place.open == 1 and place.owner == g and place.loot > 0:
            place.loot -= 1
            gain_loot(s, g, 1)
            note(journal, COLLECTS, g, place.site, place.loot)


@inlined
def take_to_trophies(s, t, journal):  # type: ignore[no-untyped-def]
    """Phase 5: every territory without loot goes to whoever holds it; without holder it leaves the game (G13-08, G4-13,
    G5-20)."""
    for j in range(len(s.place)):
        place = s.place[j]
        if place.open == 1 and place.loot == 0:
            if place.owner != NONE:
                take_territory(s, t, journal, place.owner, j)
            else:
                note(journal, NO_ONE_TAKES, place.site)
                remove_place(s, j)


@kernel
def take_territory(s, t, journal, g, j):  # type: ignore[no-untyped-def]
    """A territory goes to a gang's trophies; those who stood there to its discard pile, slaves to the pool (G14-11)."""
    place, gang = s.place[j], s.gang[g]
    points, common = points_for(s, t, g, place.kind), t.ruling.taken_followers == COMMON_DISCARD
    gang.kinds[place.kind] += 1
    gang.trophies += 1
    gang.points += points
    note(journal, TAKES_TERRITORY, g, place.site, points)
    free_slaves(s, t, journal, j, place.slaves)
    while place.cards > 0:
        card = step_off(s, t, j, place.cards - 1)
        note(journal, LEAVES_WITH, g, card, int(common))
        if common:
            s.gone += 1
        else:
            discard(s, g, card)
    remove_place(s, j)


@inlined
def remove_place(s, j):  # type: ignore[no-untyped-def]
    """A territory leaves the common zone."""
    s.place[j].open = 0
    s.places -= 1


@kernel
def sets_of(t, gang):  # type: ignore[no-untyped-def]
    """How many complete sets of all types a gang has in its trophies."""
    fewest = gang.trophies
    for site in range(t.sites):
        fewest = min(fewest, gang.kinds[t.site[site].kind])
    return fewest


@kernel
def is_ahead(gang, other):  # type: ignore[no-untyped-def]
    """Whether a gang finishes before another one: more points, then more territories (G15-06)."""
    return gang.points > other.points or (gang.points == other.points and gang.trophies > other.trophies)


@kernel
def place_of(s, g):  # type: ignore[no-untyped-def]
    """The place of a gang, 1 for the first; equal ones share it."""
    place = 1
    for other in range(s.players):
        if is_ahead(s.gang[other], s.gang[g]):
            place += 1
    return place
