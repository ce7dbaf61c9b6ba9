"""What happened in one action, step by step, as one seat saw it: all that a screen needs to show it.

Cards in events are faces; None is a card that the seat did not see. Seats are indices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import Enum
from typing import Protocol, TypeAlias

from rummy_engine.actions import (
    Action,
    Call,
    Deal,
    Discard,
    Done,
    Draw,
    End,
    Knock,
    LayMeld,
    LayOff,
    Pass,
    Stop,
    Swap,
    Take,
)
from rummy_engine.cards import FACES, Card, CardSet
from rummy_engine.errors import RummyError
from rummy_engine.hints import no_seat
from rummy_engine.knowledge.view import faces_of, plain, seats_between
from rummy_engine.melds.shapes import Meld
from rummy_engine.state import RoundResult, State

Cards: TypeAlias = tuple[Card | None, ...]
"""Cards of which some may be hidden."""


class Everything(Enum):
    """The one who sees every card: a log, a referee, a replay."""

    ALL = "all"


ALL = Everything.ALL
"""Given instead of a seat: the events with nothing hidden."""

Viewer: TypeAlias = int | Everything | None
"""A seat, ALL, or None for a spectator."""


@dataclass(frozen=True, slots=True)
class _Event:
    def to_dict(self) -> dict[str, object]:
        """The event as plain data for JSON: its name and its fields; cards and melds as in `View.to_dict`."""
        return {"event": type(self).__name__, **{each.name: plain(getattr(self, each.name)) for each in fields(self)}}


@dataclass(frozen=True, slots=True)
class Dealt(_Event):
    """A round began. `hands` by seat; `stock`: the cards left, face down."""

    dealer: int
    round: int
    hands: tuple[Cards, ...]
    up_card: Card | None
    stock: int


@dataclass(frozen=True, slots=True)
class Drew(_Event):
    """A seat drew from the stock; all see the card if everybody knew it lay there."""

    seat: int
    card: Card | None


@dataclass(frozen=True, slots=True)
class Took(_Event):
    """A seat took cards from the pile, bottom to top."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Passed(_Event):
    """A seat declined the up-card ("offer"), a rummy call ("call") or, with the stock exhausted, the pile ("pile")."""

    seat: int
    what: str


@dataclass(frozen=True, slots=True)
class Melded(_Event):
    """A seat laid a new meld, number `meld` on the table; `stands` says what each card stands for."""

    seat: int
    meld: int
    cards: tuple[Card, ...]
    stands: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class LaidOff(_Event):
    """A seat added a card to a meld: at the low or high `end` of a run, or (end None) to a set.

    With `swap` it took the place of the joker that stood for it, and the joker went to the hand.
    """

    seat: int
    meld: int
    card: Card
    stands: Card
    end: End | None
    swap: bool = False


@dataclass(frozen=True, slots=True)
class Discarded(_Event):
    """A seat discarded; a last discard may lie face down (rules A10)."""

    seat: int
    card: Card | None
    face_down: bool = False


@dataclass(frozen=True, slots=True)
class Called(_Event):
    """A seat called rummy and took cards from the pile, bottom to top."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Skipped(_Event):
    """These seats lose their turn by a call (rules R23)."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Knocked(_Event):
    """A seat knocked, discarding face up; `kind`: "knock", "gin", or "big_gin" without a discard."""

    seat: int
    card: Card | None
    kind: str


@dataclass(frozen=True, slots=True)
class Spread(_Event):
    """A seat has laid down after a knock: its melds, and the cards left in its hand (the knocker's lie open)."""

    seat: int
    melds: tuple[Meld, ...]
    left: Cards


@dataclass(frozen=True, slots=True)
class Renewed(_Event):
    """The pile became the stock: "shuffle" or "turn_over"; the sizes of both after it."""

    how: str
    stock: int
    pile: int


@dataclass(frozen=True, slots=True)
class RoundEnded(_Event):
    """A round ended, and every hand is shown; `scores` are the totals of the match."""

    result: RoundResult
    hands: tuple[tuple[Card, ...], ...]
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchEnded(_Event):
    """The match ended; `places` per seat from 1, equal totals sharing one."""

    winners: tuple[int, ...]
    places: tuple[int, ...]


Event: TypeAlias = (
    Dealt
    | Drew
    | Took
    | Passed
    | Melded
    | LaidOff
    | Discarded
    | Called
    | Skipped
    | Knocked
    | Spread
    | Renewed
    | RoundEnded
    | MatchEnded
)


class Places(Protocol):
    """What events ask of the rules of a match."""

    def places(self, scores: tuple[int, ...], /) -> tuple[int, ...]:
        """The place of each seat, from 1."""


class EventRules(Protocol):
    """What events ask of the compiled rules of a table."""

    @property
    def match(self) -> Places:
        """The rules of the match."""


def make_events(
    rules: EventRules, before: State, action: Action, after: State, seat: Viewer = None
) -> tuple[Event, ...]:
    """What happened when `action` led from one state to the other, in order, as a seat saw it.

    `seat`: None for a spectator, ALL for everything. Raises RummyError when there is no such seat.
    """
    if seat is not None and seat is not ALL and (type(seat) is not int or not 0 <= seat < before.players):
        raise RummyError(no_seat(seat, before.players))
    return tuple(_Teller(before, action, after, seat).tell(rules))


