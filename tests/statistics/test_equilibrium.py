"""Solved combats against the compiled game and against the independent law of `test_combat`, bots picking evenly.

At best play an error in a card that is rarely played stays unseen, so the judge is random play of both sides."""

from __future__ import annotations

from typing import Any

import pytest

from simcore.game import OVERFLOW, find_game, play_tally, seatings
from simcore.knights.equilibrium import Combat, Duel
from simcore.streams import root
from tests.reference import reference
from tests.statistics.judge import fits
from tests.statistics.test_combat import CHRIS, COMBATS, MEL, RAIDERS, exact

GAMES = 200_000
RANDOM = ("random", "random")
FIGHTS = [
    ("mel_gearson", "hell_raiders"), ("naomi_vatt", "watch_drone"), ("chris_hammersworn", "flagellants"),
    ("russel_crown", "hollow_pilgrims"), ("kate_blanksheet", "scrap_hound"), ("heat_leisure", "iron_choir"),
    ("geoffrey_goldrush", "silent_howler"), ("hugh_jackal", "rad_colossus"), ("david_mayhem", "furball"),
    ("nicole_killman", "fallout_ghoul"), ("placeholder_eleven", "tunnel_queen"), ("placeholder_twelve", "shelobie"),
    ("placeholder_thirteen", "sand_strider"), ("mel_gearson", "nicole_killman"), ("kate_blanksheet", "hugh_jackal"),
]  # fmt: skip
LOADED = {
    "knight.kate_blanksheet.carries": '["medi_shot", "adrenal", "smoke_pot", "machete"]',
    "gear.adrenal.effects": '[{ when = "any_time", what = "health", whom = "self", many = 3 }, '
    '{ when = "any_time", what = "dice", whom = "self", many = 1 }]',
    "ruling.other_losses_dominance": "counted",
}
LOADING = {
    "knight.kate_blanksheet.carries": '["adrenal", "machete"]',
    "gear.adrenal.effects": '[{ when = "any_time", what = "health", whom = "self", many = 2 }, '
    '{ when = "any_time", what = "ammo", whom = "self", many = 2 }]',
}
PREPARED = {
    "knight.david_mayhem.carries": '["devil_pills", "mini_bomber", "extra_bullets", "crossbow"]',
    "ruling.wounds_in_combat": "waived",
}
FUELLED = {"knight.mel_gearson.weapons": '["chainsaw"]', "combat.start_range": "short"}
ODD: dict[str, tuple[tuple[str, str], dict[str, str], dict[str, int]]] = {
    "cards of all sorts": (("kate_blanksheet", "rad_colossus"), LOADED, {"health": 3, "ammo": 2, "radiation": 1}),
    "cards of all sorts, ferocious": (("kate_blanksheet", "shelobie"), LOADED, {"health": 2, "ammo": 1}),
    "before combat": (("david_mayhem", "gorehorn"), PREPARED, {"health": 2, "ammo": 1, "radiation": 2}),
    "fuel": (("mel_gearson", "hell_raiders"), FUELLED, {"fuel": 1, "health": 3}),
    "no fuel": (("mel_gearson", "rust_bikers"), FUELLED, {"fuel": 0, "ammo": 1}),
    "icons not needed": (("russel_crown", "rust_bikers"), {"ruling.attack_without_icon": "allowed"}, {"health": 2}),
    "a card that heals and loads, in a duel": (("kate_blanksheet", "hugh_jackal"), LOADING, {"health": 3, "ammo": 0}),
    "two clashes": (("david_mayhem", "gorehorn"), {"combat.clashes": "2"}, {"radiation": 3}),
    "four clashes": (("hugh_jackal", "glow_rats"), {"combat.clashes": "4", "ruling.same_way": "one_step"}, {}),
}


def both(
    lineup: tuple[str, str],
    sets: dict[str, str],
    table: dict[str, int],
    fault: dict[str, str],
    bots: tuple[str, str] = RANDOM,
) -> Any:
    """(counts, chances) of win, draw and loss: played by the rules, and solved with a fault in them or without."""
    duel = lineup[1] in reference("knights.duel").cards["knight"]
    game = find_game("knights.duel" if duel else "knights.fight")
    settings = {setting.name: table.get(setting.name, setting.default) for setting in game.settings}
    sound, faulty = (game.load(reference(game.name, sets | more), settings) for more in ({}, fault))
    rows = seatings(game, sound, lineup, dict(zip(("knight", "enemy"), bots, strict=True)), "none")
    tally = play_tally(game, sound, rows, root(31, 4), 0, GAMES)
    assert tally.endings[0, OVERFLOW] == 0
    shares = tally.shares[0, 0]
    found = (Duel if duel else Combat)(faulty, rows[0]).solve(bots)
    counts = [int(shares[60]), GAMES - int(shares[60]) - int(shares[0]), int(shares[0])]
    return counts, [max(0.0, part) if part > 1e-12 else 0.0 for part in (found.win, found.draw, found.loss)]


