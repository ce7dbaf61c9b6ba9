"""Faces, packs and the numbers that depend on the table: the plainest possible form.

A card is its face: ``"8S"``, ``"TH"``, ``"JK"``. Twins of two packs are equal texts, zones are tuples in which a
face may occur twice. Which of two twins an action moves never changes what is legal, because rules R18 settle it:
the owed or just-taken copy leaves the hand first, and a discard spares the banned copy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

RANKS = "A23456789TJQK"
SUITS = "SHDC"
JOKER = "JK"
DEALER = -1

Hand = tuple[str, ...]


class Memo(dict[Any, Any]):
    """Answers already worked out; it forgets them all when there are too many."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit

    def __setitem__(self, key: Any, value: Any) -> None:
        if len(self) >= self.limit:
            self.clear()
        super().__setitem__(key, value)


def read_faces(text: str) -> Hand:
    """Read cards in their two-character form, in the order written.

    >>> read_faces("8S TH JK")
    ('8S', 'TH', 'JK')
    """
    found = tuple(text.split())
    for face in found:
        if face != JOKER and (len(face) != 2 or face[0] not in RANKS or face[1] not in SUITS):
            raise ValueError(f"not a card: {face!r}")
    return found


def tidy(faces: Iterable[str]) -> Hand:
    """A hand has no order: keep it sorted, so that equal hands are equal tuples."""
    return tuple(sorted(faces))


def without(hand: Hand, faces: Iterable[str]) -> Hand:
    """The hand after these cards left it; every one of them must be there."""
    left = list(hand)
    for face in faces:
        left.remove(face)
    return tuple(left)


def holds(hand: Iterable[str], faces: Iterable[str]) -> bool:
    """Whether all these cards, counted with their twins, are in the hand."""
    return not Counter(faces) - Counter(hand)


def at_table(dial: Any, players: int, round_no: int = 1) -> Any:
    """The value of a number that may depend on the seats or on the round (a TableNumber)."""
    if isinstance(dial, Mapping) and dial.get("by_players"):
        steps = {int(seats): value for seats, value in dial["by_players"].items()}
        return steps[max(seats for seats in steps if seats <= players)]
    if isinstance(dial, Mapping) and dial.get("by_round"):
        values = dial["by_round"]
        return values[min(round_no, len(values)) - 1]
    return dial


def pack(profile: Mapping[str, Any], players: int) -> Hand:
    """Every card of the game in pack order: pack by pack, suits S H D C, ranks upward, jokers last."""
    deck = profile["deck"]
    one = [rank + suit for suit in SUITS if suit in deck["suits"] for rank in deck["ranks"]]
    one += [JOKER] * at_table(deck["jokers"], players)
    return tuple(one * at_table(deck["packs"], players))
