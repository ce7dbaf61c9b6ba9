"""Whether a hand can be emptied onto a table: against trying every way, and how much work a large hand is."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from rummy_engine.cards import (
    COPY_BITS,
    FACES,
    Card,
    CardSet,
    assign_copies,
    card_set,
    cards_in,
    parse_cards,
    parse_faces,
)
from rummy_engine.melds.emptying import Emptying
from rummy_engine.melds.finder import MeldFinder
from rummy_engine.melds.shapes import Meld, MeldShapes, MeldSpec, extended, new_meld
from tests.helpers import game, legal, table_of

SPECS = [
    MeldSpec(),
    MeldSpec(jokers=2, ace="both"),
    MeldSpec(jokers=2, ace="around", max_wilds=1),
    MeldSpec(packs=2, jokers=4, distinct=False, set_max=5, min_naturals=2),
    MeldSpec(packs=2, jokers=2, ranks=(0, 1, 2, 3, 4, 5), ace="around"),
    MeldSpec(jokers=2, run_max=4, set_min=2),
]


def tabled(finder: MeldFinder, hand: CardSet, most_melds: int, table: tuple[Meld, ...]) -> Iterator[tuple[Meld, ...]]:
    """The tables of all the ways to table a whole hand, one meld or card after the other."""
    if not hand:
        yield table
    for each in finder.melds(hand) if most_melds else ():
        cards = copies(hand, each.cards)
        meld = new_meld(each.stands, cards, 0)
        yield from tabled(finder, hand & ~card_set(cards), most_melds - 1, (*table, meld))
    for index, meld in enumerate(table):
        for face, places in finder.shapes.openings(meld).places.items():
            for card in copies(hand, (face,)) if hand & COPY_BITS[face] else ():
                for place in places:
                    grown = extended(meld, card, place, 0)
                    after = (*table[:index], grown, *table[index + 1 :])
                    yield from tabled(finder, hand ^ 1 << card, most_melds, after)


def copies(hand: CardSet, faces: tuple[Card, ...]) -> list[Card]:
    """Cards of the hand that show these faces."""
    found = []
    for face in faces:
        card = next(cards_in(hand & COPY_BITS[face]))
        hand ^= 1 << card
        found.append(card)
    return found


def drawn(rng: random.Random, finder: MeldFinder) -> tuple[CardSet, tuple[Meld, ...]]:
    """A small hand, and a table of up to two melds, out of the low cards and the jokers."""
    spec = finder.shapes.spec
    deck = [
        Card(pack * 54 + face)
        for pack in range(spec.packs)
        for face in [*(suit * 13 + rank for suit in range(4) for rank in (0, 1, 2, 3, 12) if rank in spec.ranks)]
    ]
    deck += [Card(each) for each in (52, 53, 106, 107)[: spec.jokers]]
    rng.shuffle(deck)
    table: list[Meld] = []
    for _ in range(rng.randrange(3)):
        melds = finder.melds(card_set(deck[:12]))
        if melds:
            meld = rng.choice(melds)
            cards = copies(card_set(deck[:12]), meld.cards)
            table.append(new_meld(meld.stands, cards, 1))
            deck = [card for card in deck if card not in cards]
    return card_set(deck[: rng.randint(1, 6)]), tuple(table)


@pytest.mark.parametrize("spec", SPECS)
def test_as_when_every_way_is_tried(spec: MeldSpec) -> None:
    """With any number of melds, all cards or all but one, and that one anywhere or where no meld has a place for it."""
    finder = MeldFinder(MeldShapes(spec))
    emptying = Emptying(finder.shapes)
    answers = set()
    for seed in range(600):
        rng = random.Random(seed)
        hand, table = drawn(rng, finder)
        onto, most = emptying.table(table), rng.choice([0, 1, 2, 9])
        told = f"seed {seed}"
        everything = any(tabled(finder, hand, most, table)) or (not table and not hand)
        assert emptying.takes_all(hand, most, onto) == everything, told
        kept = unplayable = False
        for last in cards_in(hand):
            for melds in tabled(finder, hand ^ 1 << last, most, table):
                kept = True
                takes = [finder.shapes.openings(meld).takes & COPY_BITS[FACES[last]] for meld in melds]
                if not any(takes):
                    unplayable = True
                    break
        assert emptying.takes_all_but_one(hand, most, onto, hand) == kept, told
        assert emptying.takes_all_but_one(hand, most, onto, hand, unplayable=True) == unplayable, told
        answers |= {("all", everything), ("but one", kept), ("unplayable", unplayable)}
    assert len(answers) == 6


def test_a_large_hand_is_little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty-five cards, three new melds, and a last card that must fit nowhere: once no end of work."""
    looked_at = 0
    search = Emptying._empties

    def counted(self: Emptying, *position: object) -> bool:
        nonlocal looked_at
        looked_at += 1
        return search(self, *position)  # type: ignore[arg-type]  # a key of mixed parts

    monkeypatch.setattr(Emptying, "_empties", counted)
    rules = game(
        "rummy-500", lay__when="going_out", lay__melds_per_turn=3, melds__ace="around", melds__set_suits="distinct",
        deck__packs=2, deck__jokers=1, discard__last="required", discard__last_unplayable=True, players__max=2,
    )
    held = "5D 8S 9S TS JS QD KD AD 2D 3D 4D 4H 4D 4C 4S 5S 6S 8H 8D 8C 6H 5C 6C 7C 8C"
    table = ["9C TC JC QC KC AC", "6S 6D 6C", "8D 9D TD JD", "9S 9H 9D", "4S 4C JK", "3H 4H 5H", "6D 7D JK=8D"]
    state = table_of(rules, held, "2H JH", table=[f"1: {meld}" for meld in table], pile="AC JH", stock="JC 7H")
    assert legal(rules, state, "meld", "layoff") != set()
    assert 0 < looked_at < 50_000


def test_to_ask_leaves_what_melds_take_as_it_was() -> None:
    """The answers are shared: a set with a joker must not be taken for one with more of them."""
    spec = MeldSpec(jokers=2, ranks=(3, 4, 5, 6))
    shapes, rng = MeldShapes(spec), random.Random(1)
    emptying = Emptying(shapes)
    for _ in range(100):
        hand = card_set(rng.sample(list(cards_in(parse_cards("4S 4H 4D 5S 5H 5D 5C 6S 6H JK JK"))), 7))
        emptying.takes_all_but_one(hand, 3, (), hand, unplayable=True)
    for text in ("5S 5H JK", "5S 5H 5D JK", "5S 5H 5D", "4S 4H JK", "4S 4H 4D", "4H JK JK", "4S 4D JK"):
        faces = parse_faces(text)
        meld = new_meld(faces, assign_copies(faces), 0)
        assert shapes.openings(meld) == MeldShapes(spec).openings(meld), text
