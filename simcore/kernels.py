"""How rules become kernels: record types, compiling with a cache that sees edits, and the same source uncompiled."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import numpy as np

from simcore import loaded, store
from simcore.linking import Kernel

CORE = Path(__file__).parent
SHARED_ROOMS = ("kernels", "linking", "streams", "dice", "piles", "bots", "journal", "game")
_RESERVED = frozenset(dir(np.record))
SETTINGS: Any = numba.config
"""The compiler's settings; its own types don't know their names."""

Field = tuple[Any, ...]


def record(*fields: Field) -> np.dtype[Any]:
    """An aligned record dtype whose elements have attribute access in plain Python, too.

    Each field is (name, dtype) or (name, dtype, shape). Raises ValueError for a name that NumPy's records
    have as a method (such as `round` or `min`): it would compile, and fail uncompiled.
    """
    for field in fields:
        if field[0] in _RESERVED:
            raise ValueError(f"a record field may not be called '{field[0]}': NumPy's records have that name")
    return np.dtype((np.record, np.dtype(list(fields), align=True)))


def blank(dtype: np.dtype[Any], shape: int | tuple[int, ...] = ()) -> Any:
    """Zeroed memory of a record dtype: one record for an empty shape, else an array of records."""
    memory = np.zeros(shape or 1, dtype=dtype)
    return memory if shape else memory[0]


def row_of(one: Any) -> Any:
    """A record as an array of one, for an entry: numba takes an array over in 1 us, and a large record in 11 us.

    It lies in the same memory, unless the record is its own owner, as one from a pickle is: that is copied."""
    return one.reshape(1)


def sources(package: str) -> list[Path]:
    """The files whose text decides what a game's kernels compute: the shared rooms and the game's own."""
    own = [path for path in loaded.below(CORE / package) if path.parent == CORE / package] if package else []
    return [CORE / f"{room}.py" for room in SHARED_ROOMS if CORE / f"{room}.py" in loaded.below(CORE)] + own


def fingerprint(paths: Iterable[Path]) -> str:
    """A short hash of the texts of source files as they were loaded, of numba's and NumPy's versions and of the bounds
    check flag.
    """
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {SETTINGS.BOUNDSCHECK}".encode())
    for path in paths:
        digest.update(path.name.encode() + b"\0" + loaded.text(path) + b"\0")
    return digest.hexdigest()[:16]


def cache_folder(package: str) -> Path | None:
    """Where the compiled kernels of a game are kept; None where there is no such place.

    The folder's name holds the fingerprint of the sources, as numba itself doesn't see edits in imported files.
    `WASTELAB_CACHE` names another base folder. See simcore.store.
    """
    return store.folder_for(f"{package or 'shared'}-{fingerprint(sources(package))}")


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that other kernels call, once for the types of its arguments; see simcore.linking."""
    return _compiled(function, False)


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a kernel whose body takes the place of each call: for what is short or called from one place.

    A call between kernels costs a status check and a return by memory, and hides from the compiler what it
    could reuse or leave out.
    """
    return _compiled(function, True)


def _compiled(function: Callable[..., Any], forced: bool) -> Any:
    return function if SETTINGS.DISABLE_JIT else Kernel(function, forced)


@inlined
def index(i):  # type: ignore[no-untyped-def]
    """An index that is known not to be negative: compiled code needn't ask whether it counts from the end."""
    return np.uint64(i)


@inlined
def has_room(s, many, capacity):  # type: ignore[no-untyped-def]
    """Say whether one more fits where there are `many`; else count the game as an overflow.

    This and `cut_to` are the only ways to leave out what a capacity cannot hold."""
    if many >= capacity:
        s.overflow = 1
    return many < capacity


@inlined
def cut_to(s, many, capacity):  # type: ignore[no-untyped-def]
    """Give a number, at most the capacity; beyond it count the game as an overflow."""
    if many > capacity:
        s.overflow = 1
    return min(many, capacity)


def entry(function: Callable[..., Any]) -> Any:
    """Compile a function that Python calls, release the interpreter lock in it, and keep its code on disk."""
    compiled: Any = numba.njit(nogil=True)(function)
    parts = function.__module__.split(".")
    folder = None if SETTINGS.DISABLE_JIT else cache_folder(parts[1] if len(parts) > 2 else "")
    if folder:
        compiled._cache = store.Store(function, folder)
    return compiled


Space = dict[str, Any]
_PLAIN: dict[str, Space] = {}


def plain(function: Any, instead: Mapping[str, Any] | None = None) -> Any:
    """The same source without compiling: every kernel it reaches is replaced by its Python body.

    `instead` puts other functions in the place of some, by name, wherever kernels call them: to count calls.
    """
    source = getattr(function, "py_func", function)
    spaces: dict[str, Space] = {} if instead else _PLAIN
    return _plain_space(source.__module__, spaces, instead or {})[source.__name__]


def _plain_space(module: str, spaces: dict[str, Space], instead: Mapping[str, Any]) -> Space:
    """A copy of a module's names in which all kernels are plain functions."""
    if module in spaces:
        return spaces[module]
    space = spaces[module] = dict(vars(sys.modules[module]))
    for name, value in list(space.items()):
        source = getattr(value, "py_func", value)
        compiled = hasattr(value, "py_func") or getattr(source, "__module__", "").startswith("simcore")
        if not isinstance(source, FunctionType) or not compiled:
            continue
        if source.__module__ == module:
            space[name] = FunctionType(source.__code__, space, name, source.__defaults__, source.__closure__)
        else:
            space[name] = _plain_space(source.__module__, spaces, instead)[source.__name__]
    space.update((name, other) for name, other in instead.items() if name in space)
    return space
