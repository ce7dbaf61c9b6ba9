"""How much faster are two workers than one? Wall-clock times of whole comparisons, the median of three runs each.

    python tests/benchmarks/scale.py [--seconds 20] [--workers 2] [--variant gin-classic] [--bots easy]

The number of rounds is chosen so that one worker takes at least so many seconds. The two contenders take turns. A
machine that does other work at the same time gives no figure to quote, so the load at the start is printed, and, from
processor times, how much faster the workers could be if nothing but their sharing the work held them up.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from pathlib import Path


def main(arguments: list[str] | None = None) -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--seconds", type=float, default=20.0, help="what one worker takes at least")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--variant", default="gin-classic")
    parser.add_argument("--bots", default="easy")
    options = parser.parse_args(arguments)

    from rummy_engine.simulate import CHUNK, simulate

    def processor_seconds() -> float:
        return sum(os.times()[:4])  # of this process and of those it has waited for

    def seconds(rounds: int, workers: int) -> float:
        began, busy = time.perf_counter(), processor_seconds()
        simulate(options.variant, bots=options.bots.split(","), rounds=rounds, workers=workers)
        spent.setdefault(workers, []).append(processor_seconds() - busy)
        return time.perf_counter() - began

    spent: dict[int, list[float]] = {}
    seconds(4 * CHUNK, 1)  # compiles
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors" if hasattr(os, "getloadavg") else ""
    trial = 20 * CHUNK
    rounds = CHUNK * (1 + int(1.15 * options.seconds / (seconds(trial, 1) / trial)) // CHUNK)
    print(f"{rounds} rounds of {options.variant}, bots {options.bots}; {load}", flush=True)
    spent.clear()
    times: dict[int, list[float]] = {1: [], options.workers: []}
    for _ in range(options.repeats):
        for workers, found in times.items():
            found.append(seconds(rounds, workers))
            print(f"  {workers} workers: {found[-1]:.1f} s, {rounds / found[-1]:.0f} rounds a second", flush=True)
    one, more = (statistics.median(found) for found in times.values())
    print(f"medians: {one:.1f} s and {more:.1f} s, {one / more:.2f} times as fast with {options.workers} workers")
    alone, shared = (statistics.median(found) for found in spent.values())
    bound = options.workers * alone / shared
    print(f"processor time: {alone:.1f} s and {shared:.1f} s, so at most {bound:.2f} times as fast")
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    raise SystemExit(main())
