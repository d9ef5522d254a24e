"""Crew actions: what each is allowed to do, what it costs, and what it does."""

from __future__ import annotations

from simcore.journal import note
from simcore.kernels import has_room, inlined, kernel
from simcore.mech.cards import WASTES
from simcore.mech.combat import credit, in_wastes, jammed, name_of, rejoice, strike, strike_unarmed, wound
from simcore.mech.effects import apply, box_scrap, fold_crew, heal, scrap_card
from simcore.mech.enemies import tidy, walk
from simcore.mech.rooms import mend_room, printed, repair, stand_in, works
from simcore.mech.state import FLOOR, FUNCTIONAL, HELD, INOPERABLE, NONE, ON_FIRE
from simcore.mech.tables import FUNCTION, KIND, WHAT, WHEN, WHOM
from simcore.mech.tell import ACTS_SO, DICE_FROM, EXCHANGES, GIVES_UP, JAMS, LOST, TAKES_CARD, TURNED, USED_UP

(REST, MOVE, ATTACK, GUN, REPAIR, EXTINGUISH, MEND, FUEL, SWAP, REVIVE, RELOAD, TOOL, SKILL, PRESS, SEARCH) = range(15)
"""What a crew member can do; REST ends the turn."""

(
    DROP, GIVE, PICK_UP, TAKE, TRADE_FLOOR, TRADE, PICK_UP_SCRAPPING, TAKE_SCRAPPING, TAKE_DROPPING, GIVE_SCRAPPING,
    GIVE_DROPPING,
) = range(11)  # fmt: skip
"""What can be done with equipment: the parts of SWAP. From PICK_UP_SCRAPPING on somebody whose slots are full takes a
card and gives up an old one (M5-11); to pick one up and drop another is to trade with the floor."""

DECK, GUN_ROOM, ENGINE = FUNCTION["deck"], FUNCTION["gun"], FUNCTION["engine"]
GEAR = KIND["gear"]
USE, KILL, DAMAGE, SHOVE = WHEN["use"], WHEN["kill"], WHAT["damage"], WHAT["shove"]
ALL_ENEMIES, IN_THE_WASTES = WHOM["enemies"], WHOM["wastes"]
WEAPON_TERM, GUN_TERM, DICE, REMOTE, SLOTS = WHAT["weapon"], WHAT["gun"], WHAT["dice"], WHAT["remote"], WHAT["slots"]
MEND_TERM, SELF_MEND, REVIVE_COST, REVIVE_TERM = (
    WHAT["mend"],
    WHAT["self_mend"],
    WHAT["revive_cost"],
    WHAT["revive"],
)
RESTORE, BRAVE, THRIFT, FUEL_COST = WHAT["restore"], WHAT["brave"], WHAT["thrift"], WHAT["fuel_cost"]


# ---------------------------------------------------------------- an option as one number


@inlined
def option_of(verb, how, whom):  # type: ignore[no-untyped-def]
    """An option as one number: a verb, with what (0..7: an item and 1, a gun, an engine), and to whom (0..2047)."""
    return (verb * 8 + how) * 2048 + whom


@inlined
def verb_of(option):  # type: ignore[no-untyped-def]
    """The verb of an option."""
    return option >> 14


@inlined
def how_of(option):  # type: ignore[no-untyped-def]
    """With what an option is done."""
    return (option >> 11) & 7


@inlined
def whom_of(option):  # type: ignore[no-untyped-def]
    """To whom, or where to, an option is done."""
    return option & 2047


@kernel
def find_enemy(s, name):  # type: ignore[no-untyped-def]
    """The place on the board of a named enemy."""
    for e in range(s.enemies):
        if s.enemy[e].health > 0 and name_of(s.enemy[e]) == name:
            return e
    return NONE


# ---------------------------------------------------------------- what is allowed


@kernel
def reaches(s, t, c, e, reach):  # type: ignore[no-untyped-def]
    """Whether a crew member's attack gets at an enemy: in his room, or next to it with reach (M13-02, M14-09)."""
    here, there = s.crew[c].room, s.enemy[e].room
    if here == there:
        return True
    if reach == 0:
        return False
    return t.room[here].function == DECK if there == WASTES else t.room[here].far[there] == 1


