"""Arranging a hand: its least deadwood, the discards that allow a knock, and the melds and lay-offs that get there.

One number rules: `Arranger.deadwood`. A card may be knocked with if the rest has little enough of it, a meld belongs to
a best arrangement if taking it away changes nothing, and lay-offs are chosen so that the rest has the least.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from rummy_engine.actions import LayMeld
from rummy_engine.cards import CARDS, COPY_BITS, FACES, JOKER, JOKERS, NATURALS, PACK, Card, CardSet, card_set
from rummy_engine.melds.deadwood import HALF, SUIT, PlainDeadwood, SearchedDeadwood, points_table
from rummy_engine.melds.finder import MeldFinder
from rummy_engine.melds.shapes import Arrangement, Meld, MeldShapes, Place, extended, meld_kind, new_meld
from rummy_engine.state import NOBODY

ANY_CARD: CardSet = -1
"""A set that has every card."""
IMPOSSIBLE = 10**9
"""More points than any hand has."""


class Addition(NamedTuple):
    """Cards laid off on one meld of the table, in an order in which they fit, and the meld with them."""

    meld: Meld
    cards: tuple[Card, ...]


class Arranger:
    """The best arrangements of hands, for one deck, its melds and its card values.

    Hands are cards of that deck. All answers are exact.
    """

    def __init__(self, finder: MeldFinder, points: tuple[int, ...]) -> None:
        """`points`: what each face (0 to 52) counts when left in a hand; never negative."""
        self._finder = finder
        self.shapes = finder.shapes
        spec = finder.shapes.spec
        self._points = points
        self._suit_points = tuple(points_table(points[suit * 13 : suit * 13 + 13]) for suit in range(4))
        self._dearest = max(points[face] for face in (*finder.shapes.deck_faces, *[JOKER] * spec.jokers))
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
            points += (hand & JOKERS).bit_count() * self._points[JOKER] + self.points_of(hand >> PACK & NATURALS)
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
        points, additions = LayOffs(self.shapes, onto, seat, self.deadwood, chain).best(hand)
        layoffs = tuple((card, index) for index, (_, added) in enumerate(additions) for card in added)
        hand &= ~card_set(card for card, _ in layoffs)
        melds = []
        # A meld belongs to a best arrangement if its cards can go at no cost, and one that belongs to none still does
        # not when others have gone: one pass, longest melds first, leaves nothing that could be melded or joined.
        for meld in sorted(self._finder.melds(hand), key=_preference):
            while (cards := _copies(meld.cards, hand)) and self.deadwood(rest := hand & ~card_set(cards)) == points:
                melds.append(new_meld(meld.stands, cards, seat))
                hand = rest
        melds.sort(key=_in_faces)
        return Arrangement(tuple(melds), hand, points, layoffs, tuple(each.meld for each in additions))


def _in_faces(meld: Meld) -> tuple[str, tuple[Card, ...], list[Card]]:
    """Sorts melds alike whichever twins are in them."""
    return meld.kind, meld.faces, [FACES[each] for each in meld.cards]


def _preference(meld: LayMeld) -> tuple[int, int, bool, bool]:
    """Sorts the longest melds first, among them those with few jokers, sets, and runs with their jokers above."""
    jokers = meld.cards.count(JOKER)
    return -len(meld.cards), jokers, meld_kind(meld.stands) == "run", meld.cards[0] == JOKER


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


class LayOffs:
    """The lay-offs on some melds that leave a hand with the least points.

    Lay-offs on different melds do not depend on each other, except that a card goes to one meld. So the melds are taken
    in turn: each gets one of the additions that the hand then left can make, the rest of the hand goes on to the next.
    """

    def __init__(
        self,
        shapes: MeldShapes,
        onto: tuple[Meld, ...],
        seat: int,
        points: Callable[[CardSet], int],
        chain: str = "any",
    ) -> None:
        """`points`: of the cards that are not laid off."""
        self._shapes = shapes
        self._onto = onto
        self._seat = seat
        self._points = points
        self._chain = chain
        self._solved: dict[tuple[int, CardSet], tuple[int, tuple[Addition, ...]]] = {}

    def best(self, hand: CardSet, index: int = 0) -> tuple[int, tuple[Addition, ...]]:
        """The least points left with additions to the melds from `index` on, and what each of these is given."""
        found = self._solved.get((index, hand))
        if found is None:
            found = self._solved[index, hand] = self._best(hand, index)
        return found

    def _best(self, hand: CardSet, index: int) -> tuple[int, tuple[Addition, ...]]:
        if index == len(self._onto):
            return self._points(hand), ()
        found: tuple[int, tuple[Addition, ...]] = IMPOSSIBLE, ()
        for addition in self._additions(self._onto[index], hand):
            points, others = self.best(hand & ~card_set(addition.cards), index + 1)
            if points < found[0]:
                found = points, (addition, *others)
                if not points:
                    break
        return found

    def _additions(self, meld: Meld, hand: CardSet) -> Iterator[Addition]:
        """What the meld can take from the hand, fewest cards first: to begin with, nothing."""
        joinable = self._joinable(meld, hand)
        queue = deque([Addition(meld, ())])
        seen = set()
        yield queue[0]
        while queue:
            grown, added = queue.popleft()
            for longer, card in self._one_more(grown, hand & ~card_set(added), joinable):
                if (longer.faces, longer.card_set) not in seen:
                    seen.add((longer.faces, longer.card_set))
                    queue.append(Addition(longer, (*added, card)))
                    yield queue[-1]

    def _joinable(self, meld: Meld, hand: CardSet) -> CardSet:
        """The cards next to which the seat may add to this meld."""
        if self._chain == "any" or meld.kind == "set":
            return ANY_CARD
        seats, own = ((meld.owner, self._seat), hand) if self._chain == "own" else ((meld.owner,), 0)
        return own | card_set(card for card, by in zip(meld.cards, meld.by, strict=True) if by in seats)

    def _one_more(self, meld: Meld, hand: CardSet, joinable: CardSet) -> Iterator[tuple[Meld, Card]]:
        openings = self._shapes.openings(meld)
        if openings.takes & hand:
            for face, places in openings.places.items():
                for card in _copies((face,), hand):
                    for place in places:
                        if _neighbours(meld, place) & joinable:
                            yield extended(meld, card, place, self._seat), card


def _neighbours(meld: Meld, place: Place) -> CardSet:
    """The card at the end where a place is; without an end (a set, a circle to be closed) those at both."""
    low, high = meld.cards[0], meld.cards[-1]
    return card_set({"low": [low], "high": [high], None: [low, high]}[place.side])
