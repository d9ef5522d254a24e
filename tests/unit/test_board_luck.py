"""Luck cards: the hand and its limit, timing, quick resupply."""

from __future__ import annotations

from typing import Any

import pytest

from tests.board_table import Table, table
from tests.golden.fights import ATTACK, DEFEND, PREPARE

HIT, MISS = 9, 1


@pytest.mark.rule("K1D-07", "K5-24")
def test_a_hand_of_five_at_most(rules: Any) -> None:
    """At any moment; what goes is what its owner thinks least of. One more a round."""
    b = table(rules, "Mel", "Naomi").hand("Mel", *["Second Wind"] * 5).stack_luck("Deadly Quick", "Second Wind")
    b.prepare()
    worth = {title: int(b.t.luck[b.card("luck", title)].worth) for title in ("Second Wind", "Deadly Quick")}
    assert worth["Second Wind"] > worth["Deadly Quick"]
    assert b.luck("Mel") == ["Second Wind"] * 5 or b.luck("Naomi") == ["Deadly Quick"]
    assert len(b.luck("Mel")) == 5 and len(b.luck("Naomi")) == 1 and b.s.luck.discarded + b.s.luck.left == 1


@pytest.mark.rule("K1J-05", "K5-25", "K1J-04")
def test_cards_are_played_at_their_time(rules: Any) -> None:
    """Any number, each at the moment that it names; what would be wasted now stays, too."""
    luck = rules["knights.luck"]
    b = table(rules, "Mel", "Naomi").dials("Mel", ammo=0)
    b.hand("Mel", "Hidden Magazine", "Witness Me!", "Deadly Quick", "All Night on the Road", "Second Wind")
    for moment, asked in (
        (luck.RESTING, ["no", "Hidden Magazine"]),
        (luck.MOVING, ["no", "Hidden Magazine", "All Night on the Road"]),
        (luck.WON, ["no", "Hidden Magazine", "Witness Me!"]),
    ):
        b.do("luck.play_luck", 0, moment, words=["no"])
        assert b.asked == [asked]
    b.do("luck.play_luck", 0, luck.WON, words=["Witness Me!", "Hidden Magazine"])
    assert b.of("Mel").reputation == 1 and b.now("Mel")[1] == 2 and b.of("Mel").luck_played == 2
    assert b.luck("Mel") == ["All Night on the Road", "Deadly Quick", "Second Wind"] and b.s.luck.discarded == 2


@pytest.mark.rule("K1J-04")
def test_witness_me_comes_after_a_victory(rules: Any) -> None:
    b = table(rules, "Chris", "Naomi").at("Chris", 22).at("Naomi", 33).give("Chris", "P-A Shotgun")
    b.hand("Chris", "Witness Me!").stack("Hell Raiders", "Hell Raiders")
    b.move("Chris", "walk 9", "face", ATTACK, PREPARE, "Witness Me!", faces=[HIT] * 2)
    assert b.of("Chris").won == 1 and b.of("Chris").reputation == 1 and b.luck("Chris") == []
    b.hand("Chris", "Witness Me!")
    b.move("Chris", "walk 22", "face", *[DEFEND] * 6)
    assert b.asked[-1] == ["escape", "face"] and b.luck("Chris") == ["Witness Me!"], "a draw is no victory"


@pytest.mark.rule("K1F-35", "K1J-02", "K1J-03", "K5-59")
def test_luck_cards_in_a_combat(rules: Any) -> None:
    """Deadly Quick before it, Faster, faster! for the dice of one attack: used cards leave the hand, others stay, and
    nobody else plays any."""
    b = table(rules, "Chris", "Naomi").at("Chris", 22).at("Naomi", 33).give("Chris", "P-A Shotgun")
    b.stack("Hell Raiders").hand("Chris", "Deadly Quick", "Faster, faster!", "Lucky Find")
    b.hand("Naomi", "Faster, faster!", "Not So Fast!")
    to_long, faster = 3, 1
    words = ("no", "walk 9", "face", to_long, ATTACK, PREPARE, faster, "no")
    b.move("Chris", *words, faces=[HIT] * 3)
    assert b.luck("Chris") == ["Lucky Find"] and b.luck("Naomi") == ["Faster, faster!", "Not So Fast!"]
    assert b.s.fight.start_range == 2 and b.of("Chris").luck_played == 2


