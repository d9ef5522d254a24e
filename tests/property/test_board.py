"""The board of Waste Knights in games of chance: what holds whatever happens, by the journal and by what lies there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from simcore.kernels import blank
from tests.board_table import FIRST, Table, dealt
from tests.faults import sound

NAMES = ("Mel", "Naomi", "Chris", "Kate")
KINDS, ROUNDS, GAMES = 3, 3, 4
"""Kinds of vehicles to pick; rounds, and games of each number of knights."""

GREEN, YELLOW, RED, BLUE = range(4)


@cache
def played(many: int, game: int) -> Table:
    """A game of knights who choose evenly."""
    b = dealt(sound(), *NAMES[:many], words=["Strider"] * many, keep=FIRST, rounds=ROUNDS)
    stream = blank(b.rules["streams"].STREAM)
    stream.game = game
    b.journal.clear()
    b.rules["knights.board_play"].play_one(b.s, b.t, stream, b.journal, b.seats())
    return b


def moves(b: Table) -> Iterator[tuple[int, int, list[Any]]]:
    """The moves of a game: who, from where, and what happened on it."""
    told, under_way, found = b.rules["knights.board_tell"], False, []
    for note in b.journal:
        if note.what in (told.TURN, told.EXPLORES, told.ROUND):
            if under_way:
                yield found[0].a, found[0].b, found[1:]
            under_way, found = note.what == told.TURN, []
        if under_way:
            found.append(note)


def owned(b: Table, colour: int) -> int:
    """How many cards of a colour there are, wherever they lie."""
    pile, t = b.s.gear[colour], b.t
    items = [player.thing[i] for player in b.s.player[: b.s.players] for i in range(player.items) if not player.own[i]]
    there = [*items, *(card for card in b.s.stall[: t.map.stalls] if card >= 0)]
    return int(pile.left + pile.discarded + sum(t.thing[card].colour == colour for card in there))


def tasks(b: Table) -> int:
    """How many tasks there are, the accomplished ones included."""
    there = sum(post.task >= 0 for post in b.s.post[: b.s.posts])
    piles = sum(pile.left + pile.discarded for pile in (b.s.common, b.s.private))
    return int(there + piles + sum(player.tasks for player in b.s.player[: b.s.players]))


@pytest.mark.rule("K1E-08", "K1E-12", "K1E-13", "K1E-14", "K1E-15")
@pytest.mark.parametrize("many", [2, 3, 4])
def test_moves_are_legal_and_meet_one_card(many: int) -> None:
    """Routes from neighbour to neighbour, no hex twice; exactly one card for a move, unless the knight falls in a duel
    before it, and none for staying."""
    seen: Counter[int] = Counter()
    with sound().in_force():
        for game in range(GAMES):
            b = played(many, game)
            told = b.rules["knights.board_tell"]
            for p, start, notes in moves(b):
                whats = Counter(note.what for note in notes)
                route = [start, *(note.b for note in notes if note.what == told.ENTERS and note.a == p)]
                assert len(set(route)) == len(route)
                assert all(b.t.map.far[one, other] == 1 for one, other in pairwise(route))
                fell = any(note.what == told.KNOCKED_OUT and note.a == p for note in notes)
                cards = whats[told.PLAYS_CARD]
                assert cards == int(not whats[told.STAYS]) or (fell and cards == 0)
                assert len(route) == 2 or not whats[told.WALKS]
                seen += whats
    assert min(seen[told.WALKS], seen[told.DRIVES], seen[told.PLAYS_CARD]) > 0


@pytest.mark.rule("K5-16", "K1D-02", "K5-24", "K5B-04")
@pytest.mark.parametrize("many", [2, 3, 4])
def test_cards_are_conserved_and_dials_stay_in_range(many: int) -> None:
    with sound().in_force():
        begun = dealt(sound(), *NAMES[:many], words=["Strider"] * many, keep=FIRST)
        cards = {colour: owned(begun, colour) for colour in (GREEN, YELLOW, RED)}
        luck = int(sum(begun.t.luck[k].copies for k in range(begun.t.lucks)))
        for game in range(GAMES):
            b = played(many, game)
            assert b.outcome().ending != b.rules["game"].OVERFLOW
            assert {colour: owned(b, colour) for colour in cards} == cards
            assert b.s.cards.left + b.s.cards.discarded + int(b.s.hidden >= 0) == 44 and tasks(b) == tasks(begun)
            knights = b.s.player[:many]
            assert b.s.luck.left + b.s.luck.discarded + sum(player.lucks for player in knights) == luck
            cars = sum(b.s.pool[:KINDS]) + sum(b.s.pool_damaged[:KINDS])
            cars += sum(0 <= player.vehicle < KINDS for player in knights)
            assert cars == KINDS * many
            for name, player in zip(NAMES, knights, strict=False):
                assert all(0 <= dial <= 4 for dial in b.now(name)) and player.reputation >= 0 and player.lucks <= 5
                assert player.vehicle >= 0 or player.fuel == 0
                held = [b.t.thing[player.thing[i]] for i in range(player.items) if player.spot[i] == 0]
                assert sum(int(item.hands) for item in held) <= 2
                assert sum(player.spot[i] == 1 for i in range(player.items)) <= 1
                assert b.do("belongings.count_in", player, 3) <= b.do("belongings.pack_room", b.p(name))
                assert b.do("belongings.count_in", player, 5) <= b.do("belongings.trunk_room", b.p(name))
