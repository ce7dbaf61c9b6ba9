"""What a seat may know: examples of every field, and the law that nothing else shows."""

from __future__ import annotations

import json
import pickle
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rummy_engine as rummy
from rummy_engine.knowledge.view import NO_TWINS, View
from tests.helpers import game, play, renew, table_of, zone
from tests.knowledge import NAMES, reached, swap_hidden, swap_twins, tables, viewers, walk

CONTRACT = (
    "seat to_act phase dealer round hand sizes known in_stock stock_size pile pile_shown table taken owed tabled "
    "renewals knock_limit scores result asked legal"
)
KNOCK: dict[str, Any] = {
    "hands": ["8S 8H", "4S 5S 9S TS 4C 5C 4D 5D 4H 5H", "QD QC"],
    "table": ["0: AS AC AD", "0: TC TD TH", "0: JS QS KS"],
    "seat": 1,
    "phase": "respond",
    "by": 0,
}
"""A knock that seat 1 is answering (after case G20)."""


def known(view: View) -> list[str]:
    """The known cards as texts."""
    return [zone(cards) for cards in view.known]


def test_a_view_begins_with_the_fields_of_the_contract() -> None:
    assert " ".join(View._fields).startswith(CONTRACT)


def test_a_seat_sees_its_hand_and_counts_the_others() -> None:
    rules = game("basic")
    state = table_of(rules, "KC 8S 8H 8D", "2C 3C 4C", pile="5D QH", stock="7H 2S", known=["KC", "3C"])
    view = rules.view(state, 0)
    assert zone(view.hand) == "8S 8H 8D KC"
    assert view.sizes == (4, 3) and view.stock_size == 2
    assert known(view) == ["KC", "3C"]
    assert (view.seat, view.to_act, view.phase, view.dealer, view.round) == (0, 0, "play", 0, 1)
    assert zone(view.pile) == "5D QH" and view.pile_shown == 1
    assert view.legal == rules.legal(state)
    other = rules.view(state, 1)
    assert zone(other.hand) == "2C 3C 4C" and other.legal == ()
    assert rules.view(state, None)[1:] == other._replace(hand=())[1:]


@pytest.mark.parametrize("seat", [2, -1])
def test_there_is_no_view_of_a_seat_that_is_not_there(seat: int) -> None:
    rules = game("basic")
    with pytest.raises(rummy.RummyError, match="seats are 0 to 1"):
        rules.view(rules.start(2), seat)


def test_how_much_of_the_pile_a_screen_may_show() -> None:
    for name, shown in {"basic": 1, "rummy-500": 3}.items():
        rules = game(name)
        view = rules.view(rules.position(hands=["8S", "9S"], pile="5D QH KC"), 1)
        assert zone(view.pile) == "5D QH KC" and view.pile_shown == shown
        assert rules.view(rules.position(hands=["8S", "9S"]), 1).pile_shown == 0


def test_taken_cards_are_known_while_they_are_held() -> None:
    rules = game("rummy-500")
    state = play(rules, rules.position(hands=["8S 8D 2C", "9S"], pile="8H KC 3S QD", dealer=1), "take 4")
    view = rules.view(state, 1)
    assert zone(view.taken) == "8H KC 3S QD" and zone(view.owed) == "8H"
    assert known(view)[0] == zone(view.taken_held) == "3S 8H QD KC"
    view = rules.view(play(rules, state, "meld 8S 8H 8D"), 1)
    assert view.owed == () and zone(view.taken_held) == known(view)[0] == "3S QD KC"
    view = rules.view(play(rules, state, "meld 8S 8H 8D", "discard QD"), 1)
    assert view.taken == view.taken_held == () and known(view)[0] == "3S KC" and view.tabled == (0,)


def test_G23_the_knockers_leftover_is_open_while_the_others_answer() -> None:
    rules = game("gin-knock")
    state = rules.position(**KNOCK)
    for seat in (1, 2, None):
        assert known(rules.view(state, seat)) == ["8S 8H", "", ""]
    assert known(rules.view(state, 0)) == ["8S 8H", "", ""]
    assert rules.view(state, 0).asked == ()
    assert [str(meld) for meld in rules.view(state, 1).table] == ["AS AD AC", "TH TD TC", "JS QS KS"]
    view = rules.view(play(rules, state, "layoff TS @2", "layoff 9S @2", "done"), 0)
    assert view.asked == (1,) and view.to_act == 2
    assert known(view) == ["8S 8H", "", ""]  # what the first opponent has left shows when the round is over


