"""Phase 3 of an hour: a squad is gathered and sent to a territory, and its Ambushes follow."""

from __future__ import annotations

from simcore.bots import offer
from simcore.gangs import cards
from simcore.gangs.abilities import find_site, rout, use_ability
from simcore.gangs.bots import (
    NOTHING,
    SECOND,
    SITE_AT,
    ambush_worth,
    begin_list,
    decide,
    gain_of,
    holding,
    is_new,
    joining_worth,
)
from simcore.gangs.followers import find_in_lair, from_pool, leave_lair, stand_on, wound
from simcore.gangs.state import FANATIC, NONE, SLAVE, STAYS
from simcore.gangs.tables import RULINGS
from simcore.gangs.tell import CALLED_OFF, ENRAGES, FANATICS_DIE, FODDER_IN_SQUAD, GOES, ROUTED, SQUAD_OF
from simcore.journal import note
from simcore.kernels import index, inlined, kernel

RIVALS_ONLY = RULINGS["fanatics_anywhere"].index("rivals_only")
NOT_JOINING = RULINGS["summoned_may_join"].index("no")
NO_TRIGGER = RULINGS["reinforcing_triggers"].index("no")
LEAVE_BEFORE = RULINGS["fanatics_leave"].index("before_abilities")
FRENZY = cards.MAX_EFFECTS * cards.MOST
"""The most that a follower can have of it."""


@kernel
def set_ambushes(s, t, stream, journal, g):  # type: ignore[no-untyped-def]
    """One squad, and a further one for each ability that says so (G14-17)."""
    s.ambushes = 1
    while s.ambushes > 0:
        s.ambushes -= 1
        j = choose_site(s, t, stream, g)
        if j == NONE:
            break
        gather(s, t, stream, g, j)
        if can_go(s, t, g, j):
            march(s, t, stream, journal, g, j)
        else:
            call_off(s, journal, g)
    gang = s.gang[g]
    for i in range(gang.lair):
        gang.sent[i] = 0


@inlined
def choose_site(s, t, stream, g):  # type: ignore[no-untyped-def]
    """The territory that the squad goes to, or NONE: own, neutral, or a rival's that is not too strong (G13-06)."""
    s.options, most = 0, most_strength(s, t, g)
    offer(s, NOTHING, t.bot[s.gang[g].bot].rest)
    for j in range(len(s.place)):
        if s.place[j].open == 1 and can_be_reached(s, t, g, j, most):
            worth = ambush_worth(s, t, g, j) if s.gang[g].weighs == 1 else 0
            offer(s, SITE_AT + s.place[j].site, worth)
    option = decide(s, t, stream, g)
    return NONE if option == NOTHING else find_site(s, option - SITE_AT)


@inlined
def can_be_reached(s, t, g, j, most):  # type: ignore[no-untyped-def]
    """Whether the lair, with at most so much strength, can make up a squad for a territory: a raider for what isn't
    one's own (G14-05), and against a rival more strength than the defence (G14-01)."""
    gang, place = s.gang[g], s.place[j]
    ready, raiders = gang.ready, gang.coloured
    if t.ruling.summoned_may_join == NOT_JOINING:
        for i in range(gang.lair):
            if gang.sent[i] == STAYS and gang.hurt[i] == 0:
                ready -= 1
                raiders -= t.card[gang.card[i]].coloured
    if place.owner == g:
        return ready + gang.slaves + (gang.fanatics if t.ruling.fanatics_anywhere != RIVALS_ONLY else 0) > 0
    return raiders > 0 and (place.owner == NONE or most > place.guard)


@kernel
def most_strength(s, t, g):  # type: ignore[no-untyped-def]
    """The strength that all of a lair could have, by frenzy as well: slaves are wounded first and fanatics last, and
    whoever is wounded doesn't go along."""
    gang, each, fury, slave = s.gang[g], 0, 0, slave_strength(s, t)
    whole = gang.force + slave * gang.slaves + t.rules.fanatic_attack * gang.fanatics
    if gang.furies == 0:
        return whole
    for i in range(gang.lair):
        if gang.hurt[i] == 0 and t.card[gang.card[i]].frenzy > 0:
            each, fury = max(each, t.card[gang.card[i]].frenzy), fury + t.card[gang.card[i]].times
    slaves = min(fury, gang.slaves)
    others = min(fury - slaves, gang.ready - 1) if fury > 0 else 0
    fanatics = min(fury - slaves - others, gang.fanatics)
    fanatic = t.rules.fanatic_attack
    by_wounds = max(0, each - slave) * slaves + (each - 1) * others + max(0, each - fanatic) * fanatics
    return whole + by_wounds


