"""Positions: text to state with the defaults of docs/notation.md, `describe` back again, and every mistake named."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rummy_engine as rummy
from rummy_engine.actions import Knock
from rummy_engine.cards import COPIES, Card, card_set, format_faces, parse_card, parse_cards
from rummy_engine.errors import NotationError, ProfileError, RummyError
from rummy_engine.knowledge.twins import laid_by
from rummy_engine.melds.shapes import MeldSpec
from rummy_engine.rules import Rules
from rummy_engine.state import DEALER, NOBODY, PHASES, RoundResult, State
from rummy_engine.text.keywords import KEYWORDS
from rummy_engine.text.position import describe, make_position
from tests.positions import ANY_SUITS, BASIC, JOKERS, TWO_PACKS, Stub, any_state


def position(rules: Stub, /, *hands: str, **keywords: Any) -> State:
    return make_position(lambda players: rules, 2, 4, {"hands": list(hands), **keywords})


def mistakes(rules: Stub, /, *hands: str, **keywords: Any) -> str:
    with pytest.raises(NotationError) as caught:
        position(rules, *hands, **keywords)
    return str(caught.value)


def comes_back(rules: Stub, state: State) -> dict[str, Any]:
    """What `describe` says, after the check that it is JSON and means the state."""
    said = describe(state)
    assert tuple(said) == tuple(KEYWORDS)[: len(said)]
    data = json.loads(json.dumps(said))
    assert data == said
    again = make_position(lambda players: rules, 2, 8, data)
    assert again == state
    assert all(isinstance(each, Card) for each in (*again.stock, *again.pile, *again.taken))
    return said


# --------------------------------------------------------------------------------------------------------- defaults


def test_an_example_with_most_keywords() -> None:
    state = position(
        BASIC,
        *("8S 8H 8D KC", "2C 3C 4C"),
        pile="5D",
        stock="7H 2S",
        table=["0: 4H 5H 6H", "9S 9D 9C"],
        seat=0,
        dealer=1,
        phase="play",
        taken="KC",
        tabled=[0],
        renewals=1,
        scores=[40, 85],
        round=3,
        known=["KC", ""],
    )
    assert state.hands == (parse_cards("8S 8H 8D KC"), parse_cards("2C 3C 4C"))
    assert format_faces(state.stock) == "7H 2S"
    assert [str(meld) for meld in state.table] == ["4H 5H 6H", "9S 9D 9C"]
    assert [(meld.kind, meld.owner, meld.by) for meld in state.table] == [
        ("run", 0, (0, 0, 0)),
        ("set", NOBODY, (NOBODY,) * 3),
    ]
    assert format_faces(state.taken) == "KC" and state.owed == 0
    assert state.known == (parse_cards("KC"), 0)
    assert (state.seat, state.dealer, state.phase, state.tabled, state.renewals) == (0, 1, "play", (0,), 1)
    assert (state.scores, state.round, state.by) == ((40, 85), 3, NOBODY)
    assert state.fits == parse_cards("3H 7H 9H")
    comes_back(BASIC, state)


def test_defaults() -> None:
    state = position(BASIC, "8S", "", "KC")
    assert (state.seat, state.dealer, state.phase, state.round, state.scores) == (1, 0, "draw", 1, (0, 0, 0))
    assert state.stock == tuple(each for each in BASIC.deck if str(each) not in ("8S", "KC"))
    assert (state.pile, state.table, state.taken, state.known) == ((), (), (), (0, 0, 0))
    assert (state.turns, state.idle, state.renewals, state.by) == (0, 0, 0, NOBODY)
    assert state.result is None
    assert position(BASIC, "8S", "KC", dealer=1).seat == 0
    assert position(BASIC, "8S", "KC", stock=None, table=None, tabled=None, by=None) == position(BASIC, "8S", "KC")


def test_cards_named_nowhere_are_out_of_play_once_the_stock_is_written() -> None:
    assert position(BASIC, "8S", "KC", stock="").stock == ()
    assert len(position(TWO_PACKS, "8S", "KC").stock) == 106


def test_cards_are_written_as_people_write_them() -> None:
    state = position(JOKERS, "10h, 8♠ h1", "jk", pile="kc QD", table=["1: 6h jk=5h 4h + 0:7H"])
    assert state.hands == (parse_cards("TH 8S AH"), parse_cards("JK"))
    assert str(state.table[0]) == "4H JK=5H 6H 7H"
    assert state.table[0].by == (1, 1, 1, 0)
    assert state.table[0].owner == 1
    comes_back(JOKERS, state)


def test_who_laid_what() -> None:
    state = position(BASIC, "", "", table=["0: 4H 5H 6H + 1: 7H 3H", "1: 8S 8H 8D + 8C", "9S 9H 9D + 0: 9C"], seat=0)
    assert [meld.owner for meld in state.table] == [0, 1, NOBODY]
    assert [meld.by for meld in state.table] == [(1, 0, 0, 0, 1), (1, 1, 1, NOBODY), (NOBODY, NOBODY, NOBODY, 0)]
    assert state.tabled == (0, 1)
    said = comes_back(BASIC, state)
    assert said["table"] == ["0: 4H 5H 6H + 1: 3H 7H", "1: 8S 8H 8D + 8C", "9S 9H 9D + 0: 9C"]


def test_a_whole_suit_keeps_its_ace() -> None:
    low = "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"
    for table in ("1: AH + 0: 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH", "0: + 1: 2H 3H + 0: " + low[9:] + " + 1: AH"):
        state = position(BASIC, "", "", table=[table])
        assert str(state.table[0]).startswith("AH") == table.startswith("1: AH")
        comes_back(BASIC, state)


# ------------------------------------------------------------------------------------------------ turns and phases


def test_what_was_taken_and_what_is_owed() -> None:
    def turn(**keywords: Any) -> State:
        return position(BASIC, "5S 6S QH", "", seat=0, phase="play", **keywords)

    assert turn(taken="QH").owed == 0
    assert turn(taken="QH").known[0] == parse_cards("QH")
    assert format_faces(turn(taken="6S QH").taken) == "6S QH"
    assert turn(taken="6S QH").owed == parse_cards("6S")
    assert turn(taken="6S QH", owed="").owed == 0
    assert turn(taken="6S QH", owed="QH").owed == parse_cards("QH")
    assert turn(taken="9S QH", table=["0: 9S 9H 9D"]).owed == 0
    assert turn(owed="5S").owed == parse_cards("5S")
    obliging = Stub(MeldSpec(), top_obliges=True)
    assert position(obliging, "QH", "", seat=0, phase="play", taken="QH").owed == parse_cards("QH")


def test_what_this_turn_has_laid() -> None:
    def turn(**keywords: Any) -> tuple[int, bool]:
        state = position(BASIC, "", "KD", table=["0: 4H 5H 6H", "1: 9S 9D 9C + 0: 9H"], **keywords)
        return state.melds_now, state.tabled_now

    assert turn(seat=0, phase="play", tabled=[]) == (1, True)
    assert turn(seat=0, phase="play", tabled=[1]) == (1, True)
    assert turn(seat=0, phase="play") == (0, False)
    assert turn(seat=0, phase="play", melds_now=0, tabled_now=True) == (0, True)
    assert turn(seat=0, phase="draw", tabled=[]) == (0, False)
    assert turn(seat=0, phase="play", melds_now=1) == (1, True)
    with pytest.raises(NotationError, match="tabled_now: a turn that has laid a new meld has tabled something"):
        turn(seat=0, phase="play", melds_now=1, tabled_now=False)


def test_whose_knock_or_discard_is_answered() -> None:
    table = ["2: 4H 5H 6H"]

    def by(phase: str, **keywords: Any) -> int:
        return position(BASIC, "8S", "9S", "TS", phase=phase, table=table, **keywords).by

    assert by("spread", seat=1) == 1
    assert by("respond", seat=1) == 2
    assert by("respond", seat=1, by=0) == 0
    assert by("call", seat=1) == 0
    assert by("call", seat=0) == 2
    assert by("reshuffle", dealer=1) == 1
    assert by("reshuffle", seat=1) == 0
    assert by("reshuffle", seat=DEALER, by=2) == 2
    assert by("play", seat=1) == NOBODY
    assert by("play", seat=1, by=0) == 0  # whose discard was called


def test_what_was_declared_counts_all_the_cards_of_the_knocker() -> None:
    assert position(BASIC, "8S", "9S", phase="respond", seat=1, by=0, table=["0: 4H 5H 6H"]).declared == "knock"
    assert position(BASIC, "", "9S", phase="respond", seat=1, table=["0: 4H 5H 6H"]).declared == "gin"
    assert position(BASIC, "4H 5H 6H", "9S", phase="spread", seat=0).declared == "gin"
    assert position(BASIC, "4H 5H 6H", "9S", phase="spread", seat=0, declared="big_gin").declared == "big_gin"
    assert position(BASIC, "4H 5H 6H", "9S").declared == ""


def test_the_first_card_of_the_pile_sets_the_knock_limit() -> None:
    oklahoma = Stub(MeldSpec(), limit=1)
    assert position(oklahoma, "8S", "9S", pile="4H KD").knock_limit == 4
    assert position(oklahoma, "8S", "9S", pile="4H KD", knock_limit=7).knock_limit == 7
    assert position(oklahoma, "8S", "9S", pile="4H KD", knock_limit=None).knock_limit is None


@pytest.mark.parametrize("phase", ["deal", "reshuffle", "over"])
def test_the_dealer_acts(phase: str) -> None:
    state = position(BASIC, "8S", "9S", phase=phase)
    assert (state.seat, state.phase) == (DEALER, phase)
    comes_back(BASIC, state)


def test_before_the_first_deal_all_zones_are_empty() -> None:
    state = position(Stub(MeldSpec(), limit=10), "", "", "", phase="deal", dealer=2)
    assert state.stock == () and state.knock_limit is None and state.seat == DEALER
    comes_back(BASIC, state)


RESULT = RoundResult("out", 0, (25, 0), (0, 25), (30, 0), (0, 0), False, ("win", "loss"), 9, 0, 1, 3)


def test_an_ended_round_comes_back() -> None:
    for phase in ("deal", "over"):
        state = position(BASIC, "", "KC 5D", phase=phase, round=4, table=["0: 4H 5H 6H"]).changed(result=RESULT)
        said = comes_back(BASIC, state)
        assert said["result"]["points"] == [25, 0]
        drawn = state.changed(result=RESULT._replace(winner=None, kind="exhausted"))
        comes_back(BASIC, drawn)


# ------------------------------------------------------------------------------------------------------------ twins


def test_the_kth_mention_is_the_kth_copy() -> None:
    state = position(TWO_PACKS, "8S", "8S JK JK", pile="JK", stock="JK")
    first, second = COPIES[parse_card("8S")]
    jokers = COPIES[parse_card("JK")]
    assert state.hands == (1 << first, 1 << second | card_set(jokers[:2]))
    assert (state.pile, state.stock) == ((jokers[2],), (jokers[3],))
    assert "copies" not in comes_back(TWO_PACKS, state)


def test_other_copies_are_said() -> None:
    state = position(TWO_PACKS, "8S KC", "8S", stock="", copies={"8S": [2, 1], "KC": [2]})
    first, second = COPIES[parse_card("8S")]
    assert state.hands == (1 << second | 1 << COPIES[parse_card("KC")][1], 1 << first)
    said = comes_back(TWO_PACKS, state)
    assert said["copies"] == {"8S": [2, 1], "KC": [2]}
    assert said["hands"] == ["8S KC", "8S"]


def test_which_twin_was_taken() -> None:
    """The copy that everybody knows; one that was tabled this turn if it has a twin there (rules R18)."""
    first, second = COPIES[parse_card("8S")]
    state = position(TWO_PACKS, "8S 8S", "", seat=0, phase="play", taken="8S")
    assert state.taken == (first,) and state.known[0] == 1 << first
    table = ["0: 8S 8H 8D"]
    assert position(TWO_PACKS, "8S", "", table=table, seat=0, phase="play", taken="8S").taken == (first,)
    assert position(TWO_PACKS, "8S", "", table=table, tabled=[], seat=0, phase="play", taken="8S").taken == (second,)
    for taken in (first, second):
        said = comes_back(TWO_PACKS, state.changed(taken=(taken,), known=(1 << taken, 0)))
        assert said.get("copies") == (None if taken == first else {"8S": [1, 2, 2, 2]})


# --------------------------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("keywords", "says"),
    [
        ({"hands": ["8S 8S", ""]}, "hands: 8S is named too often: the deck has 1"),
        ({"hands": ["8X", ""]}, "'8X' at character 0"),
        ({"hands": ["JK", ""]}, "JK is not in this deck"),
        ({"pile": "KC 8S"}, "pile: 8S is named too often"),
        ({"stock": "2S 2S"}, "stock: 2S is named too often"),
        ({"table": ["0: 8S 8H 8D"]}, "table: 8S is named too often"),
        ({"table": ["0: 4H 5H 7H"]}, "'0: 4H 5H 7H' is no meld"),
        ({"table": ["0: "]}, "is no meld"),
        ({"table": [""]}, "is no meld"),
        ({"table": ["0: 4H JK=5H 6H"]}, "JK is not in this deck"),
        ({"table": ["2: 4H 5H 6H"]}, "expected a seat before ':', not '2'"),
        ({"table": ["-1: 4H 5H 6H"]}, "expected a seat before ':', not '-1'"),
        ({"table": ["x: 4H 5H 6H"]}, "expected a seat before ':', not 'x'"),
        ({"table": ["0: 4H 5H zz"]}, "'zz'"),
        ({"table": "0: 4H 5H 6H"}, "table: expected a list of texts"),
        ({"seat": 2}, "seat: expected a whole number from 0 to 1, not 2"),
        ({"seat": -1}, "seat: expected"),
        ({"seat": True}, "seat: expected"),
        ({"seat": "0"}, "seat: expected"),
        ({"dealer": 10**9999}, "dealer: expected"),
        ({"dealer": 0.0}, "dealer: expected"),
        ({"phase": "plya"}, "did you mean 'play'"),
        ({"phase": "call"}, "phase: this profile has no phase 'call'"),
        ({"phase": 3}, "phase: expected one of"),
        ({"phase": "over", "seat": 0}, "nobody but the dealer acts"),
        ({"phase": "play", "taken": "KC"}, "taken: KC is not with seat 1"),
        ({"phase": "play", "taken": "9S 9S"}, "taken: 9S is not with seat 1"),
        ({"phase": "play", "owed": "8S"}, "owed: 8S is not with the hand of seat 1"),
        ({"taken": "9S"}, "in the phase 'play' only"),
        ({"owed": "9S"}, "in the phase 'play' only"),
        ({"known": ["9S", ""]}, "known: 9S is not with the hand of seat 0"),
        ({"known": ["8S"]}, "known: expected one entry a seat (2), not 1"),
        ({"known": "8S"}, "known: expected a list of texts"),
        ({"tabled": [2]}, "tabled: expected a list"),
        ({"tabled": 0}, "tabled: expected a list"),
        ({"scores": [1]}, "scores: expected one entry a seat (2), not 1"),
        ({"scores": [1, "2"]}, "scores: expected a list"),
        ({"round": 0}, "round: expected a whole number from 1, not 0"),
        ({"renewals": -1}, "renewals: expected"),
        ({"by": 0}, "by: nothing is answered in the phase 'draw'"),
        ({"phase": "spread", "by": 0}, "by: in the phase 'spread' the knocker acts"),
        ({"phase": "respond"}, "whose knock is answered"),
        ({"phase": "respond", "by": 1}, "seat 1 cannot answer itself"),
        ({"stock_known": 1, "stock": ""}, "stock_known: expected"),
        ({"face_down": 0}, "face_down: a card lies face down only on the pile of a round that has ended"),
        ({"declared": "rummy"}, "declared: expected one of"),
        ({"tabled_now": 1}, "tabled_now: expected True or False"),
        ({"stcok": "2S"}, "stcok: is no keyword of a position (did you mean 'stock'?)"),
        ({"cards": "2S"}, "cards: is no keyword of a position (they are hands, pile, stock, table, seat, dealer, "),
        ({"hands": None}, "hands: missing"),
        ({"hands": "8S 9S"}, "hands: expected a list of texts"),
        ({"hands": ["8S", 9]}, "hands: expected a list of texts"),
        ({"hands": 2}, "hands: expected a list of texts"),
        ({"pile": ["8S"]}, "pile: expected a text"),
        ({"result": 5}, "result: expected exactly the fields"),
        ({"result": {}}, "result: expected exactly the fields"),
        ({"result": {**RESULT._asdict(), "points": [1], "winner": 2}}, "result: cannot be for 2 seats: winner, points"),
        ({"copies": []}, "copies: expected lists of copy numbers"),
        ({"copies": {"8S": [0]}}, "copies: expected a list"),
        ({"copies": {"8S": [2]}}, "hands: 8S is named too often"),
        ({"copies": {"8S": [1, 1]}}, "copies: 2 numbers for 8S, which is named 1 times"),
        ({"copies": {"XX": [1]}}, "copies: 'XX' is no card"),
        ({"copies": {1: [1]}}, "copies: 1 is no card"),
    ],
)
def test_a_mistake_is_named(keywords: dict[str, Any], says: str) -> None:
    rules = Stub(MeldSpec(), phases=tuple(phase for phase in PHASES if phase != "call"))
    given = {"hands": ["8S", "9S"], **keywords}
    with pytest.raises(NotationError) as caught:
        make_position(lambda players: rules, 2, 4, given)
    assert says in str(caught.value)


def test_every_mistake_is_named_at_once() -> None:
    said = mistakes(BASIC, "8S 8S XX", "KC", seat=7, phase="plya", pile="KC", scores=[1], nonsense=1)
    for part in ("8S", "'XX'", "seat", "'play'", "KC is named", "scores", "nonsense"):
        assert part in said


@pytest.mark.parametrize("hands", [[], ["8S"], ["8S"] + [""] * 4, [""] * 500])
def test_the_number_of_seats_is_the_profiles(hands: list[str]) -> None:
    asked: list[int] = []

    def rules_for(players: int) -> Stub:
        asked.append(players)
        return BASIC

    with pytest.raises(ProfileError) as caught:
        make_position(rules_for, 2, 4, {"hands": hands, "pile": "zz"})
    assert "2 to 4" in str(caught.value)
    assert set(asked) <= {2, 3, 4}
    assert bool(hands) == ("'zz'" in str(caught.value))
    assert len(caught.value.problems) == 1 + bool(hands)


# ------------------------------------------------------------------------------------------------------- properties


@pytest.mark.parametrize("rules", [BASIC, JOKERS, TWO_PACKS, ANY_SUITS])
@given(seed=st.integers(0, 10**9))
def test_any_state_comes_back(rules: Stub, seed: int) -> None:
    comes_back(rules, any_state(rules, seed))


def of_the_game(rules: Rules, state: State) -> State:
    """The state with what a knocker declared, how often the stock was renewed, and the last result as they can be."""
    knocks = Knock in rules.in_game
    knocked = state.phase in ("spread", "respond")
    before = state.round - (state.phase != "over")
    return state.changed(
        declared=rules.declare(state.hands[state.by] | laid_by(state.table, state.by)) if knocked else "",
        knock_limit=state.knock_limit if knocks else None,
        renewals=int(min(state.renewals, rules.stock.most_renewals)),
        result=state.result._replace(round=before) if state.result and before else None,
    )


@pytest.mark.parametrize(
    ("name", "keywords", "says"),
    [
        ("gin-knock", {"declared": "knock"}, "declared: nothing is declared in phase 'draw'"),
        ("basic", {"declared": "knock"}, "there is no knocking in this variant"),
        ("basic", {"knock_limit": 10}, "there is no knocking in this variant"),
        ("basic", {"renewals": 2}, "renewals: the stock of this variant is renewed at most 1 times"),
        ("rummy-500", {"renewals": 1}, "renewed at most 0 times"),
        ("basic", {"result": RESULT._asdict() | {"round": 2}}, "before round 1 is not 2"),
        ("basic", {"result": RESULT._asdict() | {"round": 2}, "round": 2}, "before round 2 is not 2"),
        ("basic", {"result": RESULT._asdict() | {"round": 1}, "round": 2, "phase": "over"}, "before round 2 is not 1"),
    ],
)
def test_what_cannot_have_happened_is_refused(name: str, keywords: dict[str, Any], says: str) -> None:
    with pytest.raises(NotationError) as caught:
        rummy.load(name).position(hands=["8S 9D", "4H 5H 6H"], **keywords)
    assert says in str(caught.value)


@pytest.mark.parametrize("name", rummy.variants())
def test_what_follows_a_written_position_can_be_written(name: str) -> None:
    """Whatever the keywords say that no deal would lead to: an action leaves nothing behind that makes no sense."""
    game, rng, followed = rummy.load(name), random.Random(name), 0
    rules = game.rules(min(3, game.profile.players.max))
    for seed in range(300):
        try:
            state = game.position(**game.describe(of_the_game(rules, any_state(rules, seed, rules.players))))
        except RummyError:
            continue
        legal = game.legal(state)
        for action in {type(action): action for action in rng.sample(legal, len(legal))}.values():
            after = game.apply(state, action)
            assert game.position(**game.describe(after)) == after, (game.describe(state), str(action))
            followed += 1
    assert followed > 60


junk = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(("8S KC", "0: 4H 5H 6H + 1: 7H", "JK", "play", "respond", "over", "deal")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(tuple(KEYWORDS)) | st.text(max_size=5), junk, max_size=5), st.booleans())
def test_anything_else_is_refused_by_name(keywords: dict[str, Any], sound: bool) -> None:
    if sound:
        keywords["hands"] = ["9S TS", ""]
    try:
        state = make_position(lambda players: JOKERS, 2, 4, keywords)
    except RummyError as error:
        assert type(error) in (NotationError, ProfileError)
    else:
        comes_back(JOKERS, state)


def test_endless_text_ends() -> None:
    said = mistakes(BASIC, "8S " * 1000, "")
    assert said.count("named too often") == 1  # the same mistake is said once
    assert "is no meld" in mistakes(BASIC, "", "", table=["0: " + "JK " * 1000])
    for keywords in ({"pile": "8S " * 2_000_000}, {"table": ["0: " + "JK " * 2_000_000]}, {"table": ["8S"] * 10**6}):
        assert "of at most 4096 characters" in mistakes(BASIC, "", "", **keywords)
