"""Playthroughs of whole combats and games as readable text: `python -m tests.golden.regenerate` writes them anew.

Read the difference before you commit it: each changed line is a changed rule, card, bot or word of the story.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from simcore.game import Game, Tables, find_game, replay, seatings
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
    "mech_of_one": ("mech", ("brute",), "strong", 4),
    "mech_of_two": ("mech", ("doctor", "scout"), "regular", 2),
    "mech_of_three": ("mech", ("firefighter", "gambler", "deadeye"), "regular", 10),
    "mech_of_four": ("mech", ("brute", "doctor", "mechanic", "deadeye"), "regular", 2),
    "mech_of_five": ("mech", ("artificial", "experiment", "prepper", "scout", "shepherd"), "strong", 5),
    "gangs_of_two": ("gangs", ("valkyries", "slave_traders"), "strong", 1),
    "gangs_of_three": ("gangs", ("gentlemen", "unshakeable", "patrol"), "regular", 3),
    "gangs_of_four": ("gangs", ("hyenas", "slave_traders", "unshakeable", "patrol"), "regular", 2),
    "board_of_two": ("knights.board", ("mel_gearson", "naomi_vatt"), "regular", 1),
    "board_of_three": ("knights.board", ("mel_gearson", "chris_hammersworn", "kate_blanksheet"), "strong", 3),
    "board_of_four": ("knights.board", ("russel_crown", "hugh_jackal", "heat_leisure", "naomi_vatt"), "regular", 2),
    "voyage_of_one": ("voyage", ("pirate",), "strong", 1),
    "voyage_of_two": ("voyage", ("trader", "rangatira"), "regular", 1),
    "voyage_of_three": ("voyage", ("assault_marine", "pirate", "trader"), "strong", 2),
    "voyage_of_four": ("voyage", ("rangatira", "trader", "pirate", "assault_marine"), "bold", 1),
}
"""Name of the file -> game, lineup, bot of all seats, number of the game."""

TABLES = {
    "mech_of_three": {"events": 1, "boss": 2},
    "mech_of_five": {"events": 1, "boss": 1},
    "gangs_of_three": {"advanced": 1},
    "gangs_of_four": {"first_game": 1},
    "board_of_three": {"mission": 1, "rounds": 5},
    "board_of_four": {"mission": 2, "rounds": 4},
    "voyage_of_two": {"difficulty": 0},
    "voyage_of_three": {"rounds": 9, "difficulty": 4},
    "voyage_of_four": {"rounds": 6, "water": 0},
}
"""Name of the file -> settings of the table, where they aren't the usual ones."""


def playthrough(name: str) -> str:
    """The story of one listed combat, with what it was."""
    game_name, lineup, bot, index = PLAYED[name]
    game = find_game(game_name)
    settings = {setting.name: setting.default for setting in game.settings} | TABLES.get(name, {})
    tables = game.load(load(game.schema), settings)
    seats = seats_of(game, tables, lineup, bot)
    _, story = replay(game, tables, seats, root(1, 1), index)
    return "\n".join([f"{game_name}, {' and '.join(lineup)}, {bot} bots, game {index}", "", *story, ""])


def seats_of(game: Game, tables: Tables, lineup: Sequence[str], bot: str) -> Any:
    """The seatings of a lineup; a crew that is smaller than its table leaves the last chairs empty."""
    full, few = [*lineup, *[""] * (game.players - len(lineup))], len(lineup) < game.players
    return seatings(game, tables, full, {side.bot: bot for side in game.sides}, "none" if few else "all")


def main() -> None:
    """Write every listed playthrough."""
    FOLDER.mkdir(exist_ok=True)
    for name in PLAYED:
        (FOLDER / f"{name}.txt").write_text(playthrough(name), encoding="utf-8")


if __name__ == "__main__":
    main()