def duel(rules: Any, first: str, second: str, **sets: str) -> Table:
    """Chris and Naomi with a shotgun each and luck cards (divided by commas), about to meet on hex 10."""
    b = table(rules, "Chris", "Naomi", sets={"knight.naomi_vatt.skills.guns": "2", **sets})
    b.at("Chris", 9).at("Naomi", 10).stack("Rough Terrain")
    for name, cards in (("Chris", first), ("Naomi", second)):
        b.give(name, "P-A Shotgun").hand(name, *filter(None, cards.split(", ")))
    return b


MEET = ("walk 10", "duel", "agree")
KEEP, PLAY = 0, 1
STRIKES, HAPPENS = 5, 9
REST = (DEFEND, DEFEND, DEFEND, DEFEND, "no")
"""The other clashes, and nothing stolen."""

DICE = {"luck.aim_low.effects": '[{ when = "attack", what = "dice", whom = "self", many = 1 }]'}


@pytest.mark.rule("K5-77", "K4-44", "K1J-05")
def test_luck_cards_around_an_attack_check(rules: Any) -> None:
    """The attacker first, then the defender, in turn until both pass; each card for this one attack."""
    b = duel(rules, "", "Sand in the Eyes", **DICE).hand("Chris", "Faster, faster!", "Aim Low")
    asked = (KEEP, PLAY, 2, 0)
    b.move("Chris", *MEET, ATTACK, PREPARE, *asked, *REST, faces=[MISS])
    told = [note for note in b.journal if note.what in (STRIKES, HAPPENS)]
    assert [(note.a, note.d) for note in told[:-1]] == [(1, -2), (0, 1)] and told[-1].c == 2 + 1 - 2
    assert b.s.fight.used == 0, "for this attack alone"
    assert b.luck("Chris") == ["Faster, faster!"] and b.luck("Naomi") == []


@pytest.mark.rule("K5-77", "K4-44")
def test_who_attacks_second_is_the_first_to_play_on_his_attack(rules: Any) -> None:
    b = duel(rules, "Sand in the Eyes", "", **DICE).hand("Naomi", "Faster, faster!")
    b.move("Chris", *MEET, PREPARE, ATTACK, PLAY, PLAY, *REST, faces=[MISS] * 2)
    told = [(note.a, note.d) for note in b.journal if note.what == HAPPENS]
    assert told == [(1, 2), (0, -2)], "Naomi attacks, so she is asked first"


@pytest.mark.rule("K5-77", "K1J-05")
def test_an_attack_check_is_rolled_again(rules: Any) -> None:
    """After its dice; the new result stands, and the Ammo is paid once. The card is not for the other's check."""
    b = duel(rules, "Second Try", "Second Try")
    b.move("Chris", *MEET, ATTACK, PREPARE, PLAY, *REST, faces=[MISS, MISS, HIT, MISS])
    assert (b.of("Chris").ammo, b.of("Naomi").health) == (3, 2) and b.luck("Naomi") == ["Second Try"]
    assert [note.d for note in b.journal if note.what == STRIKES] == [0, 1 << 6]


