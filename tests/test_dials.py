"""What the dials of section 3.1 mean beyond their witness: the settings that no shipped profile uses."""

from __future__ import annotations

import pytest

import rummy_engine as rummy
from tests.helpers import (
    cards,
    deal,
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
    settled,
    table_of,
    zone,
)


def test_hand_size_by_round() -> None:
    """3, 4, 5 cards in the first rounds; the last number repeats."""
    rules = rummy.load("basic", {"deal.hand_size": {"by_round": [3, 4, 5]}, "ending.max_turns": 1})
    state = rules.start(3)
    for size in (3, 4, 5, 5, 5):
        state = renew(rules, state)
        assert [len(hand(state, seat)) for seat in range(3)] == [size] * 3
        assert len(state.stock) == 51 - 3 * size
        state = play(rules, state, "draw")
        state = play(rules, state, min(legal(rules, state, "discard")))


@pytest.mark.parametrize("variant", rummy.variants())
def test_one_round_is_a_match_on_every_profile(variant: str) -> None:
    rules = rummy.load(variant, {"match.rounds": 1, "ending.max_turns": 1})
    state = play(rules, table_of(rules, "9S 2H", "TC 4D", scores=[1, 0]), "discard 9S")
    assert rules.is_over(state)
    assert rules.winners(state) == ((1,) if rules.profile.match.best == "lowest" else (0,))


def test_a_tie_after_the_last_round_is_played_off_by_dial() -> None:
    rules = game("gin-knock", match__rounds=1, match__tie="round", ending__max_turns=1)
    state = play(rules, table_of(rules, "9S 2H", "TC 4D", scores=[5, 5]), "discard 9S")
    assert not rules.is_over(state)
    state = play(rules, table_of(rules, "9S 2H", "TC 4D", scores=[5, 6], round=2), "discard 9S")
    assert rules.winners(state) == (0,)


@pytest.mark.parametrize(("ace", "found", "card_sets"), [("low", 329, 329), ("both", 373, 369), ("around", 589, 589)])
def test_all_melds_of_a_pack(ace: str, found: int, card_sets: int) -> None:
    """Known numbers of melds; A to K counts twice in each suit where the ace is low or high."""
    every = melds(game("basic", melds__ace=ace), " ".join(pack()))
    assert len(every) == found
    assert len({frozenset(text.split()) for text in every}) == card_sets


@pytest.mark.parametrize("longest", [4, 13])
def test_the_longest_meld_must_leave_a_card_to_discard(longest: int) -> None:
    """KC was just taken, so a meld of all the others would leave nothing that may be discarded."""
    rules = game("basic", melds__run_max=longest)
    state = table_of(rules, "4H 5H 6H 7H KC", "3C", taken="KC")
    assert legal(rules, state, "meld") == {"meld 4H 5H 6H", "meld 5H 6H 7H"}


def test_round_the_corner_runs_grow_at_both_ends() -> None:
    rules = game("basic", melds__ace="around")
    state = table_of(rules, "QC 3C 4C 9S 2D", "5D 6D", table=["1: KC AC 2C"])
    state = play(rules, state, "layoff QC @0", "layoff 3C @0", "layoff 4C @0")
    assert on_table(state) == ["QC KC AC 2C 3C 4C"]


def test_a_deck_without_eight_nine_ten() -> None:
    """The jack follows the seven, in runs and for jokers."""
    rules = game("rummy-500", deck__ranks="A234567JQK")
    assert melds(rules, "6H 7H JH QH") == {"6H 7H JH", "7H JH QH", "6H 7H JH QH"}
    state = table_of(rules, "JK 2C", "3C", table=["1: 5H 6H 7H"])
    assert legal(rules, state, "layoff") == {"layoff JK=4H @0", "layoff JK=JH @0"}
    with pytest.raises(rummy.RummyError):
        table_of(rules, "8H 2C", "3C")


def test_equal_suits_in_a_set_by_dial() -> None:
    rules = game("rummy-500", melds__set_suits="any")
    state = table_of(rules, "5D 5D 5H 9C KS", "2C", "3C", "4C", "6C", "7C", table=["1: 9S 9S 9D"])
    assert legal(rules, state, "meld", "layoff") == {"meld 5H 5D 5D", "layoff 9C @0"}


