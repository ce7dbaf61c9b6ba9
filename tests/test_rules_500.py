"""The clauses R1 to R19 of docs/rules.md: Rummy 500, its cards, melds and turns."""

from __future__ import annotations

import random

import pytest

import rummy_engine as rummy
from tests.helpers import (
    cards,
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
    table_of,
    zone,
)

NAME = "rummy-500"
SIX = ("2C", "3C", "4C", "6C", "7C")
"""Five more hands, for tables with two packs."""


@pytest.mark.parametrize(("players", "size", "stock", "jokers"), [
    (2, 13, 27, 2), (3, 7, 32, 2), (4, 7, 25, 2), (5, 7, 18, 2), (6, 7, 65, 4), (7, 7, 58, 4), (8, 7, 51, 4),
])
def test_R1_R3_the_deal(players: int, size: int, stock: int, jokers: int) -> None:
    rules = game(NAME)
    state = renew(rules, rules.start(players))
    assert [len(hand(state, seat)) for seat in range(players)] == [size] * players
    assert (len(state.stock), len(state.pile)) == (stock, 1)
    faces = [*map(str, state.stock), *map(str, state.pile)]
    faces += [face for seat in range(players) for face in hand(state, seat)]
    assert faces.count("JK") == jokers
    assert {faces.count(face) for face in set(faces) - {"JK"}} == {1 if players < 6 else 2}


def test_R1_two_to_eight_players() -> None:
    rules = game(NAME)
    assert refuses(rummy.RummyError, lambda: rules.start(1))
    assert refuses(rummy.RummyError, lambda: rules.start(9))


@pytest.mark.parametrize(("players", "size"), [(2, 52), (5, 52), (6, 104), (8, 104)])
def test_R2_R36_no_jokers(players: int, size: int) -> None:
    rules = game("rummy-500-no-jokers")
    faces = str(rules.chance(rules.start(players), random.Random(1))).split()[1:]
    assert len(faces) == size
    assert "JK" not in faces


def test_R4_the_whole_pile_is_public() -> None:
    rules = game(NAME)
    state = table_of(rules, "2C 5D", "3C 4D", phase="draw", pile="5C QH 9S JK")
    for seat in (0, 1, None):
        view = rules.view(state, seat)
        assert (zone(view.pile), view.pile_shown) == ("5C QH 9S JK", 4)
    basic = game("basic")
    view = basic.view(table_of(basic, "2C", "3C", phase="draw", pile="5C QH"), 0)
    assert (zone(view.pile), view.pile_shown) == ("5C QH", 1)


def test_R5_sets() -> None:
    rules = game(NAME)
    assert len(melds(rules, "5S 5H 5D 5C")) == 5
    assert melds(rules, "5D 5D 5H") == set()
    assert melds(rules, "5D 5D 5H 5C") == {"5H 5D 5C"}
    state = table_of(rules, "5D 9C KH", *SIX, table=["1: 5S 5H 5D"])
    refused(rules, state, "layoff 5D @0", "DOES_NOT_FIT")
    state = table_of(rules, "JK 9C KH", "2C 3C", table=["1: 5S 5H 5D 5C"])
    refused(rules, state, "layoff JK @0", "DOES_NOT_FIT")


def test_R6_the_ace_is_low_or_high() -> None:
    rules = game(NAME)
    assert melds(rules, "AS 2S 3S QS KS") == {"AS 2S 3S", "QS KS AS"}
    assert melds(rules, "KS AS 2S") == set()
    state = table_of(rules, "2S KD 9C", "4C 5C", table=["1: QS KS AS", "1: AD 2D 3D"])
    assert legal(rules, state, "layoff") == set()
    refused(rules, state, "layoff 2S @0", "DOES_NOT_FIT")
    refused(rules, state, "layoff KD @1", "DOES_NOT_FIT")


def test_R7_thirteen_cards_and_one_ace() -> None:
    """A second ace of the other pack fits at neither end."""
    rules = game(NAME)
    low, high = "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS", "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"
    for run in (low, high):
        state = table_of(rules, "AS JK 9C", *SIX, table=[f"1: {run}"])
        assert legal(rules, state, "layoff") == set()
        refused(rules, state, "layoff AS @0", "DOES_NOT_FIT")
    state = table_of(rules, "AS 9C", *SIX, table=["1: AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS"])
    refused(rules, state, "layoff AS @0", "DOES_NOT_FIT")


