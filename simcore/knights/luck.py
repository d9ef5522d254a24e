"""Luck cards off combat: played at a moment of one's own, on checks, in reply to others, or given for a resupply."""

from __future__ import annotations

from simcore.bots import offer
from simcore.dice import POOL_MAX, roll, successes
from simcore.journal import note
from simcore.kernels import cut_to, inlined, kernel
from simcore.knights.belongings import change, drop_luck, lack_of
from simcore.knights.board_bots import (
    AMMO,
    FUEL,
    HEALTH,
    RADIATION,
    decide,
    dial_worth,
    dice_of,
    kept_on,
    law_of,
    passing,
    tempt,
    text_worth,
)
from simcore.knights.board_state import NONE
from simcore.knights.board_tables import SEATS, WHAT, WHEN, WHOM
from simcore.knights.board_tell import CHECKS, COMES_TO_NOTHING, PLAYS_LUCK, QUICK
from simcore.knights.gains import give
from simcore.streams import word

MOVING, USED, RESTING, WON = WHEN["moving"], WHEN["used"], WHEN["resting"], WHEN["won"]
CHECKING, CHECKED, REPLY = WHEN["checking"], WHEN["checked"], WHEN["reply"]
POINTS, REPAIR, SELF = WHAT["points"], WHAT["repair"], WHOM["self"]
NOTHING, AGAIN = 0, -1


# ---------------------------------------------------------------- at a moment of one's own


@inlined
def is_now(when, moment):  # type: ignore[no-untyped-def]
    """Whether a row can be used at a moment: MOVING before an own move, WON after a combat, USED before exploring,
    RESTING in the Rest Step; what is used when its owner wants to, at all of them."""
    return (when == moment) | (when == USED)


@kernel
def play_luck(s, t, stream, journal, p, moment):  # type: ignore[no-untyped-def]
    """Play luck cards of a moment, any number, one after another until the knight keeps the rest (K5-25, K5-27)."""
    player = s.player[p]
    while player.lucks > 0:
        s.options = 0
        offer(s, NOTHING, 0)
        for i in range(player.lucks):
            worth = luck_worth(s, t, p, player.luck[i], moment)
            if worth != NOTHING:
                tempt(s, p, 1 + i, worth)
        option = decide(s, t, stream, p)
        if option == NOTHING:
            return
        card = player.luck[option - 1]
        if plays(s, t, stream, journal, p, option - 1, now_worth(s, t, p, t.luck[card].text, moment)):
            use_rows(s, t, stream, journal, p, t.luck[card].text, moment)


@kernel
def luck_worth(s, t, p, card, moment):  # type: ignore[no-untyped-def]
    """What playing a luck card now is worth, less what it is worth in the hand; 0 if it has nothing for this
    moment, or would be wasted."""
    fits = t.luck[card].moments & (1 << moment | 1 << USED) != 0
    if not (fits and helps(s, t, p, t.luck[card].text, moment)):
        return NOTHING
    worth = now_worth(s, t, p, t.luck[card].text, moment) - hand_worth(s, t, p, card)
    return worth if worth != NOTHING else -1


@kernel
def helps(s, t, p, text, moment):  # type: ignore[no-untyped-def]
    """Whether a card has something for a moment that would not be wasted."""
    found = False
    for i in range(text.rows):
        what, many = text.row[i].what, text.row[i].many
        if is_now(text.row[i].when, moment):
            if HEALTH <= what <= RADIATION:
                found = found or ((many > 0) == (what != RADIATION) and lack_of(t, s.player[p], what) > 0)
            else:
                found = found or what != REPAIR or s.player[p].damage == 1
    return found


@kernel
def now_worth(s, t, p, text, moment):  # type: ignore[no-untyped-def]
    """What the rows of a card that can be used at a moment would do to a knight."""
    worth = text_worth(s, t, p, text, USED)
    return worth if moment == USED else worth + text_worth(s, t, p, text, moment)


