"""The clauses B1 to B19 of docs/rules.md: the deal, the turns and the knock of gin-knock."""

from __future__ import annotations

import random

import pytest

import rummy_engine as rummy
from tests.helpers import (
    deal,
    game,
    hand,
    legal,
    may,
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

NAME = "gin-knock"
CLASSIC = "gin-classic"
READY = "4S 5S 6S KH KD KC 9H 9D 9C"
"""Nine melded cards; with a tenth for deadwood and one to throw this is a knock."""
LAY = ("meld 4S 5S 6S", "meld KH KD KC", "meld 9H 9D 9C")


def test_B1_players_and_pack() -> None:
    rules = game(NAME)
    assert refuses(rummy.RummyError, lambda: rules.start(1))
    assert refuses(rummy.RummyError, lambda: rules.start(5))
    faces = str(rules.chance(rules.start(4), random.Random(1))).split()[1:]
    assert len(set(faces)) == len(faces) == 52 and "JK" not in faces


@pytest.mark.parametrize(("players", "size", "stock"), [(2, 10, 31), (3, 7, 30), (4, 7, 23)])
def test_B2_the_deal(players: int, size: int, stock: int) -> None:
    rules = game(NAME)
    state = renew(rules, rules.start(players))
    assert [len(hand(state, seat)) for seat in range(players)] == [size] * players
    assert (len(state.stock), len(state.pile), rules.phase(state)) == (stock, 1, "offer")


@pytest.mark.parametrize("variant", [NAME, CLASSIC])
def test_B3_values(variant: str) -> None:
    rules = game(variant)
    found = [rummy.best_arrangement(rank + "D", rules).points for rank in "A23456789TJQK"]
    assert found == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]


@pytest.mark.parametrize("variant", [NAME, CLASSIC])
def test_B4_the_ace_is_low(variant: str) -> None:
    rules = game(variant)
    assert melds(rules, "AS 2S 3S QS KS") == {"AS 2S 3S"}
    assert rummy.best_arrangement("QS KS AS", rules).points == 21


HANDS = ["2H 4C 6D 8S TC QH KD", "2C 4D 6S 8H TD QC KS", "2D 4S 6H 8C TS QD KH"]


def offered(**overrides: object) -> tuple[rummy.Game, rummy.State]:
    """Three players, the up-card is 3S, seat 0 is asked first."""
    rules = game(NAME, **overrides)
    return rules, play(rules, rules.start(3, dealer=2), deal(HANDS, "3S", dealer=2, stock="JD JH"))


def test_B5_each_player_in_turn() -> None:
    rules, state = offered()
    for seat in range(3):
        assert (state.seat, rules.phase(state), legal(rules, state)) == (seat, "offer", {"take", "pass"})
        refused(rules, state, "draw")
        state = play(rules, state, "pass")
    assert rules.phase(state) == "draw"


@pytest.mark.parametrize("taker", [0, 1, 2])
def test_B6_the_taker_throws_another_card(taker: int) -> None:
    rules, state = offered()
    state = play(rules, state, *["pass"] * taker, "take")
    assert (state.seat, rules.phase(state)) == (taker, "play")
    refused(rules, state, "discard 3S", "JUST_TAKEN")
    assert legal(rules, state) == {f"discard {face}" for face in HANDS[taker].split()}
    state = play(rules, state, min(legal(rules, state)))
    assert (state.seat, rules.phase(state), legal(rules, state)) == ((taker + 1) % 3, "draw", {"draw", "take"})


def test_B7_all_pass() -> None:
    """The first player draws from the stock; the refused card stays and may be taken later, also by who refused it."""
    rules, state = offered()
    state = play(rules, state, "pass", "pass", "pass")
    assert (state.seat, rules.phase(state), legal(rules, state)) == (0, "draw", {"draw"})
    refused(rules, state, "take", "STOCK_ONLY")
    assert zone(state.pile) == "3S"
    state = play(rules, state, "draw", "discard JD")
    assert (state.seat, legal(rules, state)) == (1, {"draw", "take"})
    free, state = offered(deal__all_pass="free")
    state = play(free, state, "pass", "pass", "pass")
    assert legal(free, state) == {"draw", "take"}
    assert "3S" in hand(play(free, state, "take"), 0)


