"""Laws about what seats may know: nothing that a seat cannot see shows in its view, its events or its refusals."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import fields
from random import Random

from rummy_engine.actions import Action, Deal, Knock, Reshuffle
from rummy_engine.cards import Card, card_set, cards_in
from rummy_engine.game import Game
from rummy_engine.knowledge.events import ALL, Event
from rummy_engine.state import State
from rummy_engine.testing.arbitrary import arbitrary_actions
from rummy_engine.testing.laws.base import require, state_law, step_law
from rummy_engine.testing.moving import cards_of, hidden_deal, hidden_from, moved, shuffled, swap_twins


def viewers(state: State) -> tuple[int | None, ...]:
    """A spectator, and every seat."""
    return (None, *range(state.players))


@state_law("rules E5, R11, A10", "dear")
def no_leak(game: Game, state: State, rng: Random) -> None:
    """When cards that a seat cannot see change places, its view and the answers to its actions stay as they were."""
    for seat in viewers(state):
        hidden = hidden_from(state, seat)
        unseen = game.rules(state.players).pack & ~cards_of(state)
        other = shuffled(state, hidden | unseen, rng)
        require(game.view(other, seat) == game.view(state, seat), f"the view of seat {seat} changes: {_cards(hidden)}")
        if seat == state.seat and seat is not None:
            for action in arbitrary_actions(game, state, rng, 6):
                require(game.why_not(other, action) == game.why_not(state, action), f"the refusal of {action} changes")


@step_law("rules E5, R11, A10", "dear")
def events_do_not_leak(game: Game, before: State, action: Action, after: State, rng: Random) -> None:
    """When cards that a seat sees neither before nor after an action change places, its events and its view stay."""
    for seat in viewers(before):
        other, done = before, action
        if isinstance(action, Deal):
            done = hidden_deal(before, action, seat, after.hands[0].bit_count(), rng)
        elif isinstance(action, Reshuffle):
            done = Reshuffle(tuple(rng.sample(action.cards, len(action.cards))))
        else:
            other = shuffled(before, hidden_from(before, seat) & hidden_from(after, seat), rng)
            if not game.is_legal(other, done):
                continue  # with the other cards that seat could not have done it
        result = game.apply(other, done)
        if isinstance(action, Knock) and (result.declared, result.result) != (after.declared, after.result):
            continue  # gin or knock: that is said aloud
        told, same = game.events(before, action, after, seat), game.events(other, done, result, seat)
        require(told == same, f"seat {seat} is told {told}, and with other hidden cards {same}")
        require(game.view(result, seat) == game.view(after, seat), f"the view of seat {seat} after it changes")


@step_law("rules E5", "dear")
def events_agree(game: Game, before: State, action: Action, after: State, rng: Random) -> None:
    """Everybody is told the same events in the same order; what a seat is not shown is None, and it sees its own."""
    whole = game.events(before, action, after, ALL)
    for seat in viewers(before):
        told = game.events(before, action, after, seat)
        require([type(each) for each in told] == [type(each) for each in whole], f"seat {seat} is told other events")
        for part, full in zip(told, whole, strict=True):
            for name, shown, true in _parts(part, full):
                require(_is_part(shown, true), f"seat {seat} is told {name}={shown}, and it is {true}")
        if seat == before.seat and seat is not None and not game.round_over(after):
            require(told == whole, f"seat {seat} is not told all of what it did itself")


def _parts(part: Event, full: Event) -> Iterable[tuple[str, object, object]]:
    return [(each.name, getattr(part, each.name), getattr(full, each.name)) for each in fields(part)]


def _is_part(shown: object, true: object) -> bool:
    if isinstance(shown, tuple) and isinstance(true, tuple) and len(shown) == len(true):
        return all(map(_is_part, shown, true))
    return shown is None or shown == true


@state_law("rules E5", "dear")
def samples_fit(game: Game, state: State, rng: Random) -> None:
    """A sample from a view loses no card, looks the same from that seat, and its seat to act can act."""
    pack = game.rules(state.players).pack
    for seat in viewers(state):
        view = game.view(state, seat)
        sample = game.sample(view, rng)
        require(game.view(sample, seat) == view, f"the sample for seat {seat} looks different to it")
        require(bool(game.legal(sample)) == bool(game.legal(state)), f"in the sample for seat {seat} nobody can act")
        cards = cards_of(sample)
        require(not cards & ~pack, f"the sample for seat {seat} has cards of another pack")
        total = sum(hand.bit_count() for hand in sample.hands) + len(sample.stock) + len(sample.pile)
        total += sum(len(meld.cards) for meld in sample.table)
        require(total == cards.bit_count() == cards_of(state).bit_count(), f"the sample for seat {seat} lost cards")


@state_law("rules E4", "dear")
def views_are_plain(game: Game, state: State, rng: Random) -> None:
    """A view holds faces only, is hashable, becomes JSON, and is the same when twins change places."""
    twin = moved(state, swap_twins(game.rules(state.players).pack, rng))
    for seat in viewers(state):
        view = game.view(state, seat)
        require(all(int(card) <= 52 for card in _cards_in(view)), f"the view of seat {seat} shows which twin is which")
        json.dumps(view.to_dict())
        require(hash(view) == hash(game.view(state, seat)), "a view made twice hashes differently")
        require(game.view(twin, seat) == view, f"the view of seat {seat} changes with twins")
        legal = game.legal(state) if seat == state.seat else ()
        require(view.legal == legal, f"the view of seat {seat} has other actions")


def _cards_in(value: object) -> Iterable[Card]:
    if isinstance(value, Card):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _cards_in(each)


def _cards(cards: int) -> str:
    return "hidden are " + " ".join(map(str, cards_in(cards & card_set(range(108)))))
