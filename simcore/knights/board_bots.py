"""The decisions on the board: how good what is legal looks, by features that everyone at the table can see.

A bot weighs features (`board_cards.BOARD_FEATURES`), in hundredths: dial: Ammo, Fuel or Radiation gained; wound:
Health; fame: Reputation; gear: what cards are worth, in green cards; task: a step of a task; fight: the chance to win a
combat times its prize; risk: cards that the Waster may play; way: Fuel spent; luck: luck cards; duel: the chance to win
one; harm: what a card does to the knight who moves, for the Waster; rival: percent of it that counts for each
Reputation by which he is ahead; plan: percent of the best that could be had in the next round; rest: to do nothing.
"""

from __future__ import annotations

from simcore.bots import choose, choose_evenly, offer
from simcore.dice import POOL_MAX
from simcore.kernels import inlined, kernel
from simcore.knights.belongings import (
    FOR_GEAR,
    FROM_DECK,
    could_carry,
    could_pay,
    gear_value,
    has_item,
    is_stored,
    lack_of,
    may_pay,
    standing,
    weapon_worth,
)
from simcore.knights.board_state import BESIDE, BODY, EVENT_AT, HAND, NONE, POCKET
from simcore.knights.board_tables import ENHANCEMENT, GENERAL, NEED, SEATS, WEAPON, WHAT, WHEN
from simcore.knights.tables import WHAT as FIGHT_WHAT
from simcore.streams import BOT, DICE, at, word

HEALTH, AMMO, FUEL, RADIATION = WHAT["health"], WHAT["ammo"], WHAT["fuel"], WHAT["radiation"]
REPUTATION, GREEN, YELLOW, RED, LUCK = WHAT["reputation"], WHAT["green"], WHAT["yellow"], WHAT["red"], WHAT["luck"]
REPAIR, DAMAGE, STOP, SKIP, MERCHANT = WHAT["repair"], WHAT["damage"], WHAT["stop"], WHAT["skip"], WHAT["merchant"]
CHECK, WAKE, TRADE, GAMBLE = WHAT["check"], WHAT["wake"], WHAT["trade"], WHAT["gamble"]
BODY_RESUPPLY, GOODS_RESUPPLY = WHAT["resupply_body"], WHAT["resupply_goods"]
TAKE_DRUG, TAKE_ARMOR, STRIKE, JUMP, SCOUT = (
    WHAT["take_drug"], WHAT["take_armor"], WHAT["strike"], WHAT["jump"], WHAT["scout"],
)  # fmt: skip
IMPLANT, TUNING = WHAT["implant"], WHAT["tuning"]
FACED, FAILED, ALWAYS, REWARD = WHEN["faced"], WHEN["failed"], WHEN["always"], WHEN["reward"]
EXPLORE = NEED["explore"]
POINTS = WHAT["points"]
FIGHT_HEALTH = FIGHT_WHAT["health"]
RESALE, SPEED, ROOM = 35, 100, 25
"""What bots think, in hundredths of a green card: a green card that is good for nothing but its price, a Movement Point
for each Fuel, room for a card."""

LATER, FURTHER = 3, 3
"""Rounds ahead for which dials, gear and luck cards count in full, with fewer left they count for less; Movement
Points by which a knight looks how much further he could come."""


@inlined
def tempt(s, p, option, value):  # type: ignore[no-untyped-def]
    """Lay out what a player could do besides going on; who weighs looks only at what is better than that."""
    if value > 0 or s.player[p].weighs == 0:
        offer(s, option, value)


@kernel
def set_keys(s, stream, phase, position):  # type: ignore[no-untyped-def]
    """The keys of decisions and checks of a moment: the phase of the round, and the position after the First Player."""
    moment = (s.rounds * 8 + phase) * SEATS + position
    s.later = min(LATER, s.last - s.rounds + int(phase == 0))
    s.key, s.dice, s.step, s.rolls = at(stream, BOT, moment), at(stream, DICE, moment), 0, 0


