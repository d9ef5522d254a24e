"""The reference pack of Beyond the Horizon: its sizes and the numbers that the book prints, and a season played."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from experiments.parts import heads
from experiments.replays import Account
from simcore.game import find_game, replay, seatings
from simcore.streams import root
from simcore.voyage.cards import TYPES
from tests.reference import reference

PACK = reference("voyage")


def copies(kind: str, **of: Any) -> int:
    """How many cards of a kind there are, of those with such fields."""
    cards = PACK.cards[kind].values()
    return sum(
        getattr(card, "copies", 1) for card in cards if all(getattr(card, name) == value for name, value in of.items())
    )


@pytest.mark.rule("V1K-02", "V1K-03", "V1K-04", "V1K-05", "V1K-06", "V1K-07", "V1K-09", "V1K-10", "V1K-13", "V4-63")
def test_decks_have_their_printed_sizes() -> None:
    assert (copies("knight"), copies("vehicle"), len(PACK.cards["die"])) == (4, 4, 2)
    assert copies("enemy", deck="sea") + copies("event", deck="sea") + copies("encounter", deck="sea") == 52
    assert {card.letter for card in PACK.cards["encounter"].values()} == set("IJKL")
    assert (copies("ship", cutter=False), copies("ship", cutter=True)) == (10, 1)
    assert [ship.title for ship in PACK.cards["ship"].values() if not ship.cutter] == [
        "Barge", "Catamaran", "Container Ship", "Ferry", "Power Cruiser", "Raft", "Speeder", "Submarine", "Trawler",
        "Whaler",
    ]  # fmt: skip
    assert copies("enemy", deck="road") + copies("event", deck="road") == 11
    assert copies("enemy", deck="wild") + copies("event", deck="wild") == 9
    assert copies("exploration", water=True) == 4
    assert [card.number for card in PACK.cards["special"].values()] == list(range(24, 38))
    assert [card.title for card in PACK.cards["dehydration"].values()] == [
        "Compulsion", "Desperation", "Disoriented", "Panic", "Paranoia", "Rage",
    ]  # fmt: skip
    assert {card.title for card in PACK.cards["injury"].values() if card.water} == {"Parched", "Seasick"}
    overseas = [slug for slug, port in PACK.cards["port"].items() if not port.home]
    assert [copies("destination", port=slug) for slug in overseas] == [5] * 6


@pytest.mark.rule("V1K-08", "V1K-11", "V1K-12", "V1M-19")
def test_gear_and_upgrades_have_their_printed_sizes() -> None:
    new = [card for slug, card in PACK.cards["gear"].items() if "base" not in str(PACK.origins[f"gear.{slug}.value"])]
    assert (len(new), sum(card.copies for card in new)) == (45, 50)
    assert [copies("upgrade", knight=knight) for knight in PACK.cards["knight"]] == [4] * 4
    assert len({card.pair for card in PACK.cards["upgrade"].values() if not card.knight}) == 6
    knives = [card for card in PACK.cards["gear"].values() if "Knife" in card.title]
    assert sum(card.copies for card in knives) == 3
    assert all(card.aquatic and card.starting for card in knives)
    oar = PACK.cards["gear"]["oar"]
    assert (oar.slot, oar.starting) == ("two_handed", True)


@pytest.mark.rule("V1K-14", "V1M-21")
def test_the_bag_has_its_printed_tokens() -> None:
    assert [copies("token", mode=mode) for mode in ("base", "easy", "hard", "update")] == [10, 3, 3, 1]


@pytest.mark.rule("V1L-02", "V5-32", "V5-36", "V5-37", "V5-57", "V1L-03", "V5-31")
def test_ports_and_routes_are_as_far_as_the_book_tells() -> None:
    ports, routes = PACK.cards["port"], PACK.cards["route"].values()
    assert [port.home for port in ports.values()].count(True) == 6
    assert {slug for slug, port in ports.items() if port.city and not port.home} == {
        "trash_city", "new_guinea", "new_zealand",
    }  # fmt: skip
    titles = {(card.port, card.title) for card in PACK.cards["destination"].values()}
    assert {("tasmania", "Roaring Forties"), ("project_x", "Freebooters' Cove")} <= titles
    assert any(all(ports[end].home for end in route.ends) for route in routes)
    icons = {
        slug: min(
            route.radiation + route.contamination + route.threat + route.dice + route.water + route.hazard
            for route in routes
            if slug in route.ends
        )
        for slug, port in ports.items()
        if not port.home
    }
    assert min(icons, key=icons.__getitem__) == "tasmania"
    assert max(icons, key=icons.__getitem__) == "project_x"


@pytest.mark.rule("V1K-17", "V1L-15", "V1M-05", "V1M-07", "V1M-08", "V1M-09", "V1M-15", "V1M-22", "V1M-23")
def test_printed_numbers_are_kept_and_say_so() -> None:
    rules = PACK.cards["rules"][""]
    assert (rules.water, rules.markers, rules.per_capacity) == (2, 12, 2)
    assert (rules.road_from, rules.road_water, rules.stalls_water, rules.quack, rules.surcharge) == (2, 1, 2, 1, 1)
    nautilus, mines = PACK.cards["enemy"]["nautilus"], PACK.cards["event"]["naval_mines"]
    assert (nautilus.aquatic, nautilus.threat) == (True, 1)
    assert [(e.what, e.many) for e in nautilus.effects if e.when == "crit"] == [("breach", 2)]
    assert (mines.aquatic, mines.skill, mines.need) == (True, "tech", 2)
    fails = [(e.what, e.per, e.many) for e in mines.effects if e.when == "fail"]
    assert fails == [("breach", "once", 2), ("breach", "hazard", 1), ("damage", "hazard", 1)]
    assert [(e.what, e.many) for e in PACK.cards["dehydration"]["compulsion"].effects] == [("drop", 1)]
    assert str(PACK.origins["rules.markers"]) == "rulebook: V1K-17"
    assert PACK.origins["land.sides"].how == "assumed"


def test_every_type_of_ship_is_there() -> None:
    assert {ship.type for ship in PACK.cards["ship"].values() if not ship.cutter} == set(TYPES)


@pytest.mark.parametrize("bot", ["random", "strong"])
def test_a_season_is_played_uncompiled(bot: str) -> None:
    game = find_game("voyage")
    tables = game.load(PACK, {setting.name: setting.default for setting in game.settings})
    row = seatings(game, tables, ["pirate", "trader", "assault_marine", ""], {"knight": bot}, "none")
    outcome, lines = replay(game, tables, row, root(7, 7), 3)
    names = [ending.name for ending in game.endings]
    assert names[outcome.ending] in ("won", "shared", "lost_by_all")
    assert [int(seat.role) for seat in outcome.seat] == [1, 3, 0, -1]
    assert lines[-3].startswith("Pirate: ")
    assert 0 <= int(outcome.water_left) <= 12
    held = sum(int(seat.water) for seat in outcome.seat)
    assert int(outcome.water_left) + held == PACK.cards["rules"][""].markers


def test_columns_of_ships_are_called_by_their_ship() -> None:
    game = find_game("voyage")
    called = heads(game, game.load(PACK, {setting.name: setting.default for setting in game.settings}))
    assert called["sunk_3"] == "sunk (Container Ship)" and called["breach_11"] == "breach (Cutter)"
    assert "sunk_12" not in called and "rounds" not in called


def test_a_replay_tells_of_the_ships_that_sailed() -> None:
    game = find_game("voyage")
    tables = game.load(PACK, {setting.name: setting.default for setting in game.settings})
    numbers = dict.fromkeys((column.name for seat, column in game.columns() if seat is None), 0)
    numbers |= {"rounds": 12, "sailed_3": 2, "breach_3": 5}
    of_seats = [1 if column.name == "share" else 0 for seat, column in game.columns() if seat is not None]
    world = SimpleNamespace(bots={"knight": "regular"})
    run: Any = SimpleNamespace(game=game, tables=tables, plan=SimpleNamespace(world=lambda cell: world))
    told: Any = SimpleNamespace(cell=None, numbers=[*numbers.values(), *of_seats])
    lines = {line.name: line.values[0] for line in Account.of(run, told).of_game}
    assert lines["sailed (Container Ship)"] == 2 and lines["breach (Container Ship)"] == 5 and lines["ships_lost"] == 0
    assert not any(name.startswith("sunk") for name in lines), "what didn't happen to a ship is left out"


def test_a_knight_takes_a_cutter_where_the_ship_is_too_light() -> None:
    game = find_game("voyage.cruise")
    usual = {setting.name: setting.default for setting in game.settings}
    heavy = game.load(PACK, usual | {"vehicle": 3, "held": 12})
    light = game.load(PACK, usual | {"held": 12})
    cost = {slug: card.cost for slug, card in PACK.cards["ship"].items()}
    dearer = cost["cutter"] + PACK.cards["rules"][""].surcharge
    rows = ("speeder", light, cost["speeder"]), ("speeder", heavy, dearer), ("barge", heavy, cost["barge"])
    for ship, tables, paid in rows:
        row = seatings(game, tables, [ship, "sydney_brisbane"], {"captain": "regular", "sea": "regular"}, "none")
        outcome, _ = replay(game, tables, row, root(7, 7), 3)
        assert outcome.cost == paid


def test_a_cruise_is_played_uncompiled() -> None:
    game = find_game("voyage.cruise")
    tables = game.load(PACK, {setting.name: setting.default for setting in game.settings})
    row = seatings(game, tables, ["ferry", "perth_project_x"], {"captain": "regular", "sea": "regular"}, "none")
    outcome, lines = replay(game, tables, row, root(7, 7), 3)
    assert outcome.arrived + outcome.sunk + outcome.stranded + outcome.eliminated >= 1
    assert lines[-1] in ("The ship arrives.", "The ship does not arrive.")
    assert outcome.seat[0].share + outcome.seat[1].share == 60
