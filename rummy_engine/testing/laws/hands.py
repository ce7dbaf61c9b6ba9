"""Laws about arranging hands: deadwood and the melds that get there."""

from __future__ import annotations

from random import Random

from rummy_engine.cards import FACES, CardSet, card_set, cards_in, format_cards
from rummy_engine.game import Game
from rummy_engine.hands import best_arrangement, melds
from rummy_engine.state import State
from rummy_engine.testing.laws.base import require, state_law

LARGEST = 10
"""Of larger hands only so many cards are looked at: with jokers and two packs the search grows fast."""


@state_law("rules E7, B12, B15", "dear")
def deadwood_is_reached(game: Game, state: State, rng: Random) -> None:
    """The best arrangement of a hand is made of melds of its cards, once each, and leaves the points it says."""
    hand = _hand(state, rng)
    best = best_arrangement(hand, game)
    possible = {(meld.kind, meld.faces, tuple(FACES[each] for each in meld.cards)) for meld in melds(hand, game)}
    laid = 0
    for meld in best.melds:
        key = (meld.kind, meld.faces, tuple(FACES[each] for each in meld.cards))
        require(key in possible, f"{meld} is no meld of {format_cards(hand)}")
        require(not meld.card_set & laid, f"a card of {meld} is in two melds")
        laid |= meld.card_set
    require(laid | best.left == hand and not laid & best.left, f"the arrangement is not of {format_cards(hand)}")
    points = sum(_worth(game, state, each) for each in cards_in(best.left))
    require(best.points == points, f"{format_cards(best.left)} are worth {points}, not {best.points}")


@state_law("rules E7", "dear")
def deadwood_grows_slowly(game: Game, state: State, rng: Random) -> None:
    """One more card raises the deadwood of a hand by at most its own points; a whole meld more does not raise it."""
    hand = _hand(state, rng)
    rest = [each for each in game.rules(state.players).deck if not hand >> each & 1]
    points = best_arrangement(hand, game).points
    for card in rng.sample(rest, min(3, len(rest))):
        more = best_arrangement(hand | 1 << card, game).points
        most = points + _worth(game, state, card)
        require(more <= most, f"{format_cards(hand)} has {points}, with {card} {more}: at most {most}")
    found = melds(card_set(rng.sample(rest, min(8, len(rest)))), game)
    if found:
        meld = rng.choice(found)
        more = best_arrangement(hand | meld.card_set, game).points
        require(more <= points, f"{format_cards(hand)} has {points}, with {meld} {more}")


def _hand(state: State, rng: Random) -> CardSet:
    """Cards of some hand of the state; of an empty one nothing."""
    cards = list(cards_in(rng.choice(state.hands)))
    return card_set(rng.sample(cards, min(len(cards), LARGEST)))


def _worth(game: Game, state: State, card: int) -> int:
    return game.rules(state.players).table.worth.in_hand[FACES[card]]
