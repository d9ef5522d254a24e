"""Enhancements: attaching them to gear and vehicles, and taking them off, in the Knights and the Rest Step."""

from __future__ import annotations

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import kernel
from simcore.knights.belongings import FOR_GEAR, WITH_VEHICLE, detach, is_on, is_usable, meets_rules, weapon_worth
from simcore.knights.board_bots import decide, tempt
from simcore.knights.board_state import BESIDE, FITTED, HELD, NONE
from simcore.knights.board_tables import WEAPON
from simcore.knights.board_tell import ATTACHES, ON_VEHICLE

NOTHING, ATTACH_AT, DETACH_AT, VEHICLE = 0, 1, 2048, HELD
"""Options: nothing more; ATTACH_AT + enhancement * (HELD + 1) + carrier, or VEHICLE; DETACH_AT + enhancement."""


@kernel
def enhance_gear(s, t, stream, journal, p):  # type: ignore[no-untyped-def]
    """Attach own enhancements to own cards, starting gear included, or to the vehicle, and detach others, one after
    another until the knight has enough (K5B-11, K5B-12, K5B-15)."""
    player = s.player[p]
    for _ in range(HELD):
        s.options = 0
        offer(s, NOTHING, 0)
        for i in range(player.items):
            if t.thing[player.thing[i]].group == FOR_GEAR:
                lay_out_carriers(s, t, p, i)
        option = decide(s, t, stream, p)
        if option == NOTHING:
            return
        if option >= DETACH_AT:
            detach(journal, p, player, option - DETACH_AT)
        else:
            attach(t, journal, p, player, (option - ATTACH_AT) // (HELD + 1), (option - ATTACH_AT) % (HELD + 1))


@kernel
def lay_out_carriers(s, t, p, i):  # type: ignore[no-untyped-def]
    """Offer what the enhancement at place i can be attached to, or to take it off; no two of a title on one carrier
    (K5B-11). Who weighs attaches it to the best card at hand."""
    player, item, gear = s.player[p], s.player[p].thing[i], t.bot[s.player[p].bot].gear
    if player.spot[i] == FITTED or player.spot[i] == BESIDE:
        tempt(s, p, DETACH_AT + i, -gear)
        return
    if t.thing[item].fits & WITH_VEHICLE > 0 and player.vehicle != NONE and not is_on(player, item, NONE):
        tempt(s, p, ATTACH_AT + i * (HELD + 1) + VEHICLE, gear * t.thing[item].worth // 100)
    for k in range(player.items):
        if meets_rules(t, item, player.thing[k]) and not is_on(player, item, k):
            carrier = t.thing[player.thing[k]]
            worth = weapon_worth(s, t, p, player.thing[k]) if carrier.kind == WEAPON else carrier.worth
            worth = gear * (t.thing[item].worth + worth) // 100 if is_usable(player, k) else 0
            tempt(s, p, ATTACH_AT + i * (HELD + 1) + k, worth)


@kernel
def attach(t, journal, p, player, i, k):  # type: ignore[no-untyped-def]
    """Attach an enhancement to a card or to the vehicle."""
    if k == VEHICLE:
        player.spot[i] = BESIDE
        note(journal, ATTACHES, p, player.thing[i], ON_VEHICLE)
    else:
        player.spot[i], player.on[i] = FITTED, k
        note(journal, ATTACHES, p, player.thing[i], player.thing[k])