@kernel
def decide(s, t, stream, p):  # type: ignore[no-untyped-def]
    """Let a player's bot pick one of the options laid out; a single option is no decision."""
    s.step += 1
    if s.options == 1:
        return s.option[0]
    key, player = word(s.key, s.step * SEATS + p), s.player[p]
    if player.weighs == 0:
        return choose_evenly(stream, s.option, s.options, key)
    return choose(stream, s.option, s.value, s.options, t.bot[player.bot].temperature, key)


# ---------------------------------------------------------------- checks


@kernel
def dice_of(s, t, p, skill):  # type: ignore[no-untyped-def]
    """The dice of a check off combat: skill (numbered from 1), gains, and luck cards played on it, less the wound
    penalty, at least one (K1E-17, K1E-21, K4-26, K5-79)."""
    player = s.player[p]
    dice = t.fight.knight[player.role].skill[skill - 1] + standing(s, t, p, CHECK, skill) + s.extra
    return max(1, dice - t.fight.dials.wound_dice[player.health])


@inlined
def law_of(difficulty):  # type: ignore[no-untyped-def]
    """The law of a difficulty of 5, 7 or 9."""
    return (difficulty - 5) // 2


@kernel
def passing(s, t, p, skill, difficulty):  # type: ignore[no-untyped-def]
    """The chance of a check, in hundredths."""
    return t.passing[law_of(difficulty), min(POOL_MAX, dice_of(s, t, p, skill))]


# ---------------------------------------------------------------- what things are worth


@kernel
def item_worth(s, t, p, item):  # type: ignore[no-untyped-def]
    """What one more card is worth to a knight, in hundredths of a green card: how much better it is than what it would
    take the place of on his sheet, or its price."""
    row, player = t.thing[item], s.player[p]
    resale = RESALE * row.value
    if row.kind == GENERAL:
        worth = row.worth if has_item(player, item) == NONE else row.worth // 2
        return max(resale, worth - pocketed(t, player))
    if row.kind == ENHANCEMENT:
        return row.worth if row.group != FOR_GEAR or could_carry(t, player, item) else resale
    best = 0
    for i in range(player.items):
        if player.spot[i] == (HAND if row.kind == WEAPON else BODY):
            best = max(
                best, weapon_worth(s, t, p, player.thing[i]) if row.kind == WEAPON else t.thing[player.thing[i]].worth
            )
    mine = weapon_worth(s, t, p, item) if row.kind == WEAPON else row.worth
    return max(resale, mine - best)


@kernel
def pocketed(t, player):  # type: ignore[no-untyped-def]
    """What the card is worth that a further one would drive out of a knight's pockets; 0 while one is free."""
    many, least = 0, 1 << 40
    for i in range(player.items):
        if player.spot[i] == POCKET:
            many += 1
            least = min(least, t.thing[player.thing[i]].worth)
    return least if 0 < t.map.pockets <= many else 0


@kernel
def kept_worth(s, t, p, i):  # type: ignore[no-untyped-def]
    """What the own card at place i is worth to keep: what it does on the sheet, or its price."""
    player = s.player[p]
    item = t.thing[player.thing[i]]
    if is_stored(player, i):
        return RESALE * item.value
    return max(RESALE * item.value, weapon_worth(s, t, p, player.thing[i]) if item.kind == WEAPON else item.worth)


@kernel
def next_given(s, t, p, value, given):  # type: ignore[no-untyped-def]
    """Of the cards that a knight can pay with the one that he would give first for a value: what least is lost with,
    for what it pays (K1H-22); NONE if none is left. `given`: bits of those that are paid already."""
    player, best, cost = s.player[p], NONE, 1 << 40
    for i in range(player.items):
        if may_pay(s, t, player, i) and given >> i & 1 == 0:
            spent = given_cost(s, t, p, value, i)
            if spent < cost:
                best, cost = i, spent
    return best


