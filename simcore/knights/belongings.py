"""What a knight has: his four dials, Reputation, gear and its places, vehicle, and the sheet that he fights with."""

from __future__ import annotations

from simcore.journal import note
from simcore.kernels import has_room, inlined, kernel
from simcore.knights.board_state import BESIDE, BODY, HAND, HELD, LOOSE, LUCK, NONE, POCKET, STORED, TRUNK, WORD
from simcore.knights.board_tables import (
    ARMOR,
    BLUE,
    BLUE_CARD,
    GENERAL,
    START,
    TRADE,
    WEAPON,
    WHAT,
    WHEN,
)
from simcore.knights.board_tell import (
    DIAL,
    GAINS_ITEM,
    KNOCKED_OUT,
    LOSES_ITEM,
    PASSES,
    PLAYS_LUCK,
    REPUTATION,
    USES,
    VEHICLE,
)
from simcore.knights.cards import SKILLS
from simcore.knights.tables import ITEMS as CARRIED
from simcore.knights.tables import KITS, KNIGHTS
from simcore.piles import discard_card, put_at_bottom

STANDING, USED, WAKE = WHEN["standing"], WHEN["used"], WHAT["wake"]
CAPACITY, BACKPACK = WHAT["capacity"], WHAT["backpack"]
HEALTH, AMMO, FUEL, RADIATION = WHAT["health"], WHAT["ammo"], WHAT["fuel"], WHAT["radiation"]
FAME, GREEN, RED_CARDS, LUCK_CARDS, REPAIR = (
    WHAT["reputation"], WHAT["green"], WHAT["red"], WHAT["luck"], WHAT["repair"],
)  # fmt: skip
BLADES, GUNS = SKILLS.index("blades"), SKILLS.index("guns")
PERMANENT, ONE_USE, MARK = range(3)
NO_WEAPONS, NO_DRUGS = TRADE["no_weapons"], TRADE["no_drugs"]
PRICELESS = 1 << 30
IMPLANT, MUTATION, TUNING = range(3)
AT_HEXES, WHEN_GAINED, FROM_DECK = range(3)


# ---------------------------------------------------------------- dials and Reputation


@inlined
def lack_of(t, player, what):  # type: ignore[no-untyped-def]
    """How much a dial could still gain; for Radiation what could be healed."""
    if what == HEALTH:
        return t.fight.dials.health - player.health if player.radiation < t.fight.dials.no_healing_from else 0
    if what == AMMO:
        return t.fight.dials.ammo - player.ammo
    if what == FUEL:
        return t.fight.dials.fuel - player.fuel if player.vehicle != NONE else 0
    return player.radiation


@kernel
def change(s, t, journal, p, what, many):  # type: ignore[no-untyped-def]
    """Turn a dial within its range (K1D-02, K5-92); no healing under strong Radiation (K5-97); no Fuel without a
    vehicle (K5-95)."""
    player = s.player[p]
    if what == RADIATION:
        by = max(-player.radiation, min(many, t.fight.dials.radiation - player.radiation))
        player.radiation += by
        dial, now = 3, player.radiation
    elif what == HEALTH:
        by = max(min(many, lack_of(t, player, what)), -player.health)
        player.health += by
        dial, now = 0, player.health
    elif what == AMMO:
        by = max(min(many, lack_of(t, player, what)), -player.ammo)
        player.ammo += by
        dial, now = 1, player.ammo
    else:
        by = max(min(many, lack_of(t, player, what)), -player.fuel)
        player.fuel += by
        dial, now = 2, player.fuel
    if by != 0:
        note(journal, DIAL, p, dial, by, now)
    fall_if_down(s, t, journal, p)
    return by


@kernel
def fall_if_down(s, t, journal, p):  # type: ignore[no-untyped-def]
    """No Health, or Radiation at its top: the knight is unconscious (K1E-23, K1E-37, K5-99), unless he has at hand what
    prevents it (K1H-18)."""
    player = s.player[p]
    if player.out == 0 and (player.health <= 0 or player.radiation >= t.fight.dials.radiation):
        player.knocked += 1
        note(journal, KNOCKED_OUT, p)
        i = waker_of(t, player, False)
        if i == NONE:
            player.out, player.stopped = 1, 1
        else:
            use_waker(s, t, journal, p, i)


