"""The clauses C1 to C14 of docs/rules.md: what all games share."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

import rummy_engine as rummy
from tests.helpers import (
    cards,
    draw_and_throw,
    game,
    hand,
    legal,
    melds,
    on_table,
    pack,
    play,
    refused,
    renew,
    result,
    table_of,
    zone,
)

VARIANTS = rummy.variants()
LAYING = [name for name in VARIANTS if not name.startswith("gin-")]


def dealt(variant: str, players: int = 2, dealer: int = 0) -> tuple[rummy.Game, rummy.State]:
    """A freshly dealt round, past the up-card offer."""
    rules = game(variant)
    state = renew(rules, rules.start(players, dealer=dealer))
    while rules.phase(state) == "offer":
        state = play(rules, state, "pass")
    return rules, state


@pytest.mark.parametrize("variant", LAYING)
def test_C1_draw_table_discard(variant: str) -> None:
    """Before the draw nothing may be tabled or discarded; after the discard the turn is over."""
    rules = game(variant)
    state = table_of(rules, "8S 8H 8D 2C 4C", "3C 9D KH", stock="JD TC 6S", pile="QH", phase="draw")
    assert legal(rules, state) == {"draw", "take"}
    for early in ("meld 8S 8H 8D", "discard 2C"):
        refused(rules, state, early, "WRONG_PHASE")
    state = play(rules, state, "draw")
    discards = {f"discard {face}" for face in ["8S", "8H", "8D", "2C", "4C", "JD"]}
    assert legal(rules, state) == {"meld 8S 8H 8D"} | discards
    state = play(rules, state, "meld 8S 8H 8D")
    assert state.seat == 0
    state = play(rules, state, "discard 2C")
    assert (state.seat, rules.phase(state)) == (1, "draw")
    refused(rules, state, "discard 4C")


@pytest.mark.parametrize("variant", VARIANTS)
def test_C2_sets_and_runs(variant: str) -> None:
    rules = game(variant)
    assert melds(rules, "8S 8H 8D 8C") == {"8S 8H 8D 8C", "8S 8H 8D", "8S 8H 8C", "8S 8D 8C", "8H 8D 8C"}
    assert melds(rules, "4H 5H 6H") == {"4H 5H 6H"}
    for none in ("8S 8H", "4H 5H", "4H 5H 6D", "4H 5H 7H", "8S 8H 9D", "4H 6H 8H", ""):
        assert melds(rules, none) == set()


@pytest.mark.parametrize("variant", LAYING)
def test_C3_melds_only_grow(variant: str) -> None:
    """A tabled card can be used no second time, and no action takes one away."""
    rules = game(variant)
    state = table_of(rules, "5S 6S 8H 2C 4C", "3C 9D KH", table=["0: 7S 7H 7D 7C", "1: 9H TH JH"])
    refused(rules, state, "meld 5S 6S 7S", "CARD_NOT_HELD")
    refused(rules, state, "layoff 7H @1", "CARD_NOT_HELD")
    after = play(rules, state, "layoff 8H @1")
    assert on_table(after) == ["7S 7H 7D 7C", "8H 9H TH JH"]
    with pytest.raises(rummy.NotationError):
        rules.apply(state, "swap 7S")
    refused(rules, state, "swap 7S @0")


def test_C4_the_player_chooses_the_meld() -> None:
    rules = game("rummy-2-6")
    state = table_of(rules, "8H 2C 4D", "3C 9D KH", table=["1: 8S 8D 8C", "1: 5H 6H 7H"])
    assert legal(rules, state, "layoff") == {"layoff 8H @0", "layoff 8H @1"}
    assert on_table(play(rules, state, "layoff 8H @0")) == ["8S 8H 8D 8C", "5H 6H 7H"]
    assert on_table(play(rules, state, "layoff 8H @1")) == ["8S 8D 8C", "5H 6H 7H 8H"]


@pytest.mark.parametrize("variant", LAYING)
def test_C5_a_run_grows_at_both_ends_to_the_whole_suit(variant: str) -> None:
    rules = game(variant)
    held = "AS 2S 3S 4S 8S 9S TS JS QS KS"
    state = table_of(rules, f"{held} 3D 4D", "3C 9D KH", table=["1: 5S 6S 7S"])
    for face in ["4S", "3S", "2S", "AS", "8S", "9S", "TS", "JS", "QS", "KS"]:
        state = play(rules, state, f"layoff {face} @0")
    assert on_table(state) == ["AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"]


@pytest.mark.parametrize("variant", LAYING)
def test_C6_melding_is_optional(variant: str) -> None:
    """With melds and lay-offs at hand a plain discard is legal, also of a card that would fit."""
    rules = game(variant)
    state = table_of(rules, "8S 8H 8D 7H 2C", "3C 9D KH", table=["1: 4H 5H 6H"])
    assert legal(rules, state, "discard") == {f"discard {face}" for face in ["8S", "8H", "8D", "7H", "2C"]}


@pytest.mark.parametrize("variant", VARIANTS)
def test_C7_clockwise_from_the_dealers_left(variant: str) -> None:
    players = 2 if variant == "gin-classic" else 4
    for dealer in range(players):
        rules, state = dealt(variant, players, dealer)
        for turn in range(players + 1):
            assert state.seat == (dealer + 1 + turn) % players
            card = state.stock[0]
            state = play(rules, state, "draw", f"discard {card}")
            while rules.phase(state) == "call":
                state = play(rules, state, "pass")


def test_C8_C10_one_card_at_a_time_then_the_up_card() -> None:
    rules = game("rummy-2-6")
    state = play(rules, rules.start(5, dealer=3), "deal " + " ".join(pack()))
    order = [4, 0, 1, 2, 3]
    for place, seat in enumerate(order):
        assert hand(state, seat) == sorted(pack()[place : 30 : 5])
    assert zone(state.pile) == pack()[30]
    assert zone(state.stock) == " ".join(pack()[31:])


@pytest.mark.parametrize("wrong", ["AS 2S 3S", " ".join(pack()[:-1]), " ".join([*pack()[:-1], "AS"]), "JK"])
def test_C8_a_deal_names_the_whole_pack(wrong: str) -> None:
    rules = game("basic")
    refused(rules, rules.start(2), f"deal {wrong}", "WRONG_CARDS")


def test_C9_the_first_dealer_is_drawn() -> None:
    assert {rummy.Match("basic", 3, seed=seed).state.dealer for seed in range(30)} == {0, 1, 2}
    assert rummy.Match("basic", 3, seed=5).state.dealer == rummy.Match("basic", 3, seed=5).state.dealer
    assert rummy.Match("basic", 3, seed=5, dealer=1).state.dealer == 1


@pytest.mark.parametrize(("variant", "kind", "overrides"), [
    ("basic", "out", {}),
    ("basic", "exhausted", {"stock__renewals": 0}),
    ("basic", "void", {"ending__max_turns": 1}),
    ("rummy-2-6", "exhausted", {"stock__renewals": 0}),
    ("gin-knock", "void", {"ending__max_turns": 1}),
    ("rummy-500", "void", {"ending__max_turns": 1}),
])
def test_C9_the_deal_passes_left(variant: str, kind: str, overrides: dict[str, object]) -> None:
    """After every round, whoever won it and whether anybody did."""
    rules = game(variant, **overrides)
    for dealer in (0, 2):
        first = (dealer + 1) % 3
        hands = ["2H", "3C", "4C"] if kind == "out" else ["2H 7D QS", "3C 8D KH", "4C 9D JS"]
        phase = "play" if kind == "out" else "draw"
        stock = "TC" if kind == "exhausted" else "TC 3S 5S 6S"
        state = table_of(rules, *hands, seat=first, dealer=dealer, stock=stock, pile="TD", phase=phase)
        if phase == "draw":
            state = play(rules, state, "draw")
        state = play(rules, state, min(legal(rules, state, "discard")))
        assert result(state).kind == kind
        assert (result(state).dealer, state.dealer) == (dealer, first)
        assert (state.seat, rules.phase(state), state.round) == (rummy.DEALER, "deal", 2)


@pytest.mark.parametrize("variant", ["basic", "rummy-2-6", "gin-knock"])
@pytest.mark.parametrize(("players", "constant"), [(2, 32), (3, 31), (4, 24)])
def test_C11_stock_and_pile_together_stay_equal(variant: str, players: int, constant: int) -> None:
    """Between turns, whatever is played: one card comes, one goes."""
    rules = game(variant)
    state, rng = renew(rules, rules.start(players)), random.Random(3)
    for _ in range(600):
        if rules.round_over(state):
            break
        if rules.phase(state) == "reshuffle":
            state = renew(rules, state)
        elif rules.phase(state) == "play":
            state = rules.apply(state, rng.choice(rules.legal(state)))
        else:
            assert len(state.stock) + len(state.pile) == constant
            state = rules.apply(state, rng.choice(rules.legal(state)))


DEADLOCKED = ["0: 5S 5H 5D 5C", "0: KS KH KD KC", "1: 6S 7S 8S 9S TS JS QS"]


def end_of_turn(variant: str, *hands: str, table: Sequence[str] = (), **overrides: object) -> rummy.State:
    """Seat 0 draws the last stock card, 7D, and throws it away."""
    rules = game(variant, **overrides)
    state = table_of(rules, *hands, phase="draw", stock="7D", pile="TD", table=table)
    return play(rules, state, "draw", "discard 7D")


def test_C12_an_empty_hand_comes_first() -> None:
    """Going out with the last stock card in the last turn: out, not exhausted, not void."""
    rules = game("basic", ending__max_turns=1, stock__renewals=0)
    state = table_of(rules, "8D 9D", "3C 4D", phase="draw", stock="7D", pile="TD")
    assert result(play(rules, state, "draw", "meld 7D 8D 9D")).kind == "out"


def test_C12_deadlock_before_exhaustion() -> None:
    state = end_of_turn("basic", "2C", "3C", table=DEADLOCKED, stock__renewals=0)
    assert result(state).kind == "deadlock"
    state = end_of_turn("basic", "2C", "3C", table=DEADLOCKED)
    assert result(state).kind == "deadlock"
    state = end_of_turn("basic", "2C", "3C", table=DEADLOCKED, ending__max_turns=1)
    assert result(state).kind == "deadlock"


def test_C12_exhaustion_before_the_turn_cap() -> None:
    state = end_of_turn("basic", "2C 4H", "3C 9D", ending__max_turns=1, stock__renewals=0)
    assert result(state).kind == "exhausted"


def test_C12_the_turn_cap_before_a_renewal() -> None:
    state = end_of_turn("basic", "2C 4H", "3C 9D", ending__max_turns=1)
    assert result(state).kind == "void"
    assert result(state).renewals == 0
    state = end_of_turn("rummy-2-6", "2C 4H", "3C 9D", ending__max_turns=1)
    assert result(state).kind == "void"
    assert (len(state.stock), zone(state.pile)) == (0, "TD 7D")


def test_C12_a_renewal_before_the_call_window() -> None:
    """The stock is shuffled first; then the discard that stayed may be called."""
    rules = game("rummy-500", stock__when_empty="shuffle", stock__renewals=1, stock__then="exhausted")
    state = table_of(rules, "2C 4D", "3C 9D", "4C QS", phase="draw", stock="7H", pile="TD", table=["2: 4H 5H 6H"])
    state = play(rules, state, "draw", "discard 7H")
    assert (rules.phase(state), state.seat) == ("reshuffle", rummy.DEALER)
    state = renew(rules, state)
    assert (rules.phase(state), state.seat) == ("call", 1)
    assert legal(rules, state) == {"call", "pass"}
    assert (zone(state.stock), zone(state.pile)) == ("TD", "7H")


def test_C12_a_call_window_only_where_a_call_exists() -> None:
    rules = game("rummy-500")
    state = table_of(rules, "2C 7H", "3C 9D", "4C QS", table=["2: 4H 5H 6H"], pile="TD")
    assert rules.phase(play(rules, state, "discard 7H")) == "call"
    assert rules.phase(play(rules, state, "discard 2C")) == "draw"


@pytest.mark.parametrize(("variant", "stock"), [
    ("basic", ""), ("rummy-2-6", ""), ("gin-classic", "2S 3S"), ("gin-knock", "2S 3S"),
])
def test_C13_a_stock_at_its_floor_counts_as_empty(variant: str, stock: str) -> None:
    """`draw` is illegal, `take` legal, and the stock rule fires at the end of that turn."""
    rules = game(variant)
    state = table_of(rules, "2H 7D QS", "3C 8D KH", phase="draw", stock=stock, pile="TD 9C 5C 9S")
    refused(rules, state, "draw", "STOCK_EMPTY")
    assert legal(rules, state) == {"take"}
    state = play(rules, state, "take", "discard 2H")
    if variant == "gin-classic":
        assert result(state).kind == "exhausted"
    elif variant == "rummy-2-6":
        assert (zone(state.stock), zone(state.pile)) == ("TD 9C 5C 2H", "")
    else:
        assert rules.phase(state) == "reshuffle"
        state = renew(rules, state)
        assert cards(zone(state.stock)) == cards(f"TD 9C 5C {stock}")
        assert zone(state.pile) == "2H"


@pytest.mark.parametrize("variant", ["basic", "rummy-2-6", "gin-classic", "gin-knock"])
def test_C13_stock_and_pile_empty_is_no_position(variant: str) -> None:
    rules = game(variant)
    stock = "2S 3S" if variant.startswith("gin") else ""
    with pytest.raises(rummy.RummyError):
        table_of(rules, "2H 7D QS", "3C 8D KH", phase="draw", stock=stock, pile="")


def test_C13_or_an_ended_round_where_it_is_scored() -> None:
    rules = game("rummy-500")
    state = table_of(rules, "2H 7D QS", "3C 8D KH", phase="draw", stock="", pile="")
    assert result(state).kind == "stock_out"
    assert result(state).points == (-19, -21)


@pytest.mark.parametrize("variant", VARIANTS)
def test_C14_the_turn_cap(variant: str) -> None:
    """The turn that reaches the cap ends the round as void; nobody scores."""
    assert game(variant).profile.ending.max_turns == 1000
    rules = game(variant, ending__max_turns=3)
    state = table_of(rules, "2H 7D QS", "3C 8D KH", phase="draw", pile="TD")
    for turn in range(1, 4):
        assert state.result is None
        card = state.stock[0]
        state = play(rules, state, "draw", f"discard {card}")
        assert rules.round_over(state) == (turn == 3)
    assert (result(state).kind, result(state).turns, result(state).winner) == ("void", 3, None)
    assert result(state).points == state.scores == (0, 0)


def test_C14_also_in_a_whole_round() -> None:
    rules = game("basic", ending__max_turns=20)
    end, _ = draw_and_throw(rules, rules.start(3))
    assert (result(end).kind, result(end).turns) == ("void", 20)
