"""Followers and their states: in a lair, on a territory, in a hand, in the pool (the book's Card States)."""

from __future__ import annotations

from simcore.gangs.state import FANATIC, NONE, SLAVE, STAYS
from simcore.gangs.tables import RULINGS, STACK, WHAT
from simcore.gangs.tell import DRAWS, FODDER_COMES, HOME_WOUNDED, PATCHED, RESHUFFLES, SLAVES_LEAVE, WOUNDED
from simcore.journal import note
from simcore.kernels import has_room, index, inlined, kernel
from simcore.piles import discard_card, renew, take_top

TWO_KINDS = RULINGS["fodder_cards"].index("two_kinds")
SLAVES, FANATICS, DRAW = WHAT["slaves"], WHAT["fanatics"], WHAT["draw"]


@inlined
def count_ready(t, gang, card, sign):  # type: ignore[no-untyped-def]
    """Keep count of the unwounded followers of a lair as one comes (sign 1) or goes (-1)."""
    follower = t.card[index(card)]
    gang.ready += sign
    gang.coloured += sign * follower.coloured
    gang.force += sign * (1 + follower.might)
    gang.furies += sign * int(follower.frenzy > 0)
    gang.grabs += sign * follower.grabs
    gang.strips += sign * follower.strips


@kernel
def enter_lair(s, t, g, card, hurt):  # type: ignore[no-untyped-def]
    """A raider or mercenary comes into its lair, upright or wounded."""
    gang = s.gang[g]
    if not has_room(s, gang.lair, STACK):
        return
    gang.card[gang.lair], gang.hurt[gang.lair], gang.sent[gang.lair] = card, hurt, 0
    gang.lair += 1
    if hurt == 0:
        count_ready(t, gang, card, 1)


@kernel
def leave_lair(s, t, g, i):  # type: ignore[no-untyped-def]
    """The follower at place i of a lair leaves it; the others move up. Its card."""
    gang = s.gang[g]
    card = gang.card[i]
    if gang.hurt[i] == 0:
        count_ready(t, gang, card, -1)
    gang.lair -= 1
    for j in range(i, gang.lair):
        gang.card[j], gang.hurt[j], gang.sent[j] = gang.card[j + 1], gang.hurt[j + 1], gang.sent[j + 1]
    return card


@kernel
def find_in_lair(s, g, card, hurt):  # type: ignore[no-untyped-def]
    """The place of a follower that is wounded (hurt 1) or not and not yet in the squad (0), rather one that needn't
    stay at home; NONE if there is none."""
    gang, found = s.gang[g], NONE
    for i in range(gang.lair):
        if gang.card[i] == card and gang.hurt[i] == hurt:
            if gang.sent[i] == 0:
                return i
            if gang.sent[i] == STAYS and found == NONE:
                found = i
    return found


@kernel
def wound(s, t, journal, g, card):  # type: ignore[no-untyped-def]
    """Wound an unwounded follower of a lair; fodder is destroyed instead (G14-04, G14-12)."""
    gang = s.gang[g]
    if card in (SLAVE, FANATIC):
        note(journal, WOUNDED, g, card)
        lose_fodder(s, t, g, card, 1)
        return
    i = find_in_lair(s, g, card, 0)
    if i != NONE:
        gang.hurt[i] = 1
        gang.wounded += 1
        count_ready(t, gang, card, -1)
        note(journal, WOUNDED, g, card)


@kernel
def patch(s, t, journal, g, card):  # type: ignore[no-untyped-def]
    """Patch up a wounded follower of a lair (G5-05)."""
    i = find_in_lair(s, g, card, 1)
    if i != NONE:
        s.gang[g].hurt[i] = 0
        count_ready(t, s.gang[g], card, 1)
        note(journal, PATCHED, g, card)


# ---------------------------------------------------------------- fodder


@inlined
def pool_left(s, t, kind):  # type: ignore[no-untyped-def]
    """Slaves or fanatics left in the pool: each card is both unless the ruling says two kinds."""
    return s.fanatics if kind == FANATIC and t.ruling.fodder_cards == TWO_KINDS else s.slaves


@kernel
def from_pool(s, t, kind, many):  # type: ignore[no-untyped-def]
    """Move fodder out of the pool (many below 0: back into it)."""
    if kind == FANATIC and t.ruling.fodder_cards == TWO_KINDS:
        s.fanatics -= many
    else:
        s.slaves -= many


@kernel
def gain_fodder(s, t, journal, g, kind, many):  # type: ignore[no-untyped-def]
    """Slaves or fanatics from the pool into a lair, as many as are left."""
    gang, got = s.gang[g], min(many, pool_left(s, t, kind))
    from_pool(s, t, kind, got)
    if kind == SLAVE:
        gang.slaves += got
    else:
        gang.fanatics += got
    gang.made += got
    note(journal, FODDER_COMES, g, kind, got, NONE)


