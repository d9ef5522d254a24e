"""The reference pack of Marauders of the Great Wastelands, against what the book prints and hints at; and the page that
a designer of cards reads, against what the checks accept.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest

from simcore import packs
from simcore.gangs import cards
from simcore.gangs.cards import SCHEMA

PACK = packs.load(SCHEMA)
GANGS, RAIDERS, MERCENARIES, TERRITORIES = (
    PACK.cards[kind] for kind in ("gang", "raider", "mercenary", "territory")
)  # fmt: skip
FOLLOWERS = {**RAIDERS, **MERCENARIES}
RULES = PACK.cards["rules"][""]
FIRST = ("Foreman", "Preacher", "Drummer", "Daredevils", "Passers-by")
COMMON, RARE = ("Iron", "Kutezh"), ("Water", "Cartridges", "Chemistry", "Benzak")
PAGE = (SCHEMA.folder / "README.md").read_text("utf-8")


def deck(gang: str) -> dict[str, Any]:
    """The raiders of a gang."""
    return {slug: card for slug, card in RAIDERS.items() if card.gang == gang}


def number(followers: dict[str, Any]) -> int:
    """How many cards they are."""
    return sum(int(card.copies) for card in followers.values())


def rows(card: Any) -> set[tuple[str, str, str, str]]:
    """What a card does as (when, what, whom, who)."""
    return {(effect.when, effect.what, effect.whom, effect.who) for effect in card.effects}


def doing(*deeds: str) -> set[str]:
    """The followers that do one of these."""
    return {slug for slug, card in FOLLOWERS.items() if {what for _, what, _, _ in rows(card)} & set(deeds)}


def share(gang: str, *deeds: str) -> float:
    """The part of a gang's cards that do one of these."""
    able = {slug: card for slug, card in deck(gang).items() if slug in doing(*deeds)}
    return number(able) / number(deck(gang))


def most(gang: str, *deeds: str) -> bool:
    """Whether no other gang has as large a part of such cards."""
    return all(share(gang, *deeds) > share(other, *deeds) for other in GANGS if other != gang)


# ---------------------------------------------------------------- sizes


@pytest.mark.rule("G11-01", "G11-02", "G11-03", "G11-04", "G11-08", "G11-09")
def test_the_box_is_full() -> None:
    assert {gang.title: number(deck(slug)) for slug, gang in GANGS.items()} == {
        "Unshakeable": 10, "Slave-traders": 10, "Patrol": 10, "Hyenas": 10, "Valkyries": 13, "Gentlemen": 10,
    }  # fmt: skip
    assert (number(RAIDERS), number(MERCENARIES), RULES.fodder) == (63, 37, 23)
    assert sum(card.copies[-1] for card in TERRITORIES.values()) == 20


@pytest.mark.rule("G12-01", "G12-02", "G12-03", "G12-05")
def test_decks_by_players_are_as_printed() -> None:
    assert (RULES.territories, RULES.mercenaries, RULES.sets) == ((12, 16, 20), (19, 28, 37), (6, 9, 12))
    for players, sites, hired, sets in zip(
        cards.PLAYERS, RULES.territories, RULES.mercenaries, RULES.sets, strict=True
    ):
        assert sites == RULES.days * (players + 1) and hired == 3 * sets + 1


@pytest.mark.rule("G12-11")
def test_what_is_left_in_a_gang_deck_after_the_hot_start_and_the_hand() -> None:
    left = {slug: gang.size - len(gang.hot) - RULES.hand for slug, gang in GANGS.items()}
    assert left == dict.fromkeys(GANGS, 4) | {"valkyries": 7}
    leaders = [card.gang for card in RAIDERS.values() if card.leader and left[card.gang] == 4]
    assert [left[gang] - leaders.count(gang) for gang in leaders] == 5 * [3], "in the first game, without its leader"


@pytest.mark.rule("G15-04", "G15-07")
def test_iron_and_kutezh_are_more_frequent_than_the_other_four_types() -> None:
    of = {card.title: card.copies for card in TERRITORIES.values()}
    assert set(of) == {*COMMON, *RARE}
    for place in range(len(cards.PLAYERS)):
        assert min(of[title][place] for title in COMMON) > max(of[title][place] for title in RARE) > 0


def test_the_first_game_is_as_printed() -> None:
    first = {card.title: card.first for card in TERRITORIES.values() if card.first}
    assert first == {"Iron": 3, "Kutezh": 3, "Benzak": 2, "Water": 2}
    assert {card.title for card in MERCENARIES.values() if card.first} == set(FIRST)
    assert (RULES.first_days, RULES.fewer_territories, RULES.fewer_mercenaries) == (2, 2, 3)


def test_the_rest_of_the_printed_numbers() -> None:
    assert (RULES.days, RULES.loot, RULES.hand, RULES.market) == (4, 5, 4, 4)
    assert (RULES.first_of_type, RULES.more_of_type, RULES.slave_attack, RULES.fanatic_attack) == (5, 3, 0, 2)


