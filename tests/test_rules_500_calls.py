"""The clauses R20 to R30 of docs/rules.md: calling rummy and the end of a round."""

from __future__ import annotations

import pytest

import rummy_engine as rummy
from tests.helpers import (
    cards,
    game,
    hand,
    legal,
    on_table,
    play,
    refused,
    result,
    settled,
    table_of,
    zone,
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
@pytest.mark.parametrize("last", ["optional", "required"])
def test_R21_what_may_be_called(
    table: list[str], pile: str, held: str, thrown: str, calls: set[str], last: str
) -> None:
    """With cards of the pile and the melds on the table alone: 3D helps nobody here though two hold threes.

    The same where a card must be kept to discard, for all have enough.
    """
    rules = game(NAME, discard__last=last)
    state = table_of(rules, held, "3C 3S 9D", "3H 8D QS", table=table, pile=pile)
    state = play(rules, state, f"discard {thrown}")
    if calls:
        assert legal(rules, state) == {*calls, "pass"}
        for count in range(1, len(state.pile) + 1):
            text = "call" if count == 1 else f"call {count}"
            if text not in calls:
                refused(rules, state, text, "NOT_CALLABLE")
        refused(rules, state, "call 5", "NOT_ENOUGH_CARDS")
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


def test_a_call_after_which_the_turn_could_not_end_is_refused() -> None:
    """Where a card must be kept to discard, whoever holds none would table all of 3D 4D 5D."""
    rules = game(NAME, discard__last="required")
    state = table_of(rules, "4D KC", "", "3H 8D QS", pile="5D 3D", tabled=[])
    state = play(rules, state, "discard 4D")
    assert (state.seat, legal(rules, state)) == (1, {"pass"})
    refused(rules, state, "call 3", "TURN_COULD_NOT_END")
    refused(rules, state, "call", "NOT_CALLABLE")
