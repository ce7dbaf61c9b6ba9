"""Counter-examples of `verify` are files: they show the fault of any broken engine, and pass with the right one."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

import rummy_engine as rummy
from rummy_engine import record
from rummy_engine.knowledge import sampling
from rummy_engine.melds.arrange import Arranger
from rummy_engine.record import Record
from rummy_engine.rules.deal import DealRules
from rummy_engine.rules.discard import DiscardRules
from rummy_engine.rules.draw import DrawRules
from rummy_engine.rules.ending import Ending
from rummy_engine.rules.scoring import RoundScore
from rummy_engine.rules.table import Table
from rummy_engine.rules.turn import Turn
from rummy_engine.testing import LawBroken, Report, laws, verify
from rummy_engine.testing.following import follow
from rummy_engine.testing.reducing import reduced
from rummy_engine.testing.verify import UNWRITTEN
from rummy_engine.text import notation, position
from tests.mutants import MUTANTS, Mutant


def run(script: str) -> None:
    """Runs a counter-example as a file would be, in a process of its own: no game is kept from another engine."""
    record._compile.cache_clear()
    exec(compile(script, "counter-example", "exec"), {})


def verified(variant: str, examples: int) -> Report:
    """A run whose games are all compiled by the engine as it is now."""
    record._compile.cache_clear()
    return verify(rummy.load(variant), examples, seed=1)


def shown(report: Report) -> list[LawBroken]:
    """The counter-examples that say they bring the fault back, each of which does."""
    told = [broken for broken in report.broken if UNWRITTEN not in broken.fault]
    for broken in told:
        with pytest.raises(LawBroken) as again:
            run(broken.script())
        assert again.value.law == broken.law
    return told


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.law)
def test_every_counter_example_runs(
    mutant: Mutant, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mutant.install(monkeypatch)
    report = verified(mutant.variant, 4)
    told = shown(report)
    assert told == report.broken
    assert "BROKEN" in report.text() or not told
    monkeypatch.undo()
    for broken in told:
        capsys.readouterr()
        run(broken.script())  # another engine comes through, and says how far
        assert capsys.readouterr().out.startswith("This engine ")


def test_an_engine_that_allows_too_much(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The right engine refuses the action of the example, and says so instead of breaking the law."""
    monkeypatch.setattr(DiscardRules, "allowed", lambda self, state: state.hands[state.seat])
    monkeypatch.setattr(Turn, "discard", lambda self, state, action: state._replace(turns=state.turns + 2))
    game = rummy.load("basic")
    state = game.position(hands=["2H 3D", "4C 9D KS"], phase="play", taken="KS")
    with pytest.raises(LawBroken) as caught:
        laws.turns_are_counted(game, state, "discard KS")
    with pytest.raises(LawBroken):
        run(caught.value.script())
    monkeypatch.undo()
    run(caught.value.script())
    assert "does not come to that situation: discard KS" in capsys.readouterr().out


# ------------------------------------------------------------------------------------------ engines that fail anywhere

FALLIBLE: tuple[tuple[object, str], ...] = (
    (DrawRules, "draw"),
    (Turn, "discard"),
    (DealRules, "deal"),
    (DealRules, "refuse_deal"),
    (RoundScore, "score"),
    (Ending, "is_deadlock"),
    (Table, "fits"),
    (Arranger, "best"),
    (position, "describe"),
    (position, "make_position"),
    (notation, "parse_action"),
    (sampling, "sample_state"),
    *((rummy.Game, name) for name in ("start", "chance", "legal", "apply", "apply_unchecked", "view", "events")),
)
NOTHING_IS_AN_ANSWER = ("is_deadlock", "refuse_deal")


def crash(*arguments: object, **keywords: object) -> object:
    """Fails as an engine does that has lost something."""
    raise KeyError("lost")


def nothing(*arguments: object, **keywords: object) -> object:
    """Gives nothing where something is due."""
    return None


@pytest.mark.parametrize(
    ("owner", "name", "fault"),
    [
        (owner, name, fault)
        for owner, name in FALLIBLE
        for fault in (crash, nothing)
        if fault is crash or name not in NOTHING_IS_AN_ANSWER
    ],
    ids=lambda each: getattr(each, "__name__", each),
)
def test_whatever_fails_is_reported(
    owner: object, name: str, fault: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, name, fault)
    report = verified("basic", 2)
    assert "no law was broken" not in report.text()
    assert report.faults or shown(report) or (report.broken and owner is position)


@pytest.mark.parametrize("name", ["known", "hands", "stock", "table", "result"])
def test_a_description_with_holes_costs_the_reduction_only(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = position.describe
    monkeypatch.setattr(position, "describe", lambda state: {**right(state), name: 3})
    report = verified("basic", 6)
    assert "position_reads_back" in {broken.law for broken in report.broken}
    shown(report)


# ---------------------------------------------------------------------------------------------------------- reductions


def broken_replay(game: rummy.Game, length: int) -> LawBroken:
    """A play of so many actions whose record does not replay."""
    state, actions = game.start(3), list[rummy.Action]()
    rng = Random(1)
    start = state
    while len(actions) < length:
        actions.append(rng.choice(game.legal(state) or (game.chance(state, rng),)))
        state = game.apply(state, actions[-1])
    with pytest.raises(LawBroken) as caught:
        laws.replays(game, start, actions)
    return caught.value


def test_a_play_is_reduced_to_its_guilty_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Record.replay

    def replay(self: Record, upto: int | None = None) -> rummy.State:
        state = right(self, upto)
        taken = sum(text.startswith("take") for text in self.actions)
        return state._replace(turns=state.turns + 1) if taken > 1 and upto is None else state

    monkeypatch.setattr(Record, "replay", replay)
    broken = broken_replay(rummy.load("basic"), 120)
    smaller = reduced(broken)
    actions = list(map(str, smaller.case.actions))
    assert [actions[0], actions[-1]] == ["take", "take"] and actions.count("take") == 2
    with pytest.raises(LawBroken, match="replays"):
        run(smaller.script())


def test_following_reads_what_is_listed_and_refuses_the_rest() -> None:
    game = rummy.load("basic")
    state = game.position(hands=["2H 3D", "4C 9D"], pile="KS", stock="5S 6S")
    after = follow(game, state, ["take", "discard 9d"])
    assert after == game.apply(game.apply(state, "take"), "discard 9D")
    for wrong in (["discard 4C"], ["draw", "discard 2H"], ["deal"], ["nonsense"]):
        with pytest.raises(rummy.RummyError):
            follow(game, state, wrong)
