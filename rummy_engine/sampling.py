"""Full states that fit what one seat knows: for bots that search, and for spectators' forecasts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from rummy_engine.cards import COPY_BITS, FACES, JOKER_FACE, Card, CardSet, card_set
from rummy_engine.errors import RummyError
from rummy_engine.state import DEALER, State
from rummy_engine.view import TableRules, View

MOST_TRIES = 1_000_000
"""After so many hands that leave the seat to act without an action, the next one is taken as it is."""


class RandomSource(Protocol):
    """A source of chance: all that is asked of it is `random()`, a float in [0, 1)."""

    def random(self) -> float:
        """The next number."""


def sample_state(rules: TableRules, view: View, rng: RandomSource) -> State:
    """A state whose view from the same seat is this view.

    What is uniform: every way to put the physical cards of the pack, twins counted apart, where the view does not name
    them: into the hands beyond the known cards, the stock beyond its known draws (in order), under a discard lying face
    down, and, in a position that has left cards out, out of play. Which twin lies where a face is seen is drawn too.
    All of these ways that agree with the view are equally likely, but for those in which the seat to act could do
    nothing: a hand that could not follow a deep draw or a knock is none the seat can hold. Nothing is concluded from
    how anybody has played, nor from who was asked for a call.

    Raises RummyError when the view does not fit the rules (another pack, another number of seats).
    """
    deck = _Deck(rules.deck, rng)
    players = range(view.players)
    known = [deck.lay(cards) for cards in view.known]
    hands = [card_set(cards) for cards in known]
    if view.seat is not None:
        hands[view.seat] |= card_set(deck.lay(_beyond(view.hand, view.known[view.seat])))
    pile = [None if face is None else deck.lay((face,))[0] for face in view.pile]
    table = tuple([meld._replace(cards=deck.lay(meld.cards)) for meld in view.table])
    stock = deck.lay(view.in_stock)

    missing = [view.sizes[seat] - hands[seat].bit_count() for seat in players]
    in_stock = view.stock_size - len(stock)
    hidden = deck.hidden(sum(missing) + in_stock + pile.count(None))
    taken, owed = _of_this_turn(view, hands[view.to_act] if view.to_act != DEALER else 0, table)
    state = State(
        seat=view.to_act,
        phase=view.phase,
        hands=tuple(hands),
        stock=stock,
        pile=(),
        known=tuple([card_set(cards) for cards in known]),
        taken=taken,
        turns=view.turns,
        idle=view.idle,
        table=table,
        fits=rules.fits(table),
        owed=owed,
        melds_now=view.melds_now,
        tabled_now=view.tabled_now,
        tabled=view.tabled,
        stock_only=view.stock_only,
        stock_known=len(stock),
        renewals=view.renewals,
        by=view.by,
        declared=view.declared,
        knock_limit=view.knock_limit,
        face_down=view.face_down,
        dealer=view.dealer,
        scores=view.scores,
        round=view.round,
        result=view.result,
    )

    # The seat to act is served first, so that only its hand is drawn again when it could do nothing with it.
    order = sorted(players, key=lambda seat: seat != view.to_act)
    for tries in range(MOST_TRIES):
        start = 0
        drawn = list(hands)
        for seat in order:
            hidden.shuffle(start, missing[seat])
            drawn[seat] |= card_set(hidden.cards[start : start + missing[seat]])
            start += missing[seat]
'''
