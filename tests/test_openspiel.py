"""`gin-classic` in lock-step with OpenSpiel's `gin_rummy`: same deal, same actions, every decision compared.

Whose turn it is, what is legal, both hands, stock and pile, and the result must agree, but for the differences that
`tests.peers.openspiel` names. RUMMY_OPENSPIEL_ROUNDS sets the number of random and greedy rounds (default 1000,
over 50 000 decisions; 20000 are over a million).
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest

import rummy_engine as rummy
from rummy_engine.actions import LayOff
from tests.peers.openspiel import UPCARD_DRAWS, Difference, Mirror, OpenSpiel, hand, in_order, pieces, without_target

pytest.importorskip("pyspiel", reason="needs the extra peers")

ROUNDS = int(os.environ.get("RUMMY_OPENSPIEL_ROUNDS", "1000"))
PACK = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]

Policy = Callable[[Mirror, rummy.State, Sequence[rummy.Action], random.Random], rummy.Action | None]
"""Chooses among the actions both sides can follow; None ends the round there."""


@pytest.fixture(scope="module")
def peer() -> OpenSpiel:
    return OpenSpiel()


@pytest.fixture(scope="module")
def game() -> rummy.Game:
    return rummy.load("gin-classic")


# ----------------------------------------------------------------------------------------------------------- policies


def uniform(mirror: Mirror, state: rummy.State, choices: Sequence[rummy.Action], rng: random.Random) -> rummy.Action:
    return choices[int(rng.random() * len(choices))]


def greedy(mirror: Mirror, state: rummy.State, choices: Sequence[rummy.Action], rng: random.Random) -> rummy.Action:
    """Keeps deadwood low, knocks as soon as it may with any card, and lays down at random as long as it can."""
    knocks = [action for action in choices if str(action).startswith("knock")]
    return uniform(mirror, state, knocks, rng) if knocks else lowest(mirror, state, choices, rng)


def patient(mirror: Mirror, state: rummy.State, choices: Sequence[rummy.Action], rng: random.Random) -> rummy.Action:
    """Like `greedy`, but knocks only with gin, so that rounds run to gin, to an undercut or to the last stock card."""
    gin = [action for action in choices if str(action).startswith("knock") and kept(mirror, state, action) == 0]
    others = [action for action in choices if not str(action).startswith("knock")]
    return lowest(mirror, state, gin or others, rng)


def lowest(mirror: Mirror, state: rummy.State, choices: Sequence[rummy.Action], rng: random.Random) -> rummy.Action:
    words = {str(action).split()[0]: action for action in choices}
    if words.keys() & {"discard", "knock"}:
        return min(choices, key=lambda action: (kept(mirror, state, action), rng.random()))
    if "take" in words and len(words) > 1:
        cards = hand(state, state.seat)
        more = [*cards, str(state.pile[-1])]
        best = min(mirror.peer.deadwood(face for face in more if face != gone) for gone in cards)
        return words["take"] if best < mirror.peer.deadwood(cards) else words.get("draw") or words["pass"]
    more_to_lay = [action for action in choices if str(action) != "done"]
    return uniform(mirror, state, more_to_lay or choices, rng)


def kept(mirror: Mirror, state: rummy.State, action: rummy.Action) -> int:
    """The deadwood that a discard leaves, in points."""
    return mirror.peer.deadwood(face for face in hand(state, state.seat) if face != str(action).split()[1])


# ---------------------------------------------------------------------------------------------------------- lock-step


def compare(mirror: Mirror, game: rummy.Game, state: rummy.State, seen: Counter[str]) -> list[rummy.Action]:
    """Compares one decision and counts what was met; the actions that OpenSpiel can follow."""
    legal = game.legal(state)
    assert mirror.to_act == state.seat
    hands, stock, pile = mirror.zones()
    assert [set(hand(state, seat)) for seat in (0, 1)] == hands
    assert len(state.stock) == stock
    assert [str(card) for card in state.pile] == pile
    ours, theirs = {without_target(str(action)) for action in legal}, mirror.options()
    for option in ours - theirs:
        reason = mirror.only_ours(option, state)
        assert reason is not None, f"only ours: {option}\n{game.describe(state)}\n{mirror.state}"
        seen[reason.name] += 1
    for option in theirs - ours:
        reason = mirror.only_theirs(option, state)
        assert reason is not None, f"only OpenSpiel: {option}\n{game.describe(state)}\n{mirror.state}"
        seen[reason.name] += 1
    seen["decisions"] += 1
    for word in {option.split()[0] for option in ours}:
        seen[f"{game.phase(state)} {word}"] += 1
    long = {option for option in ours - theirs if len(pieces(option.split()[1:])) > 1}
    return [action for action in legal if without_target(str(action)) in theirs | long]


def compare_result(mirror: Mirror, state: rummy.State, seen: Counter[str]) -> None:
    reason, result = mirror.settle(), state.result
    assert mirror.over and result is not None
    if reason is not None:
        seen[reason.name] += 1
    seen[result.kind] += 1
    assert (result.kind == "exhausted") == (reason is Difference.WALL)
    assert (result.kind == "gin") == (reason is Difference.GIN_IS_ANSWERED)
    points = (result.points[0] - result.points[1], result.points[1] - result.points[0])
    if result.kind == "exhausted":
        assert points == mirror.returns() == (0, 0)
        return
    assert result.left == mirror.left()
    if result.kind != "gin" and result.left[0] == result.left[1]:
        seen[Difference.TIE.name] += 1
        assert mirror.returns() == (0, 0)
        assert result.kind == "undercut" and sorted(result.points) == [0, 25]
        assert result.winner == result.points.index(25) == mirror.seat(1 - mirror.state.knocked().index(True))
    else:
        assert points == mirror.returns()


def play(
    game: rummy.Game, peer: OpenSpiel, dealt: rummy.State, policies: Sequence[Policy], rng: random.Random
) -> Counter[str]:
    """Plays one dealt round on both sides; counts decisions, situations, results and differences."""
    state, mirror, seen = dealt, Mirror(peer, dealt), Counter[str]()
    while not game.round_over(state):
        if mirror.over:
            assert mirror.upcard_draws == UPCARD_DRAWS
            seen[Difference.UPCARD_CAP.name] += 1
            return seen
        choices = compare(mirror, game, state, seen)
        action = policies[state.seat](mirror, state, choices, rng)
        if action is None:
            seen["stopped"] += 1
            return seen
        seen["chained lay-off"] += is_chained(state, action)
        before, state = state, game.apply(state, action)
        mirror.follow(str(action), before)
    compare_result(mirror, state, seen)
    return seen


def is_chained(state: rummy.State, action: rummy.Action) -> bool:
    """Whether a card is laid off on a run that this seat has already lengthened: the second link of a chain."""
    if not isinstance(action, LayOff):
        return False
    meld = state.table[action.meld]
    return meld.kind == "run" and state.seat in meld.by


def dealt_at_random(game: rummy.Game, dealer: int, rng: random.Random) -> rummy.State:
    start = game.start(2, dealer=dealer)
    return game.apply(start, game.chance(start, rng))


def test_lock_step(game: rummy.Game, peer: OpenSpiel) -> None:
    pairs = ((uniform, uniform), (greedy, greedy), (patient, patient), (greedy, patient), (uniform, greedy))
    seen = Counter[str]()
    for seed in range(ROUNDS):
        rng = random.Random(seed)
        seen += play(game, peer, dealt_at_random(game, seed % 2, rng), pairs[seed % len(pairs)], rng)
    print(f"{ROUNDS} rounds: " + ", ".join(f"{name} {count}" for name, count in sorted(seen.items())))
    if ROUNDS >= 1000:
        kinds = {"knock", "gin", "undercut", "exhausted"}
        situations = {"offer take", "offer pass", "draw take", "play knock", "spread meld", "respond layoff"}
        rare = {"chained lay-off", Difference.WALL.name}
        assert not (kinds | situations | rare) - (+seen).keys()
        assert seen["decisions"] > 50 * ROUNDS


def test_openspiels_own_bot_plays_through_the_mirror(game: rummy.Game, peer: OpenSpiel) -> None:
    """It chooses from OpenSpiel's state, we apply what it chose; only the taken card can make us refuse."""
    seen = Counter[str]()
    for seed in range(max(ROUNDS // 5, 1)):
        rng = random.Random(seed)
        dealt = dealt_at_random(game, seed % 2, rng)
        bots = {seat: peer.bot(player) for player, seat in enumerate(((seed + 1) % 2, seed % 2))}

        def ask(
            mirror: Mirror,
            state: rummy.State,
            choices: Sequence[rummy.Action],
            rng: random.Random,
            bots: dict[int, Any] = bots,
        ) -> rummy.Action | None:
            return mirror.ask(bots[state.seat], choices)

        seen += play(game, peer, dealt, (ask, ask), rng)
    print(seen)
    assert seen["stopped"] <= seen[Difference.TAKEN_CARD.name]
    assert seen["stopped"] < ROUNDS // 20 + 1


# ---------------------------------------------------------------------------- each difference, in a deal made for it


def script(*actions: str) -> Policy:
    """Plays these actions, whoever is to act; None when they are used up."""
    left = list(actions)

    def choose(
        mirror: Mirror, state: rummy.State, choices: Sequence[rummy.Action], rng: random.Random
    ) -> rummy.Action | None:
        text = left.pop(0) if left else None
        return next((action for action in choices if str(action) == text), None)

    return choose


def deal(game: rummy.Game, first: str, second: str, up: str, stock: str = "") -> rummy.State:
    """A round dealt by seat 1: the hands of seat 0, who starts, and seat 1, the up-card and the next draws."""
    hands = [face for pair in zip(first.split(), second.split(), strict=True) for face in pair]
    named = [*hands, up, *stock.split()]
    return game.apply(game.start(2, dealer=1), "deal " + " ".join([*named, *in_order(set(PACK) - set(named))]))


KINGS_AND = "KH KD KC AD"
LAID_KINGS = ("meld KH KD KC", "done")
CASES: tuple[tuple[Difference, str, str, str, tuple[str, ...]], ...] = (
    (Difference.TAKEN_CARD, f"4S 5S 6S JH JD JC {KINGS_AND}", "2S 3H 5H 7H 9H 2C 4C 6C 8C TC", "2D", ("take",)),
    # 4C 5C 6C and 4D 5D 6D leave 2D 3H 4H AS, ten; OpenSpiel melds 6C 6D 6H first, worth more, and then counts eleven
    (Difference.ELEVEN_CARDS, "5C 6C 2D 4D 5D 6D 3H 4H 6H AS", "2S 7S 9S JS KS 7H 9H 8D TD 9C", "4C", ("take",)),
    (
        Difference.LONG_RUN,
        "3S 4S 5S 6S 7S 8S KH KD KC 2D",
        "2S 9S AS TS QH QC 5H 8D 3C 2H",
        "QD",
        ("take", "knock 2D", "meld 3S 4S 5S 6S 7S 8S", *LAID_KINGS, "layoff 9S @0", "layoff 2S @0", "done"),
    ),
    (
        Difference.GIN_IS_NOT_DECLARED,
        "4S 5S 6S 9H 9D 9C KH KD KC QD",
        "2S 3H 5H 7H 8H 2C 4C 6C 8C TC",
        "7S",
        ("take", "knock QD", "meld 4S 5S 6S 7S", "meld 9H 9D 9C", *LAID_KINGS),
    ),
    (
        Difference.GIN_IS_ANSWERED,
        "4S 5S 6S 9H 9D 9C KH KD KC QD",
        "3S 8S 5H 6H 7H 8H 6C 8C 8D TC",
        "7S",
        ("take", "knock QD", "meld 4S 5S 6S 7S", "meld 9H 9D 9C", *LAID_KINGS),
    ),
    (
        Difference.CHAIN,
        f"4S 5S 6S JH JD JC {KINGS_AND}",
        "7S 8S 9S QH QD TC 5H 8D 3C 2H",
        "2D",
        ("take", "knock AD", "meld 4S 5S 6S", "meld JH JD JC", *LAID_KINGS, "layoff 7S @0", "layoff 8S @0", "done"),
    ),
    (
        Difference.SHARED_LAYOFF,
        f"4S 5S 6S 7H 7D 7C {KINGS_AND}",
        "7S 8S 9S QH QD TC 5H 8D 3C 2H",
        "2D",
        ("take", "knock AD", "meld 4S 5S 6S", "meld 7H 7D 7C", *LAID_KINGS, "layoff 7S @1", "done"),
    ),
    (
        Difference.LAYOFFS_COME_FIRST,
        f"4S 5S 6S JH JD JC {KINGS_AND}",
        "7S 8S QH QD QC TC 5H 8D 3C 2H",
        "2D",
        ("take", "knock AD", "meld 4S 5S 6S", "meld JH JD JC", *LAID_KINGS, "meld QH QD QC", "done"),
    ),
    (
        Difference.TIE,
        f"4S 5S 6S JH JD JC {KINGS_AND}",
        "3H 4H 5H 8D 9D TD QH QD QC 2S",
        "2D",
        (
            *("take", "knock AD", "meld 4S 5S 6S", "meld JH JD JC", *LAID_KINGS),
            *("meld 3H 4H 5H", "meld 8D 9D TD", "meld QH QD QC", "done"),
        ),
    ),
)


@pytest.mark.parametrize(("difference", "first", "second", "up", "actions"), CASES, ids=lambda case: str(case)[:40])
def test_a_known_difference_is_met_where_it_is_said_to_be(
    game: rummy.Game,
    peer: OpenSpiel,
    difference: Difference,
    first: str,
    second: str,
    up: str,
    actions: tuple[str, ...],
) -> None:
    """When a case fails because OpenSpiel was repaired, its difference is to be removed."""
    policy = script(*actions)
    seen = play(game, peer, deal(game, first, second, up), (policy, policy), random.Random(0))
    assert difference.name in seen
    if actions[-1] == "done":
        assert "stopped" not in seen


def test_every_difference_has_a_case() -> None:
    elsewhere = {Difference.UPCARD_CAP, Difference.WALL}
    assert {difference for difference, *_ in CASES} | elsewhere == set(Difference)


def test_up_card_cap(game: rummy.Game, peer: OpenSpiel) -> None:
    """Two seats that only exchange up-cards: OpenSpiel gives up, ours plays on."""

    def exchange(
        mirror: Mirror, state: rummy.State, choices: Sequence[rummy.Action], rng: random.Random
    ) -> rummy.Action:
        return next((action for action in choices if str(action) == "take"), choices[0])

    state = deal(game, f"4S 5S 6S JH JD JC {KINGS_AND}", "7S 8S 9S QH QD TC 5H 8D 3C 2H", "2D")
    seen = play(game, peer, state, (exchange, exchange), random.Random(0))
    assert seen[Difference.UPCARD_CAP.name] == 1
    assert seen["draw take"] == UPCARD_DRAWS


def test_wall(game: rummy.Game, peer: OpenSpiel) -> None:
    """Two stock cards after a discard: ours is over, OpenSpiel lets the next player knock with the up-card."""

    def drawing(
        mirror: Mirror, state: rummy.State, choices: Sequence[rummy.Action], rng: random.Random
    ) -> rummy.Action:
        words = {str(action).split()[0]: action for action in choices}
        return words.get("draw") or words.get("pass") or words["discard"]

    seen = play(game, peer, dealt_at_random(game, 0, random.Random(1)), (drawing, drawing), random.Random(0))
    assert seen["exhausted"] == seen[Difference.WALL.name] == 1


def test_translation() -> None:
    run = in_order(face for face in PACK if face.endswith("S"))
    for size in range(3, 11):
        parts = pieces(run[:size])
        assert all(3 <= len(part) <= 5 for part in parts)
        assert [face for part in parts for face in part] == run[:size]
    assert in_order({"KC", "AS", "KS"}) == ["AS", "KS", "KC"]
    assert without_target("layoff 7S @0") == "layoff 7S"
