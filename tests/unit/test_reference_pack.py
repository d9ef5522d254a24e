"""The reference pack of Waste Knights: complete, honest about origins, and true to what the book prints."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from simcore import packs
from simcore.knights import cards
from simcore.knights.cards import SCHEMA, load_outs

PACK = packs.load(SCHEMA, ["reference"])
KNIGHTS, WEAPONS, ARMORS, GEAR, ENEMIES, RANGES = (
    PACK.cards[kind] for kind in ("knight", "weapon", "armor", "gear", "enemy", "range")
)
NAMED = (
    "Mel Gearson", "Naomi Vatt", "Chris Hammersworn", "Russel Crown", "Kate Blanksheet", "Heat Leisure",
    "Geoffrey Goldrush", "Hugh Jackal", "David Mayhem", "Nicole Killman",
)  # fmt: skip
FOES = (
    "Hell Raiders", "InHR", "Furball", "Shelobie", "Silent Howler", "Alice's Exiles", "Digger 2.0",
    "Cultist of the Manifold", "Lord Humus",
)  # fmt: skip


def effects(card: Any) -> set[tuple[str, str, str, int, str]]:
    """Rows of a card as tuples."""
    return {(e.when, e.what, e.whom, e.many, e.only) for e in card.effects}


def printed(path: str, rule: str) -> bool:
    """Whether a value's origin is a rule of the book."""
    return PACK.origins[path] == packs.Origin("rulebook", rule)


# ---------------------------------------------------------------- complete


def test_thirteen_knights_ten_by_name_and_three_that_say_they_stand_in() -> None:
    assert len(KNIGHTS) == 13
    assert {k.title for k in KNIGHTS.values() if not k.placeholder} == set(NAMED)
    assert all("placeholder" in k.title.lower() for k in KNIGHTS.values() if k.placeholder)


def test_no_two_knights_fight_alike() -> None:
    styles = [(k.weapons, k.skills.blades, k.skills.guns, effects(k)) for k in KNIGHTS.values()]
    assert all(one != other for i, one in enumerate(styles) for other in styles[:i])
    assert all(k.text for k in KNIGHTS.values())


def test_each_knight_has_the_three_extra_cards_in_his_pockets() -> None:
    for knight in KNIGHTS.values():
        assert [slug for slug in knight.carries if slug in GEAR][:3] == [
            "medi_shot",
            "extra_bullets",
            "rad_out",
        ]
    assert all(GEAR[slug].colour == "green" for slug in ("medi_shot", "extra_bullets", "rad_out"))


def test_most_knights_can_change_what_they_hold_or_wear() -> None:
    assert sum(len(load_outs(PACK, slug)) > 1 for slug in KNIGHTS) >= 8


def test_enemies_cover_names_traits_tiers_and_tempers() -> None:
    assert len(ENEMIES) >= 26 and set(FOES) <= {e.title for e in ENEMIES.values()}
    assert set(Counter(trait for e in ENEMIES.values() for trait in e.traits)) == set(cards.TRAITS)
    tiers = Counter(e.tier for e in ENEMIES.values())
    assert min(tiers[tier] for tier in (1, 2, 3)) >= 6
    assert {(e.tier, e.ferocious) for e in ENEMIES.values()} == {(t, f) for t in (1, 2, 3) for f in (True, False)}
    fights = [e.model_dump(exclude={"title", "text", "traits", "escape", "rewards"}) for e in ENEMIES.values()]
    assert all(one != other for i, one in enumerate(fights) for other in fights[:i]), "no two enemies fight alike"


def test_gear_covers_colours_icons_and_what_weapons_can_do() -> None:
    assert len(WEAPONS) >= 18 and len(ARMORS) >= 7
    for kind in (WEAPONS, ARMORS):
        assert {card.colour for card in kind.values()} >= {"start", "green", "yellow", "red"}
    assert {icon for w in WEAPONS.values() for icon in w.icons} == set(cards.ICONS)
    assert any(w.multi for w in WEAPONS.values()) and any(w.piercing for w in WEAPONS.values())
    assert any(w.bulls_eye == 2 for w in WEAPONS.values()) and any(w.fuel for w in WEAPONS.values())
    assert {card.use for card in GEAR.values()} == {"permanent", "one_use", "mark"}


