"""The Salvaging Crane, what becomes of salvage cards, and what Scrap is used for."""

from __future__ import annotations

from simcore.journal import note
from simcore.kernels import kernel
from simcore.mech.bots import (
    DROPPED,
    FREE_SLOT,
    RECYCLE_UPGRADE,
    REINFORCE,
    STOP,
    UNWANTED,
    choose_hand_out,
    choose_scrap_use,
    choose_upgrade_room,
)
from simcore.mech.crew import give_up, remote_percent, share_of, take_item
from simcore.mech.effects import box_scrap, scrap_card
from simcore.mech.escalation import put_below
from simcore.mech.rooms import change_hull, change_noise, fold_room, printed, take_off, works
from simcore.mech.state import NONE
from simcore.mech.tables import KIND, WHAT
from simcore.mech.tell import DRAWS, INSTALLS, PASSES_CARD, RECYCLES, REINFORCES, RUMMAGES, SALVAGES, SCRAPS_CARD
from simcore.piles import take_top

UPGRADE, SCRAP = KIND["upgrade"], KIND["scrap"]
CRANE, OPERATE = WHAT["crane"], WHAT["operate"]


@kernel
def operator(s, room):  # type: ignore[no-untyped-def]
    """Who stands in a room and draws most with the crane, or NONE (M4-16)."""
    best, most = NONE, -99
    for c in range(len(s.crew)):
        member = s.crew[c]
        if member.here == 1 and member.downed == 0 and member.room == room and member.term[OPERATE] > most:
            best, most = c, member.term[OPERATE]
    return best


@kernel
def crane_cards(s, t, remote):  # type: ignore[no-untyped-def]
    """Cards that the crane draws now, worked in its room or (remote 1) from the Cockpit (M17-05, M17-06, M4-18)."""
    room, at = t.mech.crane, t.mech.cockpit if remote == 1 else t.mech.crane
    who = operator(s, at)
    if who == NONE or not works(s, room) or not works(s, at):
        return 0
    cards = printed(s, t, room, t.mech.crane_cards) + s.room[room].term[CRANE] + s.term[CRANE]
    if remote == 1:
        cards = share_of(max(0, cards), remote_percent(s, t))
    return max(0, cards + s.crew[who].term[OPERATE])


@kernel
def salvage(s, t, stream, journal):  # type: ignore[no-untyped-def]
    """The salvaging step: one use of the crane, the better one, at most twice without an advance (M4-14, M4-15).

    The first player may draw; the policy: whenever there is a card to draw."""
    near, far = crane_cards(s, t, 0), crane_cards(s, t, 1)
    both = t.ruling.crane_and_remote == 1
    for remote in range(2):
        cards = far if remote == 1 else near
        chosen = both or (far > near) == (remote == 1)
        if chosen and cards > 0 and s.salvage.left > 0 and s.crane_uses < t.mech.crane_uses:
            s.crane_uses += 1
            at = t.mech.cockpit if remote == 1 else t.mech.crane
            note(journal, SALVAGES, cards, operator(s, at), at, s.crane_uses)
            for _ in range(cards):
                draw_salvage(s, t, stream, journal)


@kernel
def draw_salvage(s, t, stream, journal):  # type: ignore[no-untyped-def]
    """Draw one salvage card and resolve it; an empty deck gives nothing (M4-19)."""
    card = take_top(s.salvage)
    if card >= 0:
        s.salvaged += 1
        note(journal, DRAWS, card)
        hand_out(s, t, stream, journal, card)


@kernel
def hand_out(s, t, stream, journal, card):  # type: ignore[no-untyped-def]
    """Scrap goes to the pile, an upgrade to a room, equipment to a crew member, as the crew decides (M17-12, M5-23)."""
    kind = t.card[card].kind
    if kind == UPGRADE:
        install(s, t, journal, card, choose_upgrade_room(s, t, stream, card))
    elif kind == SCRAP:
        note(journal, SCRAPS_CARD, card)
        scrap_card(s, card)
    else:
        equip(s, t, journal, card, choose_hand_out(s, t, stream, card))


@kernel
def equip(s, t, journal, card, choice):  # type: ignore[no-untyped-def]
    """Hand equipment out: who * 8 + the place of what is scrapped for it, with DROPPED if that is dropped in his room
    instead (M5-11), or FREE_SLOT; or UNWANTED."""
    who, place = (choice & 63) >> 3, choice & 7
    if choice == UNWANTED:
        note(journal, SCRAPS_CARD, card)
        scrap_card(s, card)
        return
    if place != FREE_SLOT:
        give_up(s, t, journal, who, place, choice >= DROPPED)
    take_item(s, t, journal, who, card, 0)


@kernel
def install(s, t, journal, card, room):  # type: ignore[no-untyped-def]
    """Place an upgrade, the old one is scrapped (M17-13); room 0: it goes to the Scrap Pile."""
    if room == 0:
        note(journal, SCRAPS_CARD, card)
        scrap_card(s, card)
        return
    place = s.room[room]
    if place.upgrade != NONE:
        note(journal, SCRAPS_CARD, place.upgrade)
        scrap_card(s, place.upgrade)
        take_off(s, t, journal, room)
    place.upgrade, place.fresh = card, 1
    note(journal, INSTALLS, card, room)
    change_noise(s, journal, t.card[card].noise)
    fold_room(s, t, room)


@kernel
def use_scrap(s, t, stream, journal, price):  # type: ignore[no-untyped-def]
    """The scrap step: Reinforce for `price` Scrap or Recycle, as often as the crew likes."""
    for turn in range(len(s.scrap)):
        use = choose_scrap_use(s, t, stream, price, turn)
        if use == STOP or s.over == 1:
            return
        if use == REINFORCE:
            note(journal, REINFORCES, price)
            box_scrap(s, journal, price)
            s.reinforced += 1
            change_hull(s, t, journal, 1)
        else:
            note(journal, RECYCLES, t.mech.recycle_scrap, int(use == RECYCLE_UPGRADE))
            box_scrap(s, journal, t.mech.recycle_scrap)
            s.recycled += 1
            rummage(s, t, stream, journal, use == RECYCLE_UPGRADE)


@kernel
def rummage(s, t, stream, journal, upgrade):  # type: ignore[no-untyped-def]
    """Reveal salvage cards until one is an upgrade, or else equipment; the others go below (M17-04, M4-20)."""
    skipped = 0
    card = take_top(s.salvage)
    while card >= 0 and (t.card[card].kind == SCRAP or (t.card[card].kind == UPGRADE) != upgrade):
        note(journal, PASSES_CARD, card)
        s.salvage.rank[skipped] = card
        skipped += 1
        card = take_top(s.salvage)
    put_below(s.salvage, skipped)
    note(journal, RUMMAGES, card)
    if card >= 0:
        hand_out(s, t, stream, journal, card)
