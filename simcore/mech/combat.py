"""Dice and combat: crew attacks, gun shots and enemy attacks."""

from __future__ import annotations

from simcore.dice import roll, successes, tops
from simcore.journal import note
from simcore.kernels import cut_to, inlined, kernel
from simcore.mech.cards import MOST_DICE, WASTES
from simcore.mech.effects import apply, hurt
from simcore.mech.rooms import change_noise
from simcore.mech.state import NONE
from simcore.mech.tables import WHAT, WHEN
from simcore.mech.tell import ATTACKED, DESTROYED, DICE_FROM, FALLEN, GUARDED, LUCKY, OF_ENEMY, SHOOTS, WOUNDED
from simcore.piles import discard_card
from simcore.streams import word

UNARMED, GUARD, SOAK, SHELTER, RAGE = WHAT["unarmed"], WHAT["guard"], WHAT["soak"], WHAT["shelter"], WHAT["rage"]
DESTROYED_NOW, KILL, UNARMED_KILL = WHEN["destroyed"], WHEN["kill"], WHEN["unarmed_kill"]


@kernel
def roll_hits(s, t, stream, journal, room, dice, helps, key):  # type: ignore[no-untyped-def]
    """Roll an attack in a room: not-ones * 64 + hits of a pool (M14-01), 0 for no dice.

    The gambler's die of a crew member there may take the place of one die, once (M18-07). The policy: at the first roll
    that it helps the crew in; `helps` is 1 if hits do.
    """
    dice = cut_to(s, dice, MOST_DICE)
    if dice <= 0:
        return 0
    face = lucky_die(s, t, journal, room, helps)
    if face == 0:
        return roll(stream, t.laws, 0, dice, key)
    fixed = 64 * int(face >= t.laws.success_from[0]) + int(face >= t.laws.top_from[0])
    return fixed if dice == 1 else fixed + roll(stream, t.laws, 0, dice - 1, key)


@kernel
def lucky_die(s, t, journal, room, helps):  # type: ignore[no-untyped-def]
    """Take the gambler's die of someone in the room if its face helps the crew now; its face, or 0."""
    for c in range(len(s.crew)):
        member = s.crew[c]
        there = member.die > 0 and member.room == room and member.downed == 0
        if there and (member.die >= t.laws.top_from[0]) == (helps == 1):
            face = member.die
            member.die = 0
            note(journal, LUCKY, c, face)
            return face
    return 0


@kernel
def unarmed_dice(s, c):  # type: ignore[no-untyped-def]
    """Dice of an unarmed attack (M14-03), with Rage Gene (M18-05)."""
    member = s.crew[c]
    return member.attack + member.term[UNARMED] + s.term[UNARMED] + raging_dice(s, c)


@inlined
def raging_dice(s, c):  # type: ignore[no-untyped-def]
    """Dice for missing Health (M18-05)."""
    return (s.crew[c].top - s.crew[c].health) * s.crew[c].term[RAGE]


@kernel
def wound(s, t, journal, e, many):  # type: ignore[no-untyped-def]
    """Take Health from an enemy, kept from round to round (M5-13); whether that destroyed it."""
    enemy = s.enemy[e]
    if enemy.health <= 0 or many <= 0:
        return False
    enemy.health -= many
    if enemy.health > 0:
        note(journal, WOUNDED, name_of(enemy), enemy.health)
        return False
    card = t.enemy[enemy.card]
    note(journal, DESTROYED, name_of(enemy), enemy.room)
    leave(s, t, journal, e)
    s.destroyed[card.level] += 1
    for i in range(card.text.effects):
        effect = card.text.effect[i]
        if effect.when == DESTROYED_NOW:
            note(journal, OF_ENEMY, name_of(enemy), FALLEN)
            apply(s, t, journal, effect, NONE, enemy.room)
    return True


@kernel
def leave(s, t, journal, e):  # type: ignore[no-untyped-def]
    """Take an enemy off the board and discard its card (M5-14), with its Noise if the ruling says so (M5-27)."""
    enemy = s.enemy[e]
    enemy.health = 0
    s.gaps += 1
    s.room[enemy.room].enemies -= 1
    discard_card(s.deck, enemy.card)
    if t.ruling.noise_leaves_with_card == 0:
        change_noise(s, journal, -t.enemy[enemy.card].noise)


@kernel
def strike(s, t, stream, journal, c, e, dice):  # type: ignore[no-untyped-def]
    """A crew member's attack with so many dice on an enemy: the result of the pool."""
    member, enemy = s.crew[c], s.enemy[e]
    key = word(word(s.key[0], s.turn * 64 + s.step), enemy.card * 32 + enemy.standee)
    result = roll_hits(s, t, stream, journal, member.room, dice, 1, key)
    hits = max(0, tops(result) - t.enemy[enemy.card].armor)
    note(journal, SHOOTS, c, name_of(enemy), dice, result)
    member.dealt += min(hits, enemy.health)
    if wound(s, t, journal, e, hits):
        credit(s, t, journal, c)
    return result


@kernel
def credit(s, t, journal, c):  # type: ignore[no-untyped-def]
    """A crew member has destroyed an enemy, by whatever means (M18-10)."""
    s.crew[c].kills += 1
    rejoice(s, t, journal, c, t.ability[s.crew[c].ability].text, KILL)


@kernel
def rejoice(s, t, journal, c, text, when):  # type: ignore[no-untyped-def]
    """What an ability or a weapon does when its owner has destroyed an enemy with it (M18-02, M18-10)."""
    for i in range(text.effects):
        if text.effect[i].when == when:
            apply(s, t, journal, text.effect[i], c, s.crew[c].room)


@kernel
def strike_unarmed(s, t, stream, journal, c, e):  # type: ignore[no-untyped-def]
    """An unarmed attack, always open (M5-21)."""
    member, before = s.crew[c], s.crew[c].kills
    note(journal, DICE_FROM, member.attack, member.term[UNARMED], raging_dice(s, c), s.term[UNARMED])
    strike(s, t, stream, journal, c, e, unarmed_dice(s, c))
    if s.crew[c].kills > before:
        rejoice(s, t, journal, c, t.ability[s.crew[c].ability].text, UNARMED_KILL)


@kernel
def attack_on(s, t, stream, journal, e, c):  # type: ignore[no-untyped-def]
    """An enemy's attack on one crew member (M14-06): Health lost."""
    enemy, member = s.enemy[e], s.crew[c]
    card = t.enemy[enemy.card]
    dice = card.attack - member.term[GUARD] - s.room[member.room].term[SHELTER]
    key = word(word(s.key[0], s.turn * 64 + c), enemy.card * 32 + enemy.standee)
    result = roll_hits(s, t, stream, journal, member.room, dice, 0, key)
    hits = max(0, tops(result) - member.term[SOAK])
    note(journal, GUARDED, card.attack, member.term[GUARD], s.room[member.room].term[SHELTER], tops(result) - hits)
    note(journal, ATTACKED, name_of(enemy), c, max(0, dice), tops(result))
    before = member.health
    hurt(s, journal, c, hits)
    return before - member.health


@inlined
def name_of(enemy):  # type: ignore[no-untyped-def]
    """An enemy's card and standee as one number, which stays when the board changes."""
    return enemy.card * 32 + enemy.standee


@inlined
def jammed(result):  # type: ignore[no-untyped-def]
    """Whether a weapon's roll showed nothing but ones (M14-04)."""
    return successes(result) == 0


@inlined
def in_wastes(s):  # type: ignore[no-untyped-def]
    """How many enemies are in The Wastes."""
    return s.room[WASTES].enemies
