"""Exact answers without a game played: one lineup, whole tables of them, and what readings of the rules change.

Everything comes through `simcore.game`: a game's solver knows its rules, this room only asks it and compares. A lineup
is a role for each seat, in the order in which they sit; values are those of the first seat, which wants them high, and
the second wants them low.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, TypeVar, get_args

from experiments.config import usual_bot
from experiments.parts import toml_value
from simcore.game import Game, Tables, Unsolvable, seatings
from simcore.packs import Mistake, Mistakes, Pack, leaves, nearest

BEST, EQUILIBRIUM = "best", "equilibrium"
"""The solver's name for the best play, and that of a bot that plays so."""

RULING = "ruling"
"""The kind of card that holds readings of rules."""

NOTHING, DIGITS = 1e-9, 12
"""Differences of values below this are rounding; digits after the point to which solved numbers are right."""

Lineup = tuple[str, ...]
S = TypeVar("S")
T = TypeVar("T")


@dataclass
class Solving:
    """A pack and a table whose lineups are solved. prices: what an end is worth, as the solver names them."""

    game: Game
    pack: Pack
    settings: Mapping[str, int]
    prices: Mapping[str, float]
    tables: Tables = field(init=False)

    def __post_init__(self) -> None:
        """Makes the tables."""
        self.tables = self.game.load(self.pack, self.settings)

    def open(self, lineup: Sequence[str], start: str = "") -> Any:
        """A lineup ready to be solved (`Game.open_solver`). Raises Mistakes where it can't be."""
        bots = {side.bot: usual_bot(self.tables) for side in self.game.sides}
        row = seatings(self.game, self.tables, lineup, bots, "none")[0]
        try:
            return self.game.open_solver(self.tables, row, start)
        except ValueError as error:
            named = " against ".join(lineup)
            raise Mistakes([Mistake(named, f"can't be solved: {error}", "fewer cards to use in it")]) from None

    def value(self, opened: Any, modes: Sequence[str] = (BEST, BEST), without: Sequence[str] = ("", "")) -> float:
        """The value of an opened lineup alone, by some play of each side, each without one of its moves."""
        return settled(opened.solve(modes, self.prices, without, whole=False).value)

    def same_tables(self, other: Solving) -> bool:
        """Whether another pack comes to the same numbers for the rules."""
        return bool(self.tables.data.tobytes() == other.tables.data.tobytes())

    def lineups(self, roles: Sequence[str] = ()) -> list[Lineup]:
        """Every lineup of the pack in the order of its cards; of a side of which roles are named, of these alone."""
        seats = [[role.slug for role in self.tables.roles[side.key]] for side in seated(self.game)]
        return list(product(*([slug for slug in seat if slug in roles] or seat for seat in seats)))


def settled(number: float) -> float:
    """A solved number to DIGITS digits, without what rounding left on the way, and with no sign at 0."""
    return round(float(number), DIGITS) + 0.0


def chance_of(number: float) -> float:
    """A solved chance, `settled`: what is certain is 1, and what can't be is 0."""
    return min(1.0, max(0.0, settled(number)))


def spread(jobs: int, task: Callable[[S], T], items: Iterable[S]) -> Iterator[T]:
    """What a task makes of each item, in order, worked out by so many threads: solvers hold no interpreter lock."""
    if jobs == 1:
        yield from map(task, items)
        return
    from joblib import Parallel, delayed

    pool = Parallel(n_jobs=jobs, backend="threading", return_as="generator", pre_dispatch="2*n_jobs", batch_size=1)
    yield from pool(delayed(task)(item) for item in items)


def worded(prices: Mapping[str, float]) -> str:
    """What a value is, in words."""
    if prices.keys() == {"win", "draw", "loss"}:
        return f"a win is worth 1, a draw {prices['draw']:g}, a loss 0"
    return ", ".join(f"{name} is worth {price:g}" for name, price in prices.items()) + ", all else nothing"


def modes_of(opened: Any, bots: Sequence[str]) -> dict[str, str]:
    """Those of some bots that an opened lineup can be solved for, and how the solver calls their play."""
    return {bot: bot for bot in bots if bot in opened.modes}


