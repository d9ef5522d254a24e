"""The decisions of a gang: how good what is legal looks, by features that everyone at the table can see.

A bot weighs features (`cards.FEATURES`), each by one unit: body: a follower ready in the lair; raider: a coloured one
where it is needed; slave, fanatic; draw: a card drawn; hire: percent of what a hired card is worth; patch: a wounded
follower patched up; wound: a rival's follower wounded in his lair; knock: one knocked off a territory; loot: taken;
spoil: a rival's loot destroyed; land: a point of a territory taken at once; hope: a loot that lies on an own territory,
claim: a point of such a territory, both times the chance to hold it; deny: half of what a rival loses; lead: percent
more against the rival with most points; spend: a follower sent; later: percent of an Ambush kept for another hour;
encore, again: one more Summon or squad; thin: a card that leaves the game; choosy: what a card must be worth to stay in
the hand; rest: to do nothing.
"""

from __future__ import annotations

from simcore.bots import choose, choose_evenly
from simcore.gangs.followers import pool_left
from simcore.gangs.loot import points_for
from simcore.gangs.state import FANATIC, NONE, SLAVE
from simcore.gangs.tables import HOLD_HOURS, HOLD_MARGINS, SEATS, WHAT, WHOM
from simcore.kernels import index, inlined, kernel
from simcore.streams import word

SLAVES, FANATICS, DRAW, RETRIEVE = WHAT["slaves"], WHAT["fanatics"], WHAT["draw"], WHAT["retrieve"]
HIRE, RECRUIT, MUSTER, PATCH = WHAT["hire"], WHAT["recruit"], WHAT["muster"], WHAT["patch"]
WOUND, KNOCK, DISCARD, SPOIL = WHAT["wound"], WHAT["knock"], WHAT["discard"], WHAT["spoil"]
PLUNDER, RAZE, REPEAT, AGAIN = WHAT["plunder"], WHAT["raze"], WHAT["repeat"], WHAT["again"]
HERD, HOME, HERE, RIVAL_LAIR = WHAT["herd"], WHAT["home"], WHOM["here"], WHOM["rival_lair"]

NOTHING, SECOND, SITE_AT, RIVAL_AT, ANY = 0, 128, 256, 512, 127
"""Options are identities: 0 to do nothing; 1 + card, and SECOND more for the same card in another sense (wounded, or to
be wounded); SITE_AT + territory card; RIVAL_AT * (1 + gang) + any of these, or ANY of his followers."""


@inlined
def begin_list(s):  # type: ignore[no-untyped-def]
    """Begin to go through a list of cards, of which copies are to count once (`is_new`)."""
    s.tick += 1


@inlined
def is_new(s, card):  # type: ignore[no-untyped-def]
    """Whether no copy of a card has been met since the list began."""
    new = s.seen[index(card)] != s.tick
    s.seen[index(card)] = s.tick
    return new


@kernel
def decide(s, t, stream, g):  # type: ignore[no-untyped-def]
    """Let a gang's bot pick one of the options laid out; a single option is no decision."""
    if s.options == 1:
        return s.option[0]
    s.step += 1
    key = word(s.key, s.step * SEATS + g)
    gang = s.gang[g]
    if gang.weighs == 0:
        return choose_evenly(stream, s.option, s.options, key)
    return choose(stream, s.option, s.value, s.options, t.bot[gang.bot].temperature, key)


@kernel
def size_up(s, t, g):  # type: ignore[no-untyped-def]
    """What a gang has to fear: the strongest attack that a rival could make after one more Summon, and the rival with
    most points."""
    s.menace, s.front, best = 0, NONE, -1
    for r in range(s.players):
        if r != g:
            rival = s.gang[r]
            s.menace = max(s.menace, rival.force + t.rules.fanatic_attack * rival.fanatics + 1)
            if rival.points > best:
                best, s.front = rival.points, r


@inlined
def against(s, bot, r):  # type: ignore[no-untyped-def]
    """Percent that harm to a rival counts."""
    return 100 + (bot.lead if r == s.front else 0)


