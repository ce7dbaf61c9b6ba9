"""The clauses A1 to A18 of docs/rules.md: Basic Rummy and its two shipped variations."""

from __future__ import annotations

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
    settled,
    table_of,
    zone,
)

BASIC = "basic"


def test_A1_two_to_four_players_one_pack_no_jokers() -> None:
    rules = game(BASIC)
    assert refuses(rummy.RummyError, lambda: rules.start(1))
    assert refuses(rummy.RummyError, lambda: rules.start(5))
    for players in (2, 3, 4):
        state = renew(rules, rules.start(players))
        faces = [*map(str, state.stock), *map(str, state.pile)]
        faces += [face for seat in range(players) for face in hand(state, seat)]
        assert len(faces) == len(set(faces)) == 52
        assert "JK" not in faces
    assert refuses(rummy.RummyError, lambda: table_of(rules, "JK 2C", "3C 4C"))
    assert refuses(rummy.RummyError, lambda: table_of(rules, "2C 3D", "2C 4C"))
    assert refuses(rummy.RummyError, lambda: table_of(rules, "2C", "3C", "4C", "5C", "6C"))


@pytest.mark.parametrize(("players", "size"), [(2, 10), (3, 7), (4, 7)])
def test_A2_the_deal(players: int, size: int) -> None:
    rules = game(BASIC)
    state = renew(rules, rules.start(players))
    assert [len(hand(state, seat)) for seat in range(players)] == [size] * players
    assert (len(state.pile), len(state.stock)) == (1, 51 - players * size)


def test_A3_the_ace_is_low() -> None:
    rules = game(BASIC)
    assert melds(rules, "AH 2H 3H KH QH") == {"AH 2H 3H"}
    state = table_of(rules, "AH KD 2C", "3C 4D 9S", table=["1: JH QH KH", "1: 2D 3D AD"])
    refused(rules, state, "layoff AH @0", "DOES_NOT_FIT")
    refused(rules, state, "layoff KD @1", "DOES_NOT_FIT")


def test_A4_stock_or_pile() -> None:
    rules = game(BASIC)
    state = table_of(rules, "2C 5D 9H", "3C 4D 9S", phase="draw", stock="KD 7S 8S", pile="5C QH")
    assert legal(rules, state) == {"draw", "take"}
    drawn = play(rules, state, "draw")
    assert (hand(drawn, 0), zone(drawn.stock), zone(drawn.pile)) == (cards("2C 5D 9H KD"), "7S 8S", "5C QH")
    taken = play(rules, state, "take")
    assert (hand(taken, 0), zone(taken.stock), zone(taken.pile)) == (cards("2C 5D 9H QH"), "KD 7S 8S", "5C")
    refused(rules, state, "take 2")
    empty = table_of(rules, "2C 5D 9H", "3C 4D 9S", phase="draw", stock="KD 7S", pile="")
    refused(rules, empty, "take", "PILE_EMPTY")


def test_A5_any_number_of_melds_a_turn() -> None:
    rules = game(BASIC)
    state = table_of(rules, "8S 8H 8D 4H 5H 6H JC QC KC 2D", "3C 4D 9S")
    state = play(rules, state, "meld 8S 8H 8D", "meld 4H 5H 6H", "meld JC QC KC")
    assert on_table(state) == ["8S 8H 8D", "4H 5H 6H", "JC QC KC"]


def test_A5_one_meld_a_turn_is_a_variation() -> None:
    """Lay-offs stay unlimited, also in the turn that goes out; the next turn has room for the next meld."""
    rules = game("basic-one-meld")
    state = table_of(rules, "8S 8H 8D 8C 7H 3H 4H 5H 6H 2D", "3C 4D 9S", stock="TD TH 9C 9D")
    state = play(rules, state, "meld 8S 8H 8D")
    refused(rules, state, "meld 4H 5H 6H", "MELD_LIMIT")
    assert legal(rules, state, "meld") == set()
    after = play(rules, state, "layoff 8C @0", "discard 2D", "draw", "discard TD", "draw", "meld 4H 5H 6H")
    assert result(play(rules, after, "layoff 3H @1", "layoff 7H @1", "discard TH")).kind == "out"


