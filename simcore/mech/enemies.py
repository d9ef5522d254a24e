"""Enemies: how they appear, what they are going to do, and how all of it is carried out at once."""

from __future__ import annotations

from simcore.bots import offer
from simcore.dice import tops
from simcore.journal import note
from simcore.kernels import has_room, inlined, kernel
from simcore.mech.cards import BOARD, WASTES
from simcore.mech.choices import decide
from simcore.mech.combat import attack_on, name_of, roll_hits, strike_unarmed
from simcore.mech.effects import apply
from simcore.mech.rooms import change_hull, change_noise, worsen
from simcore.mech.state import NONE, ON_FIRE
from simcore.mech.tables import FAR, FUNCTION, ROLE, WHAT, WHEN
from simcore.mech.tell import (
    ACTED,
    APPEARED,
    APPEARS,
    BREAKS,
    CRUSHES,
    LEAVES,
    MOVES_TO,
    OF_ENEMY,
    SHELLS,
    STRIKES_BACK,
)
from simcore.piles import discard_card
from simcore.streams import upper_bits, word

TIES = 1 << 16
"""Steps count so much in the choice of a way, what decides between ways as long less."""

STAY, BITE, BREAK, MOVE, SHELL = range(5)
"""What an enemy is going to do: nothing, attack the crew in its room, its room, move, or attack the Hull."""

COUNTER, LURE = WHAT["counter"], WHAT["lure"]
SPAWNED, ACTS = WHEN["spawned"], WHEN["acts"]
DECK = FUNCTION["deck"]
THE_HARROW, THE_SCOURGE = ROLE["harrow"], ROLE["scourge"]


# ---------------------------------------------------------------- how they appear


@kernel
def appear(s, t, journal, card, room):  # type: ignore[no-untyped-def]
    """Put an enemy on the board (M5-15); without a standee its Health is lost from the Hull instead (M15-07). In the
    lab it may leave at once."""
    kind = t.enemy[card]
    if t.table.idle_enemies == 1:
        s.spawned[kind.level] += 1
        discard_card(s.deck, card)
        note(journal, LEAVES, card * 32)
        return
    standee = free_standee(s, t, card)
    if standee == NONE:
        discard_card(s.deck, card)
        s.crushed += 1
        note(journal, CRUSHES, card * 32)
        change_hull(s, t, journal, -kind.health)
        return
    if not has_room(s, s.enemies, BOARD):
        return
    enemy = s.enemy[s.enemies]
    enemy.card, enemy.standee, enemy.room, enemy.health, enemy.deed = card, standee, room, kind.health, STAY
    s.enemies += 1
    s.room[room].enemies += 1
    s.spawned[kind.level] += 1
    note(journal, APPEARS, name_of(enemy), room)
    change_noise(s, journal, kind.noise)
    for i in range(kind.text.effects):
        if kind.text.effect[i].when == SPAWNED:
            note(journal, OF_ENEMY, name_of(enemy), APPEARED)
            apply(s, t, journal, kind.text.effect[i], NONE, room)


@kernel
def free_standee(s, t, card):  # type: ignore[no-untyped-def]
    """The lowest number of a standee of this enemy that isn't on the board, or NONE."""
    used = 0
    for e in range(s.enemies):
        if s.enemy[e].card == card and s.enemy[e].health > 0:
            used |= 1 << s.enemy[e].standee
    for standee in range(t.enemy[card].standees):
        if (used >> standee) & 1 == 0:
            return standee
    return NONE


@kernel
def spawn_room(s, t, card):  # type: ignore[no-untyped-def]
    """Where an enemy appears: the room on its card, or with Lost Link that of a crew member next to it (M18-05, M4-28).

    He may; the policy: if nobody stands where it would appear, so that no room is damaged."""
    room = t.enemy[card].room
    if room == WASTES or s.room[room].crew > 0:
        return room
    for c in range(len(s.crew)):
        member = s.crew[c]
        if member.here == 1 and member.downed == 0 and member.term[LURE] > 0 and t.room[room].far[member.room] == 1:
            return member.room
    return room