def test_R8_a_joker_is_announced_and_stays() -> None:
    rules = game(NAME)
    state = table_of(rules, "4H JK 6H 5H 7H 8H 9C", "2C 3C")
    runs = {text for text in legal(rules, state, "meld") if "JK=" in text and text.count("H") == 3 and "7H" not in text}
    assert {"meld 4H JK=5H 6H", "meld JK=4H 5H 6H", "meld 4H 5H JK=6H"} <= runs
    state = play(rules, state, "meld 4H JK=5H 6H", "layoff 7H @0")
    assert on_table(state) == ["4H JK=5H 6H 7H"]
    refused(rules, state, "layoff 5H @0", "DOES_NOT_FIT")
    refused(rules, state, "swap 5H @0", "NOT_IN_THIS_VARIANT")


def test_R8_in_a_set_the_suit_stays_open() -> None:
    """Any absent suit may be the fourth card, and only where the set has three."""
    rules = game(NAME)
    state = table_of(rules, "8S 8H JK 8D 8C KC", "2C 3C")
    state = play(rules, state, "meld 8S 8H JK")
    assert on_table(state) == ["8S 8H JK"]
    assert legal(rules, state, "layoff") == {"layoff 8D @0", "layoff 8C @0"}
    state = play(rules, state, "layoff 8C @0")
    assert on_table(state) == ["8S 8H 8C JK"]
    refused(rules, state, "layoff 8D @0", "DOES_NOT_FIT")


def test_R8_laid_off_at_the_ends_of_a_run() -> None:
    """Announced as the next rank at that end, never beyond the ace at either."""
    rules = game(NAME)
    state = table_of(rules, "JK JK 9C", "2C 3C", table=["1: 4H 5H 6H"])
    assert legal(rules, state, "layoff") == {"layoff JK=3H @0", "layoff JK=7H @0"}
    refused(rules, state, "layoff JK=8H @0", "DOES_NOT_FIT")
    state = play(rules, state, "layoff JK=7H @0", "layoff JK=8H @0")
    assert on_table(state) == ["4H 5H 6H JK=7H JK=8H"]


def test_R9_one_natural_at_least() -> None:
    rules = game(NAME)
    assert melds(rules, "JK JK JK") == set()
    state = table_of(rules, "JK JK JK JK 9C", *SIX)
    found = legal(rules, state, "meld")
    assert {"meld 9C JK JK", "meld 9C JK JK JK", "meld JK=8C 9C JK=TC", "meld JK=5C JK=6C JK=7C JK=8C 9C"} <= found
    assert len(found) == 2 + 3 + 4 + 5  # sets; runs of three, four and five
    assert all("9C" in text.split() for text in found)
    refused(rules, state, "meld JK JK JK", "NOT_A_MELD")


def test_R10_a_joker_for_a_visible_card() -> None:
    rules = game(NAME)
    state = table_of(rules, "4H JK 6H 9C", "2C 3C", table=["1: 5S 5H 5D"])
    assert on_table(play(rules, state, "meld 4H JK=5H 6H"))[1] == "4H JK=5H 6H"


def test_R11_three_ways_to_draw() -> None:
    rules = game(NAME)
    state = table_of(rules, "8S 8D 2C", "3C 4D", phase="draw", stock="JD TC", pile="5C 8H QH")
    assert legal(rules, state) == {"draw", "take", "take 2"}
    assert hand(play(rules, state, "draw"), 0) == cards("8S 8D 2C JD")
    single = play(rules, state, "take")
    assert hand(single, 0) == cards("8S 8D 2C QH")
    assert rules.view(single, 0).owed == ()
    deep = play(rules, state, "take 2")
    assert (hand(deep, 0), zone(deep.pile)) == (cards("8S 8D 2C 8H QH"), "5C")
    assert zone(rules.view(deep, 1).owed) == "8H"
    assert zone(rules.view(deep, 1).taken) == "8H QH"
    refused(rules, state, "take 3", "MUST_USE_TAKEN")
    refused(rules, state, "take 4", "NOT_ENOUGH_CARDS")


