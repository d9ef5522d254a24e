"""Wasteland cards: what the Waster shows and plays, escape or face, events and enemies as told."""

from __future__ import annotations

from typing import Any

import pytest

from tests.board_table import Table, table
from tests.golden.fights import ATTACK, DEFEND, PREPARE

RAIDERS, RAIN, WRECK, MERCHANT = "Hell Raiders", "Acid Rain", "Car Wreck", "Wandering Merchant"
DESERT = "Red Desert"
HIT, MISS = 9, 1
ONE_DIE = {
    f"knight.{slug}.skills.{skill}": "1"
    for slug in ("mel_gearson", "heat_leisure", "russel_crown")
    for skill in ("talk", "survival", "repair", "medicine")
}


def walking(rules: Any, *cards: str, name: str = "Mel", **sets: str) -> Table:
    """A knight on foot on 22, and what the Waster has for him: `move(name, "walk 9", ...)`."""
    return table(rules, name, "Naomi", sets={**ONE_DIE, **sets}).at(name, 22).at("Naomi", 33).stack(*cards)


def armed(rules: Any, *cards: str, **sets: str) -> Table:
    """Chris on foot on 22 with his P-A Shotgun, which kills Hell Raiders with a hit."""
    b = table(rules, "Chris", "Naomi", sets=sets).at("Chris", 22).at("Naomi", 33).stack(*cards)
    return b.give("Chris", "P-A Shotgun")


def rewards(**many: int) -> str:
    """Rewards of an enemy as TOML."""
    names = ("reputation", "green", "yellow", "red", "ammo", "fuel")
    return "{ " + ", ".join(f"{name} = {many.get(name, 0)}" for name in names) + " }"


# ---------------------------------------------------------------- the Waster


@pytest.mark.rule("K1E-13", "K4-08", "K1E-12")
def test_exactly_one_card_is_played(rules: Any) -> None:
    """On any hex entered, by the last one; then further threats are ignored, and what was shown is discarded."""
    b = table(rules, "Mel", "Naomi", sets=ONE_DIE).at("Mel", 22).at("Naomi", 33).drives("Mel", "Strider")
    for h in (9, 2):
        b.lay(h, DESERT)
    b.s.hex[10].obstruct = 9
    b.stack(MERCHANT, RAIN, WRECK, RAIDERS)
    b.move("Mel", "drive 0", MERCHANT, "escape", "go on", "go on", faces=[5])
    assert b.discards() == [MERCHANT, RAIN] and b.left(b.s.cards) == 2 and b.of("Mel").hex == 0
    b.at("Mel", 22).stack(MERCHANT, RAIN, WRECK, RAIDERS)
    b.move("Mel", "drive 0", "wait", "go on", "wait", "go on", WRECK, "escape", faces=[HIT])
    assert b.asked[-2] == [MERCHANT, RAIN, WRECK], "no more to wait for on the last hex"
    assert b.discards() == [MERCHANT, RAIN, WRECK]


@pytest.mark.rule("K4-11", "K5-49", "K5-50", "K1J-08")
def test_a_bound_waster(rules: Any) -> None:
    """He shows on until a fitting card comes, and plays one that fits; on everybody's move, or on the holder's."""
    machines = {"enemy.watch_drone.traits": '["machine"]', "enemy.furball.traits": '["beast"]'}
    for title, holder, bound in (
        ("Robo-killer", "", True),
        ("Rust to Rust", "Mel", True),
        ("Rust to Rust", "Naomi", False),
    ):
        b = table(rules, "Mel", "Naomi", sets={**ONE_DIE, **machines}).at("Mel", 22).at("Naomi", 33)
        b.drives("Mel", "Strider").lay(9, DESERT).lay(2, DESERT).open(title, holder=holder)
        b.s.hex[10].obstruct = 9
        b.stack("Furball", RAIN, "Watch Drone")
        faces = [HIT]
        words = ["go on", "escape", "go on"] if bound else ["wait", "go on", "Furball", "escape", "go on"]
        b.move("Mel", "drive 0", *words, faces=faces)
        shown = [asked for asked in b.asked if RAIN in asked]
        assert shown == ([] if bound else [["wait", "Furball", RAIN], ["wait", "Furball", RAIN, "Watch Drone"]])
        assert b.discards()[-1] == "Watch Drone"
        assert ("The Waster plays Watch Drone" in "\n".join(b.told())) == bound