# ------------------------------------------------------------------------------------------------------- laying down


def test_tabling_only_when_going_out() -> None:
    """Legal iff the hand can be emptied in this turn; once begun it must be."""
    rules = game("basic", lay__when="going_out")
    state = table_of(rules, "4H 5H 6H KS 2C", "3C 9D", table=["1: KH KD KC"])
    assert legal(rules, state, "meld", "layoff") == {"meld 4H 5H 6H", "layoff KS @0"}
    assert len(legal(rules, state, "discard")) == 5
    begun = play(rules, state, "meld 4H 5H 6H")
    assert legal(rules, begun) == {"layoff KS @0"}
    refused(rules, begun, "discard KS", "MUST_GO_OUT")
    assert result(play(rules, begun, "layoff KS @0", "discard 2C")).kind == "out"
    short = table_of(rules, "4H 5H 6H KS 2C 7D", "3C 9D", table=["1: KH KD KC"])
    assert legal(rules, short, "meld", "layoff") == set()


def test_tabling_only_when_going_out_with_a_taken_card() -> None:
    """The taken card may not be the last discard, so it must find a place."""
    rules = game("basic", lay__when="going_out")
    stuck = play(rules, table_of(rules, "4H 5H 6H", "3C 9D", phase="draw", pile="2D KS"), "take")
    assert legal(rules, stuck, "meld") == set()
    fits = play(rules, table_of(rules, "4H 5H 6H 2C", "3C 9D", phase="draw", pile="2D 7H"), "take")
    assert legal(rules, fits, "meld") == {"meld 4H 5H 6H", "meld 5H 6H 7H", "meld 4H 5H 6H 7H"}


def test_laying_off_on_own_melds_only() -> None:
    """A meld of this turn is one's own too."""
    rules = game("basic", lay__layoff="own")
    state = table_of(rules, "4H 5H 6H 7H 8S KD", "3C 9D", table=["1: 8H 8D 8C"])
    refused(rules, state, "layoff 8S @0")
    assert legal(rules, play(rules, state, "meld 4H 5H 6H"), "layoff") == {"layoff 7H @1"}


def test_an_own_meld_of_an_earlier_turn_opens_the_table() -> None:
    rules = game("basic", lay__needs_own_meld=True)
    state = table_of(rules, "8H KD 2C", "3C 2D", table=["0: 9S 9D 9C", "1: 5H 6H 7H"])
    assert legal(rules, state, "layoff") == {"layoff 8H @1"}


def test_a_compulsory_last_discard() -> None:
    """One card is kept for it; a taken card that may not be thrown is no use."""
    rules = game("basic", discard__last="required")
    state = table_of(rules, "7H 8H 9H TH", "3C 2D")
    assert legal(rules, state, "meld") == {"meld 7H 8H 9H", "meld 8H 9H TH"}
    refused(rules, state, "meld 7H 8H 9H TH", "TURN_COULD_NOT_END")
    state = play(rules, state, "meld 7H 8H 9H")
    assert legal(rules, state) == {"discard TH"}
    assert result(play(rules, state, "discard TH")).kind == "out"
    taken = play(rules, table_of(rules, "7H 8H 9H", "3C 2D", phase="draw", pile="2S TH"), "take")
    assert legal(rules, taken, "meld") == {"meld 8H 9H TH"}


@pytest.mark.parametrize(("dial", "value"), [("wilds__max_per_meld", 1), ("wilds__min_naturals", 3)])
def test_few_jokers(dial: str, value: int) -> None:
    """The limit holds for lay-offs as for new melds."""
    rules = game("rummy-500", **{dial: value})
    state = table_of(rules, "JK 2C KD", "3C", table=["1: 4H JK=5H 6H"] if value == 1 else ["1: 4H 5H 6H"])
    assert legal(rules, state, "layoff") == (set() if value == 1 else {"layoff JK=3H @0", "layoff JK=7H @0"})


