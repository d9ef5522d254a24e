"""The six phases of an hour: hiring and patching, the Summon, refreshing the hand, and their order."""

from __future__ import annotations

from typing import Any

import pytest

from tests.declared import Undeclared
from tests.gang_table import table

RIVALS = ("Patrol", "Hyenas")


# ---------------------------------------------------------------- 1. hire or patch up


@pytest.mark.rule("G13-04", "G5-02")
def test_a_mercenary_comes_into_the_hand_and_the_next_one_is_opened_at_once(rules: Any) -> None:
    b = table(rules, *RIVALS).for_hire("Foreman", "Barman", "Barman", "Herder", deck=["Drummer", "Widow"])
    b.in_hand("Patrol", "Sniper", "Scout", "Medic", "Sapper").hire("Patrol", "Barman")
    assert b.asked == [["no", "Foreman", "Barman", "Herder"]]
    assert b.hand("Patrol") == ["Barman", "Medic", "Sapper", "Scout", "Sniper"], "the fifth card"
    assert b.market() == ["Barman", "Drummer", "Foreman", "Herder"]
    b.summon("Patrol", "Scout", "no").refresh("Patrol", "no")
    assert "Barman" in b.hand("Patrol"), "need not be played in this hour"


@pytest.mark.rule("G13-04", "G5-01")
def test_hiring_is_a_choice(rules: Any) -> None:
    b = table(rules, *RIVALS).for_hire("Foreman").hire("Patrol", "no")
    assert b.hand("Patrol") == [] and b.market() == ["Foreman"]


@pytest.mark.rule("G13-04", "G5-05", "G14-09", "G14-10")
def test_or_one_wounded_follower_of_the_own_lair_is_patched_up(rules: Any) -> None:
    """Not one on a territory, nor in another lair; and not both in one hour."""
    b = table(rules, *RIVALS).for_hire("Foreman").on("Iron", "Patrol", "Medic")
    b.in_lair("Patrol", "wounded Sniper", "wounded Sniper", "wounded Barman", "Scout").in_lair(
        "Hyenas", "wounded Biter"
    )
    b.hire("Patrol", "wounded Sniper")
    assert b.asked == [["no", "Foreman", "wounded Sniper", "wounded Barman"]]
    assert b.lair("Patrol") == ["Scout", "Sniper", "wounded Barman", "wounded Sniper"]
    assert b.market() == ["Foreman"]


@pytest.mark.rule("G4-24", "G14-04")
def test_fodder_is_never_wounded_and_so_never_patched_up(rules: Any) -> None:
    b = table(rules, *RIVALS).in_lair("Patrol", "slave", "fanatic").hire("Patrol")
    assert b.asked == [], "nothing to ask"


@pytest.mark.rule("G4-17")
def test_without_a_mercenary_deck_the_market_shrinks(rules: Any) -> None:
    b = table(rules, *RIVALS).for_hire("Foreman", "Barman", deck=["Widow"])
    for card, left in (("Barman", ["Foreman", "Widow"]), ("Widow", ["Foreman"]), ("Foreman", [])):
        b.hire("Patrol", card)
        assert b.market() == left
    b.hire("Patrol")
    assert b.asked == []


# ---------------------------------------------------------------- 2. summon


@pytest.mark.rule("G13-05", "G14-14")
@pytest.mark.parametrize("use", ["used", "unused"])
def test_one_follower_is_placed_upright_and_its_summon_may_be_used(rules: Any, use: str) -> None:
    b = table(rules, *RIVALS).in_hand("Patrol", "Scout", "Sniper").in_deck("Patrol", "Medic")
    b.summon("Patrol", "Scout", "Scout" if use == "used" else "no")
    assert b.asked == [["Scout", "Sniper"], ["no", "Scout"]], "compulsory, and its ability is not"
    assert b.lair("Patrol") == ["Scout"]
    assert b.hand("Patrol") == (["Medic", "Sniper"] if use == "used" else ["Sniper"])


@pytest.mark.rule("G13-05", "G5-07")
def test_a_summon_works_only_as_the_card_is_placed(rules: Any) -> None:
    """Neither in a later hour nor after it was patched up."""
    b = table(rules, *RIVALS).in_lair("Patrol", "wounded Scout", "Scout").in_deck("Patrol", "Medic")
    b.hour("Patrol", "wounded Scout")
    assert b.lair("Patrol") == ["Scout", "Scout"] and b.hand("Patrol") == ["Medic"], "drawn in phase 6"
    assert b.asked == [["no", "wounded Scout"]]


