"""Enhancements for gear (FK4): attaching, detaching, what they do, the room that they take, and how they are lost."""

from __future__ import annotations

from typing import Any

import pytest

from tests.board_table import Table, table

HAND, BODY, POCKET, STORED, BESIDE, TRUNK, LOOSE, FITTED = range(8)
SIGHT, CLIP, TEETH, PLATES, BATTERY, BAR = (
    "Telescopic Sight", "Long Clip", "Saw Teeth", "Ceramic Plates", "Spare Battery", "Bull Bar",
)  # fmt: skip
RIFLE, PISTOL, PROD, SHOTGUN = "Pipe Rifle", "Machine Pistol", "Cattle Prod", "P-A Shotgun"


def owner(rules: Any, *titles: str, vehicle: str = "", **sets: str) -> Table:
    """Mel with gear, and Naomi elsewhere."""
    b = table(rules, "Mel", "Naomi", sets=sets).at("Naomi", 33).drives("Mel", vehicle)
    return b.give("Mel", *titles)


def fit(b: Table, *pairs: str) -> Table:
    """Attach what Mel has: "Telescopic Sight on Pipe Rifle"."""
    b.do("enhancing.enhance_gear", 0, words=[*pairs, "no"])
    b.do("belongings.arrange", 0)
    return b


def attached(b: Table, name: str = "Mel") -> list[str]:
    """What is attached to what."""
    player, titles = b.of(name), b.items()
    fitted = [i for i in range(player.items) if player.spot[i] == FITTED]
    return sorted(f"{titles[player.thing[i]]} on {titles[player.thing[player.on[i]]]}" for i in fitted)


def sheet(b: Table, rules: Any) -> Any:
    """Mel's sheet of a combat, and the load-outs that it makes."""
    b.do("wasteland.enter_fight", 0, 0)
    foe = b.s.fight.fighter[1]
    foe.knight, foe.role = 0, b.card("enemy", "Hell Raiders")
    rules["knights.gear"].outfit(b.s.fight, b.s.rules)
    return b.s.fight.fighter[0]


@pytest.mark.rule("K5B-11")
def test_an_enhancement_goes_where_its_rules_allow(rules: Any) -> None:
    """To each card with its trait that meets its rule, any number to a card, but none twice; bots need not."""
    b = owner(rules, RIFLE, PROD, "Road Leathers", "Toolbox", SIGHT, TEETH, PLATES, vehicle="Heavy-duty")
    b.do("enhancing.enhance_gear", 0, words=["no"])
    assert set(b.asked[0]) == {
        "no", f"{SIGHT} on {RIFLE}", f"{TEETH} on {PROD}", f"{PLATES} on Road Leathers",
    }  # fmt: skip
    b = fit(owner(rules, RIFLE, SIGHT, SIGHT, CLIP), f"{SIGHT} on {RIFLE}", f"{CLIP} on {RIFLE}")
    assert attached(b) == [f"{CLIP} on {RIFLE}", f"{SIGHT} on {RIFLE}"] and b.has("Mel", STORED) == [SIGHT]
    b.do("enhancing.enhance_gear", 0, words=["no"])
    assert set(b.asked[0]) == {"no", f"off {SIGHT}", f"off {CLIP}"}, "no second one of the title"
    for needs, fits in (("one_hand", [PISTOL, PROD]), ("two_hands", [RIFLE]), ("ammo", [RIFLE, PISTOL])):
        rule = {"enhancement.telescopic_sight.needs": f'"{needs}"'}
        b = owner(rules, RIFLE, PISTOL, PROD, SIGHT, **rule)
        b.do("enhancing.enhance_gear", 0, words=["no"])
        assert set(b.asked[0]) == {"no", *(f"{SIGHT} on {title}" for title in fits)}, needs
    drug = {"enhancement.spare_battery.fits": '["drug", "vehicle"]'}
    b = owner(rules, "Toolbox", "Medi-shot", BATTERY, vehicle="Strider", **drug)
    b.do("enhancing.enhance_gear", 0, words=["no"])
    assert set(b.asked[0]) == {"no", f"{BATTERY} on the vehicle", f"{BATTERY} on Medi-shot"}
    b = owner(rules, "Dundee Hat", PLATES)
    b.do("enhancing.enhance_gear", 0)
    assert b.asked == [], "it is stored, for want of armor"