@pytest.mark.parametrize(("dial", "value", "meld"), [
    ("wilds__min_naturals", 2, "7H JK JK"), ("wilds__min_naturals", 3, "6H 7H JK=8H"),
    ("wilds__max_per_meld", 1, "7H JK JK"),
])
def test_a_meld_of_too_many_jokers(dial: str, value: int, meld: str) -> None:
    """It is refused as what it is, also where nobody looks into the list of what is legal."""
    for rules, reason in ((game("rummy-500"), None), (game("rummy-500", **{dial: value}), "NOT_A_MELD")):
        state = table_of(rules, "6H 7H JK JK 2C", "3C")
        if reason:
            refused(rules, state, f"meld {meld}", reason)
        else:
            assert rules.is_legal(state, f"meld {meld}")


@pytest.mark.parametrize(("run", "most", "bridged"), [
    ("4H 5H 6H", 1, True), ("4H JK=5H 6H", 1, False), ("4H JK=5H 6H", 2, True), ("4H 5H 6H", 0, False),
])
@pytest.mark.parametrize("swap", [False, True])
def test_a_joker_as_a_bridge_counts_too(run: str, most: int, bridged: bool, swap: bool) -> None:
    """8H may be dug for if the joker above it may stand for 7H; the same for a call."""
    rules = game("rummy-500", wilds__max_per_meld=most, wilds__swap=swap)
    state = table_of(rules, "2C 5D", "3C", phase="draw", stock="JD TC", pile="8H JK", table=[f"1: {run}"])
    assert ("take 2" in legal(rules, state)) == bridged
    state = table_of(rules, "JK 5D", "3C 9D", "4C QS", stock="JD TC", pile="8H", table=[f"1: {run}"])
    state = play(rules, state, "discard JK")
    assert ("call 2" in legal(rules, state)) == bridged


def test_swapping_a_joker() -> None:
    """In the lay phase only, and only if the joker can be tabled again this turn; each card counts for who laid it."""
    rules = game("rummy-500", wilds__swap=True)
    idle = table_of(rules, "9C 2D KC", "3C", table=["1: 9S 9H 9D JK"])
    refused(rules, idle, "swap 9C @0")
    early = table_of(rules, "5H KC", "3C", table=["1: 4H JK=5H 6H"], phase="draw", pile="2D")
    refused(rules, early, "swap 5H @0", "WRONG_PHASE")
    state = play(rules, table_of(rules, "5H KC", "3C", table=["1: 4H JK=5H 6H"]), "swap 5H @0")
    assert (hand(state, 0), on_table(state)) == (cards("JK KC"), ["4H 5H 6H"])
    refused(rules, state, "discard KC", "MUST_USE_TAKEN")
    refused(rules, state, "discard JK", "MUST_USE_TAKEN")
    assert legal(rules, state) == {"layoff JK=3H @0", "layoff JK=7H @0"}
    state = play(rules, state, "layoff JK=7H @0", "discard KC")
    assert result(state).tabled == (20, 10)


def test_a_card_is_dug_for_to_be_swapped_for_a_joker() -> None:
    """The swap tables it; and the joker must be of use then."""
    rules = game("rummy-500", wilds__swap=True)
    state = table_of(rules, "9D 2C", "3C", table=["1: 4H JK=5H 6H"], phase="draw", stock="JD TC", pile="5H KS")
    assert legal(rules, state) == {"draw", "take", "take 2"}
    state = play(rules, state, "take 2")
    assert legal(rules, state) == {"swap 5H @0"}
    assert legal(rules, play(rules, state, "swap 5H @0")) == {"layoff JK=3H @0", "layoff JK=7H @0"}
    stuck = game("rummy-500", wilds__swap=True, melds__run_max=3)
    state = table_of(stuck, "9D 2C", "3C", table=["1: 4H JK=5H 6H"], phase="draw", stock="JD TC", pile="5H KS")
    assert legal(stuck, state) == {"draw", "take"}


# ------------------------------------------------------------------------------------------------- drawing and stock


def test_a_closed_pile() -> None:
    rules = game("basic", draw__pile="closed")
    state = table_of(rules, "4H 5H 6H", "3C 9D", phase="draw", stock="KD 7S", pile="2D KS")
    assert legal(rules, state) == {"draw"}
    refused(rules, state, "take", "NOT_IN_THIS_VARIANT")


