"""The laws of the engine over every shipped variant at every number of seats, and that each of them can fail."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rummy_engine as rummy
from rummy_engine.testing import LAWS, LawBroken, laws, strategies
from rummy_engine.testing.driving import drive, some_policies, some_start
from rummy_engine.testing.laws import GameLaw, Law, PlayLaw, StateLaw, StepLaw
from rummy_engine.testing.machine import machine_for
from rummy_engine.testing.policies import digger, even, tempter
from rummy_engine.testing.reducing import reduced
from tests.mutants import MUTANTS, Mutant

game = cache(rummy.load)
TABLES = tuple(
    (name, players)
    for name in rummy.variants()
    for players in range(game(name).profile.players.min, game(name).profile.players.max + 1)
)
"""Every shipped variant with every number of seats."""
EXAMPLES = 12
"""Plays per law, each of some variant at some table."""


@st.composite
def plays(draw: st.DrawFn, longest: int = 120) -> strategies.Play:
    """Plays of any shipped variant at any table."""
    name, players = draw(st.sampled_from(TABLES))
    return draw(strategies.plays(game(name), players, longest))


def named(kind: type[Law]) -> list[str]:
    """The laws of a kind."""
    return [law.name for law in LAWS.values() if isinstance(law, kind)]


@pytest.mark.parametrize("name", named(StateLaw))
@settings(max_examples=EXAMPLES, deadline=None)
@given(play=plays(), seed=strategies.seeds)
def test_law_of_states(name: str, play: strategies.Play, seed: int) -> None:
    law = LAWS[name]
    assert isinstance(law, StateLaw)
    for step in play.steps[-3:] if law.cost == "dear" else play.steps:
        law(play.game, step.after, seed)


@pytest.mark.parametrize("name", named(StepLaw))
@settings(max_examples=EXAMPLES, deadline=None)
@given(play=plays(), seed=strategies.seeds)
def test_law_of_steps(name: str, play: strategies.Play, seed: int) -> None:
    law = LAWS[name]
    assert isinstance(law, StepLaw)
    for step in play.steps[-3:] if law.cost == "dear" else play.steps:
        law(play.game, *step, seed)


@pytest.mark.parametrize("name", named(PlayLaw))
@settings(max_examples=EXAMPLES, deadline=None)
@given(play=plays(), seed=strategies.seeds)
def test_law_of_plays(name: str, play: strategies.Play, seed: int) -> None:
    law = LAWS[name]
    assert isinstance(law, PlayLaw)
    law(play.game, play.start, play.actions, seed)


@pytest.mark.parametrize("name", named(GameLaw))
@pytest.mark.parametrize("variant", rummy.variants())
def test_law_of_games(name: str, variant: str) -> None:
    law = LAWS[name]
    assert isinstance(law, GameLaw)
    law(game(variant))


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_every_table_keeps_every_law(variant: str, players: int) -> None:
    """One play each, the dear laws on a few of its steps."""
    rng = Random(f"{variant} {players}")
    start = game(variant).start(players)
    for step in drive(game(variant), start, rng, some_policies(players, rng), 60):
        for law in LAWS.values():
            if law.cost == "cheap" or rng.random() < 0.03:
                if isinstance(law, StateLaw):
                    law(game(variant), step.after, 1)
                elif isinstance(law, StepLaw):
                    law(game(variant), *step, 1)


CALLING: tuple[tuple[str, dict[str, object]], ...] = (
    ("rummy-500", {}),
    ("rummy-500", {"call.kind": "top", "wilds.swap": True}),
    ("rummy-500", {"lay.needs_own_meld": True, "deck.packs": 2}),
    ("rummy-500-floating", {}),
)


@pytest.mark.parametrize(("variant", "overrides"), CALLING)
def test_nothing_leaks_around_calls(variant: str, overrides: dict[str, object]) -> None:
    """Who is asked, who passes, what a caller takes: as if the hidden cards were others."""
    rules, met = rummy.load(variant, overrides), Counter[str]()
    for seed in range(12):
        rng, players = Random(seed), 3 + seed % 3
        start = rules.start(players, seed % players)
        for step in drive(rules, start, rng, [rng.choice((tempter, tempter, digger, even)) for _ in start.hands], 150):
            if "call" not in (step.before.phase, step.after.phase):
                continue
            what = f"{step.before.phase} {type(step.action).__name__}"
            met[what] += 1
            if met[what] <= 15:
                laws.events_do_not_leak(rules, *step, seed)
                laws.events_agree(rules, *step, seed)
                laws.no_leak(rules, step.after, seed)
    assert min(met[what] for what in ("play Discard", "call Call", "call Pass")) >= 5, met


def test_every_law_says_what_it_is_and_where_it_stands() -> None:
    for law in LAWS.values():
        assert law.sentence.endswith(".") and "\n" not in law.sentence
        assert law.clause.startswith("rules ")
        assert getattr(laws, law.name) is law


# ------------------------------------------------------------------------------------------------ the laws can fail


def broken_by(law: Law, rules: rummy.Game, plays: int = 60, steps: int = 80) -> LawBroken | None:
    """The first break of a law in some plays of a game, if it breaks at all."""
    for i in range(plays):
        rng = Random(i)
        seats = rules.profile.players
        players = seats.max if i % 2 else seats.min
        actions = []
        try:
            if isinstance(law, GameLaw):
                law(rules)
                return None
            start = some_start(rules, players, rng)
            for step in drive(rules, start, rng, some_policies(players, rng), steps):
                actions.append(step.action)
                if isinstance(law, StateLaw):
                    law(rules, step.after, i)
                elif isinstance(law, StepLaw):
                    law(rules, *step, i)
            if isinstance(law, PlayLaw):
                law(rules, start, actions, i)
        except LawBroken as broken:
            assert broken.law == law.name
            return broken
        except Exception:  # the mutant cannot even be played on
            continue
    return None


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.law)
def test_the_law_notices(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant.install(monkeypatch)
    broken = broken_by(LAWS[mutant.law], rummy.load(mutant.variant))
    assert broken is not None
    assert broken.fault and broken.sentence in str(broken)


def test_there_is_a_mutant_for_every_law() -> None:
    assert {mutant.law for mutant in MUTANTS} == LAWS.keys()


@pytest.mark.parametrize(
    "name", ["judges_agree", "points_follow", "no_leak", "replays", "twins_are_alike", "moves_what_it_says"]
)
def test_the_message_is_python_that_breaks_the_law_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant = next(mutant for mutant in MUTANTS if mutant.law == name)
    mutant.install(monkeypatch)
    broken = broken_by(LAWS[name], rummy.load(mutant.variant))
    assert broken is not None
    smaller = reduced(broken)
    assert len(str(smaller)) <= len(str(broken))
    for each in (broken, smaller):
        with pytest.raises(LawBroken) as again:
            exec(compile(each.script(), "counter-example", "exec"), {})
        assert again.value.law == name
    monkeypatch.undo()
    exec(compile(smaller.script(), "counter-example", "exec"), {})  # and the right engine keeps it


# ------------------------------------------------------------------------------------------------ the state machine

TestBasic = machine_for("basic").TestCase
TestBasic.settings = settings(max_examples=3, stateful_step_count=20, deadline=None)
TestRummy500 = machine_for("rummy-500", {"players.max": 4}).TestCase
TestRummy500.settings = settings(max_examples=3, stateful_step_count=20, deadline=None)
TestGin = machine_for("gin-knock").TestCase
TestGin.settings = settings(max_examples=3, stateful_step_count=20, deadline=None)
