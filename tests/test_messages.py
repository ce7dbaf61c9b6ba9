"""What error texts say: not only that something is wrong, but what would work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import rummy_engine as rummy
from rummy_engine.actions import WORDS

BASIC = rummy.load("basic")
PLAY = BASIC.position(hands=["8S 8H 8D KC", "2C 3C"], seat=0, phase="play")


def text_of(do: Callable[[], object]) -> str:
    with pytest.raises(rummy.RummyError) as caught:
        do()
    return str(caught.value)


@pytest.mark.parametrize(
    ("variant", "phase", "action", "possible"),
    [
        ("basic", "play", "take", "'meld', 'layoff' or 'discard'"),
        ("basic", "draw", "discard KC", "'draw' or 'take'"),
        ("rummy-500", "draw", "discard KC", "'draw', 'take' or 'stop'"),
        ("gin-knock", "offer", "draw", "'take' or 'pass'"),
        ("gin-knock", "play", "draw", "'discard' or 'knock'"),
    ],
)
def test_a_wrong_phase_names_what_is_possible(variant: str, phase: str, action: str, possible: str) -> None:
    game = rummy.load(variant)
    state = game.position(hands=["KC 2S", "4H"], pile="9D", seat=0, dealer=1, phase=phase)
    refusal = game.why_not(state, action)
    word = action.split()[0]
    assert refusal and refusal.reason is rummy.Reason.WRONG_PHASE
    assert refusal.text == f"'{word}' is not possible in phase '{phase}', only {possible}"


def test_words_are_those_of_the_texts() -> None:
    face = rummy.parse_card("8S")
    made: dict[type[Any], Any] = {
        rummy.Deal: rummy.Deal((face,)), rummy.Reshuffle: rummy.Reshuffle((face,)), rummy.Discard: rummy.Discard(face),
        rummy.LayMeld: rummy.LayMeld((face,), (face,)), rummy.LayOff: rummy.LayOff(face, face, 0),
        rummy.Swap: rummy.Swap(face, 0), rummy.Knock: rummy.Knock(face),
    }  # fmt: skip
    plain = (rummy.DRAW, rummy.TAKE, rummy.PASS, rummy.STOP, rummy.DONE, rummy.Call(2))
    made.update({type(action): action for action in plain})
    assert {kind: str(action).split()[0] for kind, action in made.items()} == WORDS


@pytest.mark.parametrize(
    ("variant", "overrides", "meld"),
    [
        ("basic", {}, "sets have 3 to 4 cards of different suits, runs 3 or more neighbours of one suit with the "),
        ("basic", {}, "of one suit with the ace low"),
        ("rummy-500", {"melds.run_min": 4}, "runs 4 or more neighbours of one suit with the ace low or high"),
        ("basic", {"melds.set_max": 3, "melds.run_max": 5}, "sets have 3 cards of different suits, runs 3 to 5 "),
    ],
)
def test_what_is_no_meld_is_told_what_is(variant: str, overrides: dict[str, object], meld: str) -> None:
    game = rummy.load(variant, overrides)
    state = game.position(hands=["2S", "4H"], seat=0, phase="play")
    refusal = game.why_not(state, "meld 2S")
    assert refusal and refusal.text.startswith("2S is no meld in this variant: ") and meld in refusal.text
    assert meld in text_of(lambda: game.position(hands=["2S", "4H"], table=["0: 3S 5H"]))


def test_a_seat_that_is_text_is_told_so() -> None:
    match = rummy.Match("basic", players=2, seed=1)
    expected = "there is no seat '1': seats are 0 to 1 (numbers, not text)"
    seat: Any = "1"
    assert text_of(lambda: match.play("draw", seat=seat)) == f"draw: {expected}"
    assert text_of(lambda: match.view(seat)) == text_of(lambda: match.game.view(match.state, seat)) == expected
    assert text_of(lambda: match.view(7)) == "there is no seat 7: seats are 0 to 1"


def test_texts_of_empty_actions_have_no_space_at_the_end() -> None:
    assert [str(rummy.Deal(())), str(rummy.Reshuffle(())), str(rummy.LayMeld((), ()))] == ["deal", "reshuffle", "meld"]
    assert text_of(lambda: BASIC.apply(PLAY, "deal")).startswith("deal: a seat is to act")


@pytest.mark.parametrize(
    ("action", "found"),
    [
        (None, "None"),
        (5, "a value of type int"),
        (rummy.Discard("KC"), "a Discard with other fields than faces and numbers"),  # type: ignore[arg-type]  # wrong on purpose
    ],
)
def test_what_is_no_action_is_named(action: Any, found: str) -> None:
    match = rummy.Match("basic", players=2, seed=1)
    expected = f"expected an action or its text, not {found}"
    assert text_of(lambda: match.play(action)) == text_of(lambda: BASIC.apply(PLAY, action)) == expected
