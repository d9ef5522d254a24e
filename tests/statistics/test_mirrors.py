"""A role against itself comes out even: each member of such a lineup has a share of 1/players.

This holds whatever a seat is worth, as every member sits at every seat equally often; so it tells of seatings, of dice
that two seats share, of shares that don't add up, and of rules that ask who is who. Judged by betting sequences, which
are right for any law of shares, over all knights at once.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments.config import settings_of
from experiments.pairs import members_seats
from experiments.parts import toml_value
from experiments.sequences import SHARES, interval
from simcore import packs
from simcore.game import Tables, find_game, play_tally, seatings
from simcore.knights.cards import SCHEMA
from simcore.streams import root
from tests.reference import reference
from tests.statistics.judge import ALPHA

GAMES = 40_000
DUEL = find_game("knights.duel")
KNIGHTS = tuple(reference("knights.duel").cards["knight"])


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    """The reference pack in which every knight has a twin with a die more in fights, by the slug twin_<knight>."""
    layer = tmp_path_factory.mktemp("twins") / "twins.toml"
    layer.write_text("\n".join(_twin(slug, card) for slug, card in _cards().items()), encoding="utf-8")
    return DUEL.load(packs.load(SCHEMA, ["reference", layer]), settings_of(DUEL, {}))


@cache
def _cards() -> dict[str, Any]:
    """The knights' cards as they are written."""
    text = (Path(str(SCHEMA.folder)) / "reference" / "knights.toml").read_text("utf-8")
    found: dict[str, Any] = tomllib.loads(text)["knight"]
    return found


def _twin(slug: str, card: dict[str, Any]) -> str:
    """The card of a knight's twin, as TOML."""
    skills = {name: dice + (name in ("blades", "guns")) for name, dice in card["skills"].items()}
    twin = card | {"title": f"{card['title']}'s twin", "skills": skills, "from": {"assumed": "a planted fault"}}
    lines = [f"{key} = {toml_value(value)}" for key, value in twin.items() if key != "but"]
    return "\n".join([f"[knight.twin_{slug}]", *lines, ""])


def mirror(tables: Tables, slug: str, bot: str = "regular", rotate: str = "all") -> Any:
    """The seatings of a knight against himself."""
    return seatings(DUEL, tables, [slug, slug], {"knight": bot}, rotate)


def twin_of(tables: Tables, slug: str) -> int:
    """The place of a knight's twin among the roles."""
    return [role.slug for role in tables.roles["knights"]].index(f"twin_{slug}")


def even(tables: Tables, seats: Any, seed: int = 1) -> bool:
    """Whether both members of a lineup may have a half, at ALPHA over all knights together."""
    tally = play_tally(DUEL, tables, seats, root(seed, 7), 0, GAMES)
    shares = np.take_along_axis(tally.shares, members_seats(seats)[..., None], axis=1).sum(axis=0)
    low, high = interval(shares, SHARES, ALPHA / (2 * len(KNIGHTS)))
    return bool((low <= 0.5).all() and (high >= 0.5).all())


@pytest.mark.parametrize("bot", ["regular", "random"])
def test_every_knight_against_himself_comes_out_even(tables: Tables, bot: str) -> None:
    odd = [slug for slug in KNIGHTS if not even(tables, mirror(tables, slug, bot))]
    assert not odd


def test_a_seat_with_an_extra_die_is_found_where_nobody_changes_seats(tables: Tables) -> None:
    for slug in KNIGHTS:
        seats = mirror(tables, slug, rotate="none")
        seats["role"][:, 0] = twin_of(tables, slug)
        assert not even(tables, seats), slug


def test_a_seat_with_an_extra_die_is_made_up_for_by_changing_seats(tables: Tables) -> None:
    for slug in KNIGHTS:
        seats = mirror(tables, slug)
        seats["role"][:, 0] = twin_of(tables, slug)
        assert even(tables, seats), slug


def test_a_member_with_an_extra_die_is_found_wherever_he_sits(tables: Tables) -> None:
    for slug in KNIGHTS:
        seats = mirror(tables, slug)
        seats["role"][seats["member"] == 0] = twin_of(tables, slug)
        assert not even(tables, seats), slug
