"""The threat bag and its tokens, by the mode of difficulty."""

from __future__ import annotations

from typing import Any

import pytest

from tests.voyage_table import dealt, table

TO_TRASH = "Sydney - Trash City"
MODES = ("very_easy", "easy", "normal", "hard", "very_hard")


@pytest.mark.rule("V1M-21", "V1K-14")
@pytest.mark.parametrize("mode", MODES)
def test_the_bag_of_each_mode(rules: Any, mode: str) -> None:
    """Ten tokens; three more, or three random ones exchanged."""
    seen = set()
    for game in range(8):
        b = dealt(rules, "Pirate", game=game, difficulty=MODES.index(mode))
        found = tuple(int(b.s.bag & b.t.bag[part]).bit_count() for part in range(3))
        seen.add(int(b.s.bag))
        assert (
            found
            == {
                "very_easy": (7, 3, 0),
                "easy": (10, 3, 0),
                "normal": (10, 0, 0),
                "hard": (10, 0, 3),
                "very_hard": (7, 0, 3),
            }[mode]
        )
        assert int(b.s.bag).bit_count() == sum(found)
    assert (len(seen) > 1) == mode.startswith("very"), "which ones go is left to chance"


@pytest.mark.rule("V5-05", "V1K-14")
def test_the_update_has_replaced_the_resource_token_for_good(rules: Any) -> None:
    b = table(rules, "Pirate")
    titles = b.tables.titles["token"]
    tokens = rules.pack("voyage").cards["token"]
    (update,) = (token for token in tokens.values() if token.mode == "update")
    assert update.title in titles and tokens[update.replaces].title not in titles
    assert b.t.bag[0] >> titles.index(update.title) & 1 and len(titles) == 16


@pytest.mark.rule("V5-05", "V5-44")
def test_the_updated_token_shows_water_as_well(rules: Any) -> None:
    b = table(rules, "Pirate").bag("Supplies with Water").route(TO_TRASH, threat=1).sail("Pirate", TO_TRASH, "water")
    assert b.asked == [["water", "fuel", "ammo", "meds"]] and b.of("Pirate").water == 3


@pytest.mark.rule("V5-56")
@pytest.mark.parametrize("side", ["yellow", "red"])
def test_the_red_side_counts_against_an_enemy_and_else_the_yellow_one(rules: Any, side: str) -> None:
    b = table(rules, "Pirate").bag("Calm").token("Calm", ("yellow", "cargo", 1), ("red", "cargo", 5))
    b.route(TO_TRASH, threat=1)
    if side == "red":
        b.sea("Pirates!", health=1, dice=0, armor=0, threat=0)
    b.sail(
        "Pirate",
        TO_TRASH,
        *(["fight", "no", "water", "water"] if side == "red" else []),
        rolls=[4] if side == "red" else [],
    )
    assert b.of("Pirate").cargo == (5 if side == "red" else 1)


# ---------------------------------------------------------------- easy tokens


def event_with(b: Any, token: str, rolls: list[int]) -> Any:
    """A cruise with a token and an event that tests Tech (2)."""
    b.bag(token).route(TO_TRASH, threat=1).sea(
        "Storm", ("pass", "cargo", 1), ("fail", "cargo", 5), skill="tech", need=2
    )
    return b.sail("Pirate", TO_TRASH, rolls=rolls).of("Pirate")


def enemy_with(b: Any, token: str, *words: str, rolls: list[int], **foe: int) -> Any:
    """A cruise with a token and an enemy of Health 3, against two dice."""
    b.gear("Knife", "weapon", aquatic=1, dice=2).gives("Pirate", "Knife").always(swap_reward="no")
    b.bag(token).route(TO_TRASH, threat=1).sea(
        "Pirates!", ("won", "cargo", 1), **{"health": 3, "dice": 0, "armor": 0, "threat": 0, **foe}
    )
    return b.sail("Pirate", TO_TRASH, *words, rolls=rolls).of("Pirate")


@pytest.mark.rule("V1M-22")
def test_a_sure_hand_passes_the_first_test_or_brings_experience(rules: Any) -> None:
    assert event_with(table(rules, "Pirate"), "Sure hand", []).cargo == 1
    assert enemy_with(table(rules, "Pirate"), "Sure hand", "fight", rolls=[4, 4], health=2).experience == 2
    assert enemy_with(table(rules, "Pirate"), "Sure hand", "fight", rolls=[4, 4, 1, 1]).experience == 0, (
        "on a win alone"
    )


