"""Set-up: decks, knights and gear; and the assumed layer of the second edition's own rules."""

from __future__ import annotations

from typing import Any

import pytest

from tests.declared import Undeclared
from tests.voyage_table import dealt, table

TO_TRASH = "Sydney - Trash City"


@pytest.mark.rule("V5-01", "V1K-07")
def test_special_cards_are_drawn_unseen_by_their_numbers(rules: Any) -> None:
    b = table(rules, "Pirate", "Trader")
    b.t.special[:3] = (4, 1, 7)
    b.sea("Atoll", ("pass", "special", 1)).sail("Pirate", TO_TRASH).sail("Trader", TO_TRASH, ship="Barge")
    assert (b.of("Pirate").cargo, b.of("Trader").cargo, b.s.specials) == (4, 1, 2)
    numbers = [card.number for card in rules.pack("voyage").cards["special"].values()]
    assert numbers == list(range(24, 38)) and b.t.specials == 14


@pytest.mark.rule("V5-02", "V5-03", "V5-04", "V1K-03", "V1K-05", "V1K-06", "V1K-09", "V1K-10")
def test_every_deck_is_whole_at_the_start_and_each_its_own(rules: Any) -> None:
    b = dealt(rules, "Pirate", "Trader", game=3)
    code = b.code
    sizes = {code.SEA: 52, code.ROAD: 11, code.WILD: 9, code.DRYNESS: 6}
    pack = rules.pack("voyage").cards
    for deck, kind in ((code.INJURIES, "injury"), (code.FINDS, "exploration")):
        sizes[deck] = sum(card.copies for card in pack[kind].values())
    for deck in range(8):
        assert b.s.deck[deck].left == b.t.whole[deck] and b.s.deck[deck].thrown == 0
        assert int(b.t.whole[deck]).bit_count() == sizes.get(deck, int(b.t.whole[deck]).bit_count())
    gear = rules.pack("voyage").cards["gear"].values()
    for deck, aquatic in ((code.NORMAL_GEAR, False), (code.AQUATIC_GEAR, True)):
        cards = [b.t.piece[code.AQUATIC_AT * aquatic + bit] for bit in range(int(b.t.whole[deck]).bit_count())]
        assert len(cards) == sum(card.copies for card in gear if card.aquatic == aquatic and not card.starting)
        assert all(b.t.gear[card].aquatic == aquatic for card in cards)
    assert b.of("Pirate").thirst == 0


@pytest.mark.rule("V5-03")
def test_decks_are_shuffled_and_made_anew_from_what_was_discarded(rules: Any) -> None:
    decks, word, firsts = rules["voyage.decks"], rules["streams"].word, set()
    for key in range(40):
        b = dealt(rules, "Pirate", game=key)
        deck = b.s.deck[b.code.SEA]
        drawn = [decks.draw_from(deck, word(key, i)) for i in range(52)]
        firsts.add(drawn[0])
        assert sorted(drawn) == list(range(52))
    assert len(firsts) > 15
    decks.throw(deck, 7)
    assert decks.draw_from(deck, 1) == 7 and decks.draw_from(deck, 1) == -1


@pytest.mark.rule("V5-04", "V1M-19")
def test_knights_begin_with_starting_gear_of_their_own(rules: Any) -> None:
    b = dealt(rules, "Pirate", "Rangatira", "Trader", "Assault Marine")
    b.t = b.tables.data.copy()
    b.do("setup.set_up", b.seats())
    starting = {card.title for card in rules.pack("voyage").cards["gear"].values() if card.starting}
    assert {"Oar", "Knife", "Outback Knife", "Pistol"} <= starting
    sheets = rules.pack("voyage").cards["knight"]
    for knight, sheet in zip(b.knights, ("pirate", "rangatira", "trader", "assault_marine"), strict=True):
        role = next(role for role in range(4) if b.tables.roles["knights"][role].title == knight)
        assert b.of(knight).role == role and len(sheets[sheet].gear) <= 4
        titles = {rules.pack("voyage").cards["gear"][slug].title for slug in sheets[sheet].gear}
        assert titles == set(b.pieces(knight))
    tables = b.tables.data
    pieces = {
        b.tables.titles["gear"][tables.piece[card]] for row in tables.knight[:4] for card in row.piece[: row.pieces]
    }
    assert pieces <= starting and "Oar" in pieces


