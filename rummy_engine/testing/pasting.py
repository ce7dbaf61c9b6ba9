"""Situations as Python text that pastes back: a game, a position, the actions after it, a law that breaks there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pprint import pformat
from typing import Any

from rummy_engine.actions import Action
from rummy_engine.errors import RummyError
from rummy_engine.game import Game, load
from rummy_engine.profiles.dials import dials
from rummy_engine.profiles.layers import variants
from rummy_engine.state import State

_WIDTH = 100
_ALWAYS_WRITTEN = ("hands", "seat", "phase")


def game_text(game: Game) -> str:
    """The expression that gives this game: a shipped name where there is one, else the dials that differ from defaults.

    >>> game_text(load("basic"))
    'rummy.load("basic")'
    """
    for name in variants():
        if load(name) == game:
            return f'rummy.load("{name}")'
    return f"rummy.load({pformat(short_profile(game), width=_WIDTH, sort_dicts=False)})"


def short_profile(game: Game) -> dict[str, Any]:
    """The profile as a mapping for `load`, without the dials that stand at their defaults."""
    defaults = {dial.path: dial.default for dial in dials() if not dial.required}
    short = _without(game.profile.to_dict(), defaults, "")
    if load(short) != game:  # a default that depends on another dial
        return game.profile.to_dict()
    return short


def _without(table: Mapping[str, Any], defaults: Mapping[str, object], path: str) -> dict[str, Any]:
    found = {}
    for name, value in table.items():
        here = f"{path}.{name}".lstrip(".")
        if isinstance(value, Mapping) and here not in defaults:
            value = _without(value, defaults, here)
            if not value and here != "match":
                continue
        elif here in defaults and defaults[here] == value:
            continue
        found[name] = value
    return found


def position_keywords(game: Game, state: State) -> dict[str, Any]:
    """The keywords of `game.position` for a state, without those that say what the position would be anyway.

    A state that no position gives back (a broken one) keeps all its keywords.
    """
    keywords = game.describe(state)
    for name in [name for name in keywords if name not in _ALWAYS_WRITTEN]:
        fewer = {other: value for other, value in keywords.items() if other != name}
        try:
            if game.position(**fewer) == state:
                keywords = fewer
        except Exception:  # an engine under test may fail at anything
            continue
    return keywords


def position_text(game: Game, state: State) -> str:
    """The expression that gives this state, one keyword a line; for one that nothing describes, what it holds."""
    if _undealt(game, state) is not None:
        return f"game.start({state.players}, dealer={state.dealer})"
    try:
        keywords = position_keywords(game, state)
    except Exception:
        return repr(state)
    lines = [f"    {name}={_value(value)},\n" for name, value in keywords.items()]
    return f"game.position(\n{''.join(lines)})"


def pasted(game: Game, state: State) -> State | None:
    """The state that `position_text` gives back: this one, if the engine is sound; None where it gives none."""
    try:
        return _undealt(game, state) or game.position(**position_keywords(game, state))
    except Exception:
        return None


def situation_lines(game: Game, state: State, lead: Iterable[Action] = ()) -> list[str]:
    """The lines that set up a game, a state of it, and the state that these actions lead to."""
    lines, lead = [f"game = {game_text(game)}", f"state = {position_text(game, state)}"], tuple(lead)
    return [*lines, f"state = laws.follow(game, state, {moves_text(lead)})"] if lead else lines


def _undealt(game: Game, state: State) -> State | None:
    """The start of a match, if this state is one."""
    try:
        start = game.start(state.players, state.dealer)
    except RummyError:
        return None
    return start if start == state else None


def _value(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _WIDTH else pformat(value, width=_WIDTH, sort_dicts=False).replace("\n", "\n    ")


def moves_text(actions: Iterable[Action]) -> str:
    """A list of actions in notation, one a line."""
    lines = [f'    "{action}",\n' for action in actions]
    return f"[\n{''.join(lines)}]" if lines else "[]"
