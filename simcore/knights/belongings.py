"""What a knight has: his four dials, Reputation, gear and its places, vehicle, and the sheet that he fights with."""

from __future__ import annotations

from simcore.journal import note
from simcore.kernels import has_room, inlined, kernel
from simcore.knights.board_cards import ATTACH_RULES, FITS
from simcore.knights.board_state import BESIDE, BODY, FITTED, HAND, HELD, LOOSE, LUCK, NONE, POCKET, STORED, TRUNK, WORD
from simcore.knights.board_tables import (
    ARMOR,
    BLUE_CARD,
    ENHANCEMENT,
    GENERAL,
    START,
    TRADE,
    WEAPON,
    WHAT,
    WHEN,
)
from simcore.knights.board_tell import (
    DETACHES,
    DIAL,
    GAINS_ITEM,
    KNOCKED_OUT,
    LOSES_ITEM,
    PASSES,
    REPUTATION,
    USES,
    VEHICLE,
)
from simcore.knights.cards import SKILLS
from simcore.piles import discard_card, put_at_bottom

STANDING, USED, WAKE = WHEN["standing"], WHEN["used"], WHAT["wake"]
CAPACITY, BACKPACK = WHAT["capacity"], WHAT["backpack"]
HEALTH, AMMO, FUEL, RADIATION = WHAT["health"], WHAT["ammo"], WHAT["fuel"], WHAT["radiation"]
FAME, GREEN, RED_CARDS, LUCK_CARDS, REPAIR = (
    WHAT["reputation"], WHAT["green"], WHAT["red"], WHAT["luck"], WHAT["repair"],
)  # fmt: skip
BLADES, GUNS = SKILLS.index("blades"), SKILLS.index("guns")
PERMANENT, ONE_USE, MARK = range(3)
NO_TRADE, ALL_TRADED, NO_WEAPONS, NO_DRUGS = 0, TRADE["all"], TRADE["no_weapons"], TRADE["no_drugs"]
PRICELESS = 1 << 30
IMPLANT, MUTATION, TUNING, FOR_GEAR = range(4)
AT_HEXES, WHEN_GAINED, FROM_DECK = range(3)
MELEE, RANGED, WITH_AMMO, ONE_HAND = (ATTACH_RULES.index(rule) for rule in ("melee", "ranged", "ammo", "one_hand"))
WITH_VEHICLE = 1 << FITS.index("vehicle")


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
def carrier_of(player, i):  # type: ignore[no-untyped-def]
    """The place of the card that an item is attached to, or its own."""
    return player.on[i] if player.spot[i] == FITTED else i


@inlined
def is_fitted(player, k, i):  # type: ignore[no-untyped-def]
    """Whether the item at place k is attached to the card at place i."""
    return (player.spot[k] == FITTED) & (player.on[k] == i)


@inlined
def is_stored(player, i):  # type: ignore[no-untyped-def]
    """Whether an item, or the one that it is attached to, lies in the backpack or in the vehicle."""
    spot = player.spot[carrier_of(player, i)]
    return (spot == STORED) | (spot == TRUNK)


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
    if t.thing[item].kind != ENHANCEMENT or t.thing[item].group == FOR_GEAR:
        return False
    group = t.thing[item].group
    return group == MUTATION or (t.map.attaching != AT_HEXES and (group != TUNING or player.vehicle != NONE))


@kernel
def drop_item(s, t, p, i):  # type: ignore[no-untyped-def]
    """The card at place i leaves a knight, without what is attached to it; the others move up. Which it was."""
    player = s.player[p]
    item = player.thing[i]
    player.items -= 1
    for k in range(i, player.items):
        player.thing[k], player.spot[k], player.on[k] = player.thing[k + 1], player.spot[k + 1], player.on[k + 1]
        player.marked[k], player.own[k] = player.marked[k + 1], player.own[k + 1]
    for k in range(player.items):
        player.on[k] -= int(player.on[k] > i)
    return item