@pytest.mark.rule("K4-11", "K5-49")
def test_a_bound_waster_without_a_fitting_card_is_free(rules: Any) -> None:
    b = walking(rules, RAIN).open("Robo-killer")
    b.move("Mel", "walk 9", "escape", faces=[HIT])
    assert b.discards() == [RAIN]


# ---------------------------------------------------------------- events


@pytest.mark.rule("K1E-24", "K1E-27", "K5-35")
@pytest.mark.parametrize("card", [RAIN, RAIDERS])
def test_an_escape_leaves_nothing(rules: Any, card: str) -> None:
    b = walking(rules, card)
    b.move("Mel", "walk 9", "escape", faces=[HIT])
    assert b.asked[1] == ["escape", "face"] and b.now("Mel") == (4, 4, 4, 0) and b.of("Mel").stopped == 0
    assert b.discards() == [card] and (b.of("Mel").escaped, b.of("Mel").reputation, b.of("Mel").items) == (1, 0, 0)


@pytest.mark.rule("K1E-25", "K1I-02")
def test_a_failed_escape_brings_the_text_without_the_reward(rules: Any) -> None:
    b = walking(rules, WRECK)
    b.move("Mel", "walk 9", "escape", faces=[MISS])
    assert b.now("Mel") == (4, 3, 4, 0) and (b.of("Mel").reputation, b.of("Mel").skip) == (0, 1)


@pytest.mark.rule("K1I-03", "K1I-04", "K1I-05")
def test_storm_tornado_and_rough_terrain(rules: Any) -> None:
    b = walking(rules, "Radiation Storm").move("Mel", "walk 9", "face")
    assert b.now("Mel") == (4, 4, 4, 1) and b.of("Mel").reputation == b.of("Mel").items == 0
    b = walking(rules, "Tornado").move("Mel", "walk 9", "face")
    plain = b.t.tile[b.card("tile", "Fern Jungle")].difficulty
    assert b.do("movement.price_of_hex", 9) == plain + 1 and b.s.hex[9].obstruct == 1
    b = walking(rules, "Rough Terrain").drives("Mel", "Strider").move("Mel", "walk 9")
    assert len(b.asked) == 1 and b.vehicle("Mel") == "Strider" and b.discards() == ["Rough Terrain"], "not on foot"
    b = walking(rules, "Rough Terrain").drives("Mel", "Strider").move("Mel", "drive 9", "face")
    assert b.vehicle("Mel") == "damaged Strider"


@pytest.mark.rule("K1I-06", "K5B-25")
def test_a_wandering_merchant(rules: Any) -> None:
    """Trade outside a city, by the same rules, but for the special spaces."""
    b = walking(rules, MERCHANT).give("Mel", "Toolbox").sell(s0="Road Map", s7="Trailer", s9="Sky Link")
    b.move("Mel", "walk 9", "face", "Road Map")
    assert b.asked[2] == ["no", "Road Map"] and b.has("Mel") == ["Road Map"]


@pytest.mark.rule("K1I-08", "K5-38")
def test_hungry_locusts_count_successes(rules: Any) -> None:
    sets = {"knight.mel_gearson.skills.survival": "2"}
    b = walking(rules, "Hungry Locusts", **sets).move("Mel", "walk 9", "escape", faces=[HIT, MISS])
    assert b.now("Mel") == (3, 4, 3, 0)
    b = walking(rules, "Hungry Locusts", **sets).move("Mel", "walk 9", "escape", faces=[HIT, HIT])
    assert b.now("Mel")[0] == 4


