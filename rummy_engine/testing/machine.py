"""A state machine for any game: hypothesis chooses what the dealer and the seats do, and the laws are kept all along.

    from rummy_engine.testing.machine import machine_for
    TestMyRummy = machine_for("my-rummy.toml").TestCase
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rummy_engine.actions import Action
from rummy_engine.game import Game, load
from rummy_engine.record import Record
from rummy_engine.state import DEALER, State
from rummy_engine.testing.arbitrary import arbitrary_actions
from rummy_engine.testing.driving import chance
from rummy_engine.testing.laws import LAWS, PlayLaw, StateLaw, StepLaw, judges_agree
from rummy_engine.testing.strategies import seeds

_SETTINGS = settings(max_examples=20, stateful_step_count=40, deadline=None)


class GameMachine(RuleBasedStateMachine):
    """One match being played. `game` is set by `machine_for`."""

    game: ClassVar[Game]

    def __init__(self) -> None:
        super().__init__()
        self.state: State | None = None
        self.start: State | None = None
        self.actions: list[Action] = []

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        """A new match with any number of seats."""
        seats = self.game.profile.players
        players = data.draw(st.integers(seats.min, seats.max), label="players")
        self.state = self.start = self.game.start(players, data.draw(st.integers(0, players - 1), label="dealer"))

    @precondition(lambda self: self._due())
    @rule(seed=seeds)
    def shuffle(self, seed: int) -> None:
        """The dealer deals, or shuffles the pile."""
        self._do(chance(self.game, self._now(), Random(seed)))

    @precondition(lambda self: self._acting())
    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        """The seat to act does anything that is legal."""
        self._do(data.draw(st.sampled_from(self.game.legal(self._now())), label="action"))

    @precondition(lambda self: self._acting())
    @rule(data=st.data())
    def act_rarely(self, data: st.DataObject) -> None:
        """The seat to act does something other than drawing and discarding, if it can."""
        legal = self.game.legal(self._now())
        rare = [action for action in legal if str(action).split()[0] not in ("draw", "discard")]
        self._do(data.draw(st.sampled_from(rare or legal), label="action"))

    @precondition(lambda self: self.state is not None)
    @rule(seed=seeds)
    def try_anything(self, seed: int) -> None:
        """Somebody tries what is mostly illegal, which changes nothing."""
        state = self._now()
        judges_agree(self.game, state, seed)
        for action in arbitrary_actions(self.game, state, Random(seed), 3):
            self.game.why_not(state, action)

    @precondition(lambda self: self.state is not None)
    @rule(seed=seeds)
    def look_closely(self, seed: int) -> None:
        """All that is dear to check holds here."""
        for law in LAWS.values():
            if isinstance(law, StateLaw) and law.cost == "dear":
                law(self.game, self._now(), seed)

    @precondition(lambda self: self.state is not None and len(self.actions) > 0)
    @rule()
    def save_and_load(self) -> None:
        """The match goes on from its record."""
        assert self.start is not None
        record = Record.from_json(Record.of(self.game, self.start, self.actions).to_json())
        assert record.replay() == self.state, "the record replays to another state"
        self.state = record.replay()

    @invariant()
    def laws_hold(self) -> None:
        """All that is cheap to check holds after every step."""
        if self.state is not None:
            for law in LAWS.values():
                if isinstance(law, StateLaw) and law.cost == "cheap":
                    law(self.game, self.state)

    def teardown(self) -> None:
        """The whole match replays."""
        if self.start is not None and self.actions:
            for law in LAWS.values():
                if isinstance(law, PlayLaw):
                    law(self.game, self.start, self.actions)

    def _do(self, action: Action) -> None:
        before = self._now()
        after = self.game.apply(before, action)
        for law in LAWS.values():
            if isinstance(law, StepLaw):
                law(self.game, before, action, after)
        self.actions.append(action)
        self.state = after

    def _now(self) -> State:
        assert self.state is not None, "a match has begun"
        return self.state

    def _due(self) -> bool:
        return self.state is not None and self.state.seat == DEALER and self.state.phase != "over"

    def _acting(self) -> bool:
        return self.state is not None and self.state.seat != DEALER


def machine_for(
    source: str | os.PathLike[str] | Mapping[str, Any] | Game, overrides: Mapping[str, Any] | None = None
) -> type[GameMachine]:
    """The state machine of a game: a shipped name, a path, a mapping or a `Game`. Give its `TestCase` to a test runner.

    Its settings are those of `TestCase.settings`, which may be replaced.
    """
    game = source if isinstance(source, Game) else load(source, overrides)
    name = "".join(part.capitalize() for part in game.profile.meta.name.split("-"))

    class Made(GameMachine):
        pass

    Made.game = game
    Made.__name__ = Made.__qualname__ = f"{name}Machine"
    Made.TestCase.settings = _SETTINGS
    return Made


