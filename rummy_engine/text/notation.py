"""Reading notation: the text of an action, in any of the forms people write, to the action itself.

Only text that is no action or no card is a `NotationError`. A well-written action always becomes an action value, also
one that cannot be allowed (cards that are no meld, a table meld that is not there): whether it is allowed is for the
rules to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from rummy_engine.actions import (
    DONE,
    DRAW,
    PASS,
    STOP,
    TAKE,
    Action,
    Call,
    Deal,
    Discard,
    End,
    Knock,
    LayMeld,
    LayOff,
    Reshuffle,
    Swap,
    Take,
)
from rummy_engine.cards import FACES, JOKER, JOKER_FACE, Card, parse_card
from rummy_engine.errors import NotationError
from rummy_engine.hints import closest
from rummy_engine.melds.shapes import MeldShapes
from rummy_engine.state import State

MAX_LENGTH = 4096
"""Characters in the text of one action, or of one zone of a position: a deal of two packs needs 328."""

_WORD = re.compile(r"[^\s,=@:+]+|[=@:+]")
_NUMBER = re.compile(r"[0-9]+")
_FACE_OF = {str(face): face for face in FACES[: JOKER_FACE + 1]}


def shortened(text: str) -> str:
    """The text in quotes as an error message shows it."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


class Written(NamedTuple):
    """One card of a meld as written; `stands` is what a wild card is said to stand for, if anything."""

    card: Card
    stands: Card | None

    @property
    def face(self) -> Card | None:
        """The natural card it must be in a meld; None: a wild card that may stand for anything."""
        return self.stands if self.card == JOKER else self.card


