"""The solver of combats: matrix games, combats solved by hand, and what must hold of any value."""

from __future__ import annotations

from typing import Any

import nashpy
import numpy as np
import pytest

from simcore.game import Unsolvable, find_game, seatings
from simcore.kernels import blank
from simcore.knights.equilibrium import CARD_KINDS, MOVES, Combat, Duel, Solution
from simcore.knights.minimax import CHOICES, MATCH, gap_of, minimax, refine
from simcore.knights.situations import CARDS
from tests.reference import reference

MEL, CHRIS, RAIDERS = "mel_gearson", "chris_hammersworn", "hell_raiders"
BARE = {
    f"knight.{MEL}.effects": "[]",
    f"knight.{MEL}.carries": "[]",
    f"enemy.{RAIDERS}.effects": "[]",
    "combat.clashes": "1",
}


def opened(lineup: tuple[str, str], sets: dict[str, str] | None = None, start: str = "", **table: int) -> Combat:
    """A combat ready to be solved, of the reference pack with values over it."""
    duel = lineup[1] in reference("knights.duel").cards["knight"]
    game = find_game("knights.duel" if duel else "knights.fight")
    settings = {setting.name: table.get(setting.name, setting.default) for setting in game.settings}
    tables = game.load(reference(game.name, sets), settings)
    row = seatings(game, tables, lineup, dict.fromkeys(("knight", "enemy"), "random"), "none")[0]
    return (Duel if duel else Combat)(tables, row, start)


def solved(*args: Any, **table: int) -> Solution:
    """Best play of both sides; arguments as for `opened`."""
    return opened(*args, **table).solve()


# ---------------------------------------------------------------- matrix games


def match(game: Any) -> Any:
    """A matrix game with room to be solved."""
    m = blank(MATCH)
    m.many[:] = game.shape
    m.game[: game.shape[0], : game.shape[1]] = game
    return m


@pytest.mark.parametrize("seed", range(60))
def test_mixed_play_is_that_of_nashpy(seed: int) -> None:
    """Best play of a mixed matrix game has the value of an equilibrium of another library, and no gap."""
    numbers = np.random.default_rng(seed)
    rows, columns = numbers.integers(2, CHOICES - 2, 2)
    part = numbers.random((rows, columns)) if seed % 2 else numbers.integers(0, 4, (rows, columns)).astype(float)
    if part.min(axis=1).max() == part.max(axis=0).min():
        part += np.diag(np.full(CHOICES, 5.0))[:rows, :columns]
    m = match(part)
    minimax(m)
    assert abs(gap_of(m, m.odds)) < 1e-12
    assert m.odds.min() >= 0 and m.odds.sum(axis=1) == pytest.approx([1, 1], abs=1e-12)
    first, second = nashpy.Game(part).linear_program()
    assert m.odds[0, :rows] @ part @ m.odds[1, :columns] == pytest.approx(first @ part @ second, abs=1e-9)


@pytest.mark.parametrize("seed", range(12))
def test_nearly_equal_entries_leave_no_gap(seed: int) -> None:
    """Where entries differ by very little and by much at once, refining brings the gap below 1e-12, from any start."""
    numbers, many = np.random.default_rng(seed), CHOICES if seed == 0 else CARD_KINDS
    m = match(numbers.random((many, many)) ** 8 * 10.0 ** -numbers.integers(0, 7, (many, 1)))
    m.odds[:, :many] = 1 / many
    gap = gap_of(m, m.odds)
    assert gap > 1e-9
    assert refine(m, gap) < 1e-12
    assert gap_of(m, m.odds) < 1e-12


# ---------------------------------------------------------------- by hand


def test_nobody_can_attack_so_both_advance() -> None:
    """At long range with blades alone the best is an arrow for each: a draw, or who began ahead wins."""
    blades = {f"knight.{MEL}.weapons": '["machete"]', f"enemy.{RAIDERS}.icons": '["melee"]', **BARE}
    level = solved((MEL, RAIDERS), {**blades, "combat.start_range": "long"})
    assert (level.value, level.draw) == (0.5, 1)
    assert level.play == ({"change_range": 1.0}, {"change_range": 1.0})
    ahead = '[{ when = "start", what = "dominance", whom = "self", many = 1 }]'
    assert solved((MEL, RAIDERS), {**blades, "combat.start_range": "long", f"knight.{MEL}.effects": ahead}).win == 1
    assert solved((MEL, RAIDERS), {**blades, "combat.start_range": "long", f"enemy.{RAIDERS}.effects": ahead}).loss == 1


