"""What cards do: the one place that applies a row of effect (packs/README.md has the vocabulary)."""

from __future__ import annotations

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import kernel
from simcore.streams import word
from simcore.voyage.base import clean, heal, mend
from simcore.voyage.belongings import AMMO, FUEL, MEDS, WATER, amount, change, gain_gear
from simcore.voyage.bots import LEAVE, TAKE, bot_of, decide, resource_worth, water_worth
from simcore.voyage.sea_dice import how_many
from simcore.voyage.stalls import barter
from simcore.voyage.tables import WHAT
from simcore.voyage.tell import BRINGS, DRAWS_SPECIAL, EARNS, LOADS, SWAPS_WATER
from simcore.voyage.water import can_gain, gain_water, parch, spend_water, suffer

GAIN_WATER, GAIN_FUEL, GAIN_AMMO, GAIN_MEDS = WHAT["water"], WHAT["fuel"], WHAT["ammo"], WHAT["meds"]
RESOURCE, GEAR, EXPERIENCE, CARGO = WHAT["resource"], WHAT["gear"], WHAT["experience"], WHAT["cargo"]
SPECIAL, HEAL, CLEAN, MEND = WHAT["special"], WHAT["heal"], WHAT["clean"], WHAT["mend"]
AQUATIC_TOKENS, BARTER, FIRST_HARM = WHAT["aquatic_tokens"], WHAT["barter"], WHAT["breach"]
LAST_HARM, THIRST, PARCH, THREAT, HAZARD = (
    WHAT["strand"], WHAT["thirst"], WHAT["parch"], WHAT["threat"], WHAT["hazard"],
)  # fmt: skip
AUTO, SUCCESS, STRIKE, CRIT = WHAT["auto"], WHAT["success"], WHAT["strike"], WHAT["crit"]
FOE_DIE, FOE_HEALTH, PRIZE = WHAT["foe_die"], WHAT["foe_health"], WHAT["prize"]
AT_GEAR = 4096


@kernel
def boost(s, what, many):  # type: ignore[no-untyped-def]
    """What threat tokens bring to the test or the fight of their card (V1M-22, V1M-23)."""
    if what == AUTO:
        s.auto = 1
    elif what == SUCCESS:
        s.success += many
    elif what == STRIKE:
        s.strike += many
    elif what == CRIT:
        s.crit += many
    elif what == FOE_DIE:
        s.foe_die += many
    elif what == FOE_HEALTH:
        s.foe_health += many
    elif what == PRIZE:
        s.prize += many
    else:
        s.wet = 1


@kernel
def gain(s, t, stream, journal, k, what, many):  # type: ignore[no-untyped-def]
    """One gain (cards.GAINS)."""
    knight = s.knight[k]
    if what == GAIN_WATER:
        knight.gained += gain_water(s, t, stream, journal, k, many, 0)
    elif what == GAIN_FUEL:
        change(s, journal, k, FUEL, many)
    elif what == GAIN_AMMO:
        change(s, journal, k, AMMO, many)
    elif what == GAIN_MEDS:
        change(s, journal, k, MEDS, many)
    elif what == RESOURCE:
        for _ in range(many):
            gain_any(s, t, stream, journal, k)
    elif what == GEAR:
        swap = int(s.at_sea == 1 or s.wet == 1)
        gain_gear(s, t, stream, journal, k, many, swap, word(s.key, AT_GEAR + knight.pieces))
    elif what == HEAL:
        heal(s, journal, k, many)
    elif what == CLEAN:
        clean(s, journal, k, many)
    elif what == MEND:
        mend(s, journal, k, many)
    elif what == AQUATIC_TOKENS:
        s.aquatic_tokens = min(t.rules.aquatic_tokens, s.aquatic_tokens + many)
        note(journal, BRINGS, k, what, many)
    elif what == BARTER:
        barter(s, t, stream, journal, k, many)
    else:
        earn(s, t, journal, k, what, many)


@kernel
def earn(s, t, journal, k, what, many):  # type: ignore[no-untyped-def]
    """Experience, cargo, and special cards by their number, the lowest first (V5-01)."""
    knight = s.knight[k]
    if what == EXPERIENCE:
        knight.experience += many
        note(journal, EARNS, k, many, knight.experience)
        return
    worth = many
    if what == SPECIAL:
        worth = 0
        for _ in range(many):
            if s.specials < t.specials:
                note(journal, DRAWS_SPECIAL, k, s.specials)
                worth += t.special[s.specials]
                s.specials += 1
    knight.cargo += worth
    note(journal, LOADS, k, worth, knight.cargo)


@kernel
def gain_any(s, t, stream, journal, k):  # type: ignore[no-untyped-def]
    """Gain a resource of the knight's choice; Water is one (V5-44)."""
    s.options = 0
    if t.table.water == 1:
        offer(s, WATER, water_worth(s, t, k))
    for resource in range(FUEL, MEDS + 1):
        offer(s, resource, resource_worth(s, t, k, amount(s, k, resource)))
    resource = decide(s, t, stream, k)
    if resource == WATER:
        s.knight[k].gained += gain_water(s, t, stream, journal, k, 1, 0)
    else:
        change(s, journal, k, resource, 1)


@kernel
def apply_all(s, t, stream, journal, k, story, when):  # type: ignore[no-untyped-def]
    """All rows of a card for a moment, in their order, each as often as it says. They stop where a ship is sunk, or the
    knight Stranded or out of the game."""
    for i in range(story.effects):
        effect = story.effect[i]
        if effect.when != when or s.ended == 1:
            continue
        many = how_many(s, stream, journal, k, effect)
        if many <= 0:
            continue
        what = effect.what
        if what < FIRST_HARM:
            if s.swap == 0 or what == GAIN_WATER or not swap_reward(s, t, stream, journal, k, what, many):
                gain(s, t, stream, journal, k, what, many)
        elif what <= LAST_HARM:
            suffer(s, t, stream, journal, k, what, many)
        elif what == THIRST:
            spend_water(s, t, stream, journal, k, many)
        elif what == PARCH:
            parch(s, t, stream, journal, k)
        elif what == THREAT:
            s.held += many
            note(journal, BRINGS, k, what, many)
        elif what == HAZARD:
            s.hazards += many
            s.knight[k].hazards += many
            note(journal, BRINGS, k, what, many)
        else:
            note(journal, BRINGS, k, what, many)
            boost(s, what, many)


@kernel
def reward_worth(s, t, k, what, many):  # type: ignore[no-untyped-def]
    """What a reward is worth to a knight; a point of cargo as much as one of a destination visited."""
    bot = bot_of(s, t, k)
    if what in (CARGO, SPECIAL):
        return many * bot.visit // max(1, t.season.visit)
    if what == EXPERIENCE:
        return many * bot.upgrade
    return many * bot.resource


@kernel
def swap_reward(s, t, stream, journal, k, what, many):  # type: ignore[no-untyped-def]
    """Take Water in place of a reward, once a fight, if the knight likes and has any use for it (V1M-11)."""
    if not can_gain(s, t, k):
        return False
    s.options = 0
    offer(s, LEAVE, reward_worth(s, t, k, what, many))
    offer(s, TAKE, water_worth(s, t, k))
    if decide(s, t, stream, k) == LEAVE:
        return False
    s.swap = 0
    note(journal, SWAPS_WATER, k, what, many)
    s.knight[k].gained += gain_water(s, t, stream, journal, k, 1, 0)
    return True
