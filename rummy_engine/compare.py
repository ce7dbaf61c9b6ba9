"""Comparing variants, line-ups and dials: the same seeded deals of each, and what they show with intervals.

What every measure means is said once, in `comparing.measures`. Results hold no time of day and no duration, so that the
same comparison gives the same bytes; how long it took is in `Row.seconds`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any

from rummy_engine.comparing.chunks import Fault, OnFault, Plan, chunk_of
from rummy_engine.comparing.counting import CURVE, Tally
from rummy_engine.comparing.intervals import LEVEL, Interval
from rummy_engine.comparing.measures import (
    BOT_MATCHES,
    BOT_MEASURES,
    BOT_POINTS,
    BOT_WON,
    MEASURES,
    after_round,
    of_bot,
    shown,
)
from rummy_engine.comparing.running import Report, run
from rummy_engine.comparing.setups import MOST_SETUPS, Bots, Setup, grid
from rummy_engine.comparing.stopping import Until
from rummy_engine.errors import RummyError
from rummy_engine.game import Game
from rummy_engine.hints import presentable
from rummy_engine.match import Variant
from rummy_engine.simulate import check_options, path_of

SCHEMA_VERSION = 2


@dataclass(frozen=True, slots=True)
class BotRow:
    """One bot of a line-up; `matches_won` is unknown where single rounds are played."""

    name: str
    points: Interval
    won: Interval
    matches_won: Interval


@dataclass(frozen=True, slots=True)
class Skill:
    """How much better the better of two bots does: its chance of winning less one half."""

    better: str
    worse: str
    index: Interval


@dataclass(frozen=True, slots=True)
class Row:
    """What the deals of one variant with one line-up showed."""

    setup: Setup
    tally: Tally
    """The counts behind it all."""
    measures: Mapping[str, Interval]
    """Those of `MEASURES` that say something about this row, in that order."""
    by_bot: tuple[BotRow, ...]
    skill: Skill | None
    """Where two bots have equally many seats."""
    seconds: float = field(compare=False)
    """The time that all workers together spent on it."""

    @classmethod
    def of(cls, setup: Setup, tally: Tally) -> Row:
        """The row of a setup."""
        measures = {name: measure.estimate(tally) for name, measure in MEASURES.items() if shown(name, setup, tally)}
        bots = tuple(
            BotRow(name, *(of_bot(measure, place).estimate(tally) for measure in (BOT_POINTS, BOT_WON, BOT_MATCHES)))
            for place, name in enumerate(setup.names)
        )
        return cls(setup, tally, measures, bots, _skill(setup.names, measures.get("skill")), tally.seconds)

    @property
    def game(self) -> Game:
        """The game that was played."""
        return self.setup.game

    @property
    def variant(self) -> str:
        """The name of the variant."""
        return self.game.profile.meta.name

    @property
    def label(self) -> str:
        """The variant with the dials that were set for this row."""
        return self.setup.label

    @property
    def players(self) -> int:
        """Seats."""
        return self.setup.players

    @property
    def bots(self) -> tuple[str, ...]:
        """The line-up."""
        return self.setup.names

    @property
    def best(self) -> str:
        """ "highest" or "lowest": which points are good."""
        return self.game.profile.match.best

    @property
    def rounds(self) -> int:
        """Rounds that were played and counted."""
        return self.tally.take("rounds")

    @property
    def matches(self) -> int:
        """Matches that were played and counted; 0 where single rounds are played."""
        return self.tally.take("matches")

    def curve(self) -> tuple[Interval, ...]:
        """Between two bots: the chance that the first one is ahead after round 1, 2, … of a match (even: one half)."""
        if not (self.matches and self.tally.take("pairs")):
            return ()
        return tuple(after_round(number).estimate(self.tally) for number in range(1, CURVE + 1))

    def to_dict(self) -> dict[str, Any]:
        """As plain data for JSON; histograms go from value to how often."""
        meta, tally = self.game.profile.meta, self.tally
        return {
            "variant": self.variant,
            "title": meta.title,
            "settings": dict(self.setup.settings),
            "revision": meta.revision,
            "digest": self.game.digest,
            "players": self.players,
            "bots": list(self.bots),
            "best": self.best,
            "deals": tally.take("deals"),
            "rounds": self.rounds,
            "matches": self.matches,
            "faults": tally.faults,
            "endings": {name[6:]: tally.take(name) for name in self.measures if name.startswith("ended_")},
            "measures": {name: interval.to_dict() for name, interval in self.measures.items()},
            "by_bot": [
                {"name": bot.name, **{measure.name: getattr(bot, measure.name).to_dict() for measure in BOT_MEASURES}}
                for bot in self.by_bot
            ],
            "skill": None
            if self.skill is None
            else {"better": self.skill.better, "worse": self.skill.worse, "index": self.skill.index.to_dict()},
            "skill_curve": [chance.to_dict() for chance in self.curve()],
            "histograms": {
                name: {str(value): often for value, often in sorted(histogram.items())}
                for name, histogram in tally.histograms.items()
            },
        }


def _skill(names: Sequence[str], index: Interval | None) -> Skill | None:
    if index is None or index.value is None:
        return None
    if index.value >= 0:
        return Skill(names[0], names[1], index)
    low, high = (None if bound is None else 0.0 - bound for bound in (index.high, index.low))
    return Skill(names[1], names[0], Interval(-index.value, low, high))


@dataclass(frozen=True, slots=True)
class Comparison:
    """The rows of a comparison, in the order asked for."""

    deals: int
    """Deals asked for at most, of each row."""
    whole_matches: bool
    """Whether whole matches were played, and not single rounds."""
    seed: int
    until: Until | None
    rows: tuple[Row, ...]
    faults: tuple[Fault, ...]
    """What bots did wrong: the first of them, with records; `Tally.faults` counts all."""
    complete: bool
    """Whether the run ended as planned, and was not stopped before."""

    @property
    def until_met(self) -> bool | None:
        """Whether the stopping rule is met by what was played, or the run ended without that; None: no rule was given.

        It follows from the tallies alone, so it is the same whoever played the deals.
        """
        return None if self.until is None else self.until.is_met([row.tally for row in self.rows])

    @property
    def unit(self) -> str:
        """ "rounds" or "matches": what is played on a deal."""
        return "matches" if self.whole_matches else "rounds"

    def differences(self, place: int) -> dict[str, Interval]:
        """Each measure that the row at this place shares with the first row, less that of the first; paired by deal."""
        first, other = self.rows[0], self.rows[place]
        both, either = first.measures.keys() & other.measures.keys(), first.measures.keys() | other.measures.keys()
        names = [name for name in MEASURES if name in both or (name in either and name.startswith("ended_"))]
        found = {name: MEASURES[name].difference(other.tally, first.tally) for name in names}
        return {name: interval for name, interval in found.items() if interval.value is not None}

    def _differences(self, place: int) -> dict[str, Any]:
        return {name: each.to_dict() for name, each in self.differences(place).items()} if place else {}

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain data for JSON, with the definitions of its measures."""
        return {
            "schema_version": SCHEMA_VERSION,
            "seed": self.seed,
            "unit": self.unit,
            "deals": self.deals,
            "until": None if self.until is None else str(self.until),
            "until_met": self.until_met,
            "level": LEVEL,
            "complete": self.complete,
            "definitions": {
                name: {"title": each.title, "unit": each.unit, "meaning": each.sentence, "formula": each.formula}
                for name, each in MEASURES.items()
            },
            "rows": [
                {**row.to_dict(), "difference_from_first": self._differences(place)}
                for place, row in enumerate(self.rows)
            ],
            "faults": [fault.to_dict() for fault in self.faults],
        }


