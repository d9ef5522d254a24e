"""Packs of The Waste of Parts: what is refused, each with a clear line and its path."""

from __future__ import annotations

from typing import Any

import pytest

from simcore.mech import GAMES
from simcore.mech.cards import SCHEMA
from simcore.packs import Mistakes, load
from tests.mech_board import MISS, board, effect

GAME = GAMES["mech"]


def wrong(**sets: str) -> str:
    """What is wrong with the reference pack with values over it, as it is told."""
    with pytest.raises(Mistakes) as caught:
        load(SCHEMA, sets={name.replace("__", "."): value for name, value in sets.items()})
    return str(caught.value)


def many(names: str, field: str, value: str) -> dict[str, str]:
    """The same value for a field of several enemies."""
    return {f"enemy__{name}__{field}": value for name in names.split()}


LEVEL_3 = "waste_giant razor_pack siege_crab screamer fire_wraith marrow_drinker"
TWENTY = many("moaner spitter", "standees", "20") | many("moaner spitter", "copies", "20")
HEAL = effect("use", "health", 1)


@pytest.mark.parametrize(
    ("sets", "told"),
    [
        ({"room__fore_deck__beside": "[4]"}, "room.fore_deck.beside names the room itself"),
        ({"room__aft_deck__number": "2"}, "room.aft_deck.number is 2, as that of another room"),
        ({"room__crane__function": '"gun"'}, "has 0 rooms of function crane"),
        ({"room__upper_aft__beside": "[3]", "room__upper_fore__beside": "[4]"}, "leaves the room unconnected"),
        ({"enemy__scrap_rat__room": "14"}, "enemy.scrap_rat.room"),
        ({"enemy__scrap_rat__room": "0"}, "needs a Health, a room and a standee"),
        ({"enemy__just_the_wind__health": "1"}, "is harmless, but has numbers"),
        ({"upgrade__turret__rooms": "[1]"}, "upgrade.turret.rooms name room 1, a deck"),
        ({"upgrade__turbine__rooms": "[8]"}, "upgrade.turbine.rooms name room 8, which is of function cockpit"),
        ({"weapon__sledge__effects": effect("standing", "fly", 1)}, "weapon.sledge.effects"),
        ({"weapon__sledge__effects": HEAL}, "is use on a card of kind weapon"),
        ({"weapon__sledge__effects": effect("kill", "damage", 1, "enemy")}, "is damage on a card of kind weapon"),
        ({"armor__plate_vest__effects": effect("round_end", "step", 1)}, "is step on a card of kind armor"),
        ({"event__tail_wind__effects": effect("drawn", "health", 1, "crew")}, "is crew on a card of kind event"),
        ({"event__tail_wind__effects": effect("drawn", "worsen", 1)}, "is self on a card of kind event"),
        ({"enemy__moaner__effects": effect("acts", "worsen", 1, "mech")}, "is mech on a card of kind enemy"),
        ({"enemy__moaner__effects": effect("acts", "health", -1, "mate")}, "is mate on a card of kind enemy"),
        ({"upgrade__med_bay__effects": effect("round_end", "health", 1)}, "is self on a card of kind upgrade"),
        ({"order__ram__effects": effect("drawn", "actions", -1, "crew")}, "is crew on a card of kind order"),
        ({"gear__flare__effects": effect("use", "damage", -1, "enemy")}, "no less than none of it"),
        ({"ability__overclock__once": "false"}, "ability.overclock.once is false"),
        ({"crew__brute__ability": '"haste"'}, "crew.brute.ability is 'haste'"),
        ({"mech__milestones": "[20, 10]"}, "mech.milestones are 20 and 10"),
        ({"mech__jam_below": "4"}, "mech.jam_below is 4, beyond hit_from"),
        ({"gear__flare__copies": "9"}, "gear.flare.copies"),
        (many("moaner scrap_rat coil_snake rust_leech", "copies", "20"), "enemy has a deck of"),
        (TWENTY, "enemy can have"),
        (many(LEVEL_3, "level", "2"), "enemy has no enemies of level 3"),
        ({"enemy__the_harrow__role": '""'}, "enemy has 0 cards of role harrow"),
    ],
)
def test_what_makes_no_sense_is_refused(sets: dict[str, str], told: str) -> None:
    assert told in wrong(**sets)


