"""Compiled rules are read only where nobody else can write, and only as they were written (FR3, FR4, FB9)."""

from __future__ import annotations

import os
import random
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from experiments import runner
from experiments.ledger import Trouble
from simcore import store
from simcore.kernels import CORE
from tests.conftest import Write, play_config

PLAY = """
from simcore.kernels import entry, kernel

@kernel
def bonus(x):
    return x * x + 1

@entry
def play(x):
    found = 0
    for i in range(x):
        found += bonus(i) * 10
    return found
"""
RIGHT = sum(10 * (i * i + 1) for i in range(9))


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the core with one entry, and its cache, which holds it compiled."""
    folder = tmp_path_factory.mktemp("toy")
    (folder / "simcore" / "toy").mkdir(parents=True)
    for path in CORE.glob("*.py"):
        shutil.copy(path, folder / "simcore")
    (folder / "simcore" / "toy" / "__init__.py").write_text("")
    (folder / "simcore" / "toy" / "play.py").write_text(PLAY)
    assert play(folder, [folder / "cache"]) == ([(RIGHT, 0)], "")
    return folder


def play(toy: Path, caches: list[Path]) -> tuple[list[tuple[int, int]], str]:
    """(result, cache hits) of the entry in a fresh process with each of some caches, and what it says."""
    code = (
        "import importlib, os, sys\n"
        "for cache in sys.argv[1:]:\n"
        "    os.environ['WASTELAB_CACHE'] = cache\n"
        "    sys.modules.pop('simcore.toy.play', None)\n"
        "    play = importlib.import_module('simcore.toy.play').play\n"
        "    print(play(9), sum(play.stats.cache_hits.values()))\n"
    )
    environment = os.environ | {"PYTHONPATH": str(toy)}
    environment.pop("NUMBA_DISABLE_JIT", None)
    line = [sys.executable, "-c", code, *map(str, caches)]
    done = subprocess.run(line, cwd=toy, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = [line.split() for line in done.stdout.splitlines()]
    return [(int(result), int(hits)) for result, hits in found], done.stderr


def spoiled(data: bytes, dice: random.Random, where: float) -> bytes:
    """A flipped bit or a cut at a part of the bytes."""
    at = int(where * (len(data) - 1))
    if dice.random() < 0.25:
        return data[:at]
    return data[:at] + bytes([data[at] ^ (1 << dice.randrange(8))]) + data[at + 1 :]


def test_what_is_kept_is_used(toy: Path) -> None:
    assert play(toy, [toy / "cache"]) == ([(RIGHT, 1)], "")


def test_a_spoiled_file_is_compiled_again_and_a_line_says_so(toy: Path, tmp_path: Path) -> None:
    """FR3: one flipped byte or a cut, in every region of the code and of its hash."""
    dice, caches = random.Random(3), []
    for number in range(40):
        cache = Path(shutil.copytree(toy / "cache", tmp_path / f"{number}"))
        (code,) = cache.rglob(f"*{store.CODE}")
        file = code if number % 5 else store.beside(code)
        file.write_bytes(spoiled(file.read_bytes(), dice, (number + 0.5) / 40))
        caches.append(cache)
    found, told = play(toy, caches)
    assert found == [(RIGHT, 0)] * len(caches)
    assert told.count("it doesn't match its hash") == len(caches) and told.count("is compiled again") == len(caches)
    assert play(toy, caches) == ([(RIGHT, 1)] * len(caches), "")


def test_a_file_without_its_hash_is_not_used(toy: Path, tmp_path: Path) -> None:
    """FR3: the hash comes last, so that a process that is killed leaves nothing that is trusted."""
    cache = Path(shutil.copytree(toy / "cache", tmp_path / "cache"))
    (code,) = cache.rglob(f"*{store.CODE}")
    store.beside(code).unlink()
    found, told = play(toy, [cache])
    assert found == [(RIGHT, 0)] and "it doesn't match its hash" in told
    written: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store.os, "replace", lambda draft, path: written.append(Path(path).name))
        store.put(tmp_path / "x", b"1")
    assert written == ["x", "x.sha256"]


def test_code_of_files_that_changed_since_they_were_loaded_is_not_kept(toy: Path, tmp_path: Path) -> None:
    """FR2, FR3: a process that outlived an update leaves nothing in the cache."""
    code = (
        "from simcore.toy.play import play; from pathlib import Path; import simcore\n"
        "file = Path(simcore.__file__).with_name('dice.py'); text = file.read_text()\n"
        "file.write_text(text + '# changed')\n"
        "try: play(9)\n"
        "finally: file.write_text(text)\n"
    )
    environment = os.environ | {"PYTHONPATH": str(toy), "WASTELAB_CACHE": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], cwd=toy, env=environment, check=True)
    assert not list(tmp_path.rglob(f"*{store.CODE}"))


@pytest.mark.parametrize(
    ("path", "mode", "why"),
    [
        ("mine/wastelab", 0o777, "others can write to"),
        ("mine", 0o777, "others can write to"),
        ("mine", 0o770, "others can write to"),
        ("mine", 0o1777, ""),
        ("mine/wastelab", 0o1777, "others can write to"),
        ("mine/wastelab", 0o755, ""),
    ],
)
def test_a_folder_that_others_can_write_to_is_not_used(tmp_path: Path, path: str, mode: int, why: str) -> None:
    """FR4: so may be the folder itself, and each one above it."""
    folder = tmp_path / "mine" / "wastelab"
    folder.mkdir(parents=True)
    (tmp_path / path).chmod(mode)
    found = store.open_to_others(folder)
    assert found == (f"{why} {tmp_path / path}" if why else "")


def test_a_folder_of_another_user_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FR4: be it the folder, one above it, a link on the way, or a file in it."""
    real = Path.lstat
    theirs = {tmp_path / "theirs", tmp_path / "link", tmp_path / "mine" / "x"}

    def lstat(self: Path) -> os.stat_result | SimpleNamespace:
        found = real(self)
        return SimpleNamespace(st_mode=found.st_mode, st_uid=os.getuid() + 1) if self in theirs else found

    for name in ("theirs", "mine"):
        (tmp_path / name / "wastelab").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "mine")
    (tmp_path / "ours").symlink_to(tmp_path / "theirs")
    store.put(tmp_path / "mine" / "x", b"1")
    monkeypatch.setattr(Path, "lstat", lstat)
    for name in ("theirs", "theirs/wastelab", "link/wastelab", "ours/wastelab", "mine/x"):
        assert "belongs to another user" in store.open_to_others(tmp_path / name), name
    assert store.open_to_others(tmp_path / "mine" / "wastelab") == ""
    with pytest.raises(store.Unsound, match="belongs to another user"):
        store.get(tmp_path / "mine" / "x")


