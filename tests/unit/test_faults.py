"""The list of planted faults is sound: each fits, and the script that plants them tells a caught fault from a harmless
change and from broken code. `.ci/run` plants a sample; see tests/break_rules.py.
"""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from simcore.streams import word
from tests.faults import PACK, TOP, Fault, Rules, check_pack_fault, patched, read_faults, sound

FAULTS = read_faults()
FACES = "tests/golden/test_rooms.py::test_printed_faces_are_counted"

with (TOP / "tests" / "rules.csv").open(encoding="utf-8", newline="") as file:
    ROWS = {row["id"]: row for row in csv.DictReader(file)}


def test_every_fault_of_a_line_fits_where_it_says() -> None:
    """FT1: changes are found by their structure, once."""
    wrong = []
    for fault in FAULTS:
        if fault.where != PACK:
            try:
                patched(fault)
            except ValueError as error:
                wrong.append(str(error))
    assert not wrong, "\n".join(wrong)


def test_every_fault_of_a_number_changes_a_reference_pack() -> None:
    for fault in FAULTS:
        if fault.where == PACK:
            check_pack_fault(fault, Rules(fault))


def test_names_and_changes_stand_once() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    assert len({(fault.where, fault.change) for fault in FAULTS}) == len(FAULTS)


def test_a_fault_breaks_rules_that_are_shown_or_names_a_test() -> None:
    for fault in FAULTS:
        assert bool(fault.rule) != bool(fault.test), f"{fault.name}: either rules or a test"
        for rule in fault.rule.split():
            assert ROWS[rule]["status"] in ("shown", "fixed"), f"{fault.name}: {rule} is {ROWS[rule]['status']}"


def test_every_rule_that_is_shown_has_a_fault_or_a_reason_why_none_is_possible() -> None:
    """FT1: else nobody knows whether its tests can fail."""
    broken = {rule for fault in FAULTS for rule in fault.rule.split()}
    unbroken = [rule for rule, row in ROWS.items() if row["status"] == "shown" and rule not in broken]
    assert not [rule for rule in unbroken if not ROWS[rule]["reason"]]


def test_a_fault_leaves_the_real_rules_alone() -> None:
    faulty = Rules(Fault("", "early", "simcore/streams.py::word", "int(i) + 1 => int(i)"))
    assert faulty["streams"].word(5, 1) == word(5, 0) == sound()["streams"].word(5, 0)
    assert faulty["streams"].word(5, 0) != word(5, 0)
    with faulty.in_force():
        from simcore.streams import word as within

        assert within(5, 1) == word(5, 0)
    from simcore.streams import word as after

    assert after is word


def test_a_fault_in_a_game_leaves_the_core_as_it_is() -> None:
    edit = "word(root, game) => word(root, game + 1)"
    faulty = Rules(Fault("", "next game", "simcore/knights/play.py::play_combats", edit))
    assert faulty["knights.play"] is not sound()["knights.play"]
    assert faulty["dice"] is sound()["dice"]


def test_a_wrong_number_lies_over_the_pack_and_over_what_a_test_sets() -> None:
    faulty = Rules(Fault("", "arrows", PACK, "combat.attack_arrows=3"))
    assert faulty["knights"] is sound()["knights"]
    pack = faulty.pack("knights.fight", {"combat.attack_arrows": "2", "combat.defend_arrows": "4"})
    assert (pack.cards["combat"][""].attack_arrows, pack.cards["combat"][""].defend_arrows) == (3, 4)


SAMPLE = """
def pay(knight):
    knight.ammo -= 1  # a comment
    if (knight.ammo <
            0):
        knight.ammo = 0
    knight.fuel = knight.ammo
    return [knight.ammo, 1]


class Twin:
    def pay(self):
        return self.ammo
"""


@pytest.mark.parametrize(
    ("where", "change", "line"),
    [
        ("pay", "knight.ammo < 0 => knight.ammo <= 0", "if knight.ammo <= 0:"),
        ("pay", "knight.ammo -= 1 => pass", "    pass"),
        ("pay", r"knight.ammo = 0\n => pass", "        pass"),
        ("pay", "[knight.ammo, 1] => [1, knight.ammo]", "return [1, knight.ammo]"),
        ("pay#4", "knight.ammo => knight.fuel", "knight.fuel = knight.fuel"),
        ("pay", "if knight.ammo < 0:\\n    knight.ammo = 0 => knight.ammo = 7", "    knight.ammo = 7"),
        ("Twin.pay", "self.ammo => 2", "return 2"),
    ],
)
def test_a_change_is_found_by_its_structure(
    where: str, change: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FT1: line breaks, comments and parentheses don't matter."""
    import ast

    (tmp_path / "sample.py").write_text(SAMPLE)
    monkeypatch.setattr("tests.faults.TOP", tmp_path)
    _, tree = patched(Fault("", "sample", f"sample.py::{where}", change))
    before, after = ast.unparse(ast.parse(SAMPLE)).splitlines(), ast.unparse(tree).splitlines()
    assert [text for text in after if line in text and text not in before]


@pytest.mark.parametrize(
    ("where", "change"),
    [
        ("simcore/streams.py", "no_such_name => other"),
        ("simcore/streams.py", "key => 1"),
        ("simcore/streams.py::word#9", "int(i) + 1 => int(i)"),
        ("simcore/streams.py", "a whole line"),
        ("simcore/streams.py", "word => "),
        ("simcore/streams.py::nothing", "a => b"),
        ("simcore/streams.py::word", "int(i) + 1 => (int(i) + 1)"),
    ],
)
def test_a_fault_that_fits_nowhere_or_twice_or_changes_nothing_is_a_mistake(where: str, change: str) -> None:
    with pytest.raises(ValueError, match=r"is found \d+ times|no function|old => new|not Python|changes nothing"):
        patched(Fault("", "odd", where, change))


# ---------------------------------------------------------------- the script


@pytest.fixture
def script(tmp_path: Path) -> Iterator[object]:
    """Run `tests.break_rules` as a command on a list of faults of its own."""

    def run(*rows: tuple[str, str, str]) -> str:
        lines = [f',{name},{where},"{change}",{FACES}' for name, where, change in rows]
        (tmp_path / "faults.csv").write_text("\n".join(["rule,name,where,change,test", *lines]))
        command = [sys.executable, "-m", "tests.break_rules", "--list", str(tmp_path / "faults.csv"), "--jobs", "1"]
        done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, timeout=300)
        return done.stdout + done.stderr

    yield run


def test_the_script_tells_caught_from_harmless_and_from_broken(script: object) -> None:
    """FT1: a test that passes with a rule broken is named."""
    at = "simcore/dice.py::roll"
    out = script(  # type: ignore[operator]
        ("real", at, "face >= laws.success_from[law] => face > laws.success_from[law]"),
        ("harmless", at, "face >= laws.success_from[law] => face > laws.success_from[law] - 1"),
        ("broken", at, "face >= laws.success_from[law] => face >= no_such_name"),
        ("same", at, "face >= laws.success_from[law] => (face >= laws.success_from[law])"),
        ("number", PACK, "combat.no_such_number=3"),
    )
    assert "survived: -: harmless" in out and "real:" not in out
    assert "misplaced: -: broken: the code breaks: NameError" in out
    assert "misplaced: -: same" in out and "misplaced: -: number" in out
    assert "5 faults: 1 caught, 1 survived, 3 misplaced" in out