@pytest.mark.rule("V5-08", "V1K-02")
def test_every_knight_can_sail_with_every_vehicle(rules: Any) -> None:
    cruise = rules.game("voyage.cruise")
    seen = set()
    for knight in range(4):
        vehicle = (knight + 1) % 4
        tables = rules.tables("voyage.cruise", None, {"knight": knight, "vehicle": vehicle})
        bots = {"captain": "regular", "sea": "regular"}
        row = rules["game"].seatings(cruise, tables, ["cutter", "sydney_trash_city"], bots, "none")
        s = rules["kernels"].blank(rules["voyage.state"].STATE)
        stream = rules["kernels"].blank(rules["streams"].STREAM)
        rules["voyage.setup"].set_up_cruise(s, tables.data, stream, row[0])
        seen.add((int(s.knight[0].role), int(s.knight[0].vehicle)))
        title = list(rules.pack("voyage").cards["vehicle"].values())[vehicle]
        assert tables.data.vehicle[vehicle].type == rules["voyage.tables"].TYPE[title.type], "which ships can carry it"
    assert seen == {(0, 1), (1, 2), (2, 3), (3, 0)}


# ---------------------------------------------------------------- the assumed layer


def test_a_test_counts_successes_of_the_skills_dice(rules: Any) -> None:
    b = table(rules, "Pirate").sheet("Pirate", tech=3).card("Ruins", ("pass", "cargo", 1), skill="tech", need=2)
    b.resolve("Pirate", "Ruins", rolls=[4, 3, 6])
    assert (b.of("Pirate").cargo, b.of("Pirate").tests, b.of("Pirate").passed) == (1, 1, 1)
    b.resolve("Pirate", "Ruins", rolls=[4, 3, 3])
    assert (b.of("Pirate").cargo, b.of("Pirate").tests, b.of("Pirate").passed) == (1, 2, 1)


def test_as_many_wounds_as_health_knock_out_and_injure(rules: Any) -> None:
    b = table(rules, "Pirate").card("Ruins", ("pass", "wound", 5)).resolve("Pirate", "Ruins")
    pirate = b.of("Pirate")
    assert (pirate.down, pirate.injuries, pirate.knocked) == (1, 1, 1)
    b.turn("Pirate", "explore")
    assert (pirate.down, pirate.hurt) == (0, 2) and len([o for o in b.asked if o[0] == "no" and len(o) > 2]) == 1


def test_an_unconscious_knight_is_neither_fought_nor_passes_a_test(rules: Any) -> None:
    b = (
        table(rules, "Pirate")
        .has("Pirate", down=1)
        .sea("Pirates!", ("won", "cargo", 1), health=1, dice=3, armor=0, threat=0)
    )
    b.sail("Pirate", TO_TRASH).sea("Storm", ("fail", "damage", 1), skill="tech", need=1).sail(
        "Pirate", TO_TRASH, ship="Barge"
    )
    assert (b.of("Pirate").fights, b.of("Pirate").tests, b.of("Pirate").damage) == (0, 0, 1)


@pytest.mark.parametrize("harm", ["radiation", "contamination"])
def test_too_much_of_it_is_an_injury(rules: Any, harm: str) -> None:
    b = table(rules, "Pirate")
    most = int(getattr(b.t.land, harm))
    b.card("Ruins", ("pass", harm, most - 1)).resolve("Pirate", "Ruins")
    assert b.of("Pirate").injuries == 0
    b.resolve("Pirate", "Ruins")
    assert (b.of("Pirate").injuries, b.of("Pirate")[harm]) == (1, most - 2)


def test_as_many_injuries_as_resilience_eliminate(rules: Any) -> None:
    b = (
        table(rules, "Pirate", "Trader")
        .card("Ruins", ("pass", "injury", 4), ("pass", "cargo", 5))
        .resolve("Pirate", "Ruins")
    )
    assert (b.of("Pirate").out, b.of("Pirate").cargo, b.of("Pirate").water, b.s.pool) == (1, 0, 0, 10)


def test_a_camp_heals_mends_and_cleans(rules: Any) -> None:
    b = table(rules, "Pirate").has("Pirate", hurt=4, radiation=3, damage=2, meds=0).turn("Pirate", "camp", "no")
    pirate = b.of("Pirate")
    assert (pirate.hurt, pirate.radiation, pirate.damage) == (1, 1, 1)


def test_attack_dice_of_a_ship_go_with_weapons_and_bare_hands(rules: Any) -> None:
    b = table(rules, "Pirate").ship("Ferry", attack=1).gear("Pistol", "weapon", dice=3)
    b.sea("Pirates!", ("won", "cargo", 1), health=4, dice=0, armor=0, threat=0)
    b.sail("Pirate", TO_TRASH, "fight", "no", rolls=[4, 4, 4, 4])
    assert b.of("Pirate").won == 1, "one of the hands, one of the ship, in two clashes"
    b.gives("Pirate", "Pistol").sail("Pirate", TO_TRASH, "fight", "no", rolls=[4, 4, 4, 4])
    assert b.of("Pirate").won == 2


