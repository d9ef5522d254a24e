"""FK6: the texts of the other games' cards agree with their effects: each effect stands there with its number, and
no text speaks of one that its card does not have. Most texts of the voyage tell a story; those that speak of effects
are held to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from simcore import packs
from simcore.game import find_game

NUMBERS = {1: "(?:an?|one|1|the first)", 2: "(?:two|2)", 3: "(?:three|3)", 4: "(?:four|4)", 5: "(?:five|5)"}
ANY = f"(?:{'|'.join(NUMBERS.values())})"

SAYS: dict[str, dict[str, str]] = {
    "gangs": {
        "fanatics": "# fanatics?", "slaves": "# slaves?", "draw": "draw # cards?", "patch": "patch up # followers?",
        "plunder": "take # loot", "spoil": "destroy # loot", "raze": "at most # loot .* leaves the game",
        "wound": "a rival wounds # followers?|^wound # follower of your choice",
        "knock": "# followers?,? .*home wounded", "repeat": "repeat the summon", "again": "send # more squads?",
        "muster": "place # (?:further|more) followers?", "herd": "slaves attack with #",
        "recruit": "# mercenary .* into your lair", "hire": "take # mercenary .* into your hand",
        "retrieve": "take # cards? from your discard pile", "home": "go home unwounded",
    },
    "mech": {
        "health": "heals #|# health(?! more)", "hull": "hull [+-]#|# hull",
        "actions": "gain # actions?|# more actions?|(?<!takes )# actions? less", "damage": "# damage to",
        "douse": "from on fire", "repair": "on fire to functional", "worsen": "suffers|room burns",
        "scrap": "# salvage cards? becomes? scrap", "spawn": "# more arms|# husher boards",
        "shove": "drives all enemies", "step": "# free move this round", "unarmed": "# more unarmed",
        "weapon": "# die more with weapons", "gun": "# die more with (?:the mech's|weapons and) guns|guns # die less",
        "guard": r"(?:attacks roll|attacks on her roll|^)\s?# die less", "soak": r"# hit of each attack is lost\.",
        "slots": "# more slots?", "mend": "mends # more", "self_mend": "and himself",
        "revive_cost": "revive takes # actions? less", "revive": "restores # health more",
        "steps": "# free move a round", "reloads": "# reload a round", "repairs": "# repair a round is free",
        "operate": "# card more when", "rage": "# die more for each missing health",
        "counter": "strikes back unarmed", "lure": "appears in its room instead",
        "restore": "extinguishes is functional", "brave": "extinguishes among enemies",
        "luck": "a die rolled as the round starts", "press": "roll for his actions",
        "thrift": "used up becomes scrap", "dice": r"# (?:die|dice) more\.", "shelter": "crew here roll # die less",
        "proof": "# damage of each round is off", "speed": "speed [+]#", "crane": "crane draws # (?:card )?more",
        "remote": "from afar in full", "noise": "noise [+-]#", "fuel_cost": "fuel takes # scrap more",
        "armor": "stop # hit of each attack|# hit of each attack is lost on it",
        "swift": "acts again after it has moved",
    },
    "voyage": {
        "lose": "# resources? (?:is|are) gone|# resource and", "drop": "piece of gear",
        "damage": "hits something|dent", "wound": r"# wounds?\.|# wound and", "tokens": "# aquatic tokens?",
        "attack": "# attack die", "clear": "# hazard less|most hazards",
        "steady": "# breach of the dice does nothing",
    },
}  # fmt: skip
"""How the texts of a game's cards say each effect, # for its number."""

SPEAKING = {
    "gangs": ("raider", "mercenary"),
    "mech": ("ability", "armor", "gear", "upgrade", "enemy", "event", "order"),
    "voyage": ("dehydration",),
}
"""The kinds of card whose texts say all that they do."""

