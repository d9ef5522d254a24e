"""An hour: its six phases in their fixed order (the book's Details of the Hour)."""

from __future__ import annotations

from simcore.bots import offer
from simcore.gangs.abilities import hire, use_ability
from simcore.gangs.ambush import set_ambushes
from simcore.gangs.bots import (
    NOTHING,
    SECOND,
    begin_list,
    decide,
    gain_of,
    hire_worth,
    is_new,
    patch_worth,
    size_up,
    summon_worth,
)
from simcore.gangs.followers import discard, draw, enter_lair, patch, take_from_hand
from simcore.gangs.loot import collect, take_to_trophies
from simcore.gangs.state import STAYS
from simcore.gangs.tables import RULINGS
from simcore.gangs.tell import DISCARDS, HOUR_OF, SUMMONS
from simcore.journal import note
from simcore.kernels import inlined, kernel
from simcore.streams import BOT, at

HANDS_CUT = RULINGS["full_hand"].index("discarded")
NOT_JOINING = RULINGS["summoned_may_join"].index("no")
HIRING, SUMMONING, AMBUSHING, REFRESHING = 0, 1, 2, 3
PHASE_STEPS = 4096


@kernel
def play_hour(s, t, stream, journal, g):  # type: ignore[no-untyped-def]
    """All six phases of a gang's hour (G13-04 to G13-09, G5-01)."""
    note(journal, HOUR_OF, g, s.day, s.hour)
    s.key, s.turn = at(stream, BOT + g, s.hours), g
    s.herding, s.waiting, s.moved = 0, 0, 0
    s.squad_slaves, s.squad_fanatics = 0, 0
    s.gang[g].hours += 1
    s.step = HIRING * PHASE_STEPS
    size_up(s, t, g)
    hire_or_patch(s, t, stream, journal, g)
    s.step = SUMMONING * PHASE_STEPS
    summon(s, t, stream, journal, g)
    s.step = AMBUSHING * PHASE_STEPS
    set_ambushes(s, t, stream, journal, g)
    collect(s, t, journal, g)
    take_to_trophies(s, t, journal)
    s.step = REFRESHING * PHASE_STEPS
    refresh_hand(s, t, stream, journal, g)


@inlined
def hire_or_patch(s, t, stream, journal, g):  # type: ignore[no-untyped-def]
    """Phase 1: a mercenary of the market comes into the hand, or a wounded follower is patched up, or neither."""
    gang, weighs = s.gang[g], s.gang[g].weighs == 1
    s.options = 0
    offer(s, NOTHING, t.bot[gang.bot].rest)
    begin_list(s)
    for i in range(s.market):
        if is_new(s, s.offer[i]):
            offer(s, 1 + s.offer[i], hire_worth(s, t, g, s.offer[i]) if weighs else 0)
    begin_list(s)
    for i in range(gang.lair):
        if gang.hurt[i] == 1 and is_new(s, gang.card[i]):
            offer(s, SECOND + 1 + gang.card[i], patch_worth(s, t, g, gang.card[i]) if weighs else 0)
    option = decide(s, t, stream, g)
    if option >= SECOND:
        patch(s, t, journal, g, option - SECOND - 1)
    elif option != NOTHING:
        hire(s, journal, g, option - 1)


@inlined
def summon(s, t, stream, journal, g):  # type: ignore[no-untyped-def]
    """Phase 2: a follower of the hand comes into the lair, compulsory if there is one (G4-03); its Summon now or never
    (G13-05); then those that its ability lets in besides. Where the ruling says so, they stay at home in this hour
    (G4-06)."""
    gang = s.gang[g]
    s.musters, first = 1, True
    while s.musters > 0 and gang.hand > 0:
        s.musters -= 1
        s.options = 0
        if not first:
            offer(s, NOTHING, 0)
        begin_list(s)
        for i in range(gang.hand):
            if is_new(s, gang.held[i]):
                offer(s, 1 + gang.held[i], summon_worth(s, t, g, gang.held[i]) if gang.weighs == 1 else 0)
        card = decide(s, t, stream, g) - 1
        if card < 0:
            return
        first = False
        take_from_hand(s, g, card)
        enter_lair(s, t, g, card, 0)
        if t.ruling.summoned_may_join == NOT_JOINING:
            gang.sent[gang.lair - 1] = STAYS
        note(journal, SUMMONS, g, card)
        if t.card[card].summons == 1:
            use_summons(s, t, stream, journal, g, card)


@kernel
def use_summons(s, t, stream, journal, g, card):  # type: ignore[no-untyped-def]
    """The Summon of a follower, if the gang wants it, and those that it repeats."""
    s.queue[0], s.waiting = card, 1
    while s.waiting > 0:
        s.waiting -= 1
        now = s.queue[s.waiting]
        if t.card[now].asks == 1:
            s.options = 0
            offer(s, NOTHING, 0)
            offer(s, 1 + now, gain_of(s, t, g, now, 0) if s.gang[g].weighs == 1 else 0)
            if decide(s, t, stream, g) == NOTHING:
                continue
        use_ability(s, t, stream, journal, g, now, 0)


@inlined
def refresh_hand(s, t, stream, journal, g):  # type: ignore[no-untyped-def]
    """Phase 6: discard any cards, then draw up to the size of a hand (G13-09); more cards stay (G4-04)."""
    gang = s.gang[g]
    bot = t.bot[gang.bot]
    for _ in range(len(gang.held)):
        must = t.ruling.full_hand == HANDS_CUT and gang.hand > t.rules.hand
        s.options = 0
        if not must:
            offer(s, NOTHING, 0)
        begin_list(s)
        for i in range(gang.hand):
            if is_new(s, gang.held[i]):
                offer(s, 1 + gang.held[i], bot.choosy - bot.worth[gang.held[i]])
        if s.options == 0:
            break
        card = decide(s, t, stream, g) - 1
        if card < 0:
            break
        take_from_hand(s, g, card)
        discard(s, g, card)
        note(journal, DISCARDS, g, card)
    draw(s, journal, g, t.rules.hand - gang.hand)
