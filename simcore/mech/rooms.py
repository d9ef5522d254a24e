"""Rooms and conditions, the hull, and who stands where."""

from __future__ import annotations

from simcore.journal import note
from simcore.kernels import inlined, kernel
from simcore.mech.cards import ROOMS
from simcore.mech.state import FUNCTIONAL, HULL_LOST, INOPERABLE, NONE, ON_FIRE
from simcore.mech.tables import FUNCTION, WHAT, WHEN
from simcore.mech.tell import BURNS, FIRES, HOLDS, HULL_NOW, LOST, MENDS_ROOM, NOISE_NOW, WORSENS

DECK, CRANE = FUNCTION["deck"], FUNCTION["crane"]
STANDING = WHEN["standing"]
PROOF = WHAT["proof"]


@inlined
def works(s, room):  # type: ignore[no-untyped-def]
    """Whether a room is Functional; while The Scourge's beacon is hidden none counts as such (M110-11)."""
    return s.room[room].condition == FUNCTIONAL and s.hidden == 0


@kernel
def add_terms(term, text):  # type: ignore[no-untyped-def]
    """Add what lasts of a card to the numbers by term."""
    for i in range(text.effects):
        effect = text.effect[i]
        if effect.when == STANDING:
            term[effect.what] += effect.many


@kernel
def fold_room(s, t, room):  # type: ignore[no-untyped-def]
    """What lasts in a room: its upgrade's terms, while it works (M5-09); a crane's from the next round on (M17-08)."""
    place = s.room[room]
    place.term[:] = 0
    asleep = place.fresh == 1 and t.room[room].function == CRANE
    if place.upgrade != NONE and works(s, room) and not asleep:
        add_terms(place.term, t.card[place.upgrade].text)


@kernel
def go_dark(s, t, hidden):  # type: ignore[no-untyped-def]
    """While the beacon is hidden all rooms count as Inoperable, with what was built into them (M110-11, M5-38)."""
    s.hidden = hidden
    for room in range(1, ROOMS + 1):
        fold_room(s, t, room)


@kernel
def wake_rooms(s, t):  # type: ignore[no-untyped-def]
    """As a round begins: upgrades of the last one count everywhere (M17-08), and no room has been damaged yet."""
    for room in range(1, ROOMS + 1):
        place = s.room[room]
        place.struck = 0
        if place.fresh == 1:
            place.fresh = 0
            fold_room(s, t, room)


@inlined
def printed(s, t, room, many):  # type: ignore[no-untyped-def]
    """A number printed on a room itself: an upgrade lies over it if the ruling says so (M5-25)."""
    covered = s.room[room].upgrade != NONE and s.room[room].fresh == 0 and t.ruling.upgrade_over_function == 1
    return 0 if covered else many


@kernel
def worsen(s, t, journal, room, steps):  # type: ignore[no-untyped-def]
    """Damage a room: never beyond On Fire, decks and The Wastes never (M16-01, M16-12, M5-19); what it is proof
    against is off."""
    place = s.room[room]
    if t.room[room].function == DECK or not 1 <= room <= ROOMS:
        return
    blocked = min(steps, max(0, place.term[PROOF] - place.struck))
    place.struck += steps
    if blocked > 0:
        note(journal, HOLDS, room)
    worse = min(steps - blocked, ON_FIRE - place.condition)
    if worse <= 0:
        return
    place.condition += worse
    note(journal, WORSENS, room, place.condition)
    if place.condition == ON_FIRE:
        burn(s, t, journal, room)
    fold_room(s, t, room)


@kernel
def burn(s, t, journal, room):  # type: ignore[no-untyped-def]
    """A fire breaks out: the upgrade and the equipment on the floor leave the game (M16-12, M17-19)."""
    place = s.room[room]
    s.fires += 1
    note(journal, BURNS, room)
    for i in range(place.items):
        note(journal, LOST, place.floor[i])
    s.boxed += place.items
    place.items = 0
    if place.upgrade != NONE:
        note(journal, LOST, place.upgrade)
        take_off(s, t, journal, room)
        s.boxed += 1


@kernel
def take_off(s, t, journal, room):  # type: ignore[no-untyped-def]
    """Take the upgrade off a room, with its Noise if the ruling says so (M5-27)."""
    place = s.room[room]
    if t.ruling.noise_leaves_with_card == 0:
        change_noise(s, journal, -t.card[place.upgrade].noise)
    place.upgrade, place.fresh = NONE, 0


@inlined
def change_noise(s, journal, many):  # type: ignore[no-untyped-def]
    """Noise up or down (M17-01)."""
    s.noise += many
    if many != 0:
        note(journal, NOISE_NOW, many, s.noise)


@kernel
def mend_room(s, t, journal, room, to):  # type: ignore[no-untyped-def]
    """Bring a room to a better condition; a worse one is left alone, and so is all in the dark (M5-38)."""
    if s.room[room].condition > to and s.hidden == 0:
        s.room[room].condition = to
        note(journal, MENDS_ROOM, room, to)
        fold_room(s, t, room)


@kernel
def repair(s, t, journal, room):  # type: ignore[no-untyped-def]
    """From Inoperable to Functional (M13-03)."""
    if s.room[room].condition == INOPERABLE:
        mend_room(s, t, journal, room, FUNCTIONAL)


@kernel
def change_hull(s, t, journal, many):  # type: ignore[no-untyped-def]
    """Hull up (to its start, by the ruling M4-23) or down; at 0 the game is lost at once (M11-04)."""
    if s.over == 1:
        return
    if many > 0 and t.ruling.hull_cap == 0:
        many = min(many, max(0, t.mech.hull - s.hull))
    before = s.hull
    s.hull = max(0, s.hull + many)
    if s.hull != before:
        note(journal, HULL_NOW, s.hull - before, s.hull)
    if s.hull == 0:
        s.over, s.ending = 1, HULL_LOST


@kernel
def fire_damage(s, t, journal):  # type: ignore[no-untyped-def]
    """One Hull for each room On Fire (M12-06, M5-07)."""
    if s.over == 1:
        return
    fires = 0
    for room in range(1, ROOMS + 1):
        if s.room[room].condition == ON_FIRE:
            fires += 1
    if fires > 0:
        note(journal, FIRES, fires)
    change_hull(s, t, journal, -fires)


@kernel
def stand_in(s, c, room):  # type: ignore[no-untyped-def]
    """Put a crew member into a room; who is Downed is not counted there (M4-07)."""
    member = s.crew[c]
    if member.downed == 0:
        s.room[member.room].crew -= 1
        s.room[room].crew += 1
    member.room = room
