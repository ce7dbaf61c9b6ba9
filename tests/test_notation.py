"""Notation: every form that people write comes out as the one action it means (docs/notation.md)."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_engine.actions import Action, Call, Deal, Discard, Knock, LayMeld, LayOff, Reshuffle, Swap, Take
from rummy_engine.cards import FACES, JOKER, assign_copies, parse_card, parse_faces
from rummy_engine.errors import NotationError, RummyError
from rummy_engine.melds.finder import MeldFinder
from rummy_engine.melds.shapes import Meld, MeldShapes, MeldSpec, new_meld
from rummy_engine.state import NOBODY, Rest, State
from rummy_engine.text.notation import MAX_LENGTH, parse_action

BASIC = MeldShapes(MeldSpec())
HIGH_OR_LOW = MeldShapes(MeldSpec(jokers=2, ace="both"))
AROUND = MeldShapes(MeldSpec(jokers=2, ace="around"))
TWO_PACKS = MeldShapes(MeldSpec(packs=2, jokers=4, ace="both"))
ANY_SUITS = MeldShapes(MeldSpec(packs=2, jokers=4, set_max=6, distinct=False))


def lies(shapes: MeldShapes, *texts: str) -> State:
    """A state with these melds (canonical texts) on the table; nothing else matters to a parser."""
    turn = (0, "play", (0, 0), (), (), (0, 0), (), 0, 0)
    rest = ((), 0, 0, 0, False, (), False, 0, 0, NOBODY, "", None, NOBODY, 0, (0, 0), 1, None)
    nothing = State(*turn, Rest(*rest))
    table: list[Meld] = []
    for text in texts:
        action = parse_action(shapes, nothing, "meld " + text)
        assert isinstance(action, LayMeld) and shapes.is_meld(action.cards, action.stands)
        table.append(new_meld(action.stands, assign_copies(action.cards), 0))
    return nothing.changed(table=tuple(table))


def read(text: str, *table: str, shapes: MeldShapes = HIGH_OR_LOW) -> str:
    """The canonical text of what was written."""
    return str(parse_action(shapes, lies(shapes, *table), text))


def is_meld(text: str, shapes: MeldShapes = HIGH_OR_LOW) -> bool:
    action = parse_action(shapes, lies(shapes), text)
    assert isinstance(action, LayMeld)
    return shapes.is_meld(action.cards, action.stands)


# ------------------------------------------------------------------------------------------------------------ forms


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("take", Take(1)),
        ("take 3", Take(3)),
        ("call", Call(1)),
        ("call 4", Call(4)),
        ("swap 9C @1", Swap(parse_card("9C"), 1)),
        ("discard KC", Discard(parse_card("KC"))),
        ("discard JK", Discard(JOKER)),
        ("knock KC", Knock(parse_card("KC"))),
        ("knock", Knock(None)),
        ("deal AS 2S", Deal(parse_faces("AS 2S"))),
        ("reshuffle AS JK JK", Reshuffle(parse_faces("AS JK JK"))),
    ],
)
def test_each_form_is_one_action(text: str, action: Action) -> None:
    assert parse_action(HIGH_OR_LOW, lies(HIGH_OR_LOW), text) == action
    assert str(action) == text


@pytest.mark.parametrize("text", ["draw", "take", "take 2", "pass", "stop", "done", "call 2", "knock", "discard AS"])
def test_canonical_text_comes_back(text: str) -> None:
    assert read(text) == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("  DRAW ", "draw"),
        ("Take 1", "take"),
        ("call 1", "call"),
        ("take 03", "take 3"),
        ("discard 10h", "discard TH"),
        ("discard 8♠", "discard 8S"),
        ("discard ♥8", "discard 8H"),
        ("discard h1", "discard AH"),
        ("knock\td10", "knock TD"),
        ("DISCARD jk", "discard JK"),
        ("meld h1, h2, h3", "meld AH 2H 3H"),
        ("meld 4h jk = 5h 6h", "meld 4H JK=5H 6H"),
        ("deal S1 2S", "deal AS 2S"),
    ],
)
def test_people_write_it_otherwise(text: str, canonical: str) -> None:
    assert read(text) == canonical


# ------------------------------------------------------------------------------------------------------------ melds


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("6H 4H 5H", "4H 5H 6H"),
        ("8D 8S 8H", "8S 8H 8D"),
        ("JK 8D 8S", "8S 8D JK"),
        ("8S 8D JK=8C", "8S 8D JK"),  # in a set the suit says nothing
        ("8S JK=8S 8D", "8S 8D JK"),
        ("8S JK JK", "8S JK JK"),  # without "=", what can be a set is a set
        ("8S JK=9S JK", "8S JK=9S JK=TS"),
        ("8S JK=9S JK=TS", "8S JK=9S JK=TS"),
        ("4H JK 6H", "4H JK=5H 6H"),  # as it stands
        ("JK 4H 5H", "JK=3H 4H 5H"),
        ("4H 5H JK", "4H 5H JK=6H"),
        ("5H 4H JK", "JK=3H 4H 5H"),  # as it stands it is none: the lowest reading
        ("3H 2H JK", "JK=AH 2H 3H"),
        ("QH JK KH", "JK=JH QH KH"),
        ("JK=6H 4H 5H", "4H 5H JK=6H"),
        ("KH QH AH", "QH KH AH"),
        ("3H AH 2H", "AH 2H 3H"),
    ],
)
def test_a_meld_in_any_order(written: str, canonical: str) -> None:
    assert read("meld " + written) == "meld " + canonical
    assert is_meld("meld " + written)
    assert read("meld " + canonical) == "meld " + canonical


SUIT = "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"
ACE_HIGH = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"


def test_a_whole_suit_is_high_only_when_written_so() -> None:
    assert read(f"meld {SUIT}") == f"meld {SUIT}"
    assert read(f"meld {ACE_HIGH}") == f"meld {ACE_HIGH}"
    assert read("meld " + ACE_HIGH.replace("KH AH", "JK=KH AH")) == "meld " + ACE_HIGH.replace("KH", "JK=KH")
    assert read("meld KH " + SUIT.replace(" KH", "")) == f"meld {SUIT}"
    assert read(f"meld {ACE_HIGH}", shapes=AROUND) == f"meld {SUIT}"  # a circle has one reading


def test_around_the_corner() -> None:
    assert read("meld AH KH 2H", shapes=AROUND) == "meld KH AH 2H"
    assert read("meld JK KH AH", shapes=AROUND) == "meld JK=QH KH AH"
    assert read("meld KH JK 2H", shapes=AROUND) == "meld KH JK=AH 2H"


def test_twins_in_sets() -> None:
    assert read("meld 8D 8S 8D", shapes=ANY_SUITS) == "meld 8S 8D 8D"
    assert is_meld("meld 8D 8S 8D", ANY_SUITS)
    assert not is_meld("meld 8D 8S 8D", TWO_PACKS)


@pytest.mark.parametrize(
    "text",
    ["4H 5H", "4H", "4H 5H 7H", "KH AH 2H", "4H 4H 4H", "JK JK JK", "8S 8D JK=9C", "4H 5S 6H", "JK=4H JK=5H JK=6H"],
)
def test_cards_that_are_no_meld_are_still_an_action(text: str) -> None:
    assert read("meld " + text) == "meld " + text
    assert not is_meld("meld " + text)


def test_a_joker_where_there_are_none() -> None:
    assert not is_meld("meld 4H JK=5H 6H", BASIC)
    assert not is_meld("meld 8S 8D JK", BASIC)


# --------------------------------------------------------------------------------------------------------- lay-offs


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("layoff 8C @0", "layoff 8C @0"),
        ("layoff JK=8C @0", "layoff JK @0"),
        ("layoff JK @0", "layoff JK @0"),
        ("layoff 7h@1", "layoff 7H @1"),
        ("layoff 7H @ 1", "layoff 7H @1"),
        ("layoff 7H @1 HIGH", "layoff 7H @1"),  # one end fits: the word says nothing
        ("layoff JK=7H @1 high", "layoff JK=7H @1"),
        ("layoff JK @1 low", "layoff JK=3H @1"),
        ("layoff JK @2", "layoff JK=JC @2"),  # nothing goes above an ace
        ("layoff AD @3 low", "layoff AD @3 low"),
        ("layoff AD @3 high", "layoff AD @3 high"),
        ("layoff JK @3 high", "layoff JK=AD @3 high"),
    ],
)
def test_where_a_layoff_goes(written: str, canonical: str) -> None:
    table = ("8S 8H 8D", "4H 5H 6H", "QC KC AC", "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD")
    assert read(written, *table) == canonical
    assert read(canonical, *table) == canonical
    state = lies(HIGH_OR_LOW, *table)
    action = parse_action(HIGH_OR_LOW, state, written)
    assert isinstance(action, LayOff)
    places = HIGH_OR_LOW.openings(state.table[action.meld]).places[action.card]
    assert (action.stands, action.end) in [(place.stands, place.end) for place in places]


@pytest.mark.parametrize(
    "text",
    [
        "layoff 9C @0",
        "layoff JK=9C @0",  # a joker among eights is no nine
        "layoff 8C @0 high",  # a set has no ends
        "layoff 7H @1 low",
        "layoff JK=8H @1",
        "layoff JK @1",  # at which end?
        "layoff AD @2",
        "layoff 8C @3",
        "layoff 8C @99999999999999999999",
    ],
)
def test_a_layoff_that_cannot_be_is_still_an_action(text: str) -> None:
    table = ("8S 8H 8D", "4H 5H 6H", "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD")
    assert read(text, *table) == text
    state = lies(HIGH_OR_LOW, *table)
    action = parse_action(HIGH_OR_LOW, state, text)
    assert isinstance(action, LayOff)
    if action.meld < len(table):
        places = HIGH_OR_LOW.openings(state.table[action.meld]).places.get(action.card, ())
        assert (action.stands, action.end) not in [(place.stands, place.end) for place in places]


def test_the_last_gap_of_a_circle_has_no_end() -> None:
    table = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"
    for text in ("layoff AH @0", "layoff AH @0 low", "layoff AH @0 high"):
        assert read(text, table, shapes=AROUND) == "layoff AH @0"
    assert read("layoff JK @0", table, shapes=AROUND) == "layoff JK=AH @0"


# ----------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("text", "position", "says"),
    [
        ("", 0, "the end of the text"),
        ("   ", 3, "the end of the text"),
        ("discrad KC", 0, "did you mean 'discard'"),
        ("lay off 8C @0", 0, "did you mean 'layoff'"),
        ("discard", 7, "a card"),
        ("discard KX", 8, "'KX'"),
        ("discard KC KD", 11, "nothing after 'discard KC'"),
        ("draw 2", 5, "nothing after 'draw'"),
        ("take 0", 5, "from 1"),
        ("take 000", 5, "from 1"),
        ("take -1", 5, "from 1"),
        ("take 1.5", 5, "from 1"),
        ("take ٣", 5, "from 1"),
        ("take ²", 5, "from 1"),
        ("take @", 5, "from 1"),
        ("meld", 4, "a card"),
        ("meld 4H 5H=6H 6H", 10, "only a joker"),
        ("meld 4H JK= 6H JK=", 18, "a card"),
        ("layoff 8C", 9, "'@'"),
        ("layoff 8C 0", 10, "'@'"),
        ("layoff 8C @-1", 11, "from 0"),
        ("layoff 8C @x", 11, "from 0"),
        ("layoff 8C @0 @", 13, "low, high"),
        ("layoff 8C @0 hgih", 13, "did you mean 'high'"),
        ("swap 9C", 7, "'@'"),
        ("deal AS 2S 1X", 11, "'1X'"),
        ("deal 1S", 5, "'1S'"),  # an ace is 1 only after its suit
        ("deal AS, 2S ZZ", 12, "'ZZ'"),
        ("draw\0", 0, "an action"),
        ("discard \0", 8, "a card"),
        ("discard 8", 8, "a card"),
        ("discard ８S", 8, "a card"),
    ],
)
def test_text_that_is_no_action(text: str, position: int, says: str) -> None:
    with pytest.raises(NotationError) as caught:
        read(text)
    error = caught.value
    assert says in str(error)
    assert (error.text, error.position) == (text, position)
    assert error.expected


@pytest.mark.parametrize("text", [None, 7, b"draw", ["draw"], {}, object()])
def test_only_text_is_read(text: object) -> None:
    with pytest.raises(NotationError):
        parse_action(BASIC, lies(BASIC), text)  # type: ignore[arg-type]  # wrong on purpose


def test_endless_text_ends() -> None:
    for text in ("meld " + "8S " * 10**6, "x" * 10**7, "take " + "9" * 10**6, " " * 10**6, "\0" * 10**6):
        with pytest.raises(NotationError) as caught:
            read(text)
        assert len(str(caught.value)) < 1000
    assert read("take " + "9" * 4000) == "take " + "9" * 4000
    assert read("draw" + " " * (MAX_LENGTH - 4)) == "draw"


# ------------------------------------------------------------------------------------------------------- properties

faces = st.sampled_from(FACES[:53])
naturals = st.sampled_from(FACES[:52])
hands = st.sets(st.integers(0, 107), min_size=6, max_size=16).map(lambda ids: sum(1 << each for each in ids))


@given(st.one_of(faces.map(Discard), faces.map(Knock), st.integers(1, 10**30).map(Take), st.integers(1, 99).map(Call)))
def test_plain_actions_come_back(action: Action) -> None:
    assert parse_action(BASIC, lies(BASIC), str(action)) == action


@given(st.lists(faces, max_size=110).map(tuple))
def test_shuffles_come_back(cards: tuple[object, ...]) -> None:
    for action in (Deal(cards), Reshuffle(cards)):  # type: ignore[arg-type]  # wrong on purpose
        assert parse_action(BASIC, lies(BASIC), str(action)) == action


@pytest.mark.parametrize("shapes", [HIGH_OR_LOW, AROUND, TWO_PACKS, ANY_SUITS])
@given(hand=hands, seed=st.integers(0, 999))
def test_every_meld_comes_back_and_in_any_order(shapes: MeldShapes, hand: int, seed: int) -> None:
    if shapes.spec.packs == 1:
        hand &= (1 << 54) - 1
    state = lies(shapes)
    for action in random.Random(seed).sample(found := MeldFinder(shapes).melds(hand), min(20, len(found))):
        assert parse_action(shapes, state, str(action)) == action
        words = str(action).split()[1:]
        random.Random(seed).shuffle(words)
        if len(words) < 13:  # of a whole suit the order tells where the ace is
            assert parse_action(shapes, state, "meld " + " ".join(words)) == action


@pytest.mark.parametrize("shapes", [HIGH_OR_LOW, AROUND, TWO_PACKS, ANY_SUITS])
@given(hand=hands, seed=st.integers(0, 999))
def test_every_layoff_comes_back(shapes: MeldShapes, hand: int, seed: int) -> None:
    if shapes.spec.packs == 1:
        hand &= (1 << 54) - 1
    for meld in random.Random(seed).sample(found := MeldFinder(shapes).melds(hand), min(5, len(found))):
        state = lies(shapes, str(meld)[5:])
        for face, places in shapes.openings(state.table[0]).places.items():
            for place in places:
                action = LayOff(face, place.stands, 0, place.end)
                assert parse_action(shapes, state, str(action)) == action


VERBS = ("draw", "take", "pass", "meld", "layoff", "swap", "discard", "knock", "done", "call", "deal")
words = st.sampled_from((*VERBS, *"=@+:,012", "99", "low", "high", "JK", "8S", "10H", "h1", "8♠", "x"))
texts = st.text(max_size=40) | st.tuples(st.lists(words, max_size=9), st.sampled_from(("", " "))).map(
    lambda both: both[1].join(both[0])
)


@given(texts)
def test_anything_else_is_a_notation_error(text: str) -> None:
    state = lies(HIGH_OR_LOW, "8S 8H 8D", "4H 5H 6H")
    try:
        action = parse_action(HIGH_OR_LOW, state, text)
    except RummyError as error:
        assert type(error) is NotationError
        assert error.position is not None and 0 <= error.position <= len(text)
    else:
        assert parse_action(HIGH_OR_LOW, state, str(action)) == action


def test_actions_are_the_interned_ones() -> None:
    assert parse_action(BASIC, lies(BASIC), "meld 5H 4H 6H") is BASIC.meld(*[parse_faces("4H 5H 6H")] * 2)
    assert parse_action(BASIC, lies(BASIC), "draw") is parse_action(BASIC, lies(BASIC), " draw")
