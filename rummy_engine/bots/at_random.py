"""The bot that plays at random: the yardstick for every other."""

from __future__ import annotations

from rummy_engine.actions import Action
from rummy_engine.knowledge.view import View
from rummy_engine.policy import Random


def at_random(view: View | None, legal: tuple[Action, ...], rng: Random) -> Action:
    """Any legal action, each as likely as the others; the view is not looked at."""
    return legal[int(rng.random() * len(legal))]
