"""Does each bot beat the one below? Paired deals of every variant between two players, seats swapped.

    python tests/benchmarks/strength.py [--bots hard,medium] [--variants basic,gin-knock] [--pairs 2000] [--matches 300]
                                        [--seed 1] [--workers 2] [--json FILE]
    python tests/benchmarks/strength.py --speed [--bots medium] [--variants …] [--seconds 2]

Every deal is played twice, so that either bot has either hand. "ahead" is how many points a round the better bot makes
more than the other (where few points are good: fewer), the mean over the two rounds of a pair and over all pairs, with
its 95 % interval (bootstrap over pairs); "matches" is the share of whole matches that it wins, seats swapped too.
`--speed` prints how many rounds a second one core plays when the same bot sits on both seats. Ctrl-C ends the run and
keeps what is known.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import rummy_engine as rummy
from rummy_engine.bots import bots, check_bot
from rummy_engine.compare import Row, compare
from rummy_engine.comparing.intervals import Interval, resampled
from rummy_engine.simulate import CHUNK, simulate


@dataclass(frozen=True)
class Strength:
    """What two bots did against each other in a variant."""

    variant: str
    better: str
    worse: str
    pairs: int
    """Deals, each played with both seatings."""
    ahead: Interval
    matches: int
    """Matches, every one of them played with both seatings."""
    matches_won: Interval
    complete: bool

    @property
    def shown(self) -> bool:
        """Whether the first bot is better beyond doubt."""
        return self.ahead.low is not None and self.ahead.low > 0

    def line(self) -> str:
        """A row of the table."""
        value, low, high = (_number(each, "+.2f") for each in self.ahead)
        ahead = f"{value:>8} {low:>8} … {high:7}"
        won = ""
        if self.matches:
            value, low, high = (_number(each, ".0%") for each in self.matches_won)
            won = f"{self.matches:8} {value:>5} ({low}–{high})"
        mark = "" if self.shown else "  not shown"
        return f"{self.variant:26}{self.pairs:6}  {ahead} {won}{mark}{'' if self.complete else '  stopped early'}"


HEAD = f"{'variant':26}{'pairs':>6}  {'ahead':>8} {'95 % interval':>17}  {'matches':>8} {'won':>5}"


def strength(variant: str, better: str, worse: str, pairs: int, matches: int, seed: int, workers: int) -> Strength:
    """Plays single rounds for the points, and matches for the share of them won."""
    rounds = compare([variant], 2, [(better, worse)], rounds=pairs, seed=seed, workers=workers, progress=_progress)
    row, complete = rounds.rows[0], rounds.complete
    won, played = Interval(None, None, None), 0
    if matches and complete:
        whole = compare(
            [variant], 2, [(better, worse)], matches=matches, seed=seed, workers=workers, progress=_progress
        )
        won, played, complete = whole.rows[0].by_bot[0].matches_won, whole.rows[0].matches // 2, whole.complete
    return Strength(variant, better, worse, row.tally.take("deals"), ahead(row), played, won, complete)


def ahead(row: Row) -> Interval:
    """How many points a round the first bot of a row is ahead of the second."""
    sign = 1 if row.best == "highest" else -1
    names = ("bot_points_0", "bot_points_1", "plays")

    def mean(first: int, second: int, plays: int) -> float | None:
        return sign * (first - second) / plays if plays else None

    lanes = zip(*map(row.tally.resampled, names), strict=True)
    return resampled(mean(*map(row.tally.take, names)), [mean(*each) for each in lanes])


def speed(variant: str, bot: str, seconds: float) -> float:
    """Rounds a second on one core, both seats played by the bot; the time for making and looking at views is in it."""
    simulate(variant, 2, bot, rounds=CHUNK, seed=2)  # compiles
    played, began, seed = 0, time.process_time(), 3
    while (spent := time.process_time() - began) < seconds:
        played += simulate(variant, 2, bot, rounds=CHUNK, seed=seed).tally.rounds
        seed += 1
    return played / spent


def strengths(options: argparse.Namespace) -> Iterator[Strength]:
    """All that was asked for; ends early on Ctrl-C."""
    for better, worse in options.bots:
        print(f"\n{better} against {worse}\n{HEAD}", flush=True)
        for variant in options.variants:
            found = strength(variant, better, worse, options.pairs, options.matches, options.seed, options.workers)
            if found.pairs:
                print(found.line(), flush=True)
                yield found
            if not found.complete:
                return


def main(arguments: Sequence[str] | None = None) -> int:
    """Plays, prints, and writes the figures as JSON; 1 if a bot did not beat the other beyond doubt."""
    levels = [f"{better},{worse}" for worse, better in pairwise(bots())]
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument(
        "--bots", action="append", metavar="BETTER,WORSE", help=f"default: {' '.join(reversed(levels))}"
    )
    parser.add_argument("--variants", type=lambda text: text.split(","), default=list(rummy.variants()), metavar="A,B")
    parser.add_argument("--pairs", type=int, default=2000, help="deals, each played twice")
    parser.add_argument("--matches", type=int, default=300, help="matches, each played twice; 0: none")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures there")
    parser.add_argument("--speed", action="store_true", help="rounds a second instead")
    parser.add_argument("--seconds", type=float, default=2.0, help="per figure of --speed")
    options = parser.parse_args(arguments)
    machine = f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}"
    if options.speed:
        named = [name for text in options.bots for name in text.split(",")] if options.bots else bots()
        data = _speeds(named, options.variants, options.seconds)
    else:
        named = [text.split(",") for text in options.bots or reversed(levels)]
        options.bots = [(check_bot(better), check_bot(worse)) for better, worse in named]
        found = list(strengths(options))
        data = {"seed": options.seed, "strengths": [_plain(each) for each in found]}
    if options.json:
        options.json.write_text(json.dumps({"machine": machine, **data}, indent=1) + "\n")
    return 0 if options.speed or all(each.shown for each in found) else 1


def _speeds(names: Sequence[str], variants: Sequence[str], seconds: float) -> dict[str, Any]:
    print(f"rounds a second on one core, two players\n{'variant':26}" + "".join(f"{name:>10}" for name in names))
    table: dict[str, dict[str, float]] = {}
    for variant in variants:
        print(f"{variant:26}", end="", flush=True)
        table[variant] = {}
        for name in names:
            table[variant][name] = round(speed(variant, check_bot(name), seconds), 1)
            print(f"{table[variant][name]:10.1f}", end="", flush=True)
        print()
    return {"rounds_per_second": table}


def _plain(found: Strength) -> dict[str, Any]:
    return {**asdict(found), "ahead": found.ahead.to_dict(), "matches_won": found.matches_won.to_dict()}


def _number(value: float | None, form: str) -> str:
    return "?" if value is None else format(value, form)


def _progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done} of {total}", end="\r", file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