def compare(
    variants: Iterable[Variant],
    players: int | None = None,
    lineups: Sequence[Bots] = ("easy",),
    rounds: int = 1000,
    seed: int = 1,
    *,
    vary: Mapping[str, Sequence[Any]] | None = None,
    matches: int | None = None,
    until: Until | None = None,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Report | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    rows: str | os.PathLike[str] | None = None,
    on_fault: OnFault = "raise",
) -> Comparison:
    """Plays the same deals of every variant with every line-up, and compares what happens.

    >>> comparison = compare(["basic"], rounds=20, vary={"melds.run_min": [3, 4]})
    >>> [(row.label, row.players, row.rounds) for row in comparison.rows]
    [('basic melds.run_min=3', 2, 20), ('basic melds.run_min=4', 2, 20)]

    `players` None: the fewest of each variant. `vary`: dials by dotted path with the values to try; every
    combination of them makes a row of every variant. For the rest see `simulate`; everything is checked before a round
    is played.
    """
    deals = rounds if matches is None else matches
    check_options(deals, seed, workers, on_fault, until, executor, progress)
    setups = setups_of(variants, players, lineups, vary)
    if until is not None:
        until.check(setups, matches is not None)
    whole, chunk = matches is not None, chunk_of(deals, matches is not None)
    plan = Plan(setups, deals, seed, whole, rows is not None, on_fault, chunk)
    outcome = run(plan, workers, executor, progress, path_of(checkpoint), until, path_of(rows))
    found = tuple(Row.of(setup, tally) for setup, tally in zip(setups, outcome.tallies, strict=True))
    return Comparison(deals, matches is not None, seed, until, found, tuple(outcome.faults), outcome.complete)


def setups_of(
    variants: Iterable[Variant],
    players: int | None = None,
    lineups: Sequence[Bots] = ("easy",),
    vary: Mapping[str, Sequence[Any]] | None = None,
) -> tuple[Setup, ...]:
    """The setups of a comparison, in the order of its rows; raises RummyError for anything that cannot be played."""
    for what, named, example in (("variants", variants, "basic"), ("line-ups", lineups, "easy")):
        if isinstance(named, str) or not isinstance(named, Iterable):
            raise RummyError(f"expected a list of {what}, as [{example!r}], not {presentable(named)!r:.40}")
    settings = list(grid({} if vary is None else vary))
    setups: list[Setup] = []
    for variant in variants:
        for chosen in settings:
            for bots in lineups:
                if len(setups) == MOST_SETUPS:
                    raise RummyError(f"too much to compare: at most {MOST_SETUPS} rows")
                setups.append(Setup.of(variant, players, bots, chosen))
    if not setups:
        raise RummyError("nothing to compare: name at least one variant and one line-up, and a value for each dial")
    return tuple(setups)


__all__ = ["CURVE", "BotRow", "Comparison", "Row", "Skill", "Until", "compare", "setups_of"]
