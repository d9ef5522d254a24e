"""Gear cards: what a knight holds, wears and can use, folded into numbers once, not asked at every roll.

A load-out (kit) is one choice of hands and body. Standing effects of abilities, gear and enemy cards are added to
the modes of attack and to armor by clash, range and kind of attack.
"""

from __future__ import annotations

import numpy as np

from simcore.kernels import has_room, index, inlined, kernel
from simcore.knights.state import (
    ATTACK,
    BY_BOOK,
    CHANGE,
    CLASHES,
    DEFEND,
    MEMORIES,
    MODES,
    MOODS,
    PLACES,
    PREPARE,
    RANGES,
    SALVO,
    SUPPLIES,
    UNKNOWN,
    USES,
)
from simcore.knights.state import (
    MULTI as MULTI_CARD,
)
from simcore.knights.tables import ACTS, KITS, MELEE, ONLY, WHAT, WHEN
from simcore.streams import word

STANDING, BEFORE, ANY_TIME = WHEN["standing"], WHEN["before"], WHEN["any_time"]
ATTACKING, ROLLED, REPLY = WHEN["attack"], WHEN["rolled"], WHEN["reply"]
ONE_USE, PLAYED = 1, 3
DICE, DAMAGE, PIERCING = WHAT["dice"], WHAT["damage"], WHAT["piercing"]
HEALTH, AMMO, RADIATION = WHAT["health"], WHAT["ammo"], WHAT["radiation"]
ARMOR, BULLS_EYE, MULTI, STRIDE = WHAT["armor"], WHAT["bulls_eye"], WHAT["multi"], WHAT["stride"]
START_RANGE = WHAT["start_range"]
ONLY_RANGE, ONLY_CLASH, ONLY_MELEE, ONLY_RANGED = ONLY["short"], ONLY["clash_1"], ONLY["melee"], ONLY["ranged"]
ONLY_AMMO, ONLY_TRAIT = ONLY["ammo"], ONLY["beast"]
GUNS, BLADES = 1, 0
TEXT, HAND, BODY, STORED, ON_BODY = 8, 9, 11, -1, 2
"""Where an effect to use comes from, beside the places 0..7 of the cards carried."""
ALWAYS = 1 << CHANGE | 1 << DEFEND | 1 << PREPARE
"""Combat cards without a condition, as long as no Prepare lies open."""


@kernel
def holds(s, t, effect, foe, place, blow):  # type: ignore[no-untyped-def]
    """Whether an effect's `only` fits: `foe` is its holder's opponent, `place` as in PLACES, `blow` 0 melee,
    1 ranged, 2 ranged that spends Ammo."""
    only = effect.only
    if only == 0:
        return True
    if only < ONLY_CLASH:
        return place % RANGES == only - ONLY_RANGE
    if only < ONLY_MELEE:
        return place // RANGES == only - ONLY_CLASH
    if only == ONLY_MELEE:
        return blow == 0
    if only == ONLY_RANGED:
        return blow > 0
    if only == ONLY_AMMO:
        return blow == 2
    return has_trait(s, t, foe, only - ONLY_TRAIT)


@kernel
def has_trait(s, t, x, trait):  # type: ignore[no-untyped-def]
    """Whether side x is an enemy with a trait, numbered as in `cards.TRAITS`."""
    return s.fighter[x].knight == 0 and t.enemy[s.fighter[x].role].trait[trait] == 1


@kernel
def arm(s, t, seats, duel):  # type: ignore[no-untyped-def]
    """Get both sides of a seating ready: who they are, then their load-outs. `seats`: one seating; duel 0 or 1."""
    s.duel = duel
    for x in range(2):
        seat = (seats.first + x) % 2
        fighter = s.fighter[x]
        fighter.knight = 1 if duel == 1 or seat == 0 else 0
        fighter.role, fighter.bot = seats.role[seat], seats.bot[seat]
        fighter.health = t.table.health if fighter.knight == 1 else t.enemy[fighter.role].health
        set_dials(fighter, t)
    outfit(s, t)


