"""What a report says of how it was made, and the one command that plays the run again."""

from __future__ import annotations

import base64
import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from experiments import plots
from experiments.config import load_setup, shipped_configs
from experiments.intervals import FEW
from experiments.ledger import Run
from experiments.pages import term
from experiments.parts import toml_value
from experiments.plan import make_plan
from experiments.seen import Seen
from simcore.packs import Mistakes

FIXED = (
    "At 95%: for rates, shares and all that is 0 or 1, Wilson's score interval, which is right near 0 and 1, too; for "
    f"other means Student's t, which under {FEW} games is too narrow where single games count much. A mean or a "
    "difference has none where all games gave the same."
)
STOPPED = (
    "At 95%, and right however often one looked: for rates and shares a betting sequence, for means an asymptotic one. "
    "The shares of roles over the field hold all together."
)
"""What intervals there are: over a fixed number of games, and in a run that stopped itself."""


def facts(seen: Seen) -> Iterator[dict[str, str]]:
    """What the numbers rest on, a term each."""
    run, config = seen.run, seen.run.config
    yield term("run", run.name)
    yield term("game", f"{run.game.title} ({run.game.name})")
    yield term("pack", f"{run.pack.title} ({run.pack.name}), digest {run.pack.digest[:12]}")
    for line in run.pack.against_the_book():
        what, _, where = line.partition(": ")
        yield term(what, where)
    yield term("bots", seen.bots())
    yield term("seed", str(config.seed))
    yield term("games", f"{run.games:,} in {len(run.plan.cells):,} cells")
    yield term("chunks", f"up to {config.games.chunk:,} games each (their size changes no number)")
    yield term("seatings", f"{run.plan.seatings} for a lineup (rotate: {config.run.rotate})")
    for setting in run.game.settings:
        yield term(setting.name, f"{config.table.get(setting.name, setting.default)}: {setting.about}")
    yield from (term("note", note) for note in run.plan.notes)
    for name in ("capped_rate", "overflow_rate"):
        worst = seen.summary[seen.summary.measure == name].value.max()
        yield term(name, f"{seen.meaning(name)} In the worst cell: {plots.percent(worst)}%.")
    yield term("intervals", STOPPED if run.stops else FIXED)
    if run.seconds > 0:
        yield term("time", f"{run.seconds:,.1f} s, {run.games / run.seconds:,.0f} games a second")
    yield term("versions", ", ".join(f"{name} {version}" for name, version in versions(run).items()))
    yield term("code", str(run.manifest["code"]))


def config_text(run: Run) -> str:
    """The config as TOML, its keys in the game's order, however the run was opened."""
    config = run.config.filled(run.game, run.tables)
    return config.model_copy(update={"changes": dict(sorted(config.changes.items()))}).to_toml()


def versions(run: Run) -> dict[str, str]:
    """The versions that played the run, by name."""
    return dict(sorted(run.manifest["versions"].items(), reverse=True))


def again(run: Run) -> dict[str, str]:
    """The one command that plays the run again, and what it needs beside it."""
    name, config = str(run.manifest["name"]), config_text(run)
    same = "The same versions and the same seed give the same numbers on any machine, with any number of workers."
    address = f"data:text/plain;charset=utf-8;base64,{base64.b64encode(config.encode()).decode()}"
    file = {"file": f"{name}.toml", "address": address}
    shipped = _of_shipped(run, name)
    if shipped is not None:
        return {"about": f"It comes with Wastelab, so that this line is all. {same}", "command": shipped, **file}
    about = f"It needs the config below, saved as {name}.toml beside any packs that it names. {same}"
    return {"about": about, "command": f"wastelab run {shlex.quote(f'{name}.toml')}", **file}


def _of_shipped(run: Run, name: str) -> str | None:
    """The command that plays a run from the config that ships under its name, or None if there is no such command.

    Changes of that config become options; what the command would play must be the run itself.
    """
    if name not in shipped_configs():
        return None
    try:
        base = load_setup(name).config
        sets = [f"{key}={toml_value(value)}" for key, value in _changed(base.model_dump(mode="json"), _dumped(run))]
        if make_plan(load_setup(name, sets)).id != run.plan.id:
            return None
    except Mistakes:
        return None
    games, changes = "games.per_cell=", [text for text in sets if not text.startswith("games.per_cell=")]
    many = [f"--games {text.removeprefix(games)}" for text in sets if text.startswith(games)]
    return " ".join(["wastelab run", shlex.quote(name), *many, *(f"--set {shlex.quote(text)}" for text in changes)])


_NONE = object()


def _dumped(run: Run) -> dict[str, Any]:
    """The run's config as plain values."""
    return run.config.filled(run.game, run.tables).model_dump(mode="json")


def _changed(base: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """(path, value) of what another config has in place of what the base has; changes of the pack have their own
    paths.
    """
    for key, value in other.items():
        if isinstance(value, dict):
            below = {} if key == "changes" else base.get(key, {})
            inside: Iterable[tuple[str, Any]] = value.items()
            yield from ((k if key == "changes" else f"{key}.{k}", v) for k, v in inside if below.get(k, _NONE) != v)
        elif base.get(key) != value:
            yield key, value
