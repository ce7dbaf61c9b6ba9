"""Playing for the laws: starts that are near a rare end, deals full of melds, and seats that seek something each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from rummy_engine.actions import Action, Deal
from rummy_engine.cards import FACES, Card, CardSet, card_set, cards_in, format_cards
from rummy_engine.errors import RummyError
from rummy_engine.game import Game
from rummy_engine.melds.shapes import meld_kind
from rummy_engine.state import DEALER, State
from rummy_engine.testing.policies import POLICIES, Rarest, Seeker

STACKED = 0.4
"""How often a deal is full of melds."""


class Step(NamedTuple):
    """One action between two states."""

    before: State
    action: Action
    after: State


def chance(game: Game, state: State, rng: Random) -> Action:
    """What the dealer owes: mostly a fair shuffle, sometimes a deal in which the hands are full of melds."""
    if state.phase == "deal" and rng.random() < STACKED:
        return stacked_deal(game, state, rng)
    return game.chance(state, rng)


def stacked_deal(game: Game, state: State, rng: Random) -> Deal:
    """A deal that gives each seat neighbours in suit or rank, with a few cards exchanged."""
    players = state.players
    size = game.profile.deal.hand_size.at(players, state.round)
    cards = [FACES[each] for each in game.rules(players).deck]
    if rng.random() < 0.5:
        cards.sort(key=lambda card: (card % 13 if card < 52 else 99, card))
    cut = rng.randrange(len(cards))
    cards = cards[cut:] + cards[:cut]
    for _ in range(rng.choice((0, 2, 6))):
        i, j = rng.randrange(len(cards)), rng.randrange(len(cards))
        cards[i], cards[j] = cards[j], cards[i]
    hands = [cards[seat * size : seat * size + size] for seat in range(players)]
    rng.shuffle(hands)
    rest = cards[players * size :]
    rng.shuffle(rest)
    return Deal(tuple([hands[i % players][i // players] for i in range(players * size)] + rest))


def drive(game: Game, state: State, rng: Random, seats: Sequence[Seeker], most: int) -> Iterator[Step]:
    """Up to so many actions from a state on, chance included; every seat plays by its own policy."""
    for _ in range(most):
        if game.is_over(state):
            return
        action = (
            chance(game, state, rng)
            if state.seat == DEALER
            else seats[state.seat](game, state, game.legal(state), rng)
        )
        after = game.apply_unchecked(state, action)
        yield Step(state, action, after)
        state = after


def some_policies(players: int, rng: Random, rarest: Rarest | None = None) -> list[Seeker]:
    """A policy for every seat: often the same for all, since some ends need everybody's help."""
    choices: list[Seeker] = [*POLICIES.values(), *([rarest] if rarest else [])]
    if rng.random() < 0.5:
        return [rng.choice(choices)] * players
    return [rng.choice(choices) for _ in range(players)]


# ------------------------------------------------------------------------------------------------------------ starts


def some_start(game: Game, players: int, rng: Random) -> State:
    """Where a play begins: a new match, or a situation near a rare end, as any `position` may be."""
    state = game.start(players, rng.randrange(players))
    kind = rng.randrange(9)
    if kind == 0:
        return _late_match(game, state, rng)
    if kind in (1, 2, 3):
        if rng.random() < 0.5:
            state = _late_match(game, state, rng)
        return _late_round(game, game.apply(state, chance(game, state, rng)), rng)
    full = (4, 5, 6) if game.profile.ending.deadlock else (4,)
    if kind in full and game.profile.lay.when != "knock":
        return full_table(game, players, rng) or state
    return state


def _late_match(game: Game, state: State, rng: Random) -> State:
    """The match is about to end: totals just below the target, all tied at the target, or the last round."""
    dials = game.profile.match
    if dials.target is not None:
        target = dials.target.at(state.players)
        if dials.tie == "round" and rng.random() < 0.5:
            return state.changed(scores=(target,) * state.players)
        return state.changed(scores=tuple(target - rng.randint(1, min(target, 30)) for _ in state.scores))
    assert dials.rounds is not None
    return state.changed(round=dials.rounds)


def _late_round(game: Game, state: State, rng: Random) -> State:
    """A round just dealt with most of its stock out of play, or most of its turns used up."""
    floor, most = game.profile.stock.floor, game.profile.ending.max_turns
    if rng.random() < 0.7:
        left = floor + rng.randint(1, 6)
        state = state.changed(stock=state.stock[:left])
    if rng.random() < 0.4:
        state = state.changed(turns=max(0, most - rng.randint(1, 6)))
    return state


def full_table(game: Game, players: int, rng: Random) -> State | None:
    """A position late in a round: nearly all cards lie in melds, the hands are small. None where that cannot be."""
    rules = game.rules(players)
    rest: CardSet = rules.pack
    size = rng.choice((1, 1, 2, 3))
    least = players * size + 2 + game.profile.stock.floor
    target = least + rng.randint(0, 3)
    kinds = rng.choice((("set",), ("run",), ("set", "run")))
    table = []
    while rest.bit_count() > target:
        found = [
            meld
            for meld in rules.finder.melds(rest)
            if rest.bit_count() - len(meld.cards) >= least and meld_kind(meld.stands) in kinds
        ]
        if not found:
            break
        # With nothing but the largest sets, whole ranks are left, which fit nothing: the way to a deadlock.
        seen = found if kinds == ("set",) else rng.sample(found, min(len(found), 6))
        meld = max(seen, key=lambda meld: (len(meld.cards), rng.random()))
        for face in meld.cards:
            copies = [each for each in cards_in(rest) if FACES[each] == face]
            rest ^= 1 << copies[0]
        table.append(f"{rng.randrange(players)}: {str(meld).removeprefix('meld ')}")
    cards: list[Card] = list(cards_in(rest))
    rng.shuffle(cards)
    hands = [format_cards(card_set(cards[i * size : i * size + size])) for i in range(players)]
    rest_of = cards[players * size :]
    try:
        return game.position(
            hands=hands,
            pile=" ".join(map(str, rest_of[:1])),
            stock=" ".join(map(str, rest_of[1:])),
            table=table,
            seat=rng.randrange(players),
            turns=min(players, game.profile.ending.max_turns - 1),
        )
    except RummyError:
        return None
