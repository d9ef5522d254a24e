"""Beyond the Horizon: knights charter ships, cross toxic seas, and come home or do not."""

from __future__ import annotations

from simcore.game import STANDARD_ENDINGS, Column, Game, Setting, Side
from simcore.voyage.cards import SCHEMA, SHIPS
from simcore.voyage.play import play_cruises, play_range
from simcore.voyage.tables import SEATS, load
from simcore.voyage.tell import tell, tell_cruise

GAME_COLUMNS = (
    Column("ships_lost", "ships", "ships of the Quay that were sunk, Cutters aside"),
    Column("shown", "destinations", "destinations that someone has seen"),
    Column("water_left", "Water", "Water in the pool at the end"),
    *(
        Column(
            f"{name}_{ship}", unit, f"{about}, by ship in the order of the pack, the Cutter last", ("ship", ship - 1)
        )
        for name, unit, about in (
            ("sailed", "cruises", "cruises"),
            ("sunk", "times", "times sunk"),
            ("breach", "Breach", "Breach suffered"),
        )
        for ship in range(1, SHIPS + 1)
    ),
)

SEAT_COLUMNS = (
    Column("destinations", "destinations", "destinations visited"),
    Column("first_looks", "times", "First Looks"),
    Column("cargo", "points", "cargo"),
    Column("home", "games", "1 if in Australia at the end, and in the game", flag=True),
    Column("eliminated", "games", "1 if out of the game", flag=True),
    Column("arrivals", "cruises", "Ports of Call reached, by way of the Stranded Area as well"),
    Column("cruises", "cruises", "cruises begun"),
    Column("breach", "Breach", "Breach that chartered ships suffered"),
    Column("sunk", "ships", "ships sunk under this knight"),
    Column("strandings", "times", "times Stranded"),
    Column("stranded", "rounds", "rounds begun in the Stranded Area"),
    Column("paid", "value", "Charter Costs paid"),
    Column("overpaid", "value", "value lost by paying more than was asked"),
    Column("surcharges", "times", "Cutters chartered at a surcharge"),
    Column("bought", "Water", "Water got at the Stalls"),
    Column("gained", "Water", "Water gained otherwise"),
    Column("spent", "Water", "Water spent, on cures as well"),
    Column("missing", "Water", "Water that was to be spent and was not there"),
    Column("dehydrated", "cards", "Dehydration cards drawn"),
    Column("severe", "times", "of these, turned to the severe side"),
    Column("cured", "times", "sides of Dehydration cured"),
    Column("water", "Water", "Water at the end"),
    Column("tokens", "tokens", "threat tokens drawn"),
    Column("hazards", "icons", "Hazards suffered"),
    Column("radiation", "Radiation", "Radiation suffered"),
    Column("contamination", "Contamination", "Contamination suffered"),
    Column("injuries", "cards", "Injuries, Dehydration aside"),
    Column("knocked_out", "times", "times unconscious"),
    Column("fights", "fights", "fights against enemies"),
    Column("won", "fights", "of these, won"),
    Column("fled", "fights", "of these, escaped"),
    Column("tests", "tests", "tests made"),
    Column("passed", "tests", "of these, passed"),
    Column("deeds", "times", "Destination Actions"),
    Column("moves", "times", "Move Actions"),
    Column("aquatic", "tokens", "Aquatic tokens laid"),
    Column("wrecks", "times", "times the vehicle was wrecked"),
)

COMMON = (
    Setting("cards", 1, 0, 1, "0: no sea cards and no wasteland cards"),
    Setting("difficulty", 2, 0, 4, "the threat bag: 0 very easy, 1 easy, 2 normal, 3 hard, 4 very hard"),
    Setting("water", 1, 0, 1, "0: without Water and Dehydration"),
)
SETTINGS = (
    Setting("rounds", 0, 0, 60, "rounds of the season; 0: as many as the pack says"),
    *COMMON,
)

CRUISE_COLUMNS = (
    Column("arrived", "cruises", "1 if the Port of Call is reached", flag=True),
    Column("sunk", "cruises", "1 if the ship is sunk", flag=True),
    Column("stranded", "cruises", "1 if Stranded with the ship still afloat", flag=True),
    Column("eliminated", "cruises", "1 if the knight is out of the game", flag=True),
    Column("unconscious", "cruises", "1 if the knight is unconscious at the end", flag=True),
    Column("breach", "Breach", "Breach suffered"),
    Column("hull_left", "Breach", "Breach that the ship could still take; 0 once sunk"),
    Column("cost", "value", "Charter Cost"),
    Column("water_spent", "Water", "Water spent"),
    Column("water_missing", "Water", "Water that was to be spent and was not there"),
    Column("dehydrated", "cards", "Dehydration cards drawn"),
    Column("severe", "times", "of these, turned to the severe side"),
    Column("tokens", "tokens", "threat tokens drawn"),
    Column("hazards", "icons", "Hazards suffered"),
    Column("radiation", "Radiation", "Radiation suffered"),
    Column("contamination", "Contamination", "Contamination suffered"),
    Column("injuries", "cards", "Injuries, Dehydration aside"),
    Column("damage", "Damage", "Damage of the vehicle at the end"),
    Column("fights", "fights", "fights against enemies"),
    Column("won", "fights", "of these, won"),
    Column("fled", "fights", "of these, escaped"),
    Column("aquatic", "tokens", "Aquatic tokens laid"),
    Column("cargo", "points", "cargo"),
)

CRUISE_SETTINGS = (
    *COMMON,
    Setting("knight", 0, 0, 7, "who sails, by the place in the pack from 0"),
    Setting(
        "vehicle",
        0,
        -1,
        11,
        "his vehicle, by the place in the pack; -1: his own; too heavy for a ship, he takes a Cutter",
    ),
    Setting("breach", 0, 0, 11, "Breach that the ship bears as it leaves, at most one less than its Hull"),
    Setting("held", -1, -1, 40, "Water aboard, as far as it fits; -1: as at the start of a season"),
)

GAMES = {
    "voyage": Game(
        name="voyage",
        title="Beyond the Horizon",
        sides=(Side("knights", "knight", SEATS, least=1),),
        endings=STANDARD_ENDINGS,
        game_columns=GAME_COLUMNS,
        seat_columns=SEAT_COLUMNS,
        settings=SETTINGS,
        schema=SCHEMA,
        load=load,
        play_range=play_range,
        tell=tell,
        package="voyage",
    ),
    "voyage.cruise": Game(
        name="voyage.cruise",
        title="Beyond the Horizon: one cruise",
        sides=(Side("ships", "captain", 1), Side("routes", "sea", 1)),
        endings=STANDARD_ENDINGS,
        game_columns=CRUISE_COLUMNS,
        seat_columns=(),
        settings=CRUISE_SETTINGS,
        schema=SCHEMA,
        load=load,
        play_range=play_cruises,
        tell=tell_cruise,
        package="voyage",
        laws="simcore.voyage.laws:closed_forms",
    ),
}
