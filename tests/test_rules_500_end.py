"""The clauses R20 to R39 of the rules page, 1.4: calling rummy, the end of a round, scoring, the named variations."""

from __future__ import annotations

from typing import Any

import pytest

import rummy_engine as rummy
from tests.helpers import (
    cards, game, hand, legal, may, on_table, play, refused, renew, result, settled, table_of, zone,
)

NAME = "rummy-500"
FLOATING = "rummy-500-floating"
HEARTS = ["2: 4H 5H 6H"]
THREE = ("7H KC 2S", "3C 9D 5S", "4C 8D QS")


def asked(rules: rummy.Game, state: rummy.State) -> list[int]:
    """The seats that a call window asks while all pass."""
    seats = []
    while rules.phase(state) == "call":
        seats.append(state.seat)
        state = play(rules, state, "pass")
    return seats


def test_R20_the_window() -> None:
    """After the turn and before the next draw, and only where something can be called."""
    rules = game(NAME)
    state = table_of(rules, *THREE, table=HEARTS, pile="2D")
    called = play(rules, state, "discard 7H")
    assert (rules.phase(called), called.seat, legal(rules, called)) == ("call", 1, {"call", "pass"})
    plain = play(rules, state, "discard KC")
    assert (rules.phase(plain), plain.seat) == ("draw", 1)
    refused(rules, plain, "call")
    rest = play(rules, called, "pass", "pass")
    assert (rules.phase(rest), rest.seat, legal(rules, rest)) == ("draw", 1, {"draw", "take"})


@pytest.mark.parametrize(("table", "pile", "held", "thrown", "calls"), [
    (HEARTS, "2D", "7H KC", "7H", {"call"}),
    (["2: 5H 6H 7H"], "9C 9H", "8H KC", "8H", {"call", "call 2"}),
    (["2: 5H 6H 7H"], "9C 8H", "KD KC", "KD", {"call 2"}),
    ([], "5D 3D", "4D KC", "4D", {"call 3"}),
    ([], "2D 5C JK", "6C KC", "6C", {"call 3"}),
    (HEARTS, "2D", "JK KC", "JK", {"call"}),
    ([], "9C", "3D KC", "3D", set()),
    (["2: 5H 6H 7H"], "9C 9H", "TH KC", "TH", set()),
])
def test_R21_what_may_be_called(table: list[str], pile: str, held: str, thrown: str, calls: set[str]) -> None:
    """With cards of the pile and the melds on the table alone: 3D helps nobody here though two hold threes."""
    rules = game(NAME)
    state = table_of(rules, held, "3C 3S 9D", "3H 8D QS", table=table, pile=pile)
    state = play(rules, state, f"discard {thrown}")
    if calls:
        assert legal(rules, state) == {*calls, "pass"}
        refused(rules, state, "call 4")
    else:
        assert rules.phase(state) == "draw"


def test_R22_nearest_to_the_left_first() -> None:
    """Each other seat once, in order; the discarder is not asked; a pass passes the question on."""
    rules = game(NAME)
    state = table_of(rules, "2C 3D", "7H KC", "4C 8D", "5C 8H QS", seat=1, table=["0: 4H 5H 6H"], pile="2D")
    state = play(rules, state, "discard 7H")
    assert asked(rules, state) == [2, 3, 0]
    called = play(rules, state, "pass", "call", "layoff 7H @0", "discard 8H")
    assert asked(rules, called) == [0, 1, 2]
    assert play(rules, called, "pass", "pass", "pass").seat == 0


def test_R23_the_caller_tables_the_card_and_play_goes_on_to_the_left() -> None:
    rules = game(NAME)
    state = table_of(rules, "2C 3D", "7H KC", "4C 8D", "7S 7D QS 3C", seat=1, table=["0: 4H 5H 6H"], pile="2D")
    state = play(rules, state, "discard 7H", "pass", "call")
    assert (state.seat, rules.phase(state), zone(state.pile)) == (3, "play", "2D")
    assert hand(state, 3) == cards("7S 7D QS 3C 7H")
    refused(rules, state, "discard QS", "MUST_USE_TAKEN")
    assert legal(rules, state) == {"layoff 7H @0", "meld 7S 7H 7D"}
    laid = play(rules, state, "layoff 7H @0")
    assert legal(rules, laid) == {"discard 7S", "discard 7D", "discard QS", "discard 3C"}
    assert play(rules, laid, "discard QS").seat == 0  # seat 2 lost its turn
    joined = play(rules, state, "meld 7S 7H 7D", "discard QS")
    assert (joined.seat, on_table(joined)) == (0, ["4H 5H 6H", "7S 7H 7D"])


