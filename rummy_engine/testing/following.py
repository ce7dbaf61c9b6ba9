"""Doing again what a play did: actions by value or by text, each as `legal` lists it."""

from __future__ import annotations

from collections.abc import Iterable

from rummy_engine.actions import Action
from rummy_engine.game import Game
from rummy_engine.state import State


def read(game: Game, state: State, action: Action | str) -> Action:
    """The action that a text means: a listed one of this text, else what `game.parse` makes of it."""
    if not isinstance(action, str):
        return action
    # Not parsed at once: an engine under test may misread what it writes.
    listed = [each for each in game.legal(state) if str(each) == action]
    return listed[0] if listed else game.parse(state, action)


def move(game: Game, state: State, action: Action) -> State:
    """The state after an action, unchecked where it is listed: the plays of `verify` move like this."""
    if action in game.legal(state):
        return game.apply_unchecked(state, action)
    return game.apply(state, action)


def follow(game: Game, state: State, actions: Iterable[Action | str]) -> State:
    """The state after these actions, chance included; raises RummyError for one that this engine does not allow.

    >>> import rummy_engine as rummy
    >>> game = rummy.load("basic")
    >>> follow(game, game.position(hands=["2H", "4C 9D"], stock="5S 6S"), ["draw", "discard 9D"]).phase
    'draw'
    """
    for each in actions:
        state = move(game, state, read(game, state, each))
    return state
