"""What followers can do: the one place that applies a row of effect (packs/README.md has the vocabulary)."""

from __future__ import annotations

from simcore.bots import offer
from simcore.gangs.bots import (
    AGAIN,
    ANY,
    DISCARD,
    DRAW,
    FANATICS,
    HERD,
    HIRE,
    HOME,
    KNOCK,
    MUSTER,
    NOTHING,
    PATCH,
    PLUNDER,
    RAZE,
    RECRUIT,
    REPEAT,
    RETRIEVE,
    RIVAL_AT,
    SECOND,
    SITE_AT,
    SLAVES,
    SPOIL,
    WOUND,
    against,
    begin_list,
    decide,
    gain_of,
    hire_worth,
    is_new,
    price_worth,
    site_worth,
)
from simcore.gangs.followers import (
    can_leave,
    discard,
    draw,
    enter_lair,
    find_in_lair,
    free_slaves,
    from_pool,
    gain_fodder,
    knock_out,
    leave_lair,
    lose_fodder,
    patch,
    pool_left,
    step_off,
    take_from_hand,
    take_in_hand,
    take_out,
    wound,
)
from simcore.gangs.loot import plunder, remove_place, spoil
from simcore.gangs.setup import refill_market
from simcore.gangs.state import FANATIC, NONE, QUEUE, SLAVE
from simcore.gangs.tables import PAY, RULINGS, WHO, WHOM
from simcore.gangs.tell import (
    FODDER_COMES,
    GOES_HOME,
    HERDS,
    HIRES,
    MORE_FOLLOWERS,
    MORE_SQUADS,
    PAYS,
    RAZES,
    RECRUITS,
    RETRIEVES,
    THROWN,
    USES,
    WOUNDED,
)
from simcore.journal import note
from simcore.kernels import has_room, kernel
from simcore.piles import take_discard

HERE, TERRITORY, OWN_TERRITORY, RIVAL_TERRITORY, RIVAL_LAIR = (
    WHOM["here"], WHOM["territory"], WHOM["own_territory"], WHOM["rival_territory"], WHOM["rival_lair"],
)  # fmt: skip
OWNER = WHO["owner"]
FREE, BY_DESTROYING, BY_DISCARDING, BY_FODDER, BY_WOUND = (
    PAY["nothing"], PAY["destroy"], PAY["discard"], PAY["fodder"], PAY["wound"],
)  # fmt: skip
ANY_LAIR = RULINGS["repeats"].index("any_lair")
GREY_ONLY = RULINGS["forced_removal"].index("grey_only")


@kernel
def use_ability(s, t, stream, journal, g, card, j):  # type: ignore[no-untyped-def]
    """Use a follower's ability, as often as it is paid for; j: where it is, for an Ambush."""
    follower = t.card[card]
    note(journal, USES, g, card)
    for _ in range(follower.times):
        if follower.pay != FREE and not pay(s, t, stream, journal, g, card, j):
            return
        for i in range(follower.effects):
            do_deed(s, t, stream, journal, g, card, follower.effect[i], j)


@kernel
def do_deed(s, t, stream, journal, g, card, effect, j):  # type: ignore[no-untyped-def]
    """One row of an ability. What needs no target happens; for the rest the gang picks a target, or none (G14-14)."""
    what, many = effect.what, effect.many
    if what == SLAVES and effect.whom == HERE:
        slaves_arrive(s, t, journal, g, j, many)
    elif what == SLAVES:
        gain_fodder(s, t, journal, g, SLAVE, many)
    elif what == FANATICS:
        gain_fodder(s, t, journal, g, FANATIC, many)
    elif what == DRAW:
        draw(s, journal, g, many)
    elif what == MUSTER:
        s.musters += many
        note(journal, MORE_FOLLOWERS, g, many)
    elif what == AGAIN:
        s.ambushes += many
        note(journal, MORE_SQUADS, g, many)
    elif what == HERD:
        s.herding = 1
        note(journal, HERDS, g)
    elif what == HOME:
        go_home(s, t, journal, g, card, j)
    elif effect.whom == HERE:
        raid(s, t, journal, g, what, j, many)
    else:
        times = 1 if what in (SPOIL, PLUNDER, RAZE) else many
        for _ in range(times):
            if not aim(s, t, stream, journal, g, effect):
                return


@kernel
def raid(s, t, journal, g, what, j, many):  # type: ignore[no-untyped-def]
    """Take or destroy loot of a territory, unless it has just been razed."""
    if s.place[j].open == 0:
        return
    if what == PLUNDER:
        plunder(s, t, journal, g, j, many)
    else:
        spoil(s, journal, g, j, many)