def test_A6_lay_off_anywhere_at_once() -> None:
    """On another's meld, with nothing melded, any number of cards, also on cards laid off before."""
    rules = game(BASIC)
    state = table_of(rules, "7H 8H 9H 2C 9S", "3C 4D 6S", table=["1: 4H 5H 6H", "1: TH TD TC"])
    refused(rules, state, "layoff 8H @0", "DOES_NOT_FIT")
    refused(rules, state, "layoff 9S @1", "DOES_NOT_FIT")
    refused(rules, state, "layoff 7H @2", "NO_SUCH_MELD")
    state = play(rules, state, "layoff 7H @0", "layoff 8H @0", "layoff 9H @0")
    assert on_table(state)[0] == "4H 5H 6H 7H 8H 9H"
    assert hand(state, 0) == cards("2C 9S")


def test_A6_an_own_meld_first_is_a_dial() -> None:
    """Then a seat must have melded before it lays off; this turn counts."""
    rules = game(BASIC, lay__needs_own_meld=True)
    state = table_of(rules, "7H 8S 8D 8C 2C 9S", "3C 4D 6S", table=["1: 4H 5H 6H"])
    refused(rules, state, "layoff 7H @0", "NEEDS_OWN_MELD")
    state = play(rules, state, "meld 8S 8D 8C", "layoff 7H @0")
    assert on_table(state) == ["4H 5H 6H 7H", "8S 8D 8C"]


def test_A7_any_order() -> None:
    rules = game(BASIC)
    state = table_of(rules, "7H 8S 8D 8C 3H 2C 9S", "3C 4D 6S", table=["1: 4H 5H 6H"])
    state = play(rules, state, "layoff 7H @0", "meld 8S 8D 8C", "layoff 3H @0")
    assert on_table(state) == ["3H 4H 5H 6H 7H", "8S 8D 8C"]


def test_A8_one_discard_ends_the_turn() -> None:
    rules = game(BASIC)
    state = table_of(rules, "2C 5D 9H", "3C 4D 9S", phase="draw", pile="5C QH", stock="KD 7S 8S")
    state = play(rules, state, "take")
    refused(rules, state, "discard QH", "JUST_TAKEN")
    refused(rules, state, "discard KD", "CARD_NOT_HELD")
    state = play(rules, state, "discard 9H")
    assert (state.seat, rules.phase(state), zone(state.pile)) == (1, "draw", "5C 9H")
    # The ban lasts for that turn only, and a card from the stock may always go.
    state = play(rules, state, "draw", "discard KD", "draw", "discard QH")
    assert zone(state.pile) == "5C 9H KD QH"


def test_A9_dead_end_guard() -> None:
    """Nothing may be tabled that leaves only the taken card where that fits nowhere."""
    rules = game(BASIC)
    state = table_of(rules, "5H 6H", "3C 4D 9S", phase="draw", pile="2C KS", table=["1: 2H 3H 4H"])
    state = play(rules, state, "take", "layoff 5H @0")
    refused(rules, state, "layoff 6H @0", "TURN_COULD_NOT_END")
    assert legal(rules, state) == {"discard 6H"}


def test_A9_a_meld_that_leaves_only_the_taken_card() -> None:
    rules = game(BASIC)
    state = table_of(rules, "5H 6H 7H", "3C 4D 9S", phase="draw", pile="2C KS")
    state = play(rules, state, "take")
    refused(rules, state, "meld 5H 6H 7H", "TURN_COULD_NOT_END")
    assert legal(rules, state) == {"discard 5H", "discard 6H", "discard 7H"}
    drawn = table_of(rules, "5H 6H 7H KS", "3C 4D 9S")
    assert "meld 5H 6H 7H" in legal(rules, drawn)