@pytest.mark.rule("K5-08", "K5-07", "K4-04")
def test_weather_has_no_hold_on_kate(rules: Any) -> None:
    """A card that contradicts the book wins, and what forbids wins over what allows."""
    b = walking(rules, RAIN, name="Kate").move("Kate", "walk 9")
    assert len(b.asked) == 1 and b.now("Kate")[0] == 4 and not any(b.s.hex[h].contaminate for h in range(37))
    assert b.discards() == [RAIN]
    b = walking(rules, WRECK, name="Kate").move("Kate", "walk 9", "face")
    assert b.now("Kate")[1] == 3, "a wreck is no weather"


@pytest.mark.rule("K5-36")
def test_whom_an_event_touches(rules: Any) -> None:
    """Knights on the hex, on it and around, all, or all others."""
    for whom, hit in (
        ("here", [1, 1, 0, 0]),
        ("around", [1, 1, 1, 0]),
        ("everyone", [1] * 4),
        ("rivals", [0, 1, 1, 1]),
    ):
        rows = f'[{{ when = "always", what = "radiation", whom = "{whom}", many = 1 }}]'
        b = table(rules, "Mel", "Naomi", "Chris", "Kate", sets={"event.mirage.errands": rows})
        b.at("Mel", 9).at("Naomi", 9).at("Chris", 2).at("Kate", 33)
        b.do("wasteland.befall", 0, b.wasteland("Mirage"), b.rules["knights.board_bots"].FACED)
        assert [b.now(name)[3] for name in ("Mel", "Naomi", "Chris", "Kate")] == hit, whom


# ---------------------------------------------------------------- enemies


@pytest.mark.rule("K1E-29", "K5-85", "K1I-09")
def test_a_fight_is_won(rules: Any) -> None:
    b = armed(rules, RAIDERS).stack_gear("Road Map")
    b.move("Chris", "walk 9", "face", ATTACK, PREPARE, faces=[HIT, HIT])
    chris = b.of("Chris")
    assert (chris.won, chris.ammo, chris.ammo_spent, chris.hex) == (1, 3, 1, 9)
    assert b.has("Chris") == ["P-A Shotgun", "Road Map"] and b.discards() == [RAIDERS]


@pytest.mark.rule("K1E-29", "K5-85", "K4-15")
def test_a_fight_is_lost(rules: Any) -> None:
    """Dials come home from it: here the knight falls, and his move ends; the card is discarded all the same."""
    b = armed(rules, RAIDERS).dials("Chris", health=1).drives("Chris", "Strider")
    b.s.hex[10].obstruct = 9
    b.move("Chris", "drive 0", RAIDERS, "face", DEFEND, ATTACK, faces=[HIT, HIT])
    assert (b.of("Chris").out, b.of("Chris").lost, b.of("Chris").knocked, b.of("Chris").hex) == (1, 1, 1, 9)
    assert b.discards() == [RAIDERS] and b.of("Chris").items == 1


@pytest.mark.rule("K1E-28", "K4-16", "K1I-11", "K5-37")
@pytest.mark.parametrize(
    ("gains", "lost"),
    [({"green": 2}, 1), ({"red": 1}, 2), ({"reputation": 1}, 2), ({"reputation": 2, "red": 1}, 2)],
)
def test_a_failed_escape_from_an_enemy(rules: Any, gains: dict[str, int], lost: int) -> None:
    """1 Health, and one more, never two, for a red card or Reputation among the rewards; the move goes on."""
    sets = {"enemy.furball.rewards": rewards(**gains)}
    b = walking(rules, "Furball", **sets).drives("Mel", "Strider")
    b.s.hex[10].obstruct = 9
    b.move("Mel", "drive 0", "Furball", "escape", "go on", "go on", faces=[MISS])
    assert b.now("Mel")[0] == 4 - lost and b.of("Mel").hex == 0
    assert (b.of("Mel").items, b.of("Mel").reputation, b.s.combats) == (0, 0, 0)


