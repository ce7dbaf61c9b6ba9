"""Melds as values, and the shapes a profile allows: what makes a set or a run, and what a meld on the table takes.

`MeldShapes` is the contents of the `[melds]` and `[wilds]` sections turned into tables: an ace that is low, high, both
or around the corner is a different list of windows, and nothing branches on it afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from rummy_engine.actions import End, LayMeld, format_meld
from rummy_engine.cards import CARDS, COPY_BITS, JOKER, JOKER_FACE, RANKS, Card, CardSet, card_set
from rummy_engine.described import described


@described
class Meld(NamedTuple):
    """A set or a run. Runs are written upward, sets by suit (S H D C) with jokers last.

    Fields:
        kind: "set" or "run".
        faces: What each card stands for (a joker in a set: JK).
        cards: Which cards they are, in the same order.
        by: The seat that laid each card (-1, NOBODY: nobody, as for melds still in a hand).
        owner: The seat that laid the meld, or -1.
    """

    kind: str
    faces: tuple[Card, ...]
    cards: tuple[Card, ...]
    by: tuple[int, ...]
    owner: int

    def __str__(self) -> str:
        return format_meld(self.cards, self.faces)

    @property
    def card_set(self) -> CardSet:
        """Its cards as a set."""
        return card_set(self.cards)

    @property
    def wilds(self) -> int:
        """How many of its cards are jokers."""
        return sum(each.is_joker for each in self.cards)


@described
class Arrangement(NamedTuple):
    """A hand split into melds (with the lay-offs it makes) and the cards left over.

    Fields:
        melds: The melds of the hand.
        left: The cards outside melds, as a set: `format_cards` gives their text.
        points: What those are worth: the deadwood.
        layoffs: The lay-offs in an order in which they can be made: each a card and the index of a meld in `onto`.
        onto: The melds on the table that lay-offs were looked for, as they are with those lay-offs.
    """

    melds: tuple[Meld, ...]
    left: CardSet
    points: int
    layoffs: tuple[tuple[Card, int], ...] = ()
    onto: tuple[Meld, ...] = ()


class MeldSpec(NamedTuple):
    """The numbers that decide what a meld is, for one deck."""

    packs: int = 1
    jokers: int = 0
    """In the whole deck."""
    ranks: tuple[int, ...] = tuple(range(13))
    """Rank indices in running order."""
    suits: tuple[int, ...] = (0, 1, 2, 3)
    set_min: int = 3
    set_max: int = 4
    distinct: bool = True
    """Whether the suits of a set must differ."""
    run_min: int = 3
    run_max: int = 13
    ace: str = "low"
    min_naturals: int = 1
    max_wilds: int = 4
    """The most jokers in one meld."""


class Place(NamedTuple):
    """One way to add a card to a meld: what it stands for, at which end (None: no choice), and the faces then."""

    stands: Card
    end: End | None
    faces: tuple[Card, ...]
    side: End | None
    """The end it lands on, also where there is no choice (None: a set, or a circle closed)."""


class Openings(NamedTuple):
    """What a meld on the table takes."""

    takes: CardSet
    """Every card, all copies, that can be added."""
    places: dict[Card, tuple[Place, ...]]
    """Per face: the ways to add it."""


def run_windows(spec: MeldSpec) -> tuple[tuple[int, ...], ...]:
    """Every run a suit allows, as rank indices upward (rules A3, R6, R7: at most one ace, at most a whole suit).

    With the ace around the corner the full circle has one reading, written from the first rank.
    """
    ranks, longest = spec.ranks, min(spec.run_max, len(spec.ranks))
    has_ace = 0 in ranks
    if spec.ace == "around" and has_ace:
        n = len(ranks)
        circle = ranks + ranks
        windows = [circle[i : i + k] for k in range(spec.run_min, min(longest, n - 1) + 1) for i in range(n)]
        return tuple(windows + ([ranks] if spec.run_min <= n <= longest else []))
    high = ranks[1:] + ranks[:1]
    lines = {"low": [ranks], "high": [high], "both": [ranks, high], "around": [ranks]}[spec.ace if has_ace else "low"]
    found = {
        line[i : i + k]: None
        for line in lines
        for k in range(spec.run_min, longest + 1)
        for i in range(len(line) - k + 1)
    }
    return tuple(found)


_ACES = {"low": "low", "high": "high", "both": "low or high", "around": "low, high or between king and 2"}


def meld_kind(stands: tuple[Card, ...]) -> str:
    """ "set" or "run", told from what the cards stand for: in a run no two share a rank and nothing is left open."""
    return "set" if stands[-1] == JOKER or (len(stands) > 1 and stands[0] % 13 == stands[1] % 13) else "run"


class MeldShapes:
    """What is a meld, and what extends one, under one `MeldSpec`."""

    def __init__(self, spec: MeldSpec) -> None:
        self.spec = spec
        self.windows = run_windows(spec)
        self._window_masks = tuple(sum(1 << rank for rank in window) for window in self.windows)
        pairs = list(zip(self.windows, self._window_masks, strict=True))
        self._by_length = [[pair for pair in pairs if len(pair[0]) == n] for n in sorted({*map(len, self.windows)})]
        # A run has a run of the least length around each of its cards, so those will do, unless a part of a run might
        # have too few naturals.
        shortest = min(map(len, self.windows), default=0) if spec.min_naturals <= 1 else len(RANKS)
        self._use_masks = tuple(mask for mask in self._window_masks if mask.bit_count() <= shortest)
        self._valid_windows = frozenset(self.windows)
        self._below = {w[1:]: w for w in self.windows}
        self._above = {w[:-1]: w for w in self.windows}
        n = len(spec.ranks)
        if spec.ace == "around" and 0 in spec.ranks and n in map(len, self.windows):
            for w in self.windows:  # one card short of the circle: the missing rank closes it from either end
                if len(w) == n - 1:
                    self._below[w] = self._above[w] = spec.ranks
        self.set_cap = min(spec.set_max, len(spec.suits)) if spec.distinct else spec.set_max
        self.deck_faces = frozenset(s * 13 + r for s in spec.suits for r in spec.ranks)
        self._limits_wilds = spec.max_wilds < spec.jokers
        self._openings: dict[tuple[object, ...], Openings] = {}
        self._beyond: dict[tuple[tuple[Card, ...], End], tuple[Card, ...]] = {}
        self._laid: dict[tuple[tuple[Card, ...], tuple[Card, ...]], LayMeld] = {}

    def in_words(self) -> str:
        """What a meld is, for a person who tried something else.

        >>> MeldShapes(MeldSpec()).in_words()
        'sets have 3 to 4 cards of different suits, runs 3 or more neighbours of one suit with the ace low'
        """
        spec = self.spec
        least, most = spec.set_min, self.set_cap
        size = f"{least}" if least == most else f"{least} to {most}"
        run = f"{spec.run_min} or more" if spec.run_max >= len(spec.ranks) else f"{spec.run_min} to {spec.run_max}"
        suits = " of different suits" if spec.distinct else ""
        ace = f" with the ace {_ACES[spec.ace]}" if 0 in spec.ranks else ""
        return f"sets have {size} cards{suits}, runs {run} neighbours of one suit{ace}"

    # ------------------------------------------------------------------------------------------------ recognition

    def is_meld(self, cards: tuple[Card, ...], stands: tuple[Card, ...]) -> bool:
        """Whether these faces, standing for those, are a meld in canonical order."""
        if len(cards) != len(stands):
            return False
        wilds = cards.count(JOKER)
        if wilds > min(self.spec.max_wilds, self.spec.jokers) or len(cards) - wilds < self.spec.min_naturals:
            return False
        if any(card != JOKER and card != face for card, face in zip(cards, stands, strict=True)):
            return False
        naturals = tuple(face for face in stands if face != JOKER)
        if not naturals or any(face not in self.deck_faces for face in naturals):
            return False
        if meld_kind(stands) == "run":
            suit = naturals[0] // 13
            ranks = tuple(face % 13 for face in stands)
            return all(face // 13 == suit for face in stands) and ranks in self._valid_windows
        in_order = stands == tuple(sorted(naturals)) + (JOKER,) * wilds and cards == stands
        one_rank = len({face % 13 for face in naturals}) == 1
        copies = 1 if self.spec.distinct else self.spec.packs
        return (
            in_order
            and one_rank
            and self.spec.set_min <= len(stands) <= self.set_cap
            and all(naturals.count(face) <= copies for face in naturals)
        )

    def meld(self, cards: tuple[Card, ...], stands: tuple[Card, ...]) -> LayMeld:
        """The interned action that lays these cards."""
        key = (cards, stands)
        found = self._laid.get(key)
        if found is None:
            found = self._laid[key] = LayMeld(cards, stands)
        return found

    # ------------------------------------------------------------------------------------------------ enumeration

    def runs(self, suit: int, ranks: int, wilds: int) -> tuple[LayMeld, ...]:
        """Every run of a suit from these ranks (13-bit mask) and up to `wilds` jokers, each reading once.

        A joker may also stand for a card that is there (rules R10), so with jokers every choice of places counts.
        """
        found = []
        most = min(wilds, self.spec.max_wilds)
        for windows in self._by_length:
            within = [window for window, mask in windows if (mask & ~ranks).bit_count() <= most]
            if not within:  # nor is a longer one: it has one of these in it
                break
            for window in within:
                stands = tuple([CARDS[suit * 13 + rank] for rank in window])
                if not most:
                    found.append(self.meld(stands, stands))
                    continue
                absent = [rank for rank in window if not ranks >> rank & 1]
                present = [rank for rank in window if ranks >> rank & 1]
                for extra in range(most - len(absent) + 1):
                    if len(present) - extra < self.spec.min_naturals:
                        break
                    for replaced in combinations(present, extra):
                        wild = {*absent, *replaced}
                        cards = tuple([JOKER if rank in wild else CARDS[suit * 13 + rank] for rank in window])
                        found.append(self.meld(cards, stands))
        return tuple(found)

    def run_use(self, ranks: int, wilds: int) -> CardSet:
        """The faces that occur in the runs of spades: what `runs` would tell, without making them."""
        most, naturals = min(wilds, self.spec.max_wilds), self.spec.min_naturals
        used, joker = 0, False
        for mask in self._use_masks:
            present = mask & ranks
            held = present.bit_count()
            absent = mask.bit_count() - held
            if absent <= most and held >= naturals:
                used |= present
                joker |= most > 0 and (absent > 0 or held > naturals)
        return used | joker << JOKER

    def sets(self, rank: int, counts: tuple[int, ...], wilds: int) -> tuple[LayMeld, ...]:
        """Every set of a rank from this many cards per suit (index: suit) and up to `wilds` jokers."""
        limit = 1 if self.spec.distinct else self.spec.packs
        pool = [CARDS[suit * 13 + rank] for suit in self.spec.suits for _ in range(min(counts[suit], limit))]
        pool.sort()
        found: dict[tuple[Card, ...], None] = {}
        for size in range(self.spec.min_naturals, min(len(pool), self.set_cap) + 1):
            for naturals in combinations(pool, size):
                for jokers in range(min(wilds, self.spec.max_wilds) + 1):
                    if self.spec.set_min <= size + jokers <= self.set_cap:
                        found[naturals + (JOKER,) * jokers] = None
        return tuple(self.meld(faces, faces) for faces in found)

    # --------------------------------------------------------------------------------------------------- openings

    def openings(self, meld: Meld) -> Openings:
        """What this meld takes, whoever asks (rules C3, R8: nothing on the table is re-read)."""
        # How many jokers a run holds matters only where their number is limited.
        key = (meld.faces, meld.wilds) if self._limits_wilds else meld.faces
        found = self._openings.get(key)
        if found is None:
            if meld.kind == "run":
                places = self._run_openings(meld.faces, meld.wilds)
            else:  # in a set a joker stands for itself, so the key says how many there are
                places = self._set_openings(meld.faces, meld.faces.count(JOKER))
            takes = 0
            for face in places:
                takes |= COPY_BITS[face]
            found = self._openings.setdefault(key, Openings(takes, places))  # one object, whichever thread was first
        return found

    def _run_openings(self, faces: tuple[Card, ...], wilds: int) -> dict[Card, tuple[Place, ...]]:
        suit = faces[0] // 13
        ranks = tuple(face % 13 for face in faces)
        ends: list[Place] = []
        for side, longer in (("low", self._below.get(ranks)), ("high", self._above.get(ranks))):
            if longer is None:
                continue
            (added,) = set(longer) - set(ranks)
            end: End = "low" if side == "low" else "high"
            ends.append(
                Place(CARDS[suit * 13 + added], end, tuple(CARDS[suit * 13 + rank] for rank in longer), end)
            )
        if len(ends) == 2 and ends[0].faces == ends[1].faces:  # the circle closes: both ends are one place
            ends = [ends[0]._replace(end=None, side=None)]
        elif len(ends) == 2 and ends[0].stands == ends[1].stands:  # an ace on 2…K: the end decides its worth (R32)
            pass
        else:
            ends = [place._replace(end=None) for place in ends]
        places: dict[Card, tuple[Place, ...]] = {}
        for place in ends:
            places[place.stands] = (*places.get(place.stands, ()), place)
        if ends and self._takes_joker(wilds):
            places[JOKER] = tuple(ends)
        return places

    def _takes_joker(self, wilds: int) -> bool:
        # Where every joker of the deck may be in one meld the answer must not depend on `wilds`: see the key above.
        return self.spec.jokers > 0 and (wilds < self.spec.max_wilds or not self._limits_wilds)

    def beyond(self, run: tuple[Card, ...], side: End) -> tuple[Card, ...]:
        """The cards that a run of these faces can take at its low or high end, one after the other, as far as it goes.

        >>> MeldShapes(MeldSpec()).beyond((CARDS[2], CARDS[3], CARDS[4]), "low")
        (2S, AS)
        """
        key = (run, side)
        found = self._beyond.get(key)
        if found is None:
            suit, ranks = run[0] // 13, tuple(face % 13 for face in run)
            further = self._below if side == "low" else self._above
            added: list[Card] = []
            while longer := further.get(ranks):
                added += [CARDS[suit * 13 + rank] for rank in set(longer) - set(ranks)]
                ranks = longer
            found = self._beyond[key] = tuple(added)
        return found

    def _set_openings(self, faces: tuple[Card, ...], wilds: int) -> dict[Card, tuple[Place, ...]]:
        if len(faces) >= self.set_cap:
            return {}
        naturals = [face for face in faces if face != JOKER]
        rank, copies = naturals[0] % 13, 1 if self.spec.distinct else self.spec.packs
        places: dict[Card, tuple[Place, ...]] = {}
        for suit in self.spec.suits:
            face = CARDS[suit * 13 + rank]
            if naturals.count(face) < copies:
                longer = (*sorted([*naturals, face]), *(JOKER,) * wilds)
                places[face] = (Place(face, None, longer, None),)
        if self._takes_joker(wilds):
            places[JOKER] = (Place(JOKER, None, (*faces, JOKER), None),)
        return places

    def swaps(self, meld: Meld) -> tuple[Card, ...]:
        """The natural cards that may be exchanged for a joker of this meld (rules 3.1, wilds.swap)."""
        if not meld.wilds:
            return ()
        if meld.kind == "run":
            return tuple(face for face, each in zip(meld.faces, meld.cards, strict=True) if each.is_joker)
        naturals = [face for face in meld.faces if face != JOKER]
        copies = 1 if self.spec.distinct else self.spec.packs
        faces = [CARDS[suit * 13 + naturals[0] % 13] for suit in sorted(self.spec.suits)]
        return tuple(face for face in faces if naturals.count(face) < copies)


def new_meld(stands: tuple[Card, ...], cards: Iterable[Card], seat: int) -> Meld:
    """The meld of these physical cards, in the order of `stands`, all laid by `seat`."""
    cards = tuple(cards)
    return Meld(meld_kind(stands), stands, cards, (seat,) * len(cards), seat)


def extended(meld: Meld, card: Card, place: Place, seat: int) -> Meld:
    """The meld with one physical card added at `place` by `seat`."""
    if place.faces[:-1] == meld.faces:
        return Meld(meld.kind, place.faces, (*meld.cards, card), (*meld.by, seat), meld.owner)
    if place.faces[1:] == meld.faces:
        return Meld(meld.kind, place.faces, (card, *meld.cards), (seat, *meld.by), meld.owner)
    laid = [*zip(meld.faces, meld.cards, meld.by, strict=True), (place.stands, card, seat)]
    return _rebuilt(meld, place.faces, laid)


def swapped(meld: Meld, card: Card, face: Card, seat: int) -> tuple[Meld, Card]:
    """The meld with the natural `card` in the place of a joker, and that joker."""
    stands = face if meld.kind == "run" else JOKER
    at = next(i for i, each in enumerate(meld.cards) if each.is_joker and meld.faces[i] == stands)
    laid = list(zip(meld.faces, meld.cards, meld.by, strict=True))
    joker = laid.pop(at)[1]
    laid.append((face, card, seat))
    faces = meld.faces if meld.kind == "run" else tuple(sorted(entry[0] for entry in laid))
    return _rebuilt(meld, faces, laid), joker


def _rebuilt(meld: Meld, faces: tuple[Card, ...], laid: list[tuple[Card, Card, int]]) -> Meld:
    order: dict[Card, list[tuple[Card, Card, int]]] = {}
    for entry in laid:
        order.setdefault(entry[0], []).append(entry)
    entries = [order[face].pop(0) for face in faces]
    return Meld(meld.kind, faces, tuple(e[1] for e in entries), tuple(e[2] for e in entries), meld.owner)


def joker_count(cards: CardSet) -> int:
    """How many jokers are in a set."""
    return (cards & COPY_BITS[JOKER_FACE]).bit_count()
