"""Water: capacity, the city, moves, cruises, and Dehydration in its two sides."""

from __future__ import annotations

from typing import Any

import pytest

from tests.voyage_table import dealt, table

TO_TRASH = "Sydney - Trash City"


# ---------------------------------------------------------------- Water as a resource


@pytest.mark.rule("V1M-05", "V1K-17", "V5-43")
def test_each_knight_starts_with_two_of_twelve_water(rules: Any) -> None:
    b = dealt(rules, "Pirate", "Trader", "Rangatira", "Assault Marine")
    assert [int(b.of(knight).water) for knight in b.knights] == [2] * 4 and b.s.pool == 4


@pytest.mark.rule("V1M-06")
@pytest.mark.parametrize(("capacity", "most"), [(1, 2), (2, 4), (3, 6)])
def test_two_water_take_one_capacity_rounding_up(rules: Any, capacity: int, most: int) -> None:
    b = table(rules, "Pirate").vehicle("Buggy", capacity=capacity).has("Pirate", water=0)
    assert b.do("water.gain_water", 0, 9, 0) == b.of("Pirate").water == most
    b.has("Pirate", water=most - 1)
    assert b.do("belongings.room_left", 0) == 0, "an odd one takes as much"


@pytest.mark.rule("V1M-06")
def test_gear_in_store_and_water_share_the_room(rules: Any) -> None:
    b = table(rules, "Pirate").vehicle("Buggy", capacity=2).has("Pirate", water=3)
    for title in ("Rope", "Dice", "Lighter"):
        b.gear(title)
    b.gives("Pirate", "Rope", "Dice")
    b.do("belongings.take_piece", 0, b.card_of("Lighter"))
    assert len(b.pieces("Pirate")) == 2 and b.of("Pirate").water == 3, "what is in store goes first"
    b.has("Pirate", water=2)
    b.do("belongings.take_piece", 0, b.card_of("Lighter"))
    assert b.pieces("Pirate") == ["Dice", "Lighter", "Rope"]


@pytest.mark.rule("V1M-06", "V5-43")
def test_water_without_room_goes_back_to_the_pool(rules: Any) -> None:
    b = table(rules, "Pirate").vehicle("Buggy", capacity=1).gear("Water Can", flask=4).gives("Pirate", "Water Can")
    assert b.do("water.gain_water", 0, 9, 0) == 4 and b.of("Pirate").water == 6
    b.do("belongings.drop_any", 0, 1)
    assert (b.of("Pirate").water, b.s.pool) == (2, 10)


@pytest.mark.rule("V1M-07")
def test_water_counts_in_a_barter_and_neither_at_the_stalls_nor_for_a_charter(rules: Any) -> None:
    b = table(rules, "Pirate").has("Pirate", fuel=1, ammo=0, meds=0, water=2).gear("Rope", value=3)
    b.s.deck[b.code.NORMAL_GEAR].left = 1 << b.card_of("Rope")
    b.t.land.offers = 1
    b.do("stalls.barter", 0, 1, words=("normal", "buy", "water", "fuel"))
    assert (b.pieces("Pirate"), b.of("Pirate").fuel, b.of("Pirate").water) == (["Rope"], 0, 0)
    b = table(rules, "Pirate").has("Pirate", fuel=1, ammo=0, meds=0, water=5).gear("Rope", value=2)
    b.s.deck[b.code.NORMAL_GEAR].left = 1 << b.card_of("Rope")
    b.do("stalls.shop", 0, 1, 0, words=("normal",))
    assert not any("buy" in options for options in b.asked)
    assert b.do("stalls.wealth", 0, 0) == 1 and b.do("stalls.wealth", 0, 1) == 6


@pytest.mark.rule("V1M-07")
def test_a_resource_brings_two_water_at_the_stalls(rules: Any) -> None:
    b = table(rules, "Pirate").has("Pirate", water=0).turn("Pirate", "city", "fuel for water", "no")
    assert (b.of("Pirate").fuel, b.of("Pirate").water, b.of("Pirate").bought) == (2, 3, 2), "one is the Quack's"
    assert not any(option.startswith("water") for option in b.asked[1]), "it has no value there"
    b.turn("Pirate", "city", "fuel for meds", "no")
    assert (b.of("Pirate").fuel, b.of("Pirate").meds) == (1, 4), "others go one for one"