@pytest.mark.rule("K4-15", "K1E-23")
def test_a_failed_escape_that_knocks_out(rules: Any) -> None:
    b = walking(rules, RAIDERS).drives("Mel", "Strider").dials("Mel", health=1)
    b.s.hex[10].obstruct = 9
    b.move("Mel", "drive 0", RAIDERS, "escape", faces=[MISS])
    assert (b.of("Mel").hex, b.of("Mel").out, b.of("Mel").knocked) == (9, 1, 1)


@pytest.mark.rule("K1I-10", "K1E-29")
def test_inhr_as_told(rules: Any) -> None:
    """2 dice less for Russel, and 1 Reputation and a yellow card if he wins; then he moves on."""
    sets = {
        "enemy.inhr.health": "1", "enemy.inhr.armor": "0", "enemy.inhr.ferocious": "false",
        "enemy.inhr.icons": '["medium"]',
        "knight.russel_crown.skills.guns": "4", "knight.russel_crown.effects": "[]",
    }  # fmt: skip
    b = table(rules, "Russel", "Naomi", sets=sets).at("Russel", 22).at("Naomi", 33).give("Russel", "P-A Shotgun")
    b.stack("InHR").stack_gear("Trailer").move("Russel", "walk 9", "face", ATTACK, PREPARE, faces=[MISS, HIT])
    russel = b.of("Russel")
    assert russel.reputation == russel.fame_fights == 1 and "Trailer" in b.has("Russel") and russel.stopped == 0


@pytest.mark.rule("K1I-13", "K1I-14", "K1I-15", "K1I-17")
def test_what_named_enemies_can_do(rules: Any) -> None:
    """Their texts in the pack, and that the board reads Digger's."""
    pack = rules.pack("knights.board")
    what = {slug: {(e.when, e.what) for e in pack.cards["enemy"][slug].effects} for slug in pack.cards["enemy"]}
    assert ("won", "ammo") in what["alices_exiles"] and ("clash_end", "set_range") in what["silent_howler"]
    assert ("start", "vehicle") in what["digger_2_0"]
    assert {"beast", "cult", "gang", "machine", "mutant"} == {t for e in pack.cards["enemy"].values() for t in e.traits}
    sets = {"enemy.digger_2_0.health": "1", "enemy.digger_2_0.armor": "0", "enemy.digger_2_0.icons": '["medium"]'}
    b = armed(rules, "Digger 2.0", **sets).drives("Chris", "Strider")
    b.move("Chris", "drive 9", "face", ATTACK, PREPARE, faces=[HIT, HIT])
    assert b.vehicle("Chris") == "damaged Strider" and b.of("Chris").won == 1


@pytest.mark.rule("K1I-12", "K5-37", "K5B-17")
def test_shelobie_marks_what_runs_from_her(rules: Any) -> None:
    """Her words speak of the escape check, so they count; those of other enemies wait for a combat."""
    b = walking(rules, "Shelobie").give("Mel", "First-aid Kit", "Road Map", "Auto-doc", "Night Goggles")
    b.move("Mel", "walk 9", "escape", faces=[MISS])
    mel = b.of("Mel")
    marked = [b.items()[mel.thing[i]] for i in range(mel.items) if mel.marked[i]]
    assert len(marked) == 2 and "Road Map" not in marked and b.now("Mel") == (2, 4, 4, 0)


@pytest.mark.rule("K1C-11")
def test_a_tower_helps_enemies(rules: Any) -> None:
    """2 dice more on the hex where the card is played, if it is the tower's or beside it."""
    for tower, dice in ((9, 2), (2, 2), (16, 0)):
        b = armed(rules, RAIDERS).lay(tower, "Cerbero Tower")
        b.move("Chris", "walk 9", "face", DEFEND, ATTACK, DEFEND, DEFEND, DEFEND, DEFEND, faces=[MISS] * (2 + dice))
        assert b.s.rules.table.enemy_dice == dice
