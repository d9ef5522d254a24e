"""Destinations: First Looks, Destination Actions, and what else can be done there."""

from __future__ import annotations

from typing import Any

import pytest

from tests.voyage_table import dealt, table

OVERSEAS = ("Tasmania", "Solomon Islands", "Trash City", "New Guinea", "New Zealand", "Project X")


@pytest.mark.rule("V1L-17", "V1M-01")
def test_the_first_conscious_knight_looks_free_and_obligatory(rules: Any) -> None:
    b = table(rules, "Pirate", "Rangatira").quay("Ferry", "Raft").only("Trash City", "Tower")
    b.looks("Tower", ("look", "cargo", 2)).turn("Pirate", "Ferry to Trash City", "fuel", "fuel").turn(
        "Rangatira", "Raft to Trash City", "fuel", "fuel"
    )
    pirate, other = b.of("Pirate"), b.of("Rangatira")
    assert (pirate.looks, pirate.cargo, other.looks, other.cargo) == (1, 2, 0, 0)
    assert b.opened("Trash City") == "Tower" and pirate.visited == other.visited == 1 << b.port("Trash City")


@pytest.mark.rule("V1L-17")
def test_a_port_of_australia_has_nothing_to_look_at(rules: Any) -> None:
    b = table(rules, "Pirate").turn("Pirate", "Cutter to Melbourne", "fuel", "fuel")
    assert (b.of("Pirate").looks, b.of("Pirate").visited) == (0, 0)


@pytest.mark.rule("V5-25")
def test_who_arrives_unconscious_looks_when_he_comes_round(rules: Any) -> None:
    b = table(rules, "Pirate", "Trader").quay("Ferry").only("Trash City", "Tower").looks("Tower", ("look", "cargo", 2))
    b.sea("Storm", ("pass", "wound", 5)).turn("Pirate", "Ferry to Trash City", "fuel", "fuel")
    assert (b.opened("Trash City"), b.of("Pirate").looks) == ("", 0)
    b.end_round().turn("Pirate", "no")
    assert (b.opened("Trash City"), b.of("Pirate").looks, b.of("Pirate").cargo) == ("Tower", 1, 2)


@pytest.mark.rule("V5-25")
def test_another_can_be_first_meanwhile(rules: Any) -> None:
    b = table(rules, "Pirate", "Rangatira").quay("Ferry", "Raft").only("Trash City", "Tower")
    b.looks("Tower", ("look", "cargo", 2)).sea("Storm", ("pass", "wound", 5)).turn(
        "Pirate", "Ferry to Trash City", "fuel", "fuel"
    )
    b.sea("Calm Sea").turn("Rangatira", "Raft to Trash City", "fuel", "fuel").end_round().turn("Pirate", "no")
    assert (b.of("Rangatira").looks, b.of("Pirate").looks, b.of("Pirate").down) == (1, 0, 0)


@pytest.mark.rule("V5-09", "V1K-13", "V1M-01")
def test_one_random_card_of_five_enters_the_game(rules: Any) -> None:
    b = table(rules, "Pirate")
    for port in OVERSEAS:
        seen = set()
        for key in range(60):
            b.at("Pirate", port).s.shown[:] = -1
            b.s.key = key * 7919
            b.do("ports.reveal", 0)
            seen.add(b.opened(port))
        assert len(seen) == 5
    first = b.opened("Project X")
    b.s.key = 1
    b.do("ports.reveal", 0)
    assert b.opened("Project X") == first, "no second card"


@pytest.mark.rule("V1M-02")
def test_there_is_no_move_at_a_destination(rules: Any) -> None:
    for port in OVERSEAS:
        b = table(rules, "Pirate").at("Pirate", port).has("Pirate", fuel=9)
        b.do("turn.begin_step", 0, 1)
        b.do("turn.lay_out_turn", 0, 2, 0)
        options = [b.words(int(option), "take_turn", 0) for option in b.s.option[: b.s.options]]
        assert not any(option.startswith("drive") for option in options)
        assert {"camp", "explore"} <= set(options)
        assert ("city" in options) == (port in ("Trash City", "New Guinea", "New Zealand"))


@pytest.mark.rule("V5-32", "V1M-01")
@pytest.mark.parametrize("port", OVERSEAS)
def test_three_destinations_are_cities(rules: Any, port: str) -> None:
    b = table(rules, "Pirate").at("Pirate", port).turn("Pirate", "no")
    assert ("city" in b.asked[0]) == (port in ("Trash City", "New Guinea", "New Zealand"))


@pytest.mark.rule("V1M-03")
def test_the_destination_action_is_free_and_once_a_knight(rules: Any) -> None:
    b = table(rules, "Pirate", "Trader").place("Tower", effects=[("pass", "cargo", 2)])
    b.at("Pirate", "Trash City").at("Trader", "Trash City")
    b.turn("Pirate", "Mend the radio", "camp", "explore")
    pirate = b.of("Pirate")
    assert (pirate.cargo, pirate.deeds) == (2, 1)
    b.turn("Pirate", "no")
    assert not {"Climb it", "Mend the radio", "Pay the toll"} & set(b.asked[0])
    b.turn("Trader", "no")
    assert {"Climb it", "Pay the toll"} <= set(b.asked[0]) and "Mend the radio" not in b.asked[0]
    b.turn("Trader", "camp", "explore", "Climb it")
    assert b.of("Trader").deeds == 1, "after both actions as well"


