"""What is installed: every pack, template and config goes along, so that nothing needs the repository."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path

from experiments.config import shipped_configs
from simcore.game import find_game, game_names
from simcore.packs import NO_REASON, load

ROOT = Path(__file__).parents[2]
SETUP = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]


def packages() -> list[Path]:
    """The folders that are packages: those with an `__init__.py`, below the names that pyproject.toml includes."""
    tops = [name.rstrip("*") for name in SETUP["packages"]["find"]["include"]]
    return [init.parent for top in tops for init in sorted((ROOT / top).rglob("__init__.py"))]


def installed() -> set[Path]:
    """The files that a wheel holds: the modules of packages, and what the patterns of package data find in them."""
    patterns = ["*.py", *SETUP["package-data"]["*"]]
    return {file for folder in packages() for pattern in patterns for file in folder.glob(pattern) if file.is_file()}


def test_every_file_of_the_packages_is_installed() -> None:
    there = {
        file
        for top in ("simcore", "experiments")
        for file in (ROOT / top).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts and not file.name.endswith((".pyc", ".part"))
    }
    assert len(there) > 40
    assert {str(file.relative_to(ROOT)) for file in there - installed()} == set()


def test_what_is_read_lies_in_packages() -> None:
    kept = {file.resolve() for file in installed()}
    assert {path.resolve() for path in shipped_configs().values()} <= kept and shipped_configs()
    for game in (find_game(name) for name in game_names() if not name.startswith("toy.")):
        packs = {path.resolve() for path in game.schema.folder.rglob("*.toml")}
        assert packs and packs <= kept
    assert {Path(str(file)).resolve() for file in (files("experiments") / "templates").iterdir()} <= kept


def test_the_readme_names_each_departure_of_the_reference_packs() -> None:
    """FG1: no reader takes a pack's reading for the book's own; each departure gives its reason."""
    text = (ROOT / "README.md").read_text("utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    for schema in {find_game(name).schema.game: find_game(name).schema for name in game_names()}.values():
        for departure in load(schema).departures():
            assert departure.why != NO_REASON, departure.where
            assert any(f"`{departure.where}`" in row and departure.rule in row for row in rows), departure.where
