"""The worked examples that the rulebook of Waste Knights prints off combat, with its numbers and as they are told."""

from __future__ import annotations

from typing import Any

import pytest

from tests.board_table import Table, table

ONE_DIE = {
    f"knight.{slug}.skills.{skill}": "1"
    for slug in ("mel_gearson", "heat_leisure", "hugh_jackal")
    for skill in ("talk", "survival", "repair", "medicine")
}


def board(rules: Any, *knights: str, vehicle: str = "", **sets: str) -> Table:
    """The first knight on 9 in a vehicle, the others far away; skills of one die."""
    b = table(rules, *knights, sets={**ONE_DIE, **sets}).at(knights[0], 9).drives(knights[0], vehicle)
    for other in knights[1:]:
        b.at(other, 33)
    return b


def story(b: Table) -> str:
    """What was told, without the last lines of the scores."""
    return "\n".join(["", *b.told()[: -len(b.knights)], ""])


@pytest.mark.rule("K1G-01", "K1H-03", "K1E-09", "K1E-12", "K1I-07", "K1E-24", "K5-32")
def test_mels_move(rules: Any) -> None:
    """3 Movement Points for a Fuel in a Heavy-duty, a card and one more for each desert, the escape from Wounded
    Stranger by a Hard Medicine check, and on to Gangraen."""
    cheap = {"tile.red_desert.difficulty": "1", "tile.gangraen.difficulty": "1"}
    b = board(rules, "Mel", "Naomi", vehicle="Heavy-duty", **cheap).at("Mel", 22)
    b.lay(9, "Red Desert").lay(2, "Red Desert").stack("Furball", "Car Wreck", "Wounded Stranger", "Tornado")
    b.move("Mel", "drive 0", "wait", "go on", "Wounded Stranger", "escape", "go on", faces=[9])
    mel = b.of("Mel")
    assert (mel.hex, mel.fuel, mel.fuel_spent, mel.travelled, mel.escaped, mel.reputation) == (0, 3, 1, 3, 1, 0)
    assert b.asked[1] == ["wait", "Furball", "Car Wreck"]
    assert b.asked[3] == ["wait", "Furball", "Car Wreck", "Wounded Stranger"]
    assert b.discards() == ["Furball", "Car Wreck", "Wounded Stranger"] and b.left(b.s.cards) == 1
    told = """
Mel Gearson, on Fern Jungle (22).
  drives to Gangraen (0) for 3 Movement Points, 1 Fuel.
    Mel Gearson: Fuel -1, 3 now.
  enters Red Desert (9).
    The Waster sees Furball.
    The Waster sees Car Wreck.
  enters Red Desert (2).
    The Waster sees Wounded Stranger.
    The Waster plays Wounded Stranger.
    Mel Gearson checks Medicine 9: 1 die, 1 success.
    Mel Gearson escapes.
  enters Gangraen (0).
"""
    assert story(b) == told


@pytest.mark.rule("K1E-21", "K4-03", "K1E-30", "K1H-11", "K1G-02", "K5-79")
def test_naomis_pool_of_one_die(rules: Any) -> None:
    """Survival 2, a die by Prepper's Kit, 2 less at 1 Health: one die, and its 8 passes a 7."""
    b = board(rules, "Naomi", "Mel", **{"knight.naomi_vatt.skills.survival": "2"}).lay(9, "Old Refinery")
    b.give("Naomi", "Prepper's Kit").dials("Naomi", health=1, fuel=0).drives("Naomi", "Strider")
    b.explore("Naomi", "fuel", faces=[8])
    assert b.of("Naomi").explored == 1 and b.now("Naomi") == (1, 4, 4, 0)
    assert story(b).endswith("""
    Naomi Vatt checks Survival 7: 1 die, 1 success.
  Naomi Vatt explores Old Refinery (9).
    Naomi Vatt's action: Fuel +4.
    Naomi Vatt: Fuel +4, 4 now.
""")


@pytest.mark.rule("K1J-06", "K1H-01", "K1H-10", "K1B-16", "K5-31", "K4-07", "K5-43", "K1E-06", "K1E-34")
def test_the_speed_record(rules: Any) -> None:
    """16 Movement Points over 8 hexes for 3 Fuel, 3 x 5 + 1; the reward is a car and 2 Reputation, and the Waster picks
    Nice Trophy! of two."""
    b = board(rules, "Mel", "Naomi", vehicle="Strider").at("Mel", 22).give("Mel", "Road Map").open("Speed Record")
    b.stack("Radiation Storm", "Tornado").stack_tasks(["Nice Trophy!", "Pit Fight", "Big Game"])
    for h in range(37):
        b.s.hex[h].obstruct = 0 if h in (23, 24, 25, 26, 27, 13, 4, 0) else 9
    b.s.hex[0].obstruct = 2 - b.t.tile[b.s.hex[0].tile].difficulty
    b.move("Mel", "drive 0", "Radiation Storm", "escape", *["go on"] * 7, "take", "Nice Trophy!", faces=[5])
    mel = b.of("Mel")
    assert (mel.travelled, mel.ridden, mel.crossed, mel.fuel, mel.hex) == (8, 16, 8, 1, 0)
    assert (b.vehicle("Mel"), mel.reputation, mel.tasks, b.tasks()) == ("Muscle Car", 2, 1, ["Nice Trophy!"])
    assert [b.tables.titles["task"][task] for task in b.s.common.deck[:2]] == ["Pit Fight", "Big Game"]
    assert "drives to Gangraen (0) for 16 Movement Points, 3 Fuel." in story(b)
    assert story(b).endswith("""
  enters Gangraen (0).
    Mel Gearson accomplishes Speed Record.
    Mel Gearson: Reputation +2, 2 now.
    Mel Gearson has the Muscle Car now.
Common task: Nice Trophy!.
""")