@kernel
def outfit(s, t):  # type: ignore[no-untyped-def]
    """Get both sides ready for a combat, given who they are and how their dials stand: `knight`, `role`, `bot`, Health,
    Ammo, Fuel, Radiation and the frozen wound of each fighter."""
    s.ferocious, s.around, s.overflow = 0, 0, 0
    for x in range(2):
        fighter = s.fighter[x]
        forget_uses(fighter)
        fighter.top = t.dials.health
        if fighter.knight == 0:
            fighter.top = t.enemy[fighter.role].health
            s.ferocious |= t.enemy[fighter.role].ferocious
        fighter.stride = 1
        bot = t.bot[fighter.bot]
        fighter.weighs = BY_BOOK if bot.solved == 1 else 1 - bot.even
    for x in range(2):
        if s.fighter[x].knight == 1:
            arm_knight(s, t, x)
        else:
            arm_enemy(s, t, x)
    for x in range(2):
        for k in range(s.fighter[x].kits):
            deal_cards(s, t, x, k)
        note_supply(s, t, x)
        note_lasting(s.fighter[x])
    s.crowded = s.overflow
    forget_situations(s)


@kernel
def forget_situations(s):  # type: ignore[no-untyped-def]
    """Clear what bots have foreseen and thought."""
    s.moods = 0
    add_mood(s, np.uint64(0))
    if s.fighter[0].weighs + s.fighter[1].weighs > 0:
        for i in range(MEMORIES):
            s.memory[i].situation = UNKNOWN


@kernel
def forget_uses(fighter):  # type: ignore[no-untyped-def]
    """Clear the effects that a side can use, and the moments at which the rest happens."""
    fighter.before.rows, fighter.held.rows, fighter.around.rows, fighter.moments = 0, 0, 0, 0
    fighter.healers = fighter.loaders = fighter.cleaners = fighter.early = fighter.once = 0
    fighter.lucky = fighter.answers = fighter.aside = 0


@kernel
def arm_again(s, t, x, sign):  # type: ignore[no-untyped-def]
    """Arm a knight in the middle of a combat by his sheet; with `sign` -1, before it changes, only take back how far
    its cards let each side go, with 1 add that of the new ones, and see what he can do and pay now (K1F-12)."""
    first, second = int(s.fighter[0].stride), int(s.fighter[1].stride)
    s.fighter[0].stride, s.fighter[1].stride = 0, 0
    forget_uses(s.fighter[x])
    arm_knight(s, t, x)
    for y in range(2):
        change = sign * s.fighter[y].stride
        s.fighter[y].stride = (first if y == 0 else second) + change
        s.side[y].stride += change
    if sign < 0:
        return
    for k in range(s.fighter[x].kits):
        deal_cards(s, t, x, k)
    s.side[x].kit = 0
    count_supply(s, t, x)
    note_lasting(s.fighter[x])
    forget_situations(s)
    feel(s, t)


@kernel
def set_dials(fighter, t):  # type: ignore[no-untyped-def]
    """Dials as the table sets them; the wound penalty is frozen at its value now (K1F-28, K4-27)."""
    knight = fighter.knight
    fighter.ammo, fighter.fuel = knight * t.table.ammo, knight * t.table.fuel
    fighter.radiation = knight * t.table.radiation
    frozen = knight == 1 and t.ruling.wounds_in_combat == 0
    fighter.wound = t.dials.wound_dice[fighter.health] if frozen else 0


@kernel
def note_supply(s, t, x):  # type: ignore[no-untyped-def]
    """Note what side x can pay as combats start."""
    fighter, side = s.fighter[x], s.side[x]
    side.ammo, side.fuel, side.fuelled, side.kit = fighter.ammo, fighter.fuel, 0, 0
    count_supply(s, t, x)
    fighter.supply = side.supply


@kernel
def add_mood(s, tag):  # type: ignore[no-untyped-def]
    """Number one more mood, in which bots have foreseen nothing yet."""
    for x in range(2):
        for k in range(KITS):
            for other in range(KITS):
                s.foreseen[s.moods, x, k, other] = 0
    s.mood, s.mood_tag[s.moods] = s.moods, tag
    s.moods += 1


