"""Whether a turn can empty the hand, exactly: the question where tabling means going out (`lay.when = "going_out"`).

Every card goes into a new meld or is laid off, but for one that may be discarded. The order plays no part: laying new
melds first never spoils a lay-off, and a lay-off on a new meld could have been part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rummy_engine.actions import LayMeld
from rummy_engine.cards import COPY_BITS, FACES, JOKER, JOKERS, Card, CardSet, cards_in
from rummy_engine.melds.arrange import LayOffs
from rummy_engine.melds.finder import face_bits
from rummy_engine.melds.shapes import Meld, new_meld
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
        cover = _Cover(self._table, lay, self._discards, state, onto)
        if not jokers and not cover.may_exist():
            return False
        if in_meld is not None or (onto and lay.awaits_own_meld(state)):
            melds = self._table.finder.melds(hand) if state.melds_now < lay.melds_per_turn else ()
            first = [each for each in melds if in_meld is None or in_meld in each.cards]
            if any(self._possible(lay.put_meld(state, each), None, seen) for each in first):
                return True
        elif cover.exists():
            return True
        swaps = lay.swap_moves(state, hand, lay.open_melds(state, seat)) if jokers else ()
        return any(self._possible(lay.put_swap(state, each), in_meld, seen) for each in swaps if each.card != in_meld)


class _Cover:
    """The search for new melds and lay-offs that take every card of a hand but perhaps the last."""

    def __init__(self, table: Table, lay: Lay, discards: DiscardRules, state: State, onto: tuple[Meld, ...]) -> None:
        self._finder, self._shapes, self._melds_take = table.finder, table.shapes, table.takes_all_but
        self._hand, self._seat = state.hands[state.seat], state.seat
        self._onto, self._melds_left = onto, lay.melds_per_turn - state.melds_now
        self._compulsory = discards.keeps_a_card
        # A last card that fits a meld could be laid off as well, so only a compulsory discard makes the difference.
        self._must_not_fit = discards.keeps_a_card and discards.last_unplayable and lay.has_layoffs
        self._locked = _lowest_copies(self._hand, self._hand & (state.owed | discards.banned_as_last(state)))
        """The cards that cannot be the last: owed, or just taken. Of twins the lower is tabled first."""

    def may_exist(self) -> bool:
        """Whether all cards but one could be tabled, were any melds allowed and any last card.

        Letting go what might be laid off costs one search, where every way to lay it off costs one each.
        """
        free = self._may_be_laid_off()
        if not self._melds_take(self._hand, 1, free):
            return False
        return not self._onto or not self._layoffs(lambda rest: not self._melds_take(rest, 1)).best(self._hand)[0]

    def _may_be_laid_off(self) -> CardSet:
        """The faces of the hand that some meld on the table might take, after others and jokers of the hand."""
        faces, wilds, found = face_bits(self._hand), (self._hand & JOKERS).bit_count(), 0
        for meld in self._onto:
            found |= face_bits(self._shapes.openings(meld).takes & self._hand)
            for side in ("low", "high") if meld.kind == "run" else ():
                stands, left = meld.faces, wilds
                while longer := self._shapes.longer_run(stands, side):
                    added = longer[0] if side == "low" and longer[1:] == stands else longer[-1]
                    if faces >> added & 1:
                        found |= 1 << added
                    elif left:
                        left -= 1
                    else:
                        break
                    stands = longer
        return found

    def exists(self) -> bool:
        """Whether there is a way."""
        if self._melds_left >= self._hand.bit_count() and not self._must_not_fit:
            return not self._layoffs(lambda rest: not self._is_melded(rest)).best(self._hand)[0]
        if not self._compulsory and self._covers(self._hand, 0):
            return True
        return any(
            self._covers(self._hand ^ 1 << last, COPY_BITS[FACES[last]] if self._must_not_fit else 0)
            for last in self._lasts(self._hand)
        )

    def _layoffs(self, points: Callable[[CardSet], int], spurned: CardSet = 0) -> LayOffs:
        return LayOffs(self._shapes, self._onto, self._seat, points, spurned=spurned)

    def _lasts(self, cards: CardSet) -> Iterable[Card]:
        """One card of each face that may be the last."""
        return {FACES[card]: card for card in cards_in(cards & ~self._locked)}.values()

    def _is_melded(self, cards: CardSet) -> bool:
        """Whether melds take all these cards but the last: there must be one where a discard is compulsory."""
        if not self._melds_take(cards, 1):
            return False
        if self._melds_take(cards, 0):
            return not self._compulsory or any(self._melds_take(cards ^ 1 << last, 0) for last in self._lasts(cards))
        locked = cards & self._locked
        if not locked:
            return True
        melds = self._finder.melds_with(cards, FACES[next(cards_in(locked))])
        return any(self._is_melded(_without(cards, each)) for each in melds)

    # --------------------------------------------------------------- few melds, or a last card that must not fit

    def _covers(self, cards: CardSet, spurned: CardSet) -> bool:
        """Whether all these cards can be tabled, so that no meld takes a spurned card in the end."""
        any_way = self._layoffs(lambda rest: not self._melds_take(rest, 0))
        without_melds = self._layoffs(int.bit_count, spurned)
        seen = set()

        def decide(cards: CardSet, kept: CardSet, melds_left: int) -> bool:
            """Card by card: each goes into a new meld, or is kept for the lay-offs."""
            if any_way.best(cards | kept)[0]:
                return False
            melds = self._finder.melds(cards) if melds_left > 0 else ()
            if not melds:
                return not without_melds.best(cards | kept)[0]
            if (cards, kept, melds_left) in seen:
                return False
            seen.add((cards, kept, melds_left))
            if spurned:
                melds = tuple([meld for meld in melds if not self._takes(meld, spurned)])
            face = _fewest_uses(cards, melds)
            for meld in melds:
                if face in meld.cards and decide(_without(cards, meld), kept, melds_left - 1):
                    return True
            copies = cards & COPY_BITS[face]
            card = copies & -copies
            return bool(self._onto) and decide(cards ^ card, kept | card, melds_left)

        return decide(cards, 0, self._melds_left)

    def _takes(self, meld: LayMeld, spurned: CardSet) -> bool:
        """Whether this, once laid, takes a spurned card."""
        laid = new_meld(meld.stands, meld.cards, self._seat)
        return self._shapes.openings(laid).takes & spurned != 0


def _lowest_copies(hand: CardSet, cards: CardSet) -> CardSet:
    """As many cards of the same faces, of every face the lowest in the hand."""
    found = 0
    for card in cards_in(cards):
        copies = hand & COPY_BITS[card.face] & ~found
        found |= copies & -copies
    return found


def _without(cards: CardSet, meld: LayMeld) -> CardSet:
    """The cards less the lowest copies that a meld takes."""
    for face in meld.cards:
        copies = cards & COPY_BITS[face]
        cards ^= copies & -copies
    return cards


def _fewest_uses(cards: CardSet, melds: Iterable[LayMeld]) -> Card:
    """The face in the fewest melds: there is least to try. Jokers come last, for no meld is jokers alone."""
    uses = dict.fromkeys([FACES[card] for card in cards_in(cards)], 0)
    for meld in melds:
        for face in set(meld.cards):
            uses[face] += 1
    return min(uses, key=lambda face: (face == JOKER, uses[face], face))
