"""The games of the registry, each with what the contract needs of it: random tables, words and capacities."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product
from typing import Any, get_args

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from experiments.config import settings_of
from simcore.game import Game, find_game, seatings, seats_dtype
from simcore.gangs import cards as of_gangs
from simcore.kernels import blank
from simcore.knights import board_cards as of_board
from simcore.knights import cards as of_knights
from simcore.mech import cards as of_mech
from simcore.packs import validate
from simcore.streams import root
from simcore.voyage import cards as of_voyage
from tests.contract.laws import Laid, words_in
from tests.property import crews, gangs, test_combat, voyage
from tests.property.seated import Seated
from tests.reference import reference

BOARD = find_game("knights.board")


class Board(Seated):
    """A table of the whole board."""

    game = BOARD


@cache
def errands_of(when: str, what: str) -> list[dict[str, Any]]:
    """Every row of errand of one kind at a moment that makes sense."""
    rows = (
        {"when": when, "what": what, "whom": whom, "many": many, "only": only}
        for whom, many in product(of_board.WHOM, (-2, 1, 2))
        for only in (("", "talk", "survival") if what == "check" else ("",))
    )
    return [row for row in rows if not validate(of_board.Errand, row, "row")[1]]


@st.composite
def errands(draw: Any) -> dict[str, str]:
    """Other errands for a card of any kind that has some, as random tables of the board draw them."""
    kind = draw(st.sampled_from([*of_board.OF, "tile", "tile", "tile"]))
    cards = reference("knights.board").cards[kind]
    slug = draw(st.sampled_from(list(cards)))
    used = getattr(cards[slug], "use", "permanent") != "permanent"
    moments = of_board.USED if used else of_board.OF[kind]
    when = draw(st.sampled_from(moments))
    known = [what for what in of_board.AT[when] if what != "trade" or getattr(cards[slug], "trade", "")]
    rows = [
        draw(st.sampled_from(errands_of(when, what)))
        for what in draw(st.lists(st.sampled_from(known), min_size=1, max_size=3))
    ]
    if kind == "tile":
        free = {"green": 0, "yellow": 0, "red": 0}
        rows = [{"price": free, "errands": rows, "text": "Another one."}] if rows else []
    name = {"tile": "actions", "task": "rewards"}.get(kind, "errands")
    return {f"{kind}.{slug}.{name}": toml_of(rows)}


def toml_of(value: Any) -> str:
    """A value as TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml_of(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_of, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


@st.composite
def added_cards(draw: Any) -> dict[str, str]:
    """Another enhancement for gear: what it fits, its rule and its color, and what it does in combat and off it."""
    cards = reference("knights.board").cards["enhancement"]
    path = f"enhancement.{draw(st.sampled_from([slug for slug in cards if cards[slug].sort == 'gear']))}"
    fits = draw(st.lists(st.sampled_from(of_board.FITS), min_size=1, max_size=3, unique=True))
    needs = draw(st.sampled_from(of_board.ATTACH_RULES)) if "weapon" in fits else ""
    moments = ("standing", "start", "clash_end", "won", "lost", "defeated")
    effects = draw(test_combat.texts(moments))
    errand = {"when": "standing", "what": draw(st.sampled_from(of_board.TERMS)), "whom": "self", "many": 1}
    colour = draw(st.sampled_from(of_knights.COLOURS))
    return {
        f"{path}.fits": "[" + ", ".join(f'"{trait}"' for trait in fits) + "]",
        f"{path}.needs": f'"{needs}"',
        f"{path}.colour": f'"{colour}"',
        f"{path}.effects": effects,
        f"{path}.errands": "[{ " + ", ".join(f"{key} = {value!r}" for key, value in errand.items()) + " }]",
    }


@st.composite
def boards(draw: Any) -> Board:
    """A random table of 2 to 4 knights on the board, on any chairs, with other rulings and other errands."""
    knights = [role.slug for role in usual("knights.board").roles["knights"]]
    lineup = draw(st.lists(st.sampled_from(knights), min_size=2, max_size=4, unique=True))
    names = [""] * 4
    chairs = sorted(draw(st.permutations(range(4)))[: len(lineup)])
    for chair, name in zip(chairs, lineup, strict=True):
        names[chair] = name
    rulings = reference("knights.board").cards["ruling"][""]
    sets = {
        f"ruling.{name}": f'"{draw(st.sampled_from(get_args(one.annotation)))}"'
        for name, one in type(rulings).model_fields.items()
    }
    sets |= draw(st.one_of(st.just({}), added_cards()))
    readings = of_board.Board.model_fields["attaching"].annotation
    sets["board.map.attaching"] = f'"{draw(st.sampled_from(get_args(readings)))}"'
    for one in draw(st.lists(errands(), max_size=4)):
        sets |= one
    dials = {"rounds": draw(st.integers(1, 3)), "mission": draw(st.integers(0, 2)), "duels": draw(st.integers(0, 1))}
    bots = tuple(draw(st.sampled_from(("random", "regular", "strong"))) for _ in names)
    key = root(draw(st.integers(0, 2**63)), draw(st.integers(0, 2**63)))
    return Board(sets, dials, tuple(names), bots, draw(st.sampled_from(chairs)), key)


@st.composite
def cruises(draw: Any) -> Laid:
    """A random cruise: any ship on any route, by any knight, over a random pack."""
    table = draw(voyage.tables())
    game = find_game("voyage.cruise")
    dials = {
        "knight": draw(st.integers(0, len(voyage.KNIGHTS) - 1)),
        "breach": draw(st.integers(0, 6)),
        "held": draw(st.integers(-1, 5)),
    }
    dials |= {name: table.settings[name] for name in ("cards", "difficulty", "water")}
    tables = game.load(table.pack(), settings_of(game, dials))
    lineup = [draw(st.sampled_from(tables.roles[side.key])).slug for side in game.sides]
    seats = seatings(game, tables, lineup, {"captain": table.bots[0], "sea": table.bots[1]}, "none")
    return Laid(game, tables, seats, table.root)


@st.composite
def lucky(draw: Any, only: str) -> Any:
    """A random combat in which the first knight has a luck card, with a row at a moment that luck cards alone have."""
    table, known = draw(test_combat.tables(only=only)), []
    for what, moments in of_knights.MOMENTS.items():
        for when, whom in product({"attack", "rolled", "reply"} & set(moments), of_knights.WHOM):
            row = {"when": when, "what": what, "whom": whom, "many": 1}
            known += [] if validate(of_knights.Effect, row, "row")[1] else [row]
    row, place = draw(st.sampled_from(known)), draw(st.integers(0, len(test_combat.REFERENCE.cards["luck"]) - 1))
    text = ", ".join(f"{key} = {value!r}" for key, value in row.items())
    sets = {f"luck.{list(test_combat.REFERENCE.cards['luck'])[place]}.effects": f"[{{ {text} }}]"}
    dial = find_game(only).extra[1]
    return replace(table, sets=table.sets | sets, settings=table.settings | {dial: place})


def combats(only: str) -> st.SearchStrategy[Any]:
    """Random combats, half of them with a luck card."""
    return st.one_of(test_combat.tables(only=only), lucky(only))


@cache
def usual(name: str) -> Any:
    """The tables of a game's reference pack at its usual settings."""
    game = find_game(name)
    return game.load(reference(name), settings_of(game, {}))


@dataclass(frozen=True)
class Case:
    """A game under contract.

    `drawn`: random tables, ready to play; `short`: settings that keep a single game short; `modules`: whose WHEN, WHAT
    and so on are the vocabulary; `words`: what random packs draw on, by the tables that hold them; `capacities`: name
    and a small value of each that a game can come up against; `few`: how many compiled games a law takes;
    `drawings`: how many random packs show all words."""

    name: str
    drawn: st.SearchStrategy[Laid]
    short: dict[str, int] = field(default_factory=dict)
    modules: tuple[Any, ...] = ()
    effects: tuple[Any, ...] = ()
    packs: st.SearchStrategy[dict[str, str]] | None = None
    words: Collection[str] = ()
    capacities: tuple[tuple[str, int], ...] = ()
    few: int = 40
    drawings: int = 150
    examples: int = 4

    @property
    def game(self) -> Game:
        """The game of that name."""
        return find_game(self.name)

    def laid(self, size: int, bot: str, number: int = 1) -> Laid:
        """The reference pack with so many seats taken, by the first roles of each side."""
        game = self.game
        tables = game.load(reference(self.name), settings_of(game, self.short))
        row = blank(seats_dtype(game.players), 1)
        row["role"], row["bot"] = -1, tables.bots.index(bot)
        row["member"] = range(game.players)
        place = 0
        for side in game.sides:
            for i in range(side.seats):
                if i < size or not side.least:
                    row["role"][0, place] = (i + size * number) % len(tables.roles[side.key])
                place += 1
        return Laid(game, tables, row, root(number, size))

    def sizes(self) -> list[int]:
        """How many may sit down."""
        side = self.game.sides[0]
        return list(range(side.least or side.seats, side.seats + 1))

    def vocabulary(self) -> set[str]:
        """All moments and all that can happen then."""
        return {word for module in self.modules for word in (*module.WHEN, *module.WHAT)}

    def readings(self) -> set[str]:
        """All readings of its rulings."""
        rulings = self.game.schema.kinds["ruling"].model.model_fields.values()
        return {str(reading) for one in rulings for reading in get_args(one.annotation)}

    def asides(self) -> set[str]:
        """All other words of its cards: to whom something happens, what it costs, how often it comes; and readings."""
        names = ("WHOM", "WHO", "PAY", "PER", "FITS", "ATTACH_RULES")
        words = {word for one in self.modules for name in names for word in getattr(one, name, ())}
        return self.readings() | words - {""}


def sets_of(tables: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, str]]:
    """What is laid over the reference pack at random tables."""
    return tables.map(lambda table: dict(table.sets))


