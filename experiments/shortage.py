"""Errors that mean one thing: this machine has not enough memory for what was asked. There are many of them."""

from __future__ import annotations

import errno
from collections.abc import Iterator

FEWER = "try fewer --jobs, or close other programs"
ADVICE = f"{FEWER}; what was saved is kept"

KILLED = {"BrokenProcessPool", "KilledWorker"}
"""What joblib, Python and Dask raise where a worker process was killed, by their classes' names: they load slowly."""

SPEAKING = (RuntimeError, ImportError, OSError, SystemError)
"""Kinds of errors whose text may say it, where they don't come from our own code."""

FROM = ("numba", "llvmlite", "sqlite3", "pyarrow", "distributed")
"""Libraries all of whose errors may say it."""

OURS = ("experiments", "simcore")
TEXTS = (
    "out of memory",
    "not enough memory",
    "cannot allocate memory",
    "can't allocate",
    "unable to allocate",
    "can't start new thread",
    "failed to map segment",
    "bad_alloc",
)


def shortage(error: BaseException) -> str:
    """Say in a line that memory is short, and what to do, if an error or one that led to it means that; else ""."""
    for one in _chain(error):
        if {kind.__name__ for kind in type(one).__mro__} & KILLED:
            return f"a worker process was killed, as happens where there is not enough memory; {ADVICE}"
        # EAGAIN: no further process can start; but as a cause of another error it says that a file is locked
        numbers = (errno.ENOMEM, errno.EAGAIN) if one is error else (errno.ENOMEM,)
        short = isinstance(one, OSError) and one.errno in numbers
        if short or isinstance(one, MemoryError) or _says_so(one):
            why = " ".join(str(one).split())[:200]
            return f"not enough memory{f' ({why})' if why else ''}; {ADVICE}"
    return ""


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Give an error and those that led to it, the last one first."""
    seen = set[int]()
    found: BaseException | None = error
    while found is not None and id(found) not in seen:
        seen.add(id(found))
        yield found
        found = found.__cause__ or found.__context__


def _says_so(error: BaseException) -> bool:
    """Say whether an error's text means that memory is short."""
    home = type(error).__module__.partition(".")[0]
    if home in OURS or not (isinstance(error, SPEAKING) or home in FROM):
        return False
    text = str(error).lower()
    return any(part in text for part in TEXTS) and "static tls" not in text
