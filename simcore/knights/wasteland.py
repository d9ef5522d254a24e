"""Wasteland cards: what the Waster plays, escape or face, events, and combat with enemies."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import has_room, kernel
from simcore.knights.belongings import (
    MARK,
    add_fame,
    change,
    fall_if_down,
    standing,
    tell_dial,
)
from simcore.knights.board_bots import (
    ALWAYS,
    DAMAGE,
    FACED,
    FAILED,
    HEALTH,
    MERCHANT,
    SKIP,
    STOP,
    decide,
    escape_worth,
    face_worth,
    harm_of,
)
from simcore.knights.board_state import EVENT_AT, NONE, SHOWN
from simcore.knights.board_tables import HEXES, WHAT, WHOM
from simcore.knights.board_tell import ESCAPES, FACES, FIGHTS, FOUGHT, PLAYS_CARD, REVEALS, TOKEN
from simcore.knights.defending import fight_on_board, lay_out_kits
from simcore.knights.gains import damage_vehicle, draw_gear, give
from simcore.knights.gear import outfit
from simcore.knights.luck import WON, check, play_luck
from simcore.knights.sheet import use_up, write_sheet
from simcore.knights.stalls import go_shopping
from simcore.knights.tables import KNIGHTS
from simcore.knights.tasks import DEFEAT, meet_by_deed
from simcore.piles import discard_card, draw_card
from simcore.streams import Script, at, word

IRRADIATE, CONTAMINATE, THREATEN, OBSTRUCT, BLANK = (
    WHAT["irradiate"], WHAT["contaminate"], WHAT["threaten"], WHAT["obstruct"], WHAT["blank"],
)  # fmt: skip
WEATHER, MARK_CARDS = WHAT["weather"], WHAT["mark"]
SELF, AROUND, EVERYONE, RIVALS = WHOM["self"], WHOM["around"], WHOM["everyone"], WHOM["rivals"]
WAIT, CARD_AT = 0, 1
ESCAPE, FACE = 1, 2
COMBAT_DOMAIN = 2


# ---------------------------------------------------------------- the Waster


@kernel
def reveal(s, t, stream, journal, many):  # type: ignore[no-untyped-def]
    """The Waster looks at so many more cards (K1E-12)."""
    for _ in range(many):
        card = draw_card(s.cards)
        if card >= 0 and has_room(s, s.shown, SHOWN):
            s.show[s.shown] = card
            s.shown += 1
            note(journal, REVEALS, card)


@kernel
def bound_traits(s, t, p):  # type: ignore[no-untyped-def]
    """Bits of the traits of enemies that tasks make the Waster play on this knight's move (K4-11, K5-50)."""
    traits = 0
    for i in range(s.posts):
        post = s.post[i]
        if post.task != NONE and t.task[post.task].binds > 0:
            whose = t.task[post.task].whose
            if whose == 2 or post.holder == p:
                traits |= 1 << (t.task[post.task].binds - 1)
    return traits


@kernel
def is_bound(t, card, traits):  # type: ignore[no-untyped-def]
    """Whether a card is an enemy of one of the traits in some bits."""
    bound = False
    if card < EVENT_AT:
        for i in range(len(t.fight.enemy[card].trait)):
            bound = bound or (traits >> i & 1 == 1 and t.fight.enemy[card].trait[i] == 1)
    return bound


