"""The profile `rlcard-gin` in lock-step with RLCard's `gin_rummy`: same deal, same actions, every decision compared.

Whose turn it is, what is legal, both hands, stock, pile, points and rewards must agree, but for the differences that
`tests.peers.rlcard_gin` names. RUMMY_RLCARD_ROUNDS sets the number of rounds (default 150).
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import rummy_engine as rummy
from tests.helpers import hand, pack
from tests.peers.rlcard_gin import KNOCK_LIMIT, Difference, Mirror, RLCard, first_of

pytest.importorskip("rlcard", reason="needs the extra peers")

ROUNDS = int(os.environ.get("RUMMY_RLCARD_ROUNDS", "150"))

Policy = Callable[[rummy.Game, rummy.State, Sequence[str], random.Random], str | None]
"""Chooses among the texts both sides can follow; None ends the round there."""


@pytest.fixture(scope="module")
def peer() -> RLCard:
    return RLCard()


@pytest.fixture(scope="module")
def game() -> rummy.Game:
    return rummy.load(Path(__file__).parent / "data" / "rlcard-gin.toml")


# ----------------------------------------------------------------------------------------------------------- policies


def uniform(game: rummy.Game, state: rummy.State, choices: Sequence[str], rng: random.Random) -> str:
    return choices[int(rng.random() * len(choices))]


def greedy(game: rummy.Game, state: rummy.State, choices: Sequence[str], rng: random.Random) -> str:
    """Keeps deadwood low and knocks as soon as it may."""
    return first_of(("gin", "knock"), choices) or lowest(game, state, choices, rng)


def patient(game: rummy.Game, state: rummy.State, choices: Sequence[str], rng: random.Random) -> str:
    """Like `greedy`, but ends the round only with gin."""
    others = [text for text in choices if not text.startswith("knock")]
    return first_of(("gin",), choices) or lowest(game, state, others, rng)


def exchanging(game: rummy.Game, state: rummy.State, choices: Sequence[str], rng: random.Random) -> str:
    """Draws the stock to its end and then takes from the pile for ever."""
    return first_of(("draw", "take", "discard"), choices) or choices[0]


def lowest(game: rummy.Game, state: rummy.State, choices: Sequence[str], rng: random.Random) -> str:
    discards = [text for text in choices if text.startswith("discard")]
    if discards:
        return min(discards, key=lambda text: (kept(game, hand(state, state.seat), text.split()[1]), rng.random()))
    if "take" in choices:
        more = [*hand(state, state.seat), str(state.pile[-1])]
        before = kept(game, more, more[-1])
        if min(kept(game, more, each) for each in more[:-1]) < before:
            return "take"
    return first_of(("draw", "stop"), choices) or choices[0]


def kept(game: rummy.Game, cards: Sequence[str], thrown: str) -> int:
    """The deadwood of a hand without one card, in points."""
    return rummy.best_arrangement(" ".join(card for card in cards if card != thrown), game).points


# ---------------------------------------------------------------------------------------------------------- lock-step


def compare(game: rummy.Game, mirror: Mirror, state: rummy.State, seen: Counter[str]) -> list[str]:
    """Compares one decision and counts what was met; the texts both sides can follow."""
    assert mirror.to_act == state.seat
    assert mirror.hands() == [hand(state, 0), hand(state, 1)]
    assert (mirror.stock(), mirror.pile()) == ([str(card) for card in state.stock], [str(card) for card in state.pile])
    ours, theirs = {str(action) for action in game.legal(state)}, set(mirror.actions())
    seen["decisions"] += 1
    for word in {text.split()[0] for text in theirs}:
        seen[f"{game.phase(state)} {word}"] += 1
    if theirs == {"gin"}:
        assert any(kept(game, hand(state, state.seat), card) == 0 for card in hand(state, state.seat))
        seen[Difference.GIN_IS_FORCED.name] += 1
        return ["gin"]
    assert not ours - theirs, f"only ours: {ours - theirs}\n{game.describe(state)}"
    if theirs - ours:
        assert theirs - ours == {f"knock {mirror.taken}"}, f"only RLCard: {theirs - ours}\n{game.describe(state)}"
        assert kept(game, hand(state, state.seat), str(mirror.taken)) <= KNOCK_LIMIT
        seen[Difference.TAKEN_CARD.name] += 1
    return sorted(ours & theirs)


def end_with_gin(game: rummy.Game, mirror: Mirror, state: rummy.State, seen: Counter[str]) -> rummy.State:
    """RLCard throws a card of its choice; ours the same one, or another that leaves gin where it was just taken."""
    taken, thrown, cards = mirror.taken, mirror.follow("gin"), hand(state, state.seat)
    assert kept(game, cards, thrown) == 0
    if thrown == taken:
        seen[Difference.TAKEN_CARD.name] += 1
        thrown = next(card for card in cards if card != taken and kept(game, cards, card) == 0)
    return game.apply(state, f"knock {thrown}")


def compare_result(mirror: Mirror, state: rummy.State, by: int, seen: Counter[str]) -> None:
    """Points left and rewards of an ended round; `by` is the seat that acted last."""
    result = state.result
    assert result is not None
    seen[result.kind] += 1
    if result.kind in ("gin", "knock", "undercut"):
        assert len(mirror.pile()) == len(state.pile) - 1
        seen[Difference.LOST_DISCARD.name] += 1
    elif result.kind == "void":
        assert set(mirror.actions()) == {"stop"}
        seen[Difference.MOVE_CAP.name] += 1
    elif mirror.actions():
        assert set(mirror.actions()) == {"stop", "take"}
        seen[Difference.IDLE_TURNS.name] += 1
    if result.kind == "undercut":
        seen[Difference.UNDERCUT_IGNORED.name] += 1
    left = mirror.settle()
    assert left == result.left
    rewards = [-points / 100 for points in left]
    if result.kind in ("gin", "knock", "undercut"):
        rewards[by] = 1 if result.kind == "gin" else 0.2
    assert mirror.payoffs() == pytest.approx(rewards)


def play(game: rummy.Game, mirror: Mirror, policies: Sequence[Policy], rng: random.Random) -> Counter[str]:
    """Plays one dealt round on both sides; counts decisions, situations, results and differences."""
    state, by, seen = mirror.position(game), -1, Counter[str]()
    while not game.round_over(state):
        choices = compare(game, mirror, state, seen)
        text = policies[state.seat](game, state, choices, rng)
        if text is None:
            return seen + Counter(stopped=1)
        by = state.seat
        if text == "gin":
            state = end_with_gin(game, mirror, state, seen)
        else:
            mirror.follow(text)
            state = game.apply(state, text)
    compare_result(mirror, state, by, seen)
    return seen


def test_lock_step(game: rummy.Game, peer: RLCard) -> None:
    pairs = ((greedy, greedy), (patient, patient), (greedy, patient), (uniform, greedy), (uniform, exchanging))
    seen = Counter[str]()
    for seed in range(ROUNDS):
        seen += play(game, Mirror(peer, seed), pairs[seed % len(pairs)], random.Random(seed))
    print(f"{ROUNDS} rounds: " + ", ".join(f"{name} {count}" for name, count in sorted(seen.items())))
    if ROUNDS >= 150:
        kinds = {"knock", "gin", "undercut", "stock_out"}
        situations = {"draw take", "draw draw", "draw stop", "play knock", "play gin", "play discard"}
        assert not (kinds | situations) - seen.keys()
        assert seen["decisions"] > 20 * ROUNDS


# ---------------------------------------------------------------------------- each difference, in a deal made for it


def script(*texts: str) -> Policy:
    """Plays these texts, whoever is to act; None when they are used up."""
    left = list(texts)
    return lambda game, state, choices, rng: left.pop(0) if left and left[0] in choices else None


def dealt(peer: RLCard, first: str, second: str, stock: str = "") -> Mirror:
    """A round dealt by seat 1: eleven cards for seat 0, who starts, ten for seat 1, and the next draws."""
    mirror = next(mirror for mirror in (Mirror(peer, seed) for seed in range(100)) if mirror.to_act == 0)
    named = [*first.split(), *second.split(), *stock.split()]
    mirror.deal((first, second), " ".join([*stock.split(), *(card for card in pack() if card not in named)]))
    return mirror


NEARLY_GIN, OTHERS = "4S 5S 6S JH JD JC KH KD KC 7H AD", "2S 3H 5H 9H 8H 2C 4C 6C 8C TC"
CASES: tuple[tuple[Difference, str, str, str, tuple[str, ...]], ...] = (
    (Difference.GIN_IS_FORCED, "4S 5S 6S JH JD JC KH KD KC KS AD", OTHERS, "", ()),
    (Difference.TAKEN_CARD, NEARLY_GIN, OTHERS, "QD", ("discard 7H", "draw", "discard 2S", "take")),
    (Difference.LOST_DISCARD, NEARLY_GIN, OTHERS, "", ("knock 7H",)),
    (Difference.UNDERCUT_IGNORED, NEARLY_GIN, "AS 2S 3S 7S 7D 7C 8H 9H TH AC", "", ("knock 7H",)),
)


@pytest.mark.parametrize(("difference", "first", "second", "stock", "texts"), CASES, ids=lambda case: str(case)[:40])
def test_a_known_difference_is_met_where_it_is_said_to_be(
    game: rummy.Game, peer: RLCard, difference: Difference, first: str, second: str, stock: str, texts: tuple[str, ...]
) -> None:
    """When a case fails because RLCard was repaired, its difference is to be removed."""
    policy = script(*texts)
    seen = play(game, dealt(peer, first, second, stock), (policy, policy), random.Random(0))
    assert difference.name in seen


ENDLESS: tuple[tuple[Difference, Policy | None], ...] = (
    (Difference.IDLE_TURNS, exchanging),
    (Difference.MOVE_CAP, None),
)


def test_every_difference_has_a_case() -> None:
    assert {difference for difference, *_ in (*CASES, *ENDLESS)} == set(Difference)


@pytest.mark.parametrize(
    ("difference", "policy"), ENDLESS, ids=lambda value: value.name if isinstance(value, Difference) else ""
)
def test_a_round_that_does_not_end_by_itself(
    game: rummy.Game, peer: RLCard, difference: Difference, policy: Policy | None
) -> None:
    """Two seats that only take from the pile: with the stock gone, or from the first turn on."""

    def taking(game: rummy.Game, state: rummy.State, choices: Sequence[str], rng: random.Random) -> str:
        return first_of(("take", "discard"), choices) or choices[0]

    chosen = policy or taking
    seen = play(game, Mirror(peer, 1), (chosen, chosen), random.Random(0))
    assert seen[difference.name] == 1
