"""Which games a reader asks for, as in `rounds > 2 and winner.health_left <= 1`.

    test    = either {"or" either};  either = one {"and" one};  one = "not" one | "(" test ")" | value op value
    value   = a whole number | [whose "."] name | 'a name in quotes'
    op      = "=" or "==", "!=", "<", "<=", ">", ">="
    whose   = seat1, seat2, ... | a side or its bot, as in `knight` | winner | loser | a role's slug

A name is a column of the game's outcome; `ending` compares with the name or the kind of an ending, `role` with a
role. `winner` and the like alone mean their role. A name of a seat's column without an owner means any seat, and a
comparison about several seats holds if it holds for one of them; about none (as of the winner of a draw) it doesn't.

The text is only read by the parser below, never run. Tests work on blocks of outcomes, a column at a time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from simcore.game import SHARE, Game, Tables, role_names
from simcore.packs import Mistake, Mistakes, nearest, shown

LONGEST = 2_000
DEEPEST = 50
LARGEST = 2**62

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Fits = Callable[[Ints], Bools]
"""A test of outcomes, int64[games, columns] in the order of `Game.columns()`: which of the games it holds for."""

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "=": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
}  # fmt: skip
_SAME = {"==": "=", "≤": "<=", "≥": ">=", "≠": "!=", "<>": "!="}
_INSTEAD = {"&&": "and", "&": "and", "||": "or", "|": "or", "!": "not"}
_TOKEN = re.compile(
    r"""(?P<number>[-+]?[0-9][\w.]*) | (?P<word>[^\W\d][\w-]*(?:/[\w-]+)*) | (?P<quoted>"[^"]*"|'[^']*')
      | (?P<op><=|>=|==|!=|<>|[=<>≤≥≠]) | (?P<mark>[().]) | (?P<wrong>[^\w\s()."'<>=]+|\S)""",
    re.VERBOSE,
)


def read_filter(text: str, game: Game, tables: Tables, where: str = "--where") -> Fits:
    """The test that an expression of a reader stands for.

    where: what mistakes are said to be in. Raises Mistakes with all of them, each with its place in the text.
    """
    parser = _Parser(text, where)
    tree = parser.whole()
    names = _Names(game, tables, where)
    test = names.test(tree)
    if names.mistakes:
        raise Mistakes(names.mistakes)
    return test


def read_pair(text: str, game: Game, tables: Tables, where: str = "--first-with") -> Fits:
    """The test that `name=value` stands for; the value is taken as it stands, so that no name needs quotes.

    Arguments and errors as in `read_filter`.
    """
    name, equals, value = text.partition("=")
    name, value = name.strip(), value.strip().removeprefix("=").strip()
    if not equals or not name or not value or name[-1] in "!<>":
        raise Mistakes([Mistake(where, f"is {shown(text)}", "NAME=VALUE, as in ending=draw (--where takes more)")])
    left = _Parser(name, where).lone_value()
    after = text.index("=") + 2
    quoted = len(value) > 2 and value[0] == value[-1] in "'\""
    right: Value = Word(value[1:-1] if quoted else value, at=after, quoted=quoted)
    names = _Names(game, tables, where)
    # a role may be called 007
    if re.fullmatch(r"[-+]?[0-9]+", value) and not names.is_named(left):
        right = _number(value, after, where)
    test = names.test(Comparison(left, "=", right, after - 1))
    if names.mistakes:
        raise Mistakes(names.mistakes)
    return test


# ---------------------------------------------------------------- what is written


@dataclass(frozen=True)
class Number:
    """A whole number; `at` is the place of its first character in the text, from 1."""

    value: int
    at: int = 0


@dataclass(frozen=True)
class Word:
    """A name, and whose; in quotes it is the name of an ending or a role."""

    text: str
    owner: str = ""
    at: int = 0
    quoted: bool = False


Value = Number | Word


@dataclass(frozen=True)
class Comparison:
    """Two values and one of OPERATORS."""

    left: Value
    op: str
    right: Value
    at: int = 0


@dataclass(frozen=True)
class Not:
    """What must not hold."""

    part: Tree


@dataclass(frozen=True)
class Joined:
    """Two or more parts, all of which ("and") or one of which ("or") must hold."""

    word: str
    parts: tuple[Tree, ...]


Tree = Comparison | Not | Joined


class _Token(NamedTuple):
    kind: str
    text: str
    at: int


class _Parser:
    """Reads one text; `at` in mistakes counts its characters from 1."""

    def __init__(self, text: str, where: str) -> None:
        self.where, self.depth, self.next = where, 0, 0
        if len(text) > LONGEST:
            raise Mistakes([Mistake(where, f"has {len(text):,} characters", f"at most {LONGEST:,}")])
        self.tokens = [_Token(str(m.lastgroup), m.group(), m.start() + 1) for m in _TOKEN.finditer(text)]
        wrong = {token.text: token for token in self.tokens if token.kind == "wrong"}
        if wrong:
            raise Mistakes([self._mistake(token, "is not understood") for token in reversed(wrong.values())][::-1])
        self.tokens.append(_Token("end", "", len(text) + 1))

    def whole(self) -> Tree:
        """The tree of the whole text."""
        tree = self._joined("or")
        if self._now().kind != "end":
            self._expected("and, or, or the end" + (": no bracket is open" if self._now().text == ")" else ""))
        return tree

    def lone_value(self) -> Value:
        """The text as one value and nothing else."""
        value = self._value()
        if self._now().kind != "end":
            self._expected("= and a value")
        return value

    def _joined(self, word: str) -> Tree:
        below: Callable[[], Tree] = self._one if word == "and" else lambda: self._joined("and")
        parts = [below()]
        while self._take("word", word):
            parts.append(below())
        return parts[0] if len(parts) == 1 else Joined(word, tuple(parts))

    def _one(self) -> Tree:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Mistakes([self._mistake(self._now(), "is nested too deep", f"up to {DEEPEST} levels")])
        if self._take("word", "not"):
            tree: Tree = Not(self._one())
        elif self._take("mark", "("):
            tree = self._joined("or")
            if not self._take("mark", ")"):
                self._expected("and, or, or a closing )")
        else:
            tree = self._comparison()
        self.depth -= 1
        return tree

    def _comparison(self) -> Comparison:
        left = self._value()
        sign = self._take("op")
        if sign is None:
            self._expected("one of = != < <= > >=")
        right = self._value()
        if self._now().kind == "op":
            self._expected("and, or, or the end: one comparison at a time, as in 1 < rounds and rounds < 4")
        return Comparison(left, _SAME.get(sign.text, sign.text), right, sign.at)

    def _value(self) -> Value:
        token = self._now()
        if self._take("number"):
            return _number(token.text, token.at, self.where)
        if not self._take("quoted") and (token.text.lower() in ("and", "or", "not") or not self._take("word")):
            self._expected("a name or a whole number")
        quoted = token.kind == "quoted"
        text = token.text[1:-1] if quoted else token.text
        if not self._take("mark", "."):
            return Word(text, at=token.at, quoted=quoted)
        column = self._take("word")
        if column is None:
            self._expected("the name of a column after the dot")
        return Word(column.text, text, token.at)

    def _now(self) -> _Token:
        return self.tokens[self.next]

    def _take(self, kind: str, text: str = "") -> _Token | None:
        """The next token if it is such a one, and go on after it."""
        token = self._now()
        if token.kind != kind or (text and token.text.lower() != text):
            return None
        self.next += 1
        return token

    def _expected(self, what: str) -> NoReturn:
        token = self._now()
        wrong = f"has {shown(token.text)} at character {token.at}" if token.text else f"ends at character {token.at}"
        raise Mistakes([Mistake(self.where, wrong, what)])

    def _mistake(self, token: _Token, wrong: str, allowed: str = "") -> Mistake:
        if token.text in _INSTEAD:
            allowed = f"write {_INSTEAD[token.text]}"
        elif token.text in ("'", '"'):
            wrong = "opens a quote that is not closed"
        return Mistake(self.where, f"at character {token.at}: {shown(token.text)} {wrong}", allowed)


def _number(text: str, at: int, where: str) -> Number:
    """A whole number of the text."""
    if not re.fullmatch(r"[-+]?[0-9]+", text):
        raise Mistakes([Mistake(where, f"at character {at}: {shown(text)} is no whole number", "as in 3 or -1")])
    if not -LARGEST <= int(text) <= LARGEST:
        raise Mistakes([Mistake(where, f"at character {at}: a huge number", f"up to {LARGEST}")])
    return Number(int(text), at)


# ---------------------------------------------------------------- what it means


@dataclass(frozen=True)
class _Operand:
    """A side of a comparison: `read(rows)` gives its numbers and which of them count, both [games or 1, seats]."""

    kind: str
    read: Callable[[Ints], tuple[Ints, Bools]]


_TRUE = np.ones((1, 1), np.bool_)


@dataclass
class _Names:
    """What the names of a game stand for; what is wrong in a text gathers in `mistakes`."""

    game: Game
    tables: Tables
    where: str
    mistakes: list[Mistake] = field(default_factory=list)

    def __post_init__(self) -> None:
        game, columns = self.game, list(enumerate(self.game.columns()))
        self.whole = {column.name: place for place, (seat, column) in columns if seat is None}
        self.seated: dict[str, list[int]] = {}
        for place, (seat, column) in columns:
            if seat is not None:
                self.seated.setdefault(column.name, []).append(place)
        sides = [game.side_of(seat) for seat in range(game.players)]
        every = {side.key: self.tables.roles[side.key] for side in game.sides}
        self.roles = [(key, role) for key, roles in every.items() for role in roles]
        first = {key: [side for side, _ in self.roles].index(key) for key in every if every[key]}
        # roles of all sides are numbered through, so that those of two sides can be told apart
        self.shift = np.array([first[side.key] for side in sides], np.int64)
        self.owners = {f"seat{seat + 1}": [seat] for seat in range(game.players)}
        for seat, side in enumerate(sides):
            for name in dict.fromkeys((side.bot, side.key)):
                self.owners.setdefault(name, []).append(seat)
        self.owners |= {"winner": [], "loser": []}

    def is_named(self, value: Value) -> bool:
        """Whether a value is a column of endings or roles, which are called by names."""
        operand = self._operand(value)
        return operand is not None and operand.kind != "number"

    def test(self, tree: Tree) -> Fits:
        """The test that a tree stands for; one of no use where there are mistakes."""
        if isinstance(tree, Comparison):
            return self._comparison(tree)
        if isinstance(tree, Not):
            inner = self.test(tree.part)
            return lambda rows: ~inner(rows)
        tests = [self.test(part) for part in tree.parts]
        join = np.logical_and if tree.word == "and" else np.logical_or
        return lambda rows: join.reduce([test(rows) for test in tests])

    def _comparison(self, asked: Comparison) -> Fits:
        """One of: a column and a name of an ending or a role; two columns; a column and a number."""
        left, right = self._operand(asked.left), self._operand(asked.right)
        for column, other in ((left, asked.right), (right, asked.left)):
            codes = self._codes(column, other)
            if column and codes is not None:
                return self._named(column, codes, asked)
        if left is None or right is None:
            return self._unnamed(asked, left, right)
        return self._numbers(left, right, asked)

    def _numbers(self, left: _Operand, right: _Operand, asked: Comparison) -> Fits:
        """A comparison of two columns, or of a column and a number."""
        if isinstance(asked.left, Number) and isinstance(asked.right, Number):
            self._wrong(asked.left.at, "compares two numbers", "a name and a number")
        elif left.kind != right.kind:
            kinds = {left.kind, right.kind} - {"number"}
            self._wrong(asked.at, f"compares {_a(left.kind)} with {_a(right.kind)}", self._allowed(min(kinds)))
        elif left.kind != "number" and asked.op not in ("=", "!="):
            self._wrong(asked.at, f"compares {left.kind}s by {asked.op}", "= and !=")
        op = OPERATORS[asked.op]

        def test(rows: Ints) -> Bools:
            (a, mine), (b, theirs) = left.read(rows), right.read(rows)
            held = op(a[:, :, None], b[:, None, :]) & mine[:, :, None] & theirs[:, None, :]
            return np.asarray(held.any(axis=(1, 2)))

        return test

    def _named(self, column: _Operand, codes: list[int], asked: Comparison) -> Fits:
        """A comparison of a column with the name of an ending or a role."""
        if asked.op not in ("=", "!="):
            self._wrong(asked.at, f"compares {column.kind}s by {asked.op}", "= and !=")
        wanted = asked.op == "="

        def test(rows: Ints) -> Bools:
            numbers, counts = column.read(rows)
            return np.asarray(((np.isin(numbers, codes) == wanted) & counts).any(axis=1))

        return test

    def _codes(self, column: _Operand | None, name: Value) -> list[int] | None:
        """What a bare name means beside a column of endings or roles; None where it is no such name."""
        if column is None or column.kind == "number" or not isinstance(name, Word) or name.owner:
            return None
        return self._endings(name.text) if column.kind == "ending" else self._of_role(name.text)

    def _endings(self, name: str) -> list[int] | None:
        return [code for code, ending in enumerate(self.game.endings) if name in (ending.name, ending.kind)] or None

    def _of_role(self, name: str) -> list[int] | None:
        """The numbers of a role by its slug, else by the name that its versions share, else by its title; of several
        where sides share it.
        """
        found = [place for place, (_, role) in enumerate(self.roles) if role.slug == name]
        found = found or [place for place, (_, role) in enumerate(self.roles) if role.name == name]
        return found or [place for place, (_, role) in enumerate(self.roles) if role.title == name] or None

    def _operand(self, value: Value) -> _Operand | None:
        """A number, a column of the game, or one of some seats; None for what is none of them."""
        if isinstance(value, Number):
            numbers = np.full((1, 1), value.value, np.int64)
            return _Operand("number", lambda rows: (numbers, _TRUE))
        if value.owner:
            return self._of(value.owner, value.text) if value.text in self.seated else None
        if value.quoted:
            return None
        if value.text in self.whole:
            place = self.whole[value.text]
            return _Operand("ending" if value.text == "ending" else "number", lambda rows: (rows[:, [place]], _TRUE))
        if value.text in self.seated:
            return self._seats(value.text, list(range(self.game.players)))
        return self._of(value.text, "role") if value.text in self.owners else None

    def _of(self, owner: str, column: str) -> _Operand | None:
        """A column of the seats of an owner: a seat, a side, the winner, the loser or a role."""
        everyone = list(range(self.game.players))
        if owner in ("winner", "loser"):
            shares, wanted = self.seated["share"], SHARE if owner == "winner" else 0
            return self._seats(column, everyone, lambda rows: rows[:, shares] == wanted)
        if owner in self.owners:
            return self._seats(column, self.owners[owner])
        codes = self._of_role(owner)
        if codes is None:
            return None
        roles = self.seated["role"]
        return self._seats(column, everyone, lambda rows: np.isin(rows[:, roles] + self.shift, codes))

    def _seats(self, column: str, seats: list[int], who: Callable[[Ints], Any] | None = None) -> _Operand:
        """A column of some seats, of those that `who` holds for; an empty seat never counts."""
        places, roles = ([self.seated[name][seat] for seat in seats] for name in (column, "role"))
        shift = self.shift[seats] if column == "role" else 0

        def read(rows: Ints) -> tuple[Ints, Bools]:
            counts = rows[:, roles] >= 0
            return rows[:, places] + shift, counts & who(rows) if who else counts

        return _Operand("role" if column == "role" else "number", read)

    def _unnamed(self, asked: Comparison, left: _Operand | None, right: _Operand | None) -> Fits:
        """The mistake that a side of a comparison is no column; of two such sides, the one that is no name at all."""
        bare = [value for value, found in ((asked.left, left), (asked.right, right)) if found is None]
        words = [value for value in bare if isinstance(value, Word)]
        strange = [word for word in words if not self._literal(word)] or words
        self._unknown(strange[0], (left or right).kind if left or right else "number")  # type: ignore[union-attr]
        return _never

    def _unknown(self, word: Word, kind: str) -> None:
        """The mistake that a name means nothing beside a number, an ending or a role."""
        owners, given = list(self.owners), f"{word.owner}.{word.text}" if word.owner else word.text
        if word.owner and word.text in self.whole:
            wrong, near = "is of the whole game, not of a seat", word.text
        elif word.owner:
            kind, wrong = "number", "is no column of a seat, a side or a role"
            owner = word.owner if self._owns(word.owner) else nearest(word.owner, [*owners, *self._slugs()])
            column = word.text if word.text in self.seated else nearest(word.text, self.seated)
            near = f"{owner}.{column}" if owner and column else ""
        else:
            names = {"number": [*self.whole, *self.seated], "ending": self._endings_known(), "role": self._slugs()}
            wrong = f"is no {'column' if kind == 'number' else kind}"
            wrong += ": it is the name of an ending or a role" if kind == "number" and self._literal(word) else ""
            near = nearest(word.text, [*names[kind], *([] if kind == "ending" else owners)])
        self._wrong(word.at, f"{shown(given)} {wrong}", self._allowed(kind), near)

    def _allowed(self, kind: str) -> str:
        """What can stand beside an ending or a role; or all names of columns."""
        if kind != "number":
            return ", ".join(self._endings_known() if kind == "ending" else [*self.owners, *self._slugs()])
        whose = ", ".join([*self.owners, "a role"])
        return f"of a game {', '.join(self.whole)}; of a seat {', '.join(self.seated)}; whose: {whose}"

    def _wrong(self, at: int, wrong: str, allowed: str = "", near: str = "") -> None:
        told = any(mistake.allowed == allowed for mistake in self.mistakes)
        self.mistakes.append(Mistake(self.where, f"at character {at}: {wrong}", "" if told else allowed, near))

    def _literal(self, word: Word) -> bool:
        """Whether a word names an ending or a role."""
        return not word.owner and (self._endings(word.text) or self._of_role(word.text)) is not None

    def _owns(self, owner: str) -> bool:
        return owner in self.owners or self._of_role(owner) is not None

    def _slugs(self) -> list[str]:
        return role_names([role for _, role in self.roles])

    def _endings_known(self) -> list[str]:
        return list(dict.fromkeys(name for ending in self.game.endings for name in (ending.kind, ending.name)))


def _never(rows: Ints) -> Bools:
    """The test of what was not understood."""
    return np.zeros(len(rows), np.bool_)


def _a(kind: str) -> str:
    return f"an {kind}" if kind == "ending" else f"a {kind}"
