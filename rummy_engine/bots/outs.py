"""Outs and partners: which cards would make a meld with a hand, and which cards together would make one."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from rummy_engine.bots.sets import folded
from rummy_engine.cards import JOKERS, NATURALS, CardSet
from rummy_engine.melds.finder import HALF, SUIT, at_least, face_bits
from rummy_engine.melds.shapes import MeldShapes

_ONE_RANK = 1 | 1 << 13 | 1 << 26 | 1 << 39


@lru_cache(64)
def outs_of(shapes: MeldShapes, pack: CardSet) -> Outs:
    """The outs for a deck and its melds: one object for every bot that asks."""
    return Outs(shapes, pack)


class Outs:
    """The outs of hands, for one deck and its melds."""

    def __init__(self, shapes: MeldShapes, pack: CardSet) -> None:
        spec = shapes.spec
        self._pack = face_bits(pack) & NATURALS
        self._wild = spec.jokers > 0
        self._doubled = spec.packs > 1
        # A card is in a run that can be cut in two if it is in one of the parts: the short runs will do.
        windows = [sum(1 << rank for rank in window) for window in shapes.windows if len(window) < 2 * spec.run_min]
        wilds = [min(held, spec.max_wilds) for held in range(spec.jokers + 1)]
        self._needed = [
            [(window, max(window.bit_count() - each, spec.min_naturals) - 1) for window in windows] for each in wilds
        ]
        self._runs: list[dict[int, int]] = [{} for _ in wilds]
        """For the ranks held of a suit: those of the runs that lack one card at most, jokers aside (13-bit masks)."""
        self._suits_needed = [max(spec.set_min - each, spec.min_naturals, 2) - 1 for each in wilds]
        shortest = [window for window in windows if window.bit_count() == spec.run_min]
        self.partners: tuple[tuple[CardSet, ...], ...] = tuple(
            (*self._run_partners(face, shortest), *self._set_partners(face, spec.set_min - 1)) for face in range(52)
        )
        """Per natural face: the sets of other faces that make a meld of the fewest cards with it."""

    def outs(self, hand: CardSet) -> CardSet:
        """The natural faces, none of them in the hand, that would be in a meld with cards of the hand."""
        wilds = (hand & JOKERS).bit_count() if self._wild else 0
        if self._doubled:
            hand = folded(hand)
        low, high = hand & HALF, hand >> 26 & HALF
        a, b, c, d = low & SUIT, low >> 13, high & SUIT, high >> 13
        runs = self._runs[wilds]
        try:
            found = runs[a] | runs[b] << 13 | runs[c] << 26 | runs[d] << 39
        except KeyError:
            for each in (a, b, c, d):
                runs[each] = self._in_runs(wilds, each)
            found = runs[a] | runs[b] << 13 | runs[c] << 26 | runs[d] << 39
        ranks = at_least(self._suits_needed[wilds], a, b, c, d)
        return (found | ranks * _ONE_RANK) & ~hand & self._pack

    def _in_runs(self, wilds: int, ranks: int) -> int:
        found = 0
        for window, needed in self._needed[wilds]:
            if (window & ranks).bit_count() >= needed:
                found |= window
        return found

    def _run_partners(self, face: int, windows: list[int]) -> list[CardSet]:
        suit, rank = divmod(face, 13)
        return [(window ^ 1 << rank) << 13 * suit for window in windows if window >> rank & 1]

    def _set_partners(self, face: int, count: int) -> list[CardSet]:
        others = [other for other in range(face % 13, 52, 13) if other != face and self._pack >> other & 1]
        return [sum(1 << other for other in some) for some in combinations(others, count)]
