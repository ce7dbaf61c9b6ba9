"""Published numbers that come from counting melds and arrangements ; hands by deadwood: test_deadwood_counts.py."""

from __future__ import annotations

import os
from collections import Counter
from itertools import combinations, pairwise
from math import factorial

import pytest

import rummy_engine as rummy
from rummy_engine.cards import CardSet, card_set
from rummy_engine.testing.perft import counts
from tests.helpers import game, melds, pack
from tests.test_deadwood_counts import hands_by_deadwood

SPADES = " ".join(face for face in pack() if face.endswith("S"))


# ------------------------------------------------------------------------------------------------ ace to king of a suit


def test_melds_of_a_whole_suit() -> None:
    assert len(melds(game("basic"), SPADES)) == 66


def test_ways_to_lay_a_whole_suit() -> None:
    """616 arrangements: which melds lie there, none included; 2 203 sequences: in which order they were laid.

    A knocker without a limit lays what it likes. After k actions, k melds were laid, or k - 1 and `done`.
    """
    rules = game("gin-knock", knock__limit="none", knock__respond="best", match__rounds=1)
    state = rules.position(hands=[SPADES, "2H"], stock="3H 4H 5H", phase="spread", seat=0, declared="knock")
    found = list(counts(rules, state, 6))
    ways = [1, 66, 330, 210, 9, 0]  # of laying k melds: C(13 - k, 2k)
    orders = [number * factorial(k) for k, number in enumerate(ways)]
    assert [situations for _, situations in found] == [done + more for done, more in pairwise([*ways, 0])]
    assert [sequences for sequences, _ in found] == [done + more for done, more in pairwise([*orders, 0])]
    assert (sum(ways), sum(orders)) == (616, 2203)


# ----------------------------------------------------------------------------------------------------- melded hands


def unions(largest: int) -> set[CardSet]:
    """Every hand of at most so many cards that one, two or three melds make up."""
    every = [card_set(meld.cards) for meld in rummy.melds(" ".join(pack()), game("basic"))]
    assert len(every) == 329
    by_size = [meld for meld in sorted(every, key=int.bit_count) if meld.bit_count() <= largest]
    pairs = {a | b for a, b in combinations(by_size, 2) if not a & b and (a | b).bit_count() <= largest}
    found = {*by_size, *pairs}
    for pair in pairs:
        room = largest - pair.bit_count()
        for meld in by_size:
            if meld.bit_count() > room:
                break
            if not meld & pair:
                found.add(pair | meld)
    return found


def test_fully_melded_hands() -> None:
    """Counted by laying melds together; the engine finds no deadwood in any of them.

    Up to 7 cards: test_deadwood_counts.
    """
    found = unions(11)
    sizes = Counter(hand.bit_count() for hand in found)
    expected = {3: 96, 4: 53, 5: 36, 6: 4010, 7: 4100, 8: 3690, 9: 97_624, 10: 136_694, 11: 147_204}
    assert sizes == expected
    deadwood = game("gin-classic").rules(2).arranger.deadwood
    assert not any(deadwood(hand) for hand in found)


@pytest.mark.skipif(os.environ.get("RUMMY_COUNTS") != "all", reason="half an hour; RUMMY_COUNTS=all runs it")
def test_every_hand_of_ten_cards() -> None:
    """All 15 820 024 220."""
    found = hands_by_deadwood(10)
    assert found[0] == 136_694
    assert sum(number for points, number in found.items() if points <= 10) == 10_212_276
    assert max(found) == 98
    mean = sum(points * number for points, number in found.items()) / found.total()
    assert mean == pytest.approx(56.569434, abs=5e-7)
