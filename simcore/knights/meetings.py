"""Meeting other knights: duels, theft and revival."""

from __future__ import annotations

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import kernel
from simcore.knights.belongings import (
    add_fame,
    change,
    is_free,
    lose_item,
    pass_item,
    shed,
    wake,
)
from simcore.knights.board_bots import AMMO, FUEL, decide, dial_worth, duel_worth, item_worth, kept_on, tempt
from simcore.knights.board_state import NONE
from simcore.knights.board_tell import FIGHTS, FOUGHT, MARKS, MEETS, REFUSES, REVIVES, STEALS
from simcore.knights.luck import WON, check, play_luck
from simcore.knights.state import BOTH_DOWN, TRADED
from simcore.knights.tasks import DEFEAT_KNIGHT, meet_by_both, meet_by_deed
from simcore.knights.trades import AGREE, REFUSE, trade
from simcore.knights.wasteland import enter_fight, leave_fight, wage

PASS, DUEL, REVIVE, STEAL = range(4)
NOTHING, FUEL_LOOT, AMMO_LOOT, TASK_LOOT, ITEM_AT = 0, 1, 2, 3, 8


@kernel
def meet_knights(s, t, stream, journal, p):  # type: ignore[no-untyped-def]
    """Those on the hex that the active knight has entered, before or after the wasteland card (K5-87, K4-48)."""
    for other in range(s.players):
        here = other != p and s.player[other].hex == s.player[p].hex and s.met >> other & 1 == 0
        if here and s.player[p].out == 0 and s.player[p].stopped == 0:
            meet_one(s, t, stream, journal, p, other)


@kernel
def meet_one(s, t, stream, journal, p, other):  # type: ignore[no-untyped-def]
    """One knight: an unconscious one can be revived or robbed by one search check (K4-46), any other challenged
    (K1E-39, K1E-41); trade on a move is what comes of a duel in which both defend (K5-89)."""
    bot = t.bot[s.player[p].bot]
    s.options = 0
    offer(s, PASS, 0)
    if s.player[other].out == 1:
        if s.player[other].beaten_by != p:
            offer(s, REVIVE, bot.fame - bot.dial)
        offer(s, STEAL, kept_on(s, bot.gear * 2))
    elif t.table.duels == 1:
        tempt(s, p, DUEL, duel_worth(s, t, p, other))
    option = decide(s, t, stream, p)
    if option == PASS:
        return
    s.met |= 1 << other
    note(journal, MEETS, p, other, option)
    if option == DUEL:
        challenge(s, t, stream, journal, p, other)
    elif check(s, t, stream, journal, p, t.map.search_skill, t.map.search_difficulty) > 0:
        if option == REVIVE:
            revive(s, t, journal, p, other)
            trade(s, t, stream, journal, p, other)
        else:
            steal(s, t, stream, journal, p, other)


@kernel
def challenge(s, t, stream, journal, p, other):  # type: ignore[no-untyped-def]
    """A duel, with the other's consent or by a search check (K5-88)."""
    s.options = 0
    tempt(s, other, AGREE, duel_worth(s, t, other, p))
    offer(s, REFUSE, 0)
    met = decide(s, t, stream, other) == AGREE
    if not met:
        note(journal, REFUSES, other)
    if met or check(s, t, stream, journal, p, t.map.search_skill, t.map.search_difficulty) > 0:
        duel(s, t, stream, journal, p, other)


