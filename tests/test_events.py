"""Events: what each action tells to whom, and the law that nothing hidden is told."""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rummy_engine as rummy
from rummy_engine.knowledge.events import (
    ALL,
    Called,
    Dealt,
    Discarded,
    Drew,
    Event,
    Everything,
    Knocked,
    LaidOff,
    MatchEnded,
    Melded,
    Passed,
    Renewed,
    RoundEnded,
    Skipped,
    Spread,
    Took,
)
from rummy_engine.melds.shapes import Meld
from tests.helpers import game, play, renew, table_of
from tests.knowledge import faces, reached, swap_hidden, swap_twins, tables, viewers, walk

Told = tuple[Event, ...]


def told(rules: rummy.Game, state: rummy.State, text: str, seat: int | Everything | None = None) -> Told:
    """What playing this tells to a seat."""
    action = rules.parse(state, text)
    return rules.events(state, action, rules.apply(state, action), seat)


def card(text: str) -> rummy.Card:
    """One face."""
    (face,) = faces(text)
    return face


def names(events: Told) -> list[str]:
    """The names of the events."""
    return [type(event).__name__ for event in events]


def test_a_deal_shows_a_seat_its_own_hand() -> None:
    rules = game("gin-knock")
    before = rules.start(2, dealer=1)
    action = rules.chance(before, random.Random(1))
    after = rules.apply(before, action)
    own = rules.view(after, 0).hand
    hidden = (None,) * 10
    assert rules.events(before, action, after, 0) == (Dealt(1, 1, (own, hidden), after.pile[0], 31),)
    assert rules.events(before, action, after) == (Dealt(1, 1, (hidden, hidden), after.pile[0], 31),)
    assert rules.events(before, action, after, ALL) == (
        Dealt(1, 1, (own, rules.view(after, 1).hand), after.pile[0], 31),
    )


def test_a_drawn_card_is_seen_by_the_seat_alone() -> None:
    rules = game("basic")
    state = rules.position(hands=["KC", "2C 3C"], stock="7H 2S", dealer=1)
    assert told(rules, state, "draw", 0) == told(rules, state, "draw", ALL) == (Drew(0, card("7H")),)
    assert told(rules, state, "draw", 1) == told(rules, state, "draw") == (Drew(0, None),)


def test_a_draw_that_everybody_knows_is_seen_by_all() -> None:
    rules = game("rummy-2-6")
    state = rules.position(hands=["KC", "2C 3C"], stock="7H 2S", stock_known=1, dealer=1)
    assert told(rules, state, "draw", 1) == (Drew(0, card("7H")),)


def test_taking_from_the_pile_is_public() -> None:
    rules = game("rummy-500")
    state = rules.position(hands=["8S 8D", "2C 3C"], pile="5D 8H KC QD", dealer=1)
    assert told(rules, state, "take", 1) == (Took(0, faces("QD")),)
    assert told(rules, state, "take 3") == (Took(0, faces("8H KC QD")),)


def test_table_actions() -> None:
    rules = game("rummy-500")
    state = table_of(rules, "4H JK 6H 3S 8S KC", "2C 3C", table=["4S 5S 6S", "8H 8D 8C"])
    assert told(rules, state, "meld 4H JK=5H 6H", 1) == (Melded(0, 2, faces("4H JK 6H"), faces("4H 5H 6H")),)
    assert told(rules, state, "layoff 3S @0") == (LaidOff(0, 0, card("3S"), card("3S"), "low"),)
    assert told(rules, state, "layoff JK=7S @0") == (LaidOff(0, 0, card("JK"), card("7S"), "high"),)
    assert told(rules, state, "layoff 8S @1") == (LaidOff(0, 1, card("8S"), card("8S"), None),)
    assert told(rules, state, "discard KC", 1) == (Discarded(0, card("KC")),)


def test_a_swap_is_a_lay_off_of_its_own_kind() -> None:
    rules = game("rummy-500", wilds__swap=True)
    state = table_of(rules, "5H 9C 9D 9S", "2C 3C", table=["4H JK=5H 6H"])
    assert told(rules, state, "swap 5H @0", 1) == (LaidOff(0, 0, card("5H"), card("5H"), None, swap=True),)


def test_an_offer_declined() -> None:
    rules = game("gin-knock")
    state = renew(rules, rules.start(2))
    assert told(rules, state, "pass") == (Passed(1, "offer"),)
    assert told(rules, state, "take") == (Took(1, state.pile),)


def test_R23_a_call_skips_the_seats_before_the_caller() -> None:
    rules = game("rummy-500")
    hands = ["KC QD", "9C 9D", "TD 3H", "3C 4D"]
    state = rules.position(hands=hands, pile="4S 8H", table=["0: 5H 6H 7H"], seat=0, phase="call", by=1)
    assert told(rules, state, "call", 1) == (Called(0, faces("8H")), Skipped((2, 3)))
    assert told(rules, state, "pass") == (Passed(0, "call"),)
    state = rules.position(hands=hands, pile="4S 8H", table=["0: 5H 6H 7H"], seat=2, phase="call", by=1)
    assert told(rules, state, "call") == (Called(2, faces("8H")),)


