"""Roles of which a player picks one of several versions (FM2): what names mean, and who may meet whom."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from experiments.cli import app
from experiments.config import load_setup
from experiments.forms import config_schema
from experiments.lineups import Bench, Meetings, choices, deal
from simcore.game import ALL, EVERY, Role, find_game, role_names, role_place, roles_named, usual_roles
from simcore.packs import Mistakes
from tests.reference import reference

ROLES = (
    Role("ann/slow", "Ann (Slow)", "ann", usual=False),
    Role("ann/fast", "Ann (Fast)", "ann"),
    Role("bob", "Bob"),
    Role("cat/calm", "Cat (Calm)", "cat"),
    Role("cat/wild", "Cat (Wild)", "cat", usual=False),
    Role("dan/one", "Dan (One)", "dan"),
)
BENCH = Bench("crew", tuple(role.slug for role in ROLES), 3, 1, tuple(role.name for role in ROLES))


@pytest.mark.parametrize(("name", "means"), [
    ("ann", ["ann/fast"]),
    ("ann/slow", ["ann/slow"]),
    ("ann/all", ["ann/slow", "ann/fast"]),
    ("bob", ["bob"]),
    (ALL, ["ann/fast", "bob", "cat/calm", "dan/one"]),
    (EVERY, ["ann/slow", "ann/fast", "bob", "cat/calm", "cat/wild", "dan/one"]),
    ("ann/wild", []), ("ann/", []), ("bob/all", []), ("slow", []), ("", []), ("/", []),
])  # fmt: skip
def test_fm2_what_a_name_means(name: str, means: list[str]) -> None:
    found = [role.slug for role in roles_named(ROLES, name)]
    assert found == means
    if len(means) == 1:
        assert ROLES[role_place(ROLES, name)].slug == means[0]
    else:
        with pytest.raises(ValueError, match="not in the list"):
            role_place(ROLES, name)


def test_fm2_every_name_of_one_role_is_listed() -> None:
    assert set(role_names(ROLES)) == {*BENCH.slugs, "ann", "cat", "dan"}
    assert all(len(roles_named(ROLES, name)) == 1 for name in role_names(ROLES))
    assert usual_roles(ROLES) == ["ann/fast", "bob", "cat/calm", "dan/one"]


def shared(lineup: tuple[str, ...]) -> list[str]:
    """The roles of a lineup, whatever their versions."""
    return [slug.partition("/")[0] for slug in lineup if slug]


@pytest.mark.parametrize("meetings", [
    Meetings(size=(3,)), Meetings(how="random", many=5), Meetings(how="random", many=12), Meetings(how="pairs"),
    Meetings(how="random", many=9), Meetings(how="all", size=(1, 2)),
])  # fmt: skip
def test_fm2_no_role_meets_itself_in_another_version(meetings: Meetings) -> None:
    lineups = deal(meetings, [BENCH], 1).lineups
    assert len(set(lineups)) == len(lineups)
    assert all(len(set(shared(one))) == len(shared(one)) for one in lineups)
    if meetings.many:
        sits = Counter(slug for lineup in lineups for slug in lineup)
        assert len(lineups) == meetings.many
        assert all(
            abs(sits[one] - sits[other]) <= 2 for one, other in [("ann/slow", "ann/fast"), ("cat/calm", "cat/wild")]
        )
    elif meetings.how == "all":
        wide = sum(choices(BENCH.versions, size) for size in meetings.size or ())
        assert len(lineups) == wide == {(3,): 12, (1, 2): 6 + 13}[meetings.size or ()]
    else:
        met = {pair for lineup in lineups for pair in combinations(sorted(lineup), 2)}
        may = [pair for pair in combinations(sorted(BENCH.slugs), 2) if len(set(shared(pair))) == 2]
        assert set(may) <= met


def test_fm2_there_are_as_many_lineups_as_choices_of_versions() -> None:
    many = choices(BENCH.versions, 3)
    assert many == len(deal(Meetings(size=(3,)), [BENCH], 1).lineups)
    with pytest.raises(Mistakes, match=f"make {many} lineups"):
        deal(Meetings(how="random", many=many + 1), [BENCH], 1)


@pytest.mark.parametrize(("crew", "told"), [
    (["brute/counterblo"], "allowed: brute/bloodlust, brute/counterblow; did you mean brute/counterblow?"),
    (["brute/haste"], "\"brute/haste\" is no role; allowed: brute/bloodlust, brute/counterblow"),
    (["all", "scout/hast"], "did you mean scout/haste?"),
    (["brutee"], "did you mean brute?"),
    (["brute", "brute/bloodlust"], "names \"brute/bloodlust\" again as \"brute\""),
])  # fmt: skip
def test_fm2_wrong_names_of_versions_get_the_nearest_right_one(crew: list[str], told: str) -> None:
    with pytest.raises(Mistakes) as caught:
        load_setup("mech_difficulty", (f"lineup={{crew={crew}}}",))
    assert told in str(caught.value)


@pytest.mark.parametrize(("lineup", "told"), [
    (["brute/haste", "scout"], "allowed: brute/bloodlust, brute/counterblow"),
    (["brute/counterblow", "brute"], "one role as brute/bloodlust and as brute/counterblow"),
    (["brutee", "scout"], "did you mean brute?"),
])  # fmt: skip
def test_fm2_fixed_lineups_are_checked_alike(lineup: list[str], told: str) -> None:
    with pytest.raises(Mistakes) as caught:
        _ = load_setup("mech_difficulty", (f"lineup.fixed=[{lineup}]",)).dealt
    assert told in str(caught.value)


def test_fm2_a_fixed_lineup_may_name_versions_or_none() -> None:
    setup = load_setup("mech_difficulty", ("lineup.fixed=[['brute/counterblow','scout'],['scout','brute']]",))
    assert [lineup[:2] for lineup in setup.dealt.lineups] == [
        ("brute/counterblow", "scout/haste"), ("brute/bloodlust", "scout/haste"),
    ]  # fmt: skip


def test_fm2_versions_are_listed_and_completed_by_editors() -> None:
    told = CliRunner().invoke(app, ["list", "roles", "--game", "mech"]).output
    tables = load_setup("mech_difficulty").tables
    slugs = [role.slug for role in tables.roles["crew"]]
    assert len(slugs) == 22 and all(slug in told for slug in slugs)
    schema = str(config_schema(find_game("mech"), tables))
    assert all(f"'{name}'" in schema for name in [*slugs, "brute", "brute/all", EVERY])


def test_fm2_games_without_versions_have_none() -> None:
    """Names of their roles mean what they did."""
    for name in ("knights.fight", "gangs", "voyage"):
        game: Any = find_game(name)
        tables = game.load(reference(name), {setting.name: setting.default for setting in game.settings})
        for side in game.sides:
            roles = tables.roles[side.key]
            assert all(role.name == role.slug and role.usual for role in roles)
            assert roles_named(roles, ALL) == roles_named(roles, EVERY) == list(roles)


def test_fm2_a_pack_with_one_ability_needs_no_choice(tmp_path: Path) -> None:
    """A layer may leave a single ability on a dashboard; the name alone means it."""
    layer = tmp_path / "one.toml"
    layer.write_text('[crew.brute]\nabilities = ["counterblow"]\nability = "counterblow"\n', encoding="utf-8")
    setup = load_setup("mech_difficulty", (f"pack=['reference', {str(layer)!r}]",))
    slugs = [role.slug for role in setup.tables.roles["crew"] if role.of == "brute"]
    assert slugs == ["brute/counterblow"]
