"""Tasks: common and private ones, their marks, how they are accepted and accomplished."""

from __future__ import annotations

from simcore.bots import offer
from simcore.journal import note
from simcore.kernels import kernel
from simcore.knights.belongings import discard_item, is_fitted, is_free
from simcore.knights.board_bots import decide, free_value, kept_worth, passing, price_worth, tempt, text_worth
from simcore.knights.board_state import DECK, NONE
from simcore.knights.board_tables import NEED, WHAT, WHEN
from simcore.knights.board_tell import MARKS, TASK_ACCEPTED, TASK_DONE, TASK_OPEN, TASK_OUT
from simcore.knights.gains import gain_blue, give, win_vehicle
from simcore.knights.luck import check
from simcore.knights.stalls import pay_value
from simcore.piles import discard_card, draw_card, put_at_bottom, take_top

EXPLORE, CHECK, PAY, DEFEAT, DEFEAT_KNIGHT, RIDE = (
    NEED["explore"], NEED["check"], NEED["pay"], NEED["defeat"], NEED["defeat_knight"], NEED["ride"],
)  # fmt: skip
NOTHING, ACCEPTED, ACCOMPLISHED, ONE_FAILED = 0, 1, 2, 4
"""What was tried in an Exploration Step, in bits; ONE_FAILED << i: the common task of post i in vain."""

REWARD, BLANK = WHEN["reward"], WHAT["blank"]


@kernel
def lay_out(s, t, stream, journal):  # type: ignore[no-untyped-def]
    """The common task, and private ones: open to all, or with 2 players two of four dealt to each (K1D-14, K5-48)."""
    if t.table.tasks == 0:
        return
    add_post(s, journal, draw_card(s.common), NONE)
    if s.players > 2:
        for _ in range(t.map.private_tasks - (1 if s.players == 3 else 0)):
            add_post(s, journal, draw_card(s.private), NONE)
        return
    for p in range(s.players):
        keep_two(s, t, stream, journal, p)


@kernel
def add_post(s, journal, task, owner):  # type: ignore[no-untyped-def]
    """Lay out a task."""
    post = s.post[s.posts]
    post.task, post.marks, post.holder, post.owner = task, 0, NONE, owner
    post.common = int(s.posts == 0)
    s.posts += 1
    if task >= 0 and owner == NONE:
        note(journal, TASK_OPEN, task, NONE, post.common)


@kernel
def keep_two(s, t, stream, journal, p):  # type: ignore[no-untyped-def]
    """With 2 players each is dealt four private tasks and keeps two (K1D-14)."""
    first = s.posts
    for _ in range(4):
        add_post(s, journal, take_top(s.private), p)
    for _ in range(2):
        s.options = 0
        for i in range(first, s.posts):
            if s.post[i].task >= 0:
                offer(s, i, -text_worth(s, t, p, t.task[s.post[i].task].text, REWARD))
        if s.options == 0:
            return
        drop = decide(s, t, stream, p)
        s.posts -= 1
        if drop != s.posts:
            s.post[drop].task = s.post[s.posts].task
    for i in range(first, s.posts):
        note(journal, TASK_OPEN, s.post[i].task, p, 0)


@kernel
def mark_tasks(s, t, stream, journal):  # type: ignore[no-untyped-def]
    """A mark on every open task; one with its last mark is out of date and replaced at once (K1E-05, K5-19). With 2
    players private ones never are (K1E-33)."""
    for i in range(s.posts):
        post = s.post[i]
        if post.task != NONE and post.owner == NONE:
            post.marks += 1
            note(journal, MARKS, post.task, post.marks)
            if post.marks >= t.map.task_marks:
                note(journal, TASK_OUT, post.task)
                if post.common == 1:
                    discard_card(s.common, post.task)
                else:
                    discard_card(s.private, post.task)
                replace_task(s, t, stream, journal, i)


