"""FK6: what a card of Waste Knights says is what it does: every effect stands in its text, and nothing else does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from simcore import packs
from simcore.game import find_game

PACK = packs.load(find_game("knights.board").schema)
KINDS = ("knight", "weapon", "armor", "gear", "luck", "enhancement", "event", "enemy")
SAID = {
    "per_fuel": "each fuel spent", "dice": r"\b(?:dice|die) (?:more|less)", "multi": "multi-attack icon",
    "dominance": "dominance", "weather": "events of nature", "green": "green card", "yellow": "yellow card",
    "red": "red card", "luck": r"\d luck cards?", "stride": "change range moves", "health": "health",
    "start_range": "starting range|starts at", "set_range": "range becomes", "piercing": "ignore", "fuel": "fuel",
    "ammo": "ammo", "radiation": "radiation", "points": "movement points? ?", "check": "checks? ?", "armor": "armor",
    "damage": r"damage more",
    "capacity": "fits? the vehicle", "backpack": "fits? the backpack", "repair": "repair the vehicle",
    "wake": "unconsciousness", "reputation": "reputation", "reroll": r"\bagain\b", "cancel": "comes to nothing",
    "stop": r"\bstops?\b", "skip": "skip this round", "mark": "marks", "irradiate": "radiation here",
    "contaminate": "contamination", "obstruct": "obstacle", "threaten": "threat", "merchant": "trade with the stalls",
    "trade": "trade with the stalls", "vehicle": "vehicle suffers", "bulls_eye": "bull's eye",
    "resupply_body": "heal radiation and health fully", "resupply_goods": "refill ammo and fuel, repair the vehicle",
    "gamble": "roll 1 die:", "take_drug": "a drug", "take_armor": "an armor", "implant": "implant",
    "mutation": "mutation", "tuning": "tuning", "strike": "choose a hex", "jump": "any hex", "scout": "wasteland cards",
    "blank": "special token",
}  # fmt: skip
"""How a text says each effect."""

ALONE = {
    "multi", "dominance", "weather", "green", "yellow", "red", "luck", "stride", "set_range", "piercing", "capacity",
    "backpack", "repair", "wake", "reputation", "reroll", "cancel", "stop", "skip", "mark", "irradiate", "contaminate",
    "obstruct", "threaten", "vehicle", "per_fuel", "strike", "jump", "scout", "gamble", "take_drug",
    "take_armor", "blank",
}  # fmt: skip
"""Effects whose words mean nothing else: a text that has them without the effect is wrong."""

UNCOUNTED = {
    "weather", "start_range", "set_range", "repair", "wake", "reroll", "cancel", "stop", "skip", "irradiate",
    "contaminate", "obstruct", "threaten", "merchant", "trade", "resupply_body", "resupply_goods", "take_drug",
    "take_armor", "implant", "mutation", "tuning", "jump", "blank",
}  # fmt: skip
NARROWED = {
    "machine": "machines", "beast": "beasts", "gang": "gangs", "mutant": "mutants", "cult": "the cult",
    "clash_1": "first clash", "clash_2": "second clash", "clash_3": "third clash", "ranged": "ranged", "melee": "melee",
    "short": "short range", "medium": "medium range", "long": "long range", "ammo": "spend ammo",
    **{skill: f"{skill} checks" for skill in ("blades", "guns", "talk", "survival", "repair", "medicine")},
}  # fmt: skip
RANGES = ("short", "medium", "long")
TRAIT = {"beast": "beast", "cult": "enemy of the cult", "gang": "gang", "machine": "machine", "mutant": "mutant"}


def rows_of(card: Any) -> list[Any]:
    """Give the effects of a card, in combat and off it; what is the same in both is said once."""
    found, known = [], set()
    for row in [*getattr(card, "effects", ()), *getattr(card, "errands", ()), *getattr(card, "rewards_", ())]:
        what = "vehicle" if row.what == "damage" and row.when in ("always", "faced", "failed") else row.what
        key = (what, row.many, row.only, row.when in ("any_time", "used"))
        if what in ("reroll", "cancel"):
            key = (what,)
        if key not in known:
            known.add(key)
            found.append((what, row))
    return found


def numbers_of(rows: Iterable[Any]) -> Counter[str]:
    """Give the numbers that a text must have for its effects: "all" for a dial to its top, two for a strike."""
    found: Counter[str] = Counter()
    for what, row in rows:
        many = abs(row.many)
        if what == "strike":
            found[str(many)] += 2
        elif what == "gamble":
            found += Counter(("1", "1", "4", "1", "5", "9", "1", "10", "1"))
        elif what == "scout" or (what not in UNCOUNTED and not (what in ("health", "radiation") and many >= 4)):
            found[str(many)] += 1
    return found


def told(text: str) -> Counter[str]:
    """Give the numbers of a text."""
    return Counter(re.findall(r"\d+", text))


def wrong_in(text: str, rows: list[Any], more: Iterable[int | str] = ()) -> Iterator[str]:
    """Give what is wrong with the text of a card with some effects; `more`: other numbers that it must have."""
    low = text.lower()
    for what, row in rows:
        if not re.search(SAID[what], low):
            yield f"does not say {what}"
        if row.only and NARROWED[row.only] not in low and not (row.only in TRAIT and row.only in low):
            short = re.search(r"checks, \d+ (?:more|less) on", low) and row.only in low
            if not short:
                yield f"does not say that it is for {row.only} alone"
        if what in ("health", "radiation") and abs(row.many) >= 4 and "all" not in low:
            yield f"does not say that all {what} is healed"
        named = what == "set_range" or (what == "start_range" and row.many < 3)
        if named and RANGES[row.many] not in low:
            yield f"does not say {RANGES[row.many]}"
        less = row.many < 0 and what in ("dice", "check")
        if less and "less" not in low:
            yield f"does not say that {what} is less"
    here = {what for what, _ in rows}
    for what in ALONE - here:
        if re.search(SAID[what], low) and not (what in ("repair",) and "resupply_goods" in here):
            yield f"says {what}, which it does not do"
    expected = numbers_of(rows) + Counter(map(str, more))
    if told(text) != expected:
        yield f"has the numbers {sorted(told(text).elements())}, and its effects have {sorted(expected.elements())}"


def wrong_cards(pack: Any) -> list[str]:
    """Give what is wrong with the texts of the cards of a pack that have effects of their own."""
    found = []
    for kind in KINDS:
        for slug, card in pack.cards[kind].items():
            rows, more = rows_of(card), []
            if kind == "event" and card.successes > 1:
                more = [card.successes]
            if rows or card.text:
                found += [f"{kind}.{slug} {what}: {card.text!r}" for what in wrong_in(card.text, rows, more)]
            marked = getattr(card, "use", "") == "mark" and any(
                row.when in ("used", "moving", "resting") for _, row in rows
            )
            if marked != ("once a round" in card.text.lower()):
                found.append(f"{kind}.{slug}: is it used once a round? {card.text!r}")
            if kind == "event" and card.on_foot == ("on foot" in card.text):
                found.append(f"{kind}.{slug}: does it concern knights on foot? {card.text!r}")
            rewarded = any(row.when == "faced" for _, row in rows)
            if kind == "event" and rewarded != ("Reward:" in card.text):
                found.append(f"{kind}.{slug}: what is a reward? {card.text!r}")
    return found


def test_cards_say_what_they_do() -> None:
    assert wrong_cards(PACK) == []


def test_a_text_that_does_not_agree_is_found() -> None:
    """Another number, another effect, one more or one less: each is noticed, on every card that has effects."""
    for kind in KINDS:
        for card in PACK.cards[kind].values():
            rows = rows_of(card)
            if not rows:
                continue
            what, row = rows[0]
            other = row.model_copy(update={"many": row.many + (1 if row.many > 0 else -1)})
            if what not in UNCOUNTED and abs(row.many) < 3:
                assert list(wrong_in(card.text, [(what, other), *rows[1:]])), card.text
            if what in ALONE and [w for w, _ in rows].count(what) == 1:
                assert list(wrong_in(card.text, rows[1:])), card.text
            assert list(wrong_in("", rows)), card.text
    rib = [("capacity", PACK.cards["gear"]["trailer"].errands[0])] if "trailer" in PACK.cards["gear"] else []
    assert not rib or list(wrong_in("2 cards more fit the backpack.", rib))


def test_hexes_say_what_they_do() -> None:
    """Each action, what a hex bars from trade, a tower's dice, and the special spaces of the Stalls."""
    wrong = []
    for slug, tile in PACK.cards["tile"].items():
        for action in tile.actions:
            rows = rows_of(action)
            wrong += [f"{slug}: {action.text!r} {what}" for what in wrong_in(action.text, rows)
                      if not (what.startswith("says") and "gamble" in [w for w, _ in rows])]  # fmt: skip
        barred = {"no_weapons": "No weapons are traded here.", "no_drugs": "No drugs are traded here."}
        assert (tile.trade in barred) == (tile.text in barred.values()) and barred.get(
            tile.trade, tile.text
        ) == tile.text
        assert (tile.aura > 0) == (f"{tile.aura} dice more" in tile.text)
    assert wrong == []


