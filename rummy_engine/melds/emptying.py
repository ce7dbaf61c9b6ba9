"""Can a hand be emptied: into so many new melds, by lay-offs, and perhaps with one card kept for the discard?

Every card goes into a new meld or is laid off. The order plays no part: laying new melds first never spoils a lay-off,
and a lay-off on a new meld could have been part of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rummy_engine.cards import BIT, COPY_BITS, FACES, JOKER_FACE, JOKERS, Card, CardSet, card_set, cards_in
from rummy_engine.melds.deadwood import COLUMN, MOST_SOLVED, by_rank, without
from rummy_engine.melds.finder import face_bits
from rummy_engine.melds.growing import RANK, Growing, Growth
from rummy_engine.melds.shapes import Meld, MeldShapes

ANY_NUMBER = 99
"""More melds than any hand has."""

Key = tuple[int, int, tuple[int, ...], CardSet | None, CardSet]


class Emptying:
    """Searches rank by rank: the lowest card left goes into one of the melds that it can be in.

    What was found out is remembered with the melds that still await their lay-offs, so most positions of a round, and
    all the ways to begin, share it.
    """

    def __init__(self, shapes: MeldShapes) -> None:
        self._growing = Growing(shapes)
        self._fails: dict[Key, int] = {}
        """What cannot be done with so many new melds or fewer."""
        self._does: dict[Key, int] = {}
        """What can be done with so many new melds or more."""
        self._lately: Card | None = None
        """The last card of the latest way to go out: after one move mostly the same can be kept as after another."""

    def table(self, melds: Iterable[Meld]) -> tuple[int, ...]:
        """What matters of the melds on a table: each as a number, in no order."""
        return tuple(sorted([self._growing.number(meld) for meld in melds]))

    def takes_all(self, hand: CardSet, most_melds: int, onto: tuple[int, ...], spurned: CardSet = 0) -> bool:
        """Whether all these cards can be tabled, in such a way that no meld has a place for a spurned card then."""
        return self._begin(hand, most_melds, onto, None, spurned)

    def takes_all_but_one(
        self, hand: CardSet, most_melds: int, onto: tuple[int, ...], lasts: CardSet, unplayable: bool = False
    ) -> bool:
        """Whether all but one of the cards in `lasts` can be tabled; `unplayable`: and no meld has a place for it then.

        Of twins `lasts` may have either.
        """
        faces = {FACES[card]: card for card in cards_in(lasts)}
        barred = face_bits(hand) & ~card_set(faces)
        if not self._begin(hand, most_melds, onto, barred, 0):
            return False
        if not unplayable:
            return True
        for face in sorted(faces, key=lambda face: face != self._lately):
            rest = hand ^ BIT[faces[face]]
            if self.takes_all(rest, most_melds, onto) and self.takes_all(rest, most_melds, onto, COPY_BITS[face]):
                self._lately = face
                return True
        return False

    def _begin(
        self, hand: CardSet, most_melds: int, onto: tuple[int, ...], barred: CardSet | None, spurned: CardSet
    ) -> bool:
        if len(self._fails) + len(self._does) > MOST_SOLVED:
            self._fails.clear()
            self._does.clear()
        return self._empties(by_rank(hand), (hand & JOKERS).bit_count(), most_melds, onto, barred, spurned)

    def _empties(
        self, cards: int, wilds: int, left: int, onto: tuple[int, ...], barred: CardSet | None, spurned: CardSet
    ) -> bool:
        """`barred`: the faces that may not be kept; None where no card is kept, or no more."""
        growths = [self._growing.grown(number, cards, wilds, spurned) for number in onto]
        laid_off = 0
        for growth in growths:
            if not growth.ways:
                return False
            laid_off |= growth.cards
        if not all(growth.grows for growth in growths):
            onto = tuple([number for number, growth in zip(onto, growths, strict=True) if growth.grows])
            growths = [growth for growth in growths if growth.grows]
        if not cards:
            return self._ends(wilds, growths, barred)
        if left < 2 and not _in_melds(cards & ~laid_off, left, barred is not None):
            return False
        if left >= cards.bit_count():
            left = ANY_NUMBER
        key = (cards, wilds, onto, barred, spurned)
        if left <= self._fails.get(key, -1):
            return False
        if left >= self._does.get(key, ANY_NUMBER + 1):
            return True
        for rest, used, melds, others in self._ways_on(cards, wilds, left, onto, growths, spurned):
            if self._empties(rest, wilds - used, melds, others, barred, spurned):
                self._does[key] = left
                return True
        lowest = (cards & -cards).bit_length() - 1
        may_be_kept = barred is not None and not barred >> (lowest & 7) * 13 + (lowest >> 3) & 1
        if may_be_kept and self._empties(without(cards, 1 << lowest), wilds, left, onto, None, spurned):
            self._does[key] = left
            return True
        self._fails[key] = left
        return False

    def _ways_on(
        self, cards: int, wilds: int, left: int, onto: tuple[int, ...], growths: list[Growth], spurned: CardSet
    ) -> Iterator[tuple[int, int, int, tuple[int, ...]]]:
        """Where the lowest card can go: the cards left then, the jokers used, the melds left, those on the table."""
        lowest = (cards & -cards).bit_length() - 1
        rank, suit = lowest >> 3, lowest & 7
        if left:
            for way in self._growing.sets_with_lowest(rank, cards >> 8 * rank & RANK, wilds, spurned):
                rest = cards ^ way.cards << 8 * rank
                for jokers in way.jokers:
                    yield rest, jokers, left - 1, onto
            for way in self._growing.runs_with_lowest(suit, cards >> suit & COLUMN, wilds, spurned):
                rest = without(cards, way.cards << suit)
                for jokers in way.jokers:
                    yield rest, jokers, left - 1, onto
        bits = 17 << lowest
        for at, growth in enumerate(growths):
            if growth.cards & bits:
                others = onto[:at] + onto[at + 1 :]
                is_run = self._growing.on_table[onto[at]].is_run
                for way in growth.ways:
                    if way.cards & bits:
                        rest = without(cards, way.cards) if is_run else cards ^ way.cards
                        for jokers in way.jokers:
                            yield rest, jokers, left, others

    def _ends(self, wilds: int, growths: list[Growth], barred: CardSet | None) -> bool:
        """Whether the melds on the table take the jokers that are left, but for one that is kept."""
        if barred is not None:
            wilds -= 1
            if wilds < 0 or barred >> JOKER_FACE & 1:
                return False
        taken = {0}
        for growth in growths:
            taken = {some + each for some in taken for way in growth.ways for each in way.jokers}
        return wilds in taken


def _in_melds(cards: int, melds: int, but_one: bool) -> bool:
    """A look at cards that can go nowhere but into at most one new meld: that has one rank or one suit."""
    if not cards or (but_one and melds):
        return True
    if not melds:
        return but_one and not cards & (cards - 1)
    lowest = (cards & -cards).bit_length() - 1
    if not cards >> 8 * (lowest >> 3) + 8:
        return True
    column = COLUMN << (lowest & 3)
    return not cards & ~(column | column << 4)
