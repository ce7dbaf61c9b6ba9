"""What is counted while rounds are played: whole numbers only, so that tallies add up the same in any order."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TypeVar

from rummy_engine.state import RoundResult

ENDINGS = ("out", "gin", "knock", "undercut", "stock_out", "exhausted", "deadlock", "void")
"""The kinds of `RoundResult`, in the order of reports."""


@dataclass(slots=True)
class BotTally:
    """The counts of one bot of a line-up."""

    seats: int = 0
    """How many seats it has at the table."""
    won: int = 0
    """Rounds that one of its seats won alone."""
    totals: Counter[int] = field(default_factory=Counter)
    """Points of all its seats together, per round."""

    def __add__(self, other: BotTally) -> BotTally:
        return BotTally(self.seats, self.won + other.won, _sum(self.totals, other.totals))


@dataclass(slots=True)
class Tally:
    """The counts of some rounds. Histograms (value -> how often) hold means, spreads and distributions exactly."""

    rounds: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    """Rounds per kind of ending."""
    plies: Counter[int] = field(default_factory=Counter)
    """Player actions per round; those of chance do not count."""
    turns: Counter[int] = field(default_factory=Counter)
    """Completed turns per round; a turn runs from the draw, take or call to the discard."""
    renewals: Counter[int] = field(default_factory=Counter)
    """Renewals of the stock per round."""
    points: Counter[int] = field(default_factory=Counter)
    """Points per seat and round."""
    totals: Counter[int] = field(default_factory=Counter)
    """Points of all seats together, per round."""
    edge: Counter[int] = field(default_factory=Counter)
    """The number of seats times the points of the seat left of the dealer, less the points of all seats, per round."""
    left_won: int = 0
    """Rounds that the seat left of the dealer won alone."""
    drawn: int = 0
    """Rounds that no seat won alone."""
    doubled: int = 0
    """Rounds that ended by going rummy, where the variant rewards it."""
    by_bot: list[BotTally] = field(default_factory=list)
    """The counts of each bot of the line-up, in its order."""

    def count(self, result: RoundResult, plies: int, bots: int) -> None:
        """Counts one round; `bots`: how many bots the line-up names, which sit round the table in turn."""
        players = len(result.points)
        left = (result.dealer + 1) % players
        total = sum(result.points)
        self.rounds += 1
        self.endings[result.kind] += 1
        self.plies[plies] += 1
        self.turns[result.turns] += 1
        self.renewals[result.renewals] += 1
        self.totals[total] += 1
        self.edge[players * result.points[left] - total] += 1
        self.left_won += result.standing[left] == "win"
        self.drawn += "win" not in result.standing
        self.doubled += result.doubled
        for points in result.points:
            self.points[points] += 1
        self.by_bot = self.by_bot or [BotTally(len(result.points[first::bots])) for first in range(bots)]
        for first, bot in enumerate(self.by_bot):
            bot.won += "win" in result.standing[first::bots]
            bot.totals[sum(result.points[first::bots])] += 1

    def __add__(self, other: Tally) -> Tally:
        """The counts of both, which are of the same line-up."""
        if not (self.rounds and other.rounds):
            return self if self.rounds else other
        return Tally(
            rounds=self.rounds + other.rounds,
            endings=_sum(self.endings, other.endings),
            plies=_sum(self.plies, other.plies),
            turns=_sum(self.turns, other.turns),
            renewals=_sum(self.renewals, other.renewals),
            points=_sum(self.points, other.points),
            totals=_sum(self.totals, other.totals),
            edge=_sum(self.edge, other.edge),
            left_won=self.left_won + other.left_won,
            drawn=self.drawn + other.drawn,
            doubled=self.doubled + other.doubled,
            by_bot=[mine + more for mine, more in zip(self.by_bot, other.by_bot, strict=True)],
        )


Key = TypeVar("Key", int, str)


def _sum(counts: Counter[Key], more: Counter[Key]) -> Counter[Key]:
    total = counts.copy()
    for value, often in more.items():
        total[value] += often
    return total