@kernel
def lose_fodder(s, t, g, kind, many):  # type: ignore[no-untyped-def]
    """Fodder of a lair goes back to the pool (G14-04, G5-14)."""
    gang = s.gang[g]
    if kind == SLAVE:
        gang.slaves -= many
    else:
        gang.fanatics -= many
    gang.spent += many
    from_pool(s, t, kind, -many)


# ---------------------------------------------------------------- territories


@kernel
def stand_on(s, t, j, card):  # type: ignore[no-untyped-def]
    """A raider or mercenary comes to stand on a territory."""
    place, follower = s.place[j], t.card[card]
    if not has_room(s, place.cards, STACK):
        return
    place.card[place.cards] = card
    place.cards += 1
    place.coloured += follower.coloured
    place.guard += 1 + follower.guard


@kernel
def step_off(s, t, j, i):  # type: ignore[no-untyped-def]
    """The follower at place i of a territory leaves it; with the last one it becomes neutral. Its card."""
    place = s.place[j]
    card = place.card[i]
    place.cards -= 1
    place.coloured -= t.card[card].coloured
    place.guard -= 1 + t.card[card].guard
    for k in range(i, place.cards):
        place.card[k] = place.card[k + 1]
    if place.cards == 0 and place.slaves == 0:
        place.owner = NONE
    return card


@kernel
def free_slaves(s, t, journal, j, many):  # type: ignore[no-untyped-def]
    """Slaves on a territory go back to the pool (G14-07)."""
    place = s.place[j]
    if many > 0:
        note(journal, SLAVES_LEAVE, place.owner, many, place.site)
    place.slaves -= many
    place.guard -= many
    s.gang[place.owner].spent += many
    from_pool(s, t, SLAVE, -many)
    if place.cards == 0 and place.slaves == 0:
        place.owner = NONE


@kernel
def knock_out(s, t, journal, g, card, site):  # type: ignore[no-untyped-def]
    """A follower comes home wounded from a territory, and does what it does then (G14-07)."""
    enter_lair(s, t, g, card, 1)
    s.gang[g].wounded += 1
    note(journal, HOME_WOUNDED, g, card, site)
    follower = t.card[card]
    for i in range(follower.falls):
        what, many = follower.fall[i].what, follower.fall[i].many
        if what == DRAW:
            draw(s, journal, g, many)
        else:
            gain_fodder(s, t, journal, g, SLAVE if what == SLAVES else FANATIC, many)


@kernel
def can_leave(s, t, j, card):  # type: ignore[no-untyped-def]
    """Whether a follower may be discarded from a territory or go home: not the last raider while grey ones stay
    (G14-06)."""
    place = s.place[j]
    return t.card[card].coloured == 0 or place.coloured > 1 or place.cards + place.slaves == place.coloured


# ---------------------------------------------------------------- hands and decks


@kernel
def take_in_hand(s, g, card):  # type: ignore[no-untyped-def]
    """A card comes into a hand."""
    gang = s.gang[g]
    if not has_room(s, gang.hand, STACK):
        return
    gang.held[gang.hand] = card
    gang.hand += 1


@kernel
def take_out(cards, many, card):  # type: ignore[no-untyped-def]
    """Take a copy of a card out of the first `many` of `cards` (int64); the others move up. 1 if it was there."""
    found = 0
    for i in range(many):
        if found == 1:
            cards[i - 1] = cards[i]
        elif cards[i] == card:
            found = 1
    return found


@kernel
def take_from_hand(s, g, card):  # type: ignore[no-untyped-def]
    """A copy of a card leaves a hand."""
    gang = s.gang[g]
    gang.hand -= take_out(gang.held, gang.hand, card)


@kernel
def draw(s, journal, g, many):  # type: ignore[no-untyped-def]
    """Draw from the own deck, shuffling the own discard pile into a new one when it has run out; fewer if there are no
    cards (G13-09, G4-05)."""
    gang = s.gang[g]
    for _ in range(many):
        if gang.deck.left == 0 and gang.deck.discarded > 0:
            note(journal, RESHUFFLES, g, gang.deck.discarded)
        renew(gang.deck)
        card = take_top(gang.deck)
        if card >= 0:
            take_in_hand(s, g, card)
            note(journal, DRAWS, g, card)


@kernel
def discard(s, g, card):  # type: ignore[no-untyped-def]
    """A raider or mercenary goes to the own discard pile (G4-01, G4-21)."""
    discard_card(s.gang[g].deck, card)