@pytest.mark.rule("V1M-08")
def test_the_quack_gives_a_water_at_each_visit(rules: Any) -> None:
    b = table(rules, "Pirate").has("Pirate", water=0).turn("Pirate", "city", "no", "no")
    assert b.of("Pirate").water == 1
    b.do("base_actions.visit_city", 0, words=("no",))
    assert b.of("Pirate").water == 2


@pytest.mark.rule("V5-42", "V1M-08")
def test_the_quack_heals_the_dehydrated_even_with_an_empty_pool(rules: Any) -> None:
    b = (
        table(rules, "Pirate", "Trader")
        .has("Trader", water=10)
        .has("Pirate", water=2)
        .dry("Pirate", "Panic", severe=True)
    )
    b.do("base_actions.visit_city", 0, words=("no",))
    assert (b.of("Pirate").thirst, b.of("Pirate").water, b.s.pool) == (1, 2, 0)
    b.do("base_actions.visit_city", 0, words=("no",))
    assert (b.of("Pirate").thirst, b.of("Pirate").cured) == (0, 2)
    b.do("base_actions.visit_city", 0, words=("no",))
    assert b.of("Pirate").water == 2, "the pool is empty"


@pytest.mark.rule("V5-43")
def test_other_gains_stop_when_the_pool_is_empty(rules: Any) -> None:
    b = table(rules, "Pirate", "Trader").has("Trader", water=9).has("Pirate", water=2)
    assert b.do("water.gain_water", 0, 3, 0) == 1 and (b.of("Pirate").water, b.s.pool) == (3, 0)
    b.dry("Pirate", "Panic")
    assert b.do("water.gain_water", 0, 3, 0) == 0 and b.of("Pirate").thirst == 1


@pytest.mark.rule("V1M-09", "V4-62")
@pytest.mark.parametrize(("open_spaces", "rough", "spent"), [(0, 4, 0), (1, 3, 0), (2, 0, 1), (3, 1, 1), (7, 2, 1)])
def test_a_move_over_two_open_spaces_costs_one_water(rules: Any, open_spaces: int, rough: int, spent: int) -> None:
    """Highway, desert and crater spaces, counted by the pack; however many there are."""
    b = table(rules, "Pirate").way("Melbourne - Sydney", open=open_spaces, rough=rough)
    b.turn("Pirate", "drive to Melbourne", "no")
    assert (b.of("Pirate").spent, b.of("Pirate").water, b.where("Pirate")) == (spent, 2 - spent, "Melbourne")


# ---------------------------------------------------------------- gains


@pytest.mark.rule("V1M-11")
@pytest.mark.parametrize("terrain", ["highway", "desert", "scrub", "mountains"])
def test_one_finding_in_scrub_and_mountains_may_be_water(rules: Any, terrain: str) -> None:
    b = table(rules, "Pirate").has("Pirate", water=0)
    b.t.port[b.port("Sydney")].terrain = b.code.TERRAIN[terrain]
    b.t.find["finding"] = b.code.FINDING["fuel"]
    b.t.find["finding"][:, :, 2] = 0
    swaps = terrain in ("scrub", "mountains")
    b.turn("Pirate", "explore", *(["water"] if swaps else []), "no")
    assert (b.of("Pirate").water, b.of("Pirate").fuel) == ((1, 4) if swaps else (0, 5))


@pytest.mark.rule("V1M-11")
@pytest.mark.parametrize("kind", ["wet", "dry"])
def test_a_reward_of_most_fights_may_be_taken_as_water(rules: Any, kind: str) -> None:
    b = table(rules, "Pirate").has("Pirate", water=0)
    b.sea(
        "Pirates!", ("won", "water", 1), ("won", "cargo", 2), ("won", "cargo", 3), health=1, dice=0, armor=0, threat=0
    )
    b.card("Pirates!", dry=int(kind == "dry"))
    b.sail("Pirate", TO_TRASH, "fight", *(["water"] if kind == "wet" else []), rolls=[4])
    assert (b.of("Pirate").water, b.of("Pirate").cargo) == ((2, 3) if kind == "wet" else (1, 5)), "one, and once"
    assert b.of("Pirate").gained == b.of("Pirate").water


