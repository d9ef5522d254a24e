"""The second edition's own rules, as far as the voyage leans on them: tests, wounds, Injuries, Radiation, Damage,
elimination. All of it is assumed, with its numbers in the pack's [land]: the expansion's book tells nothing of it.
Replace this file (and base_fights, base_actions) by the real thing when there is one."""

from __future__ import annotations

from simcore.dice import POOL_MAX, roll, successes
from simcore.journal import note
from simcore.kernels import cut_to, index, kernel
from simcore.streams import word
from simcore.voyage.decks import draw_from
from simcore.voyage.state import NONE
from simcore.voyage.tables import INJURIES, TERM
from simcore.voyage.tell import (
    CLEANED,
    CONTAMINATED,
    CONTAMINATION_TURNS,
    DAMAGED,
    ELIMINATED,
    HEALED,
    INJURED,
    KNOCKED_OUT,
    MENDED,
    PASSES_BY_ITSELF,
    RADIATED,
    RADIATION_TURNS,
    ROLLS,
    TESTS,
    WOUNDED,
    WRECKED,
)

HEALTH, RESILIENCE, FLASK = TERM["health"], TERM["resilience"], TERM["flask"]
AT_INJURY, AT_TEST = 1024, 2048
"""Where words of Injuries and tests stand among those of an action."""


@kernel
def top_of(s, t, k, what):  # type: ignore[no-untyped-def]
    """A number of the sheet (Health, Resilience) with all that stands on it, 1 at least."""
    return max(1, sum_of(s, t, k, what))


@kernel
def sum_of(s, t, k, what):  # type: ignore[no-untyped-def]
    """A term of a knight: his sheet, his vehicle ashore, equipped gear, Injuries and upgrades. The room that a vehicle
    has for Water is there at sea as well (V1L-13)."""
    knight = s.knight[k]
    total = t.knight[index(knight.role)].term[what]
    driving = s.at_sea == 0 or what == FLASK
    if driving:
        total += t.vehicle[index(knight.vehicle)].term[what]
    for i in range(knight.pieces):
        if (knight.worn >> i) & 1:
            total += t.gear[index(t.piece[index(knight.piece[i])])].term[what]
    if knight.injury + knight.upgrade > 0:
        for i in range(62):
            if (knight.injury >> i) & 1:
                total += t.injury[i].term[what]
        for i in range(t.upgrades):
            if (knight.upgrade >> i) & 1 and (driving or t.upgrade[i].vehicle == 0):
                total += t.upgrade[i].term[what]
    return total


@kernel
def check_life(s, t, journal, k):  # type: ignore[no-untyped-def]
    """As many Injuries as Resilience end a knight's game; a Dehydration card is one of them (V1M-12, V5-47)."""
    knight = s.knight[k]
    if knight.out == 0 and knight.injuries + int(knight.thirst > 0) >= top_of(s, t, k, RESILIENCE):
        eliminate(s, journal, k)


@kernel
def eliminate(s, journal, k):  # type: ignore[no-untyped-def]
    """Out of the game; his Water goes back to the pool."""
    knight = s.knight[k]
    knight.out, s.ended = 1, 1
    s.pool += knight.water
    note(journal, ELIMINATED, k, knight.water)
    knight.water = 0


@kernel
def injure(s, t, journal, k, many):  # type: ignore[no-untyped-def]
    """Attach Injury cards: never Dehydration cards (V5-49)."""
    knight = s.knight[k]
    for _ in range(many):
        card = draw_from(s.deck[INJURIES], word(s.key, AT_INJURY + knight.injured))
        if card >= 0:
            knight.injury |= 1 << card
        knight.injuries += 1
        knight.injured += 1
        note(journal, INJURED, k, card, knight.injuries)
    check_life(s, t, journal, k)


@kernel
def wound(s, t, journal, k, many):  # type: ignore[no-untyped-def]
    """Suffer wounds; as many as Health knock a conscious knight out, with an Injury for it."""
    knight = s.knight[k]
    if knight.down == 1 or knight.out == 1 or many <= 0:
        return
    knight.hurt += many
    note(journal, WOUNDED, k, many, knight.hurt)
    if knight.hurt >= top_of(s, t, k, HEALTH):
        knight.down = 1
        knight.knocked += 1
        note(journal, KNOCKED_OUT, k)
        injure(s, t, journal, k, 1)


