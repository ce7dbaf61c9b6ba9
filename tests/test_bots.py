"""The built-in bots: always legal, on any profile; the same for the same view; and easy does what a beginner would."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rummy_engine as rummy
from rummy_engine.bots import bots, make_bot
from rummy_engine.bots.easy import held, pairs
from rummy_engine.cards import parse_faces
from rummy_engine.compare import compare
from rummy_engine.simulate import simulate
from tests.matches import SEATINGS, compiled


def turn(variant: str, overrides: dict[str, object] | None = None, **keywords: object) -> tuple[list[str], str | None]:
    """What easy does from a position till another seat acts, and how the round ended, if it did."""
    game = rummy.load(variant, overrides)
    state = game.position(**keywords)
    seat, bot, played = state.seat, make_bot("easy", game), []
    while state.seat == seat and not game.round_over(state):
        view = game.view(state, seat)
        action = bot(view, view.legal, random.Random(0))
        played.append(str(action))
        state = game.apply(state, action)
    return played, state.result.kind if state.result else None


def test_the_names() -> None:
    assert bots() == ("random", "easy")
    for wrong in ("eazy", "Random ", "", None, 3, "x" * 10_000, ["easy"]):
        with pytest.raises(rummy.RummyError, match="there is no bot") as caught:
            make_bot(wrong, compiled("basic"))  # type: ignore[arg-type]
        assert "\n" not in str(caught.value) and len(str(caught.value)) < 200
    with pytest.raises(rummy.RummyError, match="did you mean 'easy'"):
        make_bot("Eazy", compiled("basic"))


@pytest.mark.parametrize("name", bots())
@pytest.mark.parametrize(("variant", "players"), SEATINGS)
def test_every_bot_plays_every_variant(name: str, variant: str, players: int) -> None:
    # simulate raises at the first action that is not legal
    assert simulate(compiled(variant), players, name, rounds=3, seed=players).tally.rounds == 3


ANY_TURN = {
    "basic": st.fixed_dictionaries(
        {},
        optional={
            "deal.up_card_offer": st.sampled_from(["none", "round"]),
            "deal.hand_size": st.integers(1, 10),
            "deck.jokers": st.integers(0, 2),
            "deck.packs": st.integers(1, 2),
            "melds.set_suits": st.sampled_from(["distinct", "any"]),
            "melds.ace": st.sampled_from(["low", "high", "both", "around"]),
            "wilds.swap": st.booleans(),
            "draw.pile": st.sampled_from(["top", "deep", "closed"]),
            "draw.deep_use": st.sampled_from(["meld", "any"]),
            "draw.top_obliges": st.booleans(),
            "lay.when": st.sampled_from(["any_turn", "going_out"]),
            "lay.melds_per_turn": st.sampled_from([1, "unlimited"]),
            "lay.layoff": st.sampled_from(["any", "own", "none"]),
            "lay.needs_own_meld": st.booleans(),
            "discard.taken": st.sampled_from(["never", "if_last", "free"]),
            "discard.last": st.sampled_from(["optional", "required", "float"]),
            "discard.last_unplayable": st.booleans(),
            "stock.when_empty": st.sampled_from(["shuffle", "turn_over", "none"]),
            "stock.check": st.sampled_from(["end_of_turn", "on_draw"]),
            "stock.then": st.sampled_from(["exhausted", "stock_out", "lowest", "play_on"]),
            "call.kind": st.sampled_from(["off", "pile", "top"]),
        },
    ),
    "gin-knock": st.fixed_dictionaries(
        {},
        optional={
            "deck.jokers": st.integers(0, 2),
            "deck.packs": st.integers(1, 2),
            "melds.ace": st.sampled_from(["low", "high", "both", "around"]),
            "draw.pile": st.sampled_from(["top", "closed"]),
            "knock.limit": st.sampled_from([0, 5, 10, 50, "none", "up_card"]),
            "knock.first_turn": st.booleans(),
            "knock.layoff": st.sampled_from(["knocker", "none"]),
            "knock.layoff_chain": st.sampled_from(["own", "none", "any"]),
            "knock.big_gin_bonus": st.sampled_from([0, 31]),
            "knock.spread": st.sampled_from(["choose", "best"]),
            "knock.respond": st.sampled_from(["choose", "best"]),
            "scoring.values.A": st.sampled_from([0, 1, 15]),
        },
    ),
}
HOUSE_RULES = st.one_of(
    [st.tuples(st.just(variant), changes, st.integers(2, 4)) for variant, changes in ANY_TURN.items()]
).filter(lambda rule: rule[1].get("lay.when") != "going_out" or not {"draw.pile", "call.kind"} & rule[1].keys())
"""Many dials at once. (Where all must be tabled at once, deep draws and calls make the engine search too long.)"""


@settings(max_examples=60, deadline=None)
@given(HOUSE_RULES, st.integers(0, 2**32))
def test_easy_plays_any_profile(house_rule: tuple[str, dict[str, object], int], seed: int) -> None:
    variant, overrides, players = house_rule
    try:
        game = rummy.load(variant, {**overrides, "ending.max_turns": 60})
    except rummy.ProfileError:  # dials that contradict each other
        return
    assert simulate(game, players, ("easy", "random"), rounds=1, seed=seed).tally.take("deals") == 1


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(SEATINGS), st.integers(0, 2**32), st.integers(1, 40))
def test_a_bot_cannot_tell_states_apart_that_look_the_same(seating: tuple[str, int], seed: int, plies: int) -> None:
    variant, players = seating
    game, rng = compiled(variant), random.Random(seed)
    match = rummy.Match(game, players, seed=seed)
    for _ in range(plies):
        match.play(rng.choice(match.legal()))
        if match.over:
            return
    view = match.view(match.seat)
    other = game.sample(view, rng)
    assert game.view(other, match.seat) == view
    for name in bots():
        first, second = (make_bot(name, game) for _ in range(2))
        again = game.view(other, match.seat)
        assert first(view, view.legal, random.Random(7)) == second(again, again.legal, random.Random(7))


@pytest.mark.parametrize("variant", ["basic", "rummy-2-6", "rummy-500", "gin-knock", "gin-classic", "basic-penalty"])
def test_easy_beats_random(variant: str) -> None:
    row = compare([variant], 2, [("easy", "random")], rounds=60, seed=11).rows[0]
    easy, rand = row.by_bot
    assert (easy.name, rand.name) == ("easy", "random")
    assert easy.won.low is not None and rand.won.high is not None and easy.won.low > rand.won.high


# ------------------------------------------------------------------------------------------------- what a beginner does


def test_random_reaches_every_action_and_only_those() -> None:
    game = rummy.load("basic")
    state = game.position(hands=["8S 8H 8D KC", "2C"], phase="play", seat=0)
    view = game.view(state, 0)
    bot, rng = make_bot("random", game), random.Random(3)
    assert {bot(view, view.legal, rng) for _ in range(200)} == set(view.legal)


CASES: Sequence[tuple[str, dict[str, object] | None, dict[str, object], list[str], str | None]] = (
    # goes out, though the longest meld at hand would not: the set first, then the run's rest onto the table
    ("basic", None, {"hands": ["7H 8H 9H 9S 9D", "2C 5C"], "table": ["4H 5H 6H"], "phase": "play"},
     ["meld 9S 9H 9D", "layoff 7H @0", "layoff 8H @0"], "out"),
    # the cheapest leftovers are two cards; with one dear card left it goes out
    ("basic", None, {"hands": ["4S 4H 4D 4C 5S 6S KD", "2C 5C"], "phase": "play"},
     ["meld 4S 5S 6S", "meld 4H 4D 4C", "discard KD"], "out"),
    # throws the dearest card that is in no meld and no pair
    ("basic", None, {"hands": ["KS KH QD 2C 9C", "2D 5C"], "phase": "play"}, ["discard QD"], None),
    # every card is in a pair: the dearest of those in no meld
    ("gin-knock", None, {"hands": ["KS KH KD QS QH JC JD", "2D 5C"], "phase": "play", "taken": "JD"},
     ["discard QS"], None),
    # a joker is kept
    ("rummy-500", None, {"hands": ["JK 2S 9D", "2D 5C"], "phase": "play"}, ["discard 9D"], None),
    # takes what makes a meld, leaves what does not
    ("basic", None, {"hands": ["5S 6S KD 2C", "2D 5C"], "pile": "7S"}, ["take", "meld 5S 6S 7S", "discard KD"], None),
    ("gin-knock", None, {"hands": ["5S 6S KD 2C JD JH 4H", "2D 5C"], "pile": "9S", "phase": "offer"}, ["pass"], None),
    ("gin-knock", None, {"hands": ["5S 6S KD 2C JD JH 4H", "2D 5C"], "pile": "JS", "phase": "offer"},
     ["take", "discard KD"], None),
    # takes what fits the table
    ("basic", None, {"hands": ["KD 2C", "2D 5C"], "pile": "7S", "table": ["4S 5S 6S"]},
     ["take", "layoff 7S @0", "discard KD"], None),
    # digs for a meld
    ("rummy-500", None, {"hands": ["3S 4S KC 9D", "2C 5C"], "pile": "5S QH 2D"},
     ["take 3", "meld 3S 4S 5S", "discard QH"], None),
    # stops when the stock is empty and the pile is no use
    ("rummy-500", None, {"hands": ["3S 4S KC 9D", "2C 5C"], "pile": "JH QD", "stock": ""}, ["stop"], "stock_out"),
    # calls rummy
    ("rummy-500", None,
     {"hands": ["2C KC", "9S KD", "4D 3C"], "seat": 0, "by": 2, "phase": "call", "table": ["4H 5H 6H"],
      "pile": "9D 7H", "stock": "2S 3S"},
     ["call", "layoff 7H @0", "discard KC"], None),
    # knocks with what leaves least, and lays down its best arrangement
    ("gin-knock", None,
     {"hands": ["AS 2S 3S 4H 4D 4C 9C TC JC 2D KH", "2C 5C 9H"], "pile": "6D", "phase": "play"},
     ["knock KH", "meld AS 2S 3S", "meld 9C TC JC", "meld 4H 4D 4C", "done"], None),
    # answers a knock with its melds, then lays off
    ("gin-knock", None,
     {"hands": ["QH QD QS 7S 2D", "KH"], "seat": 0, "phase": "respond", "by": 1, "table": ["1: 4S 5S 6S"]},
     ["meld QS QH QD", "layoff 7S @0", "done"], "undercut"),
    # big gin where it is in the game
    ("gin-knock", {"knock.big_gin_bonus": 31},
     {"hands": ["AS 2S 3S 4H 4D 4C 9C TC JC QC KC", "2C 5C 9H"], "pile": "6D", "phase": "play"},
     ["knock", "meld AS 2S 3S", "meld 9C TC JC QC KC", "meld 4H 4D 4C", "done"], "gin"),
    # tables nothing it could not finish
    ("basic", {"lay.when": "going_out"},
     {"hands": ["AS 2S 3S 4H 4D 4C 9C TC JC KH", "2C 5C 9H"], "pile": "6D", "phase": "play"},
     ["meld AS 2S 3S", "meld 9C TC JC", "meld 4H 4D 4C", "discard KH"], "out"),
)  # fmt: skip


@pytest.mark.parametrize(("variant", "overrides", "keywords", "played", "kind"), CASES)
def test_what_easy_does(
    variant: str,
    overrides: dict[str, object] | None,
    keywords: dict[str, object],
    played: list[str],
    kind: str | None,
) -> None:
    assert turn(variant, overrides, **{"seat": 0, **keywords}) == (played, kind)


def test_pairs_share_a_rank_or_are_neighbours() -> None:
    hand = held(parse_faces("AS KS 3H 4H 6H 9D 9C KC JK"))
    assert rummy.format_cards(pairs(hand)) == "KS 3H 4H 9D 9C KC"
    assert rummy.format_cards(pairs(rummy.parse_cards("5S 5S 8D"))) == ""
    assert rummy.format_cards(pairs(rummy.parse_cards("KS AH"))) == ""
