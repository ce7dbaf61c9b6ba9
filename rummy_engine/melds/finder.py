"""Finding melds in a hand, fast: one lookup a suit for the runs, bit arithmetic for the ranks that can be sets.

The tables are dictionaries filled on demand: a suit's 13-bit mask is the key, so a hand costs four lookups however
many shapes the profile allows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from rummy_engine.actions import LayMeld
from rummy_engine.cards import BIT, JOKER_FACE, JOKERS, NATURALS, PACK, CardSet
from rummy_engine.melds.shapes import MeldShapes

SUIT = 8191
"""The 13 bits of one suit."""
HALF = 0x3FFFFFF
"""The 26 bits of two suits: splitting a hand in halves first keeps the arithmetic within one machine digit."""


_T = TypeVar("_T")
_ONE_RANK = 1 | 1 << 13 | 1 << 26 | 1 << 39
"""The aces: times a set of ranks, all the cards of these ranks."""


class _Table(Generic[_T]):
    """Something per key, worked out when first asked for."""

    __slots__ = ("_build", "known")

    def __init__(self, build: Callable[[int], _T]) -> None:
        self._build = build
        self.known: dict[int, _T] = {}
        """What was asked for till now: a plain dictionary, since looking into one is the least work there is."""

    def of(self, key: int) -> _T:
        """The entry of a key."""
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self._build(key)
        return found


class _BySuit(Generic[_T]):
    """One table a suit."""

    __slots__ = ("_tables", "known")

    def __init__(self, tables: Sequence[_Table[_T]]) -> None:
        self._tables = tables
        self.known = tuple([table.known for table in tables])
        """What they know."""

    def learn(self, *ranks: int) -> None:
        """Makes them know these ranks, a mask a suit."""
        for table, each in zip(self._tables, ranks, strict=True):
            table.of(each)


def _natural_runs(shapes: MeldShapes, suit: int) -> _Table[tuple[LayMeld, ...]]:
    """The runs of a suit without jokers: those that begin at the lowest rank held, and those of the other ranks."""
    from_rank: dict[int, list[tuple[int, LayMeld]]] = {}
    shortest: dict[int, list[int]] = {}  # of the runs from a lowest rank: every other has one of them in it
    for run in shapes.runs(suit, SUIT, 0):
        mask = sum(1 << face % 13 for face in run.cards)
        low = mask & -mask
        from_rank.setdefault(low, []).append((mask, run))
        if all(each & mask != each for each in shortest.setdefault(low, [])):
            shortest[low].append(mask)

    def runs(ranks: int) -> tuple[LayMeld, ...]:
        if not ranks:
            return ()
        low = ranks & -ranks
        others = table.of(ranks ^ low)
        if any(each & ranks == each for each in shortest.get(low, ())):
            return (*[run for mask, run in from_rank[low] if mask & ranks == mask], *others)
        return others

    table = _Table(runs)
    return table


def at_least(count: int, a: int, b: int, c: int, d: int) -> int:
    """The ranks (13-bit mask) held in at least `count` of four suits."""
    if count >= 4:
        return a & b & c & d
    if count == 3:
        return a & b & (c | d) | c & d & (a | b)
    if count == 2:
        return a & b | c & d | (a | b) & (c | d)
    return a | b | c | d


class MeldFinder:
    """Every meld in a set of cards, under one `MeldShapes`."""

    def __init__(self, shapes: MeldShapes) -> None:
        self.shapes = shapes
        spec = shapes.spec
        self.wild = spec.jokers > 0
        self.doubled = spec.packs > 1
        self._any_suits = self.doubled and not spec.distinct
        levels = range(spec.jokers + 1)
        self._runs = [_BySuit([_run_table(shapes, suit, n) for suit in range(4)]) for n in levels]
        self._sets = [_Table(_set_builder(shapes, n)) for n in levels]
        self._run_use = [_BySuit(_run_uses(shapes, n)) for n in levels]
        self._set_use = [_Table(_faces_of(table)) for table in self._sets]
        self._plain_runs, self._plain_sets = self._runs[0].known, self._sets[0]
        # How many suits of a rank must be held for a set to be possible, per number of jokers; with too few suits in
        # the deck for any set, four are never held.
        self._need = [
            1 if self._any_suits else max(spec.set_min - min(n, spec.max_wilds), spec.min_naturals, 1) for n in levels
        ]
        if shapes.set_cap < spec.set_min:
            self._need = [4] * len(levels)
        self._joker_in_sets = [
            BIT[JOKER_FACE] if min(n, spec.max_wilds) and spec.min_naturals < shapes.set_cap else 0 for n in levels
        ]
        plain = not self.wild and not self.doubled and self._need[0] == 3
        self.melds: Callable[[CardSet], tuple[LayMeld, ...]] = self._plain_melds if plain else self._any_melds
        """Every meld in a hand, each reading once: runs by suit, then sets by rank."""

    def _plain_melds(self, hand: CardSet) -> tuple[LayMeld, ...]:
        """The same for one pack without jokers, and sets of three or more."""
        low, high = hand & HALF, hand >> 26
        a, b, c, d = low & SUIT, low >> 13, high & SUIT, high >> 13
        of_a, of_b, of_c, of_d = self._plain_runs
        try:
            found = of_a[a] + of_b[b] + of_c[c] + of_d[d]
        except KeyError:
            self._runs[0].learn(a, b, c, d)
            return self._plain_melds(hand)
        ranks = a & b & (c | d) | c & d & (a | b)
        while ranks:
            low = ranks & -ranks
            found += self._plain_sets.of(hand & low * _ONE_RANK)
            ranks ^= low
        return found

    def _any_melds(self, hand: CardSet) -> tuple[LayMeld, ...]:
        wilds = (hand & JOKERS).bit_count() if self.wild else 0
        twins = hand >> PACK & hand & NATURALS if self._any_suits else 0
        if self.doubled:
            hand = (hand | hand >> PACK) & NATURALS
        low, high = hand & HALF, hand >> 26 & HALF
        a, b, c, d = low & SUIT, low >> 13, high & SUIT, high >> 13
        runs = self._runs[wilds]
        of_a, of_b, of_c, of_d = runs.known
        try:
            found = of_a[a] + of_b[b] + of_c[c] + of_d[d]
        except KeyError:
            runs.learn(a, b, c, d)
            found = of_a[a] + of_b[b] + of_c[c] + of_d[d]
        need = self._need[wilds]
        ranks = a & b & (c | d) | c & d & (a | b) if need == 3 else at_least(need, a, b, c, d)
        if ranks:
            sets = self._sets[wilds]
            while ranks:
                low = ranks & -ranks
                rank = low * _ONE_RANK
                found += sets.of(hand & rank | (twins & rank) << PACK)
                ranks ^= low
        return found

    def usable(self, hand: CardSet) -> CardSet:
        """The faces of a hand (bits 0 to 52) that some meld of the hand contains."""
        wilds = (hand & JOKERS).bit_count() if self.wild else 0
        twins = hand >> PACK & hand & NATURALS if self._any_suits else 0
        if self.doubled:
            hand = (hand | hand >> PACK) & NATURALS
        low, high = hand & HALF, hand >> 26 & HALF
        a, b, c, d = low & SUIT, low >> 13, high & SUIT, high >> 13
        use = self._run_use[wilds]
        of_a, of_b, of_c, of_d = use.known
        try:
            found = of_a[a] | of_b[b] | of_c[c] | of_d[d]
        except KeyError:
            use.learn(a, b, c, d)
            found = of_a[a] | of_b[b] | of_c[c] | of_d[d]
        need = self._need[wilds]
        ranks = a & b & (c | d) | c & d & (a | b) if need == 3 else at_least(need, a, b, c, d)
        if not ranks:
            return found
        if not self._any_suits:  # every card of a rank held in enough suits is in some set
            return found | ranks * _ONE_RANK & hand | self._joker_in_sets[wilds]
        while ranks:
            low = ranks & -ranks
            rank = low * _ONE_RANK
            found |= self._set_use[wilds].of(hand & rank | (twins & rank) << PACK)
            ranks ^= low
        return found

    def melds_with(self, hand: CardSet, face: int) -> list[LayMeld]:
        """The melds of a hand that contain this face."""
        return [meld for meld in self.melds(hand) if face in meld.cards]


def _run_table(shapes: MeldShapes, suit: int, wilds: int) -> _Table[tuple[LayMeld, ...]]:
    if suit not in shapes.spec.suits:
        return _Table(lambda ranks: ())
    if not wilds:
        return _natural_runs(shapes, suit)
    return _Table(lambda ranks: shapes.runs(suit, ranks, wilds))


def _run_uses(shapes: MeldShapes, wilds: int) -> list[_Table[CardSet]]:
    """One table a suit, from one for them all: the same ranks are of use in every suit."""
    in_spades = _Table(lambda ranks: shapes.run_use(ranks, wilds)).of

    def in_suit(suit: int) -> _Table[CardSet]:
        if suit not in shapes.spec.suits:
            return _Table(lambda ranks: 0)
        return _Table(lambda ranks: (in_spades(ranks) & SUIT) << 13 * suit | in_spades(ranks) & ~SUIT)

    return [in_suit(suit) for suit in range(4)]


def _faces_of(melds: _Table[tuple[LayMeld, ...]]) -> Callable[[int], CardSet]:
    def faces(key: int) -> CardSet:
        used = 0
        for meld in melds.of(key):
            for face in meld.cards:
                used |= BIT[face]
        return used

    return faces


def _set_builder(shapes: MeldShapes, wilds: int) -> Callable[[CardSet], tuple[LayMeld, ...]]:
    """The sets of the cards of one rank; those held twice are in the key a second time, as cards of the second pack."""

    def sets(cards: CardSet) -> tuple[LayMeld, ...]:
        rank = ((cards & -cards).bit_length() - 1) % 13
        if rank not in shapes.spec.ranks:
            return ()
        copies = [rank + 13 * suit for suit in range(4)]
        return shapes.sets(rank, tuple([(cards >> each & 1) + (cards >> each + PACK & 1) for each in copies]), wilds)

    return sets


def face_bits(hand: CardSet) -> CardSet:
    """A set of cards as faces: bits 0 to 51, and bit 52 if any joker is in it."""
    faces = (hand | hand >> PACK) & NATURALS
    return faces | BIT[JOKER_FACE] if hand & JOKERS else faces


