"""A reader who has the rulebook can check a replay of The Waste of Parts line by line (FM5)."""

from __future__ import annotations

from typing import Any

import pytest

from simcore.game import seatings
from simcore.kernels import blank
from simcore.streams import root, word
from tests.mech_referee import Referee, true_state

GAMES = [
    (("brute/counterblow",), "regular", {"events": 1}, {}),
    (("scout/adrenaline_rush", "shepherd/herd"), "random", {}, {}),
    (("scout/haste", "gambler/press_your_luck"), "regular", {"boss": 1}, {"mech.goal": "8"}),
    (("firefighter/hostile_environment", "gambler/make_your_own_luck", "deadeye/gunner"), "regular", {"events": 1}, {}),
    (("experiment/lost_link", "doctor/surgeon", "prepper/waste_not"), "random", {"events": 1}, {}),
    (("brute/bloodlust", "doctor/triage", "mechanic/quick_fix", "artificial/overclock"), "strong", {"events": 1}, {}),
    (("mechanic/treasure_hunter", "artificial/living_hull", "shepherd/calm", "deadeye"), "random", {}, {}),
    (("brute", "scout", "doctor", "mechanic"), "regular", {"boss": 2}, {"mech.goal": "8"}),
    (("experiment/rage_gene", "firefighter", "prepper/ready_for_anything", "scout", "brute"), "regular", {}, {}),
    (
        ("shepherd", "gambler", "deadeye", "doctor", "artificial"),
        "random",
        {"events": 1, "boss": 2},
        {"mech.goal": "6"},
    ),
]
"""Crews of one to five, their bots, settings, and values over the pack."""


def game_of(
    rules: Any, crew: tuple[str, ...], bot: str, settings: dict[str, int], sets: dict[str, str], seed: int
) -> Any:
    """A game to be played: its tables, its state, a stream, and its seating."""
    tables = rules.tables("mech", sets, settings)
    row = seatings(rules.game("mech"), tables, [*crew, *[""] * (5 - len(crew))], {"crew": bot}, "none")[0]
    s, stream = blank(rules["mech.state"].MECH), blank(rules["streams"].STREAM)
    stream.game = word(root(5, seed), seed)
    return tables, s, stream, row


def played(rules: Any, number: int) -> tuple[Any, Any, list[tuple[int, dict[str, Any]]], Any]:
    """A game: its tables, its journal, the true state after so many notes, round by round, and its seating."""
    tables, s, stream, row = game_of(rules, *GAMES[number], seed=number)
    journal, play = rules["journal"].Journal(), rules["mech.play"]
    play.set_up(s, tables.data, stream, journal, row)
    states = [(len(journal), true_state(tables, s))]
    while s.over == 0 and s.rounds < 40:
        play.play_round(s, tables.data, stream, journal)
        states.append((len(journal), true_state(tables, s)))
    play.note(journal, rules["mech.tell"].ENDS, s.ending, s.rounds, s.distance, s.hull)
    return tables, journal, states, row


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_fm5_the_whole_table_follows_from_the_text_of_a_replay(rules: Any, number: int) -> None:
    """Every dial, pile and place, after each round and at the end, of ten games with crews of one to five."""
    tables, journal, states, row = played(rules, number)
    tell = rules["mech.tell"].tell
    assert len(states) > 3
    for notes, state in states:
        lines = tell(tables, row, journal[:notes], None)
        found = Referee(tables, lines).told()
        for what, true in state.items():
            assert found[what] == true, (what, lines[-12:])


HARD = {
    "mech.hull": "4",
    "enemy.toxic_gull.effects": '[{ when = "acts", what = "hull", whom = "mech", many = -2 }]',
    "enemy.moaner.effects": '[{ when = "destroyed", what = "health", whom = "everyone", many = -4 }]',
    "enemy.scrap_rat.effects": '[{ when = "spawned", what = "health", whom = "everyone", many = -2 }]',
    "enemy.bone_runner.effects": '[{ when = "standing", what = "swift", whom = "self", many = 1 }]',
    "event.acid_rain.effects": '[{ when = "round_end", what = "health", whom = "everyone", many = -3 }]',
}
"""A pack in which games end in the midst of whatever happens."""


@pytest.mark.parametrize("size", range(1, 6))
def test_fm5_nothing_happens_once_a_game_is_over(rules: Any, size: int) -> None:
    """No note is written, and nothing of the table changes, after the Hull is gone, the crew is down or all is won."""
    crew = ("brute/counterblow", "scout", "shepherd", "doctor", "mechanic")[:size]
    ends = set()
    for seed in range(6):
        settings = {"events": 1, "extra_noise": 2 - size, "boss": seed % 3}
        sets = HARD if seed % 2 else {"mech.goal": "6"}
        tables, s, stream, row = game_of(rules, crew, ("random", "regular")[seed % 2], settings, sets, seed)

        class Watched(rules["journal"].Journal):  # type: ignore[misc]
            """Notes, each with whether the game was over before it."""

            def append(self, note: Any) -> None:
                assert s.over == 0 or note.what == ends_with, note  # noqa: B023
                super().append(note)

        ends_with = rules["mech.tell"].ENDS
        rules["mech.play"].play_one(s, tables.data, stream, Watched(), row)
        ends.add(int(s.ending))
    assert {7, 8} & ends
