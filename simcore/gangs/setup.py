"""Set-up: the decks of territories and mercenaries, the gangs, their hot starts and hands (G12)."""

from __future__ import annotations

from simcore.gangs import cards
from simcore.gangs.followers import draw, enter_lair
from simcore.gangs.state import DAYS, NONE
from simcore.gangs.tables import SEATS
from simcore.gangs.tell import BEGINS_WITH, FOR_HIRE, OPENS
from simcore.journal import note
from simcore.kernels import kernel
from simcore.piles import open_empty, put_on_top, shuffle_pile, take_top
from simcore.streams import DECK, at, upper_bits, word

SITE_DECK, MERCENARY_DECK, SET_CHOICE, GANG_DECKS = 0, 1, 2, 3
MARKS = len(cards.MARKS)


@kernel
def set_up(s, t, stream, journal, seats):  # type: ignore[no-untyped-def]
    """Everything as a game begins; the first player is the first seat (G4-28: all seatings are played)."""
    clear(s, t)
    seat_gangs(s, t, seats)
    open_sites(s, t, at(stream, DECK, SITE_DECK))
    open_mercenaries(s, t, at(stream, DECK, MERCENARY_DECK), at(stream, DECK, SET_CHOICE))
    for _ in range(t.rules.market):
        refill_market(s, journal)
    open_territories(s, t, journal)
    for g in range(s.players):
        open_gang(s, t, journal, g, at(stream, DECK, GANG_DECKS + g))


@kernel
def clear(s, t):  # type: ignore[no-untyped-def]
    """Counts and dials as at the beginning."""
    s.players, s.day, s.hour, s.hours, s.turn, s.next, s.overflow, s.capped = 0, 0, 0, 0, 0, 0, 0, 0
    s.changes, s.leader, s.places, s.market, s.gone, s.destroyed, s.razed, s.placed = 0, NONE, 0, 0, 0, 0, 0, 0
    s.days = t.rules.first_days if t.table.first_game == 1 else t.rules.days
    s.slaves, s.fanatics = t.rules.slaves, t.rules.fodder - t.rules.slaves
    if t.ruling.fodder_cards == 0:
        s.slaves, s.fanatics = t.rules.fodder, 0
    s.day_hours[:] = 0
    for place in s.place:
        place.open = 0


@kernel
def seat_gangs(s, t, seats):  # type: ignore[no-untyped-def]
    """The gangs in order round the table from the first player on; empty seats come last."""
    empty = SEATS
    for i in range(SEATS):
        seat = (seats.first + i) % SEATS
        if seats.role[seat] >= 0:
            seat_gang(s, t, s.players, seats, seat)
            s.players += 1
        else:
            empty -= 1
            seat_gang(s, t, empty, seats, seat)


@kernel
def seat_gang(s, t, g, seats, seat):  # type: ignore[no-untyped-def]
    """A gang with nothing yet."""
    gang = s.gang[g]
    gang.seat, gang.role, gang.bot, gang.here = seat, seats.role[seat], seats.bot[seat], int(seats.role[seat] >= 0)
    gang.weighs = 1 - t.bot[gang.bot].even
    gang.lair, gang.slaves, gang.fanatics, gang.ready, gang.coloured, gang.force = 0, 0, 0, 0, 0, 0
    gang.furies, gang.grabs, gang.strips, gang.hand, gang.loot, gang.trophies, gang.points = 0, 0, 0, 0, 0, 0, 0
    gang.began, gang.seized, gang.conquered, gang.lost, gang.wounded = int(g == 0), 0, 0, 0, 0
    gang.made, gang.spent, gang.hired, gang.destroyed, gang.hours = 0, 0, 0, 0, 0
    gang.kinds[:] = 0
    for day in range(DAYS):
        gang.led[day] = 0


@kernel
def keep_top(pile, many):  # type: ignore[no-untyped-def]
    """Leave only the top cards of a shuffled deck; the others take no part in the game."""
    extra = pile.left - many
    if extra > 0:
        for i in range(many):
            pile.deck[i] = pile.deck[i + extra]
        pile.left = many


@kernel
def open_sites(s, t, key):  # type: ignore[no-untyped-def]
    """The territory deck: a random part of all in the regular game (G12-01, G4-02), those with the marks of the number
    of players under the advanced rules (G12-06), or the deck of the first game (G12-13)."""
    open_empty(s.sites, key)
    many = t.rules.territories[s.players]
    for site in range(t.sites):
        card = t.site[site]
        used = card.first == 1 if t.table.first_game == 1 else t.table.advanced == 0 or card.players <= s.players
        if used:
            put_on_top(s.sites, site)
    if t.table.first_game == 1:
        many = s.sites.left - t.rules.fewer_territories * (SEATS - s.players)
    shuffle_pile(s.sites)
    keep_top(s.sites, many)


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
            note(journal, OPENS, site, t.rules.loot)


@kernel
def open_mercenaries(s, t, key, choice):  # type: ignore[no-untyped-def]
    """The mercenary deck: a random part of all, or whole sets with their marks evenly spread (G12-03, G16-26) and the
    leader, or the deck of the first game."""
    open_empty(s.mercenaries, key)
    for card in range(t.raiders, t.cards):
        follower = t.card[card]
        if t.table.first_game == 1:
            used = follower.first == 1 and follower.leader == 0
        elif t.table.advanced == 1 and follower.leader == 0:
            used = rank_among_mark(t, card, choice) < t.rules.sets[s.players] // MARKS
        else:
            used = True
        if used:
            for _ in range(follower.copies):
                put_on_top(s.mercenaries, card)
    many = s.mercenaries.left
    if t.table.first_game == 1:
        many -= t.rules.fewer_mercenaries * (SEATS - s.players)
    elif t.table.advanced == 0:
        many = t.rules.mercenaries[s.players]
    shuffle_pile(s.mercenaries)
    keep_top(s.mercenaries, many)


@kernel
def rank_among_mark(t, card, key):  # type: ignore[no-untyped-def]
    """The place of a set among those of its mark in a random order."""
    rank, mine = 0, upper_bits(word(key, card), 63)
    for other in range(t.raiders, t.cards):
        if t.card[other].mark == t.card[card].mark and upper_bits(word(key, other), 63) < mine:
            rank += 1
    return rank


@kernel
def refill_market(s, journal):  # type: ignore[no-untyped-def]
    """Open the next mercenary at once (G13-04); the market shrinks when the deck has run out (G4-17)."""
    card = take_top(s.mercenaries)
    if card >= 0:
        s.offer[s.market] = card
        s.market += 1
        note(journal, FOR_HIRE, card)


@kernel
def open_gang(s, t, journal, g, key):  # type: ignore[no-untyped-def]
    """A gang's deck without its hot start (G12-09), which lies in the lair; leaders stay out of the first game; then
    the hand (G12-10)."""
    gang = s.gang[g]
    open_empty(gang.deck, key)
    hot = t.gang[gang.role].hot
    for card in range(t.raiders):
        follower = t.card[card]
        if follower.gang == gang.role and not (follower.leader == 1 and t.table.first_game == 1):
            for _ in range(follower.copies - int(hot[0] == card) - int(hot[1] == card)):
                put_on_top(gang.deck, card)
    for i in range(2):
        enter_lair(s, t, g, hot[i], 0)
    note(journal, BEGINS_WITH, g, hot[0], hot[1], gang.deck.left)
    shuffle_pile(gang.deck)
    draw(s, journal, g, t.rules.hand)
