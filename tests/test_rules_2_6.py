"""The clauses V1 to V10 of docs/rules.md: Rummy for 2 to 6."""

from __future__ import annotations

import pytest

import rummy_engine as rummy
from tests.helpers import (
    game,
    hand,
    legal,
    melds,
    on_table,
    play,
    refused,
    refuses,
    renew,
    result,
    settled,
    table_of,
    zone,
)

NAME = "rummy-2-6"


@pytest.mark.parametrize(("players", "size"), [(2, 10), (3, 7), (4, 7), (5, 6), (6, 6)])
def test_V1_hand_sizes(players: int, size: int) -> None:
    rules = game(NAME)
    state = renew(rules, rules.start(players))
    assert [len(hand(state, seat)) for seat in range(players)] == [size] * players
    assert len(state.stock) == 51 - players * size


def test_V1_players_and_pack() -> None:
    rules = game(NAME)
    assert refuses(rummy.RummyError, lambda: rules.start(1))
    assert refuses(rummy.RummyError, lambda: rules.start(7))
    assert refuses(rummy.RummyError, lambda: table_of(rules, "JK 2C", "3C 4C"))


def test_V2_melds() -> None:
    rules = game(NAME)
    assert melds(rules, "AH 2H 3H QH KH") == {"AH 2H 3H"}
    state = table_of(rules, "KS AS AD 5C 2H", "3C 4C", table=["1: TS JS QS", "1: 2D 3D 4D"])
    state = play(rules, state, "layoff KS @0")
    refused(rules, state, "layoff AS @0", "DOES_NOT_FIT")
    state = play(rules, state, "layoff AD @1")
    assert on_table(state) == ["TS JS QS KS", "AD 2D 3D 4D"]
    low = table_of(rules, "KD 5C 2H", "3C 4C", table=["1: AD 2D 3D"])
    refused(rules, low, "layoff KD @0", "DOES_NOT_FIT")


def test_V3_draw_meld_and_lay_off_freely() -> None:
    rules = game(NAME)
    state = table_of(rules, "8S 8H 8D 4C 5C 6C 2H 9S", "3C 4D", phase="draw", stock="JD TC", pile="KD 7H",
                     table=["1: 4H 5H 6H"])
    assert legal(rules, state) == {"draw", "take"}
    state = play(rules, state, "take", "layoff 7H @0", "meld 8S 8H 8D", "meld 4C 5C 6C")
    assert on_table(state) == ["4H 5H 6H 7H", "8S 8H 8D", "4C 5C 6C"]


def test_V4_the_taken_card() -> None:
    """Not back on the pile, unless it is the last card of the hand at that moment."""
    rules = game(NAME)
    state = play(rules, table_of(rules, "2C 5D", "3C 4D", phase="draw", pile="5C QH"), "take")
    refused(rules, state, "discard QH", "JUST_TAKEN")
    assert legal(rules, state) == {"discard 2C", "discard 5D"}


@pytest.mark.parametrize("others", [["meld 8S 8H 8D"], ["layoff 7H @0"], ["meld 8S 8H 8D", "layoff 7H @0"]])
def test_V4_as_the_last_card(others: list[str]) -> None:
    """After everything else was laid out, whichever way; the guard of basic does not apply."""
    rules = game(NAME)
    held = " ".join(face for text in others for face in text.split()[1:] if face != "@0")
    state = table_of(rules, held, "3C 4D", phase="draw", pile="5C QC", table=["1: 4H 5H 6H"], tabled=[0, 1])
    state = play(rules, state, "take", *others)
    assert legal(rules, state) == {"discard QC"}
    assert settled(play(rules, state, "discard QC"), ["kind", "winner", "points"]) == {
        "kind": "out", "winner": 0, "points": (7, 0)}


@pytest.mark.parametrize("last", ["meld 5H 6H 7H", "layoff 8S @0", "discard 2C"])
def test_V5_three_ways_out(last: str) -> None:
    rules = game(NAME)
    held = " ".join(face for face in last.split()[1:] if face != "@0")
    state = play(rules, table_of(rules, held, "9H 4D", table=["1: 8H 8D 8C"], tabled=[0, 1]), last)
    assert settled(state, ["kind", "winner", "points"]) == {"kind": "out", "winner": 0, "points": (13, 0)}
    assert rules.legal(state) == ()


def test_V5_the_last_discard_lies_face_up() -> None:
    """Only basic hides it."""
    rules = game(NAME)
    state = play(rules, table_of(rules, "2C", "9H 4D", pile="5C", tabled=[0]), "discard 2C")
    assert zone(rules.view(state, 1).pile) == "5C 2C"


@pytest.mark.parametrize("renewals", [0, 1])
def test_V6_turned_over(renewals: int) -> None:
    """The first two times: at once, unshuffled, the oldest discard on top, no pile left."""
    rules = game(NAME)
    state = table_of(rules, "2H 5D 9C", "3D 7S JC", phase="draw", stock="KD", pile="5C 9H TS", renewals=renewals)
    state = play(rules, state, "draw", "discard KD")
    assert (zone(state.stock), state.pile) == ("5C 9H TS KD", ())
    assert (state.seat, rules.phase(state), state.result) == (1, "draw", None)
    assert legal(rules, state) == {"draw"}
    refused(rules, state, "take", "PILE_EMPTY")
    view = rules.view(state, 0)
    assert (view.renewals, zone(view.in_stock), view.stock_size) == (renewals + 1, "5C 9H TS KD", 4)
    state = play(rules, state, "draw")
    assert "5C" in hand(state, 1)
    assert zone(rules.view(state, 0).known[1]) == "5C"
    state = play(rules, state, "discard 3D")
    assert legal(rules, state) == {"draw", "take"}