@kernel
def feel(s, t):  # type: ignore[no-untyped-def]
    """Find the mood's number after a change: attack terms used, Radiation that bars Bull's Eyes, strides, and which
    weapons have their Fuel when there is no more. A term of one attack alone has no number."""
    if s.around == 2:
        s.mood = UNKNOWN
        return
    tag = s.terms
    for x in range(2):
        side = s.side[x]
        barred = side.radiation >= t.dials.no_bulls_eyes_from
        tag = word(word(tag, side.stride * 2 + int(barred)), side.fuelled if side.fuel == 0 else 0)
    s.mood = UNKNOWN
    for i in range(1, s.moods):
        if s.mood_tag[i] == tag:
            s.mood = i
    if s.mood == UNKNOWN and s.moods < MOODS:
        add_mood(s, tag)


@kernel
def arm_knight(s, t, x):  # type: ignore[no-untyped-def]
    """The load-outs of a knight, and what he can use (K1D-09, K5-67)."""
    fighter = s.fighter[x]
    knight = t.knight[fighter.role]
    fighter.kits = knight.kits
    for k in range(knight.kits):
        kit, worn = fighter.kit[k], knight.kit[k]
        strip(kit)
        kit.body = worn.armor
        kit.weapons = worn.weapons
        for i in range(worn.weapons):
            kit.weapon[i] = worn.weapon[i]
        for i in range(worn.weapons):
            add_modes(s, t, x, k, worn.weapon[i], i)
        if worn.armor >= 0:
            harden(kit, t.armor[worn.armor].armor)
        fold_knight(s, t, x, k)
    note_uses(s, t, x, knight.text, TEXT)
    for i in range(knight.carries):
        if t.table.held_cards == 1 or t.gear[knight.carried[i]].use == 0:
            note_uses(s, t, x, t.gear[knight.carried[i]].text, i)
    for i in range(knight.adds):
        note_uses(s, t, x, t.gear[knight.add[i]].text, STORED)
    for k in range(knight.kits):
        for i in range(fighter.kit[k].weapons):
            note_uses(s, t, x, t.weapon[fighter.kit[k].weapon[i]].text, HAND + i if k == 0 else STORED)
        for i in range(knight.kit[k].adds):
            note_uses(s, t, x, t.gear[knight.kit[k].add[i]].text, STORED)
        if fighter.kit[k].body >= 0:
            note_uses(s, t, x, t.armor[fighter.kit[k].body].text, BODY if k == 0 else STORED)


@kernel
def arm_enemy(s, t, x):  # type: ignore[no-untyped-def]
    """The one load-out of an enemy card: Aggression is its skill, and it pays nothing (K1F-18, K1F-29)."""
    fighter = s.fighter[x]
    enemy = t.enemy[fighter.role]
    fighter.kits = 1
    strip(fighter.kit[0])
    add_modes(s, t, x, 0, -1, 0)
    harden(fighter.kit[0], enemy.armor)
    fold_text(s, t, x, 0, enemy.text, -1)
    note_uses(s, t, x, enemy.text, TEXT)


@kernel
def strip(kit):  # type: ignore[no-untyped-def]
    """Empty a load-out."""
    kit.modes, kit.weapons, kit.body = 0, 0, -1
    for place in range(PLACES):
        for ranged in range(2):
            guard = kit.guard[place, ranged]
            guard.armor, guard.foe_dice, guard.foe_damage, guard.foe_armor = 0, 0, 0, 0


@kernel
def harden(kit, armor):  # type: ignore[no-untyped-def]
    """Add armor to a load-out at every place, against all attacks."""
    for place in range(PLACES):
        for ranged in range(2):
            kit.guard[place, ranged].armor += armor


