"""Published counts of hands by their least deadwood."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, product
from math import comb, factorial, prod

import pytest

from rummy_engine.cards import (
    CardSet,
    card_set,
)
from rummy_engine.melds.finder import MeldFinder
from rummy_engine.melds.shapes import MeldShapes
from tests.arranging import (
    GIN,
    arranger,
)


def suit_sizes(cards: int, suits: int, most: int) -> Iterator[tuple[int, ...]]:
    """Every way to hold so many cards in so many suits, longest suit first."""
    if not suits:
        if not cards:
            yield ()
        return
    for size in range(min(cards, most), -1, -1):
        for others in suit_sizes(cards - size, suits - 1, size):
            yield (size, *others)


def same_size_suits(size: int, first: int, count: int) -> dict[int, list[CardSet]]:
    """The holdings of `count` suits of one size, up to swapping suits: by how many swaps change nothing."""
    holdings = [sum(1 << rank for rank in ranks) for ranks in combinations(range(13), size)]
    found: dict[int, list[CardSet]] = {}
    for chosen in combinations_with_replacement(holdings, count):
        swaps = prod(map(factorial, Counter(chosen).values()))
        hand = sum(ranks << 13 * (first + i) for i, ranks in enumerate(chosen))
        found.setdefault(swaps, []).append(hand)
    return found


def hands_by_deadwood(size: int) -> Counter[int]:
    """How many of all the hands of a pack have which deadwood: one hand stands for those with other suit names."""
    counts: Counter[int] = Counter()
    for sizes in suit_sizes(size, 4, 13):
        groups = [same_size_suits(n, sizes.index(n), sizes.count(n)) for n in sorted(set(sizes))]
        for parts in product(*(group.items() for group in groups)):
            weight = factorial(4) // prod(swaps for swaps, _ in parts)
            hands = map(sum, product(*(holdings for _, holdings in parts)))
            for points, count in Counter(map(arranger().deadwood, hands)).items():
                counts[points] += weight * count
    assert counts.total() == comb(52, size)
    return counts


@pytest.mark.parametrize(("size", "melded"), [(3, 96), (4, 53), (5, 36), (6, 4010)])
def test_fully_melded_hands(size: int, melded: int) -> None:
    """Every hand of this size."""
    assert hands_by_deadwood(size)[0] == melded


def test_every_hand_of_seven_cards() -> None:
    """All 133 784 560, in some seconds."""
    counts = hands_by_deadwood(7)
    assert counts[0] == 4100
    assert sum(count for points, count in counts.items() if points <= 10) == 325_620
    assert max(counts) == 70
    mean = sum(points * count for points, count in counts.items()) / counts.total()
    assert mean == pytest.approx(42.968686, abs=5e-7)


def test_hands_of_ten_cards() -> None:
    """A sample of all C(52,10): its mean lies within five standard errors of the published one.

    A right mean is further off with one seed in a million. Forgetting, say, the runs that end in a king would be seen:
    it moves the mean by half a point, seven standard errors.
    """
    rng = random.Random(10)
    sample = [arranger().deadwood(card_set(rng.sample(range(52), 10))) for _ in range(40_000)]
    mean = sum(sample) / len(sample)
    deviation = (sum((points - mean) ** 2 for points in sample) / len(sample)) ** 0.5
    assert abs(mean - 56.569434) <= 5 * deviation / len(sample) ** 0.5
    assert max(sample) <= 98


def test_every_union_of_melds_is_gin() -> None:
    """All hands of ten and eleven cards that are three melds, two of which may be longer."""
    melds = [card_set(meld.cards) for meld in MeldFinder(MeldShapes(GIN)).melds((1 << 52) - 1)]
    assert len(melds) == 329
    pairs = {one | other for one, other in combinations(melds, 2) if not one & other}
    rng = random.Random(11)
    for hand in rng.sample(sorted(pairs), 5_000):
        third = rng.choice(melds)
        assert arranger().deadwood(hand) == 0
        assert third & hand or arranger().deadwood(hand | third) == 0
