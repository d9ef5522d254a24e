"""Combat: three clashes of hidden cards, blows by initiative, dominance and range (the book's chapter Combat).

Side 0 is the active knight. Only the combat card is hidden; directions, load-outs, weapons and icons are chosen after
the reveal, the active knight first (K5-62, K5-63, K5-72). By a ruling two directions, or two sides' weapons and icons,
are named at once: what is known of the other's is `situations.choice_now`; bots that weigh ask for none of it.
"""

from __future__ import annotations

from simcore.dice import roll, successes, tops
from simcore.journal import note
from simcore.kernels import index, inlined, kernel
from simcore.knights import tell
from simcore.knights.bots import (
    AFTER_BLOW,
    BEFORE_BLOW,
    BOT_KEY,
    CLASH_START,
    DICE_KEY,
    KEEP,
    helpful,
    pick_answer,
    pick_around,
    pick_before,
    pick_card,
    pick_held,
    pick_kit,
    pick_mode,
    pick_way,
)
from simcore.knights.checks import attack_dice, bulls_eye_worth, hit_loss, law_of, net_damage, penalty_of
from simcore.knights.effects import OWN_CHOICE, end_attack, fall_by_effects, happen, is_down, may_come, use
from simcore.knights.gear import ATTACKING, ROLLED, count_supply, feel, stand_at
from simcore.knights.state import (
    ADVANCE,
    ATTACK,
    BLOWS_ENDED,
    BOTH_DOWN,
    CHANGE,
    DEFEND,
    DOMINANCE_ENDED,
    FEROCIOUS_STAND,
    MARKER_ON_ZERO,
    MULTI,
    NO_MODE,
    PLAIN,
    PREPARE,
    READY,
    RETREAT,
    SALVO,
    TRADED,
)
from simcore.knights.tables import LONG, WHEN
from simcore.streams import BOT, DICE, word

BEFORE, START, CLASH_END, WON, LOST, DEFEATED = (
    WHEN["before"],
    WHEN["start"],
    WHEN["clash_end"],
    WHEN["won"],
    WHEN["lost"],
    WHEN["defeated"],
)


SHOWN = 8
"""Two cards in one number: the first * SHOWN + the second."""


@inlined
def fight(s, t, stream, journal, book=None):  # type: ignore[no-untyped-def]
    """One combat between two armed sides, from its start to the rewards (K1F-01)."""
    begin(s, t, stream)
    start_combat(s, t, stream, journal, book)
    for clash in range(t.combat.clashes):
        if s.over == 1:
            break
        s.clash = clash
        s.rounds = clash + 1
        stand_at(s, s.range)
        play_clash(s, t, stream, journal, book)
    if s.over == 0:
        judge_dominance(s, t)
    end_combat(s, t, journal)


@inlined
def begin(s, t, stream):  # type: ignore[no-untyped-def]
    """All as `gear.arm` has set it; nothing is spent, lost or won yet."""
    s.clash, s.marker, s.over, s.winner, s.overflow, s.rounds = 0, 0, 0, -1, s.crowded, 0
    stand_at(s, t.combat.start_range)
    s.key[DICE_KEY] = word(stream.game, DICE)
    s.key[BOT_KEY], s.key[BOT_KEY + 1] = word(stream.game, BOT), word(stream.game, BOT + 1)
    s.wanted[0], s.wanted[1], s.start_range, s.used, s.terms, s.mood = 0, 0, s.range, 0, 0, 0
    for x in range(2):
        fighter, side = s.fighter[x], s.side[x]
        side.health, side.ammo, side.fuel, side.radiation, side.stride, side.supply = (
            fighter.health,
            fighter.ammo,
            fighter.fuel,
            fighter.radiation,
            fighter.stride,
            fighter.supply,
        )
        side.kit, side.open, side.fuelled, side.spent, side.used = 0, 0, 0, 0, 0
        side.health_lost, side.other_lost, side.healed, side.ammo_spent, side.fuel_spent = 0, 0, 0, 0, 0
        side.discarded, side.vehicle, side.stopped = 0, 0, 0
        side.reputation, side.green, side.yellow, side.red = 0, 0, 0, 0
        side.attacks, side.hits, side.beat = 0, 0, 0
        for card in range(len(side.played)):
            side.played[card] = 0