@pytest.mark.rule("V1M-22")
@pytest.mark.parametrize("token", ["Good luck", "Good aim"])
def test_luck_is_a_success_in_the_first_test(rules: Any, token: str) -> None:
    assert event_with(table(rules, "Pirate"), token, [4, 1]).cargo == 1
    assert event_with(table(rules, "Pirate"), token, [3, 1]).cargo == 5, "one, and not two"


@pytest.mark.rule("V1M-22")
@pytest.mark.parametrize("token", ["Good luck", "Good aim"])
def test_luck_is_a_wound_dealt_and_aim_a_special_icon(rules: Any, token: str) -> None:
    """Once, with the first attack; a special icon wounds through any armor (assumed)."""
    assert enemy_with(table(rules, "Pirate"), token, "fight", rolls=[4, 4]).won == 1
    assert enemy_with(table(rules, "Pirate"), token, "fight", rolls=[1, 1, 1, 4]).won == 0


# ---------------------------------------------------------------- hard tokens


@pytest.mark.rule("V1M-23")
def test_fangs_are_two_wounds_or_a_die_for_the_enemy(rules: Any) -> None:
    assert event_with(table(rules, "Pirate"), "Fangs", [1, 1]).hurt == 2
    pirate = enemy_with(table(rules, "Pirate"), "Fangs", "fight", rolls=[1, 1, 5, 1, 1, 5])
    assert pirate.hurt == 2, "a die that it hadn't had, in two clashes"


@pytest.mark.rule("V1M-23")
def test_spilt_water_takes_two_or_makes_the_enemy_aquatic(rules: Any) -> None:
    pirate = event_with(table(rules, "Pirate"), "Spilt Water", [1, 1])
    assert (pirate.water, pirate.thirst) == (0, 0)
    b = table(rules, "Pirate").gear("Pistol", "weapon", dice=3).gives("Pirate", "Pistol").bag("Spilt Water")
    b.route(TO_TRASH, threat=1).sea("Pirates!", ("won", "cargo", 1), health=1, dice=0, armor=0, threat=0)
    b.sail("Pirate", TO_TRASH, "fight")
    assert b.of("Pirate").won == 0, "without an Aquatic weapon there is no attack"


@pytest.mark.rule("V1M-23")
def test_wreckage_is_two_damage_or_two_health_for_the_enemy(rules: Any) -> None:
    assert event_with(table(rules, "Pirate"), "Wreckage", [1, 1]).damage == 2
    assert enemy_with(table(rules, "Pirate"), "Wreckage", "fight", rolls=[4, 4, 4, 4]).won == 0
    assert enemy_with(table(rules, "Pirate"), "Wreckage", "fight", rolls=[4, 4, 4, 4], health=2).won == 1


@pytest.mark.rule("V1M-21")
def test_no_token_is_drawn_twice_in_an_action_and_the_bag_is_whole_for_the_next(rules: Any) -> None:
    b = table(rules, "Pirate").bag("Fangs", "Leak").route(TO_TRASH, threat=5).token("Leak", ("yellow", "cargo", 1))
    b.sail("Pirate", TO_TRASH)
    assert (b.of("Pirate").tokens, b.of("Pirate").hurt, b.of("Pirate").cargo) == (2, 2, 1)
    b.sail("Pirate", TO_TRASH, ship="Barge")
    assert (b.of("Pirate").tokens, b.of("Pirate").cargo) == (4, 2)


@pytest.mark.rule("V1L-15")
def test_tokens_that_a_card_brings_are_resolved_before_its_test(rules: Any) -> None:
    b = table(rules, "Pirate").bag("Sure hand")
    b.sea("Storm", ("drawn", "threat", 1), ("pass", "cargo", 1), skill="tech", need=2).sail("Pirate", TO_TRASH)
    assert b.of("Pirate").cargo == 1


@pytest.mark.rule("V1L-05")
@pytest.mark.parametrize("many", ["0", "1", "2"])
def test_as_many_tokens_are_drawn_as_there_are_icons(rules: Any, many: str) -> None:
    b = (
        table(rules, "Pirate")
        .bag("Fangs", "Leak", "Calm")
        .route(TO_TRASH, threat=int(many))
        .always(lose_any="fuel")
        .sail("Pirate", TO_TRASH)
    )
    assert b.of("Pirate").tokens == int(many)