def test_the_deepest_card_in_a_new_meld() -> None:
    rules = game("rummy-500", draw__deep_use="meld")
    state = table_of(rules, "7S 7D 2C", "3C", phase="draw", stock="JD TC", pile="7H KC", table=["1: 4H 5H 6H"])
    state = play(rules, state, "take 2")
    assert legal(rules, state) == {"meld 7S 7H 7D"}
    refused(rules, state, "layoff 7H @0", "MUST_USE_TAKEN")


def test_a_deep_draw_where_lay_offs_need_an_own_meld() -> None:
    """7H fits another's run: legal only for who has melded, or can meld first."""
    rules = game("rummy-500", lay__needs_own_meld=True)
    table = ["1: 4H 5H 6H"]
    for held, tabled, found in (
        ("2C 5D", table, {"draw", "take"}),
        ("2C 5D", [*table, "0: 9S 9D 9C"], {"draw", "take", "take 2"}),
        ("2C 2S 2D 5D", table, {"draw", "take", "take 2"}),
    ):
        state = table_of(rules, held, "3C", phase="draw", stock="JD TC", pile="7H KC", table=tabled)
        assert legal(rules, state) == found
    state = play(rules, state, "take 2")
    assert legal(rules, state) == {"meld 2S 2D 2C"}
    assert legal(rules, play(rules, state, "meld 2S 2D 2C")) == {"layoff 7H @0"}


def test_a_deep_draw_where_a_last_discard_is_compulsory() -> None:
    """8H KC leave a card to throw; with three eights and nothing else there is none."""
    rules = game("rummy-500", discard__last="required")
    state = table_of(rules, "8S 8D", "3C", phase="draw", stock="JD TC", pile="8H KC")
    state = play(rules, state, "take 2", "meld 8S 8H 8D")
    assert legal(rules, state) == {"discard KC"}
    state = table_of(rules, "", "3C", phase="draw", stock="JD TC", pile="8S 8H 8D")
    assert legal(rules, state) == {"draw"}


def test_the_top_card_must_be_used() -> None:
    rules = game("rummy-500", draw__top_obliges=True)
    state = table_of(rules, "5D 2C", "3C", phase="draw", stock="JD TC", pile="KC 7H", table=["1: 4H 5H 6H"])
    assert legal(rules, state) == {"draw", "take"}
    state = play(rules, state, "take")
    assert legal(rules, state) == {"layoff 7H @0"}
    refused(rules, state, "discard 5D", "MUST_USE_TAKEN")


def test_renewal_by_the_next_draw() -> None:
    """With an empty stock the pile may still be taken; `draw` renews, and then only `draw` is left."""
    rules = game("basic", stock__check="on_draw")
    state = table_of(rules, "2H 7D 9D", "3C 8S JH", phase="draw", stock="2S", pile="5C 9H KD")
    state = play(rules, state, "draw", "discard 2S")
    assert (state.seat, rules.phase(state), legal(rules, state)) == (1, "draw", {"draw", "take"})
    taken = play(rules, state, "take", "discard 3C")
    assert (taken.seat, taken.stock, zone(taken.pile)) == (0, (), "5C 9H KD 3C")
    state = renew(rules, play(rules, state, "draw"))
    assert (state.seat, rules.phase(state), legal(rules, state)) == (1, "draw", {"draw"})
    assert (cards(zone(state.stock)), zone(state.pile)) == (cards("5C 9H KD"), "2S")
    spent = table_of(rules, "2H 7D 9D", "3C 8S JH", phase="draw", stock="", pile="5C 9H KD", renewals=1)
    assert result(play(rules, spent, "draw")).kind == "exhausted"


def test_turning_over_with_the_top_kept() -> None:
    rules = game("basic", stock__check="on_draw", stock__when_empty="turn_over")
    state = table_of(rules, "2H 7D 9D", "3C 8S JH", phase="draw", stock="", pile="5C 9H KD 2S")
    state = play(rules, state, "draw")
    assert (zone(state.stock), zone(state.pile), legal(rules, state)) == ("5C 9H KD", "2S", {"draw"})


