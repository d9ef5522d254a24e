"""Bosses (optional): The Harrow, lured up by killing its tentacles, and The Scourge, which blinds the mech until its
beacon is found."""

from __future__ import annotations

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import kernel
from simcore.mech.cards import ROOMS
from simcore.mech.choices import decide
from simcore.mech.enemies import appear
from simcore.mech.escalation import draw_enemy
from simcore.mech.events import befall, end_event
from simcore.mech.rooms import go_dark
from simcore.mech.state import BOSS, BOSS_BEATEN, CLEANING, CLEARED, NONE, PREPARING, SANCTUARY
from simcore.mech.tables import FUNCTION, ROLE, WHEN
from simcore.mech.tell import ALL_CLEAR, BOSS_COMES, FINDS, ORDERS, SURFACES
from simcore.piles import discard_card, draw_card, put_on_top, shuffle_pile
from simcore.streams import bounded, word

NO_BOSS, HARROW, SCOURGE = range(3)
"""The setting `boss`."""

TENTACLE, THE_HARROW, HUSHER, THE_SCOURGE, CAPTAIN = (
    ROLE["tentacle"], ROLE["harrow"], ROLE["husher"], ROLE["scourge"], ROLE["captain"],
)  # fmt: skip
BLANK, BEACON, BOMB = range(3)
"""Cards of the search deck (M110-09)."""

DECK_ROOM = FUNCTION["deck"]
DRAWN = WHEN["drawn"]


# ---------------------------------------------------------------- from Sanctuary to the boss


@kernel
def win_if_clean(s, t, stream, journal):  # type: ignore[no-untyped-def]
    """Whether the game is won now: no enemy left after Sanctuary is reached (M11-02, M5-05, M5-06), or the boss beaten
    (M5-33, M110-13). With a boss to come the round is finished first (M110-01)."""
    if s.over == 1:
        return
    if s.phase == CLEANING:
        left = s.enemies if t.ruling.wastes_count_for_win == 0 else s.enemies - s.room[ROOMS + 1].enemies
        if left == 0 and t.table.boss == NO_BOSS:
            s.over, s.ending = 1, SANCTUARY
        elif left == 0:
            s.phase = CLEARED
            note(journal, ALL_CLEAR)
            end_event(s, journal)
    elif s.phase == BOSS and s.quarry != NONE and not on_board(s, s.quarry):
        if t.enemy[s.quarry].role == THE_SCOURGE:
            captain_emerges(s, t, stream, journal)
        else:
            s.over, s.ending = 1, BOSS_BEATEN


@kernel
def next_phase(s, t, journal):  # type: ignore[no-untyped-def]
    """As a round begins: one full round to prepare (M110-01), then the boss."""
    if s.phase == CLEARED:
        s.phase = PREPARING
    elif s.phase == PREPARING:
        s.phase = BOSS
        set_up_boss(s, t, journal)


@kernel
def on_board(s, card):  # type: ignore[no-untyped-def]
    """Whether an enemy of this card is on the board."""
    there = False
    for e in range(s.enemies):
        there = there or (s.enemy[e].card == card and s.enemy[e].health > 0)
    return there


@kernel
def card_of(t, role):  # type: ignore[no-untyped-def]
    """The enemy card with a role in a boss fight, or NONE."""
    for card in range(t.enemies):
        if t.enemy[card].role == role:
            return card
    return NONE


@kernel
def set_up_boss(s, t, journal):  # type: ignore[no-untyped-def]
    """Set up the boss: its orders, and the enemy deck of its own (M110-02, M110-03, M110-08 to M110-10)."""
    harrow = t.table.boss == HARROW
    s.deck.left, s.deck.discarded = 0, 0
    for card in range(t.enemies):
        if t.enemy[card].role == (TENTACLE if harrow else HUSHER):
            for _ in range(t.enemy[card].copies):
                put_on_top(s.deck, card)
    shuffle_pile(s.deck)
    for order in range(t.orders):
        if t.order[order].boss == t.table.boss:
            for _ in range(t.order[order].copies):
                put_on_top(s.orders, order)
    shuffle_pile(s.orders)
    note(journal, BOSS_COMES, t.table.boss, s.deck.left, s.orders.left, s.players + 5)
    if harrow:
        spawn_tentacles(s, t, journal)
    else:
        open_search_deck(s, t)
        come(s, t, journal, card_of(t, THE_SCOURGE), ROOMS + 1)


