"""Every planted fault is caught by the test that stands beside it, and that test passes on sound rules."""

from __future__ import annotations

from functools import cache

import pytest

from simcore.streams import word
from tests.faults import PACK, Fault, Rules, find_test, patched, read_faults, sound

FAULTS = read_faults()
CAUGHT = (AssertionError, IndexError, ValueError, pytest.fail.Exception)
"""How a test notices: what it asserts, or a script that runs out or picks what it may not."""


@cache
def passes(test: str) -> bool:
    """Run a named test on sound rules, once; it raises where it fails."""
    rules = sound()
    with rules.in_force():
        find_test(test)(rules)
    return True


def games_of(fault: Fault) -> list[str]:
    """The games whose reference pack has what a fault of the pack changes: several have kinds of the same name."""
    kind = fault.change.partition(".")[0]
    return [
        name
        for name in sound()["game"].GAMES
        if kind in sound().game(name).schema.kinds and takes(name, *fault.change.split("=", 1))
    ]


def takes(game: str, path: str, value: str) -> bool:
    """Whether the reference pack of a game can have a value at a path."""
    try:
        sound().pack(game, {path: value})
    except sound()["packs"].Mistakes:
        return False
    return True


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_planted_fault_is_caught(fault: Fault) -> None:
    assert passes(fault.test)
    check, rules = find_test(fault.test), Rules(fault)
    if fault.where == PACK:
        for game in games_of(fault):
            assert rules.pack(game).digest != sound().pack(game).digest, "the fault changes nothing"
        assert games_of(fault), "no game has such a value"
    with rules.in_force(), pytest.raises(CAUGHT):
        check(rules)


def test_names_stand_once() -> None:
    names = [fault.name for fault in FAULTS]
    assert len(names) == len(set(names))
    changes = [(fault.where, fault.change) for fault in FAULTS]
    assert len(changes) == len(set(changes))


def test_a_fault_leaves_the_real_rules_alone() -> None:
    faulty = Rules(Fault("early", "simcore/streams.py::word", "(int(i) + 1) => int(i)", ""))
    assert faulty["streams"].word(5, 1) == word(5, 0) == sound()["streams"].word(5, 0)
    assert faulty["streams"].word(5, 0) != word(5, 0)
    with faulty.in_force():
        from simcore.streams import word as within

        assert within(5, 1) == word(5, 0)
    from simcore.streams import word as after

    assert after is word


def test_a_fault_in_a_game_leaves_the_shared_rooms_as_they_are() -> None:
    edit = "word(root, game) => word(root, game + 1)"
    faulty = Rules(Fault("next game", "simcore/knights/play.py::play_combats", edit, ""))
    assert faulty["knights.play"] is not sound()["knights.play"]
    assert faulty["dice"] is sound()["dice"]


def test_a_wrong_number_lies_over_the_pack_and_over_what_a_test_sets() -> None:
    faulty = Rules(Fault("arrows", PACK, "combat.attack_arrows=3", ""))
    assert faulty["knights"] is sound()["knights"]
    pack = faulty.pack("knights.fight", {"combat.attack_arrows": "2", "combat.defend_arrows": "4"})
    assert (pack.cards["combat"][""].attack_arrows, pack.cards["combat"][""].defend_arrows) == (3, 4)
    games = games_of(Fault("arrows", PACK, "combat.attack_arrows=3", ""))
    assert sorted(games) == ["knights.board", "knights.duel", "knights.fight"]


@pytest.mark.parametrize(
    ("where", "change"),
    [
        ("simcore/streams.py", "no such text => other"),
        ("simcore/streams.py", "return => return"),
        ("simcore/streams.py", "the whole line"),
        ("simcore/streams.py::nothing", "a => b"),
        ("simcore/streams.py", "_1 => _2"),
    ],
)
def test_a_fault_that_fits_nowhere_or_twice_is_a_mistake(where: str, change: str) -> None:
    with pytest.raises(ValueError, match=r"stands \d+ times|no function"):
        patched(Fault("odd", where, change, ""))


def test_broken_code_is_no_fault() -> None:
    rules = Rules(Fault("broken", "simcore/streams.py::at", "domain), moment => domainn), moment", ""))
    with rules.in_force(), pytest.raises(NameError):
        find_test("tests/golden/test_rooms.py::test_a_moment_names_its_domain")(rules)
    assert not issubclass(NameError, CAUGHT)


def test_a_harmless_change_is_not_caught() -> None:
    edit = "face >= laws.success_from[law] => face > laws.success_from[law] - 1"
    rules = Rules(Fault("harmless", "simcore/dice.py::roll", edit, ""))
    with rules.in_force():
        find_test("tests/golden/test_rooms.py::test_printed_faces_are_counted")(rules)
