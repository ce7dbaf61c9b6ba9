"""Perft: how many action sequences of each length lead on from a situation, for comparing engines.

Counts follow these rules, which another engine can keep without sharing any code:

* only the actions of seats count; a round that has ended is a leaf, and longer sequences do not pass through it;
* chance is no choice: the deal is given, and a reshuffle is made at once and leaves the cards in the order in which
  they lay, the pile from the bottom up (without what stays) and then the rest of the stock;
* `unique` counts the situations after exactly so many actions, equal ones (`Game.key`) once.

Deal files (`read_starts`) hold situations with their counts in TOML; the command counts from a seeded deal, or checks
such files:

    python -m rummy_engine.testing.perft rummy-500 --players 3 --depth 4 --seed 7 --divide
    python -m rummy_engine.testing.perft --check my-variant.toml
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import nextafter
from pathlib import Path
from typing import Any, TypeAlias

from rummy_engine.actions import Action, Discard, Draw, Knock, LayMeld, LayOff, Pass, Stop, Swap, Take, Call, Done
from rummy_engine.chance import chance_rng
from rummy_engine.errors import RummyError
from rummy_engine.game import Game, load
from rummy_engine.state import DEALER, State

Level: TypeAlias = dict[tuple[object, ...], tuple[State, int]]
"""The situations after so many actions, each with the number of sequences that lead to it."""


class _Unshuffled:
    """A source of chance with which the shuffle of `Game.chance` swaps every card with itself."""

    def random(self) -> float:
        return nextafter(1.0, 0.0)


def perft(game: Game, state: State, depth: int) -> int:
    """The number of action sequences of exactly this length; raises RummyError while a deal is due.

    >>> game = load("basic")
    >>> state = game.position(hands=["4C 9D", "2H 3H"], pile="KS", stock="5S 6S")
    >>> [perft(game, state, depth) for depth in range(4)]
    [1, 2, 5, 10]
    """
    if depth == 0:
        return 1
    *_, last = _levels(game, state, depth - 1)
    return sum(count * len(game.legal(after)) for after, count in last.values())


def unique(game: Game, state: State, depth: int) -> int:
    """The number of different situations after exactly so many actions, ended rounds among them.

    Different is what `game.key` tells apart; raises RummyError while a deal is due.
    """
    *_, last = _levels(game, state, depth)
    return len({game.key(after) for after, _ in last.values()})


def divide(game: Game, state: State, depth: int) -> dict[str, int]:
    """`perft` by first action, in the order of `legal`: where two engines differ, this says in which branch."""
    found = {}
    for action in game.legal(state) if depth else ():
        after = _settled(game, game.apply_unchecked(state, action))
        found[str(action)] = 1 if depth == 1 else perft(game, after, depth - 1) if not game.round_over(after) else 0
    return found


def _levels(game: Game, state: State, depth: int) -> Iterator[Level]:
    """The situations after 0, 1, … `depth` actions.

    Sequences that meet in one situation are followed together. What `key` leaves out may still decide what follows
    (the turn cap, the first turn of a knock, the idle turns of rules R29), so it is compared as well.
    """
    state = _settled(game, state)
    if state.phase == "deal" and state.result is None:
        raise RummyError("deal first: a deal is given, not counted")
    level: Level = {_exact(game, state): (state, 1)}
    yield level
    legal, apply, is_over = game.legal, game.apply_unchecked, game.round_over
    for _ in range(depth):
        following: Level = {}
        for before, count in level.values():
            if is_over(before):
                continue
            for action in legal(before):
                after = apply(before, action)
                if after.seat == DEALER:
                    after = _settled(game, after)
                key = _exact(game, after)
                known = following.get(key)
                following[key] = (after, count) if known is None else (known[0], known[1] + count)
        level = following
        yield level


def _settled(game: Game, state: State) -> State:
    """The state after the reshuffle that is due, if one is."""
    if state.phase == "reshuffle":
        return game.apply_unchecked(state, game.chance(state, _Unshuffled()))
    return state


def _exact(game: Game, state: State) -> tuple[object, ...]:
    return game.key(state), state.turns, state.idle
