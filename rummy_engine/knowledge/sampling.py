"""Full states that fit what one seat knows: for bots that search, and for forecasts shown to spectators."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from rummy_engine.cards import COPY_BITS, FACES, Card, CardSet, card_set, cards_in
from rummy_engine.errors import RummyError
from rummy_engine.knowledge.meldedhands import MeldedHands, RandomSource
from rummy_engine.knowledge.twins import first_copy, laid_by
from rummy_engine.knowledge.view import TableRules, View
from rummy_engine.melds.shapes import Meld
from rummy_engine.state import DEALER, Rest, State

MOST_TRIES = 100_000
"""After so many hands that leave the seat to act without an action the search for a better one is given up."""


def sample_state(rules: TableRules, view: View, rng: RandomSource) -> State:
    """A state that looks the same from the same seat, drawn without regard to how anybody has played.

    Uniform over all ways to put the cards that the view does not name where it names none: into the hands beyond their
    known cards, the stock beyond its known draws (in order), under a discard that lies face down, and out of play, if a
    position has left cards out. Twins count apart, also where the view names their face. Ways in which the seat to act
    could do nothing are left out, for none of them is a state of the game: whoever took cards from deep in the pile can
    table the deepest, and whoever knocked can lay down what was declared, gin or not.

    Raises RummyError for a view of another game, or when none of MOST_TRIES hands lets the seat to act do anything.
    """
    _check(rules, view)
    deck = _Deck(rules.deck, rng)
    named = _named_cards(rules, view, deck)
    hidden = deck.rest()
    missing = [size - hand.bit_count() for size, hand in zip(view.sizes, named.hands, strict=True)]
    in_stock, in_pile = view.stock_size - len(named.stock), len(view.pile) - len(named.pile)
    needed = sum(missing) + in_stock + in_pile
    if min(missing) < 0 or in_stock < 0 or needed > len(hidden):
        raise RummyError(f"the view does not fit these rules: it hides {needed} of {len(hidden)} cards")
    acting = view.to_act
    seats = sorted(range(view.players), key=lambda seat: seat != acting)  # the seat to act is served first

    def dealt() -> State:
        cards = iter(hidden)
        hands = list(named.hands)
        for seat in seats:
            hands[seat] |= card_set(islice(cards, missing[seat]))
        pile = named.pile + tuple(islice(cards, in_pile))
        return named.changed(hands=tuple(hands), pile=pile, stock=named.stock + tuple(islice(cards, in_stock)))

    first = 0 if acting in (DEALER, view.seat) else missing[acting]
    is_gin = view.phase == "spread" and view.declared != "knock"
    if first and is_gin and MeldedHands.is_feasible(rules.finder, named.hands[acting]):
        hidden = _gin_first(rules, named.hands[acting], hidden, first, rng)
    else:
        _shuffle(hidden, 0, first, rng)
        tries = MOST_TRIES if first else 0
        while tries and not _is_of_the_game(rules, dealt()):
            _shuffle(hidden, 0, first, rng)
            tries -= 1
        if first and not tries:
            raise RummyError(f"of {MOST_TRIES} hands that fit the view none lets seat {acting} do anything")
    _shuffle(hidden, first, needed, rng)
    return dealt()


def _is_of_the_game(rules: TableRules, state: State) -> bool:
    """Whether the seat to act can do something; and whether a knocker holds what was declared (rules B13)."""
    if state.phase == "spread":
        declared = rules.declare(state.hands[state.seat] | laid_by(state.table, state.seat))
        if (declared == "knock") != (state.declared == "knock"):
            return False
    return bool(rules.legal[state.phase](state))


def _check(rules: TableRules, view: View) -> None:
    """Raises RummyError for a view whose parts do not belong together."""
    seats = range(view.players)
    by_seat = {"known": view.known, "scores": view.scores}
    wrong = [name for name, each in by_seat.items() if len(each) != view.players]
    wrong += [] if view.phase in rules.phases else ["phase"]
    wrong += [] if view.to_act == DEALER or view.to_act in seats else ["to_act"]
    wrong += [] if view.seat is None or view.seat in seats else ["seat"]
    if wrong:
        raise RummyError(f"the view does not fit these rules: {', '.join(wrong)}")


def _gin_first(
    rules: TableRules, known: CardSet, hidden: list[Card], count: int, rng: RandomSource
) -> list[Card]:
    """The hidden cards, first so many that make a hand of gin with the known ones."""
    hands = MeldedHands(rules.finder, known, card_set(hidden), known.bit_count() + count, rules.worthless)
    found = hands.draw(rng, MOST_TRIES)
    if found is None:
        raise RummyError("the view does not fit these rules: no hidden cards make a hand of gin")
    drawn = list(cards_in(found & ~known))
    return drawn + [card for card in hidden if not found >> card & 1]


def _named_cards(rules: TableRules, view: View, deck: _Deck) -> State:
    """The state as far as the view names its cards."""
    known = tuple([card_set(deck.lay(faces)) for faces in view.known])
    hands = list(known)
    if view.seat is not None:
        hands[view.seat] |= card_set(deck.lay(_without(view.hand, view.known[view.seat])))
    pile = deck.lay([face for face in view.pile if face is not None])
    stock = deck.lay(view.in_stock)
    table = tuple([meld._replace(cards=deck.lay(meld.cards)) for meld in view.table])
    acting = view.to_act
    taken, owed = ((), 0) if acting == DEALER else _of_this_turn(view, rules.pack, hands[acting], known[acting], table)
    return State(
        seat=acting,
        phase=view.phase,
        hands=tuple(hands),
        stock=stock,
        pile=pile,
        known=known,
        taken=taken,
        turns=view.turns,
        idle=view.idle,
        rest=Rest(
            table=table,
            fits=rules.fits(table),
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
        ),
    )


class _Deck:
    """The cards not yet placed. Where a face is placed, it is drawn which of its copies that is."""

    def __init__(self, deck: tuple[Card, ...], rng: RandomSource) -> None:
        self._rng = rng
        self._copies: dict[Card, list[Card]] = {}
        for each in deck:
            self._copies.setdefault(FACES[each], []).append(each)

    def lay(self, faces: Iterable[Card]) -> tuple[Card, ...]:
        """Physical cards that show these faces."""
        found = []
        for face in faces:
            copies = self._copies.get(face)
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