def test_a_spread_hides_what_is_not_yet_laid() -> None:
    rules = game("gin-knock")
    state = play(rules, table_of(rules, "8S 8H 8D 2S 2H 2D KC 3C", "4C 5C"), "knock KC", "meld 8S 8H 8D")
    assert known(rules.view(state, 1)) == ["", ""]
    assert rules.view(state, 1).sizes == (4, 2) and rules.view(state, 1).declared == "knock"


def test_who_has_passed_an_up_card() -> None:
    rules = game("gin-knock")
    state = renew(rules, rules.start(4, dealer=2))
    asked = []
    while state.phase == "offer":
        asked.append(rules.view(state, None).asked)
        state = play(rules, state, "pass")
    assert asked == [(), (3,), (3, 0), (3, 0, 1)]
    assert rules.view(state, 0).asked == () and rules.view(state, 0).stock_only


def test_who_has_been_asked_for_a_call_in_turn_order() -> None:
    rules = game("rummy-500")
    hands = ["KC QD", "9C 9D", "", "3C 4D"]
    state = rules.position(hands=hands, pile="4S 8H", table=["0: 5H 6H 7H"], seat=0, phase="call", by=1)
    assert rules.view(state, 3).asked == (2, 3)  # the floater too
    assert rules.view(rules.position(hands=hands, seat=0), 3).asked == ()


def test_after_the_round_all_hands_are_open_but_not_the_stock() -> None:
    rules = game("rummy-2-6")
    state = play(rules, table_of(rules, "8S", "4C 5C", "9D", stock="2S 3S", pile="KC"), "discard 8S")
    assert rules.round_over(state)
    for seat in (None, 0, 1, 2):
        view = rules.view(state, seat)
        assert known(view) == ["", "4C 5C", "9D"] and view.in_stock == () and view.stock_size == 2
        assert zone(view.pile) == "KC 8S"


def test_A10_the_last_discard_lies_face_down() -> None:
    rules = game("basic")
    state = play(rules, table_of(rules, "8S", "4C 5C", "9D", pile="KC", stock="2S 3S"), "discard 8S")
    for seat in (None, 1, 2):
        view = rules.view(state, seat)
        assert list(map(str, view.pile)) == ["KC", "None"] and view.pile_shown == 1
        assert "8S" not in json.dumps(view.to_dict())
    assert zone(rules.view(state, 0).pile) == "KC 8S"
    assert None not in rules.view(renew(rules, state), 1).pile


def test_a_shuffled_stock_is_known_to_nobody() -> None:
    for name in ("basic", "gin-knock"):
        rules = game(name)
        state = table_of(rules, "8S QD", "4C 5C", pile="KC 2D 7H 9H", stock="", known=["8S", ""])
        state = renew(rules, play(rules, state, "discard QD"))
        assert state.renewals == 1 and len(state.stock) > 1
        for seat in (None, 0, 1):
            view = rules.view(state, seat)
            assert view.in_stock == () and known(view) == ["8S", ""]
            assert known(rules.view(play(rules, state, "draw"), seat)) == ["8S", ""]


def test_V6_a_pile_turned_over_is_known_in_its_order() -> None:
    rules = game("rummy-2-6")
    state = play(rules, table_of(rules, "8S QD", "4C 5C", pile="KC 2D", stock=""), "discard 8S")
    view = rules.view(state, None)
    assert zone(view.in_stock) == "KC 2D 8S" and view.stock_size == 3 and view.pile == () and view.renewals == 1
    state = play(rules, state, "draw")
    assert known(rules.view(state, 0)) == ["", "KC"] and zone(rules.view(state, 0).in_stock) == "2D 8S"


def test_before_the_first_deal_there_is_nothing_to_see() -> None:
    rules = game("gin-knock")
    view = rules.view(rules.start(3), 1)
    assert view.sizes == (0, 0, 0) and view.known == ((), (), ()) and view.pile == () and view.result is None