@pytest.mark.rule("K5B-12")
def test_enhancements_move_in_the_knights_and_the_rest_step_alone(rules: Any) -> None:
    """In both they may be attached and taken off; not as gear is gained, nor by Defend."""
    b = owner(rules, RIFLE, SIGHT).at("Mel", 9)
    b.prepare(f"{SIGHT} on {RIFLE}", "no")
    assert attached(b) == [f"{SIGHT} on {RIFLE}"] and b.asked[-1] == ["no", f"off {SIGHT}"]
    b.rest(f"off {SIGHT}", "no")
    assert attached(b) == [] and b.has("Mel", STORED) == [SIGHT] and b.asked[0] == ["no", f"off {SIGHT}"]
    b.rest(f"{SIGHT} on {RIFLE}", "no")
    b.do("belongings.gain_item", 0, b.item(SHOTGUN))
    b.do("sheet.write_sheet", 0)
    assert attached(b) == [f"{SIGHT} on {RIFLE}"] and not b.asked, "it stays, wherever its card is placed"
    b.do("wasteland.fight_enemy", 0, b.wasteland("Hell Raiders"), words=[1, 3], faces=[10] * 6)
    assert attached(b) == [f"{SIGHT} on {RIFLE}"]


@pytest.mark.rule("K5B-12")
def test_enhancements_are_detached_in_a_trade(rules: Any) -> None:
    """With the Stalls and between knights: their owner keeps them, or trades them as well, with their card alone."""
    b = fit(owner(rules, RIFLE, SIGHT), f"{SIGHT} on {RIFLE}").sell(s0="Road Map")
    b.do("stalls.go_shopping", 0, words=["Road Map"])
    assert b.has("Mel") == ["Road Map", SIGHT] and attached(b) == [] and b.has("Mel", STORED) == [SIGHT]
    b = (
        fit(owner(rules, RIFLE, SIGHT, vehicle="Strider"), f"{SIGHT} on {RIFLE}")
        .at("Naomi", 0)
        .give("Naomi", "Toolbox")
    )
    b.do("trades.trade", 0, 1, words=[f"{RIFLE} for Toolbox", f"give {SIGHT}", "propose", "agree", "no"])
    assert f"{SIGHT} for Toolbox" not in b.asked[0] and f"give {SIGHT}" in b.asked[1]
    assert b.has("Naomi") == [RIFLE, SIGHT] and attached(b, "Naomi") == [] and b.has("Mel") == ["Toolbox"]
    b = fit(owner(rules, RIFLE, SIGHT), f"{SIGHT} on {RIFLE}").at("Naomi", 0).give("Naomi", "Toolbox")
    b.do("trades.trade", 0, 1, words=[f"{RIFLE} for Toolbox", "propose", "agree", "no"])
    assert b.has("Naomi") == [RIFLE] and b.has("Mel") == [SIGHT, "Toolbox"] and b.has("Mel", STORED) == [SIGHT]


@pytest.mark.rule("K5B-12")
@pytest.mark.parametrize("how", ["stalls", "knight", "pool"])
def test_enhancements_of_a_vehicle_that_is_traded(rules: Any, how: str) -> None:
    """A trade detaches them; a vehicle that makes room for another one otherwise takes them along (K5B-14)."""
    b = fit(owner(rules, BAR, vehicle="Strider"), f"{BAR} on the vehicle")
    assert b.has("Mel", BESIDE) == [BAR] and b.do("belongings.trunk_room", 0) == 1 + int(b.t.vehicle[0].capacity[0])
    b.s.pool[2] = 1
    if how == "stalls":
        b.do("stalls.go_shopping", 0, words=["Heavy-duty"])
    elif how == "knight":
        b.at("Naomi", 0).drives("Naomi", "Heavy-duty")
        b.do("trades.trade", 0, 1, words=["vehicle for vehicle", "agree", "no"])
    else:
        b.do("gains.draw_gear", 0, 1, 1, words=["Heavy-duty"])
    assert b.vehicle("Mel") == "Heavy-duty" and b.has("Mel", BESIDE) == []
    assert b.has("Mel") == ([] if how == "pool" else [BAR]) and b.s.gear[2].discarded == int(how == "pool")


