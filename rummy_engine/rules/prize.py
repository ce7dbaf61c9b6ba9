"""`[prize]`: how a pot is split after the match (rules B26, 2.B-16)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rummy_engine.errors import Problem, ProfileError
from rummy_engine.rules.match import MatchRules

if TYPE_CHECKING:
    from rummy_engine.profiles.profile import Prize as PrizeDials


class PrizeRules:
    """The shares of a pot, in whole minor units."""

    def __init__(self, dials: PrizeDials | None, match: MatchRules) -> None:
        self._dials = dials
        self._match = match

    def payout(self, scores: tuple[int, ...], pot: int) -> tuple[int, ...]:
        """The share of each seat: the losers' are rounded down, the rest goes to the winners, odd units by seat order.

        Raises ProfileError when the profile has no prize section.
        """
        prize = self._dials
        if prize is None:
            raise ProfileError((Problem("prize", None, "this profile has no [prize] section, so nothing is paid out"),))
        best = self._match.best(scores)
        winners = [i for i, total in enumerate(scores) if total == best]
        weights = [max(0, prize.threshold - abs(total - best)) for total in scores]
        for i in winners:
            weights[i] = 0
        losers_percent = 100 - prize.winner_min
        pooled = prize.split == "pool_normalised"
        whole = sum(weights) if pooled else (len(scores) - 1) * prize.threshold
        shares = [pot * losers_percent * weight // (whole * 100) if weight else 0 for weight in weights]
        rest = pot - sum(shares)
        for k, i in enumerate(winners):
            shares[i] = rest // len(winners) + (k < rest % len(winners))
        return tuple(shares)
