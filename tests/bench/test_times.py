"""How long some things take, with a factor to spare: only a gross regression fails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pytest

from experiments import report, stats
from experiments.sequences import interval
from experiments.strengths import fit, intervals
from tests.conftest import Write, play_config
from tests.reliability.commands import start, wait_for_chunks
from tests.reliability.test_interrupt import long, stop
from tests.reliability.test_scale import go_on_with_a_million
from tests.unit.test_strengths import thirteen

pytestmark = pytest.mark.alone


def seconds(task: Callable[[], Any]) -> float:
    """CPU seconds of this process."""
    started = process_time()
    task()
    return process_time() - started


def test_ten_thousand_intervals_take_seconds() -> None:
    counts = np.random.default_rng(2).multinomial(5_000, [0.5, 0.1, 0.4], size=10_000)
    assert seconds(lambda: interval(counts, np.array([0, 0.5, 1]))) < 15


def test_strengths_of_thirteen_roles_take_seconds() -> None:
    counts = thirteen()
    assert seconds(lambda: intervals(counts, fit(counts), draws=200)) < 10


def test_a_report_takes_seconds(config: Write, tmp_path: Path) -> None:
    run = play_config(config(), tmp_path)
    summary = stats.summary(run)
    assert seconds(lambda: report.page(run, summary)) < 20


def test_a_run_is_stopped_within_a_second(config: Write, tmp_path: Path) -> None:
    process = start("run", long(config, "threads"), "--out", tmp_path / "out", "--jobs", 2)
    wait_for_chunks(process, tmp_path / "out", 2)
    took, code, _, told = stop(process)
    assert code == 130 and took < 5, told


def test_a_million_tallies_take_a_minute(config: Write, unpainted: None) -> None:
    _, took = go_on_with_a_million(config)
    assert took < 180
