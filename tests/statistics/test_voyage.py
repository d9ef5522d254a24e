"""Beyond the Horizon against its exact laws: Breach by the faces of the sea dice, ships that sink as Breach stays, and
threat tokens drawn from the bag; and planted faults that are caught."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy import stats

from experiments import exact_checks
from simcore.game import Tables, find_game, play, seatings
from simcore.streams import root
from simcore.voyage import laws
from simcore.voyage.tables import BAG_BASE
from tests.reference import reference
from tests.statistics.judge import ALPHA, agree, fits, hypergeometric

SEASON, CRUISE = find_game("voyage"), find_game("voyage.cruise")
REFERENCE = reference("voyage")
SHIPS = [*sorted(REFERENCE.cards["ship"], key=lambda slug: REFERENCE.cards["ship"][slug].cutter)]
ROUTES = [*REFERENCE.cards["route"]]
MANY = 20_000
ODD_DICE = {
    "die.first.faces": '["breach", "breach", "breach", "blank", "blank", "double_breach", "hazard", "water"]',
    "die.second.faces": '["double_breach", "double_breach", "blank", "blank", "blank", "blank", "threat", "hazard"]',
}
"""Two dice that differ, and have blanks."""


@cache
def sea(odd: bool = False) -> Tables:
    """The sea with its dice alone, as printed or with two odd ones."""
    return laws.by_dice_alone(CRUISE.load(reference("voyage", ODD_DICE if odd else None), {}))


def numbers(ship: str, route: str) -> tuple[int, int]:
    """A ship and a route by their places."""
    return SHIPS.index(ship), ROUTES.index(route)


# ---------------------------------------------------------------- Breach


@pytest.mark.parametrize("odd", [False, True])
@pytest.mark.parametrize("route", ["melbourne_tasmania", "sydney_new_zealand", "perth_project_x"])
@pytest.mark.parametrize("ship", ["container_ship", "ferry", "catamaran", "raft"])
def test_breach_is_a_convolution_of_the_faces(ship: str, route: str, odd: bool) -> None:
    """Also of a steady ship, which is spared one, and of dice that differ and are rolled in turn."""
    tables, (s, r) = sea(odd), numbers(ship, route)
    counts = np.bincount(laws.sail_often(tables, s, r, 0, root(1, s * 100 + r), MANY))
    law = laws.breach_law(tables.data, r, s)
    assert law.sum() == pytest.approx(1) and fits(laws.filled(counts, law), law)
    for field, change in (("dice", -1), ("dice", 1)):
        other = np.array([tables.data])[0]
        other.route[r][field] += change
        assert not fits(laws.filled(counts, law), laws.breach_law(other, r, s)), "a die more or less"
    other = np.array([tables.data])[0]
    other.face[0, list(other.face[0]).index(laws.FACE["hazard"])] = laws.FACE["double_breach"]
    assert not fits(laws.filled(counts, law), laws.breach_law(other, r, s)), "a face that shows Breach"


def test_what_a_law_of_breach_depends_on() -> None:
    """Planted: a ship that isn't spared, one with another Hull, and dice that are not rolled in turn."""
    tables, (s, r) = sea(True), numbers("catamaran", "sydney_new_zealand")
    law = laws.breach_law(tables.data, r, s)
    counts = laws.filled(np.bincount(laws.sail_often(tables, s, r, 0, root(2, 2), MANY)), law)
    assert fits(counts, law)
    spared, higher, turned = (np.array([tables.data])[0] for _ in range(3))
    spared.ship[s].term[laws.STEADY] = 0
    higher.ship[s].hull += 1
    turned.face[:] = turned.face[::-1].copy()
    for wrong in (spared, higher, turned):
        other = laws.breach_law(wrong, r, s)
        assert not fits(laws.filled(counts[: len(other)], other), other)