@kernel
def add_modes(s, t, x, k, weapon, hand):  # type: ignore[no-untyped-def]
    """A mode of attack for each icon of a weapon, or with -1 of an enemy card (K1F-18, K5-64, K5-70)."""
    fighter = s.fighter[x]
    kit = fighter.kit[k]
    for icon in range(4):
        shown = t.weapon[weapon].icon[icon] if weapon >= 0 else t.enemy[fighter.role].icon[icon]
        if shown == 0 or not has_room(s, kit.modes, MODES):
            continue
        mode = kit.mode[kit.modes]
        kit.modes += 1
        mode.icon, mode.weapon, mode.ranged, mode.hand = icon, weapon, 0 if icon == MELEE else 1, hand
        if weapon >= 0:
            skill = t.knight[fighter.role].skill[BLADES if icon == MELEE else GUNS]
            print_mode(mode, t, t.weapon[weapon], skill - fighter.wound)
            mode.ammo = t.weapon[weapon].ammo * mode.ranged
            mode.fuel = t.weapon[weapon].fuel
        else:
            print_mode(mode, t, t.enemy[fighter.role], t.enemy[fighter.role].aggression + t.table.enemy_dice)
            mode.ammo, mode.fuel = 0, 0


@kernel
def print_mode(mode, t, card, dice):  # type: ignore[no-untyped-def]
    """The printed numbers of a card, of the range cards and of combat cards, by place; `dice`: those of the skill."""
    for place in range(PLACES):
        blow, distance = mode.at[place], t.distance[place % RANGES]
        blow.rank = distance.rank[mode.icon]
        for act in range(ACTS):
            extra = card.multi if act // 3 == SALVO else 0
            blow.dice[act] = dice + distance.dice[mode.icon] + t.combat.gain[act] + extra
        blow.damage = t.combat.base_damage + card.damage + distance.damage[mode.icon]
        blow.piercing, blow.multi, blow.bulls_eye = card.piercing, card.multi, card.bulls_eye


@kernel
def fold_knight(s, t, x, k):  # type: ignore[no-untyped-def]
    """Fold what stands into a load-out: ability, weapons in hand, armor, what is attached to them, permanent gear
    (K1F-21, K5B-16)."""
    knight, kit = t.knight[s.fighter[x].role], s.fighter[x].kit[k]
    fold_text(s, t, x, k, knight.text, -1)
    for i in range(kit.weapons):
        fold_text(s, t, x, k, t.weapon[kit.weapon[i]].text, i)
    if kit.body >= 0:
        fold_text(s, t, x, k, t.armor[kit.body].text, -1)
    worn = knight.kit[k]
    for i in range(worn.adds):
        fold_text(s, t, x, k, t.gear[worn.add[i]].text, -1 if worn.add_to[i] == ON_BODY else worn.add_to[i])
    for i in range(knight.adds):
        fold_text(s, t, x, k, t.gear[knight.add[i]].text, -1)
    for i in range(knight.carries):
        if t.gear[knight.carried[i]].use == 0:
            fold_text(s, t, x, k, t.gear[knight.carried[i]].text, -1)


@kernel
def fold_text(s, t, x, k, text, hand):  # type: ignore[no-untyped-def]
    """Fold the standing effects of one card into load-out k of side x; attack terms of a weapon, or of what is attached
    to it, are for that hand alone. `hand`: -1 for all."""
    for i in range(text.effects):
        effect = text.effect[i]
        if effect.when != STANDING:
            continue
        if effect.what == STRIDE:
            if k == 0:
                s.fighter[effect.whom ^ x].stride += effect.many
        elif effect.whom == 0 and effect.what != ARMOR:
            fold_modes(s, t, x, k, effect, hand)
        else:
            fold_kit(s, t, x, k, effect)


@kernel
def fold_modes(s, t, x, k, effect, hand):  # type: ignore[no-untyped-def]
    """Add an own attack term to the modes that it fits."""
    kit = s.fighter[x].kit[k]
    for m in range(kit.modes):
        mode = kit.mode[m]
        if hand >= 0 and mode.hand != hand:
            continue
        for place in range(PLACES):
            if not holds(s, t, effect, 1 - x, place, mode.ranged + mode.ammo):
                continue
            blow = mode.at[place]
            if effect.what == DICE:
                add_dice(blow, 0, ACTS, effect.many)
            elif effect.what == DAMAGE:
                blow.damage += effect.many
            elif effect.what == PIERCING:
                blow.piercing += effect.many
            elif effect.what == BULLS_EYE:
                blow.bulls_eye += effect.many
            elif effect.what == MULTI:
                blow.multi += effect.many
                add_dice(blow, SALVO * 3, SALVO * 3 + 3, effect.many)