@kernel
def lose_item(s, t, journal, p, i):  # type: ignore[no-untyped-def]
    """Take the card at place i from a knight, and discard what is attached to it (K5B-14). Return which it was."""
    player, k = s.player[p], s.player[p].items - 1
    while k >= 0:
        if is_fitted(player, k, i):
            added = drop_item(s, t, p, k)
            note(journal, LOSES_ITEM, p, added)
            put_away(s, t, added)
            i -= int(k < i)
        k -= 1
    return drop_item(s, t, p, i)


@kernel
def hand_over(s, t, journal, p, i):  # type: ignore[no-untyped-def]
    """Take the card at place i from a knight in a trade, off its carrier if it has one; he detaches all that is
    attached to it, and keeps it or trades it as well (K5B-12). Return which it was."""
    player = s.player[p]
    for k in range(player.items):
        if is_fitted(player, k, i) or (k == i and player.spot[k] == FITTED):
            detach(journal, p, player, k)
    return drop_item(s, t, p, i)


@kernel
def detach(journal, p, player, k):  # type: ignore[no-untyped-def]
    """Take an enhancement off its card, or off the vehicle; it lies loose."""
    player.spot[k] = LOOSE
    note(journal, DETACHES, p, player.thing[k])


@kernel
def pass_item(s, t, journal, giver, taker, item):  # type: ignore[no-untyped-def]
    """Give a card that has left one knight to another."""
    note(journal, PASSES, giver, item, taker)
    gain_item(s, t, journal, taker, item)


@kernel
def discard_item(s, t, journal, p, i):  # type: ignore[no-untyped-def]
    """The card at place i goes to the discard pile of its colour, a blue one back into its deck; with it what is
    attached to it."""
    item = lose_item(s, t, journal, p, i)
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


# ---------------------------------------------------------------- what enhancements can be attached to


@kernel
def could_carry(t, player, item):  # type: ignore[no-untyped-def]
    """Whether a knight has anything that an enhancement fits."""
    fits = player.vehicle != NONE and t.thing[item].fits & WITH_VEHICLE > 0
    for k in range(player.items):
        fits = fits or meets_rules(t, item, player.thing[k])
    return fits


@kernel
def meets_rules(t, item, other):  # type: ignore[no-untyped-def]
    """Whether a card has a trait that an enhancement fits, and meets its attachment rule (K5B-11)."""
    added, carrier = t.thing[item], t.thing[other]
    if added.fits & carrier.trait == 0:
        return False
    if added.needs == 0 or carrier.kind != WEAPON:
        return True
    if added.needs >= ONE_HAND:
        return carrier.hands == 1 + added.needs - ONE_HAND
    weapon = t.fight.weapon[carrier.place]
    if added.needs == WITH_AMMO:
        return weapon.ammo == 1
    return weapon.icon[0] == 1 if added.needs == MELEE else max(weapon.icon[1], weapon.icon[2], weapon.icon[3]) == 1


@kernel
def is_on(player, item, k):  # type: ignore[no-untyped-def]
    """Whether an enhancement of a title is attached to the card at place k, or with NONE to the vehicle."""
    found = False
    for other in range(player.items):
        fitted = player.spot[other] == BESIDE if k == NONE else is_fitted(player, other, k)
        found = found or (fitted and player.thing[other] == item)
    return found


# ---------------------------------------------------------------- where items are


@kernel
def weapon_worth(s, t, p, item):  # type: ignore[no-untyped-def]
    """What a weapon is worth in a knight's hands: by the skill that it takes, and the Fuel or Ammo that he has."""
    row, player = t.thing[item], s.player[p]
    skill = t.fight.knight[player.role].skill[BLADES if row.melee == 1 else GUNS]
    return row.worth * (1 + skill) // 4


@kernel
def added_worth(t, player, i):  # type: ignore[no-untyped-def]
    """What is attached to a card is worth."""
    worth = 0
    for k in range(player.items):
        worth += t.thing[player.thing[k]].worth * int(is_fitted(player, k, i))
    return worth


@kernel
def arrange(s, t, journal, p):  # type: ignore[no-untyped-def]
    """Re-equip with all that is owned, as in the Knights and the Rest Step (K5-23)."""
    player = s.player[p]
    for i in range(player.items):
        if player.spot[i] != BESIDE and player.spot[i] != FITTED:
            player.spot[i] = LOOSE
    put_on(s, t, journal, p)


