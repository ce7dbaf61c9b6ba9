"""Full states that fit what one seat knows: for bots that search, and for forecasts shown to spectators."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from rummy_engine.cards import COPY_BITS, FACES, Card, CardSet, card_set
from rummy_engine.errors import RummyError
from rummy_engine.melds import Meld
from rummy_engine.state import DEALER, State
from rummy_engine.twins import first_copy, laid_by
from rummy_engine.view import TableRules, View

MOST_TRIES = 1_000_000
"""After so many hands that leave the seat to act without an action, the next one is taken as it is."""


class RandomSource(Protocol):
    """A source of chance: all that is asked of it is `random()`, a float in [0, 1)."""

    def random(self) -> float:
        """The next number."""


def sample_state(rules: TableRules, view: View, rng: RandomSource) -> State:
    """A state that looks the same from the same seat, drawn without regard to how anybody has played.

    Uniform over all ways to put the cards that the view does not name where it names none: into the hands beyond their
    known cards, the stock beyond its known draws (in order), under a discard that lies face down, and out of play, where
    a position has left cards out. Twins count apart, also where the view names their face. The ways in which the seat
    to act could do nothing are left out, for none of them is a state of the game: whoever took cards from deep in the
    pile can table the deepest, and whoever knocked can lay down.

    Raises RummyError for a view of another game.
    """
    deck = _Deck(rules.deck, rng)
    seat, acting = view.seat, view.to_act
    known = tuple([card_set(deck.lay(faces)) for faces in view.known])
    hands = list(known)
    if seat is not None:
        hands[seat] |= card_set(deck.lay(_without(view.hand, view.known[seat])))
    pile = [None if face is None else deck.lay((face,))[0] for face in view.pile]
    stock = deck.lay(view.in_stock)
    table = tuple([meld._replace(cards=deck.lay(meld.cards)) for meld in view.table])
    taken, owed = ((), 0) if acting == DEALER else _of_this_turn(view, rules.pack, hands[acting], known[acting], table)

    missing = [size - hand.bit_count() for size, hand in zip(view.sizes, hands, strict=True)]
    seats = sorted(range(view.players), key=lambda each: each != acting)  # the seat to act is served first
    first = 0 if acting == DEALER else missing[acting]
    in_stock = view.stock_size - len(stock)
    needed = sum(missing) + pile.count(None) + in_stock
    hidden = deck.rest()
    if min(missing) < 0 or in_stock < 0 or needed > len(hidden):
        raise RummyError(f"a view with {needed} hidden cards does not fit these rules: {len(hidden)} cards are unknown")

    def filled() -> State:
        cards = iter(hidden)
        full = list(hands)
        for each in seats:
            for _ in range(missing[each]):
                full[each] |= 1 << next(cards)
        return State(
            seat=acting,
            phase=view.phase,
            hands=tuple(full),
            pile=tuple([next(cards) if each is None else each for each in pile]),
            stock=stock + tuple([next(cards) for _ in range(in_stock)]),
            known=known,
            taken=taken,
            turns=view.turns,
            idle=view.idle,
            table=table,
            fits=fits,
            owed=owed,
            melds_now=view.melds_now,
            tabled_now=view.tabled_now,
            tabled=view.tabled,
            stock_only=view.stock_only,
            stock_known=len(stock),
            renewals=view.renewals,
            by=view.by,
            declared=view.declared,
            knock_limit=view.knock_limit,
            face_down=view.face_down,
            dealer=view.dealer,
            scores=view.scores,
            round=view.round,
            result=view.result,
        )

    fits = rules.fits(table)
    _shuffle(hidden, 0, first, rng)
    if first and acting != seat:
        legal = rules.legal[view.phase]
        for _ in range(MOST_TRIES):
            if legal(filled()):
                break
            _shuffle(hidden, 0, first, rng)
    _shuffle(hidden, first, needed, rng)
    return filled()


class _Deck:
    """The cards not yet placed. Where a face is placed, it is drawn which of its copies that is."""

    def __init__(self, deck: tuple[Card, ...], rng: RandomSource) -> None:
        self._rng = rng
        self._copies: dict[Card, list[Card]] = {}
        for each in deck:
            self._copies.setdefault(FACES[each], []).append(each)

    def lay(self, faces: Iterable[Card | None]) -> tuple[Card, ...]:
        """Physical cards that show these faces."""
        found = []
        for face in faces:
            copies = self._copies.get(face) if face is not None else None
            if not copies:
                raise RummyError(f"the view does not fit these rules: there are not so many {face}")
            found.append(copies.pop(int(self._rng.random() * len(copies)) if len(copies) > 1 else 0))
        return tuple(found)

    def rest(self) -> list[Card]:
        """The cards that no place has named."""
        return [each for copies in self._copies.values() for each in copies]


def _shuffle(cards: list[Card], start: int, end: int, rng: RandomSource) -> None:
    """Draws the cards for the places from `start` up to `end` from all the cards from `start` on."""
    random, count = rng.random, len(cards)
    for i in range(start, end):
        j = i + int(random() * (count - i))
        cards[i], cards[j] = cards[j], cards[i]


def _without(faces: tuple[Card, ...], named: tuple[Card, ...]) -> list[Card]:
    rest = list(faces)
    for face in named:
        rest.remove(face)
    return rest


def _of_this_turn(
    view: View, pack: CardSet, hand: CardSet, known: CardSet, table: tuple[Meld, ...]
) -> tuple[tuple[Card, ...], CardSet]:
    """Which cards are `taken` and `owed`: all that are still held are among those of the hand that everybody knows."""
    owed = 0
    for face in view.owed:
        copy = first_copy(COPY_BITS[face], (known & ~owed,))
        owed |= 0 if copy is None else 1 << copy
    laid = laid_by(table, view.to_act)
    held = list(view.taken_held)
    taken: list[Card] = []
    for face in view.taken:
        if face in held:
            held.remove(face)
            sources = (owed, known)
        else:
            sources = (laid, pack & ~hand)
        unused = ~card_set(taken)
        copy = first_copy(COPY_BITS[face], tuple([source & unused for source in sources]))
        taken += [] if copy is None else [copy]
    return tuple(taken), owed