def test_A9_fits_is_judged_after_the_action() -> None:
    """8H fits nowhere before 5-6-7 is melded; then it does, and goes out."""
    rules = game(BASIC)
    state = table_of(rules, "5H 6H 7H", "3C 4D 9S", phase="draw", pile="2C 8H")
    state = play(rules, state, "take", "meld 5H 6H 7H")
    assert legal(rules, state) == {"layoff 8H @0"}
    assert result(play(rules, state, "layoff 8H @0")).kind == "out"


def test_A9_the_taken_card_itself_may_be_tabled() -> None:
    rules = game(BASIC)
    state = table_of(rules, "5H 6H", "3C 4D 9S", phase="draw", pile="2C 7H")
    assert result(play(rules, state, "take", "meld 5H 6H 7H")).kind == "out"


@pytest.mark.parametrize("last", ["meld 5H 6H 7H", "layoff 8S @0", "discard 2C"])
def test_A10_three_ways_out(last: str) -> None:
    rules = game(BASIC)
    held = " ".join(face for face in last.split()[1:] if face != "@0")
    state = play(rules, table_of(rules, held, "3C 4D", table=["1: 8H 8D 8C"], tabled=[0, 1]), last)
    assert settled(state, ["kind", "winner", "points", "left"]) == {
        "kind": "out", "winner": 0, "points": (7, 0), "left": (0, 7)}


def face_down(rules: rummy.Game, face: str, other: str) -> tuple[rummy.View, rummy.View, tuple[rummy.Event, ...]]:
    """What seat 1 and a spectator see, and seat 1's events, when seat 0 goes out by throwing this card."""
    before = table_of(rules, face, "3C 4D", stock=f"KD {other} 7S", pile="5C", tabled=[0])
    action = rules.parse(before, f"discard {face}")
    after = rules.apply(before, action)
    return rules.view(after, 1), rules.view(after, None), rules.events(before, action, after, 1)


def test_A10_the_last_discard_is_face_down() -> None:
    """Nobody else can tell which card it was; who threw it can."""
    rules = game(BASIC)
    assert face_down(rules, "9S", "9H") == face_down(rules, "9H", "9S")
    before = table_of(rules, "9S", "3C 4D", stock="KD 9H 7S", pile="5C", tabled=[0])
    after = play(rules, before, "discard 9S")
    assert "9S" not in str(rules.view(after, 1).to_dict())
    assert "9S" in str(rules.view(after, 0).to_dict())


def test_A10_face_up_is_a_dial() -> None:
    rules = game(BASIC, discard__last_face_down=False)
    first, second = face_down(rules, "9S", "9H"), face_down(rules, "9H", "9S")
    assert all(one != other for one, other in zip(first, second, strict=True))


def test_A10_other_discards_are_face_up() -> None:
    rules = game(BASIC)
    state = play(rules, table_of(rules, "9S 2D", "3C 4D", pile="5C"), "discard 9S")
    assert zone(rules.view(state, 1).pile) == "5C 9S"


def test_A11_nobody_tables_after_the_end() -> None:
    """Melds and lay-offs that seat 1 still held count against it."""
    rules = game(BASIC)
    state = table_of(rules, "2C", "8S 8H 8D 7H", table=["0: 4H 5H 6H"])
    state = play(rules, state, "discard 2C")
    assert result(state).points == (31, 0)
    assert rules.legal(state) == ()
    assert (state.seat, rules.phase(state)) == (rummy.DEALER, "deal")
    for text in ("meld 8S 8H 8D", "layoff 7H @0", "draw"):
        refused(rules, state, text, "ROUND_OVER")


def test_A12_first_exhaustion() -> None:
    """At the end of the turn: the top stays, the rest is shuffled."""
    rules = game(BASIC)
    state = table_of(rules, "2H 5D 9C", "3D 7S JC", phase="draw", stock="KD", pile="5C 9H TS")
    state = play(rules, state, "draw")
    assert (state.seat, rules.phase(state), len(state.stock)) == (0, "play", 0)
    state = play(rules, state, "discard KD")
    assert (state.seat, rules.phase(state)) == (rummy.DEALER, "reshuffle")
    assert rules.legal(state) == ()
    for wrong in ("5C 9H", "5C 9H KD", "5C 9H TS KD", "5C 9H 9H"):
        refused(rules, state, f"reshuffle {wrong}", "WRONG_CARDS")
    state = play(rules, state, "reshuffle 9H TS 5C")
    assert (zone(state.stock), zone(state.pile), state.seat) == ("9H TS 5C", "KD", 1)
    assert legal(rules, state) == {"draw", "take"}
    assert rules.view(state, 1).renewals == 1


