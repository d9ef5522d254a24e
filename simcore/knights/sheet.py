"""The sheet that a knight fights with: what he holds and wears, what else Defend can bring, and what he uses up."""

from __future__ import annotations

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import has_room, kernel
from simcore.knights.belongings import (
    MARK,
    ONE_USE,
    added_worth,
    carrier_of,
    discard_item,
    drop_luck,
    is_fitted,
    is_second,
    is_spent,
    pack_room,
    size_of,
    spend,
    trunk_room,
    weapon_worth,
)
from simcore.knights.board_state import BESIDE, BODY, FITTED, HAND, LOOSE, NONE, POCKET, STORED, TRUNK
from simcore.knights.board_tables import ARMOR, ENHANCEMENT, GENERAL, WEAPON
from simcore.knights.board_tell import PLAYS_LUCK
from simcore.knights.tables import ADDS, KITS, KNIGHTS
from simcore.knights.tables import ITEMS as CARRIED

PLACES = 64
ON_BODY = 2
"""Where an enhancement sits in a load-out, after the two hands."""


@kernel
def write_sheet(s, t, p):  # type: ignore[no-untyped-def]
    """Write a knight's sheet as it is now into the tables of combat: hands and body first, other load-outs for Defend
    (K1F-12), pockets and luck cards at hand, and what is attached to all of them."""
    player = s.player[p]
    sheet, knight = s.rules.knight[KNIGHTS + p], t.fight.knight[player.role]
    for skill in range(len(sheet.skill)):
        sheet.skill[skill] = knight.skill[skill]
    sheet.text.effects = knight.text.effects
    for i in range(knight.text.effects):
        row, given = sheet.text.effect[i], knight.text.effect[i]
        row.when, row.what, row.whom, row.many, row.only = given.when, given.what, given.whom, given.many, given.only
    sheet.kits = 0
    add_kit(s, t, p, kit_now(player))
    add_other_kits(s, t, p)
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
    carry_attached(s, t, p)


@kernel
def carry_attached(s, t, p):  # type: ignore[no-untyped-def]
    """Note what is attached to a card in a pocket or to the vehicle, and does something in combat: it works as
    permanent gear does."""
    player, sheet = s.player[p], s.rules.knight[KNIGHTS + p]
    sheet.adds = 0
    for i in range(player.items):
        item, spot = t.thing[player.thing[i]], player.spot[carrier_of(player, i)]
        held = (player.spot[i] == FITTED and spot == POCKET) or player.spot[i] == BESIDE
        if item.kind == ENHANCEMENT and item.fights == 1 and held and has_room(s, sheet.adds, ADDS):
            sheet.add[sheet.adds] = t.added_at + item.place
            sheet.adds += 1


# ---------------------------------------------------------------- load-outs


@kernel
def kit_now(player):  # type: ignore[no-untyped-def]
    """What is in the hands and on the body, as `kit_code` numbers it."""
    first, second, body = NONE, NONE, NONE
    for i in range(player.items):
        if player.spot[i] == HAND:
            first, second = (i, second) if first == NONE else (first, i)
        elif player.spot[i] == BODY:
            body = i
    return kit_code(first, second, body)


@kernel
def kit_code(first, second, body):  # type: ignore[no-untyped-def]
    """A load-out as a number: the places of one or two weapons and of the armor, NONE for none."""
    return ((first + 1) * PLACES + second + 1) * PLACES + body + 1


@kernel
def add_other_kits(s, t, p):  # type: ignore[no-untyped-def]
    """The load-outs that Defend can bring, of all that the knight owns, the best first: any weapons that fill the
    hands, with any armor (K1F-12, K5-71); as many as a sheet holds."""
    player, sheet = s.player[p], s.rules.knight[KNIGHTS + p]
    s.options = 0
    for body in range(NONE, player.items):
        if body == NONE or t.thing[player.thing[body]].kind == ARMOR:
            lay_out_grips(s, t, p, body)
    now = kit_now(player)
    while sheet.kits < KITS:
        best, worth = NONE, NONE
        for k in range(s.options):
            if s.value[k] > worth and s.option[k] != now:
                best, worth = k, s.value[k]
        if best == NONE:
            return
        add_kit(s, t, p, s.option[best])
        s.value[best] = NONE


