"""`[discard]`: which cards may end a turn, and what the last one must be."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from rummy_engine.actions import Discard
from rummy_engine.cards import BIT, CARDS, COPY_BITS, JOKER, JOKERS, NATURALS, PACK, Card, CardSet, choices
from rummy_engine.errors import Reason, Refusal
from rummy_engine.melds.finder import HALF, SUIT
from rummy_engine.rules.lay import Lay
from rummy_engine.rules.table import Table
from rummy_engine.state import State

if TYPE_CHECKING:
    from rummy_engine.profiles.profile import Discard as DiscardDials


@cache
def _by_suit() -> tuple[list[tuple[Discard, ...]], ...]:
    """Per suit, the discards of every set of ranks (index: 13-bit mask): one table for all games."""
    return tuple(choices([Discard(card) for card in CARDS[suit * 13 : suit * 13 + 13]]) for suit in range(4))


class DiscardRules:
    """The discard that ends a turn."""

    def __init__(self, dials: DiscardDials, table: Table, lay: Lay) -> None:
        self._lay = lay
        self._free = dials.taken == "free"
        self._free_last = dials.taken == "if_last"
        self.last_unplayable = dials.last_unplayable
        """Whether the discard that goes out must fit no meld (rules R39)."""
        self._goes_out = lay.goes_out
        self.keeps_a_card = dials.last == "required"
        """Whether going out takes a final discard, so that a card must be kept for it."""
        self.floats = dials.last == "float"
        """Whether a hand emptied without a discard plays on (rules R38)."""
        self.face_down = dials.last_face_down
        self.restricted = self.last_unplayable or self._goes_out
        """Whether cards may be kept from being discarded that are neither owed nor just taken."""
        self._suits = _by_suit()
        self._joker = (Discard(JOKER),)
        self.of: Callable[[CardSet], tuple[Discard, ...]] = self._of_any if table.pack > NATURALS else self._of_naturals
        """The discard of each face of a set of cards, in pack order."""

    def banned(self, hand: CardSet, taken: tuple[Card, ...]) -> CardSet:
        """The single card just taken from the pile, where it may not be discarded (rules A8, V4, B9, R17)."""
        if len(taken) != 1 or self._free or (self._free_last and hand.bit_count() == 1):
            return 0
        return BIT[taken[0]]

    def banned_as_last(self, state: State) -> CardSet:
        """The same for the last card of the hand, whenever that is."""
        return 0 if self._free_last else self.banned(state.hands[state.seat], state.taken)

    def allowed(self, state: State) -> CardSet:
        """The cards of the hand whose discard completes the turn as it stands."""
        whole = state.hands[state.seat]
        if state.rest.owed:
            return 0
        hand = whole & ~self.banned(whole, state.taken)
        if not self.restricted:
            return hand
        if not whole & (whole - 1):  # the discard that goes out (rules R39)
            if self.last_unplayable:
                hand &= ~self._lay.open_cards(state, state.seat)
        elif self._goes_out and state.tabled_now:
            return 0
        return hand

    def _of_naturals(self, cards: CardSet) -> tuple[Discard, ...]:
        a, b, c, d = self._suits
        low, high = cards & HALF, cards >> 26
        return a[low & SUIT] + b[low >> 13] + c[high & SUIT] + d[high >> 13]

    def _of_any(self, cards: CardSet) -> tuple[Discard, ...]:
        a, b, c, d = self._suits
        faces = (cards | cards >> PACK) & NATURALS
        low, high = faces & HALF, faces >> 26
        return a[low & SUIT] + b[low >> 13] + c[high & SUIT] + d[high >> 13] + (self._joker if cards & JOKERS else ())

    def refuse(self, state: State, action: Discard) -> Refusal | None:
        """Why this card may not be discarded."""
        card = action.card
        hand = state.hands[state.seat]
        copies = hand & COPY_BITS[card]
        details = {"card": str(card)}
        if not copies:
            return Refusal(Reason.CARD_NOT_HELD, f"{card} is not in the hand", details)
        if copies & self.allowed(state):
            return None
        if state.owed:
            return Refusal(Reason.MUST_USE_TAKEN, "the card owed must be tabled before anything is discarded", details)
        if not copies & ~self.banned(hand, state.taken):
            return Refusal(Reason.JUST_TAKEN, f"{card} was just taken from the pile", details)
        if self._goes_out and state.tabled_now:
            return Refusal(Reason.MUST_GO_OUT, "a turn that tables anything must empty the hand", details)
        text = f"{card} fits a meld on the table, so it may not be the discard that goes out"
        return Refusal(Reason.LAST_DISCARD_PLAYABLE, text, details)
