"""The clauses R31 to R39 of docs/rules.md: scoring and the named variations of Rummy 500."""

from __future__ import annotations

from typing import Any

import pytest

import rummy_engine as rummy
from tests.helpers import (
    game,
    hand,
    legal,
    may,
    on_table,
    play,
    refused,
    renew,
    result,
    settled,
    table_of,
    zone,
)

NAME = "rummy-500"
FLOATING = "rummy-500-floating"


@pytest.mark.parametrize(("face", "points"), [
    ("2H", 2), ("3H", 3), ("4H", 4), ("5H", 5), ("6H", 6), ("7H", 7), ("8H", 8), ("9H", 9), ("TH", 10), ("JH", 10),
    ("QH", 10), ("KH", 10), ("AH", 15), ("JK", 15),
])
def test_R31_values_in_the_hand(face: str, points: int) -> None:
    rules = game(NAME)
    state = play(rules, table_of(rules, "4S", face), "discard 4S")
    assert settled(state, ["points", "left"]) == {"points": (0, -points), "left": (0, points)}


TABLED = [
    ("meld AS 2S 3S", 6),
    ("meld AS 2S 3S 4S 5S", 15),
    ("meld AS JK=2S 3S", 19),
    ("meld JK=AS 2S 3S", 20),
    ("meld QS KS AS", 35),
    ("meld JK=QS KS AS", 40),
    ("meld AS AH AD", 45),
    ("meld AS AH JK", 45),
    ("meld 8S 8H JK", 31),
    ("meld 4S JK=5S 6S", 25),
]


@pytest.mark.parametrize(("text", "points"), TABLED)
def test_R31_R32_R33_values_on_the_table(text: str, points: int) -> None:
    """An ace counts 1 only as a natural low ace; a joker counts 15 wherever it is."""
    rules = game(NAME)
    held = " ".join(face.split("=")[0] for face in text.split()[1:])
    state = play(rules, table_of(rules, f"{held} 9C", "2D"), text, "discard 9C")
    assert settled(state, ["tabled", "points"]) == {"tabled": (points, 0), "points": (points, -2)}


LONG = "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"


@pytest.mark.parametrize(("held", "text", "points", "run"), [
    ("AS", "layoff AS @0 low", 1, f"AS {LONG}"),
    ("AS", "layoff AS @0 high", 15, f"{LONG} AS"),
    ("JK", "layoff JK=AS @0 low", 15, f"JK=AS {LONG}"),
    ("JK", "layoff JK=AS @0 high", 15, f"{LONG} JK=AS"),
])
def test_R32_an_ace_at_either_end(held: str, text: str, points: int, run: str) -> None:
    """On a run 2 to K it fits both ends: two actions."""
    rules = game(NAME)
    state = table_of(rules, f"{held} 9C", "2D", table=[f"1: {LONG}"])
    word = text.rpartition(" ")[0]
    assert legal(rules, state, "layoff") == {f"{word} low", f"{word} high"}
    state = play(rules, state, text, "discard 9C")
    assert (result(state).tabled[0], on_table(state)) == (points, [run])


def test_R32_a_place_where_only_one_end_fits_needs_no_word() -> None:
    rules = game(NAME)
    state = table_of(rules, "AS AD 9C", "2D", table=["1: 2S 3S 4S", "1: JD QD KD"])
    assert legal(rules, state, "layoff") == {"layoff AS @0", "layoff AD @1"}
    assert str(rules.parse(state, "layoff AS @0 low")) == "layoff AS @0"
    after = play(rules, state, "layoff AS @0", "layoff AD @1", "discard 9C")
    assert result(after).tabled[0] == 1 + 15


def test_R34_no_bonus_for_going_out() -> None:
    rules = game(NAME)
    state = play(rules, table_of(rules, "8S 8H 8D", "KC", tabled=[]), "meld 8S 8H 8D")
    assert settled(state, ["kind", "winner", "points", "bonus", "doubled"]) == {
        "kind": "out", "winner": 0, "points": (24, -10), "bonus": (0, 0), "doubled": False}