def crew_cards() -> st.SearchStrategy[dict[str, str]]:
    """Other effects for any card of The Waste of Parts, as its random tables draw them."""
    known = [
        (kind, slug)
        for kind in of_mech.HOLDERS
        for slug, card in crews.REFERENCE.cards[kind].items()
        if not getattr(card, "harmless", False)
    ]
    return st.sampled_from(known).flatmap(lambda one: crews.texts(*one))


def combat_rows() -> st.SearchStrategy[dict[str, str]]:
    """Rows of effect for what is worn or carried, as random combats draw them."""
    moments = (*test_combat.WORN, "any_time")
    return test_combat.texts(moments).map(lambda text: {"knight.effects": text})


def board_cards() -> st.SearchStrategy[dict[str, str]]:
    """Other errands for many cards of the board at once, as its random tables draw them for a few."""
    return st.lists(errands(), min_size=8, max_size=8).map(lambda many: {k: v for one in many for k, v in one.items()})


def sea_cards() -> st.SearchStrategy[dict[str, str]]:
    """Another card of any kind of Beyond the Horizon, as its random tables draw them."""
    return st.sampled_from(voyage.KINDS).flatmap(voyage.card_sets)


def laid_out(tables: st.SearchStrategy[Any]) -> st.SearchStrategy[Laid]:
    """Tables of the property tests, ready to play."""
    return tables.map(Laid.of)