@kernel
def play_one_of(s, t, stream, journal, p, more, left):  # type: ignore[no-untyped-def]
    """The Waster plays one of the cards revealed, or waits while hexes are `left` on the route (K1E-13, K4-08): if he
    is bound, until a fitting card shows or no `more` can come (K5-49). The worst for the knight."""
    s.options, fitting, trait = 0, 0, bound_traits(s, t, p)
    for i in range(s.shown):
        fitting += int(is_bound(t, s.show[i], trait))
    weighs = s.player[s.waster].weighs == 1
    if left > 0 and fitting == 0:
        offer(s, WAIT, t.bot[s.player[s.waster].bot].harm * 40 * min(more, 2) // 100)
    if not (more > 0 and trait > 0 and fitting == 0):
        for i in range(s.shown):
            if fitting == 0 or is_bound(t, s.show[i], trait):
                offer(s, CARD_AT + i, harm_of(s, t, p, s.waster, s.show[i]) if weighs else 0)
    option = decide(s, t, stream, s.waster)
    if option == WAIT:
        return
    card = s.show[option - CARD_AT]
    s.played = 1
    note(journal, PLAYS_CARD, card, p)
    meet_card(s, t, stream, journal, p, card)
    for i in range(s.shown):
        discard_card(s.cards, s.show[i])
    s.shown = 0


# ---------------------------------------------------------------- escape or face


@kernel
def meet_card(s, t, stream, journal, p, card):  # type: ignore[no-untyped-def]
    """The knight escapes or faces the card (K1E-24 to K1E-29, K5-35)."""
    weighs = s.player[p].weighs == 1
    if card >= EVENT_AT and is_spared(s, t, p, t.event[card - EVENT_AT]):
        return
    s.options = 0
    offer(s, ESCAPE, escape_worth(s, t, p, card) if weighs else 0)
    offer(s, FACE, face_worth(s, t, p, card) if weighs else 0)
    if decide(s, t, stream, p) == FACE:
        note(journal, FACES, p, card)
        if card >= EVENT_AT:
            befall(s, t, stream, journal, p, card, FACED)
        else:
            fight_enemy(s, t, stream, journal, p, card)
    elif escapes(s, t, stream, journal, p, card):
        s.player[p].escaped += 1
        note(journal, ESCAPES, p, card)
    elif card >= EVENT_AT:
        befall(s, t, stream, journal, p, card, FAILED)
    else:
        change(s, t, journal, p, HEALTH, -1 - t.foe[card].costly)
        for i in range(t.foe[card].text.rows):
            befall_row(s, t, stream, journal, p, t.foe[card].text.row[i])


@kernel
def is_spared(s, t, p, event):  # type: ignore[no-untyped-def]
    """Whether an event has no hold on a knight: on foot (K1I-05), or weather on who is proof against it."""
    return (s.afoot == 1 and event.on_foot == 0) or (event.nature == 1 and standing(s, t, p, WEATHER, 0) > 0)


@kernel
def escapes(s, t, stream, journal, p, card):  # type: ignore[no-untyped-def]
    """The escape check of a card."""
    if card < EVENT_AT:
        foe = t.foe[card]
        return check(s, t, stream, journal, p, foe.skill, foe.difficulty) > 0
    event = t.event[card - EVENT_AT]
    return check(s, t, stream, journal, p, event.skill, event.difficulty) >= event.successes


@kernel
def befall(s, t, stream, journal, p, card, moment):  # type: ignore[no-untyped-def]
    """What an event does: its rows for all, and those of its moment (K1E-25, K1E-26, K5-36)."""
    text = t.event[card - EVENT_AT].text
    for i in range(text.rows):
        row = text.row[i]
        if row.when == ALWAYS or row.when == moment:
            befall_row(s, t, stream, journal, p, row)


@kernel
def befall_row(s, t, stream, journal, p, row):  # type: ignore[no-untyped-def]
    """One row of an event."""
    what, many = row.what, row.many
    if what == STOP:
        s.player[p].stopped = 1
    elif what == SKIP:
        s.player[p].skip = 1
    elif what == MARK_CARDS:
        mark_cards(s, t, p, many)
    elif what == DAMAGE:
        damage_vehicle(s, t, stream, journal, p, many)
    elif what == MERCHANT:
        go_shopping(s, t, stream, journal, p)
    elif IRRADIATE <= what <= BLANK:
        lay_tokens(s, t, journal, p, row)
    elif row.whom == SELF:
        give(s, t, stream, journal, p, what, many)
    else:
        reach = HEXES if row.whom in (EVERYONE, RIVALS) else int(row.whom == AROUND)
        for other in range(s.players):
            near = t.map.far[s.player[other].hex, s.player[p].hex] <= reach
            if near and (other != p or row.whom != RIVALS):
                give(s, t, stream, journal, other, what, many)


@kernel
def mark_cards(s, t, p, many):  # type: ignore[no-untyped-def]
    """Mark so many of a knight's cards that are used by marking (K5B-17)."""
    player = s.player[p]
    for i in range(player.items):
        if many > 0 and t.thing[player.thing[i]].use == MARK and player.marked[i] == 0:
            player.marked[i] = 1
            many -= 1


@kernel
def lay_tokens(s, t, journal, p, row):  # type: ignore[no-untyped-def]
    """Tokens on the knight's hex, or on it and all around (K5-21, K5-31)."""
    here = s.player[p].hex
    note(journal, TOKEN, here, row.what, int(row.whom == AROUND))
    for h in range(HEXES):
        if h == here or (row.whom == AROUND and t.map.far[here, h] == 1):
            place = s.hex[h]
            if row.what == IRRADIATE:
                place.irradiate += row.many
            elif row.what == CONTAMINATE:
                place.contaminate += row.many
            elif row.what == THREATEN:
                place.threaten += row.many
            elif row.what == OBSTRUCT:
                place.obstruct += row.many
            else:
                place.blank = 2


# ---------------------------------------------------------------- combat


def combat_stream(s: Any, stream: Any, key: Any) -> Any:
    """The stream of a combat: one of its own for each, by its key; a Script goes on as it is."""
    if isinstance(stream, Script):
        return stream
    s.sub.game = np.uint64(key)
    return s.sub


@overload(combat_stream)
def _combat_stream(s, stream, key):  # type: ignore[no-untyped-def]
    if isinstance(stream, types.Record):

        def body(s, stream, key):  # type: ignore[no-untyped-def]
            s.sub.game = np.uint64(key)
            return s.sub

        return body
    return None


@kernel
def aura_of(s, t, h):  # type: ignore[no-untyped-def]
    """Dice that enemies gain on a hex, by a tower there or beside it (K4-45); a blank tower gives none (K5B-29)."""
    dice = 0
    for other in range(HEXES):
        if t.map.far[h, other] <= 1 and s.hex[other].blank == 0:
            dice = max(dice, t.tile[s.hex[other].tile].aura)
    return dice


@kernel
def enter_fight(s, t, journal, x, p):  # type: ignore[no-untyped-def]
    """Put a knight with his dials as they are on a side of the combat (K4-27)."""
    fighter, player = s.fight.fighter[x], s.player[p]
    write_sheet(s, t, p)
    fighter.knight, fighter.role, fighter.bot = 1, KNIGHTS + p, t.bot[player.bot].fights
    fighter.health, fighter.ammo, fighter.fuel = player.health, player.ammo, player.fuel
    fighter.radiation = player.radiation
    frozen = t.fight.ruling.wounds_in_combat == 0
    fighter.wound = t.fight.dials.wound_dice[player.health] if frozen else 0
    lay_out_kits(s, journal, p, x)


@kernel
def leave_fight(s, t, stream, journal, x, p):  # type: ignore[no-untyped-def]
    """What a knight brings home from a combat: dials, cards used, vehicle damage, the end of his move."""
    side, player = s.fight.side[x], s.player[p]
    player.ammo_spent += side.ammo_spent
    player.fuel_spent += side.fuel_spent
    tell_dial(journal, p, 0, player.health, side.health)
    tell_dial(journal, p, 1, player.ammo, side.ammo)
    tell_dial(journal, p, 2, player.fuel, side.fuel if player.vehicle != NONE else 0)
    tell_dial(journal, p, 3, player.radiation, side.radiation)
    player.health, player.ammo, player.radiation = side.health, side.ammo, side.radiation
    player.fuel = side.fuel if player.vehicle != NONE else 0
    use_up(s, t, journal, p, side.spent)
    if side.vehicle > 0:
        damage_vehicle(s, t, stream, journal, p, side.vehicle)
    if side.stopped == 1:
        player.stopped = 1
    fall_if_down(s, t, journal, p)
    gained = add_fame(s, journal, p, side.reputation)
    if s.fight.duel == 1:
        player.fame_duels += gained
    else:
        player.fame_fights += gained
    draw_gear(s, t, stream, journal, p, 0, side.green)
    draw_gear(s, t, stream, journal, p, 1, side.yellow)
    draw_gear(s, t, stream, journal, p, 2, side.red)


@kernel
def wage(s, t, stream, journal):  # type: ignore[no-untyped-def]
    """Fight the combat that is laid out, by a stream of its own."""
    s.combats += 1
    outfit(s.fight, s.rules)
    inner = combat_stream(s, stream, word(at(stream, COMBAT_DOMAIN, s.rounds), s.combats))
    fight_on_board(s, t, stream, journal, inner)
    s.overflow |= s.fight.overflow


@kernel
def fight_enemy(s, t, stream, journal, p, enemy):  # type: ignore[no-untyped-def]
    """A combat with an enemy: its dice by towers, its rewards, tasks that ask for it (K1E-29, K5-84, K5-85)."""
    s.rules.table.enemy_dice = aura_of(s, t, s.player[p].hex)
    s.fight.duel = 0
    note(journal, FIGHTS, p, enemy)
    enter_fight(s, t, journal, 0, p)
    foe = s.fight.fighter[1]
    foe.knight, foe.role, foe.bot = 0, enemy, t.bot[s.player[s.waster].bot].fights
    foe.health, foe.ammo, foe.fuel, foe.radiation, foe.wound = t.fight.enemy[enemy].health, 0, 0, 0, 0
    wage(s, t, stream, journal)
    winner, player = s.fight.winner, s.player[p]
    note(journal, FOUGHT, p, enemy, 0 if winner < 0 else 1 + winner)
    player.won += int(winner == 0)
    player.lost += int(winner == 1)
    player.drawn += int(winner < 0)
    beat = s.fight.side[0].beat
    leave_fight(s, t, stream, journal, 0, p)
    if beat == 1:
        meet_by_deed(s, t, stream, journal, p, DEFEAT, enemy)
    if winner == 0 and player.out == 0:
        play_luck(s, t, stream, journal, p, WON)
