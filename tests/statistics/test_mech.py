"""Dice, jams and enemy cards of The Waste of Parts against their exact laws, and planted faults that are caught."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import icepool
import numba
import numpy as np
import pytest
from scipy import stats

from simcore.dice import roll_die
from simcore.game import find_game, play, role_place, seats_dtype
from simcore.kernels import blank
from simcore.mech.combat import roll_hits
from simcore.mech.escalation import add_level, advance, escalate, first_enemies, spawn
from simcore.mech.setup import clear, open_decks, set_keys
from simcore.mech.state import MECH
from simcore.streams import STREAM, root, word
from tests.reference import reference
from tests.statistics.judge import ALPHA, fits

GAME = find_game("mech")
USUAL = {setting.name: setting.default for setting in GAME.settings}
ROLLS, DEALS = 400_000, 30_000


def tables_of(sets: Mapping[str, str] | None = None, **settings: int) -> Any:
    """Tables of the reference pack with values over it."""
    return GAME.load(reference("mech", sets), {**USUAL, **settings})


# ---------------------------------------------------------------- hits, jams, the gambler's die


def law_of(dice: int, hit_from: int = 3, sides: int = 6) -> dict[tuple[int, int], Fraction]:
    """(dice that show more than 1, dice that hit) -> chance, by icepool (M14-01, M14-04)."""
    die = icepool.d(sides).map(lambda face: icepool.vectorize(int(face > 1), int(face >= hit_from)))
    total = dice @ die if dice else icepool.Die([icepool.vectorize(0, 0)])
    return {(int(o[0]), int(o[1])): Fraction(ways, total.denominator()) for o, ways in total.items()}


def with_luck(dice: int, helps: int) -> dict[tuple[int, int], Fraction]:
    """As `law_of`, with the gambler's die in the room (M18-07): it replaces a die where that is to the crew's good."""
    law: dict[tuple[int, int], Fraction] = {}
    for face in range(1, 7):
        used = (face >= 3) == (helps == 1)
        fixed = (int(face > 1), int(face >= 3)) if used else (0, 0)
        for (more, hits), chance in law_of(dice - used).items():
            key = more + fixed[0], hits + fixed[1]
            law[key] = law.get(key, Fraction(0)) + chance / 6
    return law


@numba.njit
def count_rolls(s, t, stream, dice, luck, helps, rolls, counts):
    for i in range(rolls):
        s.crew[0].die = roll_die(stream, 6, word(stream.game, 2 * i)) if luck else 0
        result = roll_hits(s, t, stream, None, 1, dice, helps, word(stream.game, 2 * i + 1))
        counts[result >> 6, result & 63] += 1


@cache
def rolled(dice: int, luck: int, helps: int, hit_from: int = 3) -> Any:
    """How often each (not ones, hits) comes out of ROLLS attacks in a room, with the gambler there or without."""
    s, stream, counts = blank(MECH), blank(STREAM), np.zeros((dice + 1, dice + 1), np.int64)
    s.crew[0].here, s.crew[0].room, stream.game = 1, 1, root(5, dice * 4 + luck * 2 + helps)
    tables = tables_of({"mech.hit_from": str(hit_from)})
    count_rolls(s, tables.data, stream, dice, luck, helps, ROLLS, counts)
    return counts


def square(law: Mapping[tuple[int, int], Fraction], dice: int) -> Any:
    """A law as a matrix of chances."""
    chances = np.zeros((dice + 1, dice + 1))
    for (more, hits), chance in law.items():
        chances[more, hits] = float(chance)
    return chances


@pytest.mark.rule("M14-01", "M14-04", "M113-01", "M113-02")
@pytest.mark.parametrize("dice", [1, 2, 3, 5, 8])
def test_hits_and_jams_follow_their_exact_law(dice: int) -> None:
    law = law_of(dice)
    assert sum(hits * chance for (_, hits), chance in law.items()) == Fraction(2 * dice, 3)
    assert sum(chance for (more, _), chance in law.items() if more == 0) == Fraction(1, 6**dice)
    assert fits(rolled(dice, 0, 1), square(law, dice))


@pytest.mark.rule("M18-07")
@pytest.mark.parametrize("helps", [0, 1])
@pytest.mark.parametrize("dice", [1, 2, 4])
def test_the_gamblers_die_follows_its_exact_law(dice: int, helps: int) -> None:
    assert fits(rolled(dice, 1, helps), square(with_luck(dice, helps), dice))


@pytest.mark.parametrize("dice", [1, 2, 4])
def test_a_planted_die_is_caught(dice: int) -> None:
    counts = rolled(dice, 0, 1)
    assert not fits(np.pad(counts, (0, 1)), square(law_of(dice + 1), dice + 1)), "one die more"
    assert not fits(counts, square(law_of(dice, 2), dice)), "hits from one face lower"
    assert not fits(counts, square(law_of(dice, 3, 7), dice)), "one side more"
    assert not fits(counts, square(with_luck(dice, 1), dice)), "a gambler's die where there is none"
    assert not fits(rolled(dice, 1, 1), square(law_of(dice), dice)), "a gambler's die that is not used"
    assert not fits(rolled(dice, 1, 1), square(with_luck(dice, 0), dice)), "used where it helps the enemy"
    assert not fits(rolled(dice, 0, 1, 4), square(law_of(dice), dice)), "hits from one face higher"


# ---------------------------------------------------------------- which enemy cards come, by round

ROUNDS = 11


@numba.njit
def count_left(s, t, left):
    """Count how many copies of each card are left in the enemy deck: left[card, copies]."""
    for card in range(t.enemies):
        many = 0
        for i in range(s.deck.left):
            many += int(s.deck.deck[i] == card)
        left[card, many] += 1


@numba.njit
def deal(t, stream, roots, games, noise, fuelled, left):
    """Set up the enemy deck and play the way alone, without crew: left[round, card, copies left in the deck] counts."""
    memory = np.zeros(1, MECH)
    for game in range(games):
        s = memory[0]
        stream.game = word(roots, game)
        clear(s)
        s.hull, s.noise = 60, noise
        set_keys(s, stream, 0, 0)
        open_decks(s, t, stream)
        first_enemies(s, t, None)
        for number in range(len(left)):
            count_left(s, t, left[number])
            s.fuelled[:] = 0
            for i in range(fuelled):
                s.fuelled[i] = 1
            advance(s, t, None)
            spawn(s, t, None)
            escalate(s, t, None)


def calm() -> dict[str, str]:
    """Sets that let the way be the only thing that counts: no Noise and nothing done by enemies, none in The Wastes."""
    sets = {}
    for slug, card in reference("mech").cards["enemy"].items():
        if not card.harmless:
            sets |= {f"enemy.{slug}.noise": "0", f"enemy.{slug}.effects": "[]", f"enemy.{slug}.standees": "20"}
        if card.room == 13:
            sets[f"enemy.{slug}.room"] = "2"
    return sets | {"mech.hull": "60", "mech.noise": "0"}


@cache
def dealt(noise: int, fuelled: int, *faults: tuple[str, str]) -> tuple[Any, Any]:
    """(counts of cards left by round, tables) of DEALS games."""
    tables, stream = tables_of({**calm(), **dict(faults)}), blank(STREAM)
    left = np.zeros((ROUNDS + 1, tables.data.enemies, 21), np.int64)
    deal(tables.data, stream, np.uint64(root(3, noise * 8 + fuelled)), DEALS, noise, fuelled, left)
    return left, tables


class Expected:
    """The number of each card left in the deck by round, worked out from the printed rules alone.

    At set-up as many enemies as the Noise are searched, and the harmless cards met on the way go below; so the top of
    the deck holds fewer harmless cards. All enemies of a level are alike, and so are all of its harmless cards."""

    def __init__(self, tables: Any, noise: int, fuelled: int) -> None:
        self.cards = [(int(row.level), int(row.copies), bool(row.harmless)) for row in tables.data.enemy
                      if row.copies and row.role == 0]  # fmt: skip
        self.noise, self.draws, self.speed = noise, noise + fuelled, 2 + fuelled

    def by_round(self) -> list[dict[int, float]]:
        """For each round, card -> the mean number left in the deck as the round begins."""
        first = [card for card, row in enumerate(self.cards) if row[0] == 1]
        real = sum(self.cards[card][1] for card in first if not self.cards[card][2])
        calm = sum(self.cards[card][1] for card in first if self.cards[card][2])
        skipped = stats.nhypergeom(real + calm, calm, self.noise)
        distance, rounds = 0, []
        left: dict[int, float] = {}
        for number in range(ROUNDS + 1):
            if distance < 10:
                share = self.first_level(real, calm, skipped, number * self.draws)
                left = {card: self.cards[card][1] * share[self.cards[card][2]] for card in first}
            rounds.append(dict(left))
            before, distance = distance, distance + self.speed
            if before >= 10:
                size = sum(left.values())
                left = {card: many * (1 - self.draws / size) for card, many in left.items()}
            elif distance >= 10:
                share = self.first_level(real, calm, skipped, (number + 1) * self.draws)
                left = {card: self.cards[card][1] * share[self.cards[card][2]] for card in first}
            for level, mark in ((2, 10), (3, 20)):
                if before < mark <= distance:
                    left |= {card: row[1] for card, row in enumerate(self.cards) if row[0] == level}
        return rounds

    def first_level(self, real: int, calm: int, skipped: Any, drawn: int) -> tuple[float, float]:
        """Mean parts of the enemies and of the harmless cards of level 1 that are left after so many draws."""
        found = [0.0, 0.0]
        for below in range(calm + 1):
            chance = float(skipped.pmf(below)) if self.noise else float(below == 0)
            top = real + calm - self.noise - below
            assert drawn <= top or chance == 0 or drawn <= top + below
            seen = min(drawn, top) / top
            found[0] += chance * (real - self.noise) * (1 - seen) / real
            rest = (calm - below) * (1 - seen) + below - max(0, drawn - top)
            found[1] += chance * rest / calm
        return found[0], found[1]


def means_agree(left: Any, rounds: list[dict[int, float]]) -> bool:
    """Whether the mean number of each card left by round is as expected: z tests at ALPHA together."""
    copies = np.arange(left.shape[2])
    bar = stats.norm.isf(ALPHA / 2 / left.shape[0] / left.shape[1])
    for number, wanted in enumerate(rounds):
        for card in range(left.shape[1]):
            counts = left[number, card]
            mean = (counts * copies).sum() / DEALS
            spread = np.sqrt(max((counts * copies**2).sum() / DEALS - mean**2, 0) / DEALS)
            if abs(mean - wanted.get(card, 0.0)) > bar * spread + 1e-9:
                return False
    return True


WAYS = [(4, 0), (2, 1), (1, 2), (0, 2)]
"""(Noise, engines fuelled) with which no level runs out within ROUNDS."""


@pytest.mark.rule("M12-10", "M112-06", "M17-02", "M17-04", "M11-09", "M11-10", "M4-02", "M4-05")
@pytest.mark.parametrize(("noise", "fuelled"), WAYS)
def test_each_enemy_card_comes_as_often_as_it_should(noise: int, fuelled: int) -> None:
    left, tables = dealt(noise, fuelled)
    assert means_agree(left, Expected(tables, noise, fuelled).by_round())


@pytest.mark.rule("M12-10", "M112-01")
def test_cards_of_a_level_follow_the_hypergeometric_law() -> None:
    """Without Noise nothing is searched at set-up, and two engines draw two cards a round."""
    left, tables = dealt(0, 2)
    rows = tables.data.enemy[: tables.data.enemies]
    size = int(rows["copies"][(rows["level"] == 1) & (rows["role"] == 0)].sum())
    for card in np.flatnonzero((rows["level"] == 1) & (rows["role"] == 0)):
        many = int(rows[card].copies)
        for number in (1, 2):
            law = stats.hypergeom(size, many, size - 2 * number).pmf(np.arange(left.shape[2]))
            assert fits(left[number, card], law)
            assert not fits(left[number, card], stats.hypergeom(size, many + 1, size - 2 * number).pmf(range(21)))


DECK_FAULTS = [
    (4, 0, "mech.milestones", "[11, 20]"), (4, 0, "mech.milestones", "[10, 21]"), (2, 1, "mech.engine_speed", "2"),
    (2, 1, "mech.fuel_speed", "2"), (2, 1, "enemy.scrap_rat.copies", "1"), (1, 2, "enemy.just_the_wind.copies", "1"),
]  # fmt: skip


@pytest.mark.parametrize(("noise", "fuelled", "name", "value"), DECK_FAULTS)
def test_a_planted_fault_in_the_deck_is_caught(noise: int, fuelled: int, name: str, value: str) -> None:
    sound = dealt(noise, fuelled)[1]
    left, _ = dealt(noise, fuelled, (name, value))
    assert not means_agree(left, Expected(sound, noise, fuelled).by_round())


@numba.njit
def skip_set_up(t, stream, roots, games, noise, left):
    """As `deal`, but the first enemies are simply drawn, harmless cards with them."""
    memory = np.zeros(1, MECH)
    for game in range(games):
        s = memory[0]
        stream.game = word(roots, game)
        clear(s)
        s.hull, s.noise = 60, noise
        set_keys(s, stream, 0, 0)
        s.deck.key, s.deck.shuffles, s.deck.left, s.deck.discarded, s.deck.overflow = word(stream.game, 1), 0, 0, 0, 0
        add_level(s, t, 1)
        spawn(s, t, None)
        count_left(s, t, left[0])


def test_a_set_up_that_does_not_search_is_caught() -> None:
    tables, stream = tables_of(calm()), blank(STREAM)
    left = np.zeros((1, tables.data.enemies, 21), np.int64)
    skip_set_up(tables.data, stream, np.uint64(1), DEALS, 4, left)
    assert not means_agree(left, Expected(tables, 4, 0).by_round()[:1])


# ---------------------------------------------------------------- the arithmetic of the way


@cache
def lab(fuelled: int, noise: int, *sets: tuple[str, str]) -> Any:
    """Tables with the lab's switches: nobody stops the mech, or fuels it beside."""
    alone = {"crew.brute.noise": "0", "mech.crane_uses": "0", "mech.fuel_scrap": "6"}
    return tables_of({**calm(), **alone, **dict(sets)}, idle_enemies=1, fuelled=fuelled, extra_noise=noise)


