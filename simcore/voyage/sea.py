"""The Cruise Action at sea: the icons of the route, sea dice, Water and the sea card."""

from __future__ import annotations

from simcore.dice import roll_die
from simcore.journal import note
from simcore.kernels import index, kernel
from simcore.streams import word
from simcore.voyage.base import contaminate, eliminate, radiate
from simcore.voyage.belongings import muster
from simcore.voyage.breach import breach
from simcore.voyage.challenge import YELLOW, draw_challenge, foe_of, resolve, resolve_tokens
from simcore.voyage.sea_dice import DIE_SIDES
from simcore.voyage.tables import FACE, RULINGS, SEA, TERM
from simcore.voyage.tell import AVOIDS, ICONS, ROLLS_DIE, SPARES, TOKENS_READY, WATER_DUE
from simcore.voyage.water import spend_water

STEADY, CLEAR, TOKENS, SPEED, THIRSTY = TERM["steady"], TERM["clear"], TERM["tokens"], TERM["speed"], TERM["thirsty"]
BREACH_1, BREACH_2, THREAT, WATER, HAZARD = (
    FACE["breach"], FACE["double_breach"], FACE["threat"], FACE["water"], FACE["hazard"],
)  # fmt: skip
ROUTE_ALONE = RULINGS["speed"].index("route_alone")
BEFORE_DICE = RULINGS["water_payment"].index("before_dice")
CARD_FIRST = RULINGS["sunk_by_dice"].index("card_first")
NO_HAZARD = RULINGS["die_hazard"].index("ignored")
AT_ONCE = RULINGS["die_tokens"].index("at_once")
AFTER_CRUISE = RULINGS["elimination"].index("after_cruise")


@kernel
def begin_action(s):  # type: ignore[no-untyped-def]
    """Nothing of an action under way yet."""
    s.at_sea, s.hazards, s.due, s.held, s.tokens, s.ended, s.reader, s.wet, s.laid = 0, 0, 0, 0, 0, 0, -1, 0, 0
    s.reads = 0
    s.auto, s.success, s.strike, s.crit, s.foe_die, s.foe_health, s.steady, s.sank = 0, 0, 0, 0, 0, 0, 0, 0
    s.aquatic_tokens, s.ahead, s.rolled, s.swap, s.prize = 0, 0, 0, 0, 0


@kernel
def sail(s, t, stream, journal, k, r):  # type: ignore[no-untyped-def]
    """Steps of a cruise after the ship is chartered, in their order (V4-53): fixed icons, sea dice, Water, then the
    card with its threat tokens. A ship sunk by the dice leaves its knight Stranded at once, without a card (V4-54); in
    the other reading Water and the card come all the same."""
    knight, route = s.knight[k], t.route[index(r)]
    s.at_sea, s.route = 1, r
    knight.cruises += 1
    s.sailed[index(knight.ship)] += 1
    muster(s, t, k, 0)
    s.aquatic_tokens = min(t.rules.aquatic_tokens, max(0, s.term[TOKENS]))
    s.steady = max(0, s.term[STEADY])
    note(journal, TOKENS_READY, k, s.aquatic_tokens)
    speed = t.ship[index(knight.ship)].speed + s.term[SPEED]
    fixed = route.water + max(0, s.term[THIRSTY])
    fixed_icons(s, t, journal, k, route)
    if t.ruling.water_payment == BEFORE_DICE:
        pay_water(s, t, stream, journal, k, fixed, speed, max(0, fixed + speed))
    roll_dice(s, t, stream, journal, k, route.dice)
    if t.ruling.die_tokens == AT_ONCE and s.ended == 0:
        kept, s.held = s.held - s.rolled, s.rolled
        resolve_tokens(s, t, stream, journal, k, YELLOW)
        s.held = kept
    if s.sank == 1 and t.ruling.sunk_by_dice == CARD_FIRST and knight.out == 0:
        s.ended = 0
    if s.ended == 0:
        pay_water(s, t, stream, journal, k, fixed + s.due, speed, water_due(s, t, fixed, speed))
    if s.ended == 0:
        avoided = min(s.hazards, max(0, s.term[CLEAR]))
        s.hazards -= avoided
        note(journal, AVOIDS, k, avoided, s.hazards)
        card = draw_challenge(s, t, journal, k, SEA)
        resolve(s, t, stream, journal, k, t.card[card].story, foe_of(t, card))
    if s.sank == 1 and knight.down == 1 and knight.out == 0 and t.ruling.elimination == AFTER_CRUISE:
        eliminate(s, journal, k)
    s.at_sea = 0


@kernel
def fixed_icons(s, t, journal, k, route):  # type: ignore[no-untyped-def]
    """The icons on the route: Radiation, Contamination, threat tokens kept for the card, and Hazards (V1L-04,
    V1L-05)."""
    if route.radiation > 0:
        radiate(s, t, journal, k, route.radiation)
    if route.contamination > 0 and s.ended == 0:
        contaminate(s, t, journal, k, route.contamination)
    s.held, s.hazards = route.threat, route.hazard
    note(journal, ICONS, k, route.threat, route.hazard, route.dice)
    s.knight[k].hazards += route.hazard


@kernel
def roll_dice(s, t, stream, journal, k, many):  # type: ignore[no-untyped-def]
    """Roll sea dice, one after another (V1L-06); with more than there are in the box they are rolled again (V5-22)."""
    for i in range(many):
        if s.ended == 0:
            number = roll_die(stream, DIE_SIDES, word(s.key, i))
            face = t.face[index(i % t.sides), index(number - 1)]
            note(journal, ROLLS_DIE, k, face, number)
            resolve_face(s, t, journal, k, face)


@kernel
def resolve_face(s, t, journal, k, face):  # type: ignore[no-untyped-def]
    """What a sea die shows: Breach, one or two; a threat token, resolved with the card like those of the route, or
    (ruling) as soon as the dice lie (V5-21); Water to be spent; a Hazard, which counts for the card (V4-55)."""
    if face in (BREACH_1, BREACH_2):
        many = 2 if face == BREACH_2 else 1
        spared = min(s.steady, many)
        s.steady -= spared
        note(journal, SPARES, k, spared)
        breach(s, t, journal, k, many - spared)
    elif face == THREAT:
        s.held += 1
        s.rolled += 1
    elif face == WATER:
        s.due += 1
    elif face == HAZARD and t.ruling.die_hazard != NO_HAZARD:
        s.hazards += 1
        s.knight[k].hazards += 1


@kernel
def pay_water(s, t, stream, journal, k, icons, speed, due):  # type: ignore[no-untyped-def]
    """Spend the Water that a cruise takes: so many icons, changed by Speed."""
    note(journal, WATER_DUE, k, icons, speed, due)
    spend_water(s, t, stream, journal, k, due)


@kernel
def water_due(s, t, fixed, speed):  # type: ignore[no-untyped-def]
    """Water that a cruise takes: the icons of the route and those rolled, changed by Speed, at least 0 (V1M-10, V5-58,
    V4-52); in other readings Speed changes the route's icons alone, or these are paid before the dice (V4-53)."""
    if t.ruling.water_payment == BEFORE_DICE:
        return s.due
    if t.ruling.speed == ROUTE_ALONE:
        return max(0, fixed + speed) + s.due
    return max(0, fixed + s.due + speed)