def test_a_lone_shot_against_an_advance() -> None:
    """One clash at medium, an enemy of blades: an Attack's arrow meets an advance's, so the shot's hit decides.

    Guns 2 + 1 for the icon - 1 for the advance: 2 dice, Medium 7, so a hit has 1 - 0.6 ** 2."""
    shot = {f"knight.{MEL}.skills.guns": "2", "weapon.old_revolver.multi": "0", f"enemy.{RAIDERS}.icons": '["melee"]'}
    found = solved((MEL, RAIDERS), {**BARE, **shot, f"enemy.{RAIDERS}.armor": "0"})
    assert found.win == pytest.approx(1 - 0.6**2, abs=1e-12)
    assert found.draw == pytest.approx(0.6**2, abs=1e-12)
    assert found.play == ({"attack": 1.0}, {"change_range": 1.0})


def test_two_clashes_and_a_prepare() -> None:
    """A ferocious enemy with 1 Health that can't hurt: it Defends, and all ranges are Medium 7.

    Guns 1 + 1 for the icon - 2 for the Defend: at least one die is rolled, so an Attack hits with 0.4. Two of them miss
    with 0.6 ** 2, and so do the 1 + 1 + 2 - 2 = 2 dice of an Attack after Prepare. Else both stand: a draw."""
    sets = {
        **BARE,
        "combat.clashes": "2",
        f"knight.{MEL}.skills.guns": "1",
        "weapon.old_revolver.multi": "0",
        "armor.road_leathers.armor": "6",
        "range.short.difficulty": "7",
        "range.long.difficulty": "7",
        f"enemy.{RAIDERS}.icons": '["melee"]',
        f"enemy.{RAIDERS}.aggression": "1",
        f"enemy.{RAIDERS}.damage": "0",
        f"enemy.{RAIDERS}.armor": "0",
        f"enemy.{RAIDERS}.health": "1",
        f"enemy.{RAIDERS}.ferocious": "true",
    }
    found = solved((MEL, RAIDERS), sets)
    assert found.win == pytest.approx(1 - 0.6**2, abs=1e-12)
    assert found.draw == pytest.approx(0.6**2, abs=1e-12)
    without = opened((MEL, RAIDERS), sets).solve(without=("attack", ""))
    assert (without.win, without.draw) == (0, 1)


# ---------------------------------------------------------------- what must hold


WHOM = (("self", 2), ("opponent", -1))
PAIRS = [
    (MEL, RAIDERS),
    ("kate_blanksheet", "scrap_hound"),
    ("placeholder_twelve", "shelobie"),
    ("hugh_jackal", "inhr"),
]


@pytest.mark.parametrize("lineup", PAIRS)
def test_values_stand(lineup: tuple[str, str]) -> None:
    """No gap; best play is worth no less than random play against the best, and no card is worth less than nothing."""
    combat = opened(lineup)
    best = combat.solve()
    assert best.gap < 1e-12 and best.states > 100
    assert best.win + best.draw + best.loss == pytest.approx(1, abs=1e-12)
    assert best.value == pytest.approx(best.win + best.draw / 2, abs=1e-12)
    assert combat.solve(whole=False).value == best.value
    assert combat.solve(("random", "best")).value <= best.value + 1e-12
    assert combat.solve(("best", "random")).value >= best.value - 1e-12
    for move in MOVES:
        assert combat.solve(without=(move, ""), whole=False).value <= best.value + 1e-12
        assert combat.solve(without=("", move), whole=False).value >= best.value - 1e-12


@pytest.mark.parametrize("bot", ["random", "regular", "strong"])
def test_no_bot_beats_the_best_answer_to_it(bot: str) -> None:
    """Against its best answer a bot has no more than the value, and no more than against another."""
    combat = opened((MEL, RAIDERS))
    value = combat.solve(whole=False).value
    exposed = combat.solve((bot, "best"), whole=False).value
    assert exposed <= value + 1e-12 and exposed <= combat.solve((bot, "random"), whole=False).value + 1e-12
    assert combat.solve(("best", bot), whole=False).value >= value - 1e-12
    assert combat.solve((bot, "best"), whole=False).value == exposed


