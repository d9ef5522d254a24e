"""The texts of our source files as they were when this process loaded them.

A process may outlive an update of its files. What it plays by is what it loaded, so fingerprints are taken of that.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

Stamp = tuple[int, int, int] | None

_TEXTS: dict[Path, bytes] = {}
_STAMPS: dict[Path, Stamp] = {}
_CHANGED: set[Path] = set()


def remember(package: Path) -> None:
    """Read all source files of a package's folder. A package does so first of all when it is imported."""
    paths = sorted(package.rglob("*.py"))
    _STAMPS.update((path, _stamp(path)) for path in paths)
    _TEXTS.update((path, path.read_bytes()) for path in paths)


def text(path: Path) -> bytes:
    """Give the text of a source file as it was loaded; as it is now for a file of no package of ours."""
    found = _TEXTS.get(path)
    return path.read_bytes() if found is None else found


def below(folder: Path) -> list[Path]:
    """List the source files in a folder and below it, as they were when its package was imported."""
    return sorted(path for path in _TEXTS if folder in path.parents)


def digest(folder: Path) -> str:
    """Give a hash of all source files in a folder and below it, by name and text, as they were loaded."""
    found = hashlib.sha256()
    for path in below(folder):
        found.update(f"{path.relative_to(folder).as_posix()} {len(_TEXTS[path])}\n".encode() + _TEXTS[path])
    return found.hexdigest()[:16]


def changed() -> list[Path]:
    """List the source files that are other than when they were loaded, or gone, or were so when this was asked before.

    What was imported since then may be of either kind, even if the files are as before by now.
    """
    for path, then in _STAMPS.items():
        if _stamp(path) != then and _now(path) != _TEXTS[path]:
            _CHANGED.add(path)
    return sorted(_CHANGED)


def _stamp(path: Path) -> Stamp:
    """Give what changes with a file that is written or replaced; None where it is gone."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _now(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
