"""The schema of Waste Knights: its vocabulary, its ranges, and what makes sense between cards."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import pytest

from simcore import packs
from simcore.game import find_game
from simcore.knights import cards
from simcore.knights.cards import SCHEMA, load_outs
from simcore.packs import Mistakes, Pack

ROW = {"when": "standing", "what": "dice", "whom": "self", "many": 1, "only": ""}


def wrong(sets: Mapping[str, str] | None = None, text: str = "", folder: Path | None = None) -> dict[str, str]:
    """What is wrong with the reference pack after a change, by place."""
    layers: list[Path | str] = ["reference"]
    if folder is not None:
        layers.append(folder / "over.toml")
        (folder / "over.toml").write_text(text)
    with pytest.raises(Mistakes) as caught:
        packs.load(SCHEMA, layers, sets)
    return {mistake.where: str(mistake) for mistake in caught.value.mistakes}


def row_wrong(**changes: Any) -> str:
    """What is wrong with a row of effect; "" if nothing."""
    _, mistakes = packs.validate(cards.Effect, {**ROW, **changes}, "row")
    return "; ".join(str(mistake) for mistake in mistakes)


# ---------------------------------------------------------------- vocabulary


def test_the_words_of_the_models_are_the_words_that_the_game_counts_by() -> None:
    fields = cards.Effect.model_fields
    for name, words in (
        ("when", cards.WHEN),
        ("what", cards.WHAT),
        ("whom", cards.WHOM),
        ("only", cards.ONLY),
    ):
        assert get_args(fields[name].annotation) == words
    for alias, words in (
        (cards.Icon, cards.ICONS),
        (cards.Range, cards.RANGES),
        (cards.Trait, cards.TRAITS),
        (cards.SkillName, cards.SKILLS),
        (cards.Colour, cards.COLOURS),
    ):
        assert get_args(alias) == words
    assert tuple(cards.Skills.model_fields) == cards.SKILLS
    assert tuple(cards.Weights.model_fields) == cards.FEATURES
    assert set(cards.MOMENTS) == set(cards.WHAT)


def test_each_what_is_allowed_at_its_moments_and_no_others() -> None:
    for what in cards.WHAT:
        for when in cards.WHEN:
            problem = row_wrong(what=what, when=when)
            assert bool(problem) == (when not in cards.MOMENTS[what]), problem


@pytest.mark.parametrize(
    "row",
    [
        {"many": 7},
        {"many": -7},
        {"many": 0},
        {"many": True},
        {"when": "start", "what": "start_range", "many": 4},
        {"when": "start", "what": "start_range", "many": 3},
        {"when": "start", "what": "start_range", "whom": "opponent"},
        {"when": "clash_end", "what": "set_range", "many": 3},
        {"when": "clash_end", "what": "set_range", "many": -1},
        {"when": "won", "what": "stop", "many": 2},
        {"what": "stride", "many": 3},
        {"what": "stride", "only": "beast"},
        {"what": "multi", "whom": "opponent"},
        {"what": "bulls_eye", "whom": "opponent"},
        {"whom": "opponent", "only": "ammo"},
        {"what": "armor", "only": "ammo"},
        {"when": "any_time", "what": "health", "only": "melee"},
        {"when": "won", "what": "ammo", "only": "long"},
        {"when": "start", "what": "health", "only": "clash_1"},
        {"only": "nature"},
        {"how": 1},
    ],
)
def test_rows_that_could_do_nothing_are_refused(row: dict[str, Any]) -> None:
    assert row_wrong(**row)


@pytest.mark.parametrize(
    "row",
    [
        {"many": -6, "only": "long"},
        {"when": "before", "what": "start_range", "many": 3},
        {"when": "start", "what": "start_range", "many": 0},
        {"when": "clash_end", "what": "set_range", "many": 0, "only": "clash_2"},
        {"when": "clash_end", "what": "health", "only": "short"},
        {"when": "before", "what": "damage", "only": "ammo"},
        {"what": "armor", "only": "ranged"},
        {"when": "start", "what": "dominance", "many": -2, "only": "machine"},
        {"what": "stride", "many": 2},
    ],
)
def test_rows_that_make_sense_are_taken(row: dict[str, Any]) -> None:
    assert not row_wrong(**row)


def test_all_that_is_wrong_with_a_row_is_said() -> None:
    problem = row_wrong(when="won", what="stride", many=3, only="short", whom="opponent")
    assert all(word in problem for word in ("at won", "1 to 2", "opponent", "always")) and "\n" not in problem


def test_only_may_be_left_out() -> None:
    effect, _ = packs.validate(cards.Effect, {key: value for key, value in ROW.items() if key != "only"}, "row")
    assert effect is not None and effect.only == ""


# ---------------------------------------------------------------- effects on kinds of card


@pytest.mark.parametrize(
    ("key", "row", "place"),
    [
        ("enemy.furball", 'when = "any_time", what = "health", whom = "self", many = 1', "when"),
        ("knight.mel_gearson", 'when = "any_time", what = "health", whom = "self", many = 1', "when"),
        ("gear.war_paint", 'when = "any_time", what = "health", whom = "self", many = 1', "when"),
        ("gear.medi_shot", 'when = "standing", what = "dice", whom = "self", many = 1', "when"),
        ("gear.mini_bomber", 'when = "start", what = "health", whom = "self", many = 1', "when"),
        ("enemy.furball", 'when = "start", what = "ammo", whom = "self", many = 1', "whom"),
        ("enemy.furball", 'when = "lost", what = "stop", whom = "self", many = 1', "whom"),
    ],
)
def test_effects_at_a_moment_or_side_that_the_card_has_not(key: str, row: str, place: str) -> None:
    assert list(wrong({f"{key}.effects": f"[{{ {row} }}]"})) == [f"{key}.effects.0.{place}"]


def test_at_most_six_effects() -> None:
    row = '{ when = "standing", what = "dice", whom = "self", many = 1 }'
    packs.load(SCHEMA, ["reference"], {"enemy.furball.effects": f"[{', '.join([row] * 6)}]"})
    assert "at most 6" in wrong({"enemy.furball.effects": f"[{', '.join([row] * 7)}]"})["enemy.furball.effects"]


# ---------------------------------------------------------------- ranges of fields


@pytest.mark.parametrize(
    ("key", "low", "high"),
    [
        ("knight.mel_gearson.skills.guns", 0, 10),
        ("weapon.katana.damage", 0, 6),
        ("weapon.katana.piercing", 0, 6),
        ("weapon.katana.multi", 0, 4),
        ("weapon.katana.bulls_eye", 1, 4),
        ("weapon.katana.hands", 1, 2),
        ("weapon.p_a_shotgun.ammo", 0, 1),
        ("weapon.katana.fuel", 0, 1),
        ("armor.riot_suit.armor", 0, 6),
        ("enemy.furball.tier", 1, 3),
        ("enemy.furball.aggression", 1, 15),
        ("enemy.furball.health", 1, 20),
        ("enemy.furball.rewards.red", 0, 6),
        ("range.short.difficulty", 2, 9),
        ("range.short.dice.melee", -3, 3),
        ("range.long.damage.long", -3, 3),
        ("dials.ammo", 1, 9),
        ("combat.clashes", 1, 6),
        ("combat.least_dice", 1, 6),
        ("bot.regular.temperature", 0, 100_000),
        ("bot.regular.weights.kill", -1000, 1000),
    ],
)
def test_numbers_have_ranges(key: str, low: int, high: int) -> None:
    for value in (low, high):
        packs.load(SCHEMA, ["reference"], {key: str(value)})
    for value in (low - 1, high + 1):
        assert wrong({key: str(value)})[key].endswith(f"a whole number from {low} to {high}")


def test_an_escape_is_easy_challenging_or_hard() -> None:
    assert wrong({"enemy.furball.escape.difficulty": "6"})["enemy.furball.escape.difficulty"].endswith("5, 7, 9")
    assert wrong({"enemy.furball.escape.difficulty": "true"})


def test_rulings_name_their_readings() -> None:
    assert "two_steps, one_step" in wrong({"ruling.same_way": "one_stp"})["ruling.same_way"]


# ---------------------------------------------------------------- between cards


def test_three_mistakes_of_one_card_come_together() -> None:
    sets = {
        "knight.mel_gearson.weapons": '["old_revolvr"]',
        "knight.mel_gearson.skills.guns": "-1",
        "knight.mel_gearson.vocatoin": "x",
    }
    found = wrong(sets)
    assert set(found) == {
        "knight.mel_gearson.weapons.0",
        "knight.mel_gearson.skills.guns",
        "knight.mel_gearson.vocatoin",
    }
    assert "did you mean old_revolver?" in found["knight.mel_gearson.weapons.0"]
    assert "did you mean vocation?" in found["knight.mel_gearson.vocatoin"]


@pytest.mark.parametrize(
    ("key", "value", "place"),
    [
        ("knight.mel_gearson.weapons", '["p_a_shotgun", "machete"]', "knight.mel_gearson.weapons"),
        (
            "knight.mel_gearson.weapons",
            '["old_revolver", "machete", "hatchet"]',
            "knight.mel_gearson.weapons",
        ),
        ("knight.mel_gearson.armor", "medi_shot", "knight.mel_gearson.armor"),
        ("knight.mel_gearson.carries", '["moon"]', "knight.mel_gearson.carries.0"),
        ("knight.mel_gearson.backpack", "0", "knight.mel_gearson.carries"),
        ("weapon.katana.ammo", "1", "weapon.katana.ammo"),
        ("range.long.initiative", '["long", "medium", "short"]', "range.long.dice"),
        ("range.medium.skills", '["blades"]', "range.medium.skills"),
        ("dials.health", "5", "dials.wound_dice"),
        ("weapon.katana.icons", '["melee", "melee"]', "weapon.katana.icons"),
        ("enemy.furball.traits", "[]", "enemy.furball.traits"),
    ],
)
def test_what_does_not_fit_together_is_a_mistake(key: str, value: str, place: str) -> None:
    assert place in wrong({key: value})


def test_pockets_take_three_general_cards_and_the_backpack_the_rest() -> None:
    four = '["medi_shot", "medi_shot", "rad_out", "rad_out", "machete"]'
    key = "knight.mel_gearson"
    packs.load(SCHEMA, ["reference"], {f"{key}.carries": four, f"{key}.backpack": "2"})
    assert f"{key}.carries" in wrong({f"{key}.carries": four, f"{key}.backpack": "1"})


def test_ranges_are_exactly_three(tmp_path: Path) -> None:
    text = "[range.far]\ntitle = 'Far'\ndifficulty = 9\nskills = ['guns']\ninitiative = ['long']\n"
    text += "dice = { long = 0 }\ndamage = { long = 0 }\n"
    found = wrong(text=text, folder=tmp_path)
    assert "at most 3" in found["range"] and "short, medium, long" in found["range.far"]


def test_gear_of_two_kinds_cannot_share_a_slug(tmp_path: Path) -> None:
    text = "[armor.katana]\ntitle = 'K'\ncolour = 'red'\narmor = 1\neffects = []\ntext = ''\n"
    assert list(wrong(text=text, folder=tmp_path)) == ["armor.katana"]


# ---------------------------------------------------------------- load-outs


def outs(**fields: str) -> list[tuple[tuple[str, ...], str]]:
    """Load-outs of a knight after a change."""
    return load_outs(
        packs.load(SCHEMA, ["reference"], {f"knight.mel_gearson.{k}": v for k, v in fields.items()}),
        "mel_gearson",
    )


def test_load_outs_are_all_full_hands_with_each_armor_the_start_first() -> None:
    assert outs(weapons='["sledge"]', carries='["machete", "hatchet", "riot_suit"]') == [
        (("sledge",), "road_leathers"),
        (("sledge",), "riot_suit"),
        (("machete", "hatchet"), "road_leathers"),
        (("machete", "hatchet"), "riot_suit"),
    ]
    assert outs(weapons='["machete"]', carries='["machete"]', armor="") == [
        (("machete",), ""),
        (("machete", "machete"), ""),
    ]
    assert outs(weapons='["machete", "machete"]', carries='["medi_shot"]') == [
        (("machete", "machete"), "road_leathers")
    ]
    assert outs(weapons="[]", carries="[]", armor="") == [((), "")]
    assert outs(weapons="[]", carries='["sledge"]', armor="") == [((), ""), (("sledge",), "")]


def test_a_knight_has_at_most_six_load_outs() -> None:
    key = "knight.mel_gearson"
    four = {f"{key}.weapons": '["machete", "hatchet"]', f"{key}.carries": '["katana", "scalpel"]'}
    assert len(load_outs(packs.load(SCHEMA, ["reference"], four), "mel_gearson")) == 6
    four[f"{key}.carries"] = '["katana", "scalpel", "riot_suit"]'
    assert "make 12 load-outs" in wrong(four)[f"{key}.carries"]


def test_a_stored_pack_keeps_its_load_outs() -> None:
    pack = packs.load(SCHEMA, ["reference"])
    again = Pack.from_json(SCHEMA, pack.to_json())
    assert again == pack and all(load_outs(again, slug) == load_outs(pack, slug) for slug in pack.cards["knight"])


def test_dials_may_not_start_above_their_tops() -> None:
    """Five Health and full Radiation are refused, both at once (K1D-02)."""
    game = find_game("knights.fight")
    settings = {setting.name: setting.default for setting in game.settings} | {"health": 5, "radiation": 4}
    with pytest.raises(Mistakes) as caught:
        game.load(packs.load(SCHEMA), settings)
    assert [mistake.where for mistake in caught.value.mistakes] == ["table.health", "table.radiation"]
