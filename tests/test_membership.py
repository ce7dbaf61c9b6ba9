"""`is_legal` is membership in `legal` for every action that can be written, held or not: all faces, melds and ends."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest

import rummy_engine as rummy
from rummy_engine.actions import Discard, Knock, LayMeld, LayOff, Swap
from rummy_engine.cards import CARDS, JOKER, JOKER_FACE, NATURALS

FACES = CARDS[: JOKER_FACE + 1]


def everything(game: rummy.Game, state: rummy.State) -> Iterator[rummy.Action]:
    """Every action there is, but for the chance ones, and melds with more than one joker."""
    yield from (rummy.DRAW, rummy.PASS, rummy.STOP, rummy.DONE, Knock(None))
    for count in range(1, len(state.pile) + 2):
        yield from (rummy.Take(count), rummy.Call(count))
    for face in FACES:
        yield from (Discard(face), Knock(face))
        for index in range(len(state.table) + 1):
            yield Swap(face, index)
            for stands in FACES if face == JOKER else (face,):
                for end in (None, "low", "high"):
                    yield LayOff(face, stands, index, end)
    shapes = game.rules(state.players).finder
    for meld in shapes.melds(NATURALS):
        yield meld
        yield from (
            LayMeld((*meld.cards[:at], JOKER, *meld.cards[at + 1 :]), meld.stands) for at in range(len(meld.cards))
        )


def states(game: rummy.Game, players: int, seed: int) -> Iterator[rummy.State]:
    """States of one random round in which something can be tabled, and a few others."""
    rng = random.Random(seed)
    state = game.start(players)
    while not game.round_over(state):
        if state.seat == rummy.DEALER:
            action = game.chance(state, rng)
        else:
            legal = game.legal(state)
            if any(isinstance(each, (LayMeld, LayOff, Knock)) for each in legal) or rng.random() < 0.02:
                yield state
            bold = [each for each in legal if isinstance(each, (LayMeld, LayOff, Knock, rummy.Call))]
            action = rng.choice(bold if bold and rng.random() < 0.6 else legal)
        state = game.apply(state, action)


@pytest.mark.parametrize("name", rummy.variants())
def test_is_legal_is_membership_for_every_action(name: str) -> None:
    game = rummy.load(name)
    players = random.Random(name).randint(game.profile.players.min, game.profile.players.max)
    for state in random.Random(1).sample(found := list(states(game, players, seed=3)), min(6, len(found))):
        legal = set(game.legal(state))
        for action in everything(game, state):
            assert game.is_legal(state, action) == (action in legal), (str(action), game.describe(state))


def test_the_ace_of_spades_is_a_card_like_any_other() -> None:
    """It is card 0: whatever asks for a card must not take it for none."""
    basic = rummy.load("basic")
    state = basic.position(hands=["2S 3S 9C", "5H"], seat=0, phase="play", pile="KD", table=["1: AH AD AC"])
    for text in ("meld AS 2S 3S", "layoff AS @0", "discard AS"):
        refusal = basic.why_not(state, text)
        assert refusal is not None and refusal.reason == rummy.Reason.CARD_NOT_HELD
    swaps = rummy.load("rummy-500", {"wilds.swap": True})
    state = swaps.position(hands=["9C 8C 4D", "5H"], seat=0, phase="play", table=["1: JK=AS 2S 3S"])
    refusal = swaps.why_not(state, "swap AS @0")
    assert refusal is not None and refusal.reason == rummy.Reason.CARD_NOT_HELD
    gin = rummy.load("gin-knock")
    state = gin.position(hands=["4C", "9D"], phase="respond", seat=0, by=1, table=["1: 2S 3S 4S"])
    assert not gin.is_legal(state, "layoff AS @0")
    state = gin.position(hands=["AS 2S 3S 9D", "4C"], seat=0, phase="play", taken="AS")
    assert not gin.is_legal(state, "discard AS")


def test_a_card_named_twice_is_told_in_every_phase() -> None:
    basic = rummy.load("basic")
    for phase in ("draw", "play"):
        for more in ({"pile": "4H"}, {"stock": "4H"}, {"table": ["0: 4H 5H 6H", "1: 4H 4S 4D"]}):
            keywords = {"hands": ["2C 9D", "3C"], "table": ["0: 4H 5H 6H"], "seat": 0, "phase": phase, **more}
            with pytest.raises(rummy.NotationError, match="4H is named too often"):
                basic.position(**keywords)


def test_events_take_the_text_of_an_action() -> None:
    basic = rummy.load("basic")
    before = basic.position(hands=["8S KC 3D", "2C 5H 9D"], pile="5D", seat=0, phase="play")
    after = basic.apply(before, "discard KC")
    assert basic.events(before, "discard KC", after) == basic.events(before, basic.parse(before, "discard KC"), after)
    assert [type(each) for each in basic.events(before, "discard KC", after)] == [rummy.Discarded]


def test_positions_that_cannot_be() -> None:
    two_six, five_hundred, basic = map(rummy.load, ("rummy-2-6", "rummy-500", "basic"))
    with pytest.raises(rummy.NotationError, match="no phase 'reshuffle'"):
        two_six.position(hands=["2C", "3C"], phase="reshuffle", pile="4D 5D", stock="")
    with pytest.raises(rummy.NotationError, match="C12"):
        five_hundred.position(hands=["2C", "3C", "4C"], phase="call", pile="9D KD", by=0, seat=1)
    with pytest.raises(rummy.NotationError, match="face_down"):
        basic.position(hands=["2C", "3C"], pile="9D KD", face_down=0)
    for pile in ("5D", ""):
        with pytest.raises(rummy.NotationError, match="too few cards to reshuffle"):
            basic.position(hands=["2C", "3C"], phase="reshuffle", stock="", pile=pile)
    for phase, more in product(("draw", "deal"), ({"tabled_now": True}, {"melds_now": 1, "table": ["1: 4H 5H 6H"]})):
        with pytest.raises(rummy.NotationError, match="'play' only"):
            basic.position(hands=["2C", "3C"], phase=phase, **more)  # type: ignore[arg-type]  # options of several types
    with pytest.raises(rummy.NotationError, match="melds_now: expected a whole number from 0 to 1"):
        basic.position(hands=["2C", "3C"], phase="play", seat=0, table=["0: 4H 5H 6H"], tabled=[], melds_now=2)
    kept = rummy.load("basic", {"discard.last": "required", "discard.last_unplayable": True})
    with pytest.raises(rummy.NotationError, match="a hand is empty"):
        kept.position(hands=["", "3C"], stock="7H", table=["0: 4H 5H 6H"])
    gin = rummy.load("gin-knock")
    offered = gin.position(hands=["4S 5S", "3C"], phase="offer", stock="8D 9D", pile="KD")
    passed = gin.apply(gin.apply(offered, "pass"), "pass")
    assert [str(each) for each in gin.legal(passed)] == ["take"]  # the stock is at its floor
    with pytest.raises(rummy.NotationError, match="when all have passed"):
        gin.position(hands=["4S 5S", "3C"], phase="offer", stock="8D 9D", pile="")
    state = gin.position(hands=["4S 5S 6S 2C", "3C"], phase="offer")
    assert [str(each) for each in gin.legal(state)] == ["pass"] and not gin.is_legal(state, "take")
    lowest = rummy.load("basic", {"stock.then": "lowest", "stock.renewals": 0})
    ended = lowest.position(hands=["2C", "3C"], stock="", pile="")
    assert ended.result is not None and (ended.result.kind, ended.result.points) == ("stock_out", (1, 0))


def test_hands_are_questions_about_faces() -> None:
    doubled = rummy.load("basic", {"deck.packs": 2, "deck.jokers": 1})
    assert "JK=4S 5S 6S" in [str(meld) for meld in rummy.melds("JK JK 5S 6S", doubled)]
    assert rummy.best_arrangement("JK 5S 6S", doubled).points == 0
    for nothing in (-1, True, 1 << 200, None, 2.5):
        with pytest.raises(rummy.NotationError):
            rummy.melds(nothing, doubled)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize("players", [2.0, True, "2", None, 0, 9, pytest.param(10**5000, id="huge")])
def test_players_must_be_a_whole_number_of_seats(players: object) -> None:
    game = rummy.load("basic")
    game.start(2)
    with pytest.raises(rummy.ProfileError):
        game.start(players)  # type: ignore[arg-type]  # wrong on purpose


def test_a_policy_must_return_an_action_it_was_given() -> None:
    game = rummy.load("basic")
    start = game.start(2)
    for nonsense in (None, "draw", rummy.Take(1.0), Discard(5), Discard(5.0), 10**5000):  # type: ignore[arg-type]  # wrong on purpose
        with pytest.raises(rummy.MatchError, match="policy of seat 1"):
            game.playout(start, random.Random(1), lambda view, legal, rng, what=nonsense: what)  # type: ignore[misc]  # mypy infers no lambda with a default


def test_a_policy_cannot_touch_the_shuffles() -> None:
    """Neither foresee them: it gets a generator of its own, and so does every other seat."""
    game, rng = rummy.load("gin-knock"), random.Random(1)
    seen: dict[int, random.Random] = {}

    def careless(view: rummy.View, legal: tuple[rummy.Action, ...], own: random.Random) -> rummy.Action:
        assert own is not rng and seen.setdefault(view.seat or 0, own) is own
        return legal[0]

    def meddling(view: rummy.View, legal: tuple[rummy.Action, ...], own: random.Random) -> rummy.Action:
        own.seed(5)
        return careless(view, legal, own)

    final = game.playout(game.start(3), rng, careless, until="match")  # type: ignore[arg-type]  # a random.Random is what it gets
    assert len(set(map(id, seen.values()))) == 3
    seen.clear()
    rng = random.Random(1)
    assert game.playout(game.start(3), rng, [careless, meddling, careless], until="match") == final  # type: ignore[list-item]  # the same


@pytest.mark.parametrize("policy", [5, "easy", [5, 5], [None, None], [lambda view, legal, rng: legal[0]] * 3])
def test_policies_are_functions_and_one_for_each_seat(policy: object) -> None:
    game = rummy.load("basic")
    with pytest.raises(rummy.RummyError, match=r"policy is a function|3 policies for 2 seats"):
        game.playout(game.start(2), random.Random(1), policy)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize("until", ["rounds", pytest.param(10**5000, id="huge"), None])
def test_until_is_round_or_match(until: object) -> None:
    game = rummy.load("basic")
    with pytest.raises(rummy.RummyError, match="until must be"):
        game.playout(game.start(2), random.Random(1), until=until)  # type: ignore[arg-type]  # wrong on purpose


def test_a_match_that_nobody_can_win_is_given_up() -> None:
    game = rummy.load("basic", {"ending.max_turns": 1, "deal.hand_size": 4})
    with pytest.raises(rummy.MatchError, match="not over after 10000 rounds"):
        game.playout(game.start(2), random.Random(1), until="match")


def test_a_game_is_immutable_and_positions_take_any_keyword() -> None:
    game = rummy.load("basic")
    with pytest.raises(AttributeError, match="immutable"):
        game.digest = "1"
    with pytest.raises(rummy.NotationError, match="self"):
        game.position(hands=["2C", "3C"], self=1)
    for cards in (-1, 1 << 200, "8S"):
        with pytest.raises(rummy.NotationError):
            rummy.format_cards(cards)  # type: ignore[arg-type]  # wrong on purpose


def test_after_a_knock_a_hand_may_be_empty_whatever_the_last_discard_must_be() -> None:
    game = rummy.load("gin-knock", {"discard.last": "required", "discard.last_unplayable": True})
    hands = ["AS AH AD 5C 6C 7C 9D TD JD QD KH", "2C 3D 4H 6S 8H 8D TS JS QC KC"]
    state = game.apply(game.position(hands=hands, phase="play", pile="2H", seat=0, dealer=1), "knock KH")
    while state.hands[0]:
        state = game.apply(state, game.legal(state)[0])
        assert game.position(**game.describe(state)) == state
    assert state.phase in ("spread", "respond")
