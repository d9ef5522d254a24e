"""The page that a designer of cards for The Waste of Parts reads, against what the checks accept."""

from __future__ import annotations

import re
import tomllib

from simcore import packs
from simcore.mech import cards
from simcore.mech.cards import SCHEMA

PAGE = (SCHEMA.folder / "README.md").read_text("utf-8")


def test_every_word_of_the_vocabulary_has_an_example_that_is_right() -> None:
    lines = [line for line in PAGE.splitlines() if line.startswith("|")]
    examples = {}
    for line in lines:
        rows = re.findall(r"`(\{ when = [^`]*\})`", line)
        for word in re.findall(r"^\| `(\w+)`", line) if rows else []:
            examples[word] = tomllib.loads(f"row = {rows[-1]}")["row"]
    assert set(examples) == {*cards.WHEN, *cards.WHAT, *cards.WHOM}
    for word, row in examples.items():
        effect, mistakes = packs.validate(cards.Effect, row, "row")
        assert effect and not mistakes, mistakes
        assert word in (effect.when, effect.what, effect.whom)


def test_deeds_name_whom_they_can_be_done_to() -> None:
    for deed, aims in cards.AIMS.items():
        assert re.search(rf"^\| `{deed}` \|[^|]*\| {', '.join(aims)} \|", PAGE, re.MULTILINE), deed


def test_the_page_says_which_card_can_have_what() -> None:
    for kind in cards.HOLDERS:
        (row,) = re.findall(rf"^\| {kind} \| (.*) \| (.*) \| (.*) \|$", PAGE, re.MULTILINE)
        named = {cards.CREW_TERMS: "of the crew", cards.ROOM_TERMS: "of rooms", (): "-"}
        terms = named.get(cards.TERMS[kind], ", ".join(cards.TERMS[kind]))
        assert row == (", ".join(cards.MOMENTS[kind]), terms, ", ".join(cards.DEEDS_OF[kind])), kind


def test_every_kind_is_listed_with_its_fields_and_how_many() -> None:
    table = PAGE.partition("## Kinds of card")[2].partition("## Origins")[0]
    for name, kind in SCHEMA.kinds.items():
        (line,) = re.findall(rf"^\| `{name}` \|.*$", table, re.MULTILINE)
        assert ("one" if kind.single else str(kind.capacity)) in line, name
        if name not in ("ruling", "bot"):
            lacking = [field for field in kind.model.model_fields if not re.search(rf"\b{field}\b", line)]
            assert lacking in ([], ["from_", "but"]), name


def test_the_small_example_can_be_laid_over_the_pack() -> None:
    assert packs.load(SCHEMA, sets={"enemy.scrap_rat.health": "2"}).cards["enemy"]["scrap_rat"].health == 2