@kernel
def replace_task(s, t, stream, journal, i):  # type: ignore[no-untyped-def]
    """A new task on an emptied space: the Waster draws two and picks one, the other goes under its deck (K1E-06)."""
    post = s.post[i]
    pile = s.common if post.common == 1 else s.private
    first, second = draw_card(pile), draw_card(pile)
    post.task, post.marks, post.holder = max(first, second) if min(first, second) < 0 else first, 0, NONE
    if first >= 0 and second >= 0:
        s.options = 0
        for card in (first, second):
            offer(s, card, -text_worth(s, t, s.waster, t.task[card].text, REWARD))
        post.task = decide(s, t, stream, s.waster)
        put_at_bottom(pile, second if post.task == first else first)
    if post.task >= 0:
        note(journal, TASK_OPEN, post.task, NONE, post.common)


# ---------------------------------------------------------------- meeting them


@kernel
def can_pay(s, t, p, price):  # type: ignore[no-untyped-def]
    """Whether a knight can pay a price in gear: by cards of the very value, or where dearer ones do for cheaper, of as
    much (K1H-22, K4-23)."""
    value = price[0] + price[1] * t.map.value[1] + price[2] * t.map.value[2]
    if t.map.dear_pays_cheap == 1:
        return value <= free_value(s, t, s.player[p])
    return value == 0 or dear_cards(s, t, p, value) != NONE


@kernel
def pay_price(s, t, stream, journal, p, price):  # type: ignore[no-untyped-def]
    """Pay a price in gear, by the cheapest cards that do."""
    value = price[0] + price[1] * t.map.value[1] + price[2] * t.map.value[2]
    if t.map.dear_pays_cheap == 1 or value == 0:
        pay_value(s, t, stream, journal, p, value)
        return
    dear = dear_cards(s, t, p, value)
    yellow, red = dear % DECK, dear // DECK
    give_cards(s, t, stream, journal, p, value - yellow * t.map.value[1] - red * t.map.value[2], yellow, red)


@kernel
def count_cards(t, player, colour):  # type: ignore[no-untyped-def]
    """How many cards of a colour a knight could give."""
    many = 0
    for i in range(player.items):
        many += int(is_free(t, player, i) and t.thing[player.thing[i]].colour == colour)
    return many


@kernel
def dear_cards(s, t, p, value):  # type: ignore[no-untyped-def]
    """The yellow cards + DECK times the red ones that with green ones make up a value, as few as can be; NONE if none
    do."""
    player = s.player[p]
    green = count_cards(t, player, 0)
    for red in range(count_cards(t, player, 2) + 1):
        for yellow in range(count_cards(t, player, 1) + 1):
            rest = value - yellow * t.map.value[1] - red * t.map.value[2]
            if 0 <= rest <= green:
                return red * DECK + yellow
    return NONE


@kernel
def give_cards(s, t, stream, journal, p, green, yellow, red):  # type: ignore[no-untyped-def]
    """Discard so many cards of each colour, of the knight's choice, the green ones first; none whose loss with what is
    attached to it would leave too few (K5B-14)."""
    player = s.player[p]
    while green + yellow + red > 0:
        colour = 0 if green > 0 else (1 if yellow > 0 else 2)
        many = (green, yellow, red)[colour]
        s.options, whole = 0, count_cards(t, player, colour) == many
        for i in range(player.items):
            ours = is_free(t, player, i) and t.thing[player.thing[i]].colour == colour
            if ours and not (whole and s.options > 0) and leaves_enough(t, player, i, green, yellow, red):
                offer(s, i, -kept_worth(s, t, p, i))
        discard_item(s, t, journal, p, decide(s, t, stream, p))
        green, yellow, red = green - int(colour == 0), yellow - int(colour == 1), red - int(colour == 2)


@kernel
def leaves_enough(t, player, i, green, yellow, red):  # type: ignore[no-untyped-def]
    """Whether a knight who gives the card at place i still has so many cards of each colour, that one included."""
    enough = True
    for colour in range(3):
        many = (green, yellow, red)[colour]
        for k in range(player.items):
            lost = is_fitted(player, k, i)
            many -= int(not lost and is_free(t, player, k) and t.thing[player.thing[k]].colour == colour)
        enough = enough and many <= 0
    return enough


