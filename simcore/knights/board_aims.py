"""Where a knight wants to be: what it is worth to end a move on a hex, and what can be had from there next."""

from __future__ import annotations

from simcore.kernels import kernel
from simcore.knights.board_bots import (
    LATER,
    RADIATION,
    dial_worth,
    duel_worth,
    passing,
    price_worth,
    row_worth,
)
from simcore.knights.board_tables import HEXES
from simcore.knights.tasks import steps_at

CITY = 2
FAR, NEAR = 3, 1
"""Hexes that a knight thinks he can go in the next round, by vehicle and on foot."""


@kernel
def hex_worth(s, t, p, h):  # type: ignore[no-untyped-def]
    """What it is worth to a knight to end his move on a hex: its actions, tasks, icons, and who stands there."""
    player, place = s.player[p], s.hex[h]
    bot, tile, worth = t.bot[player.bot], t.tile[place.tile], 0
    sure = 100
    if place.blank == 0:
        if tile.explore > 0 and not (player.hex == h and player.explored == 1):
            sure = passing(s, t, p, tile.skill, tile.explore)
        worth += (best_action(s, t, p, tile) + steps_at(s, t, p, tile.number)) * sure // 100
    worth += dial_worth(s, t, p, RADIATION, tile.radiation + place.irradiate)
    worth -= bot.wound * (tile.contamination + place.contaminate)
    if tile.role == CITY:
        worth += bot.dial * s.later // LATER
    for other in range(s.players):
        if other != p and s.player[other].hex == h and s.player[other].out == 0 and t.table.duels == 1:
            worth += max(0, duel_worth(s, t, p, other)) // 2
    return worth


@kernel
def best_action(s, t, p, tile):  # type: ignore[no-untyped-def]
    """What the best action of a tile that the knight can pay is worth to him now."""
    best = 0
    for a in range(tile.actions):
        action = tile.action[a]
        price = action.price[0] + action.price[1] * t.map.value[1] + action.price[2] * t.map.value[2]
        if price <= s.means:
            best = max(best, action_worth(s, t, p, action))
    return best


@kernel
def action_worth(s, t, p, action):  # type: ignore[no-untyped-def]
    """What an action of a hex is worth to a knight now, its price paid."""
    worth = -price_worth(s, t, p, action.price)
    for i in range(action.text.rows):
        worth += row_worth(s, t, p, action.text.row[i])
    return worth


@kernel
def see_aims(s, t, p):  # type: ignore[no-untyped-def]
    """What each hex is worth to a knight who looks round."""
    for h in range(HEXES):
        s.aim[h] = hex_worth(s, t, p, h)


@kernel
def next_worth(s, t, p, h):  # type: ignore[no-untyped-def]
    """What a hex is worth for what lies round it: a share of the best that could be had from there next round."""
    player, best = s.player[p], 0
    reach = FAR if player.vehicle >= 0 and player.fuel > 1 else NEAR
    for other in range(HEXES):
        if t.map.far[h, other] <= reach and s.aim[other] > best:
            best = s.aim[other]
    return t.bot[player.bot].plan * best * min(s.later, 1) // 100
