"""Timing that compares: contenders take turns, so that a machine that slows down slows all of them.

A contender is a function of the repeat's number; it does the same work as the others of its table and returns
(seconds, units of work done). Seconds are of this process's processor time: other work on the machine does not count.
Medians over the repeats are shown, and how many times as long as the first contender the others take.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field

Run = Callable[[int], tuple[float, int]]
"""repeat number -> (seconds, units of work)"""


@dataclass
class Contender:
    """One row of a table; `run` is None where there is nothing to run, and `note` then says why."""

    name: str
    run: Run | None
    note: str = ""
    values: list[float] = field(default_factory=list)

    @property
    def median(self) -> float | None:
        """Microseconds per unit."""
        return statistics.median(self.values) if self.values else None


@dataclass
class Table:
    """Contenders that do the same work: `work` says what is timed, and one figure is the time of one `unit`."""

    title: str
    unit: str
    work: str
    contenders: list[Contender]
    milliseconds: bool = False
    """Whether to print milliseconds; else microseconds."""

    def measure(self, repeats: int) -> None:
        """Runs every contender once per repeat, in turn, each repeat beginning with another one.

        A repeat that does not count comes first, so that what a process does but once is done.
        """
        there = [each for each in self.contenders if each.run is not None]
        for repeat in (repeats, *range(repeats)):
            first = repeat % len(there) if there else 0
            for each in there[first:] + there[:first]:
                assert each.run is not None
                try:
                    seconds, units = each.run(repeat)
                except Exception as error:  # a peer that breaks is a row of the table, not the end of the run
                    each.run, each.values = None, []
                    each.note = f"failed: {type(error).__name__}: {error}"
                    there = [other for other in there if other is not each]
                    continue
                if repeat < repeats:
                    each.values.append(seconds / units * 1e6)

    def text(self) -> str:
        """The table as plain text."""
        scale, name = (1e3, "ms") if self.milliseconds else (1, "µs")
        lines = [f"{self.title} ({name} per {self.unit})", f"  {self.work}"]
        base = self.contenders[0].median
        for each in self.contenders:
            if each.median is None:
                lines.append(f"  {each.name:<58} {'-':>11}  {each.note}")
                continue
            ratio = f"{each.median / base:>8.2f}x" if base else " " * 9
            lines.append(f"  {each.name:<58} {each.median / scale:>11.2f} {ratio}  {each.note}".rstrip())
        return "\n".join(lines)

    def data(self) -> dict[str, object]:
        """The table as JSON data."""
        base = self.contenders[0].median
        rows = [
            {
                "name": each.name,
                "microseconds": each.median,
                "ratio": each.median / base if each.median is not None and base else None,
                "repeats": each.values,
                "note": each.note,
            }
            for each in self.contenders
        ]
        return {"title": self.title, "unit": self.unit, "work": self.work, "rows": rows}


def timed(work: Callable[[], int]) -> tuple[float, int]:
    """Runs `work`, which returns its units, and adds the seconds it took."""
    begin = time.process_time()
    units = work()
    return time.process_time() - begin, units


def missing(name: str, package: str) -> Contender:
    """The row of a peer that is not installed."""
    return Contender(name, None, f"not installed: {package}")
