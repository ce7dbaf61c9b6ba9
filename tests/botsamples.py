"""Bots for tests: they can be sent to other processes, and some break their contract."""

from __future__ import annotations

import os

import rummy_engine as rummy
from rummy_engine.bots.at_random import at_random
from rummy_engine.policy import Random


def at_random_by_view(view: rummy.View, legal: tuple[rummy.Action, ...], rng: Random) -> rummy.Action:
    """As the random bot, but by way of a view."""
    assert view.legal == legal
    return at_random(view, legal, rng)


def raises_late(view: rummy.View, legal: tuple[rummy.Action, ...], rng: Random) -> rummy.Action:
    """Raises in its third turn."""
    if view.turns >= 4:
        raise ValueError("no idea\nleft")
    return at_random(view, legal, rng)


def raises_at_times(view: rummy.View, legal: tuple[rummy.Action, ...], rng: Random) -> rummy.Action:
    """Fails in some rounds, whoever plays them."""
    if rng.random() < 0.002:
        raise ValueError("a bad moment")
    return legal[0]


def raises_rarely(view: rummy.View, legal: tuple[rummy.Action, ...], rng: Random) -> rummy.Action:
    """Fails in few rounds."""
    if rng.random() < 0.0002:
        raise ValueError("a bad moment")
    return legal[0]


FAILS = "RUMMY_TEST_BOT_FAILS"


def fails_if_told(view: rummy.View, legal: tuple[rummy.Action, ...], rng: Random) -> rummy.Action:
    """Fails in few rounds, as long as the environment says so."""
    if rng.random() < 0.0002 and FAILS in os.environ:
        raise ValueError("a bad moment")
    return legal[0]


def dies(view: rummy.View, legal: tuple[rummy.Action, ...], rng: Random) -> rummy.Action:
    """Takes its process with it."""
    os._exit(3)


class Counting:
    """Is made with a game: it plays the action whose place the number of its cards says."""

    def __init__(self, game: rummy.Game) -> None:
        self.cards = game.profile.deck.size(2)

    def __call__(self, view: rummy.View, legal: tuple[rummy.Action, ...], rng: Random) -> rummy.Action:
        return legal[self.cards % len(legal)]


class Odd:
    """Cannot be compared with anything."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("not comparable")

    __hash__ = None  # type: ignore[assignment]  # Python's way to say: not hashable