def test_R23_skipped_seats_are_told() -> None:
    rules = game(NAME)
    before = table_of(rules, "2C 3D", "7H KC", "4C 8D", "5C QS", seat=1, table=["0: 4H 5H 6H"], pile="2D")
    before = play(rules, before, "discard 7H", "pass")
    action = rules.parse(before, "call")
    after = rules.apply(before, action)
    names = [type(event).__name__ for event in rules.events(before, action, after)]
    assert "Called" in names and "Skipped" in names


def test_R23_after_a_call_of_two_any_card_may_go() -> None:
    rules = game(NAME)
    state = table_of(rules, "9C KC", "3C 9D", "4C 8D", table=HEARTS, pile="2D 7H")
    state = play(rules, state, "discard KC")
    assert legal(rules, state) == {"call 2", "pass"}
    state = play(rules, state, "call 2")
    assert (hand(state, 1), zone(state.pile)) == (cards("3C 9D 7H KC"), "2D")
    assert legal(rules, state) == {"layoff 7H @0"}
    state = play(rules, state, "layoff 7H @0")
    assert legal(rules, state) == {"discard 3C", "discard 9D", "discard KC"}


def test_R24_a_call_replaces_the_draw_and_may_end_the_round() -> None:
    rules = game(NAME)
    state = play(rules, table_of(rules, "7H KC", "8H", "4C 8D", table=HEARTS, pile="2D"), "discard 7H", "call")
    refused(rules, state, "draw")
    state = play(rules, state, "layoff 7H @0", "layoff 8H @0")
    assert settled(state, ["kind", "winner", "tabled"]) == {"kind": "out", "winner": 1, "tabled": (0, 15, 15)}


def test_R24_the_called_card_may_be_the_last_of_the_hand() -> None:
    """A caller with no other card goes out with it; with one other card it may be thrown."""
    rules = game(NAME)
    state = table_of(rules, "7H KC", "9C", "4C 8D", table=HEARTS, pile="2D")
    state = play(rules, state, "discard 7H", "call", "layoff 7H @0", "discard 9C")
    assert settled(state, ["kind", "winner"]) == {"kind": "out", "winner": 1}


def test_R25_no_call_once_play_has_ended() -> None:
    rules = game(NAME)
    state = play(rules, table_of(rules, "7H", "3C 9D", "4C 8D", table=HEARTS), "discard 7H")
    assert (result(state).kind, rules.phase(state)) == ("out", "deal")


def test_R26_no_window_with_two_players() -> None:
    """The only possible caller is next; its draw does as much."""
    rules = game(NAME)
    state = play(rules, table_of(rules, "7H KC", "3C 9D", table=["1: 4H 5H 6H"], pile="2D"), "discard 7H")
    assert (rules.phase(state), state.seat, legal(rules, state)) == ("draw", 1, {"draw", "take"})


def test_R27_a_missed_chance_comes_back() -> None:
    """7H is still there after the next turn, one card deeper."""
    rules = game(NAME)
    state = table_of(rules, *THREE, table=HEARTS, pile="2D", stock="JD TC")
    state = play(rules, state, "discard 7H", "pass", "pass", "draw", "discard JD")
    assert (rules.phase(state), state.seat, legal(rules, state)) == ("call", 2, {"call 2", "pass"})
    assert asked(rules, state) == [2, 0]


