"""95 % intervals: Wilson's for shares of independent rounds, the bootstrap's for everything else."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from typing import NamedTuple

LEVEL = 0.95
Z = 1.959963984540054
"""The 97.5 % point of the normal distribution."""
FEW = 30
"""Fewer deals than this are too few for the bootstrap, which then finds too little variation."""
FEWEST = 50
"""With fewer usable resamples no interval is given."""


class Interval(NamedTuple):
    """An estimate with the bounds of its 95 % interval; None where there are too few rounds to say."""

    value: float | None
    low: float | None
    high: float | None

    @property
    def width(self) -> float | None:
        """From bound to bound; None where there are none."""
        return None if self.low is None or self.high is None else self.high - self.low

    def to_dict(self) -> dict[str, float | None]:
        """As plain data."""
        return self._asdict()


UNKNOWN = Interval(None, None, None)


def share_of(count: int, total: int) -> Interval:
    """The share `count` out of `total`, with Wilson's interval.

    >>> share_of(1, 4)
    Interval(value=0.25, low=0.0455872608, high=0.6993581574)
    """
    if not total:
        return UNKNOWN
    share = count / total
    spread = Z * sqrt(share * (1 - share) / total + Z * Z / (4 * total * total))
    middle = share + Z * Z / (2 * total)
    scale = 1 + Z * Z / total
    return rounded(share, max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale))


def resampled(value: float | None, resamples: Iterable[float | None]) -> Interval:
    """An estimate with the middle 95 % of its resamples; those that say nothing (None) are left out.

    >>> resampled(0.5, [k / 100 for k in range(101)])
    Interval(value=0.5, low=0.02, high=0.98)
    """
    if value is None:
        return UNKNOWN
    usable = sorted(each for each in resamples if each is not None)
    if len(usable) < FEWEST:
        return Interval(round(value, 10), None, None)
    outside = int(len(usable) * (1 - LEVEL) / 2 + 1e-9)
    return rounded(value, usable[outside], usable[-1 - outside])


def number(value: float, places: int) -> str:
    """The number as text, never as a zero with a sign.

    >>> number(-0.04, 1), number(-0.06, 1)
    ('0.0', '-0.1')
    """
    return f"{round(value, places) + 0.0:.{places}f}"


def rounded(*values: float) -> Interval:
    """Ten places: what is printed does not hang on the last bit of a machine's square root."""
    return Interval(*(round(value, 10) + 0.0 for value in values))