def seated(game: Game) -> list[Any]:
    """The side of each seat."""
    return [game.side_of(seat) for seat in range(game.players)]


def names_wrong(game: Game, tables: Tables, lineup: Sequence[str]) -> list[Mistake]:
    """Every name of a lineup that the pack lacks, with the nearest that it has."""
    found = []
    for side, slug in zip(seated(game), lineup, strict=True):
        slugs = [role.slug for role in tables.roles[side.key]]
        found += [_unknown(f"--{side.bot}", slug, slugs)] if slug not in slugs else []
    return found


def roles_wrong(game: Game, tables: Tables, roles: Sequence[str]) -> list[Mistake]:
    """Every one of some roles that the pack lacks."""
    slugs = [role.slug for side in game.sides for role in tables.roles[side.key]]
    return [_unknown("--role", slug, slugs) for slug in dict.fromkeys(roles) if slug not in slugs]


def _unknown(where: str, slug: str, slugs: Sequence[str]) -> Mistake:
    begins = [one for one in slugs if slug and one.startswith(slug)]
    return Mistake(where, f"is {slug!r}", ", ".join(slugs), begins[0] if len(begins) == 1 else nearest(slug, slugs))


# ---------------------------------------------------------------- one lineup

Pair = tuple[float, float]


@dataclass(frozen=True)
class Shift:
    """A printed number one higher: its path, what it was, what that adds to the value on average over the lineups with
    its card, how many these are, and where it adds most (or takes most away).
    """

    path: str
    was: int
    adds: float
    lineups: int
    most: float
    where: Lineup


@dataclass(frozen=True)
class Answer:
    """What is known of one lineup.

    worth: of each move to the first and to the second side; play: where it begins -> how often each side plays what
    first, empty where something else is decided before; bots: what the play of each bot that can be solved loses
    against the best answer to it, as the first and as the second side; unsolved: the other bots.
    """

    lineup: Lineup
    value: float
    win: float
    draw: float
    loss: float
    states: int
    mixed: int
    gap: float
    worth: dict[str, Pair]
    play: dict[str, tuple[dict[str, float], dict[str, float]]] = field(default_factory=dict)
    bots: dict[str, Pair] = field(default_factory=dict)
    unsolved: tuple[str, ...] = ()
    numbers: tuple[Shift, ...] = ()


def answer(solving: Solving, lineup: Lineup) -> Answer:
    """All that is told of one lineup. Raises Mistakes where it can't be solved."""
    opened = solving.open(lineup)
    best = opened.solve((BEST, BEST), solving.prices)
    bots = dict(_exploited(solving, opened, best.value))
    plays = {"": best.play}
    for place in opened.places:
        plays[place] = solving.open(lineup, place).solve((BEST, BEST), solving.prices).play
    return Answer(
        **_outline(lineup, best),
        worth=worths(solving, opened, best.value),
        play={place: (_drawn(first), _drawn(second)) for place, (first, second) in plays.items()},
        bots=bots,
        unsolved=tuple(bot for bot in solving.tables.bots if bot not in bots and bot != EQUILIBRIUM),
        numbers=ranked(shifts(solving, {lineup: best.value})),
    )


def _outline(lineup: Lineup, best: Any) -> dict[str, Any]:
    """The numbers that a solution holds itself."""
    ends = {name: chance_of(getattr(best, name)) for name in ("win", "draw", "loss")}
    counts = {"states": best.states, "mixed": best.mixes, "gap": best.gap}
    return {"lineup": lineup, "value": settled(best.value), **ends, **counts}


def _drawn(play: Mapping[str, float]) -> dict[str, float]:
    """How often each move is made, without those that only rounding leaves."""
    return {move: chance for move, odds in play.items() if (chance := chance_of(odds)) > 0}


def worths(solving: Solving, opened: Any, value: float) -> dict[str, Pair]:
    """What each hidden choice is worth to each side: its value with it less that without, 0 or more."""
    return {
        move: (
            _gain(value - solving.value(opened, without=(move, ""))),
            _gain(solving.value(opened, without=("", move)) - value),
        )
        for move in opened.moves
    }