PRICES = {
    "destroy": "destroy (?:a card|up to @ cards) of your hand", "discard": "discard a card of your hand",
    "wound": "wound up to @ followers of your lair", "fodder": "give up to @ fodder",
}  # fmt: skip
"""How the text of a follower says what its ability costs, @ for how often."""


def says(game: str, what: str, number: str) -> re.Pattern[str]:
    """How a text says an effect with a number, as a pattern."""
    return re.compile(SAYS[game][what].replace("#", number))


def rows_of(card: Any) -> list[tuple[str, int]]:
    """The effects of a card, and the Noise that stands on it beside them, each with its number."""
    found = [(row.what, abs(row.many)) for row in card.effects]
    return found + ([("noise", abs(card.noise))] if getattr(card, "noise", 0) else [])


def wrong_in(game: str, text: str, rows: list[tuple[str, int]], speaking: bool = True) -> Iterator[str]:
    """What is wrong with a text for these effects."""
    low = text.lower()
    for what, many in rows if speaking else ():
        if not says(game, what, NUMBERS.get(many, str(many))).search(low):
            yield f"does not say {what} {many}"
    here = {what for what, _ in rows}
    for what in SAYS[game].keys() - here:
        spoken = says(game, what, ANY).search(low)
        if spoken and not any(spoken.group() in (found.group() for found in said(game, low, other)) for other in here):
            yield f"says {what}, which it does not do"


def said(game: str, low: str, what: str) -> Iterator[re.Match[str]]:
    """Where a text says an effect, with any number."""
    return says(game, what, ANY).finditer(low)


def wrong_price(card: Any) -> Iterator[str]:
    """What is wrong with what a follower's text says of its price, and of who picks."""
    low = card.text.lower()
    for pay, words in PRICES.items():
        found = re.search(words.replace("@", NUMBERS[card.times]), low)
        if bool(found) != (pay == card.pay) and (pay == card.pay or re.search(words.replace("@", ANY), low)):
            yield f"price: is it {pay}?"
    owners = any(effect.who == "owner" for effect in card.effects)
    if owners != bool(re.search("a rival wounds|picked by its owner|its owner takes", low)):
        yield "who picks?"


@pytest.mark.parametrize("game", SPEAKING)
def test_cards_say_what_they_do(game: str) -> None:
    pack, wrong = packs.load(find_game(game).schema), []
    for kind in SPEAKING[game]:
        for slug, card in pack.cards[kind].items():
            wrong += [f"{kind}.{slug} {what}: {card.text!r}" for what in wrong_in(game, card.text, rows_of(card))]
            wrong += [f"{kind}.{slug} {what}: {card.text!r}" for what in (wrong_price(card) if game == "gangs" else ())]
    assert wrong == []


def test_ships_do_what_their_texts_say() -> None:
    ships = packs.load(find_game("voyage").schema).cards["ship"]
    wrong = [f"{slug} {what}" for slug, ship in ships.items()
             for what in wrong_in("voyage", ship.text, rows_of(ship), speaking=False)]  # fmt: skip
    assert wrong == []
    assert list(wrong_in("voyage", ships["trawler"].text, [], speaking=False)) == ["says tokens, which it does not do"]


@pytest.mark.parametrize("game", SPEAKING)
def test_a_text_that_does_not_agree_is_found(game: str) -> None:
    """Another number, or an effect more or less: each is noticed, on every card that has effects."""
    pack = packs.load(find_game(game).schema)
    for kind in SPEAKING[game]:
        for card in pack.cards[kind].values():
            rows = rows_of(card)
            for i, (what, many) in enumerate(rows):
                if "#" in SAYS[game][what]:
                    assert list(wrong_in(game, card.text, [*rows[:i], (what, many + 1), *rows[i + 1 :]])), card.text
                assert list(wrong_in(game, card.text, [*rows[:i], *rows[i + 1 :]])), (what, card.text)
                assert list(wrong_in(game, "", rows)), card.text
