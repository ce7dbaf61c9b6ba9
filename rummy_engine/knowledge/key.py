"""The key of a situation: for tables of situations already seen, and for finding repetitions."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol

from rummy_engine.cards import FACES, Card, CardSet, card_set
from rummy_engine.knowledge.view import NO_TWINS, faces_of
from rummy_engine.melds.shapes import Meld
from rummy_engine.state import State


class KeyRules(Protocol):
    """What a key asks of the compiled rules of a table."""

    @property
    def pack(self) -> CardSet:
        """The physical cards."""


def state_key(rules: KeyRules, state: State) -> tuple[Hashable, ...]:
    """Equal for states that differ only in twins, in how long the round has lasted, and in the order of the melds.

    The counters left out are `turns`, `idle` and the number of turns of the last round. All else counts: the order of
    stock and pile, what is known of the hands, who laid which card, the totals, the round, the renewals.
    """
    result = None if state.result is None else state.result._replace(turns=0)
    if rules.pack <= NO_TWINS:
        return state.changed(table=tuple(sorted(state.table)), turns=0, idle=0, result=result)
    hands = []
    for seat, hand in enumerate(state.hands):
        marks = (state.known[seat], state.owed, card_set(state.taken)) if seat == state.seat else (state.known[seat],)
        hands.append(_parts(hand, marks))
    table = tuple(sorted([_meld(meld) for meld in state.table]))
    rest = state.changed(
        hands=(),
        known=(),
        stock=_faces(state.stock),
        pile=_faces(state.pile),
        taken=_faces(state.taken),
        turns=0,
        idle=0,
        table=(),
        fits=0,
        owed=0,
        result=result,
    )
    return (tuple(hands), table, *rest)


def _faces(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple([FACES[each] for each in cards])


def _parts(hand: CardSet, marks: tuple[CardSet, ...]) -> tuple[tuple[Card, ...], ...]:
    """The faces of a hand, apart for every combination of marks that a card can have."""
    parts = [hand]
    for mark in marks:
        parts = [part & side for part in parts for side in (mark, ~mark)]
    return tuple([faces_of(part) for part in parts])


def _meld(meld: Meld) -> tuple[str, tuple[tuple[Card, Card, int], ...], int]:
    laid = [(face, FACES[card], seat) for face, card, seat in zip(meld.faces, meld.cards, meld.by, strict=True)]
    if meld.kind == "set":  # which of two twins a seat has laid makes no difference
        laid.sort()
    return meld.kind, tuple(laid), meld.owner