def test_who_fails_to_escape_is_struck_first(rules: Any) -> None:
    b = table(rules, "Pirate").sea("Pirates!", ("won", "cargo", 1), health=1, dice=1, armor=0, threat=0)
    b.sail("Pirate", TO_TRASH, "escape", "no", rolls=[1, 1, 5, 4])
    assert (b.of("Pirate").hurt, b.of("Pirate").won, b.of("Pirate").fled) == (1, 1, 0)
    b.sail("Pirate", TO_TRASH, "escape", ship="Barge", rolls=[4, 1])
    assert (b.of("Pirate").hurt, b.of("Pirate").fled) == (1, 1)


def test_ammo_adds_dice_and_is_gone(rules: Any) -> None:
    b = table(rules, "Pirate").sea("Pirates!", ("won", "cargo", 1), health=3, dice=0, armor=0, threat=0)
    b.sail("Pirate", TO_TRASH, "ammo", "no", rolls=[4, 4, 4])
    assert (b.of("Pirate").won, b.of("Pirate").ammo) == (1, 2)


def test_experience_buys_an_upgrade_in_the_city(rules: Any) -> None:
    b = table(rules, "Pirate", "Trader").has("Pirate", experience=9).turn("Pirate", "city", "no", "Good Swimmer", "no")
    assert b.of("Pirate").experience == 6 and b.of("Pirate").upgrade
    b.has("Trader", experience=9).turn("Trader", "city", "no", "no", "no")
    assert not {"Good Swimmer", "Landlubber"} & set(b.asked[2]) and "Haggler" in b.asked[2] and "Haka" not in b.asked[2]


def test_points_are_for_destinations_first_looks_cargo_and_home(rules: Any) -> None:
    b = table(rules, "Pirate", "Trader", "Rangatira")
    b.has("Pirate", visited=0b11 << 6, looks=1, cargo=3).has("Trader", cargo=40, out=1).at("Rangatira", "Tasmania")
    season, out = b.t.season, b.outcome()
    scores = [int(seat.score) for seat in out.seat[:3]]
    assert scores == [2 * season.visit + season.look + 3 + season.home, 40 * season.kept // 100, 0]
    assert [int(seat.place) for seat in out.seat[:3]] == [1, 2, 3] and out.seat[0].share == 60


def test_gear_is_worth_what_it_is_better_than_what_it_replaces(rules: Any) -> None:
    b = table(rules, "Pirate").gives("Pirate", "Pistol", "Rope")
    b.of("Pirate").bot, b.of("Pirate").weighs = b.tables.bots.index("strong"), 1
    own = b.t.bot[b.of("Pirate").bot].worth
    worth = {title: b.do("belongings.gear_worth", 0, b.card_of(title)) for title in ("Rifle", "Plate", "Lighter")}
    at = b.tables.titles["gear"].index
    assert worth["Rifle"] == own[at("Rifle")] - own[at("Pistol")], "two hands or one: a weapon in place of a weapon"
    assert worth["Plate"] == own[at("Plate")] and worth["Lighter"] == own[at("Lighter")], "there is a pocket left"
    b.gives("Pirate", "Lighter")
    assert b.do("belongings.gear_worth", 0, b.card_of("Dice")) == own[at("Dice")] - min(
        own[at("Rope")], own[at("Lighter")]
    )


# ---------------------------------------------------------------- the table of these tests


@pytest.mark.parametrize("words", [("camp",), ("camp", "city")])
def test_a_question_without_a_declared_answer_is_refused(rules: Any, words: tuple[str, ...]) -> None:
    """FT1: a missing answer is never an answer; what was scripted and not asked for is refused as well."""
    b = table(rules, "Pirate")
    with pytest.raises(Undeclared, match="no answer is declared; options: "):
        b.turn("Pirate", *words)
    with pytest.raises(AssertionError, match="not asked for"):
        b.turn("Pirate", "no", "camp")
    b.always(exchange="no", take_turn="no").turn("Pirate", *words)
    with pytest.raises(ValueError, match="is not among"):
        b.always(exchange="water for fuel").turn("Pirate", "city")
    with pytest.raises(AssertionError, match="no such kinds of questions"):
        b.always(sleep="no")