@inlined
def slave_strength(s, t):  # type: ignore[no-untyped-def]
    """The strength of a slave in an attack (G14-02), more in an hour of herding (G16-22)."""
    return max(t.rules.slave_attack, s.herding)


# ---------------------------------------------------------------- the squad


@inlined
def gather(s, t, stream, g, j):  # type: ignore[no-untyped-def]
    """Make up a squad one by one, until the gang says go or nobody is left."""
    gang = s.gang[g]
    s.number, s.raiders, s.strength, s.squad_slaves, s.squad_fanatics = 0, 0, 0, 0, 0
    s.frenzy, s.fury, s.paid, s.raid, s.given_slaves, s.given_fanatics = 0, 0, 0, 0, 0, 0
    for _ in range(2 * len(gang.card)):
        s.options = 0
        if can_go(s, t, g, j):
            offer(s, NOTHING, 0)
        lay_out_squad(s, t, g, j)
        if s.options == 0:
            return
        option = decide(s, t, stream, g)
        if option == NOTHING:
            return
        join(s, t, g, option)


@inlined
def can_go(s, t, g, j):  # type: ignore[no-untyped-def]
    """Whether the squad may go: someone in it, a raider unless the ground is the own, and strong enough (G14-01,
    G14-05, G5-11)."""
    place = s.place[j]
    if place.owner == g:
        return s.number + s.squad_slaves + s.squad_fanatics > 0
    return s.raiders > 0 and (place.owner == NONE or s.strength > place.guard)


@inlined
def lay_out_squad(s, t, g, j):  # type: ignore[no-untyped-def]
    """Who can still join the squad (G14-09), and who can be wounded for its frenzy; only these if it needs wounds."""
    gang, place = s.gang[g], s.place[j]
    bot, weighs = t.bot[gang.bot], gang.weighs == 1
    lacking = 0
    if place.owner != NONE and place.owner != g:
        lacking = max(0, place.guard + 1 - s.strength)
    more, short = 0, lacking > 0 and gang.furies > 0 and falls_short(s, t, g, lacking)
    if weighs:
        more = holding_more(s, t, g, j)
    begin_list(s)
    for i in range(gang.lair):
        card = gang.card[i]
        follower = t.card[index(card)]
        if gang.hurt[i] == 0 and gang.sent[i] == 0 and is_new(s, card):
            value = 0
            if weighs:
                brings = 1 + follower.might + follower.frenzy * follower.times
                value = more - bot.spend + 2 * bot.spend * min(lacking, brings)
                value += joining_worth(s, t, g, card, j)
                if s.raiders == 0 and follower.coloured == 1:
                    value += bot.raider
            if not short or follower.frenzy > 0:
                offer(s, 1 + card, value)
            if s.fury > 0:
                offer(s, SECOND + 1 + card, 2 * bot.spend * min(lacking, s.frenzy) - bot.spend)
    lay_out_fodder(s, t, g, j, lacking, more, short)


@kernel
def falls_short(s, t, g, lacking):  # type: ignore[no-untyped-def]
    """Whether the squad would be too weak with all who are left, so that it needs wounds for its frenzy."""
    gang = s.gang[g]
    left = slave_strength(s, t) * (gang.slaves - s.squad_slaves - s.given_slaves)
    left += t.rules.fanatic_attack * (gang.fanatics - s.squad_fanatics - s.given_fanatics)
    for i in range(gang.lair):
        if gang.hurt[i] == 0 and gang.sent[i] == 0:
            left += 1 + t.card[gang.card[i]].might
    return lacking > left


