"""`[match]` and `[prize]`: when a match ends, who wins it, who deals next, how a prize is split."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rummy_engine.errors import Problem, ProfileError
from rummy_engine.rules.scoring import Score

if TYPE_CHECKING:
    from rummy_engine.profile import Profile


class MatchRules:
    """The end of a match and the order of its deals, for one number of seats."""

    def __init__(self, profile: Profile, players: int) -> None:
        dials = profile.match
        self._target = dials.target.at(players) if dials.target is not None else 0
        self._rounds = dials.rounds
        self._best = max if dials.best == "highest" else min
        self._worst = min if dials.best == "highest" else max
        self._ascending = dials.best == "lowest"
        self._share = dials.tie == "share"
        self._next_dealer = profile.deal.next_dealer
        self._same_after_exhausted = profile.deal.after_exhausted == "same"
        self._prize = profile.prize

    def is_over(self, scores: tuple[int, ...], played: int) -> bool:
        """Whether the match ends after `played` rounds with these totals (rules A18, B25, R35; a tie may need more)."""
        due = max(scores) >= self._target if self._rounds is None else played >= self._rounds
        return due and (self._share or scores.count(self._best(scores)) == 1)

    def places(self, scores: tuple[int, ...]) -> tuple[int, ...]:
        """The rank of each seat, from 1; equal totals share one."""
        sign = 1 if self._ascending else -1
        return tuple(1 + sum(sign * other < sign * own for other in scores) for own in scores)

    def dealer_after(self, dealer: int, score: Score, players: int) -> int:
        """Who deals the next round (rules C9): the dealer's left, the winner or the loser of the round.

        A round that nobody won is followed by the dealer's left; so is one that nobody lost. Of several equal losers
        the first to the dealer's left deals.
        """
        left = (dealer + 1) % players
        if score.kind == "exhausted" and self._same_after_exhausted:
            return dealer
        if self._next_dealer == "winner" and score.winner is not None:
            return score.winner
        if self._next_dealer == "loser" and len(set(score.points)) > 1:
            worst = self._worst(score.points)
            return min((i for i in range(players) if score.points[i] == worst), key=lambda i: (i - left) % players)
        return left

    def payout(self, scores: tuple[int, ...], pot: int) -> tuple[int, ...]:
        """The prize per seat in whole minor units (rules §2.B-16): losers' shares are rounded down, the rest is won.

        Raises ProfileError when the profile has no prize section.
        """
        prize = self._prize
        if prize is None:
            raise ProfileError((Problem("prize", None, "this profile has no [prize] section, so nothing is paid out"),))
        best = self._best(scores)
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
