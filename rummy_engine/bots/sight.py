"""What a seat sees, as sets of cards: the form in which the better bots think."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rummy_engine.bots.sets import add
from rummy_engine.cards import BIT, Card, CardSet
from rummy_engine.knowledge.view import NO_TWINS, View
from rummy_engine.melds.finder import face_bits
from rummy_engine.rules import Rules


class Sight(NamedTuple):
    """A view in sets of cards; the faces of a hand are cards of the first pack, and twins come from the second."""

    hand: CardSet
    live: CardSet
    """The faces that could still come: at least one copy is out of sight."""
    known: CardSet
    """The faces that the next seat is known to hold."""
    chance: float
    """How likely the next seat is to hold a card that is out of sight."""
    chances: Sequence[float] | None = None
    """The same for each natural face, if the seat was read (see `reading`)."""


def look(rules: Rules, view: View) -> Sight:
    """What the seat of the view sees."""
    gather = _bits if rules.pack <= NO_TWINS else _copies
    hand = gather(0, view.hand)
    seen = gather(hand, [card for card in view.pile if card is not None])
    for meld in view.table:
        seen = gather(seen, meld.cards)
    following = (view.to_act + 1) % view.players
    for seat, cards in enumerate(view.known):
        if cards and seat != view.seat:
            seen = gather(seen, cards)
    unseen = rules.pack & ~seen
    hidden = view.sizes[following] - len(view.known[following])
    return Sight(
        hand=hand,
        live=face_bits(unseen),
        known=_bits(0, view.known[following]),
        chance=min(hidden / max(unseen.bit_count(), 1), 1.0),
    )


def _bits(cards: CardSet, faces: Iterable[Card]) -> CardSet:
    for face in faces:
        cards |= BIT[face]
    return cards


def _copies(cards: CardSet, faces: Iterable[Card]) -> CardSet:
    for face in faces:
        cards = add(cards, face)
    return cards