@pytest.mark.rule("K1I-02", "K1E-26")
def test_car_wreck_as_told(rules: Any) -> None:
    """Kate faces it: she stops, loses 1 Ammo, skips her exploration, and gains 1 Reputation and 3 Fuel."""
    b = board(rules, "Kate", "Naomi", vehicle="Strider").at("Kate", 22).dials("Kate", fuel=1)
    b.lay(9, "Rusty's Garden").stack("Car Wreck").move("Kate", "drive 9", "face")
    assert b.now("Kate") == (4, 3, 3, 0) and b.of("Kate").hex == 9 and b.of("Kate").reputation == 1
    b.do("exploration.explore_all")
    assert b.asked == [] and b.of("Kate").skip == 1
    told = """
Kate Blanksheet, on Fern Jungle (22).
  drives to Rusty's Garden (9) for 2 Movement Points, 1 Fuel.
    Kate Blanksheet: Fuel -1, 0 now.
  enters Rusty's Garden (9).
    The Waster sees Car Wreck.
    The Waster plays Car Wreck.
    Kate Blanksheet faces it.
    Kate Blanksheet: Ammo -1, 3 now.
    Kate Blanksheet: Reputation +1, 1 now.
    Kate Blanksheet: Fuel +3, 3 now.
  stops there.
Exploration.
  Naomi Vatt explores Fern Jungle (33).
"""
    assert story(b) == told
    b.prepare()
    assert b.of("Kate").skip == 0


@pytest.mark.rule("K1I-01", "K1E-25", "K5-36")
def test_acid_rain_as_told(rules: Any) -> None:
    """Heat fails his escape: he stops, loses 1 Health, and the Waster lays Contamination."""
    b = board(rules, "Heat", "Naomi", vehicle="Strider").at("Heat", 22)
    b.s.hex[10].obstruct = 9
    b.stack("Acid Rain").move("Heat", "drive 0", "Acid Rain", "escape", faces=[1])
    assert (b.of("Heat").hex, b.of("Heat").skip) == (9, 0) and b.now("Heat")[0] == 3
    wet = [h for h in range(37) if b.s.hex[h].contaminate]
    assert wet == [h for h in range(37) if b.t.map.far[9, h] <= 1] and b.discards() == ["Acid Rain"]
    assert story(b).endswith("""
  enters Fern Jungle (9).
    The Waster sees Acid Rain.
    The Waster plays Acid Rain.
    Heat Leisure checks Survival 7: 1 die, failed.
    Heat Leisure: Health -1, 3 now.
    Tokens on Fern Jungle (9) and around: contaminate.
  stops there.
""")


@pytest.mark.rule("K1J-10", "K1G-08", "K1E-32", "K5-46", "K5-47", "K5-41")
def test_burn_baby_burn(rules: Any) -> None:
    """Hugh explores the Old Refinery by a Survival check and accepts by a Repair check, both 7; he explores Rusty's
    Garden and accomplishes it. Nobody else can take it from him meanwhile."""
    burn = "Burn, Baby, Burn!"
    b = board(rules, "Hugh", "Mel", "Chris").lay(9, "Old Refinery").lay(20, "Rusty's Garden").open(burn)
    b.stack_tasks(private=["Last Letter", "Arms Deal"]).stack_gear("Trailer")
    b.always(act="no").explore("Hugh", burn, faces=[9, 9])
    assert b.s.post[0].holder == 0 and b.of("Hugh").tasks == 0
    for h, faces in ((9, [9]), (20, [])):
        b.at("Mel", h).explore("Mel", faces=faces)
        assert not any(burn in asked for asked in b.asked)
    b.at("Hugh", 20).explore("Hugh", burn, "Arms Deal")
    hugh = b.of("Hugh")
    assert (hugh.tasks, hugh.reputation, b.has("Hugh")) == (1, 2, ["Trailer"])
    assert b.tasks() == ["Arms Deal"] and b.s.post[0].holder == -1
    assert [line for line in b.told() if "Hugh" in line][:4] == [
        "    Hugh Jackal checks Survival 7: 1 die, 1 success.",
        "  Hugh Jackal explores Old Refinery (9).",
        "    Hugh Jackal checks Repair 7: 1 die, 1 success.",
        "    Hugh Jackal accepts Burn, Baby, Burn!.",
    ]