@pytest.mark.parametrize("variant", [NAME, CLASSIC])
def test_B8_nothing_is_tabled_in_a_turn(variant: str) -> None:
    rules = game(variant)
    state = table_of(rules, "4S 5S 6S KH QD 8C", "2C 3D", phase="draw", stock="JD TC 2H 3H", pile="5C 9H")
    assert legal(rules, state) == {"draw", "take"}
    state = play(rules, state, "draw")
    assert legal(rules, state) == {f"discard {face}" for face in ["4S", "5S", "6S", "KH", "QD", "8C", "JD"]}
    refused(rules, state, "meld 4S 5S 6S")
    refused(rules, state, "layoff JD @0")
    refused(rules, state, "done")


@pytest.mark.parametrize("variant", [NAME, CLASSIC])
def test_B9_the_taken_card_stays(variant: str) -> None:
    """Neither thrown nor knocked with; in the next turn it may go."""
    rules = game(variant)
    state = table_of(rules, f"{READY} 2H", "3C 4D", phase="draw", stock="JD TC 2D 3H", pile="5C AH")
    state = play(rules, state, "take")
    refused(rules, state, "discard AH", "JUST_TAKEN")
    refused(rules, state, "knock AH", "JUST_TAKEN")
    assert may(rules, state, "knock 2H")
    state = play(rules, state, "discard 2H", "draw", "discard JD", "draw")
    assert may(rules, state, "discard AH")


def test_B10_recycling() -> None:
    """Two left after a turn: they and the pile below the discard just made are shuffled; the discard is the pile."""
    rules = game(NAME)
    state = table_of(rules, "4S 8D KH", "3C 4D QS", phase="draw", stock="JD TC 2D", pile="5C AH 9S")
    state = play(rules, state, "draw", "discard 8D")
    assert (rules.phase(state), state.seat) == ("reshuffle", rummy.DEALER)
    refused(rules, state, "reshuffle 5C AH 9S", "WRONG_CARDS")
    refused(rules, state, "reshuffle 5C AH 9S 8D TC 2D", "WRONG_CARDS")
    state = play(rules, state, "reshuffle TC 5C 2D 9S AH")
    assert (zone(state.stock), zone(state.pile), state.seat) == ("TC 5C 2D 9S AH", "8D", 1)
    assert legal(rules, state) == {"draw", "take"}


def test_B10_not_before_and_not_after_a_knock() -> None:
    rules = game(NAME)
    state = table_of(rules, "4S 8D KH", "3C 4D QS", phase="draw", stock="JD TC 2D 3H", pile="5C AH 9S")
    assert rules.phase(play(rules, state, "draw", "discard 8D")) == "draw"
    ready = table_of(rules, f"{READY} AH", "3C 4D QS", phase="draw", stock="JD TC 2D", pile="5C")
    assert rules.phase(play(rules, ready, "draw", "knock JD")) == "spread"


def test_B11_without_limit() -> None:
    rules = game(NAME)
    state = table_of(rules, "4S 8D KH", "3C 4D QS", phase="draw", stock="JD TC 2D", pile="5C AH 9S", renewals=57)
    state = renew(rules, play(rules, state, "draw", "discard 8D"))
    assert (rules.phase(state), rules.view(state, 0).renewals) == ("draw", 58)
    limited = game(NAME, stock__renewals=1)
    state = table_of(limited, "4S 8D KH", "3C 4D QS", phase="draw", stock="JD TC 2D", pile="5C AH 9S", renewals=1)
    assert result(play(limited, state, "draw", "discard 8D")).kind == "exhausted"


def test_B11_a_void_round_is_a_round() -> None:
    rules = game(NAME, ending__max_turns=1)
    state = play(rules, table_of(rules, "4S 8D KH", "3C 4D QS", round=3), "discard 8D")
    assert (result(state).kind, rules.is_over(state)) == ("void", True)


