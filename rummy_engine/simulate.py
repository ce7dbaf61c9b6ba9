"""Playing many seeded rounds of a game with bots, and counting what happens: `simulate`.

Round number i (from 1) of a run has a seed of its own, made from the run's seed and i, and dealer i mod players. Its
shuffles are those of a `Match` with that seed, so the same round of any two variants is dealt from the same pack, and
any round can be looked at again (`record_round`). Rounds are played in chunks of a fixed size whose counts are whole
numbers: the result is the same for any number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from time import perf_counter
from typing import NamedTuple, TypeAlias

from rummy_engine.actions import Action
from rummy_engine.bots import check_bot, make_bot
from rummy_engine.bots.at_random import at_random
from rummy_engine.chance import chance_rng, check_seed, is_whole
from rummy_engine.errors import MatchError, RummyError
from rummy_engine.game import Game, Policy, load
from rummy_engine.hints import presentable
from rummy_engine.match import Variant
from rummy_engine.record import Record
from rummy_engine.state import DEALER, RoundResult, State
from rummy_engine.tally import Tally

CHUNK = 25
"""Rounds that are played, counted and handed over together: at most these are lost when a run is stopped."""
MAX_WORKERS = 61
"""The most processes that are started, whatever is asked for: the most that every system allows."""

Bots: TypeAlias = str | Policy | Sequence[str | Policy]
"""A line-up: names of built-in bots or functions of your own. They sit round the table in turn, from seat 0."""
Progress: TypeAlias = Callable[[int, int], None]
"""Told now and then (rounds played, rounds to play)."""


class BotError(MatchError):
    """A bot raised an error or returned what is not legal.

    `bot` is its name, `seat` where it sat; `seed`, `round` and `dealer` say which round it was, and `record` holds the
    round up to there.
    """

    def __init__(self, fault: str, bot: str, seat: int, seed: int, round: int, record: Record) -> None:
        self.fault, self.bot, self.seat, self.seed, self.round, self.record = fault, bot, seat, seed, round, record
        where = f"round {round} of {record.game.profile.meta.name} for {record.players}, seed {seed}"
        super().__init__(f"bot {bot!r:.60} (seat {seat}) {fault} ({where}, after {len(record.actions)} actions)")

    def __reduce__(self) -> tuple[type[BotError], tuple[object, ...]]:
        return type(self), (self.fault, self.bot, self.seat, self.seed, self.round, self.record)


@dataclass(frozen=True, slots=True)
class Setup:
    """What is played: a game, a number of seats, and the bots that sit round the table in turn."""

    game: Game
    players: int
    bots: tuple[str | Policy, ...]

    @classmethod
    def of(cls, variant: Variant, players: int | None = None, bots: Bots = "easy") -> Setup:
        """The setup, checked; `players` None: the fewest that the variant allows. Raises RummyError."""
        game = variant if isinstance(variant, Game) else load(variant)
        count = game.profile.players.min if players is None else players
        game.rules(count)
        lineup = tuple(bots) if isinstance(bots, Sequence) and not isinstance(bots, str) else (bots,)
        if not 1 <= len(lineup) <= count:
            raise RummyError(f"a line-up for {count} players names 1 to {count} bots, not {len(lineup)}")
        for bot in lineup:
            if not callable(bot):
                check_bot(bot)
        return cls(game, count, lineup)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bots; of a function, its own."""
        return tuple(map(_name_of, self.bots))

    def seats(self) -> tuple[Policy, ...]:
        """The bot on each seat."""
        bots = [bot if callable(bot) else make_bot(bot, self.game) for bot in self.bots]
        return tuple(bots[seat % len(bots)] for seat in range(self.players))


@dataclass(slots=True)
class Simulation:
    """A setup and what came of it. `seconds` is the time all workers together spent on it, and no part of equality."""

    setup: Setup
    seed: int
    tally: Tally = field(default_factory=Tally)
    seconds: float = field(default=0.0, compare=False)
    complete: bool = False
    """Whether all rounds were played, and the run not stopped before."""


class Played(NamedTuple):
    """A finished round: its result, the player actions it took, and all actions, chance included."""

    result: RoundResult
    plies: int
    actions: list[Action]
    start: State