def test_R28_the_two_ends() -> None:
    rules = game(NAME)
    for held, text in (("8S 8H 8D", "meld 8S 8H 8D"), ("8S", "discard 8S")):
        assert result(play(rules, table_of(rules, held, "3C"), text)).kind == "out"
    state = table_of(rules, "8S 2C", "KD 3H", phase="draw", stock="", pile="5C QH")
    assert legal(rules, state) == {"take", "stop"}
    refused(rules, state, "draw", "STOCK_EMPTY")
    assert settled(play(rules, state, "stop"), ["kind", "winner", "points", "standing"]) == {
        "kind": "stock_out", "winner": None, "points": (-10, -13), "standing": ("win", "loss")}
    full = table_of(rules, "8S 2C", "KD 3H", phase="draw", stock="5D", pile="5C QH")
    refused(rules, full, "stop", "STOCK_NOT_EMPTY")


def test_R28_the_taker_of_the_last_card_completes_the_turn() -> None:
    """Then comes the call window, then the next player may take or stop."""
    rules = game(NAME)
    state = table_of(rules, *THREE, phase="draw", table=HEARTS, pile="2D", stock="JD")
    state = play(rules, state, "draw", "discard 7H")
    assert (rules.phase(state), state.seat) == ("call", 1)
    state = play(rules, state, "pass", "pass")
    assert legal(rules, state) == {"take", "stop"}


def test_R29_deep_draws_with_an_empty_stock() -> None:
    rules = game(NAME)
    state = table_of(rules, "8S 8D 2C", "KD 3H", phase="draw", stock="", pile="5C 8H QH")
    assert legal(rules, state) == {"take", "take 2", "stop"}


def test_R29_four_idle_turns_of_two_players() -> None:
    """Swapping discards for ever ends with the fourth turn that began without a stock and tabled nothing."""
    rules = game(NAME)
    state = table_of(rules, "2C 9D", "3H JS", phase="draw", stock="5D", pile="KC")
    state = play(rules, state, "draw", "discard 5D")  # this one began with a stock
    for text in ("discard 3H", "discard 2C", "discard 5D"):
        state = play(rules, state, "take", text)
        assert state.result is None
    state = play(rules, state, "take", "discard 9D")
    assert settled(state, ["kind", "turns", "points"]) == {"kind": "stock_out", "turns": 5, "points": (-8, -12)}


def test_R29_tabling_resets_the_count() -> None:
    rules = game(NAME)
    state = table_of(rules, "7H 2C 9D", "3C QS JD", phase="draw", stock="", pile="KC", table=["0: 4H 5H 6H"])
    state = play(rules, state, "take", "discard 2C", "take", "discard 3C", "take", "layoff 7H @0", "discard KC")
    for text in ("discard QS", "discard 9D", "discard KC"):
        state = play(rules, state, "take", text)
        assert state.result is None
    state = play(rules, state, "take", "discard QS")
    assert settled(state, ["kind", "turns"]) == {"kind": "stock_out", "turns": 7}


def test_R29_the_sixth_of_three_ends_before_a_call_window() -> None:
    rules = game(NAME)
    state = table_of(rules, "2C KS", "3C 9D", "7H QS", phase="draw", stock="", pile="KC", table=HEARTS)
    state = play(rules, state, "take", "discard 2C", "take", "discard 3C", "take")
    assert rules.phase(play(rules, state, "discard 7H")) == "call"
    state = play(rules, state, "discard QS", "take", "discard KS", "take", "discard 9D", "take", "discard 7H")
    assert settled(state, ["kind", "turns"]) == {"kind": "stock_out", "turns": 6}


def test_R29_stock_and_pile_empty() -> None:
    """A float that takes the whole pile leaves nothing to play with: the round ends with that turn."""
    rules = game(FLOATING)
    state = table_of(rules, "8S 8H", "2C KD", phase="draw", stock="", pile="8D")
    state = play(rules, state, "take", "meld 8S 8H 8D")
    assert settled(state, ["kind", "winner", "points"]) == {
        "kind": "stock_out", "winner": None, "points": (24, -12)}


def test_R30_no_tabling_after_the_end() -> None:
    rules = game(NAME)
    state = table_of(rules, "8S 2C", "KD KH KS 7H", phase="draw", stock="", pile="5C", table=["0: 4H 5H 6H"])
    state = play(rules, state, "stop")
    assert result(state).points == (15 - 10, -37)
    for text in ("meld KS KH KD", "layoff 7H @0"):
        refused(rules, state, text)


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
    assert asked(rules, state) == [2, 0]
    state = play(rules, state, "pass", "call", "layoff 7H @0")
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