def test_B12_the_limit_is_exact() -> None:
    rules = game(NAME)
    state = table_of(rules, "4S 5S 6S KH KD KC 8H 2D QC", "3C 4D QS")
    assert legal(rules, state, "knock") == {"knock QC"}
    state = table_of(rules, "4S 5S 6S KH KD KC 8H 3D QC", "3C 4D QS")
    assert legal(rules, state, "knock") == set()
    refused(rules, state, "knock QC", "OVER_LIMIT")
    wider = game(NAME, knock__limit=11)
    assert may(wider, table_of(wider, "4S 5S 6S KH KD KC 8H 3D QC", "3C 4D QS"), "knock QC")


def test_B12_from_the_first_turn_and_on_the_up_card() -> None:
    hands = [f"{READY} 2H", "2C 3S 5D 7S 8C TH QC JD AH 6C"]
    rules = game(NAME)
    state = play(rules, rules.start(2, dealer=1), deal(hands, "AD", dealer=1), "take")
    assert may(rules, state, "knock 2H")
    later = game(NAME, knock__first_turn=False)
    state = play(later, later.start(2, dealer=1), deal(hands, "AD", dealer=1, stock="JS QS TS"), "take")
    refused(later, state, "knock 2H", "TOO_EARLY")
    state = play(later, state, "discard 2H", "draw", "discard JS", "draw")
    assert may(later, state, "knock QS")


def test_B13_gin_is_fixed_by_the_knock() -> None:
    """With nothing left over, the spread must reach nothing: no other melds, no early `done`."""
    rules = game(NAME)
    state = table_of(rules, "4S 5S 6S 7S KH KD KC 9C", "3S 8S 2D")
    state = play(rules, state, "knock 9C")
    assert legal(rules, state) == {"meld 4S 5S 6S 7S", "meld KH KD KC"}
    refused(rules, state, "meld 4S 5S 6S", "OVER_LIMIT")
    refused(rules, state, "done", "OVER_LIMIT")
    state = play(rules, state, "meld KH KD KC")
    assert legal(rules, state) == {"meld 4S 5S 6S 7S"}
    state = play(rules, state, "meld 4S 5S 6S 7S")
    assert legal(rules, state) == {"done"}
    assert result(play(rules, state, "done")).kind == "gin"


def test_B14_no_big_gin() -> None:
    """A hand of 11 that melds whole throws an end card and is gin; a knock without a card is not in the game."""
    rules = game(NAME)
    state = table_of(rules, f"{READY} 7S 8S", "3C 4D QD")
    refused(rules, state, "knock", "NOT_IN_THIS_VARIANT")
    assert {"knock 4S", "knock 8S"} <= legal(rules, state, "knock")
    state = play(rules, state, "knock 8S", "meld 4S 5S 6S 7S", "meld KH KD KC", "meld 9H 9D 9C", "done")
    assert settled(state, ["kind", "bonus"]) == {"kind": "gin", "bonus": (0, 25)}


@pytest.mark.parametrize("held", [
    "4S 5S 6S 7S 8S KH KD KC 9H 9D 9C", "4S 5S 6S 7S 8S 8H 8D 8C", "AD 2D 3D 4D 5D 6D 7D 8D",
])
def test_B14_gin_is_never_missed(held: str) -> None:
    """There are always two cards to throw that leave gin, so the taken one cannot block it."""
    rules = game(NAME)
    faces = held.split()
    gin = [face for face in faces if rummy.best_arrangement(" ".join(set(faces) - {face}), rules).points == 0]
    assert len(gin) >= 2
    for taken in faces:
        rest = " ".join(face for face in faces if face != taken)
        state = play(rules, table_of(rules, rest, "3C 4C QC", phase="draw", pile=f"JC {taken}"), "take")
        assert set(gin) - {taken} <= {text.split()[1] for text in legal(rules, state, "knock")}