@kernel
def settle(s, t, journal, p):  # type: ignore[no-untyped-def]
    """Put the last card that came to a knight on the sheet if it is better there; what is stored stays where it is
    (K5-23, K5B-06)."""
    player = s.player[p]
    for i in range(player.items):
        if player.spot[i] != BESIDE and player.spot[i] != FITTED and is_usable(player, i):
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
    """Put what lies loose into the backpack, the dearest first, and the rest into the vehicle, each with what is
    attached to it (K5B-13); where both are full, the card worth least of all is discarded. Starting gear that is
    covered needs no room (K1D-12, K5B-18)."""
    while True:
        i = place_loose(s, t, p)
        if i == NONE:
            return
        make_room(s, t, journal, p, i)


@kernel
def place_loose(s, t, p):  # type: ignore[no-untyped-def]
    """Place the loose cards until one finds no room. Return which, or NONE."""
    player = s.player[p]
    free, space = pack_room(s, t, p) - count_in(player, STORED), trunk_room(s, t, p) - count_in(player, TRUNK)
    while True:
        i = dearest_of(t, player, LOOSE)
        if i == NONE:
            return NONE
        size = size_of(player, i)
        if player.own[i] != 0 or size <= free:
            player.spot[i] = STORED
            free -= size * int(player.own[i] == 0)
        elif size <= space:
            player.spot[i] = TRUNK
            space -= size
        else:
            return i


@kernel
def size_of(player, i):  # type: ignore[no-untyped-def]
    """How much room a card takes with what is attached to it (K5B-13)."""
    size = 1
    for k in range(player.items):
        size += int(is_fitted(player, k, i))
    return size


@kernel
def make_room(s, t, journal, p, i):  # type: ignore[no-untyped-def]
    """Discard what is worth least of all that is stored and the loose card at place i; one that can't be discarded
    stays where all others are such, too (K5B-27)."""
    player, least = s.player[p], i
    for k in range(player.items):
        on = carrier_of(player, k)
        stored = (is_stored(player, k) or player.spot[on] == LOOSE) and player.own[on] == 0
        less = is_safe(t, player, least) or worth_of(t, player, k) < worth_of(t, player, least)
        if stored and less and not is_safe(t, player, k):
            least = k
    if is_safe(t, player, least):
        player.spot[i] = STORED
    else:
        discard_item(s, t, journal, p, least)


@kernel
def shed(s, t, journal, p):  # type: ignore[no-untyped-def]
    """Of a store that holds more than it can, the least worth finds another place, or is discarded."""
    player = s.player[p]
    for spot in (STORED, TRUNK):
        room = pack_room(s, t, p) if spot == STORED else trunk_room(s, t, p)
        while count_in(player, spot) > room:
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
            worth = weapon_worth(s, t, p, player.thing[i]) + added_worth(t, player, i)
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
        if item.kind == ARMOR and player.spot[i] == LOOSE and item.worth + added_worth(t, player, i) > worth:
            best, worth = i, item.worth + added_worth(t, player, i)
    if best != NONE:
        player.spot[best] = BODY


@kernel
def count_in(player, spot):  # type: ignore[no-untyped-def]
    """How many cards lie in a store, what is attached to others included (K5B-13); starting gear that is covered stays
    on the sheet (K1D-12, K5B-18)."""
    many = 0
    for i in range(player.items):
        on = carrier_of(player, i)
        many += int(player.spot[on] == spot and player.own[on] == 0)
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
    """What a card is worth, with what is attached to it, when room is short: one that can't be discarded more than all
    others."""
    worth = t.thing[player.thing[i]].worth + added_worth(t, player, i)
    return worth + (PRICELESS if is_safe(t, player, i) else 0)


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
def take_vehicle(s, t, journal, p, vehicle, damage):  # type: ignore[no-untyped-def]
    """A vehicle of the pool in that state, or of a reward, comes to a knight; his old one goes to the pool (K5B-08), in
    a trade without the enhancements attached to it, else they are lost with it (K5B-12, K5B-14)."""
    player = s.player[p]
    pool = s.pool if damage == 0 else s.pool_damaged
    pool[vehicle] = max(0, pool[vehicle] - 1)
    return_vehicle(s, player)
    if s.limit == NO_TRADE:
        lose_attached(s, t, journal, p, FOR_GEAR)
    else:
        strip_vehicle(t, journal, p, player)
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
def strip_vehicle(t, journal, p, player):  # type: ignore[no-untyped-def]
    """Detach the enhancements of a vehicle that changes hands (K5B-12); tunings go along to the next one."""
    for i in range(player.items):
        if player.spot[i] == BESIDE and t.thing[player.thing[i]].group == FOR_GEAR:
            detach(journal, p, player, i)


