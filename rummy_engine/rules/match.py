"""`[match]`: when a match ends, and who is where in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rummy_engine.profiles.profile import Match as MatchDials


class MatchRules:
    """The end of a match, for one number of seats."""

    def __init__(self, dials: MatchDials, players: int) -> None:
        self._target = dials.target.at(players) if dials.target is not None else 0
        self._rounds = dials.rounds
        self.best: Callable[[Iterable[int]], int] = max if dials.best == "highest" else min
        """Picks the best of some totals."""
        self.worst: Callable[[Iterable[int]], int] = min if dials.best == "highest" else max
        self._ascending = dials.best == "lowest"
        self._share = dials.tie == "share"

    def is_over(self, scores: tuple[int, ...], played: int) -> bool:
        """Whether the match ends after `played` rounds with these totals (rules A18, B25, R35; a tie may need more)."""
        due = max(scores) >= self._target if self._rounds is None else played >= self._rounds
        return due and (self._share or scores.count(self.best(scores)) == 1)

    def places(self, scores: tuple[int, ...]) -> tuple[int, ...]:
        """The rank of each seat, from 1; equal totals share one."""
        sign = 1 if self._ascending else -1
        return tuple(1 + sum(sign * other < sign * own for other in scores) for own in scores)
