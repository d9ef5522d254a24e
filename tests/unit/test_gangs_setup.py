"""How a game of Marauders of the Great Wastelands begins."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.gang_table import dealt

GANGS = ("Unshakeable", "Slave-traders", "Patrol", "Hyenas")
STARTS = {
    "Unshakeable": ["Trickster", "Trickster"],
    "Slave-traders": ["Hunter", "Hunter"],
    "Patrol": ["Saboteur", "Saboteur"],
    "Hyenas": ["Arsonist", "Marauder"],
    "Valkyries": ["Nomad", "Torch-bearer"],
    "Gentlemen": ["Bodyguard", "Clever-one"],
}


def opened(b: Any) -> list[int]:
    """The loot on each open territory."""
    return [int(place.loot) for place in b.s.place if place.open]


def kinds(b: Any) -> Counter[str]:
    """All territory cards of a game by type, the open ones and those in the deck."""
    sites = [place.site for place in b.s.place if place.open] + list(b.s.sites.deck[: b.s.sites.left])
    return Counter(b.tables.titles["territory"][b.t.site[site].kind] for site in sites)


def mercenaries(b: Any) -> Counter[str]:
    """All mercenary cards of a game, the open ones and those in the deck."""
    return Counter(b.title(card) for card in [*b.s.offer[: b.s.market], *b.s.mercenaries.deck[: b.s.mercenaries.left]])


@pytest.mark.rule("G11-10", "G12-01", "G12-02", "G12-04", "G12-05", "G12-07", "G12-08", "G4-16")
@pytest.mark.parametrize("players", ["two", "three", "four"])
def test_decks_market_and_territories_have_their_sizes(rules: Any, players: str) -> None:
    """The territories of four days are the whole deck, so that no night lacks any."""
    many = ("two", "three", "four").index(players) + 2
    b = dealt(rules, *GANGS[:many])
    assert b.s.players == many
    assert opened(b) == [5] * (many + 1) and b.s.places == many + 1
    assert b.s.sites.left + many + 1 == (12, 16, 20)[many - 2] == 4 * (many + 1)
    assert (b.s.market, b.s.mercenaries.left) == (4, (15, 24, 33)[many - 2])
    assert all(b.holder(b.site_words(place.site)) == "" for place in b.s.place if place.open)


@pytest.mark.rule("G4-02", "G12-01", "G12-02")
def test_decks_of_the_regular_game_are_a_random_part(rules: Any) -> None:
    """Marks and whole sets count only under the advanced rules. Every deck is shuffled, in each game anew."""
    types, cards, hands = [], [], []
    b = dealt(rules, "Patrol", "Hyenas")
    for game in range(6):
        b.stream.game = game
        b.do("setup.set_up", b.seats())
        types.append(kinds(b))
        cards.append(mercenaries(b))
        hands.append(b.hand("Patrol"))
        assert (sum(types[-1].values()), sum(cards[-1].values()), len(b.deck("Patrol"))) == (12, 19, 4)
    assert any(found["Water"] > 1 for found in types), "one Water has no mark"
    assert any(set(found.values()) != {3, 1} for found in cards)
    for found in (types, cards, hands):
        assert any(one != found[0] for one in found)


@pytest.mark.rule("G12-03", "G12-06", "G16-26", "G15-07")
@pytest.mark.parametrize("players", ["two", "three", "four"])
def test_advanced_decks_go_by_marks_and_whole_sets(rules: Any, players: str) -> None:
    many = ("two", "three", "four").index(players) + 2
    b = dealt(rules, *GANGS[:many], advanced=1)
    rare = many - 1
    assert kinds(b) == {
        "Iron": 4, "Kutezh": 4, "Water": rare, "Cartridges": rare, "Chemistry": rare, "Benzak": rare,
    }  # fmt: skip
    cards = mercenaries(b)
    assert cards.pop("Widow") == 1 and set(cards.values()) == {3} and len(cards) == 3 * many
    marks = Counter(int(b.t.card[b.card(title)].mark) for title in cards)
    assert set(marks.values()) == {many}


@pytest.mark.rule("G12-09", "G12-10", "G12-11", "G5-26", "G16-08", "G16-11", "G16-12", "G16-13", "G16-17")
def test_hot_starts_hands_and_decks_with_leaders(rules: Any) -> None:
    for gangs in (("Unshakeable", "Slave-traders", "Patrol"), ("Hyenas", "Valkyries", "Gentlemen")):
        b = dealt(rules, *gangs)
        for gang in gangs:
            assert b.lair(gang) == STARTS[gang]
            assert (len(b.hand(gang)), len(b.deck(gang))) == (4, 7 if gang == "Valkyries" else 4)
            cards = [b.card(title) for title in b.hand(gang) + b.deck(gang)]
            assert sum(int(b.t.card[card].leader) for card in cards) == 1
            assert b.discards(gang) == []


@pytest.mark.rule("G12-13", "G5-27", "G5-28", "G12-11", "G11-09")
@pytest.mark.parametrize("players", ["two", "three", "four"])
def test_the_first_game(rules: Any, players: str) -> None:
    """Two days use up its territories, half of which are open; leaders are out, and three cards are left in a deck."""
    many = ("two", "three", "four").index(players) + 2
    b = dealt(rules, *GANGS[:many], first_game=1)
    types, cards = kinds(b), mercenaries(b)
    assert sum(types.values()) == (6, 8, 10)[many - 2] == 2 * len(opened(b)) and b.s.days == 2
    assert sum(cards.values()) == (9, 12, 15)[many - 2] and b.s.market == 4
    assert not types - Counter(Iron=3, Kutezh=3, Benzak=2, Water=2)
    assert set(cards) <= {"Foreman", "Preacher", "Drummer", "Daredevils", "Passers-by"} and max(cards.values()) <= 3
    for gang in b.gangs:
        assert b.lair(gang) == STARTS[gang] and len(b.hand(gang)) == 4 and len(b.deck(gang)) == 3
        assert not any(b.t.card[b.card(title)].leader for title in b.hand(gang) + b.deck(gang))
    assert [role.title for role in b.tables.roles["gangs"]] == list(GANGS), "FG4: and no others"
    assert set(b.tables.absent["gangs"]) == {"valkyries", "gentlemen"}


@pytest.mark.rule("G4-28")
def test_any_seat_may_begin(rules: Any) -> None:
    """Whoever has most of use in a wasteland can't be told: the seating says who begins, and all are played."""
    b = dealt(rules, "Patrol", "Hyenas", "Unshakeable")
    b.do("setup.set_up", b.seats(first=1))
    titles = [role.title for role in b.tables.roles["gangs"]]
    assert [titles[b.s.gang[g].role] for g in range(3)] == ["Hyenas", "Unshakeable", "Patrol"]
    assert [int(b.s.gang[g].began) for g in range(3)] == [1, 0, 0] and b.s.next == 0


