"""stdout and stderr that never stop a command: a reader that has left, a full disk and characters that their encoding
lacks are no matter while it works, and what they mean for its exit code is decided once, at its end.
"""

from __future__ import annotations

import io
import os
import select
import sys
from contextlib import suppress
from typing import Any

LEFT = (BrokenPipeError, ConnectionResetError)
"""What a write to a pipe raises that nobody reads any more: as `| head -1` leaves it."""


class Lasting(io.RawIOBase):
    """A raw stream that takes all that is written, though the one below may not: `error` is why not."""

    def __init__(self, stream: io.TextIOWrapper) -> None:
        """stream: what writes to the raw stream below; it is kept, as that is closed with it."""
        self.stream = stream
        self.below: Any = getattr(stream.buffer, "raw", stream.buffer)
        self.error: OSError | ValueError | None = None

    def write(self, data: Any) -> int:
        """Write bytes as far as anybody takes them; how many were given."""
        left = memoryview(data).cast("B")
        size = len(left)
        while len(left) and self.error is None:
            try:
                taken = self.below.write(left)
                if taken is None:  # a pipe that doesn't wait by itself, and is full
                    select.select((), (self.below,), ())
                left = left[taken or 0 :]
            except (OSError, ValueError) as error:
                self.error = error
        return size

    def writable(self) -> bool:
        """Say that this can be written to."""
        return True

    def fileno(self) -> int:
        """Give the number of the file below."""
        return int(self.below.fileno())

    def isatty(self) -> bool:
        """Say whether a terminal is below."""
        return bool(self.below.isatty())

    @property
    def name(self) -> Any:
        """What the stream below is called, as in "<stdout>"."""
        return self.below.name

    def lost(self) -> OSError | None:
        """Why some of it was not written; None where all was, or where its reader has left."""
        return self.error if isinstance(self.error, OSError) and not isinstance(self.error, LEFT) else None


def forgive_output() -> None:
    """From now on let nothing that is printed end a command."""
    for number, name in ((1, "stdout"), (2, "stderr")):
        stream = getattr(sys, name) or _nowhere(number)
        if isinstance(stream, io.TextIOWrapper):
            setattr(sys, name, _lasting(stream))


def _nowhere(number: int) -> io.TextIOWrapper:
    """Give a stream in place of one that was closed from the start, by its number: no file that is opened later may
    get that, as what a library prints would be written into it.
    """
    opened = os.open(os.devnull, os.O_WRONLY)
    if opened != number:
        os.dup2(opened, number)
        os.close(opened)
    return open(number, "w", encoding="utf-8", closefd=False)


def _lasting(stream: io.TextIOWrapper) -> io.TextIOWrapper:
    """Give a stream that writes where this one does, and raises nothing."""
    with suppress(OSError):
        stream.flush()
    at_once = stream.line_buffering or stream.write_through
    whole = io.BufferedWriter(Lasting(stream))
    return io.TextIOWrapper(whole, stream.encoding, "backslashreplace", line_buffering=at_once)


def end_output() -> str:
    """Write what still waits to be written; gives why some of stdout could not be, in words, or ""."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    lost = raw.lost() if isinstance(raw, Lasting) else None
    return f"cannot write to stdout: {lost.strerror or lost}" if lost else ""
