"""`[deal]`: the deal and the up-card offer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rummy_engine.actions import Deal, Pass
from rummy_engine.cards import COPIES, FACES, Card, card_set
from rummy_engine.errors import Reason, Refusal
from rummy_engine.rules.table import Table
from rummy_engine.state import NOBODY, State

if TYPE_CHECKING:
    from rummy_engine.profile import Profile


class DealRules:
    """Phases "deal" and "offer"."""

    def __init__(self, profile: Profile, table: Table) -> None:
        self._table = table
        self._number = profile.deal.hand_size
        self._offer = profile.deal.up_card_offer == "round"
        self._stock_only = profile.deal.all_pass == "stock_only"
        knock = profile.knock
        self._limit = knock.limit if knock else "none"
        self._ace_is_gin = knock is not None and knock.ace_limit == "gin_only"

    def hand_size(self, round: int) -> int:
        """Cards dealt to each seat in this round (from 1)."""
        return self._number.at(self._table.players, round)

    def limit_for(self, up_card: Card | None) -> int | None:
        """The knock limit in force with this up-card, in points; None: no limit (rules §3.1, knock limit)."""
        if self._limit == "none":
            return None
        if isinstance(self._limit, int):
            return self._limit
        if up_card is None or (FACES[up_card] % 13 == 0 and not up_card.is_joker and self._ace_is_gin):
            return 0
        return self._table.worth.in_hand[FACES[up_card]]

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
            phase="offer" if self._offer else "draw",
            hands=tuple(hands),
            stock=cards[dealt + 1 :],
            pile=cards[dealt : dealt + 1],
            known=zeros,
            taken=(),
            turns=0,
            idle=0,
            table=(),
            fits=0,
            owed=0,
            melds_now=0,
            tabled_now=False,
            tabled=(),
            stock_only=False,
            stock_known=0,
            renewals=0,
            by=NOBODY,
            declared="",
            knock_limit=self.limit_for(cards[dealt]),
            face_down=NOBODY,
            dealer=state.dealer,
            scores=state.scores,
            round=state.round,
            result=state.result,
        )

    def _physical(self, faces: tuple[Card, ...]) -> tuple[Card, ...]:
        """The k-th mention of a face is its k-th copy (design §3)."""
        if not self._table.twins:
            return faces
        seen: dict[Card, int] = {}
        cards = []
        for face in faces:
            copies = [each for each in COPIES[face] if self._table.pack >> each & 1]
            k = seen.get(face, 0)
            seen[face] = k + 1
            cards.append(copies[k])
        return tuple(cards)

    # --------------------------------------------------------------------------------------------------- offer

    def pass_offer(self, state: State, action: Pass) -> State:
        """The next seat is asked; when all have passed, the first one opens, from the stock if the profile says so."""
        if state.seat != state.dealer:
            return state._replace(seat=(state.seat + 1) % self._table.players)
        first = (state.dealer + 1) % self._table.players
        return state._replace(seat=first, phase="draw", stock_only=self._stock_only)
