"""The clauses B20 to B26 of docs/rules.md: scoring and prize of gin-knock; gin-classic (3.2)."""

from __future__ import annotations

from itertools import combinations

import pytest

import rummy_engine as rummy
from tests.helpers import (
    game,
    hand,
    legal,
    play,
    refused,
    refuses,
    renew,
    result,
    settled,
    table_of,
)

NAME = "gin-knock"
CLASSIC = "gin-classic"
READY = "4S 5S 6S KH KD KC 9H 9D 9C"
"""Nine melded cards; with a tenth for deadwood and one to throw this is a knock."""
LAY = ("meld 4S 5S 6S", "meld KH KD KC", "meld 9H 9D 9C")


def test_B20_gin() -> None:
    rules = game(NAME)
    state = table_of(rules, "4S 5S 6S 7S KH KD KC 9C", "QS JH 5D", "2H 3H 4H", scores=[5, 6, 7])
    state = play(rules, state, "knock 9C", "meld 4S 5S 6S 7S", "meld KH KD KC", "done")
    assert settled(state, ["kind", "winner", "left", "points", "bonus", "standing"]) == {
        "kind": "gin", "winner": 0, "left": (0, 25, 0), "points": (0, 50, 25), "bonus": (0, 25, 25),
        "standing": ("win", "loss", "loss")}
    assert state.scores == (5, 56, 32)


def knocked(variant: str, *others: str, loose: str = "8H", **overrides: object) -> rummy.State:
    """The end of a knock with this deadwood, when the others lay down as best they can."""
    rules = game(variant, knock__respond="best", **overrides)
    return play(rules, table_of(rules, f"{READY} {loose} 2D", *others), "knock 2D", *LAY, "done")


def test_B21_the_knocker_is_lowest() -> None:
    state = knocked(NAME, "9S QH", "AC 8C")
    assert settled(state, ["kind", "winner", "left", "points", "bonus"]) == {
        "kind": "knock", "winner": 0, "left": (8, 10, 9), "points": (0, 2, 1), "bonus": (0, 0, 0)}


@pytest.mark.parametrize(("others", "left", "points", "winner"), [
    (("5H", "QH"), (8, 5, 10), (28, 0, 5), 1),
    (("8C", "QH"), (8, 8, 10), (25, 0, 2), 1),
    (("5H", "3H"), (8, 5, 3), (30, 2, 0), 2),
    (("5H", "5C"), (8, 5, 5), (28, 0, 0), None),
    (("8C", "8D"), (8, 8, 8), (25, 0, 0), None),
    (("9S", "QH"), (8, 0, 10), (33, 0, 10), 1),
    (("QS QH QD", "QC JD"), (8, 0, 20), (33, 0, 20), 1),
])
def test_B22_B23_B24_undercut(
    others: tuple[str, ...], left: tuple[int, ...], points: tuple[int, ...], winner: int | None
) -> None:
    """The lowest opponent, at most equal to the knocker, is everybody's measure; the knocker pays 25 on top.

    Several lowest all pay nothing; an opponent without deadwood gets no gin bonus.
    """
    state = knocked(NAME, *others)
    assert settled(state, ["kind", "winner", "left", "points", "bonus"]) == {
        "kind": "undercut", "winner": winner, "left": left, "points": points, "bonus": (25, 0, 0)}


def test_B22_standings() -> None:
    assert result(knocked(NAME, "5H", "QH")).standing == ("loss", "win", "loss")
    assert result(knocked(NAME, "5H", "5C")).standing == ("loss", "draw", "draw")


@pytest.mark.parametrize(("scores", "totals", "winners"), [
    ([30, 0, 0], (30, 2, 1), (2,)),
    ([0, 0, 0], (0, 2, 1), (0,)),
    ([5, 3, 4], (5, 5, 5), (0, 1, 2)),
    ([9, 3, 4], (9, 5, 5), (1, 2)),
])
def test_B25_three_rounds(scores: list[int], totals: tuple[int, ...], winners: tuple[int, ...]) -> None:
    """The lowest total wins; equal totals share the place."""
    rules = game(NAME, knock__respond="best")
    for number in (1, 2, 3):
        state = table_of(rules, f"{READY} 8H 2D", "9S QH", "AC 8C", scores=scores, round=number)
        state = play(rules, state, "knock 2D", *LAY, "done")
        assert state.scores == totals
        assert rules.is_over(state) == (number == 3)
    assert rules.winners(state) == winners
    places = rules.places(state)
    for one, other in combinations(range(3), 2):
        assert (places[one] < places[other]) == (totals[one] < totals[other])
        assert (places[one] == places[other]) == (totals[one] == totals[other])


def paid(pot: int, totals: list[int], **overrides: object) -> tuple[int, ...]:
    """The shares of a pot after a match with these totals."""
    rules = game(NAME, ending__max_turns=1, **overrides)
    held = ["2H 4C", "2C 4D", "2D 4S", "2S 4H"][: len(totals)]
    state = play(rules, table_of(rules, *held, scores=totals, round=3, pile="9C"), "discard 2H")
    return rules.payout(state, pot)


