"""`[call]`: calling rummy on cards of the pile that could be tabled without a card of any hand (rules R20–R27)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rummy_engine.actions import Call as CallAction
from rummy_engine.cards import FACES, Card, card_set
from rummy_engine.errors import Reason, Refusal
from rummy_engine.melds.shapes import Meld
from rummy_engine.rules.obligation import Obligation
from rummy_engine.rules.table import Table
from rummy_engine.state import State

if TYPE_CHECKING:
    from rummy_engine.profiles.profile import Call as CallDials


class Call:
    """Who may call what after a turn, and the call itself."""

    def __init__(self, dials: CallDials, table: Table, obligation: Obligation) -> None:
        kind = dials.kind
        # With two players the only possible caller is next to draw anyway (rules R26).
        self.open = kind != "off" and table.players > 2
        self.digs = self.open and kind == "pile"
        """Whether a call may take more cards than one."""
        self._deepest = 1 if kind == "top" else len(table.deck)
        self._table = table
        self._obligation = obligation
        # Where the cards alone decide, every seat may call the same, and the answer of the last pile is kept: the seats
        # of a window are asked one after the other about one pile.
        self._alike = obligation.reach_decides
        self._last: tuple[tuple[Card, ...], tuple[Meld, ...], tuple[CallAction, ...]] = ((), (), ())
        self._actions = tuple(CallAction(n) for n in range(len(table.deck) + 1))

    def next_caller(self, state: State, after: int, by: int) -> int | None:
        """The first seat after `after`, and before `by`, that is asked (rules C12, R22)."""
        seat = (after + 1) % self._table.players
        while seat != by:
            if self.valid(state, seat):
                return seat
            if self._alike:
                return None
            seat = (seat + 1) % self._table.players
        return None

    def valid(self, state: State, seat: int) -> tuple[CallAction, ...]:
        """The calls that the pile and the table allow this seat, the shallowest first (rules R21).

        Who has one is asked. That says nothing about a hand: under a house rule where the hand must help to end the
        turn (a card kept to discard, tabling only to go out), who is asked may find that passing is all there is.
        """
        if not self._alike:
            most = min(self._deepest, len(state.pile))
            return tuple([self._actions[n] for n in range(1, most + 1) if self._tables_alone(state, seat, n)])
        pile, table, calls = self._last
        if pile is not state.pile or table is not state.table:
            depths = self._obligation.depths(state.pile[-self._deepest :], 0, state.table, state.fits)
            calls = tuple([self._actions[n] for n in depths])
            self._last = (state.pile, state.table, calls)
        return calls

    def options(self, state: State, seat: int) -> tuple[CallAction, ...]:
        """The calls this seat may make: the valid ones after which its turn can be completed, which its hand decides.

        Where cards within reach are all it takes, every turn can be.
        """
        calls = self.valid(state, seat)
        if self._alike:
            return calls
        return tuple([each for each in calls if self._completes(state, seat, each.count)])

    def _tables_alone(self, state: State, seat: int, count: int) -> bool:
        """Whether the deepest of so many cards of the pile can be tabled with the others alone."""
        called = self._called(state, seat, count)
        hands = list(called.hands)
        hands[seat] = card_set(called.taken)
        return self._obligation.can_table(called.changed(hands=tuple(hands)), called.taken[0])

    def _completes(self, state: State, seat: int, count: int) -> bool:
        return self._obligation.can_complete(self._called(state, seat, count))

    def refuse(self, state: State, action: CallAction) -> Refusal | None:
        """Why these cards may not be called."""
        count = action.count
        if not 1 <= count <= len(state.pile):
            return not_enough(state, count)
        if count > self._deepest:
            return Refusal(Reason.NOT_IN_THIS_VARIANT, "only the last discard may be called", {"count": count})
        face = FACES[state.pile[-count]]
        details = {"card": str(face), "count": count}
        if self._actions[count] not in self.valid(state, state.seat):
            text = f"{face} cannot be tabled with the cards above it and the melds on the table"
            return Refusal(Reason.NOT_CALLABLE, text, details)
        if not self._alike and not self._completes(state, state.seat, count):
            text = f"{face} would have to be tabled at once, and then the turn could not end"
            return Refusal(Reason.TURN_COULD_NOT_END, text, details)
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
        return state.changed(
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


