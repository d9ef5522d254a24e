"""The Preparations Phase: its order, board effects, tokens, the Stalls, who plays the Waster."""

from __future__ import annotations

from typing import Any

import pytest

from tests.board_table import table

FOUR = ("Mel", "Naomi", "Chris", "Kate")
LAKE, SWAMP = "Dead Lake", "Salt Swamp"
ICONS = {"tile.dead_lake.radiation": "1", "tile.salt_swamp.contamination": "1", "tile.salt_swamp.threat": "1",
         "tile.salt_swamp.radiation": "0"}  # fmt: skip


@pytest.mark.rule("K1E-01", "K4-49")
def test_the_first_round_skips_it(rules: Any) -> None:
    b = table(rules, "Mel", "Naomi", sets=ICONS).at("Mel", 9).lay(9, LAKE).stack_luck("Old Friend")
    b.s.rounds = 0
    b.prepare()
    assert b.now("Mel") == (4, 4, 4, 0) and b.luck("Mel") == [] and b.s.first == 0
    b.stack_luck("Old Friend", "Aim Low").prepare()
    assert b.now("Mel") == (4, 4, 4, 1) and b.luck("Naomi") == ["Old Friend"] and b.s.first == 1


@pytest.mark.rule("K1E-02", "K5-19", "K5-20", "K5B-17", "K5-23")
def test_the_printed_order(rules: Any) -> None:
    """Marks on tasks before board effects; the Stalls before the Waster changes; unmarked and re-equipped before
    luck."""
    b = table(rules, "Mel", "Naomi", "Chris", sets=ICONS).open("Nice Trophy!", marks=2)
    b.stack_tasks(["Robo-killer", "Pit Fight"]).stack_luck("Old Friend", "Aim Low", "Get Down!").stack_gear("Road Map")
    b.at("Mel", 9).lay(9, LAKE).dials("Mel", ammo=3).give("Naomi", "First-aid Kit").sell(s0="Toolbox", s1="Fuel Can")
    b.of("Naomi").marked[0] = 1
    b.s.waster = 2
    b.prepare("Pit Fight", "Toolbox", "no")
    assert (b.tasks(), int(b.s.post[0].marks)) == (["Pit Fight"], 0), "out of date, and replaced at once"
    assert b.now("Mel") == (4, 3, 4, 1)
    assert b.stalls()[0] == "Road Map" and (b.s.first, b.s.waster) == (1, 0)
    assert b.of("Naomi").marked[0] == 0 and b.luck("Mel") and b.s.post[0].marks == 0


@pytest.mark.rule("K5-20")
def test_marks_on_tasks_stay_when_knights_get_ready(rules: Any) -> None:
    """The Knights Step unmarks all gear and abilities, and no task: an open one or one in hand has a mark more after
    each round (FT1)."""
    b = table(rules, "Mel", "Naomi", "Chris").open("Nice Trophy!").open("Last Letter", holder="Naomi", marks=1)
    b.give("Naomi", "First-aid Kit", "Night Goggles")
    b.of("Naomi").marked[:2], b.of("Naomi").spent[0] = 1, 1
    b.prepare()
    assert [int(post.marks) for post in b.s.post[:2]] == [1, 2]
    assert list(b.of("Naomi").marked[:2]) == [0, 0] and b.of("Naomi").spent[0] == 0


@pytest.mark.rule("K1E-03", "K4-17")
def test_board_effects_on_a_knight(rules: Any) -> None:
    """Radiation, then Contamination, by icons and tokens; in a city then one of four."""
    b = table(rules, "Mel", "Naomi", sets=ICONS).at("Mel", 9).lay(9, SWAMP)
    b.s.hex[9].irradiate, b.s.hex[9].contaminate = 2, 1
    b.do("preparations.feel_board", 0)
    assert b.now("Mel") == (2, 4, 4, 2)
    b.at("Mel", 0).drives("Mel", "Strider").dials("Mel", ammo=3, fuel=3)
    b.do("preparations.feel_board", 0, words=["radiation"])
    assert b.asked == [["health", "ammo", "fuel", "radiation"]] and b.now("Mel") == (2, 3, 3, 1)
    b.do("preparations.feel_board", 0, words=["ammo"])
    assert b.now("Mel") == (2, 4, 3, 1)
    b.dials("Mel", health=4, radiation=0, fuel=4)
    b.do("preparations.feel_board", 0)
    assert b.asked == [] and b.now("Mel") == (4, 4, 4, 0), "nothing to gain"


