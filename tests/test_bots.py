"""The built-in bots: always legal, on any profile; the same for the same view; each plays as its level should."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rummy_engine as rummy
from rummy_engine.actions import Knock
from rummy_engine.bots import bots, make_bot
from rummy_engine.bots.easy import pairs
from rummy_engine.bots.hard import Hard
from rummy_engine.bots.quick import Quick
from rummy_engine.bots.sets import held
from rummy_engine.bots.worlds import Worlds
from rummy_engine.cards import cards_in, parse_faces
from rummy_engine.compare import compare
from rummy_engine.policy import Policy, Random
from rummy_engine.profiles.profile import Profile
from rummy_engine.simulate import simulate
from rummy_engine.testing import strategies
from tests.matches import SEATINGS, compiled
from tests.test_random_profiles import LOOSE


def ready(name: str, game: rummy.Game) -> Policy:
    """A bot; the hard one with a small budget."""
    return Hard(game, samples=2) if name == "hard" else make_bot(name, game)


def turn(
    name: str, variant: str, overrides: dict[str, object] | None = None, **keywords: object
) -> tuple[list[str], str | None]:
    """What a bot does from a position till another seat acts, and how the round ended, if it did."""
    game = rummy.load(variant, overrides)
    state = game.position(**keywords)
    seat, bot, played = state.seat, make_bot(name, game), []
    while state.seat == seat and not game.round_over(state):
        view = game.view(state, seat)
        action = bot(view, view.legal, random.Random(0))
        played.append(str(action))
        state = game.apply(state, action)
    return played, state.result.kind if state.result else None


def test_the_names() -> None:
    assert bots() == ("random", "easy", "medium", "hard")
    for wrong in ("eazy", "Random ", "", None, 3, "x" * 10_000, ["easy"]):
        with pytest.raises(rummy.RummyError, match="there is no bot") as caught:
            make_bot(wrong, compiled("basic"))  # type: ignore[arg-type]  # wrong on purpose
        assert "\n" not in str(caught.value) and len(str(caught.value)) < 200
    with pytest.raises(rummy.RummyError, match="did you mean 'easy'"):
        make_bot("Eazy", compiled("basic"))


@pytest.mark.parametrize("name", bots())
@pytest.mark.parametrize(("variant", "players"), SEATINGS)
def test_every_bot_plays_every_variant(name: str, variant: str, players: int) -> None:
    # simulate raises at the first action that is not legal
    game = compiled(variant)
    rounds = 1 if name == "hard" else 3
    assert simulate(game, players, ready(name, game), rounds=rounds, seed=players).tally.rounds == rounds


def test_every_bot_has_a_choice_in_every_phase() -> None:
    met: dict[str, set[str]] = {name: set() for name in bots()}

    def noting(name: str, policy: Policy) -> Policy:
        def choose(view: rummy.View, legal: tuple[rummy.Action, ...], rng: Random) -> rummy.Action:
            if len(legal) > 1:
                met[name].add(view.phase)
            return policy(view, legal, rng)

        return choose

    for variant, players in (("gin-classic", 2), ("gin-knock", 3), ("rummy-500", 3)):
        game = compiled(variant)
        for name in met:
            simulate(game, players, noting(name, ready(name, game)), rounds=12, seed=players)
    assert met == {name: {"offer", "draw", "play", "spread", "respond", "call"} for name in bots()}


@settings(LOOSE, max_examples=50)
@given(strategies.profiles(), st.sampled_from(bots()[1:]), st.sampled_from(bots()), strategies.seeds)
def test_every_bot_plays_any_profile(profile: Profile, name: str, other: str, seed: int) -> None:
    game = rummy.Game(profile)
    players = seed % (profile.players.max - profile.players.min + 1) + profile.players.min
    lineup = ready(name, game), ready(other, game)
    assert simulate(game, players, lineup, rounds=1, seed=seed).tally.take("deals") == 1


def begun(seating: tuple[str, int], seed: int, plies: int) -> tuple[rummy.Match, random.Random]:
    """A match after so many random actions; one that is over before is left at its last."""
    variant, players = seating
    match, rng = rummy.Match(compiled(variant), players, seed=seed), random.Random(seed)
    for _ in range(plies):
        match.play(rng.choice(match.legal()))
        if match.over:
            match.undo()
            break
    return match, rng


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(SEATINGS), st.integers(0, 2**32), st.integers(1, 40))
def test_a_bot_cannot_tell_states_apart_that_look_the_same(seating: tuple[str, int], seed: int, plies: int) -> None:
    match, rng = begun(seating, seed, plies)
    game, view = match.game, match.view(match.seat)
    other = game.sample(view, rng)
    assert game.view(other, match.seat) == view
    for name in bots():
        first, second = (ready(name, game) for _ in range(2))
        again = game.view(other, match.seat)
        assert first(view, view.legal, random.Random(7)) == second(again, again.legal, random.Random(7))


@pytest.mark.parametrize(
    ("variant", "deals"), [("basic", 75), ("rummy-500", 50), ("gin-knock", 125), ("basic-penalty", 75)]
)
def test_each_level_beats_the_one_below(variant: str, deals: int) -> None:
    """Clearly, up to medium. The hard bot takes too long for this: tests/benchmarks/strength.py measures all."""
    for worse, better in itertools.pairwise(bots()[:3]):
        row = compare([variant], 2, [(better, worse)], rounds=deals, seed=11).rows[0]
        assert row.tally.take("plays") == 2 * deals
        lead = (row.by_bot[0].points.value or 0) - (row.by_bot[1].points.value or 0)
        assert lead > 0 if row.best == "highest" else lead < 0
        assert row.skill is not None and row.skill.better == better


# ------------------------------------------------------------------------------------------------------ the search


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(SEATINGS), st.integers(0, 2**32), st.integers(1, 60))
def test_the_worlds_that_hard_searches_fit_its_view(seating: tuple[str, int], seed: int, plies: int) -> None:
    match, rng = begun(seating, seed, plies)
    game, view = match.game, match.view(match.seat)
    for world in itertools.islice(Worlds(game).draw(view, rng), 3):
        assert game.view(world, match.seat) == view
        assert unseen(world) == unseen(match.state)


def unseen(state: rummy.State) -> list[rummy.Card]:
    """The faces of all hands and the stock."""
    return sorted(card.face for zone in (state.stock, *map(cards_in, state.hands)) for card in zone)


@pytest.mark.parametrize(("variant", "players"), SEATINGS)
def test_what_is_played_out_is_legal(variant: str, players: int) -> None:
    game, rng = compiled(variant), random.Random(players)
    quick, state = Quick(game, players), game.start(players)
    while not game.round_over(state):
        moves = game.legal(state)
        action = game.chance(state, rng) if state.seat == rummy.DEALER else moves[0]
        if len(moves) > 1:
            action = quick.choose(state, moves)
            assert action in moves
            if isinstance(action, Knock):  # a knock ends what is played out; its points are estimated
                assert len(quick.points(state, action, rng)) == players
        state = game.apply(state, action)


class Counted(Worlds):
    """Counts the worlds that are drawn."""

    drawn = 0

    def draw(self, view: rummy.View, rng: Random) -> Iterator[rummy.State]:
        for world in super().draw(view, rng):
            self.drawn += 1
            yield world


@pytest.mark.parametrize("table", [[], ["1: 4S 4C 4H"]])
@pytest.mark.parametrize(
    ("hand", "kind"),
    [
        ("7S 8S 9S QH KH JK 5D", "out"),  # the joker belongs to the queen and the king
        ("7S 8S 9S QH KH 2C 2D JK 5D", None),  # one joker for two pairs: the melds are kept
        ("7S 8S 9S QH KH 2C 2D JK JK 5D", "out"),
        ("AH 7S 8S 9S TS JS QS JK JD JC", "out"),
        ("AH KC 7S 8S 9S TS JS QS JK JD JC", None),
    ],
)
def test_who_plays_on_with_jokers_tables_only_to_go_out(table: list[str], hand: str, kind: str | None) -> None:
    """Also where a meld on the table would take the joker."""
    game = compiled("rummy-500")
    others = "3S 6S TC KD 8D"
    state = game.position(hands=[hand, others], table=table, phase="play", seat=0, pile="6C", stock="AD 2H 9D 8C 9C")
    quick, laid = Quick(game, 2), len(state.table)
    while state.seat == 0 and not game.round_over(state):
        legal = game.legal(state)
        state = game.apply(state, legal[0] if len(legal) == 1 else quick.choose(state, legal))
    assert (state.result.kind if state.result else None) == kind
    if kind is None:
        assert len(state.table) == laid


def test_hard_keeps_to_its_budget_and_is_reproducible() -> None:
    game = rummy.load("gin-classic")
    state = game.position(hands=["4S 5S 6S 9H 9D 9C KH KD KC 2D 3H", "2S 3S 5H 7H 8H 2C 4C 6C 8C TC"], phase="play",
                          seat=0, turns=8)  # fmt: skip
    view = game.view(state, 0)
    for samples in (1, 5, 40):
        hard = Hard(game, samples)
        hard.worlds = counted = Counted(game)
        first = hard(view, view.legal, random.Random(5))
        assert 0 < counted.drawn <= samples
        assert first == Hard(game, samples)(view, view.legal, random.Random(5))
    for wrong in (0, -1, 2.0, True, "8", None):
        with pytest.raises(rummy.RummyError, match="1 world or more"):
            Hard(game, wrong)  # type: ignore[arg-type]  # wrong on purpose


# ----------------------------------------------------------------------------------------------- what each of them does


def test_random_reaches_every_action_and_only_those() -> None:
    game = rummy.load("basic")
    state = game.position(hands=["8S 8H 8D KC", "2C"], phase="play", seat=0)
    view = game.view(state, 0)
    bot, rng = make_bot("random", game), random.Random(3)
    assert {bot(view, view.legal, rng) for _ in range(200)} == set(view.legal)


Case: TypeAlias = tuple[str, dict[str, object] | None, dict[str, object], list[str], str | None]
EASY: Sequence[Case] = (
    # goes out, though the longest meld at hand would not: the set first, then the run's rest onto the table
    ("basic", None, {"hands": ["7H 8H 9H 9S 9D", "2C 5C"], "table": ["4H 5H 6H"], "phase": "play"},
     ["meld 9S 9H 9D", "layoff 7H @0", "layoff 8H @0"], "out"),
    # the cheapest leftovers are two cards; with one dear card left it goes out
    ("basic", None, {"hands": ["4S 4H 4D 4C 5S 6S KD", "2C 5C"], "phase": "play"},
     ["meld 4S 5S 6S", "meld 4H 4D 4C", "discard KD"], "out"),
    # throws the dearest card that is in no meld and no pair
    ("basic", None, {"hands": ["KS KH QD 2C 9C", "2D 5C"], "phase": "play"}, ["discard QD"], None),
    # every card is in a pair: the dearest of those in no meld
    ("gin-knock", None, {"hands": ["KS KH KD QS QH JC JD", "2D 5C"], "phase": "play", "taken": "JD"},
     ["discard QS"], None),
    # a joker is kept
    ("rummy-500", None, {"hands": ["JK 2S 9D", "2D 5C"], "phase": "play"}, ["discard 9D"], None),
    # takes what makes a meld, leaves what does not
    ("basic", None, {"hands": ["5S 6S KD 2C", "2D 5C"], "pile": "7S"}, ["take", "meld 5S 6S 7S", "discard KD"], None),
    ("gin-knock", None, {"hands": ["5S 6S KD 2C JD JH 4H", "2D 5C"], "pile": "9S", "phase": "offer"}, ["pass"], None),
    ("gin-knock", None, {"hands": ["5S 6S KD 2C JD JH 4H", "2D 5C"], "pile": "JS", "phase": "offer"},
     ["take", "discard KD"], None),
    # takes what fits the table
    ("basic", None, {"hands": ["KD 2C", "2D 5C"], "pile": "7S", "table": ["4S 5S 6S"]},
     ["take", "layoff 7S @0", "discard KD"], None),
    # digs for a meld
    ("rummy-500", None, {"hands": ["3S 4S KC 9D", "2C 5C"], "pile": "5S QH 2D"},
     ["take 3", "meld 3S 4S 5S", "discard QH"], None),
    # stops when the stock is empty and the pile is no use
    ("rummy-500", None, {"hands": ["3S 4S KC 9D", "2C 5C"], "pile": "JH QD", "stock": ""}, ["stop"], "stock_out"),
    # calls rummy
    ("rummy-500", None,
     {"hands": ["2C KC", "9S KD", "4D 3C"], "seat": 0, "by": 2, "phase": "call", "table": ["4H 5H 6H"],
      "pile": "9D 7H", "stock": "2S 3S"},
     ["call", "layoff 7H @0", "discard KC"], None),
    # knocks with what leaves least, and lays down its best arrangement
    ("gin-knock", None,
     {"hands": ["AS 2S 3S 4H 4D 4C 9C TC JC 2D KH", "2C 5C 9H"], "pile": "6D", "phase": "play"},
     ["knock KH", "meld AS 2S 3S", "meld 9C TC JC", "meld 4H 4D 4C", "done"], None),
    # answers a knock with its melds, then lays off
    ("gin-knock", None,
     {"hands": ["QH QD QS 7S 2D", "KH"], "seat": 0, "phase": "respond", "by": 1, "table": ["1: 4S 5S 6S"]},
     ["meld QS QH QD", "layoff 7S @0", "done"], "undercut"),
    # big gin where it is in the game
    ("gin-knock", {"knock.big_gin_bonus": 31},
     {"hands": ["AS 2S 3S 4H 4D 4C 9C TC JC QC KC", "2C 5C 9H"], "pile": "6D", "phase": "play"},
     ["knock", "meld AS 2S 3S", "meld 9C TC JC QC KC", "meld 4H 4D 4C", "done"], "gin"),
    # tables nothing it could not finish
    ("basic", {"lay.when": "going_out"},
     {"hands": ["AS 2S 3S 4H 4D 4C 9C TC JC KH", "2C 5C 9H"], "pile": "6D", "phase": "play"},
     ["meld AS 2S 3S", "meld 9C TC JC", "meld 4H 4D 4C", "discard KH"], "out"),
)  # fmt: skip


MEDIUM: Sequence[Case] = (
    # both kings or the queen might go; the king that the next seat is known to collect stays
    ("gin-knock", None, {"hands": ["KS QD 2H 3H 4H 7C 7D", "KH KD 9C 9D 5S 8S AC"], "phase": "play",
                         "known": ["", "KH KD"]}, ["discard QD"], None),
    # the other tens are gone, so the pair of kings is worth more; and without 9H the TH is less use to others than TS
    ("gin-knock", None, {"hands": ["TS TH KS KH 2H 3H 4H", "AD 9D 5S 8S AC 3C"], "phase": "play", "pile": "TD TC 9H"},
     ["discard TH"], None),
    # takes a card for a second meld of the pile, leaves one that is no use
    ("gin-knock", None, {"hands": ["5S 6S KD 2C JD JH 4H", "2D 5C"], "pile": "JS"}, ["take", "discard KD"], None),
    ("basic", None, {"hands": ["5S 6S KD 2C", "2D 5C 3D 9S"], "pile": "9H", "stock": "8C 2H QD"},
     ["draw", "discard KD"], None),
    # knocks early with what will do, late only with little
    ("gin-knock", None, {"hands": ["AS AH AD AC 9S 9H 9D 9C 2H 3D KH", "2C 5C"], "phase": "play", "turns": 4},
     ["knock KH", "meld AS AH AD AC", "meld 9S 9H 9D 9C", "done"], None),
    ("gin-knock", None, {"hands": ["AS AH AD AC 9S 9H 9D 9C 2H 3D KH", "2C 5C"], "phase": "play", "turns": 30},
     ["discard KH"], None),
    # waits for gin where many cards would make it
    ("gin-knock", None, {"hands": ["AS 2S 3S 4H 4D 4C 9C TC JC 5D KH", "2C 5C 9H"], "phase": "play", "turns": 14},
     ["discard KH"], None),
    # keeps its melds while nobody is close to going out, and tables them when somebody is
    ("basic", None, {"hands": ["8S 8H 8D KC QD 2C 4S", "2H 5C 9S 6H JD TC"], "phase": "play"}, ["discard KC"], None),
    ("basic", None, {"hands": ["8S 8H 8D KC QD 2C 4S", "2H 5C"], "phase": "play"},
     ["meld 8S 8H 8D", "discard KC"], None),
    # goes out when it can
    ("basic", None, {"hands": ["4S 4H 4D 4C 5S 6S KD", "2C 5C"], "phase": "play"},
     ["meld 4S 5S 6S", "meld 4H 4D 4C", "discard KD"], "out"),
    # digs for what pays, and leaves a heap that does not
    ("rummy-500", None, {"hands": ["KS KH 2C 9D", "2D 5C 3C"], "pile": "KD QH 2S"},
     ["take 3", "meld KS KH KD", "discard QH"], None),
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "variant", "overrides", "keywords", "played", "kind"),
    [("easy", *case) for case in EASY] + [("medium", *case) for case in MEDIUM],
)
def test_what_a_bot_does(
    name: str,
    variant: str,
    overrides: dict[str, object] | None,
    keywords: dict[str, object],
    played: list[str],
    kind: str | None,
) -> None:
    assert turn(name, variant, overrides, **{"seat": 0, **keywords}) == (played, kind)


def test_pairs_share_a_rank_or_are_neighbours() -> None:
    hand = held(parse_faces("AS KS 3H 4H 6H 9D 9C KC JK"))
    assert rummy.format_cards(pairs(hand)) == "KS 3H 4H 9D 9C KC"
    assert rummy.format_cards(pairs(rummy.parse_cards("5S 5S 8D"))) == ""
    assert rummy.format_cards(pairs(rummy.parse_cards("KS AH"))) == ""