@pytest.mark.rule("G16-26")
def test_marks_are_spread_evenly() -> None:
    marks = [card.mark for card in MERCENARIES.values() if not card.leader]
    assert {mark: marks.count(mark) for mark in cards.MARKS} == {"square": 4, "cross": 4, "moon": 4}


@pytest.mark.rule("G15-08")
def test_styles_of_the_gangs() -> None:
    instigators = {gang.title for gang in GANGS.values() if gang.style == "instigator"}
    assert instigators == {"Slave-traders", "Valkyries", "Gentlemen"} and len(GANGS) == 2 * len(instigators)


# ---------------------------------------------------------------- cards by name


@pytest.mark.rule("G11-11", "G11-12", "G16-01", "G16-04", "G16-07", "G16-10", "G16-16", "G16-24")
def test_one_leader_a_deck_who_destroys_cards_of_the_hand() -> None:
    leaders = {card.title: card for card in FOLLOWERS.values() if card.leader}
    assert list(leaders) == ["Professor", "Son of the Beast", "Commander", "Alpha", "Matriarch", "Baron", "Widow"]
    assert [leaders[title].gang for title in list(leaders)[:-1]] == list(GANGS)
    assert all(card.copies == 1 for card in leaders.values())
    assert {slug for slug, card in FOLLOWERS.items() if card.pay == "destroy"} == {
        slug for slug, card in FOLLOWERS.items() if card.leader
    }


@pytest.mark.rule("G16-08", "G16-11", "G16-12", "G16-13", "G16-17")
def test_hot_starts_are_as_printed() -> None:
    assert {gang.title: tuple(RAIDERS[slug].title for slug in gang.hot) for gang in GANGS.values()} == {
        "Unshakeable": ("Trickster", "Trickster"),
        "Slave-traders": ("Hunter", "Hunter"),
        "Patrol": ("Saboteur", "Saboteur"),
        "Hyenas": ("Marauder", "Arsonist"),
        "Valkyries": ("Torch-bearer", "Nomad"),
        "Gentlemen": ("Bodyguard", "Clever-one"),
    }
    assert RAIDERS["marauder"].copies > 1, "the book speaks of Marauders"


@pytest.mark.rule("G16-02", "G16-03")
def test_the_unshakeable_gather_fanatics_and_break_through_with_wounds() -> None:
    assert rows(RAIDERS["trickster"]) == {("summon", "fanatics", "own_lair", "me")} and most("unshakeable", "fanatics")
    assert rows(RAIDERS["madman"]) == {("summon", "fanatics", "own_lair", "me")} and RAIDERS["madman"].pay == "wound"


@pytest.mark.rule("G16-05", "G16-06", "G5-35")
def test_the_slave_traders_gather_slaves_for_attack_and_defence() -> None:
    """Hunters bring slaves at each Ambush: knocked out they come again. The Brander lives on fodder as he attacks."""
    assert rows(RAIDERS["hunter"]) == {("ambush", "slaves", "own_lair", "me")} and most("slave_traders", "slaves")
    assert RAIDERS["brander"].pay == "fodder" and {when for when, *_ in rows(RAIDERS["brander"])} == {"ambush"}
    assert doing("herd") & set(deck("slave_traders"))


@pytest.mark.rule("G16-09", "G5-33")
def test_the_patrol_takes_a_fresh_territory_in_one_attack() -> None:
    """Two Saboteurs and the hour's own loot empty it. Several Snipers name followers in rivals' lairs."""
    assert rows(RAIDERS["saboteur"]) == {("ambush", "spoil", "here", "me")} and most("patrol", "spoil")
    assert 2 * RAIDERS["saboteur"].effects[0].many + 1 >= RULES.loot
    assert rows(RAIDERS["sniper"]) == {("summon", "wound", "rival_lair", "me")} and RAIDERS["sniper"].copies > 1


@pytest.mark.rule("G5-34")
def test_the_hyenas_push_off_plunder_and_destroy() -> None:
    hyenas = set(deck("hyenas"))
    assert doing("knock") & hyenas and {"marauder", "alpha"} <= doing("plunder") and doing("raze") == {"arsonist"}
    assert rows(RAIDERS["arsonist"]) == {("summon", "raze", "territory", "me")}


@pytest.mark.rule("G5-31", "G16-14", "G16-15")
def test_the_valkyries_fill_the_lair_and_attack_several_territories() -> None:
    """Three Nomads and a last squad are the four territories of an hour that the book speaks of."""
    assert rows(RAIDERS["nomad"]) == {("ambush", "again", "own_lair", "me")} and RAIDERS["nomad"].copies == 4 - 1
    assert doing("again") == {"nomad"} and most("valkyries", "muster")
    assert RAIDERS["healer"].gang == "valkyries"


@pytest.mark.rule("G5-32", "G16-18", "G16-19")
def test_the_gentlemen_hire_most_and_repeat_summons() -> None:
    assert most("gentlemen", "hire", "recruit") and most("gentlemen", "repeat")
    assert RAIDERS["clever_one"].gang == RAIDERS["baron"].gang == "gentlemen"