def test_bots_are_there_and_random_weighs_nothing() -> None:
    assert {"random", "regular", "strong"} <= set(PACK.cards["bot"])
    assert not any(PACK.cards["bot"]["random"].weights.model_dump().values())


def test_free_bursts_of_melee_are_paid_with_fuel() -> None:
    for slug, weapon in WEAPONS.items():
        assert not weapon.multi or weapon.ammo or weapon.fuel, f"{slug} would win by dominance for nothing"


def test_every_enemy_can_attack_at_some_range_and_be_reached() -> None:
    for enemy in ENEMIES.values():
        assert any(icon in card.initiative for icon in enemy.icons for card in RANGES.values())


# ---------------------------------------------------------------- honest


def test_every_number_has_an_origin_and_most_are_assumed() -> None:
    assumed, numbers = PACK.assumed_share()
    assert 600 < assumed < numbers and PACK.assumed_share("combat") == (0, 17)


def test_each_assumption_says_why_in_its_own_words() -> None:
    files = sorted((SCHEMA.folder / "reference").glob("*.toml"))
    whys = re.findall(r'assumed = "([^"]+)"', "".join(path.read_text() for path in files))
    assert len(whys) > 100 and all(len(why) > 15 for why in whys)
    repeated = [why for why, count in Counter(whys).items() if count > 1]
    assert not repeated


def test_each_rule_that_is_named_exists() -> None:
    known = {line.split(",")[0] for line in (Path(__file__).parents[1] / "rules.csv").read_text().splitlines()}
    for path, origin in PACK.origins.items():
        assert origin.how != "rulebook" or origin.text in known, path


# ---------------------------------------------------------------- true to the book


def test_dials() -> None:
    dials = PACK.cards["dials"][""]
    assert (dials.health, dials.ammo, dials.fuel, dials.radiation) == (4, 4, 4, 4)
    assert dials.wound_dice[1:] == (2, 1, 0, 0) and 1 <= dials.no_bulls_eyes_from <= dials.no_healing_from <= 3
    assert printed("dials.wound_dice.1", "K1E-21") and printed("dials.wound_dice.2", "K1E-22")


def test_combat_numbers() -> None:
    assert PACK.cards["combat"][""].model_dump() == {
        "clashes": 3, "start_range": "medium", "attack_arrows": 1, "multi_arrows": 2, "advance_arrows": 1,
        "retreat_arrows": 1, "defend_arrows": 2, "change_range_dice": 1, "defend_dice": 2, "prepare_dice": 2,
        "prepare_faces": 2, "attack_ammo": 1, "multi_ammo": 2, "base_damage": 1, "least_dice": 1,
        "duel_reputation": 1, "steal_fuel": 2, "steal_ammo": 2,
    }  # fmt: skip


def test_rulings_start_with_the_suggested_reading() -> None:
    assert PACK.cards["ruling"][""].model_dump() == {
        "attack_without_icon": "forbidden", "same_way": "two_steps", "wounds_in_combat": "kept",
        "radiation_against_prepare": "no_bulls_eyes",
        "double_defeat_rewards": "none", "other_losses_dominance": "none", "choices_after_reveal": "active_first",
    }  # fmt: skip


@pytest.mark.rule("K5B-32")
def test_range_cards() -> None:
    long = RANGES["long"]
    assert long.difficulty == 9 and "short" not in long.initiative and long.dice["medium"] == -1
    assert {card.difficulty for card in RANGES.values()} <= {5, 7, 9}
    assert [name for name, card in RANGES.items() if "melee" in card.initiative] == ["short"]
    for icon in ("short", "medium", "long"):
        here = RANGES[icon]
        others = [card for name, card in RANGES.items() if name != icon and icon in card.initiative]
        assert all(here.dice[icon] + here.damage[icon] > card.dice[icon] + card.damage[icon] for card in others)
        assert here.initiative.index(icon) == min(here.initiative.index(i) for i in here.initiative if i != "melee")