@pytest.mark.parametrize("ship", ["container_ship", "ferry", "speeder"])
def test_ships_that_sail_on_sink_as_the_chain_says(ship: str) -> None:
    """Breach is never taken off (V1L-22)."""
    tables, (s, r) = sea(), numbers(ship, "sydney_new_zealand")
    chain = laws.breach_after(tables.data, r, s, 6)
    bears = laws.sail_on(tables, s, r, 6, root(3, s), MANY)
    for n in range(1, 7):
        counts = laws.filled(np.bincount(bears[n]), chain[n])
        assert fits(counts, chain[n])
        assert n == 1 or not fits(counts, chain[n - 1]), "a cruise less"
    fresh = 1 - (1 - chain[1, -1]) ** np.arange(7)
    sunk = laws.filled(np.bincount(bears[6]), chain[6])[-1]
    assert not fits(np.array([MANY - sunk, sunk]), np.array([1 - fresh[6], fresh[6]])), "ships that are mended"


# ---------------------------------------------------------------- ships over a season


FREE = {f"ship.{slug}.cost": "0" for slug in SHIPS} | {
    f"route.{slug}.{icon}": "0" for slug in ROUTES for icon in ("radiation", "contamination", "threat", "water")
}
DICE = 3


def seasons(games: int = 3_000) -> tuple[Any, Any]:
    """(tables, outcomes) of long seasons in which four Light knights sail free ships by chance, the same way all
    over, and nothing but the dice does anything."""
    pack = reference("voyage", FREE | {f"route.{slug}.dice": str(DICE) for slug in ROUTES})
    usual = {setting.name: setting.default for setting in SEASON.settings}
    tables = SEASON.load(pack, {**usual, "cards": 0, "water": 0, "rounds": 40})
    data = tables.data
    data.bag[:] = 0
    data.place["look"]["effects"] = data.place["choice"]["effects"] = 0
    seats = seatings(SEASON, tables, ["pirate", "rangatira", "pirate", "rangatira"], {"knight": "random"}, "none")
    return tables, play(SEASON, tables, seats, root(4, 4), 0, games)


def reached(out: Any, ship: int, n: int) -> tuple[int, int]:
    """(seasons in which a ship began its n-th cruise, those in which it was sunk on it)."""
    sailed, sunk = out[f"sailed_{ship + 1}"], out[f"sunk_{ship + 1}"]
    return int((sailed >= n).sum()), int(((sailed == n) & (sunk == 1)).sum())


def test_ships_keep_their_breach_over_a_season() -> None:
    """Whoever charters it: of the ships that begin an n-th cruise, as many sink on it as the chain says (V1L-18,
    V1L-19)."""
    tables, out = seasons()
    looked, fresh = 0, 0
    for ship in range(len(SHIPS) - 1):
        chain = laws.breach_after(tables.data, 0, ship, 12)[:, -1]
        for n in range(1, 13):
            many, sunk = reached(out, ship, n)
            if many >= 100:
                looked += 1
                chance = min(1.0, max(0.0, (chain[n] - chain[n - 1]) / (1 - chain[n - 1])))
                assert stats.binomtest(sunk, many, chance).pvalue > ALPHA / 100, (SHIPS[ship], n)
                fresh += stats.binomtest(sunk, many, chain[1]).pvalue < ALPHA / 100
    assert 30 < looked <= 100
    assert fresh > 10, "ships that come back as new would show"


# ---------------------------------------------------------------- threat tokens

KINDS = {"filth": "contamination", "calm": "radiation"}
"""Base tokens that are marked, and by what a knight feels them."""


@pytest.mark.parametrize("mode", range(5))
def test_tokens_of_a_route_are_hypergeometric(mode: int) -> None:
    """What the tokens of a route do, as its knight feels it: three kinds, of which two are marked (V1M-21)."""
    drawn = 4
    sets = {f"token.{slug}.effects": "[]" for slug in REFERENCE.cards["token"]}
    for slug, what in KINDS.items():
        sets[f"token.{slug}.effects"] = f'[{{ when = "yellow", what = "{what}", per = "once", many = 1 }}]'
    sets |= {"route.perth_project_x.dice": "0", "route.perth_project_x.threat": str(drawn)}
    sets |= {f"route.perth_project_x.{icon}": "0" for icon in ("radiation", "contamination")}
    usual = {setting.name: setting.default for setting in CRUISE.settings}
    tables = CRUISE.load(reference("voyage", sets), {**usual, "cards": 0, "water": 0, "difficulty": mode})
    seats = seatings(CRUISE, tables, ["ferry", "perth_project_x"], {"captain": "regular", "sea": "regular"}, "none")
    out = play(CRUISE, tables, seats, root(5, mode), 0, MANY)
    assert (out["tokens"] == drawn).all()
    filth, calm = (REFERENCE.cards["token"][slug].copies for slug in KINDS)
    found = np.stack([out["contamination"], out["radiation"], drawn - out["contamination"] - out["radiation"]], axis=1)
    assert agree(found, bag_law(mode, filth, calm, drawn))
    assert not agree(found, bag_law(mode, filth + 1, calm, drawn)), "one marked token more"
    assert not agree(found, bag_law((mode + 1) % 4, filth, calm, drawn)), "another mode"
    assert not agree(found, with_return(mode, filth, calm, drawn)), "tokens laid back each time"


