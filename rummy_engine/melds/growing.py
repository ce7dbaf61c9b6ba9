"""What one meld can take out of a hand: a new set or run, or a meld on the table that grows by lay-offs.

Hands are kept rank by rank, as in `deadwood`. What a joker stands for is left open: a way is the natural cards that go
and how many jokers may go with them. Where a card is spurned, only those ways count after which the meld has no place
for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, count, product
from typing import NamedTuple

from rummy_engine.actions import ENDS
from rummy_engine.cards import CARDS, COPY_BITS, JOKER, JOKERS, Card, CardSet
from rummy_engine.melds.deadwood import COLUMN, taken_copies
from rummy_engine.melds.shapes import Meld, MeldShapes, new_meld
from rummy_engine.state import NOBODY

RANK = 255
"""The bits of one rank."""
ONCE = 15 * COLUMN
"""The bits of one copy of each card."""


class Way(NamedTuple):
    """Natural cards that go into one meld, together with any of these numbers of jokers."""

    cards: int
    jokers: tuple[int, ...]


STAYS = Way(0, (0,))
"""Nothing goes."""


class Growth(NamedTuple):
    """The ways in which a meld on the table can grow, or stay as it is, and the cards (all copies) that they use."""

    ways: tuple[Way, ...]
    cards: int
    grows: bool
    """Whether it can take anything at all."""


class OnTable(NamedTuple):
    """What matters of a meld on the table."""

    faces: tuple[Card, ...]
    wilds: int
    is_run: bool
    below: tuple[int, ...]
    """Of a run: the ranks that may be added at its low end, one after the other."""
    above: tuple[int, ...]
    reach: int
    """The natural cards that it might take in the end."""
    wants: CardSet
    """The cards for which it might ever have a place."""


class Growing:
    """The ways of every meld of one `MeldShapes`, worked out when first asked for."""

    def __init__(self, shapes: MeldShapes) -> None:
        self._shapes = shapes
        self._spec = spec = shapes.spec
        self._copies = 1 if spec.distinct else spec.packs
        self._longest = max(map(len, shapes.windows), default=0)
        self._windows = [
            (window, _column(window), _column((window[0], window[-1])) if len(window) > spec.run_min else 0)
            for window in shapes.windows
        ]
        self._suit_cards = [sum([COPY_BITS[suit * 13 + rank] for rank in range(13)], JOKERS) for suit in range(4)]
        self._rank_cards = [sum([COPY_BITS[suit * 13 + rank] for suit in range(4)], JOKERS) for rank in range(13)]
        self._sets: dict[tuple[int, int, int, CardSet], tuple[Way, ...]] = {}
        self._runs: dict[tuple[int, int, int, CardSet], tuple[Way, ...]] = {}
        self._grown: dict[tuple[int, int, int, CardSet], Growth] = {}
        self._numbers: dict[tuple[tuple[Card, ...], int], int] = {}
        self._next = count()
        self.on_table: dict[int, OnTable] = {}
        """The melds by their number."""

    # -------------------------------------------------------------------------------------------------- new melds

    def sets_with_lowest(self, rank: int, held: int, wilds: int, spurned: CardSet) -> tuple[Way, ...]:
        """The sets, from one rank's byte and so many jokers at most, that use its lowest suit."""
        key = (rank, held, min(wilds, self._spec.max_wilds), spurned & self._rank_cards[rank])
        found = self._sets.get(key)
        if found is None:
            lowest = held & -held
            ways = self._set_ways(*key, (), 0)
            found = self._sets[key] = tuple([way for way in ways if way.cards & (lowest | lowest << 4)])
        return found

    def runs_with_lowest(self, suit: int, held: int, wilds: int, spurned: CardSet) -> tuple[Way, ...]:
        """The runs, from one suit's column and so many jokers at most, that use its lowest rank."""
        key = (suit, held, min(wilds, self._spec.max_wilds), spurned & self._suit_cards[suit])
        found = self._runs.get(key)
        if found is None:
            found = self._runs[key] = self._run_ways(*key)
        return found

    def _run_ways(self, suit: int, held: int, wilds: int, spurned: CardSet) -> tuple[Way, ...]:
        """Where the ends do not matter those runs will do that have the least length or natural cards at both ends.

        Others are such a run and more jokers.
        """
        lowest, least = held & -held, self._spec.min_naturals
        found: dict[int, set[int]] = {}
        for window, places, ends in self._windows:
            needed = lowest if spurned else lowest | ends
            present = places & held
            jokers = len(window) - present.bit_count()
            if needed & ~present or jokers > wilds:
                continue
            free = [1 << 8 * rank for rank in window if present & ~needed & 1 << 8 * rank]
            stands = tuple([CARDS[suit * 13 + rank] for rank in window]) if spurned else ()
            for more in range(min(wilds - jokers, len(free), present.bit_count() - least) + 1):
                if not self._takes(stands, jokers + more, spurned):
                    for replaced in combinations(free, more):
                        found.setdefault(present ^ sum(replaced), set()).add(jokers + more)
        return _exactly(found) if spurned else _or_more(found, wilds, self._longest)

    def _set_ways(
        self, rank: int, held: int, wilds: int, spurned: CardSet, laid: tuple[Card, ...], laid_wilds: int
    ) -> tuple[Way, ...]:
        """The sets with those natural cards and jokers in them that are laid already."""
        spec = self._spec
        least, least_naturals = (1, 1) if laid else (spec.set_min, spec.min_naturals)
        faces = [CARDS[suit * 13 + rank] for suit in range(4)]
        choices = [
            range(min((held >> suit & 1) + (held >> suit + 4 & 1), self._copies - laid.count(face)) + 1)
            for suit, face in enumerate(faces)
        ]
        ways = []
        for counts in product(*choices):
            naturals = sorted([*laid, *[face for face, count in zip(faces, counts, strict=True) for _ in range(count)]])
            if len(naturals) < least_naturals:
                continue
            size = len(naturals) + laid_wilds
            jokers = tuple(
                more
                for more in range(wilds + 1)
                if least <= size + more <= self._shapes.set_cap
                and not self._takes((*naturals, *[JOKER] * (laid_wilds + more)), laid_wilds + more, spurned)
            )
            if jokers:
                ways.append(Way(sum([taken_copies(held, suit, counts[suit]) for suit in range(4)]), jokers))
        return tuple(ways)

    def _takes(self, stands: tuple[Card, ...], wilds: int, spurned: CardSet) -> bool:
        """Whether a meld of these faces with so many jokers has a place for the spurned card."""
        if not spurned:
            return False
        cards = stands if stands[-1] == JOKER else (*[JOKER] * wilds, *stands[wilds:])  # a set, or a run
        meld = new_meld(stands, cards, NOBODY)
        return self._shapes.openings(meld).takes & spurned != 0

    # ----------------------------------------------------------------------------------------- melds on the table

    def number(self, meld: Meld) -> int:
        """A number for this meld; one for all that take the same."""
        key = (meld.faces, meld.wilds)
        found = self._numbers.get(key)
        if found is None:
            number = next(self._next)
            self.on_table[number] = self._on_table(*key, meld.kind == "run")
            found = self._numbers.setdefault(key, number)  # whichever thread was first
        return found

    def grown(self, number: int, cards: int, wilds: int, spurned: CardSet) -> Growth:
        """How this meld can grow with these natural cards and so many jokers at most."""
        meld = self.on_table[number]
        key = (number, cards & meld.reach, min(wilds, self._spec.max_wilds - meld.wilds), spurned & meld.wants)
        found = self._grown.get(key)
        if found is None:
            found = self._grown[key] = self._growth(meld, *key[1:])
        return found

    def _growth(self, meld: OnTable, held: int, wilds: int, spurned: CardSet) -> Growth:
        if meld.is_run:
            suit = meld.faces[0] // 13
            ways = [Way(cards << suit, most) for cards, most in self._run_growth(meld, held >> suit, wilds, spurned)]
        else:
            rank = meld.faces[0] % 13  # a natural: the jokers come last
            naturals = meld.faces[: len(meld.faces) - meld.wilds]
            sets = self._set_ways(rank, held >> 8 * rank, wilds, spurned, naturals, meld.wilds)
            ways = [Way(cards << 8 * rank, most) for cards, most in sets]
        used = 0
        for way in ways:
            used |= (way.cards | way.cards >> 4) & ONCE
        return Growth(tuple(ways), used | used << 4, any(way != STAYS for way in ways))

    def _run_growth(self, meld: OnTable, held: int, wilds: int, spurned: CardSet) -> tuple[Way, ...]:
        room = self._longest - len(meld.faces)
        lows, highs = (_prolonged(ranks, held, wilds, not spurned) for ranks in (meld.below, meld.above))
        found: dict[int, set[int]] = {}
        for below, low, low_jokers in lows:
            for above, high, high_jokers in highs:
                jokers = low_jokers + high_jokers
                if below + above <= room and jokers <= wilds:
                    stands = self._prolonged_faces(meld, below, above) if spurned else ()
                    if not self._takes(stands, meld.wilds + jokers, spurned):
                        found.setdefault(low | high, set()).add(jokers)
        return _exactly(found) if spurned else _or_more(found, wilds, room)

    @staticmethod
    def _prolonged_faces(run: OnTable, below: int, above: int) -> tuple[Card, ...]:
        ace = run.faces[0] // 13 * 13
        low, high = ([CARDS[ace + rank] for rank in ranks] for ranks in (run.below[:below], run.above[:above]))
        return (*reversed(low), *run.faces, *high)

    def _on_table(self, faces: tuple[Card, ...], wilds: int, is_run: bool) -> OnTable:
        suit, rank = divmod(faces[0], 13)
        if not is_run:
            reach = RANK << 8 * rank if len(faces) < self._shapes.set_cap else 0
            return OnTable(faces, wilds, False, (), (), reach, self._rank_cards[rank])
        below, above = (tuple([face % 13 for face in self._shapes.beyond(faces, side)]) for side in ENDS)
        return OnTable(faces, wilds, True, below, above, _column({*below, *above}) << suit, self._suit_cards[suit])


