"""Meeting other knights: challenges, duels, theft, revival."""

from __future__ import annotations

from typing import Any

import pytest

from tests.board_table import Table, table
from tests.golden.fights import ATTACK, DEFEND, PREPARE

HIT, MISS = 9, 1
NO_CARD = "Wandering Merchant"
SETS = {
    "knight.mel_gearson.skills.survival": "1", "knight.chris_hammersworn.skills.survival": "1",
    "knight.mel_gearson.skills.talk": "1", "knight.chris_hammersworn.skills.talk": "1",
    "knight.mel_gearson.skills.guns": "2", "knight.mel_gearson.effects": "[]",
}  # fmt: skip


def met(rules: Any, **sets: str) -> Table:
    """Chris on 22, about to walk to 9, where Mel stands; the card that he meets there he escapes with a 9."""
    b = table(rules, "Chris", "Mel", sets={**SETS, **sets}).at("Chris", 22).at("Mel", 9).stack(*[NO_CARD] * 4)
    return b.give("Chris", "P-A Shotgun").give("Mel", "P-A Shotgun")


@pytest.mark.rule("K1E-41", "K1F-32", "K5-87", "K5-88", "K5-90", "K1E-40", "K5B-03")
def test_a_duel_by_consent(rules: Any) -> None:
    """No check is needed; the winner has 1 Reputation and may steal, even what is on the sheet."""
    b = met(rules).dials("Mel", health=1).open("Pit Fight").give("Mel", "Road Map")
    b.move("Chris", "walk 9", "duel", "agree", ATTACK, PREPARE, "Road Map", "escape", faces=[HIT, HIT, HIT])
    chris, mel = b.of("Chris"), b.of("Mel")
    assert (chris.reputation, chris.duels, chris.duels_won, mel.duels, mel.out) == (2, 1, 1, 1, 1), (
        "1 more for Pit Fight"
    )
    assert (chris.fame_duels, chris.fame_tasks, chris.fame_fights) == (1, 1, 0)
    assert "Road Map" in b.has("Chris") and b.has("Mel") == ["P-A Shotgun"] and chris.stolen == 1
    assert mel.beaten_by == 0 and chris.ammo == 3 and b.tasks() == [""]


@pytest.mark.rule("K4-47", "K5-81", "K5-82", "K5-45", "K5-90")
def test_a_duel_that_beats_both(rules: Any) -> None:
    """FK5: nobody wins, gains Reputation or steals, and each has defeated a knight: a common task goes to the active
    knight, and each meets his own; what comes in its place is not met by the same duel."""
    deed = {"need": '"defeat_knight"', "skill": '""', "difficulty": "0", "hex": "0"}
    sets = {f"task.{task}.{key}": value for task in ("burn_baby_burn.second", "last_letter.first")
            for key, value in deed.items()}  # fmt: skip
    b = met(rules, **sets).dials("Mel", health=1).dials("Chris", health=1).stack_tasks(["Pit Fight", "Pit Fight"])
    b.open("Pit Fight").open("Burn, Baby, Burn!", holder="Mel").open("Last Letter")
    b.do("meetings.duel", 0, 1, words=[ATTACK, ATTACK, "Pit Fight"], faces=[HIT, HIT])
    chris, mel = b.of("Chris"), b.of("Mel")
    assert (chris.out, mel.out, chris.duels_won, mel.duels_won, chris.fame_duels, mel.fame_duels) == (1, 1, 0, 0, 0, 0)
    assert (chris.tasks, mel.tasks, b.tasks()[:2]) == (1, 1, ["Pit Fight", ""])
    assert b.s.post[2].holder == 0, "Chris, who holds no other, has accepted it"
    b.dials("Mel", out=0, health=1).dials("Chris", out=0, health=2)
    b.do("meetings.duel", 1, 0, words=[ATTACK, PREPARE, "no"], faces=[HIT])
    assert (chris.tasks, mel.tasks) == (1, 2), "of the next duel only the winner has defeated a knight"


@pytest.mark.rule("K1E-38", "K5-88", "K4-48")
def test_who_refuses_is_searched_for(rules: Any) -> None:
    """Survival 7, once a knight and move; a failed check changes nothing, and the move goes on."""
    b = met(rules)
    b.move("Chris", "walk 9", "duel", "refuse", "escape", faces=[MISS, HIT])
    assert (b.of("Chris").duels, b.of("Chris").hex) == (0, 9) and len([a for a in b.asked if "duel" in a]) == 1
    b.at("Chris", 22).dials("Mel", health=1)
    b.move("Chris", "walk 9", "duel", "refuse", ATTACK, PREPARE, "no", "escape", faces=[HIT, HIT, HIT, HIT])
    assert b.of("Chris").duels_won == 1


@pytest.mark.rule("K4-48", "K5-87")
def test_before_or_after_the_card(rules: Any) -> None:
    """As the active knight likes; who stands where he starts is not on his route."""
    b = met(rules).at("Mel", 22)
    b.move("Chris", "walk 9", "escape", faces=[HIT])
    assert not any("duel" in asked for asked in b.asked)
    b = met(rules)
    b.move("Chris", "walk 9", "pass", "escape", "duel", "refuse", faces=[HIT, MISS])
    assert len([asked for asked in b.asked if "duel" in asked]) == 2
    b = table(rules, "Chris", "Mel", sets=SETS, duels=0).at("Chris", 22).at("Mel", 9).stack(NO_CARD)
    b.move("Chris", "walk 9", "escape", faces=[HIT])
    assert not any("duel" in asked for asked in b.asked)


