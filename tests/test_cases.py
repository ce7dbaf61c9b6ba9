"""Faults that real rummy programs had: as data in cases.toml, and here those that are more than one position."""

from __future__ import annotations

import json
import pickle
import random

import pytest

import rummy_engine as rummy
from rummy_engine.cards import parse_card
from tests.helpers import (
    cards,
    deal,
    game,
    hand,
    legal,
    may,
    on_table,
    pack,
    play,
    refuses,
    renew,
    result,
    table_of,
    zone,
)
from tests.scenarios import Scenario, load_scenarios


@pytest.mark.parametrize("scenario", load_scenarios("cases.toml"), ids=str)
def test_case(scenario: Scenario) -> None:
    scenario.run()


def test_G08_options_outlive_the_deal() -> None:
    """An ace penalty of 11 counts in the first round and in the next one."""
    rules = game("basic", scoring__values__A=11, match__target=1000)
    state = play(rules, table_of(rules, "5C", "AC 2D", tabled=[0]), "discard 5C")
    assert result(state).points == (13, 0)
    ready = "AS 2S 3S 4S 5S 6S 7S 8H 8D 8C"
    loser = "AH AD AC 3D 5D 7D 9D JD KD 2H"
    assert (state.dealer, state.round) == (1, 2)
    state = play(rules, state, deal([loser, ready], "TC", "QC", dealer=1), "draw", "discard QC", "draw")
    state = play(rules, state, "meld AS 2S 3S 4S 5S 6S 7S", "meld 8H 8D 8C", "discard 8S")
    assert result(state).round == 2
    assert result(state).points == (0, 2 * (3 * 11 + 3 + 5 + 7 + 9 + 10 + 10 + 2))


def test_G23_hands_stay_hidden_while_laying_off() -> None:
    """The knocker sees no card of the defender; the defender sees the knocker's melds and deadwood."""
    rules = game("gin-classic")
    knocker = "AS AC AD TC TD TH JS QS KS 2H 7C"
    lay = ("knock 7C", "meld AS AD AC", "meld TH TD TC", "meld JS QS KS", "done")
    views = []
    deals = [("4S 5S 9S TS 4C 5C 4D 5D 4H 5H", "3D 6H 8C 9D"), ("4S 5S 9S 3D 4C 5C 4D 6H 4H 8C", "TS 5D 5H 9D")]
    for defender, stock in deals:
        state = play(rules, table_of(rules, knocker, defender, stock=stock), *lay)
        assert (rules.phase(state), state.seat) == ("respond", 1)
        views.append(rules.view(state, 0))
        assert rules.view(state, 0).known[1] == ()
        seen = rules.view(state, 1)
        assert zone(seen.known[0]) == "2H"
        assert [str(meld) for meld in seen.table] == on_table(state)
    assert views[0] == views[1]
    assert hash(views[0]) == hash(views[1])


def test_G25_seeds() -> None:
    """Different seeds, different deals; the same seed, the same deal."""
    first, again, second, third = (rummy.Match("gin-classic", 2, seed=seed).state for seed in (1, 1, 2, 3))
    assert first == again
    assert len({first.hands, second.hands, third.hands}) == 3
    rules = game("gin-classic")
    start = rules.start(2)
    assert rules.chance(start, random.Random(1)) == rules.chance(start, random.Random(1))
    assert rules.chance(start, random.Random(1)) != rules.chance(start, random.Random(2))


@pytest.mark.parametrize(("ranks", "suits", "size", "stock"), [
    ("A23456789T", "SHD", 15, None), ("A23456789T", "SHD", 7, 15), ("A23456789TJQK", "SHDC", 7, 37),
])
def test_G26_impossible_deals(ranks: str, suits: str, size: int, stock: int | None) -> None:
    """2 x 15 + 1 cards do not come out of 30."""
    dials = {"deck__ranks": ranks, "deck__suits": suits, "deal__hand_size": size, "players__max": 2}
    if stock is None:
        with pytest.raises(rummy.ProfileError):
            game("basic", **dials)
    else:
        rules = game("basic", **dials)
        assert len(renew(rules, rules.start(2)).stock) == stock


@pytest.mark.parametrize("variant", ["gin-classic", "gin-knock", "basic", "rummy-2-6", "rummy-500"])
def test_G27_taking_for_ever(variant: str) -> None:
    """Both players take the up-card in every turn: the turn cap ends the round, nobody scores."""
    rules = game(variant)
    state = table_of(rules, "2H 7D QS", "3C 8D KH", phase="draw", pile="5S")
    while not rules.round_over(state):
        state = play(rules, state, "take")
        state = rules.apply(state, next(a for a in rules.legal(state) if str(a).startswith("discard")))
    assert (result(state).kind, result(state).turns) == ("void", 1000)
    assert result(state).points == (0, 0)


def test_G30_the_limit_in_force() -> None:
    """Up-card 4: the view says 4, and 4 is the limit; every decision names its phase."""
    rules = game("gin-classic", knock__limit="up_card")
    hands = ["4S 5S 6S KH KD KC 9H 9D 9C 4D", "2C 3S 5D 7S 8C TH QC JD AH 6C"]
    state = play(rules, rules.start(2, dealer=1), deal(hands, "4H", dealer=1, stock="5H"))
    assert (rules.phase(state), legal(rules, state)) == ("offer", {"take", "pass"})
    assert rules.view(state, 0).knock_limit == rules.view(state, None).knock_limit == 4
    state = play(rules, state, "pass", "pass")
    assert rules.phase(state) == "draw"
    state = play(rules, state, "draw")
    assert rules.phase(state) == "play"
    assert legal(rules, state, "knock") == {"knock 5H"}
    state = play(rules, state, "knock 5H")
    assert (rules.phase(state), rules.view(state, 1).knock_limit) == ("spread", 4)
    state = play(rules, state, "meld 4S 5S 6S", "meld KH KD KC", "meld 9H 9D 9C", "done")
    assert rules.phase(state) == "respond"