def _column(ranks: Iterable[int]) -> int:
    return sum([1 << 8 * rank for rank in ranks])


def _prolonged(ranks: tuple[int, ...], held: int, wilds: int, natural_end: bool) -> list[tuple[int, int, int]]:
    """How a run can go on at one end: the cards added, those of them that are natural, and the number of jokers."""
    found = ways = [(0, 0, 0)]
    for length, rank in enumerate(ranks, 1):
        card = held & 1 << 8 * rank
        natural = [(length, cards | card, jokers) for _, cards, jokers in ways if card]
        ways = natural + [(length, cards, jokers + 1) for _, cards, jokers in ways if jokers < wilds]
        found = found + (natural if natural_end else ways)
        if not ways:
            break
    return found


def _exactly(found: dict[int, set[int]]) -> tuple[Way, ...]:
    return tuple([Way(cards, tuple(sorted(jokers))) for cards, jokers in found.items()])


def _or_more(found: dict[int, set[int]], wilds: int, longest: int) -> tuple[Way, ...]:
    """The same with more jokers, up to the longest run: a line of ranks has room at one end or the other."""
    return tuple(
        Way(cards, tuple(range(min(jokers), min(longest - cards.bit_count(), wilds) + 1)))
        for cards, jokers in found.items()
    )
