"""The bot that plays soundly: it counts outs, watches what is gone and what others took, and times its end."""

from __future__ import annotations

from rummy_engine.actions import Action
from rummy_engine.bots.knocker import Knocker
from rummy_engine.bots.tabler import Tabler
from rummy_engine.game import Game
from rummy_engine.knowledge.view import View
from rummy_engine.policy import Random


class Medium:
    """The medium bot for one game."""

    __slots__ = ("_player",)

    def __init__(self, game: Game) -> None:
        self._player = Tabler(game) if game.profile.knock is None else Knocker(game)

    def __call__(self, view: View, legal: tuple[Action, ...], rng: Random) -> Action:
        """What to do; the rng is not needed."""
        return legal[0] if len(legal) == 1 else self._player.choose(view, legal)