def test_A12_a_player_who_goes_out_ends_it_before() -> None:
    rules = game(BASIC)
    state = table_of(rules, "QD JD", "3D 7S JC", phase="draw", stock="KD", pile="5C 9H TS")
    assert result(play(rules, state, "draw", "meld JD QD KD")).kind == "out"


def test_A12_shuffling_everything_is_a_dial() -> None:
    rules = game(BASIC, stock__keep_top=False)
    state = table_of(rules, "2H 5D 9C", "3D 7S JC", phase="draw", stock="KD", pile="5C 9H TS")
    state = renew(rules, play(rules, state, "draw", "discard KD"))
    assert (len(state.stock), state.pile) == (4, ())
    assert legal(rules, state) == {"draw"}


def test_A13_second_exhaustion() -> None:
    rules = game(BASIC)
    state = table_of(rules, "2H 5D 9C", "3D 7S JC", phase="draw", stock="KD", pile="5C", renewals=1, scores=[40, 60])
    state = play(rules, state, "draw", "discard KD")
    assert settled(state, ["kind", "winner", "points", "renewals"]) == {
        "kind": "exhausted", "winner": None, "points": (0, 0), "renewals": 1}
    assert state.scores == (40, 60)


FULL = [
    "0: AS AH AD", "0: 2S 2H 2D", "0: AC 2C 3C", "0: 4S 4H 4C", "0: 3D 4D 5D", "0: 5C 6C 7C", "0: 6S 6H 6D",
    "1: 7S 7H 7D", "1: 8S 8H 8D 8C", "1: 9S 9H 9D 9C", "1: TS TH TD TC", "1: JS JH JD JC", "1: QS QH QD QC",
]
"""All cards but 3S 3H 5S 5H and the kings; nothing fits but a fourth king on three."""


def test_A14_no_meld_in_any_hand_or_stock() -> None:
    """Hands of one and two cards: 3S 3H 5S 5H contain no meld and fit nowhere, so nothing can ever be tabled."""
    rules = game(BASIC)
    state = table_of(rules, "KC 3S 5H", "3H 5S", table=[*FULL, "0: KS KH KD"], stock="")
    state = play(rules, state, "layoff KC @13", "discard 5H")
    assert settled(state, ["kind", "winner", "points", "standing"]) == {
        "kind": "deadlock", "winner": None, "points": (0, 0), "standing": ("loss", "loss")}


def test_A14_a_meld_is_still_possible() -> None:
    """With the four kings off the table a hand of two can reach three: no deadlock."""
    rules = game(BASIC)
    state = table_of(rules, "3S 5H", "3H 5S", table=FULL, stock="KS KH KD KC")
    assert play(rules, state, "discard 5H").result is None


def test_A14_hands_of_one_cannot_meld() -> None:
    """The same kings, but one card in each hand: a drawn card makes two, a meld needs three."""
    rules = game(BASIC)
    state = table_of(rules, "3S 5H", "3H", table=FULL, stock="KS KH KD KC 5S")
    assert result(play(rules, state, "discard 5H")).kind == "deadlock"


def test_A14_one_playable_card_is_no_deadlock() -> None:
    """KC fits, wherever it is: also where the position does not name it."""
    rules = game(BASIC)
    for hands, stock in [(("3S 5H", "3H"), "KC"), (("3S 5H", "KC"), "3H"), (("3S 5H", "3H"), "5S")]:
        state = table_of(rules, *hands, table=[*FULL, "0: KS KH KD"], stock=stock)
        assert play(rules, state, "discard 5H").result is None


