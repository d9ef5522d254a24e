"""Missions: what they change from round to round, and who has won at the end."""

from __future__ import annotations

from simcore.kernels import kernel
from simcore.knights.belongings import gear_value
from simcore.knights.board_tables import GOAL
from simcore.piles import put_on_top, shuffle_pile

DUELS = GOAL["duels"]


@kernel
def mission_effects(s, t):  # type: ignore[no-untyped-def]
    """What a mission does in the Waster Step: in each even round another cultist in the wasteland (K1J-13)."""
    if t.mission[t.table.mission].cultists == 1 and s.rounds % 2 == 0:
        for enemy in range(t.foes):
            if t.foe[enemy].cult == 1:
                put_on_top(s.cards, enemy)
                break
        shuffle_pile(s.cards)


@kernel
def score_of(s, t, p):  # type: ignore[no-untyped-def]
    """Give what counts for the win: Reputation, then the value of the gear; with the goal DUELS, duels won before both
    (K1J-12, K1J-15)."""
    player = s.player[p]
    score = player.reputation * 1000 + gear_value(t, player)
    if t.mission[t.table.mission].goal == DUELS:
        score += player.duels_won * 1_000_000
    return score


@kernel
def place_of(s, t, p):  # type: ignore[no-untyped-def]
    """The place of a knight, 1 for the first; equal ones share it."""
    place, mine = 1, score_of(s, t, p)
    for other in range(s.players):
        if score_of(s, t, other) > mine:
            place += 1
    return place