KNIGHTS = (of_knights, of_board)
CASES = [
    Case(
        "knights.fight",
        laid_out(combats("knights.fight")),
        modules=(of_knights, of_board),
        effects=(of_knights.Effect, of_board.Errand),
        packs=st.one_of(sets_of(combats("knights.fight")), combat_rows()),
        words={*of_knights.WHEN, *of_knights.WHAT, *of_knights.WHOM},
        capacities=(("POOL_MAX", 3), ("USES", 1)),
        few=150,
        drawings=600,
    ),
    Case(
        "knights.duel",
        laid_out(test_combat.tables(only="knights.duel")),
        capacities=(("POOL_MAX", 3),),
        few=150,
    ),
    Case(
        "knights.board",
        laid_out(boards()),
        short={"rounds": 2},
        modules=(of_knights, of_board),
        effects=(of_knights.Effect, of_board.Errand),
        packs=st.one_of(sets_of(boards()), board_cards(), added_cards()),
        words={
            *of_board.WHEN,
            *of_board.WHAT,
            *of_board.WHOM,
            *of_board.ATTACHING,
            *of_board.FITS,
            *of_board.ATTACH_RULES,
        }
        - {""},
        capacities=(("most_options", 6), ("SHOWN", 1)),
        few=8,
        drawings=700,
        examples=3,
    ),
    Case(
        "mech",
        laid_out(crews.tables()),
        short={"most_rounds": 12, "events": 1},
        modules=(of_mech,),
        effects=(of_mech.Effect,),
        packs=st.one_of(sets_of(crews.tables()), crew_cards()),
        words={*of_mech.WHEN, *of_mech.WHAT, *of_mech.WHOM},
        capacities=(("most_options", 12), ("FLOOR", 1), ("BOARD", 3)),
        drawings=700,
    ),
    Case(
        "gangs",
        laid_out(gangs.tables()),
        short={"most_hours": 5},
        modules=(of_gangs,),
        effects=(of_gangs.Effect,),
        packs=sets_of(gangs.tables()),
        words={*of_gangs.WHEN, *of_gangs.WHAT, *of_gangs.WHOM, *of_gangs.WHO, *of_gangs.PAY},
        capacities=(("most_options", 4), ("STACK", 6), ("QUEUE", 0)),
    ),
    Case(
        "voyage",
        laid_out(voyage.tables()),
        short={"rounds": 6},
        modules=(of_voyage,),
        effects=(of_voyage.Effect,),
        packs=st.one_of(voyage.pack_sets(), sea_cards(), voyage.card_sets("token")),
        words={*of_voyage.WHEN, *of_voyage.WHAT, *of_voyage.PER, of_voyage.SEA_DIE},
        capacities=(("most_options", 12), ("PIECES", 2), ("POOL_MAX", 2), ("MOST_STEPS", 2)),
        drawings=1000,
    ),
    Case("voyage.cruise", cruises(), capacities=(("most_options", 2),)),
]

BY_NAME = {case.name: case for case in CASES}


def drawn_words(case: Case, tables: int) -> set[str]:
    """The words of so many random packs."""
    found: set[str] = set()
    assert case.packs is not None

    @settings(phases=(Phase.generate,), max_examples=tables, derandomize=True)
    @given(case.packs)
    def look(sets: dict[str, str]) -> None:
        found.update(words_in(sets.values()))

    look()
    return found