@kernel
def come(s, t, journal, card, room):  # type: ignore[no-untyped-def]
    """The boss, or its captain, appears: it is what must be destroyed now."""
    s.quarry = card
    appear(s, t, journal, card, room)


# ---------------------------------------------------------------- what a boss does


@kernel
def boss_acts(s, t, stream, journal):  # type: ignore[no-untyped-def]
    """The boss draws and carries out an order: The Harrow only when it is up (M110-06), The Scourge unless it is
    stunned or gone (M110-12, M5-39)."""
    if t.table.boss == HARROW:
        acts = s.quarry != NONE
    else:
        acts = s.stunned == 0 and t.enemy[s.quarry].role == THE_SCOURGE
        s.stunned = max(0, s.stunned - 1)
    if not acts or s.over == 1:
        return
    order = draw_card(s.orders)
    if order >= 0:
        note(journal, ORDERS, order)
        befall(s, t, journal, t.order[order].text, DRAWN, 0)
        discard_card(s.orders, order)


# ---------------------------------------------------------------- The Harrow


@kernel
def spawn_tentacles(s, t, journal):  # type: ignore[no-untyped-def]
    """As many tentacles as crew members (M110-04)."""
    for _ in range(s.players):
        draw_enemy(s, t, journal)


@kernel
def surface(s, t, journal):  # type: ignore[no-untyped-def]
    """The Harrow comes up at two tentacles or fewer, three with five crew members (M110-05); up, it stays (M5-35)."""
    if s.over == 1:
        return
    tentacles = 0
    for e in range(s.enemies):
        tentacles += int(t.enemy[s.enemy[e].card].role == TENTACLE)
    if s.quarry == NONE and tentacles <= (3 if s.players == 5 else 2):
        note(journal, SURFACES)
        come(s, t, journal, card_of(t, THE_HARROW), ROOMS + 1)


# ---------------------------------------------------------------- The Scourge


@kernel
def open_search_deck(s, t):  # type: ignore[no-untyped-def]
    """Beacon, two bombs and two blanks shuffled, and a blank for each crew member on top (M110-09); rooms go dark."""
    s.searched, s.stunned, s.searches = 0, 0, 0
    go_dark(s, t, 1)
    for i in range(len(s.search)):
        s.search[i] = BLANK
    for i in range(5):
        s.search[s.players + i] = BEACON if i == 0 else (BOMB if i < 3 else BLANK)
    for i in range(4, 0, -1):
        j = bounded(word(word(s.orders.key, 77), i), i + 1)
        a, b = s.players + i, s.players + j
        s.search[a], s.search[b] = s.search[b], s.search[a]


@kernel
def search(s, t, journal, c):  # type: ignore[no-untyped-def]
    """Search the room (M110-11, M5-36): the beacon gives the mech back and stuns The Scourge; bombs do what they do."""
    room = s.crew[c].room
    s.crew[c].actions -= 1
    s.searched |= 1 << room
    found = s.search[s.searches]
    s.searches += 1
    note(journal, FINDS, c, found, room)
    if found == BEACON:
        s.stunned = t.mech.stun_rounds
        go_dark(s, t, 0)
    elif found == BOMB:
        for order in range(t.orders):
            if t.order[order].boss == 3:
                befall(s, t, journal, t.order[order].text, DRAWN, room)


@kernel
def captain_emerges(s, t, stream, journal):  # type: ignore[no-untyped-def]
    """When The Scourge is destroyed its captain boards a deck of the crew's choice (M110-13): who weighs likes the one
    with more crew in reach."""
    s.options = 0
    for deck in range(1, ROOMS + 1):
        if t.room[deck].function == DECK_ROOM:
            near = 0
            for c in range(s.players):
                near += t.room[s.crew[c].room].near[deck]
            offer(s, deck, near)
    room = decide(s, t, stream, s.first, 3800) if s.options > 0 else 1
    come(s, t, journal, card_of(t, CAPTAIN), room)
