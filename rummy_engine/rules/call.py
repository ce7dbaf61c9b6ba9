"""`[call]`: calling rummy on cards of the pile that could be tabled without a card of any hand (rules R20–R27)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rummy_engine.actions import Call as CallAction
from rummy_engine.cards import FACES, Card, card_set
from rummy_engine.errors import Reason, Refusal
from rummy_engine.melds import Meld
from rummy_engine.rules.lay import Lay
from rummy_engine.rules.obligation import Obligation
from rummy_engine.rules.table import Table
from rummy_engine.state import State

if TYPE_CHECKING:
    from rummy_engine.profile import Call as CallDials


class Call:
    """Who may call what after a turn, and the call itself."""

    def __init__(self, dials: CallDials, table: Table, lay: Lay, obligation: Obligation) -> None:
        kind = dials.kind
        # With two players the only possible caller is next to draw anyway (rules R26).
        self.open = kind != "off" and table.players > 2
        self.digs = self.open and kind == "pile"
        """Whether a call may take more cards than one."""
        self._deepest = 1 if kind == "top" else len(table.deck)
        self._table = table
        self._lay = lay
        self._obligation = obligation
        # Where the cards alone decide, every seat may call the same, and the answer of the last pile is kept: the seats
        # of a window are asked one after the other about one pile.
        self._alike = obligation.reach_decides
        self._last: tuple[tuple[Card, ...], tuple[Meld, ...], tuple[CallAction, ...]] = ((), (), ())
        self._actions = tuple(CallAction(n) for n in range(len(table.deck) + 1))

    def next_caller(self, state: State, after: int, by: int) -> int | None:
        """The first seat after `after`, and before `by`, that has a legal call (rules C12, R22)."""
        if not self._alike:
            state = state._replace(by=by)  # a call is judged as one, not as a deep draw
        seat = (after + 1) % self._table.players
        while seat != by:
            if self.options(state, seat):
                return seat
            if self._alike:
                return None
            seat = (seat + 1) % self._table.players
        return None

    def options(self, state: State, seat: int) -> tuple[CallAction, ...]:
        """The calls this seat may make, the shallowest first (rules R21)."""
        if not self._alike:
            return self._options(state, seat)
        pile, table, options = self._last
        if pile is not state.pile or table is not state.table:
            options = self._options(state, seat)
            self._last = (state.pile, state.table, options)
        return options

    def _options(self, state: State, seat: int) -> tuple[CallAction, ...]:
        melds, fits = state.table, state.fits
        if not self._alike:
            melds = tuple([state.table[i] for i in self._lay.open_melds(state, seat)])
            fits = self._lay.open_cards(state, seat)
        depths = self._obligation.depths(state.pile[-self._deepest :], 0, melds, fits)
        return tuple([self._actions[n] for n in depths if self._completes(state, seat, n)])

    def _completes(self, state: State, seat: int, count: int) -> bool:
        """Whether the caller's turn can be completed: it can where cards within reach are all it takes."""
        obligation = self._obligation
        return obligation.reach_decides or obligation.can_complete(self._called(state, seat, count))

    def refuse(self, state: State, action: CallAction) -> Refusal | None:
        """Why these cards may not be called."""
        count = action.count
        if not 1 <= count <= len(state.pile):
            return not_enough(state, count)
        if count > self._deepest:
            return Refusal(Reason.NOT_IN_THIS_VARIANT, "only the last discard may be called", {"count": count})
        if self._actions[count] not in self.options(state, state.seat):
            face = FACES[state.pile[-count]]
            text = f"{face} cannot be tabled with the cards above it and the melds on the table"
            return Refusal(Reason.NOT_CALLABLE, text, {"card": str(face), "count": count})
        return None

    def call(self, state: State, action: CallAction) -> State:
        """The seat takes the cards and owes the deepest (rules R23); `by` still says whose discard was called."""
        return self._called(state, state.seat, action.count)

    def _called(self, state: State, seat: int, count: int) -> State:
        cards = state.pile[-count:]
        taken = card_set(cards)
        hands, known = list(state.hands), list(state.known)
        hands[seat] |= taken
        known[seat] |= taken
        return state._replace(
            seat=seat,
            phase="play",
            hands=tuple(hands),
            known=tuple(known),
            pile=state.pile[:-count],
            taken=cards,
            owed=1 << cards[0],
        )


def not_enough(state: State, count: int) -> Refusal:
    """The refusal for more cards than the pile holds."""
    if not state.pile:
        return Refusal(Reason.PILE_EMPTY, "the pile is empty", {"pile": 0})
    text = f"{count} cards were asked for, the pile holds {len(state.pile)}"
    return Refusal(Reason.NOT_ENOUGH_CARDS, text, {"count": count, "pile": len(state.pile)})


