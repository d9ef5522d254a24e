"""The texts of our source files as they were when this process loaded them.

A process may outlive an update of its files. What it plays by is what it loaded, so fingerprints are taken of that.
"""

from __future__ import annotations

from pathlib import Path

_TEXTS: dict[Path, bytes] = {}


def remember(package: Path) -> None:
    """Read all source files of a package's folder. A package does so first of all when it is imported."""
    _TEXTS.update((path, path.read_bytes()) for path in sorted(package.rglob("*.py")))


def text(path: Path) -> bytes:
    """Give the text of a source file as it was loaded; as it is now for a file of no package of ours."""
    found = _TEXTS.get(path)
    return path.read_bytes() if found is None else found


def below(folder: Path) -> list[Path]:
    """List the source files in a folder and below it, as they were when its package was imported."""
    return sorted(path for path in _TEXTS if folder in path.parents)


def changed() -> list[Path]:
    """List the source files that are other than when they were loaded, or gone. What is imported later may be new."""
    return [path for path, then in _TEXTS.items() if not path.is_file() or path.read_bytes() != then]
