"""Where compiled rules are kept: in a folder that nobody else can write to, each file with its hash beside it.

A file of machine code runs as it is read. So each is checked against its hash, which is written after it, and what does
not match is compiled again. A hash finds damage, not malice: against that, a folder that others own or can write to is
never used.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import pickle
import shutil
import stat
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from numba.core import config
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.errors import NumbaWarning
from numba.core.serialize import dumps

from simcore import loaded

VARIABLE = "WASTELAB_CACHE"
CODE, HASH = ".code", ".sha256"
OTHERS = stat.S_IWGRP | stat.S_IWOTH

# numba also reads its settings, at any time, from a file of the working folder, which may be anybody's: only its
# defaults and the environment count
config._config_fname = ""
config.reload_config()


@cache
def remark(line: str) -> None:
    """Write a line to stderr, once in a process; one that nobody can read is no matter."""
    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(line + "\n")


# ---------------------------------------------------------------- whose folder it is


def open_to_others(path: Path) -> str:
    """Say why others could change what is at a path; "" where nobody but this user and root can.

    All folders above it are looked at, as they are written and as symbolic links lead. In a folder with the sticky bit,
    as that of temporary files, others can't touch what is not theirs.
    """
    if not hasattr(os, "getuid"):  # no such owners on this system
        return ""
    whole = Path(os.path.abspath(path))
    for each in dict.fromkeys(step for way in (whole, whole.resolve()) for step in (way, *way.parents)):
        found = each.lstat()
        if found.st_uid not in (0, os.getuid()):
            return f"{each} belongs to another user"
        shared = found.st_mode & OTHERS and not stat.S_ISLNK(found.st_mode)
        if shared and not (found.st_mode & stat.S_ISVTX and each not in (whole, whole.resolve())):
            return f"others can write to {each}"
    return ""


def usual_home() -> Path:
    """Give the folder that a user keeps caches in; WASTELAB_CACHE names another."""
    named = os.environ.get(VARIABLE) or os.environ.get("XDG_CACHE_HOME")
    return Path(named) if named else Path.home() / ".cache"


def folder_for(name: str) -> Path | None:
    """Make the folder of that name for compiled code, and give it; None where there can be none.

    Where the user's own can't be used, it is one made for this process alone, which its children share. A line says so.
    """
    home = usual_home()
    why = _unusable(home / "wastelab" / name)
    if not why:
        return home / "wastelab" / name
    try:
        fresh = Path(tempfile.mkdtemp(prefix="wastelab-"))
    except OSError:
        remark(f"no folder can keep the compiled rules ({why}): they are compiled again each time")
        return None
    remark(
        f"the compiled rules can't be kept in {home} ({why}): they go to {fresh} until this program ends; "
        f"{VARIABLE} names another folder"
    )
    os.environ[VARIABLE] = str(fresh)
    atexit.register(_remove, fresh, os.getpid())
    return None if _unusable(fresh / "wastelab" / name) else fresh / "wastelab" / name


def _unusable(folder: Path) -> str:
    """Say why a folder can't be used; "" where it can. It is made if need be."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        return open_to_others(folder)
    except OSError as error:
        return f"{error.strerror or error}"


def _remove(folder: Path, process: int) -> None:
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


# ---------------------------------------------------------------- files with hashes


class Unsound(Exception):
    """A file that isn't what was written."""


def put(path: Path, data: bytes) -> None:
    """Write a file and, last, its hash beside it, each in one step. Raises OSError."""
    with _one_at_a_time(path.parent):
        for file, content in ((path, data), (beside(path), hashlib.sha256(data).hexdigest().encode())):
            handle, draft = tempfile.mkstemp(dir=path.parent)
            try:
                with os.fdopen(handle, "wb") as out:
                    out.write(content)
                os.replace(draft, file)
            except BaseException:
                os.unlink(draft)
                raise


def get(path: Path) -> bytes | None:
    """Read a file that was put; None where there is none. Raises Unsound for other bytes, and where others can write
    to it.
    """
    with _one_at_a_time(path.parent):
        if not path.is_file():
            return None
        if why := open_to_others(path):
            raise Unsound(why)
        data = path.read_bytes()
        if not beside(path).is_file() or beside(path).read_bytes() != hashlib.sha256(data).hexdigest().encode():
            raise Unsound("it doesn't match its hash")
        return data


def beside(path: Path) -> Path:
    """Give the file that has the hash of another."""
    return path.with_name(path.name + HASH)


def hashes(folder: Path) -> str:
    """Give one hash of all compiled code in a folder."""
    found = [file.name.encode() + file.read_bytes() for file in sorted(folder.glob(f"*{CODE}{HASH}"))]
    return hashlib.sha256(b"\n".join(found)).hexdigest()


@contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    """Keep other processes waiting, so that a file and its hash are of one of them."""
    try:
        import fcntl
    except ImportError:  # no such locks on this system
        yield
        return
    with (folder / "lock").open("w") as handle:
        with suppress(OSError):  # a file system without them
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


# ---------------------------------------------------------------- the versions of a function


class Store(NullCache):  # type: ignore[misc]
    """The compiled versions of one function, as numba asks for them: one file for each types of its arguments."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        """folder: where they are kept, which nobody else can write to."""
        self.function, self.folder = function, folder
        cells = tuple(cell.cell_contents for cell in function.__closure__ or ())
        source = loaded.text(Path(function.__code__.co_filename))
        self.version = hashlib.sha256(source + function.__code__.co_code + (dumps(cells) if cells else b"")).digest()

    @property
    def cache_path(self) -> str:
        """Give the folder."""
        return str(self.folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Give a version that is kept, ready to be called; None where it is to be compiled."""
        target_context.refresh()
        path = self._file(sig, target_context.codegen())
        try:
            data = get(path)
            if data is None:
                return None
            kept, parts = pickle.loads(data)
            if kept != self.version:
                return None
            return CompileResult._rebuild(target_context, *parts)
        except Exception as error:
            why = str(error) if isinstance(error, Unsound) else "it can't be read"
            remark(f"compiled code in {self.folder} is not used ({why}): {path.name} is compiled again")
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a version. What comes of files that were changed since they were loaded is not kept."""
        if data.library.has_dynamic_globals or any(not each.can_cache for each in data.lifted):
            warnings.warn(NumbaWarning(f"{self.function.__qualname__} cannot be kept"), stacklevel=2)
            return
        if loaded.changed():
            return
        path = self._file(sig, data.codegen)
        try:
            put(path, dumps((self.version, data._reduce())))
        except OSError as error:
            remark(f"compiled code can't be kept in {self.folder}: {error.strerror or error}")

    def _file(self, sig: Any, codegen: Any) -> Path:
        key = repr((sig, codegen.magic_tuple(), sys.implementation.cache_tag, self.function.__module__))
        digest = hashlib.sha256(key.encode() + self.version).hexdigest()[:20]
        return self.folder / f"{self.function.__name__}-{digest}{CODE}"
