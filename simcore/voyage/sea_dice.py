"""Sea dice that are read by their number, from 1 to 8, where an effect asks for the value (V5-22)."""

from __future__ import annotations

from simcore.dice import roll_die
from simcore.journal import note
from simcore.kernels import kernel
from simcore.streams import word
from simcore.voyage import cards
from simcore.voyage.tables import PER, SEA_DIE
from simcore.voyage.tell import READS_DIE

DIE_SIDES = cards.DIE_SIDES
HAZARD, DIE = PER["hazard"], PER["die"]
AT_VALUE = 7168
"""Where words of such dice stand among those of an action."""


@kernel
def read_die(s, stream, journal, k):  # type: ignore[no-untyped-def]
    """Roll a sea die and read its number; its icon does nothing (V5-22)."""
    number = roll_die(stream, DIE_SIDES, word(s.key, AT_VALUE + s.reads))
    s.reads += 1
    note(journal, READS_DIE, k, number)
    return number


@kernel
def how_many(s, stream, journal, k, effect):  # type: ignore[no-untyped-def]
    """How much a row of effect brings: once, for each Hazard (V5-20), or for each point of a sea die (V5-22)."""
    if effect.per == HAZARD:
        return effect.many * s.hazards
    return effect.many * (read_die(s, stream, journal, k) if effect.per == DIE else 1)


@kernel
def chances(skill, need, dice):  # type: ignore[no-untyped-def]
    """How likely a test looks, in percent: by its number of dice, or by the faces of a sea die."""
    if skill < 0:
        return 100
    if skill == SEA_DIE:
        return 100 * (DIE_SIDES + 1 - need) // DIE_SIDES
    return 50 * dice // need