@pytest.mark.rule("K5B-13")
def test_enhancements_take_room(rules: Any) -> None:
    """As cards of their own where their card is stored, in the same place; none on the sheet, or under covered gear."""
    bare = {"knight.mel_gearson.backpack": "3", "knight.mel_gearson.carries": "[]"}
    b = fit(owner(rules, RIFLE, SIGHT, CLIP, **bare), f"{SIGHT} on {RIFLE}", f"{CLIP} on {RIFLE}")
    mel = b.of("Mel")
    assert b.do("belongings.count_in", mel, STORED) == 0
    b.give("Mel", SHOTGUN)
    mel.spot[b.place("Mel", SHOTGUN)], mel.spot[b.place("Mel", RIFLE)] = HAND, STORED
    assert b.do("belongings.count_in", mel, STORED) == 3 and b.do("belongings.size_of", mel, 0) == 3
    b.do("belongings.gain_item", 0, b.item(PLATES))
    assert b.has("Mel") == sorted([RIFLE, SIGHT, PLATES, SHOTGUN]), "there is no room for a fourth card"
    assert b.s.gear[0].discarded == 1, "the one worth least is gone"
    assert b.do("belongings.count_in", mel, STORED) == 3
    b = fit(owner(rules, RIFLE, SIGHT, **bare), f"{SIGHT} on {RIFLE}")
    b.of("Mel").spot[0], b.of("Mel").own[0] = STORED, 1
    assert b.do("belongings.count_in", b.of("Mel"), STORED) == 0, "it lies under the sheet"
    small = bare | {"knight.mel_gearson.backpack": "1", "vehicle.strider.whole.capacity": "2"}
    b = fit(owner(rules, PISTOL, SIGHT, vehicle="Strider", **small), f"{SIGHT} on {PISTOL}")
    b.of("Mel").spot[b.place("Mel", PISTOL)] = LOOSE
    b.do("belongings.shed", 0)
    assert b.has("Mel", TRUNK) == [PISTOL] and attached(b) == [f"{SIGHT} on {PISTOL}"], "both go where both fit"


@pytest.mark.rule("K5B-14")
@pytest.mark.parametrize("how", ["stolen", "paid", "damaged", "exchanged"])
def test_enhancements_are_lost_with_their_card(rules: Any, how: str) -> None:
    """Whichever way it is lost; the thief has the card alone, and the piles have all others."""
    blue = {"weapon.pipe_rifle.colour": '"blue"'} if how == "exchanged" else {}
    bare = {"knight.mel_gearson.backpack": "1", "knight.mel_gearson.carries": "[]"}
    b = fit(owner(rules, RIFLE, SIGHT, **bare, **blue), f"{SIGHT} on {RIFLE}")
    b.stack_gear("Sky Link")
    mel, rifle = b.of("Mel"), b.t.thing[b.item(RIFLE)]
    if how == "stolen":
        b.do("meetings.steal", 1, 0, words=[RIFLE])
        assert b.has("Naomi") == [RIFLE] and attached(b, "Naomi") == []
    elif how == "paid":
        b.do("tasks.pay_price", 0, [1, 0, 0])
    elif how == "damaged":
        mel.spot[0] = TRUNK
        b.drives("Mel", "Strider")
        b.t.vehicle[0].capacity[1], before = 1, int(b.t.vehicle[0].capacity[1])
        b.do("gains.damage_vehicle", 0, 1, words=[RIFLE])
        b.t.vehicle[0].capacity[1] = before
        assert set(b.asked[0]) == {RIFLE, SIGHT}, "the Waster may take either, as both lie in the vehicle"
    else:
        b.do("rest.change_blue", 0, words=[RIFLE])
    assert SIGHT not in b.has("Mel") and RIFLE not in b.has("Mel")
    assert b.s.gear[1].discarded == 1 + int(rifle.colour == 1 and how != "stolen"), "the Sight lies on its pile"


