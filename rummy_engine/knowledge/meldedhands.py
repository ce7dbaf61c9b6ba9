"""Drawing a hand that melds take whole: what everybody knows of a knocker's hidden cards once gin was called.

One hand in a hundred thousand is such a hand, so melds are drawn, not cards. A *partition* is a set of melds without a
common card that makes the hand. Every partition is drawn equally often, and a hand is kept once in as many times as it
has partitions: so every hand is equally likely. Where some cards count nothing, one of them alone is a part as well.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from math import comb, factorial
from typing import Protocol

from rummy_engine.cards import COPY_BITS, CardSet, card_set, cards_in
from rummy_engine.melds.deadwood import uncut_runs
from rummy_engine.melds.finder import MeldFinder
from rummy_engine.melds.shapes import meld_kind


class RandomSource(Protocol):
    """A source of chance: all that is asked of it is `random()`, a float in [0, 1)."""

    def random(self) -> float:
        """The next number."""


class MeldedHands:
    """All hands of so many cards that melds take whole, but for `worthless` cards: these `known` and others `hidden`.

    With two packs there are too many ways to cover several known cards: see `is_feasible`.
    """

    def __init__(self, finder: MeldFinder, known: CardSet, hidden: CardSet, size: int, worthless: CardSet = 0) -> None:
        melds = _blocks(finder, known | hidden, size)
        self._free: dict[int, list[CardSet]] = {}
        """The melds without a known card, by their size."""
        for block in melds:
            if not block & known:
                self._free.setdefault(block.bit_count(), []).append(block)
        self._loose = [1 << card for card in cards_in(worthless & hidden)]
        self._blocks = sorted([*melds, *self._loose, *(1 << card for card in cards_in(worthless & known))])
        # The parts with the known cards, in every way there is, and so many loose ones; each with the number of
        # partitions to draw from.
        self._starts = [
            (cards, size - cards.bit_count() - loose, loose)
            for cards in self._covers(known, 0, size)
            for loose in range(min(size - cards.bit_count(), len(self._loose)) + 1)
        ]
        there_are = {length: len(blocks) for length, blocks in self._free.items()}
        self._splits = {need: _splits(there_are, need) for need in {need for _, need, _ in self._starts}}
        self._weights = [
            comb(len(self._loose), loose) * sum([choices for _, choices in self._splits[need]])
            for _, need, loose in self._starts
        ]

    @staticmethod
    def is_feasible(finder: MeldFinder, known: CardSet) -> bool:
        """Whether melds for these known cards can be listed in a second."""
        return finder.shapes.spec.packs == 1 or known.bit_count() <= 1

    def draw(self, rng: RandomSource, tries: int) -> CardSet | None:
        """One of them, each as likely; None: there is none, or none was found in so many tries."""
        if not sum(self._weights):
            return None
        for _ in range(tries):
            hand = self._partition(rng)
            if hand is not None and rng.random() * self._partitions(hand) < 1:
                return hand
        return None

    def _covers(self, known: CardSet, used: CardSet, room: int) -> list[CardSet]:
        """The cards of every choice of parts that cover the known cards, each with at least one of these."""
        left = known & ~used
        if not left:
            return [used]
        lowest = left & -left
        found = []
        for block in self._blocks:
            if block & lowest and not block & used and block.bit_count() <= room:
                found += self._covers(known, used | block, room - block.bit_count())
        return found

    def _partition(self, rng: RandomSource) -> CardSet | None:
        """One partition, each as likely; None: the melds drawn have a common card."""
        cards, need, loose = self._starts[_weighted(self._weights, rng)]
        others = self._loose[:]
        for _ in range(loose):
            block = others.pop(int(rng.random() * len(others)))
            if cards & block:
                return None
            cards |= block
        splits = self._splits[need]
        for length in splits[_weighted([choices for _, choices in splits], rng)][0]:
            blocks = self._free[length]
            block = blocks[int(rng.random() * len(blocks))]
            if cards & block:
                return None
            cards |= block
        return cards

    def _partitions(self, hand: CardSet) -> int:
        """The number of partitions of a hand."""
        inside = [block for block in self._blocks if not block & ~hand]

        def count(left: CardSet) -> int:
            lowest = left & -left
            return sum(count(left ^ each) for each in inside if each & lowest and not each & ~left) if left else 1

        return count(hand)


def _blocks(finder: MeldFinder, cards: CardSet, size: int) -> list[CardSet]:
    """The melds of at most so many cards, as physical cards; without the runs that can always be cut in two."""
    uncut = {frozenset(window) for window in uncut_runs(finder.shapes)}
    faces = set()
    for meld in finder.melds(cards):
        if meld_kind(meld.stands) == "set" or frozenset(face % 13 for face in meld.stands) in uncut:
            faces.add(tuple(sorted(meld.cards)))
    found = []
    for each in faces:
        if len(each) <= size:
            copies = [combinations(cards_in(cards & COPY_BITS[face]), n) for face, n in Counter(each).items()]
            found += [card_set(card for some in choice for card in some) for choice in product(*copies)]
    return sorted(found)


def _splits(there_are: dict[int, int], need: int) -> list[tuple[tuple[int, ...], float]]:
    """The sizes that make up so many cards, in every way, each with the number of choices of melds of these sizes.

    `there_are`: how many melds have each size. Choices count in which melds have a card in common, or are the same one.
    """
    if not there_are:
        return [] if need else [((), 1.0)]
    length, *others = sorted(there_are, reverse=True)
    fewer = {each: there_are[each] for each in others}
    return [
        ((length,) * number + rest, there_are[length] ** number / factorial(number) * choices)
        for number in range(need // length + 1)
        for rest, choices in _splits(fewer, need - number * length)
    ]


def _weighted(weights: list[float], rng: RandomSource) -> int:
    """An index, each as likely as its weight says."""
    at = rng.random() * sum(weights)
    for index, weight in enumerate(weights):
        at -= weight
        if at < 0:
            return index
    return max(index for index, weight in enumerate(weights) if weight)
