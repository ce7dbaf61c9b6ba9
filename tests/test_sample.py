"""Samples: they look like the view they were drawn from, in every phase, and no possible state is favoured."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rummy_engine as rummy
from rummy_engine.cards import assign_copies, card_set, parse_faces
from rummy_engine.knowledge.sampling import sample_state
from rummy_engine.knowledge.view import make_view
from rummy_engine.rules import Rules
from rummy_engine.state import PHASES
from tests.helpers import game, play, table_of
from tests.knowledge import moved, reached, swap_twins, tables, viewers, walk


class Numbers:
    """A source of chance that has `random()` and nothing else."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def random(self) -> float:
        """The next number."""
        return self._rng.random()


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(tables()), st.integers(0, 2**32), st.integers(0, 150))
def test_a_sample_has_the_same_view(table: tuple[rummy.Game, int], seed: int, steps: int) -> None:
    rules = table[0]
    state = reached(rules, table[1], seed, steps)
    for seat in viewers(state):
        view = rules.view(state, seat)
        sample = rules.sample(view, Numbers(seed))
        assert rules.view(sample, seat) == view
        assert bool(rules.legal(sample)) == bool(rules.legal(state))
        conserved(rules, sample)


def conserved(rules: rummy.Game, state: rummy.State) -> None:
    """Asserts that the zones share no card."""
    pack = rules.rules(state.players).pack
    zones = [*state.hands, *(1 << card for card in (*state.stock, *state.pile))]
    zones += [meld.card_set for meld in state.table]
    used = 0
    for zone in zones:
        assert not used & zone and not zone & ~pack
        used |= zone
    assert all(seen & ~hand == 0 for seen, hand in zip(state.known, state.hands, strict=True))
    if state.seat != rummy.DEALER:
        assert state.owed & ~state.hands[state.seat] == 0


def test_every_phase_is_sampled_and_played_on() -> None:
    rng = random.Random(7)
    phases = set()
    for rules, players in tables():
        for before, _, _ in walk(rules, rules.start(players), rng, 200):
            seat = rng.choice(viewers(before))
            if before.phase not in phases or rng.random() < 0.01:
                phases.add(before.phase)
                sample = rules.sample(rules.view(before, seat), rng)
                after = rules.playout(sample, rng)
                assert rules.round_over(after)
                if rules.is_over(after):
                    phases.add(after.phase)
                    assert rules.view(rules.sample(rules.view(after, seat), rng), seat) == rules.view(after, seat)
    assert phases == set(PHASES)


def test_whoever_has_knocked_can_lay_down() -> None:
    rules = game("gin-knock")
    state = table_of(rules, "8S 8H 8D 2S 3S 4S AC KC", "4C 5C", "9S TS", pile="QD")
    state = play(rules, state, "knock KC", "meld 2S 3S 4S")
    for seat in (1, None):
        sample = rules.sample(rules.view(state, seat), random.Random(1))
        assert rules.legal(sample) and rules.view(sample, seat) == rules.view(state, seat)
        assert rules.round_over(rules.playout(sample, random.Random(1)))


@pytest.mark.parametrize("known", ["", "8S", "4S 6S KD"])
def test_whoever_has_gin_can_lay_down_all(known: str) -> None:
    """One hand in a hundred thousand is one; it is found at once, also when some of its cards were taken publicly."""
    rules = game("gin-knock")
    hands = ["4S 5S 6S 8S 8H 8D KS KH KD KC", "2C 3D 9H TS 2H 4D 6C 7S TD QH"]
    state = table_of(rules, *hands, pile="JS", phase="spread", known=[known, ""])
    assert state.declared == "gin"
    found = set()
    for seed in range(100):
        for seat in (1, None):
            sample = rules.sample(rules.view(state, seat), random.Random(seed))
            assert rules.view(sample, seat) == rules.view(state, seat)
            assert rules.legal(sample)
            found.add(sample.hands[0])
    assert len(found) > 60
    after = play(rules, state, "meld 4S 5S 6S", "meld 8S 8H 8D")
    assert rules.legal(rules.sample(rules.view(after, None), random.Random(1)))


def test_gin_of_pairs_out_of_two_packs() -> None:
    """Where there are melds of many sizes, and cards that count nothing, most choices of melds have the wrong size."""
    dials = {"deck__packs": 2, "deck__jokers": 2, "melds__set_min": 2, "melds__run_max": 3, "wilds__max_per_meld": 1}
    rules = game("gin-knock", **dials, scoring__values__8=0)
    state = table_of(rules, "9S 9H TH JH 7C 8C 8C 9C 9C JK", "", phase="spread", stock="")
    assert state.declared == "gin"
    for seed in range(20):
        sample = rules.sample(rules.view(state, 1), random.Random(seed))
        assert rules.view(sample, 1) == rules.view(state, 1) and rules.legal(sample)


