"""What cards do: the one place that applies a row of effect (packs/README.md has the vocabulary)."""

from __future__ import annotations

from simcore.journal import note
from simcore.kernels import has_room, kernel
from simcore.mech.rooms import add_terms, change_hull, mend_room, repair, worsen
from simcore.mech.state import CREW_DOWN, INOPERABLE, NONE
from simcore.mech.tables import KIND, WHAT, WHOM
from simcore.mech.tell import ACTIONS_NOW, FALLS, HEALTH_NOW, LEAVES_GAME, SCRAPS_TOP, STEPS_NOW
from simcore.piles import take_top

HEALTH, HULL, ACTIONS, DOUSE = WHAT["health"], WHAT["hull"], WHAT["actions"], WHAT["douse"]
REPAIR, WORSEN, SCRAP, STEP = WHAT["repair"], WHAT["worsen"], WHAT["scrap"], WHAT["step"]
SELF, MATE, CREW, EVERYONE = WHOM["self"], WHOM["mate"], WHOM["crew"], WHOM["everyone"]
ARMOR, GEAR = KIND["armor"], KIND["gear"]


@kernel
def fold_crew(s, t, c):  # type: ignore[no-untyped-def]
    """What lasts on a crew member: his ability, what he carries, and the best armor alone (M17-11, M4-31)."""
    member = s.crew[c]
    member.term[:] = 0
    add_terms(member.term, t.ability[member.ability].text)
    for i in range(member.items):
        if in_use(s, t, c, i):
            add_terms(member.term, t.card[member.held[i]].text)
    fold_worth(s, t, c)


@kernel
def fold_worth(s, t, c):  # type: ignore[no-untyped-def]
    """What equipment is worth to its owner: the best of each kind, and each piece beside the others of its kind, of
    which the second best is worth a fifth; gear is always worth all."""
    member = s.crew[c]
    member.best[:] = 0
    for i in range(member.items):
        mine, beside = t.card[member.held[i]], 0
        member.best[mine.kind] = max(member.best[mine.kind], mine.worth)
        for j in range(member.items):
            other = t.card[member.held[j]]
            if j != i and other.kind == mine.kind:
                beside = max(beside, other.worth)
        alone = max(mine.worth - beside, 0) + mine.worth // 5
        member.kept[i] = mine.worth if mine.kind == GEAR else alone


@kernel
def in_use(s, t, c, place):  # type: ignore[no-untyped-def]
    """Whether a piece of equipment helps: of several armors only the best, the first of equals (M17-11, M4-31)."""
    member = s.crew[c]
    mine = t.card[member.held[place]]
    if mine.kind == ARMOR:
        for i in range(member.items):
            other = t.card[member.held[i]]
            better = other.worth > mine.worth or (other.worth == mine.worth and i < place)
            if other.kind == ARMOR and better:
                return False
    return True


@kernel
def heal(s, journal, c, many):  # type: ignore[no-untyped-def]
    """Give Health back, to the starting value at most (M5-28); the Downed need a Revive."""
    member = s.crew[c]
    if member.downed == 0:
        gained = min(many, member.top - member.health)
        member.health += gained
        if gained > 0:
            note(journal, HEALTH_NOW, c, gained, member.health)


@kernel
def hurt(s, journal, c, many):  # type: ignore[no-untyped-def]
    """Take Health; at 0 he is Downed (M14-11), and with all Downed the game is lost (M11-05)."""
    member = s.crew[c]
    lost = min(many, member.health)
    if member.downed == 1 or lost <= 0:
        return
    member.health -= lost
    member.hurt += lost
    note(journal, HEALTH_NOW, c, -lost, member.health)
    if member.health == 0:
        member.downed = 1
        member.downs += 1
        s.downed += 1
        s.downs += 1
        s.room[member.room].crew -= 1
        note(journal, FALLS, c)
        if s.downed == s.players and s.over == 0:
            s.over, s.ending = 1, CREW_DOWN


@kernel
def change_health(s, journal, c, many):  # type: ignore[no-untyped-def]
    """Health up or down."""
    if many > 0:
        heal(s, journal, c, many)
    else:
        hurt(s, journal, c, -many)


@kernel
def patient_of(s, c, room):  # type: ignore[no-untyped-def]
    """The crew member other than c in a room who lacks the most Health and stands; NONE if nobody lacks any."""
    best, lack = NONE, 0
    for other in range(len(s.crew)):
        member = s.crew[other]
        there = other != c and member.here == 1 and member.room == room and member.downed == 0
        if there and member.top - member.health > lack:
            best, lack = other, member.top - member.health
    return best


@kernel
def apply(s, t, journal, effect, c, room):  # type: ignore[no-untyped-def]
    """Do a deed that strikes no enemy: `c` uses it (NONE for a room, an event or an enemy), `room` is where."""
    what, whom, many = effect.what, effect.whom, effect.many
    if s.over == 1:
        return
    if what in (HEALTH, ACTIONS):
        if whom in (SELF, MATE):
            one = c if whom == SELF else patient_of(s, c, room)
            if one != NONE:
                give(s, journal, one, what, many)
        else:
            for other in range(len(s.crew)):
                member = s.crew[other]
                if member.here == 1 and member.downed == 0 and (whom == EVERYONE or member.room == room):
                    give(s, journal, other, what, many)
    elif what == HULL:
        change_hull(s, t, journal, many)
    elif what == DOUSE:
        mend_room(s, t, journal, room, INOPERABLE)
    elif what == REPAIR:
        repair(s, t, journal, room)
    elif what == WORSEN:
        worsen(s, t, journal, room, many)
    elif what == SCRAP:
        salvage_scrap(s, journal, many)
    elif what == STEP and c != NONE:
        s.crew[c].steps = max(0, s.crew[c].steps + many)
        note(journal, STEPS_NOW, c, s.crew[c].steps)


@kernel
def give(s, journal, c, what, many):  # type: ignore[no-untyped-def]
    """Health or actions to a crew member."""
    if what == HEALTH:
        change_health(s, journal, c, many)
    else:
        change = max(many, -s.crew[c].actions)
        s.crew[c].actions += change
        if change != 0:
            note(journal, ACTIONS_NOW, c, change, s.crew[c].actions)


@kernel
def salvage_scrap(s, journal, many):  # type: ignore[no-untyped-def]
    """Move cards from the top of the salvage deck to the Scrap Pile, or with many below 0 from there to the box."""
    for _ in range(many):
        card = take_top(s.salvage)
        if card >= 0:
            note(journal, SCRAPS_TOP, card)
            scrap_card(s, card)
    box_scrap(s, journal, min(max(0, -many), s.scraps))


@kernel
def scrap_card(s, card):  # type: ignore[no-untyped-def]
    """Lay a salvage card on the Scrap Pile; any card there is Scrap (M5-22)."""
    if has_room(s, s.scraps, len(s.scrap)):
        s.scrap[s.scraps] = card
        s.scraps += 1


@kernel
def box_scrap(s, journal, many):  # type: ignore[no-untyped-def]
    """Discard cards of the Scrap Pile, the oldest first: out of the game (M17-19)."""
    for i in range(many):
        note(journal, LEAVES_GAME, s.scrap[i])
    for i in range(many, s.scraps):
        s.scrap[i - many] = s.scrap[i]
    s.scraps -= many
    s.boxed += many
    s.scrapped += many