def test_R18_twins_look_alike_and_only_the_taken_one_is_banned() -> None:
    rules = game("rummy-500")
    hands = ["5H 9C 2D", "3C", "4C", "6C", "7C", "8C"]
    state = play(rules, rules.position(hands=hands, pile="KC 5H", dealer=5), "take")
    view = rules.view(state, 0)
    assert zone(view.hand) == "5H 5H 2D 9C" and known(view)[0] == zone(view.taken_held) == "5H"
    assert "discard 5H" in map(str, view.legal)
    view = rules.view(play(rules, state, "discard 5H"), 3)
    assert known(view)[0] == "5H"  # the one that was taken is still held, and everybody knows it


@pytest.mark.parametrize("seed", range(4))
def test_R18_of_two_known_twins_the_taken_one_is_tabled_first(seed: int) -> None:
    rules = game("rummy-500")
    hands = ["5H 9C 2D", "3C", "4C", "6C", "7C", "8C"]
    state = rules.position(hands=hands, pile="5H", table=["1: 6H 7H 8H"], known=["5H", *[""] * 5], dealer=5)
    state = play(rules, swap_twins(state, rules.rules(6).pack, random.Random(seed)), "take", "layoff 5H @0")
    view = rules.view(state, 0)
    assert zone(view.taken) == "5H" and view.taken_held == () and known(view)[0] == "5H"
    assert "discard 5H" in map(str, view.legal)


@pytest.mark.parametrize("name", NAMES)
def test_views_are_values(name: str) -> None:
    rules = game(name)
    players = rules.profile.players.max
    for steps in (0, 1, 7, 40):
        state = reached(rules, players, 3, steps)
        for seat in viewers(state):
            view = rules.view(state, seat)
            again = pickle.loads(pickle.dumps(view))
            assert again == view and hash(again) == hash(view) and view.players == players
            data = json.loads(json.dumps(view.to_dict()))
            assert list(data) == list(View._fields)
            assert data["hand"] == list(map(str, view.hand))
            assert data["legal"] == list(map(str, view.legal))


def test_a_view_as_data() -> None:
    rules = game("rummy-500")
    state = table_of(rules, "8S 8H", "4C", table=["0: 4H JK=5H 6H + 1: 7H"], pile="KC")
    data: Any = rules.view(state, 1).to_dict()
    assert data["table"] == [{"kind": "run", "cards": ["4H", "JK=5H", "6H", "7H"], "by": [0, 0, 0, 1], "owner": 0}]
    assert data["hand"] == ["4C"] and data["known"] == [[], []] and data["pile"] == ["KC"]
    assert data["knock_limit"] is None and data["result"] is None and data["stock_only"] is False


def test_a_view_of_a_finished_round_as_data() -> None:
    rules = game("basic")
    data: Any = rules.view(play(rules, table_of(rules, "8S", "4C 5C", pile="KC"), "discard 8S"), 1).to_dict()
    assert data["result"]["kind"] == "out" and data["result"]["points"] == [18, 0]
    assert data["pile"] == ["KC", None] and data["known"] == [[], ["4C", "5C"]]


# ------------------------------------------------------------------------------------------------------------- laws


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(tables()), st.integers(0, 2**32), st.integers(0, 120))
def test_no_view_shows_what_the_seat_cannot_see(table: tuple[rummy.Game, int], seed: int, steps: int) -> None:
    rules = table[0]
    state = reached(rules, table[1], seed, steps)
    rng = random.Random(seed)
    pack = rules.rules(table[1]).pack
    for seat in viewers(state):
        view = rules.view(state, seat)
        other = swap_hidden(state, seat, rng)
        if seat == state.seat:  # its legal actions are part of its view
            assert rules.legal(other) == rules.legal(state)
        assert rules.view(other, seat) == view
        twin = rules.view(swap_twins(other, pack, rng), seat)
        assert twin == view and hash(twin) == hash(view) and twin.to_dict() == view.to_dict()


