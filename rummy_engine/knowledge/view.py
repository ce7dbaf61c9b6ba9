"""What one seat may know of a state, as a value: the only thing that bots and screens are shown.

Cards in a view are faces, so that twins look alike; a card that the seat cannot see is counted but not named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

from rummy_engine.actions import Action
from rummy_engine.cards import BIT, CARDS, FACES, JOKER, JOKERS, NATURALS, PACK, Card, CardSet, card_set, choices
from rummy_engine.described import described
from rummy_engine.errors import RummyError
from rummy_engine.hints import no_seat
from rummy_engine.melds.shapes import Meld
from rummy_engine.state import RoundResult, State

if TYPE_CHECKING:
    from rummy_engine.melds.finder import MeldFinder


class TableRules(Protocol):
    """What views, samples and events ask of the compiled rules of a table."""

    @property
    def deck(self) -> tuple[Card, ...]:
        """The physical cards, in pack order."""

    @property
    def pack(self) -> CardSet:
        """The same as a set."""

    @property
    def pile_view(self) -> str:
        """How much of the pile a screen may show: "top" or "all" (rules 2.A-24)."""

    @property
    def legal(self) -> Mapping[str, Callable[[State], tuple[Action, ...]]]:
        """The legal actions by phase."""

    @property
    def finder(self) -> MeldFinder:
        """Finds melds in a hand."""

    @property
    def worthless(self) -> CardSet:
        """The cards that count nothing in a hand."""

    @property
    def phases(self) -> Iterable[str]:
        """The phases of this game."""

    def declare(self, cards: CardSet, /) -> str:
        """What a knock that keeps these cards is: "gin" or "knock"."""

    def fits(self, table: tuple[Meld, ...], /) -> CardSet:
        """The cards off the table that some meld of it takes."""


@described
class View(NamedTuple):
    """All that one seat knows; two views are equal iff the seat knows the same.

    A view remembers every card that was shown, save which ones were shuffled back into the stock. Cards are faces.

    Fields:
        seat: Whose view it is; None: a spectator's.
        to_act: The seat to act; DEALER (-1) while a deal or a reshuffle is due and when the match is over.
        phase: "deal", "offer", "draw", "play", "spread", "respond", "call", "reshuffle" or "over".
        dealer: The seat that dealt; once the round is over, the one that deals next.
        round: The number of the round, from 1; it moves on as soon as a round ends.
        hand: The seat's own cards, sorted; a spectator has none.
        sizes: The number of cards per hand.
        known: Per seat: the cards of its hand that everybody has seen, sorted. Taken cards that are still held; while
            a knock is answered the whole hand of the knocker; after the round every hand.
        in_stock: The next draws, as far as everybody knows them (a pile turned over unshuffled), next first.
        stock_size: The number of cards in the stock.
        pile: The pile, bottom to top; None: the last discard lying face down, to all but the seat that laid it (rules
            A10).
        pile_shown: How many of the top cards of the pile a screen may display.
        table: The melds; their `cards` and `faces` are both faces, and differ where a joker stands for a card.
        taken: What this turn took from the pile, bottom to top.
        owed: What this turn must still table, sorted.
        tabled: The seats that melded or laid off in an earlier turn of this round.
        renewals: How often the stock was renewed in this round.
        knock_limit: The deadwood limit in force for a knock (points); None: no limit, or no knocking here.
        scores: The points of the match so far, per seat.
        result: How the round that finished last ended; None in the first round.
        asked: The seats that have answered in the running offer, call window or laying down after a knock, in turn
            order.
        legal: What the seat may do now; () unless it is to act.
        taken_held: Those of `taken` that are still in the hand, sorted.
        by: Whose knock or discard is being answered, else NOBODY (-1).
        declared: What the knocker declared: "knock", "gin" or "big_gin"; "" without a knock.
        turns: How many turns were completed in this round.
        idle: Turns in a row that began with an exhausted stock and tabled nothing (rules R29).
        stock_only: Whether this draw must come from the stock.
        melds_now: How many new melds this turn has laid.
        tabled_now: Whether this turn tabled anything.
        face_down: The seat whose last discard lies face down on the pile, else NOBODY (-1).
    """

    seat: int | None
    to_act: int
    phase: str
    dealer: int
    round: int
    hand: tuple[Card, ...]
    sizes: tuple[int, ...]
    known: tuple[tuple[Card, ...], ...]
    in_stock: tuple[Card, ...]
    stock_size: int
    pile: tuple[Card | None, ...]
    pile_shown: int
    table: tuple[Meld, ...]
    taken: tuple[Card, ...]
    owed: tuple[Card, ...]
    tabled: tuple[int, ...]
    renewals: int
    knock_limit: int | None
    scores: tuple[int, ...]
    result: RoundResult | None
    asked: tuple[int, ...]
    legal: tuple[Action, ...]

    taken_held: tuple[Card, ...]
    by: int
    declared: str
    turns: int
    idle: int
    stock_only: bool
    melds_now: int
    tabled_now: bool
    face_down: int

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.sizes)

    def to_dict(self) -> dict[str, object]:
        """The view as plain data for JSON: cards and actions as text, a meld as kind, cards, by and owner."""
        return {name: plain(value) for name, value in zip(self._fields, self, strict=True)}


def make_view(rules: TableRules, state: State, seat: int | None, legal: tuple[Action, ...] = ()) -> View:
    """What this seat (None: a spectator) knows of a state; `legal`: the actions of the seat to act.

    Every hand is open once the round is over; the knocker's is open while the others answer. Their own leftover cards
    stay hidden until the round is over. Raises RummyError when there is no such seat.
    """
    # Two unpackings instead of 26 look-ups: a view is made at every step of every bot.
    to_act, phase, hands, stock, pile, known, taken, turns, idle, rest = state
    (
        table, _, owed, melds_now, tabled_now, tabled, stock_only, stock_known, renewals, by, declared, knock_limit,
        face_down, dealer, scores, round_, result,
    ) = rest  # fmt: skip
    if seat is None:
        hand: tuple[Card, ...] = ()
    elif type(seat) is int and 0 <= seat < len(hands):
        hand = faces_of(hands[seat])
    else:
        raise RummyError(no_seat(seat, len(hands)))
    asked: tuple[int, ...] = ()
    taken_held: tuple[Card, ...] = ()
    if phase == "play":
        if taken or owed:  # both were seen to come from the pile or the table
            took = BIT[taken[0]] if len(taken) == 1 else card_set(taken)
            taken_held = faces_of(took & hands[to_act])
            known = _with(known, to_act, known[to_act] | hands[to_act] & (owed | took))
    elif phase != "draw":
        known = seen_by_all(state)
        if phase == "offer":
            asked = seats_between(dealer, to_act, len(hands))
        elif phase == "call" or phase == "respond":
            asked = seats_between(by, to_act, len(hands))
    shown: tuple[Card | None, ...] = pile
    if rules.pack > NO_TWINS:
        shown = tuple([FACES[each] for each in pile])
        taken = tuple([FACES[each] for each in taken])
        table = tuple([_in_faces(meld) for meld in table])
    if face_down >= 0 and seat != face_down:
        shown = (*shown[:-1], None)
    return tuple.__new__(
        View,
        (
            seat,
            to_act,
            phase,
            dealer,
            round_,
            hand,
            tuple(map(int.bit_count, hands)),
            tuple(map(_remembered, known)),
            tuple([FACES[each] for each in stock[:stock_known]]) if stock_known else (),
            len(stock),
            shown,
            len(shown) if rules.pile_view == "all" else len(shown[:1]),
            table,
            taken,
            faces_of(owed) if owed else (),
            tabled,
            renewals,
            knock_limit,
            scores,
            result,
            asked,
            legal if seat == to_act else (),
            taken_held,
            by,
            declared,
            turns,
            idle,
            stock_only,
            melds_now,
            tabled_now,
            face_down,
        ),
    )


def seen_by_all(state: State) -> tuple[CardSet, ...]:
    """Per seat, the cards of its hand that everybody has seen (see `View.known`)."""
    phase, hands, known, seat = state.phase, state.hands, state.known, state.seat
    if phase == "deal" or phase == "over":
        return hands
    if phase == "respond":
        return _with(known, state.by, hands[state.by])
    if state.owed or state.taken:
        return _with(known, seat, known[seat] | hands[seat] & (state.owed | card_set(state.taken)))
    return known


def seats_between(first: int, last: int, players: int) -> tuple[int, ...]:
    """The seats strictly between two, in turn order; from a seat to itself: all the others."""
    return tuple([(first + i) % players for i in range(1, (last - first - 1) % players + 1)])


def _with(known: tuple[CardSet, ...], seat: int, seen: CardSet) -> tuple[CardSet, ...]:
    return (*known[:seat], seen, *known[seat + 1 :])


@cache
def _by_suit() -> tuple[list[tuple[Card, ...]], ...]:
    """Per suit, the cards of every set of ranks (index: 13-bit mask), sorted."""
    return tuple(choices(CARDS[suit * 13 : suit * 13 + 13]) for suit in range(4))


NO_TWINS: CardSet = (2 << JOKER) - 1
"""The cards of one pack with one joker: there every card is its own face."""


def faces_of(cards: CardSet) -> tuple[Card, ...]:
    """The faces of a set, sorted, twins repeated: `cards.faces_in`, fast."""
    if not cards:
        return ()
    a, b, c, d = _by_suit()
    low, high = cards & 0x3FFFFFF, cards >> 26
    found = a[low & 8191] + b[low >> 13] + c[high & 8191] + d[high >> 13 & 8191]
    if cards > NATURALS:
        second = cards >> PACK & NATURALS
        if second:
            found = tuple(sorted(found + faces_of(second)))
        found += (JOKER,) * (cards & JOKERS).bit_count()
    return found


_remembered = lru_cache(maxsize=1 << 12)(faces_of)
"""For what everybody has seen of a hand: it changes seldom from view to view."""


def _in_faces(meld: Meld) -> Meld:
    faces = tuple([FACES[each] for each in meld.cards])
    return meld if faces == meld.cards else meld._replace(cards=faces)


def plain(value: object) -> object:
    """Views, events and what they are made of as data for JSON; cards, actions and the cards of melds as text."""
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, Meld):
        return {"kind": value.kind, "cards": str(value).split(), "by": list(value.by), "owner": value.owner}
    if isinstance(value, RoundResult):
        return {name: plain(each) for name, each in zip(value._fields, value, strict=True)}
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    return str(value)
