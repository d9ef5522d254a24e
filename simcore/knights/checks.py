"""Making checks: the dice of an attack, and what a hit is worth (K1E-17 to K1E-23, K1F-18 to K1F-21)."""

from __future__ import annotations

from simcore.dice import POOL_MAX
from simcore.kernels import cut_to, index, inlined, kernel
from simcore.knights.gear import ARMOR, BULLS_EYE, DAMAGE, DICE, MULTI, PIERCING, holds
from simcore.knights.state import CHANGE, DEFEND, READY, SALVO
from simcore.knights.tables import BULLS, NEEDS, NET_HIGH, NET_LOW

NO_PENALTY, RANGE_PENALTY, DEFEND_PENALTY = 0, 1, 2


@inlined
def penalty_of(card):  # type: ignore[no-untyped-def]
    """What a combat card does to the opponent's attack checks, as an index (K1F-08, K1F-09, K1F-12)."""
    return RANGE_PENALTY * (card == CHANGE) + DEFEND_PENALTY * (card == DEFEND)


@inlined
def attack_dice(s, t, x, mode, theirs, act):  # type: ignore[no-untyped-def]
    """The pool of side x's attack: all dice gained and lost, at least one (K1E-17, K4-26, K5-79).

    `theirs`: the opponent's load-out; act: kind of attack * 3 + index of `penalty_of`. At most POOL_MAX, beyond
    which the combat ends as an overflow."""
    blow, guard = mode.at[index(s.place)], theirs.guard[index(s.place), index(mode.ranged)]
    dice = blow.dice[index(act)] + guard.foe_dice
    if s.used > 0:
        dice += boost(s, t, x, mode, DICE)
        if act // 3 == SALVO:
            dice += boost(s, t, x, mode, MULTI)
    return max(t.combat.least_dice, cut_to(s, dice, POOL_MAX))


@inlined
def net_damage(s, t, x, mode, mine, theirs):  # type: ignore[no-untyped-def]
    """Damage of a hit before Bull's Eyes, less what armor soaks; below 0 where armor is thick (K1F-19 to K1F-21).

    `mine`, `theirs`: the load-outs of side x and of his opponent. Piercing takes armor away, never below 0 (K4-42)."""
    blow, guard = mode.at[index(s.place)], theirs.guard[index(s.place), index(mode.ranged)]
    damage = blow.damage + guard.foe_damage
    armor = guard.armor + mine.guard[index(s.place), index(mode.ranged)].foe_armor - blow.piercing
    if s.used > 0:
        damage += boost(s, t, x, mode, DAMAGE)
        armor += boost(s, t, 1 - x, mode, ARMOR) - boost(s, t, x, mode, PIERCING)
    return damage - max(0, armor)


@inlined
def bulls_eye_worth(s, t, x, mode, ready):  # type: ignore[no-untyped-def]
    """Damage of a Bull's Eye; 0 if Radiation forbids them, of which enemies have none (K5-78, K5-96, K4-34)."""
    if s.side[x].radiation >= t.dials.no_bulls_eyes_from and not (ready and t.ruling.radiation_against_prepare == 1):
        return 0
    worth = mode.at[index(s.place)].bulls_eye
    if s.used > 0:
        worth += boost(s, t, x, mode, BULLS_EYE)
    return max(0, worth)


@kernel
def boost(s, t, x, mode, what):  # type: ignore[no-untyped-def]
    """What used effects of both sides add to a term of side x in an attack by `mode` (with ARMOR, x defends)."""
    total = 0
    for owner in range(2):
        for i in range(s.side[owner].used):
            effect = s.side[owner].effect[i]
            fits = effect.what == what and (effect.whom ^ owner) == x
            if fits and holds(s, t, effect, 1 - owner, s.place, mode.ranged + mode.ammo):
                total += effect.many
    return total


@inlined
def hit_loss(net, tops, worth):  # type: ignore[no-untyped-def]
    """Health that a hit with so many Bull's Eyes costs (K1F-19, K1F-20)."""
    return max(0, net + tops * worth)


@kernel
def prospect(s, t, x, m, act):  # type: ignore[no-untyped-def]
    """What an attack promises, from what both players can see, in one number that sorts by expected Health:
    expected Health in hundredths, mode, dice, net damage and worth of a Bull's Eye (`expected_of`, `mode_of`)."""
    mine, theirs = s.fighter[x].kit[s.side[x].kit], s.fighter[1 - x].kit[s.side[1 - x].kit]
    mode, kind = mine.mode[m], act // 3
    dice = attack_dice(s, t, x, mode, theirs, act)
    net = min(max(net_damage(s, t, x, mode, mine, theirs), NET_LOW), NET_HIGH) - NET_LOW
    worth = min(bulls_eye_worth(s, t, x, mode, kind == READY), BULLS - 1)
    expected = t.expected[law_of(s, kind), dice, net, worth]
    return (((expected * 8 + m) * 32 + dice) * 32 + net) * 8 + worth


@inlined
def expected_of(packed):  # type: ignore[no-untyped-def]
    """The expected Health of a prospect, in hundredths; 0 for none."""
    return packed >> 16


@inlined
def mode_of(packed):  # type: ignore[no-untyped-def]
    """The mode of a prospect."""
    return (packed >> 13) & 7


@inlined
def chance_of(t, law, packed, health):  # type: ignore[no-untyped-def]
    """The chance in hundredths that a prospect takes so much Health at once; 0 for none."""
    dice, worth = (packed >> 8) & 31, packed & 7
    need = health - (((packed >> 3) & 31) + NET_LOW)
    if dice == 0 or (need > 0 and worth == 0):
        return 0
    tops = 0 if need <= 0 else (need + worth - 1) // worth
    return t.chance[index(law), index(dice), index(tops)] if tops < NEEDS else 0


@inlined
def law_of(s, kind):  # type: ignore[no-untyped-def]
    """Which law a pool follows: the present range's difficulty, with more faces as Bull's Eyes after Prepare."""
    return s.range * 2 + (1 if kind == READY else 0)