def test_A14_a_compulsory_discard_needs_one_card_more() -> None:
    """Hands of two can meld three of their three cards, but not where one must be kept for the discard."""
    for last, kind in [("optional", None), ("required", "deadlock")]:
        rules = game(BASIC, discard__last=last)
        state = table_of(rules, "3S 5H 5S", "3H KD", table=FULL, stock="KS KH KC")
        state = play(rules, state, "discard 5H")
        assert (state.result and state.result.kind) == kind


def test_A14_empty_hands_are_no_deadlock_where_the_pile_is_dug() -> None:
    """After a hand floated (rules R38) a deep draw may fill it with as many cards as a meld takes."""
    for pile, kind in (("deep", None), ("top", "deadlock")):
        rules = game("rummy-500-floating", ending__deadlock=True, lay__layoff="none", draw__pile=pile, call__kind="off")
        state = table_of(rules, "4H 5H 6H", "", stock="KS 2D", pile="9C KD")
        state = play(rules, state, "meld 4H 5H 6H")
        assert (state.result and state.result.kind) == kind


def test_A14_a_joker_on_the_table_helps_only_where_it_may_be_swapped() -> None:
    """Nobody can meld the pairs that are left; with one of the jokers somebody could."""
    dials = {"deck__ranks": "3456", "deal__hand_size": 4, "players__max": 2, "melds__set_max": 3, "melds__run_min": 4}
    dials |= {"ending__deadlock": True, "draw__pile": "top", "call__kind": "off"}
    for swap, kind in ((False, "deadlock"), (True, None)):
        rules = game("rummy-500", **dials, wilds__swap=swap)
        table = ["0: 3S 3H JK", "0: 5S 5H JK", "1: 6S 6H 6C", "1: 4S 4H 4D"]
        state = table_of(rules, "3D 5C 4C", "3C 5D", stock="6D", table=table)
        state = play(rules, state, "discard 4C")
        assert (state.result and state.result.kind) == kind


def test_A14_off_by_dial() -> None:
    rules = game(BASIC, ending__deadlock=False)
    state = table_of(rules, "3S 5H", "3H", table=FULL, stock="KS KH KD KC 5S")
    assert play(rules, state, "discard 5H").result is None


def test_A15_a_drawn_round_is_a_loss_for_all() -> None:
    rules = game(BASIC, ending__max_turns=1)
    state = table_of(rules, "2H 5D 9C", "3D 7S JC", "4D 8S QC", scores=[10, 20, 30])
    state = play(rules, state, "discard 2H")
    assert settled(state, ["kind", "points", "standing"]) == {
        "kind": "void", "points": (0, 0, 0), "standing": ("loss", "loss", "loss")}
    assert state.scores == (10, 20, 30)


def test_A16_card_values() -> None:
    rules = game(BASIC)
    for rank, points in zip("A23456789TJQK", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10], strict=True):
        state = play(rules, table_of(rules, "4S", rank + "H", tabled=[0]), "discard 4S")
        assert result(state).points == (points, 0)


def test_A16_the_winner_takes_all_hands() -> None:
    rules = game(BASIC)
    state = table_of(rules, "KD QD", "AS 2S", "4S", "TS 9S JS", seat=2, tabled=[2], scores=[1, 2, 3, 4])
    state = play(rules, state, "discard 4S")
    assert settled(state, ["winner", "points", "left", "standing", "doubled", "bonus"]) == {
        "winner": 2, "points": (0, 0, 52, 0), "left": (20, 3, 0, 29), "standing": ("loss", "loss", "win", "loss"),
        "doubled": False, "bonus": (0, 0, 0, 0)}
    assert state.scores == (1, 2, 55, 4)


