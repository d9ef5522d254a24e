"""Luck cards off combat: played before a move or at any time, or given for a quick resupply."""

from __future__ import annotations

from simcore.journal import note
from simcore.kernels import kernel
from simcore.knights.belongings import change, drop_luck, lack_of
from simcore.knights.board_bots import AMMO, FUEL, HEALTH, RADIATION, decide, dial_worth, offer, text_worth
from simcore.knights.board_tables import WHAT, WHEN
from simcore.knights.board_tell import PLAYS_LUCK, QUICK
from simcore.knights.tasks import give

MOVING, USED = WHEN["moving"], WHEN["used"]
POINTS = WHAT["points"]
NOTHING = 0


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
                offer(s, 1 + i, worth)
        option = decide(s, t, stream, p)
        if option == NOTHING:
            return
        card = drop_luck(s, p, option - 1)
        player.luck_played += 1
        note(journal, PLAYS_LUCK, p, card)
        use_rows(s, t, journal, p, t.luck[card].text, moment)


@kernel
def luck_worth(s, t, p, card, moment):  # type: ignore[no-untyped-def]
    """What playing a luck card now is worth, less what it is worth in the hand; 0 if it has nothing for this moment."""
    fits, text = False, t.luck[card].text
    for i in range(text.rows):
        fits = fits or text.row[i].when == moment
    if not fits:
        return NOTHING
    worth = text_worth(s, t, p, text, moment) - t.bot[s.player[p].bot].luck * t.luck[card].worth // 100
    return worth if worth != NOTHING else -1


@kernel
def use_rows(s, t, journal, p, text, moment):  # type: ignore[no-untyped-def]
    """Do the rows of a card at a moment."""
    for i in range(text.rows):
        if text.row[i].when == moment:
            if text.row[i].what == POINTS:
                s.player[p].points += text.row[i].many
            else:
                give(s, t, journal, p, text.row[i].what, text.row[i].many)


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
    bot = t.bot[player.bot]
    for i in range(player.lucks):
        card = t.luck[player.luck[i]]
        what = dial_of_icon(card.icon)
        if lack_of(t, player, what) > 0:
            many = -1 if what == RADIATION else 1
            offer(s, 1 + i, dial_worth(s, t, p, what, many) - bot.luck * card.worth // 100)
    option = decide(s, t, stream, p)
    if option != NOTHING:
        card = drop_luck(s, p, option - 1)
        note(journal, QUICK, p, card)
        what = dial_of_icon(t.luck[card].icon)
        change(s, t, journal, p, what, -1 if what == RADIATION else 1)