@inlined
def lay_out_fodder(s, t, g, j, lacking, more, short):  # type: ignore[no-untyped-def]
    """Slaves and fanatics that can join or be given up to the frenzy."""
    gang, place = s.gang[g], s.place[j]
    bot = t.bot[gang.bot]
    anywhere = t.ruling.fanatics_anywhere != RIVALS_ONLY or (place.owner != NONE and place.owner != g)
    if gang.slaves > s.squad_slaves + s.given_slaves:
        if not short:
            offer(s, 1 + SLAVE, more - bot.slave // 2 + 2 * bot.spend * min(lacking, slave_strength(s, t)))
        if s.fury > 0:
            offer(s, SECOND + 1 + SLAVE, 2 * bot.spend * min(lacking, s.frenzy) - bot.slave)
    if gang.fanatics > s.squad_fanatics + s.given_fanatics:
        if anywhere:
            offer(s, 1 + FANATIC, 2 * bot.spend * min(lacking, t.rules.fanatic_attack) - bot.fanatic)
        if s.fury > 0:
            offer(s, SECOND + 1 + FANATIC, 2 * bot.spend * min(lacking, s.frenzy) - bot.fanatic)


@inlined
def holding_more(s, t, g, j):  # type: ignore[no-untyped-def]
    """What one more defender is worth on the territory that the squad goes to."""
    place = s.place[j]
    loot = max(0, place.loot - s.raid)
    guard = s.number + s.squad_slaves + (place.guard if place.owner == g else 0)
    if guard == 0 or s.menace < guard:
        return 0
    return holding(s, t, g, j, guard + 1, loot) - holding(s, t, g, j, guard, loot)


@inlined
def join(s, t, g, option):  # type: ignore[no-untyped-def]
    """A follower joins the squad; or (SECOND) is wounded for its frenzy, when it goes."""
    gang, card = s.gang[g], option % SECOND - 1
    if option >= SECOND:
        s.fury -= 1
        s.paid += 1
        s.strength += s.frenzy
        give_up(s, g, card)
        s.frenzy = frenzy_of(s, t, g, s.paid + 1) - frenzy_of(s, t, g, s.paid)
    elif card == SLAVE:
        s.squad_slaves += 1
        s.strength += slave_strength(s, t)
    elif card == FANATIC:
        s.squad_fanatics += 1
        s.strength += t.rules.fanatic_attack
    else:
        follower = t.card[card]
        before = frenzy_of(s, t, g, s.paid)
        gang.sent[find_in_lair(s, g, card, 0)] = 1
        s.number += 1
        s.raiders += follower.coloured
        s.strength += 1 + follower.might
        s.raid += follower.grabs + follower.strips
        if follower.frenzy > 0:
            s.fury += follower.times
            s.strength += frenzy_of(s, t, g, s.paid) - before
            s.frenzy = frenzy_of(s, t, g, s.paid + 1) - frenzy_of(s, t, g, s.paid)


@kernel
def frenzy_of(s, t, g, wounds):  # type: ignore[no-untyped-def]
    """The strength that so many wounds give the squad: each frenzied follower's own number for each, as often as it
    may, and the highest first."""
    gang, strength, left, below = s.gang[g], 0, wounds, FRENZY + 1
    while left > 0:
        each, many = 0, 0
        for i in range(gang.lair):
            follower = t.card[gang.card[i]]
            if gang.sent[i] == 1 and each <= follower.frenzy < below and follower.frenzy > 0:
                many = follower.times + (many if follower.frenzy == each else 0)
                each = follower.frenzy
        if many == 0:
            break
        strength += each * min(left, many)
        left -= min(left, many)
        below = each
    return strength


@kernel
def give_up(s, g, card):  # type: ignore[no-untyped-def]
    """Mark a follower, or count fodder, that is wounded as the squad goes."""
    if card == SLAVE:
        s.given_slaves += 1
    elif card == FANATIC:
        s.given_fanatics += 1
    else:
        s.gang[g].sent[find_in_lair(s, g, card, 0)] = 2


@kernel
def call_off(s, journal, g):  # type: ignore[no-untyped-def]
    """Everyone stays at home."""
    gang = s.gang[g]
    for i in range(gang.lair):
        if gang.sent[i] != STAYS:
            gang.sent[i] = 0
    note(journal, CALLED_OFF, g)


# ---------------------------------------------------------------- the consequences


@inlined
def march(s, t, stream, journal, g, j):  # type: ignore[no-untyped-def]
    """The squad goes: rivals are beaten off, fanatics are counted and then leave, Ambushes follow (G14-07, G5-13)."""
    gang, place = s.gang[g], s.place[j]
    rival = place.owner != NONE and place.owner != g
    note(journal, GOES, g, place.site, s.strength, place.guard if rival else -int(place.owner == g))
    own = place.owner == g
    if s.paid > 0:
        pay_for_frenzy(s, t, journal, g)
    if rival:
        note(journal, ROUTED, place.owner, place.site)
        s.gang[place.owner].lost += 1
        gang.conquered += 1
        rout(s, t, journal, j)
    if not own:
        gang.seized += 1
    s.moved = 0
    if s.number + s.squad_slaves > 0:
        place.owner = g
    move_cards(s, t, journal, g, j)
    move_fodder(s, t, journal, g, j)
    if t.ruling.fanatics_leave == LEAVE_BEFORE:
        lose_fanatics(s, t, journal, g)
    if s.moved > 0 and not (own and t.ruling.reinforcing_triggers == NO_TRIGGER):
        use_ambushes(s, t, stream, journal, g, j)
    lose_fanatics(s, t, journal, g)


@kernel
def pay_for_frenzy(s, t, journal, g):  # type: ignore[no-untyped-def]
    """Those who were given up to the frenzy are wounded; fodder is destroyed (G14-04)."""
    gang = s.gang[g]
    for i in range(gang.lair):
        if gang.sent[i] == 2:
            gang.sent[i] = 0
            note(journal, ENRAGES, g, gang.card[i])
            wound(s, t, journal, g, gang.card[i])
    for _ in range(s.given_slaves):
        wound(s, t, journal, g, SLAVE)
    for _ in range(s.given_fanatics):
        wound(s, t, journal, g, FANATIC)


@inlined
def move_cards(s, t, journal, g, j):  # type: ignore[no-untyped-def]
    """Raiders and mercenaries of the squad go from the lair to the territory."""
    gang = s.gang[g]
    for i in range(gang.lair - 1, -1, -1):
        if gang.sent[i] == 1:
            gang.sent[i] = 0
            card = leave_lair(s, t, g, i)
            stand_on(s, t, j, card)
            note(journal, SQUAD_OF, g, card)
            if t.card[card].ambushes == 1:
                s.mover[s.moved] = card
                s.moved += 1


@inlined
def move_fodder(s, t, journal, g, j):  # type: ignore[no-untyped-def]
    """Slaves of the squad stay on the territory, fanatics are on their way to the pool (G14-02, G14-03)."""
    gang, place = s.gang[g], s.place[j]
    gang.slaves -= s.squad_slaves
    gang.fanatics -= s.squad_fanatics
    place.slaves += s.squad_slaves
    place.guard += s.squad_slaves
    if s.squad_slaves + s.squad_fanatics > 0:
        note(journal, FODDER_IN_SQUAD, g, s.squad_slaves, s.squad_fanatics)


@kernel
def lose_fanatics(s, t, journal, g):  # type: ignore[no-untyped-def]
    """Fanatics never stay: those of the squad return to the pool."""
    if s.squad_fanatics > 0:
        from_pool(s, t, FANATIC, -s.squad_fanatics)
        s.gang[g].spent += s.squad_fanatics
        note(journal, FANATICS_DIE, g, s.squad_fanatics)
        s.squad_fanatics = 0


@inlined
def use_ambushes(s, t, stream, journal, g, j):  # type: ignore[no-untyped-def]
    """The Ambushes of those who have just moved, in any order (G13-06); one that goes on to a further squad comes after
    all others (G14-17)."""
    gang = s.gang[g]
    for last in range(2):
        while True:
            s.options = 0
            offer(s, NOTHING, 0)
            begin_list(s)
            for i in range(s.moved):
                card = s.mover[i]
                if card != NONE and t.card[card].agains == last and is_new(s, card):
                    offer(s, 1 + card, gain_of(s, t, g, card, j) if gang.weighs == 1 else 0)
            option = decide(s, t, stream, g)
            if option == NOTHING:
                break
            i = 0
            while s.mover[i] != option - 1:
                i += 1
            s.mover[i] = NONE
            use_ability(s, t, stream, journal, g, option - 1, j)
