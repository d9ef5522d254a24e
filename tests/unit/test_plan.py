"""Plans: which cells a config means, and what their ids and dice depend on."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.config import load_setup, shipped_configs
from experiments.plan import Plan, cuts, gaps, group_of, make_plan
from simcore.game import find_game
from tests.conftest import Write


def plan_of(config: Write, *sets: str, game: str = "toy.fight", **more: int) -> Plan:
    return make_plan(load_setup(config(game=game, **more), sets))


def test_cells_are_every_choice_of_each_side(config: Write) -> None:
    fights = plan_of(config)
    assert [cell.lineup for cell in fights.cells] == [
        (runner, hound) for runner in ("swift", "steady", "None") for hound in ("pup", "grim")
    ]
    assert fights.cells[0].name == "swift vs pup" and fights.seatings == 1
    duels = plan_of(config, game="toy.duel")
    assert [cell.name for cell in duels.cells] == ["swift vs steady", "swift vs None", "steady vs None"]
    assert duels.seatings == 2


def test_games_are_rounded_up_to_whole_blocks_and_a_line_says_so(config: Write) -> None:
    duels = plan_of(config, game="toy.duel", games=301)
    assert {cell.games for cell in duels.cells} == {302} and duels.games == 906
    assert duels.notes == ("302 games a cell: 301 rounded up to whole blocks of 2 seatings",)
    assert plan_of(config, game="toy.duel", games=300).notes == ()
    assert plan_of(config, "run.rotate=none", game="toy.duel", games=301).notes == ()


@pytest.mark.parametrize(
    "change",
    ["seed=2", "bots.hound=bold", "table.throws=2", "hound.pup.dice=2", "run.rotate=none"],
)
def test_an_id_is_made_from_all_that_decides_a_cells_numbers(config: Write, change: str) -> None:
    assert plan_of(config).cells[0].id != plan_of(config, change).cells[0].id


@pytest.mark.parametrize(
    "change",
    ["title=other", "games.per_cell=5", "games.chunk=5", "runner.backend=processes", "verdict.tolerance=0.1"],
)
def test_an_id_is_made_from_nothing_else(config: Write, change: str) -> None:
    assert plan_of(config).cells[0].id == plan_of(config, change).cells[0].id


def test_cells_that_configs_share_have_one_id_in_any_order(config: Write) -> None:
    whole = {cell.id for cell in plan_of(config, game="toy.duel").cells}
    for names in ('["swift", "None"]', '["None", "swift"]'):
        (part,) = plan_of(config, f"lineup.runners={names}", game="toy.duel").cells
        assert part.id in whole and part.lineup == ("swift", "None")


def test_without_rotation_a_list_is_the_order_of_the_seats(config: Write) -> None:
    sets = "run.rotate=none", 'lineup.runners=["None", "swift"]'
    assert plan_of(config, *sets, game="toy.duel").cells[0].lineup == ("None", "swift")


def test_variants_of_a_lineup_share_their_dice_and_other_lineups_dont(config: Write) -> None:
    plain, variant = plan_of(config), plan_of(config, "hound.pup.dice=2", "bots.hound=bold")
    assert [cell.group for cell in plain.cells] == [cell.group for cell in variant.cells]
    assert len({cell.group for cell in plain.cells}) == len(plain.cells)
    fight, duel = find_game("toy.fight"), find_game("toy.duel")
    assert group_of(duel, ("a", "b")) == group_of(duel, ("b", "a")) != group_of(fight, ("a", "b"))
    assert group_of(fight, ("a", "b")) != group_of(fight, ("b", "a"))
    three, orders = find_game("toy.ring"), (("a", "b", "c"), ("b", "c", "a"), ("b", "a", "c"))
    rings = [group_of(three, order, (), ring=True) for order in orders]
    assert rings[0] == rings[1] == group_of(three, ("b", "a", "c")) != rings[2]


def test_the_plans_id_depends_on_the_number_of_games_and_on_the_cells(config: Write) -> None:
    ids = {plan_of(config, *sets).id for sets in ((), ("games.per_cell=301",), ("lineup.runners=swift",), ("seed=2",))}
    assert len(ids) == 4
    assert plan_of(config, "games.chunk=7").id == plan_of(config).id


def test_a_sweep_and_variants_that_set_the_same_are_not_one_plan(config: Write) -> None:
    sweep = "[sweep.grid]\n'table.throws' = [1, 2]\n[run]\ncommon_dice = true\n"
    swept = make_plan(load_setup(config(more=sweep)))
    varied = make_plan(load_setup(config(more="[[variant]]\nname = 'two'\nset = { table.throws = 2 }\n")))
    assert [cell.id for cell in swept.cells] == [cell.id for cell in varied.cells] and swept.id != varied.id


def test_a_cell_is_found_by_id_start_of_id_and_name(config: Write) -> None:
    plan = plan_of(config)
    cell = plan.cells[3]
    assert plan.find(cell.id) == plan.find(cell.id[:8]) == plan.find("steady vs grim") == cell
    for wrong in ("", "nobody"):
        with pytest.raises(KeyError):
            plan.find(wrong)


@given(st.integers(0, 500), st.integers(0, 500), st.integers(1, 200))
def test_cuts_cover_a_range_and_keep_to_multiples(first: int, length: int, size: int) -> None:
    parts = list(cuts(first, first + length, size))
    assert [game for start, stop in parts for game in range(start, stop)] == list(range(first, first + length))
    assert all(start // size == (stop - 1) // size for start, stop in parts)


@given(st.lists(st.booleans(), max_size=40))
def test_gaps_are_what_is_not_done(done: list[bool]) -> None:
    ranges = [(i, i + 1) for i, have in enumerate(done) if have]
    open_games = [game for start, stop in gaps(ranges, len(done)) for game in range(start, stop)]
    assert open_games == [i for i, have in enumerate(done) if not have]


# ---------------------------------------------------------------- what shipped configs say of themselves

NUMBERS = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
]  # fmt: skip


def prose(name: str) -> str:
    """What a shipped config says for people: comments, title and question."""
    lines = shipped_configs()[name].read_text("utf-8").splitlines()
    told = [line.lstrip("# ") for line in lines if line.startswith(("#", "title", "question"))]
    return " ".join(told).lower()


def contradictions(text: str, plan: Plan) -> list[str]:
    """Numbers of roles, players, points and variants in a text that are not those of a plan; and "every knight" or the
    like where not all of the pack are played."""
    game, sizes, wrong = plan.setup.game, {*plan.sizes}, []
    variants, points = len(plan.setup.config.variant), len(plan.setup.points)
    many = {"players": sizes, "members": sizes, "variants": {variants}, "abilities": {variants}, "modes": {points}}
    for side in game.sides:
        own = [slug for cell in plan.cells for seat, slug in cell.seated if game.side_of(seat) == side]
        played, known = (
            {slug.split("/")[0] for slug in slugs}
            for slugs in (own, [r.slug for r in plan.setup.tables.roles[side.key]])
        )
        for noun in (side.key, side.bot, "members" if game.crew else side.key):
            many[noun] = many.get(noun, set()) | {len(played), *(sizes if side.seats > 1 else ())}
        if len(played) < len(known):
            wrong += re.findall(rf"\b(?:every|all) {side.bot}\b|\ball (?:the )?{side.key}\b", text)
    for number, _, noun in re.findall(rf"\b({'|'.join(NUMBERS)}) ((?:crew|printed) )?({'|'.join(many)})\b", text):
        if NUMBERS.index(number) + 1 not in many[noun]:
            wrong.append(f"{number} {noun}")
    return wrong


@pytest.mark.parametrize("name", list(shipped_configs()))
def test_a_shipped_config_plays_what_it_says(name: str) -> None:
    """FN6: what_if_small_change spoke of four enemies and had one."""
    plan = make_plan(load_setup(name))
    assert contradictions(prose(name), plan) == []


def test_a_config_that_says_otherwise_would_be_found_out() -> None:
    """FN6: planted: the sentence that was there, and others like it."""
    plan = make_plan(load_setup("what_if_small_change"))
    assert contradictions("every knight meets four enemies twice", plan) == ["four enemies"]
    assert contradictions("every knight meets every enemy; twelve knights", plan) == ["every enemy", "twelve knights"]
    crews = make_plan(load_setup("mech_crew"))
    assert contradictions("five crew members have eleven printed abilities", crews) == [
        "five members",
        "eleven abilities",
    ]
    assert contradictions("eleven members, four members and ten abilities", crews) == []


def test_the_sweep_of_a_number_covers_what_the_pack_has() -> None:
    """FN6: the text says that Aggression is swept over the values of the pack's enemies."""
    plan = make_plan(load_setup("what_if_aggression"))
    swept = {value for point in plan.setup.points for _, value in point}
    assert swept == {card.aggression for card in plan.setup.pack.cards["enemy"].values()}