def test_all_mistakes_come_at_once() -> None:
    told = wrong(mech__milestones="[20, 10]", crew__brute__ability='"haste"', room__fore_deck__beside="[4]")
    assert all(path in told for path in ("mech.milestones", "crew.brute.ability", "room.fore_deck.beside"))


@pytest.mark.rule("M17-09", "M15-08", "M17-14")
def test_the_reference_pack_is_whole() -> None:
    """Three levels of enemies, all kinds of salvage, eleven crew members, events, orders of both bosses."""
    pack = load(SCHEMA)
    assert len(pack.cards["crew"]) == 11 and all(pack.cards[kind] for kind in SCHEMA.kinds)
    assert {card.level for card in pack.cards["enemy"].values()} == {1, 2, 3}
    tables: Any = GAME.load(pack, {setting.name: setting.default for setting in GAME.settings})
    assert tables.bots[:3] == ("random", "regular", "strong")
    assert tables.data.enemies == len(tables.titles["enemy"]) and tables.data.cards > 30


# ---------------------------------------------------------------- capacities


def test_fk13_more_dice_than_can_be_rolled_count_as_an_overflow(rules: Any) -> None:
    b = board(rules, {"Experiment": 4}, {"Waste Giant": 4}, {"crew.experiment.health": "12"})
    most = rules["mech.cards"].MOST_DICE
    b.do("combat.roll_hits", 4, most, 1, 0, faces=[MISS] * most)
    assert b.s.overflow == 0
    b.do("combat.roll_hits", 4, most + 1, 1, 0, faces=[MISS] * most)
    assert b.s.overflow == 1


def test_fk13_a_slot_beyond_the_capacity_counts_as_an_overflow(rules: Any) -> None:
    sets = {"gear.scope.effects": effect("standing", "slots", 1), "crew.brute.slots": "2"}
    b = board(rules, {"Brute": 4}, sets=sets)
    held = rules["mech.state"].HELD
    b.hold("Brute", *["Scope"] * (held - 1))
    assert b.do("crew.room_for", 0) and b.s.overflow == 0
    b.hold("Brute", "Scope")
    assert not b.do("crew.room_for", 0) and b.s.overflow == 1


def test_fk13_a_turn_that_is_cut_off_counts_as_an_overflow(rules: Any) -> None:
    b = board(rules, {"Scout": 2})
    most = rules["mech.play"].MOST_STEPS
    b.member("Scout").actions = most
    b.do("play.take_turn", 0, picks=[*["move 3", "move 2"] * (most // 2 - 1), "move 3", "rest"])
    assert b.s.overflow == 0
    b.member("Scout").actions, b.member("Scout").room = most, 2
    b.do("play.take_turn", 0, picks=["move 3", "move 2"] * (most // 2))
    assert b.s.overflow == 1


def test_fk13_floors_piles_and_options_count_what_does_not_fit(rules: Any) -> None:
    state = rules["mech.state"]
    b = board(rules, {"Scout": 2})
    for _ in range(state.FLOOR):
        b.do("crew.lay_down", 5, b.item("Junk"), 0)
    assert b.s.overflow == 0
    b.do("crew.lay_down", 5, b.item("Junk"), 0)
    assert b.s.overflow == 1
    b = board(rules, {"Scout": 2})
    b.scrap(len(b.s.scrap))
    b.do("effects.scrap_card", b.item("Junk"))
    assert b.s.overflow == 1
    b = board(rules, {"Scout": 2})
    b.s.options = state.OPTIONS - 1
    b.do("bots.offer", 0, 0)
    assert (b.s.overflow, b.s.options) == (0, state.OPTIONS)
    b.do("bots.offer", 0, 0)
    assert (b.s.overflow, b.s.options) == (1, state.OPTIONS)
    b = board(rules, {"Scout": 2})
    b.s.enemies = rules["mech.cards"].BOARD
    b.do("enemies.appear", b.card("enemy", "Scrap Rat"), 5)
    assert b.s.overflow == 1
