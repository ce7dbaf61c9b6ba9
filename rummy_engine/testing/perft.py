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
from dataclasses import dataclass
from math import nextafter
from pathlib import Path
from typing import Any, TypeAlias

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
    return dict(_branches(game, state, depth))


def _branches(game: Game, state: State, depth: int) -> Iterator[tuple[str, int]]:
    for action in game.legal(state) if depth else ():
        after = _settled(game, game.apply_unchecked(state, action))
        yield str(action), 1 if depth == 1 else perft(game, after, depth - 1) if not game.round_over(after) else 0


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


def counts(game: Game, state: State, depth: int) -> Iterator[tuple[int, int]]:
    """(`perft`, `unique`) for the lengths 1, 2, … `depth`, in one pass."""
    levels = _levels(game, state, depth)
    next(levels)
    for level in levels:
        sequences = sum(count for _, count in level.values())
        yield sequences, len({game.key(after) for after, _ in level.values()})


# ---------------------------------------------------------------------------------------------------- deal files


@dataclass(frozen=True)
class Start:
    """One situation of a deal file and its counts, for the lengths 1, 2, …"""

    title: str
    game: Game
    state: State
    sequences: tuple[int, ...]
    unique: tuple[int, ...]

    def differences(self, most: int | None = None) -> Iterator[str]:
        """What does not agree, one sentence each; lengths with more sequences than `most` are left out."""
        depth = sum(most is None or number <= most for number in self.sequences)
        for length, (sequences, found) in enumerate(counts(self.game, self.state, depth), start=1):
            for what, number, listed in (("sequences", sequences, self.sequences), ("situations", found, self.unique)):
                if length <= len(listed) and number != listed[length - 1]:
                    yield f"{self.title}, length {length}: {number} {what}, expected {listed[length - 1]}"


def read_starts(path: str | Path) -> tuple[Start, ...]:
    """The situations of a deal file. Raises RummyError for a file that is none, OSError for one that cannot be read.

    A file names its `variant` (a shipped one, or a profile beside the file) and perhaps `[overrides]`. Each `[[start]]`
    has a `title`, either `players` and `deal` (the cards in dealing order; `dealer` is 0 unless it says so) or a
    `position` (the keywords of `Game.position`), the texts of actions that come `after`, and the lists `sequences` and
    `unique`.
    """
    path = Path(path)
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        variant = content["variant"]
        game = load(path.parent / variant if variant.endswith(".toml") else variant, content.get("overrides"))
        return tuple([_start(game, entry) for entry in content["start"]])
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError, AttributeError, ValueError) as error:
        raise RummyError(f"{path} is no deal file: {type(error).__name__}: {error}") from error


def _start(game: Game, entry: Mapping[str, Any]) -> Start:
    if "position" in entry:
        state = game.position(**entry["position"])
    else:
        state = game.apply(game.start(entry["players"], entry.get("dealer", 0)), f"deal {entry['deal']}")
    for text in entry.get("after", ()):
        state = game.apply(state, text)
    return Start(entry["title"], game, state, tuple(entry["sequences"]), tuple(entry["unique"]))


# -------------------------------------------------------------------------------------------------- the command


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code: 1 if a deal file does not agree, 2 for bad input, 130 for Ctrl-C."""
    parser = argparse.ArgumentParser(
        prog="python -m rummy_engine.testing.perft", description="Counts action sequences from a seeded deal."
    )
    parser.add_argument("name", nargs="?", help="a variant, by name or as a .toml file")
    parser.add_argument("--players", type=int, help="the number of seats (default: the fewest)")
    parser.add_argument("--depth", type=int, default=4, help="the longest sequences, in actions (default: 4)")
    parser.add_argument("--seed", type=int, default=0, help="of the deal (default: 0)")
    parser.add_argument("--divide", action="store_true", help="the sequences of this length by first action")
    parser.add_argument("--unique", action="store_true", help="the number of different situations as well")
    parser.add_argument("--check", nargs="+", metavar="FILE", help="compare with the counts of deal files")
    options = parser.parse_args(arguments)
    if (options.name is None) == (options.check is None):
        parser.error("give either a variant or --check and deal files")
    try:
        if options.check is not None:
            return _check(options.check)
        _print(options)
    except (RummyError, OSError) as error:
        print(f"perft: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("perft: interrupted; what was counted by then is printed", file=sys.stderr)
        return 130
    return 0


def _print(options: argparse.Namespace) -> None:
    if options.depth < 0:
        raise RummyError(f"the depth must not be negative, and {options.depth} is")
    game = load(options.name)
    start = game.start(game.profile.players.min if options.players is None else options.players)
    deal = game.chance(start, chance_rng(options.seed, 1))
    state = game.apply(start, deal)
    print(deal, flush=True)
    if options.divide:
        total = 0
        for text, count in _branches(game, state, options.depth):
            print(f"{text}: {count}", flush=True)
            total += count
        print(f"{total} sequences of {options.depth} actions")
    elif options.unique:
        for length, (sequences, found) in enumerate(counts(game, state, options.depth), start=1):
            print(f"{length}: {sequences} sequences, {found} situations", flush=True)
    else:
        for length in range(1, options.depth + 1):
            print(f"{length}: {perft(game, state, length)} sequences", flush=True)


def _check(paths: Sequence[str]) -> int:
    agree = True
    for path in paths:
        for start in read_starts(path):
            wrong = list(start.differences())
            agree = agree and not wrong
            print("\n".join(f"{path}: {text}" for text in wrong or [f"{start.title}: agrees"]), flush=True)
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
