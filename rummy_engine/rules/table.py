"""The table a game is played at: the pack for one number of seats, what is a meld there, and what cards are worth."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from rummy_engine.cards import CARDS, COPY_BITS, FACES, JOKER, PACK, RANKS, SUITS, Card, CardSet, card_set
from rummy_engine.melds.arrange import Arranger
from rummy_engine.melds.cover import MeldSearch
from rummy_engine.melds.emptying import Emptying
from rummy_engine.melds.finder import MeldFinder
from rummy_engine.melds.shapes import Meld, MeldShapes, MeldSpec, Openings

if TYPE_CHECKING:
    from rummy_engine.profiles.profile import Deck, Melds, Values, Wilds


class Laid(NamedTuple):
    """The melds on the table, and what follows from them."""

    melds: tuple[Meld, ...]
    openings: tuple[Openings, ...]
    """What each meld takes."""
    cards: CardSet
    """What they are made of."""
    fits: CardSet
    """The cards off the table that some meld takes."""


class Table:
    """What depends on the pack and the seats: sections `[deck]`, `[melds]`, `[wilds]` and `[scoring.values]`."""

    def __init__(self, deck: Deck, melds: Melds, wilds: Wilds, values: Values, players: int) -> None:
        packs, jokers = deck.packs.at(players), deck.jokers.at(players)
        ranks = tuple(RANKS.index(rank) for rank in deck.ranks)
        suits = tuple(sorted(SUITS.index(suit) for suit in deck.suits))
        self.players = players
        self.deck: tuple[Card, ...] = tuple(
            CARDS[pack * PACK + each]
            for pack in range(packs)
            for each in [*(suit * 13 + rank for suit in suits for rank in sorted(ranks)), 52, 53][
                : len(suits) * len(ranks) + jokers
            ]
        )
        """The physical cards in pack order."""
        self.pack: CardSet = card_set(self.deck)
        self.faces: tuple[Card, ...] = tuple(sorted(FACES[each] for each in self.deck))
        """The faces of the whole pack, sorted: what a deal must name."""
        self.twins: CardSet = card_set({face for face in self.faces if self.faces.count(face) > 1})
        """The faces that occur twice."""
        self.swaps = wilds.swap
        """Whether the natural card may be exchanged for a joker on the table."""
        most_wilds = wilds.max_per_meld
        self.finder = _finder(
            MeldSpec(
                packs=packs,
                jokers=packs * jokers,
                ranks=ranks,
                suits=suits,
                set_min=melds.set_min,
                set_max=melds.set_max,
                distinct=melds.set_suits == "distinct",
                run_min=melds.run_min,
                run_max=melds.run_max,
                ace=melds.ace,
                min_naturals=wilds.min_naturals,
                max_wilds=packs * jokers if most_wilds == "unlimited" else most_wilds,
            )
        )
        self.shapes: MeldShapes = self.finder.shapes
        self._last = self._before = Laid((), (), 0, 0)
        self.worth = Worth(values, ranks)
        self.arranger = _arranger(self.finder, self.worth.in_hand)
        self.takes_all_but = _search(self.finder).takes_all_but
        """Whether melds take all but so many cards of a hand."""
        self.emptying = _emptying(self.shapes)
        """Whether melds and lay-offs take a whole hand, or all but its last card."""

    def laid(self, melds: tuple[Meld, ...]) -> Laid:
        """What these melds are made of and take; the answers for the last table asked about and the one before it are
        kept.

        Turn after turn asks about one and the same tuple, which is why its identity will do as the key.
        """
        last = self._last
        if last.melds is melds:
            return last
        before = self._before
        if before.melds is melds:
            return before
        cards = 0
        for meld in melds:
            cards |= meld.card_set
        self._before = last
        last = self._last = self._laid(melds, tuple([self.shapes.openings(meld) for meld in melds]), cards)
        return last

    def laid_at(self, melds: tuple[Meld, ...], at: int, meld: Meld) -> Laid:
        """The same for these melds with this one at index `at`: one more, or in the place of that which it extends."""
        before = self._before = self.laid(melds)
        cards = before.cards | meld.card_set
        if at < len(melds):
            cards ^= melds[at].card_set & ~meld.card_set  # a joker swapped out
        openings = (*before.openings[:at], self.shapes.openings(meld), *before.openings[at + 1 :])
        last = self._last = self._laid((*melds[:at], meld, *melds[at + 1 :]), openings, cards)
        return last

    def _laid(self, melds: tuple[Meld, ...], openings: tuple[Openings, ...], cards: CardSet) -> Laid:
        takes = 0
        for opening in openings:
            takes |= opening.takes
        return Laid(melds, openings, cards, takes & self.pack & ~cards)

    def fits(self, melds: tuple[Meld, ...]) -> CardSet:
        """The cards off the table that some of these melds takes."""
        return self.laid(melds).fits


class Worth:
    """What a card is worth in a hand and on the table (`[scoring.values]`; rules A16, B3, R31–R33, R37)."""

    def __init__(self, values: Values, ranks: tuple[int, ...]) -> None:
        by_rank = [values.of(rank) for rank in RANKS]
        self._natural = by_rank
        self.ace = by_rank[0]
        """Points of an ace where it stands neither low in a run nor in a hand."""
        self._low_ace = values.low_ace
        self._joker = None if values.joker == "as_card" else values.joker
        in_hand = [by_rank[face % 13] for face in range(52)]
        in_hand[0:52:13] = [values.hand_ace] * 4
        # A joker in hand stands for nothing yet: under `as_card` it counts like the dearest natural card.
        in_hand.append(max(in_hand[rank] for rank in ranks) if self._joker is None else self._joker)
        self.in_hand: tuple[int, ...] = tuple(in_hand)
        """Points per face of a card left in hand (index 52: a joker)."""

    def of_laid(self, meld: Meld, at: int) -> int:
        """The points of one card of a meld on the table.

        An ace is a low ace as the first card of a run, whether a natural 2 follows or a joker (rules R32); a joker is
        worth its own value wherever it is (R33), unless the profile says `as_card`.
        """
        if meld.cards[at].is_joker and self._joker is not None:
            return self._joker
        face = meld.faces[at]
        if face == JOKER:
            face = meld.faces[0]  # a set: naturals come first
        if face % 13 == 0 and meld.kind == "run" and at == 0:
            return self._low_ace
        return self._natural[face % 13]

    def tabled(self, table: tuple[Meld, ...], players: int) -> tuple[int, ...]:
        """Points on the table per seat: every card counts for the seat that tabled it (rules R16)."""
        points = [0] * players
        for meld in table:
            for at, seat in enumerate(meld.by):
                if seat >= 0:
                    points[seat] += self.of_laid(meld, at)
        return tuple(points)


def pick(hand: CardSet, face: int, *preferred: CardSet) -> Card:
    """The copy of a face to play from a hand: one in the first of the `preferred` sets that has any."""
    copies = hand & COPY_BITS[face]
    if copies & (copies - 1):
        for each in preferred:
            if copies & each:
                copies &= each
                break
    return CARDS[(copies & -copies).bit_length() - 1]


@lru_cache(maxsize=64)
def _finder(spec: MeldSpec) -> MeldFinder:
    return MeldFinder(MeldShapes(spec))


@lru_cache(maxsize=64)
def _search(finder: MeldFinder) -> MeldSearch:
    return MeldSearch(finder)


@lru_cache(maxsize=64)
def _emptying(shapes: MeldShapes) -> Emptying:
    return Emptying(shapes)


@lru_cache(maxsize=64)
def _arranger(finder: MeldFinder, points: tuple[int, ...]) -> Arranger:
    return Arranger(finder, points)


