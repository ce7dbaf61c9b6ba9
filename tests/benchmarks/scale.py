"""How much faster are more workers than one, and how long do 100 000 random rounds take? Wall-clock times, as a table.

    python tests/benchmarks/scale.py [--seconds 20] [--repeats 3] [--workers 2] [--variant gin-classic] [--bots easy]
                                     [--random-rounds 100000]

The number of rounds is chosen so that even the workers together take at least so many seconds. The contenders take
turns and medians count. A machine that does other work at the same time gives no figure to quote, so its load is
printed, and, from processor times, how much faster the workers could be if nothing but sharing the work held them up.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from rummy_engine.simulate import CHUNK, simulate

TARGET = 1.8
"""How many times as fast as one worker two are to be."""
LIMIT = 90.0
"""The seconds within which two workers are to play 100 000 random rounds of gin-classic."""


@dataclass
class Contender:
    """A number of workers, and what its runs took in seconds: on the clock, and of all processors together."""

    workers: int
    clock: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def run(self, variant: str, bots: list[str], rounds: int) -> None:
        """Plays, and notes the times."""
        began, busy = time.perf_counter(), processor_seconds()
        simulate(variant, bots=bots, rounds=rounds, workers=self.workers)
        self.clock.append(time.perf_counter() - began)
        self.processor.append(processor_seconds() - busy)

    def line(self, rounds: int, first: Contender) -> str:
        """Its row of the table; how many times as fast as the first."""
        median, base = statistics.median(self.clock), statistics.median(first.clock)
        runs = " ".join(f"{seconds:.1f}" for seconds in self.clock)
        return f"{self.workers:>7}  {median:>8.1f}  {rounds / median:>13.0f}  {base / median:>12.2f}x  {runs}"


def processor_seconds() -> float:
    """Of this process and of those it has waited for."""
    return sum(os.times()[:4])


def load() -> str:
    """What else the machine does."""
    average = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return f"load {average} on {os.cpu_count()} processors"


def enough_rounds(variant: str, bots: list[str], seconds: float) -> int:
    """Rounds that keep one worker busy for so many seconds of processor time, in whole chunks, and some more."""
    trial = Contender(1)
    simulate(variant, bots=bots, rounds=4 * CHUNK)  # compiles
    rounds = 20 * CHUNK
    trial.run(variant, bots, rounds)
    while trial.processor[-1] < 1:
        rounds *= 4
        trial.run(variant, bots, rounds)
    return CHUNK * (1 + int(1.2 * seconds * rounds / trial.processor[-1]) // CHUNK)


def speed_up(variant: str, bots: list[str], workers: int, seconds: float, repeats: int) -> None:
    """Measures and prints how much faster several workers are than one."""
    rounds = enough_rounds(variant, bots, workers * seconds)
    print(f"{rounds} rounds of {variant}, bots {','.join(bots)}; {load()}")
    contenders = [Contender(1), Contender(workers)]
    for _ in range(repeats):
        for each in contenders:
            each.run(variant, bots, rounds)
    one, more = contenders
    print("workers   seconds  rounds/second   times as fast  seconds of each run")
    for each in contenders:
        print(each.line(rounds, one), flush=True)
    bound = workers * statistics.median(one.processor) / statistics.median(more.processor)
    print(f"from processor times alone: at most {bound:.2f} times as fast; wanted of two workers: {TARGET}")
    shortest = min(one.clock + more.clock)
    if shortest < seconds:
        print(f"not to be quoted: a run took {shortest:.1f} s only")


def random_rounds(rounds: int, workers: int) -> None:
    """Measures and prints how long random rounds of gin-classic take."""
    print(f"\n{rounds} random rounds of gin-classic; {load()}")
    contender = Contender(workers)
    contender.run("gin-classic", ["random"], rounds)
    seconds = contender.clock[-1]
    print("workers   seconds  rounds/second  seconds of all processors")
    print(f"{workers:>7}  {seconds:>8.1f}  {rounds / seconds:>13.0f}  {contender.processor[-1]:.1f}")
    print(f"wanted of two workers for 100000: {LIMIT:.0f} s")


def main(arguments: list[str] | None = None) -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--seconds", type=float, default=20.0, help="what every run takes at least")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--variant", default="gin-classic")
    parser.add_argument("--bots", default="easy")
    parser.add_argument("--random-rounds", type=int, default=100_000, metavar="N", help="0: leave that table out")
    options = parser.parse_args(arguments)
    speed_up(options.variant, options.bots.split(","), options.workers, options.seconds, options.repeats)
    if options.random_rounds:
        random_rounds(options.random_rounds, options.workers)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