def test_R11_the_stock_is_drawn_secretly() -> None:
    """Whatever seat 0 draws, seat 1 sees the same."""
    rules = game(NAME)
    seen = set()
    for stock in ("JD TC", "TC JD"):
        state = table_of(rules, "8S 2C", "3C 4D", phase="draw", stock=stock, pile="5C")
        action = rules.parse(state, "draw")
        after = rules.apply(state, action)
        seen.add((rules.view(after, 1), rules.events(state, action, after, 1)))
    assert len(seen) == 1


@pytest.mark.parametrize(("held", "pile", "uses"), [
    ("8S 8D 2C", "8H QH", {"meld 8S 8H 8D"}),
    ("2C 5D", "7H QH", {"layoff 7H @0"}),
    ("2C QD", "9S QH QS", set()),
    ("2C 5D", "QD QH QS", {"meld QS QH QD"}),
    ("2C 9D", "9S QH 9H", {"meld 9S 9H 9D"}),
])
def test_R12_how_the_deepest_card_may_be_used(held: str, pile: str, uses: set[str]) -> None:
    """In a new meld or as a lay-off, with the help of the hand and of the others taken; or not at all."""
    rules = game(NAME)
    count = len(pile.split())
    state = table_of(rules, held, "3C 4D", phase="draw", stock="JD TC", pile=pile, table=["1: 4H 5H 6H"])
    if not uses:
        refused(rules, state, f"take {count}")
        return
    state = play(rules, state, f"take {count}")
    assert legal(rules, state) == uses


def test_R12_a_joker_as_the_deepest_card() -> None:
    rules = game(NAME)
    state = table_of(rules, "2C 5D", "3C 4D", phase="draw", stock="JD TC", pile="JK QH", table=["1: 4H 5H 6H"])
    state = play(rules, state, "take 2")
    assert legal(rules, state) == {"layoff JK=3H @0", "layoff JK=7H @0"}


def test_R13_a_bridge_may_come_first() -> None:
    """Table 5-6-7, pile 9H 8H: 8H goes down first, then the owed 9H; no discard before."""
    rules = game(NAME)
    state = table_of(rules, "8S 8D 2C", "3C 4D", phase="draw", stock="JD TC", pile="9H 8H", table=["1: 5H 6H 7H"])
    state = play(rules, state, "take 2")
    assert legal(rules, state) == {"layoff 8H @0"}
    refused(rules, state, "layoff 9H @0", "DOES_NOT_FIT")
    refused(rules, state, "discard 2C", "MUST_USE_TAKEN")
    refused(rules, state, "meld 8S 8H 8D", "MUST_USE_TAKEN")
    state = play(rules, state, "layoff 8H @0")
    assert legal(rules, state) == {"layoff 9H @0"}
    state = play(rules, state, "layoff 9H @0")
    assert legal(rules, state, "discard") == {"discard 8S", "discard 8D", "discard 2C"}
    assert rules.view(state, 0).owed == ()


@pytest.mark.parametrize("suit", "SHDC")
@pytest.mark.parametrize(("run", "bridge"), [("3x 4x 5x", "2x"), ("Tx Jx Qx", "Kx")])
def test_R13_a_bridge_to_an_ace(run: str, bridge: str, suit: str) -> None:
    """The ace at either end of a suit, which one card of the hand leads on to."""
    rules, pile, table = game(NAME), f"A{suit} 8{'D' if suit == 'C' else 'C'}", [f"1: {run}".replace("x", suit)]
    state = table_of(rules, bridge.replace("x", suit), "9S 9D", phase="draw", stock="6S", pile=pile, table=table)
    assert legal(rules, state, "take") == {"take", "take 2"}


def test_R13_no_use_no_deep_draw() -> None:
    rules = game(NAME)
    state = table_of(rules, "8S 2C", "3C 4D", phase="draw", stock="JD TC", pile="8H KD 3H", table=["1: 5C 6C 7C"])
    assert legal(rules, state) == {"draw", "take"}


def test_R14_a_single_top_card_obliges_to_nothing() -> None:
    rules = game(NAME)
    state = table_of(rules, "8S 2C", "3C 4D", phase="draw", stock="JD TC", pile="KD")
    assert legal(rules, state) == {"draw", "take"}
    assert rules.parse(state, "take 1") == rules.parse(state, "take")
    assert legal(rules, play(rules, state, "take 1")) == {"discard 8S", "discard 2C"}
    obliged = game(NAME, draw__top_obliges=True)
    state = table_of(obliged, "8S 2C", "3C 4D", phase="draw", stock="JD TC", pile="KD")
    assert legal(obliged, state) == {"draw"}


