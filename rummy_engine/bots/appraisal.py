"""What a hand is worth keeping for, and how much a discard may help the next seat."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from rummy_engine.bots.naturals import Naturals
from rummy_engine.bots.outs import Outs
from rummy_engine.bots.sets import folded, without
from rummy_engine.bots.sight import Sight
from rummy_engine.cards import NATURALS, Card, CardSet
from rummy_engine.rules import Rules

FINALISTS = 4
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
        self._outs = Outs(rules.shapes, rules.pack & NATURALS)
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
        for partners in self._outs.partners[face]:
            if partners & pool == partners:
                danger += chance ** (partners & ~known).bit_count()
        return min(danger, 1.0)

    def ranked(
        self, hand: CardSet, faces: Iterable[Card], sight: Sight, placed: CardSet = 0
    ) -> list[tuple[float, Card]]:
        """The discards that leave a light hand and help the next seat little: (weight, face), the best first.

        `faces` may be discarded; `placed` are cards that can be got rid of at once, by laying them off.
        """
        live = sight.live
        kept = hand & ~placed
        drafts = []
        for face in faces:
            rest = without(kept, face)
            if not self._is_plain:
                rest = folded(rest)
            danger = 1.5 if placed >> face & 1 else self.danger(face, sight)
            weight = self._least(rest) + self._danger * danger
            drafts.append((weight - self._usual * (self._outs.outs(rest) & live).bit_count(), face, weight, rest))
        drafts.sort()
        found = []
        for _, face, weight, rest in drafts[:FINALISTS]:
            found.append((weight - self._promise * self._saved(rest, live), face))
        found.sort()
        return found