def test_B15_the_knocker_chooses_the_arrangement() -> None:
    """Meld by meld; 10 must stay reachable; what is left counts even if it could be melded."""
    rules = game(NAME)
    state = table_of(rules, "2S 3S 4S 2H 2D KH KD KC JC", "3C 4D QS")
    state = play(rules, state, "knock JC")
    assert (rules.phase(state), state.seat) == ("spread", 0)
    refused(rules, state, "done", "OVER_LIMIT")
    assert legal(rules, state) == {"meld 2S 3S 4S", "meld 2S 2H 2D", "meld KH KD KC"}
    kings = play(rules, state, "meld KH KD KC")
    refused(rules, kings, "done", "OVER_LIMIT")
    as_set = play(rules, kings, "meld 2S 2H 2D")
    assert legal(rules, as_set) == {"done"}
    assert result(play(rules, as_set, "done", "done")).left[0] == 7
    as_run = play(rules, kings, "meld 2S 3S 4S", "done", "done")
    assert result(as_run).left[0] == 4


def test_B15_a_meld_may_be_kept_back() -> None:
    rules = game(NAME)
    state = table_of(rules, "AS 2S 3S KH KD KC AD JC", "9C TD QS")
    state = play(rules, state, "knock JC", "meld KH KD KC")
    assert legal(rules, state) == {"meld AS 2S 3S", "done"}
    state = play(rules, state, "done")
    assert legal(rules, state) == {"done"}
    assert settled(play(rules, state, "done"), ["left", "points"]) == {"left": (7, 29), "points": (0, 22)}


def test_B15_no_meld_that_puts_the_limit_out_of_reach() -> None:
    """4-5-6 would leave two sixes, 12; as a set the sixes leave 4 and 5."""
    rules = game(NAME)
    state = table_of(rules, "4S 5S 6S 6H 6D KH KD KC JC", "3C 4D QS")
    state = play(rules, state, "knock JC")
    assert legal(rules, state) == {"meld 6S 6H 6D", "meld KH KD KC"}
    refused(rules, state, "meld 4S 5S 6S", "OVER_LIMIT")


def test_B15_the_best_spread_is_a_dial() -> None:
    rules = game(NAME, knock__spread="best")
    state = play(rules, table_of(rules, "2S 3S 4S 2H 2D KH KD KC JC", "3C 4D QS"), "knock JC")
    assert (rules.phase(state), state.seat) == ("respond", 1)
    assert set(on_table(state)) == {"KH KD KC", "2S 3S 4S"}
    assert result(play(rules, state, "done")).left[0] == 4


def test_B16_opponents_respond_in_turn() -> None:
    """Own melds and lay-offs in any order, `done` whenever they like, what is left counts."""
    rules = game(NAME)
    state = table_of(rules, f"{READY} AH 2D", "3S QS QH QD 7S 8C", "KS TC JC QC", "9S 7H")
    state = play(rules, state, "knock 2D", *LAY, "done")
    assert (rules.phase(state), state.seat) == ("respond", 1)
    assert legal(rules, state) == {"layoff 3S @0", "layoff 7S @0", "meld QS QH QD", "done"}
    state = play(rules, state, "layoff 7S @0", "meld QS QH QD", "layoff 3S @0")
    assert legal(rules, state) == {"done"}
    state = play(rules, state, "done")
    assert (state.seat, legal(rules, state)) == (2, {"layoff KS @1", "meld TC JC QC", "done"})
    state = play(rules, state, "done")
    assert (state.seat, legal(rules, state)) == (3, {"layoff 9S @2", "done"})
    state = play(rules, state, "layoff 9S @2", "done")
    assert settled(state, ["kind", "left", "points"]) == {
        "kind": "knock", "left": (1, 8, 40, 7), "points": (0, 7, 39, 6)}


def test_B16_only_on_the_knockers_melds() -> None:
    rules = game(NAME)
    state = table_of(rules, f"{READY} AH 2D", "QS QH QD 2H", "QC AD AC 3H")
    state = play(rules, state, "knock 2D", *LAY, "done", "meld QS QH QD")
    refused(rules, state, "layoff 2H @3")
    state = play(rules, state, "done")
    refused(rules, state, "layoff QC @3")
    refused(rules, state, "meld AH AD AC", "CARD_NOT_HELD")
    assert legal(rules, state) == {"done"}