@pytest.mark.rule("K4-17", "K5-99")
def test_a_knock_out_costs_the_city_and_the_round(rules: Any) -> None:
    b = table(rules, "Mel", "Naomi").dials("Mel", radiation=3)
    b.s.hex[0].irradiate = 1
    b.do("preparations.feel_board", 0)
    assert b.of("Mel").out == 1 and b.asked == [] and b.now("Mel") == (4, 4, 4, 4)
    b.do("movement.move_all", words=["stay"])
    assert len(b.asked) == 1, "only Naomi is asked where she goes"


@pytest.mark.rule("K5-21", "K1E-04", "K5-30")
def test_tokens_act_once_and_go(rules: Any) -> None:
    b = table(rules, "Mel", "Naomi").at("Mel", 9).at("Naomi", 20)
    place = b.s.hex[9]
    place.irradiate = place.contaminate = place.threaten = place.obstruct = 1
    place.blank = 2
    b.prepare()
    assert b.now("Mel") == (3, 4, 4, 1)
    assert (place.irradiate, place.contaminate, place.threaten, place.obstruct) == (0, 0, 0, 0)
    assert place.blank == 1, "the dark side"
    b.prepare()
    assert b.now("Mel") == (3, 4, 4, 1) and place.blank == 0


@pytest.mark.rule("K5B-29", "K1E-04")
def test_a_special_token_blanks_a_hex(rules: Any) -> None:
    """No exploring, no action, no task, no dice for enemies around a tower. FK9: the tile's icons stay."""
    b = table(rules, "Mel", "Naomi", sets=ICONS).at("Mel", 9).lay(9, LAKE).at("Naomi", 20).lay(20, "Cerbero Tower")
    assert b.do("wasteland.aura_of", 20) == 2
    b.s.hex[9].blank = b.s.hex[20].blank = 2
    b.do("preparations.feel_board", 0)
    assert b.now("Mel") == (4, 4, 4, 1) and b.do("wasteland.aura_of", 20) == 0
    b.s.hex[9].tile, b.s.hex[9].threaten = b.card("tile", SWAMP), 1
    b.do("preparations.feel_board", 0)
    assert b.now("Mel") == (3, 4, 4, 1) and b.do("movement.threats", 9) == 1 + b.t.tile[b.s.hex[9].tile].threat
    b.s.hex[9].threaten = 0
    assert b.do("movement.threats", 9) == 1, "the pack shows a Threat icon there"
    b.s.player[0].hex = 20
    b.do("exploration.explore_all")
    assert b.asked == [] and b.of("Mel").explored == 0


@pytest.mark.rule("K1E-04")
def test_a_task_lays_a_special_token(rules: Any) -> None:
    """The effect of a card: ours have none, but a pack may."""
    token = {"task.burn_baby_burn.rewards": '[{ when = "reward", what = "blank", whom = "here", many = 1 }]'}
    b = table(rules, "Mel", "Naomi", sets=token).at("Mel", 9).lay(9, "Rusty's Garden")
    b.open("Burn, Baby, Burn!", holder="Mel").explore("Mel", "Burn, Baby, Burn!")
    assert b.s.hex[9].blank == 2 and b.s.player[0].tasks == 1


@pytest.mark.rule("K1E-07", "K5-10", "K5-11", "K5-09")
@pytest.mark.parametrize(("many", "wasters"), [(2, [1, 0]), (3, [2, 0, 1]), (4, [2, 3, 0, 1])])
def test_who_plays_the_waster(rules: Any, many: int, wasters: list[int]) -> None:
    """Opposite with 4, to the right with 3, the other one with 2; outside the Move Step as for the First Player."""
    b = table(rules, *FOUR[:many])
    assert [b.do("movement.waster_of", p) for p in range(many)] == wasters
    b.s.first = 1
    b.always(choose_move="stay").do("movement.move_all")
    assert b.s.waster == wasters[1] and len(b.asked) == many
    b.prepare()
    assert b.s.first == 2 % many and b.s.waster == wasters[2 % many]


@pytest.mark.rule("K5-22", "K5B-22")
def test_the_waster_updates_the_stalls_or_not(rules: Any) -> None:
    b = table(rules, "Mel", "Naomi", "Chris", "Kate").stack_gear("Road Map", "Toolbox", "Dundee Hat")
    b.sell(s0="Fuel Can", s1="Saddlebags", s2="Repair Kit", s3="Prepper's Kit")
    b.do("stalls.update_stalls", words=["no"])
    assert b.stalls()[:4] == ["Fuel Can", "Saddlebags", "Repair Kit", "Prepper's Kit"]
    b.do("stalls.update_stalls", words=["Repair Kit", "Fuel Can"])
    assert b.stalls()[:4] == ["Road Map", "Saddlebags", "Toolbox", "Prepper's Kit"], "at most two, the leftmost first"
    assert b.s.gear[0].discarded == 2 and len(b.asked) == 2
