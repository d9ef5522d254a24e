"""What cards do: the one place that applies a row of effect to a combat (packs/README.md has the vocabulary)."""

from __future__ import annotations

from simcore.journal import note
from simcore.kernels import has_room, index, inlined, kernel
from simcore.knights.gear import ATTACKING, copy_effect, count_supply, feel, holds, stand_at
from simcore.knights.state import BOTH_DOWN, EFFECT_ENDED, USED
from simcore.knights.tables import WHAT
from simcore.knights.tell import HAPPENS
from simcore.streams import word

HEALTH, AMMO, FUEL, RADIATION = WHAT["health"], WHAT["ammo"], WHAT["fuel"], WHAT["radiation"]
START_RANGE, SET_RANGE, STRIDE = WHAT["start_range"], WHAT["set_range"], WHAT["stride"]
VEHICLE, REPUTATION, STOP, DOMINANCE = WHAT["vehicle"], WHAT["reputation"], WHAT["stop"], WHAT["dominance"]
GREEN, YELLOW, RED, REROLL = WHAT["green"], WHAT["yellow"], WHAT["red"], WHAT["reroll"]
OWN_CHOICE = 3


@inlined
def may_come(s, moments):  # type: ignore[no-untyped-def]
    """Whether either side has effects at one of the moments, given as bits."""
    return ((s.fighter[0].moments | s.fighter[1].moments) & moments) != 0


@inlined
def happen(s, t, journal, x, when):  # type: ignore[no-untyped-def]
    """Apply every effect of side x that comes at this moment, if there is one."""
    if (s.fighter[x].moments >> when) & 1:
        happen_all(s, t, journal, x, when)


@kernel
def happen_all(s, t, journal, x, when):  # type: ignore[no-untyped-def]
    """Apply the effects of a moment: ability or enemy text, worn gear and what is attached to it, permanent gear."""
    fighter = s.fighter[x]
    if fighter.knight == 0:
        happen_text(s, t, journal, x, t.enemy[fighter.role].text, when)
        return
    knight, kit = t.knight[fighter.role], fighter.kit[s.side[x].kit]
    happen_text(s, t, journal, x, knight.text, when)
    for i in range(kit.weapons):
        happen_text(s, t, journal, x, t.weapon[kit.weapon[i]].text, when)
    if kit.body >= 0:
        happen_text(s, t, journal, x, t.armor[kit.body].text, when)
    worn = knight.kit[s.side[x].kit]
    for i in range(worn.adds):
        happen_text(s, t, journal, x, t.gear[worn.add[i]].text, when)
    for i in range(knight.adds):
        happen_text(s, t, journal, x, t.gear[knight.add[i]].text, when)
    for i in range(knight.carries):
        if t.gear[knight.carried[i]].use == 0:
            happen_text(s, t, journal, x, t.gear[knight.carried[i]].text, when)


@kernel
def happen_text(s, t, journal, x, text, when):  # type: ignore[no-untyped-def]
    """Apply one card's effects of a moment."""
    for i in range(text.effects):
        effect = text.effect[i]
        if effect.when == when and holds(s, t, effect, 1 - x, s.place, 0):
            apply(s, t, journal, x, effect, OWN_CHOICE)


@kernel
def use(s, t, journal, x, choices, row, choice):  # type: ignore[no-untyped-def]
    """Use the source whose first row is `row` of side x's choices: all its rows, once (K5-60, K5B-16)."""
    side, source = s.side[index(x)], choices.source[index(row)]
    side.spent |= 1 << source
    side.discarded += (s.fighter[index(x)].once >> source) & 1
    while row < choices.rows and choices.source[index(row)] == source:
        apply(s, t, journal, x, choices.row[index(row)], choice)
        row += 1


