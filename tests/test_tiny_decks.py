"""Decks so small that everything can be enumerated: totals of the engine and of the independent reference agree.

The stored totals are the reference's (`python -m tests.tiny` computes them again). RUMMY_TINY=all adds the games of
thousands of deals, and compares all situations one by one, not only those of the smaller games.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Hashable
from math import comb, factorial

import pytest

import rummy_engine as rummy
from tests.tiny import Ours, Tiny, every_deal, every_line, every_pair, every_situation, games

DEEP = os.environ.get("RUMMY_TINY") == "all"
MOST = 10**9 if DEEP else 12_000
GAMES = [tiny for tiny in games() if not tiny.deep or DEEP]
SITUATIONS = [tiny for tiny in GAMES if not tiny.lines and tiny.totals["situations"] <= MOST]
QUICK = [tiny for tiny in GAMES if tiny.lines and tiny.totals["all"] <= 1000]


@pytest.mark.parametrize("tiny", GAMES, ids=lambda tiny: tiny.name)
def test_the_engine_finds_what_the_reference_found(tiny: Tiny) -> None:
    assert tiny.count(tiny.sides()[0]) == tiny.totals


@pytest.mark.parametrize("tiny", QUICK, ids=lambda tiny: tiny.name)
def test_the_reference_finds_it_again(tiny: Tiny) -> None:
    assert tiny.count(tiny.sides()[1]) == tiny.totals


@pytest.mark.parametrize("tiny", SITUATIONS, ids=lambda tiny: tiny.name)
def test_both_engines_tell_the_same_situations_apart(tiny: Tiny) -> None:
    """Each `Game.key` belongs to one situation of the reference, and the other way round."""
    ours, theirs = tiny.sides()
    there: dict[Hashable, Hashable] = {}
    back: dict[Hashable, Hashable] = {}
    for node, twin in every_pair((ours, theirs), tiny.deals()):
        key, situation = ours.situation(node), theirs.situation(twin)
        assert there.setdefault(key, situation) == situation
        assert back.setdefault(situation, key) == key
        assert ours.outcome(node) == theirs.outcome(twin)
    assert len(there) == tiny.totals["situations"]


def test_the_file_covers_every_kind_of_game() -> None:
    kinds = {kind for tiny in GAMES for kind in tiny.totals["kinds"]}
    assert kinds >= {"out", "exhausted", "stock_out", "gin", "knock", "undercut"}
    assert {tiny.variant for tiny in GAMES} >= {"basic", "rummy-2-6", "rummy-500", "gin-knock", "gin-classic"}
    assert len(QUICK) >= 5


def test_every_deal_comes_once() -> None:
    deck = ("AS", "2S", "3S", "AH", "2H", "3H")
    assert len(set(every_deal(deck, 2, 2))) == comb(6, 2) * comb(4, 2) * factorial(2) == 180
    twins = (*deck[:4], "JK", "JK")
    assert len(set(every_deal(twins, 2, 1))) == len(list(every_deal(twins, 2, 1))) == factorial(6) // 2
    pairs = {"melds.set_min": 2, "deck.ranks": "A23", "deck.suits": "SH"}
    game = rummy.load("basic", {**pairs, "deal.hand_size": 2, "players.max": 2})
    states = {Ours(game, 2).dealt(deal) for deal in every_deal(deck, 2, 2)}
    assert len(states) == 180


def test_lines_without_melds_are_a_product() -> None:
    """Nobody gets a meld or touches the pile: three draws, each answered by one of three discards."""
    off = {"melds.set_min": 2, "melds.run_min": 4, "deck.ranks": "A234", "deck.suits": "SH", "draw.pile": "closed"}
    game = rummy.load("rummy-2-6", {**off, "deal.hand_size": 2, "players.max": 2, "stock.renewals": 0})
    side = Ours(game, 2)
    start = side.dealt("deal AS AH 2S 2H 3S 3H 4S 4H")
    lines = every_line(side, start)
    assert [(outcome.kind, number) for outcome, number in lines.items()] == [("exhausted", 27)]
    found, kinds = every_situation(side, [start])
    assert kinds == Counter({"exhausted": 27, "goes on": 1 + (1 + 3) + (3 + 9) + 9})
    assert found == kinds.total()
