"""The Aquatic trait: tokens laid on the sheet or on gear against an Aquatic challenge."""

from __future__ import annotations

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import kernel
from simcore.voyage.belongings import SHEET, gear_of, muster
from simcore.voyage.bots import bot_of, decide
from simcore.voyage.state import NONE
from simcore.voyage.tell import LAYS_TOKEN

KEEP, ON = 0, 1
"""Options: keep the tokens that are left; ON + place of a piece of gear, or of the sheet."""


@kernel
def face_challenge(s, t, stream, journal, k, wet, foe):  # type: ignore[no-untyped-def]
    """Once a challenge is known to be Aquatic, its knight may lay Aquatic tokens on his sheet and his equipped gear
    (V5-17, V5-18, V5-38), never on the vehicle (V1M-20); then what he can put to use is known (V1M-17)."""
    s.laid = 0
    s.wet = wet
    if wet == 1:
        while s.aquatic_tokens > 0:
            lay_out_tokens(s, t, k, foe)
            place = decide(s, t, stream, k) - ON
            if place < 0:
                break
            s.laid |= 1 << place
            s.aquatic_tokens -= 1
            s.knight[k].laid += 1
            note(journal, LAYS_TOKEN, k, NONE if place == SHEET else t.piece[s.knight[k].piece[place]])
    muster(s, t, k, wet)


@kernel
def lay_out_tokens(s, t, k, foe):  # type: ignore[no-untyped-def]
    """Where a token could lie: on what lacks the trait; weapons, armor and bare hands help against a foe alone."""
    knight, bot = s.knight[k], bot_of(s, t, k)
    s.options = 0
    offer(s, KEEP, bot.token)
    muster(s, t, k, 1)
    if (s.laid >> SHEET) & 1 == 0 and s.gills == 0:
        bare = 4 * bot.gear if s.dice == 0 and foe != NONE else 0
        offer(s, ON + SHEET, bare + (bot.gear if knight.upgrade > 0 else 0))
    for i in range(knight.pieces):
        gear = gear_of(t, knight.piece[i])
        if (knight.worn >> i) & 1 and gear.aquatic == 0 and (s.laid >> i) & 1 == 0:
            better = 2 * bot.gear * (max(0, gear.dice - s.dice) + gear.armor) if foe != NONE else 0
            rest = bot.worth[t.piece[knight.piece[i]]] if gear.dice + gear.armor == 0 else 0
            offer(s, ON + i, better + rest)


@kernel
def end_challenge(s):  # type: ignore[no-untyped-def]
    """The challenge is over: tokens that were laid are gone, and all gear works again (V5-38, V5-39)."""
    s.laid, s.wet, s.auto, s.success, s.strike, s.crit, s.foe_die, s.foe_health = 0, 0, 0, 0, 0, 0, 0, 0
    s.reader, s.swap, s.prize = NONE, 0, 0