@pytest.mark.rule("G14-15")
def test_summons_are_repeated_by_three_followers_alone() -> None:
    assert doing("repeat") == {"healer", "baron", "clever_one"}


@pytest.mark.rule("G16-20", "G16-21", "G16-22", "G16-25")
def test_mercenaries_come_in_sets_of_three() -> None:
    """Those of the first game and the others that the book names, with what it hints at."""
    titles = {card.title: card for card in MERCENARIES.values()}
    assert {"Seductress", "Herder", "Barman", "Widow", *FIRST} < set(titles)
    assert [card.copies for card in titles.values() if not card.leader] == 12 * [3]
    assert rows(titles["Seductress"]) == {("summon", "hire", "market", "me")}
    assert ("summon", "herd", "own_lair", "me") in rows(titles["Herder"]), "declared now, at work as squads are sent"
    assert rows(titles["Barman"]) == {("summon", "knock", "rival_territory", "owner")}


@pytest.mark.rule("G4-19", "G16-23")
def test_the_sniper_and_the_nomad_are_raiders() -> None:
    assert (RAIDERS["sniper"].gang, RAIDERS["nomad"].gang) == ("patrol", "valkyries")
    assert not {"sniper", "nomad"} & set(MERCENARIES)


def test_no_two_followers_of_a_gang_do_the_same_for_the_same() -> None:
    for gang in GANGS:
        does = [(card.pay, card.times, card.effects) for card in deck(gang).values()]
        assert len(set(does)) == len(does), gang


# ---------------------------------------------------------------- origins


def test_numbers_of_the_book_name_a_rule_and_the_others_a_reason() -> None:
    known = {line.split(",")[0] for line in (Path(__file__).parents[1] / "rules.csv").read_text("utf-8").splitlines()}
    for path, _, origin in PACK.numbers():
        assert origin.text in known if origin.how == "rulebook" else len(origin.text) > 20, path


def test_what_cards_do_is_assumed_but_for_the_nomad() -> None:
    printed = {path.split(".")[1] for path, _, at in PACK.numbers() if ".effects." in path and at.how == "rulebook"}
    assert printed == {"nomad"}
    assert [path for path, _, at in PACK.numbers("rules") if at.how != "rulebook"] == ["rules.slaves"]


def test_rulings_are_the_first_of_each_reading() -> None:
    ruling = PACK.cards["ruling"][""]
    for name, field in cards.Ruling.model_fields.items():
        assert getattr(ruling, name) == get_args(field.annotation)[0], name


# ---------------------------------------------------------------- the page


def test_every_word_of_the_vocabulary_has_an_example_that_is_right() -> None:
    examples = {}
    for line in PAGE.splitlines():
        found = re.findall(r"`(\{ when = [^`]*\})`", line)
        for word in re.findall(r"^\| `(\w+)`", line) if found else []:
            examples[word] = tomllib.loads(f"row = {found[-1]}")["row"]
    assert set(examples) == {*cards.WHEN, *cards.WHAT, *cards.WHOM, *cards.WHO}
    for word, given in examples.items():
        effect, mistakes = packs.validate(cards.Effect, given, "row")
        assert effect and not mistakes, mistakes
        assert word in (effect.when, effect.what, effect.whom, effect.who)


def test_the_page_says_for_whom_and_when() -> None:
    for what, aims in cards.AIMS.items():
        moments = ", ".join(moment for moment in cards.WHEN if what in cards.AT[moment])
        at = "" if what in cards.TERMS else rf" {moments} \|"
        assert re.search(rf"^\| `{what}` \|[^|]*\| {', '.join(aims)} \|{at}", PAGE, re.MULTILINE), what


def test_the_page_lists_what_can_be_paid_and_what_readings_there_are() -> None:
    assert all(re.search(rf"^\| `{pay}` \| ", PAGE, re.MULTILINE) for pay in cards.PAY)
    for name, field in cards.Ruling.model_fields.items():
        (line,) = re.findall(rf"^\| `{name}` \|.*$", PAGE, re.MULTILINE)
        assert all(re.search(rf"\b{reading}\b", line) for reading in get_args(field.annotation)), name


def test_every_kind_is_listed_with_its_fields_and_how_many() -> None:
    table = PAGE.partition("## Kinds of card")[2].partition("## Origins")[0]
    for name, kind in SCHEMA.kinds.items():
        (line,) = re.findall(rf"^\| `{name}` \|.*$", table, re.MULTILINE)
        assert f"| {'one' if kind.single else kind.capacity} |" in line, name
        if name != "ruling":
            assert not [field for field in kind.model.model_fields if not re.search(rf"\b{field}\b", line)], name


def test_the_small_example_can_be_laid_over_the_pack(tmp_path: Path) -> None:
    small = PAGE.partition("## Laying a small file over")[2].partition("```toml")[2].partition("```")[0]
    (tmp_path / "small.toml").write_text(small, "utf-8")
    assert packs.load(SCHEMA, ["reference", tmp_path / "small.toml"]).cards["raider"]["sapper"].effects[0].many == 2
