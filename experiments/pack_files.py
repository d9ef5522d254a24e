"""Packs as files: what a pack holds as a designer would write it, as TOML, and a folder made in one go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pydantic import BaseModel

from experiments.parts import toml_key, toml_value
from simcore.packs import About, Mistake, Mistakes, Origin, Pack, leaves

LINE = 110


def all_cards(pack: Pack) -> dict[str, dict[str, BaseModel]]:
    """The cards of a pack by kind and slug, with the `[pack]` table that every pack has; "" is a single kind's slug."""
    return {"pack": {"": About(title=pack.title, about=pack.about)}, **pack.cards}


def root_of(kind: str, slug: str) -> str:
    """The path of a card: "enemy.scrap_hound", or "dials" for a single kind."""
    return f"{kind}.{slug}" if slug else kind


def written(card: BaseModel, root: str = "", origins: Mapping[str, Origin] | None = None) -> dict[str, Any]:
    """A card's values as plain tables and lists, as its file would hold them.

    A value that may be left out is left out, unless `origins` (by path; the card's begin with `root`) say where
    it comes from.
    """
    known = set()
    inside = f"{root}."
    for path in [path for path in origins or () if path.startswith(inside)]:
        parts = path.split(".")
        known |= {".".join(parts[:i]) for i in range(1, len(parts) + 1)}
    return _table(card, root, known)


def _table(card: BaseModel, root: str, known: set[str]) -> dict[str, Any]:
    """The values of a model that were written."""
    found = {}
    for name, info in type(card).model_fields.items():
        value, path = getattr(card, name), f"{root}.{name}"
        usual = not info.is_required() and value == info.get_default(call_default_factory=True)
        if value is not None and (path in known or not usual):
            found[name] = _plain(value, path, known)
    return found


def _plain(value: Any, path: str, known: set[str]) -> Any:
    """A value as plain tables and lists."""
    if isinstance(value, BaseModel):
        return _table(value, path, known)
    if isinstance(value, Mapping):
        return {key: _plain(inner, f"{path}.{key}", known) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner, f"{path}.{place}", known) for place, inner in enumerate(value)]
    return value


# ---------------------------------------------------------------- origins


def origins_below(pack: Pack, root: str, values: Mapping[str, Any]) -> dict[str, Origin | None]:
    """The origin of each single value of a card, by its path below `root`; None where the pack gives none."""
    return {path: pack.origins.get(f"{root}.{path}") for path, _ in leaves(values)}


def fold(origins: Mapping[str, Origin | None]) -> tuple[Origin | None, dict[str, Origin]]:
    """Origins by path as (the one that speaks for all, exceptions by field, each for all that is below it).

    The first is the most frequent one, or None where a value has no origin at all.
    """
    counts = Counter(origins.values())
    base = None if None in counts or not counts else counts.most_common(1)[0][0]
    paths = {tuple(path.split(".")) if path else (): origin for path, origin in origins.items()}
    return base, {".".join(path): origin for path, origin in _gather(paths, 0) if origin and origin != base}


def _gather(origins: Mapping[tuple[str, ...], Origin | None], depth: int) -> Iterable[tuple[tuple[str, ...], Any]]:
    """(path, origin) of the highest places below which all origins are the same; never of the root."""
    groups: dict[tuple[str, ...], dict[tuple[str, ...], Origin | None]] = {}
    for path, origin in origins.items():
        groups.setdefault(path[: depth + 1], {})[path] = origin
    for prefix, group in groups.items():
        if len(set(group.values())) == 1:
            yield prefix, next(iter(group.values()))
        else:
            yield from _gather(group, depth + 1)


# ---------------------------------------------------------------- TOML


def to_toml(pack: Pack) -> dict[str, bytes]:
    """A pack as files, one for each kind of card that it has: read by `load`, they give the same pack."""
    files = {}
    for kind, cards in all_cards(pack).items():
        if cards:
            text = "\n".join(_card_toml(pack, kind, slug, card) for slug, card in cards.items())
            files[f"{kind}.toml"] = text.encode()
    return files


def _card_toml(pack: Pack, kind: str, slug: str, card: BaseModel) -> str:
    """One card as a table of TOML."""
    root = root_of(kind, slug)
    values = written(card, root, pack.origins)
    base, exceptions = fold(origins_below(pack, root, values))
    lines = [f"[{kind}.{toml_key(slug)}]" if slug else f"[{kind}]"]
    lines += [f"{toml_key(key)} = {_value_toml(value)}" for key, value in values.items()]
    lines += [f"from = {_origin_toml(base)}"] if base else []
    for path, origin in exceptions.items():
        lines.append(f"but.{'.'.join(map(toml_key, path.split('.')))} = {_origin_toml(origin)}")
    for name in values:
        if f"{root}.{name}" in pack.departs:
            lines.append(f"departs.{toml_key(name)} = {toml_value(pack.departs[f'{root}.{name}'])}")
    return "\n".join(lines) + "\n"


def _value_toml(value: Any) -> str:
    """A value, a list of several tables or of many things on lines of its own."""
    text = toml_value(value)
    tables = isinstance(value, list) and len(value) > 1 and isinstance(value[0], dict)
    if not tables and (not isinstance(value, list) or len(text) <= LINE):
        return text
    return "[\n" + "".join(f"    {toml_value(item)},\n" for item in value) + "]"


def _origin_toml(origin: Origin) -> str:
    return f"{{ {origin.how} = {toml_value(origin.text)} }}"


# ---------------------------------------------------------------- folders


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Makes a folder of files, all or none of them. Raises Mistakes where it cannot, or where something is there."""
    refuse_full(folder)
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".new-", dir=folder) as room:
            for name, data in files.items():
                (Path(room) / name).write_bytes(data)
            for name in files:
                (Path(room) / name).rename(folder / name)
    except OSError as error:
        _take_back(made)
        raise Mistakes([Mistake(str(folder), f"cannot be written: {error.strerror or error}")]) from None


def refuse_full(folder: Path) -> None:
    """Raises Mistakes where a new folder cannot be made because something is there."""
    try:
        if folder.is_dir():
            wrong = "is not empty" if any(folder.iterdir()) else ""
        else:
            wrong = "is a file" if folder.exists() or folder.is_symlink() else ""
    except OSError as error:
        wrong = f"cannot be looked into: {error.strerror or error}"
    if wrong:
        raise Mistakes([Mistake(str(folder), wrong, "a new or an empty folder")])


def _take_back(made: Sequence[Path]) -> None:
    """Removes folders that were made and are empty, the deepest first."""
    for path in made:
        try:
            path.rmdir()
        except OSError:
            return