@inlined
def hand_worth(s, t, p, card):  # type: ignore[no-untyped-def]
    """What a luck card is worth in a knight's hand."""
    return kept_on(s, t.bot[s.player[p].bot].luck * t.luck[card].worth // 100)


@kernel
def use_rows(s, t, stream, journal, p, text, moment):  # type: ignore[no-untyped-def]
    """Do the rows of a card that can be used at a moment."""
    for i in range(text.rows):
        if is_now(text.row[i].when, moment):
            if text.row[i].what == POINTS:
                s.player[p].points += text.row[i].many
            else:
                give(s, t, stream, journal, p, text.row[i].what, text.row[i].many)


# ---------------------------------------------------------------- in reply to others


@kernel
def plays(s, t, stream, journal, p, i, worth):  # type: ignore[no-untyped-def]
    """A knight plays the luck card at place i, which is worth so much to him. Whether it has its effect: others may
    reply to it, and each reply can be replied to (K5-26)."""
    lay_down(s, journal, p, i)
    if not any_holds(s, t, REPLY):
        return True
    works, last = True, p
    while True:
        last = next_reply(s, t, stream, journal, p, last, worth if works else -worth)
        if last == NONE:
            break
        works = not works
    if not works:
        note(journal, COMES_TO_NOTHING, p)
    return works


@kernel
def lay_down(s, journal, p, i):  # type: ignore[no-untyped-def]
    """The luck card at place i is played and discarded."""
    note(journal, PLAYS_LUCK, p, drop_luck(s, p, i))
    s.player[p].luck_played += 1


@kernel
def any_holds(s, t, moment):  # type: ignore[no-untyped-def]
    """Whether anybody who is awake has a luck card for a moment (K5B-01)."""
    found = False
    for p in range(s.players):
        if s.player[p].out == 0:
            for i in range(s.player[p].lucks):
                found = found or t.luck[s.player[p].luck[i]].moments >> moment & 1 == 1
    return found


@kernel
def next_reply(s, t, stream, journal, p, last, worth):  # type: ignore[no-untyped-def]
    """Who replies to the card that `last` has played, the active knight before the others round the table (K4-44,
    K5-15), or NONE. `worth`: what p loses by one more reply, below 0 if his card would work again."""
    for i in range(s.players):
        q = (s.active + i) % s.players
        if q == last or s.player[q].out == 1:
            continue
        s.options = 0
        offer(s, NOTHING, 0)
        gain = -worth if q == p else worth // (s.players - 1)
        for k in range(s.player[q].lucks):
            if amount(t.luck[s.player[q].luck[k]].text, REPLY, False, 0) != 0:
                tempt(s, q, 1 + k, gain - hand_worth(s, t, q, s.player[q].luck[k]))
        option = decide(s, t, stream, q) if s.options > 1 else NOTHING
        if option != NOTHING:
            lay_down(s, journal, q, option - 1)
            return q
    return NONE


@kernel
def amount(text, moment, own, skill):  # type: ignore[no-untyped-def]
    """How much a luck card brings at a moment of checks or replies: by rows for one's own check (own) or for what
    another does, and for its skill; 0 if it has none."""
    many = 0
    for i in range(text.rows):
        row = text.row[i]
        if row.when == moment and (row.whom == SELF) == own and (row.only == 0 or row.only == skill):
            many += row.many
    return many


# ---------------------------------------------------------------- on checks


@kernel
def check(s, t, stream, journal, p, skill, difficulty):  # type: ignore[no-untyped-def]
    """Make a check: its successes (K1E-17, K5-38). Luck cards change its dice, or have it rolled again (K1J-05)."""
    s.skill, s.difficulty, s.extra, s.passed = skill, difficulty, 0, 0
    if any_holds(s, t, CHECKING):
        play_on_check(s, t, stream, journal, p, CHECKING)
    roll_check(s, t, stream, journal, p)
    while any_holds(s, t, CHECKED):
        play_on_check(s, t, stream, journal, p, CHECKED)
        if s.passed != AGAIN:
            break
        roll_check(s, t, stream, journal, p)
    s.extra = 0
    return s.passed


@kernel
def roll_check(s, t, stream, journal, p):  # type: ignore[no-untyped-def]
    """Roll the dice of the check under way."""
    s.rolls += 1
    dice = cut_to(s, dice_of(s, t, p, s.skill), POOL_MAX)
    result = roll(stream, t.checks, law_of(s.difficulty), dice, word(s.dice, s.rolls * SEATS + p))
    s.passed = successes(result)
    note(journal, CHECKS, p, s.skill - 1, dice * 16 + s.difficulty, s.passed)


@kernel
def play_on_check(s, t, stream, journal, p, moment):  # type: ignore[no-untyped-def]
    """Luck cards on p's check, before or after it is rolled: he first, then the others round the table, in turn until
    all pass (K4-44, K5-15), or until it is to be rolled again."""
    passes, q = 0, p
    while passes < s.players and s.passed != AGAIN:
        passes = 0 if plays_on_check(s, t, stream, journal, p, q, moment) else passes + 1
        q = (q + 1) % s.players


@kernel
def plays_on_check(s, t, stream, journal, p, q, moment):  # type: ignore[no-untyped-def]
    """Whether q plays a luck card on p's check; unless it comes to nothing, it does what it says."""
    player = s.player[q]
    s.options = 0
    offer(s, NOTHING, 0)
    for i in range(player.lucks * (1 - player.out)):
        many = amount(t.luck[player.luck[i]].text, moment, q == p, s.skill)
        if many != 0:
            tempt(s, q, 1 + i, check_worth(s, t, p, q, moment, many) - hand_worth(s, t, q, player.luck[i]))
    option = decide(s, t, stream, q) if s.options > 1 else NOTHING
    if option == NOTHING:
        return False
    many = amount(t.luck[player.luck[option - 1]].text, moment, q == p, s.skill)
    if plays(s, t, stream, journal, q, option - 1, check_worth(s, t, p, q, moment, many)):
        if moment == CHECKING:
            s.extra += many
        else:
            s.passed = AGAIN
    return True


@kernel
def check_worth(s, t, p, q, moment, many):  # type: ignore[no-untyped-def]
    """What so many dice more, or another roll, are worth to q in the check that p makes: by the chance to pass, and as
    if a task and a wound hung on it."""
    bot, now = t.bot[s.player[q].bot], 100 * min(s.passed, 1)
    if moment == CHECKING:
        now = passing(s, t, p, s.skill, s.difficulty)
        s.extra += many
    then = passing(s, t, p, s.skill, s.difficulty)
    if moment == CHECKING:
        s.extra -= many
    worth = (bot.task + bot.wound) * (then - now) // 100
    return worth if q == p else -worth // (s.players - 1)


# ---------------------------------------------------------------- for a resource


@kernel
def dial_of_icon(icon):  # type: ignore[no-untyped-def]
    """The dial of a luck card's resource icon."""
    if icon == 0:
        return AMMO
    if icon == 1:
        return FUEL
    return RADIATION if icon == 2 else HEALTH


@kernel
def resupply_quickly(s, t, stream, journal, p):  # type: ignore[no-untyped-def]
    """One luck card for one of its resource (K1E-35, K5-56)."""
    player = s.player[p]
    s.options = 0
    offer(s, NOTHING, 0)
    for i in range(player.lucks):
        card = t.luck[player.luck[i]]
        what = dial_of_icon(card.icon)
        if lack_of(t, player, what) > 0:
            many = -1 if what == RADIATION else 1
            tempt(s, p, 1 + i, dial_worth(s, t, p, what, many) - hand_worth(s, t, p, player.luck[i]))
    option = decide(s, t, stream, p)
    if option != NOTHING:
        card = drop_luck(s, p, option - 1)
        note(journal, QUICK, p, card)
        what = dial_of_icon(t.luck[card].icon)
        change(s, t, journal, p, what, -1 if what == RADIATION else 1)