def test_V6_drawn_the_third_time() -> None:
    rules = game(NAME)
    state = table_of(rules, "2H 5D 9C", "3D 7S JC", phase="draw", stock="KD", pile="5C 9H", renewals=2, scores=[50, 70])
    state = play(rules, state, "draw", "discard KD")
    assert settled(state, ["kind", "winner", "points", "standing", "renewals"]) == {
        "kind": "exhausted", "winner": None, "points": (0, 0), "standing": ("draw", "draw"), "renewals": 2}
    assert state.scores == (50, 70)


def test_V6_the_turn_is_completed_first() -> None:
    """Who draws the last card may go out with it, also the third time."""
    rules = game(NAME)
    state = table_of(rules, "QD JD", "3D 7S", phase="draw", stock="KD", pile="5C 9H", renewals=2, tabled=[0])
    state = play(rules, state, "draw", "meld JD QD KD")
    assert settled(state, ["kind", "points"]) == {"kind": "out", "points": (10, 0)}


@pytest.mark.parametrize(("texts", "table", "tabled", "points"), [
    (["meld 8S 8H 8D", "layoff 7H @0", "discard 2C"], ["1: 4H 5H 6H"], [1], 28),
    (["meld 8S 8H 8D", "discard 2C"], ["1: 4H 5H 6H"], [], 28),
    (["meld 8S 8H 8D", "layoff 7H @0"], ["1: 4H 5H 6H"], [1], 28),
    (["layoff 7H @0", "meld 8S 8H 8D"], ["1: 4H 5H 6H"], [1], 28),
    (["discard 2C"], [], [], 28),
    (["meld 8S 8H 8D", "layoff 7H @0"], ["1: 4H 5H 6H + 0: 3H"], [0, 1], 14),
    (["discard 2C"], ["0: 4H 5H 6H"], [0], 14),
])
def test_V7_scoring_and_rummy(texts: list[str], table: list[str], tabled: list[int], points: int) -> None:
    """The winner scores the other hand, twice if nothing was melded or laid off in an earlier turn."""
    rules = game(NAME)
    held = " ".join(face for text in texts for face in text.split()[1:] if face != "@0")
    state = play(rules, table_of(rules, held, "KC 4D", table=table, tabled=tabled), *texts)
    assert settled(state, ["kind", "points", "doubled", "standing"]) == {
        "kind": "out", "points": (points, 0), "doubled": points == 28, "standing": ("win", "loss")}


def test_V7_all_other_hands() -> None:
    rules = game(NAME)
    state = table_of(rules, "4S", "KD QD", "AS 2S", "JH", "TS", "9S", tabled=[0])
    assert result(play(rules, state, "discard 4S")).points == (52, 0, 0, 0, 0, 0)


@pytest.mark.parametrize("drawn", [False, True])
def test_V8_the_deal_passes_left(drawn: bool) -> None:
    rules = game(NAME)
    held = "4S 3S" if drawn else "4S"
    state = table_of(rules, held, "KD QD", "AS 2S", dealer=2, stock="", pile="9D", renewals=2)
    state = play(rules, state, "discard 4S")
    assert result(state).kind == ("exhausted" if drawn else "out")
    assert (state.dealer, state.round) == (0, 2)


def test_V9_target() -> None:
    for target in range(50, 301, 25):
        rules = game(NAME, match__target=target)
        for before, over in ((target - 14, True), (target - 15, False)):
            state = table_of(rules, "4S", "KD 4D", tabled=[0], scores=[before, target - 1])
            state = play(rules, state, "discard 4S")
            assert rules.is_over(state) == over
            assert not over or rules.winners(state) == (0,)


@pytest.mark.parametrize("wrong", [25, 49, 51, 60, 110, 299, 325, 0, -50])
def test_V9_no_such_target(wrong: int) -> None:
    with pytest.raises(rummy.ProfileError):
        rummy.load(NAME, {"match.target": wrong})


def test_V9_the_default_is_a_hundred() -> None:
    rules = game(NAME)
    for before, over in ((86, True), (85, False)):
        state = table_of(rules, "4S", "KD 4D", tabled=[0], scores=[before, 99])
        assert rules.is_over(play(rules, state, "discard 4S")) == over


def test_V10_no_stalemate_detector() -> None:
    """Two full sets, a closed run and one card each: the round goes on until the stock decides."""
    rules = game(NAME)
    table = ["0: 5S 5H 5D 5C", "0: KS KH KD KC", "1: 6S 7S 8S 9S TS JS QS"]
    state = table_of(rules, "2C 4D", "3C", table=table, pile="7D", stock="2D 2H")
    state = play(rules, state, "discard 4D")
    assert (state.result, rules.phase(state)) == (None, "draw")
    dial = game(NAME, ending__deadlock=True)
    state = table_of(dial, "2C 4D", "3C", table=table, pile="7D", stock="2D 2H")
    assert result(play(dial, state, "discard 4D")).kind == "deadlock"
