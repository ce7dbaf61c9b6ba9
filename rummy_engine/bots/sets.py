"""Hands that a bot knows by their faces, as sets of cards: the form in which bots think.

A face is a card of the first pack; a second card of the same face is its twin.
"""

from __future__ import annotations

from collections.abc import Iterable

from rummy_engine.cards import BIT, COPY_BITS, NATURALS, PACK, Card, CardSet


def held(faces: Iterable[Card]) -> CardSet:
    """The faces of a hand as a set of cards, twins as two copies."""
    hand = 0
    for face in faces:
        hand = add(hand, face)
    return hand


def add(hand: CardSet, face: Card) -> CardSet:
    """The hand with one more card of this face."""
    bit = BIT[face]
    if hand & bit:
        free = COPY_BITS[face] & ~hand
        bit = free & -free
    return hand | bit


def without(hand: CardSet, face: Card | None) -> CardSet:
    """The hand with one card of this face less; None: the hand as it is."""
    if face is None:
        return hand
    copies = COPY_BITS[face] & hand
    return hand ^ (copies & -copies)


def folded(hand: CardSet) -> CardSet:
    """The natural faces of a hand: twins once, no jokers."""
    return (hand | hand >> PACK) & NATURALS