class Words:
    """The words of a text one after the other; what does not fit is a NotationError that says where it stands.

    `=`, `@`, `:` and `+` are words of their own, and a comma is a space.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._at = 0

    def peek(self) -> str:
        """The next word, which stays; empty at the end."""
        found = _WORD.search(self.text, self._at)
        return found.group() if found else ""

    def next(self) -> str:
        """The next word; empty at the end."""
        found = _WORD.search(self.text, self._at)
        if found is None:
            return ""
        self._at = found.end()
        return found.group()

    def unexpected(self, expected: str, hint: str | None = None) -> NotationError:
        """The error for the next word, where something else was expected."""
        found = _WORD.search(self.text, self._at)
        position = found.start() if found else len(self.text)
        shown = f"{shortened(found.group())} at character {position}" if found else "the end of the text"
        message = f"expected {expected}, not {shown}" + (f" (did you mean {hint!r}?)" if hint else "")
        return NotationError(message, self.text, position, expected)

    def card(self) -> Card:
        """The face that the next word names."""
        word = self.peek()
        try:
            face = parse_card(word)
        except NotationError as error:
            raise self.unexpected(error.expected) from None
        self.next()
        return face

    def written(self) -> Written:
        """The next card with what it stands for: `8C` or `JK=8C`."""
        card = self.card()
        if self.peek() != "=":
            return Written(card, None)
        if card != JOKER:
            raise self.unexpected(f"no '=' after {card}, for only a joker stands for another card")
        self.next()
        stands = self.card()
        return Written(card, None if stands == JOKER else stands)

    def number(self, expected: str) -> int:
        """The next word as a number from 0, in ASCII digits."""
        if not _NUMBER.fullmatch(self.peek()):
            raise self.unexpected(expected)
        return int(self.next())

    def faces(self) -> tuple[Card, ...]:
        """All the cards that follow."""
        rest = self.text[self._at :].split()
        try:  # a pack in canonical text is looked up, not scanned
            faces = [_FACE_OF[word] for word in rest]
            self._at = len(self.text)
        except KeyError:
            faces = []
            while self.peek():
                faces.append(self.card())
        return tuple(faces)


# ------------------------------------------------------------------------------------------------------------- melds


def recognise(shapes: MeldShapes, written: Sequence[Written]) -> tuple[tuple[int, ...], tuple[Card, ...]] | None:
    """How cards written in any order are read as a meld: their canonical order (indices) and what each stands for.

    Cards that can be a set are a set; then a run as it stands; then any run, the lowest first, which is the one with
    the ace low. None when no reading is a meld.
    """
    cards = tuple([each.card for each in written])
    stands = tuple([each.card if each.stands is None else each.stands for each in written])
    in_order = tuple(range(len(written)))
    if shapes.is_meld(cards, stands):
        return in_order, stands
    if _may_be_set(written):
        order = tuple(sorted(in_order, key=cards.__getitem__))
        by_suit = tuple(cards[i] for i in order)
        if shapes.is_meld(by_suit, by_suit):
            return order, by_suit
    run = _run_as_written(shapes, written) or _run_of(shapes, written)
    if run is None or not shapes.is_meld(tuple(cards[i] for i in run[0]), run[1]):
        return None
    return run


def _may_be_set(written: Sequence[Written]) -> bool:
    """Whether all are of one rank; a suit given for a wild card says nothing in a set."""
    return len({face % 13 for each in written if (face := each.face) is not None}) == 1


def _suit_of_run(written: Sequence[Written]) -> int | None:
    suits = {face // 13 for each in written if (face := each.face) is not None}
    return suits.pop() if len(suits) == 1 else None


def _run_as_written(shapes: MeldShapes, written: Sequence[Written]) -> tuple[tuple[int, ...], tuple[Card, ...]] | None:
    suit = _suit_of_run(written)
    if suit is None:
        return None
    faces = [each.face for each in written]
    for window in shapes.windows:
        if len(window) == len(faces) and all(
            face is None or face % 13 == rank for face, rank in zip(faces, window, strict=True)
        ):
            return tuple(range(len(faces))), tuple(FACES[suit * 13 + rank] for rank in window)
    return None


def _run_of(shapes: MeldShapes, written: Sequence[Written]) -> tuple[tuple[int, ...], tuple[Card, ...]] | None:
    suit = _suit_of_run(written)
    if suit is None:
        return None
    place = {face % 13: i for i, each in enumerate(written) if (face := each.face) is not None}
    free = [i for i, each in enumerate(written) if each.face is None]
    if len(place) + len(free) < len(written):  # a rank twice
        return None
    for window in shapes.windows:
        if len(window) == len(written) and place.keys() <= set(window):
            fill = iter(free)
            order = tuple([place[rank] if rank in place else next(fill) for rank in window])
            return order, tuple(FACES[suit * 13 + rank] for rank in window)
    return None


# ----------------------------------------------------------------------------------------------------------- actions


def parse_action(shapes: MeldShapes, state: State, text: str) -> Action:
    """The action that a text means in this state.

    Melds come out in canonical order, and a lay-off with what the card stands for and the end it needs, as far as the
    text and the table say so. Raises NotationError for text that is no action or no card.
    """
    if not isinstance(text, str):
        raise NotationError(f"an action is written as text, not as {type(text).__name__}", expected="text")
    found = _PLAIN.get(text)
    if found is not None:
        return found
    if len(text) > MAX_LENGTH:
        expected = f"at most {MAX_LENGTH} characters"
        raise NotationError(f"an action has {expected}, not {len(text)}", text, MAX_LENGTH, expected)
    words = Words(text)
    verb = words.peek().lower()
    read = _READERS.get(verb)
    if read is None:
        raise words.unexpected("an action: " + ", ".join(_READERS), closest(verb, _READERS))
    words.next()
    action = read(words, shapes, state)
    if words.peek():
        raise words.unexpected(f"nothing after {shortened(str(action))}")
    return action


def _meld(words: Words, shapes: MeldShapes, state: State) -> Action:
    written = [words.written()]
    while words.peek():
        written.append(words.written())
    reading = recognise(shapes, written)
    cards = tuple([each.card for each in written])
    if reading is None:
        return LayMeld(cards, tuple([each.card if each.stands is None else each.stands for each in written]))
    order, stands = reading
    return shapes.meld(tuple([cards[i] for i in order]), stands)


def _layoff(words: Words, shapes: MeldShapes, state: State) -> Action:
    card, named = words.written()
    index = _table_meld(words)
    end = _end(words)
    stands = card if named is None else named
    if index >= len(state.table):
        return LayOff(card, stands, index, end)
    meld = state.table[index]
    if meld.kind == "set":
        same_rank = stands % 13 == meld.faces[0] % 13
        return LayOff(card, card if same_rank else stands, index, end)
    places = [
        place
        for place in shapes.openings(meld).places.get(card, ())
        if (named is None or place.stands == named) and (end is None or place.side in (None, end))
    ]
    if len(places) != 1:  # it fits nowhere, or the text leaves open where
        return LayOff(card, stands, index, end)
    return LayOff(card, places[0].stands, index, places[0].end)


def _swap(words: Words, shapes: MeldShapes, state: State) -> Action:
    return Swap(words.card(), _table_meld(words))


def _discard(words: Words, shapes: MeldShapes, state: State) -> Action:
    return Discard(words.card())


def _knock(words: Words, shapes: MeldShapes, state: State) -> Action:
    return Knock(words.card() if words.peek() else None)


def _deal(words: Words, shapes: MeldShapes, state: State) -> Action:
    return Deal(words.faces())


def _reshuffle(words: Words, shapes: MeldShapes, state: State) -> Action:
    return Reshuffle(words.faces())


def _take(words: Words, shapes: MeldShapes, state: State) -> Action:
    return Take(_count(words))


def _call(words: Words, shapes: MeldShapes, state: State) -> Action:
    return Call(_count(words))


def _table_meld(words: Words) -> int:
    expected = "'@' and the number of a meld on the table"
    if words.peek() != "@":
        raise words.unexpected(expected)
    words.next()
    return words.number("the number of a meld on the table, from 0")


def _end(words: Words) -> End | None:
    word = words.peek().lower()
    if not word:
        return None
    words_for: dict[str, End] = {"low": "low", "high": "high"}
    if word not in words_for:
        raise words.unexpected("low, high or nothing more", closest(word, words_for))
    words.next()
    return words_for[word]


def _count(words: Words) -> int:
    expected = "a number of cards, from 1"
    if not words.peek():
        return 1
    if not words.peek().strip("0"):
        raise words.unexpected(expected)
    return words.number(expected)


_Reader: TypeAlias = Callable[[Words, MeldShapes, State], Action]


def _plain(action: Action) -> _Reader:
    return lambda words, shapes, state: action


_READERS: Mapping[str, _Reader] = {
    "draw": _plain(DRAW),
    "take": _take,
    "pass": _plain(PASS),
    "stop": _plain(STOP),
    "meld": _meld,
    "layoff": _layoff,
    "swap": _swap,
    "discard": _discard,
    "knock": _knock,
    "done": _plain(DONE),
    "call": _call,
    "deal": _deal,
    "reshuffle": _reshuffle,
}
"""Per first word: what reads the rest."""

_PLAIN: Mapping[str, Action] = {
    str(action): action
    for action in (
        *(DRAW, TAKE, PASS, STOP, DONE),
        *(kind(face) for kind in (Discard, Knock) for face in _FACE_OF.values()),
    )
}
"""The canonical texts of the commonest actions, to be looked up at once."""
