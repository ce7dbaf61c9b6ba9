"""Decks, hands and tables to arrange, and what an arrangement must be."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from hypothesis import strategies as st

from rummy_engine.cards import (
    CARDS,
    PACK,
    RANKS,
    SUITS,
    Card,
    CardSet,
    assign_copies,
    card_set,
    cards_in,
    faces_in,
    parse_faces,
)
from rummy_engine.melds.arrange import Arranger
from rummy_engine.melds.finder import MeldFinder
from rummy_engine.melds.shapes import Arrangement, Meld, MeldShapes, MeldSpec, extended, new_meld
from tests import oracles

PIPS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
GIN_POINTS = (*PIPS * 4, 15)
GIN = MeldSpec()


@lru_cache(maxsize=32)
def arranger(spec: MeldSpec = GIN, points: tuple[int, ...] = GIN_POINTS) -> Arranger:
    return Arranger(MeldFinder(MeldShapes(spec)), points)


def deck(spec: MeldSpec) -> list[Card]:
    """Every physical card of a deck."""
    ids = [pack * PACK + suit * 13 + rank for pack, suit, rank in product(range(spec.packs), spec.suits, spec.ranks)]
    return [CARDS[id] for id in (*ids, *(52, 53, PACK + 52, PACK + 53)[: spec.jokers])]


def table_meld(text: str, owner: int = 0, *added: tuple[int, str]) -> Meld:
    """A meld of plain cards, written in order, with cards that other seats put at its upper end."""
    faces = parse_faces(" ".join([text, *(more for _, more in added)]))
    by = (owner,) * len(parse_faces(text)) + tuple(seat for seat, more in added for _ in parse_faces(more))
    return new_meld(faces, assign_copies(faces), owner)._replace(by=by)


def texts(arrangement: Arrangement) -> list[str]:
    return [str(meld) for meld in arrangement.melds]


def rules_of(spec: MeldSpec) -> oracles.MeldRules:
    return oracles.MeldRules(
        packs=spec.packs,
        ranks="".join(RANKS[rank] for rank in spec.ranks),
        suits="".join(SUITS[suit] for suit in spec.suits),
        set_min=spec.set_min,
        set_max=spec.set_max,
        distinct=spec.distinct,
        run_min=spec.run_min,
        run_max=spec.run_max,
        ace=spec.ace,
        min_naturals=spec.min_naturals,
        max_wilds=spec.max_wilds,
    )


def points_by_text(points: tuple[int, ...]) -> dict[str, int]:
    return {str(CARDS[face]): value for face, value in enumerate(points)}


def laid(meld: Meld) -> oracles.LaidMeld:
    entries = zip(meld.cards, meld.faces, meld.by, strict=True)
    return oracles.LaidMeld(
        meld.kind, tuple(oracles.LaidCard(str(card), str(face), seat) for card, face, seat in entries), meld.owner
    )


def check_arrangement(best: Arrangement, hand: CardSet, spec: MeldSpec, points: tuple[int, ...]) -> None:
    """It uses each card of the hand once, its melds are melds, and its points are those of the cards left."""
    used = [card for meld in best.melds for card in meld.cards] + [card for card, _ in best.layoffs]
    assert len(set(used)) == len(used) and card_set(used) | best.left == hand and not card_set(used) & best.left
    shapes = MeldShapes(spec)
    for meld in best.melds:
        assert oracles.is_meld([str(card) for card in meld.cards], rules_of(spec))
        assert shapes.is_meld(tuple(card.face for card in meld.cards), meld.faces)
    assert best.points == sum(points[face] for face in faces_in(best.left))


def check_layoffs(best: Arrangement, onto: tuple[Meld, ...], spec: MeldSpec, seat: int, chain: str) -> None:
    """Played in their order, every lay-off has a place, at one end or the other."""

    def playable(
        table: tuple[Meld, ...], steps: tuple[tuple[Card, int], ...], used: frozenset[tuple[int, str]]
    ) -> bool:
        if not steps:
            return True
        (card, at), later = steps[0], steps[1:]
        for place in MeldShapes(spec).openings(table[at]).places.get(card.face, ()):
            for end in ("low", "high") if place.side is None else (place.side,):
                if oracles.may_add(laid(table[at]), end, seat, chain, (at, end) in used):
                    longer = extended(table[at], card, place, seat)
                    if playable((*table[:at], longer, *table[at + 1 :]), later, used | {(at, end)}):
                        return True
        return False

    assert playable(onto, best.layoffs, frozenset())


@st.composite
def specs(draw: st.DrawFn, plain: bool = False) -> MeldSpec:
    """Any meld rules, on a deck of few neighbouring ranks so that melds abound."""
    line = draw(st.sampled_from([range(5), range(7), range(4, 10), (0, 1, 2, 11, 12), (0, 1, 4, 5, 6), range(13)]))
    packs = 1 if plain else draw(st.integers(1, 2))
    set_min, run_min = draw(st.integers(2, 4)), draw(st.integers(2, 4))
    return MeldSpec(
        packs=packs,
        jokers=0 if plain else packs * draw(st.integers(0, 2)),
        ranks=tuple(line),
        suits=draw(st.sampled_from([(0, 1, 2, 3), (0, 1, 2), (0, 2)])),
        set_min=set_min,
        set_max=draw(st.integers(set_min, 6)),
        distinct=draw(st.booleans()),
        run_min=run_min,
        run_max=draw(st.sampled_from([run_min, run_min + 1, 13])),
        ace=draw(st.sampled_from(["low", "high", "both", "around"])),
        min_naturals=draw(st.integers(1, min(set_min, run_min))),
        max_wilds=draw(st.integers(0, 4)),
    )


POINTS = st.one_of(
    st.just(GIN_POINTS),
    st.lists(st.integers(0, 15), min_size=13, max_size=13).map(lambda ranks: (*ranks * 4, 15)),
    st.lists(st.integers(0, 3), min_size=53, max_size=53).map(tuple),
)


@st.composite
def hands(draw: st.DrawFn, spec: MeldSpec, most: int = 9) -> CardSet:
    """Cards of a deck, half of the time from four neighbouring ranks."""
    cards = deck(spec)
    if draw(st.booleans()):
        start = draw(st.integers(0, 9))
        cards = [card for card in cards if card.is_joker or start <= card.rank < start + 4] or cards
    return card_set(draw(st.lists(st.sampled_from(cards), max_size=most, unique=True)))


def check_hand(spec: MeldSpec, points: tuple[int, ...], hand: CardSet) -> None:
    tested = arranger(spec, points)
    least = oracles.deadwood([str(card) for card in cards_in(hand)], rules_of(spec), points_by_text(points))
    assert tested.deadwood(hand) == least
    assert tested.points_of(hand) == sum(points[face] for face in faces_in(hand))
    best = tested.best(hand)
    assert best.points == least
    check_arrangement(best, hand, spec, points)


@st.composite
def tables(draw: st.DrawFn, spec: MeldSpec) -> tuple[tuple[Meld, ...], CardSet]:
    """Up to three disjoint melds of three seats, some of them extended by another seat; and the cards they use."""
    shapes = MeldShapes(spec)
    melds: list[Meld] = []
    free = card_set(deck(spec))
    for _ in range(draw(st.integers(1, 3))):
        found = MeldFinder(shapes).melds(free & card_set(draw(st.lists(st.sampled_from(deck(spec)), max_size=12))))
        if found:
            choice = draw(st.sampled_from(found))
            cards = assign_copies(choice.cards, ~free)
            melds.append(new_meld(choice.stands, cards, draw(st.integers(0, 2))))
            free &= ~card_set(cards)
    for at, meld in enumerate(melds):
        takes = [card for card in cards_in(free) if shapes.openings(meld).takes >> card & 1]
        if draw(st.booleans()) and takes:
            card = draw(st.sampled_from(takes))
            place = draw(st.sampled_from(shapes.openings(meld).places[card.face]))
            melds[at] = extended(meld, card, place, draw(st.integers(0, 2)))
            free &= ~(1 << card)
    return tuple(melds), free