@pytest.mark.rule("V5-44")
def test_a_gain_of_any_resource_may_be_water(rules: Any) -> None:
    b = table(rules, "Pirate").sea("Atoll", ("pass", "resource", 2)).sail("Pirate", TO_TRASH, "water", "meds")
    assert (b.of("Pirate").water, b.of("Pirate").meds, b.of("Pirate").gained) == (3, 4, 1)


# ---------------------------------------------------------------- cruises


@pytest.mark.rule("V1M-10", "V5-58", "V4-52")
@pytest.mark.parametrize(("speed", "reading", "spent"), [
    (0, "all_water", 3), (-1, "all_water", 2), (-4, "all_water", 0), (2, "all_water", 5),
    (-1, "route_alone", 2), (-4, "route_alone", 2), (2, "route_alone", 5),
])  # fmt: skip
def test_water_of_the_route_and_the_dice_changed_by_speed(rules: Any, speed: int, reading: str, spent: int) -> None:
    """Minus takes icons off, plus adds them; never below nothing."""
    b = table(rules, "Pirate").has("Pirate", water=6).ruling(speed=reading).ship("Ferry", speed=speed)
    b.route(TO_TRASH, water=1, dice=2).sail("Pirate", TO_TRASH, rolls=["water", "water"])
    assert (b.of("Pirate").spent, b.of("Pirate").missing) == (spent, 0)


# ---------------------------------------------------------------- Dehydration


@pytest.mark.rule("V1M-12", "V5-45", "V5-46")
@pytest.mark.parametrize(("asked", "thirst", "filth"), [(2, 0, 0), (3, 1, 0), (4, 2, 0), (5, 2, 1), (7, 2, 3)])
def test_missing_water_is_worked_off_one_by_one(rules: Any, asked: int, thirst: int, filth: int) -> None:
    """A card, its severe side, then Contamination; what is there is paid first."""
    b = table(rules, "Pirate").sides("Panic")
    for card in b.tables.titles["dehydration"]:
        b.sides(card)
    b.do("water.spend_water", 0, asked)
    pirate = b.of("Pirate")
    assert (pirate.water, pirate.thirst, pirate.contamination) == (0, thirst, filth)
    assert (pirate.spent, pirate.missing, b.s.pool) == (2, asked - 2, 12)


@pytest.mark.rule("V4-51")
@pytest.mark.parametrize("side", ["normal", "severe"])
def test_by_the_cards_own_words_the_sides_are_the_other_way_round(rules: Any, side: str) -> None:
    b = (
        table(rules, "Pirate")
        .ruling(dehydration_sides="cards")
        .has("Pirate", water=0)
        .sides("Panic", ("flip", "damage", 1))
    )
    b.dry("Pirate", "Panic", severe=side == "severe")
    b.do("water.spend_water", 0, 1)
    pirate = b.of("Pirate")
    assert (pirate.thirst, pirate.contamination, pirate.damage) == (1, int(side == "normal"), int(side == "severe"))


@pytest.mark.rule("V1M-12", "V5-47")
def test_the_normal_side_counts_as_an_injury_and_does_nothing_else(rules: Any) -> None:
    b = table(rules, "Pirate", "Trader").has("Pirate", water=0, injuries=2).has("Trader", injuries=3, water=0)
    before = {name: int(b.of("Pirate")[name]) for name in ("hurt", "damage", "fuel", "ammo", "meds", "contamination")}
    b.do("water.spend_water", 0, 1)
    assert b.of("Pirate").out == 0 and before == {name: int(b.of("Pirate")[name]) for name in before}
    b.do("base.injure", 0, 1)
    assert b.of("Pirate").out == 1, "three Injuries and the card"
    b.do("water.spend_water", 1, 1)
    assert b.of("Trader").out == 1


