"""`[ending]`: how a round ends and what follows: the result, the totals, the next dealer; deadlock and the turn cap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rummy_engine.cards import CardSet
from rummy_engine.rules.match import MatchRules
from rummy_engine.rules.scoring import RoundScore
from rummy_engine.rules.table import Table
from rummy_engine.state import DEALER, NOBODY, RoundResult, State

if TYPE_CHECKING:
    from rummy_engine.profile import Profile


class Ending:
    """The end of a round."""

    def __init__(self, profile: Profile, table: Table, scoring: RoundScore, match: MatchRules) -> None:
        self._table = table
        self._scoring = scoring
        self._match = match
        self.max_turns = profile.ending.max_turns
        self.deadlock = profile.ending.deadlock
        self._deep = profile.draw.pile == "deep" or profile.call.kind != "off"
        self._layoffs = profile.lay.layoff != "none"
        self._swaps = profile.wilds.swap
        shortest = min(profile.melds.set_min, profile.melds.run_min)
        self._enough = shortest + (profile.discard.last == "required") - 1
        self._no_meld: dict[CardSet, bool] = {}

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
        return state._replace(
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
            dealer=state.dealer if over else self._match.dealer_after(state.dealer, score, len(scores)),
            scores=scores,
            round=state.round if over else state.round + 1,
            result=result,
        )

    def went_out(self, state: State, seat: int, face_down: int = NOBODY) -> State:
        """The seat has emptied its hand: it is rummy if nothing was tabled in an earlier turn (rules A17)."""
        rummy = seat not in state.tabled
        return self.finish(state._replace(turns=state.turns + 1), "out", seat, rummy, face_down)

    def is_deadlock(self, state: State) -> bool:
        """Whether nobody can ever table another card (rules §2.A-12), tested between turns.

        Not while a card off the table fits a meld (or a joker there may be swapped for); then only if the hands are
        too small ever to hold a meld, or no meld is left off the table. A deep draw or a call can make any hand
        large enough.
        """
        if state.fits and self._layoffs:
            return False
        off = self._table.pack
        for meld in state.table:
            off &= ~meld.card_set
        if self._swaps and any(
            off & self._table.copies(face) for meld in state.table for face in self._table.shapes.swaps(meld)
        ):
            return False
        if not self._deep and all(hand.bit_count() < self._enough for hand in state.hands):
            return True
        found = self._no_meld.get(off)
        if found is None:
            found = self._no_meld[off] = not self._table.finder.usable(off)
            if len(self._no_meld) > 4096:
                self._no_meld.clear()
        return found
