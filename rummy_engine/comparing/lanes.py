"""The bootstrap while counting: every sum is kept once as it is and `LANES` times with the deals weighted at random.

Resampling rounds with replacement gives each deal a weight that is, for many rounds, a Poisson number with mean 1. The
weights of a deal are fixed by the run's seed and its number, so they are the same in every process, for every variant
and for every line-up: a difference between two rows is resampled in pairs without keeping a single round. All lanes of
a sum are one long integer, so adding a deal costs one multiplication, and sums add up exactly in any order.
"""

from __future__ import annotations

from array import array
from hashlib import shake_128

LANES = 400
"""How often the rounds are resampled."""
LANE = 8
"""Bytes per lane: a weighted sum stays below 2**63 in size for some 10**12 rounds."""

_COUNTS = (95, 93, 47, 16, 4, 1)
"""Of 256 byte values, how many mean the weight 0, 1, 2, …: Poisson's, with a mean of exactly 1 (variance 1.008)."""
_WEIGHT_OF_BYTE = bytes(weight for weight, count in enumerate(_COUNTS) for _ in range(count))
_BIAS = sum(1 << 8 * LANE * (lane + 1) - 1 for lane in range(LANES))
"""2**63 in every lane: makes all lanes positive, so that they can be read apart."""


def weights(seed: int, deal: int) -> int:
    """The weights of a deal (from 1) of a run, one a lane."""
    drawn = shake_128(f"{seed}:weight:{deal}".encode("ascii")).digest(LANES)
    spaced = bytearray(LANES * LANE)
    spaced[::LANE] = drawn.translate(_WEIGHT_OF_BYTE)
    return int.from_bytes(spaced, "little")


def apart(lanes: int) -> list[int]:
    """The sums in the lanes.

    >>> sum(apart(-3 * weights(1, 1) + 2 * weights(1, 1))) == -sum(apart(weights(1, 1)))
    True
    """
    biased = array("Q", (lanes + _BIAS).to_bytes(LANES * LANE, "little"))
    if biased.itemsize != LANE:
        raise RuntimeError("this machine has no integers of eight bytes")
    return [each - (1 << 63) for each in biased]
