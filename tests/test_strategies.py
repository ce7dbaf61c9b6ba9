"""Strategies of `rummy_engine.testing`: what makes a property fail is told in notation, as lines that paste back."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import rummy_engine as rummy
from rummy_engine.testing import laws, strategies
from rummy_engine.text import position

GAMES = (
    rummy.load("rummy-500"),
    rummy.load("gin-knock", {"knock.limit": 7}),
)


def told(strategy: st.SearchStrategy[Any], holds: Callable[[Any], bool]) -> tuple[Any, dict[str, Any]]:
    """The value that breaks a property, and the names that the lines shown with the failure define."""
    seen: list[Any] = []

    # Unshrunk, which is faster: the notes are made in the same way.
    @settings(derandomize=True, database=None, deadline=None, max_examples=300, phases=[Phase.generate])
    @given(strategy)
    def property_of_a_user(value: Any) -> None:
        seen.append(value)
        assert holds(value)

    with pytest.raises(AssertionError) as caught:
        property_of_a_user()
    names: dict[str, Any] = {"rummy": rummy, "laws": laws}
    lines = takewhile(lambda note: not note.startswith(("Failing", "Falsifying")), caught.value.__notes__)
    exec(compile("\n".join(lines), "notes", "exec"), names)
    return seen[-1], names


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.profile.meta.name)
def test_a_state_is_told_as_a_position(game: rummy.Game) -> None:
    state, names = told(strategies.states(game), lambda state: not state.table and sum(state.known) == 0)
    assert names["state"] == state and names["game"] == game


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.profile.meta.name)
def test_a_step_is_told_as_a_position_and_an_action(game: rummy.Game) -> None:
    step, names = told(strategies.steps(game), lambda step: len(step.after.table) == len(step.before.table))
    assert names["state"] == step.before
    assert game.apply(names["state"], names["action"]) == step.after


def test_a_play_and_a_record_are_told_with_their_actions() -> None:
    for game in GAMES:
        play, names = told(strategies.plays(game), lambda play: len(play.actions) < 12)
        assert names["state"] == play.start and laws.follow(game, names["state"], names["actions"]) == play.end
        assert len(repr(play)) < 50
        record, names = told(strategies.records(game), lambda record: len(record.actions) < 5)
        assert tuple(names["actions"]) == record.actions
        assert laws.follow(game, names["state"], names["actions"]) == record.replay()


def test_a_match_is_told_with_its_actions() -> None:
    game = rummy.load("basic", {"match.target": 20})
    play, names = told(strategies.matches(game, 2), lambda play: False)
    assert laws.follow(game, names["state"], names["actions"]) == play.end


def test_actions_are_told_as_text() -> None:
    game = GAMES[0]
    state = game.position(hands=["2H 3D", "4C 9D"], pile="KS", stock="5S 6S")
    for strategy in (strategies.legal_actions(game, state), strategies.actions(game, state)):
        action, names = told(strategy, lambda action: False)
        assert game.parse(state, names["action"]) == action
    action, names = told(strategies.legal_actions(game, game.start(2)), lambda action: False)
    assert names["action"] == str(action)


def test_a_state_that_no_position_gives_is_told_by_the_way_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that cannot describe a state in the middle of a turn."""
    right = position.describe

    def describe(state: rummy.State) -> dict[str, object]:
        if state.phase == "play":
            raise KeyError("lost")
        return right(state)

    monkeypatch.setattr(position, "describe", describe)
    game = rummy.load("basic")
    state, names = told(strategies.states(game), lambda state: state.phase != "play" or not state.table)
    assert names["state"] == state


def test_pytest_shows_it(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text('''
import rummy_engine as rummy
from hypothesis import given
from rummy_engine.testing import strategies

game = rummy.load("basic")

@given(strategies.steps(game))
def test_nobody_melds(step):
    assert not str(step.action).startswith("meld")
''')
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mine.py"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    lines = [line.removeprefix("E").strip() for line in done.stdout.splitlines()]
    assert 'game = rummy.load("basic")' in lines and "state = game.position(" in lines
    assert any(line.startswith('action = "meld ') for line in lines)
