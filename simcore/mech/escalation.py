"""The enemy deck: spawning, what happens when it runs out, milestones, and advancing to them."""

from __future__ import annotations

from simcore.journal import note
from simcore.kernels import kernel
from simcore.mech.cards import WASTES
from simcore.mech.enemies import appear, spawn_room
from simcore.mech.rooms import printed, works
from simcore.mech.state import BOSS, CLEANING, JOURNEY
from simcore.mech.tables import WHAT
from simcore.mech.tell import ADVANCES, ARRIVES, HARMLESS, LEVEL_IN, NEW_DECK, PASSED_OVER, STUCK
from simcore.piles import discard_card, put_at_bottom, put_on_top, shuffle_pile, take_discard, take_top
from simcore.streams import bounded, word

LEVELS = 3
SPEED, NOISE = WHAT["speed"], WHAT["noise"]
BY_ENGINE, BY_COCKPIT, BY_WASTES, IN_ALL = range(4)
"""Why the mech stood still."""


@kernel
def add_level(s, t, level):  # type: ignore[no-untyped-def]
    """Shuffle every card of a level into the enemy deck; what is left of earlier levels stays (M11-09, M4-05)."""
    s.level = level
    for card in range(t.enemies):
        if t.enemy[card].level == level and t.enemy[card].role == 0:
            for _ in range(t.enemy[card].copies):
                put_on_top(s.deck, card)
    shuffle_pile(s.deck)


@kernel
def renew_deck(s, t, journal):  # type: ignore[no-untyped-def]
    """When the deck is empty: the next level alone (M11-11), or the level 3 enemies again without harmless cards, from
    the discards (M11-12, M4-04). The deck of a boss fight is not renewed, as nothing says so."""
    if s.deck.left > 0 or s.phase == BOSS:
        return
    again = int(s.level == LEVELS)
    if again == 0:
        add_level(s, t, s.level + 1)
    else:
        for card in range(t.enemies):
            if t.enemy[card].level == LEVELS and t.enemy[card].harmless == 0 and t.enemy[card].role == 0:
                while take_discard(s.deck, card):
                    put_on_top(s.deck, card)
        shuffle_pile(s.deck)
    if s.deck.left > 0:
        note(journal, NEW_DECK, s.level, s.deck.left, again)


@kernel
def draw_enemy(s, t, journal):  # type: ignore[no-untyped-def]
    """Draw and resolve one enemy card. A deck that runs out is renewed at once (M5-45); one that could not be, when it
    is next drawn from."""
    if s.over == 1:
        return
    renew_deck(s, t, journal)
    card = take_top(s.deck)
    if card < 0:
        return
    s.drawn += 1
    if t.enemy[card].harmless == 1:
        discard_card(s.deck, card)
        note(journal, HARMLESS, card * 32)
    else:
        appear(s, t, journal, card, spawn_room(s, t, card))
    renew_deck(s, t, journal)


@kernel
def draws_now(s):  # type: ignore[no-untyped-def]
    """Enemy cards of a spawn step: Noise and one for each time an engine was fuelled (M12-10, M17-02)."""
    return max(0, s.noise + s.term[NOISE]) + s.fuelled[0] + s.fuelled[1]


@kernel
def spawn(s, t, journal):  # type: ignore[no-untyped-def]
    """The spawn step; then the markers of fuelled engines go back."""
    for _ in range(draws_now(s)):
        if s.over == 0:
            draw_enemy(s, t, journal)
    s.fuelled[0], s.fuelled[1] = 0, 0


@kernel
def first_enemies(s, t, journal):  # type: ignore[no-untyped-def]
    """Rummage for as many enemies as the starting Noise (M17-03, M112-06): harmless cards are skipped, and go below."""
    for _ in range(max(0, s.noise)):
        skipped = 0
        card = take_top(s.deck)
        while card >= 0 and t.enemy[card].harmless == 1:
            note(journal, PASSED_OVER, card * 32)
            s.deck.rank[skipped] = card
            skipped += 1
            card = take_top(s.deck)
        put_below(s.deck, skipped)
        if card >= 0:
            appear(s, t, journal, card, spawn_room(s, t, card))


@kernel
def put_below(pile, many):  # type: ignore[no-untyped-def]
    """Shuffle the first `many` cards noted in `rank` and put them at the bottom of a deck (M17-04)."""
    key = word(pile.key, pile.shuffles)
    pile.shuffles += 1
    for i in range(many - 1, 0, -1):
        j = bounded(word(key, i), i + 1)
        pile.rank[i], pile.rank[j] = pile.rank[j], pile.rank[i]
    for i in range(many):
        put_at_bottom(pile, pile.rank[i])


@kernel
def can_advance(s, t):  # type: ignore[no-untyped-def]
    """Whether the mech advances: engines and Cockpit Functional, nothing in The Wastes (M11-08)."""
    engines = works(s, t.mech.engine[0]) and works(s, t.mech.engine[1])
    return engines and works(s, t.mech.cockpit) and s.room[WASTES].enemies == 0


@kernel
def speed_of(s, t):  # type: ignore[no-untyped-def]
    """Distance of an advance: both engines' speed, and one for each time fuelled (M11-07, M5-04)."""
    speed = s.term[SPEED]
    for i in range(2):
        engine = t.mech.engine[i]
        speed += printed(s, t, engine, t.mech.engine_speed) + s.room[engine].term[SPEED]
        speed += s.fuelled[i] * t.mech.fuel_speed
    return max(0, speed)


@kernel
def advance(s, t, journal):  # type: ignore[no-untyped-def]
    """The autopilot advances by the full speed if it can (M5-01)."""
    if can_advance(s, t):
        s.distance += speed_of(s, t)
        s.crane_uses = 0
        note(
            journal,
            ADVANCES,
            speed_of(s, t),
            s.distance,
            (s.fuelled[0] + s.fuelled[1]) * t.mech.fuel_speed,
            s.term[SPEED],
        )
        return
    s.stuck[IN_ALL] += 1
    s.stuck[BY_ENGINE] += int(not (works(s, t.mech.engine[0]) and works(s, t.mech.engine[1])))
    s.stuck[BY_COCKPIT] += int(not works(s, t.mech.cockpit))
    s.stuck[BY_WASTES] += int(s.room[WASTES].enemies > 0)
    note(
        journal,
        STUCK,
        int(not (works(s, t.mech.engine[0]) and works(s, t.mech.engine[1]))),
        int(not works(s, t.mech.cockpit)),
        s.room[WASTES].enemies,
    )


@kernel
def escalate(s, t, journal):  # type: ignore[no-untyped-def]
    """At a milestone the next level is shuffled in, once (M11-09, M11-10, M4-02): how many milestones were passed."""
    passed = 0
    for i in range(2):
        if s.distance >= t.mech.milestone[i] and s.milestones == i and s.over == 0:
            s.milestones += 1
            s.passed[i] = s.rounds
            passed += 1
            if s.level == i + 1:
                add_level(s, t, i + 2)
                note(journal, LEVEL_IN, i + 2, s.deck.left)
    return passed


@kernel
def arrive(s, t, journal):  # type: ignore[no-untyped-def]
    """At Sanctuary the round is finished, and only cleaning up is left (M11-02)."""
    if s.phase == JOURNEY and s.distance >= t.mech.goal and s.over == 0:
        s.phase = CLEANING
        note(journal, ARRIVES)
