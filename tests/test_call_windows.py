"""Who is asked for a rummy call, under house rules where the caller's own hand decides whether the turn can end.

Everybody sees who is asked, so that must follow from what lies open: the pile, the table, whose melds they are (rules
C12, R21). Passing is always possible.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

import rummy_engine as rummy
from tests.helpers import game, legal, play, refused, table_of
from tests.knowledge import swap_hidden

NAME = "rummy-500"
RULES: tuple[dict[str, Any], ...] = (
    {"lay__when": "going_out"},
    {"discard__last": "required"},
    {"discard__last": "required", "discard__last_unplayable": True},
    {"lay__layoff": "own"},
    {"lay__layoff": "none", "discard__last": "required"},
    {"lay__needs_own_meld": True, "discard__last": "required"},
    {"lay__melds_per_turn": 1, "discard__last": "required"},
    {"wilds__swap": True},
    {"wilds__swap": True, "wilds__max_per_meld": 1, "lay__layoff": "own"},
)
ON_OWN_MELD = {"lay__needs_own_meld": True}


def asked(rules: rummy.Game, state: rummy.State) -> list[int]:
    """The seats that a call window asks while all pass."""
    seats = []
    while state.phase == "call":
        seats.append(state.seat)
        state = play(rules, state, "pass")
    return seats


def throws_what_fits(state: rummy.State, action: rummy.Action) -> bool:
    """Whether this discards a card that some meld takes."""
    return isinstance(action, rummy.Discard) and state.fits >> action.card & 1 == 1


def test_a_seat_whose_hand_forbids_the_call_is_asked_and_can_pass() -> None:
    """A card must be kept that fits no meld: with 8H in hand 7H cannot be called, with KC it can."""
    rules = game(NAME, discard__last="required", discard__last_unplayable=True)
    for held, calls in (("KC", {"call", "pass"}), ("8H", {"pass"})):
        state = table_of(rules, "7H 9C", held, "3S 9D", table=["2: 4H 5H 6H"], pile="2D")
        state = play(rules, state, "discard 7H")
        assert asked(rules, state) == [1, 2]
        assert (state.seat, legal(rules, state)) == (1, calls)
        assert rules.position(**rules.describe(state)) == state
    refused(rules, state, "call", "TURN_COULD_NOT_END")


def test_a_seat_without_a_valid_call_is_not_asked() -> None:
    rules = game(NAME, lay__layoff="own")
    state = table_of(rules, "7H 9C", "KC QD", "3S 9D", table=["2: 4H 5H 6H"], pile="2D")
    state = play(rules, state, "discard 7H")
    assert asked(rules, state) == [2]
    with pytest.raises(rummy.NotationError, match="C12"):
        rules.position(**{**rules.describe(state), "seat": 1})


@pytest.mark.parametrize(("changes", "table", "pile", "calls"), [
    (ON_OWN_MELD, ["2: 4H 5H 6H"], "7H KS KD KC", {"call 3", "call 4"}),  # the kings first, then 7H on the hearts
    (ON_OWN_MELD, ["2: 4H 5H 6H"], "7H KS KD", set()),
    (ON_OWN_MELD, ["2: 4H 5H 6H", "1: 2S 2D 2C"], "7H KS KD", {"call 3"}),
    ({"wilds__swap": True}, ["2: 4H JK=5H 6H"], "5H KS", {"call 2"}),  # 5H takes the joker's place
    ({"wilds__swap": True}, ["2: 4H JK=5H 6H"], "KD 5H KS", {"call 2", "call 3"}),  # that makes KS KD JK a meld
    ({"wilds__swap": True, "lay__layoff": "own"}, ["2: 4H JK=5H 6H"], "5H KS", set()),
    ({"wilds__max_per_meld": 1, "lay__layoff": "own"}, ["1: 5H JK=6H 7H"], "9H JK", set()),
    ({"wilds__swap": True, "wilds__max_per_meld": 1}, ["2: 5H JK=6H 7H"], "9H JK 6H", {"call", "call 3"}),
])
def test_what_the_pile_and_the_table_allow(
    changes: dict[str, Any], table: list[str], pile: str, calls: set[str]
) -> None:
    """Every action of the lay phase counts (rules R13, R21), by the permissions of the seat that is asked."""
    rules = game(NAME, **changes)
    pile, _, last = pile.rpartition(" ")
    state = table_of(rules, f"{last} 9C", "3C 9D TS", "4C 8D", table=table, pile=pile)
    state = play(rules, state, f"discard {last}")
    found = legal(rules, state, "call") if (state.phase, state.seat) == ("call", 1) else set()
    assert found == calls


@pytest.mark.parametrize(("changes", "pile", "takes"), [
    ({}, "6H KC", {"take", "take 2"}),
    ({"draw__deep_use": "meld"}, "6H KC", {"take"}),
    ({"wilds__max_per_meld": 1}, "9H JK 6H", {"take", "take 3"}),
    ({"wilds__max_per_meld": 1}, "JK KC", {"take"}),
])
def test_a_deep_draw_may_count_on_a_swap(changes: dict[str, Any], pile: str, takes: set[str]) -> None:
    """6H takes the place of the joker on the table, and makes room there for another one."""
    rules = game(NAME, wilds__swap=True, **changes)
    state = table_of(rules, "2C 9D", "3C 4D", table=["1: 5H JK=6H 7H"], pile=pile, phase="draw", stock="2S 3S")
    assert legal(rules, state, "take") == takes


@pytest.mark.parametrize("changes", RULES, ids=lambda changes: " ".join(f"{k}={v}" for k, v in changes.items()))
def test_hidden_cards_do_not_decide_who_is_asked(changes: dict[str, Any]) -> None:
    """The discard that ends a turn, with the cards that nobody sees in other places: the same seats are asked."""
    rules, rng = game(NAME, **{"deal__hand_size": 4, "ending__max_turns": 40, **changes}), random.Random(1)
    asked_seats, windows = 0, 0
    for round in range(4):
        state = rules.start(4, round)
        while state.result is None:
            if state.seat == rummy.DEALER:
                state = rules.apply(state, rules.chance(state, rng))
                continue
            moves = rules.legal(state)
            dear = [each for each in moves if isinstance(each, rummy.LayMeld) or throws_what_fits(state, each)]
            action = rng.choice(dear if dear and rng.random() < 0.8 else moves)
            after = rules.apply(state, action)
            if isinstance(action, rummy.Discard) and after.result is None:
                seats = asked(rules, after)
                windows, asked_seats = windows + 1, asked_seats + len(seats)
                for _ in range(5):
                    other = swap_hidden(state, state.seat, rng)
                    assert asked(rules, rules.apply(other, action)) == seats
            state = after
    assert windows > 20 and asked_seats > 0
