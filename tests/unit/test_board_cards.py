"""The schema of the cards of the board: the vocabulary of errands, and what makes sense between cards."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest

from simcore import packs
from simcore.knights import board_cards as cards
from simcore.knights.cards import SCHEMA, TRAITS, Enhancement, load_outs
from tests.unit.test_knights_cards import wrong

ROW = {"when": "always", "what": "health", "whom": "self", "many": -1}


def row_wrong(**changes: Any) -> str:
    """What is wrong with a row of errand; "" if nothing."""
    _, mistakes = packs.validate(cards.Errand, {**ROW, **changes}, "row")
    return "; ".join(str(mistake) for mistake in mistakes)


# ---------------------------------------------------------------- vocabulary


def test_the_words_of_the_models_are_the_words_that_the_game_counts_by() -> None:
    fields = cards.Errand.model_fields
    for name, words in (("when", cards.WHEN), ("what", cards.WHAT), ("whom", cards.WHOM)):
        assert get_args(fields[name].annotation) == words
    assert set(cards.AT) == set(cards.WHEN) and {what for at in cards.AT.values() for what in at} == set(cards.WHAT)
    assert {when for moments in (*cards.OF.values(), cards.USED) for when in moments} == set(cards.WHEN)
    assert get_args(cards.SkillOrNone) == ("", *cards.SKILLS)
    choices: tuple[tuple[Any, str, tuple[str, ...]], ...] = (
        (cards.Tile, "role", cards.ROLES),
        (cards.Tile, "terrain", cards.TERRAINS),
        (Enhancement, "sort", (*cards.SORTS, "gear")),
        (Enhancement, "needs", cards.ATTACH_RULES),
        (cards.Need, "need", cards.NEEDS),
        (cards.Need, "trait", ("", *TRAITS)),
        (cards.Task, "binds", ("", *TRAITS)),
        (cards.Mission, "goal", cards.MISSIONS),
    )
    for model, name, choice in choices:
        assert get_args(model.model_fields[name].annotation) == choice
    (traits,) = get_args(Enhancement.model_fields["fits"].annotation)[:1]
    assert get_args(traits) == cards.FITS


def test_each_what_is_allowed_at_its_moments_and_no_others() -> None:
    for what in cards.WHAT:
        for when in cards.WHEN:
            whom = "here" if what in cards.TOKENS else cards.ANYONES.get(when, ("self",))[-1]
            problem = row_wrong(what=what, when=when, whom=whom, many=1)
            assert bool(problem) == (what not in cards.AT[when]), problem


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"many": 0}, "does nothing"),
        ({"many": 7}, "from -6 to 6"),
        ({"only": "talk"}, "a skill narrows checks alone"),
        ({"what": "contaminate"}, "tokens lie here or around"),
        ({"what": "contaminate", "whom": "rivals"}, "tokens lie here or around"),
        ({"what": "stop", "whom": "everyone"}, "it is for self"),
        ({"when": "reward", "what": "stop"}, "has stop at reward"),
        ({"when": "reward", "what": "mutation", "many": -1}, "a reward takes nothing away"),
        ({"when": "reply", "what": "cancel", "many": 1}, "has cancel for self, but it is for rivals"),
        ({"when": "checking", "what": "check", "whom": "everyone"}, "but it is for self or rivals"),
        ({"whom": "opponent"}, "self, here, around, everyone, rivals"),
    ],
)
def test_rows_that_could_do_nothing_are_refused(row: dict[str, Any], words: str) -> None:
    assert words in row_wrong(**row)


def test_all_that_is_wrong_with_a_row_is_said() -> None:
    problem = row_wrong(when="reward", what="contaminate", many=0, only="talk")
    assert all(word in problem for word in ("at reward", "of 0", "narrows", "lie here")) and "\n" not in problem


def test_every_word_of_the_vocabulary_has_an_example_that_is_right() -> None:
    text = (SCHEMA.folder / "README.md").read_text().split("## Errands")[1].split("\n## ")[0]
    rows = [tomllib.loads(f"row = {row}")["row"] for row in re.findall(r"`(\{ when = [^`]*\})`", text)]
    found = [packs.validate(cards.Errand, row, "row") for row in rows]
    assert len(rows) > 20 and not [mistake for _, mistakes in found for mistake in mistakes]
    for word in (*cards.WHEN, *cards.WHAT, *cards.WHOM):
        assert f"`{word}`" in text, word
    shown = dict(re.findall(r"^\| `(\w+)` \|.*\| ([^|]+) \|$", text, re.MULTILINE))
    for when, whats in cards.AT.items():
        if shown[when] != "the same":
            said = set(shown[when].replace("tokens", ", ".join(cards.TOKENS)).split(", "))
            assert said == set(whats), when


def test_the_readme_names_every_field_and_need() -> None:
    text = (SCHEMA.folder / "README.md").read_text()
    for kind, spec in SCHEMA.kinds.items():
        row = re.search(rf"^\| `{kind}` \|.*$", text, re.MULTILINE)
        assert row is not None, kind
        if kind in cards.KINDS:
            assert not [name for name in spec.model.model_fields if not re.search(rf"\b{name}\b", row[0])], kind
    assert all(f"| `{need}` |" in text for need in cards.NEEDS if need)


# ---------------------------------------------------------------- what the pack gets wrong


def test_mistakes_of_the_board_are_told_at_once_a_line_each_with_its_path() -> None:
    found = wrong(
        {
            "knight.mel_gearson.hands": "0",
            "tile.pumps.number": "1",
            "mission.reputation.rounds": "0",
            "board.map.yellow_in_green": "0",
            "board.map.stall_yellow": "1",
            "vehicle.strider.whole.speed": "0",
            "event.acid_rain.successes": "0",
            "luck.second_wind.copies": "7",
        }
    )
    right = "a whole number from "
    assert (
        found.items()
        >= {
            "tile.pumps.number": "tile.pumps.number is 1, which is dealt twice; allowed: each number once",
            "knight.mel_gearson.hands": f"knight.mel_gearson.hands is 0; allowed: {right}1 to 2",
            "mission.reputation.rounds": f"mission.reputation.rounds is 0; allowed: {right}1 to 30",
            "board.map.yellow_in_green": f"board.map.yellow_in_green is 0; allowed: {right}1 to 9",
        }.items()
    )
    assert {"board.map.stall_yellow", "vehicle.strider.whole.speed", "event.acid_rain.successes"} <= set(found)
    assert "luck.second_wind.copies" in found


def test_a_mission_without_an_end(tmp_path: Path) -> None:
    text = (
        '[mission.endless]\ntitle = "Endless"\ngoal = "reputation"\nduel_reputation = 0\ncultists = false\ntext = ""\n'
    )
    found = wrong(text=text + 'from = { assumed = "a mission that forgot its end" }\n', folder=tmp_path)
    place = "mission.endless.rounds"
    assert found == {place: f"{place} is missing; allowed: a whole number from 1 to 30"}


def test_a_tile_dealt_twice_and_a_task_whose_hex_does_not_exist() -> None:
    found = wrong({"tile.pumps.number": "1", "task.burn_baby_burn.second.hex": "15"})
    twice, hexes = "which is dealt twice; allowed: each number once", ", ".join(map(str, (1, *range(3, 15))))
    assert found["tile.gangraen.number"] == f"tile.gangraen.number is 1, {twice}"
    assert found["tile.pumps.number"] == f"tile.pumps.number is 1, {twice}"
    place = "task.burn_baby_burn.second.hex"
    assert found[place] == f"{place} is 15, and no such hex exists; allowed: {hexes}"


def test_nothing_is_told_that_only_follows_from_a_wrong_card() -> None:
    assert list(wrong({"tile.pumps.difficulty": "0"})) == ["tile.pumps.difficulty"]
    assert list(wrong({"vehicle.muscle_car.start": "1"})) == ["vehicle.muscle_car.start"]


ACTION = '{ price = { green = 0, yellow = 0, red = 0 }, errands = [{ when = "reward", what = "green", whom = "self", many = 1 }], text = "" }'  # fmt: skip # noqa: E501


@pytest.mark.parametrize(
    ("sets", "place", "words"),
    [
        ({"tile.red_desert.copies": "5"}, "tile", "has 19 tiles of role normal; allowed: 18"),
        ({"tile.pumps.copies": "2"}, "tile.pumps.number", "dealt twice"),
        ({"board.map.specials": "[1, 4, 8, 14, 22, 24, 26, 31, 33, 0]"}, "board.map", "gives place 0 2 tiles"),
        ({"board.map.start": '["hatchet"]'}, "board.map.start.0", "which is no gear"),
        ({"tile.red_tomb.explore": "0"}, "tile.red_tomb", "a check has both, or neither"),
        ({"tile.pumps.trade": ""}, "tile.pumps", "say what its Stalls sell"),
        ({"tile.red_tomb.actions": f"[{ACTION}]"}, "tile.red_tomb.actions.0.errands.0.when", "is reward"),
        ({"task.bounty.gives": "strder"}, "task.bounty.gives", "did you mean strider?"),
        ({"task.bounty.whose": ""}, "task.bounty.whose", "holder or everyone"),
        ({"task.bounty.second.need": ""}, "task.bounty", "lacks one of its two requirements"),
        ({"task.bounty.common": "true"}, "task.bounty.second", "stands on a common task"),
        ({"task.bounty.first.need": "check"}, "task.bounty.first", "is no whole check"),
        ({"task.bounty.first.need": "pay"}, "task.bounty.first", "is no whole pay"),
        ({"task.bounty.first.hex": "0"}, "task.bounty.first.hex", "the number of the hex to explore"),
        ({"task.bounty.first.trait": "cult"}, "task.bounty.first.trait", "nobody is to be defeated"),
        ({"task.bounty.second.hex": "3"}, "task.bounty.second.hex", "which does not count here"),
        ({"task.speed_record.first.points": "0"}, "task.speed_record.first", "is no whole ride"),
        ({f"vehicle.{one}.start": "false" for one in ("strider", "off_road", "heavy_duty")}, "vehicle", "to pick at"),
        ({"gear.road_map.use": "mark"}, "gear.road_map.errands.0.when", "is standing"),
        ({"gear.fuel_can.use": "permanent"}, "gear.fuel_can.errands.0.when", "allowed: standing, moving"),
    ],
)  # fmt: skip
def test_what_does_not_fit_together_is_a_mistake(sets: dict[str, str], place: str, words: str) -> None:
    found = wrong(sets)
    assert words in found[place], found


def test_a_knight_with_one_hand_holds_one_weapon_at_a_time() -> None:
    one = {"knight.heat_leisure.hands": "1"}
    assert wrong(one)["knight.heat_leisure.weapons"].endswith("need 2 hands; allowed: one one-handed")
    pack = packs.load(SCHEMA, ["reference"], {**one, "knight.heat_leisure.weapons": '["old_revolver"]'})
    assert {grip for grip, _ in load_outs(pack, "heat_leisure")} == {("old_revolver",), ("machine_pistol",)}


def test_packs_for_combats_alone_lack_the_board_and_are_told_only_when_it_is_played() -> None:
    pack = packs.load(SCHEMA, ["reference"])
    assert not cards.complete(pack.cards)
    bare = {kind: {} if kind in cards.KINDS else of for kind, of in pack.cards.items()}
    told = [str(mistake) for mistake in cards.complete({**bare, "luck": {}})]
    assert len(told) == 8 and all("is missing" in line for line in told)