@pytest.mark.rule("V5-35", "V1M-03")
def test_a_card_whose_choices_are_taken_is_used_up_and_stays(rules: Any) -> None:
    b = table(rules, "Pirate", "Trader", "Rangatira", "Assault Marine").place("Tower")
    for knight, choice in (("Pirate", "Climb it"), ("Trader", "Pay the toll"), ("Rangatira", "Mend the radio")):
        b.at(knight, "Trash City").turn(knight, choice, "no")
    b.at("Assault Marine", "Trash City").turn("Assault Marine", "no")
    assert b.asked[0][:4] == ["no", "camp", "explore", "city"] and b.opened("Trash City") == "Tower"
    b.at("Pirate", "Tasmania").place("Devils").turn("Pirate", "no")
    assert "Set a snare" in b.asked[0], "once for each destination"


@pytest.mark.rule("V1M-03")
def test_an_unseen_destination_has_no_destination_action(rules: Any) -> None:
    b = table(rules, "Pirate").at("Pirate", "Trash City").turn("Pirate", "no")
    assert b.asked[0][:4] == ["no", "camp", "explore", "city"]


@pytest.mark.rule("V5-29")
def test_a_knight_at_a_destination_uses_his_vehicle(rules: Any) -> None:
    b = table(rules, "Pirate").at("Pirate", "Trash City").vehicle("Buggy", tech=1)
    b.place("Tower", effects=[("pass", "cargo", 2)], skill="tech", need=1).turn(
        "Pirate", "Climb it", "no", rolls=[1, 1, 4]
    )
    assert b.of("Pirate").cargo == 2


@pytest.mark.rule("V5-30")
def test_a_camp_is_shared_by_those_who_are_there(rules: Any) -> None:
    b = table(rules, "Pirate", "Trader", "Rangatira").at("Pirate", "Tasmania").at("Trader", "Tasmania")
    for knight in ("Pirate", "Trader", "Rangatira"):
        b.has(knight, hurt=4)
    b.turn("Pirate", "camp", "no")
    assert [int(b.of(knight).hurt) for knight in b.knights] == [1, 3, 4]
    b.has("Trader", cruised=1).turn("Pirate", "camp", "no")
    assert b.of("Trader").hurt == 3, "not with a Cruise Token"


@pytest.mark.rule("V5-31", "V1M-04")
@pytest.mark.parametrize("terrain", ["highway", "desert", "scrub", "mountains"])
def test_exploring_goes_by_the_terrain_on_the_board_or_on_the_card(rules: Any, terrain: str) -> None:
    """Project X has its terrain on the card."""
    b, number = table(rules, "Pirate").at("Pirate", "Trash City"), rules["voyage.tables"].TERRAIN[terrain]
    b.t.port[b.port("Trash City")].terrain = number
    found = (("fuel",), ("ammo",), ("meds",), ("fuel", "meds"))
    b.t.find["finding"] = 0
    for ground, names in enumerate(found):
        for i, name in enumerate(names):
            b.t.find["finding"][:, ground, i] = b.code.FINDING[name]
    b.always(explore="no", take_turn="no").turn("Pirate", "explore")
    for name in ("fuel", "ammo", "meds"):
        assert getattr(b.of("Pirate"), name) == 3 + (name in found[number])
    b.place("Garden").at("Pirate", "Project X").t.place["terrain"] = number
    assert rules["voyage.base_actions"].terrain_of(b.s, b.t, 0) == number


@pytest.mark.rule("V5-33", "V1M-18", "V5-34")
def test_every_port_and_destination_is_coastal(rules: Any) -> None:
    """So that one gear card of a barter there may be an Aquatic one."""
    for port in ("Perth", "Tasmania"):
        b = table(rules, "Pirate").at("Pirate", port)
        b.do("stalls.barter", 0, 2, words=("normal", "no", "Aquatic", "no"))
        assert [options for options in b.asked if "normal" in options] == [["normal", "Aquatic"]] * 2
        b.do("stalls.barter", 0, 2, words=("Aquatic", "no", "no"))
        assert [options for options in b.asked if "normal" in options] == [["normal", "Aquatic"]], "one of them"


@pytest.mark.rule("V5-34")
def test_home_is_australia_alone(rules: Any) -> None:
    b = table(rules, "Pirate", "Trader").at("Trader", "Tasmania")
    out = b.outcome()
    assert [int(seat.home) for seat in out.seat[:2]] == [1, 0]
    season = b.t.season
    assert out.seat[0].score - out.seat[1].score == season.home


@pytest.mark.rule("V1M-01")
def test_a_season_begins_with_all_destinations_unseen_and_knights_at_home(rules: Any) -> None:
    b = dealt(rules, "Pirate", "Trader", "Rangatira", "Assault Marine", game=5)
    assert all(b.opened(port) == "" for port in OVERSEAS) and not b.s.marks.any()
    ports = [b.where(knight) for knight in b.knights]
    assert len(set(ports)) == 4 and not set(ports) & set(OVERSEAS)