@kernel
def holding(s, t, g, j, guard, loot):  # type: ignore[no-untyped-def]
    """What it is worth to stand on a territory with so much guard and loot as this hour's collecting begins."""
    bot, points = t.bot[index(s.gang[g].bot)], points_for(s, t, g, s.place[j].kind)
    left = loot - 1
    if left <= 0:
        return bot.loot * max(0, loot) + bot.land * points
    short = min(max(0, s.menace - guard), HOLD_MARGINS - 1)
    hours = min(left, HOLD_HOURS - 1)
    hope = bot.hope * left * t.hold[short, (hours + 1) // 2]
    return bot.loot + (hope + bot.claim * points * t.hold[short, hours]) // 100


# ---------------------------------------------------------------- abilities


@kernel
def gain_of(s, t, g, card, j):  # type: ignore[no-untyped-def]
    """What a follower's ability would do now; j: where it is, for an Ambush."""
    gain, follower = 0, t.card[index(card)]
    for i in range(follower.effects):
        gain += deed_now(s, t, g, follower.effect[i], j)
    return gain


@kernel
def deed_now(s, t, g, effect, j):  # type: ignore[no-untyped-def]
    """What one deed would do now."""
    gang, what, many = s.gang[g], effect.what, effect.many
    bot = t.bot[gang.bot]
    if what == SLAVES:
        return bot.slave * min(many, pool_left(s, t, SLAVE))
    if what == FANATICS:
        return bot.fanatic * min(many, pool_left(s, t, FANATIC))
    if what == DRAW:
        return bot.draw * min(many, gang.deck.left + gang.deck.discarded)
    if what == RETRIEVE:
        return bot.draw * min(many, gang.deck.discarded)
    if what == HIRE:
        return bot.hire * min(many, s.market)
    if what == RECRUIT:
        return bot.body * min(many, s.market)
    if what == MUSTER:
        return bot.body * min(many, gang.hand)
    if what == PATCH:
        return bot.patch * min(many, gang.lair - gang.ready)
    if what == REPEAT:
        return bot.encore if gang.lair > 0 else 0
    if what == AGAIN:
        return bot.again if gang.coloured > 0 else 0
    if what == HERD:
        return bot.slave * gang.slaves
    if what == HOME:
        return 0
    return harm_now(s, t, g, effect, j)


@kernel
def harm_now(s, t, g, effect, j):  # type: ignore[no-untyped-def]
    """What a deed against rivals or on territories would do now, at the best target."""
    what, many, bot, best = effect.what, effect.many, t.bot[s.gang[g].bot], 0
    if what == WOUND or (what == DISCARD and effect.whom == RIVAL_LAIR):
        for r in range(s.players):
            if r != g:
                there = min(many, s.gang[r].ready)
                best = max(best, bot.wound * there * against(s, bot, r) // 100)
        return best
    if effect.whom == HERE:
        return loot_worth(s, t, g, effect, j)
    for place in range(len(s.place)):
        if s.place[place].open == 1:
            best = max(best, site_worth(s, t, g, effect, place))
    return best


@kernel
def site_worth(s, t, g, effect, j):  # type: ignore[no-untyped-def]
    """What a deed is worth on an open territory; 0 where it does nothing."""
    place, what, bot = s.place[j], effect.what, t.bot[s.gang[g].bot]
    rival = place.owner != NONE and place.owner != g
    if what in (KNOCK, DISCARD):
        return knock_worth(s, t, g, j) if rival else 0
    if what == RAZE:
        if place.owner == g or place.loot > effect.many:
            return 0
        lost = place.loot + (points_for(s, t, place.owner, place.kind) if rival else 0)
        return bot.deny * lost * against(s, bot, place.owner) // 200
    return loot_worth(s, t, g, effect, j)


@kernel
def knock_worth(s, t, g, j):  # type: ignore[no-untyped-def]
    """What it is worth to knock one follower off a rival's territory: more where the way is free then."""
    place, bot, gang = s.place[j], t.bot[s.gang[g].bot], s.gang[g]
    worth = bot.knock * against(s, bot, place.owner) // 100
    if place.cards + place.slaves == 1:
        worth += bot.deny * (place.loot + points_for(s, t, place.owner, place.kind)) // 2
    force = gang.force + t.rules.fanatic_attack * gang.fanatics
    if gang.coloured > 0 and force == place.guard:
        worth += holding(s, t, g, j, gang.ready, place.loot) // 2
    return worth


@kernel
def loot_worth(s, t, g, effect, j):  # type: ignore[no-untyped-def]
    """What it is worth to take (PLUNDER) or destroy (SPOIL) loot on a territory."""
    place, bot = s.place[j], t.bot[s.gang[g].bot]
    taken = min(effect.many, place.loot)
    if taken == 0:
        return 0
    worth = bot.loot * taken if effect.what == PLUNDER else 0
    if place.owner == g:
        return (
            worth + holding(s, t, g, j, place.guard, place.loot - taken) - holding(s, t, g, j, place.guard, place.loot)
        )
    if place.owner == NONE:
        return worth
    worth += bot.spoil * taken * against(s, bot, place.owner) // 100
    if taken == place.loot:
        worth -= bot.deny * points_for(s, t, place.owner, place.kind)
    return worth


# ---------------------------------------------------------------- hiring, summoning, the hand


@inlined
def hire_worth(s, t, g, card):  # type: ignore[no-untyped-def]
    """What it is worth to hire a mercenary: percent of how far it is above what must be to stay in the hand."""
    bot = t.bot[s.gang[g].bot]
    return bot.hire * (bot.worth[card] - bot.choosy) // 100


@inlined
def patch_worth(s, t, g, card):  # type: ignore[no-untyped-def]
    """What it is worth to patch up a follower."""
    bot, gang = t.bot[s.gang[g].bot], s.gang[g]
    needed = t.card[card].coloured == 1 and gang.coloured == 0
    return (
        bot.patch
        + (bot.raider if needed else 0)
        + bot.later * (bot.worth[card] - bot.body) * t.card[card].ambushes // 100
    )


@inlined
def summon_worth(s, t, g, card):  # type: ignore[no-untyped-def]
    """What it is worth to summon a card now."""
    bot, gang, follower = t.bot[index(s.gang[g].bot)], s.gang[g], t.card[index(card)]
    worth = bot.body
    if follower.coloured == 1 and gang.coloured == 0:
        worth += bot.raider
    if follower.pay == 0 and follower.summons == 1:
        return worth + gain_of(s, t, g, card, 0)
    if follower.summons == 1:
        return worth
    return worth + bot.later * (bot.worth[card] - bot.body) // 100


@kernel
def price_worth(s, t, g, card):  # type: ignore[no-untyped-def]
    """What a card of the hand is worth to keep rather than to destroy it; below 0 for one that spoils the deck."""
    bot = t.bot[s.gang[g].bot]
    return bot.worth[card] - bot.choosy - bot.thin


# ---------------------------------------------------------------- ambushes


@inlined
def ambush_worth(s, t, g, j):  # type: ignore[no-untyped-def]
    """What it looks worth to send a squad to a territory: with just enough followers, or as many as would hold it."""
    place, gang = s.place[j], s.gang[g]
    bot = t.bot[gang.bot]
    rival = place.owner != NONE and place.owner != g
    if place.owner == g:
        more = min(gang.ready, max(0, s.menace - place.guard))
        raid = raid_worth(s, t, g, j, place.guard + more)
        return raid - bot.spend * max(1, more) - holding(s, t, g, j, place.guard, place.loot)
    need = place.guard + 1 if rival else 0
    fanatics = min(gang.fanatics, max(0, need - 1) // max(1, t.rules.fanatic_attack))
    least = min(gang.ready, max(1, need - fanatics * t.rules.fanatic_attack))
    most = min(gang.ready, max(least, s.menace))
    worth = raid_worth(s, t, g, j, least) - bot.spend * least
    worth = max(worth, raid_worth(s, t, g, j, most) - bot.spend * most) - bot.fanatic * fanatics
    if rival:
        lost = place.loot + points_for(s, t, place.owner, place.kind)
        worth += (bot.deny * lost // 2 + bot.wound * place.cards) * against(s, bot, place.owner) // 100
    return worth


@inlined
def raid_worth(s, t, g, j, guard):  # type: ignore[no-untyped-def]
    """What it is worth to hold a territory, with what the Ambushes of the lair could take or destroy there."""
    gang, loot = s.gang[g], s.place[j].loot
    worth = holding(s, t, g, j, guard, loot)
    if gang.grabs + gang.strips > 0:
        grabbed = min(gang.grabs, loot)
        left = max(0, loot - grabbed - gang.strips)
        raided = t.bot[gang.bot].loot * grabbed + holding(s, t, g, j, guard, left)
        worth = max(worth, raided)
    return worth


@inlined
def joining_worth(s, t, g, card, j):  # type: ignore[no-untyped-def]
    """What a follower's own Ambush adds to a squad on its way to a territory."""
    follower, bot = t.card[index(card)], t.bot[index(s.gang[g].bot)]
    if follower.ambushes == 0:
        return 0
    if follower.grabs + follower.strips > 0:
        loot = max(0, s.place[j].loot - s.raid)
        grabbed = min(follower.grabs, loot)
        left = max(0, loot - grabbed - follower.strips)
        guard = s.number + s.squad_slaves
        return bot.loot * grabbed + holding(s, t, g, j, guard, left) - holding(s, t, g, j, guard, loot)
    return gain_of(s, t, g, card, j)
