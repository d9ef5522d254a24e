"""A knight's turn: what he can do, does, and what comes of it."""

from __future__ import annotations

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import has_room, kernel
from simcore.streams import BOT, DICE, at
from simcore.voyage.base_actions import (
    camp,
    explore,
    lay_out_camp,
    lay_out_city,
    lay_out_exploring,
    lay_out_moves,
    move,
    visit_city,
)
from simcore.voyage.belongings import equip, stow
from simcore.voyage.bots import (
    CAMP,
    CRUISE,
    DEED,
    EXPLORE,
    MOVE,
    NOTHING,
    SHIP_STEP,
    bot_of,
    decide,
    half_rounds_left,
    outlook,
)
from simcore.voyage.challenge import draw_challenge, foe_of, resolve
from simcore.voyage.harbour import charter, lay_out_cruises
from simcore.voyage.ports import act, arrive, lay_out_deeds, leave_stranded, reveal
from simcore.voyage.sea import begin_action, sail
from simcore.voyage.state import DEED_AHEAD, LOOK_AHEAD, NONE, NOTHING_AHEAD, ROAD_AHEAD, SEA_AHEAD
from simcore.voyage.tables import SEATS
from simcore.voyage.tell import CRUISES, EQUIPS, RESTS, TURN_OF, WAKES
from simcore.voyage.water import drink

USED_CAMP, USED_EXPLORE, USED_CITY, USED_MOVE, USED_CRUISE = 1, 2, 4, 8, 16
MOST_STEPS = 12
"""Steps of a turn, free ones included."""


@kernel
def take_turn(s, t, stream, journal, k):  # type: ignore[no-untyped-def]
    """A knight's turn: two actions, each of its kind once (V1L-01), and what is free besides. A Stranded knight leaves
    the Stranded Area instead (V1L-20); a cruise ends the turn (V1L-16, V5-14)."""
    knight = s.knight[k]
    note(journal, TURN_OF, k, knight.port, knight.stranded)
    begin_step(s, stream, k, 0)
    if knight.stranded == 1:
        knight.stuck += 1
        if knight.down == 1:
            wake(s, t, journal, k, 0)
        leave_stranded(s, t, stream, journal, k)
        finish(s, t, stream, journal, k)
        return
    left, used = t.rules.actions, 0
    if knight.down == 1:
        wake(s, t, journal, k, t.land.regain)
        left -= t.land.regain
        if knight.late_look == 1:
            reveal(s, t, journal, k)
            finish(s, t, stream, journal, k)
    stow(s, t, journal, k)
    drink(s, t, stream, journal, k)
    for step in range(1, MOST_STEPS + 1):
        if left < 0 or knight.out + knight.down + knight.stranded > 0 or not has_room(s, step, MOST_STEPS):
            return
        begin_step(s, stream, k, step)
        lay_out_turn(s, t, k, left, used)
        option = decide(s, t, stream, k)
        if option == NOTHING:
            note(journal, RESTS, k, left, step)
            return
        used |= perform(s, t, stream, journal, k, option)
        finish(s, t, stream, journal, k)
        left -= int(option < DEED or option >= MOVE)
        if option >= CRUISE:
            return


@kernel
def begin_step(s, stream, k, step):  # type: ignore[no-untyped-def]
    """Keys of a step of a turn, and nothing under way."""
    moment = (s.rounds * SEATS + k) * MOST_STEPS + step
    s.key, s.mind, s.step = at(stream, DICE, moment), at(stream, BOT + k, moment), 0
    begin_action(s)


@kernel
def wake(s, t, journal, k, actions):  # type: ignore[no-untyped-def]
    """Regain consciousness (assumed: with some Health), at the cost of some actions."""
    knight = s.knight[k]
    knight.down = 0
    knight.hurt = max(0, knight.hurt - t.land.wake)
    note(journal, WAKES, k, knight.hurt, actions)


@kernel
def lay_out_turn(s, t, k, left, used):  # type: ignore[no-untyped-def]
    """What a knight can do next; the Destination Action is free (V1M-03)."""
    knight, here = s.knight[k], 0
    if knight.weighs == 1:
        here = outlook(s, t, k, knight.port, half_rounds_left(s, t))
    s.options = 0
    offer(s, NOTHING, bot_of(s, t, k).idle)
    if knight.cruised == 0:
        lay_out_deeds(s, t, k)
    if left <= 0:
        return
    if used & USED_CAMP == 0:
        lay_out_camp(s, t, k)
    if used & USED_EXPLORE == 0:
        lay_out_exploring(s, t, k)
    if used & USED_CITY == 0:
        lay_out_city(s, t, k)
    if used & USED_MOVE == 0:
        lay_out_moves(s, t, k, here)
    if used & USED_CRUISE == 0:
        lay_out_cruises(s, t, k, here)


@kernel
def perform(s, t, stream, journal, k, option):  # type: ignore[no-untyped-def]
    """Do what was chosen; which action that used up, as a bit."""
    if option >= CRUISE:
        embark(s, t, stream, journal, k, option - CRUISE)
        return USED_CRUISE
    if option >= MOVE:
        move(s, t, stream, journal, k, option - MOVE)
        return USED_MOVE
    if option >= DEED:
        act(s, t, journal, k, option - DEED)
        return 0
    if option == CAMP:
        camp(s, t, stream, journal, k)
        return USED_CAMP
    if option == EXPLORE:
        explore(s, t, stream, journal, k)
        return USED_EXPLORE
    visit_city(s, t, stream, journal, k)
    return USED_CITY


@kernel
def embark(s, t, stream, journal, k, choice):  # type: ignore[no-untyped-def]
    """The Cruise Action begins: a route, a ship (V1L-02, V1L-07), gear equipped (V1L-13)."""
    knight, p = s.knight[k], choice // SHIP_STEP
    s.ahead, s.place = SEA_AHEAD, t.link[knight.port, p]
    knight.goal = p
    note(journal, CRUISES, k, s.place, p)
    charter(s, t, stream, journal, k, choice % SHIP_STEP)
    equip(s, t, k)
    for i in range(knight.pieces):
        if (knight.worn >> i) & 1:
            note(journal, EQUIPS, k, t.piece[knight.piece[i]])


@kernel
def finish(s, t, stream, journal, k):  # type: ignore[no-untyped-def]
    """Resolve what an action leaves ahead: the sea and the Port of Call, a wasteland card, a First Look, a choice."""
    knight = s.knight[k]
    if s.ahead == ROAD_AHEAD:
        card = draw_challenge(s, t, journal, k, s.place)
        resolve(s, t, stream, journal, k, t.card[card].story, foe_of(t, card))
    elif s.ahead == SEA_AHEAD:
        sail(s, t, stream, journal, k, s.place)
        s.ahead = NOTHING_AHEAD
        if knight.stranded == 0 and knight.out == 0:
            arrive(s, t, journal, k, knight.goal)
    if s.ahead == LOOK_AHEAD and knight.out == 0:
        resolve(s, t, stream, journal, k, t.place[s.place].look, NONE)
    elif s.ahead == DEED_AHEAD:
        resolve(s, t, stream, journal, k, t.place[s.shown[knight.port]].choice[s.place], NONE)
    s.ahead = NOTHING_AHEAD
