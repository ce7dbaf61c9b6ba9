"""The best arrangement: against brute force on every kind of deck, against published counts, and by its laws."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_engine.cards import (
    PACK,
    card_set,
    cards_in,
    faces_in,
    format_cards,
    parse_cards,
)
from rummy_engine.melds import deadwood
from rummy_engine.melds.arrange import Arranger
from rummy_engine.melds.finder import MeldFinder
from rummy_engine.melds.shapes import MeldShapes, MeldSpec
from tests import oracles
from tests.arranging import (
    GIN,
    GIN_POINTS,
    POINTS,
    arranger,
    check_arrangement,
    check_hand,
    check_layoffs,
    deck,
    hands,
    laid,
    points_by_text,
    rules_of,
    specs,
    table_meld,
    tables,
    texts,
)

# ---------------------------------------------------------------------------------------------------- known hands


@pytest.mark.parametrize(
    ("hand", "points", "melds", "left"),
    [
        ("6H 7H 8H KS KD KH 9C TC QD 2D", 31, ["6H 7H 8H", "KS KH KD"], "2D QD 9C TC"),  # G01
        ("JC 9D 8S 6D JS 8H TD 8D 7D JD", 16, ["6D 7D 8D 9D TD", "JS JD JC"], "8S 8H"),  # G03: no card used twice
        ("JS QS KS", 0, ["JS QS KS"], ""),  # G35: the king ends a run
        ("TD JD QD KD", 0, ["TD JD QD KD"], ""),
        ("AC 9C 8C 7C 5C 4C 9D 9S AD AH", 24, ["9S 9D 9C", "AH AD AC"], "4C 5C 7C 8C"),  # G41: the last segment
        ("4C 2C 3C AC 8D 6C 9D 9C AD AH", 32, ["2C 3C 4C", "AH AD AC"], "8D 9D 6C 9C"),
        ("6C 7C 8C 9C 9D 9H", 0, ["6C 7C 8C", "9H 9D 9C"], ""),  # R26: greedy grouping leaves 18
        ("AS 2S 3S 4S 5S 6S", 0, ["AS 2S 3S 4S 5S 6S"], ""),  # one run, not two
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS", 0, ["AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"], ""),
        ("8S 8H 8D 8C", 0, ["8S 8H 8D 8C"], ""),
        ("QS KS AS 2S", 23, [], "AS 2S QS KS"),
        ("", 0, [], ""),
    ],
)
def test_known_hands(hand: str, points: int, melds: list[str], left: str) -> None:
    best = arranger().best(parse_cards(hand))
    assert (best.points, texts(best), format_cards(best.left), best.layoffs) == (points, melds, left, ())
    assert arranger().deadwood(parse_cards(hand)) == points


@pytest.mark.parametrize(
    ("hand", "thrown"), [("JS JH JD 8C 7S 7H 7D 4S 3D 2S AC", "8C"), ("8D 5S 5H 5D 4H 4C 3H 2H 2D 2C AD", "8D")]
)
def test_G15_the_discards_that_allow_a_knock(hand: str, thrown: str) -> None:
    assert format_cards(arranger().knockable(parse_cards(hand), 10)) == thrown
    assert arranger().knockable(parse_cards(hand), 0) == 0


def test_every_card_of_a_gin_hand_that_can_be_thrown() -> None:
    gin = parse_cards("AS 2S 3S 4S 9S 9H 9D 9C JH QH KH")
    assert format_cards(arranger().knockable(gin, 0)) == "AS 4S 9S 9H 9D 9C"


@pytest.mark.parametrize(("melds", "left"), [("5S 5D 5C|6S 6D 6C|7S 7D 7C", 3), ("5S 6S 7S|5D 6D 7D|5C 6C 7C", 0)])
def test_G19_the_melds_of_the_knocker_matter(melds: str, left: int) -> None:
    onto = tuple(map(table_meld, melds.split("|")))
    defender = parse_cards("3S 4S 8S 4C 8C 4D 8D 5H 6H 7H")
    assert arranger().best(defender, onto, seat=1, chain="own").points == left


def test_G20_a_lay_off_opens_the_place_of_the_next() -> None:
    onto = table_meld("AS AD AC"), table_meld("TH TD TC"), table_meld("JS QS KS")
    best = arranger().best(parse_cards("4S 5S 9S TS 4C 5C 4D 5D 4H 5H"), onto, seat=1, chain="own")
    assert (best.points, texts(best)) == (0, ["4S 4H 4D 4C", "5S 5H 5D 5C"])
    assert [(str(card), at) for card, at in best.layoffs] == [("TS", 2), ("9S", 2)]


def test_example_12_a_run_grows_at_both_ends() -> None:
    onto = table_meld("7H 8H 9H TH"), table_meld("QS QD QC")
    best = arranger().best(parse_cards("KS KD KC 8S 9S TS JH 6H 4S 4D"), onto, seat=1, chain="own")
    assert best.points == 8 and {(str(card), at) for card, at in best.layoffs} == {("6H", 0), ("JH", 0)}


@pytest.mark.parametrize(
    ("chain", "hand", "added", "left"),
    [
        ("own", "7S 8S", (), 0),  # B18: the own lay-offs of one seat chain
        ("none", "7S 8S", (), 8),
        ("any", "7S 8S", (), 0),
        ("own", "8S", ((1, "7S"),), 8),  # B17: not on what another opponent added
        ("none", "8S", ((1, "7S"),), 8),
        ("any", "8S", ((1, "7S"),), 0),
        ("own", "3S 8S", ((1, "7S"),), 8),  # the other end is still the knocker's
        ("own", "8S", ((2, "7S"),), 0),
        ("none", "3S 7S", (), 0),  # one card an end
    ],
)
def test_B17_B18_chains(chain: str, hand: str, added: tuple[tuple[int, str], ...], left: int) -> None:
    onto = (table_meld("4S 5S 6S", 0, *added),)
    assert arranger().best(parse_cards(hand), onto, seat=2, chain=chain).points == left


def test_chain_none_is_one_card_an_end_for_the_owner_too() -> None:
    onto = (table_meld("4S 5S 6S", 1),)
    assert arranger().best(parse_cards("7S 8S"), onto, seat=1, chain="none").points == 8


@pytest.mark.parametrize("chain", ["own", "none", "any"])
@pytest.mark.parametrize("end", [f"{rank}{suit}" for suit in "SHDC" for rank in "A58K"])
def test_on_any_card_of_the_owner_another_may_be_laid(end: str, chain: str) -> None:
    """Whichever card it is: both neighbours of a run of three fit, round the corner too."""
    at, suit = "A23456789TJQK".index(end[0]), end[1]
    before, *run, after = ["A23456789TJQK"[(at + step) % 13] + suit for step in range(-3, 2)]
    around = arranger(MeldSpec(ace="around"))
    for card in (before, after):
        assert around.best(parse_cards(card), (table_meld(" ".join(run)),), seat=1, chain=chain).points == 0


def test_a_meld_is_broken_for_a_lay_off() -> None:
    """The set of sevens leaves 17; without its spade, which the table takes, the run leaves 7 (rules 2.B-21)."""
    best = arranger().best(parse_cards("7S 7H 7D 8H 9H"), (table_meld("4S 5S 6S"),), seat=1, chain="own")
    assert (best.points, texts(best)) == (7, ["7H 8H 9H"])
    assert [(str(card), at) for card, at in best.layoffs] == [("7S", 0)]


def test_a_card_goes_to_one_meld() -> None:
    onto = table_meld("4S 5S 6S"), table_meld("7H 7D 7C")
    best = arranger().best(parse_cards("7S 8S"), onto, seat=1, chain="own")
    assert (best.points, [at for _, at in best.layoffs]) == (0, [0, 0])


WILD = MeldSpec(packs=2, jokers=4, ace="both")


@pytest.mark.parametrize(
    ("hand", "points", "melds"),
    [
        ("4H 5H 6H JK", 0, ["4H 5H 6H JK=7H"]),
        ("4H 6H JK", 0, ["4H JK=5H 6H"]),
        ("QH KH JK", 0, ["QH KH JK=AH"]),
        ("8S 8D JK", 0, ["8S 8D JK"]),
        ("8S JK JK", 0, ["8S JK JK"]),
        ("JK JK JK", 45, []),  # a meld needs a natural card
        ("8S 8S 8D", 24, []),  # the suits of a set differ
        ("8S 8S 8D 8D 8C 8C", 0, ["8S 8D 8C", "8S 8D 8C"]),
        ("4H 5H 6H 4H 5H 6H", 0, ["4H 5H 6H", "4H 5H 6H"]),
        ("4H 5H 6H 7H 5H 6H 7H 8H", 0, ["4H 5H 6H 7H 8H", "5H 6H 7H"]),
        ("QS KS AS 2S 3S", 5, ["QS KS AS"]),
    ],
)
def test_jokers_and_twins(hand: str, points: int, melds: list[str]) -> None:
    best = arranger(WILD).best(parse_cards(hand), seat=3)
    assert (best.points, texts(best)) == (points, melds)
    assert card_set(card for meld in best.melds for card in meld.cards) | best.left == parse_cards(hand)
    assert all(meld.owner == 3 and set(meld.by) == {3} for meld in best.melds)


def test_a_joker_is_laid_off_to_bridge() -> None:
    onto = (table_meld("4S 5S 6S"),)
    best = arranger(WILD).best(parse_cards("8S JK"), onto, seat=1, chain="own")
    assert (best.points, [str(card) for card, _ in best.layoffs]) == (0, ["JK", "8S"])


# --------------------------------------------------------------------------------------------- against brute force


@settings(max_examples=200, deadline=None)
@given(data=st.data(), spec=specs(plain=True), points=POINTS)
def test_one_pack_against_brute_force(data: st.DataObject, spec: MeldSpec, points: tuple[int, ...]) -> None:
    check_hand(spec, points, data.draw(hands(spec, 10)))


@settings(max_examples=200, deadline=None)
@given(data=st.data(), spec=specs(), points=POINTS)
def test_any_deck_against_brute_force(data: st.DataObject, spec: MeldSpec, points: tuple[int, ...]) -> None:
    check_hand(spec, points, data.draw(hands(spec)))


@settings(max_examples=200, deadline=None)
@given(data=st.data(), spec=specs(), points=POINTS, chain=st.sampled_from(["own", "none", "any"]))
def test_lay_offs_against_brute_force(data: st.DataObject, spec: MeldSpec, points: tuple[int, ...], chain: str) -> None:
    onto, free = data.draw(tables(spec))
    hand = data.draw(hands(spec, 7)) & free
    best = arranger(spec, points).best(hand, onto, seat=1, chain=chain)
    assert best.points == oracles.deadwood_with_layoffs(
        [str(card) for card in cards_in(hand)],
        rules_of(spec),
        points_by_text(points),
        [laid(meld) for meld in onto],
        1,
        chain,
    )
    check_arrangement(best, hand, spec, points)
    check_layoffs(best, onto, spec, 1, chain)


@settings(max_examples=300, deadline=None)
@given(data=st.data(), spec=st.one_of(specs(), specs(plain=True)))
def test_the_usable_faces_are_those_of_the_melds(data: st.DataObject, spec: MeldSpec) -> None:
    finder = MeldFinder(MeldShapes(spec))
    hand = data.draw(hands(spec, 14))
    faces = {face for meld in finder.melds(hand) for face in meld.cards}
    assert finder.usable(hand) == sum(1 << face for face in faces)


SMALL_DECKS = [
    MeldSpec(ranks=(0, 1, 2, 3)),
    MeldSpec(ranks=(0, 1, 2, 11, 12), suits=(0, 1, 2), ace="around"),
    MeldSpec(ranks=(0, 1, 2, 11, 12), suits=(0, 1, 2), ace="both", set_max=3),
    MeldSpec(ranks=(2, 3, 4, 5, 6, 7, 8), suits=(1, 3), set_min=2, run_max=4),
    MeldSpec(ranks=(2, 3, 4), set_min=4),
    MeldSpec(ranks=(2, 3, 4), set_min=2, set_max=2),  # four of a rank are two sets
    MeldSpec(ranks=(4, 5, 6), suits=(0, 1), packs=2, distinct=False),
    MeldSpec(ranks=(4, 5, 6, 7), suits=(0, 1, 2), jokers=1),
    MeldSpec(ranks=(0, 11, 12), suits=(0, 1), packs=2, jokers=2, ace="both", max_wilds=1),
    MeldSpec(ranks=(3, 4, 5, 6, 7, 8, 9), suits=(1,), jokers=2, min_naturals=2),  # 4H JK JK 7H 8H 9H stays whole
    MeldSpec(ranks=(3, 4, 5, 6, 7, 8, 9, 10), suits=(1,), jokers=2, min_naturals=3, max_wilds=1),
]


@pytest.mark.parametrize(("naturals", "wilds", "set_max"), [*product((1, 2), (1, 2), (2, 3))])
def test_the_usable_faces_of_every_small_hand(naturals: int, wilds: int, set_max: int) -> None:
    """Also where a joker is of use in one kind of meld only, or in none."""
    spec = MeldSpec(
        jokers=2, ranks=(3, 4, 5, 6), suits=(0, 1), set_min=2, set_max=set_max, min_naturals=naturals, max_wilds=wilds
    )
    finder = MeldFinder(MeldShapes(spec))
    for size in range(6):
        for cards in combinations(deck(spec), size):
            faces = {face for meld in finder.melds(card_set(cards)) for face in meld.cards}
            assert finder.usable(card_set(cards)) == sum(1 << face for face in faces), cards


@pytest.mark.parametrize("spec", SMALL_DECKS)
def test_every_hand_of_a_small_deck(spec: MeldSpec) -> None:
    cards = deck(spec)
    least = oracles.deadwood_of_all([str(card) for card in cards], rules_of(spec), points_by_text(GIN_POINTS))
    for chosen, expected in enumerate(least):
        hand = card_set(card for i, card in enumerate(cards) if chosen >> i & 1)
        assert arranger(spec).deadwood(hand) == expected, format_cards(hand)


# ------------------------------------------------------------------------------------------------------------ laws


@settings(max_examples=100, deadline=None)
@given(data=st.data(), spec=specs(), points=POINTS)
def test_a_card_adds_at_most_its_points(data: st.DataObject, spec: MeldSpec, points: tuple[int, ...]) -> None:
    tested, hand = arranger(spec, points), data.draw(hands(spec, 12))
    for card in cards_in(hand):
        assert tested.deadwood(hand) <= tested.deadwood(hand & ~(1 << card)) + points[card.face]


@settings(max_examples=200, deadline=None)
@given(data=st.data(), spec=st.one_of(specs(), specs(plain=True)), points=POINTS, limit=st.integers(0, 30))
def test_knockable_is_deadwood_card_by_card(
    data: st.DataObject, spec: MeldSpec, points: tuple[int, ...], limit: int
) -> None:
    tested, hand = arranger(spec, points), data.draw(hands(spec, 12))
    expected = [card for card in cards_in(hand) if tested.deadwood(hand & ~(1 << card)) <= limit]
    assert list(cards_in(tested.knockable(hand, limit))) == expected


@settings(max_examples=200, deadline=None)
@given(data=st.data(), spec=specs(), points=POINTS)
def test_nothing_more_could_be_melded_or_joined(data: st.DataObject, spec: MeldSpec, points: tuple[int, ...]) -> None:
    """No meld fits in the cards left, nor in two of the melds together."""
    best = arranger(spec, points).best(data.draw(hands(spec, 12)))
    assert not MeldFinder(MeldShapes(spec)).melds(best.left)
    for one, other in combinations(best.melds, 2):
        assert not oracles.is_meld([str(card) for card in (*one.cards, *other.cards)], rules_of(spec))


@settings(max_examples=60, deadline=None)
@given(st.data(), specs(plain=True))
def test_large_hands_take_the_other_way_to_the_same_number(data: st.DataObject, spec: MeldSpec) -> None:
    """Whether every choice of a set is tried or not."""
    hand = data.draw(hands(spec, 18))
    plain = deadwood.PlainDeadwood(MeldShapes(spec), GIN_POINTS)
    found = []
    for most in (0, 13):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(deadwood, "MOST_BRANCHES", most)
            found.append(plain.least(hand))
    assert found[0] == found[1]


def test_the_whole_pack_is_melded_in_no_time() -> None:
    hand = card_set(deck(GIN))
    assert arranger().deadwood(hand) == arranger().best(hand).points == 0
    assert arranger().deadwood(hand & ~parse_cards("7S 7H 7D 7C 2S")) == 0


def test_a_search_may_forget(monkeypatch: pytest.MonkeyPatch) -> None:
    hand = parse_cards("4H 5H 8H 8S 8D 9D TD JK JK QS QS")
    searching = Arranger(MeldFinder(MeldShapes(WILD)), GIN_POINTS)
    least = searching.deadwood(hand)
    monkeypatch.setattr(deadwood, "MOST_SOLVED", 0)
    assert searching.deadwood(hand) == searching.best(hand).points == least


def test_twins_with_jokers_are_laid_in_one_order() -> None:
    pairs = arranger(MeldSpec(ranks=(8, 9), packs=2, jokers=4, run_min=2, run_max=2, set_min=3, set_max=3))
    naturals, jokers = parse_cards("9D TD"), parse_cards("JK JK")
    hand = naturals | jokers << PACK
    twins = hand >> PACK | (hand & (1 << PACK) - 1) << PACK
    assert texts(pairs.best(hand)) == texts(pairs.best(twins)) == ["9D JK=TD", "JK=9D TD"]


@settings(max_examples=100, deadline=None)
@given(data=st.data(), spec=specs())
def test_twins_are_the_same(data: st.DataObject, spec: MeldSpec) -> None:
    hand = data.draw(hands(spec._replace(packs=2, jokers=4), 10))
    twin = hand >> PACK | (hand & (1 << PACK) - 1) << PACK
    tested = arranger(spec._replace(packs=2, jokers=4))
    assert tested.deadwood(hand) == tested.deadwood(twin)
    one, other = tested.best(hand), tested.best(twin)
    assert texts(one) == texts(other) and faces_in(one.left) == faces_in(other.left)