def test_playing_on_without_a_stock() -> None:
    """With `play_on` an empty stock leaves the pile and `stop`, also where it is noticed by the draw."""
    for check in ("end_of_turn", "on_draw"):
        rules = game("basic", stock__check=check, stock__then="play_on", stock__renewals=0)
        state = table_of(rules, "2H 7D 9D", "3C 8S JH", phase="draw", stock="2S", pile="5C 9H KD")
        state = play(rules, state, "draw", "discard 2S")
        assert legal(rules, state) == {"take", "stop"}
        refused(rules, state, "draw", "STOCK_EMPTY")
        assert settled(play(rules, state, "stop"), ["kind", "points"]) == {"kind": "stock_out", "points": (0, 0)}


@pytest.mark.parametrize(("variant", "held", "points", "winner"), [
    ("basic", "2H 4D KD", (18, 0, 0), 0),
    ("basic-penalty", "2H 4D KD", (0, 5, 13), 0),
    ("basic", "2H 9C KD", (0, 0, 0), None),
    ("basic-penalty", "2H 9C KD", (0, 0, 0), None),
])
def test_the_lowest_hand_wins(variant: str, held: str, points: tuple[int, ...], winner: int | None) -> None:
    """6 against 11 and 19: the others' differences; 11 against 11 and 19: nobody scores."""
    rules = game(variant, stock__renewals=0, stock__then="lowest")
    state = play(rules, table_of(rules, held, "3C 8S", "KH 9D", stock="", pile="5C"), "discard KD")
    assert settled(state, ["kind", "points", "winner"]) == {"kind": "stock_out", "points": points, "winner": winner}


def test_scored_as_it_stands() -> None:
    rules = game("basic-penalty", stock__renewals=0, stock__then="stock_out")
    state = play(rules, table_of(rules, "2H 4D KD", "3C 8S", stock="", pile="5C"), "discard KD")
    assert settled(state, ["kind", "winner", "points"]) == {"kind": "stock_out", "winner": None, "points": (6, 11)}
    rules = game("rummy-500", stock__then="stock_out")
    state = table_of(rules, "2H 4D KD", "3C 8S", stock="", pile="5C", table=["0: TS TH TD"])
    assert settled(play(rules, state, "discard KD"), ["kind", "points"]) == {"kind": "stock_out", "points": (24, -11)}


# ----------------------------------------------------------------------------------------------- knocking and calling


def test_an_unplayable_last_discard_is_one_that_the_seat_may_not_lay_off() -> None:
    """Where lay-offs need an own meld or are for own melds only, the card must go as a discard."""
    table = ["1: 4H 5H 6H"]
    for dial in ({"lay__needs_own_meld": True}, {"lay__layoff": "own"}, {"lay__layoff": "none"}):
        rules = game("rummy-500-unplayable-out", **dial)
        assert legal(rules, table_of(rules, "7H", "3C", table=table)) == {"discard 7H"}
    rules = game("rummy-500-unplayable-out", lay__needs_own_meld=True)
    state = table_of(rules, "7H", "3C", table=[*table, "0: 9S 9D 9C"])
    assert legal(rules, state) == {"layoff 7H @0"}


def test_calls_where_lay_offs_are_restricted() -> None:
    """A call by lay-off is for those who may lay off there; only they are asked."""
    table = ["2: 4H 5H 6H", "0: 9S 9D 9C"]
    hands = ("KD 3H", "7H KC", "4C 8D", "JC QS")
    for dial, asked in (({}, [2, 3, 0]), ({"lay__layoff": "own"}, [2]), ({"lay__needs_own_meld": True}, [2, 0])):
        rules = game("rummy-500", **dial)
        state = play(rules, table_of(rules, *hands, seat=1, table=table, pile="2D"), "discard 7H")
        seats = []
        while rules.phase(state) == "call":
            seats.append(state.seat)
            state = play(rules, state, "pass")
        assert seats == asked


def test_straight_gin() -> None:
    rules = game("gin-classic", knock__limit=0)
    assert legal(rules, table_of(rules, "4S 5S 6S KH KD KC AH QC", "2C 3D"), "knock") == set()
    state = table_of(rules, "4S 5S 6S KH KD KC 7S QC", "2C 3D")
    assert legal(rules, state, "knock") == {"knock QC"}
    state = play(rules, state, "knock QC", "meld 4S 5S 6S 7S", "meld KH KD KC", "done")
    assert settled(state, ["kind", "points"]) == {"kind": "gin", "points": (30, 0)}


