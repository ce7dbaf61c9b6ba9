"""The end of a turn, in the one order that rules C12 fixes, and whose turn is next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rummy_engine.actions import PASS, Action, Reshuffle
from rummy_engine.cards import CardSet
from rummy_engine.rules.call import Call
from rummy_engine.rules.ending import Ending
from rummy_engine.rules.stock import Stock
from rummy_engine.state import HOT, NOBODY, State

if TYPE_CHECKING:
    from rummy_engine.rules.table import Table

_new = tuple.__new__
_AFTER_TABLED = State._fields.index("stock_only")


class Turn:
    """Ends turns and opens the next one."""

    def __init__(self, table: Table, stock: Stock, call: Call, ending: Ending) -> None:
        self._players = table.players
        self._stock = stock
        self._call = call
        self._ending = ending
        self._floor = stock.floor
        self._max_turns = ending.max_turns
        self._deadlock = ending.deadlock
        self._calls = call.open
        self._idle_limit = 2 * table.players
        self._plays_on = stock.plays_on

    def end(self, state: State, hands: tuple[CardSet, ...], pile: tuple[int, ...], known: tuple[CardSet, ...]) -> State:
        """The seat to act has completed its turn, leaving these zones; the round is not over by an empty hand."""
        seat = state.seat
        turns = state.turns + 1
        stock = state.stock
        idle = 0
        tail = state[HOT:]
        if state.tabled_now:
            tabled = state.tabled if seat in state.tabled else tuple(sorted((*state.tabled, seat)))
            tail = (state.table, state.fits, 0, 0, False, tabled, *state[_AFTER_TABLED:])
        elif self._plays_on and len(stock) <= self._floor and state.taken:
            idle = state.idle + 1  # it began with an exhausted stock: it has taken from the pile (rules R29)
        after: State = _new(
            State,
            (seat + 1 if seat + 1 < self._players else 0, "draw", hands, stock, pile, known, (), turns, idle) + tail,
        )
        if (
            len(stock) <= self._floor
            or (self._deadlock and not after.fits)
            or turns >= self._max_turns
            or self._calls
            or state.by != NOBODY
        ):
            return self._settle(after._replace(by=NOBODY), seat)
        return after

    def _settle(self, state: State, by: int) -> State:
        """What may follow a turn of `by` other than the next draw, in the order of rules C12."""
        ending, stock = self._ending, self._stock
        if self._deadlock and ending.is_deadlock(state):
            return ending.finish(state, "deadlock")
        exhausted = stock.exhausted(state)
        renewable = exhausted and not stock.on_draw and stock.can_renew(state)
        if exhausted and not renewable and self._stock_ends(state):
            return ending.finish(state, "exhausted" if stock.then == "exhausted" else "stock_out")
        if state.turns >= self._max_turns:
            return ending.finish(state, "void")
        if renewable:
            state = stock.renew(state, by)
            if state.phase == "reshuffle":
                return state
        return self._next(state, by, after=by)

    def _stock_ends(self, state: State) -> bool:
        """Whether the exhausted stock ends the round with this turn (rules A13, V6, R29)."""
        stock = self._stock
        if stock.plays_on:
            return state.idle >= self._idle_limit or not (state.pile or (stock.on_draw and stock.can_renew(state)))
        return not stock.on_draw

    def _next(self, state: State, by: int, after: int) -> State:
        """The call window for the seats after `after`, else the draw of the seat on the left of `by`."""
        if self._calls:
            caller = self._call.next_caller(state, after, by)
            if caller is not None:
                return state._replace(seat=caller, phase="call", by=by)
        return state._replace(seat=(by + 1) % self._players, phase="draw", by=NOBODY)

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
            return state._replace(seat=by, phase="draw", by=NOBODY)
        return self._next(state, by, after=by)
