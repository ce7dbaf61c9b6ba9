"""Line-ups as people write them: names of built-in bots, and bots of one's own as module:name."""

from __future__ import annotations

import sys
from importlib import import_module

from rummy_engine.bots import Bot
from rummy_engine.errors import RummyError


def read_lineup(text: str) -> list[Bot]:
    """The bots of a text such as `easy,mine:hasty`: a module is imported, also from the current folder.

    Raises RummyError for a module that cannot be imported and for what is no bot; built-in names are not checked here.
    """
    found: list[Bot] = []
    for bot in text.split(","):
        module, colon, name = bot.strip().partition(":")
        if not colon:
            found.append(bot.strip())
            continue
        if "" not in sys.path:
            sys.path.insert(0, "")
        try:
            own = getattr(import_module(module), name)
        except Exception as error:  # a module of one's own can fail in any way
            raise RummyError(f"there is no bot {bot!r:.60}: {type(error).__name__}: {error!s:.200}") from error
        if not callable(own):
            raise RummyError(f"{bot!r:.60} is no bot: a bot is called with (view, legal, rng)")
        found.append(own)
    return found