@pytest.mark.parametrize(("scores", "winners"), [
    ([490, 300, 200], None), ([500, 300, 200], (0,)), ([500, 510, 200], (1,)), ([505, 515, 515], None),
    ([515, 505, 200], (0,)), ([700, 505, 700], None),
])
def test_R35_the_highest_from_500_on(scores: list[int], winners: tuple[int, ...] | None) -> None:
    """Tested after every round; a tie for the highest, however high, is played off."""
    rules = game(NAME)
    before = [scores[0], scores[1] + 2, scores[2] + 3]
    state = play(rules, table_of(rules, "9C", "2C", "3C", scores=before, round=5), "discard 9C")
    assert list(state.scores) == scores
    assert rules.is_over(state) == (winners is not None)
    if winners is None:
        state = renew(rules, state)
        assert (state.round, rules.phase(state)) == (6, "draw")
    else:
        assert rules.winners(state) == winners


def test_R35_who_falls_below_500_plays_on() -> None:
    rules = game(NAME)
    state = table_of(rules, "9C", "KC 2D", "3C", scores=[400, 505, 505], round=5)
    state = play(rules, state, "discard 9C")
    assert (state.scores, rules.is_over(state)) == ((400, 493, 502), True)
    state = table_of(rules, "9C", "KC 2D", "AC", scores=[400, 505, 505], round=5)
    state = play(rules, state, "discard 9C")
    assert (state.scores, rules.is_over(state)) == ((400, 493, 490), False)


@pytest.mark.parametrize(("text", "points"), [
    ("meld 2S 3S 4S", 15), ("meld 9S 9H 9D", 15), ("meld TS JS QS", 30), ("meld QS KS AS", 35), ("meld AS 2S 3S", 15),
    ("meld AS AH AD", 45), ("meld 4S JK=5S 6S", 25), ("meld JK=AS 2S 3S", 25),
])
def test_R37_5_10_15(text: str, points: int) -> None:
    rules = game("rummy-500-5-10-15")
    held = " ".join(face.split("=")[0] for face in text.split()[1:])
    state = play(rules, table_of(rules, f"{held} 9C", "AC 2D JK KD"), text, "discard 9C")
    assert settled(state, ["tabled", "left"]) == {"tabled": (points, 0), "left": (0, 45)}


def floater(**zones: Any) -> tuple[rummy.Game, rummy.State]:
    """Seat 0 floats and is to draw; 4-5-6 of hearts lie on the table."""
    rules = game(FLOATING)
    return rules, table_of(rules, "", "2C KD 3D", phase="draw", table=["0: 4H 5H 6H"], **zones)


def test_R38_tabling_everything_floats() -> None:
    rules = game(FLOATING)
    state = table_of(rules, "8S 8H 8D", "2C KD", pile="JD", stock="9C 7H")
    state = play(rules, state, "meld 8S 8H 8D")
    assert (state.result, state.seat, rules.phase(state), zone(state.pile)) == (None, 1, "draw", "JD")
    assert hand(state, 0) == []
    state = play(rules, state, "draw", "discard KD")
    assert (state.seat, legal(rules, state)) == (0, {"draw"})


def test_R38_the_last_card_discarded_goes_out() -> None:
    rules = game(FLOATING)
    assert result(play(rules, table_of(rules, "8S", "2C"), "discard 8S")).kind == "out"


def test_R38_a_floater_draws_one_and_discards_it() -> None:
    rules, state = floater(stock="9C 7H", pile="JD")
    state = play(rules, state, "draw")
    assert legal(rules, state) == {"discard 9C"}
    assert settled(play(rules, state, "discard 9C"), ["kind", "winner", "points"]) == {
        "kind": "out", "winner": 0, "points": (15, -15)}


