"""From what was played to whole numbers that add up: the quantities that all measures are made of.

A tally holds, for each quantity, its sum over all deals and the same sum resampled (`lanes`), and histograms of what a
distribution is drawn of. Nothing in it grows with the number of rounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rummy_engine.comparing.lanes import apart
from rummy_engine.comparing.playing import LONGEST_MATCH, Played, Round
from rummy_engine.comparing.setups import Setup

ENDINGS = ("out", "gin", "knock", "undercut", "stock_out", "exhausted", "deadlock", "void")
"""The kinds of `RoundResult`, in the order of reports."""
HISTOGRAMS = ("points", "plies", "turns", "renewals", "length")
"""Per round; points per seat and round; length: rounds per match."""
CURVE = 30
"""The skill curve is drawn up to so many rounds."""

QUANTITIES: Mapping[str, str] = {
    "deals": "deals played, each with every seating of the line-up",
    "plays": "rounds or matches played: one per deal and seating",
    "rounds": "rounds played",
    "seats": "rounds played times seats",
    **{f"ended_{kind}": f"rounds that ended by {kind!r}" for kind in ENDINGS},
    "plies": "player actions",
    "turns": "completed turns",
    "renewals": "renewals of the stock",
    "options": "legal actions of all decisions",
    "choices": "decisions with two or more legal actions",
    "points": "points of all seats",
    "squares": "squared points of all seats",
    "left_points": "points of the seat left of the dealer times the seats, less the points of all seats",
    "left_won": "rounds that the seat left of the dealer won alone",
    "drawn": "rounds that no seat won alone",
    "counted_drawn": "rounds that stand as a draw for a seat",
    "doubled": "rounds that ended by going rummy, where the variant rewards it",
    "called": "rounds with a rummy call",
    "dug": "rounds with a draw of several cards of the pile",
    "wild": "rounds in which a joker was tabled",
    "matches": "matches played",
    "lead_changes": "how often another seat came to lead a match alone",
    "shared": "matches that several seats won",
    "unfinished": f"matches stopped after {LONGEST_MATCH} rounds",
    "first_halves": "plays that the first of two bots won, twice, and those that neither won alone, once",
    "pairs": "plays between two bots, twice",
    "ahead": "matches between two bots that the first leads or has won after a round, twice, and those that are even, "
    "once (one quantity per round, from ahead_1)",
    "bot_points": "points of the seats of a bot (one quantity per place in the line-up, from bot_points_0)",
    "bot_seats": "rounds played times seats of a bot",
    "bot_won": "rounds that a seat of a bot won alone",
    "bot_matches": "matches that a seat of a bot won alone",
}
"""What is summed up; every measure is made of these (see `measures`)."""


def quantities(setup: Setup, seating: Sequence[int], played: Played, whole_match: bool) -> Counter[str]:
    """The quantities of one round or match; those that are 0 may be missing."""
    found = Counter[str]()
    players = setup.players
    for each in played.rounds:
        _count_round(found, each, players)
        points, standing = each.result.points, each.result.standing
        for seat, place in enumerate(seating):
            found[f"bot_points_{place}"] += points[seat]
            found[f"bot_seats_{place}"] += 1
            found[f"bot_won_{place}"] += standing[seat] == "win"
    found["plays"] = 1
    won: tuple[int, ...] = ()
    if whole_match:
        won = setup.game.winners(played.final) if setup.game.is_over(played.final) else ()
        found["matches"] = 1
        found["lead_changes"] = lead_changes(setup, played)
        found["shared"] = len(won) > 1
        found["unfinished"] = not won
        if len(won) == 1:
            found[f"bot_matches_{seating[won[0]]}"] += 1
    elif "win" in played.rounds[0].result.standing:
        won = (played.rounds[0].result.standing.index("win"),)
    if setup.is_pair:
        places = {seating[seat] for seat in won}
        found["first_halves"] = 1 if len(places) != 1 else 2 * (0 in places)
        found["pairs"] = 2
        if whole_match:
            _follow(found, setup, seating, played)
    return found


def _count_round(found: Counter[str], each: Round, players: int) -> None:
    result = each.result
    total = sum(result.points)
    left = (result.dealer + 1) % players
    found["rounds"] += 1
    found["seats"] += players
    found[f"ended_{result.kind}"] += 1
    found["plies"] += each.plies
    found["turns"] += result.turns
    found["renewals"] += result.renewals
    found["options"] += each.options
    found["choices"] += each.choices
    found["points"] += total
    found["squares"] += sum(points * points for points in result.points)
    found["left_points"] += players * result.points[left] - total
    found["left_won"] += result.standing[left] == "win"
    found["drawn"] += "win" not in result.standing
    found["counted_drawn"] += "draw" in result.standing
    found["doubled"] += result.doubled
    found["called"] += each.calls > 0
    found["dug"] += each.deep_draws > 0
    found["wild"] += each.jokers > 0


def _follow(found: Counter[str], setup: Setup, seating: Sequence[int], played: Played) -> None:
    """Which of two bots is ahead after each round; a match that is over keeps its last totals."""
    halves = 1
    totals = list(_totals(setup, played))
    for index in range(CURVE):
        if index < len(totals):
            best = max(totals[index])
            places = {seating[seat] for seat, total in enumerate(totals[index]) if total == best}
            halves = 1 if len(places) == 2 else 2 * (0 in places)
        found[f"ahead_{index + 1}"] = halves


def lead_changes(setup: Setup, played: Played) -> int:
    """How often a seat came to lead alone that did not lead alone last; a tie at the top changes nothing."""
    changes, last = 0, None
    for scores in _totals(setup, played):
        best = max(scores)
        if scores.count(best) == 1 and (leader := scores.index(best)) != last:
            changes += last is not None
            last = leader
    return changes


def _totals(setup: Setup, played: Played) -> Iterable[tuple[int, ...]]:
    """The totals after each round, turned so that more is better."""
    sign = 1 if setup.game.profile.match.best == "highest" else -1
    totals = (0,) * setup.players
    for each in played.rounds:
        totals = tuple(total + sign * points for total, points in zip(totals, each.result.points, strict=True))
        yield totals


@dataclass(slots=True)
class Tally:
    """The counts of some deals of a setup."""

    sums: Counter[str] = field(default_factory=Counter)
    """Quantity -> its sum."""
    lanes: dict[str, int] = field(default_factory=dict, repr=False)
    """Quantity -> its resampled sums, packed (see `lanes`)."""
    histograms: dict[str, Counter[int]] = field(default_factory=lambda: {name: Counter() for name in HISTOGRAMS})
    faults: int = 0
    """Deals that are not counted, because a bot broke its contract."""
    seconds: float = field(default=0.0, compare=False)
    """The time it took, and no part of equality."""

    @property
    def rounds(self) -> int:
        """Rounds that were counted."""
        return self.sums["rounds"]

    def take(self, name: str) -> int:
        """The sum of a quantity; 0 where there is none."""
        return self.sums[name]

    def count(
        self, setup: Setup, plays: Sequence[tuple[Sequence[int], Played]], weights: int, whole_match: bool
    ) -> None:
        """Counts one deal: all plays of it, each with its seating."""
        found = Counter[str](deals=1)
        for seating, played in plays:
            found.update(quantities(setup, seating, played, whole_match))
            self._draw(played, whole_match)
        lanes = self.lanes
        for name, value in found.items():
            if value:
                self.sums[name] += value
                lanes[name] = lanes.get(name, 0) + weights * value

    def _draw(self, played: Played, whole_match: bool) -> None:
        points, plies, turns, renewals, length = self.histograms.values()
        for each in played.rounds:
            points.update(each.result.points)
            plies[each.plies] += 1
            turns[each.result.turns] += 1
            renewals[each.result.renewals] += 1
        if whole_match:
            length[len(played.rounds)] += 1

    def add(self, other: Tally) -> None:
        """Adds the counts of other deals of the same setup."""
        self.sums.update(other.sums)
        for name, lanes in other.lanes.items():
            self.lanes[name] = self.lanes.get(name, 0) + lanes
        for name, histogram in other.histograms.items():
            self.histograms[name].update(histogram)
        self.faults += other.faults
        self.seconds += other.seconds

    def resampled(self, name: str) -> list[int]:
        """The resampled sums of a quantity."""
        return apart(self.lanes.get(name, 0))

    def to_dict(self) -> dict[str, Any]:
        """As plain data for JSON; `of_dict` is the way back."""
        return {
            "sums": dict(sorted(self.sums.items())),
            "lanes": {name: f"{lanes:x}" for name, lanes in sorted(self.lanes.items())},
            "histograms": {name: list(map(list, sorted(each.items()))) for name, each in self.histograms.items()},
            "faults": self.faults,
            "seconds": self.seconds,
        }

    @classmethod
    def of_dict(cls, data: Mapping[str, Any]) -> Tally:
        """The tally that `to_dict` wrote; raises KeyError, TypeError or ValueError for anything else."""
        return cls(
            sums=Counter({str(name): int(value) for name, value in data["sums"].items()}),
            lanes={str(name): int(text, 16) for name, text in data["lanes"].items()},
            histograms={name: Counter({int(a): int(b) for a, b in data["histograms"][name]}) for name in HISTOGRAMS},
            faults=int(data["faults"]),
            seconds=float(data["seconds"]),
        )
