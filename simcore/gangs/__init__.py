"""Marauders of the Great Wastelands: gangs fight for territories over four days."""

from __future__ import annotations

from simcore.game import STANDARD_ENDINGS, Column, Game, Setting, Side
from simcore.gangs.cards import SCHEMA
from simcore.gangs.play import play_range
from simcore.gangs.tables import SEATS, load
from simcore.gangs.tell import tell

GAME_COLUMNS = (
    Column("hours_1", "hours", "hours of the first day"),
    Column("hours_2", "hours", "hours of the second day"),
    Column("hours_3", "hours", "hours of the third day"),
    Column("hours_4", "hours", "hours of the fourth day"),
    Column("tied", "games", "1 if several gangs were first", flag=True),
    Column("lead_changes", "times", "how often another gang was alone in the lead after a day"),
    Column("capped_days", "days", "days that were stopped because nobody ended them, and the game with them"),
    Column("loot_destroyed", "loot", "loot that left the game"),
    Column("razed", "territories", "territories that an ability destroyed"),
)

SEAT_COLUMNS = (
    Column("loot", "loot", "loot in the trophies"),
    Column("territories", "territories", "territories in the trophies"),
    Column("kind_1", "territories", "of these, of the pack's first type"),
    Column("kind_2", "territories", "of these, of the second type"),
    Column("kind_3", "territories", "of these, of the third type"),
    Column("kind_4", "territories", "of these, of the fourth type"),
    Column("kind_5", "territories", "of these, of the fifth type"),
    Column("kind_6", "territories", "of these, of the sixth type"),
    Column("sets", "sets", "complete sets of all types"),
    Column("seized", "times", "times a squad seized a neutral or a rival's territory"),
    Column("conquered", "times", "of these, from a rival"),
    Column("lost", "times", "territories lost to a rival's squad"),
    Column("wounded", "followers", "own followers that were wounded"),
    Column("fodder_made", "cards", "slaves and fanatics that came"),
    Column("fodder_spent", "cards", "slaves and fanatics that went back to the pool"),
    Column("hired", "cards", "mercenaries taken from the market"),
    Column("destroyed", "cards", "own cards that left the game"),
    Column("hours", "hours", "hours played"),
    Column("began", "games", "1 for the first player of the game", flag=True),
    Column("led_1", "games", "1 if alone in the lead after the first day", flag=True),
    Column("led_2", "games", "1 if alone in the lead after the second day", flag=True),
    Column("led_3", "games", "1 if alone in the lead after the third day", flag=True),
)

SETTINGS = (
    Setting("advanced", 0, 0, 1, "1: decks by their marks, and mercenaries in whole sets"),
    Setting("first_game", 0, 0, 1, "1: the short first game of four gangs, without leaders"),
    Setting("most_hours", 15, 1, 100, "hours a player after which a day is stopped, and the game with it"),
)

GAMES = {
    "gangs": Game(
        name="gangs",
        title="Marauders of the Great Wastelands",
        sides=(Side("gangs", "gang", SEATS, least=2),),
        endings=STANDARD_ENDINGS,
        game_columns=GAME_COLUMNS,
        seat_columns=SEAT_COLUMNS,
        settings=SETTINGS,
        schema=SCHEMA,
        load=load,
        play_range=play_range,
        tell=tell,
        rounds_called="hours",
        package="gangs",
    )
}
