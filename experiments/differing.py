"""What two set-ups differ in: values of the config by dotted path, and values of cards by kind.slug.field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from experiments.config import Config, Setup
from experiments.parts import leaves, toml_value
from simcore.packs import Pack

LONG = 80
NOTHING = "not there"


class Differing(NamedTuple):
    """A value that differs: its path, and what it was and is, in words."""

    path: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.path} was {self.old} and is {self.new}"


def configs_differ(old: Config, new: Config) -> list[Differing]:
    """The values of two configs that differ. Changes of cards by hand are none of them: they are in the packs."""
    before, after = (dict(leaves(one.model_dump(mode="json", exclude={"changes"}))) for one in (old, new))
    paths = [path for path in {**before, **after} if before.get(path) != after.get(path)]
    return [Differing(path, _word(before, path), _word(after, path)) for path in paths]


def packs_differ(old: Pack, new: Pack) -> list[Differing]:
    """The values of two packs of one game that differ, and cards that one of them lacks."""
    from experiments.pack_diff import differences
    from experiments.pack_files import root_of

    found = differences(old, new)
    cards = [Differing(root_of(card.kind, card.slug), NOTHING, "there") for card in found.added]
    cards += [Differing(root_of(card.kind, card.slug), "there", NOTHING) for card in found.removed]
    values = [
        Differing(f"{root_of(one.card.kind, one.card.slug)}.{one.field}", _cell(one.old_cell), _cell(one.new_cell))
        for one in found.changed
        if one.card.kind != "pack"
    ]
    order = [Differing(kind, "in another order", "as here") for kind in found.order]
    return cards + values + order


def setups_differ(old: Setup, new: Setup) -> Iterator[Differing]:
    """All values in which two set-ups of one game differ."""
    yield from configs_differ(old.config, new.config)
    yield from packs_differ(old.pack, new.pack)


def _word(values: Mapping[str, Any], path: str) -> str:
    """A value as TOML writes it, cut where it is long."""
    value = values.get(path)
    return NOTHING if path not in values or value is None else _cut(toml_value(value))


def _cell(text: str) -> str:
    return _cut(" / ".join(text.split("\n"))) if text else NOTHING


def _cut(text: str) -> str:
    return text if len(text) <= LONG else f"{text[: LONG - 3]}..."