@pytest.mark.rule("K5-89", "K1F-32", "K5B-26")
def test_two_defends_end_in_trade(rules: Any) -> None:
    """A forced meeting, too."""
    b = met(rules).give("Mel", "Road Map").give("Chris", "Toolbox")
    words = ["duel", "refuse", DEFEND, DEFEND, "Toolbox for Road Map", "agree", "no"]
    b.move("Chris", "walk 9", *words, "escape", faces=[HIT, HIT])
    assert "Road Map" in b.has("Chris") and "Toolbox" in b.has("Mel") and b.of("Chris").reputation == 0


@pytest.mark.rule("K1E-39", "K4-46", "K5B-02")
def test_reviving(rules: Any) -> None:
    """A search check; 2 healed on each dial at K.O., 1 Reputation, and the two may trade."""
    b = met(rules).dials("Mel", out=1, health=0, radiation=4).give("Chris", "Toolbox").give("Mel", "Road Map")
    b.move("Chris", "walk 9", "revive", "Toolbox for Road Map", "agree", "no", "escape", faces=[HIT, HIT])
    assert (b.of("Mel").out, b.now("Mel")[0], b.now("Mel")[3]) == (0, 2, 2) and b.of("Chris").reputation == 1
    assert "Toolbox" in b.has("Mel") and b.of("Chris").revived == 1
    b.do("movement.move_all", words=["stay", "walk 2", "escape"], faces=[HIT])
    assert b.of("Mel").hex == 2, "his own move was still to come"
    b = met(rules).dials("Mel", out=1, health=0)
    b.move("Chris", "walk 9", "revive", "escape", faces=[MISS, HIT])
    assert b.of("Mel").out == 1 and len([a for a in b.asked if "revive" in a]) == 1, "one check, and no second try"


@pytest.mark.rule("K1E-39")
def test_the_winner_does_not_revive_his_victim(rules: Any) -> None:
    b = met(rules).dials("Mel", out=1, health=0, beaten_by=0)
    b.move("Chris", "walk 9", "pass", "escape", "pass", faces=[HIT])
    assert [asked for asked in b.asked if "steal" in asked] == [["pass", "steal"]] * 2
    b.s.rounds = 0
    b.prepare()
    assert b.of("Mel").beaten_by == -1, "only in that round"


@pytest.mark.rule("K1E-40", "K5B-03", "K5B-27", "K1D-12")
def test_stealing(rules: Any) -> None:
    """A card but no blue one and nothing printed on the sheet; 2 Fuel, 2 Ammo, or the private task, which loses a
    mark."""

    def robbed() -> Table:
        b = met(rules).dials("Mel", out=1, health=0, fuel=1).dials("Chris", fuel=2, ammo=3).drives("Chris", "Strider")
        b.give("Mel", "Road Map", "Cyber-arm").open("Last Letter", holder="Mel", marks=2)
        b.of("Mel").own[0] = 1
        return b

    b = robbed().move("Chris", "walk 9", "steal", "fuel", "escape", faces=[HIT, HIT])
    assert next(asked for asked in b.asked if "task" in asked) == ["no", "fuel", "ammo", "task", "Road Map"]
    assert (b.now("Chris")[2], b.now("Mel")[2]) == (3, 0), "as much as there is"
    b = robbed().move("Chris", "walk 9", "steal", "ammo", "escape", faces=[HIT, HIT])
    assert (b.now("Chris")[1], b.now("Mel")[1]) == (4, 3), "and as there is room for"
    for loot, dial in (("fuel", 2), ("ammo", 1)):
        b = robbed().dials("Mel", fuel=3, ammo=3).dials("Chris", fuel=2, ammo=1)
        b.move("Chris", "walk 9", "steal", loot, "escape", faces=[HIT, HIT])
        assert (b.now("Chris")[dial], b.now("Mel")[dial]) == ({"fuel": 4, "ammo": 3}[loot], 1), "two"
    b = robbed().move("Chris", "walk 9", "steal", "task", "escape", faces=[HIT, HIT])
    assert (b.s.post[0].holder, b.s.post[0].marks) == (0, 1)
    b = robbed().move("Chris", "walk 9", "steal", "Road Map", "escape", faces=[HIT, HIT])
    assert "Road Map" in b.has("Chris") and b.has("Mel") == ["Cyber-arm", "P-A Shotgun"]


@pytest.mark.rule("K4-47", "K4-45")
def test_both_beaten(rules: Any) -> None:
    """No Reputation, no theft; and no tower helps in a duel."""
    b = met(rules).dials("Mel", health=1).dials("Chris", health=1).lay(9, "Cerbero Tower")
    b.move("Chris", "walk 9", "duel", "agree", ATTACK, ATTACK, faces=[HIT] * 2)
    assert (b.of("Chris").out, b.of("Mel").out, b.of("Chris").reputation, b.of("Mel").reputation) == (1, 1, 0, 0)
    assert b.of("Chris").duels_won == b.of("Mel").duels_won == 0