@kernel
def waker_of(t, player, stored):  # type: ignore[no-untyped-def]
    """The place of a card that ends unconsciousness, at hand or with `stored` anywhere, or NONE."""
    for i in range(player.items):
        text = t.thing[player.thing[i]].text
        for k in range(text.rows):
            if text.row[k].what == WAKE and (stored or is_usable(player, i)):
                return i
    return NONE


@kernel
def use_waker(s, t, journal, p, i):  # type: ignore[no-untyped-def]
    """Use up a card that ends unconsciousness; it may heal more Health than that takes."""
    player, text = s.player[p], t.thing[s.player[p].thing[i]].text
    note(journal, USES, p, player.thing[i])
    wake(s, t, journal, p)
    for k in range(text.rows):
        if text.row[k].what == HEALTH and text.row[k].when == USED and lack_of(t, player, HEALTH) > 0:
            before = int(player.health)
            player.health = min(t.fight.dials.health, player.health + text.row[k].many)
            tell_dial(journal, p, 0, before, player.health)
    discard_item(s, t, journal, p, i)


@kernel
def wake(s, t, journal, p):  # type: ignore[no-untyped-def]
    """Heal on each dial that shows K.O. (K1E-36, K1E-39), Radiation first, which may forbid healing (K5-98)."""
    player = s.player[p]
    health, radiation = int(player.health), int(player.radiation)
    player.out = 0
    if player.radiation >= t.fight.dials.radiation:
        player.radiation -= t.map.revive_heals
    if player.health <= 0:
        player.health = min(t.map.revive_heals, t.fight.dials.health)
    tell_dial(journal, p, 3, radiation, player.radiation)
    tell_dial(journal, p, 0, health, player.health)


@kernel
def tell_dial(journal, p, dial, before, now):  # type: ignore[no-untyped-def]
    """Note that a dial has changed otherwise than by `change`."""
    if before != now:
        note(journal, DIAL, p, dial, now - before, now)


@kernel
def add_fame(s, journal, p, many):  # type: ignore[no-untyped-def]
    """Reputation up or down, never below 0 (K4-24). By how much it changed."""
    player = s.player[p]
    by = max(many, -player.reputation)
    player.reputation += by
    if by != 0:
        note(journal, REPUTATION, p, by, player.reputation)
    return by


# ---------------------------------------------------------------- items


@inlined
def is_stored(player, i):  # type: ignore[no-untyped-def]
    """Whether an item lies in the backpack or in the vehicle."""
    return (player.spot[i] == STORED) | (player.spot[i] == TRUNK)


@inlined
def is_usable(player, i):  # type: ignore[no-untyped-def]
    """Whether an item is at hand outside the Knights and Rest Steps: stored ones are not (K5B-05)."""
    return not is_stored(player, i)


