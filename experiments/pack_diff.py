"""What two packs of a game differ in, card by card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from experiments.cells import ABSENT, write_origin
from experiments.pack_files import all_cards, origins_below, root_of, written
from experiments.sheets import Column, cell_at, columns_of, value_at
from simcore.packs import Origin, Pack, covers

LONG = 100


@dataclass(frozen=True)
class Card:
    """A card that both or one of the packs have; the title is that of the newer pack that has it."""

    kind: str
    slug: str
    title: str


@dataclass(frozen=True)
class Change:
    """A value that differs: as plain values (None: left out), and as cells of a spreadsheet."""

    card: Card
    field: str
    old: Any
    new: Any
    old_cell: str
    new_cell: str


@dataclass(frozen=True)
class Resourced:
    """Fields of a card that come from elsewhere now; "" is no origin."""

    card: Card
    fields: tuple[str, ...]
    old: str
    new: str


@dataclass
class Differences:
    """What changed from one pack to another, in the order of the newer one.

    `touched` are the cards that both have and that differ; `order` names the kinds whose cards stand in another order.
    """

    added: list[Card] = field(default_factory=list)
    removed: list[Card] = field(default_factory=list)
    touched: list[Card] = field(default_factory=list)
    changed: list[Change] = field(default_factory=list)
    origins: list[Resourced] = field(default_factory=list)
    order: list[str] = field(default_factory=list)

    def none(self) -> bool:
        """Whether there are none."""
        return not (self.added or self.removed or self.touched or self.order)

    def plain(self) -> dict[str, Any]:
        """The same as plain values for JSON."""
        return {
            "equal": self.none(),
            "added": [asdict(card) for card in self.added],
            "removed": [asdict(card) for card in self.removed],
            "changed": [
                {**asdict(one.card), "field": one.field, "old": one.old, "new": one.new} for one in self.changed
            ],
            "origins": [
                {**asdict(one.card), "fields": list(one.fields), "old": one.old, "new": one.new} for one in self.origins
            ],
            "order": self.order,
        }


def differences(old: Pack, new: Pack) -> Differences:
    """What changed from `old` to `new`, two packs of one schema, in the order of the kinds and of the new cards."""
    found = Differences()
    before, after = all_cards(old), all_cards(new)
    for kind, spec in new.schema.all_kinds().items():
        was, now = before[kind], after[kind]
        columns = columns_of(spec.model)
        shared = [slug for slug in now if slug in was]
        found.added += [_card(kind, slug, now[slug]) for slug in now if slug not in was]
        found.removed += [_card(kind, slug, was[slug]) for slug in was if slug not in now]
        found.order += [kind] if shared != [slug for slug in was if slug in now] else []
        for slug in shared:
            card = _card(kind, slug, now[slug])
            changes = list(_changes(card, written(was[slug]), written(now[slug]), columns))
            moved = list(_resourced(card, _origins(old, card, was[slug]), _origins(new, card, now[slug]), columns))
            found.touched += [card] if changes or moved else []
            found.changed += changes
            found.origins += moved
    return found


def _card(kind: str, slug: str, card: Any) -> Card:
    """A card by its names."""
    return Card(kind, slug, str(getattr(card, "title", "")))


def _changes(card: Card, old: Mapping[str, Any], new: Mapping[str, Any], columns: Sequence[Column]) -> Iterator[Change]:
    """The values of a card that differ."""
    for column in columns:
        was, now = value_at(old, column.path), value_at(new, column.path)
        if was != now:
            was, now = (None if value is ABSENT else value for value in (was, now))
            yield Change(card, column.path, was, now, cell_at(old, column), cell_at(new, column))


def _origins(pack: Pack, card: Card, model: Any) -> dict[str, Origin | None]:
    """The origins of a card's values by path."""
    root = root_of(card.kind, card.slug)
    return origins_below(pack, root, written(model, root, pack.origins))


def _resourced(
    card: Card, old: Mapping[str, Origin | None], new: Mapping[str, Origin | None], columns: Sequence[Column]
) -> Iterator[Resourced]:
    """Where the values that both packs have come from elsewhere, those with the same change together."""
    groups: dict[tuple[str, str], dict[str, None]] = {}
    for path in new:
        if path in old and old[path] != new[path]:
            name = next((column.path for column in columns if covers(column.path, path)), path)
            groups.setdefault((write_origin(old[path]), write_origin(new[path])), {})[name] = None
    for (was, now), fields in groups.items():
        yield Resourced(card, tuple(fields), was, now)


# ---------------------------------------------------------------- for people


def lines(found: Differences) -> Iterator[str]:
    """The differences as lines, card by card."""
    for sign, word, cards in (("+", "added", found.added), ("-", "removed", found.removed)):
        yield from (f"{sign} {_called(card)} {word}" for card in cards)
    for card in found.touched:
        yield _called(card)
        for change in found.changed:
            if change.card == card:
                yield f"    {change.field}: {_short(change.old_cell)} -> {_short(change.new_cell)}"
        for one in found.origins:
            if one.card == card:
                yield f"    origin of {', '.join(one.fields)}: {_short(one.old)} -> {_short(one.new)}"
    yield from (f"{kind}: the cards stand in another order" for kind in found.order)
    yield _count(found)


def _count(found: Differences) -> str:
    """All in one line."""
    parts = [f"{len(found.added)} added", f"{len(found.removed)} removed", f"{len(found.touched)} changed"]
    return "no difference" if found.none() else f"cards: {', '.join(parts)}"


def _called(card: Card) -> str:
    return f"{root_of(card.kind, card.slug)} ({card.title})" if card.slug else card.kind


def _short(cell: str) -> str:
    """A cell on one line, not too long; a word for an empty one."""
    text = " / ".join(cell.split("\n"))
    return "(empty)" if not text else text if len(text) <= LONG else text[: LONG - 3] + "..."