def test_knocking_without_a_limit() -> None:
    """Nothing need be melded; equal counts are an undercut."""
    rules = game("gin-classic", knock__limit="none", knock__layoff="none")
    state = table_of(rules, "QS JD 9H 2C", "KH TC 8D")
    state = play(rules, state, "knock 2C", "done", "done")
    assert settled(state, ["kind", "left", "points"]) == {"kind": "undercut", "left": (29, 28), "points": (0, 26)}


@pytest.mark.parametrize(("up", "ace", "limit"), [
    ("KS", "one", 10), ("TS", "one", 10), ("7C", "one", 7), ("AS", "one", 1), ("AS", "gin_only", 0),
    ("2S", "gin_only", 2),
])
def test_the_up_card_sets_the_limit(up: str, ace: str, limit: int) -> None:
    """For the whole round, also after the up-card is gone; a knock needs so much or less."""
    rules = game("gin-classic", knock__limit="up_card", knock__ace_limit=ace)
    hands = ["4S 5S 6S KH KD KC 9H 9D 9C 8D", "2C 3S 5D 7S 8C TH QC JD 7H 6C"]
    state = play(rules, rules.start(2, dealer=1), deal(hands, up, "2D 3D 4D", dealer=1))
    assert rules.view(state, 1).knock_limit == limit
    state = play(rules, state, "take", "discard 8D", "draw", "discard 2D", "draw")
    assert rules.view(state, 1).knock_limit == limit
    loose = {"KS": 10, "TS": 10, "7C": 7, "AS": 1, "2S": 2}[up]
    assert ("knock 3D" in legal(rules, state)) == (loose <= limit)


def test_only_the_last_discard_may_be_called() -> None:
    """9H would fit after 8H, but it is no longer the last."""
    for kind, calls in (("top", {"call", "pass"}), ("pile", {"call", "call 2", "pass"})):
        rules = game("rummy-500", call__kind=kind)
        state = table_of(rules, "8H KC", "3C 9D", "4C QS", table=["2: 5H 6H 7H"], pile="2D 9H")
        assert legal(rules, play(rules, state, "discard 8H")) == calls


# ------------------------------------------------------------------------------------------------ scoring and dealing


def test_a_flat_bonus_for_going_rummy() -> None:
    """On top of the points of the winner; where losers pay, on each of them."""
    for variant, points, bonus in (("basic", (31, 0, 0), (10, 0, 0)), ("basic-penalty", (0, 22, 19), (0, 10, 10))):
        rules = game(variant, scoring__rummy=10)
        state = play(rules, table_of(rules, "9S", "TC 2C", "9D", tabled=[]), "discard 9S")
        assert settled(state, ["points", "bonus", "doubled"]) == {"points": points, "bonus": bonus, "doubled": False}
        state = play(rules, table_of(rules, "9S", "TC 2C", "9D", tabled=[0]), "discard 9S")
        assert result(state).bonus == (0, 0, 0)


def test_a_flat_bonus_where_all_score() -> None:
    rules = game("rummy-500", scoring__rummy=10)
    state = play(rules, table_of(rules, "8S 8H 8D", "KC"), "meld 8S 8H 8D")
    assert settled(state, ["points", "bonus", "doubled"]) == {"points": (34, -10), "bonus": (10, 0), "doubled": False}


@pytest.mark.parametrize(("next_dealer", "variant", "kind", "dealer"), [
    ("winner", "basic", "out", 2), ("loser", "basic", "out", 1), ("left", "basic", "out", 1),
    ("winner", "basic", "void", 1), ("loser", "basic", "void", 1), ("loser", "rummy-500", "out", 0),
])
def test_who_deals_next(next_dealer: str, variant: str, kind: str, dealer: int) -> None:
    """The loser has the worst points, of several the first to the dealer's left; without either the deal goes left."""
    rules = game(variant, deal__next_dealer=next_dealer, ending__max_turns=1)
    held = "4S" if kind == "out" else "4S 6D"
    state = table_of(rules, "KC TD", "3C 9H", held, seat=2, dealer=0, tabled=[2])
    state = play(rules, state, "discard 4S")
    assert (result(state).kind, state.dealer) == (kind, dealer)