@pytest.mark.rule("K5-26", "K5-59")
def test_a_reply_in_a_duel(rules: Any) -> None:
    """The opponent's Not So Fast! undoes a luck card, and one of one's own undoes that."""
    for second, plays, dice in (("Not So Fast!", [PLAY, PLAY], 2), ("Not So Fast!", [PLAY, KEEP], 4)):
        b = duel(rules, "", second).hand("Chris", "Faster, faster!")
        b.move("Chris", *MEET, ATTACK, PREPARE, *plays, *REST, faces=[MISS] * dice)
        assert b.luck("Chris") == [] and len(b.luck("Naomi")) == (dice == 4)
    b = duel(rules, "Not So Fast!", "Not So Fast!").hand("Chris", "Faster, faster!")
    b.move("Chris", *MEET, ATTACK, PREPARE, PLAY, PLAY, PLAY, *REST, faces=[MISS] * 4)
    assert b.luck("Chris") == b.luck("Naomi") == [] and b.of("Chris").luck_played == 2


# ---------------------------------------------------------------- off combat


@pytest.mark.rule("K1J-05", "K4-44", "K5-25", "K5-15")
def test_luck_cards_on_a_check(rules: Any) -> None:
    """He who checks first, then the others round the table, until all pass; dice are gained and lost before the least
    of one die counts. The active knight is asked again after a rival has played."""
    b = table(rules, "Mel", "Naomi", "Chris").at("Mel", 9).at("Naomi", 33).at("Chris", 22).stack("Wounded Stranger")
    dice = int(b.t.fight.knight[b.of("Mel").role].skill[5])
    b.hand("Mel", "Steady Hand", "Second Try").hand("Naomi", "Bad Omen", "Second Try").hand("Chris", "Bad Omen")
    words = ("walk 10", "escape", "no", "Bad Omen", "Bad Omen", "Steady Hand", "no")
    b.move("Mel", *words, faces=[MISS] * max(1, dice + 2 - 4))
    hers, theirs = ["no", "Steady Hand"], ["no", "Bad Omen"]
    assert b.asked[2:] == [hers, theirs, theirs, hers, ["no", "Second Try"]]
    assert b.of("Mel").skip == 1 and b.s.extra == 0
    told = [line.strip() for line in b.told() if "plays" in line and "Waster" not in line]
    assert told == ["Naomi Vatt plays Bad Omen.", "Chris Hammersworn plays Bad Omen.", "Mel Gearson plays Steady Hand."]


@pytest.mark.rule("K1J-05")
def test_a_check_is_rolled_again(rules: Any) -> None:
    b = table(rules, "Mel", "Naomi").at("Mel", 9).at("Naomi", 33).lay(9, "Old Refinery").hand("Mel", "Second Try")
    dice = int(b.t.fight.knight[b.of("Mel").role].skill[3])
    b.explore("Mel", "Second Try", "fuel", faces=[MISS] * dice + [HIT] * dice)
    assert b.of("Mel").explored == 1 and b.luck("Mel") == []


@pytest.mark.rule("K5-26", "K4-44")
def test_others_may_reply_before_a_luck_card_takes_effect(rules: Any) -> None:
    """The active knight first, then round the table; a reply can be replied to, also by the one whose card it was.
    The unconscious don't, and a quick resupply can't be stopped (K5-56)."""
    luck = rules["knights.luck"]
    fast = "Not So Fast!"

    def played(*words: str, **out: int) -> Table:
        b = table(rules, "Mel", "Naomi", "Chris").dials("Mel", ammo=0).dials("Naomi", **out)
        b.hand("Mel", "Hidden Magazine", fast).hand("Naomi", fast).hand("Chris", fast)
        b.do("luck.play_luck", 0, luck.USED, words=["Hidden Magazine", *words])
        return b

    for words, ammo, left in (
        (["no", "no"], 2, (1, 1, 1)),
        ([fast, "no", "no"], 0, (1, 0, 1)),
        (["no", fast, "no", "no"], 0, (1, 1, 0)),
        ([fast, fast, "no"], 2, (0, 0, 1)),
        ([fast, "no", fast, "no"], 2, (1, 0, 0)),
        ([fast, fast, fast], 0, (0, 0, 0)),
    ):
        b = played(*words)
        assert b.now("Mel")[1] == ammo, words
        assert tuple(b.luck(name).count(fast) for name in ("Mel", "Naomi", "Chris")) == left
        assert b.luck("Mel") == [fast] * left[0] and b.of("Mel").luck_played == 2 - left[0]
        assert any("comes to nothing" in line for line in b.told()) == (ammo == 0)
    b = played("no", out=1, health=0)
    assert b.asked[1:] == [["no", fast]], "Chris alone"
    b = table(rules, "Mel", "Naomi").dials("Mel", ammo=0).hand("Mel", "Deadly Quick").hand("Naomi", fast)
    b.do("luck.resupply_quickly", 0, words=["Deadly Quick"])
    assert b.now("Mel")[1] == 1 and len(b.asked) == 1 and b.luck("Naomi") == [fast]


