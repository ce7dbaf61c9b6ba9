"""The bot that plays at random: the yardstick for every other."""

from __future__ import annotations

from rummy_engine.actions import Action
from rummy_engine.game import Random
from rummy_engine.view import View


def at_random(view: View | None, legal: tuple[Action, ...], rng: Random) -> Action:
    """Any legal action, each as likely as the others; the view is not looked at."""
    return legal[int(rng.random() * len(legal))]