@settings(deadline=None, max_examples=25)
@given(st.sampled_from(tables()).filter(lambda table: table[0].rules(table[1]).pack > NO_TWINS), st.integers(0, 2**32))
def test_no_view_ever_tells_twins_apart(table: tuple[rummy.Game, int], seed: int) -> None:
    rules = table[0]
    rng = random.Random(seed)
    pack = rules.rules(table[1]).pack
    for before, action, after in walk(rules, reached(rules, table[1], seed, 1), rng, 100):
        if before.seat == rummy.DEALER:
            continue
        twin = swap_twins(before, pack, rng)
        assert rules.legal(twin) == rules.legal(before)
        following = rules.apply(twin, action)
        for seat in viewers(after):
            assert rules.view(following, seat) == rules.view(after, seat), (str(action), rules.describe(before))
        assert rules.key(following) == rules.key(after)


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(tables()), st.integers(0, 2**32), st.integers(1, 60))
def test_a_view_tells_any_two_situations_apart_that_the_seat_can(
    table: tuple[rummy.Game, int], seed: int, steps: int
) -> None:
    rules = table[0]
    state = reached(rules, table[1], seed, steps)
    for before, _, after in walk(rules, state, random.Random(seed), 1):
        for seat in viewers(state):
            assert rules.view(before, seat) != rules.view(after, seat)


# -------------------------------------------------------------------------------------------------------------- keys


def test_a_key_ignores_how_long_the_round_has_lasted() -> None:
    rules = game("basic")
    state = rules.position(hands=["4C 9D", "2H 5S"], pile="KS QD", stock="7C 8C", known=["4C", "2H"], dealer=1)
    later = state
    for card in ("4C", "2H", "QD") * 2:  # the two hands pass three cards round
        later = play(rules, later, "take", f"discard {card}")
    assert later.turns == 6 and later != state
    assert rules.key(later) == rules.key(state) and hash(rules.key(later)) == hash(rules.key(state))


def test_a_key_ignores_the_order_of_the_melds_and_twins() -> None:
    rules = game("rummy-500")
    hands = ["5H", "5H", "4C", "6C", "7C", "8C"]
    melds = ["0: 8S 8H 8D", "1: 2C 3C 4C"]
    state = rules.position(hands=hands, table=melds, pile="KC")
    assert rules.key(rules.position(hands=hands, table=melds[::-1], pile="KC")) == rules.key(state)
    assert rules.key(swap_twins(state, rules.rules(6).pack, random.Random(1))) == rules.key(state)


def test_a_key_ignores_which_of_two_twins_in_a_set_a_seat_has_laid() -> None:
    rules = game("rummy-500", melds__set_suits="any", deck__packs=2)
    state = table_of(rules, "KC", "QC", table=["0: 5S 5H 5D + 1: 5D"])
    (meld,) = state.table
    assert meld.by in ((0, 0, 0, 1), (0, 0, 1, 0))
    other = meld._replace(by=(0, 0, *meld.by[:1:-1]))
    assert rules.key(state.changed(table=(other,))) == rules.key(state)
    assert rules.key(state.changed(table=(meld._replace(by=(0, 1, 0, 0)),))) != rules.key(state)


@pytest.mark.parametrize(
    "change",
    [
        {"hands": ["4C 9D", "2H 5C"]},
        {"pile": "QD KS"},
        {"stock": "8C 7C"},
        {"known": ["4C", ""]},
        {"scores": [1, 0]},
        {"renewals": 1},
        {"round": 2},
        {"dealer": 0, "seat": 0},
        {"table": ["1: 8S 8H 8D"]},
        {"tabled": [1]},
    ],
)
def test_a_key_tells_other_situations_apart(change: dict[str, Any]) -> None:
    for name in ("basic", "rummy-500"):
        rules = game(name, stock__when_empty="shuffle", stock__renewals=1)
        base: dict[str, Any] = {"hands": ["4C 9D", "2H 5S"], "pile": "KS QD", "stock": "7C 8C", "dealer": 1}
        base |= {"table": ["0: 8S 8H 8D"], "tabled": [0]}
        assert rules.key(rules.position(**{**base, **change})) != rules.key(rules.position(**base))


def test_a_key_tells_who_draws_after_a_reshuffle() -> None:
    """While the dealer shuffles, two situations may have every card in the same place and go on with another seat."""
    rules = game("basic")
    hands, mix = ["4C 9D", "2H 5S"], "reshuffle KS QD"
    due = [rules.position(hands=hands, pile="KS QD 7C", stock="", phase="reshuffle", by=seat) for seat in (0, 1)]
    assert len({rules.key(state) for state in due}) == 2
    assert [play(rules, state, mix).seat for state in due] == [1, 0]