@pytest.mark.rule("K1E-35", "K5-56")
def test_quick_resupply(rules: Any) -> None:
    """One card a Rest Step for its icon, whatever its text; only where there is something to gain."""
    for title, before, after in (
        ("Deadly Quick", {"ammo": 1}, (4, 2, 4, 0)),
        ("Spare Canister", {"fuel": 1}, (4, 4, 2, 0)),
        ("Sand in the Eyes", {"radiation": 2}, (4, 4, 4, 1)),
        ("Aim Low", {"health": 1}, (2, 4, 4, 0)),
    ):
        b = table(rules, "Mel", "Naomi").drives("Mel", "Strider").dials("Mel", **before).hand("Mel", title, title)
        b.do("luck.resupply_quickly", 0, words=[title])
        assert b.now("Mel") == after and b.luck("Mel") == [title] and b.of("Mel").luck_played == 0
        b.dials("Mel", health=4, ammo=4, fuel=4, radiation=0).do("luck.resupply_quickly", 0)
        assert b.asked == [] and b.luck("Mel") == [title]


@pytest.mark.rule("K1E-17")
@pytest.mark.parametrize(
    ("skill", "health", "luck", "dice"),
    [(3, 4, "", 3), (3, 2, "", 2), (3, 1, "", 1), (1, 1, "", 1), (3, 4, "Bad Omen", 1), (1, 2, "Bad Omen", 1),
     (2, 1, "Steady Hand", 2), (1, 1, "Steady Hand", 1)],
)  # fmt: skip
def test_the_dice_of_a_check_off_combat(rules: Any, skill: int, health: int, luck: str, dice: int) -> None:
    """Skill, what cards give and take, less the dice for wounds, and one where less is left (FT1)."""
    b = table(rules, "Mel", "Naomi", sets={"knight.mel_gearson.skills.survival": str(skill)})
    b.dials("Mel", health=health).hand("Naomi" if luck == "Bad Omen" else "Mel", *filter(None, [luck]))
    words = [luck] if luck else []
    survival = b.rules["knights.board_tables"].SKILL["survival"]
    passed = b.do("luck.check", b.p("Mel"), survival, 7, words=words, faces=[*[MISS] * (dice - 1), HIT])
    assert passed == 1 and len(b.asked) == len(words)


@pytest.mark.rule("K5-24", "K1D-07")
def test_the_owner_picks_what_goes_above_the_limit(rules: Any) -> None:
    """FK14: any card of the hand, the new one included."""
    held = ["Old Friend", "Aim Low", "Get Down!", "Tail Wind", "Second Wind"]
    for gone in ("Get Down!", "Faster, faster!"):
        b = table(rules, "Mel", "Naomi").hand("Mel", *held).stack_luck("Faster, faster!")
        b.do("gains.draw_luck", 0, 1, words=[gone])
        assert sorted(b.asked[0]) == sorted([*held, "Faster, faster!"])
        assert b.luck("Mel") == sorted({*held, "Faster, faster!"} - {gone}) and b.s.luck.discarded == 1