@kernel
def duel(s, t, stream, journal, p, other):  # type: ignore[no-untyped-def]
    """Let two knights fight: the winner has Reputation and may steal, or both trade; who defeats each other both meet
    what asks for it, and no more (K1F-32, K1E-41, K4-47, K5-81, K5-90)."""
    s.fight.duel = 1
    s.rules.table.enemy_dice = 0
    note(journal, FIGHTS, p, 200 + other)
    enter_fight(s, t, journal, 0, p)
    enter_fight(s, t, journal, 1, other)
    wage(s, t, stream, journal)
    winner, ending, both = s.fight.winner, s.fight.ending, s.fight.ending == BOTH_DOWN
    note(journal, FOUGHT, p, 200 + other, 0 if winner < 0 else 1 + winner)
    leave_fight(s, t, stream, journal, 0, p)
    leave_fight(s, t, stream, journal, 1, other)
    s.player[p].duels += 1
    s.player[other].duels += 1
    if ending == TRADED:
        trade(s, t, stream, journal, p, other)
    elif both:
        meet_by_both(s, t, stream, journal, p, other)
    elif winner >= 0:
        best, beaten = (p, other) if winner == 0 else (other, p)
        s.player[best].duels_won += 1
        s.player[beaten].beaten_by = best
        s.player[best].fame_duels += add_fame(s, journal, best, t.mission[t.table.mission].duel_reputation)
        meet_by_deed(s, t, stream, journal, best, DEFEAT_KNIGHT, 0)
        if s.player[best].out == 0:
            play_luck(s, t, stream, journal, best, WON)
        steal(s, t, stream, journal, best, beaten)


@kernel
def revive(s, t, journal, p, other):  # type: ignore[no-untyped-def]
    """An unconscious knight comes to: 2 healed on each dial that knocks him out; Reputation for it (K1E-39, K5B-02)."""
    note(journal, REVIVES, p, other)
    wake(s, t, journal, other)
    s.player[other].woken = 1
    s.player[p].revived += 1
    add_fame(s, journal, p, t.map.revive_reputation)


# ---------------------------------------------------------------- theft


@kernel
def steal(s, t, stream, journal, p, other):  # type: ignore[no-untyped-def]
    """One gear card, 2 Fuel, 2 Ammo, or the private task of another knight (K1E-40, K5B-03)."""
    mine, theirs, bot = s.player[p], s.player[other], t.bot[s.player[p].bot]
    s.options = 0
    offer(s, NOTHING, 0)
    fuel, ammo = min(t.map.steal_fuel, theirs.fuel), min(t.map.steal_ammo, theirs.ammo)
    if fuel > 0 and mine.vehicle != NONE:
        offer(s, FUEL_LOOT, dial_worth(s, t, p, FUEL, fuel))
    if ammo > 0:
        offer(s, AMMO_LOOT, dial_worth(s, t, p, AMMO, ammo))
    post = private_of(s, other)
    if post != NONE and private_of(s, p) == NONE:
        offer(s, TASK_LOOT, bot.task)
    for i in range(theirs.items):
        if is_free(t, theirs, i):
            offer(s, ITEM_AT + i, bot.gear * item_worth(s, t, p, theirs.thing[i]) // 100)
    option = decide(s, t, stream, p)
    if option == NOTHING:
        return
    mine.stolen += 1
    note(journal, STEALS, p, other, option, s.post[post].task if option == TASK_LOOT else NONE)
    if option == FUEL_LOOT:
        change(s, t, journal, other, FUEL, -change(s, t, journal, p, FUEL, fuel))
    elif option == AMMO_LOOT:
        change(s, t, journal, other, AMMO, -change(s, t, journal, p, AMMO, ammo))
    elif option == TASK_LOOT:
        s.post[post].holder, s.post[post].marks = p, max(0, s.post[post].marks - 1)
        note(journal, MARKS, s.post[post].task, s.post[post].marks)
    else:
        pass_item(s, t, journal, other, p, lose_item(s, t, journal, other, option - ITEM_AT))
        shed(s, t, journal, other)


@kernel
def private_of(s, p):  # type: ignore[no-untyped-def]
    """The post of the private task that a knight holds and can lose, or NONE (K1E-33)."""
    for i in range(s.posts):
        if s.post[i].holder == p and s.post[i].task != NONE and s.post[i].owner == NONE:
            return i
    return NONE
