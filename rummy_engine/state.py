"""A state of the game: one flat, immutable, hashable value made of ints, text and tuples; no rules, no randomness."""

from __future__ import annotations

from typing import NamedTuple

from rummy_engine.cards import Card, CardSet
from rummy_engine.melds import Meld

DEALER = -1
"""The seat that acts in the phases "deal" and "reshuffle": chance."""
NOBODY = -1
"""The seat index for "no seat"."""

PHASES = ("deal", "offer", "draw", "play", "spread", "respond", "call", "reshuffle", "over")


class RoundResult(NamedTuple):
    """How a round ended and what it was worth; sequences are by seat, in points."""

    kind: str
    """"out", "gin", "knock", "undercut", "stock_out", "exhausted", "deadlock" or "void"."""
    winner: int | None
    """Who went out, knocked unbeaten or alone undercut (or alone held the lowest hand); else None."""
    points: tuple[int, ...]
    left: tuple[int, ...]
    """Points left per hand: deadwood after lay-offs where there is knocking."""
    tabled: tuple[int, ...]
    bonus: tuple[int, ...]
    """The part of `points` that is a bonus, on the seat that gets it."""
    doubled: bool
    standing: tuple[str, ...]
    """Per seat "win", "draw" or "loss"."""
    turns: int
    renewals: int
    dealer: int
    round: int


class State(NamedTuple):
    """Everything about a match at one moment. The fields that every turn changes come first (see `HOT`)."""

    seat: int
    """The seat to act, or DEALER."""
    phase: str
    hands: tuple[CardSet, ...]
    stock: tuple[Card, ...]
    """Next draw first."""
    pile: tuple[Card, ...]
    """Top last."""
    known: tuple[CardSet, ...]
    """Per seat: the cards of its hand that everybody saw it take."""
    taken: tuple[Card, ...]
    """What this turn took from the pile, bottom to top."""
    turns: int
    """Turns completed in this round."""
    idle: int
    """Turns in a row, up to now, that began with an exhausted stock and tabled nothing (rules R29)."""

    table: tuple[Meld, ...]
    fits: CardSet
    """The cards off the table that some table meld takes: kept so that asking costs one `&`."""
    owed: CardSet
    """What this turn must still table: the deepest card taken, a joker swapped in."""
    melds_now: int
    """New melds laid in this turn."""
    tabled_now: bool
    """Whether this turn tabled anything."""
    tabled: tuple[int, ...]
    """The seats that melded or laid off in an earlier turn of this round, ascending."""
    stock_only: bool
    """Whether this draw must come from the stock (all passed the up-card; the stock was renewed on a draw)."""
    stock_known: int
    """How many of the next draws everybody knows (a pile turned over unshuffled)."""
    renewals: int
    by: int
    """Whose knock or discard is being answered, in the phases spread, respond, call and reshuffle; else NOBODY."""
    declared: str
    """"", "knock", "gin" or "big_gin": what the knocker declared."""
    knock_limit: int | None
    """The deadwood limit in force for a knock (points); None: no limit, or no knocking here."""
    face_down: int
    """The seat whose last discard lies face down on the pile, else NOBODY."""
    dealer: int
    scores: tuple[int, ...]
    round: int
    result: RoundResult | None
    """How the round last finished ended, else None."""

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.hands)


HOT = 9
"""The number of leading fields that an ordinary turn changes: the rest is copied as one slice."""