def _exploited(solving: Solving, opened: Any, value: float) -> Iterator[tuple[str, Pair]]:
    """What each bot that can be solved loses; but for the one that plays what is best."""
    for bot, mode in modes_of(opened, solving.tables.bots).items():
        if mode != EQUILIBRIUM:
            with suppress(Unsolvable):
                yield bot, exploited(solving, opened, value, mode)


def exploited(solving: Solving, opened: Any, value: float, mode: str) -> Pair:
    """What some play of the first, and of the second side loses of the value against the best answer to it."""
    first, second = solving.value(opened, (mode, BEST)), solving.value(opened, (BEST, mode))
    return _gain(value - first), _gain(second - value)


def _gain(difference: float) -> float:
    """A difference that can't be below 0 but by rounding."""
    return settled(difference) if difference > NOTHING else 0.0


# ---------------------------------------------------------------- printed numbers


def printed_numbers(solving: Solving, lineup: Lineup) -> Iterator[tuple[str, int]]:
    """(path, value) of every whole number on the cards of a lineup, on the cards that these name, and on those that are
    met in every lineup.
    """
    cards, kinds = solving.pack.cards, solving.pack.schema.kinds
    found = []
    for side, slug in zip(seated(solving.game), lineup, strict=True):
        title = next(role.title for role in solving.tables.roles[side.key] if role.slug == slug)
        found += [(kind, slug) for kind in cards if getattr(cards[kind].get(slug), "title", None) == title]
    for kind, slug in list(found):
        for name, refers in kinds[kind].refs.items():
            named = getattr(cards[kind][slug], name)
            found += [(other, ref) for ref in ([named] if isinstance(named, str) else named) for other in refers]
    found += [(kind, slug) for kind in shared_kinds(solving) for slug in cards[kind]]
    for kind, slug in dict.fromkeys(found):
        if slug in cards[kind]:
            for path, value in leaves(cards[kind][slug].model_dump()):
                if type(value) is int:
                    yield ".".join(part for part in (kind, slug, path) if part), value


def shared_kinds(solving: Solving) -> list[str]:
    """Kinds of cards whose numbers are met in every lineup: neither roles nor named by cards, and with an origin."""
    cards, kinds = solving.pack.cards, solving.pack.schema.kinds
    roles = {(role.slug, role.title) for side in solving.game.sides for role in solving.tables.roles[side.key]}
    named = {other for kind in kinds.values() for refers in kind.refs.values() for other in refers}
    seats = {kind for kind in cards for slug, card in cards[kind].items() if (slug, _title_of(card)) in roles}
    return [kind for kind in cards if kind in kinds and kinds[kind].sourced and kind not in named | seats]


def _title_of(card: Any) -> str:
    return getattr(card, "title", "")


def numbers_met(solving: Solving, lineups: Iterable[Lineup]) -> dict[tuple[str, int], list[Lineup]]:
    """The printed numbers of all lineups, and in which of these each is met."""
    met: dict[tuple[str, int], list[Lineup]] = {}
    for lineup in lineups:
        for number in printed_numbers(solving, lineup):
            met.setdefault(number, []).append(lineup)
    return met


def one_more(pack: Pack, path: str) -> Pack:
    """A pack with a printed number one higher; one in a list, as of an effect, is written with its whole list. Raises
    Mistakes.
    """
    kind, *below = path.split(".")
    slug = "" if pack.schema.kinds[kind].single else below.pop(0)
    name, *below = below
    whole = pack.cards[kind][slug].model_dump(mode="json")
    *above, last = [int(step) if step.isdecimal() else step for step in (name, *below)]
    inner = whole
    for step in above:
        inner = inner[step]
    inner[last] += 1
    listed = isinstance(whole[name], list)
    return pack.changed(
        {
            path.removesuffix("." + ".".join(below)) if listed else path: toml_value(
                whole[name] if listed else inner[last]
            )
        }
    )