@kernel
def given_cost(s, t, p, value, i):  # type: ignore[no-untyped-def]
    """What a knight loses by paying the own card at place i towards a value, for what it pays."""
    worth = t.thing[s.player[p].thing[i]].value
    return (kept_worth(s, t, p, i) + 100 * max(0, worth - value)) * 6 // max(1, worth)


@kernel
def lost_by(s, t, p, value):  # type: ignore[no-untyped-def]
    """What a knight loses who pays a value in cards, in hundredths of a green card; what is paid too much is lost."""
    given, lost = 0, 0
    while value > 0:
        i = next_given(s, t, p, value, given)
        if i == NONE:
            break
        given |= 1 << i
        lost += kept_worth(s, t, p, i)
        value -= t.thing[s.player[p].thing[i]].value
    return lost


@kernel
def see_bargain(s, t, p):  # type: ignore[no-untyped-def]
    """Look at what a knight could pay with, and at the Stalls for the best that one exchange would bring him."""
    s.bargain, s.means = 0, free_value(s, t, s.player[p])
    for space in range(t.map.stalls):
        price = t.map.price[space]
        if s.stall[space] != NONE and t.map.only_at[space] == 0 and price <= s.means:
            worth = item_worth(s, t, p, s.stall[space])
            if worth > s.bargain:
                s.bargain = max(s.bargain, worth - lost_by(s, t, p, price))


@kernel
def vehicle_worth(t, vehicle, damage):  # type: ignore[no-untyped-def]
    """What a vehicle is worth in a state, by speed and room, in hundredths of a green card; 0 for none."""
    if vehicle == NONE:
        return 0
    return SPEED * t.vehicle[vehicle].speed[damage] + ROOM * t.vehicle[vehicle].capacity[damage]


@inlined
def kept_on(s, worth):  # type: ignore[no-untyped-def]
    """What is of use later: the less the fewer rounds are left, and a quarter for the ties in the last one."""
    return worth * (1 + s.later) // (1 + LATER)


@kernel
def dial_worth(s, t, p, what, many):  # type: ignore[no-untyped-def]
    """What a change of a dial is worth to a knight: more where little is left."""
    player = s.player[p]
    bot = t.bot[player.bot]
    if what == RADIATION:
        return bot.dial * s.later * (min(-many, player.radiation) if many < 0 else -many) // LATER
    if many > 0:
        by = min(many, lack_of(t, player, what))
        left = player.health if what == HEALTH else (player.ammo if what == AMMO else player.fuel)
        return (bot.wound if what == HEALTH else bot.dial) * by * (6 - left) * s.later // (4 * LATER)
    if what == HEALTH:
        return bot.wound * many * 3 if player.health + many <= 0 else kept_on(s, bot.wound * many)
    left = player.ammo if what == AMMO else player.fuel
    return bot.dial * max(many, -left) * s.later // LATER


@kernel
def row_worth(s, t, p, row):  # type: ignore[no-untyped-def]
    """What one row of a card would do to a knight now."""
    what, many, bot = row.what, row.many, t.bot[s.player[p].bot]
    if HEALTH <= what <= RADIATION:
        return dial_worth(s, t, p, what, many)
    if what == REPUTATION:
        return bot.fame * many
    if what == POINTS:
        return s.further * min(many, FURTHER) // FURTHER
    if GREEN <= what <= RED:
        return kept_on(s, bot.gear * many * t.map.value[what - GREEN])
    if what == LUCK:
        return bot.luck * many * s.later // LATER
    if what == REPAIR:
        return bot.dial * 2 * s.player[p].damage
    if what == DAMAGE:
        return -bot.dial * 3 if s.player[p].vehicle != NONE else 0
    if what == STOP:
        return -bot.dial
    if what == SKIP:
        return -bot.task // 2
    if what in (MERCHANT, TRADE):
        return bot.gear * s.bargain // 100
    if what == BODY_RESUPPLY:
        return dial_worth(s, t, p, HEALTH, 9) + dial_worth(s, t, p, RADIATION, -9)
    if what == GOODS_RESUPPLY:
        return dial_worth(s, t, p, AMMO, 9) + dial_worth(s, t, p, FUEL, 9) + bot.dial * 2 * s.player[p].damage
    if what in (TAKE_DRUG, TAKE_ARMOR):
        return kept_on(s, bot.gear * 2)
    if what == GAMBLE:
        return kept_on(s, bot.gear) - bot.wound // 2
    if IMPLANT <= what <= TUNING:
        return exchange_worth(s, t, p) * many if row.when == REWARD else attach_worth(s, t, p, what - IMPLANT, many)
    return bot.harm // 4 if what in (STRIKE, SCOUT) else 0