@kernel
def tidy(s):  # type: ignore[no-untyped-def]
    """Close the gaps that destroyed enemies left on the board."""
    if s.gaps == 0:
        return
    kept, s.gaps = 0, 0
    for e in range(s.enemies):
        if s.enemy[e].health > 0:
            if kept < e:
                here, there = s.enemy[kept], s.enemy[e]
                here.card, here.standee, here.room, here.health = there.card, there.standee, there.room, there.health
            kept += 1
    s.enemies = kept


# ---------------------------------------------------------------- what they are going to do


@kernel
def guarded(s, t, room):  # type: ignore[no-untyped-def]
    """Whether crew in a room draw attacks: those who stand, and the Downed if the ruling says so (M4-07)."""
    if s.room[room].crew > 0:
        return True
    if t.ruling.downed_in_room == 1:
        for c in range(len(s.crew)):
            if s.crew[c].here == 1 and s.crew[c].room == room:
                return True
    return False


@kernel
def determine(s, t):  # type: ignore[no-untyped-def]
    """Every enemy picks the first priority that applies, all on the same board (M12-04, M15-01 to M15-05)."""
    for e in range(s.enemies):
        enemy = s.enemy[e]
        enemy.goal = enemy.room
        if t.enemy[enemy.card].role in (THE_HARROW, THE_SCOURGE):
            enemy.deed = STAY  # a boss acts by its orders alone (M110-07, M110-12)
        elif enemy.room == WASTES:
            enemy.deed = SHELL
        elif guarded(s, t, enemy.room):
            enemy.deed = BITE
        elif t.room[enemy.room].function != DECK and s.room[enemy.room].condition != ON_FIRE:
            enemy.deed = BREAK
        else:
            enemy.goal = way_of(s, t, e, enemy.room)
            enemy.deed = MOVE if enemy.goal != enemy.room else STAY


@kernel
def way_of(s, t, e, room):  # type: ignore[no-untyped-def]
    """Where an enemy in a room moves: to crew next door, the closest to the Cockpit (M15-03), else towards the closest
    engine that isn't burning (M15-04)."""
    best, least = room, FAR * TIES
    for i in range(t.room[room].doors):
        door = t.room[room].door[i]
        rank = t.room[door].far[t.mech.cockpit] * TIES + tie(s, t, e, door)
        if rank < least and guarded(s, t, door):
            best, least = door, rank
    if best != room:
        return best
    goal = NONE
    for i in range(2):
        engine = t.mech.engine[i]
        rank = t.room[room].far[engine] * TIES + tie(s, t, e, engine)
        if s.room[engine].condition != ON_FIRE and engine != room and rank < least:
            goal, least = engine, rank
    return room if goal == NONE else step_towards(s, t, e, room, goal)


@inlined
def tie(s, t, e, room):  # type: ignore[no-untyped-def]
    """What decides between rooms that are as good, 0..TIES-1, the least is taken: the number of the room, or chance if
    the ruling says so (M4-08, M4-09)."""
    if t.ruling.path_ties == 0:
        return room
    key = word(word(s.key[0], s.turn * 64 + 63), s.enemy[e].card * 32 + s.enemy[e].standee)
    return upper_bits(word(key, room), 16)


@kernel
def step_towards(s, t, e, room, goal):  # type: ignore[no-untyped-def]
    """The next room on a shortest way (M4-09)."""
    if t.ruling.path_ties == 0:
        return t.room[room].toward[goal]
    best, least = room, TIES
    for i in range(t.room[room].doors):
        door = t.room[room].door[i]
        if t.room[door].far[goal] < t.room[room].far[goal] and tie(s, t, e, door) < least:
            best, least = door, tie(s, t, e, door)
    return best


# ---------------------------------------------------------------- carrying it out


@kernel
def resolve(s, t, stream, journal):  # type: ignore[no-untyped-def]
    """All enemies do what they picked on one board, whatever the others do meanwhile (M12-05, M4-11)."""
    for e in range(s.enemies):
        enemy = s.enemy[e]
        if s.over == 1:
            return
        if enemy.deed == BITE:
            bite(s, t, stream, journal, e)
        elif enemy.deed == BREAK:
            damage_room(s, t, journal, e)
        elif enemy.deed == SHELL:
            shell(s, t, stream, journal, e)
        elif enemy.deed == MOVE:
            walk(s, t, journal, e, 0)
        act(s, t, journal, e)
    swift(s, t, stream, journal)
    tidy(s)


