"""What a seat may table and discard, and whether a turn can still be completed: by trying everything (A5-A9, R11-R19).

Every question of the kind "is there a way" is answered by walking through the actual table actions. The only cuts are
the two necessary conditions of ``out_of_reach``: hands only shrink while cards are tabled, so what cannot be tabled
now with the whole hand cannot be tabled later either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from .cards import JOKER, Hand, Memo, tidy, without
from .melds import Meld, MeldRules
from .state import State


class TurnRules:
    """The sections [lay] and [discard] of one table, and the swaps of [wilds]."""

    def __init__(self, profile: Mapping[str, Any], melds: MeldRules) -> None:
        self.melds = melds
        self.lay, self.discard = profile["lay"], profile["discard"]
        self.closed = self.lay["layoff"] == "none"  # no seat ever adds to a meld
        self.swaps = profile["wilds"]["swap"] and profile["deck"]["jokers"] != 0 and not self.closed
        limit = self.lay["melds_per_turn"]
        self.melds_per_turn = 99 if limit == "unlimited" else limit
        self.going_out = self.lay["when"] == "going_out"
        self._completable: dict[Any, bool] = Memo(100_000)
        self._tableable: dict[Any, bool] = Memo(100_000)

    # ---- permissions -----------------------------------------------------------------------------------------

    def may_lay_off(self, seat: int, table: tuple[Meld, ...], meld: Meld) -> bool:
        """Whether this seat may add to this meld at all, whatever the card (A6)."""
        if self.closed or (self.lay["layoff"] == "own" and seat not in meld.by):
            return False
        return not self.lay["needs_own_meld"] or any(seat in own.by for own in table)

    def fits_table(self, seat: int, table: tuple[Meld, ...], face: str) -> bool:
        """Whether the seat may lay this card off at once (R39)."""
        return any(self.may_lay_off(seat, table, meld) and self.melds.additions(meld, face, seat) for meld in table)

    # ---- table actions ---------------------------------------------------------------------------------------

    def table_actions(self, s: State) -> Iterator[tuple[str, State]]:
        """Every meld, lay-off and swap open to the seat by the cards alone, with the situation after it.

        Whether the turn could then be completed is not looked at here.
        """
        if self.lay["when"] == "knock":
            return
        if s.melds_made < self.melds_per_turn:
            for reading in self.melds.readings(s.hand):
                after = self._melded(s, reading)
                if after is not None:
                    yield f"meld {reading.text}", after
        for index, meld in enumerate(s.table):
            if not self.may_lay_off(s.seat, s.table, meld):
                continue
            for face in sorted(set(s.hand)):
                after = self._tabled(s, (face,), "any")
                if after is None:
                    continue
                for text, way in self.melds.layoff_texts(meld, index, face, s.seat):
                    yield text, replace(after, table=_put(s.table, index, way.meld))
                swapped = self.melds.swapped(meld, face, s.seat) if self.swaps else None
                if swapped is not None:
                    hands = list(after.hands)
                    hands[s.seat] = tidy((*after.hand, JOKER))
                    owed = tuple(sorted((*after.owed, (JOKER, "any"))))
                    table = _put(s.table, index, swapped)
                    yield f"swap {face} @{index}", replace(after, hands=tuple(hands), owed=owed, table=table)

    def _melded(self, s: State, reading: Meld) -> State | None:
        after = self._tabled(s, reading.faces, "meld")
        if after is None:
            return None
        return replace(after, table=(*s.table, reading.laid_by(s.seat)), melds_made=s.melds_made + 1)

    @staticmethod
    def _tabled(s: State, faces: Hand, use: str) -> State | None:
        """The cards leave the hand. None: an owed card would go where it may not (``draw.deep_use = "meld"``).

        With twins in hand the owed copy goes first, then the one just taken (R18), so tabling the face settles both.
        """
        owed = list(s.owed)
        for face in faces:
            uses = [(face, "meld"), (face, "any")] if use == "meld" else [(face, "any")]
            settled = [entry for entry in uses if entry in owed]
            if settled:
                owed.remove(settled[0])
            elif use == "any" and (face, "meld") in owed:
                return None
        hands = list(s.hands)
        hands[s.seat] = without(s.hand, faces)
        banned = None if s.banned in faces else s.banned
        return replace(s, hands=tuple(hands), owed=tuple(owed), banned=banned, tabled_now=True)

    # ---- the end of a turn -----------------------------------------------------------------------------------

    def may_discard(self, s: State, face: str) -> bool:
        """Whether this card of the hand may be discarded now (A8, V4, R13, R17, R39)."""
        hand, last = s.hand, len(s.hand) == 1
        if s.owed:
            return False
        banned = face == s.banned and hand.count(face) == 1  # a twin may go (R18)
        if banned and (self.discard["taken"] == "never" or (self.discard["taken"] == "if_last" and not last)):
            return False
        if self.going_out and s.tabled_now and not last:
            return False
        return not (last and self.discard["last_unplayable"] and self.fits_table(s.seat, s.table, face))

    def completable(self, s: State) -> bool:
        """Whether some sequence of table actions, then perhaps a discard, ends this turn (A9, R13, R19, R38)."""
        if not s.hand:
            return bool(self.discard["last"] != "required")
        if any(self.may_discard(s, face) for face in set(s.hand)):
            return True
        key = self._key(s)
        if key not in self._completable:
            if self.out_of_reach(s):
                found = False
            elif self.going_out and s.tabled_now and not self.swaps:
                found = self._goes_out(s, s.hand, stuck=False)
            else:
                found = any(self.completable(after) for _, after in self._owed_first(s))
            self._completable[key] = found
        return self._completable[key]

    def _goes_out(self, s: State, undecided: Hand, stuck: bool) -> bool:
        """The same search where tabling means going out, in an order that loses no way: new melds before lay-offs.

        Laying a meld first never spoils a later lay-off, and a lay-off on a new meld could have been part of it. So
        each card in turn goes into a new meld or is kept for the lay-offs; what fits no table meld (``stuck``) can
        only be the final discard, and there is one.
        """
        if not undecided:
            return self._ends_by_laying_off(s)
        key = (*self._key(s), undecided, stuck)
        if key not in self._completable:
            self._completable[key] = self._decides(s, undecided, stuck)
        return self._completable[key]

    def _decides(self, s: State, undecided: Hand, stuck: bool) -> bool:
        readings = self.melds.readings(undecided) if s.melds_made < self.melds_per_turn else []
        uses = Counter(face for meld in readings for face in set(meld.faces))
        # The card with the fewest uses is decided first; jokers last, for no meld is jokers alone.
        first = min(undecided, key=lambda face: (face == JOKER, uses[face]))
        rest = without(undecided, (first,))
        for reading in readings:
            after = self._melded(s, reading) if first in reading.faces else None
            if after is not None and self._goes_out(after, without(undecided, reading.faces), stuck):
                return True
        if self._could_lay_off(s, s.hand, first):
            return self._goes_out(s, rest, stuck)
        return not stuck and self._goes_out(s, rest, stuck=True)

    def _ends_by_laying_off(self, s: State) -> bool:
        if not s.hand:
            return bool(self.discard["last"] != "required")
        if any(self.may_discard(s, face) for face in set(s.hand)):
            return True
        layoffs = (after for text, after in self.table_actions(s) if text.startswith("layoff"))
        return any(self._ends_by_laying_off(after) for after in layoffs)

    def can_table(self, s: State, face: str) -> bool:
        """Whether some sequence of table actions lays this card of the hand on the table (R21)."""
        if not self._could_table(s, face, "any"):
            return False
        key = (face, *self._key(s))
        if key not in self._tableable:
            self._tableable[key] = any(
                after.hand.count(face) < s.hand.count(face) or self.can_table(after, face)
                for _, after in self._owed_first(s)
            )
        return self._tableable[key]

    def _owed_first(self, s: State) -> list[tuple[str, State]]:
        """Actions that table an owed card first, then the ones that keep most of the hand: a yes comes sooner."""
        return sorted(self.table_actions(s), key=lambda item: (len(item[1].owed), -len(item[1].hand)))

    def _key(self, s: State) -> tuple[Any, ...]:
        """What the answers depend on: the order of the table melds, for one, is no part of it."""
        table = () if self.closed else tuple(sorted((meld.text, s.seat in meld.by) for meld in s.table))
        melds = 0 if self.melds_per_turn == 99 else s.melds_made
        return s.hand, table, s.owed, s.banned, melds, s.tabled_now

    def out_of_reach(self, s: State) -> bool:
        """Two exact reasons why a turn cannot be completed, so that the search need not try everything.

        An owed card that no meld of the hand contains and that no chain of lay-offs brings onto a table meld stays
        where it is. And where tabling means going out, at most one card may be left for the discard.
        """
        if any(not self._could_table(s, face, use) for face, use in s.owed):
            return True
        if self.going_out:
            stuck = [face for face in s.hand if not self._could_table(s, face, "any")]
            return len(stuck) > 1
        return False

    def _could_table(self, s: State, face: str, use: str) -> bool:
        """A necessary condition for tabling this card this turn, generous where swaps may bring jokers back."""
        hand = s.hand
        if self.swaps:
            hand = tidy((*hand, *(JOKER for meld in s.table for _ in range(meld.wilds))))
        if s.melds_made < self.melds_per_turn and self.melds.meld_sizes(hand, face):
            return True
        return use != "meld" and self._could_lay_off(s, hand, face)

    def _could_lay_off(self, s: State, hand: Hand, face: str) -> bool:
        """The part of ``_could_table`` about the melds on the table."""
        if self.closed:
            return False
        for meld in s.table:
            if self.lay["layoff"] == "own" and s.seat not in meld.by:
                continue
            spare = self.melds.max_wilds - (0 if self.swaps else meld.wilds)
            if self.melds.could_reach(meld, hand, face, spare):
                return True
            if self.swaps and (self.melds.swapped(meld, face, s.seat) or (face == JOKER and meld.wilds)):
                return True
        return False


def _put(table: tuple[Meld, ...], index: int, meld: Meld) -> tuple[Meld, ...]:
    return (*table[:index], meld, *table[index + 1 :])