@kernel
def remote_percent(s, t):  # type: ignore[no-untyped-def]
    """What the Cockpit does from afar, in percent (M13-12)."""
    return min(100, printed(s, t, t.mech.cockpit, t.mech.remote) + 10 * s.room[t.mech.cockpit].term[REMOTE])


@inlined
def share_of(many, percent):  # type: ignore[no-untyped-def]
    """So many percent of a number, rounded up."""
    return (many * percent + 99) // 100


@kernel
def gun_dice(s, t, c, gun):  # type: ignore[no-untyped-def]
    """Dice with which a crew member fires a gun from where he stands; 0 if he can't (M13-11, M13-12, M4-18, M5-18)."""
    room, here = t.mech.gun[gun], s.crew[c].room
    if in_wastes(s) == 0 or not works(s, room):
        return 0
    if here != room and (here != t.mech.cockpit or not works(s, here)):
        return 0
    return gun_share(s, t, c, room) + s.crew[c].term[GUN_TERM] + s.term[GUN_TERM]


@inlined
def gun_share(s, t, c, room):  # type: ignore[no-untyped-def]
    """Dice of a gun's room itself for a crew member who stands there, or for one in the Cockpit (M13-12)."""
    dice = printed(s, t, room, t.mech.gun_dice) + s.room[room].term[DICE]
    return dice if s.crew[c].room == room else share_of(dice, remote_percent(s, t))


@kernel
def weapon_dice(s, t, c, card):  # type: ignore[no-untyped-def]
    """Dice of an attack with a weapon (M14-03); what a gun's room adds is the gun's."""
    return t.card[card].dice + s.crew[c].term[WEAPON_TERM] + s.term[WEAPON_TERM] + room_dice(s, t, c)


@inlined
def room_dice(s, t, c):  # type: ignore[no-untyped-def]
    """Dice that an upgrade gives to weapons in a crew member's room; a gun's room gives none."""
    here = s.crew[c].room
    return 0 if t.room[here].function == GUN_ROOM else s.room[here].term[DICE]


@kernel
def can_repair(s, c):  # type: ignore[no-untyped-def]
    """Whether the room can be repaired now (M13-03, M5-38)."""
    room = s.room[s.crew[c].room]
    return room.condition == INOPERABLE and room.enemies == 0 and s.hidden == 0


@kernel
def can_extinguish(s, c):  # type: ignore[no-untyped-def]
    """Whether the fire in the room can be put out now (M13-04, M18-06, M5-38)."""
    room = s.room[s.crew[c].room]
    return room.condition == ON_FIRE and (room.enemies == 0 or s.crew[c].term[BRAVE] > 0) and s.hidden == 0


@kernel
def engine_to_fuel(s, t, c):  # type: ignore[no-untyped-def]
    """The engine that a crew member can fuel where he stands, or NONE (M13-06, M4-22)."""
    for i in range(2):
        if t.mech.engine[i] == s.crew[c].room and s.fuelled[i] == 0:
            broken = not works(s, t.mech.engine[i])
            if (broken and t.ruling.fuel_broken_engine == 0) or s.scraps < fuel_price(s, t):
                return NONE
            return i
    return NONE


@kernel
def fuel_price(s, t):  # type: ignore[no-untyped-def]
    """Scrap that fuelling an engine takes (M17-17)."""
    return 0 if t.table.free_fuel == 1 else max(0, t.mech.fuel_scrap + s.term[FUEL_COST])


@inlined
def can_mend(s, c, other):  # type: ignore[no-untyped-def]
    """Whether a crew member can mend another, or himself by a card (M13-05)."""
    patient = s.crew[other]
    if patient.here == 0 or patient.downed == 1 or patient.room != s.crew[c].room or patient.health >= patient.top:
        return False
    return other != c or s.crew[c].term[SELF_MEND] > 0


@kernel
def revive_price(s, t, c):  # type: ignore[no-untyped-def]
    """Actions of a Revive (M13-10)."""
    return max(1, t.mech.revive_actions + s.crew[c].term[REVIVE_COST])


@inlined
def room_for(s, c):  # type: ignore[no-untyped-def]
    """Whether a crew member has a free slot (M17-10); one beyond the capacity is counted."""
    member = s.crew[c]
    return member.items < member.slots + member.term[SLOTS] and has_room(s, member.items, HELD)