@pytest.mark.rule("K5B-14", "K1H-22")
@pytest.mark.parametrize("exact", [False, True])
def test_a_price_is_paid_with_what_is_attached_before_its_card(rules: Any, exact: bool) -> None:
    """Outside a trade it counts by itself, and is lost with its card: which must not go first where both are needed."""
    sets = {"board.map.dear_pays_cheap": str(not exact).lower(), "weapon.cattle_prod.damage": "1"}
    b = fit(owner(rules, PROD, TEETH, **sets), f"{TEETH} on {PROD}")
    b.do("tasks.pay_price", 0, [1, 0, 0], words=[TEETH])
    assert b.asked == [[PROD, TEETH]] and b.has("Mel") == [PROD]
    b = fit(owner(rules, PROD, TEETH, **sets), f"{TEETH} on {PROD}")
    assert b.do("tasks.can_pay", 0, [2, 0, 0])
    b.do("tasks.pay_price", 0, [2, 0, 0])
    assert b.has("Mel") == [] and b.s.gear[0].discarded == 2
    yellow = sets | {"enhancement.saw_teeth.colour": '"yellow"'}
    b = fit(owner(rules, PROD, TEETH, "Toolbox", "Road Map", **yellow), f"{TEETH} on {PROD}")
    b.do("tasks.pay_price", 0, [1, 1, 0], words=["Toolbox"] if exact else ["Toolbox", TEETH])
    assert PROD not in b.asked[0] and "Road Map" in b.asked[0], "with it what it carries would be lost"
    assert b.has("Mel") == ["Cattle Prod", "Road Map"]


@pytest.mark.rule("K5B-15", "K5B-03")
def test_enhanced_starting_gear(rules: Any) -> None:
    """It can be enhanced; what is attached to it can be stolen, paid and discarded, though the gear itself can't."""
    b = owner(rules, PISTOL, SIGHT)
    b.of("Mel").own[0] = 1
    fit(b, f"{SIGHT} on {PISTOL}")
    b.do("meetings.steal", 1, 0, words=[SIGHT])
    assert SIGHT in b.asked[0] and PISTOL not in b.asked[0]
    assert (b.has("Mel"), b.has("Naomi"), b.has("Naomi", STORED)) == ([PISTOL], [SIGHT], [SIGHT])
    b = owner(rules, PISTOL, SIGHT)
    b.of("Mel").own[0] = 1
    fit(b, f"{SIGHT} on {PISTOL}")
    assert b.do("tasks.can_pay", 0, [0, 1, 0]) and not b.do("tasks.can_pay", 0, [1, 1, 0])
    b.sell(s0="Road Map").do("stalls.go_shopping", 0)
    assert b.asked == [], "in a trade it does not come off, as its card is not traded"
    b.do("tasks.pay_price", 0, [0, 1, 0])
    assert b.has("Mel") == [PISTOL] and b.s.gear[1].discarded == 1


@pytest.mark.rule("K5B-11", "K1F-21")
def test_what_enhancements_do_in_combat(rules: Any) -> None:
    """An attack term helps the weapon that carries it and no other; armor is added; stored ones do nothing."""
    sets = {"weapon.machine_pistol.icons": '["medium"]', "weapon.cattle_prod.icons": '["medium"]'}
    rule = {"enhancement.telescopic_sight.needs": '"one_hand"'}

    def dice(b: Table) -> list[int]:
        fighter = sheet(b, rules)
        kit = fighter.kit[0]
        place = rules["knights.tables"].MEDIUM
        return [int(kit.mode[m].at[place].dice[0]) for m in range(kit.modes)]

    plain = dice(owner(rules, PISTOL, PROD, **sets, **rule))
    b = fit(owner(rules, PISTOL, PROD, SIGHT, **sets, **rule), f"{SIGHT} on {PISTOL}")
    helped = dice(b)
    assert sum(helped) == sum(plain) + 1 and len(helped) == 2
    b.of("Mel").spot[b.place("Mel", PISTOL)] = STORED
    assert dice(b) == [min(plain)], "stored with its card"

    def armor(b: Table, ranged: int) -> int:
        return int(sheet(b, rules).kit[0].guard[1, ranged].armor)

    b = owner(rules, "Road Leathers", PLATES)
    before = [armor(b, ranged) for ranged in range(2)]
    fit(b, f"{PLATES} on Road Leathers")
    assert [armor(b, ranged) for ranged in range(2)] == [before[0], before[1] + 1]