@pytest.mark.parametrize(("pot", "totals", "split", "shares"), [
    (100, [0, 49], "pool_normalised", (75, 25)),
    (100, [0, 50], "pool_normalised", (100, 0)),
    (100, [0, 49], "gap_scaled", (100, 0)),
    (1000, [0, 25], "gap_scaled", (875, 125)),
    (1000, [0, 0, 25], "pool_normalised", (375, 375, 250)),
    (1000, [0, 0, 25], "gap_scaled", (469, 469, 62)),
    (101, [0, 0], "pool_normalised", (51, 50)),
    (101, [0, 0, 80, 90], "gap_scaled", (51, 50, 0, 0)),
    (100, [90, 10, 20, 30], "pool_normalised", (0, 76, 14, 10)),
    (0, [0, 10], "pool_normalised", (0, 0)),
])
def test_B26_prize(pot: int, totals: list[int], split: str, shares: tuple[int, ...]) -> None:
    """Losers' shares are floored, the rest is the winners', odd units by seat order."""
    assert paid(pot, totals, prize__split=split) == shares
    assert sum(shares) == pot


def test_B26_no_prize_before_the_end_or_without_a_section() -> None:
    rules = game(NAME)
    state = table_of(rules, "2H 4C", "2C 4D")
    with pytest.raises(rummy.RummyError):
        rules.payout(state, 100)
    classic = game(CLASSIC, match__rounds=1, ending__max_turns=1)
    state = play(classic, table_of(classic, "2H 4C", "2C 4D", scores=[10, 0]), "discard 2H")
    assert classic.is_over(state)
    with pytest.raises(rummy.ProfileError):
        classic.payout(state, 100)


def test_3_2_gin_classic_for_two() -> None:
    rules = game(CLASSIC)
    assert refuses(rummy.RummyError, lambda: rules.start(3))
    state = renew(rules, rules.start(2))
    assert [len(hand(state, seat)) for seat in (0, 1)] == [10, 10]
    assert (rules.phase(state), legal(rules, state)) == ("offer", {"take", "pass"})
    assert rules.view(state, 0).knock_limit == 10


@pytest.mark.parametrize(("loose", "other", "kind", "points", "bonus"), [
    ("8H", "QC 2H", "knock", (4, 0), (0, 0)),
    ("8H", "5H 2H", "undercut", (0, 26), (0, 25)),
    ("8H", "8C", "undercut", (0, 25), (0, 25)),
    ("8H", "QS QH QD", "undercut", (0, 33), (0, 25)),
    ("7S", "QC 2H", "gin", (37, 0), (25, 0)),
    ("7S", "QS QH QD", "gin", (25, 0), (25, 0)),
    ("7S", "8S", "gin", (33, 0), (25, 0)),
])
def test_3_2_gin_classic_points(
    loose: str, other: str, kind: str, points: tuple[int, ...], bonus: tuple[int, ...]
) -> None:
    """The winner of the round collects the difference, and 25 for gin or an undercut, also on a tie."""
    rules = game(CLASSIC, knock__respond="best")
    state = play(rules, table_of(rules, f"{READY} {loose} 2D", other), "knock 2D")
    run = "meld 4S 5S 6S 7S" if loose == "7S" else LAY[0]
    state = play(rules, state, run, *LAY[1:], "done")
    assert settled(state, ["kind", "points", "bonus"]) == {"kind": kind, "points": points, "bonus": bonus}


@pytest.mark.parametrize("dealer", [0, 1])
def test_3_2_gin_classic_wall(dealer: int) -> None:
    """Two cards left after a discard: nobody scores and the same dealer deals; otherwise the deal alternates."""
    rules = game(CLASSIC)
    state = table_of(rules, "4S 8D KH", "3C 4D QS", phase="draw", stock="JD TC 2D", pile="5C", dealer=dealer)
    state = play(rules, state, "draw", "discard 8D")
    assert settled(state, ["kind", "points", "renewals"]) == {"kind": "exhausted", "points": (0, 0), "renewals": 0}
    assert (state.dealer, state.round, rules.phase(state)) == (dealer, 2, "deal")
    more = table_of(rules, "4S 8D KH", "3C 4D QS", phase="draw", stock="JD TC 2D 3H", pile="5C", dealer=dealer)
    assert play(rules, more, "draw", "discard 8D").result is None
    won = game(CLASSIC, knock__respond="best")
    state = table_of(won, f"{READY} 8H 2D", "QC 2H", dealer=dealer)
    assert play(won, state, "knock 2D", *LAY, "done").dealer == 1 - dealer


def test_3_2_gin_classic_to_a_hundred() -> None:
    rules = game(CLASSIC, knock__respond="best")
    for before, over in ((96, True), (95, False)):
        state = table_of(rules, f"{READY} 8H 2D", "QC 2H", scores=[before, 99])
        state = play(rules, state, "knock 2D", *LAY, "done")
        assert rules.is_over(state) == over
        assert not over or (rules.winners(state), state.scores) == ((0,), (100, 99))


def test_3_2_gin_classic_has_no_big_gin_by_default() -> None:
    rules = game(CLASSIC)
    state = table_of(rules, f"{READY} 7S 8S", "QC 2H")
    refused(rules, state, "knock", "NOT_IN_THIS_VARIANT")
    big = game(CLASSIC, knock__big_gin_bonus=31, knock__spread="best")
    state = play(big, table_of(big, f"{READY} 7S 8S", "QC 2H"), "knock")
    assert settled(state, ["kind", "winner", "points", "bonus"]) == {
        "kind": "gin", "winner": 0, "points": (43, 0), "bonus": (31, 0)}
    least = game(CLASSIC, knock__big_gin_bonus=1, knock__spread="best")
    assert settled(play(least, table_of(least, f"{READY} 7S 8S", "QC 2H"), "knock"), ["bonus"]) == {"bonus": (1, 0)}
    plain = table_of(big, f"{READY} 7S QC", "2H")
    refused(big, plain, "knock")
