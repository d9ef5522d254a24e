"""Records, the uncompiled twin, and a cache that sees every edit."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from simcore import kernels
from simcore.kernels import CORE, blank, cache_folder, entry, fingerprint, kernel, plain, record, sources
from simcore.streams import STREAM, at, root, shuffle

RESERVED = sorted(name for name in dir(np.record) if not name.startswith("__"))

RULES = """
from simcore.kernels import kernel

@kernel
def bonus(x):
    return x + 1
"""
PLAY = """
from simcore.kernels import entry
from simcore.toy.rules import bonus

@entry
def play(x):
    return bonus(x) * 10
"""


@pytest.mark.parametrize("name", RESERVED)
def test_a_field_is_not_called_like_a_method_of_records(name: str) -> None:
    with pytest.raises(ValueError, match=f"'{name}'"):
        record(("health", np.int64), (name, np.int64))


def test_the_names_of_the_traps_are_among_the_reserved() -> None:
    assert {"round", "all", "item", "min", "copy", "size"} <= set(RESERVED)


def test_records_of_records_are_read_and_written_in_both_modes() -> None:
    crew = record(("health", np.int64), ("dice", np.int64, 3))
    table = blank(record(("hull", np.int64), ("crew", crew, 2)))

    def hurt(s, c):
        s.crew[c].health -= 2
        s.crew[c].dice[1] = s.hull
        return s.crew[c].health

    table.hull = 7
    assert hurt(table, 1) == -2 and numba.njit(hurt)(table, 1) == -4
    assert table.crew[1].health == -4 and table.crew[0].health == 0 and table.crew[1].dice.tolist() == [0, 7, 0]


def test_records_are_aligned() -> None:
    assert record(("small", np.int8), ("wide", np.int64)).itemsize == 16


def test_blank_memory_is_zero_and_has_its_shape() -> None:
    assert blank(STREAM).game == 0 and blank(STREAM).dtype == STREAM
    assert blank(STREAM, 3).shape == (3,) and blank(STREAM, (2, 2)).shape == (2, 2)


@kernel
def third(stream, cards):
    """A kernel of a test: outside simcore, so `plain` leaves what it calls compiled."""
    return at(stream, 1, 3)


def test_the_plain_twin_is_python_all_the_way_down_and_agrees() -> None:
    twin = plain(at)
    assert not hasattr(twin, "py_func") and not hasattr(twin.__globals__["word"], "py_func")
    stream, cards, again = blank(STREAM), np.arange(9), np.arange(9)
    stream.game = np.uint64(root(1, 2))
    assert twin(stream, 1, 3) == int(at(stream, 1, 3)) == int(third(stream, cards))
    shuffle(cards, 9, np.uint64(4))
    plain(shuffle)(again, 9, 4)
    assert cards.tolist() == again.tolist()


def test_plain_takes_plain_functions_and_follows_calls_between_kernels() -> None:
    from simcore import piles

    twin = plain(piles.draw_card)
    assert twin is plain(piles.draw_card.py_func)
    assert all(not hasattr(twin.__globals__[name], "py_func") for name in ("renew", "take_top", "shuffle_pile"))


def test_a_fingerprint_sees_every_edit(tmp_path: Path) -> None:
    first, second = tmp_path / "a.py", tmp_path / "b.py"
    first.write_text("x = 1\n")
    second.write_text("y = 1\n")
    before = fingerprint([first, second])
    assert fingerprint([first, second]) == before
    second.write_text("y = 2\n")
    edited = fingerprint([first, second])
    first.write_text("x = 1\ny = 2\n")
    second.write_text("")
    assert len({before, edited, fingerprint([first, second]), fingerprint([first])}) == 4


def test_a_fingerprint_hangs_on_the_bounds_check(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint([])
    monkeypatch.setattr(numba.config, "BOUNDSCHECK", 1)
    assert fingerprint([]) != before


def test_the_sources_of_a_game_are_the_shared_rooms_and_its_own() -> None:
    names = [path.relative_to(CORE).as_posix() for path in sources("knights")]
    assert {"streams.py", "dice.py", "piles.py", "bots.py", "journal.py", "kernels.py", "game.py"} <= set(names)
    assert {name.split("/")[0] for name in names if "/" in name} <= {"knights"}
    assert all("/" not in path.relative_to(CORE).as_posix() for path in sources(""))


def test_the_cache_folder_is_the_one_that_is_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WASTELAB_CACHE", str(tmp_path))
    folder = cache_folder("")
    assert folder.is_dir() and folder.parent == tmp_path / "wastelab"
    monkeypatch.setattr(kernels, "fingerprint", lambda paths: "edited")
    assert cache_folder("") != folder


def test_an_entry_leaves_the_cache_setting_as_it_was(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WASTELAB_CACHE", str(tmp_path))
    before = numba.config.CACHE_DIR

    def twice(x):
        return 2 * x

    doubled = entry(twice)
    assert before == numba.config.CACHE_DIR and doubled(4) == 8


def play_toy(folder: Path) -> list[int]:
    """(result, cache hits) of the toy game in a fresh process."""
    code = "from simcore.toy.play import play; r = play(1); print(r, sum(play.stats.cache_hits.values()))"
    environment = os.environ | {"PYTHONPATH": str(folder), "WASTELAB_CACHE": str(folder / "cache")}
    environment.pop("NUMBA_DISABLE_JIT", None)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return [int(part) for part in done.stdout.split()]


def test_an_edit_of_an_imported_file_is_seen_and_a_warm_start_compiles_nothing(tmp_path: Path) -> None:
    (tmp_path / "simcore").mkdir()
    for path in CORE.glob("*.py"):
        shutil.copy(path, tmp_path / "simcore")
    toy = tmp_path / "simcore" / "toy"
    toy.mkdir()
    (toy / "__init__.py").write_text("")
    (toy / "play.py").write_text(PLAY)
    (toy / "rules.py").write_text(RULES)
    assert play_toy(tmp_path) == [20, 0]
    assert play_toy(tmp_path) == [20, 1]
    (toy / "rules.py").write_text(RULES.replace("x + 1", "x + 2"))
    assert play_toy(tmp_path) == [30, 0]
