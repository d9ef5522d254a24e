"""Stories: what happened, in words; tests/golden has whole games."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.gang_referee import Referee
from tests.gang_table import dealt, does, effect, table

RIVALS = ("Patrol", "Hyenas")


def test_a_conquest_is_told_in_the_order_of_the_book(rules: Any) -> None:
    b = table(rules, "Unshakeable", "Hyenas").on("Iron", "Hyenas", "Howler", "slave")
    b.in_lair("Unshakeable", "Madman", "Trickster", "Zealot", "fanatic", "slave")
    b.ambush("Unshakeable", "Iron", "Madman", "wounded Trickster", "wounded slave", "fanatic", "Zealot", "Zealot")
    assert b.told() == [
        "  Unshakeable ambush Iron 1: strength 8 against 2.",
        "    Trickster is wounded for more strength.",
        "    A slave of Unshakeable is lost from the lair to the pool.",
        "    Hyenas are beaten off Iron 1.",
        "    1 slave of Hyenas on Iron 1 to the pool.",
        "    Howler of Hyenas goes home wounded from Iron 1.",
        "    Zealot and Madman go.",
        "    With 1 fanatic.",
        "  The ability of Zealot is used.",
        "    1 fanatic from the pool for Unshakeable.",
        "    1 fanatic of Unshakeable to the pool.",
    ]


def test_an_ability_that_comes_to_nothing_is_not_told(rules: Any) -> None:
    b = table(rules, *RIVALS).in_lair("Hyenas", "Biter").in_hand("Patrol", "Sniper", "Sniper").summon("Patrol", "no")
    b.summon("Patrol", "Hyenas: Biter")
    assert b.told() == [
        "  Sniper comes into the lair.",
        "  Sniper comes into the lair.",
        "  The ability of Sniper is used.",
        "    Biter of Hyenas is wounded in the lair.",
    ]


def test_prices_and_losses_are_told_once(rules: Any) -> None:
    sets = does("raider.scout", effect("summon", "discard", "rival_lair"), pay="wound")
    sets |= does("raider.medic", effect("summon", "slaves", "own_lair"), pay="discard") | {"rules.fodder": "12"}
    b = table(rules, *RIVALS, sets=sets).in_lair("Hyenas", "Biter", *["slave"] * 12).in_lair("Patrol", "Sniper")
    b.in_hand("Patrol", "Scout", "Sentry", "Medic").summon("Patrol", "Scout", "Sniper", "Hyenas: Biter")
    b.summon("Patrol", "Medic", "Sentry")
    assert b.told() == [
        "  Scout comes into the lair.",
        "  The ability of Scout is used.",
        "    Sniper is wounded for it.",
        "    Biter of Hyenas is discarded from the lair.",
        "  Medic comes into the lair.",
        "  The ability of Medic is used.",
        "    Sentry is discarded for it.",
        "    Nobody is left to come from the pool for Patrol.",
    ]


def test_the_night_patches_up_without_a_word_for_each(rules: Any) -> None:
    b = dealt(rules, *RIVALS).in_lair("Patrol", "wounded Scout")
    for place in b.s.place:
        place.open = 0
    b.s.places = 0
    b.do("day.pass_night")
    assert b.told()[0] == "Night falls: all wounded are patched up."
    assert [line.endswith(" opens: 5 loot.") for line in b.told()[1:]] == [True] * 3
    b.in_lair("Patrol", "wounded Scout").hour("Patrol", "wounded Scout", "Sniper", "no", "no", "no")
    assert b.told()[:2] == ["Day 0, hour 0: Patrol.", "  Scout is patched up."]


@pytest.mark.parametrize("game", range(10))
def test_a_reader_of_the_replay_works_out_the_whole_table(rules: Any, game: int) -> None:
    """FG5: every dial, pile, hand, lair, territory and the market, from the text alone; some games stop midway."""
    gangs = ("Unshakeable", "Valkyries", "Slave-traders", "Gentlemen", "Hyenas", "Patrol")
    sitting = [gangs[(game + i) % 6] for i in range(2 + game % 3)]
    b = dealt(rules, *sitting, most_hours=(2, 4, 100)[game % 3]).play(game)
    story, referee = rules["gangs.tell"]._Story(b.tables, b.seats()), Referee()
    for line in b.told():
        referee.line(line)
    for gang in sitting:
        said, of = referee.gangs[gang], b.of(gang)
        assert (said.loot, said.points, said.trophies) == (of.loot, of.points, of.trophies)
        assert (said.deck, said.slaves, said.fanatics) == (of.deck.left, of.slaves, of.fanatics)
        assert +said.hand == Counter(b.hand(gang)) and +said.discards == Counter(b.discards(gang))
        lair = said.lair + Counter({f"wounded {card}": many for card, many in said.hurt.items()})
        assert +lair == Counter(word for word in b.lair(gang) if word not in ("slave", "fanatic"))
    assert +referee.market == Counter(b.market())
    for place in b.s.place:
        if place.open:
            name, words = story.site(place.site), b.site_words(place.site)
            assert (referee.loot.pop(name), referee.owner[name]) == (place.loot, b.holder(words))
            assert +referee.there[name] == Counter(b.standing(words))
    assert referee.loot == {}


def test_a_game_that_was_never_ended_gives_no_places(rules: Any) -> None:
    """FG5: its scores are shown, but nobody knows who would win."""
    b = dealt(rules, *RIVALS, most_hours=1).play(0)
    lines = rules["gangs.tell"].tell(b.tables, b.seats(), b.journal, b.outcome())
    assert [line.endswith("no place, as the game was never ended.") for line in lines[-2:]] == [True, True]


def test_reinforcing_reads_as_no_attack(rules: Any) -> None:
    """FG5."""
    b = table(rules, *RIVALS).on("Iron", "Patrol", "Scout").in_lair("Patrol", "Medic").ambush("Patrol", "Iron")
    assert b.told() == ["  Patrol reinforce their Iron 1.", "    Medic goes."]
