"""`lay.when = "going_out"`: what may be tabled, decided exactly and without an endless search."""

from __future__ import annotations

import random
from typing import Any

import pytest

import rummy_engine as rummy
from tests.helpers import game, legal, play, result, table_of
from tests.lockstep import Pair

DIALS: dict[str, list[Any]] = {
    "lay.layoff": ["any", "own", "none"],
    "lay.needs_own_meld": [True],
    "lay.melds_per_turn": [1, 2],
    "discard.last": ["required", "float"],
    "discard.last_unplayable": [True],
    "discard.taken": ["if_last", "free"],
    "wilds.swap": [True],
    "wilds.max_per_meld": [1],
    "draw.deep_use": ["meld", "any"],
    "draw.top_obliges": [True],
    "melds.ace": ["low", "around"],
}
MELDS = ("4H 5H 6H", "5S 5D 5C", "JK=7S 8S 9S", "TH JH QH", "2C 3C JK=4C", "KS KD JK")
POSITIONS = 250


def drawn_position(rng: random.Random, base: str, pair: Pair, limited: bool) -> dict[str, Any]:
    """A hand that is rich in melds, at a table with a few: after the draw, perhaps with cards taken, or before it."""
    melds = rng.sample(MELDS if base == "rummy-500" else MELDS[:2] + MELDS[3:4], rng.randrange(3))
    deck = [str(card) for card in pair.game.rules(pair.players).deck]
    for word in " ".join(melds).split():
        deck.remove(word.split("=")[0])
    rng.shuffle(deck)
    low, suits = rng.randrange(9), rng.sample("SHDC", rng.randint(2, 4))
    near = [card for card in deck if card == "JK" or (card[0] in "A23456789TJQK"[low : low + 5] and card[1] in suits)]
    hand = near[: rng.randint(3, 8)]
    for card in hand:
        deck.remove(card)
    others = [" ".join(deck.pop() for _ in range(2)) for _ in range(pair.players - 1)]
    found: dict[str, Any] = {
        "hands": [" ".join(hand), *others],
        "table": [f"{rng.randrange(pair.players)}: {meld}" for meld in melds],
        "seat": 0, "dealer": 1, "pile": " ".join(deck[:3]), "stock": " ".join(deck[3:6]),
        "phase": rng.choice(["play", "draw"]),
    }
    if not limited:  # the melds of seat 0 are of this turn
        found["tabled"] = []
    if found["phase"] == "play" and hand and rng.random() < 0.6:
        found["taken"] = " ".join(rng.sample(hand, rng.randint(1, min(3, len(hand))) if base == "rummy-500" else 1))
    return found


def test_the_same_is_legal_as_when_every_way_is_tried() -> None:
    """Against the independent reference, which lays the melds and lay-offs in turn until the hand is empty."""
    tabling = 0
    for seed in range(POSITIONS // 5):
        rng = random.Random(seed)
        base, players = rng.choice([("rummy-500", 2), ("rummy-500", 6), ("basic", 2)])
        overrides = {dial: rng.choice(values) for dial, values in DIALS.items() if rng.random() < 0.35}
        pair = Pair.of(base, players, {"lay.when": "going_out", **overrides})
        for _ in range(5):
            position = drawn_position(rng, base, pair, "lay.melds_per_turn" in overrides)
            try:
                ours = pair.game.position(**position)
            except rummy.NotationError:
                with pytest.raises(ValueError, match="act"):
                    pair.reference.position(**position)
                continue
            listed = {str(action) for action in pair.game.legal(ours)}
            assert listed == pair.reference.legal(pair.reference.position(**position)), (overrides, position)
            tabling += any(text.startswith(("meld", "layoff", "swap", "take ")) for text in listed)
    assert tabling > 10


@pytest.mark.parametrize("seed", [7, 10])
def test_rounds_with_deep_draws_and_large_hands_come_to_an_end(seed: int) -> None:
    """Whoever digs deep must lay down all of some thirty cards, and each of them decides what else may be laid."""
    rules = game("rummy-500", lay__when="going_out", ending__max_turns=60)
    final = rules.playout(rules.start(2), random.Random(seed))
    assert result(final).kind in ("out", "stock_out", "void")


def test_a_deep_draw_is_for_going_out() -> None:
    """8S 8H with the 8D of the pile leave one card to throw; without the jokers a larger pile leaves too many."""
    rules = game("rummy-500", lay__when="going_out")
    state = table_of(rules, "8S 8H", "2C 3D", pile="8D KC", phase="draw", stock="2S")
    assert legal(rules, state, "take") == {"take", "take 2"}
    state = table_of(rules, "8S 8H", "2C 3D", pile="8D KC QD", phase="draw", stock="2S")
    assert legal(rules, state, "take") == {"take"}
    state = table_of(rules, "8S 8H", "2C 3D", pile="8D KC QD JK", phase="draw", stock="2S")
    assert legal(rules, state, "take") == {"take"}
    state = table_of(rules, "8S 8H", "2C 3D", pile="8D KC KD JK", phase="draw", stock="2S")
    assert legal(rules, state, "take") == {"take", "take 4"}
    state = play(rules, state, "take 4")
    assert legal(rules, state) == {"meld 8S 8H 8D", "meld KD KC JK"}


def test_the_card_kept_must_fit_no_meld() -> None:
    """Of 4H to 8H only an end can be kept, and it would fit the run: nothing may be tabled."""
    rules = game("basic", lay__when="going_out", discard__last="required", discard__last_unplayable=True)
    assert legal(rules, table_of(rules, "4H 5H 6H 7H 8H", "2C"), "meld") == set()
    assert legal(rules, table_of(rules, "4H 5H 6H 7H 2C", "3C"), "meld") == {
        "meld 4H 5H 6H 7H", "meld 4H 5H 6H", "meld 5H 6H 7H"}


def test_the_deepest_card_in_a_new_meld() -> None:
    """Only 7H laid off empties the hand, or 7H with two more sevens; 7H 8H 9H would break two sets."""
    for held, deep_use, found in (
        ("8S 8H 8D 9S 9H 9D", "any", {"take", "take 2"}),
        ("8S 8H 8D 9S 9H 9D", "meld", {"take"}),
        ("8S 8H 8D", "any", {"take", "take 2"}),
        ("8S 8H 8D", "meld", {"take"}),
        ("8S 8H 8D 7S 7D", "meld", {"take", "take 2"}),
    ):
        rules = game("rummy-500", lay__when="going_out", draw__deep_use=deep_use)
        state = table_of(rules, held, "2C 3D", table=["1: 4H 5H 6H"], pile="7H KC", phase="draw", stock="2S")
        assert legal(rules, state, "take") == found