@kernel
def do_tasks(s, t, stream, journal, p, number):  # type: ignore[no-untyped-def]
    """What a knight tries with tasks on a hex that is explored, one after another until he has enough (K1E-31,
    K5-41)."""
    player = s.player[p]
    while player.out == 0:
        s.options = 0
        offer(s, NOTHING, 0)
        for i in range(s.posts):
            if can_try(s, t, p, i, number):
                tempt(s, p, 1 + i, step_worth(s, t, p, i))
        option = decide(s, t, stream, p)
        if option == NOTHING:
            return
        try_task(s, t, stream, journal, p, option - 1)


@kernel
def step_worth(s, t, p, i):  # type: ignore[no-untyped-def]
    """What a bot thinks of trying the next step of a task: two for one that accomplishes it, by the chance to pass."""
    post, task = s.post[i], t.task[s.post[i].task]
    need, whole = need_of(t, post, p), post.holder == p or post.common == 1
    chance = hope_of(s, t, p, need)
    if not whole:
        chance = chance * (100 + hope_of(s, t, p, task.second)) * min(s.later, 1) // 200
    return t.bot[s.player[p].bot].task * (1 + int(whole)) * chance // 100 - price_worth(s, t, p, need.price)


@kernel
def hope_of(s, t, p, need):  # type: ignore[no-untyped-def]
    """The chance to meet a requirement once there, in hundredths."""
    return passing(s, t, p, need.skill, need.difficulty) if need.need == CHECK else 100


@kernel
def steps_at(s, t, p, number):  # type: ignore[no-untyped-def]
    """What a bot thinks of all steps of tasks that a knight could try on a hex with a number."""
    worth = 0
    for i in range(s.posts):
        post = s.post[i]
        if post.task != NONE and (post.holder == p or post.common == 1 or may_accept(s, t, p, i)):
            need = need_of(t, post, p)
            if on_hex(need) and (need.hex == 0 or need.hex == number) and can_pay(s, t, p, need.price):
                worth += max(0, step_worth(s, t, p, i))
    return worth


@kernel
def need_of(t, post, p):  # type: ignore[no-untyped-def]
    """What a task asks of a knight next."""
    task = t.task[post.task]
    return task.second if post.holder == p else task.first


@kernel
def can_try(s, t, p, i, number):  # type: ignore[no-untyped-def]
    """Whether a knight can try a task on this hex: one private one to accept and one to accomplish in a step, common
    ones each once without success (K1E-32, K1E-34, K5-42, K5-46)."""
    post = s.post[i]
    if post.task == NONE:
        return False
    if post.holder == p:
        barred = s.tried & ACCOMPLISHED
    elif post.common == 1:
        barred = s.tried & (ONE_FAILED << i)
    else:
        barred = s.tried & ACCEPTED if may_accept(s, t, p, i) else 1
    need = need_of(t, post, p)
    here = on_hex(need) and (need.hex == 0 or need.hex == number)
    return barred == 0 and here and can_pay(s, t, p, need.price)


@kernel
def try_task(s, t, stream, journal, p, i):  # type: ignore[no-untyped-def]
    """Try what a task asks for next: a check, a price, or to be here; then it is accepted or accomplished (K5-46)."""
    post = s.post[i]
    need, mine = need_of(t, post, p), post.holder == p
    if post.common == 0:
        s.tried |= ACCOMPLISHED if mine else ACCEPTED
    pay_price(s, t, stream, journal, p, need.price)
    if need.need == CHECK and check(s, t, stream, journal, p, need.skill, need.difficulty) == 0:
        s.tried |= (ONE_FAILED << i) * post.common
    elif mine or post.common == 1:
        accomplish(s, t, stream, journal, p, i)
    else:
        post.holder = p
        note(journal, TASK_ACCEPTED, post.task, p)


