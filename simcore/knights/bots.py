"""The decisions of a combat: what is legal, and how good it looks by features that the player can see.

Each feature is in hundredths (of a Health, a chance, an arrow, a card). A bot weighs them (`cards.FEATURES`):
dealt: expected Health taken in this clash; kill: chance to beat the opponent; taken, fall: the same the other way,
against his best attack; arrows: own less his; last_word: where the marker would stand after the last clash; reach:
what another range is worth in the clashes left; ready: what Prepare adds; ammo: spent; swap: what other gear is
worth; heal: Health or Ammo brought back. The opponent's hidden card is never read.
"""

from __future__ import annotations

import numpy as np

from simcore.bots import BIT_COUNT, BIT_PLACE, choose, choose_bit, choose_evenly
from simcore.dice import successes, tops
from simcore.kernels import index, inlined, kernel
from simcore.knights.checks import (
    DEFEND_PENALTY,
    NO_PENALTY,
    RANGE_PENALTY,
    chance_of,
    expected_of,
    hit_loss,
    law_of,
    mode_of,
    prospect,
)
from simcore.knights.gear import ARMOR, copy_effect, count_supply, stand_at
from simcore.knights.situations import (
    BEFORE,
    CARDS,
    HELD,
    UNWRITTEN,
    choice_now,
    read,
    read_card,
    read_drawn,
    read_heal,
    turn_to,
)
from simcore.knights.state import (
    ADVANCE,
    ATTACK,
    BY_BOOK,
    CHANGE,
    DEFEND,
    MEMORIES,
    MULTI,
    NO_MODE,
    PLAIN,
    PREPARE,
    RANGES,
    READY,
    RETREAT,
    SALVO,
    SOURCES,
    UNKNOWN,
)
from simcore.knights.tables import LONG, NET_LOW, WHAT
from simcore.streams import word

HEALTH, AMMO, RADIATION, START_RANGE = WHAT["health"], WHAT["ammo"], WHAT["radiation"], WHAT["start_range"]
REROLL = WHAT["reroll"]
CARD_MOMENT, WAY_MOMENT, KIT_MOMENT, MODE_MOMENT, BEFORE_MOMENT, HELD_MOMENT = range(6)
CLASH_START, BEFORE_BLOW, AFTER_BLOW = 0, 1, 2
KEEP, TURNS = 0, 16
LUCK_MOMENT, ANSWER_MOMENT = 1024, 4096
LUCK_PRICE = 25
"""What a luck card kept is worth to bots in combat, in hundredths of a Health."""
DICE_KEY, BOT_KEY = 0, 1


@inlined
def decide(s, t, stream, x, moment):  # type: ignore[no-untyped-def]
    """Let the bot of side x pick one of the options laid out in s; a single option is no decision."""
    if s.options == 1:
        return s.option[0]
    key = word(s.key[index(BOT_KEY + x)], s.clash * 128 + moment)
    if not weighs(s, t, x):
        return choose_evenly(stream, s.option, s.options, key)
    return choose(stream, s.option, s.value, s.options, t.bot[s.fighter[x].bot].temperature, key)


@inlined
def offer(s, option, value):  # type: ignore[no-untyped-def]
    """Lay out one more option with its value."""
    s.option[s.options], s.value[s.options] = option, value
    s.options += 1


@inlined
def weighs(s, t, x):  # type: ignore[no-untyped-def]
    """Whether the bot of side x looks at features at all."""
    return s.fighter[index(x)].weighs == 1


@kernel
def promised(s, t, x):  # type: ignore[no-untyped-def]
    """What each mode of side x promises at the present place, as int64[mode, kind * 3 + penalty] of prospects.

    Remembered for each mood that has a number."""
    if s.mood == UNKNOWN:
        foresee(s, t, x, s.scratch[x])
        return s.scratch[x]
    mood, mine, theirs = index(s.mood), index(s.side[x].kit), index(s.side[1 - x].kit)
    table = s.promise[mood, index(x), mine, theirs, index(s.place)]
    if (s.foreseen[mood, index(x), mine, theirs] >> s.place) & 1 == 0:
        foresee(s, t, x, table)
        s.foreseen[mood, index(x), mine, theirs] |= 1 << s.place
    return table


