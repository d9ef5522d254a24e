"""From a config to a report: experiments on games that keep the contract of `simcore.game`."""

import os
import sys
from contextlib import suppress
from pathlib import Path

ROOT = str(Path(__file__).absolute().parents[1])
"""The folder that our packages lie in."""


def leave_folder_out() -> None:
    """From now on import nothing from the working folder, here and in processes that are started: a `numpy.py` of the
    user's own is none of ours. It stays where Wastelab itself lies there.
    """
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        here = Path.cwd().resolve()
    except OSError:  # the folder was deleted
        return
    if here == Path(ROOT).resolve():
        return
    sys.path[:] = [path for path in sys.path if path and Path(path).resolve() != here]
    named = os.environ.pop("PYTHONPATH", "").split(os.pathsep)
    if kept := [path for path in named if path and Path(path).resolve() != here]:
        os.environ["PYTHONPATH"] = os.pathsep.join(kept)


if sys.argv[:1] == ["-m"] and any(word.startswith("experiments.") for word in sys.orig_argv):
    leave_folder_out()  # Python has put it first

sys.path.insert(0, ROOT)  # so that another simcore, as a file of the working folder, is not taken for ours
try:
    from simcore import loaded
finally:
    sys.path.remove(ROOT)

loaded.remember(Path(__file__).parent)


def main() -> None:
    """The command `wastelab`. It hears Ctrl-C from its first moment, while the command line is still loading."""
    from experiments.shortage import shortage

    try:
        leave_folder_out()
        from experiments.cli import main as command_line

        command_line()
    except KeyboardInterrupt:
        _end("stopped; nothing was done", 130)
    except Exception as error:
        if not (short := shortage(error)):
            raise
        _end(f"error: {short}", 1)


def _end(line: str, code: int) -> None:
    """End with a line on stderr, where there is one, and an exit code."""
    with suppress(OSError, AttributeError):
        sys.stderr.write(line + "\n")
    sys.exit(code)