@pytest.mark.rule("V5-48", "V1M-15", "V1M-16")
@pytest.mark.parametrize(
    "card", ["Compulsion", "Desperation", "Disoriented", "Panic", "Paranoia", "Rage"]
)  # fmt: skip
def test_the_severe_effect_comes_once_as_the_card_is_turned(rules: Any, card: str) -> None:
    """A piece of gear for Compulsion, as printed; the others as the pack has them."""
    b = table(rules, "Pirate").has("Pirate", water=0).gives("Pirate", "Rope", "Dice").dry("Pirate", card)
    b.always(drop_any="Rope", lose_any="fuel")

    def harm() -> tuple[int, ...]:
        of = b.of("Pirate")
        return (2 - of.pieces, of.hurt, of.damage, 9 - of.fuel - of.ammo - of.meds)

    b.do("water.spend_water", 0, 1)
    once = harm()
    assert sum(once) > 0 and (card != "Compulsion" or once == (1, 0, 0, 0))
    b.do("water.spend_water", 0, 2)
    assert harm() == once and b.of("Pirate").contamination == 2


@pytest.mark.rule("V1M-13", "V5-51")
def test_water_cures_side_by_side_and_the_card_is_shuffled_back(rules: Any) -> None:
    b = table(rules, "Pirate").has("Pirate", water=0).dry("Pirate", "Panic", severe=True)
    whole = int(b.t.whole[b.code.DRYNESS])
    assert b.s.deck[b.code.DRYNESS].left != whole
    b.do("water.gain_water", 0, 1, 0)
    assert (b.of("Pirate").thirst, b.of("Pirate").water) == (1, 0)
    b.do("water.gain_water", 0, 2, 0)
    assert (b.of("Pirate").thirst, b.of("Pirate").water, b.of("Pirate").cured) == (0, 1, 2)
    assert b.s.deck[b.code.DRYNESS].left == whole and b.s.deck[b.code.DRYNESS].thrown == 0


@pytest.mark.rule("V5-52")
@pytest.mark.parametrize("reading", ["on_gain", "free_choice"])
def test_the_cure_comes_at_once_on_a_gain(rules: Any, reading: str) -> None:
    """By the other reading the knight chooses, and may drink what he has at the start of his turn."""
    b = table(rules, "Pirate").ruling(cure=reading).dry("Pirate", "Panic")
    free = reading == "free_choice"
    b.do("water.gain_water", 0, 1, 0, words=("no",) if free else ())
    assert b.asked == ([["no", "drink"]] if free else [])
    assert (b.of("Pirate").thirst, b.of("Pirate").water) == ((1, 3) if free else (0, 2))
    if free:
        b.turn("Pirate", "drink", "no")
        assert (b.of("Pirate").thirst, b.of("Pirate").water) == (0, 2)
        b.dry("Pirate", "Rage").has("Pirate", water=0).turn("Pirate", "no")
        assert b.of("Pirate").thirst == 1 and "drink" not in b.asked[0], "there is nothing to drink"


@pytest.mark.rule("V1M-14")
def test_payment_is_forced_and_a_knight_has_one_card(rules: Any) -> None:
    b = table(rules, "Pirate").sides("Panic").dry("Pirate", "Panic")
    b.do("water.spend_water", 0, 1)
    assert b.asked == [] and (b.of("Pirate").water, b.of("Pirate").thirst) == (1, 1), "paid from what there is"
    b.do("water.spend_water", 0, 4)
    pirate = b.of("Pirate")
    assert (pirate.dehydrated, pirate.thirst, pirate.contamination) == (0, 2, 2), "no second card"
    assert int(b.s.deck[b.code.DRYNESS].left).bit_count() == 5


@pytest.mark.rule("V5-49")
def test_an_effect_that_gives_an_injury_never_gives_a_dehydration_card(rules: Any) -> None:
    b = table(rules, "Pirate").sheet("Pirate", resilience=9)
    b.do("base.injure", 0, 5)
    assert b.of("Pirate").thirst == 0 and int(b.s.deck[b.code.DRYNESS].left).bit_count() == 6
    assert b.of("Pirate").injuries == 5 == int(b.of("Pirate").injury).bit_count()


