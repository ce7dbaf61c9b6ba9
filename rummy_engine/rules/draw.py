"""`[draw]`: how a turn begins: the stock, the pile, or `stop` when only the pile is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rummy_engine.actions import DRAW, PASS, STOP, TAKE, Action, Draw, Stop, Take
from rummy_engine.cards import BIT, FACES, card_set
from rummy_engine.errors import Reason, Refusal
from rummy_engine.rules.call import not_enough
from rummy_engine.rules.ending import Ending
from rummy_engine.rules.obligation import Obligation
from rummy_engine.rules.stock import Stock
from rummy_engine.rules.table import Table
from rummy_engine.state import State

if TYPE_CHECKING:
    from rummy_engine.profiles.profile import Draw as DrawDials

_new = tuple.__new__
_DRAW_OR_TAKE: tuple[Action, ...] = (DRAW, TAKE)
_DRAW_ONLY: tuple[Action, ...] = (DRAW,)


class DrawRules:
    """Phase "draw"."""

    def __init__(self, dials: DrawDials, table: Table, stock: Stock, obligation: Obligation, ending: Ending) -> None:
        pile = dials.pile
        self._closed = pile == "closed"
        self._deepest = {"closed": 0, "top": 1, "deep": len(table.deck)}[pile]
        self._deep = pile == "deep"
        self._top_obliges = dials.top_obliges
        self._stock = stock
        self._floor = stock.floor
        self._obligation = obligation
        self._ending = ending
        self._takes = tuple(Take(n) if n != 1 else TAKE for n in range(len(table.deck) + 1))
        # A hand that keeps a card to discard can always take the single top card.
        self._free_top = not self._top_obliges
        self._top_is_free = self._free_top and pile == "top"

    # --------------------------------------------------------------------------------------------------- legal

    def legal(self, state: State) -> tuple[Action, ...]:
        """Everything the seat may begin its turn with."""
        seat, _, hands, stock, pile, _, _, _, _, rest = state
        drawable = len(stock) > self._floor
        if drawable and self._top_is_free and pile and not rest.stock_only and hands[seat]:
            return _DRAW_OR_TAKE
        if self._closed or rest.stock_only:
            return _DRAW_ONLY if self._may_draw(state) else self._stop(state)
        moves: list[Action] = [DRAW] if drawable or self._may_draw(state) else []
        if pile and self._may_take(state, 1):
            moves.append(TAKE)
        if self._deep and len(pile) > 1:
            moves += self._deep_takes(state)
        if not drawable:
            moves += self._stop(state)
        return tuple(moves)

    def offer_moves(self, state: State) -> tuple[Action, ...]:
        """Phase "offer": the up-card, or pass (rules B5). A card that must be tabled is taken only if it can be."""
        return (PASS,) if self.refuse_take(state, TAKE) else (TAKE, PASS)

    def _may_draw(self, state: State) -> bool:
        if not self._stock.exhausted(state):
            return True
        return self._stock.on_draw and (not self._stock.plays_on or self._stock.can_renew(state))

    def _stop(self, state: State) -> tuple[Action, ...]:
        if self._stock.plays_on and self._stock.exhausted(state) and not self._may_draw(state):
            return (STOP,)
        return ()

    def _deep_takes(self, state: State) -> list[Take]:
        """The deep draws whose deepest card can be tabled (rules R11–R13)."""
        obligation, seat = self._obligation, state.seat
        melds, fits = ((), 0) if obligation.meld_only else (state.table, obligation.takes(state))
        hand = state.hands[seat] | obligation.jokers_to_swap(state)
        depths = obligation.depths(state.pile, hand, melds, fits)
        return [
            self._takes[n]
            for n in depths
            if n > 1 and (obligation.reach_decides or obligation.can_complete(self.take(state, self._takes[n])))
        ]

    def _may_take(self, state: State, count: int) -> bool:
        if count == 1 and self._free_top and state.hands[state.seat]:
            return True
        return self._obligation.can_complete(self.take(state, self._takes[count]))

    # -------------------------------------------------------------------------------------------------- refuse

    def refuse_draw(self, state: State, action: Draw) -> Refusal | None:
        """Why nothing may be drawn from the stock."""
        if self._may_draw(state):
            return None
        return Refusal(Reason.STOCK_EMPTY, "the stock is exhausted", {"stock": len(state.stock)})

    def refuse_take(self, state: State, action: Take) -> Refusal | None:
        """Why these cards of the pile may not be taken."""
        count = action.count
        if self._closed:
            return Refusal(Reason.NOT_IN_THIS_VARIANT, "the pile may not be taken in this variant")
        if state.stock_only:
            return Refusal(Reason.STOCK_ONLY, "this draw must come from the stock")
        if count > 1 and not self._deep:
            return Refusal(Reason.NOT_IN_THIS_VARIANT, "only the top card of the pile may be taken", {"count": count})
        if not 1 <= count <= len(state.pile):
            return not_enough(state, count)
        if self._may_take(state, count):
            return None
        face = FACES[state.pile[-count]]
        details = {"card": str(face), "count": count}
        if count > 1 or self._top_obliges:
            return Refusal(Reason.MUST_USE_TAKEN, f"{face} must be tabled at once, and it cannot be", details)
        text = f"{face} could be neither tabled nor discarded, so the turn could not end"
        return Refusal(Reason.TURN_COULD_NOT_END, text, details)

    def refuse_stop(self, state: State, action: Stop) -> Refusal | None:
        """Why the round may not be stopped."""
        if not self._stock.exhausted(state) or self._may_draw(state):
            text = "the round can be stopped only when nothing can be drawn from the stock"
            return Refusal(Reason.STOCK_NOT_EMPTY, text, {"stock": len(state.stock)})
        return None

    # ----------------------------------------------------------------------------------------------------- do

    def draw(self, state: State, action: Draw) -> State:
        """The top of the stock goes to the hand; an exhausted one is renewed first, or ends the round (rules 2.A-2)."""
        seat, _, hands, stock, pile, known, _, turns, idle, rest = state
        if len(stock) <= self._floor:
            return self._draw_exhausted(state)
        held = list(hands)
        bit = BIT[stock[0]]
        held[seat] |= bit
        if rest.stock_known:
            known = (*known[:seat], known[seat] | bit, *known[seat + 1 :])
            rest = rest._replace(stock_known=rest.stock_known - 1, stock_only=False)
        elif rest.stock_only:
            rest = rest._replace(stock_only=False)
        after: State = _new(State, (seat, "play", tuple(held), stock[1:], pile, known, (), turns, idle, rest))
        return after

    def _draw_exhausted(self, state: State) -> State:
        stock = self._stock
        if stock.can_renew(state):
            return stock.renew(state.changed(stock_only=True), state.seat)
        return self._ending.finish(state, "exhausted" if stock.then == "exhausted" else "stock_out")

    def owes(self, count: int) -> bool:
        """Whether the deepest of this many cards taken from the pile must be tabled (rules R11, R14)."""
        return count > 1 or self._top_obliges

    def take(self, state: State, action: Take) -> State:
        """The top cards of the pile go to the hand, for all to see."""
        seat, _, hands, stock, pile, known, _, turns, idle, rest = state
        count = action.count
        cards = pile[-count:]
        deepest = taken = BIT[cards[0]]
        if count > 1 or self._top_obliges:
            rest = rest._replace(owed=deepest)
            taken = card_set(cards)
        held, seen = list(hands), list(known)
        held[seat] |= taken
        seen[seat] |= taken
        after: State = _new(
            State, (seat, "play", tuple(held), stock, pile[:-count], tuple(seen), cards, turns, idle, rest)
        )
        return after

    def stop(self, state: State, action: Stop) -> State:
        """The seat declines the pile, and the round ends as it stands (rules R28)."""
        return self._ending.finish(state, "stock_out")


