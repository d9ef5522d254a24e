"""Whether what a config asks for beside the cores of this machine is there: extras, and a cluster that answers."""

from __future__ import annotations

from importlib.util import find_spec

from experiments.config import Config
from simcore.game import GAMES
from simcore.packs import Mistake, Mistakes


def must_have_extras(config: Config, rows_alone: bool = False) -> None:
    """Mistakes, all at once, where a config asks for what isn't installed; `rows_alone`: to read its games, and not to
    play.
    """
    runner, wrong = config.runner, list[Mistake]()
    if runner.backend == "dask" and not rows_alone and not find_spec("distributed"):
        wrong.append(Mistake("runner.backend", "is dask, which isn't installed", _install("dask")))
    if runner.keep_games and not find_spec("pyarrow"):
        wrong.append(Mistake("runner.keep_games", "is true, but pyarrow isn't installed", _install("parquet")))
    if wrong:
        raise Mistakes(wrong)


def _install(extra: str) -> str:
    return f"after `pip install 'wastelab[{extra}]'`"


def must_be_ready(config: Config) -> None:
    """Mistakes, where a config asks for what isn't installed, or for a cluster that doesn't answer."""
    must_have_extras(config)
    if config.runner.address and config.runner.backend == "dask":
        from experiments.cluster import reached

        with reached(config.runner.address, GAMES[config.game], config.game, lambda line: None):
            pass