@pytest.mark.parametrize(("tabled", "texts"), [
    ([], ["meld 8S 8H 8D", "layoff 7H @0", "discard 2C"]),
    ([], ["layoff 7H @0", "meld 8S 8H 8D", "discard 2C"]),
    ([1], ["meld 8S 8H 8D", "layoff 7H @0", "discard 2C"]),
])
def test_A17_going_rummy(tabled: list[int], texts: list[str]) -> None:
    """All in one turn, in any mix and order: doubled, also with lay-offs on another's meld."""
    rules = game(BASIC)
    state = table_of(rules, "8S 8H 8D 7H 2C", "KC 4D", table=["1: 4H 5H 6H"], tabled=tabled)
    state = play(rules, state, *texts)
    assert settled(state, ["doubled", "points"]) == {"doubled": True, "points": (28, 0)}


def test_A17_not_after_an_earlier_meld_or_lay_off() -> None:
    rules = game(BASIC)
    for table, tabled in [(["1: 4H 5H 6H"], [0]), (["1: 4H 5H 6H + 0: 3H"], [0, 1])]:
        state = table_of(rules, "8S 8H 8D 7H 2C", "KC 4D", table=table, tabled=tabled)
        state = play(rules, state, "meld 8S 8H 8D", "layoff 7H @0", "discard 2C")
        assert settled(state, ["doubled", "points"]) == {"doubled": False, "points": (14, 0)}


@pytest.mark.parametrize(("held", "texts", "points"), [
    ("7H 9S 9H 9D", ["discard 7H"], 28),
    ("7H 9S 9H 9D 2C", ["layoff 7H @0", "discard 2C"], 14),
])
def test_A17_what_an_earlier_turn_did(held: str, texts: list[str], points: int) -> None:
    """Played, not written: a lay-off one turn before loses the bonus, a discard of the same card does not."""
    rules = game(BASIC)
    state = table_of(rules, held, "KC 4D", table=["1: 4H 5H 6H"], stock="JD TC 5C")
    state = play(rules, state, *texts, "draw", "discard JD", "draw", "meld 9S 9H 9D", "discard TC")
    assert settled(state, ["doubled", "points"]) == {"doubled": points == 28, "points": (points, 0)}


@pytest.mark.parametrize(("players", "target"), [(2, 100), (3, 150), (4, 200)])
def test_A18_target(players: int, target: int) -> None:
    """Reaching it ends the match; one point less does not."""
    rules = game(BASIC)
    others = ["TC", "AC", "AD"][: players - 1]
    won = 10 + (players - 2)
    for before, over in ((target - won, True), (target - won - 1, False)):
        state = table_of(rules, "4S", *others, tabled=[0], scores=[before, *[target - 1] * (players - 1)])
        state = play(rules, state, "discard 4S")
        assert state.scores[0] == before + won
        assert rules.is_over(state) == over
        assert rules.phase(state) == ("over" if over else "deal")
        if over:
            assert rules.winners(state) == (0,)
            assert rules.places(state)[0] < min(rules.places(state)[1:])
            refused(rules, state, "draw", "MATCH_OVER")


def test_3_2_basic_penalty() -> None:
    """Each loser adds the own hand, doubled after a rummy."""
    rules = game("basic-penalty")
    for tabled, points, doubled in (([0], (0, 12, 9), False), ([], (0, 24, 18), True)):
        state = table_of(rules, "4S", "TC 2C", "9D", tabled=tabled, scores=[5, 6, 7])
        state = play(rules, state, "discard 4S")
        assert settled(state, ["winner", "points", "doubled", "standing"]) == {
            "winner": 0, "points": points, "doubled": doubled, "standing": ("win", "loss", "loss")}
        assert state.scores == (5, 6 + points[1], 7 + points[2])


@pytest.mark.parametrize(("scores", "over", "winners"), [
    ([30, 88], True, (0,)),
    ([100, 90], True, (0,)),
    ([30, 87], False, ()),
    ([100, 88], False, ()),
])
def test_3_2_basic_penalty_match(scores: list[int], over: bool, winners: tuple[int, ...]) -> None:
    """It ends when a total reaches the target; the lowest wins; a tie for the lowest is played off."""
    rules = game("basic-penalty", match__target=100)
    state = play(rules, table_of(rules, "4S", "TC 2C", tabled=[0], scores=scores), "discard 4S")
    assert rules.is_over(state) == over
    if over:
        assert rules.winners(state) == winners