class _Teller:
    """One action being told to one viewer."""

    def __init__(self, before: State, action: Action, after: State, viewer: Viewer) -> None:
        self.before, self.action, self.after, self.viewer = before, action, after, viewer
        self.ended = after.result if after.phase in ("deal", "over") else None
        """The result, if the action has ended the round."""

    def tell(self, rules: EventRules) -> Iterator[Event]:
        before, after = self.before, self.after
        yield from self.done()
        if isinstance(self.action, (Knock, Done)) and after.phase != "spread":
            yield from self.laid_down()
        if after.renewals > before.renewals:
            how = "shuffle" if before.phase == "reshuffle" else "turn_over"
            yield Renewed(how, len(after.stock), len(after.pile))
        if self.ended is not None:
            yield RoundEnded(self.ended, tuple([faces_of(hand) for hand in after.hands]), after.scores)
        if after.phase == "over":
            places = rules.match.places(after.scores)
            yield MatchEnded(tuple([seat for seat, place in enumerate(places) if place == 1]), places)

    def done(self) -> Iterator[Event]:
        """The action itself."""
        before, after, seat = self.before, self.after, self.before.seat
        match self.action:
            case Deal():
                hands = tuple([self.seen(each, hand) for each, hand in enumerate(after.hands)])
                yield Dealt(after.dealer, after.round, hands, FACES[after.pile[-1]], len(after.stock))
            case Draw():
                if after.hands[seat] != before.hands[seat]:  # else the stock was exhausted: renewed, or the end
                    open_to_all = before.stock_known > 0
                    yield Drew(seat, FACES[before.stock[0]] if open_to_all or self.sees(seat) else None)
            case Take(count):
                yield Took(seat, self.top(count))
            case Call(count):
                yield Called(seat, self.top(count))
                skipped = seats_between(before.by, seat, before.players)
                if skipped:
                    yield Skipped(skipped)
            case Pass():
                yield Passed(seat, before.phase)
            case Stop():
                yield Passed(seat, "pile")
            case LayMeld(cards, stands):
                yield Melded(seat, len(before.table), cards, stands)
            case LayOff(card, stands, meld):
                yield LaidOff(seat, meld, card, stands, _end(before.table[meld], after.table[meld]))
            case Swap(card, meld):
                yield LaidOff(seat, meld, card, card, None, swap=True)
            case Discard(card):
                face_down = self.ended is not None and after.face_down == seat
                yield Discarded(seat, card if self.sees(seat) or not face_down else None, face_down)
            case Knock(card):
                yield Knocked(seat, card, self.declared(card))

    def sees(self, seat: int) -> bool:
        """Whether the viewer sees the hidden cards of a seat."""
        return self.viewer is ALL or self.viewer == seat

    def seen(self, seat: int, hand: CardSet, open_to_all: bool = False) -> Cards:
        return faces_of(hand) if open_to_all or self.sees(seat) else (None,) * hand.bit_count()

    def top(self, count: int) -> tuple[Card, ...]:
        return tuple([FACES[each] for each in self.before.pile[-count:]])

    def declared(self, card: Card | None) -> str:
        if self.ended is None:
            return self.after.declared
        return "big_gin" if card is None else "gin" if self.ended.kind == "gin" else "knock"

    def laid_down(self) -> Iterator[Event]:
        """The seats that have finished laying down: with the dials "best", several with one action.

        After gin the others do not lay down (rules B16).
        """
        before, after, first = self.before, self.after, self.before.seat
        if before.phase == "respond":
            yield from self.spread(first, open_to_all=self.ended is not None)
            return
        yield from self.spread(first, open_to_all=True)
        if self.ended is not None and self.ended.kind != "gin":
            for seat in seats_between(first, first, after.players):
                yield from self.spread(seat, open_to_all=True)

    def spread(self, seat: int, open_to_all: bool) -> Iterator[Event]:
        for index, meld in enumerate(self.after.table):
            laid_before = self.before.table[index].card_set if index < len(self.before.table) else 0
            if meld.owner != seat:
                yield from _laid_off(index, meld, seat, laid_before)
        melds = [_original(meld) for meld in self.after.table if meld.owner == seat]
        yield Spread(seat, tuple(melds), self.seen(seat, self.after.hands[seat], open_to_all))


def _end(before: Meld, after: Meld) -> End | None:
    """Where a run has grown by a card; None for a set, and for a circle that has closed."""
    if after.kind == "set":
        return None
    return "low" if after.faces[1:] == before.faces else "high" if after.faces[:-1] == before.faces else None


def _laid_off(index: int, meld: Meld, seat: int, laid_before: CardSet) -> Iterator[LaidOff]:
    """The cards that a seat has newly laid off on a meld, in an order in which they fit."""
    new = [i for i, card in enumerate(meld.cards) if meld.by[i] == seat and not laid_before >> card & 1]
    core = meld.by.index(meld.owner)
    below = [i for i in new if i < core]
    for i in (*reversed(below), *new[len(below) :]):
        end: End | None = None if meld.kind == "set" else "low" if i < core else "high"
        yield LaidOff(seat, index, FACES[meld.cards[i]], meld.faces[i], end)


def _original(meld: Meld) -> Meld:
    """The meld as its owner laid it, in faces."""
    laid = [i for i, by in enumerate(meld.by) if by == meld.owner]
    return Meld(
        meld.kind,
        tuple([meld.faces[i] for i in laid]),
        tuple([FACES[meld.cards[i]] for i in laid]),
        (meld.owner,) * len(laid),
        meld.owner,
    )
