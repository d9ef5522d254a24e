"""A season of Beyond the Horizon, derived from the text of its replay alone.

A reader who has the rulebook and the replay can follow every dial, pile and position. `Reader` is that reader: each
line must say one thing that it knows, and what a line says in parentheses must be what it has counted itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

DECKS = ("sea", "highway and desert", "scrub and mountains", "gear", "Aquatic gear", "Injury", "exploration",
         "Dehydration")  # fmt: skip
RESOURCES = ("Water", "Fuel", "Ammo", "Meds")


@dataclass
class Pile:
    """A deck: cards left in it, and discarded."""

    left: int
    thrown: int = 0

    def draw(self) -> None:
        """Draw a card; an empty deck is made anew."""
        if self.left == 0:
            self.left, self.thrown = self.thrown, 0
        self.left -= 1
        assert self.left >= 0


@dataclass
class Knight:
    """What can be told of a knight: where he is, his dials, his gear with the deck of each piece ("": none)."""

    port: str
    dials: dict[str, int]
    gear: list[tuple[str, str]]
    ship: str = ""
    breach: int = 0
    stranded: bool = False
    down: bool = False
    out: bool = False
    dry: tuple[str, int] = ("", 0)
    upgrades: list[str] = field(default_factory=list)


Handle = Callable[..., None]


def reads(pattern: str, indented: bool = True) -> Callable[[Handle], Handle]:
    """Mark a method as the one that reads lines of this form, which belong to the turn above them or not."""

    def mark(method: Handle) -> Handle:
        margin = r" +" if indented else r"(?! )"
        method.__dict__.setdefault("patterns", []).append(re.compile(f"{margin}(?:{pattern})"))
        return method

    return mark


class Reader:
    """The state of a season as its replay tells it, line by line."""

    def __init__(self) -> None:
        self.knights: dict[str, Knight] = {}
        self.decks: dict[str, Pile] = {}
        self.quay: dict[int, tuple[str, int]] = {}
        self.markers = self.stack = self.top = self.bag = self.round = 0
        self.lost: set[str] = set()
        self.opened: dict[str, str] = {}
        self.taken: list[str] = []
        self.specials = 0
        self.active = self.pending = ("", "")
        self.handlers = [
            (pattern, getattr(self, name))
            for name, method in vars(Reader).items()
            for pattern in getattr(method, "patterns", ())
        ]

    def read(self, lines: Iterable[str]) -> Reader:
        """Read lines; each must have exactly one meaning."""
        for line in lines:
            found = [(handle, match) for pattern, handle in self.handlers if (match := pattern.fullmatch(line))]
            assert len(found) == 1, f"{len(found)} meanings: {line!r}"
            handle, match = found[0]
            handle(*match.groups())
        return self

    @property
    def pool(self) -> int:
        """Water in the pool."""
        return self.markers - sum(knight.dials["Water"] for knight in self.knights.values())

    def turn(self, who: str, dial: str, change: int, total: str | None = None) -> None:
        """Turn a dial, and check what the line says of it."""
        dials = self.knights[who].dials
        dials[dial] += change
        assert dials[dial] >= 0, f"{dial} of {who} falls below 0"
        assert total is None or dials[dial] == int(total), f"{dial} of {who}: {dials[dial]}, and the line says {total}"

    # ---------------------------------------------------------------- laid out

    @reads(r"Decks: (.*)\. Water markers: (\d+)\.", indented=False)
    def _decks(self, decks: str, markers: str) -> None:
        self.markers = int(markers)
        for text in decks.split(", "):
            name, _, many = text.rpartition(" ")
            self.decks[name] = Pile(int(many))
        assert tuple(self.decks) == DECKS

    @reads(r"Threat tokens in the bag: (\d+)\.", indented=False)
    def _bag(self, many: str) -> None:
        self.bag = int(many)

    @reads(
        r"(.+) begins in (.+) with a (.+): (\d+) Water, (\d+) Fuel, (\d+) Ammo, (\d+) Meds; gear: (.+)\.",
        indented=False,
    )
    def _begins(
        self, who: str, port: str, vehicle: str, water: str, fuel: str, ammo: str, meds: str, gear: str
    ) -> None:
        dials = dict.fromkeys(
            ("wound", "Radiation", "Contamination", "Injury", "Damage", "experience", "cargo"), 0
        )  # fmt: skip
        dials |= {"Water": int(water), "Fuel": int(fuel), "Ammo": int(ammo), "Meds": int(meds)}
        self.knights[who] = Knight(port, dials, [(g, "") for g in gear.split(", ") if g != "none"])

    @reads(r"Quay, slot (\d+): (.+); Cutters left: (\d+)\.", indented=False)
    def _quay(self, slot: str, ship: str, left: str) -> None:
        self.quay[int(slot)] = (ship, 0)
        self.stack, self.top = int(left), 0

    # ---------------------------------------------------------------- turns

    @reads(r"Round (\d+)\.", indented=False)
    def _round(self, number: str) -> None:
        self.round += 1
        assert self.round == int(number)

    @reads(r"([^,]+), in the Stranded Area\.", indented=False)
    def _stranded_turn(self, who: str) -> None:
        assert self.knights[who].stranded

    @reads(r"([^,:]+), (?!in the )([^,:]+)\.", indented=False)
    def _turn(self, who: str, port: str) -> None:
        assert self.knights[who].port == port and not self.knights[who].stranded

    @reads(r"(.+) comes round \((\d+) wounds? left; it takes \d+ actions?\)\.")
    def _wakes(self, who: str, hurt: str) -> None:
        self.knights[who].down = False
        self.knights[who].dials["wound"] = int(hurt)

    @reads(r"(.+) returns (.+) with (\d+) Breach to slot (\d+)\.")
    def _returns(self, who: str, ship: str, breach: str, slot: str) -> None:
        assert int(slot) not in self.quay
        self.quay[int(slot)] = (ship, int(breach))
        self._leave(who, ship, breach)

    @reads(r"(.+) returns Cutter with (\d+) Breach on top of the deck; Cutters left: (\d+)\.")
    def _returns_cutter(self, who: str, breach: str, left: str) -> None:
        self.stack, self.top = self.stack + 1, int(breach)
        assert self.stack == int(left)
        self._leave(who, "Cutter", breach)

    def _leave(self, who: str, ship: str, breach: str) -> None:
        knight = self.knights[who]
        assert (knight.ship, knight.breach) == (ship, int(breach))
        knight.ship, knight.breach = "", 0

    # ---------------------------------------------------------------- bodies and belongings

    @reads(r"(.+) (gains|loses) (\d+) (Fuel|Ammo|Meds) \((\d+)(?: left)?\)\.")
    def _resource(self, who: str, how: str, many: str, what: str, left: str) -> None:
        self.turn(who, what, int(many) * (1 if how == "gains" else -1), left)

    @reads(r"(.+) (gains|spends) (\d+) Water, and has (\d+)\.")
    def _water(self, who: str, how: str, many: str, left: str) -> None:
        self.turn(who, "Water", int(many) * (1 if how == "gains" else -1), left)
        assert self.pool >= 0

    @reads(r"(.+) has no room for (\d+) Water, and has (\d+)\.")
    def _spills(self, who: str, many: str, left: str) -> None:
        self.turn(who, "Water", -int(many), left)

    @reads(r"(.+) can't take (\d+) Water; in the pool: (\d+)\.")
    def _takes_none(self, who: str, many: str, pool: str) -> None:
        assert self.pool == int(pool)

    @reads(r"(.+) suffers (\d+) wounds? \((\d+) in all\)\.")
    def _wounded(self, who: str, many: str, total: str) -> None:
        self.turn(who, "wound", int(many), total)

    @reads(r"(.+) heals (\d+) wounds? \((\d+) left\)\.")
    def _heals(self, who: str, many: str, left: str) -> None:
        self.turn(who, "wound", -int(many), left)

    @reads(r"(.+) falls unconscious\.")
    def _falls(self, who: str) -> None:
        self.knights[who].down = True

    @reads(r"(.+) takes an Injury \((.+)\), (\d+) now\.")
    def _injured(self, who: str, card: str, total: str) -> None:
        if card != "no card left":
            self.decks["Injury"].draw()
        self.turn(who, "Injury", 1, total)

    @reads(r"(.+) is out of the game; (\d+) Water go back\.")
    def _out(self, who: str, water: str) -> None:
        self.knights[who].out = True
        self.turn(who, "Water", -int(water), "0")

    @reads(r"([^(]+) suffers (\d+) (Radiation|Contamination) \((\d+)\)\.")
    def _filth(self, who: str, many: str, what: str, total: str) -> None:
        self.turn(who, what, int(many), total)

    @reads(r"(\d+) (Radiation|Contamination) of (.+) make an Injury \((\d+) left\)\.")
    def _filth_falls(self, many: str, what: str, who: str, left: str) -> None:
        self.turn(who, what, -int(many), left)

    @reads(r"(.+) loses (\d+) Radiation \((\d+) left\)\.")
    def _cleaned(self, who: str, many: str, left: str) -> None:
        self.turn(who, "Radiation", -int(many), left)

    @reads(r"The vehicle of (.+) suffers (\d+) Damage \((\d+)\)\.")
    def _damaged(self, who: str, many: str, total: str) -> None:
        self.turn(who, "Damage", int(many), total)

    @reads(r"(\d+) Damage of the vehicle of (.+) is mended \((\d+) left\)\.")
    def _mended(self, many: str, who: str, left: str) -> None:
        self.turn(who, "Damage", -int(many), left)

    @reads(r"(.+) gains (\d+) experience \((\d+)\)\.")
    def _earns(self, who: str, many: str, total: str) -> None:
        self.turn(who, "experience", int(many), total)

    @reads(r"(.+) takes on (\d+) cargo \((\d+)\)\.")
    def _loads(self, who: str, many: str, total: str) -> None:
        self.turn(who, "cargo", int(many), total)

    @reads(r"(.+) learns (.+) for (\d+) experience \((\d+)\)\.")
    def _learns(self, who: str, upgrade: str, cost: str, left: str) -> None:
        self.knights[who].upgrades.append(upgrade)
        self.turn(who, "experience", -int(cost), left)

    @reads(r"(.+) draws the special card \d+, .+\.")
    def _special(self, who: str) -> None:
        self.specials += 1

    @reads(r"(.+) is dehydrated: (.+)\.")
    def _dehydrated(self, who: str, card: str) -> None:
        self.decks["Dehydration"].draw()
        self.knights[who].dry = (card, 1)

    @reads(r"(.+) is severely dehydrated: (.+)\.")
    def _parched(self, who: str, card: str) -> None:
        assert self.knights[who].dry == (card, 1)
        self.knights[who].dry = (card, 2)

    @reads(r"(.+) turns (.+) back to its normal side\.")
    def _turns_back(self, who: str, card: str) -> None:
        self.knights[who].dry = (card, 1)

    @reads(r"(.+) drinks: (.+) is (turned to its normal side|shuffled back)\.")
    def _drinks(self, who: str, card: str, how: str) -> None:
        side = self.knights[who].dry[1] - 1
        assert (side == 0) == (how == "shuffled back")
        self.knights[who].dry = (card, side) if side else ("", 0)
        self.decks["Dehydration"].left += side == 0

    # ---------------------------------------------------------------- gear

    @reads(r"(.+) draws (.+) \((gear|Aquatic gear) deck\)\.")
    def _draws_gear(self, who: str, gear: str, deck: str) -> None:
        self.decks[deck].draw()
        self.knights[who].gear.append((gear, deck))

    @reads(r"On offer: (.+) for \d+ \((gear|Aquatic gear) deck\)\.")
    def _offered(self, gear: str, deck: str) -> None:
        self.decks[deck].draw()
        self.pending = (gear, deck)

    @reads(r"(.+) buys (.+) for \d+\.")
    def _buys(self, who: str, gear: str) -> None:
        assert self.pending[0] == gear
        self.active = (who, "")
        self.knights[who].gear.append(self.pending)

    @reads(r"(.+) is left\.")
    def _left(self, gear: str) -> None:
        assert self.pending[0] == gear
        self.decks[self.pending[1]].thrown += 1

    @reads(r"(.+) loses gear: (.+?)(?:: no room)?\.")
    def _drops(self, who: str, gear: str) -> None:
        (deck,) = {deck for title, deck in self.knights[who].gear if title == gear}
        self.knights[who].gear.remove((gear, deck))
        if deck:
            self.decks[deck].thrown += 1

    @reads(r"Paid with (.+); to pay: \d+\.")
    def _pays(self, what: str) -> None:
        who = self.active[0]
        if what in RESOURCES:
            self.turn(who, what, -1)
        else:
            self._drops(who, what)

    @reads(r"(.+) exchanges 1 (.+) for (.+)\.")
    def _exchanges(self, who: str, give: str, get: str) -> None:
        self.turn(who, give, -1)
        if get != "Water":
            self.turn(who, get, 1)

    # ---------------------------------------------------------------- ships and places

    @reads(r"(.+) sails along (.+) to (.+)\.")
    def _sails(self, who: str, route: str, port: str) -> None:
        assert {self.knights[who].port, port} == set(route.split(" - "))
        self.active = (who, port)

    @reads(r"(.+) is chartered for \d+(?: \(Charter Cost \d+\))?, with (\d+) of \d+ Breach\.")
    def _chartered(self, ship: str, breach: str) -> None:
        borne = int(breach)
        if ship == "Cutter":
            assert borne == self.top
            self.stack, self.top = self.stack - 1, 0
        else:
            (slot,) = (slot for slot, there in self.quay.items() if there == (ship, borne))
            del self.quay[slot]
        knight = self.knights[self.active[0]]
        knight.ship, knight.breach = ship, borne

    @reads(r"The ship of (.+) suffers (\d+) Breach \((\d+) of \d+\)\.")
    def _breached(self, who: str, many: str, total: str) -> None:
        self.knights[who].breach += int(many)
        assert self.knights[who].breach == int(total)

    @reads(r"The ship of (.+) sinks: (.+?) (comes back to the deck|is out of the game)\.")
    def _sinks(self, who: str, ship: str, how: str) -> None:
        assert self.knights[who].ship == ship
        self.knights[who].ship, self.knights[who].breach = "", 0
        if how.startswith("comes"):
            self.stack, self.top = self.stack + 1, 0
        elif ship != "Cutter":
            self.lost.add(ship)

    @reads(r"(.+) is Stranded off (.+)\.")
    def _stranded(self, who: str, port: str) -> None:
        self.knights[who].stranded = True

    @reads(r"(.+) leaves the Stranded Area\.")
    def _ashore(self, who: str) -> None:
        self.knights[who].stranded = False

    @reads(r"(.+) reaches (.+)\.")
    def _reaches(self, who: str, port: str) -> None:
        self.knights[who].port = port

    @reads(r"(.+) drives along (.+) to (.+)\.")
    def _drives(self, who: str, road: str, port: str) -> None:
        assert {self.knights[who].port, port} == set(road.split(" - "))
        self.knights[who].port = port

    @reads(r"(.+) is revealed at (.+): a First Look for .+\.")
    def _revealed(self, card: str, port: str) -> None:
        assert port not in self.opened
        self.opened[port] = card

    @reads(r"Destination Action at (.+): (.+)\.")
    def _acts(self, port: str, choice: str) -> None:
        assert port in self.opened and choice not in self.taken
        self.taken.append(choice)

    @reads(r"(.+) (?:camps in|goes into the city of) (.+)\.")
    def _rests(self, who: str, port: str) -> None:
        assert self.knights[who].port == port

    @reads(r"(.+) explores (.+) \(.+\) and draws .+\.")
    def _explores(self, who: str, port: str) -> None:
        assert self.knights[who].port == port
        self.decks["exploration"].draw()
        self.decks["exploration"].thrown += 1

    @reads(r"Card of the (.+) deck: .+, read by (.+); Hazards: \d+\.")
    def _card(self, deck: str, reader: str) -> None:
        assert not self.knights[reader].out
        self.decks[deck].draw()
        self.decks[deck].thrown += 1

    # ---------------------------------------------------------------- what moves nothing

    @reads(r"All see what is drawn\..*|The season ends after \d+ rounds?\.|.+: -?\d+ points, .*", indented=False)
    @reads(r".+ does nothing(?: more)?: \d+ actions? unused\.|In use: .+\.|On the route: .+\.|.+ lacks \d+ Water\.")
    @reads(r"Sea die: .+ \(\d\)\.|Sea die, read for its value: \d\.|Threat token: .+ \((?:red|yellow) side\)\.")
    @reads(r"Water icons: .+; to spend: \d+\.|Aquatic tokens at hand: \d+\.|An Aquatic token on .+\.|It brings: .+\.")
    @reads(r"The ship holds: \d+ Breach does nothing\.|\d+ Hazards? avoided; Hazards: \d+\.")
    @reads(r"The test passes by itself\.|.+ rolls \d+ (?:die|dice): .+\.|\w+ \(\d\): (?:passed|failed) with \d+\.")
    @reads(r"An enemy of Health .+\.|.+ (?:fights|fights with Ammo|tries to escape): .+\.|Clash \d: Health \d+ left .+")
    @reads(r"The encounter is ignored\.|.+ leaves it be\.|.+ (?:wins|escapes)\.|.+ takes 1 Water in place of .+\.")
    @reads(r"The vehicle of .+ is wrecked\.")
    def _nothing(self) -> None:
        pass
