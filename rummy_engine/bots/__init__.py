"""The built-in bots. A bot is a function (view, legal, rng) -> action: it is shown a view, never a state.

A bot keeps nothing from one call to the next: the same view, legal actions and numbers from `rng` give the same action.
It is made for one game, whose rules it may consult as a player knows them. One bot a file.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from rummy_engine.bots.at_random import at_random
from rummy_engine.bots.easy import Easy
from rummy_engine.bots.hard import Hard
from rummy_engine.bots.medium import Medium
from rummy_engine.errors import RummyError
from rummy_engine.game import Game
from rummy_engine.hints import closest, presentable
from rummy_engine.policy import Policy

_MAKERS = MappingProxyType[str, Callable[[Game], Policy]](
    {
        "random": lambda game: at_random,
        "easy": Easy,
        "medium": Medium,
        "hard": Hard,
    }
)


def bots() -> tuple[str, ...]:
    """The names of the built-in bots, the weakest first.

    >>> bots()
    ('random', 'easy', 'medium', 'hard')
    """
    return tuple(_MAKERS)


def check_bot(name: object) -> str:
    """The name, if a bot has it; raises RummyError for any other."""
    if isinstance(name, str) and name in _MAKERS:
        return name
    near = closest(name, _MAKERS)
    hint = f" (did you mean {near!r}?)" if near else ""
    raise RummyError(f"there is no bot {presentable(name)!r:.60}: choose from {', '.join(_MAKERS)}{hint}")


def make_bot(name: str, game: Game) -> Policy:
    """The bot of that name for this game; raises RummyError for a name that no bot has."""
    return _MAKERS[check_bot(name)](game)
