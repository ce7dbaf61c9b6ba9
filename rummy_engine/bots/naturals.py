"""Hands as their natural faces: what they weigh, by a few look-ups for every deck."""

from __future__ import annotations

from collections.abc import Callable

from rummy_engine.bots.sets import folded
from rummy_engine.cards import JOKER, NATURALS, CardSet
from rummy_engine.melds.deadwood import PlainDeadwood
from rummy_engine.rules import Rules


class Naturals:
    """The least that the loose cards of hands can weigh, where twins count as one card and jokers as none.

    Exact for one pack without jokers. For other decks it is what a bot can afford to ask a thousand times a move.
    """

    def __init__(self, rules: Rules, per_card: int = 0) -> None:
        """A card weighs its points and `per_card`."""
        weights = tuple(points + per_card for points in rules.table.worth.in_hand)
        self.weights: tuple[int, ...] = weights[:JOKER]
        """What each natural face weighs."""
        self.of_faces: Callable[[CardSet], int] = PlainDeadwood(rules.shapes, weights).least
        """The least weight of a set of natural faces."""
        self.is_plain: bool = rules.pack <= NATURALS
        """Whether every card is its own natural face."""
        self.least: Callable[[CardSet], int] = self.of_faces if self.is_plain else self._least
        """The least weight of a hand."""

    def _least(self, hand: CardSet) -> int:
        return self.of_faces(folded(hand))