def test_stop_ends_the_round() -> None:
    rules = game("rummy-500")
    state = rules.position(hands=["KC QD", "9C 9D"], pile="4S 8H", stock="", dealer=1)
    events = told(rules, state, "stop", 1)
    assert events[0] == Passed(0, "pile") and names(events) == ["Passed", "RoundEnded"]


def test_A10_the_last_discard_is_seen_by_the_seat_alone() -> None:
    rules = game("basic")
    state = table_of(rules, "8S", "4C 5C", pile="KC", stock="2S")
    for seat in (1, None):
        first, ended = told(rules, state, "discard 8S", seat)
        assert first == Discarded(0, None, face_down=True)
        assert isinstance(ended, RoundEnded) and ended.hands == ((), faces("4C 5C"))
        assert "8S" not in json.dumps([first.to_dict(), ended.to_dict()])
    for viewer in (0, ALL):
        assert told(rules, state, "discard 8S", viewer)[0] == Discarded(0, card("8S"), face_down=True)


def test_the_end_of_a_match() -> None:
    rules = game("basic")
    state = table_of(rules, "8S", "4C 5C", "KD", scores=[140, 20, 30])
    _, ended, match = told(rules, state, "discard 8S")
    assert isinstance(ended, RoundEnded) and ended.scores == (178, 20, 30) and ended.result.winner == 0
    assert match == MatchEnded((0,), (1, 3, 2))


def test_a_pile_turned_over() -> None:
    rules = game("rummy-2-6")
    state = table_of(rules, "8S QD", "4C 5C", pile="KC 2D", stock="")
    assert told(rules, state, "discard 8S") == (Discarded(0, card("8S")), Renewed("turn_over", 3, 0))


def test_a_pile_shuffled() -> None:
    rules = game("basic")
    before = play(rules, table_of(rules, "8S QD", "4C 5C", pile="KC 2D", stock=""), "discard 8S")
    action = rules.chance(before, random.Random(1))
    assert rules.events(before, action, rules.apply(before, action), ALL) == (Renewed("shuffle", 2, 1),)


def test_a_draw_that_only_renews_the_stock() -> None:
    rules = game("rummy-2-6", stock__check="on_draw")
    state = rules.position(hands=["8S QD", "4C 5C"], pile="KC 2D", stock="", dealer=1)
    assert told(rules, state, "draw", 0) == (Renewed("turn_over", 2, 0),)


# ------------------------------------------------------------------------------------------------------------ knocks


SPREAD = Meld("set", faces("8S 8H 8D"), faces("8S 8H 8D"), (0, 0, 0), 0)
RUN = Meld("run", faces("4S 5S 6S"), faces("4S 5S 6S"), (0, 0, 0), 0)
HANDS = ("8S 8H 8D 4S 5S 6S 2D KC", "3S 2S 8C KD", "7S QC")


def test_a_knock_and_the_answers_step_by_step() -> None:
    rules = game("gin-knock")
    state = table_of(rules, *HANDS, pile="9D", stock="JD")
    assert told(rules, state, "knock KC") == (Knocked(0, card("KC"), "knock"),)
    state = play(rules, state, "knock KC")
    assert told(rules, state, "meld 8S 8H 8D") == (Melded(0, 0, faces("8S 8H 8D"), faces("8S 8H 8D")),)
    state = play(rules, state, "meld 8S 8H 8D", "meld 4S 5S 6S")
    assert told(rules, state, "done", 1) == (Spread(0, (SPREAD, RUN), faces("2D")),)
    state = play(rules, state, "done")
    assert told(rules, state, "layoff 3S @1") == (LaidOff(1, 1, card("3S"), card("3S"), "low"),)
    state = play(rules, state, "layoff 3S @1", "layoff 8C @0")
    assert told(rules, state, "done", 1) == (Spread(1, (), faces("2S KD")),)
    assert told(rules, state, "done", 2) == told(rules, state, "done", 0) == (Spread(1, (), (None, None)),)
    state = play(rules, state, "done")
    spread, ended = told(rules, state, "done", 0)
    assert spread == Spread(2, (), faces("7S QC"))
    assert isinstance(ended, RoundEnded) and ended.hands == (faces("2D"), faces("2S KD"), faces("7S QC"))


