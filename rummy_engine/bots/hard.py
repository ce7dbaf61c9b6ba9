"""The bot that searches: it plays out what it might do in worlds that fit its view, and keeps what does best.

Its first thought is the medium bot's move. Another one takes its place only if it did better in the same worlds by more
than chance explains, so that a small budget costs strength and never sense. The budget is a number of worlds, not a
time: the same view and the same numbers give the same move on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt

from rummy_engine.actions import Action
from rummy_engine.bots.knocker import Knocker
from rummy_engine.bots.quick import Quick
from rummy_engine.bots.tabler import SOUND, Style, Tabler
from rummy_engine.bots.worlds import Worlds
from rummy_engine.errors import RummyError
from rummy_engine.game import Game
from rummy_engine.hints import is_whole, presentable
from rummy_engine.knowledge.view import View
from rummy_engine.policy import Random
from rummy_engine.state import State

KEEN = Style(SOUND.weights._replace(danger=20.0), reads=True, close_if_capped=8, late_if_capped=8)
"""How it plays at first thought where melds are tabled turn by turn. A seat that is read is worth more care."""
SAMPLES = 24
"""Worlds per move at most."""
BATCH = 8
"""Worlds after which the moves that fall behind are given up."""
DOUBT = 1.0
"""Standard errors that a move must be ahead of the first thought to take its place."""
BEHIND = 0.5
"""Standard errors behind the first thought at which a move is given up: soon, for most are no better."""


class Hard:
    """The hard bot for one game. `samples`: the most worlds it plays out per move; raises RummyError for less than 1.

    >>> from random import Random
    >>> from rummy_engine import load
    >>> game = load("gin-knock")
    >>> hands = ["AS AH AD AC 9S 9H 9D 9C 2H 3D KH", "2C 5C 7D 8D TD JH QS KS 4S 6C"]
    >>> state = game.position(hands=hands, phase="play", seat=0, dealer=1)
    >>> view = game.view(state, 0)
    >>> str(Hard(game, samples=8)(view, view.legal, Random(1)))
    'knock KH'
    """

    def __init__(self, game: Game, samples: int = SAMPLES) -> None:
        if not is_whole(samples) or samples < 1:
            raise RummyError(f"a search plays out 1 world or more, not {presentable(samples)!r:.40}")
        self._game = game
        self._samples = samples
        self._player = Tabler(game, KEEN) if game.profile.knock is None else Knocker(game)
        self.worlds = Worlds(game)
        """Where it takes its worlds from."""
        self._sign = 1 if game.profile.match.best == "highest" else -1
        self._quick: dict[int, Quick] = {}

    def __call__(self, view: View, legal: tuple[Action, ...], rng: Random) -> Action:
        """What to do; the rng draws the worlds."""
        if len(legal) == 1:
            return legal[0]
        first = self._player.choose(view, legal)
        others = [option for option in self._player.options(view, legal, first) if option != first]
        return self._search(view, [first, *others], rng) if others else first

    # ---------------------------------------------------------------------------------------------------- search

    def _search(self, view: View, options: Sequence[Action], rng: Random) -> Action:
        """The option that does best in the worlds, the first unless another is surely better."""
        leads: list[list[float]] = [[] for _ in options]
        alive = list(range(1, len(options)))
        worlds = self.worlds.draw(view, rng)
        for sample in range(1, self._samples + 1):
            world = next(worlds)
            base = self._outcome(view, world, options[0], rng)
            for index in alive:
                leads[index].append(self._outcome(view, world, options[index], rng) - base)
            if sample % BATCH == 0:
                alive = [index for index in alive if _mean(leads[index]) + BEHIND * _error(leads[index]) > 0]
                if not alive:
                    return options[0]
        surely = [(_mean(leads[index]) - DOUBT * _error(leads[index]), index) for index in alive]
        best, index = max(surely)
        return options[index] if best > 0 else options[0]

    def _outcome(self, view: View, world: State, action: Action, rng: Random) -> float:
        """The points of the seat, less the mean of the others', when the world is played on after the action."""
        players = view.players
        quick = self._quick.get(players)
        if quick is None:
            quick = self._quick[players] = Quick(self._game, players)
        points = quick.points(world, action, rng)
        mine = points[view.to_act]
        return self._sign * (mine - (sum(points) - mine) / (players - 1))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _error(values: Sequence[float]) -> float:
    """The standard error of the mean; infinite for a single value."""
    mean, n = _mean(values), len(values)
    if n < 2:
        return inf
    return sqrt(sum((value - mean) ** 2 for value in values) / (n * (n - 1)))
