"""Cards as small integers, sets of cards as bitmasks, and their text.

A card id is `pack * 54 + suit * 13 + rank`, with jokers at 52 and 53 of each pack, so no deck is needed to print one.
A *face* is what a card shows: the id in pack 0, and 52 for every joker. Twins are copies of one face.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias, TypeVar

from rummy_engine.errors import NotationError

T = TypeVar("T")

RANKS = "A23456789TJQK"
SUITS = "SHDC"
PACK = 54
MAX_PACKS = 2
JOKER_FACE = 52

CardSet: TypeAlias = int
"""A set of cards: bit `card` is set for every card id in it."""


class Card(int):
    """One card: an int (its id) that prints as its face.

    >>> parse_card("10h"), int(parse_card("TH"))
    (TH, 22)
    """

    __slots__ = ()

    @property
    def face(self) -> Card:
        """The card that stands for all its twins: same rank and suit in pack 0; the first joker for every joker."""
        return FACES[self]

    @property
    def is_joker(self) -> bool:
        """Whether the card is a joker."""
        return FACES[self] == JOKER_FACE

    @property
    def rank(self) -> int:
        """The index in "A23456789TJQK" (jokers: 13)."""
        return 13 if self.is_joker else self % PACK % 13

    @property
    def suit(self) -> int:
        """The index in "SHDC" (jokers: 4)."""
        return 4 if self.is_joker else self % PACK // 13

    def __repr__(self) -> str:
        return TEXT[self]

    __str__ = __repr__

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return card, (int(self),)


CARDS: tuple[Card, ...] = tuple(Card(i) for i in range(PACK * MAX_PACKS))
"""Every card there is, by id: the interned objects that the whole library uses."""
FACES: tuple[Card, ...] = tuple(CARDS[min(i % PACK, JOKER_FACE)] for i in range(PACK * MAX_PACKS))
"""The face of each card id."""
TEXT: tuple[str, ...] = tuple(
    "JK" if face == JOKER_FACE else RANKS[face % 13] + SUITS[face // 13] for face in map(int, FACES)
)
"""The two characters of each card id."""
BIT: tuple[int, ...] = tuple(1 << i for i in range(PACK * MAX_PACKS))
"""The bit of each card id."""
JOKER = CARDS[JOKER_FACE]

NATURALS: CardSet = (1 << 52) - 1
JOKERS: CardSet = 3 << 52 | 3 << (PACK + 52)

COPIES: tuple[tuple[Card, ...], ...] = tuple(
    tuple(CARDS[i] for i in range(PACK * MAX_PACKS) if FACES[i] == face) for face in range(JOKER_FACE + 1)
)
"""The physical copies of each face, lowest id first (jokers: four)."""
COPY_BITS: tuple[CardSet, ...] = tuple(sum(BIT[copy] for copy in copies) for copies in COPIES)
"""The copies of each face as a set."""


def card(id: int) -> Card:
    """The interned card with this id (0 to 107); raises IndexError beyond."""
    return CARDS[id]


def cards_in(cards: CardSet) -> Iterator[Card]:
    """The cards of a set, lowest id first."""
    while cards:
        low = cards & -cards
        yield CARDS[low.bit_length() - 1]
        cards ^= low


def card_set(cards: Iterable[int]) -> CardSet:
    """The set of these cards."""
    result = 0
    for each in cards:
        result |= BIT[each]
    return result


def choices(things: Iterable[T]) -> list[tuple[T, ...]]:
    """Every choice of these things, each in their order; the bits of its index say which.

    >>> choices("SHD")[0b101]
    ('S', 'D')
    """
    table: list[tuple[T, ...]] = [()]
    for each in things:
        table += [(*fewer, each) for fewer in table]
    return table


def faces_in(cards: CardSet) -> tuple[Card, ...]:
    """The faces of a set, sorted, twins repeated."""
    return tuple(sorted(FACES[each] for each in cards_in(cards)))


# ------------------------------------------------------------------------------------------------------------- text

_SUIT_SIGNS = {"S": 0, "H": 1, "D": 2, "C": 3, "♠": 0, "♥": 1, "♦": 2, "♣": 3, "♤": 0, "♡": 1, "♢": 2, "♧": 3}
_RANK_TEXTS = {**{rank: i for i, rank in enumerate(RANKS)}, "10": 9, "1": 0}
_EXPECTED = "a card such as 8S, TH or JK (rank A23456789TJQK, suit SHDC)"


def _readings() -> dict[str, Card]:
    readings = {"JK": JOKER}
    for sign, suit in _SUIT_SIGNS.items():
        for text, rank in _RANK_TEXTS.items():
            if text != "1":  # "1" is an ace only in the suit-first form, where H1 H2 H3 is a run
                readings[text + sign] = CARDS[suit * 13 + rank]
            readings[sign + text] = CARDS[suit * 13 + rank]
    return readings


_READINGS = _readings()


def parse_card(text: str) -> Card:
    """The face that a text names: `8S`, `10H`, `8♠`, lower case, or suit first (`H8`, `H1` the ace of hearts).

    Raises NotationError for anything else.
    """
    plain = text.upper().replace("\ufe0f", "")  # a pasted suit sign may ask to be shown as a picture
    found = _READINGS.get(text) or _READINGS.get(plain)
    if found is None:
        shown = text if len(text) <= 40 else text[:37] + "..."
        raise NotationError(f"{shown!r} is no card: expected {_EXPECTED}", text, 0, _EXPECTED)
    return found


def parse_faces(text: str) -> tuple[Card, ...]:
    """The faces in a text, in the order written; the position in a NotationError counts characters from 0."""
    if not isinstance(text, str):
        raise NotationError(f"cards are written as text, not as {type(text).__name__}", expected=_EXPECTED)
    faces = []
    for word in re.finditer(r"[^\s,]+", text):
        try:
            faces.append(parse_card(word.group()))
        except NotationError as error:
            at = word.start()
            raise NotationError(f"{error.message}, at character {at}", text, at, _EXPECTED) from None
    return tuple(faces)


def assign_copies(faces: Iterable[Card], used: CardSet = 0) -> tuple[Card, ...]:
    """Physical cards for faces: the k-th mention of a face is its k-th copy that is not in `used`.

    Raises NotationError when a face is named more often than two packs hold (two copies; four jokers).
    """
    result = []
    for face in faces:
        free = COPY_BITS[face] & ~used
        if not free:
            most = len(COPIES[face])
            raise NotationError(f"{face} is named more often than there are copies ({most})", str(face), None, "")
        bit = free & -free
        used |= bit
        result.append(CARDS[bit.bit_length() - 1])
    return tuple(result)


def parse_cards(text: str) -> CardSet:
    """The set of cards that a text names; up to two copies of a face and four jokers; the empty text is the empty set.

    >>> format_cards(parse_cards("H1 8♠ 10d jk"))
    '8S AH TD JK'

    Raises NotationError.
    """
    return card_set(assign_copies(parse_faces(text)))


def format_cards(cards: CardSet) -> str:
    """The text of a set: two characters a card, in pack order (suits S H D C, ace to king, jokers last)."""
    if type(cards) is not int or not 0 <= cards < 1 << len(CARDS):
        raise NotationError(f"a set of cards is an int with a bit per card, not this {type(cards).__name__}")
    return " ".join(map(str, faces_in(cards)))


def format_faces(cards: Iterable[int]) -> str:
    """The text of a sequence of cards, in its order."""
    return " ".join([TEXT[each] for each in cards])