def test_whoever_has_taken_deep_can_table_the_deepest_card() -> None:
    rules = game("rummy-500")
    state = rules.position(hands=["8S 8D 2C QH", "9S 9D TH"], pile="8H KC 3S QD", dealer=1)
    state = play(rules, state, "take 4")
    hands = set()
    for seed in range(200):
        sample = rules.sample(rules.view(state, 1), random.Random(seed))
        assert rules.legal(sample)
        hands.add(sample.hands[0])
    assert len(hands) > 150  # many hands could


def test_a_view_of_another_game_is_refused() -> None:
    state = reached(game("rummy-500"), 6, 1, 30)
    view = game("rummy-500").view(state, 0)
    with pytest.raises(rummy.RummyError, match="does not fit"):
        game("basic", players__max=6).sample(view, random.Random(1))


# --------------------------------------------------------------------------------------------------------- fairness


class SmallPack:
    """The rules of a table with only a few of its cards, so that every possible state can be listed."""

    def __init__(self, rules: Rules, faces: str) -> None:
        self.deck = assign_copies(parse_faces(faces))
        self.pack = card_set(self.deck)
        self.pile_view = rules.pile_view
        self.legal = rules.legal
        self.phases = rules.phases
        self.declare = rules.declare
        self.finder = rules.finder
        self.worthless = rules.worthless
        self.fits = rules.fits


def possible(rules: SmallPack, state: rummy.State, seat: int | None) -> set[rummy.State]:
    """Every state with the same view: all permutations of the physical cards are tried."""
    view = make_view(rules, state, seat)
    found = set()
    state = state.changed(fits=0)
    for order in permutations(rules.deck):
        other = moved(state, dict(zip(rules.deck, order, strict=True)).__getitem__)
        if make_view(rules, other, seat) == view:
            found.add(other.changed(fits=rules.fits(other.table)))
    return found


@pytest.mark.parametrize(
    ("pack", "keywords", "seat"),
    [
        pytest.param(
            "AS 2S 3S 4S AH 2H 3H 4H",
            {"hands": ["AS", "2S 3S", "4S"], "known": ["", "2S", ""], "pile": "AH", "stock": "2H 3H"},
            0,
            id="hands, stock and a card out of play",
        ),
        pytest.param(
            "AS 2S 3S 4S AH 2H 3H",
            {"hands": ["AS", "2S 3S", "4S"], "known": ["", "2S", "4S"], "pile": "AH", "stock": "2H 3H"},
            None,
            id="a spectator",
        ),
        pytest.param(
            "AS 2S 3S 4S AH 2H 3H 4H",
            {"hands": ["AS", "2S 3S"], "pile": "AH", "stock": "2H 3H 4H 4S", "stock_known": 1},
            0,
            id="known draws",
        ),
        pytest.param(
            "AS 2S 3S 4S 2H 3H 4H",
            {"hands": ["AS", ""], "known": ["AS", ""], "pile": "2H 3H", "stock": "3S 4S 2S 4H", "phase": "deal"}
            | {"face_down": 1},
            0,
            id="a discard lying face down",
        ),
        pytest.param(
            "AS AS 2S 2S 3S 3S JK JK",
            {"hands": ["AS AS", "2S JK"], "known": ["AS", "JK"], "pile": "3S", "stock": "2S 3S JK"},
            0,
            id="twins in hands",
        ),
        pytest.param(
            "AS AS 2S 2S 3S 3S JK JK",
            {"hands": ["AS", "2S"], "table": ["0: AS 2S 3S"], "pile": "JK", "stock": "JK 3S"},
            1,
            id="twins on the table",
        ),
    ],
)
def test_all_possible_states_are_equally_likely(pack: str, keywords: dict[str, Any], seat: int | None) -> None:
    """Chi-square with a fixed seed; the bound is five standard deviations."""
    whole = game("rummy-500", deck__packs=2)
    state = whole.position(**keywords)
    rules, rng = SmallPack(whole.rules(state.players), pack), Numbers(11)
    view = make_view(rules, state, seat)
    assert unfairness(lambda: sample_state(rules, view, rng), possible(rules, state, seat)) < 5


