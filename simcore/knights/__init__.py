"""Waste Knights: combats against enemies, and duels of knights."""

from __future__ import annotations

from typing import Any

from simcore.game import STANDARD_ENDINGS, Column, Ending, Game, Setting, Side
from simcore.knights import board_tables, board_tell
from simcore.knights.board_play import play_range as play_board
from simcore.knights.cards import SCHEMA
from simcore.knights.play import play_duels, play_fights
from simcore.knights.tables import LUCK_CARD, load
from simcore.knights.tell import tell

ENDINGS = (
    *STANDARD_ENDINGS,
    Ending("blows", "won", "an attack took the loser's last Health"),
    Ending("dominance", "won", "the marker stood on the winner's side after the last clash"),
    Ending("effect", "won", "an effect, not an attack, took the loser out"),
    Ending("both_down", "draw", "both beaten in the same moment"),
    Ending("marker_on_zero", "draw", "nobody was ahead in dominance after the last clash"),
    Ending("ferocious_stand", "draw", "a ferocious enemy and the knight both stood after the last clash"),
    Ending("traded", "draw", "both knights defended in the first clash, and may trade instead"),
)

GAME_COLUMNS = (
    Column("start_range", "range", "range at the start: 0 short, 1 medium, 2 long"),
    Column("end_range", "range", "range at the end: 0 short, 1 medium, 2 long"),
)

SEAT_COLUMNS = (
    Column("health_lost", "Health", "Health lost to attacks"),
    Column("health_left", "Health", "Health at the end"),
    Column("healed", "Health", "Health brought back during the combat"),
    Column("ammo_spent", "Ammo", "Ammo spent on attacks"),
    Column("fuel_spent", "Fuel", "Fuel spent on weapons"),
    Column("cards_used", "cards", "one-use cards discarded"),
    Column("radiation", "Radiation", "Radiation at the end"),
    Column("vehicle_damage", "damage", "damage to the vehicle"),
    Column("stopped", "fights", "1 if the move ends here", flag=True),
    Column("reputation", "Reputation", "Reputation gained or lost"),
    Column("green", "cards", "green gear cards gained"),
    Column("yellow", "cards", "yellow gear cards gained"),
    Column("red", "cards", "red gear cards gained"),
    Column("attack_checks", "checks", "attack checks made"),
    Column("hits", "checks", "attack checks passed"),
    Column("beat", "fights", "1 if the opponent was beaten, also in a draw", flag=True),
    Column("dominance", "steps", "where the marker stood at the end, seen from here"),
    Column("attack", "cards", "times Attack was played"),
    Column("multi_attack", "cards", "times Multi-attack was played"),
    Column("prepare", "cards", "times Prepare was played"),
    Column("change_range", "cards", "times Change Range was played"),
    Column("defend", "cards", "times Defend was played"),
)

SETTINGS = (
    Setting("health", 4, 1, 9, "Health of the knights as a combat starts"),
    Setting("ammo", 4, 0, 9, "Ammo of the knights as a combat starts"),
    Setting("fuel", 4, 0, 9, "Fuel of the knights as a combat starts"),
    Setting("radiation", 0, 0, 8, "Radiation of the knights as a combat starts"),
    Setting("held_cards", 1, 0, 1, "1: knights hold their one-use cards; 0: they left them at home"),
    Setting("enemy_dice", 0, 0, 6, "dice that each enemy attack check gains, as near a tower that helps them"),
)


EXTRA = Setting(
    LUCK_CARD, -1, -1, 31, "the luck card that the knight holds in combat, by its place in the pack from 0; -1: none"
)


def _combat(name: str, title: str, sides: tuple[Side, ...], play_range: Any, solver: str, extra: str = "") -> Game:
    """A game of one combat: fights and duels differ in who sits there and who plays them. extra: as in `Game`."""
    return Game(
        name=name,
        title=title,
        sides=sides,
        endings=ENDINGS,
        game_columns=GAME_COLUMNS,
        seat_columns=SEAT_COLUMNS,
        settings=(*SETTINGS, EXTRA) if extra else SETTINGS,
        schema=SCHEMA,
        load=load,
        play_range=play_range,
        tell=tell,
        rounds_called="clashes",
        package="knights",
        solver=f"simcore.knights.equilibrium:{solver}",
        extra=(extra, LUCK_CARD) if extra else (),
    )


BOARD_COLUMNS = (
    Column("lead_changes", "times", "how often another knight was alone ahead in Reputation after a round"),
    Column("tied", "games", "1 if several knights were first", flag=True),
    Column("combats", "combats", "combats fought, duels included"),
)

BOARD_SEAT_COLUMNS = (
    Column("reputation", "Reputation", "Reputation at the end"),
    Column("gear_value", "green cards", "value of the gear at the end"),
    Column("won", "fights", "fights won against enemies"),
    Column("lost", "fights", "fights lost against enemies"),
    Column("drawn", "fights", "fights drawn"),
    Column("escaped", "cards", "wasteland cards escaped"),
    Column("knocked_out", "times", "times knocked out"),
    Column("tasks", "tasks", "tasks accomplished"),
    Column("fuel_spent", "Fuel", "Fuel spent"),
    Column("ammo_spent", "Ammo", "Ammo spent"),
    Column("travelled", "hexes", "hexes entered"),
    Column("duels", "duels", "duels fought"),
    Column("duels_won", "duels", "duels won"),
    Column("revived", "times", "times that others were revived"),
    Column("stolen", "times", "times something was stolen from others"),
    Column("bought", "cards", "cards and vehicles bought"),
    Column("luck_played", "cards", "luck cards played, quick resupply aside"),
    Column("speed", "points", "Movement Points for a Fuel in the vehicle that the game began with; 0: on foot"),
    Column("fame_fights", "Reputation", "Reputation from fights against enemies"),
    Column("fame_duels", "Reputation", "Reputation from duels"),
    Column("fame_tasks", "Reputation", "Reputation from tasks"),
)

BOARD_SETTINGS = (
    Setting("mission", 0, 0, 7, "the mission, by its place in the pack from 0"),
    Setting("rounds", 0, 0, 30, "rounds of the game; 0: as many as the mission has"),
    Setting("luck", 1, 0, 1, "1: with luck cards"),
    Setting("tasks", 1, 0, 1, "1: with tasks"),
    Setting("neutral_waster", 1, 0, 1, "1: the Waster plays the worst card; 0: he thinks of his own rank, too"),
    Setting("vehicle", -1, -1, 7, "the vehicle that all begin with, by its place in the pack; -1: each picks"),
    Setting("duels", 1, 0, 1, "1: conscious knights can be met and fought"),
)

BOARD = Game(
    name="knights.board",
    title="Waste Knights: the whole board game",
    sides=(Side("knights", "knight", board_tables.SEATS, least=2),),
    endings=STANDARD_ENDINGS,
    game_columns=BOARD_COLUMNS,
    seat_columns=BOARD_SEAT_COLUMNS,
    settings=BOARD_SETTINGS,
    schema=SCHEMA,
    load=board_tables.load,
    play_range=play_board,
    tell=board_tell.tell,
    package="knights",
)

GAMES = {
    BOARD.name: BOARD,
} | {
    game.name: game
    for game in (
        _combat(
            "knights.fight",
            "Waste Knights: a knight against an enemy",
            (Side("knights", "knight", 1), Side("enemies", "enemy", 1)),
            play_fights,
            "Combat",
            extra="luck",
        ),
        _combat(
            "knights.duel", "Waste Knights: a duel of two knights", (Side("knights", "knight", 2),), play_duels, "Duel"
        ),
    )
}
