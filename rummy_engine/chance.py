"""Chance that can be repeated: the random generator of each deal and reshuffle of a match, derived from its seed.

Chance actions of a match are counted from 1; number 0 draws the first dealer. Number k uses a generator of its own, so
what the players do, undo or reload never changes a later one. To repeat a deal in another language:

1. n is the SHA-256 of the ASCII text "SEED:K" (decimal, without leading zeros), read as a big-endian integer;
2. a Mersenne Twister (MT19937) is initialised with `init_by_array`, given the 32-bit words of n, lowest word first,
   without zero words at the high end: that is `random.Random(n)`;
3. each number in [0, 1) is its `genrand_res53`: that is `.random()`;
4. the dealer is floor(number * players); a shuffle is `Game.chance`.

Seeding with an integer and `.random()` are the two things that Python promises to keep the same in every version.
"""

from __future__ import annotations

import hashlib
from random import Random
from typing import TypeGuard

from rummy_engine.errors import MatchError
from rummy_engine.hints import is_whole

MAX_SEED = 2**256 - 1


def fresh_seed() -> int:
    """A seed of 128 bits that nobody can guess."""
    from secrets import randbits  # only matches without a seed of their own need it

    return randbits(128)


def is_seed(value: object) -> TypeGuard[int]:
    """Whether a value is a seed: a whole number from 0 to 2**256 - 1."""
    return is_whole(value) and 0 <= value <= MAX_SEED


def check_seed(value: object) -> int:
    """The value, if it is a seed; raises MatchError for anything else."""
    if is_seed(value):
        return value
    found = ("a negative one" if value < 0 else "a larger one") if is_whole(value) else f"a {type(value).__name__}"
    raise MatchError(f"a seed is a whole number from 0 to 2**256 - 1, not {found}")


def chance_rng(seed: int, k: int) -> Random:
    """The generator of chance action number k (from 1) of the match with this seed.

    >>> [int(chance_rng(1, k).random() * 1000) for k in range(4)]
    [78, 736, 105, 364]
    """
    return Random(int.from_bytes(hashlib.sha256(f"{seed}:{k}".encode("ascii")).digest(), "big"))


def draw_dealer(seed: int, players: int) -> int:
    """The first dealer of the match with this seed (rules C9)."""
    return int(chance_rng(seed, 0).random() * players)