@kernel
def attach_worth(s, t, p, sort, many):  # type: ignore[no-untyped-def]
    """What it is worth to attach the best own blue card of a sort that isn't yet, or by the ruling one of the deck;
    nothing without one, and nothing to drop one."""
    player, best = s.player[p], 0
    if many < 0 or (sort == TUNING - IMPLANT and player.vehicle == NONE):
        return 0
    for i in range(player.items):
        item = t.thing[player.thing[i]]
        if item.kind == ENHANCEMENT and item.group == sort and player.spot[i] != BESIDE:
            best = max(best, blue_worth(s, t, p, player.thing[i]))
    if best == 0 and t.map.attaching == FROM_DECK:
        return kept_on(s, t.bot[player.bot].gear)
    return best


@kernel
def exchange_worth(s, t, p):  # type: ignore[no-untyped-def]
    """What a knight has for a blue card that leaves the game (K1H-25)."""
    bot = t.bot[s.player[p].bot]
    return bot.fame + kept_on(s, bot.gear * t.map.value[2])


@kernel
def blue_worth(s, t, p, item):  # type: ignore[no-untyped-def]
    """What a blue card is worth to a knight who keeps it: the less the fewer rounds are left for it."""
    return kept_on(s, t.bot[s.player[p].bot].gear * t.thing[item].worth // 100)


@kernel
def text_worth(s, t, p, text, moment):  # type: ignore[no-untyped-def]
    """What the rows of a card at a moment would do to a knight now."""
    worth = 0
    for i in range(text.rows):
        if text.row[i].when == moment:
            worth += row_worth(s, t, p, text.row[i])
    return worth


@kernel
def price_worth(s, t, p, price):  # type: ignore[no-untyped-def]
    """What paying a price is worth to a knight, as a loss."""
    value = price[0] + price[1] * t.map.value[1] + price[2] * t.map.value[2]
    return kept_on(s, t.bot[s.player[p].bot].gear * value)


# ---------------------------------------------------------------- combats


@kernel
def blow_of(s, t, p):  # type: ignore[no-untyped-def]
    """What a knight takes from an unarmored opponent in a clash at his best weapon, in hundredths of a Health."""
    player, best = s.player[p], 40
    for i in range(player.items):
        if player.spot[i] == HAND:
            item = t.thing[player.thing[i]]
            weapon = t.fight.weapon[item.place]
            if player.ammo == 0 and weapon.ammo == 1:
                continue
            skill = t.fight.knight[player.role].skill[0 if item.melee == 1 else 1]
            dice = max(1, skill - t.fight.dials.wound_dice[player.health])
            best = max(best, t.passing[1, min(31, dice)] * (100 + 100 * weapon.damage + 15 * dice) // 100)
    return best


@kernel
def armor_of(s, t, p):  # type: ignore[no-untyped-def]
    """The armor that a knight wears."""
    player = s.player[p]
    for i in range(player.items):
        if player.spot[i] == BODY:
            return t.fight.armor[t.thing[player.thing[i]].place].armor
    return 0


@inlined
def odds(mine, theirs, health, their_health):  # type: ignore[no-untyped-def]
    """The chance to win a combat as bots judge it, in hundredths: what three clashes take of either side's Health."""
    ahead = 300 * mine // max(1, their_health) - 300 * theirs // max(1, health)
    return max(5, min(95, 50 + ahead // 4))


@kernel
def toll(s, t, p, mine, theirs, their_health):  # type: ignore[no-untyped-def]
    """What a combat will cost a knight: wounds until the other is down, more where they come near to all he has."""
    bot, health = t.bot[s.player[p].bot], s.player[p].health
    taken = theirs * min(300, 10_000 * their_health // mine) // 100
    return (kept_on(s, bot.wound * taken) + 3 * bot.wound * max(0, taken - 60 * health)) // 100


@kernel
def blow_at_enemy(s, t, p, enemy):  # type: ignore[no-untyped-def]
    """What a knight takes from an enemy in a clash."""
    return max(10, blow_of(s, t, p) - 60 * t.fight.enemy[enemy].armor)


@kernel
def blow_of_enemy(s, t, p, enemy):  # type: ignore[no-untyped-def]
    """What an enemy takes from a knight in a clash."""
    foe = t.fight.enemy[enemy]
    dice = min(31, foe.aggression)
    return max(10, t.passing[1, dice] * (100 + 100 * foe.damage + 15 * dice) // 100 - 60 * armor_of(s, t, p))


@kernel
def face_worth(s, t, p, card):  # type: ignore[no-untyped-def]
    """What it is worth to face a card."""
    bot = t.bot[s.player[p].bot]
    if card >= EVENT_AT:
        text = t.event[card - EVENT_AT].text
        return text_worth(s, t, p, text, ALWAYS) + text_worth(s, t, p, text, FACED)
    mine, theirs, health = blow_at_enemy(s, t, p, card), blow_of_enemy(s, t, p, card), t.fight.enemy[card].health
    chance = odds(mine, theirs, s.player[p].health, health)
    return bot.fight * t.foe[card].prize * chance // 10_000 - toll(s, t, p, mine, theirs, health)


@kernel
def escape_worth(s, t, p, card):  # type: ignore[no-untyped-def]
    """What it is worth to try to escape a card."""
    player = s.player[p]
    bot = t.bot[player.bot]
    if card >= EVENT_AT:
        event = t.event[card - EVENT_AT]
        chance = passing(s, t, p, event.skill, event.difficulty)
        text = event.text
        fail = text_worth(s, t, p, text, ALWAYS) + text_worth(s, t, p, text, FAILED)
    else:
        foe = t.foe[card]
        chance = passing(s, t, p, foe.skill, foe.difficulty)
        lost = 1 + foe.costly
        fail = -bot.wound * lost * (3 if player.health <= lost else 1)
    return fail * (100 - chance) // 100


@kernel
def harm_of(s, t, p, waster, card):  # type: ignore[no-untyped-def]
    """What a card would do to the knight who moves, for the Waster: neutral, or as his rival (K4-25)."""
    bot = t.bot[s.player[waster].bot]
    harm = -max(face_worth(s, t, p, card), escape_worth(s, t, p, card))
    if t.table.neutral_waster == 0:
        ahead = s.player[p].reputation - s.player[waster].reputation
        harm = harm * (100 + bot.rival * max(-2, min(2, ahead)) // 2) // 100
    return bot.harm * harm // 100


@kernel
def duel_worth(s, t, p, other):  # type: ignore[no-untyped-def]
    """What it is worth to a knight to fight another one."""
    bot, me, rival = t.bot[s.player[p].bot], s.player[p], s.player[other]
    mine = max(10, blow_of(s, t, p) - 60 * armor_of(s, t, other))
    theirs = max(10, blow_of(s, t, other) - 60 * armor_of(s, t, p))
    chance = odds(mine, theirs, me.health, rival.health)
    prize = bot.fame + kept_on(s, bot.gear * min(6, gear_value(t, rival)) // 2)
    return bot.duel * prize * chance // 10_000 - toll(s, t, p, mine, theirs, rival.health)


@kernel
def free_value(s, t, player):  # type: ignore[no-untyped-def]
    """The value of all that a knight could pay with, in green cards."""
    value = 0
    for i in range(player.items):
        if could_pay(s, t, player, i):
            value += t.thing[player.thing[i]].value
    return value