@pytest.mark.parametrize("known", ["", "4S", "2S 2H"])
@pytest.mark.parametrize("worth", [3, 0])
def test_all_hands_of_gin_are_equally_likely(known: str, worth: int) -> None:
    """Also those that are three sets as well as three runs; and where a three counts nothing, melded or not."""
    whole = game("gin-knock", scoring__values__3=worth)
    faces = "2S 3S 4S 5S 2H 3H 4H 5H 2D 3D 4D 5D 9C"
    melded = "2S 3S 4S 2H 3H 4H 2D 3D 4D"
    state = whole.position(hands=[melded, "9D"], pile="9S", seat=0, phase="spread", known=[known, ""], stock="7H")
    assert state.declared == "gin"
    rules, rng = SmallPack(whole.rules(2), faces + " 9D 9S 7H"), Numbers(11)
    view = make_view(rules, state, 1)
    cards = assign_copies(parse_faces(faces))
    must, deadwood = rummy.parse_cards(known), whole.rules(2).arranger.deadwood
    chosen = [card_set(some) for some in combinations(cards, len(melded.split()))]
    hands = {hand for hand in chosen if not must & ~hand and not deadwood(hand)}
    each = 60
    counts = Counter(sample_state(rules, view, rng).hands[0] for _ in range(each * len(hands)))
    assert set(counts) == hands and len(hands) > 5
    distance = sum((count - each) ** 2 / each for count in counts.values())
    assert abs(distance - len(hands) + 1) / (2 * len(hands) - 2) ** 0.5 < 5


@pytest.mark.parametrize("laid", ["", "2S 3S 4S"])
def test_all_hands_that_knock_without_gin_are_equally_likely(laid: str) -> None:
    """A hand that melds take whole would have been declared gin (rules B13), also after some melds were laid."""
    whole = game("gin-knock")
    hidden = "2S 3S 4S 2H 3H 4H 2D 3D 7H KC"
    state = whole.position(hands=["2S 3S 4S 2H 2D 3H", "9D"], pile="9S", seat=0, phase="spread", stock="7H")
    assert state.declared == "knock"
    if laid:
        state = whole.apply(state, f"meld {laid}")
    rules, rng = SmallPack(whole.rules(2), hidden + " 9D 9S"), Numbers(11)
    on_table, deadwood = rummy.parse_cards(laid), whole.rules(2).arranger.deadwood
    cards = [card for card in assign_copies(parse_faces(hidden)) if not on_table >> card & 1]
    chosen = [card_set(some) for some in combinations(cards, 6 - on_table.bit_count())]
    hands = {hand for hand in chosen if deadwood(hand | on_table) and deadwood(hand) <= 10}
    assert any(not deadwood(hand) for hand in chosen)  # which would have been gin
    view, each = make_view(rules, state, 1), 60
    counts = Counter(sample_state(rules, view, rng).hands[0] for _ in range(each * len(hands)))
    assert set(counts) == hands and len(hands) > 5
    distance = sum((count - each) ** 2 / each for count in counts.values())
    assert abs(distance - len(hands) + 1) / (2 * len(hands) - 2) ** 0.5 < 5


def unfairness(sample: Callable[[], rummy.State], states: set[rummy.State]) -> float:
    """How far the frequencies are from equal ones, in standard deviations of chi-square."""
    each = 40
    counts = Counter(sample() for _ in range(each * len(states)))
    assert set(counts) == states and len(states) > 20
    distance = sum((count - each) ** 2 / each for count in counts.values())
    return float(abs(distance - len(states) + 1) / (2 * len(states) - 2) ** 0.5)


def test_a_sampler_that_favours_some_states_is_found_out() -> None:
    """One that knows the truth a twentieth of the time, and one with a common mistake in its shuffle."""
    whole = game("rummy-500", deck__packs=2)
    state = whole.position(hands=["AS", "2S 3S", "4S"], pile="AH", stock="2H 3H")
    rules, rng = SmallPack(whole.rules(3), "AS 2S 3S 4S AH 2H 3H"), Numbers(11)
    view, states = make_view(rules, state, 0), possible(rules, state, 0)
    assert state in states

    def knowing() -> rummy.State:
        return state if rng.random() < 0.05 else sample_state(rules, view, rng)

    def clumsy() -> rummy.State:
        hidden = [card for card in rules.deck if card not in state.pile and not state.hands[0] >> card & 1]
        mixed = hidden[:]
        for i in range(len(mixed)):  # each place changes with any, not with those that are left
            j = int(rng.random() * len(mixed))
            mixed[i], mixed[j] = mixed[j], mixed[i]
        to = {card: card for card in rules.deck} | dict(zip(hidden, mixed, strict=True))
        return moved(state, to.__getitem__)

    assert unfairness(lambda: sample_state(rules, view, rng), states) < 5
    assert unfairness(knowing, states) > 5
    assert unfairness(clumsy, states) > 5


def test_a_sample_does_not_depend_on_the_truth() -> None:
    rules = game("rummy-500")
    state = reached(rules, 6, 4, 60)
    view = rules.view(state, 2)
    twin = swap_twins(state, rules.rules(6).pack, random.Random(3))
    assert rules.sample(rules.view(twin, 2), Numbers(5)) == rules.sample(view, Numbers(5))
