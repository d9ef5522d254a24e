"""The Waste of Parts: a crew drives a mech of twelve rooms through the wastes."""

from __future__ import annotations

from simcore.game import STANDARD_ENDINGS, Column, Ending, Game, Setting, Side
from simcore.mech.cards import SCHEMA
from simcore.mech.play import play_range
from simcore.mech.tables import SEATS, load
from simcore.mech.tell import tell

ENDINGS = (
    *STANDARD_ENDINGS,
    Ending("sanctuary", "won", "Sanctuary reached, and no enemy left"),
    Ending("hull", "lost_by_all", "the Hull fell to 0"),
    Ending("crew_down", "lost_by_all", "the whole crew was Downed at once"),
    Ending("boss_beaten", "won", "Sanctuary reached, and the boss destroyed"),
)

GAME_COLUMNS = (
    Column("distance", "distance", "distance at the end"),
    Column("hull", "Hull", "Hull at the end"),
    Column("noise", "Noise", "Noise at the end"),
    Column("level", "level", "highest level in the enemy deck at the end"),
    Column("drawn", "cards", "enemy cards drawn in spawn steps"),
    Column("crushed", "enemies", "enemies that found no standee, and struck the Hull"),
    Column("fires", "rooms", "times a room caught fire"),
    Column("downs", "times", "times a crew member was Downed"),
    Column("spawned_1", "enemies", "enemies of level 1 that appeared"),
    Column("spawned_2", "enemies", "enemies of level 2 that appeared"),
    Column("spawned_3", "enemies", "enemies of level 3 that appeared"),
    Column("destroyed_1", "enemies", "enemies of level 1 destroyed"),
    Column("destroyed_2", "enemies", "enemies of level 2 destroyed"),
    Column("destroyed_3", "enemies", "enemies of level 3 destroyed"),
    Column("scrap_used", "Scrap", "Scrap discarded"),
    Column("salvaged", "cards", "cards drawn with the crane"),
    Column("reinforced", "Hull", "times the Hull was reinforced"),
    Column("recycled", "cards", "times Scrap was recycled"),
    Column("fuelled", "times", "times an engine was fuelled"),
    Column("stood_still", "rounds", "rounds without an advance"),
    Column("by_engines", "rounds", "of these, with an engine not Functional"),
    Column("by_cockpit", "rounds", "of these, with the Cockpit not Functional"),
    Column("by_wastes", "rounds", "of these, with enemies in The Wastes"),
    Column("milestone_1", "round", "the round in which the first milestone was passed, 0 if it never was"),
    Column("milestone_2", "round", "the round in which the second milestone was passed, 0 if it never was"),
)

SEAT_COLUMNS = (
    Column("downs", "times", "times Downed"),
    Column("revives", "times", "times that others were revived"),
    Column("kills", "enemies", "enemies destroyed"),
    Column("dealt", "Health", "Health taken from enemies"),
    Column("hurt", "Health", "Health lost"),
    Column("mended", "times", "times that others were mended"),
    Column("moved", "rooms", "rooms walked"),
    Column("unused", "actions", "actions left when a turn ended"),
    Column("items", "cards", "equipment held at the end"),
)

SETTINGS = (
    Setting("extra_noise", 0, -4, 8, "Noise at the start beside what the mech and the crew bring"),
    Setting("events", 0, 0, 1, "1: with events"),
    Setting("idle_enemies", 0, 0, 1, "1: enemies are drawn and leave at once, to look at the way alone"),
    Setting("free_fuel", 0, 0, 1, "1: fuel takes no Scrap"),
    Setting("fuelled", 0, 0, 2, "engines that count as fuelled in each round, whoever stands there"),
    Setting("boss", 0, 0, 2, "1: The Harrow waits at Sanctuary, 2: The Scourge"),
    Setting("most_rounds", 100, 1, 120, "rounds after which a game ends as capped"),
)

GAMES = {
    "mech": Game(
        name="mech",
        title="The Waste of Parts",
        sides=(Side("crew", "crew", SEATS, least=1),),
        endings=ENDINGS,
        game_columns=GAME_COLUMNS,
        seat_columns=SEAT_COLUMNS,
        settings=SETTINGS,
        schema=SCHEMA,
        load=load,
        play_range=play_range,
        tell=tell,
        package="mech",
        rotate="cyclic",
        crew=True,
    )
}