def test_the_sides_of_the_printed_combat_example() -> None:
    chris, raiders = KNIGHTS["chris_hammersworn"], ENEMIES["hell_raiders"]
    gun = WEAPONS["p_a_shotgun"]
    assert chris.skills.guns == 2 and chris.weapons == ("p_a_shotgun",) and ARMORS[chris.armor].armor == 1
    assert len(load_outs(PACK, "chris_hammersworn")) == 1, "his only available weapon"
    assert (gun.icons, gun.damage, gun.piercing, gun.ammo, gun.bulls_eye) == (("short", "medium"), 1, 0, 1, 1)
    assert (raiders.aggression, raiders.armor, raiders.damage, raiders.ferocious) == (4, 1, 1, False)
    assert "medium" in raiders.icons and raiders.health > 1 and not raiders.effects
    assert not any(e.only not in ("clash_3",) for e in chris.effects), "the first two clashes go by the printed dice"
    for path, rule in (("aggression", "K1F-34"), ("armor", "K1F-34"), ("damage", "K1F-34")):
        assert printed(f"enemy.hell_raiders.{path}", rule)
    assert printed("weapon.p_a_shotgun.damage", "K1H-15") and printed("knight.chris_hammersworn.skills.guns", "K1G-03")


def test_knights_as_printed() -> None:
    assert KNIGHTS["naomi_vatt"].skills.survival == 2 and printed("knight.naomi_vatt.skills.survival", "K1G-02")
    assert effects(KNIGHTS["david_mayhem"]) == {("before", "start_range", "self", 3, "")}
    assert KNIGHTS["mel_gearson"].effects == () and "Fuel" in KNIGHTS["mel_gearson"].text
    assert {
        "naomi_vatt": "Mechanic",
        "chris_hammersworn": "Preacher",
        "russel_crown": "Gladiator",
    }.items() <= {slug: knight.vocation.removeprefix("the ") for slug, knight in KNIGHTS.items()}.items()


def test_enemies_as_printed() -> None:
    assert effects(ENEMIES["inhr"]) == {("standing", "dice", "opponent", -2, "")}
    assert (ENEMIES["inhr"].rewards.reputation, ENEMIES["inhr"].rewards.yellow) == (1, 1)
    assert {e.what for e in ENEMIES["furball"].effects} == {"start_range"} and ENEMIES["furball"].rewards.reputation
    assert {e.what for e in ENEMIES["silent_howler"].effects} == {"set_range"}
    assert {e.when for e in ENEMIES["alices_exiles"].effects} == {"won"}
    assert effects(ENEMIES["digger_2_0"]) == {
        ("start", "vehicle", "opponent", 1, ""),
        ("won", "stop", "opponent", 1, ""),
    }


def test_gear_as_printed() -> None:
    assert WEAPONS["chainsaw"].fuel == 1 and WEAPONS["crossbow"].ammo == 0
    assert effects(GEAR["medi_shot"]) == {("any_time", "health", "self", 2, "")} and GEAR["medi_shot"].use == "one_use"
    assert {e.only for e in GEAR["hollow_points"].effects} == {"ammo"}
    assert {e.when for e in GEAR["mini_bomber"].effects} == {"before"}


# ---------------------------------------------------------------- the readme


def test_every_word_of_the_vocabulary_has_an_example_that_is_right() -> None:
    text = (SCHEMA.folder / "README.md").read_text().split("## Errands")[0]
    rows = [tomllib.loads(f"row = {row}")["row"] for row in re.findall(r"`(\{ when = [^`]*\})`", text)]
    found = [packs.validate(cards.Effect, row, "row") for row in rows]
    assert not [mistake for _, mistakes in found for mistake in mistakes]
    for word in (*cards.WHEN, *cards.WHAT, *(only for only in cards.ONLY if only)):
        assert re.search(rf"^\|.*`{word}`", text, re.MULTILINE), word
    seen = {effect.when for effect, _ in found if effect} | {effect.what for effect, _ in found if effect}
    assert set(cards.WHEN) <= seen and set(cards.WHAT) - seen <= {"fuel", "reputation", "yellow", "red"}