@kernel
def add_dice(blow, first, stop, many):  # type: ignore[no-untyped-def]
    """Add dice to the acts first..stop-1 of a blow."""
    for act in range(first, stop):
        blow.dice[act] += many


@kernel
def fold_kit(s, t, x, k, effect):  # type: ignore[no-untyped-def]
    """Add armor, or what is done to the opponent's dice, damage and armor; his piercing is own armor lost."""
    kit = s.fighter[x].kit[k]
    for place in range(PLACES):
        for ranged in range(2):
            if not holds(s, t, effect, 1 - x, place, 2 * ranged):
                continue
            guard = kit.guard[place, ranged]
            if effect.what == ARMOR and effect.whom == 0:
                guard.armor += effect.many
            elif effect.what == ARMOR:
                guard.foe_armor += effect.many
            elif effect.what == DICE:
                guard.foe_dice += effect.many
            elif effect.what == DAMAGE:
                guard.foe_damage += effect.many
            elif effect.what == PIERCING:
                guard.armor -= effect.many


@kernel
def note_uses(s, t, x, text, source):  # type: ignore[no-untyped-def]
    """List a card's effects to use before combat or at any time, and the moments at which the rest happens.

    `source`: the place among the cards carried, TEXT, HAND + i or BODY; STORED lists moments only."""
    fighter = s.fighter[x]
    for i in range(text.effects):
        effect = text.effect[i]
        fighter.moments |= 1 << effect.when
        if source == STORED:
            continue
        if effect.when == BEFORE:
            add_choice(s, fighter.before, effect, source)
        elif effect.when == ANY_TIME and add_choice(s, fighter.held, effect, source):
            fighter.first[source] = fighter.held.rows - 1
            note_help(fighter, effect, 1 << source)
        elif effect.when == ATTACKING or effect.when == ROLLED:
            add_choice(s, fighter.around, effect, source)
            fighter.aside |= 1 << source
            s.around = 1
        elif effect.when == REPLY:
            fighter.answers |= 1 << source
            fighter.aside |= 1 << source
        if source < TEXT:
            note_use(fighter, t.gear[t.knight[fighter.role].carried[source]].use, 1 << source)


@inlined
def note_use(fighter, use, source):  # type: ignore[no-untyped-def]
    """Note that a source is used up; `source`: its bit."""
    if use in (ONE_USE, PLAYED):
        fighter.once |= source
    if use == PLAYED:
        fighter.lucky |= source


@kernel
def add_choice(s, choices, effect, source):  # type: ignore[no-untyped-def]
    """List one more effect to use; True if it is the first of its source."""
    row = choices.rows
    if not has_room(s, row, USES):
        return False
    copy_effect(choices.row[row], effect)
    choices.source[row] = source
    choices.rows += 1
    return row == 0 or choices.source[row - 1] != source


@kernel
def note_help(fighter, effect, source):  # type: ignore[no-untyped-def]
    """Note what the first row of a held card brings its holder, if anything; `source`: the bit of the card."""
    what, many = effect.what, effect.many
    if effect.whom == 1 or (what != HEALTH and what != AMMO and what != RADIATION):
        fighter.early |= source
    elif what == HEALTH and many > 0:
        fighter.healers |= source
    elif what == AMMO and many > 0:
        fighter.loaders |= source
        fighter.early |= source
    elif what == RADIATION and many < 0:
        fighter.cleaners |= source
        fighter.early |= source


@kernel
def note_lasting(fighter):  # type: ignore[no-untyped-def]
    """Note which sources leave something behind until the combat ends, and which nothing."""
    before, held = sources_of(fighter.before, False), sources_of(fighter.held, False)
    fighter.lasting = sources_of(fighter.before, True) | sources_of(fighter.held, True)
    fighter.idle = before & ~held & ~fighter.lasting
    fighter.late = held & ~fighter.lasting & ~fighter.healers


