"""Tasks: common and private ones, accepting, accomplishing, marks, and the two-player variant."""

from __future__ import annotations

from typing import Any

import pytest

from tests.board_table import Table, table
from tests.golden.fights import ATTACK, PREPARE

BURN, LETTER, ARMS, BOUNTY, BLOOD = "Burn, Baby, Burn!", "Last Letter", "Arms Deal", "Bounty", "Blood Samples"
REFINERY, GARDEN = "Old Refinery", "Rusty's Garden"
HIT, MISS = 9, 1
SKILLS = {
    f"knight.{slug}.skills.{skill}": "1"
    for slug in ("hugh_jackal", "mel_gearson")
    for skill in ("talk", "survival", "repair", "medicine")
}


def three(rules: Any, **sets: str) -> Table:
    """Hugh on 9, Mel and Chris far away."""
    b = table(rules, "Hugh", "Mel", "Chris", sets={**SKILLS, **sets})
    return b.at("Hugh", 9).at("Mel", 33).at("Chris", 33)


@pytest.mark.rule("K1E-32", "K5-46")
def test_one_attempt_a_step(rules: Any) -> None:
    """A check that fails can be tried again in the next Exploration Step, and not before."""
    b = three(rules).lay(9, REFINERY).open(BURN)
    b.explore("Hugh", BURN, "no", faces=[HIT, MISS])
    assert b.s.post[0].holder == -1 and len([asked for asked in b.asked if BURN in asked]) == 1
    b.explore("Hugh", BURN, "no", faces=[HIT])
    assert b.s.post[0].holder == 0


@pytest.mark.rule("K1E-32", "K5-46", "K5-18")
def test_one_private_task_at_a_time(rules: Any) -> None:
    """Accepting one brings no new card; who holds one accepts no other, until it is out of date."""
    b = three(rules).lay(9, "Cerbero Biolabs").open(BLOOD, "The Cure").stack_tasks(private=[LETTER, ARMS])
    b.always(act="no").explore("Hugh", BLOOD)
    assert b.tasks() == [BLOOD, "The Cure"] and b.s.post[0].holder == 0
    b.explore("Hugh")
    assert not any("The Cure" in asked for asked in b.asked)
    b.s.post[0].marks = 2
    b.do("tasks.mark_tasks", words=[LETTER])
    assert b.tasks() == [LETTER, "The Cure"] and b.s.post[0].holder == -1
    assert list(b.s.private.discards[:1]) == [b.card("task", BLOOD)], "it can come back after a shuffle"
    b.explore("Hugh", "The Cure")
    assert b.s.post[1].holder == 0


@pytest.mark.rule("K1E-31", "K1E-32", "K5-41", "K5-42")
def test_one_accepted_and_one_accomplished(rules: Any) -> None:
    """In one step they may be two different ones, and a common one beside them."""
    b = three(rules, **{"task.relief_convoy.first.hex": "12"}).lay(9, GARDEN).give("Hugh", "Trailer")
    b.open("Relief Convoy").open(BURN, holder="Hugh").open("Rust to Rust")
    b.explore("Hugh", BURN, "Rust to Rust", "Relief Convoy", "no")
    assert b.of("Hugh").tasks == 2 and b.s.post[2].holder == 0
    assert b.tasks() == ["", "", "Rust to Rust"], "no cards were left"


@pytest.mark.rule("K1E-05", "K5-19", "K1E-06", "K5-44")
def test_marks_and_replacement(rules: Any) -> None:
    """A mark on every open task, accepted or not; at 3 it goes, and the Waster picks one of two, the other goes
    under."""
    b = three(rules).open("Pit Fight").open(BURN, holder="Mel", marks=1).open(LETTER, marks=2)
    b.stack_tasks(private=[ARMS, BOUNTY, "The Cure"])
    b.do("tasks.mark_tasks", words=[BOUNTY])
    assert [int(post.marks) for post in b.s.post[:3]] == [1, 2, 0] and b.tasks() == ["Pit Fight", BURN, BOUNTY]
    assert b.s.private.deck[0] == b.card("task", ARMS) and b.left(b.s.private) == 2


