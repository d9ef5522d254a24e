"""Answers that a test declares to the questions of the rules: a question without one is refused, never answered.

The tables of the four games, in which tests read like the rulebook, build on it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Self


class Undeclared(AssertionError):
    """A question for which a test declares no answer."""


class Declared:
    """A table whose questions are answered by the words of a call in order, or once for all of a kind."""

    def __init__(self, kinds: Collection[str]) -> None:
        """Declare nothing yet. kinds: the kinds of questions that can have a standing answer.

        `asked` holds the options of each decision of the last call, in words."""
        self.kinds = kinds
        self.answers: dict[str, str] = {}
        self.asked: list[list[str]] = []

    def always(self, **answers: str) -> Self:
        """Answer all questions of a kind that the words of a call do not answer."""
        assert set(answers) <= set(self.kinds), f"no such kinds of questions: {set(answers) - set(self.kinds)}"
        self.answers |= answers
        return self

    def answer(self, kind: str, legal: Mapping[str, int], words: list[Any], who: str = "") -> int:
        """Note what is asked, and give the option that the next word or the standing answer names.

        kind: the kind of question; legal: options by their words; words: those of the call that are left, of which one
        is taken; who: whom the question is for. Raises Undeclared, or ValueError where the word is no option."""
        self.asked.append(list(legal))
        asked, word = f"{kind}, {who}" if who else kind, words.pop(0) if words else self.answers.get(kind)
        if word is None:
            raise Undeclared(f"{asked}: no answer is declared; options: {list(legal)}")
        if word not in legal:
            raise ValueError(f"{asked}: {word!r} is not among {list(legal)}")
        return legal[word]
