"""The Exploration Step: the check, tasks, and one action of the hex."""

from __future__ import annotations

from simcore.bots import offer
from simcore.dice import roll_die
from simcore.journal import note
from simcore.kernels import kernel
from simcore.knights.belongings import FROM_DECK, change, discard_item, gain_item, has_item, repair
from simcore.knights.belongings import TUNING as TUNED
from simcore.knights.board_aims import action_worth, hex_worth
from simcore.knights.board_bots import (
    AMMO,
    BODY_RESUPPLY,
    FUEL,
    GAMBLE,
    GOODS_RESUPPLY,
    GREEN,
    HEALTH,
    IMPLANT,
    JUMP,
    RADIATION,
    SCOUT,
    STRIKE,
    TAKE_ARMOR,
    TAKE_DRUG,
    TRADE,
    TUNING,
    decide,
    harm_of,
    see_bargain,
    set_keys,
    tempt,
)
from simcore.knights.board_state import BESIDE, NONE
from simcore.knights.board_tables import BLUE_CARD, ENHANCEMENT, HEXES, SEATS
from simcore.knights.board_tell import ACTS, ATTACHES, DRAWS, EXPLORES, HIDES, JUMPS, ROLLS, SCOUTS, STEP, STRIKES_HEX
from simcore.knights.gains import give
from simcore.knights.luck import USED, check, play_luck
from simcore.knights.rest import use_gear
from simcore.knights.stalls import go_shopping, take_free
from simcore.knights.tables import SIDES
from simcore.knights.tasks import can_pay, do_tasks, pay_price
from simcore.piles import discard_card, draw_card, find_card, take_card
from simcore.streams import word

NOTHING, ACTION_AT = 0, 1
EXPLORE_PHASE = 2


@kernel
def explore_all(s, t, stream, journal):  # type: ignore[no-untyped-def]
    """The Exploration Step, from the First Player on."""
    note(journal, STEP, 0)
    for i in range(s.players):
        p = (s.first + i) % s.players
        s.active = p
        set_keys(s, stream, EXPLORE_PHASE, i)
        if s.player[p].out == 0 and s.player[p].skip == 0 and s.hex[s.player[p].hex].blank == 0:
            explore(s, t, stream, journal, p)


@kernel
def explore(s, t, stream, journal, p):  # type: ignore[no-untyped-def]
    """What helps beforehand; the check unless the marker lies there; then tasks and one action in any order, after a
    jump tasks alone (K1E-30, K1E-31, K4-18, K4-19, K5-41)."""
    player = s.player[p]
    s.tried, h = 0, player.hex
    use_gear(s, t, stream, journal, p, USED)
    play_luck(s, t, stream, journal, p, USED)
    if not find_hex(s, t, stream, journal, p):
        return
    do_tasks(s, t, stream, journal, p, t.tile[s.hex[h].tile].number)
    if s.hex[h].blank == 0:
        act(s, t, stream, journal, p)
    if player.out == 1 or s.hex[player.hex].blank > 0:
        return
    if player.hex == h or find_hex(s, t, stream, journal, p):
        do_tasks(s, t, stream, journal, p, t.tile[s.hex[player.hex].tile].number)


@kernel
def find_hex(s, t, stream, journal, p):  # type: ignore[no-untyped-def]
    """Whether the hex is explored: without a check, by the marker of an earlier round, or by the check."""
    player = s.player[p]
    tile, passed = t.tile[s.hex[player.hex].tile], True
    if tile.explore > 0 and player.explored == 0:
        passed = check(s, t, stream, journal, p, tile.skill, tile.explore) > 0
    player.explored = 1
    note(journal, EXPLORES, p, player.hex, int(passed))
    return passed


@kernel
def act(s, t, stream, journal, p):  # type: ignore[no-untyped-def]
    """One of the actions that the knight can pay, or none (K5-51, K5-52)."""
    tile = t.tile[s.hex[s.player[p].hex].tile]
    see_bargain(s, t, p)
    s.options = 0
    offer(s, NOTHING, t.bot[s.player[p].bot].rest)
    for a in range(tile.actions):
        if can_pay(s, t, p, tile.action[a].price):
            offer(s, ACTION_AT + a, action_worth(s, t, p, tile.action[a]) if s.player[p].weighs == 1 else 0)
    option = decide(s, t, stream, p)
    if option == NOTHING:
        return
    action = tile.action[option - ACTION_AT]
    note(journal, ACTS, p, s.player[p].hex, option - ACTION_AT)
    pay_price(s, t, stream, journal, p, action.price)
    for i in range(action.text.rows):
        do_row(s, t, stream, journal, p, action.text.row[i])


@kernel
def do_row(s, t, stream, journal, p, row):  # type: ignore[no-untyped-def]
    """One row of an action (1C)."""
    what = row.what
    if what == TRADE:
        go_shopping(s, t, stream, journal, p)
    elif what == BODY_RESUPPLY:
        change(s, t, journal, p, RADIATION, -t.fight.dials.radiation)
        change(s, t, journal, p, HEALTH, t.fight.dials.health)
    elif what == GOODS_RESUPPLY:
        restock(s, t, journal, p)
    elif what == GAMBLE:
        gamble(s, t, stream, journal, p)
    elif what in (TAKE_DRUG, TAKE_ARMOR):
        take_free(s, t, stream, journal, p, int(what == TAKE_ARMOR))
    elif IMPLANT <= what <= TUNING:
        for _ in range(abs(row.many)):
            enhance(s, t, stream, journal, p, what - IMPLANT, row.many > 0)
    elif what == STRIKE:
        strike_hex(s, t, stream, journal, p, row.many)
    elif what == JUMP:
        jump(s, t, stream, journal, p)
    elif what == SCOUT:
        scout(s, t, stream, journal, p, row.many)
    else:
        give(s, t, stream, journal, p, what, row.many)


