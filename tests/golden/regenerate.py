"""Playthroughs of whole combats as readable text: `python -m tests.golden.regenerate` writes them anew.

Read the difference before you commit it: each changed line is a changed rule, card, bot or word of the story.
"""

from __future__ import annotations

from pathlib import Path

from simcore.game import find_game, replay, seatings
from simcore.packs import load
from simcore.streams import root

FOLDER = Path(__file__).parent / "playthroughs"

PLAYED = {
    "preacher_and_raiders": ("knights.fight", ("chris_hammersworn", "hell_raiders"), "regular", 3),
    "ambush_of_the_digger": ("knights.fight", ("david_mayhem", "digger_2_0"), "strong", 1),
    "howler_by_chance": ("knights.fight", ("naomi_vatt", "silent_howler"), "random", 2),
    "colossus_stands": ("knights.fight", ("hugh_jackal", "rad_colossus"), "regular", 4),
    "stalker_and_reavers": ("knights.fight", ("kate_blanksheet", "chrome_reavers"), "strong", 5),
    "gladiator_duels_the_preacher": ("knights.duel", ("russel_crown", "chris_hammersworn"), "regular", 6),
    "duel_by_chance": ("knights.duel", ("mel_gearson", "nicole_killman"), "random", 7),
}
"""Name of the file -> game, lineup, bot of all seats, number of the game."""


def playthrough(name: str) -> str:
    """The story of one listed combat, with what it was."""
    game_name, lineup, bot, index = PLAYED[name]
    game = find_game(game_name)
    tables = game.load(load(game.schema), {setting.name: setting.default for setting in game.settings})
    seats = seatings(game, tables, lineup, {side.bot: bot for side in game.sides})
    _, story = replay(game, tables, seats, root(1, 1), index)
    return "\n".join([f"{game_name}, {' and '.join(lineup)}, {bot} bots, game {index}", "", *story, ""])


def main() -> None:
    """Write every listed playthrough."""
    FOLDER.mkdir(exist_ok=True)
    for name in PLAYED:
        (FOLDER / f"{name}.txt").write_text(playthrough(name), encoding="utf-8")


if __name__ == "__main__":
    main()