@kernel
def heal(s, journal, k, many):  # type: ignore[no-untyped-def]
    """Wounds of a conscious knight heal."""
    knight = s.knight[k]
    healed = min(many, knight.hurt)
    if healed > 0 and knight.down == 0:
        knight.hurt -= healed
        note(journal, HEALED, k, healed, knight.hurt)


@kernel
def mend(s, journal, k, many):  # type: ignore[no-untyped-def]
    """Damage of the vehicle is mended."""
    knight = s.knight[k]
    mended = min(knight.damage, max(0, many))
    if mended > 0:
        knight.damage -= mended
        note(journal, MENDED, k, mended, knight.damage)


@kernel
def clean(s, journal, k, many):  # type: ignore[no-untyped-def]
    """Radiation goes."""
    knight = s.knight[k]
    gone = min(knight.radiation, many)
    if gone > 0:
        knight.radiation -= gone
        note(journal, CLEANED, k, gone, knight.radiation)


@kernel
def radiate(s, t, journal, k, many):  # type: ignore[no-untyped-def]
    """Suffer Radiation; too much of it makes an Injury (V1L-05)."""
    knight = s.knight[k]
    knight.radiation += many
    knight.radiated += many
    note(journal, RADIATED, k, many, knight.radiation)
    while knight.radiation >= t.land.radiation:
        knight.radiation -= t.land.radiation
        note(journal, RADIATION_TURNS, k, t.land.radiation, knight.radiation)
        injure(s, t, journal, k, 1)


@kernel
def contaminate(s, t, journal, k, many):  # type: ignore[no-untyped-def]
    """Suffer Contamination; too much of it makes an Injury (V1L-05)."""
    knight = s.knight[k]
    knight.contamination += many
    knight.contaminated += many
    note(journal, CONTAMINATED, k, many, knight.contamination)
    while knight.contamination >= t.land.contamination:
        knight.contamination -= t.land.contamination
        note(journal, CONTAMINATION_TURNS, k, t.land.contamination, knight.contamination)
        injure(s, t, journal, k, 1)


@kernel
def is_wrecked(s, t, k):  # type: ignore[no-untyped-def]
    """Whether a knight's vehicle has as much Damage as its Chassis."""
    return s.knight[k].damage >= t.vehicle[index(s.knight[k].vehicle)].chassis


@kernel
def hit_vehicle(s, t, journal, k, many):  # type: ignore[no-untyped-def]
    """The vehicle suffers Damage, also as freight (V1L-13)."""
    knight = s.knight[k]
    before, chassis = knight.damage, t.vehicle[index(knight.vehicle)].chassis
    knight.damage = min(chassis, before + many)
    if knight.damage == before:
        return
    note(journal, DAMAGED, k, knight.damage - before, knight.damage)
    if before < chassis <= knight.damage:
        knight.wrecks += 1
        note(journal, WRECKED, k)


@kernel
def pool_of(s, dice):  # type: ignore[no-untyped-def]
    """So many dice as a pool; beyond the capacity of a pool they are left out and counted."""
    return max(0, cut_to(s, dice, POOL_MAX))


@kernel
def test(s, t, stream, journal, k, skill, need):  # type: ignore[no-untyped-def]
    """A test of a skill with what the knight has mustered: whether it is passed. The first one of a card may pass by
    itself, or have successes more, by threat tokens (V1M-22). Unconscious knights fail."""
    knight, got = s.knight[k], 0
    if knight.down == 1:
        return False
    if s.auto == 1:
        got = need
        note(journal, PASSES_BY_ITSELF, k)
    else:
        dice = pool_of(s, s.term[skill])
        if dice > 0:
            got = successes(roll(stream, t.laws, 0, dice, word(s.key, AT_TEST + knight.tests)))
        note(journal, ROLLS, k, dice, got, NONE)
        got += s.success
    s.auto, s.success = 0, 0
    knight.tests += 1
    knight.passed += int(got >= need)
    note(journal, TESTS, k, skill, got, need)
    return got >= need