@kernel
def apply(s, t, journal, x, effect, choice):  # type: ignore[no-untyped-def]
    """Do what one row says; x holds it. `choice`: the range picked for a start range of the owner's choice."""
    y = x ^ effect.whom
    side, what, many = s.side[index(y)], effect.what, effect.many
    if s.fighter[index(y)].knight == 0 and AMMO <= what <= STOP:
        return
    note(journal, HAPPENS, x, y, what, many)
    if HEALTH <= what <= RADIATION:
        change_dial(s, t, y, what, many)
    elif what == START_RANGE:
        s.wanted[x] = 1 + (choice if many == OWN_CHOICE else many)
    elif what == SET_RANGE:
        stand_at(s, many)
    elif VEHICLE <= what <= STOP:
        take(side, what, many)
    elif what == DOMINANCE:
        if s.ferocious == 0:
            s.marker += many if y == 0 else -many
    elif what == STRIDE:
        side.stride += many
        feel(s, t)
    elif what == REROLL:
        s.again = 1
    else:
        keep(s, t, x, effect)


@kernel
def change_dial(s, t, y, what, many):  # type: ignore[no-untyped-def]
    """Health, Ammo, Fuel or Radiation up or down within the dial (K1D-02, K5-92)."""
    side = s.side[index(y)]
    if what == HEALTH:
        change_health(s, t, y, many)
    elif what == AMMO:
        side.ammo = min(max(side.ammo + many, 0), t.dials.ammo)
        count_supply(s, t, y)
    elif what == FUEL:
        side.fuel = min(max(side.fuel + many, 0), t.dials.fuel)
        count_supply(s, t, y)
        feel(s, t)
    else:
        side.radiation = min(max(side.radiation + many, 0), t.dials.radiation)
        feel(s, t)


@kernel
def take(side, what, many):  # type: ignore[no-untyped-def]
    """Count what a knight has to carry home: vehicle damage, Reputation, gear cards, or the end of his move."""
    if what == VEHICLE:
        side.vehicle += many
    elif what == REPUTATION:
        side.reputation += many
    elif what == GREEN:
        side.green += many
    elif what == YELLOW:
        side.yellow += many
    elif what == RED:
        side.red += many
    else:
        side.stopped = 1


@kernel
def keep(s, t, x, effect):  # type: ignore[no-untyped-def]
    """An attack term that was used holds until the combat ends, a luck card's for one attack."""
    side = s.side[x]
    if not has_room(s, side.used, USED):
        return
    copy_effect(side.effect[side.used], effect)
    side.used += 1
    s.used += 1
    if effect.when == ATTACKING:
        s.around = 2
        feel(s, t)
        return
    s.terms = word(s.terms, (((effect.what * 2 + effect.whom) * 2 + x) * 64 + effect.only) * 64 + effect.many + 32)
    feel(s, t)


@kernel
def end_attack(s, t):  # type: ignore[no-untyped-def]
    """What luck cards brought to one attack is over."""
    for x in range(2):
        side, kept = s.side[x], 0
        for i in range(side.used):
            if side.effect[i].when != ATTACKING:
                copy_effect(side.effect[kept], side.effect[i])
                kept += 1
        s.used -= side.used - kept
        side.used = kept
    s.around = 1
    feel(s, t)


@kernel
def change_health(s, t, y, many):  # type: ignore[no-untyped-def]
    """Heal side y, if Radiation allows (K5-97), or take Health past all armor (K5-93); no dominance (K4-40)."""
    side, fighter = s.side[index(y)], s.fighter[index(y)]
    if many >= 0:
        if side.radiation >= t.dials.no_healing_from:
            return
        top = fighter.top
        healed = max(0, min(many, top - side.health))
        side.health += healed
        side.healed += healed
    else:
        lost = min(-many, side.health)
        side.health -= lost
        side.other_lost += lost
        counts = t.ruling.other_losses_dominance == 1 and s.over == 0
        if counts and s.ferocious == 0:
            s.marker += lost if y == 1 else -lost


@inlined
def is_down(s, t, x):  # type: ignore[no-untyped-def]
    """Whether side x is beaten: no Health, or the top of Radiation, of which enemies have none (K1F-22, K1E-37)."""
    side = s.side[index(x)]
    return side.health <= 0 or side.radiation >= t.dials.radiation


@kernel
def fall_by_effects(s, t):  # type: ignore[no-untyped-def]
    """End the combat if an effect, not an attack, has beaten somebody."""
    down, other = is_down(s, t, 0), is_down(s, t, 1)
    if down or other:
        s.over, s.ending = 1, BOTH_DOWN if down and other else EFFECT_ENDED
        s.winner = -1 if down and other else (1 if down else 0)
