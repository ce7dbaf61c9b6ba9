"""Arranging a hand: its least deadwood, the discards that allow a knock, and the melds and lay-offs that get there.

One number rules: `Arranger.deadwood`. A card may be knocked with if the rest has little enough of it, a meld belongs to
a best arrangement if taking it away changes nothing, and lay-offs are chosen so that the rest has the least.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator

from rummy_engine.actions import LayMeld
from rummy_engine.cards import CARDS, COPY_BITS, FACES, JOKER, JOKERS, NATURALS, PACK, Card, CardSet, card_set
from rummy_engine.deadwood import HALF, SUIT, PlainDeadwood, SearchedDeadwood, points_table
from rummy_engine.finder import MeldFinder
from rummy_engine.melds import Arrangement, Meld, Place, extended, new_meld
from rummy_engine.state import NOBODY

Step = tuple[Card, int]
"""A card laid off, and the index of the meld it goes to."""
_SOMEBODY = -2
"""Stands for a seat that has laid nothing yet."""


class Arranger:
    """The best arrangements of hands, for one deck, its melds and its card values.

    Hands are cards of that deck. All answers are exact.
    """

    def __init__(self, finder: MeldFinder, points: tuple[int, ...]) -> None:
        """`points`: what each face (0 to 52) counts when left in a hand; never negative."""
        self._finder = finder
        self._shapes = finder.shapes
        spec = finder.shapes.spec
        self._points = points
        self._suit_points = tuple(points_table(points[suit * 13 : suit * 13 + 13]) for suit in range(4))
        self._dearest = max(points)
        plain = spec.packs == 1 and not spec.jokers
        self.deadwood: Callable[[CardSet], int] = (
            PlainDeadwood(finder.shapes, points).least if plain else SearchedDeadwood(finder, points).least
        )
        """The least points a hand leaves outside melds."""

    def points_of(self, hand: CardSet) -> int:
        """The points of all the cards of a hand."""
        low, high = hand & HALF, hand >> 26 & HALF
        a, b, c, d = self._suit_points
        points = a[low & SUIT] + b[low >> 13] + c[high & SUIT] + d[high >> 13]
        if hand >> 52:
            points += (hand & JOKERS).bit_count() * self._points[-1] + self.points_of(hand >> PACK & NATURALS)
        return points

    def knockable(self, hand: CardSet, limit: int) -> CardSet:
        """The cards of a hand without which its deadwood is at most `limit` points.

        A card takes away at most its own points, so one look at the whole hand mostly settles that there are none.
        """
        over = self.deadwood(hand) - limit
        if over > self._dearest:
            return 0
        found = 0
        rest = hand
        while rest:
            card = rest & -rest
            rest ^= card
            if self._points[FACES[card.bit_length() - 1]] >= over and self.deadwood(hand ^ card) <= limit:
                found |= card
        return found

    def best(self, hand: CardSet, onto: tuple[Meld, ...] = (), seat: int = NOBODY, chain: str = "any") -> Arrangement:
        """An arrangement of a hand with the least points left, with lay-offs on the melds `onto` (rules B15 to B19).

        Of the arrangements with the least points it is one that lays off only where that helps and has the longest
        melds. `chain` says where at the ends of a run `seat` may add: "any" always; "own" next to a card of the meld's
        owner or of the seat itself; "none" one card an end, next to a card of the owner. Sets take cards from anyone.
        """
        points, layoffs = _LayOffs(self, onto, seat, chain).best(hand)
        hand &= ~card_set(card for card, _ in layoffs)
        melds = []
        # A meld belongs to a best arrangement if its cards can go at no cost, and one that belongs to none still does
        # not when others have gone: one pass, longest melds first, leaves nothing that could be melded or joined.
        for meld in sorted(self._finder.melds(hand), key=_preference):
            while (cards := _copies(meld.cards, hand)) and self.deadwood(rest := hand & ~card_set(cards)) == points:
                melds.append(new_meld(meld.stands, cards, seat))
                hand = rest
        return Arrangement(tuple(sorted(melds)), hand, points, layoffs)


def _preference(meld: LayMeld) -> tuple[int, int, bool]:
    """Sorts the longest melds first, then those with few jokers, then those with their jokers above."""
    return -len(meld.cards), meld.cards.count(JOKER), meld.cards[0] == JOKER


def _copies(faces: Iterable[Card], hand: CardSet) -> tuple[Card, ...]:
    """Cards of the hand that show these faces, the lowest copies; empty if the hand lacks one."""
    found = []
    for face in faces:
        held = COPY_BITS[face] & hand
        if not held:
            return ()
        copy = CARDS[(held & -held).bit_length() - 1]
        found.append(copy)
        hand ^= 1 << copy
    return tuple(found)


class _LayOffs:
    """The lay-offs on some melds that leave a hand with the least deadwood.

    Lay-offs on different melds do not depend on each other, except that a card goes to one meld. So the melds are taken
    in turn: each gets one of the additions that the hand then left can make, the rest of the hand goes on to the next.
    """

    def __init__(self, arranger: Arranger, onto: tuple[Meld, ...], seat: int, chain: str) -> None:
        self._deadwood = arranger.deadwood
        self._openings = arranger._shapes.openings
        self._onto = onto
        self._seat, self._chain = seat, chain
        self._lays_as = seat if chain == "own" else _SOMEBODY
        self._solved: dict[tuple[int, CardSet], tuple[int, tuple[Step, ...]]] = {}

    def best(self, hand: CardSet, index: int = 0) -> tuple[int, tuple[Step, ...]]:
        """The least points left with lay-offs on the melds from `index` on, and the lay-offs, in playable order."""
        if index == len(self._onto):
            return self._deadwood(hand), ()
        found = self._solved.get((index, hand))
        if found is None:
            found = self.best(hand, index + 1)
            for added in self._additions(self._onto[index], hand):
                if not found[0]:
                    break
                points, others = self.best(hand & ~card_set(added), index + 1)
                if points < found[0]:
                    found = points, (*((card, index) for card in added), *others)
            self._solved[index, hand] = found
        return found

    def _additions(self, meld: Meld, hand: CardSet) -> Iterator[tuple[Card, ...]]:
        """What the meld can take from the hand, fewest cards first, each addition in an order in which it fits."""
        joinable = {meld.owner, self._seat} if self._chain == "own" else {meld.owner}
        if len(set(meld.by)) == 1:
            joinable.update(meld.by)
        queue: deque[tuple[Meld, tuple[Card, ...]]] = deque([(meld, ())])
        seen = set()
        while queue:
            grown, added = queue.popleft()
            for longer, card in self._one_more(grown, hand & ~card_set(added), joinable):
                if (longer.faces, longer.card_set) not in seen:
                    seen.add((longer.faces, longer.card_set))
                    queue.append((longer, (*added, card)))
                    yield *added, card

    def _one_more(self, meld: Meld, hand: CardSet, joinable: set[int]) -> Iterator[tuple[Meld, Card]]:
        openings = self._openings(meld)
        if not openings.takes & hand:
            return
        for face, places in openings.places.items():
            for card in _copies((face,), hand):
                for place in places:
                    if self._chain == "any" or meld.kind == "set" or joinable & _neighbours(meld, place):
                        yield extended(meld, card, place, self._lays_as), card


def _neighbours(run: Meld, place: Place) -> set[int]:
    """Who laid the card that one added at this place lies next to (closing the circle: either end)."""
    return {run.by[0] if side == "low" else run.by[-1] for side in ([place.side] if place.side else ["low", "high"])}