@pytest.mark.rule("G11-04")
@pytest.mark.parametrize("reading", ["both_sides", "two_kinds"])
def test_the_pool_of_fodder(rules: Any, reading: str) -> None:
    """Each card has a slave and a fanatic on its sides; by the other reading there are two kinds of card."""
    b = dealt(rules, "Patrol", "Hyenas", sets={"ruling.fodder_cards": f'"{reading}"', "rules.slaves": "12"})
    assert b.pool() == 23
    for _ in range(15):
        b.in_lair("Patrol", "slave")
    b.in_lair("Patrol", "fanatic")
    slaves = 15 if reading == "both_sides" else 12
    assert (b.of("Patrol").slaves, b.of("Patrol").fanatics, b.pool()) == (slaves, 1, 23 - slaves - 1)
    for _ in range(10):
        b.in_lair("Hyenas", "fanatic")
    assert (b.of("Hyenas").fanatics, b.pool()) == ((7, 0) if reading == "both_sides" else (10, 0))


@pytest.mark.rule("G4-26")
def test_loot_never_runs_out(rules: Any) -> None:
    """A pack may lay out more loot than the 40 caps of the box: 60 at once, and 240 in a game."""
    b = dealt(rules, *GANGS, sets={"rules.loot": "12"})
    assert opened(b) == [12] * 5
    for place in b.s.place:
        place.open = 0
    b.s.places = 0
    b.do("day.pass_night")
    assert opened(b) == [12] * 5 and b.s.placed == 120 > 115
