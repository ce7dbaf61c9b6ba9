"""Melds: what is one, which ones a hand holds, what may be added to one on the table (C2-C5, R5-R10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

from .cards import JOKER, SUITS, Hand, Memo

Ranks = tuple[str, ...]


@dataclass(frozen=True)
class Cell:
    """One card of a meld: its face, what it stands for (a joker in a set stands for no suit), who laid it."""

    face: str
    stands: str
    by: int | None = None

    def __str__(self) -> str:
        return self.face if self.face == self.stands else f"{self.face}={self.stands}"


@dataclass(frozen=True)
class Meld:
    """A set (suits in the order S H D C, wild cards last) or a run (upward)."""

    kind: str
    cells: tuple[Cell, ...]

    @cached_property
    def text(self) -> str:
        return " ".join(str(cell) for cell in self.cells)

    @cached_property
    def faces(self) -> Hand:
        return tuple(cell.face for cell in self.cells)

    @cached_property
    def by(self) -> tuple[int | None, ...]:
        return tuple(cell.by for cell in self.cells)

    @property
    def wilds(self) -> int:
        return self.faces.count(JOKER)

    @property
    def naturals(self) -> int:
        return len(self.faces) - self.wilds

    @property
    def run_ranks(self) -> Ranks:
        return tuple(cell.stands[0] for cell in self.cells)

    @property
    def suit(self) -> str:
        """The suit of a run."""
        return self.cells[0].stands[1]

    @property
    def rank(self) -> str:
        """The rank of a set, told by its natural cards."""
        return next(cell.face[0] for cell in self.cells if cell.face != JOKER)

    def laid_by(self, seat: int) -> Meld:
        return replace(self, cells=tuple(replace(cell, by=seat) for cell in self.cells))


@dataclass(frozen=True)
class Addition:
    """One way to lay a card off on a meld: at which ends of it (a set has none), and the meld it becomes."""

    shown: str
    ends: tuple[str, ...]
    meld: Meld


class MeldRules:
    """The sections [deck], [melds] and [wilds] of one table."""

    def __init__(self, profile: Mapping[str, Any]) -> None:
        melds, wilds = profile["melds"], profile["wilds"]
        self.ranks: Ranks = tuple(profile["deck"]["ranks"])
        self.suits = [suit for suit in SUITS if suit in profile["deck"]["suits"]]
        self.set_min = melds["set_min"]
        self.distinct = melds["set_suits"] == "distinct"
        self.set_max = min(melds["set_max"], len(self.suits)) if self.distinct else melds["set_max"]
        self.min_naturals = wilds["min_naturals"]
        self.max_wilds = 99 if wilds["max_per_meld"] == "unlimited" else wilds["max_per_meld"]
        self.around = melds["ace"] == "around" and self.ranks[0] == "A"
        longest = min(melds["run_max"], len(self.ranks))
        self.sequences = [seq for seq in self._all_sequences(melds["ace"]) if melds["run_min"] <= len(seq) <= longest]
        self._known_sequences = set(self.sequences)
        self._readings: dict[Hand, list[Meld]] = Memo(1_000)
        self._sizes: dict[tuple[Hand, str | None], frozenset[int]] = Memo(50_000)

    def _all_sequences(self, ace: str) -> Iterator[Ranks]:
        """Every stretch of ranks that may stand in one run, each written upward (A3, B4, R6, R7)."""
        ranks, count = self.ranks, len(self.ranks)
        if self.around:
            for start in range(count):
                for size in range(1, count):
                    yield (ranks + ranks)[start : start + size]
            yield ranks  # the whole circle is one meld, written from the ace
            return
        ladder = ranks
        if ranks[0] == "A" and ace != "low":
            ladder = (ranks if ace == "both" else ranks[1:]) + ("A",)
        for start in range(len(ladder)):
            for stop in range(start + 1, min(start + count, len(ladder)) + 1):  # never two aces in one run
                yield ladder[start:stop]

    # ---- melds in a hand -------------------------------------------------------------------------------------

    def readings(self, hand: Hand) -> list[Meld]:
        """Every meld that cards of the hand can make, each reading of the same cards apart."""
        if hand not in self._readings:
            count = Counter(hand)
            found = {meld.text: meld for meld in [*self._sets(count), *self._runs(count)]}
            self._readings[hand] = list(found.values())
        return self._readings[hand]

    def _sets(self, count: Counter[str]) -> Iterator[Meld]:
        for rank in self.ranks:
            held = [rank + suit for suit in self.suits for _ in range(1 if self.distinct else count[rank + suit])]
            held = [face for face in held if count[face]]
            for naturals in range(max(1, self.min_naturals), len(held) + 1):
                for faces in set(combinations(held, naturals)):
                    for wilds in range(min(count[JOKER], self.max_wilds) + 1):
                        if self.set_min <= naturals + wilds <= self.set_max:
                            yield Meld("set", tuple(Cell(face, face) for face in faces + (JOKER,) * wilds))

    def _runs(self, count: Counter[str]) -> Iterator[Meld]:
        most = min(count[JOKER], self.max_wilds)
        for suit in self.suits:
            in_suit = {rank for rank in self.ranks if count[rank + suit]}
            for seq in self.sequences:
                held = [place for place, rank in enumerate(seq) if rank in in_suit]
                for naturals in range(max(1, self.min_naturals, len(seq) - most), len(held) + 1):
                    faces = [rank + suit for rank in seq]
                    for places in combinations(held, naturals):
                        cells = (Cell(face if i in places else JOKER, face) for i, face in enumerate(faces))
                        yield Meld("run", tuple(cells))

    def meld_sizes(self, hand: Hand, with_card: str | None = None) -> frozenset[int]:
        """The sizes of the melds that cards of the hand can make, with a given card of the hand in them."""
        key = (hand, with_card)
        if key not in self._sizes:
            self._sizes[key] = frozenset(self._find_sizes(Counter(hand), with_card))
        return self._sizes[key]

    def _find_sizes(self, count: Counter[str], card: str | None) -> Iterator[int]:
        """Counting is enough here, and much shorter than listing the readings of a big hand."""
        jokers, fewest = min(count[JOKER], self.max_wilds), max(1, self.min_naturals)
        wanted = range(1 if card == JOKER else 0, jokers + 1)
        natural = card is not None and card != JOKER
        for rank in self.ranks:
            if natural and card[0] != rank:  # type: ignore[index]  # a natural card is a tuple
                continue
            held = [count[rank + suit] for suit in self.suits]
            most = sum(1 for copies in held if copies) if self.distinct else sum(held)
            for naturals in range(fewest, most + 1):
                yield from (naturals + w for w in wanted if self.set_min <= naturals + w <= self.set_max)
        for suit in self.suits:
            if natural and card[1] != suit:  # type: ignore[index]  # a natural card is a tuple
                continue
            for seq in self.sequences:
                if natural and card[0] not in seq:  # type: ignore[index]  # a natural card is a tuple
                    continue
                missing = max(sum(1 for rank in seq if not count[rank + suit]), wanted.start)
                if missing <= jokers and len(seq) - missing >= fewest:
                    yield len(seq)

    # ---- melds on the table ----------------------------------------------------------------------------------

    def additions(self, meld: Meld, face: str, seat: int) -> list[Addition]:
        """The ways to lay this card off on this meld: none, one, or several for a joker or an ace at both ends."""
        if face == JOKER and meld.wilds >= self.max_wilds:
            return []
        if meld.kind == "set":
            if len(meld.cells) >= self.set_max:
                return []
            if face != JOKER and (face[0] != meld.rank or (self.distinct and face in meld.faces)):
                return []
            return [Addition(face, (), self._set_of([*meld.cells, Cell(face, face, seat)]))]
        found: dict[tuple[str, str], Addition] = {}
        seq = meld.run_ranks
        for rank in self.ranks:
            stands = rank + meld.suit
            if face not in (JOKER, stands):
                continue
            cell = Cell(face, stands, seat)
            if self.around and len(seq) + 1 == len(self.ranks) and rank not in seq:
                # The circle closes: both ends are the same place, and the circle is written from the ace.
                if self.ranks in self._known_sequences:
                    ring = sorted((*meld.cells, cell), key=lambda c: self.ranks.index(c.stands[0]))
                    found[stands, "ring"] = Addition(str(cell), ("low", "high"), Meld("run", tuple(ring)))
                continue
            if (rank, *seq) in self._known_sequences:
                found[stands, "low"] = Addition(str(cell), ("low",), Meld("run", (cell, *meld.cells)))
            if (*seq, rank) in self._known_sequences:
                found[stands, "high"] = Addition(str(cell), ("high",), Meld("run", (*meld.cells, cell)))
        return list(found.values())

    def layoff_texts(self, meld: Meld, index: int, face: str, seat: int) -> list[tuple[str, Addition]]:
        """Additions with their canonical action text; the end is named only where the same card fits both."""
        ways = self.additions(meld, face, seat)
        shown = Counter(way.shown for way in ways)
        named = []
        for way in ways:
            end = f" {way.ends[0]}" if shown[way.shown] > 1 else ""
            named.append((f"layoff {way.shown} @{index}{end}", way))
        return named

    def swapped(self, meld: Meld, face: str, seat: int) -> Meld | None:
        """The meld after the natural card took the place of a joker that stands for it, if one does."""
        if face == JOKER or JOKER not in meld.faces:
            return None
        if meld.kind == "set":
            if face[0] != meld.rank or (self.distinct and face in meld.faces):
                return None
            cells = list(meld.cells)
            del cells[meld.faces.index(JOKER)]
            return self._set_of([*cells, Cell(face, face, seat)])
        cells = [Cell(face, face, seat) if (c.face, c.stands) == (JOKER, face) else c for c in meld.cells]
        return Meld("run", tuple(cells)) if tuple(cells) != meld.cells else None

    def _set_of(self, cells: list[Cell]) -> Meld:
        """Suits in the order S H D C, wild cards last; equal faces stay in the order in which they were laid."""
        order = [*self.suits, "K"]  # the second letter of JK
        return Meld("set", tuple(sorted(cells, key=lambda cell: order.index(cell.face[1]))))

    def could_reach(self, meld: Meld, hand: Hand, card: str, spare: int) -> bool:
        """Whether lay-offs from the hand on this one meld can bring the card onto it (bridges included, R13).

        ``spare``: how many more jokers the meld may take.
        """
        if meld.kind == "set" or card == JOKER:
            return bool(self.additions(meld, card, 0))  # a set only fills up; a joker needs no bridge
        if card[1] != meld.suit or card[0] in meld.run_ranks:
            return False
        count, seq = Counter(hand), meld.run_ranks
        jokers = min(count[JOKER], spare)
        if self.around and len(seq) + 1 == len(self.ranks):
            return bool(self.additions(meld, card, 0))
        for longer in self.sequences:
            for start in range(len(longer) - len(seq) + 1):
                if longer[start : start + len(seq)] == seq:
                    new = longer[:start] + longer[start + len(seq) :]
                    missing = sum(1 for rank in new if not count[rank + meld.suit])
                    if card[0] in new and missing <= jokers:
                        return True
        if self.around and self.ranks in self._known_sequences:  # the written circle hides where the run began
            new = tuple(rank for rank in self.ranks if rank not in seq)
            return sum(1 for rank in new if not count[rank + meld.suit]) <= jokers
        return False

    # ---- reading ---------------------------------------------------------------------------------------------

    def read(self, text: str) -> Meld:
        """Read a table meld of a position: ``"0: 4H 5H 6H + 1: 7H"``; raises ValueError if it is no meld."""
        tokens: list[tuple[str, int | None]] = []
        for part in text.split("+"):
            seat, colon, cards = part.rpartition(":")
            tokens += [(token, int(seat) if colon else None) for token in cards.split()]
        faces = [token.split("=")[0] for token, _ in tokens]
        shape = sorted(faces)
        options = [meld for meld in self.readings(tuple(shape)) if sorted(meld.faces) == shape]
        sets = [meld for meld in options if meld.kind == "set"]
        if sets and "=" not in text:
            return self._set_of([Cell(face, face, by) for face, (_, by) in zip(faces, tokens, strict=True)])
        runs = [meld for meld in options if meld.kind == "run"]
        for meld in runs:  # written in order
            if all(token in (str(c), c.face) for (token, _), c in zip(tokens, meld.cells, strict=True)):
                cells = (replace(c, by=by) for c, (_, by) in zip(meld.cells, tokens, strict=True))
                return Meld("run", tuple(cells))
        # Runs are listed with the ace low first, which is the reading wanted where two fit.
        for meld in runs:
            cells_by = self._match(meld, list(tokens))
            if cells_by is not None:
                return Meld("run", cells_by)
        raise ValueError(f"not a meld: {text!r}")

    @staticmethod
    def _match(meld: Meld, tokens: list[tuple[str, int | None]]) -> tuple[Cell, ...] | None:
        cells: list[Cell] = []
        for cell in meld.cells:
            exact = [item for item in tokens if item[0] == str(cell)]
            loose = exact or [item for item in tokens if item[0] == cell.face]
            if not loose:
                return None
            tokens.remove(loose[0])
            cells.append(replace(cell, by=loose[0][1]))
        return tuple(cells)
