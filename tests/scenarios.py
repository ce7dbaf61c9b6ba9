"""Scenarios as data: a position, what is played and asked there, and how it must come out.

In a position seat 0 is to act and has drawn, unless it says otherwise. A step is an action to play, or one of:
`may: A`, `not: A` (or `not: A (REASON)`), `only: A, B` (the legal actions, all of them), `only discard: A, B` (those
that begin with the word), `renew` (the dealer's shuffle). `expect` compares what `READ` names; `melds` lists all the
melds of a hand, `deadwood` the exact minimum of one and `left` the cards it leaves; `refused` says that the profile
or the position is no good.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import rummy_engine as rummy
from tests.helpers import cards, hand, legal, may, melds, on_table, play, refused, renew, result, zone

Reader = Callable[[rummy.Game, rummy.State], object]


def _of_result(name: str) -> Reader:
    def read(rules: rummy.Game, state: rummy.State) -> object:
        value = getattr(result(state), name)
        return list(value) if isinstance(value, tuple) else value

    return read


def _winner(rules: rummy.Game, state: rummy.State) -> object:
    winner = result(state).winner
    return "nobody" if winner is None else winner


RESULT_FIELDS = ("kind", "points", "left", "tabled", "bonus", "doubled", "standing", "turns")

READ: Mapping[str, Reader] = {
    **{name: _of_result(name) for name in RESULT_FIELDS},
    "winner": _winner,
    "playing": lambda rules, state: state.result is None,
    "hands": lambda rules, state: [hand(state, seat) for seat in range(len(state.hands))],
    "table": lambda rules, state: on_table(state),
    "pile": lambda rules, state: zone(state.pile),
    "stock": lambda rules, state: zone(state.stock),
    "stock_size": lambda rules, state: len(state.stock),
    "seat": lambda rules, state: state.seat,
    "dealer": lambda rules, state: state.dealer,
    "round": lambda rules, state: state.round,
    "phase": lambda rules, state: rules.phase(state),
    "scores": lambda rules, state: list(state.scores),
    "over": lambda rules, state: rules.is_over(state),
    "winners": lambda rules, state: list(rules.winners(state)),
}


@dataclass(frozen=True)
class Scenario:
    """One entry of a scenario file."""

    id: str
    says: str
    variant: str
    source: str = ""
    overrides: Mapping[str, Any] = field(default_factory=dict)
    position: Mapping[str, Any] | None = None
    steps: tuple[str, ...] = ()
    expect: Mapping[str, Any] = field(default_factory=dict)
    melds: Mapping[str, list[str]] = field(default_factory=dict)
    deadwood: Mapping[str, int] = field(default_factory=dict)
    left: Mapping[str, str] = field(default_factory=dict)
    refused: bool = False

    def __str__(self) -> str:
        return self.id

    def run(self) -> None:
        """Plays the scenario and asserts everything it says."""
        if self.refused:
            with pytest.raises((rummy.ProfileError, rummy.NotationError)):
                self._position(rummy.load(self.variant, dict(self.overrides) or None))
            return
        rules = rummy.load(self.variant, dict(self.overrides) or None)
        for held, found in self.melds.items():
            assert melds(rules, held) == set(found), held
        for held, points in self.deadwood.items():
            assert rummy.best_arrangement(held, rules).points == points, held
        for held, rest in self.left.items():
            assert rummy.best_arrangement(held, rules).left == rummy.parse_cards(rest), held
        if self.position is not None:
            self._play(rules, self._position(rules))

    def _position(self, rules: rummy.Game) -> rummy.State:
        return rules.position(**{"seat": 0, "phase": "play", **(self.position or {"hands": []})})

    def _play(self, rules: rummy.Game, state: rummy.State) -> None:
        for step in self.steps:
            state = take_step(rules, state, step)
        for name, value in self.expect.items():
            wanted = [cards(held) for held in value] if name == "hands" else value
            assert READ[name](rules, state) == wanted, name


def take_step(rules: rummy.Game, state: rummy.State, step: str) -> rummy.State:
    """Performs one step of a scenario; the state after it."""
    word, colon, rest = step.partition(":")
    rest = rest.strip()
    if step == "renew":
        return renew(rules, state)
    if not colon:
        return play(rules, state, step)
    if word == "may":
        assert may(rules, state, rest), f"{rest} is refused"
    elif word == "not":
        text, _, reason = rest.partition(" (")
        refused(rules, state, text, reason.removesuffix(")") or None)
    else:
        only, *words = word.split()
        assert only == "only", step
        assert legal(rules, state, *words) == {text.strip() for text in rest.split(",") if text.strip()}, step
    return state


def load_scenarios(name: str) -> list[Scenario]:
    """The scenarios of a TOML file beside this module; their ids must differ."""
    data = tomllib.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))
    found = [Scenario(**{**entry, "steps": tuple(entry.get("steps", ()))}) for entry in data["scenario"]]
    assert len({scenario.id for scenario in found}) == len(found)
    return found
