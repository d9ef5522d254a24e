"""The decisions of a crew: what is legal, and how good it looks by features that the players can see.

Each feature is in hundredths (of a Health, a chance, an action). A bot weighs them (`cards.FEATURES`): damage: Health
that an attack takes on average; kill: chance to destroy the target; wastes: the same for a target in The Wastes, which
stops the mech; threat: what the target would do, times that chance; repair, douse: how much the room matters; mend:
Health lacking; revive; fuel: how sure the extra distance is; noise: cards more that it costs; approach: nearer to where
something is to be done; crane: a room where the crane would be worked; danger: attacks waiting in the room for one who
is weak; tool: what a card would do now, less its worth if it is used up; reload; swap: worth of equipment in better
hands; rest: to end the turn; hull: Hull lacking; card: Scrap to spare for a new card.
"""

from __future__ import annotations

from simcore.bots import offer
from simcore.kernels import inlined, kernel
from simcore.mech.cards import ROOMS, WASTES
from simcore.mech.choices import decide
from simcore.mech.combat import in_wastes, name_of, unarmed_dice
from simcore.mech.crew import (
    ATTACK,
    DROP,
    EXTINGUISH,
    FUEL,
    GIVE,
    GIVE_DROPPING,
    GIVE_SCRAPPING,
    GUN,
    MEND,
    MOVE,
    PICK_UP,
    PICK_UP_SCRAPPING,
    PRESS,
    RELOAD,
    REPAIR,
    REST,
    REVIVE,
    SEARCH,
    SKILL,
    SWAP,
    TAKE,
    TAKE_DROPPING,
    TAKE_SCRAPPING,
    TOOL,
    TRADE,
    TRADE_FLOOR,
    can_exchange,
    can_extinguish,
    can_mend,
    can_repair,
    can_search,
    engine_to_fuel,
    gun_dice,
    option_of,
    reaches,
    revive_price,
    room_for,
    weapon_dice,
)
from simcore.mech.escalation import can_advance
from simcore.mech.rooms import works
from simcore.mech.state import FUNCTIONAL, INOPERABLE, JOURNEY, NONE, ON_FIRE
from simcore.mech.tables import FUNCTION, KIND, SEATS, WHAT, WHEN, WHOM

WEAPON, ARMOR, GEAR = KIND["weapon"], KIND["armor"], KIND["gear"]
DECK, CRANE, COCKPIT, GUN_ROOM, ENGINE = (
    FUNCTION["deck"], FUNCTION["crane"], FUNCTION["cockpit"], FUNCTION["gun"], FUNCTION["engine"],
)  # fmt: skip
USE, PRESS_TERM = WHEN["use"], WHAT["press"]
HEALTH, HULL, ACTIONS, DAMAGE, DOUSE = WHAT["health"], WHAT["hull"], WHAT["actions"], WHAT["damage"], WHAT["douse"]
REPAIR_DEED, SHOVE, STEP, SCRAP = WHAT["repair"], WHAT["shove"], WHAT["step"], WHAT["scrap"]
MATE, IN_THE_WASTES, ENEMIES = WHOM["mate"], WHOM["wastes"], WHOM["enemies"]
FREE_SLOT, UNWANTED, DROPPED = 7, 63, 64
"""What a hand-out says beside who * 8 + place: a free slot as the place, nobody, and that the old card is dropped."""

STOP, REINFORCE, RECYCLE_EQUIPMENT, RECYCLE_UPGRADE = range(4)
"""What can be done with Scrap (M17-15, M17-16)."""

USELESS, NEARER = -100_000, 1_500
"""What is never done by those who weigh, and what any step nearer to something to do is worth at least."""


# ---------------------------------------------------------------- what rooms ask for


@inlined
def importance(s, t, room):  # type: ignore[no-untyped-def]
    """How much a room matters when it works, in hundredths."""
    return t.room[room].matters + (60 if s.room[room].upgrade != NONE else 0)


