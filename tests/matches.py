"""What the tests of matches and records share: seeded play of any shipped variant at any table."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import strategies as st

import rummy_engine as rummy
from rummy_engine.match import Chance

SEATINGS = tuple(
    (name, players)
    for name in rummy.variants()
    for profile in (rummy.load(name).profile,)
    for players in sorted({profile.players.min, min(4, profile.players.max), profile.players.max})
)
"""Every shipped variant with its fewest and most players, and four where it takes them."""

HUGE = pytest.param(10**5000, id="huge")
"""A number that Python refuses to print."""

seatings = st.sampled_from(SEATINGS)
seeds = st.integers(0, 2**32)


@cache
def compiled(variant: str) -> rummy.Game:
    """A shipped variant with a short match, so that tests see the end of one."""
    return rummy.load(variant, {"match.rounds": 2, "match.tie": "share", "ending.max_turns": 40})


def start(seating: tuple[str, int], seed: int, chance: Chance | None = None) -> rummy.Match:
    """A match of a seating."""
    variant, players = seating
    return rummy.Match(compiled(variant), players, seed=seed, chance=chance)


def play(match: rummy.Match, rng: random.Random, most: int) -> list[rummy.Action]:
    """Plays up to `most` actions, drawing, tabling and ending turns alike; returns them."""
    played: list[rummy.Action] = []
    while len(played) < most and not match.over:
        kinds: dict[str, list[rummy.Action]] = {}
        for action in match.legal():
            kinds.setdefault(str(action).split()[0], []).append(action)
        actions = list(kinds.values())[int(rng.random() * len(kinds))]
        played.append(actions[int(rng.random() * len(actions))])
        match.play(played[-1])
    return played


def complaint(attempt: Callable[[], object]) -> tuple[str, ...] | None:
    """The error of an attempt as (class, text), or None; anything but a RummyError is let through."""
    try:
        attempt()
    except rummy.RummyError as error:
        return type(error).__name__, str(error)
    return None
