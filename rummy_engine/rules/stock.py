"""`[stock]`: when the stock counts as exhausted, how the pile becomes a new one, and what happens when it cannot."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING

from rummy_engine.actions import Reshuffle
from rummy_engine.cards import FACES, Card, assign_copies, card_set
from rummy_engine.errors import Reason, Refusal
from rummy_engine.rules.table import Table
from rummy_engine.state import DEALER, State

if TYPE_CHECKING:
    from rummy_engine.profiles.profile import Stock as StockDials


class Stock:
    """The stock and its renewal."""

    def __init__(self, dials: StockDials, table: Table) -> None:
        self.floor = dials.floor
        self.on_draw = dials.check == "on_draw"
        self.then = dials.then
        self.plays_on = dials.then == "play_on"
        self.scores_at_the_end = dials.then != "exhausted"
        self.shuffles = dials.when_empty == "shuffle"
        self._twins = table.twins
        self._keep = 1 if dials.keep_top else 0
        self._renew = RENEWALS[dials.when_empty]
        renewals = inf if dials.renewals == "unlimited" else dials.renewals
        self.most_renewals = 0 if dials.when_empty == "none" else renewals
        """How often the stock may be renewed in a round."""

    def exhausted(self, state: State) -> bool:
        """Whether nothing more may be drawn (rules B10, C13)."""
        return len(state.stock) <= self.floor

    def can_renew(self, state: State) -> bool:
        """Whether the pile can become a stock from which somebody can draw: else the last renewal is behind us."""
        return state.renewals < self.most_renewals and self.would_do(state)

    def would_do(self, state: State) -> bool:
        """Whether the pile with the rest of the stock makes a stock from which somebody can draw."""
        size = len(state.stock) + len(state.pile) - self._keep
        return len(state.pile) > self._keep and size > self.floor

    def nothing_left(self, state: State) -> bool:
        """Whether there is neither a stock nor a pile to make one of (rules C13, R29)."""
        return self.exhausted(state) and not state.pile

    def renew(self, state: State, by: int) -> State:
        """The pile becomes the stock: at once if it is turned over, else the dealer owes a reshuffle after `by`."""
        return self._renew(state, by, self._keep)

    # ---------------------------------------------------------------------------------------- the reshuffle phase

    def to_shuffle(self, state: State) -> tuple[Card, ...]:
        """The cards that go into the new stock, in no order that means anything: the pile and what is left."""
        return (*state.pile[: len(state.pile) - self._keep], *state.stock)

    def refuse_reshuffle(self, state: State, action: Reshuffle) -> Refusal | None:
        """Why this is not a reshuffle of the cards that are due."""
        if sorted(action.cards) != sorted(FACES[each] for each in self.to_shuffle(state)):
            text = "the new stock must be the pile and the rest of the stock, each card once"
            return Refusal(Reason.WRONG_CARDS, text)
        return None

    def reshuffle(self, state: State, action: Reshuffle) -> State:
        """The new stock lies there, unknown to all."""
        cards = action.cards
        if self._twins:
            cards = assign_copies(cards, used=~card_set(self.to_shuffle(state)))
        return _renewed(state, cards, self._keep, known=0)


def _shuffle(state: State, by: int, keep: int) -> State:
    return state.changed(seat=DEALER, phase="reshuffle", by=by)


def _turn_over(state: State, by: int, keep: int) -> State:
    """The oldest discard is drawn first; cards that the floor kept from being drawn stay at the bottom (V6)."""
    turned = state.pile[: len(state.pile) - keep]
    return _renewed(state, (*turned, *state.stock), keep, known=len(turned))


def _renewed(state: State, stock: tuple[Card, ...], keep: int, known: int) -> State:
    pile = state.pile[len(state.pile) - keep :]
    return state.changed(stock=stock, pile=pile, renewals=state.renewals + 1, stock_known=known)


def _leave(state: State, by: int, keep: int) -> State:
    return state


RENEWALS: dict[str, Callable[[State, int, int], State]] = {
    "shuffle": _shuffle,
    "turn_over": _turn_over,
    "none": _leave,
}
"""The dial `stock.when_empty`."""