@kernel
def slaves_arrive(s, t, journal, g, j, many):  # type: ignore[no-untyped-def]
    """Slaves from the pool come straight to an own territory."""
    got = min(many, pool_left(s, t, SLAVE)) if s.place[j].owner == g else 0
    from_pool(s, t, SLAVE, got)
    s.place[j].slaves += got
    s.place[j].guard += got
    s.gang[g].made += got
    note(journal, FODDER_COMES, g, SLAVE, got, s.place[j].site)


@kernel
def go_home(s, t, journal, g, card, j):  # type: ignore[no-untyped-def]
    """The follower goes back to its lair upright, if the colour rule lets it (G14-06)."""
    place = s.place[j]
    if place.open == 1 and place.owner == g and can_leave(s, t, j, card):
        for i in range(place.cards - 1, -1, -1):
            if place.card[i] == card:
                step_off(s, t, j, i)
                enter_lair(s, t, g, card, 0)
                note(journal, GOES_HOME, g, card, place.site)
                return


# ---------------------------------------------------------------- prices


@kernel
def pay(s, t, stream, journal, g, card, j):  # type: ignore[no-untyped-def]
    """Pay for one use of an ability; False if the gang can't or doesn't want to."""
    how = t.card[card].pay
    s.options = 0
    offer(s, NOTHING, 0)
    lay_out_prices(s, t, g, card, j)
    paid = decide(s, t, stream, g) - 1
    if paid < 0:
        return False
    note(journal, PAYS, g, paid, how)
    if how == BY_DESTROYING:
        take_from_hand(s, g, paid)
        s.gang[g].destroyed += 1
    elif how == BY_DISCARDING:
        take_from_hand(s, g, paid)
        discard(s, g, paid)
    elif how == BY_WOUND:
        wound(s, t, journal, g, paid)
    elif paid == SLAVE:
        free_slaves(s, t, journal, j, 1)
    else:
        s.squad_fanatics -= 1
        s.gang[g].spent += 1
        from_pool(s, t, FANATIC, -1)
    return True


@kernel
def lay_out_prices(s, t, g, card, j):  # type: ignore[no-untyped-def]
    """What the gang could pay with: cards of its hand, fodder of the squad and of the territory (G14-03), or unwounded
    followers of its lair."""
    gang, how, gain = s.gang[g], t.card[card].pay, 0
    bot = t.bot[gang.bot]
    begin_list(s)
    if gang.weighs == 1:
        gain = gain_of(s, t, g, card, j)
    if how == BY_FODDER:
        if s.squad_fanatics > 0:
            offer(s, 1 + FANATIC, gain)
        if s.place[j].owner == g and s.place[j].slaves > 0:
            offer(s, 1 + SLAVE, gain - bot.slave)
    elif how == BY_WOUND:
        for i in range(gang.lair):
            if gang.hurt[i] == 0 and is_new(s, gang.card[i]):
                offer(s, 1 + gang.card[i], gain - bot.spend)
    else:
        for i in range(gang.hand):
            if is_new(s, gang.held[i]):
                kept = price_worth(s, t, g, gang.held[i]) if how == BY_DESTROYING else bot.worth[gang.held[i]] // 2
                offer(s, 1 + gang.held[i], gain - kept)


# ---------------------------------------------------------------- targets


@kernel
def aim(s, t, stream, journal, g, effect):  # type: ignore[no-untyped-def]
    """Let a gang pick a target for a deed, and do it there; False if there is none or it declines."""
    what, whom = effect.what, effect.whom
    s.options = 0
    offer(s, NOTHING, 0)
    if whom == RIVAL_LAIR:
        lay_out_rivals(s, t, g, effect)
    elif whom in (TERRITORY, OWN_TERRITORY, RIVAL_TERRITORY):
        lay_out_sites(s, t, g, effect)
    else:
        lay_out_own(s, t, g, what)
    option = decide(s, t, stream, g)
    if option == NOTHING:
        return False
    if option >= RIVAL_AT:
        strike_lair(s, t, stream, journal, g, effect, option)
    elif option >= SITE_AT:
        strike_site(s, t, stream, journal, g, effect, option - SITE_AT)
    else:
        serve(s, t, journal, g, what, option - 1)
    return True


@kernel
def lay_out_rivals(s, t, g, effect):  # type: ignore[no-untyped-def]
    """Rivals with followers in their lairs, or these followers themselves where the gang names them (G16-09)."""
    bot = t.bot[s.gang[g].bot]
    for r in range(s.players):
        rival = s.gang[r]
        if r != g:
            value = bot.wound * against(s, bot, r) // 100
            if effect.who == OWNER:
                if rival.ready + rival.slaves + rival.fanatics > 0 or (effect.what == DISCARD and rival.lair > 0):
                    offer(s, RIVAL_AT * (1 + r) + ANY, value)
            else:
                lay_out_lair(s, t, g, effect.what, r)


