"""`[ending]`: how a round ends and what follows: the result, the totals, the next dealer; deadlock and the turn cap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rummy_engine.cards import COPY_BITS, JOKERS, CardSet
from rummy_engine.melds.shapes import Meld
from rummy_engine.rules.deal import DealRules
from rummy_engine.rules.discard import DiscardRules
from rummy_engine.rules.lay import Lay
from rummy_engine.rules.match import MatchRules
from rummy_engine.rules.scoring import RoundScore
from rummy_engine.rules.table import Laid, Table
from rummy_engine.state import DEALER, NOBODY, RoundResult, State

if TYPE_CHECKING:
    from rummy_engine.profiles.profile import Ending as EndingDials

_NO_MELD = 1000
_REMEMBERED = 4096


class Ending:
    """The end of a round."""

    def __init__(
        self,
        dials: EndingDials,
        table: Table,
        scoring: RoundScore,
        match: MatchRules,
        deal: DealRules,
        lay: Lay,
        discards: DiscardRules,
        digs: bool,
    ) -> None:
        """`digs`: the pile may be taken by the handful, in a deep draw or a call."""
        self._table = table
        self._scoring = scoring
        self._match = match
        self._deal = deal
        self.max_turns = dials.max_turns
        # Before a knock nothing is tabled anyway, which is no deadlock.
        self.deadlock = dials.deadlock and lay.in_turn
        self._digs = digs
        self.layoffs = lay.has_layoffs
        self._swaps = lay.swaps and lay.has_layoffs
        self._kept = discards.keeps_a_card
        self._smallest: dict[CardSet, int] = {}
        self._last: tuple[tuple[Meld, ...], int] = ((), self._hand_for_a_meld(()))
        """The last table asked about, and the answer: turn after turn asks about one and the same."""

    def finish(
        self, state: State, kind: str, seat: int | None = None, rummy: bool = False, face_down: int = NOBODY
    ) -> State:
        """The round ends in `state`: result and totals are entered, and the deal moves on unless the match is over."""
        facts = self._scoring.facts(state, kind, seat, rummy)
        score = self._scoring.score(facts)
        scores = tuple(a + b for a, b in zip(state.scores, score.points, strict=True))
        result = RoundResult(
            kind=score.kind,
            winner=score.winner,
            points=score.points,
            left=facts.left,
            tabled=facts.tabled,
            bonus=score.bonus,
            doubled=score.doubled,
            standing=self._scoring.standing(score),
            turns=state.turns,
            renewals=state.renewals,
            dealer=state.dealer,
            round=state.round,
        )
        over = self._match.is_over(scores, state.round)
        return state.changed(
            seat=DEALER,
            phase="over" if over else "deal",
            taken=(),
            idle=0,
            owed=0,
            melds_now=0,
            tabled_now=False,
            stock_only=False,
            by=NOBODY,
            declared="",
            face_down=face_down,
            dealer=state.dealer if over else self._deal.dealer_after(state.dealer, score),
            scores=scores,
            round=state.round if over else state.round + 1,
            result=result,
        )

    def went_out(self, state: State, seat: int, face_down: int = NOBODY) -> State:
        """The seat has emptied its hand: it is rummy if nothing was tabled in an earlier turn (rules A17)."""
        rummy = seat not in state.tabled
        return self.finish(state.changed(turns=state.turns + 1), "out", seat, rummy, face_down)

    def is_deadlock(self, state: State) -> bool:
        """Whether nobody can ever table another card (rules 2.A-12), tested between turns.

        Not while a card off the table fits a meld there; then only if no hand can ever hold a meld: a draw makes it one
        card larger, of which one is kept where a final discard is needed; a deep draw, or a call into the pile, may
        make it as large as it takes. Hand sizes and the cards off the table are public, so the verdict leaks nothing.
        """
        rest = state.rest
        if rest.fits and self.layoffs:
            return False
        table, enough = self._last
        if table is not rest.table:
            enough = self._hand_for_a_meld(rest.table)
            self._last = (rest.table, enough)
        for hand in state.hands:
            if hand.bit_count() >= enough:
                return False
        if not self._swaps:
            return True
        laid = self._table.laid(rest.table)
        room = len(self._table.deck) if self._digs else max(map(int.bit_count, state.hands)) + 1 - self._kept
        return not self._swap_helps(laid, self._table.pack & ~laid.cards, room)

    def _hand_for_a_meld(self, table: tuple[Meld, ...]) -> int:
        """How many cards a hand must have to come to hold a meld of the cards off this table."""
        smallest = self._smallest_meld(self._table.pack & ~self._table.laid(table).cards)
        if self._digs and smallest <= len(self._table.deck):
            return 0
        return smallest - 1 + self._kept

    def _smallest_meld(self, cards: CardSet) -> int:
        """The size of the smallest meld among these cards; more than any hand if there is none."""
        found = self._smallest.get(cards)
        if found is None:
            sizes = [len(meld.cards) for meld in self._table.finder.melds(cards)]
            if len(self._smallest) >= _REMEMBERED:
                self._smallest.clear()
            found = self._smallest[cards] = min(sizes, default=_NO_MELD)
        return found

    def _swap_helps(self, laid: Laid, off: CardSet, room: int) -> bool:
        """Whether a card off the table can take a joker from it that can be tabled again."""
        jokers = laid.cards & JOKERS
        joker = jokers & -jokers
        for meld in laid.melds:
            for face in self._table.shapes.swaps(meld):
                card = off & COPY_BITS[face]
                if card:
                    freed = off & ~(card & -card) | joker
                    if any(opening.takes & JOKERS for opening in laid.openings) or self._smallest_meld(freed) <= room:
                        return True
        return False