def way(fuelled: int, noise: int, rounds: int, *sets: tuple[str, str]) -> Any:
    """Outcomes of 50 compiled games of so many rounds at most."""
    tables, seats = lab(fuelled, noise, *sets), blank(seats_dtype(5), 1)
    tables.data.table.most_rounds = rounds
    seats[0].role[:] = -1
    seats[0].role[0] = role_place(tables.roles["crew"], "brute")
    seats[0].bot[:] = tables.bots.index("random")
    return play(GAME, tables, seats, root(2, 2), 0, 50)


PLANS = {0: (18, 5, 10), 1: (12, 4, 7), 2: (9, 3, 5)}
"""Engines fuelled each round -> rounds to 35, and in which 10 and 20 are reached (M113-04 to M113-06)."""


def rounds_to(fuelled: int, distance: int, *sets: tuple[str, str]) -> int:
    """The round in which a distance is reached; the same in all games."""
    for rounds in range(1, 40):
        reached = way(fuelled, 1, rounds, *sets)["distance"]
        assert (reached == reached[0]).all()
        if reached[0] >= distance:
            return rounds
    return 0


@pytest.mark.rule("M113-04", "M113-05", "M113-06", "M11-01", "M11-06", "M11-07")
@pytest.mark.parametrize("fuelled", PLANS)
def test_rounds_to_sanctuary_and_to_the_milestones(fuelled: int) -> None:
    assert tuple(rounds_to(fuelled, distance) for distance in (35, 10, 20)) == PLANS[fuelled]