@inlined
def threat_of(s, t, e, c):  # type: ignore[no-untyped-def]
    """How bad it is if crew member c leaves an enemy alone, in hundredths."""
    enemy = s.enemy[e]
    attack = 40 * t.enemy[enemy.card].attack
    if enemy.room == WASTES:
        return 100 + attack
    if s.room[enemy.room].crew > int(s.crew[c].room == enemy.room):
        return attack
    return 60 + importance(s, t, enemy.room) // 2 + 100 * t.enemy[enemy.card].swift


@inlined
def note_needs(s, t, c):  # type: ignore[no-untyped-def]
    """What each room asks of crew member c, in weights times hundredths; less where others stand already. Where he
    stands himself makes no difference."""
    bot, here = t.bot[s.crew[c].bot], s.crew[c].room
    for room in range(1, ROOMS + 1):
        s.need[room] = damage_need(s, t, bot, room)
    note_work(s, t, bot)
    for e in range(s.enemies):
        if s.enemy[e].health > 0 and s.enemy[e].room != WASTES:
            s.need[s.enemy[e].room] += bot.threat * threat_of(s, t, e, c)
    for other in range(len(s.crew)):
        mate = s.crew[other]
        if mate.here == 1 and other != c:
            if mate.downed == 1:
                s.need[mate.room] += bot.revive * 150
            elif mate.health < mate.top:
                s.need[mate.room] += bot.mend * 50 * (mate.top - mate.health) // mate.top
    for room in range(1, ROOMS + 1):
        others = s.room[room].crew - int(here == room)
        if others > 0 and s.need[room] > 0:
            s.need[room] = s.need[room] // (1 + others)


