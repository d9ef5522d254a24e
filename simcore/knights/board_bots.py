"""The decisions on the board: how good what is legal looks, by features that everyone at the table can see.

A bot weighs features (`board_cards.BOARD_FEATURES`), in hundredths: dial: Ammo, Fuel or Radiation gained; wound:
Health; fame: Reputation; gear: what cards are worth, in green cards; task: a step of a task; fight: the chance to win a
combat times its prize; risk: cards that the Waster may play; way: Fuel spent; luck: luck cards; duel: the chance to win
one; harm: what a card does to the knight who moves, for the Waster; rival: percent of it that counts for each
Reputation by which he is ahead; rest: to do nothing.
"""

from __future__ import annotations

from simcore.bots import choose, choose_evenly
from simcore.dice import POOL_MAX
from simcore.kernels import inlined, kernel
from simcore.knights.belongings import gear_value, has_item, is_free, lack_of, standing, weapon_worth
from simcore.knights.board_state import BODY, EVENT_AT, HAND, NONE, OPTIONS
from simcore.knights.board_tables import GENERAL, NEED, SEATS, WEAPON, WHAT, WHEN
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
FACED, FAILED, ALWAYS = WHEN["faced"], WHEN["failed"], WHEN["always"]
EXPLORE = NEED["explore"]
POINTS = WHAT["points"]
FIGHT_HEALTH = FIGHT_WHAT["health"]


@inlined
def offer(s, option, value):  # type: ignore[no-untyped-def]
    """Lay out one more option with its value; beyond the capacity it is left out and counted."""
    if s.options == OPTIONS:
        s.overflow = 1
        return
    s.option[s.options], s.value[s.options] = option, value
    s.options += 1


@kernel
def set_keys(s, stream, phase, position):  # type: ignore[no-untyped-def]
    """The keys of decisions and checks of a moment: the phase of the round, and the position after the First Player."""
    moment = (s.rounds * 8 + phase) * SEATS + position
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
    return min(POOL_MAX, max(1, dice - t.fight.dials.wound_dice[player.health]))


@inlined
def law_of(difficulty):  # type: ignore[no-untyped-def]
    """The law of a difficulty of 5, 7 or 9."""
    return (difficulty - 5) // 2


@kernel
def passing(s, t, p, skill, difficulty):  # type: ignore[no-untyped-def]
    """The chance of a check, in hundredths."""
    return t.passing[law_of(difficulty), dice_of(s, t, p, skill)]


# ---------------------------------------------------------------- what things are worth