def test_G38_saving_in_mid_hand() -> None:
    """What is loaded is what was saved: hands, stock order, phase, turn, scores, legal moves, and the future."""
    match = rummy.Match("rummy-500", 3, seed=7)
    rng = random.Random(7)
    for _ in range(25):
        match.play(rng.choice(match.legal()))
    rules, state = match.game, match.state
    copies = [
        rummy.Match.from_record(rummy.Record.from_json(match.record().to_json())).state,
        rules.position(**json.loads(json.dumps(rules.describe(state)))),
        pickle.loads(pickle.dumps(state)),
    ]
    for copy in copies:
        assert copy == state
        assert rules.legal(copy) == rules.legal(state)
        assert (copy.stock, copy.hands, copy.scores, copy.seat) == (state.stock, state.hands, state.scores, state.seat)
        assert rules.phase(copy) == rules.phase(state)
    again = rummy.Match.from_record(match.record())
    while not match.game.round_over(match.state):
        action = rng.choice(match.legal())
        match.play(action)
        again.play(action)
    assert again.state == match.state


@pytest.mark.parametrize(("players", "size", "stock"), [(2, 10, 31), (3, 7, 30), (4, 7, 23), (5, 6, 21), (6, 6, 15)])
def test_B09_hand_sizes(players: int, size: int, stock: int) -> None:
    for variant in ["basic", "rummy-2-6"] if players <= 4 else ["rummy-2-6"]:
        rules = game(variant)
        state = renew(rules, rules.start(players))
        assert [len(hand(state, seat)) for seat in range(players)] == [size] * players
        assert (len(state.stock), len(state.pile)) == (stock, 1)


def test_B09_player_limits() -> None:
    assert refuses(rummy.RummyError, lambda: game("basic").start(5))
    assert refuses(rummy.RummyError, lambda: game("rummy-2-6").start(7))
    assert refuses(rummy.RummyError, lambda: game("rummy-2-6").start(1))


@pytest.mark.parametrize("variant", rummy.variants())
def test_B12_one_draw_a_turn(variant: str) -> None:
    """After a draw a second one is refused; exactly one hand has grown, by one."""
    rules = game(variant)
    state = table_of(rules, "2H 7D QS", "3C 8D KH", phase="draw", pile="5S")
    for text in ("draw", "take"):
        after = play(rules, state, text)
        assert [len(hand(after, seat)) - len(hand(state, seat)) for seat in (0, 1)] == [1, 0]
        assert not may(rules, after, "draw")
        assert not may(rules, after, "take")


def test_B15_targets_are_the_lay_offs_of_one_card() -> None:
    rules = game("basic")
    state = table_of(rules, "TS 9S 4D", "3C 8S", table=["0: JS QS KS", "1: TH TD TC"])
    assert {str(action) for action in rules.targets(state, parse_card("TS"))} == {"layoff TS @0", "layoff TS @1"}
    assert rules.targets(state, parse_card("9S")) == ()


def test_B19_one_meld_one_action() -> None:
    """Cards in another order are the same action, listed once."""
    rules = game("basic")
    state = table_of(rules, "7H 5H 6H KD 2C", "3C 8S")
    written = [rules.parse(state, text) for text in ("meld 7H 5H 6H", "meld 5H 6H 7H", "meld 6h 7♥ H5")]
    assert len(set(written)) == 1
    assert written[0] == written[1] == written[2]
    assert str(written[0]) == "meld 5H 6H 7H"
    assert legal(rules, state, "meld") == {"meld 5H 6H 7H"}


def test_R01_a_lay_off_names_its_meld() -> None:
    rules = game("rummy-500")
    state = table_of(rules, "7H 9C KD", "2C", table=["1: 7S 7D 7C", "1: 4H 5H 6H"])
    with pytest.raises(rummy.NotationError):
        rules.apply(state, "layoff 7H")
    assert rules.parse(state, "layoff 7H @0") != rules.parse(state, "layoff 7H @1")


def test_R13_one_copy_leaves() -> None:
    """Both seven of spades are in the deck, each exactly once, wherever they go."""
    rules = game("rummy-500")
    state = table_of(rules, "7S 7S 2C", "2D", "3C", "4C", "5C", "6C", stock="9D 9H", pile="KC")
    after = play(rules, state, "discard 7S")
    assert hand(after, 0) == cards("2C 7S")
    assert zone(after.pile) == "KC 7S"
    assert after.hands[0] & (1 << after.pile[-1]) == 0


def test_R21_a_seat_out_of_turn_is_told_so() -> None:
    """In a match, seat 2 calls after seat 1 has drawn: it is simply not its turn."""
    match = rummy.Match("rummy-500", 3, seed=3, dealer=2)
    match.play("draw", seat=0)
    with pytest.raises(rummy.IllegalActionError) as caught:
        match.play("call", seat=2)
    assert caught.value.reason is rummy.Reason.NOT_YOUR_TURN


def test_the_deal_helper_deals_a_whole_pack() -> None:
    text = deal(["2S 3S", "4S 5S"], "6S", "7S", dealer=0)
    assert text.split()[:7] == ["deal", "4S", "2S", "5S", "3S", "6S", "7S"]
    assert sorted(text.split()[1:]) == sorted(pack())
