"""Worked examples, numbered by game: those that are one position as data, whole rounds here."""

from __future__ import annotations

import pytest

from tests.helpers import deal, draw_and_throw, game, legal, play, renew, result
from tests.scenarios import Scenario, load_scenarios


@pytest.mark.parametrize("scenario", load_scenarios("examples_of_rules.toml"), ids=str)
def test_worked_example(scenario: Scenario) -> None:
    scenario.run()


@pytest.mark.parametrize(("players", "draws"), [(2, [31, 62]), (3, [30, 60]), (4, [23, 46])])
def test_000_8_exhaustion(players: int, draws: list[int]) -> None:
    """Two emptyings in one round; then it is drawn and nobody scores (totals: 2.A-3)."""
    rules = game("basic")
    end, emptied = draw_and_throw(rules, rules.start(players))
    assert emptied == draws
    assert result(end).kind == "exhausted"
    assert (result(end).turns, result(end).renewals) == (draws[-1], 1)
    assert result(end).points == end.scores == (0,) * players


def test_000_8_the_top_stays_and_31_are_shuffled() -> None:
    rules = game("basic")
    state = renew(rules, rules.start(2))
    for _ in range(31):
        card = state.stock[0]
        state = play(rules, state, "draw", f"discard {card}")
    assert rules.phase(state) == "reshuffle"
    assert len(state.pile) == 32
    top, rest = state.pile[-1], set(state.pile[:-1])
    state = renew(rules, state)
    assert state.pile == (top,)
    assert set(state.stock) == rest and len(state.stock) == 31


def test_001_21_up_card() -> None:
    """P1 and P2 pass, P3 takes and discards: P1 plays a normal turn. If all pass, P1 must draw from the stock."""
    rules = game("gin-knock")
    hands = ["2H 4C 6D 8S TC QH KD", "2C 4D 6S 8H TD QC KS", "2D 4S 6H 8C TS QD KH"]
    dealt = play(rules, rules.start(3, dealer=2), deal(hands, "3S", dealer=2))
    assert (dealt.seat, rules.phase(dealt), legal(rules, dealt)) == (0, "offer", {"take", "pass"})
    third = play(rules, dealt, "pass", "pass")
    assert (third.seat, rules.phase(third)) == (2, "offer")
    after = play(rules, third, "take", "discard KH")
    assert (after.seat, rules.phase(after), legal(rules, after)) == (0, "draw", {"draw", "take"})
    refused = play(rules, third, "pass")
    assert (refused.seat, rules.phase(refused), legal(rules, refused)) == (0, "draw", {"draw"})
    second = play(rules, refused, "draw", "discard KD")
    assert (second.seat, legal(rules, second)) == (1, {"draw", "take"})


def test_001_21_recycling() -> None:
    """After 29 stock draws two cards are left; 29 old discards and these two are the new stock, one card the pile."""
    rules = game("gin-knock", ending__max_turns=40)
    state = play(rules, renew(rules, rules.start(2)), "pass", "pass")
    for _ in range(29):
        card = state.stock[0]
        state = play(rules, state, "draw", f"discard {card}")
    assert rules.phase(state) == "reshuffle"
    top, others = state.pile[-1], {*state.pile[:-1], *state.stock}
    assert (len(state.stock), len(state.pile)) == (2, 30)
    state = renew(rules, state)
    assert state.pile == (top,)
    assert set(state.stock) == others and len(state.stock) == 31


PRIZES = [
    ("pool_normalised", (12, 30, 57, 70), 10_000, (7_501, 2_162, 337, 0)),
    ("gap_scaled", (12, 30, 57, 70), 10_000, (9_384, 533, 83, 0)),
    ("gap_scaled", (0, 20), 1_000, (850, 150)),
    ("pool_normalised", (0, 20), 1_000, (750, 250)),
    ("gap_scaled", (0, 60), 1_000, (1_000, 0)),
    ("pool_normalised", (0, 60), 1_000, (1_000, 0)),
]


@pytest.mark.parametrize(("split", "totals", "pot", "shares"), PRIZES)
def test_001_21_prize(split: str, totals: tuple[int, ...], pot: int, shares: tuple[int, ...]) -> None:
    """The prize of section 2.B-16 for these totals; a void last round adds nothing to them."""
    rules = game("gin-knock", prize__split=split, ending__max_turns=1)
    hands = ["2H 4C 6D", "2C 4D 6S", "2D 4S 6H", "2S 4H 6C"][: len(totals)]
    state = rules.position(hands=hands, seat=0, phase="draw", pile="9C", scores=list(totals), round=3)
    state = play(rules, state, "draw")
    state = play(rules, state, "discard 6D")
    assert result(state).kind == "void"
    assert rules.is_over(state) and state.scores == totals
    assert rules.payout(state, pot) == shares


@pytest.mark.parametrize(("players", "draws"), [(2, [31, 63, 95]), (6, [15, 31, 47])])
def test_002_27_exhaustions(players: int, draws: list[int]) -> None:
    """Turned over twice, drawn the third time."""
    rules = game("rummy-2-6")
    end, emptied = draw_and_throw(rules, rules.start(players))
    assert emptied == draws
    assert (result(end).kind, result(end).turns, result(end).renewals) == ("exhausted", draws[-1], 2)
    assert result(end).points == end.scores == (0,) * players
