"""The built-in bots. A bot is a function (view, legal, rng) -> action: it is shown a view, never a state.

A bot keeps nothing from one call to the next: the same view, legal actions and numbers from `rng` give the same action.
It is made for one game, whose rules it may consult as a player knows them. One bot a file.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any, TypeAlias, cast

from rummy_engine.bots.at_random import at_random
from rummy_engine.bots.easy import Easy
from rummy_engine.bots.hard import Hard
from rummy_engine.bots.medium import Medium
from rummy_engine.errors import RummyError
from rummy_engine.game import Game
from rummy_engine.hints import closest, presentable
from rummy_engine.policy import Policy

Bot: TypeAlias = str | Policy | type[Any]
"""The name of a built-in bot, a function of your own, or a class of your own that makes one from the game."""

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


def make_bot(bot: Bot, game: Game) -> Policy:
    """The bot for this game: a built-in one by its name; one of your own is a function, or a class made with the game.

    Raises RummyError for a name that no bot has, for what is no bot, and for a class that cannot be made.
    """
    if isinstance(bot, str) or not callable(bot):
        return _MAKERS[check_bot(bot)](game)
    if not isinstance(bot, type):
        return bot
    try:
        made = bot(game)
    except Exception as error:  # it is not our class
        raise RummyError(f"{bot.__name__}(game) makes no bot: {type(error).__name__}: {error!s:.200}") from error
    if not callable(made):
        raise RummyError(f"{bot.__name__}(game) is no bot: a bot is called with (view, legal, rng)")
    return cast(Policy, made)


def name_of(bot: Bot) -> str:
    """The name of a bot; of one of your own module:name, as on the command line, or the name alone where that will do.

    >>> name_of(make_bot), name_of(lambda view, legal, rng: legal[0])
    ('rummy_engine.bots:make_bot', '<lambda>')
    """
    if isinstance(bot, str):
        return bot
    own = bot if hasattr(bot, "__qualname__") else type(bot)
    name, module = str(own.__name__), str(own.__module__)
    importable = module != "__main__" and own.__qualname__.isidentifier()  # not in a script or function
    return f"{module}:{name}" if importable or name in _MAKERS else name
