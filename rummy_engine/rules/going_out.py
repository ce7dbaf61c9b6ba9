"""Whether a turn can empty the hand, exactly: the question where tabling means going out (`lay.when = "going_out"`)."""

from __future__ import annotations

from rummy_engine.actions import ENDS
from rummy_engine.cards import BIT, COPY_BITS, JOKERS, Card, CardSet, cards_in
from rummy_engine.melds.finder import face_bits
from rummy_engine.melds.shapes import Meld
from rummy_engine.rules.discard import DiscardRules
from rummy_engine.rules.lay import Lay
from rummy_engine.rules.table import Table
from rummy_engine.state import State

Seen = set[tuple[CardSet, tuple[Meld, ...]]]


class GoingOut:
    """Asks whether the seat to act can empty its hand by table actions, and perhaps the discard of the last card."""

    def __init__(self, table: Table, lay: Lay, discards: DiscardRules) -> None:
        self._table = table
        self._lay = lay
        self._discards = discards

    def possible(self, state: State, in_meld: Card | None) -> bool:
        """Whether the hand can be emptied; `in_meld`: a face of it that must go into a new meld."""
        return self._possible(state, in_meld, set())

    def _possible(self, state: State, in_meld: Card | None, seen: Seen) -> bool:
        """Actions are done here only where the order does play a part: a first meld, and swaps."""
        lay, seat = self._lay, state.seat
        hand = state.hands[seat]
        key = (hand, tuple(sorted(state.table)))
        if key in seen:
            return False
        seen.add(key)
        onto = tuple([state.table[i] for i in lay.reachable_melds(state, seat)])
        jokers = lay.swaps and any(meld.wilds for meld in onto)
        exists = _Cover(self._table, lay, self._discards, state, onto).exists()
        if not exists and not jokers:
            return False
        if in_meld is not None or (onto and lay.awaits_own_meld(state)):
            melds = self._table.finder.melds(hand) if state.melds_now < lay.melds_per_turn else ()
            first = [each for each in melds if in_meld is None or in_meld in each.cards]
            if any(self._possible(lay.put_meld(state, each), None, seen) for each in first):
                return True
        elif exists:
            return True
        swaps = lay.swap_moves(state, hand, lay.open_melds(state, seat)) if jokers else ()
        return any(self._possible(lay.put_swap(state, each), in_meld, seen) for each in swaps if each.card != in_meld)


class _Cover:
    """The question whether new melds and lay-offs take every card of a hand but perhaps the last."""

    def __init__(self, table: Table, lay: Lay, discards: DiscardRules, state: State, onto: tuple[Meld, ...]) -> None:
        self._shapes, self._melds_take, self._emptying = table.shapes, table.takes_all_but, table.emptying
        self._hand = state.hands[state.seat]
        self._onto, self._melds_left = onto, lay.melds_per_turn - state.melds_now
        self._compulsory = discards.keeps_a_card
        # A last card that fits a meld could be laid off as well, so only a compulsory discard makes the difference.
        self._must_not_fit = discards.keeps_a_card and discards.last_unplayable and lay.has_layoffs
        self._locked = _lowest_copies(self._hand, self._hand & (state.owed | discards.banned_as_last(state)))
        """The cards that cannot be the last: owed, or just taken. Of twins the lower is tabled first."""

    def _may_be_laid_off(self) -> CardSet:
        """The faces of the hand that some meld on the table might take, after others and jokers of the hand."""
        faces, wilds, found = face_bits(self._hand), (self._hand & JOKERS).bit_count(), 0
        for meld in self._onto:
            found |= face_bits(self._shapes.openings(meld).takes & self._hand)
            for side in ENDS if meld.kind == "run" else ():
                left = wilds
                for added in self._shapes.beyond(meld.faces, side):
                    if faces >> added & 1:
                        found |= BIT[added]
                    elif left:
                        left -= 1
                    else:
                        break
        return found

    def exists(self) -> bool:
        """Whether there is a way. Most often a look at the hand, with any melds and any last card, says no."""
        if not self._melds_take(self._hand, 1, self._may_be_laid_off()):
            return False
        hand, most, onto = self._hand, self._melds_left, self._emptying.table(self._onto)
        if not self._compulsory and self._emptying.takes_all(hand, most, onto):
            return True
        return self._emptying.takes_all_but_one(hand, most, onto, hand & ~self._locked, self._must_not_fit)


def _lowest_copies(hand: CardSet, cards: CardSet) -> CardSet:
    """As many cards of the same faces, of every face the lowest in the hand."""
    found = 0
    for card in cards_in(cards):
        copies = hand & COPY_BITS[card.face] & ~found
        found |= copies & -copies
    return found