@kernel
def lay_out_lair(s, t, g, what, r):  # type: ignore[no-untyped-def]
    """The followers in the lair of gang r that a deed can hit, for gang g to pick from: the worthiest of a rival, the
    least of its own."""
    gang, bot = s.gang[r], t.bot[s.gang[g].bot]
    base, sign, at = 0, -1, 0
    if r != g:
        base, sign, at = bot.wound * against(s, bot, r) // 100, 1, RIVAL_AT * (1 + r)
    for i in range(gang.lair):
        card, hurt = gang.card[i], gang.hurt[i]
        if (hurt == 0 or what == DISCARD) and find_in_lair(s, r, card, hurt) == i:
            worth = bot.worth[card] // (2 + 2 * hurt)
            offer(s, at + SECOND * hurt + 1 + card, base + sign * worth)
    if gang.slaves > 0:
        offer(s, at + 1 + SLAVE, base + sign * bot.slave)
    if gang.fanatics > 0:
        offer(s, at + 1 + FANATIC, base + sign * bot.fanatic)


@kernel
def lay_out_sites(s, t, g, effect):  # type: ignore[no-untyped-def]
    """Territories where a deed can do something."""
    weighs = s.gang[g].weighs == 1
    for j in range(len(s.place)):
        place = s.place[j]
        if place.open == 1 and can_be_hit(s, t, g, effect, j):
            offer(s, SITE_AT + place.site, site_worth(s, t, g, effect, j) if weighs else 0)


@kernel
def can_be_hit(s, t, g, effect, j):  # type: ignore[no-untyped-def]
    """Whether a deed can do something on a territory."""
    place, what, whom = s.place[j], effect.what, effect.whom
    rival = place.owner != NONE and place.owner != g
    if (whom == OWN_TERRITORY and place.owner != g) or (whom == RIVAL_TERRITORY and not rival):
        return False
    if what in (KNOCK, DISCARD):
        return t.ruling.forced_removal != GREY_ONLY or place.cards + place.slaves > place.coloured
    if what == RAZE:
        return place.owner != g and place.loot <= effect.many
    return place.loot > 0