@pytest.mark.rule("M113-07", "M113-08", "M12-10", "M17-02", "M11-02")
@pytest.mark.parametrize("fuelled", PLANS)
@pytest.mark.parametrize("noise", [0, 1, 2, 3])
def test_cards_drawn_on_the_way(fuelled: int, noise: int) -> None:
    """18 N, 12 (N + 1), 9 (N + 2): none more after Sanctuary is reached, and N enemies at set-up."""
    rounds = PLANS[fuelled][0]
    for last in (rounds, rounds + 5):
        out = way(fuelled, noise, last)
        assert (out["drawn"] == rounds * (noise + fuelled)).all()
    setup = way(fuelled, noise, 1)
    spawned = sum(setup[f"spawned_{level}"] for level in (1, 2, 3))
    assert (spawned >= noise).all() and (spawned <= noise + noise + fuelled).all()


@pytest.mark.rule("M113-08")
def test_fuel_pays_in_cards_above_a_noise_of_two() -> None:
    cards = {noise: [PLANS[fuelled][0] * (noise + fuelled) for fuelled in PLANS] for noise in (1, 2, 3)}
    played = {noise: [int(way(fuelled, noise, PLANS[fuelled][0])["drawn"][0]) for fuelled in PLANS] for noise in cards}
    assert played == cards
    assert played[1] == sorted(played[1]) and len(set(played[2])) == 1 and played[3] == sorted(played[3])[::-1]


@pytest.mark.parametrize(
    ("name", "value"), [("mech.engine_speed", "2"), ("mech.fuel_speed", "2"), ("mech.goal", "37"), ("mech.goal", "33")]
)
def test_a_planted_fault_on_the_way_is_caught(name: str, value: str) -> None:
    """Another speed changes the rounds; another goal changes the cards, which are drawn until it is reached."""
    rounds = tuple(rounds_to(1, distance, (name, value)) for distance in (35, 10, 20))
    drawn = way(0, 2, 25, (name, value))["drawn"]
    assert rounds != PLANS[1] or (drawn != 36).all()