@kernel
def lose_vehicle(s, t, journal, p):  # type: ignore[no-untyped-def]
    """A knight is without his vehicle: all Fuel and what is attached to it are lost (K5-95, K5B-14)."""
    player = s.player[p]
    note(journal, VEHICLE, p, NONE, 0)
    tell_dial(journal, p, 2, player.fuel, 0)
    player.vehicle, player.damage, player.fuel, player.points = NONE, 0, 0, 0
    lose_attached(s, t, journal, p, TUNING)


@kernel
def lose_attached(s, t, journal, p, group):  # type: ignore[no-untyped-def]
    """Discard the enhancements attached to a vehicle: with TUNING all of them, with FOR_GEAR all but tunings."""
    player, i = s.player[p], 0
    while i < player.items:
        if t.thing[player.thing[i]].group >= group and player.spot[i] == BESIDE:
            discard_item(s, t, journal, p, i)
        else:
            i += 1


# ---------------------------------------------------------------- luck cards, and what can be given


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
def is_free(t, player, i):  # type: ignore[no-untyped-def]
    """Whether a card can be given, paid or stolen: no starting gear, no blue card (K1D-12, K5B-27)."""
    colour = t.thing[player.thing[i]].colour
    return player.own[i] == 0 and colour != START and colour != BLUE_CARD


@kernel
def may_pass(s, t, player, i):  # type: ignore[no-untyped-def]
    """Whether a card can pass to another knight in a trade, as blue ones can, but not what is printed on the sheet or
    attached, nor what the hex bars (K1D-12, K5B-27, K5B-33). What is attached to a card comes off only with that one
    (K5B-12)."""
    item, spot = t.thing[player.thing[i]], player.spot[i]
    movable = player.own[i] == 0 and item.colour != START and spot != BESIDE and spot != FITTED
    return movable and is_traded(item, s.limit)


@kernel
def limit_of(s, t, p):  # type: ignore[no-untyped-def]
    """What the description of a knight's hex says about trade there (K1C-03, K1C-05), ALL_TRADED if nothing; a special
    token covers it (K5B-29)."""
    place = s.hex[s.player[p].hex]
    return max(ALL_TRADED, t.tile[place.tile].trade) if place.blank == 0 else ALL_TRADED


@inlined
def is_traded(item, limit):  # type: ignore[no-untyped-def]
    """Whether a hex lets a card be traded, as goods or as payment, by whomever (K1C-03, K1C-05)."""
    return not ((limit == NO_WEAPONS and item.kind == WEAPON) or (limit == NO_DRUGS and item.drug == 1))


@kernel
def may_pay(s, t, player, i):  # type: ignore[no-untyped-def]
    """Whether a card can be paid with as it lies: it can be given, and in a trade the hex does not bar it, and it is
    not attached: there it comes off only with its carrier (K5B-12)."""
    attached = player.spot[i] == FITTED or player.spot[i] == BESIDE
    return is_free(t, player, i) and is_traded(t.thing[player.thing[i]], s.limit) and not (attached and s.limit > 0)


@kernel
def could_pay(s, t, player, i):  # type: ignore[no-untyped-def]
    """Whether a card can be paid with, if need be after the one that it is attached to (K5B-12)."""
    item, carrier = t.thing[player.thing[i]], carrier_of(player, i)
    return may_pay(s, t, player, i) or (
        carrier != i and may_pay(s, t, player, carrier) and is_free(t, player, i) and is_traded(item, s.limit)
    )
