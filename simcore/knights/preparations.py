"""The Preparations Phase: the Waster Step and the Knights Step."""

from __future__ import annotations

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import kernel
from simcore.knights.belongings import HEALTH, RADIATION, arrange, change, lack_of
from simcore.knights.board_bots import AMMO, FUEL, decide, dial_worth, set_keys
from simcore.knights.board_state import NONE, SPENT
from simcore.knights.board_tables import HEXES
from simcore.knights.board_tell import DROPS_HIDDEN, FEELS, ROUND
from simcore.knights.enhancing import enhance_gear
from simcore.knights.gains import draw_luck
from simcore.knights.missions import mission_effects
from simcore.knights.movement import waster_of
from simcore.knights.stalls import update_stalls
from simcore.knights.tasks import mark_tasks
from simcore.piles import discard_card

PREPARE_PHASE = 0
CITY = 2


@kernel
def prepare(s, t, stream, journal):  # type: ignore[no-untyped-def]
    """Both steps in their printed order; the first round skips them (K1E-01, K1E-02, K4-49)."""
    set_keys(s, stream, PREPARE_PHASE, 0)
    later = int(s.rounds > 1)
    note(journal, ROUND, s.rounds, (s.first + later) % s.players)
    if later == 1:
        mark_tasks(s, t, stream, journal)
        for i in range(s.players):
            feel_board(s, t, stream, journal, (s.first + i) % s.players)
        clear_tokens(s)
        mission_effects(s, t)
        update_stalls(s, t, stream, journal)
        s.first = (s.first + 1) % s.players
        s.waster = waster_of(s, s.first)
        for i in range(s.players):
            p = (s.first + i) % s.players
            make_ready(s, t, stream, journal, p)
    for p in range(s.players):
        s.player[p].skip, s.player[p].woken, s.player[p].beaten_by = 0, 0, NONE


@kernel
def feel_board(s, t, stream, journal, p):  # type: ignore[no-untyped-def]
    """Board effects on a knight: Radiation, then Contamination, then in a city one resource of his choice (K1E-03,
    K4-17); a special token covers no icons (K5B-29)."""
    player = s.player[p]
    place = s.hex[player.hex]
    note(journal, FEELS, p, player.hex)
    tile = t.tile[place.tile]
    change_if_any(s, t, journal, p, RADIATION, tile.radiation + place.irradiate)
    change_if_any(s, t, journal, p, HEALTH, -(tile.contamination + place.contaminate))
    if tile.role == CITY and player.out == 0:
        s.options = 0
        for what in (HEALTH, AMMO, FUEL, RADIATION):
            many = -1 if what == RADIATION else 1
            if lack_of(t, player, what) > 0:
                offer(s, what, dial_worth(s, t, p, what, many))
        if s.options > 0:
            what = decide(s, t, stream, p)
            change(s, t, journal, p, what, -1 if what == RADIATION else 1)


@kernel
def change_if_any(s, t, journal, p, what, many):  # type: ignore[no-untyped-def]
    """Turn a dial if there is something to turn."""
    if many != 0:
        change(s, t, journal, p, what, many)


@kernel
def clear_tokens(s):  # type: ignore[no-untyped-def]
    """Tokens of the last round go; special ones turn to their dark side, and then go (K5-21, K1E-04)."""
    for h in range(HEXES):
        place = s.hex[h]
        place.irradiate, place.contaminate, place.threaten, place.obstruct = 0, 0, 0, 0
        place.blank = max(0, place.blank - 1)


@kernel
def make_ready(s, t, stream, journal, p):  # type: ignore[no-untyped-def]
    """The Knights Step: unmark, re-equip, draw luck (K1E-02, K5-20, K5-23, K5B-17); an unconscious knight does
    nothing."""
    player = s.player[p]
    for i in range(player.items):
        player.marked[i] = 0
    for i in range(SPENT):
        player.spent[i] = 0
    player.strained = 0
    if player.out == 0:
        enhance_gear(s, t, stream, journal, p)
        arrange(s, t, journal, p)
    draw_luck(s, t, stream, journal, p, t.map.luck_round)


@kernel
def drop_hidden(s, t, journal):  # type: ignore[no-untyped-def]
    """A card under the Waster marker that nobody met in this Move Step is discarded, or waits (K4-12)."""
    if s.hidden != NONE and t.map.hidden_card_waits == 0:
        note(journal, DROPS_HIDDEN, s.hidden)
        discard_card(s.cards, s.hidden)
        s.hidden = NONE