@pytest.mark.rule("G13-05", "G5-06")
def test_an_ambush_does_nothing_in_the_lair(rules: Any) -> None:
    b = table(rules, *RIVALS).on("Iron").in_hand("Hyenas", "Marauder").summon("Hyenas")
    assert b.lair("Hyenas") == ["Marauder"] and b.asked == [] and b.at("Iron").loot == 5


@pytest.mark.rule("G4-03")
def test_with_an_empty_hand_nobody_is_placed(rules: Any) -> None:
    b = table(rules, *RIVALS).on("Iron").in_lair("Patrol", "Scout").hour("Patrol", "Iron")
    assert b.standing("Iron") == ["Scout"], "and the hour goes on"


# ---------------------------------------------------------------- 6. refresh the hand


@pytest.mark.rule("G13-09", "G12-10")
def test_any_cards_are_discarded_and_the_hand_is_filled_to_four(rules: Any) -> None:
    b = table(rules, *RIVALS).in_hand("Patrol", "Scout", "Medic", "Sniper")
    b.in_deck("Patrol", "Sapper", "Sentry", "Saboteur", "Commander")
    b.refresh("Patrol", "Medic", "Scout", "no")
    assert b.hand("Patrol") == ["Saboteur", "Sapper", "Sentry", "Sniper"]
    assert b.discards("Patrol") == ["Medic", "Scout"] and b.deck("Patrol") == ["Commander"]
    assert b.asked[-1] == ["no", "Sniper"]


@pytest.mark.rule("G13-09")
def test_the_own_discard_pile_is_shuffled_into_a_deck_when_that_has_run_out(rules: Any) -> None:
    """What is left is drawn before; cards that were discarded just now may come again."""
    b = table(rules, *RIVALS).in_deck("Patrol", "Sapper").discarded("Patrol", "Scout", "Medic", "Sentry")
    b.discarded("Hyenas", "Howler").in_hand("Patrol", "Sniper")
    b.refresh("Patrol", "Sniper")
    assert "Sapper" in b.hand("Patrol") and len(b.hand("Patrol")) == 4 and len(b.deck("Patrol")) == 1
    assert sorted(b.hand("Patrol") + b.deck("Patrol")) == ["Medic", "Sapper", "Scout", "Sentry", "Sniper"]
    assert b.discards("Patrol") == [] and b.discards("Hyenas") == ["Howler"]


@pytest.mark.rule("G13-09")
def test_a_deck_that_is_not_needed_is_not_shuffled(rules: Any) -> None:
    b = table(rules, *RIVALS).in_deck("Patrol", "Sapper", "Sentry", "Saboteur", "Commander")
    b.discarded("Patrol", "Scout").refresh("Patrol")
    assert b.deck("Patrol") == [] and b.discards("Patrol") == ["Scout"]


@pytest.mark.rule("G4-05")
def test_with_deck_and_discard_pile_empty_fewer_cards_are_drawn(rules: Any) -> None:
    b = table(rules, "Unshakeable", "Hyenas").in_deck("Unshakeable", "Professor").in_hand("Unshakeable", "Zealot")
    assert b.refresh("Unshakeable", "no").hand("Unshakeable") == ["Professor", "Zealot"]
    b.refresh("Unshakeable", "Professor", "no")
    assert b.asked[-1] == ["no", "Zealot"] and b.hand("Unshakeable") == ["Professor", "Zealot"], "drawn once more"


@pytest.mark.rule("G4-04", "G5-24")
@pytest.mark.parametrize("reading", ["kept", "discarded"])
def test_a_hand_of_more_than_four(rules: Any, reading: str) -> None:
    """It is looked at in phase 6 alone; more cards stay, or by the other reading the surplus must go."""
    b = table(rules, *RIVALS, sets={"ruling.full_hand": f'"{reading}"'}).in_deck("Patrol", "Sapper")
    b.in_hand("Patrol", "Scout", "Medic", "Sniper", "Sentry", "Barman", "Herder")
    if reading == "kept":
        b.refresh("Patrol", "no")
        assert len(b.hand("Patrol")) == 6 and b.discards("Patrol") == []
    else:
        b.refresh("Patrol", "Scout", "Barman", "no")
        assert b.hand("Patrol") == ["Herder", "Medic", "Sentry", "Sniper"]
        assert "no" not in b.asked[1] and "no" in b.asked[2]
    assert b.deck("Patrol") == ["Sapper"], "nothing is drawn"


@pytest.mark.rule("G4-21", "G5-16")
def test_a_mercenary_that_is_discarded_comes_back_with_the_own_deck(rules: Any) -> None:
    b = table(rules, *RIVALS).for_hire("Barman", deck=["Herder"]).hire("Patrol", "Barman").refresh("Patrol", "Barman")
    assert b.hand("Patrol") == ["Barman"], "shuffled into the deck, and drawn"
    assert b.market() == ["Herder"]