@pytest.mark.rule("K5-17", "K5-43")
def test_an_accomplished_task_is_gone_for_good(rules: Any) -> None:
    b = (
        three(rules)
        .lay(9, "Red Tomb")
        .open("Into the Tomb")
        .stack_tasks(["Big Game", "Pit Fight"])
        .stack_luck("Aim Low")
    )
    b.explore("Hugh", "Into the Tomb", "Pit Fight", "no", faces=[HIT])
    assert b.s.common.discarded == 0 and b.tasks() == ["Pit Fight"] and b.luck("Hugh") == ["Aim Low"]
    assert sorted(b.s.common.deck[: b.s.common.left]) == [b.card("task", "Big Game")]


@pytest.mark.rule("K1E-34", "K1J-07", "K5-84", "K5-83", "K5-82", "K5-42", "K4-39")
def test_common_and_private_tasks_by_one_victory(rules: Any) -> None:
    """Met wherever it was, without acceptance, at once; several by one victory, even if the victor falls himself."""
    b = table(rules, "Chris", "Mel", "Kate").at("Chris", 9).give("Chris", "P-A Shotgun").stack("Hell Raiders")
    b.open("Nice Trophy!").open(BOUNTY, holder="Chris").stack_gear("Road Map", "Trailer", "Geiger Counter")
    b.stack_tasks(["Pit Fight"], [LETTER])
    b.move("Chris", "walk 2", "face", ATTACK, PREPARE, faces=[HIT, HIT])
    assert (b.of("Chris").tasks, b.of("Chris").reputation) == (2, 3)
    assert {"Trailer", "Geiger Counter"} <= set(b.has("Chris")) and b.tasks() == ["Pit Fight", LETTER]
    b = table(rules, "Chris", "Mel", "Kate").at("Chris", 9).give("Chris", "P-A Shotgun").dials("Chris", health=1)
    b.stack("Hell Raiders").open("Nice Trophy!").stack_gear("Trailer")
    b.move("Chris", "walk 2", "face", ATTACK, ATTACK, faces=[HIT, *[HIT] * 4])
    chris = b.of("Chris")
    assert (chris.won, chris.drawn, chris.out, chris.tasks) == (0, 1, 1, 1) and "Trailer" in b.has("Chris")


@pytest.mark.rule("K1J-09", "K5-90")
def test_pit_fight(rules: Any) -> None:
    """Only who wins has it; the active knight meets what he meets before all others."""
    b = three(rules).open("Pit Fight", "Nice Trophy!").stack_gear("Trailer")
    b.do("tasks.meet_by_deed", 1, b.rules["knights.tasks"].DEFEAT_KNIGHT, 0)
    assert (b.of("Mel").tasks, b.of("Hugh").tasks, b.tasks()) == (1, 0, ["", "Nice Trophy!"])


@pytest.mark.rule("K5-43", "K4-23", "K5-46")
def test_a_requirement_may_be_a_card(rules: Any) -> None:
    """Given by choice, and by equivalents; without it nothing is offered."""
    b = three(rules).lay(9, "Warata Industries").open(ARMS).always(act="no")
    b.explore("Hugh")
    assert not any(ARMS in asked for asked in b.asked)
    b.give("Hugh", "Road Map", "Toolbox", "Dundee Hat").explore("Hugh", ARMS)
    assert b.has("Hugh") == [] and b.s.post[0].holder == 0