def test_R38_a_floater_draws_one_and_tables_it() -> None:
    rules, state = floater(stock="7H 9C", pile="JD")
    state = play(rules, state, "draw")
    assert legal(rules, state) == {"layoff 7H @0", "discard 7H"}
    state = play(rules, state, "layoff 7H @0")
    assert (state.result, state.seat, hand(state, 0)) == (None, 1, [])


def test_R38_a_floater_takes_the_top_only_to_table_it() -> None:
    rules, state = floater(stock="9C", pile="JD 7H")
    assert legal(rules, state) == {"draw", "take"}
    state = play(rules, state, "take")
    assert legal(rules, state) == {"layoff 7H @0"}
    assert play(rules, state, "layoff 7H @0").result is None
    rules, state = floater(stock="9C", pile="JD 8H")
    refused(rules, state, "take")
    assert legal(rules, state) == {"draw"}


def test_R38_a_floater_draws_deep() -> None:
    """Tables three and throws the fourth: out; keeps one: back to a normal hand; tables all: floats again."""
    rules, state = floater(stock="9C", pile="8S 8H 8D JC")
    state = play(rules, state, "take 4", "meld 8S 8H 8D")
    assert legal(rules, state) == {"discard JC"}
    assert result(play(rules, state, "discard JC")).kind == "out"
    rules, state = floater(stock="9C", pile="8S 8H 8D JC KC")
    state = play(rules, state, "take 5", "meld 8S 8H 8D", "discard JC")
    assert (state.result, state.seat, hand(state, 0)) == (None, 1, ["KC"])
    rules, state = floater(stock="9C", pile="2D 8S 8H 8D")
    state = play(rules, state, "take 3", "meld 8S 8H 8D")
    assert (state.result, state.seat, hand(state, 0)) == (None, 1, [])


def test_R38_floaters_may_call() -> None:
    """The caller who tables the called card floats on; play goes on to its left."""
    rules = game(FLOATING)
    state = table_of(rules, "", "7H KC", "4C 8D", seat=1, table=["0: 4H 5H 6H"], pile="2D")
    state = play(rules, state, "discard 7H")
    assert state.seat == 2
    state = play(rules, state, "pass")
    assert (state.seat, legal(rules, state)) == (0, {"call", "pass"})
    state = play(rules, state, "call", "layoff 7H @0")
    assert (state.result, state.seat, rules.phase(state)) == (None, 1, "draw")


def test_R39_the_last_discard_must_not_fit() -> None:
    rules = game("rummy-500-unplayable-out")
    table = ["1: 4H 5H 6H", "1: 9S 9D 9C"]
    for face, fits in (("7H", True), ("9H", True), ("JK", True), ("8H", False), ("KD", False)):
        state = table_of(rules, face, "2C", table=table)
        if fits:
            refused(rules, state, f"discard {face}", "LAST_DISCARD_PLAYABLE")
            way_out = min(legal(rules, state, "layoff"))
            assert result(play(rules, state, way_out)).kind == "out"
        else:
            assert legal(rules, state) == {f"discard {face}"}
            assert result(play(rules, state, f"discard {face}")).kind == "out"


def test_R39_only_the_last_discard() -> None:
    rules = game("rummy-500-unplayable-out")
    state = table_of(rules, "7H KD", "2C", table=["1: 4H 5H 6H"])
    assert may(rules, state, "discard 7H")
    assert may(rules, state, "discard KD")
    plain = game(NAME)
    state = table_of(plain, "7H", "2C", table=["1: 4H 5H 6H"])
    assert result(play(plain, state, "discard 7H")).kind == "out"


def test_R39_with_floating_it_makes_you_float() -> None:
    rules = game(FLOATING, discard__last_unplayable=True)
    state = table_of(rules, "", "2C KD 3D", phase="draw", table=["0: 4H 5H 6H"], stock="7H 9C", pile="JD")
    state = play(rules, state, "draw")
    assert legal(rules, state) == {"layoff 7H @0"}
    state = play(rules, state, "layoff 7H @0")
    assert (state.result, state.seat) == (None, 1)