@kernel
def act(s, t, journal, e):  # type: ignore[no-untyped-def]
    """What an enemy's text adds when the enemies act, once a round."""
    enemy = s.enemy[e]
    text = t.enemy[enemy.card].text
    for i in range(text.effects):
        if text.effect[i].when == ACTS and s.over == 0:
            note(journal, OF_ENEMY, name_of(enemy), ACTED)
            apply(s, t, journal, text.effect[i], NONE, enemy.room)


@kernel
def bite(s, t, stream, journal, e):  # type: ignore[no-untyped-def]
    """Attack each crew member in the room, one roll each (M14-06). Who is hurt may strike unarmed at once (M18-02,
    M4-12); who is struck carries on, as all act at the same time."""
    for c in range(len(s.crew)):
        member = s.crew[c]
        if member.here == 1 and member.room == s.enemy[e].room and member.downed == 0 and s.over == 0:
            lost = attack_on(s, t, stream, journal, e, c)
            if lost > 0 and member.downed == 0 and member.countered < member.term[COUNTER]:
                strike_back(s, t, stream, journal, c, e)


@kernel
def strike_back(s, t, stream, journal, c, e):  # type: ignore[no-untyped-def]
    """An unarmed attack out of turn on any enemy in the room, or none (M18-02); `e` has hurt him."""
    member = s.crew[c]
    s.options = 0
    offer(s, 0, 0)
    for other in range(s.enemies):
        if s.enemy[other].health > 0 and s.enemy[other].room == member.room:
            offer(s, 1 + other, 100 + 100 * int(other == e) + 50 * int(s.enemy[other].health == 1))
    target = decide(s, t, stream, c, 3500 + 8 * c + member.countered) - 1
    if target >= 0:
        member.countered += 1
        s.step = 5 + 5 * c + member.countered
        note(journal, STRIKES_BACK, c, name_of(s.enemy[target]))
        strike_unarmed(s, t, stream, journal, c, target)


@kernel
def damage_room(s, t, journal, e):  # type: ignore[no-untyped-def]
    """Attack its room: one step, without dice (M14-07)."""
    note(journal, BREAKS, name_of(s.enemy[e]), s.enemy[e].room)
    worsen(s, t, journal, s.enemy[e].room, 1)


@kernel
def shell(s, t, stream, journal, e):  # type: ignore[no-untyped-def]
    """Attack the Hull from The Wastes (M14-08)."""
    enemy = s.enemy[e]
    key = word(word(s.key[0], s.turn * 64 + 32), enemy.card * 32 + enemy.standee)
    dice = t.enemy[enemy.card].attack
    hits = tops(roll_hits(s, t, stream, journal, WASTES, dice, 0, key))
    note(journal, SHELLS, name_of(enemy), dice, hits)
    change_hull(s, t, journal, -hits)


@kernel
def walk(s, t, journal, e, driven):  # type: ignore[no-untyped-def]
    """Move an enemy to its goal; `driven`: 1 if a crew member drives it there."""
    enemy = s.enemy[e]
    s.room[enemy.room].enemies -= 1
    enemy.room = enemy.goal
    s.room[enemy.room].enemies += 1
    note(journal, MOVES_TO, name_of(enemy), enemy.room, driven)


@kernel
def swift(s, t, stream, journal):  # type: ignore[no-untyped-def]
    """Enemies whose text makes them swift act once more if they have moved, again all on one board."""
    for e in range(s.enemies):
        enemy = s.enemy[e]
        if enemy.health <= 0 or t.enemy[enemy.card].swift == 0 or enemy.deed != MOVE:
            enemy.deed = STAY
        elif guarded(s, t, enemy.room):
            enemy.deed = BITE
        elif t.room[enemy.room].function != DECK and s.room[enemy.room].condition != ON_FIRE:
            enemy.deed = BREAK
        else:
            enemy.deed = STAY
    s.turn += 1
    for e in range(s.enemies):
        if s.over == 1:
            return
        if s.enemy[e].deed == BITE:
            bite(s, t, stream, journal, e)
        elif s.enemy[e].deed == BREAK:
            damage_room(s, t, journal, e)