@pytest.mark.rule("K4-23", "K1H-22")
@pytest.mark.parametrize(("owned", "price", "exact", "loose"), [
    (["Trailer"], [0, 1, 0], True, True),
    (["Trailer"], [1, 0, 0], False, True),
    (["Road Map", "Toolbox", "Dundee Hat"], [0, 1, 0], True, True),
    (["Road Map", "Toolbox"], [0, 1, 0], False, False),
    (["Trailer", "Road Map", "Toolbox", "Dundee Hat"], [0, 0, 1], True, True),
    (["Trailer", "Geiger Counter"], [0, 0, 1], True, True),
    (["Sky Link"], [0, 1, 0], False, True),
    ([], [0, 0, 0], True, True),
])  # fmt: skip
def test_equivalents_and_dearer_cards(rules: Any, owned: list[str], price: list[int], exact: bool, loose: bool) -> None:
    """Cheaper cards make up a dearer one; that a dearer one pays a cheaper cost is a reading of its own."""
    for sets, can in (({}, exact), ({"board.map.dear_pays_cheap": "true"}, loose)):
        b = three(rules, **sets).give("Hugh", *owned, "Cyber-arm")
        assert bool(b.do("tasks.can_pay", 0, price)) == can
        if can:
            b.do("tasks.pay_price", 0, price)
            assert b.has("Hugh") == ["Cyber-arm"]


@pytest.mark.rule("K4-23")
def test_no_more_is_paid_than_needed(rules: Any) -> None:
    """The fewest dear cards, and of a colour those that the knight picks (FK14)."""
    b = three(rules).give("Hugh", "Trailer", "Road Map", "Fuel Can", "Toolbox", "Dundee Hat")
    b.do("tasks.pay_price", 0, [0, 1, 0], words=["Toolbox", "Dundee Hat", "Fuel Can"])
    assert set(b.asked[0]) == {"Road Map", "Toolbox", "Dundee Hat", "Fuel Can"} and len(b.asked) == 3
    assert b.has("Hugh") == ["Road Map", "Trailer"]
    b.do("tasks.pay_price", 0, [1, 0, 0])
    assert b.has("Hugh") == ["Trailer"]


@pytest.mark.rule("K1E-33", "K5-48", "K1E-32")
def test_two_players(rules: Any) -> None:
    """Both kept tasks may be worked on, by their owner alone; they never go out of date, can't be stolen, and are not
    replaced; one whose first requirement failed stays."""
    b = table(rules, "Hugh", "Mel", sets=SKILLS).at("Hugh", 9).at("Mel", 9).lay(9, REFINERY).lay(20, GARDEN)
    b.open("Pit Fight").open(BURN, "Rust to Rust", owner="Hugh").open("Deep Drill", LETTER, owner="Mel")
    b.stack_tasks(["Big Game", "Nice Trophy!"], [ARMS, "The Cure"])
    b.always(act="no").explore("Mel", faces=[HIT])
    assert not any(BURN in asked for asked in b.asked)
    b.explore("Hugh", BURN, faces=[HIT, MISS])
    for _ in range(2):
        b.do("tasks.mark_tasks")
    b.do("tasks.mark_tasks", words=["Big Game"])
    assert b.tasks()[1:] == [BURN, "Rust to Rust", "Deep Drill", LETTER]
    b.explore("Hugh", BURN, faces=[HIT])
    b.at("Hugh", 20).explore("Hugh", "Rust to Rust", "no", "no", "no")
    assert [int(post.holder) for post in b.s.post[1:3]] == [0, 0], "two at once"
    assert b.do("meetings.private_of", 0) == -1, "safe from thieves"
    b.explore("Hugh", BURN)
    assert b.tasks()[1] == "" and b.left(b.s.private) == 2 and b.of("Hugh").tasks == 1