@pytest.mark.parametrize("how", ["in the way", "others can write to", "nowhere"])
def test_an_unusable_cache_is_mentioned_once_and_a_private_one_is_made(toy: Path, tmp_path: Path, how: str) -> None:
    """FB9, FR4: compiled code goes to a fresh folder of this process, or nowhere; never to one that can be guessed."""
    home, temporary = tmp_path / "home", tmp_path / "temporary"
    temporary.mkdir()
    (temporary / "wastelab").mkdir()
    if how == "others can write to":
        home.mkdir()
        home.chmod(0o777)
    else:
        home.write_text("in the way")
    code = (
        "import os, tempfile; from pathlib import Path\n"
        "from simcore.kernels import cache_folder\n"
        "from simcore.toy.play import play; print(play(9)); folder = cache_folder('toy')\n"
        "print(folder); print(oct(folder.parents[1].stat().st_mode & 0o777) if folder else '')\n"
    )
    if how == "nowhere":
        code = "import tempfile\ndef mkdtemp(**k): raise OSError(28, 'No space left on device')\n" + (
            "tempfile.mkdtemp = mkdtemp\n" + code
        )
    environment = os.environ | {"PYTHONPATH": str(toy), "WASTELAB_CACHE": str(home), "TMPDIR": str(temporary)}
    line = [sys.executable, "-c", code]
    done = subprocess.run(line, cwd=toy, env=environment, capture_output=True, text=True, check=True)
    result, folder, mode = done.stdout.splitlines()
    assert int(result) == RIGHT and len(done.stderr.splitlines()) == 1
    assert not list((temporary / "wastelab").iterdir())
    if how == "nowhere":
        assert folder == "None" and "compiled again each time" in done.stderr
        return
    assert Path(folder).parents[2] == temporary and mode == "0o700" and not Path(folder).exists()
    assert str(home) in done.stderr and "WASTELAB_CACHE names another folder" in done.stderr
    assert not home.is_dir() or not list(home.rglob(f"*{store.CODE}"))


def test_compiled_rules_are_compared_with_their_source_once(
    config: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FR3: the first game of what was compiled is played uncompiled, too; where they differ nothing is played."""
    folder, asked = tmp_path / "cache", list[int]()
    folder.mkdir()
    monkeypatch.setattr(runner, "cache_folder", lambda package: folder)
    monkeypatch.setattr(runner, "agrees", lambda run, cell, index: not asked.append(index))
    play_config(config(games=40, seed=1), tmp_path / "a")
    play_config(config(games=40, seed=2), tmp_path / "b")
    assert asked == [0]
    store.put(folder / f"new{store.CODE}", b"compiled since")
    play_config(config(games=40, seed=3), tmp_path / "c")
    assert asked == [0, 0]
    store.put(folder / f"another{store.CODE}", b"compiled since")
    monkeypatch.setattr(runner, "agrees", lambda run, cell, index: False)
    with pytest.raises(Trouble, match="play another game than their source"):
        play_config(config(games=40, seed=4), tmp_path / "d")
    assert not folder.exists()


def test_the_folder_is_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FR4"""
    monkeypatch.setenv(store.VARIABLE, str(tmp_path))
    folder = store.folder_for("x")
    assert folder == tmp_path / "wastelab" / "x" and not stat.S_IMODE(folder.stat().st_mode) & store.OTHERS