@kernel
def restock(s, t, journal, p):  # type: ignore[no-untyped-def]
    """Ammo and Fuel to the top, and the vehicle whole (K5-53)."""
    change(s, t, journal, p, AMMO, t.fight.dials.ammo)
    change(s, t, journal, p, FUEL, t.fight.dials.fuel)
    repair(s, journal, p)


@kernel
def gamble(s, t, stream, journal, p):  # type: ignore[no-untyped-def]
    """One die: a Health lost, a yellow or a red card (K1C-01, K4-21)."""
    s.rolls += 1
    face = roll_die(stream, SIDES, word(s.dice, s.rolls * SEATS + p))
    note(journal, ROLLS, p, face)
    if face <= 4:
        change(s, t, journal, p, HEALTH, -1)
    else:
        give(s, t, stream, journal, p, GREEN + (1 if face < SIDES else 2), 1)


@kernel
def enhance(s, t, stream, journal, p, sort, attach):  # type: ignore[no-untyped-def]
    """Attach an own blue card of a sort, or drop one that is attached, which goes back under its deck (K1C-06, K1C-11,
    K1C-12, K5B-11, K5B-28); by the ruling from_deck another one is taken from there. A tuning needs a vehicle."""
    player = s.player[p]
    s.options = 0
    offer(s, NOTHING, 0)
    for item in range(t.items):
        if t.thing[item].kind == ENHANCEMENT and t.thing[item].group == sort:
            if attach and may_attach(s, t, player, item):
                offer(s, 1 + item, t.bot[player.bot].gear)
            elif not attach and has_attached(player, item):
                tempt(s, p, 1 + item, -t.bot[player.bot].gear)
    option = decide(s, t, stream, p)
    if option == NOTHING:
        return
    i = has_item(player, option - 1)
    if not attach:
        discard_item(s, t, journal, p, i)
    elif i == NONE:
        take_card(s.gear[BLUE_CARD], option - 1)
        note(journal, DRAWS, p, option - 1)
        gain_item(s, t, journal, p, option - 1)
    else:
        player.spot[i] = BESIDE
        note(journal, ATTACHES, p, option - 1, NONE)


@kernel
def may_attach(s, t, player, item):  # type: ignore[no-untyped-def]
    """Whether a blue card can be attached on its hex: an own one that isn't yet, or by the ruling one of the deck."""
    if t.thing[item].group == TUNED and player.vehicle == NONE:
        return False
    i = has_item(player, item)
    if i != NONE:
        return player.spot[i] != BESIDE
    return t.map.attaching == FROM_DECK and find_card(s.gear[BLUE_CARD], item) >= 0


@kernel
def has_attached(player, item):  # type: ignore[no-untyped-def]
    """Whether a knight has a blue card attached."""
    i = has_item(player, item)
    return i != NONE and player.spot[i] == BESIDE


@kernel
def strike_hex(s, t, stream, journal, p, many):  # type: ignore[no-untyped-def]
    """Let every knight on any hex of p's choice, with or without knights, suffer Radiation and lose Health (K1C-07,
    K4-20)."""
    s.options = 0
    for h in range(HEXES):
        worth = 0
        for other in range(s.players):
            if s.player[other].hex == h:
                worth += -100 if other == p else 20 + 10 * s.player[other].reputation
        offer(s, h, worth)
    target = decide(s, t, stream, p)
    note(journal, STRIKES_HEX, p, target)
    for other in range(s.players):
        if s.player[other].hex == target:
            change(s, t, journal, other, RADIATION, many)
            change(s, t, journal, other, HEALTH, -many)


@kernel
def jump(s, t, stream, journal, p):  # type: ignore[no-untyped-def]
    """To any hex; no move, no card (K1C-14, K4-19)."""
    player = s.player[p]
    s.options = 0
    for h in range(HEXES):
        if h != player.hex:
            offer(s, h, hex_worth(s, t, p, h) if player.weighs == 1 else 0)
    player.hex, player.explored = decide(s, t, stream, p), 0
    note(journal, JUMPS, p, player.hex)


@kernel
def scout(s, t, stream, journal, p, many):  # type: ignore[no-untyped-def]
    """Draw cards, keep one under the Waster marker, discard the rest (K1C-13)."""
    s.options = 0
    for _ in range(many):
        card = draw_card(s.cards)
        if card >= 0:
            note(journal, SCOUTS, p, card)
            offer(s, card, harm_of(s, t, (p + 1) % s.players, p, card))
    if s.options == 0:
        return
    many = s.options
    kept = decide(s, t, stream, p)
    for i in range(many):
        if s.option[i] != kept:
            discard_card(s.cards, s.option[i])
    if s.hidden != NONE:
        discard_card(s.cards, s.hidden)
    s.hidden = kept
    note(journal, HIDES, p, kept)