@kernel
def sources_of(choices, lasting):  # type: ignore[no-untyped-def]
    """Bits of the sources of effects to use; or of those that last."""
    found = 0
    for i in range(choices.rows):
        what = choices.row[i].what
        if not lasting or what < START_RANGE or what == STRIDE:
            found |= 1 << choices.source[i]
    return found


@kernel
def copy_effect(to, effect):  # type: ignore[no-untyped-def]
    """Copy one row of effect."""
    to.when, to.what, to.whom, to.many, to.only = effect.when, effect.what, effect.whom, effect.many, effect.only


@kernel
def deal_cards(s, t, x, k):  # type: ignore[no-untyped-def]
    """Which modes of a load-out can attack, and so which cards can be played, by place and supply (K1F-05, K5-65,
    K5-66, K5-67, K5-69; K4-28); Prepare still depends on whether one lies open. An enemy has all supplies (K1F-29)."""
    kit = s.fighter[x].kit[k]
    least = 0 if s.fighter[x].knight == 1 else SUPPLIES - 1
    for place in range(min(t.combat.clashes, CLASHES) * RANGES):
        for salvo in range(2):
            list_usable(kit, place, salvo, least)
        for supply in range(least, SUPPLIES):
            hand = kit.hand[index(place), index(supply)]
            attack = hand.usable[0] > 0 or t.ruling.attack_without_icon == 1
            hand.cards = ALWAYS | int(attack) << ATTACK | int(hand.usable[1] > 0) << MULTI_CARD


@kernel
def list_usable(kit, place, salvo, least):  # type: ignore[no-untyped-def]
    """The bits of the modes that can attack at a place, or with salvo 1 multi-attack, for each supply from `least`."""
    for supply in range(least, SUPPLIES):
        kit.hand[index(place), index(supply)].usable[index(salvo)] = 0
    for m in range(kit.modes):
        price = price_of(kit.mode[index(m)], place, salvo)
        for supply in range(least, SUPPLIES):
            kit.hand[index(place), index(supply)].usable[index(salvo)] |= int(price & ~supply == 0) << m


@kernel
def price_of(mode, place, salvo):  # type: ignore[no-untyped-def]
    """What a mode's attack takes, in bits of SUPPLIES, or what nobody has: if its icon is not on the range card, or
    has no multi-attack (K1F-04, K1F-05, K1F-17)."""
    if mode.at[place].rank < 0 or (salvo == 1 and mode.at[place].multi < 1):
        return SUPPLIES
    return mode.ammo * (1 + salvo) | mode.fuel * (4 << mode.hand)


@inlined
def stand_at(s, distance):  # type: ignore[no-untyped-def]
    """Set the range, and the place of it and the present clash in the folded numbers."""
    s.range = distance
    s.place = min(s.clash, CLASHES - 1) * RANGES + distance


@inlined
def count_supply(s, t, x):  # type: ignore[no-untyped-def]
    """Note what side x can pay now, in the bits of SUPPLIES: at the start, and when dials or gear have changed.

    An enemy can pay anything (K1F-29); Fuel spent on a weapon covers the whole combat (K1F-33)."""
    side = s.side[index(x)]
    if s.fighter[index(x)].knight == 0:
        side.supply = SUPPLIES - 1
        return
    supply = (1 if side.ammo >= t.combat.attack_ammo else 0) + (2 if side.ammo >= t.combat.multi_ammo else 0)
    if side.fuel > 0:
        supply += 12
    elif side.fuelled != 0:
        supply += fuelled_hands(s.fighter[index(x)].kit[index(side.kit)], side.fuelled) << 2
    side.supply = supply


@kernel
def fuelled_hands(kit, fuelled):  # type: ignore[no-untyped-def]
    """Bits of the hands whose weapons are among the bits of `fuelled`."""
    hands = 0
    for i in range(kit.weapons):
        hands |= ((fuelled >> kit.weapon[i]) & 1) << i
    return hands