def test_B16_no_responses_after_gin() -> None:
    """Every other hand counts at its exact minimum."""
    rules = game(NAME)
    state = table_of(rules, "4S 5S 6S 7S KH KD KC 9C", "QS QH QD 8S 2H", "3S KS 5D")
    state = play(rules, state, "knock 9C", "meld 4S 5S 6S 7S", "meld KH KD KC", "done")
    assert settled(state, ["kind", "left", "points"]) == {
        "kind": "gin", "left": (0, 10, 18), "points": (0, 35, 43)}


def test_B16_dials_of_the_responses() -> None:
    best = game(NAME, knock__respond="best")
    held = (f"{READY} AH 2D", "3S QS QH QD 7S 8C")
    state = play(best, table_of(best, *held), "knock 2D", *LAY, "done")
    assert result(state).left == (1, 8)
    none = game(NAME, knock__layoff="none")
    state = play(none, table_of(none, *held), "knock 2D", *LAY, "done")
    assert legal(none, state) == {"meld QS QH QD", "done"}
    refused(none, state, "layoff 3S @0")


CHAIN = ("4S 5S 6S KH KD KC AH 9C", "7S 8S QH", "8C 3S 2S")


def test_B17_B18_chains() -> None:
    """One's own lay-offs may chain; nobody builds on another's."""
    rules = game(NAME)
    state = play(rules, table_of(rules, *CHAIN), "knock 9C", "meld 4S 5S 6S", "meld KH KD KC", "done")
    refused(rules, state, "layoff 8S @0", "DOES_NOT_FIT")
    state = play(rules, state, "layoff 7S @0", "layoff 8S @0", "done")
    state = play(rules, state, "layoff 3S @0", "layoff 2S @0", "done")
    assert on_table(state)[0] == "2S 3S 4S 5S 6S 7S 8S"
    assert result(state).left == (1, 10, 8)
    swapped = ("4S 5S 6S KH KD KC AH 9C", "7S QH", "8S 8C")
    for chain, allowed in (("own", False), ("none", False), ("any", True)):
        dial = game(NAME, knock__layoff_chain=chain)
        state = table_of(dial, *swapped)
        state = play(dial, state, "knock 9C", "meld 4S 5S 6S", "meld KH KD KC", "done", "layoff 7S @0", "done")
        assert may(dial, state, "layoff 8S @0") == allowed
        state = table_of(dial, *CHAIN)
        state = play(dial, state, "knock 9C", "meld 4S 5S 6S", "meld KH KD KC", "done", "layoff 7S @0")
        assert may(dial, state, "layoff 8S @0") == (chain != "none")
        if chain == "none":
            refusal = dial.why_not(state, "layoff 8S @0")
            assert refusal is not None and "another" not in refusal.text  # it is the seat's own 7S


def test_B19_the_order_of_opponents_does_not_matter() -> None:
    """Both opponents end with the same deadwood whichever of them is asked first."""
    rules = game(NAME, knock__respond="best")
    ends = {}
    for order in ((1, 2), (2, 1)):
        held = [CHAIN[0], *(CHAIN[seat] for seat in order)]
        state = play(rules, table_of(rules, *held), "knock 9C", "meld 4S 5S 6S", "meld KH KD KC", "done")
        ends[order] = [result(state).left[order.index(seat) + 1] for seat in (1, 2)]
    assert ends[(1, 2)] == ends[(2, 1)] == [10, 8]


def test_an_ace_as_up_card_limits_by_its_own_points_not_by_those_in_a_hand() -> None:
    house = rummy.load("gin-classic", {"knock.limit": "up_card", "scoring.values.hand_ace": 11})
    state = house.position(hands=["2H 3D 5C 4C 5D 6H 7H 8H 9S TS JS", "2C"], phase="play", pile="AD", seat=0, dealer=1)
    assert state.knock_limit == 1
    assert house.position(hands=["2H", "2C"], pile="9D").knock_limit == 9