def test_a_card_owed_to_a_new_meld_is_not_spared_by_the_table() -> None:
    """It fits there, but only a new meld will do: one that takes its company away is not laid."""
    for use, other in (("any", True), ("meld", False)):
        rules = game("rummy-500", draw__deep_use=use)
        table = ["1: 4H 5H 6H"]
        state = table_of(rules, "7H 9C 7S 7D 8D 9D 2S", "3C", table=table, taken="7H 9C", owed="7H")
        assert rules.is_legal(state, "meld 7S 7H 7D") and rules.is_legal(state, "meld 7D 8D 9D") == other
        assert ("meld 7D 8D 9D" in legal(rules, state)) == other


def test_a_stock_that_would_be_at_its_floor_again_is_not_renewed() -> None:
    """Only in a written position: else the pile and the stock together do not shrink."""
    rules = game("gin-knock")
    for stock, phase in (("6S", "deal"), ("6S 7S", "reshuffle")):
        state = rules.position(hands=["2C 3H", "3C KD"], stock=stock, pile="5D 9D", seat=0)
        state = play(rules, state, "take", "discard 2C")
        assert state.phase == phase
        assert phase == "reshuffle" or result(state).kind == "exhausted"


@pytest.mark.parametrize(("table", "told"), [
    ([], "there are no melds on the table"), (["0: 4H 5H 6H"], "the table has melds @0 to @0"),
])
def test_a_meld_that_is_not_there(table: list[str], told: str) -> None:
    rules = game("basic")
    seven = rummy.parse_card("7H")
    refusal = rules.why_not(table_of(rules, "7H 2C", "3C", table=table), rummy.LayOff(seven, seven, 3))
    assert refusal is not None and told in refusal.text


def test_the_loser_deals_next_though_others_lost_as_much() -> None:
    rules = game("basic", deal__next_dealer="loser")
    state = play(rules, table_of(rules, "KC TD", "4S", "3C 9H", seat=1, dealer=0, tabled=[1]), "discard 4S")
    assert settled(state, ["points"]) == {"points": (0, 32, 0)}
    assert state.dealer == 2


def test_a_joker_counts_as_its_card() -> None:
    """On the table what it stands for, an ace by its place; in the hand the highest rank of the deck."""
    rules = game("rummy-500", scoring__values__joker="as_card")
    for text, tabled in (
        ("meld 8S 8H JK", 24), ("meld 4S JK=5S 6S", 15), ("meld JK=AS 2S 3S", 6), ("meld QS KS JK=AS", 35),
        ("meld AS AH JK", 45),
    ):
        held = " ".join(face.split("=")[0] for face in text.split()[1:])
        state = play(rules, table_of(rules, f"{held} 9C", "JK"), text, "discard 9C")
        assert settled(state, ["tabled", "left"]) == {"tabled": (tabled, 0), "left": (0, 15)}


def test_a_run_around_the_corner_is_no_longer_than_allowed() -> None:
    """Twelve cards around: the ace would close the circle, and thirteen are one too many."""
    twelve = "1: 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"
    for longest, found in ((13, {"layoff AH @0"}), (12, set[str]())):
        rules = game("basic", melds__ace="around", melds__run_max=longest)
        state = table_of(rules, "AH 9D", "3C", table=[twelve])
        assert legal(rules, state, "layoff") == found


@pytest.mark.parametrize(("ranks", "has_ace"), [("A2345678", True), ("2345678K", False), ("A345678K", True)])
def test_cards_that_the_deck_lacks_are_no_meld(ranks: str, has_ace: bool) -> None:
    """And a refusal speaks of the ace only where there is one."""
    rules = game("basic", deck__ranks=ranks)
    state = table_of(rules, "3S 4S 5D", "5H")
    refused(rules, state, "meld 9S 9H 9D", "NOT_A_MELD")
    refusal = rules.why_not(state, "meld 9S 9H 9D")
    assert refusal is not None and ("ace" in refusal.text) == has_ace
    refused(rules, state, "meld 5S 5H 5D", "CARD_NOT_HELD")
