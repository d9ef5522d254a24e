"""Combat on the board, in which a knight who defends may change all his gear (K1F-12, K5-71)."""

from __future__ import annotations

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import kernel
from simcore.knights.belongings import is_stored, place_loose, shed
from simcore.knights.board_bots import decide, tempt
from simcore.knights.board_state import BESIDE, BODY, FITTED, HAND, HELD, LOOSE, NONE, POCKET
from simcore.knights.board_tables import ARMOR, GENERAL, WEAPON
from simcore.knights.board_tell import KIT, PUTS_AWAY, WIELDS
from simcore.knights.bots import pick_kit
from simcore.knights.combat import (
    SHOWN,
    act_at_once,
    begin,
    end_combat,
    finish_clash,
    judge_dominance,
    show_cards,
    start_combat,
)
from simcore.knights.gear import ANY_TIME, HEALTH, arm_again, stand_at
from simcore.knights.sheet import take_kit, use_up, write_sheet
from simcore.knights.state import DEFEND
from simcore.knights.tables import ITEMS as CARRIED
from simcore.knights.tables import KNIGHTS
from simcore.knights.tell import EQUIPS

DONE, BACK, CHANGE_AT, PLAIN, AWAY = 0, 1, 64, HELD, HELD + 1
"""Options: enough; all back as it was, where there is no room for what lies loose; CHANGE_AT + card * (HELD + 2) + the
card that it takes the place of, PLAIN where it takes no place or all hands, or AWAY for one that leaves the sheet."""