def needed(need: Any) -> Iterator[str]:
    """Give the words that a text must have for what a task asks for."""
    titles = {tile.number: tile.title for tile in PACK.cards["tile"].values() if tile.number}
    if need.hex:
        yield titles[need.hex]
    if need.need == "check":
        yield f"pass a {need.skill.title()} check"
    if need.need == "explore":
        yield "xplore"
    if need.need == "defeat":
        yield TRAIT[need.trait] if need.trait else "enemy"
    if need.need == "defeat_knight":
        yield "another knight"
    if need.need == "ride":
        yield f"{need.points} Movement Points over {need.hexes} different hexes"
    for colour in ("green", "yellow", "red"):
        if getattr(need.price, colour):
            yield f"{getattr(need.price, colour)} {colour} card"


@pytest.mark.parametrize("slug", PACK.cards["task"])
def test_tasks_say_what_they_ask_and_bring(slug: str) -> None:
    task = PACK.cards["task"][slug]
    asks, _, brings = task.text.partition("Reward:")
    for need in (task.first, task.second):
        assert all(words.lower() in asks.lower() for words in needed(need)), (task.text, list(needed(need)))
    assert bool(task.binds) == ("must play" in asks) and (not task.binds or f"must play {task.binds}" in asks)
    rewards = [(row.what, row) for row in task.rewards]
    given = [card.title for kind in ("vehicle", "weapon", "armor", "gear", "enhancement")
             for name, card in PACK.cards[kind].items() if name == task.gives]  # fmt: skip
    assert all(title in brings for title in given)
    extra = [1 for what, _ in rewards if what in ("implant", "mutation", "tuning") and re.search(rf"1 {what}", brings)]
    assert list(wrong_in(brings, rewards, extra)) == [], task.text


def test_missions_say_what_they_are() -> None:
    """FK1: the goal, the rounds where they are named, what a duel is worth, and the cultists."""
    for card in PACK.cards["mission"].values():
        duel = re.search(r"each duel won is worth (\d) Reputation more", card.text)
        assert (int(duel[1]) if duel else 0) == card.duel_reputation and card.cultists == ("cultist" in card.text)
        assert card.goal == "reputation" or "most duels" in card.text
        rounds = re.search(r"After (\d+) rounds", card.text)
        assert not rounds or int(rounds[1]) == card.rounds
