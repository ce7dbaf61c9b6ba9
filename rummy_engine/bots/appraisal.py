"""What a hand is worth keeping for, and how much a discard may help the next seat."""

from __future__ import annotations

from collections.abc import Callable, Collection
from math import prod
from typing import NamedTuple

from rummy_engine.bots.naturals import Naturals
from rummy_engine.bots.outs import outs_of
from rummy_engine.bots.reading import chances, gone
from rummy_engine.bots.sets import folded, without
from rummy_engine.bots.sight import Sight
from rummy_engine.cards import JOKERS, NATURALS, PACK, Card, CardSet, cards_in
from rummy_engine.knowledge.view import View
from rummy_engine.rules import Rules

FINALISTS = 3
"""How many discards are looked at closely."""


class Weights(NamedTuple):
    """What counts how much for a bot, in points."""

    per_card: int
    """Added to the points of every loose card: what it costs in time."""
    promise: float
    """The worth of an out: this share of what it would take off the loose cards."""
    danger: float
    """The cost of a discard that the next seat is sure to use."""
    finish: int = 0
    """Added to an out that melds all but one of the cards."""


class Appraiser:
    """Appraises hands and discards for one table."""

    def __init__(self, rules: Rules, weights: Weights) -> None:
        naturals = Naturals(rules, weights.per_card)
        worth = naturals.weights
        self.least: Callable[[CardSet], int] = naturals.least
        """The least that the loose cards of a hand can weigh."""
        self._least, self._is_plain = naturals.of_faces, naturals.is_plain
        self._usable = rules.finder.usable
        self._outs = outs_of(rules.shapes, rules.pack & NATURALS)
        self.outs: Callable[[CardSet], CardSet] = self._outs.outs
        """The natural faces, none of them in the hand, that would be in a meld with cards of the hand."""
        self._promise, self._danger, self._finish = weights.promise, weights.danger, weights.finish
        self._dearest = max(worth)
        self._usual = weights.promise * 2 * sum(worth) / len(worth)  # most outs make a meld of two loose cards

    def _saved(self, hand: CardSet, live: CardSet) -> int:
        """What each of the cards that could come would take off the loose cards of a hand, added up."""
        least, dearest = self._least, self._dearest if self._finish else -1
        loose = least(hand)
        outs = self._outs.outs(hand) & live
        saved = 0
        while outs:
            out = outs & -outs
            outs ^= out
            left = least(hand | out)
            saved += loose - left
            if left <= dearest and self._all_but_one(hand | out):
                saved += self._finish
        return saved

    def finishers(self, hand: CardSet, live: CardSet) -> int:
        """How many of the cards that could come would leave nothing but a discard."""
        hand = folded(hand)
        outs, count = self._outs.outs(hand) & live, 0
        while outs:
            out = outs & -outs
            outs ^= out
            count += self._all_but_one(hand | out)
        return count

    def _all_but_one(self, hand: CardSet) -> bool:
        """Whether all the cards but one can be melded."""
        least, rest = self._least, hand
        if least(hand) > self._dearest:
            return False
        while rest:
            card = rest & -rest
            rest ^= card
            if not least(hand ^ card):
                return True
        return False

    def danger(self, face: int, sight: Sight) -> float:
        """How likely the next seat is to have a use for this card, roughly, from 0 to 1."""
        if face >= len(self._outs.partners):
            return 1.0
        pool, known, chance = sight.live | sight.known, sight.known, sight.chance
        danger = 0.0
        if sight.chances is not None:
            for partners in self._outs.partners[face]:
                if partners & pool == partners:
                    danger += prod(sight.chances[card] for card in cards_in(partners))
            return min(danger, 1.0)
        for partners in self._outs.partners[face]:
            if partners & pool == partners:
                danger += chance ** (partners & ~known).bit_count()
        return min(danger, 1.0)

    def read(self, sight: Sight, view: View) -> Sight:
        """What is seen, with the next seat read."""
        return sight._replace(chances=chances(self._outs.partners, sight, gone(view)))

    def ranked(
        self, hand: CardSet, faces: Collection[Card], sight: Sight, placed: CardSet = 0
    ) -> list[tuple[float, Card]]:
        """The discards that leave a light hand and help the next seat little: (weight, face), the best first.

        `faces` may be discarded; `placed` are cards that can be got rid of at once, by laying them off.
        """
        found = [
            (weight - self._promise * self._saved(rest, sight.live), face)
            for _, face, weight, rest in self.drafts(hand, faces, sight, placed)[:FINALISTS]
        ]
        found.sort()
        return found

    def drafts(
        self, hand: CardSet, faces: Collection[Card], sight: Sight, placed: CardSet = 0
    ) -> list[tuple[float, Card, float, CardSet]]:
        """The same at a first glance: (first weight, face, weight without outs, rest).

        It looks at loose cards only, if there are any, and counts the outs that make melds of them. (An out that makes
        a meld longer takes no weight off.)
        """
        melded = self._usable(hand & ~JOKERS)
        if not self._is_plain:
            melded &= ~(hand >> PACK & hand)
        kept = hand & ~placed
        found = []
        for face in [face for face in faces if not (melded | placed) >> face & 1] or faces:
            rest = without(kept, face)
            if not self._is_plain:
                rest = folded(rest)
            danger = 1.5 if placed >> face & 1 else self.danger(face, sight)
            weight = self._least(rest) + self._danger * danger
            outs = self._outs.outs(rest & ~melded) & sight.live
            found.append((weight - self._usual * outs.bit_count(), face, weight, rest))
        found.sort()
        return found
