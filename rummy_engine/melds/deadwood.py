"""The least deadwood of a hand: the points its best arrangement leaves outside melds, exactly.

Two ways to the same number, one chosen per deck. `PlainDeadwood` serves one pack without jokers and is a handful of
table lookups; `SearchedDeadwood` serves every deck. Both rest on one remark: *a run that can be cut into two runs need
not be considered*, because the two melds hold the same cards. So of a suit's 66 runs, those of three to five cards do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from rummy_engine.cards import JOKER_FACE, JOKERS, NATURALS, PACK, CardSet, cards_in
from rummy_engine.melds.finder import MeldFinder, at_least
from rummy_engine.melds.shapes import MeldShapes

SUIT = 8191
"""The 13 bits of one suit."""
HALF = 0x3FFFFFF
"""The 26 bits of two suits: splitting a hand in halves first keeps the arithmetic within one machine digit."""


def uncut_runs(shapes: MeldShapes) -> tuple[tuple[int, ...], ...]:
    """The run windows that cannot always be cut into two runs, as rank indices upward.

    Without wild cards a run of twice the least length falls into two. With them, both parts must keep the natural
    cards they need. One each they have: the run as short as its naturals allow begins and ends with one (and longer
    readings of the same naturals only add jokers, which either part can take). If a meld needs several naturals, parts
    that are longer by the wild cards there can be have them in any case.
    """
    spec = shapes.spec
    part = spec.run_min
    if spec.min_naturals > 1:
        part = max(part, spec.min_naturals + min(spec.jokers, spec.max_wilds))
    return tuple(window for window in shapes.windows if len(window) < 2 * part)


def _rank_mask(ranks: tuple[int, ...]) -> int:
    return sum(1 << rank for rank in ranks)


# --------------------------------------------------------------------------------------------- one pack, no jokers


@lru_cache(maxsize=64)
def points_table(points: tuple[int, ...]) -> list[int]:
    """The points of every set of ranks (index: 13-bit mask), from the points of each rank."""
    table = [0]
    for each in points:
        table += [each + rest for rest in table]
    return table


@lru_cache(maxsize=64)
def _run_tables(runs: tuple[int, ...], points: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """For every set of ranks of one suit: the least points left outside runs, and the ranks that some run uses.

    `runs` are masks of ranks. The lowest rank is left, or it is in a run; either way a smaller set remains, whose
    entry is already there.
    """
    by_lowest: list[list[int]] = [[] for _ in points]
    for run in runs:
        by_lowest[(run & -run).bit_length() - 1].append(run)
    left, used = [0], [0]
    for ranks in range(1, 1 << len(points)):
        low = ranks & -ranks
        lowest = low.bit_length() - 1
        least = left[ranks ^ low] + points[lowest]
        in_runs = used[ranks ^ low]
        for run in by_lowest[lowest]:
            if run & ranks == run:
                in_runs |= run
                if left[ranks ^ run] < least:
                    least = left[ranks ^ run]
        left.append(least)
        used.append(in_runs)
    return left, used


MOST_BRANCHES = 4
"""In how many ranks every choice of a set is tried; a hand of eleven cards has three such ranks at most."""


class PlainDeadwood:
    """The least deadwood with one pack and no jokers.

    Without sets the suits are independent: four lookups. A rank held in enough suits for a set is settled at once if no
    run wants any of its cards (points are never negative: all of them go into the set); only a rank that runs and a set
    compete for is tried both ways.
    """

    def __init__(self, shapes: MeldShapes, points: tuple[int, ...]) -> None:
        spec = shapes.spec
        self._shapes, self._points = shapes, points
        self._searched: SearchedDeadwood | None = None
        runs = tuple(map(_rank_mask, uncut_runs(shapes)))
        a, b, c, d = (_run_tables(runs, points[suit * 13 : suit * 13 + 13]) for suit in range(4))
        self._left = a[0], b[0], c[0], d[0]
        self._in_runs = a[1]
        self._set_min = spec.set_min
        # How many cards of one rank can go into sets: two sets of two are four.
        sizes = {n for n in range(1, 5) for sets in (1, 2) if sets * spec.set_min <= n <= sets * shapes.set_cap}
        self._sets_take_all = sizes >= {*range(spec.set_min, len(spec.suits) + 1)}
        self._set_choices = tuple(_set_choices(held, sizes) for held in range(16))
        self.least: Callable[[CardSet], int] = self._least if self._set_min == 3 else self._least_by_set_size
        """The least points left of a hand."""

    def _least(self, hand: CardSet) -> int:
        low, high = hand & HALF, hand >> 26
        a, b, c, d = low & SUIT, low >> 13, high & SUIT, high >> 13
        if ranks := c & d & (a | b) | a & b & (c | d):  # held in three suits at least
            return self._with_sets(a, b, c, d, ranks)
        in_a, in_b, in_c, in_d = self._left
        return in_a[a] + in_b[b] + in_c[c] + in_d[d]

    def _least_by_set_size(self, hand: CardSet) -> int:
        a, b, c, d = hand & SUIT, hand >> 13 & SUIT, hand >> 26 & SUIT, hand >> 39
        return self._with_sets(a, b, c, d, at_least(self._set_min, a, b, c, d))

    def _with_sets(self, a: int, b: int, c: int, d: int, ranks: int) -> int:
        if self._sets_take_all:
            in_runs = self._in_runs
            contested = ranks & (in_runs[a] | in_runs[b] | in_runs[c] | in_runs[d])
            others = ~(ranks ^ contested)
            a, b, c, d, ranks = a & others, b & others, c & others, d & others, contested
        if ranks:
            if ranks.bit_count() > MOST_BRANCHES:
                return self._search(a | b << 13 | c << 26 | d << 39)
            return self._branch(a, b, c, d, ranks)
        in_a, in_b, in_c, in_d = self._left
        return in_a[a] + in_b[b] + in_c[c] + in_d[d]

    def _search(self, hand: CardSet) -> int:
        """The other way, for a large hand with many such ranks, where trying every choice would never end."""
        if self._searched is None:
            self._searched = SearchedDeadwood(MeldFinder(self._shapes), self._points)
        return self._searched.least(hand)

    def _branch(self, a: int, b: int, c: int, d: int, ranks: int) -> int:
        """The least over every choice of a set, or none, in each of these ranks."""
        rank = ranks & -ranks
        held = (a & rank > 0) | (b & rank > 0) << 1 | (c & rank > 0) << 2 | (d & rank > 0) << 3
        if others := ranks ^ rank:
            branch = self._branch
            least = branch(a, b, c, d, others)
            for of_a, of_b, of_c, of_d in self._set_choices[held]:
                points = branch(a ^ rank & of_a, b ^ rank & of_b, c ^ rank & of_c, d ^ rank & of_d, others)
                if points < least:
                    least = points
            return least
        in_a, in_b, in_c, in_d = self._left
        least = in_a[a] + in_b[b] + in_c[c] + in_d[d]
        for of_a, of_b, of_c, of_d in self._set_choices[held]:
            points = in_a[a ^ rank & of_a] + in_b[b ^ rank & of_b] + in_c[c ^ rank & of_c] + in_d[d ^ rank & of_d]
            if points < least:
                least = points
        return least


def _set_choices(held: int, sizes: set[int]) -> tuple[tuple[int, int, int, int], ...]:
    """The suits that sets can take from these (4-bit mask), most first; per suit -1 (takes) or 0."""
    suits = [suit for suit in range(4) if held >> suit & 1]
    taken = [set(some) for size in sorted(sizes, reverse=True) for some in combinations(suits, size)]
    return tuple((-(0 in some), -(1 in some), -(2 in some), -(3 in some)) for some in taken)


# ---------------------------------------------------------------------------------------------------- every deck

# The search goes through a hand rank by rank, so here a hand is 13 bytes, one a rank: bits 0 to 3 say which suits are
# held, bits 4 to 7 which of them are held twice. The lowest bit is then a card of the lowest rank, one byte is all that
# sets depend on, every eighth bit is all that the runs of a suit depend on, and twins are one value whichever is used.
_PLACES = tuple(1 << 8 * (card % 13) + card // 13 for card in range(52))
"""Where each natural card is kept; its twin is four bits up."""
COLUMN = sum(1 << 8 * rank for rank in range(13))
"""The bits of one suit."""

MOST_SOLVED = 100_000
"""How many smaller hands a search remembers before it starts afresh (some 15 MB)."""


def by_rank(hand: CardSet) -> int:
    """The natural cards of a hand, a byte a rank."""
    once, again = hand & NATURALS, hand >> PACK & NATURALS
    cards = 0
    for card in cards_in(once | again):
        cards |= _PLACES[card]
    for card in cards_in(once & again):
        cards |= _PLACES[card] << 4
    return cards


class Use(NamedTuple):
    """Natural cards that make one meld together with `fewest` to `most` jokers, any number between."""

    cards: int
    fewest: int
    most: int


class Uses:
    """Which melds of a hand use its lowest card."""

    def __init__(self, shapes: MeldShapes) -> None:
        self._spec = shapes.spec
        self._set_cap = shapes.set_cap
        self._most_wilds = min(self._spec.jokers, self._spec.max_wilds)
        self._runs = [sum(1 << 8 * rank for rank in window) for window in uncut_runs(shapes)]
        self._longest_run = max(map(len, shapes.windows), default=0)
        self._set_uses: dict[int, tuple[Use, ...]] = {}
        self._run_uses: dict[int, tuple[Use, ...]] = {}

    def sets_with_lowest(self, held: int) -> tuple[Use, ...]:
        """The sets, from one rank's byte, that use its lowest suit."""
        found = self._set_uses.get(held)
        if found is None:
            spec = self._spec
            suits = [suit for suit in range(4) if held >> suit & 1]
            copies = [1 + (held >> suit + 4 & 1 and not spec.distinct) for suit in suits]
            uses = []
            for counts in product(range(1, copies[0] + 1), *(range(most + 1) for most in copies[1:])):
                size = sum(counts)
                use = Use(
                    sum(taken_copies(held, suit, count) for suit, count in zip(suits, counts, strict=True)),
                    max(spec.set_min - size, 0),
                    min(self._set_cap - size, self._most_wilds),
                )
                if size >= spec.min_naturals and use.fewest <= use.most:
                    uses.append(use)
            found = self._set_uses[held] = tuple(uses)
        return found

    def runs_with_lowest(self, held: int) -> tuple[Use, ...]:
        """The runs, from one suit's column, that use its lowest rank.

        A longer reading of the same naturals exists for every number of jokers up to the longest run: a line of ranks
        has room at one end or the other.
        """
        found = self._run_uses.get(held)
        if found is None:
            lowest = held & -held
            fewest: dict[int, int] = {}
            for run in self._runs:
                if run & lowest:
                    length, present = run.bit_count(), run & held
                    for cards in _subsets(present ^ lowest, self._most_wilds - (length - present.bit_count())):
                        cards |= lowest
                        jokers = length - cards.bit_count()
                        if cards.bit_count() >= self._spec.min_naturals:
                            fewest[cards] = min(jokers, fewest.get(cards, jokers))
            found = self._run_uses[held] = tuple(
                Use(cards, jokers, min(self._longest_run - cards.bit_count(), self._most_wilds))
                for cards, jokers in fewest.items()
            )
        return found


