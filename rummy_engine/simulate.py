"""Playing many seeded rounds or matches of a game with bots, and counting what happens: `simulate`.

How a deal is seeded and dealt is told in `comparing.playing`, what is counted in `comparing.counting`. Any deal of a
run can be looked at again: `record_of`.
"""

from __future__ import annotations

import os
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from rummy_engine.comparing.chunks import CHUNK, Fault, OnFault, Plan, check_numbers, chunk_of
from rummy_engine.comparing.counting import Tally
from rummy_engine.comparing.playing import BotError, deal_seed, play
from rummy_engine.comparing.running import Report, run
from rummy_engine.comparing.setups import Bots, Setup
from rummy_engine.comparing.stopping import Until
from rummy_engine.errors import RummyError
from rummy_engine.hints import presentable
from rummy_engine.match import Variant
from rummy_engine.record import Record

__all__ = ["CHUNK", "BotError", "Setup", "Simulation", "Tally", "Until", "deal_seed", "record_of", "simulate"]


@dataclass(frozen=True, slots=True)
class Simulation:
    """A setup and what came of it."""

    setup: Setup
    seed: int
    tally: Tally
    faults: tuple[Fault, ...] = ()
    complete: bool = True
    """Whether the run ended as planned, and was not stopped before."""
    until: Until | None = None

    @property
    def until_met(self) -> bool | None:
        """Whether the stopping rule is met by what was played, or the run ended without that; None: no rule was given.

        >>> simulate("basic", rounds=20, until=Until("turns", 3)).until_met
        False
        """
        return None if self.until is None else self.until.is_met([self.tally])


def simulate(
    variant: Variant,
    players: int | None = None,
    bots: Bots = "easy",
    rounds: int = 1000,
    seed: int = 1,
    *,
    matches: int | None = None,
    until: Until | None = None,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Report | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    rows: str | os.PathLike[str] | None = None,
    on_fault: OnFault = "raise",
) -> Simulation:
    """Plays seeded rounds and counts what happens.

    >>> simulate("gin-classic", bots="random", rounds=4, seed=1).tally.take("rounds")
    4

    `rounds` deals are played, each once for every way to turn the line-up round the table; with `matches`, so many
    whole matches instead. `until` ends the run earlier (`Simulation.until_met` says whether it did). `workers`
    processes share the work, or the `executor` does (bots of your own must then be picklable); a `checkpoint` file lets
    the same call go on after it was killed; `rows` is a .csv or .parquet file for one row per round. Ctrl-C stops: what
    was counted till then is returned, with `complete` False.

    Raises RummyError for anything out of range before a round is played. Where a bot breaks its contract, `on_fault`
    says what happens: "raise" a BotError, "stop" and return what is counted, or "skip" the deal and go on.
    """
    deals = rounds if matches is None else matches
    check_options(deals, seed, workers, on_fault, until, executor, progress)
    setup = Setup.of(variant, players, bots)
    if until is not None:
        until.check((setup,), matches is not None)
    whole, chunk = matches is not None, chunk_of(deals, matches is not None)
    plan = Plan((setup,), deals, seed, whole, rows is not None, on_fault, chunk)
    outcome = run(plan, workers, executor, progress, path_of(checkpoint), until, path_of(rows))
    return Simulation(setup, seed, outcome.tallies[0], tuple(outcome.faults), outcome.complete, until)


def check_options(
    deals: object,
    seed: object,
    workers: object,
    on_fault: object,
    until: object = None,
    executor: object = None,
    progress: object = None,
) -> None:
    """Raises RummyError for options of a run that are out of range, or of another kind."""
    check_numbers(deals, seed, workers)
    named = isinstance(on_fault, str) and on_fault in ("raise", "stop", "skip")
    kinds = (
        (named, "on_fault", "'raise', 'stop' or 'skip'", on_fault),
        (until is None or isinstance(until, Until), "until", "an Until, as Until.read('edge<0.5')", until),
        (executor is None or hasattr(executor, "submit"), "executor", "an executor of concurrent.futures", executor),
        (progress is None or callable(progress), "progress", "a function", progress),
    )
    for fits, name, expected, found in kinds:
        if not fits:
            raise RummyError(f"{name} must be {expected}, not {presentable(found)!r:.40}")


def path_of(file: str | os.PathLike[str] | None) -> Path | None:
    """The path of a file to write; raises RummyError for what names none."""
    if file is None or isinstance(file, Path):
        return file
    if not isinstance(file, str | os.PathLike) or not isinstance(os.fspath(file), str):
        raise RummyError(f"a file is named by its path, not by {presentable(file)!r:.40}")
    return Path(file)


def record_of(
    variant: Variant,
    players: int | None = None,
    bots: Bots = "easy",
    seed: int = 1,
    deal: int = 1,
    *,
    seating: int = 0,
    whole_match: bool = False,
) -> Record:
    """One deal (from 1) of a run again, as a record of all that happened; `seating`: which turn of the line-up, from 0.

    Raises BotError with the record up to there where a bot breaks its contract.
    """
    check_numbers(deal, seed, 1)
    setup = Setup.of(variant, players, bots)
    seatings = setup.seatings
    if isinstance(seating, bool) or seating not in range(len(seatings)):
        raise RummyError(f"there are {len(seatings)} seatings, from 0, not {presentable(seating)!r:.40}")
    played = play(setup, setup.policies(), seatings[seating], seed, deal, whole_match)
    own_seed = deal_seed(seed, deal) if len(played.rounds) == 1 else None
    return Record.of(setup.game, played.start, played.actions, own_seed)
