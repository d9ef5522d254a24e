"""How fast the rules play, on one core and warm, beside the floor: what their random words alone would take.

Rows are {"what": "<game>/<players>/<bot>", "per_second", "floor_ratio", "floor"}. Ratios are taken within one
run, turn by turn, as times vary with what else the machine does; each time is the best of several.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import thread_time
from typing import Any

import numpy as np

from experiments.config import settings_of
from experiments.plan import group_of
from simcore import dice, packs
from simcore.game import Game, Tables, find_game, game_names, play, play_blocks, seatings, usual_roles
from simcore.kernels import entry, plain
from simcore.streams import root, word

BOTS = ("random", "regular", "strong")
USUAL = "regular"
POOLS = 100_000
LINEUPS = 24
SLICE_SECONDS = 0.15
COUNTED_GAMES, COUNTED_CELLS, COUNTING_SECONDS = 4, 8, 5.0
"""Random words are counted over so many games of so many cells, or what can be played uncompiled in that time."""
ROUNDS = 5


def bench_rows() -> Iterator[dict[str, Any]]:
    """All rows, one after another as they are measured."""
    yield pool_row()
    for name in game_names():
        game = find_game(name)
        tables = game.load(packs.load(game.schema), settings_of(game, {}))
        for bot in BOTS:
            if bot in tables.bots:
                yield game_row(game, tables, bot)
        for size in smaller_tables(game):
            yield game_row(game, tables, USUAL, size)


def smaller_tables(game: Game) -> range:
    """How many may sit at a table of a game of one side, where seats may stay empty: all sizes but the full one."""
    (side, *others) = game.sides
    return range(side.least, side.seats) if side.least and not others else range(0)


def pool_row() -> dict[str, Any]:
    """Pools of dice: one draw from a word each, beside NumPy drawing the same pools by two binomials, in a
    batch.
    """
    laws = dice.compile_laws(10, tuple((face, 10) for face in range(2, 11)))
    generator = np.random.default_rng(1)
    many = generator.integers(1, 13, POOLS)
    law = generator.integers(0, 9, POOLS)
    out = np.zeros(POOLS, np.int64)
    chance = (11 - (law + 2)) / 10

    def numpy_pools() -> None:
        successes = generator.binomial(many, chance)
        generator.binomial(successes, 0.1 / chance)

    ours, numpys = _best(lambda: draw_pools(laws, law, many, np.uint64(1), out), numpy_pools)
    return _row("pool/numpy", POOLS, ours, numpys, "faster than NumPy's binomials", numpys / ours)


def game_row(game: Game, tables: Tables, bot: str, size: int | None = None) -> dict[str, Any]:
    """A game between bots of one kind, over lineups spread evenly over all of them; `size`: how many sit there."""
    size = size or game.players
    cells = [
        (
            seatings(game, tables, lineup, {side.bot: bot for side in game.sides}, game.rotate),
            root(1, group_of(game, lineup)),
        )
        for lineup in _lineups(game, tables, size)
    ]
    words = max(1, round(np.mean(list(_words_of(game, tables, cells)))))
    games = _games_in(SLICE_SECONDS, game, tables, cells)

    def ours() -> None:
        for seats, key in cells:
            play_through(game, tables, seats, key, games)

    many = games * len(cells)
    seconds, floor = _best(ours, lambda: draw_words(np.uint64(1), many, words))
    what = f"{game.name}/{size}/{bot}"
    return _row(what, many, seconds, floor, f"the time of its {words} random words", seconds / floor)


def play_through(game: Game, tables: Tables, seats: Any, key: int, games: int) -> None:
    """Play so many games of a lineup as a run does, and forget them."""
    for _ in play_blocks(game, tables, seats, key, 0, games):
        pass


@entry
def draw_pools(laws, law, many, key, out):  # type: ignore[no-untyped-def]
    """Draw a pool for each entry of `law` and `many` (int64), into `out`."""
    for i in range(len(out)):
        out[i] = dice.draw(laws, law[i], many[i], word(key, i))


@entry
def draw_words(key, games, words):  # type: ignore[no-untyped-def]
    """The random words of so many games, and nothing else; their exclusive or, so that none is left out."""
    found = np.uint64(0)
    for g in range(games):
        game = word(key, g)
        for i in range(words):
            found ^= word(game, i)
    return found


def _lineups(game: Game, tables: Tables, size: int) -> list[tuple[str, ...]]:
    """Lineups of so many that step through the roles of each side at different strides; seats beyond stay empty."""
    found = []
    for i in range(LINEUPS):
        lineup: list[str] = []
        for stride, side in enumerate(game.sides, start=1):
            slugs = usual_roles(tables.roles[side.key])
            lineup += [slugs[(i * stride + seat) % len(slugs)] for seat in range(side.seats)]
        found.append((*lineup[:size], *[""] * (len(lineup) - size)))
    return list(dict.fromkeys(found))


def _words_of(game: Game, tables: Tables, cells: list[tuple[Any, int]]) -> Iterator[float]:
    """Random words of games of some cells, one after another, while there is time to count."""
    started = thread_time()
    for first in range(COUNTED_GAMES):
        for seats, key in cells[:COUNTED_CELLS]:
            yield _words(game, tables, seats, key, first)
            if thread_time() - started > COUNTING_SECONDS:
                return


def _words(game: Game, tables: Tables, seats: Any, key: int, first: int = 0) -> float:
    """Random words of a game, counted where it runs uncompiled."""
    counted = 0

    def counting(key: Any, i: Any) -> Any:
        nonlocal counted
        counted += 1
        return word(key, i)

    function = plain(game.play_range, {"word": counting})
    function(tables.data, seats, key, first, first + 1, np.zeros(1, game.outcome))
    return counted


def _games_in(seconds: float, game: Game, tables: Tables, cells: list[tuple[Any, int]]) -> int:
    """How many games of each cell take so long together."""
    seats, key = cells[0]
    play(game, tables, seats, key, 0, 1)
    many = 16
    while True:
        started = thread_time()
        for seats, key in cells:
            play_through(game, tables, seats, key, many)
        spent = thread_time() - started
        if spent > seconds / 4:
            return max(1, int(many * seconds / spent))
        many *= 4


def _best(ours: Callable[[], Any], other: Callable[[], Any]) -> tuple[float, float]:
    """The best times of two pieces of work in seconds, taken in turns."""
    ours(), other()
    times = [(_time(ours), _time(other)) for _ in range(ROUNDS)]
    return min(a for a, _ in times), min(b for _, b in times)


def _time(work: Callable[[], Any]) -> float:
    started = thread_time()
    work()
    return max(thread_time() - started, 1e-9)


def _row(what: str, many: int, seconds: float, floor: float, beside: str, ratio: float) -> dict[str, Any]:
    return {"what": what, "per_second": many / seconds, "floor_ratio": ratio, "floor": beside}