class SearchedDeadwood:
    """The least deadwood with any deck: two packs, jokers, sets that repeat a suit.

    The lowest card of a hand is left, or it is in one of the melds it can be in; a smaller hand remains, and each is
    solved once. Rank by rank there are few of them, for a run reaches only a few ranks ahead. What a joker stands for
    never matters: a meld is the natural cards it uses and a number of jokers.
    """

    def __init__(self, finder: MeldFinder, points: tuple[int, ...]) -> None:
        self._finder = finder
        self._points = points
        uses = Uses(finder.shapes)
        self._sets_with_lowest, self._runs_with_lowest = uses.sets_with_lowest, uses.runs_with_lowest
        self._levels = range(finder.shapes.spec.jokers + 1)
        self._forget()

    def _forget(self) -> None:
        self._solved: list[dict[int, int]] = [{} for _ in self._levels]

    def least(self, hand: CardSet) -> int:
        """The least points left of a hand."""
        if sum(map(len, self._solved)) > MOST_SOLVED:
            self._forget()
        wilds = (hand & JOKERS).bit_count()
        loose = 0
        if not wilds:  # few cards are in any meld then; the others are left in every arrangement
            usable = self._finder.usable(hand)
            for card in cards_in(hand & ~(usable | usable << PACK)):
                loose += self._points[card.face]
            hand &= usable | usable << PACK
        return loose + self._search(by_rank(hand), wilds)

    def _search(self, cards: int, wilds: int) -> int:
        if not cards:
            return wilds * self._points[JOKER_FACE]
        known = self._solved[wilds].get(cards)
        if known is not None:
            return known
        lowest = (cards & -cards).bit_length() - 1
        rank, suit = lowest >> 3, lowest & 7
        value = self._points[suit * 13 + rank]
        least = value + self._search(without(cards, 1 << lowest), wilds)
        for use in self._sets_with_lowest(cards >> 8 * rank & 255):
            rest = cards ^ use.cards << 8 * rank
            for jokers in range(use.fewest, min(use.most, wilds) + 1):
                least = min(least, self._search(rest, wilds - jokers))
        for use in self._runs_with_lowest(cards >> suit & COLUMN):
            rest = without(cards, use.cards << suit)
            for jokers in range(use.fewest, min(use.most, wilds) + 1):
                least = min(least, self._search(rest, wilds - jokers))
        self._solved[wilds][cards] = least
        return least


def without(cards: int, used: int) -> int:
    """The hand less one copy of each card in `used`."""
    twins = cards >> 4 & used
    return cards ^ used ^ twins ^ twins << 4


def taken_copies(held: int, suit: int, count: int) -> int:
    """The bits that go when `count` copies of a suit leave a rank's byte: the twin's first."""
    own, twin = 1 << suit, held & 16 << suit
    return (0, twin or own, own | twin)[count]


def _subsets(cards: int, most_missing: int) -> Iterator[int]:
    """The subsets that lack at most so many of the cards."""
    bits = [1 << i for i in range(cards.bit_length()) if cards >> i & 1]
    for missing in range(most_missing + 1):
        for gone in combinations(bits, missing):
            yield cards ^ sum(gone)