# ---------------------------------------------------------------- all of it


@pytest.mark.rule("G5-01", "G5-03", "G4-06", "G13-06", "G13-07")
def test_hire_summon_and_attack_with_him_in_one_hour(rules: Any) -> None:
    """The mercenary hired is placed, and goes along; each phase in its place."""
    b = table(rules, *RIVALS).on("Iron", "Hyenas", "Howler").in_lair("Patrol", "Scout").for_hire("Barman")
    b.in_deck("Patrol", "Medic").hour("Patrol", "Barman", "no", "Iron", "Barman")
    assert b.standing("Iron") == ["Barman", "Scout"] and b.at("Iron").loot == 4
    assert b.lair("Hyenas") == ["wounded Howler"] and b.hand("Patrol") == ["Medic"]
    tell = rules["gangs.tell"]
    order = [tell.HIRES, tell.SUMMONS, tell.GOES, tell.COLLECTS, tell.DRAWS]
    assert [note.what for note in b.journal if note.what in order] == order


@pytest.mark.rule("G5-04", "G5-01")
def test_patch_up_and_attack_with_him_in_one_hour(rules: Any) -> None:
    b = table(rules, *RIVALS).on("Iron").in_lair("Patrol", "wounded Scout").hour("Patrol", "wounded Scout", "Iron")
    assert b.standing("Iron") == ["Scout"]


@pytest.mark.rule("G13-06", "G5-01")
def test_sending_a_squad_is_a_choice(rules: Any) -> None:
    b = table(rules, *RIVALS).on("Iron").in_lair("Patrol", "Scout").ambush("Patrol", "no")
    assert b.asked == [["no", "Iron"]] and b.lair("Patrol") == ["Scout"] and b.holder("Iron") == ""


@pytest.mark.rule("G4-06")
@pytest.mark.parametrize("reading", ["yes", "no"])
def test_who_was_summoned_in_this_hour_may_join_the_squad(rules: Any, reading: str) -> None:
    """By the other reading they stay at home for this hour: those who were placed, and not the ones who came back."""
    b = table(rules, "Patrol", "Valkyries", sets={"ruling.summoned_may_join": f'"{reading}"'}).on("Iron").on("Water")
    b.in_lair("Valkyries", "Rider", "Passers-by", "Nomad").in_hand("Valkyries", "Shieldmaiden", "Rider", "Healer")
    b.summon("Valkyries", "Shieldmaiden", "Shieldmaiden", "Rider", "Rider")
    b.ambush("Valkyries", "Iron", "Passers-by", "Nomad", "no", "Passers-by", "Nomad", "Water", "Rider", "no")
    joining = b.asked[-1][1:]
    assert joining == (["Shieldmaiden", "Rider", "Passers-by"] if reading == "yes" else ["Passers-by"])
    assert b.standing("Water") == ["Rider"] and b.lair("Valkyries") == ["Passers-by", "Rider", "Shieldmaiden"]
    b.hour("Valkyries", "no", "Iron", "Shieldmaiden", "no")
    later = ["Shieldmaiden", "Rider", "Passers-by"] + (["Healer"] if reading == "yes" else [])
    assert b.asked[-2] == later, "in the next hour those of this one are free"


@pytest.mark.rule("G4-06")
def test_alone_the_one_who_must_stay_attacks_nobody(rules: Any) -> None:
    b = table(rules, *RIVALS, sets={"ruling.summoned_may_join": '"no"'}).on("Iron").on("Water", "Patrol", "Medic")
    b.in_hand("Patrol", "Scout").summon("Patrol", "no").ambush("Patrol")
    assert b.asked == []
    b.in_hand("Patrol", "Sniper").hour("Patrol", "Iron")
    assert b.standing("Iron") == ["Scout"] and b.lair("Patrol") == ["Sniper"]


def test_a_question_without_a_declared_answer_is_refused(rules: Any) -> None:
    """FT1: no missing answer is taken for one; a standing answer must be offered."""
    b = table(rules, *RIVALS).in_hand("Patrol", "Scout", "Sniper")
    with pytest.raises(Undeclared, match=r"summon: no answer is declared; options: \['Scout', 'Sniper'\]"):
        b.summon("Patrol")
    b = table(rules, *RIVALS).in_hand("Patrol", "Scout", "Sniper").always(summon="no")
    with pytest.raises(ValueError, match="'no' is not among"):
        b.summon("Patrol")
    with pytest.raises(AssertionError, match="no such kinds"):
        b.always(phase_2="Scout")
