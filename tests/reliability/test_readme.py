"""The README keeps its word: its walk works as it is printed, and it names every command and every shipped config."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from experiments import cli
from experiments.config import shipped_configs
from tests.reliability.commands import ROOT

README = (ROOT / "README.md").read_text("utf-8")
FEW = """ --set 'lineup.enemies=["hell_raiders", "furball"]' --set 'lineup.knights=["mel_gearson", "naomi_vatt"]'"""
"""Fewer lineups than the walk has, for the sake of time."""


def blocks(mark: str) -> list[str]:
    """The code blocks after a mark, as in <!-- walk -->."""
    return re.findall(rf"<!-- {mark} -->\n```sh\n(.*?)```", README, re.S)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
def test_the_walk(tmp_path: Path) -> None:
    walk = "".join(blocks("walk"))
    played = re.sub(r"^wastelab run .*", rf"\g<0>{FEW}", walk, flags=re.M)
    assert played.count(FEW) == 4 and walk.count("wastelab ") == 13
    paths = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    command, env = ["bash", "-euo", "pipefail", "-c", played], {**os.environ, "PATH": paths, "COLUMNS": "100"}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "health: 6 -> 7" in done.stdout and "nobody wins" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("VERIFIED")
    assert len(list((tmp_path / "results").glob("*/report.html"))) == 4
    assert list((tmp_path / "results").glob("my_question-*/replay-*.html"))


def test_the_walk_begins_with_an_installation() -> None:
    (install,) = blocks("walk: install")
    assert "pip install" in install


def commands(group: typer.core.TyperGroup, above: str = "") -> Iterator[str]:
    """The names of all commands, those of groups as in "pack check"."""
    for name, command in group.commands.items():
        if isinstance(command, typer.core.TyperGroup):
            yield from commands(command, f"{above}{name} ")
        else:
            yield f"{above}{name}"


def test_every_command_is_in_the_table() -> None:
    table = "\n".join(line for line in README.splitlines() if line.startswith("| `"))
    found = list(commands(typer.main.get_command(cli.app)))
    assert len(found) > 12
    assert [name for name in found if not re.search(rf"`{name}[` ]", table)] == []


def test_every_shipped_config_is_in_the_table() -> None:
    assert [name for name in shipped_configs() if f"| `{name}.toml` |" not in README] == []
