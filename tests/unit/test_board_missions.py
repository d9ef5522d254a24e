"""Missions: what they change from round to round, when the game ends, and who has won; and the Waster as a rival."""

from __future__ import annotations

from typing import Any

import pytest

from simcore.kernels import blank
from tests.board_table import FIRST, Table, dealt, table
from tests.golden.fights import ATTACK, PREPARE

FAME, LAST, CULT = range(3)


def ended(rules: Any, mission: int = FAME, **reputation: int) -> Table:
    """Three knights at the end of a game."""
    b = table(rules, "Mel", "Naomi", "Chris", mission=mission)
    for name, many in reputation.items():
        b.dials(name, reputation=many)
    return b


def places(b: Table) -> list[int]:
    """Everybody's place."""
    return [int(seat.place) for seat in b.outcome().seat[: b.s.players]]


@pytest.mark.rule("K1J-15", "K5B-31")
def test_the_most_reputation_wins(rules: Any) -> None:
    """Ties go to the dearer gear, and what is equal then shares the win; starting gear counts for nothing."""
    assert places(ended(rules, Mel=3, Naomi=5, Chris=1)) == [2, 1, 3]
    assert places(ended(rules, Mel=3, Naomi=5, Chris=1).give("Chris", "Sky Link", "Trailer")) == [2, 1, 3]
    b = ended(rules, Mel=3, Naomi=3, Chris=1).give("Mel", "Trailer").give("Naomi", "Road Map", "Toolbox")
    assert places(b) == [1, 2, 3] and [int(seat.share) for seat in b.outcome().seat[:3]] == [60, 0, 0]
    b.give("Naomi", "Dundee Hat")
    assert places(b) == [1, 1, 3] and [int(seat.share) for seat in b.outcome().seat[:3]] == [30, 30, 0]
    assert (b.outcome().ending, b.outcome().tied) == (1, 1)
    b.drives("Naomi", "Strider")
    assert places(b) == [2, 1, 3], "the vehicle is gear, too"
    b.of("Naomi").own[:3] = 1
    assert places(b) == [1, 1, 3]


@pytest.mark.rule("K1J-12", "K1E-41")
@pytest.mark.parametrize(("mission", "gained"), [(FAME, 1), (LAST, 3), (CULT, 1)])
@pytest.mark.parametrize("rival", range(1, 5))
def test_a_duel_is_worth_what_the_mission_says(rules: Any, mission: int, gained: int, rival: int) -> None:
    """FK1: in the last knight 2 Reputation more, as its text says, and no place besides: a rival with 1 more wins."""
    sets = {"knight.mel_gearson.effects": "[]"}
    b = table(rules, "Chris", "Mel", "Naomi", sets=sets, mission=mission).dials("Naomi", reputation=rival)
    b.dials("Mel", health=1).give("Chris", "P-A Shotgun").give("Mel", "P-A Shotgun")
    b.do("meetings.duel", 0, 1, words=[ATTACK, PREPARE, "no"], faces=[9, 9])
    assert (b.of("Chris").reputation, b.of("Chris").duels_won) == (gained, 1)
    for name in b.knights:
        b.dials(name, items=0, vehicle=-1)
    first = [int(gained >= rival), 0, int(rival >= gained)]
    assert [int(place == 1) for place in places(b)] == first


@pytest.mark.rule("K1J-12")
def test_a_pack_may_let_duels_go_before_reputation(rules: Any) -> None:
    b = table(rules, "Mel", "Naomi", "Chris", sets={"mission.reputation.goal": '"duels"'})
    b.dials("Mel", reputation=99).dials("Naomi", reputation=1, duels_won=1).dials("Chris", reputation=2, duels_won=1)
    assert places(b) == [3, 2, 1]


@pytest.mark.rule("K1J-13", "K1I-16")
def test_a_cultist_in_each_even_round(rules: Any) -> None:
    """Shuffled into the wasteland, in the Waster Step; the other missions bring none."""
    for mission, more in ((CULT, [1, 1, 2, 2]), (FAME, [0] * 4)):
        b, found = table(rules, "Mel", "Naomi", mission=mission).stack("Acid Rain", "Car Wreck"), []
        for rounds in (2, 3, 4, 5):
            b.s.rounds = rounds
            b.do("missions.mission_effects")
            found.append(b.left(b.s.cards) - 2)
        assert found == more
        cult = rules.pack("knights.board").cards["enemy"]
        titles = [b.card_words(card) for card in b.s.cards.deck[: b.left(b.s.cards)]]
        assert (
            sum(
                "cult" in next(e for e in cult.values() if e.title == title).traits
                for title in titles
                if title not in ("Acid Rain", "Car Wreck")
            )
            == more[-1]
        )


@pytest.mark.rule("K5-01", "K5-06", "K5B-31", "K5-09")
def test_a_mission_sets_the_rounds(rules: Any) -> None:
    """The table picks the mission; the table's own number of rounds goes before it. The end is looked at after the last
    Rest Step."""
    assert dealt(rules, "Mel", "Naomi", words=["Strider"] * 2, keep=FIRST, mission=LAST).s.last == 8
    b = dealt(rules, "Mel", "Naomi", words=["Strider"] * 2, keep=FIRST, rounds=2)
    assert b.s.last == 2
    stream = blank(rules["streams"].STREAM)
    stream.game = 5
    rules["knights.board_play"].play_one(b.s, b.t, stream, b.journal, b.seats())
    assert b.s.rounds == 2 and b.outcome().rounds == 2
    told = b.told()
    assert [line.split(":")[0] for line in told if line.startswith("Round")] == ["Round 1", "Round 2"]


@pytest.mark.rule("K4-25")
def test_a_neutral_waster_and_a_rival(rules: Any) -> None:
    """The worst for whoever moves; or what is best for the Waster's own rank, who spares those behind him."""
    for neutral, differs in ((1, False), (0, True)):
        b = table(rules, "Mel", "Naomi", neutral_waster=neutral).at("Mel", 9)
        b.of("Naomi").bot = b.of("Mel").bot = b.tables.bots.index("strong")
        card, harms = b.wasteland("Acid Rain"), []
        for ahead in (-2, 0, 2):
            b.dials("Mel", reputation=2 + ahead).dials("Naomi", reputation=2)
            harms.append(int(b.do("board_bots.harm_of", 0, 1, card)))
        assert (len(set(harms)) > 1) == differs and harms == sorted(harms) and harms[1] > 0