@pytest.mark.rule("K5B-11")
def test_moments_of_enhancements_in_combat(rules: Any) -> None:
    """What is attached to a weapon, a pocketed card or the vehicle comes at its moment (here: Ammo for a win)."""
    won = '[{ when = "won", what = "ammo", whom = "self", many = 1 }]'
    sets = {f"enhancement.{slug}.effects": won for slug in ("telescopic_sight", "spare_battery", "bull_bar")}
    for pair in (f"{SIGHT} on {RIFLE}", f"{BATTERY} on Toolbox", f"{BAR} on the vehicle", ""):
        b = owner(rules, RIFLE, "Toolbox", SIGHT, BATTERY, BAR, vehicle="Strider", **sets).dials("Mel", ammo=2)
        fit(b, *([pair] if pair else []))
        b.do("wasteland.fight_enemy", 0, b.wasteland("Hell Raiders"), words=[1, 3], faces=[10] * 5)
        assert b.now("Mel")[1] == 1 + bool(pair), pair


@pytest.mark.rule("K5B-11", "K5B-05")
def test_what_enhancements_do_off_combat(rules: Any) -> None:
    """While their card is at hand, they help with checks and moves; neither loose nor stored."""
    check, skill = rules["knights.board_bots"].CHECK, rules["knights.board_tables"].SKILL["repair"]
    b = owner(rules, "Road Map", BATTERY)
    assert b.do("belongings.standing", 0, check, skill) == 0
    fit(b, f"{BATTERY} on Road Map")
    assert b.do("belongings.standing", 0, check, skill) == 1
    b.of("Mel").spot[b.place("Mel", "Road Map")] = STORED
    assert b.do("belongings.standing", 0, check, skill) == 0


@pytest.mark.rule("K5B-28", "K1A-24")
def test_where_enhancements_come_from(rules: Any) -> None:
    """From the deck of their color, and to the Stalls; a blue one from the task that gives it."""
    sets = {"enhancement.telescopic_sight.colour": '"blue"', "task.old_ghosts.gives": '"telescopic_sight"'}
    tasks = rules.pack("knights.board").cards["task"]
    slug = next(slug for slug, task in tasks.items() if task.common and not task.gives)
    sets = {"enhancement.telescopic_sight.colour": '"blue"', f"task.{slug}.gives": '"telescopic_sight"'}
    b = table(rules, "Mel", "Naomi", sets=sets)
    b.do("board_setup.open_decks")
    decks = [[b.items()[card] for card in pile.deck[: pile.left]] for pile in b.s.gear]
    assert TEETH in decks[0] and PLATES in decks[1] and BAR in decks[2] and SIGHT in decks[3]
    b.open(tasks[slug].title)
    b.s.post[0].task = b.card("task", tasks[slug].title)
    b.always(replace_task=tasks[slug].title)
    b.do("gains.gain_blue", 0, -1, b.item(SIGHT), words=[SIGHT])
    assert b.has("Mel", STORED) == [SIGHT] and b.left(b.s.gear[3]) == len(decks[3]) - 1
    assert b.t.task[b.card("task", tasks[slug].title)].brings == b.item(SIGHT)
    fit(b.give("Mel", RIFLE), f"{SIGHT} on {RIFLE}")
    b.do("belongings.discard_item", 0, b.place("Mel", RIFLE))
    assert b.left(b.s.gear[3]) == len(decks[3]), "lost with its card it goes back under its deck"


@pytest.mark.rule("K5B-11")
def test_who_weighs_attaches_what_helps(rules: Any) -> None:
    """To the best card at hand, and never off again; a card that fits nothing is worth its price."""
    b = owner(rules, RIFLE, SIGHT)
    bots = b.tables.bots
    for bot in ("regular", "strong"):
        b = owner(rules, RIFLE, SIGHT)
        b.of("Mel").bot, b.of("Mel").weighs = bots.index(bot), 1
        b.do("enhancing.enhance_gear", 0, words=[f"{SIGHT} on {RIFLE}"])
        assert attached(b) == [f"{SIGHT} on {RIFLE}"]
    worth = b.do("board_bots.item_worth", 0, b.item(PLATES))
    b.give("Mel", "Road Leathers")
    assert b.do("board_bots.item_worth", 0, b.item(PLATES)) > worth