@kernel
def lay_out_own(s, t, g, what):  # type: ignore[no-untyped-def]
    """Cards of the market, of the own discard pile or of the own lair."""
    gang = s.gang[g]
    bot = t.bot[gang.bot]
    begin_list(s)
    if what in (HIRE, RECRUIT):
        for i in range(s.market):
            if is_new(s, s.offer[i]):
                card = s.offer[i]
                offer(s, 1 + card, hire_worth(s, t, g, card) if what == HIRE else bot.worth[card])
    elif what == RETRIEVE:
        for i in range(gang.deck.discarded):
            if is_new(s, gang.deck.discards[i]):
                offer(s, 1 + gang.deck.discards[i], bot.worth[gang.deck.discards[i]])
    elif what == PATCH:
        for i in range(gang.lair):
            if gang.hurt[i] == 1 and is_new(s, gang.card[i]):
                offer(s, 1 + gang.card[i], bot.patch + bot.worth[gang.card[i]] // 4)
    else:
        lay_out_repeats(s, t, g)


@kernel
def lay_out_repeats(s, t, g):  # type: ignore[no-untyped-def]
    """Followers whose Summon can be used again: no other repeaters, or it would never end (G14-15, G4-20)."""
    weighs = s.gang[g].weighs == 1
    for r in range(s.players):
        if r == g or t.ruling.repeats == ANY_LAIR:
            lair = s.gang[r]
            begin_list(s)
            for i in range(lair.lair):
                card = lair.card[i]
                if is_new(s, card) and t.card[card].summons == 1 and t.card[card].repeats == 0:
                    value = gain_of(s, t, g, card, 0) if weighs and t.card[card].pay == FREE else 0
                    offer(s, (0 if r == g else RIVAL_AT * (1 + r)) + 1 + card, value)


@kernel
def serve(s, t, journal, g, what, card):  # type: ignore[no-untyped-def]
    """Do a deed to a card of one's own, or of the market."""
    if what == HIRE:
        hire(s, journal, g, card)
    elif what == RECRUIT:
        take_offer(s, journal, card)
        s.gang[g].hired += 1
        enter_lair(s, t, g, card, 0)
        note(journal, RECRUITS, g, card)
    elif what == RETRIEVE:
        take_discard(s.gang[g].deck, card)
        take_in_hand(s, g, card)
        note(journal, RETRIEVES, g, card)
    elif what == PATCH:
        patch(s, t, journal, g, card)
    elif what == REPEAT:
        await_ability(s, card)


@kernel
def await_ability(s, card):  # type: ignore[no-untyped-def]
    """Put a Summon among those to be resolved."""
    if not has_room(s, s.waiting, QUEUE):
        return
    s.queue[s.waiting] = card
    s.waiting += 1


@kernel
def hire(s, journal, g, card):  # type: ignore[no-untyped-def]
    """A mercenary of the market comes into the hand, and the next one is opened at once (G13-04, G5-02)."""
    take_offer(s, journal, card)
    take_in_hand(s, g, card)
    s.gang[g].hired += 1
    note(journal, HIRES, g, card)


@kernel
def take_offer(s, journal, card):  # type: ignore[no-untyped-def]
    """A card leaves the market."""
    s.market -= take_out(s.offer, s.market, card)
    refill_market(s, journal)


# ---------------------------------------------------------------- rivals


@kernel
def strike_lair(s, t, stream, journal, g, effect, option):  # type: ignore[no-untyped-def]
    """Hit a follower in a rival's lair: the one named, or the one that its owner picks; or repeat its Summon."""
    r, target = option // RIVAL_AT - 1, option % RIVAL_AT
    if effect.what == REPEAT:
        await_ability(s, target - 1)
        return
    if target == ANY:
        s.options = 0
        lay_out_lair(s, t, r, effect.what, r)
        target = decide(s, t, stream, r)
    card, hurt = target % SECOND - 1, target // SECOND
    if effect.what == WOUND:
        wound(s, t, journal, r, card)
    elif card in (SLAVE, FANATIC):
        note(journal, WOUNDED, r, card)
        lose_fodder(s, t, r, card, 1)
    else:
        leave_lair(s, t, r, find_in_lair(s, r, card, hurt))
        discard(s, r, card)
        note(journal, THROWN, r, card, NONE)


@kernel
def strike_site(s, t, stream, journal, g, effect, site):  # type: ignore[no-untyped-def]
    """Do a deed on a territory."""
    j, what = find_site(s, site), effect.what
    if what in (SPOIL, PLUNDER):
        raid(s, t, journal, g, what, j, effect.many)
    elif what == RAZE:
        note(journal, RAZES, g, site)
        rout(s, t, journal, j)
        s.destroyed += s.place[j].loot
        s.razed += 1
        remove_place(s, j)
    else:
        remove_one(s, t, stream, journal, g, effect, j)


@kernel
def find_site(s, site):  # type: ignore[no-untyped-def]
    """Where a territory card lies in the common zone."""
    for j in range(len(s.place)):
        if s.place[j].open == 1 and s.place[j].site == site:
            return j
    return 0


@kernel
def rout(s, t, journal, j):  # type: ignore[no-untyped-def]
    """All defenders leave a territory: slaves to the pool, the others home wounded (G14-07, G5-13)."""
    place = s.place[j]
    owner = place.owner
    if owner == NONE:
        return
    free_slaves(s, t, journal, j, place.slaves)
    while place.cards > 0:
        knock_out(s, t, journal, owner, step_off(s, t, j, 0), place.site)


@kernel
def remove_one(s, t, stream, journal, g, effect, j):  # type: ignore[no-untyped-def]
    """A rival loses one follower of a territory, which its owner picks (G14-13): grey ones first (G14-06, G4-27)."""
    place = s.place[j]
    owner = place.owner
    chooser = owner if effect.who == OWNER else g
    grey = place.cards + place.slaves > place.coloured
    s.options = 0
    begin_list(s)
    for i in range(place.cards):
        card = place.card[i]
        if is_new(s, card) and t.card[card].coloured != int(grey):
            offer(s, 1 + card, (1 if chooser == g else -1) * t.bot[s.gang[chooser].bot].worth[card])
    if place.slaves > 0:
        offer(s, 1 + SLAVE, (1 if chooser == g else -1) * t.bot[s.gang[chooser].bot].slave)
    picked = decide(s, t, stream, chooser) - 1
    if picked == SLAVE:
        free_slaves(s, t, journal, j, 1)
        return
    i = 0
    while place.card[i] != picked:
        i += 1
    step_off(s, t, j, i)
    if effect.what == KNOCK:
        knock_out(s, t, journal, owner, picked, place.site)
    else:
        discard(s, owner, picked)
        note(journal, THROWN, owner, picked, place.site)
