"""Whatever comes in as text, JSON, a profile, a saved state or an action value: nothing but the library's own errors.

RUMMY_FUZZ multiplies the number of examples: `RUMMY_FUZZ=100 pytest tests/test_fuzz.py`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import timedelta
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

import rummy_engine as rummy
from rummy_engine.actions import Call, Deal, Discard, Knock, LayMeld, LayOff, Reshuffle, Swap, Take
from rummy_engine.cards import CARDS
from rummy_engine.testing import strategies
from rummy_engine.testing.laws import no_card_twice, someone_can_act
from rummy_engine.testing.strategies import Play

TIMES = int(os.environ.get("RUMMY_FUZZ", "1"))
FUZZ = settings(deadline=timedelta(seconds=20), suppress_health_check=list(HealthCheck))
"""What takes longer than the deadline hangs."""

game = cache(rummy.load)
games = st.sampled_from(rummy.variants()).map(game)

WORDS = (
    *("deal", "reshuffle", "draw", "take", "pass", "stop", "meld", "layoff", "swap", "discard", "knock", "done"),
    *("call", "AS", "10H", "H1", "8♠", "jk", "JK=5H", "JK=JK", "=", "@", "@0", "@9", "@-1", "@99999999999999999999"),
    *("low", "high"),
    *("3", "0", "-1", "٣", "+", ":", ",", "0:", "9:", "ZZ", "\x00", "\ud800", "\u202e", "é", "1e9", "AS AS"),
)
texts = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=8).map("".join),
)
"""Text that is nearly notation."""
junk = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-3, 60), st.just(10**30), st.floats(), texts,
        st.sampled_from(["draw", "over", "deal", "reshuffle", "spread", "respond", "call", "offer", "play"]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=8,
)  # fmt: skip
"""Values that nearly fit everywhere."""


@st.composite
def plays(draw: st.DrawFn, longest: int = 60) -> Play:
    """Plays of any shipped variant."""
    return draw(strategies.plays(draw(games), longest=longest))


def only_ours(attempt: Callable[[], object]) -> object:
    """What an attempt gives, or None if it raises a RummyError; anything else fails the test."""
    try:
        return attempt()
    except rummy.RummyError as error:
        assert str(error)
        return None


# -------------------------------------------------------------------------------------------------------------- text


@settings(FUZZ, max_examples=300 * TIMES)
@given(plays(), texts)
@example(Play(game("basic"), game("basic").start(2), ()), "deal")
def test_text_is_an_action_or_a_notation_error(play: Play, text: str) -> None:
    action = only_ours(lambda: play.game.parse(play.end, text))
    if action is not None:
        again = play.game.parse(play.end, str(action))
        assert str(again) == str(action)
        legal = action in play.game.legal(play.end)
        assert play.game.is_legal(play.end, text) == legal
        after = only_ours(lambda: play.game.apply(play.end, text))
        assert (after is not None) >= legal


@settings(FUZZ, max_examples=200 * TIMES)
@given(texts, games)
def test_cards_and_hands(text: str, rules: rummy.Game) -> None:
    cards = only_ours(lambda: rummy.parse_cards(text))
    if isinstance(cards, int):
        assert rummy.parse_cards(rummy.format_cards(cards)) == cards
        if cards.bit_count() <= 10:
            only_ours(lambda: rummy.melds(text, rules))
            only_ours(lambda: rummy.best_arrangement(text, rules))


# ----------------------------------------------------------------------------------------------------- action values

faces_or_worse = st.one_of(st.sampled_from(CARDS), st.integers(-2, 200), st.sampled_from([None, "AS", True, 1.5]))
tuples = st.lists(faces_or_worse, max_size=5).map(tuple)
values = st.one_of(
    st.builds(Take, st.one_of(st.integers(-5, 200), st.none(), st.text(max_size=2))),
    st.builds(Call, st.one_of(st.integers(-5, 200), st.booleans())),
    st.builds(Discard, faces_or_worse),
    st.builds(Knock, faces_or_worse),
    st.builds(Swap, faces_or_worse, st.integers(-3, 9)),
    st.builds(LayMeld, tuples, tuples),
    st.builds(LayOff, faces_or_worse, faces_or_worse, st.integers(-3, 9), st.sampled_from([None, "low", "x", 3])),
    st.builds(Deal, tuples),
    st.builds(Reshuffle, tuples),
    st.sampled_from([None, 3, b"draw", ["draw"], object(), Discard]),
)
"""Action values that a client or a bot might make up."""


@settings(FUZZ, max_examples=300 * TIMES)
@given(plays(), values)
def test_made_up_action_values(play: Play, value: Any) -> None:
    before = hash(play.end)
    legal = play.game.legal(play.end)
    judged = only_ours(lambda: play.game.is_legal(play.end, value))
    assert judged is None or judged == (value in legal)
    only_ours(lambda: play.game.why_not(play.end, value))
    after = only_ours(lambda: play.game.apply(play.end, value))
    assert after is None or judged or play.end.seat == rummy.DEALER
    assert hash(play.end) == before


# ---------------------------------------------------------------------------------------------------------- positions


@settings(FUZZ, max_examples=300 * TIMES)
@given(games, st.dictionaries(st.sampled_from(["hands", "pile", "stock", "table", "seat", "dealer", "phase", "taken",
       "owed", "tabled", "renewals", "scores", "round", "by", "known", "turns", "stock_known", "result", "copies",
       "knock_limit", "declared", "face_down", "idle", "melds_now", "no_such"]), junk, max_size=6))  # fmt: skip
@example(game("gin-knock"), {"hands": ["", "AS"], "pile": "", "phase": "offer"})
def test_made_up_positions(rules: rummy.Game, keywords: dict[str, Any]) -> None:
    state = only_ours(lambda: rules.position(**{"hands": ["AS 2S", "KH"], **keywords}))
    if isinstance(state, rummy.State):
        holds_together(rules, state)


@settings(FUZZ, max_examples=300 * TIMES)
@given(plays(), st.data())
def test_saved_states_that_were_tampered_with(play: Play, data: st.DataObject) -> None:
    keywords = json.loads(json.dumps(play.game.describe(play.end)))
    for _ in range(data.draw(st.integers(1, 3))):
        name = data.draw(st.sampled_from(sorted(keywords)))
        value = keywords[name]
        words = value.split() if isinstance(value, str) else value if isinstance(value, list) else []
        changes: list[st.SearchStrategy[Any]] = [junk]
        if words:
            at = data.draw(st.integers(0, len(words) - 1))
            edited: list[Any] = [[*words[:at], *words[at + 1 :]], [*words, words[at]]]
            if isinstance(value, str):
                edited = [" ".join(each) for each in edited]
            changes += [st.sampled_from(edited)] * 3
        keywords[name] = data.draw(st.one_of(changes))
    state = only_ours(lambda: play.game.position(**keywords))
    if isinstance(state, rummy.State):
        holds_together(play.game, state)


def holds_together(rules: rummy.Game, state: rummy.State) -> None:
    """Asserts that a state has no lost or doubled card and can be played on and looked at."""
    no_card_twice(rules, state)
    someone_can_act(rules, state)
    assert rules.position(**rules.describe(state)) == state
    rng = Random(1)
    for seat in (None, *range(state.players)):
        rules.view(state, seat)
    if not rules.is_over(state):
        for action in rules.legal(state):
            rules.apply(state, action)
        only_ours(lambda: rules.playout(state, rng))


# ------------------------------------------------------------------------------------------------ profiles and records


@settings(FUZZ, max_examples=200 * TIMES)
@given(st.one_of(st.binary(max_size=80), texts.map(lambda text: text.encode("utf-8", "surrogatepass"))), st.booleans())
def test_profile_files_of_any_bytes(content: bytes, extends: bool) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder, "mine.toml")
        file.write_bytes(b'extends = "basic"\n' * extends + content)
        only_ours(lambda: rummy.load(file))


@settings(FUZZ, max_examples=150 * TIMES)
@given(st.sampled_from(rummy.variants()), st.data())
def test_profile_files_with_a_changed_line(name: str, data: st.DataObject) -> None:
    lines = game(name).profile.to_toml().splitlines()
    at = data.draw(st.integers(0, len(lines) - 1))
    key = lines[at].split("=")[0]
    changed = data.draw(st.one_of(texts, st.sampled_from(["1", '"x"', "[]", "{}", "true", "inf", "1979-05-27"]).map(
        lambda value: f"{key}= {value}"
    )))  # fmt: skip
    with TemporaryDirectory() as folder:
        file = Path(folder, "mine.toml")
        file.write_bytes("\n".join([*lines[:at], changed, *lines[at + 1 :]]).encode("utf-8", "surrogatepass"))
        only_ours(lambda: rummy.load(file))


@settings(FUZZ, max_examples=200 * TIMES)
@given(plays(30), st.data())
def test_records_that_were_tampered_with(play: Play, data: st.DataObject) -> None:
    frame = json.loads(rummy.Record.of(play.game, play.start, play.actions).to_json())
    name = data.draw(st.sampled_from(sorted(frame)))
    value = frame[name]
    if name == "actions" and value and data.draw(st.booleans()):
        at = data.draw(st.integers(0, len(value) - 1))
        value[at] = data.draw(st.one_of(texts, st.sampled_from(value)))
    elif isinstance(value, dict) and value and data.draw(st.booleans()):
        value[data.draw(st.sampled_from(sorted(value)))] = data.draw(junk)
    else:
        frame[name] = data.draw(junk)
    record_of(json.dumps(frame))


@settings(FUZZ, max_examples=200 * TIMES)
@given(plays(10), st.data())
def test_records_of_any_text(play: Play, data: st.DataObject) -> None:
    text = rummy.Record.of(play.game, play.start, play.actions).to_json()
    at, upto = sorted((data.draw(st.integers(0, len(text))), data.draw(st.integers(0, len(text)))))
    record_of(data.draw(st.one_of(texts, junk.map(json.dumps), st.just(text[:at] + text[upto:]), st.just(text[:at]))))


def record_of(text: str) -> None:
    """Reads and replays a record; nothing but RummyError may come of it."""
    record = only_ours(lambda: rummy.Record.from_json(text))
    if isinstance(record, rummy.Record):
        only_ours(record.replay)
        match = only_ours(lambda: rummy.Match.from_record(record))
        if isinstance(match, rummy.Match):
            no_card_twice(match.game, match.state)


@settings(FUZZ, max_examples=60 * TIMES)
@given(st.data())
def test_a_match_takes_anything(data: st.DataObject) -> None:
    match = rummy.Match(data.draw(games), data.draw(st.just(2)), seed=data.draw(strategies.seeds))
    for _ in range(6):
        assume(not match.over)
        move = data.draw(st.one_of(texts, values, strategies.legal_actions(match.game, match.state)))
        seat = data.draw(st.one_of(st.none(), st.integers(-2, 3)))
        state = match.state
        try:
            match.play(move, seat)
        except rummy.RummyError as error:
            assert str(error) and match.state is state
        no_card_twice(match.game, match.state)
