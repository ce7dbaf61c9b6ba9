"""The end of a turn: the discard, what follows it in the one order that rules C12 fixes, and whose turn is next."""

from __future__ import annotations

from rummy_engine.actions import PASS, Action, Discard, Reshuffle
from rummy_engine.cards import BIT
from rummy_engine.rules.call import Call
from rummy_engine.rules.discard import DiscardRules
from rummy_engine.rules.ending import Ending
from rummy_engine.rules.stock import Stock
from rummy_engine.rules.table import Table, pick
from rummy_engine.state import NOBODY, Rest, State

_new = tuple.__new__


class Turn:
    """Ends turns and opens the next one."""

    def __init__(self, table: Table, stock: Stock, call: Call, discards: DiscardRules, ending: Ending) -> None:
        self._left_of = tuple((seat + 1) % table.players for seat in range(table.players))
        self._stock = stock
        self._call = call
        self._discards = discards
        self._ending = ending
        self._twins = table.twins
        self._floor = stock.floor
        self._max_turns = ending.max_turns
        # While there is a stock, nothing but the next draw can follow a turn before this one.
        self._first_to_settle = 0 if call.open else ending.max_turns
        self._deadlock = ending.deadlock
        self._layoffs = ending.layoffs
        self._calls = call.open
        self._idle_limit = 2 * table.players
        self._plays_on = stock.plays_on

    def discard(self, state: State, action: Discard) -> State:
        """The card goes to the pile and the turn ends; the last card goes out (rules A10)."""
        seat, _, hands, stock, pile, known, taken, turns, _, rest = state
        card = action.card
        if self._twins and self._twins >> card & 1:
            card = pick(hands[seat] & ~self._discards.banned(hands[seat], taken), card, known[seat])
        bit = BIT[card]
        held = list(hands)
        held[seat] ^= bit
        if known[seat] & bit:
            known = (*known[:seat], known[seat] ^ bit, *known[seat + 1 :])
        if not held[seat]:
            after = state._replace(hands=tuple(held), pile=(*pile, card), known=known)
            return self._ending.went_out(after, seat, seat if self._discards.face_down else NOBODY)
        turns += 1
        idle = 0
        if rest.tabled_now or rest.by != NOBODY:
            rest = _entered(rest, seat)
        elif taken and self._plays_on and len(stock) <= self._floor and self._began_without_stock(state):
            idle = state.idle + 1
        after = _new(
            State, (self._left_of[seat], "draw", tuple(held), stock, pile + (card,), known, (), turns, idle, rest)
        )
        if turns >= self._first_to_settle or len(stock) <= self._floor:
            return self._settle(after, seat)
        if self._deadlock and not (rest.fits and self._layoffs) and self._ending.is_deadlock(after):
            return self._ending.finish(after, "deadlock")
        return after

    def end(self, state: State) -> State:
        """A turn without a discard: its table actions have emptied the hand, and the seat plays on (rules R38)."""
        rest, turns = _entered(state.rest, state.seat), state.turns + 1
        after = state._replace(seat=self._left_of[state.seat], phase="draw", taken=(), turns=turns, idle=0, rest=rest)
        return self._settle(after, state.seat)

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