@kernel
def on_hex(need):  # type: ignore[no-untyped-def]
    """Whether a requirement is met on a hex, in the Exploration Step."""
    return need.need == EXPLORE or need.need == CHECK or need.need == PAY


@kernel
def may_accept(s, t, p, i):  # type: ignore[no-untyped-def]
    """Whether a knight may accept a private task: nobody holds it, and he holds none, or it is one of his two (K1E-32,
    K1E-33, K5-47)."""
    post = s.post[i]
    if post.common == 1 or post.holder != NONE:
        return False
    if post.owner != NONE:
        return post.owner == p
    free = True
    for k in range(s.posts):
        free = free and (s.post[k].holder != p or s.post[k].task == NONE)
    return free


@kernel
def meet_by_deed(s, t, stream, journal, p, kind, trait):  # type: ignore[no-untyped-def]
    """Tasks that are met by a victory or a ride, wherever it was: common ones, and private ones in hand or open to be
    accepted (K1E-34, K5-82, K5-83). kind: DEFEAT with the enemy in `trait`, DEFEAT_KNIGHT or RIDE."""
    for i in range(s.posts):
        meet_post(s, t, stream, journal, p, i, kind, trait)


@kernel
def meet_by_both(s, t, stream, journal, p, other):  # type: ignore[no-untyped-def]
    """Let two knights who have defeated each other meet what asks for it, each task by one of them: p before the other
    (K5-45, K5-81, K5-82)."""
    for i in range(s.posts):
        if not meet_post(s, t, stream, journal, p, i, DEFEAT_KNIGHT, 0):
            meet_post(s, t, stream, journal, other, i, DEFEAT_KNIGHT, 0)


@kernel
def meet_post(s, t, stream, journal, p, i, kind, trait):  # type: ignore[no-untyped-def]
    """Accomplish or accept the task at a post if a deed is what it asks for. Return whether it did."""
    post = s.post[i]
    if post.task == NONE or not fits_deed(s, t, p, need_of(t, post, p), kind, trait):
        return False
    if post.common == 1 or post.holder == p:
        accomplish(s, t, stream, journal, p, i)
        return True
    if not may_accept(s, t, p, i):
        return False
    post.holder = p
    note(journal, TASK_ACCEPTED, post.task, p)
    return True


@kernel
def fits_deed(s, t, p, need, kind, enemy):  # type: ignore[no-untyped-def]
    """Whether a deed is what a task asks for."""
    if need.need != kind:
        return False
    if kind == DEFEAT:
        return need.trait == 0 or t.fight.enemy[enemy].trait[need.trait - 1] == 1
    if kind == RIDE:
        return s.player[p].ridden >= need.points and s.player[p].crossed >= need.hexes
    return True


@kernel
def accomplish(s, t, stream, journal, p, i):  # type: ignore[no-untyped-def]
    """Rewards, then the card leaves the game, then a new one comes (K5-17, K5-43, K5-44)."""
    post = s.post[i]
    task = t.task[post.task]
    note(journal, TASK_DONE, post.task, p)
    s.player[p].tasks += 1
    s.player[p].fame_tasks -= s.player[p].reputation
    give_rows(s, t, stream, journal, p, task.text)
    s.player[p].fame_tasks += s.player[p].reputation
    if task.gives != NONE:
        win_vehicle(s, t, stream, journal, p, task.gives)
    if task.brings != NONE:
        gain_blue(s, t, stream, journal, p, NONE, task.brings)
    if post.owner != NONE:
        post.task, post.holder = NONE, NONE
    else:
        replace_task(s, t, stream, journal, i)


@kernel
def give_rows(s, t, stream, journal, p, text):  # type: ignore[no-untyped-def]
    """Rewards of a card; a special token lies where the task was met."""
    for i in range(text.rows):
        if text.row[i].when == REWARD and text.row[i].what == BLANK:
            s.hex[s.player[p].hex].blank = 2
        elif text.row[i].when == REWARD:
            give(s, t, stream, journal, p, text.row[i].what, text.row[i].many)
