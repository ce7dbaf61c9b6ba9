"""Knocking, laying down after it, and answering it (B12-B19)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from .cards import Hand, without
from .melds import Addition, Meld, MeldRules
from .scoring import Scoring
from .state import State


class KnockRules:
    """The section [knock] of one table; only asked where melds are laid down after a knock."""

    def __init__(self, profile: Mapping[str, Any], melds: MeldRules, scoring: Scoring) -> None:
        self.dials = profile.get("knock") or {}
        self.melds, self.scoring = melds, scoring

    def limit(self, up_card: str | None) -> int | None:
        """The knock limit in force; None where any deadwood will do."""
        limit = self.dials.get("limit")
        if limit != "up_card":
            return None if limit == "none" else limit
        if up_card is None:
            raise ValueError("the up-card sets the knock limit: say which it was")
        if up_card[0] == "A":
            return 0 if self.dials["ace_limit"] == "gin_only" else self.scoring.values["A"]
        return self.scoring.in_hand(up_card)

    def may_knock(self, s: State, kept: Hand) -> bool:
        """Whether the seat may knock keeping these cards, its discard being allowed."""
        if not self.dials["first_turn"] and s.turns < len(s.hands):
            return False
        return s.limit is None or self.scoring.min_deadwood(kept) <= s.limit

    def laid(self, s: State, meld: Meld) -> State:
        """A meld goes from the hand of the seat to the table."""
        hands = list(s.hands)
        hands[s.seat] = without(s.hand, meld.faces)
        return replace(s, hands=tuple(hands), table=(*s.table, meld.laid_by(s.seat)))

    # ---- the knocker ---------------------------------------------------------------------------------------------

    def spreads(self, s: State) -> Iterator[tuple[str, State]]:
        """The melds the knocker may lay: a total within the limit (nothing, after gin) stays reachable (B15)."""
        for meld in self.melds.readings(s.hand):
            after = self.laid(s, meld)
            if self.within_limit(s, self.scoring.min_deadwood(after.hand)):
                yield f"meld {meld.text}", after

    def within_limit(self, s: State, points: int) -> bool:
        if s.gin:
            return points == 0
        return s.limit is None or points <= s.limit

    def best_spread(self, s: State) -> State:
        """The exact minimum at once; of several arrangements the one whose sorted meld texts come first."""
        target = self.scoring.min_deadwood(s.hand)
        found = min(self._arrangements(s.hand, target), key=lambda melds: [meld.text for meld in melds])
        for meld in found:
            s = self.laid(s, meld)
        return s

    def _arrangements(self, hand: Hand, target: int, after: str = "") -> Iterator[list[Meld]]:
        """The ways to lay melds, in the order of their texts, so that exactly the target stays in hand."""
        if self.scoring.count(hand) == target:
            yield []
        for meld in self.melds.readings(hand):
            if meld.text >= after:  # twins: the same meld may be laid twice
                rest = without(hand, meld.faces)
                for more in self._arrangements(rest, target, meld.text):
                    yield [meld, *more]

    # ---- the others ----------------------------------------------------------------------------------------------

    def answers(self, s: State) -> Iterator[tuple[str, State]]:
        """The melds and lay-offs of an opponent, in any order (B16)."""
        for meld in self.melds.readings(s.hand):
            yield f"meld {meld.text}", self.laid(s, meld)
        if self.dials["layoff"] == "none":
            return
        for index, meld in enumerate(s.table):
            if s.by not in meld.by:
                continue  # nobody lays off on another opponent's meld
            for face in sorted(set(s.hand)):
                for text, way in self.melds.layoff_texts(meld, index, face, s.seat):
                    if self._may_add(s, meld, way):
                        hands = list(s.hands)
                        hands[s.seat] = without(s.hand, (face,))
                        table = (*s.table[:index], way.meld, *s.table[index + 1 :])
                        yield text, replace(s, hands=tuple(hands), table=table)

    def _may_add(self, s: State, meld: Meld, way: Addition) -> bool:
        """B17, B18: on whose card at the end of a run this one may be laid; a set takes it from anybody."""
        if self.dials["layoff_chain"] == "any" or not way.ends:
            return True
        allowed = {s.by, s.seat} if self.dials["layoff_chain"] == "own" else {s.by}
        outermost = {"low": meld.by[0], "high": meld.by[-1]}
        return any(outermost[end] in allowed for end in way.ends)

    def best_answer(self, s: State, seen: dict[Any, int] | None = None) -> int:
        """The least points that melds and lay-offs of this opponent can leave, each opponent taken alone (B19)."""
        seen = {} if seen is None else seen
        key = (s.hand, tuple(meld for meld in s.table if s.by in meld.by))
        if key not in seen:
            seen[key] = self.scoring.count(s.hand)
            options = [self.best_answer(after, seen) for _, after in self.answers(s)]
            seen[key] = min([seen[key], *options])
        return seen[key]