@inlined
def is_spent(player, item):  # type: ignore[no-untyped-def]
    """Whether a knight has used a limited card of this title this round (K5B-07)."""
    return player.spent[item // WORD] >> item % WORD & 1 == 1


@kernel
def spend(t, player, item):  # type: ignore[no-untyped-def]
    """Note that a limited card was used."""
    if t.thing[item].limited == 1:
        player.spent[item // WORD] |= 1 << item % WORD


@kernel
def standing(s, t, p, what, only):  # type: ignore[no-untyped-def]
    """What lasts on a knight of one term: by his ability, what he has at hand, and enhancements; of several cards of a
    limited title only one (K5B-07). `only`: a skill for checks, 0 for all others."""
    player = s.player[p]
    total = sum_of(t.ability[player.role], what, only)
    for i in range(player.items):
        item = t.thing[player.thing[i]]
        if item.text.rows > 0 and is_usable(player, i) and not (item.limited == 1 and is_second(player, i)):
            total += sum_of(item.text, what, only)
    return total


@kernel
def is_second(player, i):  # type: ignore[no-untyped-def]
    """Whether the same card is at hand in a place before i (K5B-07)."""
    second = False
    for k in range(i):
        second = second or (player.thing[k] == player.thing[i] and is_usable(player, k))
    return second


@kernel
def sum_of(text, what, only):  # type: ignore[no-untyped-def]
    """The standing rows of one term on a card."""
    total = 0
    for i in range(text.rows):
        row = text.row[i]
        if row.when == STANDING and row.what == what and (row.only == 0 or row.only == only):
            total += row.many
    return total


@kernel
def gain_item(s, t, journal, p, item):  # type: ignore[no-untyped-def]
    """A card comes to a knight, who may put it on the sheet at once (K5B-06); what has no room is discarded."""
    player = s.player[p]
    if not has_room(s, player.items, HELD):
        return
    i = player.items
    player.thing[i], player.marked[i], player.own[i] = item, 0, 0
    player.spot[i] = BESIDE if is_attached(t, player, item) else LOOSE
    player.items += 1
    note(journal, GAINS_ITEM, p, item)
    settle(s, t, journal, p)


@kernel
def is_attached(t, player, item):  # type: ignore[no-untyped-def]
    """Whether a card is attached as it is gained, by the ruling: a mutation, for which no hex does it, and with
    `attaching` other than at_hexes what else goes to a knight, or to the vehicle that he has (K5B-33)."""
    if t.thing[item].kind != BLUE:
        return False
    group = t.thing[item].group
    return group == MUTATION or (t.map.attaching != AT_HEXES and (group != TUNING or player.vehicle != NONE))


@kernel
def drop_item(s, t, p, i):  # type: ignore[no-untyped-def]
    """The card at place i leaves a knight; the others move up. Which it was."""
    player = s.player[p]
    item = player.thing[i]
    player.items -= 1
    for k in range(i, player.items):
        player.thing[k], player.spot[k] = player.thing[k + 1], player.spot[k + 1]
        player.marked[k], player.own[k] = player.marked[k + 1], player.own[k + 1]
    return item


@kernel
def pass_item(s, t, journal, giver, taker, item):  # type: ignore[no-untyped-def]
    """Give a card that has left one knight to another."""
    note(journal, PASSES, giver, item, taker)
    gain_item(s, t, journal, taker, item)


@kernel
def discard_item(s, t, journal, p, i):  # type: ignore[no-untyped-def]
    """The card at place i goes to the discard pile of its colour, a blue one back into its deck."""
    item = drop_item(s, t, p, i)
    note(journal, LOSES_ITEM, p, item)
    put_away(s, t, item)


@kernel
def put_away(s, t, item):  # type: ignore[no-untyped-def]
    """A card goes to the discard pile of its colour, a blue one under its deck; starting gear leaves the game."""
    if t.thing[item].colour < BLUE_CARD:
        discard_card(s.gear[t.thing[item].colour], item)
    elif t.thing[item].colour == BLUE_CARD:
        put_at_bottom(s.gear[BLUE_CARD], item)


@kernel
def has_item(player, item):  # type: ignore[no-untyped-def]
    """The place of a card among a knight's items, or NONE."""
    for i in range(player.items):
        if player.thing[i] == item:
            return i
    return NONE


# ---------------------------------------------------------------- where items are


@kernel
def weapon_worth(s, t, p, item):  # type: ignore[no-untyped-def]
    """What a weapon is worth in a knight's hands: by the skill that it takes, and the Fuel or Ammo that he has."""
    row, player = t.thing[item], s.player[p]
    skill = t.fight.knight[player.role].skill[BLADES if row.melee == 1 else GUNS]
    return row.worth * (1 + skill) // 4


@kernel
def arrange(s, t, journal, p):  # type: ignore[no-untyped-def]
    """Re-equip with all that is owned, as in the Knights and the Rest Step (K5-23)."""
    player = s.player[p]
    for i in range(player.items):
        if player.spot[i] != BESIDE:
            player.spot[i] = LOOSE
    put_on(s, t, journal, p)


@kernel
def settle(s, t, journal, p):  # type: ignore[no-untyped-def]
    """Put the last card that came to a knight on the sheet if it is better there; what is stored stays where it is
    (K5-23, K5B-06)."""
    player = s.player[p]
    for i in range(player.items):
        if player.spot[i] != BESIDE and is_usable(player, i):
            player.spot[i] = LOOSE
    put_on(s, t, journal, p)


@kernel
def put_on(s, t, journal, p):  # type: ignore[no-untyped-def]
    """Of the cards that lie loose the best weapons into the hands, the best armor onto the body, general gear into
    pockets, all else into backpack and vehicle (K1D-09, K5B-04)."""
    player = s.player[p]
    arm_hands(s, t, p)
    wear(s, t, p)
    for _ in range(t.map.pockets):
        best, worth = NONE, -1
        for i in range(player.items):
            item = t.thing[player.thing[i]]
            if player.spot[i] == LOOSE and item.kind == GENERAL and item.worth > worth:
                best, worth = i, item.worth
        if best != NONE:
            player.spot[best] = POCKET
    shed(s, t, journal, p)


@kernel
def stow(s, t, journal, p):  # type: ignore[no-untyped-def]
    """Put what lies loose into the backpack, the dearest first, and the rest into the vehicle; where both are full, the
    card worth least of all is discarded. Starting gear that is covered needs no room (K1D-12, K5B-18)."""
    player = s.player[p]
    free, space = pack_room(s, t, p) - count_in(player, STORED), trunk_room(s, t, p) - count_in(player, TRUNK)
    while True:
        i = dearest_of(t, player, LOOSE)
        if i == NONE:
            return
        if player.own[i] != 0 or free > 0:
            player.spot[i] = STORED
            free -= int(player.own[i] == 0)
        elif space > 0:
            player.spot[i] = TRUNK
            space -= 1
        else:
            make_room(s, t, journal, p, i)


@kernel
def make_room(s, t, journal, p, i):  # type: ignore[no-untyped-def]
    """Discard what is worth least of all that is stored and the loose card at place i, which else takes its place; one
    that can't be discarded stays where all others are such, too (K5B-27)."""
    player, least = s.player[p], i
    for k in range(player.items):
        stored = (is_stored(player, k) or player.spot[k] == LOOSE) and not is_safe(t, player, k)
        if stored and (is_safe(t, player, least) or worth_of(t, player, k) < worth_of(t, player, least)):
            least = k
    if is_safe(t, player, least):
        player.spot[i] = STORED
        return
    player.spot[i] = player.spot[least]
    discard_item(s, t, journal, p, least)


@kernel
def shed(s, t, journal, p):  # type: ignore[no-untyped-def]
    """Of a store that holds more than it can, the least worth finds another place, or is discarded."""
    player = s.player[p]
    for spot in (STORED, TRUNK):
        room = pack_room(s, t, p) if spot == STORED else trunk_room(s, t, p)
        for _ in range(count_in(player, spot) - room):
            player.spot[least_of(t, player, spot)] = LOOSE
    stow(s, t, journal, p)


@kernel
def arm_hands(s, t, p):  # type: ignore[no-untyped-def]
    """One two-handed weapon or as many one-handed ones as there are hands, whichever is worth more."""
    player = s.player[p]
    hands = t.hands[player.role]
    first, second, double = NONE, NONE, NONE
    a, b, c = -1, -1, -1
    for i in range(player.items):
        item = t.thing[player.thing[i]]
        if item.kind == WEAPON and player.spot[i] == LOOSE and item.hands <= hands:
            worth = weapon_worth(s, t, p, player.thing[i])
            if item.hands == 2:
                if worth > c:
                    double, c = i, worth
            elif worth > a:
                second, b = first, a
                first, a = i, worth
            elif worth > b:
                second, b = i, worth
    if double != NONE and c >= a + max(b, 0) // 3:
        player.spot[double] = HAND
        return
    if first != NONE:
        player.spot[first] = HAND
    if second != NONE and hands == 2:
        player.spot[second] = HAND


@kernel
def wear(s, t, p):  # type: ignore[no-untyped-def]
    """The best armor onto the body."""
    player, best, worth = s.player[p], NONE, -1
    for i in range(player.items):
        item = t.thing[player.thing[i]]
        if item.kind == ARMOR and player.spot[i] == LOOSE and item.worth > worth:
            best, worth = i, item.worth
    if best != NONE:
        player.spot[best] = BODY


@kernel
def count_in(player, spot):  # type: ignore[no-untyped-def]
    """How many cards lie in a store; starting gear that is covered stays on the sheet (K1D-12, K5B-18)."""
    many = 0
    for i in range(player.items):
        many += int(player.spot[i] == spot and player.own[i] == 0)
    return many


@kernel
def pack_room(s, t, p):  # type: ignore[no-untyped-def]
    """How many cards a knight's backpack holds (K1D-09)."""
    return max(0, t.backpack[s.player[p].role] + standing(s, t, p, BACKPACK, 0))


@kernel
def trunk_room(s, t, p):  # type: ignore[no-untyped-def]
    """How many cards a knight's vehicle holds in its present state (K5B-09)."""
    player = s.player[p]
    if player.vehicle == NONE:
        return 0
    return max(0, t.vehicle[player.vehicle].capacity[player.damage] + standing(s, t, p, CAPACITY, 0))


@inlined
def is_safe(t, player, i):  # type: ignore[no-untyped-def]
    """Whether a card can't be discarded: on the sheet, taken in the deal under way, or blue (K1D-12, K5B-27)."""
    return (player.own[i] != 0) | (t.thing[player.thing[i]].colour == BLUE_CARD)


@inlined
def worth_of(t, player, i):  # type: ignore[no-untyped-def]
    """What a card is worth when room is short: one that can't be discarded more than all others."""
    return t.thing[player.thing[i]].worth + (PRICELESS if is_safe(t, player, i) else 0)


@kernel
def least_of(t, player, spot):  # type: ignore[no-untyped-def]
    """The place of the card in a store that is worth least; what is printed on the sheet lies in none."""
    least, worth = NONE, 1 << 40
    for i in range(player.items):
        if player.spot[i] == spot and player.own[i] == 0 and worth_of(t, player, i) < worth:
            least, worth = i, worth_of(t, player, i)
    return least


@kernel
def dearest_of(t, player, spot):  # type: ignore[no-untyped-def]
    """The place of the card in a kind of place that is worth most; in the vehicle, of those that can be discarded."""
    dearest, worth = NONE, -1
    for i in range(player.items):
        fits = player.spot[i] == spot and not (spot == TRUNK and is_safe(t, player, i))
        if fits and worth_of(t, player, i) > worth:
            dearest, worth = i, worth_of(t, player, i)
    return dearest


@kernel
def gear_value(t, player):  # type: ignore[no-untyped-def]
    """The value of all gear in green cards, the vehicle included; starting and blue cards have none."""
    value = 0
    for i in range(player.items):
        if player.own[i] == 0:
            value += t.thing[player.thing[i]].value
    if player.vehicle != NONE:
        value += t.map.value[t.vehicle[player.vehicle].colour[player.damage]]
    return value


# ---------------------------------------------------------------- vehicles


@kernel
def take_vehicle(s, journal, p, vehicle, damage):  # type: ignore[no-untyped-def]
    """A vehicle of the pool in that state, or of a reward, comes to a knight; his old one goes to the pool (K5B-08)."""
    player = s.player[p]
    pool = s.pool if damage == 0 else s.pool_damaged
    pool[vehicle] = max(0, pool[vehicle] - 1)
    return_vehicle(s, player)
    player.vehicle, player.damage = vehicle, damage
    note(journal, VEHICLE, p, vehicle, damage)


@kernel
def repair(s, journal, p):  # type: ignore[no-untyped-def]
    """Turn a damaged vehicle to its whole side (K5-53)."""
    player = s.player[p]
    if player.damage == 1:
        player.damage = 0
        note(journal, VEHICLE, p, player.vehicle, 0)


@kernel
def return_vehicle(s, player):  # type: ignore[no-untyped-def]
    """A knight's vehicle, if he has one, goes to the pool in its present state (K5B-24)."""
    if player.vehicle != NONE and player.damage == 0:
        s.pool[player.vehicle] += 1
    elif player.vehicle != NONE:
        s.pool_damaged[player.vehicle] += 1


@kernel
def lose_vehicle(s, t, journal, p):  # type: ignore[no-untyped-def]
    """A knight is without his vehicle: all Fuel and the tunings on it are lost (K5-95, K5B-14)."""
    player = s.player[p]
    note(journal, VEHICLE, p, NONE, 0)
    tell_dial(journal, p, 2, player.fuel, 0)
    player.vehicle, player.damage, player.fuel, player.points = NONE, 0, 0, 0
    lose_tunings(s, t, journal, p)


@kernel
def lose_tunings(s, t, journal, p):  # type: ignore[no-untyped-def]
    """Tunings go with the vehicle that they are built into."""
    player, i = s.player[p], 0
    while i < player.items:
        if t.thing[player.thing[i]].group == TUNING and player.spot[i] == BESIDE:
            discard_item(s, t, journal, p, i)
        else:
            i += 1


# ---------------------------------------------------------------- luck cards, and the sheet of a combat


@kernel
def drop_luck(s, p, i):  # type: ignore[no-untyped-def]
    """The luck card at place i is discarded. Which it was."""
    player = s.player[p]
    card = player.luck[i]
    player.lucks -= 1
    for k in range(i, min(player.lucks, LUCK - 1)):
        player.luck[k] = player.luck[k + 1]
    discard_card(s.luck, card)
    return card


@kernel
def write_sheet(s, t, p):  # type: ignore[no-untyped-def]
    """Write a knight's sheet as it is now into the tables of combat: hands and body first, other load-outs for Defend
    (K1F-12), pockets and luck cards at hand."""
    player = s.player[p]
    sheet, knight = s.rules.knight[KNIGHTS + p], t.fight.knight[player.role]
    for skill in range(len(sheet.skill)):
        sheet.skill[skill] = knight.skill[skill]
    sheet.text.effects = knight.text.effects
    for i in range(knight.text.effects):
        row, given = sheet.text.effect[i], knight.text.effect[i]
        row.when, row.what, row.whom, row.many, row.only = given.when, given.what, given.whom, given.many, given.only
    sheet.kits = 0
    add_kit(s, t, p, NONE)
    for i in range(player.items):
        item = t.thing[player.thing[i]]
        fits = item.kind == WEAPON and item.hands <= t.hands[player.role]
        if fits and player.spot[i] != HAND and has_room(s, sheet.kits, KITS):
            add_kit(s, t, p, i)
    sheet.carries = 0
    for i in range(player.items):
        item = t.thing[player.thing[i]]
        ready = player.spot[i] == POCKET and not (item.use == MARK and player.marked[i] == 1)
        barred = is_spent(player, player.thing[i]) or (item.limited == 1 and is_second(player, i))
        if ready and not barred and has_room(s, sheet.carries, CARRIED):
            sheet.carried[sheet.carries] = item.place
            sheet.carries += 1
    for i in range(player.lucks):
        if t.luck[player.luck[i]].fights == 1 and has_room(s, sheet.carries, CARRIED):
            sheet.carried[sheet.carries] = t.luck_at + player.luck[i]
            sheet.carries += 1


@kernel
def add_kit(s, t, p, drawn):  # type: ignore[no-untyped-def]
    """A load-out: what is in the hands, or with `drawn` that weapon of the store with what leaves a hand for it."""
    player, sheet = s.player[p], s.rules.knight[KNIGHTS + p]
    kit = sheet.kit[sheet.kits]
    kit.weapons, kit.armor, hands = 0, -1, 0
    if drawn != NONE:
        kit.weapon[0] = t.thing[player.thing[drawn]].place
        kit.weapons, hands = 1, t.thing[player.thing[drawn]].hands
    for i in range(player.items):
        item = t.thing[player.thing[i]]
        if player.spot[i] == HAND and hands + item.hands <= t.hands[player.role]:
            kit.weapon[kit.weapons] = item.place
            kit.weapons += 1
            hands += item.hands
        elif player.spot[i] == BODY:
            kit.armor = item.place
    sheet.kits += 1


@kernel
def use_up(s, t, journal, p, spent):  # type: ignore[no-untyped-def]
    """After a combat: one-use cards that were used are discarded, others marked (K5B-16). `spent`: bits of the sources,
    in the order of the sheet."""
    _player, sheet = s.player[p], s.rules.knight[KNIGHTS + p]
    for source in range(sheet.carries - 1, -1, -1):
        if (spent >> source) & 1 == 1:
            place = sheet.carried[source]
            if place >= t.luck_at:
                lose_luck_card(s, journal, p, place - t.luck_at)
            else:
                use_up_item(s, t, journal, p, place)


@kernel
def lose_luck_card(s, journal, p, card):  # type: ignore[no-untyped-def]
    """A luck card that was played leaves the hand."""
    player = s.player[p]
    for i in range(player.lucks):
        if player.luck[i] == card:
            note(journal, PLAYS_LUCK, p, drop_luck(s, p, i))
            player.luck_played += 1
            return


@kernel
def use_up_item(s, t, journal, p, place):  # type: ignore[no-untyped-def]
    """A pocketed card of general gear was used: discarded if one-use, else marked."""
    player = s.player[p]
    for i in range(player.items):
        item = t.thing[player.thing[i]]
        if item.kind == GENERAL and item.place == place and player.spot[i] == POCKET and player.marked[i] == 0:
            spend(t, player, player.thing[i])
            if item.use == ONE_USE:
                discard_item(s, t, journal, p, i)
            elif item.use == MARK:
                player.marked[i] = 1
            return


@kernel
def is_free(t, player, i):  # type: ignore[no-untyped-def]
    """Whether a card can be given, paid or stolen: no starting gear, no blue card (K1D-12, K5B-27)."""
    colour = t.thing[player.thing[i]].colour
    return player.own[i] == 0 and colour != START and colour != BLUE_CARD


@kernel
def may_pass(s, t, player, i):  # type: ignore[no-untyped-def]
    """Whether a card can pass to another knight in a trade, as blue ones can, but not what is printed on the sheet or
    attached, nor what the hex bars (K1D-12, K5B-27, K5B-33)."""
    item = t.thing[player.thing[i]]
    return player.own[i] == 0 and item.colour != START and player.spot[i] != BESIDE and is_traded(item, s.limit)


@kernel
def limit_of(s, t, p):  # type: ignore[no-untyped-def]
    """What the description of a knight's hex says about trade there (K1C-03, K1C-05); a special token covers it
    (K5B-29)."""
    place = s.hex[s.player[p].hex]
    return t.tile[place.tile].trade if place.blank == 0 else 0


@inlined
def is_traded(item, limit):  # type: ignore[no-untyped-def]
    """Whether a hex lets a card be traded, as goods or as payment, by whomever (K1C-03, K1C-05)."""
    return not ((limit == NO_WEAPONS and item.kind == WEAPON) or (limit == NO_DRUGS and item.drug == 1))


@kernel
def may_pay(s, t, player, i):  # type: ignore[no-untyped-def]
    """Whether a card can be paid with: it can be given, and in a trade the hex does not bar it."""
    return is_free(t, player, i) and is_traded(t.thing[player.thing[i]], s.limit)
