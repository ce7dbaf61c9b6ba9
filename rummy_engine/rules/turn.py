"""The end of a turn, in the one order that rules C12 fixes, and whose turn is next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rummy_engine.actions import PASS, Action, Reshuffle
from rummy_engine.cards import Card, CardSet
from rummy_engine.rules.call import Call
from rummy_engine.rules.ending import Ending
from rummy_engine.rules.stock import Stock
from rummy_engine.state import NOBODY, Rest, State

if TYPE_CHECKING:
    from rummy_engine.rules.table import Table

_new = tuple.__new__


class Turn:
    """Ends turns and opens the next one."""

    def __init__(self, table: Table, stock: Stock, call: Call, ending: Ending) -> None:
        self._left_of = tuple((seat + 1) % table.players for seat in range(table.players))
        self._stock = stock
        self._call = call
        self._ending = ending
        self._floor = stock.floor
        self._max_turns = ending.max_turns
        self._deadlock = ending.deadlock
        self._layoffs = ending.layoffs
        self._calls = call.open
        self._idle_limit = 2 * table.players
        self._plays_on = stock.plays_on

    def end(
        self, state: State, hands: tuple[CardSet, ...], pile: tuple[Card, ...], known: tuple[CardSet, ...]
    ) -> State:
        """The seat to act has completed its turn, leaving these zones; the round is not over by an empty hand."""
        seat, _, _, stock, _, _, taken, turns, _, rest = state
        turns += 1
        idle = 0
        if rest.tabled_now or rest.by != NOBODY:
            rest = _entered(rest, seat)
        elif self._plays_on and taken and len(stock) <= self._floor and self._began_without_stock(state):
            idle = state.idle + 1
        after: State = _new(State, (self._left_of[seat], "draw", hands, stock, pile, known, (), turns, idle, rest))
        if self._calls or len(stock) <= self._floor or turns >= self._max_turns:
            return self._settle(after, seat)
        if self._deadlock and not (rest.fits and self._layoffs) and self._ending.is_deadlock(after):
            return self._ending.finish(after, "deadlock")
        return after

    def _began_without_stock(self, state: State) -> bool:
        """Whether the stock was gone for good when this turn took from the pile (rules R29)."""
        return not self._stock.can_renew(state.changed(pile=state.pile + state.taken))

    def _settle(self, state: State, by: int) -> State:
        """What may follow a turn of `by` other than the next draw, in the order of rules C12."""
        ending, stock = self._ending, self._stock
        if self._deadlock and ending.is_deadlock(state):
            return ending.finish(state, "deadlock")
        if stock.exhausted(state):
            renewable = not stock.on_draw and stock.can_renew(state)
            if not renewable and self._stock_ends(state):
                return ending.finish(state, "exhausted" if stock.then == "exhausted" else "stock_out")
            if state.turns < self._max_turns and renewable:
                state = stock.renew(state, by)
                if state.phase == "reshuffle":
                    return state
        if state.turns >= self._max_turns:
            return ending.finish(state, "void")
        return self._next(state, by, after=by)

    def _stock_ends(self, state: State) -> bool:
        """Whether the exhausted stock ends the round with this turn (rules A13, V6, R29)."""
        stock = self._stock
        if stock.plays_on:
            return state.idle >= self._idle_limit or stock.nothing_left(state)
        return not stock.on_draw

    def _next(self, state: State, by: int, after: int) -> State:
        """The call window for the seats after `after`, else the draw of the seat on the left of `by`."""
        if self._calls:
            caller = self._call.next_caller(state, after, by)
            if caller is not None:
                return state._replace(seat=caller, phase="call", rest=state.rest._replace(by=by))
        seat = self._left_of[by]
        if state.seat == seat and state.phase == "draw":
            return state
        rest = state.rest if state.by == NOBODY else state.rest._replace(by=NOBODY)
        return state._replace(seat=seat, phase="draw", rest=rest)

    # ------------------------------------------------------------------------------------------------ the phases

    def call_moves(self, state: State) -> tuple[Action, ...]:
        """Phase "call": the calls that the seat may make, or pass."""
        return (*self._call.options(state, state.seat), PASS)

    def pass_call(self, state: State, action: Action) -> State:
        """The seat declines; the next one that could call is asked."""
        return self._next(state, state.by, after=state.seat)

    def reshuffle(self, state: State, action: Reshuffle) -> State:
        """The dealer has shuffled; play goes on where it stopped: after a turn, or with the draw that asked for it."""
        by = state.by
        state = self._stock.reshuffle(state, action)
        if state.stock_only:
            return state.changed(seat=by, phase="draw", by=NOBODY)
        return self._next(state, by, after=by)


def _entered(rest: Rest, seat: int) -> Rest:
    """The turn's table actions become earlier ones; what a call was about is forgotten."""
    tabled = rest.tabled
    if rest.tabled_now and seat not in tabled:
        tabled = tuple(sorted((*tabled, seat)))
    return rest._replace(owed=0, melds_now=0, tabled_now=False, tabled=tabled, by=NOBODY)