def test_R15_R16_everybody_everywhere_each_card_for_its_player() -> None:
    """Lay-offs on others' melds and on others' lay-offs; the points are their player's."""
    rules = game(NAME)
    state = table_of(rules, "8H 2C", "3C KD", table=["1: 4H 5H 6H + 1: 7H"], scores=[0, 0])
    state = play(rules, state, "layoff 8H @0", "discard 2C")
    assert result(state).tabled == (8, 22)
    assert result(state).points == (8, 22 - 13)


def test_R17_after_a_single_take() -> None:
    rules = game(NAME)
    state = play(rules, table_of(rules, "8S 2C", "3C 4D", phase="draw", pile="5C QH"), "take")
    refused(rules, state, "discard QH", "JUST_TAKEN")
    assert legal(rules, state) == {"discard 8S", "discard 2C"}


def test_R17_after_a_deep_draw() -> None:
    rules = game(NAME)
    state = table_of(rules, "8S 8D 2C", "3C 4D", phase="draw", pile="8H QH 5S")
    state = play(rules, state, "take 3", "meld 8S 8H 8D")
    assert legal(rules, state) == {"discard QH", "discard 5S", "discard 2C"}


def test_R17_no_discard_once_everything_is_tabled() -> None:
    rules = game(NAME)
    state = play(rules, table_of(rules, "8S 8H 8D", "3C 4D", pile="5C"), "meld 8S 8H 8D")
    assert (result(state).kind, zone(state.pile)) == ("out", "5C")


def test_R18_the_twin_may_be_discarded() -> None:
    """KS taken and KS held: one goes, and everybody knows that the taken one stayed."""
    rules = game(NAME)
    state = table_of(rules, "KS 2H 3D", *SIX, phase="draw", pile="5D KS", stock="9D 9H TD")
    state = play(rules, state, "take")
    assert legal(rules, state) == {"discard KS", "discard 2H", "discard 3D"}
    state = play(rules, state, "discard KS")
    assert (hand(state, 0), zone(state.pile)) == (cards("2H 3D KS"), "5D KS")
    assert zone(rules.view(state, 1).known[0]) == "KS"


def test_R18_otherwise_the_known_twin_goes_first() -> None:
    """In a later turn the copy that everybody saw taken is the one that leaves."""
    rules = game(NAME)
    state = table_of(rules, "KS KS 2H 3D", *SIX, pile="5D", stock="9D 9H TD", known=["KS", "", "", "", "", ""])
    assert zone(rules.view(state, 1).known[0]) == "KS"
    state = play(rules, state, "discard KS")
    assert (hand(state, 0), rules.view(state, 1).known[0]) == (cards("2H 3D KS"), ())


def test_R18_without_a_twin_it_stays() -> None:
    rules = game(NAME)
    state = play(rules, table_of(rules, "QS 2H", *SIX, phase="draw", pile="5D KS", stock="9D 9H TD"), "take")
    refused(rules, state, "discard KS", "JUST_TAKEN")


def test_R19_dead_end_guard() -> None:
    """As in basic: no lay-off that leaves only the taken card; and there is no last-card exception."""
    rules = game(NAME)
    state = table_of(rules, "5H 6H", "3C 4D", phase="draw", pile="2C KS", table=["1: 2H 3H 4H"])
    state = play(rules, state, "take", "layoff 5H @0")
    refused(rules, state, "layoff 6H @0", "TURN_COULD_NOT_END")
    assert legal(rules, state) == {"discard 6H"}
    fits = table_of(rules, "5H 6H", "3C 4D", phase="draw", pile="2C 7H", table=["1: 2H 3H 4H"])
    assert result(play(rules, fits, "take", "layoff 5H @0", "layoff 6H @0", "layoff 7H @0")).kind == "out"


def test_a_refusal_says_how_many_cards_there_are() -> None:
    rules = game(NAME)
    for pile, stock, text, details in (
        ("8H KD", "5S", "take 4", {"count": 4, "pile": 2}),
        ("", "5S", "take", {"pile": 0}),
        ("8H", "", "draw", {"stock": 0}),
    ):
        state = table_of(rules, "8S 2C", "3C 4D", phase="draw", stock=stock, pile=pile)
        refusal = rules.why_not(state, rules.parse(state, text))
        assert refusal is not None and refusal.details == details
