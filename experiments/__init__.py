"""From a config to a report: experiments on games that keep the contract of `simcore.game`."""

import sys
from pathlib import Path

from simcore import loaded

loaded.remember(Path(__file__).parent)


def main() -> None:
    """The command `wastelab`. It hears Ctrl-C from its first moment, while the command line is still loading."""
    try:
        from experiments.cli import main as command_line

        command_line()
    except KeyboardInterrupt:
        sys.stderr.write("stopped; nothing was done\n")
        sys.exit(130)