def test_best_play_is_the_bot_equilibrium_against_itself_alone() -> None:
    """By its name it is solved as best play; against others it would not be the best answer, and that is told."""
    combat = opened((MEL, RAIDERS))
    assert combat.solve(("equilibrium", "equilibrium")) == combat.solve()
    with pytest.raises(Unsolvable, match="against itself"):
        combat.solve(("equilibrium", "random"))


@pytest.mark.parametrize(
    ("number", "values", "rises"),
    [
        (f"knight.{MEL}.skills.guns", (3, 4, 5, 6), True),
        ("armor.road_leathers.armor", (0, 1, 2), True),
        ("weapon.old_revolver.damage", (0, 1, 2), True),
        (f"enemy.{RAIDERS}.aggression", (2, 4, 6), False),
        (f"enemy.{RAIDERS}.armor", (0, 1, 2), False),
        (f"enemy.{RAIDERS}.health", (3, 6, 9), False),
    ],
)
def test_values_rise_and_fall_with_printed_numbers(number: str, values: tuple[int, ...], rises: bool) -> None:
    found = [opened((MEL, RAIDERS), {number: str(value)}).solve(whole=False).value for value in values]
    assert found == sorted(found, reverse=not rises) and found[0] != found[-1]


def test_more_health_is_worth_more() -> None:
    found = [opened((MEL, RAIDERS), health=health).solve(whole=False).value for health in (1, 2, 3, 4)]
    assert found == sorted(found) and found[0] < found[-1]


def test_a_mirrored_duel_costs_the_active_knight_who_commits_first() -> None:
    found = solved((MEL, MEL))
    assert found.value <= 0.5 and found.gap < 1e-12


@pytest.mark.rule("K5-63", "K5-72")
@pytest.mark.parametrize("lineup", [("hugh_jackal", "arc_welder"), (MEL, CHRIS), (MEL, RAIDERS)])
def test_to_choose_at_once_never_hurts_him_who_had_to_choose_first(lineup: tuple[str, str]) -> None:
    """The active knight gives nothing away then; and where only one side has a choice, nothing is changed."""
    open_play, hidden = opened(lineup), opened(lineup, {"ruling.choices_after_reveal": "at_once"})
    one, two = open_play.solve(), hidden.solve()
    assert two.gap < 1e-12 and hidden.solve(whole=False).value == two.value
    assert two.value > one.value + 0.01 if lineup[0] == "hugh_jackal" else two.value >= one.value - 1e-12
    assert hidden.solve(("best", "random"), whole=False).value >= two.value - 1e-12
    assert hidden.solve(("random", "best"), whole=False).value <= two.value + 1e-12
    even = open_play.solve(("random", "random")).value
    assert hidden.solve(("random", "random")).value == pytest.approx(even, abs=1e-12)


def test_prices() -> None:
    """A draw's price counts; what is left over can have one, and worth more is never worth less."""
    combat = opened(("kate_blanksheet", "scrap_hound"))
    plain, kind = combat.solve(), combat.solve(prices={"win": 1, "draw": 1})
    assert kind.value >= plain.value and kind.value == pytest.approx(kind.win + kind.draw, abs=1e-12)
    dear = combat.solve(prices={"win": 1, "draw": 0.5, "health": 0.1, "ammo": 0.05})
    assert plain.value < dear.value <= plain.value + 0.4 + 0.2
    assert combat.solve() == plain


def test_the_start_can_be_chosen() -> None:
    assert len({opened((MEL, RAIDERS), start=place).solve(whole=False).value for place in Combat.places}) == 3


def test_what_is_played_first_is_told_after_effects_and_held_cards() -> None:
    """Used up or kept as is best, they don't hide which card comes first; with none left the play is the same."""
    cards = '["devil_pills", "mini_bomber", "extra_bullets"]'
    combat = opened(("david_mayhem", "gorehorn"), {"knight.david_mayhem.carries": cards}, health=2, radiation=1)
    assert combat.tree.block[0].phase != CARDS and combat.fight.fighter[0].before.rows > 0
    for side in combat.solve().play:
        assert sum(side.values()) == pytest.approx(1)
    assert combat.solve(("random", "best")).play == ({}, {})


def test_what_is_not_solved_is_told() -> None:
    """A card that heals and harms in one is refused with words, never solved wrongly."""
    both = [f'{{ when = "any_time", what = "health", whom = "{whom}", many = {n} }}' for whom, n in WHOM]
    with pytest.raises(Unsolvable, match="harms the opponent"):
        opened((MEL, RAIDERS), {"gear.medi_shot.effects": f"[{', '.join(both)}]"})
