"""FK13: whatever a capacity leaves out is counted: the game ends as an overflow, and no capacity is silent."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simcore.game import OVERFLOW
from tests.board_table import Table, table

CORE = Path(__file__).parents[2] / "simcore"
CAPACITIES = {
    "OPTIONS", "HELD", "POSTS", "SHOWN", "FLOOR", "BOARD", "STACK", "QUEUE", "PIECES", "USED", "MODES",
    "KITS", "CARRIED", "POOL_MAX", "MOST_DICE", "MOST_STEPS",
}  # fmt: skip
COUNTING = {"has_room", "cut_to"}
ESTIMATES = {
    ("board_bots.py", "passing"): "what a bot thinks of a check; the roll itself is counted",
    ("sheet.py", "add_other_kits"): "what a bot foresees of Defend, which offers every change itself",
    ("tell.py", "shot"): "tells of a roll that was counted",
}
OTHERS = {
    ("harbour.py", "lay_on_quay"): "counts itself: no slot of the Quay is free",
    ("situations.py", "read_card"): "no capacity: a book that does not know the situation",
    ("wasteland.py", "wage"): "hands on what a combat counted",
}
"""Where `overflow` is set by hand, and why."""


def functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    """Give every function of the rules with the name of its file."""
    for path in sorted(path for path in CORE.glob("*/*.py") if path.name != "cards.py"):  # those check packs
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                yield path.name, node


def names_in(node: ast.AST) -> set[str]:
    """Give the names that an expression uses, but for what is handed to COUNTING."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in COUNTING:
        return set()
    own = {node.id} if isinstance(node, ast.Name) else set()
    return own.union(*(names_in(child) for child in ast.iter_child_nodes(node)))


def test_no_capacity_is_compared_or_cut_by_hand() -> None:
    """A comparison with a capacity, or a minimum of one, would leave something out without a count."""
    silent = []
    for file, function in functions():
        for node in ast.walk(function):
            sizes = isinstance(node, ast.Compare) and any(isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE | ast.Eq)
                                                          for op in node.ops)  # fmt: skip
            cuts = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "min"
            found = names_in(node) & CAPACITIES if sizes or cuts else set()
            moment = found == {"USED"} or found == {"HELD"}  # also moments of cards and phases of a clash
            if found and not moment and (file, function.name) not in ESTIMATES:
                silent.append(f"{file}: {function.name}: {ast.unparse(node)}")
    assert silent == []


def test_only_the_shared_kernels_count_what_is_left_out() -> None:
    by_hand = {
        (file, function.name)
        for file, function in functions()
        for node in ast.walk(function)
        if isinstance(node, ast.Assign | ast.AugAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Attribute) and target.attr == "overflow" and ast.unparse(node.value) != "0"
    }
    assert by_hand == set(OTHERS)


def is_counted(b: Table) -> bool:
    """Whether a game of the board ends as an overflow; then it is taken back."""
    counted = int(b.s.overflow)
    assert not counted or _outcome(b).ending == OVERFLOW
    b.s.overflow = 0
    return counted == 1


def _outcome(b: Table) -> Any:
    package = b.rules["knights"]
    out = b.rules["kernels"].blank(b.rules["game"].outcome_dtype(package.BOARD_COLUMNS, package.BOARD_SEAT_COLUMNS, 4))
    b.rules["knights.board_play"].write_outcome(b.s, b.t, out)
    return out


@pytest.mark.parametrize("more", [0, 1])
def test_capacities_of_the_board(rules: Any, more: int) -> None:
    """As much as fits is no overflow; one more is: revealed cards, cards at hand in a combat, gear, options, dice."""
    state, core = rules["knights.board_state"], rules["knights.tables"]
    b = table(rules, "Mel", "Naomi").stack(*["Acid Rain"] * 100)
    rules["knights.wasteland"].reveal(b.s, b.t, b.stream, b.journal, state.SHOWN + more)
    assert b.s.shown == state.SHOWN and is_counted(b) == more
    b.of("Mel").items = state.HELD - 1 + more
    rules["knights.belongings"].gain_item(b.s, b.t, b.journal, 0, b.item("Toolbox"))
    assert is_counted(b) == more
    b = table(rules, "Mel", "Naomi")
    fighting = [card for card in range(b.t.lucks) if b.t.luck[card].fights][:1] * (core.ITEMS + more)
    b.of("Mel").lucks = 0
    sheet, player = b.s.rules.knight[core.KNIGHTS], b.of("Mel")
    for spot in range(core.ITEMS + more):
        player.thing[spot], player.spot[spot] = b.item("Medi-shot"), state.POCKET
    player.items = core.ITEMS + more
    rules["knights.sheet"].write_sheet(b.s, b.t, 0)
    assert fighting and sheet.carries == core.ITEMS and is_counted(b) == more
    b.s.options = state.OPTIONS - 1 + more
    rules["knights.board_bots"].offer(b.s, 1, 0)
    assert is_counted(b) == more


@pytest.mark.parametrize("more", [0, 1])
def test_the_two_kernels(rules: Any, more: int) -> None:
    b, kernels = table(rules, "Mel", "Naomi"), rules["kernels"]
    assert kernels.has_room(b.s, 4 + more, 5) == (not more) and is_counted(b) == more
    assert kernels.cut_to(b.s, 5 + more, 5) == 5 and is_counted(b) == more
