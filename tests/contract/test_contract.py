"""One contract for all games: what each of them promises, whatever its cards say; and toys that break each promise."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from simcore import packs
from simcore.game import Game, game_names, play, replay, seatings
from tests import toys
from tests.contract import laws
from tests.contract.cases import BY_NAME, CASES, Case, drawn_words
from tests.contract.laws import Laid

LOOKS = (Phase.explicit, Phase.generate)
"""No shrinking: a table is told in a few lines, and each try makes a pack and plays it."""

every = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
of_packs = pytest.mark.parametrize("case", [case for case in CASES if case.modules], ids=lambda case: case.name)
BOTS = ("random", "regular", "strong")


def test_every_game_is_under_contract() -> None:
    """FT3: a game that is added is missing here until it has a case; the toys are the ones that break promises."""
    assert sorted(name for name in game_names() if not name.startswith("toy")) == sorted(BY_NAME)


# ---------------------------------------------------------------- the promises


@every
def test_a_game_is_the_same_alone_among_others_and_in_any_chunks(case: Case) -> None:
    """FT3: over random packs, rulings, settings and seats."""

    @settings(phases=LOOKS, max_examples=case.examples)
    @given(case.drawn, st.integers(1, case.few - 1))
    def check(laid: Laid, cut: int) -> None:
        laws.chunks(laid, case.few, cut)

    check()


@every
def test_flags_are_0_or_1(case: Case) -> None:
    """FN2: so that what is declared a flag may have a rate's interval."""

    @settings(phases=LOOKS, max_examples=case.examples)
    @given(case.drawn)
    def check(laid: Laid) -> None:
        laws.flags(laid, 4 * case.few)

    check()


@every
def test_renaming_seats_changes_nothing_else(case: Case) -> None:
    """FT3: over random packs, rulings, settings and seats."""
    players = case.game.players

    @settings(phases=LOOKS, max_examples=2 * case.examples)
    @given(case.drawn, st.permutations(range(players)), st.integers(0, players - 1))
    def check(laid: Laid, chairs: list[int], turn: int) -> None:
        laws.names_of_seats(laid, case.few, chairs, turn)

    check()


@every
def test_what_lay_in_memory_decides_nothing(case: Case) -> None:
    """FT3: state and scratch are garbage before the first game."""
    for size, bot in zip(case.sizes()[-2:], cycle(BOTS)):
        laws.clean_memory(case.laid(size, bot, number=3), 2)


@every
def test_compiled_and_uncompiled_games_agree(case: Case) -> None:
    """For each number of seats, with bots that choose evenly and that weigh."""
    for number, (size, bot) in enumerate(zip(case.sizes() * 2, cycle(BOTS)), 1):
        laws.plain_and_compiled(case.laid(size, bot, number), number, number + 1)


@pytest.mark.parametrize(
    ("case", "name", "small"),
    [pytest.param(case, *one, id=f"{case.name}-{one[0]}") for case in CASES for one in case.capacities],
)
def test_a_capacity_that_cuts_something_off_is_counted(case: Case, name: str, small: int) -> None:
    """FK13: with less room a game is either the same or ends as an overflow."""
    cut = sum(laws.counted(case.laid(case.sizes()[-1], bot, number=5), 2, name, small) for bot in BOTS)
    assert cut > 0, "it never came up against its room: this shows nothing"


# ---------------------------------------------------------------- vocabularies


@pytest.mark.parametrize("case", [case for case in CASES if case.words], ids=lambda case: case.name)
def test_random_packs_draw_on_the_whole_vocabulary(case: Case) -> None:
    """Every word, and every reading of a ruling."""
    wanted = {*case.words, *case.readings()}
    assert wanted <= (found := drawn_words(case, case.drawings)), wanted - found


@of_packs
def test_a_packs_readme_matches_its_vocabulary(case: Case) -> None:
    """Kinds of cards, words and examples."""
    schema = case.game.schema
    page = (schema.folder / "README.md").read_text("utf-8")
    laws.page_matches(page, schema.kinds, case.vocabulary(), case.asides(), case.effects, packs.validate)


# ---------------------------------------------------------------- toys that break them


def toy(name: str, sides: tuple[str, ...] = ("steady", "pup")) -> Laid:
    """A toy, faulty or not, ready to play."""
    game: Game = toys.FAULTY.get(name) or toys.GAMES[name]
    tables = game.load(packs.load(game.schema), {"throws": 2})
    lineup = [tables.roles[side.key][i].slug for side in game.sides for i in range(side.seats)]
    seats = seatings(game, tables, lineup, dict.fromkeys([side.bot for side in game.sides], "bold"), "none")
    return Laid(game, tables, seats, 12345)


PROMISES: dict[str, Any] = {
    "counts from the chunk": lambda laid: laws.chunks(laid, 20, 7),
    "remembers": lambda laid: laws.chunks(laid, 20, 7),
    "knows the lineup": lambda laid: laws.names_of_seats(laid, 20, range(laid.game.players), 1),
    "toy.duel": lambda laid: laws.names_of_seats(laid, 20, range(laid.game.players), 1),
    "reads fresh memory": lambda laid: laws.clean_memory(laid, 4),
    "is another one when compiled": lambda laid: laws.plain_and_compiled(laid, 0, 4),
    "declares a count a flag": lambda laid: laws.flags(laid, 4),
    "cuts off in silence": lambda laid: laws.counted(laid, 4, "MOST_PIPS", 3),
}
"""Toy -> the promise that it breaks."""


@pytest.mark.parametrize("name", PROMISES)
def test_a_broken_promise_is_seen(name: str) -> None:
    """Each law fails on a toy that breaks it, and holds on one that doesn't."""
    with pytest.raises(AssertionError):
        PROMISES[name](toy(name))
    PROMISES[name](toy("toy.fight"))


def test_a_word_that_no_pack_draws_or_that_a_readme_lacks_is_seen() -> None:
    """Each law of vocabularies fails where a word is missing, unnamed or shown by a wrong example."""
    case = BY_NAME["voyage"]
    assert "kraken" not in drawn_words(case, 5)
    schema, page = case.game.schema, (case.game.schema.folder / "README.md").read_text("utf-8")
    rest: tuple[Any, ...] = (schema.kinds, case.vocabulary(), case.asides(), case.effects, packs.validate)
    for wrong in (page.replace("`parch`", "``"), page.replace('what = "parch"', 'what = "perch"'),
                  page.replace("| `ship` |", "| vessel |")):  # fmt: skip
        assert wrong != page
        with pytest.raises(AssertionError):
            laws.page_matches(wrong, *rest)
    with pytest.raises(AssertionError):
        laws.page_matches(page, schema.kinds, {*case.vocabulary(), "kraken"}, (), case.effects, packs.validate)


def test_a_toy_is_told_as_it_is_played() -> None:
    """The sound toy keeps all of it: the planted faults above are what fails."""
    laid = toy("toy.fight")
    outcome, lines = replay(laid.game, laid.tables, laid.seats, laid.root, 3)
    assert outcome.tobytes() == play(laid.game, laid.tables, laid.seats, laid.root, 3, 4).tobytes() and lines
    assert np.array_equal(laid.plain(0, 3), laid.play(0, 3))
