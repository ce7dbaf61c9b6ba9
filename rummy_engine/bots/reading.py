"""Reading the next seat: which cards it is likely to hold, judged by what lies on the table and what it took."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from rummy_engine.bots.sight import Sight
from rummy_engine.cards import JOKER, CardSet, card_set
from rummy_engine.knowledge.view import View

PER_MELD = 0.35
"""As a power of e: how much more likely a card is held for each smallest meld that it makes with a card that the seat
is known to hold, and how much less for each that has lost a card. Measured between medium bots: a card of the rank of
one on the pile is held half as often as others, and one of the rank of a card that was taken twice as often."""


def gone(view: View) -> CardSet:
    """The natural faces that lie on the pile and on the table: whoever needed them would have them."""
    faces = card_set(card for card in view.pile if card is not None and card < JOKER)
    for meld in view.table:
        faces |= card_set(card for card in meld.cards if card < JOKER)
    return faces


def chances(partners: Sequence[Sequence[CardSet]], sight: Sight, gone: CardSet) -> list[float]:
    """How likely the next seat is to hold each natural face; `partners`: see `Outs.partners`."""
    weights = [0.0] * len(partners)
    total, count = 0.0, 0
    for face, melds in enumerate(partners):
        if sight.live >> face & 1:
            power = 0
            for others in melds:
                if others & gone:
                    power -= 1
                elif others & sight.known:
                    power += 1
            weights[face] = weight = exp(PER_MELD * power)
            total += weight
            count += 1
    scale = sight.chance * count / total if total else 0.0
    return [1.0 if sight.known >> face & 1 else min(weight * scale, 1.0) for face, weight in enumerate(weights)]
