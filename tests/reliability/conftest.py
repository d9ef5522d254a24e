"""A finished run that tests of stored runs copy."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import play_config


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run that no test changes; its config lies beside `results`."""
    folder = tmp_path_factory.mktemp("original")
    path = folder / "toy.toml"
    path.write_text('title = "Who?"\nseed = 1\ngame = "toy.fight"\n[games]\nper_cell = 60\nchunk = 30\n')
    run = play_config(path, folder / "results")
    run.close()
    return run.folder
