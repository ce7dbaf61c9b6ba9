"""Which of several twins a mention of a face means in a position, and how to say so where it is not the usual one."""

from __future__ import annotations

from collections.abc import Iterable

from rummy_engine.cards import BIT, CARDS, COPIES, COPY_BITS, FACES, Card, CardSet, card_set, cards_in
from rummy_engine.melds.shapes import Meld
from rummy_engine.state import DEALER, State

_ALL: CardSet = (1 << len(CARDS)) - 1


def first_copy(copies: CardSet, sources: tuple[CardSet, ...]) -> Card | None:
    """The lowest of the copies in the first source that has one."""
    for source in sources:
        found = copies & source
        if found:
            return CARDS[(found & -found).bit_length() - 1]
    return None


def taken_from(hand: CardSet, known: CardSet, laid: CardSet, now: bool) -> tuple[CardSet, ...]:
    """Where a card taken this turn is looked for: in the hand, where everybody knows it, else among the laid cards.

    If those were laid in this turn (`now`), they come first, for of twins the taken one is tabled first (rules R18).
    """
    return (laid, hand & known, hand) if now else (hand & known, hand, laid)


def owed_from(hand: CardSet, known: CardSet, taken: Iterable[Card]) -> tuple[CardSet, ...]:
    """Where a card still to be tabled is looked for."""
    return (hand & card_set(taken), hand & known, hand)


def laid_by(table: tuple[Meld, ...], seat: int) -> CardSet:
    """The cards on the table that this seat laid."""
    return card_set(each for meld in table for each, by in zip(meld.cards, meld.by, strict=True) if by == seat)


def by_face(cards: CardSet) -> list[Card]:
    """The cards in the order of their text, twins by copy."""
    return sorted(cards_in(cards), key=lambda each: (FACES[each], each))


def copies_of(state: State, zones: Iterable[Card]) -> dict[str, list[int]]:
    """The copy number (from 1) of each mention, for the faces where reading the position would pick other copies.

    `zones` are the cards in the order in which the hands, the pile, the stock and the table mention them.
    """
    numbers: dict[Card, list[int]] = {}
    differ: set[Card] = set()

    def mention(cards: Iterable[Card], sources: tuple[CardSet, ...]) -> None:
        used: CardSet = 0
        for each in cards:
            face = FACES[each]
            numbers.setdefault(face, []).append(COPIES[face].index(each) + 1)
            if each != first_copy(COPY_BITS[face], tuple([source & ~used for source in sources])):
                differ.add(face)
            used |= BIT[each]

    mention(zones, (_ALL,))
    for hand, known in zip(state.hands, state.known, strict=True):
        mention(by_face(known), (hand,))
    seat = state.seat
    if seat != DEALER:
        hand, known, laid = state.hands[seat], state.known[seat], laid_by(state.table, seat)
        mention(state.taken, taken_from(hand, known, laid, seat not in state.tabled))
        mention(by_face(state.owed), owed_from(hand, known, state.taken))
    return {str(face): numbers[face] for face in sorted(differ)}
