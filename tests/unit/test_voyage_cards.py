"""Packs of Beyond the Horizon: what is refused, each with a clear line and its path."""

from __future__ import annotations

import pytest

from simcore.packs import Mistakes
from simcore.voyage.tables import load as load_tables
from tests.reference import reference


def wrong(sets: dict[str, str]) -> list[str]:
    """What is wrong with the reference pack with values over it, line by line."""
    with pytest.raises(Mistakes) as caught:
        reference("voyage").changed(sets)
    return str(caught.value).splitlines()


def row(when: str, what: str, per: str = "once", many: int = 1) -> str:
    """A list of one effect as TOML."""
    return f'[{{ when = "{when}", what = "{what}", per = "{per}", many = {many} }}]'


FACES = '"breach", "breach", "threat", "water", "hazard", "blank", "blank"'


@pytest.mark.parametrize(
    ("sets", "told"),
    [
        (
            {"route.perth_project_x.ends": '["perth", "atlantis"]'},
            'route.perth_project_x.ends.1 is "atlantis", which is no port of this pack',
        ),
        ({"route.perth_project_x.ends": '["perth", "tasmani"]'}, "did you mean tasmania?"),
        ({"route.perth_project_x.ends": '["perth"]'}, "route.perth_project_x.ends is a list of 1"),
        ({"route.perth_project_x.ends": '["perth", "perth"]'}, "route.perth_project_x.ends names something twice"),
        ({"route.perth_project_x.ends": '["perth", "tasmania"]'}, "port.project_x lies on no route"),
        (
            {"route.perth_project_x.ends": '["perth", "adelaide"]'},
            "route.perth_project_x.ends are those of perth_adelaide",
        ),
        ({"route.perth_project_x.dice": "10"}, "route.perth_project_x.dice is 10; allowed: a whole number from 0 to 9"),
        ({"road.perth_adelaide.ends": '["perth", "tasmania"]'}, "is tasmania, which no road reaches: it is overseas"),
        ({"die.first.faces": "[]"}, "die.first.faces is an empty list; allowed: a list of 8"),
        ({"die.first.faces": f"[{FACES}]"}, "die.first.faces is a list of 7; allowed: a list of 8"),
        ({"die.first.faces": f'[{FACES}, "braech"]'}, "did you mean breach?"),
        ({"ship.raft.type": '""'}, 'ship.raft.type is ""; allowed: light, medium, heavy'),
        ({"ship.raft.type": '"hevy"'}, "did you mean heavy?"),
        ({"ship.raft.hull": "0"}, "ship.raft.hull is 0; allowed: a whole number from 1 to 12"),
        ({"ship.raft.cutter": "true"}, "ship has 2 Cutters; allowed: exactly one ship with cutter = true"),
        ({"ship.cutter.cutter": "false"}, "ship has 0 Cutters"),
        ({"ship.raft.effects": row("pass", "water")}, "ship.raft has an effect at pass, but such a card"),
        ({"ship.raft.effects": row("standing", "health")}, "ship.raft has health, but a ship can have strength"),
        ({"vehicle.buggy.effects": row("standing", "aquatic")}, "vehicle.buggy has aquatic, but a vehicle can have"),
        ({"token.calm.copies": "1"}, "token has 9 base tokens for the bag; allowed: 10, as rules say"),
        ({"token.calm.mode": '"easy"'}, "token has 8 base tokens for the bag"),
        ({"rules.bag": "1"}, "rules.swap is 3, more than the bag holds; allowed: at most 1"),
        ({"rules.swap": "2"}, "token has 3 easy tokens for the bag; allowed: 2, as rules say"),
        ({"token.supplies_with_water.replaces": '""'}, "is update and replaces nothing: updates, and they alone, do"),
        ({"token.supplies_with_water.replaces": '"calm"'}, "token.supplies_with_water.replaces is calm; allowed"),
        ({"token.calm.effects": row("pass", "water")}, "token.calm has an effect at pass, but such a card does"),
        ({"event.storm.skill": '""'}, "event.storm tests no skill for 2 successes: both, or none of them"),
        ({"event.storm.skill": '"sailing"'}, 'event.storm.skill is "sailing"; allowed'),
        ({"event.storm.effects": row("fail", "breach", many=0)}, "has breach 0 times"),
        ({"event.storm.effects": row("fail", "breach", many=-1)}, "only what stands may be below 0"),
        ({"event.storm.skill": '"sea_die"', "event.storm.need": "9"}, "event.storm reads a sea die for 9"),
        ({"event.storm.skill": '"sea_die"', "event.storm.need": "1"}, "what it can miss and reach is from 2 to 8"),
        ({"gear.rope.effects": row("standing", "tech", "die")}, "rolls a sea die, but what stands has no moment"),
        ({"event.storm.effects": row("fail", "auto")}, "has auto at fail, but that is for water, fuel"),
        ({"enemy.nautilus.effects": row("pass", "gear")}, "enemy.nautilus has an effect at pass"),
        ({"enemy.nautilus.health": "0"}, "enemy.nautilus.health is 0; allowed: a whole number from 1 to 12"),
        ({"dehydration.panic.effects": row("flip", "strand")}, "has strand at flip, but that is for breach"),
        ({"dehydration.panic.effects": row("flip", "wound", "hazard")}, "counts Hazards at flip"),
        ({"gear.rope.dice": "2"}, "gear.rope has 2 dice, but is no weapon"),
        ({"gear.rope.armor": "2"}, "gear.rope has 2 armor, but is none"),
        ({"knight.pirate.gear": '["harpoon"]'}, "knight.pirate.gear.0 is harpoon, no starting gear"),
        ({"knight.pirate.vehicle": '"bugy"'}, "did you mean buggy?"),
        ({"land.success_from": "7"}, "land has successes from 7 and special icons from 6 on 6 sides"),
        ({"rules.dry_foes": '["bandits"]'}, "did you mean bandit?"),
        ({"destination.tasmania_devils.port": '"sydney"'}, "is sydney, in Australia; allowed: a port overseas"),
        ({"destination.tasmania_devils.terrain": '"desert"'}, 'is "desert"; allowed: on the board or on the card'),
        ({"destination.tasmania_devils.choices": "[]"}, "destination.tasmania_devils.choices is an empty list"),
        ({"port.perth.terrain": '""'}, "port.perth.terrain is missing on a port of Australia"),
        ({"ruling.speed": '"route"'}, "ruling.speed is"),
        ({"bot.bold.weights.sink": "2001"}, "bot.bold.weights.sink is 2001"),
    ],
)
def test_a_pack_that_makes_no_sense_is_refused_with_a_path(sets: dict[str, str], told: str) -> None:
    lines = wrong(sets)
    assert any(told in line for line in lines), lines


def test_a_bag_without_tokens_is_refused() -> None:
    slugs = [slug for slug, token in reference("voyage").cards["token"].items() if token.mode == "base"]
    lines = wrong({f"token.{slug}.mode": '"easy"' for slug in slugs})
    assert any("token has 0 base tokens for the bag; allowed: 10, as rules say" in line for line in lines)


def test_all_mistakes_come_at_once() -> None:
    lines = wrong({"ship.raft.type": '""', "die.first.faces": "[]", "route.perth_project_x.ends": '["perth", "x"]'})
    assert len(lines) == 3


@pytest.mark.parametrize("name", ["knight", "vehicle"])
def test_a_setting_names_only_who_is_there(name: str) -> None:
    with pytest.raises(Mistakes, match=rf"table.{name} is 7; allowed: at most 3"):
        load_tables(reference("voyage"), {name: 7})