@pytest.mark.rule("V5-50")
def test_severe_dehydration_is_drawn_turned_and_resolved(rules: Any) -> None:
    b = table(rules, "Pirate", "Trader")
    for card in b.tables.titles["dehydration"]:
        b.sides(card, ("flip", "damage", 1))
    b.sea("Storm", ("pass", "parch", 1)).sail("Pirate", TO_TRASH)
    assert (b.of("Pirate").thirst, b.of("Pirate").damage, b.of("Pirate").water) == (2, 1, 2)
    b.dry("Trader", "Rage").sea("Storm").sail("Trader", TO_TRASH, ship="Barge")
    assert (b.of("Trader").thirst, b.of("Trader").damage) == (1, 0), "ignored by who has a card"


# ---------------------------------------------------------------- without Water


@pytest.mark.rule("V5-55")
def test_a_game_without_water_ignores_gains_and_costs(rules: Any) -> None:
    b = table(rules, "Pirate", water=0).route(TO_TRASH, water=3, dice=1).way("Melbourne - Sydney", open=5)
    b.sea("Storm", ("pass", "water", 2), ("pass", "parch", 1)).sail("Pirate", TO_TRASH, rolls=["water"])
    pirate = b.of("Pirate")
    assert (pirate.water, pirate.thirst, pirate.missing, pirate.gained, pirate.contamination) == (0, 0, 0, 0, 0)
    assert pirate.injuries == 1, "where a Dehydration card would be attached, an Injury is"
    b.at("Pirate", "Sydney").turn("Pirate", "city", "no", "no")
    assert pirate.water == 0 and not any("water" in option for options in b.asked for option in options)
    b.turn("Pirate", "drive to Melbourne", "no")
    assert pirate.missing == 0


@pytest.mark.rule("V5-55")
def test_a_game_without_water_leaves_its_cards_out(rules: Any) -> None:
    """Four exploration cards and the two new Injuries."""
    wet, dry = table(rules, "Pirate"), table(rules, "Pirate", water=0)
    for deck, many in ((wet.code.FINDS, 4), (wet.code.INJURIES, 2)):
        assert int(wet.t.whole[deck]).bit_count() - int(dry.t.whole[deck]).bit_count() == many
    b = dealt(rules, "Pirate", water=0)
    assert (b.of("Pirate").water, b.s.pool) == (0, 12)


@pytest.mark.rule("V1M-11")
def test_a_knight_who_weighs_it_gives_up_no_cargo_for_water(rules: Any) -> None:
    b = table(rules, "Pirate")
    b.of("Pirate").bot, b.of("Pirate").weighs = b.tables.bots.index("strong"), 1
    what, worth = b.code.WHAT, rules["voyage.effects"].reward_worth
    water = rules["voyage.bots"].water_worth(b.s, b.t, 0)
    assert worth(b.s, b.t, 0, what["cargo"], 3) > water
    assert worth(b.s, b.t, 0, what["cargo"], 3) > 2 * worth(b.s, b.t, 0, what["cargo"], 1)


@pytest.mark.rule("V1L-13")
def test_the_room_of_a_vehicle_is_there_at_sea(rules: Any) -> None:
    b = table(rules, "Pirate").vehicle("Buggy", capacity=1, flask=2).upgrade("Hidden Tank", vehicle=1, flask=1)
    b.learns("Pirate", "Hidden Tank").has("Pirate", water=5)
    b.gear("Machete", "weapon", dice=3).sea("Atoll", ("pass", "gear", 1), ("pass", "water", 1))
    b.s.deck[b.code.NORMAL_GEAR].left = 1 << b.card_of("Machete")
    b.sail("Pirate", TO_TRASH, "normal")
    assert (b.of("Pirate").water, b.pieces("Pirate")) == (5, []), "neither room for gear nor for a sixth Water"