@pytest.mark.parametrize("lineup", FIGHTS, ids=" v ".join)
def test_random_play_is_as_solved(lineup: tuple[str, str]) -> None:
    counts, chances = both(lineup, {}, {}, {})
    assert fits(counts, chances), (counts, chances)


BOTS = [("equilibrium", "equilibrium"), ("regular", "regular"), ("strong", "random"), ("random", "regular")]
SOME = [*FIGHTS[::5], ("mel_gearson", "nicole_killman")]


@pytest.mark.parametrize("bots", BOTS, ids=" v ".join)
@pytest.mark.parametrize("lineup", SOME, ids=" v ".join)
def test_bots_play_as_solved(lineup: tuple[str, str], bots: tuple[str, str]) -> None:
    """Best play by its book, and what bots weigh: on fights with cards of all sorts, at little Health."""
    duel = lineup[1] == "nicole_killman"
    counts, chances = both(lineup, {}, {"health": 3}, {}, (bots[0], bots[0]) if duel else bots)
    assert fits(counts, chances), (counts, chances)


@pytest.mark.parametrize("bots", [("equilibrium", "equilibrium"), ("regular", "regular")], ids=" v ".join)
@pytest.mark.parametrize("case", ODD)
def test_bots_play_odd_cards_as_solved(case: str, bots: tuple[str, str]) -> None:
    counts, chances = both(*ODD[case], {}, bots)
    assert fits(counts, chances), (counts, chances)


ONCE = {"ruling.choices_after_reveal": "at_once"}
JACKAL = ("hugh_jackal", "arc_welder")


@pytest.mark.rule("K5-63", "K5-72")
@pytest.mark.parametrize("bots", [BOTS[0], ("strong", "random")], ids=" v ".join)
@pytest.mark.parametrize("lineup", [JACKAL, ("mel_gearson", "nicole_killman")], ids=" v ".join)
def test_choices_at_once_are_played_as_solved(lineup: tuple[str, str], bots: tuple[str, str]) -> None:
    """By the ruling, both name weapons, icons and directions without knowing what the other names."""
    counts, chances = both(lineup, ONCE, {}, {}, bots if lineup == JACKAL else (bots[0], bots[0]))
    assert fits(counts, chances), (counts, chances)


def test_choices_in_turn_are_not_those_at_once() -> None:
    """Where it matters, the other ruling's best play does not fit: the game does read the ruling."""
    counts, chances = both(JACKAL, ONCE, {}, {"ruling.choices_after_reveal": "active_first"}, BOTS[0])
    assert not fits(counts, chances)


@pytest.mark.parametrize("case", ODD)
def test_odd_cards_are_solved(case: str) -> None:
    counts, chances = both(*ODD[case], {})
    assert fits(counts, chances), (counts, chances)


@pytest.mark.parametrize("name", COMBATS)
def test_solved_chances_are_those_of_the_independent_law(name: str) -> None:
    """The law worked out from the printed rules without a line of the game's code: equal, not only likely."""
    case = COMBATS[name]
    game = find_game("knights.duel" if case.other == CHRIS else "knights.fight")
    tables = game.load(case.pack(), case.settings)
    row = seatings(game, tables, (MEL, case.other), dict.fromkeys(("knight", "enemy"), "random"), "none")[0]
    found = (Duel if case.other == CHRIS else Combat)(tables, row).solve(RANDOM)
    law = exact(name)
    for share, chance in ((60, found.win), (30, found.draw), (0, found.loss)):
        assert chance == pytest.approx(sum(part for key, part in law.items() if key[1] == share), abs=1e-11)


FAULTS = {
    "combat.attack_arrows": "2",
    "combat.multi_arrows": "1",
    "combat.advance_arrows": "0",
    "combat.retreat_arrows": "0",
    "combat.defend_arrows": "1",
    "range.medium.initiative": '["short", "medium", "long"]',
    "armor.road_leathers.armor": "2",
    "weapon.old_revolver.piercing": "1",
}


@pytest.mark.parametrize("place", FAULTS)
def test_a_planted_fault_is_caught(place: str) -> None:
    deadly = {"weapon.old_revolver.damage": "4", f"enemy.{RAIDERS}.damage": "4"} if "initiative" in place else {}
    sets = {"knight.mel_gearson.weapons": '["old_revolver"]', f"enemy.{RAIDERS}.icons": '["short"]', **deadly}
    counts, chances = both((MEL, RAIDERS), sets, {"health": 2}, {place: FAULTS[place]})
    assert not fits(counts, chances)