@kernel
def can_exchange(s, c):  # type: ignore[no-untyped-def]
    """Whether there is any equipment that a crew member can drop, give or take here (M13-07 to M13-09)."""
    member = s.crew[c]
    if member.items > 0 or not room_for(s, c):
        return member.items > 0
    there = s.room[member.room].items
    for other in range(len(s.crew)):
        mate = s.crew[other]
        if other != c and mate.here == 1 and mate.downed == 0 and mate.room == member.room:
            there += mate.items
    return there > 0


@kernel
def can_search(s, room):  # type: ignore[no-untyped-def]
    """Whether a room can be searched: the beacon is hidden, and nobody has looked here (M110-11)."""
    return s.hidden == 1 and (s.searched >> room) & 1 == 0 and s.searches < s.players + 5


# ---------------------------------------------------------------- doing it


@kernel
def perform(s, t, stream, journal, c, option):  # type: ignore[no-untyped-def]
    """Carry out an option of the turn, other than SWAP and PRESS, and pay for it."""
    member, verb, how, whom = s.crew[c], verb_of(option), how_of(option), whom_of(option)
    card = member.held[how - 1] if how > 0 and verb in (ATTACK, RELOAD, TOOL) else NONE
    note(journal, ACTS_SO, c, verb, card if verb == ATTACK else how, whom if card == NONE or verb == ATTACK else card)
    if verb == MOVE:
        move(s, c, whom)
    elif verb == ATTACK:
        attack(s, t, stream, journal, c, how, find_enemy(s, whom))
    elif verb == GUN:
        member.actions -= 1
        note(journal, DICE_FROM, gun_share(s, t, c, t.mech.gun[how]), member.term[GUN_TERM], 0, s.term[GUN_TERM])
        strike(s, t, stream, journal, c, find_enemy(s, whom), gun_dice(s, t, c, how))
    elif verb == REPAIR:
        pay_repair(s, c)
        repair(s, t, journal, member.room)
    elif verb == EXTINGUISH:
        extinguish(s, t, journal, c, whom)
    elif verb == MEND:
        member.actions -= 1
        member.mended += 1
        heal(s, journal, whom, 1 + member.term[MEND_TERM])
    elif verb == FUEL:
        fuel(s, t, journal, c, how)
    elif verb == REVIVE:
        revive(s, t, journal, c, whom)
    elif verb == RELOAD:
        reload(s, c, how - 1)
    elif verb == TOOL:
        use_gear(s, t, journal, c, how - 1)
    elif verb == SKILL:
        use_skill(s, t, journal, c)
    tidy(s)


@kernel
def move(s, c, room):  # type: ignore[no-untyped-def]
    """Move to an adjacent room (M13-01); a free move is used first (M18-10)."""
    member = s.crew[c]
    if member.steps > 0:
        member.steps -= 1
    else:
        member.actions -= 1
    member.moved += 1
    stand_in(s, c, room)


@kernel
def attack(s, t, stream, journal, c, how, e):  # type: ignore[no-untyped-def]
    """Attack unarmed (how 0), or with the weapon how - 1, which may jam or want reloading (M14-04, M14-05)."""
    member, before = s.crew[c], s.crew[c].kills
    member.actions -= 1
    if how == 0:
        strike_unarmed(s, t, stream, journal, c, e)
        return
    card = member.held[how - 1]
    note(journal, DICE_FROM, t.card[card].dice, member.term[WEAPON_TERM], room_dice(s, t, c), s.term[WEAPON_TERM])
    result = strike(s, t, stream, journal, c, e, weapon_dice(s, t, c, card))
    if member.kills > before:
        rejoice(s, t, journal, c, t.card[card].text, KILL)
    if t.card[card].reload == 1 and s.over == 0:
        member.turned[how - 1] = 1
        note(journal, TURNED, c, card)
    if jammed(result):
        note(journal, JAMS, c, card)
        lose_item(s, t, c, how - 1)
        scrap_card(s, card)


@kernel
def extinguish(s, t, journal, c, door):  # type: ignore[no-untyped-def]
    """Put the fire out (M13-04), with Emergency Response for good; with Hostile Environment all enemies here may be
    moved to one room next door (M18-06, M4-29): `door`, 0 to leave them."""
    member = s.crew[c]
    member.actions -= 1
    mend_room(s, t, journal, member.room, FUNCTIONAL if member.term[RESTORE] > 0 else INOPERABLE)
    for e in range(s.enemies):
        if door > 0 and s.enemy[e].room == member.room:
            s.enemy[e].goal = door
            walk(s, t, journal, e, 1)