@kernel
def item_worth(s, t, p, item):  # type: ignore[no-untyped-def]
    """What one more card is worth to a knight, in hundredths of a green card: better arms, or its use, or its price."""
    row, player = t.thing[item], s.player[p]
    resale = 35 * row.value
    if row.kind == GENERAL:
        return max(resale, row.worth if has_item(player, item) == NONE else row.worth // 2)
    best = 0
    for i in range(player.items):
        if player.spot[i] == (HAND if row.kind == WEAPON else BODY):
            best = max(
                best, weapon_worth(s, t, p, player.thing[i]) if row.kind == WEAPON else t.thing[player.thing[i]].worth
            )
    mine = weapon_worth(s, t, p, item) if row.kind == WEAPON else row.worth
    return max(resale, mine - best)


@kernel
def vehicle_worth(t, player):  # type: ignore[no-untyped-def]
    """What a knight's vehicle is worth in its state, by speed and room, in hundredths of a green card; 0 for none."""
    if player.vehicle == NONE:
        return 0
    mine = t.vehicle[player.vehicle]
    return 100 * (mine.speed[player.damage] + mine.capacity[player.damage])


@kernel
def dial_worth(s, t, p, what, many):  # type: ignore[no-untyped-def]
    """What a change of a dial is worth to a knight: more where little is left."""
    player = s.player[p]
    bot = t.bot[player.bot]
    if what == RADIATION:
        return bot.dial * (min(-many, player.radiation) if many < 0 else -many)
    if many > 0:
        by = min(many, lack_of(t, player, what))
        left = player.health if what == HEALTH else (player.ammo if what == AMMO else player.fuel)
        return (bot.wound if what == HEALTH else bot.dial) * by * (6 - left) // 4
    if what == HEALTH:
        return bot.wound * many * (3 if player.health + many <= 0 else 1)
    left = player.ammo if what == AMMO else player.fuel
    return bot.dial * max(many, -left)


@kernel
def row_worth(s, t, p, row):  # type: ignore[no-untyped-def]
    """What one row of a card would do to a knight now."""
    what, many, bot = row.what, row.many, t.bot[s.player[p].bot]
    if HEALTH <= what <= RADIATION:
        return dial_worth(s, t, p, what, many)
    if what == REPUTATION:
        return bot.fame * many
    if what == POINTS:
        return bot.dial * many // 3
    if GREEN <= what <= RED:
        return bot.gear * many * t.map.value[what - GREEN]
    if what == LUCK:
        return bot.luck * many
    if what == REPAIR:
        return bot.dial * 2 * s.player[p].damage
    if what == DAMAGE:
        return -bot.dial * 3 if s.player[p].vehicle != NONE else 0
    if what == STOP:
        return -bot.dial
    if what == SKIP:
        return -bot.task // 2
    if what in (MERCHANT, TRADE):
        return bot.gear * min(6, gear_value(t, s.player[p])) // 3
    if what == BODY_RESUPPLY:
        return dial_worth(s, t, p, HEALTH, 9) + dial_worth(s, t, p, RADIATION, -9)
    if what == GOODS_RESUPPLY:
        return dial_worth(s, t, p, AMMO, 9) + dial_worth(s, t, p, FUEL, 9) + bot.dial * 2 * s.player[p].damage
    if what in (TAKE_DRUG, TAKE_ARMOR):
        return bot.gear * 2
    if what == GAMBLE:
        return bot.gear - bot.wound // 2
    if IMPLANT <= what <= TUNING:
        return bot.gear
    return bot.harm // 4 if what in (STRIKE, SCOUT) else 0


@kernel
def exchange_worth(s, t, p):  # type: ignore[no-untyped-def]
    """What a knight has for a blue card that leaves the game (K1H-25)."""
    bot = t.bot[s.player[p].bot]
    return bot.fame + bot.gear * t.map.value[2]


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
    return t.bot[s.player[p].bot].gear * value


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


@kernel
def chance_to_beat(s, t, p, enemy):  # type: ignore[no-untyped-def]
    """The chance to beat an enemy as bots judge it, in hundredths: three clashes of blows on either side."""
    foe, player = t.fight.enemy[enemy], s.player[p]
    mine = max(10, blow_of(s, t, p) - 60 * foe.armor)
    dice = min(31, foe.aggression)
    theirs = max(10, t.passing[1, dice] * (100 + 100 * foe.damage + 15 * dice) // 100 - 60 * armor_of(s, t, p))
    ahead = 300 * mine // max(1, foe.health) - 300 * theirs // max(1, player.health)
    return max(5, min(95, 50 + ahead // 4))


@kernel
def face_worth(s, t, p, card):  # type: ignore[no-untyped-def]
    """What it is worth to face a card."""
    bot = t.bot[s.player[p].bot]
    if card >= EVENT_AT:
        text = t.event[card - EVENT_AT].text
        return text_worth(s, t, p, text, ALWAYS) + text_worth(s, t, p, text, FACED)
    chance = chance_to_beat(s, t, p, card)
    lost = bot.wound * (2 if s.player[p].health > 2 else 4) * (100 - chance) // 100
    return bot.fight * t.foe[card].prize * chance // 10_000 - lost - bot.dial


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
    bot = t.bot[s.player[p].bot]
    mine = blow_of(s, t, p) - 60 * armor_of(s, t, other)
    theirs = blow_of(s, t, other) - 60 * armor_of(s, t, p)
    mine, theirs = max(10, mine) * s.player[p].health, max(10, theirs) * s.player[other].health
    chance = max(5, min(95, 50 + 40 * (mine - theirs) // max(mine, theirs)))
    prize = bot.fame + bot.gear * min(6, gear_value(t, s.player[other])) // 2
    return bot.duel * (prize * chance - bot.wound * 2 * (100 - chance)) // 10_000


@kernel
def free_value(t, player):  # type: ignore[no-untyped-def]
    """The value of all that a knight could pay with, in green cards."""
    value = 0
    for i in range(player.items):
        if is_free(t, player, i):
            value += t.thing[player.thing[i]].value
    return value


@kernel
def hex_worth(s, t, p, h):  # type: ignore[no-untyped-def]
    """What it is worth to a knight to end his move on a hex: its actions, tasks, icons, and who stands there."""
    player, place = s.player[p], s.hex[h]
    bot, tile, worth = t.bot[player.bot], t.tile[place.tile], 0
    sure = 100
    if place.blank == 0:
        if tile.explore > 0 and not (player.hex == h and player.explored == 1):
            sure = passing(s, t, p, tile.skill, tile.explore)
        worth += (best_action(s, t, p, tile) + bot.task * tasks_at(s, t, p, tile.number)) * sure // 100
    worth += dial_worth(s, t, p, RADIATION, tile.radiation + place.irradiate)
    worth -= bot.wound * (tile.contamination + place.contaminate)
    if tile.role == 2:
        worth += bot.dial
    for other in range(s.players):
        if other != p and s.player[other].hex == h and s.player[other].out == 0 and t.table.duels == 1:
            worth += max(0, duel_worth(s, t, p, other)) // 2
    return worth


@kernel
def best_action(s, t, p, tile):  # type: ignore[no-untyped-def]
    """What the best action of a tile that the knight can pay is worth to him now."""
    best, means = 0, free_value(t, s.player[p])
    for a in range(tile.actions):
        action = tile.action[a]
        price = action.price[0] + action.price[1] * t.map.value[1] + action.price[2] * t.map.value[2]
        if price <= means:
            best = max(best, action_worth(s, t, p, action))
    return best


@kernel
def action_worth(s, t, p, action):  # type: ignore[no-untyped-def]
    """What an action of a hex is worth to a knight now, its price paid."""
    worth = -price_worth(s, t, p, action.price)
    for i in range(action.text.rows):
        worth += row_worth(s, t, p, action.text.row[i])
    return worth


@kernel
def tasks_at(s, t, p, number):  # type: ignore[no-untyped-def]
    """How many steps of tasks a knight could take on a hex with a number."""
    steps = 0
    for i in range(s.posts):
        post = s.post[i]
        if post.task != NONE:
            task = t.task[post.task]
            if post.holder == p:
                if task.second.hex == number and number > 0:
                    steps += 2
            elif post.holder == NONE and task.first.hex == number and number > 0:
                if task.common == 1:
                    steps += 2
                elif post.owner == NONE or post.owner == p:
                    steps += 1
    return steps
