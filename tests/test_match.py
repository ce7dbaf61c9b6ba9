"""`Match`: plays, deals by a published algorithm, refuses without leaking, undoes, and tells each seat what it saw."""

from __future__ import annotations

import hashlib
import pickle
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rummy_engine as rummy
from rummy_engine.actions import Deal, Discard, Draw, Knock, LayMeld, LayOff, Reshuffle, Swap, Take
from rummy_engine.cards import CARDS
from tests.matches import HUGE, SEATINGS, compiled, complaint, play, seatings, seeds, start
from tests.twister import Twister

NO_ACTIONS: list[Any] = [None, 3, 2.5, b"draw", [], {}, object(), Draw, ("draw",), True]
NO_NOTATION = [
    "", " ", "fly", "draw draw", "discard", "discard 1X", "meld", "layoff 8C @", "take 0", "take x", "deal", "\x00",
    "take " + "9" * 5000, "layoff 8C @" + "9" * 5000, "discard " + "8" * 100_000,
]  # fmt: skip
MISMADE: list[tuple[Any, ...]] = [
    *((Discard, wrong) for wrong in (None, "8S", 999, -1, 2.0, 53, CARDS[61])),
    *((Take, wrong) for wrong in (None, "2", -1, 0, True, 10**5000)),
    *((Deal, wrong) for wrong in ((), None, "AS", (None,), [CARDS[0]])),
    (Reshuffle, (None,)), (Knock, "8S"), (Swap, None, 0), (Swap, CARDS[7], None), (LayMeld, None, None),
    (LayMeld, (), ()), (LayMeld, (1, 2), (1,)), (LayMeld, "8S", "8S"), (LayOff, None, None, None),
    (LayOff, CARDS[7], CARDS[7], -1), (LayOff, CARDS[7], CARDS[7], "0"), (LayOff, CARDS[7], CARDS[7], 0, "up"),
]  # fmt: skip
NO_CARDS = [kind(*parts) for kind, *parts in MISMADE]
"""Actions that no type checker would let through."""


def str_of(value: object) -> str:
    """A short name of anything, for test ids."""
    try:
        return f"{value!r:.40}"
    except ValueError:
        return f"huge {type(value).__name__}"


# ---------------------------------------------------------------------------------------------------------------- play


@pytest.mark.parametrize("seating", SEATINGS, ids=str)
def test_plays_to_the_end_of_the_match(seating: tuple[str, int]) -> None:
    match = start(seating, seed=1)
    assert match.seat == (match.state.dealer + 1) % seating[1]  # rules C7
    rng = random.Random(1)
    while not match.over:
        assert match.seat != rummy.DEALER and match.phase not in ("deal", "reshuffle", "over")
        assert match.view(match.seat).legal == match.legal() != ()
        assert match.result == match.state.result and match.scores == match.state.scores
        play(match, rng, 1)
    assert match.legal() == () and match.phase == "over" and match.seat == rummy.DEALER
    assert match.result is not None and match.result.round >= 2
    for seat in (None, 0):
        assert complaint(lambda seat=seat: match.play("draw", seat=seat)) is not None  # type: ignore[misc]  # mypy infers no lambda with a default


def test_says_who_leads_and_who_has_won() -> None:
    game = rummy.load("basic")
    match = rummy.Match(game, players=3, seed=1, overrides={"match.target": 1})
    assert (match.places, match.winners) == ((1, 1, 1), ())
    while not match.over:
        match.play(match.legal()[0])
    best = max(match.scores)
    assert match.winners == tuple(seat for seat in range(3) if match.scores[seat] == best)
    assert match.places == tuple(1 + sum(other > mine for other in match.scores) for mine in match.scores)


