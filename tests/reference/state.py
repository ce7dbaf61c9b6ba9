"""One situation of a match as a plain value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .cards import DEALER, Hand
from .melds import Meld


@dataclass(frozen=True)
class State:
    """Everything that decides what may happen next.

    ``taken`` are the pile cards of this turn, bottom to top; ``banned`` is the single taken card while it is still in
    the hand; ``owed`` are the cards that must still be tabled this turn, each with the use asked for ("meld": a new
    meld; "any": a lay-off will do). ``by`` is who just finished a turn, knocked or is being answered. ``dry`` tells
    whether the turn began with the stock at its end (R29), ``idle`` counts such turns in a row.
    """

    hands: tuple[Hand, ...]
    scores: tuple[int, ...]
    seat: int = DEALER
    dealer: int = 0
    phase: str = "deal"
    stock: Hand = ()
    pile: Hand = ()
    table: tuple[Meld, ...] = ()
    round: int = 1
    turns: int = 0
    renewals: int = 0
    by: int | None = None
    taken: Hand = ()
    banned: str | None = None
    owed: tuple[tuple[str, str], ...] = ()
    melds_made: int = 0
    tabled_now: bool = False
    tabled: frozenset[int] = frozenset()
    dry: bool = False
    idle: int = 0
    stock_only: bool = False
    limit: int | None = None  # the knock limit in force; None where any deadwood will do
    gin: bool = False
    big: bool = False
    result: dict[str, Any] | None = field(default=None, compare=False, hash=False)

    @property
    def hand(self) -> Hand:
        return self.hands[self.seat]
