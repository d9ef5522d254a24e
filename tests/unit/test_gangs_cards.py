"""Packs of Marauders of the Great Wastelands: what is refused, each with a clear line and its path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from simcore.gangs.cards import SCHEMA
from simcore.packs import Mistakes, load

PACK = load(SCHEMA)
EDGES = {"gang.patrol.size": "20", "raider.scout.copies": "8", "raider.medic.copies": "4"}


def wrong(sets: dict[str, str]) -> list[str]:
    """What is wrong with the reference pack with values over it, line by line."""
    with pytest.raises(Mistakes) as caught:
        PACK.changed(sets)
    return str(caught.value).splitlines()


def row(when: str, what: str, whom: str, who: str = "me", many: int = 1) -> str:
    """An effect as TOML."""
    return f'{{ when = "{when}", what = "{what}", whom = "{whom}", who = "{who}", many = {many} }}'


@pytest.mark.parametrize(
    ("sets", "told"),
    [
        ({"gang.patrol.size": "11"}, "gang.patrol.size is 11, but its deck has 10 cards; allowed: 10"),
        ({"raider.healer.copies": "1"}, "gang.valkyries.size is 13, but its deck has 12 cards"),
        ({"gang.patrol.size": "21"}, "gang.patrol.size is 21; allowed: a whole number from 6 to 20"),
        ({"gang.hyenas.hot": '["biter", "biter"]'}, "gang.hyenas.hot takes biter twice; allowed: at most 1"),
        ({"gang.hyenas.hot": '["biter", "hunter"]'}, "gang.hyenas.hot.1 is hunter, which is not in this gang's deck"),
        ({"gang.hyenas.hot": '["arsonest", "biter"]'}, 'gang.hyenas.hot.0 is "arsonest", which is no raider'),
        ({"gang.hyenas.hot": '["biter", "alpha"]'}, "gang.hyenas.hot.1 is alpha, a leader"),
        ({"gang.hyenas.hot": '["biter"]'}, "gang.hyenas.hot is a list of 1"),
        ({"gang.hyenas.style": '"jackals"'}, "did you mean jackal?"),
        ({"raider.trickster.gang": '"patrl"'}, 'raider.trickster.gang is "patrl", which is no gang of this pack'),
        ({"rules.market": "9"}, "rules.market is 9; allowed: a whole number from 0 to 8"),
        ({"rules.slaves": "24"}, "rules has 24 slaves among 23 fodder cards"),
        ({"rules.days": "5"}, "rules.territories.0 is 12, too few for 5 days; allowed: at least 15"),
        ({"rules.first_days": "3"}, "rules.first_days is 3, but of the first game's territories 6 are left"),
        ({"rules.fewer_mercenaries": "8"}, "rules.fewer_mercenaries is 8, with 15 mercenaries in the first game"),
        ({"rules.mercenaries": "[19, 28, 38]"}, "rules.mercenaries.2 is 38, but the pack has 37 mercenaries"),
        ({"rules.sets": "[6, 9, 13]"}, "rules.sets.2 is 13, not as many of each mark; allowed: a multiple of 3"),
        ({"rules.sets": "[6, 9, 15]"}, "rules.sets.2 is 15, not as many of each mark"),
        ({"territory.iron.copies": "[3, 4, 4]"}, "rules.territories.0 is 12, but 11 territory cards are for 2 players"),
        ({"territory.iron.copies": "[4, 5, 4]"}, "territory.iron.copies is [4, 5, 4]: a type has no fewer cards"),
        ({"territory.water.copies": "[0, 0, 0]"}, "territory.water.copies is [0, 0, 0]: the type is in no game"),
        ({"territory.water.copies": "[1, 2]"}, "territory.water.copies is a list of 2"),
        ({"territory.water.first": "4"}, "territory.water has 4 cards in the first game, but 3 in all"),
        ({"territory.iron.title": '"Water"'}, 'territory.iron.title is "Water", as that of water is'),
        ({"mercenary.widow.mark": '"moon"'}, 'mercenary.widow.mark is "moon"; allowed: no mark on the leader'),
        ({"mercenary.barman.mark": '"star"'}, 'mercenary.barman.mark is "star"; allowed: "", square, cross, moon'),
        ({"raider.biter.pay": '"destroy"'}, "raider.biter.pay is destroy, which leaders alone do"),
        ({"raider.alpha.pay": '"discard"'}, "raider.alpha.pay is discard for a leader; allowed: destroy"),
        (
            {"raider.biter.effects": f"[{row('standing', 'guard', 'self')}]", "raider.biter.pay": '"discard"'},
            "raider.biter costs discard, but has no Summon and no Ambush",
        ),
        ({"raider.anointer.pay": '"fodder"'}, "raider.anointer costs fodder of its squad at a Summon"),
        (
            {"raider.biter.effects": f"[{row('standing', 'frenzy', 'self')}]", "raider.biter.pay": '"discard"'},
            "raider.biter has a frenzy that costs discard",
        ),
        ({"raider.nomad.times": "2"}, "raider.nomad is used 2 times for nothing"),
        ({"ruling.ties": '"arm_wrestling"'}, 'ruling.ties is "arm_wrestling"; allowed: shared, coin'),
    ],
)
def test_what_makes_no_sense_is_refused(sets: dict[str, str], told: str) -> None:
    (line,) = [line for line in wrong(sets) if told in line]
    assert line


@pytest.mark.parametrize(
    ("effect", "told"),
    [
        (row("summon", "fanatics", "market"), ".0 has fanatics for market, but it is for own_lair"),
        (row("summon", "wound", "rival_territory"), ".0 has wound for rival_territory, but it is for rival_lair"),
        (row("summon", "fanatics", "moon"), '.0.whom is "moon"; allowed: self, own_lair, rival_lair, here, '),
        (row("summon", "summons", "hand"), '.0.what is "summons"; allowed: might, guard, frenzy, slaves'),
        (row("dawn", "draw", "hand"), '.0.when is "dawn"; allowed: standing, summon, ambush, knocked_out'),
        (row("summon", "again", "own_lair"), ".0 has again at summon, but that is for slaves, fanatics"),
        (row("ambush", "repeat", "own_lair"), ".0 has repeat at ambush, but that is for slaves, fanatics"),
        (
            row("knocked_out", "patch", "own_lair"),
            ".0 has patch at knocked_out, but that is for slaves, fanatics, draw",
        ),
        (row("standing", "draw", "hand"), ".0 has draw at standing, but that is for might, guard, frenzy"),
        (row("summon", "spoil", "here"), ".0 is for here at summon, but only an ambush is somewhere"),
        (row("summon", "draw", "hand", "owner"), ".0 lets the owner pick for hand, but only rivals pick"),
        (row("summon", "draw", "hand", many=7), ".0.many is 7; allowed: a whole number from 1 to 6"),
        (row("summon", "draw", "hand", many=0), ".0.many is 0; allowed: a whole number from 1 to 6"),
        (", ".join([row("summon", "draw", "hand")] * 5), " is a list of 5; allowed: a list of at most 4"),
    ],
)
def test_what_no_card_can_do_is_refused_in_one_line(effect: str, told: str) -> None:
    """And the deck that the card belongs to is not called too small for it."""
    (line,) = wrong({"raider.trickster.effects": f"[{effect}]"})
    assert line.startswith(f"raider.trickster.effects{told}")


def sound(rules: Any) -> Any:
    """The schema and the reference pack of a set of rules."""
    schema = rules["gangs.cards"].SCHEMA
    return schema, load(schema)


def bent_by(schema: Any, pack: Any) -> list[str]:
    """The cards of a pack that bend a printed rule, a line each."""
    return [str(bend) for bend in schema.bends(pack.cards)]


@pytest.mark.rule("G5-06")
def test_a_follower_has_one_ability(rules: Any) -> None:
    """FG3, FT1: never a Summon and an Ambush; a card with neither, or with more, is played, and named."""
    schema, pack = sound(rules)
    both = f"[{row('summon', 'draw', 'hand')}, {row('ambush', 'draw', 'hand')}]"
    with pytest.raises(Mistakes) as caught:
        pack.changed({"raider.trickster.effects": both})
    assert str(caught.value) == "raider.trickster has a Summon and an Ambush, but a follower has one ability"
    for kind in ("raider", "mercenary"):
        for slug, card in pack.cards[kind].items():
            moments = {effect.when for effect in card.effects}
            assert moments in ({"summon"}, {"ambush"}), slug
    lacks = pack.changed({"raider.trickster.effects": "[]"})
    assert bent_by(schema, lacks) == ["raider.trickster has neither a Summon nor an Ambush (G5-06)"]
    more = f"[{row('standing', 'guard', 'self')}, {row('ambush', 'draw', 'hand')}]"
    assert bent_by(schema, pack.changed({"raider.trickster.effects": more})) == [
        "raider.trickster does something besides its one ability (G5-06)",
        "raider.trickster counts for more than one follower (G14-01)",
    ]


@pytest.mark.rule("G5-06")
@pytest.mark.parametrize(
    ("effect", "told"),
    [
        (row("standing", "might", "self"), "has neither a Summon nor an Ambush (G5-06)"),
        (row("standing", "might", "self"), "counts for more than one follower (G14-01)"),
        (row("knocked_out", "draw", "hand"), "has neither a Summon nor an Ambush (G5-06)"),
        (row("summon", "wound", "rival_lair"), "names a rival's followers, which only the Sniper does"),
        (row("ambush", "knock", "rival_territory"), "names a rival's followers, which only the Sniper does"),
        (row("summon", "discard", "rival_lair"), "names a rival's followers, which only the Sniper does"),
        (row("summon", "repeat", "own_lair"), "repeats a Summon, which only the Healer, the Baron and the Clever-one"),
        (row("ambush", "again", "own_lair"), "goes on to a further squad, which only the Nomad does (G14-17)"),
    ],
)
def test_a_card_that_bends_a_printed_rule_is_played_and_named(rules: Any, effect: str, told: str) -> None:
    """FG3: a card wins over the rules, so a designer may do this; checks and reports name it."""
    schema, pack = sound(rules)
    assert bent_by(schema, pack) == [], "the reference pack bends none"
    bent = pack.changed({"raider.trickster.effects": f"[{effect}]"})
    assert any(line.startswith(f"raider.trickster {told}") for line in bent_by(schema, bent))
    assert f"bends a printed rule: {bent_by(schema, bent)[0]}" in bent.against_the_book()


def test_who_owns_the_printed_exceptions_may_use_them(rules: Any) -> None:
    """FG3: the Sniper names only as she is summoned; the others are free."""
    schema, pack = sound(rules)
    late = pack.changed({"raider.sniper.effects": f"[{row('ambush', 'wound', 'rival_lair')}]"})
    assert [line.split()[0] for line in bent_by(schema, late)] == ["raider.sniper"]
    freed = pack.changed({"raider.biter.effects": f"[{row('ambush', 'wound', 'rival_lair', 'owner')}]"})
    assert bent_by(schema, freed) == []


def test_each_deck_has_exactly_one_leader() -> None:
    assert "gang.hyenas has 0 leaders; allowed: exactly one" in wrong({"raider.alpha.leader": "false"})
    assert "gang.hyenas has 2 leaders; allowed: exactly one" in wrong({"raider.biter.leader": "true"})
    assert "mercenary has 0 leaders; allowed: exactly one" in wrong({"mercenary.widow.leader": "false"})
    assert "raider.alpha.copies is 2 for a leader; allowed: 1: leaders are unique" in wrong(
        {"raider.alpha.copies": "2"}
    )


def test_cards_that_lack_something_are_told_by_name(tmp_path: Path) -> None:
    """A territory without numbers, a raider by the name of a mercenary, a ruling that nobody asks for."""
    layer = tmp_path / "odd.toml"
    layer.write_text('[territory.salt]\ntitle = "Salt"\n[raider.barman]\ntitle = "Barman"\n[ruling]\nluck = "yes"\n')
    with pytest.raises(Mistakes) as caught:
        load(SCHEMA, ["reference", layer])
    told = str(caught.value)
    assert "territory.salt.copies is missing" in told and "territory.salt.first is missing" in told
    assert "mercenary.barman has the name of a raider" in told
    assert "raider.barman is a new card, and lacks copies, leader, pay, times, effects, text, gang" in told
    assert "ruling.luck is unknown" in told


def test_all_mistakes_come_at_once() -> None:
    sets = {
        "gang.patrol.size": "11",
        "rules.days": "5",
        "mercenary.widow.mark": '"moon"',
        "raider.biter.pay": '"destroy"',
    }
    told = "\n".join(wrong(sets))
    assert all(
        path in told for path in ("gang.patrol.size", "rules.territories.2", "mercenary.widow.mark", "biter.pay")
    )


def test_gangs_hold_no_more_cards_than_fit_in_one_place() -> None:
    assert PACK.changed(EDGES).cards["gang"]["patrol"].size == 20
    sets = {f"mercenary.{slug}.copies": "4" for slug, card in PACK.cards["mercenary"].items() if not card.leader}
    told = wrong(EDGES | sets)
    assert told == ["gang.patrol.size makes 69 cards with all mercenaries; allowed: at most 64"]


def test_the_board_holds_no_more_territories_than_fit() -> None:
    more = {"territory.iron.copies": "[4, 4, 12]", "territory.kutezh.copies": "[4, 4, 12]"}
    told = wrong({**more, "rules.territories": "[12, 16, 36]"})
    assert told == ["territory has more cards than fit; allowed: at most 32"]