@inlined
def start_combat(s, t, stream, journal, book):  # type: ignore[no-untyped-def]
    """Before combat: effects that always come, then those used in turn until both pass; the starting range."""
    note(journal, tell.BEGINS, s.side[0].health, s.side[1].health, s.duel)
    if may_come(s, 1 << START | 1 << BEFORE):
        open_with_effects(s, t, stream, journal, book)
    s.start_range = s.range
    note(journal, tell.STARTS_AT, s.range, s.wanted[0], s.wanted[1])


@kernel
def open_with_effects(s, t, stream, journal, book):  # type: ignore[no-untyped-def]
    """What cards do before combat: the starting range changes only if one side alone changes it."""
    happen(s, t, journal, 0, START)
    happen(s, t, journal, 1, START)
    if s.fighter[0].before.rows > 0 or s.fighter[1].before.rows > 0:
        use_before_combat(s, t, stream, journal, book)
    if (s.wanted[0] > 0) != (s.wanted[1] > 0):
        stand_at(s, s.wanted[0] + s.wanted[1] - 1)
    fall_by_effects(s, t)


@kernel
def use_before_combat(s, t, stream, journal, book):  # type: ignore[no-untyped-def]
    """The active knight and his opponent use one effect each in turn until both pass (K5-60)."""
    x, passes, turn = 0, 0, 0
    while passes < 2:
        s.passes = passes
        option = pick_before(s, t, stream, x, turn, book)
        if option == 0:
            passes += 1
        else:
            passes = 0
            play(s, t, stream, journal, x, s.fighter[x].before, (option - 1) // 4, (option - 1) % 4)
        x, turn = 1 - x, turn + 1


@inlined
def play_clash(s, t, stream, journal, book):  # type: ignore[no-untyped-def]
    """One clash: cards hidden and shown, blows by initiative, dominance, range (K5-61)."""
    shown = show_cards(s, t, stream, journal, book)
    if s.over == 1:
        return
    first, second = shown // SHOWN, shown % SHOWN
    act_at_once(s, t, stream, journal, 0, first, book)
    act_at_once(s, t, stream, journal, 1, second, book)
    finish_clash(s, t, stream, journal, first, second, book)


@inlined
def show_cards(s, t, stream, journal, book):  # type: ignore[no-untyped-def]
    """Use what helps as the clash starts, then pick and show the cards: the first * SHOWN + the second."""
    for x in range(2):
        if s.over == 0:
            cards = helpful(s, t, x, CLASH_START)
            if cards != 0:
                use_cards(s, t, stream, journal, x, CLASH_START, cards, book)
                fall_by_effects(s, t)
    if s.over == 1:
        return 0
    first = pick_card(s, t, stream, 0, book)
    second = pick_card(s, t, stream, 1, book)
    reveal(s, t, journal, first, second)
    if s.duel == 1 and s.clash == 0 and first == DEFEND and second == DEFEND:
        s.over, s.ending = 1, TRADED
    return first * SHOWN + second


@inlined
def finish_clash(s, t, stream, journal, first, second, book):  # type: ignore[no-untyped-def]
    """Blows by initiative, dominance, and the range at the end."""
    if attacks(first) or attacks(second):
        exchange_blows(s, t, stream, journal, first, second, book)
    if s.over == 1:
        return
    move_marker(s, t, journal)
    end_clash(s, t, journal)


@inlined
def reveal(s, t, journal, first, second):  # type: ignore[no-untyped-def]
    """Show both cards; what the clash brings in dominance begins at nothing."""
    for x in range(2):
        side = s.side[x]
        side.card = first if x == 0 else second
        side.played[index(side.card)] += 1
        side.way, side.gained = 0, 0
    note(journal, tell.REVEALS, s.clash, first, second, s.range)


@inlined
def act_at_once(s, t, stream, journal, x, card, book):  # type: ignore[no-untyped-def]
    """Cards that ignore initiative: the direction of Change Range, a knight's new load-out with Defend (K1F-13)."""
    side = s.side[x]
    if card == CHANGE:
        side.way = pick_way(s, t, stream, x, book)
        note(journal, tell.MOVES, x, side.way)
    elif card == DEFEND and s.fighter[x].kits > 1:
        side.kit = pick_kit(s, t, stream, x, book)
        count_supply(s, t, x)
        note(journal, tell.EQUIPS, x, side.kit)


@inlined
def attacks(card):  # type: ignore[no-untyped-def]
    """Whether it is an attack card."""
    return (card == ATTACK) | (card == MULTI)


@inlined
def kind_of(side, card):  # type: ignore[no-untyped-def]
    """The kind of attack of the card shown: Prepare only helps the Attack card (K1F-07, K4-32)."""
    if card == MULTI:
        return SALVO
    return READY if side.open == 1 else PLAIN


@inlined
def exchange_blows(s, t, stream, journal, first, second, book):  # type: ignore[no-untyped-def]
    """Declare weapons and icons, the active knight first, then strike (K1F-16, K5-63, K5-75). `first`, `second`: the
    cards shown, handed on since a number just stored would have to be waited for."""
    mine = declare(s, t, stream, 0, first, second, book)
    theirs = declare(s, t, stream, 1, second, first, book)
    if mine >= 0 and theirs >= 0:
        trade_blows(s, t, stream, journal, book)
    elif mine >= 0:
        strike(s, t, stream, journal, 0, book)
    elif theirs >= 0:
        strike(s, t, stream, journal, 1, book)
    judge_blows(s, t)


@inlined
def declare(s, t, stream, x, card, answer, book):  # type: ignore[no-untyped-def]
    """The mode of side x, if its card attacks, and its act: kind of attack * 3 + penalty by the answering card."""
    side, mode = s.side[x], NO_MODE
    if attacks(card):
        side.act = kind_of(side, card) * 3 + penalty_of(answer)
        mode = pick_mode(s, t, stream, x, side.act, book)
    side.mode = mode
    return mode


@kernel
def trade_blows(s, t, stream, journal, book):  # type: ignore[no-untyped-def]
    """Both attack: by initiative, at once if it is equal; who is beaten before doesn't strike (K1F-16, K5-76)."""
    ranks = rank_of(s, 0), rank_of(s, 1)
    leader = 0 if ranks[0] <= ranks[1] else 1
    for turn in range(2):
        x = leader ^ turn
        if turn == 0 or ranks[0] == ranks[1] or not is_down(s, t, x):
            strike_in_turn(s, t, stream, journal, x, book)


@kernel
def strike_in_turn(s, t, stream, journal, x, book):  # type: ignore[no-untyped-def]
    """An attack on one that attacks as well: apart from `strike`, so that its code isn't compiled twice more."""
    strike(s, t, stream, journal, x, book)


@inlined
def rank_of(s, x):  # type: ignore[no-untyped-def]
    """The initiative of side x's icon on the range card, 0 first."""
    side = s.side[x]
    return s.fighter[x].kit[index(side.kit)].mode[index(side.mode)].at[index(s.place)].rank


@inlined
def strike(s, t, stream, journal, x, book):  # type: ignore[no-untyped-def]
    """One attack: pay, roll, damage less soak, Health (K1F-19, K1F-20, K5-68). Without an icon nothing happens."""
    me, foe = s.side[x], s.side[1 - x]
    cards = helpful(s, t, 1 - x, BEFORE_BLOW)
    if cards != 0:
        use_cards(s, t, stream, journal, 1 - x, BEFORE_BLOW, cards, book)
    act = me.act
    mine, theirs = s.fighter[x].kit[index(me.kit)], s.fighter[1 - x].kit[index(foe.kit)]
    mode = mine.mode[index(me.mode)]
    ammo, fuel = me.ammo, me.fuel
    pay(s, t, x, mode, act)
    if s.around > 0:
        play_around(s, t, stream, journal, x, ATTACKING)
    dice = attack_dice(s, t, x, mode, theirs, act)
    result = roll(stream, t.laws, law_of(s, act // 3), dice, word(s.key[DICE_KEY], s.clash * 2 + x))
    if me.ammo != ammo or me.fuel != fuel:
        note(journal, tell.PAYS, x, ammo - me.ammo, fuel - me.fuel)
    note(journal, tell.STRIKES, x, me.mode, dice, result)
    if s.around > 0:
        result = roll_again(s, t, stream, journal, x, dice, result)
    me.attacks += 1
    lost = 0
    if successes(result) > 0:
        me.hits += 1
        worth = bulls_eye_worth(s, t, x, mode, act // 3 == READY)
        lost = min(hit_loss(net_damage(s, t, x, mode, mine, theirs), tops(result), worth), foe.health)
    if s.around == 2:
        end_attack(s, t)
    if lost > 0:
        lose_to_blow(s, t, stream, journal, x, lost, book)


# ---------------------------------------------------------------- luck cards


@kernel
def play(s, t, stream, journal, x, choices, row, choice):  # type: ignore[no-untyped-def]
    """Use a source as `effects.use` does; a luck card in a duel comes to nothing if the opponent answers it with one of
    his, which can be answered in turn (K5-26, K5-59)."""
    source = choices.source[index(row)]
    if s.duel == 1 and (s.fighter[index(x)].lucky >> source) & 1 == 1 and s.fighter[index(1 - x)].answers != 0:
        works, y = True, 1 - x
        s.side[index(x)].spent |= 1 << source
        while answers(s, t, stream, journal, y):
            works, y = not works, 1 - y
        if not works:
            s.side[index(x)].discarded += 1
            note(journal, tell.COMES_TO_NOTHING, x)
            return
    use(s, t, journal, x, choices, row, choice)


@kernel
def answers(s, t, stream, journal, y):  # type: ignore[no-untyped-def]
    """Whether side y answers a luck card that the other side has just played."""
    source = pick_answer(s, t, stream, y)
    if source == KEEP:
        return False
    note(journal, tell.ANSWERS, y)
    s.side[y].spent |= 1 << (source - 1)
    s.side[y].discarded += 1
    return True


@kernel
def play_around(s, t, stream, journal, x, when):  # type: ignore[no-untyped-def]
    """Luck cards before side x's attack check (ATTACKING) or after it (ROLLED): the attacker and the defender in turn
    until both pass, or until it is to be rolled again (K5-77, K4-44)."""
    y, passes, turn, s.again = x, 0, 0, 0
    while passes < 2 and s.again == 0:
        option = pick_around(s, t, stream, y, x, when, turn)
        passes += 1
        if option != KEEP:
            passes = 0
            play(s, t, stream, journal, y, s.fighter[y].around, option - 1, OWN_CHOICE)
        y, turn = 1 - y, turn + 1


@kernel
def roll_again(s, t, stream, journal, x, dice, result):  # type: ignore[no-untyped-def]
    """The result of side x's attack check after luck cards that have it rolled again."""
    side, tries = s.side[x], 0
    law = law_of(s, side.act // 3)
    while True:
        s.shown = result
        play_around(s, t, stream, journal, x, ROLLED)
        if s.again == 0:
            return result
        tries += 1
        result = roll(stream, t.laws, law, dice, word(s.key[DICE_KEY], tries * 16 + s.clash * 2 + x))
        note(journal, tell.STRIKES, x, side.mode, dice, result)


@inlined
def pay(s, t, x, mode, act):  # type: ignore[no-untyped-def]
    """The price of an attack, hit or miss: Ammo, and Fuel once a combat (K1F-04, K1F-05, K1F-33)."""
    side = s.side[x]
    if s.fighter[x].knight == 0:
        return
    ammo = mode.ammo * (t.combat.multi_ammo if act // 3 == SALVO else t.combat.attack_ammo)
    side.ammo -= ammo
    side.ammo_spent += ammo
    if mode.fuel == 1 and (side.fuelled >> mode.weapon) & 1 == 0:
        side.fuelled |= 1 << mode.weapon
        side.fuel -= 1
        side.fuel_spent += 1
        feel(s, t)
    count_supply(s, t, x)


@inlined
def lose_to_blow(s, t, stream, journal, x, lost, book):  # type: ignore[no-untyped-def]
    """Health that side x's blow costs, and its dominance (K1F-06); who is beaten at once can't heal (K1F-26)."""
    foe = s.side[1 - x]
    foe.health -= lost
    foe.health_lost += lost
    s.side[x].gained += lost
    note(journal, tell.LOSES, 1 - x, lost, foe.health)
    cards = helpful(s, t, 1 - x, AFTER_BLOW)
    if foe.health > 0 and cards != 0:
        use_cards(s, t, stream, journal, 1 - x, AFTER_BLOW, cards, book)


@kernel
def use_cards(s, t, stream, journal, x, point, cards, book):  # type: ignore[no-untyped-def]
    """Held cards usable at any time: one after another until none helps or the side keeps the rest (K5B-16).

    `cards`: bits of those that help now, at least one."""
    turn = 0
    while cards != 0:
        option = pick_held(s, t, stream, x, point, turn, cards, book)
        if option == KEEP:
            return
        play(s, t, stream, journal, x, s.fighter[index(x)].held, option - 1, OWN_CHOICE)
        cards, turn = helpful(s, t, x, point), turn + 1


@inlined
def judge_blows(s, t):  # type: ignore[no-untyped-def]
    """End the combat if somebody is beaten; both at equal initiative is a draw (K1F-22, K1F-24, K5-80)."""
    down, other = is_down(s, t, 0), is_down(s, t, 1)
    if not (down or other):
        return
    s.over = 1
    s.ending = BOTH_DOWN if down and other else BLOWS_ENDED
    s.winner = -1 if down and other else (1 if down else 0)


@inlined
def move_marker(s, t, journal):  # type: ignore[no-untyped-def]
    """Count arrows and Health lost to attacks; ferocious enemies have no dominance (K1F-14, K1F-25, K4-41)."""
    if s.ferocious == 1:
        return
    first, second = s.side[0], s.side[1]
    mine = t.combat.arrows[index(first.card), index(first.way)] + first.gained
    theirs = t.combat.arrows[index(second.card), index(second.way)] + second.gained
    s.marker += mine - theirs
    note(journal, tell.MARKER, mine, theirs, s.marker)


@inlined
def end_clash(s, t, journal):  # type: ignore[no-untyped-def]
    """Move the range, then effects of the clash's end; Prepare lies open for one clash (K1F-07 to K1F-11, K4-31)."""
    if s.side[0].way | s.side[1].way:
        stand_at(s, min(max(s.range + joint_step(t, step_of(s.side[0]), step_of(s.side[1])), 0), LONG))
    if may_come(s, 1 << CLASH_END):
        happen(s, t, journal, 0, CLASH_END)
        happen(s, t, journal, 1, CLASH_END)
        fall_by_effects(s, t)
    note(journal, tell.RANGE_NOW, s.range)
    for x in range(2):
        s.side[x].open = 1 if s.side[x].card == PREPARE else 0


@inlined
def step_of(side):  # type: ignore[no-untyped-def]
    """How far a side moves the range: closer below 0, farther above."""
    return side.stride * (int(side.way == RETREAT) - int(side.way == ADVANCE))


@inlined
def joint_step(t, first, second):  # type: ignore[no-untyped-def]
    """Steps of both sides together: opposite ways cancel (K1F-11); the same way adds up or, by a ruling, does not."""
    if first * second < 0:
        return 0
    if first * second > 0 and t.ruling.same_way == 1:
        return first if abs(first) > abs(second) else second
    return first + second


@inlined
def judge_dominance(s, t):  # type: ignore[no-untyped-def]
    """After the last clash the marker decides; on 0, or against a ferocious enemy, a draw (K1F-22, K1F-23, K4-37)."""
    if s.ferocious == 1:
        s.ending = FEROCIOUS_STAND
    elif s.marker == 0:
        s.ending = MARKER_ON_ZERO
    else:
        s.ending = DOMINANCE_ENDED
        s.winner = 0 if s.marker > 0 else 1


@inlined
def end_combat(s, t, journal):  # type: ignore[no-untyped-def]
    """Winner, rewards and effects after combat (K1F-24, K4-39, K4-47, K5-81, K5-86)."""
    s.over = 1
    note(journal, tell.ENDS, s.ending, s.winner, s.marker)
    for x in range(2):
        beaten = s.winner == x or (s.ending == BOTH_DOWN)
        s.side[x].beat = 1 if beaten else 0
        if s.winner == x or (s.ending == BOTH_DOWN and t.ruling.double_defeat_rewards == 1):
            reward(s, t, journal, x)
    if may_come(s, 1 << WON | 1 << LOST | 1 << DEFEATED):
        close_with_effects(s, t, journal)


@kernel
def close_with_effects(s, t, journal):  # type: ignore[no-untyped-def]
    """What cards do after combat (K5-86)."""
    for x in range(2):
        if s.winner == x:
            happen(s, t, journal, x, WON)
        elif s.winner >= 0:
            happen(s, t, journal, x, LOST)
        if s.side[x].beat == 1:
            happen(s, t, journal, x, DEFEATED)


@kernel
def reward(s, t, journal, x):  # type: ignore[no-untyped-def]
    """What a knight gains by a victory: the card's rewards, or in a duel Reputation (K1F-22, K1E-41)."""
    if s.fighter[x].knight == 0:
        return
    side = s.side[x]
    if s.duel == 1:
        side.reputation += t.combat.duel_reputation
        return
    prize = t.enemy[s.fighter[1 - x].role].reward
    side.reputation += prize.reputation
    side.green += prize.green
    side.yellow += prize.yellow
    side.red += prize.red
    ammo, fuel = min(prize.ammo, t.dials.ammo - side.ammo), min(prize.fuel, t.dials.fuel - side.fuel)
    side.ammo += ammo
    side.fuel += fuel
    if ammo + fuel > 0:
        note(journal, tell.WINS, x, ammo, fuel)