@kernel
def fight_on_board(s, t, stream, journal, inner):  # type: ignore[no-untyped-def]
    """A combat as `combat.fight` has it, in which Defend lets a knight change his gear. `inner`: its stream."""
    fight, rules = s.fight, s.rules
    begin(fight, rules, inner)
    start_combat(fight, rules, inner, journal, None)
    for clash in range(rules.combat.clashes):
        if fight.over == 1:
            break
        fight.clash = clash
        fight.rounds = clash + 1
        stand_at(fight, fight.range)
        shown = show_cards(fight, rules, inner, journal, None)
        if fight.over == 0:
            for x in range(2):
                card = shown // SHOWN if x == 0 else shown % SHOWN
                if card == DEFEND and fight.fighter[x].knight == 1:
                    change_gear(s, t, stream, journal, inner, x)
                else:
                    act_at_once(fight, rules, inner, journal, x, card, None)
            finish_clash(fight, rules, inner, journal, shown // SHOWN, shown % SHOWN, None)
    if fight.over == 0:
        judge_dominance(fight, rules)
    end_combat(fight, rules, journal)


@kernel
def change_gear(s, t, stream, journal, inner, x):  # type: ignore[no-untyped-def]
    """Let a knight look at all his gear and change what lies on his sheet, before the opponent's blow (K1F-12, K5-71):
    first to one of the load-outs that he has in mind, then card by card. What he has used up by now is gone first."""
    fight, p = s.fight, s.fight.fighter[x].role - KNIGHTS
    side, player = fight.side[x], s.player[p]
    kit = pick_kit(fight, s.rules, inner, x, None) if fight.fighter[x].kits > 1 else 0
    arm_again(fight, s.rules, x, -1)
    for i in range(player.items):
        s.kept[i] = player.spot[i]
    take_kit(s, t, p, kit)
    tell_changes(s, t, journal, p)
    use_up(s, t, journal, p, side.spent)
    side.spent = side.spent >> CARRIED << CARRIED
    shed(s, t, journal, p)
    for i in range(player.items):
        s.kept[i] = player.spot[i]
    place_cards(s, t, stream, p, x)
    tell_changes(s, t, journal, p)
    write_sheet(s, t, p)
    arm_again(fight, s.rules, x, 1)
    lay_out_kits(s, journal, p, x)
    note(journal, EQUIPS, x, 0)


@kernel
def lay_out_kits(s, journal, p, x):  # type: ignore[no-untyped-def]
    """Note the load-outs of a knight's sheet."""
    sheet = s.rules.knight[KNIGHTS + p]
    for k in range(sheet.kits):
        note(journal, KIT, x, k, NONE, sheet.kit[k].armor)
        for i in range(sheet.kit[k].weapons):
            note(journal, KIT, x, k, sheet.kit[k].weapon[i], sheet.kit[k].armor)


@kernel
def tell_changes(s, t, journal, p):  # type: ignore[no-untyped-def]
    """Note which cards have come to the sheet since `kept`, and which have left it."""
    player = s.player[p]
    for i in range(player.items):
        before, now = on_sheet(s.kept[i]), on_sheet(player.spot[i])
        if before != now:
            note(journal, WIELDS if now else PUTS_AWAY, p, player.thing[i])


@kernel
def on_sheet(spot):  # type: ignore[no-untyped-def]
    """Whether a place is on the sheet's panels."""
    return spot in (HAND, BODY, POCKET)


# ---------------------------------------------------------------- card by card


@kernel
def place_cards(s, t, stream, p, x):  # type: ignore[no-untyped-def]
    """Let a knight put one card after another on the sheet, or away, until he has enough; he is done only while there
    is room for all that he stores, and else may have it all back as it was. Enhancements stay attached (K5B-12)."""
    player = s.player[p]
    for _ in range(2 * HELD):
        s.options = 0
        offer(s, DONE if has_places(s, t, p) else BACK, 0)
        for i in range(player.items):
            lay_out_changes(s, t, p, x, i)
        if s.options > 1:
            lay_out_removals(s, t, p)
        option = decide(s, t, stream, p)
        if option <= BACK:
            break
        change_place(s, t, p, (option - CHANGE_AT) // (HELD + 2), (option - CHANGE_AT) % (HELD + 2))
    if has_places(s, t, p):
        place_loose(s, t, p)
        return
    for i in range(player.items):
        player.spot[i] = s.kept[i]


@kernel
def has_places(s, t, p):  # type: ignore[no-untyped-def]
    """Whether all that does not lie on the sheet finds room in backpack and vehicle, wherever it has been."""
    player = s.player[p]
    for i in range(player.items):
        s.tried_on[i] = player.spot[i]
        if is_stored(player, i) and player.spot[i] != FITTED:
            player.spot[i] = LOOSE
    fits = place_loose(s, t, p) == NONE
    for i in range(player.items):
        player.spot[i] = s.tried_on[i] if not fits or on_sheet(s.tried_on[i]) else player.spot[i]
    return fits


@kernel
def lay_out_changes(s, t, p, x, i):  # type: ignore[no-untyped-def]
    """Offer the places that the card at place i could take on the sheet. Who weighs looks for what heals him."""
    player, item = s.player[p], t.thing[s.player[p].thing[i]]
    panel = panel_of(item)
    if panel == NONE or player.spot[i] == FITTED or player.spot[i] == BESIDE:
        return
    if player.spot[i] == panel:
        return
    limit, size = t.map.pockets if panel == POCKET else t.hands[player.role], item.hands if panel == HAND else 1
    worth = t.bot[player.bot].wound * heal_of(s, t, p, x, i)
    if panel == BODY or (panel == HAND and (size == 2 or limit == 1)) or taken(t, player, panel) + size <= limit:
        if size <= limit or panel == BODY:
            tempt(s, p, CHANGE_AT + i * (HELD + 2) + PLAIN, worth)
        return
    for k in range(player.items):
        if player.spot[k] == panel:
            less = t.bot[player.bot].wound * heal_of(s, t, p, x, k)
            tempt(s, p, CHANGE_AT + i * (HELD + 2) + k, worth - less)


@kernel
def lay_out_removals(s, t, p):  # type: ignore[no-untyped-def]
    """Offer to put cards of the sheet away, where there is anything to put there instead; what is printed on it is only
    covered (K5B-18)."""
    player = s.player[p]
    for i in range(player.items):
        if on_sheet(player.spot[i]) and player.own[i] == 0:
            tempt(s, p, CHANGE_AT + i * (HELD + 2) + AWAY, 0)


@kernel
def panel_of(item):  # type: ignore[no-untyped-def]
    """The kind of panel that a card goes on, or NONE (K5B-04)."""
    if item.kind == WEAPON:
        return HAND
    if item.kind == ARMOR:
        return BODY
    return POCKET if item.kind == GENERAL else NONE


@kernel
def taken(t, player, panel):  # type: ignore[no-untyped-def]
    """How many hands, or panels of another kind, are taken."""
    many = 0
    for k in range(player.items):
        if player.spot[k] == panel:
            many += t.thing[player.thing[k]].hands if panel == HAND else 1
    return many


@kernel
def heal_of(s, t, p, x, i):  # type: ignore[no-untyped-def]
    """How much Health a card of general gear would heal now, in this combat."""
    item, side, heal = t.thing[s.player[p].thing[i]], s.fight.side[x], 0
    if item.kind != GENERAL or s.player[p].marked[i] == 1:
        return 0
    text = t.fight.gear[item.place].text
    for k in range(text.effects):
        row = text.effect[k]
        if row.when == ANY_TIME and row.what == HEALTH and row.whom == 0:
            heal += row.many
    return max(0, min(heal, t.fight.dials.health - side.health))


@kernel
def change_place(s, t, p, i, k):  # type: ignore[no-untyped-def]
    """Put the card at place i on the sheet in the place of another one, or of all that hold it up, or away."""
    player = s.player[p]
    if k == AWAY:
        player.spot[i] = LOOSE
        return
    item = t.thing[player.thing[i]]
    panel = panel_of(item)
    if k < HELD:
        player.spot[k] = LOOSE
    elif panel == BODY or (panel == HAND and taken(t, player, HAND) + item.hands > t.hands[player.role]):
        for other in range(player.items):
            if player.spot[other] == panel:
                player.spot[other] = LOOSE
    player.spot[i] = panel