def test_a_knock_when_everything_is_laid_at_once() -> None:
    rules = game("gin-knock", knock__spread="best", knock__respond="best")
    state = table_of(rules, *HANDS, pile="9D", stock="JD")
    kinds = [meld.kind for meld in play(rules, state, "knock KC").table]
    of_eights, of_spades = kinds.index("set"), kinds.index("run")
    events = told(rules, state, "knock KC", 2)
    assert events[0] == Knocked(0, card("KC"), "knock")
    assert isinstance(events[1], Spread) and set(events[1].melds) == {SPREAD, RUN} and events[1].left == faces("2D")
    low = [LaidOff(1, of_spades, each, each, "low") for each in faces("3S 2S")]
    assert set(events[2:5]) == {*low, LaidOff(1, of_eights, card("8C"), card("8C"), None)}
    assert [event for event in events[2:5] if event in low] == low  # in an order in which they fit
    assert events[5:8] == (
        Spread(1, (), faces("KD")),
        LaidOff(2, of_spades, card("7S"), card("7S"), "high"),
        Spread(2, (), faces("QC")),
    )
    assert names(events[8:]) == ["RoundEnded"]


def test_only_the_knocker_lays_at_once() -> None:
    rules = game("gin-knock", knock__spread="best")
    knocked, spread = told(rules, table_of(rules, *HANDS, pile="9D", stock="JD"), "knock KC", 2)
    assert knocked == Knocked(0, card("KC"), "knock")
    assert isinstance(spread, Spread) and set(spread.melds) == {SPREAD, RUN} and spread.left == faces("2D")


def test_gin_is_told_as_gin_and_nobody_answers() -> None:
    for spread, expected in {"best": ["Knocked", "Spread", "RoundEnded"], "choose": ["Knocked"]}.items():
        rules = game("gin-knock", knock__spread=spread, knock__big_gin_bonus=31)
        state = table_of(rules, "8S 8H 8D 4S 5S 6S KC", "3S 8C", pile="9D", stock="JD")
        events = told(rules, state, "knock KC")
        assert events[0] == Knocked(0, card("KC"), "gin") and names(events) == expected
        state = table_of(rules, "8S 8H 8D 4S 5S 6S 7S", "3S 8C", pile="9D", stock="JD")
        assert told(rules, state, "knock")[0] == Knocked(0, None, "big_gin")


# -------------------------------------------------------------------------------------------------------------- laws


def hidden(value: object) -> Iterator[tuple[object, ...]]:
    """The paths to every None of an event."""
    if value is None:
        yield ()
    elif isinstance(value, tuple):
        for i, each in enumerate(value):
            yield from ((i, *path) for path in hidden(each))


def parts(event: Event) -> tuple[Any, ...]:
    """An event as a plain tuple."""
    return (type(event).__name__, *(getattr(event, each.name) for each in fields(event)))


def masked(value: Any, paths: set[tuple[object, ...]], at: tuple[object, ...] = ()) -> Any:
    """The value with None at these paths."""
    if at in paths:
        return None
    if isinstance(value, tuple):
        return tuple(masked(each, paths, (*at, i)) for i, each in enumerate(value))
    return value


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(tables()), st.integers(0, 2**32))
def test_viewers_are_told_the_same_but_for_hidden_cards(table: tuple[rummy.Game, int], seed: int) -> None:
    rules = table[0]
    for before, action, after in walk(rules, rules.start(table[1]), random.Random(seed), 60):
        everything = rules.events(before, action, after, ALL)
        assert pickle.loads(pickle.dumps(everything)) == everything
        assert json.loads(json.dumps([event.to_dict() for event in everything]))
        for seat in viewers(before):
            events = rules.events(before, action, after, seat)
            assert names(events) == names(everything)
            for event, whole in zip(map(parts, events), map(parts, everything), strict=True):
                assert masked(whole, set(hidden(event))) == event
                assert event == whole or event[0] in ("Dealt", "Drew", "Discarded", "Spread")


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(tables()), st.integers(0, 2**32), st.integers(0, 80))
def test_no_event_tells_more_than_the_views(table: tuple[rummy.Game, int], seed: int, steps: int) -> None:
    """Where a seat cannot tell two situations apart, neither before an action nor after it, it is told the same."""
    rules = table[0]
    rng = random.Random(seed)
    pack = rules.rules(table[1]).pack
    for before, action, after in walk(rules, reached(rules, table[1], seed, steps), rng, 5):
        for seat in viewers(before):
            other = swap_twins(swap_hidden(before, seat, rng), pack, rng)
            if other.seat == rummy.DEALER or not rules.is_legal(other, action):
                continue
            following = rules.apply(other, action)
            if rules.view(following, seat) == rules.view(after, seat):
                assert rules.events(other, action, following, seat) == rules.events(before, action, after, seat)


@pytest.mark.parametrize("seat", [2, -1])
def test_there_are_no_events_for_a_seat_that_is_not_there(seat: int) -> None:
    rules = game("basic")
    with pytest.raises(rummy.RummyError, match="seats are 0 to 1"):
        told(rules, rules.position(hands=["8S", "9S"]), "draw", seat)