@kernel
def foresee(s, t, x, table):  # type: ignore[no-untyped-def]
    """Fill a table with the prospects of all modes at the present place, whether they can be paid or not."""
    for m in range(s.fighter[x].kit[s.side[x].kit].modes):
        for act in range(9):
            table[m, act] = prospect(s, t, x, m, act)


@inlined
def usable_modes(s, x, kind):  # type: ignore[no-untyped-def]
    """Bits of the modes that side x can use now for a kind of attack."""
    side = s.side[x]
    hand = s.fighter[x].kit[index(side.kit)].hand[index(s.place), index(side.supply)]
    return hand.usable[index(kind == SALVO)]


@kernel
def best_of(s, t, x, table, act):  # type: ignore[no-untyped-def]
    """The best prospect in a table of `promised` among the modes that side x can use now; 0 for none."""
    best, m = np.int64(0), 0
    usable = usable_modes(s, x, act // 3)
    while usable > 0:
        if usable & 1:
            best = max(best, table[index(m), index(act)])
        usable >>= 1
        m += 1
    return best


@inlined
def kill(s, t, x, kind, packed):  # type: ignore[no-untyped-def]
    """The chance in hundredths that a prospect of side x takes all Health that the opponent has left."""
    return chance_of(t, law_of(s, kind), packed, s.side[1 - x].health)


@inlined
def own_kind(s, x):  # type: ignore[no-untyped-def]
    """The kind of attack that the Attack card would be for side x."""
    return READY if s.side[x].open == 1 else PLAIN


@kernel
def see_threats(s, t, x):  # type: ignore[no-untyped-def]
    """What side x may lose in this clash under each penalty to the opponent: `threat` in hundredths of Health, and
    `danger` by the bot's weights for taken and fall."""
    bot, y = t.bot[s.fighter[x].bot], 1 - x
    theirs, kind = promised(s, t, y), own_kind(s, y)
    for penalty in range(3):
        best, worst = kind, best_of(s, t, y, theirs, kind * 3 + penalty)
        salvo = best_of(s, t, y, theirs, SALVO * 3 + penalty)
        if salvo > worst:
            best, worst = SALVO, salvo
        s.threat[penalty] = expected_of(worst)
        s.danger[penalty] = bot.taken * s.threat[penalty] + bot.fall * kill(s, t, y, best, worst)


@kernel
def see_ranges(s, t, x):  # type: ignore[no-untyped-def]
    """At each range, what x may deal less what he may take in a clash, in hundredths of Health, into `edge`."""
    here = s.range
    for distance in range(RANGES):
        stand_at(s, distance)
        s.edge[distance] = 0
        for y in range(2):
            table = promised(s, t, y)
            best = expected_of(max(best_of(s, t, y, table, PLAIN * 3), best_of(s, t, y, table, SALVO * 3)))
            s.edge[distance] += best if y == x else -best
    stand_at(s, here)


@inlined
def dominance(s, t, x, arrows, gained):  # type: ignore[no-untyped-def]
    """The worth of arrows, and after the last clash of where the marker would stand; nothing if ferocious."""
    if s.ferocious == 1:
        return np.int64(0)
    bot = t.bot[s.fighter[x].bot]
    value = bot.arrows * arrows * 100
    if s.clash == t.combat.clashes - 1:
        marker = s.marker if x == 0 else -s.marker
        value += bot.last_word * min(max((marker + arrows) * 100 + gained, -200), 200)
    return value


@inlined
def pick_card(s, t, stream, x, book):  # type: ignore[no-untyped-def]
    """The combat card of side x for this clash: only cards whose conditions are met (K1F-07, K5-61, K5-66, K4-28)."""
    side = s.side[x]
    cards = s.fighter[x].kit[index(side.kit)].hand[index(s.place), index(side.supply)].cards & ~(side.open << PREPARE)
    return pick_bit(s, t, stream, x, CARD_MOMENT, cards, book)


@inlined
def pick_bit(s, t, stream, x, matter, mask, book):  # type: ignore[no-untyped-def]
    """What side x's bot picks of two or more identities, the bits of `mask`.

    `matter`: the moment of a card, a way or a load-out; for modes MODE_MOMENT + kind of attack * 3 + penalty."""
    key = word(s.key[BOT_KEY + x], s.clash * 128 + min(matter, MODE_MOMENT) * TURNS)
    if s.fighter[x].weighs == 0:
        return choose_bit(stream, mask, key)
    if book is not None and s.fighter[x].weighs == BY_BOOK:
        return pick_by_book(s, t, book, x, matter, mask, key)
    return pick_weighed(s, t, stream, x, matter, mask, key)


@kernel
def pick_by_book(s, t, book, x, matter, mask, key):  # type: ignore[no-untyped-def]
    """What was solved as best; where the book is silent, the first option. Arguments as in `pick_bit`."""
    if matter == CARD_MOMENT:
        turn_to(s, t, CARDS, 0)
        return read_card(s, book, x, key)
    level = x if matter < MODE_MOMENT else 2 + x
    pick = read_drawn(book, word(s.page, choice_now(s, t, level)), key)
    return BIT_PLACE[mask, 0] if pick == UNWRITTEN else pick


@kernel
def pick_weighed(s, t, stream, x, matter, mask, key):  # type: ignore[no-untyped-def]
    """What a bot that weighs picks; arguments as in `pick_bit`."""
    memory, temperature = recall(s, t, x, matter, mask), t.bot[index(s.fighter[index(x)].bot)].temperature
    return choose(stream, BIT_PLACE[index(mask)], memory.value, BIT_COUNT[index(mask)], temperature, key)


@inlined
def recall(s, t, x, matter, mask):  # type: ignore[no-untyped-def]
    """What the options of `mask` are worth to side x now: a bot thinks once about each situation, and remembers."""
    situation = situation_of(s, t, x, matter)
    memory = s.memory[index(situation) % index(MEMORIES)]
    if memory.situation != situation or s.mood == UNKNOWN:
        s.options = 0
        if matter == CARD_MOMENT:
            weigh_cards(s, t, x, mask)
        elif matter == WAY_MOMENT:
            weigh_ways(s, t, x)
        elif matter == KIT_MOMENT:
            weigh_kits(s, t, x)
        else:
            weigh_modes(s, t, x, matter - MODE_MOMENT, mask)
        for i in range(s.options):
            memory.value[i] = s.value[i]
        memory.situation = situation
    return memory


@inlined
def situation_of(s, t, x, matter):  # type: ignore[no-untyped-def]
    """All that the worth of side x's options hangs on, as one number; the marker only counts in the last clash."""
    me, foe = s.side[index(x)], s.side[index(1 - x)]
    marker = min(max(s.marker if x == 0 else -s.marker, -15), 15) + 16 if s.clash == t.combat.clashes - 1 else 0
    packed = ((((s.mood + 1) * 16 + matter) * 8 + s.clash) * 4 + s.range) * 64 + me.kit * 8 + foe.kit
    packed = (packed * 16 + me.supply) * 16 + foe.supply
    packed = (packed * 2 + me.open) * 2 + foe.open
    return ((packed * 32 + me.health) * 32 + foe.health) * 64 + marker * 2 + x


@kernel
def weigh_cards(s, t, x, cards):  # type: ignore[no-untyped-def]
    """Offer the legal cards (bits by card) with their values."""
    mine, last = promised(s, t, x), s.clash == t.combat.clashes - 1
    see_threats(s, t, x)
    for card in range(ATTACK, MULTI + 1):
        if cards >> card & 1:
            offer(s, card, s.danger[NO_PENALTY] + attack_value(s, t, x, card, mine))
    if cards >> PREPARE & 1:
        ready = 0 if last else t.bot[s.fighter[x].bot].ready * expected_of(best_of(s, t, x, mine, READY * 3))
        offer(s, PREPARE, s.danger[NO_PENALTY] + ready + dominance(s, t, x, 0, -s.threat[NO_PENALTY]))
    if not last:
        see_ranges(s, t, x)
    ways = max(way_value(s, t, x, ADVANCE), way_value(s, t, x, RETREAT))
    offer(s, CHANGE, s.danger[RANGE_PENALTY] + ways)
    swap = best_swap(s, t, x) if s.fighter[x].kits > 1 and not last else 0
    arrows = dominance(s, t, x, t.combat.arrows[DEFEND, 0], -s.threat[DEFEND_PENALTY])
    offer(s, DEFEND, s.danger[DEFEND_PENALTY] + swap + arrows)


@kernel
def attack_value(s, t, x, card, mine):  # type: ignore[no-untyped-def]
    """What Attack or Multi-attack is worth by dealt, kill, Ammo and dominance."""
    bot = t.bot[s.fighter[x].bot]
    kind, arrows, ammo = own_kind(s, x), t.combat.arrows[card, 0], t.combat.attack_ammo
    if card == MULTI:
        kind, ammo = SALVO, t.combat.multi_ammo
    packed = best_of(s, t, x, mine, kind * 3)
    gain = expected_of(packed)
    value = bot.dealt * gain + bot.kill * kill(s, t, x, kind, packed)
    if packed > 0:
        value += bot.ammo * 100 * ammo * s.fighter[x].kit[s.side[x].kit].mode[mode_of(packed)].ammo
    return value + dominance(s, t, x, arrows, gain - s.threat[NO_PENALTY])


@kernel
def way_value(s, t, x, way):  # type: ignore[no-untyped-def]
    """What advancing or retreating is worth: arrows, and the range it leads to for the clashes left."""
    step = -s.side[x].stride if way == ADVANCE else s.side[x].stride
    value = dominance(s, t, x, t.combat.arrows[CHANGE, way], -s.threat[RANGE_PENALTY])
    aim, left = min(max(s.range + step, 0), LONG), t.combat.clashes - 1 - s.clash
    if left > 0:
        value += t.bot[s.fighter[x].bot].reach * (s.edge[aim] - s.edge[s.range]) * left
    return value


@kernel
def swap_value(s, t, x, k):  # type: ignore[no-untyped-def]
    """What load-out k is worth at this range in the clashes left."""
    side, worn, left = s.side[x], s.side[x].kit, t.combat.clashes - 1 - s.clash
    if left == 0:
        return np.int64(0)
    side.kit = k
    count_supply(s, t, x)
    see_ranges(s, t, x)
    side.kit = worn
    count_supply(s, t, x)
    return t.bot[s.fighter[x].bot].swap * s.edge[s.range] * left


@kernel
def best_swap(s, t, x):  # type: ignore[no-untyped-def]
    """What the best change of gear is worth over keeping what is worn."""
    best = now = np.int64(0)
    for k in range(s.fighter[x].kits):
        value = swap_value(s, t, x, k)
        if k == s.side[x].kit:
            now = value
        best = value if k == 0 else max(best, value)
    return best - now


@inlined
def pick_way(s, t, stream, x, book):  # type: ignore[no-untyped-def]
    """Advance or retreat, after the reveal; both are always allowed (K1F-10, K5-72)."""
    return pick_bit(s, t, stream, x, WAY_MOMENT, 1 << ADVANCE | 1 << RETREAT, book)


@kernel
def weigh_ways(s, t, x):  # type: ignore[no-untyped-def]
    """Offer both ways with their values."""
    s.threat[RANGE_PENALTY] = 0
    if s.clash < t.combat.clashes - 1:
        see_ranges(s, t, x)
    for way in range(ADVANCE, RETREAT + 1):
        offer(s, way, way_value(s, t, x, way))


@inlined
def pick_kit(s, t, stream, x, book):  # type: ignore[no-untyped-def]
    """The load-out that a knight takes with Defend, before the blow (K1F-12, K5-71); he has two or more."""
    return pick_bit(s, t, stream, x, KIT_MOMENT, (1 << s.fighter[x].kits) - 1, book)


@kernel
def weigh_kits(s, t, x):  # type: ignore[no-untyped-def]
    """Offer all load-outs with their values."""
    for k in range(s.fighter[x].kits):
        offer(s, k, swap_value(s, t, x, k))


@inlined
def pick_mode(s, t, stream, x, act, book):  # type: ignore[no-untyped-def]
    """Weapon and icon of an attack, after the reveal (K5-63, K5-64); NO_MODE if there is none (K4-28).

    `act`: kind of attack * 3 + penalty, as in `checks.attack_dice`."""
    usable = usable_modes(s, x, act // 3)
    many = BIT_COUNT[index(usable)]
    if many < 2:
        return BIT_PLACE[index(usable), 0] if many == 1 else NO_MODE
    return pick_bit(s, t, stream, x, MODE_MOMENT + act, usable, book)


@kernel
def weigh_modes(s, t, x, act, usable):  # type: ignore[no-untyped-def]
    """Offer the modes of an attack with their values; `act` as in `checks.attack_dice`."""
    kit, bot, table = s.fighter[x].kit[s.side[x].kit], t.bot[s.fighter[x].bot], promised(s, t, x)
    for i in range(BIT_COUNT[usable]):
        m = BIT_PLACE[usable, i]
        value = bot.dealt * expected_of(table[m, act]) + bot.kill * kill(s, t, x, act // 3, table[m, act])
        offer(s, m, value + bot.ammo * 100 * kit.mode[m].ammo)


@kernel
def pick_before(s, t, stream, x, turn, book):  # type: ignore[no-untyped-def]
    """One effect to use before combat, or 0 to pass: 1 + row * 4 + range, 3 for no range (K5-60)."""
    if s.fighter[x].before.rows == 0:
        return np.int64(0)
    if book is not None and s.fighter[x].weighs == BY_BOOK:
        turn_to(s, t, BEFORE, x * 2 + s.passes)
        return max(0, read(book, word(s.page, 0)))
    offer_before(s, x)
    if weighs(s, t, x):
        weigh_before(s, t, x)
    return decide(s, t, stream, x, BEFORE_MOMENT * TURNS + min(turn, TURNS - 1))


@kernel
def offer_before(s, x):  # type: ignore[no-untyped-def]
    """Lay out what side x may use before combat, as `pick_before` gives it; passing is the first."""
    fighter = s.fighter[x]
    s.options = 0
    offer(s, 0, 0)
    for i in range(fighter.before.rows):
        source = fighter.before.source[i]
        if (s.side[x].spent >> source) & 1 or (i > 0 and fighter.before.source[i - 1] == source):
            continue
        if start_of(fighter, source) == 3:
            for distance in range(3):
                if distance != s.range:
                    offer(s, 1 + i * 4 + distance, 0)
        else:
            offer(s, 1 + i * 4 + 3, 0)


@kernel
def weigh_before(s, t, x):  # type: ignore[no-untyped-def]
    """What each effect before combat that is laid out is worth to side x."""
    see_ranges(s, t, x)
    for i in range(1, s.options):
        row, aim = (s.option[i] - 1) // 4, (s.option[i] - 1) % 4
        if aim == 3:
            aim = start_of(s.fighter[x], s.fighter[x].before.source[row])
        s.value[i] = start_value(s, t, x, aim) if aim >= 0 else 100 * t.bot[s.fighter[x].bot].dealt


@kernel
def start_of(fighter, source):  # type: ignore[no-untyped-def]
    """The starting range that the rows of a source set before combat; 3 if its owner picks it, -1 for none."""
    found = -1
    for i in range(fighter.before.rows):
        if fighter.before.source[i] == source and fighter.before.row[i].what == START_RANGE:
            found = max(found, fighter.before.row[i].many)
    return found


@kernel
def start_value(s, t, x, distance):  # type: ignore[no-untyped-def]
    """What a starting range is worth over the present one."""
    return t.bot[s.fighter[x].bot].reach * (s.edge[distance] - s.edge[s.range]) * t.combat.clashes


@inlined
def helpful(s, t, x, point):  # type: ignore[no-untyped-def]
    """Bits of the held cards that would help side x now: what heals around a blow, if Radiation allows (K5-97), the
    rest as a clash starts; nothing that would be wasted."""
    fighter, side = s.fighter[index(x)], s.side[index(x)]
    if point == CLASH_START:
        cards = fighter.early & ~side.spent
        if cards == 0:
            return cards
        if side.ammo >= t.dials.ammo:
            cards &= ~fighter.loaders
        return cards if side.radiation > 0 else cards & ~fighter.cleaners
    cards = fighter.healers & ~side.spent
    if cards == 0 or side.health >= fighter.top:
        return np.int64(0)
    return np.int64(0) if side.radiation >= t.dials.no_healing_from else cards


@inlined
def pick_held(s, t, stream, x, point, turn, cards, book):  # type: ignore[no-untyped-def]
    """One of the held cards in the bits of `cards` to use now, as 1 + its first row, or KEEP."""
    if book is not None and s.fighter[index(x)].weighs == BY_BOOK:
        return read_held(s, t, book, x, point)
    offer_held(s, x, cards)
    if s.fighter[index(x)].weighs == 1:
        weigh_held(s, t, x)
    return decide(s, t, stream, x, (HELD_MOMENT + point) * TURNS + min(turn, TURNS - 1))


@kernel
def read_held(s, t, book, x, point):  # type: ignore[no-untyped-def]
    """What the book says of held cards, as `pick_held` gives it."""
    if point != CLASH_START:
        source = read_heal(s, t, book, x, point - BEFORE_BLOW)
        return 1 + s.fighter[x].first[source - 1] if source > 0 else np.int64(KEEP)
    turn_to(s, t, HELD + x, 0)
    return max(KEEP, read(book, word(s.page, 0)))


@inlined
def offer_held(s, x, cards):  # type: ignore[no-untyped-def]
    """Lay out the held cards in the bits of `cards`, as `pick_held` gives them; keeping all is the first."""
    fighter, source, many = s.fighter[index(x)], 0, 1
    s.option[0] = KEEP
    while cards > 0:
        if cards & 1:
            s.option[index(many)] = 1 + fighter.first[index(source)]
            many += 1
        cards, source = cards >> 1, source + 1
    s.options = many


@kernel
def weigh_held(s, t, x):  # type: ignore[no-untyped-def]
    """Give the held cards that are laid out their values; to keep them all has none."""
    s.value[0] = 0
    for i in range(1, s.options):
        s.value[i] = held_value(s, t, x, s.fighter[x].held.row[s.option[i] - 1])


@inlined
def held_gain(s, t, x, effect):  # type: ignore[no-untyped-def]
    """What a held card would bring now, in hundredths."""
    side = s.side[x]
    if effect.what == HEALTH and effect.whom == 0:
        return 100 * min(effect.many, s.fighter[x].top - side.health)
    if effect.what == AMMO and effect.whom == 0:
        return 100 * min(effect.many, t.dials.ammo - side.ammo)
    if effect.what == RADIATION and effect.whom == 0:
        return 100 * min(-effect.many, side.radiation)
    return np.int64(100)


@kernel
def held_value(s, t, x, effect):  # type: ignore[no-untyped-def]
    """What using a held card is worth: what it brings less what is wasted, and the fall it prevents."""
    bot, gain = t.bot[s.fighter[x].bot], held_gain(s, t, x, effect)
    if effect.what != HEALTH:
        return bot.heal * (gain if s.side[x].ammo == 0 or effect.what != AMMO else gain - 100 * abs(effect.many))
    value = bot.heal * (2 * gain - 100 * effect.many)
    return value - bot.fall * relief(s, t, x, gain // 100)


@kernel
def relief(s, t, x, health):  # type: ignore[no-untyped-def]
    """By how much more Health lowers the chance that the opponent's best attack beats side x, in hundredths."""
    table, kind = promised(s, t, 1 - x), own_kind(s, 1 - x)
    packed, salvo = best_of(s, t, 1 - x, table, kind * 3), best_of(s, t, 1 - x, table, SALVO * 3)
    if salvo > packed:
        packed, kind = salvo, SALVO
    law, left = law_of(s, kind), s.side[x].health
    return chance_of(t, law, packed, left) - chance_of(t, law, packed, left + health)


# ---------------------------------------------------------------- luck cards around an attack check


@kernel
def pick_around(s, t, stream, y, x, when, turn):  # type: ignore[no-untyped-def]
    """One of side y's luck cards to play before or after side x's attack check, as 1 + its first row, or KEEP; only
    those that change it."""
    fighter, s.options = s.fighter[y], 0
    offer(s, KEEP, 0)
    for i in range(fighter.around.rows):
        source, effect = fighter.around.source[i], fighter.around.row[i]
        if (s.side[y].spent >> source) & 1 or (i > 0 and fighter.around.source[i - 1] == source):
            continue
        if effect.when == when and (effect.whom ^ y) == (x if effect.what != ARMOR else 1 - x):
            offer(s, 1 + i, around_value(s, t, y, x, effect) if fighter.weighs == 1 else 0)
    if s.options == 1:
        return np.int64(KEEP)
    return decide(s, t, stream, y, LUCK_MOMENT + when * 2 * TURNS + x * TURNS + min(turn, TURNS - 1))


@kernel
def around_value(s, t, y, x, effect):  # type: ignore[no-untyped-def]
    """What a luck card adds to side x's attack or takes off it, in expected Health, less the price of the card."""
    side, bot = s.side[y], t.bot[s.fighter[y].bot]
    before = prospect(s, t, x, s.side[x].mode, s.side[x].act)
    if effect.what == REROLL:
        change = expected_of(before) - 100 * loss_of(s, before, s.shown)
    else:
        copy_effect(side.effect[side.used], effect)
        side.used, s.used = side.used + 1, s.used + 1
        change = expected_of(prospect(s, t, x, s.side[x].mode, s.side[x].act)) - expected_of(before)
        side.used, s.used = side.used - 1, s.used - 1
    if y == x:
        return bot.dealt * (change - LUCK_PRICE)
    return bot.taken * (change + LUCK_PRICE)


@kernel
def loss_of(s, packed, result):  # type: ignore[no-untyped-def]
    """The Health that a result of side x's check takes, by what his attack promised before it."""
    if successes(result) == 0:
        return np.int64(0)
    return hit_loss(((packed >> 3) & 31) + NET_LOW, tops(result), packed & 7)


@kernel
def pick_answer(s, t, stream, y):  # type: ignore[no-untyped-def]
    """A luck card of side y in reply to one of the opponent's, as 1 + its source, or KEEP."""
    s.options, turn = 0, 0
    offer(s, KEEP, 0)
    for source in range(SOURCES):
        turn += (s.side[y].spent >> source) & 1
        if ((s.fighter[y].answers & ~s.side[y].spent) >> source) & 1:
            offer(s, 1 + source, t.bot[s.fighter[y].bot].dealt * LUCK_PRICE)
    return decide(s, t, stream, y, ANSWER_MOMENT + turn)
