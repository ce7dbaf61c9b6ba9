"""Worlds that a search plays out: full states that fit a view, made more like what play leads to."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp

from rummy_engine.bots.naturals import Naturals
from rummy_engine.cards import Card, CardSet, cards_in
from rummy_engine.game import Game
from rummy_engine.knowledge.view import View
from rummy_engine.policy import Random
from rummy_engine.rules import Rules
from rummy_engine.state import State

FIRST_EXCHANGES, EXCHANGES = 60, 15
"""How many times per hidden hand a card of it is offered for one of the stock: before the first world, and between two
worlds."""
PULL, PULL_PER_TURN = 0.03, 0.032
"""How strongly hands are drawn towards little deadwood, at first and for each turn a seat has played: measured so that
hands have as much of it as those of the medium bot."""
NONE_TAKEN, PER_TAKEN, MOST_TAKEN = 0.6, 0.25, 1.2
"""By how much more the latter if the seat is known to hold no card, for each that it is known to hold, and at most."""
USE = 3.0
"""How unlikely it is, as a power of e, that a seat has no use for a card that it took from the top of the pile."""
LAID_OFF = 8.0
"""How unlikely it is that a seat that tables has kept a card that it could lay off."""


class Worlds:
    """Draws worlds for one game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._naturals: dict[int, Naturals] = {}
        self._use = USE if game.profile.draw.pile == "top" else 0.0

    def draw(self, view: View, rng: Random) -> Iterator[State]:
        """States that fit the view, without end.

        `Game.sample` deals the hidden cards at random. A seat that has played for a while holds better cards than that,
        so its hidden cards are then exchanged with those of the stock, by Metropolis' rule; and so from world to world.
        """
        state = self._game.sample(view, rng)
        rules = self._game.rules(view.players)
        first = len(view.in_stock)
        stock, hands = list(state.stock), list(state.hands)
        hidden = [
            seat
            for seat, (hand, known) in enumerate(zip(hands, state.known, strict=True))
            if seat != view.seat and hand & ~known and not (view.phase == "respond" and seat == view.by)
        ]
        exchanges = FIRST_EXCHANGES
        while True:
            if first < len(stock):
                for seat in hidden:
                    known = state.known[seat]
                    hands[seat] = self._settle(rules, view, seat, hands[seat], known, stock, first, exchanges, rng)
                for i in range(first, len(stock) - 1):
                    j = i + int(rng.random() * (len(stock) - i))
                    stock[i], stock[j] = stock[j], stock[i]
            exchanges = EXCHANGES
            yield state.changed(hands=tuple(hands), stock=tuple(stock))

    def _settle(
        self,
        rules: Rules,
        view: View,
        seat: int,
        hand: CardSet,
        known: CardSet,
        stock: list[Card],
        first: int,
        exchanges: int,
        rng: Random,
    ) -> CardSet:
        """Exchanges hidden cards of a hand with cards of the stock, which is changed; returns the hand."""
        natural = self._naturals.get(rules.players)
        if natural is None:
            natural = self._naturals[rules.players] = Naturals(rules)
        least, random, usable = natural.least, rng.random, rules.finder.usable
        tables = seat in view.tabled
        fits = rules.fits(view.table) if tables else 0
        taken = min(NONE_TAKEN + PER_TAKEN * known.bit_count(), MOST_TAKEN)
        pull = 0.0 if tables else PULL + PULL_PER_TURN * taken * (view.turns / view.players)
        use = 0.0 if tables else self._use
        cards = list(cards_in(hand & ~known))

        def oddity(hand: CardSet) -> float:
            odd = pull * least(hand) + LAID_OFF * (hand & fits).bit_count()
            return odd + use * (known & ~usable(hand)).bit_count() if known else odd

        left = oddity(hand)
        for _ in range(exchanges):
            i, j = int(random() * len(cards)), first + int(random() * (len(stock) - first))
            other = hand ^ 1 << cards[i] | 1 << stock[j]
            then = oddity(other)
            if then <= left or random() < exp(left - then):
                hand, left = other, then
                cards[i], stock[j] = stock[j], cards[i]
        return hand