@kernel
def pay_repair(s, c):  # type: ignore[no-untyped-def]
    """A free repair is used first."""
    if s.crew[c].repairs > 0:
        s.crew[c].repairs -= 1
    else:
        s.crew[c].actions -= 1


@kernel
def fuel(s, t, journal, c, engine):  # type: ignore[no-untyped-def]
    """Fuel an engine: +1 speed and one enemy card more this round."""
    s.crew[c].actions -= 1
    box_scrap(s, journal, fuel_price(s, t))
    s.fuelled[engine] += 1
    s.fuels += 1


@kernel
def revive(s, t, journal, c, other):  # type: ignore[no-untyped-def]
    """Bring a Downed crew member back with 1 Health; he cannot act before the next round (M13-10, M4-24)."""
    member, patient = s.crew[c], s.crew[other]
    member.actions -= revive_price(s, t, c)
    member.revives += 1
    patient.downed, patient.revived = 0, 1
    s.downed -= 1
    s.room[patient.room].crew += 1
    heal(s, journal, other, 1 + member.term[REVIVE_TERM])


@kernel
def reload(s, c, place):  # type: ignore[no-untyped-def]
    """Turn a weapon back (M13-13)."""
    member = s.crew[c]
    member.turned[place] = 0
    if member.reloads > 0:
        member.reloads -= 1
    else:
        member.actions -= 1


@kernel
def use_gear(s, t, journal, c, place):  # type: ignore[no-untyped-def]
    """Use gear: an action where it has the icon (M13-14, M5-44); used up if it says so; what is free and stays is at
    rest for the round."""
    member = s.crew[c]
    card = member.held[place]
    member.actions -= t.card[card].action
    member.turned[place] = 1 - t.card[card].action
    use_text(s, t, journal, c, t.card[card].text)
    if t.card[card].one_use == 1 and s.over == 0:
        lose_item(s, t, c, place)
        note(journal, USED_UP, c, card, int(member.term[THRIFT] > 0))
        if member.term[THRIFT] > 0:
            scrap_card(s, card)
        else:
            s.boxed += 1


@kernel
def use_skill(s, t, journal, c):  # type: ignore[no-untyped-def]
    """Use the crew member's own ability."""
    member = s.crew[c]
    member.actions -= t.ability[member.ability].action
    member.ability_used = 1
    use_text(s, t, journal, c, t.ability[member.ability].text)


@kernel
def use_text(s, t, journal, c, text):  # type: ignore[no-untyped-def]
    """All that a card does when it is used."""
    for i in range(text.effects):
        effect = text.effect[i]
        if effect.when == USE:
            if effect.what == DAMAGE or effect.what == SHOVE:
                strike_by_card(s, t, journal, c, effect, s.crew[c].room)
            else:
                apply(s, t, journal, effect, c, s.crew[c].room)


@kernel
def strike_by_card(s, t, journal, c, effect, room):  # type: ignore[no-untyped-def]
    """Damage without dice, or a shove next door, to the weakest enemy or to all in a room; `c` does it, or NONE.

    A policy: which enemy (the weakest), and where it is shoved (`quiet_door`)."""
    place = WASTES if effect.whom == IN_THE_WASTES else room
    weakest = NONE
    for e in range(s.enemies):
        if s.enemy[e].health > 0 and s.enemy[e].room == place:
            if effect.whom == ALL_ENEMIES:
                strike_one(s, t, journal, c, e, effect)
            elif weakest == NONE or s.enemy[e].health < s.enemy[weakest].health:
                weakest = e
    if weakest != NONE:
        strike_one(s, t, journal, c, weakest, effect)


@kernel
def strike_one(s, t, journal, c, e, effect):  # type: ignore[no-untyped-def]
    """One enemy's part of `strike_by_card`."""
    if s.over == 1:
        return
    if effect.what == DAMAGE:
        dealt = min(effect.many, s.enemy[e].health)
        killed = wound(s, t, journal, e, effect.many)
        if c != NONE:
            s.crew[c].dealt += dealt
            if killed:
                credit(s, t, journal, c)
    else:
        s.enemy[e].goal = quiet_door(s, t, s.enemy[e].room)
        walk(s, t, journal, e, 1)


