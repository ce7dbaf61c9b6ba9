"""`[deal]`: the deal and the up-card offer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from rummy_engine.actions import Deal, Pass
from rummy_engine.cards import COPIES, Card, card_set
from rummy_engine.errors import Reason, Refusal
from rummy_engine.rules.match import MatchRules
from rummy_engine.rules.scoring import Score
from rummy_engine.rules.stock import Stock
from rummy_engine.rules.table import Table
from rummy_engine.state import State, fresh

if TYPE_CHECKING:
    from rummy_engine.profiles.profile import Deal as DealDials


LimitFor: TypeAlias = Callable[[Card | None], int | None]


class DealRules:
    """Phases "deal" and "offer"."""

    def __init__(
        self, dials: DealDials, table: Table, match: MatchRules, stock: Stock, limit_for: LimitFor
    ) -> None:
        """`limit_for`: the knock limit that goes with an up-card."""
        self._table = table
        faces = set(table.faces)
        copies = {face: tuple(each for each in COPIES[face] if table.pack >> each & 1) for face in faces}
        self._copies = {face: cards for face, cards in copies.items() if len(cards) > 1}
        """The copies of each face that occurs more than once, in pack order."""
        self._match = match
        self._stock = stock
        self._limit_for = limit_for
        self._number = dials.hand_size
        self.offers_up_card = dials.up_card_offer == "round"
        self._stock_only = dials.all_pass == "stock_only"
        self._next_dealer = dials.next_dealer
        self._same_after_exhausted = dials.after_exhausted == "same"

    def hand_size(self, round: int) -> int:
        """Cards dealt to each seat in this round (from 1)."""
        return self._number.at(self._table.players, round)

    def dealer_after(self, dealer: int, score: Score) -> int:
        """Who deals the next round (rules C9): the dealer's left, the winner or the loser of the round.

        A round that nobody won is followed by the dealer's left; so is one that nobody lost. Of several equal losers
        the first to the dealer's left deals.
        """
        players = self._table.players
        left = (dealer + 1) % players
        if score.kind == "exhausted" and self._same_after_exhausted:
            return dealer
        if self._next_dealer == "winner" and score.winner is not None:
            return score.winner
        if self._next_dealer == "loser" and len(set(score.points)) > 1:
            worst = self._match.worst(score.points)
            return min((i for i in range(players) if score.points[i] == worst), key=lambda i: (i - left) % players)
        return left

    # ---------------------------------------------------------------------------------------------------- deal

    def refuse_deal(self, state: State, action: Deal) -> Refusal | None:
        """Why this is not a deal of the pack."""
        if tuple(sorted(action.cards)) != self._table.faces:
            text = f"a deal names every card of the pack once: {len(self._table.deck)} cards"
            return Refusal(Reason.WRONG_CARDS, text, {"cards": len(action.cards)})
        return None

    def deal(self, state: State, action: Deal) -> State:
        """A new round: one card at a time from the dealer's left, then the up-card, then the stock (rules C8, C10)."""
        players = self._table.players
        cards = self._physical(action.cards)
        dealt = players * self.hand_size(state.round)
        first = (state.dealer + 1) % players
        hands = [0] * players
        for i in range(players):
            hands[(first + i) % players] = card_set(cards[i:dealt:players])
        zeros = (0,) * players
        return State(
            seat=first,
            phase="offer" if self.offers_up_card else "draw",
            hands=tuple(hands),
            stock=cards[dealt + 1 :],
            pile=cards[dealt : dealt + 1],
            known=zeros,
            taken=(),
            turns=0,
            idle=0,
            rest=fresh(state.dealer, state.scores, state.round, state.result, self._limit_for(cards[dealt])),
        )

    def _physical(self, faces: tuple[Card, ...]) -> tuple[Card, ...]:
        """The k-th mention of a face is its k-th copy."""
        if not self._table.twins:
            return faces
        copies = {face: iter(cards) for face, cards in self._copies.items()}
        return tuple([next(copies[face]) if face in copies else face for face in faces])

    # --------------------------------------------------------------------------------------------------- offer

    def pass_offer(self, state: State, action: Pass) -> State:
        """The next seat is asked; when all have passed, the first one opens, from the stock if the profile says so.

        In a written position the stock may be exhausted: then only the pile is left to it (rules C13).
        """
        if state.seat != state.dealer:
            return state.changed(seat=(state.seat + 1) % self._table.players)
        first = (state.dealer + 1) % self._table.players
        return state.changed(seat=first, phase="draw", stock_only=self._stock_only and not self._stock.exhausted(state))
