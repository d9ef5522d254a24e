"""A simple fight in place of the second edition's combat, which the expansion's book leans on without telling it. All
assumed (the pack's [land]): a few clashes in which both sides roll their dice, special icons, wounds and rewards."""

from __future__ import annotations

from simcore.bots import offer
from simcore.dice import roll, successes, tops
from simcore.journal import note
from simcore.kernels import kernel
from simcore.streams import word
from simcore.voyage.base import HEALTH, pool_of, test, wound
from simcore.voyage.belongings import AMMO, change
from simcore.voyage.bots import ALSO, LEAVE, TAKE, bot_of, decide
from simcore.voyage.effects import EXPERIENCE, apply_all, earn
from simcore.voyage.tables import TERM, WHEN
from simcore.voyage.tell import FIGHTS, FLEES, NOBODY_WINS, ROLLS, STANDS, STRIKES, STRUCK, WINS

DRIVING, CRIT, WON = TERM["driving"], WHEN["crit"], WHEN["won"]
AT_BLOW, AT_FOE = 256, 512


@kernel
def fight(s, t, stream, journal, k, card):  # type: ignore[no-untyped-def]
    """Fight an enemy, with Ammo or without, or try to escape him. One who fails to escape is struck first; after the
    last clash both let go. An unconscious knight is let be. An enemy's special icon does what its card says, once an
    attack (V1L-15); rewards come at the end (V1M-11)."""
    knight, foe = s.knight[k], t.card[card]
    knight.fights += 1
    health = foe.health + s.foe_health
    note(journal, FIGHTS, k, health, foe.dice + s.foe_die, foe.armor)
    how, extra = choose_stance(s, t, stream, k, health, foe.dice + s.foe_die), 0
    note(journal, STANDS, k, how, s.dice, s.armor)
    if how == LEAVE and test(s, t, stream, journal, k, DRIVING, t.land.flee):
        knight.fled += 1
        note(journal, FLEES, k)
        return
    if how == ALSO:
        change(s, journal, k, AMMO, -1)
        extra = t.land.ammo
    for clash in range(int(how != LEAVE), t.land.clashes + 1):
        if s.ended == 0 and knight.down == 0:
            if clash > 0:
                health -= strike_enemy(s, t, stream, journal, k, foe.armor, extra, clash)
                note(journal, STRIKES, k, clash, health)
            if health <= 0:
                win(s, t, journal, k, foe.dry)
                apply_all(s, t, stream, journal, k, foe.story, WON)
                return
            if strike_knight(s, t, stream, journal, k, foe.dice + s.foe_die, clash):
                apply_all(s, t, stream, journal, k, foe.story, CRIT)
    note(journal, NOBODY_WINS, k)


@kernel
def choose_stance(s, t, stream, k, health, dice):  # type: ignore[no-untyped-def]
    """Fight (TAKE), fight with Ammo (ALSO), or try to escape (LEAVE), by how the numbers stand."""
    bot = bot_of(s, t, k)
    left = t.knight[s.knight[k].role].term[HEALTH] - s.knight[k].hurt
    edge = t.land.clashes * (s.dice - dice + s.armor) + left - health
    s.options = 0
    offer(s, LEAVE, bot.fight * (s.term[DRIVING] - 2 * t.land.flee))
    offer(s, TAKE, bot.fight * edge)
    if s.knight[k].ammo > 0 and s.dice > 0:
        offer(s, ALSO, bot.fight * (edge + t.land.ammo * t.land.clashes) - bot.ammo)
    return decide(s, t, stream, k)


@kernel
def strike_enemy(s, t, stream, journal, k, armor, extra, clash):  # type: ignore[no-untyped-def]
    """The knight's attack: wounds dealt. Threat tokens deal some in the first one, and show special icons, which pass
    any armor (V1M-22). Without the trait and without an Aquatic weapon there is no attack (V1M-17)."""
    if s.dice <= 0:
        return 0
    dice = pool_of(s, s.dice + extra)
    result = roll(stream, t.laws, 0, dice, word(s.key, AT_BLOW + clash))
    note(journal, ROLLS, k, dice, successes(result), tops(result))
    dealt = max(0, successes(result) - armor) + tops(result)
    dealt += s.strike + s.crit
    s.strike, s.crit = 0, 0
    return dealt


@kernel
def strike_knight(s, t, stream, journal, k, dice, clash):  # type: ignore[no-untyped-def]
    """The enemy's attack: wounds less armor; whether it showed a special icon (V1L-15)."""
    if dice <= 0:
        return False
    pool = pool_of(s, dice)
    result = roll(stream, t.laws, 0, pool, word(s.key, AT_FOE + clash))
    note(journal, STRUCK, k, successes(result), tops(result), pool)
    wound(s, t, journal, k, max(0, successes(result) - s.armor))
    return tops(result) > 0


@kernel
def win(s, t, journal, k, dry):  # type: ignore[no-untyped-def]
    """An enemy is beaten: experience, and rewards, of which one may be taken as Water where its kind allows
    (V1M-11)."""
    s.knight[k].won += 1
    note(journal, WINS, k)
    earn(s, t, journal, k, EXPERIENCE, t.land.experience + s.prize)
    s.swap = t.rules.reward * t.table.water * (1 - dry)