@kernel
def lay_out_grips(s, t, p, body):  # type: ignore[no-untyped-def]
    """Every way to fill the hands with an armor on the body, or without one where there is none: a two-handed weapon,
    two one-handed ones, or the only one there is."""
    player, hands, bare = s.player[p], t.hands[s.player[p].role], True
    armor = 0 if body == NONE else t.thing[player.thing[body]].worth + added_worth(t, player, body)
    for i in range(player.items):
        bare = bare and t.thing[player.thing[i]].kind != ARMOR
    if body == NONE and not bare:
        return
    for i in range(player.items):
        one = t.thing[player.thing[i]]
        if one.kind != WEAPON or one.hands > hands:
            continue
        alone, worth = True, armor + weapon_worth(s, t, p, player.thing[i]) + added_worth(t, player, i)
        for k in range(player.items):
            other = t.thing[player.thing[k]]
            if k != i and other.kind == WEAPON and one.hands == 1 and other.hands == 1 and hands == 2:
                alone = False
                more = weapon_worth(s, t, p, player.thing[k]) + added_worth(t, player, k)
                if k > i and fits(s, t, p, i, k, body):
                    offer(s, kit_code(i, k, body), worth + more)
        if alone and fits(s, t, p, i, NONE, body):
            offer(s, kit_code(i, NONE, body), worth)


@kernel
def fits(s, t, p, first, second, body):  # type: ignore[no-untyped-def]
    """Whether what a load-out leaves over finds room in backpack and vehicle."""
    player, left = s.player[p], 0
    for i in range(player.items):
        kind = t.thing[player.thing[i]].kind
        if kind in (WEAPON, ARMOR):
            over = player.own[i] == 0 and i != first and i != second and i != body
        else:
            over = player.spot[i] == STORED or player.spot[i] == TRUNK
        left += size_of(player, i) * int(over)
    return left <= pack_room(s, t, p) + trunk_room(s, t, p)


@kernel
def add_kit(s, t, p, code):  # type: ignore[no-untyped-def]
    """Write a load-out and what is attached to its weapons and its armor."""
    player, sheet = s.player[p], s.rules.knight[KNIGHTS + p]
    kit, first, second, body = sheet.kit[sheet.kits], code // PLACES // PLACES, code // PLACES % PLACES, code % PLACES
    kit.weapons, kit.armor, kit.adds = 0, NONE, 0
    sheet.places[sheet.kits] = code
    sheet.kits += 1
    for i in (first - 1, second - 1):
        if i != NONE:
            kit.weapon[kit.weapons] = t.thing[player.thing[i]].place
            add_attached(s, t, player, kit, i, kit.weapons)
            kit.weapons += 1
    if body - 1 != NONE:
        kit.armor = t.thing[player.thing[body - 1]].place
        add_attached(s, t, player, kit, body - 1, ON_BODY)


@kernel
def add_attached(s, t, player, kit, i, where):  # type: ignore[no-untyped-def]
    """Write what is attached to a weapon or armor of a load-out."""
    for k in range(player.items):
        item = t.thing[player.thing[k]]
        if is_fitted(player, k, i) and item.fights == 1 and has_room(s, kit.adds, ADDS):
            kit.add[kit.adds], kit.add_to[kit.adds] = t.added_at + item.place, where
            kit.adds += 1


@kernel
def take_kit(s, t, p, k):  # type: ignore[no-untyped-def]
    """Put the weapons and the armor of load-out k on the sheet; what they displace lies loose (K1F-12)."""
    player, code = s.player[p], s.rules.knight[KNIGHTS + p].places[k]
    for i in range(player.items):
        if player.spot[i] == HAND or player.spot[i] == BODY:
            player.spot[i] = LOOSE
    for i in (code // PLACES // PLACES - 1, code // PLACES % PLACES - 1, code % PLACES - 1):
        if i != NONE:
            player.spot[i] = HAND if t.thing[player.thing[i]].kind == WEAPON else BODY


# ---------------------------------------------------------------- what was used


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