@pytest.mark.rule("K5B-28", "K1H-25", "K1H-19", "K1H-20", "K1H-21")
@pytest.mark.parametrize(
    ("title", "offered"),
    [
        ("Cutting Edge", ["Cyber-arm", "Night Eye", "Voice Box", "Rib Case"]),
        ("Street Race", ["Turbo-injector", "Roof Rack", "Solar Panel", "Winch"]),
        ("Strange Fruit", ["Scales", "Hound Nose", "Second Thumb", "Pouch"]),
        ("Thick Skin", ["Scales"]),
    ],
)
def test_tasks_give_blue_cards(rules: Any, title: str, offered: list[str]) -> None:
    """Any of a sort, or the one that is named, while it lies in the blue deck; kept, or exchanged at once (FK3)."""
    for word in (*offered, "exchange"):
        b = table(rules, "Hugh", "Mel").drives("Hugh", "").open(title, holder="Hugh").stack_gear("Sky Link")
        b.do("board_setup.open_gear", 3, 0)
        blue = b.left(b.s.gear[3])
        b.do("tasks.accomplish", 0, 0, words=[word])
        assert b.asked == [[*offered, "exchange"]] and b.left(b.s.gear[3]) == blue - 1
        assert b.has("Hugh") == [word if word in offered else "Sky Link"]
        assert b.of("Hugh").reputation == 1 + (word == "exchange")
    b = table(rules, "Hugh", "Mel").open(title, holder="Hugh")
    b.do("tasks.accomplish", 0, 0)
    assert b.asked == [] and b.has("Hugh") == [] and b.of("Hugh").reputation == 1, "none is left"


@pytest.mark.rule("K5B-28", "K5B-27")
def test_a_task_gives_a_blue_weapon(rules: Any) -> None:
    """Blue gear of any group comes as a reward, is ready at once, and is never discarded for want of room (FK3)."""
    sets = {"weapon.p_a_shotgun.colour": "blue", "task.thick_skin.gives": "p_a_shotgun", "gear.sky_link.colour": "blue",
            "knight.hugh_jackal.backpack": "0", "knight.hugh_jackal.carries": "[]"}  # fmt: skip
    b = table(rules, "Hugh", "Mel", sets=sets).open("Thick Skin", holder="Hugh")
    b.do("board_setup.open_gear", 3, 0)
    b.do("tasks.accomplish", 0, 0, words=["P-A Shotgun"])
    assert b.asked == [["P-A Shotgun", "exchange"]] and b.has("Hugh", 0) == ["P-A Shotgun"]
    b.drives("Hugh", "Strider").give("Hugh", "Road Map", "Toolbox", "Dundee Hat", "Sky Link", "Trailer")
    place = b.place("Hugh", "Sky Link")
    for i in range(b.of("Hugh").items):
        b.of("Hugh").spot[i] = 2
    b.of("Hugh").spot[place] = 5
    b.do("gains.damage_vehicle", 0, 2)
    assert "Sky Link" in b.has("Hugh", 3) and b.vehicle("Hugh") == ""


@pytest.mark.rule("K1E-32", "K1E-40")
@pytest.mark.parametrize(("before", "after"), [(2, 1), (1, 0), (0, 0)])
def test_a_stolen_task_loses_one_mark(rules: Any, before: int, after: int) -> None:
    """One of the marks goes, not all of them, and the thief holds the task at the place where it lies (FT1)."""
    b = three(rules).at("Mel", 9).dials("Mel", out=1, health=0).open(LETTER, holder="Mel", marks=before)
    b.do("meetings.steal", 0, 1, words=["task"])
    assert b.asked == [["no", "ammo", "task"]]
    assert (b.tasks(), int(b.s.post[0].holder), int(b.s.post[0].marks)) == ([LETTER], 0, after)


@pytest.mark.rule("K1E-32")
def test_who_holds_a_private_task_steals_none(rules: Any) -> None:
    b = three(rules).at("Mel", 9).dials("Mel", out=1, health=0)
    b.open(LETTER, holder="Mel", marks=1).open(BURN, holder="Hugh")
    b.do("meetings.steal", 0, 1, words=["no"])
    assert b.asked == [["no", "ammo"]]
