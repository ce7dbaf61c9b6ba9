"""What the rule tests share: short ways to set a table, to play texts, to read zones and to check refusals."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import chain, zip_longest
from typing import Any

import pytest

import rummy_engine as rummy

RANKS = "A23456789TJQK"
SUITS = "SHDC"


@cache
def game(variant: str, /, **overrides: Any) -> rummy.Game:
    """A shipped profile; overrides are dial paths with `__` for the dot, as in `lay__layoff="own"`."""
    return rummy.load(variant, {path.replace("__", "."): value for path, value in overrides.items()} or None)


def table_of(rules: rummy.Game, *hands: str, seat: int = 0, phase: str = "play", **zones: Any) -> rummy.State:
    """A position with this seat to act, by default after its draw."""
    return rules.position(hands=list(hands), seat=seat, phase=phase, **zones)


def play(rules: rummy.Game, state: rummy.State, *texts: str) -> rummy.State:
    """The state after these actions."""
    for text in texts:
        state = rules.apply(state, text)
    return state


def renew(rules: rummy.Game, state: rummy.State, seed: int = 1) -> rummy.State:
    """The state after the deal or reshuffle that the dealer owes."""
    assert state.seat == rummy.DEALER
    return rules.apply(state, rules.chance(state, random.Random(seed)))


def legal(rules: rummy.Game, state: rummy.State, *words: str) -> set[str]:
    """The texts of the legal actions, or of those that begin with one of the words.

    Each must be listed once, and allowed by the other judges too.
    """
    actions = rules.legal(state)
    texts = [str(action) for action in actions]
    assert len(texts) == len(set(texts))
    assert all(rules.is_legal(state, action) and rules.why_not(state, action) is None for action in actions)
    return {text for text in texts if not words or text.split()[0] in words}


def may(rules: rummy.Game, state: rummy.State, text: str) -> bool:
    """Whether an action is legal; every judge must say the same."""
    action = rules.parse(state, text)
    allowed = rules.is_legal(state, action)
    assert (action in rules.legal(state)) == allowed == (rules.why_not(state, action) is None)
    if allowed:
        rules.apply(state, action)
    else:
        refused(rules, state, text)
    return allowed


def refused(rules: rummy.Game, state: rummy.State, text: str, reason: str | None = None) -> None:
    """Asserts that a well-written action is refused by every judge, for this reason, and changes nothing."""
    action = rules.parse(state, text)
    refusal = rules.why_not(state, action)
    assert refusal is not None, f"{text} is allowed"
    assert not rules.is_legal(state, action)
    assert action not in rules.legal(state)
    before = rules.describe(state)
    with pytest.raises(rummy.IllegalActionError) as caught:
        rules.apply(state, text)
    assert caught.value.reason is refusal.reason
    assert rules.describe(state) == before
    if reason is not None:
        assert refusal.reason.name == reason


def refuses(error: type[BaseException], action: Callable[[], object]) -> bool:
    """Whether this raises the error."""
    try:
        action()
    except error:
        return True
    return False


def hand(state: rummy.State, seat: int) -> list[str]:
    """The faces of a hand, sorted as text."""
    return sorted(rummy.format_cards(state.hands[seat]).split())


def cards(text: str) -> list[str]:
    """Faces as `hand` gives them, for comparisons."""
    return sorted(text.split())


def zone(faces: Iterable[object]) -> str:
    """A pile or a stock as one text, in its order."""
    return " ".join(map(str, faces))


def on_table(state: rummy.State) -> list[str]:
    """The melds on the table in notation."""
    return [str(meld) for meld in state.table]


def result(state: rummy.State) -> rummy.RoundResult:
    """The result of the round that has just ended."""
    assert state.result is not None
    return state.result


def melds(rules: rummy.Game, held: str) -> set[str]:
    """Every meld in a hand, in notation; each must be listed once."""
    found = [str(meld) for meld in rummy.melds(held, rules)]
    assert len(found) == len(set(found))
    return set(found)


def pack(packs: int = 1, jokers: int = 0) -> list[str]:
    """The faces of a deck in pack order."""
    return ([rank + suit for suit in SUITS for rank in RANKS] + ["JK"] * jokers) * packs


def deal(hands: Sequence[str], up: str, stock: str = "", dealer: int = 0, deck: Sequence[str] | None = None) -> str:
    """The action that deals these hands (by seat) and this up-card; the stock begins as given, then pack order."""
    seats = [(dealer + 1 + i) % len(hands) for i in range(len(hands))]
    rows = zip_longest(*(hands[seat].split() for seat in seats))
    dealt = [face for face in chain.from_iterable(rows) if face is not None]
    named = [*dealt, up, *stock.split()]
    rest = list(deck if deck is not None else pack())
    for face in named:
        rest.remove(face)
    return " ".join(["deal", *named, *rest])


def draw_and_throw(rules: rummy.Game, state: rummy.State, seed: int = 1) -> tuple[rummy.State, list[int]]:
    """Plays a round in which every seat draws from the stock and throws that card away.

    Returns the end and, for each time the stock was renewed or ran out for good, the number of stock draws till then.
    """
    draws, renewed_after = 0, []
    rounds, rng = state.round, random.Random(seed)
    while state.round == rounds and not rules.is_over(state):
        phase = rules.phase(state)
        if phase in ("deal", "reshuffle"):
            state = rules.apply(state, rules.chance(state, rng))
        elif phase == "offer":
            state = rules.apply(state, "pass")
        else:
            card, size = state.stock[0], len(state.stock)
            state = play(rules, state, "draw", f"discard {card}")
            draws += 1
            if len(state.stock) >= size or rules.phase(state) != "draw":
                renewed_after.append(draws)
    return state, renewed_after


def settled(state: rummy.State, names: Iterable[str]) -> Mapping[str, object]:
    """Some fields of the round's result, for one comparison."""
    return {name: getattr(result(state), name) for name in names}