def shifts(solving: Solving, values: Mapping[Lineup, float], jobs: int = 1) -> Iterator[Shift | None]:
    """What one more of each of `numbers_met` adds, over lineups whose values are known; None for a number that may not
    be higher by the pack's rules, or with which a lineup can't be solved. Each is worked out from the whole pack, as
    one more of a number is no small change.
    """
    met = numbers_met(solving, values)
    return spread(jobs, lambda number: shift(solving, number, met[number], values), met)


def shift(
    solving: Solving, number: tuple[str, int], lineups: Sequence[Lineup], values: Mapping[Lineup, float]
) -> Shift | None:
    """One number of `shifts`."""
    path, was = number
    try:
        more = replace(solving, pack=one_more(solving.pack, path))
        if more.same_tables(solving):
            return Shift(path, was, 0.0, len(lineups), 0.0, lineups[0])
        adds, most = gaps(more, lineups, values)
    except Mistakes:
        return None
    return Shift(path, was, settled(sum(adds.values()) / len(adds)), len(adds), adds[most], most)


def gaps(
    changed: Solving, lineups: Iterable[Lineup], values: Mapping[Lineup, float]
) -> tuple[dict[Lineup, float], Lineup]:
    """What a change adds to the value of each lineup, rounding aside, and the lineup that it moves most."""
    found = {lineup: changed.value(changed.open(lineup)) - values[lineup] for lineup in lineups}
    found = {lineup: settled(gap) if abs(gap) > NOTHING else 0.0 for lineup, gap in found.items()}
    return found, max(found, key=lambda lineup: abs(found[lineup]))


def ranked(found: Iterable[Shift | None]) -> tuple[Shift, ...]:
    """Those that may be higher, the strongest first."""
    return tuple(sorted((one for one in found if one), key=lambda one: (-abs(one.adds), -abs(one.most))))


# ---------------------------------------------------------------- the whole table


def outlines(solving: Solving, lineups: Sequence[Lineup], whole: bool = True, jobs: int = 1) -> Iterator[Answer]:
    """The value of each lineup; `whole`: with what each of its moves is worth. Raises Mistakes."""

    def outline(lineup: Lineup) -> Answer:
        opened = solving.open(lineup)
        best = opened.solve((BEST, BEST), solving.prices)
        return Answer(**_outline(lineup, best), worth=worths(solving, opened, best.value) if whole else {})

    return spread(jobs, outline, lineups)


# ---------------------------------------------------------------- rulings


@dataclass(frozen=True)
class Reading:
    """Another reading of a rule: its path, the pack's reading and the other, and what that changes in the values of
    all lineups: in how many, on average, without its sign, and most of all where.
    """

    path: str
    usual: str
    other: str
    changed: int
    lineups: int
    mean: float
    size: float
    most: float
    where: Lineup


def readings(pack: Pack) -> list[tuple[str, str, str]]:
    """(path, the pack's reading, another one) for each other reading of each ruling of a pack."""
    return [
        (f"{kind}.{name}", getattr(card, name), other)
        for kind in pack.cards
        if kind == RULING
        for card in pack.cards[kind].values()
        for name, info in type(card).model_fields.items()
        for other in get_args(info.annotation)
        if other != getattr(card, name)
    ]


def read_otherwise(solving: Solving, values: Mapping[Lineup, float], jobs: int = 1) -> Iterator[Reading]:
    """What each other reading changes in the values of lineups. Raises Mistakes."""
    return spread(jobs, lambda one: _reading(solving, values, *one), readings(solving.pack))


def _reading(solving: Solving, values: Mapping[Lineup, float], path: str, usual: str, other: str) -> Reading:
    changed = replace(solving, pack=solving.pack.changed({path: other}))
    moves, most = gaps(changed, values, values)
    many, moved = len(moves), sum(gap != 0 for gap in moves.values())
    mean, size = (settled(sum(part) / many) for part in (moves.values(), map(abs, moves.values())))
    return Reading(path, usual, other, moved, many, mean, size, moves[most], most)
