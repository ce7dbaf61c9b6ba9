"""95 % intervals for what was counted. Counts and sums are whole numbers until the last step, so they add exactly."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import NamedTuple

LEVEL = 0.95
Z = 1.959963984540054
"""The 97.5 % point of the normal distribution."""


class Interval(NamedTuple):
    """An estimate with the bounds of its 95 % interval; None where there are too few rounds to say."""

    value: float | None
    low: float | None
    high: float | None

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
    return _rounded(share, max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale))


def mean_of(histogram: Mapping[int, int], per: int = 1) -> Interval:
    """The mean of the values of a histogram (value -> how often) over `per`, with its normal interval.

    >>> mean_of({10: 2, 20: 2})
    Interval(value=15.0, low=9.3420713296, high=20.6579286704)
    """
    count = sum(histogram.values())
    if not count:
        return UNKNOWN
    total = sum(value * often for value, often in histogram.items())
    mean = total / (count * per)
    if count < 2:
        return Interval(round(mean, 10), None, None)
    squares = sum(value * value * often for value, often in histogram.items())
    variance = (count * squares - total * total) / (count * (count - 1))
    spread = Z * sqrt(variance / count) / per
    return _rounded(mean, mean - spread, mean + spread)


def _rounded(*values: float) -> Interval:
    # Ten places: what is printed does not hang on the last bit of a machine's square root.
    return Interval(*(round(value, 10) for value in values))