def bag_law(mode: int, first: int, second: int, drawn: int) -> dict[tuple[int, ...], float]:
    """The law of marked and other tokens drawn: those of the outer modes are from what random base tokens leave."""
    base, swap = 10, 3
    if mode not in (laws.VERY_EASY, laws.VERY_HARD):
        return hypergeometric([first, second, base - first - second + swap * (mode != laws.NORMAL_MODE)], drawn)
    law: dict[tuple[int, ...], float] = {}
    for gone, chance in hypergeometric([first, second, base - first - second], swap).items():
        left = [first - gone[0], second - gone[1], base - first - second - gone[2] + swap]
        for take, many in hypergeometric(left, drawn).items():
            law[take] = law.get(take, 0) + chance * many
    return law


def with_return(mode: int, first: int, second: int, drawn: int) -> dict[tuple[int, ...], float]:
    """The same where each token goes back before the next one is drawn: a planted fault."""
    size = 10 if mode in (laws.VERY_EASY, laws.NORMAL_MODE, laws.VERY_HARD) else 13
    share = [first / size, second / size, 1 - (first + second) / size]
    takes = [(a, b, drawn - a - b) for a in range(drawn + 1) for b in range(drawn + 1 - a)]
    return {take: float(stats.multinomial(drawn, share).pmf(take)) for take in takes}


@pytest.mark.parametrize("mode", range(5))
def test_the_first_two_tokens_are_any_pair(mode: int) -> None:
    """Each pair of different tokens as often as the mode says (V1K-14)."""
    data = sea().data
    whole = CRUISE.load(REFERENCE, {}).data
    law, counts = laws.pair_law(whole, mode), np.zeros((int(data.tokens),) * 2, np.int64)
    pairs = laws.draw_tokens(whole, mode, 2, root(6, mode), 40_000)
    np.add.at(counts, tuple(pairs.T), 1)
    assert law.sum() == pytest.approx(1) and (law.diagonal() == 0).all()
    assert fits(counts, law)
    base = [token for token in range(int(whole.tokens)) if laws.kind_of(whole, token) == BAG_BASE]
    counts[base[0], base[1]] *= 2
    assert not fits(counts, law), "a pair that comes more often than others"
    for other in set(range(5)) - {mode}:
        assert not fits(np.bincount(pairs[:, 0], minlength=len(law)), laws.pair_law(whole, other).sum(axis=1))


# ---------------------------------------------------------------- for users


def test_a_fault_in_the_sea_fails_the_verification(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: cruises that are played with a Hull more than is told."""
    monkeypatch.setattr(exact_checks, "DRAWS", 5_000)
    tables = CRUISE.load(REFERENCE, {})
    found = list(exact_checks.laws(CRUISE, tables))
    assert {one.kind for one in found} == {"Breach", "sinking", "threat token"}
    assert len(found) == len(SHIPS) * (len(ROUTES) + 1) + 5 and exact_checks.odd(found) == []
    sound = laws.breach_law

    def faulty(t: Any, route: int, ship: int, borne: int = 0) -> Any:
        t = np.array([t])[0]
        t.route[route].dice += route == 0
        return sound(t, route, ship, borne)

    monkeypatch.setattr(laws, "breach_law", faulty)
    wrong = exact_checks.odd(list(exact_checks.laws(CRUISE, tables)))
    assert len(wrong) == len(SHIPS) and all("Perth - Adelaide" in one.about for one in wrong)