@kernel
def quiet_door(s, t, room):  # type: ignore[no-untyped-def]
    """The room next door where enemies do least harm: a deck first, then where crew stands, then the lowest number."""
    best, harm = room, 99
    for i in range(t.room[room].doors):
        door = t.room[room].door[i]
        here = 0 if t.room[door].function == DECK else (1 if s.room[door].crew > 0 else 2)
        if here < harm:
            best, harm = door, here
    return best


# ---------------------------------------------------------------- equipment


@kernel
def take_item(s, t, journal, c, card, turned):  # type: ignore[no-untyped-def]
    """Put equipment into a free slot; `turned`: 1 if it is to be reloaded first."""
    member = s.crew[c]
    member.held[member.items], member.turned[member.items] = card, turned
    member.items += 1
    note(journal, TAKES_CARD, c, card, turned)
    fold_crew(s, t, c)


@kernel
def lose_item(s, t, c, place):  # type: ignore[no-untyped-def]
    """Take equipment out of a slot, the others close up: (card, 1 if it is to be reloaded)."""
    member = s.crew[c]
    card, turned = member.held[place], member.turned[place]
    member.items -= 1
    for i in range(place, member.items):
        member.held[i], member.turned[i] = member.held[i + 1], member.turned[i + 1]
    fold_crew(s, t, c)
    return card, turned


@kernel
def give_up(s, t, journal, c, place, dropped):  # type: ignore[no-untyped-def]
    """Give up equipment for a new card: scrapped, or dropped where its owner stands (M5-11)."""
    card, turned = lose_item(s, t, c, place)
    note(journal, GIVES_UP, c, card, int(dropped))
    if dropped:
        lay_down(s, journal, s.crew[c].room, card, turned)
    else:
        scrap_card(s, card)


@kernel
def lay_down(s, journal, room, card, turned):  # type: ignore[no-untyped-def]
    """Lay equipment on a floor; in a fire it is lost at once (M5-10)."""
    place = s.room[room]
    if place.condition == ON_FIRE:
        s.boxed += 1
        note(journal, LOST, card)
    elif has_room(s, place.items, FLOOR):
        place.floor[place.items], place.turned[place.items] = card, turned
        place.items += 1


@kernel
def pick_from(s, room, place):  # type: ignore[no-untyped-def]
    """Take equipment from a floor: (card, 1 if it is to be reloaded)."""
    floor = s.room[room]
    card, turned = floor.floor[place], floor.turned[place]
    floor.items -= 1
    for i in range(place, floor.items):
        floor.floor[i], floor.turned[i] = floor.floor[i + 1], floor.turned[i + 1]
    return card, turned


@kernel
def exchange(s, t, journal, c, option):  # type: ignore[no-untyped-def]
    """Drop, give, pick up, take or trade equipment, for one action (M13-07 to M13-09, M4-30).

    The option: what, the own item, and other * 64 + their item, where other SEATS is the floor. Of those that give up
    an old card to take one (M5-11) it is the own item of the taker."""
    member, what, mine = s.crew[c], verb_of(option), how_of(option)
    other, theirs = whom_of(option) >> 6, whom_of(option) & 63
    member.actions -= 1
    card, turned, got, theirs_turned = NONE, 0, NONE, 0
    gives = what in (GIVE, GIVE_SCRAPPING, GIVE_DROPPING)
    if gives or what in (DROP, TRADE_FLOOR, TRADE):
        card, turned = lose_item(s, t, c, mine)
    if what in (PICK_UP, TRADE_FLOOR, PICK_UP_SCRAPPING):
        got, theirs_turned = pick_from(s, member.room, theirs)
    elif what in (TAKE, TRADE, TAKE_SCRAPPING, TAKE_DROPPING):
        got, theirs_turned = lose_item(s, t, other, theirs)
    note(journal, EXCHANGES, c, what * 8 + other, card, got)
    if what >= PICK_UP_SCRAPPING:
        dropped = what in (TAKE_DROPPING, GIVE_DROPPING)
        give_up(s, t, journal, other if gives else c, theirs if gives else mine, dropped)
    if what in (DROP, TRADE_FLOOR):
        lay_down(s, journal, member.room, card, turned)
    elif gives or what == TRADE:
        take_item(s, t, journal, other, card, turned)
    if got != NONE:
        take_item(s, t, journal, c, got, theirs_turned)