def test_takes_a_name_a_path_a_mapping_and_a_game(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('extends = "basic"\ndeal.hand_size = 5\n')
    variants: list[Any] = ["basic", path, str(path), {"extends": "basic"}, rummy.load("basic")]
    for variant in variants:
        match = rummy.Match(variant, 2, seed=1, overrides={"match.target": 25})
        assert match.game.profile.match.target is not None
        assert match.game.profile.match.target.at(2) == 25
        assert len(match.view(0).hand) == (5 if "house" in str(variant) else 10)
    game = rummy.load("basic")
    assert rummy.Match(game, 2).game is game


def test_says_what_it_is() -> None:
    match = rummy.Match("basic", 2, seed=1, dealer=0)
    assert repr(match) == "<Match basic: round 1, scores 0 0, seat 1 to act in phase 'draw'>"


@pytest.mark.parametrize("players", [0, 1, 5, 9, -2, 2.0, "2", None, True, 10**30])
def test_refuses_a_wrong_number_of_players(players: Any) -> None:
    for dealer in (None, 0):
        with pytest.raises(rummy.RummyError):
            rummy.Match("basic", players, seed=1, dealer=dealer)


@pytest.mark.parametrize("dealer", [-1, 2, "0", 0.0, True, 10**30])
def test_refuses_a_wrong_dealer(dealer: Any) -> None:
    with pytest.raises(rummy.RummyError):
        rummy.Match("basic", 2, seed=1, dealer=dealer)


# --------------------------------------------------------------------------------------------------------------- seeds


@pytest.mark.parametrize("seed", [-1, True, 1.0, "1", b"1", 2**256, pytest.param(-(10**5000), id="-huge"), HUGE])
def test_refuses_what_is_no_seed(seed: Any) -> None:
    with pytest.raises(rummy.MatchError, match="a seed is a whole number from 0 to"):
        rummy.Match("basic", 2, seed=seed)


def test_the_same_seed_gives_the_same_match_and_another_one_another() -> None:
    deals = {seed: rummy.Match("basic", 2, seed=seed, dealer=0).state for seed in (*range(20), 2**256 - 1)}
    assert len(set(deals.values())) == len(deals)
    for seed, state in deals.items():
        assert rummy.Match("basic", 2, seed=seed, dealer=0).state == state


def test_the_seed_draws_the_first_dealer() -> None:
    dealers = [rummy.Match("basic", 3, seed=seed).state.dealer for seed in range(60)]
    assert dealers == [rummy.Match("basic", 3, seed=seed).state.dealer for seed in range(60)]
    assert all(dealers.count(seat) >= 10 for seat in range(3))


def test_who_deals_changes_no_shuffle() -> None:
    for dealer in range(3):
        record = rummy.Match("basic", 3, seed=4, dealer=dealer).record()
        assert record.actions == rummy.Match("basic", 3, seed=4).record().actions


def test_without_a_seed_it_draws_one_that_reproduces_the_match() -> None:
    matches = [rummy.Match("basic", 2) for _ in range(3)]
    assert len({match.seed for match in matches}) == 3
    for match in matches:
        assert rummy.Match("basic", 2, seed=match.seed).state == match.state


@pytest.mark.parametrize("seed", [0, 1, 2**64, 2**256 - 1])
@pytest.mark.parametrize(("variant", "packs", "jokers", "players"), [("basic", 1, 0, 2), ("rummy-500", 2, 2, 6)])
def test_another_language_could_repeat_the_deal(seed: int, variant: str, packs: int, jokers: int, players: int) -> None:
    """Against the text of docs/shuffles.md, followed by hand."""

    def twister(k: int) -> Twister:
        return Twister(int(hashlib.sha256(f"{seed}:{k}".encode("ascii")).hexdigest(), 16))

    cards = ([rank + suit for suit in "SHDC" for rank in "A23456789TJQK"] + ["JK"] * jokers) * packs
    generator = twister(1)
    for i in range(len(cards) - 1, 0, -1):
        j = int(generator.random() * (i + 1))
        cards[i], cards[j] = cards[j], cards[i]
    record = rummy.Match(variant, players, seed=seed).record()
    assert record.actions == ("deal " + " ".join(cards),)
    assert record.dealer == int(twister(0).random() * players)


def test_the_shuffle_never_changes() -> None:
    """A published deal: if this fails, every seed that anybody noted has lost its meaning."""
    assert rummy.Match("basic", 2, seed=2026).record().actions[0] == (
        "deal KS 7D 5D 8C 2H 7C 9D QS 6C 2D 6D QH 6S JH QC AC 3H 3C 5S 8S JC TC 4H AS TD 9S AH 5C 7S 9H KH 8H 5H AD TS "
        "JD 4S 4C 6H 4D 9C JS QD 8D KD 3S 7H KC 3D 2C 2S TH"
    )


# -------------------------------------------------------------------------------------------------------------- chance


def test_a_server_may_bring_its_own_chance() -> None:
    calls: list[int] = []

    def chance(game: rummy.Game, state: rummy.State, k: int) -> rummy.Action:
        calls.append(k)
        return game.chance(state, random.Random(100 + k))

    match = start(("basic", 2), 1, chance)
    play(match, random.Random(1), 10_000)
    assert match.over and calls == list(range(1, len(calls) + 1)) and len(calls) >= 2
    assert match.state != play_through(start(("basic", 2), 1)).state
    loaded = rummy.Match.from_record(match.record(), chance=chance)
    loaded.undo(1)
    assert loaded.state == match.record().replay(len(match.record().actions) - 1)


def play_through(match: rummy.Match) -> rummy.Match:
    """The match, played to its end."""
    play(match, random.Random(1), 10_000)
    return match


@pytest.mark.parametrize("answer", [None, "deal", 7, Draw(), Discard(CARDS[7]), Deal(()), Reshuffle(())])
def test_a_chance_function_that_breaks_its_contract_is_named(answer: Any) -> None:
    with pytest.raises(rummy.MatchError, match="the chance function"):
        rummy.Match("basic", 2, chance=lambda game, state, k: answer)


def test_a_chance_function_that_fails_leaves_the_match_as_it_was() -> None:
    def chance(game: rummy.Game, state: rummy.State, k: int) -> rummy.Action:
        if k > 1:
            raise OSError("no entropy")
        return game.chance(state, random.Random(k))

    match = start(("gin-classic", 2), 1, chance)
    rng = random.Random(1)
    while True:
        before, played, news = match.state, match.record(), match.events(rummy.ALL)
        try:
            play(match, rng, 1)
        except OSError:
            break
    assert (match.state, match.record(), match.events(rummy.ALL)) == (before, played, news)


# ---------------------------------------------------------------------------------------------------------------- undo


@settings(max_examples=40, deadline=None)
@given(seatings, seeds, st.integers(0, 120), st.integers(0, 120))
def test_undo_and_redo(seating: tuple[str, int], seed: int, length: int, back: int) -> None:
    match = start(seating, seed)
    rng = random.Random(seed)
    moments = [(match.state, match.record(), match.events(0))]
    played: list[rummy.Action] = []
    for _ in range(length):
        played += play(match, rng, 1)
        if len(played) == len(moments):
            moments.append((match.state, match.record(), match.events(0)))
    back = min(back, len(played))
    undone = match.undo(back)
    assert undone == tuple(played[len(played) - back :])
    assert (match.state, match.record(), match.events(0)) == moments[len(played) - back]
    for action in undone:
        match.play(action)
    assert (match.state, match.record(), match.events(0)) == moments[-1]


@settings(max_examples=25, deadline=None)
@given(seatings, seeds, st.integers(1, 40))
def test_undo_changes_no_later_shuffle(seating: tuple[str, int], seed: int, back: int) -> None:
    """The next deal is the same whatever was tried and taken back, before and after a reload."""
    straight, wandering = start(seating, seed), start(seating, seed)
    for match in (straight, wandering):
        play(match, random.Random(seed), 60)
    play(wandering, random.Random(seed + 1), 200)
    wandering.undo(player_actions(wandering) - player_actions(straight))
    assert wandering.state == straight.state
    wandering = rummy.Match.from_record(rummy.Record.from_json(wandering.record().to_json()))
    for match in (straight, wandering):
        play(match, random.Random(seed + 2), 300)
    assert wandering.record() == straight.record()


def player_actions(match: rummy.Match) -> int:
    """How many actions of a match were not those of chance."""
    return sum(not text.startswith(("deal", "reshuffle")) for text in match.record().actions)


@pytest.mark.parametrize("n", [-1, True, 1.0, "1", None, HUGE, 6, 1000])
def test_refuses_to_undo_what_was_not_played(n: Any) -> None:
    match = start(("basic", 2), 1)
    play(match, random.Random(1), 5)
    state = match.state
    with pytest.raises(rummy.MatchError):
        match.undo(n)
    assert match.state == state
    assert match.undo(0) == ()
    assert len(match.undo(5)) == 5
    with pytest.raises(rummy.MatchError, match="0 were played"):
        match.undo()


# ------------------------------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize("action", [*NO_ACTIONS, *NO_NOTATION, *NO_CARDS], ids=str_of)
def test_nonsense_is_refused_and_changes_nothing(action: Any) -> None:
    for seating in [("basic", 2), ("rummy-500", 6), ("gin-knock", 3)]:
        match = start(seating, 1)
        for _ in range(4):
            state, played = match.state, match.record()
            with pytest.raises((rummy.NotationError, rummy.IllegalActionError)):
                match.play(action)
            assert match.state is state and match.record() == played
            play(match, random.Random(1), 1)


@settings(max_examples=40, deadline=None)
@given(seatings, seeds, st.integers(0, 60), st.data())
def test_a_seat_out_of_turn_learns_nothing(
    seating: tuple[str, int], seed: int, length: int, data: st.DataObject
) -> None:
    """Every action and every text gets the same answer, which names only whose turn it is."""
    match = start(seating, seed)
    play(match, random.Random(seed), length)
    if match.over:
        return
    state = match.state
    seat = data.draw(st.sampled_from([seat for seat in range(seating[1]) if seat != match.seat]))
    actions = [*match.legal()[:3], *map(str, match.legal()[:3]), *NO_NOTATION]
    for action in actions:
        with pytest.raises(rummy.IllegalActionError) as caught:
            match.play(action, seat=seat)
        assert caught.value.reason is rummy.Reason.NOT_YOUR_TURN
        assert str(caught.value.action) == str(action) or action in NO_NOTATION
        assert not isinstance(caught.value.action, str) or action in NO_NOTATION
        assert caught.value.refusal.text == f"seat {match.seat} is to act, not seat {seat}"
    assert match.state is state
    match.play(match.legal()[0], seat=match.seat)


@pytest.mark.parametrize("seat", [-1, 2, 99, "0", 0.0, True, [], HUGE])
def test_there_is_no_such_seat(seat: Any) -> None:
    match = rummy.Match("basic", 2, seed=1)
    with pytest.raises(rummy.IllegalActionError, match="seats are 0 to 1") as caught:
        match.play("draw", seat=seat)
    assert caught.value.reason is rummy.Reason.NOT_YOUR_TURN


@settings(max_examples=60, deadline=None)
@given(seatings, seeds, st.integers(0, 60))
def test_refusals_do_not_depend_on_hidden_cards(seating: tuple[str, int], seed: int, length: int) -> None:
    """Two tables that look alike to a seat answer it alike, whatever it tries."""
    match = start(seating, seed)
    play(match, random.Random(seed), length)
    if match.over:
        return
    game, truth = match.game, match.state
    other = game.sample(match.view(match.seat), random.Random(seed))
    tables = [rummy.Match.from_record(rummy.Record.of(game, state, [], seed=seed)) for state in (truth, other)]
    faces = ["AS", "2H", "5D", "8S", "TC", "JH", "KS"]
    melds = ["AS 2S 3S", "QS KS AS", "8S 8H 8D", "5D 6D 7D"]
    texts = ["draw", "take", "take 2", "take 3", "pass", "stop", "done", "call", "call 2", "knock"]
    texts += [f"{word} {face}" for word in ("discard", "knock", "layoff") for face in faces]
    texts += [f"layoff {face} @{meld}" for face in faces for meld in (0, 1, 9)] + [f"meld {cards}" for cards in melds]
    for text in texts:
        for seat in range(seating[1]):
            answers = [refused_as(table, text, seat) for table in tables]
            assert answers[0] == answers[1], text


def refused_as(match: rummy.Match, text: str, seat: int) -> tuple[str, ...] | None:
    """How a match refuses a seat; an action that is allowed is taken back."""
    complained = complaint(lambda: match.play(text, seat=seat))
    if complained is None:
        match.undo()
    return complained


# -------------------------------------------------------------------------------------------------------------- events


@settings(max_examples=30, deadline=None)
@given(seatings, seeds, st.integers(0, 80))
def test_events_come_in_instalments(seating: tuple[str, int], seed: int, length: int) -> None:
    match = start(seating, seed)
    rng = random.Random(seed)
    seats: list[Any] = [None, rummy.ALL, *range(seating[1])]
    seen: dict[Any, tuple[rummy.Event, ...]] = dict.fromkeys(seats, ())
    for _ in range(length):
        for seat in seats:
            if rng.random() < 0.3:
                seen[seat] += match.events(seat, since=len(seen[seat]))
        play(match, rng, 1)
    again = rummy.Match.from_record(match.record())
    for seat in seats:
        seen[seat] += match.events(seat, since=len(seen[seat]))
        assert seen[seat] == match.events(seat) == again.events(seat) != ()
        assert match.events(seat, since=len(seen[seat])) == () == match.events(seat, since=10**9)


@pytest.mark.parametrize("since", [-1, True, "0", None, 1.0])
def test_refuses_a_wrong_place_in_the_events(since: Any) -> None:
    with pytest.raises(rummy.MatchError, match="events are counted from 0"):
        rummy.Match("basic", 2, seed=1).events(0, since)


@pytest.mark.parametrize("seat", [-5, 2, "0", 0.5, [], True, HUGE])
def test_there_is_no_such_seat_to_look_from(seat: Any) -> None:
    match = rummy.Match("basic", 2, seed=1)
    with pytest.raises(rummy.RummyError):
        match.events(seat)
    with pytest.raises(rummy.RummyError):
        match.view(seat)


def test_a_match_can_be_pickled() -> None:
    match = start(("rummy-500", 6), 1)
    play(match, random.Random(1), 30)
    copy = pickle.loads(pickle.dumps(match))
    assert copy.record() == match.record()
    for each in (match, copy):
        play(each, random.Random(2), 100)
    assert copy.state == match.state


def test_compiled_is_short() -> None:
    """The tests above reach the ends of rounds and matches only with the short matches they ask for."""
    assert compiled("basic").profile.match.rounds == 2
