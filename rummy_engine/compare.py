"""Comparing variants: the same seeded rounds of each, and what they show with intervals.

What every measure means is said once, in `MEASURES`. Results hold no time of day and no duration, so that the same
comparison gives the same bytes; how long it took is in `Row.seconds`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from rummy_engine.errors import RummyError
from rummy_engine.intervals import LEVEL, Interval, mean_of, share_of
from rummy_engine.match import Variant
from rummy_engine.simulate import Bots, Progress, Setup, Simulation, run
from rummy_engine.tally import ENDINGS, Tally

SCHEMA_VERSION = 1

MEASURES: Mapping[str, str] = MappingProxyType(
    {
        "rounds": "rounds played",
        "endings": "share of rounds per kind of ending",
        "plies": "player actions per round; those of chance do not count",
        "turns": "turns completed per round; a turn runs from the draw, take or call to the discard",
        "renewals": "renewals of the stock per round",
        "points": "points per seat and round: the mean over all seats",
        "left_won": "share of rounds that the seat left of the dealer won alone",
        "edge": "points of the seat left of the dealer less the mean of all seats, per round",
        "drawn": "share of rounds that no seat won alone",
        "doubled": "share of rounds that ended by going rummy, where the variant rewards it",
    }
)
"""What the fields of a `Row` mean. Means have normal intervals over rounds, shares Wilson's."""


@dataclass(frozen=True, slots=True)
class BotRow:
    """One bot of a line-up: its points per seat and round, and the share of rounds that one of its seats won alone."""

    name: str
    points: Interval
    won: Interval


@dataclass(frozen=True, slots=True)
class Row:
    """What the rounds of one variant with one line-up showed."""

    variant: str
    title: str
    revision: int
    digest: str
    players: int
    bots: tuple[str, ...]
    best: str
    """"highest" or "lowest": which points are good."""
    rounds: int
    endings: Mapping[str, Interval]
    """Of the kinds that occurred, in the order of `tally.ENDINGS`."""
    plies: Interval
    turns: Interval
    renewals: Interval
    points: Interval
    left_won: Interval
    edge: Interval
    drawn: Interval
    doubled: Interval
    by_bot: tuple[BotRow, ...]
    tally: Tally
    """The counts behind it all."""
    seconds: float = field(compare=False)
    """The time that all workers together spent on it."""

    @classmethod
    def of(cls, simulation: Simulation) -> Row:
        """The row of a simulation."""
        setup, tally = simulation.setup, simulation.tally
        meta, n = setup.game.profile.meta, tally.rounds
        return cls(
            variant=meta.name,
            title=meta.title,
            revision=meta.revision,
            digest=setup.game.digest,
            players=setup.players,
            bots=setup.names,
            best=setup.game.profile.match.best,
            rounds=n,
            endings={kind: share_of(tally.endings[kind], n) for kind in ENDINGS if tally.endings[kind]},
            plies=mean_of(tally.plies),
            turns=mean_of(tally.turns),
            renewals=mean_of(tally.renewals),
            points=mean_of(tally.totals, per=setup.players),
            left_won=share_of(tally.left_won, n),
            edge=mean_of(tally.edge, per=setup.players),
            drawn=share_of(tally.drawn, n),
            doubled=share_of(tally.doubled, n),
            by_bot=tuple(
                BotRow(name, mean_of(bot.totals, per=bot.seats), share_of(bot.won, n))
                for name, bot in zip(setup.names, tally.by_bot, strict=False)
            ),
            tally=tally,
            seconds=simulation.seconds,
        )

    def to_dict(self) -> dict[str, Any]:
        """As plain data for JSON; histograms go from value to the number of rounds (points: of seats and rounds)."""
        tally = self.tally
        return {
            "variant": self.variant,
            "title": self.title,
            "revision": self.revision,
            "digest": self.digest,
            "players": self.players,
            "bots": list(self.bots),
            "best": self.best,
            "rounds": self.rounds,
            "endings": {
                kind: {"count": tally.endings[kind], "share": share.to_dict()} for kind, share in self.endings.items()
            },
            **{name: getattr(self, name).to_dict() for name in INTERVALS},
            "by_bot": [
                {"name": bot.name, "points": bot.points.to_dict(), "won": bot.won.to_dict()} for bot in self.by_bot
            ],
            "histograms": {
                "plies": _sorted(tally.plies),
                "turns": _sorted(tally.turns),
                "renewals": _sorted(tally.renewals),
                "points": _sorted(tally.points),
            },
        }


INTERVALS = ("plies", "turns", "renewals", "points", "left_won", "edge", "drawn", "doubled")
"""The fields of a `Row` that are one interval each."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The rows of a comparison, in the order asked for; `complete`: whether no row lacks rounds."""

    rounds: int
    """Rounds asked for, of each row."""
    seed: int
    rows: tuple[Row, ...]
    complete: bool

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain data for JSON, with the definitions of its measures."""
        return {
            "schema_version": SCHEMA_VERSION,
            "seed": self.seed,
            "rounds": self.rounds,
            "level": LEVEL,
            "complete": self.complete,
            "measures": dict(MEASURES),
            "rows": [row.to_dict() for row in self.rows],
        }


def compare(
    variants: Iterable[Variant],
    players: int | None = None,
    lineups: Sequence[Bots] = ("easy",),
    rounds: int = 1000,
    seed: int = 1,
    *,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Plays the same rounds of every variant with every line-up, and compares what happens.

    >>> comparison = compare(["basic", "gin-knock"], rounds=20)
    >>> [(row.variant, row.players, row.rounds) for row in comparison.rows]
    [('basic', 2, 20), ('gin-knock', 2, 20)]

    `players` None: the fewest of each variant. For the rest see `simulate`; everything is checked before a round is
    played.
    """
    setups = [Setup.of(variant, players, bots) for variant in variants for bots in lineups]
    if not setups:
        raise RummyError("nothing to compare: name at least one variant and one line-up")
    simulations = run(setups, rounds, seed, workers, executor, progress)
    complete = all(simulation.complete for simulation in simulations)
    return Comparison(rounds, seed, tuple(map(Row.of, simulations)), complete)


def _sorted(histogram: Counter[int]) -> dict[str, int]:
    return {str(value): often for value, often in sorted(histogram.items())}
