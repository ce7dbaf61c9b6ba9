"""Ways to play that get to the rare places: not fair bots, for they are shown the whole state, and each has one aim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from random import Random
from types import MappingProxyType
from typing import TypeAlias

from rummy_engine.actions import (
    Action,
    Call,
    Discard,
    Done,
    Draw,
    Knock,
    LayMeld,
    LayOff,
    Pass,
    Stop,
    Swap,
    Take,
)
from rummy_engine.cards import COPY_BITS, FACES, JOKER, Card, cards_in
from rummy_engine.game import Game
from rummy_engine.hands import best_arrangement
from rummy_engine.state import State

Seeker: TypeAlias = Callable[[Game, State, tuple[Action, ...], Random], Action]
"""Chooses among the legal actions (game, state, legal, rng)."""

LARGEST_ARRANGED = 11
"""Hands of at most so many cards are arranged exactly when a knock is sought."""


def uniform(game: Game, state: State, legal: tuple[Action, ...], rng: Random) -> Action:
    """Any action, each as likely as the others."""
    return rng.choice(legal)


def even(game: Game, state: State, legal: tuple[Action, ...], rng: Random) -> Action:
    """Any type of action, each as likely as the others."""
    kind = rng.choice(sorted({type(action) for action in legal}, key=lambda kind: kind.__name__))
    return rng.choice([action for action in legal if type(action) is kind])


def melder(game: Game, state: State, legal: tuple[Action, ...], rng: Random) -> Action:
    """Tables all it can, takes what it can use, and throws away what fits nothing: rounds end by going out."""
    for kinds in ((Call,), (LayMeld, LayOff, Swap), (Knock,)):
        if found := _of(legal, *kinds):
            return max(found, key=lambda action: (_size(action), rng.random()))
    if (takes := _of(legal, Take)) and (len(legal) == len(takes) or _useful(state, state.pile[-1])):
        return rng.choice(takes)
    return _least_useful(state, _of(legal, Discard), rng) or _other(legal, rng, Stop, Pass)


def hoarder(game: Game, state: State, legal: tuple[Action, ...], rng: Random) -> Action:
    """Draws and tables nothing, so that the stock runs out."""
    for kinds in ((Draw,), (Pass,), (Discard,)):
        if found := _of(legal, *kinds):
            return rng.choice(found)
    return _other(legal, rng, Stop)


def trader(game: Game, state: State, legal: tuple[Action, ...], rng: Random) -> Action:
    """Exchanges its cards with the pile and never touches the stock, so that only the turn cap ends the round."""
    takes = [action for action in _of(legal, Take) if isinstance(action, Take) and action.count == 1]
    if found := takes or _of(legal, Pass) or _of(legal, Discard):
        return rng.choice(found)
    return _other(legal, rng, Stop)


def digger(game: Game, state: State, legal: tuple[Action, ...], rng: Random) -> Action:
    """Takes and calls as deep as it can, and else throws away whatever the table would take."""
    for kinds in ((Take, Call), (Swap, LayMeld)):
        if found := _of(legal, *kinds):
            return max(found, key=_size)
    fitting = [each for each in _of(legal, Discard) if isinstance(each, Discard) and _fits(state, each.card)]
    return rng.choice(fitting or _of(legal, Discard) or legal)


def tempter(game: Game, state: State, legal: tuple[Action, ...], rng: Random) -> Action:
    """Melds, but throws away cards that fit the table, so that somebody may call them."""
    if (melds := _of(legal, LayMeld, Call)) and rng.random() < 0.7:
        return rng.choice(melds)
    fitting = [each for each in _of(legal, Discard) if isinstance(each, Discard) and _fits(state, each.card)]
    return rng.choice(fitting or _of(legal, Draw, Discard) or legal)


def knocker(game: Game, state: State, legal: tuple[Action, ...], rng: Random) -> Action:
    """Arranges its hand and knocks as soon as it may, with the least deadwood; lays down and lays off all it can."""
    if knocks := _of(legal, Knock):
        return min(knocks, key=lambda action: _deadwood(game, state, action))
    if found := _of(legal, LayMeld, LayOff):
        return max(found, key=lambda action: (_size(action), rng.random()))
    if (takes := _of(legal, Take)) and _useful(state, state.pile[-1]):
        return rng.choice(takes)
    discards = _of(legal, Discard)
    if discards and state.hands[state.seat].bit_count() <= LARGEST_ARRANGED:
        return min(discards, key=lambda action: (_deadwood(game, state, action), rng.random()))
    return _least_useful(state, discards, rng) or _other(legal, rng, Done, Pass)


def patient(game: Game, state: State, legal: tuple[Action, ...], rng: Random) -> Action:
    """Arranges its hand like a knocker but holds out for gin; answers a knock with all it has: undercuts, big gin."""
    knocks = [action for action in _of(legal, Knock) if _deadwood(game, state, action) == 0]
    if knocks:
        return min(knocks, key=lambda action: isinstance(action, Knock) and action.card is not None)
    rest = tuple(action for action in legal if not isinstance(action, Knock))
    return knocker(game, state, rest, rng) if rest else rng.choice(legal)


def last_card(game: Game, state: State, legal: tuple[Action, ...], rng: Random) -> Action:
    """Lays off all but its last card and then only draws and discards: hands of one card, deadlocks, floating."""
    size = state.hands[state.seat].bit_count()
    laying = [action for action in _of(legal, LayMeld, LayOff) if size - _size(action) >= 2 or rng.random() < 0.1]
    return rng.choice(laying or _of(legal, Discard, Draw, Pass) or legal)


POLICIES: Mapping[str, Seeker] = MappingProxyType(
    {
        each.__name__: each
        for each in (uniform, even, melder, hoarder, trader, digger, tempter, knocker, patient, last_card)
    }
)
"""Every policy by its name."""


class Rarest:
    """Does what has been done least often so far, so that every type of action gets its turn."""

    def __init__(self) -> None:
        self._done: Counter[type[Action]] = Counter()

    def __call__(self, game: Game, state: State, legal: tuple[Action, ...], rng: Random) -> Action:
        """One of the rarest legal actions."""
        least = min(self._done[type(action)] for action in legal)
        action = rng.choice([action for action in legal if self._done[type(action)] == least])
        self._done[type(action)] += 1
        return action


def _of(legal: Iterable[Action], *kinds: type[Action]) -> list[Action]:
    return [action for action in legal if isinstance(action, kinds)]


def _other(legal: tuple[Action, ...], rng: Random, *last: type[Action]) -> Action:
    """Anything, but these types only where there is nothing else."""
    return rng.choice([action for action in legal if not isinstance(action, last)] or legal)


def _size(action: Action) -> int:
    match action:
        case LayMeld(cards, _):
            return len(cards)
        case Take(count) | Call(count):
            return count
        case LayOff():
            return 1
        case _:
            return 0


def _useful(state: State, card: Card) -> bool:
    """Whether a card goes together with the hand: two more of its rank, or two neighbours in its suit."""
    return _fits(state, card) or _company(state, card) >= 2


def _fits(state: State, card: Card) -> bool:
    return bool(COPY_BITS[FACES[card]] & state.fits)


def _company(state: State, card: int) -> int:
    """How many cards of the hand are of the same rank, or at most two ranks away in the same suit."""
    face = FACES[card]
    if face == JOKER:
        return 99
    found = 0
    for each in cards_in(state.hands[state.seat]):
        other = FACES[each]
        if each == card or other == JOKER:
            continue
        if other % 13 == face % 13 or (other // 13 == face // 13 and abs(other - face) <= 2):
            found += 1
    return found


def _least_useful(state: State, discards: list[Action], rng: Random) -> Action | None:
    cards = [action for action in discards if isinstance(action, Discard)]
    return min(cards, key=lambda action: (_company(state, action.card), rng.random()), default=None)


def _deadwood(game: Game, state: State, action: Action) -> int:
    """The deadwood after a discard or a knock, in points."""
    hand = state.hands[state.seat]
    if isinstance(action, (Discard, Knock)) and action.card is not None:
        copies = hand & COPY_BITS[action.card]
        hand ^= copies & -copies
    return best_arrangement(hand, game).points
