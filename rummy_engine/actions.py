"""The actions of the game: what a seat may do and what the dealer owes, and their canonical text.

Cards in actions are faces (see `cards`): with two packs, `apply` picks the copy. Each type is a frozen value of its
own, so that `Discard` and `Knock` of one card are never equal. `str(action)` is its notation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias, TypeGuard

from rummy_engine.cards import JOKER, Card, format_faces
from rummy_engine.errors import NotationError
from rummy_engine.hints import is_whole

End: TypeAlias = Literal["low", "high"]
ENDS: tuple[End, End] = ("low", "high")
"""Of a run."""


@dataclass(frozen=True, slots=True)
class Deal:
    """`deal AS 2S …`: the whole pack in dealing order (dealer's left first, then the up-card, then the stock)."""

    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return f"deal {format_faces(self.cards)}".rstrip()


@dataclass(frozen=True, slots=True)
class Reshuffle:
    """`reshuffle AS 2S …`: the new stock, next draw first."""

    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return f"reshuffle {format_faces(self.cards)}".rstrip()


@dataclass(frozen=True, slots=True)
class Draw:
    """`draw`: takes the top of the stock."""

    def __str__(self) -> str:
        return "draw"


@dataclass(frozen=True, slots=True)
class Take:
    """`take` or `take 3`: takes the top `count` cards of the pile."""

    count: int = 1

    def __str__(self) -> str:
        return "take" if self.count == 1 else f"take {self.count}"


@dataclass(frozen=True, slots=True)
class Pass:
    """`pass`: declines the up-card offer or a rummy call."""

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class Stop:
    """`stop`: with the stock empty, declines the pile and so ends the round."""

    def __str__(self) -> str:
        return "stop"


@dataclass(frozen=True, slots=True)
class LayMeld:
    """`meld 4H JK=5H 6H`: lays a new meld.

    `cards` are the faces played; `stands` is what each stands for: the same, except that a wild card of a run
    stands for a natural one. A wild card in a set stands for itself.
    """

    cards: tuple[Card, ...]
    stands: tuple[Card, ...]

    def __str__(self) -> str:
        return f"meld {format_meld(self.cards, self.stands)}".rstrip()


@dataclass(frozen=True, slots=True)
class LayOff:
    """`layoff 8C @0`, `layoff JK=7H @2`, `layoff AS @0 high`: adds one card to a meld on the table.

    `end` is None unless the card fits both ends of a run.
    """

    card: Card
    stands: Card
    meld: int
    end: End | None = None

    def __str__(self) -> str:
        end = f" {self.end}" if self.end else ""
        return f"layoff {format_meld((self.card,), (self.stands,))} @{self.meld}{end}"


@dataclass(frozen=True, slots=True)
class Swap:
    """`swap 9C @1`: gives the natural card and takes the joker that stands for it."""

    card: Card
    meld: int

    def __str__(self) -> str:
        return f"swap {self.card} @{self.meld}"


@dataclass(frozen=True, slots=True)
class Discard:
    """`discard KC`: ends the turn."""

    card: Card

    def __str__(self) -> str:
        return f"discard {self.card}"


@dataclass(frozen=True, slots=True)
class Knock:
    """`knock KC`: discards and knocks; without a card (`knock`) it is big gin."""

    card: Card | None

    def __str__(self) -> str:
        return "knock" if self.card is None else f"knock {self.card}"


@dataclass(frozen=True, slots=True)
class Done:
    """`done`: ends laying down after a knock."""

    def __str__(self) -> str:
        return "done"


@dataclass(frozen=True, slots=True)
class Call:
    """`call` or `call 4`: calls rummy and takes the top `count` cards of the pile."""

    count: int = 1

    def __str__(self) -> str:
        return "call" if self.count == 1 else f"call {self.count}"


Action: TypeAlias = (
    Deal | Reshuffle | Draw | Take | Pass | Stop | LayMeld | LayOff | Swap | Discard | Knock | Done | Call
)
WORDS: Mapping[type[Action], str] = MappingProxyType({
    Deal: "deal",
    Reshuffle: "reshuffle",
    Draw: "draw",
    Take: "take",
    Pass: "pass",
    Stop: "stop",
    LayMeld: "meld",
    LayOff: "layoff",
    Swap: "swap",
    Discard: "discard",
    Knock: "knock",
    Done: "done",
    Call: "call",
})
"""The first word of the text of each type of action."""
ACTION_TYPES = tuple(WORDS)

DRAW, TAKE, PASS, STOP, DONE = Draw(), Take(), Pass(), Stop(), Done()
"""The actions without a card, shared by every game."""


def format_meld(cards: tuple[Card, ...], stands: tuple[Card, ...]) -> str:
    """The cards of a meld in notation: `4H JK=5H 6H`; a wild card in a set is a plain `JK`."""
    pairs = zip(cards, stands, strict=True)
    return " ".join([f"JK={face}" if face != JOKER and each.is_joker else str(each) for each, face in pairs])


def _is_face(value: object) -> bool:
    return isinstance(value, Card) and value.face is value


def _are_faces(value: object) -> bool:
    return isinstance(value, tuple) and all(map(_is_face, value))


def _is_count(value: object, least: int) -> bool:
    return is_whole(value) and value >= least and value.bit_length() < 10_000  # longer ones have no text


def is_well_formed(action: object) -> TypeGuard[Action]:
    """Whether a value is an action made of faces and whole numbers: a bot or a client may send anything."""
    if isinstance(action, (Discard, Swap)) and not _is_face(action.card):
        return False
    if isinstance(action, (Deal, Reshuffle)):
        return _are_faces(action.cards)
    if isinstance(action, (Take, Call)):
        return _is_count(action.count, 1)
    if isinstance(action, LayMeld):
        return _are_faces(action.cards) and _are_faces(action.stands) and len(action.cards) == len(action.stands)
    if isinstance(action, LayOff):
        right = _is_face(action.card) and _is_face(action.stands) and action.end in (None, "low", "high")
        return right and _is_count(action.meld, 0)
    if isinstance(action, Swap):
        return _is_count(action.meld, 0)
    if isinstance(action, Knock):
        return action.card is None or _is_face(action.card)
    return isinstance(action, ACTION_TYPES)


def no_action(value: object) -> NotationError:
    """The error for a value that is no well-formed action."""
    expected = "an action or its text"
    kind = type(value).__name__
    if isinstance(value, ACTION_TYPES):
        found = f"a {kind} with other fields than faces and numbers"
    else:
        found = "None" if value is None else f"a value of type {kind}"
    return NotationError(f"expected {expected}, not {found}", expected=expected)