def simulate(
    variant: Variant,
    players: int | None = None,
    bots: Bots = "easy",
    rounds: int = 1000,
    seed: int = 1,
    *,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Plays seeded rounds and counts what happens.

    >>> simulate("gin-classic", bots=("easy", "random"), rounds=4, seed=1).tally.rounds
    4

    `workers` processes share the work, or the `executor` does (bots of your own must then be picklable). Ctrl-C stops:
    what was counted till then is returned, with `complete` False. Raises RummyError for anything out of range before a
    round is played, and BotError where a bot breaks its contract.
    """
    return run([Setup.of(variant, players, bots)], rounds, seed, workers, executor, progress)[0]


def run(
    setups: Sequence[Setup],
    rounds: int,
    seed: int,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> list[Simulation]:
    """`simulate` for several setups, each with the same rounds; they advance together."""
    check_run(rounds, seed, workers)
    simulations = [Simulation(setup, seed) for setup in setups]
    report = progress or (lambda done, total: None)
    total, done = rounds * len(setups), 0
    jobs = (
        Job(place, setup, seed, first, min(first + CHUNK, rounds + 1))
        for first in range(1, rounds + 1, CHUNK)
        for place, setup in enumerate(setups)
    )
    report(0, total)
    # Ctrl-C keeps the chunks that are done: each is taken in by one assignment, so none is counted by half.
    with suppress(KeyboardInterrupt), closing(_results(jobs, min(workers, MAX_WORKERS), executor)) as results:
        for place, tally, seconds in results:
            simulations[place].tally += tally
            simulations[place].seconds += seconds
            done += tally.rounds
            report(done, total)
    for simulation in simulations:
        simulation.complete = simulation.tally.rounds == rounds
    return simulations


def check_run(rounds: object, seed: object, workers: object) -> None:
    """Raises RummyError for a number of rounds, a seed or a number of workers that is out of range."""
    for what, value in (("rounds", rounds), ("workers", workers)):
        if not is_whole(value) or value < 1:
            raise RummyError(f"the number of {what} is a whole number from 1, not {presentable(value)!r:.40}")
    check_seed(seed)


def record_round(variant: Variant, players: int | None, bots: Bots, seed: int, number: int) -> Record:
    """One round (from 1) of a run again, as a record of all that happened.

    Raises BotError with the record up to there where a bot breaks its contract.
    """
    check_run(number, seed, 1)
    setup = Setup.of(variant, players, bots)
    played = _play(setup, setup.seats(), seed, number)
    return Record.of(setup.game, played.start, played.actions, round_seed(seed, number))


def round_seed(seed: int, number: int) -> int:
    """The seed of a round (from 1) of a run: 53 bits, drawn as `chance` draws for the match with the run's seed."""
    return int(chance_rng(seed, number).random() * 2**53)


# ------------------------------------------------------------------------------------------------------------ chunks


class Job(NamedTuple):
    """One chunk: the rounds from `first` up to, not including, `end` of the setup at `place` of a run."""

    place: int
    setup: Setup
    seed: int
    first: int
    end: int


def _run_job(job: Job) -> tuple[int, Tally, float]:
    """Plays a chunk; runs in the workers."""
    began = perf_counter()
    setup = Setup(_kept(job.setup.game), job.setup.players, job.setup.bots)
    seats, tally = setup.seats(), Tally()
    for number in range(job.first, job.end):
        played = _play(setup, seats, job.seed, number)
        tally.count(played.result, played.plies, len(setup.bots))
    return job.place, tally, perf_counter() - began


@lru_cache(64)
def _kept(game: Game) -> Game:
    """The first game that came with this profile: a worker gets a new copy with every chunk and compiles but one."""
    return game


Results: TypeAlias = Generator[tuple[int, Tally, float], None, None]
"""Of each chunk: the place of its setup, its counts, and how long it took, in seconds."""


def _results(jobs: Iterator[Job], workers: int, executor: Executor | None) -> Results:
    if executor is not None:
        yield from _shared(jobs, executor, 16)
    elif workers == 1:
        yield from map(_run_job, jobs)
    else:
        from concurrent.futures import ProcessPoolExecutor

        pool = ProcessPoolExecutor(workers, initializer=_leave_interrupts_to_parent)
        try:
            yield from _shared(jobs, pool, 2 * workers)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _shared(jobs: Iterator[Job], executor: Executor, ahead: int) -> Results:
    """Hands the jobs out, never more than `ahead` at a time, and yields what comes back, in the order it comes."""
    pending: set[Future[tuple[int, Tally, float]]] = set()
    try:
        while True:
            while len(pending) < ahead and (job := next(jobs, None)) is not None:
                pending.add(executor.submit(_run_job, job))
            if not pending:
                return
            finished, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in finished:
                yield future.result()
    except BrokenExecutor as error:
        raise RummyError(f"a worker process died: {error}") from error
    finally:
        for future in pending:
            future.cancel()


def _leave_interrupts_to_parent() -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


# ------------------------------------------------------------------------------------------------------------- rounds


def _play(setup: Setup, seats: Sequence[Policy], seed: int, number: int) -> Played:
    """Plays one round. A bot has a generator of its own per seat, so that no bot's luck depends on another."""
    game, players = setup.game, setup.players
    own_seed = round_seed(seed, number)
    rngs: list[Random] = [chance_rng(own_seed, -1 - seat) for seat in range(players)]
    start = state = game.start(players, number % players)
    actions: list[Action] = []
    chances = 0
    while True:
        seat = state.seat
        if seat == DEALER:
            if state.result is not None:
                return Played(state.result, len(actions) - chances, actions, start)
            chances += 1
            action = game.chance(state, chance_rng(own_seed, chances))
        elif seats[seat] is at_random:
            action = at_random(None, game.legal(state), rngs[seat])
        else:
            view = game.view(state, seat)
            try:
                action = seats[seat](view, view.legal, rngs[seat])
                fault = "" if action in view.legal else f"returned {action!r:.80}, which is not legal"
            except Exception as error:
                fault = f"raised {type(error).__name__}: {error!s:.200}"
            if fault:
                record = Record.of(game, start, actions, own_seed)
                bot = _name_of(setup.bots[seat % len(setup.bots)])
                raise BotError(fault, bot, seat, seed, number, record)
        actions.append(action)
        state = game.apply_unchecked(state, action)


def _name_of(bot: str | Policy) -> str:
    return bot if isinstance(bot, str) else str(getattr(bot, "__name__", type(bot).__name__))