@inlined
def damage_need(s, t, bot, room):  # type: ignore[no-untyped-def]
    """What a room asks for that is damaged: water or repairs."""
    condition = s.room[room].condition
    if condition == FUNCTIONAL:
        return 0
    if condition == INOPERABLE:
        return bot.repair * importance(s, t, room)
    return bot.douse * (100 + importance(s, t, room) // 2)


@inlined
def note_work(s, t, bot):  # type: ignore[no-untyped-def]
    """What rooms ask for by their function: the crane's work, fuel, gunners; and the search for the beacon."""
    crane, cockpit, outside = t.mech.crane, t.mech.cockpit, in_wastes(s)
    if s.crane_uses < t.mech.crane_uses:
        if s.room[crane].condition == FUNCTIONAL:
            s.need[crane] += bot.crane * 100
        if s.room[cockpit].condition == FUNCTIONAL and works(s, crane):
            s.need[cockpit] += bot.crane * 50
    if s.phase == JOURNEY and s.scraps > 0 and can_advance(s, t):
        for i in range(2):
            s.need[t.mech.engine[i]] += bot.fuel * 40
    if outside > 0:
        for i in range(t.mech.guns):
            if works(s, t.mech.gun[i]):
                s.need[t.mech.gun[i]] += bot.wastes * (100 + 20 * outside)
                if works(s, cockpit) and i == 0:
                    s.need[cockpit] += bot.wastes * 60
    if s.hidden == 1:
        for room in range(1, ROOMS + 1):
            if can_search(s, room):
                s.need[room] += bot.repair * 200


@inlined
def pull(s, t, room):  # type: ignore[no-untyped-def]
    """How well placed one is in a room: the strongest need of all rooms, an eighth or so less for each step to it."""
    best, near = 0, t.room[room].near
    for other in range(1, ROOMS + 1):
        best = max(best, s.need[other] * near[other])
    return best // 100


@inlined
def danger(s, t, c, room):  # type: ignore[no-untyped-def]
    """Attacks waiting in a room, in hundredths of the Health that crew member c has left."""
    attack = 0
    if s.room[room].enemies > 0:
        for e in range(s.enemies):
            if s.enemy[e].room == room and s.enemy[e].health > 0:
                attack += t.enemy[s.enemy[e].card].attack
    return 67 * attack // max(1, s.crew[c].health) if attack > 0 else 0


# ---------------------------------------------------------------- options of a turn


@kernel
def lay_out_turn(s, t, c):  # type: ignore[no-untyped-def]
    """Every legal option of a crew member now, with its value if his bot weighs."""
    member, weighs = s.crew[c], s.crew[c].weighs == 1
    s.options = 0
    offer(s, option_of(REST, 0, 0), t.bot[member.bot].rest * 100)
    lay_out_moves(s, t, c, weighs)
    if member.actions > 0:
        lay_out_attacks(s, t, c, weighs)
        lay_out_room(s, t, c, weighs)
        lay_out_mates(s, t, c, weighs)
    elif member.repairs > 0 and can_repair(s, c):
        offer(s, option_of(REPAIR, 0, 0), t.bot[member.bot].repair * importance(s, t, member.room))
    lay_out_cards(s, t, c, weighs)


@inlined
def lay_out_moves(s, t, c, weighs):  # type: ignore[no-untyped-def]
    """Moves to adjacent rooms; who weighs doesn't walk straight back."""
    member = s.crew[c]
    if member.actions == 0 and member.steps == 0:
        return
    room, bot, here, fears = t.room[member.room], t.bot[member.bot], 0, False
    if weighs:
        if member.came == 0:
            note_needs(s, t, c)  # a move changes none of them
        here, fears = pull(s, t, member.room), bot.danger != 0
    risk = danger(s, t, c, member.room) if fears else 0
    for i in range(room.doors):
        door, value = room.door[i], 0
        if weighs:
            gain = pull(s, t, door) - here
            value = bot.approach * (gain + NEARER if gain > 0 else gain) // 100
            if fears:
                value += bot.danger * (danger(s, t, c, door) - risk)
            if door == member.came:
                value += USELESS
        offer(s, option_of(MOVE, 0, door), value)


@inlined
def lay_out_attacks(s, t, c, weighs):  # type: ignore[no-untyped-def]
    """Attacks unarmed and with each weapon on each enemy in reach, and gun shots."""
    member, unarmed = s.crew[c], unarmed_dice(s, c)
    for e in range(s.enemies):
        enemy = s.enemy[e]
        if enemy.health > 0:
            beside = enemy.room == member.room
            if beside and unarmed > 0:
                offer_attack(s, t, c, e, ATTACK, 0, unarmed, weighs)
            for i in range(member.items):
                card = t.card[member.held[i]]
                ready = card.kind == WEAPON and member.turned[i] == 0 and (beside or card.reach > 0)
                dice = weapon_dice(s, t, c, member.held[i]) if ready else 0
                if dice > 0 and reaches(s, t, c, e, card.reach):
                    offer_attack(s, t, c, e, ATTACK, i + 1, dice, weighs)
            if enemy.room == WASTES:
                for gun in range(t.mech.guns):
                    dice = gun_dice(s, t, c, gun)
                    if dice > 0:
                        offer_attack(s, t, c, e, GUN, gun, dice, weighs)


@kernel
def offer_attack(s, t, c, e, verb, how, dice, weighs):  # type: ignore[no-untyped-def]
    """One attack with its value."""
    value, enemy, bot = 0, s.enemy[e], t.bot[s.crew[c].bot]
    if weighs:
        armor, most = t.enemy[enemy.card].armor, len(t.chance) - 1
        pool = min(max(dice, 0), most)
        chance = t.chance[pool, min(enemy.health + armor, most)]
        worth = bot.kill + (bot.wastes if enemy.room == WASTES else 0)
        hits = t.expected[pool, armor]
        value = bot.damage * hits + worth * chance + bot.threat * threat_of(s, t, e, c) * chance // 100
        if hits == 0:
            value = USELESS
    offer(s, option_of(verb, how, name_of(enemy)), value)


@inlined
def lay_out_room(s, t, c, weighs):  # type: ignore[no-untyped-def]
    """Repair, Extinguish and Fuel, where the crew member stands."""
    member = s.crew[c]
    bot, matters = t.bot[member.bot], importance(s, t, member.room)
    if can_repair(s, c):
        offer(s, option_of(REPAIR, 0, 0), bot.repair * matters)
    if can_extinguish(s, c):
        offer(s, option_of(EXTINGUISH, 0, 0), bot.douse * (100 + matters // 2))
        if s.room[member.room].enemies > 0:
            lay_out_drives(s, t, c, bot.douse * (100 + matters // 2))
    if can_search(s, member.room):
        offer(s, option_of(SEARCH, 0, 0), bot.repair * 300)
    engine = engine_to_fuel(s, t, c)
    if engine != NONE:
        sure = 100 if s.phase == JOURNEY and can_advance(s, t) else 0
        offer(s, option_of(FUEL, engine, 0), bot.fuel * max(0, sure - 12 * s.enemies) - bot.noise * 100)


@kernel
def lay_out_drives(s, t, c, value):  # type: ignore[no-untyped-def]
    """Where the enemies in a room could be driven when its fire is put out (M18-06): best where no room is damaged."""
    room, bot = t.room[s.crew[c].room], t.bot[s.crew[c].bot]
    for i in range(room.doors):
        door = room.door[i]
        spared = danger(s, t, c, s.crew[c].room) if s.room[door].crew == 0 else 0
        offer(s, option_of(EXTINGUISH, 0, door), value + bot.danger * spared - bot.threat * importance(s, t, door) // 2)


@inlined
def lay_out_mates(s, t, c, weighs):  # type: ignore[no-untyped-def]
    """Mend and Revive, and the exchange of equipment as one option."""
    member = s.crew[c]
    bot = t.bot[member.bot]
    for other in range(len(s.crew)):
        mate = s.crew[other]
        if mate.here == 1 and mate.room == member.room:
            if can_mend(s, c, other):
                offer(s, option_of(MEND, 0, other), bot.mend * 100 * (mate.top - mate.health) // mate.top)
            if other != c and mate.downed == 1 and member.actions >= revive_price(s, t, c):
                offer(s, option_of(REVIVE, 0, other), bot.revive * 150)
    if can_exchange(s, c):
        offer(s, option_of(SWAP, 0, 0), best_exchange(s, t, c) if weighs and bot.swap != 0 else 0)


@inlined
def lay_out_cards(s, t, c, weighs):  # type: ignore[no-untyped-def]
    """Reload, gear, the own ability, and Press Your Luck at the start of the turn."""
    member = s.crew[c]
    bot = t.bot[member.bot]
    for i in range(member.items):
        card = t.card[member.held[i]]
        if card.kind == WEAPON and member.turned[i] == 1 and member.actions + member.reloads > 0:
            offer(s, option_of(RELOAD, i + 1, 0), bot.reload * 100)
        if card.kind == GEAR and member.turned[i] == 0 and member.actions >= card.action and card.text.uses > 0:
            kept = card.one_use * card.worth
            value = bot.tool * (deeds_worth(s, t, c, card.text) - kept) if weighs else 0
            offer(s, option_of(TOOL, i + 1, 0), value)
    ability = t.ability[member.ability]
    ready = member.ability_used == 0 or ability.once == 0
    if ready and member.actions >= ability.action and ability.text.uses > 0:
        offer(s, option_of(SKILL, 0, 0), bot.tool * deeds_worth(s, t, c, ability.text) if weighs else 0)
    if member.term[PRESS_TERM] > 0 and s.step == 0:
        offer(s, option_of(PRESS, 0, 0), bot.tool * (250 - 100 * member.actions))


@kernel
def deeds_worth(s, t, c, text):  # type: ignore[no-untyped-def]
    """What using a card would do now, in hundredths; far below nothing if all of it would be lost."""
    worth, helps = 0, False
    for i in range(text.effects):
        if text.effect[i].when == USE:
            one = deed_worth(s, t, c, text.effect[i])
            worth += one
            helps = helps or one > 0
    return worth if helps else USELESS


@kernel
def deed_worth(s, t, c, effect):  # type: ignore[no-untyped-def]
    """What one deed would do now, in hundredths."""
    member, what, many = s.crew[c], effect.what, effect.many
    room = s.room[member.room]
    if what == HEALTH:
        lack = member.top - member.health
        if effect.whom == MATE:
            lack = lacking(s, c)
        return 100 * min(many, lack) if many > 0 else 60 * many - (200 if member.health <= -many else 0)
    if what == HULL:
        return 100 * min(many, t.mech.hull - s.hull) if many > 0 else 60 * many
    if what == ACTIONS:
        wanted = member.actions == 0 and (room.enemies > 0 or room.condition != FUNCTIONAL or can_shoot(s, t, c))
        return 100 * many if many < 0 or wanted else 0
    if what == DAMAGE:
        targets = in_wastes(s) if effect.whom == IN_THE_WASTES else room.enemies
        return 80 * many * (targets if effect.whom == ENEMIES else min(1, targets))
    if what == DOUSE:
        return 150 if room.condition == ON_FIRE and s.hidden == 0 else 0
    if what == REPAIR_DEED:
        return 120 if room.condition == INOPERABLE and s.hidden == 0 else 0
    if what == SHOVE:
        return 60 * room.enemies if importance(s, t, member.room) > 100 else 0
    return 40 * many if what == SCRAP else (20 * many if what == STEP else 0)


@kernel
def can_shoot(s, t, c):  # type: ignore[no-untyped-def]
    """Whether a crew member can fire a gun from where he stands."""
    dice = 0
    for gun in range(t.mech.guns):
        dice = max(dice, gun_dice(s, t, c, gun))
    return dice > 0


@kernel
def lacking(s, c):  # type: ignore[no-untyped-def]
    """The most Health that another standing crew member in the room lacks."""
    most = 0
    for other in range(len(s.crew)):
        mate = s.crew[other]
        if other != c and mate.here == 1 and mate.downed == 0 and mate.room == s.crew[c].room:
            most = max(most, mate.top - mate.health)
    return most


@kernel
def choose_exchange(s, t, stream, c):  # type: ignore[no-untyped-def]
    """Which exchange of equipment a crew member makes."""
    s.options = 0
    lay_out_exchanges(s, t, c)
    return decide(s, t, stream, c, 512 + s.step)


# ---------------------------------------------------------------- equipment


@inlined
def worth_for(s, t, c, card):  # type: ignore[no-untyped-def]
    """What equipment is worth to a crew member beside what he carries (effects.fold_worth)."""
    kind, worth = t.card[card].kind, t.card[card].worth
    return worth if kind == GEAR else max(worth - s.crew[c].best[kind], 0) + worth // 5


@kernel
def choose_hand_out(s, t, stream, card):  # type: ignore[no-untyped-def]
    """To whom new equipment goes, and in place of what (M17-12, M5-11): as salvage.equip takes it. Who weighs would
    rather scrap a card than leave it behind."""
    s.options = 0
    for c in range(len(s.crew)):
        member = s.crew[c]
        if member.here == 1:
            gain = worth_for(s, t, c, card) // (1 + member.downed)
            if room_for(s, c):
                offer(s, c * 8 + FREE_SLOT, 100 * gain)
            else:
                for place in range(member.items):
                    value = 100 * (gain - member.kept[place])
                    offer(s, c * 8 + place, value)
                    offer(s, c * 8 + place + DROPPED, value - 100)
    offer(s, UNWANTED, 100 * 20)
    return decide(s, t, stream, s.first, 1024 + card)


@kernel
def choose_upgrade_room(s, t, stream, card):  # type: ignore[no-untyped-def]
    """Where a new upgrade goes: a room of its card that is Functional, or 0 for none (M17-13, M5-26)."""
    s.options = 0
    for room in range(1, ROOMS + 1):
        if (t.card[card].rooms >> room) & 1 and works(s, room):
            old = s.room[room].upgrade
            lost = t.card[old].worth if old != NONE else t.ruling.upgrade_over_function * importance(s, t, room)
            offer(s, room, 100 * (t.card[card].worth - lost))
    offer(s, 0, 100 * 20)
    return decide(s, t, stream, s.first, 1024 + card)


@kernel
def choose_scrap_use(s, t, stream, price, turn):  # type: ignore[no-untyped-def]
    """What the first player uses Scrap for: 0 nothing more, 1 Reinforce, 2 and 3 Recycle for equipment, an upgrade."""
    bot, lack = t.bot[s.crew[s.first].bot], t.mech.hull - s.hull
    s.options = 0
    offer(s, STOP, 0)
    if s.scraps >= price and (lack > 0 or t.ruling.hull_cap == 1):
        offer(s, REINFORCE, bot.hull * (100 * lack // t.mech.hull - 15))
    if s.scraps >= t.mech.recycle_scrap:
        spare = 15 * (s.scraps - t.mech.recycle_scrap) - 10
        if s.salvage.left == 0:
            spare = -100
        offer(s, RECYCLE_EQUIPMENT, bot.card * spare)
        offer(s, RECYCLE_UPGRADE, bot.card * (spare - 5))
    return decide(s, t, stream, s.first, 2048 + turn)


# ---------------------------------------------------------------- drop, give, pick up, take, trade


@kernel
def lay_out_exchanges(s, t, c):  # type: ignore[no-untyped-def]
    """Every exchange of equipment that is legal now, with its value, after what is laid out (for crew.exchange)."""
    member, floor = s.crew[c], s.room[s.crew[c].room]
    for mine in range(member.items):
        lost = member.kept[mine]
        offer(s, option_of(DROP, mine, SEATS * 64), -100 * lost)
        for theirs in range(floor.items):
            gain = worth_for(s, t, c, floor.floor[theirs]) - lost
            offer(s, option_of(TRADE_FLOOR, mine, SEATS * 64 + theirs), 100 * gain)
            if not room_for(s, c):
                offer(s, option_of(PICK_UP_SCRAPPING, mine, SEATS * 64 + theirs), 100 * gain + 100)
    if room_for(s, c):
        for theirs in range(floor.items):
            offer(s, option_of(PICK_UP, 0, SEATS * 64 + theirs), 100 * worth_for(s, t, c, floor.floor[theirs]))
    for other in range(len(s.crew)):
        if s.crew[other].here == 1 and other != c and s.crew[other].room == member.room:
            lay_out_with(s, t, c, other)


@kernel
def lay_out_with(s, t, c, other):  # type: ignore[no-untyped-def]
    """Exchanges with one crew member in the room; the Downed cannot be willing. Who rather keeps what he has isn't
    asked: all are willing."""
    member, mate = s.crew[c], s.crew[other]
    if mate.downed == 1:
        return
    for mine in range(member.items):
        card, lost = member.held[mine], s.crew[c].kept[mine]
        if room_for(s, other):
            offer(s, option_of(GIVE, mine, other * 64), 100 * (worth_for(s, t, other, card) - lost))
        for theirs in range(mate.items):
            gain = worth_for(s, t, c, mate.held[theirs]) + worth_for(s, t, other, card)
            value = 100 * (gain - lost - mate.kept[theirs])
            offer(s, option_of(TRADE, mine, other * 64 + theirs), value)
            lay_out_for_room(s, t, c, other, mine, theirs)
    if room_for(s, c):
        for theirs in range(mate.items):
            gain = worth_for(s, t, c, mate.held[theirs]) - mate.kept[theirs]
            offer(s, option_of(TAKE, 0, other * 64 + theirs), 100 * gain)


@inlined
def lay_out_for_room(s, t, c, other, mine, theirs):  # type: ignore[no-untyped-def]
    """Of two crew members give or take a card where the taker's slots are full, and he gives up an old one for it
    (M5-11); who weighs would rather scrap a card than leave it behind."""
    mate, kept, whom = s.crew[other], s.crew[c].kept[mine], other * 64 + theirs
    if not room_for(s, other):
        value = 100 * (worth_for(s, t, other, s.crew[c].held[mine]) - kept - mate.kept[theirs])
        offer(s, option_of(GIVE_SCRAPPING, mine, whom), value + 100)
        offer(s, option_of(GIVE_DROPPING, mine, whom), value)
    if not room_for(s, c):
        value = 100 * (worth_for(s, t, c, mate.held[theirs]) - kept - mate.kept[theirs])
        offer(s, option_of(TAKE_SCRAPPING, mine, whom), value + 100)
        offer(s, option_of(TAKE_DROPPING, mine, whom), value)


@kernel
def best_exchange(s, t, c):  # type: ignore[no-untyped-def]
    """The value of the best exchange if there is one that helps, leaving the options of the turn as they are."""
    laid, best = s.options, USELESS
    lay_out_exchanges(s, t, c)
    for i in range(laid, s.options):
        best = max(best, s.value[i])
    s.options = laid
    return best * t.bot[s.crew[c].bot].swap // 100 if best > 0 else USELESS
